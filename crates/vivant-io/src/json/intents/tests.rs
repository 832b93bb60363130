use super::*;
use proptest::prelude::*;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Kind};
use vivant::eyes::blinking::Activity;
use vivant::intent::{
    Act, Be, BlinkOnce, LookIntent, LookTarget, LookWord, SaidPhone, SaidViseme, SaidWord, Say, Stop,
    ToStance, VisemeCode,
};
use vivant::speech::audio::Audio;
use vivant::speech::{Phone, Stress, Viseme};

/// Invalid lines, and words that their errors must contain.
const MALFORMED: [(&str, &[&str]); 83] = [
    ("{", &["column", "closing bracket"]),
    ("}", &["invalid JSON"]),
    ("[]", &["curly brackets", "{\"say\""]),
    ("null", &["curly brackets"]),
    ("\"say\"", &["curly brackets"]),
    ("hello", &["invalid JSON", "double quotes"]),
    ("{}", &["no verb", "`say`, `act`, `stance`, `be`, `look`, `blink`, `do`, `stop`"]),
    ("{\"sy\": \"Hi\"}", &["no verb", "did you mean `say` by `sy`?"]),
    ("{\"Act\": \"gesture\"}", &["did you mean `act` by `Act`?"]),
    ("{\"at\": 1}", &["no verb"]),
    ("{\"clip\": \"wave\"}", &["no verb", "`act`"]),
    ("{\"say\": \"a\", \"act\": \"gesture\"}", &["`say` and `act`", "exactly one verb", "separate lines"]),
    ("{\"say\": \"a\", \"stance\": \"sit\"}", &["`say` and `stance`", "exactly one verb"]),
    ("{\"stop\": true, \"blink\": true}", &["`blink` and `stop`"]),
    ("{\"do\": \"\"}", &["do", "is empty"]),
    ("{\"do\": 3}", &["do: found 3"]),
    ("{\"do\": \"nod\", \"hand\": \"L\"}", &["hand"]),
    ("{\"say\": 3}", &["say: found 3", "text in double quotes"]),
    ("{\"say\": null}", &["say: found null"]),
    ("{\"say\": \"\"}", &["say: is empty"]),
    ("{\"say\": \"  \"}", &["say: is empty"]),
    ("{\"say\": \"<speak>Hi <b\"}", &["say: "]),
    ("{\"say\": \"<speak>Hi</spaek>\"}", &["say: "]),
    ("{\"say\": \"<speak>Hi</speak>\", \"more\": true}", &["more: SSML cannot be sent in pieces"]),
    ("{\"say\": \"Hi\", \"say\": \"Ho\"}", &["duplicate field `say`"]),
    ("{\"say\": \"Hi\", \"durration\": 2}", &["unknown field `durration`", "did you mean `duration`?"]),
    ("{\"say\": \"Hi\", \"hand\": \"L\"}", &["unknown field `hand`", "there are `say`, `at`, `duration`"]),
    ("{\"say\": \"Hi\", \"foo\": null}", &["unknown field `foo`"]),
    ("{\"say\": \"Hi\", \"at\": -1}", &["at: -1 is out of range", "0 to 10000000 seconds"]),
    ("{\"say\": \"Hi\", \"at\": 10000001}", &["at: 10000001", "0 to 10000000"]),
    ("{\"say\": \"Hi\", \"at\": \"1\"}", &["at: found the text \"1\"", "a number"]),
    ("{\"say\": \"Hi\", \"at\": NaN}", &["column", "invalid JSON"]),
    ("{\"say\": \"Hi\", \"at\": 1e999}", &["number out of range"]),
    ("{\"say\": \"Hi\", \"at\": [1]}", &["at: found a list", "a number"]),
    ("{\"say\": \"Hi\" \"at\": 1}", &["comma"]),
    ("{\"say\": \"Hi\",}", &["trailing comma", "remove the comma"]),
    ("{\"say\": 'Hi'}", &["invalid JSON", "double quotes"]),
    ("{say: \"Hi\"}", &["names in double quotes"]),
    ("{\"say\": \"Hi}", &["close it with a double quote"]),
    ("{\"say\": \"C:\\dir\"}", &["backslash"]),
    ("{\"say\": \"Hi\"} {\"say\": \"Ho\"}", &["the value ends before this"]),
    ("{\"say\": \"Hi\", \"line\": \"\"}", &["line: is empty"]),
    ("{\"say\": \"Hi\", \"line\": 7}", &["line: found 7"]),
    ("{\"say\": \"Hi\", \"more\": \"yes\"}", &["more: found the text \"yes\"", "true or false"]),
    ("{\"say\": \"Hi\", \"words\": \"Hi\"}", &["words: found the text \"Hi\"", "a list"]),
    ("{\"say\": \"Hi\", \"words\": [\"Hi\"]}", &["words[0]: found the text \"Hi\"", "an object"]),
    ("{\"say\": \"Hi\", \"words\": [{\"word\": \"Hi\"}]}", &["words[0]", "`start`"]),
    ("{\"say\": \"Hi\", \"words\": [{\"word\": \"Hi\", \"start\": \"0\"}]}", &["words[0].start", "a number"]),
    (
        "{\"say\": \"Hi\", \"words\": [{\"word\": \"Hi\", \"start\": 0}, {\"word\": \"Hi\", \"start\": -1}]}",
        &["words[1].start: -1 is out of range"],
    ),
    (
        "{\"say\": \"Hi\", \"words\": [{\"word\": \"Hi\", \"strat\": 0}]}",
        &["unknown field `strat`", "did you mean `start`?"],
    ),
    ("{\"say\": \"Hi\", \"words\": [{\"word\": \"Hi\", \"start\": 0, \"end\": {}}]}", &["words[0].end"]),
    (
        "{\"say\": \"Hi\", \"phones\": [{\"phone\": \"Q9!\", \"start\": 0}]}",
        &["phones[0].phone: unknown phoneme “Q9!”", "ARPAbet"],
    ),
    (
        "{\"say\": \"Hi\", \"visemes\": [{\"viseme\": \"PP\", \"start\": 0}, {\"viseme\": \"22\", \"start\": 1}]}",
        &["visemes[1].viseme: unknown viseme “22”", "0 to 21"],
    ),
    (
        "{\"say\": \"Hi\", \"visemes\": [{\"viseme\": 21, \"start\": 0}]}",
        &["visemes[0].viseme: found 21", "text in double quotes"],
    ),
    ("{\"say\": \"Hi\", \"pcm\": \"AAAA\"}", &["pcm: found the text \"AAAA\"", "an object"]),
    ("{\"say\": \"Hi\", \"pcm\": {\"rate\": 24000}}", &["pcm", "`data`"]),
    (
        "{\"say\": \"Hi\", \"pcm\": {\"rate\": 100, \"data\": \"\"}}",
        &["pcm.rate: 100 is out of range", "8000 to 192000"],
    ),
    ("{\"say\": \"Hi\", \"pcm\": {\"rate\": -1, \"data\": \"\"}}", &["pcm.rate: found -1"]),
    (
        "{\"say\": \"Hi\", \"pcm\": {\"rate\": 24000, \"data\": \"A*\"}}",
        &["pcm.data: invalid Base64 character at position 1", "Base64"],
    ),
    ("{\"say\": \"Hi\", \"pcm\": {\"rate\": 24000, \"data\": \"AA==\"}}", &["pcm.data: 1 bytes", "16-bit"]),
    ("{\"be\": \"idle\", \"mood\": \"\"}", &["mood: is empty"]),
    ("{\"be\": \"idle\", \"intensity\": 2}", &["intensity: 2 is out of range", "0 to 1"]),
    ("{\"act\": \"gestur\"}", &["act: unknown kind `gestur`", "did you mean `gesture`?"]),
    ("{\"act\": \"wave\"}", &["act: unknown kind `wave`", "`gesture`, `fidget`"]),
    ("{\"act\": 7}", &["act: found 7", "kind in double quotes"]),
    ("{\"act\": {\"gesture\": null}}", &["act: found an object"]),
    ("{\"act\": \"gesture\", \"hand\": \"Q\"}", &["hand: unknown hand `Q`", "`L`"]),
    ("{\"act\": \"gesture\", \"hand\": \"rigth\"}", &["did you mean `right`?"]),
    ("{\"act\": \"gesture\", \"layer\": \"arm\"}", &["layer: unknown layer `arm`", "did you mean `arms`?"]),
    ("{\"act\": \"gesture\", \"tags\": \"beat\"}", &["tags: found the text \"beat\"", "a list"]),
    ("{\"act\": \"gesture\", \"tags\": [1]}", &["tags[0]: found 1"]),
    ("{\"act\": \"gesture\", \"tags\": [\"a\", \"\"]}", &["tags[1]: is empty"]),
    ("{\"act\": \"gesture\", \"priority\": 1.5}", &["priority: found 1.5", "whole number"]),
    ("{\"act\": \"gesture\", \"priority\": 1001}", &["priority: 1001", "-1000 to 1000"]),
    ("{\"act\": \"gesture\", \"resume\": \"yes\"}", &["resume: found the text \"yes\"", "true or false"]),
    ("{\"act\": \"gesture\", \"clip\": \"\"}", &["clip: is empty"]),
    ("{\"stance\": \"sit\", \"duration\": 3}", &["unknown field `duration`"]),
    ("{\"be\": \"speeking\"}", &["be: unknown activity `speeking`", "did you mean `speaking`?"]),
    ("{\"look\": \"free\"}", &["look: unknown look target `free`", "did you mean `freely`?"]),
    ("{\"look\": [1, 2]}", &["look: a point is three numbers"]),
    ("{\"look\": [0, 1, 2000]}", &["look[2]: 2000", "-1000 to 1000 metres"]),
    ("{\"blink\": false}", &["blink: must be true"]),
    ("{\"stop\": true, \"within\": -0.1}", &["within: -0.1 is out of range"]),
];

