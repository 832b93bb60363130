//! Directions as yaw and pitch.
//!
//! The literature on eye movements gives gaze as angles in degrees, and rigs use vectors and quaternions. A
//! [`Direction`] converts between these forms with one convention: yaw is positive to the character's left, pitch is
//! positive up, and vectors have +X to the left, +Y up and +Z ahead.
//!
//! ```
//! use vivant::eyes::direction::Direction;
//! use vivant::glam::DVec3;
//! let gaze = Direction::of(DVec3::new(1.0, 0.0, 1.0));
//! assert!((gaze.yaw_deg - 45.0).abs() < 1e-9, "45 degrees to the left");
//! assert!((gaze.eccentricity_deg() - 45.0).abs() < 1e-6);
//! ```

use crate::math::{Magnitude as _, asin, atan2, sin, sin_cos};
use glam::{DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A direction in degrees: yaw is positive to the character's left, pitch is positive up.
///
/// These are Fick angles: first the rotation about the vertical axis, then the pitch. Turning a head by these angles
/// does not tilt the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// Yaw in degrees, positive to the left.
    #[serde(rename = "yaw")]
    pub yaw_deg: f64,
    /// Pitch in degrees, positive up.
    #[serde(rename = "pitch")]
    pub pitch_deg: f64,
}

impl Direction {
    /// Straight ahead.
    pub const AHEAD: Self = Self { yaw_deg: 0.0, pitch_deg: 0.0 };

    /// Creates a direction from its angles.
    #[must_use]
    pub const fn new(yaw_deg: f64, pitch_deg: f64) -> Self {
        Self { yaw_deg, pitch_deg }
    }

    /// Returns the direction of a vector in a frame with +X to the left, +Y up and +Z ahead. A zero or non-finite
    /// vector gives [`AHEAD`](Self::AHEAD).
    #[must_use]
    pub fn of(v: DVec3) -> Self {
        let length = v.magnitude();
        if !length.is_normal() {
            return Self::AHEAD;
        }
        let pitch = asin((v.y / length).clamp(-1.0, 1.0));
        Self { yaw_deg: atan2(v.x, v.z).to_degrees(), pitch_deg: pitch.to_degrees() }
    }

    /// Returns the unit vector.
    #[must_use]
    pub fn to_vector(self) -> DVec3 {
        let (sin_yaw, cos_yaw) = sin_cos(self.yaw_deg.to_radians());
        let (sin_pitch, cos_pitch) = sin_cos(self.pitch_deg.to_radians());
        DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Returns the rotation (yaw, then pitch) that turns +Z into this direction.
    #[must_use]
    pub fn to_rotation(self) -> DQuat {
        let (sy, cy) = sin_cos(self.yaw_deg.to_radians() * 0.5);
        let (sp, cp) = sin_cos(self.pitch_deg.to_radians() * 0.5);
        // Ry(yaw) · Rx(−pitch): a positive rotation about X looks down.
        DQuat::from_xyzw(-cy * sp, sy * cp, sy * sp, cy * cp)
    }

    /// Returns the angle to another direction in degrees.
    #[must_use]
    pub fn angle_to(self, other: Self) -> f64 {
        angle_between_deg(self.to_vector(), other.to_vector())
    }

    /// Returns the angle from straight ahead in degrees.
    #[must_use]
    pub fn eccentricity_deg(self) -> f64 {
        self.angle_to(Self::AHEAD)
    }

    /// Returns √(yaw² + pitch²) in degrees. For small angles, this is the angle from straight ahead.
    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.yaw_deg * other.yaw_deg + self.pitch_deg * other.pitch_deg
    }

    /// Returns true if both angles are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.yaw_deg.is_finite() && self.pitch_deg.is_finite()
    }
}

impl std::ops::Add for Direction {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.yaw_deg + other.yaw_deg, self.pitch_deg + other.pitch_deg)
    }
}

impl std::ops::Sub for Direction {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.yaw_deg - other.yaw_deg, self.pitch_deg - other.pitch_deg)
    }
}

