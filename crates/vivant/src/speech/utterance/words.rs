//! The timed words of a line.
//!
//! Timed words may arrive before or after the text that contains them, in pieces, and may be corrected later.
//! `Words::take` adds a piece, and `Words::update` places all words that are not final and returns the part of the
//! score that has not changed, so that later stages repeat only the rest. Phonemes and phrase boundaries come from the
//! text where it is known, otherwise from the word itself. `pace` compares the durations of the last words with their
//! estimates.

use super::piece::Reading;
use super::times::{Timed, Times};
use super::{Context, Lens, lens, split_off, unchanged};
use crate::speech::phone::Phone;
use crate::speech::score::{Ending, Pause, Score, Stress, Word};
use crate::speech::text::Text;
use crate::speech::timing::klatt::{WordContext, lengths};
use crate::speech::timing::{Line, PhoneLength, TimingRepair, phones_of, place};
use std::ops::Range;

/// Number of words over which the pace is measured.
const PACED_WORDS: usize = 24;

/// State before a word: the number of spoken words of the text, and the size of the score.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    spoken: usize,
    lens: Lens,
}

/// Timed words and their part of the score: see [`score`](Self::score).
#[derive(Clone, Debug)]
pub(super) struct Words {
    times: Times<Reading>,
    /// The state before each placed word, and the state after the last word.
    marks: Vec<Mark>,
    /// Number of words whose placement is final.
    settled: usize,
    /// Index of the first final word that was placed before the text contained it.
    ahead_of_text: Option<usize>,
    score: Score,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            times: Times::default(),
            marks: vec![Mark::default()],
            settled: 0,
            ahead_of_text: None,
            score: Score::default(),
        }
    }
}

impl Words {
    pub(super) fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    pub(super) fn take(&mut self, piece: Vec<Timed<Reading>>) -> Vec<TimingRepair> {
        let (changed, repairs) = self.times.take(piece);
        // The previous word lasts until the next word, and there may be punctuation in between.
        let before = self.times[..changed].iter().rposition(|timed| !timed.what.is_silent()).unwrap_or(0);
        self.settled = self.settled.min(before);
        repairs
    }

    /// Returns words, phonemes and pauses up to the last timed word.
    pub(super) fn score(&self) -> &Score {
        &self.score
    }

    /// Returns the number of words of the text that have times.
    pub(super) fn spoken(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.spoken)
    }

    /// Returns the index in the score of the word with index `spoken` in the text.
    pub(super) fn word_of(&self, spoken: usize) -> Option<usize> {
        let place = self.marks.partition_point(|mark| mark.spoken <= spoken);
        self.marks.get(place).map(|_| self.marks[place - 1].lens[0])
    }

    /// Places the words that are not final. Returns the number of unchanged entries of the score.
    pub(super) fn update(&mut self, context: &Context<'_>) -> Lens {
        if let Some(place) = self.ahead_of_text
            && self.marks.get(place + 1).is_some_and(|mark| mark.spoken <= context.text.words.len())
        {
            self.settled = self.settled.min(place);
            self.ahead_of_text = None;
        }
        self.marks.truncate(self.settled + 1);
        let kept = self.marks[self.settled].lens;
        let before = split_off(&mut self.score, kept);
        for index in self.settled..self.times.len() {
            let is_settled = self.place(index, context);
            if is_settled && self.settled == index {
                self.settled += 1;
            }
        }
        unchanged(&self.score, kept, &before)
    }

    /// Places a word and returns true if its placement is final.
    fn place(&mut self, index: usize, context: &Context<'_>) -> bool {
        let before = self.marks[index].spoken;
        let timed = &self.times[index];
        let slot = before..before + timed.what.spoken.len();
        let later = &self.times[index + 1..];
        let next = later.iter().find(|timed| !timed.what.is_silent()).map(|timed| timed.from);
        let is_in_text = slot.end <= context.text.words.len();
        if !timed.what.is_silent() {
            let ending = if is_in_text { ending_in(context.text, slot.end) } else { self.own_ending(index) };
            let known = Known { timed: &self.times[index], slot: slot.clone(), is_in_text, next, ending };
            known.place(context, &mut self.score);
        }
        self.marks.push(Mark { spoken: slot.end, lens: lens(&self.score) });
        if !is_in_text {
            self.ahead_of_text.get_or_insert(index);
        }
        next.is_some() && (!is_in_text || context.is_whole || slot.end <= context.line.kept_words())
    }

    /// Returns the phrase boundary after a word from its own punctuation, or from punctuation with its own time.
    fn own_ending(&self, index: usize) -> Option<Ending> {
        let signs = self.times[index + 1..].iter().take_while(|timed| timed.what.is_silent());
        signs.map(|timed| timed.what.ending).fold(self.times[index].what.ending, Option::max)
    }

    /// Returns the pace of the last words relative to their estimated durations.
    pub(super) fn pace(&self, line: &Line) -> f64 {
        let estimates = &line.score().words;
        let (mut said, mut estimated) = (0.0, 0.0);
        for index in self.times.len().saturating_sub(PACED_WORDS)..self.times.len() {
            let [before, after] = [self.marks[index], self.marks[index + 1]];
            let has_end = self.times[index].end.is_some() || index + 1 < self.times.len();
            if !has_end || after.spoken == before.spoken || after.spoken > estimates.len() {
                continue;
            }
            let word = &self.score.words[before.lens[0]];
            said += word.to - word.from;
            estimated += estimates[after.spoken - 1].to - estimates[before.spoken].from;
        }
        super::pace(said, estimated)
    }
}

