//! Forced alignment: finds the words of a text in audio.
//!
//! The text gives the order of phonemes, and the evidence gives the likelihood of each viseme every 10 ms. Viterbi's
//! algorithm finds the path that fits both best. There is a state for each frame of each viseme of each phoneme, and
//! before each word an optional silence. A viseme may be left after any frame; the cost grows with the square of the
//! logarithm of its duration relative to the estimate, so half the duration is as unlikely as twice the duration.
//!
//! Audio and text stream in. The processing of a frame is final once all states that the frame can reach are final, so
//! the order of arrival does not matter. Later frames are processed provisionally. Every 10 s, the path is fixed up to
//! 10 s before the current frame, and other paths are dropped. So time and memory are proportional to the length of the
//! speech.

use super::{Context, Lens, lens, split_off, unchanged};
use crate::math;
use crate::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC, LipSyncFrame, VISEMES};
use crate::speech::score::{Ending, Pause, Score, Segment, Word};
use crate::speech::text::Text;
use crate::speech::viseme::Viseme;
use std::collections::VecDeque;

/// Cost of each viseme in a frame, in eighths of a neper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evidence([u8; VISEMES]);

/// Cost units per neper.
const UNIT: f64 = 8.0;
/// Minimum likelihood of a viseme, because the classifier can be wrong.
const MIN_LIKELIHOOD: f32 = 0.02;
/// Weight of the viseme itself in the evidence; the rest is the weight of its class.
const VISEME_WEIGHT: f32 = 0.8;
/// Cost of a phoneme with a different viseme, if phonemes are known.
const OTHER: u8 = 40;
/// Cost of a phoneme with a different viseme of the same class, if phonemes are known.
const SAME_CLASS: u8 = 12;

impl Evidence {
    pub(super) const SILENCE: Self = {
        let mut costs = [OTHER; VISEMES];
        costs[0] = 0;
        Self(costs)
    };

    /// Returns the evidence of a frame. The evidence of a viseme is mostly its own weight, and to a smaller part the
    /// weight of its class, because the classifier is less certain within a class.
    pub(super) fn of_frame(frame: &LipSyncFrame) -> Self {
        let likely = |viseme: Viseme| {
            let (own, class) = (frame.visemes[viseme as usize], frame.class[viseme.class() as usize]);
            (VISEME_WEIGHT * own + (1.0 - VISEME_WEIGHT) * class).max(MIN_LIKELIHOOD)
        };
        Self(
            Viseme::ALL
                .map(|viseme| (-math::ln32(likely(viseme)) * UNIT as f32 + 0.5).clamp(0.0, 255.0) as u8),
        )
    }

    /// Returns the evidence for the viseme of a phoneme at the time `at`.
    pub(super) fn of_phoneme(phoneme: &Segment, at: f64) -> Self {
        let shapes = phoneme.phone.visemes();
        let part = (at - phoneme.from) / (phoneme.to - phoneme.from) * shapes.len() as f64;
        let shape = shapes[(part.max(0.0) as usize).min(shapes.len() - 1)];
        let cost = |viseme: Viseme| match viseme {
            _ if viseme == shape => 0,
            _ if viseme.class() == shape.class() => SAME_CLASS,
            _ => OTHER,
        };
        Self(Viseme::ALL.map(cost))
    }
}

