//! Saccades and what lies between them, from where the eyes look.
//!
//! By speed, with a threshold that the trace's own noise sets (as Engbert and Kliegl do): a saccade is where the gaze is
//! faster than that, from where it leaves its slow motion to where it comes back to it.

use super::check::length;
use super::trace::Trace;
use crate::blinks::Event;
use crate::recording::Gaze;
use std::ops::Range;

/// One shift of gaze. Samples count from the trace's first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saccade {
    /// The last sample before it.
    pub from: usize,
    /// The first sample after it.
    pub to: usize,
    /// How far, in degrees.
    pub amplitude_deg: f64,
    /// To the left and up, in degrees.
    pub shift_deg: [f64; 2],
    /// From begin to end, in seconds.
    pub secs: f64,
    /// The greatest speed.
    pub peak_deg_per_s: f64,
    /// When it is fastest, as a share of its time.
    pub skew: f64,
    /// The greatest part of it that was done from one sample to the next.
    pub greatest_step: f64,
}

/// What the gaze did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glances {
    /// Shifts, in their order.
    pub saccades: Vec<Saccade>,
    /// Where the eyes rest: samples between two shifts, without blinks.
    pub fixations: Vec<Range<usize>>,
    /// Where the gaze is known and in no blink.
    pub is_seen: Vec<bool>,
    /// How much that is, in seconds.
    pub secs: f64,
    /// The noise of the speed, in degrees a second.
    pub noise_deg_per_s: f64,
}

/// Slower is no saccade, whatever the noise.
const LEAST_DEG_PER_S: f64 = 20.0;
/// A recording with so much noise shows no saccades.
const MOST_DEG_PER_S: f64 = 150.0;
/// Nor what is less than so many times the noise.
const SIGMAS: f64 = 6.0;
/// What is smaller is not seen by every device.
const LEAST_DEG: f64 = 0.3;
/// Trackers lose eyes before lids are down, and find them after they are up.
const AROUND_BLINK_SECS: f64 = 0.08;
/// Two shifts that are no further apart are one that was cut by noise.
const APART_SECS: f64 = 0.015;
/// The time over which speed is taken: as long as noise of usual trackers needs, and shorter than a small saccade.
const SPEED_SECS: f64 = 0.008;

impl Glances {
    /// Of the gaze in the world, or in the head where that is all that is known.
    pub(super) fn of(trace: &Trace, blinks: &[Event]) -> Option<Self> {
        let gaze = trace.gaze_in_world()?;
        let is_seen = seen(&gaze, blinks, trace.rate_hz);
        let speed = speeds(&gaze, &is_seen, trace.rate_hz);
        let noise = noise(&speed);
        let threshold = (SIGMAS * noise).max(LEAST_DEG_PER_S);
        // Noise in which a saccade of some degrees is lost leaves nothing to be said.
        if threshold > MOST_DEG_PER_S {
            return None;
        }
        let mut saccades: Vec<Saccade> = Vec::new();
        for span in fast(&speed, threshold, trace.rate_hz) {
            saccades.extend(saccade(&gaze, &speed, span, trace.rate_hz));
        }
        let fixations = rests(&saccades, &is_seen, trace.rate_hz);
        let secs = is_seen.iter().filter(|is| **is).count() as f64 / trace.rate_hz;
        Some(Self { saccades, fixations, is_seen, secs, noise_deg_per_s: noise })
    }
}

