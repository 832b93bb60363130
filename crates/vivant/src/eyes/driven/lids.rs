//! Detects blinks in tracker samples.
//!
//! Trackers report lids in three ways: as a blink flag, as openness in an unknown unit, or only by losing both eyes.
//! `LidSignal::push` combines them to the start and end of blinks. The flag has precedence; openness is compared with a
//! running estimate of the open eye, so its unit does not matter; a loss counts only if the thresholds allow it and if
//! it lasts as long as a blink. Winks and squints are not blinks. Closed lids open again if the tracker stops reporting
//! them.

use super::{EyeSample, Thresholds};

/// State of the lids after a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lids {
    pub(super) closed: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
}

/// Tracks the lids from sample to sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LidSignal {
    /// Usual openness of the eyes.
    open: Option<f64>,
    /// Openness in the last two samples.
    before: [f64; 2],
    closed: bool,
    /// Seconds without information about the lids.
    silent_secs: f64,
    /// Seconds since both eyes were lost.
    lost_secs: f64,
}

impl LidSignal {
    /// Fraction of the usual openness below which lids count as closed (our design).
    const CLOSED_SHARE: f64 = 0.3;
    /// Fraction of the usual openness above which closed lids count as open again.
    const OPEN_SHARE: f64 = 0.5;
    /// Time constant in seconds with which the usual openness grows. The usual openness follows the median of three
    /// samples, because one sample may be an outlier.
    const GROWS_SECS: f64 = 0.3;
    /// Time constant in seconds with which the usual openness shrinks. It is long so that squinting does not change
    /// the usual openness.
    const SHRINKS_SECS: f64 = 10.0;
    /// Seconds without information after which closed lids count as open.
    const SILENCE_SECS: f64 = 0.5;
    /// Range of durations in seconds for which a loss of both eyes may be a blink.
    const LOST_SECS: [f64; 2] = [0.08, 0.5];

    pub(super) fn push(
        &mut self,
        sample: &EyeSample,
        step_secs: f64,
        seen: bool,
        thresholds: &Thresholds,
    ) -> Lids {
        let was_closed = self.closed;
        let reported = sample.blink.or_else(|| self.measure(sample.openness, step_secs));
        self.silent_secs = if reported.is_some() { 0.0 } else { self.silent_secs + step_secs };
        self.lost_secs += step_secs;
        let [least, most] = Self::LOST_SECS;
        let gap = thresholds.gap_is_blink && (least..=most).contains(&self.lost_secs);
        self.closed = match reported {
            Some(closed) => closed,
            None if thresholds.gap_is_blink => gap && !seen,
            None => was_closed && self.silent_secs < Self::SILENCE_SECS,
        };
        // If no samples arrive during a gap, the gap is already over when it is detected.
        let unseen = reported.is_none() && gap && seen && !was_closed;
        if seen {
            self.lost_secs = 0.0;
        }
        Lids {
            closed: self.closed,
            began: (self.closed && !was_closed) || unseen,
            ended: (was_closed && !self.closed) || unseen,
        }
    }

    /// Returns true if the openness means that the lids are closed; `None` if no openness was measured. Updates the
    /// usual openness.
    fn measure(&mut self, openness: Option<[f64; 2]>, step_secs: f64) -> Option<bool> {
        let now = mean(openness?)?;
        if self.open.is_none() {
            (self.open, self.before) = (Some(now), [now; 2]);
        }
        let open = self.open.unwrap_or(now);
        let closed = now < open * if self.closed { Self::OPEN_SHARE } else { Self::CLOSED_SHARE };
        let aim = median([now, self.before[0], self.before[1]]);
        self.before = [now, self.before[0]];
        if !closed {
            let secs = if aim > open { Self::GROWS_SECS } else { Self::SHRINKS_SECS };
            self.open = Some(open + (aim - open) * (step_secs / secs).clamp(0.0, 1.0));
        }
        Some(closed)
    }
}

fn median([a, b, c]: [f64; 3]) -> f64 {
    a.max(b).min(a.min(b).max(c))
}

/// Returns the mean of both eyes, or the value of the only measured eye. A wink halves the mean and does not count as a
/// blink.
fn mean([left, right]: [f64; 2]) -> Option<f64> {
    let is_valid = |x: f64| (0.0..=1e6).contains(&x);
    match (is_valid(left), is_valid(right)) {
        (true, true) => Some(0.5 * (left + right)),
        (true, false) => Some(left),
        (false, true) => Some(right),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the start ('v') and end ('^') of blinks. `openness` lists an openness and the number of samples with
    /// that openness, at 100 Hz; `None` means that both eyes are lost.
    fn check(gap_is_blink: bool, openness: &[(Option<[f64; 2]>, usize)], expected: &[(usize, char)]) {
        let thresholds = Thresholds { gap_is_blink, ..Thresholds::default() };
        let (mut lids, mut edges, mut i) = (LidSignal::default(), Vec::new(), 0);
        for &(openness, count) in openness {
            for _ in 0..count {
                let sample = EyeSample { openness: openness.filter(|_| !gap_is_blink), ..EyeSample::at(0.0) };
                let verdict = lids.push(&sample, 0.01, openness.is_some(), &thresholds);
                edges.extend(verdict.began.then_some((i, 'v')));
                edges.extend(verdict.ended.then_some((i, '^')));
                i += 1;
            }
        }
        assert_eq!(edges, expected, "{openness:?}");
    }

    #[test]
    fn openness_in_any_unit_shows_each_blink_once() {
        for unit in [1.0, 11.0, 0.3] {
            let at = |x: f64| Some([x * unit, x * unit]);
            check(false, &[(at(0.9), 50), (at(0.2), 5), (at(0.4), 5), (at(0.8), 9)], &[(50, 'v'), (60, '^')]);
            // A squint, a wink, a lost eye.
            check(false, &[(at(0.9), 50), (at(0.4), 50), (at(0.9), 9)], &[]);
            check(false, &[(at(1.0), 50), (Some([unit, 0.0]), 20), (Some([unit, f64::NAN]), 20)], &[]);
            // An outlier.
            check(false, &[(at(1.0), 50), (at(1000.0), 1), (at(1.0), 50), (at(0.1), 9)], &[(101, 'v')]);
            // If the lids are closed from the start, no blink is detected until they have opened.
            check(
                false,
                &[(at(0.0), 50), (at(1.0), 400), (at(0.05), 10), (at(1.0), 2)],
                &[(450, 'v'), (460, '^')],
            );
        }
    }

    #[test]
    fn closed_lids_without_data_open_after_half_a_second() {
        check(false, &[(Some([1.0; 2]), 50), (Some([0.1; 2]), 5), (None, 100)], &[(50, 'v'), (104, '^')]);
    }

    #[test]
    fn a_gap_is_a_blink_only_if_enabled_and_as_long_as_a_blink() {
        let gap = |count| [(Some([1.0; 2]), 50), (None, count), (Some([1.0; 2]), 9)];
        check(true, &gap(20), &[(57, 'v'), (70, '^')]);
        check(true, &gap(6), &[]);
        check(true, &gap(90), &[(57, 'v'), (99, '^')]);
        check(false, &gap(20), &[]);
    }
}
