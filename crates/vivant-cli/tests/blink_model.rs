//! Tests of `vivant learn blinks`, `vivant trace blink --profile pca` and motion blur.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::Value;
use std::fmt::Write;
use vivant::chance::Chance;

/// Returns a minute at 200 Hz with twenty slightly different blinks and noise of 0.5 %.
fn recording() -> String {
    let chance = Chance::new(1, "blinks");
    let blinks: Vec<[f64; 4]> = (0..20)
        .map(|index| {
            let mut draw = chance.event(index);
            let at = 1.5 + 2.9 * index as f64;
            [at, draw.between(0.08, 0.12), draw.between(0.16, 0.24), draw.between(0.02, 0.2)]
        })
        .collect();
    let ease = |u: f64| {
        let u = u.clamp(0.0, 1.0);
        u * u * (3.0 - 2.0 * u)
    };
    let mut noise = chance.event(1000);
    let mut text = "time [ms],openness left,openness right\n".to_owned();
    for sample in 0..12_000_u32 {
        let t = f64::from(sample) / 200.0;
        let closed = |[at, down, up, low]: &[f64; 4]| {
            (1.0 - low) * (ease((t - at) / down) - ease((t - at - down) / up))
        };
        let open = 1.0 - blinks.iter().map(closed).sum::<f64>();
        let [left, right] = [(); 2].map(|()| open + noise.between(-0.005, 0.005));
        writeln!(text, "{},{left:.5},{right:.5}", sample * 5).unwrap();
    }
    text
}

/// Creates a folder with this recording.
fn recorded(name: &str) -> Folder {
    Folder::with(&format!("model-{name}"), &[("eyes.csv", &recording())])
}

fn rows(table: &Value) -> Vec<Vec<f64>> {
    let row = |row: &Value| row.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    table["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn a_model_is_learned_reported_plotted_and_used() {
    let folder = recorded("learn");
    let report = folder.json("learn blinks eyes.csv -o blinks.model.json --plot blinks.svg --json");
    assert_eq!(
        (report["written"].as_str(), report["blinks"].as_u64()),
        (Some("blinks.model.json"), Some(20))
    );
    assert!(
        report["explained"].as_f64() > Some(0.98) && report["heldOut"]["variance"].as_f64() > Some(0.98),
        "{report}"
    );
    let bytes = folder.bytes("blinks.model.json");
    let model = vivant_io::json::blink_model::read(&bytes).unwrap();
    assert_eq!((model.components.len(), model.exemplars.len(), model.blinks), (5, 20, 20));
    let svg = folder.text("blinks.svg");
    assert!(svg.contains("Model of 20 blinks") && svg.contains("(d) synthesised"));
    let printed = folder.stdout("learn blinks eyes.csv --eyes each --variance 0.9");
    assert!(printed.contains("40 blinks at 200 Hz") && printed.contains("held-out"), "{printed}");

    for profile in ["pca", "real"] {
        let trace = |more: &str| {
            let model = "--model blinks.model.json --rate 500 --json";
            folder.json(&format!("trace blink --profile {profile} {model}{more}"))
        };
        let one = trace(" --seed 3");
        assert_eq!(one, trace(" --seed 3"));
        assert_ne!(rows(&one), rows(&trace(" --seed 4")));
        let lowest = rows(&one).iter().map(|row| row[1]).fold(0.0, f64::min);
        assert!((lowest + 35.0).abs() < 0.5, "a full blink closes the eye: {lowest}");
        let natural = trace(" --seed 3 --closure natural --duration 0.5");
        assert_eq!(rows(&natural).last().unwrap()[0], 0.5);
        assert!(natural["amplitude"].as_f64() < Some(0.99), "{profile}: {}", natural["amplitude"]);
    }
}

/// Tests the motion blur of paper 3 (4.1.1): 300 fps become 30 fps by the mean of ten frames.
#[test]
fn a_shutter_of_360_degrees_is_the_mean_of_ten_frames() {
    let folder = recorded("shutter");
    for kind in ["blink --profile pca", "eyes --seconds 4", "gaze-shift --to 30,5"] {
        let fine = rows(&folder.json(&format!("trace {kind} --rate 300 --json")));
        let film = rows(&folder.json(&format!("trace {kind} --rate 30 --shutter 360 --json")));
        assert_eq!(film.len(), (fine.len() - 1).div_ceil(10) + 1, "{kind}");
        for (index, row) in film.iter().enumerate() {
            let frame = |off: i64| &fine[(10 * index as i64 + off).clamp(0, fine.len() as i64 - 1) as usize];
            let mean = (-5..=4).map(|off| frame(off)[1]).sum::<f64>() / 10.0;
            assert!((row[1] - mean).abs() < 1e-9, "{kind}, frame {index}: {} and {mean}", row[1]);
        }
    }
}

#[test]
fn a_performance_has_motion_blur_on_request() {
    let folder = recorded("perform");
    let csv = |more: &str| {
        folder.stdout(&format!("perform --seconds 6 --fps 30 -o show.csv{more}"));
        folder.text("show.csv")
    };
    let (sharp, blurred) = (csv(""), csv(" --shutter 360"));
    assert_eq!(sharp, csv(" --shutter 0"));
    assert_ne!(sharp, blurred);
    assert_eq!(sharp.lines().count(), blurred.lines().count());
}

#[test]
fn errors_say_what_to_do() {
    let (whole, no) = (recording(), ("no.json", "{\"version\": 1}"));
    let short = whole.lines().take(900).collect::<Vec<_>>().join("\n");
    let folder = Folder::with("no-model", &[("eyes.csv", &whole), ("short.csv", &short), no]);
    folder.fault("trace blink --profile pca --model none.json", &["none.json: no such file"]);
    folder.fault("trace blink --profile pca --model no.json", &["no.json"]);
    folder.fault("trace blink --model no.json", &["choose `pca` or `real` (--profile)"]);
    folder.fault("trace blink --profile steptoe --rate 30 --shutter 180", &["leave --shutter out"]);
    folder.fault("trace blink --shutter 1000", &["0 to 720"]);
    folder.fault("learn blinks short.csv", &["a model needs 4"]);
    folder.fault("learn blinks none.csv", &["none.csv: no such file"]);
    folder.fault("learn blinks eyes.csv --plot no.gif", &[".svg or .png"]);
}
