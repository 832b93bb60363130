//! From a skeleton of any build into humanoid space, and back.
use crate::error::{Result, Warning};
use crate::scene::{NodeClip, Source, Transform};
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;

/// A humanoid that was found in a file.
#[derive(Clone, Debug)]
pub struct Humanoid {
    rig: Rig,
}

impl Humanoid {
    /// Finds the T-pose; `None` if the file has too few bones for a humanoid.
    pub fn new(_source: &Source, _warnings: &mut Vec<Warning>) -> Result<Option<Self>> {
        unimplemented!()
    }
    /// The avatar in humanoid space.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }
    /// An animation of the file in humanoid space.
    pub fn retarget(&self, _source: &Source, _clip: &NodeClip, _warnings: &mut Vec<Warning>) -> Result<Clip> {
        unimplemented!()
    }
    /// The local transforms of the file's own nodes that show a pose of [`Humanoid::rig`].
    #[must_use]
    pub fn node_locals(&self, _source: &Source, _pose: &Pose) -> Vec<Transform> {
        unimplemented!()
    }
}
