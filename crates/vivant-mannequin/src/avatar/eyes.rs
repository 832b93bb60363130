//! Eyeballs. They are spheres with a pole at the pupil, so that the pupil can dilate.

use super::head::SIDES;
use super::mesh::{Material, Mesh, Move, Part, Shape, rigid};
use crate::figure::EYE_RADIUS;
use glam::{Quat, Vec2, Vec3};
use vivant::math::{cos32, sin32};
use vivant::rig::Bone;

/// Angular radius of the iris in degrees, seen from the middle of the eye.
pub(crate) const IRIS: f32 = 18.5;
/// Angular radius of the pupil at rest, in degrees.
pub(crate) const PUPIL: f32 = 7.6;
/// Angle from the pole that the texture covers, in degrees.
pub(crate) const TEXTURE: f32 = 60.0;
/// Maximum and minimum angular radius of the pupil, in degrees.
const PUPIL_RANGE: [f32; 2] = [11.5, 4.2];

/// Rings from the pole, in degrees. There are rings at the edges of pupil and iris. The rings are so dense that the
/// mesh differs from a sphere by at most a twentieth of a millimetre, because the lids slide on it. The last ring is
/// at the middle of the eyeball, so that no gaze direction shows the end of the mesh.
const RINGS: [f32; 19] = [
    3.8, PUPIL, 11.5, 15.5, IRIS, 20.0, 24.0, 29.5, 35.0, 40.5, 46.0, 51.5, 57.0, 62.5, 68.0, 73.5, 79.0,
    84.5, 90.0,
];
const ROUND: usize = 58;

/// Rotation of the eyes by the expressions for gaze directions, in degrees.
const LOOK: f32 = 22.0;

/// Builds both eyeballs.
pub(crate) fn eyes() -> Part {
    let mut mesh = Mesh::default();
    for side in SIDES {
        mesh.append(&eyeball(side));
    }
    Part { name: "eyes", material: Material::Eye, mesh }
}

fn eyeball(side: f32) -> Mesh {
    let bone = if side > 0.0 { Bone::LeftEye } else { Bone::RightEye };
    let turns = (0..ROUND).map(|k| k as f32 / ROUND as f32 * std::f32::consts::TAU);
    let ring = |degrees: f32| turns.clone().map(move |turn| (degrees, turn));
    let points: Vec<(f32, f32)> = [(0.0, 0.0)].into_iter().chain(RINGS.into_iter().flat_map(ring)).collect();
    let normals: Vec<Vec3> = points.iter().map(|(degrees, turn)| towards(*degrees, *turn)).collect();
    let middle = super::head::eye(side);
    Mesh {
        positions: normals.iter().map(|n| middle + *n * EYE_RADIUS).collect(),
        uvs: points.iter().map(|(degrees, turn)| uv(*degrees, *turn)).collect(),
        skins: vec![rigid(bone); points.len()],
        triangles: triangles(),
        shapes: shapes(side, &points, &normals),
        normals,
    }
}

fn towards(degrees: f32, turn: f32) -> Vec3 {
    let angle = degrees.to_radians();
    Vec3::new(sin32(angle) * cos32(turn), sin32(angle) * sin32(turn), cos32(angle))
}

/// Returns the texture coordinates. The texture is a disc, and everything beyond its edge has the colour of the edge.
fn uv(degrees: f32, turn: f32) -> Vec2 {
    Vec2::splat(0.5) + Vec2::new(cos32(turn), -sin32(turn)) * (0.5 * (degrees / TEXTURE).min(1.0))
}

fn triangles() -> Vec<[u32; 3]> {
    let at = |ring: usize, k: usize| (1 + ring * ROUND + k % ROUND) as u32;
    let fan = (0..ROUND).map(|k| [0, at(0, k), at(0, k + 1)]);
    let bands = (0..RINGS.len() - 1).flat_map(move |r| {
        (0..ROUND).flat_map(move |k| {
            let [a, b, c, d] = [at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)];
            [[a, d, c], [a, c, b]]
        })
    });
    fan.chain(bands).collect()
}

fn shapes(side: f32, points: &[(f32, f32)], normals: &[Vec3]) -> Vec<Shape> {
    let left = side > 0.0;
    let name = |left_name, right_name| if left { left_name } else { right_name };
    let look = |name, yaw: f32, pitch: f32| {
        let turn = Quat::from_rotation_y((yaw * LOOK).to_radians())
            * Quat::from_rotation_x((pitch * LOOK).to_radians());
        shape(name, normals, |n, _| turn * n)
    };
    let pupil = |name, wide: f32| {
        shape(name, normals, move |_, i| {
            let (degrees, turn) = points[i];
            towards(widened(degrees, wide), turn)
        })
    };
    vec![
        look(name("eyeLookUpLeft", "eyeLookUpRight"), 0.0, -1.0),
        look(name("eyeLookDownLeft", "eyeLookDownRight"), 0.0, 1.0),
        look(name("eyeLookOutLeft", "eyeLookOutRight"), side, 0.0),
        look(name("eyeLookInLeft", "eyeLookInRight"), -side, 0.0),
        pupil("pupilDilate", PUPIL_RANGE[0]),
        pupil("pupilConstrict", PUPIL_RANGE[1]),
    ]
}

/// Moves a point when the pupil changes its size. The iris is stretched or compressed, and its outer edge stays in
/// place.
fn widened(degrees: f32, pupil: f32) -> f32 {
    if degrees <= PUPIL {
        degrees / PUPIL * pupil
    } else if degrees < IRIS {
        IRIS - (IRIS - degrees) / (IRIS - PUPIL) * (IRIS - pupil)
    } else {
        degrees
    }
}

fn shape(name: &'static str, normals: &[Vec3], turned: impl Fn(Vec3, usize) -> Vec3) -> Shape {
    let moves = normals
        .iter()
        .enumerate()
        .map(|(i, n)| (i as u32, turned(*n, i) - *n))
        .filter(|(_, by)| by.length() > 1e-6)
        .map(|(vertex, by)| Move { vertex, by: by * EYE_RADIUS, normal: by })
        .collect();
    Shape { name, moves }
}
