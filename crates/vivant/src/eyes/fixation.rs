//! Fixational eye movements: drift and microsaccades.
//!
//! Eyes are never still. During a fixation they drift by a few minutes of arc, and one or two microsaccades per second,
//! of a fraction of a degree, bring them back (Martinez-Conde 2004). Few viewers notice these movements, but many
//! viewers notice when the movements are missing.
//!
//! Tremor (50 to 100 Hz, the size of a cone) is not modelled: no screen can show it.

use crate::chance::Draw;
use crate::math::{cos, exp, ln, sin};
use std::f64::consts::TAU;

/// Duration of a microsaccade in seconds (Martinez-Conde 2004: about 25 ms).
pub const MICROSACCADE_SECS: f64 = 0.025;

/// One interval of fixation: the eyes drift at a constant velocity for `secs` seconds, and then jump to the start
/// of the next interval. The jump takes [`MICROSACCADE_SECS`]; there is no drift during it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixationStep {
    /// Seconds from the end of one jump to the start of the next.
    pub secs: f64,
    /// Yaw velocity of the drift, positive to the character's left.
    pub drift_yaw_deg_per_s: f64,
    /// Pitch velocity of the drift, positive up.
    pub drift_pitch_deg_per_s: f64,
    /// Yaw of the jump from the end of the drift, positive to the character's left.
    pub jump_yaw_deg: f64,
    /// Pitch of the jump, positive up.
    pub jump_pitch_deg: f64,
}

impl FixationStep {
    /// Returns yaw and pitch in degrees after drift and jump, for eyes that start at `yaw_deg` and `pitch_deg`.
    #[must_use]
    pub fn end(&self, yaw_deg: f64, pitch_deg: f64) -> (f64, f64) {
        let (yaw, pitch) = self.drifted(yaw_deg, pitch_deg);
        (yaw + self.jump_yaw_deg, pitch + self.jump_pitch_deg)
    }

    /// Returns yaw and pitch after the drift.
    fn drifted(&self, yaw_deg: f64, pitch_deg: f64) -> (f64, f64) {
        (yaw_deg + self.drift_yaw_deg_per_s * self.secs, pitch_deg + self.drift_pitch_deg_per_s * self.secs)
    }
}

/// Shortest interval in seconds. Durations of intervals are exponential above this minimum, because saccades have a
/// refractory time, and truncated at `MAX_SECS`, so that the eyes do not drift too far (our design). Intervals and
/// jumps together give 1.51 microsaccades per second.
const MIN_SECS: f64 = 0.3;
/// Scale of the exponential distribution in seconds.
const SCALE_SECS: f64 = 0.4;
/// Longest interval in seconds.
const MAX_SECS: f64 = 1.5;
/// Fastest drift in degrees per second, well below the reported 0.5°/s. On average, eyes drift by 3.4 minutes of arc.
const MAX_DRIFT_DEG_PER_S: f64 = 0.25;
/// Range of the distance from the target at which a microsaccade lands, in degrees. A microsaccade never lands
/// exactly on the target, because most jumps would then be too small. With the longest and fastest drift, the offset
/// is at most 0.3° + 0.375°, and a jump at most 0.975°.
const LANDING_DEG: [f64; 2] = [0.1, 0.3];
/// Largest microsaccade in degrees; larger jumps are shortened.
const MAX_JUMP_DEG: f64 = 0.98;
/// Ratio of vertical to horizontal movement: microsaccades are mostly horizontal.
const FLATNESS: f64 = 0.35;

/// Draws the next interval of fixation, for eyes with this offset from the target in degrees. Uses five draws.
///
/// `liveliness` (0–1) scales all movement: at 0 nothing moves, not even back to the target.
#[must_use]
pub fn step(draw: &mut Draw, offset_yaw_deg: f64, offset_pitch_deg: f64, liveliness: f64) -> FixationStep {
    let lively = if liveliness.is_nan() { 0.0 } else { liveliness.clamp(0.0, 1.0) };
    let secs = interval_secs(draw.uniform());
    let (drift_yaw, drift_pitch) = flat_vector(draw, [0.0, MAX_DRIFT_DEG_PER_S * lively]);
    let (landing_yaw, landing_pitch) = flat_vector(draw, LANDING_DEG);
    let drift = FixationStep {
        secs,
        drift_yaw_deg_per_s: drift_yaw,
        drift_pitch_deg_per_s: drift_pitch,
        jump_yaw_deg: 0.0,
        jump_pitch_deg: 0.0,
    };
    let (yaw, pitch) = drift.drifted(offset_yaw_deg, offset_pitch_deg);
    let (jump_yaw_deg, jump_pitch_deg) =
        limit_length(MAX_JUMP_DEG, (landing_yaw - yaw) * lively, (landing_pitch - pitch) * lively);
    FixationStep { jump_yaw_deg, jump_pitch_deg, ..drift }
}

/// Maps a uniform random number in [0, 1) to the duration of an interval in seconds (inverse of the truncated
/// exponential distribution).
fn interval_secs(u: f64) -> f64 {
    let within = 1.0 - exp(-(MAX_SECS - MIN_SECS) / SCALE_SECS);
    MIN_SECS - SCALE_SECS * ln(1.0 - u * within)
}

/// Draws a vector with a length in the given range and any direction, and scales its vertical part by [`FLATNESS`].
fn flat_vector(draw: &mut Draw, [shortest, longest]: [f64; 2]) -> (f64, f64) {
    let (length, angle) = (draw.between(shortest, longest), draw.between(0.0, TAU));
    (length * cos(angle), FLATNESS * length * sin(angle))
}

