use super::*;
use vivant::intent::SaidWord;
use vivant::speech::Ending;
use vivant::speech::utterance::Utterance;

fn read_text(name: &str, text: &str) -> (Score, Vec<Warning>) {
    read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Phonemes with their times in milliseconds, as text.
fn describe(score: &Score) -> String {
    let ms = |secs: f64| (secs * 1000.0).round();
    score
        .segments
        .iter()
        .map(|s| format!("{} {} {}", s.phone.name(), ms(s.from), ms(s.to)))
        .collect::<Vec<_>>()
        .join("; ")
}

const LONG: &str = r#"File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "a"
        xmin = 0
        xmax = 1
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 0.2
            text = ""
        intervals [2]:
            xmin = 0.2
            xmax = 0.3
            text = "M"
        intervals [3]:
            xmin = 0.3
            xmax = 1
            text = "AA1"
    item [2]:
        class = "IntervalTier"
        name = "b"
        xmin = 0
        xmax = 1
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 0.2
            text = ""
        intervals [2]:
            xmin = 0.2
            xmax = 1
            text = "say ""ma""
noun"
    item [3]:
        class = "TextTier"
        name = "c"
        xmin = 0
        xmax = 1
        points: size = 1
        points [1]:
            number = 0.5
            mark = "H*"
"#;

const SHORT: &str = "\"ooTextFile\"\n\"TextGrid\"\n0 1 <exists> 1\n\"IntervalTier\" \"x\" 0 1 2\n0 0.3 \"d\"\n0.3 1 \"eI\" ! a remark\n";

#[test]
fn text_grids_are_read_in_both_forms_and_any_encoding() {
    let (score, warnings) = read_text("a.TextGrid", LONG);
    assert_eq!(describe(&score), "M 200 300; AA 300 1000");
    assert_eq!(
        (score.words.len(), score.words[0].text.as_str(), score.words[0].from),
        (1, "say \"ma\"", 0.2)
    );
    let places: Vec<_> = warnings.iter().map(|warning| warning.place.as_str()).collect();
    assert_eq!(places, ["tier “c”", "words"]);
    assert_eq!(describe(&read_text("b.TextGrid", SHORT).0), "D 0 300; EY 300 1000");
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = "\u{feff}".encode_utf16().chain(LONG.encode_utf16()).flat_map(order).collect();
        assert_eq!(read("a", &bytes).unwrap().0, score);
    }
    assert_eq!(read("a", &[b"\xEF\xBB\xBF", LONG.as_bytes()].concat()).unwrap().0, score);
}

#[test]
fn tiers_can_be_chosen_by_name() {
    let language = English::default();
    let options = |words, phones| ReadOptions {
        language: &language,
        timing: TimingOptions::default(),
        words_tier: words,
        phones_tier: phones,
    };
    let (score, _) = read_with("a", LONG.as_bytes(), &options(Some("b"), Some("a"))).unwrap();
    assert_eq!((score.words.len(), score.segments.len()), (1, 2));
    let error = read_with("a.TextGrid", LONG.as_bytes(), &options(Some("z"), None)).unwrap_err();
    assert_eq!(error.to_string(), "a.TextGrid: unknown tier “z”; the file has “a”, “b”, “c”");
}

#[test]
fn all_kinds_of_labels_are_read() {
    for text in [
        "0 1000000 sil\n1000000 2000000 m\n2000000 4000000 aa\n",
        "0 1000000 x^x-sil+m=aa@x_x/A:0\n1000000 2000000 x^sil-m+aa=x@1_2/A:0_0+0\n2000000 4000000 sil^m-aa+x=x@2_1\n",
        "0 1000000 sil-m+aa\n1000000 2000000 sil-m+aa\n2000000 4000000 m-aa+sil 1.5 aux\n",
        "#!MLF!#\n\"*/a.lab\"\n0 1000000 sil\n1000000 2000000 m\n2000000 4000000 aa\n.\n",
        "1000000 1500000 x^sil-m+aa=x@1[2]\n1500000 2000000 x^sil-m+aa=x@1[3]\n2000000 3000000 y^m-aa+x=x[2]\n3000000 4000000 y^m-aa+x=x[3]\n",
    ] {
        let found = describe(&read_text("a.lab", text).0);
        assert!(found.ends_with("M 100 200; AA 200 400"), "{text}{found}");
    }
    let (score, _) = read_text("a.lab", "0 3000000 hello\n3000000 7000000 world\n");
    assert_eq!(score.words.len(), 2);
    let (score, _) = read_text("a.lab", "so this is only text\n");
    assert_eq!(score.words.len(), 5);
}

