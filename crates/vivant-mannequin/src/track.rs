//! Smooth curves through values at given times.
//!
//! People start and stop smoothly, so a [`Track`] uses quintic polynomials, whose acceleration is continuous, and rests
//! briefly at both ends. [`Track::towards`] creates a track from keys and [`Track::at`] evaluates it. At a turning
//! point the velocity is zero, so a value never overshoots its keys, except at via knots, which are passed in an arc.
//! [`ease`] is the same curve for a single movement from 0 to 1.

use glam::Vec3;

/// A value at a given time of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Knot {
    pub(crate) secs: f32,
    pub(crate) value: Vec3,
    /// True if the knot is passed without stopping, even at a turning point.
    pub(crate) is_via: bool,
}

/// A smooth curve through knots. Its value is zero at the start of the motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    knots: Vec<Knot>,
}

/// Time at rest at both ends of a motion, in seconds, if there is enough time before the first and after the last key
/// (our design).
pub(crate) const REST_SECS: f32 = 0.12;

impl Track {
    /// Creates a track through the knots `inner` to the final value `end`. At both ends it rests for [`REST_SECS`],
    /// or for two fifths of the time to the nearest knot if this is shorter.
    pub(crate) fn towards(seconds: f32, inner: impl IntoIterator<Item = Knot>, end: Vec3) -> Self {
        let inner: Vec<Knot> = inner.into_iter().filter(|k| k.secs > 0.0 && k.secs < seconds).collect();
        let first = inner.first().map_or(seconds, |k| k.secs);
        let left = seconds - inner.last().map_or(0.0, |k| k.secs);
        let [lead, tail] = [first, left].map(|time| (0.4 * time).min(REST_SECS));
        let at_rest = |secs: f32, value: Vec3| Knot { secs, value, is_via: false };
        let mut knots = vec![at_rest(0.0, Vec3::ZERO), at_rest(lead, Vec3::ZERO)];
        knots.extend(inner);
        knots.extend([at_rest(seconds - tail, end), at_rest(seconds, end)]);
        Self { knots }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.knots.is_empty()
    }

    /// Returns the value at the given time, from a quintic polynomial between neighbouring knots. Position, velocity
    /// and acceleration are continuous, and a movement from rest to rest has minimum jerk.
    pub(crate) fn at(&self, seconds: f32) -> Vec3 {
        let next = self.knots.partition_point(|k| k.secs <= seconds);
        let (Some(before), Some(after)) = (next.checked_sub(1), self.knots.get(next)) else {
            let edge = if next == 0 { self.knots.first() } else { self.knots.last() };
            return edge.map_or(Vec3::ZERO, |k| k.value);
        };
        let Knot { secs: t0, value: a, .. } = self.knots[before];
        let span = after.secs - t0;
        let (va, vb) = (self.slope(before) * span, self.slope(next) * span);
        let u = (seconds - t0) / span;
        let (u3, u4, u5) = (u * u * u, u * u * u * u, u * u * u * u * u);
        a + va * u
            + (after.value - a) * (10.0 * u3 - 15.0 * u4 + 6.0 * u5)
            + va * (-6.0 * u3 + 8.0 * u4 - 3.0 * u5)
            + vb * (-4.0 * u3 + 7.0 * u4 - 3.0 * u5)
    }

    /// Returns the velocity at a knot. It is zero at a turning point. Otherwise it is the harmonic mean of the
    /// velocities on both sides, so that the curve does not overshoot (Fritsch and Butland). At a via knot, it is two
    /// thirds of the mean velocity between the neighbouring knots, which gives an arc.
    fn slope(&self, knot: usize) -> Vec3 {
        if knot == 0 || knot + 1 >= self.knots.len() {
            return Vec3::ZERO;
        }
        let [a, here, b] = [self.knots[knot - 1], self.knots[knot], self.knots[knot + 1]];
        if here.is_via {
            return (b.value - a.value) / (b.secs - a.secs) * (2.0 / 3.0);
        }
        let before = (here.value - a.value) / (here.secs - a.secs);
        let after = (b.value - here.value) / (b.secs - here.secs);
        let mean = |p: f32, q: f32| if p * q <= 0.0 { 0.0 } else { 2.0 * p * q / (p + q) };
        Vec3::new(mean(before.x, after.x), mean(before.y, after.y), mean(before.z, after.z))
    }
}

/// Returns a value that rises from 0 to 1 with minimum jerk while `share` goes from 0 to 1. Outside this range the
/// value is constant.
pub(crate) fn ease(share: f32) -> f32 {
    let u = share.clamp(0.0, 1.0);
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knot(secs: f32, x: f32, is_via: bool) -> Knot {
        Knot { secs, value: Vec3::X * x, is_via }
    }

    #[test]
    fn position_velocity_and_acceleration_are_continuous() {
        let track = Track::towards(2.0, [knot(0.5, 1.0, false), knot(0.9, -0.4, true)], Vec3::X * 0.2);
        let h = 1e-2;
        let second = |t: f32| (track.at(t + h) - 2.0 * track.at(t) + track.at(t - h)).x / (h * h);
        for step in 2..197 {
            let t = 0.01 * step as f32;
            assert!((track.at(t + h) - track.at(t)).length() < 0.1, "jumps at {t}");
            // The fastest change of acceleration is that of the shortest movement: 60 × 1.4 / 0.4³ per second.
            assert!((second(t + h) - second(t)).abs() < 60.0 * 1.4 / 0.064 * h * 1.5, "kinks at {t}");
        }
    }

    #[test]
    fn a_motion_rests_at_both_ends() {
        let track = Track::towards(2.0, [knot(1.0, 1.0, false)], Vec3::ZERO);
        for t in [0.0, 0.1, 1.9, 2.0] {
            assert_eq!(track.at(t), Vec3::ZERO, "at {t}");
        }
        assert!((track.at(1.0).x - 1.0).abs() < 1e-6);
    }

    #[test]
    fn via_knots_are_passed_without_stopping() {
        let moving = |is_via: bool| {
            let track = Track::towards(2.0, [knot(1.0, 1.0, is_via), knot(1.5, 0.5, false)], Vec3::ZERO);
            (track.at(1.01).x - track.at(0.99).x).abs()
        };
        assert!(moving(false) < 1e-3 && moving(true) > 3e-3, "{} {}", moving(false), moving(true));
    }
}
