//! Where the files of a character come from: a folder, or bytes in memory.
//!
//! A character is read in one way, whoever plays it. The command and the server have folders; pages and engines
//! have fetched or packed the same files. [`Files`] is all that reading needs of either.

use std::collections::BTreeMap;
use vivant_io::{Error, ErrorKind, Result};

/// The files of a character, by their names relative to its folder, with `/` between folders.
pub trait Files {
    /// Returns whether there is a file with this name.
    fn has(&self, name: &str) -> bool;

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// Returns the names of all files in order, for hints in messages.
    fn names(&self) -> Vec<String>;

    /// Returns a name as messages show it, such as its whole path.
    fn shown(&self, name: &str) -> String;

    /// Returns what the character is called if it does not say so itself.
    fn title(&self) -> String;
}

/// The files of a character in memory.
pub type FileMap = BTreeMap<String, Vec<u8>>;

impl Files for FileMap {
    fn has(&self, name: &str) -> bool {
        self.contains_key(name)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let missing = || Error::of(ErrorKind::NotFound, "there is no such file; add it").in_file(name);
        self.get(name).cloned().ok_or_else(missing)
    }

    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }

    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }

    fn title(&self) -> String {
        "character".into()
    }
}

/// Returns a name with `/` between folders; `None` if it leads out of the character's folder.
#[must_use]
pub fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let parts = || name.split('/').filter(|part| !matches!(*part, "" | "."));
    let leads_out = name.starts_with('/') || name.contains(':') || parts().any(|part| part == "..");
    (!leads_out).then(|| parts().collect::<Vec<_>>().join("/"))
}

/// Returns a function that reads the files that a file refers to, if they lie in its folder or below.
pub(crate) fn neighbours<'f>(
    files: &'f dyn Files,
    of: &str,
) -> impl FnMut(&str) -> Result<Vec<u8>> + use<'f> {
    let folder = of.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    move |relative| {
        let message = "it lies outside the file's own folder and is not read; copy it into that folder";
        let name = inside(relative).ok_or_else(|| Error::at(relative, message))?;
        files.read(&format!("{folder}{name}")).map_err(Error::new)
    }
}

/// A character's folder.
#[cfg(feature = "folder")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(std::path::PathBuf);

#[cfg(feature = "folder")]
impl Folder {
    /// The files in this folder and below.
    pub fn new(path: impl Into<std::path::PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the path of a file.
    #[must_use]
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.join(name)
    }
}

#[cfg(feature = "folder")]
impl Files for Folder {
    fn has(&self, name: &str) -> bool {
        self.path(name).is_file()
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        crate::disk::read(&self.path(name))
    }

    fn names(&self) -> Vec<String> {
        crate::disk::all_below(&self.0)
    }

    fn shown(&self, name: &str) -> String {
        if name.is_empty() { self.0.display().to_string() } else { self.path(name).display().to_string() }
    }

    fn title(&self) -> String {
        crate::character::called(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder() {
        for (name, expected) in [
            ("clips/a.fbx", Some("clips/a.fbx")),
            ("clips\\a.fbx", Some("clips/a.fbx")),
            ("./a.fbx", Some("a.fbx")),
            ("../a.fbx", None),
            ("a/../../b", None),
            ("/etc/x", None),
            ("C:\\x", None),
        ] {
            assert_eq!(inside(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_file_reads_only_its_neighbours() {
        let files: FileMap = [("sub/scene.gltf".into(), vec![]), ("sub/a.bin".into(), vec![1])].into();
        let mut fetch = neighbours(&files, "sub/scene.gltf");
        assert_eq!(fetch("a.bin").unwrap(), [1]);
        for outside in ["../x.bin", "/etc/hostname", "missing.bin"] {
            assert!(fetch(outside).is_err(), "{outside}");
        }
    }
}
