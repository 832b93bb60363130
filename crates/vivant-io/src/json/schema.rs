//! Generates the JSON Schemas of files and messages, for editors, validators and language models.
//!
//! They are generated from the types. What Rust's types do not express (ranges, that a stop is `true`, alternative
//! spellings) is added here, so that validators agree with the readers.

mod protocol;

use crate::json::intents::wire::Intent;
use crate::limits;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use vivant::body::behaviour::Behaviour;
use vivant::body::repertoire::Repertoire;
use vivant::eyes::blink_model::{self, BlinkModel};
use vivant::eyes::texture::{self, TextureDef, ranges};

/// Names of the schemas.
pub const NAMES: [&str; 7] =
    ["intent", "repertoire", "behaviour", "blink-model", "eye-texture", "character", "protocol"];

/// Returns the schema of one of [`NAMES`], as in `docs/schema/NAME.schema.json`.
#[must_use]
pub fn of(name: &str) -> Option<Value> {
    match name {
        "intent" => Some(intent()),
        "repertoire" => Some(repertoire()),
        "behaviour" => Some(behaviour()),
        "blink-model" => Some(blink_model()),
        "eye-texture" => Some(eye_texture()),
        "character" => Some(character()),
        "protocol" => Some(protocol()),
        _ => None,
    }
}

/// Returns the text of a schema's file.
#[must_use]
pub fn text(schema: &Value) -> String {
    super::text(schema)
}

/// Schema of an intent, which is a line of a script.
#[must_use]
pub fn intent() -> Value {
    let mut schema =
        root::<Intent>("intent", "An intent: a request to a character, one object with one verb.");
    // Each verb's object rejects the other verbs, so exactly one matches.
    rename(&mut schema, "anyOf", "oneOf");
    verbs(&mut schema);
    examples(
        &mut schema,
        json!([
            { "say": "Hello, how are you?", "at": 0.5 },
            { "act": "gesture", "hand": "R", "tags": ["positive"] },
            { "act": "gesture", "clip": "wave", "at": 2, "priority": 1 },
            { "stance": "sitting" },
            { "be": "listening" },
            { "look": [0, 1.6, 2] },
            { "blink": true },
            { "stop": true, "within": 0.3 },
        ]),
    )
}

