//! An error that fades: the one shape of every jump of eyes and lids.
//!
//! A saccade does not lead from one place to another; it takes away the error between where the eyes
//! look and where they should. So the target may move meanwhile, the head may nod, and still the eyes
//! land on the target, because all that is left of the error then is nothing.

use crate::eyes::glide::Momentum;
use crate::eyes::profile::Profile;

/// How an error fades from 1 to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// As measured; a profile of size 1.
    Measured(Profile),
    /// At constant speed: between two samples of a tracker.
    Linear { secs: f64 },
}

/// An error in `N` angles that fades, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jump<const N: usize> {
    /// When it begins.
    pub(crate) at: f64,
    /// The error at that time.
    from: [f64; N],
    shape: Shape,
    /// The share of the error that is taken away.
    gain: f64,
    /// By which share of the way it goes too far, and how long that takes to come back.
    overshoot: f64,
    settle_secs: f64,
    momentum: [Momentum; N],
    /// When nothing is left of it; never, if a share is left for later.
    over: f64,
}

impl<const N: usize> Jump<N> {
    /// No error.
    pub(crate) const NONE: Self = Self {
        at: f64::NEG_INFINITY,
        from: [0.0; N],
        shape: Shape::Linear { secs: 0.0 },
        gain: 1.0,
        overshoot: 0.0,
        settle_secs: 0.0,
        momentum: [Momentum::NONE; N],
        over: f64::NEG_INFINITY,
    };

    /// Velocities are carried on for this long at most.
    const MOMENTUM_SECS: f64 = 0.04;

    /// An error that fades as a movement of some size does, begun at a velocity in degrees a second.
    pub(crate) fn as_movement(at: f64, from: [f64; N], movement: &Profile, velocity: [f64; N]) -> Self {
        let shape = Shape::Measured(movement.with_amplitude(1.0));
        let secs = movement.peak_secs().min(Self::MOMENTUM_SECS);
        Self { at, from, shape, momentum: velocity.map(|v| Momentum::new(v, secs)), ..Self::NONE }.timed()
    }

    /// An error that fades at constant speed.
    pub(crate) fn linear(at: f64, from: [f64; N], secs: f64) -> Self {
        Self { at, from, shape: Shape::Linear { secs }, ..Self::NONE }.timed()
    }

    /// Leaves a share of the error for a second movement.
    pub(crate) fn with_gain(self, gain: f64) -> Self {
        Self { gain, ..self }.timed()
    }

    /// Goes too far by a share of the way, and comes back in some time.
    pub(crate) fn with_overshoot(self, overshoot: f64, settle_secs: f64) -> Self {
        Self { overshoot, settle_secs, ..self }.timed()
    }

    fn timed(self) -> Self {
        let settled = self.lands() + if self.overshoot > 0.0 { self.settle_secs } else { 0.0 };
        Self { over: if self.gain == 1.0 { settled } else { f64::INFINITY }, ..self }
    }

    fn movement_secs(&self) -> f64 {
        match self.shape {
            Shape::Measured(profile) => profile.duration_secs(),
            Shape::Linear { secs } => secs,
        }
    }

    /// When the movement lands; an overshoot comes back after that.
    pub(crate) fn lands(&self) -> f64 {
        self.at + self.movement_secs()
    }

    /// Whether nothing is left of the error.
    pub(crate) fn is_nothing(&self, t: f64) -> bool {
        t >= self.over
    }

    /// The error at `t`.
    pub(crate) fn error(&self, t: f64) -> [f64; N] {
        if self.is_nothing(t) {
            return [0.0; N];
        }
        let secs = (t - self.at).max(0.0);
        let left = 1.0 - self.gain * self.share(secs);
        std::array::from_fn(|i| self.from[i] * left + self.momentum[i].position(secs))
    }

    /// How fast the error changes at `t`, in degrees a second.
    pub(crate) fn velocity(&self, t: f64) -> [f64; N] {
        if self.is_nothing(t) || t < self.at {
            return [0.0; N];
        }
        let secs = t - self.at;
        let speed = self.gain * self.share_per_sec(secs);
        std::array::from_fn(|i| self.momentum[i].velocity(secs) - self.from[i] * speed)
    }

    /// From 0 to 1, or a little beyond and back.
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

    fn jump(velocity: f64, gain: f64, overshoot: f64) -> Jump<1> {
        Jump::as_movement(1.0, [10.0], &Saccade::new(10.0).profile(), [velocity])
            .with_gain(gain)
            .with_overshoot(overshoot, 0.03)
    }

    proptest! {
        #[test]
        fn an_error_begins_whole_and_fades_with_its_velocity(
            velocity in -400.0f64..400.0, gain in 0.9f64..1.0, overshoot in 0.0f64..0.1, at in 0.001f64..0.12
        ) {
            let jump = jump(velocity, gain, overshoot);
            prop_assert_eq!(jump.error(1.0), [10.0]);
            prop_assert_eq!(jump.velocity(1.0), [velocity]);
            prop_assert!((jump.error(2.0)[0] - 10.0 * (1.0 - gain)).abs() < 1e-9);
            let (t, h) = (1.0 + at, 1e-7);
            let slope = (jump.error(t + h)[0] - jump.error(t - h)[0]) / (2.0 * h);
            prop_assert!((slope - jump.velocity(t)[0]).abs() < 0.5, "{slope} at {t}");
        }
    }

    #[test]
    fn nothing_is_left_at_the_landing() {
        let jump = jump(0.0, 1.0, 0.0);
        assert!((jump.lands() - 1.05).abs() < 1e-12);
        assert!(jump.is_nothing(jump.lands()) && jump.error(jump.lands()) == [0.0]);
        let too_far = self::jump(0.0, 1.0, 0.02);
        assert!((too_far.error(too_far.lands())[0] + 0.2).abs() < 1e-9, "it goes 2 % too far");
        assert_eq!(too_far.error(1.09), [0.0]);
    }

    #[test]
    fn between_two_samples_the_error_fades_at_constant_speed() {
        let jump = Jump::linear(0.0, [4.0, -2.0], 0.01);
        assert_eq!(jump.error(0.0025), [3.0, -1.5]);
        assert_eq!(jump.error(0.01), [0.0, 0.0]);
    }
}
