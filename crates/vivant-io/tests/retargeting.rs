//! Checks that limbs of a converted clip point in the same direction as those of the recording.
//!
//! Both sides are computed independently: the recording from its own text or node tracks with matrices; the converted
//! clip from the JSON of the written VRMA.

#![allow(clippy::print_stderr, reason = "tests print what they skip and measure")]

use glam::{Mat4, Quat, Vec3};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use vivant::math::angle_between;
use vivant_io::scene::Source;
use vivant_io::{Import, gltf, import};

/// Joint positions per frame, by VRM bone name.
type Positions = Vec<HashMap<String, Vec3>>;

const LIMBS: [(&str, &str); 9] = [
    ("leftUpperArm", "leftLowerArm"),
    ("leftLowerArm", "leftHand"),
    ("rightUpperArm", "rightLowerArm"),
    ("rightLowerArm", "rightHand"),
    ("leftUpperLeg", "leftLowerLeg"),
    ("leftLowerLeg", "leftFoot"),
    ("rightUpperLeg", "rightLowerLeg"),
    ("rightLowerLeg", "rightFoot"),
    ("neck", "head"),
];

fn data(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Some(folder) = vivant_testing::data(folder) else { return Vec::new() };
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == ending));
    files.sort();
    assert!(!files.is_empty(), "{} has no .{ending}", folder.display());
    files
}

fn load(file: &Path) -> Import {
    let bytes = std::fs::read(file).unwrap();
    import(&file.display().to_string(), &bytes, &mut |_| unreachable!()).unwrap()
}

fn vrma(import: &Import) -> Vec<u8> {
    let rig = import.humanoid.as_ref().unwrap().rig();
    let (clip, _) = import.clips[0].fitted_to(rig);
    gltf::write_vrma(rig, &clip, &mut Vec::new()).unwrap()
}

#[test]
fn cmu_captures_keep_their_directions() {
    for file in data("mocap/bvh_cmu", "bvh") {
        let import = load(&file);
        let source = bvh_positions(&std::fs::read_to_string(&file).unwrap(), &import);
        check(&file, &source, &vrma_positions(&vrma(&import)));
    }
}

#[test]
fn rocketbox_clips_keep_their_directions() {
    for file in data("mocap/fbx_rocketbox", "fbx") {
        let import = load(&file);
        check(&file, &track_positions(&import), &vrma_positions(&vrma(&import)));
    }
}

/// Checks that the direction of each limb differs by less than 2° on average and 5° at the 99th percentile.
fn check(file: &Path, source: &Positions, converted: &Positions) {
    assert_eq!(source.len(), converted.len(), "{}", file.display());
    for (bone, next) in LIMBS {
        let direction = |places: &HashMap<String, Vec3>| (places[next] - places[bone]).normalize();
        let apart = |(a, b)| direction(a).angle_between(direction(b)).to_degrees();
        let mut errors: Vec<f32> = source.iter().zip(converted).map(apart).collect();
        errors.sort_by(f32::total_cmp);
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        let high = errors[(errors.len() - 1) * 99 / 100];
        assert!(mean < 2.0 && high < 5.0, "{}: {bone} is {mean}° off, {high}° at worst", file.display());
    }
}

