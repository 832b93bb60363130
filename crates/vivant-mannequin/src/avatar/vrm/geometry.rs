//! Vertices, triangles and morph targets as glTF accessors.
//!
//! A morph target moves only a small part of a face, so targets are sparse. A target that does not affect a primitive
//! moves one vertex by zero. glTF also allows accessors without data, but not all readers support them.

use crate::avatar::mesh::{Mesh, Move, Part, Skin};
use glam::Vec3;
use serde_json::{Value, json};
use vivant::rig::Expression;
use vivant_io::gltf::Builder;

const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Largest offset of a vertex in metres, and largest change of its normal, that is left out. A hundredth of a
/// micrometre is invisible.
const STILL: f32 = 1e-8;

/// The names of the morph targets, in the order of every primitive of a mesh.
#[derive(Debug, Default)]
pub(super) struct Targets(Vec<&'static str>);

impl Targets {
    /// Returns ARKit's shapes, the visemes, and other shapes of the parts. Returns an empty list if no part has
    /// shapes.
    pub(super) fn of(parts: &[Part]) -> Self {
        let known = Expression::arkit().chain(Expression::visemes()).map(Expression::name);
        let known: Vec<&'static str> = known.collect();
        let own = parts.iter().flat_map(|part| &part.mesh.shapes).map(|shape| shape.name);
        let mut others: Vec<&'static str> = own.clone().filter(|name| !known.contains(name)).collect();
        others.sort_unstable();
        others.dedup();
        if own.count() == 0 { Self::default() } else { Self(known.into_iter().chain(others).collect()) }
    }

    pub(super) fn names(&self) -> &[&'static str] {
        &self.0
    }

    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|n| *n == name)
    }
}

/// Writes a mesh of one material. The flag is true if the material has a texture.
pub(super) fn primitive(
    to: &mut Builder,
    mesh: &Mesh,
    (material, textured): (usize, bool),
    targets: &Targets,
) -> Value {
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(Vec3::to_array).collect();
    let normals: Vec<[f32; 3]> = mesh.normals.iter().map(Vec3::to_array).collect();
    let mut attributes = json!({
        "POSITION": push_bounded(to, &positions),
        "NORMAL": push_floats(to, &normals, "VEC3", Some(VERTICES)),
    });
    if textured {
        let uvs: Vec<[f32; 2]> = mesh.uvs.iter().map(glam::Vec2::to_array).collect();
        attributes["TEXCOORD_0"] = json!(push_floats(to, &uvs, "VEC2", Some(VERTICES)));
    }
    let (joints, weights) = push_skins(to, &mesh.skins);
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    let indices = push_triangles(to, mesh);
    let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
    if !targets.names().is_empty() {
        primitive["targets"] = push_targets(to, mesh, targets);
    }
    primitive
}

fn push_triangles(to: &mut Builder, mesh: &Mesh) -> usize {
    let indices = mesh.triangles.as_flattened();
    let short = mesh.positions.len() <= usize::from(u16::MAX);
    let bytes = if short { shorts(indices) } else { indices.iter().flat_map(|i| i.to_le_bytes()).collect() };
    let view = to.push_bytes(&bytes, Some(INDICES));
    let kind = if short { U16 } else { U32 };
    to.push(
        "accessors",
        json!({ "bufferView": view, "componentType": kind, "count": indices.len(), "type": "SCALAR" }),
    )
}

fn shorts(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| (*value as u16).to_le_bytes()).collect()
}

/// Writes joints as bytes and weights as normalised shorts.
fn push_skins(to: &mut Builder, skins: &[Skin]) -> (usize, usize) {
    let exact: Vec<([u8; 4], [u16; 4])> = skins.iter().map(exact_skin).collect();
    let joints: Vec<u8> = exact.iter().flat_map(|(joints, _)| *joints).collect();
    let weights: Vec<u8> =
        exact.iter().flat_map(|(_, weights)| weights.iter().flat_map(|w| w.to_le_bytes())).collect();
    let joints = to.push_bytes(&joints, Some(VERTICES));
    let weights = to.push_bytes(&weights, Some(VERTICES));
    let accessor = |view: usize, kind: u32| json!({ "bufferView": view, "componentType": kind, "count": skins.len(), "type": "VEC4" });
    let joints = to.push("accessors", accessor(joints, U8));
    let mut weights = accessor(weights, U16);
    weights["normalized"] = json!(true);
    (joints, to.push("accessors", weights))
}

/// Makes the weights sum to exactly 1, merges repeated bones, and sets unused bones to bone 0. Other programs require
/// all three.
fn exact_skin(skin: &Skin) -> ([u8; 4], [u16; 4]) {
    const ONE: f32 = u16::MAX as f32;
    let mut merged: Vec<(u8, f32)> = Vec::with_capacity(4);
    for (bone, share) in skin {
        match merged.iter_mut().find(|(joint, _)| usize::from(*joint) == bone.index()) {
            Some((_, sum)) => *sum += share.max(0.0),
            None => merged.push((bone.index() as u8, share.max(0.0))),
        }
    }
    let sum: f32 = merged.iter().map(|(_, share)| share).sum();
    let (mut joints, mut weights) = ([0; 4], [0; 4]);
    for (i, (joint, share)) in merged.iter().enumerate() {
        weights[i] = (share / sum.max(f32::MIN_POSITIVE) * ONE).round() as u16;
        joints[i] = if weights[i] > 0 { *joint } else { 0 };
    }
    let most = (0..4).max_by_key(|i| weights[*i]).unwrap_or_default();
    let others: u16 = (0..4).filter(|i| *i != most).map(|i| weights[i]).sum();
    weights[most] = u16::MAX - others;
    (joints, weights)
}

