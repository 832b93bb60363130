//! A cache of motion files. Each file is read once, and again when it changes.

use crate::character::BUILT_IN;
use crate::character::clips::{self, FileClips};
use crate::files::Folder;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Identifies a version of a file by length and modification time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let about = std::fs::metadata(path).ok();
        let modified = about.as_ref().and_then(|about| about.modified().ok());
        Self { length: about.map_or(0, |about| about.len()), modified }
    }
}

/// The clips of a file, or an error.
pub(super) type Reading = vivant_io::Result<FileClips>;

/// The cached clips of motion files.
#[derive(Default)]
pub(super) struct FileCache {
    files: Mutex<HashMap<PathBuf, (Stamp, Reading)>>,
}

impl FileCache {
    /// Returns a file's clips. Clips are shared, so repeated calls are cheap.
    pub(super) fn read(&self, path: &Path) -> Reading {
        let stamp = if path.as_os_str() == BUILT_IN { Stamp::default() } else { Stamp::of(path) };
        if let Some((_, reading)) = self.lock().get(path).filter(|(cached, _)| *cached == stamp) {
            return reading.clone();
        }
        let (folder, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
        let reading = clips::read(&Folder::new(folder), &name.to_string_lossy());
        self.lock().insert(path.to_owned(), (stamp, reading.clone()));
        reading
    }

    /// Reads new and changed files in parallel.
    pub(super) fn read_all(&self, paths: &[PathBuf]) {
        let open = Mutex::new(paths.iter().filter(|path| !self.has(path)).collect::<Vec<_>>());
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let work = || {
            while let Some(path) = take(&open) {
                let _ = self.read(path);
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }

    /// Stores the clips of a file that was just written.
    pub(super) fn store(&self, path: &Path, reading: Reading) {
        self.lock().insert(path.to_owned(), (Stamp::of(path), reading));
    }

    fn has(&self, path: &Path) -> bool {
        let stamp = Stamp::of(path);
        self.lock().get(path).is_some_and(|(cached, _)| *cached == stamp)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, (Stamp, Reading)>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take<'a>(open: &Mutex<Vec<&'a PathBuf>>) -> Option<&'a PathBuf> {
    open.lock().unwrap_or_else(PoisonError::into_inner).pop()
}
