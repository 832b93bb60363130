//! The schema of all that goes over the wire: one object with one key, which says what it is.

use super::{DEFINITIONS, examples, merge, patch_at, range, rename, root, said, temperament, verbs};
use crate::json::protocol::{MAX_NAME, MAX_NAMED, Protocol};
use crate::json::sighting;
use crate::limits;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a client may write.
const WRITTEN: [&str; 4] = ["Request", "NewCharacter", "Edit", "Place"];
/// The largest whole number that a browser holds exactly.
const MAX_ID: u64 = (1 << 53) - 1;

pub(super) fn protocol() -> Value {
    let mut schema = root::<Protocol>("protocol", "What the live server and its clients say to each other.");
    verbs(&mut schema);
    temperament(&mut schema);
    ranges(&mut schema);
    addressed(&mut schema);
    free_what_is_told(&mut schema);
    name_one(&mut schema);
    examples(&mut schema, shown())
}

fn shown() -> Value {
    json!([
        { "request": { "say": "Hello!", "performer": "eve", "id": 7 } },
        { "request": { "watch": { "performers": ["main", "eve"], "frames": "json", "fps": 30, "plan": true } } },
        { "request": { "cast": { "performer": "eve", "seed": 5, "temperament": { "blinks": "none" } } } },
        { "request": { "attend": [0, 1.6, 1] } },
        { "request": { "follow": null } },
        { "request": { "mimic": { "amount": 0.5, "delay": 2 } } },
        { "request": { "see": { "time": 1.5, "people": 0 } } },
        { "message": { "done": { "id": 7, "wish": [12] } } },
        { "message": { "error": { "id": 8, "message": "look: a point is three numbers" } } },
    ])
}

fn ranges(schema: &mut Value) {
    let metres = || range(-limits::MAX_METRES, limits::MAX_METRES);
    for (place, patch) in [
        ("/$defs/Performers/anyOf/0", named()),
        ("/$defs/Performers/anyOf/1", list(named())),
        ("/$defs/Casts/anyOf/1", json!({ "minItems": 1, "maxItems": MAX_NAMED })),
        ("/$defs/Cast/properties/performer", named()),
        ("/$defs/Cast/properties/character", said(limits::MAX_WORD_BYTES)),
        ("/$defs/Cast/properties/seed", json!({ "maximum": u64::MAX })),
        ("/$defs/Watch/properties/performers", list(named())),
        ("/$defs/Watch/properties/fps", range(0.1, 1000.0)),
        ("/$defs/AddressedToAttendRequest/properties/attend/items", metres()),
        ("/$defs/AddressedToFollowRequest/properties/follow/items", metres()),
        ("/$defs/AddressedToMimicRequest", json!({ "required": ["mimic"] })),
        ("/$defs/Manner/properties/amount", range(0.0, 1.0)),
        ("/$defs/Manner/properties/delay", range(0.0, 60.0)),
        ("/$defs/Sighting/properties/time", range(0.0, limits::MAX_AT_SECONDS)),
        ("/$defs/Sighting/properties/people", range(0.0, f64::from(sighting::MOST_PEOPLE))),
        ("/$defs/Sighting/properties/size/items", range(1.0, sighting::MOST_PIXELS)),
        ("/$defs/Sighting/properties/pose", landmarks(&[sighting::POSE_POINTS], 4)),
        ("/$defs/Sighting/properties/world", landmarks(&[sighting::POSE_POINTS], 4)),
        ("/$defs/Sighting/properties/face", landmarks(&sighting::FACE_POINTS, 3)),
        ("/$defs/Sighting/properties/leftHand", landmarks(&[sighting::HAND_POINTS], 3)),
        ("/$defs/Sighting/properties/rightHand", landmarks(&[sighting::HAND_POINTS], 3)),
        // A null is a value here, and stands for nothing else.
        ("/$defs/AddressedToFollowRequest", json!({ "required": ["follow"] })),
        ("/$defs/NewCharacter/properties/name", said(limits::MAX_WORD_BYTES)),
        ("/$defs/Edit/properties/revision", json!({ "maximum": MAX_ID })),
        ("/$defs/Place/properties/revision", json!({ "maximum": MAX_ID })),
    ] {
        patch_at(schema, place, patch);
    }
}

/// As many points as there may be, each within what a camera sees.
fn landmarks(counts: &[usize], numbers: usize) -> Value {
    let number = json!({ "type": "number", "minimum": -sighting::MOST, "maximum": sighting::MOST });
    let point = json!({ "type": "array", "items": number, "minItems": numbers, "maxItems": numbers });
    json!({ "minItems": counts.iter().min(), "maxItems": counts.iter().max(), "items": point })
}

/// A performer's name.
fn named() -> Value {
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9_-][A-Za-z0-9_.-]{{0,{}}}$", MAX_NAME - 1) })
}

fn list(items: Value) -> Value {
    json!({ "items": items, "minItems": 1, "maxItems": MAX_NAMED })
}

/// Beside every verb there may be an id and a performer, and nothing else.
fn addressed(schema: &mut Value) {
    let beside = json!({
        "id": { "description": "Given back in the answer.", "type": ["integer", "null"], "minimum": 0, "maximum": MAX_ID },
        "performer": {
            "description": "Whom it is for; by default `main`.",
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

/// Each verb's object refuses the other verbs, so it is exactly one, and says all by itself.
fn intent(definition: &mut Value) {
    rename(definition, "anyOf", "oneOf");
    if let Value::Object(map) = definition {
        map.retain(|key, _| matches!(key.as_str(), "oneOf" | "description"));
    }
}

/// What the server tells is as it is: limits are for what is written.
fn free_what_is_told(schema: &mut Value) {
    let written = written(schema);
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
    definitions.iter_mut().filter(|(name, _)| !written.contains(*name)).for_each(|(_, told)| free(told));
}

/// The definitions that clients' own words are made of.
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

fn free(told: &mut Value) {
    match told {
        Value::Array(all) => all.iter_mut().for_each(free),
        Value::Object(map) => {
            map.retain(|key, value| !is_limit(key, value));
            map.values_mut().for_each(free);
        }
        _ => {}
    }
}

fn is_limit(key: &str, value: &Value) -> bool {
    matches!(key, "minimum" | "maximum") && value.is_number()
        || matches!(key, "pattern" | "maxLength") && !value.is_object()
}

/// What goes over the wire is one of these.
fn name_one(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.remove("required");
    }
    merge(schema, json!({ "additionalProperties": false, "minProperties": 1, "maxProperties": 1 }));
}
