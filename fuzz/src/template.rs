//! Small, complete and valid files to start from.

use serde_json::{Value, json};
use vivant::rig::Bone;

/// Returns the bones as nodes: node `i` is bone `i`, in an approximate T-pose.
fn nodes() -> Vec<Value> {
    let children = |bone: Bone| Bone::ALL.into_iter().filter(move |b| b.parent() == Some(bone));
    let place = |bone: Bone| {
        let name = bone.name();
        let side = if name.starts_with("left") { 0.1 } else { -0.1 };
        match bone {
            Bone::Hips => json!([0.0, 0.9, 0.0]),
            _ if name.ends_with("UpperLeg") => json!([side, -0.05, 0.0]),
            _ if name.ends_with("LowerLeg") || name.ends_with("Foot") => json!([0.0, -0.4, 0.0]),
            _ if name.ends_with("Toes") => json!([0.0, -0.05, 0.1]),
            _ if name.starts_with("left") || name.starts_with("right") => json!([side, 0.0, 0.0]),
            _ => json!([0.0, 0.1, 0.0]),
        }
    };
    let node = |bone: Bone| {
        let below: Vec<usize> = children(bone).map(|b| b.index()).collect();
        let mut node = json!({"name": bone.name(), "translation": place(bone)});
        if !below.is_empty() {
            node["children"] = json!(below);
        }
        node
    };
    Bone::ALL.into_iter().map(node).collect()
}

/// Returns a glTF with the bones, a skinned face with two morph targets, and an animation of three keys.
#[must_use]
pub fn gltf() -> Value {
    let mut nodes = nodes();
    let face = nodes.len();
    nodes.push(json!({"name": "Face", "mesh": 0, "skin": 0}));
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, face]}],
        "nodes": nodes,
        "meshes": [{
            "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}, {"POSITION": 0}]}],
            "extras": {"targetNames": ["blink", "aa"]},
        }],
        "skins": [{"joints": (0..face).collect::<Vec<_>>()}],
        "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
            {"componentType": 5126, "type": "SCALAR", "count": 3, "bufferView": 0, "min": [0], "max": [1]},
            {"componentType": 5126, "type": "VEC4", "count": 3, "bufferView": 1},
            {"componentType": 5126, "type": "VEC3", "count": 3, "bufferView": 2},
            {"componentType": 5126, "type": "SCALAR", "count": 6, "bufferView": 3},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 12},
            {"buffer": 0, "byteOffset": 12, "byteLength": 48},
            {"buffer": 0, "byteOffset": 60, "byteLength": 36},
            {"buffer": 0, "byteOffset": 96, "byteLength": 24},
        ],
        "buffers": [{"byteLength": 120}],
        "animations": [{
            "name": "Wave",
            "samplers": [
                {"input": 1, "output": 2, "interpolation": "LINEAR"},
                {"input": 1, "output": 3, "interpolation": "STEP"},
                {"input": 1, "output": 4},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 10, "path": "rotation"}},
                {"sampler": 0, "target": {"node": 5, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 0, "path": "translation"}},
                {"sampler": 2, "target": {"node": face, "path": "weights"}},
            ],
        }],
    })
}

/// Returns the binary chunk of [`gltf`]: three times, three rotations, three positions and six weights.
#[must_use]
pub fn binary() -> Vec<u8> {
    let times = [0.0_f32, 0.5, 1.0];
    let rotations = [0.0_f32, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8, 0.0, 1.0, 0.0, 0.0];
    let places = [0.0_f32, 0.9, 0.0, 0.1, 0.9, 0.0, 0.2, 0.9, 0.0];
    let weights = [0.0_f32, 1.0, 0.5, 0.5, 1.0, 0.0];
    let numbers = times.iter().chain(&rotations).chain(&places).chain(&weights);
    numbers.flat_map(|n| n.to_le_bytes()).collect()
}

fn human_bones() -> Value {
    let bones = Bone::ALL.into_iter().map(|b| (b.name().to_owned(), json!({"node": b.index()})));
    Value::Object(bones.collect())
}

/// Returns [`gltf`] as a VRM 1.0.
#[must_use]
pub fn vrm1() -> Value {
    let mut document = gltf();
    let bind =
        |index: usize| json!({"morphTargetBinds": [{"node": Bone::COUNT, "index": index, "weight": 1.0}]});
    document["extensionsUsed"] = json!(["VRMC_vrm"]);
    document["extensions"] = json!({"VRMC_vrm": {
        "specVersion": "1.0",
        "meta": {"name": "Seed", "authors": ["x"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": human_bones()},
        "expressions": {"preset": {"blink": bind(0), "aa": bind(1)}, "custom": {"own": bind(1)}},
        "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.1, 0],
            "rangeMapHorizontalInner": {"inputMaxValue": 90, "outputScale": 10},
            "rangeMapVerticalUp": {"inputMaxValue": 90, "outputScale": 10}},
    }});
    document
}

/// Returns [`gltf`] as a VRM 0.x.
#[must_use]
pub fn vrm0() -> Value {
    let mut document = gltf();
    // VRM 0.x names the thumb's bones from one joint further down.
    let name = |b: Bone| match b.name().split_once("Thumb") {
        Some((side, "Metacarpal")) => format!("{side}ThumbProximal"),
        Some((side, "Proximal")) => format!("{side}ThumbIntermediate"),
        _ => b.name().to_owned(),
    };
    let bone = |b: Bone| json!({"bone": name(b), "node": b.index(), "useDefaultValues": true});
    let group = |name: &str, index: usize| {
        json!({"name": name, "presetName": name, "isBinary": false,
            "binds": [{"mesh": 0, "index": index, "weight": 100}], "materialValues": []})
    };
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {
        "specVersion": "0.0", "exporterVersion": "x", "meta": {"title": "Seed"},
        "humanoid": {"humanBones": Bone::ALL.map(bone).to_vec()},
        "blendShapeMaster": {"blendShapeGroups": [group("blink", 0), group("a", 1), group("unknown", 1)]},
        "firstPerson": {"lookAtTypeName": "Bone", "firstPersonBone": 5,
            "lookAtHorizontalInner": {"xRange": 90, "yRange": 10, "curve": [0, 0, 0, 1, 1, 1, 1, 0]}},
    }});
    document
}

/// Returns [`gltf`] as a VRM animation with an expression and a gaze.
#[must_use]
pub fn vrma() -> Value {
    let mut document = gltf();
    document["nodes"][Bone::COUNT] = json!({"name": "happy"});
    for unused in ["meshes", "skins"] {
        document.as_object_mut().and_then(|d| d.remove(unused));
    }
    push(&mut document["nodes"], json!({"name": "gaze"}));
    let channels = &mut document["animations"][0]["channels"];
    channels[3] = json!({"sampler": 1, "target": {"node": Bone::COUNT, "path": "translation"}});
    push(channels, json!({"sampler": 0, "target": {"node": Bone::COUNT + 1, "path": "rotation"}}));
    document["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
    document["extensions"] = json!({"VRMC_vrm_animation": {
        "specVersion": "1.0",
        "humanoid": {"humanBones": human_bones()},
        "expressions": {"preset": {"happy": {"node": Bone::COUNT}}},
        "lookAt": {"node": Bone::COUNT + 1, "offsetFromHeadBone": [0, 0.1, 0]},
    }});
    document
}

fn push(list: &mut Value, item: Value) {
    if let Value::Array(items) = list {
        items.push(item);
    }
}
