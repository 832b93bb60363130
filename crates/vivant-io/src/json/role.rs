//! The start options of a performer, as given by its host.
//!
//! Every host starts a performer with the same JSON object: seed, temperament, and what it does without requests.
//! [`Role`] is that object. All fields are optional.
//!
//! ```
//! use vivant_io::json::role::Role;
//! let role = Role::read(r#"{"seed": 7, "attend": [0, 1.6, 2]}"#)?;
//! assert_eq!((role.seed, role.attend), (7, Some([0.0, 1.6, 2.0])));
//! assert!(role.lives, "breathes, blinks and moves its eyes");
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::check::{Check, Shape};
use super::protocol::{check_position_in, is_temperament};
use super::{fill, part, tree};
use crate::character::check_temperament;
use crate::error::Result;
use crate::limits;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vivant::eyes::Temperament;

/// Start options of a performer. All fields are optional.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Role {
    /// Random seed: the same seed and the same requests give the same performance.
    pub seed: u64,
    /// Temperament (per-character parameters).
    pub temperament: Temperament,
    /// True if the performer acts on its own when there are no requests. Default: true.
    pub unasked: bool,
    /// True if the performer breathes, blinks and moves its eyes. Default: true.
    pub lives: bool,
    /// Position of the person it attends to at the start, in metres. Default: a person of its height, 2 m ahead.
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

    /// Reads a role for a character with this temperament, which supplies the omitted fields of the role's
    /// temperament.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_for(text: &str, temperament: &Temperament) -> Result<Self> {
        if text.trim().is_empty() {
            return Ok(Self { temperament: *temperament, ..Self::default() });
        }
        limits::within("role", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
        let mut value = Value::from(tree::parse(text)?);
        let shape = Shape::of(&value, |keys| match keys {
            [] => true,
            ["temperament", rest @ ..] => is_temperament(rest),
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
            check_position_in(check.within(""), "attend", place);
        }
        check.faults.or(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::eyes::blinking::Evoked;

    #[test]
    fn a_role_overrides_only_given_fields_of_a_temperament() {
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
    fn all_fields_are_optional() {
        assert_eq!(Role::read(""), Ok(Role::default()));
        assert_eq!(Role::read("{}"), Ok(Role::default()));
        let read =
            Role::read(r#"{"seed": 9, "attend": [0, 1.5, 1], "temperament": {"liveliness": 0.5}}"#).unwrap();
        assert_eq!((read.seed, read.attend), (9, Some([0.0, 1.5, 1.0])));
        assert_eq!((read.temperament.liveliness, read.unasked), (0.5, true));
    }

    #[test]
    fn malformed_roles_give_errors_with_place_and_cause() {
        for (text, words) in [
            ("[]", "expected an object in curly brackets"),
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
