//! Tests with handmade documents: exact results, and errors with their path.

mod mending;
mod writing;

use super::build::Builder;
use super::container::Container;
use super::scan;
use crate::error::{Error, Result, WarningCode};
use crate::scene::{Kind, RestPose, Source};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use serde_json::{Value, json};
use vivant::math::angle_between;
use vivant::rig::Bone;

fn no_files(path: &str) -> Result<Vec<u8>> {
    Err(Error::new(format!("{path} is not here")))
}

fn read(bytes: &[u8]) -> Result<Source> {
    scan(&Container::open(bytes, &mut no_files)?)
}

/// A document with its buffer, as a GLB.
fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let Value::Object(json) = json.clone() else { panic!("not an object") };
    Builder { json, bin: bin.to_vec() }.finish().unwrap()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// A VRMA with four nodes whose hips rotate, with keys at 0 s and 1 s.
fn sample() -> (Value, Vec<u8>) {
    let json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 40 }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 8, "byteLength": 32 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4" },
        ],
        "nodes": [
            { "name": "a", "children": [1, 2] }, { "name": "b" }, { "name": "c", "children": [3] }, {},
        ],
        "meshes": [{ "primitives": [{ "targets": [{}, {}] }] }],
        "skins": [{ "joints": [0] }],
        "animations": [{
            "samplers": [{ "input": 0, "output": 1 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }],
        }],
        "extensions": { "VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": { "humanBones": { "hips": { "node": 0 }, "head": { "node": 1 } } },
            "expressions": { "preset": { "happy": { "node": 2 } } },
            "lookAt": { "node": 3 },
        } },
    });
    let turn = Quat::from_rotation_y(1.0).to_array();
    let numbers = [&[0.0, 1.0][..], &Quat::IDENTITY.to_array(), &turn].concat();
    (json, floats(&numbers))
}

/// The sample with one value replaced or added.
fn sample_with(pointer: &str, value: &Value) -> Vec<u8> {
    let (mut json, bin) = sample();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Object(object) => drop(object.insert(key.to_owned(), value.clone())),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
        _ => panic!("{pointer}"),
    }
    // The builder would correct the buffer length, which a test may want wrong.
    let text = serde_json::to_vec(&json).unwrap();
    raw_glb(&text, Some(&bin))
}

fn raw_glb(text: &[u8], bin: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = vec![(b"JSON", text)];
    chunks.extend(bin.map(|bin| (b"BIN\0", bin)));
    let mut body = Vec::new();
    for (kind, data) in chunks {
        body.extend((data.len() as u32).to_le_bytes());
        body.extend_from_slice(kind);
        body.extend_from_slice(data);
    }
    let length = (12 + body.len() as u32).to_le_bytes();
    [&b"glTF\x02\0\0\0"[..], &length, &body].concat()
}

fn check_error(bytes: &[u8], expected: &str, what: &str) {
    match read(bytes) {
        Ok(_) => panic!("{what} was read"),
        Err(error) => assert!(error.to_string().contains(expected), "{what}: {error}"),
    }
}

#[test]
fn the_sample_is_read() {
    let (json, bin) = sample();
    let source = read(&glb(&json, &bin)).unwrap();
    assert_eq!((source.kind, source.rest, source.warnings.len()), (Kind::Vrma, RestPose::TPose, 0));
    let clip = &source.clips[0];
    assert_eq!((clip.rate, clip.frames), (30.0, 31));
    assert!(angle_between(clip.rotations[0].1[15], Quat::from_rotation_y(0.5)) < 1e-6);
    assert_eq!(source.expressions[0].channel.name(), "happy");
}

