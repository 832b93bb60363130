//! Files on the disk to recordings of eyes.

use crate::disk;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result, Warning};
use vivant_learn::recording::{self, ColumnMap, ReadOptions, Recording, Source};

/// The most files of a folder that are looked at.
const MOST_NEIGHBOURS: usize = 10_000;

/// A recording: the file that is named with those that belong to it, or a folder that is one recording. What was
/// guessed or left out is told.
///
/// # Errors
/// If a file cannot be read, or holds no recording that is known; with the file, the place and the fix.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Recording, Vec<Warning>)> {
    let source = |path: &PathBuf| Ok(Source { name: name_of(path), bytes: disk::read(path)? });
    let sources = files(path)?.iter().map(source).collect::<Result<Vec<_>>>()?;
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let read = recording::read(&sources, options);
    let (mut recording, warnings) = read.map_err(|error| placed(&error, folder, &sources))?;
    if path.is_dir() {
        recording.name = name_of(path);
    }
    Ok((recording, warnings))
}

/// The files that make a recording, the one with its samples first.
///
/// # Errors
/// If it is a folder, and nothing in it looks like a recording.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let names = recording::in_folder(&names_in(path)).ok_or_else(|| {
            Error::new("no recording is known to look like this folder; name the file in it")
                .in_file(path.display())
        })?;
        return Ok(names.iter().map(|name| path.join(name)).collect());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = recording::companions(&name_of(path), &names_in(folder));
    Ok(std::iter::once(path.to_owned()).chain(beside.iter().map(|name| folder.join(name))).collect())
}

/// Reads a map: which column is what.
///
/// # Errors
/// If it cannot be read, or is no map.
pub fn map(path: &Path) -> Result<ColumnMap> {
    let text = String::from_utf8(disk::read(path)?).map_err(|_| Error::new("this is no text; a map is TOML"));
    text.and_then(|text| ColumnMap::parse(&text)).map_err(|error| error.in_file(path.display()))
}

/// An error that names its file, with the folder before it.
fn placed(error: &Error, folder: &Path, sources: &[Source]) -> Error {
    let text = error.to_string();
    let placed = if sources.iter().any(|source| text.starts_with(&format!("{}: ", source.name))) {
        Error::new(format!("{}{text}", folder.join("").display()))
    } else {
        Error::new(text).in_file(folder.join(&sources[0].name).display())
    };
    error.settings().fold(placed.of_kind(error.kind()), Error::with_setting)
}

/// A file's or a folder's own name.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The names of the files in a folder, sorted; none of one that cannot be read.
fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_NEIGHBOURS);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
