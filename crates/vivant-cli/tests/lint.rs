//! Tests of `vivant lint`.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::Value;
use std::fmt::Write;

fn linted(folder: &Folder, words: &str) -> Value {
    folder.json(&format!("lint {words} --json"))
}

fn check<'a>(lint: &'a Value, id: &str) -> &'a Value {
    lint["checks"].as_array().unwrap().iter().find(|check| check["id"] == id).unwrap()
}

fn verdicts<'a>(lint: &'a Value, verdict: &str) -> Vec<&'a str> {
    let all = lint["checks"].as_array().unwrap().iter();
    all.filter(|check| check["verdict"] == verdict).map(|check| check["id"].as_str().unwrap()).collect()
}

/// Vivant's own eyes, idle and on a performing character, have no verdict “wrong”.
#[test]
fn our_own_eyes_are_human() {
    let folder = Folder::with("lint-own", &[]);
    folder.stdout("trace eyes --seconds 600 --rate 120 -o alone.csv");
    let alone = linted(&folder, "alone.csv");
    assert_eq!(verdicts(&alone, "wrong"), Vec::<&str>::new());
    assert!(alone["score"].as_f64().unwrap() > 95.0, "{}", alone["score"]);
    for (state, script) in [
        ("idle", ""),
        ("speaking", r#"{"at": 1, "be": "speaking"}"#),
        ("listening", r#"{"at": 1, "be": "listening"}"#),
        ("reading", r#"{"at": 1, "be": "reading"}"#),
    ] {
        std::fs::write(folder.path("script.jsonl"), script).unwrap();
        folder.stdout("perform script.jsonl --seconds 300 --fps 60 -o show.jsonl");
        let lint = linted(&folder, &format!("show.jsonl --state {state}"));
        assert_eq!(verdicts(&lint, "wrong"), Vec::<&str>::new(), "{state}");
        assert!(verdicts(&lint, "human").len() >= 20, "{state}: {lint}");
        assert!(lint["score"].as_f64().unwrap() > 90.0, "{state}: {:?}", verdicts(&lint, "odd"));
    }
}

/// The preset “Friendly” passes, “inactive” blinks often, and a preset that never blinks is detected.
#[test]
fn presets_can_be_performed_and_are_judged() {
    let folder = Folder::with("lint-presets", &[]);
    let of = |preset: &str| {
        folder.stdout(&format!("perform --preset {preset} --seconds 300 --fps 60 -o show.jsonl"));
        linted(&folder, "show.jsonl --state idle")
    };
    let (friendly, inactive, still) = (of("Friendly"), of("inactive"), of("NB"));
    let rate = |lint: &Value| check(lint, "blinks.rate")["value"].as_f64().unwrap();
    assert!(verdicts(&friendly, "wrong").is_empty() && (rate(&friendly) - 18.0).abs() < 5.0, "{friendly}");
    assert!(rate(&inactive) > 28.0, "{inactive}");
    assert!(verdicts(&still, "wrong").contains(&"blinks.rate"), "{still}");
}

/// The same motion has the same verdicts in all formats that contain it.
#[test]
fn formats_agree() {
    let folder = Folder::with("lint-formats", &[]);
    let mut rates = Vec::new();
    for file in ["a.jsonl", "a.csv", "a.curves.csv", "a.vrma", "a.glb", "a.bvh"] {
        folder.stdout(&format!("perform --seconds 60 --fps 60 -o {file}"));
        let lint = linted(&folder, file);
        assert_eq!(verdicts(&lint, "wrong"), Vec::<&str>::new(), "{file}");
        let value = |id: &str| check(&lint, id)["value"].as_f64();
        // The curves do not contain the whole head rotation, and without lids the eyes' motion in blinks counts too.
        if !["a.curves.csv", "a.bvh"].contains(&file) {
            rates.push(value("glances.rate").unwrap());
        }
        let closing = value("blinks.closing");
        assert_eq!(closing.is_none(), file == "a.bvh", "{file} holds lids");
    }
    let spread = rates.iter().copied().fold(0.0, f64::max) - rates.iter().copied().fold(f64::MAX, f64::min);
    assert!(spread < 0.05, "{rates:?}");
}

/// Files contain when the character looks at the partner, and speakers look away more than listeners.
#[test]
fn files_contain_gaze_at_the_partner() {
    let folder = Folder::with("lint-looks", &[]);
    let mut shares = Vec::new();
    for (state, file) in [
        ("speaking", "a.jsonl"),
        ("speaking", "a.csv"),
        ("speaking", "a.curves.csv"),
        ("listening", "a.jsonl"),
    ] {
        std::fs::write(folder.path("script.jsonl"), format!(r#"{{"at": 0, "be": "{state}"}}"#)).unwrap();
        folder.stdout(&format!("perform script.jsonl --seconds 240 --fps 30 -o {file}"));
        let lint = linted(&folder, &format!("{file} --state {state}"));
        for id in ["conversation.looking", "conversation.aversions"] {
            assert_eq!(check(&lint, id)["verdict"], "human", "{state}, {file}: {}", check(&lint, id));
        }
        shares.push(check(&lint, "conversation.looking")["value"].as_f64().unwrap());
    }
    // Rounding may move the end of a glance by a frame.
    let is_same = |share: &f64| (share - shares[0]).abs() < 0.005;
    assert!(shares[..3].iter().all(is_same), "all formats agree: {shares:?}");
    assert!(shares[0] < shares[3] - 0.1, "listeners look more: {shares:?}");
    // Without a conversation there is not enough data.
    let idle = linted(&folder, "a.jsonl --state idle");
    assert_eq!(check(&idle, "conversation.looking")["verdict"], "not enough data");
    folder.stdout("trace eyes --state listening --seconds 240 --rate 60 -o eyes.csv");
    let eyes = linted(&folder, "eyes.csv --state listening");
    assert_eq!(check(&eyes, "conversation.looking")["verdict"], "human", "{eyes}");
}

/// A recording with named areas of interest: 3 s at a face, 2 s elsewhere, repeated.
#[test]
fn areas_of_interest_give_gaze_at_the_partner() {
    let mut table = "time,yaw,pitch,aoi,region\n".to_owned();
    for i in 0..6000 {
        let (t, is_face) = (f64::from(i) / 50.0, i % 250 < 150);
        let (aoi, region) = if is_face { ("face", "R1") } else { ("lamp", "") };
        writeln!(
            table,
            "{t},{},{},{aoi},{region}",
            if is_face { 0.0 } else { 12.0 },
            0.01 * f64::from(i % 7)
        )
        .unwrap();
    }
    let map = "[time]\ncolumn = 'time'\nunit = 's'\n[gaze]\nyaw = 'yaw'\npitch = 'pitch'\n[look]\nany = [{ column = 'region', is = 'r1' }]\n";
    let folder = Folder::with("lint-aoi", &[("mine.csv", &table), ("map.toml", map)]);
    for words in ["mine.csv", "mine.csv --map map.toml"] {
        let lint = linted(&folder, &format!("{words} --state listening"));
        let value = |id: &str| check(&lint, id)["value"].as_f64().unwrap();
        assert!((value("conversation.looking") - 0.6).abs() < 1e-9, "{words}: {lint}");
        assert!((value("conversation.aversions") - 2.0).abs() < 1e-9, "{words}: {lint}");
    }
}

/// Returns a minute in the format of Live Link Face, in which the eyes close instantly every three seconds.
fn live_link() -> String {
    let mut text =
        "Timecode,BlendShapeCount,EyeBlinkLeft,EyeBlinkRight,HeadYaw,HeadPitch,HeadRoll,LeftEyeYaw,\
                    LeftEyePitch,LeftEyeRoll,RightEyeYaw,RightEyePitch,RightEyeRoll\n"
            .to_owned();
    for i in 0..3600 {
        let closed = if i % 180 < 9 { 1.0 } else { 0.02 };
        let yaw = 0.2 * vivant::math::sin(f64::from(i) / 60.0);
        writeln!(
            text,
            "10:00:{:02}:{:02}.000,61,{closed},{closed},{yaw},0,0,{},0.01,0,{},0.01,0",
            i / 60,
            i % 60,
            -yaw,
            -yaw
        )
        .unwrap();
    }
    text
}

#[test]
fn arkits_table_is_read_and_its_faults_are_reported() {
    let folder = Folder::with("lint-arkit", &[("MySlate_iPhone.csv", &live_link())]);
    let lint = linted(&folder, "MySlate_iPhone.csv");
    assert_eq!((lint["rateHz"].as_f64(), lint["seconds"].as_f64()), (Some(60.0), Some(60.0)));
    assert!((check(&lint, "blinks.rate")["value"].as_f64().unwrap() - 20.0).abs() < 1.5);
    assert_eq!(check(&lint, "blinks.intervals")["verdict"], "wrong");
    for check in lint["checks"].as_array().unwrap() {
        for key in ["id", "value", "unit", "human", "source", "verdict", "advice"] {
            assert!(check.get(key).is_some(), "{key} in {check}");
        }
        assert_eq!(check["human"].as_array().unwrap().len(), 2);
    }
    let text = folder.stdout("lint MySlate_iPhone.csv");
    assert!(
        text.contains("wrong  blinks.intervals") && text.contains("Do not blink at fixed intervals"),
        "{text}"
    );
    // Continuous integration needs the exit status.
    assert_eq!(folder.run("lint MySlate_iPhone.csv --strict").status.code(), Some(1));
}

#[test]
fn the_report_is_one_page_with_plots() {
    let folder = Folder::with("lint-report", &[("a<b>.csv", &live_link())]);
    folder.stdout("lint a<b>.csv --report page.html");
    let page = folder.text("page.html");
    assert!(page.contains("How human is a&lt;b&gt;.csv?") && !page.contains("a<b>"));
    assert!(page.matches("<figure>").count() >= 3 && page.contains("Inter-blink intervals"), "{page}");
    assert!(!page.contains("http"), "it loads nothing from other servers");
}

#[test]
fn lint_errors_name_the_file_and_the_fix() {
    let motion =
        "time,hips.position.x,hips.position.y,hips.position.z,leftEye.x,leftEye.y,leftEye.z,leftEye.w\n";
    let rows = "0,0,1,0,0,0,0,1\n0.1,0,1,0,0,0,zero,1\n";
    let folder = Folder::with(
        "lint-broken",
        &[
            ("none.csv", "a,b\n1,2\n3,4\n"),
            ("motion.csv", &format!("{motion}{rows}")),
            ("short.csv", "time,openness\n0,1\n0.01,1\n0.02,1\n0.03,0.9\n"),
            ("broken.jsonl", "{\"time\": 0}\n{\"time\": \"never\"}\n"),
            (
                "still.jsonl",
                "{\"time\":0,\"rotations\":{\"hips\":[0,0,0,1]}}\n{\"time\":0.1,\"rotations\":{\"hips\":[0,0,0,1]}}\n",
            ),
            ("broken.vrma", "glTF"),
        ],
    );
    for (words, sentence) in [
        ("missing.csv", "missing.csv"),
        ("none.csv", "--map"),
        ("motion.csv", "“zero” is not a number"),
        ("short.csv", "at least 1 s"),
        ("broken.jsonl", "line 2"),
        ("still.jsonl", "neither eyes nor lids"),
        ("broken.vrma", "broken.vrma"),
    ] {
        folder.fault(&format!("lint {words}"), &[sentence, words]);
    }
}

/// The classifier does not separate traces of the same kind; it separates a person who blinks differently.
#[test]
fn the_classifier_separates_traces_only_if_they_differ() {
    let folder = Folder::with("lint-beside", &[("MySlate_iPhone.csv", &live_link())]);
    for seed in 1..=4 {
        folder.stdout(&format!("trace eyes --seconds 240 --rate 60 --seed {seed} -o {seed}.csv"));
    }
    let beside = "--beside anna=1.csv --beside ben=2.csv --beside 3.csv";
    let alike = linted(&folder, &format!("4.csv {beside}"));
    for by in ["lids", "eyes"] {
        let likeness = &alike["likeness"][by];
        let (auc, error) = (likeness["auc"].as_f64().unwrap(), likeness["error"].as_f64().unwrap());
        assert_eq!(likeness["people"], 3);
        assert!((auc - 0.5).abs() < 1.5 * error, "by {by}: {likeness}");
    }
    let other = linted(&folder, &format!("MySlate_iPhone.csv {beside}"));
    assert!(other["likeness"]["lids"]["auc"].as_f64().unwrap() > 0.95, "{}", other["likeness"]);
    folder.fault("lint 4.csv --beside anna=nobody.csv", &["nobody.csv"]);
}
