//! Lines from words, phonemes or visemes with known times.
//!
//! Speech engines report times at different levels: words, phonemes or visemes. Each of these becomes the same
//! [`Score`], so that mouth, gestures and gaze need only one input. [`score_in_words`] estimates the phonemes within
//! each word, [`score_of_phones`] takes them as given, and [`score_of_visemes`] chooses a phoneme for each viseme. All
//! times are in seconds from the start of the line. Invalid times are repaired, and the repairs are returned next to
//! the score. For a line that arrives in pieces, use an `Utterance`.

use super::TimingOptions;
use super::klatt::{Length, WordContext, lengths};
use super::line::{phones_of, shared};
use super::repair::{TimingRepair, repair};
use crate::speech::phone::Phone;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Stress, Word};
use crate::speech::text::{Reader, Text};
use crate::speech::viseme::Viseme;

/// A word with times in seconds from the start of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    /// The word as written, with its punctuation if known. Punctuation marks the ends of sentences.
    pub text: String,
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line.
    pub to: f64,
}

/// A phoneme with times in seconds from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedPhone {
    /// The phoneme.
    pub phone: Phone,
    /// Stress, if known.
    pub stress: Stress,
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line.
    pub to: f64,
}

/// A sequence of visemes with times in seconds from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedViseme {
    /// One viseme, or the two visemes of a diphthong.
    pub visemes: &'static [Viseme],
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line.
    pub to: f64,
}

/// Creates a line from timed words. The phonemes of a word share its time in proportion to the [rules](super::klatt)
/// and keep their minimum durations if possible. Gaps of at least [`least_gap_secs`](TimingOptions::least_gap_secs)
/// become pauses.
#[must_use]
pub fn score_in_words(
    words: &[TimedWord],
    language: &dyn Pronounce,
    options: &TimingOptions,
) -> (Score, Vec<TimingRepair>) {
    let mut spans: Vec<_> = words.iter().map(|word| (word.from, word.to)).collect();
    let repairs = repair(&mut spans);
    let gaps = gaps(&spans, options);
    let (text, slots) = read(words, &gaps);
    let mut score = Score::default();
    for (index, word) in words.iter().enumerate() {
        let slot = slots[index]..slots[index + 1];
        let spoken = &text.words[slot.clone()];
        let emphasis = spoken.iter().map(|word| word.emphasis).fold(0.0, f32::max);
        let (from, to) = spans[index];
        score.words.push(Word { text: word.text.clone(), from, to, emphasis });
        let phonemes = phonemes(&text, slot, language);
        place(&phonemes, from, to, &mut score.segments);
    }
    score.pauses = pauses(&text, &slots, &spans);
    (score, repairs)
}

/// Returns, for each word, true if a pause follows.
fn gaps(spans: &[(f64, f64)], options: &TimingOptions) -> Vec<bool> {
    let is_gap = |index: usize| {
        spans.get(index + 1).is_none_or(|next| next.0 - spans[index].1 >= options.least_gap_secs)
    };
    (0..spans.len()).map(is_gap).collect()
}

/// Returns the spoken text and, for each input word, the index of its first spoken word, with the total count at the
/// end.
fn read(words: &[TimedWord], gaps: &[bool]) -> (Text, Vec<usize>) {
    let mut reader = Reader::default();
    let mut slots = vec![0];
    for (word, is_gap) in words.iter().zip(gaps) {
        reader.push(&word.text);
        reader.flush();
        slots.push(reader.text().words.len());
        if *is_gap {
            reader.pause(Some(Ending::Phrase), None);
        }
    }
    (reader.finish(), slots)
}

pub(in crate::speech) type PhoneLength = (Phone, Stress, Length);

fn phonemes(text: &Text, slot: std::ops::Range<usize>, language: &dyn Pronounce) -> Vec<PhoneLength> {
    let mut phonemes = Vec::new();
    for index in slot {
        let word = &text.words[index];
        let phones = phones_of(word, language);
        let is_final = text.stops.binary_search_by_key(&(index + 1), |stop| stop.after_words).is_ok();
        let lengths = lengths(WordContext { phones: &phones, is_final, is_emphatic: word.emphasis >= 1.0 });
        phonemes
            .extend(phones.into_iter().zip(lengths).map(|((phone, stress), length)| (phone, stress, length)));
    }
    phonemes
}

