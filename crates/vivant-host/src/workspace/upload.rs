//! Uploaded files, which are read and checked before they are stored.
//!
//! An upload comes from a browser, so its name and contents are not trusted: the size and the number of files are
//! limited, the name is made safe, the extension is chosen by the contents, and the file must not refer to other files.
//! `add_clips` stores clips without placing them in the repertoire. `set_avatar` stores an avatar and records the
//! change of the manifest. A file with the same name and bytes is not stored again; with other bytes, it gets a number.

use super::avatar;
use super::cache::FileCache;
use super::entry::Entry;
use super::manifest::Change;
use super::names;
use super::view::{AVATARS, ENDINGS, clips_of_file, info};
use crate::character::clips::FileClips;
use crate::disk;
use crate::imported::{Contents, ImportedFile, Origin};
use std::path::{Path, PathBuf};
use vivant_io::json::protocol::api;
use vivant_io::scene::Kind as FileKind;
use vivant_io::{Error, ErrorKind, Result};

/// Maximum size of an upload in bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// Maximum number of files of one character.
const MAX_FILES: usize = 10_000;
const CLIPS: &str = "clips/";

impl Entry {
    pub(super) fn add_clips(&self, name: &str, bytes: Vec<u8>, cache: &FileCache) -> Result<api::Uploaded> {
        let mut material = read(name, bytes, CLIPS)?;
        material.require_clips().map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        let warnings = material.take_warnings();
        let name = names::safe(name, &endings(&material, &ENDINGS));
        self.with(|open| {
            check_file_count(open.files().count())?;
            let relative = self.store(CLIPS, &name, &material.file().bytes)?;
            let clips = std::mem::take(&mut material.clips);
            let read = Ok(FileClips::of(&relative, clips, warnings.clone()));
            cache.store(&self.folder.join(&relative), read.clone());
            let clips = clips_of_file(&relative, &read);
            let infos =
                clips.iter().map(|(name, clip)| info(name, clip.as_deref().map_err(String::clone), None));
            let warnings = warnings.iter().map(ToString::to_string).collect();
            Ok(api::Uploaded { clips: infos.collect(), warnings })
        })
    }

    pub(super) fn set_avatar(&self, name: &str, bytes: Vec<u8>, cache: &FileCache) -> Result<api::Character> {
        let material = read(name, bytes, AVATARS)?;
        avatar::check_avatar(&material).map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        let name = names::safe(name, &endings(&material, &["vrm", "glb", "gltf", "fbx"]));
        self.with(|open| {
            check_file_count(open.files().count())?;
            let mut state = open.history.present().clone();
            let relative = self.store(AVATARS, &name, &material.file().bytes)?;
            state.change(Change { avatar: Some(&relative), ..Change::default() })?;
            open.record(&format!("new avatar: {name}"), state)?;
            Ok(open.character(self, cache))
        })
    }

    /// Writes a file under a free name, or finds an existing file with the same bytes. Returns the name of the file.
    fn store(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<String> {
        let path = self.folder.join(folder);
        std::fs::create_dir_all(&path)
            .map_err(|error| Error::new(format!("{}: cannot create: {error}", path.display())))?;
        for number in 1..=MAX_FILES {
            let numbered = names::numbered(name, number);
            let path = path.join(&numbered);
            if !path.exists() {
                disk::write(&path, bytes)?;
                return Ok(format!("{folder}{numbered}"));
            }
            if has_bytes(&path, bytes) {
                return Ok(format!("{folder}{numbered}"));
            }
        }
        Err(Error::of(
            ErrorKind::TooLarge,
            format!("{name}: there are already {MAX_FILES} other files with this name; rename this one"),
        ))
    }
}

fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    let is_as_long = path.metadata().is_ok_and(|about| about.len() == bytes.len() as u64);
    is_as_long && disk::read(path).is_ok_and(|there| there == bytes)
}

fn check_file_count(files: usize) -> Result<()> {
    if files < MAX_FILES {
        return Ok(());
    }
    let message = format!("this character has {files} files, and the limit is {MAX_FILES}; remove some");
    Err(Error::of(ErrorKind::TooLarge, message))
}

/// Reads an uploaded file. The file must not refer to other files.
fn read(name: &str, bytes: Vec<u8>, folder: &str) -> Result<ImportedFile> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let shown = vivant_io::json::words::short(name.rsplit(['/', '\\']).next().unwrap_or_default());
    let mut no_other_files = |other: &str| {
        let message =
            "refers to another file, but only one was uploaded; save it as .glb, which contains everything";
        Err(vivant_io::Error::at(vivant_io::json::words::short(other), message))
    };
    let import = vivant_io::import(&shown, &bytes, &mut no_other_files);
    let mut import = import.map_err(|error| error.of_kind(ErrorKind::Invalid))?;
    let (clips, warnings) = (std::mem::take(&mut import.clips), std::mem::take(&mut import.warnings));
    let path = PathBuf::from(folder).join(&shown);
    Ok(ImportedFile {
        name: shown,
        origin: Origin::File(Box::new(Contents { path, bytes, import })),
        clips,
        warnings,
    })
}

/// The error for an upload that exceeds the limit.
#[must_use]
pub fn too_large() -> Error {
    let message = format!("this file is larger than the limit of {} MiB; use a smaller one", MAX_BYTES >> 20);
    Error::of(ErrorKind::TooLarge, message)
}

/// Returns the extensions that fit the contents of a file, the most common extension first.
fn endings<'a>(material: &ImportedFile, known: &[&'a str]) -> Vec<&'a str> {
    let file = material.file();
    let fitting: &[&str] = match file.import.source.kind {
        FileKind::Vrm0 | FileKind::Vrm1 => &["vrm", "glb"],
        FileKind::Vrma => &["vrma", "glb"],
        FileKind::Gltf if file.bytes.starts_with(b"glTF") => &["glb", "vrma"],
        FileKind::Gltf => &["gltf"],
        FileKind::Fbx => &["fbx"],
        FileKind::Bvh => &["bvh"],
    };
    fitting.iter().filter_map(|ending| known.iter().find(|k| *k == ending).copied()).collect()
}
