//! A value that is driven by samples and never jumps.
//!
//! Between two samples the value moves linearly, so it is one sample late. Some changes are not real movements: the
//! start of the samples, their end, and a sample that is far from the previous one. Such a change switches to the new
//! value at once. The difference between the old and the new value, with its speed, becomes an offset that fades out,
//! as between clips.

use crate::body::layers::{MAX_FADE_SPEED, MAX_GENTLE_SECS, Timing, VELOCITY_STEP};
use crate::math::{from_rotation_vector, rotation_vector};
use glam::{Quat, Vec3};
use std::ops::{Add, Mul, Sub};

/// Minimum durations of fades, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blends {
    /// Duration in seconds of the fade from the performer's own motion to tracked motion.
    pub(super) begin: f64,
    /// Duration in seconds of the fade from tracked motion back to the performer's own motion.
    pub(super) end: f64,
    /// Duration in seconds of the fade after the tracked value jumps to a new position.
    pub(super) catch_up: f64,
}

/// A value that samples can drive.
pub(super) trait Value: Copy {
    /// Difference of two values.
    type Delta: Copy
        + Default
        + Add<Output = Self::Delta>
        + Sub<Output = Self::Delta>
        + Mul<f32, Output = Self::Delta>;
    /// Maximum plausible speed, in units of the value per second; faster changes come from gaps or tracking errors.
    const MAX_SPEED: f32;
    /// Maximum speed of a fade, in units of the value per second; a fade over a larger difference takes longer.
    const MAX_FADE_SPEED_PER_SEC: f64;
    const BLENDS: Blends;

    /// Interpolates linearly towards another value; `share` is from 0 to 1.
    fn towards(self, to: Self, share: f32) -> Self;
    fn delta_from(self, from: Self) -> Self::Delta;
    fn moved_by(self, delta: Self::Delta) -> Self;
    fn length(delta: Self::Delta) -> f32;
}

const BODY: Blends = Blends { begin: 0.5, end: 0.8, catch_up: 0.3 };

impl Value for Quat {
    type Delta = Vec3;
    /// 20 rad/s (1,150°/s), as in a quick flick of the wrist. Hardly any other movement is faster.
    const MAX_SPEED: f32 = 20.0;
    const MAX_FADE_SPEED_PER_SEC: f64 = MAX_FADE_SPEED;
    const BLENDS: Blends = BODY;

    fn towards(self, to: Self, share: f32) -> Self {
        let to = if self.dot(to) < 0.0 { -to } else { to };
        (self + (to - self) * share).normalize()
    }

    fn delta_from(self, from: Self) -> Vec3 {
        rotation_vector(self * from.inverse())
    }

    fn moved_by(self, delta: Vec3) -> Self {
        (from_rotation_vector(delta) * self).normalize()
    }

    fn length(delta: Vec3) -> f32 {
        delta.length()
    }
}

impl Value for Vec3 {
    type Delta = Self;
    /// 8 m/s, as in a sprint.
    const MAX_SPEED: f32 = 8.0;
    const MAX_FADE_SPEED_PER_SEC: f64 = 1.5;
    const BLENDS: Blends = BODY;

    fn towards(self, to: Self, share: f32) -> Self {
        self + (to - self) * share
    }

    fn delta_from(self, from: Self) -> Self {
        self - from
    }

    fn moved_by(self, delta: Self) -> Self {
        self + delta
    }

    fn length(delta: Self) -> f32 {
        delta.length()
    }
}

impl Value for f32 {
    type Delta = Self;
    /// 30 per second: lids take at least a thirtieth of a second to close.
    const MAX_SPEED: f32 = 30.0;
    const MAX_FADE_SPEED_PER_SEC: f64 = f64::INFINITY;
    const BLENDS: Blends = Blends { begin: 0.25, end: 0.4, catch_up: 0.12 };

    fn towards(self, to: Self, share: f32) -> Self {
        self + (to - self) * share
    }

    fn delta_from(self, from: Self) -> Self {
        self - from
    }

    fn moved_by(self, delta: Self) -> Self {
        self + delta
    }

    fn length(delta: Self) -> f32 {
        delta.abs()
    }
}

/// A value and its speed per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<V: Value> {
    now: V,
    speed: V::Delta,
}

impl<V: Value> Moving<V> {
    fn at_rest(now: V) -> Self {
        Self { now, speed: V::Delta::default() }
    }

