//! Reads and writes the JSON that people and agents use: intents, repertoires, behaviour models and the protocol.
//!
//! These files are written by hand or by a language model, so good error messages matter most. Reading is strict:
//! nothing is skipped silently. An error names the place (a line of a script, a path such as
//! `stances[1].gestures[0].blendIn`) and the fix, and suggests the right name for a misspelt one. All errors are
//! reported at once.
//!
//! ```
//! use vivant_io::json::intents;
//! let intent = intents::line(r#"{"act": "gesture", "hand": "R", "at": 1.5}"#)?;
//! assert_eq!(intent.at(), Some(1.5));
//! let error = intents::line(r#"{"act": "gesture", "durration": 2}"#).unwrap_err();
//! assert!(error.to_string().contains("did you mean `duration`?"));
//! # Ok::<(), vivant_io::Error>(())
//! ```

pub(crate) mod base64;
pub mod behaviour;
pub mod blink_model;
pub(crate) mod check;
pub mod intents;
mod layout;
mod placed;
pub mod protocol;
pub mod repertoire;
pub mod rig;
pub mod role;
#[cfg(feature = "schema")]
pub mod schema;
pub mod sighting;
pub mod texture;
pub mod tools;
mod tree;
pub mod words;

pub use base64::encode as base64;

use crate::error::{Error, ErrorList, Result};
use crate::limits;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::map::Entry;

/// Parses a document without its byte order mark. Fails if it is too large or has duplicate keys.
fn document(bytes: &[u8]) -> Result<Value> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_DOCUMENT_BYTES)?;
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let tree = tree::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    Ok(tree.into())
}

fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    Error::at(format!("line {line}"), "not valid UTF-8; save the file as UTF-8")
}

/// Checks that the version of a document is supported. Documents that are not objects are reported later.
fn version(document: &Value, newest: u32) -> Result<()> {
    if !document.is_object() {
        return Ok(());
    }
    let found = document.get("version").ok_or_else(|| {
        Error::at("version", format!("the field `version` is missing; add \"version\": {newest}"))
    })?;
    match found.as_u64() {
        Some(version) if version > u64::from(newest) => Err(Error::at(
            "version",
            format!(
                "version {version} is newer than {newest}, the newest that this Vivant reads; update Vivant"
            ),
        )),
        Some(1..) => Ok(()),
        _ => Err(Error::at("version", format!("must be a whole number from 1 to {newest}"))),
    }
}

/// Reads a document into a type of another crate, as strictly as into the types of this crate. It checks the size,
/// the version and duplicate keys, and rejects a list in place of an object. `is_object` takes a path as a list of
/// keys, with `[]` for an item of a list, and returns true if the value at that path must be an object.
///
/// # Errors
/// If the document is invalid, with the path of each error.
pub fn strict<T: DeserializeOwned>(bytes: &[u8], newest: u32, is_object: fn(&[&str]) -> bool) -> Result<T> {
    let document = document(bytes)?;
    version(&document, newest)?;
    let shape = check::Shape::of(&document, is_object)?;
    let read = part(document)?;
    shape.holds()?;
    Ok(read)
}

/// Writes a value of another crate's type as JSON, in the same layout as the types of this crate: one item per line.
#[must_use]
pub fn pretty(value: &impl Serialize) -> String {
    text(value)
}

/// Adds the missing fields of an object from defaults, recursively.
pub(crate) fn fill(value: &mut Value, defaults: Value) {
    if let (Value::Object(value), Value::Object(defaults)) = (value, defaults) {
        for (key, default) in defaults {
            match value.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(default)),
                Entry::Occupied(mut entry) => fill(entry.get_mut(), default),
            }
        }
    }
}

/// Parses a text as a type, or returns the first error. The error has a line if the text is not JSON, and otherwise a
/// path.
pub(crate) fn typed<T: DeserializeOwned>(text: &str) -> Result<T> {
    part(tree::parse(text)?.into())
}

/// Converts a TOML document to JSON.
pub(crate) fn from_toml(table: &toml::de::DeTable<'_>) -> Result<Value> {
    tree::from_toml(table)
}

/// Converts a part of a document to its type, or returns the first error in it.
pub(crate) fn part<T: DeserializeOwned>(value: Value) -> Result<T> {
    placed::read(&value)
}

/// Converts the elements of a list to their types and collects all errors. A value that is not a list stays in the
/// object; converting the object then gives the error.
fn parts<T: DeserializeOwned>(object: &mut Value, field: &str, faults: &mut ErrorList) -> Vec<T> {
    let Some(Value::Array(list)) = object.get_mut(field) else { return Vec::new() };
    let mut read = |(index, value)| {
        if faults.is_full() {
            return None;
        }
        let fault = |error: Error| faults.push(error.within(&format!("{field}[{index}]")));
        part(value).map_err(fault).ok()
    };
    std::mem::take(list).into_iter().enumerate().filter_map(&mut read).collect()
}

/// Writes a value as JSON with one item per line, which can be compared line by line.
fn text(value: &impl Serialize) -> String {
    // These types have no maps with non-string keys, so serialising cannot fail.
    layout::pretty(&serde_json::to_string(value).unwrap_or_default())
}
