//! Reads FBX, the exchange format of most animation packages.
//!
//! The format is proprietary and has many dialects, so [ufbx](https://ufbx.github.io), a C library, parses the bytes.
//! ufbx reads from memory, with limits on memory and depth, and opens no files. The result is converted to metres and
//! Y up, and takes are sampled at the rate of their keys.
//!
//! In names, invalid UTF-8 is replaced. Geometry is read only if the avatar has a blink expression, to measure how far
//! it closes the eyes.

mod face;
mod model;
mod rest;
mod shapes;
mod takes;

use crate::error::{Error, Result, Warning, WarningCode};
use crate::humanoid;
use crate::limits;
use crate::scene::{Kind, Node, NodeClip, RestPose, Scene, Source, SourceExpression, Transform};
use crate::{lids, retarget};
use glam::{DAffine3, DVec3, Quat};
use shapes::Shapes;

/// Memory limit in bytes: a factor per byte of the file, plus a base for small files, up to a maximum. The factor is
/// large because animation compresses well.
const MEMORY_PER_BYTE: usize = 64;
const MEMORY_BASE: usize = 128 << 20;
const MEMORY_LIMIT: usize = 4 << 30;

/// Largest accepted coordinate in metres, and largest scale.
const LARGEST: f64 = 1e9;

/// Returns true if the bytes look like an FBX file, binary or ASCII.
#[must_use]
pub fn is_fbx(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let header = b"FBXHeaderExtension";
    start.starts_with(b"Kaydara FBX Binary")
        || text.starts_with(b"; FBX")
        || text.starts_with(b";") && text.windows(header.len()).any(|w| w == header)
        || text.starts_with(header)
}

/// Reads an FBX and finds the humanoid in it.
///
/// # Errors
/// See [`parse`].
pub fn read(bytes: &[u8]) -> Result<Source> {
    let Parsed { scene, clips, expressions, mut warnings } = parse(bytes)?;
    let humanoid = humanoid::find(&scene, &mut warnings);
    let mut source = Source {
        kind: Kind::Fbx,
        name: String::new(),
        lids: vivant::rig::LidMap::default(),
        lid_bones: Vec::new(),
        scene,
        humanoid,
        rest: RestPose::Unknown,
        expressions,
        look_at: vivant::rig::LookAt::default(),
        clips,
        warnings,
    };
    let axes = retarget::humanoid_from_world(&source);
    source.lids = face::lids(bytes, &source, axes);
    source.lid_bones = lids::bones::find(&source, axes, None);
    Ok(source)
}

pub use model::glb;

/// The content of an FBX, before a humanoid is searched for.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// All nodes, in metres and Y up. The first is the unnamed root of the file.
    ///
    /// Their rest pose is the bind pose of the skin, or the pose in the file if there is no usable bind pose.
    pub scene: Scene,
    /// The takes that contain motion or a pose.
    pub clips: Vec<NodeClip>,
    /// The blend shapes.
    pub expressions: Vec<SourceExpression>,
    /// Warnings about data that were dropped or guessed while reading.
    pub warnings: Vec<Warning>,
}

/// Parses the nodes, takes and blend shapes of an FBX.
///
/// # Errors
/// If ufbx cannot read the file, or a [limit](crate::limits) is exceeded.
pub fn parse(bytes: &[u8]) -> Result<Parsed> {
    let file = load(bytes, Geometry::Skip)?;
    limits::within("Objects", "nodes", file.nodes.len(), limits::MAX_NODES)?;
    limits::within("Objects", "takes", file.anim_stacks.len(), limits::MAX_CLIPS)?;
    if file.nodes.len() < 2 {
        return Err(Error::at("Objects", "this FBX has no nodes; export it with its skeleton"));
    }
    let mut warnings = ufbx_warnings(&file);
    let shapes = Shapes::new(&file)?;
    let file_pose: Vec<Transform> = file.nodes.iter().map(|n| transform(&n.local_transform)).collect();
    let rest = rest::find(&file, &file_pose, &mut warnings);
    let clips = takes::read(&file, &shapes, &file_pose, &rest, &mut warnings)?;
    let joints = rest::joints(&file);
    let nodes = file.nodes.iter().zip(&rest).zip(joints);
    let nodes = nodes.map(|((node, rest), is_joint)| Node {
        name: shortened(&node.element.name).to_owned(),
        parent: node.parent.as_ref().map(|parent| parent.element.typed_id as usize),
        rest: *rest,
        is_joint,
    });
    let scene = Scene::new(nodes.collect())?;
    Ok(Parsed { scene, clips, expressions: shapes.into_expressions(), warnings })
}

