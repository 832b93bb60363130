//! The eighteen points of two eyes, and the border that makes them forty-two (paper 3, Figure 5).
//!
//! The paper draws the points and does not name them. Ours, for each eye, go round its opening from the corner at
//! the temple over the upper lid to the corner at the nose and back under the lower lid; the ninth is the middle of
//! the iris. The person's right eye, which is left in the picture, comes first, as in the sets of 68 points.

use glam::DVec2;

/// Points that are labelled.
pub const POINTS: usize = 18;
/// Points of the mesh: those that are labelled, and a ring of twelve round each eye.
pub const BORDERED: usize = POINTS + 2 * RING;
/// Points of one eye.
pub const EYE_POINTS: usize = 9;
const RING: usize = 12;

/// How wide and how high the ring is, as shares of the distance from corner to corner: so much skin as shows where
/// the lids are, and no brow.
const RING_WIDTH: f64 = 0.85;
const RING_HEIGHT: f64 = 0.6;

/// Where the eighteen points are, in pixels.
pub type Points = [DVec2; POINTS];

/// What each point of an eye is called, in their order.
pub const NAMES: [&str; EYE_POINTS] =
    ["outer", "upperOuter", "upper", "upperInner", "inner", "lowerInner", "lower", "lowerOuter", "iris"];

/// The corner at the temple.
pub const OUTER: usize = 0;
/// The middle of the upper lid.
pub const UPPER: usize = 2;
/// The corner at the nose.
pub const INNER: usize = 4;
/// The middle of the lower lid.
pub const LOWER: usize = 6;
/// The middle of the iris.
pub const IRIS: usize = 8;

/// Which eye of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left in the picture.
    Right,
    /// Right in the picture.
    Left,
}

impl Side {
    /// Both, in the order of the points.
    pub const BOTH: [Self; 2] = [Self::Right, Self::Left];

    /// The points of this eye among all.
    #[must_use]
    pub fn of(self, points: &Points) -> &[DVec2; EYE_POINTS] {
        let (right, left) = points.split_at(EYE_POINTS);
        let eye = if self == Self::Right { right } else { left };
        eye.try_into().expect("eighteen points are twice nine")
    }
}

/// The inter-eyelid distance of paper 3 (3.3.1): from the middle of the upper lid to that of the lower one, in pixels.
#[must_use]
pub fn lid_distance(eye: &[DVec2; EYE_POINTS]) -> f64 {
    eye[UPPER].distance(eye[LOWER])
}

/// How far the corners are apart, in pixels.
#[must_use]
pub fn eye_width(eye: &[DVec2; EYE_POINTS]) -> f64 {
    eye[OUTER].distance(eye[INNER])
}

/// The inter-eyelid distance as a share of the eye's width: the same however large the face is in the picture, and
/// below zero where the lids were found crossed.
#[must_use]
pub fn aperture(eye: &[DVec2; EYE_POINTS]) -> f64 {
    let across = eye[INNER] - eye[OUTER];
    let lids = eye[LOWER] - eye[UPPER];
    let down = if across.x >= 0.0 { across.perp() } else { -across.perp() };
    lids.dot(down) / across.length_squared().max(f64::MIN_POSITIVE)
}

/// The mesh of the paper's Figure 5 (b): the labelled points and, round each eye, twelve that follow its corners.
///
/// The border moves with the corners alone. So lids move inside of a frame of skin that keeps its place.
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

    /// An eye of 40 pixels, open by 12, with its corners on a line.
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
    fn a_border_of_24_surrounds_the_eyes_and_does_not_blink() {
        let mut shut = eyes();
        shut[UPPER] = shut[LOWER];
        let (open, shut) = (with_border(&eyes()), with_border(&shut));
        assert_eq!(open.len(), 42);
        assert_eq!(open[POINTS..], shut[POINTS..]);
        let top = open[POINTS..].iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
        assert!((top - (50.0 - 24.0)).abs() < 1e-9, "{top}");
    }
}
