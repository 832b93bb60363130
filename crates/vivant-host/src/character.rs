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
#[cfg(feature = "disk")]
pub mod draft;
#[cfg(all(test, feature = "disk"))]
mod tests;

/// The name that stands for the built-in character wherever a file is read.
pub use crate::clips::BUILT_IN;
#[cfg(feature = "folder")]
use crate::files::Folder;
use crate::files::{Files, inside, neighbours};
#[cfg(feature = "folder")]
use crate::imported::clips_for;
use crate::{Avatar, BoundCharacter, ImportedFile, Motions, Role};
#[cfg(feature = "folder")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::repertoire::Repertoire;
use vivant::eyes::texture::Texture;
use vivant::eyes::{Learned, Temperament};
use vivant_io::character::Manifest;
use vivant_io::json::words;
use vivant_io::{Error, Result, Warning, WarningCode, json};

/// The file that names what has no usual name.
pub const MANIFEST: &str = "character.toml";
/// The file of what it can do.
pub const REPERTOIRE: &str = "repertoire.json";
/// The file of what it does by itself.
pub const BEHAVIOUR: &str = "behaviour.json";
const BLINK_MODEL: &str = "blinks.model.json";
const EYE_TEXTURE: &str = "eyes.texture";
const AVATARS: [&str; 3] = ["avatar.vrm", "avatar.glb", "avatar.fbx"];

/// Everything that a performer is made of. This is the only place where a character is read: each host plays what
/// lies in its folder in the same way.
#[derive(Clone)]
pub struct Character {
    /// Its name, from its manifest or its folder.
    pub name: String,
    /// Its body.
    pub avatar: Avatar,
    /// What it can do, and what it does by itself.
    pub motions: Motions,
    /// How eyes, lids and head behave.
    pub temperament: Temperament,
    /// Its blink model and its eye texture.
    pub learned: Learned,
    /// What was dropped or guessed while it was read.
    pub warnings: Vec<Warning>,
}

impl Character {
    /// Reads a character from its files.
    ///
    /// # Errors
    /// With everything that is wrong with it, as far as it can be known at once.
    pub fn read(files: &dyn Files, progress: clips::Progress<'_>) -> Result<Self> {
        let manifest = manifest(files)?;
        let mut warnings = Vec::new();
        let avatar = avatar(files, &manifest, &mut warnings);
        let motions = motions(files, &manifest, progress, &mut warnings);
        let behaviour = behaviour(files, &manifest);
        let learned = learned(files, &manifest);
        match (avatar, motions, behaviour, learned) {
            (Ok(avatar), Ok(motions), Ok(behaviour), Ok(learned)) => Ok(Self {
                name: manifest.name.unwrap_or_else(|| files.title()),
                avatar,
                motions: motions.with_behaviour(behaviour),
                temperament: manifest.temperament,
                learned,
                warnings,
            }),
            (avatar, motions, behaviour, learned) => {
                let errors = [avatar.err(), motions.err(), behaviour.err(), learned.err()];
                Err(Error::all(errors.into_iter().flatten())
                    .unwrap_or_else(|| Error::new("the character cannot be read")))
            }
        }
    }

