//! Measures saccades, fixations and the head's contribution.
//!
//! [`Eyes::new`] takes the trace and its detected gaze events. Each method returns the [`Measure`] of one check, or
//! `None` if the channel is missing or has too little data. Velocities and durations are compared with the human main
//! sequence for the same amplitude, because large saccades are faster. Saccades with head movement are left out of
//! these comparisons: the head makes them longer. The detection of saccades is in [`super::saccades`], and the
//! comparison with human ranges in [`super::check`].

use super::check::{Measure, length};
use super::lids::dispersion;
use super::saccades::{GazeEvents, Saccade};
use super::signal::noise_level;
use super::trace::Trace;
use crate::statistics::quantile;
use vivant::eyes::saccade::{MainSequence, Saccade as Usual};

/// Returns the usual duration of a human saccade in seconds.
fn human_secs(amplitude_deg: f64) -> f64 {
    MainSequence::Collewijn.duration_secs(amplitude_deg)
}

/// Returns the usual peak velocity of a human saccade in degrees per second.
fn human_peak(amplitude_deg: f64) -> f64 {
    Usual::RATIO * amplitude_deg / human_secs(amplitude_deg)
}

/// Minimum amplitude of measured saccades in degrees. Smaller saccades are too short for the sampling rate, or too
/// close to the noise.
const MIN_DEG: f64 = 3.0;
const MIN_SACCADES: usize = 10;

/// Eye and head movements of a trace.
pub(super) struct Eyes<'a> {
    trace: &'a Trace,
    gaze_events: &'a GazeEvents,
    /// Gaze shifts, including shifts during blinks if the gaze is known during the blink. Most large shifts happen
    /// during blinks.
    shifts: &'a [Saccade],
}

impl<'a> Eyes<'a> {
    pub(super) fn new(trace: &'a Trace, gaze_events: &'a GazeEvents, shifts: &'a [Saccade]) -> Self {
        let shifts = if trace.is_recorded { &gaze_events.saccades } else { shifts };
        Self { trace, gaze_events, shifts }
    }

    fn frame_secs(&self) -> f64 {
        1.0 / self.trace.rate_hz
    }

    /// Returns saccades of `least_deg` to 35° without head movement, because head movement makes saccades longer.
    fn without_head(&self, least_deg: f64) -> impl Iterator<Item = &Saccade> {
        let is_meant =
            move |it: &&Saccade| (least_deg..35.0).contains(&it.amplitude_deg) && !self.has_head_movement(it);
        self.gaze_events.saccades.iter().filter(is_meant)
    }

    /// Returns true if the head contributes more than a fifth of a shift.
    fn has_head_movement(&self, saccade: &Saccade) -> bool {
        self.head_turn(saccade.from, saccade.to).is_some_and(|turn| turn > 0.2 * saccade.amplitude_deg)
    }

    fn head_turn(&self, from: usize, to: usize) -> Option<f64> {
        let head = self.trace.head.as_ref()?;
        let turn = length(head.yaw_deg[to] - head.yaw_deg[from], head.pitch_deg[to] - head.pitch_deg[from]);
        turn.is_finite().then_some(turn)
    }

    /// Returns the median difference of saccade durations from the human duration, in milliseconds. The error is at
    /// least one frame.
    pub(super) fn duration_ms(&self) -> Option<Measure> {
        let extra = |it: &Saccade| 1e3 * (it.secs - human_secs(it.amplitude_deg));
        let extra: Vec<f64> = self.without_head(MIN_DEG).map(extra).collect();
        Some(Measure::median(&extra, MIN_SACCADES)?.with_min_error(1e3 * self.frame_secs()))
    }

    pub(super) fn peak(&self) -> Option<Measure> {
        const MIN_HZ: f64 = 100.0;
        let ratios: Vec<f64> =
            self.without_head(MIN_DEG).map(|it| it.peak_deg_per_s / human_peak(it.amplitude_deg)).collect();
        Measure::median(&ratios, MIN_SACCADES).filter(|_| self.trace.rate_hz >= MIN_HZ)
    }