#[test]
fn errors_have_the_path_of_their_cause() {
    let huge = 1_u64 << 32;
    for (pointer, value, expected) in [
        ("/asset/version", json!("1.0"), "asset.version: glTF 1.0 is not supported"),
        ("/nodes", json!(5), "nodes: expected a list, found a number"),
        ("/nodes/1/matrix", json!([1, 2, 3]), "nodes[1].matrix: expected 16 numbers"),
        (
            "/nodes/1/matrix",
            json!([1e39, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            "nodes[1].matrix: a number is not finite",
        ),
        ("/nodes/1/rotation", json!(["x", 0, 0, 1]), "nodes[1].rotation[0]: expected a number"),
        ("/nodes/1/children", json!([99]), "nodes[1].children[0]: node 99 does not exist"),
        ("/nodes/1/children", json!([-1]), "nodes[1].children[0]: expected a whole number"),
        ("/nodes/1/children", json!([0.5]), "nodes[1].children[0]: expected a whole number"),
        ("/nodes/1/children", json!(["0"]), "nodes[1].children[0]: expected a number"),
        ("/nodes/0/children", json!([0]), "cycle"),
        ("/nodes/1/children", json!([0]), "cycle"),
        ("/nodes/1/mesh", json!(1), "nodes[1].mesh: mesh 1 does not exist"),
        ("/skins/0/joints", json!([4]), "skins[0].joints[0]: node 4 does not exist"),
        ("/buffers/0/byteLength", json!(41), "byteLength is 41"),
        ("/buffers/0/uri", json!("x.bin"), "x.bin is not here"),
        ("/buffers/0/uri", json!("data:;base64,???"), "invalid base64: character 0"),
        ("/buffers/0/uri", json!("data:text/plain,abc"), "must be base64"),
        ("/buffers/0/uri", json!("../x"), "outside the folder"),
        ("/bufferViews/0/buffer", json!(1), "bufferViews[0].buffer: buffer 1 does not exist"),
        ("/bufferViews/0/byteLength", json!(41), "bufferViews[0]: the buffer view exceeds the 40 bytes"),
        ("/bufferViews/0/byteLength", json!(null), "bufferViews[0].byteLength: expected a length in bytes"),
        ("/bufferViews/0/byteOffset", json!(u64::MAX >> 12), "bufferViews[0]: the buffer view exceeds"),
        ("/bufferViews/0/byteStride", json!(-4), "bufferViews[0].byteStride: expected a whole number"),
        ("/bufferViews/0/byteStride", json!(0), "byteStride is 0"),
        ("/bufferViews/0/byteStride", json!(5), "accessors[0]: 2 elements do not fit"),
        ("/accessors/0/count", json!(3), "accessors[0]: 3 elements do not fit"),
        ("/accessors/0/count", json!(0), "accessors[0].count: the accessor is empty"),
        ("/accessors/0/count", json!(huge), "accessors[0]: 4294967296 numbers; at most"),
        ("/accessors/0/count", json!(1e300), "accessors[0].count: expected a whole number"),
        ("/accessors/0/byteOffset", json!(4), "accessors[0]: 2 elements do not fit"),
        ("/accessors/0/bufferView", json!(7), "accessors[0].bufferView: buffer view 7 does not exist"),
        ("/accessors/0/componentType", json!(5124), "accessors[0].componentType: unknown component type"),
        ("/accessors/0/type", json!("VEC9"), "accessors[0].type: unknown element type"),
        ("/accessors/0/type", json!("VEC2"), "accessors[0]: key times must be single numbers"),
        ("/accessors/1/type", json!("VEC3"), "2 keys need 8 numbers, but there are 6"),
        (
            "/accessors/1/sparse",
            json!({ "count": 1, "indices": { "bufferView": 0, "componentType": 5126 }, "values": { "bufferView": 1 } }),
            "accessors[1].sparse.indices.componentType",
        ),
        (
            "/accessors/1/sparse",
            json!({ "count": 1, "indices": { "bufferView": 0, "componentType": 5121, "byteOffset": 7 }, "values": { "bufferView": 1 } }),
            "accessors[1].sparse.indices: element 63 does not exist; the accessor has 2 elements",
        ),
        (
            "/accessors/1/sparse",
            json!({ "count": 9, "indices": { "bufferView": 0, "componentType": 5121 }, "values": { "bufferView": 1 } }),
            "accessors[1].sparse.indices: 9 elements do not fit",
        ),
        ("/accessors/1/sparse", json!({ "indices": {} }), "accessors[1].sparse.count"),
        (
            "/animations/0/samplers/0/input",
            json!(9),
            "animations[0].samplers[0].input: accessor 9 does not exist",
        ),
        (
            "/animations/0/samplers/0/input",
            json!(null),
            "animations[0].samplers[0].input: expected the index of an accessor",
        ),
        (
            "/animations/0/samplers/0/output",
            json!(9),
            "animations[0].samplers[0].output: accessor 9 does not exist",
        ),
        ("/animations/0/samplers/0/interpolation", json!("CUBICSPLINE"), "2 keys need 24 numbers"),
        ("/animations/0/samplers/0/interpolation", json!("SMOOTH"), "samplers[0].interpolation"),
        (
            "/animations/0/channels/0/sampler",
            json!(1),
            "animations[0].channels[0].sampler: sampler 1 does not exist",
        ),
        ("/animations/0/channels/0/target/node", json!(4), "channels[0].target.node: node 4 does not exist"),
        ("/extensions/VRMC_vrm_animation/lookAt/node", json!(4), "lookAt.node: node 4 does not exist"),
        ("/extensions/VRMC_vrm_animation/humanoid/humanBones", json!([]), "humanBones: expected an object"),
    ] {
        check_error(&sample_with(pointer, &value), expected, &format!("{pointer} = {value}"));
    }
}

#[test]
fn non_finite_numbers_in_the_buffer_are_errors() {
    let (json, good) = sample();
    for (number, value, expected) in [
        (0, f32::NAN, "accessors[0]: element 0 is not finite"),
        (1, f32::INFINITY, "accessors[0]: element 1 is not finite"),
        (9, f32::NAN, "accessors[1]: element 1 is not finite"),
        (1, -1.0, "accessors[0]: key 1 is before key 0"),
        (1, 1e9, "animations[0]: 30000000001 frames; at most"),
        (1, f32::MAX, "animations[0]:"),
    ] {
        let mut bin = good.clone();
        bin[4 * number..][..4].copy_from_slice(&f32::to_le_bytes(value));
        check_error(&glb(&json, &bin), expected, &format!("{value} at {number}"));
    }
}

#[test]
fn a_truncated_file_is_an_error() {
    let (json, bin) = sample();
    let whole = glb(&json, &bin);
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length} bytes were read");
    }
    for (length, expected) in [(5, "GLB header"), (11, "GLB header"), (12, "truncated"), (40, "truncated")] {
        check_error(&whole[..length], expected, &format!("{length} bytes"));
    }
}

