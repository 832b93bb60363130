//! Stores labels in memory and in their file.
//!
//! Every change replaces the whole file. A change that is based on an older revision is rejected, so that no change
//! is lost. For example, a second window or a text editor may have changed the labels in the meantime.

use crate::disk;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::film::labels::{self, Labels};

/// Labels and their revision.
#[derive(Clone, Debug, Serialize)]
pub struct StoredLabels {
    /// The revision number. It increases with every change.
    pub revision: u64,
    /// The labels.
    pub labels: Labels,
}

/// The labels of a film, in memory and in their file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// Number of frames in the film.
    frames: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    stored: StoredLabels,
    /// The last known contents of the file; `None` before the first label.
    file: Option<Vec<u8>>,
}

impl Store {
    /// Opens the labels of a film with the given number of frames. If the file does not exist, the labels are
    /// `empty`.
    ///
    /// # Errors
    /// If the file contains no labels, or the labels of another film.
    pub fn open(path: PathBuf, empty: Labels, frames: usize) -> Result<Self> {
        let stored = StoredLabels { revision: 1, labels: empty };
        let store = Self { path, frames, state: Mutex::new(State { stored, file: None }) };
        store.refresh(&mut store.lock())?;
        Ok(store)
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current labels. If the file was edited, these edits are included.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self) -> Result<StoredLabels> {
        let mut state = self.lock();
        self.refresh(&mut state)?;
        Ok(state.stored.clone())
    }

    /// Replaces the labels, if `revision` is still the current revision. Returns the number of the new revision.
    ///
    /// # Errors
    /// If the labels do not fit the film ([`ErrorKind::Invalid`]), there is a newer revision
    /// ([`ErrorKind::Conflict`]), or the file cannot be written.
    pub fn put(&self, revision: u64, labels: Labels) -> Result<u64> {
        let mut state = self.lock();
        self.check(&labels, &state.stored.labels)?;
        self.refresh(&mut state)?;
        if state.stored.revision != revision {
            let message = "the labels were changed in another window or program; reload the page to continue";
            return Err(Error::of(ErrorKind::Conflict, message));
        }
        let bytes = labels.to_json().into_bytes();
        disk::write(&self.path, &bytes)?;
        *state = State { stored: StoredLabels { revision: revision + 1, labels }, file: Some(bytes) };
        Ok(revision + 1)
    }

    fn check(&self, labels: &Labels, known: &Labels) -> Result<()> {
        labels
            .fits(known.width, known.height, Some(self.frames))
            .map_err(|error| Error::of(ErrorKind::Invalid, error.to_string()))
    }

    /// Reads the file again if its contents differ from the last known contents.
    fn refresh(&self, state: &mut State) -> Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        let bytes = disk::read(&self.path)?;
        if state.file.as_ref() == Some(&bytes) {
            return Ok(());
        }
        let name = self.path.display().to_string();
        let labels = labels::read(&name, &bytes).map_err(|error| Error::new(error.to_string()))?;
        self.check(&labels, &state.stored.labels).map_err(|fault| Error::new(format!("{name}: {fault}")))?;
        *state =
            State { stored: StoredLabels { revision: state.stored.revision + 1, labels }, file: Some(bytes) };
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
