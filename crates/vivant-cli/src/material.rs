//! What the commands work with: an avatar and clips, from a file or built in.

use crate::fault::{Fault, Result};
use crate::files;
use crate::report::Progress;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::{BoneSet, Rig};
use vivant_io::scene::Kind;
use vivant_io::{Import, Warning, WarningCode};

/// The name that stands for the built-in character wherever a file is read.
pub(crate) use vivant_host::clips::BUILT_IN;

/// A file that was read, or the built-in character.
pub(crate) struct Material {
    /// As it was named on the command line.
    pub(crate) name: String,
    /// Where it came from.
    pub(crate) origin: Origin,
    /// Its motion in humanoid space.
    pub(crate) clips: Vec<Clip>,
    /// What was dropped or guessed while reading it.
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) enum Origin {
    /// The built-in character, which is built once somebody asks for more than its clips.
    BuiltIn,
    File(Box<ReadFile>),
}

/// A file with its bytes, which are needed again to write on a copy of it.
pub(crate) struct ReadFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) import: Import,
}

impl Material {
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if name == BUILT_IN {
            return Ok(Self::built_in());
        }
        let _progress = Progress::spinner(format!("reading {name}"));
        Self::read(path)
    }

    /// A file, without a word on how it goes: for one of many.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        Self::read_with(path, &mut files::neighbours(path))
    }

    /// A file, where `fetch` gives what it refers to.
    pub(crate) fn read_with(
        path: &Path,
        fetch: &mut dyn FnMut(&str) -> vivant_io::Result<Vec<u8>>,
    ) -> Result<Self> {
        let name = path.display().to_string();
        let bytes = files::read(path)?;
        let mut import = vivant_io::import(&name, &bytes, fetch)?;
        let (clips, warnings) = (std::mem::take(&mut import.clips), std::mem::take(&mut import.warnings));
        let origin = Origin::File(Box::new(ReadFile { path: path.to_owned(), bytes, import }));
        Ok(Self { name, origin, clips, warnings })
    }

    pub(crate) fn built_in() -> Self {
        Self {
            name: BUILT_IN.into(),
            origin: Origin::BuiltIn,
            clips: vivant_mannequin::starter_clips(),
            warnings: Vec::new(),
        }
    }

    /// Takes its warnings, with its name before each, to stand among those of other files.
    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = |warning: Warning| Warning { place: format!("{name}: {}", warning.place), ..warning };
        std::mem::take(&mut self.warnings).into_iter().map(named).collect()
    }

    pub(crate) fn is_built_in(&self) -> bool {
        matches!(self.origin, Origin::BuiltIn)
    }

    /// Its bytes, if it is a VRM file that a viewer can show.
    pub(crate) fn vrm(&self) -> Option<&[u8]> {
        let file = self.file();
        let whole =
            file.bytes.starts_with(b"glTF") && matches!(file.import.source.kind, Kind::Vrm0 | Kind::Vrm1);
        whole.then_some(&file.bytes[..])
    }

    /// Its skeleton, if it has a humanoid one.
    pub(crate) fn rig(&self) -> Option<&Rig> {
        self.file().import.humanoid.as_ref().map(vivant_io::retarget::Humanoid::rig)
    }

    /// Its skeleton, or why there is none.
    pub(crate) fn require_rig(&self) -> Result<&Rig> {
        self.rig().ok_or_else(|| {
            let missing = self.file().import.source.humanoid.missing();
            let missing: Vec<&str> = missing.into_iter().map(vivant::rig::Bone::name).collect();
            Fault::new(format!(
                "{}: no humanoid was found in it; these bones are missing: {}. Give their nodes the names \
                 that VRM, Mixamo, Biped, Unreal or Rigify use",
                self.name,
                missing.join(", ")
            ))
        })
    }

    /// Its clips, or why there are none.
    pub(crate) fn require_clips(&self) -> Result<&[Clip]> {
        self.require_rig()?;
        if self.clips.is_empty() {
            return Err(Fault::new(format!(
                "{}: there is no animation in it; name a file with motion",
                self.name
            )));
        }
        Ok(&self.clips)
    }

    /// Its file, which the built-in character has in memory.
    pub(crate) fn file(&self) -> &ReadFile {
        match &self.origin {
            Origin::BuiltIn => built_in(),
            Origin::File(file) => file,
        }
    }
}

/// The file of the built-in avatar, read from its own bytes as any other would be.
fn built_in() -> &'static ReadFile {
    static BUILT: OnceLock<ReadFile> = OnceLock::new();
    BUILT.get_or_init(|| {
        let bytes = vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm();
        let alone = &mut |_: &str| Err(vivant_io::Error::new("the built-in avatar has no other files"));
        let import = vivant_io::import(BUILT_IN, &bytes, alone).expect("what is written here can be read");
        ReadFile { path: BUILT_IN.into(), bytes, import }
    })
}

/// The clips of several files, each begun at the origin so that any can follow any; without files the
/// avatar's own.
pub(crate) fn clips_for(
    avatar: &Material,
    paths: &[PathBuf],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Clip>> {
    let mut clips = Vec::new();
    for path in paths {
        let mut material = Material::load(path)?;
        material.require_clips()?;
        warnings.extend(material.take_warnings());
        clips.extend(named_by_file(path, material.clips));
    }
    if paths.is_empty() {
        clips.clone_from(&avatar.clips);
    }
    Ok(clips.iter().map(Clip::anchored).collect())
}

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

/// How a clip that fits a rig looks at a time; what it does not move is as in the neutral pose. `weights` gets those
/// of the clip's expressions.
pub(crate) fn pose_at(clip: &Clip, seconds: f64, rig: &Rig, weights: &mut [f32]) -> Pose {
    let neutral = Pose::neutral(rig);
    let mut pose = Pose::default();
    clip.sample(seconds.clamp(0.0, clip.duration()), &mut pose, weights);
    for bone in BoneSet::ALL.minus(clip.bones()).iter() {
        pose.rotations.set(bone, neutral.rotations.get(bone));
    }
    pose
}

/// A clip as the rig can show it; what it cannot show is a warning.
pub(crate) fn fitted(clip: &Clip, rig: &Rig, warnings: &mut Vec<Warning>) -> Clip {
    let (fitted, lost) = clip.fitted_to(rig);
    if !lost.is_empty() {
        let names: Vec<&str> = lost.iter().map(vivant::rig::Channel::name).collect();
        let message =
            format!("the avatar cannot show {} of its expressions: {}", lost.len(), names.join(", "));
        warnings.push(Warning::new(WarningCode::CannotShow, format!("clip “{}”", clip.name()), message));
    }
    fitted
}
