//! An avatar, from a file's bytes or from a list of bones.

use crate::ImportedFile;
use crate::clips::alone;
use glam::Affine3A;
use std::sync::Arc;
#[cfg(feature = "built-in-avatar")]
use std::sync::LazyLock;
use vivant::clip::Clip;
use vivant::rig::Rig;
use vivant_io::json::protocol::api::{Model, RigInfo};
use vivant_io::viewer::rig_info;
use vivant_io::{Result, Warning};

/// The body of a character: a rig with its expressions, and the file that it came from.
#[derive(Clone, Debug)]
pub struct Avatar {
    rig: Rig,
    info: RigInfo,
    humanoid_from_file: Affine3A,
    warnings: Vec<Warning>,
    file: Option<Arc<ImportedFile>>,
}

impl Avatar {
    /// The built-in avatar. It is made once per program.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        static MADE: LazyLock<Avatar> = LazyLock::new(|| {
            Avatar::of_file(ImportedFile::built_in_avatar()).expect("the built-in avatar has a humanoid")
        });
        MADE.clone()
    }

    /// Reads a VRM, GLB or FBX, which has to be in one file. `name` is for messages.
    ///
    /// # Errors
    /// If it cannot be read, or has no humanoid.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::of_file(ImportedFile::from_bytes(name, bytes.to_vec(), &mut alone)?)
    }

    /// The avatar in a file that was imported.
    ///
    /// # Errors
    /// If it has no humanoid.
    pub fn of_file(mut file: ImportedFile) -> Result<Self> {
        let rig = file.require_rig()?.clone();
        let warnings = std::mem::take(&mut file.warnings);
        let import = &file.file().import;
        let humanoid_from_file = import
            .humanoid
            .as_ref()
            .map_or(Affine3A::IDENTITY, vivant_io::retarget::Humanoid::humanoid_from_world);
        let info = rig_info(&rig, Model::Glb, 0, Some(import));
        Ok(Self { rig, info, humanoid_from_file, warnings, file: Some(Arc::new(file)) })
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
        Self { rig, info, humanoid_from_file, warnings: Vec::new(), file: None }
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

    /// Returns the motions in its own file.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        self.file.as_ref().map_or(&[], |file| &file.clips)
    }

    /// Returns the file that it came from; `None` for a list of bones.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<ImportedFile>> {
        self.file.as_ref()
    }

    /// Returns the name of its file, or `bones`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file.as_ref().map_or("bones", |file| &file.name)
    }

    /// Returns whether it is the built-in avatar.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_built_in())
    }

    /// Returns what was dropped or guessed while it was read.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
