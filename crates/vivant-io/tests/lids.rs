//! Tests of lid measurement with avatars that are modelled in different ways.

use glam::{Mat4, Quat, Vec3, Vec3Swizzles};
use proptest::prelude::*;
use serde_json::{Value, json};
use vivant::clip::Clip;
use vivant::math::{rotation_vector, tan32};
use vivant::rig::{Channel, LidControl, LidMap, Rig};
use vivant_io::{Error, Import, gltf, import};

fn no_files(_: &str) -> vivant_io::Result<Vec<u8>> {
    Err(Error::new("no other files"))
}

fn read(bytes: &[u8]) -> Import {
    import("avatar", bytes, &mut no_files).unwrap()
}

fn lid_map(bytes: &[u8]) -> LidMap {
    read(bytes).humanoid.unwrap().rig().lid_map().clone()
}

/// Half the visible height of an eye, and the height of its part behind the upper lid, in metres.
const HALF: f32 = 0.015;
const HIDDEN: f32 = 0.006;
const EYES_Y: f32 = 1.5;

/// An avatar with two eyes, each a square with a lid in front of it. The lower row of the lid's vertices rests above
/// the eye and is moved by expressions.
#[derive(Clone)]
struct Avatar {
    is_vrm_0: bool,
    /// True if a mostly transparent lash card hangs from the edge of the lid.
    with_lash: bool,
    /// Expressions: name, downward movement of the left and the right lid at weight 1 (in heights of the open eye),
    /// and weight of the bind.
    expressions: Vec<(&'static str, [f32; 2], f32)>,
}

impl Avatar {
    fn places() -> Vec<[f32; 3]> {
        let mut places = Vec::new();
        for x in [0.03, -0.03] {
            let row = |y: f32, z: f32| [-0.02_f32, 0.0, 0.02].map(|dx| [x + dx, EYES_Y + y, z]);
            // The eye, from its lower to its upper edge; the lid, from its moving to its fixed row; the lash, whose
            // rows both move.
            let eye_and_lid = [(-HALF, 0.08), (HALF + HIDDEN, 0.08), (HALF, 0.085), (0.03, 0.085)];
            for (y, z) in eye_and_lid.into_iter().chain([(0.3 * HALF, 0.086), (HALF, 0.086)]) {
                places.extend(row(y, z));
            }
        }
        places
    }

    fn corners() -> Vec<u32> {
        let strip =
            |first: u32| [0, 1].map(|i| first + i).map(|a| [a, a + 1, a + 4, a, a + 4, a + 3]).concat();
        [0, 6, 18, 24, 12, 30].map(strip).concat()
    }

    fn moves(down: [f32; 2], gain: f32) -> Vec<[f32; 3]> {
        let is_edge = |vertex: usize| (6..9).contains(&(vertex % 18)) || vertex % 18 >= 12;
        let by = |vertex: usize| if is_edge(vertex) { -down[vertex / 18] * 2.0 * HALF / gain } else { 0.0 };
        (0..36).map(|vertex| [0.0, by(vertex), 0.0]).collect()
    }

