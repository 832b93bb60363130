//! Real files: each one loads or reports an error, and humanoids are complete.

#![allow(missing_docs, reason = "tests")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use vivant::rig::Bone;

/// Folders of humanoids; true if each file must have motion.
const HUMANOIDS: [(&str, bool); 8] = [
    ("avatars/vrm0", false),
    ("avatars/vrm1", false),
    ("avatars/fbx", false),
    ("avatars/glb", true),
    ("avatars/vrma", true),
    ("mocap/bvh_cmu", true),
    ("mocap/bvh_other", true),
    ("mocap/fbx_rocketbox", true),
];

/// Folders with files that may not be humanoids.
const OTHERS: [&str; 1] = ["mocap/fbx_other"];

fn data() -> Option<PathBuf> {
    vivant_testing::data("")
}

/// Returns the output of `vivant inspect --json` for every file in a folder.
fn inspected(folder: &Path) -> Vec<(PathBuf, Value)> {
    let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        list.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let found = inspect(&path);
            (path, found)
        })
        .collect()
}

fn inspect(path: &Path) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_vivant")).arg("inspect").arg(path).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{}: {e}: {output:?}", path.display()))
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "txt")
}

#[test]
fn all_required_bones_of_every_humanoid_are_found() {
    let Some(data) = data() else { return };
    for (folder, moves) in HUMANOIDS {
        for (path, found) in inspected(&data.join(folder)).into_iter().filter(|(path, _)| !is_text(path)) {
            for bone in Bone::ALL.into_iter().filter(|b| b.is_required()) {
                let node = found["humanoid"][bone.name()].as_str().unwrap_or_default();
                assert!(!node.is_empty(), "{}: no {}", path.display(), bone.name());
            }
            let clips = found["clips"].as_array().unwrap();
            assert!(!moves || !clips.is_empty(), "{}: no clip", path.display());
            for clip in clips {
                assert!(clip["seconds"].as_f64() > Some(0.0) && clip["rate"].as_f64() > Some(0.0), "{clip}");
            }
        }
    }
}

#[test]
fn every_other_file_loads_or_reports_an_error() {
    let Some(data) = data() else { return };
    let folders = OTHERS.into_iter().chain(HUMANOIDS.map(|(folder, _)| folder));
    for (path, found) in folders.flat_map(|folder| inspected(&data.join(folder))) {
        match found["error"].as_str() {
            Some(error) => assert!(
                error.contains(path.to_str().unwrap()) && error.len() > 40 + path.as_os_str().len(),
                "{error}"
            ),
            None => {
                let whole = Bone::ALL
                    .iter()
                    .filter(|b| b.is_required())
                    .all(|b| found["humanoid"][b.name()].is_string());
                let warned = !found["warnings"].as_array().unwrap().is_empty();
                assert!(whole || warned, "{}: neither complete nor with a warning", path.display());
            }
        }
    }
}
