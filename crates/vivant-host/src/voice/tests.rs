use super::*;

#[test]
fn voice_names_are_parsed() {
    for (name, expected) in [
        ("none", Voice::Silent),
        ("espeak-ng", Voice::Espeak(None)),
        ("espeak-ng:de+f2", Voice::Espeak(Some("de+f2".into()))),
        ("talk.wav", Voice::Recording("talk.wav".into())),
        ("C:/talk.wav", Voice::Recording("C:/talk.wav".into())),
    ] {
        assert_eq!(Voice::named(name), expected);
    }
}

#[test]
fn ipa_is_parsed_with_stress() {
    let word: Vec<String> = ["h", "ə", "l", "ˈoʊ", "ɛɹ", "ǃ"].map(str::to_owned).into();
    let name = |(phone, stress)| wire::SaidPhone::from(&SaidPhone::new(phone, stress, 0.0, 1.0)).phone;
    let names: Vec<_> = in_ipa(&word).into_iter().map(name).collect();
    assert_eq!(names, ["HH", "AX0", "L", "OW1", "EH0", "R"]);
}

fn said(text: &str, voice: &str) -> Option<Speech> {
    let mut line = Line::given(text).unwrap();
    match Voice::named(voice).speak(&mut line, Manner { rate: 1.0, language: None }, &|_, _| {}) {
        Err(fault) if fault.kind() == ErrorKind::NotFound && std::env::var_os("VIVANT_ESPEAK").is_none() => {
            vivant_testing::skip("espeak-ng is not installed");
            None
        }
        speech => Some(speech.unwrap()),
    }
}

fn check_order(speech: &Speech) {
    let phones = speech.phones();
    let spans = phones.iter().map(|phone| (phone.start, phone.end.unwrap()));
    let mut last = 0.0;
    for (start, end) in spans {
        assert!(start >= last - 1e-9 && end >= start && end <= speech.secs + 1e-4, "{start} to {end}");
        last = end;
    }
}

#[test]
fn espeak_gives_words_and_phonemes_with_times() {
    let Some(speech) = said("[nod] Hello there, my friend. It is 5:30!", "espeak-ng") else { return };
    let timed = speech.words();
    let words: Vec<_> = timed.iter().map(|word| &*word.word).collect();
    assert_eq!(words, ["Hello", "there", "my", "friend", "It", "is", "five", "thirty"]);
    check_order(&speech);
    let audio = speech.audio.as_ref().unwrap();
    assert!((audio.secs() - speech.secs).abs() < 1e-9 && speech.secs > 2.0);
    // The pause after a phrase is silent and has no phonemes.
    let (friend, it) = (timed[3].end.unwrap(), timed[4].start);
    assert!((it - friend - 0.5).abs() < 0.06, "{friend} to {it}");
}

#[test]
fn espeak_speaks_other_languages() {
    let Some(speech) = said("[nod] Es ist 23 Uhr, mein Freund 😀.", "espeak-ng:de") else { return };
    let timed = speech.words();
    let words: Vec<_> = timed.iter().map(|word| &*word.word).collect();
    assert_eq!(words, ["Es", "ist", "23", "Uhr,", "mein", "Freund"]);
    check_order(&speech);
    let speech = said("Привет, мир", "espeak-ng:ru").unwrap();
    assert_eq!(speech.words().len(), 2);
}

#[test]
fn no_voice_has_human_timing() {
    let speech = said("Hello there, my friend.", "none").unwrap();
    assert!(speech.audio.is_none() && (0.8..2.5).contains(&speech.secs), "{}", speech.secs);
    check_order(&speech);
}
