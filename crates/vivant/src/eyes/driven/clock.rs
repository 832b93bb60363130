//! Estimates the sampling period of a source and rejects bad timestamps.
//!
//! Real sources repeat timestamps, deliver samples out of order, drop them, or restart at zero. `Clock::tick` accepts
//! the time of a sample or returns `None`, in which case the sample must be ignored; after more than 30 earlier times
//! in a row, the source counts as restarted. `period_secs` is the median of the last steps, which a dropped sample does
//! not change.

/// Result of an accepted timestamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Seconds since the previous sample; zero for the first sample.
    pub(crate) step_secs: f64,
    /// True if the source has restarted.
    pub(crate) restarted: bool,
}

const STEPS: usize = 15;

/// Rejects bad timestamps and estimates the sampling period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    last: Option<f64>,
    backwards: u32,
    /// The last steps between samples in seconds, as a ring buffer.
    steps: [f64; STEPS],
    count: usize,
    period_secs: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { last: None, backwards: 0, steps: [0.0; STEPS], count: 0, period_secs: 1.0 / 60.0 }
    }
}

impl Clock {
    /// Number of samples with a time before the latest time. If there are more of them in a row, the source counts as
    /// restarted.
    const MAX_BACKWARDS: u32 = 30;
    /// Maximum timestamp in seconds. Larger timestamps are rejected, because an f64 could not distinguish neighbouring
    /// samples.
    pub(crate) const MAX_TIME_SECS: f64 = 1e11;
    /// Longest step between samples in seconds; longer steps are gaps and do not affect the period.
    const LONGEST_SECS: f64 = 0.5;

    /// Takes the time of the next sample. Returns `None` if the time is not finite, too large, or not later than the
    /// last time.
    pub(crate) fn tick(&mut self, secs: f64) -> Option<Tick> {
        if secs.is_nan() || secs.abs() > Self::MAX_TIME_SECS {
            return None;
        }
        let step_secs = self.last.map_or(0.0, |last| secs - last);
        if self.last.is_some() && step_secs <= 0.0 {
            self.backwards += u32::from(step_secs < 0.0);
            if self.backwards <= Self::MAX_BACKWARDS {
                return None;
            }
        }
        let restarted = step_secs < 0.0;
        (self.last, self.backwards) = (Some(secs), 0);
        self.update_period(step_secs);
        Some(Tick { step_secs: step_secs.max(0.0), restarted })
    }

    fn update_period(&mut self, step_secs: f64) {
        if step_secs <= 0.0 || step_secs > Self::LONGEST_SECS {
            return;
        }
        self.steps[self.count % STEPS] = step_secs;
        self.count += 1;
        let mut sorted = self.steps;
        let sorted = &mut sorted[..self.count.min(STEPS)];
        sorted.sort_unstable_by(f64::total_cmp);
        self.period_secs = sorted[sorted.len() / 2].max(1e-4);
    }

    /// Returns the median of the last steps in seconds. A dropped sample does not change it.
    pub(crate) fn period_secs(&self) -> f64 {
        self.period_secs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(times: &[f64], expected: &[Option<f64>]) {
        let mut clock = Clock::default();
        let steps: Vec<Option<f64>> =
            times.iter().map(|t| clock.tick(*t).map(|tick| tick.step_secs)).collect();
        assert_eq!(steps, expected, "{times:?}");
    }

    #[test]
    fn only_later_times_count() {
        check(&[1.0, 1.5, 1.5, 1.25, 2.0], &[Some(0.0), Some(0.5), None, None, Some(0.5)]);
        check(&[f64::NAN, f64::INFINITY, 1e300, 0.0], &[None, None, None, Some(0.0)]);
    }

    #[test]
    fn a_restarted_source_is_followed_after_a_while() {
        let mut clock = Clock::default();
        clock.tick(1000.0);
        let ignored = (0..100).take_while(|i| clock.tick(f64::from(*i) * 0.01).is_none()).count();
        assert_eq!(ignored, 30);
        assert!(clock.tick(0.5).is_some_and(|tick| !tick.restarted));
    }

    #[test]
    fn the_period_ignores_jitter_and_drops_and_follows_a_new_rate() {
        let mut clock = Clock::default();
        let mut secs = 0.0;
        for i in 0..100 {
            secs += if i % 7 == 0 { 0.05 } else { 0.01 + 0.001 * f64::from(i % 3 - 1) };
            clock.tick(secs);
        }
        assert!((clock.period_secs() - 0.01).abs() < 0.0011, "{}", clock.period_secs());
        for _ in 0..8 {
            secs += 0.002;
            clock.tick(secs);
        }
        assert!((clock.period_secs() - 0.002).abs() < 1e-9, "{}", clock.period_secs());
    }
}
