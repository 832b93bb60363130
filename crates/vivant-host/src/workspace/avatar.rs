//! The avatar of a character, with its files and descriptions for viewers.
//!
//! `Avatar::of` returns the avatar that the manifest names, or the built-in avatar with a fault if the file cannot be
//! read, so that a character always has a rig. The revision of an avatar is a hash of its contents, so it changes only
//! with the file. The model file for viewers is made on first use, since a conversion from FBX takes time and many
//! requests need only the rig. `check_avatar` rejects uploaded files that contain only motion.

use super::cache::Stamp;
use crate::character::BUILT_IN;
use crate::character::{self};
use crate::files::Folder;
use crate::imported::ImportedFile;
use crate::viewing::{model_bytes, model_of, rig_info};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use vivant::rig::Rig;
use vivant_io::character::Manifest;
use vivant_io::json::protocol::api::{self, AvatarInfo, Model, RigInfo};
use vivant_io::scene::Kind;
use vivant_io::{Error, ErrorKind, Result};

/// An avatar that was read.
pub(super) struct Avatar {
    pub(super) material: Arc<ImportedFile>,
    /// The revision of the avatar, which changes with the file.
    pub(super) revision: u64,
    /// The name of the avatar in the manifest.
    name: Option<String>,
    /// The path of the file, and the stamp that identifies its contents.
    file: Option<(PathBuf, Stamp)>,
    warnings: Vec<String>,
    /// The file for viewers, created on first use.
    shown: OnceLock<Result<Arc<[u8]>>>,
}

impl Avatar {
    /// Returns the avatar of a character. If nothing changed, this is the previous avatar. If the avatar cannot be
    /// read, this is the built-in avatar.
    pub(super) fn of(
        folder: &Path,
        manifest: &Manifest,
        before: Option<&Arc<Self>>,
        faults: &mut Vec<api::Fault>,
    ) -> Arc<Self> {
        if let Some(before) = before.filter(|before| before.is_current(manifest)) {
            return Arc::clone(before);
        }
        let mut warnings = Vec::new();
        let read = character::avatar(&Folder::new(folder), manifest, &mut warnings);
        let read = read.map(|avatar| avatar.file().cloned().unwrap_or_else(built_in_file));
        let warnings = warnings.iter().map(ToString::to_string).collect();
        match read {
            Ok(material) => Arc::new(Self::new(material, manifest.avatar.clone(), warnings)),
            Err(found) => {
                let message = found.to_string();
                faults.push(api::Fault { path: "avatar".into(), message, is_warning: false });
                Self::built_in()
            }
        }
    }

    pub(super) fn new(material: Arc<ImportedFile>, name: Option<String>, warnings: Vec<String>) -> Self {
        let revision = revision(&material);
        let path = (!material.is_built_in()).then(|| material.file().path.clone());
        let file = path.map(|path| (path.clone(), Stamp::of(&path)));
        Self { material, revision, name, file, warnings, shown: OnceLock::new() }
    }

    pub(super) fn built_in() -> Arc<Self> {
        Arc::new(Self::new(built_in_file(), Some(BUILT_IN.into()), Vec::new()))
    }

    /// Returns true if the manifest still refers to this avatar and the file is unchanged.
    fn is_current(&self, manifest: &Manifest) -> bool {
        let is_same_file = self.file.as_ref().is_none_or(|(path, stamp)| *stamp == Stamp::of(path));
        // If the manifest names no avatar, another avatar may have been added to the folder.
        let is_known = manifest.avatar.is_some() || self.file.is_some();
        is_known && manifest.avatar == self.name && is_same_file
    }

    /// Returns the rig. Avatars of this type always have a rig.
    pub(super) fn rig(&self) -> Rig {
        self.material.rig().cloned().unwrap_or_else(vivant_mannequin::rig)
    }

    /// Returns the description of the avatar for viewers.
    pub(super) fn rig_info(&self) -> RigInfo {
        rig_info(&self.material, &self.rig(), self.revision)
    }

    pub(super) fn info(&self) -> AvatarInfo {
        AvatarInfo {
            name: self.file_name(),
            model: self.model(),
            revision: self.revision,
            warnings: self.warnings.clone(),
        }
    }

    fn file_name(&self) -> String {
        let name = Path::new(&self.material.name).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Returns the form in which viewers show the avatar. This does not build the built-in avatar.
    fn model(&self) -> Model {
        if self.material.is_built_in() { Model::Vrm } else { model_of(&self.material) }
    }

    /// Returns the model file for viewers: a VRM or GLB, converted from FBX if needed.
    ///
    /// # Errors
    /// If the avatar has only bones.
    pub(super) fn shown(&self) -> Result<Arc<[u8]>> {
        if self.model() == Model::Skeleton {
            let message =
                format!("{}: has only bones and no meshes; use an avatar with meshes", self.material.name);
            return Err(Error::of(ErrorKind::NotFound, message));
        }
        self.shown.get_or_init(|| model_bytes(&self.material).map(Arc::from)).clone()
    }
}

fn built_in_file() -> Arc<ImportedFile> {
    Arc::new(ImportedFile::built_in_avatar())
}

/// Checks that a file contains an avatar with meshes and a rig.
///
/// # Errors
/// If the meshes or the rig are missing.
pub(super) fn check_avatar(material: &ImportedFile) -> Result<()> {
    material.require_rig()?;
    let file = material.file();
    let is_body = match file.import.source.kind {
        Kind::Vrm0 | Kind::Vrm1 => true,
        Kind::Gltf => vivant_io::gltf::has_meshes(&file.bytes),
        // `Vertices` is the name of the vertex array in FBX files.
        Kind::Fbx => has(&file.bytes, b"Vertices"),
        Kind::Vrma | Kind::Bvh => false,
    };
    let message = "contains no meshes, only bones and motion; add it as a clip instead";
    if is_body { Ok(()) } else { Err(Error::new(format!("{}: {message}", material.name))) }
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// Returns a hash of the file's content that fits into a JavaScript number (FNV-1a, 53 bits). For the built-in
/// avatar, the hash is computed from the program version, so that the avatar need not be built.
fn revision(material: &ImportedFile) -> u64 {
    let bytes =
        if material.is_built_in() { env!("CARGO_PKG_VERSION").as_bytes() } else { &material.file().bytes };
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash) & ((1 << 53) - 1)
}