    pub(super) fn skew(&self) -> Option<Measure> {
        let is_long = |it: &&Saccade| it.secs * self.trace.rate_hz >= 4.0;
        let skews: Vec<f64> = self.without_head(MIN_DEG).filter(is_long).map(|it| it.skew).collect();
        Some(Measure::mean(&skews, MIN_SACCADES)?.with_min_error(0.03))
    }

    pub(super) fn teleports(&self) -> Option<Measure> {
        let should_last = |it: &&Saccade| human_secs(it.amplitude_deg) > 2.2 * self.frame_secs();
        let meant: Vec<&Saccade> = self
            .gaze_events
            .saccades
            .iter()
            .filter(|it| it.amplitude_deg >= MIN_DEG)
            .filter(should_last)
            .collect();
        let at_once = meant.iter().filter(|it| it.greatest_step > 0.9).count();
        Measure::share(at_once, meant.len(), 5)
    }

    /// Returns the share of gaze movement that is outside saccades, measured in steps of 0.1 s. Steps as small as
    /// drift and noise are ignored.
    pub(super) fn slow(&self) -> Option<Measure> {
        const SPAN_SECS: f64 = 0.1;
        const MIN_DEG: f64 = 1.0;
        const MIN_PATH_DEG: f64 = 60.0;
        let gaze = self.trace.gaze_in_world()?;
        let noise =
            [&gaze.yaw_deg, &gaze.pitch_deg].map(|values| noise_level(values).map_or(0.0, |it| it.value));
        let least = MIN_DEG.max(8.0 * length(noise[0], noise[1]));
        let span = ((SPAN_SECS * self.trace.rate_hz) as usize).max(1);
        let mut is_fast = vec![false; gaze.yaw_deg.len()];
        self.gaze_events.saccades.iter().for_each(|it| is_fast[it.from..=it.to].fill(true));
        let (mut slow, mut all) = (0.0, 0.0);
        for from in (0..is_fast.len().saturating_sub(span)).step_by(span) {
            let to = from + span;
            let way =
                length(gaze.yaw_deg[to] - gaze.yaw_deg[from], gaze.pitch_deg[to] - gaze.pitch_deg[from]);
            if self.gaze_events.is_seen[from..=to].iter().all(|is| *is) && way > least {
                all += way;
                slow += if is_fast[from..=to].iter().any(|is| *is) { 0.0 } else { way };
            }
        }
        (all >= MIN_PATH_DEG).then(|| Measure { value: slow / all, error: 0.03, count: is_fast.len() / span })
    }

    /// Returns the number of microsaccades per second; `None` if the noise is too high or the sampling rate is too
    /// low to resolve them.
    pub(super) fn micro_per_s(&self) -> Option<Measure> {
        const MIN_HZ: f64 = 200.0;
        const MAX_NOISE: f64 = 3.0;
        let micro = self.gaze_events.saccades.iter().filter(|it| it.amplitude_deg < 1.0).count();
        let is_seen = self.trace.rate_hz >= MIN_HZ && self.gaze_events.noise_deg_per_s <= MAX_NOISE;
        Measure::rate(micro, self.gaze_events.secs).filter(|_| is_seen && self.gaze_events.secs >= 10.0)
    }

    /// Returns the median drift velocity in degrees per second: the slope of a line fitted to each fixation.
    pub(super) fn drift(&self) -> Option<Measure> {
        const MIN_SECS: f64 = 0.15;
        let gaze = self.trace.gaze_in_world()?;
        let rests =
            self.gaze_events.fixations.iter().filter(|it| it.len() as f64 * self.frame_secs() >= MIN_SECS);
        let speed = |rest: &std::ops::Range<usize>| {
            let slope = |values: &[f64]| slope(values) * self.trace.rate_hz;
            length(slope(&gaze.yaw_deg[rest.clone()]), slope(&gaze.pitch_deg[rest.clone()]))
        };
        let speeds: Vec<f64> = rests.map(speed).collect();
        Measure::median(&speeds, MIN_SACCADES)
    }

