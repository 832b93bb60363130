//! Measures blinks, their timing, and lid movement between them.
//!
//! [`Lids::new`] takes the trace and its labelled blinks. Each method returns the [`Measure`] of one check: value,
//! error and count. It returns `None` if there are too few events or the sampling rate is too low, because a verdict on
//! such data would be a guess. Durations have an error of at least one frame, so that a coarse trace is not judged for
//! its sampling. The comparison with human data is in [`super::check`].

use super::check::{Measure, length};
use super::saccades::{GazeEvents, Saccade};
use super::trace::Trace;
use crate::blinks::{Event, Kind};

/// Minimum number of blinks to measure their shape.
const MIN_BLINKS: usize = 4;
const MIN_INTERVALS: usize = 8;
/// Maximum time between the onsets of a gaze shift and of a blink that it evokes.
const EVOKED_SECS: f64 = 0.2;

/// Lid movement of a trace.
pub(super) struct Lids<'a> {
    pub(super) trace: &'a Trace,
    /// Mean aperture of both eyes, 0 to 1; empty if not recorded.
    pub(super) openness: &'a [f64],
    pub(super) events: &'a [Event],
    /// Full and partial blinks.
    brief: Vec<&'a Event>,
    /// Duration of the known data in seconds.
    secs: f64,
}

impl<'a> Lids<'a> {
    pub(super) fn new(trace: &'a Trace, openness: &'a [f64], events: &'a [Event]) -> Self {
        let brief = events.iter().filter(|event| event.kind.is_brief()).collect();
        // Without any blink, the device may not detect blinks at all.
        let is_from_device = openness.is_empty() && !events.is_empty();
        let known = openness.iter().filter(|x| x.is_finite()).count() as f64 / trace.rate_hz;
        let secs = if is_from_device { trace.secs() } else { known };
        Self { trace, openness, events, brief, secs }
    }

    /// Returns the given value of each full blink; non-finite values are left out.
    fn whole(&self, value: impl Fn(&Event) -> f64) -> Vec<f64> {
        self.events
            .iter()
            .filter(|event| event.kind == Kind::Blink)
            .map(value)
            .filter(|x| x.is_finite())
            .collect()
    }

    fn frame_ms(&self) -> f64 {
        1e3 / self.trace.rate_hz
    }

    pub(super) fn closing_ms(&self) -> Option<Measure> {
        let times = self.whole(|event| 1e3 * event.closing_secs);
        Some(Measure::median(&times, MIN_BLINKS)?.with_min_error(self.frame_ms()))
    }

    pub(super) fn opening_ms(&self) -> Option<Measure> {
        let times = self.whole(|event| 1e3 * event.opening_secs);
        Some(Measure::median(&times, MIN_BLINKS)?.with_min_error(self.frame_ms()))
    }

    /// Returns the median ratio of opening to closing duration. At low sampling rates one frame is a large part of
    /// the closing phase, so the error is larger.
    pub(super) fn asymmetry(&self) -> Option<Measure> {
        let ratios = self.whole(|event| event.opening_secs / event.closing_secs.max(1e-3));
        let ratio = Measure::median(&ratios, MIN_BLINKS)?;
        let closing = Measure::median(&self.whole(|event| event.closing_secs), 1)?.value;
        Some(ratio.with_min_error(0.5 * ratio.value / (closing * self.trace.rate_hz).max(1.0)))
    }

    pub(super) fn speed(&self) -> Option<Measure> {
        const MIN_HZ: f64 = 50.0;
        // `closing_secs` covers nine tenths of the amplitude.
        let ratios =
            self.whole(|event| event.peak_closing_per_s * event.closing_secs / (0.9 * event.amplitude));
        let ratio = Measure::median(&ratios, MIN_BLINKS).filter(|_| self.trace.rate_hz >= MIN_HZ)?;
        Some(ratio.with_min_error(4.0 / self.trace.rate_hz))
    }