fn push_targets(to: &mut Builder, mesh: &Mesh, targets: &Targets) -> Value {
    let count = mesh.positions.len();
    let moves: Vec<Vec<Move>> = targets.names().iter().map(|name| moves_of(mesh, name)).collect();
    let nothing = moves.iter().any(Vec::is_empty).then(|| push_zero_target(to, count));
    let packed = Packed::push(to, &moves, count);
    let mut at = 0;
    let accessors = moves.iter().map(|moves| {
        let begin = at;
        at += moves.len();
        match moves.len() {
            0 => json!({ "POSITION": nothing, "NORMAL": nothing }),
            _ => packed.target(to, moves, begin, count),
        }
    });
    Value::Array(accessors.collect())
}

/// Returns the moves of a shape, ordered by vertex.
fn moves_of(mesh: &Mesh, name: &str) -> Vec<Move> {
    let shapes = mesh.shapes.iter().filter(|shape| shape.name == name);
    let is_seen = |m: &&Move| m.by.abs().max_element() > STILL || m.normal.abs().max_element() > STILL;
    let mut moves: Vec<Move> = shapes.flat_map(|shape| &shape.moves).filter(is_seen).copied().collect();
    moves.sort_by_key(|m| m.vertex);
    moves.dedup_by_key(|m| m.vertex);
    moves
}

fn push_zero_target(to: &mut Builder, count: usize) -> usize {
    let (first, nothing) = (to.push_bytes(&[0; 4], None), to.push_bytes(&[0; 12], None));
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": first, "componentType": U32 },
        "values": { "bufferView": nothing },
    });
    let zero = [0.0; 3];
    to.push(
        "accessors",
        json!({ "componentType": F32, "count": count, "type": "VEC3", "sparse": sparse, "min": zero, "max": zero }),
    )
}

/// All targets of a primitive in three buffer views: vertices, positions and normals.
struct Packed {
    views: [usize; 3],
    index_bytes: usize,
}

impl Packed {
    fn push(to: &mut Builder, moves: &[Vec<Move>], count: usize) -> Self {
        let all = || moves.iter().flatten();
        let short = count <= usize::from(u16::MAX);
        let vertices: Vec<u32> = all().map(|m| m.vertex).collect();
        let indices =
            if short { shorts(&vertices) } else { vertices.iter().flat_map(|v| v.to_le_bytes()).collect() };
        let bytes = |value: &dyn Fn(&Move) -> Vec3| -> Vec<u8> {
            all().flat_map(|m| value(m).to_array()).flat_map(f32::to_le_bytes).collect()
        };
        let lists = [indices, bytes(&|m| m.by), bytes(&|m| m.normal)];
        // Empty views are not allowed, and this one is never used.
        let view = |list: Vec<u8>| if list.is_empty() { 0 } else { to.push_bytes(&list, None) };
        Self { views: lists.map(view), index_bytes: if short { 2 } else { 4 } }
    }

    /// Returns the accessors of one target. Its moves start at index `begin` in the views.
    fn target(&self, to: &mut Builder, moves: &[Move], begin: usize, count: usize) -> Value {
        let kind = if self.index_bytes == 2 { U16 } else { U32 };
        let [vertices, places, normals] = self.views;
        let sparse = |values: usize| {
            json!({
                "count": moves.len(),
                "indices": {
                    "bufferView": vertices, "byteOffset": begin * self.index_bytes, "componentType": kind,
                },
                "values": { "bufferView": values, "byteOffset": begin * 12 },
            })
        };
        let accessor = |values: usize| json!({ "componentType": F32, "count": count, "type": "VEC3", "sparse": sparse(values) });
        let mut position = accessor(places);
        // Vertices that do not move have an offset of zero, which counts for the bounds.
        let still = (moves.len() < count).then_some([0.0; 3]);
        let values: Vec<[f32; 3]> = moves.iter().map(|m| m.by.to_array()).chain(still).collect();
        let (least, most) = bounds(&values);
        position["min"] = json!(least);
        position["max"] = json!(most);
        let position = to.push("accessors", position);
        json!({ "POSITION": position, "NORMAL": to.push("accessors", accessor(normals)) })
    }
}

fn bounds(values: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let fold = |start: f32, pick: fn(f32, f32) -> f32| {
        values.iter().fold([start; 3], |sum, v| std::array::from_fn(|i| pick(sum[i], v[i])))
    };
    (fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max))
}

fn push_bounded(to: &mut Builder, values: &[[f32; 3]]) -> usize {
    let view = to.push_bytes(&bytes_of(values), Some(VERTICES));
    let (least, most) = bounds(values);
    to.push(
        "accessors",
        json!({
            "bufferView": view, "componentType": F32, "count": values.len(), "type": "VEC3",
            "min": least, "max": most,
        }),
    )
}

/// Adds a list of vectors or matrices.
pub(super) fn push_floats<const N: usize>(
    to: &mut Builder,
    values: &[[f32; N]],
    kind: &str,
    target: Option<u32>,
) -> usize {
    let view = to.push_bytes(&bytes_of(values), target);
    to.push(
        "accessors",
        json!({ "bufferView": view, "componentType": F32, "count": values.len(), "type": kind }),
    )
}

fn bytes_of<const N: usize>(values: &[[f32; N]]) -> Vec<u8> {
    values.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect()
}
