//! Two simply drawn eyes with known points.

use crate::aam::Similarity;
use crate::film::{Image, Points};
use glam::DVec2;
use vivant::chance::Chance;
use vivant::math::{exp, sin};

/// Parameters of the drawing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyes {
    /// Aperture: 0 is closed, 1 is open.
    pub(crate) openness: f64,
    /// Position of the iris, in half eye widths.
    pub(crate) gaze: DVec2,
    /// Transform to the image from a space in which each eye is 2 wide and the eyes are 4 apart.
    pub(crate) place: Similarity,
    /// Strength of light from one side.
    pub(crate) light: f64,
    pub(crate) seed: u64,
}

pub(crate) const WIDTH: usize = 320;
pub(crate) const HEIGHT: usize = 160;
/// Distances of the upper and lower lid from the line between the corners.
const UPPER: f64 = 0.5;
const LOWER: f64 = 0.22;
const IRIS: f64 = 0.36;

impl Eyes {
    /// Returns open eyes in the centre, 50 pixels wide.
    pub(crate) fn new() -> Self {
        let place = Similarity { turn: DVec2::X * 25.0, shift: DVec2::new(160.0, 80.0) };
        Self { openness: 1.0, gaze: DVec2::ZERO, place, light: 0.0, seed: 1 }
    }

    /// Returns random eyes: any aperture and gaze, slightly moved, rotated and scaled.
    pub(crate) fn any(index: u64) -> Self {
        let mut draw = Chance::new(7, "eyes").event(index);
        let openness = if index % 4 == 3 { draw.between(0.0, 0.3) } else { draw.between(0.3, 1.1) };
        let gaze = DVec2::new(draw.between(-0.35, 0.35), draw.between(-0.12, 0.1));
        let size = draw.between(23.5, 26.5);
        let turn = DVec2::from_angle(draw.between(-0.08, 0.08)) * size;
        let shift = DVec2::new(160.0 + draw.between(-12.0, 12.0), 80.0 + draw.between(-8.0, 8.0));
        let place = Similarity { turn, shift };
        Self { openness, gaze, place, light: draw.between(-0.15, 0.15), seed: index }
    }

    fn upper(&self, x: f64) -> f64 {
        (LOWER * 0.8 - (UPPER + LOWER * 0.8) * self.openness) * (1.0 - x * x)
    }

    fn lower(x: f64) -> f64 {
        LOWER * (1.0 - x * x)
    }

    pub(crate) fn points(&self) -> Points {
        std::array::from_fn(|index| {
            let (side, at) = (index / 9, index % 9);
            let x = [-1.0, -0.5, 0.0, 0.5, 1.0, 0.5, 0.0, -0.5, 0.0][at];
            let point = match at {
                8 => self.gaze,
                0..=4 => DVec2::new(x, self.upper(x)),
                _ => DVec2::new(x, Self::lower(x)),
            };
            let point = if side == 0 { point + DVec2::X * -2.0 } else { Self::mirrored(point, at) };
            self.place.apply(point)
        })
    }

    /// Converts a point of one eye to the other eye. The shape is mirrored, the gaze is not.
    fn mirrored(point: DVec2, at: usize) -> DVec2 {
        DVec2::new(if at == 8 { point.x } else { -point.x } + 2.0, point.y)
    }

    pub(crate) fn image(&self) -> Image {
        let back = self.place.inverse();
        let mut noise = Chance::new(self.seed, "noise").event(0);
        let data = (0..WIDTH * HEIGHT).map(|index| {
            let at = back.apply(DVec2::new((index % WIDTH) as f64, (index / WIDTH) as f64));
            (self.bright(at) + noise.between(-3.0, 3.0)).clamp(0.0, 255.0).round() as u8
        });
        Image::gray(WIDTH, HEIGHT, data.collect()).unwrap()
    }

    fn bright(&self, at: DVec2) -> f64 {
        let eye = DVec2::new(if at.x < 0.0 { at.x + 2.0 } else { at.x - 2.0 }, at.y);
        let skin = 150.0
            + 14.0 * sin(at.x * 2.3 + 1.0) * sin(at.y * 3.1)
            + 8.0 * sin(at.x * 7.1) * sin(at.y * 6.3 + 0.5)
            + 60.0 * self.light * at.x / 3.0;
        if eye.x.abs() >= 1.0 {
            return skin;
        }
        let (upper, lower) = (self.upper(eye.x), Self::lower(eye.x));
        let edge = |distance: f64| 1.0 / (1.0 + exp(-distance / 0.02));
        let line = |y: f64, wide: f64| exp(-((eye.y - y) / wide) * ((eye.y - y) / wide));
        let inside = edge(eye.y - upper) * edge(lower - eye.y);
        let iris = edge(IRIS - eye.distance(self.gaze));
        let pupil = edge(0.14 - eye.distance(self.gaze));
        let ball = 215.0 - 120.0 * iris - 60.0 * pupil;
        let taper = 1.0 - eye.x * eye.x;
        let crease = 30.0 * line(upper - 0.25 - 0.1 * self.openness, 0.06) * taper;
        let lashes = 70.0 * line(upper, 0.05) * taper + 25.0 * line(lower, 0.04) * taper;
        (skin - crease) * (1.0 - inside) + ball * inside - lashes
    }
}
