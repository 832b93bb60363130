//! A character is a folder with its manifest, avatar, repertoire, behaviour and clips.
//!
//! ```text
//! eve/
//!   character.toml    version = 1, and the names of files that do not have their default names
//!   avatar.vrm
//!   repertoire.json
//!   behaviour.json    optional: a behaviour model
//!   blinks.model.json optional: a learned blink model
//!   eyes.texture      optional: a learned eye texture
//!   clips/wave.fbx …
//! ```

pub mod clips;
#[cfg(feature = "disk")]
pub mod draft;
#[cfg(all(test, feature = "disk"))]
mod tests;

/// The name of the built-in character, accepted in place of a file or folder.
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
use vivant::eyes::{EyeModels, Temperament};
use vivant_io::character::Manifest;
use vivant_io::json::words;
use vivant_io::{Error, Result, Warning, WarningCode, json};

/// The manifest file, which lists the files that do not have default names.
pub const MANIFEST: &str = "character.toml";
/// The default name of the repertoire file.
pub const REPERTOIRE: &str = "repertoire.json";
/// The default name of the behaviour model file.
pub const BEHAVIOUR: &str = "behaviour.json";
const BLINK_MODEL: &str = "blinks.model.json";
const EYE_TEXTURE: &str = "eyes.texture";
const AVATARS: [&str; 3] = ["avatar.vrm", "avatar.glb", "avatar.fbx"];

/// A character: everything that performers need. Every host reads characters through this type, so that the same
/// folder plays the same way everywhere.
#[derive(Clone)]
pub struct Character {
    /// The name of the character, from the manifest or the folder.
    pub name: String,
    /// The avatar of the character.
    pub avatar: Avatar,
    /// The repertoire, the clips and the behaviour model.
    pub motions: Motions,
    /// The temperament of the character.
    pub temperament: Temperament,
    /// The blink model and the eye texture.
    pub learned: EyeModels,
    /// Warnings about data that was dropped or guessed while reading.
    pub warnings: Vec<Warning>,
}

impl Character {
    /// Reads a character from its files.
    ///
    /// # Errors
    /// If a file is missing or invalid; the error lists as many problems as possible.
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

    /// Returns the built-in character, which needs no files.
    #[cfg(feature = "built-in-avatar")]
    #[must_use]
    pub fn built_in() -> Self {
        Self::of(BUILT_IN.into(), Avatar::built_in(), Motions::built_in())
    }

    /// Makes a character from an avatar and motions, with the default temperament.
    #[must_use]
    pub fn of(name: String, avatar: Avatar, motions: Motions) -> Self {
        let (temperament, learned) = (Temperament::default(), EyeModels::default());
        Self { name, avatar, motions, temperament, learned, warnings: Vec::new() }
    }

    /// Binds the repertoire to the avatar.
    ///
    /// # Errors
    /// If the repertoire is inconsistent; the error lists all problems.
    pub fn bound(&self, warnings: &mut Vec<Warning>) -> Result<BoundCharacter> {
        warnings.extend_from_slice(self.avatar.warnings());
        let library = Arc::new(self.motions.bind(self.avatar.rig(), warnings)?);
        let (behaviour, learned) = (self.motions.behaviour(), self.learned.clone());
        Ok(BoundCharacter { library, behaviour, learned, temperament: self.temperament })
    }

    /// Reads a role from JSON. Temperament fields that the role leaves out are taken from the character. An empty
    /// text gives the default role.
    ///
    /// # Errors
    /// If the text is not a valid role; the error lists all problems.
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

    /// Reads an avatar that plays the clips of these files one after another. Without files, it plays the clips in
    /// the avatar's file. If that file has no clips, it plays the built-in repertoire.
    ///
    /// # Errors
    /// If a file cannot be read, the avatar has no humanoid, or a clip file has no motion.
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

