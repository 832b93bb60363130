use super::*;
use serde_json::{Value, json};
use std::fmt::Write as _;

fn read(text: &str) -> Result<Vec<Sighting>> {
    super::read("it", text.as_bytes(), 30.0)
}

/// Returns points that are all different.
fn pose(shift: f32) -> Vec<[f32; 4]> {
    (0..33).map(|n| [0.01 * n as f32 + shift, 0.02 * n as f32, -0.01 * n as f32, 0.9]).collect()
}

fn near(a: &[[f32; 4]], b: &[[f32; 4]]) -> bool {
    a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-5)
}

/// The same two frames in every supported layout.
#[test]
fn all_layouts_of_landmarks_are_read() {
    let frames = [(0.0, pose(0.0)), (0.5, pose(0.1))];
    let objects = |points: &[[f32; 4]]| -> Value {
        points.iter().map(|[x, y, z, v]| json!({ "x": x, "y": y, "z": z, "visibility": v })).collect()
    };
    let lines: String = frames.iter().fold(String::new(), |mut all, (t, points)| {
        let _ = writeln!(all, "{}", json!({ "time": t, "pose": points }));
        all
    });
    let of = |frame: &dyn Fn(f64, &Vec<[f32; 4]>) -> Value| -> Value {
        frames.iter().map(|(t, points)| frame(*t, points)).collect()
    };
    let legacy =
        of(&|t, points| json!({ "timestamp": t, "pose_landmarks": { "landmark": objects(points) } }));
    let tasks = of(&|t, points| json!({ "timestampMs": 1000.0 * t, "landmarks": [objects(points)] }));
    let framed = json!({ "frames": of(&|t, points| json!({ "t": t, "poseLandmarks": objects(points) })) });
    let cells = |points: &[[f32; 4]]| points.iter().flatten().map(|v| format!(",{v}")).collect::<String>();
    let wide = |head: &dyn Fn(usize) -> [String; 4]| {
        let header: String = (0..33).flat_map(|n| head(n).map(|name| format!(",{name}"))).collect();
        let rows = frames.iter().map(|(t, points)| format!("{t}{}\n", cells(points)));
        format!("time{header}\n{}", rows.collect::<String>())
    };
    let axes = |prefix: String, suffix: &str| {
        ["x", "y", "z", "visibility"].map(|axis| format!("{prefix}{axis}{suffix}"))
    };
    let named = wide(&|n| axes(format!("{}_", POSE_NAMES[n].to_uppercase()), ""));
    let numbered = wide(&|n| axes(format!("pose_{n}_"), ""));
    let from_one = wide(&|n| ["x", "y", "z", "v"].map(|axis| format!("{axis}{}", n + 1)));
    let dotted = wide(&|n| axes(format!("{}.", POSE_NAMES[n]), "")).replace(',', ";");
    let mut long = "frame,landmark,x,y,z,visibility\n".to_owned();
    for (t, points) in &frames {
        for (n, [x, y, z, v]) in points.iter().enumerate() {
            let name = if n % 2 == 0 { n.to_string() } else { POSE_NAMES[n].to_uppercase() };
            let _ = writeln!(long, "{},{name},{x},{y},{z},{v}", t * 30.0);
        }
    }
    let texts = [
        lines,
        legacy.to_string(),
        tasks.to_string(),
        framed.to_string(),
        named,
        numbered,
        from_one,
        dotted,
        long,
    ];
    for text in texts {
        let found = read(&text).unwrap_or_else(|error| panic!("{error}\n{}", &text[..200]));
        assert_eq!(found.len(), 2, "{}", &text[..200]);
        for (found, (t, points)) in found.iter().zip(&frames) {
            assert!((found.time - t).abs() < 1e-9, "{}", &text[..200]);
            assert!(found.pose.as_deref().is_some_and(|pose| near(pose, points)), "{}", &text[..200]);
        }
    }
}

#[test]
fn world_face_and_hands_are_stored_in_their_lists() {
    let mut header = "frame".to_owned();
    let mut row = "3".to_owned();
    for (prefix, count) in [("world", 33), ("face", 478), ("left_hand", 21), ("right_hand", 21)] {
        for n in 0..count {
            let _ = write!(header, ",{prefix}_{n}_x,{prefix}_{n}_y,{prefix}_{n}_z");
            let _ = write!(row, ",0.1,0.2,0.3");
        }
    }
    let found = read(&format!("{header}\n{row}\n")).unwrap();
    let [one] = found.as_slice() else { panic!("expected one frame") };
    assert_eq!(one.time, 0.1);
    let counts = [&one.face, &one.left_hand, &one.right_hand].map(|list| list.as_ref().map_or(0, Vec::len));
    assert_eq!(counts, [478, 21, 21]);
    assert_eq!(one.world.as_ref().map(|world| world[5]), Some([0.1, 0.2, 0.3, 1.0]));
    assert_eq!(one.pose, None);
}

#[test]
fn pixels_are_normalized_and_empty_cells_are_not_seen() {
    let found =
        read("frame,LEFT_WRIST_x,LEFT_WRIST_y,NOSE_x,NOSE_y\n0,320,480,,\n1,640,240,640,100\n").unwrap();
    let pose = |index: usize| found[index].pose.as_deref().expect("there are points");
    assert_eq!(pose(0)[15], [0.5, 1.0, 0.0, 1.0]);
    assert_eq!(pose(0)[0][3], 0.0, "the nose was not seen");
    assert_eq!((found[1].size, pose(1)[0][3]), (Some([640.0, 480.0]), 1.0));
}

#[test]
fn a_truncated_last_line_is_ignored() {
    let line = json!({ "time": 0, "people": 0 }).to_string();
    assert_eq!(read(&format!("{line}\n{}", &line[..9])).map(|all| all.len()), Ok(1));
}

#[test]
fn malformed_landmarks_are_errors() {
    let line = |time: f64| json!({ "time": time, "people": 0 }).to_string();
    for (text, words) in [
        (String::new(), "it: the file is empty"),
        ("  \n".into(), "empty"),
        ("[3]".into(), "frame 1: expected a list of frames"),
        ("[{\"colour\": 3}]".into(), "frame 1: no landmarks"),
        ("{\"time\": 0, \"pose\": 3}".into(), "pose: the value must be a list of points"),
        ("{\"time\": 0, \"pose\": [[1, \"a\"]]}".into(), "a point must be [x, y, z"),
        ("{\"time\": 0, \"pose\": [[0, 0, 0, 1]]}".into(), "found 1 points, expected 33 as from MediaPipe"),
        ("{\"time\": 0}\n{]\n".into(), "line 2: invalid JSON"),
        (format!("{}\n{}\n", line(2.0), line(1.0)), "frame 2: the time is before"),
        ("{\"time\": -1, \"people\": 1}".into(), "frame 1: time: -1 is out of range"),
        ("a,b,c\n1,2,3\n".into(), "line 1: no landmark columns"),
        ("time,NOSE_x,NOSE_y\n0,zero,1\n".into(), "line 2, column 2: “zero” is not a number"),
        ("frame,landmark,x,y\n0,tail,1,1\n".into(), "line 2: “tail” is not a landmark"),
        ("frame,landmark,x,y\n0,99,1,1\n".into(), "line 2: “99” is not a landmark"),
        ("frame,NOSE_x,NOSE_y\nx,1,1\n".into(), "line 2, column 1: “x” is not a number"),
    ] {
        let error = read(&text).expect_err("it is malformed").to_string();
        assert!(error.contains(words), "{text}\n  {error}\n  lacks {words}");
    }
}
