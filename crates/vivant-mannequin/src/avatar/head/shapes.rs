//! The effect of expressions on the face. ARKit's 52 shapes are fields, and visemes are mixtures of these shapes.
//!
//! Each shape is a field: the movement of a vertex depends on its position on the face. Lids slide around the
//! eyeball, lips slide along their rings, the jaw rotates about its joint, and all other shapes are smooth bumps.
//! Distances in this module are in millimetres.

use super::lids::{self, Lids};
use super::mouth::{self, HALF_WIDTH};
use super::shape::Head;
use super::{Place, Spot};
use glam::{Quat, Vec3};
use vivant::math::{cos32, pow32, sin32};
use vivant::rig::Expression;

/// Rotation of the wide open jaw in degrees.
const JAW_OPEN: f32 = 17.0;
/// The centre of the jaw's rotation, which is the joint in front of the ears.
const JAW_JOINT: Vec3 = Vec3::new(0.0, 1.54, -0.005);

/// Returns every shape that moves vertices of a part: its name, and the offset of each vertex.
pub(crate) fn tables(head: &Head, part: &str, spots: &[Spot]) -> Vec<(&'static str, Vec<Vec3>)> {
    let face = Face { head, part };
    let muscles = Expression::arkit().map(|shape| (shape.name(), [(shape.name(), 1.0)].to_vec()));
    let visemes = VISEMES.iter().map(|(name, recipe)| (*name, recipe.to_vec()));
    muscles
        .chain(visemes)
        .map(|(name, recipe)| (name, spots.iter().map(|spot| face.mixed(&recipe, spot)).collect::<Vec<_>>()))
        .filter(|(_, offsets)| offsets.iter().any(|by| by.length() > 1e-5))
        .collect()
}

/// The visemes as mixtures of shapes. The gains are our design, chosen by eye.
const VISEMES: &[(&str, &[(&str, f32)])] = &[
    (
        "viseme_PP",
        &[
            ("mouthPressLeft", 0.9),
            ("mouthPressRight", 0.9),
            ("mouthRollLower", 0.35),
            ("mouthRollUpper", 0.3),
        ],
    ),
    (
        "viseme_FF",
        &[
            ("mouthRollLower", 0.75),
            ("mouthUpperUpLeft", 0.55),
            ("mouthUpperUpRight", 0.55),
            ("jawOpen", 0.06),
        ],
    ),
    (
        "viseme_TH",
        &[("jawOpen", 0.22), ("tongueOut", 0.55), ("mouthUpperUpLeft", 0.2), ("mouthUpperUpRight", 0.2)],
    ),
    (
        "viseme_DD",
        &[
            ("jawOpen", 0.2),
            ("mouthStretchLeft", 0.25),
            ("mouthStretchRight", 0.25),
            ("mouthUpperUpLeft", 0.25),
            ("mouthUpperUpRight", 0.25),
        ],
    ),
    (
        "viseme_kk",
        &[
            ("jawOpen", 0.28),
            ("mouthStretchLeft", 0.2),
            ("mouthStretchRight", 0.2),
            ("mouthUpperUpLeft", 0.2),
            ("mouthUpperUpRight", 0.2),
        ],
    ),
    ("viseme_CH", &[("mouthFunnel", 0.75), ("jawOpen", 0.08)]),
    (
        "viseme_SS",
        &[
            ("mouthStretchLeft", 0.5),
            ("mouthStretchRight", 0.5),
            ("mouthUpperUpLeft", 0.4),
            ("mouthUpperUpRight", 0.4),
            ("mouthLowerDownLeft", 0.4),
            ("mouthLowerDownRight", 0.4),
        ],
    ),
    (
        "viseme_nn",
        &[
            ("jawOpen", 0.16),
            ("mouthStretchLeft", 0.15),
            ("mouthStretchRight", 0.15),
            ("mouthUpperUpLeft", 0.2),
            ("mouthUpperUpRight", 0.2),
        ],
    ),
    ("viseme_RR", &[("mouthFunnel", 0.55), ("jawOpen", 0.14), ("mouthPucker", 0.15)]),
    (
        "viseme_aa",
        &[
            ("jawOpen", 0.72),
            ("mouthLowerDownLeft", 0.3),
            ("mouthLowerDownRight", 0.3),
            ("mouthUpperUpLeft", 0.3),
            ("mouthUpperUpRight", 0.3),
        ],
    ),
    (
        "viseme_E",
        &[
            ("jawOpen", 0.34),
            ("mouthSmileLeft", 0.35),
            ("mouthSmileRight", 0.35),
            ("mouthStretchLeft", 0.25),
            ("mouthStretchRight", 0.25),
            ("mouthUpperUpLeft", 0.3),
            ("mouthUpperUpRight", 0.3),
        ],
    ),
    (
        "viseme_ih",
        &[
            ("jawOpen", 0.24),
            ("mouthStretchLeft", 0.45),
            ("mouthStretchRight", 0.45),
            ("mouthUpperUpLeft", 0.35),
            ("mouthUpperUpRight", 0.35),
            ("mouthLowerDownLeft", 0.2),
            ("mouthLowerDownRight", 0.2),
        ],
    ),
    ("viseme_oh", &[("mouthFunnel", 0.8), ("jawOpen", 0.42), ("mouthPucker", 0.15)]),
    ("viseme_ou", &[("mouthPucker", 0.75), ("mouthFunnel", 0.4), ("jawOpen", 0.1)]),
    ("viseme_sil", &[("mouthPressLeft", 0.08), ("mouthPressRight", 0.08)]),
];

