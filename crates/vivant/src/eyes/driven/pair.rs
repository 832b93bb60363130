//! Combines both eyes into one gaze direction.

use super::EyeSample;
use super::track::minus;

/// Combines the directions of both eyes into one gaze direction and a vergence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    /// Direction of the left eye minus direction of the right eye: yaw and pitch in degrees. It is smoothed while both
    /// eyes are visible, and held while only one eye is visible.
    difference: Option<[f64; 2]>,
    vergence_deg: f64,
}

impl Pair {
    /// Time constant of the smoothed difference in seconds. Smoothing is needed because the last sample before an
    /// eye is lost is often bad.
    const SMOOTH_SECS: f64 = 0.1;

    pub(super) fn join(&mut self, sample: &EyeSample, step_secs: f64) -> Option<[f64; 2]> {
        match (angles(sample.left), angles(sample.right)) {
            (Some(left), Some(right)) => {
                self.update_difference(minus(left, right), step_secs);
                Some([(left[0] + right[0]) * 0.5, (left[1] + right[1]) * 0.5])
            }
            (Some(left), None) => Some(self.shifted(left, -0.5)),
            (None, Some(right)) => Some(self.shifted(right, 0.5)),
            (None, None) => None,
        }
    }

    fn update_difference(&mut self, difference: [f64; 2], step_secs: f64) {
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

/// Returns the angles if they are plausible. An eye with NaN or an angle beyond ±180° counts as lost.
fn angles(eye: Option<[f64; 2]>) -> Option<[f64; 2]> {
    eye.filter(|eye| eye.iter().all(|angle| angle.abs() <= 180.0))
}
