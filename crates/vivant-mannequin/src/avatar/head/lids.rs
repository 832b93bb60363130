//! Lids: skin that slides over the eyeball, with lashes.
//!
//! A blink moves a lid over a sphere, but a morph target moves vertices along straight lines. A vertex is therefore
//! defined by its angle around the eye and its distance from the margin, and [`place`] computes its position for any
//! [`Lids`], from which the morph targets are made. [`ring`] and [`rim`] return the vertices for the skin of the head,
//! and [`lashes`] builds the lashes as a separate patch.

use super::shape::{Head, LID_THICKNESS, eye};
use super::{Patch, Place, SIDES, Spot};
use crate::figure::EYE_RADIUS;
use glam::Vec3;
use vivant::math::{cos32, pow32, sin32};

/// Number of vertices around an eye.
pub(super) const ROUND: usize = 44;

/// The rings of vertices around an eye, in degrees from the margin.
pub(super) const RINGS: [f32; 8] = [0.0, 1.2, 2.8, 5.0, 7.6, 10.6, 13.8, 17.0];

/// Border between the lids' skin and the face, in degrees from the margin.
const EDGE: f32 = 17.0;

/// Distance of the inner rim of a lid from the eyeball, in metres. In a morph target, a lid moves along a straight
/// line, so the distance changes on the way. It stays between 0.2 mm inside and 0.3 mm outside the eyeball.
const RIM_GAP: f32 = 0.000_209;

/// Positions of the lids, in degrees from rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lids {
    /// Downward movement of the upper lid.
    pub(crate) upper: f32,
    /// Upward movement of the lower lid.
    pub(crate) lower: f32,
}

/// The palpebral fissure in degrees, seen from the middle of the eye: the middle and half the width of the line
/// between its corners, and the distances of the upper and the lower lid from this line.
const MIDDLE: f32 = 3.0;
const HALF_WIDTH: f32 = 36.5;
const UPPER: f32 = 16.1;
const LOWER: f32 = 15.0;
/// Distance below the line between the corners at which the lids meet, in degrees.
const MEETING: f32 = 1.8;

impl Lids {
    /// A closed eye.
    pub(crate) const SHUT: Self = Self { upper: UPPER + MEETING, lower: LOWER - MEETING };
}

/// Returns the direction of a point on a lid, seen from the middle of the left eye.
fn direction(around: f32, out: f32, lids: Lids) -> Vec3 {
    let (c, s) = (cos32(around), sin32(around));
    let line = -0.4 + 2.2 * c;
    let height = s.abs();
    // The upper lid is fuller than an ellipse, and highest slightly towards the nose.
    let open = if s > 0.0 { UPPER * pow32(height, 0.86) * (1.0 - 0.06 * c) } else { -LOWER * height };
    let shut = -MEETING * height;
    let share = if s > 0.0 { lids.upper / Lids::SHUT.upper } else { lids.lower / Lids::SHUT.lower };
    let flexibility = pow32((1.0 - out / EDGE).max(0.0), 1.6);
    let spread = out * pow32(height, 0.45) * s.signum();
    let up = line + open + spread + (shut - open) * share * flexibility;
    // There is less space towards the nose.
    let sideways = MIDDLE + (HALF_WIDTH + if c > 0.0 { 0.8 } else { 0.5 } * out) * c;
    let (sideways, up) = (sideways.to_radians(), up.to_radians());
    Vec3::new(sin32(sideways) * cos32(up), sin32(up), cos32(sideways) * cos32(up))
}

/// Position of a point on a lid.
pub(super) fn place(head: &Head, side: f32, around: f32, out: f32, lift: Option<f32>, lids: Lids) -> Vec3 {
    let towards = direction(around, out, lids) * Vec3::new(side, 1.0, 1.0);
    match lift {
        Some(lift) => eye(side) + towards * (EYE_RADIUS + lift),
        // Near the margin, the skin is at a constant distance from the eyeball.
        None if out < 2.0 => eye(side) + towards * (EYE_RADIUS + LID_THICKNESS),
        None => head.outwards(eye(side), towards),
    }
}

fn spot(head: &Head, side: f32, around: f32, out: f32, lift: Option<f32>) -> Spot {
    let at = place(head, side, around, out, lift, Lids::default());
    Spot { at, place: Place::Lid { side, around, out, lift } }
}

/// Angles around the eye, anticlockwise as seen from the front.
pub(super) fn angles(side: f32) -> impl Iterator<Item = f32> {
    let turn = |i: usize| (i as f32 / ROUND as f32) * std::f32::consts::TAU;
    (0..ROUND).map(move |i| if side > 0.0 { turn(i) } else { turn(ROUND - i) % std::f32::consts::TAU })
}

/// A ring of a lid's skin.
pub(super) fn ring(head: &Head, side: f32, out: f32) -> Vec<Spot> {
    angles(side).map(|around| spot(head, side, around, out, None)).collect()
}

/// The inner rim, which lies on the eyeball.
pub(super) fn rim(head: &Head, side: f32) -> Vec<Spot> {
    angles(side).map(|around| spot(head, side, around, 0.0, Some(RIM_GAP))).collect()
}

/// Builds a dark edge on each upper lid, which becomes lashes towards the outer corner, and a thin line on the lower
/// lid.
pub(super) fn lashes(head: &Head) -> Patch {
    let mut patch = Patch::default();
    for side in SIDES {
        upper_lashes(head, side, &mut patch);
    }
    patch
}

fn upper_lashes(head: &Head, side: f32, patch: &mut Patch) {
    const STEPS: usize = 22;
    let pi = std::f32::consts::PI;
    // Four lines along the lid: root below, front, tip, and root above.
    let lines: Vec<Vec<u32>> = (0..4)
        .map(|line| {
            (0..=STEPS)
                .map(|i| {
                    let along = i as f32 / STEPS as f32;
                    let around = pi * (0.02 + 0.93 * along);
                    // Lashes are longest just before the outer corner.
                    let length = pow32(sin32(pi * pow32(along.clamp(0.0, 1.0), 0.62)).max(0.0), 0.8);
                    let (out, lift) = match line {
                        0 => (-0.3, 0.0004),
                        1 => (0.2 - 0.6 * length, LID_THICKNESS + 0.0009 * length),
                        2 => (1.2 + 2.6 * length, LID_THICKNESS + 0.0002 + 0.0031 * length),
                        _ => (2.0 + 0.6 * length, LID_THICKNESS - 0.0003),
                    };
                    patch.push(spot(head, side, around, out, Some(lift)))
                })
                .collect()
        })
        .collect();
    for pair in lines.windows(2) {
        for i in 0..STEPS {
            let [a, b, c, d] = [pair[0][i], pair[0][i + 1], pair[1][i + 1], pair[1][i]];
            let quad = if side > 0.0 { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] };
            patch.triangles.extend(quad);
        }
    }
}
