//! Hair in four styles, and ears.
//!
//! Hair is one closed surface and not a set of strands, which keeps the number of triangles small. Each style is a
//! signed distance field made of ellipsoids, capsules and cuts; [`surface`] converts it to triangles. [`hair`] returns
//! the parts for a look: the hair and, unless the style covers them, the ears. All parts are rigidly attached to the
//! head, so hair does not swing.

use super::field::{capsule, ellipse, ellipsoid, intersection, sphere, subtraction, union};
use super::mesh::{Material, Mesh, Part, rigid};
use super::surface::surface;
use crate::look::{HairStyle, Look};
use glam::{Vec2, Vec3};
use vivant::math::{atan2_32, cos32, sin32};
use vivant::rig::Bone;

/// Builds the hair and ears of a look.
pub(crate) fn hair(look: &Look) -> Vec<Part> {
    let style = look.hair_style;
    let (bounds, cell) = extent(style);
    let curls = curls();
    let hair = part("hair", Material::Hair, surface(&|p| distance(style, p, &curls), bounds, cell));
    if style == HairStyle::Bob {
        return vec![hair]; // it covers the ears
    }
    let bounds = [Vec3::new(0.07, 1.515, -0.045), Vec3::new(0.115, 1.605, 0.025)];
    let (positions, normals, triangles) = surface(&ear, bounds, Vec3::new(0.005, 0.0066, 0.0054));
    let other = mirrored(&positions, &normals, &triangles);
    let mut ears = part("ears", Material::Skin, (positions, normals, triangles));
    ears.mesh.append(&part("ear", Material::Skin, other).mesh);
    vec![hair, ears]
}

type Net = (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>);

fn mirrored(positions: &[Vec3], normals: &[Vec3], triangles: &[[u32; 3]]) -> Net {
    let mirror = |list: &[Vec3]| list.iter().map(|p| *p * Vec3::new(-1.0, 1.0, 1.0)).collect();
    (mirror(positions), mirror(normals), triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect())
}

/// Repeats of the texture around the head.
const ROUNDS: f32 = 5.0;

/// Makes a surface that is attached to the head. Its texture goes around the crown and hangs down.
fn part(name: &'static str, material: Material, (positions, normals, triangles): Net) -> Part {
    let round = |p: &Vec3| atan2_32(p.x, p.z + 0.015) / std::f32::consts::TAU * ROUNDS;
    let mut mesh = Mesh {
        uvs: positions.iter().map(|p| Vec2::new(round(p), (1.72 - p.y) / 0.3)).collect(),
        skins: vec![rigid(Bone::Head); positions.len()],
        positions,
        normals,
        triangles,
        shapes: Vec::new(),
    };
    close_seam(&mut mesh);
    Part { name, material, mesh }
}

/// Closes the seam at the back, where the texture ends and starts again. Vertices at the seam are duplicated with
/// their own texture coordinates.
fn close_seam(mesh: &mut Mesh) {
    for i in 0..mesh.triangles.len() {
        let triangle = mesh.triangles[i];
        let u = triangle.map(|v| mesh.uvs[v as usize].x);
        if u.into_iter().fold(f32::MIN, f32::max) - u.into_iter().fold(f32::MAX, f32::min) < ROUNDS / 2.0 {
            continue;
        }
        for (corner, u) in u.into_iter().enumerate().filter(|(_, u)| *u < 0.0) {
            let v = triangle[corner] as usize;
            mesh.triangles[i][corner] = mesh.positions.len() as u32;
            mesh.positions.push(mesh.positions[v]);
            mesh.normals.push(mesh.normals[v]);
            mesh.uvs.push(Vec2::new(u + ROUNDS, mesh.uvs[v].y));
            mesh.skins.push(mesh.skins[v]);
        }
    }
}

fn extent(style: HairStyle) -> ([Vec3; 2], Vec3) {
    let low = if style == HairStyle::Bob { 1.44 } else { 1.5 };
    ([Vec3::new(-0.135, low, -0.175), Vec3::new(0.135, 1.775, 0.115)], Vec3::splat(0.0124))
}

fn distance(style: HairStyle, p: Vec3, curls: &[Vec3]) -> f32 {
    match style {
        HairStyle::Short => short(p),
        HairStyle::Bob => bob(p),
        HairStyle::Bun => bun(p),
        HairStyle::Curls => curled(p, curls),
    }
}

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Returns the depth of the grooves between locks of hair, which run down from the crown.
fn locks(p: Vec3, crown: Vec3, depth: f32) -> f32 {
    let from = p - crown;
    let round = atan2_32(from.x, from.z);
    let away = (Vec2::new(from.x, from.z).length() / 0.05).min(1.0);
    let wave = cos32(round * 17.0 + 2.0 * sin32(from.y * 40.0)) + 0.6 * cos32(round * 29.0 + 1.3);
    depth * away * wave * 0.6
}

/// Signed distance field of the hair close to the skull.
fn cap(p: Vec3) -> f32 {
    ellipsoid(p, v(0.0, 1.617, -0.022), v(0.1015, 0.1055, 0.113))
}

/// Signed distance field of the opening for the face. Below the temples, the opening has no lower end.
fn window(p: Vec3, half_width: f32, top: f32) -> f32 {
    let above = ellipsoid(p, v(0.0, 1.585, 0.125), v(half_width, top - 1.585, 0.135));
    let tube = ellipse(Vec2::new(p.x, p.z - 0.125), Vec2::new(half_width, 0.135));
    union(above, intersection(tube, p.y - 1.585, 0.01), 0.012)
}

