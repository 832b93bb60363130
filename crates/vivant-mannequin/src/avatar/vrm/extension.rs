//! The VRM 1.0 extension of the avatar: licence, bones, look-at and expressions.
//! <https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm-1.0>

use super::geometry::Targets;
use super::node_of;
use super::recipes::PRESETS;
use crate::rig::NAME;
use serde_json::{Map, Value, json};
use vivant::rig::{Bone, RangeMap, Rig};

/// The nodes of the two meshes, and the morph targets of the face.
pub(super) struct Meshes<'a> {
    pub(super) face: Option<(usize, &'a Targets)>,
    pub(super) body: Option<usize>,
}

pub(super) fn vrm(rig: &Rig, meshes: &Meshes<'_>) -> Value {
    let bones: Map<String, Value> = Bone::ALL
        .map(|bone| (bone.name().to_owned(), json!({ "node": node_of(bone) })))
        .into_iter()
        .collect();
    json!({
        "specVersion": "1.0",
        "meta": meta(),
        "humanoid": { "humanBones": bones },
        "firstPerson": { "meshAnnotations": annotations(meshes) },
        "lookAt": look_at(rig),
        "expressions": { "preset": presets(meshes), "custom": customs(meshes) },
    })
}

/// Returns the metadata. The licence permits nearly everything, like the licence of the code.
fn meta() -> Value {
    json!({
        "name": NAME,
        "version": env!("CARGO_PKG_VERSION"),
        "authors": ["Vivant contributors"],
        "licenseUrl": "https://vrm.dev/licenses/1.0/",
        "avatarPermission": "everyone",
        "allowExcessivelyViolentUsage": true,
        "allowExcessivelySexualUsage": false,
        "commercialUsage": "corporation",
        "allowPoliticalOrReligiousUsage": true,
        "allowAntisocialOrHateUsage": false,
        "creditNotation": "unnecessary",
        "allowRedistribution": true,
        "modification": "allowModificationRedistribution",
    })
}

/// Returns the annotations that hide the face and the inside of the hair in first-person views.
fn annotations(meshes: &Meshes<'_>) -> Vec<Value> {
    let face = meshes.face.map(|(node, _)| json!({ "node": node, "type": "thirdPersonOnly" }));
    let body = meshes.body.map(|node| json!({ "node": node, "type": "auto" }));
    face.into_iter().chain(body).collect()
}

fn look_at(rig: &Rig) -> Value {
    let look_at = rig.look_at();
    let map =
        |map: RangeMap| json!({ "inputMaxValue": map.input_max_degrees, "outputScale": map.output_scale });
    json!({
        "type": "bone",
        "offsetFromHeadBone": look_at.offset_from_head.to_array(),
        "rangeMapHorizontalInner": map(look_at.inner),
        "rangeMapHorizontalOuter": map(look_at.outer),
        "rangeMapVerticalDown": map(look_at.down),
        "rangeMapVerticalUp": map(look_at.up),
    })
}

fn presets(meshes: &Meshes<'_>) -> Map<String, Value> {
    PRESETS.into_iter().map(|(name, recipe)| (name.to_owned(), expression(meshes, recipe))).collect()
}

/// Returns custom expressions: one for every morph target, with the same name.
fn customs(meshes: &Meshes<'_>) -> Map<String, Value> {
    let names = meshes.face.map_or(&[][..], |(_, targets)| targets.names());
    names.iter().map(|name| ((*name).to_owned(), expression(meshes, &[(*name, 1.0)]))).collect()
}

fn expression(meshes: &Meshes<'_>, recipe: &[(&'static str, f32)]) -> Value {
    let bind = |(name, weight): &(&'static str, f32)| {
        let (node, targets) = meshes.face?;
        // The weight is rounded for readability. An f32 would be written as 0.800000011920929.
        let weight = f64::from((weight * 100.0).round()) / 100.0;
        Some(json!({ "node": node, "index": targets.index(name)?, "weight": weight }))
    };
    let binds: Vec<Value> = recipe.iter().filter_map(bind).collect();
    let mut expression = json!({
        "isBinary": false, "overrideBlink": "none", "overrideLookAt": "none", "overrideMouth": "none",
    });
    if !binds.is_empty() {
        expression["morphTargetBinds"] = json!(binds);
    }
    expression
}
