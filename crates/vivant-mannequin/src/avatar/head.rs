//! The head: one skin from the crown to the chin, with openings for eyes and mouth.
//!
//! The shape is a signed distance field. Its vertices are found by rays: around the eyes from the middle of the
//! eyeball, around the mouth from the front, and elsewhere from the middle of the head. So the skin has rings of
//! vertices around every opening, along which lids and lips can slide. A Delaunay triangulation of the sphere of
//! directions connects the vertices. The position of a vertex on the face ([`Place`]) determines how expressions move
//! the vertex.

mod features;
mod lids;
mod mouth;
mod shape;
mod shapes;
mod triangulation;

pub(crate) use mouth::lip;
pub(crate) use shape::eye;

use super::mesh::{Material, Mesh, Move, Part, Shape, Skin, rigid};
use crate::look::Look;
use glam::{Vec2, Vec3};
use shape::Head;
use vivant::rig::Bone;

/// The two sides of the face, given by the sign of x.
pub(crate) const SIDES: [f32; 2] = [1.0, -1.0];

/// The position of a vertex on the face, as needed by expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// Anywhere else on the head.
    Free,
    /// On a lid.
    Lid {
        side: f32,
        /// Angle around the eye in radians: 0 is the outer corner, a quarter turn the middle of the upper lid.
        around: f32,
        /// Distance from the lid margin, in degrees seen from the middle of the eye.
        out: f32,
        /// Distance in front of the eyeball in metres; `None` if the vertex is on the skin.
        lift: Option<f32>,
    },
    /// On a lip or inside the mouth.
    Lip {
        /// Angle around the mouth in radians: 0 is the left corner, a quarter turn the middle of the upper lip.
        around: f32,
        /// Distance from the line between the lips in metres. It is negative inside the mouth.
        out: f32,
    },
}

/// A vertex of the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) at: Vec3,
    pub(crate) place: Place,
}

/// A surface of the face under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    pub(crate) spots: Vec<Spot>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Patch {
    /// Connects two rings with the same number of vertices.
    fn strip(&mut self, outer: &[u32], inner: &[u32]) {
        for i in 0..outer.len() {
            let j = (i + 1) % outer.len();
            self.triangles.push([outer[i], outer[j], inner[j]]);
            self.triangles.push([outer[i], inner[j], inner[i]]);
        }
    }

    fn push(&mut self, spot: Spot) -> u32 {
        self.spots.push(spot);
        self.spots.len() as u32 - 1
    }

    fn ring(&mut self, spots: impl IntoIterator<Item = Spot>) -> Vec<u32> {
        spots.into_iter().map(|spot| self.push(spot)).collect()
    }
}

/// Builds skin, lids, lashes, brows, and the inside of the mouth.
pub(crate) fn head(look: &Look) -> Vec<Part> {
    let head = Head::new(look);
    let mut parts = vec![finish(&head, "face", Material::Face, &triangulation::skin(&head))];
    parts.push(finish(&head, "mouth", Material::Mouth, &mouth::inside(&head)));
    parts.push(finish(&head, "teeth", Material::Teeth, &mouth::teeth()));
    parts.push(finish(&head, "tongue", Material::Tongue, &mouth::tongue()));
    parts.push(finish(&head, "lashes", Material::Lash, &lids::lashes(&head)));
    parts.push(finish(&head, "brows", Material::Lash, &features::brows(&head)));
    parts
}

/// Computes normals, skinning and expressions of a patch.
fn finish(head: &Head, name: &'static str, material: Material, patch: &Patch) -> Part {
    let positions: Vec<Vec3> = patch.spots.iter().map(|spot| spot.at).collect();
    let normals = Mesh::computed_normals(&positions, &patch.triangles);
    let shapes = shapes::tables(head, name, &patch.spots)
        .into_iter()
        .map(|(name, offsets)| bent(name, &positions, &normals, &patch.triangles, &offsets))
        .filter(|shape| !shape.moves.is_empty())
        .collect();
    let mesh = Mesh {
        uvs: positions.iter().map(|p| uv(*p)).collect(),
        skins: patch.spots.iter().map(|spot| skin(name, spot)).collect(),
        normals,
        positions,
        triangles: patch.triangles.clone(),
        shapes,
    };
    Part { name, material, mesh }
}

/// Returns texture coordinates. The texture is projected from the front and covers 30 cm around the height of the
/// eyes. At the back of the head it is shifted up, so that the lips do not appear on the nape.
fn uv(p: Vec3) -> Vec2 {
    let up = p.y - 1.585 + 0.9 * (0.03 - p.z).max(0.0);
    Vec2::new(0.5 + p.x / 0.3, (0.5 - up / 0.3).max(0.01))
}

/// Returns the skinning weights. The jaw moves everything below the mouth.
fn skin(part: &str, spot: &Spot) -> Skin {
    let share = shapes::jaw_share(part, spot);
    match share {
        0.0 => rigid(Bone::Head),
        _ => {
            let mut skin =
                [(Bone::Jaw, share), (Bone::Head, 1.0 - share), (Bone::Head, 0.0), (Bone::Head, 0.0)];
            skin.sort_by(|a, b| b.1.total_cmp(&a.1));
            skin
        }
    }
}

/// Creates a morph target from vertex offsets. Its normals are computed from the deformed surface.
fn bent(
    name: &'static str,
    positions: &[Vec3],
    normals: &[Vec3],
    triangles: &[[u32; 3]],
    offsets: &[Vec3],
) -> Shape {
    let there: Vec<Vec3> = positions.iter().zip(offsets).map(|(p, by)| *p + *by).collect();
    let bent = Mesh::computed_normals(&there, triangles);
    let moves = (0..positions.len())
        .map(|i| Move { vertex: i as u32, by: offsets[i], normal: bent[i] - normals[i] })
        // Movements by a hundredth of a millimetre and rotations by half a degree are not visible.
        .filter(|m| m.by.length() > 1e-5 || m.normal.length() > 0.01)
        .collect();
    Shape { name, moves }
}

/// Returns the vertices at the inner rims of the lids of the left and the right eye, each starting at the outer
/// corner.
#[cfg(test)]
pub(crate) fn rims(face: &Mesh) -> [Vec<u32>; 2] {
    // The rims are added to the skin before the last ring, which belongs to the mouth.
    let end = (face.positions.len() - mouth::ROUND) as u32;
    let [left, right] = [end - 2 * lids::ROUND as u32, end - lids::ROUND as u32];
    [(left..right).collect(), (right..end).collect()]
}

/// Returns the vertices of the upper lip, each with the vertex of the lower lip that it meets.
#[cfg(test)]
pub(crate) fn lip_pairs(_: &Mesh) -> Vec<[u32; 2]> {
    let first = 2 * (lids::RINGS.len() * lids::ROUND) as u32;
    let round = mouth::ROUND as u32;
    (1..round / 2).map(|i| [first + i, first + round - i]).collect()
}