    fn parts(&self) -> (Value, Vec<u8>) {
        let turn = if self.is_vrm_0 { -1.0 } else { 1.0 };
        let mut bin: Vec<u8> = Self::corners().iter().flat_map(|c| c.to_le_bytes()).collect();
        let mut views = vec![json!({ "buffer": 0, "byteLength": bin.len() })];
        let mut accessors =
            vec![json!({ "bufferView": 0, "componentType": 5125, "count": 48, "type": "SCALAR" })];
        let lists = self.expressions.iter().map(|(_, down, gain)| Self::moves(*down, *gain));
        for list in std::iter::once(Self::places()).chain(lists) {
            views.push(json!({ "buffer": 0, "byteOffset": bin.len(), "byteLength": 12 * list.len() }));
            accessors.push(
                json!({ "bufferView": views.len() - 1, "componentType": 5126, "count": 36, "type": "VEC3" }),
            );
            bin.extend(list.iter().flat_map(|[x, y, z]| [x * turn, *y, z * turn]).flat_map(f32::to_le_bytes));
        }
        let targets: Vec<Value> = (0..self.expressions.len()).map(|i| json!({ "POSITION": i + 2 })).collect();
        let mut primitives =
            vec![json!({ "attributes": { "POSITION": 1 }, "indices": 0, "targets": targets })];
        if self.with_lash {
            let mut lash = primitives[0].clone();
            lash["indices"] = json!(accessors.len());
            lash["material"] = json!(0);
            primitives.push(lash);
            accessors.push(json!({ "bufferView": 0, "byteOffset": 192, "componentType": 5125, "count": 24, "type": "SCALAR" }));
        }
        let json = json!({
            "asset": { "version": "2.0" }, "buffers": [{ "byteLength": bin.len() }],
            "bufferViews": views, "accessors": accessors,
            "nodes": [
                { "name": "hips", "translation": [0, 1, 0], "children": [1] },
                { "name": "head", "translation": [0, 0.4, 0] },
                { "name": "face", "mesh": 0 },
            ],
            "meshes": [{ "primitives": primitives }], "materials": [{ "alphaMode": "BLEND" }],
            "scenes": [{ "nodes": [0, 2] }], "extensions": self.extension(),
        });
        (json, bin)
    }

    fn extension(&self) -> Value {
        if self.is_vrm_0 {
            let bone = |(node, name): (usize, &str)| json!({ "bone": name, "node": node });
            let bones: Vec<Value> = ["hips", "head"].into_iter().enumerate().map(bone).collect();
            let names = [("blinkLeft", "blink_l"), ("blinkRight", "blink_r"), ("happy", "joy")];
            let group = |(i, (name, _, gain)): (usize, &(&str, [f32; 2], f32))| {
                let preset = names.iter().find(|(new, _)| new == name).map_or(*name, |(_, old)| old);
                let bind = json!({ "mesh": 0, "index": i, "weight": 100.0 * gain });
                json!({ "name": name, "presetName": preset, "binds": [bind] })
            };
            let groups: Vec<Value> = self.expressions.iter().enumerate().map(group).collect();
            json!({ "VRM": { "humanoid": { "humanBones": bones }, "blendShapeMaster": { "blendShapeGroups": groups } } })
        } else {
            let one = |(i, (name, _, gain)): (usize, &(&str, [f32; 2], f32))| {
                let bind = json!({ "node": 2, "index": i, "weight": gain });
                ((*name).to_owned(), json!({ "morphTargetBinds": [bind] }))
            };
            let preset: serde_json::Map<_, _> = self.expressions.iter().enumerate().map(one).collect();
            let bones = json!({ "hips": { "node": 0 }, "head": { "node": 1 } });
            json!({ "VRMC_vrm": {
                "specVersion": "1.0", "humanoid": { "humanBones": bones }, "expressions": { "preset": preset },
            } })
        }
    }

    fn glb(&self) -> Vec<u8> {
        let (json, bin) = self.parts();
        glb(&json, &bin)
    }
}

fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut body = Vec::new();
    for (kind, data) in [(b"JSON", text.as_slice()), (b"BIN\0", bin)] {
        body.extend((data.len() as u32).to_le_bytes());
        body.extend_from_slice(kind);
        body.extend_from_slice(data);
    }
    [&b"glTF\x02\0\0\0"[..], &(12 + body.len() as u32).to_le_bytes(), &body].concat()
}

fn each(left: f32, right: f32) -> Vec<(&'static str, [f32; 2], f32)> {
    vec![("blinkLeft", [1.0 / left, 0.0], 1.0), ("blinkRight", [0.0, 1.0 / right], 1.0)]
}

