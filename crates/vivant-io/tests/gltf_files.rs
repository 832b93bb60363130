//! Reads and writes real avatars and motion. The data is not part of the repository; `VIVANT_DATA` is its folder.

#![allow(clippy::print_stderr, reason = "tests print what they skip and measure")]

use glam::{Quat, Vec3};
use std::path::{Path, PathBuf};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::rig::{Bone, BoneSet, Rig};
use vivant_io::retarget::Humanoid;
use vivant_io::scene::{Kind, Source};
use vivant_io::{Error, Result, gltf};

fn no_other_files(path: &str) -> Result<Vec<u8>> {
    Err(Error::new(format!("{path} was not expected to be needed")))
}

/// The files of a folder below `VIVANT_DATA`, sorted.
fn files(folder: &str) -> Vec<PathBuf> {
    let Some(avatars) = vivant_testing::data("avatars") else { return Vec::new() };
    let entries = std::fs::read_dir(avatars.join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(path: &Path) -> (Vec<u8>, Source) {
    let bytes = std::fs::read(path).unwrap();
    assert!(gltf::is_gltf(&bytes), "{}", path.display());
    let source =
        gltf::read(&bytes, &mut no_other_files).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    (bytes, source)
}

/// Saves a result in the build folder, for the validator.
fn keep(name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

/// A clip in which every bone and expression moves differently.
fn everything_moves(rig: &Rig) -> Clip {
    let mut clip = Clip::new("everything", 30.0, 46, rig.hips_height()).unwrap();
    for frame in 0..clip.frames() {
        let t = frame as f32 / 30.0;
        for bone in rig.bones().iter() {
            let axis = Vec3::new(1.0, bone.index() as f32 - 20.0, t).normalize();
            clip.set_rotation(frame, bone, Quat::from_axis_angle(axis, 0.4 * t * (bone.index() % 3) as f32));
        }
        clip.set_root(frame, rig.rest_position(Bone::Hips) + Vec3::new(0.1 * t, -0.05 * t, 0.3 * t));
    }
    for (i, channel) in rig.channels().iter().enumerate() {
        let weights: Vec<f32> = (0..46).map(|f| ((f + 3 * i) % 46) as f32 / 45.0).collect();
        clip.add_channel(channel.clone(), &weights).unwrap();
    }
    clip
}

/// The largest angle, in radians, between two clips over the bones that both move.
fn largest_angle(a: &Clip, b: &Clip, bones: BoneSet) -> f32 {
    assert_eq!((a.frames(), a.rate()), (b.frames(), b.rate()));
    let angles = (0..a.frames()).flat_map(|f| bones.iter().map(move |bone| (f, bone)));
    angles.map(|(f, bone)| angle_between(a.rotation(f, bone), b.rotation(f, bone))).fold(0.0, f32::max)
}

fn read_back(bytes: &[u8]) -> (Source, Clip) {
    let source = gltf::read(bytes, &mut no_other_files).unwrap();
    let mut warnings = Vec::new();
    let humanoid = Humanoid::new(&source, &mut warnings).unwrap();
    let clip = humanoid.retarget(&source, source.clips.last().unwrap(), &mut warnings).unwrap();
    (source, clip)
}

fn check_avatar(path: &Path, kind: Kind) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let (bytes, source) = read(path);
    assert_eq!(source.kind, kind, "{name}");
    assert_eq!(source.humanoid.missing(), [], "{name}");
    let mut warnings = Vec::new();
    let humanoid = Humanoid::new(&source, &mut warnings).unwrap();
    let rig = humanoid.rig();
    let clip = everything_moves(rig);
    let body = rig.bones().minus([Bone::LeftEye, Bone::RightEye].into_iter().collect());

    let vrma = gltf::write_vrma(rig, &clip, &mut warnings).unwrap();
    keep(&format!("{name}.vrma"), &vrma);
    let (_, from_vrma) = read_back(&vrma);
    assert!(
        largest_angle(&clip, &from_vrma, body) < 1e-5,
        "{name}: {}",
        largest_angle(&clip, &from_vrma, body)
    );

    let skeleton = gltf::write_skeleton(rig, &[clip.clone(), clip.clone()], &mut warnings).unwrap();
    keep(&format!("{name}.skeleton.glb"), &skeleton);

    let clips = [clip.clone()];
    let avatar =
        gltf::write_on_avatar(&bytes, &source, &humanoid, &clips, &mut no_other_files, &mut warnings)
            .unwrap();
    keep(&format!("{name}.animated.glb"), &avatar);
    let (again, from_avatar) = read_back(&avatar);
    assert_eq!(again.scene, source.scene, "{name}");
    assert_eq!(again.expressions, source.expressions, "{name}");
    let apart = largest_angle(&clip, &from_avatar, rig.bones());
    assert!(apart < 1e-3, "{name}: {apart}");
    for frame in 0..clip.frames() {
        let off = from_avatar.root(frame).distance(clip.root(frame));
        assert!(off < 1e-4, "{name} at {frame}: {off}");
    }
    eprintln!("{name}: {} bones, {} expressions, {apart:.1e} rad", rig.bones().len(), rig.channels().len());
    for warning in source.warnings.iter().chain(&warnings) {
        eprintln!("    {:?} {warning}", warning.code);
    }
}

#[test]
fn every_vrm_0_is_read_and_animated() {
    files("vrm0").iter().for_each(|path| check_avatar(path, Kind::Vrm0));
}

#[test]
fn every_vrm_1_is_read_and_animated() {
    files("vrm1").iter().for_each(|path| check_avatar(path, Kind::Vrm1));
}

#[test]
fn every_plain_glb_is_read_and_animated() {
    files("glb").iter().for_each(|path| check_avatar(path, Kind::Gltf));
}

#[test]
fn every_vrma_round_trips() {
    for path in files("vrma") {
        let (bytes, source) = read(&path);
        assert_eq!((source.kind, source.humanoid.missing()), (Kind::Vrma, vec![]), "{}", path.display());
        let (_, clip) = read_back(&bytes);
        let mut warnings = Vec::new();
        let humanoid = Humanoid::new(&source, &mut warnings).unwrap();
        let vrma = gltf::write_vrma(humanoid.rig(), &clip, &mut warnings).unwrap();
        keep(path.file_name().unwrap().to_str().unwrap(), &vrma);
        let (again, clip_again) = read_back(&vrma);
        let apart = largest_angle(&clip, &clip_again, clip.bones());
        assert!(apart < 1e-5, "{}: {apart}", path.display());
        assert_eq!(clip.channels(), clip_again.channels());
        assert_eq!(source.clips[0].gaze.is_some(), again.clips[0].gaze.is_some());
        eprintln!("{}: {} Hz, {} frames, {:?}", path.display(), clip.rate(), clip.frames(), source.warnings);
    }
}

/// An FBX avatar converted to GLB has the same bones, rest pose, expressions and lids, which requires correct meshes,
/// skins and shapes.
#[test]
fn an_fbx_avatar_converted_to_glb_is_equivalent() {
    for path in files("fbx") {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display().to_string();
        let alone = &mut |_: &str| Err(vivant_io::Error::new("no other files"));
        let import = vivant_io::import(&name, &bytes, alone).unwrap();
        let Some(humanoid) = &import.humanoid else { continue };
        let glb = vivant_io::fbx::glb(&bytes, &import.source).unwrap();
        let again = vivant_io::import("again.glb", &glb, alone).unwrap();
        let (a, b) = (humanoid.rig(), again.humanoid.as_ref().unwrap().rig());
        assert_eq!(a.bones(), b.bones(), "{name}");
        for bone in a.bones().iter() {
            let off = (a.rest_position(bone) - b.rest_position(bone)).length();
            assert!(off < 1e-3, "{name}: {bone:?} rests {off} m off");
        }
        let names = |rig: &vivant::rig::Rig| -> std::collections::BTreeSet<String> {
            rig.channels().iter().map(|channel| channel.name().to_owned()).collect()
        };
        assert_eq!(names(a), names(b), "{name}");
        let nodes = [&again, &import].map(|import| import.source.scene.nodes().len());
        assert_eq!(nodes[0], nodes[1], "{name}: nodes keep their numbers");
        keep(&format!("{}.glb", path.file_stem().unwrap().display()), &glb);
        check_motion_on_glb(&name, &import, &glb);
        eprintln!("{name}: {} bytes of GLB, {} expressions", glb.len(), a.channels().len());
    }
}

/// A clip on an FBX avatar moves the nodes and shapes of its GLB, without repairs.
fn check_motion_on_glb(name: &str, import: &vivant_io::Import, glb: &[u8]) {
    assert!(vivant_io::gltf::has_meshes(glb), "{name}");
    let alone = &mut |_: &str| Err(vivant_io::Error::new("no other files"));
    let humanoid = import.humanoid.as_ref().unwrap();
    let mut clip = Clip::new("turn", 30.0, 3, humanoid.rig().hips_height()).unwrap();
    let turn = Quat::from_rotation_y(0.5);
    for frame in 0..3 {
        clip.set_root(frame, humanoid.rig().rest_position(Bone::Hips));
        clip.set_rotation(frame, Bone::Head, if frame == 1 { turn } else { Quat::IDENTITY });
    }
    let shown = import.source.expressions.iter().find(|expression| !expression.binds.is_empty());
    if let Some(shown) = shown {
        clip.add_channel(shown.channel.clone(), &[0.0, 0.75, 0.0]).unwrap();
    }
    let mut warnings = Vec::new();
    let written =
        vivant_io::gltf::write_on_avatar(glb, &import.source, humanoid, &[clip], alone, &mut warnings);
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    let again = vivant_io::import("again.glb", &written.unwrap(), alone).unwrap();
    let clip = again.clips.last().unwrap();
    assert!(
        clip.rotation(1, Bone::Head).angle_between(turn) < 1e-3,
        "{name}: {}",
        clip.rotation(1, Bone::Head)
    );
    if let Some(shown) = shown {
        let column = clip.channels().iter().position(|channel| *channel == shown.channel);
        let column = column.unwrap_or_else(|| panic!("{name}: {:?} is not shown", shown.channel));
        assert!((clip.weights(1)[column] - 0.75).abs() < 1e-5, "{name}: {:?}", clip.weights(1));
    }
}
