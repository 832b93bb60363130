//! A character as far as it can be read: one error must not hide the others from the person who fixes them.

use super::clips::{Clips, FoundClips, Progress};
use super::{
    BUILT_IN, Character, MANIFEST, REPERTOIRE, avatar, behaviour, called, clips, file, folder, learned,
    manifest,
};
use crate::Avatar;
use crate::files::{Files, Folder};
use std::path::{Path, PathBuf};
use vivant::body::repertoire::Repertoire;
use vivant_io::character::Manifest;
use vivant_io::{Error, ErrorKind, Result, Warning, json};

/// What could be read of a character, and what could not.
pub struct Draft {
    /// Its name, from its manifest or its folder.
    pub name: String,
    /// Its folder; empty if it is built in.
    pub folder: PathBuf,
    /// The repertoire's file; for the built-in character only a name.
    pub file: PathBuf,
    /// Its avatar; the built-in one where its own cannot be read.
    pub avatar: Avatar,
    /// What it can do, if that can be read.
    pub repertoire: Option<Repertoire>,
    /// The clips that can be read, by how the repertoire spells them.
    pub clips: Clips,
    /// The errors in the repertoire's text: the path, if there is one, and the message.
    pub unread: Vec<(String, String)>,
    /// The first place that names a clip that cannot be had, and why it cannot.
    pub missing: Vec<(String, String)>,
    /// The errors of the other files, and which file each is.
    pub beside: Vec<(&'static str, Error)>,
    /// What was dropped or guessed.
    pub warnings: Vec<Warning>,
}

impl Draft {
    /// Reads a character: a folder, its `character.toml`, or `builtin`.
    ///
    /// # Errors
    /// If there is no such folder, or no repertoire in it.
    pub fn read(path: &Path, progress: Progress<'_>) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        let folder = folder(path)?;
        let files = Folder::new(&folder);
        let mut draft = Self::empty(&folder);
        let manifest = manifest(&files).unwrap_or_else(|error| draft.note("character.toml", error));
        draft.name = manifest.name.clone().unwrap_or_else(|| called(&folder));
        match avatar(&files, &manifest, &mut draft.warnings) {
            Ok(avatar) => draft.avatar = avatar,
            Err(error) => draft.beside.push(("avatar", error)),
        }
        draft.beside.extend(behaviour(&files, &manifest).err().map(|error| ("behaviour", error)));
        draft.beside.extend(learned(&files, &manifest).err().map(|error| ("learned eyes", error)));
        draft.read_repertoire(&files, &manifest, progress)?;
        Ok(draft)
    }

    /// Reads a character, or starts an empty one where there is none yet.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and for the built-in character, which cannot be changed.
    pub fn read_or_new(path: &Path, progress: Progress<'_>) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            let message = "the built-in character cannot be changed; name a folder of your own";
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
        new.name = named.name.clone().unwrap_or_else(|| called(path));
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
            beside: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Notes an error of another file, and goes on with the default.
    fn note<T: Default>(&mut self, what: &'static str, error: Error) -> T {
        self.beside.push((what, error));
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
        let untold = error.count() - self.unread.len();
        if untold > 0 {
            self.unread.push((String::new(), format!("and {untold} more like these")));
        }
    }
}
