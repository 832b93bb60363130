//! Atomic writes.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;
use vivant_io::{Error, Result};

/// Replaces a file atomically: after a crash, either the old or the new file is there. Several threads may write the
/// same path; the last one wins.
///
/// # Errors
/// If the folder does not exist or is not writable.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let error = |error: io::Error| {
        let hint = if error.kind() == io::ErrorKind::NotFound {
            "; create its folder first"
        } else {
            "; check the path, its permissions and the free space"
        };
        Error::new(format!("cannot write: {error}{hint}")).in_file(path.display())
    };
    let name = path
        .file_name()
        .ok_or_else(|| Error::new("not a file name; add a name after the folder").in_file(path.display()))?;
    let mut part = part(folder_of(path), &name.to_string_lossy()).map_err(error)?;
    let filled = part.write_all(bytes).and_then(|()| part.as_file().sync_all());
    filled.map_err(error)?;
    part.persist(path).map_err(|failed| error(failed.error))?;
    sync_folder(path).map_err(error)
}

/// Creates a hidden temporary file in the same folder, and therefore on the same disk. The file is deleted unless it
/// is persisted.
fn part(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // Temporary files are private by default. This file needs the usual permissions.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder so that the new name survives a crash. Systems other than Unix do this themselves.
fn sync_folder(of: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder_of(of))?.sync_all()?;
    let _ = of;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{read, tests::folder};
    use std::fs;

    #[test]
    fn a_write_replaces_the_file_and_leaves_nothing_else() {
        let folder = folder("write");
        let path = folder.join("a.bvh");
        for text in ["one", "two, and longer"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(read(&path).unwrap(), text.as_bytes());
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        // A folder cannot be replaced by a file; the temporary file must be deleted.
        fs::create_dir(folder.join("b.bvh")).unwrap();
        fs::write(folder.join("b.bvh/c"), "x").unwrap();
        assert!(write(&folder.join("b.bvh"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_missing_folder_is_an_error_that_says_so() {
        let folder = folder("missing");
        let message = write(&folder.join("none/x.bvh"), b"").unwrap_err().to_string();
        assert!(message.contains("create its folder"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn concurrent_writes_to_one_path_do_not_mix() {
        let folder = folder("threads");
        let path = folder.join("a.json");
        let texts = ["first".repeat(1000), "second".repeat(1000)];
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| (0..50).for_each(|_| write(&path, text.as_bytes()).unwrap()));
            }
        });
        let last = read(&path).unwrap();
        assert!(texts.iter().any(|text| text.as_bytes() == last));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
