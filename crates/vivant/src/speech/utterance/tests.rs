use super::*;
use crate::intent::{SaidPhone, SaidViseme, SaidWord, VisemeCode};
use crate::math;
use crate::speech::phone::Phone;
use crate::speech::pronounce::{English, stress_of};
use crate::speech::timing::{TimingIssue, score};
use crate::speech::viseme::Viseme;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

static ENGLISH: LazyLock<English> = LazyLock::new(English::default);

fn line_of(pieces: &[Say]) -> Utterance {
    let mut line = Utterance::default();
    for say in pieces {
        line.update(say, &*ENGLISH).unwrap();
        assert_is_in_order(line.score());
    }
    line
}

fn more(text: &str) -> Say {
    Say { more: true, ..Say::new(text) }
}

fn said(word: &str, start: f64, end: impl Into<Option<f64>>) -> SaidWord {
    SaidWord { word: word.into(), start, end: end.into() }
}

fn phone(phone: &str, start: f64, end: impl Into<Option<f64>>) -> SaidPhone {
    SaidPhone::new(Phone::arpabet(phone).unwrap(), stress_of(phone), start, end)
}

fn shape(viseme: VisemeCode, start: f64) -> SaidViseme {
    SaidViseme { viseme, start, end: None }
}

fn azure(id: u32) -> VisemeCode {
    VisemeCode::Visemes(Viseme::azure(id).unwrap())
}

fn words(words: Vec<SaidWord>) -> Say {
    Say { words, more: true, ..Say::default() }
}

fn assert_is_in_order(score: &Score) {
    let segments: Vec<_> = score.segments.iter().map(|segment| (segment.from, segment.to)).collect();
    let words: Vec<_> = score.words.iter().map(|word| (word.from, word.to)).collect();
    let pauses: Vec<_> = score.pauses.iter().map(|pause| (pause.from, pause.to)).collect();
    for spans in [segments, words, pauses] {
        assert!(
            spans.iter().all(|span| 0.0 <= span.0 && span.0 <= span.1 && span.1.is_finite()),
            "{spans:?}"
        );
        assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0 + 1e-9), "{spans:?}");
    }
}

fn names(score: &Score) -> String {
    score.segments.iter().map(|phoneme| phoneme.phone.name()).collect::<Vec<_>>().join(" ")
}

fn spans(score: &Score) -> Vec<(&str, f64, f64)> {
    score.words.iter().map(|word| (&word.text[..], word.from, word.to)).collect()
}

/// Synthesizes voice-like audio: a buzz with formants and hiss, with pauses between them.
fn voice(secs: f64) -> Vec<f32> {
    let rate = 16_000.0;
    let mut noise = 1_u32;
    let sample = |n: usize| {
        let t = n as f64 / rate;
        let syllable = 0.55 - 0.45 * math::cos(t * std::f64::consts::TAU * 4.0);
        let is_pause = t % 2.0 > 1.6;
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let hiss = f64::from(noise >> 16) / 65_536.0 - 0.5;
        // As in a real voice, the formants always move.
        let turn = |hz: f64| math::sin(t * hz * std::f64::consts::TAU);
        let formants_hz = [550.0 + 200.0 * turn(0.9), 1500.0 + 450.0 * turn(1.3)];
        let size = |hz: f64| {
            formants_hz.iter().map(|f| 0.3 / (1.0 + ((hz - f) / 100.0) * ((hz - f) / 100.0))).sum::<f64>()
        };
        let buzz: f64 = (1..30).map(|k| 120.0 * f64::from(k)).map(|hz| size(hz) * turn(hz)).sum();
        let signal = if t % 0.5 < 0.12 { 0.3 * hiss } else { buzz };
        (if is_pause { 0.0 } else { 0.5 * syllable * signal }) as f32
    };
    (0..(secs * rate) as usize).map(sample).collect()
}

fn audio(samples: &[f32]) -> Audio {
    Audio { rate_hz: 16_000, samples: samples.to_vec() }
}

