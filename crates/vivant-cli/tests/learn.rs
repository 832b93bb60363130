//! Tests of `vivant learn behaviour`.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::Value;

/// Returns a few seconds of annotations: a gesture of the right arm, a gesture of both arms, a transition of the left
/// arm, a fidget of the right arm, and two nods.
fn talk() -> String {
    let tiers = [
        ("Right Arm", &[(0, 800, "gesture"), (1000, 2000, "gesture"), (5000, 6000, "fidget")][..]),
        ("Left Arm", &[(1050, 2050, "gesture"), (3000, 4000, "stance-transition")]),
        ("Head action", &[(100, 900, "nodding"), (2000, 2500, "nodding")]),
    ];
    let (mut slots, mut all) = (String::new(), String::new());
    for (name, annotations) in tiers {
        all += &format!("<TIER TIER_ID=\"{name}\" LINGUISTIC_TYPE_REF=\"t\">");
        for (start, end, value) in annotations {
            let id = all.len();
            slots += &format!(
                "<TIME_SLOT TIME_SLOT_ID=\"a{id}\" TIME_VALUE=\"{start}\"/><TIME_SLOT TIME_SLOT_ID=\"b{id}\" TIME_VALUE=\"{end}\"/>"
            );
            all += &format!(
                "<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID=\"i{id}\" TIME_SLOT_REF1=\"a{id}\" TIME_SLOT_REF2=\"b{id}\">\
                 <ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            );
        }
        all += "</TIER>";
    }
    format!(
        "<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{all}<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"t\"/></ANNOTATION_DOCUMENT>"
    )
}

/// Creates a folder with these annotations.
fn talking(name: &str) -> Folder {
    Folder::with(&format!("learn-{name}"), &[("talk.eaf", &talk())])
}

#[test]
fn the_matrix_is_csv_with_the_nine_states_on_both_sides() {
    let csv = talking("matrix").stdout("learn behaviour talk.eaf --matrix");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let nine = ["LG", "LF", "LT", "RG", "RF", "RT", "LRG", "LRF", "LRT"];
    assert_eq!(rows[0][1..], nine);
    assert_eq!(rows[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), nine);
    for (state, next) in [("RG", "LRG"), ("LRG", "LT"), ("LT", "RF")] {
        let [row, column] =
            [state, next].map(|name| 1 + nine.iter().position(|state| *state == name).unwrap());
        assert_eq!(rows[row][column], "1", "{state}→{next}");
    }
    for row in &rows[1..] {
        let sum: f64 = row[1..].iter().map(|number| number.parse::<f64>().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn a_behaviour_and_a_plot_are_written() {
    let folder = talking("written");
    let report: Value = folder.json("learn behaviour talk.eaf talk.eaf -o b.json --plot arms.svg --json");
    assert_eq!(report["written"], "b.json");
    assert_eq!(report["tiers"].as_array().unwrap().len(), 6);
    assert_eq!(report["counts"][0]["transitions"][3][6], 2, "{report}");
    let bytes = folder.bytes("b.json");
    let behaviour: vivant::body::behaviour::Behaviour = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(behaviour.check(), Ok(()));
    assert_eq!(behaviour.always.head.states[0].tags, ["positive"]);
    let svg = folder.text("arms.svg");
    assert!(svg.contains("Transition probabilities: arms") && svg.contains(">LRT<"));
}

#[test]
fn failures_say_what_to_do() {
    let talk = talk();
    let other = talk.replace(" Arm", "").replace("Head", "H");
    let bad = ("bad.toml", "[[tier]]\npart = 'left'\nname = '*'");
    let files = [("talk.eaf", talk.as_str()), ("bad.eaf", "d<a/>"), bad, ("other.eaf", &other)];
    let folder = Folder::with("learn-failures", &files);
    for (words, expected) in [
        ("bad.eaf", "bad.eaf: line 1: invalid XML"),
        ("none.eaf", "none.eaf: no such file"),
        ("talk.eaf --map bad.toml", "bad.toml: tier[0].part: unknown value “left”; did you mean “left-arm”?"),
        ("other.eaf", "“Right” (3), “Left” (2), “H action” (2)\nNo map was given"),
        ("talk.eaf --plot arms.gif", "arms.gif: unknown plot format; use the extension .svg or .png"),
        ("talk.eaf --matrix --chain body", "no annotations of the body"),
        ("talk.eaf --matrix --state speaking", "part = \"speech\""),
    ] {
        let output = folder.run(&format!("learn behaviour {words}"));
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(message.contains(expected), "{words}: {message}");
    }
}
