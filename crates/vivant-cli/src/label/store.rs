//! The labels: in memory, and in their file.
//!
//! Every change is a whole file that takes the place of the one before. Who changed an older state than the one that
//! is kept (a second window, an editor) is told so, and loses nothing.

use crate::fault::{Fault, Kind, Result};
use crate::files;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vivant_learn::film::labels::{self, Labels};

/// Labels and how often they were changed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Kept {
    pub(super) revision: u64,
    pub(super) labels: Labels,
}

#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    /// How many frames the film has.
    frames: usize,
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    kept: Kept,
    /// What is in the file, as far as we know; `None` before the first label.
    file: Option<Vec<u8>>,
}

impl Store {
    /// The labels of a film, from their file if there is one.
    ///
    /// # Errors
    /// If what is there are no labels, or those of another film.
    pub(super) fn open(path: PathBuf, empty: Labels, frames: usize) -> Result<Self> {
        let kept = Kept { revision: 1, labels: empty };
        let store = Self { path, frames, inside: Mutex::new(Inside { kept, file: None }) };
        store.refresh(&mut store.lock())?;
        Ok(store)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The labels as they are now, also if someone edited the file.
    pub(super) fn get(&self) -> Result<Kept> {
        let mut inside = self.lock();
        self.refresh(&mut inside)?;
        Ok(inside.kept.clone())
    }

    /// Keeps labels that were made from a revision; gives the new one.
    pub(super) fn put(&self, revision: u64, labels: Labels) -> Result<u64> {
        let mut inside = self.lock();
        self.check(&labels, &inside.kept.labels)?;
        self.refresh(&mut inside)?;
        if inside.kept.revision != revision {
            let message = "the labels were changed elsewhere meanwhile, in another window or in their file; \
                           reload this page to go on with them";
            return Err(Fault::of(Kind::Stale, message));
        }
        let bytes = labels.to_json().into_bytes();
        files::write(&self.path, &bytes)?;
        *inside = Inside { kept: Kept { revision: revision + 1, labels }, file: Some(bytes) };
        Ok(revision + 1)
    }

    fn check(&self, labels: &Labels, known: &Labels) -> Result<()> {
        labels
            .fits(known.width, known.height, Some(self.frames))
            .map_err(|error| Fault::of(Kind::Wrong, error.to_string()))
    }

    /// Takes over what is in the file if it is not what we wrote.
    fn refresh(&self, inside: &mut Inside) -> Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        let bytes = files::read(&self.path)?;
        if inside.file.as_ref() == Some(&bytes) {
            return Ok(());
        }
        let name = self.path.display().to_string();
        let labels = labels::read(&name, &bytes).map_err(|error| Fault::new(error.to_string()))?;
        self.check(&labels, &inside.kept.labels).map_err(|fault| Fault::new(format!("{name}: {fault}")))?;
        *inside = Inside { kept: Kept { revision: inside.kept.revision + 1, labels }, file: Some(bytes) };
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
