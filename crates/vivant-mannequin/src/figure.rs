//! The proportions of the figure: positions of its joints, and its thickness as capsules.
//!
//! Skeleton, meshes and motions use these tables. The avatar's meshes follow the capsules, and motions keep hands and
//! forearms out of the capsules.

use vivant::rig::Bone;

/// Bones on the midline, with their positions in metres.
pub(crate) const MIDDLE: [(Bone, [f32; 3]); 7] = [
    (Bone::Hips, [0.0, 0.925, 0.0]),
    (Bone::Spine, [0.0, 1.0, -0.01]),
    (Bone::Chest, [0.0, 1.115, -0.018]),
    (Bone::UpperChest, [0.0, 1.24, -0.025]),
    (Bone::Neck, [0.0, 1.405, -0.03]),
    (Bone::Head, [0.0, 1.485, -0.012]),
    (Bone::Jaw, [0.0, 1.53, 0.015]),
];

/// Bones of the left side, with their positions in metres. The right side is the mirror image.
///
/// The knee is slightly in front of the line from hip to ankle, so that the direction in which it bends is defined.
pub(crate) const LEFT: [(Bone, [f32; 3]); 24] = [
    (Bone::LeftEye, [0.039, 1.574, 0.058]),
    (Bone::LeftShoulder, [0.03, 1.375, -0.02]),
    (Bone::LeftUpperArm, [0.17, 1.38, -0.03]),
    (Bone::LeftLowerArm, [0.445, 1.38, -0.03]),
    (Bone::LeftHand, [0.69, 1.38, -0.03]),
    (Bone::LeftThumbMetacarpal, [0.712, 1.37, 0.0]),
    (Bone::LeftThumbProximal, [0.745, 1.36, 0.028]),
    (Bone::LeftThumbDistal, [0.775, 1.355, 0.043]),
    (Bone::LeftIndexProximal, [0.78, 1.38, 0.0]),
    (Bone::LeftIndexIntermediate, [0.82, 1.38, 0.002]),
    (Bone::LeftIndexDistal, [0.845, 1.38, 0.003]),
    (Bone::LeftMiddleProximal, [0.782, 1.382, -0.022]),
    (Bone::LeftMiddleIntermediate, [0.826, 1.382, -0.022]),
    (Bone::LeftMiddleDistal, [0.854, 1.382, -0.022]),
    (Bone::LeftRingProximal, [0.776, 1.38, -0.043]),
    (Bone::LeftRingIntermediate, [0.816, 1.38, -0.044]),
    (Bone::LeftRingDistal, [0.842, 1.38, -0.045]),
    (Bone::LeftLittleProximal, [0.766, 1.376, -0.062]),
    (Bone::LeftLittleIntermediate, [0.797, 1.376, -0.065]),
    (Bone::LeftLittleDistal, [0.816, 1.376, -0.066]),
    (Bone::LeftUpperLeg, [0.09, 0.885, 0.0]),
    (Bone::LeftLowerLeg, [0.09, 0.475, 0.008]),
    (Bone::LeftFoot, [0.09, 0.08, -0.015]),
    (Bone::LeftToes, [0.09, 0.018, 0.115]),
];

/// Radius of an eyeball in metres. It is larger than in people, as usual for stylised characters.
pub(crate) const EYE_RADIUS: f32 = 0.03;

/// A part of the body as a capsule, in metres in the rest pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capsule {
    /// The bone that moves the capsule.
    pub(crate) bone: Bone,
    pub(crate) ends: [[f32; 3]; 2],
    pub(crate) radius: f32,
}

const fn capsule(bone: Bone, a: [f32; 3], b: [f32; 3], radius: f32) -> Capsule {
    Capsule { bone, ends: [a, b], radius }
}

/// Capsules of trunk, neck and head. Motions keep hands and forearms out of them.
pub(crate) const TRUNK: [Capsule; 9] = [
    capsule(Bone::Hips, [-0.062, 0.905, 0.0], [0.062, 0.905, 0.0], 0.1),
    capsule(Bone::Spine, [-0.04, 1.03, 0.0], [0.04, 1.03, 0.0], 0.092),
    capsule(Bone::Chest, [-0.052, 1.16, -0.006], [0.052, 1.16, -0.006], 0.094),
    capsule(Bone::UpperChest, [-0.068, 1.275, -0.014], [0.068, 1.275, -0.014], 0.092),
    capsule(Bone::UpperChest, [-0.1, 1.37, -0.026], [0.1, 1.37, -0.026], 0.052),
    capsule(Bone::Neck, [0.0, 1.39, -0.03], [0.0, 1.5, -0.02], 0.05),
    capsule(Bone::Head, [0.0, 1.6, -0.025], [0.0, 1.62, -0.03], 0.108),
    capsule(Bone::Head, [-0.02, 1.58, 0.025], [0.02, 1.58, 0.025], 0.07),
    capsule(Bone::Head, [0.0, 1.515, 0.025], [0.0, 1.525, 0.03], 0.062),
];

