//! An editable character in a folder.
//!
//! Users also edit the files of a character in other programs. Every access goes through `Entry::with`, which locks the
//! character, records changes that were made outside as a step of the history, and drops the cached [`View`] if a file
//! has changed. An edit names the revision on which it is based and is rejected if there is a newer one, so two editors
//! cannot overwrite each other's changes. After a failed write, the folder is read again.

use super::Ready;
use super::cache::FileCache;
use super::history::{FOLDER, History, State};
use super::manifest::{Change, edited};
use super::view::{Files, View};
use crate::character::{MANIFEST, REPERTOIRE};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use vivant::body::repertoire::Repertoire;
use vivant_io::character::Manifest;
use vivant_io::json;
use vivant_io::json::protocol::api;
use vivant_io::{Error, ErrorKind, Result};

/// The folder of a character, and its cached contents.
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) folder: PathBuf,
    /// Locked during a change, until the change is on disk.
    open: Mutex<Option<Open>>,
}

/// A folder that has been read.
pub(super) struct Open {
    pub(super) history: History,
    files: Files,
    view: Option<Arc<View>>,
    /// The previous view. The next view can usually reuse most of it.
    before: Option<Arc<View>>,
    ready: Option<Arc<Ready>>,
}

impl Entry {
    pub(super) fn new(id: String, folder: PathBuf) -> Self {
        Self { id, folder, open: Mutex::new(None) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the current contents of the folder. After an error the folder is read again, since the
    /// change may be incomplete.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
        let mut guard = self.lock();
        let mut open = match guard.take() {
            Some(open) => open.refreshed(&self.folder)?,
            None => Open::new(&self.folder)?,
        };
        let done = work(&mut open);
        let is_broken = done.as_ref().is_err_and(|fault| fault.kind() == ErrorKind::Failed);
        *guard = (!is_broken).then_some(open);
        done
    }

    pub(super) fn view(&self, cache: &FileCache) -> Result<(Arc<View>, u64)> {
        self.with(|open| Ok((open.view(self, cache), open.history.revision())))
    }

    pub(super) fn ready(&self, cache: &FileCache) -> Result<Arc<Ready>> {
        self.with(|open| {
            let (view, revision) = (open.view(self, cache), open.history.revision());
            let ready = open.ready.get_or_insert_with(|| Arc::new(view.ready(&self.id, revision)));
            Ok(Arc::clone(ready))
        })
    }

    pub(super) fn character(&self, cache: &FileCache) -> Result<api::Character> {
        self.with(|open| Ok(open.character(self, cache)))
    }

    pub(super) fn edit(&self, edit: &api::Edit, cache: &FileCache) -> Result<api::Character> {
        self.with(|open| {
            open.check_revision(edit.revision)?;
            let mut state = open.history.present().clone();
            if let Some(repertoire) = &edit.repertoire {
                state.set_repertoire(repertoire)?;
            }
            let change =
                Change { name: edit.name.as_deref(), avatar: None, temperament: edit.temperament.as_ref() };
            state.change(change)?;
            open.record(&edit.what, state)?;
            Ok(open.character(self, cache))
        })
    }

    pub(super) fn undo_or_redo(&self, back: bool, cache: &FileCache) -> Result<api::Character> {
        self.with(|open| {
            if back {
                open.history.undo()?
            } else {
                open.history.redo()?
            };
            open.clear_cache();
            Ok(open.character(self, cache))
        })
    }

    /// Returns a summary without reading the clips.
    pub(super) fn summary(&self) -> api::CharacterSummary {
        let state = State::read(&self.folder).unwrap_or_default();
        let manifest = state.read_manifest();
        let repertoire = state.repertoire.and_then(|text| json::repertoire::read(text.as_bytes()).ok());
        let name = manifest.name.unwrap_or_else(|| crate::character::folder_name(&self.folder));
        summary(&self.id, &name, false, &repertoire.unwrap_or_default())
    }

    /// Returns the time of the last change.
    pub(super) fn edited(&self) -> Option<SystemTime> {
        let files = [MANIFEST, crate::character::REPERTOIRE].map(|name| self.folder.join(name));
        let head = self.folder.join(FOLDER).join("head");
        let times = files.iter().chain([&head]).filter_map(|path| path.metadata().ok()?.modified().ok());
        times.max()
    }
}

impl Open {
    fn new(folder: &Path) -> Result<Self> {
        let history = History::open(folder)?;
        Ok(Self { history, files: Files::of(folder), view: None, before: None, ready: None })
    }

    /// Records changes that were made outside the workspace, and clears the cache if there are any.
    fn refreshed(mut self, folder: &Path) -> Result<Self> {
        let has_changed = self.history.record_outside_change(State::read(folder)?)?;
        let files = Files::of(folder);
        if has_changed || files != self.files {
            self.files = files;
            self.clear_cache();
        }
        Ok(self)
    }