/// Amount of geometry to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Geometry {
    Read,
    /// With embedded images, for display.
    Display,
    Skip,
}

fn load(bytes: &[u8], geometry: Geometry) -> Result<ufbx::SceneRoot> {
    let memory = || ufbx::AllocatorOpts {
        memory_limit: bytes
            .len()
            .saturating_mul(MEMORY_PER_BYTE)
            .saturating_add(MEMORY_BASE)
            .min(MEMORY_LIMIT),
        ..ufbx::AllocatorOpts::default()
    };
    let options = ufbx::LoadOpts {
        temp_allocator: memory(),
        result_allocator: memory(),
        ignore_geometry: geometry == Geometry::Skip,
        ignore_animation: geometry != Geometry::Skip,
        ignore_embedded: geometry != Geometry::Display,
        skip_skin_vertices: geometry == Geometry::Skip,
        skip_mesh_parts: true,
        load_external_files: false,
        node_depth_limit: limits::MAX_DEPTH as u32,
        file_format: ufbx::FileFormat::Fbx,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // Units and axes are converted in the geometry and the transforms of the nodes, without an extra scale.
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        // Maya's segment scale compensation is applied to the transforms of child nodes, as far as possible.
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        ..ufbx::LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| failure(&error))
}

/// Converts a ufbx error. The field `info` is not used, because reading it panics if the text ends within a character.
fn failure(error: &ufbx::Error) -> Error {
    let advice = match error.type_ {
        ufbx::ErrorType::EmptyFile | ufbx::ErrorType::TruncatedFile => {
            "; the file is truncated, export it again"
        }
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit | ufbx::ErrorType::OutOfMemory => {
            "; it unpacks to more than allowed for its size, split it into several files"
        }
        ufbx::ErrorType::NodeDepthLimit => "; the hierarchy is too deep, flatten it",
        ufbx::ErrorType::UnsupportedVersion => "; export it as FBX 2013 (7.3) or newer",
        _ => "; the file is malformed, export it again",
    };
    Error::new(format!("ufbx cannot read this FBX: {}{advice}", error.description))
}

/// Returns warnings about repairs by ufbx, except for geometry and textures.
fn ufbx_warnings(file: &ufbx::Scene) -> Vec<Warning> {
    use ufbx::WarningType as T;
    let concerns = |w: &&ufbx::Warning| {
        matches!(w.type_, T::TruncatedArray | T::DuplicateConnection | T::UnsupportedVersion | T::BadUnicode)
            || matches!(w.type_, T::BadElementConnectedToRoot | T::DuplicateObjectId)
    };
    let warning = |w: &ufbx::Warning| {
        let message = format!("{} ({} times)", w.description, w.count.max(1));
        Warning::new(WarningCode::Malformed, "Objects", message)
    };
    file.metadata.warnings.iter().filter(concerns).map(warning).collect()
}

fn shortened(name: &str) -> &str {
    let mut end = name.len().min(limits::MAX_NAME_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// Converts a ufbx transform; non-finite or too large values become the identity.
fn transform(t: &ufbx::Transform) -> Transform {
    let vector = |v: &ufbx::Vec3, or: f64| DVec3::new(sane(v.x, or), sane(v.y, or), sane(v.z, or)).as_vec3();
    Transform {
        translation: vector(&t.translation, 0.0),
        rotation: rotation(&t.rotation),
        scale: vector(&t.scale, 1.0),
    }
}

fn rotation(q: &ufbx::Quat) -> Quat {
    let q = Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32);
    let length = q.length_squared();
    if length.is_finite() && length > 1e-12 { q.normalize() } else { Quat::IDENTITY }
}

fn sane(value: f64, or: f64) -> f64 {
    if value.abs() <= LARGEST { value } else { or }
}

fn affine(t: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        t.scale.as_dvec3(),
        t.rotation.as_dquat(),
        t.translation.as_dvec3(),
    )
}

#[cfg(test)]
mod tests;
