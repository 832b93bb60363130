//! The output of a performer: one instant of a character, ready to be rendered.
//!
//! Renderers need the same few numbers for every avatar. A [`Frame`] contains them: local bone rotations, the hips
//! position in metres, and expression weights from 0 to 1, in the humanoid space of VRM 1.0 (+Y up, facing +Z).
//! Renderers that need model-space transforms compute [`ModelMatrices`] from a frame.
//!
//! ```
//! use vivant::frame::ModelMatrices;
//! use vivant::glam::Vec3;
//! use vivant::{Bone, Library, Performer, Pose, Rig, RigParts};
//!
//! let bones = vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)];
//! let rig = Rig::new(RigParts { rest_positions: bones, ..RigParts::default() });
//! let mut performer = Performer::new(Library::new(rig.clone(), Pose::neutral(&rig), &[]), 7);
//!
//! let frame = performer.advance_to(0.5);
//! let mut matrices = ModelMatrices::default();
//! frame.model_matrices(&rig, &mut matrices);
//! assert!((matrices.position(Bone::Head).y - 1.5).abs() < 0.05);
//! ```

use crate::body::library::padded;
use crate::kernel;
use crate::pose::{Pose, Rotations};
use crate::rig::{Bone, Rig};
use glam::{Quat, Vec3};

/// Local bone rotations, hips position and expression weights at one instant, in the humanoid space of VRM 1.0.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub(crate) time: f64,
    pub(crate) rotations: Rotations,
    pub(crate) root: Vec3,
    /// Expression weights, padded to full SIMD vectors.
    pub(crate) weights: Vec<f32>,
    channels: usize,
}

impl Frame {
    pub(crate) fn new(base: &Pose, channels: usize) -> Self {
        let (rotations, root) = (base.rotations, base.root);
        Self { time: 0.0, rotations, root, weights: vec![0.0; padded(channels)], channels }
    }

    /// Time of the frame in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns a bone's rotation relative to its parent; identity for a bone that the avatar lacks.
    #[must_use]
    pub fn rotation(&self, bone: Bone) -> Quat {
        self.rotations.get(bone)
    }

    /// Local rotations of all bones.
    #[must_use]
    pub fn rotations(&self) -> &Rotations {
        &self.rotations
    }

    /// Position of the hips in metres.
    #[must_use]
    pub fn root(&self) -> Vec3 {
        self.root
    }

    /// Expression weights from 0 to 1, in the order of [`Rig::channels`].
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights[..self.channels]
    }

    /// Returns the bones of the frame as a pose.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose { rotations: self.rotations, root: self.root }
    }

    /// Computes the transforms of all bones in humanoid space. Does not allocate.
    pub fn model_matrices(&self, rig: &Rig, out: &mut ModelMatrices) {
        kernel::model(&self.rotations, rig.rest_translations(), self.root, &mut out.0);
    }
}

/// One transform per bone, from bone space to humanoid space.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct ModelMatrices([kernel::Matrix; Bone::COUNT]);

impl Default for ModelMatrices {
    fn default() -> Self {
        Self([[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]; Bone::COUNT])
    }
}

impl ModelMatrices {
    /// Returns the upper three rows of a bone's matrix.
    #[must_use]
    pub fn rows(&self, bone: Bone) -> &[[f32; 4]; 3] {
        &self.0[bone.index()]
    }

    /// Returns the position of a bone in metres.
    #[must_use]
    pub fn position(&self, bone: Bone) -> Vec3 {
        let [x, y, z] = self.rows(bone);
        Vec3::new(x[3], y[3], z[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::RigParts;

    #[test]
    fn matrices_agree_with_transforms() {
        let places = Bone::ALL.map(|b| (b, Vec3::new(0.01, 0.05, 0.02) * b.index() as f32 + Vec3::Y));
        let rig = Rig::new(RigParts { rest_positions: places.to_vec(), ..RigParts::default() });
        let mut pose = Pose::rest(&rig);
        for bone in Bone::ALL {
            let axis = Vec3::new(bone.index() as f32, 7.0, -3.0).normalize();
            pose.rotations.set(bone, Quat::from_axis_angle(axis, 0.1 * bone.index() as f32));
        }
        let frame = Frame::new(&pose, 0);
        let mut matrices = ModelMatrices::default();
        frame.model_matrices(&rig, &mut matrices);
        for (bone, expected) in Bone::ALL.into_iter().zip(pose.model_transforms(&rig)) {
            assert!((matrices.position(bone) - Vec3::from(expected.translation)).length() < 1e-5, "{bone:?}");
            assert!((matrices.rows(bone)[1][0] - expected.matrix3.x_axis.y).abs() < 1e-5, "{bone:?}");
        }
    }
}
