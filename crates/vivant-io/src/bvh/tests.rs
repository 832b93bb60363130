use super::*;
use glam::{Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig, RigParts};

/// A skeleton with two joints of six and three channels, 170 high, without motion.
const TWO: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg:upper
  {
    OFFSET 0 -170 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -10 0
    }
  }
}
";

fn with_motion(motion: &str) -> String {
    format!("{TWO}MOTION\n{motion}")
}

fn error(text: impl AsRef<[u8]>) -> String {
    parse(text.as_ref()).map(|_| ()).unwrap_err().to_string()
}

fn joined(warnings: &[Warning]) -> String {
    warnings.iter().map(|w| format!("{w}\n")).collect()
}

/// Local transforms of all nodes at a frame.
fn locals(scene: &Scene, clip: &NodeClip, frame: usize) -> Vec<Transform> {
    let mut locals: Vec<Transform> = scene.nodes().iter().map(|n| n.rest).collect();
    for (node, track) in &clip.rotations {
        locals[*node].rotation = track[frame];
    }
    for (node, track) in &clip.translations {
        locals[*node].translation = track[frame];
    }
    locals
}

#[test]
fn malformed_files_give_errors_with_place_and_cause() {
    let row = "Frames: 1\nFrame Time: 0.1\n";
    let nine = "1 2 3 4 5 6 7 8 9";
    for (text, reason) in [
        (String::new(), "line 1: a BVH file must start with HIERARCHY"),
        ("HIERARCHY".into(), "line 1: expected ROOT, found the end of the file"),
        ("HIERARCHY\nMOTION\nFrames: 1".into(), "line 3: expected ROOT"),
        ("HIERARCHY\nJOINT a {".into(), "line 2: expected ROOT or MOTION, found \"JOINT\""),
        ("HIERARCHY\nROOT a\n}".into(), "line 3: expected {, found \"}\""),
        ("HIERARCHY\nROOT a {\nOFFSET 0 0\n}".into(), "line 4: expected a number, found \"}\""),
        ("HIERARCHY\nROOT a {\nOFFSET 0 0 nan\n}".into(), "line 3: \"nan\" is too large or not a number"),
        ("HIERARCHY\nROOT a {\nOFFSET 0 0 1e999\n}".into(), "line 3: \"1e999\" is too large"),
        ("HIERARCHY\nROOT a {\nOFFSET 0 0 1,5\n}".into(), "decimals need a point"),
        ("HIERARCHY\nROOT a {\nCHANNELS -3\n}".into(), "line 3: expected a channel count, found \"-3\""),
        ("HIERARCHY\nROOT a {\nCHANNELS 99999999999999999999\n}".into(), "expected a channel count"),
        (
            "HIERARCHY\nROOT a {\nCHANNELS 4000000000 Xrotation\n}".into(),
            "4000000000 channels of one joint; at most 16",
        ),
        ("HIERARCHY\nROOT a {\nCHANNELS 2 Xrotation\n}".into(), "line 4: expected 2 channels"),
        ("HIERARCHY\nROOT a {\nCHANNELS 1 Wrotation\n}".into(), "line 3: expected 1 channels"),
        ("HIERARCHY\nROOT a {\nWHAT\n}".into(), "line 3: expected OFFSET, CHANNELS, JOINT, End Site or }"),
        ("HIERARCHY\rROOT a {\rWHAT\r}".into(), "line 3: expected OFFSET"),
        ("HIERARCHY\r\nROOT a {\r\nWHAT\r\n}".into(), "line 3: expected OFFSET"),
        ("HIERARCHY\nROOT a { }\n}".into(), "line 3: expected ROOT or MOTION, found \"}\""),
        (format!("HIERARCHY\n{}", "ROOT a { ".repeat(600)), "513 nested joints; at most 512"),
        (format!("HIERARCHY\n{}", "ROOT a { } ".repeat(16_385)), "16385 joints; at most 16384"),
        (with_motion("Frame Time: 0.1"), "line 17: expected Frames:, found \"Frame\""),
        (with_motion("Frames: 1\n1 2 3"), "line 18: expected Frame Time:, found \"1\""),
        (
            with_motion(&format!("{row}1 2 3 4 5 6 7 8\n")),
            "line 19: 8 numbers, but the joints have 9 channels",
        ),
        (with_motion(&format!("{row}{nine}\n\n{nine} 10\n")), "line 21: 10 numbers, but the joints have 9"),
        (with_motion(&format!("{row}1 2 3 4 5 six 7 8 9")), "line 19: expected a number, found \"six\""),
        (with_motion(&format!("{row}1 2 3 4 5 \u{fffd} 7 8 9")), "line 19: expected a number"),
    ] {
        let error = error(&text);
        assert!(error.contains(reason), "{error}\ninstead of\n{reason}");
    }
    assert!(error(b"HIERARCHY\nROOT a {\nOFFSET \xff\xfe 0 0\n}").contains("expected a number"));
}