/// The jaw's weight for a vertex.
pub(crate) fn jaw_share(part: &str, spot: &Spot) -> f32 {
    match (part, spot.place) {
        ("teeth" | "tongue", Place::Lip { around, .. }) => f32::from(around < 0.0),
        (_, Place::Lip { around, out }) => {
            let at_lip = jaw_at_lip(sin32(around));
            let below = jaw_at(spot.at);
            if out < 0.0 {
                at_lip * (1.0 + out / 0.09)
            } else {
                at_lip + (below - at_lip) * smooth(out / mouth::EDGE)
            }
        }
        ("face", Place::Free) => jaw_at(spot.at),
        _ => 0.0,
    }
}

/// The jaw's weight at the corners of the mouth.
const JAW_AT_CORNER: f32 = 0.36;

/// The jaw's weight on a lip. `s` is the sine of the angle around the mouth.
fn jaw_at_lip(s: f32) -> f32 {
    if s > 0.0 {
        JAW_AT_CORNER * (1.0 - s) * (1.0 - s)
    } else {
        JAW_AT_CORNER + (1.0 - JAW_AT_CORNER) * pow32(-s, 0.9)
    }
}

/// The jaw's weight for the skin away from the mouth.
fn jaw_at(p: Vec3) -> f32 {
    smooth((1.516 - p.y) / 0.036) * smooth((p.z + 0.02) / 0.06)
}

struct Face<'a> {
    head: &'a Head,
    part: &'a str,
}

