//! Gaze aversion in conversations: to think, to keep the floor, and to regulate intimacy.
//!
//! The statistics are from Andrist, Tan, Gleicher & Mutlu (2014), measured from conversations on
//! video. **Cognitive** aversions occur at the start of an answer and go up. **Floor** aversions occur where a
//! speaker pauses and continues. **Intimacy** aversions occur at intervals and go to the side. At the end of a turn
//! the speaker looks at the other person, which yields the turn.
//!
//! ```
//! use vivant::chance::Chance;
//! use vivant::eyes::aversion::{Turn, speaking_aversions};
//!
//! let turn = Turn { from: 2.0, to: 20.0, resumes: vec![9.0], is_answer: true, goes_on: false };
//! let glances = speaking_aversions(&turn, &Chance::new(7, "turn"));
//! assert!(glances.windows(2).all(|pair| pair[0].to < pair[1].from));
//! assert!(glances.last().unwrap().to < 19.0);
//! ```

use crate::chance::{Chance, Draw};
use crate::eyes::normal::LogNormal;
use crate::math::{cos, sin};

/// Reason for a gaze aversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Thinking about what to say.
    Cognitive,
    /// Keeping the floor during a pause.
    Floor,
    /// Regulating intimacy: long mutual gaze is uncomfortable.
    Intimacy,
}

/// One gaze aversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aversion {
    /// Reason for the aversion.
    pub reason: Reason,
    /// Start time in seconds.
    pub from: f64,
    /// End time in seconds.
    pub to: f64,
    /// Yaw offset in degrees, positive to the character's left.
    pub yaw_deg: f64,
    /// Pitch offset in degrees, positive up.
    pub pitch_deg: f64,
}

/// A turn of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// Time at which the voice starts, in seconds.
    pub from: f64,
    /// Time at which the voice ends, in seconds.
    pub to: f64,
    /// Times at which the voice resumes after a pause within the turn, in seconds.
    pub resumes: Vec<f64>,
    /// True if the turn is an answer for which the speaker must think first.
    pub is_answer: bool,
    /// True if more speech follows. The speaker then keeps the turn, and need not look at the other person before
    /// `to`.
    pub goes_on: bool,
}

/// A duration with mean and standard deviation, in seconds.
struct Span {
    mean: f64,
    deviation: f64,
}

const COGNITIVE: Span = Span { mean: 3.54, deviation: 1.26 };
/// Part of a cognitive aversion that lies before the start of the voice, as a fraction: 1.32 s of 3.54 s.
const COGNITIVE_BEFORE: f64 = 1.32 / 3.54;
const FLOOR: Span = Span { mean: 2.30, deviation: 1.10 };
/// Part of a floor aversion that lies before the voice resumes, as a fraction: 1.03 s of 2.30 s.
const FLOOR_BEFORE: f64 = 1.03 / 2.30;
/// Duration of intimacy aversions, and interval from the end of one aversion to the start of the next.
struct Intimacy {
    duration: Span,
    interval: Span,
}

/// Intimacy aversions of speakers, with the values of Andrist 2014: 1.96 ± 0.32 s each, every 4.75 ± 1.39 s from start
/// to start. With these aversions alone, speakers would look at the other person for 59 % of the time; cognitive and
/// floor aversions bring the share closer to the 41 % of Argyle & Cook (1976).
const SPEAKING: Intimacy = Intimacy {
    duration: Span { mean: 1.96, deviation: 0.32 },
    interval: Span { mean: 2.79, deviation: 1.353 },
};
/// Intimacy aversions of listeners. Andrist's values, 1.14 ± 0.27 s every 7.21 ± 1.88 s, would mean mutual gaze for
/// 84 % of the time. Others found 75 % (Argyle & Cook) and 30 to 80 % (Kendon 1967). The values here, 1.35 s every
/// 5.5 s, are within one standard deviation of Andrist's and agree with all three sources.
const LISTENING: Intimacy = Intimacy {
    duration: Span { mean: 1.35, deviation: 0.27 },
    interval: Span { mean: 4.15, deviation: 1.86 },
};
/// Duration for which a speaker looks at the other person before a turn ends, in seconds.
const YIELDING: Span = Span { mean: 2.41, deviation: 0.56 };
/// Shortest aversion in seconds; if cutting makes an aversion shorter, it is dropped. Also the shortest time between
/// two aversions.
pub const SHORTEST_SECS: f64 = 0.4;
/// Range of amplitudes in degrees (our design: smaller aversions would look like mutual gaze, and larger ones would
/// turn the head).
const SIZES_DEG: [f64; 2] = [8.0, 20.0];

