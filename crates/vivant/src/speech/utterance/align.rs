//! Where the words of a text are in what is heard.
//!
//! A text says which sounds come in which order, and evidence says each 10 ms how likely each mouth shape is. The best way
//! through both is found by Viterbi's algorithm: a few states for each shape of each sound, and before each word one of
//! silence that may be passed over. A shape lasts at least a third of its estimate, and beyond that as a geometric
//! distribution says, so that its mean is the estimate.
//!
//! Samples and text stream in. A frame is taken for good once the states that it can reach are there for good, so it makes
//! no difference what came first; frames beyond are taken on trial, for now. Each two seconds the way is settled up to two
//! seconds before, and ways that went another are given up: time is in proportion to the speech, and so is memory.

use super::{Context, Lens, lens, split_off, unchanged};
use crate::math;
use crate::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC, Heard, VISEMES};
use crate::speech::score::{Ending, Pause, Score, Segment, Word};
use crate::speech::text::Text;
use crate::speech::viseme::Viseme;

/// What a frame speaks against each shape, in eighths of nepers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evidence([u8; VISEMES]);

/// Costs are whole numbers of this many to a neper.
const UNIT: f64 = 8.0;
/// No shape is less likely than this: listeners err.
const LEAST_LIKELY: f32 = 0.02;
/// What a sound of another shape, or at least of the same class, costs where sounds are known.
const OTHER: u8 = 40;
const ALIKE: u8 = 12;

impl Evidence {
    pub(super) const SILENCE: Self = {
        let mut costs = [OTHER; VISEMES];
        costs[0] = 0;
        Self(costs)
    };

    /// Half by the shape itself, half by its class: within a class listeners are less sure.
    pub(super) fn of_heard(heard: &Heard) -> Self {
        let likely = |viseme: Viseme| {
            let (own, class) = (heard.visemes[viseme as usize], heard.class[viseme.class() as usize]);
            (0.5 * own + 0.5 * class).max(LEAST_LIKELY)
        };
        Self(
            Viseme::ALL
                .map(|viseme| (-math::ln32(likely(viseme)) * UNIT as f32 + 0.5).clamp(0.0, 255.0) as u8),
        )
    }

    /// The shape of a sound at a time.
    pub(super) fn of_sound(sound: &Segment, at: f64) -> Self {
        let shapes = sound.phone.visemes();
        let part = (at - sound.from) / (sound.to - sound.from) * shapes.len() as f64;
        let shape = shapes[(part.max(0.0) as usize).min(shapes.len() - 1)];
        let cost = |viseme: Viseme| match viseme {
            _ if viseme == shape => 0,
            _ if viseme.class() == shape.class() => ALIKE,
            _ => OTHER,
        };
        Self(Viseme::ALL.map(cost))
    }
}

/// States ahead of and behind the best that are looked at: some ten seconds and three.
const AHEAD: usize = 480;
const BEHIND: usize = 144;
const WIDTH: usize = AHEAD + BEHIND;
/// Frames after which a way is settled.
const LAG: usize = 200;
/// Frames that are taken on trial at most: a minute.
const MOST_ON_TRIAL: usize = 6000;
/// A silence where the text has an end, and elsewhere.
const PAUSE_AT_STOP: u16 = 8;
const PAUSE_ELSEWHERE: u16 = 32;
/// If this much of the text is left when the voice has ended, it has ended too; as a share of what is said, or in seconds.
const LEFT_OVER: f64 = 0.25;
const LEFT_OVER_SECS: f64 = 1.5;

const NEVER: u32 = u32::MAX;
const IMPOSSIBLE: u32 = 1 << 30;

#[derive(Clone, Copy, Debug)]
struct State {
    viseme: Viseme,
    is_pause: bool,
    enter: u16,
    stay: u16,
    leave: u16,
}

impl State {
    const fn pause(is_at_stop: bool) -> Self {
        let enter = if is_at_stop { PAUSE_AT_STOP } else { PAUSE_ELSEWHERE };
        Self { viseme: Viseme::Sil, is_pause: true, enter, stay: 0, leave: 0 }
    }

    /// A shape that is expected for some seconds: states of one frame each, of which only the last may be stayed in.
    fn shape(viseme: Viseme, secs: f64) -> impl Iterator<Item = Self> {
        let count = count_of(secs);
        let leave = 1.0 / (secs * FRAMES_PER_SEC - count as f64 + 1.0).max(1.5);
        let cost = |share: f64| (-math::ln(share) * UNIT + 0.5) as u16;
        let last = Self { viseme, is_pause: false, enter: 0, stay: cost(1.0 - leave), leave: cost(leave) };
        let first = Self { stay: u16::MAX, leave: 0, ..last };
        (1..=count).map(move |place| if place == count { last } else { first })
    }
}

