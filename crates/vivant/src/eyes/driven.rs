//! Eyes driven by an eye tracker, a headset or another gaze model.
//!
//! Lids depend on the kind of eye movement, not only on the gaze direction: with a saccade, the lid moves with its own
//! dynamics; with a small or smooth movement, the lid follows directly (paper 1, Figure 2, steps 2 to 4). A blink
//! interrupts both kinds of lid movement (Figure 5). A tracker sends angles at its own rate, with noise and gaps. The
//! [`Classifier`] classifies each sample as it arrives:
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
//! **Latency.** A verdict uses the current and earlier samples only. Angles are compared over three spans: 5, 12 and 30
//! ms, each at least one sample. Up to 250 Hz the shortest span is one sample, so a movement that is clearly above the
//! noise is recognised with its first sample; above 250 Hz, within 5 ms. Movements hidden by noise are found by the
//! longer spans. The end of a saccade is recognised with the same delay, so a saccade is reported twice: at its start,
//! and at its end with its size.
//!
//! **Noise.** On each axis and span the threshold is the larger of a fixed value and a multiple of the running
//! noise, as in Engbert & Kliegl 2003. The noise is a running median, which saccades hardly affect.
//!
//! **Pursuit.** Eyes that compensate a head turn (VOR) move as in pursuit, and so do their lids. So a sustained
//! velocity in one direction is always classified as pursuit.

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

/// One sample of an eye tracker: eye directions relative to the head, in degrees; yaw is positive to the
/// character's left, pitch is positive up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EyeSample {
    /// Timestamp in seconds, on the tracker's clock.
    pub secs: f64,
    /// Yaw and pitch of the left eye; `None` or NaN if the tracker has lost it.
    pub left: Option<[f64; 2]>,
    /// Yaw and pitch of the right eye; `None` or NaN if the tracker has lost it.
    pub right: Option<[f64; 2]>,
    /// Movement type reported by the source, if any. This value overrides the classifier.
    pub movement: Option<Movement>,
    /// True if the lids are closed; `None` if the source does not report lids.
    pub blink: Option<bool>,
    /// Openness of the left and right eye in any unit; `None` if the source does not measure it. The classifier
    /// compares it with the usual openness in earlier samples.
    pub openness: Option<[f64; 2]>,
}

impl EyeSample {
    /// Creates an empty sample with this timestamp.
    #[must_use]
    pub fn at(secs: f64) -> Self {
        Self { secs, left: None, right: None, movement: None, blink: None, openness: None }
    }
}

/// Type of eye movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Movement {
    /// The eyes rest, except for drift, tremor and very small saccades.
    Fixation,
    /// The eyes follow something smoothly, or compensate a head turn.
    Pursuit,
    /// The eyes jump to a new direction.
    Saccade,
}

/// Size of a completed saccade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaccadeSize {
    /// Amplitude in degrees, from start to landing.
    pub amplitude_deg: f64,
    /// Vertical component in degrees, positive up.
    pub vertical_deg: f64,
    /// Duration in seconds, from the first sample to the last. For a saccade within a gap, this is the duration of
    /// the gap.
    pub secs: f64,
}

/// Classification of one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Type of movement; `None` in a gap.
    pub movement: Option<Movement>,
    /// Gaze direction: mean yaw and pitch of both eyes in degrees; `None` in a gap.
    ///
    /// While one eye is lost, its direction is estimated from the other eye and the last difference between both
    /// eyes, so that the gaze direction does not jump.
    pub gaze: Option<[f64; 2]>,
    /// Yaw of the left eye minus yaw of the right eye, in degrees; negative for eyes that converge on a near target.
    /// While one eye is lost, this is the last known value; zero if both eyes were never visible together.
    pub vergence_deg: f64,
    /// True if a saccade starts with this sample. Every start is followed by one `saccade_ended`.
    pub saccade_began: bool,
    /// Size of the saccade whose end is recognised with this sample, if any. If `saccade_began` is also true, the
    /// whole saccade happened within a gap.
    pub saccade_ended: Option<SaccadeSize>,
    /// True if the lids close with this sample.
    pub blink_began: bool,
    /// True if the lids open with this sample. If `blink_began` is also true, the whole blink happened between the
    /// previous sample and this one.
    pub blink_ended: bool,
    /// True if the sample has no gaze direction: both eyes are lost or the lids are closed.
    pub is_gap: bool,
    /// Expected time to the next sample in seconds, for interpolation.
    pub period_secs: f64,
}

