//! Chooses the destination of a clip's file, and the clip's name in the repertoire.
//!
//! A character folder must work on other computers, so clips from elsewhere are copied into its folder `clips`. Files
//! that are already in the character's folder stay where they are. If a name is taken by a file with other bytes, a
//! number is appended; with the same bytes, the existing file is used. The buffers of a `.gltf` cannot be renamed, so a
//! collision of their names is an error. `Targets::of` only plans the copies; they are carried out when the addition is
//! written.

use crate::authoring::sources::Source;
use crate::disk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result};

/// The folder for clips inside a character's folder.
const CLIPS: &str = "clips";

/// The location of a clip in the character's folder.
pub(super) struct Target {
    /// The reference to the clip in `repertoire.json`.
    pub(super) spelling: String,
    /// The files to copy; empty if the files are already in the folder.
    pub(super) copies: Vec<Copy>,
}

#[derive(Clone)]
pub(super) struct Copy {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

/// Finds file names that are not in use.
pub(super) struct Targets<'a> {
    folder: &'a Path,
    /// Planned copies: the source file of each destination.
    claimed: BTreeMap<PathBuf, PathBuf>,
    /// Chosen destinations by source file. They are stored because one file may contain several clips.
    settled: BTreeMap<PathBuf, (String, Vec<Copy>)>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, claimed: BTreeMap::new(), settled: BTreeMap::new() }
    }

    /// Returns the target of a clip.
    ///
    /// # Errors
    /// If a file cannot be read, or a companion file collides with another file.
    pub(super) fn of(&mut self, source: &Source) -> Result<Target> {
        if !self.settled.contains_key(&source.file) {
            let settled = self.settle(source)?;
            self.settled.insert(source.file.clone(), settled);
        }
        let (file, copies) = &self.settled[&source.file];
        let spelling = source.part.as_ref().map_or_else(|| file.clone(), |part| format!("{file}#{part}"));
        Ok(Target { spelling, copies: copies.clone() })
    }

    fn settle(&mut self, source: &Source) -> Result<(String, Vec<Copy>)> {
        if source.is_built_in() {
            return Ok((source.file.display().to_string(), Vec::new()));
        }
        if let Some(inside) = self.inside(&source.file) {
            return Ok((inside, Vec::new()));
        }
        let name = source.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = disk::read(&source.file)?;
        for number in 1..1000 {
            let numbered = numbered(&name, number);
            let to = self.folder.join(CLIPS).join(&numbered);
            if let Some(copy) = self.claim(&source.file, &to, &bytes)? {
                let mut copies: Vec<Copy> = copy.into_iter().collect();
                copies.extend(self.companions(source)?);
                return Ok((format!("{CLIPS}/{numbered}"), copies));
            }
        }
        Err(Error::new(format!(
            "{}: there are already 1000 other files with this name; rename this one",
            source.file.display()
        )))
    }

    /// Returns the path relative to the character's folder if the file is inside it.
    fn inside(&self, file: &Path) -> Option<String> {
        let (folder, file) = (self.folder.canonicalize().ok()?, file.canonicalize().ok()?);
        let relative = file.strip_prefix(folder).ok()?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        Some(parts.join("/"))
    }

    /// Returns the copy from `from` to `to`. Returns `Some(None)` if `to` already exists with the same bytes, and
    /// `None` if it exists with other bytes.
    fn claim(&mut self, from: &Path, to: &Path, bytes: &[u8]) -> Result<Option<Option<Copy>>> {
        let there = self.claimed.get(to).map(PathBuf::as_path).or_else(|| to.exists().then_some(to));
        match there {
            Some(there) if there.is_file() && disk::read(there)? == bytes => Ok(Some(None)),
            Some(_) => Ok(None),
            None => {
                self.claimed.insert(to.to_owned(), from.to_owned());
                Ok(Some(Some(Copy { from: from.to_owned(), to: to.to_owned() })))
            }
        }
    }

    /// Returns the copies of files that a `.gltf` references. These files keep their names, since the `.gltf` refers
    /// to them by name.
    fn companions(&mut self, source: &Source) -> Result<Vec<Copy>> {
        let mut copies = Vec::new();
        for name in &source.companions {
            let from = source.file.with_file_name(name);
            let to = self.folder.join(CLIPS).join(name);
            let another = || {
                Error::new(format!(
                    "{}: another file with this name exists at {}; save {} as .glb, or rename its files",
                    from.display(),
                    to.display(),
                    source.file.display()
                ))
            };
            let bytes = disk::read(&from)?;
            copies.extend(self.claim(&from, &to, &bytes)?.ok_or_else(another)?);
        }
        Ok(copies)
    }
}

/// Adds a number to a file name, except for the number 1: `wave.fbx`, `wave-2.fbx`, `wave-3.fbx`.
fn numbered(name: &str, number: usize) -> String {
    match (number, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (_, Some((stem, ending))) => format!("{stem}-{number}.{ending}"),
        (_, None) => format!("{name}-{number}"),
    }
}
