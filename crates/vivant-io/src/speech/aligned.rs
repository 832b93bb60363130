//! Words and sounds with times, as files have them, on the way to a score.

use super::ReadOptions;
use super::sounds::{Alphabet, Said, is_silent};
use crate::eaf::text::shown;
use crate::error::{Error, Result, Warning, WarningCode};
use vivant::speech::timing::{Mend, TimedPhone, TimedWord, TimingFault, score_in_words, score_of_phones};
use vivant::speech::{Phone, Score, Stress};

/// So many warnings of one kind are told; the rest is counted.
const TOLD: usize = 10;

/// A label and its time, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) label: String,
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Aligned {
    pub(super) words: Vec<Interval>,
    pub(super) phones: Vec<Interval>,
}

impl Aligned {
    /// As a score; what has no sounds is pronounced.
    pub(super) fn score(self, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
        let words = words(&self.words, warnings);
        let phones = phones(&self.phones, warnings);
        if words.is_empty() && phones.iter().all(|phone| phone.phone.is_silence()) {
            let has_labels = !self.words.is_empty() || !self.phones.is_empty();
            return if has_labels { Ok(Score::default()) } else { Err(nothing()) };
        }
        if phones.is_empty() {
            let (score, mends) = score_in_words(&words, options.language, &options.timing);
            tell("word", &mends, warnings);
            return Ok(score);
        }
        let (score, [phone_mends, word_mends]) = score_of_phones(&phones, &words, &options.timing);
        tell("sound", &phone_mends, warnings);
        tell("word", &word_mends, warnings);
        Ok(score)
    }
}

fn nothing() -> Error {
    Error::new("there are no words and no sounds with times in this file")
}

/// The words that are said: the first line of each label, without marks of the aligner.
fn words(intervals: &[Interval], warnings: &mut Vec<Warning>) -> Vec<TimedWord> {
    let mut lines = 0;
    let mut words = Vec::new();
    for Interval { from, to, label } in intervals {
        let mut each = label.trim().lines();
        let text = without_variant(each.next().unwrap_or_default().trim());
        lines += usize::from(each.next().is_some());
        if !is_silent(text) {
            words.push(TimedWord { text: text.to_owned(), from: *from, to: *to });
        }
    }
    if lines > 0 {
        let message = format!("{lines} labels have several lines, of which the first is spoken");
        warnings.push(Warning::new(WarningCode::Dropped, "words", message));
    }
    words
}

/// `was(2)` is the second way to say *was*.
fn without_variant(word: &str) -> &str {
    let bare = word.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    bare.filter(|(bare, digits)| {
        !bare.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })
    .map_or(word, |(bare, _)| bare)
}

/// The sounds, in the alphabet that knows most of them. A label of two sounds gives each half of its time.
fn phones(intervals: &[Interval], warnings: &mut Vec<Warning>) -> Vec<TimedPhone> {
    let alphabet = Alphabet::of(intervals.iter().map(|interval| interval.label.as_str()));
    let mut phones = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    for Interval { from, to, label } in intervals {
        let sounds = alphabet.sounds(label).unwrap_or_else(|| {
            unknown.push(label);
            vec![(Phone::SILENCE, Stress::None)]
        });
        extend(&sounds, *from, *to, &mut phones);
    }
    unknown.sort_unstable();
    unknown.dedup();
    for label in unknown.iter().take(TOLD) {
        let message =
            format!("{} is no sound of ARPAbet, IPA or X-SAMPA that is known; it is silent", shown(label));
        warnings.push(Warning::new(WarningCode::Dropped, "sounds", message));
    }
    more(unknown.len(), "sounds", "labels", warnings);
    phones
}

fn extend(sounds: &[Said], from: f64, to: f64, phones: &mut Vec<TimedPhone>) {
    let step = (to - from) / sounds.len().max(1) as f64;
    for (place, (phone, stress)) in sounds.iter().enumerate() {
        let end = if place + 1 == sounds.len() { to } else { from + step * (place + 1) as f64 };
        phones.push(TimedPhone { phone: *phone, stress: *stress, from: from + step * place as f64, to: end });
    }
}

fn more(found: usize, place: &str, what: &str, warnings: &mut Vec<Warning>) {
    if found > TOLD {
        let message = format!("and {} more {what} like these", found - TOLD);
        warnings.push(Warning::new(WarningCode::Dropped, place, message));
    }
}

/// Tells of times that were mended.
pub(super) fn tell(what: &str, mends: &[Mend], warnings: &mut Vec<Warning>) {
    for mend in mends.iter().take(TOLD) {
        let message = match mend.fault {
            TimingFault::NoNumber => "has a time that is no number; it takes that of its neighbours",
            TimingFault::Negative => "begins before 0; it begins there",
            TimingFault::TooLate => "is later than eleven days; it is put there",
            TimingFault::Overlap => "begins before the one before it ends; it begins there",
            TimingFault::Backwards => "ends before it begins; it takes no time",
        };
        warnings.push(Warning::new(WarningCode::Repaired, format!("{what} {}", mend.index + 1), message));
    }
    if mends.len() > TOLD {
        let message = format!("and {} more times were mended", mends.len() - TOLD);
        warnings.push(Warning::new(WarningCode::Repaired, format!("{what}s"), message));
    }
}