    /// The character that needs no files.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        Self::of(BUILT_IN.into(), Avatar::built_in(), Motions::built_in())
    }

    /// An avatar with these motions.
    #[must_use]
    pub fn of(name: String, avatar: Avatar, motions: Motions) -> Self {
        let (temperament, learned) = (Temperament::default(), Learned::default());
        Self { name, avatar, motions, temperament, learned, warnings: Vec::new() }
    }

    /// Binds the repertoire to the avatar.
    ///
    /// # Errors
    /// If the repertoire is not consistent, with everything that is wrong with it.
    pub fn bound(&self, warnings: &mut Vec<Warning>) -> Result<BoundCharacter> {
        warnings.extend_from_slice(self.avatar.warnings());
        let library = Arc::new(self.motions.on(self.avatar.rig(), warnings)?);
        let (behaviour, learned) = (self.motions.behaviour(), self.learned.clone());
        Ok(BoundCharacter { library, behaviour, learned, temperament: self.temperament })
    }

    /// Reads a role from JSON. What it leaves out of its temperament is the character's; an empty text is the default.
    ///
    /// # Errors
    /// If it is not a role, with everything that is wrong with it.
    pub fn role(&self, json: &str) -> Result<Role> {
        Role::read_for(json, &self.temperament)
    }

    /// Reads a character: a folder, its `character.toml`, or `builtin`.
    ///
    /// # Errors
    /// As for [`read`](Self::read), or if there is no such folder.
    #[cfg(feature = "folder")]
    pub fn load(path: &Path, progress: clips::Progress<'_>) -> Result<Self> {
        #[cfg(feature = "built-in-avatar")]
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        Self::read(&Folder::new(folder(path)?), progress)
    }

    /// Reads an avatar that plays the clips of these files one after another; without files its own clips, and without
    /// those the built-in repertoire.
    ///
    /// # Errors
    /// If a file cannot be read, has no humanoid, or has no motion where there should be some.
    #[cfg(feature = "folder")]
    pub fn of_files(avatar: &Path, clips: &[PathBuf]) -> Result<Self> {
        #[cfg(feature = "built-in-avatar")]
        if avatar.as_os_str() == BUILT_IN && clips.is_empty() {
            return Ok(Self::built_in());
        }
        let mut file = ImportedFile::load(avatar)?;
        let mut warnings = file.take_warnings();
        let has_own = !file.is_built_in() && !file.clips.is_empty();
        let motions = if clips.is_empty() && !has_own {
            Motions::built_in()
        } else {
            Motions::of_clips(clips_for(&file, clips, &mut warnings)?)
        };
        let character = Self::of(stem(&file.name), Avatar::of_file(file)?, motions);
        Ok(Self { warnings, ..character })
    }

    /// Reads a character, or an avatar's file, which gets the built-in repertoire.
    ///
    /// # Errors
    /// As for [`load`](Self::load), or if the avatar cannot be read.
    #[cfg(feature = "folder")]
    pub fn load_or_dress(path: &Path, progress: clips::Progress<'_>) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if path.is_dir() || !matches!(ending.as_str(), "vrm" | "glb" | "gltf" | "fbx") {
            return Self::load(path, progress);
        }
        let mut file = ImportedFile::load(path)?;
        let warnings = file.take_warnings();
        let character = Self::of(stem(&file.name), Avatar::of_file(file)?, Motions::built_in());
        Ok(Self { warnings, ..character })
    }
}

/// Returns the folder of a character that is named by its folder or its manifest.
///
/// # Errors
/// If there is none.
#[cfg(feature = "folder")]
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

