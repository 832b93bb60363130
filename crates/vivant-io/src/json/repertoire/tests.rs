use super::*;
use proptest::prelude::*;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{BodyPart, Hand};

/// Text before and after a stance, a gesture and a transition.
const STANCE: [&str; 2] = ["{\"version\": 1, \"stances\": [", "]}"];
const GESTURE: [&str; 2] = [
    "{\"version\": 1, \"stances\": [{\"name\": \"a\"}, {\"name\": \"b\", \"gestures\": [{\"clip\": \"w.fbx\", ",
    "}]}]}",
];
const TRANSITION: [&str; 2] =
    ["{\"version\": 1, \"stances\": [{\"name\": \"a\", \"transitions\": [{\"to\": \"b\", ", "}]}]}"];
const WHOLE: [&str; 2] = ["", ""];

/// Invalid text, its place, and words that the errors must contain.
const MALFORMED: [([&str; 2], &str, &[&str]); 61] = [
    (WHOLE, "", &["line 1", "whole text is missing"]),
    (WHOLE, "[]", &["found a list", "an object"]),
    (WHOLE, "null", &["found null", "an object"]),
    (WHOLE, "3", &["found 3"]),
    (WHOLE, "{}", &["version", "missing", "\"version\": 1"]),
    (WHOLE, "{\"stances\": []}", &["version", "missing"]),
    (WHOLE, "{\"version\": 1}", &["`stances` is missing"]),
    (WHOLE, "{\"version\": 2, \"stances\": []}", &["version: version 2 is newer than 1", "update Vivant"]),
    (WHOLE, "{\"version\": 2, \"poses\": {}}", &["version 2"]),
    (WHOLE, "{\"version\": 0, \"stances\": []}", &["version: must be a whole number from 1"]),
    (WHOLE, "{\"version\": -1, \"stances\": []}", &["version: must be"]),
    (WHOLE, "{\"version\": \"1\", \"stances\": []}", &["version: must be"]),
    (WHOLE, "{\"version\": 1.5, \"stances\": []}", &["version: must be"]),
    (WHOLE, "{\"version\": 1, \"version\": 1, \"stances\": []}", &["duplicate field `version`"]),
    (WHOLE, "{\"version\": 1, \"stance\": []}", &["unknown field `stance`", "did you mean `stances`?"]),
    (WHOLE, "{\"version\": 1, \"stances\": {}}", &["stances: found an object"]),
    (WHOLE, "{\"version\": 1, \"stances\": \"a\"}", &["stances: found the text \"a\"", "a list"]),
    (WHOLE, "{\"version\": 1, \"stances\": [],}", &["trailing comma"]),
    (WHOLE, "{\"version\": 1,\n \"stances\": [{]}", &["line 2, column 15", "double quotes"]),
    (WHOLE, "{\"version\": 1, \"stances\": []} x", &["remove what follows"]),
    (WHOLE, "{\"$schema\": 1, \"version\": 1, \"stances\": []}", &["$schema: found 1"]),
    (STANCE, "1", &["stances[0]: found 1", "an object"]),
    (STANCE, "[\"a\"]", &["stances[0]: found a list"]),
    (STANCE, "{}", &["stances[0]: the field `name` is missing"]),
    (STANCE, "{\"nmae\": \"a\"}", &["stances[0]", "unknown field `nmae`", "did you mean `name`?"]),
    (STANCE, "{\"name\": 1}", &["stances[0].name: found 1"]),
    (STANCE, "{\"name\": \"\"}", &["stances[0].name: is empty"]),
    (STANCE, "{\"name\": \"a\", \"name\": \"b\"}", &["stances[0]", "duplicate field `name`"]),
    (
        STANCE,
        "{\"name\": \"a\", \"layers\": \"arms\"}",
        &["stances[0].layers: found the text \"arms\"", "a list"],
    ),
    (STANCE, "{\"name\": \"a\", \"layers\": [\"legs\"]}", &["stances[0].layers[0]: unknown layer `legs`"]),
    (
        STANCE,
        "{\"name\": \"a\", \"layers\": [\"arms\", \"arms\"]}",
        &["stances[0].layers[1]: is a duplicate"],
    ),
    (STANCE, "{\"name\": \"a\", \"clip\": 3}", &["stances[0].clip: found 3"]),
    (STANCE, "{\"name\": \"a\", \"start\": -1}", &["stances[0].start: -1 is out of range"]),
    (STANCE, "{\"name\": \"a\", \"end\": 1e9}", &["stances[0].end", "0 to 36000 seconds"]),
    (STANCE, "{\"name\": \"a\", \"gesture\": []}", &["unknown field `gesture`", "did you mean `gestures`?"]),
    (STANCE, "{\"name\": \"a\", \"gestures\": 3}", &["stances[0].gestures: found 3", "a list"]),
    (STANCE, "{\"name\": \"a\", \"gestures\": {}}", &["stances[0].gestures: found an object"]),
    (
        STANCE,
        "{\"name\": \"a\", \"fidgets\": [\"w.fbx\"]}",
        &["stances[0].fidgets[0]: found the text \"w.fbx\"", "an object"],
    ),
    (STANCE, "{\"name\": \"a\", \"fidgets\": [{}]}", &["stances[0].fidgets[0]: the field `clip` is missing"]),
    (
        STANCE,
        "{\"name\": \"a\", \"transitions\": [{}]}",
        &["stances[0].transitions[0]: the field `to` is missing"],
    ),
    (STANCE, "{\"name\": \"a\", \"gestures\": [null]}", &["stances[0].gestures[0]: found null", "an object"]),
    (
        GESTURE,
        "\"blend_in\": 1",
        &["stances[1].gestures[0]", "unknown field `blend_in`", "did you mean `blendIn`?"],
    ),
    (GESTURE, "\"blendIn\": \"1\"", &["stances[1].gestures[0].blendIn: found the text \"1\"", "a number"]),
    (GESTURE, "\"blendIn\": -1", &["stances[1].gestures[0].blendIn: -1", "0 to 10 seconds"]),
    (GESTURE, "\"blendOut\": 61", &["stances[1].gestures[0].blendOut: 61"]),
    (GESTURE, "\"clip\": \"x\"", &["stances[1].gestures[0]", "duplicate field `clip`"]),
    (GESTURE, "\"name\": \" \"", &["stances[1].gestures[0].name: is empty"]),
    (
        GESTURE,
        "\"layers\": [\"hed\"]",
        &["stances[1].gestures[0].layers[0]: unknown layer `hed`", "did you mean `head`?"],
    ),
    (
        GESTURE,
        "\"mask\": [\"leftarms\"]",
        &["mask[0]: unknown body part `leftarms`", "did you mean `leftArm`?"],
    ),
    (GESTURE, "\"mask\": [\"head\", \"legs\", \"head\"]", &["mask[2]: is a duplicate"]),
    (GESTURE, "\"hand\": \"X\"", &["hand: unknown hand `X`"]),
    (GESTURE, "\"hand\": {\"L\": null}", &["stances[1].gestures[0].hand: found an object"]),
    (GESTURE, "\"tags\": \"beat\"", &["tags: found the text \"beat\"", "a list"]),
    (GESTURE, "\"tags\": [\"\"]", &["stances[1].gestures[0].tags[0]: is empty"]),
    (GESTURE, "\"likelihood\": -0.5", &["likelihood: -0.5 is out of range"]),
    (GESTURE, "\"likelihood\": true", &["likelihood: found true", "a number"]),
    (GESTURE, "\"loop\": 1", &["loop: found 1", "true or false"]),
    (GESTURE, "\"looped\": true", &["unknown field `looped`", "did you mean `loop`?"]),
    (GESTURE, "\"to\": \"b\"", &["unknown field `to`"]),
    (TRANSITION, "\"layers\": [\"arms\"]", &["stances[0].transitions[0]", "unknown field `layers`"]),
    (TRANSITION, "\"start\": 99999", &["stances[0].transitions[0].start: 99999"]),
];