#[test]
fn wrong_headers_are_errors() {
    let (json, bin) = sample();
    let whole = glb(&json, &bin);
    for (at, bytes, expected) in [
        (4, 1_u32.to_le_bytes(), "version 1 is not supported"),
        (8, u32::MAX.to_le_bytes(), "4294967295 bytes needed"),
        (8, 8_u32.to_le_bytes(), "GLB chunk 0"),
        (8, 0_u32.to_le_bytes(), "GLB chunk 0"),
        (12, u32::MAX.to_le_bytes(), "GLB chunk 0"),
        (12, 0_u32.to_le_bytes(), "GLB chunk 1"),
        (16, *b"BIN\0", "the first chunk must be JSON"),
    ] {
        let mut broken = whole.clone();
        broken[at..at + 4].copy_from_slice(&bytes);
        check_error(&broken, expected, &format!("{bytes:?} at {at}"));
    }
    check_error(&raw_glb(b"[]", None), "must be an object", "a list");
    check_error(&raw_glb(b"{\"nodes\": [NaN]}", None), "line 1", "NaN");
    check_error(&raw_glb("[".repeat(100_000).as_bytes(), None), "recursion limit", "deep JSON");
    check_error(&raw_glb(&b"[".repeat(3_000_000), None), "at most 2097152", "huge JSON");
    check_error(b"", "JSON", "nothing");
    let no_bin = raw_glb(&serde_json::to_vec(&json).unwrap(), None);
    check_error(&no_bin, "buffers[0]: the buffer has no data", "no BIN chunk");
}

