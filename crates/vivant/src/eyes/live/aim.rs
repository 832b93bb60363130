//! Targets of the gaze.
//!
//! A [`Target`] is what a caller asks for; an `Aim` is the same target resolved to the space in which it is fixed:
//! model, torso or head. The distinction decides what happens when the character turns: a point stays where it is, and
//! a torso direction turns with the body. Named targets may move. `Track` estimates their velocity from the reported
//! positions and ignores jumps, and `Pursuit` follows them with a gain below 1, as human eyes do.

use crate::eyes::direction::Direction;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Target of the gaze.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// A point in the character's model space, in metres.
    Point([f64; 3]),
    /// A direction in the character's model space, at infinite distance.
    Direction(Direction),
    /// A named target that may move.
    Named(TargetId),
    /// Straight ahead of the torso.
    Ahead,
    /// A random direction away from the current direction.
    Away,
}

impl Target {
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Point(point) => DVec3::from_array(*point).is_finite(),
            Self::Direction(direction) => direction.is_finite(),
            _ => true,
        }
    }
}

/// Handle of a named target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TargetId(pub(super) usize);

/// The resolved target of the gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// A point in model space.
    Point(DVec3),
    /// A named target, followed by smooth pursuit.
    Moving(usize),
    /// A direction in model space.
    Model(DVec3),
    /// A direction relative to the torso.
    Torso(DVec3),
    /// Directions relative to the head, for example from a tracker: the gaze direction, and the direction of each
    /// eye.
    Head { both: DVec3, eyes: [DVec3; 2] },
}

/// State of a named target.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) name: String,
    pub(super) at: f64,
    pub(super) place: DVec3,
    pub(super) velocity: DVec3,
}

impl Track {
    pub(super) fn new(name: &str) -> Self {
        // Two metres ahead at eye height, until a position is set.
        let place = DVec3::new(0.0, 1.6, 2.0);
        Self { name: name.to_owned(), at: f64::NEG_INFINITY, place, velocity: DVec3::ZERO }
    }

    /// Sets a new position. The velocity is zero if the last position is more than half a second old. It is also zero
    /// if the target moved faster than 10 m/s, because this is a jump to another place, not a movement.
    pub(super) fn take(&mut self, at: f64, place: DVec3) {
        const FORGOTTEN_SECS: f64 = 0.5;
        const FASTEST_M_PER_S: f64 = 10.0;
        let secs = at - self.at;
        if secs > FORGOTTEN_SECS {
            self.velocity = DVec3::ZERO;
        } else if secs > 1e-4 {
            let velocity = (place - self.place) / secs;
            let is_moved = velocity.length() <= FASTEST_M_PER_S;
            self.velocity = if is_moved { velocity } else { DVec3::ZERO };
        }
        self.at = at;
        self.place = place;
    }

    /// Returns the position at `t`, extrapolated with the last velocity for at most 0.2 s.
    pub(super) fn estimate(&self, t: f64) -> DVec3 {
        const TRUSTED_SECS: f64 = 0.2;
        let ahead = (t - self.at).clamp(0.0, TRUSTED_SECS);
        if ahead.is_finite() { self.place + self.velocity * ahead } else { self.place }
    }
}

/// Smooth pursuit: a point that follows a target, with a velocity that changes over a short time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pursuit {
    at: f64,
    place: DVec3,
    before: DVec3,
    after: DVec3,
}

impl Pursuit {
    /// Seconds in which the pursuit reaches a new velocity. This ramp replaces the human latency of 100 to 150 ms
    /// (a commonly reported range).
    const RAMP_SECS: f64 = 0.125;

    pub(super) fn at_rest(place: DVec3) -> Self {
        Self { at: 0.0, place, before: DVec3::ZERO, after: DVec3::ZERO }
    }

    /// Creates a pursuit that starts with this velocity.
    pub(super) fn moving(at: f64, place: DVec3, velocity: DVec3) -> Self {
        Self { at, place, before: velocity, after: velocity }
    }

    /// Returns the pursuit continued with another velocity.
    pub(super) fn with_velocity(&self, at: f64, velocity: DVec3) -> Self {
        Self { at, place: self.place(at), before: self.velocity(at), after: velocity }
    }

    pub(super) fn place(&self, t: f64) -> DVec3 {
        let secs = (t - self.at).max(0.0);
        let ramp = secs.min(Self::RAMP_SECS);
        self.place
            + self.before * ramp
            + (self.after - self.before) * (0.5 * ramp * ramp / Self::RAMP_SECS)
            + self.after * (secs - ramp)
    }

    pub(super) fn velocity(&self, t: f64) -> DVec3 {
        let share = ((t - self.at) / Self::RAMP_SECS).clamp(0.0, 1.0);
        self.before + (self.after - self.before) * share
    }

    /// Returns the ratio of pursuit velocity to target velocity: 0.98 up to 10°/s, falling to 0.75 at 60°/s
    /// (Schalén 1980), and further along that line to 0.5 (our design).
    pub(super) fn gain(deg_per_s: f64) -> f64 {
        (0.98 - (deg_per_s - 10.0) * (0.23 / 50.0)).clamp(0.5, 0.98)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pursuit_reaches_a_velocity_smoothly() {
        let start = Pursuit::at_rest(DVec3::Z).with_velocity(1.0, DVec3::X);
        assert_eq!((start.place(1.0), start.velocity(1.0)), (DVec3::Z, DVec3::ZERO));
        assert_eq!(start.velocity(1.125), DVec3::X);
        // During the ramp, the pursuit covers only half of the distance.
        assert!((start.place(2.0).x - (1.0 - 0.0625)).abs() < 1e-12);
        let turned = start.with_velocity(1.05, -DVec3::X);
        assert!((turned.place(1.05) - start.place(1.05)).length() < 1e-12);
        assert!((turned.velocity(1.05) - start.velocity(1.05)).length() < 1e-12);
    }

    #[test]
    fn pursuit_lags_behind_fast_targets() {
        for (speed, gain) in [(0.0, 0.98), (10.0, 0.98), (35.0, 0.865), (60.0, 0.75), (500.0, 0.5)] {
            assert!((Pursuit::gain(speed) - gain).abs() < 1e-9, "{speed}°/s");
        }
    }

    #[test]
    fn a_track_gets_its_velocity_from_two_positions() {
        let mut track = Track::new("ball");
        track.take(1.0, DVec3::ZERO);
        assert_eq!(track.velocity, DVec3::ZERO);
        track.take(1.1, DVec3::X * 0.2);
        assert!((track.velocity.x - 2.0).abs() < 1e-9);
        assert!((track.estimate(1.15).x - 0.3).abs() < 1e-9);
        track.take(1.2, DVec3::X * 9.0);
        assert_eq!(track.velocity, DVec3::ZERO, "the target was teleported");
        track.take(3.0, DVec3::X);
        assert_eq!((track.velocity, track.estimate(9.0)), (DVec3::ZERO, DVec3::X));
    }
}
