//! A decaying error: the common form of all saccades of eyes and lids.
//!
//! A saccade is not modelled as a movement between two positions, but as the decay of the error between the current and
//! the desired direction. So the target may move and the head may nod during the saccade, and the eyes still land on
//! the target, because the error is zero at the end.

use crate::eyes::glide::Momentum;
use crate::eyes::profile::Profile;

/// Curve by which an error decays from 1 to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// Decays along a measured profile of amplitude 1.
    Measured(Profile),
    /// Decays at constant speed, for the movement between two samples of a tracker.
    Linear { secs: f64 },
}

/// A decaying error in `N` angles, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decay<const N: usize> {
    /// Start time in seconds.
    pub(crate) at: f64,
    /// The error at the start.
    from: [f64; N],
    shape: Shape,
    /// Fraction of the error that is removed.
    gain: f64,
    /// Overshoot as a fraction of the movement.
    overshoot: f64,
    /// Time to return from the overshoot, in seconds.
    settle_secs: f64,
    momentum: [Momentum; N],
    /// Time in seconds at which the error is zero; infinite if the gain is not 1.
    zero_from: f64,
}

impl<const N: usize> Decay<N> {
    /// No error.
    pub(crate) const NONE: Self = Self {
        at: f64::NEG_INFINITY,
        from: [0.0; N],
        shape: Shape::Linear { secs: 0.0 },
        gain: 1.0,
        overshoot: 0.0,
        settle_secs: 0.0,
        momentum: [Momentum::NONE; N],
        zero_from: f64::NEG_INFINITY,
    };

    /// Longest time in seconds for which an initial velocity continues.
    const MOMENTUM_SECS: f64 = 0.04;

    /// Creates an error that decays with the shape of `movement` from the time `at` on. `velocity` is the initial
    /// rate of change in degrees per second.
    pub(crate) fn with_profile(at: f64, from: [f64; N], movement: &Profile, velocity: [f64; N]) -> Self {
        let shape = Shape::Measured(movement.with_amplitude(1.0));
        let secs = movement.peak_secs().min(Self::MOMENTUM_SECS);
        Self { at, from, shape, momentum: velocity.map(|v| Momentum::new(v, secs)), ..Self::NONE }
            .with_zero_time()
    }

    /// Creates an error that decays at constant speed.
    pub(crate) fn linear(at: f64, from: [f64; N], secs: f64) -> Self {
        Self { at, from, shape: Shape::Linear { secs }, ..Self::NONE }.with_zero_time()
    }

    /// Removes only the fraction `gain` of the error; the rest of the error remains for a second movement.
    pub(crate) fn with_gain(self, gain: f64) -> Self {
        Self { gain, ..self }.with_zero_time()
    }

    /// Adds an overshoot: `overshoot` is a fraction of the movement, `settle_secs` the time to return from it.
    pub(crate) fn with_overshoot(self, overshoot: f64, settle_secs: f64) -> Self {
        Self { overshoot, settle_secs, ..self }.with_zero_time()
    }

    fn with_zero_time(self) -> Self {
        let settled = self.landing_time() + if self.overshoot > 0.0 { self.settle_secs } else { 0.0 };
        Self { zero_from: if self.gain == 1.0 { settled } else { f64::INFINITY }, ..self }
    }

    fn movement_secs(&self) -> f64 {
        match self.shape {
            Shape::Measured(profile) => profile.duration_secs(),
            Shape::Linear { secs } => secs,
        }
    }

    /// Returns the time at which the movement lands; an overshoot returns after that.
    pub(crate) fn landing_time(&self) -> f64 {
        self.at + self.movement_secs()
    }

    /// Returns true if the error is zero from `t` on.
    pub(crate) fn is_zero(&self, t: f64) -> bool {
        t >= self.zero_from
    }

