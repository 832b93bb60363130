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

pub mod clips;

use crate::{avatar, disk};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::repertoire::Repertoire;
use vivant::eyes::texture::Texture;
use vivant::eyes::{Learned, Temperament};
/// The name that stands for the built-in character wherever a file is read.
pub use vivant_host::clips::BUILT_IN;
use vivant_host::{Avatar, Motions};
use vivant_io::character::Manifest;
use vivant_io::json::words;
use vivant_io::{Error, Result, Warning, WarningCode, json};

/// The file that says what has no usual name.
pub const MANIFEST: &str = "character.toml";
/// What it can do.
pub const REPERTOIRE: &str = "repertoire.json";
/// What it does while nobody tells it.
pub const BEHAVIOUR: &str = "behaviour.json";
const BLINK_MODEL: &str = "blinks.model.json";
const EYE_TEXTURE: &str = "eyes.texture";
const AVATARS: [&str; 3] = ["avatar.vrm", "avatar.glb", "avatar.fbx"];

/// All that a performer is made of.
#[derive(Clone)]
pub struct Character {
    /// As its manifest says, or its folder.
    pub name: String,
    /// Its body.
    pub avatar: Avatar,
    /// What it can do, and what it does while nobody tells it.
    pub motions: Motions,
    /// How eyes, lids and head behave.
    pub temperament: Temperament,
    /// What was learned of someone's eyes.
    pub learned: Learned,
    /// What was dropped or guessed.
    pub warnings: Vec<Warning>,
}

impl Character {
    /// Reads a character: a folder, or its `character.toml`.
    ///
    /// # Errors
    /// With what is wrong with it.
    pub fn load(path: &Path) -> Result<Self> {
        let folder = folder(path)?;
        let manifest = manifest(&folder)?;
        let mut warnings = Vec::new();
        let (file, repertoire) = repertoire(&folder, &manifest)?;
        let clips = clips::load(&folder, &repertoire, &mut |_, _| {}, &mut warnings)
            .map_err(|error| error.in_file(file.display()))?;
        let avatar = match avatar_file(&folder, &manifest, &mut warnings)? {
            Some(path) => avatar::read(&path)?,
            None => Avatar::built_in(),
        };
        Ok(Self {
            motions: Motions::of_parts(repertoire, clips, behaviour(&folder, &manifest)?),
            learned: learned(&folder, &manifest, &mut warnings)?,
            name: manifest.name.unwrap_or_else(|| called(&folder)),
            avatar,
            temperament: manifest.temperament,
            warnings,
        })
    }
}

/// The folder, for whoever names it or its manifest.
///
/// # Errors
/// If there is none.
pub fn folder(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return Ok(path.to_owned());
    }
    let wrong = if path.exists() { "is no folder" } else { "there is no such folder" };
    match (path.file_name(), path.parent()) {
        (Some(name), Some(parent)) if name == MANIFEST && path.exists() => Ok(parent.to_owned()),
        _ => {
            let message = format!(
                "{wrong}; a character is a folder with a {MANIFEST} or a {REPERTOIRE}, or `{BUILT_IN}`"
            );
            Err(Error::new(message).in_file(path.display()))
        }
    }
}

/// What a folder is called, also where it is given as `.`.
#[must_use]
pub fn called(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file's name without its folder and its ending.
#[must_use]
pub fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The manifest of a folder; one with nothing in it where there is only a repertoire.
///
/// # Errors
/// If it cannot be read, or it is no character's folder.
pub fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    if !path.exists() && folder.join(REPERTOIRE).exists() {
        return Ok(Manifest::default());
    }
    if !path.exists() {
        let message =
            format!("there is no {MANIFEST} and no {REPERTOIRE} in it; is it a character's folder?");
        return Err(Error::new(message).in_file(folder.display()));
    }
    vivant_io::character::read(&disk::read(&path)?).map_err(|error| error.in_file(path.display()))
}

