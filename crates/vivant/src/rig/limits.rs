//! Rotation limits of bones.

use crate::rig::Bone;
use glam::{EulerRot, Quat};
use serde::{Deserialize, Serialize};

/// Ranges of a bone's rotation in radians, as yaw (Y), then pitch (X), then roll (Z).
///
/// In humanoid space positive yaw turns to the character's left and positive pitch looks down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationLimit {
    /// Minimum and maximum rotation about the vertical axis, in radians; positive is to the left.
    pub yaw: [f32; 2],
    /// Minimum (up) and maximum (down) pitch, in radians.
    pub pitch: [f32; 2],
    /// Minimum and maximum roll, in radians.
    pub roll: [f32; 2],
}

impl RotationLimit {
    /// Creates a limit with symmetric yaw and roll, and pitch from `up` to `down`, all in degrees.
    #[must_use]
    pub fn degrees(yaw: f32, up: f32, down: f32, roll: f32) -> Self {
        let [yaw, up, down, roll] = [yaw, up, down, roll].map(f32::to_radians);
        Self { yaw: [-yaw, yaw], pitch: [-up, down], roll: [-roll, roll] }
    }

    /// Returns the human default of a bone; `None` for bones that Vivant never rotates by itself.
    ///
    /// Eyes have the oculomotor range of 40°; vertically they have the smaller range in which gaze is comfortable.
    /// Neck and head together have the head's range of 75° in yaw and 50° in pitch.
    #[must_use]
    pub fn human(bone: Bone) -> Option<Self> {
        Some(match bone {
            Bone::LeftEye | Bone::RightEye => Self::degrees(40.0, 20.0, 25.0, 0.0),
            Bone::Head => Self::degrees(45.0, 30.0, 30.0, 20.0),
            Bone::Neck => Self::degrees(30.0, 20.0, 20.0, 15.0),
            Bone::Spine | Bone::Chest | Bone::UpperChest => Self::degrees(15.0, 10.0, 20.0, 10.0),
            Bone::Jaw => Self::degrees(5.0, 0.0, 30.0, 0.0),
            _ => return None,
        })
    }

    /// Clamps each Euler angle to its range.
    #[must_use]
    pub fn clamp(&self, rotation: Quat) -> Quat {
        let (yaw, pitch, roll) = rotation.to_euler(EulerRot::YXZ);
        let held = |angle: f32, [least, greatest]: [f32; 2]| angle.clamp(least, greatest);
        Quat::from_euler(EulerRot::YXZ, held(yaw, self.yaw), held(pitch, self.pitch), held(roll, self.roll))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::angle_between;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn clamping_is_idempotent_and_keeps_rotations_in_range(yaw in -1.5f32..1.5, pitch in -1.5f32..1.5, roll in -1.5f32..1.5) {
            let limit = RotationLimit::human(Bone::Head).unwrap();
            let q = Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll);
            let once = limit.clamp(q);
            prop_assert!(angle_between(once, limit.clamp(once)) < 2e-3);
            let fits = yaw.abs() < 0.78 && pitch.abs() < 0.52 && roll.abs() < 0.34;
            if fits {
                prop_assert!(angle_between(once, q) < 1e-3);
            }
        }
    }

    #[test]
    fn an_eye_stops_at_the_oculomotor_range() {
        let limit = RotationLimit::human(Bone::LeftEye).unwrap();
        let held = limit.clamp(Quat::from_rotation_y(1.0));
        assert!((angle_between(held, Quat::IDENTITY).to_degrees() - 40.0).abs() < 1e-3);
    }
}
