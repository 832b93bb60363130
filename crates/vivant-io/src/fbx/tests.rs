use super::*;
use std::fmt::Write;
use vivant::rig::{Channel, Expression};

/// FBX time units per second.
const TICKS_PER_SECOND: f64 = 46_186_158_000.0;

/// An ASCII FBX with a pelvis and a spine above it, in centimetres and Z up, with takes.
struct File {
    objects: String,
    connections: String,
    /// FBX time mode: 6 is 30 frames per second, 11 is 24.
    time_mode: u32,
}

impl File {
    fn new() -> Self {
        let mut file = Self { objects: String::new(), connections: String::new(), time_mode: 6 };
        file.node(1, "Pelvis", 0, [0.0, 0.0, 90.0]);
        file.node(2, "Spine", 1, [0.0, 0.0, 20.0]);
        file
    }

    fn node(&mut self, id: u32, name: &str, parent: u32, [x, y, z]: [f64; 3]) {
        let _ = writeln!(
            self.objects,
            "Model: {id}, \"Model::{name}\", \"LimbNode\" {{ Properties70: {{
                P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}
            }} }}
            NodeAttribute: {}, \"NodeAttribute::\", \"LimbNode\" {{ TypeFlags: \"Skeleton\" }}",
            id + 1000
        );
        let _ = writeln!(self.connections, "C: \"OO\",{id},{parent}\nC: \"OO\",{},{id}", id + 1000);
    }

    fn take(&mut self, id: u32, name: &str, begin: f64, end: f64) {
        let ticks = |seconds: f64| (seconds * TICKS_PER_SECOND) as i64;
        let (start, stop) = (ticks(begin), ticks(end));
        let _ = writeln!(
            self.objects,
            "AnimationStack: {id}, \"AnimStack::{name}\", \"\" {{ Properties70: {{
                P: \"LocalStart\", \"KTime\", \"Time\", \"\",{start}
                P: \"LocalStop\", \"KTime\", \"Time\", \"\",{stop}
            }} }}
            AnimationLayer: {}, \"AnimLayer::Base\", \"\" {{ }}",
            id + 1
        );
        let _ = writeln!(self.connections, "C: \"OO\",{},{id}", id + 1);
    }

    /// Animates X of a property of `target` in `take` with keys (seconds, value).
    fn curve(&mut self, id: u32, take: u32, target: u32, property: &str, keys: &[(f64, f64)]) {
        let count = keys.len();
        let list = |values: Vec<String>| values.join(",");
        let times =
            list(keys.iter().map(|k| ((k.0 * TICKS_PER_SECOND).round() as i64).to_string()).collect());
        let values = list(keys.iter().map(|k| k.1.to_string()).collect());
        let axis = if property == "DeformPercent" { "d|DeformPercent" } else { "d|X" };
        let _ = writeln!(
            self.objects,
            "AnimationCurveNode: {id}, \"AnimCurveNode::T\", \"\" {{ Properties70: {{
                P: \"{axis}\", \"Number\", \"\", \"A\",0
            }} }}
            AnimationCurve: {0}, \"AnimCurve::\", \"\" {{ Default: 0
                KeyVer: 4009
                KeyTime: *{count} {{ a: {times} }}
                KeyValueFloat: *{count} {{ a: {values} }}
                KeyAttrFlags: *1 {{ a: 4 }}
                KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
                KeyAttrRefCount: *1 {{ a: {count} }}
            }}",
            id + 1
        );
        let _ = writeln!(
            self.connections,
            "C: \"OO\",{id},{}\nC: \"OP\",{id},{target}, \"{property}\"\nC: \"OP\",{},{id}, \"{axis}\"",
            take + 1,
            id + 1
        );
    }

    /// A mesh with blend shapes.
    fn shapes(&mut self, id: u32, names: &[&str]) {
        let _ = writeln!(
            self.objects,
            "Model: {id}, \"Model::Face\", \"Mesh\" {{ }}
            Geometry: {}, \"Geometry::\", \"Mesh\" {{ Vertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}
                PolygonVertexIndex: *3 {{ a: 0,1,-3 }} }}
            Deformer: {}, \"Deformer::\", \"BlendShape\" {{ }}",
            id + 1,
            id + 2
        );
        let _ = writeln!(
            self.connections,
            "C: \"OO\",{id},0\nC: \"OO\",{},{id}\nC: \"OO\",{},{}",
            id + 1,
            id + 2,
            id + 1
        );
        for (i, name) in (1..).zip(names) {
            let channel = id + 10 * i;
            let _ = writeln!(
                self.objects,
                "Deformer: {channel}, \"SubDeformer::{name}\", \"BlendShapeChannel\" {{ DeformPercent: 0
                    FullWeights: *1 {{ a: 100 }} }}
                Geometry: {}, \"Geometry::{name}\", \"Shape\" {{ Indexes: *1 {{ a: 0 }}
                    Vertices: *3 {{ a: 0,0,1 }} }}",
                channel + 1
            );
            let _ = writeln!(
                self.connections,
                "C: \"OO\",{channel},{}\nC: \"OO\",{},{channel}",
                id + 2,
                channel + 1
            );
        }
    }

    /// Adds a bind pose for a node at this position, rotated a quarter turn about X.
    fn bind(&mut self, id: u32, node: u32, [x, y, z]: [f64; 3]) {
        let _ = writeln!(
            self.objects,
            "Pose: {id}, \"Pose::Bind\", \"BindPose\" {{ Type: \"BindPose\"
                NbPoseNodes: 1
                PoseNode: {{ Node: {node}
                    Matrix: *16 {{ a: 1,0,0,0,0,0,1,0,0,-1,0,0,{x},{y},{z},1 }} }} }}"
        );
    }

    fn bytes(&self) -> Vec<u8> {
        format!(
            "; FBX 7.4.0 project file
            FBXHeaderExtension: {{ FBXHeaderVersion: 1003\nFBXVersion: 7400 }}
            GlobalSettings: {{ Version: 1000\nProperties70: {{
                P: \"UpAxis\", \"int\", \"Integer\", \"\",2
                P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1
                P: \"FrontAxis\", \"int\", \"Integer\", \"\",1
                P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1
                P: \"CoordAxis\", \"int\", \"Integer\", \"\",0
                P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1
                P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1
                P: \"TimeMode\", \"enum\", \"\", \"\",{}
            }} }}
            Objects: {{ {} }}
            Connections: {{ {} }}
            ",
            self.time_mode, self.objects, self.connections
        )
        .into_bytes()
    }

    fn parse(&self) -> Parsed {
        parse(&self.bytes()).unwrap()
    }
}