#[test]
fn repairable_files_are_read_with_a_warning() {
    let nine = "1 2 3 4 5 6 7 8 9";
    for (motion, frames, rate, warning) in [
        (format!("Frames: 1\nFrame Time: .0083333\n{nine}"), 1, 120.0, ""),
        (format!("Frames:\t1\r\nFrame Time:\t0.0333333\r\n{nine}\r\n"), 1, 30.0, ""),
        (format!("frames 1\nframe time .016667\n{nine}\n\0\x1a"), 1, 60.0, ""),
        (format!("Frames: 1\nFrame Time: 0.0333667\n {nine} \n\n"), 1, 30_000.0 / 1001.0, ""),
        (format!("Frames: 1\nFrame Time: 0.037\n{nine}"), 1, 1.0 / 0.037, ""),
        (
            format!("Frames: 3\nFrame Time: 0.04\n{nine}\n{nine}"),
            2,
            25.0,
            "Frames is \"3\", but the file has 2 rows",
        ),
        (
            format!("Frames: 1\nFrame Time: 0.04\n{nine}\n{nine}"),
            2,
            25.0,
            "Frames is \"1\", but the file has 2 rows",
        ),
        (format!("Frames: many\nFrame Time: 0.04\n{nine}\n"), 1, 25.0, "Frames is \"many\""),
        (
            format!("Frames: 2\nFrame Time: 0.04\n{nine}\n1 2 3"),
            1,
            25.0,
            "line 20: the file ends within this row",
        ),
        (format!("Frames: 1\nFrame Time: 0\n{nine}"), 1, 30.0, "using 30 frames per second"),
        (format!("Frames: 1\nFrame Time: -0.04\n{nine}"), 1, 30.0, "using 30 frames per second"),
        (format!("Frames: 1\nFrame Time: NaN\n{nine}"), 1, 30.0, "using 30 frames per second"),
        (format!("Frames: 1\nFrame Time:\n{nine}"), 1, 30.0, "using 30 frames per second"),
        (
            format!("Frames: 2\nFrame Time: 0.04\n{nine}\n1 2 3 4 nan inf 1e999 -1e30 9"),
            2,
            25.0,
            "line 20: 4 values",
        ),
        ("Frames: 0\nFrame Time: 0.04\n".to_owned(), 0, 25.0, "no motion"),
    ] {
        let (_, clip, warnings) = parse(with_motion(&motion).as_bytes()).unwrap();
        assert_eq!((clip.frames, clip.rate), (frames, rate), "{motion}");
        assert_eq!(warnings.is_empty(), warning.is_empty(), "{motion}: {}", joined(&warnings));
        assert!(joined(&warnings).contains(warning), "{motion}: {}", joined(&warnings));
        assert!(clip.rotations.iter().flat_map(|(_, t)| t).all(|q| q.is_finite() && q.is_normalized()));
    }
}

