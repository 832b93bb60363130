//! What a file may cost. Every reader stops at these, with an error that names the limit.

use crate::error::{Error, Result};

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: usize = 512 << 20;
/// The most nodes or joints in a file.
pub const MAX_NODES: usize = 16_384;
/// The deepest hierarchy.
pub const MAX_DEPTH: usize = 512;
/// The most animations in a file.
pub const MAX_CLIPS: usize = 1024;
/// The most samples (frames times animated nodes and shapes) of one animation: about a gigabyte.
pub const MAX_SAMPLES: usize = 32 << 20;
/// The longest name that is kept, in bytes.
pub const MAX_NAME_BYTES: usize = 1024;
/// The most shapes (blend shapes, morph targets) in a file.
pub const MAX_SHAPES: usize = 8192;

/// Fails if `found` is over `limit`, naming both.
///
/// # Errors
/// When it is.
pub fn within(place: &str, what: &str, found: usize, limit: usize) -> Result<()> {
    if found > limit {
        return Err(Error::at(place, format!("{found} {what}, and at most {limit} are read")));
    }
    Ok(())
}