/// Returns a point in a coordinate system with the origin `middle`, which is rotated about the z axis by `lean`
/// radians.
fn turned(p: Vec3, middle: Vec3, lean: f32) -> Vec3 {
    let (from, s, c) = (p - middle, sin32(lean), cos32(lean));
    v(c * from.x + s * from.y, c * from.y - s * from.x, from.z)
}

/// Returns the field `hair` with a fringe that is swept from a parting to both sides.
fn fringe(p: Vec3, hair: f32) -> f32 {
    let long = ellipsoid(turned(p, v(0.022, 1.682, 0.052), -0.5), Vec3::ZERO, v(0.066, 0.024, 0.036));
    let short = ellipsoid(turned(p, v(-0.058, 1.678, 0.044), 0.85), Vec3::ZERO, v(0.044, 0.02, 0.034));
    let tip = capsule(p, [v(0.052, 1.664, 0.064), v(0.081, 1.618, 0.044)], 0.0105);
    union(union(hair, union(long, tip, 0.016), 0.02), short, 0.02)
}

fn bob(p: Vec3) -> f32 {
    let sides = ellipsoid(p, v(0.0, 1.552, -0.03), v(0.112, 0.105, 0.103));
    let hair = union(cap(p), sides, 0.05);
    // The neck is not covered, and the ends of the hair are level.
    let neck = ellipsoid(p, v(0.0, 1.45, 0.0), v(0.076, 0.085, 0.088));
    let hair = subtraction(hair, neck, 0.012);
    let hair = intersection(hair, 1.474 + 0.1 * (p.z + 0.02).abs() - p.y, 0.014);
    let hair = subtraction(hair, window(p, 0.0715, 1.672), 0.012);
    fringe(p, hair) + locks(p, v(-0.026, 1.7, 0.0), 0.0016)
}

fn short(p: Vec3) -> f32 {
    let hair = cap(p);
    // The hair goes around the ears, and down to the nape.
    let ears = capsule(p, [v(-0.15, 1.553, 0.0), v(0.15, 1.553, 0.0)], 0.036);
    let hair = subtraction(hair, ears, 0.014);
    let hair = intersection(hair, 1.522 + 0.25 * (p.z + 0.06).max(0.0) - p.y, 0.012);
    let hair = subtraction(hair, window(p, 0.0755, 1.678), 0.01);
    let top = ellipsoid(p, v(0.012, 1.7, 0.034), v(0.062, 0.03, 0.054));
    let quiff = capsule(p, [v(-0.03, 1.706, 0.066), v(0.052, 1.696, 0.066)], 0.0165);
    union(union(hair, top, 0.024), quiff, 0.02) + locks(p, v(-0.03, 1.7, -0.02), 0.0017)
}

fn bun(p: Vec3) -> f32 {
    let hair = ellipsoid(p, v(0.0, 1.615, -0.021), v(0.0985, 0.102, 0.1105));
    let ears = capsule(p, [v(-0.15, 1.556, -0.002), v(0.15, 1.556, -0.002)], 0.034);
    let hair = subtraction(hair, ears, 0.014);
    let hair = intersection(hair, 1.535 + 0.3 * (p.z + 0.06).max(0.0) - p.y, 0.012);
    let hair = subtraction(hair, window(p, 0.0745, 1.682), 0.01);
    let knot = sphere(p, v(0.0, 1.712, -0.102), 0.04);
    let spiral = locks(p, v(0.0, 1.712, -0.102), 0.0012);
    union(hair + locks(p, v(0.0, 1.68, -0.08), 0.0012), knot + spiral, 0.01)
}

/// Returns the positions of the curls. They cover the whole head except the face and the ears.
fn curls() -> Vec<Vec3> {
    const CURLS: usize = 90;
    let at = |i: usize| {
        let up = 1.0 - 1.36 * (i as f32 + 0.5) / CURLS as f32;
        let turn = i as f32 * 2.399_963;
        let flat = (1.0 - up * up).max(0.0).sqrt();
        v(flat * sin32(turn) * 0.1, 1.617 + up * 0.104, flat * cos32(turn) * 0.111 - 0.022)
    };
    let over_ear = |p: &Vec3| p.x.abs() > 0.07 && p.y < 1.6 && p.z > -0.04;
    (0..CURLS).map(at).filter(|p| window(*p, 0.078, 1.69) > 0.006 && !over_ear(p)).collect()
}

fn curled(p: Vec3, curls: &[Vec3]) -> f32 {
    const RADIUS: f32 = 0.0205;
    let ears = capsule(p, [v(-0.15, 1.553, 0.0), v(0.15, 1.553, 0.0)], 0.034);
    let hair = subtraction(cap(p), ears, 0.014);
    let hair = intersection(hair, 1.535 - p.y, 0.012);
    let hair = subtraction(hair, window(p, 0.076, 1.676), 0.01);
    let near = curls.iter().filter(|at| at.distance_squared(p) < 0.0016);
    near.fold(hair, |hair, at| union(hair, sphere(p, *at, RADIUS), 0.006))
}

fn ear(p: Vec3) -> f32 {
    let shell = ellipsoid(p, v(0.093, 1.566, -0.012), v(0.0105, 0.0285, 0.0185));
    let lobe = ellipsoid(p, v(0.0905, 1.542, -0.004), v(0.008, 0.0095, 0.0085));
    let bowl = ellipsoid(p, v(0.1055, 1.568, -0.008), v(0.0105, 0.019, 0.0115));
    subtraction(union(shell, lobe, 0.008), bowl, 0.005)
}
