use super::*;
use proptest::prelude::*;

/// Invalid requests, and words that their errors must contain.
const MALFORMED: [(&str, &[&str]); 72] = [
    ("", &["invalid JSON"]),
    ("{", &["closing bracket"]),
    ("\u{0}", &["invalid JSON"]),
    ("{\"say\": \"Hi\"", &["closing bracket"]),
    ("{\"say\": \"Hi\"} x", &["the value ends before this"]),
    ("{\"say\": \"Hi\",}", &["remove the comma"]),
    ("{'say': 'Hi'}", &["names in double quotes"]),
    ("[]", &["one object in curly brackets", "{\"say\": \"Hello\"}"]),
    ("[{\"say\": \"Hi\"}]", &["one object in curly brackets"]),
    ("null", &["one object in curly brackets"]),
    ("7", &["one object in curly brackets"]),
    ("\"say\"", &["one object in curly brackets"]),
    ("{}", &["no verb", "`say`", "`watch`, `cast`, `dismiss`, `temperament`, `attend`, `follow`"]),
    ("{\"id\": 3}", &["no verb", "`watch`"]),
    ("{\"performer\": \"eve\"}", &["no verb", "`watch`"]),
    ("{\"wacth\": {}}", &["no verb", "did you mean `watch` by `wacth`?"]),
    ("{\"sy\": \"Hi\"}", &["did you mean `say` by `sy`?"]),
    ("{\"say\": \"Hi\", \"watch\": {}}", &["`say` and `watch`", "one verb per message"]),
    ("{\"watch\": {}, \"cast\": []}", &["`watch` and `cast`", "one verb per message"]),
    ("{\"attend\": [0, 1, 2], \"follow\": null}", &["`attend` and `follow`"]),
    ("{\"say\": \"Hi\", \"act\": \"gesture\"}", &["`say` and `act`", "exactly one verb"]),
    ("{\"say\": \"Hi\", \"id\": -1}", &["id:", "whole number from 0"]),
    ("{\"say\": \"Hi\", \"id\": 1.5}", &["id:", "whole number"]),
    ("{\"say\": \"Hi\", \"id\": \"7\"}", &["id:", "whole number"]),
    ("{\"say\": \"Hi\", \"id\": 9007199254740992}", &["id:", "2⁵³"]),
    ("{\"say\": \"Hi\", \"id\": 1, \"id\": 2}", &["duplicate field `id`"]),
    ("{\"say\": \"Hi\", \"performer\": 3}", &["performer:", "a name, or a list of names"]),
    ("{\"say\": \"Hi\", \"performer\": {}}", &["performer:", "a list of names"]),
    ("{\"say\": \"Hi\", \"performer\": \"\"}", &["performer:", "invalid name"]),
    ("{\"say\": \"Hi\", \"performer\": \"a b\"}", &["performer:", "invalid name `a b`", "letters, digits"]),
    ("{\"say\": \"Hi\", \"performer\": \"../x\"}", &["invalid name `../x`"]),
    ("{\"say\": \"Hi\", \"performer\": \".x\"}", &["invalid name `.x`"]),
    ("{\"say\": \"Hi\", \"performer\": []}", &["performer: is empty"]),
    ("{\"say\": \"Hi\", \"performer\": [\"a\", 2]}", &["performer[1]: found 2"]),
    ("{\"say\": \"Hi\", \"performer\": [\"a\", \"b/c\"]}", &["performer:", "invalid name `b/c`"]),
    ("{\"say\": \"Hi\", \"hand\": \"L\"}", &["unknown field `hand`"]),
    ("{\"say\": \"\"}", &["say: is empty"]),
    ("{\"look\": [0, 1]}", &["look: a point is three numbers"]),
    ("{\"watch\": null}", &["watch", "found null", "curly brackets"]),
    ("{\"watch\": []}", &["watch", "found a list", "curly brackets"]),
    ("{\"watch\": {\"performer\": \"a\"}}", &["unknown field `performer`", "did you mean `performers`?"]),
    ("{\"watch\": {\"performers\": \"a\"}}", &["watch.performers:", "a list"]),
    ("{\"watch\": {\"performers\": []}}", &["watch.performers: is empty"]),
    ("{\"watch\": {\"frames\": \"text\"}}", &["watch.frames: unknown value `text`", "`binary`"]),
    ("{\"watch\": {\"frames\": {\"json\": null}}}", &["watch.frames: found an object"]),
    ("{\"watch\": {\"fps\": 0}}", &["watch.fps: 0", "0.1 to 1000"]),
    ("{\"watch\": {\"fps\": \"fast\"}}", &["watch.fps: found the text \"fast\"", "a number"]),
    ("{\"watch\": {\"plan\": \"yes\"}}", &["watch.plan: found the text \"yes\"", "true or false"]),
    ("{\"watch\": {}, \"at\": 3}", &["unknown field `at` in a `watch` request", "`performer` and `id`"]),
    ("{\"cast\": []}", &["cast: is empty"]),
    ("{\"cast\": \"eve\"}", &["cast[0]: found the text \"eve\"", "curly brackets"]),
    ("{\"cast\": {}}", &["cast[0]: the field `performer` is missing"]),
    ("{\"cast\": [{\"performer\": \"a\"}, {\"performer\": \"a\"}]}", &["cast[1]: is a duplicate"]),
    ("{\"cast\": {\"performer\": \"a\", \"sed\": 1}}", &["unknown field `sed`", "did you mean `seed`?"]),
    ("{\"cast\": {\"performer\": \"a\", \"seed\": -1}}", &["cast[0].seed: found -1"]),
    ("{\"cast\": {\"performer\": \"a\", \"character\": \"\"}}", &["cast[0].character: is empty"]),
    ("{\"cast\": {\"performer\": \"a\", \"clip\": \"wave\"}}", &["cast[0].clip: found the text \"wave\""]),
    (
        "{\"cast\": {\"performer\": \"a\", \"clip\": {\"clip\": \"w\", \"start\": -1}}}",
        &["cast[0].clip.start: -1"],
    ),
    (
        "{\"cast\": {\"performer\": \"a\", \"clip\": {\"clip\": \"w\", \"end\": 1e9}}}",
        &["cast[0].clip.end: 1000000000"],
    ),
    (
        "{\"cast\": {\"performer\": \"a\", \"temperament\": {\"liveliness\": 2}}}",
        &["cast[0].temperament.liveliness: 2", "0 to 1"],
    ),
    ("{\"dismiss\": []}", &["dismiss: is empty"]),
    ("{\"dismiss\": [3]}", &["dismiss[0]: found 3"]),
    ("{\"dismiss\": {\"performer\": \"a\"}}", &["dismiss[0]: found an object"]),
    ("{\"dismiss\": \"a b\"}", &["dismiss:", "invalid name `a b`"]),
    ("{\"temperament\": []}", &["temperament: found a list", "curly brackets"]),
    ("{\"temperament\": {\"livelyness\": 1}}", &["unknown field `livelyness`", "did you mean `liveliness`?"]),
    ("{\"temperament\": {\"blinks\": \"often\"}}", &["temperament.blinks: unknown value `often`"]),
    ("{\"temperament\": {\"lidTempo\": 0}}", &["temperament.lidTempo: 0", "0.1 to 2"]),
    ("{\"attend\": \"me\"}", &["attend: give a point in metres", "[0, 1.6, 2]"]),
    ("{\"attend\": [0, 1, \"2\"]}", &["attend: give a point in metres"]),
    ("{\"attend\": [0, 1, 1e5]}", &["attend[2]: 100000", "-1000 to 1000 metres"]),
    ("{\"follow\": [1, 2]}", &["follow: give a point in metres"]),
];

