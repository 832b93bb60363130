//! Schema of all protocol messages. A message is an object with one key, which is the type of the message.
//!
//! The Rust types give the structure of the messages, but not the ranges that the readers check. [`protocol`] returns
//! the generated schema with these rules added, and with examples. Limits apply only to what clients send: they are
//! removed from messages of the server. The paths of the definitions are fixed texts and must be kept in step with the
//! names of the types.

use super::{DEFINITIONS, examples, merge, nonempty_text, patch_at, range, rename, root, temperament, verbs};
use crate::json::protocol::{MAX_NAME, MAX_NAMED, Protocol};
use crate::json::sighting;
use crate::limits;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Types that clients send.
const WRITTEN: [&str; 4] = ["Request", "NewCharacter", "Edit", "Place"];
/// The largest integer that JavaScript represents exactly.
const MAX_ID: u64 = (1 << 53) - 1;

pub(super) fn protocol() -> Value {
    let mut schema = root::<Protocol>("protocol", "Messages between the live server and its clients.");
    verbs(&mut schema);
    temperament(&mut schema);
    ranges(&mut schema);
    addressed(&mut schema);
    remove_limits_of_responses(&mut schema);
    require_one_key(&mut schema);
    examples(&mut schema, example_messages())
}

fn example_messages() -> Value {
    json!([
        { "request": { "say": "Hello!", "performer": "eve", "id": 7 } },
        { "request": { "watch": { "performers": ["main", "eve"], "frames": "json", "fps": 30, "plan": true } } },
        { "request": { "cast": { "performer": "eve", "seed": 5, "temperament": { "blinks": "none" } } } },
        { "request": { "attend": [0, 1.6, 1] } },
        { "request": { "follow": null } },
        { "request": { "mimic": { "amount": 0.5, "delay": 2 } } },
        { "request": { "see": { "time": 1.5, "people": 0 } } },
        { "message": { "done": { "id": 7, "intents": [12] } } },
        { "message": { "error": { "id": 8, "message": "look: a point is three numbers" } } },
    ])
}

