//! Hands: a palm with the balls of thumb and little finger, and five fingers that taper.

use super::field::{along, bump, ellipsoid, ramp, sphere, subtraction, taper, union};
use super::mesh::Mesh;
use super::skinning::{Finger, fingers, hand_skin};
use super::surface::{lines, surface_on};
use glam::{Vec2, Vec3};

/// The left hand, from inside the cuff on.
pub(crate) fn left_hand() -> Mesh {
    let fingers = fingers();
    let planes = [
        lines(&[(0.648, 0.70, 0.0105), (0.70, 0.77, 0.0080), (0.77, 0.884, 0.0056)]),
        lines(&[(1.332, 1.352, 0.006), (1.352, 1.404, 0.0047)]),
        // A plane in the middle of each gap between fingers, so that no gap is lost.
        lines(&[
            (-0.0815, -0.0545, 0.0054),
            (-0.0545, -0.0332, 0.0054),
            (-0.0332, -0.0110, 0.0054),
            (-0.0110, 0.0130, 0.0054),
            (0.0130, 0.0700, 0.0060),
        ]),
    ];
    let (positions, normals, triangles) = surface_on(&|p| hand(p, &fingers), planes);
    let uvs = positions.iter().map(|p| Vec2::new(p.x, p.z) / 0.2).collect();
    let skins = positions.iter().map(|p| hand_skin(*p, &fingers)).collect();
    Mesh { positions, normals, uvs, skins, triangles, shapes: Vec::new() }
}

fn hand(p: Vec3, fingers: &[Finger; 5]) -> f32 {
    let palm = palm(p);
    // Far from the fingers there is nothing to blend.
    if p.x < 0.70 || palm > 0.12 {
        return palm;
    }
    let [thumb, others @ ..] = fingers;
    let nearest = others.iter().map(|f| finger(p, f)).fold(f32::INFINITY, f32::min);
    union(union(palm, nearest, 0.009), finger(p, thumb), 0.014)
}

/// Where the bones of the palm end, and how thick it is there.
const KNUCKLES: [([f32; 3], f32); 4] = [
    ([0.774, 1.3795, -0.003], 0.0122),
    ([0.776, 1.3815, -0.022], 0.0126),
    ([0.770, 1.3795, -0.042], 0.0120),
    ([0.760, 1.3755, -0.058], 0.0110),
];

fn palm(p: Vec3) -> f32 {
    let bones = KNUCKLES.iter().enumerate().map(|(k, (knuckle, radius))| {
        let wrist = Vec3::new(0.70, 1.379, -0.019 - 0.0075 * k as f32);
        taper(p, [wrist, Vec3::from(*knuckle)], [0.0145, *radius])
    });
    let slab = bones.reduce(|a, b| union(a, b, 0.012)).unwrap_or(f32::INFINITY);
    let wrist_scale = Vec3::new(1.0, 1.0, 0.82);
    let wrist_ends = [Vec3::new(0.655, 1.38, -0.03), Vec3::new(0.705, 1.379, -0.03)].map(|e| e * wrist_scale);
    let wrist = taper(p * wrist_scale, wrist_ends, [0.0215, 0.0195]);
    let thumb_ball = ellipsoid(p, Vec3::new(0.727, 1.3695, -0.001), Vec3::new(0.027, 0.0145, 0.0165));
    let little_ball = ellipsoid(p, Vec3::new(0.722, 1.3725, -0.047), Vec3::new(0.030, 0.012, 0.0135));
    let balls = union(thumb_ball, little_ball, 0.01);
    let full = union(union(slab, wrist, 0.022), balls, 0.016);
    subtraction(full, sphere(p, Vec3::new(0.747, 1.338, -0.027), 0.0295), 0.012)
}

/// A finger: thicker at the joints, thinner between them, with a soft pad at the tip.
fn finger(p: Vec3, finger: &Finger) -> f32 {
    let root = finger.points[0];
    if p.distance(root) > 0.14 {
        return p.distance(root) - 0.11;
    }
    (0..3).map(|k| phalanx(p, finger, k)).reduce(|a, b| union(a, b, 0.004)).unwrap_or(f32::INFINITY)
}

/// How thick fingers are beside their capsules.
const SLIM: f32 = 1.01;

fn phalanx(p: Vec3, finger: &Finger, k: usize) -> f32 {
    let ends = [finger.points[k], finger.points[k + 1]];
    let next = finger.radii.get(k + 1).copied().unwrap_or(finger.radii[k] * 0.9);
    let t = along(p, ends);
    let between = 1.0 - 0.035 * bump(t, 0.5, 0.5);
    let radius = (finger.radii[k] + (next - finger.radii[k]) * t) * SLIM * between;
    let axis = ends[0].lerp(ends[1], t);
    // The pad of a fingertip lies a little towards the palm.
    let pad = if k == 2 { 0.0006 * ramp(0.2, 0.8, t) } else { 0.0 };
    (p - axis + Vec3::Y * pad).length() - radius
}
