//! An avatar, read from a file or from a list of bones.
//!
//! Hosts differ in where the model comes from. [`Avatar::read`] imports a VRM, GLB or FBX file. A host that loaded the
//! model itself, such as a game engine, passes only bone positions and expressions to [`Avatar::of_rig`]. All of them
//! return an [`Avatar`] with a [`Rig`], and [`Avatar::info`] says which nodes of the file belong to the bones. If the
//! file was imported, it is kept, because it may contain clips and viewers need its meshes.

use crate::ImportedFile;
use crate::clips::no_other_files;
use glam::Affine3A;
use std::sync::Arc;
#[cfg(feature = "built-in-avatar")]
use std::sync::LazyLock;
use vivant::clip::Clip;
use vivant::rig::Rig;
use vivant_io::json::protocol::api::{Model, RigInfo};
use vivant_io::viewer::rig_info;
use vivant_io::{Result, Warning};

/// The avatar of a character: a rig with its expressions, and the source file.
#[derive(Clone, Debug)]
pub struct Avatar {
    rig: Rig,
    info: RigInfo,
    humanoid_from_file: Affine3A,
    warnings: Vec<Warning>,
    file: Option<Arc<ImportedFile>>,
}

impl Avatar {
    /// Returns the built-in avatar. It is built once per process.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        static MADE: LazyLock<Avatar> = LazyLock::new(|| {
            Avatar::of_file(ImportedFile::built_in_avatar()).expect("the built-in avatar has a humanoid")
        });
        MADE.clone()
    }

    /// Reads a VRM, GLB or FBX file that does not refer to other files. `name` is used in messages.
    ///
    /// # Errors
    /// If the file cannot be read, or has no humanoid.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::of_file(ImportedFile::from_bytes(name, bytes.to_vec(), &mut no_other_files)?)
    }

    /// Makes an avatar from an imported file.
    ///
    /// # Errors
    /// If the file has no humanoid.
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

    /// Makes an avatar from the bone positions of a model that the host loaded itself: see [`vivant_io::json::rig`].
    ///
    /// # Errors
    /// If the document is not valid; the error lists all problems.
    pub fn of_rig(json: &[u8]) -> Result<Self> {
        Ok(Self::of(vivant_io::json::rig::read(json)?))
    }

    /// Makes an avatar from a rig alone.
    #[must_use]
    pub fn of(rig: Rig) -> Self {
        let info = rig_info(&rig, Model::Skeleton, 0, None);
        let humanoid_from_file = Affine3A::IDENTITY;
        Self { rig, info, humanoid_from_file, warnings: Vec::new(), file: None }
    }

    /// Returns the skeleton and expressions.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Returns the information that viewers need: bones, expressions, and the nodes of the file that show them.
    #[must_use]
    pub fn info(&self) -> &RigInfo {
        &self.info
    }

    /// Transform from the file's world space to the humanoid space of frames: a rotation, and a vertical offset if
    /// the ground is below the file's origin.
    #[must_use]
    pub fn humanoid_from_file(&self) -> Affine3A {
        self.humanoid_from_file
    }

    /// Returns the clips in the avatar's file.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        self.file.as_ref().map_or(&[], |file| &file.clips)
    }

    /// Returns the file of the avatar; `None` if the avatar was made from a list of bones.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<ImportedFile>> {
        self.file.as_ref()
    }

    /// Returns the name of the avatar's file, or `bones` if the avatar was made from a list of bones.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file.as_ref().map_or("bones", |file| &file.name)
    }

    /// Returns true if this is the built-in avatar.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_built_in())
    }

    /// Returns warnings about data that was dropped or guessed while reading.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