fn check(line: &str, words: &[&str], error: &Error) {
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "{line}\n  {message}\n  lacks {word}");
    }
}

#[test]
fn malformed_lines_give_errors() {
    for (text, words) in MALFORMED {
        check(text, words, &line(text).expect_err(text));
    }
}

#[test]
fn malformed_lines_of_a_script_give_errors_with_their_number() {
    for (text, words) in MALFORMED {
        let file = format!("// a remark\r\n\r\n{{\"be\": \"idle\"}}\r\n{text}\r\n");
        let error = script(file.as_bytes()).expect_err(text);
        check(text, words, &error);
        check(text, &["line 4: "], &error);
        assert!(!error.to_string().contains("line 1"), "{error}");
    }
}

#[test]
fn limits_are_enforced() {
    let act = |fields: &str| format!("{{\"act\": \"gesture\", {fields}}}");
    let tags = vec!["\"a\""; limits::MAX_TAGS + 1].join(",");
    for (text, words) in [
        (format!("{{\"say\": \"{}\"}}", "x".repeat(limits::MAX_SAID_BYTES + 1)), "say: 10001 bytes long"),
        (format!("{{\"say\": \"{}\"}}", "x".repeat(limits::MAX_LINE_BYTES)), "at most 65536"),
        (
            format!(
                "{{\"say\": \"\", \"pcm\": {{\"rate\": 8000, \"data\": \"{}\"}}}}",
                "A".repeat(limits::MAX_PCM_BYTES + 4)
            ),
            "pcm.data: 60004 bytes long",
        ),
        (
            format!(
                "{{\"say\": \"\", \"words\": [{}]}}",
                vec!["{\"word\":\"\",\"start\":0}"; limits::MAX_SAID_TIMES + 1].join(",")
            ),
            "words: 2049 words; at most 2048",
        ),
        (act(&format!("\"clip\": \"{}\"", "x".repeat(limits::MAX_WORD_BYTES + 1))), "clip: 257 bytes long"),
        (act(&format!("\"tags\": [{tags}]")), "tags: 33 tags; at most 32"),
        ("[".repeat(200), "nested"),
        (format!("{{\"{}\": 1}}", "x".repeat(30_000)), "no verb"),
        (act(&format!("\"{}\": 1", "x".repeat(30_000))), "unknown field `xxx"),
    ] {
        let error = line(&text).expect_err(words);
        check(words, &[words], &error);
        assert!(error.to_string().len() < 500, "{error}");
    }
}

