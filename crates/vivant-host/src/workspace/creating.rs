//! Creates characters, either empty or as a copy of another character.

use super::fixed::Fixed;
use super::manifest::{Change, edited};
use super::{CharacterRef, Workspace, names};
use crate::character::BUILT_IN;
use crate::character::{MANIFEST, REPERTOIRE};
use crate::clips::named as named_clips;
use crate::disk;
use std::fs;
use std::path::{Path, PathBuf};
use vivant::body::repertoire::Repertoire;
use vivant_io::json;
use vivant_io::json::protocol::api;
use vivant_io::{Error, ErrorKind, Result};

impl Workspace {
    /// Creates a character. Its folder is created atomically.
    ///
    /// # Errors
    /// If the name is empty, the character to copy does not exist, or a file cannot be written.
    pub fn create(&self, new: &api::NewCharacter) -> Result<api::Character> {
        let _one = self.creating.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let from = new.from.as_deref().map(|id| self.find(id)).transpose()?;
        let slug = names::unique(&names::slug(&new.name), |id| {
            super::is_taken(id, &self.lock()) || self.home.join(id).exists()
        });
        let folder = self.home.join(&slug);
        let temporary = self.home.join(format!(".{slug}.{}.new", std::process::id()));
        let created = fill(&temporary, from.as_ref(), &new.name);
        let created = created.and_then(|()| fs::rename(&temporary, &folder).map_err(|e| cannot(&folder, &e)));
        if let Err(fault) = created {
            // Report the original error, not an error of the clean-up.
            let _ = fs::remove_dir_all(&temporary);
            return Err(fault);
        }
        let all = self.scan();
        let entry = all.values().find(|entry| entry.folder == folder);
        let entry = entry.ok_or_else(|| {
            Error::new(format!("{}: the folder was removed; create the character again", folder.display()))
        })?;
        entry.character(&self.cache)
    }
}

fn fill(folder: &Path, from: Option<&CharacterRef<'_>>, name: &str) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    match from {
        None => write_texts(folder, name, BUILT_IN, &Repertoire::default()),
        Some(CharacterRef::Fixed(fixed)) => copy_fixed(folder, fixed, name),
        Some(CharacterRef::Folder(entry)) => copy_folder(folder, &entry.folder, name),
    }
}

/// Writes the two text files of a new character.
fn write_texts(folder: &Path, name: &str, avatar: &str, repertoire: &Repertoire) -> Result<()> {
    let text = edited("version = 1\n", Change { name: Some(name), avatar: Some(avatar), temperament: None })
        .map_err(|error| error.of_kind(ErrorKind::Invalid))?;
    disk::write(&folder.join(REPERTOIRE), json::repertoire::write(repertoire).as_bytes())?;
    disk::write(&folder.join(MANIFEST), text.as_bytes())
}

/// Copies the avatar and the clips. Built-in avatars and clips are not copied, only referenced.
fn copy_fixed(folder: &Path, fixed: &Fixed, name: &str) -> Result<()> {
    let mut avatar = BUILT_IN.to_owned();
    if !fixed.avatar().material.is_built_in() {
        let file = fixed.avatar().material.file();
        let own = file.path.file_name().unwrap_or_default().to_string_lossy();
        avatar = format!("{}{}", super::view::AVATARS, names::safe(&own, &[ending(&own)]));
        write(&folder.join(&avatar), &file.bytes)?;
    }
    for path in fixed.files.iter().filter(|path| path.as_os_str() != BUILT_IN) {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let own = names::safe(&own, &[ending(&own)]);
        let free =
            (1..).map(|n| folder.join("clips").join(names::numbered(&own, n))).find(|path| !path.exists());
        write(&free.unwrap_or_default(), &disk::read(path)?)?;
    }
    let repertoire = fixed.view().repertoire.clone();
    debug_assert!(named_clips(&repertoire).iter().all(|(clip, _)| clip.starts_with(BUILT_IN)));
    write_texts(folder, name, &avatar, &repertoire)
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Copies all files except hidden ones, such as the history.
fn copy_folder(folder: &Path, from: &Path, name: &str) -> Result<()> {
    let is_hidden = |name: &str| name.split('/').any(|part| part.starts_with('.'));
    for file in disk::all_below(from).into_iter().filter(|file| !is_hidden(file)) {
        write(&folder.join(&file), &disk::read(&from.join(&file))?)?;
    }
    let path = folder.join(MANIFEST);
    let text = if path.is_file() {
        String::from_utf8_lossy(&disk::read(&path)?).into_owned()
    } else {
        "version = 1\n".into()
    };
    let text = edited(&text, Change { name: Some(name), ..Change::default() });
    let text = text.map_err(|error| error.in_file(MANIFEST).of_kind(ErrorKind::Invalid))?;
    disk::write(&path, text.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder: PathBuf = path.parent().unwrap_or(Path::new("")).to_owned();
    fs::create_dir_all(&folder).map_err(|error| cannot(&folder, &error))?;
    disk::write(path, bytes)
}

fn cannot(path: &Path, error: &std::io::Error) -> Error {
    Error::new(format!("{}: cannot create: {error}; check the path and its permissions", path.display()))
}
