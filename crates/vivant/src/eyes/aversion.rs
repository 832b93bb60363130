//! When people who talk look away, and why: to think, to keep the floor, and not to stare.
//!
//! The statistics are those of Andrist, Tan, Gleicher & Mutlu (2014; FACTS, section 7), measured from conversations on
//! video. **Cognitive** aversions come with the begin of an answer and go up; those that keep the **floor** come where
//! a speaker pauses and goes on; those of **intimacy** come ever so often and go to the side. At the end of a turn the
//! speaker looks at the other, and so gives it away.
//!
//! ```
//! use vivant::chance::Chance;
//! use vivant::eyes::aversion::{Turn, averted};
//!
//! let turn = Turn { from: 2.0, to: 20.0, resumes: vec![9.0], is_answer: true, goes_on: false };
//! let glances = averted(&turn, &Chance::new(7, "turn"));
//! assert!(glances.windows(2).all(|pair| pair[0].to < pair[1].from));
//! assert!(glances.last().unwrap().to < 19.0);
//! ```

use crate::chance::{Chance, Draw};
use crate::eyes::normal::LogNormal;
use crate::math::{cos, sin};

/// Why someone looks away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// To think of what to say.
    Cognitive,
    /// To keep the floor over a pause.
    Floor,
    /// Because nobody can bear to be looked at for long.
    Intimacy,
}

/// A time of looking away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aversion {
    /// Why.
    pub reason: Reason,
    /// From when, in seconds.
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// How far to the character's left.
    pub yaw_deg: f64,
    /// How far up.
    pub pitch_deg: f64,
}

/// A turn of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// When the voice begins, in seconds.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// When it goes on after a pause within.
    pub resumes: Vec<f64>,
    /// Whether it answers something, and has to be thought of.
    pub is_answer: bool,
    /// Whether more follows, so that it is not given away: the other need not be looked at before `to`.
    pub goes_on: bool,
}

/// A time with its mean and standard deviation, in seconds.
struct Span {
    mean: f64,
    deviation: f64,
}

const COGNITIVE: Span = Span { mean: 3.54, deviation: 1.26 };
/// Which share of a cognitive aversion comes before the voice: 1.32 s of 3.54.
const COGNITIVE_BEFORE: f64 = 1.32 / 3.54;
const FLOOR: Span = Span { mean: 2.30, deviation: 1.10 };
/// Which share of it comes before the voice goes on: 1.03 s of 2.30.
const FLOOR_BEFORE: f64 = 1.03 / 2.30;
/// How long those of intimacy last, and how long it is from the end of one to the begin of the next.
struct Intimacy {
    lasts: Span,
    after: Span,
}

/// Andrist's 1.96 ± 0.32 s every 4.75 ± 1.39 s: from begin to begin, so that speakers look at the other for two fifths of
/// the time, as Argyle & Cook (1976) found.
const SPEAKING: Intimacy =
    Intimacy { lasts: Span { mean: 1.96, deviation: 0.32 }, after: Span { mean: 2.79, deviation: 1.353 } };
/// Andrist's 1.14 ± 0.27 s every 7.21 ± 1.88 s would be looking for 84 % of the time, and others found 75 % (Argyle & Cook)
/// and 30 to 80 % (Kendon 1967). With 1.35 s every 5.5 s, both within a deviation of Andrist's, all agree.
const LISTENING: Intimacy =
    Intimacy { lasts: Span { mean: 1.35, deviation: 0.27 }, after: Span { mean: 4.15, deviation: 1.86 } };
/// How long a speaker looks at the other before a turn ends.
const YIELDING: Span = Span { mean: 2.41, deviation: 0.56 };
/// What is cut shorter than this is left out: a glance takes that long, and so does a look back.
pub const SHORTEST_SECS: f64 = 0.4;
/// How far people look away, in degrees (our design: less would be looking at the other, and more would turn the head).
const SIZES_DEG: [f64; 2] = [8.0, 20.0];

impl Turn {
    /// From when on the other is looked at, because the turn ends.
    #[must_use]
    pub fn yields_at(&self, chance: &Chance) -> f64 {
        let yielding_secs = if self.goes_on { 0.0 } else { YIELDING.secs(&mut chance.event(0)) };
        self.to - yielding_secs
    }
}

impl Span {
    /// A log-normal time: never negative, and of this mean and deviation.
    fn secs(&self, draw: &mut Draw) -> f64 {
        LogNormal::with_mean_and_deviation(self.mean, self.deviation).quantile(draw.uniform())
    }
}

