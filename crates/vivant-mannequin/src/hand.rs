//! Hand shapes: the bend of each finger, the spread of the fingers, and the position of the thumb.

use crate::motion::Side;
use glam::{EulerRot, Quat};
use vivant::rig::Bone;

/// A hand shape in degrees; all 0 is the flat hand of the T-pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HandShape {
    /// Bend of each joint of the fingers: index, middle, ring and little finger.
    pub(crate) fingers: [f32; 4],
    /// Spread of the index and the little finger from the middle of the hand.
    pub(crate) spread: f32,
    /// Bend of each joint of the thumb.
    pub(crate) thumb: f32,
    /// Rotation of the thumb under the palm.
    pub(crate) thumb_in: f32,
    /// Angle of the thumb away from the index finger.
    pub(crate) thumb_out: f32,
}

impl HandShape {
    /// The shape in [`Pose::neutral`](vivant::pose::Pose::neutral).
    pub(crate) const NEUTRAL: Self =
        Self { fingers: [14.0; 4], spread: 0.0, thumb: 0.0, thumb_in: 0.0, thumb_out: 0.0 };

    /// Returns every finger joint of a hand with its rotation.
    pub(crate) fn joints(&self, side: Side) -> Vec<(Bone, Quat)> {
        let mut joints = Vec::with_capacity(15);
        let radians = |degrees: f32| degrees.to_radians();
        for (finger, share) in [-1.0, -0.2, 0.5, 1.0].into_iter().enumerate() {
            let first = Bone::LeftIndexProximal.index() + 3 * finger;
            let bend = Quat::from_rotation_z(radians(-self.fingers[finger]));
            let fan = Quat::from_rotation_y(radians(self.spread * share));
            joints.push((Bone::ALL[first], fan * bend));
            joints.extend([1, 2].map(|joint| (Bone::ALL[first + joint], bend)));
        }
        let thumb = |yaw: f32, under: f32| Quat::from_euler(EulerRot::YXZ, radians(yaw), radians(under), 0.0);
        let away = self.thumb_out;
        joints.push((Bone::LeftThumbMetacarpal, thumb(0.4 * self.thumb - away, self.thumb_in)));
        joints.push((Bone::LeftThumbProximal, thumb(self.thumb - 0.4 * away, 0.3 * self.thumb_in)));
        joints.push((Bone::LeftThumbDistal, thumb(self.thumb, 0.0)));
        joints.into_iter().map(|(bone, left)| (side.of(bone), side.turned(left))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::math::angle_between;
    use vivant::pose::Pose;

    #[test]
    fn the_neutral_hand_matches_the_neutral_pose() {
        let pose = Pose::neutral(&crate::rig());
        for side in Side::BOTH {
            for (bone, rotation) in HandShape::NEUTRAL.joints(side) {
                assert!(angle_between(pose.rotations.get(bone), rotation) < 1e-4, "{bone:?}");
            }
        }
    }

    #[test]
    fn every_joint_of_a_hand_is_posed_once() {
        for side in Side::BOTH {
            let mut bones: Vec<Bone> =
                HandShape::NEUTRAL.joints(side).into_iter().map(|(bone, _)| bone).collect();
            bones.sort();
            bones.dedup();
            assert_eq!(bones.len(), 15);
            assert!(bones.into_iter().all(crate::motion::is_finger));
        }
    }
}
