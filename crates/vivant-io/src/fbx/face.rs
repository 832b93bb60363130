//! Geometry for [`crate::lids`]: meshes in bind pose, and the offsets of blend shapes.
//!
//! The module [`crate::lids`] measures how far each expression closes the eyes and needs triangles for that; everything
//! else in an avatar's FBX is read without geometry. [`lids()`] loads the file a second time, now with geometry, and
//! only if there is a blink expression. It returns the default map if the geometry does not match the source. Each
//! vertex is placed with the matrix of its strongest joint. The numbers of vertices and offsets are limited.

use super::{affine, rest};
use crate::lids::{self, Face, MAX_VERTICES, Surface, Wanted};
use crate::limits;
use crate::scene::{ShapeBind, Source};
use glam::{DAffine3, DVec3, Quat, Vec3};
use std::cell::Cell;
use vivant::rig::{Bone, LidMap};

const MAX_CORNERS: usize = 6 * MAX_VERTICES;
/// Maximum number of blend shape offsets that are read. Expressions may share blend shapes, so a small file could
/// request the same offsets many times.
const MAX_MOVES: usize = 16 << 20;

/// Measures the effect of an avatar's blend shapes on its lids. Returns the default map if the effect cannot be
/// measured.
///
/// `bytes` is the whole file, because geometry is read only here, and only if there is a blink expression.
pub(super) fn lids(bytes: &[u8], source: &Source, axes: Quat) -> LidMap {
    let moves_lids = |name: &str| matches!(name, "blink" | "blinkLeft" | "eyeBlinkLeft");
    if !source.expressions.iter().any(|e| moves_lids(e.channel.name())) {
        return LidMap::default();
    }
    let Ok(file) = super::load(bytes, super::Geometry::Read) else { return LidMap::default() };
    if file.nodes.len() != source.scene.nodes().len() {
        return LidMap::default();
    }
    let meshes = Meshes::read(&file, source, axes);
    lids::measure(&meshes, &source.expressions).unwrap_or_default()
}

/// The meshes of an avatar.
struct Meshes<'a> {
    source: &'a Source,
    parts: Vec<Part<'a>>,
    surface: Surface,
    moves_left: Cell<usize>,
}

/// A mesh with the matrices of its joints, and the strongest joint of each vertex.
struct Part<'a> {
    node: usize,
    shapes: Vec<Option<&'a ufbx::BlendShape>>,
    first: usize,
    count: usize,
    matrices: Vec<DAffine3>,
    carriers: Vec<u32>,
}

impl Part<'_> {
    fn matrix(&self, vertex: usize) -> DAffine3 {
        let carrier = self.carriers.get(vertex).map_or(0, |c| *c as usize);
        self.matrices.get(carrier).or(self.matrices.first()).copied().unwrap_or(DAffine3::IDENTITY)
    }
}

impl<'a> Meshes<'a> {
    fn read(file: &'a ufbx::Scene, source: &'a Source, axes: Quat) -> Self {
        let world: Vec<DAffine3> = source.scene.rest_world().iter().map(affine).collect();
        let axes = DAffine3::from_quat(axes.as_dquat());
        let world: Vec<DAffine3> = world.into_iter().map(|world| axes * world).collect();
        let mut meshes =
            Self { source, parts: Vec::new(), surface: Surface::default(), moves_left: Cell::new(MAX_MOVES) };
        // Meshes with blend shapes come first, because the limits may exclude later meshes.
        for has_shapes in [true, false] {
            for mesh in file.meshes.iter().filter(|m| m.blend_deformers.is_empty() != has_shapes) {
                meshes.add(mesh, &world);
            }
        }
        meshes
    }