    /// Returns saccades of at least 1°, which every device resolves.
    fn visible_saccades(&self) -> Vec<&Saccade> {
        self.gaze_events.saccades.iter().filter(|it| it.amplitude_deg >= 1.0).collect()
    }

    pub(super) fn rate(&self) -> Option<Measure> {
        Measure::rate(self.visible_saccades().len(), self.gaze_events.secs)
            .filter(|_| self.gaze_events.secs >= 10.0)
    }

    pub(super) fn sizes(&self) -> Option<Measure> {
        let seen = self.visible_saccades();
        Measure::share(seen.iter().filter(|it| it.amplitude_deg < 15.0).count(), seen.len(), MIN_SACCADES)
    }

    pub(super) fn directions(&self) -> Option<Measure> {
        let seen = self.visible_saccades();
        let aside = seen.iter().filter(|it| it.shift_deg[0].abs() > it.shift_deg[1].abs()).count();
        Measure::share(aside, seen.len(), 2 * MIN_SACCADES)
    }

    pub(super) fn fixation_secs(&self) -> Option<Measure> {
        let times: Vec<f64> =
            self.gaze_events.fixations.iter().map(|rest| rest.len() as f64 * self.frame_secs()).collect();
        Measure::median(&times, MIN_SACCADES)
    }

    pub(super) fn rhythm(&self) -> Option<Measure> {
        // Only fixations between two saccades are used, because a blink may hide a saccade.
        let rests: Vec<f64> =
            self.gaze_events.fixations.iter().map(|rest| rest.len() as f64 * self.frame_secs()).collect();
        dispersion(&rests, 15)
    }

    /// Returns the VOR gain outside saccades: the eye rotation opposite to the head rotation, per degree of head
    /// rotation: −Σ e·h / Σ h².
    pub(super) fn vor(&self) -> Option<Measure> {
        const HEAD_DEG_PER_S: f64 = 8.0;
        const MIN_SECS: f64 = 0.5;
        let (gaze, head) = (self.trace.gaze.as_ref()?, self.trace.head.as_ref()?);
        let rate = self.trace.rate_hz;
        // Over 50 ms, noise is small compared with head movement.
        let span = ((0.05 * rate) as usize).max(1);
        let (mut against, mut squares, mut count) = (0.0, 0.0, 0);
        let mut ratios = Vec::new();
        for rest in &self.gaze_events.fixations {
            let (mut own_against, mut own_squares) = (0.0, 0.0);
            for i in (rest.start..rest.end.saturating_sub(span)).step_by(span) {
                let turn = |of: &[f64]| (of[i + span] - of[i]) * rate / span as f64;
                for (eye, head) in [(&gaze.yaw_deg, &head.yaw_deg), (&gaze.pitch_deg, &head.pitch_deg)] {
                    let (eye, head) = (turn(eye), turn(head));
                    if head.abs() >= HEAD_DEG_PER_S && eye.is_finite() {
                        (own_against, own_squares) = (own_against - eye * head, own_squares + head * head);
                        count += 1;
                    }
                }
            }
            if own_squares > 0.0 {
                ratios.push(own_against / own_squares);
                (against, squares) = (against + own_against, squares + own_squares);
            }
        }
        let is_enough = count as f64 * span as f64 / rate >= MIN_SECS && ratios.len() >= 5;
        let error = Measure::mean(&ratios, 2).filter(|_| is_enough)?.error;
        Some(Measure { value: against / squares, error, count })
    }

