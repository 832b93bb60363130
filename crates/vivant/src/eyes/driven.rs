//! Eyes that are driven from outside: by an eye tracker, a headset, or another gaze model.
//!
//! Lids need to know what the eyes do, not only where they point: a saccade takes the lid along with
//! its own dynamics, a small or smooth movement sets it directly (paper 1, Figure 2, steps 2 to 4), and
//! a blink interrupts both (Figure 5). A tracker gives angles at its own rate, noisy and with gaps. The
//! [`Classifier`] says of each sample, as it comes, what it means:
//!
//! ```
//! use vivant::eyes::driven::{Classifier, EyeSample, Movement, Thresholds};
//! let mut classifier = Classifier::new(Thresholds::default());
//! for i in 0..60 {
//!     let both = Some([if i < 30 { 0.0 } else { 10.0 }, 0.0]);
//!     let verdict = classifier.push(&EyeSample { left: both, right: both, ..EyeSample::at(f64::from(i) / 60.0) });
//!     assert_eq!(verdict.saccade_began, i == 30);
//! }
//! ```
//!
//! **What it waits for.** A verdict uses this sample and earlier ones only. The angles are compared over
//! three spans at once: 5, 12 and 30 ms, each at least one sample. Up to 250 Hz the shortest is one
//! sample, so that a movement which stands clear of the noise is recognised with the first sample that
//! shows it; above, within 5 ms. What the noise hides for that long is found by the longer spans. A
//! saccade's end is recognised as much later than it happens; saccades are therefore reported twice, once
//! when they begin and once with their size.
//!
//! **What is above the noise.** On each axis and span the threshold is the fixed one or a multiple of the
//! running noise, whichever is more, as in Engbert & Kliegl 2003. The noise is a running median, which
//! the saccades themselves hardly move.
//!
//! **Smooth is smooth.** Eyes that counter a turning head move as in pursuit, and so do their lids: a
//! sustained velocity in one direction is called pursuit whatever its cause.

pub(crate) mod clock;
mod lids;
mod noise;
mod pair;
mod smooth;
mod track;

use crate::eyes::saccade::MainSequence;
use clock::Clock;
use lids::LidSignal;
use noise::Noise;
use pair::Pair;
use serde::{Deserialize, Serialize};
use smooth::Smooth;
use track::{Point, Step, Track, length, minus};

/// One sample of a tracker: eyes in the head, in degrees, yaw positive to the character's left, pitch
/// positive up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EyeSample {
    /// When it was taken, on the tracker's clock.
    pub secs: f64,
    /// Yaw and pitch of the left eye; `None` or not a number where the tracker has lost it.
    pub left: Option<[f64; 2]>,
    /// Yaw and pitch of the right eye.
    pub right: Option<[f64; 2]>,
    /// The source's own verdict, which is taken at its word.
    pub movement: Option<Movement>,
    /// Whether the lids are down, where the source knows.
    pub blink: Option<bool>,
    /// How open the left and the right eye are, where the source measures it. Any unit will do: it is
    /// compared with how open they usually are.
    pub openness: Option<[f64; 2]>,
}

impl EyeSample {
    /// A sample that says nothing, to be filled in.
    #[must_use]
    pub fn at(secs: f64) -> Self {
        Self { secs, left: None, right: None, movement: None, blink: None, openness: None }
    }
}

/// What eyes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Movement {
    /// They rest, but for drift, tremor and jumps too small to matter.
    Fixation,
    /// They follow something smoothly, or counter a turning head.
    Pursuit,
    /// They jump.
    Saccade,
}

/// A saccade that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaccadeSize {
    /// How far it went, from start to landing.
    pub amplitude_deg: f64,
    /// Its vertical part, positive up.
    pub vertical_deg: f64,
    /// From the sample that began it to the one that ended it; of a jump over a gap, the gap's length.
    pub secs: f64,
}

