//! The labels: in memory, and in their file.
//!
//! Every change replaces the whole file. A change to an older revision than the present one (from a second window, or
//! after an editor) is refused, so that nothing is lost.

use crate::disk;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::film::labels::{self, Labels};

/// Labels and their revision.
#[derive(Clone, Debug, Serialize)]
pub struct Kept {
    /// A number that grows with every change.
    pub revision: u64,
    /// The labels.
    pub labels: Labels,
}

/// The labels of a film, in memory and in their file.
#[derive(Debug)]
pub struct Store {
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
    /// Opens the labels of a film, from their file if there is one.
    ///
    /// # Errors
    /// If the file has no labels, or those of another film.
    pub fn open(path: PathBuf, empty: Labels, frames: usize) -> Result<Self> {
        let kept = Kept { revision: 1, labels: empty };
        let store = Self { path, frames, inside: Mutex::new(Inside { kept, file: None }) };
        store.refresh(&mut store.lock())?;
        Ok(store)
    }

    /// Returns the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the present labels, also if the file was edited.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self) -> Result<Kept> {
        let mut inside = self.lock();
        self.refresh(&mut inside)?;
        Ok(inside.kept.clone())
    }

    /// Replaces the labels of a revision, and returns the new revision.
    ///
    /// # Errors
    /// If the labels do not fit the film ([`ErrorKind::Invalid`]), there is a newer revision
    /// ([`ErrorKind::Conflict`]), or the file cannot be written.
    pub fn put(&self, revision: u64, labels: Labels) -> Result<u64> {
        let mut inside = self.lock();
        self.check(&labels, &inside.kept.labels)?;
        self.refresh(&mut inside)?;
        if inside.kept.revision != revision {
            let message = "the labels were changed elsewhere meanwhile, in another window or in their file; \
                           reload this page to go on with them";
            return Err(Error::of(ErrorKind::Conflict, message));
        }
        let bytes = labels.to_json().into_bytes();
        disk::write(&self.path, &bytes)?;
        *inside = Inside { kept: Kept { revision: revision + 1, labels }, file: Some(bytes) };
        Ok(revision + 1)
    }

    fn check(&self, labels: &Labels, known: &Labels) -> Result<()> {
        labels
            .fits(known.width, known.height, Some(self.frames))
            .map_err(|error| Error::of(ErrorKind::Invalid, error.to_string()))
    }

    /// Takes over what is in the file if it is not what we wrote.
    fn refresh(&self, inside: &mut Inside) -> Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        let bytes = disk::read(&self.path)?;
        if inside.file.as_ref() == Some(&bytes) {
            return Ok(());
        }
        let name = self.path.display().to_string();
        let labels = labels::read(&name, &bytes).map_err(|error| Error::new(error.to_string()))?;
        self.check(&labels, &inside.kept.labels).map_err(|fault| Error::new(format!("{name}: {fault}")))?;
        *inside = Inside { kept: Kept { revision: inside.kept.revision + 1, labels }, file: Some(bytes) };
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
