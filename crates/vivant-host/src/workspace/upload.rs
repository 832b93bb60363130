//! Files that come from elsewhere: read and judged before they are kept.

use super::avatar;
use super::entry::Entry;
use super::manifest::Change;
use super::names;
use super::shelf::Shelf;
use super::view::{AVATARS, ENDINGS, info, spelled};
use crate::character::clips::FileClips;
use crate::disk;
use crate::imported::{Contents, ImportedFile, Origin};
use std::path::{Path, PathBuf};
use vivant_io::json::protocol::api;
use vivant_io::scene::Kind as FileKind;
use vivant_io::{Error, ErrorKind, Result};

/// The largest file that is taken, in bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// The most files of one character.
const MAX_FILES: usize = 10_000;
const CLIPS: &str = "clips/";

impl Entry {
    pub(super) fn add_clips(&self, name: &str, bytes: Vec<u8>, shelf: &Shelf) -> Result<api::Uploaded> {
        let mut material = read(name, bytes, CLIPS)?;
        material.require_clips().map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        let warnings = material.take_warnings();
        let name = names::plain(name, &endings(&material, &ENDINGS));
        self.with(|open| {
            has_room(open.files().count())?;
            let relative = self.keep(CLIPS, &name, &material.file().bytes)?;
            let clips = std::mem::take(&mut material.clips);
            let read = Ok(FileClips::of(&relative, clips, warnings.clone()));
            shelf.keep(&self.folder.join(&relative), read.clone());
            let clips = spelled(&relative, &read);
            let infos =
                clips.iter().map(|(name, clip)| info(name, clip.as_deref().map_err(String::clone), None));
            let warnings = warnings.iter().map(ToString::to_string).collect();
            Ok(api::Uploaded { clips: infos.collect(), warnings })
        })
    }

    pub(super) fn set_avatar(&self, name: &str, bytes: Vec<u8>, shelf: &Shelf) -> Result<api::Character> {
        let material = read(name, bytes, AVATARS)?;
        avatar::judged(&material).map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        let name = names::plain(name, &endings(&material, &["vrm", "glb", "gltf", "fbx"]));
        self.with(|open| {
            has_room(open.files().count())?;
            let mut state = open.history.present().clone();
            let relative = self.keep(AVATARS, &name, &material.file().bytes)?;
            state.change(Change { avatar: Some(&relative), ..Change::default() })?;
            open.record(&format!("new avatar: {name}"), state)?;
            Ok(open.character(self, shelf))
        })
    }

    /// Writes a file under a name that is free, or finds the one that has the same bytes.
    fn keep(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<String> {
        let path = self.folder.join(folder);
        std::fs::create_dir_all(&path)
            .map_err(|error| Error::new(format!("{}: cannot be made: {error}", path.display())))?;
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
        Err(Error::of(ErrorKind::TooLarge, format!("{name}: there are {MAX_FILES} other files of this name")))
    }
}

fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    let is_as_long = path.metadata().is_ok_and(|about| about.len() == bytes.len() as u64);
    is_as_long && disk::read(path).is_ok_and(|there| there == bytes)
}

fn has_room(files: usize) -> Result<()> {
    if files < MAX_FILES {
        return Ok(());
    }
    let message =
        format!("this character has {files} files, and at most {MAX_FILES} are kept; take some away");
    Err(Error::of(ErrorKind::TooLarge, message))
}

/// Reads what was sent; all of it must be in one file.
fn read(name: &str, bytes: Vec<u8>, folder: &str) -> Result<ImportedFile> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let shown = vivant_io::json::words::short(name.rsplit(['/', '\\']).next().unwrap_or_default());
    let mut alone = |other: &str| {
        let message = "it is in another file, and only one was sent; save it as .glb, which has all in one";
        Err(vivant_io::Error::at(vivant_io::json::words::short(other), message))
    };
    let import = vivant_io::import(&shown, &bytes, &mut alone);
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

/// What is told to who sends too much.
#[must_use]
pub fn too_large() -> Error {
    let message =
        format!("this file is larger than {} MiB, which is the most that is taken", MAX_BYTES >> 20);
    Error::of(ErrorKind::TooLarge, message)
}

/// The endings that fit a file's bytes, the usual one first; none but these is written.
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
