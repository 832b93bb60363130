//! Documents made by hand: what must be read exactly, and what must be refused with its path.

use super::build::Builder;
use super::{scan, write_vrma};
use crate::error::{Error, Result, WarningCode};
use crate::retarget::Humanoid;
use crate::scene::{Kind, RestPose, Source};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::rig::{Bone, Channel, Rig, RigParts};

fn no_files(path: &str) -> Result<Vec<u8>> {
    Err(Error::new(format!("{path} is not here")))
}

fn read(bytes: &[u8]) -> Result<Source> {
    scan(bytes, &mut no_files)
}

/// A document with its numbers behind it, as a GLB.
fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let Value::Object(json) = json.clone() else { panic!("not an object") };
    Builder { json, bin: bin.to_vec() }.finish().unwrap()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// A VRMA of four nodes whose hips turn, at 0 s and 1 s.
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

/// The sample with one value replaced or, where the last step is new, added.
fn sample_with(pointer: &str, value: &Value) -> Vec<u8> {
    let (mut json, bin) = sample();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Object(object) => drop(object.insert(key.to_owned(), value.clone())),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
        _ => panic!("{pointer}"),
    }
    // The builder would set the buffer's length right, which a test may want wrong.
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
fn a_fault_is_named_by_its_path() {
    let huge = 1_u64 << 32;
    for (pointer, value, expected) in [
        ("/asset/version", json!("1.0"), "asset.version: this is glTF 1.0"),
        ("/nodes", json!(5), "nodes: a list is needed here; it is a number"),
        ("/nodes/1/matrix", json!([1, 2, 3]), "nodes[1].matrix: 16 numbers"),
        (
            "/nodes/1/matrix",
            json!([1e39, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            "nodes[1].matrix: a number is not finite",
        ),
        ("/nodes/1/rotation", json!(["x", 0, 0, 1]), "nodes[1].rotation[0]: a number is needed"),
        ("/nodes/1/children", json!([99]), "nodes[1].children[0]: there is no node 99"),
        ("/nodes/1/children", json!([-1]), "nodes[1].children[0]: a whole number"),
        ("/nodes/1/children", json!([0.5]), "nodes[1].children[0]: a whole number"),
        ("/nodes/1/children", json!(["0"]), "nodes[1].children[0]: a number is needed"),
        ("/nodes/0/children", json!([0]), "cycle"),
        ("/nodes/1/children", json!([0]), "cycle"),
        ("/nodes/1/mesh", json!(1), "nodes[1].mesh: there is no mesh 1"),
        ("/skins/0/joints", json!([4]), "skins[0].joints[0]: there is no node 4"),
        ("/buffers/0/byteLength", json!(41), "byteLength is 41"),
        ("/buffers/0/uri", json!("x.bin"), "x.bin is not here"),
        ("/buffers/0/uri", json!("data:;base64,???"), "letter 0 of the base64"),
        ("/buffers/0/uri", json!("data:text/plain,abc"), "must be base64"),
        ("/buffers/0/uri", json!("../x"), "own folder"),
        ("/bufferViews/0/buffer", json!(1), "bufferViews[0].buffer: there is no buffer 1"),
        ("/bufferViews/0/byteLength", json!(41), "bufferViews[0]: it reaches beyond the 40 bytes"),
        ("/bufferViews/0/byteLength", json!(null), "bufferViews[0].byteLength: a length in bytes"),
        ("/bufferViews/0/byteOffset", json!(u64::MAX >> 12), "bufferViews[0]: it reaches beyond"),
        ("/bufferViews/0/byteStride", json!(-4), "bufferViews[0].byteStride: a whole number"),
        ("/bufferViews/0/byteStride", json!(0), "byteStride is 0"),
        ("/bufferViews/0/byteStride", json!(5), "accessors[0]: 2 elements do not fit"),
        ("/accessors/0/count", json!(3), "accessors[0]: 3 elements do not fit"),
        ("/accessors/0/count", json!(0), "accessors[0].count: it has no element"),
        ("/accessors/0/count", json!(huge), "accessors[0]: 4294967296 numbers, and at most"),
        ("/accessors/0/count", json!(1e300), "accessors[0].count: a whole number"),
        ("/accessors/0/byteOffset", json!(4), "accessors[0]: 2 elements do not fit"),
        ("/accessors/0/bufferView", json!(7), "accessors[0].bufferView: there is no buffer view 7"),
        ("/accessors/0/componentType", json!(5124), "accessors[0].componentType: no known kind"),
        ("/accessors/0/type", json!("VEC9"), "accessors[0].type: no known kind"),
        ("/accessors/0/type", json!("VEC2"), "accessors[0]: key times must be single numbers"),
        ("/accessors/1/type", json!("VEC3"), "2 keys need 8 numbers, and there are 6"),
        (
            "/accessors/1/sparse",
            json!({ "count": 1, "indices": { "bufferView": 0, "componentType": 5126 }, "values": { "bufferView": 1 } }),
            "accessors[1].sparse.indices.componentType",
        ),
        (
            "/accessors/1/sparse",
            json!({ "count": 1, "indices": { "bufferView": 0, "componentType": 5121, "byteOffset": 7 }, "values": { "bufferView": 1 } }),
            "accessors[1].sparse.indices: it replaces element 63 of 2",
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
            "animations[0].samplers[0].input: there is no accessor 9",
        ),
        (
            "/animations/0/samplers/0/input",
            json!(null),
            "animations[0].samplers[0].input: the index of an accessor",
        ),
        (
            "/animations/0/samplers/0/output",
            json!(9),
            "animations[0].samplers[0].output: there is no accessor 9",
        ),
        ("/animations/0/samplers/0/interpolation", json!("CUBICSPLINE"), "2 keys need 24 numbers"),
        ("/animations/0/samplers/0/interpolation", json!("SMOOTH"), "samplers[0].interpolation"),
        (
            "/animations/0/channels/0/sampler",
            json!(1),
            "animations[0].channels[0].sampler: there is no sampler 1",
        ),
        ("/animations/0/channels/0/target/node", json!(4), "channels[0].target.node: there is no node 4"),
        ("/extensions/VRMC_vrm_animation/lookAt/node", json!(4), "lookAt.node: there is no node 4"),
        ("/extensions/VRMC_vrm_animation/humanoid/humanBones", json!([]), "humanBones: an object is needed"),
    ] {
        check_error(&sample_with(pointer, &value), expected, &format!("{pointer} = {value}"));
    }
}

#[test]
fn numbers_that_are_none_are_found_in_the_buffer() {
    let (json, good) = sample();
    for (number, value, expected) in [
        (0, f32::NAN, "accessors[0]: element 0 is not finite"),
        (1, f32::INFINITY, "accessors[0]: element 1 is not finite"),
        (9, f32::NAN, "accessors[1]: element 1 is not finite"),
        (1, -1.0, "accessors[0]: key 1 comes before key 0"),
        (1, 1e9, "animations[0]: 30000000001 frames, and at most"),
        (1, f32::MAX, "animations[0]:"),
    ] {
        let mut bin = good.clone();
        bin[4 * number..][..4].copy_from_slice(&f32::to_le_bytes(value));
        check_error(&glb(&json, &bin), expected, &format!("{value} at {number}"));
    }
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let (json, bin) = sample();
    let whole = glb(&json, &bin);
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length} bytes were read");
    }
    for (length, expected) in [(5, "GLB header"), (11, "GLB header"), (12, "cut off"), (40, "cut off")] {
        check_error(&whole[..length], expected, &format!("{length} bytes"));
    }
}

