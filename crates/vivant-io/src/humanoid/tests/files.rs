//! Tests with real files, if available. Names, hierarchy and positions are read here with minimal code, independent
//! of the readers.

use super::*;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The files with this extension in a folder of the test data.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Some(folder) = vivant_testing::data(folder) else { return Vec::new() };
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == ending));
    files.sort();
    files
}

/// The joints of a BVH file's hierarchy.
fn bvh_joints(text: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open = Vec::new();
    for line in text.lines().take_while(|l| l.trim() != "MOTION") {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["ROOT" | "JOINT" | "End", name] => {
                let parent = open.last().copied();
                let is_joint = words[0] != "End";
                nodes.push(Node { name: name.to_owned(), parent, rest: Transform::IDENTITY, is_joint });
            }
            ["OFFSET", x, y, z] => {
                let at = [x, y, z].map(|v| v.parse().expect("a number"));
                nodes.last_mut().expect("a joint").rest.translation = Vec3::from(at);
            }
            ["{"] => open.push(nodes.len() - 1),
            ["}"] => drop(open.pop()),
            _ => {}
        }
    }
    nodes
}

/// The JSON of a GLB file.
fn glb_json(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn glb_nodes(json: &Value) -> Vec<Node> {
    let floats = |v: &Value| list(v).iter().filter_map(Value::as_f64).map(|f| f as f32).collect::<Vec<_>>();
    let rest = |node: &Value| Transform {
        translation: floats(&node["translation"]).try_into().map_or(Vec3::ZERO, Vec3::from_array),
        rotation: floats(&node["rotation"]).try_into().map_or(Quat::IDENTITY, Quat::from_array),
        scale: Vec3::ONE,
    };
    let name = |node: &Value| node["name"].as_str().unwrap_or_default().to_owned();
    let node = |n: &Value| Node { name: name(n), parent: None, rest: rest(n), is_joint: false };
    let mut nodes: Vec<_> = list(&json["nodes"]).iter().map(node).collect();
    for (parent, node) in list(&json["nodes"]).iter().enumerate() {
        list(&node["children"]).iter().for_each(|c| nodes[index(c)].parent = Some(parent));
    }
    for joint in list(&json["skins"]).iter().flat_map(|skin| list(&skin["joints"])) {
        nodes[index(joint)].is_joint = true;
    }
    nodes
}

/// The bones that a VRM file states, by VRM 1.0's names.
fn own_bones(json: &Value) -> Vec<(Bone, usize)> {
    let vrm1 = json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].as_object().into_iter().flatten();
    let vrm1 = vrm1.filter_map(|(name, bone)| Some((Bone::from_name(name)?, index(&bone["node"]))));
    let vrm0 = list(&json["extensions"]["VRM"]["humanoid"]["humanBones"]).iter();
    let vrm0 = vrm0.filter_map(|bone| {
        let name = bone["bone"].as_str()?.replace("ThumbProximal", "ThumbMetacarpal");
        let name = name.replace("ThumbIntermediate", "ThumbProximal");
        Some((Bone::from_name(&name)?, index(&bone["node"])))
    });
    vrm1.chain(vrm0).collect()
}

fn check_complete(file: &Path, nodes: Vec<Node>) {
    let (map, warnings, _) = find_and_check(nodes);
    assert_eq!(map.missing(), [], "{}", file.display());
    assert!(warnings.len() <= 1);
}

#[test]
fn every_bvh_file_gives_the_required_bones() {
    for file in [files("mocap/bvh_cmu", "bvh"), files("mocap/bvh_other", "bvh")].concat() {
        let text = std::fs::read(&file).expect("readable");
        check_complete(&file, bvh_joints(&String::from_utf8_lossy(&text)));
    }
}

#[test]
fn every_glb_figure_gives_the_required_bones() {
    for file in files("avatars/glb", "glb") {
        check_complete(&file, glb_nodes(&glb_json(&std::fs::read(&file).expect("readable"))));
    }
}

