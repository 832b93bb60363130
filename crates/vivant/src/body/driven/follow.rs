//! A value that somebody else leads: it goes along with samples, and comes, goes and catches up without a jump.
//!
//! Between two samples it goes along the straight way, so it is one sample late. What cannot be a movement
//! (the first sample, the last, one that is somewhere else altogether) changes at once what the value goes
//! along with, and the difference at that instant, with its speed, becomes an offset that fades, as between
//! clips.

use crate::body::layers::{MAX_FADE_SPEED, MAX_GENTLE_SECS, Timing, VELOCITY_STEP};
use crate::math::{from_rotation_vector, rotation_vector};
use glam::{Quat, Vec3};
use std::ops::{Add, Mul, Sub};

/// How long an offset takes to fade, in seconds, at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blends {
    /// From one's own movement to the tracker's.
    pub(super) begin: f64,
    /// … and back.
    pub(super) end: f64,
    /// To where the tracker is all of a sudden.
    pub(super) catch_up: f64,
}

/// Something that samples lead.
pub(super) trait Value: Copy {
    /// The way from one to another.
    type Way: Copy
        + Default
        + Add<Output = Self::Way>
        + Sub<Output = Self::Way>
        + Mul<f32, Output = Self::Way>;
    /// Nobody is faster, a second; what seems so was a gap, or a tracker that lost its way.
    const FASTEST: f32;
    /// What fades takes so much longer that it gets no faster, a second.
    const GENTLE: f64;
    const BLENDS: Blends;

    /// A share of the straight way to another.
    fn towards(self, to: Self, share: f32) -> Self;
    fn way_from(self, from: Self) -> Self::Way;
    fn moved(self, way: Self::Way) -> Self;
    fn length(way: Self::Way) -> f32;
}

const BODY: Blends = Blends { begin: 0.5, end: 0.8, catch_up: 0.3 };

impl Value for Quat {
    type Way = Vec3;
    /// 1,150 degrees: wrists are as fast when they flick, and hardly anything else.
    const FASTEST: f32 = 20.0;
    const GENTLE: f64 = MAX_FADE_SPEED;
    const BLENDS: Blends = BODY;

    fn towards(self, to: Self, share: f32) -> Self {
        let to = if self.dot(to) < 0.0 { -to } else { to };
        (self + (to - self) * share).normalize()
    }

    fn way_from(self, from: Self) -> Vec3 {
        rotation_vector(self * from.inverse())
    }

    fn moved(self, way: Vec3) -> Self {
        (from_rotation_vector(way) * self).normalize()
    }

    fn length(way: Vec3) -> f32 {
        way.length()
    }
}

impl Value for Vec3 {
    type Way = Self;
    /// Metres: a sprint.
    const FASTEST: f32 = 8.0;
    const GENTLE: f64 = 1.5;
    const BLENDS: Blends = BODY;

    fn towards(self, to: Self, share: f32) -> Self {
        self + (to - self) * share
    }

    fn way_from(self, from: Self) -> Self {
        self - from
    }

    fn moved(self, way: Self) -> Self {
        self + way
    }

    fn length(way: Self) -> f32 {
        way.length()
    }
}

impl Value for f32 {
    type Way = Self;
    /// Lids close in a thirtieth of a second at the fastest.
    const FASTEST: f32 = 30.0;
    const GENTLE: f64 = f64::INFINITY;
    const BLENDS: Blends = Blends { begin: 0.25, end: 0.4, catch_up: 0.12 };

    fn towards(self, to: Self, share: f32) -> Self {
        self + (to - self) * share
    }

    fn way_from(self, from: Self) -> Self {
        self - from
    }

    fn moved(self, way: Self) -> Self {
        self + way
    }

    fn length(way: Self) -> f32 {
        way.abs()
    }
}

/// A value and how fast it moves, a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<V: Value> {
    now: V,
    speed: V::Way,
}

impl<V: Value> Moving<V> {
    fn at_rest(now: V) -> Self {
        Self { now, speed: V::Way::default() }
    }

    /// By where it was a moment before.
    pub(super) fn since(before: V, now: V) -> Self {
        Self { now, speed: now.way_from(before) * (1.0 / VELOCITY_STEP) as f32 }
    }

    /// A moment later.
    fn next(&self) -> V {
        self.now.moved(self.speed * VELOCITY_STEP as f32)
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

/// A value that may be led; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub(super) struct Follow<V: Value> {
    is_led: bool,
    from: V,
    to: V,
    at: f64,
    secs: f64,
    /// When it was last told of.
    heard: f64,
    ease: Ease<V::Way>,
}

impl<V: Value> Follow<V> {
    pub(super) fn new(value: V) -> Self {
        let none = V::Way::default();
        Self {
            is_led: false,
            from: value,
            to: value,
            at: 0.0,
            secs: 0.0,
            heard: f64::NEG_INFINITY,
            ease: Ease { start: none, slope: none, timing: Timing::OVER },
        }
    }

    pub(super) fn is_led(&self) -> bool {
        self.is_led
    }