/// A file that the manifest names, or the usual one.
///
/// # Errors
/// If it is not there, or lies elsewhere.
pub fn file(folder: &Path, field: &str, name: &str) -> Result<PathBuf> {
    let fault = |message: String| {
        Error::at(field, format!("{name}: {message}")).in_file(folder.join(MANIFEST).display())
    };
    let path = disk::below(folder, name);
    let path = path.ok_or_else(|| fault("lies outside the character's folder; copy it into it".into()))?;
    if path.is_file() {
        return Ok(path);
    }
    let there = disk::all_below(folder);
    Err(fault(format!("no such file; {}", words::hint(name, there.iter().map(String::as_str)))))
}

/// The file of its avatar; none is the built-in one.
///
/// # Errors
/// If it is not there, or if there are several.
pub fn avatar_file(
    folder: &Path,
    manifest: &Manifest,
    warnings: &mut Vec<Warning>,
) -> Result<Option<PathBuf>> {
    let there: Vec<&str> = AVATARS.into_iter().filter(|name| folder.join(name).is_file()).collect();
    match (manifest.avatar.as_deref(), &there[..]) {
        (Some(BUILT_IN), _) => Ok(None),
        (Some(name), _) | (None, &[name]) => file(folder, "avatar", name).map(Some),
        (None, []) => {
            let message =
                "there is no avatar, so the built-in one is used; name yours as avatar = \"me.vrm\"";
            warnings.push(Warning::new(WarningCode::Guessed, folder.join(MANIFEST).display(), message));
            Ok(None)
        }
        (None, several) => {
            let message =
                format!("{} are there; say which, as in avatar = \"{}\"", several.join(" and "), several[0]);
            Err(Error::new(message).in_file(folder.join(MANIFEST).display()))
        }
    }
}

/// The repertoire as it is written, and where.
///
/// # Errors
/// If it is not there, or cannot be read.
pub fn repertoire(folder: &Path, manifest: &Manifest) -> Result<(PathBuf, Repertoire)> {
    let path = file(folder, "repertoire", manifest.repertoire.as_deref().unwrap_or(REPERTOIRE))?;
    let read = json::repertoire::read(&disk::read(&path)?).map_err(|error| error.in_file(path.display()));
    Ok((path, read?))
}

/// What a character can do, without a look at its clips and its avatar.
///
/// # Errors
/// If it cannot be read.
pub fn repertoire_of(path: &Path) -> Result<Repertoire> {
    if path.as_os_str() == BUILT_IN {
        return Ok(vivant_mannequin::starter_repertoire());
    }
    let folder = folder(path)?;
    Ok(repertoire(&folder, &manifest(&folder)?)?.1)
}

/// What it does while nobody tells it: its own, or the standard one.
///
/// # Errors
/// If its own cannot be read.
pub fn behaviour(folder: &Path, manifest: &Manifest) -> Result<Behaviour> {
    if manifest.behaviour.is_none() && !folder.join(BEHAVIOUR).exists() {
        return Ok(Behaviour::standard());
    }
    let path = file(folder, "behaviour", manifest.behaviour.as_deref().unwrap_or(BEHAVIOUR))?;
    json::behaviour::read(&disk::read(&path)?).map_err(|error| error.in_file(path.display()))
}

/// What was learned of someone's eyes, as far as it is there.
///
/// # Errors
/// If it is there and cannot be read.
pub fn learned(folder: &Path, manifest: &Manifest, warnings: &mut Vec<Warning>) -> Result<Learned> {
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
        (blinks, texture) => {
            let faults = [blinks.err(), texture.err()].into_iter().flatten();
            Err(Error::all(faults).unwrap_or_else(|| Error::new("the models cannot be read")))
        }
    }
}

/// A file that the manifest names, or that is there under its usual name, if there is one.
fn one_of<T>(
    folder: &Path,
    (field, named, usual): (&str, Option<&str>, &str),
    read: impl Fn(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    if named.is_none() && !folder.join(usual).exists() {
        return Ok(None);
    }
    let path = file(folder, field, named.unwrap_or(usual))?;
    let read = read(&disk::read(&path)?).map_err(|error| error.in_file(path.display()));
    Ok(Some(read?))
}
