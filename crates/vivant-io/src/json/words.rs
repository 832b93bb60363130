//! Converts parser errors to messages that help the user.
//!
//! The messages of serde use terms of Rust, such as `invalid type: map, expected f64`. The authors of JSON and TOML
//! files need the path of the value and what to write instead. [`serde_error`] takes a path and a message of serde and
//! returns an error with both. It recognises the English texts of serde, which may change between versions; a text that
//! it does not recognise is kept and shortened with [`short`]. For an unknown field or variant, [`hint`] adds a
//! suggestion from the known words.

use std::fmt::Display;
use vivant::Error;
pub use vivant::words::{hint, nearest, short};

/// Converts a serde error at a path.
pub fn serde_error(path: &str, message: impl Display) -> Error {
    let message = message.to_string();
    // serde_json appends the line; the path is more useful.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let place = place(path, message);
    let message = explain(path, message);
    if place.is_empty() { Error::new(message) } else { Error::at(short(place), message) }
}

/// Returns the path of the object that contains the field, because the message already names the field.
fn place<'a>(path: &'a str, message: &str) -> &'a str {
    let field = unknown(message, "unknown field `").map_or("", |(word, _)| word);
    path.strip_suffix(field).unwrap_or(path).trim_end_matches(['.', '?'])
}

fn explain(path: &str, message: &str) -> String {
    let quoted = |before: &str| message.strip_prefix(before).map(|rest| short(rest.trim_end_matches('`')));
    if let Some((word, known)) = unknown(message, "unknown field `") {
        return format!("unknown field `{}`; {}", short(word), hint(word, known));
    }
    if let Some((word, known)) = unknown(message, "unknown variant `") {
        return format!("unknown {} `{}`; {}", noun(path), short(word), hint(word, known));
    }
    if let Some(field) = quoted("missing field `") {
        return format!("the field `{field}` is missing; add it");
    }
    if let Some(field) = quoted("duplicate field `") {
        return format!("duplicate field `{field}`; keep one of them");
    }
    if let Some((found, expected)) = mismatch(message) {
        return format!("found {}, expected {}", found_text(found), expected_text(path, expected));
    }
    short(message)
}

/// Returns the unknown word and the known ones.
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

/// Describes the found value.
fn found_text(found: &str) -> String {
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

/// Describes the expected value.
fn expected_text(path: &str, expected: &str) -> String {
    match expected {
        "f64" | "f32" => "a number",
        "i32" | "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "a string" if noun(path) == "value" => "a text in double quotes",
        "a sequence" => "a list in square brackets",
        "a boolean" => "true or false",
        "an array of length 3" => "a list of three numbers",
        "an array of length 2" => "a list of two numbers",
        "a string" | "string or map" => return format!("the {} in double quotes", noun(path)),
        expected if expected.starts_with("struct ") || expected == "a map" => "an object in curly brackets",
        expected => return short(expected),
    }
    .to_owned()
}

/// Returns the noun for the values of a field, for messages.
fn noun(path: &str) -> &'static str {
    let field = path.rsplit('.').next().unwrap_or(path);
    match field.split('[').next().unwrap_or(field) {
        "act" | "kind" => "kind",
        "hand" => "hand",
        "layer" | "layers" => "layer",
        "mask" => "body part",
        "be" => "activity",
        "look" => "look target",
        _ => "value",
    }
}
