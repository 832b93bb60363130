//! The files of a character: in a folder, or as bytes in memory.
//!
//! The command and the server read folders; web pages and game engines download or pack the same files. [`Files`] is
//! the common interface, so characters are read the same way everywhere.

use vivant_io::{Error, ErrorKind, Result};

/// The files of a character, by their names relative to the character's folder, with `/` as separator.
pub trait Files {
    /// Returns true if there is a file with this name.
    fn has(&self, name: &str) -> bool;

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// Returns the sorted names of all files, for hints in messages.
    fn names(&self) -> Vec<String>;

    /// Returns the name of a file as shown in messages, such as its full path.
    fn shown(&self, name: &str) -> String;

    /// Returns the name of a character whose manifest sets no name.
    fn title(&self) -> String;
}

/// The files of a character in memory. There are only a few, so a list is enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMap(Vec<(String, Vec<u8>)>);

impl FileMap {
    /// Adds a file, or replaces the file with the same name.
    pub fn insert(&mut self, name: String, bytes: Vec<u8>) {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, bytes));
    }
}

impl FromIterator<(String, Vec<u8>)> for FileMap {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(files: I) -> Self {
        let mut map = Self::default();
        files.into_iter().for_each(|(name, bytes)| map.insert(name, bytes));
        map
    }
}

impl Files for FileMap {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let missing = || Error::of(ErrorKind::NotFound, "no such file; add it").in_file(name);
        let file = self.0.iter().find(|(own, _)| own == name);
        file.map(|(_, bytes)| bytes.clone()).ok_or_else(missing)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.iter().map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names
    }

    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }

    fn title(&self) -> String {
        "character".into()
    }
}

/// Normalises a name to `/` as separator. Returns `None` if the name leads out of the character's folder.
#[must_use]
pub fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let parts = || name.split('/').filter(|part| !matches!(*part, "" | "."));
    let leads_out = name.starts_with('/') || name.contains(':') || parts().any(|part| part == "..");
    (!leads_out).then(|| parts().collect::<Vec<_>>().join("/"))
}

/// Returns a function that reads the files that a file references, if they are in the same folder or below.
pub(crate) fn neighbours<'f>(
    files: &'f dyn Files,
    of: &str,
) -> impl FnMut(&str) -> Result<Vec<u8>> + use<'f> {
    let folder = of.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    move |relative| {
        let message =
            "outside the folder of the file that refers to it, so it is not read; copy it into that folder";
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
    /// Creates the folder from its path.
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
        crate::character::folder_name(&self.0)
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
        let files = [("sub/scene.gltf".into(), vec![]), ("sub/a.bin".into(), vec![1])];
        let files = FileMap::from_iter(files);
        let mut fetch = neighbours(&files, "sub/scene.gltf");
        assert_eq!(fetch("a.bin").unwrap(), [1]);
        for outside in ["../x.bin", "/etc/hostname", "missing.bin"] {
            assert!(fetch(outside).is_err(), "{outside}");
        }
    }
}
