//! A character in a folder, which can be changed.

use super::Ready;
use super::history::{FOLDER, History, State};
use super::manifest::{Change, edited};
use super::shelf::Shelf;
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

/// A folder, and what is known of it.
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) folder: PathBuf,
    /// Whoever changes it holds this until the change is on the disk.
    open: Mutex<Option<Open>>,
}

/// A folder that has been read.
pub(super) struct Open {
    pub(super) history: History,
    files: Files,
    view: Option<Arc<View>>,
    /// The last one, of which mostly much is the same in the next one.
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

    /// Does something with the folder as it is now. After a failure it is read anew, for nobody knows how far
    /// things went.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
        let mut guard = self.lock();
        let mut open = match guard.take() {
            Some(open) => open.renewed(&self.folder)?,
            None => Open::new(&self.folder)?,
        };
        let done = work(&mut open);
        let is_broken = done.as_ref().is_err_and(|fault| fault.kind() == ErrorKind::Failed);
        *guard = (!is_broken).then_some(open);
        done
    }

    pub(super) fn view(&self, shelf: &Shelf) -> Result<(Arc<View>, u64)> {
        self.with(|open| Ok((open.view(self, shelf), open.history.revision())))
    }

    pub(super) fn ready(&self, shelf: &Shelf) -> Result<Arc<Ready>> {
        self.with(|open| {
            let (view, revision) = (open.view(self, shelf), open.history.revision());
            let ready = open.ready.get_or_insert_with(|| Arc::new(view.ready(&self.id, revision)));
            Ok(Arc::clone(ready))
        })
    }

    pub(super) fn character(&self, shelf: &Shelf) -> Result<api::Character> {
        self.with(|open| Ok(open.character(self, shelf)))
    }

    pub(super) fn edit(&self, edit: &api::Edit, shelf: &Shelf) -> Result<api::Character> {
        self.with(|open| {
            open.must_be(edit.revision)?;
            let mut state = open.history.present().clone();
            if let Some(repertoire) = &edit.repertoire {
                state.set_repertoire(repertoire)?;
            }
            let change =
                Change { name: edit.name.as_deref(), avatar: None, temperament: edit.temperament.as_ref() };
            state.change(change)?;
            open.record(&edit.what, state)?;
            Ok(open.character(self, shelf))
        })
    }

    pub(super) fn travel(&self, back: bool, shelf: &Shelf) -> Result<api::Character> {
        self.with(|open| {
            if back {
                open.history.undo()?
            } else {
                open.history.redo()?
            };
            open.forget();
            Ok(open.character(self, shelf))
        })
    }

    /// What there is without a look at the clips.
    pub(super) fn summary(&self) -> api::CharacterSummary {
        let state = State::read(&self.folder).unwrap_or_default();
        let manifest = state.read_manifest();
        let repertoire = state.repertoire.and_then(|text| json::repertoire::read(text.as_bytes()).ok());
        let name = manifest.name.unwrap_or_else(|| crate::character::called(&self.folder));
        summary(&self.id, &name, false, &repertoire.unwrap_or_default())
    }

    /// When it was last changed.
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

    /// With what changed outside.
    fn renewed(mut self, folder: &Path) -> Result<Self> {
        let is_other = self.history.notice(State::read(folder)?)?;
        let files = Files::of(folder);
        if is_other || files != self.files {
            self.files = files;
            self.forget();
        }
        Ok(self)
    }

    fn forget(&mut self) {
        (self.view, self.ready) = (None, None);
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Makes a change, unless it changes nothing.
    pub(super) fn record(&mut self, what: &str, state: State) -> Result<()> {
        if state != *self.history.present() {
            self.history.record(what, state)?;
            self.forget();
        }
        Ok(())
    }

    /// # Errors
    /// If somebody changed it meanwhile.
    pub(super) fn must_be(&self, revision: u64) -> Result<()> {
        let newest = self.history.revision();
        if revision == newest {
            return Ok(());
        }
        let last = self.history.undo_label().unwrap_or("changed elsewhere");
        let message = format!(
            "this character has changed meanwhile (“{last}”): it is at revision {newest}, and this is a \
             change of {revision}; load it again"
        );
        Err(Error::of(ErrorKind::Conflict, message))
    }

    pub(super) fn view(&mut self, entry: &Entry, shelf: &Shelf) -> Arc<View> {
        if let Some(view) = &self.view {
            return Arc::clone(view);
        }
        let state = self.history.present();
        let view = Arc::new(View::of(&entry.folder, state, &self.files, shelf, self.before.as_deref()));
        self.before = Some(Arc::clone(&view));
        self.view = Some(Arc::clone(&view));
        view
    }

    pub(super) fn character(&mut self, entry: &Entry, shelf: &Shelf) -> api::Character {
        let view = self.view(entry, shelf);
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

    /// Changes the repertoire; if it is the same, its text stays as people laid it out.
    ///
    /// # Errors
    /// If the text that is there cannot be read, and would be lost; or the new one could not.
    pub(super) fn set_repertoire(&mut self, repertoire: &Repertoire) -> Result<()> {
        let there = self.repertoire.as_ref().map(|text| json::repertoire::read(text.as_bytes())).transpose();
        let lost = |error: vivant_io::Error| {
            let message = "cannot be read, and would be lost; undo what was done to it, or mend it:";
            Error::of(ErrorKind::Invalid, format!("{REPERTOIRE}: {message} {error}"))
        };
        if there.map_err(lost)?.as_ref() != Some(repertoire) {
            self.repertoire = Some(written(repertoire)?);
        }
        Ok(())
    }

    /// Changes the manifest, if that changes anything.
    pub(super) fn change(&mut self, change: Change<'_>) -> Result<()> {
        if change == Change::default() {
            return Ok(());
        }
        let text = self.manifest.as_deref().unwrap_or("version = 1\n");
        let wrong =
            |error: vivant_io::Error| Error::of(ErrorKind::Invalid, error.in_file(MANIFEST).to_string());
        self.manifest = Some(edited(text, change).map_err(wrong)?);
        Ok(())
    }
}

/// A repertoire as text, if it can be read again.
fn written(repertoire: &Repertoire) -> Result<String> {
    let text = json::repertoire::write(repertoire);
    let again = json::repertoire::read(text.as_bytes());
    again.map_err(|error| error.of_kind(ErrorKind::Invalid))?;
    Ok(text)
}

/// What can be said of everybody. Whoever has no folder cannot be changed.
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