/// What one sample means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What the eyes do; `None` in a gap.
    pub movement: Option<Movement>,
    /// Yaw and pitch of the direction between both eyes, in degrees; `None` in a gap.
    ///
    /// While one eye is lost, half of the difference that both last had is added to the other, so that
    /// the direction does not jump.
    pub gaze: Option<[f64; 2]>,
    /// Yaw of the left eye less that of the right: negative for eyes that meet on something near. While
    /// one eye is lost, what both last had; zero if both were never seen.
    pub vergence_deg: f64,
    /// A saccade begins with this sample. Each beginning is followed by one `saccade_ended`.
    pub saccade_began: bool,
    /// A saccade has ended before this sample. With `saccade_began` at the same time it has happened
    /// unseen, in a gap.
    pub saccade_ended: Option<SaccadeSize>,
    /// The lids go down with this sample.
    pub blink_began: bool,
    /// The lids go up again. With `blink_began` at the same time the blink has happened between this
    /// sample and the one before.
    pub blink_ended: bool,
    /// This sample has no direction to show: both eyes are lost, or behind closed lids.
    pub is_gap: bool,
    /// The expected time to the next sample, for interpolation.
    pub period_secs: f64,
}

/// What makes a saccade, a pursuit, a blink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Thresholds {
    /// The slowest peak of a saccade: 40°/s, that of one of 0.6° by the main sequence.
    pub saccade_deg_per_s: f64,
    /// The slowest pursuit: 4°/s, well above drift (FACTS, section 2).
    pub pursuit_deg_per_s: f64,
    /// Below this a movement is small, and lids are set directly (paper 1, Figure 2, step 4): 0.5°. What
    /// has come half as far may already begin a saccade.
    pub small_deg: f64,
    /// How many standard deviations of the noise a saccade must exceed: 6 (Engbert & Kliegl 2003).
    pub noise_factor: f64,
    /// A loss of both eyes for 80 to 500 ms is a blink: no. For sources without any other sign of blinks.
    pub gap_is_blink: bool,
    /// Directions are meant while the lids are down: no, for a camera does not see them. For sources that
    /// make the gaze up instead of measuring it.
    pub sees_through_lids: bool,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            saccade_deg_per_s: 40.0,
            pursuit_deg_per_s: 4.0,
            small_deg: 0.5,
            noise_factor: 6.0,
            gap_is_blink: false,
            sees_through_lids: false,
        }
    }
}

impl Thresholds {
    /// What is no positive number becomes the default.
    fn sound(self) -> Self {
        let or = |value: f64, default: f64| if value > 0.0 && value.is_finite() { value } else { default };
        let default = Self::default();
        Self {
            saccade_deg_per_s: or(self.saccade_deg_per_s, default.saccade_deg_per_s),
            pursuit_deg_per_s: or(self.pursuit_deg_per_s, default.pursuit_deg_per_s),
            small_deg: or(self.small_deg, default.small_deg),
            noise_factor: or(self.noise_factor, default.noise_factor),
            ..self
        }
    }
}

/// The spans over which angles are compared.
const SPANS_SECS: [f64; 3] = [0.0048, 0.012, 0.030];
/// The duration of the smallest saccades. Seen over a longer span, they are slower by as much.
const SHORTEST_SACCADE_SECS: f64 = 0.025;
/// What goes on for longer than saccades of its size do, by this factor and time, is something else: the
/// sudden beginning of a pursuit. That needs a little more than 0.1 s to be seen for what it is.
const LONGEST_SACCADE: (f64, f64) = (1.5, 0.04);
const LEAST_LONGEST_SECS: f64 = 0.11;
/// Where more than this share of the last second or so seems to be saccades, it is noise.
const MOST_IN_SACCADES: f64 = 0.5;
const SHARE_SECS: f64 = 1.0;
/// A saccade ends when it is slower than this share of the threshold, for as long as …
const END_SHARE: f64 = 0.5;
/// … this.
const SETTLED_SECS: f64 = 0.004;
/// For so long after a saccade the eye may wobble: the lens and the iris swing in it.
const WOBBLE_SECS: f64 = 0.06;
/// How far it may wobble, and how far as a share of the saccade.
const WOBBLE_DEG: f64 = 1.0;
const WOBBLE_SHARE: f64 = 0.25;
/// Two samples further apart than this, and than 2.5 periods, have a gap between them.
const GAP_SECS: f64 = 0.02;

