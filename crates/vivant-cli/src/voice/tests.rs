use super::*;
use vivant::speech::Viseme;
use vivant::speech::audio::FIRST_FRAME_SECS;

/// Frames that hear each of these shapes for so many frames.
fn frames(shapes: &[(Viseme, usize)]) -> Vec<Heard> {
    let shapes = shapes.iter().flat_map(|(viseme, count)| std::iter::repeat_n(*viseme, *count));
    let frame = |(index, viseme): (usize, Viseme)| {
        let (mut visemes, mut class) = ([0.02; Viseme::COUNT], [0.02; 8]);
        visemes[viseme as usize] = 0.7;
        class[viseme.class() as usize] = 0.8;
        Heard {
            at_secs: FIRST_FRAME_SECS + index as f64 * 0.01,
            loudness: 1.0,
            pitch_hz: None,
            class,
            visemes,
        }
    };
    shapes.enumerate().map(frame).collect()
}

fn sounds(names: &str) -> Vec<Sound> {
    names.split(' ').map(|name| (Phone::arpabet(name).unwrap(), Stress::None)).collect()
}

#[test]
fn sounds_are_found_where_they_are_heard() {
    use Viseme::{Aa, Ih, Pp, Sil, Ss};
    let (first, second) = (sounds("M AA"), sounds("S IY P"));
    let heard = frames(&[(Pp, 9), (Aa, 20), (Sil, 30), (Ss, 12), (Ih, 14), (Pp, 10)]);
    let spans = align::align(&[&first, &second], &heard, (0.0, 0.9675));
    // The first frame tells of what begins 17.5 ms after the first sample.
    let expected = [(0.0, 0.1075), (0.1075, 0.3075), (0.6075, 0.7275), (0.7275, 0.8675), (0.8675, 0.9675)];
    for (span, expected) in spans.iter().zip(expected) {
        assert!((span.0 - expected.0).abs() < 0.015 && (span.1 - expected.1).abs() < 0.015, "{spans:?}");
    }
}

#[test]
fn where_there_is_no_room_time_is_shared() {
    let words = [&*sounds("M AA S IY P")];
    for (secs, frames) in [(0.0, frames(&[])), (0.02, frames(&[(Viseme::Aa, 2)]))] {
        let spans = align::align(&words, &frames, (0.0, secs));
        assert_eq!(spans.len(), 5);
        assert!(spans.iter().all(|span| span.0 <= span.1 && span.1 <= secs + 1e-9), "{spans:?}");
    }
    assert!(align::align(&[], &frames(&[(Viseme::Aa, 2)]), (0.0, 0.02)).is_empty());
}

#[test]
fn voices_are_named() {
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
fn ipa_is_read_with_its_stress() {
    let word: Vec<String> = ["h", "ə", "l", "ˈoʊ", "ɛɹ", "ǃ"].map(str::to_owned).into();
    let names: Vec<_> = in_ipa(&word).into_iter().map(|sound| said_phone(sound, (0.0, 1.0)).phone).collect();
    assert_eq!(names, ["HH", "AX0", "L", "OW1", "EH0", "R"]);
}

fn said(text: &str, voice: &str) -> Option<Speech> {
    let mut line = Line::given(text).unwrap();
    match Voice::named(voice).speak(&mut line, Manner { rate: 1.0, language: None }, &|_, _| {}) {
        Err(fault) if fault.kind() == Kind::Unknown && std::env::var_os("VIVANT_ESPEAK").is_none() => {
            eprintln!("espeak-ng is not installed; its test is skipped");
            None
        }
        speech => Some(speech.unwrap()),
    }
}

fn check_order(speech: &Speech) {
    let spans = speech.phones.iter().map(|phone| (phone.start, phone.end.unwrap()));
    let mut last = 0.0;
    for (start, end) in spans {
        assert!(start >= last - 1e-9 && end >= start && end <= speech.secs + 1e-4, "{start} to {end}");
        last = end;
    }
}

#[test]
fn espeak_tells_words_and_sounds_with_times() {
    let Some(speech) = said("[nod] Hello there, my friend. It is 5:30!", "espeak-ng") else { return };
    let words: Vec<_> = speech.words.iter().map(|word| &*word.word).collect();
    assert_eq!(words, ["Hello", "there", "my", "friend", "It", "is", "five", "thirty"]);
    check_order(&speech);
    let audio = speech.audio.as_ref().unwrap();
    assert!((audio.secs() - speech.secs).abs() < 1e-9 && speech.secs > 2.0);
    // Where a phrase has ended, it is silent, and no sound is told.
    let (friend, it) = (speech.words[3].end.unwrap(), speech.words[4].start);
    assert!((it - friend - 0.5).abs() < 0.06, "{friend} to {it}");
}

#[test]
fn espeak_speaks_other_languages_as_they_are_written() {
    let Some(speech) = said("[nod] Es ist 23 Uhr, mein Freund 😀.", "espeak-ng:de") else { return };
    let words: Vec<_> = speech.words.iter().map(|word| &*word.word).collect();
    assert_eq!(words, ["Es", "ist", "23", "Uhr,", "mein", "Freund"]);
    check_order(&speech);
    let speech = said("Привет, мир", "espeak-ng:ru").unwrap();
    assert_eq!(speech.words.len(), 2);
}

#[test]
fn nobody_takes_as_long_as_people_would() {
    let speech = said("Hello there, my friend.", "none").unwrap();
    assert!(speech.audio.is_none() && (0.8..2.5).contains(&speech.secs), "{}", speech.secs);
    check_order(&speech);
}