/// Number of states that are searched ahead of the best state: about 10 s.
const AHEAD: usize = 2400;
/// Number of states that are searched behind the best state: about 3 s.
const BEHIND: usize = 800;
/// Weight of durations. Tuned on two recordings.
const DURATION_WEIGHT: f64 = 3.0;
/// Cost of each frame beyond the longest duration. Tuned on two recordings.
const HOLD_COST: u16 = 4;
/// Longest duration of a viseme, relative to its estimate.
const LONGEST: f64 = 2.5;
/// Longest duration of a viseme in frames.
const MAX_STATES: usize = 40;
/// Frames after which a path is fixed. Some voices need this much time: with 2 s instead of 10 s, the alignment of one
/// of five recordings was lost after a pause.
const LAG: usize = 1000;
/// Maximum number of provisional frames: one minute.
const MAX_PROVISIONAL: usize = 6000;
/// Cost of a silence at punctuation.
const PAUSE_AT_STOP: u16 = 8;
/// Cost of a silence without punctuation.
const PAUSE_ELSEWHERE: u16 = 32;
/// Maximum duration of text that may be left at the end of the audio if the whole text counts as spoken, as a fraction
/// of the duration of the audio. The larger of this limit and `LEFT_OVER_SECS` applies.
const LEFT_OVER: f64 = 0.25;
/// The same limit as `LEFT_OVER`, in seconds.
const LEFT_OVER_SECS: f64 = 1.5;

const NOT_ENTERED: u32 = u32::MAX;
const IMPOSSIBLE: u32 = 1 << 30;

/// One frame of a viseme, or a silence of any duration.
#[derive(Clone, Copy, Debug)]
struct State {
    viseme: Viseme,
    is_pause: bool,
    /// Cost of entering the state.
    enter: u16,
    /// Cost of staying in the state.
    stay: u16,
    /// Cost of continuing with the next viseme.
    leave: u16,
    /// Number of states of the previous viseme from which this state can be entered; 0 within a viseme.
    before: u8,
    /// Number of earlier states that can be entered from more than one state.
    choices: u32,
}

/// Marks a transition that is not allowed.
const FORBIDDEN: u16 = u16::MAX;

impl State {
    /// Returns true if the state can be entered from more than one state.
    fn is_choice(&self) -> bool {
        self.is_pause || self.before > 0 || self.stay != FORBIDDEN
    }

    fn pause(is_at_stop: bool, before: u8) -> Self {
        let enter = if is_at_stop { PAUSE_AT_STOP } else { PAUSE_ELSEWHERE };
        Self { viseme: Viseme::Sil, is_pause: true, enter, stay: 0, leave: 0, before, choices: 0 }
    }

    /// Returns the states of a viseme with the expected duration `secs`: one state for each frame.
    fn shape(viseme: Viseme, secs: f64, before: u8) -> impl Iterator<Item = Self> {
        let count = count_of(secs);
        let expected = (secs * FRAMES_PER_SEC).max(1.0);
        // The square of the logarithm: a third of the duration is as unlikely as three times the duration.
        let cost = move |frames: usize| {
            let off = math::ln(frames as f64 / expected);
            (UNIT * DURATION_WEIGHT * off * off + 0.5) as u16
        };
        (1..=count).map(move |frames| {
            let is_late = frames as f64 > expected;
            Self {
                viseme,
                is_pause: false,
                enter: if is_late && frames > 1 {
                    cost(frames).saturating_sub(cost(frames - 1).min(cost(frames)))
                } else {
                    0
                },
                stay: if frames == count { HOLD_COST } else { FORBIDDEN },
                leave: if is_late { 0 } else { cost(frames) },
                before: if frames == 1 { before } else { 0 },
                choices: 0,
            }
        })
    }
}

/// Returns the number of states of a viseme with the expected duration `secs`.
fn count_of(secs: f64) -> usize {
    ((secs * FRAMES_PER_SEC * LONGEST) as usize + 4).min(MAX_STATES)
}

/// Returns the number of states of a phoneme.
fn count_of_phoneme(phoneme: &Segment) -> usize {
    let shapes = phoneme.phone.visemes().len();
    shapes * count_of((phoneme.to - phoneme.from) / shapes as f64)
}

/// The alignment of a text as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Aligner {
    states: Vec<State>,
    /// For each word, its first state and the number of its states.
    places: Vec<(usize, usize)>,
    /// Number of words that are final.
    fixed_words: usize,
    /// Number of states that are final.
    fixed_states: usize,
    /// Number of states of the last viseme.
    last_count: u8,
    /// Number of states of the last final viseme.
    fixed_count: u8,
    search: Search,
    /// The search before provisional frames were processed.
    trial: Option<Search>,
    /// Text of that search, identified by its counts and its duration.
    text: ([usize; 4], f64),
    /// The frame in which each state was entered, for the fixed part of the path.
    entries: Vec<u32>,
    score: Score,
    /// Number of words in the fixed part of the score.
    settled: usize,
    /// Numbers of entries in the fixed part of the score.
    settled_lens: Lens,
    /// Result of the last update.
    found: Found,
}

