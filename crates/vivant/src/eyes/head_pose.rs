//! The pose of torso, neck and head before gaze is applied.

use crate::eyes::direction::Direction;
use crate::math::Magnitude as _;
use glam::{DQuat, DVec3};

/// Pose of torso, neck and head at one instant, before gaze turns the head, with the offsets to the eyes. Positions
/// are in metres in the model space of the character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadPose {
    /// Orientation of the torso, including the turn that the gaze requested.
    pub torso: DQuat,
    /// Position of the neck's base.
    pub neck_position: DVec3,
    /// Rotation of the neck relative to the torso, from all motion except gaze.
    pub neck: DQuat,
    /// Rotation of the head relative to the neck, from all motion except gaze, such as a nod.
    pub head: DQuat,
    /// Offset from neck to head, in neck space.
    pub neck_to_head: DVec3,
    /// Offsets from head to left and right eye, in head space.
    pub head_to_eyes: [DVec3; 2],
    /// Fraction of a head turn that the neck takes, 0–1.
    pub neck_share: f64,
}

impl HeadPose {
    /// Default fraction of a head turn that the neck takes (our design).
    pub const NECK_SHARE: f64 = 0.4;

    /// Returns the pose of a standing adult with the torso turned by `turn`; eyes 63 mm apart and 1.6 m above
    /// ground.
    #[must_use]
    pub fn standing(turn: Direction) -> Self {
        Self {
            torso: turn.to_rotation(),
            neck_position: DVec3::new(0.0, 1.45, 0.0),
            neck: DQuat::IDENTITY,
            head: DQuat::IDENTITY,
            neck_to_head: DVec3::new(0.0, 0.09, 0.0),
            head_to_eyes: [DVec3::new(0.0315, 0.06, 0.08), DVec3::new(-0.0315, 0.06, 0.08)],
            neck_share: Self::NECK_SHARE,
        }
    }

    /// Returns the part of a head rotation that the neck takes.
    pub(crate) fn neck_part(&self, turn: DQuat) -> DQuat {
        let turn = if turn.w < 0.0 { -turn } else { turn };
        (DQuat::IDENTITY * (1.0 - self.neck_share) + turn * self.neck_share).to_unit()
    }
}