#[test]
fn malformed_requests_give_errors() {
    let mut lacks = Vec::new();
    for (text, words) in MALFORMED {
        let message = Request::read(text).expect_err(text).to_string();
        let missing = words.iter().filter(|word| !message.contains(**word));
        lacks.extend(missing.map(|word| format!("{text}\n  {message}\n  lacks {word}")));
    }
    assert!(lacks.is_empty(), "{}", lacks.join("\n"));
}

fn read(text: &str) -> Request {
    Request::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_verb_accepts_performer_and_id() {
    let one = || vec!["eve".to_owned()];
    let all = [
        "\"say\": \"Hi\"",
        "\"watch\": {}",
        "\"cast\": {\"performer\": \"a\"}",
        "\"dismiss\": \"a\"",
        "\"temperament\": {}",
        "\"attend\": [0, 1.6, 1]",
        "\"follow\": null",
    ];
    for verb in all {
        let alone = read(&format!("{{{verb}}}"));
        assert_eq!((alone.id, &alone.performers[..]), (None, &["main".to_owned()][..]), "{verb}");
        let addressed = read(&format!("{{\"id\": 7, {verb}, \"performer\": \"eve\"}}"));
        assert_eq!((addressed.id, addressed.performers), (Some(7), one()), "{verb}");
        assert_eq!(addressed.what, alone.what);
        let nothing = read(&format!("{{{verb}, \"performer\": null, \"id\": null}}"));
        assert_eq!(nothing, alone);
    }
    let several = read("{\"blink\": true, \"performer\": [\"a\", \"b-1\", \"c_2.x\"]}");
    assert_eq!(several.performers, ["a", "b-1", "c_2.x"]);
}

#[test]
fn defaults_are_as_documented() {
    assert_eq!(read("{\"watch\": {}}").what, RequestKind::Watch(Watch::default()));
    let RequestKind::Cast(cast) = read("{\"cast\": {\"performer\": \"a\"}}").what else { panic!("a cast") };
    let [one] = &cast[..] else { panic!("one performer") };
    assert_eq!((one.seed, one.unasked, one.mine), (1, true, false));
    assert_eq!((&one.character, &one.temperament, &one.clip), (&None, &None, &None));
}

#[test]
fn positions_are_read() {
    assert_eq!(read("{\"attend\": [0, 1.6, -2.5]}").what, RequestKind::Attend([0.0, 1.6, -2.5]));
    assert_eq!(read("{\"follow\": [1, 2, 3]}").what, RequestKind::Follow(Some([1.0, 2.0, 3.0])));
    assert_eq!(read("{\"follow\": null}").what, RequestKind::Follow(None));
}

#[test]
fn too_long_messages_are_rejected() {
    let long = format!("{{\"say\": \"{}\"}}", "a".repeat(limits::MAX_LINE_BYTES));
    assert!(Request::read(&long).unwrap_err().to_string().contains("bytes"));
    let deep = "[".repeat(60_000);
    assert!(Request::read(&deep).is_err());
}

#[test]
fn the_number_of_performers_is_limited() {
    let names = |count: usize| (0..count).map(|i| format!("\"p{i}\"")).collect::<Vec<_>>().join(",");
    assert_eq!(read(&format!("{{\"dismiss\": [{}]}}", names(MAX_NAMED))).performers, ["main"]);
    let many = format!("{{\"dismiss\": [{}]}}", names(MAX_NAMED + 1));
    assert!(Request::read(&many).unwrap_err().to_string().contains("256"));
}

/// A valid request, changed in one place.
fn mutated() -> impl Strategy<Value = String> {
    let good = prop::sample::select(vec![
        r#"{"say": "Hello!", "performer": "eve", "id": 7}"#,
        r#"{"watch": {"performers": ["main", "eve"], "frames": "json", "fps": 30, "plan": true}}"#,
        r#"{"cast": [{"performer": "a", "seed": 5, "temperament": {"blinks": "none", "liveliness": 0.5}}]}"#,
        r#"{"cast": {"performer": "a", "clip": {"clip": "builtin#wave", "start": 0.5, "end": 2}}, "id": 1}"#,
        r#"{"temperament": {"evoked": {"preset": "peters", "driver": "head"}}, "performer": ["a", "b"]}"#,
        r#"{"attend": [0, 1.6, 1]}"#,
        r#"{"follow": null, "id": 9007199254740991}"#,
    ]);
    let put = prop::sample::select(vec![
        "",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "-1",
        "1e308",
        "1e999",
        "\\u0000",
        "é",
        "\"id\": 1,",
        " ",
    ]);
    (good, any::<prop::sample::Index>(), 0..12_usize, put).prop_map(|(good, at, cut, put)| {
        let letters: Vec<char> = good.chars().collect();
        let at = at.index(letters.len());
        let front = letters[..at].iter().copied().chain(put.chars());
        front.chain(letters[(at + cut).min(letters.len())..].iter().copied()).collect()
    })
}

proptest! {
    #[test]
    fn invalid_text_does_not_panic(text in mutated(), noise in ".{0,200}") {
        for text in [text, noise] {
            if let Err(error) = Request::read(&text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn names_are_checked(name in ".{0,80}") {
        let text = serde_json::json!({ "blink": true, "performer": name }).to_string();
        let is_plain = name.len() <= 64 && !name.is_empty() && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        prop_assert_eq!(Request::read(&text).is_ok(), is_plain);
    }
}
