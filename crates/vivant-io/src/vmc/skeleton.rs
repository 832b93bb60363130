//! Converts between humanoid space and Unity's bone transforms.
//!
//! Unity is left-handed: one axis is mirrored. For VRM 0.x avatars the mirrored axis is Z, because they face backwards
//! in their files. For all other avatars it is X. In both cases the character faces Unity's +Z.
//!
//! The rotation of a bone has two conventions. VRM 0.x avatars have no rotations at rest. VRM 1.0 avatars may have
//! rest rotations. For them, the protocol requires the rotations in the file (“original”), not rotations that are the
//! identity at rest (“normalised”, UniVRM's control rig). For an avatar without rest rotations, both conventions are
//! the same.

use crate::retarget::{Humanoid, NodeBinding};
use crate::scene::{Kind, Source, Transform};
use glam::{Quat, Vec3};
use vivant::rig::{Bone, BoneSet, Rig};

/// The bones of an avatar in Unity.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    bones: BoneSet,
    joints: [Joint; Bone::COUNT],
    /// Transform from the frame of the hips' parent to humanoid space.
    hips_parent_to_humanoid: Transform,
    mirror: Mirror,
}

/// A bone: its rotation is `before · q · after` in the file, and `place` is its position relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joint {
    before: Quat,
    after: Quat,
    place: Vec3,
}

/// The mirrored axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mirror {
    X,
    Z,
}

impl Mirror {
    fn place(self, Vec3 { x, y, z }: Vec3) -> Vec3 {
        if self == Self::X { Vec3::new(-x, y, z) } else { Vec3::new(x, y, -z) }
    }

    /// Mirrors a rotation. Its axis is a pseudovector and is mirrored the opposite way to a vector.
    fn rotation(self, q: Quat) -> Quat {
        match self {
            Self::X => Quat::from_xyzw(q.x, -q.y, -q.z, q.w),
            Self::Z => Quat::from_xyzw(-q.x, -q.y, q.z, q.w),
        }
    }
}

impl Skeleton {
    /// Creates a skeleton without rest rotations, for any avatar.
    #[must_use]
    pub fn normalised(rig: &Rig) -> Self {
        let still = Quat::IDENTITY;
        let joint = |bone| Joint { before: still, after: still, place: rig.rest_translation(bone) };
        let hips_parent_to_humanoid = Transform::IDENTITY;
        Self { bones: rig.bones(), joints: Bone::ALL.map(joint), hips_parent_to_humanoid, mirror: Mirror::X }
    }

    /// Creates the skeleton that the protocol requires: the bones of a VRM as in its file, and normalised bones for
    /// other avatars.
    #[must_use]
    pub fn of(humanoid: &Humanoid, source: &Source) -> Self {
        let normalised = Self::normalised(humanoid.rig());
        let mirror = match source.kind {
            Kind::Vrm0 => Mirror::Z,
            Kind::Vrm1 => Mirror::X,
            _ => return normalised,
        };
        let joint = |bone: Bone| {
            let Some(NodeBinding { node, before, after, .. }) = humanoid.node_binding(source, bone) else {
                return normalised.joints[bone.index()];
            };
            Joint { before, after, place: source.scene.nodes()[node].rest.translation }
        };
        let hips_parent_to_humanoid = humanoid.hips_parent_to_humanoid(source);
        // Eyes that were added to the rig for the gaze are not bones of the file.
        let bones = normalised.bones.iter().filter(|bone| humanoid.map().node(*bone).is_some()).collect();
        Self { bones, joints: Bone::ALL.map(joint), hips_parent_to_humanoid, mirror }
    }

    /// Returns the bones of the skeleton.
    #[must_use]
    pub fn bones(&self) -> BoneSet {
        self.bones
    }

    /// Returns a bone's rotation and position relative to its parent in Unity. The hips are at `root` in humanoid
    /// space.
    pub(super) fn to_unity(&self, bone: Bone, rotation: Quat, root: Vec3) -> (Quat, Vec3) {
        let Joint { before, after, place } = self.joints[bone.index()];
        let place = if bone == Bone::Hips { self.root_to_unity(root) } else { place };
        (self.mirror.rotation((before * rotation * after).normalize()), self.mirror.place(place))
    }

    /// Converts a bone's rotation from Unity to humanoid space.
    pub(super) fn rotation_from_unity(&self, bone: Bone, in_unity: Quat) -> Quat {
        let Joint { before, after, .. } = self.joints[bone.index()];
        (before.inverse() * self.mirror.rotation(in_unity) * after.inverse()).normalize()
    }

    /// Converts the position of the hips from Unity to humanoid space.
    pub(super) fn root_from_unity(&self, in_unity: Vec3) -> Vec3 {
        let Transform { translation, rotation, scale } = self.hips_parent_to_humanoid;
        translation + rotation * (scale * self.mirror.place(in_unity))
    }

    fn root_to_unity(&self, root: Vec3) -> Vec3 {
        let Transform { translation, rotation, scale } = self.hips_parent_to_humanoid;
        (rotation.inverse() * (root - translation)) / scale
    }
}

/// Converts position and rotation of the whole model, which is upright in Unity regardless of its file.
pub(super) fn model_from_unity(place: Vec3, rotation: Quat) -> (Vec3, Quat) {
    (Mirror::X.place(place), Mirror::X.rotation(rotation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Mat4};
    use proptest::prelude::*;

    fn rotation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("not zero", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    proptest! {
        /// Checked with matrices: mirroring commutes with rotating a vector.
        #[test]
        fn mirroring_commutes_with_rotation(q in rotation(), v in prop::array::uniform3(-1.0f32..1.0)) {
            for (mirror, matrix) in [
                (Mirror::X, Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0))),
                (Mirror::Z, Mat3::from_diagonal(Vec3::new(1.0, 1.0, -1.0))),
            ] {
                let v = Vec3::from(v);
                prop_assert!((mirror.rotation(q) * mirror.place(v) - mirror.place(q * v)).length() < 1e-5);
                let by_matrices = matrix * Mat3::from_quat(q) * matrix;
                prop_assert!((by_matrices * v - mirror.rotation(q) * v).length() < 1e-5);
                prop_assert_eq!(mirror.place(v), matrix * v);
            }
        }
    }

    /// In Unity's left-handed space, a positive rotation about +Y takes +Z to +X.
    #[test]
    fn left_is_minus_x_in_unity() {
        let left = Quat::from_rotation_y(0.5);
        assert!((left * Vec3::Z).x > 0.0, "left is +X in humanoid space");
        let skeleton = Skeleton::normalised(&Rig::new(vivant::rig::RigParts::default()));
        let (in_unity, _) = skeleton.to_unity(Bone::Head, left, Vec3::ZERO);
        // A rotation by a negative angle about Unity's Y.
        assert!(in_unity.y < 0.0 && (in_unity.y + left.y).abs() < 1e-7);
        let forward = Mat4::from_quat(in_unity).transform_vector3(Vec3::Z);
        assert!(forward.x < 0.0, "the character's left is Unity's -X");
    }
}