#[test]
fn text_alone_gives_estimates() {
    let line = line_of(&[more("Hello, wor"), Say::new("ld.")]);
    let whole = score(&Text::read("Hello, world."), &*ENGLISH, &TimingOptions::default());
    assert_eq!(line.score(), &whole);
    assert!(line.is_whole());
    assert_eq!((line.known_until(), line.secs()), (0.0, whole.secs()));
    let text = Utterance::of_text(Text::read("Hello, world."), &*ENGLISH, TimingOptions::default());
    assert_eq!((text.score(), text.is_whole()), (&whole, true));
}

#[test]
fn a_duration_sets_the_end_of_a_complete_line() {
    let line = line_of(&[Say { duration: Some(4.0), ..Say::new("[nod] One two three, four [smile] five.") }]);
    assert!((line.secs() - 4.0).abs() < 1e-9);
    let half = line_of(&[Say { duration: Some(4.0), ..more("One two three, four five. ") }]);
    assert!(half.secs() < 3.0, "{}", half.secs());
    let known = [
        Say { duration: Some(6.0), ..more("One two three, four five.") },
        Say { more: false, ..words(vec![said("One", 0.5, 1.0)]) },
    ];
    let known = line_of(&known);
    assert!((known.secs() - 6.0).abs() < 1e-9 && known.score().words[0].from == 0.5);
    let quick = line_of(&[Say { duration: Some(0.0), ..Say::new("One two three, four five.") }]);
    assert!(quick.secs() > 0.0, "at most ten times as fast");
}

#[test]
fn timed_words_keep_their_times_and_set_the_pace_of_the_rest() {
    let text = "Good morning everyone, and welcome to the show.";
    let estimate = line_of(&[Say::new(text)]);
    let slow: Vec<_> = estimate.score().words[..2]
        .iter()
        .map(|word| said(&word.text, 0.5 + 2.0 * word.from, 0.5 + 2.0 * word.to))
        .collect();
    let line = line_of(&[Say::new(text), words(slow.clone())]);
    let [before, after] = [&estimate, &line].map(Utterance::score);
    assert_eq!(after.words[0].from, 0.5);
    assert_eq!(line.known_until(), slow[1].end.unwrap());
    assert_eq!(names(before), names(after));
    let length = |score: &Score, word: usize| score.words[word].to - score.words[word].from;
    let pace = length(after, 4) / length(before, 4);
    let said = slow[1].end.unwrap() - 0.5;
    let expected = (said + 1.0) / (said / 2.0 + 1.0);
    assert!((pace - expected).abs() < 1e-6, "{pace}, expected {expected}");
    let gap = |score: &Score| score.words[3].from - score.words[2].to;
    assert!((gap(after) / gap(before) - pace).abs() < 1e-6, "pauses scale too");
}

#[test]
fn the_pace_stays_within_a_factor_of_two() {
    let text = "One two three four five six seven eight nine ten";
    for (factor, expected) in [(0.01, 0.5), (100.0, 2.0)] {
        let estimate = line_of(&[Say::new(text)]);
        let known = estimate.score().words[..8].iter();
        let known = known.map(|word| said(&word.text, factor * word.from, factor * word.to)).collect();
        let line = line_of(&[Say::new(text), words(known)]);
        let length = |score: &Score| score.words[9].to - score.words[9].from;
        assert!((length(line.score()) / length(estimate.score()) - expected).abs() < 0.2, "{factor}");
    }
}

#[test]
fn a_word_without_an_end_lasts_until_the_next_word_or_a_pause() {
    let say = words(vec![said("Hello", 0.0, None), said("big", 0.5, None), said("world", 3.0, None)]);
    let line = line_of(&[say]);
    let found = spans(line.score());
    assert_eq!(found[0].2, 0.5);
    assert!((0.6..1.2).contains(&found[1].2), "{found:?}");
    assert!((3.1..3.8).contains(&found[2].2), "{found:?}");
    let pauses: Vec<_> = line.score().pauses.iter().map(|pause| (pause.from, pause.to)).collect();
    assert_eq!(pauses, [(found[1].2, 3.0)]);
}

