//! Converts the common 68-point face layout to ours.

use crate::film::layout::{LOWER, POINTS, Points, UPPER};
use glam::DVec2;
use vivant_io::{Error, Result, Warning, WarningCode};

/// Number of points in the common layout.
pub(super) const FACE_POINTS: usize = 68;

/// The six points of each eye in our order: outer corner, two of the upper lid, inner corner, two of the lower lid.
/// The layout goes clockwise around both eyes in the image, so the left eye starts at the nose.
const EYES: [[usize; 6]; 2] = [[36, 37, 38, 39, 40, 41], [45, 44, 43, 42, 47, 46]];

/// Converts 68 face points, or returns points in our own layout unchanged. Also returns warnings about estimated
/// points.
pub(super) fn points_of(found: &[DVec2], place: &str) -> Result<(Points, Vec<Warning>)> {
    if let Ok(points) = found.try_into() {
        return Ok((points, Vec::new()));
    }
    let face: &[DVec2; FACE_POINTS] = found.try_into().map_err(|_| {
        Error::at(
            place,
            format!("{} points; expected {FACE_POINTS} of a face or {POINTS} of two eyes", found.len()),
        )
    })?;
    Ok((of_face(face), vec![guessed(place)]))
}

fn guessed(place: &str) -> Warning {
    let message = "68 points have no iris and no lid centres; lid centres were interpolated along the lids, \
                   and the iris was set to the centre of the opening; review them in the label view";
    Warning::new(WarningCode::Guessed, place, message)
}

fn of_face(face: &[DVec2; FACE_POINTS]) -> Points {
    let [right, left] = EYES.map(|eye| eye_of(eye.map(|index| face[index])));
    let mut points = right.into_iter().chain(left);
    std::array::from_fn(|_| points.next().unwrap_or_default())
}

fn eye_of([outer, upper_outer, upper_inner, inner, lower_inner, lower_outer]: [DVec2; 6]) -> [DVec2; 9] {
    let upper = between([outer, upper_outer, upper_inner, inner]);
    let lower = between([inner, lower_inner, lower_outer, outer]);
    let mut eye =
        [outer, upper_outer, upper, upper_inner, inner, lower_inner, lower, lower_outer, DVec2::ZERO];
    eye[8] = eye[UPPER].midpoint(eye[LOWER]);
    eye
}

/// Returns the middle of the cubic through four points.
fn between([a, b, c, d]: [DVec2; 4]) -> DVec2 {
    (9.0 * (b + c) - (a + d)) / 16.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::layout::{INNER, IRIS, OUTER, Side};

    #[test]
    fn face_points_are_kept_and_lid_centres_interpolated() {
        // An eye whose lids are parabolas, so that their centres are known.
        let lid = |x: f64, high: f64| DVec2::new(x, high * (x / 30.0) * (1.0 - x / 30.0));
        let eye = [(0., 0.), (10., -40.), (20., -40.), (30., 0.), (20., 16.), (10., 16.)];
        let mut face = [DVec2::ZERO; FACE_POINTS];
        for (index, (x, high)) in eye.into_iter().enumerate() {
            face[EYES[0][index]] = lid(x, high);
            face[EYES[1][index]] = DVec2::new(100.0 - x, lid(x, high).y);
        }
        let (points, warnings) = points_of(&face, "x").unwrap();
        assert_eq!(warnings.len(), 1);
        let [right, left] = Side::BOTH.map(|side| *side.of(&points));
        assert_eq!((right[OUTER], right[INNER]), (DVec2::ZERO, DVec2::new(30.0, 0.0)));
        assert_eq!((right[UPPER], right[LOWER]), (DVec2::new(15.0, -10.0), DVec2::new(15.0, 4.0)));
        assert_eq!(right[IRIS], DVec2::new(15.0, -3.0));
        assert_eq!(left, right.map(|point| DVec2::new(100.0 - point.x, point.y)));
    }

    #[test]
    fn other_numbers_of_points_are_errors() {
        let ours = [DVec2::ONE; POINTS];
        assert_eq!(points_of(&ours, "x"), Ok((ours, Vec::new())));
        for count in [0, 1, 17, 67, 69] {
            let message = points_of(&vec![DVec2::ZERO; count], "x").unwrap_err().to_string();
            assert!(message.starts_with(&format!("x: {count} points;")), "{message}");
        }
    }
}
