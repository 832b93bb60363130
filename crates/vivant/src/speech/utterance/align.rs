//! Where the words of a text are in what is heard.
//!
//! A text says which sounds come in which order, and evidence says each 10 ms how likely each mouth shape is. The best way
//! through both is found by Viterbi's algorithm: a state for each frame of each shape of each sound, and before each word
//! one of silence that may be passed over. A shape may be left after any frame; what that costs grows with the square of
//! the logarithm of its time against the estimate, so half the time is as unlikely as twice.
//!
//! Samples and text stream in. A frame is taken for good once the states that it can reach are there for good, so it makes
//! no difference what came first; frames beyond are taken on trial, for now. Each ten seconds the way is settled up to ten
//! seconds before, and ways that went another are given up: time is in proportion to the speech, and so is memory.

use super::{Context, Lens, lens, split_off, unchanged};
use crate::math;
use crate::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC, Heard, VISEMES};
use crate::speech::score::{Ending, Pause, Score, Segment, Word};
use crate::speech::text::Text;
use crate::speech::viseme::Viseme;
use std::collections::VecDeque;

/// What a frame speaks against each shape, in eighths of nepers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evidence([u8; VISEMES]);

/// Costs are whole numbers of this many to a neper.
const UNIT: f64 = 8.0;
/// No shape is less likely than this: listeners err.
const LEAST_LIKELY: f32 = 0.02;
/// How much of the evidence is for the shape itself; the rest is for its class.
const OWN: f32 = 0.8;
/// What a sound of another shape, or at least of the same class, costs where sounds are known.
const OTHER: u8 = 40;
const ALIKE: u8 = 12;

impl Evidence {
    pub(super) const SILENCE: Self = {
        let mut costs = [OTHER; VISEMES];
        costs[0] = 0;
        Self(costs)
    };

    /// Mostly by the shape itself, and a little by its class: within a class listeners are less sure.
    pub(super) fn of_heard(heard: &Heard) -> Self {
        let likely = |viseme: Viseme| {
            let (own, class) = (heard.visemes[viseme as usize], heard.class[viseme.class() as usize]);
            (OWN * own + (1.0 - OWN) * class).max(LEAST_LIKELY)
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
const AHEAD: usize = 2400;
const BEHIND: usize = 800;
/// How much durations weigh, and what each frame costs beyond the longest. By trial on two recordings.
const DURATION: f64 = 3.0;
const HELD: u16 = 4;
/// The longest that a shape lasts, against its estimate, and in frames.
const LONGEST: f64 = 2.5;
const MOST_STATES: usize = 40;
/// Frames after which a way is settled. Some voices need that long to be understood: with 2 s instead, one of five
/// recordings was lost after a pause.
const LAG: usize = 1000;
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

/// One frame of a shape, or a silence of any length.
#[derive(Clone, Copy, Debug)]
struct State {
    viseme: Viseme,
    is_pause: bool,
    /// What it costs to come here, to stay, and to go on to the next shape.
    enter: u16,
    stay: u16,
    leave: u16,
    /// How many states of the shape before it may be left for this one; 0 within a shape.
    before: u8,
    /// How many states before it are such that a way can come to them from more than one.
    choices: u32,
}

/// What no way does.
const CLOSED: u16 = u16::MAX;

impl State {
    /// Whether a way can come here from more than one state.
    fn is_choice(&self) -> bool {
        self.is_pause || self.before > 0 || self.stay != CLOSED
    }

    fn pause(is_at_stop: bool, before: u8) -> Self {
        let enter = if is_at_stop { PAUSE_AT_STOP } else { PAUSE_ELSEWHERE };
        Self { viseme: Viseme::Sil, is_pause: true, enter, stay: 0, leave: 0, before, choices: 0 }
    }

    /// A shape that is expected for some seconds: a state for each frame that it lasts.
    fn shape(viseme: Viseme, secs: f64, before: u8) -> impl Iterator<Item = Self> {
        let count = count_of(secs);
        let expected = (secs * FRAMES_PER_SEC).max(1.0);
        // The square of the logarithm: a third of the time is as unlikely as three times.
        let cost = move |frames: usize| {
            let off = math::ln(frames as f64 / expected);
            (UNIT * DURATION * off * off + 0.5) as u16
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
                stay: if frames == count { HELD } else { CLOSED },
                leave: if is_late { 0 } else { cost(frames) },
                before: if frames == 1 { before } else { 0 },
                choices: 0,
            }
        })
    }
}

/// How many states a shape has that is expected for some seconds.
fn count_of(secs: f64) -> usize {
    ((secs * FRAMES_PER_SEC * LONGEST) as usize + 4).min(MOST_STATES)
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
    /// How many states the last shape has, and the last that stays.
    last_count: u8,
    fixed_count: u8,
    way: Way,
    /// What the way was before frames were taken on trial, and the text by its counts and its length.
    trial: Option<Way>,
    text: ([usize; 4], f64),
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
    high: usize,
    best: usize,
    /// Frames that are taken, of which the first are settled, and the mark between them.
    taken: usize,
    settled: usize,
    mark: usize,
    /// For each frame that is not settled the first choice and where it is kept, and of each choice how many states back
    /// it came from.
    rows: VecDeque<(u32, u64)>,
    steps: VecDeque<u8>,
    /// How many steps were given up.
    forgotten: u64,
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
        self.begin(context);
        if self.trial.is_none() {
            while self.way.taken < evidence.len() && self.is_sure(context) {
                self.way.take(&self.states, &evidence[self.way.taken]);
                self.settle();
            }
        }
        let sure = self.trial.as_ref().map_or(self.way.taken, |before| before.taken);
        let last = evidence.len().min(sure + MOST_ON_TRIAL);
        if self.way.taken < last && self.trial.is_none() {
            self.trial = Some(self.way.trial());
        }
        while self.way.taken < last {
            self.way.take(&self.states, &evidence[self.way.taken]);
        }
        let kept = self.settled_lens;
        let before = split_off(&mut self.score, kept);
        self.tell(context, ended.filter(|_| last == evidence.len()));
        unchanged(&self.score, kept, &before)
    }