#[test]
fn malformed_repertoires_give_errors_with_place_and_cause() {
    for ([before, after], wrong, words) in MALFORMED {
        let text = format!("{before}{wrong}{after}");
        let message = read(text.as_bytes()).expect_err(&text).to_string();
        for word in words {
            assert!(message.contains(word), "{text}\n  {message}\n  lacks {word}");
        }
        assert!(!message.contains(" at line "), "{message}");
    }
}

#[test]
fn all_faults_are_reported_at_once() {
    let text = r#"{"version": 1, "stance": 1, "stances": [
        {"name": "a", "gestures": [{"clip": 1}, {"clip": "x"}, {"clp": "y"}], "fidgets": [{"clip": "z", "hand": "Z"}]},
        {"nam": "b", "transitions": [{"too": "a"}]}]}"#;
    let message = read(text.as_bytes()).unwrap_err().in_file("repertoire.json").to_string();
    for place in [
        "stances[0].gestures[0].clip: found 1",
        "stances[0].gestures[2]",
        "stances[0].fidgets[0].hand: unknown hand `Z`",
        "stances[1].transitions[0]",
        "unknown field `nam`",
        "unknown field `stance`",
    ] {
        assert!(message.contains(place), "{message}\nlacks {place}");
    }
    assert!(message.lines().all(|line| line.starts_with("repertoire.json: ")), "{message}");
    assert_eq!(message.lines().count(), 6);
}

