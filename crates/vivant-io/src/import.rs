//! Imports a file: from its bytes to a rig and clips.
//!
//! Callers need not know the format of a file: [`import()`] detects it from the bytes, reads the file, and retargets
//! every animation to humanoid space. It returns an [`Import`] with the content, the humanoid, the clips and all
//! warnings. A file without a humanoid is not an error: its content is in [`Import::source`], and there are no clips.
//! The module does not open files itself. For other files that a file refers to, it calls the `fetch` function of the
//! caller.

use crate::error::{Error, Result, Warning};
use crate::retarget::Humanoid;
use crate::scene::Source;
use crate::{bvh, gltf, limits};
use vivant::clip::Clip;

/// The result of importing a file.
#[derive(Clone, Debug)]
pub struct Import {
    /// The content of the file before retargeting.
    pub source: Source,
    /// The humanoid in the file, if there is one.
    pub humanoid: Option<Humanoid>,
    /// The animations in humanoid space; empty if there is no humanoid.
    pub clips: Vec<Clip>,
    /// Everything that was dropped or guessed while reading and retargeting.
    pub warnings: Vec<Warning>,
}

/// Reads an avatar or motion file. The format is detected from the bytes, not from the file name.
///
/// `name` is used in messages and as the name of unnamed clips. `fetch` returns the bytes of a file that this one
/// refers to by a relative path, such as the buffers of a `.gltf`.
///
/// # Errors
/// If the format is unknown, the file is malformed beyond repair, or it exceeds a [limit](limits).
pub fn import(name: &str, bytes: &[u8], fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Import> {
    let imported = read(name, bytes, fetch).and_then(|source| retarget_all(name, source));
    imported.map_err(|error| error.in_file(name))
}

fn read(name: &str, bytes: &[u8], fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Source> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    if gltf::is_gltf(bytes) {
        return gltf::read(bytes, fetch);
    }
    if bvh::is_bvh(bytes) {
        return bvh::read(name, bytes);
    }
    #[cfg(feature = "fbx")]
    if crate::fbx::is_fbx(bytes) {
        return crate::fbx::read(bytes);
    }
    Err(Error::new(
        "unknown file format; Vivant reads VRM, VRMA, glTF, GLB, FBX and BVH. \
        Export the file as one of these",
    ))
}

fn retarget_all(name: &str, mut source: Source) -> Result<Import> {
    let mut warnings = std::mem::take(&mut source.warnings);
    let humanoid = Humanoid::new(&source, &mut warnings);
    let mut clips = Vec::new();
    if let Some(humanoid) = &humanoid {
        for clip in &source.clips {
            let mut clip = humanoid.retarget(&source, clip, &mut warnings)?;
            if clip.name().is_empty() {
                clip.set_name(stem(name));
            }
            clips.push(clip);
        }
    }
    Ok(Import { source, humanoid, clips, warnings })
}

/// Returns the file name without folder and extension.
fn stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}
