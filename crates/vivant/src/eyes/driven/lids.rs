//! Blinks, as a source tells or shows them.

use super::{EyeSample, Thresholds};

/// What a sample says about the lids.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lids {
    pub(super) closed: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
}

/// Follows the lids from sample to sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LidSignal {
    /// How open the eyes usually are.
    open: Option<f64>,
    /// How open they were in the last two samples.
    before: [f64; 2],
    closed: bool,
    /// How long nothing has been said about the lids.
    silent_secs: f64,
    /// How long both eyes have been lost.
    lost_secs: f64,
}

impl LidSignal {
    /// Lids are down below this share of how open they usually are (our design), …
    const DOWN: f64 = 0.3;
    /// … and up again above this one.
    const UP: f64 = 0.5;
    /// How fast “usually” grows, by the median of three samples: one may be wild.
    const GROWS_SECS: f64 = 0.3;
    /// … and shrinks: squinting is not getting used to it.
    const SHRINKS_SECS: f64 = 10.0;
    /// Closed lids of which nothing more is heard are opened after this.
    const SILENCE_SECS: f64 = 0.5;
    /// A loss of both eyes this long may be a blink.
    const LOST_SECS: [f64; 2] = [0.08, 0.5];

    pub(super) fn push(
        &mut self,
        sample: &EyeSample,
        step_secs: f64,
        seen: bool,
        thresholds: &Thresholds,
    ) -> Lids {
        let was = self.closed;
        let told = sample.blink.or_else(|| self.measure(sample.openness, step_secs));
        self.silent_secs = if told.is_some() { 0.0 } else { self.silent_secs + step_secs };
        self.lost_secs += step_secs;
        let [least, most] = Self::LOST_SECS;
        let gap = thresholds.gap_is_blink && (least..=most).contains(&self.lost_secs);
        self.closed = match told {
            Some(closed) => closed,
            None if thresholds.gap_is_blink => gap && !seen,
            None => was && self.silent_secs < Self::SILENCE_SECS,
        };
        // A gap without any samples is over as soon as it is known.
        let unseen = told.is_none() && gap && seen && !was;
        if seen {
            self.lost_secs = 0.0;
        }
        Lids {
            closed: self.closed,
            began: (self.closed && !was) || unseen,
            ended: (was && !self.closed) || unseen,
        }
    }

    /// Whether the lids are down by how open they are.
    fn measure(&mut self, openness: Option<[f64; 2]>, step_secs: f64) -> Option<bool> {
        let now = mean(openness?)?;
        if self.open.is_none() {
            (self.open, self.before) = (Some(now), [now; 2]);
        }
        let open = self.open.unwrap_or(now);
        let closed = now < open * if self.closed { Self::UP } else { Self::DOWN };
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

/// Of both eyes, or of the one that is measured. A wink is half of a blink, and none.
fn mean([left, right]: [f64; 2]) -> Option<f64> {
    let good = |x: f64| (0.0..=1e6).contains(&x);
    match (good(left), good(right)) {
        (true, true) => Some(0.5 * (left + right)),
        (true, false) => Some(left),
        (false, true) => Some(right),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 100 Hz: how open the eyes are, or `None`; the samples at which a blink begins and ends.
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
    fn openness_shows_blinks_in_any_unit_once() {
        for unit in [1.0, 11.0, 0.3] {
            let at = |x: f64| Some([x * unit, x * unit]);
            check(false, &[(at(0.9), 50), (at(0.2), 5), (at(0.4), 5), (at(0.8), 9)], &[(50, 'v'), (60, '^')]);
            // A squint, a wink, a lost eye.
            check(false, &[(at(0.9), 50), (at(0.4), 50), (at(0.9), 9)], &[]);
            check(false, &[(at(1.0), 50), (Some([unit, 0.0]), 20), (Some([unit, f64::NAN]), 20)], &[]);
            // A wild sample.
            check(false, &[(at(1.0), 50), (at(1000.0), 1), (at(1.0), 50), (at(0.1), 9)], &[(101, 'v')]);
            // Closed from the start: nothing is known until they open.
            check(
                false,
                &[(at(0.0), 50), (at(1.0), 400), (at(0.05), 10), (at(1.0), 2)],
                &[(450, 'v'), (460, '^')],
            );
        }
    }

    #[test]
    fn lids_that_fall_silent_while_closed_open_after_half_a_second() {
        check(false, &[(Some([1.0; 2]), 50), (Some([0.1; 2]), 5), (None, 100)], &[(50, 'v'), (104, '^')]);
    }

    #[test]
    fn a_gap_is_a_blink_only_if_asked_for_and_of_a_blinks_length() {
        let gap = |count| [(Some([1.0; 2]), 50), (None, count), (Some([1.0; 2]), 9)];
        check(true, &gap(20), &[(57, 'v'), (70, '^')]);
        check(true, &gap(6), &[]);
        check(true, &gap(90), &[(57, 'v'), (99, '^')]);
        check(false, &gap(20), &[]);
    }
}
