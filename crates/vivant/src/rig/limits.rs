//! How far a bone can turn.

use crate::rig::Bone;
use glam::{EulerRot, Quat};
use serde::{Deserialize, Serialize};

/// The ranges in which a bone's rotation stays, in radians, as yaw (Y), then pitch (X), then roll (Z).
///
/// In humanoid space a positive yaw turns to the character's left, a positive pitch looks down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationLimit {
    /// Least and greatest turn about the vertical.
    pub yaw: [f32; 2],
    /// Least (up) and greatest (down) nod.
    pub pitch: [f32; 2],
    /// Least and greatest tilt.
    pub roll: [f32; 2],
}

impl RotationLimit {
    /// Symmetric yaw and roll, and pitch from `up` to `down`, all in degrees.
    #[must_use]
    pub fn degrees(yaw: f32, up: f32, down: f32, roll: f32) -> Self {
        let [yaw, up, down, roll] = [yaw, up, down, roll].map(f32::to_radians);
        Self { yaw: [-yaw, yaw], pitch: [-up, down], roll: [-roll, roll] }
    }

    /// The human default of a bone; `None` where Vivant generates no rotation of its own.
    ///
    /// Eyes: the oculomotor range of 40°, with the vertical range in which gaze is comfortable
    /// (FACTS, section 3). Neck and head share the head's range of 75° in yaw and 50° in pitch.
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

    /// The nearest rotation within the limit, angle by angle.
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
        fn clamping_is_idempotent_and_leaves_what_fits(yaw in -1.5f32..1.5, pitch in -1.5f32..1.5, roll in -1.5f32..1.5) {
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
