//! Geometry for [`crate::lids`]: meshes at rest, and the offsets of morph targets. Broken or compressed parts are
//! skipped.

use crate::gltf::accessor::Accessors;
use crate::gltf::field::Field;
use crate::humanoid;
use crate::lids::{self, Face, MAX_VERTICES, Surface, Wanted};
use crate::scene::{LidNode, ShapeBind, Source, Transform};
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::cell::Cell;
use std::collections::BTreeSet;
use vivant::rig::{Bone, LidMap};

const MAX_TRIANGLES: usize = 2 * MAX_VERTICES;
/// Maximum number of morph target vertices that are read. Expressions may share targets, so a small file could request
/// the same vertices many times.
const MAX_MOVES: usize = 16 << 20;

/// Finds the expressions and bones that close the lids of an avatar. The effect of expressions is measured if
/// possible.
pub(super) fn lids(
    document: &Field<'_>,
    accessors: Accessors<'_>,
    source: &Source,
    axes: Quat,
) -> (LidMap, Vec<LidNode>) {
    let moves_lids = |name: &str| matches!(name, "blink" | "blinkLeft" | "eyeBlinkLeft");
    let has_blink = source.expressions.iter().any(|e| moves_lids(e.channel.name()));
    if !has_blink && !humanoid::has_lid_bones(&source.scene) {
        return (LidMap::default(), Vec::new());
    }
    let meshes = Meshes::read(document, accessors, source, axes);
    let map = lids::measure(&meshes, &source.expressions).unwrap_or_default();
    (map, lids::bones::find(source, axes, Some(&meshes.surface)))
}

/// The meshes of an avatar.
pub(super) struct Meshes<'a> {
    document: &'a Field<'a>,
    accessors: Accessors<'a>,
    source: &'a Source,
    humanoid_from_world: Affine3A,
    world: Vec<Transform>,
    parts: Vec<Part<'a>>,
    surface: Surface,
    moves_left: Cell<usize>,
}

/// A primitive of a mesh of a node.
struct Part<'a> {
    node: usize,
    targets: Field<'a>,
    /// Index of its first vertex in the vertex list of the surface, and number of vertices.
    first: usize,
    count: usize,
    /// Matrices of its joints (or its node), and the strongest joint of each vertex.
    matrices: Vec<Affine3A>,
    carriers: Vec<u16>,
}

impl Part<'_> {
    fn matrix(&self, vertex: usize) -> Affine3A {
        let carrier = self.carriers.get(vertex).map_or(0, |c| usize::from(*c));
        self.matrices.get(carrier).copied().unwrap_or(Affine3A::IDENTITY)
    }
}

impl<'a> Meshes<'a> {
    fn read(document: &'a Field<'a>, accessors: Accessors<'a>, source: &'a Source, axes: Quat) -> Self {
        let mut meshes = Self {
            document,
            accessors,
            source,
            humanoid_from_world: Affine3A::from_quat(axes),
            world: source.scene.rest_world(),
            parts: Vec::new(),
            surface: Surface::default(),
            moves_left: Cell::new(MAX_MOVES),
        };
        // Meshes with expressions come first, because the limits may exclude later meshes.
        let faces: BTreeSet<usize> =
            source.expressions.iter().flat_map(|e| &e.binds).map(|bind| bind.node).collect();
        let others = (0..source.scene.nodes().len()).filter(|node| !faces.contains(node));
        for node in faces.iter().copied().chain(others) {
            meshes.add_node(node);
        }
        meshes
    }

    fn add_node(&mut self, node: usize) -> Option<()> {
        let field = self.document.key("nodes").at(node);
        let mesh = field.key("mesh").whole().ok()??;
        let primitives = self.document.key("meshes").at(mesh).key("primitives");
        let (matrices, nodes) = self.carriers(node, &field);
        for primitive in primitives.items().ok()? {
            self.add_primitive(node, &primitive, &matrices, &nodes);
        }
        Some(())
    }

    /// Returns the matrices and the nodes of the joints of a node's skin; for a node without a skin, the matrix of the
    /// node and the node itself.
    fn carriers(&self, node: usize, field: &Field<'a>) -> (Vec<Affine3A>, Vec<usize>) {
        let world = |node: usize| self.humanoid_from_world * affine(&self.world[node]);
        let skin = field.key("skin").whole().ok().flatten().map(|s| self.document.key("skins").at(s));
        let joints = skin.as_ref().and_then(|skin| self.joints(skin)).filter(|joints| !joints.is_empty());
        let (Some(skin), Some(joints)) = (skin, joints) else {
            return (vec![world(node)], vec![node]);
        };
        let bind = self.accessors.named_by(&skin.key("inverseBindMatrices")).ok();
        let bind =
            bind.filter(|b| b.width == 16).and_then(|b| self.accessors.floats(&b).ok()).unwrap_or_default();
        let inverse = |joint: usize| {
            let columns = bind.get(16 * joint..16 * joint + 16).and_then(|c| <&[f32; 16]>::try_from(c).ok());
            columns.map_or(Affine3A::IDENTITY, |c| Affine3A::from_mat4(Mat4::from_cols_array(c)))
        };
        let matrices = joints.iter().enumerate().map(|(j, joint)| world(*joint) * inverse(j));
        (matrices.collect(), joints)
    }

    fn joints(&self, skin: &Field<'_>) -> Option<Vec<usize>> {
        let joints = skin.key("joints");
        let joint = |field: Field<'_>| field.index("node", self.world.len()).ok().flatten();
        joints.items().ok()?.map(joint).collect()
    }

    fn is_eye(&self, node: usize) -> bool {
        let eyes = [Bone::LeftEye, Bone::RightEye].into_iter().filter_map(|b| self.source.humanoid.node(b));
        eyes.into_iter().any(|eye| node == eye || self.source.scene.is_below(node, eye))
    }