#[test]
fn harmless_problems_are_warnings() {
    let bones = "/extensions/VRMC_vrm_animation/humanoid/humanBones";
    for (pointer, value, code, expected) in [
        ("/extensions/VRMC_vrm_animation/specVersion", json!("7"), WarningCode::Malformed, "version \"7\""),
        (
            &format!("{bones}/tail"),
            json!({ "node": 2 }),
            WarningCode::Malformed,
            "\"tail\" is not a VRM bone",
        ),
        (&format!("{bones}/spine"), json!({ "node": 1 }), WarningCode::Malformed, "already another bone"),
        (&format!("{bones}/spine"), json!({ "node": 99 }), WarningCode::Malformed, "node 99 does not exist"),
        (&format!("{bones}/spine"), json!({}), WarningCode::Malformed, "spine has no node"),
        ("/nodes/1/children", json!([3]), WarningCode::Repaired, "two parents"),
        ("/nodes/1/rotation", json!([0, 0, 0, 0]), WarningCode::Repaired, "nodes[1].rotation"),
        ("/nodes/1/matrix", json!(vec![0; 16]), WarningCode::Repaired, "nodes[1].matrix"),
        (
            "/animations/0/channels/0/target/path",
            json!("pointer"),
            WarningCode::Dropped,
            "1 channels have no node as target",
        ),
        (
            "/extensions/VRMC_vrm_animation/lookAt/offsetFromHeadBone",
            json!([0, 1, 0]),
            WarningCode::Dropped,
            "offset",
        ),
        (
            "/extensions/VRMC_vrm_animation/expressions/preset/lookUp",
            json!({ "node": 3 }),
            WarningCode::Malformed,
            "lookAt",
        ),
    ] {
        let source = read(&sample_with(pointer, &value)).unwrap_or_else(|e| panic!("{pointer}: {e}"));
        let found = source.warnings.iter().any(|w| w.code == code && w.to_string().contains(expected));
        assert!(found, "{pointer} = {value}: {:?}", source.warnings);
    }
}

/// A plain glTF with one node and one channel; the numbers are in a data URI.
fn moving(path: &str, interpolation: &str, accessors: &Value, views: &Value, bin: &[u8]) -> Source {
    let json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bin.len(), "uri": format!("data:application/octet-stream;base64,{}", crate::json::base64(bin)) }],
        "bufferViews": views, "accessors": accessors,
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "targets": [{}, {}] }], "extras": { "targetNames": ["Fcl_Own", "eyeBlink_L"] } }],
        "animations": [{
            "samplers": [{ "input": 0, "output": 1, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
        }],
    });
    read(&serde_json::to_vec(&json).unwrap()).unwrap()
}

#[test]
fn normalised_integers_with_a_stride_are_fractions() {
    // Two rotations in i16, with four unrelated bytes after each.
    let half = (std::f32::consts::FRAC_1_SQRT_2 * 32767.0).round() as i16;
    let mut bin = floats(&[0.0, 1.0]);
    for quaternion in [[0, 0, 0, 32767], [half, 0, 0, half]] {
        bin.extend(quaternion.iter().flat_map(|n: &i16| n.to_le_bytes()));
        bin.extend([9; 4]);
    }
    let views = json!([
        { "buffer": 0, "byteLength": 8 },
        { "buffer": 0, "byteOffset": 8, "byteLength": 24, "byteStride": 12 },
    ]);
    let accessors = json!([
        { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" },
        { "bufferView": 1, "componentType": 5122, "count": 2, "type": "VEC4", "normalized": true },
    ]);
    let source = moving("rotation", "LINEAR", &accessors, &views, &bin);
    let track = &source.clips[0].rotations[0].1;
    assert!(angle_between(track[30], Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)) < 1e-6);
    assert!(angle_between(track[10], Quat::from_rotation_x(std::f32::consts::FRAC_PI_6)) < 1e-5);
}

#[test]
fn sparse_accessors_replace_zeros() {
    let mut bin = floats(&[0.0, 0.5, 1.0]);
    bin.extend(floats(&[1.0, 2.0, 3.0]));
    bin.extend([1, 0]);
    let views = json!([
        { "buffer": 0, "byteLength": 12 }, { "buffer": 0, "byteOffset": 12, "byteLength": 12 },
        { "buffer": 0, "byteOffset": 24, "byteLength": 2 },
    ]);
    let accessors = json!([
        { "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR" },
        { "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
            "count": 1, "indices": { "bufferView": 2, "componentType": 5123 }, "values": { "bufferView": 1 },
        } },
    ]);
    let source = moving("translation", "STEP", &accessors, &views, &bin);
    let track = &source.clips[0].translations[0].1;
    let expected =
        |frame: usize| if (15..30).contains(&frame) { Vec3::new(1.0, 2.0, 3.0) } else { Vec3::ZERO };
    (0..31).for_each(|frame| assert_eq!(track[frame], expected(frame), "{frame}"));
}

