//! Prepares the signal: in shares of the open aperture, with gaps filled, smoothed without phase shift, and with its
//! noise estimated.

use super::{Zero, gaps};
use crate::statistics::{finite, median, nearest_quantile};
use std::ops::Range;

/// Window for the filter and the gradient: 10 frames at 300 fps (paper 3, section 3.3.1).
pub(super) const WINDOW_SECS: f64 = 10.0 / 300.0;
/// Quantile of the samples that is the open level. In the upper tenth of the samples the eyes are open, even if they
/// are closed most of the time.
const OPEN_QUANTILE: f64 = 0.9;
/// Seconds before and after a sample from which the local open level is estimated.
const LOCAL_SECS: f64 = 5.0;
/// Steps at which the local open level is computed. Between them it is interpolated linearly.
const LOCAL_STEP_SECS: f64 = 0.5;
/// Maximum number of samples from which a local open level is computed.
const LOCAL_SAMPLES: usize = 400;
/// Minimum of the local open level, as a share of the open aperture of the whole recording.
const MIN_OPEN: f64 = 0.6;
/// Seconds before and after a sample over which the median of a drifting signal is computed.
const DRIFT_SECS: f64 = 1.0;

/// Minimum depth of a blink (our design): minima above 80 % of the open level are rejected.
const MIN_DEPTH: f64 = 0.2;
/// Minimum depth as a multiple of the noise.
const MIN_SIGMAS: f64 = 8.0;

pub(super) struct Prepared {
    pub(super) rate_hz: f64,
    /// Signal in shares of the open aperture: 0 is closed, NaN is unknown.
    pub(super) raw: Vec<f64>,
    pub(super) smooth: Vec<f64>,
    /// The open aperture in the unit of the input.
    pub(super) unit: f64,
    /// Standard deviation of the noise left in `smooth`.
    pub(super) noise: f64,
    /// True if 0 is closed. In a drifting signal, lowered lids cannot be distinguished from drift.
    pub(super) knows_shut: bool,
    /// The known ranges.
    pub(super) segments: Vec<Range<usize>>,
    open: Vec<f64>,
    open_step: usize,
}

impl Prepared {
    /// Prepares a signal; `None` if there is nothing to label.
    pub(super) fn new(openness: &[f64], rate_hz: f64, zero: Zero) -> Option<Self> {
        if openness.is_empty() || !(rate_hz.is_finite() && rate_hz > 0.0) {
            return None;
        }
        let (mut raw, unit) = match zero {
            Zero::Shut => shares(openness)?,
            Zero::Arbitrary => drifting_shares(openness, rate_hz)?,
        };
        let segments = gaps::fill_gaps(&mut raw, rate_hz);
        let window = window(rate_hz);
        let mut smooth = vec![f64::NAN; raw.len()];
        for segment in &segments {
            smooth[segment.clone()].copy_from_slice(&smoothed(&raw[segment.clone()], window));
        }
        let noise = noise(&raw) / (window as f64).sqrt();
        let (open, open_step) = local_open(&smooth, rate_hz);
        let knows_shut = zero == Zero::Shut;
        Some(Self { rate_hz, raw, smooth, unit, noise, knows_shut, segments, open, open_step })
    }

    /// Returns the local open level at a sample, as a share of the open aperture.
    pub(super) fn open_at(&self, index: usize) -> f64 {
        let at = index / self.open_step;
        let share = (index % self.open_step) as f64 / self.open_step as f64;
        let [low, high] = [at, at + 1].map(|i| self.open[i.min(self.open.len() - 1)]);
        low + (high - low) * share
    }

    /// Returns the minimum depth of a blink.
    pub(super) fn least_depth(&self) -> f64 {
        MIN_DEPTH.max(MIN_SIGMAS * self.noise)
    }

    pub(super) fn secs(&self, samples: usize) -> f64 {
        samples as f64 / self.rate_hz
    }

    pub(super) fn samples(&self, secs: f64) -> usize {
        (secs * self.rate_hz).round() as usize
    }
}

