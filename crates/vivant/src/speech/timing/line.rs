//! A line from its text, whole or while the text streams in.

use super::TimingOptions;
use super::klatt::{Length, Sounding, lengths};
use crate::speech::phone::Phone;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Stress, Word};
use crate::speech::text::{Spoken, Stop, Text};

/// A phrase without an end is timed in parts of so many words, so that a text without punctuation costs no more.
const MOST_OPEN_WORDS: usize = 40;

/// The times of a whole text.
#[must_use]
pub fn score(text: &Text, language: &dyn Pronounce, options: &TimingOptions) -> Score {
    let mut line = Line::new(*options);
    line.update(text, language);
    line.into_score()
}

/// A line that grows with its text.
///
/// A word's times may change only while the phrase that it is in has no end; of a phrase longer than 40 words, only
/// while less than 40 follow. The pause behind the last word has no length until more words come, unless the text says
/// one.
#[derive(Clone, Debug, Default)]
pub struct Line {
    options: TimingOptions,
    score: Score,
    /// For each word how many sounds there are up to its end.
    sounds: Vec<usize>,
    /// What will not change any more: words, sounds, stops, and until when.
    kept: Kept,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    words: usize,
    segments: usize,
    pauses: usize,
    stops: usize,
    until: f64,
}

impl Line {
    /// An empty line.
    #[must_use]
    pub fn new(options: TimingOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The line as it is now.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// The line at its end.
    #[must_use]
    pub fn into_score(self) -> Score {
        self.score
    }

    /// How many words have times that stay.
    #[must_use]
    pub fn kept_words(&self) -> usize {
        self.kept.words
    }

    /// The sounds of a word.
    #[must_use]
    pub fn sounds_of(&self, word: usize) -> &[Segment] {
        &self.score.segments[self.sounds_before(word)..self.sounds[word]]
    }

    /// How many sounds there are before a word.
    pub(in crate::speech) fn sounds_before(&self, word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| self.sounds[before])
    }

    /// How many words, sounds and pauses stay as they are.
    pub(in crate::speech) fn kept(&self) -> [usize; 3] {
        [self.kept.words, self.kept.segments, self.kept.pauses]
    }

    /// Follows a text, which must be the same as before, or longer.
    pub fn update(&mut self, text: &Text, language: &dyn Pronounce) {
        self.score.words.truncate(self.kept.words);
        self.sounds.truncate(self.kept.words);
        self.score.segments.truncate(self.kept.segments);
        self.score.pauses.truncate(self.kept.pauses);
        let mut at = self.kept.until;
        let mut stops = text.stops[self.kept.stops.min(text.stops.len())..].iter().peekable();
        let mut stop_count = self.kept.stops;
        let mut from = self.kept.words;
        // A pause before the first word.
        while let Some(stop) = stops.next_if(|stop| stop.after_words <= from && from == 0) {
            at += stop.secs.unwrap_or(0.0).max(stop.stalled_secs);
            stop_count += 1;
            self.keep(at, stop_count);
        }
        while from < text.words.len() {
            let stop = stops.peek().copied();
            let end = stop.map_or(text.words.len(), |stop| stop.after_words.min(text.words.len()));
            let cut = end.min(from + MOST_OPEN_WORDS);
            let is_final = stop.is_some() && cut == end;
            // A word that others wait behind is said as if they were there.
            let is_last = is_final && stop.is_some_and(Stop::is_end);
            at = self.part(&text.words[from..cut], at, is_last, language);
            from = cut;
            if let Some(stop) = stop.filter(|_| is_final) {
                let has_more = from < text.words.len();
                at = self.pause(stop, at, has_more);
                stops.next();
                stop_count += 1;
                if has_more {
                    self.keep(at, stop_count);
                }
            } else if from < text.words.len() {
                self.keep(at, stop_count);
            }
        }
    }

    fn keep(&mut self, until: f64, stops: usize) {
        let Score { words, segments, pauses } = &self.score;
        self.kept = Kept { words: words.len(), segments: segments.len(), pauses: pauses.len(), stops, until };
    }

    /// Times words up to a stop; gives when they are said.
    fn part(&mut self, words: &[Spoken], mut at: f64, is_final: bool, language: &dyn Pronounce) -> f64 {
        for (place, word) in words.iter().enumerate() {
            let phones = phones_of(word, language);
            let is_last = is_final && place + 1 == words.len();
            let sounding = Sounding { phones: &phones, is_final: is_last, is_emphatic: word.emphasis >= 1.0 };
            let from = at;
            for (length, (phone, stress)) in lengths(sounding).into_iter().zip(&phones) {
                let to = at + length.secs / (self.options.safe_rate() * word.rate.max(0.01));
                self.score.segments.push(Segment {
                    phone: *phone,
                    stress: *stress,
                    from: at,
                    to,
                    loudness: 1.0,
                });
                at = to;
            }
            self.score.words.push(Word { text: word.text.clone(), from, to: at, emphasis: word.emphasis });
            self.sounds.push(self.score.segments.len());
        }
        at
    }

    fn pause(&mut self, stop: &Stop, at: f64, has_more: bool) -> f64 {
        let rate = self.options.safe_rate();
        let usual = match stop.ending {
            None => 0.0,
            Some(Ending::Phrase) => self.options.phrase_pause_secs.max(0.0) / rate,
            Some(Ending::Sentence | Ending::Question) => self.options.sentence_pause_secs.max(0.0) / rate,
        };
        let secs = stop.secs.unwrap_or(if has_more { usual } else { 0.0 });
        let to = at + secs.max(stop.stalled_secs);
        self.score.pauses.push(Pause { after: stop.ending.unwrap_or(Ending::Phrase), from: at, to });
        to
    }
}

/// The sounds of a word: what its writer said, or what the language says of each of its parts. Of several letters or words
/// in one the last has the stress.
pub(in crate::speech) fn phones_of(word: &Spoken, language: &dyn Pronounce) -> Vec<(Phone, Stress)> {
    if !word.phones.is_empty() {
        return word.phones.clone();
    }
    let mut phones = Vec::new();
    for part in word.say.split(' ') {
        for (_, stress) in &mut phones {
            *stress = Stress::min(*stress, Stress::Secondary);
        }
        language.pronounce(part, &mut phones);
    }
    phones
}

/// Shares a known time among sounds: what is over their least lengths in proportion to what the rules give over them;
/// where not even those fit, in proportion to them.
pub(super) fn shared(lengths: &[Length], secs: f64) -> Vec<f64> {
    let least: f64 = lengths.iter().map(|length| length.least_secs).sum();
    let over: f64 = lengths.iter().map(|length| length.secs - length.least_secs).sum();
    if secs <= least || over <= 0.0 {
        return lengths
            .iter()
            .map(|length| length.least_secs * secs / least.max(f64::MIN_POSITIVE))
            .collect();
    }
    let share = (secs - least) / over;
    lengths.iter().map(|length| length.least_secs + (length.secs - length.least_secs) * share).collect()
}