#[test]
fn splines_of_weights_become_expressions_by_name() {
    // Each key: two in-tangents, two values, two out-tangents.
    let first = [0.0, 0.0, 0.0, 0.25, 0.0, 0.0];
    let last = [0.0, 0.0, 1.0, 0.75, 0.0, 0.0];
    let bin = floats(&[&[0.0, 1.0][..], &first, &last].concat());
    let views = json!([{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 48 }]);
    let accessors = json!([
        { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" },
        { "bufferView": 1, "componentType": 5126, "count": 12, "type": "SCALAR" },
    ]);
    let source = moving("weights", "CUBICSPLINE", &accessors, &views, &bin);
    let names: Vec<&str> = source.clips[0].weights.iter().map(|(channel, _)| channel.name()).collect();
    assert_eq!(names, ["Fcl_Own", "eyeBlinkLeft"]);
    for (frame, u) in [(0, 0.0_f32), (6, 0.2), (15, 0.5), (30, 1.0)] {
        let eased = 3.0 * u * u - 2.0 * u * u * u;
        assert!((source.clips[0].weights[0].1[frame] - eased).abs() < 1e-6);
        assert!((source.clips[0].weights[1].1[frame] - 0.25 - 0.5 * eased).abs() < 1e-6);
    }
}

#[test]
fn a_matrix_is_decomposed() {
    let turn = Quat::from_rotation_z(0.7);
    let matrix =
        glam::Mat4::from_scale_rotation_translation(Vec3::splat(2.0), turn, Vec3::new(1.0, 2.0, 3.0));
    let source = read(&sample_with("/nodes/1/matrix", &json!(matrix.to_cols_array()))).unwrap();
    let rest = source.scene.nodes()[1].rest;
    assert!(angle_between(rest.rotation, turn) < 1e-6);
    assert!((rest.scale - 2.0).abs().max_element() < 1e-6 && rest.translation == Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn vrm_0_expressions_get_vrm_1_names() {
    let group = |name: &str, preset: &str, binds: Value| json!({ "name": name, "presetName": preset, "binds": binds });
    let bind = |index: i32, weight: f32| json!([{ "mesh": 0, "index": index, "weight": weight }]);
    let json = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "mesh": 0 }, { "mesh": 0 }],
        "meshes": [{ "primitives": [{ "targets": [{}, {}, {}], "extras": { "targetNames": ["vrc_v_aa", "Smile", "jawOpen"] } }] }],
        "extensions": { "VRM": {
            "meta": { "title": "Ada" },
            "firstPerson": { "lookAtTypeName": "BlendShape" },
            "humanoid": { "humanBones": [
                { "bone": "leftThumbProximal", "node": 0 }, { "bone": "leftThumbIntermediate", "node": 1 },
                { "bone": "jaw", "node": -1 },
            ] },
            "blendShapeMaster": { "blendShapeGroups": [
                group("Surprised", "unknown", bind(1, 100.0)), group("Wink wink", "unknown", bind(1, 10.0)),
                group("A", "a", bind(0, 50.0)), group("Joy", "Joy", bind(1, 100.0)), group("Bad", "fun", bind(9, 1.0)),
                group("LookUp", "lookup", json!([])), group("x", "joy", bind(1, 100.0)),
            ] },
        } },
    });
    let source = read(&serde_json::to_vec(&json).unwrap()).unwrap();
    assert_eq!((source.kind, source.name.as_str(), source.look_at.by_expression), (Kind::Vrm0, "Ada", true));
    assert_eq!(source.humanoid.node(Bone::LeftThumbMetacarpal), Some(0));
    assert_eq!(source.humanoid.node(Bone::LeftThumbProximal), Some(1));
    let listed: Vec<(&str, usize, f32)> =
        source.expressions.iter().map(|e| (e.channel.name(), e.binds.len(), e.binds[0].gain)).collect();
    let expected = [
        ("aa", 2, 0.5),
        ("happy", 2, 1.0),
        ("surprised", 2, 1.0),
        ("Wink wink", 2, 0.1),
        ("viseme_aa", 2, 1.0),
        ("jawOpen", 2, 1.0),
    ];
    assert_eq!(listed, expected);
    let all: Vec<String> = source.warnings.iter().map(ToString::to_string).collect();
    for expected in
        ["2 expressions move nothing", "relaxed, lookUp", "are duplicates", "which is ignored: relaxed"]
    {
        assert!(all.iter().any(|w| w.contains(expected)), "{expected}: {all:?}");
    }
}

