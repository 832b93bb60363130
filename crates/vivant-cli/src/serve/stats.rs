//! Statistics of the clock's punctuality.
//!
//! The clock calls [`Stats::record`] for every frame, so recording must be cheap: it changes atomic counters of a
//! histogram with fixed buckets and never allocates or locks. [`Stats::late_ms`] returns median, 99th percentile and
//! maximum. The quantiles have the resolution of a bucket; only the maximum is exact to a microsecond.
//! [`resident_bytes`] returns the memory of the process where `/proc` exists.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Resolution of the histogram of lateness.
const BUCKET: Duration = Duration::from_micros(20);
/// Number of buckets, up to a lateness of a tenth of a second. The last bucket also holds all later frames.
const BUCKETS: usize = 5000;

/// Histogram of the lateness of frames. It has fixed buckets, so that the clock never allocates.
pub(super) struct Stats {
    buckets: Box<[AtomicU64]>,
    latest_micros: AtomicU64,
    skipped: AtomicU64,
}

impl Default for Stats {
    fn default() -> Self {
        let buckets = std::iter::repeat_with(AtomicU64::default).take(BUCKETS).collect();
        Self { buckets, latest_micros: AtomicU64::new(0), skipped: AtomicU64::new(0) }
    }
}

impl Stats {
    /// Records frames that were ready `late` after their time.
    pub(super) fn record(&self, frames: u64, late: Duration) {
        let bucket = late.as_micros() / BUCKET.as_micros();
        self.buckets[(bucket as usize).min(BUCKETS - 1)].fetch_add(frames, Ordering::Relaxed);
        self.latest_micros.fetch_max(late.as_micros() as u64, Ordering::Relaxed);
    }

    pub(super) fn skip(&self, frames: u64) {
        self.skipped.fetch_add(frames, Ordering::Relaxed);
    }

    pub(super) fn reset(&self) {
        self.buckets.iter().for_each(|bucket| bucket.store(0, Ordering::Relaxed));
        self.latest_micros.store(0, Ordering::Relaxed);
        self.skipped.store(0, Ordering::Relaxed);
    }

    pub(super) fn frames(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    /// Returns the lateness in milliseconds: median, 99th percentile, maximum.
    pub(super) fn late_ms(&self) -> [f64; 3] {
        let latest = self.latest_micros.load(Ordering::Relaxed) as f64 * 1e-3;
        [self.late_ms_of(0.5).min(latest), self.late_ms_of(0.99).min(latest), latest]
    }

    /// Returns a quantile of the lateness in milliseconds: the upper edge of the bucket that contains it.
    fn late_ms_of(&self, share: f64) -> f64 {
        let wanted = (self.frames() as f64 * share).ceil() as u64;
        let mut seen = 0;
        let reached = self.buckets.iter().position(|bucket| {
            seen += bucket.load(Ordering::Relaxed);
            seen >= wanted
        });
        (reached.unwrap_or(0) + 1) as f64 * BUCKET.as_secs_f64() * 1e3
    }
}

/// Returns the resident memory of this process in bytes, if the operating system reports it.
pub(super) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_has_quantiles() {
        let stats = Stats::default();
        assert_eq!((stats.frames(), stats.late_ms()), (0, [0.0; 3]));
        stats.record(980, Duration::from_micros(110));
        stats.record(15, Duration::from_micros(1990));
        stats.record(5, Duration::from_millis(700));
        let [half, most, latest] = stats.late_ms();
        assert!((half - 0.12).abs() < 1e-9 && (most - 2.0).abs() < 1e-9, "{half} {most}");
        assert_eq!((latest, stats.frames()), (700.0, 1000));
        stats.reset();
        assert_eq!((stats.frames(), stats.late_ms()), (0, [0.0; 3]));
    }
}
