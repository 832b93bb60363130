//! Biovision hierarchies.
use crate::error::Result;
use crate::scene::Source;
use vivant::clip::Clip;
use vivant::rig::Rig;

/// Whether the bytes look like a BVH.
#[must_use]
pub fn is_bvh(_bytes: &[u8]) -> bool {
    unimplemented!()
}

/// Reads a BVH.
pub fn read(_name: &str, _bytes: &[u8]) -> Result<Source> {
    unimplemented!()
}

/// A BVH of a clip that was fitted to the rig.
#[must_use]
pub fn write(_rig: &Rig, _clip: &Clip) -> String {
    unimplemented!()
}