/// Result of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found {
    /// Number of words that have started.
    pub(super) words: usize,
    /// Earliest start of the next word in seconds.
    pub(super) not_before: f64,
    /// End of the known times in seconds.
    pub(super) until: f64,
}

/// The search: costs of the states after the last frame, and the paths that lead to them.
#[derive(Clone, Debug, Default)]
struct Search {
    costs: Vec<u32>,
    /// For each state, the state of its path at the mark.
    origins: Vec<u32>,
    low: usize,
    high: usize,
    best: usize,
    /// Number of processed frames.
    taken: usize,
    /// Number of fixed frames.
    settled: usize,
    /// Number of frames up to the mark, which is between the fixed and the processed frames. The path is next fixed up
    /// to the mark.
    mark: usize,
    /// For each frame that is not fixed, the first choice and its position in `steps`.
    rows: VecDeque<(u32, u64)>,
    /// For each choice, the number of states back to its predecessor.
    steps: VecDeque<u8>,
    /// Number of steps removed from the front.
    removed: u64,
}

/// Returns the start of a frame in seconds.
fn start_secs(frame: u32) -> f64 {
    (FIRST_FRAME_SECS + (f64::from(frame) - 0.5) / FRAMES_PER_SEC).max(0.0)
}

impl Aligner {
    /// Returns the aligned words, phonemes and pauses up to the last word that has started.
    pub(super) fn score(&self) -> &Score {
        &self.score
    }

    pub(super) fn found(&self) -> Found {
        self.found
    }

    /// Returns the number of frames on which the result depends.
    pub(super) fn taken(&self) -> usize {
        self.search.taken
    }

    /// Aligns a text with evidence, which must start with the evidence of the previous call. `ended` is the end of the
    /// audio, if it has ended. Returns the number of unchanged entries of the score.
    pub(super) fn update(
        &mut self,
        context: &Context<'_>,
        evidence: &[Evidence],
        ended: Option<f64>,
    ) -> Lens {
        self.update_text(context);
        if self.trial.is_none() {
            while self.search.taken < evidence.len() && self.is_sure(context) {
                self.search.process(&self.states, &evidence[self.search.taken]);
                self.settle();
            }
        }
        let sure = self.trial.as_ref().map_or(self.search.taken, |before| before.taken);
        let last = evidence.len().min(sure + MAX_PROVISIONAL);
        if self.search.taken < last && self.trial.is_none() {
            self.trial = Some(self.search.trial());
        }
        while self.search.taken < last {
            self.search.process(&self.states, &evidence[self.search.taken]);
        }
        let kept = self.settled_lens;
        let before = split_off(&mut self.score, kept);
        self.build_score(context, ended.filter(|_| last == evidence.len()));
        unchanged(&self.score, kept, &before)
    }

    /// Returns true if all states that the next frame can reach are final.
    fn is_sure(&self, context: &Context<'_>) -> bool {
        context.is_whole || self.search.best + AHEAD <= self.fixed_states
    }

    /// Discards provisional frames if the text has changed.
    fn update_text(&mut self, context: &Context<'_>) {
        let score = context.line.score();
        let counts = [
            score.words.len(),
            context.line.kept_words(),
            context.text.stops.len(),
            usize::from(context.is_whole),
        ];
        let text = (counts, score.secs());
        if text == self.text && !self.states.is_empty() {
            return;
        }
        self.text = text;
        if let Some(before) = self.trial.take() {
            self.search.restore(&before);
        }
        self.build_states(context);
    }