    fn add(&mut self, mesh: &'a ufbx::Mesh, world: &[DAffine3]) -> Option<()> {
        let (first, count) = (self.surface.places.len(), mesh.vertices.len());
        let corners = 3 * self.surface.triangles.len() + mesh.vertex_indices.len();
        if first + count > MAX_VERTICES || corners > MAX_CORNERS {
            return None;
        }
        let instance = mesh.element.instances.first()?;
        let node = instance.element.typed_id as usize;
        let (matrices, nodes, carriers) = carriers(mesh, instance, world);
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| &*deformer.channels);
        let channels = channels.take(limits::MAX_SHAPES);
        let shape = |channel: &'a ufbx::Ref<ufbx::BlendChannel>| channel.target_shape.as_deref();
        let part = Part { node, shapes: channels.map(shape).collect(), first, count, matrices, carriers };
        for (vertex, place) in mesh.vertices.iter().enumerate() {
            let place = part.matrix(vertex).transform_point3(DVec3::new(place.x, place.y, place.z));
            let carrier = part.carriers.get(vertex).map_or(0, |c| *c as usize);
            let carrier = nodes.get(carrier).copied().unwrap_or(node);
            self.surface.places.push(place.as_vec3());
            self.surface.is_eye.push(self.is_eye(carrier));
            self.surface.carriers.push(carrier as u32);
        }
        let is_mirrored = part.matrix(0).matrix3.determinant() < 0.0;
        self.add_triangles(mesh, first, is_mirrored);
        self.parts.push(part);
        Some(())
    }

    fn add_triangles(&mut self, mesh: &ufbx::Mesh, first: usize, is_mirrored: bool) {
        for face in mesh.faces.iter() {
            let start = face.index_begin as usize;
            let corners = mesh.vertex_indices.get(start..start.saturating_add(face.num_indices as usize));
            let Some([a, others @ ..]) = corners else { continue };
            for pair in others.windows(2) {
                let [a, b, c] = [*a, pair[0], pair[1]].map(|corner| corner.saturating_add(first as u32));
                self.surface.triangles.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
                self.surface.has_back.push(false);
                self.surface.is_clear.push(false);
            }
        }
    }

    fn is_eye(&self, node: usize) -> bool {
        let eyes = [Bone::LeftEye, Bone::RightEye].into_iter().filter_map(|b| self.source.humanoid.node(b));
        eyes.into_iter().any(|eye| node == eye || self.source.scene.is_below(node, eye))
    }

    fn add_target(&self, part: &Part<'_>, bind: &ShapeBind, of: &Wanted, out: &mut [Vec3]) -> Option<()> {
        let shape = (*part.shapes.get(bind.target)?)?;
        self.moves_left.set(self.moves_left.get().checked_sub(shape.offset_vertices.len())?);
        for (vertex, by) in shape.offset_vertices.iter().zip(shape.position_offsets.iter()) {
            let vertex = *vertex as usize;
            let place = of.index_of(part.first + vertex);
            if let (Some(place), true) = (place, vertex < part.count) {
                let by = part.matrix(vertex).transform_vector3(DVec3::new(by.x, by.y, by.z));
                out[place] += by.as_vec3() * bind.gain;
            }
        }
        Some(())
    }
}

impl Face for Meshes<'_> {
    fn surface(&self) -> &Surface {
        &self.surface
    }

    fn binds(&self, expression: usize) -> Option<&[ShapeBind]> {
        self.source.expressions.get(expression).map(|expression| expression.binds.as_slice())
    }

    fn add_moves(&self, bind: &ShapeBind, of: &Wanted, out: &mut [Vec3]) {
        for part in self.parts.iter().filter(|part| part.node == bind.node) {
            self.add_target(part, bind, of, out);
        }
    }
}

/// Returns the matrices of a mesh's joints, their nodes, and the strongest joint of each vertex; for a mesh without a
/// skin, its own node counts as its only joint.
fn carriers(
    mesh: &ufbx::Mesh,
    node: &ufbx::Node,
    world: &[DAffine3],
) -> (Vec<DAffine3>, Vec<usize>, Vec<u32>) {
    let at = |node: &ufbx::Node| world.get(node.element.typed_id as usize).copied();
    let Some(skin) = mesh.skin_deformers.first().filter(|skin| !skin.clusters.is_empty()) else {
        let own = rest::matrix_of(&node.geometry_to_node).unwrap_or(DAffine3::IDENTITY);
        let world = at(node).unwrap_or(DAffine3::IDENTITY);
        return (vec![world * own], vec![node.element.typed_id as usize], Vec::new());
    };
    let matrix = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
        let bone = cluster.bone_node.as_ref().and_then(|bone| at(bone));
        let bind = rest::matrix_of(&cluster.geometry_to_bone);
        bone.zip(bind).map_or(DAffine3::IDENTITY, |(bone, bind)| bone * bind)
    };
    let node = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
        cluster.bone_node.as_ref().map_or(usize::MAX, |bone| bone.element.typed_id as usize)
    };
    let strongest = |vertex: &ufbx::SkinVertex| {
        let start = vertex.weight_begin as usize;
        let weights = skin.weights.get(start..start.saturating_add(vertex.num_weights as usize));
        let weights = weights.unwrap_or_default().iter();
        weights.max_by(|a, b| a.weight.total_cmp(&b.weight)).map_or(0, |weight| weight.cluster_index)
    };
    (
        skin.clusters.iter().map(matrix).collect(),
        skin.clusters.iter().map(node).collect(),
        skin.vertices.iter().map(strongest).collect(),
    )
}