    /// Reads a character or an avatar file. An avatar file gets the built-in repertoire.
    ///
    /// # Errors
    /// As for [`load`](Self::load), or if the avatar cannot be read.
    #[cfg(feature = "folder")]
    pub fn load_or_wrap_avatar(path: &Path, progress: clips::Progress<'_>) -> Result<Self> {
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

/// Returns the folder of a character. The path is the folder itself or its manifest.
///
/// # Errors
/// If there is no such folder.
#[cfg(feature = "folder")]
pub fn folder(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return Ok(path.to_owned());
    }
    let problem = if path.exists() { "not a folder" } else { "no such folder" };
    match (path.file_name(), path.parent()) {
        (Some(name), Some(parent)) if name == MANIFEST && path.exists() => Ok(parent.to_owned()),
        _ => {
            let message = format!(
                "{problem}; a character is a folder with a {MANIFEST} or a {REPERTOIRE}, or `{BUILT_IN}`"
            );
            Err(Error::new(message).in_file(path.display()))
        }
    }
}

/// Returns the name of a folder. This also works for `.`.
#[cfg(feature = "folder")]
#[must_use]
pub fn folder_name(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a file's name without folder and extension.
#[must_use]
pub fn stem(path: &str) -> String {
    std::path::Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the manifest. Returns an empty manifest if the folder has only a repertoire.
///
/// # Errors
/// If the manifest cannot be read, or there is neither a manifest nor a repertoire.
pub fn manifest(files: &dyn Files) -> Result<Manifest> {
    match (files.has(MANIFEST), files.has(REPERTOIRE)) {
        (true, _) => vivant_io::character::read(&files.read(MANIFEST)?)
            .map_err(|error| error.in_file(files.shown(MANIFEST))),
        (false, true) => Ok(Manifest::default()),
        (false, false) => {
            let message = format!("contains no {MANIFEST} and no {REPERTOIRE}; is it a character's folder?");
            Err(Error::new(message).in_file(files.shown("")))
        }
    }
}

/// Checks that the character has a file `name`, and returns its normalised name. `field` is the field of the manifest
/// that is mentioned in errors.
///
/// # Errors
/// If the file does not exist, or is outside the character's folder.
pub fn file(files: &dyn Files, field: &str, name: &str) -> Result<String> {
    let fault =
        |message: String| Error::at(field, format!("{name}: {message}")).in_file(files.shown(MANIFEST));
    let inside = inside(name)
        .ok_or_else(|| fault("outside the character's folder; copy it into the folder".into()))?;
    if files.has(&inside) {
        return Ok(inside);
    }
    let names = files.names();
    Err(fault(format!("no such file; {}", words::hint(name, names.iter().map(String::as_str)))))
}

/// Returns the name of the avatar's file; `None` means the built-in avatar.
///
/// # Errors
/// If the file does not exist, or if there are several avatar files.
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
                "no avatar found, so the built-in one is used; to use yours, set avatar = \"me.vrm\"";
            warnings.push(Warning::new(WarningCode::Guessed, files.shown(MANIFEST), message));
            Ok(None)
        }
        (None, several) => {
            let message =
                format!("found {}; choose one, as in avatar = \"{}\"", several.join(" and "), several[0]);
            Err(Error::new(message).in_file(files.shown(MANIFEST)))
        }
    }
}

/// Reads the avatar of a character.
///
/// # Errors
/// If the avatar does not exist, cannot be read, or has no humanoid.
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
    let message = "this character uses the built-in avatar, which is not part of this build of Vivant; add the \
                   avatar's file to the character as avatar.vrm";
    Err(Error::at("avatar", message).in_file(files.shown(MANIFEST)))
}

/// Reads the repertoire and returns it with the name of its file.
///
/// # Errors
/// If the repertoire does not exist, or cannot be read.
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

/// Returns the names of the files that are still missing: the files that the manifest and the repertoire name, and
/// the default names of optional files, which need not exist. A host that downloads a character calls this function
/// until it returns no new names.
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

/// Reads the repertoire of a character without its clips and avatar.
///
/// # Errors
/// If the repertoire cannot be read.
#[cfg(feature = "folder")]
pub fn repertoire_of(path: &Path) -> Result<Repertoire> {
    if path.as_os_str() == BUILT_IN {
        return Ok(vivant_mannequin::starter_repertoire());
    }
    let files = Folder::new(folder(path)?);
    Ok(repertoire(&files, &manifest(&files)?)?.1)
}

/// Reads the character's own behaviour model, or returns the standard model.
///
/// # Errors
/// If the manifest names a file that does not exist, or the character's own model cannot be read.
pub fn behaviour(files: &dyn Files, manifest: &Manifest) -> Result<Behaviour> {
    let own = (BEHAVIOUR, manifest.behaviour.as_deref(), "behaviour");
    Ok(read_optional(files, own, json::behaviour::read)?.unwrap_or_else(Behaviour::standard))
}

/// Reads the blink model and the eye texture, if they exist.
///
/// # Errors
/// If the manifest names a file that does not exist, or one of these files cannot be read.
pub fn learned(files: &dyn Files, manifest: &Manifest) -> Result<EyeModels> {
    let blinks = (BLINK_MODEL, manifest.blink_model.as_deref(), "blinkModel");
    let blinks = read_optional(files, blinks, json::blink_model::read);
    let texture = (EYE_TEXTURE, manifest.eye_texture.as_deref(), "eyeTexture");
    let texture = read_optional(files, texture, |bytes| Texture::new(&json::texture::read(bytes)?));
    match (blinks, texture) {
        (Ok(blinks), Ok(texture)) => {
            Ok(EyeModels { blinks: blinks.map(Arc::new), texture: texture.map(Arc::new) })
        }
        (blinks, texture) => {
            let errors = [blinks.err(), texture.err()].into_iter().flatten();
            Err(Error::all(errors).unwrap_or_else(|| Error::new("the models cannot be read")))
        }
    }
}

/// Reads the file that the manifest names, or the file with the default name. Returns `None` if the manifest names no
/// file and there is no file with the default name.
fn read_optional<T>(
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
