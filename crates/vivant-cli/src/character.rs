//! A character is a folder: its manifest, avatar, repertoire, behaviour and clips.
//!
//! ```text
//! eve/
//!   character.toml    version = 1, and whatever has no usual name
//!   avatar.vrm
//!   repertoire.json
//!   behaviour.json    if it has its own
//!   blinks.model.json how its lids blink, if that was learned
//!   eyes.texture      how its eyes move when they are left alone, if that was learned
//!   clips/wave.fbx …
//! ```

pub(crate) mod sketch;

use crate::fault::{Fault, Result};
use crate::material::{BUILT_IN, Material};
use crate::report::Progress;
use std::collections::BTreeMap;
use std::path::Path;
use vivant::body::behaviour::Behaviour;
use vivant::body::graph::{Fault as GraphFault, Graph};
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::eyes::{Learned, Temperament};
use vivant::pose::Pose;
use vivant::rig::Rig;
pub(crate) use vivant_files::character::clips::named as named_clips;
pub(crate) use vivant_files::character::{
    BEHAVIOUR, MANIFEST, REPERTOIRE, behaviour, called, clips, file, folder, learned, manifest,
    repertoire_of, stem,
};
use vivant_io::character::Manifest;
use vivant_io::{Warning, WarningCode};

/// All that a character is made of, read and found whole.
pub(crate) struct Character {
    /// As its manifest says, or its folder.
    pub(crate) name: String,
    /// The file of its repertoire, for messages.
    pub(crate) repertoire_file: String,
    /// Its body.
    pub(crate) avatar: Material,
    /// What it can do.
    pub(crate) repertoire: Repertoire,
    /// Every clip that its repertoire names, as it is spelled there (`clips/wave.fbx`, `all.glb#Wave`),
    /// where they were recorded and not yet fitted to the avatar.
    pub(crate) clips: BTreeMap<String, Clip>,
    /// What it does while nobody tells it.
    pub(crate) behaviour: Behaviour,
    /// How eyes, lids and head behave.
    pub(crate) temperament: Temperament,
    /// What was learned of someone's eyes.
    pub(crate) learned: Learned,
    /// What was dropped or guessed.
    pub(crate) warnings: Vec<Warning>,
}

impl Character {
    /// Reads a character: a folder, its `character.toml`, or `builtin`.
    ///
    /// # Errors
    /// With all that is wrong with it, a line each, as far as it can be known at once.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        let folder = folder(path)?;
        let manifest = manifest(&folder)?;
        let mut warnings = Vec::new();
        let avatar = avatar(&folder, &manifest, &mut warnings);
        let repertoire = repertoire(&folder, &manifest, &mut warnings);
        let behaviour = behaviour(&folder, &manifest);
        let learned = learned(&folder, &manifest, &mut warnings);
        match (avatar, repertoire, behaviour, learned) {
            (Ok(avatar), Ok((repertoire_file, repertoire, clips)), Ok(behaviour), Ok(learned)) => Ok(Self {
                name: manifest.name.unwrap_or_else(|| called(&folder)),
                repertoire_file,
                avatar,
                repertoire,
                clips,
                behaviour,
                temperament: manifest.temperament,
                learned,
                warnings,
            }),
            (avatar, repertoire, behaviour, learned) => {
                let [behaviour, learned] =
                    [behaviour.err(), learned.err()].map(|error| error.map(Fault::from));
                let faults = [avatar.err(), repertoire.err(), behaviour, learned];
                Err(Fault::all(faults.into_iter().flatten()))
            }
        }
    }

    /// Reads a character, or an avatar's file, which gets the built-in repertoire.
    pub(crate) fn load_or_dress(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if path.is_dir() || !matches!(ending.as_str(), "vrm" | "glb" | "gltf" | "fbx") {
            return Self::load(path);
        }
        let mut avatar = Material::load(path)?;
        avatar.require_rig()?;
        let warnings = avatar.take_warnings();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, avatar, warnings, ..Self::built_in() })
    }

    /// The character that needs no files.
    pub(crate) fn built_in() -> Self {
        let named = |clip: Clip| (format!("{BUILT_IN}#{}", clip.name()), clip);
        Self {
            name: BUILT_IN.into(),
            repertoire_file: BUILT_IN.into(),
            avatar: Material::built_in(),
            clips: vivant_mannequin::starter_clips().into_iter().map(named).collect(),
            repertoire: vivant_mannequin::starter_repertoire(),
            behaviour: Behaviour::standard(),
            temperament: Temperament::default(),
            learned: Learned::default(),
            warnings: Vec::new(),
        }
    }
}

impl Character {
    /// Its repertoire, bound to its avatar's skeleton; what does not fit is a warning.
    pub(crate) fn library(&self, rig: &Rig, warnings: &mut Vec<Warning>) -> Result<Library> {
        let _progress = Progress::spinner("fitting clips to the avatar");
        let clip = |spelling: &str| self.clips.get(spelling);
        let bound = Library::of_repertoire(rig.clone(), Pose::neutral(rig), &self.repertoire, &clip);
        let (library, faults) = bound.map_err(|faults| self.fault(&faults))?;
        warnings.extend(faults.iter().map(|fault| self.warning(fault)));
        Ok(library)
    }

    /// Its repertoire as a graph, for planning without a body.
    pub(crate) fn graph(&self, warnings: &mut Vec<Warning>) -> Result<Graph> {
        let secs = |spelling: &str| self.clips.get(spelling).map(Clip::duration);
        let built = Graph::build(&self.repertoire, &secs);
        let (mut graph, faults) = built.map_err(|faults| self.fault(&faults))?;
        graph.find_strokes(&|spelling| self.clips.get(spelling));
        warnings.extend(faults.iter().map(|fault| self.warning(fault)));
        Ok(graph)
    }

    fn fault(&self, faults: &[GraphFault]) -> Fault {
        let file = &self.repertoire_file;
        Fault::all(faults.iter().map(|fault| Fault::new(format!("{file}: {fault}"))))
    }

    fn warning(&self, fault: &GraphFault) -> Warning {
        let place = format!("{}: {}", self.repertoire_file, fault.path);
        Warning::new(WarningCode::Malformed, place, &fault.message)
    }
}

/// A character's avatar.
pub(crate) fn avatar(folder: &Path, manifest: &Manifest, warnings: &mut Vec<Warning>) -> Result<Material> {
    let file = vivant_files::character::avatar_file(folder, manifest, warnings)?;
    let mut material = file.map_or_else(|| Ok(Material::built_in()), |path| Material::load(&path))?;
    material.require_rig()?;
    warnings.extend(material.take_warnings());
    Ok(material)
}

fn repertoire(
    folder: &Path,
    manifest: &Manifest,
    warnings: &mut Vec<Warning>,
) -> Result<(String, Repertoire, BTreeMap<String, Clip>)> {
    let (path, repertoire) = vivant_files::character::repertoire(folder, manifest)?;
    let clips = clips::load(folder, &repertoire, &mut reading(), warnings);
    Ok((path.display().to_string(), repertoire, clips.map_err(|error| error.in_file(path.display()))?))
}

/// Shows how far the reading of clips has come.
pub(crate) fn reading() -> impl FnMut(usize, usize) {
    let mut bar = None;
    move |done, count| bar.get_or_insert_with(|| Progress::bar("reading clips", count)).at(done)
}

#[cfg(test)]
mod tests;
