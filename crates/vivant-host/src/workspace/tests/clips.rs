//! Tests of clips: uploading, suggesting, placing, moving and previewing.

use super::*;
use vivant_io::Warning;

/// Returns a starter clip as a BVH file.
pub(super) fn bvh(name: &str) -> String {
    let clips = vivant_mannequin::starter_clips();
    let clip = clips.iter().find(|clip| clip.name() == name).unwrap();
    vivant_io::bvh::write(&vivant_mannequin::rig(), clip, &mut Vec::<Warning>::new())
}

fn vrma(clip: &Clip) -> Vec<u8> {
    vivant_io::gltf::write_vrma(&vivant_mannequin::rig(), clip, &mut Vec::new()).unwrap()
}

fn upload(workspace: &Workspace, name: &str, bytes: impl Into<Vec<u8>>) -> api::Uploaded {
    workspace.add_clips("eve", name, bytes.into()).unwrap()
}

/// Creates Eve with these starter clips, unplaced.
fn with_clips(name: &str, clips: &[&str]) -> (Home, Workspace) {
    let (home, workspace) = Home::with_one(name);
    for clip in clips {
        upload(&workspace, &format!("{clip}.bvh"), bvh(clip));
    }
    (home, workspace)
}

fn place(
    workspace: &Workspace,
    clip: &str,
    kind: ClipType,
    stance: &str,
    to: Option<&str>,
) -> Result<api::Placed> {
    let revision = workspace.character("eve")?.revision;
    let clips = if clip.is_empty() { Vec::new() } else { vec![clip.to_owned()] };
    let to = to.map(str::to_owned);
    workspace.place("eve", &Place { revision, clips, kind: Some(kind), stance: Some(stance.into()), to })
}

#[test]
fn uploaded_clips_get_safe_names() {
    let (home, workspace) = Home::with_one("sent");
    let (wave, nod) = (bvh("wave"), bvh("nod"));
    for (name, text, expected) in [
        ("../../wave.bvh", &wave, "clips/wave.bvh"),
        ("wave.bvh", &wave, "clips/wave.bvh"),
        ("wave.bvh", &nod, "clips/wave-2.bvh"),
        ("wave.bvh", &nod, "clips/wave-2.bvh"),
        ("C:\\takes\\.nod.txt", &nod, "clips/nod.txt.bvh"),
        ("", &nod, "clips/file.bvh"),
    ] {
        let uploaded = upload(&workspace, name, text.as_bytes());
        let spelled: Vec<&str> = uploaded.clips.iter().map(|clip| clip.clip.as_str()).collect();
        assert_eq!(spelled, [expected], "{name}");
        assert!(uploaded.clips[0].seconds > 0.5 && uploaded.clips[0].error.is_none());
    }
    let eve = workspace.character("eve").unwrap();
    assert_eq!((eve.clips.len(), eve.revision), (4, 1));
    let all = crate::disk::all_below(&home.0);
    assert!(all.iter().all(|file| file.starts_with("eve/")), "{all:?}");
}

