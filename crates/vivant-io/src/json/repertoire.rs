//! Reads and writes `repertoire.json`, the stances and actions of a character.
//!
//! Authors edit this file by hand, so each error has a path, and the file is written in a layout that is easy to read
//! and to compare. The fields are those of [`vivant::body::repertoire`] (Borer 2019, sections 3 and 4).
//!
//! ```
//! use vivant_io::json::repertoire;
//! let stand = repertoire::read(br#"{"version": 1, "stances": [{"name": "stand"}]}"#)?;
//! assert_eq!(stand.stances[0].name, "stand");
//! assert_eq!(repertoire::read(repertoire::write(&stand).as_bytes())?, stand);
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::check::{Check, Shape};
use super::{document, part, parts, text, version};
use crate::error::{ErrorList, Result};
use crate::limits;
use serde_json::Value;
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition, VERSION};

/// Reads a repertoire. It does not check whether stances can be reached and whether clips fit; both are checked when
/// the repertoire is built.
///
/// # Errors
/// If the document is invalid, with the paths of up to 20 errors in stances, gestures, fidgets and transitions.
pub fn read(bytes: &[u8]) -> Result<Repertoire> {
    let mut document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| {
        matches!(
            keys,
            [] | ["stances", "[]"] | ["stances", "[]", "gestures" | "fidgets" | "transitions", "[]"]
        )
    })?;
    let mut faults = ErrorList::default();
    let stances = stances(&mut document, &mut faults);
    let shell = part::<Repertoire>(document).map_err(|fault| faults.push(fault));
    let read = Repertoire { stances, ..shell.unwrap_or_default() };
    faults.or(())?;
    shape.holds()?;
    check_repertoire(&read).or(read)
}

/// Writes a repertoire: one action per line if it fits, fields in a fixed order, defaults omitted.
#[must_use]
pub fn write(repertoire: &Repertoire) -> String {
    text(repertoire)
}

fn stances(document: &mut Value, faults: &mut ErrorList) -> Vec<Stance> {
    let Some(Value::Array(list)) = document.get_mut("stances") else { return Vec::new() };
    let list = std::mem::take(list);
    let read = |(index, value)| {
        if faults.is_full() {
            return None;
        }
        let mut inner = ErrorList::default();
        let stance = stance(value, &mut inner);
        faults.extend_within(inner, &format!("stances[{index}]"));
        stance
    };
    list.into_iter().enumerate().filter_map(read).collect()
}

fn stance(mut value: Value, faults: &mut ErrorList) -> Option<Stance> {
    let gestures = parts(&mut value, "gestures", faults);
    let fidgets = parts(&mut value, "fidgets", faults);
    let transitions = parts(&mut value, "transitions", faults);
    let shell = part::<Stance>(value).map_err(|fault| faults.push(fault)).ok()?;
    Some(Stance { gestures, fidgets, transitions, ..shell })
}

fn check_repertoire(repertoire: &Repertoire) -> ErrorList {
    let mut check = Check::default();
    let stances = &repertoire.stances;
    check.count("stances", "stances", stances.len(), limits::MAX_STANCES);
    let actions = stances.iter().map(|s| s.gestures.len() + s.fidgets.len() + s.transitions.len()).sum();
    check.count("stances", "gestures, fidgets and transitions", actions, limits::MAX_ACTIONS);
    for (index, stance) in stances.iter().enumerate() {
        check_stance(&mut check, &format!("stances[{index}]"), stance);
    }
    check.faults
}

fn check_stance(check: &mut Check, place: &str, stance: &Stance) {
    check.within(place).word("name", stance.name.as_str()).word("clip", stance.clip.as_deref());
    check.once("layers", &stance.layers).seconds("start", stance.start).seconds("end", stance.end);
    for (field, actions) in [("gestures", &stance.gestures), ("fidgets", &stance.fidgets)] {
        for (index, action) in actions.iter().enumerate() {
            check_action(check.within(format!("{place}.{field}[{index}]")), action);
        }
    }
    for (index, transition) in stance.transitions.iter().enumerate() {
        check_transition(check.within(format!("{place}.transitions[{index}]")), transition);
    }
}

fn check_action(check: &mut Check, action: &Action) {
    check.word("clip", action.clip.as_str()).word("name", action.name.as_deref()).tags(&action.tags);
    check.once("layers", &action.layers).once("mask", &action.mask);
    check.seconds("start", action.start).seconds("end", action.end).seconds("stroke", action.stroke);
    check.blend("blendIn", action.blend_in).blend("blendOut", action.blend_out);
    check.likelihood("likelihood", action.likelihood);
}

fn check_transition(check: &mut Check, transition: &Transition) {
    check.word("to", transition.to.as_str()).word("clip", transition.clip.as_deref());
    check.word("name", transition.name.as_deref()).tags(&transition.tags).once("mask", &transition.mask);
    check.seconds("start", transition.start).seconds("end", transition.end);
    check.blend("blendIn", transition.blend_in).blend("blendOut", transition.blend_out);
    check.likelihood("likelihood", transition.likelihood);
}

#[cfg(test)]
mod tests;
