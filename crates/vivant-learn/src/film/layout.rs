//! The layout of the eighteen points of two eyes, and the border that makes them forty-two (paper 3, Figure 5).
//!
//! The paper draws the points but does not name them. Our points go around each eye's opening: from the outer corner
//! along the upper lid to the inner corner, and back along the lower lid. The ninth point is the centre of the iris.
//! The person's right eye, which is left in the image, comes first, as in the common 68-point layout.

use glam::DVec2;

/// Number of labelled points.
pub const POINTS: usize = 18;
/// Number of mesh points: the labelled ones, and a ring of twelve around each eye.
pub const BORDERED: usize = POINTS + 2 * RING;
/// Number of labelled points of one eye.
pub const EYE_POINTS: usize = 9;
const RING: usize = 12;

/// Width and height of the ring, as shares of the eye width: enough skin to locate the lids, but no brow.
const RING_WIDTH: f64 = 0.85;
const RING_HEIGHT: f64 = 0.6;

/// Positions of the eighteen points in pixels.
pub type Points = [DVec2; POINTS];

/// Names of the points of an eye, in order.
pub const NAMES: [&str; EYE_POINTS] =
    ["outer", "upperOuter", "upper", "upperInner", "inner", "lowerInner", "lower", "lowerOuter", "iris"];

/// Index of the outer corner in the points of an eye.
pub const OUTER: usize = 0;
/// Index of the centre of the upper lid in the points of an eye.
pub const UPPER: usize = 2;
/// Index of the inner corner in the points of an eye.
pub const INNER: usize = 4;
/// Index of the centre of the lower lid in the points of an eye.
pub const LOWER: usize = 6;
/// Index of the centre of the iris in the points of an eye.
pub const IRIS: usize = 8;

/// One of the person's eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The right eye, left in the image.
    Right,
    /// The left eye, right in the image.
    Left,
}

impl Side {
    /// Both eyes, in the order of the points.
    pub const BOTH: [Self; 2] = [Self::Right, Self::Left];

    /// Returns the points of this eye.
    #[must_use]
    pub fn of(self, points: &Points) -> &[DVec2; EYE_POINTS] {
        let (right, left) = points.split_at(EYE_POINTS);
        let eye = if self == Self::Right { right } else { left };
        eye.try_into().expect("eighteen points are twice nine")
    }
}

/// Returns the inter-eyelid distance of paper 3 (3.3.1): from the centre of the upper lid to the centre of the lower
/// lid, in pixels.
#[must_use]
pub fn lid_distance(eye: &[DVec2; EYE_POINTS]) -> f64 {
    eye[UPPER].distance(eye[LOWER])
}

/// Returns the distance between the corners in pixels.
#[must_use]
pub fn eye_width(eye: &[DVec2; EYE_POINTS]) -> f64 {
    eye[OUTER].distance(eye[INNER])
}

/// Returns the inter-eyelid distance as a share of the eye width, independent of the size in the image; negative if
/// the lids cross.
#[must_use]
pub fn aperture(eye: &[DVec2; EYE_POINTS]) -> f64 {
    let across = eye[INNER] - eye[OUTER];
    let lids = eye[LOWER] - eye[UPPER];
    let down = if across.x >= 0.0 { across.perp() } else { -across.perp() };
    lids.dot(down) / across.length_squared().max(f64::MIN_POSITIVE)
}

/// Returns the mesh of the paper's Figure 5 (b): the labelled points, and twelve points around each eye that follow
/// its corners.
///
/// The border depends only on the corners, so the lids move inside a fixed frame of skin.
#[must_use]
pub fn with_border(points: &Points) -> [DVec2; BORDERED] {
    let mut all = [DVec2::ZERO; BORDERED];
    all[..POINTS].copy_from_slice(points);
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let eye = side.of(points);
        for (place, point) in all[POINTS + index * RING..][..RING].iter_mut().zip(ring(eye)) {
            *place = point;
        }
    }
    all
}

fn ring(eye: &[DVec2; EYE_POINTS]) -> impl Iterator<Item = DVec2> {
    let (middle, across) = (eye[OUTER].midpoint(eye[INNER]), eye[INNER] - eye[OUTER]);
    (0..RING).map(move |step| {
        let angle = std::f64::consts::TAU * step as f64 / RING as f64;
        let (sin, cos) = vivant::math::sin_cos(angle);
        middle + across * (RING_WIDTH * cos) + across.perp() * (RING_HEIGHT * sin)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns eyes of 40 pixels width, open by 12 pixels, with level corners.
    fn eyes() -> Points {
        let right = [
            (0., 0.),
            (10., -6.),
            (20., -8.),
            (30., -6.),
            (40., 0.),
            (30., 3.),
            (20., 4.),
            (10., 3.),
            (20., -2.),
        ];
        std::array::from_fn(|index| {
            let (x, y) = right[index % EYE_POINTS];
            if index < EYE_POINTS { DVec2::new(100.0 + x, 50.0 + y) } else { DVec2::new(220.0 - x, 50.0 + y) }
        })
    }

    #[test]
    fn both_eyes_have_the_same_aperture_as_mirror_images() {
        for side in Side::BOTH {
            let eye = *side.of(&eyes());
            assert_eq!((lid_distance(&eye), eye_width(&eye)), (12.0, 40.0), "{side:?}");
            assert!((aperture(&eye) - 0.3).abs() < 1e-12, "{side:?}");
        }
    }

    #[test]
    fn aperture_is_the_same_at_any_size_and_tilt_and_negative_where_lids_cross() {
        let turn = DVec2::from_angle(0.4) * 3.0;
        let tilted = eyes().map(|point| turn.rotate(point) + DVec2::new(7.0, -4.0));
        let mut crossed = eyes();
        crossed.swap(UPPER, LOWER);
        assert!((aperture(Side::Left.of(&tilted)) - 0.3).abs() < 1e-12);
        assert!((aperture(Side::Right.of(&crossed)) + 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_border_has_24_points_and_does_not_move_in_a_blink() {
        let mut shut = eyes();
        shut[UPPER] = shut[LOWER];
        let (open, shut) = (with_border(&eyes()), with_border(&shut));
        assert_eq!(open.len(), 42);
        assert_eq!(open[POINTS..], shut[POINTS..]);
        let top = open[POINTS..].iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
        assert!((top - (50.0 - 24.0)).abs() < 1e-9, "{top}");
    }
}
