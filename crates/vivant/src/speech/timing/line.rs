//! Timing of a line from its text, complete or streaming.
//!
//! A character must start to speak before the whole text is known. [`Line::update`] therefore accepts a growing text
//! and estimates only the part that may still change; [`Line::kept_words`] counts the words whose times are final.
//! [`score`] does the same for a complete text in one call. The durations are estimates by Klatt's rules and match no
//! particular voice: if the times of words or phonemes are known, use the functions in `timed`. `shared` distributes a
//! known duration over phonemes.

use super::TimingOptions;
use super::klatt::{Length, WordContext, lengths};
use crate::speech::phone::Phone;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Stress, Word};
use crate::speech::text::{SpokenWord, Stop, Text};

/// Number of words after which a phrase without an end is timed in parts, so that updates of a text without punctuation
/// stay fast.
const MAX_OPEN_WORDS: usize = 40;

/// Estimates the times of all words, phonemes and pauses of a complete text.
#[must_use]
pub fn score(text: &Text, language: &dyn Pronounce, options: &TimingOptions) -> Score {
    let mut line = Line::new(*options);
    line.update(text, language);
    line.into_score()
}

/// A line that grows with its text.
///
/// Times of a word may change only while its phrase has no end. In a phrase of more than 40 words, the times of a word
/// may change only while fewer than 40 words follow it. The pause after the last word is zero until more words arrive,
/// unless the text specifies a pause.
#[derive(Clone, Debug, Default)]
pub struct Line {
    options: TimingOptions,
    score: Score,
    /// For each word, the number of phonemes up to its end.
    phonemes: Vec<usize>,
    /// The part that will not change any more: words, phonemes, stops, and the end time of this part.
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
    /// Creates an empty line.
    #[must_use]
    pub fn new(options: TimingOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Returns the words, phonemes and pauses so far, with their times.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Converts the line to its score.
    #[must_use]
    pub fn into_score(self) -> Score {
        self.score
    }

    /// Returns the number of words whose times are final.
    #[must_use]
    pub fn kept_words(&self) -> usize {
        self.kept.words
    }

    /// Returns the phonemes of the word with index `word`.
    #[must_use]
    pub fn phonemes_of(&self, word: usize) -> &[Segment] {
        &self.score.segments[self.phonemes_before(word)..self.phonemes[word]]
    }

    /// Returns the number of phonemes before the word with index `word`.
    pub(in crate::speech) fn phonemes_before(&self, word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| self.phonemes[before])
    }

    /// Returns the numbers of words, phonemes and pauses that are final.
    pub(in crate::speech) fn kept(&self) -> [usize; 3] {
        [self.kept.words, self.kept.segments, self.kept.pauses]
    }

    /// Updates the line. The text must start with the text of the previous call.
    pub fn update(&mut self, text: &Text, language: &dyn Pronounce) {
        self.score.words.truncate(self.kept.words);
        self.phonemes.truncate(self.kept.words);
        self.score.segments.truncate(self.kept.segments);
        self.score.pauses.truncate(self.kept.pauses);
        let mut at = self.kept.until;
        let mut stops = text.stops[self.kept.stops.min(text.stops.len())..].iter().peekable();
        let mut stop_count = self.kept.stops;
        let mut from = self.kept.words;
        // Handles pauses before the first word.
        while let Some(stop) = stops.next_if(|stop| stop.after_words <= from && from == 0) {
            at += stop.secs.unwrap_or(0.0).max(stop.stalled_secs);
            stop_count += 1;
            self.keep(at, stop_count);
        }
        while from < text.words.len() {
            let stop = stops.peek().copied();
            let end = stop.map_or(text.words.len(), |stop| stop.after_words.min(text.words.len()));
            let cut = end.min(from + MAX_OPEN_WORDS);
            let is_final = stop.is_some() && cut == end;
            // A word before a stall in streaming is timed as if the next words had already arrived.
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

    /// Adds the given words, which start at `at` and end before a stop, and returns their end time.
    fn part(&mut self, words: &[SpokenWord], mut at: f64, is_final: bool, language: &dyn Pronounce) -> f64 {
        for (place, word) in words.iter().enumerate() {
            let phones = phones_of(word, language);
            let is_last = is_final && place + 1 == words.len();
            let context =
                WordContext { phones: &phones, is_final: is_last, is_emphatic: word.emphasis >= 1.0 };
            let from = at;
            for (length, (phone, stress)) in lengths(context).into_iter().zip(&phones) {
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
            self.phonemes.push(self.score.segments.len());
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

/// Returns the phonemes of a word: the phonemes given in the text, otherwise the pronunciation of each of its parts. If
/// a word has several parts, the last part carries the primary stress.
pub(in crate::speech) fn phones_of(word: &SpokenWord, language: &dyn Pronounce) -> Vec<(Phone, Stress)> {
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

/// Distributes a known duration over phonemes. Each phoneme gets its minimum duration; the rest is shared in
/// proportion to the time by which the rules exceed each minimum. If the duration is shorter than the sum of the
/// minimum durations, it is shared in proportion to the minimum durations.
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