/// How many states a shape has that is expected for some seconds: a third of its frames, and at most 80 ms.
fn count_of(secs: f64) -> usize {
    ((secs * FRAMES_PER_SEC / 3.0 + 0.5) as usize).clamp(1, 8)
}

/// How many states a sound has.
fn count_of_sound(sound: &Segment) -> usize {
    let shapes = sound.phone.visemes().len();
    shapes * count_of((sound.to - sound.from) / shapes as f64)
}

/// The way through all states, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Aligner {
    states: Vec<State>,
    /// For each word its first state, and how many it has.
    places: Vec<(usize, usize)>,
    /// Words and states that stay.
    fixed_words: usize,
    fixed_states: usize,
    way: Way,
    /// When each state was entered, as far as that is settled, by frame.
    entries: Vec<u32>,
    score: Score,
    /// Words that stay, and how much of the score they are.
    settled: usize,
    settled_lens: Lens,
    /// What the last update found.
    found: Found,
}

/// What an update found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found {
    /// How many words have begun.
    pub(super) words: usize,
    /// When the next word begins at the earliest.
    pub(super) not_before: f64,
    /// Until when times are known.
    pub(super) until: f64,
}

/// The search: costs of the states after the last frame, and how they were reached.
#[derive(Clone, Debug, Default)]
struct Way {
    costs: Vec<u32>,
    /// In which state the way to each state was at the mark.
    origins: Vec<u32>,
    low: usize,
    best: usize,
    /// Frames that are taken, of which the first are settled, and the mark between them.
    taken: usize,
    settled: usize,
    mark: usize,
    /// For each frame that is not settled the lowest state, and of each how many states back it came from.
    lows: Vec<usize>,
    steps: Vec<u8>,
}

/// When a frame begins.
fn begin_secs(frame: u32) -> f64 {
    (FIRST_FRAME_SECS + (f64::from(frame) - 0.5) / FRAMES_PER_SEC).max(0.0)
}

impl Aligner {
    /// What is found: words, sounds and pauses up to the last word that has begun.
    pub(super) fn score(&self) -> &Score {
        &self.score
    }

    pub(super) fn found(&self) -> Found {
        self.found
    }

    /// How many frames it has taken, on which what it found depends.
    pub(super) fn taken(&self) -> usize {
        self.way.taken
    }

    /// Looks for the words of a text in evidence, which is what it was before, or longer. `ended` says when the voice
    /// ended, if it has. Gives how much of the score is as before.
    pub(super) fn update(
        &mut self,
        context: &Context<'_>,
        evidence: &[Evidence],
        ended: Option<f64>,
    ) -> Lens {
        self.follow(context);
        while self.way.taken < evidence.len() && self.is_sure(context) {
            self.way.take(&self.states, &evidence[self.way.taken]);
            self.settle();
        }
        let last = evidence.len().min(self.way.taken + MOST_ON_TRIAL);
        let trial = (self.way.taken < last).then(|| self.way.trial());
        while self.way.taken < last {
            self.way.take(&self.states, &evidence[self.way.taken]);
        }
        let kept = self.settled_lens;
        let before = split_off(&mut self.score, kept);
        self.tell(context, ended.filter(|_| last == evidence.len()));
        if let Some(trial) = trial {
            self.way.take_back(&trial);
        }
        unchanged(&self.score, kept, &before)
    }

    /// Whether all states that the next frame can reach are there for good.
    fn is_sure(&self, context: &Context<'_>) -> bool {
        context.is_whole || self.way.best + AHEAD <= self.fixed_states
    }

    /// Makes states of the words.
    fn follow(&mut self, context: &Context<'_>) {
        let Context { line, text, .. } = context;
        self.states.truncate(self.fixed_states);
        self.places.truncate(self.fixed_words);
        for word in self.fixed_words..line.score().words.len() {
            if word == line.kept_words() {
                (self.fixed_words, self.fixed_states) = (word, self.states.len());
            }
            let sounds = line.sounds_of(word);
            if !sounds.is_empty() {
                self.states.push(State::pause(is_stop(text, word)));
            }
            let first = self.states.len();
            for sound in sounds {
                let shapes = sound.phone.visemes();
                let secs = (sound.to - sound.from) / shapes.len() as f64;
                self.states.extend(shapes.iter().flat_map(|shape| State::shape(*shape, secs)));
            }
            self.places.push((first, self.states.len() - first));
        }
        self.states.push(State::pause(true));
        self.way.costs.resize(self.states.len(), IMPOSSIBLE);
        self.way.origins.resize(self.states.len(), 0);
    }