#[test]
fn unusable_uploads_are_rejected_without_leftovers() {
    let (home, workspace) = Home::with_one("garbage");
    let before = crate::disk::all_below(&home.0);
    let built_in = ImportedFile::built_in();
    let body = &built_in.file().bytes;
    let wave = bvh("wave");
    let half = &wave.as_bytes()[..400];
    let elsewhere = br#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 40, "uri": "data.bin"}],
        "bufferViews": [{"buffer": 0, "byteLength": 40}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                      {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC4"}],
        "nodes": [{"name": "hips"}],
        "animations": [{"samplers": [{"input": 0, "output": 1}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]}"#;
    for (name, bytes, part) in [
        ("x.bvh", &b"garbage"[..], "x.bvh: unknown file format"),
        ("x.fbx", &b""[..], "x.fbx: unknown file format"),
        ("half.bvh", half, "half.bvh: "),
        ("me.vrm", body, "me.vrm: contains no animation"),
        ("scene.gltf", elsewhere, "refers to another file, but only one was uploaded"),
    ] {
        let fault = workspace.add_clips("eve", name, bytes.to_vec()).unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::Invalid, "{fault}");
        assert!(fault.to_string().contains(part), "{name}: {fault}");
    }
    let skeleton = vivant_io::gltf::write_skeleton(
        &vivant_mannequin::rig(),
        &vivant_mannequin::starter_clips()[..1],
        &mut Vec::new(),
    );
    for (name, bytes, part) in [
        ("x.vrm", b"garbage".to_vec(), "x.vrm: unknown file format"),
        ("wave.bvh", wave.clone().into_bytes(), "wave.bvh: contains no meshes"),
        ("bones.glb", skeleton.unwrap(), "bones.glb: contains no meshes"),
    ] {
        let fault = workspace.set_avatar("eve", name, bytes).unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::Invalid, "{fault}");
        assert!(fault.to_string().contains(part), "{name}: {fault}");
    }
    let large = workspace.add_clips("eve", "x.fbx", vec![0; MAX_UPLOAD_BYTES + 1]).unwrap_err();
    assert_eq!(large.kind(), ErrorKind::TooLarge);
    assert!(large.to_string().contains("256 MiB"));
    assert_eq!(crate::disk::all_below(&home.0), before);
}

#[test]
fn a_new_avatar_can_be_undone() {
    let (home, workspace) = Home::with_one("body");
    let body = ImportedFile::built_in().file().bytes.clone();
    let before = workspace.character("eve").unwrap().avatar;
    let after = workspace.set_avatar("eve", "me.vrm", body.clone()).unwrap();
    assert_eq!((after.avatar.name.as_str(), after.undo.as_deref()), ("me.vrm", Some("new avatar: me.vrm")));
    assert_ne!(after.avatar.revision, before.revision);
    assert_eq!(workspace.avatar("eve").unwrap(), (body.clone().into(), after.avatar.revision));
    assert_eq!(workspace.undo("eve").unwrap().avatar, before);
    assert_eq!(home.open().redo("eve").unwrap().avatar, after.avatar);
    assert!(workspace.character("eve").unwrap().clips.is_empty(), "an avatar is not a clip");
}

#[test]
fn clips_are_placed_as_requested() {
    let (_home, workspace) = with_clips("dropped", &["wave", "nod"]);
    let placed = place(&workspace, "clips/wave.bvh", ClipType::Gesture, "standing", None).unwrap();
    let eve = &placed.character;
    assert_eq!(eve.undo.as_deref(), Some("add wave to standing"));
    let wave = &eve.repertoire.stances[0].gestures[0];
    assert_eq!((wave.clip.as_str(), wave.hand), ("clips/wave.bvh", Some(Hand::Right)));
    assert_eq!(eve.clips[1].places, ["stances[0].gestures[0]"]);
    assert!(errors(eve).is_empty(), "{:?}", eve.faults);
    // A missing stance is created, and problems are reported.
    let eve = place(&workspace, "clips/nod.bvh", ClipType::Fidget, "lying", None).unwrap().character;
    assert_eq!(eve.repertoire.stances[1].name, "lying");
    assert_eq!(eve.repertoire.stances[1].fidgets[0].clip, "clips/nod.bvh");
    assert!(errors(&eve).is_empty(), "{:?}", eve.faults);
}

#[test]
fn a_moved_clip_keeps_its_properties() {
    let (_home, workspace) = with_clips("moved", &["wave", "nod"]);
    let mut repertoire = standing();
    let own = Action {
        likelihood: 0.25,
        blend_in: 0.5,
        start: 0.1,
        tags: vec!["mine".into()],
        name: Some("hi".into()),
        ..Action::new("clips/wave.bvh")
    };
    repertoire.stances[0].gestures = vec![own.clone()];
    workspace.edit("eve", &Edit { repertoire: Some(repertoire), ..edit(1, "own") }).unwrap();
    let placed = place(&workspace, "clips/wave.bvh", ClipType::Fidget, "standing", None).unwrap();
    let stance = &placed.character.repertoire.stances[0];
    assert_eq!((stance.gestures.len(), &stance.fidgets[..]), (0, &[own.clone()][..]));
    assert_eq!(placed.character.undo.as_deref(), Some("move wave to standing"));
    // As a transition to another stance, and back.
    let way = place(&workspace, "clips/wave.bvh", ClipType::Transition, "standing", Some("sitting")).unwrap();
    let stances = &way.character.repertoire.stances;
    let moved = &stances[0].transitions.iter().find(|way| way.clip.is_some()).unwrap();
    assert_eq!((moved.to.as_str(), moved.likelihood, moved.name.as_deref()), ("sitting", 0.25, Some("hi")));
    let back = place(&workspace, "clips/wave.bvh", ClipType::Gesture, "sitting", None).unwrap();
    let sitting = back.character.repertoire.stances.iter().find(|s| s.name == "sitting").unwrap();
    assert_eq!(
        (sitting.gestures[0].likelihood, sitting.gestures[0].start, &sitting.gestures[0].tags),
        (0.25, 0.1, &own.tags)
    );
    // Placing it again where it is does nothing.
    let revision = back.character.revision;
    let again = place(&workspace, "clips/wave.bvh", ClipType::Gesture, "sitting", None).unwrap();
    assert_eq!(
        (again.character.revision, again.notes),
        (revision, vec!["clips/wave.bvh: already there".to_owned()])
    );
}

#[test]
fn a_clip_placed_on_a_stance_becomes_its_motion() {
    let (_home, workspace) = with_clips("stance", &["wave", "nod"]);
    place(&workspace, "clips/wave.bvh", ClipType::Stance, "standing", None).unwrap();
    let placed = place(&workspace, "clips/nod.bvh", ClipType::Stance, "standing", None).unwrap();
    let eve = placed.character;
    assert_eq!(eve.repertoire.stances[0].clip.as_deref(), Some("clips/nod.bvh"));
    assert!(placed.notes.iter().any(|note| note.contains("replaces clips/wave.bvh")), "{:?}", placed.notes);
    assert!(eve.clips.iter().find(|clip| clip.name == "wave").unwrap().places.is_empty());
}

#[test]
fn impossible_placements_are_rejected() {
    let (home, workspace) = with_clips("refused", &["wave"]);
    fs::write(home.file("clips/bad.bvh"), "HIERARCHY\n").unwrap();
    for (clip, kind, to, expected, part) in [
        (
            "clips/wave.bvh",
            ClipType::Transition,
            None,
            ErrorKind::Invalid,
            "name the target stance of this transition",
        ),
        (
            "clips/wave.bvh",
            ClipType::Transition,
            Some("standing"),
            ErrorKind::Invalid,
            "starts and ends in “standing”",
        ),
        (
            "clips/wave.bvh",
            ClipType::Gesture,
            Some("sitting"),
            ErrorKind::Invalid,
            "`to` is only for transitions",
        ),
        ("clips/bad.bvh", ClipType::Gesture, None, ErrorKind::Invalid, "bad.bvh: "),
        ("clips/wav.bvh", ClipType::Gesture, None, ErrorKind::NotFound, "did you mean `clips/wave.bvh`?"),
    ] {
        let fault = place(&workspace, clip, kind, "standing", to).unwrap_err();
        assert_eq!(fault.kind(), expected, "{fault}");
        assert!(fault.to_string().contains(part), "{fault}");
    }
    assert_eq!(workspace.character("eve").unwrap().revision, 1);
}

/// One request places all starter clips, which are given as files without labels.
#[test]
fn all_starter_clips_are_placed() {
    let (home, workspace) = Home::with_one("starter");
    let clips = vivant_mannequin::starter_clips();
    for clip in &clips {
        upload(&workspace, &format!("{}.vrma", clip.name()), vrma(clip));
    }
    let proposals = workspace.proposals("eve").unwrap();
    assert_eq!(proposals.len(), clips.len());
    assert!(proposals.iter().all(|p| (0.0..=1.0).contains(&p.confidence) && !p.reasons.is_empty()));
    let all = Place { revision: 1, clips: Vec::new(), kind: None, stance: None, to: None };
    let placed = workspace.place("eve", &all).unwrap();
    let eve = placed.character;
    assert!(errors(&eve).is_empty(), "{:?}", eve.faults);
    assert!(eve.clips.iter().all(|clip| !clip.places.is_empty()));
    assert!(workspace.proposals("eve").unwrap().is_empty());
    assert_eq!(eve.undo, Some(format!("add {} clips", clips.len())));
    // The suggestions are applied, except where a note says otherwise.
    let stances: Vec<&str> = eve.repertoire.stances.iter().map(|s| s.name.as_str()).collect();
    assert!(proposals.iter().all(|p| stances.contains(&p.stance.as_str())), "{stances:?}");
    assert!(home.open().undo("eve").unwrap().repertoire.stances.is_empty());
}

#[test]
fn a_pose_of_a_clip_is_a_frame() {
    let (_home, workspace) = with_clips("pose", &["wave"]);
    let rig = vivant_mannequin::rig();
    let frame = workspace.pose("eve", "clips/wave.bvh", 0.5).unwrap();
    assert_eq!((frame.number, frame.time, frame.rotations.len()), (0, 0.5, 55));
    assert_eq!(frame.weights.len(), workspace.ready("eve").unwrap().rig().channels().len());
    assert!((frame.root[1] - rig.hips_height()).abs() < 0.1, "{:?}", frame.root);
    let late = workspace.pose("eve", "clips/wave.bvh", 1e9).unwrap();
    assert!(late.time < 60.0 && late != frame);
    assert_eq!(workspace.pose("eve", "clips/wave.bvh", f64::NAN).unwrap().time, 0.0);
    assert_eq!(workspace.pose("eve", "none", 0.0).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(workspace.clip("eve", "clips/wave.bvh").unwrap().name(), "wave");
    assert_eq!(workspace.clip("builtin", "builtin#wave").unwrap().name(), "wave");
}