    fn clear_cache(&mut self) {
        (self.view, self.ready) = (None, None);
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Records a change, unless the new state equals the current state.
    pub(super) fn record(&mut self, what: &str, state: State) -> Result<()> {
        if state != *self.history.present() {
            self.history.record(what, state)?;
            self.clear_cache();
        }
        Ok(())
    }

    /// Checks that `revision` is the latest revision.
    ///
    /// # Errors
    /// If the character was changed in the meantime.
    pub(super) fn check_revision(&self, revision: u64) -> Result<()> {
        let newest = self.history.revision();
        if revision == newest {
            return Ok(());
        }
        let last = self.history.undo_label().unwrap_or("changed outside");
        let message = format!(
            "the character was changed in the meantime (“{last}”): it is at revision {newest}, but this change is based \
             on revision {revision}; load it again"
        );
        Err(Error::of(ErrorKind::Conflict, message))
    }

    pub(super) fn view(&mut self, entry: &Entry, cache: &FileCache) -> Arc<View> {
        if let Some(view) = &self.view {
            return Arc::clone(view);
        }
        let state = self.history.present();
        let view = Arc::new(View::of(&entry.folder, state, &self.files, cache, self.before.as_deref()));
        self.before = Some(Arc::clone(&view));
        self.view = Some(Arc::clone(&view));
        view
    }

    pub(super) fn character(&mut self, entry: &Entry, cache: &FileCache) -> api::Character {
        let view = self.view(entry, cache);
        let folder = Some(entry.folder.display().to_string());
        let character = character(&entry.id, self.history.revision(), folder, &view);
        let label = |label: Option<&str>| label.map(str::to_owned);
        api::Character {
            read_only: false,
            undo: label(self.history.undo_label()),
            redo: label(self.history.redo_label()),
            ..character
        }
    }
}

impl State {
    fn read_manifest(&self) -> Manifest {
        let text = self.manifest.as_deref().unwrap_or_default();
        vivant_io::character::read(text.as_bytes()).unwrap_or_default()
    }

    /// Sets the repertoire. If the repertoire is unchanged, the text keeps its formatting.
    ///
    /// # Errors
    /// If the existing text cannot be read and would be overwritten, or the new repertoire would be invalid.
    pub(super) fn set_repertoire(&mut self, repertoire: &Repertoire) -> Result<()> {
        let there = self.repertoire.as_ref().map(|text| json::repertoire::read(text.as_bytes())).transpose();
        let lost = |error: vivant_io::Error| {
            let message =
                "cannot be read, so it is not overwritten; undo its last change, or fix this error:";
            Error::of(ErrorKind::Invalid, format!("{REPERTOIRE}: {message} {error}"))
        };
        if there.map_err(lost)?.as_ref() != Some(repertoire) {
            self.repertoire = Some(written(repertoire)?);
        }
        Ok(())
    }

    /// Changes the manifest. If no field differs, nothing is written.
    pub(super) fn change(&mut self, change: Change<'_>) -> Result<()> {
        if change == Change::default() {
            return Ok(());
        }
        let text = self.manifest.as_deref().unwrap_or("version = 1\n");
        let invalid =
            |error: vivant_io::Error| Error::of(ErrorKind::Invalid, error.in_file(MANIFEST).to_string());
        self.manifest = Some(edited(text, change).map_err(invalid)?);
        Ok(())
    }
}

/// Writes a repertoire as text and checks that it can be read back.
fn written(repertoire: &Repertoire) -> Result<String> {
    let text = json::repertoire::write(repertoire);
    let read_back = json::repertoire::read(text.as_bytes());
    read_back.map_err(|error| error.of_kind(ErrorKind::Invalid))?;
    Ok(text)
}

/// Describes a character as read-only and without undo. For a character in a folder, the caller changes these fields.
pub(super) fn character(id: &str, revision: u64, folder: Option<String>, view: &View) -> api::Character {
    api::Character {
        id: id.to_owned(),
        name: view.name.clone(),
        revision,
        read_only: true,
        folder,
        avatar: view.avatar.info(),
        temperament: view.bound.temperament,
        repertoire: view.repertoire.clone(),
        clips: view.infos.clone(),
        faults: view.faults.clone(),
        undo: None,
        redo: None,
    }
}

pub(super) fn summary(
    id: &str,
    name: &str,
    read_only: bool,
    repertoire: &Repertoire,
) -> api::CharacterSummary {
    let stances = &repertoire.stances;
    api::CharacterSummary {
        id: id.to_owned(),
        name: name.to_owned(),
        read_only,
        stances: stances.len(),
        actions: stances.iter().map(|s| s.gestures.len() + s.fidgets.len() + s.transitions.len()).sum(),
    }
}
