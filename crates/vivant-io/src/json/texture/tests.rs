use super::*;
use proptest::prelude::*;
use vivant::eyes::texture::{Corpus, Form, Run, Tolerance};

/// A texture with three frames per patch, with one part replaced.
fn with(old: &str, new: &str) -> String {
    let good = r#"{"version": 1, "origin": "a test", "rateHz": 10, "patchSecs": 0.3, "boundarySecs": 0.1,
        "tolerance": {"form": "liang", "epsilon": 0.2}, "longestRunSecs": 2,
        "corpora": [{"name": "calm", "openLevel": 1, "openPerDeg": 0.01, "runs": [
            {"openness": [1, 1, 0.5, 1], "yawDeg": [0, 0, 5, 5], "pitchDeg": [0, 0, 1.5, 1], "blinks": [2]}]}]}"#;
    assert!(good.contains(old), "{old}");
    good.replace(old, new)
}

#[test]
fn malformed_textures_give_errors_with_place_and_cause() {
    for (old, new, words) in [
        ("]}]}]}", "]}]}]", "closing bracket"),
        ("\"version\": 1,", "", "version: the field `version` is missing"),
        ("\"version\": 1", "\"version\": 7", "version 7 is newer than 1"),
        ("\"origin\"", "\"orign\"", "did you mean `origin`?"),
        ("\"a test\"", "\"\"", "origin: is empty"),
        ("\"rateHz\": 10", "\"rateHz\": \"fast\"", "rateHz: found the text \"fast\""),
        ("\"rateHz\": 10", "\"rateHz\": 0", "rateHz: 0 is out of range"),
        ("\"rateHz\": 10", "\"rateHz\": null", "rateHz"),
        ("0.3", "1e300", "patchSecs: 1"),
        ("\"liang\"", "\"lang\"", "tolerance.form: unknown value `lang`"),
        ("0.2}", "0.2, \"epsilom\": 1}", "tolerance: unknown field `epsilom`; did you mean `epsilon`?"),
        ("{\"form\": \"liang\", \"epsilon\": 0.2}", "0.2", "tolerance: found 0.2, expected an object"),
        ("0.2}", "-0.2}", "tolerance.epsilon: -0.2 is out of range"),
        ("\"calm\"", "\"\"", "corpora[0].name: is empty"),
        ("[{\"name\"", "[3, {\"name\"", "corpora[0]: found 3, expected an object"),
        ("\"openLevel\": 1, ", "", "corpora[0]: the field `openLevel` is missing"),
        ("[1, 1, 0.5, 1]", "[1, 1, \"x\", 1]", "corpora[0].runs[0].openness[2]: found the text \"x\""),
        ("[1, 1, 0.5, 1]", "[1, 1, null, 1]", "corpora[0].runs[0].openness[2]"),
        ("[1, 1, 0.5, 1]", "[1, 1, 9, 1]", "corpora[0].runs[0].openness[2]: 9 is out of range"),
        ("[1, 1, 0.5, 1]", "[1, 1]", "corpora[0].runs[0].openness: 2 frames are too few"),
        ("[0, 0, 5, 5]", "[0, 0, 5]", "corpora[0].runs[0].yawDeg: 3 values for 4 frames"),
        ("[0, 0, 5, 5]", "[0, 0, 1e40, 5]", "corpora[0].runs[0].yawDeg[2]: inf is out of range"),
        (
            "[2]",
            "[4]",
            "corpora[0].runs[0].blinks: blinks must be frame numbers in ascending order, each below 4",
        ),
        ("[2]", "[-1]", "corpora[0].runs[0].blinks[0]"),
        ("[2]", "[2], \"blinks\": [2]", "duplicate field `blinks`"),
    ] {
        let message = read(with(old, new).as_bytes()).expect_err(words).to_string();
        assert!(message.contains(words), "{new}\n  {message}\n  lacks {words}");
    }
    assert_eq!(read(with("calm", "calm").as_bytes()).map(|read| read.frames()), Ok([3, 1]));
}

fn run() -> impl Strategy<Value = Run> {
    let frame = (0_i16..1200, -6000_i16..6000, -6000_i16..6000);
    prop::collection::vec(frame, 20..60).prop_map(|frames| Run {
        origin: String::new(),
        openness: frames.iter().map(|frame| f32::from(frame.0) / 1000.0).collect(),
        yaw_deg: frames.iter().map(|frame| f32::from(frame.1) / 100.0).collect(),
        pitch_deg: frames.iter().map(|frame| f32::from(frame.2) / 100.0).collect(),
        blinks: (0..frames.len() as u32).step_by(7).collect(),
    })
}

proptest! {
    #[test]
    fn textures_round_trip(runs in prop::collection::vec(run(), 1..4), is_literal: bool) {
        let form = if is_literal { Form::Literal } else { Form::Liang };
        let tolerance = Tolerance { form, ..Tolerance::default() };
        let corpus = |name: &str| Corpus {
            name: name.into(), open_level: 0.97, open_per_deg: 0.013, runs: runs.clone(),
        };
        let corpora = vec![corpus("calm"), corpus("bored “stiff”")];
        let texture = TextureDef { rate_hz: 30.0, tolerance, corpora, ..TextureDef::default() };
        let written = write(&texture).unwrap();
        prop_assert_eq!(read(written.as_bytes()), Ok(texture));
        let frames: usize = runs.iter().map(|run| run.openness.len()).sum();
        prop_assert!(written.len() < 2 * frames * 25 + 4000, "{} bytes", written.len());
    }
}