/// Distributes the time from `from` to `to` over phonemes.
pub(in crate::speech) fn place(phonemes: &[PhoneLength], from: f64, to: f64, segments: &mut Vec<Segment>) {
    if to <= from {
        return;
    }
    let lengths: Vec<_> = phonemes.iter().map(|phoneme| phoneme.2).collect();
    let mut at = from;
    for (place, ((phone, stress, _), secs)) in phonemes.iter().zip(shared(&lengths, to - from)).enumerate() {
        let end = if place + 1 == phonemes.len() { to } else { (at + secs).min(to) };
        segments.push(Segment { phone: *phone, stress: *stress, from: at, to: end, loudness: 1.0 });
        at = end;
    }
}

fn pauses(text: &Text, slots: &[usize], spans: &[(f64, f64)]) -> Vec<Pause> {
    let pause = |stop: &crate::speech::text::Stop| {
        let index = slots.partition_point(|slot| *slot < stop.after_words).checked_sub(1)?;
        let from = spans.get(index)?.1;
        let to = spans.get(index + 1).map_or(from, |next| next.0);
        Some(Pause { after: stop.ending.unwrap_or(Ending::Phrase), from, to })
    };
    text.stops.iter().filter_map(pause).collect()
}

/// Creates a line from timed phonemes, and timed words if known. Silences are omitted. The first list of repairs is
/// for the phonemes, the second for the words.
#[must_use]
pub fn score_of_phones(
    phones: &[TimedPhone],
    words: &[TimedWord],
    options: &TimingOptions,
) -> (Score, [Vec<TimingRepair>; 2]) {
    let mut spans: Vec<_> = phones.iter().map(|phone| (phone.from, phone.to)).collect();
    let phone_repairs = repair(&mut spans);
    let (mut score, word_repairs) = bare_words(words, options);
    for (phone, (from, to)) in phones.iter().zip(spans) {
        if to > from && !phone.phone.is_silence() {
            score.segments.push(Segment {
                phone: phone.phone,
                stress: phone.stress,
                from,
                to,
                loudness: 1.0,
            });
        }
    }
    if words.is_empty() {
        score.pauses = pauses_between(&score.segments, options);
    }
    (score, [phone_repairs, word_repairs])
}

/// Creates words and pauses without phonemes.
fn bare_words(words: &[TimedWord], options: &TimingOptions) -> (Score, Vec<TimingRepair>) {
    struct Mute;
    impl Pronounce for Mute {
        fn pronounce(&self, _: &str, _: &mut Vec<(Phone, Stress)>) -> bool {
            false
        }
    }
    score_in_words(words, &Mute, options)
}

fn pauses_between(segments: &[Segment], options: &TimingOptions) -> Vec<Pause> {
    let gap = |pair: &[Segment]| {
        let (from, to) = (pair[0].to, pair[1].from);
        (to - from >= options.least_gap_secs).then_some(Pause { after: Ending::Phrase, from, to })
    };
    let last = segments.last().map(|last| Pause { after: Ending::Sentence, from: last.to, to: last.to });
    segments.windows(2).filter_map(gap).chain(last).collect()
}

/// Creates a line from timed visemes. Each viseme becomes a phoneme with this viseme.
#[must_use]
pub fn score_of_visemes(
    visemes: &[TimedViseme],
    words: &[TimedWord],
    options: &TimingOptions,
) -> (Score, [Vec<TimingRepair>; 2]) {
    let phone = |timed: &TimedViseme| TimedPhone {
        phone: phone_of_visemes(timed.visemes),
        stress: Stress::None,
        from: timed.from,
        to: timed.to,
    };
    let phones: Vec<_> = visemes.iter().map(phone).collect();
    score_of_phones(&phones, words, options)
}

/// Returns a phoneme with the given sequence of visemes. For an unknown pair, the first viseme decides.
#[must_use]
pub fn phone_of_visemes(visemes: &[Viseme]) -> Phone {
    let chosen = match visemes {
        [] => "SIL",
        [Viseme::Aa] => "AA",
        [Viseme::Ou] => "UW",
        [Viseme::Ih] => "IH",
        [Viseme::E] => "EH",
        [Viseme::Rr] => "R",
        [Viseme::Nn] => "N",
        [Viseme::Ch] => "SH",
        [Viseme::Dd] => "D",
        _ => "",
    };
    Phone::arpabet(chosen)
        .filter(|_| !chosen.is_empty())
        .or_else(|| Phone::all().find(|phone| phone.visemes() == visemes))
        .or_else(|| visemes.split_last().map(|(_, first)| phone_of_visemes(first)))
        .unwrap_or(Phone::SILENCE)
}
