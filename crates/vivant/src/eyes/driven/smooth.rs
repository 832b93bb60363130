//! Detects smooth pursuit: sustained movement in one direction.
//!
//! Pursuit is slower than the noise of a single sample, so it is visible only over a longer time. `Smooth::push`
//! averages samples in bins of 8 ms or more and keeps 150 ms of them. Pursuit starts only if each third of this time
//! contributes to the movement, so a jump in the middle is not pursuit (`is_pursuit`). `unexplained` removes the
//! pursuit from a velocity, so that only a catch-up saccade exceeds the saccade threshold. Eyes that compensate a head
//! turn move alike and count as pursuit.

use super::track::{Point, length, minus};

const BINS: usize = 20;

/// Detector of smooth pursuit. Contains the gaze of the last 150 ms in bins of at least 8 ms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Smooth {
    bins: [Point; BINS],
    len: usize,
    sum: Point,
    count: u32,
    began_secs: f64,
    velocity: [f64; 2],
    is_pursuing: bool,
}

impl Smooth {
    const BIN_SECS: f64 = 0.008;
    const MAX_SECS: f64 = 0.155;
    const MIN_SECS: f64 = 0.1;
    /// Minimum fraction of the whole distance that each third of a movement must cover, so that a jump in the middle is
    /// not pursuit.
    const EVEN_SHARE: f64 = 0.12;
    /// Like `EVEN_SHARE`, but during pursuit. It is negative, because noise may reverse the movement in one third.
    const EVEN_SHARE_LATER: f64 = -0.25;
    /// Factor by which the velocity may exceed the current pursuit velocity and still be explained by the pursuit.
    const FASTER: f64 = 1.5;
    /// Velocity below which pursuit ends, as a fraction of the threshold.
    const CONTINUES: f64 = 0.6;

    /// Clears the positions. If `velocity_too` is true, also clears the pursuit velocity: after a gap, but not after
    /// a saccade.
    pub(super) fn clear(&mut self, velocity_too: bool) {
        (self.len, self.count, self.is_pursuing) = (0, 0, false);
        if velocity_too {
            self.velocity = [0.0; 2];
        }
    }

    pub(super) fn push(&mut self, point: Point, period_secs: f64) {
        if self.count == 0 {
            (self.began_secs, self.sum) = (point.secs, Point::default());
        }
        self.count += 1;
        self.sum.secs += point.secs - self.began_secs;
        self.sum.at[0] += point.at[0];
        self.sum.at[1] += point.at[1];
        if point.secs - self.began_secs + period_secs >= Self::BIN_SECS {
            let share = 1.0 / f64::from(self.count);
            let at = self.sum.at.map(|sum| share * sum);
            self.store(Point { secs: self.began_secs + share * self.sum.secs, at });
            self.count = 0;
        }
    }

    fn store(&mut self, bin: Point) {
        let old = self.bins[..self.len].iter().take_while(|old| bin.secs - old.secs > Self::MAX_SECS).count();
        let old = old.max((self.len + 1).saturating_sub(BINS));
        self.bins.copy_within(old..self.len, 0);
        self.len -= old;
        self.bins[self.len] = bin;
        self.len += 1;
    }

    /// Returns true during pursuit. Updates the decision if there is enough data. `noise_deg_per_s` is the noise of
    /// a velocity over 30 ms.
    pub(super) fn is_pursuit(
        &mut self,
        threshold_deg_per_s: f64,
        noise_deg_per_s: f64,
        period_secs: f64,
    ) -> bool {
        let Some(velocity) = self.even_velocity(period_secs) else {
            return self.is_pursuing;
        };
        // A velocity that is measured over five times that span has at most a fifth of the noise. The threshold is
        // four standard deviations of this noise.
        let least = threshold_deg_per_s.max(0.8 * noise_deg_per_s);
        let least = if self.is_pursuing { Self::CONTINUES * least } else { least };
        self.is_pursuing = length(velocity) >= least;
        self.velocity = if self.is_pursuing { velocity } else { [0.0; 2] };
        self.is_pursuing
    }

