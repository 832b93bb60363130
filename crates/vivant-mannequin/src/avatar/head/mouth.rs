//! Lips and the inside of the mouth.
//!
//! Visemes open the lips, so the skin around the mouth consists of rings that follow the line between the lips, and a
//! vertex knows its angle and its distance from that line. [`ring`] returns one of these rings for the skin of the
//! head; during triangulation [`ajar`] opens the mouth slightly, so that the lips are apart. [`inside`], [`teeth`] and
//! [`tongue`] build separate patches behind the lips. [`lip`] is also used by the painter, so that colour and shape of
//! the lips agree.

use super::shape::Head;
use super::{Patch, Place, Spot};
use glam::Vec3;
use vivant::math::{cos32, sin32};

/// Number of vertices around the mouth.
pub(super) const ROUND: usize = 44;

/// The rings of vertices around the mouth, in metres from the line between the lips.
pub(super) const RINGS: [f32; 10] =
    [0.0, 0.0012, 0.0028, 0.0046, 0.0064, 0.0084, 0.0108, 0.0138, 0.0172, 0.021];

/// Distance from the line between the lips beyond which lip movements do not move the skin, in metres.
pub(super) const EDGE: f32 = 0.021;

/// Half the length of the line between the lips, in metres.
pub(super) const HALF_WIDTH: f32 = 0.0255;

/// Opening of the mouth while the skin is triangulated, in metres, so that the lips are apart.
const AJAR: f32 = 0.009;

/// Returns the height of the line between the lips at the sideways position `x`, in metres. At its ends it rises
/// slightly, like a faint smile.
pub(crate) fn line(x: f32) -> f32 {
    let share = (x.abs() / HALF_WIDTH).min(1.3);
    1.5056 + 0.0034 * share * share
}

/// Returns the redness of the face at a point seen from the front: 1 on the lips, 0 elsewhere.
pub(crate) fn lip(x: f32, y: f32) -> f32 {
    let share = x.abs() / (HALF_WIDTH * 0.99);
    if share >= 1.0 {
        return 0.0;
    }
    let round = (1.0 - share * share).sqrt();
    let above = y - line(x);
    // The upper lip has a bow, and the lower one is fuller.
    let bow = 1.0 - 0.22 * (1.0 - (share / 0.16).min(1.0));
    let height = if above > 0.0 { 0.0066 * bow * round } else { 0.0078 * round };
    let edge = (height - above.abs()) / 0.0007;
    (0.5 + 0.5 * edge).clamp(0.0, 1.0)
}

pub(super) fn angles() -> impl Iterator<Item = f32> {
    (0..ROUND).map(|i| i as f32 / ROUND as f32 * std::f32::consts::TAU)
}

/// Position of a ring's point seen from the front.
fn from_front(around: f32, out: f32) -> (f32, f32) {
    let x = (HALF_WIDTH + 0.66 * out) * cos32(around);
    (x, line(x) + out * sin32(around))
}

/// A ring of the lips' skin.
pub(super) fn ring(head: &Head, out: f32) -> Vec<Spot> {
    let spot = |around: f32| {
        let (x, y) = from_front(around, out);
        let mut at = head.seen_at(x, y);
        if out == 0.0 {
            at.z -= 0.0006; // the line lies slightly deeper than the visible surface
        }
        Spot { at, place: Place::Lip { around, out } }
    };
    angles().map(spot).collect()
}

/// Returns the position of a vertex during triangulation, when the mouth is slightly open.
pub(super) fn ajar(spot: &Spot) -> Vec3 {
    match spot.place {
        Place::Lip { around, out } => {
            let share = (1.0 - out / EDGE).max(0.0);
            spot.at + Vec3::Y * (AJAR * share * share * sin32(around))
        }
        _ => spot.at,
    }
}

/// Rings inside the mouth: depth in metres, width relative to the mouth, and height in metres.
const INSIDE: [(f32, f32, f32); 5] = [
    (0.004, 0.96, 0.0005),
    (0.009, 0.95, 0.0058),
    (0.017, 0.94, 0.0128),
    (0.034, 0.72, 0.0125),
    (0.044, 0.3, 0.004),
];

fn inner(at: Vec3, around: f32, (deep, wide, high): (f32, f32, f32)) -> Spot {
    let up = high * sin32(around);
    let at = Vec3::new(at.x * wide, at.y + up, at.z - deep);
    Spot { at, place: Place::Lip { around, out: -deep } }
}