impl Turn {
    /// Returns the time in seconds from which the speaker looks at the other person to yield the turn; `to` if the
    /// turn goes on.
    #[must_use]
    pub fn yields_at(&self, chance: &Chance) -> f64 {
        let yielding_secs = if self.goes_on { 0.0 } else { YIELDING.secs(&mut chance.event(0)) };
        self.to - yielding_secs
    }
}

impl Span {
    /// Draws a log-normal duration, which is never negative, with this mean and deviation.
    fn secs(&self, draw: &mut Draw) -> f64 {
        LogNormal::with_mean_and_deviation(self.mean, self.deviation).quantile(draw.uniform())
    }
}

/// Returns the gaze aversions of a speaker during a turn, in order and without overlaps. Earlier aversions do not
/// depend on later parts of the turn: if a turn gets longer, its first aversions stay the same.
#[must_use]
pub fn speaking_aversions(turn: &Turn, chance: &Chance) -> Vec<Aversion> {
    let yields_at = turn.yields_at(chance);
    let answer = turn.is_answer.then(|| around_onset(Reason::Cognitive, turn.from, &mut chance.event(1)));
    let floor = turn.resumes.iter().zip(0u64..);
    let floor = floor.map(|(at, place)| around_onset(Reason::Floor, *at, &mut chance.event(2 + 2 * place)));
    // Intimacy aversions are numbered from the start of the turn, so that an additional cognitive or floor aversion
    // does not change earlier aversions.
    let mut averted: Vec<Aversion> = Vec::new();
    let mut drawn = (0u64..).map(|place| chance.event(3 + 2 * place));
    let mut next = || drawn.next().expect("the iterator is infinite");
    for reason in answer.into_iter().chain(floor) {
        add_intimacy_aversions(&mut averted, turn.from, reason.from.min(yields_at), &SPEAKING, &mut next);
        let free_from = averted.last().map_or(f64::NEG_INFINITY, |last| last.to + SHORTEST_SECS);
        averted.extend(cut_to(reason, free_from, yields_at));
    }
    add_intimacy_aversions(&mut averted, turn.from, yields_at, &SPEAKING, &mut next);
    averted
}

/// Returns the gaze aversions of a listener from `from` to `to` (in seconds), in order.
#[must_use]
pub fn listening_aversions(from: f64, to: f64, chance: &Chance) -> Vec<Aversion> {
    let mut averted = Vec::new();
    let mut drawn = (0u64..).map(|place| chance.event(place));
    add_intimacy_aversions(&mut averted, from, to, &LISTENING, &mut || {
        drawn.next().expect("the iterator is infinite")
    });
    averted
}

/// Returns an aversion around the time at which the voice starts or resumes.
fn around_onset(reason: Reason, at: f64, draw: &mut Draw) -> Aversion {
    let (span, before) = match reason {
        Reason::Cognitive => (COGNITIVE, COGNITIVE_BEFORE),
        _ => (FLOOR, FLOOR_BEFORE),
    };
    let secs = span.secs(draw);
    with_direction(reason, at - before * secs, secs, draw)
}

/// Returns a floor aversion that starts at `at`, for a speaker who searches for words but keeps the turn.
#[must_use]
pub fn floor_aversion(at: f64, draw: &mut Draw) -> Aversion {
    let secs = FLOOR.secs(draw);
    with_direction(Reason::Floor, at, secs, draw)
}

/// Cuts an aversion to the time range from `from` to `to`. Returns `None` if less than [`SHORTEST_SECS`] is left.
fn cut_to(aversion: Aversion, from: f64, to: f64) -> Option<Aversion> {
    let cut = Aversion { from: aversion.from.max(from), to: aversion.to.min(to), ..aversion };
    (cut.to - cut.from >= SHORTEST_SECS).then_some(cut)
}

/// Adds intimacy aversions from the last aversion (or the start of the turn) up to `until`.
fn add_intimacy_aversions(
    averted: &mut Vec<Aversion>,
    from: f64,
    until: f64,
    intimacy: &Intimacy,
    next: &mut impl FnMut() -> Draw,
) {
    loop {
        let mut draw = next();
        let after = averted.last().map_or(from, |last| last.to);
        let at = after + intimacy.interval.secs(&mut draw).max(SHORTEST_SECS);
        let aversion = with_direction(Reason::Intimacy, at, intimacy.duration.secs(&mut draw), &mut draw);
        if aversion.to + SHORTEST_SECS >= until {
            return;
        }
        averted.push(aversion);
    }
}