/// Where the gaze is known, and no blink is near.
fn seen(gaze: &Gaze, blinks: &[Event], rate_hz: f64) -> Vec<bool> {
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

/// How fast the gaze turns between neighbours that are seen, over [`SPEED_SECS`] at rates that are higher; NaN elsewhere.
/// Entry `i` is of the time from `i` on.
fn speeds(gaze: &Gaze, is_seen: &[bool], rate_hz: f64) -> Vec<f64> {
    let span = ((SPEED_SECS * rate_hz).round() as usize).max(1);
    let (before, count) = ((span - 1) / 2, is_seen.len());
    let mut speed = vec![f64::NAN; count];
    for (i, speed) in speed.iter_mut().enumerate().take(count.saturating_sub(1)) {
        let (from, to) = (i.saturating_sub(before), (i + span - before).min(count - 1));
        if (from..=to).all(|i| is_seen[i]) {
            *speed = apart(gaze, from, to) * rate_hz / (to - from) as f64;
        }
    }
    speed
}

/// By how much the gaze differs at two samples, in degrees.
fn apart(gaze: &Gaze, a: usize, b: usize) -> f64 {
    let [yaw, pitch] = shift(gaze, a, b);
    length(yaw, pitch)
}

/// How far to the left and up. What lies at the side of a globe is nearer than its angles say.
fn shift(gaze: &Gaze, a: usize, b: usize) -> [f64; 2] {
    let mut yaw = gaze.yaw_deg[b] - gaze.yaw_deg[a];
    if yaw.abs() > 180.0 {
        yaw -= 360.0 * yaw.signum();
    }
    let middle = 0.5 * (gaze.pitch_deg[a] + gaze.pitch_deg[b]);
    [yaw * vivant::math::sin_cos(middle.to_radians()).1, gaze.pitch_deg[b] - gaze.pitch_deg[a]]
}

/// The usual speed of eyes that rest: the median of all speeds, of which saccades are a small part.
fn noise(speed: &[f64]) -> f64 {
    let mut known: Vec<f64> = speed.iter().copied().filter(|speed| speed.is_finite()).collect();
    if known.is_empty() {
        return 0.0;
    }
    let middle = known.len() / 2;
    *known.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Stretches of speeds above the threshold, widened to where it falls below a third of it, joined where hardly apart.
fn fast(speed: &[f64], threshold: f64, rate_hz: f64) -> Vec<Range<usize>> {
    let foot = threshold / 3.0;
    let apart = (APART_SECS * rate_hz) as usize;
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
            Some(last) if from <= last.end + apart => last.end = to,
            _ => spans.push(from..to),
        }
        i = to;
    }
    spans
}

fn saccade(gaze: &Gaze, speed: &[f64], span: Range<usize>, rate_hz: f64) -> Option<Saccade> {
    let (from, to) = (span.start, span.end.min(speed.len() - 1));
    // Next to what is not seen, nobody knows where it began or ended.
    let is_whole = from > 0 && speed[from - 1].is_finite() && speed[to].is_finite();
    let shift_deg = shift(gaze, from, to);
    let amplitude_deg = length(shift_deg[0], shift_deg[1]);
    if !is_whole || amplitude_deg < LEAST_DEG {
        return None;
    }
    let fastest = span.clone().max_by(|a, b| speed[*a].total_cmp(&speed[*b]))?;
    let step = (from..to).map(|i| apart(gaze, i, i + 1)).fold(0.0, f64::max);
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

/// When a saccade is fastest, as a share of the time in which it has a tenth of that speed: eyes that swing after they
/// have landed, and devices that do, do not count.
fn skew(speed: &[f64], fastest: usize, span: Range<usize>) -> f64 {
    let least = 0.1 * speed[fastest];
    let before = speed[span.start..fastest].iter().rev().take_while(|speed| **speed > least).count();
    let after = speed[fastest..span.end].iter().take_while(|speed| **speed > least).count().max(1);
    (before as f64 + 0.5) / (before + after) as f64
}

/// What lies between shifts, and is seen throughout.
fn rests(saccades: &[Saccade], is_seen: &[bool], rate_hz: f64) -> Vec<Range<usize>> {
    const LEAST_SECS: f64 = 0.05;
    let mut rests = Vec::new();
    for pair in saccades.windows(2) {
        let between = pair[0].to..pair[1].from;
        let is_long = between.len() as f64 >= LEAST_SECS * rate_hz;
        if is_long && is_seen[between.clone()].iter().all(|is| *is) {
            rests.push(between);
        }
    }
    rests
}
