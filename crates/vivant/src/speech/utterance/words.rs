//! The words of a line whose times are known.

use super::piece::Reading;
use super::times::{Timed, Times};
use super::{Context, Lens, lens, split_off, unchanged};
use crate::speech::phone::Phone;
use crate::speech::score::{Ending, Pause, Score, Stress, Word};
use crate::speech::text::Text;
use crate::speech::timing::klatt::{Sounding, lengths};
use crate::speech::timing::{Line, Mend, Sound, phones_of, place};
use std::ops::Range;

/// Words over which a pace is taken.
const PACED_WORDS: usize = 24;

/// What is known before a word: how many words of the text are spoken by then, and how much of the score there is.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    spoken: usize,
    lens: Lens,
}

/// Words with times, and what they make of the text: see [`score`](Self::score).
#[derive(Clone, Debug)]
pub(super) struct Words {
    times: Times<Reading>,
    /// Before each word that is placed, and behind the last.
    marks: Vec<Mark>,
    /// How many words stay as they are placed.
    settled: usize,
    /// The first of those that was placed before the text had it.
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

    pub(super) fn take(&mut self, piece: Vec<Timed<Reading>>) -> Vec<Mend> {
        let (changed, mends) = self.times.take(piece);
        // The word before goes on until the next, which may be behind punctuation.
        let before = self.times[..changed].iter().rposition(|timed| !timed.what.is_mute()).unwrap_or(0);
        self.settled = self.settled.min(before);
        mends
    }

    /// Words, sounds and pauses up to the last word with a time.
    pub(super) fn score(&self) -> &Score {
        &self.score
    }

    /// How many words of the text have times.
    pub(super) fn spoken(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.spoken)
    }

    /// Which word of the score a word of the text is.
    pub(super) fn word_of(&self, spoken: usize) -> Option<usize> {
        let place = self.marks.partition_point(|mark| mark.spoken <= spoken);
        self.marks.get(place).map(|_| self.marks[place - 1].lens[0])
    }

    /// Places what is not settled. Gives how much of the score is as before.
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

    /// Places a word. Gives whether it stays so.
    fn place(&mut self, index: usize, context: &Context<'_>) -> bool {
        let before = self.marks[index].spoken;
        let timed = &self.times[index];
        let slot = before..before + timed.what.spoken.len();
        let behind = &self.times[index + 1..];
        let next = behind.iter().find(|timed| !timed.what.is_mute()).map(|timed| timed.from);
        let is_in_text = slot.end <= context.text.words.len();
        if !timed.what.is_mute() {
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

    /// What ends behind a word by its own signs, or by those that have a time of their own.
    fn own_ending(&self, index: usize) -> Option<Ending> {
        let signs = self.times[index + 1..].iter().take_while(|timed| timed.what.is_mute());
        signs.map(|timed| timed.what.ending).fold(self.times[index].what.ending, Option::max)
    }

    /// How long the last words took against what the rules say.
    pub(super) fn pace(&self, line: &Line) -> f64 {
        let estimates = &line.score().words;
        let (mut said, mut estimated) = (0.0, 0.0);
        for index in self.times.len().saturating_sub(PACED_WORDS)..self.times.len() {
            let [before, behind] = [self.marks[index], self.marks[index + 1]];
            let has_end = self.times[index].end.is_some() || index + 1 < self.times.len();
            if !has_end || behind.spoken == before.spoken || behind.spoken > estimates.len() {
                continue;
            }
            let word = &self.score.words[before.lens[0]];
            said += word.to - word.from;
            estimated += estimates[behind.spoken - 1].to - estimates[before.spoken].from;
        }
        super::pace(said, estimated)
    }
}

fn ending_in(text: &Text, after_words: usize) -> Option<Ending> {
    let place = text.stops.binary_search_by_key(&after_words, |stop| stop.after_words).ok()?;
    text.stops[place].is_end().then(|| text.stops[place].ending.unwrap_or(Ending::Phrase))
}

/// A word that is spoken, and what is around it.
struct Known<'a> {
    timed: &'a Timed<Reading>,
    /// Its words of the text.
    slot: Range<usize>,
    is_in_text: bool,
    /// When the next begins.
    next: Option<f64>,
    /// What ends behind it.
    ending: Option<Ending>,
}

impl Known<'_> {
    fn place(&self, context: &Context<'_>, score: &mut Score) {
        let from = self.timed.from;
        let usual = self.sounds(self.ending.is_some(), context);
        let usual_secs: f64 = usual.iter().map(|sound| sound.2.secs).sum();
        let to = self.end(usual_secs / context.options.safe_rate(), context);
        let is_gap = self.next.is_some_and(|next| next - to >= context.options.least_gap_secs);
        let is_last = self.next.is_none() && context.is_whole && !self.is_in_text;
        let is_final = self.ending.is_some() || is_gap || is_last;
        let sounds = if is_final == self.ending.is_some() { usual } else { self.sounds(is_final, context) };
        score.words.push(Word {
            text: self.timed.what.text.clone(),
            from,
            to,
            emphasis: self.emphasis(context),
        });
        place(&sounds, from, to, &mut score.segments);
        let after = self.ending.or(is_gap.then_some(Ending::Phrase)).or(is_last.then_some(Ending::Sentence));
        // Behind the last word with a time the text goes on, and says which pause there is.
        if let Some(after) = after.filter(|_| self.next.is_some() || !self.is_in_text) {
            score.pauses.push(Pause { after, from: to, to: self.next.map_or(to, |next| next.max(to)) });
        }
    }

    /// When it ends: as told; or when the next begins, if there is no pause between them; or as usual.
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

    fn sounds(&self, is_final: bool, context: &Context<'_>) -> Vec<Sound> {
        let mut sounds = Vec::new();
        for (place, index) in self.slot.clone().enumerate() {
            let own = &self.timed.what.spoken[place];
            let (phones, word): (Vec<(Phone, Stress)>, _) = if self.is_in_text {
                let sounds = context.line.sounds_of(index).iter();
                (sounds.map(|sound| (sound.phone, sound.stress)).collect(), &context.text.words[index])
            } else {
                (phones_of(own, context.language), own)
            };
            let is_final = is_final && index + 1 == self.slot.end;
            let lengths = lengths(Sounding { phones: &phones, is_final, is_emphatic: word.emphasis >= 1.0 });
            sounds.extend(
                phones.into_iter().zip(lengths).map(|((phone, stress), length)| (phone, stress, length)),
            );
        }
        sounds
    }
}