    /// Computes the speed from `before`, the value one [`VELOCITY_STEP`] earlier.
    pub(super) fn since(before: V, now: V) -> Self {
        Self { now, speed: now.delta_from(before) * (1.0 / VELOCITY_STEP) as f32 }
    }

    /// Returns the value one time step later.
    fn next(&self) -> V {
        self.now.moved_by(self.speed * VELOCITY_STEP as f32)
    }
}

/// An offset that fades.
#[derive(Clone, Copy, Debug)]
struct Ease<W> {
    start: W,
    slope: W,
    timing: Timing,
}

impl<W: Copy + Add<Output = W> + Mul<f32, Output = W>> Ease<W> {
    fn left(&self, t: f64) -> Option<W> {
        let (p, q) = self.timing.left(t - self.timing.began)?;
        Some(self.start * p + self.slope * q)
    }
}

/// A value that may be driven by samples; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub(super) struct Follow<V: Value> {
    is_driven: bool,
    from: V,
    to: V,
    at: f64,
    secs: f64,
    /// Time of the last sample, in seconds.
    last_sample_at: f64,
    ease: Ease<V::Delta>,
}

impl<V: Value> Follow<V> {
    pub(super) fn new(value: V) -> Self {
        let none = V::Delta::default();
        Self {
            is_driven: false,
            from: value,
            to: value,
            at: 0.0,
            secs: 0.0,
            last_sample_at: f64::NEG_INFINITY,
            ease: Ease { start: none, slope: none, timing: Timing::OVER },
        }
    }

    pub(super) fn is_driven(&self) -> bool {
        self.is_driven
    }

    /// Returns the time of the last sample in seconds; `None` if samples do not drive the value.
    pub(super) fn last_sample_at(&self) -> Option<f64> {
        self.is_driven.then_some(self.last_sample_at)
    }

    /// Returns the shown value. `own` is the value of the performer's own motion. Returns `None` if the value is not
    /// driven and no fade is active.
    pub(super) fn shown(&self, t: f64, own: V) -> Option<V> {
        let left = self.ease.left(t);
        if !self.is_driven && left.is_none() {
            return None;
        }
        let base = if self.is_driven { self.sampled(t) } else { own };
        Some(left.map_or(base, |delta| base.moved_by(delta)))
    }

    /// Returns the value that the samples give at `t`.
    fn sampled(&self, t: f64) -> V {
        if t >= self.at + self.secs {
            return self.to;
        }
        self.from.towards(self.to, ((t - self.at) / self.secs).max(0.0) as f32)
    }

    fn sampled_motion(&self, t: f64) -> Moving<V> {
        let is_moving = t < self.at + self.secs;
        let speed = || self.to.delta_from(self.from) * (1.0 / self.secs) as f32;
        Moving { now: self.sampled(t), speed: if is_moving { speed() } else { V::Delta::default() } }
    }

    /// Moves to the sample `to` within `period_secs` seconds. `own` returns the performer's own motion, which is
    /// needed when samples start to drive the value.
    pub(super) fn take(&mut self, at: f64, to: V, period_secs: f64, own: impl FnOnce() -> Moving<V>) {
        self.last_sample_at = at;
        let from = if self.is_driven { self.sampled_motion(at) } else { own() };
        let is_far = V::length(to.delta_from(from.now)) > V::MAX_SPEED * period_secs as f32;
        if !self.is_driven || is_far {
            let blend = if self.is_driven { V::BLENDS.catch_up } else { V::BLENDS.begin };
            self.change(at, &from, &Moving::at_rest(to), blend);
            (self.is_driven, self.from, self.secs) = (true, to, 0.0);
        } else {
            (self.from, self.secs) = (from.now, period_secs);
        }
        (self.at, self.to) = (at, to);
    }

    /// Returns to the performer's own motion from `at` on.
    pub(super) fn release(&mut self, at: f64, own: &Moving<V>) {
        let from = self.sampled_motion(at);
        self.change(at, &from, own, V::BLENDS.end);
        self.is_driven = false;
    }