    fn settle(&mut self) {
        if self.way.taken - self.way.mark < LAG {
            return;
        }
        if self.way.mark > 0 {
            let mark = self.way.mark as u32;
            for (state, frame) in self.way.back(self.way.best) {
                if frame < mark {
                    enter(&mut self.entries, state, frame);
                }
            }
            self.way.settle();
        }
        self.way.set_mark();
    }

    /// Makes a score of the way so far.
    fn tell(&mut self, context: &Context<'_>, ended: Option<f64>) {
        if self.way.taken == 0 {
            self.found = Found::default();
            return;
        }
        let end = ended.and_then(|_| self.end(context));
        let settled_entries = self.entries.len();
        for (state, frame) in self.way.back(end.unwrap_or(self.way.best)) {
            enter(&mut self.entries, state, frame);
        }
        let heard = begin_secs(self.way.taken as u32);
        let heard = ended.map_or(heard, |ended| ended.max(heard));
        let mut telling =
            Telling { entries: &self.entries, heard, is_end: end.is_some(), pace: Paced::default() };
        for word in self.settled..self.places.len() {
            let (first, count) = self.places[word];
            if first >= self.entries.len() || count == 0 && first + 1 >= self.entries.len() {
                break;
            }
            telling.word(context, word, (first, count), &mut self.score);
            // What follows the word must be settled, and that it was entered.
            let is_settled = first + count + 2 <= settled_entries;
            if is_settled && self.settled == word {
                self.settled += 1;
                self.settled_lens = lens(&self.score);
            }
        }
        let is_in_pause = self.states[self.entries.len() - 1].is_pause;
        self.found = Found {
            words: self.score.words.len(),
            not_before: if is_in_pause { heard } else { 0.0 },
            until: heard,
        };
        self.entries.truncate(settled_entries);
    }

    /// The last state, if the voice seems to have come there.
    fn end(&self, context: &Context<'_>) -> Option<usize> {
        let words = &context.line.score().words;
        let word = self.places.partition_point(|(first, _)| *first <= self.way.best).max(1) - 1;
        let left = words.last()?.to - words[word].to;
        let most = (LEFT_OVER * begin_secs(self.way.taken as u32)).max(LEFT_OVER_SECS);
        let last = self.states.len() - 1;
        let ends = [last, last.saturating_sub(1)];
        let end = ends.into_iter().min_by_key(|end| self.way.costs[*end])?;
        (left <= most && self.way.is_reached(end)).then_some(end)
    }
}

fn is_stop(text: &Text, before_word: usize) -> bool {
    ending(text, before_word).is_some()
}

fn ending(text: &Text, before_word: usize) -> Option<Ending> {
    let place = text.stops.binary_search_by_key(&before_word, |stop| stop.after_words).ok()?;
    Some(text.stops[place].ending.unwrap_or(Ending::Phrase))
}

fn enter(entries: &mut Vec<u32>, state: usize, frame: u32) {
    if state >= entries.len() {
        entries.resize(state, NEVER);
        entries.push(frame);
    }
}

impl Way {
    /// Takes the next frame.
    fn take(&mut self, states: &[State], evidence: &Evidence) {
        let low = self.low.max(self.best.saturating_sub(BEHIND));
        self.costs[self.low..low].fill(IMPOSSIBLE);
        self.low = low;
        let high = (self.best + AHEAD).min(states.len());
        let row = self.steps.len();
        self.steps.resize(row + WIDTH, 0);
        let (mut best, mut least) = (self.best, IMPOSSIBLE);
        for state in (low..high).rev() {
            let (cost, step) = self.reach(states, state);
            let cost = (cost + u32::from(evidence.0[states[state].viseme as usize])).min(IMPOSSIBLE);
            self.costs[state] = cost;
            self.origins[state] = self.origins[state - usize::from(step)];
            self.steps[row + state - low] = step;
            if cost <= least {
                (best, least) = (state, cost);
            }
        }
        self.best = best;
        self.lows.push(low);
        self.taken += 1;
    }

    /// What it costs to be in a state next, and how many states back that comes from.
    fn reach(&self, states: &[State], state: usize) -> (u32, u8) {
        if self.taken == 0 {
            return (if state <= 1 { 0 } else { IMPOSSIBLE }, 0);
        }
        let from = |step: usize| {
            let before = state.checked_sub(step)?;
            let enter = u32::from(states[before].leave) + u32::from(states[state].enter);
            Some((self.costs[before] + enter, step as u8))
        };
        let mut best = (self.costs[state] + u32::from(states[state].stay), 0);
        best = from(1).filter(|next| next.0 < best.0).unwrap_or(best);
        if !states[state].is_pause && state >= 2 && states[state - 1].is_pause {
            best = from(2).filter(|next| next.0 < best.0).unwrap_or(best);
        }
        best
    }