#[test]
fn timed_words_are_matched_by_counting_spoken_words() {
    let line = line_of(&[
        Say::new("It is $5 now, [nod] Dr. Smith."),
        words(vec![said("It", 0.0, 0.2), said("is", 0.2, 0.4), said("$5", 0.4, 1.2), said("now", 1.2, 1.5)]),
        words(vec![said(",", 1.5, 1.5)]),
    ]);
    let texts: Vec<_> = line.score().words.iter().map(|word| &word.text[..]).collect();
    assert_eq!(texts, ["It", "is", "$5", "now", "Dr", "Smith"]);
    let (nod, _) = line.tags().next().unwrap();
    assert_eq!(nod, line.score().words[4].from);
    assert!(nod > 1.5, "there is a pause at the comma");
    assert_eq!(line.word_start(3), Some(0.4), "dollars");
    assert_eq!(line.word_start(9), None);
}

#[test]
fn phonemes_take_precedence_and_words_are_aligned_with_them() {
    let line = "M AA1 | P IY1 | SIL | S OW1";
    let phonemes: Vec<_> = line
        .replace("| ", "")
        .split(' ')
        .enumerate()
        .map(|(n, name)| phone(name, 0.15 * n as f64, 0.15 * (n + 1) as f64))
        .collect();
    let say = Say { phones: phonemes, ..Say::new("Ma pea, so") };
    let found = line_of(std::slice::from_ref(&say));
    assert_eq!(names(found.score()), "M AA P IY S OW");
    let words: Vec<_> = found.score().words.iter().map(|word| (word.from, word.to)).collect();
    for (found, expected) in words.iter().zip([(0.0, 0.3), (0.3, 0.6), (0.75, 1.05)]) {
        let near = |a: f64, b: f64| (a - b).abs() < 0.015;
        assert!(near(found.0, expected.0) && near(found.1, expected.1), "{words:?}");
    }
    let with_words = Say { words: vec![said("Ma", 0.1, 0.2)], ..say };
    let found = line_of(&[with_words]);
    assert_eq!(names(found.score()), "M AA P IY S OW");
    assert_eq!(spans(found.score())[0], ("Ma", 0.1, 0.2));
}

#[test]
fn visemes_alone_give_a_line_with_pauses_and_emphases() {
    let azure = Say {
        visemes: [(21, 0.0), (2, 0.1), (0, 0.4), (7, 1.0)].map(|(id, start)| shape(azure(id), start)).into(),
        ..Say::default()
    };
    let line = line_of(&[azure]);
    assert_eq!(names(line.score()), "P AA UW");
    let pauses: Vec<_> = line.score().pauses.iter().map(|pause| (pause.after, pause.from)).collect();
    assert_eq!(pauses[0], (Ending::Phrase, 0.4));
    assert_eq!(pauses[1].0, Ending::Sentence);
    let moments: Vec<_> = line.emphases().collect();
    assert_eq!(moments[0], (0.25, 0.5));
    let with_e = |code: VisemeCode| {
        let visemes = vec![shape(VisemeCode::LetterE, 0.0), shape(code, 1.0)];
        names_of_visemes(&[Say { visemes, ..Say::default() }])
    };
    let g = VisemeCode::Rhubarb(Viseme::rhubarb('G').unwrap());
    assert_eq!(with_e(VisemeCode::Visemes(&[Viseme::Aa])), "EH AA");
    assert_eq!(with_e(g), "AO F");
    let pieces = [
        Say { visemes: vec![shape(VisemeCode::LetterE, 0.0)], more: true, ..Say::default() },
        Say { visemes: vec![shape(g, 1.0)], ..Say::default() },
    ];
    assert_eq!(names_of_visemes(&pieces), "AO F", "the set is known only later");
}

fn names_of_visemes(pieces: &[Say]) -> String {
    names(line_of(pieces).score())
}

