//! An avatar, from a file's bytes or from a list of bones.

use crate::clips::alone;
use glam::Affine3A;
use vivant::clip::Clip;
use vivant::rig::Rig;
use vivant_io::json::protocol::api::{Model, RigInfo};
use vivant_io::viewer::rig_info;
use vivant_io::{Error, Import, Result, Warning};

/// A body that a performer can have.
#[derive(Clone, Debug)]
pub struct Avatar {
    rig: Rig,
    info: RigInfo,
    humanoid_from_file: Affine3A,
    clips: Vec<Clip>,
    warnings: Vec<Warning>,
}

impl Avatar {
    /// Reads a VRM, GLB or FBX, which has to hold all of itself. `name` is for messages.
    ///
    /// # Errors
    /// If it cannot be read, or has no humanoid.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::of_import(vivant_io::import(name, bytes, &mut alone)?).map_err(|error| error.in_file(name))
    }

    /// An avatar that was read already.
    ///
    /// # Errors
    /// If it has no humanoid.
    pub fn of_import(mut import: Import) -> Result<Self> {
        let Some(humanoid) = &import.humanoid else {
            let missing = import.source.humanoid.missing();
            let missing: Vec<&str> = missing.into_iter().map(vivant::rig::Bone::name).collect();
            return Err(Error::new(format!(
                "no humanoid was found in it; these bones are missing: {}. Give their nodes the names that VRM, \
                 Mixamo, Biped, Unreal or Rigify use",
                missing.join(", ")
            )));
        };
        let (rig, humanoid_from_file) = (humanoid.rig().clone(), humanoid.humanoid_from_world());
        let info = rig_info(&rig, Model::Glb, 0, Some(&import));
        let (clips, warnings) = (std::mem::take(&mut import.clips), std::mem::take(&mut import.warnings));
        Ok(Self { rig, info, humanoid_from_file, clips, warnings })
    }

    /// An avatar that its host has loaded, by where its bones are: see [`vivant_io::json::rig`].
    ///
    /// # Errors
    /// If that is not such a document, with everything in it that is wrong.
    pub fn of_rig(json: &[u8]) -> Result<Self> {
        Ok(Self::of(vivant_io::json::rig::read(json)?))
    }

    /// An avatar of the engine's own kind.
    #[must_use]
    pub fn of(rig: Rig) -> Self {
        let info = rig_info(&rig, Model::Skeleton, 0, None);
        let humanoid_from_file = Affine3A::IDENTITY;
        Self { rig, info, humanoid_from_file, clips: Vec::new(), warnings: Vec::new() }
    }

    /// Its skeleton and expressions.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// What a viewer has to know of it: bones, expressions, and the file's own nodes that show them.
    #[must_use]
    pub fn info(&self) -> &RigInfo {
        &self.info
    }

    /// From the world of its file to humanoid space, in which frames are: a turn, and a lift if the ground lies
    /// below the file's origin.
    #[must_use]
    pub fn humanoid_from_file(&self) -> Affine3A {
        self.humanoid_from_file
    }

    /// The motions in its own file.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// What was dropped or guessed.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
