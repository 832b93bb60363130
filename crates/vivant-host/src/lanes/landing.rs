//! Detects the end of a gaze shift, and the time at which the shift started.
//!
//! Detection uses the actual gaze, not the planned eye movements. Plans are relative to a moving torso and are
//! recomputed whenever the body moves the head, although the gaze stays on its target.

use glam::DVec3;
use vivant::eyes::direction::angle_between_deg;

/// Gaze velocity in degrees per second above which a movement counts as a gaze shift. Smooth pursuit of slow targets,
/// drift and tremor are slower.
const SHIFTING_DEG_PER_SEC: f64 = 30.0;

/// The last gaze sample, and the start of the current shift.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Landing {
    last_sample: Option<(f64, DVec3)>,
    shifts_since: Option<f64>,
}

impl Landing {
    /// Adds a gaze sample. If a shift just ended, returns its start time in seconds. The first sample counts as the
    /// end of a shift.
    pub(super) fn add_sample(&mut self, now: f64, gaze: DVec3) -> Option<f64> {
        let Some((before, last)) = self.last_sample.replace((now, gaze)) else { return Some(now) };
        let degrees = angle_between_deg(last, gaze);
        if degrees > SHIFTING_DEG_PER_SEC * (now - before) {
            self.shifts_since.get_or_insert(before);
            return None;
        }
        self.shifts_since.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::eyes::direction::Direction;

    #[test]
    fn a_gaze_shift_ends_at_rest() {
        let check = |yaws: &[f64], expected: &[(usize, f64)]| {
            let mut landing = Landing::default();
            let last_sample = yaws.iter().enumerate().filter_map(|(i, yaw)| {
                let gaze = Direction::new(*yaw, 0.0).to_vector();
                Some((i, landing.add_sample(i as f64 / 60.0, gaze)? * 60.0))
            });
            let last_sample: Vec<(usize, f64)> = last_sample.map(|(i, since)| (i, since.round())).collect();
            assert_eq!(last_sample, expected, "{yaws:?}");
        };
        check(&[5.0, 5.0, 5.0], &[(0, 0.0)]);
        check(&[0.0, 0.0, 4.0, 9.0, 10.0, 10.1, 10.1], &[(0, 0.0), (5, 1.0)]);
        // Slow pursuit is a single fixation.
        check(&[0.0, 0.3, 0.6, 0.9, 1.2], &[(0, 0.0)]);
        // A gaze shift and the shift back.
        check(&[0.0, 8.0, 8.0, 0.0, 0.0], &[(0, 0.0), (2, 0.0), (4, 2.0)]);
    }
}