#[test]
fn a_script_reports_up_to_twenty_faults_at_once() {
    let error = script(b"{\"say\": 1}\n{\"be\": \"idle\"}\n{\"be\": \"idel\"}\nx").unwrap_err();
    check("", &["line 1: say", "\nline 3: be: unknown activity `idel`", "\nline 4: column 1"], &error);
    assert_eq!((error.count(), error.to_string().lines().count()), (3, 3));
    let many = script("x\n".repeat(100).as_bytes()).unwrap_err().in_file("a.jsonl");
    assert_eq!((many.count(), many.to_string().lines().count()), (100, 21));
    assert!(many.to_string().lines().take(20).all(|line| line.starts_with("a.jsonl: line ")));
    assert!(many.to_string().ends_with("and 80 more errors"));
    let endless = script("x\n".repeat(1_000_000).as_bytes()).unwrap_err();
    assert_eq!(endless.count(), 1000);
    assert!(endless.to_string().ends_with("and more errors, 1000 or more in total"));
    let latin = script(b"{\"be\": \"idle\"}\n{\"say\": \"\xe4\"}").unwrap_err();
    check("", &["line 2: not valid UTF-8"], &latin);
}

#[test]
fn every_verb_is_read() {
    let act = Act::new(Kind::Gesture);
    for (text, intent) in [
        ("{\"say\": \"Hi\"}", Intent::Say(Say { say: "Hi".into(), ..Say::default() })),
        (
            " {\"say\":\"Hi\",\"at\":1,\"duration\":null} ",
            Intent::Say(Say { say: "Hi".into(), at: Some(1.0), ..Say::default() }),
        ),
        (
            "{\"say\": \"\", \"line\": \"a\", \"more\": true}",
            Intent::Say(Say { line: Some("a".into()), more: true, ..Say::default() }),
        ),
        (
            "{\"say\": \"\", \"words\": [{\"word\": \"Hi\", \"start\": 0.5, \"end\": null}], \"phones\": null, \"pcm\": null}",
            Intent::Say(Say {
                words: vec![SaidWord { word: "Hi".into(), start: 0.5, end: None }],
                ..Say::default()
            }),
        ),
        (
            "{\"say\": \" \", \"phones\": [{\"phone\": \"ə\", \"start\": 0, \"end\": 0.1}], \
             \"visemes\": [{\"viseme\": \"21\", \"start\": 1}], \"pcm\": {\"rate\": 24000, \"data\": \"AAA=\"}}",
            Intent::Say(Say {
                say: " ".into(),
                phones: vec![SaidPhone::new(Phone::arpabet("AX").unwrap(), Stress::None, 0.0, 0.1)],
                visemes: vec![SaidViseme {
                    viseme: VisemeCode::Visemes(&[Viseme::Pp]),
                    start: 1.0,
                    end: None,
                }],
                voice: Some(Audio { rate_hz: 24_000, samples: vec![0.0] }),
                ..Say::default()
            }),
        ),
        (
            "{\"say\": \"<speak>Hi <emphasis>you</emphasis></speak>\"}",
            Intent::Say(
                crate::speech::with_ssml(Say::new("<speak>Hi <emphasis>you</emphasis></speak>")).unwrap(),
            ),
        ),
        ("{\"act\": \"gesture\"}", Intent::Act(act.clone())),
        (
            "{\"act\": \"gesture\", \"tags\": null, \"priority\": null, \"resume\": null}",
            Intent::Act(act.clone()),
        ),
        (
            "{\"act\": \"stance\", \"stance\": \"sit\", \"hand\": \"left\", \"layer\": \"arms\"}",
            Intent::Act(Act {
                act: Kind::Transition,
                stance: Some("sit".into()),
                hand: Some(Hand::Left),
                layer: Some(Layer::Arms),
                ..act
            }),
        ),
        (
            "{\"stance\": \"sit\", \"priority\": -3}",
            Intent::Stance(ToStance { stance: "sit".into(), at: None, priority: -3 }),
        ),
        ("{\"be\": \"thinking\"}", Intent::Be(Be { be: Activity::Thinking, at: None, ..Be::default() })),
        (
            "{\"look\": [0, 1.5, -2]}",
            Intent::Look(LookIntent { look: LookTarget::Point([0.0, 1.5, -2.0]), at: None }),
        ),
        (
            "{\"look\": \"ahead\"}",
            Intent::Look(LookIntent { look: LookTarget::Word(LookWord::Ahead), at: None }),
        ),
        ("{\"blink\": true, \"at\": 36000}", Intent::Blink(BlinkOnce { blink: true, at: Some(36_000.0) })),
        (
            "{\"stop\": true, \"layer\": \"head\", \"within\": 0.2}",
            Intent::Stop(Stop { stop: true, layer: Some(Layer::Head), within: Some(0.2), at: None }),
        ),
    ] {
        assert_eq!(line(text).as_ref(), Ok(&intent), "{text}");
        assert_eq!(line(&write(&intent)), Ok(intent));
    }
}

