//! When a gaze has come to rest, and since when it was on its way.
//!
//! What the eyes plan is not looked at: plans are in the frame of a torso that moves, and are made anew
//! whenever the body carries the head along, though the gaze stays where it is.

use glam::DVec3;
use vivant::eyes::direction::angle_between_deg;

/// A gaze that is faster shifts; what pursues something slow, drifts or trembles does not (FACTS, section 2).
const SHIFTING_DEG_PER_SEC: f64 = 30.0;

/// Where the gaze was last seen, and since when it shifts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Landing {
    seen: Option<(f64, DVec3)>,
    shifts_since: Option<f64>,
}

impl Landing {
    /// Sees a gaze at a time; if it has just come to rest there, says when it set out.
    pub(super) fn see(&mut self, now: f64, gaze: DVec3) -> Option<f64> {
        let Some((before, last)) = self.seen.replace((now, gaze)) else { return Some(now) };
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
    fn a_gaze_lands_where_it_comes_to_rest() {
        let check = |yaws: &[f64], expected: &[(usize, f64)]| {
            let mut landing = Landing::default();
            let seen = yaws.iter().enumerate().filter_map(|(i, yaw)| {
                let gaze = Direction::new(*yaw, 0.0).to_vector();
                Some((i, landing.see(i as f64 / 60.0, gaze)? * 60.0))
            });
            let seen: Vec<(usize, f64)> = seen.map(|(i, since)| (i, since.round())).collect();
            assert_eq!(seen, expected, "{yaws:?}");
        };
        check(&[5.0, 5.0, 5.0], &[(0, 0.0)]);
        check(&[0.0, 0.0, 4.0, 9.0, 10.0, 10.1, 10.1], &[(0, 0.0), (5, 1.0)]);
        // A slow pursuit is one look.
        check(&[0.0, 0.3, 0.6, 0.9, 1.2], &[(0, 0.0)]);
        // There and back.
        check(&[0.0, 8.0, 8.0, 0.0, 0.0], &[(0, 0.0), (2, 0.0), (4, 2.0)]);
    }
}
