//! One instant of a character: one rotation per bone, and the hips position.
//!
//! Rotations are stored as a structure of arrays, padded to a multiple of eight lanes, so that the frame update can
//! process eight bones at once.

use crate::kernel;
use crate::rig::{Bone, BoneSet, Rig};
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Number of bones, padded to full vectors of eight. Lane 55 belongs to no bone and stays at identity.
pub const LANES: usize = 56;

/// One quaternion per bone, stored as four arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
#[allow(missing_docs, reason = "the components of a quaternion")]
pub struct Rotations {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    pub z: [f32; LANES],
    pub w: [f32; LANES],
}

impl Rotations {
    /// All bones at identity.
    pub const IDENTITY: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES], w: [1.0; LANES] };

    /// Returns the rotation of a bone relative to its parent.
    #[must_use]
    pub fn get(&self, bone: Bone) -> Quat {
        let i = bone.index();
        Quat::from_xyzw(self.x[i], self.y[i], self.z[i], self.w[i])
    }

    /// Sets the rotation of a bone relative to its parent.
    pub fn set(&mut self, bone: Bone, rotation: Quat) {
        let i = bone.index();
        [self.x[i], self.y[i], self.z[i], self.w[i]] = rotation.to_array();
    }
}

impl Rotations {
    /// Writes the quaternions as one array of `[x, y, z, w]`, the layout most programs expect.
    pub fn interleave(&self, to: &mut [[f32; 4]; LANES]) {
        kernel::interleave(self, to);
    }
}

impl Default for Rotations {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Local rotations of all bones, and the hips position in metres, in humanoid space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Local rotations.
    pub rotations: Rotations,
    /// Position of the hips in metres.
    pub root: Vec3,
}

impl Pose {
    /// Returns the T-pose of a rig.
    #[must_use]
    pub fn rest(rig: &Rig) -> Self {
        Self { rotations: Rotations::IDENTITY, root: rig.rest_translation(Bone::Hips) }
    }

    /// Returns a neutral stance: the T-pose with the arms at the sides, elbows and fingers slightly bent.
    ///
    /// Borer 2019, section 5, composes all motion over such a pose ("the character has the hands at his side") but
    /// gives no angles; these are our design.
    #[must_use]
    pub fn neutral(rig: &Rig) -> Self {
        let mut pose = Self::rest(rig);
        let z = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
        let y = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
        for (bone, rotation) in [
            (Bone::LeftShoulder, z(-4.0)),
            (Bone::LeftUpperArm, z(-70.0)),
            (Bone::LeftLowerArm, y(-14.0)),
            (Bone::LeftHand, z(-3.0)),
        ] {
            pose.set_both_sides(rig, bone, rotation);
        }
        for bone in BoneSet::LEFT_ARM.iter().filter(|b| *b >= Bone::LeftIndexProximal) {
            pose.set_both_sides(rig, bone, z(-14.0));
        }
        pose
    }

    /// Rotates a bone of the left side and mirrors the rotation to the right side.
    fn set_both_sides(&mut self, rig: &Rig, left: Bone, rotation: Quat) {
        let mirrored = Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w);
        for (bone, rotation) in [(left, rotation), (left.mirrored(), mirrored)] {
            if rig.bones().contains(bone) {
                self.rotations.set(bone, rotation);
            }
        }
    }

    /// Returns the transform of each bone of a rig in this pose, from bone space to humanoid space.
    ///
    /// For plots, tests and files. Performers use the faster
    /// [`Frame::model_matrices`](crate::frame::Frame::model_matrices).
    #[must_use]
    pub fn model_transforms(&self, rig: &Rig) -> Vec<Affine3A> {
        let mut model: Vec<Affine3A> = Vec::with_capacity(Bone::COUNT);
        for bone in Bone::ALL {
            let rotation = Mat3::from_quat(self.rotations.get(bone));
            model.push(match bone.parent() {
                None => Affine3A::from_mat3_translation(rotation, self.root),
                Some(parent) => {
                    let local = Affine3A::from_mat3_translation(rotation, rig.rest_translation(bone));
                    model[parent.index()] * local
                }
            });
        }
        model
    }
}

/// Returns the offset of `animated` from `base`, Q̃ = Q_base⁻¹·Q_anim, on the shortest arc.
///
/// Borer 2019, section 5, writes Q_anim = Q_base ⊕ Q̃. For rotations ⊕ is the product, which does not commute, and
/// the paper does not say on which side the offset is. We chose the right side: Q_anim = Q_base·Q̃.
#[must_use]
pub fn offset(base: Quat, animated: Quat) -> Quat {
    let offset = base.inverse() * animated;
    if offset.w < 0.0 { -offset } else { offset }
}

/// Scales an offset by a weight: slerp from identity on the shortest arc.
///
/// This is the exact form, for tools and tests; the frame update uses a series of the same function (`kernel`).
#[must_use]
pub fn share(offset: Quat, weight: f32) -> Quat {
    crate::math::from_rotation_vector(crate::math::rotation_vector(offset) * weight)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::math::angle_between;
    use proptest::prelude::*;

    /// Generates any rotation. Also used by the tests of other modules.
    pub(crate) fn rotation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("not zero", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    proptest! {
        #[test]
        fn the_full_offset_leads_from_base_to_animation(base in rotation(), animated in rotation()) {
            let whole = base * share(offset(base, animated), 1.0);
            prop_assert!(angle_between(whole, animated) < 1e-5);
            prop_assert!(angle_between(base * share(offset(base, animated), 0.0), base) < 1e-6);
        }

        #[test]
        fn a_weighted_offset_has_the_weighted_angle(q in rotation(), weight in 0.0f32..1.0) {
            let whole = angle_between(q, Quat::IDENTITY);
            let part = angle_between(share(q, weight), Quat::IDENTITY);
            prop_assert!((part - whole * weight).abs() < 2e-5, "{part} of {whole}");
        }
    }
}