#[test]
fn invalid_pieces_are_rejected_and_change_nothing() {
    let check = |say: Say, expected: &str| {
        let mut line = line_of(&[more("Hello the")]);
        let before = line.clone();
        let error = line.update(&Say { words: vec![said("Hello", 0.0, 1.0)], ..say }, &*ENGLISH).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(line.score(), before.score());
        assert_eq!(line.is_whole(), before.is_whole());
        line.update(&Say::new("re."), &*ENGLISH).unwrap();
        assert_eq!(line.score(), line_of(&[Say::new("Hello there.")]).score());
    };
    let voice = Audio { rate_hz: 100, samples: vec![0.0] };
    check(Say { voice: Some(voice), ..more("x") }, "sampling rate 100 Hz");
    check(Say { duration: Some(f64::NAN), ..more("x") }, "duration: invalid value NaN");
    let mut line = line_of(&[Say::new("All.")]);
    assert!(
        line.update(&Say::new("More."), &*ENGLISH)
            .unwrap_err()
            .to_string()
            .contains("say: the line has ended")
    );
    line.add_audio(&audio(&[0.0; 100]), &*ENGLISH).unwrap();
    let slow = Audio { rate_hz: 8_000, samples: vec![0.0; 100] };
    let other = line.add_audio(&slow, &*ENGLISH).unwrap_err().to_string();
    assert!(other.contains("8000 samples per second, but the line started with 16000"), "{other}");
}

#[test]
fn audio_too_short_for_its_text_still_gives_a_sorted_line() {
    let align = |secs: f64| {
        let text = Text::read("Please map all of this.");
        Utterance::aligned(text, &audio(&voice(secs)), &*ENGLISH, TimingOptions::default()).unwrap()
    };
    for secs in [0.0, 0.02, 0.1, 0.3] {
        let line = align(secs);
        assert_is_in_order(line.score());
        assert!(line.is_whole() && line.secs() < 3.0, "{secs} s of audio give {} s", line.secs());
    }
}

#[test]
fn invalid_times_are_repaired_and_reported() {
    let mut line = Utterance::default();
    let say = Say {
        words: vec![said("One", 0.0, 1.0), said("two", 0.5, 0.2)],
        phones: vec![phone("AA", f64::NAN, 1.0)],
        ..Say::default()
    };
    let warnings = line.update(&say, &*ENGLISH).unwrap();
    let found: Vec<_> =
        warnings.iter().map(|warning| (warning.list, warning.repair.index, warning.repair.issue)).collect();
    assert_eq!(found, [("words", 1, TimingIssue::Overlap), ("phones", 0, TimingIssue::NotFinite)]);
    assert_eq!(warnings[0].to_string(), "words[1]: it overlaps the previous entry and was moved to its end");
    assert_is_in_order(line.score());
}

#[test]
fn audio_without_text_gives_phonemes_and_pauses() {
    let samples = voice(4.0);
    let line = line_of(&[Say { voice: Some(audio(&samples)), ..Say::default() }]);
    let score = line.score();
    assert!(score.words.is_empty() && score.segments.len() > 4, "{score:?}");
    assert!(score.segments.iter().all(|phoneme| phoneme.to - phoneme.from >= 0.0299), "no blips");
    assert!(score.segments.iter().all(|phoneme| !(1.75..1.95).contains(&phoneme.from)), "silence is silent");
    assert!(
        score.pauses.iter().any(|pause| (1.4..1.7).contains(&pause.from) && (1.9..2.3).contains(&pause.to)),
        "{:?}",
        score.pauses
    );
    assert!(line.loudness_at(1.8) < 0.1 && line.loudness_at(0.15) > 0.3 && line.loudness_at(9.0) == 1.0);
    assert!(score.segments.iter().any(|phoneme| phoneme.loudness > 0.8));
    assert!((line.secs() - 4.0).abs() < 0.5);
}

