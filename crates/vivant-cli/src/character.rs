//! Reads characters with `vivant-host` and shows the progress on the terminal.

use crate::fault::Result;
use crate::report::Progress;
use std::path::Path;
pub(crate) use vivant_host::character::draft::Draft;
pub(crate) use vivant_host::character::{Character, MANIFEST, REPERTOIRE, repertoire_of};
use vivant_host::imported::ImportedFile;

/// Reads a character: a folder, its `character.toml`, or `builtin`.
pub(crate) fn load(path: &Path) -> Result<Character> {
    Character::load(path, &mut reading())
}

/// Reads a character or an avatar file. An avatar file gets the built-in repertoire.
pub(crate) fn load_or_wrap_avatar(path: &Path) -> Result<Character> {
    let _progress = Progress::spinner(format!("reading {}", path.display()));
    Character::load_or_wrap_avatar(path, &mut reading())
}

/// Reads a character that may have errors.
pub(crate) fn draft(path: &Path) -> Result<Draft> {
    Draft::read(path, &mut reading())
}

/// Imports a file, or the built-in character by its name.
pub(crate) fn import(path: &Path) -> Result<ImportedFile> {
    let _progress = Progress::spinner(format!("reading {}", path.display()));
    ImportedFile::load(path)
}

/// Returns a callback that shows the number of clips read so far.
pub(crate) fn reading() -> impl FnMut(usize, usize) {
    let mut bar = None;
    move |done, count| bar.get_or_insert_with(|| Progress::bar("reading clips", count)).at(done)
}
