//! The clips that a repertoire names: each file is read once, and all that is missing is told at once.

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

/// Reads the clips of a file of a character, or those of the built-in one by its name.
///
/// # Errors
/// If it cannot be read, or has no motion of a humanoid in it.
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

/// Gives the clips of a file, or why there are none.
pub type Reader<'a> = &'a mut dyn FnMut(&str) -> vivant_io::Result<FileClips>;

/// Is told how many clips were looked for, and of how many.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// The clips by how the repertoire spells them.
///
/// # Errors
/// With every clip that cannot be had, and its place in the repertoire.
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

/// What was found of the clips that a repertoire names.
#[derive(Clone, Default)]
pub struct FoundClips {
    /// Those that are there.
    pub clips: Clips,
    /// The first place that names a clip that cannot be had, and why it cannot.
    pub missing: Vec<(String, String)>,
}

/// The clips as far as they can be had.
pub fn gather(
    files: &dyn Files,
    repertoire: &Repertoire,
    reader: Reader<'_>,
    progress: Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> FoundClips {
    let wanted = wanted(repertoire);
    let count = wanted.len();
    let mut shelf = Shelf { files, reader, read: HashMap::new(), names: None, warnings };
    let mut found = FoundClips::default();
    for (done, (spelling, place)) in wanted.into_iter().enumerate() {
        progress(done, count);
        match shelf.clip(spelling) {
            Ok(clip) => drop(found.clips.insert(spelling.to_owned(), clip)),
            Err(message) => found.missing.push((place, message)),
        }
    }
    found
}

/// Every clip that is named, once, with the first place that names it, in the order of the places.
fn wanted(repertoire: &Repertoire) -> Vec<(&str, String)> {
    let mut seen = std::collections::HashSet::new();
    let mut wanted = named(repertoire);
    wanted.retain(|(clip, _)| seen.insert(*clip));
    wanted
}

/// The files that have been read.
struct Shelf<'a> {
    files: &'a dyn Files,
    reader: Reader<'a>,
    /// Their clips, or why they have none.
    read: HashMap<String, Result<FileClips, String>>,
    /// The names of all files, once they are needed.
    names: Option<Vec<String>>,
    warnings: &'a mut Vec<Warning>,
}

impl Shelf<'_> {
    fn clip(&mut self, spelling: &str) -> Result<Arc<Clip>, String> {
        let (file, name) = self.split(spelling);
        if !self.read.contains_key(&file) {
            let read = self.open(&file);
            self.read.insert(file.clone(), read);
        }
        let all = self.read[&file].as_ref().map_err(String::clone)?;
        all.spelled(&file, name, spelling)
    }

    /// Splits a spelling into the file and the clip in it. A file's own name may have a `#`.
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
            || format!("{file}: lies outside the character's folder and is not read; copy it into it");
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
        let hint = hint
            .map_or("copy it there, or take the action away".into(), |name| format!("did you mean {name}?"));
        format!("{file}: no such file; {hint}")
    }
}