#[test]
fn full_closure_is_the_weight_that_covers_the_eye() {
    let check = |(is_vrm_0, with_lash): (bool, bool), expressions: Vec<_>, expected: [f32; 2]| {
        let map = lid_map(&Avatar { is_vrm_0, with_lash, expressions: expressions.clone() }.glb());
        let apart = |eye: usize| (map.full_closure[eye] - expected[eye]).abs();
        assert!(map.measured && apart(0) < 0.02 && apart(1) < 0.02, "{expressions:?}: {map:?}");
    };
    for kind in [(true, false), (false, false), (false, true)] {
        check(kind, each(0.7, 0.7), [0.7, 0.7]);
        check(kind, each(0.7, 0.4), [0.7, 0.4]);
        check(kind, each(1.0, 0.55), [1.0, 0.55]);
        // Both lids in one expression, and a bind weight below 1.
        check(kind, vec![("blink", [1.0 / 0.7, 1.0 / 0.9], 1.0)], [0.7, 0.9]);
        check(kind, vec![("blink", [1.0 / 0.7, 1.0 / 0.9], 0.5)], [0.7, 0.9]);
        // A blink that leaves a third of the eye open is complete only at weight 1.
        check(kind, each(1.5, 1.5), [1.0, 1.0]);
    }
}

#[test]
fn other_expressions_are_measured_by_what_they_hide() {
    for is_vrm_0 in [true, false] {
        let mut expressions = each(0.8, 0.8);
        expressions.push(("happy", [0.5, 0.25], 1.0));
        expressions.push(("surprised", [-0.2, -0.2], 1.0));
        expressions.push(("neutral", [0.0, 0.0], 1.0));
        let avatar = read(&Avatar { is_vrm_0, with_lash: false, expressions }.glb());
        let rig = avatar.humanoid.as_ref().unwrap().rig();
        for (name, expected) in [
            ("blinkLeft", [1.0, 0.0]),
            ("blinkRight", [0.0, 1.0]),
            ("happy", [0.5, 0.25]),
            ("surprised", [-0.2, -0.2]),
            ("neutral", [0.0, 0.0]),
        ] {
            let index = rig.channel_index(&Channel::from(name.to_owned())).unwrap();
            let found = rig.lid_map().closing[index];
            let apart = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(apart < 0.03, "{name}: {found:?} for {expected:?}");
        }
    }
}

#[test]
fn an_unmeasurable_face_falls_back_to_names() {
    let (json, bin) = Avatar { is_vrm_0: false, with_lash: false, expressions: each(0.7, 0.7) }.parts();
    let primitive = "/meshes/0/primitives/0";
    let bad_numbers = |from: usize, number: f32| {
        let mut bin = bin.clone();
        bin[from..].chunks_exact_mut(4).for_each(|n| n.copy_from_slice(&number.to_le_bytes()));
        bin
    };
    let check = |pointer: &str, value: Value, bin: &[u8]| {
        let mut json = json.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        json.pointer_mut(parent).unwrap()[key] = value.clone();
        let map = lid_map(&glb(&json, bin));
        assert!(!map.measured, "{pointer} = {value}: {map:?}");
        assert_eq!((map.full_closure, map.closing), ([1.0; 2], vec![[1.0, 0.0], [0.0, 1.0]]));
    };
    for (key, value) in [
        ("mode", json!(5)),
        ("mode", json!("x")),
        ("indices", json!(1)),
        ("indices", json!(77)),
        ("attributes", json!({})),
        ("attributes", json!({ "POSITION": 0 })),
    ] {
        check(&format!("{primitive}/{key}"), value, &bin);
    }
    for (accessor, key, value) in [
        (0, "count", json!(1_000_000_000)),
        (1, "count", json!(23)),
        (1, "type", json!("VEC2")),
        (2, "bufferView", json!(99)),
        (2, "componentType", json!(5121)),
    ] {
        // The right eye alone could still be measured.
        let both = |mut json: Value| {
            json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 2 }, { "POSITION": 2 }]);
            json
        };
        let mut json = both(json.clone());
        json["accessors"][accessor][key] = value.clone();
        let map = lid_map(&glb(&json, &bin));
        assert!(!map.measured, "accessor {accessor} {key} = {value}: {map:?}");
    }
    for number in [f32::NAN, f32::INFINITY, 3e38, 0.0] {
        check("/nodes/2/name", json!("places and moves"), &bad_numbers(4 * 72, number));
        check("/nodes/2/name", json!("moves"), &bad_numbers(4 * 72 + 12 * 36, number));
    }
    check("/nodes/2/scale", json!([0, 0, 0]), &bin);
    check("/nodes/2/scale", json!([3e38, 3e38, 3e38]), &bin);
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)
    ) {
        let (json, mut bin) = Avatar { is_vrm_0: false, with_lash: false, expressions: each(0.7, 0.7) }.parts();
        for (at, byte) in edits {
            let at = at.index(bin.len());
            bin[at] = byte;
        }
        let map = lid_map(&glb(&json, &bin));
        prop_assert!(map.full_closure.iter().all(|w| (0.05..=1.0).contains(w)));
        prop_assert!(map.closing.iter().flatten().all(|c| (-1.0..=1.0).contains(c)));
    }
}

