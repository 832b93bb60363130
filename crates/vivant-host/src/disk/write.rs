//! Atomic writes.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;
use vivant_io::{Error, Result};

/// Replaces a file as a whole: after a crash there is the old file or the new one. Several threads may write the
/// same path; the last one wins.
///
/// # Errors
/// If its folder is not there, or may not be written to.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let error = |error: io::Error| {
        let hint = if error.kind() == io::ErrorKind::NotFound { "; create its folder first" } else { "" };
        Error::new(format!("cannot be written: {error}{hint}")).in_file(path.display())
    };
    let name = path.file_name().ok_or_else(|| Error::new("name a file").in_file(path.display()))?;
    let mut part = part(folder_of(path), &name.to_string_lossy()).map_err(error)?;
    let filled = part.write_all(bytes).and_then(|()| part.as_file().sync_all());
    filled.map_err(error)?;
    part.persist(path).map_err(|failed| error(failed.error))?;
    sync_folder(path).map_err(error)
}

/// Returns a new hidden file in the same folder, and so on the same disk, which removes itself unless it is kept.
fn part(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // Temporary files are private by default; this one becomes an ordinary file.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a new name last; where folders cannot be opened, the system does it.
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
        // A folder cannot be replaced by a file; the part that was written must not stay behind.
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
    fn threads_that_write_one_path_do_not_disturb_each_other() {
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