    /// Switches from the motion `before` to the motion `after`, and fades out the difference.
    fn change(&mut self, at: f64, before: &Moving<V>, after: &Moving<V>, blend_secs: f64) {
        let step = VELOCITY_STEP;
        let with = |base: V, t: f64| self.ease.left(t).map_or(base, |delta| base.moved_by(delta));
        let start = with(before.now, at).delta_from(after.now);
        let next = with(before.next(), at + step).delta_from(after.next());
        let slope = (next - start) * (1.0 / step) as f32;
        let speed = V::length(slope);
        let slope = if speed > V::MAX_SPEED { slope * (V::MAX_SPEED / speed) } else { slope };
        // The quintic's maximum slope is 1.875 times its mean.
        let gentle = (1.875 * f64::from(V::length(start)) / V::MAX_FADE_SPEED_PER_SEC).min(MAX_GENTLE_SECS);
        let timing = Timing { began: at, secs: blend_secs.max(gentle) };
        self.ease = Ease { start, slope, timing };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{angle_between, sin};
    use crate::pose::tests::rotation;
    use proptest::prelude::*;

    const PERIOD: f64 = 1.0 / 60.0;

    fn still<V: Value>(value: V) -> Moving<V> {
        Moving::at_rest(value)
    }

    #[test]
    fn each_sample_is_reached_one_period_late() {
        let mut weight = Follow::new(0.0);
        weight.take(0.0, 0.25, PERIOD, || still(0.25));
        for n in 1..100 {
            let at = f64::from(n) * PERIOD;
            weight.take(at, 0.5 + 0.4 * sin(at) as f32, PERIOD, || unreachable!());
            let to = weight.to;
            assert_eq!(weight.shown(at + PERIOD, 9.0), Some(to), "sample {n}");
            let half = weight.shown(at + 0.5 * PERIOD, 9.0).unwrap();
            assert!((half - 0.5 * (weight.from + to)).abs() < 1e-6);
        }
    }

    proptest! {
        /// For any samples, starts and ends, the speed stays within three times the maximum plausible speed.
        #[test]
        fn no_samples_make_a_rotation_jump(
            samples in prop::collection::vec((rotation(), 0.002f64..0.2, 0..8u8), 1..40), own in rotation()
        ) {
            let mut follow = Follow::new(Quat::IDENTITY);
            let (mut at, mut shown, mut last) = (0.0, own, 0.0);
            for (to, gap, what) in samples {
                if what > 0 {
                    follow.take(at, to, PERIOD, || still(own));
                } else if follow.is_driven() {
                    follow.release(at, &still(own));
                }
                let steps = 40;
                for step in 0..=steps {
                    let t = at + gap * f64::from(step) / f64::from(steps);
                    let now = follow.shown(t, own).unwrap_or(own);
                    // A movement, a catch-up and a fade may coincide.
                    let most = 3.0 * 20.0 * (t - last) as f32 + 2e-3;
                    prop_assert!(angle_between(shown, now) <= most, "{} rad in {} s", angle_between(shown, now), t - last);
                    (shown, last) = (now, t);
                }
                at += gap;
            }
        }

        #[test]
        fn a_released_position_returns_to_own_motion(
            led in prop::array::uniform3(-2.0f32..2.0), own in prop::array::uniform3(-2.0f32..2.0)
        ) {
            let (led, own) = (Vec3::from(led), Vec3::from(own));
            let mut follow = Follow::new(Vec3::ZERO);
            follow.take(0.0, led, PERIOD, || still(own));
            prop_assert_eq!(follow.shown(0.0, own).map(|v| (v - own).length() < 1e-5), Some(true));
            prop_assert_eq!(follow.shown(MAX_GENTLE_SECS, own), Some(led));
            follow.release(2.0, &still(own));
            prop_assert_eq!(follow.shown(2.0, own).map(|v| (v - led).length() < 1e-5), Some(true));
            prop_assert_eq!(follow.shown(2.0 + MAX_GENTLE_SECS, own), None);
        }

        /// A fade starts at the speed of the previous motion.
        #[test]
        fn a_newly_driven_rotation_keeps_its_speed(speed in -3.0f32..3.0, to in rotation()) {
            let step = VELOCITY_STEP as f32;
            let now = Quat::from_rotation_x(0.4);
            let own = Moving::since(Quat::from_rotation_x(0.4 - speed * step), now);
            let mut follow = Follow::new(Quat::IDENTITY);
            prop_assume!(angle_between(to, now) < 2.8);
            follow.take(0.0, to, PERIOD, || own);
            let after = follow.shown(VELOCITY_STEP, now).unwrap();
            let found = after.delta_from(now) * (1.0 / step);
            prop_assert!((found - Vec3::X * speed).length() < 0.15, "{found} instead of {speed}");
        }
    }
}