#[test]
fn wrong_headers_are_errors() {
    let (json, bin) = sample();
    let whole = glb(&json, &bin);
    for (at, bytes, expected) in [
        (4, 1_u32.to_le_bytes(), "version 1 is not read"),
        (8, u32::MAX.to_le_bytes(), "4294967295 bytes are needed"),
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
    check_error(&raw_glb(&b"[".repeat(3_000_000), None), "and at most 2097152", "huge JSON");
    check_error(b"", "JSON", "nothing");
    let no_bin = raw_glb(&serde_json::to_vec(&json).unwrap(), None);
    check_error(&no_bin, "buffers[0]: the buffer has no data", "no BIN chunk");
}

#[test]
fn what_does_no_harm_is_a_warning() {
    let bones = "/extensions/VRMC_vrm_animation/humanoid/humanBones";
    for (pointer, value, code, expected) in [
        ("/extensions/VRMC_vrm_animation/specVersion", json!("7"), WarningCode::Malformed, "version \"7\""),
        (&format!("{bones}/tail"), json!({ "node": 2 }), WarningCode::Malformed, "\"tail\" is no bone"),
        (&format!("{bones}/spine"), json!({ "node": 1 }), WarningCode::Malformed, "another bone already"),
        (&format!("{bones}/spine"), json!({ "node": 99 }), WarningCode::Malformed, "there is no node 99"),
        (&format!("{bones}/spine"), json!({}), WarningCode::Malformed, "spine has no node"),
        ("/nodes/1/children", json!([3]), WarningCode::Repaired, "two parents"),
        ("/nodes/1/rotation", json!([0, 0, 0, 0]), WarningCode::Repaired, "nodes[1].rotation"),
        ("/nodes/1/matrix", json!(vec![0; 16]), WarningCode::Repaired, "nodes[1].matrix"),
        (
            "/animations/0/channels/0/target/path",
            json!("pointer"),
            WarningCode::Dropped,
            "1 channels move no node",
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

/// A plain glTF whose one node is moved by one channel, its numbers in a data URI.
fn moving(path: &str, interpolation: &str, accessors: &Value, views: &Value, bin: &[u8]) -> Source {
    let json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bin.len(), "uri": format!("data:application/octet-stream;base64,{}", base64(bin)) }],
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

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for i in 0..=three.len() {
            out.push(char::from(LETTERS[(bits >> (18 - 6 * i)) as usize & 63]));
        }
    }
    out
}

#[test]
fn normalised_integers_with_a_stride_are_fractions() {
    // Two rotations in i16, with four bytes of something else after each.
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
    // A key: two in-tangents, two values, two out-tangents.
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
fn a_matrix_is_taken_apart() {
    let turn = Quat::from_rotation_z(0.7);
    let matrix =
        glam::Mat4::from_scale_rotation_translation(Vec3::splat(2.0), turn, Vec3::new(1.0, 2.0, 3.0));
    let source = read(&sample_with("/nodes/1/matrix", &json!(matrix.to_cols_array()))).unwrap();
    let rest = source.scene.nodes()[1].rest;
    assert!(angle_between(rest.rotation, turn) < 1e-6);
    assert!((rest.scale - 2.0).abs().max_element() < 1e-6 && rest.translation == Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn expressions_of_vrm_0_get_the_names_of_1_0() {
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
    assert_eq!((source.kind, source.name.as_str(), source.look_by_expression), (Kind::Vrm0, "Ada", true));
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
        ["2 expressions move nothing", "relaxed, lookUp", "stand here twice", "does not exist: relaxed"]
    {
        assert!(all.iter().any(|w| w.contains(expected)), "{expected}: {all:?}");
    }
}

#[test]
fn a_vrma_comes_back_as_it_was() {
    let channels = ["happy", "jawOpen", "own", "lookUp"].map(|name| Channel::from(name.to_owned()));
    let rig = Rig::new(RigParts {
        rest_positions: Bone::ALL.map(|b| (b, Vec3::new(0.01 * b.index() as f32, 1.0, 0.0))).to_vec(),
        channels: channels.to_vec(),
        ..RigParts::default()
    });
    for (rate, frames) in [(30.0, 61), (24.0, 2), (29.97, 100), (120.0, 7), (60.0, 1)] {
        let mut clip = Clip::new("wave", rate, frames, 1.0).unwrap();
        for frame in 0..frames {
            let t = frame as f32 / rate as f32;
            for bone in Bone::ALL {
                // Eyes together, so that nothing is lost.
                let i = if bone == Bone::RightEye { Bone::LeftEye.index() } else { bone.index() };
                clip.set_rotation(frame, bone, Quat::from_euler(glam::EulerRot::XYZ, t, 0.1 * i as f32, -t));
            }
            clip.set_root(frame, Vec3::new(t, 1.0 + t, 0.0));
        }
        for (i, channel) in channels.iter().enumerate() {
            let weights: Vec<f32> = (0..frames).map(|f| (f % (i + 2)) as f32 / (i + 1) as f32).collect();
            clip.add_channel(channel.clone(), &weights).unwrap();
        }
        let mut warnings = Vec::new();
        let source = read(&write_vrma(&rig, &clip, &mut warnings).unwrap()).unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(source.warnings, []);
        let found = &source.clips[0];
        assert_eq!((found.name.as_str(), found.frames), ("wave", frames));
        assert!(frames == 1 || (found.rate - rate).abs() < 1e-4, "{} for {rate}", found.rate);
        for (node, track) in &found.rotations {
            let bone = source.humanoid.bone(*node).unwrap();
            let apart = track.iter().enumerate().map(|(f, q)| angle_between(*q, clip.rotation(f, bone)));
            assert!(apart.fold(0.0, f32::max) < 1e-5, "{bone:?} at {rate}");
        }
        assert_eq!(found.rotations.len(), Bone::COUNT - 2);
        assert!((0..frames).all(|f| found.translations[0].1[f].distance(clip.root(f)) < 1e-6));
        let gaze = found.gaze.as_ref().unwrap();
        assert!((0..frames).all(|f| angle_between(gaze[f], clip.rotation(f, Bone::LeftEye)) < 1e-5));
        for (channel, track) in &found.weights {
            let column = clip.channels().iter().position(|c| c == channel).unwrap();
            assert!((0..frames).all(|f| track[f] == clip.weights(f)[column]), "{channel:?}");
        }
        assert_eq!(found.weights.len(), 3);
        assert!(Humanoid::new(&source, &mut warnings).is_some());
    }
}

#[test]
fn eyes_that_squint_are_a_loss() {
    let bones = [Bone::Hips, Bone::Head, Bone::LeftEye, Bone::RightEye];
    let rig =
        Rig::new(RigParts { rest_positions: bones.map(|b| (b, Vec3::Y)).to_vec(), ..RigParts::default() });
    let mut clip = Clip::new("squint", 30.0, 1, 1.0).unwrap();
    clip.set_rotation(0, Bone::LeftEye, Quat::from_rotation_y(0.2));
    clip.set_rotation(0, Bone::RightEye, Quat::from_rotation_y(-0.1));
    let mut warnings = Vec::new();
    let source = read(&write_vrma(&rig, &clip, &mut warnings).unwrap()).unwrap();
    assert!(warnings[0].message.contains("17.2°"), "{warnings:?}");
    assert!(angle_between(source.clips[0].gaze.as_ref().unwrap()[0], Quat::from_rotation_y(0.05)) < 1e-6);
    assert_eq!(source.humanoid.node(Bone::LeftEye), None);
}

/// A skinned triangle with a fault of every kind that is mended.
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
fn what_the_validator_would_refuse_is_mended() {
    let (mut to, mut warnings) = (faulty(), Vec::new());
    super::repair::repair(&mut to, &mut warnings);
    let all: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    for expected in [
        "document: 3 fields",
        "nodes: 1 rotations",
        "skins: 1 skeletons",
        "skins: 2 bind matrices",
        "images: 1 media types",
        "extensionsUsed:",
        "accessors: 1 lists were not on the boundary",
        "bufferViews: 1 had no stride",
        "accessors: 1 numbers were not finite",
        "meshes: 2 normals",
        "meshes: 2 vertices had skin weights",
        "accessors: 1 lists had wrong bounds",
    ] {
        assert!(all.iter().any(|w| w.starts_with(expected)), "{expected}: {all:#?}");
    }
    assert_eq!(to.json["extensionsUsed"], json!(["B", "KHR_materials_unlit"]));
    assert_eq!(to.json["accessors"][0]["max"], json!([1.0, 1.0, 0.0]));
    let mut again = Vec::new();
    super::repair::repair(&mut to, &mut again);
    assert_eq!(again, [], "mending twice must change nothing");
}

#[test]
fn integer_weights_sum_up_to_their_full_value() {
    let mut to = faulty();
    to.bin[72..120].fill(0);
    to.bin[72..76].copy_from_slice(&[100, 100, 54, 0]);
    to.bin[76..80].copy_from_slice(&[255, 0, 0, 0]);
    to.json["accessors"][2] =
        json!({ "bufferView": 1, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4" });
    super::repair::repair(&mut to, &mut Vec::new());
    let sums: Vec<u32> =
        to.bin[72..84].chunks(4).map(|four| four.iter().copied().map(u32::from).sum()).collect();
    assert_eq!(sums, [255, 255, 255]);
}

#[test]
fn buffers_and_images_beside_a_gltf_are_pulled_in() {
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
    let container = super::container::Container::open(&bytes, &mut fetch).unwrap();
    let mut warnings = Vec::new();
    let to = super::gather::gather(container, &mut fetch, &mut warnings).unwrap();
    assert_eq!(to.bin, b"\x01\x01\x01\x01\x01\0\0\0\x02\x03\x04\x05\x89PNG1234");
    assert_eq!(to.json["bufferViews"][0], json!({ "buffer": 0, "byteOffset": 9, "byteLength": 2 }));
    assert_eq!(to.json["bufferViews"][1], json!({ "buffer": 0, "byteLength": 5 }));
    assert_eq!(to.json["bufferViews"][2]["buffer"], 1);
    assert_eq!(to.json["images"][0], json!({ "mimeType": "image/png", "bufferView": 3 }));
    assert_eq!(to.json["images"][1], json!({ "uri": "missing.png" }));
    assert_eq!(to.json["buffers"].as_array().map(Vec::len), Some(2));
    assert!(warnings[0].message.contains("missing.png"));
}