#[test]
fn names_agree_with_the_bones_of_vrm_files() {
    for file in [files("avatars/vrm0", "vrm"), files("avatars/vrm1", "vrm")].concat() {
        let json = glb_json(&std::fs::read(&file).expect("readable"));
        let (map, _, scene) = find_and_check(glb_nodes(&json));
        let own = own_bones(&json);
        let name = |node: Option<usize>| node.map_or("-", |n| scene.nodes()[n].name.as_str());
        let differ: Vec<_> = own.iter().filter(|(bone, node)| map.node(*bone) != Some(*node)).collect();
        for (bone, node) in &differ {
            let (found, said) = (name(map.node(*bone)), name(Some(*node)));
            eprintln!("{}: {} is {said}, found {found}", file.display(), bone.name());
            assert!(!bone.is_required(), "{}: {}", file.display(), bone.name());
        }
        for (bone, node) in map.iter().filter(|(bone, _)| own.iter().all(|(b, _)| b != bone)) {
            eprintln!("{}: {} is not said, found {}", file.display(), bone.name(), name(Some(node)));
        }
        assert!(
            differ.len() * 6 <= own.len(),
            "{}: {} of {} differ",
            file.display(),
            differ.len(),
            own.len()
        );
    }
}

#[test]
fn bones_are_found_by_shape_without_names() {
    for file in [files("avatars/vrm0", "vrm"), files("avatars/vrm1", "vrm")].concat() {
        let json = glb_json(&std::fs::read(&file).expect("readable"));
        let own = own_bones(&json);
        let mut nodes = glb_nodes(&json);
        nodes.iter_mut().enumerate().for_each(|(i, n)| n.name = i.to_string());
        let (map, ..) = find_and_check(nodes);
        let wrong = own.iter().filter(|(b, n)| b.is_required() && map.node(*b) != Some(*n));
        let wrong: Vec<_> = wrong.map(|(bone, _)| bone.name()).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", file.display());
    }
}

#[test]
fn bones_of_mocap_skeletons_are_found_by_shape() {
    for file in [files("mocap/bvh_cmu", "bvh"), files("mocap/bvh_other", "bvh")].concat() {
        let text = std::fs::read(&file).expect("readable");
        let named = bvh_joints(&String::from_utf8_lossy(&text));
        let (by_name, ..) = find_and_check(named.clone());
        let nameless = named.into_iter().map(|n| Node { name: String::new(), ..n }).collect();
        let (by_shape, ..) = find_and_check(nameless);
        let required = Bone::ALL.into_iter().filter(|b| b.is_required());
        let differ: Vec<_> = required.filter(|b| by_name.node(*b) != by_shape.node(*b)).collect();
        assert!(differ.is_empty(), "{}: {differ:?}", file.display());
    }
}

#[cfg(feature = "fbx")]
mod fbx {
    use super::*;

    fn nodes(bytes: &[u8]) -> Vec<Node> {
        let scene = ufbx::load_memory(bytes, ufbx::LoadOpts::default()).expect("FBX");
        let node = |node: &ufbx::Node| {
            let (t, r) = (node.local_transform.translation, node.local_transform.rotation);
            Node {
                name: node.element.name.to_string(),
                parent: node.parent.as_ref().map(|p| p.element.typed_id as usize),
                rest: Transform {
                    translation: Vec3::new(t.x as f32, t.y as f32, t.z as f32),
                    rotation: Quat::from_xyzw(r.x as f32, r.y as f32, r.z as f32, r.w as f32),
                    scale: Vec3::ONE,
                },
                is_joint: node.bone.is_some(),
            }
        };
        scene.nodes.iter().map(|n| node(n)).collect()
    }

    fn read(folder: &str) -> Vec<(PathBuf, HumanoidMap, Scene)> {
        let read = |file: PathBuf| {
            let (map, _, scene) = find_and_check(nodes(&std::fs::read(&file).expect("readable")));
            (file, map, scene)
        };
        files(folder, "fbx").into_iter().map(read).collect()
    }

    #[test]
    fn every_fbx_character_gives_the_required_bones() {
        for (file, map, scene) in [read("avatars/fbx"), read("mocap/fbx_rocketbox")].concat() {
            assert_eq!(map.missing(), [], "{}", file.display());
            let is_biped = scene.nodes().iter().any(|n| n.name == "Bip01");
            assert_eq!(has_lid_bones(&scene), is_biped, "{}", file.display());
        }
    }

    #[test]
    fn a_sausage_is_not_a_humanoid() {
        for (file, map, _) in read("mocap/fbx_other") {
            if file.to_string_lossy().contains("sausage") {
                assert_eq!(map, HumanoidMap::default(), "{}", file.display());
            }
        }
    }
}