impl Face<'_> {
    fn mixed(&self, recipe: &[(&'static str, f32)], spot: &Spot) -> Vec3 {
        recipe.iter().map(|(name, gain)| self.offset(name, spot) * *gain).sum()
    }

    /// Returns a vertex's offset for a shape.
    fn offset(&self, name: &str, spot: &Spot) -> Vec3 {
        let (muscle, side) = match (name.strip_suffix("Left"), name.strip_suffix("Right")) {
            (Some(muscle), _) => (muscle, 1.0),
            (_, Some(muscle)) => (muscle, -1.0),
            _ => (name, 0.0),
        };
        match muscle {
            "tongueOut" => self.tongue_out(spot),
            _ if muscle.starts_with("jaw") || name == "mouthClose" => self.jaw(muscle, side, spot),
            _ if matches!(self.part, "teeth" | "tongue") => Vec3::ZERO,
            _ => {
                self.lids(muscle, side, spot) + self.lips(muscle, side, spot) + self.skin(muscle, side, spot)
            }
        }
    }

    fn jaw(&self, muscle: &str, side: f32, spot: &Spot) -> Vec3 {
        let share = jaw_share(self.part, spot);
        let turn = Quat::from_rotation_x(JAW_OPEN.to_radians());
        let opened = |at: Vec3| turn * (at - JAW_JOINT) - (at - JAW_JOINT);
        match muscle {
            "jawOpen" => opened(spot.at) * share + self.drawn_in(spot),
            "jawForward" => Vec3::new(0.0, -0.001, 0.006) * share,
            "jaw" => Vec3::X * (0.0065 * side * share), // jawLeft and jawRight
            // The lips close while the jaw stays open.
            "mouthClose" => match spot.place {
                Place::Lip { around, out } if !matches!(self.part, "teeth" | "tongue") => {
                    let near = near_lips(out);
                    let gap = opened(Vec3::new(spot.at.x, 1.5062, 0.094));
                    // The upper lip covers a part of the distance, and the lower lip covers the rest.
                    gap * ((JAW_AT_CORNER - jaw_at_lip(sin32(around))) * near)
                }
                _ => Vec3::ZERO,
            },
            _ => Vec3::ZERO,
        }
    }

    /// Returns the offset by which an open jaw makes the mouth narrower.
    fn drawn_in(&self, spot: &Spot) -> Vec3 {
        match spot.place {
            Place::Lip { around, out } if !matches!(self.part, "teeth" | "tongue") => {
                let c = cos32(around);
                mm(-3.0 * c * c.abs(), 0.0, 0.8 * c.abs()) * near_lips(out)
            }
            _ => Vec3::ZERO,
        }
    }

    fn tongue_out(&self, spot: &Spot) -> Vec3 {
        let Place::Lip { out, .. } = spot.place else { return Vec3::ZERO };
        if self.part != "tongue" {
            return Vec3::ZERO;
        }
        // The root of the tongue stays in place, and the tip moves out over the lower lip.
        let share = 1.0 - ((-out - 0.01) / 0.03).clamp(0.0, 1.0);
        mm(0.0, 3.5 * share - 5.0 * share * share, 34.0 * share)
    }

    fn lids(&self, muscle: &str, side: f32, spot: &Spot) -> Vec3 {
        let Place::Lid { side: mine, around, out, lift } = spot.place else { return Vec3::ZERO };
        let (upper, lower) = match muscle {
            "eyeBlink" => (Lids::SHUT.upper, Lids::SHUT.lower),
            "eyeSquint" => (5.0, 7.5),
            "eyeWide" => (-6.5, -3.0),
            "eyeLookDown" => (12.0, -4.0),
            "eyeLookUp" => (-5.0, 1.5),
            "cheekSquint" => (0.0, 4.5),
            "browDown" => (2.5, 0.0),
            _ => return Vec3::ZERO,
        };
        if mine != side {
            return Vec3::ZERO;
        }
        lids::place(self.head, mine, around, out, lift, Lids { upper, lower }) - spot.at
    }

    /// Movement of the lips and the skin around them.
    fn lips(&self, muscle: &str, side: f32, spot: &Spot) -> Vec3 {
        let Place::Lip { around, out } = spot.place else { return Vec3::ZERO };
        let (c, s) = (cos32(around), sin32(around));
        let near = near_lips(out);
        let upper = smooth(s * 1.6);
        let lower = smooth(-s * 1.6);
        // The half of the mouth on this side, and its corner.
        let half = if side == 0.0 { 1.0 } else { smooth(0.5 + 0.9 * c * side) };
        let corner = smooth((c * side - 0.15) / 0.85) * near;
        let x = spot.at.x / HALF_WIDTH;
        let above = (spot.at.y - mouth::line(spot.at.x)) * 1000.0;
        match muscle {
            "mouthSmile" => {
                mm(6.2 * side, 6.4, -4.2) * corner + mm(0.0, -0.9, -0.6) * (half * near * (1.0 - corner))
            }
            "mouthFrown" => mm(1.4 * side, -6.6, -1.6) * corner,
            "mouthDimple" => mm(2.6 * side, 1.0, -3.6) * corner,
            "mouthStretch" => mm(6.0 * side, -2.2, -4.4) * corner,
            "mouthPress" => mm(0.0, -0.26 * above.clamp(-9.0, 9.0), -1.2) * (half * near),
            "mouthFunnel" => mm(-8.2 * x, 4.4 * upper - 5.0 * lower, 6.0 + 1.2 * s.abs()) * near,
            "mouthPucker" => mm(-12.0 * x, 0.9 * upper - 0.9 * lower, 7.6) * near,
            // mouthLeft and mouthRight
            "mouth" => mm(7.0 * side, 0.0, -1.2 * x * side) * near,
            "mouthLowerDown" => mm(0.6 * side, -6.2, 0.4) * (lower * half * near),
            "mouthUpperUp" => mm(0.4 * side, 5.4, 0.2) * (upper * half * near),
            "mouthRollLower" => mm(0.0, 3.0, -5.0) * (lower * rolled(out)),
            "mouthRollUpper" => mm(0.0, -2.6, -4.6) * (upper * rolled(out)),
            "mouthShrugLower" => mm(0.0, 3.8, 2.0) * (lower * near),
            "mouthShrugUpper" => mm(0.0, 3.2, 1.8) * (upper * near),
            "noseSneer" => mm(0.0, 2.6, 0.3) * (upper * half * near),
            "cheekPuff" => mm(0.0, 0.0, -0.8) * near,
            _ => Vec3::ZERO,
        }
    }

    /// Movement of brows, cheeks, nose and chin.
    fn skin(&self, muscle: &str, side: f32, spot: &Spot) -> Vec3 {
        let p = spot.at;
        let bump = |x: f32, y: f32, z: f32, size: f32| bump(p, Vec3::new(x, y, z), size);
        let by = match muscle {
            "browDown" => mm(-2.8 * side, -6.6, 0.8) * bump(0.023 * side, 1.62, 0.088, 0.046),
            "browInnerUp" => {
                mm(0.0, 7.4, 0.4) * bump(0.016, 1.622, 0.09, 0.036).max(bump(-0.016, 1.622, 0.09, 0.036))
            }
            "browOuterUp" => mm(0.6 * side, 6.4, 0.0) * bump(0.052 * side, 1.622, 0.074, 0.042),
            "eyeWide" => mm(0.0, 1.8, 0.0) * bump(0.035 * side, 1.622, 0.084, 0.04),
            "eyeSquint" => mm(0.0, 1.2, 0.8) * bump(0.04 * side, 1.553, 0.083, 0.026),
            "eyeBlink" => mm(0.0, -0.8, 0.0) * bump(0.035 * side, 1.62, 0.084, 0.036),
            "cheekSquint" => mm(0.0, 3.4, 1.8) * bump(0.042 * side, 1.547, 0.082, 0.03),
            "cheekPuff" => [1.0, -1.0]
                .map(|s| mm(7.0 * s, -0.5, 4.5) * bump(0.045 * s, 1.516, 0.066, 0.036))
                .into_iter()
                .sum(),
            "mouthSmile" => mm(1.6 * side, 2.8, 2.0) * bump(0.044 * side, 1.54, 0.08, 0.034),
            "mouthFrown" => mm(0.0, -1.6, 0.0) * bump(0.04 * side, 1.496, 0.07, 0.026),
            "mouthStretch" => mm(2.0 * side, 0.0, -0.5) * bump(0.047 * side, 1.51, 0.06, 0.03),
            "mouthShrugLower" => mm(0.0, 3.0, 1.0) * bump(0.0, 1.482, 0.084, 0.024),
            "mouthPucker" => mm(0.0, 0.0, -1.2) * bump(0.046 * side, 1.515, 0.066, 0.03),
            "noseSneer" => mm(0.4 * side, 3.6, 0.6) * bump(0.012 * side, 1.55, 0.095, 0.018),
            _ => Vec3::ZERO,
        };
        // Lids stay on the eyeball, and lips on their rings.
        by * match spot.place {
            Place::Lid { out, .. } => smooth((out - 3.0) / 14.0),
            Place::Lip { out, .. } => {
                if out < 0.0 {
                    0.0
                } else {
                    0.35 + 0.65 * smooth(out / mouth::EDGE)
                }
            }
            Place::Free => 1.0,
        }
    }
}

fn mm(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z) * 0.001
}

/// Returns 1 on the lips and 0 at the last ring. Inside the mouth it decreases to 0.
fn near_lips(out: f32) -> f32 {
    if out < 0.0 { smooth(1.0 + out / 0.02) } else { smooth(1.0 - out / mouth::EDGE) }
}

/// Returns 1 on the red part of a lip.
fn rolled(out: f32) -> f32 {
    if out < 0.0 { smooth(1.0 + out / 0.012) } else { smooth(1.0 - out / 0.0105) }
}

/// A smooth step from 0 to 1.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

fn bump(p: Vec3, middle: Vec3, size: f32) -> f32 {
    let left = (1.0 - p.distance_squared(middle) / (size * size)).max(0.0);
    left * left
}