    fn add_primitive(
        &mut self,
        node: usize,
        field: &Field<'a>,
        matrices: &[Affine3A],
        nodes: &[usize],
    ) -> Option<()> {
        const TRIANGLES: usize = 4;
        if field.key("mode").whole().ok()?.unwrap_or(TRIANGLES) != TRIANGLES {
            return None;
        }
        let attributes = field.key("attributes");
        let place = self.accessors.named_by(&attributes.key("POSITION")).ok()?;
        let first = self.surface.places.len();
        if place.width != 3 || place.count + first > MAX_VERTICES {
            return None;
        }
        let places = self.accessors.floats(&place).ok()?;
        let corners = self.corners(field, place.count)?;
        let carriers = if matrices.len() > 1 { self.strongest(&attributes, place.count) } else { None };
        let part = Part {
            node,
            targets: field.key("targets"),
            first,
            count: place.count,
            matrices: matrices.to_vec(),
            carriers: carriers.unwrap_or_default(),
        };
        let is_eye: Vec<bool> = nodes.iter().map(|node| self.is_eye(*node)).collect();
        for (vertex, at) in places.chunks_exact(3).enumerate() {
            let at = part.matrix(vertex).transform_point3(Vec3::new(at[0], at[1], at[2]));
            self.surface.places.push(at);
            let carrier = part.carriers.get(vertex).map_or(0, |c| usize::from(*c));
            self.surface.is_eye.push(is_eye.get(carrier).copied().unwrap_or(false));
            self.surface.carriers.push(nodes.get(carrier).map_or(u32::MAX, |node| *node as u32));
        }
        self.add_triangles(field, first, &corners, matrices);
        self.parts.push(part);
        Some(())
    }

    /// Returns the vertex indices of the corners, three per triangle.
    fn corners(&self, field: &Field<'a>, vertices: usize) -> Option<Vec<u32>> {
        let indices = field.key("indices");
        let room = 3 * (MAX_TRIANGLES - self.surface.triangles.len().min(MAX_TRIANGLES));
        if !indices.exists() {
            return (vertices <= room).then(|| (0..vertices as u32).collect());
        }
        let accessor = self.accessors.named_by(&indices).ok()?;
        if accessor.count > room {
            return None;
        }
        let corners = self.accessors.floats(&accessor).ok()?;
        // An f32 represents every index below `MAX_VERTICES` exactly.
        let is_here = |c: &f32| (*c as usize) < vertices;
        corners.iter().all(is_here).then(|| corners.iter().map(|c| *c as u32).collect())
    }

    /// Returns the strongest joint of each vertex.
    fn strongest(&self, attributes: &Field<'a>, vertices: usize) -> Option<Vec<u16>> {
        let read = |name: &str| {
            let accessor = self.accessors.named_by(&attributes.key(name)).ok()?;
            let fits = accessor.width == 4 && accessor.count == vertices;
            if fits { self.accessors.floats(&accessor).ok() } else { None }
        };
        let (joints, weights) = (read("JOINTS_0")?, read("WEIGHTS_0")?);
        let strongest = |(joints, weights): (&[f32], &[f32])| {
            let pairs = joints.iter().zip(weights);
            pairs.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(joint, _)| *joint as u16)
        };
        Some(joints.chunks_exact(4).zip(weights.chunks_exact(4)).map(strongest).collect())
    }

    fn add_triangles(&mut self, field: &Field<'a>, first: usize, corners: &[u32], matrices: &[Affine3A]) {
        let material = field.key("material").whole().ok().flatten();
        let material = material.map(|m| self.document.key("materials").at(m));
        let has_back = material.as_ref().is_some_and(|m| m.key("doubleSided").flag());
        let is_clear = material.is_some_and(|m| m.key("alphaMode").name() == "BLEND");
        // Mirroring turns triangles inside out, so glTF requires that their corners are read in reverse order.
        let is_mirrored = matrices.first().is_some_and(|m| m.matrix3.determinant() < 0.0);
        for corner in corners.chunks_exact(3) {
            let [a, b, c] = [corner[0], corner[1], corner[2]].map(|c| c + first as u32);
            self.surface.triangles.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
            self.surface.has_back.push(has_back);
            self.surface.is_clear.push(is_clear);
        }
    }

    /// Adds the offsets of a morph target to the wanted vertices.
    fn add_target(&self, part: &Part<'a>, bind: &ShapeBind, of: &[u32], out: &mut [Vec3]) -> Option<()> {
        let place = part.targets.at(bind.target).key("POSITION");
        let accessor = self.accessors.named_by(&place).ok()?;
        let start = of.partition_point(|v| (*v as usize) < part.first);
        let end = of.partition_point(|v| (*v as usize) < part.first + part.count);
        if accessor.width != 3 || accessor.count != part.count {
            return None;
        }
        let of = of.get(start..end).filter(|of| !of.is_empty())?;
        let cost = if accessor.field.key("sparse").exists() { accessor.count } else { of.len() };
        self.moves_left.set(self.moves_left.get().checked_sub(cost)?);
        let indices = of.iter().map(|v| *v as usize - part.first);
        let moves = self.accessors.some_floats(&accessor, indices.clone()).ok()?;
        for ((out, index), by) in out[start..end].iter_mut().zip(indices).zip(moves.chunks_exact(3)) {
            let by = Vec3::new(by[0], by[1], by[2]);
            *out += part.matrix(index).transform_vector3(by * bind.gain);
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
            self.add_target(part, bind, of.list(), out);
        }
    }
}

fn affine(t: &Transform) -> Affine3A {
    Affine3A::from_scale_rotation_translation(t.scale, t.rotation, t.translation)
}