fn joined(warnings: &[Warning]) -> String {
    warnings.iter().map(|w| format!("{w}\n")).collect()
}

#[test]
fn a_file_in_centimetres_with_z_up_becomes_metres_with_y_up() {
    let parsed = File::new().parse();
    assert!(is_fbx(&File::new().bytes()));
    let nodes = parsed.scene.nodes();
    let names: Vec<_> = nodes.iter().map(|n| (n.name.as_str(), n.parent, n.is_joint)).collect();
    assert_eq!(names, [("", None, false), ("Pelvis", Some(0), true), ("Spine", Some(1), true)]);
    let world = parsed.scene.rest_world();
    for (place, expected) in [(world[1], [0.0, 0.9, 0.0]), (world[2], [0.0, 1.1, 0.0])] {
        assert!(place.translation.distance(expected.into()) < 1e-6, "{place:?}");
        assert!(place.scale.distance(glam::Vec3::ONE) < 1e-6, "{place:?}");
    }
    assert!(parsed.warnings.is_empty(), "{}", joined(&parsed.warnings));
}

#[test]
fn takes_are_sampled_at_the_rate_of_their_keys() {
    for (keyed, time_mode, rate) in
        [(30.0, 6, 30.0), (24.0, 6, 24.0), (24.0, 11, 24.0), (60.0, 11, 60.0), (25.0, 11, 25.0)]
    {
        let mut file = File { time_mode, ..File::new() };
        let keys: Vec<_> =
            (0..=40).map(|i| (0.5 + f64::from(i) / keyed, f64::from(i * i % 7) * 10.0)).collect();
        file.take(100, "Walk", 0.5, 0.5 + 40.0 / keyed);
        file.curve(200, 100, 1, "Lcl Translation", &keys);
        let parsed = file.parse();
        let [clip] = &parsed.clips[..] else { panic!("{}", joined(&parsed.warnings)) };
        assert_eq!((clip.name.as_str(), clip.rate, clip.frames), ("Walk", rate, 41));
        let [(1, track)] = &clip.translations[..] else { panic!("{:?}", clip.translations.len()) };
        for (place, (_, x)) in track.iter().zip(&keys) {
            assert!((f64::from(place.x) - x / 100.0).abs() < 1e-5, "{place} {x}");
        }
        assert!(clip.rotations.is_empty());
    }
}

