//! Repairs an avatar's document before it is written again.
//!
//! Files written by Vivant pass the Khronos validator, but not every given avatar passes it. Errors that can be
//! repaired without changing the look of the avatar are repaired here (JSON) and in
//! [`repair_data`](crate::gltf::repair_data) (numbers). Each kind of repair gives one warning.

use crate::error::{Warning, WarningCode};
use crate::gltf::build::Builder;
use crate::gltf::gather::media_type;
use crate::gltf::repair_data;
use glam::Quat;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Number of repairs of each kind.
#[derive(Default)]
pub(super) struct Repairs {
    counts: BTreeMap<(&'static str, &'static str), usize>,
}

impl Repairs {
    pub(super) fn note(&mut self, place: &'static str, what: &'static str, count: usize) {
        if count > 0 {
            *self.counts.entry((place, what)).or_default() += count;
        }
    }

    fn report(self, warnings: &mut Vec<Warning>) {
        for ((place, what), count) in self.counts {
            warnings.push(Warning::new(WarningCode::Repaired, place, format!("{count} {what}")));
        }
    }
}

/// Makes all repairs that do not change the look of the avatar.
pub(super) fn repair(to: &mut Builder, warnings: &mut Vec<Warning>) {
    let mut repairs = Repairs::default();
    repairs.note("document", "empty fields were removed", remove_empty(&mut to.json));
    repairs.note("nodes", "rotations were normalised", normalise_rotations(&mut to.json));
    repairs.note(
        "skins",
        "skeletons were not above their joints and were removed",
        remove_wrong_skeletons(&mut to.json),
    );
    repairs.note("images", "media types did not match the image", correct_media_types(to));
    repairs.note(
        "extensionsUsed",
        "extensions were undeclared or declared twice",
        declare_extensions(&mut to.json),
    );
    repair_data::repair(to, &mut repairs);
    repairs.report(warnings);
}

/// Returns the objects of one of the document's lists.
fn objects<'j>(
    json: &'j mut Map<String, Value>,
    list: &str,
) -> impl Iterator<Item = &'j mut Map<String, Value>> {
    let items = json.get_mut(list).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Removes values that glTF forbids: empty lists, `null`, and -1 as “no reference”. Extensions and extras have their
/// own rules and are not touched.
fn remove_empty(object: &mut Map<String, Value>) -> usize {
    let is_reference =
        |key: &str| matches!(key, "mesh" | "skin" | "camera" | "skeleton" | "bufferView" | "material");
    let before = object.len();
    object.retain(|key, value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Number(number) => !(is_reference(key) && number.as_f64() == Some(-1.0)),
        _ => true,
    });
    let mut removed = before - object.len();
    for (key, value) in object.iter_mut() {
        if key != "extensions" && key != "extras" {
            removed += remove_empty_below(value);
        }
    }
    removed
}

fn remove_empty_below(value: &mut Value) -> usize {
    match value {
        Value::Object(object) => remove_empty(object),
        Value::Array(items) => items.iter_mut().map(remove_empty_below).sum(),
        _ => 0,
    }
}

fn normalise_rotations(json: &mut Map<String, Value>) -> usize {
    let mut mended = 0;
    for node in objects(json, "nodes") {
        let Some(list) = node.get("rotation").and_then(Value::as_array) else { continue };
        let numbers: Vec<f32> = list.iter().filter_map(Value::as_f64).map(|x| x as f32).collect();
        let Ok(numbers) = <[f32; 4]>::try_from(numbers) else { continue };
        let rotation = Quat::from_array(numbers);
        if (rotation.length() - 1.0).abs() > 1e-4 {
            let unit = crate::gltf::nodes::unit(rotation).unwrap_or(Quat::IDENTITY);
            node.insert("rotation".into(), json!(unit.to_array()));
            mended += 1;
        }
    }
    mended
}

/// Removes a skin's `skeleton` if it is not an ancestor of all joints. The field is only a hint, so removing it is
/// safe.
fn remove_wrong_skeletons(json: &mut Map<String, Value>) -> usize {
    let mut parents = BTreeMap::new();
    for (index, node) in objects(json, "nodes").enumerate() {
        let children = node.get("children").and_then(Value::as_array).into_iter().flatten();
        parents.extend(children.filter_map(Value::as_u64).map(|child| (child, index as u64)));
    }
    // Cycles are rejected when the file is read; the limit is a safeguard.
    let up =
        |joint: u64| std::iter::successors(Some(joint), |n| parents.get(n).copied()).take(parents.len() + 1);
    let mut removed = 0;
    for skin in objects(json, "skins") {
        let Some(root) = skin.get("skeleton").and_then(Value::as_u64) else { continue };
        let joints = skin.get("joints").and_then(Value::as_array).into_iter().flatten();
        if !joints.filter_map(Value::as_u64).all(|joint| up(joint).any(|n| n == root)) {
            skin.remove("skeleton");
            removed += 1;
        }
    }
    removed
}

fn correct_media_types(to: &mut Builder) -> usize {
    let views: Vec<Value> = to.json.get("bufferViews").and_then(Value::as_array).cloned().unwrap_or_default();
    let bin = &to.bin;
    let start = |view: &Value| {
        let whole = |key: &str| view.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        (whole("buffer") == Some(0)).then(|| whole("byteOffset").unwrap_or(0))
    };
    let mut mended = 0;
    for image in objects(&mut to.json, "images") {
        let index = image.get("bufferView").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let start = index.and_then(|i| views.get(i)).and_then(start);
        let Some(kind) = start.and_then(|start| media_type(bin.get(start..)?)) else { continue };
        if image.get("mimeType").and_then(Value::as_str) != Some(kind) {
            image.insert("mimeType".into(), json!(kind));
            mended += 1;
        }
    }
    mended
}

/// Declares every used extension, once.
fn declare_extensions(json: &mut Map<String, Value>) -> usize {
    let mut used = BTreeSet::new();
    for value in json.values() {
        find_extensions(value, &mut used);
    }
    used.extend(
        json.get("extensions").and_then(Value::as_object).into_iter().flat_map(|e| e.keys().cloned()),
    );
    let names = |key: &str| -> Vec<String> {
        let list = json.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (declared, required) = (names("extensionsUsed"), names("extensionsRequired"));
    let mut all: Vec<String> = Vec::new();
    for name in declared.iter().chain(&required).chain(&used) {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    let once = declared.iter().collect::<BTreeSet<_>>().len();
    let changed = declared.len() - once + all.len() - once;
    if changed > 0 {
        json.insert("extensionsUsed".into(), json!(all));
    }
    changed
}

/// Collects the names in all `extensions` objects, except inside extensions and extras.
fn find_extensions(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| find_extensions(item, found)),
        Value::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("extensions", Value::Object(extensions)) => found.extend(extensions.keys().cloned()),
                    ("extras", _) => {}
                    _ => find_extensions(value, found),
                }
            }
        }
        _ => {}
    }
}
