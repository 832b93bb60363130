//! Shapes of a hand: how far each finger is bent, how far they are spread, and where the thumb is.

use crate::motion::Side;
use glam::{EulerRot, Quat};
use vivant::rig::Bone;

/// A hand's shape, in degrees; all 0 is the flat hand of the T-pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HandShape {
    /// How far each joint of a finger is bent: index, middle, ring, little.
    pub(crate) fingers: [f32; 4],
    /// How far index and little finger are apart from the middle.
    pub(crate) spread: f32,
    /// How far each joint of the thumb is bent.
    pub(crate) thumb: f32,
    /// How far the thumb is turned under the palm.
    pub(crate) thumb_in: f32,
    /// How far the thumb is held away from the index finger.
    pub(crate) thumb_out: f32,
}

impl HandShape {
    /// As [`Pose::neutral`](vivant::pose::Pose::neutral) has it.
    pub(crate) const NEUTRAL: Self =
        Self { fingers: [14.0; 4], spread: 0.0, thumb: 0.0, thumb_in: 0.0, thumb_out: 0.0 };

    /// Every joint of a side's hand and how it is turned.
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
    fn the_neutral_hand_is_that_of_the_neutral_pose() {
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
