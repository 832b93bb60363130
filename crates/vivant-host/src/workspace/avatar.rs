//! A character's body, with what a viewer has to know of it.

use super::shelf::Stamp;
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
    /// Changes with the file.
    pub(super) revision: u64,
    /// As the manifest has it.
    name: Option<String>,
    /// Where it is, and what told that it is this one.
    file: Option<(PathBuf, Stamp)>,
    warnings: Vec<String>,
    /// Made once somebody asks.
    shown: OnceLock<Result<Arc<[u8]>>>,
}

impl Avatar {
    /// A character's avatar, which may be the one from before; the built-in one where its own cannot be read.
    pub(super) fn of(
        folder: &Path,
        manifest: &Manifest,
        before: Option<&Arc<Self>>,
        faults: &mut Vec<api::Fault>,
    ) -> Arc<Self> {
        if let Some(before) = before.filter(|before| before.is_still(manifest)) {
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

    /// Whether the manifest still means this one, and the file is the same.
    fn is_still(&self, manifest: &Manifest) -> bool {
        let is_same_file = self.file.as_ref().is_none_or(|(path, stamp)| *stamp == Stamp::of(path));
        // Where nobody names one, another may have come into the folder.
        let is_told = manifest.avatar.is_some() || self.file.is_some();
        is_told && manifest.avatar == self.name && is_same_file
    }

    /// Its skeleton. What is kept here has one.
    pub(super) fn rig(&self) -> Rig {
        self.material.rig().cloned().unwrap_or_else(vivant_mannequin::rig)
    }

    /// What a viewer needs to know of it.
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

    /// The built-in one need not be made to know it.
    fn model(&self) -> Model {
        if self.material.is_built_in() { Model::Vrm } else { model_of(&self.material) }
    }

    /// What it is shown with: a VRM or GLB, which FBX is made into.
    ///
    /// # Errors
    /// If there are only bones to be shown.
    pub(super) fn shown(&self) -> Result<Arc<[u8]>> {
        if self.model() == Model::Skeleton {
            let message = format!("{}: only its bones can be shown", self.material.name);
            return Err(Error::of(ErrorKind::NotFound, message));
        }
        self.shown.get_or_init(|| model_bytes(&self.material).map(Arc::from)).clone()
    }
}

fn built_in_file() -> Arc<ImportedFile> {
    Arc::new(ImportedFile::built_in_avatar())
}

/// Whether there is a body in it, with a skeleton.
///
/// # Errors
/// With what is missing.
pub(super) fn judged(material: &ImportedFile) -> Result<()> {
    material.require_rig()?;
    let file = material.file();
    let is_body = match file.import.source.kind {
        Kind::Vrm0 | Kind::Vrm1 => true,
        Kind::Gltf => vivant_io::gltf::has_meshes(&file.bytes),
        // What every surface in an FBX file has.
        Kind::Fbx => has(&file.bytes, b"Vertices"),
        Kind::Vrma | Kind::Bvh => false,
    };
    let message = "there is no body in it, only bones and motion; drop it among the clips";
    if is_body { Ok(()) } else { Err(Error::new(format!("{}: {message}", material.name))) }
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// A number for a file's content that a browser can hold (FNV-1a, 53 bits). The built-in avatar is made by
/// this version of the program, and is not made to be asked.
fn revision(material: &ImportedFile) -> u64 {
    let bytes =
        if material.is_built_in() { env!("CARGO_PKG_VERSION").as_bytes() } else { &material.file().bytes };
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash) & ((1 << 53) - 1)
}
