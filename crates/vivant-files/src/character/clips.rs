//! The clips that a repertoire names: each file is read once, and all that is missing is told at once.

use super::BUILT_IN;
use crate::{avatar, disk};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
pub use vivant_host::clips::{FileClips, named};
use vivant_io::json::words;
use vivant_io::{Error, Warning};

/// Clips by how a repertoire spells them.
pub type Clips = BTreeMap<String, Arc<Clip>>;

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or has no motion of a humanoid in it.
pub fn read(path: &Path) -> Result<FileClips, String> {
    if path.as_os_str() == BUILT_IN {
        return Ok(FileClips::built_in());
    }
    let (clips, warnings) = avatar::clips(path).map_err(|error| error.to_string())?;
    Ok(FileClips::of(&path.to_string_lossy(), clips, warnings))
}

/// Gives the clips of a file, or why there are none.
pub type Reader<'a> = &'a mut dyn FnMut(&Path) -> Result<FileClips, String>;

/// Is told how many clips were looked for, and of how many.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// The clips by how the repertoire spells them.
///
/// # Errors
/// With every clip that cannot be had, and its place in the repertoire.
pub fn load(
    folder: &Path,
    repertoire: &Repertoire,
    progress: Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> vivant_io::Result<BTreeMap<String, Clip>> {
    let found = gather(folder, repertoire, &mut read, progress, warnings);
    let faults = found.missing.into_iter().map(|(place, message)| Error::at(place, message));
    let own = |(spelling, clip)| (spelling, Arc::unwrap_or_clone(clip));
    Error::all(faults).map_or_else(|| Ok(found.clips.into_iter().map(own).collect()), Err)
}

/// What was found of the clips that a repertoire names.
#[derive(Clone, Default)]
pub struct Found {
    /// Those that are there.
    pub clips: Clips,
    /// The first place that names a clip that cannot be had, and why it cannot.
    pub missing: Vec<(String, String)>,
}

/// The clips as far as they can be had.
pub fn gather(
    folder: &Path,
    repertoire: &Repertoire,
    reader: Reader<'_>,
    progress: Progress<'_>,
    warnings: &mut Vec<Warning>,
) -> Found {
    let wanted = wanted(repertoire);
    let count = wanted.len();
    let mut shelf = Shelf { folder, reader, files: HashMap::new(), there: None, warnings };
    let mut found = Found::default();
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
    folder: &'a Path,
    reader: Reader<'a>,
    /// Their clips, or why they have none.
    files: HashMap<String, Result<FileClips, String>>,
    /// The names of all files in the folder, once somebody asks.
    there: Option<Vec<String>>,
    warnings: &'a mut Vec<Warning>,
}

impl Shelf<'_> {
    fn clip(&mut self, spelling: &str) -> Result<Arc<Clip>, String> {
        let (file, name) = self.split(spelling);
        if !self.files.contains_key(&file) {
            let read = self.read(&file);
            self.files.insert(file.clone(), read);
        }
        let all = self.files[&file].as_ref().map_err(String::clone)?;
        all.spelled(&file, name, spelling)
    }

    /// The file and the clip in it. A file's own name may have a `#`. Folders may be divided as on Windows.
    fn split<'s>(&self, spelling: &'s str) -> (String, Option<&'s str>) {
        let whole = spelling.replace('\\', "/");
        if disk::below(self.folder, &whole).is_some_and(|path| path.is_file()) {
            return (whole, None);
        }
        match spelling.rsplit_once('#') {
            Some((file, name)) => (file.replace('\\', "/"), Some(name)),
            None => (whole, None),
        }
    }

    fn read(&mut self, file: &str) -> Result<FileClips, String> {
        if file == BUILT_IN {
            return (self.reader)(Path::new(BUILT_IN));
        }
        let outside =
            || format!("{file}: lies outside the character's folder and is not read; copy it into it");
        let path = disk::below(self.folder, file).ok_or_else(outside)?;
        if !path.is_file() {
            return Err(self.missing(file));
        }
        let read = (self.reader)(&path)?;
        self.warnings.extend(read.warnings.iter().cloned());
        Ok(read)
    }

    fn missing(&mut self, file: &str) -> String {
        let there = self.there.get_or_insert_with(|| disk::all_below(self.folder));
        let hint = words::nearest(file, there.iter().map(String::as_str));
        let hint = hint
            .map_or("copy it there, or take the action away".into(), |name| format!("did you mean {name}?"));
        format!("{file}: no such file; {hint}")
    }
}