    /// Creates the states of the words.
    fn build_states(&mut self, context: &Context<'_>) {
        let Context { line, text, .. } = context;
        let changed = self.fixed_states;
        self.states.truncate(changed);
        self.places.truncate(self.fixed_words);
        self.last_count = self.fixed_count;
        for word in self.fixed_words..line.score().words.len() {
            if word == line.kept_words() {
                (self.fixed_words, self.fixed_states) = (word, self.states.len());
                self.fixed_count = self.last_count;
            }
            let phonemes = line.phonemes_of(word);
            if !phonemes.is_empty() {
                self.states.push(State::pause(is_stop(text, word), self.last_count));
            }
            let first = self.states.len();
            for phoneme in phonemes {
                let shapes = phoneme.phone.visemes();
                let secs = (phoneme.to - phoneme.from) / shapes.len() as f64;
                for shape in shapes {
                    self.states.extend(State::shape(*shape, secs, self.last_count));
                    self.last_count = count_of(secs) as u8;
                }
            }
            self.places.push((first, self.states.len() - first));
        }
        self.states.push(State::pause(true, self.last_count));
        count_choices(&mut self.states, changed);
        self.search.costs.resize(self.states.len(), IMPOSSIBLE);
        self.search.origins.resize(self.states.len(), 0);
    }

    fn settle(&mut self) {
        if self.search.taken - self.search.mark < LAG {
            return;
        }
        if self.search.mark > 0 {
            let mark = self.search.mark as u32;
            for (state, frame) in self.search.trace_back(&self.states, self.search.best) {
                if frame < mark {
                    enter(&mut self.entries, state, frame);
                }
            }
            self.search.settle();
        }
        self.search.set_mark();
    }

    /// Builds a score from the current path.
    fn build_score(&mut self, context: &Context<'_>, ended: Option<f64>) {
        if self.search.taken == 0 {
            self.found = Found::default();
            return;
        }
        let end = ended.and_then(|_| self.end(context));
        let settled_entries = self.entries.len();
        for (state, frame) in self.search.trace_back(&self.states, end.unwrap_or(self.search.best)) {
            enter(&mut self.entries, state, frame);
        }
        let until = start_secs(self.search.taken as u32);
        let until = ended.map_or(until, |ended| ended.max(until));
        let mut builder =
            ScoreBuilder { entries: &self.entries, until, is_end: end.is_some(), pace: Pace::default() };
        for word in self.settled..self.places.len() {
            let (first, count) = self.places[word];
            if first >= self.entries.len() || count == 0 && first + 1 >= self.entries.len() {
                break;
            }
            builder.word(context, word, (first, count), &mut self.score);
            // The next state and its entry must be fixed too.
            let is_settled = first + count + 2 <= settled_entries;
            if is_settled && self.settled == word {
                self.settled += 1;
                self.settled_lens = lens(&self.score);
            }
        }
        let is_in_pause = self.states[self.entries.len() - 1].is_pause;
        self.found =
            Found { words: self.score.words.len(), not_before: if is_in_pause { until } else { 0.0 }, until };
        self.entries.truncate(settled_entries);
    }

    /// Returns the last state if the audio seems to have reached it.
    fn end(&self, context: &Context<'_>) -> Option<usize> {
        let words = &context.line.score().words;
        let word = self.places.partition_point(|(first, _)| *first <= self.search.best).max(1) - 1;
        let left = words.last()?.to - words[word].to;
        let most = (LEFT_OVER * start_secs(self.search.taken as u32)).max(LEFT_OVER_SECS);
        let last = self.states.len() - 1;
        let ends = last.saturating_sub(self.last_count.into())..=last;
        let cost = |end: &usize| self.search.costs[*end].saturating_add(self.states[*end].leave.into());
        let end = ends.min_by_key(cost)?;
        (left <= most && self.search.is_reached(end)).then_some(end)
    }
}

/// Updates the number of choices before each state, starting at `from`.
fn count_choices(states: &mut [State], from: usize) {
    for place in from.max(1)..states.len() {
        let last = states[place - 1];
        states[place].choices = last.choices + u32::from(last.is_choice());
    }
}

