//! What people and agents write: intents, repertoires, behaviour.
//!
//! These files are typed by hand or by a language model, so what matters most is what happens when they
//! are wrong. Reading is strict: nothing is skipped that might have meant something. An error names
//! the place (a line of a script, a path such as `stances[1].gestures[0].blendIn`) and the fix, and a
//! name that is almost right is told the right one. All faults are told at once, not only the first.
//!
//! ```
//! use vivant_io::json::intents;
//! let wish = intents::line(r#"{"act": "gesture", "hand": "R", "at": 1.5}"#)?;
//! assert_eq!(wish.at(), Some(1.5));
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

use crate::error::{Error, Faults, Result};
use crate::limits;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::map::Entry;

/// A document as JSON, without its byte order mark, if it is not too large and no key is there twice.
fn document(bytes: &[u8]) -> Result<Value> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_DOCUMENT_BYTES)?;
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let tree = tree::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    Ok(tree.into())
}

fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    Error::at(format!("line {line}"), "there are bytes that are no UTF-8; save the file as UTF-8")
}

/// The version of a document, which must be one that this program knows. What is no object has none, and
/// worse troubles.
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
            format!("this is version {version}, and this Vivant reads up to {newest}; get a newer Vivant"),
        )),
        Some(1..) => Ok(()),
        _ => Err(Error::at("version", format!("must be a whole number from 1 to {newest}"))),
    }
}

/// Reads a document of another crate's type as strictly as ours are read: its size, its version, no key twice, no
/// list where an object belongs. `is_object` says where objects belong, by keys and `[]`.
///
/// # Errors
/// If it is no such document, each fault with its path.
pub fn strict<T: DeserializeOwned>(bytes: &[u8], newest: u32, is_object: fn(&[&str]) -> bool) -> Result<T> {
    let document = document(bytes)?;
    version(&document, newest)?;
    let shape = check::Shape::of(&document, is_object)?;
    let read = part(document)?;
    shape.holds()?;
    Ok(read)
}

/// Writes a document of another crate's type as ours are laid out: one thing a line.
#[must_use]
pub fn laid_out(value: &impl Serialize) -> String {
    text(value)
}

/// Adds the fields of one object to another that does not have them, in objects within them too.
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

/// A text as a type, or the first fault in it: at a line if it is no JSON, at a path otherwise.
pub(crate) fn typed<T: DeserializeOwned>(text: &str) -> Result<T> {
    part(tree::parse(text)?.into())
}

/// A TOML document as a JSON document.
pub(crate) fn of_toml(table: &toml::de::DeTable<'_>) -> Result<Value> {
    tree::of_toml(table)
}

/// A part of a document as its type, or the first fault in it.
pub(crate) fn part<T: DeserializeOwned>(value: Value) -> Result<T> {
    placed::read(&value)
}

/// The elements of a list as their types, and all faults in them. What is no list stays in the object,
/// whose type will complain.
fn parts<T: DeserializeOwned>(object: &mut Value, field: &str, faults: &mut Faults) -> Vec<T> {
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

/// A type as text that people can read and compare line by line.
fn text(value: &impl Serialize) -> String {
    // These types have no maps with odd keys and no writers that fail.
    layout::pretty(&serde_json::to_string(value).unwrap_or_default())
}
