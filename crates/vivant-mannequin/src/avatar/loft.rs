//! Builds meshes: nets with texture charts, bands through rings, balls, and mirror images of meshes.

use super::mesh::{Mesh, Skin, rigid};
use super::surface::Net;
use glam::{Vec2, Vec3};
use std::collections::HashMap;
use std::f32::consts::TAU;
use vivant::math::{cos32, sin32};

/// Adds texture coordinates to a net. Each triangle belongs to the chart of its middle. A vertex between two charts
/// is duplicated, with one copy in each chart.
pub(crate) fn charted(
    (positions, normals, triangles): Net,
    chart: impl Fn(Vec3) -> usize,
    uv: impl Fn(usize, Vec3) -> Vec2,
    skin: impl Fn(Vec3) -> Skin,
) -> Mesh {
    let mut mesh = Mesh::default();
    let mut known: HashMap<(u32, usize), u32> = HashMap::with_capacity(positions.len() * 2);
    for triangle in triangles {
        let middle: Vec3 = triangle.iter().map(|&i| positions[i as usize]).sum::<Vec3>() / 3.0;
        let chart = chart(middle);
        let corners = triangle.map(|i| {
            *known.entry((i, chart)).or_insert_with(|| {
                let (p, n) = (positions[i as usize], normals[i as usize]);
                mesh.positions.push(p);
                mesh.normals.push(n);
                mesh.uvs.push(uv(chart, p));
                mesh.skins.push(skin(p));
                mesh.positions.len() as u32 - 1
            })
        });
        mesh.triangles.push(corners);
    }
    mesh
}

/// Removes triangles whose corners are all hidden.
pub(crate) fn without((positions, normals, triangles): Net, hidden: impl Fn(Vec3) -> bool) -> Net {
    let hidden: Vec<bool> = positions.iter().map(|p| hidden(*p)).collect();
    let seen = |t: &[u32; 3]| !t.iter().all(|&i| hidden[i as usize]);
    (positions, normals, triangles.into_iter().filter(seen).collect())
}

/// Returns `count` points around an axis (X or Y) in right-handed order. `at` returns the point for an index and an
/// outward direction.
pub(crate) fn ring_about(axis: Vec3, count: usize, at: impl Fn(usize, Vec3) -> Vec3) -> Vec<Vec3> {
    let (u, v) = if axis == Vec3::X { (Vec3::Y, Vec3::Z) } else { (Vec3::Z, Vec3::X) };
    (0..count)
        .map(|k| {
            let turn = TAU * k as f32 / count as f32;
            at(k, u * cos32(turn) + v * sin32(turn))
        })
        .collect()
}

/// Returns the distance of a field's surface from the point `axis` in the direction `way`, in metres, up to 0.3 m.
pub(crate) fn reach(field: impl Fn(Vec3) -> f32, axis: Vec3, way: Vec3) -> f32 {
    let (mut inside, mut outside) = (0.0, 0.3);
    for _ in 0..14 {
        let middle = 0.5 * (inside + outside);
        if field(axis + way * middle) < 0.0 { inside = middle } else { outside = middle }
    }
    0.5 * (inside + outside)
}

/// A band through rings with equal numbers of points. It faces outwards while the rings advance along the axis, and
/// inwards while they go back.
pub(crate) struct Loft<'a> {
    pub(crate) rings: &'a [Vec<Vec3>],
    /// Length that one repeat of the texture covers, in metres.
    pub(crate) repeat: f32,
}

impl Loft<'_> {
    pub(crate) fn mesh(&self, skin: impl Fn(Vec3) -> Skin) -> Mesh {
        let count = self.rings[0].len();
        let flat: Vec<Vec3> = self.rings.concat();
        let welded = self.triangles(count, |row, k| row * count + k % count);
        let normals = Mesh::computed_normals(&flat, &welded);
        let around: f32 = (0..count).map(|k| self.rings[1][k].distance(self.rings[1][(k + 1) % count])).sum();
        let repeats = (around / self.repeat).round().max(1.0);
        let mut mesh =
            Mesh { triangles: self.triangles(count, |r, k| r * (count + 1) + k), ..Mesh::default() };
        let mut along = 0.0;
        for row in 0..self.rings.len() {
            along += if row > 0 { self.rings[row][0].distance(self.rings[row - 1][0]) } else { 0.0 };
            for k in 0..=count {
                let index = row * count + k % count;
                mesh.positions.push(flat[index]);
                mesh.normals.push(normals[index]);
                mesh.uvs.push(Vec2::new(repeats * k as f32 / count as f32, along / self.repeat));
                mesh.skins.push(skin(flat[index]));
            }
        }
        mesh
    }

    fn triangles(&self, count: usize, index: impl Fn(usize, usize) -> usize) -> Vec<[u32; 3]> {
        let corner = |row, k| index(row, k) as u32;
        (0..self.rings.len() - 1)
            .flat_map(|row| (0..count).map(move |k| (row, k)))
            .flat_map(|(r, k)| {
                let [a, b, c, d] = [corner(r, k), corner(r, k + 1), corner(r + 1, k + 1), corner(r + 1, k)];
                [[a, b, c], [a, c, d]]
            })
            .collect()
    }
}

/// Builds a ball inside a joint, which keeps the joint thick when it bends and twists. `parts` are the numbers of
/// divisions around the ball and from bottom to top.
pub(crate) fn ball(centre: Vec3, radius: f32, parts: [usize; 2], skin: impl Fn(Vec3) -> Skin) -> Mesh {
    let rings: Vec<_> = (0..=parts[1])
        .map(|row| {
            // Rows go from bottom to top. The poles are tiny rings.
            let lift = (row as f32 / parts[1] as f32 - 0.5) * (TAU * 0.5 - 0.02);
            let (out, up) = (cos32(lift) * radius, sin32(lift) * radius);
            ring_about(Vec3::Y, parts[0], |_, way| centre + way * out + Vec3::Y * up)
        })
        .collect();
    // A ball looks the same in every rotation, so a single bone is enough.
    let carrier = rigid(skin(centre)[0].0);
    Loft { rings: &rings, repeat: 0.04 }.mesh(|_| carrier)
}

/// Returns the mirror image of a mesh.
pub(crate) fn mirrored(mesh: &Mesh) -> Mesh {
    let flip = |v: &Vec3| Vec3::new(-v.x, v.y, v.z);
    Mesh {
        positions: mesh.positions.iter().map(flip).collect(),
        normals: mesh.normals.iter().map(flip).collect(),
        uvs: mesh.uvs.clone(),
        skins: mesh.skins.iter().map(|skin| skin.map(|(bone, share)| (bone.mirrored(), share))).collect(),
        triangles: mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
        shapes: Vec::new(),
    }
}
