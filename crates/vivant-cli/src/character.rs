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

pub(crate) mod clips;
pub(crate) mod sketch;

use crate::fault::{Fault, Result};
use crate::files;
use crate::material::{BUILT_IN, Material};
use crate::report::Progress;
pub(crate) use clips::named as named_clips;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::graph::{Fault as GraphFault, Graph};
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::eyes::texture::Texture;
use vivant::eyes::{Learned, Temperament};
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::character::Manifest;
use vivant_io::json::words;
use vivant_io::{Warning, WarningCode, json};

pub(crate) const MANIFEST: &str = "character.toml";
pub(crate) const REPERTOIRE: &str = "repertoire.json";
pub(crate) const BEHAVIOUR: &str = "behaviour.json";
const BLINK_MODEL: &str = "blinks.model.json";
const EYE_TEXTURE: &str = "eyes.texture";
const AVATARS: [&str; 3] = ["avatar.vrm", "avatar.glb", "avatar.fbx"];

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
                let faults = [avatar.err(), repertoire.err(), behaviour.err(), learned.err()];
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

/// The folder, for whoever names it or its manifest.
pub(crate) fn folder(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return Ok(path.to_owned());
    }
    let wrong = if path.exists() { "is no folder" } else { "there is no such folder" };
    match (path.file_name(), path.parent()) {
        (Some(name), Some(parent)) if name == MANIFEST && path.exists() => Ok(parent.to_owned()),
        _ => Err(Fault::new(format!(
            "{}: {wrong}; a character is a folder with a {MANIFEST} or a {REPERTOIRE}, or `{BUILT_IN}`",
            path.display()
        ))),
    }
}

/// What a folder is called, also where it is given as `.`.
pub(crate) fn called(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file's name without its folder and its ending.
pub(crate) fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    if !path.exists() && folder.join(REPERTOIRE).exists() {
        return Ok(Manifest::default());
    }
    if !path.exists() {
        let message =
            format!("there is no {MANIFEST} and no {REPERTOIRE} in it; is it a character's folder?");
        return Err(Fault::new(format!("{}: {message}", folder.display())));
    }
    Ok(vivant_io::character::read(&files::read(&path)?).map_err(|error| error.in_file(path.display()))?)
}

/// A file that the manifest names, or the usual one.
pub(crate) fn file(folder: &Path, field: &str, name: &str) -> Result<PathBuf> {
    let fault = |message: String| {
        Fault::new(format!("{}: {field}: {name}: {message}", folder.join(MANIFEST).display()))
    };
    let path = files::below(folder, name);
    let path = path.ok_or_else(|| fault("lies outside the character's folder; copy it into it".into()))?;
    if path.is_file() {
        return Ok(path);
    }
    let there = files::all_below(folder);
    Err(fault(format!("no such file; {}", words::hint(name, there.iter().map(String::as_str)))))
}

pub(crate) fn avatar(folder: &Path, manifest: &Manifest, warnings: &mut Vec<Warning>) -> Result<Material> {
    let there: Vec<&str> = AVATARS.into_iter().filter(|name| folder.join(name).is_file()).collect();
    let mut material = match (manifest.avatar.as_deref(), &there[..]) {
        (Some(BUILT_IN), _) => Material::built_in(),
        (Some(name), _) | (None, &[name]) => Material::load(&file(folder, "avatar", name)?)?,
        (None, []) => {
            let message =
                "there is no avatar, so the built-in one is used; name yours as avatar = \"me.vrm\"";
            warnings.push(Warning::new(WarningCode::Guessed, folder.join(MANIFEST).display(), message));
            Material::built_in()
        }
        (None, several) => {
            let message =
                format!("{} are there; say which, as in avatar = \"{}\"", several.join(" and "), several[0]);
            return Err(Fault::new(format!("{}: {message}", folder.join(MANIFEST).display())));
        }
    };
    material.require_rig()?;
    warnings.extend(material.take_warnings());
    Ok(material)
}

fn repertoire(
    folder: &Path,
    manifest: &Manifest,
    warnings: &mut Vec<Warning>,
) -> Result<(String, Repertoire, BTreeMap<String, Clip>)> {
    let (path, repertoire) = authored(folder, manifest)?;
    let clips = clips::load(folder, &repertoire, warnings).map_err(|error| error.in_file(path.display()))?;
    Ok((path.display().to_string(), repertoire, clips))
}

/// The repertoire as it is written, and where.
fn authored(folder: &Path, manifest: &Manifest) -> Result<(PathBuf, Repertoire)> {
    let path = file(folder, "repertoire", manifest.repertoire.as_deref().unwrap_or(REPERTOIRE))?;
    let read = json::repertoire::read(&files::read(&path)?).map_err(|error| error.in_file(path.display()));
    Ok((path, read?))
}

/// What a character can do, without a look at its clips and its avatar.
pub(crate) fn repertoire_of(path: &Path) -> Result<Repertoire> {
    if path.as_os_str() == BUILT_IN {
        return Ok(vivant_mannequin::starter_repertoire());
    }
    let folder = folder(path)?;
    Ok(authored(&folder, &manifest(&folder)?)?.1)
}

pub(crate) fn behaviour(folder: &Path, manifest: &Manifest) -> Result<Behaviour> {
    if manifest.behaviour.is_none() && !folder.join(BEHAVIOUR).exists() {
        return Ok(Behaviour::standard());
    }
    let path = file(folder, "behaviour", manifest.behaviour.as_deref().unwrap_or(BEHAVIOUR))?;
    Ok(json::behaviour::read(&files::read(&path)?).map_err(|error| error.in_file(path.display()))?)
}

/// What was learned of someone's eyes, as far as it is there.
pub(crate) fn learned(folder: &Path, manifest: &Manifest, warnings: &mut Vec<Warning>) -> Result<Learned> {
    let blinks =
        one_of(folder, ("blinkModel", manifest.blink_model.as_deref(), BLINK_MODEL), json::blink_model::read);
    let texture = one_of(folder, ("eyeTexture", manifest.eye_texture.as_deref(), EYE_TEXTURE), |bytes| {
        Ok(Texture::new(&json::texture::read(bytes)?)?)
    });
    match (blinks, texture) {
        (Ok(blinks), Ok(texture)) => {
            if blinks.is_some() && !manifest.temperament.blink_profile.is_learned() {
                let message = "there is a blink model, and blinks do not move as it has them; \
                               write blinkProfile = \"pca\" below [temperament]";
                warnings.push(Warning::new(WarningCode::Guessed, folder.join(MANIFEST).display(), message));
            }
            Ok(Learned { blinks: blinks.map(Arc::new), texture: texture.map(Arc::new) })
        }
        (blinks, texture) => Err(Fault::all([blinks.err(), texture.err()].into_iter().flatten())),
    }
}

/// A file that the manifest names, or that is there under its usual name, if there is one.
fn one_of<T>(
    folder: &Path,
    (field, named, usual): (&str, Option<&str>, &str),
    read: impl Fn(&[u8]) -> vivant_io::Result<T>,
) -> Result<Option<T>> {
    if named.is_none() && !folder.join(usual).exists() {
        return Ok(None);
    }
    let path = file(folder, field, named.unwrap_or(usual))?;
    let read = read(&files::read(&path)?).map_err(|error| error.in_file(path.display()));
    Ok(Some(read?))
}

#[cfg(test)]
mod tests;
