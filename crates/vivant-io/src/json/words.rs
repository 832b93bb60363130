//! Words for what is wrong: from what a parser says to what a person can use.

use crate::error::Error;
use std::fmt::Display;

/// The known name that a word was probably meant to be, if there is one.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// How much of a word must be right; below, a hint is a riddle. Our design.
    const ALIKE: f64 = 0.55;
    let word = plain(word);
    let alike = |name: &str| {
        let name = plain(name);
        let is_beginning = word.len() >= 3 && name.starts_with(&word);
        let score = strsim::normalized_damerau_levenshtein(&word, &name);
        if is_beginning { score.max(ALIKE) } else { score }
    };
    let scored = known.into_iter().map(|name| (alike(name), name)).filter(|(score, _)| *score >= ALIKE);
    // The first of equals, so that the hint does not depend on how a list is walked.
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

/// “did you mean …?”, or what there is.
#[must_use]
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> String {
    /// More names than this say nothing.
    const FEW: usize = 24;
    let known = known.into_iter();
    match nearest(word, known.clone()) {
        Some(name) => format!("did you mean `{}`?", short(name)),
        None if known.clone().next().is_none() => "there are none".into(),
        None => {
            let names: Vec<String> =
                known.clone().take(FEW).map(|name| format!("`{}`", short(name))).collect();
            let more = if known.count() > FEW { ", …" } else { "" };
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

/// What serde says about a place, in our words.
pub fn fault(path: &str, message: impl Display) -> Error {
    let message = message.to_string();
    // A document that was read from text has its line there, too; the path is better.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let place = place(path, message);
    let message = explained(path, message);
    if place.is_empty() { Error::new(message) } else { Error::at(short(place), message) }
}

/// The place of the object with the fault, for the message names the field.
fn place<'a>(path: &'a str, message: &str) -> &'a str {
    let field = unknown(message, "unknown field `").map_or("", |(word, _)| word);
    path.strip_suffix(field).unwrap_or(path).trim_end_matches(['.', '?'])
}

fn explained(path: &str, message: &str) -> String {
    let quoted = |before: &str| message.strip_prefix(before).map(|rest| short(rest.trim_end_matches('`')));
    if let Some((word, known)) = unknown(message, "unknown field `") {
        return format!("unknown field `{}`; {}", short(word), hint(word, known));
    }
    if let Some((word, known)) = unknown(message, "unknown variant `") {
        return format!("`{}` is no {}; {}", short(word), noun(path), hint(word, known));
    }
    if let Some(field) = quoted("missing field `") {
        return format!("the field `{field}` is missing; add it");
    }
    if let Some(field) = quoted("duplicate field `") {
        return format!("the field `{field}` is there twice; keep one of them");
    }
    if let Some((found, expected)) = mismatch(message) {
        return format!("{} is given, where {} is expected", shown(found), wanted(path, expected));
    }
    short(message)
}

/// The word that is not known, and those that are.
fn unknown<'a>(message: &'a str, before: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix(before)?;
    let (word, known) = rest.rsplit_once("`, expected ").or_else(|| rest.rsplit_once("`, "))?;
    Some((word, known.split('`').skip(1).step_by(2).collect()))
}

fn mismatch(message: &str) -> Option<(&str, &str)> {
    let rest = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let rest = rest.or_else(|| message.starts_with("invalid length").then(|| &message["invalid ".len()..]));
    rest?.rsplit_once(", expected ")
}

/// What was found, as people call it.
fn shown(found: &str) -> String {
    let bare = |before: &str| found.strip_prefix(before).map(|rest| short(rest.trim_matches('`')));
    if let Some(text) = found.strip_prefix("string ") {
        return format!("the text {}", short(text));
    }
    match found {
        "map" => "an object".into(),
        "sequence" => "a list".into(),
        "unit value" => "null".into(),
        found if found.starts_with("length ") => format!("a list of {}", &found["length ".len()..]),
        _ => bare("integer ")
            .or_else(|| bare("floating point "))
            .or_else(|| bare("boolean "))
            .unwrap_or_else(|| short(found)),
    }
}

/// What a field wants, as people call it.
fn wanted(path: &str, expected: &str) -> String {
    match expected {
        "f64" | "f32" => "a number",
        "i32" | "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number that is not negative",
        "a string" => "a text in double quotes",
        "a sequence" => "a list in square brackets",
        "a boolean" => "true or false",
        "an array of length 3" => "a list of three numbers",
        "an array of length 2" => "a list of two numbers",
        "string or map" => return format!("a {} in double quotes", noun(path)),
        expected if expected.starts_with("struct ") || expected == "a map" => "an object in curly brackets",
        expected => return short(expected),
    }
    .to_owned()
}

/// What the words of a field are.
fn noun(path: &str) -> &'static str {
    let field = path.rsplit('.').next().unwrap_or(path);
    match field.split('[').next().unwrap_or(field) {
        "act" | "kind" => "kind",
        "hand" => "hand",
        "layer" | "layers" => "layer",
        "mask" => "body part",
        "be" => "state",
        "look" => "place to look",
        _ => "known word",
    }
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