    /// Returns the exponent of peak velocity over amplitude: 1 if a blink of half the amplitude is half as fast.
    /// Returns `None` if amplitudes hardly differ.
    pub(super) fn main_sequence(&self) -> Option<Measure> {
        const MIN_COUNT: usize = 12;
        const MIN_HZ: f64 = 50.0;
        /// Minimum standard deviation of the logarithm of amplitudes.
        const MIN_SPREAD: f64 = 0.1;
        let of = |event: &&Event| [event.amplitude, event.peak_closing_per_s].map(vivant::math::ln);
        let points: Vec<[f64; 2]> =
            self.brief.iter().map(of).filter(|point| point.iter().all(|x| x.is_finite())).collect();
        let line = fit_line(&points).filter(|line| points.len() >= MIN_COUNT && line.spread >= MIN_SPREAD)?;
        let measure = Measure { value: line.slope, error: 2.0 * line.error, count: points.len() };
        (self.trace.rate_hz >= MIN_HZ).then_some(measure)
    }

    pub(super) fn closure(&self) -> Option<Measure> {
        let shares: Vec<f64> =
            self.brief.iter().map(|event| event.completeness).filter(|x| x.is_finite()).collect();
        Measure::mean(&shares, MIN_BLINKS)
    }

    /// Returns the median time for which full blinks stay within 5 % of their amplitude above the lowest point.
    pub(super) fn hold_ms(&self) -> Option<Measure> {
        if self.openness.is_empty() {
            return None;
        }
        let hold = |event: &Event| {
            let [from, to] = [event.onset_secs, event.offset_secs].map(|t| (t * self.trace.rate_hz) as usize);
            let part = &self.openness[from.min(self.openness.len())..(to + 1).min(self.openness.len())];
            let low = part.iter().copied().fold(f64::INFINITY, f64::min);
            let near = part.iter().filter(|x| **x <= low + 0.05 * event.amplitude).count();
            // One sample near the lowest point belongs to the closing or opening phase.
            near.saturating_sub(1) as f64 * self.frame_ms()
        };
        Some(Measure::median(&self.whole(hold), MIN_BLINKS)?.with_min_error(2.0 * self.frame_ms()))
    }

    /// Returns the blink rate per minute; `None` if the trace is too short.
    pub(super) fn rate(&self) -> Option<Measure> {
        const MIN_SECS: f64 = 20.0;
        // A few blinks reported by a device do not give a blink rate either, because the device may miss other blinks.
        let is_enough = !self.openness.is_empty() || self.brief.len() >= MIN_BLINKS;
        Measure::rate(self.brief.len(), self.secs / 60.0).filter(|_| is_enough && self.secs >= MIN_SECS)
    }

    fn intervals(&self) -> Vec<f64> {
        self.brief.windows(2).map(|pair| pair[1].onset_secs - pair[0].onset_secs).collect()
    }

    pub(super) fn dispersion(&self) -> Option<Measure> {
        dispersion(&self.intervals(), MIN_INTERVALS)
    }

    /// Returns how strictly periodic the blinks are, from 0 to 1, corrected for the periodicity of random blinks.
    pub(super) fn periodicity(&self) -> Option<Measure> {
        const MIN_COUNT: usize = 15;
        let times: Vec<f64> = self.brief.iter().map(|event| event.onset_secs).collect();
        if times.len() < MIN_COUNT {
            return None;
        }
        Some(Measure {
            value: rhythmicity(&times),
            error: 1.0 / (times.len() as f64).sqrt(),
            count: times.len(),
        })
    }

    pub(super) fn double(&self) -> Option<Measure> {
        let intervals = self.intervals();
        let soon = intervals.iter().filter(|interval| **interval < 0.5).count();
        Measure::share(soon, intervals.len(), MIN_INTERVALS)
    }