#[test]
fn look_at_is_read_from_both_vrm_versions() {
    let range = |x: f32, y: f32| json!({ "xRange": x, "yRange": y, "curve": [0, 0, 0, 1, 1, 1, 1, 0] });
    let map = |x: f32, y: f32| json!({ "inputMaxValue": x, "outputScale": y });
    let check = |extensions: Value, warned: usize| {
        let json = json!({ "asset": { "version": "2.0" }, "nodes": [{}], "extensions": extensions });
        let source = read(&serde_json::to_vec(&json).unwrap()).unwrap();
        let look = source.look_at;
        assert_eq!(look.offset_from_head, Vec3::new(0.01, 0.07, 0.03));
        let maps = [look.inner, look.outer, look.down, look.up];
        assert_eq!(maps.map(|m| m.apply(45.0)), [4.0, 6.0, 5.0, 10.0]);
        assert_eq!(source.warnings.iter().filter(|w| w.message.contains("curve")).count(), warned);
    };
    let mut first_person = json!({
        "lookAtTypeName": "Bone", "firstPersonBoneOffset": { "x": -0.01, "y": 0.07, "z": 0.03 },
        "lookAtHorizontalInner": range(90.0, 8.0), "lookAtHorizontalOuter": range(90.0, 12.0),
        "lookAtVerticalDown": { "xRange": 90 }, "lookAtVerticalUp": range(45.0, 10.0),
    });
    check(json!({ "VRM": { "firstPerson": first_person } }), 0);
    first_person["lookAtVerticalUp"]["curve"] = json!([0, 0, 0, 2, 1, 1, 1, 0]);
    check(json!({ "VRM": { "firstPerson": first_person } }), 1);
    let look_at = json!({
        "type": "bone", "offsetFromHeadBone": [0.01, 0.07, 0.03],
        "rangeMapHorizontalInner": map(90.0, 8.0), "rangeMapHorizontalOuter": map(90.0, 12.0),
        "rangeMapVerticalDown": map(90.0, 10.0), "rangeMapVerticalUp": map(45.0, 10.0),
    });
    check(json!({ "VRMC_vrm": { "specVersion": "1.0", "lookAt": look_at } }), 0);
}

/// The sample as text, with numbers replaced by JSON values that often break parsers.
fn shuffled(edits: &[(u16, u8)]) -> Vec<u8> {
    const WORDS: [&str; 12] =
        ["-1", "4294967296", "1e308", "null", "[]", "{}", "0.5", "\"x\"", "true", "[[0]]", "3", "0"];
    let (json, bin) = sample();
    let mut text = serde_json::to_string(&json).unwrap();
    for (place, word) in edits {
        // Replace a digit by a value.
        let numbers: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
        let at = numbers[usize::from(*place) % numbers.len()];
        text.replace_range(at..=at, WORDS[usize::from(*word) % WORDS.len()]);
    }
    raw_glb(text.as_bytes(), Some(&bin))
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let (json, bin) = sample();
        let mut bytes = glb(&json, &bin);
        for (place, byte) in &edits {
            let length = bytes.len();
            bytes[place.index(length)] = *byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn changed_numbers_do_not_panic(edits in prop::collection::vec(any::<(u16, u8)>(), 1..6)) {
        let bytes = shuffled(&edits);
        let _ = read(&bytes);
        if let Ok(container) = super::container::Container::open(&bytes, &mut no_files)
            && let Ok(mut to) = super::gather::gather(container, &mut no_files, &mut Vec::new())
        {
            super::repair::repair(&mut to, &mut Vec::new());
            let _ = to.finish();
        }
    }
}