/// Thresholds for saccades, pursuit and blinks. Values that are not positive are replaced by the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Thresholds {
    /// Lowest peak velocity of a saccade. Default: 40°/s, the peak of a 0.6° saccade by the main sequence.
    pub saccade_deg_per_s: f64,
    /// Lowest velocity of pursuit. Default: 4°/s, well above drift (about 0.5°/s or less).
    pub pursuit_deg_per_s: f64,
    /// Amplitude below which a movement is small, in degrees. In small movements the lids follow directly (paper 1,
    /// Figure 2, step 4). Default: 0.5°. Movements below half of this amplitude are never detected as saccades.
    pub small_deg: f64,
    /// Number of standard deviations of the noise that a saccade must exceed. Default: 6 (Engbert & Kliegl 2003).
    pub noise_factor: f64,
    /// Treats a loss of both eyes for 80 to 500 ms as a blink, for sources that do not report blinks. Default:
    /// false.
    pub gap_is_blink: bool,
    /// Uses gaze directions while the lids are closed, for sources that generate the gaze instead of measuring it.
    /// Default: false, because a camera cannot see closed eyes.
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
    /// Replaces values that are not positive and finite by the defaults.
    fn sanitized(self) -> Self {
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

/// Spans in seconds over which angles are compared.
const SPANS_SECS: [f64; 3] = [0.0048, 0.012, 0.030];
/// Duration of the smallest saccades, in seconds. Over a longer span, their mean velocity is lower, so the threshold
/// is reduced in proportion.
const SHORTEST_SACCADE_SECS: f64 = 0.025;
/// Longest duration of a saccade: the usual duration times the first value, plus the second value in seconds. A longer
/// movement is not a saccade but the sudden start of pursuit. It takes a little more than 0.1 s to recognise this.
const LONGEST_SACCADE: (f64, f64) = (1.5, 0.04);
/// Lower limit of the longest saccade, in seconds.
const MIN_LONGEST_SECS: f64 = 0.11;
/// Maximum fraction of recent time that may be classified as saccades. Beyond it, these movements count as noise and
/// raise the noise estimate.
const MAX_SACCADE_SHARE: f64 = 0.5;
/// Time constant in seconds with which this fraction is measured.
const SHARE_SECS: f64 = 1.0;
/// A saccade ends when its speed stays below this fraction of the threshold for [`SETTLED_SECS`].
const END_SHARE: f64 = 0.5;
/// Seconds for which a saccade must be slow before it ends.
const SETTLED_SECS: f64 = 0.004;
/// Seconds after a saccade during which the eye may wobble, because lens and iris oscillate.
const WOBBLE_SECS: f64 = 0.06;
/// Largest wobble in degrees (`WOBBLE_DEG`), or as a fraction of the saccade amplitude (`WOBBLE_SHARE`); the larger
/// one applies.
const WOBBLE_DEG: f64 = 1.0;
const WOBBLE_SHARE: f64 = 0.25;
/// Minimum time between two samples that counts as a gap, in seconds. The time must also exceed 2.5 periods.
const GAP_SECS: f64 = 0.02;

/// A saccade in progress.
#[derive(Clone, Copy, Debug)]
struct ActiveSaccade {
    began_secs: f64,
    from: [f64; 2],
    /// Index of the span that detected the saccade and will detect its end.
    span: usize,
    settled_since: Option<f64>,
}

/// End of the last saccade: time in seconds, gaze direction in degrees, and amplitude.
#[derive(Clone, Copy, Debug)]
struct Landing {
    secs: f64,
    at: [f64; 2],
    amplitude_deg: f64,
}

/// Classifies tracker samples; see the [module](self) documentation.
#[derive(Clone, Debug)]
pub struct Classifier {
    thresholds: Thresholds,
    clock: Clock,
    lids: LidSignal,
    pair: Pair,
    track: Track,
    noise: [Noise; SPANS_SECS.len()],
    smooth: Smooth,
    saccade: Option<ActiveSaccade>,
    landing: Option<Landing>,
    /// Fraction of recent time that is classified as saccades.
    in_saccades: f64,
    last: Verdict,
}

impl Classifier {
    /// Creates a classifier without history. Thresholds that are not positive are replaced by the defaults.
    #[must_use]
    pub fn new(thresholds: Thresholds) -> Self {
        let clock = Clock::default();
        Self {
            thresholds: thresholds.sanitized(),
            last: Verdict::empty(clock.period_secs()),
            clock,
            lids: LidSignal::default(),
            pair: Pair::default(),
            track: Track::default(),
            noise: Default::default(),
            smooth: Smooth::default(),
            saccade: None,
            landing: None,
            in_saccades: 0.0,
        }
    }

    /// Classifies the next sample.
    ///
    /// A sample is ignored if its time is not finite or not later than the previous sample. The result is then the
    /// last verdict without start and end events. If more than 30 samples in a row are earlier than the latest time,
    /// the source is assumed to have restarted.
    pub fn push(&mut self, sample: &EyeSample) -> Verdict {
        let Some(tick) = self.clock.tick(sample.secs) else {
            return self.last.without_edges();
        };
        let mut verdict = Verdict::empty(self.clock.period_secs());
        let seen = self.pair.join(sample, tick.step_secs);
        let lids = self.lids.push(sample, tick.step_secs, seen.is_some(), &self.thresholds);
        (verdict.blink_began, verdict.blink_ended) = (lids.began, lids.ended);
        verdict.vergence_deg = self.pair.vergence_deg();
        let shown = !lids.closed || self.thresholds.sees_through_lids;
        if let Some(at) = seen.filter(|_| shown) {
            self.process_gaze(Point { secs: sample.secs, at }, sample.movement, tick.restarted, &mut verdict);
        } else {
            self.process_gap(sample.secs, &mut verdict);
        }
        self.last = verdict;
        verdict
    }

    fn process_gaze(
        &mut self,
        point: Point,
        source_movement: Option<Movement>,
        restarted: bool,
        verdict: &mut Verdict,
    ) {
        (verdict.gaze, verdict.is_gap) = (Some(point.at), false);
        let before = self.track.settled(SPANS_SECS[0]);
        if restarted || self.has_gap_before(point.secs, verdict.period_secs) {
            self.reset_history();
            // A saccade reported by the source is handled at its end.
            if source_movement != Some(Movement::Saccade) {
                self.land_after_gap(before, point, verdict);
            }
        }
        self.track.push(point, verdict.period_secs);
        self.smooth.push(point, verdict.period_secs);
        verdict.movement = Some(match source_movement {
            Some(movement) => self.apply_source_movement(movement, before, point, verdict),
            None => self.classify(point, verdict),
        });
    }

    /// Returns true if the last point is so old that there is a gap after it.
    fn has_gap_before(&self, secs: f64, period_secs: f64) -> bool {
        self.track.newest().is_some_and(|last| secs - last.secs > GAP_SECS.max(2.5 * period_secs))
    }

    /// Ends a saccade at its last visible position when the eyes are lost.
    fn process_gap(&mut self, secs: f64, verdict: &mut Verdict) {
        if let (Some(saccade), Some(last), true) =
            (self.saccade, self.track.newest(), self.has_gap_before(secs, verdict.period_secs))
        {
            self.end(saccade, last, last.at, verdict);
        }
    }

    /// Clears the history, because it is not valid after a gap.
    fn reset_history(&mut self) {
        self.track.clear();
        self.smooth.clear(true);
        self.landing = None;
    }

    /// Reports a saccade that happened within a gap.
    fn land_after_gap(&mut self, before: Option<Point>, point: Point, verdict: &mut Verdict) {
        if let Some(saccade) = self.saccade.take() {
            verdict.saccade_ended = Some(size(saccade.from, point.at, point.secs - saccade.began_secs));
        } else if let Some(before) = before {
            let noise = self.thresholds.noise_factor * self.noise[0].total_deg();
            if length(minus(point.at, before.at)) >= self.thresholds.small_deg.max(noise) {
                verdict.saccade_began = true;
                verdict.saccade_ended = Some(size(before.at, point.at, point.secs - before.secs));
            }
        }
    }

    /// Uses the movement type reported by the source.
    fn apply_source_movement(
        &mut self,
        source_movement: Movement,
        before: Option<Point>,
        point: Point,
        verdict: &mut Verdict,
    ) -> Movement {
        match (self.saccade, source_movement) {
            (None, Movement::Saccade) => {
                let from = before.unwrap_or(point).at;
                self.saccade =
                    Some(ActiveSaccade { began_secs: point.secs, from, span: 0, settled_since: None });
                verdict.saccade_began = true;
            }
            (Some(saccade), Movement::Fixation | Movement::Pursuit) => {
                self.end(saccade, point, point.at, verdict);
            }
            _ => {}
        }
        source_movement
    }

    /// Classifies the movement from the track.
    fn classify(&mut self, point: Point, verdict: &mut Verdict) -> Movement {
        let steps =
            SPANS_SECS.map(|span| self.track.step(span.max(verdict.period_secs), verdict.period_secs));
        let movement = match self.saccade {
            Some(saccade) => self.update_saccade(saccade, &steps, point, verdict),
            None => self.detect_saccade(&steps, point, verdict),
        };
        self.learn_noise(&steps, movement, verdict.period_secs);
        movement
    }

    fn learn_noise(&mut self, steps: &[Option<Step>; 3], movement: Movement, period_secs: f64) {
        let jumping = f64::from(u8::from(movement == Movement::Saccade));
        self.in_saccades += (jumping - self.in_saccades) * (period_secs / SHARE_SECS);
        if jumping > 0.0 && self.in_saccades < MAX_SACCADE_SHARE {
            return;
        }
        for (noise, step) in self.noise.iter_mut().zip(steps) {
            if let Some(step) = step {
                let way = self.smooth.unexplained(step.velocity).map(|v| v * step.mean_distance_secs);
                noise.push(way, period_secs);
            }
        }
    }

    /// Checks whether a saccade starts.
    fn detect_saccade(&mut self, steps: &[Option<Step>; 3], point: Point, verdict: &mut Verdict) -> Movement {
        let seen = (0..steps.len())
            .find(|&span| steps[span].is_some_and(|step| self.is_saccade(span, &step, point.secs)));
        if let Some(span) = seen {
            let from = self.track.start(
                steps[span].map_or(0.0, |step| step.span_secs),
                verdict.period_secs,
                |speed| speed > self.start_deg_per_s(verdict.period_secs),
            );
            self.saccade = Some(ActiveSaccade {
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

    /// Returns the speed in degrees per second below which the gaze counts as still, to find the start of a saccade.
    fn start_deg_per_s(&self, period_secs: f64) -> f64 {
        let span = SPANS_SECS[0].max(period_secs);
        let fixed = 0.25 * self.fixed_deg_per_s(span);
        fixed.max(1.5 * self.noise[0].total_deg() / span)
    }

    /// Returns the fixed velocity threshold for a span.
    fn fixed_deg_per_s(&self, span_secs: f64) -> f64 {
        self.thresholds.saccade_deg_per_s * (SHORTEST_SACCADE_SECS / span_secs).min(1.0)
    }

    fn is_saccade(&self, span: usize, step: &Step, secs: f64) -> bool {
        let fixed = self.fixed_deg_per_s(step.span_secs);
        let deviation = self.noise[span].deviation_deg().map(|deviation| deviation / step.mean_distance_secs);
        let unexplained = self.smooth.unexplained(step.velocity);
        let ratio =
            |axis: usize| unexplained[axis] / fixed.max(self.thresholds.noise_factor * deviation[axis]);
        let far = length(unexplained) * step.mean_distance_secs >= 0.5 * self.thresholds.small_deg;
        far && length([ratio(0), ratio(1)]) > 1.0 && !self.is_wobble(step, secs)
    }

    fn is_wobble(&self, step: &Step, secs: f64) -> bool {
        self.landing.is_some_and(|landing| {
            secs - landing.secs < WOBBLE_SECS
                && length(minus(step.newest, landing.at))
                    < WOBBLE_DEG.max(WOBBLE_SHARE * landing.amplitude_deg)
        })
    }

    /// Checks whether the current saccade has ended.
    fn update_saccade(
        &mut self,
        saccade: ActiveSaccade,
        steps: &[Option<Step>; 3],
        point: Point,
        verdict: &mut Verdict,
    ) -> Movement {
        let Some(step) = steps[saccade.span] else {
            return Movement::Saccade;
        };
        let since = self.is_settled(&saccade, &step).then(|| saccade.settled_since.unwrap_or(point.secs));
        self.saccade = Some(ActiveSaccade { settled_since: since, ..saccade });
        let settled = since.is_some_and(|since| point.secs - since + verdict.period_secs >= SETTLED_SECS);
        if settled {
            self.end(saccade, point, step.newest, verdict);
            self.track.keep(step.newest_count);
            self.smooth.clear(false);
            return Movement::Fixation;
        }
        let (factor, more) = LONGEST_SACCADE;
        let usual = MainSequence::default().duration_secs(length(minus(step.newest, saccade.from)));
        if point.secs - saccade.began_secs
            > (factor * usual + more).max(MIN_LONGEST_SECS) + verdict.period_secs
        {
            self.end(saccade, point, step.newest, verdict);
            let steady = self.smooth.is_pursuit(self.thresholds.pursuit_deg_per_s, 0.0, verdict.period_secs);
            return if steady { Movement::Pursuit } else { Movement::Fixation };
        }
        Movement::Saccade
    }

    /// Returns true if the saccade has stopped or no longer moves in its direction.
    fn is_settled(&self, saccade: &ActiveSaccade, step: &Step) -> bool {
        let way = minus(step.newest, saccade.from);
        let far = length(way).max(1e-9);
        let direction = [way[0] / far, way[1] / far];
        let unexplained = self.smooth.unexplained(step.velocity);
        let deviation =
            self.noise[saccade.span].deviation_deg().map(|deviation| deviation / step.mean_distance_secs);
        let along = unexplained[0] * direction[0] + unexplained[1] * direction[1];
        let noise = length([deviation[0] * direction[0], deviation[1] * direction[1]]);
        let most = self.fixed_deg_per_s(step.span_secs).max(self.thresholds.noise_factor * noise);
        along < END_SHARE * most
    }

    fn end(&mut self, saccade: ActiveSaccade, point: Point, at: [f64; 2], verdict: &mut Verdict) {
        let ended = size(saccade.from, at, point.secs - saccade.began_secs);
        self.saccade = None;
        self.landing = Some(Landing { secs: point.secs, at, amplitude_deg: ended.amplitude_deg });
        verdict.saccade_ended = Some(ended);
    }
}

fn size(from: [f64; 2], to: [f64; 2], secs: f64) -> SaccadeSize {
    let way = minus(to, from);
    SaccadeSize { amplitude_deg: length(way), vertical_deg: way[1], secs: secs.max(0.0) }
}

impl Verdict {
    fn empty(period_secs: f64) -> Self {
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