#[test]
fn takes_without_motion_are_dropped_and_poses_are_kept() {
    let mut file = File::new();
    file.take(100, "Nothing", 0.0, 1.0);
    file.take(110, "Still", 0.0, 1.0);
    file.curve(200, 110, 1, "Lcl Rotation", &[(0.0, 0.0), (1.0, 0.0)]);
    file.take(120, "Pose", 0.0, 0.0);
    file.curve(300, 120, 1, "Lcl Rotation", &[(0.0, 40.0)]);
    file.take(130, "Swollen", 0.0, 1.0);
    file.curve(400, 130, 1, "Lcl Scaling", &[(0.0, 1.0), (1.0, 2.0)]);
    file.curve(500, 130, 2, "Lcl Rotation", &[(0.0, 0.0), (1.0, 90.0)]);
    let parsed = file.parse();
    let clips: Vec<_> = parsed.clips.iter().map(|c| (c.name.as_str(), c.frames)).collect();
    assert_eq!(clips, [("Pose", 1), ("Swollen", 31)]);
    let warnings = joined(&parsed.warnings);
    assert!(warnings.contains("takes without motion were dropped: \"Nothing\", \"Still\""), "{warnings}");
    assert!(warnings.contains("animated scale of 1 nodes"), "{warnings}");
}

#[test]
fn the_bind_pose_is_the_rest_pose() {
    let mut file = File::new();
    file.node(3, "Head", 2, [0.0, 0.0, 30.0]);
    // The bind pose has the spine forward; in the file it is upright.
    file.bind(50, 1, [0.0, 0.0, 90.0]);
    file.bind(51, 2, [0.0, -20.0, 90.0]);
    file.bind(52, 3, [0.0, -50.0, 90.0]);
    file.take(100, "Nod", 0.0, 1.0);
    file.curve(200, 100, 3, "Lcl Rotation", &[(0.0, 0.0), (1.0, 90.0)]);
    let parsed = file.parse();
    let places =
        |locals: &[Transform]| parsed.scene.world(locals).iter().map(|t| t.translation).collect::<Vec<_>>();
    let rest: Vec<Transform> = parsed.scene.nodes().iter().map(|n| n.rest).collect();
    for (place, expected) in
        places(&rest).iter().skip(1).zip([[0.0, 0.9, 0.0], [0.0, 0.9, 0.2], [0.0, 0.9, 0.5]])
    {
        assert!(place.distance(expected.into()) < 1e-5, "{place}");
    }
    check_places("bound", &file.bytes(), &parsed);
    let strange = File { objects: file.objects.replace("-20,90,1", "-2000,90,1"), ..file };
    assert!(
        joined(&strange.parse().warnings).contains("other proportions"),
        "{}",
        joined(&strange.parse().warnings)
    );
}

#[test]
fn blend_shapes_are_expressions_and_their_animation_is_kept() {
    let mut file = File::new();
    file.shapes(2000, &["blendShape1.AK_09_EyeBlinkLeft", "blendShape1.Own", "eyeBlinkLeft"]);
    file.take(100, "Blink", 0.0, 1.0);
    file.curve(200, 100, 2010, "DeformPercent", &[(0.0, 0.0), (1.0, 50.0)]);
    let parsed = file.parse();
    let blink = Channel::Known(Expression::from_name("eyeBlinkLeft").unwrap());
    let channels: Vec<_> = parsed.expressions.iter().map(|e| e.channel.name()).collect();
    assert_eq!(channels, ["eyeBlinkLeft", "Own"], "a shape that would be the same expression joins it");
    let face = parsed.scene.nodes().iter().position(|n| n.name == "Face").unwrap();
    let first = &parsed.expressions[0].binds[0];
    assert_eq!((first.node, first.target, first.gain), (face, 0, 1.0));
    let [(channel, weights)] = &parsed.clips[0].weights[..] else { panic!("{:?}", parsed.clips) };
    assert_eq!((channel, weights.len()), (&blink, 31));
    assert!((weights[30] - 0.5).abs() < 1e-6 && weights[0] == 0.0, "{weights:?}");
}

#[test]
fn malformed_files_give_errors() {
    let text = |s: &str| format!("; FBX 7.4.0 project file\n{s}").into_bytes();
    let deep = "A: { ".repeat(2000);
    let hours = {
        let mut file = File::new();
        file.take(100, "Hours", 0.0, 200_000.0);
        file.curve(200, 100, 1, "Lcl Translation", &[(0.0, 0.0), (200_000.0, 1.0)]);
        file.bytes()
    };
    let costly = {
        let mut file = File::new();
        for id in 3..300 {
            file.node(id, "Bone", id - 1, [0.0; 3]);
        }
        file.take(10_000, "Costly", 0.0, 14_000.0);
        for id in 1..300 {
            file.curve(20_000 + 10 * id, 10_000, id, "Lcl Rotation", &[(0.0, 0.0), (14_000.0, 1.0)]);
        }
        file.bytes()
    };
    let tall = {
        let mut file = File::new();
        for id in 3..600 {
            file.node(id, "Bone", id - 1, [0.0; 3]);
        }
        file.bytes()
    };
    for (bytes, reason) in [
        (Vec::new(), "the file is truncated"),
        (text(""), "the file is truncated"),
        (text("Objects: {"), "this FBX has no nodes"),
        (text(&deep), "the file is malformed"),
        (b"Kaydara FBX Binary  \0\x1a\0".to_vec(), "the file is truncated"),
        (
            b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f".to_vec(),
            "the file is truncated",
        ),
        (b"v 0 0 0\nv 1 1 1\n".to_vec(), "the file is truncated"),
        (tall, "the hierarchy is too deep"),
        (hours, "take \"Hours\": 6000001 frames; at most 432000 are allowed"),
        (costly, "samples of keys and layers; at most"),
    ] {
        let error = parse(&bytes).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}\ninstead of\n{reason}");
    }
}