/// Returns the signal in shares of the open aperture, and the open aperture. Returns `None` if nothing is open.
fn shares(openness: &[f64]) -> Option<(Vec<f64>, f64)> {
    let open = nearest_quantile(&mut finite(openness), OPEN_QUANTILE)?;
    let share = |x: &f64| if x.is_finite() { x / open } else { f64::NAN };
    (open > 0.0).then(|| (openness.iter().map(share).collect(), open))
}

/// Does the same as [`shares`] for a drifting signal: 1 is its running median, and 0 is the level at which deep dips
/// end.
fn drifting_shares(signal: &[f64], rate_hz: f64) -> Option<(Vec<f64>, f64)> {
    let (level, step) = running(signal, rate_hz, DRIFT_SECS, 0.1, 0.5);
    let at = |i: usize| level[(i / step).min(level.len() - 1)];
    let below: Vec<f64> = signal.iter().enumerate().map(|(i, x)| at(i) - x).collect();
    // Blinks take a few percent of the time, which is about the share of a normal distribution beyond 2 sigma.
    let deep = nearest_quantile(&mut finite(&below), DEEP_QUANTILE)?;
    let share = |x: f64| if x.is_finite() { 1.0 - x / deep } else { f64::NAN };
    (deep > 0.0).then(|| (below.into_iter().map(share).collect(), deep))
}

const DEEP_QUANTILE: f64 = 0.985;

/// Returns running quantiles at even steps, and the step.
fn running(signal: &[f64], rate_hz: f64, within_secs: f64, step_secs: f64, share: f64) -> (Vec<f64>, usize) {
    let within = (within_secs * rate_hz).ceil().min(signal.len() as f64) as usize;
    let step = ((step_secs * rate_hz).round() as usize).max(1);
    let stride = (2 * within / LOCAL_SAMPLES).max(1);
    let at = |i: usize| {
        let around = &signal[i.saturating_sub(within)..signal.len().min(i + within + 1)];
        nearest_quantile(&mut finite(around.iter().step_by(stride)), share).unwrap_or(f64::NAN)
    };
    ((0..=signal.len() / step).map(|i| at((i * step).min(signal.len() - 1))).collect(), step)
}

fn local_open(smooth: &[f64], rate_hz: f64) -> (Vec<f64>, usize) {
    let (mut open, step) = running(smooth, rate_hz, LOCAL_SECS, LOCAL_STEP_SECS, OPEN_QUANTILE);
    for level in &mut open {
        *level = if level.is_nan() { 1.0 } else { level.max(MIN_OPEN) };
    }
    (open, step)
}

/// Returns the filter window in samples: not longer than the paper's, and odd, so that there is no phase shift.
fn window(rate_hz: f64) -> usize {
    let samples = (WINDOW_SECS * rate_hz + 1e-9).floor().max(1.0) as usize;
    samples - 1 + samples % 2
}

/// Returns the centred mean; the window is shorter at the ends, but always symmetric.
///
/// DIFFERENCE: the paper says only "a zero-phase 10-frame filter"; a centred mean needs an odd number.
/// [`super::literal`] applies a mean of 10 forwards and backwards instead.
fn smoothed(signal: &[f64], window: usize) -> Vec<f64> {
    let mut sums = Vec::with_capacity(signal.len() + 1);
    sums.push(0.0);
    for x in signal {
        sums.push(sums[sums.len() - 1] + x);
    }
    let half = window / 2;
    let mean = |i: usize| {
        let reach = half.min(i).min(signal.len() - 1 - i);
        (sums[i + reach + 1] - sums[i - reach]) / (2 * reach + 1) as f64
    };
    (0..signal.len()).map(mean).collect()
}

/// Returns the standard deviation of the noise while the eyes are open. Second differences of white noise have six
/// times its variance; the median is robust against blinks.
pub(super) fn noise(raw: &[f64]) -> f64 {
    let open = raw.windows(3).filter(|w| w.iter().all(|x| *x > 0.5));
    let bends: Vec<f64> = open.map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).collect();
    1.4826 * median(&mut finite(&bends)).unwrap_or(0.0) / 6f64.sqrt()
}
