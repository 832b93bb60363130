//! Hands: a palm with the balls of the thumb and of the little finger, and five tapered fingers.

use super::field::{along, bump, capsule, ellipsoid, ramp, sphere, subtraction, taper, union};
use super::loft::{Loft, ball, charted, ring_about, without};
use super::mesh::{Mesh, rigid};
use super::skinning::{Finger, fingers, hand_skin, joint};
use super::surface::{lines, surface_on};
use glam::{Vec2, Vec3};
use vivant::rig::Bone;

/// Builds the left hand, starting inside the cuff.
pub(crate) fn left_hand() -> Mesh {
    let fingers = fingers();
    let planes = [
        lines(&[(0.648, 0.70, 0.0130), (0.70, 0.77, 0.0096), (0.77, 0.835, 0.0065), (0.835, 0.884, 0.0053)]),
        lines(&[(1.332, 1.352, 0.0066), (1.352, 1.404, 0.0050)]),
        // Put a grid plane in the middle of each gap between fingers, so that the mesh keeps all gaps.
        lines(&[
            (-0.0815, -0.0545, 0.0054),
            (-0.0545, -0.0332, 0.0054),
            (-0.0332, -0.0110, 0.0054),
            (-0.0110, 0.0130, 0.0054),
            (0.0130, 0.0700, 0.0060),
        ]),
    ];
    let net = without(surface_on(&|p| hand(p, &fingers), planes), |p| p.x < 0.663);
    let mut mesh = charted(net, |_| 0, |_, p| Vec2::new(p.x, p.z) / 0.2, |p| hand_skin(p, &fingers));
    fingers.iter().for_each(|finger| mesh.append(&nail(finger)));
    let wrist = joint(Bone::LeftHand);
    mesh.append(&ball(wrist, 0.0172, [10, 5], |p| hand_skin(p, &fingers)));
    mesh
}

/// Builds a nail, which protrudes from its fingertip by less than a millimetre.
fn nail(finger: &Finger) -> Mesh {
    let [.., joint, tip] = finger.points;
    let thumb = finger.bones[0] == Bone::LeftThumbMetacarpal;
    let way = (tip - joint).normalize();
    let back = if thumb { Vec3::new(-0.2, 0.85, 0.45) } else { Vec3::Y };
    let up = (back - way * back.dot(way)).normalize();
    let aside = up.cross(way);
    let radius = finger.radii[2];
    let middle = joint.lerp(tip, 0.66);
    let long = radius * if thumb { 0.66 } else { 0.62 };
    // Rings from the edge, which is under the skin, to the middle: relative size, and height over the finger's axis.
    let rings = [(1.0, 0.80), (1.0, 1.04), (0.8, 1.075), (0.02, 1.085)].map(|(size, high)| {
        ring_about(Vec3::Y, 8, |_, round| {
            let [across, along] = [round.x * 0.66 * size, round.z * size];
            // The nail is curved around the finger.
            let sink = across * across * 0.55 + 0.05 * (along + size);
            middle + aside * (across * radius) + way * (along * long) + up * ((high - sink) * radius)
        })
    });
    Loft { rings: &rings, repeat: 0.2 }.mesh(|_| rigid(finger.bones[2]))
}

/// Distance beyond which blends have no effect, in metres.
const FAR: f32 = 0.02;

fn hand(p: Vec3, fingers: &[Finger; 5]) -> f32 {
    let palm = palm(p);
    if p.x < 0.68 {
        return palm;
    }
    let [thumb, others @ ..] = fingers;
    let nearest = others.iter().map(|f| finger(p, f)).fold(f32::INFINITY, f32::min);
    union(union(palm, nearest, 0.009), finger(p, thumb), 0.014)
}

/// Ends of the palm bones, and their radius there, in metres.
const KNUCKLES: [([f32; 3], f32); 4] = [
    ([0.774, 1.3795, -0.003], 0.0122),
    ([0.776, 1.3815, -0.022], 0.0126),
    ([0.770, 1.3795, -0.042], 0.0120),
    ([0.760, 1.3755, -0.058], 0.0110),
];

fn palm(p: Vec3) -> f32 {
    let far = capsule(p, [Vec3::new(0.66, 1.377, -0.028), Vec3::new(0.762, 1.377, -0.028)], 0.048);
    if far > FAR {
        return far;
    }
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

/// Signed distance field of a finger. It is thicker at the joints, thinner between them, and has a soft pad at the tip.
fn finger(p: Vec3, finger: &Finger) -> f32 {
    // Far from the surface, a straight line approximates the finger.
    let [root, .., tip] = finger.points;
    let far = capsule(p, [root, tip], 0.016);
    if far > FAR {
        return far;
    }
    (0..3).map(|k| phalanx(p, finger, k)).reduce(|a, b| union(a, b, 0.004)).unwrap_or(f32::INFINITY)
}

/// Thickness of fingers relative to the capsules of the figure.
const SLIM: f32 = 1.01;

fn phalanx(p: Vec3, finger: &Finger, k: usize) -> f32 {
    let ends = [finger.points[k], finger.points[k + 1]];
    let next = finger.radii.get(k + 1).copied().unwrap_or(finger.radii[k] * 0.9);
    let t = along(p, ends);
    let between = 1.0 - 0.014 * bump(t, 0.5, 0.5);
    let radius = (finger.radii[k] + (next - finger.radii[k]) * t) * SLIM * between;
    let axis = ends[0].lerp(ends[1], t);
    // The pad of a fingertip is shifted slightly towards the palm.
    let pad = if k == 2 { 0.0006 * ramp(0.2, 0.8, t) } else { 0.0 };
    let out = p - axis + Vec3::Y * pad;
    // Knuckles protrude on the back of the hand, so that they stay round when the finger bends.
    let knuckle = if k == 0 { bump(t, 1.0, 0.3) } else { bump(t, 0.0, 0.3) };
    let back = out.normalize_or_zero().y.max(0.0);
    out.length() - radius - 0.0011 * knuckle * back
}