/// An avatar without a blink expression whose lids are moved by bones in the middle of each eye. Their edges are 20°
/// above and below the horizon.
fn avatar_with_lid_bones(with_skin_on_lids: bool) -> Vec<u8> {
    let names = ["hips", "head", "eyelid_upper.L", "eyelid_lower.L", "eyelid_upper.R", "eyelid_lower.R"];
    let (radius, rise) = (0.0141_f32, 20_f32.to_radians());
    let edge = |y: f32| [radius * (y * tan32(rise)), radius];
    let mut places: Vec<[f32; 3]> = Vec::new();
    let mut joints: Vec<[u8; 4]> = Vec::new();
    for (joint, name) in names.iter().enumerate().skip(2) {
        let x = if name.ends_with('L') { 0.03 } else { -0.03 };
        let [y, z] = edge(if name.contains("upper") { 1.0 } else { -1.0 });
        for dx in [-0.01, 0.0, 0.01] {
            places.push([x + dx, EYES_Y + y, 0.07 + z]);
            joints.push([if with_skin_on_lids { joint as u8 } else { 1 }, 0, 0, 0]);
        }
    }
    let floats = |list: &[f32]| list.iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<u8>>();
    // The axes of the head are rotated; the lids must close anyway.
    let turn = |joint: usize| if joint == 0 { Quat::IDENTITY } else { Quat::from_rotation_z(1.0) };
    let bind = |(joint, place): (usize, &[f32; 3])| {
        Mat4::from_rotation_translation(turn(joint), Vec3::from(*place)).inverse().to_cols_array()
    };
    let lid = |x: f32| [x, EYES_Y, 0.07];
    let rests = [[0.0, 1.0, 0.0], [0.0, 1.4, 0.0], lid(0.03), lid(0.03), lid(-0.03), lid(-0.03)];
    let lists = [
        floats(&places.concat()),
        joints.concat(),
        floats(&[1.0, 0.0, 0.0, 0.0].repeat(places.len())),
        floats(&rests.iter().enumerate().map(bind).collect::<Vec<_>>().concat()),
    ];
    let (mut bin, mut views) = (Vec::new(), Vec::new());
    for list in &lists {
        views.push(json!({ "buffer": 0, "byteOffset": bin.len(), "byteLength": list.len() }));
        bin.extend_from_slice(list);
    }
    let nodes: Vec<Value> = (names.iter().zip(rests).enumerate())
        .map(|(i, (name, rest))| {
            let (above, axes) = [([0.0; 3], 0), (rests[0], 0)].get(i).copied().unwrap_or((rests[1], 1));
            let place = turn(axes).inverse() * (Vec3::from(rest) - Vec3::from(above));
            json!({ "name": name, "translation": place.to_array() })
        })
        .chain([json!({ "name": "face", "mesh": 0, "skin": 0 })])
        .collect();
    let mut json = json!({
        "asset": { "version": "2.0" }, "buffers": [{ "byteLength": bin.len() }], "bufferViews": views,
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 12, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 12, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5126, "count": 12, "type": "VEC4" },
            { "bufferView": 3, "componentType": 5126, "count": 6, "type": "MAT4" },
        ],
        "nodes": nodes, "scenes": [{ "nodes": [0, 6] }],
        "skins": [{ "joints": [0, 1, 2, 3, 4, 5], "inverseBindMatrices": 3 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 } }] }],
        "extensions": { "VRMC_vrm": {
            "specVersion": "1.0", "humanoid": { "humanBones": { "hips": { "node": 0 }, "head": { "node": 1 } } },
        } },
    });
    json["nodes"][0]["children"] = json!([1]);
    json["nodes"][1]["children"] = json!([2, 3, 4, 5]);
    json["nodes"][1]["rotation"] = json!(turn(1).to_array());
    glb(&json, &bin)
}

