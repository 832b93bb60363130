//! Names in messages: suggestions for misspelled names, and shortened names for display.
//!
//! Users and language models misspell the names of clips, stances and fields. An error that suggests the right name
//! can be fixed at once. Use [`hint`] at the end of a message about an unknown name, and [`short`] for any name that
//! comes from a file: it is cut after 60 characters, and control characters are replaced.
//!
//! ```
//! use vivant::words::hint;
//! assert_eq!(hint("Wvae", ["wave", "nod"]), "did you mean `wave`?");
//! assert_eq!(hint("jump", ["wave", "nod"]), "there are `wave`, `nod`");
//! ```

/// Returns the known name most similar to `word`, or `None` if none is similar enough.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &mut known.into_iter())
}

// Not generic, so that the code is compiled only once.
fn nearest_of<'a>(word: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Minimum similarity of a suggestion from 0 to 1; less similar names would confuse. Our choice.
    const MIN_SIMILARITY: f64 = 0.55;
    let word = normalized(word);
    let similarity = |name: &str| {
        let name = normalized(name);
        let is_beginning = word.len() >= 3 && name.starts_with(&word);
        let score = strsim::normalized_damerau_levenshtein(&word, &name);
        if is_beginning { score.max(MIN_SIMILARITY) } else { score }
    };
    let scored = known.map(|name| (similarity(name), name)).filter(|(score, _)| *score >= MIN_SIMILARITY);
    // Of several equally similar names the first is used, so that the hint does not depend on the order of
    // evaluation.
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

/// Returns “did you mean …?”, or a list of the known names.
#[must_use]
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> String {
    hint_of(word, &known.into_iter().collect::<Vec<_>>())
}

fn hint_of(word: &str, known: &[&str]) -> String {
    /// Maximum number of names in a list; longer lists are cut.
    const MAX_LISTED: usize = 24;
    match nearest_of(word, &mut known.iter().copied()) {
        Some(name) => format!("did you mean `{}`?", short(name)),
        None if known.is_empty() => "there are none".into(),
        None => {
            let names: Vec<String> =
                known.iter().take(MAX_LISTED).map(|name| format!("`{}`", short(name))).collect();
            let more = if known.len() > MAX_LISTED { ", …" } else { "" };
            format!("there are {}{more}", names.join(", "))
        }
    }
}

/// Normalizes a word for comparison: ignores case, hyphens and underscores, and cuts it after 64 characters.
fn normalized(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

/// Cuts a word after 60 characters for display and replaces control characters.
#[must_use]
pub fn short(word: &str) -> String {
    const MAX_CHARS: usize = 60;
    let shown: String =
        word.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if word.chars().nth(MAX_CHARS).is_some() { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_most_similar_name() {
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
    fn short_cuts_words_and_replaces_control_characters() {
        assert_eq!(short("a\u{1b}[2Jb"), "a\u{fffd}[2Jb");
        assert_eq!(short(&"x".repeat(1000)).chars().count(), 61);
    }
}
