//! Names in messages: the name that was probably meant, and names short enough to show.

/// Returns the known name that a word was probably meant to be, if there is one.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &mut known.into_iter())
}

// Not generic, so that this code exists once however many callers there are.
fn nearest_of<'a>(word: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    /// How much of a word must be right; below, a hint is a riddle. Our design.
    const ALIKE: f64 = 0.55;
    let word = plain(word);
    let alike = |name: &str| {
        let name = plain(name);
        let is_beginning = word.len() >= 3 && name.starts_with(&word);
        let score = strsim::normalized_damerau_levenshtein(&word, &name);
        if is_beginning { score.max(ALIKE) } else { score }
    };
    let scored = known.map(|name| (alike(name), name)).filter(|(score, _)| *score >= ALIKE);
    // The first of equals, so that the hint does not depend on how a list is walked.
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

/// Returns “did you mean …?”, or the known names.
#[must_use]
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> String {
    hint_of(word, &known.into_iter().collect::<Vec<_>>())
}

fn hint_of(word: &str, known: &[&str]) -> String {
    /// More names than this say nothing.
    const FEW: usize = 24;
    match nearest_of(word, &mut known.iter().copied()) {
        Some(name) => format!("did you mean `{}`?", short(name)),
        None if known.is_empty() => "there are none".into(),
        None => {
            let names: Vec<String> =
                known.iter().take(FEW).map(|name| format!("`{}`", short(name))).collect();
            let more = if known.len() > FEW { ", …" } else { "" };
            format!("there are {}{more}", names.join(", "))
        }
    }
}

/// Case, hyphens and underscores do not make a different word. Long words are not meant to be short ones.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

/// A word as it can be shown: not too long, and nothing that moves the cursor.
#[must_use]
pub fn short(word: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String =
        word.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if word.chars().nth(SHOWN).is_some() { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_almost_right_is_told_the_right_one() {
        let known = ["duration", "at", "blendIn", "blendOut", "loop", "clips/wave.fbx"];
        for (word, expected) in [
            ("durration", Some("duration")),
            ("blend_in", Some("blendIn")),
            ("BLENDOUT", Some("blendOut")),
            ("looped", Some("loop")),
            ("dur", Some("duration")),
            ("clips/wav.fbx", Some("clips/wave.fbx")),
            ("priority", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn what_is_quoted_back_is_short_and_harmless() {
        assert_eq!(short("a\u{1b}[2Jb"), "a\u{fffd}[2Jb");
        assert_eq!(short(&"x".repeat(1000)).chars().count(), 61);
    }
}