#[test]
fn a_skeleton_without_motion_is_read() {
    let unclosed = TWO.trim_end().trim_end_matches('}');
    for (text, warning) in [
        (TWO.to_owned(), "no motion"),
        (format!("{TWO}MOTION"), "no motion"),
        (format!("\u{feff}  {}", TWO.to_lowercase()), "no motion"),
        (format!("{unclosed}MOTION\n"), "1 braces are not closed"),
        (unclosed.to_owned(), "no motion"),
        (format!("{TWO}ROOT other {{ }}"), "2 roots"),
    ] {
        if text == unclosed {
            assert!(error(&text).contains("expected OFFSET"), "an unclosed brace at the end is an error");
            continue;
        }
        let (scene, clip, warnings) = parse(text.as_bytes()).unwrap();
        assert!(scene.nodes().len() >= 3 && clip.frames == 0);
        assert!(joined(&warnings).contains(warning), "{}", joined(&warnings));
        assert!(is_bvh(text.as_bytes()));
    }
    assert!(!is_bvh(b"; FBX 7.4.0") && !is_bvh(b"") && !is_bvh(b"glTF"));
}

#[test]
fn names_offsets_and_channels_are_kept() {
    let (scene, clip, _) =
        parse(with_motion("Frames: 1\nFrame Time: 0.1\n10 20 30 90 0 0 0 90 0").as_bytes()).unwrap();
    let names: Vec<_> = scene.nodes().iter().map(|n| (n.name.as_str(), n.parent)).collect();
    assert_eq!(names, [("Hips", None), ("Left Leg:upper", Some(0)), ("Left Leg:upper_End", Some(1))]);
    assert_eq!(scene.nodes()[0].rest.translation, Vec3::new(0.01, 0.02, 0.03));
    assert_eq!(clip.translations, [(0, vec![Vec3::new(0.1, 0.2, 0.3)])]);
    let world = scene.world(&locals(&scene, &clip, 0));
    // A quarter turn about Z takes −Y to X; another about X takes −Y to −Z.
    assert!(world[1].translation.distance(Vec3::new(1.8, 0.2, 0.3)) < 1e-6, "{:?}", world[1]);
    assert!(world[2].translation.distance(Vec3::new(1.8, 0.2, 0.2)) < 1e-6, "{:?}", world[2]);
}

#[test]
fn rotation_channels_apply_in_the_order_of_the_file() {
    let (x, y, z) = (Quat::from_rotation_x(0.5), Quat::from_rotation_y(-1.0), Quat::from_rotation_z(2.0));
    for (channels, degrees, expected) in [
        ("3 Xrotation Yrotation Zrotation", [0.5, -1.0, 2.0], x * y * z),
        ("3 Zrotation Xrotation Yrotation", [2.0, 0.5, -1.0], z * x * y),
        ("3 yrotation ZROTATION Xrotation", [-1.0, 2.0, 0.5], y * z * x),
        ("2 Zrotation Yrotation", [2.0, -1.0, 0.0], z * y),
        ("1 Zrotation", [2.0, 0.0, 0.0], z),
    ] {
        let count = channels.split_whitespace().count() - 1;
        let row: Vec<_> = degrees[..count].iter().map(|d: &f64| d.to_degrees().to_string()).collect();
        let text = format!(
            "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS {channels}\n JOINT b {{ OFFSET 0 1.7 0 CHANNELS 0 }} }}
            MOTION\nFrames: 1\nFrame Time: 0.1\n{}",
            row.join(" ")
        );
        let (_, clip, warnings) = parse(text.as_bytes()).unwrap();
        assert!(warnings.is_empty(), "{}", joined(&warnings));
        assert_eq!(clip.rotations.len(), 1);
        assert!(angle_between(clip.rotations[0].1[0], expected) < 1e-6, "{channels}");
    }
}

#[test]
fn joint_translation_is_kept_only_if_it_changes() {
    let text = |y: &str| {
        format!(
            "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 5 Xposition Zposition Zrotation Xrotation Yrotation\n
            JOINT b {{ OFFSET 0 170 0 CHANNELS 4 Xscale Xposition Yposition Zposition }} }}
            MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 0 0 0 1 0 170 0\n1 2 0 0 0 1 0 {y} 0"
        )
    };
    for (y, tracks) in [("170.05", 1), ("171", 2)] {
        let (_, clip, warnings) = parse(text(y).as_bytes()).unwrap();
        assert_eq!(clip.translations.len(), tracks, "{y}");
        assert_eq!(clip.translations[0].1[0], Vec3::new(0.01, 0.0, 0.02));
        assert!(joined(&warnings).contains("scale channels of 1 joints"), "{}", joined(&warnings));
    }
}

