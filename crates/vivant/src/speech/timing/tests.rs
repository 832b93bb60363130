use super::klatt::{WordContext, lengths};
use super::*;
use crate::speech::phone::Phone;
use crate::speech::pronounce::{English, stress_of};
use crate::speech::score::{Ending, Score, Stress};
use crate::speech::text::{Reader, Text};
use crate::speech::viseme::Viseme;
use proptest::prelude::*;

fn phones(text: &str) -> Vec<(Phone, Stress)> {
    text.split(' ').map(|name| (Phone::arpabet(name).unwrap(), stress_of(name))).collect()
}

fn word(text: &str, from: f64, to: f64) -> TimedWord {
    TimedWord { text: text.into(), from, to }
}

fn line(text: &str) -> Score {
    score(&Text::read(text), &English::default(), &TimingOptions::default())
}

/// Asserts that entries are sorted, finite and do not overlap.
fn assert_is_in_order(score: &Score) {
    let segments: Vec<_> = score.segments.iter().map(|segment| (segment.from, segment.to)).collect();
    let words: Vec<_> = score.words.iter().map(|word| (word.from, word.to)).collect();
    let pauses: Vec<_> = score.pauses.iter().map(|pause| (pause.from, pause.to)).collect();
    for spans in [segments, words, pauses] {
        assert!(
            spans
                .iter()
                .all(|span| span.0.is_finite() && 0.0 <= span.0 && span.0 <= span.1 && span.1.is_finite()),
            "{spans:?}"
        );
        assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{spans:?}");
    }
}

/// Computed by hand from Klatt (1979), rules 2, 3, 9 and 11, with the durations of [`Phone`].
#[test]
fn durations_follow_klatts_rules() {
    let check = |names: &str, is_final: bool, is_emphatic: bool, place: usize, expected_ms: f64| {
        let phones = phones(names);
        let found = lengths(WordContext { phones: &phones, is_final, is_emphatic })[place].secs * 1000.0;
        assert!((found - expected_ms).abs() < 0.01, "{names} at {place}: {found}, expected {expected_ms}");
    };
    // "bed" before a pause: 1.4 by rule 2, 1.2 before a voiced stop.
    check("B EH1 D", true, false, 1, 70.0 + 80.0 * 1.4 * 1.2);
    // Not before a pause: 0.6 by rule 3, and rule 9 weakened to 0.7 + 0.3 × 1.2.
    check("B EH1 D", false, false, 1, 70.0 + 80.0 * 0.6 * 1.06);
    check("B EH1 D", false, true, 1, 70.0 + 80.0 * 0.6 * 1.06 * 1.4);
    // "pet": 25 ms of aspiration, 0.7 before a voiceless stop.
    check("P EH1 T", true, false, 1, 70.0 + 80.0 * 1.4 * 0.7 + 25.0);
    // The first consonant of a stressed syllable keeps its duration; the last one before a pause gets 1.4 × 0.85.
    check("B EH1 D", true, false, 0, 85.0);
    check("B EH1 D", true, false, 2, 50.0 + 25.0 * 1.4 * 0.85);
    // The weak vowel of "sofa", not before a pause: minimum halved, 0.6 × 0.8 × 0.7, 0.7 + 0.3 × 1.2 in an open
    // syllable.
    check("S OW1 F AH0", false, false, 3, 30.0 + 90.0 * 0.6 * 0.8 * 0.7 * 1.06);
    // A consonant between consonants is halved.
    check("T EH1 S T S", false, false, 3, 50.0 + 25.0 * 0.85 * 0.5);
}

#[test]
fn a_line_has_words_phonemes_and_pauses_in_order() {
    let score = line("Hello, my name is Ada. Who are you?");
    assert_is_in_order(&score);
    assert_eq!(score.words.len(), 8);
    let endings: Vec<_> = score.pauses.iter().map(|pause| pause.after).collect();
    assert_eq!(endings, [Ending::Phrase, Ending::Sentence, Ending::Question]);
    let secs: Vec<_> =
        score.pauses.iter().map(|pause| ((pause.to - pause.from) * 10.0).round() / 10.0).collect();
    assert_eq!(secs, [0.2, 0.5, 0.0], "the pause after the end is unknown");
    let spoken: f64 = score.segments.iter().map(|segment| segment.to - segment.from).sum();
    let per_minute = 8.0 / spoken * 60.0;
    assert!((100.0..260.0).contains(&per_minute), "{per_minute} words per minute");
}

