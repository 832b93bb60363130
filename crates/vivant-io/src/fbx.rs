//! FBX: what most animation packages hand over.
//!
//! The format is closed and has many dialects, so the bytes are read by [ufbx](https://ufbx.github.io),
//! which is C. It gets them from memory, with limits on memory and depth, and opens no file. What it
//! gives is brought into metres and Y up, and takes are sampled at the rate of their keys.
//!
//! Names that are no UTF-8 have their bad bytes replaced. Geometry is read only where an avatar can
//! blink, to see how.

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

/// Animation is packed well, so a file may grow this many times, and a small one may take some more.
const MEMORY_PER_BYTE: usize = 64;
const MEMORY_BASE: usize = 128 << 20;
const MEMORY_LIMIT: usize = 4 << 30;

/// Nothing sensible is farther away, in metres, or scaled more.
const LARGEST: f64 = 1e9;

/// Whether the bytes look like an FBX, binary or ASCII.
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
/// As [`parse`].
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

/// An FBX, before anyone has looked at its anatomy.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// All nodes, in metres and Y up. The first is the root of the file and has no name.
    ///
    /// They rest as they were bound to their skin, and else as they stand in the file.
    pub scene: Scene,
    /// The takes in which something moves, or that hold a pose.
    pub clips: Vec<NodeClip>,
    /// The blend shapes.
    pub expressions: Vec<SourceExpression>,
    /// What was dropped or guessed.
    pub warnings: Vec<Warning>,
}

/// The nodes, takes and shapes of an FBX.
///
/// # Errors
/// If ufbx cannot read it, or it is over a [limit](crate::limits).
pub fn parse(bytes: &[u8]) -> Result<Parsed> {
    let file = load(bytes, Geometry::Skip)?;
    limits::within("Objects", "nodes", file.nodes.len(), limits::MAX_NODES)?;
    limits::within("Objects", "takes", file.anim_stacks.len(), limits::MAX_CLIPS)?;
    if file.nodes.len() < 2 {
        return Err(Error::at("Objects", "there are no nodes in this FBX; export the skeleton with it"));
    }
    let mut warnings = problems(&file);
    let shapes = Shapes::new(&file)?;
    let stands: Vec<Transform> = file.nodes.iter().map(|n| transform(&n.local_transform)).collect();
    let rest = rest::find(&file, &stands, &mut warnings);
    let clips = takes::read(&file, &shapes, &stands, &rest, &mut warnings)?;
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

/// Whether meshes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Geometry {
    Read,
    /// With the pictures within, to be shown.
    Shown,
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
        ignore_embedded: geometry != Geometry::Shown,
        skip_skin_vertices: geometry == Geometry::Skip,
        skip_mesh_parts: true,
        load_external_files: false,
        node_depth_limit: limits::MAX_DEPTH as u32,
        file_format: ufbx::FileFormat::Fbx,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // Units and axes go into the nodes' own transforms, and leave no scale behind …
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        // … and so does what Maya calls segment scale compensation, as far as it can.
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        ..ufbx::LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| failure(&error))
}

/// An error of ufbx in our words. Its `info` is left out: asking for it panics when it holds half of
/// a character.
fn failure(error: &ufbx::Error) -> Error {
    let advice = match error.type_ {
        ufbx::ErrorType::EmptyFile | ufbx::ErrorType::TruncatedFile => {
            "; the file is cut off, export it again"
        }
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit | ufbx::ErrorType::OutOfMemory => {
            "; it unpacks to more than its size allows, export less at a time"
        }
        ufbx::ErrorType::NodeDepthLimit => "; the hierarchy is too deep",
        ufbx::ErrorType::UnsupportedVersion => "; export it as FBX 2013 (7.3) or newer",
        _ => "; it breaks the format, export it again",
    };
    Error::new(format!("ufbx cannot read this FBX: {}{advice}", error.description))
}

/// What ufbx mended, without what concerns geometry and textures.
fn problems(file: &ufbx::Scene) -> Vec<Warning> {
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

/// ufbx's transform; whatever in it is no number becomes no movement.
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