#[test]
fn limits_are_enforced() {
    let mut large =
        Repertoire { stances: vec![Stance::new("a", None); limits::MAX_STANCES + 1], ..Default::default() };
    assert!(
        read(write(&large).as_bytes())
            .unwrap_err()
            .to_string()
            .contains("stances: 1025 stances; at most 1024")
    );
    large.stances.truncate(1);
    large.stances[0].gestures = vec![Action::new("a"); limits::MAX_ACTIONS + 1];
    assert!(read(write(&large).as_bytes()).unwrap_err().to_string().contains("at most 16384 are allowed"));
    let latin = b"{\"version\": 1,\n\"stances\": [{\"name\": \"\xe4\"}]}";
    assert!(read(latin).unwrap_err().to_string().contains("line 2: not valid UTF-8"));
}

#[test]
fn reading_stops_after_many_faults() {
    let many = ["{}"; 100_000].join(",");
    for text in [
        format!("{{\"version\": 1, \"stances\": [{many}]}}"),
        format!("{{\"version\": 1, \"stances\": [{{\"name\": \"a\", \"gestures\": [{many}]}}]}}"),
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!((error.count(), error.to_string().lines().count()), (1000, 21));
    }
}

#[test]
fn actions_are_lines_and_defaults_are_omitted() {
    let mut stance = Stance::new("standing", Some("clips/stand.fbx".into()));
    stance.gestures = vec![Action {
        hand: Some(Hand::Right),
        tags: vec!["positive".into()],
        ..Action::new("clips/wave.fbx")
    }];
    let text = write(&Repertoire { stances: vec![stance], ..Repertoire::default() });
    let expected = r#"{
  "version": 1,
  "stances": [
    {
      "name": "standing",
      "clip": "clips/stand.fbx",
      "gestures": [
        { "clip": "clips/wave.fbx", "hand": "R", "tags": ["positive"] }
      ]
    }
  ]
}
"#;
    assert_eq!(text, expected);
    assert!(read(format!("\u{feff}{}", text.replace('\n', "\r\n")).as_bytes()).is_ok());
}

fn word() -> impl Strategy<Value = String> {
    "\\PC{0,12}[a-z\"\\\\#/]"
}

fn seconds() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..36_000.0]
}

fn action() -> impl Strategy<Value = Action> {
    let named = (word(), prop::option::of(word()), prop::collection::vec(word(), 0..4));
    let timed = (seconds(), prop::option::of(seconds()), prop::option::of(seconds()), 0.0..10.0, 0.0..10.0);
    let kinds = (
        prop::sample::subsequence(Layer::ALL.to_vec(), 0..=3),
        prop::sample::subsequence(
            vec![BodyPart::Head, BodyPart::Spine, BodyPart::LeftArm, BodyPart::Legs],
            0..=4,
        ),
        prop::option::of(prop::sample::select(Hand::ALL.to_vec())),
    );
    (named, timed, kinds, 0.0..1e6, any::<bool>()).prop_map(
        |(
            (clip, name, tags),
            (start, end, stroke, blend_in, blend_out),
            (layers, mask, hand),
            likelihood,
            looped,
        )| Action {
            clip,
            name,
            layers,
            mask,
            start,
            end,
            stroke,
            blend_in,
            blend_out,
            hand,
            tags,
            likelihood,
            looped,
        },
    )
}

fn transition() -> impl Strategy<Value = Transition> {
    (word(), prop::option::of(word()), action()).prop_map(|(to, clip, like)| Transition {
        to,
        clip,
        name: like.name,
        mask: like.mask,
        start: like.start,
        end: like.end,
        blend_in: like.blend_in,
        blend_out: like.blend_out,
        hand: like.hand,
        tags: like.tags,
        likelihood: like.likelihood,
    })
}

fn stance() -> impl Strategy<Value = Stance> {
    let actions = || prop::collection::vec(action(), 0..4);
    let inside = (actions(), actions(), prop::collection::vec(transition(), 0..3));
    (action(), inside).prop_map(|(like, (gestures, fidgets, transitions))| Stance {
        name: like.clip,
        layers: like.layers,
        clip: like.name,
        start: like.start,
        end: like.end,
        gestures,
        fidgets,
        transitions,
    })
}

proptest! {
    #[test]
    fn repertoires_round_trip(stances in prop::collection::vec(stance(), 0..4), schema in prop::option::of(word())) {
        let repertoire = Repertoire { schema, stances, ..Repertoire::default() };
        let text = write(&repertoire);
        prop_assert!(text.ends_with("\n"));
        let back = read(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&repertoire));
        prop_assert_eq!(back.map(|back| write(&back)), Ok(text));
    }
}
