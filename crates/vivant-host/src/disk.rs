//! Bounded reads and atomic writes.
//!
//! A huge file must not exhaust memory. A file of unknown origin must not read other files. A crash must not leave an
//! incomplete file. These functions prevent all three problems, and their errors name the path.
//!
//! ```
//! use std::path::Path;
//! use vivant_host::disk::below;
//! assert_eq!(below(Path::new("eve"), "clips/wave.fbx").as_deref(), Some(Path::new("eve/clips/wave.fbx")));
//! assert_eq!(below(Path::new("eve"), "../secret.txt"), None);
//! ```

#[cfg(feature = "disk")]
mod write;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use vivant_io::limits::MAX_FILE_BYTES;
use vivant_io::{Error, Result};
#[cfg(feature = "disk")]
pub use write::write;

/// The format of tables and labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tabular {
    /// Rows of comma-separated values.
    Csv,
    /// A JSON object.
    Json,
}

impl Tabular {
    /// Returns the path with the format for its extension; `None` without a path. `what` names the data in errors.
    ///
    /// # Errors
    /// If the extension is neither `.csv` nor `.json`.
    pub fn with_format<'p>(path: Option<&'p Path>, what: &str) -> Result<Option<(&'p Path, Self)>> {
        path.map(|path| Ok((path, Self::of(path, what)?))).transpose()
    }

    fn of(path: &Path, what: &str) -> Result<Self> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => {
                let message = format!("cannot write {what} in this format; use the extension .csv or .json");
                Err(Error::new(message).in_file(path.display()))
            }
        }
    }
}

/// Reads a file up to the size limit. The limit is checked against the reported size and again while reading.
///
/// # Errors
/// If the path cannot be read, is a folder, or the file exceeds the limit.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let fault = |error: &io::Error| Error::new(advice(error)).in_file(path.display());
    let too_large = || {
        let limit = MAX_FILE_BYTES >> 20;
        Error::new(format!("larger than the limit of {limit} MiB; use a smaller file"))
            .in_file(path.display())
    };
    let file = File::open(path).map_err(|e| fault(&e))?;
    let about = file.metadata().map_err(|e| fault(&e))?;
    if about.is_dir() {
        return Err(Error::new("this is a folder; give a file in it").in_file(path.display()));
    }
    if about.len() > MAX_FILE_BYTES as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize + 1);
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|e| fault(&e))?;
    if bytes.len() > MAX_FILE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Reads standard input up to the size limit.
///
/// # Errors
/// If the input cannot be read, or exceeds the limit.
pub fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        Error::new(format!("cannot read: {error}; check the program before the pipe"))
            .in_file("standard input")
    })?;
    if bytes.len() > MAX_FILE_BYTES {
        let limit = MAX_FILE_BYTES >> 20;
        let message = format!("larger than the limit of {limit} MiB; send less data");
        return Err(Error::new(message).in_file("standard input"));
    }
    Ok(bytes)
}

fn advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".into(),
        io::ErrorKind::PermissionDenied => "permission denied; change the file's permissions".into(),
        _ => error.to_string(),
    }
}

/// Returns a function that reads the files that another file references. It reads only files in the same folder or
/// below, because a `.gltf` from an unknown source must not read arbitrary files.
pub fn neighbours(of: &Path) -> impl FnMut(&str) -> Result<Vec<u8>> + use<> {
    let folder = of.parent().unwrap_or(Path::new("")).to_owned();
    move |relative| {
        let message =
            "outside the folder of the file that refers to it, so it is not read; copy it into that folder";
        let path = below(&folder, relative).ok_or_else(|| Error::at(relative, message))?;
        read(&path).map_err(Error::new)
    }
}

/// Joins a folder and a relative path; `None` if the path leads out of the folder.
#[must_use]
pub fn below(folder: &Path, relative: &str) -> Option<PathBuf> {
    let mut parts = Path::new(relative).components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)).then(|| folder.join(relative))
}

/// Lists the files in a folder and its subfolders. The paths are relative to the folder, with `/` as separator, and
/// sorted. At most 10,000 files are listed, and at most four levels of subfolders are searched.
#[must_use]
pub fn all_below(folder: &Path) -> Vec<String> {
    const MAX_DEPTH: usize = 4;
    const MAX_FILES: usize = 10_000;
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES) {
            let relative = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => {
                    folders.push((entry.path(), format!("{relative}/"), depth + 1));
                }
                Ok(kind) if !kind.is_dir() && found.len() < MAX_FILES => found.push(relative),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("vivant-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn read_errors_say_what_to_do() {
        let folder = folder("faults");
        let check = |result: Result<()>, expected: &str| {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(read(&folder.join("none.vrm")).map(drop), "no such file");
        check(read(&folder).map(drop), "folder");
        let large = File::create(folder.join("large.fbx")).unwrap();
        large.set_len(MAX_FILE_BYTES as u64 + 1).unwrap();
        check(read(&folder.join("large.fbx")).map(drop), "512 MiB");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_reads_only_its_neighbours() {
        let folder = folder("neighbours");
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/a.bin"), "a").unwrap();
        let mut fetch = neighbours(&folder.join("scene.gltf"));
        assert_eq!(fetch("sub/a.bin").unwrap(), b"a");
        for outside in ["../x.bin", "/etc/hostname", "sub/../../x", "missing.bin"] {
            assert!(fetch(outside).is_err(), "{outside}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
