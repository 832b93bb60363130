//! Trainers: a soft upper on a thick sole, with laces.

use super::field::{capsule, ellipsoid, intersection, ramp, taper, union};
use super::loft::{Loft, charted, reach, ring_about, without};
use super::mesh::Mesh;
use super::skinning::foot_skin;
use super::surface::{lines, surface_on};
use glam::{Vec2, Vec3};

/// Thickness of the sole in metres.
const SOLE: f32 = 0.026;

/// Builds the upper of the left shoe, from inside the sole to inside the trousers.
pub(crate) fn left_upper() -> Mesh {
    let planes = [
        lines(&[(0.032, 0.148, 0.0135)]),
        lines(&[(0.000, 0.135, 0.0140)]),
        lines(&[(-0.092, 0.11, 0.0160), (0.11, 0.21, 0.0130)]),
    ];
    let net = without(surface_on(&upper, planes), |p| p.y < 0.018 || p.y > 0.108);
    charted(net, |_| 0, |_, p| Vec2::new(p.x, p.z) / 0.04, foot_skin)
}

fn upper(p: Vec3) -> f32 {
    let toe_box = ellipsoid(p, Vec3::new(0.0895, 0.031, 0.112), Vec3::new(0.0425, 0.036, 0.073));
    let instep = taper(p, [Vec3::new(0.0895, 0.036, 0.105), Vec3::new(0.09, 0.078, 0.006)], [0.0335, 0.0375]);
    let heel = ellipsoid(p, Vec3::new(0.09, 0.040, -0.030), Vec3::new(0.0335, 0.060, 0.0385));
    let ankle = capsule(p, [Vec3::new(0.09, 0.06, -0.013), Vec3::new(0.09, 0.13, -0.014)], 0.0395);
    let waist = taper(p, [Vec3::new(0.091, 0.026, 0.10), Vec3::new(0.09, 0.034, -0.03)], [0.040, 0.032]);
    let low = union(union(toe_box, waist, 0.02), heel, 0.02);
    let whole = union(union(low, instep, 0.03), ankle, 0.02);
    intersection(intersection(whole, 0.014 - p.y, 0.006), p.y - 0.118, 0.006)
}

/// Signed distance to the outline of the sole in the horizontal plane.
fn outline(p: Vec3) -> f32 {
    let at = |x: f32, z: f32| Vec3::new(x, p.y, z);
    let back = taper(p, [at(0.0895, -0.036), at(0.0905, 0.045)], [0.0345, 0.0345]);
    let front = taper(p, [at(0.0915, 0.092), at(0.0875, 0.150)], [0.0450, 0.0405]);
    union(back, front, 0.06)
}

/// Builds the left sole with the laces. Its toe is slightly raised, as in a worn shoe.
pub(crate) fn left_sole() -> Mesh {
    let rows = [
        (0.0, -0.030),
        (0.0, -0.004),
        (0.0022, 0.0005),
        (0.011, 0.0022),
        (0.0205, 0.0015),
        (SOLE, -0.0020),
        (SOLE, -0.012),
    ];
    let rings: Vec<_> = rows.iter().map(|&(y, out)| sole_ring(y, out)).collect();
    let mut mesh = Loft { rings: &rings, repeat: 0.04 }.mesh(foot_skin);
    mesh.append(&tread());
    for z in [0.052, 0.072, 0.092] {
        mesh.append(&lace(z));
    }
    mesh
}

fn sole_ring(y: f32, out: f32) -> Vec<Vec3> {
    ring_about(Vec3::Y, 30, |_, way| {
        let way = Vec3::new(way.x * 0.48, 0.0, way.z).normalize();
        let axis = Vec3::new(0.09, 0.0, 0.06);
        let edge = axis + way * (reach(outline, axis, way) + out);
        // The rubber rises in front of the toes and leans back over them.
        let toe = ramp(0.12, 0.19, edge.z);
        let p = edge - way * (0.009 * toe * (y / SOLE) * (y / SOLE));
        let height = y * (1.0 + 0.25 * toe) + 0.006 * ramp(0.12, 0.20, edge.z);
        Vec3::new(p.x, height, p.z)
    })
}

/// Builds a lace across the instep. Half of it is inside the shoe.
fn lace(z: f32) -> Mesh {
    let half = 0.024 - 0.05 * (z - 0.05);
    let rings: Vec<_> = (0..5).map(|k| lace_ring(0.0895 + half * (k as f32 - 2.0) * 0.5, k, z)).collect();
    Loft { rings: &rings, repeat: 0.04 }.mesh(foot_skin)
}

fn lace_ring(x: f32, k: usize, z: f32) -> Vec<Vec3> {
    // Both ends of the lace are inside the shoe.
    let (radius, lift) = if k.is_multiple_of(4) { (0.0008, -0.001) } else { (0.0033, 0.0006) };
    let below = Vec3::new(x, 0.02, z);
    let top = below + Vec3::Y * (reach(upper, below, Vec3::Y) + lift);
    ring_about(Vec3::X, 5, |_, way| top + way * Vec3::new(1.0, 0.8, 1.3) * radius)
}

/// Builds the bottom of the sole.
fn tread() -> Mesh {
    let middle = Vec3::new(0.09, 0.0, 0.06);
    let edge = sole_ring(0.0, -0.030);
    let inner = edge.iter().map(|p| middle.lerp(*p, 0.02)).collect();
    Loft { rings: &[inner, edge], repeat: 0.04 }.mesh(foot_skin)
}