#[test]
fn invalid_utf8_in_names_is_replaced() {
    let mut bytes = File::new().bytes();
    let at = bytes.windows(5).position(|w| w == b"Spine").unwrap();
    bytes[at + 1] = 0xff;
    let parsed = parse(&bytes).unwrap();
    assert_eq!(parsed.scene.nodes()[2].name, "S\u{fffd}ine");
    assert!(joined(&parsed.warnings).to_lowercase().contains("utf-8"), "{}", joined(&parsed.warnings));
}

#[test]
fn fbx_files_are_detected() {
    for (bytes, expected) in [
        (&b"Kaydara FBX Binary  \0\x1a\0"[..], true),
        (b"; FBX 6.1.0 project file", true),
        (b"\xef\xbb\xbf; made by hand\nFBXHeaderExtension:  {", true),
        (b"HIERARCHY ROOT FBXHeaderExtension", false),
        (b"glTF", false),
        (b"", false),
    ] {
        assert_eq!(is_fbx(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

/// Returns a value such as `nodes=125` or `dur=2.03s` from a line of the manifest.
fn stated(line: &str, key: &str) -> f64 {
    let words = line.split(|c: char| c.is_whitespace() || c == ',');
    let value = words.filter_map(|w| w.strip_prefix(key)?.strip_prefix('=')).next();
    value.and_then(|v| v.trim_end_matches('s').parse().ok()).unwrap_or_else(|| panic!("{key}: {line}"))
}

/// Compares node positions in the middle of each take with those of ufbx's own scene evaluation.
fn check_places(name: &str, bytes: &[u8], parsed: &Parsed) {
    let file = load(bytes, Geometry::Skip).unwrap();
    for clip in &parsed.clips {
        let stack = file.anim_stacks.iter().find(|s| *s.element.name == *clip.name).unwrap();
        let frame = clip.frames / 2;
        let seconds = stack.time_begin + frame as f64 / clip.rate;
        let expected =
            ufbx::evaluate_scene(&file, &stack.anim, seconds, ufbx::EvaluateOpts::default()).unwrap();
        let mut locals: Vec<Transform> = parsed.scene.nodes().iter().map(|n| n.rest).collect();
        clip.rotations.iter().for_each(|(node, track)| locals[*node].rotation = track[frame]);
        clip.translations.iter().for_each(|(node, track)| locals[*node].translation = track[frame]);
        for (world, node) in parsed.scene.world(&locals).iter().zip(&expected.nodes) {
            let m = &node.node_to_world;
            let place = DVec3::new(m.m03, m.m13, m.m23).as_vec3();
            let off = world.translation.distance(place);
            let size = 1.0 + place.length();
            assert!(off < 1e-4 * size, "{name} {:?} {}: {off} m", clip.name, node.element.name);
        }
    }
}

#[test]
fn all_fbx_files_match_the_manifest() {
    let Some(folder) = vivant_testing::data("") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.csv")).unwrap();
    for line in manifest.lines().filter(|l| l.split(',').next().is_some_and(|f| f.ends_with(".fbx"))) {
        let file = line.split(',').next().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let parsed = parse(&bytes).unwrap();
        let nodes = parsed.scene.nodes();
        // Without scale helpers, which have no names.
        let named = nodes.iter().skip(1).filter(|n| !n.name.is_empty()).count() + 1;
        assert_eq!(named as f64, stated(line, "nodes"), "{file}");
        let seconds = |c: &NodeClip| (c.frames - 1) as f64 / c.rate;
        let longest = parsed.clips.iter().map(seconds).fold(0.0, f64::max);
        if longest > 0.0 {
            assert!((longest - stated(line, "dur")).abs() < 0.01, "{file}: {longest} s");
        }
        check_places(file, &bytes, &parsed);
        let has_shapes = stated(line, "blendch") > 0.0;
        assert_eq!(!parsed.expressions.is_empty(), has_shapes, "{file}");
    }
}
