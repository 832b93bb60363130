//! The face of a synthetic video.

use vivant::chance::{Chance, Draw};

/// Parameters of a face. Lengths are in eye widths (corner to corner, 30 mm).
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Random seed of the skin texture.
    pub seed: u64,
    /// Distance between the centres of the eyes, in eye widths.
    pub apart: f64,
    /// Slant: angle by which the outer corners are higher than the inner corners, in radians.
    pub slant: f64,
    /// Height of the open upper lid above the corners, in eye widths.
    pub upper: f64,
    /// Depth of the lower lid below the corners, in eye widths.
    pub lower: f64,
    /// Position of the highest point of the upper lid: below 1 towards the outer corner, above 1 towards the inner
    /// one.
    pub skew: f64,
    /// Share by which the left eye is less open than the right eye.
    pub uneven: f64,
    /// Height of the crease above the open upper lid, in eye widths.
    pub crease: f64,
    /// Length of the lashes, in eye widths.
    pub lashes: f64,
    /// Radius of the iris, in eye widths; nearly the same in all people.
    pub iris: f64,
    /// Radius of the pupil, in eye widths.
    pub pupil: f64,
    /// Height of the brows above the corners, in eye widths.
    pub brow: f64,
    /// Thickness of the brows, in eye widths.
    pub brow_thick: f64,
    /// Red, green and blue of the skin, 0 to 1.
    pub skin: [f64; 3],
    /// Red, green and blue of the iris, 0 to 1.
    pub eye_colour: [f64; 3],
    /// Red, green and blue of brows, lashes and hair, 0 to 1.
    pub hair: [f64; 3],
}

/// Skin colours from fair to dark.
const SKIN: [[f64; 3]; 5] =
    [[0.93, 0.77, 0.69], [0.87, 0.68, 0.56], [0.76, 0.56, 0.43], [0.58, 0.40, 0.29], [0.40, 0.27, 0.20]];
const EYES: [[f64; 3]; 5] =
    [[0.42, 0.58, 0.70], [0.40, 0.52, 0.36], [0.48, 0.40, 0.22], [0.38, 0.23, 0.12], [0.22, 0.13, 0.08]];
const HAIR: [[f64; 3]; 4] = [[0.50, 0.36, 0.20], [0.30, 0.19, 0.11], [0.16, 0.11, 0.08], [0.07, 0.06, 0.06]];

impl Face {
    /// Creates a random face; each seed gives a different face.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let draw = &mut Chance::new(seed, "film face").event(0);
        let skin = draw.between(0.0, 4.0);
        // Light eyes are rare with dark skin.
        let eye_colour = blended(&EYES, draw.between(skin * 0.8, 4.0));
        let hair = blended(&HAIR, draw.between(skin * 0.6, 3.0));
        Self {
            seed,
            apart: draw.between(2.0, 2.25),
            slant: draw.between(-0.02, 0.1),
            upper: draw.between(0.2, 0.27),
            lower: draw.between(0.11, 0.16),
            skew: draw.between(0.9, 1.15),
            uneven: draw.between(0.0, 0.08),
            crease: draw.between(0.06, 0.15),
            lashes: draw.between(0.06, 0.13),
            iris: draw.between(0.188, 0.202),
            pupil: draw.between(0.065, 0.1),
            brow: draw.between(0.62, 0.78),
            brow_thick: draw.between(0.08, 0.14),
            skin: varied(blended(&SKIN, skin), draw),
            eye_colour,
            hair,
        }
    }
}

/// Interpolates between neighbouring colours of a list; `place` is a fractional index.
fn blended(list: &[[f64; 3]], place: f64) -> [f64; 3] {
    let first = (place as usize).min(list.len() - 2);
    let share = (place - first as f64).clamp(0.0, 1.0);
    std::array::from_fn(|index| list[first][index] + (list[first + 1][index] - list[first][index]) * share)
}

fn varied(colour: [f64; 3], draw: &mut Draw) -> [f64; 3] {
    colour.map(|part| part * draw.between(0.97, 1.03))
}
