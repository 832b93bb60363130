//! History of recent gaze directions.
//!
//! The classifier compares gaze directions over several spans, at rates from 30 to 4000 Hz and with timestamps that
//! jitter. `Track` keeps the last points in a ring of fixed size. `step` returns the movement over a span as the
//! difference of the means of its newest and oldest third, which has nearly as little noise as a fitted line. `start`
//! finds where a saccade started, and `settled` averages the newest points. The module measures; it does not decide
//! which movement it is.

/// Gaze direction (yaw and pitch in degrees) at a time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) secs: f64,
    pub(super) at: [f64; 2],
}

/// Gaze movement over a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// Velocity in degrees per second.
    pub(super) velocity: [f64; 2],
    /// Mean gaze direction in the newest third of the span.
    pub(super) newest: [f64; 2],
    /// Number of samples in the newest third.
    pub(super) newest_count: usize,
    /// Time from the oldest to the newest sample, in seconds.
    pub(super) span_secs: f64,
    /// Time from the middle of the oldest third to the middle of the newest third, in seconds.
    pub(super) mean_distance_secs: f64,
}

const POINTS: usize = 128;

/// Ring buffer of the latest points: 32 ms at 4000 Hz, longer at lower rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    points: [Point; POINTS],
    next: usize,
    len: usize,
}

impl Default for Track {
    fn default() -> Self {
        Self { points: [Point::default(); POINTS], next: 0, len: 0 }
    }
}

impl Track {
    /// Minimum time between two points in seconds; closer points are merged.
    const CLOSEST_SECS: f64 = 0.00025;

    /// Returns the point with this age, counted in points; the newest point has age 0.
    fn back(&self, age: usize) -> Point {
        self.points[(self.next + 2 * POINTS - 1 - age) % POINTS]
    }