/// When a speaker looks away during a turn, in order and without overlaps. What is drawn does not depend on what comes
/// after it: a turn that grows keeps its first glances.
#[must_use]
pub fn averted(turn: &Turn, chance: &Chance) -> Vec<Aversion> {
    let yields_at = turn.yields_at(chance);
    let answer = turn.is_answer.then(|| around(Reason::Cognitive, turn.from, &mut chance.event(1)));
    let floor = turn.resumes.iter().zip(0u64..);
    let floor = floor.map(|(at, place)| around(Reason::Floor, *at, &mut chance.event(2 + 2 * place)));
    // Those between two reasons are numbered from the first of them, so that a new reason changes none before it.
    let mut averted: Vec<Aversion> = Vec::new();
    let mut drawn = (0u64..).map(|place| chance.event(3 + 2 * place));
    let mut next = || drawn.next().expect("there is no end of chance");
    for reason in answer.into_iter().chain(floor) {
        fill(&mut averted, turn.from, reason.from.min(yields_at), &SPEAKING, &mut next);
        let free_from = averted.last().map_or(f64::NEG_INFINITY, |last| last.to + SHORTEST_SECS);
        averted.extend(within(reason, free_from, yields_at));
    }
    fill(&mut averted, turn.from, yields_at, &SPEAKING, &mut next);
    averted
}

/// When a listener looks away between two times, in order.
#[must_use]
pub fn averted_listening(from: f64, to: f64, chance: &Chance) -> Vec<Aversion> {
    let mut averted = Vec::new();
    let mut drawn = (0u64..).map(|place| chance.event(place));
    fill(&mut averted, from, to, &LISTENING, &mut || drawn.next().expect("there is no end of chance"));
    averted
}

/// An aversion about the instant at which the voice begins or goes on.
fn around(reason: Reason, at: f64, draw: &mut Draw) -> Aversion {
    let (span, before) = match reason {
        Reason::Cognitive => (COGNITIVE, COGNITIVE_BEFORE),
        _ => (FLOOR, FLOOR_BEFORE),
    };
    let secs = span.secs(draw);
    aimed(reason, at - before * secs, secs, draw)
}

/// A glance away of somebody who has run out of words and is not done, from now on.
#[must_use]
pub fn keeping_floor(at: f64, draw: &mut Draw) -> Aversion {
    let secs = FLOOR.secs(draw);
    aimed(Reason::Floor, at, secs, draw)
}

/// What is left of one between two times; `None` if that is nothing.
fn within(aversion: Aversion, from: f64, to: f64) -> Option<Aversion> {
    let cut = Aversion { from: aversion.from.max(from), to: aversion.to.min(to), ..aversion };
    (cut.to - cut.from >= SHORTEST_SECS).then_some(cut)
}

/// Those of intimacy, from the last one (or the begin of the turn) until something else comes.
fn fill(
    averted: &mut Vec<Aversion>,
    from: f64,
    until: f64,
    intimacy: &Intimacy,
    next: &mut impl FnMut() -> Draw,
) {
    loop {
        let mut draw = next();
        let after = averted.last().map_or(from, |last| last.to);
        let at = after + intimacy.after.secs(&mut draw).max(SHORTEST_SECS);
        let aversion = aimed(Reason::Intimacy, at, intimacy.lasts.secs(&mut draw), &mut draw);
        if aversion.to + SHORTEST_SECS >= until {
            return;
        }
        averted.push(aversion);
    }
}

fn aimed(reason: Reason, from: f64, secs: f64, draw: &mut Draw) -> Aversion {
    let size_deg = draw.between(SIZES_DEG[0], SIZES_DEG[1]);
    let direction = direction_deg(reason, draw).to_radians();
    Aversion {
        reason,
        from,
        to: from + secs,
        yaw_deg: size_deg * cos(direction),
        pitch_deg: size_deg * sin(direction),
    }
}

