//! Detects saccades and fixations.
//!
//! A velocity threshold is set from the noise of the trace (as in Engbert & Kliegl 2003). A saccade lasts from the
//! sample where the gaze leaves its slow motion to the sample where it returns to it.

use super::check::length;
use super::trace::Trace;
use crate::blinks::Event;
use crate::recording::Gaze;
use std::ops::Range;

/// One saccade or gaze shift. Sample indices count from the start of the trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saccade {
    /// Index of the last sample before the saccade.
    pub from: usize,
    /// Index of the first sample after the saccade.
    pub to: usize,
    /// Amplitude in degrees.
    pub amplitude_deg: f64,
    /// Displacement to the left and up, in degrees.
    pub shift_deg: [f64; 2],
    /// Duration in seconds.
    pub secs: f64,
    /// Peak velocity in degrees per second.
    pub peak_deg_per_s: f64,
    /// Time of peak velocity as a share of the duration.
    pub skew: f64,
    /// Largest step between two samples, as a share of the amplitude.
    pub greatest_step: f64,
}

/// Saccades and fixations of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GazeEvents {
    /// Saccades in order of time.
    pub saccades: Vec<Saccade>,
    /// Fixations: sample ranges between two saccades, without blinks.
    pub fixations: Vec<Range<usize>>,
    /// For each sample, true if the gaze is known and no blink is near.
    pub is_seen: Vec<bool>,
    /// Total duration of the samples for which `is_seen` is true, in seconds.
    pub secs: f64,
    /// Velocity noise in degrees per second.
    pub noise_deg_per_s: f64,
}

/// Minimum velocity threshold.
const MIN_DEG_PER_S: f64 = 20.0;
/// Maximum velocity threshold. If noise requires a higher threshold, no saccades are detected.
const MAX_DEG_PER_S: f64 = 150.0;
/// Velocity threshold as a multiple of the noise.
const SIGMAS: f64 = 6.0;
/// Minimum amplitude of saccades. Smaller saccades are ignored, because not every device resolves them.
const MIN_DEG: f64 = 0.3;
/// Margin before and after a blink: trackers lose the eye before the lids are closed and find it after they have
/// opened.
const AROUND_BLINK_SECS: f64 = 0.08;
/// Minimum time between two saccades. Saccades that are closer are merged, because noise has split one saccade.
const APART_SECS: f64 = 0.015;
/// Time over which velocity is computed: long enough to suppress the noise of usual trackers, shorter than a small
/// saccade.
const SPEED_SECS: f64 = 0.008;

impl GazeEvents {
    /// Detects saccades and fixations. The gaze is in world space, or in head space if the head direction is unknown.
    /// Returns `None` if there is no gaze or too much noise.
    pub(super) fn detect(trace: &Trace, blinks: &[Event]) -> Option<Self> {
        let gaze = trace.gaze_in_world()?;
        let is_seen = visible_samples(&gaze, blinks, trace.rate_hz);
        let speed = speeds(&gaze, &is_seen, trace.rate_hz);
        let noise = noise(&speed);
        let threshold = (SIGMAS * noise).max(MIN_DEG_PER_S);
        // Above this threshold, noise hides saccades of a few degrees.
        if threshold > MAX_DEG_PER_S {
            return None;
        }
        let mut saccades: Vec<Saccade> = Vec::new();
        for span in fast_ranges(&speed, threshold, trace.rate_hz) {
            saccades.extend(measure_saccade(&gaze, &speed, span, trace.rate_hz));
        }
        let fixations = find_fixations(&saccades, &is_seen, trace.rate_hz);
        let secs = is_seen.iter().filter(|is| **is).count() as f64 / trace.rate_hz;
        Some(Self { saccades, fixations, is_seen, secs, noise_deg_per_s: noise })
    }
}

/// Returns for each sample whether the gaze is known and no blink is near.
fn visible_samples(gaze: &Gaze, blinks: &[Event], rate_hz: f64) -> Vec<bool> {
    let mut is_seen: Vec<bool> = gaze
        .yaw_deg
        .iter()
        .zip(&gaze.pitch_deg)
        .map(|(yaw, pitch)| yaw.is_finite() && pitch.is_finite())
        .collect();
    for blink in blinks {
        let from = ((blink.onset_secs - AROUND_BLINK_SECS).max(0.0) * rate_hz) as usize;
        let to = ((blink.offset_secs + AROUND_BLINK_SECS) * rate_hz) as usize;
        let end = is_seen.len();
        is_seen[from.min(end)..to.min(end)].fill(false);
    }
    is_seen
}

