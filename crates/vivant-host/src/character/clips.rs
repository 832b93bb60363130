//! Reads the clips that a repertoire names. Each file is read once, and all missing clips are reported together.
//!
//! [`load`] is for performing: it returns the clips by their references, or one error that lists every missing clip.
//! [`gather`] is for editing: it returns the clips that were found and a message for each of the others, so that a
//! character with errors can be opened and repaired. A reference is `FILE` or `FILE#CLIP`, relative to the folder of
//! the character. Files outside this folder are not read. If a file is missing, the message suggests a similar name if
//! there is one.

use super::BUILT_IN;
use crate::ImportedFile;
pub use crate::clips::{Clips, FileClips, named};
use crate::files::{Files, inside, neighbours};
use std::collections::HashMap;
use std::sync::Arc;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant_io::json::words;
use vivant_io::{Error, Warning};

/// Reads the clips of one of the character's files, or the built-in clips by their name.
///
/// # Errors
/// If the file cannot be read, or contains no humanoid motion.
pub fn read(files: &dyn Files, name: &str) -> vivant_io::Result<FileClips> {
    if name == BUILT_IN {
        return Ok(FileClips::built_in());
    }
    let shown = files.shown(name);
    let mut file = ImportedFile::from_bytes(&shown, files.read(name)?, &mut neighbours(files, name))?;
    file.require_clips()?;
    let warnings = file.take_warnings();
    Ok(FileClips::of(&shown, file.clips, warnings))
}

/// Returns the clips of a file, or an error.
pub type Reader<'a> = &'a mut dyn FnMut(&str) -> vivant_io::Result<FileClips>;

/// Reports progress: the number of processed clips and the total number of clips.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Reads all clips of a repertoire. The result contains each clip by its reference.
///
/// # Errors
/// If clips are missing or unreadable; the error lists each clip with its path in the repertoire.
pub fn load(
    files: &dyn Files,
    repertoire: &Repertoire,
    progress: Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> vivant_io::Result<Clips> {
    let found = gather(files, repertoire, &mut |name| read(files, name), progress, warnings);
    let faults = found.missing.into_iter().map(|(place, message)| Error::at(place, message));
    Error::all(faults).map_or(Ok(found.clips), Err)
}

/// The clips of a repertoire that were found.
#[derive(Clone, Default)]
pub struct FoundClips {
    /// The clips that were read.
    pub clips: Clips,
    /// For each missing clip: the first path that names it, and the error message.
    pub missing: Vec<(String, String)>,
}

/// Reads as many clips as possible.
pub fn gather(
    files: &dyn Files,
    repertoire: &Repertoire,
    reader: Reader<'_>,
    progress: Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> FoundClips {
    let wanted = wanted(repertoire);
    let count = wanted.len();
    let mut cache = ClipCache { files, reader, read: HashMap::new(), names: None, warnings };
    let mut found = FoundClips::default();
    for (done, (spelling, place)) in wanted.into_iter().enumerate() {
        progress(done, count);
        match cache.clip(spelling) {
            Ok(clip) => drop(found.clips.insert(spelling.to_owned(), clip)),
            Err(message) => found.missing.push((place, message)),
        }
    }
    found
}

/// Returns every named clip once, with the first path in the repertoire that names it, in document order.
fn wanted(repertoire: &Repertoire) -> Vec<(&str, String)> {
    let mut seen = std::collections::HashSet::new();
    let mut wanted = named(repertoire);
    wanted.retain(|(clip, _)| seen.insert(*clip));
    wanted
}

/// Reads files and caches them, so that each file is read only once.
struct ClipCache<'a> {
    files: &'a dyn Files,
    reader: Reader<'a>,
    /// The clips of each file, or an error message.
    read: HashMap<String, Result<FileClips, String>>,
    /// The names of all files, listed on first use.
    names: Option<Vec<String>>,
    warnings: &'a mut Vec<Warning>,
}

impl ClipCache<'_> {
    fn clip(&mut self, spelling: &str) -> Result<Arc<Clip>, String> {
        let (file, name) = self.split(spelling);
        if !self.read.contains_key(&file) {
            let read = self.open(&file);
            self.read.insert(file.clone(), read);
        }
        let all = self.read[&file].as_ref().map_err(String::clone)?;
        all.spelled(&file, name, spelling)
    }

    /// Splits a clip reference into file and clip name. A file name may itself contain a `#`.
    fn split<'s>(&self, spelling: &'s str) -> (String, Option<&'s str>) {
        let whole = spelling.replace('\\', "/");
        if inside(&whole).is_some_and(|name| self.files.has(&name)) {
            return (whole, None);
        }
        match spelling.rsplit_once('#') {
            Some((file, name)) => (file.replace('\\', "/"), Some(name)),
            None => (whole, None),
        }
    }

    fn open(&mut self, file: &str) -> Result<FileClips, String> {
        let outside =
            || format!("{file}: outside the character's folder, so it is not read; copy it into the folder");
        let name = inside(file).ok_or_else(outside)?;
        if file != BUILT_IN && !self.files.has(&name) {
            return Err(self.missing(file));
        }
        let read = (self.reader)(&name).map_err(|error| error.to_string())?;
        self.warnings.extend(read.warnings.iter().cloned());
        Ok(read)
    }

    fn missing(&mut self, file: &str) -> String {
        let names = self.names.get_or_insert_with(|| self.files.names());
        let hint = words::nearest(file, names.iter().map(String::as_str));
        let hint =
            hint.map_or("add the file, or remove the action".into(), |name| format!("did you mean {name}?"));
        format!("{file}: no such file; {hint}")
    }
}