/// Returns the first ring inside the mouth: the inner side of the lips, which is skin.
pub(super) fn lip_backs(lips: &[Spot]) -> Vec<Spot> {
    lips.iter().zip(angles()).map(|(lip, around)| inner(lip.at, around, INSIDE[0])).collect()
}

/// Builds the inside of the mouth.
pub(super) fn inside(head: &Head) -> Patch {
    let lips = ring(head, 0.0);
    let mut patch = Patch::default();
    let rings: Vec<Vec<u32>> = INSIDE
        .iter()
        .map(|depth| patch.ring(lips.iter().zip(angles()).map(|(l, a)| inner(l.at, a, *depth))))
        .collect();
    for pair in rings.windows(2) {
        patch.strip(&pair[0], &pair[1]);
    }
    let last = &rings[INSIDE.len() - 1];
    for i in 1..ROUND - 1 {
        patch.triangles.push([last[0], last[i], last[i + 1]]);
    }
    patch
}

/// Builds two rows of teeth, each a smooth band.
pub(super) fn teeth() -> Patch {
    let mut patch = Patch::default();
    for upper in [true, false] {
        row(upper, &mut patch);
    }
    patch
}

fn row(upper: bool, patch: &mut Patch) {
    const STEPS: usize = 20;
    // Cross-section of the band: height above its middle and outward offset, in millimetres.
    const PROFILE: [[f32; 2]; 7] =
        [[5.2, -3.5], [4.6, -0.4], [1.5, 0.2], [-2.5, 0.0], [-4.2, -0.7], [-4.6, -1.7], [-3.8, -3.2]];
    let (sign, wide, deep, middle) =
        if upper { (1.0, 0.0295, 0.034, 1.5108) } else { (-1.0, 0.0265, 0.0315, 1.4972) };
    let lines: Vec<Vec<u32>> = (0..=STEPS)
        .map(|i| {
            let angle = (i as f32 / STEPS as f32 - 0.5) * 2.7;
            let (s, c) = (sin32(angle), cos32(angle));
            let spots = PROFILE.map(|[up, out]| {
                let (up, out) = (up * 0.001 * sign * 0.92, out * 0.001);
                let at = Vec3::new((wide + out) * s, middle + up, 0.0515 + (deep + out) * c);
                // The corners of the mouth are at 0 and at half a turn. Teeth belong to the upper or the lower lip.
                Spot { at, place: Place::Lip { around: 1.57 * sign, out: -0.02 } }
            });
            patch.ring(spots)
        })
        .collect();
    for pair in lines.windows(2) {
        for i in 0..PROFILE.len() - 1 {
            let [a, b, c, d] = [pair[0][i], pair[0][i + 1], pair[1][i + 1], pair[1][i]];
            let quad = if upper { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            patch.triangles.extend(quad);
        }
    }
}

/// Builds the tongue, resting behind the lower teeth.
pub(super) fn tongue() -> Patch {
    const ROUND: usize = 14;
    const STEPS: usize = 9;
    let mut patch = Patch::default();
    let rings: Vec<Vec<u32>> = (0..=STEPS)
        .map(|i| {
            // From the tip back to the root.
            let along = i as f32 / STEPS as f32;
            let swell = (1.0 - (1.0 - along) * (1.0 - along) * (1.0 - along)).max(0.0).sqrt().max(0.04);
            let ring = (0..ROUND).map(|k| {
                let turn = k as f32 / ROUND as f32 * std::f32::consts::TAU;
                let (s, c) = (sin32(turn), cos32(turn));
                // A groove along the middle of its back.
                let groove = if s > 0.0 { 0.0012 * (1.0 - c.abs()) * along } else { 0.0 };
                let up = 1.4995 + 0.0042 * along - 0.006 * along * along;
                let at =
                    Vec3::new(0.0155 * swell * c, up + 0.0052 * swell * s - groove, 0.079 - 0.045 * along);
                Spot { at, place: Place::Lip { around: -1.57, out: -0.01 - 0.03 * along } }
            });
            patch.ring(ring)
        })
        .collect();
    for pair in rings.windows(2) {
        patch.strip(&pair[1], &pair[0]);
    }
    let tip = rings[0].clone();
    for k in 1..ROUND - 1 {
        patch.triangles.push([tip[0], tip[k], tip[k + 1]]);
    }
    patch
}