/// Returns what a folder is called, also where it is given as `.`.
#[cfg(feature = "folder")]
#[must_use]
pub fn called(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a file's name without its folder and its ending.
#[must_use]
pub fn stem(path: &str) -> String {
    std::path::Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the manifest; an empty one where there is only a repertoire.
///
/// # Errors
/// If it cannot be read, or these are not the files of a character.
pub fn manifest(files: &dyn Files) -> Result<Manifest> {
    match (files.has(MANIFEST), files.has(REPERTOIRE)) {
        (true, _) => vivant_io::character::read(&files.read(MANIFEST)?)
            .map_err(|error| error.in_file(files.shown(MANIFEST))),
        (false, true) => Ok(Manifest::default()),
        (false, false) => {
            let message =
                format!("there is no {MANIFEST} and no {REPERTOIRE} in it; is it a character's folder?");
            Err(Error::new(message).in_file(files.shown("")))
        }
    }
}

/// Returns the name of a file that the manifest names in a field, or of the usual one.
///
/// # Errors
/// If it is not there, or lies elsewhere.
pub fn file(files: &dyn Files, field: &str, name: &str) -> Result<String> {
    let fault =
        |message: String| Error::at(field, format!("{name}: {message}")).in_file(files.shown(MANIFEST));
    let inside =
        inside(name).ok_or_else(|| fault("lies outside the character's folder; copy it into it".into()))?;
    if files.has(&inside) {
        return Ok(inside);
    }
    let names = files.names();
    Err(fault(format!("no such file; {}", words::hint(name, names.iter().map(String::as_str)))))
}

/// Returns the name of the avatar's file; `None` means the built-in avatar.
///
/// # Errors
/// If it is not there, or if there are several.
pub fn avatar_file(
    files: &dyn Files,
    manifest: &Manifest,
    warnings: &mut Vec<Warning>,
) -> Result<Option<String>> {
    let there: Vec<&str> = AVATARS.into_iter().filter(|name| files.has(name)).collect();
    match (manifest.avatar.as_deref(), &there[..]) {
        (Some(BUILT_IN), _) => Ok(None),
        (Some(name), _) | (None, &[name]) => file(files, "avatar", name).map(Some),
        (None, []) => {
            let message =
                "there is no avatar, so the built-in one is used; name yours as avatar = \"me.vrm\"";
            warnings.push(Warning::new(WarningCode::Guessed, files.shown(MANIFEST), message));
            Ok(None)
        }
        (None, several) => {
            let message =
                format!("{} are there; say which, as in avatar = \"{}\"", several.join(" and "), several[0]);
            Err(Error::new(message).in_file(files.shown(MANIFEST)))
        }
    }
}

/// Reads the avatar of a character.
///
/// # Errors
/// If it is not there, cannot be read, or has no humanoid.
pub fn avatar(files: &dyn Files, manifest: &Manifest, warnings: &mut Vec<Warning>) -> Result<Avatar> {
    let Some(name) = avatar_file(files, manifest, warnings)? else { return built_in_avatar(files) };
    let mut fetch = neighbours(files, &name);
    let mut file = ImportedFile::from_bytes(&files.shown(&name), files.read(&name)?, &mut fetch)?;
    warnings.extend(file.take_warnings());
    Avatar::of_file(file)
}

#[cfg(feature = "built-in-avatar")]
fn built_in_avatar(_: &dyn Files) -> Result<Avatar> {
    Ok(Avatar::built_in())
}

#[cfg(not(feature = "built-in-avatar"))]
fn built_in_avatar(files: &dyn Files) -> Result<Avatar> {
    let message = "this character has the built-in avatar, which is not part of this build of Vivant; add the \
                   avatar's file to the character as avatar.vrm";
    Err(Error::at("avatar", message).in_file(files.shown(MANIFEST)))
}

/// Reads the repertoire, and returns the name of its file with it.
///
/// # Errors
/// If it is not there, or cannot be read.
pub fn repertoire(files: &dyn Files, manifest: &Manifest) -> Result<(String, Repertoire)> {
    let name = file(files, "repertoire", manifest.repertoire.as_deref().unwrap_or(REPERTOIRE))?;
    let read =
        json::repertoire::read(&files.read(&name)?).map_err(|error| error.in_file(files.shown(&name)))?;
    Ok((name, read))
}

fn motions(
    files: &dyn Files,
    manifest: &Manifest,
    progress: clips::Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Motions> {
    let (name, repertoire) = repertoire(files, manifest)?;
    let shown = files.shown(&name);
    let clips = clips::load(files, &repertoire, progress, warnings).map_err(|error| error.in_file(&shown))?;
    Ok(Motions::of_parts(repertoire, clips).in_file(shown))
}

/// Returns the names of files that belong to a character and are not among these yet: those that its manifest and its
/// repertoire name, and the usual names of what they leave open. Not all of the latter have to exist. A host that
/// fetches a character asks until nothing new is missing.
///
/// # Errors
/// If the manifest or the repertoire cannot be read.
pub fn missing(files: &dyn Files) -> Result<Vec<String>> {
    if !files.has(MANIFEST) && !files.has(REPERTOIRE) {
        return Ok(vec![MANIFEST.into(), REPERTOIRE.into()]);
    }
    let manifest = manifest(files)?;
    let named = |name: Option<&String>, usual: &str| name.map_or(usual, String::as_str).to_owned();
    let own_repertoire = named(manifest.repertoire.as_ref(), REPERTOIRE);
    let mut names = vec![
        named(manifest.behaviour.as_ref(), BEHAVIOUR),
        named(manifest.blink_model.as_ref(), BLINK_MODEL),
        named(manifest.eye_texture.as_ref(), EYE_TEXTURE),
    ];
    match manifest.avatar.as_deref() {
        Some(avatar) => names.push(avatar.to_owned()),
        None => names.extend(AVATARS.map(str::to_owned)),
    }
    if files.has(&own_repertoire) {
        let (_, repertoire) = repertoire(files, &manifest)?;
        let file = |(clip, _): (&str, String)| clip.split_once('#').map_or(clip, |(file, _)| file).to_owned();
        names.extend(clips::named(&repertoire).into_iter().map(file));
    } else {
        names.push(own_repertoire);
    }
    names.sort_unstable();
    names.dedup();
    names.retain(|name| name != BUILT_IN && !files.has(name));
    Ok(names)
}

/// Reads the repertoire of a character without its clips and its avatar.
///
/// # Errors
/// If it cannot be read.
#[cfg(feature = "folder")]
pub fn repertoire_of(path: &Path) -> Result<Repertoire> {
    if path.as_os_str() == BUILT_IN {
        return Ok(vivant_mannequin::starter_repertoire());
    }
    let files = Folder::new(folder(path)?);
    Ok(repertoire(&files, &manifest(&files)?)?.1)
}

/// Reads what it does by itself: its own behaviour model, or the standard one.
///
/// # Errors
/// If its own cannot be read.
pub fn behaviour(files: &dyn Files, manifest: &Manifest) -> Result<Behaviour> {
    let own = (BEHAVIOUR, manifest.behaviour.as_deref(), "behaviour");
    Ok(one_of(files, own, json::behaviour::read)?.unwrap_or_else(Behaviour::standard))
}

/// Reads its blink model and its eye texture, as far as they are there.
///
/// # Errors
/// If one is there and cannot be read.
pub fn learned(files: &dyn Files, manifest: &Manifest) -> Result<Learned> {
    let blinks = (BLINK_MODEL, manifest.blink_model.as_deref(), "blinkModel");
    let blinks = one_of(files, blinks, json::blink_model::read);
    let texture = (EYE_TEXTURE, manifest.eye_texture.as_deref(), "eyeTexture");
    let texture = one_of(files, texture, |bytes| Texture::new(&json::texture::read(bytes)?));
    match (blinks, texture) {
        (Ok(blinks), Ok(texture)) => {
            Ok(Learned { blinks: blinks.map(Arc::new), texture: texture.map(Arc::new) })
        }
        (blinks, texture) => {
            let errors = [blinks.err(), texture.err()].into_iter().flatten();
            Err(Error::all(errors).unwrap_or_else(|| Error::new("the models cannot be read")))
        }
    }
}

/// Reads a file that the manifest names, or that is there under its usual name; `None` if there is neither.
fn one_of<T>(
    files: &dyn Files,
    (usual, named, field): (&str, Option<&str>, &str),
    read: impl Fn(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    if named.is_none() && !files.has(usual) {
        return Ok(None);
    }
    let name = file(files, field, named.unwrap_or(usual))?;
    let read = read(&files.read(&name)?).map_err(|error| error.in_file(files.shown(&name)));
    Ok(Some(read?))
}