#[test]
fn a_whole_number_may_be_written_with_a_point() {
    let act =
        |priority: &str| line(&format!("{{\"act\": \"gesture\", \"priority\": {priority}, \"at\": 2}}"));
    assert_eq!(act("2.0"), act("2"));
    assert!(act("2").is_ok() && act("2.5").is_err() && act("1e18").is_err() && act("1e300").is_err());
}

#[test]
fn a_script_may_have_comments_blank_lines_and_a_byte_order_mark() {
    let text = "\u{feff}{\"be\": \"idle\"}\r\n\r\n  # one\n\t// two\n{\"stop\": true}";
    let numbers: Vec<usize> = lines(text.as_bytes()).unwrap().into_iter().map(|(number, _)| number).collect();
    assert_eq!((script(text.as_bytes()).unwrap().len(), numbers), (2, vec![1, 5]));
    assert_eq!(script(b""), Ok(Vec::new()));
}

proptest! {
    #[test]
    fn random_text_gives_an_error_message(text in "\\PC{0,60}", key in "(say|act|be|look|at|tags)") {
        for text in [text.clone(), format!("{{\"{key}\": {text}}}"), format!("{{\"act\": \"gesture\", \"{key}\": {text}}}")] {
            if let Err(error) = line(&text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn acts_round_trip(
        (at, stroke_at, duration) in (prop::option::of(0.0..1e7), prop::option::of(0.0..1e7), prop::option::of(0.0..36_000.0)),
        (priority, resume) in (-1000..=1000, any::<bool>()),
        (kind, hand, layer) in (0..3_usize, prop::option::of(0..3_usize), prop::option::of(0..3_usize)),
        tags in prop::collection::vec("[a-z]{1,9}", 0..5),
        clip in prop::option::of("\\PC{0,20}x"),
    ) {
        let act = Act { at, duration, priority, resume, tags, clip, act: Kind::ALL[kind], stroke_at, hand: hand.map(|i| Hand::ALL[i]), layer: layer.map(|i| Layer::ALL[i]), stance: None };
        prop_assert_eq!(line(&write(&Intent::Act(act.clone()))), Ok(Intent::Act(act)));
    }
}
