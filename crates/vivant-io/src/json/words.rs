//! Words for what is wrong: from what a parser says to what a person can use.

use std::fmt::Display;
use vivant::Error;
pub use vivant::words::{hint, nearest, short};

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
        "a string" if noun(path) == "known word" => "a text in double quotes",
        "a sequence" => "a list in square brackets",
        "a boolean" => "true or false",
        "an array of length 3" => "a list of three numbers",
        "an array of length 2" => "a list of two numbers",
        "a string" | "string or map" => return format!("a {} in double quotes", noun(path)),
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
