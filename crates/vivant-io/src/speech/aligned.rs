//! Turns timed words and phonemes into a score.
//!
//! The readers of timed words and phonemes produce an [`Aligned`], so that repairs and warnings are the same for every
//! format. [`Aligned::score`] removes marks of the aligner, detects the alphabet of the phonemes, and returns the
//! [`Score`]. If a file has only words, the phonemes come from the pronunciation of the words. Impossible times are
//! repaired and unknown phonemes become silence, each with a warning; only a file without any labels is an error. Long
//! lists of equal warnings are cut to [`LISTED`] and a count.

use super::ReadOptions;
use super::sounds::{Alphabet, StressedPhone, is_silent};
use crate::eaf::text::quote;
use crate::error::{Error, Result, Warning, WarningCode};
use vivant::speech::timing::{
    TimedPhone, TimedWord, TimingIssue, TimingRepair, score_in_words, score_of_phones,
};
use vivant::speech::{Phone, Score, Stress};

/// Maximum number of warnings of one kind that are listed. Further warnings are only counted.
const LISTED: usize = 10;

/// A label with start and end in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) label: String,
}

/// The timed labels of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Aligned {
    pub(super) words: Vec<Interval>,
    pub(super) phones: Vec<Interval>,
}

impl Aligned {
    /// Converts to a score. Words without phonemes are pronounced.
    pub(super) fn score(self, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
        let words = words(&self.words, warnings);
        let phones = phones(&self.phones, warnings);
        if words.is_empty() && phones.iter().all(|phone| phone.phone.is_silence()) {
            let has_labels = !self.words.is_empty() || !self.phones.is_empty();
            return if has_labels { Ok(Score::default()) } else { Err(no_labels_error()) };
        }
        if phones.is_empty() {
            let (score, repairs) = score_in_words(&words, options.language, &options.timing);
            warn_about_repairs("word", &repairs, warnings);
            return Ok(score);
        }
        let (score, [phone_mends, word_mends]) = score_of_phones(&phones, &words, &options.timing);
        warn_about_repairs("phoneme", &phone_mends, warnings);
        warn_about_repairs("word", &word_mends, warnings);
        Ok(score)
    }
}

fn no_labels_error() -> Error {
    Error::new("the file has no words and no phonemes with times; export it with its labels")
}

/// Returns the spoken words: the first line of each label, without marks of the aligner.
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
        let message = format!("{lines} labels have several lines; only the first line is spoken");
        warnings.push(Warning::new(WarningCode::Dropped, "words", message));
    }
    words
}

/// Removes the variant number: `was(2)` is the second pronunciation of *was*.
fn without_variant(word: &str) -> &str {
    let bare = word.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    bare.filter(|(bare, digits)| {
        !bare.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })
    .map_or(word, |(bare, _)| bare)
}

/// Returns the phonemes, in the alphabet that knows most of the labels. A label of two phonemes gives each half of
/// its time.
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
    for label in unknown.iter().take(LISTED) {
        let message = format!(
            "{} is not a known phoneme of ARPAbet, IPA or X-SAMPA; it is treated as silence",
            quote(label)
        );
        warnings.push(Warning::new(WarningCode::Dropped, "phonemes", message));
    }
    warn_about_more(unknown.len(), "phonemes", "labels", warnings);
    phones
}

fn extend(sounds: &[StressedPhone], from: f64, to: f64, phones: &mut Vec<TimedPhone>) {
    let step = (to - from) / sounds.len().max(1) as f64;
    for (place, (phone, stress)) in sounds.iter().enumerate() {
        let end = if place + 1 == sounds.len() { to } else { from + step * (place + 1) as f64 };
        phones.push(TimedPhone { phone: *phone, stress: *stress, from: from + step * place as f64, to: end });
    }
}

fn warn_about_more(found: usize, place: &str, what: &str, warnings: &mut Vec<Warning>) {
    if found > LISTED {
        let message = format!("{} more {what} have the same problem", found - LISTED);
        warnings.push(Warning::new(WarningCode::Dropped, place, message));
    }
}

/// Adds warnings for repaired times.
pub(super) fn warn_about_repairs(what: &str, repairs: &[TimingRepair], warnings: &mut Vec<Warning>) {
    for repair in repairs.iter().take(LISTED) {
        let message = match repair.issue {
            TimingIssue::NotFinite => "the time is not a number; using the time of its neighbours",
            TimingIssue::Negative => "it starts before 0; moved to 0",
            TimingIssue::TooLate => "it is later than eleven days; moved to that time",
            TimingIssue::Overlap => "it starts before the previous one ends; moved to that end",
            TimingIssue::Backwards => "it ends before it starts; its duration is 0",
        };
        warnings.push(Warning::new(WarningCode::Repaired, format!("{what} {}", repair.index + 1), message));
    }
    if repairs.len() > LISTED {
        let message = format!("{} more times were repaired", repairs.len() - LISTED);
        warnings.push(Warning::new(WarningCode::Repaired, format!("{what}s"), message));
    }
}