fn blinking(rig: &Rig) -> Clip {
    let mut clip = Clip::new("blink", 30.0, 3, rig.hips_height()).unwrap();
    for frame in 0..3 {
        clip.set_root(frame, Vec3::Y);
    }
    for (name, weights) in [("blinkLeft", [0.0, 1.0, 0.5]), ("blinkRight", [0.0, 0.5, 0.0])] {
        clip.add_channel(Channel::from(name.to_owned()), &weights).unwrap();
    }
    clip
}

/// Downward rotation of each lid in degrees, in the second and the third frame.
fn lid_turns(bytes: &[u8]) -> Vec<(String, [f32; 2])> {
    let import = read(bytes);
    let nodes = import.source.scene.nodes();
    let world = import.source.scene.rest_world();
    let mut found = Vec::new();
    for (node, track) in &import.source.clips[0].rotations {
        let node = &nodes[*node];
        let above = node.parent.map_or(Quat::IDENTITY, |parent| world[parent].rotation);
        let turned = |frame: usize| above * rotation_vector(track[frame] * node.rest.rotation.inverse());
        assert!(turned(1).yz().length() < 1e-3, "{}", node.name);
        if node.name.starts_with("eyelid") {
            found.push((node.name.clone(), [1, 2].map(|frame| turned(frame).x.to_degrees())));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn lid_bones_rotate_without_a_blink_expression() {
    for (with_skin_on_lids, upper) in [(true, 32.0), (false, 35.0)] {
        let bytes = avatar_with_lid_bones(with_skin_on_lids);
        let avatar = read(&bytes);
        let humanoid = avatar.humanoid.as_ref().unwrap();
        let rig = humanoid.rig();
        assert_eq!(rig.abilities().lids, LidControl::Bones);
        assert_eq!(rig.channels().iter().map(Channel::name).collect::<Vec<_>>(), ["blinkLeft", "blinkRight"]);
        assert_eq!(rig.lid_map().closing, [[1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(rig.lid_bones().len(), 4);
        let (clip, mut warnings) = (blinking(rig), Vec::new());
        let clips = [clip];
        let on_avatar =
            gltf::write_on_avatar(&bytes, &avatar.source, humanoid, &clips, &mut no_files, &mut warnings)
                .unwrap();
        let skeleton = gltf::write_skeleton(rig, &clips, &mut warnings).unwrap();
        assert!(warnings.iter().all(|w| w.place != "expressions"), "{warnings:?}");
        let lower = -0.25 * upper;
        for written in [on_avatar, skeleton] {
            for ((name, turns), expected) in lid_turns(&written).iter().zip([
                ("eyelid_lower.L", [lower, 0.5 * lower]),
                ("eyelid_lower.R", [0.5 * lower, 0.0]),
                ("eyelid_upper.L", [upper, 0.5 * upper]),
                ("eyelid_upper.R", [0.5 * upper, 0.0]),
            ]) {
                assert_eq!(name, expected.0);
                let apart = (turns[0] - expected.1[0]).abs().max((turns[1] - expected.1[1]).abs());
                assert!(apart < 0.05, "{name}: {turns:?} for {expected:?}");
            }
            assert_eq!(lid_turns(&written).len(), 4);
        }
        let vrma = read(&gltf::write_vrma(rig, &clips[0], &mut warnings).unwrap());
        let names: Vec<&str> = vrma.clips[0].channels().iter().map(Channel::name).collect();
        assert_eq!(names, ["blinkLeft", "blinkRight"]);
    }
}

#[test]
fn measurements_of_real_faces_are_plausible() {
    let Some(folder) = vivant_testing::data("avatars") else { return };
    // Faces whose lids overlap early, just meet or never meet: the ranges of the full closure, and of the closure by
    // expressions at weight 1.
    for (file, closed, moods) in [
        ("vrm0/Godette.vrm", 0.85..0.97, &[("angry", 0.1..0.4), ("happy", -0.1..0.1)][..]),
        ("vrm0/100Avatars_001_Crimsom.vrm", 0.95..1.01, &[]),
        ("vrm0/catbot.vrm", 0.95..1.01, &[]),
        ("fbx/Seed-san.fbx", 0.75..0.9, &[("happy", 0.9..1.1), ("relaxed", 0.9..1.1), ("sad", 0.2..0.5)]),
        (
            "fbx/Male_Adult_01_facial.fbx",
            0.9..1.01,
            &[("eyeSquintLeft", 0.15..0.5), ("eyeWideLeft", -0.4..-0.05)],
        ),
        (
            "fbx/Female_Adult_01_facial.fbx",
            0.9..1.01,
            &[("eyeSquintLeft", 0.15..0.5), ("eyeWideLeft", -0.4..-0.05)],
        ),
    ] {
        if file.ends_with("fbx") && !cfg!(feature = "fbx") {
            continue;
        }
        let avatar = read(&std::fs::read(folder.join(file)).unwrap());
        let rig = avatar.humanoid.as_ref().unwrap().rig();
        let map = rig.lid_map();
        assert!(map.measured && map.full_closure.iter().all(|w| closed.contains(w)), "{file}: {map:?}");
        for (name, expected) in moods {
            let index = rig.channel_index(&Channel::from((*name).to_owned())).unwrap();
            assert!(expected.contains(&map.closing[index][0]), "{file} {name}: {:?}", map.closing[index]);
        }
    }
}

/// Binary blinks of one eye are steps; if there is a smooth blink for both eyes, it is used.
#[test]
fn a_smooth_blink_is_preferred_to_binary_ones() {
    let avatar = Avatar {
        is_vrm_0: false,
        with_lash: false,
        expressions: vec![
            ("blinkLeft", [1.0, 0.0], 1.0),
            ("blinkRight", [0.0, 1.0], 1.0),
            ("blink", [1.25, 1.25], 1.0),
        ],
    };
    let (mut json, bin) = avatar.parts();
    for name in ["blinkLeft", "blinkRight"] {
        json["extensions"]["VRMC_vrm"]["expressions"]["preset"][name]["isBinary"] = json!(true);
    }
    let import = read(&glb(&json, &bin));
    let rig = import.humanoid.unwrap().rig().clone();
    let closing =
        |name: &str| rig.lid_map().closing[rig.channel_index(&Channel::from(name.to_owned())).unwrap()];
    assert_eq!((closing("blinkLeft"), closing("blinkRight")), ([0.0; 2], [0.0; 2]));
    assert!(closing("blink").iter().all(|amount| *amount > 0.99));
    assert!(rig.lid_map().full_closure.iter().all(|weight| (weight - 0.8).abs() < 0.05));
}