/// Joint positions of a BVH from its text: channels in order, angles in degrees, parents before children.
fn bvh_positions(text: &str, import: &Import) -> Positions {
    struct Joint {
        name: String,
        parent: Option<usize>,
        offset: Vec3,
        channels: Vec<String>,
    }
    let mut joints: Vec<Joint> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    let mut lines = text.lines().map(str::trim);
    for line in lines.by_ref() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ROOT" | "JOINT", name] => joints.push(Joint {
                name: (*name).to_owned(),
                parent: above.last().copied(),
                offset: Vec3::ZERO,
                channels: Vec::new(),
            }),
            ["End", ..] => joints.push(Joint {
                name: String::new(),
                parent: above.last().copied(),
                offset: Vec3::ZERO,
                channels: Vec::new(),
            }),
            ["{"] => above.push(joints.len() - 1),
            ["}"] => drop(above.pop()),
            ["OFFSET", rest @ ..] => {
                let numbers: Vec<f32> = rest.iter().map(|n| n.parse().unwrap()).collect();
                joints.last_mut().unwrap().offset = Vec3::from_slice(&numbers);
            }
            ["CHANNELS", _, names @ ..] => {
                joints.last_mut().unwrap().channels = names.iter().map(|n| (*n).to_owned()).collect();
            }
            ["MOTION"] => break,
            _ => {}
        }
    }
    let map = import.humanoid.as_ref().unwrap().map();
    let names: HashMap<String, String> = map
        .iter()
        .map(|(bone, node)| (import.source.scene.nodes()[node].name.clone(), bone.name().to_owned()))
        .collect();
    let mut frames = Vec::new();
    for line in lines.skip(2).filter(|line| !line.is_empty()) {
        let mut numbers = line.split_whitespace().map(|n| n.parse::<f32>().unwrap());
        let mut world: Vec<Mat4> = Vec::new();
        let mut places = HashMap::new();
        for joint in &joints {
            let mut place = joint.offset;
            let mut rotation = Mat4::IDENTITY;
            for channel in &joint.channels {
                let number = numbers.next().unwrap();
                match channel.as_str() {
                    "Xposition" => place.x = number,
                    "Yposition" => place.y = number,
                    "Zposition" => place.z = number,
                    "Xrotation" => rotation *= Mat4::from_rotation_x(number.to_radians()),
                    "Yrotation" => rotation *= Mat4::from_rotation_y(number.to_radians()),
                    "Zrotation" => rotation *= Mat4::from_rotation_z(number.to_radians()),
                    other => panic!("{other}"),
                }
            }
            let local = Mat4::from_translation(place) * rotation;
            let matrix = joint.parent.map_or(local, |p| world[p] * local);
            world.push(matrix);
            if let Some(bone) = names.get(&joint.name) {
                places.insert(bone.clone(), matrix.w_axis.truncate());
            }
        }
        frames.push(places);
    }
    frames
}

/// Joint positions of any source from its node tracks, with matrices.
fn track_positions(import: &Import) -> Positions {
    let Source { scene, clips, .. } = &import.source;
    let clip = &clips[0];
    let map = import.humanoid.as_ref().unwrap().map();
    let mut frames = Vec::new();
    for frame in 0..clip.frames {
        let mut local: Vec<_> = scene.nodes().iter().map(|n| n.rest).collect();
        for (node, track) in &clip.rotations {
            local[*node].rotation = track[frame];
        }
        for (node, track) in &clip.translations {
            local[*node].translation = track[frame];
        }
        let mut world = vec![Mat4::IDENTITY; local.len()];
        for &node in scene.order() {
            let t = local[node];
            let matrix = Mat4::from_scale_rotation_translation(t.scale, t.rotation, t.translation);
            world[node] = scene.nodes()[node].parent.map_or(matrix, |p| world[p] * matrix);
        }
        let place = |node: usize| world[node].w_axis.truncate();
        frames.push(map.iter().map(|(bone, node)| (bone.name().to_owned(), place(node))).collect());
    }
    frames
}

/// Joint positions of a VRMA from its JSON and binary chunks; tracks of two keys are constant.
fn vrma_positions(glb: &[u8]) -> Positions {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let binary = &glb[28 + length..];
    let floats = |accessor: &Value| -> Vec<f32> {
        let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let begin = offset(view) + offset(accessor);
        let count = width * accessor["count"].as_u64().unwrap() as usize;
        binary[begin..][..4 * count].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let nodes = json["nodes"].as_array().unwrap();
    let mut parent = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parent[child.as_u64().unwrap() as usize] = Some(index);
        }
    }
    let vector = |value: &Value| -> Option<Vec3> {
        let list = value.as_array()?;
        Some(Vec3::from_slice(&list.iter().map(|n| n.as_f64().unwrap() as f32).collect::<Vec<_>>()))
    };
    let animation = &json["animations"][0];
    let mut turns: HashMap<usize, Vec<f32>> = HashMap::new();
    let mut moves: HashMap<usize, Vec<f32>> = HashMap::new();
    for channel in animation["channels"].as_array().unwrap() {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let node = channel["target"]["node"].as_u64().unwrap() as usize;
        let values = floats(&sampler["output"]);
        match channel["target"]["path"].as_str().unwrap() {
            "rotation" => turns.insert(node, values),
            _ => moves.insert(node, values),
        };
    }
    let bones = json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"].as_object().unwrap();
    let hips = bones["hips"]["node"].as_u64().unwrap() as usize;
    let frames = moves[&hips].len() / 3;
    let key = |values: &Vec<f32>, frame: usize, width: usize| {
        let frame = frame.min(values.len() / width - 1);
        values[frame * width..][..width].to_vec()
    };
    (0..frames)
        .map(|frame| {
            let local = |node: usize| {
                let rest = vector(&nodes[node]["translation"]).unwrap_or_default();
                let place = moves.get(&node).map_or(rest, |m| Vec3::from_slice(&key(m, frame, 3)));
                let turn = turns.get(&node).map_or(Quat::IDENTITY, |t| Quat::from_slice(&key(t, frame, 4)));
                Mat4::from_rotation_translation(turn, place)
            };
            let world = |node: usize| {
                let mut matrix = local(node);
                let mut above = parent[node];
                while let Some(node) = above {
                    matrix = local(node) * matrix;
                    above = parent[node];
                }
                matrix.w_axis.truncate()
            };
            let node = |bone: &Value| bone["node"].as_u64().unwrap() as usize;
            bones.iter().map(|(name, bone)| (name.clone(), world(node(bone)))).collect()
        })
        .collect()
}

