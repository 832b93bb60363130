//! Reads clips to be added: from files, folders, or the built-in clips.
//!
//! [`Sources::read`] takes the paths that a user gave and returns every clip as a [`Source`]. A folder may also contain
//! files that are not clips or are damaged, so an unreadable file in a folder is skipped with a warning. A file that
//! the user named is different: it is listed in [`Sources::unread`], and [`Sources::require_all`] turns it into an
//! error. A file that is listed twice is read once. Nothing is copied or written here.

use super::Progress;
use crate::character::BUILT_IN;
use crate::disk;
use crate::imported::ImportedFile;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use vivant::clip::Clip;
use vivant_io::{Error, Result};
use vivant_io::{Warning, WarningCode};

/// A clip from a file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path of the file, as the user gave it or as found in a folder.
    pub file: PathBuf,
    /// The name of the clip in the file, if the file contains several clips.
    pub part: Option<String>,
    /// The motion, moved so that it starts at the origin.
    pub clip: Clip,
    /// Names of files that this file references: the buffers of a `.gltf`.
    pub companions: Vec<String>,
}

/// Clips from several files.
#[derive(Debug, Default)]
pub struct Sources {
    /// The clips.
    pub all: Vec<Source>,
    /// Files that the user gave but that cannot be read.
    pub unread: Vec<(PathBuf, Error)>,
    /// Warnings about files or data that were left out.
    pub warnings: Vec<Warning>,
}

/// The file extensions searched for in folders. Avatars (`.vrm`) are not clips.
const ENDINGS: [&str; 5] = ["bvh", "fbx", "glb", "gltf", "vrma"];

impl Source {
    pub(super) fn is_built_in(&self) -> bool {
        self.file.as_os_str() == BUILT_IN
    }

    /// Returns the name of the clip.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.part {
            Some(part) => part.clone(),
            None => self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Returns the path of the file and the name of the clip as `file#clip`, or only the path if the file contains a
    /// single clip.
    #[must_use]
    pub fn spelled(&self) -> String {
        match &self.part {
            Some(part) => format!("{}#{part}", self.file.display()),
            None => self.file.display().to_string(),
        }
    }
}

impl Sources {
    /// Reads all clips of files and folders. Unreadable files in a folder are skipped with a warning.
    #[must_use]
    pub fn read(paths: &[PathBuf], progress: Progress<'_>) -> Self {
        let mut sources = Self::default();
        let listed = sources.listed(paths);
        let count = listed.len();
        for (done, (path, was_named)) in listed.into_iter().enumerate() {
            progress(done, count);
            match (sources.file(&path), was_named) {
                (Ok(()), _) => {}
                (Err(fault), true) => sources.unread.push((path, fault)),
                (Err(fault), false) => {
                    let message = format!("skipped: {fault}");
                    sources.warnings.push(Warning::new(WarningCode::Dropped, path.display(), message));
                }
            }
        }
        sources
    }

    /// Returns the sources if all files were read.
    ///
    /// # Errors
    /// If files cannot be read; the error lists all of them.
    pub fn require_all(self) -> Result<Self> {
        if self.unread.is_empty() {
            return Ok(self);
        }
        Err(crate::authoring::join_errors(self.unread.into_iter().map(|(_, fault)| fault)))
    }

    /// Lists every file once. The flag is true if the user gave the path of the file, and false if the file was found
    /// in a given folder.
    fn listed(&mut self, paths: &[PathBuf]) -> Vec<(PathBuf, bool)> {
        let mut listed = Vec::new();
        for path in paths {
            if !path.is_dir() {
                listed.push((path.clone(), true));
                continue;
            }
            let inside = disk::all_below(path).into_iter().map(|name| path.join(name));
            let before = listed.len();
            listed.extend(inside.filter(|path| is_clip(path)).map(|path| (path, false)));
            if listed.len() == before {
                let fault = format!("{}: no clips in this folder", path.display());
                self.unread.push((path.clone(), Error::new(fault)));
            }
        }
        let mut seen = std::collections::HashSet::new();
        listed.retain(|(path, _)| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
        listed
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let (mut material, companions) = read(path)?;
        material.require_clips()?;
        self.warnings.extend(material.take_warnings());
        let several = material.clips.len() > 1 || path.as_os_str() == BUILT_IN;
        for clip in material.clips {
            let part = several.then(|| clip.name().to_owned());
            let clip = clip.anchored();
            self.all.push(Source { file: path.to_owned(), part, clip, companions: companions.clone() });
        }
        Ok(())
    }
}

fn is_clip(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ENDINGS.contains(&ending.as_str())
}

/// Reads a file. Also returns the names of the files that it references.
fn read(path: &Path) -> Result<(ImportedFile, Vec<String>)> {
    if path.as_os_str() == BUILT_IN {
        return Ok((ImportedFile::built_in(), Vec::new()));
    }
    let fetched = RefCell::new(Vec::new());
    let mut fetch = disk::neighbours(path);
    let material = ImportedFile::load_with(path, &mut |name| {
        fetched.borrow_mut().push(name.to_owned());
        fetch(name)
    })?;
    Ok((material, fetched.into_inner()))
}