/// A saccade under way.
#[derive(Clone, Copy, Debug)]
struct Jump {
    began_secs: f64,
    from: [f64; 2],
    /// The span that showed it, and that will show its end.
    span: usize,
    settled_since: Option<f64>,
}

/// Where and when the last saccade landed.
#[derive(Clone, Copy, Debug)]
struct Landing {
    secs: f64,
    at: [f64; 2],
    amplitude_deg: f64,
}

/// Says of each sample of a tracker what it means; see the [module](self).
#[derive(Clone, Debug)]
pub struct Classifier {
    thresholds: Thresholds,
    clock: Clock,
    lids: LidSignal,
    pair: Pair,
    track: Track,
    noise: [Noise; SPANS_SECS.len()],
    smooth: Smooth,
    jump: Option<Jump>,
    landing: Option<Landing>,
    /// The share of time in saccades, lately.
    in_saccades: f64,
    last: Verdict,
}

impl Classifier {
    /// A classifier that has seen nothing. Thresholds that are no positive numbers become the defaults.
    #[must_use]
    pub fn new(thresholds: Thresholds) -> Self {
        let clock = Clock::default();
        Self {
            thresholds: thresholds.sound(),
            last: Verdict::nothing(clock.period_secs()),
            clock,
            lids: LidSignal::default(),
            pair: Pair::default(),
            track: Track::default(),
            noise: Default::default(),
            smooth: Smooth::default(),
            jump: None,
            landing: None,
            in_saccades: 0.0,
        }
    }

    /// Takes the next sample.
    ///
    /// A sample that is not later than the one before, or whose time is no number, is ignored: the
    /// verdict is the last one, without its edges. After 30 samples before the latest one the source is
    /// taken to have started anew.
    pub fn push(&mut self, sample: &EyeSample) -> Verdict {
        let Some(tick) = self.clock.tick(sample.secs) else {
            return self.last.without_edges();
        };
        let mut verdict = Verdict::nothing(self.clock.period_secs());
        let seen = self.pair.join(sample, tick.step_secs);
        let lids = self.lids.push(sample, tick.step_secs, seen.is_some(), &self.thresholds);
        (verdict.blink_began, verdict.blink_ended) = (lids.began, lids.ended);
        verdict.vergence_deg = self.pair.vergence_deg();
        let shown = !lids.closed || self.thresholds.sees_through_lids;
        if let Some(at) = seen.filter(|_| shown) {
            self.see(Point { secs: sample.secs, at }, sample.movement, tick.restarted, &mut verdict);
        } else {
            self.miss(sample.secs, &mut verdict);
        }
        self.last = verdict;
        verdict
    }

    fn see(&mut self, point: Point, told: Option<Movement>, restarted: bool, verdict: &mut Verdict) {
        (verdict.gaze, verdict.is_gap) = (Some(point.at), false);
        let before = self.track.settled(SPANS_SECS[0]);
        if restarted || self.is_long_ago(point.secs, verdict.period_secs) {
            self.forget();
            // A saccade that is said to be under way will be reported by its end.
            if told != Some(Movement::Saccade) {
                self.land_after_gap(before, point, verdict);
            }
        }
        self.track.push(point, verdict.period_secs);
        self.smooth.push(point, verdict.period_secs);
        verdict.movement = Some(match told {
            Some(movement) => self.obey(movement, before, point, verdict),
            None => self.judge(point, verdict),
        });
    }

    /// Whether the last point is so old that there is a gap after it.
    fn is_long_ago(&self, secs: f64, period_secs: f64) -> bool {
        self.track.newest().is_some_and(|last| secs - last.secs > GAP_SECS.max(2.5 * period_secs))
    }

    /// A saccade that is lost from sight has ended where it was seen last.
    fn miss(&mut self, secs: f64, verdict: &mut Verdict) {
        if let (Some(jump), Some(last), true) =
            (self.jump, self.track.newest(), self.is_long_ago(secs, verdict.period_secs))
        {
            self.end(jump, last, last.at, verdict);
        }
    }

    /// What was before a gap shows nothing about what is after it.
    fn forget(&mut self) {
        self.track.clear();
        self.smooth.clear(true);
        self.landing = None;
    }