#[test]
fn the_unit_is_guessed_from_the_size() {
    for (height, metres, warning) in [
        ("1.7", 1.7, ""),
        ("170", 1.7, ""),
        ("67", 1.7018, "inches"),
        ("1750", 1.75, "millimetres"),
        ("30", 1.6933, "Carnegie Mellon"),
        ("17", 1.7, "scaled by 0.100000"),
        ("9999", 1.7, "scaled by"),
        ("0", 0.0, "gives no hint"),
        ("1e-30", 0.0, "gives no hint"),
    ] {
        // Any axis may be up.
        for offset in [format!("{height} 0 0"), format!("0 -{height} 0"), format!("0 0 {height}")] {
            let text = format!("HIERARCHY ROOT a {{ OFFSET 900 900 900 JOINT b {{ OFFSET {offset} }} }}");
            let (scene, _, warnings) = parse(text.as_bytes()).unwrap();
            let length = scene.nodes()[1].rest.translation.length();
            assert!((length - metres).abs() < 1e-3, "{height} became {length} m");
            let guessed =
                joined(&warnings.into_iter().filter(|w| w.code == WarningCode::Guessed).collect::<Vec<_>>());
            assert!(
                guessed.contains(warning) && guessed.is_empty() == warning.is_empty(),
                "{height}: {guessed}"
            );
        }
    }
}

/// A person with all bones, or only those that VRM requires, scaled by `scale`.
fn person(scale: f32, all: bool) -> Rig {
    let place = |bone: Bone| {
        let i = bone.index() as f32;
        let side = if bone.name().starts_with("left") { 1.0 } else { -1.0 };
        let middle = bone.mirrored() == bone;
        Vec3::new(if middle { 0.0 } else { side * (0.05 + 0.01 * i) }, 1.0 + 0.013 * i, 0.02 * (i % 3.0))
            * scale
    };
    let bones = Bone::ALL.into_iter().filter(|b| all || b.is_required());
    Rig::new(RigParts { rest_positions: bones.map(|b| (b, place(b))).collect(), ..RigParts::default() })
}

/// Builds a clip with all kinds of rotation: gimbal lock, more than one turn, and almost none.
fn tumbling(rig: &Rig, rate: f64, frames: usize) -> Clip {
    let mut clip = Clip::new("tumbling", rate, frames, rig.hips_height()).unwrap();
    for frame in 0..frames {
        let t = frame as f32 * 0.37;
        clip.set_root(frame, Vec3::new(t, 0.9, -t * 0.5));
        for bone in rig.bones().iter() {
            let i = bone.index() as f32;
            let lock =
                Quat::from_rotation_z(t + i) * Quat::from_rotation_x(1.570_796_4) * Quat::from_rotation_y(i);
            let free = Quat::from_axis_angle(Vec3::new(i - 20.0, 3.0, t).normalize(), t * i);
            clip.set_rotation(frame, bone, if frame % 3 == 0 { lock } else { free });
        }
    }
    clip
}

#[test]
fn written_files_read_back_to_the_same_positions() {
    for (scale, all, rate) in
        [(1.0, true, 30.0), (1.0, false, 120.0), (0.35, true, 29.97), (9.0, true, 1000.0 / 3.0)]
    {
        let rig = person(scale, all);
        let clip = tumbling(&rig, rate, 40);
        let text = write(&rig, &clip, &mut Vec::new());
        let (scene, back, warnings) = parse(text.as_bytes()).unwrap();
        assert!(warnings.is_empty(), "{}", joined(&warnings));
        assert_eq!(back.frames, 40);
        assert!((back.rate / rate - 1.0).abs() < 1e-5);
        for frame in 0..back.frames {
            let world = scene.world(&locals(&scene, &back, frame));
            let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
            let expected = pose.model_transforms(&rig);
            for (node, world) in scene.nodes().iter().zip(world) {
                let Some(bone) = Bone::from_name(&node.name) else { continue };
                let place: Vec3 = expected[bone.index()].translation.into();
                let off = world.translation.distance(place);
                assert!(off < 1e-5 * scale.max(1.0), "{bone:?} at {frame} is {off} m off");
            }
        }
        assert_eq!(scene.nodes().iter().filter(|n| !n.name.ends_with("_End")).count(), rig.bones().len());
    }
}

