//! Detects oscillations of a signal, for example of the head angle during nods and head shakes.

/// Tracks the turning points of a signal.
#[derive(Clone, Debug)]
pub(super) struct Swings {
    /// Minimum distance that the signal must move back from an extremum, so that the extremum counts as a turning
    /// point.
    least: f64,
    /// Time in seconds and value of the extremum since the last turning point.
    farthest: Option<(f64, f64)>,
    is_rising: bool,
    /// Times in seconds and values of the last turning points, newest last.
    turns: [(f64, f64); KEPT],
}

const KEPT: usize = 4;
/// Placeholder for a turning point that has not occurred.
const NEVER: (f64, f64) = (f64::NEG_INFINITY, 0.0);

impl Swings {
    pub(super) fn new(least: f64) -> Self {
        Self { least, farthest: None, is_rising: false, turns: [NEVER; KEPT] }
    }

    /// Adds the next value. Returns true if a turning point was just detected.
    pub(super) fn next(&mut self, secs: f64, value: f64) -> bool {
        let Some((at, far)) = self.farthest else {
            self.farthest = Some((secs, value));
            return false;
        };
        let onward = if self.is_rising { value - far } else { far - value };
        if onward >= 0.0 {
            self.farthest = Some((secs, value));
            return false;
        }
        if -onward < self.least {
            return false;
        }
        // The first turning point is only the start of the signal.
        let (before, _) = self.turning_point();
        self.turns.rotate_left(1);
        self.turns[KEPT - 1] = (at, far);
        self.is_rising = !self.is_rising;
        self.farthest = Some((secs, value));
        before.is_finite()
    }

    fn turning_point(&self) -> (f64, f64) {
        self.turns[KEPT - 1]
    }

    /// Returns the smallest swing between the last `times` turning points, or `None` if they did not all occur in the
    /// last `within_secs` seconds.
    pub(super) fn swung(&self, times: usize, within_secs: f64, now: f64) -> Option<f64> {
        let turns = &self.turns[KEPT - times.min(KEPT)..];
        let is_recent = turns[0].0 >= now - within_secs;
        let size = |pair: &[(f64, f64)]| (pair[1].1 - pair[0].1).abs();
        is_recent.then(|| turns.windows(2).map(size).fold(f64::INFINITY, f64::min))
    }

    /// Removes past turning points, so that a nod is reported only once.
    pub(super) fn reset(&mut self) {
        self.turns = [NEVER; KEPT];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sin;
    use std::f64::consts::TAU;

    fn turns_of(least: f64, signal: impl Fn(f64) -> f64, secs: f64) -> usize {
        let mut swings = Swings::new(least);
        (0..(secs * 60.0) as u32)
            .filter(|n| swings.next(f64::from(*n) / 60.0, signal(f64::from(*n) / 60.0)))
            .count()
    }

    #[test]
    fn a_large_oscillation_turns_twice_per_period() {
        let turns = turns_of(2.0, |t| 4.0 * sin(TAU * 2.0 * t), 5.0);
        assert!((18..=20).contains(&turns), "{turns} turning points in ten periods");
        assert_eq!(turns_of(2.0, |t| 0.9 * sin(TAU * 2.0 * t), 5.0), 0, "too small");
        assert_eq!(turns_of(2.0, |t| 30.0 * t, 5.0), 0, "no turning point");
    }

    #[test]
    fn swings_are_counted_within_a_time() {
        let mut swings = Swings::new(2.0);
        for n in 0..90 {
            swings.next(f64::from(n) / 60.0, 5.0 * sin(TAU * 2.0 * f64::from(n) / 60.0));
        }
        let size = swings.swung(3, 1.2, 1.5).expect("an oscillation");
        assert!((9.0..10.1).contains(&size), "{size}");
        assert_eq!(swings.swung(3, 1.2, 9.0), None, "too long ago");
        swings.reset();
        assert_eq!(swings.swung(3, 1.2, 1.5), None);
    }
}