fn is_stop(text: &Text, before_word: usize) -> bool {
    ending(text, before_word).is_some()
}

fn ending(text: &Text, before_word: usize) -> Option<Ending> {
    let place = text.stops.binary_search_by_key(&before_word, |stop| stop.after_words).ok()?;
    text.stops[place].is_end().then(|| text.stops[place].ending.unwrap_or(Ending::Phrase))
}

fn enter(entries: &mut Vec<u32>, state: usize, frame: u32) {
    if state >= entries.len() {
        entries.resize(state, NOT_ENTERED);
        entries.push(frame);
    }
}

impl Search {
    /// Processes the next frame.
    fn process(&mut self, states: &[State], evidence: &Evidence) {
        let low = self.low.max(self.best.saturating_sub(BEHIND));
        self.costs[self.low..low].fill(IMPOSSIBLE);
        self.low = low;
        // The limit never decreases, because states outside the range would keep the cost of an earlier frame.
        self.high = self.high.max(self.best + AHEAD).min(states.len());
        let high = self.high;
        let first = states[low].choices;
        let last = states[high - 1].choices + 1;
        let row = self.steps.len();
        self.steps.resize(row + (last - first) as usize, 0);
        self.rows.push_back((first, self.removed + row as u64));
        let (mut best, mut least) = (self.best, IMPOSSIBLE);
        for state in (low..high).rev() {
            let (cost, step) = self.reach(states, state);
            let cost = (cost + u32::from(evidence.0[states[state].viseme as usize])).min(IMPOSSIBLE);
            self.costs[state] = cost;
            self.origins[state] = self.origins[state - usize::from(step)];
            if states[state].is_choice() {
                self.steps[row + (states[state].choices - first) as usize] = step;
            }
            if cost <= least {
                (best, least) = (state, cost);
            }
        }
        self.best = best;
        self.taken += 1;
    }

    /// Returns the cost of being in `state` in the next frame, and the number of states back to its predecessor.
    fn reach(&self, states: &[State], state: usize) -> (u32, u8) {
        if self.taken == 0 {
            return (if state <= 1 { 0 } else { IMPOSSIBLE }, 0);
        }
        let State { is_pause, enter, stay, before, .. } = states[state];
        let stay = if stay == FORBIDDEN { IMPOSSIBLE } else { self.costs[state] + u32::from(stay) };
        let mut best = (stay, 0);
        if is_pause && before == 0 {
            return best;
        }
        let behind_pause = !is_pause && states[state - 1].is_pause;
        if before == 0 || behind_pause {
            best = best.min((self.costs[state - 1] + u32::from(enter), 1));
        }
        for step in 1..=usize::from(before) {
            let step = step + usize::from(behind_pause);
            let left = states[state - step].leave;
            if left != FORBIDDEN {
                best = best.min((self.costs[state - step] + u32::from(left) + u32::from(enter), step as u8));
            }
        }
        best
    }

    fn is_reached(&self, state: usize) -> bool {
        state >= self.low && self.costs[state] < IMPOSSIBLE
    }

    /// Returns the states on the path to `state` with the frames in which they were entered, in order, after the
    /// fixed part.
    fn trace_back(&self, states: &[State], state: usize) -> Vec<(usize, u32)> {
        let (mut state, mut entered) = (state, Vec::new());
        for frame in (self.settled..self.taken).rev() {
            let step = self.step(states, frame, state);
            if step > 0 || frame == 0 {
                entered.push((state, frame as u32));
            }
            state -= usize::from(step);
        }
        entered.reverse();
        entered
    }

    /// Returns the number of states back to the predecessor of a state in a frame.
    fn step(&self, states: &[State], frame: usize, state: usize) -> u8 {
        if !states[state].is_choice() {
            return u8::from(frame > 0);
        }
        let (first, place) = self.rows[frame - self.settled];
        self.steps[(place - self.removed) as usize + (states[state].choices - first) as usize]
    }