    /// Returns the share of gaze shifts with a blink, among shifts with an amplitude accepted by `is_meant`. Returns
    /// `None` if the aperture is unknown, because trackers without aperture lose the eyes in blinks and miss the gaze
    /// shifts in them.
    pub(super) fn evoked(&self, shifts: &[Saccade], is_meant: impl Fn(f64) -> bool) -> Option<Measure> {
        const MIN_COUNT: usize = 15;
        // The check of the blink rate reports a trace without blinks.
        if self.brief.is_empty() || self.openness.is_empty() {
            return None;
        }
        let near = |saccade: &Saccade| {
            let at = saccade.from as f64 / self.trace.rate_hz;
            self.brief.iter().any(|event| (event.onset_secs - at).abs() < EVOKED_SECS)
        };
        let meant: Vec<&Saccade> = shifts.iter().filter(|shift| is_meant(shift.amplitude_deg)).collect();
        Measure::share(meant.iter().filter(|shift| near(shift)).count(), meant.len(), MIN_COUNT)
    }

    /// Returns the change of the aperture in percent per degree of vertical gaze, from a line fitted to all
    /// fixations.
    pub(super) fn follow(&self, gaze_events: Option<&GazeEvents>) -> Option<Measure> {
        const MIN_FIXATIONS: usize = 15;
        const MIN_SPREAD_DEG: f64 = 2.0;
        let (gaze, gaze_events) = (self.trace.gaze.as_ref()?, gaze_events?);
        if self.openness.is_empty() {
            return None;
        }
        let middle = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let points: Vec<[f64; 2]> = gaze_events
            .fixations
            .iter()
            .map(|rest| [middle(&gaze.pitch_deg[rest.clone()]), 100.0 * middle(&self.openness[rest.clone()])])
            .filter(|point| point.iter().all(|x| x.is_finite()))
            .collect();
        let line = fit_line(&points).filter(|_| points.len() >= MIN_FIXATIONS)?;
        (line.spread >= MIN_SPREAD_DEG).then_some(Measure {
            value: line.slope,
            error: 2.0 * line.error,
            count: points.len(),
        })
    }

    /// Returns the median delay of lid velocity behind eye velocity in vertical saccades.
    pub(super) fn lag_ms(&self, gaze_events: Option<&GazeEvents>) -> Option<Measure> {
        const MIN_HZ: f64 = 100.0;
        const MIN_COUNT: usize = 8;
        let (gaze, gaze_events) = (self.trace.gaze.as_ref()?, gaze_events?);
        if self.openness.is_empty() || self.trace.rate_hz < MIN_HZ {
            return None;
        }
        let most = (0.06 * self.trace.rate_hz) as isize;
        let vertical = gaze_events.saccades.iter().filter(|it| it.shift_deg[1].abs() > 4.0);
        let lags: Vec<f64> = vertical
            .filter_map(|shift| lag(&gaze.pitch_deg, self.openness, shift.from..shift.to, most))
            .map(|samples| samples * self.frame_ms())
            .collect();
        Some(Measure::median(&lags, MIN_COUNT)?.with_min_error(1.5 * self.frame_ms()))
    }

