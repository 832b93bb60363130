//! The signal before anything is looked for: in shares of its open aperture, without gaps, smoothed without
//! being shifted, and with its noise known.

use super::{Zero, gaps};
use crate::statistics::{finite, median, nearest_quantile};
use std::ops::Range;

/// The paper's window of 10 frames at 300 a second (paper 3, section 3.3.1), of the filter and of the
/// gradient.
pub(super) const WINDOW_SECS: f64 = 10.0 / 300.0;
/// Eyes are open in the upper tenth of the samples, even where somebody closes them most of the time.
const OPEN_QUANTILE: f64 = 0.9;
/// What is open is judged within so much time before and after.
const LOCAL_SECS: f64 = 5.0;
/// The open level is worked out so often, from at most so many samples; between, it is straight.
const LOCAL_STEP_SECS: f64 = 0.5;
const LOCAL_SAMPLES: usize = 400;
/// Locally, eyes are called open at no less than this share of the whole recording's open aperture.
const LEAST_OPEN: f64 = 0.6;
/// A drifting signal is judged against its median within so much time before and after.
const DRIFT_SECS: f64 = 1.0;

/// What goes down by less is no blink. D: minima above 80 % of the open level are rejected.
const LEAST_DEPTH: f64 = 0.2;
/// Nor what goes down by less than so many times the noise.
const LEAST_SIGMAS: f64 = 8.0;

pub(super) struct Prepared {
    pub(super) rate_hz: f64,
    /// In shares of the open aperture, 0 is shut; NaN where it stays unknown.
    pub(super) raw: Vec<f64>,
    pub(super) smooth: Vec<f64>,
    /// What one share is in the unit that was given.
    pub(super) unit: f64,
    /// The standard deviation of the noise that is left in `smooth`.
    pub(super) noise: f64,
    /// Whether 0 is shut: of a signal that drifts, nobody can tell lids that are lowered from drift.
    pub(super) knows_shut: bool,
    /// The stretches that are known.
    pub(super) segments: Vec<Range<usize>>,
    open: Vec<f64>,
    open_step: usize,
}

impl Prepared {
    /// None if there is nothing to look at.
    pub(super) fn new(openness: &[f64], rate_hz: f64, zero: Zero) -> Option<Self> {
        if openness.is_empty() || !(rate_hz.is_finite() && rate_hz > 0.0) {
            return None;
        }
        let (mut raw, unit) = match zero {
            Zero::Shut => shares(openness)?,
            Zero::Arbitrary => drifting_shares(openness, rate_hz)?,
        };
        let segments = gaps::filled(&mut raw, rate_hz);
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

    /// How open the eyes usually are around a sample.
    pub(super) fn open_at(&self, index: usize) -> f64 {
        let at = index / self.open_step;
        let share = (index % self.open_step) as f64 / self.open_step as f64;
        let [low, high] = [at, at + 1].map(|i| self.open[i.min(self.open.len() - 1)]);
        low + (high - low) * share
    }

    /// How far lids must come down at the least.
    pub(super) fn least_depth(&self) -> f64 {
        LEAST_DEPTH.max(LEAST_SIGMAS * self.noise)
    }

    pub(super) fn secs(&self, samples: usize) -> f64 {
        samples as f64 / self.rate_hz
    }

    pub(super) fn samples(&self, secs: f64) -> usize {
        (secs * self.rate_hz).round() as usize
    }
}

/// In shares of the open aperture, and what that is. None if nothing is open.
fn shares(openness: &[f64]) -> Option<(Vec<f64>, f64)> {
    let open = nearest_quantile(&mut finite(openness), OPEN_QUANTILE)?;
    let share = |x: &f64| if x.is_finite() { x / open } else { f64::NAN };
    (open > 0.0).then(|| (openness.iter().map(share).collect(), open))
}

/// Of a signal that drifts: 1 is its running median, 0 is where its deep dips end.
fn drifting_shares(signal: &[f64], rate_hz: f64) -> Option<(Vec<f64>, f64)> {
    let (level, step) = running(signal, rate_hz, DRIFT_SECS, 0.1, 0.5);
    let at = |i: usize| level[(i / step).min(level.len() - 1)];
    let below: Vec<f64> = signal.iter().enumerate().map(|(i, x)| at(i) - x).collect();
    // Blinks take some percent of the time; of a normal distribution, so few lie beyond 2 sigma.
    let deep = nearest_quantile(&mut finite(&below), DEEP_QUANTILE)?;
    let share = |x: f64| if x.is_finite() { 1.0 - x / deep } else { f64::NAN };
    (deep > 0.0).then(|| (below.into_iter().map(share).collect(), deep))
}

const DEEP_QUANTILE: f64 = 0.985;

/// Quantiles within some seconds before and after, at even steps; and the step.
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
        *level = if level.is_nan() { 1.0 } else { level.max(LEAST_OPEN) };
    }
    (open, step)
}

/// The filter's window in samples: no longer than the paper's, and odd, so that it shifts nothing.
fn window(rate_hz: f64) -> usize {
    let samples = (WINDOW_SECS * rate_hz + 1e-9).floor().max(1.0) as usize;
    samples - 1 + samples % 2
}

/// The mean around each sample, over fewer samples at the ends, where the window is kept even.
///
/// DIFFERENCE: the paper says no more than "a zero-phase 10-frame filter"; a centred mean needs an odd
/// number. [`super::literal`] runs a mean of 10 forwards and backwards instead.
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

/// The standard deviation of what changes from sample to sample while the eyes are open: of white noise,
/// second differences have six times its variance. The median is not moved by blinks.
pub(super) fn noise(raw: &[f64]) -> f64 {
    let open = raw.windows(3).filter(|w| w.iter().all(|x| *x > 0.5));
    let bends: Vec<f64> = open.map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).collect();
    1.4826 * median(&mut finite(&bends)).unwrap_or(0.0) / 6f64.sqrt()
}
