//! Tests of `vivant learn eyes` and `vivant trace eyes --texture`.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::Value;
use std::fmt::Write;
use vivant::chance::Chance;
use vivant::eyes::blink::Blink;

/// Returns a minute at 120 Hz: gaze shifts of up to `far_deg` degrees to either side, and a blink every few seconds.
fn recording(seed: u64, far_deg: f64) -> String {
    let (chance, blink) = (Chance::new(seed, "eyes"), Blink::new(40.0));
    let mut text = "time,openness_left,openness_right,yaw,pitch\n".to_owned();
    let (mut gaze, mut until, mut blinked) = ([0.0; 2], 0.0, 0.0);
    for sample in 0..7200_u32 {
        let (t, mut draw) = (f64::from(sample) / 120.0, chance.event(sample.into()));
        if t >= until {
            gaze = [draw.between(-far_deg, far_deg), draw.between(-4.0, 4.0)];
            until = t + draw.between(0.3, 1.2);
        }
        if t > blinked + 3.0 {
            blinked = t + draw.between(0.0, 1.0);
        }
        let open = 1.0 - blink.closure(t - blinked);
        let [yaw, pitch] = gaze.map(|angle| angle + draw.between(-0.05, 0.05));
        writeln!(text, "{t:.5},{open:.4},{open:.4},{yaw:.3},{pitch:.3}").unwrap();
    }
    text
}

fn folder(name: &str) -> Folder {
    Folder::with(name, &[("calm.csv", &recording(1, 5.0)), ("nervous.csv", &recording(2, 20.0))])
}

/// Returns a column of a trace between two times.
fn column(table: &Value, name: &str, from: f64, to: f64) -> Vec<f64> {
    let columns = table["columns"].as_array().unwrap();
    let index = columns.iter().position(|column| column == name).unwrap();
    let number = |row: &Value, index: usize| row[index].as_f64().unwrap();
    let rows = table["rows"].as_array().unwrap().iter();
    rows.filter(|row| (from..to).contains(&number(row, 0))).map(|row| number(row, index)).collect()
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_texture_is_learned_plotted_and_synthesized_reproducibly() {
    let folder = folder("eyes-learn");
    let report = folder.json("learn eyes calm.csv -o eyes.texture --plot knee.svg --json");
    assert_eq!(report["written"], "eyes.texture");
    vivant_io::json::texture::read(&folder.bytes("eyes.texture")).unwrap();
    assert!(folder.text("knee.svg").contains("Patch duration"));
    assert!(folder.stdout("learn eyes calm.csv").contains("patch length"));
    let trace = |more: &str| {
        folder.json(&format!("trace eyes --texture eyes.texture --seconds 30 --json --seed {more}"))
    };
    assert_eq!(trace("3"), trace("3"));
    assert_ne!(trace("3")["rows"], trace("4")["rows"]);
    let fps = trace("3 --rate 30");
    assert_eq!(fps["rows"].as_array().unwrap().len(), 901);
    let openness = column(&trace("3"), "aperture_left", 0.0, 30.0);
    assert!(openness.iter().any(|open| *open < 0.1), "no blinks in half a minute");
}

#[test]
fn requests_to_a_texture_are_met() {
    let folder = folder("eyes-intents");
    folder.stdout("learn eyes nervous.csv -o eyes.texture");
    let trace =
        |more: &str| folder.json(&format!("trace eyes --texture eyes.texture --seconds 40 --json {more}"));
    let ahead = trace("--look-ahead 10..25");
    assert!(
        most(&column(&ahead, "gaze_yaw", 11.5, 24.0)) < 10.5
            && most(&column(&ahead, "gaze_yaw", 0.0, 9.0)) > 12.0
    );
    let avoiding = trace("--avoid left");
    assert!(
        most(&column(&avoiding, "gaze_yaw", 1.5, 40.0)) < 5.5,
        "{}",
        most(&column(&avoiding, "gaze_yaw", 1.5, 40.0))
    );
    let blinking = trace("--blink-at 12.3");
    assert!(column(&blinking, "aperture_left", 12.2, 12.45).iter().any(|open| *open < 0.3));
}

#[test]
fn corpora_are_moods_and_can_be_added() {
    let folder = folder("eyes-corpora");
    folder.stdout("learn eyes --corpus calm=calm.csv --corpus nervous=nervous.csv -o two.texture");
    folder.stdout("learn eyes calm.csv --corpus calm -o added.texture");
    folder.stdout("learn eyes nervous.csv --corpus nervous -o added.texture --append");
    for texture in ["two.texture", "added.texture"] {
        let spread = |corpus: &str| {
            let words = format!("trace eyes --texture {texture} --seconds 40 --json --corpus {corpus}");
            most(&column(&folder.json(&words), "gaze_yaw", 0.0, 40.0))
        };
        assert!(spread("calm") < 6.0 && spread("nervous") > 12.0, "{texture}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let lids = "time,openness_left\n0,1\n0.01,1\n0.02,0.9\n";
    let pixels = "START 1 LEFT\nGAZE_COORDS\n1\t 655.6\t 599.9\t 1121.0\t.....\n3\t 655.6\t 599.9\t 1121.0\t.....\nEND 3\n";
    let files = [("lids.csv", lids), ("pixels.asc", pixels), ("no.texture", "{\"version\": 1}")];
    let folder = Folder::with("no-eyes", &files);
    for (words, expected) in [
        ("learn eyes lids.csv -o eyes.texture", &["lids.csv", "gaze"][..]),
        ("learn eyes pixels.asc", &["gaze is in pixels", "pixels_per_degree", "no gaze was recorded"]),
        ("learn eyes none.csv", &["none.csv: no such file"]),
        ("learn eyes lids.csv --append", &["--output"]),
        ("trace eyes --seconds 2 --texture no.texture", &["no.texture"]),
        ("trace eyes --seconds 2 --texture none.texture", &["none.texture: no such file"]),
        ("trace eyes --seconds 2 --avoid left", &["--texture"]),
    ] {
        folder.fault(words, expected);
    }
}