    /// Returns the velocity over the bins, or zero if the movement is not even. Returns `None` if there are too few
    /// bins.
    fn even_velocity(&self, period_secs: f64) -> Option<[f64; 2]> {
        let bins = &self.bins[..self.len];
        let (first, last) = (bins.first()?, bins.last()?);
        if self.len < 4 || last.secs - first.secs + 0.25 * period_secs < Self::MIN_SECS - Self::BIN_SECS {
            return None;
        }
        let quarter = |i: usize| mean(&bins[i * self.len / 4..(i + 1) * self.len / 4]);
        let stops = [quarter(0), quarter(1), quarter(2), quarter(3)];
        let way = minus(stops[3].at, stops[0].at);
        let far = length(way).max(1e-9);
        let along = |i: usize| {
            let part = minus(stops[i + 1].at, stops[i].at);
            (part[0] * way[0] + part[1] * way[1]) / far
        };
        let least = if self.is_pursuing { Self::EVEN_SHARE_LATER } else { Self::EVEN_SHARE };
        let even = (0..3).all(|i| along(i) >= least * far);
        let secs = stops[3].secs - stops[0].secs;
        Some(if even { [way[0] / secs, way[1] / secs] } else { [0.0; 2] })
    }

    /// Returns the part of a velocity that the current pursuit does not explain. Every velocity between rest and the
    /// pursuit velocity (times `FASTER`) counts as explained.
    pub(super) fn unexplained(&self, velocity: [f64; 2]) -> [f64; 2] {
        let smooth = self.velocity.map(|v| Self::FASTER * v);
        let square = smooth[0] * smooth[0] + smooth[1] * smooth[1];
        if square == 0.0 {
            return velocity;
        }
        let share = ((velocity[0] * smooth[0] + velocity[1] * smooth[1]) / square).clamp(0.0, 1.0);
        [velocity[0] - share * smooth[0], velocity[1] - share * smooth[1]]
    }
}

fn mean(points: &[Point]) -> Point {
    let share = 1.0 / points.len() as f64;
    let origin = points[0].secs;
    let sum = points.iter().fold([0.0; 3], |sum, point| {
        [sum[0] + (point.secs - origin), sum[1] + point.at[0], sum[2] + point.at[1]]
    });
    Point { secs: origin + share * sum[0], at: [share * sum[1], share * sum[2]] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rate: f64, position: impl Fn(f64) -> f64, expected: bool) {
        let mut smooth = Smooth::default();
        let mut pursuit = false;
        for i in 0..(0.3 * rate) as u32 {
            let secs = f64::from(i) / rate;
            smooth.push(Point { secs, at: [position(secs), 0.0] }, 1.0 / rate);
            pursuit = smooth.is_pursuit(5.0, 0.1, 1.0 / rate);
        }
        assert_eq!(pursuit, expected, "at {rate} Hz");
    }

    #[test]
    fn even_movement_is_pursuit_but_steps_and_drift_are_not() {
        for rate in [30.0, 60.0, 120.0, 250.0, 1000.0] {
            check(rate, |t| 10.0 * t, true);
            check(rate, |t| -100.0 * t, true);
            check(rate, |t| 2.0 * t, false);
            check(rate, |t| if t > 0.22 { 3.0 } else { 0.0 }, false);
        }
    }

    #[test]
    fn pursuit_explains_velocity_along_it() {
        let smooth = Smooth { velocity: [20.0, 0.0], ..Smooth::default() };
        for (velocity, unexplained) in [
            ([10.0, 0.0], [0.0, 0.0]),
            ([30.0, 4.0], [0.0, 4.0]),
            ([-5.0, 0.0], [-5.0, 0.0]),
            ([50.0, 0.0], [20.0, 0.0]),
        ] {
            assert_eq!(smooth.unexplained(velocity), unexplained);
        }
    }
}