/// A BVH through VRMA and back, and a VRMA through GLB and back, stay within 0.1° in every bone.
#[test]
fn round_trips_keep_every_rotation() {
    for file in data("mocap/bvh_cmu", "bvh")
        .into_iter()
        .chain(data("mocap/bvh_other", "bvh"))
        .chain(data("avatars/vrma", "vrma"))
    {
        let first = load(&file);
        let read = |name: &str, bytes: &[u8]| import(name, bytes, &mut |_| unreachable!()).unwrap();
        let second = read("a.vrma", &vrma(&first));
        let rig = second.humanoid.as_ref().unwrap().rig();
        let (clip, _) = second.clips[0].fitted_to(rig);
        let bvh = read("b.bvh", vivant_io::bvh::write(rig, &clip, &mut Vec::new()).as_bytes());
        let glb = read("c.glb", &gltf::write_skeleton(rig, &[clip], &mut Vec::new()).unwrap());
        let again = read("d.vrma", &vrma(&glb));
        for (way, other) in [("BVH", &bvh), ("GLB", &glb), ("GLB to VRMA", &again)] {
            check_same_rotations(&file, way, &second, other);
        }
    }
}

fn check_same_rotations(file: &Path, way: &str, a: &Import, b: &Import) {
    let (x, y) = (&a.clips[0], &b.clips[0]);
    assert_eq!(x.frames(), y.frames(), "{} by {way}", file.display());
    assert_eq!(x.rate(), y.rate(), "{} by {way}", file.display());
    for frame in (0..x.frames()).step_by(7) {
        for bone in x.bones().iter() {
            let apart = angle_between(x.rotation(frame, bone), y.rotation(frame, bone)).to_degrees();
            assert!(apart < 0.1, "{} by {way}: {bone:?} is {apart}° off at frame {frame}", file.display());
        }
        let moved = x.root(frame).distance(y.root(frame));
        assert!(moved < 1e-3, "{} by {way}: the hips are {moved} m off at frame {frame}", file.display());
    }
}

/// A retargeted clip can be played on the nodes it came from.
#[test]
fn a_clip_can_be_played_on_its_own_nodes() {
    for file in data("mocap/fbx_rocketbox", "fbx").into_iter().take(4).chain(data("mocap/bvh_other", "bvh")) {
        let import = load(&file);
        let humanoid = import.humanoid.as_ref().unwrap();
        let clip = &import.clips[0];
        let source = track_positions(&import);
        for frame in (0..clip.frames()).step_by(11) {
            let pose = vivant::pose::Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
            let locals = humanoid.node_locals(&import.source, &pose);
            let world = import.source.scene.world(&locals);
            for (bone, next) in LIMBS {
                let node = |name: &str| humanoid.map().node(vivant::rig::Bone::from_name(name).unwrap());
                let (Some(a), Some(b)) = (node(bone), node(next)) else { continue };
                let shown = (world[b].translation - world[a].translation).normalize();
                let meant = (source[frame][next] - source[frame][bone]).normalize();
                let apart = shown.angle_between(meant).to_degrees();
                assert!(apart < 2.0, "{}: {bone} is {apart}° off at frame {frame}", file.display());
            }
        }
    }
}
