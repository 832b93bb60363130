//! Between humanoid space and how a bone stands in Unity.
//!
//! Unity is left-handed: one axis is turned round. For VRM 0.x avatars that is Z, because they look back in their
//! files, and for all others X; either way the character looks along Unity's +Z.
//!
//! Which rotation a bone has depends on whom one asks. VRM 0.x avatars have none at rest. Those of VRM 1.0 may, and
//! the protocol asks for what their bones have in the file (“original”), not for the rotations that are identity
//! at rest (“normalised”, which UniVRM calls the control rig). For an avatar that rests without rotations both are
//! the same.

use crate::retarget::{Around, Humanoid};
use crate::scene::{Kind, Source, Transform};
use glam::{Quat, Vec3};
use vivant::rig::{Bone, BoneSet, Rig};

/// How the bones of an avatar stand in Unity.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    bones: BoneSet,
    joints: [Joint; Bone::COUNT],
    /// From the frame in which the hips' place is told to humanoid space.
    above_hips: Transform,
    mirror: Mirror,
}

/// A bone's rotation is `before · q · after` in the file, and it stands at a place in its parent's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joint {
    before: Quat,
    after: Quat,
    place: Vec3,
}

/// Which axis is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mirror {
    X,
    Z,
}

impl Mirror {
    fn place(self, Vec3 { x, y, z }: Vec3) -> Vec3 {
        if self == Self::X { Vec3::new(-x, y, z) } else { Vec3::new(x, y, -z) }
    }

    /// The axis of a rotation is turned the other way by a mirror than an arrow is.
    fn rotation(self, q: Quat) -> Quat {
        match self {
            Self::X => Quat::from_xyzw(q.x, -q.y, -q.z, q.w),
            Self::Z => Quat::from_xyzw(-q.x, -q.y, q.z, q.w),
        }
    }
}

impl Skeleton {
    /// Bones without rotations at rest, for any avatar.
    #[must_use]
    pub fn normalised(rig: &Rig) -> Self {
        let still = Quat::IDENTITY;
        let joint = |bone| Joint { before: still, after: still, place: rig.rest_translation(bone) };
        let above_hips = Transform::IDENTITY;
        Self { bones: rig.bones(), joints: Bone::ALL.map(joint), above_hips, mirror: Mirror::X }
    }

    /// As the protocol wants it: the bones of a VRM as they are in its file, normalised ones for other avatars.
    #[must_use]
    pub fn of(humanoid: &Humanoid, source: &Source) -> Self {
        let normalised = Self::normalised(humanoid.rig());
        let mirror = match source.kind {
            Kind::Vrm0 => Mirror::Z,
            Kind::Vrm1 => Mirror::X,
            _ => return normalised,
        };
        let joint = |bone: Bone| {
            let Some(Around { node, before, after, .. }) = humanoid.around(source, bone) else {
                return normalised.joints[bone.index()];
            };
            Joint { before, after, place: source.scene.nodes()[node].rest.translation }
        };
        let above_hips = humanoid.above_hips(source);
        // Eyes may have been added to the rig for the sake of the gaze: they are no bones of the file.
        let bones = normalised.bones.iter().filter(|bone| humanoid.map().node(*bone).is_some()).collect();
        Self { bones, joints: Bone::ALL.map(joint), above_hips, mirror }
    }

    /// The bones that it has.
    #[must_use]
    pub fn bones(&self) -> BoneSet {
        self.bones
    }

    /// A bone's rotation and place in its parent's frame in Unity. The hips are at `root`, in humanoid space.
    pub(super) fn to_unity(&self, bone: Bone, rotation: Quat, root: Vec3) -> (Quat, Vec3) {
        let Joint { before, after, place } = self.joints[bone.index()];
        let place = if bone == Bone::Hips { self.under(root) } else { place };
        (self.mirror.rotation((before * rotation * after).normalize()), self.mirror.place(place))
    }

    /// A bone's rotation in humanoid space.
    pub(super) fn rotation_of(&self, bone: Bone, in_unity: Quat) -> Quat {
        let Joint { before, after, .. } = self.joints[bone.index()];
        (before.inverse() * self.mirror.rotation(in_unity) * after.inverse()).normalize()
    }

    /// Where the hips are in humanoid space, from their place in Unity.
    pub(super) fn root_of(&self, in_unity: Vec3) -> Vec3 {
        let Transform { translation, rotation, scale } = self.above_hips;
        translation + rotation * (scale * self.mirror.place(in_unity))
    }

    fn under(&self, root: Vec3) -> Vec3 {
        let Transform { translation, rotation, scale } = self.above_hips;
        (rotation.inverse() * (root - translation)) / scale
    }
}

/// A place and a rotation of the whole model, which stands upright in Unity whatever its file is like.
pub(super) fn model_of(place: Vec3, rotation: Quat) -> (Vec3, Quat) {
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
        /// By matrices: what a rotation does to an arrow, it does to the arrow in the mirror.
        #[test]
        fn a_mirrored_rotation_turns_mirrored_arrows(q in rotation(), v in prop::array::uniform3(-1.0f32..1.0)) {
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

    /// Unity is left-handed: with the thumb of the left hand along +Y, fingers turn +Z to +X.
    #[test]
    fn a_character_that_looks_to_its_left_turns_to_minus_x_in_unity() {
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