    /// Returns the median ratio of lid saccade duration to eye saccade duration, in vertical saccades that no other
    /// saccade follows within 0.3 s.
    pub(super) fn dynamics(&self, gaze_events: Option<&GazeEvents>) -> Option<Measure> {
        const MIN_HZ: f64 = 100.0;
        const MIN_COUNT: usize = 8;
        const MIN_DEG: f64 = 4.0;
        const BEFORE_SECS: f64 = 0.03;
        const AFTER_SECS: f64 = 0.3;
        let (gaze, gaze_events) = (self.trace.gaze.as_ref()?, gaze_events?);
        let rate = self.trace.rate_hz;
        if self.openness.is_empty() || rate < MIN_HZ {
            return None;
        }
        let of = |(i, shift): (usize, &Saccade)| {
            let from = shift.from.checked_sub((BEFORE_SECS * rate) as usize)?;
            let until = shift.to + (AFTER_SECS * rate) as usize;
            let next = gaze_events.saccades.get(i + 1).map_or(usize::MAX, |next| next.from);
            if shift.shift_deg[1].abs() < MIN_DEG || until > next || self.is_blinking(from..until) {
                return None;
            }
            let (eyes, lids) = (gaze.pitch_deg.get(from..until)?, self.openness.get(from..until)?);
            if is_step(lids, MIN_LID) { Some([rise(eyes)?, rise(lids)?]) } else { None }
        };
        let times: Vec<[f64; 2]> = gaze_events.saccades.iter().enumerate().filter_map(of).collect();
        let ratios: Vec<f64> = times.iter().map(|[eyes, lids]| lids / eyes).collect();
        let eyes = Measure::median(&times.iter().map(|[eyes, _]| *eyes).collect::<Vec<_>>(), MIN_COUNT)?;
        Some(Measure::median(&ratios, MIN_COUNT)?.with_min_error(1.0 / eyes.value))
    }

    fn is_blinking(&self, samples: std::ops::Range<usize>) -> bool {
        let [from, to] = [samples.start, samples.end].map(|i| i as f64 / self.trace.rate_hz);
        self.events.iter().any(|event| event.onset_secs < to && event.offset_secs > from)
    }

    /// Returns the peak lid velocity in apertures per second. Opening is half as fast as closing, so its velocity
    /// counts twice. In recordings, the maximum would be noise, so the median over all blinks is used.
    pub(super) fn jumps(&self) -> Option<Measure> {
        if self.openness.is_empty() {
            return None;
        }
        if self.trace.is_recorded {
            let speeds: Vec<f64> =
                self.brief.iter().map(|it| it.peak_closing_per_s.max(2.0 * it.peak_opening_per_s)).collect();
            return Measure::median(&speeds, MIN_BLINKS);
        }
        let rate = self.trace.rate_hz;
        let steps = self.openness.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| step.is_finite());
        let speeds: Vec<f64> = steps.map(|step| if step < 0.0 { -step } else { 2.0 * step } * rate).collect();
        let greatest = speeds.iter().copied().reduce(f64::max)?;
        Some(Measure::exact(greatest, speeds.len()))
    }

    /// Returns the median difference between the apertures of the two eyes at the lowest point of blinks.
    pub(super) fn sides(&self) -> Option<Measure> {
        let [left, right] = self.trace.openness.as_slice() else { return None };
        let apart = |event: &&Event| {
            let at = (event.apex_secs * self.trace.rate_hz) as usize;
            (left.get(at)? - right.get(at)?).is_finite().then(|| (left[at] - right[at]).abs())
        };
        let apart: Vec<f64> = self.brief.iter().filter_map(apart).collect();
        Measure::median(&apart, MIN_BLINKS)
    }
}

/// Minimum lid movement, as a share of the aperture, for which a duration is measured.
const MIN_LID: f64 = 0.04;

/// Returns true if the first and last value differ by at least `least`.
fn is_step(values: &[f64], least: f64) -> bool {
    (values[values.len() - 1] - values[0]).abs() >= least
}

/// Returns the number of samples from 20 % to 80 % of a step. Returns `None` if the values overshoot by half of the
/// step.
fn rise(values: &[f64]) -> Option<f64> {
    let (first, last) = (*values.first()?, *values.last()?);
    let share = |i: usize| (values[i] - first) / (last - first);
    let is_step = (0..values.len()).all(|i| (-0.5..1.5).contains(&share(i)));
    let reaches = |part: f64| {
        let after = (1..values.len()).find(|i| share(*i) >= part)?;
        let (before, there) = (share(after - 1), share(after));
        Some(after as f64 - (there - part) / (there - before))
    };
    let samples = reaches(0.8)? - reaches(0.2)?;
    (is_step && samples.is_finite()).then_some(samples.max(0.5))
}

