//! Fills gaps in the signal.
//!
//! Trackers lose an eye that closes, so a gap may be the blink itself. A gap counts as closed if the lids were low
//! next to it, or were closing before it or opening after it.

use std::ops::Range;

/// Maximum duration of gaps that are interpolated linearly. Gaps of a single sample always are.
const STRAIGHT_SECS: f64 = 0.034;
/// Between open eyes, a gap up to this duration may be a blink (VanderWerf's blinks take 0.33 s in total).
const BLINK_SECS: f64 = 0.5;
/// Next to low lids, a gap counts as closed up to this duration; longer gaps stay unknown.
const CLOSED_SECS: f64 = 4.0;
/// Time before and after a gap in which the lid motion is measured.
const BESIDE_SECS: f64 = 0.05;
/// Aperture below which lids are low, as a share of the open aperture.
const LOW: f64 = 0.5;
/// Lid movement next to a gap, as a share of the open aperture, above which the lids are closing or opening.
const MOVING: f64 = 0.1;

/// Fills gaps where possible. Values are shares of the open aperture. Returns the ranges that are known afterwards.
pub(super) fn fill_gaps(shares: &mut [f64], rate_hz: f64) -> Vec<Range<usize>> {
    let gaps = runs(shares.len(), |i| shares[i].is_nan());
    for gap in gaps {
        if let Some(fill) = fill(shares, &gap, rate_hz) {
            fill.apply(shares, gap);
        }
    }
    runs(shares.len(), |i| !shares[i].is_nan())
}

enum Fill {
    Straight(f64, f64),
    Level(f64),
}

impl Fill {
    fn apply(&self, shares: &mut [f64], gap: Range<usize>) {
        let (first, steps) = (gap.start, (gap.len() + 1) as f64);
        for i in gap {
            shares[i] = match self {
                Self::Straight(from, to) => from + (to - from) * (i - first + 1) as f64 / steps,
                Self::Level(level) => *level,
            };
        }
    }
}

/// Returns how to fill a gap; `None` at the ends of the recording, and if the lid position is unclear.
fn fill(shares: &[f64], gap: &Range<usize>, rate_hz: f64) -> Option<Fill> {
    let secs = gap.len() as f64 / rate_hz;
    let beside = (BESIDE_SECS * rate_hz).ceil().max(2.0) as usize;
    let before = known(&shares[gap.start.saturating_sub(beside)..gap.start]);
    let after = known(&shares[gap.end..shares.len().min(gap.end + beside)]);
    let (from, to) = (*before.last()?, *after.first()?);
    let low = lowest(&before).min(lowest(&after));
    let is_leaving = before[0] - from > MOVING || after[after.len() - 1] - to > MOVING;
    let is_low = from.min(to) < LOW;
    match () {
        () if gap.len() == 1 || secs <= STRAIGHT_SECS => Some(Fill::Straight(from, to)),
        () if is_leaving && secs <= if is_low { CLOSED_SECS } else { BLINK_SECS } => Some(Fill::Level(0.0)),
        () if is_low && secs <= CLOSED_SECS => Some(Fill::Level(low.max(0.0))),
        () => None,
    }
}

fn known(part: &[f64]) -> Vec<f64> {
    part.iter().copied().filter(|x| !x.is_nan()).collect()
}

fn lowest(part: &[f64]) -> f64 {
    part.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Returns the longest runs of indices for which a condition holds.
pub(super) fn runs(count: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for i in (0..count).filter(|i| holds(*i)) {
        match runs.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}