    fn set_mark(&mut self) {
        self.mark = self.taken;
        for state in self.low..self.high {
            self.origins[state] = state as u32;
        }
    }

    /// Fixes the path up to the mark and drops all other paths.
    fn settle(&mut self) {
        let origin = self.origins[self.best];
        self.rows.drain(..self.mark - self.settled);
        let kept = self.rows.front().map_or(self.removed + self.steps.len() as u64, |row| row.1);
        self.steps.drain(..(kept - self.removed) as usize);
        (self.settled, self.removed) = (self.mark, kept);
        let least = self.costs[self.best];
        for state in self.low..self.high {
            let is_other = self.origins[state] != origin || self.costs[state] >= IMPOSSIBLE;
            // Subtracting the least cost keeps costs bounded.
            self.costs[state] = if is_other { IMPOSSIBLE } else { self.costs[state] - least };
        }
    }

    /// Returns a copy to restore after provisional frames.
    fn trial(&self) -> Self {
        let (costs, origins) = (self.costs[self.low..].to_vec(), self.origins[self.low..].to_vec());
        Self { costs, origins, steps: VecDeque::new(), rows: VecDeque::new(), ..*self }
    }

    fn restore(&mut self, before: &Self) {
        self.costs[before.low..].copy_from_slice(&before.costs);
        self.origins[before.low..].copy_from_slice(&before.origins);
        (self.low, self.high, self.best, self.taken) = (before.low, before.high, before.best, before.taken);
        let rows = self.taken - self.settled;
        let steps = self.rows.get(rows).map_or(self.steps.len(), |row| (row.1 - self.removed) as usize);
        self.steps.truncate(steps);
        self.rows.truncate(rows);
    }
}

/// Actual and expected duration of words.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    said: f64,
    expected: f64,
}

/// Builds a score from the entry frames of states.
struct ScoreBuilder<'a> {
    entries: &'a [u32],
    /// End of the processed audio in seconds.
    until: f64,
    /// True if no more text or audio follows.
    is_end: bool,
    pace: Pace,
}

impl ScoreBuilder<'_> {
    fn word(
        &mut self,
        context: &Context<'_>,
        word: usize,
        (first, count): (usize, usize),
        score: &mut Score,
    ) {
        let estimate = &context.line.score().words[word];
        let before = score.words.last().map_or(0.0, |word| word.to);
        let from = if count > 0 { start_secs(self.entries[first]).max(before) } else { before };
        let (mut state, mut at) = (first, from);
        for phoneme in context.line.phonemes_of(word) {
            let count = count_of_phoneme(phoneme);
            let expected = (phoneme.to - phoneme.from) * super::pace(self.pace.said, self.pace.expected);
            let to = match self.exit(state + count - 1) {
                Some(exit) => exit,
                None if self.is_end => self.until,
                None if state < self.entries.len() => self.until.max(at + expected),
                None => at + expected,
            };
            score.segments.push(Segment { from: at, to, ..*phoneme });
            (state, at) = (state + count, to);
        }
        self.pause(context, word, before, from, score);
        self.pace.said += at - from;
        self.pace.expected += estimate.to - estimate.from;
        score.words.push(Word { from, to: at, ..estimate.clone() });
    }

    /// Adds a pause before a word if the text has punctuation there or the gap is long.
    fn pause(&self, context: &Context<'_>, word: usize, before: f64, from: f64, score: &mut Score) {
        let is_gap = word > 0 && from - before >= context.options.least_gap_secs;
        let after = ending(context.text, word).filter(|_| word > 0).or(is_gap.then_some(Ending::Phrase));
        if let Some(after) = after {
            score.pauses.push(Pause { after, from: before, to: from });
        }
    }

    /// Returns the time at which a state was left.
    fn exit(&self, state: usize) -> Option<f64> {
        let next = self.entries.iter().skip(state + 1).take(2).find(|entry| **entry != NOT_ENTERED);
        next.map(|entry| start_secs(*entry))
    }
}
