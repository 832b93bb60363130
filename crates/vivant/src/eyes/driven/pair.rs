//! Two eyes as one.

use super::EyeSample;
use super::track::minus;

/// Both eyes as one direction and a difference.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    /// Left less right, smoothed while both are seen and held while one is.
    difference: Option<[f64; 2]>,
    vergence_deg: f64,
}

impl Pair {
    /// How fast the difference that will be held follows the one that is seen: the last sample before an
    /// eye is lost is often a bad one.
    const SMOOTH_SECS: f64 = 0.1;

    pub(super) fn join(&mut self, sample: &EyeSample, step_secs: f64) -> Option<[f64; 2]> {
        match (angles(sample.left), angles(sample.right)) {
            (Some(left), Some(right)) => {
                self.learn(minus(left, right), step_secs);
                Some([(left[0] + right[0]) * 0.5, (left[1] + right[1]) * 0.5])
            }
            (Some(left), None) => Some(self.shifted(left, -0.5)),
            (None, Some(right)) => Some(self.shifted(right, 0.5)),
            (None, None) => None,
        }
    }

    fn learn(&mut self, difference: [f64; 2], step_secs: f64) {
        let held = self.difference.unwrap_or(difference);
        let share = (step_secs / Self::SMOOTH_SECS).clamp(0.0, 1.0);
        let way = minus(difference, held);
        self.difference = Some([held[0] + share * way[0], held[1] + share * way[1]]);
        self.vergence_deg = difference[0];
    }

    fn shifted(&mut self, eye: [f64; 2], share: f64) -> [f64; 2] {
        let difference = self.difference.unwrap_or_default();
        self.vergence_deg = difference[0];
        [eye[0] + share * difference[0], eye[1] + share * difference[1]]
    }

    pub(super) fn vergence_deg(&self) -> f64 {
        self.vergence_deg
    }
}

/// Angles that an eye can have. Beyond half a turn, or not a number, it is lost.
fn angles(eye: Option<[f64; 2]>) -> Option<[f64; 2]> {
    eye.filter(|eye| eye.iter().all(|angle| angle.abs() <= 180.0))
}