    /// When it was last told of, if it is led.
    pub(super) fn heard(&self) -> Option<f64> {
        self.is_led.then_some(self.heard)
    }

    /// What it shows, where it would be `own` by itself; `None` if nothing leads it.
    pub(super) fn shown(&self, t: f64, own: V) -> Option<V> {
        let left = self.ease.left(t);
        if !self.is_led && left.is_none() {
            return None;
        }
        let base = if self.is_led { self.led(t) } else { own };
        Some(left.map_or(base, |way| base.moved(way)))
    }

    /// Where samples lead it.
    fn led(&self, t: f64) -> V {
        if t >= self.at + self.secs {
            return self.to;
        }
        self.from.towards(self.to, ((t - self.at) / self.secs).max(0.0) as f32)
    }

    fn leading(&self, t: f64) -> Moving<V> {
        let is_moving = t < self.at + self.secs;
        let speed = || self.to.way_from(self.from) * (1.0 / self.secs) as f32;
        Moving { now: self.led(t), speed: if is_moving { speed() } else { V::Way::default() } }
    }

    /// Goes to a sample within a period. `own` is what it would do by itself, which matters where it begins
    /// to be led.
    pub(super) fn take(&mut self, at: f64, to: V, period_secs: f64, own: impl FnOnce() -> Moving<V>) {
        self.heard = at;
        let from = if self.is_led { self.leading(at) } else { own() };
        let is_far = V::length(to.way_from(from.now)) > V::FASTEST * period_secs as f32;
        if !self.is_led || is_far {
            let blend = if self.is_led { V::BLENDS.catch_up } else { V::BLENDS.begin };
            self.change(at, &from, &Moving::at_rest(to), blend);
            (self.is_led, self.from, self.secs) = (true, to, 0.0);
        } else {
            (self.from, self.secs) = (from.now, period_secs);
        }
        (self.at, self.to) = (at, to);
    }

    /// Is left alone.
    pub(super) fn release(&mut self, at: f64, own: &Moving<V>) {
        let from = self.leading(at);
        self.change(at, &from, own, V::BLENDS.end);
        self.is_led = false;
    }

    /// What it goes along with is another from now on.
    fn change(&mut self, at: f64, before: &Moving<V>, after: &Moving<V>, blend_secs: f64) {
        let step = VELOCITY_STEP;
        let with = |base: V, t: f64| self.ease.left(t).map_or(base, |way| base.moved(way));
        let start = with(before.now, at).way_from(after.now);
        let next = with(before.next(), at + step).way_from(after.next());
        let slope = (next - start) * (1.0 / step) as f32;
        let speed = V::length(slope);
        let slope = if speed > V::FASTEST { slope * (V::FASTEST / speed) } else { slope };
        // The quintic's greatest slope is 1.875 of its mean.
        let gentle = (1.875 * f64::from(V::length(start)) / V::GENTLE).min(MAX_GENTLE_SECS);
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
    fn it_is_at_each_sample_one_period_late() {
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
        /// Whatever samples say, and whenever they begin and end: it never moves faster than people and fades do.
        #[test]
        fn nothing_that_a_tracker_says_makes_a_rotation_jump(
            samples in prop::collection::vec((rotation(), 0.002f64..0.2, 0..8u8), 1..40), own in rotation()
        ) {
            let mut follow = Follow::new(Quat::IDENTITY);
            let (mut at, mut shown, mut last) = (0.0, own, 0.0);
            for (to, gap, what) in samples {
                if what > 0 {
                    follow.take(at, to, PERIOD, || still(own));
                } else if follow.is_led() {
                    follow.release(at, &still(own));
                }
                let steps = 40;
                for step in 0..=steps {
                    let t = at + gap * f64::from(step) / f64::from(steps);
                    let now = follow.shown(t, own).unwrap_or(own);
                    // A movement, a catching up and a fade may come together.
                    let most = 3.0 * 20.0 * (t - last) as f32 + 2e-3;
                    prop_assert!(angle_between(shown, now) <= most, "{} rad in {} s", angle_between(shown, now), t - last);
                    (shown, last) = (now, t);
                }
                at += gap;
            }
        }

        #[test]
        fn a_place_that_is_left_alone_comes_home_and_stays(
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

        /// A fade begins as fast as what it takes over from.
        #[test]
        fn a_rotation_that_begins_to_be_led_goes_on_at_its_speed(speed in -3.0f32..3.0, to in rotation()) {
            let step = VELOCITY_STEP as f32;
            let now = Quat::from_rotation_x(0.4);
            let own = Moving::since(Quat::from_rotation_x(0.4 - speed * step), now);
            let mut follow = Follow::new(Quat::IDENTITY);
            prop_assume!(angle_between(to, now) < 2.8);
            follow.take(0.0, to, PERIOD, || own);
            let after = follow.shown(VELOCITY_STEP, now).unwrap();
            let found = after.way_from(now) * (1.0 / step);
            prop_assert!((found - Vec3::X * speed).length() < 0.15, "{found} instead of {speed}");
        }
    }
}