/// Returns the angular velocity between neighbouring samples, computed over [`SPEED_SECS`] at higher rates; NaN where
/// unknown. Entry `i` covers the time from sample `i` to `i + 1`.
fn speeds(gaze: &Gaze, is_seen: &[bool], rate_hz: f64) -> Vec<f64> {
    let span = ((SPEED_SECS * rate_hz).round() as usize).max(1);
    let (before, count) = ((span - 1) / 2, is_seen.len());
    let mut speed = vec![f64::NAN; count];
    for (i, speed) in speed.iter_mut().enumerate().take(count.saturating_sub(1)) {
        let (from, to) = (i.saturating_sub(before), (i + span - before).min(count - 1));
        if (from..=to).all(|i| is_seen[i]) {
            *speed = angle_between(gaze, from, to) * rate_hz / (to - from) as f64;
        }
    }
    speed
}

/// Returns the angle between the gaze at two samples in degrees.
fn angle_between(gaze: &Gaze, a: usize, b: usize) -> f64 {
    let [yaw, pitch] = shift(gaze, a, b);
    length(yaw, pitch)
}

/// Returns the displacement to the left and up in degrees. Yaw is scaled by the cosine of the pitch.
fn shift(gaze: &Gaze, a: usize, b: usize) -> [f64; 2] {
    let mut yaw = gaze.yaw_deg[b] - gaze.yaw_deg[a];
    if yaw.abs() > 180.0 {
        yaw -= 360.0 * yaw.signum();
    }
    let middle = 0.5 * (gaze.pitch_deg[a] + gaze.pitch_deg[b]);
    [yaw * vivant::math::sin_cos(middle.to_radians()).1, gaze.pitch_deg[b] - gaze.pitch_deg[a]]
}

/// Returns the median velocity. Saccades are only a small part of all samples, so this is the velocity during
/// fixations.
fn noise(speed: &[f64]) -> f64 {
    let mut known: Vec<f64> = speed.iter().copied().filter(|speed| speed.is_finite()).collect();
    if known.is_empty() {
        return 0.0;
    }
    let middle = known.len() / 2;
    *known.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Returns the ranges in which the velocity exceeds the threshold. Each range is extended until the velocity falls to
/// a third of the threshold, and ranges with a short gap between them are merged.
fn fast_ranges(speed: &[f64], threshold: f64, rate_hz: f64) -> Vec<Range<usize>> {
    let foot = threshold / 3.0;
    let max_gap = (APART_SECS * rate_hz) as usize;
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut i = 0;
    while i < speed.len() {
        if speed[i].is_nan() || speed[i] <= threshold {
            i += 1;
            continue;
        }
        let (mut from, mut to) = (i, i + 1);
        while from > 0 && speed[from - 1] > foot && speed[from - 1] < speed[from].max(threshold) {
            from -= 1;
        }
        while to < speed.len() && (speed[to] > threshold || speed[to] > foot && speed[to] < speed[to - 1]) {
            to += 1;
        }
        match spans.last_mut() {
            Some(last) if from <= last.end + max_gap => last.end = to,
            _ => spans.push(from..to),
        }
        i = to;
    }
    spans
}

fn measure_saccade(gaze: &Gaze, speed: &[f64], span: Range<usize>, rate_hz: f64) -> Option<Saccade> {
    let (from, to) = (span.start, span.end.min(speed.len() - 1));
    // Next to unknown samples, the onset or the end of a saccade is unknown.
    let is_whole = from > 0 && speed[from - 1].is_finite() && speed[to].is_finite();
    let shift_deg = shift(gaze, from, to);
    let amplitude_deg = length(shift_deg[0], shift_deg[1]);
    if !is_whole || amplitude_deg < MIN_DEG {
        return None;
    }
    let fastest = span.clone().max_by(|a, b| speed[*a].total_cmp(&speed[*b]))?;
    let step = (from..to).map(|i| angle_between(gaze, i, i + 1)).fold(0.0, f64::max);
    Some(Saccade {
        from,
        to,
        amplitude_deg,
        shift_deg,
        secs: (to - from) as f64 / rate_hz,
        peak_deg_per_s: speed[fastest],
        skew: skew(speed, fastest, span),
        greatest_step: step / amplitude_deg,
    })
}

/// Returns the time of peak velocity as a share of the time above a tenth of that velocity. This excludes overshoot
/// of the eye or the device after landing.
fn skew(speed: &[f64], fastest: usize, span: Range<usize>) -> f64 {
    let least = 0.1 * speed[fastest];
    let before = speed[span.start..fastest].iter().rev().take_while(|speed| **speed > least).count();
    let after = speed[fastest..span.end].iter().take_while(|speed| **speed > least).count().max(1);
    (before as f64 + 0.5) / (before + after) as f64
}

/// Returns the ranges between saccades in which the gaze is known at every sample.
fn find_fixations(saccades: &[Saccade], is_seen: &[bool], rate_hz: f64) -> Vec<Range<usize>> {
    const MIN_SECS: f64 = 0.05;
    let mut fixations = Vec::new();
    for pair in saccades.windows(2) {
        let between = pair[0].to..pair[1].from;
        let is_long = between.len() as f64 >= MIN_SECS * rate_hz;
        if is_long && is_seen[between.clone()].iter().all(|is| *is) {
            fixations.push(between);
        }
    }
    fixations
}