    /// Returns the median share of gaze shifts that the head contributes, until 0.25 s after each shift. Only shifts
    /// with an amplitude accepted by `is_meant` count.
    pub(super) fn head_share(&self, is_meant: impl Fn(f64) -> bool) -> Option<Measure> {
        const AFTER_SECS: f64 = 0.25;
        let head = self.trace.head.as_ref()?;
        let after = (AFTER_SECS * self.trace.rate_hz) as usize;
        let last = head.yaw_deg.len() - 1;
        let share = |it: &&Saccade| {
            let (from, to) = (it.from.saturating_sub(after / 3), (it.to + after).min(last));
            let along = (head.yaw_deg[to] - head.yaw_deg[from]) * it.shift_deg[0]
                + (head.pitch_deg[to] - head.pitch_deg[from]) * it.shift_deg[1];
            Some(along / (it.amplitude_deg * it.amplitude_deg)).filter(|share| share.is_finite())
        };
        let meant = self.shifts.iter().filter(|it| it.amplitude_deg >= 2.0 && is_meant(it.amplitude_deg));
        let shares: Vec<f64> = meant.filter_map(|it| share(&it)).collect();
        Measure::median(&shares, MIN_SACCADES)
    }

    /// Returns the median time from eye onset to head onset in shifts of at least 20°, in milliseconds. The head
    /// onset is the time at which the head reaches a tenth of its peak velocity.
    pub(super) fn head_order_ms(&self) -> Option<Measure> {
        let head = self.trace.head.as_ref()?;
        let rate = self.trace.rate_hz;
        let (before, after) = ((0.3 * rate) as usize, (0.6 * rate) as usize);
        let order = |it: &Saccade| {
            let (from, to) = (it.from.checked_sub(before)?, it.to + after);
            if to + 2 >= head.yaw_deg.len() || self.head_turn(from, to)? < 5.0 {
                return None;
            }
            let speed = |i: usize| {
                ((head.yaw_deg[i + 2] - head.yaw_deg[i]) * it.shift_deg[0]
                    + (head.pitch_deg[i + 2] - head.pitch_deg[i]) * it.shift_deg[1])
                    / it.amplitude_deg
            };
            let fastest = (from..to).max_by(|a, b| speed(*a).total_cmp(&speed(*b)))?;
            let top = speed(fastest);
            let begin = (from..=fastest).rev().take_while(|i| speed(*i) > 0.1 * top).last()?;
            Some(1e3 * (begin as f64 + 1.0 - it.from as f64) / rate)
        };
        let large = self.shifts.iter().filter(|it| it.amplitude_deg >= 20.0);
        let orders: Vec<f64> = large.filter_map(order).collect();
        Some(Measure::median(&orders, MIN_SACCADES)?.with_min_error(2e3 / rate))
    }

    /// Returns the 99.5th percentile of the eye-in-head angle.
    pub(super) fn eccentricity_deg(&self) -> Option<Measure> {
        let gaze = self.trace.gaze.as_ref()?;
        let mut all: Vec<f64> = gaze
            .yaw_deg
            .iter()
            .zip(&gaze.pitch_deg)
            .map(|(yaw, pitch)| length(*yaw, *pitch))
            .filter(|x| x.is_finite())
            .collect();
        if all.len() < 200 {
            return None;
        }
        all.sort_by(f64::total_cmp);
        Some(Measure::exact(quantile(&all, 0.995), all.len()))
    }

    pub(super) fn vergence_deg(&self) -> Option<Measure> {
        let [left, right] = self.trace.eyes.as_ref()?;
        let inwards: Vec<f64> = right
            .yaw_deg
            .iter()
            .zip(&left.yaw_deg)
            .map(|(right, left)| right - left)
            .filter(|x| x.is_finite())
            .collect();
        let mut sorted = inwards;
        if sorted.len() < 50 {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        Some(Measure::exact(quantile(&sorted, 0.5), sorted.len()))
    }
}

/// Returns the slope of a line fitted to evenly spaced values, per step.
fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let (mut xy, mut xx) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let x = i as f64 - middle;
        (xy, xx) = (xy + x * value, xx + x * x);
    }
    xy / xx
}