    /// Reports what must have happened in a gap.
    fn land_after_gap(&mut self, before: Option<Point>, point: Point, verdict: &mut Verdict) {
        if let Some(jump) = self.jump.take() {
            verdict.saccade_ended = Some(size(jump.from, point.at, point.secs - jump.began_secs));
        } else if let Some(before) = before {
            let noise = self.thresholds.noise_factor * self.noise[0].total_deg();
            if length(minus(point.at, before.at)) >= self.thresholds.small_deg.max(noise) {
                verdict.saccade_began = true;
                verdict.saccade_ended = Some(size(before.at, point.at, point.secs - before.secs));
            }
        }
    }

    /// Takes the source's verdict.
    fn obey(
        &mut self,
        told: Movement,
        before: Option<Point>,
        point: Point,
        verdict: &mut Verdict,
    ) -> Movement {
        match (self.jump, told) {
            (None, Movement::Saccade) => {
                let from = before.unwrap_or(point).at;
                self.jump = Some(Jump { began_secs: point.secs, from, span: 0, settled_since: None });
                verdict.saccade_began = true;
            }
            (Some(jump), Movement::Fixation | Movement::Pursuit) => {
                self.end(jump, point, point.at, verdict);
            }
            _ => {}
        }
        told
    }

    /// Comes to a verdict of our own.
    fn judge(&mut self, point: Point, verdict: &mut Verdict) -> Movement {
        let steps =
            SPANS_SECS.map(|span| self.track.step(span.max(verdict.period_secs), verdict.period_secs));
        let movement = match self.jump {
            Some(jump) => self.follow(jump, &steps, point, verdict),
            None => self.watch(&steps, point, verdict),
        };
        self.learn_noise(&steps, movement, verdict.period_secs);
        movement
    }

    fn learn_noise(&mut self, steps: &[Option<Step>; 3], movement: Movement, period_secs: f64) {
        let jumping = f64::from(u8::from(movement == Movement::Saccade));
        self.in_saccades += (jumping - self.in_saccades) * (period_secs / SHARE_SECS);
        if jumping > 0.0 && self.in_saccades < MOST_IN_SACCADES {
            return;
        }
        for (noise, step) in self.noise.iter_mut().zip(steps) {
            if let Some(step) = step {
                let way = self.smooth.surprise(step.velocity).map(|v| v * step.lever_secs);
                noise.push(way, period_secs);
            }
        }
    }

    /// No saccade is under way: does one begin?
    fn watch(&mut self, steps: &[Option<Step>; 3], point: Point, verdict: &mut Verdict) -> Movement {
        let seen = (0..steps.len())
            .find(|&span| steps[span].is_some_and(|step| self.is_saccade(span, &step, point.secs)));
        if let Some(span) = seen {
            let from = self.track.start(
                steps[span].map_or(0.0, |step| step.span_secs),
                verdict.period_secs,
                |speed| speed > self.start_deg_per_s(verdict.period_secs),
            );
            self.jump = Some(Jump {
                began_secs: point.secs,
                from: from.unwrap_or(point.at),
                span,
                settled_since: None,
            });
            self.smooth.clear(false);
            verdict.saccade_began = true;
            return Movement::Saccade;
        }
        let quiet = self.noise[2].total_deg() / SPANS_SECS[2].max(verdict.period_secs);
        if self.smooth.is_pursuit(self.thresholds.pursuit_deg_per_s, quiet, verdict.period_secs) {
            Movement::Pursuit
        } else {
            Movement::Fixation
        }
    }

    /// Below this speed a movement has not begun yet, when its start is looked for.
    fn start_deg_per_s(&self, period_secs: f64) -> f64 {
        let span = SPANS_SECS[0].max(period_secs);
        let fixed = 0.25 * self.fixed_deg_per_s(span);
        fixed.max(1.5 * self.noise[0].total_deg() / span)
    }

    /// The fixed threshold over a span.
    fn fixed_deg_per_s(&self, span_secs: f64) -> f64 {
        self.thresholds.saccade_deg_per_s * (SHORTEST_SACCADE_SECS / span_secs).min(1.0)
    }