    /// Whether all states that the next frame can reach are there for good.
    fn is_sure(&self, context: &Context<'_>) -> bool {
        context.is_whole || self.way.best + AHEAD <= self.fixed_states
    }

    /// Takes a trial back if the text has changed since.
    fn begin(&mut self, context: &Context<'_>) {
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
            self.way.take_back(&before);
        }
        self.follow(context);
    }

    /// Makes states of the words.
    fn follow(&mut self, context: &Context<'_>) {
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
            let sounds = line.sounds_of(word);
            if !sounds.is_empty() {
                self.states.push(State::pause(is_stop(text, word), self.last_count));
            }
            let first = self.states.len();
            for sound in sounds {
                let shapes = sound.phone.visemes();
                let secs = (sound.to - sound.from) / shapes.len() as f64;
                for shape in shapes {
                    self.states.extend(State::shape(*shape, secs, self.last_count));
                    self.last_count = count_of(secs) as u8;
                }
            }
            self.places.push((first, self.states.len() - first));
        }
        self.states.push(State::pause(true, self.last_count));
        count_choices(&mut self.states, changed);
        self.way.costs.resize(self.states.len(), IMPOSSIBLE);
        self.way.origins.resize(self.states.len(), 0);
    }

    fn settle(&mut self) {
        if self.way.taken - self.way.mark < LAG {
            return;
        }
        if self.way.mark > 0 {
            let mark = self.way.mark as u32;
            for (state, frame) in self.way.back(&self.states, self.way.best) {
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
        for (state, frame) in self.way.back(&self.states, end.unwrap_or(self.way.best)) {
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
        let ends = last.saturating_sub(self.last_count.into())..=last;
        let cost = |end: &usize| self.way.costs[*end].saturating_add(self.states[*end].leave.into());
        let end = ends.min_by_key(cost)?;
        (left <= most && self.way.is_reached(end)).then_some(end)
    }
}

/// Numbers the states from a place on by the choices before them.
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
        // Never lower again: what is not looked at would keep the cost of an earlier frame.
        self.high = self.high.max(self.best + AHEAD).min(states.len());
        let high = self.high;
        let first = states[low].choices;
        let last = states[high - 1].choices + 1;
        let row = self.steps.len();
        self.steps.resize(row + (last - first) as usize, 0);
        self.rows.push_back((first, self.forgotten + row as u64));
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

    /// What it costs to be in a state next, and how many states back that comes from.
    fn reach(&self, states: &[State], state: usize) -> (u32, u8) {
        if self.taken == 0 {
            return (if state <= 1 { 0 } else { IMPOSSIBLE }, 0);
        }
        let State { is_pause, enter, stay, before, .. } = states[state];
        let stay = if stay == CLOSED { IMPOSSIBLE } else { self.costs[state] + u32::from(stay) };
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
            if left != CLOSED {
                best = best.min((self.costs[state - step] + u32::from(left) + u32::from(enter), step as u8));
            }
        }
        best
    }

    fn is_reached(&self, state: usize) -> bool {
        state >= self.low && self.costs[state] < IMPOSSIBLE
    }

    /// When the states on the way to one were entered, since what is settled, in order.
    fn back(&self, states: &[State], state: usize) -> Vec<(usize, u32)> {
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

    /// How many states back a way came from to a state in a frame.
    fn step(&self, states: &[State], frame: usize, state: usize) -> u8 {
        if !states[state].is_choice() {
            return u8::from(frame > 0);
        }
        let (first, place) = self.rows[frame - self.settled];
        self.steps[(place - self.forgotten) as usize + (states[state].choices - first) as usize]
    }

    fn set_mark(&mut self) {
        self.mark = self.taken;
        for state in self.low..self.high {
            self.origins[state] = state as u32;
        }
    }

    /// Settles the way up to the mark, and gives up the others.
    fn settle(&mut self) {
        let origin = self.origins[self.best];
        self.rows.drain(..self.mark - self.settled);
        let kept = self.rows.front().map_or(self.forgotten + self.steps.len() as u64, |row| row.1);
        self.steps.drain(..(kept - self.forgotten) as usize);
        (self.settled, self.forgotten) = (self.mark, kept);
        let least = self.costs[self.best];
        for state in self.low..self.high {
            let is_other = self.origins[state] != origin || self.costs[state] >= IMPOSSIBLE;
            // So that costs never grow beyond all numbers.
            self.costs[state] = if is_other { IMPOSSIBLE } else { self.costs[state] - least };
        }
    }

    /// What is to be restored after a trial.
    fn trial(&self) -> Self {
        let (costs, origins) = (self.costs[self.low..].to_vec(), self.origins[self.low..].to_vec());
        Self { costs, origins, steps: VecDeque::new(), rows: VecDeque::new(), ..*self }
    }

    fn take_back(&mut self, before: &Self) {
        self.costs[before.low..].copy_from_slice(&before.costs);
        self.origins[before.low..].copy_from_slice(&before.origins);
        (self.low, self.high, self.best, self.taken) = (before.low, before.high, before.best, before.taken);
        let rows = self.taken - self.settled;
        let steps = self.rows.get(rows).map_or(self.steps.len(), |row| (row.1 - self.forgotten) as usize);
        self.steps.truncate(steps);
        self.rows.truncate(rows);
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
