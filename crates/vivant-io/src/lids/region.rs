//! The part of a surface around an eye, split into connected pieces.

use super::view::Triangle;
use super::{Surface, Wanted};
use glam::Vec3;
use std::collections::HashMap;

/// Minimum offset of the vertices of the lid in a blink, as a share of the largest offset.
const LID_SHARE: f32 = 0.25;
/// Smallest offset in metres that counts as a movement by the blink.
const MIN_MOVE: f32 = 1e-5;

/// Returns the box in which a lid moves; `None` if nothing moves. If the blink closes both eyes, `side` selects one
/// of them (0 left, 1 right).
pub(super) fn lid_box(surface: &Surface, moves: &[Vec3], side: Option<usize>) -> Option<(Vec3, Vec3)> {
    let is_here = |place: Vec3| match side {
        Some(0) => place.x > 0.0,
        Some(_) => place.x < 0.0,
        None => true,
    };
    let here = || surface.places.iter().zip(moves).filter(|(place, _)| is_here(**place));
    let farthest = here().map(|(_, by)| by.length()).fold(0.0, f32::max);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for (place, by) in here().filter(|(_, by)| by.length() >= LID_SHARE * farthest) {
        low = low.min(*place).min(*place + *by);
        high = high.max(*place).max(*place + *by);
    }
    (farthest > MIN_MOVE && low.is_finite() && high.is_finite()).then_some((low, high))
}

/// A box that extends forward (+Z) without limit.
pub(super) struct Near {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Near {
    pub(super) fn meets(&self, [a, b, c]: [Vec3; 3]) -> bool {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let flat = |v: Vec3| v.truncate();
        flat(low).cmple(flat(self.high)).all() && high.cmpge(self.low).all()
    }
}

/// Triangles of a surface with their own vertex list.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// The vertices of the surface that are used here.
    pub(super) vertices: Wanted,
    /// The triangles. Corners are indices into the vertex list, and `surface` is a connected piece.
    pub(super) triangles: Vec<Triangle>,
    /// Number of pieces.
    pub(super) pieces: usize,
}

impl Region {
    /// Collects the opaque triangles in the box.
    pub(super) fn new(surface: &Surface, is_clear: &[bool], near: &Near) -> Self {
        let place = |corner: u32| surface.places.get(corner as usize).copied().unwrap_or(Vec3::NAN);
        let mut triangles: Vec<Triangle> = Vec::new();
        for (index, corners) in surface.triangles.iter().enumerate() {
            let is_clear = is_clear.get(index).copied().unwrap_or(false);
            if !is_clear && near.meets(corners.map(place)) {
                let has_back = surface.has_back[index];
                triangles.push(Triangle { corners: *corners, surface: 0, has_back });
            }
        }
        let vertices = Wanted::new(surface.places.len(), triangles.iter().flat_map(|t| t.corners));
        for corner in triangles.iter_mut().flat_map(|t| &mut t.corners) {
            *corner = vertices.index_of(*corner as usize).unwrap_or(0) as u32;
        }
        let mut region = Self { vertices, triangles, pieces: 0 };
        region.number_pieces(surface);
        region
    }

    /// Numbers the connected pieces. Vertices at the same position count as one, since files split them at texture
    /// seams. Vertices of eye bones are separate from the rest.
    fn number_pieces(&mut self, surface: &Surface) {
        let mut first_at = HashMap::new();
        let mut group: Vec<usize> = (0..self.vertices.list().len()).collect();
        for (index, vertex) in self.vertices.list().iter().enumerate() {
            let vertex = *vertex as usize;
            let key = (surface.places[vertex].to_array().map(f32::to_bits), surface.is_eye[vertex]);
            group[index] = *first_at.entry(key).or_insert(index);
        }
        for triangle in &self.triangles {
            let [a, b, c] = triangle.corners.map(|c| root(&mut group, c as usize));
            let is_eye = |corner: usize| surface.is_eye[self.vertices.list()[corner] as usize];
            for (one, other) in [(a, b), (b, c), (a, c)].into_iter().filter(|(p, q)| is_eye(*p) == is_eye(*q))
            {
                let (one, other) = (root(&mut group, one), root(&mut group, other));
                group[one] = other;
            }
        }
        let mut numbers = HashMap::new();
        for triangle in &mut self.triangles {
            let count = numbers.len() as u32;
            let piece = root(&mut group, triangle.corners[0] as usize);
            triangle.surface = *numbers.entry(piece).or_insert(count);
        }
        self.pieces = numbers.len();
    }
}

/// Returns the root of a group (union-find with path halving).
fn root(group: &mut [usize], mut member: usize) -> usize {
    while group[member] != member {
        group[member] = group[group[member]];
        member = group[member];
    }
    member
}