#[test]
fn rhubarb_formats_give_the_same_score() {
    let tsv = read_text("a.tsv", "0.00\tX\n0.20\tA\n0.30\tD\n0.50\tX\n").0;
    assert_eq!(describe(&tsv), "P 200 300; AA 300 500");
    let xml = "<?xml version=\"1.0\"?><rhubarbResult><metadata><soundFile>a.wav</soundFile></metadata><mouthCues>\
        <mouthCue start=\"0.00\" end=\"0.20\">X</mouthCue><mouthCue start=\"0.20\" end=\"0.30\">A</mouthCue>\
        <mouthCue start=\"0.30\" end=\"0.50\">D</mouthCue></mouthCues></rhubarbResult>";
    let json = r#"{"metadata": {"soundFile": "a.wav"}, "mouthCues": [{"start": 0, "end": 0.2, "value": "X"},
        {"start": 0.2, "end": 0.3, "value": "A"}, {"start": 0.3, "end": 0.5, "value": "D"}]}"#;
    assert_eq!(read_text("a.xml", xml).0, tsv);
    assert_eq!(read_text("a.json", json).0, tsv);
}

#[test]
fn json_words_are_read_with_alternative_keys() {
    for text in [
        r#"{"w": [{"t": "<sil>", "b": 0, "d": 0.1}, {"t": "was(2)", "b": 0.1, "d": 0.4}]}"#,
        r#"[{"word": "was", "start": 0.1, "end": 0.5}]"#,
        r#"{"words": [{"text": "was", "begin": 0.1, "to": 0.5}]}"#,
    ] {
        let (score, warnings) = read_text("a.json", text);
        assert_eq!(
            (score.words.len(), score.words[0].text.as_str(), score.words[0].to),
            (1, "was", 0.5),
            "{text}"
        );
        assert_eq!(score.segments.len(), 3);
        assert_eq!(warnings, []);
    }
    let phones = r#"{"w": [{"t": "a", "b": 0.1, "d": 0.4, "w": [{"t": "EY", "b": 0.1, "d": 0.4}]}]}"#;
    assert_eq!(describe(&read_text("a.json", phones).0), "EY 100 500");
}

