//! Tests of repairs to an avatar's file.

use super::{floats, no_files};
use crate::gltf::build::Builder;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A skinned triangle with every kind of error that is repaired.
fn faulty() -> Builder {
    let mut bin = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, f32::NAN, 1.0, 0.0]); // positions
    bin.extend(floats(&[0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])); // normals
    bin.extend(floats(&[1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.3, 0.4, 0.0])); // weights
    bin.extend([0, 1, 0, 0].repeat(3)); // joints
    let mut matrix = glam::Mat4::IDENTITY.to_cols_array();
    matrix[11] = 1e-6;
    bin.extend(floats(&[matrix, matrix].concat()));
    bin.push(0); // and indices on an odd byte
    bin.extend([0_u16, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    bin.extend(b"\x89PNG\r\n\x1a\n");
    let json = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1] }],
        "cameras": [], "extensionsUsed": ["B", "B"],
        "buffers": [{ "byteLength": bin.len() }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 72 },
            { "buffer": 0, "byteOffset": 72, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 120, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 132, "byteLength": 128 },
            { "buffer": 0, "byteOffset": 261, "byteLength": 6 },
            { "buffer": 0, "byteOffset": 267, "byteLength": 8 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [9, 1, 0] },
            { "bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4" },
            { "bufferView": 3, "componentType": 5126, "count": 2, "type": "MAT4" },
            { "bufferView": 4, "componentType": 5123, "count": 3, "type": "SCALAR" },
        ],
        "images": [{ "bufferView": 5, "mimeType": "image/jpeg" }],
        "materials": [{ "extensions": { "KHR_materials_unlit": {} } }],
        "meshes": [{ "primitives": [{ "indices": 5, "material": 0, "attributes": {
            "POSITION": 0, "NORMAL": 1, "WEIGHTS_0": 2, "JOINTS_0": 3,
        } }] }],
        "nodes": [{ "children": [2], "rotation": [0, 0, 0, 2] }, { "mesh": 0, "skin": 0, "camera": -1 }, { "children": [] }],
        "skins": [{ "joints": [0, 2], "inverseBindMatrices": 4, "skeleton": 2 }],
    });
    let Value::Object(json) = json else { panic!("not an object") };
    Builder { json, bin }
}

#[test]
fn invalid_content_is_repaired() {
    let (mut to, mut warnings) = (faulty(), Vec::new());
    crate::gltf::repair::repair(&mut to, &mut warnings);
    let all: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    for expected in [
        "document: 3 empty fields",
        "nodes: 1 rotations",
        "skins: 1 skeletons",
        "skins: 2 bind matrices",
        "images: 1 media types",
        "extensionsUsed:",
        "accessors: 1 accessors were not aligned",
        "bufferViews: 1 buffer views",
        "accessors: 1 non-finite numbers",
        "meshes: 2 normals",
        "meshes: 3 vertices had skin weights",
        "accessors: 1 accessors had wrong or missing bounds",
    ] {
        assert!(all.iter().any(|w| w.starts_with(expected)), "{expected}: {all:#?}");
    }
    assert_eq!(to.json["extensionsUsed"], json!(["B", "KHR_materials_unlit"]));
    assert_eq!(to.json["accessors"][0]["max"], json!([1.0, 1.0, 0.0]));
    let mut again = Vec::new();
    crate::gltf::repair::repair(&mut to, &mut again);
    assert_eq!(again, [], "a second repair must change nothing");
}

#[test]
fn integer_weights_are_normalised() {
    let mut to = faulty();
    to.bin[72..120].fill(0);
    to.bin[72..76].copy_from_slice(&[100, 100, 54, 0]);
    to.bin[76..80].copy_from_slice(&[255, 0, 0, 0]);
    to.json["accessors"][2] =
        json!({ "bufferView": 1, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4" });
    crate::gltf::repair::repair(&mut to, &mut Vec::new());
    let sums: Vec<u32> =
        to.bin[72..84].chunks(4).map(|four| four.iter().copied().map(u32::from).sum()).collect();
    assert_eq!(sums, [255, 255, 255]);
}

#[test]
fn external_buffers_and_images_are_embedded() {
    let json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 5, "uri": "a.bin" }, { "byteLength": 4, "uri": "b.bin", "name": "B" }, { "byteLength": 9 }],
        "bufferViews": [
            { "buffer": 1, "byteOffset": 1, "byteLength": 2 }, { "buffer": 0, "byteLength": 5 }, { "buffer": 2, "byteLength": 9 },
        ],
        "images": [{ "uri": "x.png" }, { "uri": "missing.png" }],
    });
    let mut fetch = |path: &str| match path {
        "a.bin" => Ok(vec![1; 5]),
        "b.bin" => Ok(vec![2, 3, 4, 5, 6]),
        "x.png" => Ok(b"\x89PNG1234".to_vec()),
        _ => no_files(path),
    };
    let bytes = serde_json::to_vec(&json).unwrap();
    let container = crate::gltf::container::Container::open(&bytes, &mut fetch).unwrap();
    let mut warnings = Vec::new();
    let to = crate::gltf::gather::gather(container, &mut fetch, &mut warnings).unwrap();
    assert_eq!(to.bin, b"\x01\x01\x01\x01\x01\0\0\0\x02\x03\x04\x05\x89PNG1234");
    assert_eq!(to.json["bufferViews"][0], json!({ "buffer": 0, "byteOffset": 9, "byteLength": 2 }));
    assert_eq!(to.json["bufferViews"][1], json!({ "buffer": 0, "byteLength": 5 }));
    assert_eq!(to.json["bufferViews"][2]["buffer"], 1);
    assert_eq!(to.json["images"][0], json!({ "mimeType": "image/png", "bufferView": 3 }));
    assert_eq!(to.json["images"][1], json!({ "uri": "missing.png" }));
    assert_eq!(to.json["buffers"].as_array().map(Vec::len), Some(2));
    assert!(warnings[0].message.contains("missing.png"));
}

proptest! {
    #[test]
    fn changed_numbers_do_not_make_repairs_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), -2_i64..400), 1..6)) {
        let mut to = faulty();
        let mut text = serde_json::to_string(&to.json).unwrap();
        for (place, number) in &edits {
            let digits: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
            let at = digits[place.index(digits.len())];
            text.replace_range(at..=at, &number.to_string());
        }
        // Two signs or a leading zero are not valid JSON and are skipped.
        if let Ok(Value::Object(json)) = serde_json::from_str(&text) {
            to.json = json;
            crate::gltf::repair::repair(&mut to, &mut Vec::new());
            let _ = to.finish();
        }
    }
}
