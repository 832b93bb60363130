//! Draws points and lids on a frame.

use glam::DVec2;
use vivant_learn::film::layout::{EYE_POINTS, IRIS, Side};
use vivant_learn::film::{Image, Points};

/// Colours by Okabe and Ito, lightened for dark films.
const LEFT: [u8; 3] = [86, 180, 233];
const RIGHT: [u8; 3] = [255, 160, 60];
const LOST: [u8; 3] = [220, 40, 40];

/// An RGB image with three bytes per pixel.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

impl Canvas {
    pub(super) fn of(image: &Image) -> Self {
        let [red, green, blue] = [0, 1, 2].map(|channel: usize| image.plane(channel.min(image.channels - 1)));
        let bytes = red.iter().zip(green).zip(blue).flat_map(|((r, g), b)| [*r, *g, *b]).collect();
        Self { width: image.width, height: image.height, bytes }
    }

    /// Draws lids as lines and points as dots. If the eyes were lost, draws a red border.
    pub(super) fn draw(&mut self, points: Option<&Points>) {
        let Some(points) = points else { return self.border() };
        for (side, colour) in [(Side::Right, RIGHT), (Side::Left, LEFT)] {
            let eye = side.of(points);
            // A width of a fortieth of the eye is visible and does not hide the lid.
            let width = (eye[0].distance(eye[4]) / 40.0).clamp(0.6, 6.0);
            for index in 0..IRIS {
                self.line(eye[index], eye[(index + 1) % IRIS], 0.6 * width, colour);
            }
            for point in &eye[..EYE_POINTS] {
                self.line(*point, *point, 1.8 * width, colour);
            }
        }
    }

    /// Draws a line of this width with round ends.
    fn line(&mut self, from: DVec2, to: DVec2, width: f64, colour: [u8; 3]) {
        let reach = 0.5 * width + 1.0;
        let (low, high) = (from.min(to) - reach, from.max(to) + reach);
        if !(low.is_finite() && high.is_finite()) {
            return;
        }
        let within = |value: f64, size: usize| value.clamp(0.0, size as f64) as usize;
        for y in within(low.y, self.height)..within(high.y + 1.0, self.height) {
            for x in within(low.x, self.width)..within(high.x + 1.0, self.width) {
                let away = distance(DVec2::new(x as f64, y as f64), from, to);
                self.blend(x, y, colour, (0.5 * width + 0.5 - away).clamp(0.0, 1.0));
            }
        }
    }

    fn border(&mut self) {
        let wide = (self.width.min(self.height) / 60).max(2);
        for y in 0..self.height {
            for x in 0..self.width {
                if x < wide || y < wide || x + wide >= self.width || y + wide >= self.height {
                    self.blend(x, y, LOST, 1.0);
                }
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, colour: [u8; 3], share: f64) {
        let at = 3 * (y * self.width + x);
        for (byte, wanted) in self.bytes[at..at + 3].iter_mut().zip(colour) {
            *byte = (f64::from(*byte) + (f64::from(wanted) - f64::from(*byte)) * share).round() as u8;
        }
    }
}

/// Distance from a point to a line segment.
fn distance(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + along * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_at_their_points_and_clipped_at_the_border() {
        let mut canvas = Canvas::of(&Image::gray(20, 10, vec![7; 200]).unwrap());
        canvas.line(DVec2::new(4.0, 6.0), DVec2::new(4.0, 6.0), 2.0, [200, 0, 0]);
        assert_eq!(canvas.bytes[3 * (6 * 20 + 4)..][..3], [200, 0, 0]);
        assert_eq!(canvas.bytes[3 * (6 * 20 + 9)..][..3], [7, 7, 7]);
        for far in [DVec2::splat(-50.0), DVec2::splat(1e12), DVec2::NAN] {
            canvas.line(far, far + 1.0, 2.0, [0, 200, 0]);
        }
        assert!(canvas.bytes.chunks(3).all(|pixel| pixel[1] <= 7), "nothing green");
    }

    #[test]
    fn a_lost_frame_has_a_red_border() {
        let mut canvas = Canvas::of(&Image::gray(20, 10, vec![7; 200]).unwrap());
        canvas.draw(None);
        assert_eq!(
            (&canvas.bytes[..3], &canvas.bytes[3 * (5 * 20 + 10)..][..3]),
            (&LOST[..], &[7, 7, 7][..])
        );
    }
}
