//! The only place that touches the disk: bounded reads and atomic writes.

use crate::fault::{Fault, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use vivant_io::limits::MAX_FILE_BYTES;

/// What tables and labels are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tabular {
    Csv,
    Json,
}

impl Tabular {
    /// By the file's ending, if there is to be a file of these.
    pub(crate) fn wanted<'p>(path: Option<&'p Path>, what: &str) -> Result<Option<(&'p Path, Self)>> {
        path.map(|path| Ok((path, Self::of(path, what)?))).transpose()
    }

    fn of(path: &Path, what: &str) -> Result<Self> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => Err(Fault::new(format!(
                "{}: {what} are written as .csv or .json; give one of these endings",
                path.display()
            ))),
        }
    }
}

/// A file's bytes, if they are not too many. The size is asked first, and not believed.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let fault = |error: &io::Error| Fault::new(format!("{}: {}", path.display(), advice(error)));
    let too_large = || {
        let limit = MAX_FILE_BYTES >> 20;
        Fault::new(format!("{}: larger than {limit} MiB, which is the most that is read", path.display()))
    };
    let file = File::open(path).map_err(|e| fault(&e))?;
    let about = file.metadata().map_err(|e| fault(&e))?;
    if about.is_dir() {
        return Err(Fault::new(format!("{}: this is a folder; name the file in it", path.display())));
    }
    if about.len() > MAX_FILE_BYTES as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize + 1);
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|e| fault(&e))?;
    if bytes.len() > MAX_FILE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// What comes through standard input, if it is not too much.
pub(crate) fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::new(format!("standard input: cannot be read: {error}")))?;
    if bytes.len() > MAX_FILE_BYTES {
        let limit = MAX_FILE_BYTES >> 20;
        return Err(Fault::new(format!(
            "standard input: more than {limit} MiB, which is the most that is read"
        )));
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
pub(crate) fn neighbours(of: &Path) -> impl FnMut(&str) -> vivant_io::Result<Vec<u8>> + use<> {
    let folder = of.parent().unwrap_or(Path::new("")).to_owned();
    move |relative| {
        let message = "it lies outside the file's own folder and is not read; copy it into that folder";
        let path = below(&folder, relative).ok_or_else(|| vivant_io::Error::at(relative, message))?;
        read(&path).map_err(vivant_io::Error::new)
    }
}

/// The path of something in a folder or below; `None` for what leads out of it.
pub(crate) fn below(folder: &Path, relative: &str) -> Option<PathBuf> {
    let mut parts = Path::new(relative).components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)).then(|| folder.join(relative))
}

/// The files in a folder and below, relative to it, with `/` between folders and in the order of their
/// names: for hints. A few folders deep, and not more than a person would look through.
pub(crate) fn all_below(folder: &Path) -> Vec<String> {
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

/// Replaces a file as a whole: whoever looks, and whenever the power goes, there is the old file or
/// the new one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fault = |error: io::Error| {
        let hint = if error.kind() == io::ErrorKind::NotFound { "; create its folder first" } else { "" };
        Fault::new(format!("{}: cannot be written: {error}{hint}", path.display()))
    };
    let temporary = beside(path).ok_or_else(|| Fault::new(format!("{}: name a file", path.display())))?;
    let written = fill(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    let written = written.and_then(|()| sync_folder(path));
    written.map_err(|error| {
        // The error of the write is the one to report.
        let _ = fs::remove_file(&temporary);
        fault(error)
    })
}

fn fill(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A new name lasts once its folder is on the disk; where folders cannot be opened, the system sees to it.
fn sync_folder(of: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(of.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))?.sync_all()?;
    let _ = of;
    Ok(())
}

/// A name in the same folder, and so on the same disk, that no other process uses.
fn beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    Some(path.with_file_name(format!(".{name}.{}.part", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("vivant-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_write_replaces_the_file_and_leaves_nothing_else() {
        let folder = folder("write");
        let path = folder.join("a.bvh");
        for text in ["one", "two, and longer"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(read(&path).unwrap(), text.as_bytes());
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        // A folder cannot be replaced by a file; the part that was written must not stay behind.
        fs::create_dir(folder.join("b.bvh")).unwrap();
        fs::write(folder.join("b.bvh/c"), "x").unwrap();
        assert!(write(&folder.join("b.bvh"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
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
        check(write(&folder.join("none/x.bvh"), b""), "create its folder");
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