#[test]
fn expressions_are_dropped_with_a_warning() {
    let (rig, mut clip) = (person(1.0, false), Clip::new("smile", 30.0, 1, 1.0).unwrap());
    let mut warnings = Vec::new();
    let bare = write(&rig, &clip, &mut warnings);
    assert!(warnings.is_empty());
    clip.add_channel("happy".to_owned().into(), &[1.0]).unwrap();
    assert_eq!(write(&rig, &clip, &mut warnings), bare);
    assert!(joined(&warnings).contains("“smile”: 1 expressions"), "{}", joined(&warnings));
}

#[test]
fn written_angles_are_continuous() {
    let rig = person(1.0, false);
    let mut clip = Clip::new("turning", 60.0, 400, 1.0).unwrap();
    for frame in 0..400 {
        let t = frame as f32 * 0.05;
        clip.set_rotation(frame, Bone::Hips, Quat::from_rotation_y(t));
        // Through gimbal lock to the other side.
        clip.set_rotation(frame, Bone::Head, Quat::from_rotation_z(0.3) * Quat::from_rotation_x(t));
    }
    let text = write(&rig, &clip, &mut Vec::new());
    let rows = text.lines().skip_while(|l| !l.starts_with("Frame Time")).skip(1);
    let rows: Vec<Vec<f64>> = rows.map(|l| l.split(' ').map(|n| n.parse().unwrap()).collect()).collect();
    for pair in rows.windows(2) {
        let leap = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(leap < 3.1, "{leap}°");
    }
}

#[test]
fn an_empty_rig_is_written_with_hips() {
    let rig = Rig::new(RigParts::default());
    let clip = Clip::new("x", 30.0, 1, 1.0).unwrap();
    let (scene, back, _) = parse(write(&rig, &clip, &mut Vec::new()).as_bytes()).unwrap();
    assert_eq!((scene.nodes().len(), back.frames), (2, 1));
}

/// Returns a value such as `joints=31` or `fps=120.0` from a line of the manifest.
fn stated(line: &str, key: &str) -> f64 {
    let value = line
        .split_whitespace()
        .flat_map(|w| w.split(','))
        .find_map(|w| w.strip_prefix(key)?.strip_prefix('='));
    value.and_then(|v| v.trim_end_matches('s').parse().ok()).unwrap_or_else(|| panic!("{key}: {line}"))
}

#[test]
fn all_recordings_match_the_manifest() {
    let Some(folder) = vivant_testing::data("") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.csv")).unwrap();
    let lines = manifest.lines().filter(|l| l.split(',').next().is_some_and(|f| f.ends_with(".bvh")));
    for line in lines {
        let file = line.split(',').next().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let (scene, clip, warnings) = parse(&bytes).unwrap();
        let joints = scene.nodes().len() - String::from_utf8_lossy(&bytes).matches("End Site").count();
        assert_eq!(joints as f64, stated(line, "joints"), "{file}");
        assert_eq!(clip.frames as f64, stated(line, "frames"), "{file}");
        assert_eq!(clip.rate, stated(line, "fps"), "{file}");
        assert!(warnings.iter().all(|w| w.code == WarningCode::Guessed), "{file}: {}", joined(&warnings));
        let places = scene.rest_world().into_iter().map(|t| t.translation);
        let size = places.clone().fold(Vec3::MIN, Vec3::max) - places.fold(Vec3::MAX, Vec3::min);
        assert!((1.2..2.3).contains(&size.max_element()), "{file}: {size} {}", joined(&warnings));
    }
}
