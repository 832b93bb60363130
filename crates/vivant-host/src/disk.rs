//! Bounded reads and atomic writes.

#[cfg(feature = "disk")]
mod write;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use vivant_io::limits::MAX_FILE_BYTES;
use vivant_io::{Error, Result};
#[cfg(feature = "disk")]
pub use write::write;

/// What tables and labels are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tabular {
    /// Rows.
    Csv,
    /// An object.
    Json,
}

impl Tabular {
    /// By the file's ending, if there is to be a file of these.
    ///
    /// # Errors
    /// If it has another ending.
    pub fn wanted<'p>(path: Option<&'p Path>, what: &str) -> Result<Option<(&'p Path, Self)>> {
        path.map(|path| Ok((path, Self::of(path, what)?))).transpose()
    }

    fn of(path: &Path, what: &str) -> Result<Self> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => {
                let message = format!("{what} are written as .csv or .json; give one of these endings");
                Err(Error::new(message).in_file(path.display()))
            }
        }
    }
}

/// A file's bytes, if they are not too many. The size is asked first, and not believed.
///
/// # Errors
/// If it cannot be read, is a folder, or is larger than any file that is read.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let fault = |error: &io::Error| Error::new(advice(error)).in_file(path.display());
    let too_large = || {
        let limit = MAX_FILE_BYTES >> 20;
        Error::new(format!("larger than {limit} MiB, which is the most that is read")).in_file(path.display())
    };
    let file = File::open(path).map_err(|e| fault(&e))?;
    let about = file.metadata().map_err(|e| fault(&e))?;
    if about.is_dir() {
        return Err(Error::new("this is a folder; name the file in it").in_file(path.display()));
    }
    if about.len() > MAX_FILE_BYTES as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize + 1);
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|e| fault(&e))?;
    if bytes.len() > MAX_FILE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// What comes through standard input, if it is not too much.
///
/// # Errors
/// If it cannot be read, or does not end.
pub fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::new(format!("cannot be read: {error}")).in_file("standard input"))?;
    if bytes.len() > MAX_FILE_BYTES {
        let limit = MAX_FILE_BYTES >> 20;
        let message = format!("more than {limit} MiB, which is the most that is read");
        return Err(Error::new(message).in_file("standard input"));
    }
    Ok(bytes)
}

fn advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file; check the path".into(),
        io::ErrorKind::PermissionDenied => "this file may not be read by you; change its permissions".into(),
        _ => error.to_string(),
    }
}

/// Gives the files that a file refers to, as far as they lie in its own folder or below: a `.gltf`
/// from elsewhere must not read what it likes.
pub fn neighbours(of: &Path) -> impl FnMut(&str) -> Result<Vec<u8>> + use<> {
    let folder = of.parent().unwrap_or(Path::new("")).to_owned();
    move |relative| {
        let message = "it lies outside the file's own folder and is not read; copy it into that folder";
        let path = below(&folder, relative).ok_or_else(|| Error::at(relative, message))?;
        read(&path).map_err(Error::new)
    }
}

/// The path of something in a folder or below; `None` for what leads out of it.
#[must_use]
pub fn below(folder: &Path, relative: &str) -> Option<PathBuf> {
    let mut parts = Path::new(relative).components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)).then(|| folder.join(relative))
}

/// The files in a folder and below, relative to it, with `/` between folders and in the order of their
/// names: for hints. A few folders deep, and not more than a person would look through.
#[must_use]
pub fn all_below(folder: &Path) -> Vec<String> {
    const DEEP: usize = 4;
    const MANY: usize = 10_000;
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().take(MANY) {
            let relative = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < DEEP => {
                    folders.push((entry.path(), format!("{relative}/"), depth + 1));
                }
                Ok(kind) if !kind.is_dir() && found.len() < MANY => found.push(relative),
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
    fn what_cannot_be_read_or_written_says_what_to_do() {
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
