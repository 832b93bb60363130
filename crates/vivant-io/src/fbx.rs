//! FBX, by ufbx.
use crate::error::Result;
use crate::scene::Source;

/// Whether the bytes look like an FBX, binary or ASCII.
#[must_use]
pub fn is_fbx(_bytes: &[u8]) -> bool {
    unimplemented!()
}

/// Reads an FBX.
pub fn read(_bytes: &[u8]) -> Result<Source> {
    unimplemented!()
}