#[test]
fn invalid_times_are_repaired_with_warnings() {
    let (score, warnings) = read_text(
        "a.json",
        r#"[{"word": "one", "start": 1, "end": 2}, {"word": "two", "start": 0.5, "end": 0.7}]"#,
    );
    assert_eq!((score.words[1].from, score.words[1].to), (2.0, 2.0));
    assert_eq!(
        (warnings.len(), warnings[0].code, warnings[0].place.as_str()),
        (1, WarningCode::Repaired, "word 2")
    );
    let many: Vec<_> = (0..50).map(|_| r#"{"word": "one", "start": 5, "end": 1}"#).collect();
    let (_, warnings) = read_text("a.json", &format!("[{}]", many.join(",")));
    assert_eq!(warnings.len(), 11);
    assert_eq!(warnings[10].message, "40 more times were repaired");
}

#[test]
fn ssml_elements_are_applied() {
    let text = r#"<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis"><p><s>Hi <emphasis level="strong">you</emphasis></s>
        <s>wait<break time="750ms"/>a <mark name="here"/>bit &amp; <sub alias="World Wide Web">WWW</sub></s></p>
        <prosody rate="slow">so <prosody rate="200%">fast</prosody> slow</prosody>
        <say-as interpret-as="characters">ab1</say-as> <phoneme alphabet="ipa" ph="t͡ʃaʊ">ciao</phoneme> <blink>[nod] there</blink></speak>"#;
    let (text, warnings) = ssml::read(text.as_bytes()).unwrap();
    let said: Vec<_> = text.words.iter().map(|word| word.say.as_str()).collect();
    assert_eq!(
        said,
        [
            "hi",
            "you",
            "wait",
            "a",
            "bit",
            "and",
            "world",
            "wide",
            "web",
            "so",
            "fast",
            "slow",
            "a. b. one",
            "ciao",
            "there"
        ]
    );
    assert_eq!(
        (
            text.words[1].emphasis,
            text.words[9].rate,
            text.words[10].rate,
            text.words[11].rate,
            text.words[12].rate
        ),
        (1.0, 0.75, 1.5, 0.75, 1.0)
    );
    assert_eq!(text.words[13].phones.iter().map(|(phone, _)| phone.name()).collect::<Vec<_>>(), ["CH", "AW"]);
    let stops: Vec<_> = text.stops.iter().map(|stop| (stop.after_words, stop.ending, stop.secs)).collect();
    assert_eq!(
        stops,
        [
            (2, Some(Ending::Sentence), None),
            (3, Some(Ending::Phrase), Some(0.75)),
            (9, Some(Ending::Sentence), None),
            (15, Some(Ending::Sentence), None)
        ]
    );
    let tags: Vec<_> =
        text.tags.iter().map(|tag| (tag.name.as_str(), tag.argument.as_deref(), tag.before_word)).collect();
    assert_eq!(tags, [("mark", Some("here"), 4), ("nod", None, 14)]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.starts_with("<blink> is not supported"));
    assert_eq!(read_text("a.ssml", "<speak>one<break/>two</speak>").0.words.len(), 2);
}

#[test]
fn invalid_ssml_attributes_give_warnings() {
    for (text, message) in [
        (
            "<speak><break time=\"soon\"/>x</speak>",
            "invalid break time “soon”; using 0.4 s. Write it as 500ms or 0.5s",
        ),
        ("<speak><break strength=\"huge\"/>x</speak>", "unknown break strength “huge”; using medium"),
        (
            "<speak><emphasis level=\"very\">x</emphasis></speak>",
            "unknown emphasis level “very”; using moderate",
        ),
        (
            "<speak><prosody rate=\"-200%\">x</prosody></speak>",
            "invalid rate “-200%”; using 1. Write slow, fast, 80% or 1.2",
        ),
        (
            "<speak><phoneme ph=\"你\">x</phoneme></speak>",
            "unknown phonemes “你” in alphabet “ipa”; the word is spoken as written",
        ),
    ] {
        let (read, warnings) = ssml::read(text.as_bytes()).unwrap();
        assert_eq!(
            warnings.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(),
            [message],
            "{text}"
        );
        assert_eq!(read.words.len(), 1, "{text}");
    }
}

#[test]
fn dictionaries_are_read() {
    let (dictionary, warnings) =
        dictionary::read(b";;; remarks\nCAT  K AE1 T\ncat(2) K AH0 T # other\n\nd'oh D OW1\n").unwrap();
    assert_eq!((dictionary.len(), dictionary.get("cat").unwrap().len()), (2, 3));
    assert_eq!(warnings.len(), 1);
    for (text, message) in [
        ("cat K AE1 T\ndog D QQ G\n", "line 2: “QQ” is not an ARPAbet phoneme such as AH0"),
        ("cat\n", "line 1: “cat” has no phonemes; a line is: word phonemes"),
        ("(2) K\n", "line 1: “(2)” is not a word; a line is: word phonemes"),
        ("", "the file is empty; save it again in the program that wrote it"),
    ] {
        assert_eq!(dictionary::read(text.as_bytes()).unwrap_err().to_string(), message, "{text}");
    }
}

/// Malformed files and their error messages.
#[test]
fn malformed_files_give_errors_with_place_and_cause() {
    let head = "\"ooTextFile\"\n\"TextGrid\"\n";
    let grids = [
        ("", "the file is truncated: the start of the grid is missing"),
        ("0 1 <absent>", "this TextGrid has no tiers"),
        ("0 1 <exists> 2.5", "the number of tiers is 2.5; it must be a whole number"),
        ("0 1 <exists> -1", "the number of tiers is -1; it must be a whole number"),
        ("0 1 <exists> 99999999", "at most 1024 are allowed"),
        ("0 1 <exists> 1 \"OtherTier\"", "tier 1 has class “OtherTier”; use IntervalTier or TextTier"),
        ("0 1 <exists> 1 5", "the class of tier 1 should be a quoted text, but is 5"),
        ("0 1 <exists> 1 \"IntervalTier\" \"w\" 0 1 1e12", "at most 1048576 are allowed"),
        ("0 1 <exists> 1 \"IntervalTier\" \"w\" 0 1 3\n0 1 \"a\"\n", "the start of entry 2 of tier 1 “w”"),
        (
            "0 1 <exists> 1 \"IntervalTier\" \"w\" 0 1 1\n0 \"a\"",
            "line 4: the end of entry 1 of tier 1 “w” should be a number, but is “a”",
        ),
        (
            "0 1 <exists> 1 \"IntervalTier\" \"w\" 0 1 1\n0 1 \"a",
            "line 4: a text has no closing quotation mark",
        ),
        ("0 1 <exists> 0", "the file has no words and no phonemes with times"),
    ];
    let grids = grids.map(|(rest, message)| (format!("{head}{rest}"), message));
    let others = [
        ("", "the file is empty"),
        ("ooBinaryFile\u{8}TextGrid", "save it in Praat as a text file"),
        (
            "File type = \"ooTextFile\"\nObject class = \"Pitch\"\n",
            "line 2: this is a Praat “Pitch”, not a TextGrid",
        ),
        ("0 1000000 sil\n1000000 x m\n", "line 2: “x” should be an end in units of 100 ns"),
        ("0 1000000 sil\n1000000 2000000\n", "line 2: the label after the times is missing"),
        ("0.0\tX\n0.1\tQ\n", "line 2: “Q” is not a Rhubarb mouth shape; use A to H or X"),
        ("0.0\tX\nlater\tA\n", "line 2: “later” should be a time in seconds"),
        (
            "<rhubarbResult><mouthCues><mouthCue start=\"0\" end=\"soon\">A</mouthCue></mouthCues></rhubarbResult>",
            "line 1: attribute end of <mouthCue> should be a time in seconds, but is “soon”",
        ),
        ("<rhubarbResult><mouthCues>", "the file is truncated: it ends within an element"),
        (
            "{\"mouthCues\": [{\"start\": 0, \"end\": 1, \"value\": \"Ä\"}]}",
            "mouthCues[0].value: “Ä” is not a Rhubarb mouth shape",
        ),
        ("{\"mouthCues\": 5}", "mouthCues: found 5, expected a list in square brackets"),
        ("{\"a\": 1}", "this JSON has no words with times"),
        ("{\"w\": [{\"t\": \"a\", \"b\": 0}]}", "words[0]: the word has no end and no duration"),
        ("{\"w\": [", "line 1, column 7: invalid JSON"),
        ("[] []", "line 1, column 4: invalid JSON: trailing characters; the value ends before this"),
        ("<speak>a\n<s>b</speak>", "line 2: invalid XML"),
        ("<speak>a\n<s>b", "line 2: <s> is not closed; add </s>"),
        ("<speak>&nbsp;</speak>", "unknown entity &nbsp;"),
        ("<!DOCTYPE x><speak/>", "DTDs are not supported"),
        ("<html></html>", "found <html>; SSML must have exactly one root element"),
        ("<speak/><speak/>", "found <speak>; SSML must have exactly one root element"),
        ("<speak/>more", "found “more” after <speak>; delete it"),
        ("<speak><sub>x</sub></speak>", "<sub> has no alias"),
        ("<speak><phoneme>x</phoneme></speak>", "<phoneme> has no ph"),
        ("nothing of the kind", "unknown speech format"),
    ];
    for (text, message) in grids.iter().map(|(text, message)| (text.as_str(), *message)).chain(others) {
        let error = read("it.x", text.as_bytes()).expect_err(text).to_string();
        assert!(error.starts_with("it.x: ") && error.contains(message), "{text}\n{error}");
    }
    assert!(read("a", b"\xff\xfe\x00\xd8").unwrap_err().to_string().contains("UTF-16"));
    assert!(read("a", b"0 1 \xff").unwrap_err().to_string().contains("not valid UTF-8"));
    let deep = format!("<speak>{}", "<s>".repeat(2000));
    assert!(
        read("a", deep.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("elements are nested more than 512 deep")
    );
    assert!(
        read("a", &vec![b' '; limits::MAX_SPEECH_BYTES + 1])
            .unwrap_err()
            .to_string()
            .contains("bytes; at most")
    );
}

#[test]
fn unknown_labels_are_silent_with_a_warning() {
    let (score, warnings) = read_text(
        "a.lab",
        "0 1000000 m\n1000000 2000000 aa\n2000000 3000000 ??\n3000000 4000000 pt\n4000000 5000000 n\n",
    );
    assert_eq!(describe(&score), "M 0 100; AA 100 200; P 300 350; T 350 400; N 400 500");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn alphabets_are_detected() {
    use sounds::Alphabet::{self, Arpabet, Ipa, Sampa};
    let check = |labels: &str, expected: Alphabet, names: &str| {
        let labels: Vec<_> = labels.split(' ').collect();
        let alphabet = Alphabet::of(labels.iter().copied());
        assert_eq!(alphabet, expected, "{labels:?}");
        let said: Vec<_> = labels
            .iter()
            .flat_map(|label| alphabet.sounds(label).unwrap())
            .map(|(phone, _)| phone.name())
            .collect();
        assert_eq!(said.join(" "), names);
    };
    check("HH AH0 L OW1 sil", Arpabet, "HH AX L OW SIL");
    check("h ə l əʊ", Ipa, "HH AX L OW");
    check("d eI m @ n D V A r", Sampa, "D EY M AX N DH AH AA R");
}

#[test]
fn a_line_may_be_ssml_or_text_with_times() {
    let english = English::default();
    let describe = |say: &Say| -> Result<_> {
        let (mut line, say) = (Utterance::default(), with_ssml(say.clone())?);
        let mended = line.update(&say, &english).map_err(Error::new)?;
        Ok((line, mended, say.read.map(|read| read.remarks).unwrap_or_default()))
    };
    let ssml = Say::new(" <speak>Hi <mark name='now'/><break time='2s'/> <blink>you</blink></speak>");
    let (line, _, remarks) = describe(&ssml).unwrap();
    assert_eq!((line.score().words.len(), line.text().tags.len(), remarks.len()), (2, 1, 1));
    assert!(line.is_whole() && line.secs() > 2.0);
    let word = |word: &str, start, end| SaidWord { word: word.into(), start, end: Some(end) };
    let words = vec![word("Hi", 1.0, 1.5), word("you", 1.2, 2.0)];
    let (line, mended, _) = describe(&Say { words, ..Say::new("<speak>Hi you there</speak>") }).unwrap();
    assert_eq!(mended[0].to_string(), "words[1]: it overlaps the previous entry and was moved to its end");
    assert_eq!((line.score().words[0].from, line.known_until()), (1.0, 2.0));
    let (mut line, ..) = describe(&Say { more: true, ..Say::new("1 < 2, so <spe") }).unwrap();
    assert!(!line.is_whole());
    let late = line.update(&with_ssml(Say::new("<speak>Hi</speak>")).unwrap(), &english).unwrap_err();
    assert!(late.to_string().contains("SSML must be a complete line"), "{late}");
    for (say, expected) in [
        (Say { more: true, ..Say::new("<speak>Hi</speak>") }, "more: SSML cannot be sent in pieces"),
        (Say::new("<speak>Hi"), "say: "),
        (Say { duration: Some(-1.0), ..Say::new("Hi") }, "duration: invalid value -1"),
    ] {
        let error = describe(&say).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