fn ending_in(text: &Text, after_words: usize) -> Option<Ending> {
    let place = text.stops.binary_search_by_key(&after_words, |stop| stop.after_words).ok()?;
    text.stops[place].is_end().then(|| text.stops[place].ending.unwrap_or(Ending::Phrase))
}

/// A spoken word and its surroundings.
struct Known<'a> {
    timed: &'a Timed<Reading>,
    /// Indices of the words of the text that belong to this timed word.
    slot: Range<usize>,
    is_in_text: bool,
    /// Start of the next word in seconds.
    next: Option<f64>,
    /// Phrase boundary after the word.
    ending: Option<Ending>,
}

impl Known<'_> {
    fn place(&self, context: &Context<'_>, score: &mut Score) {
        let from = self.timed.from;
        let usual = self.phonemes(self.ending.is_some(), context);
        let usual_secs: f64 = usual.iter().map(|phoneme| phoneme.2.secs).sum();
        let to = self.end(usual_secs / context.options.safe_rate(), context);
        let is_gap = self.next.is_some_and(|next| next - to >= context.options.least_gap_secs);
        let is_last = self.next.is_none() && context.is_whole && !self.is_in_text;
        let is_final = self.ending.is_some() || is_gap || is_last;
        let phonemes =
            if is_final == self.ending.is_some() { usual } else { self.phonemes(is_final, context) };
        score.words.push(Word {
            text: self.timed.what.text.clone(),
            from,
            to,
            emphasis: self.emphasis(context),
        });
        place(&phonemes, from, to, &mut score.segments);
        let after = self.ending.or(is_gap.then_some(Ending::Phrase)).or(is_last.then_some(Ending::Sentence));
        // After the last timed word, the following text determines the pause.
        if let Some(after) = after.filter(|_| self.next.is_some() || !self.is_in_text) {
            score.pauses.push(Pause { after, from: to, to: self.next.map_or(to, |next| next.max(to)) });
        }
    }

    /// Returns the end of the word: the given end, otherwise the start of the next word if there is no pause in
    /// between, otherwise the end by its usual duration.
    fn end(&self, usual_secs: f64, context: &Context<'_>) -> f64 {
        let from = self.timed.from;
        let usual = from + usual_secs;
        let longest = usual + usual_secs + context.options.least_gap_secs;
        match (self.timed.end, self.next) {
            (Some(end), next) => next.map_or(end, |next| end.min(next)).max(from),
            (None, Some(next)) if self.ending.is_none() && next <= longest => next,
            (None, Some(next)) => next.min(usual),
            (None, None) => usual,
        }
    }

    fn emphasis(&self, context: &Context<'_>) -> f32 {
        let spoken = if self.is_in_text {
            &context.text.words[self.slot.clone()]
        } else {
            &self.timed.what.spoken[..]
        };
        spoken.iter().map(|word| word.emphasis).fold(0.0, f32::max)
    }

    fn phonemes(&self, is_final: bool, context: &Context<'_>) -> Vec<PhoneLength> {
        let mut phonemes = Vec::new();
        for (place, index) in self.slot.clone().enumerate() {
            let own = &self.timed.what.spoken[place];
            let (phones, word): (Vec<(Phone, Stress)>, _) = if self.is_in_text {
                let phonemes = context.line.phonemes_of(index).iter();
                (
                    phonemes.map(|phoneme| (phoneme.phone, phoneme.stress)).collect(),
                    &context.text.words[index],
                )
            } else {
                (phones_of(own, context.language), own)
            };
            let is_final = is_final && index + 1 == self.slot.end;
            let lengths =
                lengths(WordContext { phones: &phones, is_final, is_emphatic: word.emphasis >= 1.0 });
            phonemes.extend(
                phones.into_iter().zip(lengths).map(|((phone, stress), length)| (phone, stress, length)),
            );
        }
        phonemes
    }
}
