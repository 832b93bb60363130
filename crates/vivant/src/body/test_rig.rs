//! A test rig for this module: an adult with the joints that matter here.

use crate::rig::{Bone, Rig, RigParts};
use glam::Vec3;

/// Joints of the middle and of the left side.
const JOINTS: [(Bone, [f32; 3]); 14] = [
    (Bone::Hips, [0.0, 0.925, 0.0]),
    (Bone::Spine, [0.0, 1.0, -0.01]),
    (Bone::Chest, [0.0, 1.115, -0.018]),
    (Bone::UpperChest, [0.0, 1.24, -0.025]),
    (Bone::Neck, [0.0, 1.405, -0.03]),
    (Bone::Head, [0.0, 1.49, -0.01]),
    (Bone::LeftShoulder, [0.03, 1.375, -0.02]),
    (Bone::LeftUpperArm, [0.17, 1.38, -0.03]),
    (Bone::LeftLowerArm, [0.445, 1.38, -0.03]),
    (Bone::LeftHand, [0.69, 1.38, -0.03]),
    (Bone::LeftUpperLeg, [0.09, 0.885, 0.0]),
    (Bone::LeftLowerLeg, [0.09, 0.475, 0.008]),
    (Bone::LeftFoot, [0.09, 0.08, -0.015]),
    (Bone::LeftToes, [0.09, 0.018, 0.115]),
];

pub(crate) fn rig() -> Rig {
    shaped(|_, place| place)
}

/// Returns the rig with its joints moved by `shape`.
pub(crate) fn shaped(shape: impl Fn(Bone, Vec3) -> Vec3) -> Rig {
    let left = JOINTS.into_iter().map(|(bone, place)| (bone, shape(bone, Vec3::from(place))));
    let right = left.clone().filter(|(bone, _)| bone.mirrored() != *bone);
    let right = right.map(|(bone, at)| (bone.mirrored(), Vec3::new(-at.x, at.y, at.z)));
    Rig::new(RigParts { rest_positions: left.clone().chain(right).collect(), ..RigParts::default() })
}
