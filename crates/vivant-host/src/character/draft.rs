//! A partly readable character. A user who fixes errors needs to see all of them, so one error must not hide the
//! others.
//!
//! [`Character::load`](super::Character::load) stops if a file is invalid, which is right for a performance. Editors
//! and checks need the other files anyway. A [`Draft`] has all files that can be read, and lists the errors of the
//! others.

use super::clips::{Clips, FoundClips, Progress};
use super::{
    BUILT_IN, Character, MANIFEST, REPERTOIRE, avatar, behaviour, clips, file, folder, folder_name, learned,
    manifest,
};
use crate::Avatar;
use crate::files::{Files, Folder};
use std::path::{Path, PathBuf};
use vivant::body::repertoire::Repertoire;
use vivant_io::character::Manifest;
use vivant_io::{Error, ErrorKind, Result, Warning, json};

/// The readable parts of a character, and the errors of the rest.
pub struct Draft {
    /// The name of the character, from the manifest or the folder.
    pub name: String,
    /// The folder of the character; empty for the built-in character.
    pub folder: PathBuf,
    /// The path of the repertoire file; only a name for the built-in character.
    pub file: PathBuf,
    /// The avatar. If the character's avatar cannot be read, this is the built-in avatar.
    pub avatar: Avatar,
    /// The repertoire, if the file can be read.
    pub repertoire: Option<Repertoire>,
    /// The clips that can be read, by their references in the repertoire.
    pub clips: Clips,
    /// The errors in the repertoire file: the path in the document, if known, and the message.
    pub unread: Vec<(String, String)>,
    /// For each missing clip: the first path that names it, and the error message.
    pub missing: Vec<(String, String)>,
    /// Errors in files other than the repertoire, each with the kind of file.
    pub other_errors: Vec<(&'static str, Error)>,
    /// Warnings about data that was dropped or guessed.
    pub warnings: Vec<Warning>,
}

impl Draft {
    /// Reads a character: a folder, its `character.toml`, or `builtin`.
    ///
    /// # Errors
    /// If there is no such folder, or it has no repertoire.
    pub fn read(path: &Path, progress: Progress<'_>) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        let folder = folder(path)?;
        let files = Folder::new(&folder);
        let mut draft = Self::empty(&folder);
        let manifest = manifest(&files).unwrap_or_else(|error| draft.note("character.toml", error));
        draft.name = manifest.name.clone().unwrap_or_else(|| folder_name(&folder));
        match avatar(&files, &manifest, &mut draft.warnings) {
            Ok(avatar) => draft.avatar = avatar,
            Err(error) => draft.other_errors.push(("avatar", error)),
        }
        draft.other_errors.extend(behaviour(&files, &manifest).err().map(|error| ("behaviour", error)));
        draft.other_errors.extend(learned(&files, &manifest).err().map(|error| ("eye models", error)));
        draft.read_repertoire(&files, &manifest, progress)?;
        Ok(draft)
    }

    /// Reads a character, or starts an empty one if there is none yet.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and for the built-in character, which is read-only.
    pub fn read_or_new(path: &Path, progress: Progress<'_>) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            let message = "the built-in character is read-only; choose a folder of your own";
            return Err(Error::of(ErrorKind::ReadOnly, message));
        }
        if path.is_file() || path.join(REPERTOIRE).exists() {
            return Self::read(path, progress);
        }
        let files = Folder::new(path);
        let named = match manifest(&files) {
            Err(error) if path.join(MANIFEST).exists() => return Err(error),
            Err(_) => Manifest::default(),
            Ok(manifest) if manifest.repertoire.is_some() => return Self::read(path, progress),
            Ok(manifest) => manifest,
        };
        let mut new = Self { repertoire: Some(Repertoire::default()), ..Self::empty(path) };
        new.name = named.name.clone().unwrap_or_else(|| folder_name(path));
        new.avatar = avatar(&files, &named, &mut new.warnings)?;
        Ok(new)
    }

    fn built_in() -> Self {
        let Character { name, motions, .. } = Character::built_in();
        Self {
            name,
            file: BUILT_IN.into(),
            repertoire: motions.repertoire().cloned(),
            clips: motions.clips().cloned().unwrap_or_default(),
            ..Self::empty(Path::new(""))
        }
    }

    fn empty(folder: &Path) -> Self {
        Self {
            name: String::new(),
            folder: folder.to_owned(),
            file: folder.join(REPERTOIRE),
            avatar: Avatar::built_in(),
            repertoire: None,
            clips: Clips::new(),
            unread: Vec::new(),
            missing: Vec::new(),
            other_errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Records an error in a file other than the repertoire, and returns the default value.
    fn note<T: Default>(&mut self, what: &'static str, error: Error) -> T {
        self.other_errors.push((what, error));
        T::default()
    }

    fn read_repertoire(&mut self, files: &Folder, manifest: &Manifest, progress: Progress<'_>) -> Result<()> {
        let name = file(files, "repertoire", manifest.repertoire.as_deref().unwrap_or(REPERTOIRE))?;
        self.file = files.path(&name);
        match json::repertoire::read(&files.read(&name)?) {
            Err(error) => self.note_unread(&error),
            Ok(repertoire) => {
                let reader = &mut |name: &str| clips::read(files, name);
                let FoundClips { clips, missing } =
                    clips::gather(files, &repertoire, reader, progress, &mut self.warnings);
                (self.clips, self.missing, self.repertoire) = (clips, missing, Some(repertoire));
            }
        }
        Ok(())
    }

    fn note_unread(&mut self, error: &Error) {
        let shown = error.each();
        self.unread = shown
            .map(|(place, message)| (place.unwrap_or_default().to_owned(), message.to_owned()))
            .collect();
        let omitted = error.count() - self.unread.len();
        if omitted > 0 {
            self.unread.push((String::new(), format!("and {omitted} more errors")));
        }
    }
}
