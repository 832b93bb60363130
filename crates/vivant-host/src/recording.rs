//! Reads recordings of eyes from disk.
//!
//! Some eye trackers write several files per recording, or a folder of files. [`read`] finds the files that belong
//! together and recognizes their format, so users give only one path. [`vivant_learn::recording`] parses the formats
//! and explains the units.

use crate::disk;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result, Warning};
use vivant_learn::recording::{self, ColumnMap, ReadOptions, Recording, Source};

/// Maximum number of files in a folder that are considered.
const MAX_NEIGHBOURS: usize = 10_000;

/// Reads a recording: a file with its companion files, or a folder that contains one recording. Also returns warnings
/// about data that was guessed or left out.
///
/// # Errors
/// If a file cannot be read, or has an unknown format. The error names the file, the position in it and the fix.
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

/// Returns the files that belong to a recording. The first file contains the samples.
///
/// # Errors
/// If the path is a folder without a known recording.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let names = recording::in_folder(&names_in(path)).ok_or_else(|| {
            Error::new("this folder is not a known kind of recording; give a file in it")
                .in_file(path.display())
        })?;
        return Ok(names.iter().map(|name| path.join(name)).collect());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = recording::companions(&name_of(path), &names_in(folder));
    Ok(std::iter::once(path.to_owned()).chain(beside.iter().map(|name| folder.join(name))).collect())
}

/// Reads a column map from a TOML file.
///
/// # Errors
/// If the map cannot be read, or is not valid.
pub fn map(path: &Path) -> Result<ColumnMap> {
    let text = String::from_utf8(disk::read(path)?)
        .map_err(|_| Error::new("not UTF-8 text; a column map is a TOML file"));
    text.and_then(|text| ColumnMap::parse(&text)).map_err(|error| error.in_file(path.display()))
}

/// Adds the folder to an error that already names its file, or the whole path to other errors.
fn placed(error: &Error, folder: &Path, sources: &[Source]) -> Error {
    let text = error.to_string();
    let placed = if sources.iter().any(|source| text.starts_with(&format!("{}: ", source.name))) {
        Error::new(format!("{}{text}", folder.join("").display()))
    } else {
        Error::new(text).in_file(folder.join(&sources[0].name).display())
    };
    error.settings().fold(placed.of_kind(error.kind()), Error::with_setting)
}

/// Returns the name of a file or folder.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Returns the sorted names of the files in a folder; empty if it cannot be read.
fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_NEIGHBOURS);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
