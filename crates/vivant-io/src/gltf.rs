//! Reads and writes glTF 2.0 and formats based on it: GLB, VRM 0.x, VRM 1.0 and VRMA.
//!
//! Many exporters write slightly invalid files. So the JSON is kept as it is. The fields that Vivant needs are checked
//! one by one, and errors contain their path. All other fields are ignored and written back unchanged.
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
mod nodes;
mod on_avatar;
mod repair;
mod repair_data;
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

/// Returns true if the bytes look like a GLB or glTF file.
#[must_use]
pub fn is_gltf(bytes: &[u8]) -> bool {
    container::is_gltf(bytes)
}

/// Reads a GLB, VRM, VRMA or glTF.
///
/// `fetch` returns the bytes of files that a `.gltf` refers to, by relative path. It is never called with a path
/// outside the file's own folder.
///
/// # Errors
/// If the file is truncated, is not glTF 2.0, has dangling references, or exceeds a [limit](crate::limits).
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

/// Reads the content of the file. The bones of a plain glTF, which the file does not state, are found later.
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

/// Writes a clip as a VRM animation. The clip must be fitted to the rig.
///
/// The rotations of both eyes become one gaze, because VRMA has only one. An expression becomes a preset if VRM has a
/// preset of that name, and a custom expression otherwise.
///
/// # Errors
/// If the rig has no hips, or the file would be too large.
pub fn write_vrma(rig: &Rig, clip: &Clip, warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    write::vrma(rig, clip, warnings)
}

/// Returns true if a glTF file has a mesh. Only its JSON is read.
#[must_use]
pub fn has_meshes(bytes: &[u8]) -> bool {
    let length =
        bytes.get(12..16).map_or(0, |four| four.iter().rev().fold(0, |sum, b| sum << 8 | usize::from(*b)));
    let json = bytes.get(20..20_usize.saturating_add(length)).unwrap_or(bytes);
    let json: Option<Value> = serde_json::from_slice(json).ok();
    json.is_some_and(|json| json["meshes"].as_array().is_some_and(|meshes| !meshes.is_empty()))
}

/// Writes the avatar's own GLB or VRM file and adds the clips as animations. The clips must be fitted to the avatar's
/// rig.
///
/// The content of the file is kept. Buffers and images that a `.gltf` stores in separate files are embedded, so that
/// the result is one GLB. `source` and `humanoid` must have been read from the same bytes.
///
/// # Errors
/// If the file cannot be read, is not the file of `source`, or would become too large.
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

/// Writes a GLB with only the rig's bones, named as in VRM, and the clips as animations.
///
/// # Errors
/// If the rig has no hips, or the file would be too large.
pub fn write_skeleton(rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    write::skeleton(rig, clips, warnings)
}
