//! Tests of `vivant blinks`.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::Value;
use std::fmt::Write;
use vivant::eyes::blink::Blink;

/// Returns twenty seconds at 100 Hz in which both eyes blink, blink partially and stay shut for a second.
fn table() -> String {
    let (blink, mut text) = (Blink::new(40.0), "time,openness_left,openness_right\n".to_owned());
    for i in 0..2000 {
        let t = f64::from(i) / 100.0;
        let held = if t < 12.07 { t - 12.0 } else { (t - 13.0).max(0.07) };
        let closure = blink.closure(t - 3.0)
            + 0.5 * blink.closure(t - 6.0)
            + blink.closure(t - 9.0)
            + blink.closure(held);
        writeln!(text, "{t},{},{}", 9.0 * (1.0 - closure), 8.0 * (1.0 - closure)).unwrap();
    }
    text
}

/// Creates a folder with this recording.
fn blinking(name: &str) -> Folder {
    Folder::with(&format!("blinks-{name}"), &[("eyes.csv", &table())])
}

#[test]
fn the_csv_begins_with_onset_apex_offset_and_kind() {
    let folder = blinking("csv");
    folder.stdout("blinks eyes.csv -o blinks.csv");
    let csv = folder.text("blinks.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["onset", "apex", "offset", "kind"]);
    assert_eq!(rows[1..].iter().map(|row| row[3]).collect::<Vec<_>>(), ["blink", "partial", "blink", "long"]);
    for (row, onset) in rows[1..].iter().zip([3.0, 6.0, 9.0, 12.0]) {
        let times: Vec<f64> = row[..3].iter().map(|cell| cell.parse().unwrap()).collect();
        assert!((times[0] - onset).abs() < 0.02 && times[0] < times[1] && times[1] < times[2], "{row:?}");
        assert_eq!(row.len(), rows[0].len());
    }
}

#[test]
fn json_has_the_events_and_their_statistics() {
    let folder = blinking("json");
    let printed: Value = folder.json("blinks eyes.csv --json -o blinks.json");
    let written: Value = serde_json::from_slice(&folder.bytes("blinks.json")).unwrap();
    assert_eq!(printed, written);
    let statistics = &printed["statistics"];
    assert_eq!(["blinks", "partial", "long", "squints"].map(|key| &statistics[key]), [2, 1, 1, 0]);
    assert!((statistics["per_minute"].as_f64().unwrap() - 9.0).abs() < 0.1, "{statistics}");
    let counts = statistics["durations"]["histogram"]["counts"].as_array().unwrap();
    assert_eq!(counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 3);
    assert!((statistics["intervals"]["median"].as_f64().unwrap() - 3.0).abs() < 0.05);
    assert_eq!(printed["events"].as_array().unwrap().len(), 4);
}

#[test]
fn one_eye_and_the_other_end_can_be_asked_for() {
    let folder = blinking("eye");
    let offset = |words: &str| -> f64 {
        let json: Value = folder.json(&format!("blinks {words}"));
        json["events"][0]["offset"].as_f64().unwrap()
    };
    assert_eq!(offset("eyes.csv --json --eye left"), offset("eyes.csv --json --eye right"));
    assert!(offset("eyes.csv --json --end 95") < offset("eyes.csv --json --end gradient"));
}

#[test]
fn pictures_are_drawn() {
    let folder = blinking("plot");
    folder.stdout("blinks eyes.csv --plot blinks.svg");
    folder.stdout("blinks eyes.csv --plot blinks.png");
    let svg = folder.text("blinks.svg");
    for words in ["Blinks: eyes.csv", "3 blinks, aligned", "Durations", "squint", "partial"] {
        assert!(svg.contains(words), "{words}");
    }
    assert!(folder.bytes("blinks.png").starts_with(b"\x89PNG"));
}

#[test]
fn errors_name_the_file_and_the_fix() {
    let gaze = ("gaze.csv", "time,yaw,pitch\n0,1,2\n0.01,1,2\n0.02,1,2\n");
    let dark = ("dark.csv", "time,openness_left\n0,\n0.01,\n0.02,\n");
    let folder = Folder::with("no-blinks", &[("eyes.csv", &table()), gaze, dark]);
    for (words, says) in [
        ("gaze.csv", &["gaze.csv", "apertures", "--map"][..]),
        ("dark.csv", &["dark.csv"]),
        ("nowhere.csv", &["nowhere.csv"]),
        ("eyes.csv -o blinks.txt", &["blinks.txt", ".csv or .json"]),
        ("eyes.csv --plot blinks.gif", &["blinks.gif", ".svg or .png"]),
    ] {
        folder.fault(&format!("blinks {words}"), says);
    }
}
