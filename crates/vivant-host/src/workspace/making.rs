//! New characters: empty, or a copy of another one.

use super::fixed::Fixed;
use super::manifest::{Change, edited};
use super::{Whom, Workspace, names};
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
    /// Makes a character. Its folder is there as a whole or not at all.
    ///
    /// # Errors
    /// If the name is empty, the original does not exist, or a file cannot be written.
    pub fn create(&self, new: &api::NewCharacter) -> Result<api::Character> {
        let _one = self.making.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let from = new.from.as_deref().map(|id| self.whom(id)).transpose()?;
        let slug = names::unique(&names::slug(&new.name), |id| {
            super::is_taken(id, &self.lock()) || self.home.join(id).exists()
        });
        let folder = self.home.join(&slug);
        let growing = self.home.join(format!(".{slug}.{}.new", std::process::id()));
        let made = fill(&growing, from.as_ref(), &new.name);
        let made = made.and_then(|()| fs::rename(&growing, &folder).map_err(|e| cannot(&folder, &e)));
        if let Err(fault) = made {
            // The first error is the one to tell.
            let _ = fs::remove_dir_all(&growing);
            return Err(fault);
        }
        let all = self.look();
        let entry = all.values().find(|entry| entry.folder == folder);
        let entry = entry.ok_or_else(|| Error::new(format!("{}: was taken away", folder.display())))?;
        entry.character(&self.shelf)
    }
}

fn fill(folder: &Path, from: Option<&Whom<'_>>, name: &str) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    match from {
        None => put(folder, name, BUILT_IN, &Repertoire::default()),
        Some(Whom::Fixed(fixed)) => copy_fixed(folder, fixed, name),
        Some(Whom::Folder(entry)) => copy_folder(folder, &entry.folder, name),
    }
}

/// The two texts of a new character.
fn put(folder: &Path, name: &str, avatar: &str, repertoire: &Repertoire) -> Result<()> {
    let text = edited("version = 1\n", Change { name: Some(name), avatar: Some(avatar), temperament: None })
        .map_err(|error| error.of_kind(ErrorKind::Invalid))?;
    disk::write(&folder.join(REPERTOIRE), json::repertoire::write(repertoire).as_bytes())?;
    disk::write(&folder.join(MANIFEST), text.as_bytes())
}

/// The avatar and the clips come along; what is built in is only named.
fn copy_fixed(folder: &Path, fixed: &Fixed, name: &str) -> Result<()> {
    let mut avatar = BUILT_IN.to_owned();
    if !fixed.avatar().material.is_built_in() {
        let file = fixed.avatar().material.file();
        let own = file.path.file_name().unwrap_or_default().to_string_lossy();
        avatar = format!("{}{}", super::view::AVATARS, names::plain(&own, &[ending(&own)]));
        write(&folder.join(&avatar), &file.bytes)?;
    }
    for path in fixed.files.iter().filter(|path| path.as_os_str() != BUILT_IN) {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let own = names::plain(&own, &[ending(&own)]);
        let free =
            (1..).map(|n| folder.join("clips").join(names::numbered(&own, n))).find(|path| !path.exists());
        write(&free.unwrap_or_default(), &disk::read(path)?)?;
    }
    let repertoire = fixed.view().repertoire.clone();
    debug_assert!(named_clips(&repertoire).iter().all(|(clip, _)| clip.starts_with(BUILT_IN)));
    put(folder, name, &avatar, &repertoire)
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Everything but what is hidden, which its history is.
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
    Error::new(format!("{}: cannot be made: {error}", path.display()))
}