/// Adds to the schema what the types do not express: the restrictions and alternatives of the readers of intents.
fn verbs(schema: &mut Value) {
    for (verb, fields) in super::intents::FIELDS {
        let named = DEFINITIONS.iter().find(|(name, _)| *name == verb);
        let place = named.map(|(_, definition)| format!("/$defs/{definition}/properties"));
        let properties = place.and_then(|place| schema.pointer_mut(&place)).and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(|all| all.iter_mut()) {
            if fields.contains(&property.0.as_str()) {
                or_null(property.1);
            }
        }
    }
    let times = || json!({ "maxItems": limits::MAX_SAID_TIMES });
    for (place, patch) in [
        ("/$defs/Blink/properties/blink", json!({ "const": true })),
        ("/$defs/Stop/properties/stop", json!({ "const": true })),
        ("/$defs/Do/properties/do", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/Say/properties/say", json!({ "maxLength": limits::MAX_SAID_BYTES })),
        ("/$defs/Say/properties/line", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/Say/properties/words", times()),
        ("/$defs/Say/properties/phones", times()),
        ("/$defs/Say/properties/visemes", times()),
        ("/$defs/SaidWord/properties/word", json!({ "maxLength": limits::MAX_WORD_BYTES })),
        ("/$defs/SaidPhone/properties/phone", json!({ "maxLength": limits::MAX_WORD_BYTES })),
        ("/$defs/SaidViseme/properties/viseme", json!({ "maxLength": limits::MAX_WORD_BYTES })),
        ("/$defs/Pcm/properties/rate", range(8000.0, 192_000.0)),
        ("/$defs/Pcm/properties/data", json!({ "maxLength": limits::MAX_PCM_BYTES })),
        ("/$defs/Be/properties/intensity", range(0.0, 1.0)),
        ("/$defs/Be/properties/mood", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/LookTarget/anyOf/0/items", range(-limits::MAX_METRES, limits::MAX_METRES)),
    ] {
        patch_at(schema, place, patch);
    }
}

/// The verbs and the names of their definitions in the schema.
const DEFINITIONS: [(&str, &str); 8] = [
    ("say", "Say"),
    ("act", "Act"),
    ("stance", "ToStance"),
    ("be", "Be"),
    ("look", "LookAt"),
    ("blink", "Blink"),
    ("do", "Do"),
    ("stop", "Stop"),
];

/// Schema of `repertoire.json`.
#[must_use]
pub fn repertoire() -> Value {
    let mut schema = root::<Repertoire>(
        "repertoire",
        "The repertoire of a character: its stances, and the actions in each.",
    );
    patch_at(&mut schema, "/properties/stances", json!({ "maxItems": limits::MAX_STANCES }));
    examples(
        &mut schema,
        json!([{ "version": 1, "stances": [{
            "name": "standing", "clip": "clips/stand.fbx",
            "gestures": [{ "clip": "clips/wave.fbx", "hand": "R", "layers": ["arms"], "tags": ["positive"] }],
            "fidgets": [{ "clip": "all.glb#Scratch", "end": 2.5, "likelihood": 0.5 }],
            "transitions": [{ "to": "sitting", "clip": "clips/sit_down.fbx" }],
        }] }]),
    )
}

/// Schema of `behaviour.json`.
#[must_use]
pub fn behaviour() -> Value {
    let mut schema =
        root::<Behaviour>("behaviour", "Idle behaviour of a character: one Markov model per body part.");
    let list = |most: usize| json!({ "maxItems": most });
    for (place, patch) in [
        ("/properties/origin", nonempty_text(limits::MAX_SAID_BYTES)),
        ("/$defs/Chain/properties/states", list(limits::MAX_STATES)),
        ("/$defs/Chain/properties/start", list(limits::MAX_STATES)),
        ("/$defs/Chain/properties/matrix", list(limits::MAX_STATES)),
        ("/$defs/Chain/properties/matrix/items", list(limits::MAX_STATES)),
        ("/$defs/Chain/properties/start/items", range(0.0, limits::MAX_LIKELIHOOD)),
        ("/$defs/Chain/properties/matrix/items/items", range(0.0, limits::MAX_LIKELIHOOD)),
        ("/$defs/Spread", list(limits::MAX_QUANTILES)),
        ("/$defs/Spread/items", range(0.0, limits::MAX_SECONDS)),
    ] {
        patch_at(&mut schema, place, patch);
    }
    examples(
        &mut schema,
        json!([{ "version": 1, "origin": "an example", "always": { "arms": {
            "states": [{ "name": "RG", "kind": "gesture", "hand": "R", "duration": [1, 2.5], "gap": [0, 4] }],
            "start": [1], "matrix": [[1]],
        } } }]),
    )
}

/// Schema of `blinks.model.json`.
#[must_use]
pub fn blink_model() -> Value {
    const MOST: f64 = blink_model::MAX_NUMBER;
    let mut schema =
        root::<BlinkModel>("blink-model", "A blink model: a mean blink and its principal components.");
    let profile = || json!({ "maxItems": blink_model::MAX_SAMPLES, "items": samples() });
    let time = || json!({ "exclusiveMinimum": 0, "maximum": blink_model::MAX_SECS });
    for (place, patch) in [
        ("/properties/origin", nonempty_text(limits::MAX_SAID_BYTES)),
        ("/properties/blinks", range(0.0, f64::from(u32::MAX))),
        ("/properties/mean", profile()),
        ("/properties/components", json!({ "minItems": 1, "maxItems": blink_model::MAX_COMPONENTS })),
        ("/properties/exemplars", json!({ "maxItems": blink_model::MAX_EXEMPLARS })),
        ("/$defs/BlinkPhase/properties/meanSecs", time()),
        ("/$defs/BlinkPhase/properties/sdSecs", range(0.0, blink_model::MAX_SECS)),
        ("/$defs/BlinkPhase/properties/samples", range(2.0, blink_model::MAX_SAMPLES as f64)),
        ("/$defs/Component/properties/sd", range(0.0, MOST)),
        ("/$defs/Component/properties/share", range(0.0, 1.0)),
        ("/$defs/Component/properties/profile", profile()),
        ("/$defs/Component/properties/closing", range(-MOST, MOST)),
        ("/$defs/Component/properties/opening", range(-MOST, MOST)),
        ("/$defs/Exemplar/properties/closingSecs", time()),
        ("/$defs/Exemplar/properties/openingSecs", time()),
        ("/$defs/Exemplar/properties/profile", profile()),
    ] {
        patch_at(&mut schema, place, patch);
    }
    examples(
        &mut schema,
        json!([{
            "version": 1, "origin": "an example", "blinks": 49, "closure": "full",
            "closing": { "meanSecs": 0.1, "sdSecs": 0.02, "samples": 3 },
            "opening": { "meanSecs": 0.2, "sdSecs": 0.05, "samples": 3 },
            "mean": [1, 0.7, 0.1, 0.6, 0.95],
            "components": [{ "sd": 1.2, "share": 0.8, "profile": [0, 0.1, 0.2, 0.1, 0], "closing": 0.7, "opening": 0.67 }],
        }]),
    )
}

/// Schema of `eyes.texture`.
#[must_use]
pub fn eye_texture() -> Value {
    let mut schema =
        root::<TextureDef>("eye-texture", "An eye texture: recorded gaze and blinks for texture synthesis.");
    for (place, patch) in [
        ("/properties/origin", nonempty_text(limits::MAX_SAID_BYTES)),
        ("/properties/rateHz", within(&ranges::RATE_HZ)),
        ("/properties/patchSecs", within(&ranges::PATCH_SECS)),
        ("/properties/boundarySecs", json!({ "exclusiveMinimum": 0, "maximum": ranges::PATCH_SECS.end() })),
        ("/properties/longestRunSecs", within(&ranges::RUN_SECS)),
        ("/properties/corpora", json!({ "minItems": 1, "maxItems": texture::MAX_CORPORA })),
        ("/$defs/Tolerance/properties/epsilon", within(&ranges::EPSILON)),
        ("/$defs/Tolerance/properties/floor", within(&ranges::FLOOR)),
        ("/$defs/Corpus/properties/name", nonempty_text(limits::MAX_WORD_BYTES)),
        ("/$defs/Corpus/properties/openLevel", within(&ranges::OPEN_LEVEL)),
        ("/$defs/Corpus/properties/openPerDeg", within(&ranges::PER_DEG)),
        ("/$defs/Corpus/properties/runs", json!({ "minItems": 1 })),
        ("/$defs/Run/properties/openness", frames(&ranges::OPENNESS)),
        ("/$defs/Run/properties/yawDeg", frames(&ranges::ANGLE_DEG)),
        ("/$defs/Run/properties/pitchDeg", frames(&ranges::ANGLE_DEG)),
        ("/$defs/Run/properties/blinks/items", range(0.0, texture::MAX_FRAMES as f64)),
    ] {
        patch_at(&mut schema, place, patch);
    }
    examples(
        &mut schema,
        json!([{
            "version": 1, "origin": "an example", "rateHz": 10, "patchSecs": 0.5, "boundarySecs": 0.1,
            "tolerance": { "form": "liang", "epsilon": 0.2, "floor": 0 }, "longestRunSecs": 4,
            "corpora": [{ "name": "calm", "openLevel": 0.9, "openPerDeg": 0.01, "runs": [{
                "openness": [0.9, 0.9, 0.2, 0.8, 0.9, 0.9], "yawDeg": [0, 0, 0, 12, 12, 12],
                "pitchDeg": [0, 0, 0, -3, -3, -3], "blinks": [2],
            }] }],
        }]),
    )
}

/// Schema of the numbers of a channel, one per frame.
fn frames(may_be: &RangeInclusive<f32>) -> Value {
    let mut number = range(f64::from(*may_be.start()), f64::from(*may_be.end()));
    merge(&mut number, json!({ "type": "number" }));
    json!({ "maxItems": texture::MAX_FRAMES, "items": number })
}

fn within(may_be: &RangeInclusive<f64>) -> Value {
    range(*may_be.start(), *may_be.end())
}

/// Schema of the numbers of a profile.
fn samples() -> Value {
    let mut number = range(-blink_model::MAX_NUMBER, blink_model::MAX_NUMBER);
    merge(&mut number, json!({ "type": "number" }));
    number
}

/// Schema of `character.toml`, converted to JSON as TOML editors do.
#[must_use]
pub fn character() -> Value {
    let mut schema =
        root::<crate::character::Manifest>("character", "The files and the temperament of a character.");
    temperament(&mut schema);
    without_null(&mut schema);
    examples(
        &mut schema,
        json!([{ "version": 1, "avatar": "me.vrm", "temperament": { "liveliness": 0.8, "blinks": "natural" } }]),
    )
}

/// Adds the ranges of a temperament.
fn temperament(schema: &mut Value) {
    for (field, least, most) in crate::character::RANGES {
        patch_at(schema, &format!("/$defs/Temperament/properties/{field}"), range(least, most));
    }
    patch_at(schema, "/$defs/Temperament/properties/restingAperture/items", range(0.0, 1.3));
}

/// Schema of everything that the server and its clients send.
#[must_use]
pub fn protocol() -> Value {
    protocol::protocol()
}

/// Generates the schema of a type, with a heading and with ranges by field names.
fn root<T: JsonSchema>(name: &str, description: &str) -> Value {
    let generator: SchemaGenerator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = Value::from(generator.into_root_schema_for::<T>());
    refine(&mut schema);
    let heading = json!({
        "$id": format!("{name}.schema.json"),
        "title": format!("Vivant {name}"),
        "description": description,
    });
    merge(&mut schema, heading);
    schema
}

/// Adds ranges by field names, and alternative spellings of enum values, everywhere.
fn refine(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(refine),
        Value::Object(map) => {
            // `int32` and `double` are not formats of JSON Schema.
            map.retain(|key, value| !(key == "format" && value.is_string()));
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            add_spellings(map);
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for (name, property) in properties.iter_mut() {
                    if let Some(patch) = rule(name, property) {
                        merge(property, patch);
                    }
                }
            }
            map.values_mut().for_each(refine);
        }
        _ => {}
    }
}

/// Returns the restrictions implied by a field's name.
fn rule(name: &str, property: &Value) -> Option<Value> {
    let is = |kind: &str| match &property["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|one| one == kind),
        _ => false,
    };
    Some(match name {
        "version" => json!({ "const": 1 }),
        "at" | "strokeAt" if is("number") => range(0.0, limits::MAX_AT_SECONDS),
        "duration" | "within" | "start" | "end" | "stroke" if is("number") => range(0.0, limits::MAX_SECONDS),
        "blendIn" | "blendOut" => range(0.0, limits::MAX_BLEND_SECONDS),
        "likelihood" => range(0.0, limits::MAX_LIKELIHOOD),
        "priority" => json!({ "minimum": -limits::MAX_PRIORITY, "maximum": limits::MAX_PRIORITY }),
        "layers" | "mask" => json!({ "uniqueItems": true }),
        "tags" => {
            let mut items = nonempty_text(limits::MAX_WORD_BYTES);
            merge(&mut items, json!({ "type": "string" }));
            json!({ "maxItems": limits::MAX_TAGS, "items": items })
        }
        "name" | "clip" | "stance" | "to" | "avatar" | "repertoire" | "behaviour" if is("string") => {
            nonempty_text(limits::MAX_WORD_BYTES)
        }
        _ => return None,
    })
}

/// Enum values that have an alternative spelling, and that spelling.
const SPELLINGS: [(&str, &str); 9] = [
    ("L", "left"),
    ("R", "right"),
    ("LR", "both"),
    ("transition", "stance"),
    ("none", "nb"),
    ("regular", "ru"),
    ("gaze-evoked", "ge"),
    ("probabilistic-gaze-evoked", "pge"),
    ("regular-probabilistic", "r+pge"),
];

fn add_spellings(map: &mut Map<String, Value>) {
    let Some(Value::Array(words)) = map.get_mut("oneOf") else { return };
    let other = |word: &Value| {
        let (_, other) = SPELLINGS.iter().find(|(written, _)| word["const"] == *written)?;
        let description = format!("Alternative spelling of `{}`.", word["const"].as_str()?);
        Some(json!({ "const": other, "description": description, "type": "string" }))
    };
    let others: Vec<Value> = words.iter().filter_map(other).collect();
    words.extend(others);
}

fn range(least: f64, most: f64) -> Value {
    json!({ "minimum": number(least), "maximum": number(most) })
}

/// Converts a number to JSON: whole numbers without a decimal point, such as 60 instead of 60.0.
fn number(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

/// Schema of a non-empty text. JSON Schema counts characters, the readers count bytes.
fn nonempty_text(most_bytes: usize) -> Value {
    json!({ "pattern": "\\S", "maxLength": most_bytes })
}

fn or_null(property: &mut Value) {
    if let Some(kind @ Value::String(_)) = property.get_mut("type") {
        *kind = json!([kind.take(), "null"]);
    }
}

/// Removes null, which TOML does not have.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Array(all) => {
            all.retain(|one| *one != json!("null"));
            all.iter_mut().for_each(without_null);
        }
        Value::Object(map) => {
            map.retain(|key, value| !(key == "default" && value.is_null()));
            map.values_mut().for_each(without_null);
        }
        _ => {}
    }
}

fn rename(schema: &mut Value, from: &str, to: &str) {
    let moved = schema.as_object_mut().and_then(|map| Some((map.remove(from)?, map)));
    if let Some((value, map)) = moved {
        map.insert(to.to_owned(), value);
    }
}

fn examples(schema: &mut Value, all: Value) -> Value {
    merge(schema, json!({ "examples": all }));
    schema.take()
}

/// Merges `patch` into the schema at the JSON pointer `place`. A missing place is ignored, but then a test of the
/// published schemas fails.
fn patch_at(schema: &mut Value, place: &str, patch: Value) {
    if let Some(found) = schema.pointer_mut(place) {
        merge(found, patch);
    }
}

fn merge(schema: &mut Value, patch: Value) {
    if let (Value::Object(map), Value::Object(patch)) = (schema, patch) {
        map.extend(patch);
    }
}

#[cfg(test)]
mod tests;