#[test]
fn the_rate_scales_all_times() {
    let text = Text::read("One two three, four.");
    let slow = score(&text, &English::default(), &TimingOptions { rate: 0.5, ..TimingOptions::default() });
    let fast = score(&text, &English::default(), &TimingOptions { rate: 2.0, ..TimingOptions::default() });
    assert!((slow.secs() / fast.secs() - 4.0).abs() < 1e-9);
    let wild =
        score(&text, &English::default(), &TimingOptions { rate: f64::NAN, ..TimingOptions::default() });
    assert_eq!(wild, line("One two three, four."));
}

#[test]
fn words_keep_their_times_and_phonemes_fill_them() {
    let words = [word("Hello,", 0.1, 0.5), word("it's", 0.8, 1.0), word("$5.", 1.0, 1.9)];
    let (score, repairs) = score_in_words(&words, &English::default(), &TimingOptions::default());
    assert_eq!(repairs, []);
    assert_is_in_order(&score);
    assert_eq!(score.words.len(), 3);
    assert_eq!((score.segments[0].from, score.segments.last().unwrap().to), (0.1, 1.9));
    assert_eq!(
        score.pauses.iter().map(|pause| (pause.from, pause.to)).collect::<Vec<_>>(),
        [(0.5, 0.8), (1.9, 1.9)]
    );
    let last: Vec<_> = score
        .segments
        .iter()
        .filter(|segment| segment.from >= 1.0)
        .map(|segment| segment.phone.name())
        .collect();
    assert_eq!(last.join(" "), "F AY V D AA L ER Z");
}

#[test]
fn phonemes_keep_their_minimum_duration_if_possible() {
    let (score, _) =
        score_in_words(&[word("blinked", 0.0, 0.5)], &English::default(), &TimingOptions::default());
    for segment in &score.segments {
        assert!(segment.to - segment.from >= 0.5 * segment.phone.least_secs(), "{segment:?}");
    }
    let (score, _) =
        score_in_words(&[word("blinked", 0.0, 0.05)], &English::default(), &TimingOptions::default());
    assert!(score.segments.iter().all(|segment| segment.to > segment.from));
}

#[test]
fn invalid_times_are_repaired_and_reported() {
    use TimingIssue::*;
    let check = |spans: &[(f64, f64)], expected: &[(f64, f64)], issues: &[(usize, TimingIssue)]| {
        let words: Vec<_> = spans.iter().map(|span| word("go", span.0, span.1)).collect();
        let (score, repairs) = score_in_words(&words, &English::default(), &TimingOptions::default());
        assert_is_in_order(&score);
        assert_eq!(
            score.words.iter().map(|word| (word.from, word.to)).collect::<Vec<_>>(),
            expected,
            "{spans:?}"
        );
        assert_eq!(
            repairs.iter().map(|repair| (repair.index, repair.issue)).collect::<Vec<_>>(),
            issues,
            "{spans:?}"
        );
    };
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    check(&[(0.0, 1.0), (1.0, 2.0)], &[(0.0, 1.0), (1.0, 2.0)], &[]);
    check(&[(0.0, 1.0), (0.5, 2.0)], &[(0.0, 1.0), (1.0, 2.0)], &[(1, Overlap)]);
    check(&[(1.0, 2.0), (0.2, 0.4)], &[(1.0, 2.0), (2.0, 2.0)], &[(1, Overlap)]);
    check(&[(1.0, 0.5), (1.5, 2.0)], &[(1.0, 1.0), (1.5, 2.0)], &[(0, Backwards)]);
    check(&[(-1.0, 0.5)], &[(0.0, 0.5)], &[(0, Negative)]);
    check(&[(0.0, nan), (1.0, 2.0)], &[(0.0, 1.0), (1.0, 2.0)], &[(0, NotFinite)]);
    check(&[(0.5, 1.0), (nan, nan)], &[(0.5, 1.0), (1.0, 1.0)], &[(1, NotFinite)]);
    check(&[(0.0, inf)], &[(0.0, 0.0)], &[(0, NotFinite)]);
    check(&[(1e9, 1e9)], &[(1e6, 1e6)], &[(0, TooLate)]);
}

