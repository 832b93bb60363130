//! A line from words, sounds or mouth shapes whose times are known.

use super::TimingOptions;
use super::klatt::{Length, Sounding, lengths};
use super::line::{phones_of, shared};
use super::mend::{Mend, mend};
use crate::speech::phone::Phone;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Stress, Word};
use crate::speech::text::{Reader, Text};
use crate::speech::viseme::Viseme;

/// A word and when it is said, in seconds from the begin of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    /// As it is written, with its punctuation if that is known: it tells where sentences end.
    pub text: String,
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

/// A sound and when it is heard, in seconds from the begin of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedPhone {
    /// Which.
    pub phone: Phone,
    /// How strongly, if that is known.
    pub stress: Stress,
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

/// Mouth shapes that follow each other and when they are seen, in seconds from the begin of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedViseme {
    /// One, or the two of a diphthong.
    pub visemes: &'static [Viseme],
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

/// A line of words with times: each word's sounds share its time in proportion to the [rules](super::klatt), and no
/// sound gets shorter than it can as long as there is time. A gap of at least
/// [`least_gap_secs`](TimingOptions::least_gap_secs) is a pause.
#[must_use]
pub fn score_in_words(
    words: &[TimedWord],
    language: &dyn Pronounce,
    options: &TimingOptions,
) -> (Score, Vec<Mend>) {
    let mut spans: Vec<_> = words.iter().map(|word| (word.from, word.to)).collect();
    let mends = mend(&mut spans);
    let gaps = gaps(&spans, options);
    let (text, slots) = read(words, &gaps);
    let mut score = Score::default();
    for (index, word) in words.iter().enumerate() {
        let slot = slots[index]..slots[index + 1];
        let spoken = &text.words[slot.clone()];
        let emphasis = spoken.iter().map(|word| word.emphasis).fold(0.0, f32::max);
        let (from, to) = spans[index];
        score.words.push(Word { text: word.text.clone(), from, to, emphasis });
        let sounds = sounds(&text, slot, language);
        place(&sounds, from, to, &mut score.segments);
    }
    score.pauses = pauses(&text, &slots, &spans);
    (score, mends)
}

/// Which words have a pause behind them.
fn gaps(spans: &[(f64, f64)], options: &TimingOptions) -> Vec<bool> {
    let is_gap = |index: usize| {
        spans.get(index + 1).is_none_or(|next| next.0 - spans[index].1 >= options.least_gap_secs)
    };
    (0..spans.len()).map(is_gap).collect()
}

/// What of the words is spoken, and which spoken words belong to which: from the place at its index up to the next.
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

pub(in crate::speech) type Sound = (Phone, Stress, Length);

fn sounds(text: &Text, slot: std::ops::Range<usize>, language: &dyn Pronounce) -> Vec<Sound> {
    let mut sounds = Vec::new();
    for index in slot {
        let word = &text.words[index];
        let phones = phones_of(word, language);
        let is_final = text.stops.binary_search_by_key(&(index + 1), |stop| stop.after_words).is_ok();
        let lengths = lengths(Sounding { phones: &phones, is_final, is_emphatic: word.emphasis >= 1.0 });
        sounds
            .extend(phones.into_iter().zip(lengths).map(|((phone, stress), length)| (phone, stress, length)));
    }
    sounds
}

/// Lets sounds share a time.
pub(in crate::speech) fn place(sounds: &[Sound], from: f64, to: f64, segments: &mut Vec<Segment>) {
    if to <= from {
        return;
    }
    let lengths: Vec<_> = sounds.iter().map(|sound| sound.2).collect();
    let mut at = from;
    for (place, ((phone, stress, _), secs)) in sounds.iter().zip(shared(&lengths, to - from)).enumerate() {
        let end = if place + 1 == sounds.len() { to } else { (at + secs).min(to) };
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

/// A line of sounds with times, and of words if they are known too. Silences are left out: they are where nothing else
/// is. Of the two lists of mends the first is for the sounds.
#[must_use]
pub fn score_of_phones(
    phones: &[TimedPhone],
    words: &[TimedWord],
    options: &TimingOptions,
) -> (Score, [Vec<Mend>; 2]) {
    let mut spans: Vec<_> = phones.iter().map(|phone| (phone.from, phone.to)).collect();
    let phone_mends = mend(&mut spans);
    let (mut score, word_mends) = bare_words(words, options);
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
    (score, [phone_mends, word_mends])
}

/// Words and pauses without sounds.
fn bare_words(words: &[TimedWord], options: &TimingOptions) -> (Score, Vec<Mend>) {
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

/// A line of mouth shapes with times: each becomes a sound that has this shape.
#[must_use]
pub fn score_of_visemes(
    visemes: &[TimedViseme],
    words: &[TimedWord],
    options: &TimingOptions,
) -> (Score, [Vec<Mend>; 2]) {
    let phone = |timed: &TimedViseme| TimedPhone {
        phone: phone_of_visemes(timed.visemes),
        stress: Stress::None,
        from: timed.from,
        to: timed.to,
    };
    let phones: Vec<_> = visemes.iter().map(phone).collect();
    score_of_phones(&phones, words, options)
}

/// A sound that has these shapes, one after another; of an unknown pair the first.
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