    fn is_saccade(&self, span: usize, step: &Step, secs: f64) -> bool {
        let fixed = self.fixed_deg_per_s(step.span_secs);
        let deviation = self.noise[span].deviation_deg().map(|deviation| deviation / step.lever_secs);
        let surprise = self.smooth.surprise(step.velocity);
        let ratio = |axis: usize| surprise[axis] / fixed.max(self.thresholds.noise_factor * deviation[axis]);
        let far = length(surprise) * step.lever_secs >= 0.5 * self.thresholds.small_deg;
        far && length([ratio(0), ratio(1)]) > 1.0 && !self.is_wobble(step, secs)
    }

    fn is_wobble(&self, step: &Step, secs: f64) -> bool {
        self.landing.is_some_and(|landing| {
            secs - landing.secs < WOBBLE_SECS
                && length(minus(step.newest, landing.at))
                    < WOBBLE_DEG.max(WOBBLE_SHARE * landing.amplitude_deg)
        })
    }

    /// A saccade is under way: does it end?
    fn follow(
        &mut self,
        jump: Jump,
        steps: &[Option<Step>; 3],
        point: Point,
        verdict: &mut Verdict,
    ) -> Movement {
        let Some(step) = steps[jump.span] else {
            return Movement::Saccade;
        };
        let since = self.is_settled(&jump, &step).then(|| jump.settled_since.unwrap_or(point.secs));
        self.jump = Some(Jump { settled_since: since, ..jump });
        let settled = since.is_some_and(|since| point.secs - since + verdict.period_secs >= SETTLED_SECS);
        if settled {
            self.end(jump, point, step.newest, verdict);
            self.track.keep(step.newest_count);
            self.smooth.clear(false);
            return Movement::Fixation;
        }
        let (factor, more) = LONGEST_SACCADE;
        let usual = MainSequence::default().duration_secs(length(minus(step.newest, jump.from)));
        if point.secs - jump.began_secs
            > (factor * usual + more).max(LEAST_LONGEST_SECS) + verdict.period_secs
        {
            self.end(jump, point, step.newest, verdict);
            let steady = self.smooth.is_pursuit(self.thresholds.pursuit_deg_per_s, 0.0, verdict.period_secs);
            return if steady { Movement::Pursuit } else { Movement::Fixation };
        }
        Movement::Saccade
    }

    /// Whether it goes on no more, or not in its direction.
    fn is_settled(&self, jump: &Jump, step: &Step) -> bool {
        let way = minus(step.newest, jump.from);
        let far = length(way).max(1e-9);
        let direction = [way[0] / far, way[1] / far];
        let surprise = self.smooth.surprise(step.velocity);
        let deviation = self.noise[jump.span].deviation_deg().map(|deviation| deviation / step.lever_secs);
        let along = surprise[0] * direction[0] + surprise[1] * direction[1];
        let noise = length([deviation[0] * direction[0], deviation[1] * direction[1]]);
        let most = self.fixed_deg_per_s(step.span_secs).max(self.thresholds.noise_factor * noise);
        along < END_SHARE * most
    }

    fn end(&mut self, jump: Jump, point: Point, at: [f64; 2], verdict: &mut Verdict) {
        let ended = size(jump.from, at, point.secs - jump.began_secs);
        self.jump = None;
        self.landing = Some(Landing { secs: point.secs, at, amplitude_deg: ended.amplitude_deg });
        verdict.saccade_ended = Some(ended);
    }
}

fn size(from: [f64; 2], to: [f64; 2], secs: f64) -> SaccadeSize {
    let way = minus(to, from);
    SaccadeSize { amplitude_deg: length(way), vertical_deg: way[1], secs: secs.max(0.0) }
}

impl Verdict {
    fn nothing(period_secs: f64) -> Self {
        Self {
            movement: None,
            gaze: None,
            vergence_deg: 0.0,
            saccade_began: false,
            saccade_ended: None,
            blink_began: false,
            blink_ended: false,
            is_gap: true,
            period_secs,
        }
    }

    fn without_edges(self) -> Self {
        Self { saccade_began: false, saccade_ended: None, blink_began: false, blink_ended: false, ..self }
    }
}