#[test]
fn a_line_ends_with_its_audio() {
    // prose:allow a spoken line whose timing is tested
    let text = "Well, this is a line of words that somebody says.";
    let secs = line_of(&[Say::new(text)]).secs();
    let samples = voice(1.2 * secs);
    let line = line_of(&[Say { voice: Some(audio(&samples)), ..Say::new(text) }]);
    assert_eq!(line.score().words.len(), 10);
    assert!(
        line.secs() <= 1.2 * secs + 1e-9 && line.secs() > 1.2 * secs - 0.5,
        "{} of {}",
        line.secs(),
        1.2 * secs
    );
    let half = line_of(&[more(text), Say { voice: Some(audio(&samples[..16_000])), ..more("") }]);
    assert!(half.known_until() > 0.9 && half.known_until() < 1.0);
    assert_eq!(half.score().words.len(), 9, "the last word may continue");
    assert!(half.secs() > half.known_until() + 0.25 * secs, "the rest is estimated");
}

#[test]
fn each_phrase_has_one_emphasis_and_stressed_words_have_their_own() {
    let line = line_of(&[Say::new("It is a *very* *good* day, and I like the cat.")]);
    let words = &line.score().words;
    let moments: Vec<_> = line.emphases().collect();
    assert_eq!(moments.iter().map(|moment| moment.1).collect::<Vec<_>>(), [1.0, 1.0, 0.65]);
    for (moment, word) in moments.iter().zip([3, 4, 10]) {
        let within = words[word].from < moment.0 && moment.0 < words[word].to;
        assert!(within, "{moment:?} {:?}", words[word]);
        let stressed = |phoneme: &&Segment| phoneme.from < moment.0 && moment.0 < phoneme.to;
        let phoneme = line.score().segments.iter().find(stressed).unwrap();
        assert!(phoneme.phone.is_vowel() && ((phoneme.from + phoneme.to) / 2.0 - moment.0).abs() < 1e-9);
    }
    assert_eq!(line.emphases_from(moments[1].0).collect::<Vec<_>>(), moments[1..]);
    assert_eq!(line.emphases_from(line.secs()).count(), 0);
    assert_eq!(line_of(&[Say::new("")]).emphases().count(), 0);
}

#[test]
fn empty_input_gives_an_empty_line() {
    for text in ["", "   ", "🙂", "你好", "[nod]", "..."] {
        let line = line_of(&[Say::new(text)]);
        assert_eq!((line.secs(), line.score().words.len()), (0.0, 0), "{text}");
        assert_eq!(line.tags().count(), usize::from(text == "[nod]"));
    }
    let silent = line_of(&[Say { voice: Some(audio(&[0.0; 16_000])), ..Say::default() }]);
    assert_eq!(silent.score().segments.len(), 0);
    let clipped = line_of(&[Say { voice: Some(audio(&[1.0; 16_000])), ..Say::new("Hello there.") }]);
    assert_eq!(clipped.score().words.len(), 2);
}

/// Pronounces every word the same way and counts calls.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Pronounce for Counting {
    fn pronounce(&self, _: &str, out: &mut Vec<(crate::speech::Phone, crate::speech::Stress)>) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        out.extend(
            ["M", "AA"]
                .map(|name| (crate::speech::Phone::arpabet(name).unwrap(), crate::speech::Stress::Primary)),
        );
        true
    }
}

/// Rebuilding everything for each token would take hours.
#[test]
fn streaming_a_long_text_takes_linear_time() {
    let language = Counting::default();
    let mut line = Utterance::default();
    line.update(&Say { words: vec![said("Once", 0.0, 0.5)], ..more("Once ") }, &language).unwrap();
    let count = 60_000;
    for word in 0..count {
        let token = if word % 12 == 11 { "upon. " } else { "time " };
        line.update(&more(token), &language).unwrap();
    }
    line.end(&language);
    assert_eq!((line.score().words.len(), line.score().words[0].to), (count + 1, 0.5));
    let calls = language.0.load(Ordering::Relaxed);
    assert!(calls < 10 * count, "{calls} calls");
}