    /// Returns the error at `t` in degrees.
    pub(crate) fn error(&self, t: f64) -> [f64; N] {
        if self.is_zero(t) {
            return [0.0; N];
        }
        let secs = (t - self.at).max(0.0);
        let left = 1.0 - self.gain * self.share(secs);
        std::array::from_fn(|i| self.from[i] * left + self.momentum[i].position(secs))
    }

    /// Returns the rate of change of the error at `t`, in degrees per second.
    pub(crate) fn velocity(&self, t: f64) -> [f64; N] {
        if self.is_zero(t) || t < self.at {
            return [0.0; N];
        }
        let secs = t - self.at;
        let speed = self.gain * self.share_per_sec(secs);
        std::array::from_fn(|i| self.momentum[i].velocity(secs) - self.from[i] * speed)
    }

    /// Returns the completed fraction of the movement: 0 to 1, slightly above 1 during an overshoot.
    fn share(&self, secs: f64) -> f64 {
        let gone = match self.shape {
            Shape::Measured(profile) => profile.position(secs),
            Shape::Linear { secs: length } if secs < length => secs / length,
            Shape::Linear { .. } => 1.0,
        };
        if self.overshoot == 0.0 {
            return gone;
        }
        let u = ((secs - self.movement_secs()) / self.settle_secs).clamp(0.0, 1.0);
        gone + self.overshoot * (gone - u * u * (3.0 - 2.0 * u))
    }

    fn share_per_sec(&self, secs: f64) -> f64 {
        let speed = match self.shape {
            Shape::Measured(profile) => profile.velocity(secs),
            Shape::Linear { secs: length } if secs < length => 1.0 / length,
            Shape::Linear { .. } => 0.0,
        };
        if self.overshoot == 0.0 {
            return speed;
        }
        let u = ((secs - self.movement_secs()) / self.settle_secs).clamp(0.0, 1.0);
        speed + self.overshoot * (speed - 6.0 * u * (1.0 - u) / self.settle_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eyes::saccade::Saccade;
    use proptest::prelude::*;

    fn decay(velocity: f64, gain: f64, overshoot: f64) -> Decay<1> {
        Decay::with_profile(1.0, [10.0], &Saccade::new(10.0).profile(), [velocity])
            .with_gain(gain)
            .with_overshoot(overshoot, 0.03)
    }

    proptest! {
        #[test]
        fn an_error_starts_complete_and_decays_with_its_velocity(
            velocity in -400.0f64..400.0, gain in 0.9f64..1.0, overshoot in 0.0f64..0.1, at in 0.001f64..0.12
        ) {
            let decay = decay(velocity, gain, overshoot);
            prop_assert_eq!(decay.error(1.0), [10.0]);
            prop_assert_eq!(decay.velocity(1.0), [velocity]);
            prop_assert!((decay.error(2.0)[0] - 10.0 * (1.0 - gain)).abs() < 1e-9);
            let (t, h) = (1.0 + at, 1e-7);
            let slope = (decay.error(t + h)[0] - decay.error(t - h)[0]) / (2.0 * h);
            prop_assert!((slope - decay.velocity(t)[0]).abs() < 0.5, "{slope} at {t}");
        }
    }

    #[test]
    fn the_error_is_zero_at_the_landing() {
        let decay = decay(0.0, 1.0, 0.0);
        assert!((decay.landing_time() - 1.05).abs() < 1e-12);
        assert!(decay.is_zero(decay.landing_time()) && decay.error(decay.landing_time()) == [0.0]);
        let too_far = self::decay(0.0, 1.0, 0.02);
        assert!((too_far.error(too_far.landing_time())[0] + 0.2).abs() < 1e-9, "overshoots by 2 %");
        assert_eq!(too_far.error(1.09), [0.0]);
    }

    #[test]
    fn a_linear_error_decays_at_constant_speed() {
        let decay = Decay::linear(0.0, [4.0, -2.0], 0.01);
        assert_eq!(decay.error(0.0025), [3.0, -1.5]);
        assert_eq!(decay.error(0.01), [0.0, 0.0]);
    }
}