#[test]
fn timed_phonemes_and_visemes_are_kept() {
    let phone = |name: &str, from, to| TimedPhone {
        phone: Phone::arpabet(name).unwrap(),
        stress: Stress::None,
        from,
        to,
    };
    let given = [
        phone("SIL", 0.0, 0.2),
        phone("M", 0.2, 0.3),
        phone("AA", 0.3, 0.6),
        phone("SIL", 0.6, 1.0),
        phone("P", 1.0, 1.1),
    ];
    let (score, repairs) =
        score_of_phones(&given, &[word("ma", 0.2, 0.6), word("p", 1.0, 1.1)], &TimingOptions::default());
    assert_eq!(repairs, [vec![], vec![]]);
    assert_is_in_order(&score);
    assert_eq!((score.segments.len(), score.words.len(), score.pauses.len()), (3, 2, 2));
    let shapes = [
        (Viseme::azure(11).unwrap(), 0.0, 0.3),
        (&[Viseme::Pp][..], 0.3, 0.4),
        (&[Viseme::Sil][..], 0.4, 0.9),
    ];
    let shapes = shapes.map(|(visemes, from, to)| TimedViseme { visemes, from, to });
    let (score, _) = score_of_visemes(&shapes, &[], &TimingOptions::default());
    assert_eq!(score.segments.iter().map(|segment| segment.phone.name()).collect::<Vec<_>>(), ["AY", "P"]);
}

#[test]
fn every_viseme_has_a_phoneme() {
    for viseme in Viseme::ALL {
        assert_eq!(phone_of_visemes(&[viseme]).visemes(), [viseme], "{viseme:?}");
        assert_eq!(phone_of_visemes(&[viseme]).class(), viseme.class(), "{viseme:?}");
    }
    for id in 0..22 {
        let shapes = Viseme::azure(id).unwrap();
        assert_eq!(phone_of_visemes(shapes).visemes(), shapes, "{id}");
    }
}

/// Streams a text in pieces and returns the line; asserts that final words do not change.
fn streamed(text: &str, cuts: &[usize]) -> Score {
    let letters: Vec<char> = text.chars().collect();
    let english = English::default();
    let (mut reader, mut line) = (Reader::default(), Line::new(TimingOptions::default()));
    let mut from = 0;
    for cut in cuts {
        let to = (from + cut).min(letters.len());
        reader.push(&letters[from..to].iter().collect::<String>());
        let (kept, before) = (line.kept_words(), line.score().clone());
        line.update(reader.text(), &english);
        assert_eq!(before.words[..kept], line.score().words[..kept]);
        from = to;
    }
    reader.push(&letters[from..].iter().collect::<String>());
    line.update(&reader.finish(), &english);
    line.into_score()
}

proptest! {
    #[test]
    fn a_streamed_line_equals_a_complete_one(
        text in "(a |cat |sat\\. |on, |the |[0-9]{1,3} |mat\\? |\\[nod\\]|Dr\\. ){0,60}",
        cuts in proptest::collection::vec(0usize..12, 0..40),
    ) {
        prop_assert_eq!(streamed(&text, &cuts), line(&text));
    }

    #[test]
    fn any_times_give_a_sorted_line(times in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..12), near in proptest::collection::vec((-1.0f64..5.0, -1.0f64..5.0), 0..12)) {
        for spans in [times, near] {
            let words: Vec<_> = spans.iter().map(|span| word("mat", span.0, span.1)).collect();
            let (score, _) = score_in_words(&words, &English::default(), &TimingOptions::default());
            assert_is_in_order(&score);
            prop_assert_eq!(score.words.len(), words.len());
            let phones: Vec<_> = spans.iter().map(|span| TimedPhone { phone: Phone::arpabet("P").unwrap(), stress: Stress::None, from: span.0, to: span.1 }).collect();
            assert_is_in_order(&score_of_phones(&phones, &words, &TimingOptions::default()).0);
        }
    }
}

#[test]
fn updates_of_text_without_punctuation_stay_cheap() {
    let english = English::default();
    let (mut reader, mut line) = (Reader::default(), Line::new(TimingOptions::default()));
    for _ in 0..2000 {
        reader.push("word ");
        line.update(reader.text(), &english);
        assert!(line.score().words.len() - line.kept_words() <= 40);
    }
    assert_eq!(line.score().words.len(), 2000);
}