fn ranges(schema: &mut Value) {
    let metres = || range(-limits::MAX_METRES, limits::MAX_METRES);
    for (place, patch) in [
        ("/$defs/Performers/anyOf/0", performer_name()),
        ("/$defs/Performers/anyOf/1", list(performer_name())),
        ("/$defs/Casts/anyOf/1", json!({ "minItems": 1, "maxItems": MAX_NAMED })),
        ("/$defs/Cast/properties/performer", performer_name()),
        ("/$defs/Cast/properties/character", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/Cast/properties/seed", json!({ "maximum": u64::MAX })),
        ("/$defs/Watch/properties/performers", list(performer_name())),
        ("/$defs/Watch/properties/fps", range(0.1, 1000.0)),
        ("/$defs/AddressedToAttendRequest/properties/attend/items", metres()),
        ("/$defs/AddressedToFollowRequest/properties/follow/items", metres()),
        ("/$defs/AddressedToMimicRequest", json!({ "required": ["mimic"] })),
        ("/$defs/Manner/properties/amount", range(0.0, 1.0)),
        ("/$defs/Manner/properties/delay", range(0.0, 60.0)),
        ("/$defs/Sighting/properties/time", range(0.0, limits::MAX_AT_SECONDS)),
        ("/$defs/Sighting/properties/people", range(0.0, f64::from(sighting::MAX_PEOPLE))),
        ("/$defs/Sighting/properties/size/items", range(1.0, sighting::MAX_PIXELS)),
        ("/$defs/Sighting/properties/pose", landmarks(&[sighting::POSE_POINTS], 4)),
        ("/$defs/Sighting/properties/world", landmarks(&[sighting::POSE_POINTS], 4)),
        ("/$defs/Sighting/properties/face", landmarks(&sighting::FACE_POINTS, 3)),
        ("/$defs/Sighting/properties/leftHand", landmarks(&[sighting::HAND_POINTS], 3)),
        ("/$defs/Sighting/properties/rightHand", landmarks(&[sighting::HAND_POINTS], 3)),
        // Null is a value here and does not mean omitted.
        ("/$defs/AddressedToFollowRequest", json!({ "required": ["follow"] })),
        ("/$defs/NewCharacter/properties/name", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/Edit/properties/revision", json!({ "maximum": MAX_ID })),
        ("/$defs/Place/properties/revision", json!({ "maximum": MAX_ID })),
    ] {
        patch_at(schema, place, patch);
    }
}

/// Schema of landmarks: allowed numbers of points and coordinates.
fn landmarks(counts: &[usize], numbers: usize) -> Value {
    let number = json!({ "type": "number", "minimum": -sighting::MAX_COORDINATE, "maximum": sighting::MAX_COORDINATE });
    let point = json!({ "type": "array", "items": number, "minItems": numbers, "maxItems": numbers });
    json!({ "minItems": counts.iter().min(), "maxItems": counts.iter().max(), "items": point })
}

/// Schema of a performer's name.
fn performer_name() -> Value {
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9_-][A-Za-z0-9_.-]{{0,{}}}$", MAX_NAME - 1) })
}

fn list(items: Value) -> Value {
    json!({ "items": items, "minItems": 1, "maxItems": MAX_NAMED })
}

/// Adds the optional id and performer to every verb, and forbids other fields.
fn addressed(schema: &mut Value) {
    let beside = json!({
        "id": { "description": "Returned in the answer.", "type": ["integer", "null"], "minimum": 0, "maximum": MAX_ID },
        "performer": {
            "description": "Names of the performers. Default: `main`.",
            "anyOf": [{ "$ref": "#/$defs/Performers" }, { "type": "null" }],
        },
    });
    for (_, definition) in DEFINITIONS {
        patch_at(schema, &format!("/$defs/{definition}/properties"), beside.clone());
    }
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
    for (name, definition) in definitions.iter_mut().filter(|(name, _)| name.starts_with("AddressedTo")) {
        if name == "AddressedToIntent" {
            intent(definition);
        } else {
            merge(definition, json!({ "additionalProperties": false }));
            patch_at(definition, "/properties", beside.clone());
        }
    }
}

/// Replaces `anyOf` by `oneOf`, because each verb's object rejects the other verbs. Other keywords are removed,
/// because each verb's object is complete.
fn intent(definition: &mut Value) {
    rename(definition, "anyOf", "oneOf");
    if let Value::Object(map) = definition {
        map.retain(|key, _| matches!(key.as_str(), "oneOf" | "description"));
    }
}

/// Removes limits from messages of the server, because limits apply only to messages of clients.
fn remove_limits_of_responses(schema: &mut Value) {
    let written = written(schema);
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
    definitions
        .iter_mut()
        .filter(|(name, _)| !written.contains(*name))
        .for_each(|(_, definition)| remove_limits(definition));
}

/// Returns the definitions that clients' messages use.
pub(super) fn written(schema: &Value) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    WRITTEN.iter().for_each(|name| reach(schema, name, &mut reached));
    reached
}

fn reach(schema: &Value, name: &str, reached: &mut BTreeSet<String>) {
    if reached.insert(name.to_owned()) {
        let mut names = Vec::new();
        references(&schema["$defs"][name], &mut names);
        names.iter().for_each(|name| reach(schema, name, reached));
    }
}

fn references(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| references(one, names)),
        Value::Object(map) => {
            let name = map.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"));
            names.extend(name.map(str::to_owned));
            map.values().for_each(|one| references(one, names));
        }
        _ => {}
    }
}

fn remove_limits(definition: &mut Value) {
    match definition {
        Value::Array(all) => all.iter_mut().for_each(remove_limits),
        Value::Object(map) => {
            map.retain(|key, value| !is_limit(key, value));
            map.values_mut().for_each(remove_limits);
        }
        _ => {}
    }
}

fn is_limit(key: &str, value: &Value) -> bool {
    matches!(key, "minimum" | "maximum") && value.is_number()
        || matches!(key, "pattern" | "maxLength") && !value.is_object()
}

/// Requires exactly one key.
fn require_one_key(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.remove("required");
    }
    merge(schema, json!({ "additionalProperties": false, "minProperties": 1, "maxProperties": 1 }));
}