/// Limits the length of a vector.
fn limit_length(longest: f64, yaw: f64, pitch: f64) -> (f64, f64) {
    let length = (yaw * yaw + pitch * pitch).sqrt();
    let scale = if length > longest { longest / length } else { 1.0 };
    (yaw * scale, pitch * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn length(yaw: f64, pitch: f64) -> f64 {
        (yaw * yaw + pitch * pitch).sqrt()
    }

    /// Runs 100,000 steps in a row. Returns each with its initial offset.
    fn run(liveliness: f64) -> Vec<((f64, f64), FixationStep)> {
        let chance = Chance::new(31, "fixation");
        let mut offset = (0.0, 0.0);
        (0..100_000)
            .map(|i| {
                let from = offset;
                let step = step(&mut chance.event(i), from.0, from.1, liveliness);
                offset = step.end(from.0, from.1);
                (from, step)
            })
            .collect()
    }

    /// The standard deviation of an interval is about 0.28 s, so the standard deviation of the mean of 100,000
    /// intervals is 0.0009 s. The tolerance of 0.6 % of the rate is four standard deviations.
    #[test]
    fn there_are_one_to_two_microsaccades_per_second() {
        let steps = run(1.0);
        let total: f64 = steps.iter().map(|(_, step)| step.secs + MICROSACCADE_SECS).sum();
        let rate = steps.len() as f64 / total;
        assert!((rate / 1.511 - 1.0).abs() < 0.006, "{rate}");
        assert!(steps.iter().all(|(_, step)| (0.3..=1.5).contains(&step.secs)));
    }

    #[test]
    fn microsaccades_are_small_and_mostly_horizontal() {
        let steps = run(1.0);
        let jumps = || steps.iter().map(|(_, step)| (step.jump_yaw_deg, step.jump_pitch_deg));
        let share = |test: &dyn Fn(f64, f64) -> bool| {
            jumps().filter(|(yaw, pitch)| test(*yaw, *pitch)).count() as f64 / steps.len() as f64
        };
        assert!(jumps().all(|(yaw, pitch)| length(yaw, pitch) < 1.0));
        let typical = share(&|yaw, pitch| (0.1..0.5).contains(&length(yaw, pitch)));
        assert!(typical > 0.7, "{typical}");
        let horizontal = share(&|yaw, pitch| yaw.abs() > pitch.abs());
        assert!(horizontal > 0.75, "{horizontal}");
    }

    #[test]
    fn the_offset_stays_bounded_at_any_liveliness() {
        for liveliness in [0.01, 0.1, 0.5, 1.0] {
            let furthest = run(liveliness)
                .iter()
                .map(|(from, step)| step.drifted(from.0, from.1))
                .fold(0.0, |most, (yaw, pitch)| f64::max(most, length(yaw, pitch)));
            assert!(furthest < 0.8, "{liveliness}: {furthest}°");
        }
    }

    #[test]
    fn microsaccades_bring_the_eyes_back() {
        let steps = run(1.0);
        let far = steps.iter().filter_map(|(from, step)| {
            let before = step.drifted(from.0, from.1);
            let after = step.end(from.0, from.1);
            let (before, after) = (length(before.0, before.1), length(after.0, after.1));
            (before > 0.3).then_some(after < before)
        });
        let outcomes: Vec<bool> = far.collect();
        assert!(outcomes.len() > 1000 && outcomes.iter().all(|back| *back));
    }

    #[test]
    fn drift_is_slow_and_a_few_minutes_of_arc() {
        let steps = run(1.0);
        let speed = |step: &FixationStep| length(step.drift_yaw_deg_per_s, step.drift_pitch_deg_per_s);
        assert!(steps.iter().all(|(_, step)| speed(step) <= 0.25));
        let arcmin = steps.iter().map(|(_, step)| speed(step) * step.secs * 60.0).sum::<f64>() / 1e5;
        assert!((2.0..6.0).contains(&arcmin), "{arcmin}");
    }

    #[test]
    fn liveliness_scales_movement_and_zero_is_still() {
        let mean = |liveliness| {
            let steps = run(liveliness);
            let all = steps.iter().map(|(_, s)| length(s.drift_yaw_deg_per_s, s.drift_pitch_deg_per_s));
            all.sum::<f64>() / steps.len() as f64
        };
        assert!((mean(0.3) / mean(1.0) - 0.3).abs() < 1e-9);
        let chance = Chance::new(32, "fixation");
        for i in 0..1000 {
            for liveliness in [0.0, -1.0, f64::NAN] {
                let still = step(&mut chance.event(i), 0.4, -0.2, liveliness);
                assert_eq!((still.drift_yaw_deg_per_s, still.drift_pitch_deg_per_s), (0.0, 0.0));
                assert_eq!((still.jump_yaw_deg, still.jump_pitch_deg), (0.0, 0.0));
                assert_eq!(still.end(0.4, -0.2), (0.4, -0.2));
                assert!(still.secs >= 0.3);
            }
        }
    }

    #[test]
    fn large_offsets_are_corrected_in_small_steps() {
        let chance = Chance::new(33, "fixation");
        let mut offset = (5.0, -3.0);
        for i in 0..10 {
            let step = step(&mut chance.event(i), offset.0, offset.1, 1.0);
            assert!(length(step.jump_yaw_deg, step.jump_pitch_deg) < 1.0);
            offset = step.end(offset.0, offset.1);
        }
        assert!(length(offset.0, offset.1) < 0.8, "{offset:?}");
    }
}