fn with_direction(reason: Reason, from: f64, secs: f64, draw: &mut Draw) -> Aversion {
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

/// Draws a direction in degrees, with 0° to the left and 90° up: 70 % to the sides, 10 % up and 20 % down. Cognitive
/// aversions go up in 70 % of cases and to the sides in 10 %. A random angle of up to 30° is added to each direction
/// (our design).
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
        (0..count).map(|seed| speaking_aversions(turn, &Chance::new(seed, "turn"))).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn deviation(values: &[f64]) -> f64 {
        let middle = mean(values);
        mean(&values.iter().map(|value| (value - middle) * (value - middle)).collect::<Vec<_>>()).sqrt()
    }

    /// Checks that the mean is within four standard errors (99.99 % of runs) and the deviation within 5 %.
    fn check(values: &[f64], span: &Span) {
        let error = 4.0 * span.deviation / (values.len() as f64).sqrt();
        assert!((mean(values) - span.mean).abs() < error, "{}, expected {}", mean(values), span.mean);
        assert!((deviation(values) / span.deviation - 1.0).abs() < 0.05, "{}", deviation(values));
    }

    fn lengths(turns: &[Vec<Aversion>], reason: Reason) -> Vec<f64> {
        let all = turns.iter().flatten().filter(|aversion| aversion.reason == reason);
        all.map(|aversion| aversion.to - aversion.from).collect()
    }

    #[test]
    fn answers_start_with_a_cognitive_aversion() {
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
    fn resuming_after_a_pause_has_a_floor_aversion() {
        let turn = Turn { from: 0.0, to: 120.0, resumes: vec![60.0], ..Turn::default() };
        let turns = many(&turn, 20_000);
        let floor: Vec<&Aversion> = turns.iter().flatten().filter(|a| a.reason == Reason::Floor).collect();
        check(&lengths(&turns, Reason::Floor), &FLOOR);
        let begins: Vec<f64> = floor.iter().map(|aversion| aversion.from - 60.0).collect();
        assert!((mean(&begins) + 1.03).abs() < 0.02, "{}", mean(&begins));
    }

    #[test]
    fn speakers_avert_regularly_and_look_back_at_the_end() {
        let turns = many(&Turn { from: 0.0, to: 600.0, ..Turn::default() }, 400);
        check(&lengths(&turns, Reason::Intimacy), &SPEAKING.duration);
        let after = turns.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].to));
        check(&after.collect::<Vec<f64>>(), &SPEAKING.interval);
        let sides = turns.iter().flatten().filter(|a| a.yaw_deg.abs() > a.pitch_deg.abs()).count();
        let every: Vec<f64> =
            turns.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].from)).collect();
        check(&every, &Span { mean: 4.75, deviation: 1.39 });
        let share = sides as f64 / turns.iter().flatten().count() as f64;
        assert!((share - 0.7).abs() < 0.01, "{share}");
        assert!(turns.iter().all(|turn| turn.last().unwrap().to < 599.5));
    }

    #[test]
    fn listeners_look_away_less_often_and_for_less_time() {
        let all: Vec<Vec<Aversion>> =
            (0..400).map(|seed| listening_aversions(0.0, 600.0, &Chance::new(seed, "turn"))).collect();
        check(&lengths(&all, Reason::Intimacy), &LISTENING.duration);
        let after = all.iter().flat_map(|turn| turn.windows(2).map(|pair| pair[1].from - pair[0].to));
        check(&after.collect::<Vec<f64>>(), &LISTENING.interval);
        // Within one deviation of Andrist's values.
        assert!((LISTENING.duration.mean - 1.14).abs() < 0.27);
        assert!((LISTENING.duration.mean + LISTENING.interval.mean - 7.21).abs() < 1.88);
    }

    proptest! {
        #[test]
        fn a_growing_turn_keeps_its_first_aversions(
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
            let (before, after) = (speaking_aversions(&turn, &chance), speaking_aversions(&longer, &chance));
            // Aversions close to the old end may change.
            let kept = before.iter().take_while(|glance| glance.to < secs - 12.0).count();
            prop_assert_eq!(&before[..kept], &after[..kept]);
        }

        #[test]
        fn aversions_never_overlap_or_pass_the_end(
            secs in 0.0..60.0f64,
            shares in prop::collection::vec(0.0..1.0f64, 0..5),
            is_answer in any::<bool>(),
            goes_on in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let mut resumes: Vec<f64> = shares.iter().map(|share| 3.0 + share * secs).collect();
            resumes.sort_by(f64::total_cmp);
            let turn = Turn { from: 3.0, to: 3.0 + secs, resumes, is_answer, goes_on };
            let glances = speaking_aversions(&turn, &Chance::new(seed, "turn"));
            prop_assert!(glances.iter().all(|glance| glance.to - glance.from >= SHORTEST_SECS - 1e-9));
            prop_assert!(glances.iter().all(|glance| glance.to <= turn.to));
            for pair in glances.windows(2) {
                prop_assert!(pair[1].from - pair[0].to >= SHORTEST_SECS - 1e-9, "{pair:?}");
            }
        }
    }
}
