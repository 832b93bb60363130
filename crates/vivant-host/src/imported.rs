//! A file that was imported: an avatar, motion, or both; or the built-in character.

#[cfg(feature = "built-in-avatar")]
use crate::clips::{BUILT_IN, alone};
use std::path::{Path, PathBuf};
#[cfg(feature = "built-in-avatar")]
use std::sync::OnceLock;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::{BoneSet, Rig};
use vivant_io::scene::Kind;
use vivant_io::{Error, Import, Result, Warning, WarningCode};

/// A file that was imported, or the built-in character.
#[derive(Clone, Debug)]
pub struct ImportedFile {
    /// Its path or name, for messages.
    pub name: String,
    /// Where it came from.
    pub origin: Origin,
    /// Its motion in humanoid space.
    pub clips: Vec<Clip>,
    /// What was dropped or guessed while reading it.
    pub warnings: Vec<Warning>,
}

/// Where an [`ImportedFile`] came from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The built-in character, with the function that builds its avatar when it is needed.
    BuiltIn(fn() -> &'static Contents),
    /// A file.
    File(Box<Contents>),
}

/// A file's bytes, which are needed again to write motion onto a copy of it, and what was found in them.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Its path, or its name if it never was on a disk.
    pub path: PathBuf,
    /// All of it.
    pub bytes: Vec<u8>,
    /// Its scene and its humanoid.
    pub import: Import,
}

impl ImportedFile {
    /// Imports a file from its bytes; `fetch` gives the files that it refers to.
    ///
    /// # Errors
    /// If it cannot be read.
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

    /// Imports a file on the disk, or the built-in character by its name.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(feature = "folder")]
    pub fn load(path: &Path) -> Result<Self> {
        #[cfg(feature = "built-in-avatar")]
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        Self::load_with(path, &mut crate::disk::neighbours(path))
    }

    /// Imports a file on the disk; `fetch` gives the files that it refers to.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(feature = "folder")]
    pub fn load_with(path: &Path, fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Self> {
        Self::from_bytes(&path.display().to_string(), crate::disk::read(path)?, fetch)
    }

    /// The built-in character.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        Self { clips: vivant_mannequin::starter_clips(), ..Self::built_in_avatar() }
    }

    /// The avatar of the built-in character, without its clips, which take a second to make.
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

    /// Takes its warnings, each with the file's name before its place.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = |warning: Warning| Warning { place: format!("{name}: {}", warning.place), ..warning };
        std::mem::take(&mut self.warnings).into_iter().map(named).collect()
    }

    /// Returns whether it is the built-in character.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.origin, Origin::BuiltIn(_))
    }

    /// Returns its bytes, if it is a VRM file that a viewer can show.
    #[must_use]
    pub fn vrm(&self) -> Option<&[u8]> {
        let file = self.file();
        let whole =
            file.bytes.starts_with(b"glTF") && matches!(file.import.source.kind, Kind::Vrm0 | Kind::Vrm1);
        whole.then_some(&file.bytes[..])
    }

    /// Returns its skeleton, if it has a humanoid one.
    #[must_use]
    pub fn rig(&self) -> Option<&Rig> {
        self.file().import.humanoid.as_ref().map(vivant_io::retarget::Humanoid::rig)
    }

    /// Returns its skeleton.
    ///
    /// # Errors
    /// If it has no humanoid one, with the missing bones.
    pub fn require_rig(&self) -> Result<&Rig> {
        self.rig().ok_or_else(|| {
            let missing = self.file().import.source.humanoid.missing();
            let missing: Vec<&str> = missing.into_iter().map(vivant::rig::Bone::name).collect();
            Error::new(format!(
                "no humanoid was found in it; these bones are missing: {}. Give their nodes the names \
                 that VRM, Mixamo, Biped, Unreal or Rigify use",
                missing.join(", ")
            ))
            .in_file(&self.name)
        })
    }

    /// Returns its clips.
    ///
    /// # Errors
    /// If it has none, or no humanoid.
    pub fn require_clips(&self) -> Result<&[Clip]> {
        self.require_rig()?;
        if self.clips.is_empty() {
            return Err(no_animation().in_file(&self.name));
        }
        Ok(&self.clips)
    }

    /// Returns its contents, which the built-in character has in memory.
    #[must_use]
    pub fn file(&self) -> &Contents {
        match &self.origin {
            Origin::BuiltIn(contents) => contents(),
            Origin::File(file) => file,
        }
    }
}

/// The error of a file without motion: [`ErrorKind::NotFound`](vivant_io::ErrorKind::NotFound).
fn no_animation() -> Error {
    let message = "there is no animation in it; name a file with motion";
    Error::of(vivant_io::ErrorKind::NotFound, message)
}

/// The built-in avatar, imported from its own bytes like any other file.
#[cfg(feature = "built-in-avatar")]
fn built_in() -> &'static Contents {
    static BUILT: OnceLock<Contents> = OnceLock::new();
    BUILT.get_or_init(|| {
        let bytes = vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm();
        let import = vivant_io::import(BUILT_IN, &bytes, &mut alone).expect("a file that was just written");
        Contents { path: BUILT_IN.into(), bytes, import }
    })
}

/// Returns the clips of several files, each starting at the origin so that any can follow any; without files the
/// avatar's own.
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
/// Clips of several files side by side: many programs call every clip “Take 001”, so the file's name
/// says which is which.
fn named_by_file(path: &Path, mut clips: Vec<Clip>) -> Vec<Clip> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let alone = clips.len() == 1;
    for clip in &mut clips {
        let name = if alone { stem.to_string() } else { format!("{stem}: {}", clip.name()) };
        clip.set_name(name);
    }
    clips
}

/// Returns the pose of a clip that fits a rig at a time in seconds; bones that it does not move are as in the neutral
/// pose. Writes the clip's expression weights to `weights`.
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

/// Returns a clip as the rig can show it. What it cannot show is a warning.
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