    fn is_reached(&self, state: usize) -> bool {
        state >= self.low && self.costs[state] < IMPOSSIBLE
    }

    /// When the states on the way to one were entered, since what is settled, in order.
    fn back(&self, state: usize) -> Vec<(usize, u32)> {
        let (mut state, mut entered) = (state, Vec::new());
        for frame in (self.settled..self.taken).rev() {
            let row = frame - self.settled;
            let step = self.steps[row * WIDTH + state - self.lows[row]];
            if step > 0 || frame == 0 {
                entered.push((state, frame as u32));
            }
            state -= usize::from(step);
        }
        entered.reverse();
        entered
    }

    fn set_mark(&mut self) {
        self.mark = self.taken;
        for state in self.low..self.costs.len().min(self.low + WIDTH + BEHIND) {
            self.origins[state] = state as u32;
        }
    }

    /// Settles the way up to the mark, and gives up the others.
    fn settle(&mut self) {
        let origin = self.origins[self.best];
        let frames = self.mark - self.settled;
        self.lows.drain(..frames);
        self.steps.drain(..frames * WIDTH);
        self.settled = self.mark;
        let high = (self.best + AHEAD).min(self.costs.len());
        let least = self.costs[self.best];
        for state in self.low..high {
            let is_other = self.origins[state] != origin || self.costs[state] >= IMPOSSIBLE;
            // So that costs never grow beyond all numbers.
            self.costs[state] = if is_other { IMPOSSIBLE } else { self.costs[state] - least };
        }
    }

    /// What is to be restored after a trial.
    fn trial(&self) -> Self {
        let (costs, origins) = (self.costs[self.low..].to_vec(), self.origins[self.low..].to_vec());
        Self { costs, origins, steps: Vec::new(), lows: Vec::new(), ..*self }
    }

    fn take_back(&mut self, before: &Self) {
        self.costs[before.low..].copy_from_slice(&before.costs);
        self.origins[before.low..].copy_from_slice(&before.origins);
        (self.low, self.best, self.taken) = (before.low, before.best, before.taken);
        self.lows.truncate(self.taken - self.settled);
        self.steps.truncate((self.taken - self.settled) * WIDTH);
    }
}

/// How long words took, and how long they were expected to.
#[derive(Clone, Copy, Debug, Default)]
struct Paced {
    said: f64,
    expected: f64,
}

/// Makes a score of when states were entered.
struct Telling<'a> {
    entries: &'a [u32],
    heard: f64,
    /// Whether nothing follows.
    is_end: bool,
    pace: Paced,
}

impl Telling<'_> {
    fn word(
        &mut self,
        context: &Context<'_>,
        word: usize,
        (first, count): (usize, usize),
        score: &mut Score,
    ) {
        let estimate = &context.line.score().words[word];
        let before = score.words.last().map_or(0.0, |word| word.to);
        let from = if count > 0 { begin_secs(self.entries[first]).max(before) } else { before };
        let (mut state, mut at) = (first, from);
        for sound in context.line.sounds_of(word) {
            let count = count_of_sound(sound);
            let expected = (sound.to - sound.from) * super::pace(self.pace.said, self.pace.expected);
            let to = match self.exit(state + count - 1) {
                Some(exit) => exit,
                None if self.is_end => self.heard,
                None if state < self.entries.len() => self.heard.max(at + expected),
                None => at + expected,
            };
            score.segments.push(Segment { from: at, to, ..*sound });
            (state, at) = (state + count, to);
        }
        self.pause(context, word, before, from, score);
        self.pace.said += at - from;
        self.pace.expected += estimate.to - estimate.from;
        score.words.push(Word { from, to: at, ..estimate.clone() });
    }

    /// A silence before a word, if the text has an end there or it is long.
    fn pause(&self, context: &Context<'_>, word: usize, before: f64, from: f64, score: &mut Score) {
        let is_gap = word > 0 && from - before >= context.options.least_gap_secs;
        let after = ending(context.text, word).filter(|_| word > 0).or(is_gap.then_some(Ending::Phrase));
        if let Some(after) = after {
            score.pauses.push(Pause { after, from: before, to: from });
        }
    }

    /// When a state was left.
    fn exit(&self, state: usize) -> Option<f64> {
        let next = self.entries.iter().skip(state + 1).take(2).find(|entry| **entry != NEVER);
        next.map(|entry| begin_secs(*entry))
    }
}
