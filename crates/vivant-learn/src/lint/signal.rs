//! Signal defects: repeated frames, loops, noise and freezes.
//!
//! Eye motion can be human in every event and still be obviously artificial, for example if a short clip is looped or
//! frames are repeated at a lower rate. [`steps`], [`loops`] and [`frozen_secs`] each measure one such defect over all
//! channels of gaze and lids. They use the samples alone and detect neither blinks nor saccades. [`noise_level`]
//! estimates the noise of one channel, which other checks use to ignore noise.

use super::check::Measure;
use super::trace::Trace;
use std::ops::Range;

/// Returns the channels to check: gaze angles and lid apertures.
fn channels(trace: &Trace) -> Vec<&[f64]> {
    let gaze = trace.gaze.iter().flat_map(|gaze| [gaze.yaw_deg.as_slice(), &gaze.pitch_deg]);
    let lids = trace.openness.iter().map(Vec::as_slice);
    gaze.chain(lids).collect()
}

/// Returns the amount that counts as motion for each channel, in degrees for gaze and as a share of the aperture for
/// lids.
fn scales(trace: &Trace) -> Vec<f64> {
    let gaze = trace.gaze.iter().flat_map(|_| [1.0, 1.0]);
    gaze.chain(trace.openness.iter().map(|_| 0.03)).collect()
}

/// Returns the share of repeated samples during motion. A high share means that frames were repeated.
pub(super) fn steps(trace: &Trace) -> Option<Measure> {
    const MIN_COUNT: usize = 40;
    let span = ((0.1 * trace.rate_hz) as usize).max(4);
    let (mut repeated, mut moving) = (0, 0);
    for (values, scale) in channels(trace).into_iter().zip(scales(trace)) {
        for part in values.chunks_exact(span) {
            let change = part[span - 1] - part[0];
            // Only stretches that move throughout count: after a saccade, a still eye is not a repeated frame.
            let is_moving = part.windows(2).all(|pair| (pair[1] - pair[0]) * change >= 0.0)
                && change.abs() > 2.0 * scale
                && part.iter().all(|x| x.is_finite());
            if is_moving {
                let first = part.iter().position(|x| *x != part[0]).unwrap_or(0);
                let last = part.iter().rposition(|x| *x != part[span - 1]).unwrap_or(0);
                let middle = &part[first.min(last)..=last.max(first)];
                moving += middle.len() - 1;
                repeated += middle.windows(2).filter(|pair| pair[0] == pair[1]).count();
            }
        }
    }
    Measure::share(repeated, moving, MIN_COUNT)
}

/// Returns the highest autocorrelation of all channels together, at lags from two seconds to half of the trace. The
/// channels are downsampled to 20 Hz.
pub(super) fn loops(trace: &Trace) -> Option<Measure> {
    const RATE_HZ: f64 = 20.0;
    const MIN_SECS: f64 = 20.0;
    const MAX_COUNT: usize = 12_000;
    if trace.secs() < MIN_SECS {
        return None;
    }
    let every = (trace.rate_hz / RATE_HZ).max(1.0);
    let count = ((trace.len() as f64 / every) as usize).min(MAX_COUNT);
    let coarse: Vec<Vec<f32>> = channels(trace)
        .into_iter()
        .zip(scales(trace))
        .filter_map(|(values, scale)| downsample(values, every, count, scale))
        .collect();
    if coarse.is_empty() {
        return None;
    }
    let least = (2.0 * RATE_HZ) as usize;
    let alike = (least..count / 2).map(|lag| correlation(&coarse, lag)).fold(-1.0, f64::max);
    // At least half of the trace is compared, and its values are nearly independent after one second.
    let seconds = 0.5 * count as f64 / RATE_HZ;
    Some(Measure { value: alike, error: 2.0 / seconds.sqrt(), count })
}

/// Downsamples and standardizes a channel. Returns `None` if the channel does not move.
fn downsample(values: &[f64], every: f64, count: usize, scale: f64) -> Option<Vec<f32>> {
    let part = |i: usize| {
        let range: Range<usize> =
            (i as f64 * every) as usize..(((i + 1) as f64 * every) as usize).min(values.len());
        let known: Vec<f64> = values[range].iter().copied().filter(|x| x.is_finite()).collect();
        if known.is_empty() { f64::NAN } else { known.iter().sum::<f64>() / known.len() as f64 }
    };
    let coarse: Vec<f64> = (0..count).map(part).collect();
    let known: Vec<f64> = coarse.iter().copied().filter(|x| x.is_finite()).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let deviation =
        (known.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / known.len().max(1) as f64).sqrt();
    (deviation > 0.1 * scale).then(|| {
        coarse.iter().map(|x| if x.is_finite() { ((x - mean) / deviation) as f32 } else { 0.0 }).collect()
    })
}

fn correlation(channels: &[Vec<f32>], lag: usize) -> f64 {
    let (mut product, mut first, mut second) = (0.0_f64, 0.0_f64, 0.0_f64);
    for values in channels {
        let (a, b) = (&values[..values.len() - lag], &values[lag..]);
        for (a, b) in a.chunks(64).zip(b.chunks(64)) {
            let (mut ab, mut aa, mut bb) = (0.0_f32, 0.0_f32, 0.0_f32);
            for (a, b) in a.iter().zip(b) {
                (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
            }
            (product, first, second) =
                (product + f64::from(ab), first + f64::from(aa), second + f64::from(bb));
        }
    }
    product / (first * second).sqrt().max(1e-9)
}

/// Returns the longest time in seconds without a change in any channel.
pub(super) fn frozen_secs(trace: &Trace) -> Option<Measure> {
    let channels = channels(trace);
    let (mut longest, mut now, mut known) = (0_usize, 0_usize, 0_usize);
    for i in 1..trace.len() {
        let is_known = channels.iter().any(|values| values[i].is_finite() && values[i - 1].is_finite());
        let is_still =
            is_known && channels.iter().all(|values| values[i] == values[i - 1] || values[i].is_nan());
        known += usize::from(is_known);
        now = if is_still { now + 1 } else { 0 };
        longest = longest.max(now);
    }
    (known as f64 >= trace.rate_hz).then(|| Measure::exact(longest as f64 / trace.rate_hz, known))
}

/// Returns the noise: the typical difference of a sample from the mean of its neighbours.
pub(super) fn noise_level(values: &[f64]) -> Option<Measure> {
    const MIN_COUNT: usize = 100;
    let mut bends: Vec<f64> = values
        .windows(3)
        .map(|three| (three[1] - 0.5 * (three[0] + three[2])).abs())
        .filter(|bend| bend.is_finite())
        .collect();
    if bends.len() < MIN_COUNT {
        return None;
    }
    let count = bends.len();
    // In a normal distribution the median absolute value is 0.6745 σ, and the difference has √1.5 times the deviation
    // of a single sample.
    let middle = *bends.select_nth_unstable_by(count / 2, f64::total_cmp).1;
    Some(Measure::exact(middle / 0.6745 / 1.5_f64.sqrt(), count))
}
