//! From a file's bytes to a rig and clips.

use crate::error::{Error, Result, Warning};
use crate::retarget::Humanoid;
use crate::scene::Source;
use crate::{bvh, gltf, limits};
use vivant::clip::Clip;

/// A file, understood.
#[derive(Clone, Debug)]
pub struct Import {
    /// The file as its format has it.
    pub source: Source,
    /// The humanoid in it, if there is one.
    pub humanoid: Option<Humanoid>,
    /// Its animations in humanoid space; empty where there is no humanoid.
    pub clips: Vec<Clip>,
    /// Everything that was dropped or guessed, from reading to retargeting.
    pub warnings: Vec<Warning>,
}

/// Reads a file of any kind; the kind is told from the bytes, not from the name.
///
/// `name` is for messages and for clips that have no name of their own. `fetch` gives the bytes of a
/// file that this one refers to by a relative path (a `.gltf`'s buffers).
///
/// # Errors
/// If the bytes are of no known kind, break their format beyond repair, or exceed a [limit](limits).
pub fn import(name: &str, bytes: &[u8], fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Import> {
    let understood = read(name, bytes, fetch).and_then(|source| understand(name, source));
    understood.map_err(|error| error.in_file(name))
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
        "this is none of the formats that Vivant reads: VRM, VRMA, glTF, GLB, FBX or BVH. \
         Export it as one of these",
    ))
}

fn understand(name: &str, mut source: Source) -> Result<Import> {
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

/// A file's name without its folder and its ending.
fn stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}