/// Which way, with 0° to the left and 90° up: of 100, 70 to the sides, 10 up and 20 down; who thinks looks up 70 times
/// and 10 to the sides. Within 30° of that (our design).
fn direction_deg(reason: Reason, draw: &mut Draw) -> f64 {
    let [sides, up, down] = if reason == Reason::Cognitive { [10.0, 70.0, 20.0] } else { [70.0, 10.0, 20.0] };
    let middles = [0.0, 90.0, 180.0, 270.0];
    let middle = draw.weighted(&[0.5 * sides, up, 0.5 * sides, down]).unwrap_or(0);
    middles[middle] + draw.between(-30.0, 30.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn many(turn: &Turn, count: u64) -> Vec<Vec<Aversion>> {
        (0..count).map(|seed| averted(turn, &Chance::new(seed, "turn"))).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn deviation(values: &[f64]) -> f64 {
        let middle = mean(values);
        mean(&values.iter().map(|value| (value - middle) * (value - middle)).collect::<Vec<_>>()).sqrt()
    }

    /// Within four standard errors of the mean (99.99 % of runs), and 5 % of the deviation.
    fn check(values: &[f64], span: &Span) {
        let error = 4.0 * span.deviation / (values.len() as f64).sqrt();
        assert!((mean(values) - span.mean).abs() < error, "{} and not {}", mean(values), span.mean);
        assert!((deviation(values) / span.deviation - 1.0).abs() < 0.05, "{}", deviation(values));
    }

    fn lengths(turns: &[Vec<Aversion>], reason: Reason) -> Vec<f64> {
        let all = turns.iter().flatten().filter(|aversion| aversion.reason == reason);
        all.map(|aversion| aversion.to - aversion.from).collect()
    }

    #[test]
    fn who_answers_looks_away_before_and_after_the_voice_begins() {
        let turn = Turn { from: 0.0, to: 60.0, is_answer: true, ..Turn::default() };
        let turns = many(&turn, 10_000);
        check(&lengths(&turns, Reason::Cognitive), &COGNITIVE);
        let begins: Vec<f64> = turns.iter().map(|turn| turn[0].from).collect();
        let ends: Vec<f64> = turns.iter().map(|turn| turn[0].to).collect();
        assert!((mean(&begins) + 1.32).abs() < 0.02 && (mean(&ends) - 2.23).abs() < 0.04);
        let up = turns.iter().filter(|turn| turn[0].pitch_deg > turn[0].yaw_deg.abs()).count();
        assert!((6800..7200).contains(&up), "{up}");
    }

    #[test]
    fn who_goes_on_after_a_pause_keeps_the_floor() {
        let turn = Turn { from: 0.0, to: 120.0, resumes: vec![60.0], ..Turn::default() };
        let turns = many(&turn, 20_000);
        let floor: Vec<&Aversion> = turns.iter().flatten().filter(|a| a.reason == Reason::Floor).collect();
        check(&lengths(&turns, Reason::Floor), &FLOOR);
        let begins: Vec<f64> = floor.iter().map(|aversion| aversion.from - 60.0).collect();
        assert!((mean(&begins) + 1.03).abs() < 0.02, "{}", mean(&begins));
    }

    #[test]
    fn nobody_stares_for_long_and_all_look_up_at_the_end() {
        let turns = many(&Turn { from: 0.0, to: 600.0, ..Turn::default() }, 400);
        check(&lengths(&turns, Reason::Intimacy), &SPEAKING.lasts);
        let after = turns.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].to));
        check(&after.collect::<Vec<f64>>(), &SPEAKING.after);
        let sides = turns.iter().flatten().filter(|a| a.yaw_deg.abs() > a.pitch_deg.abs()).count();
        let every: Vec<f64> =
            turns.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].from)).collect();
        check(&every, &Span { mean: 4.75, deviation: 1.39 });
        let share = sides as f64 / turns.iter().flatten().count() as f64;
        assert!((share - 0.7).abs() < 0.01, "{share}");
        assert!(turns.iter().all(|turn| turn.last().unwrap().to < 599.5));
    }

    #[test]
    fn listeners_look_away_less_often_and_shorter() {
        let all: Vec<Vec<Aversion>> =
            (0..400).map(|seed| averted_listening(0.0, 600.0, &Chance::new(seed, "turn"))).collect();
        check(&lengths(&all, Reason::Intimacy), &LISTENING.lasts);
        let after = all.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].to));
        check(&after.collect::<Vec<f64>>(), &LISTENING.after);
        // Within a deviation of what Andrist found.
        assert!((LISTENING.lasts.mean - 1.14).abs() < 0.27);
        assert!((LISTENING.lasts.mean + LISTENING.after.mean - 7.21).abs() < 1.88);
    }

    proptest! {
        #[test]
        fn a_turn_that_grows_keeps_its_first_glances(
            secs in 20.0..60.0f64,
            more in 0.0..60.0f64,
            resume in 0.2..0.8f64,
            seed in any::<u64>(),
        ) {
            let chance = Chance::new(seed, "turn");
            let resumes = vec![resume * secs];
            let turn = Turn { from: 0.0, to: secs, resumes, is_answer: true, goes_on: false };
            let mut longer = Turn { to: secs + more, ..turn.clone() };
            longer.resumes.push(secs);
            let (before, after) = (averted(&turn, &chance), averted(&longer, &chance));
            // What is within reach of the old end may change.
            let kept = before.iter().take_while(|glance| glance.to < secs - 12.0).count();
            prop_assert_eq!(&before[..kept], &after[..kept]);
        }

        #[test]
        fn glances_never_overlap_and_never_last_into_the_end(
            secs in 0.0..60.0f64,
            shares in prop::collection::vec(0.0..1.0f64, 0..5),
            is_answer in any::<bool>(),
            goes_on in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let mut resumes: Vec<f64> = shares.iter().map(|share| 3.0 + share * secs).collect();
            resumes.sort_by(f64::total_cmp);
            let turn = Turn { from: 3.0, to: 3.0 + secs, resumes, is_answer, goes_on };
            let glances = averted(&turn, &Chance::new(seed, "turn"));
            prop_assert!(glances.iter().all(|glance| glance.to - glance.from >= SHORTEST_SECS - 1e-9));
            prop_assert!(glances.iter().all(|glance| glance.to <= turn.to));
            for pair in glances.windows(2) {
                prop_assert!(pair[1].from - pair[0].to >= SHORTEST_SECS - 1e-9, "{pair:?}");
            }
        }
    }
}
