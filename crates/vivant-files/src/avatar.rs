//! Files with avatars and motion.

use crate::disk;
use std::path::Path;
use vivant::clip::Clip;
use vivant_host::Avatar;
use vivant_io::{Error, Result, Warning};

/// Reads an avatar with all files that it refers to.
///
/// # Errors
/// If it cannot be read, or has no humanoid.
pub fn read(path: &Path) -> Result<Avatar> {
    let name = path.display().to_string();
    let import = vivant_io::import(&name, &disk::read(path)?, &mut disk::neighbours(path))?;
    Avatar::of_import(import).map_err(|error| error.in_file(name))
}

/// The motions of a file, and what was dropped or guessed, each with the file's name before it.
///
/// # Errors
/// If it cannot be read, or has no motion of a humanoid in it.
pub fn clips(path: &Path) -> Result<(Vec<Clip>, Vec<Warning>)> {
    let name = path.display().to_string();
    let import = vivant_io::import(&name, &disk::read(path)?, &mut disk::neighbours(path))?;
    let avatar = Avatar::of_import(import).map_err(|error| error.in_file(&name))?;
    if avatar.clips().is_empty() {
        return Err(Error::new("there is no animation in it; name a file with motion").in_file(name));
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let named =
        |warning: &Warning| Warning { place: format!("{file}: {}", warning.place), ..warning.clone() };
    let warnings = avatar.warnings().iter().map(named).collect();
    Ok((avatar.clips().to_vec(), warnings))
}
