//! Movements that start with a given velocity.
//!
//! An interrupted movement must continue from its current position and velocity. Two closed forms do this: a
//! [`Glide`], a quintic Hermite curve, for head and torso; and [`Momentum`], a decaying offset that continues the
//! initial velocity and is added to movements whose shape is prescribed.

use crate::eyes::direction::Direction;
use crate::math::fast_max;

/// A minimum-jerk movement (quintic) of two angles that ends at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glide {
    /// Start time in seconds.
    pub(crate) at: f64,
    /// Duration in seconds; zero at rest.
    pub(crate) secs: f64,
    pub(crate) from: Direction,
    /// Initial velocity in degrees per second.
    velocity: Direction,
    pub(crate) to: Direction,
}

impl Glide {
    /// Ratio of peak to mean velocity of a movement from rest to rest.
    pub(crate) const RATIO: f64 = 1.875;

    pub(crate) fn at_rest(place: Direction) -> Self {
        Self { at: 0.0, secs: 0.0, from: place, velocity: Direction::AHEAD, to: place }
    }

    /// Returns a movement to `to` that takes `secs` seconds. It continues from the position and velocity of `self` at
    /// the time `at`.
    pub(crate) fn continue_to(&self, at: f64, to: Direction, secs: f64) -> Self {
        Self { at, secs, from: self.position(at), velocity: self.velocity(at), to }
    }

    pub(crate) fn end_time(&self) -> f64 {
        self.at + self.secs
    }

    pub(crate) fn is_over(&self, t: f64) -> bool {
        t >= self.end_time()
    }

    pub(crate) fn position(&self, t: f64) -> Direction {
        if t >= self.end_time() {
            return self.to;
        }
        let u = fast_max((t - self.at) / self.secs, 0.0);
        let cube = u * u * u;
        let s = cube * (10.0 - u * (15.0 - 6.0 * u));
        let q = u - cube * (6.0 - u * (8.0 - 3.0 * u));
        self.from + (self.to - self.from) * s + self.velocity * (q * self.secs)
    }

    pub(crate) fn velocity(&self, t: f64) -> Direction {
        if t >= self.end_time() || t < self.at {
            return Direction::AHEAD;
        }
        let u = (t - self.at) / self.secs;
        let s = 30.0 * u * u * (1.0 - u) * (1.0 - u);
        let q = 1.0 - u * u * (18.0 - u * (32.0 - 15.0 * u));
        (self.to - self.from) * (s / self.secs) + self.velocity * q
    }
}

/// An offset that starts with a velocity and returns to zero: v·s·(1 − s/τ)², for the time s up to the duration τ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Momentum {
    velocity: f64,
    secs: f64,
}

impl Momentum {
    pub(crate) const NONE: Self = Self { velocity: 0.0, secs: 0.0 };

    pub(crate) fn new(velocity: f64, secs: f64) -> Self {
        Self { velocity, secs }
    }

    pub(crate) fn position(self, secs: f64) -> f64 {
        if secs <= 0.0 || secs >= self.secs {
            return 0.0;
        }
        let left = 1.0 - secs / self.secs;
        self.velocity * secs * left * left
    }

    pub(crate) fn velocity(self, secs: f64) -> f64 {
        if secs < 0.0 || secs >= self.secs {
            return 0.0;
        }
        let u = secs / self.secs;
        self.velocity * (1.0 - u) * (1.0 - 3.0 * u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_glide_starts_with_the_interrupted_state_and_ends_at_rest(
            first in -60.0f64..60.0, second in -60.0f64..60.0, at in 0.0f64..0.5, secs in 0.1f64..1.0
        ) {
            let one = Glide::at_rest(Direction::AHEAD).continue_to(0.0, Direction::new(first, 0.0), 0.5);
            let two = one.continue_to(at, Direction::new(second, first), secs);
            prop_assert!((one.position(at) - two.position(at)).yaw_deg.abs() < 1e-9);
            prop_assert!((one.velocity(at) - two.velocity(at)).yaw_deg.abs() < 1e-9);
            let end = two.end_time();
            prop_assert_eq!(two.position(end), Direction::new(second, first));
            prop_assert!(two.velocity(end - 1e-9).yaw_deg.abs() < 1e-3);
            let (t, h) = (at + secs * 0.4, 1e-6);
            let slope = (two.position(t + h) - two.position(t - h)) * (0.5 / h);
            prop_assert!((slope - two.velocity(t)).yaw_deg.abs() < 1e-4);
        }

        #[test]
        fn momentum_carries_a_velocity_without_net_displacement(velocity in -900.0f64..900.0, secs in 0.01f64..0.1, u in 0.0f64..1.0) {
            let momentum = Momentum::new(velocity, secs);
            prop_assert_eq!((momentum.position(0.0), momentum.position(secs)), (0.0, 0.0));
            prop_assert_eq!(momentum.velocity(0.0), velocity);
            prop_assert!(momentum.velocity(u * secs).abs() <= velocity.abs() * (1.0 + 1e-12));
            let (t, h) = (u * secs * 0.98 + 0.01 * secs, 1e-8);
            let slope = (momentum.position(t + h) - momentum.position(t - h)) * (0.5 / h);
            prop_assert!((slope - momentum.velocity(t)).abs() < 1e-3);
        }
    }

    #[test]
    fn from_rest_the_peak_is_that_of_minimum_jerk() {
        let glide = Glide::at_rest(Direction::AHEAD).continue_to(0.0, Direction::new(30.0, 0.0), 0.4);
        let peak = glide.velocity(0.2).yaw_deg;
        assert!((peak - Glide::RATIO * 30.0 / 0.4).abs() < 1e-9);
    }
}