/// Returns the coefficient of variation: standard deviation / mean.
pub(super) fn dispersion(intervals: &[f64], least: usize) -> Option<Measure> {
    let count = intervals.len();
    if count < least.max(2) {
        return None;
    }
    let n = count as f64;
    let mean = intervals.iter().sum::<f64>() / n;
    let variance = intervals.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    let value = variance.sqrt() / mean;
    Some(Measure { value, error: 2.0 * value * ((0.5 + value * value) / n).sqrt(), count })
}

/// Returns how well times match their best period between one and ten seconds (Rayleigh statistic). Of many tested
/// periods, one fits random times by chance. So the expected square of this fit, ln(periods) / times, is subtracted.
fn rhythmicity(times: &[f64]) -> f64 {
    let secs = times[times.len() - 1] - times[0];
    // The step is fine enough to separate periods over the whole duration.
    let steps = ((1.0 - 0.1) * secs * 4.0).ceil().clamp(1.0, 20_000.0);
    let mut best = 0.0_f64;
    for i in 0..=steps as usize {
        let beats_per_s = 0.1 + 0.9 * i as f64 / steps;
        let (mut x, mut y) = (0.0, 0.0);
        for time in times {
            let (sin, cos) = vivant::math::sin_cos(std::f64::consts::TAU * (beats_per_s * time).fract());
            (x, y) = (x + cos, y + sin);
        }
        best = best.max(length(x, y) / times.len() as f64);
    }
    let by_chance = (vivant::math::ln(1.0 + steps) / times.len() as f64).min(0.99);
    ((best * best - by_chance) / (1.0 - by_chance)).max(0.0).sqrt()
}

struct Line {
    slope: f64,
    /// Standard error of the slope.
    error: f64,
    /// Standard deviation along x.
    spread: f64,
}

fn fit_line(points: &[[f64; 2]]) -> Option<Line> {
    let n = points.len() as f64;
    if points.len() < 3 {
        return None;
    }
    let mean = |axis: usize| points.iter().map(|p| p[axis]).sum::<f64>() / n;
    let (mx, my) = (mean(0), mean(1));
    let xx: f64 = points.iter().map(|[x, _]| (x - mx) * (x - mx)).sum();
    let xy: f64 = points.iter().map(|[x, y]| (x - mx) * (y - my)).sum();
    let slope = xy / xx;
    let rest: f64 = points.iter().map(|[x, y]| y - my - slope * (x - mx)).map(|off| off * off).sum();
    (xx > 0.0).then(|| Line { slope, error: (rest / (n - 2.0) / xx).sqrt(), spread: (xx / n).sqrt() })
}

/// Returns by how many samples `after` follows `before` around a saccade: the peak of their cross-correlation,
/// refined with a parabola. Returns `None` if the lids hardly move or are unknown.
fn lag(before: &[f64], after: &[f64], shift: std::ops::Range<usize>, most: isize) -> Option<f64> {
    let (from, to) = (shift.start as isize - most, shift.end as isize + most);
    if from < most || to + most + 1 >= before.len().min(after.len()) as isize {
        return None;
    }
    let step = |of: &[f64], i: isize| of[i as usize + 1] - of[i as usize];
    let agree = |lag: isize| (from..to).map(|i| step(before, i) * step(after, i + lag)).sum::<f64>();
    let all: Vec<f64> = (-most..=most).map(agree).collect();
    let best = (1..all.len() - 1).max_by(|a, b| all[*a].total_cmp(&all[*b]))?;
    let moved = after[to as usize] - after[from as usize];
    if !all.iter().all(|x| x.is_finite()) || moved.abs() < 0.02 || all[best] <= 0.0 {
        return None;
    }
    let (low, middle, high) = (all[best - 1], all[best], all[best + 1]);
    let bend = low - 2.0 * middle + high;
    let between = if bend < 0.0 { 0.5 * (low - high) / bend } else { 0.0 };
    Some(best as f64 - most as f64 + between)
}
