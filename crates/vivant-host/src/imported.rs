//! An imported file: an avatar, motion, or both; or the built-in character.
//!
//! Users can pass any supported file as an avatar or as motion. [`ImportedFile`] reads the file once. It has the rig,
//! the clips in humanoid space, the bytes for writing motion onto a copy of the file, and all warnings. The built-in
//! character has the same type, so no caller needs a special case.
//!
//! ```
//! use vivant_host::{Bone, ImportedFile};
//! let avatar = ImportedFile::built_in_avatar();
//! assert!(avatar.require_rig()?.bones().contains(Bone::Head));
//! # Ok::<(), vivant_io::Error>(())
//! ```

#[cfg(feature = "built-in-avatar")]
use crate::clips::{BUILT_IN, no_other_files};
use std::path::{Path, PathBuf};
#[cfg(feature = "built-in-avatar")]
use std::sync::OnceLock;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::{BoneSet, Rig};
use vivant_io::scene::Kind;
use vivant_io::{Error, Import, Result, Warning, WarningCode};

/// An imported file, or the built-in character.
#[derive(Clone, Debug)]
pub struct ImportedFile {
    /// The path or name of the file, for messages.
    pub name: String,
    /// The source of the contents: a file or the built-in character.
    pub origin: Origin,
    /// The motion in humanoid space.
    pub clips: Vec<Clip>,
    /// Warnings about data that was dropped or guessed while reading.
    pub warnings: Vec<Warning>,
}

/// The origin of an [`ImportedFile`].
#[derive(Clone, Debug)]
pub enum Origin {
    /// The built-in character, with the function that builds its avatar on first use.
    BuiltIn(fn() -> &'static Contents),
    /// A file with its contents.
    File(Box<Contents>),
}

/// The bytes and parsed contents of a file. The bytes are used to write motion onto a copy of the file.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The path of the file, or its name if it was never on disk.
    pub path: PathBuf,
    /// The bytes of the complete file.
    pub bytes: Vec<u8>,
    /// The scene and the humanoid.
    pub import: Import,
}

impl ImportedFile {
    /// Imports a file from its bytes; `fetch` reads the files that it refers to.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn from_bytes(
        name: &str,
        bytes: Vec<u8>,
        fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
    ) -> Result<Self> {
        let mut import = vivant_io::import(name, &bytes, fetch)?;
        let (clips, warnings) = (std::mem::take(&mut import.clips), std::mem::take(&mut import.warnings));
        let origin = Origin::File(Box::new(Contents { path: name.into(), bytes, import }));
        Ok(Self { name: name.to_owned(), origin, clips, warnings })
    }

    /// Imports a file from disk, or the built-in character by its name.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[cfg(feature = "folder")]
    pub fn load(path: &Path) -> Result<Self> {
        #[cfg(feature = "built-in-avatar")]
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        Self::load_with(path, &mut crate::disk::neighbours(path))
    }

    /// Imports a file from disk; `fetch` reads the files that it refers to.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[cfg(feature = "folder")]
    pub fn load_with(path: &Path, fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Self> {
        Self::from_bytes(&path.display().to_string(), crate::disk::read(path)?, fetch)
    }

    /// Returns the built-in character.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        Self { clips: vivant_mannequin::starter_clips(), ..Self::built_in_avatar() }
    }

    /// Returns the avatar of the built-in character without its clips, which take a second to compute.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in_avatar() -> Self {
        Self {
            name: BUILT_IN.into(),
            origin: Origin::BuiltIn(built_in),
            clips: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns and clears the warnings, each prefixed with the name of the file.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = |warning: Warning| Warning { place: format!("{name}: {}", warning.place), ..warning };
        std::mem::take(&mut self.warnings).into_iter().map(named).collect()
    }

    /// Returns true if this is the built-in character.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.origin, Origin::BuiltIn(_))
    }

    /// Returns the bytes if this is a binary VRM file that a viewer can show.
    #[must_use]
    pub fn vrm(&self) -> Option<&[u8]> {
        let file = self.file();
        let whole =
            file.bytes.starts_with(b"glTF") && matches!(file.import.source.kind, Kind::Vrm0 | Kind::Vrm1);
        whole.then_some(&file.bytes[..])
    }

    /// Returns the rig, if the file has a humanoid.
    #[must_use]
    pub fn rig(&self) -> Option<&Rig> {
        self.file().import.humanoid.as_ref().map(vivant_io::retarget::Humanoid::rig)
    }

    /// Returns the rig.
    ///
    /// # Errors
    /// If the file has no humanoid; the error lists the missing bones.
    pub fn require_rig(&self) -> Result<&Rig> {
        self.rig().ok_or_else(|| {
            let missing = self.file().import.source.humanoid.missing();
            let missing: Vec<&str> = missing.into_iter().map(vivant::rig::Bone::name).collect();
            Error::new(format!(
                "contains no humanoid; missing bones: {}. Give their nodes the names \
                 that VRM, Mixamo, Biped, Unreal or Rigify use",
                missing.join(", ")
            ))
            .in_file(&self.name)
        })
    }

    /// Returns the clips.
    ///
    /// # Errors
    /// If the file has no clips, or no humanoid.
    pub fn require_clips(&self) -> Result<&[Clip]> {
        self.require_rig()?;
        if self.clips.is_empty() {
            return Err(no_animation().in_file(&self.name));
        }
        Ok(&self.clips)
    }

    /// Returns the contents of the file. The contents of the built-in character are in memory.
    #[must_use]
    pub fn file(&self) -> &Contents {
        match &self.origin {
            Origin::BuiltIn(contents) => contents(),
            Origin::File(file) => file,
        }
    }
}

