//! Reads HTTP request bodies as strictly as files.

use super::{Edit, NewCharacter, Place, Speak};
use crate::character::check_temperament;
use crate::error::{Error, Result};
use crate::json::check::{Check, Shape};
use crate::json::{document, part, repertoire};
use serde_json::Value;

impl NewCharacter {
    /// Reads a request body.
    ///
    /// # Errors
    /// If the body is invalid or too long.
    pub fn read(body: &[u8]) -> Result<Self> {
        let read: Self = read_shaped(document(body)?, |keys| keys.is_empty())?;
        let mut check = Check::default();
        check.word("name", read.name.as_str()).word("from", read.from.as_deref());
        check.faults.or(read)
    }
}

impl Edit {
    /// Reads a request body. A repertoire in the body is checked like `repertoire.json`. It is not checked whether its
    /// stances can be reached and its clips fit.
    ///
    /// # Errors
    /// If the body is invalid, with all errors of the repertoire or the temperament.
    pub fn read(body: &[u8]) -> Result<Self> {
        let mut document = document(body)?;
        let repertoire = take_repertoire(&mut document)?;
        let read: Self =
            read_shaped(document, |keys| matches!(keys, [] | ["temperament"] | ["temperament", "evoked"]))?;
        let mut check = Check::default();
        check.word("what", read.what.as_str()).word("name", read.name.as_deref());
        if let Some(temperament) = &read.temperament {
            check_temperament(check.within("temperament"), temperament);
        }
        check.faults.or(Self { repertoire, ..read })
    }
}

impl Place {
    /// Reads a request body.
    ///
    /// # Errors
    /// If the body is invalid or too long.
    pub fn read(body: &[u8]) -> Result<Self> {
        let read: Self = read_shaped(document(body)?, |keys| keys.is_empty())?;
        let mut check = Check::default();
        check.word("stance", read.stance.as_deref()).word("to", read.to.as_deref());
        check.count("clips", "clips", read.clips.len(), crate::limits::MAX_ACTIONS);
        for (index, clip) in read.clips.iter().enumerate().take(crate::limits::MAX_ACTIONS) {
            check.word(&format!("clips[{index}]"), clip.as_str());
        }
        check.faults.or(read)
    }
}

impl Speak {
    /// Reads a request body.
    ///
    /// # Errors
    /// If the body is invalid or too long.
    pub fn read(body: &[u8]) -> Result<Self> {
        let read: Self = read_shaped(document(body)?, |keys| keys.is_empty())?;
        let mut check = Check::default();
        check.text("text", &read.text, crate::limits::MAX_SAID_BYTES).word("voice", read.voice.as_deref());
        if let Some(rate) = read.rate {
            check.number("rate", rate, 0.5, 2.5, "");
        }
        check.faults.or(read)
    }
}

/// Reads the repertoire with its own reader, which reports all errors at once.
fn take_repertoire(document: &mut Value) -> Result<Option<vivant::body::repertoire::Repertoire>> {
    let found = document.as_object_mut().and_then(|object| object.remove("repertoire"));
    let Some(value) = found.filter(|value| !value.is_null()) else { return Ok(None) };
    let bytes = serde_json::to_vec(&value).map_err(Error::new)?;
    repertoire::read(&bytes).map(Some).map_err(|error| error.within("repertoire"))
}

fn read_shaped<T: serde::de::DeserializeOwned>(value: Value, is_object: fn(&[&str]) -> bool) -> Result<T> {
    let shape = Shape::of(&value, is_object)?;
    let read = part(value)?;
    shape.holds()?;
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T>(read: fn(&[u8]) -> Result<T>, bodies: &[(&str, &str)]) {
        for (body, words) in bodies {
            let message =
                read(body.as_bytes()).err().unwrap_or_else(|| panic!("{body} was accepted")).to_string();
            assert!(message.contains(words), "{body}\n  {message}\n  lacks {words}");
        }
    }

    #[test]
    fn malformed_bodies_give_errors_with_place_and_cause() {
        check(
            NewCharacter::read,
            &[
                ("", "line 1"),
                ("[]", "found a list, expected an object in curly brackets"),
                ("{}", "the field `name` is missing"),
                (r#"{"name": " "}"#, "name: is empty"),
                (r#"{"name": 3}"#, "name: found 3"),
                (r#"{"name": "a", "form": "b"}"#, "unknown field `form`; did you mean `from`?"),
                (r#"{"name": "a", "name": "b"}"#, "duplicate field `name`"),
            ],
        );
        check(
            Edit::read,
            &[
                ("{", "line 1"),
                (r#"{"what": "x"}"#, "the field `revision` is missing"),
                (r#"{"revision": 1}"#, "the field `what` is missing"),
                (r#"{"revision": -1, "what": "x"}"#, "revision: found -1"),
                (r#"{"revision": 1, "what": ""}"#, "what: is empty"),
                (r#"{"revision": 1, "what": "x", "repertoire": 3}"#, "repertoire: found 3"),
                (
                    r#"{"revision": 1, "what": "x", "repertoire": {"stances": []}}"#,
                    "repertoire.version: the field",
                ),
                (
                    r#"{"revision": 1, "what": "x", "repertoire": {"version": 1, "stances": [{"name": "a", "gestures": [{"clip": "c", "blendIn": 99}]}]}}"#,
                    "repertoire.stances[0].gestures[0].blendIn: 99 is out of range",
                ),
                (
                    r#"{"revision": 1, "what": "x", "repertoire": {"version": 1, "stances": [{"name": "a", "gesture": []}]}}"#,
                    "repertoire.stances[0]: unknown field `gesture`; did you mean `gestures`?",
                ),
                (
                    r#"{"revision": 1, "what": "x", "temperament": {"liveliness": 2}}"#,
                    "temperament.liveliness: 2 is out of range",
                ),
                (
                    r#"{"revision": 1, "what": "x", "temperament": {"livelines": 1}}"#,
                    "did you mean `liveliness`?",
                ),
                (
                    r#"{"revision": 1, "what": "x", "nme": "Eve"}"#,
                    "unknown field `nme`; did you mean `name`?",
                ),
            ],
        );
        check(
            Place::read,
            &[
                ("{}", "the field `revision` is missing"),
                (r#"{"revision": 1, "clips": "a"}"#, "clips: found the text \"a\""),
                (r#"{"revision": 1, "clips": [""]}"#, "clips[0]: is empty"),
                (r#"{"revision": 1, "as": "gestur"}"#, "did you mean `gesture`?"),
                (r#"{"revision": 1, "stance": ""}"#, "stance: is empty"),
            ],
        );
        let long = format!(r#"{{"name": "{}"}}"#, "x".repeat(300));
        check(NewCharacter::read, &[(&long, "300 bytes long; at most 256")]);
    }

    #[test]
    fn valid_bodies_are_read() {
        let edit = Edit::read(br#"{"revision": 3, "what": "x", "repertoire": null, "temperament": {"evoked": {"preset": "peters", "driver": "head"}}}"#);
        assert!(edit.unwrap().repertoire.is_none());
        let edit =
            Edit::read(br#"{"revision": 3, "what": "x", "repertoire": {"version": 1, "stances": []}}"#)
                .unwrap();
        assert_eq!(edit.repertoire, Some(vivant::body::repertoire::Repertoire::default()));
        let place = Place::read(br#"{"revision": 3, "as": "fidget", "stance": "standing"}"#).unwrap();
        assert!(place.clips.is_empty() && place.kind == Some(super::super::ClipType::Fidget));
    }
}