    pub(super) fn newest(&self) -> Option<Point> {
        (self.len > 0).then(|| self.back(0))
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Drops all but the newest `count` points.
    pub(super) fn keep(&mut self, count: usize) {
        self.len = self.len.min(count);
    }

    /// Adds a point. If two timestamps are less than a fifth of a period apart, this is jitter, and the later point
    /// replaces the earlier point.
    pub(super) fn push(&mut self, point: Point, period_secs: f64) {
        let close = Self::CLOSEST_SECS.max(0.2 * period_secs);
        if self.len > 1 && point.secs - self.back(1).secs < close {
            let newest = (self.next + POINTS - 1) % POINTS;
            self.points[newest] = point;
            return;
        }
        self.points[self.next] = point;
        self.next = (self.next + 1) % POINTS;
        self.len = (self.len + 1).min(POINTS);
    }

    /// Returns the number of points that cover the given span, counted from age `from` to older points; `None` if
    /// there are too few points. The points may cover up to 0.3 periods less than the span, because timestamps
    /// jitter.
    fn count(&self, from: usize, span_secs: f64, period_secs: f64) -> Option<usize> {
        let enough = span_secs - 0.3 * period_secs;
        let last = (from + 1..self.len).find(|age| self.back(from).secs - self.back(*age).secs >= enough)?;
        Some(last - from + 1)
    }

    fn mean(&self, from: usize, count: usize) -> Point {
        let share = 1.0 / count as f64;
        // Sum relative to the newest time, because absolute times may be large.
        let origin = self.back(from).secs;
        let mut mean = Point::default();
        for age in from..from + count {
            let point = self.back(age);
            mean.secs += share * (point.secs - origin);
            mean.at[0] += share * point.at[0];
            mean.at[1] += share * point.at[1];
        }
        mean.secs += origin;
        mean
    }

    /// Returns the movement over the newest `span_secs` seconds, computed from the mean of the newest third and the
    /// mean of the oldest third. The result has nearly as little noise as a fitted line.
    pub(super) fn step(&self, span_secs: f64, period_secs: f64) -> Option<Step> {
        self.step_from(0, span_secs, period_secs).map(|(step, _, _)| step)
    }

    fn step_from(&self, from: usize, span_secs: f64, period_secs: f64) -> Option<(Step, [f64; 2], usize)> {
        let count = self.count(from, span_secs, period_secs)?;
        let third = count.div_ceil(3);
        let (newest, oldest) = (self.mean(from, third), self.mean(from + count - third, third));
        let mean_distance_secs = (newest.secs - oldest.secs).max(0.5 * period_secs);
        let way = minus(newest.at, oldest.at);
        let step = Step {
            velocity: [way[0] / mean_distance_secs, way[1] / mean_distance_secs],
            newest: newest.at,
            newest_count: third,
            span_secs: self.back(from).secs - self.back(from + count - 1).secs,
            mean_distance_secs,
        };
        Some((step, oldest.at, count))
    }

    /// Returns the point at which the movement in the newest span started: the oldest third of the span, or an earlier
    /// point if the gaze was already moving.
    pub(super) fn start(
        &self,
        span_secs: f64,
        period_secs: f64,
        moving: impl Fn(f64) -> bool,
    ) -> Option<[f64; 2]> {
        let (step, mut start, mut count) = self.step_from(0, span_secs, period_secs)?;
        let fine = span_secs.min(0.006).max(period_secs);
        for _ in 0..3 {
            let Some((before, oldest, more)) = self.step_from(count - 1, fine, period_secs) else {
                break;
            };
            let along = (before.velocity[0] * step.velocity[0] + before.velocity[1] * step.velocity[1])
                / length(step.velocity).max(1e-9);
            if !moving(along) {
                break;
            }
            start = oldest;
            count += more - 1;
        }
        Some(start)
    }

    /// Returns the newest gaze direction as a mean over the last `span_secs` seconds.
    pub(super) fn settled(&self, span_secs: f64) -> Option<Point> {
        let newest = self.newest()?;
        let count = (0..self.len).take_while(|age| newest.secs - self.back(*age).secs <= span_secs).count();
        Some(Point { secs: newest.secs, ..self.mean(0, count) })
    }
}

pub(super) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn length(a: [f64; 2]) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ramp of 10°/s to the left and 5°/s down.
    fn ramp(rate: f64, points: u32) -> Track {
        let mut track = Track::default();
        for i in 0..points {
            let secs = 1e6 + f64::from(i) / rate;
            track.push(Point { secs, at: [10.0 * (secs - 1e6), -5.0 * (secs - 1e6)] }, 1.0 / rate);
        }
        track
    }

    #[test]
    fn a_step_over_any_span_shows_a_constant_velocity() {
        for rate in [30.0, 120.0, 250.0, 1000.0, 4000.0] {
            for span in [0.005_f64, 0.012, 0.03] {
                let step = ramp(rate, 300).step(span.max(1.0 / rate), 1.0 / rate).unwrap();
                let off = length(minus(step.velocity, [10.0, -5.0]));
                assert!(off < 1e-4, "{rate} Hz over {span} s: {:?}", step.velocity);
                assert!(step.span_secs > 0.7 * span && step.mean_distance_secs <= step.span_secs);
            }
        }
    }

    #[test]
    fn too_few_points_give_no_step() {
        assert!(ramp(1000.0, 5).step(0.005, 0.001).is_none());
        assert!(ramp(1000.0, 6).step(0.005, 0.001).is_some());
        assert!(ramp(1000.0, 0).settled(0.005).is_none());
    }

    #[test]
    fn nearly_equal_timestamps_give_no_false_velocity() {
        let mut track = ramp(100.0, 10);
        let last = track.newest().unwrap();
        track.push(Point { secs: last.secs + 1e-9, at: [last.at[0] + 0.5, last.at[1]] }, 0.01);
        assert!(length(track.step(0.01, 0.01).unwrap().velocity) < 110.0);
    }
}