/// The error for a file without motion: [`ErrorKind::NotFound`](vivant_io::ErrorKind::NotFound).
fn no_animation() -> Error {
    let message = "contains no animation; choose a file with motion";
    Error::of(vivant_io::ErrorKind::NotFound, message)
}

/// Returns the built-in avatar, imported from its own bytes like any other file.
#[cfg(feature = "built-in-avatar")]
fn built_in() -> &'static Contents {
    static BUILT: OnceLock<Contents> = OnceLock::new();
    BUILT.get_or_init(|| {
        let bytes = vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm();
        let import =
            vivant_io::import(BUILT_IN, &bytes, &mut no_other_files).expect("the built-in avatar is valid");
        Contents { path: BUILT_IN.into(), bytes, import }
    })
}

/// Returns the clips of several files. Each clip is moved to the origin, so that clips can follow each other in any
/// order. Without files, returns the clips in the avatar's file.
///
/// # Errors
/// If a file cannot be read, or has no motion.
#[cfg(feature = "folder")]
pub fn clips_for(avatar: &ImportedFile, paths: &[PathBuf], warnings: &mut Vec<Warning>) -> Result<Vec<Clip>> {
    let mut clips = Vec::new();
    for path in paths {
        let mut material = ImportedFile::load(path)?;
        material.require_clips()?;
        warnings.extend(material.take_warnings());
        clips.extend(named_by_file(path, material.clips));
    }
    if paths.is_empty() {
        clips.clone_from(&avatar.clips);
    }
    Ok(clips.iter().map(Clip::anchored).collect())
}

#[cfg(feature = "folder")]
/// Names clips after their file, because many programs name every clip “Take 001”.
fn named_by_file(path: &Path, mut clips: Vec<Clip>) -> Vec<Clip> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_single = clips.len() == 1;
    for clip in &mut clips {
        let name = if is_single { stem.to_string() } else { format!("{stem}: {}", clip.name()) };
        clip.set_name(name);
    }
    clips
}

/// Returns the pose of a clip at the time `seconds`. Bones that the clip does not animate have the neutral pose. The
/// clip must be [fitted] to the rig. Writes the clip's expression weights to `weights`.
#[must_use]
pub fn pose_at(clip: &Clip, seconds: f64, rig: &Rig, weights: &mut [f32]) -> Pose {
    let neutral = Pose::neutral(rig);
    let mut pose = Pose::default();
    clip.sample(seconds.clamp(0.0, clip.duration()), &mut pose, weights);
    for bone in BoneSet::ALL.minus(clip.bones()).iter() {
        pose.rotations.set(bone, neutral.rotations.get(bone));
    }
    pose
}

/// Adapts a clip to the bones and expressions of the rig. Warns about expressions that the rig does not have.
#[must_use]
pub fn fitted(clip: &Clip, rig: &Rig, warnings: &mut Vec<Warning>) -> Clip {
    let (fitted, lost) = clip.fitted_to(rig);
    if !lost.is_empty() {
        let names: Vec<&str> = lost.iter().map(vivant::rig::Channel::name).collect();
        let message =
            format!("the avatar cannot show {} of its expressions: {}", lost.len(), names.join(", "));
        warnings.push(Warning::new(WarningCode::CannotShow, format!("clip “{}”", clip.name()), message));
    }
    fitted
}
