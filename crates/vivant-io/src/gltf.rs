//! glTF 2.0 and what is built on it: GLB, VRM 0.x, VRM 1.0 and VRMA.
//!
//! Avatars come from many exporters, and few of their files are free of faults. So the JSON is read
//! as it stands: what Vivant needs is checked, field by field, with the path of what is wrong; what
//! it does not need is never looked at, and is written back untouched.
//!
//! ```no_run
//! # fn main() -> vivant_io::Result<()> {
//! let bytes = std::fs::read("avatar.vrm").unwrap();
//! let source = vivant_io::gltf::read(&bytes, &mut |_| Err(vivant_io::Error::new("no other files")))?;
//! println!("{} has {} nodes", source.name, source.scene.nodes().len());
//! # Ok(())
//! # }
//! ```

mod accessor;
mod animation;
mod build;
mod container;
mod curve;
mod expressions;
mod face;
mod field;
mod gather;
mod mend_data;
mod nodes;
mod on_avatar;
mod repair;
#[cfg(test)]
mod tests;
mod vrm;
mod write;

use crate::error::{Result, Warning};
use crate::humanoid;
use crate::retarget::{self, Humanoid};
use crate::scene::{Kind, Scene, Source};
use accessor::Accessors;
pub use build::Builder;
use container::Container;
use field::Field;
use serde_json::Value;
use vivant::clip::Clip;
use vivant::rig::{LidMap, Rig};
use vrm::Vrm;

/// Whether the bytes look like a GLB or a glTF.
#[must_use]
pub fn is_gltf(bytes: &[u8]) -> bool {
    container::is_gltf(bytes)
}

/// Reads a GLB, VRM, VRMA or glTF.
///
/// `fetch` gives the bytes of the files that a `.gltf` refers to, by their path relative to it. It is
/// never asked for a path outside of the file's own folder.
///
/// # Errors
/// If the file is cut off, is not glTF 2.0, refers to what it does not have, or exceeds a
/// [limit](crate::limits).
pub fn read(bytes: &[u8], fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Source> {
    let container = Container::open(bytes, fetch)?;
    let mut source = scan(&container)?;
    if source.kind == Kind::Gltf {
        source.humanoid = humanoid::find(&source.scene, &mut source.warnings);
    }
    if source.kind != Kind::Vrma {
        let axes = retarget::humanoid_from_world(&source);
        let document = Field::root(&container.json);
        let lids = face::lids(&document, Accessors::new(&container), &source, axes);
        (source.lids, source.lid_bones) = lids;
    }
    Ok(source)
}

/// Everything that the file says of itself: the bones of a plain glTF are not found yet.
fn scan(container: &Container<'_>) -> Result<Source> {
    let document = Field::root(&container.json);
    let mut warnings = Vec::new();
    let vrm = Vrm::of(&document, &mut warnings);
    let mut nodes = nodes::read(&document, &mut warnings)?;
    let humanoid = vrm.humanoid(nodes.len(), &mut warnings)?;
    let bones: Vec<usize> = humanoid.iter().map(|(_, node)| node).collect();
    nodes::mark_joints(&document, &bones, &mut nodes)?;
    let scene = Scene::new(nodes)?;
    let shapes = expressions::Shapes::read(&document)?;
    let expressions = expressions::read(&vrm, &shapes, &mut warnings)?;
    let reader = animation::Reader {
        document: document.clone(),
        accessors: Accessors::new(container),
        nodes: scene.nodes(),
        shapes: &shapes,
        expressions: &expressions,
    };
    let clips = reader.read(&vrm, &mut warnings)?;
    let look_at = vrm.look_at(&mut warnings)?;
    Ok(Source {
        kind: vrm.kind,
        name: vrm.name(),
        scene,
        humanoid,
        rest: vrm.rest(),
        look_at,
        lids: LidMap::default(),
        lid_bones: Vec::new(),
        expressions,
        clips,
        warnings,
    })
}

/// A VRM animation of a clip that was fitted to the rig.
///
/// The eyes become VRMA's gaze, which is one for both. Expressions are presets where VRM has one of
/// the name, and custom otherwise.
///
/// # Errors
/// If the rig has no hips, or the file would be too large.
pub fn write_vrma(rig: &Rig, clip: &Clip, warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    write::vrma(rig, clip, warnings)
}

/// Whether there is a mesh in a glTF file, by its JSON alone.
#[must_use]
pub fn has_meshes(bytes: &[u8]) -> bool {
    let length =
        bytes.get(12..16).map_or(0, |four| four.iter().rev().fold(0, |sum, b| sum << 8 | usize::from(*b)));
    let json = bytes.get(20..20_usize.saturating_add(length)).unwrap_or(bytes);
    let json: Option<Value> = serde_json::from_slice(json).ok();
    json.is_some_and(|json| json["meshes"].as_array().is_some_and(|meshes| !meshes.is_empty()))
}

/// The avatar's own GLB or VRM with the clips, fitted to its rig, as animations.
///
/// Everything that the file has stays in it; buffers and images beside a `.gltf` are pulled in, so
/// that the result is one GLB. `source` and `humanoid` are what was read from the same bytes.
///
/// # Errors
/// If the file cannot be read any more, is another one than `source`, or would become too large.
pub fn write_on_avatar(
    avatar: &[u8],
    source: &Source,
    humanoid: &Humanoid,
    clips: &[Clip],
    fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let container = Container::open(avatar, fetch)?;
    let mut stage = on_avatar::Stage::new(&container.json, source, humanoid)?;
    let mut to = gather::gather(container, fetch, warnings)?;
    repair::repair(&mut to, warnings);
    for clip in clips {
        stage.add(&mut to, clip)?;
    }
    stage.finish(&mut to, warnings);
    to.finish()
}

/// A GLB with nothing but the rig's bones, named as in VRM, and the clips as animations.
///
/// # Errors
/// If the rig has no hips, or the file would be too large.
pub fn write_skeleton(rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    write::skeleton(rig, clips, warnings)
}