/// All timings of a line; the order in which they arrive does not matter.
#[derive(Clone, Debug)]
struct Knowledge {
    text: String,
    words: Vec<SaidWord>,
    phones: Vec<SaidPhone>,
    samples: Vec<f32>,
}

/// Adds the timings to a line in pieces of the given kinds and sizes.
fn in_pieces(known: &Knowledge, sizes: &[(u8, usize)]) -> Utterance {
    let letters: Vec<char> = known.text.chars().collect();
    let mut at = [0_usize; 4];
    let lens = [letters.len(), known.words.len(), known.phones.len(), known.samples.len()];
    let scales = [1, 1, 1, 400];
    let mut line = Utterance::default();
    let everything = [(0, usize::MAX), (1, usize::MAX), (2, usize::MAX), (3, usize::MAX)];
    for (kind, size) in sizes.iter().copied().chain(everything) {
        let kind = usize::from(kind % 4);
        let from = at[kind];
        let to = from.saturating_add(size.saturating_mul(scales[kind])).min(lens[kind]);
        at[kind] = to;
        let say = match kind {
            0 => more(&letters[from..to].iter().collect::<String>()),
            1 => words(known.words[from..to].to_vec()),
            2 => Say { phones: known.phones[from..to].to_vec(), ..more("") },
            _ if from < to => Say { voice: Some(audio(&known.samples[from..to])), ..more("") },
            _ => continue,
        };
        line.update(&say, &*ENGLISH).unwrap();
        assert_is_in_order(line.score());
    }
    line
}

fn knowledge() -> impl Strategy<Value = Knowledge> {
    let text = "(a |cat |sat\\. |on, |the |[0-9]{1,3} |mat\\? |\\[nod\\]|\\*very\\* |remarkable ){0,40}";
    let times = |most: usize| proptest::collection::vec((0.0f64..0.4, 0.05f64..0.4, any::<bool>()), 0..most);
    (text, times(30), times(30), 0usize..4, 0.0f64..6.0).prop_map(|(text, words, phones, kinds, secs)| {
        let said_words: Vec<String> = text
            .split(' ')
            .filter(|word| !word.contains('[') && !word.is_empty())
            .map(str::to_owned)
            .collect();
        let spans = |times: &[(f64, f64, bool)]| {
            let mut at = 0.0;
            let mut span = |(gap, secs, has_end): &(f64, f64, bool)| {
                let start = at + gap * gap;
                at = start + secs;
                (start, has_end.then_some(at))
            };
            times.iter().map(&mut span).collect::<Vec<_>>()
        };
        let words =
            spans(&words).into_iter().zip(said_words).map(|((start, end), word)| said(&word, start, end));
        let names = ["M", "AA1", "S", "AX0", "SIL", "OW2"];
        let phones =
            spans(&phones).into_iter().enumerate().map(|(n, (start, end))| phone(names[n % 6], start, end));
        Knowledge {
            words: words.filter(|_| kinds & 1 == 1).collect(),
            phones: phones.filter(|_| kinds == 2).collect(),
            samples: voice(if kinds == 3 { 0.0 } else { secs }),
            text,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_score_does_not_depend_on_the_order_of_pieces(
        known in knowledge(),
        sizes in proptest::collection::vec((0u8..4, 0usize..12), 0..60),
        others in proptest::collection::vec((0u8..4, 0usize..40), 0..20),
    ) {
        let mut lines = [in_pieces(&known, &sizes), in_pieces(&known, &others), in_pieces(&known, &[])];
        for _ in 0..2 {
            let [a, b, c] = &lines;
            prop_assert_eq!(a.score(), c.score());
            prop_assert_eq!(b.score(), c.score());
            prop_assert_eq!(a.known_until(), c.known_until());
            prop_assert_eq!(a.tags().collect::<Vec<_>>(), c.tags().collect::<Vec<_>>());
            prop_assert_eq!(a.emphases().collect::<Vec<_>>(), c.emphases().collect::<Vec<_>>());
            lines.iter_mut().for_each(|line| line.end(&*ENGLISH));
        }
    }
}
