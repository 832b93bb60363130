//! How a performer begins, as its host says it: who it is, and how much it does by itself.

use super::check::{Check, Shape};
use super::protocol::{is_temper, place_within};
use super::{fill, part, tree};
use crate::character::check_temperament;
use crate::error::Result;
use crate::limits;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vivant::eyes::Temperament;

/// How a performer begins. Every field may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Role {
    /// Chance: the same seed and the same requests give the same performance.
    pub seed: u64,
    /// What kind of person it is.
    pub temperament: Temperament,
    /// Whether it acts by itself where nobody asks for anything.
    pub unasked: bool,
    /// Whether it breathes, blinks and looks about.
    pub lives: bool,
    /// Whom it attends to at first, in metres; by default somebody of its height, two metres ahead.
    pub attend: Option<[f64; 3]>,
}

impl Default for Role {
    fn default() -> Self {
        Self { seed: 1, temperament: Temperament::default(), unasked: true, lives: true, attend: None }
    }
}

impl Role {
    /// Reads a role. An empty text is the default role.
    ///
    /// # Errors
    /// If the text is not a JSON object, has an unknown field, or has numbers that are out of range.
    pub fn read(text: &str) -> Result<Self> {
        Self::read_for(text, &Temperament::default())
    }

    /// Reads a role for a character with this temperament: whatever the role leaves out of its own temperament is
    /// the character's.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_for(text: &str, temperament: &Temperament) -> Result<Self> {
        if text.trim().is_empty() {
            return Ok(Self { temperament: *temperament, ..Self::default() });
        }
        limits::within("role", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
        let mut value = Value::from(tree::parse(text)?);
        let shape = Shape::of(&value, |keys| match keys {
            [] => true,
            ["temperament", rest @ ..] => is_temper(rest),
            _ => false,
        })?;
        if let Some(object) = value.as_object_mut() {
            let own = serde_json::to_value(temperament).unwrap_or_default();
            fill(object.entry("temperament").or_insert_with(|| Value::Object(Map::new())), own);
        }
        let read: Self = part(value)?;
        shape.holds()?;
        let mut check = Check::default();
        check_temperament(check.within("temperament"), &read.temperament);
        if let Some(place) = &read.attend {
            place_within(check.within(""), "attend", place);
        }
        check.faults.or(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::eyes::blinking::Evoked;

    #[test]
    fn a_role_changes_only_what_it_names_of_a_temperament() {
        let own = Temperament {
            liveliness: 0.2,
            lid_tempo: 0.7,
            evoked: Evoked { certain_at_75: true, ..Evoked::default() },
            ..Temperament::peters(0.4)
        };
        assert_eq!(Role::read_for("", &own).unwrap().temperament, own);
        assert_eq!(Role::read_for(r#"{"seed": 3}"#, &own).unwrap().temperament, own);
        let read = Role::read_for(r#"{"temperament": {"liveliness": 0.5}}"#, &own).unwrap();
        assert_eq!(read.temperament, Temperament { liveliness: 0.5, ..own });
        assert!(Role::read_for("[]", &own).is_err());
    }

    #[test]
    fn everything_may_be_left_out() {
        assert_eq!(Role::read(""), Ok(Role::default()));
        assert_eq!(Role::read("{}"), Ok(Role::default()));
        let read =
            Role::read(r#"{"seed": 9, "attend": [0, 1.5, 1], "temperament": {"liveliness": 0.5}}"#).unwrap();
        assert_eq!((read.seed, read.attend), (9, Some([0.0, 1.5, 1.0])));
        assert_eq!((read.temperament.liveliness, read.unasked), (0.5, true));
    }

    #[test]
    fn every_malformed_role_is_told_what_is_wrong_and_where() {
        for (text, words) in [
            ("[]", "an object in curly brackets is expected"),
            ("{", "line 1"),
            (r#"{"sed": 1}"#, "did you mean `seed`?"),
            (r#"{"seed": -1}"#, "seed"),
            (r#"{"seed": 1, "seed": 2}"#, "seed"),
            (r#"{"attend": [0, 1]}"#, "attend"),
            (r#"{"attend": [0, 1, 1e9]}"#, "attend[2]: 1000000000 is out of range"),
            (r#"{"temperament": {"livliness": 1}}"#, "did you mean `liveliness`?"),
            (r#"{"temperament": {"liveliness": 2}}"#, "temperament.liveliness: 2 is out of range"),
            (r#"{"temperament": []}"#, "temperament"),
        ] {
            let message = Role::read(text).expect_err(text).to_string();
            assert!(message.contains(words), "{text}\n  {message}\n  lacks {words}");
        }
    }
}
