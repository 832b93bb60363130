//! glTF 2.0 and what is built on it: GLB, VRM 0.x, VRM 1.0 and VRMA.
use crate::error::{Result, Warning};
use crate::retarget::Humanoid;
use crate::scene::Source;
use vivant::clip::Clip;
use vivant::rig::Rig;

/// Whether the bytes look like a GLB or a glTF.
#[must_use]
pub fn is_gltf(_bytes: &[u8]) -> bool {
    unimplemented!()
}

/// Reads a GLB, VRM, VRMA or glTF.
pub fn read(_bytes: &[u8], _fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Source> {
    unimplemented!()
}

/// A VRM animation of a clip that was fitted to the rig.
pub fn write_vrma(_rig: &Rig, _clip: &Clip, _warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    unimplemented!()
}

/// The avatar's own GLB or VRM with the clips, fitted to its rig, as animations.
pub fn write_on_avatar(
    _avatar: &[u8],
    _source: &Source,
    _humanoid: &Humanoid,
    _clips: &[Clip],
    _fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
    _warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    unimplemented!()
}

/// A GLB with nothing but the rig's bones, named as in VRM, and the clips as animations.
pub fn write_skeleton(_rig: &Rig, _clips: &[Clip], _warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    unimplemented!()
}