impl std::ops::Mul<f64> for Direction {
    type Output = Self;
    fn mul(self, share: f64) -> Self {
        Self::new(self.yaw_deg * share, self.pitch_deg * share)
    }
}

/// Returns the bearing of a direction: a vector in degrees with x to the left and y up, whose length is the angle
/// from +Z.
///
/// Fick angles are singular straight above and below, where a small step changes the yaw by a large angle. Bearings
/// are singular only straight behind. A straight line between a bearing on the far left and a bearing on the far
/// right passes through the front.
#[must_use]
pub(crate) fn bearing(v: DVec3) -> DVec2 {
    let aside = DVec2::new(v.x, v.y);
    let sine = aside.magnitude();
    if sine < 1e-12 {
        return if v.z < 0.0 { DVec2::new(180.0, 0.0) } else { DVec2::ZERO };
    }
    aside * (atan2(sine, v.z).to_degrees() / sine)
}

/// Returns the unit vector of a bearing.
#[must_use]
pub(crate) fn from_bearing(bearing: DVec2) -> DVec3 {
    let degrees = bearing.magnitude();
    let (sine, cosine) = sin_cos(degrees.to_radians());
    let scale = if degrees < 1e-12 { 0.0 } else { sine / degrees };
    DVec3::new(bearing.x * scale, bearing.y * scale, cosine)
}

/// Returns the angle between two vectors in degrees; exact for small angles too.
#[must_use]
pub fn angle_between_deg(a: DVec3, b: DVec3) -> f64 {
    atan2(a.cross(b).magnitude(), a.dot(b)).to_degrees()
}

/// Interpolates between two unit vectors along the great circle by the fraction `share`.
#[must_use]
pub fn slerp(from: DVec3, to: DVec3, share: f64) -> DVec3 {
    let angle = angle_between_deg(from, to).to_radians();
    let sine = sin(angle);
    if sine < 1e-12 {
        return from;
    }
    (from * sin((1.0 - share) * angle) + to * sin(share * angle)) / sine
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn angles_and_vectors_round_trip(yaw in -179.0f64..179.0, pitch in -89.0f64..89.0) {
            let direction = Direction::new(yaw, pitch);
            let back = Direction::of(direction.to_vector() * 3.0);
            prop_assert!((back.yaw_deg - yaw).abs() < 1e-9 && (back.pitch_deg - pitch).abs() < 1e-9);
            let turned = direction.to_rotation() * DVec3::Z;
            prop_assert!((turned - direction.to_vector()).length() < 1e-12);
            // Fick angles do not tilt: the X axis stays level.
            prop_assert!((direction.to_rotation() * DVec3::X).y.abs() < 1e-12);
        }

        #[test]
        fn bearings_and_vectors_round_trip(yaw in -179.0f64..179.0, pitch in -90.0f64..90.0) {
            let v = Direction::new(yaw, pitch).to_vector();
            prop_assert!((from_bearing(bearing(v)) - v).length() < 1e-9);
            prop_assert!((bearing(v).length() - angle_between_deg(v, DVec3::Z)).abs() < 1e-9);
        }

        #[test]
        fn slerp_goes_a_share_of_the_angle(yaw in -170.0f64..170.0, pitch in -80.0f64..80.0, share in 0.0f64..1.0) {
            let (a, b) = (DVec3::Z, Direction::new(yaw, pitch).to_vector());
            let between = slerp(a, b, share);
            prop_assert!((between.length() - 1.0).abs() < 1e-9);
            prop_assert!((angle_between_deg(a, between) - share * angle_between_deg(a, b)).abs() < 1e-6);
        }
    }

    #[test]
    fn left_and_up_are_positive() {
        assert_eq!(Direction::of(DVec3::X).yaw_deg, 90.0);
        assert_eq!(Direction::of(DVec3::Y).pitch_deg, 90.0);
        assert_eq!(Direction::of(DVec3::ZERO), Direction::AHEAD);
    }
}