/// Limbs of the left side; the right side is the mirror image. Fingers end 24 mm beyond their last joint. The little
/// finger ends 20 mm beyond it.
pub(crate) const LIMBS: [Capsule; 26] = [
    capsule(Bone::LeftUpperArm, [0.17, 1.375, -0.03], [0.30, 1.38, -0.03], 0.047),
    capsule(Bone::LeftUpperArm, [0.30, 1.38, -0.03], [0.445, 1.38, -0.03], 0.041),
    capsule(Bone::LeftLowerArm, [0.445, 1.38, -0.03], [0.56, 1.38, -0.03], 0.038),
    capsule(Bone::LeftLowerArm, [0.56, 1.38, -0.03], [0.68, 1.38, -0.03], 0.03),
    capsule(Bone::LeftHand, [0.70, 1.379, -0.012], [0.772, 1.379, -0.006], 0.0145),
    capsule(Bone::LeftHand, [0.70, 1.379, -0.03], [0.772, 1.379, -0.03], 0.0155),
    capsule(Bone::LeftHand, [0.70, 1.378, -0.045], [0.764, 1.377, -0.054], 0.0145),
    capsule(Bone::LeftThumbMetacarpal, [0.712, 1.37, 0.0], [0.745, 1.36, 0.028], 0.0125),
    capsule(Bone::LeftThumbProximal, [0.745, 1.36, 0.028], [0.775, 1.355, 0.043], 0.0105),
    capsule(Bone::LeftThumbDistal, [0.775, 1.355, 0.043], [0.796, 1.352, 0.051], 0.0092),
    capsule(Bone::LeftIndexProximal, [0.78, 1.38, 0.0], [0.82, 1.38, 0.002], 0.0092),
    capsule(Bone::LeftIndexIntermediate, [0.82, 1.38, 0.002], [0.845, 1.38, 0.003], 0.0085),
    capsule(Bone::LeftIndexDistal, [0.845, 1.38, 0.003], [0.862, 1.38, 0.004], 0.0078),
    capsule(Bone::LeftMiddleProximal, [0.782, 1.382, -0.022], [0.826, 1.382, -0.022], 0.0094),
    capsule(Bone::LeftMiddleIntermediate, [0.826, 1.382, -0.022], [0.854, 1.382, -0.022], 0.0086),
    capsule(Bone::LeftMiddleDistal, [0.854, 1.382, -0.022], [0.871, 1.382, -0.022], 0.0079),
    capsule(Bone::LeftRingProximal, [0.776, 1.38, -0.043], [0.816, 1.38, -0.044], 0.009),
    capsule(Bone::LeftRingIntermediate, [0.816, 1.38, -0.044], [0.842, 1.38, -0.045], 0.0083),
    capsule(Bone::LeftRingDistal, [0.842, 1.38, -0.045], [0.859, 1.38, -0.046], 0.0077),
    capsule(Bone::LeftLittleProximal, [0.766, 1.376, -0.062], [0.797, 1.376, -0.065], 0.0082),
    capsule(Bone::LeftLittleIntermediate, [0.797, 1.376, -0.065], [0.816, 1.376, -0.066], 0.0075),
    capsule(Bone::LeftLittleDistal, [0.816, 1.376, -0.066], [0.83, 1.376, -0.067], 0.007),
    capsule(Bone::LeftUpperLeg, [0.088, 0.86, 0.0], [0.09, 0.66, 0.004], 0.076),
    capsule(Bone::LeftUpperLeg, [0.09, 0.66, 0.004], [0.09, 0.475, 0.008], 0.062),
    capsule(Bone::LeftLowerLeg, [0.09, 0.475, 0.008], [0.09, 0.26, -0.006], 0.054),
    capsule(Bone::LeftLowerLeg, [0.09, 0.26, -0.006], [0.09, 0.08, -0.015], 0.043),
];

impl Capsule {
    /// Returns the mirror image.
    pub(crate) fn mirrored(self) -> Self {
        Self { bone: self.bone.mirrored(), ends: self.ends.map(|[x, y, z]| [-x, y, z]), ..self }
    }
}
