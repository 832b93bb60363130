//! Resampling from any rate to 16 kHz, sample by sample.
//!
//! The features and the network expect 16 kHz, and microphones deliver anything from 8 to 192 kHz. `Resampler::push`
//! takes a sample, and `Resampler::next` returns output until it needs more input. Sample times are integers, so long
//! streams do not drift and chunks do not matter. The kernel is short, at most 1 ms on each side, which keeps the delay
//! low; the price is a transition band of 6 %. Input at 16 kHz passes unchanged and without delay.

use super::RATE_HZ;
use crate::math;

/// Half the kernel length in periods of the slower rate: at most 1 ms, which is reached at 8 kHz.
const HALF_PERIODS: u32 = 8;
/// Maximum number of positions between two samples with their own kernel; other positions use the nearest kernel.
const MAX_PHASES: u64 = 1024;
/// Share of the slower rate's band that passes; the rest is the transition band.
const PASS: f64 = 0.94;

/// Windowed-sinc resampler (Smith, *Digital Audio Resampling*, 1984/2002). Sample times are exact integers, so
/// neither chunking nor the length of the stream shifts a sample.
#[derive(Clone)]
pub(super) struct Resampler {
    rate_hz: u32,
    /// A kernel for each position between two samples.
    kernels: Vec<f32>,
    phases: u64,
    half_samples: usize,
    /// The last samples, stored twice so that any stretch is contiguous. Samples before the first are zero.
    ring: Vec<f32>,
    received: u64,
    returned: u64,
}

impl Resampler {
    pub(super) fn new(rate_hz: u32) -> Self {
        let slower = f64::from(rate_hz.min(RATE_HZ));
        let half_samples = (f64::from(HALF_PERIODS) * f64::from(rate_hz) / slower).ceil() as usize;
        let phases = u64::from(RATE_HZ / common_divisor(rate_hz, RATE_HZ)).min(MAX_PHASES);
        Self {
            rate_hz,
            kernels: kernels(phases, half_samples, slower / f64::from(rate_hz)),
            phases,
            half_samples,
            ring: vec![0.0; 8 * half_samples],
            received: 0,
            returned: 0,
        }
    }

    /// Returns the delay in seconds.
    pub(super) fn delay_secs(&self) -> f64 {
        self.look_ahead() as f64 / f64::from(self.rate_hz)
    }

    fn look_ahead(&self) -> u64 {
        if self.rate_hz == RATE_HZ { 0 } else { self.half_samples as u64 }
    }

    /// Adds a sample. Call `next` afterwards for the output.
    pub(super) fn push(&mut self, sample: f32) {
        let half = self.ring.len() / 2;
        let at = (self.received % half as u64) as usize;
        (self.ring[at], self.ring[at + half]) = (sample, sample);
        self.received += 1;
    }

    /// Returns the next sample at 16 kHz, if enough input has arrived.
    pub(super) fn next(&mut self) -> Option<f32> {
        let scaled = self.returned * u64::from(self.rate_hz);
        let (at, rest) = (scaled / u64::from(RATE_HZ), scaled % u64::from(RATE_HZ));
        if at + self.look_ahead() >= self.received {
            return None;
        }
        self.returned += 1;
        let half = self.ring.len() / 2;
        if self.rate_hz == RATE_HZ {
            return Some(self.ring[(at % half as u64) as usize]);
        }
        // Index of the first of `taps` samples, offset by one ring length so that it cannot be negative.
        let first = (at + half as u64 + 1 - self.half_samples as u64) % half as u64;
        let (taps, phase) = (2 * self.half_samples, (rest * self.phases / u64::from(RATE_HZ)) as usize);
        Some(dot(&self.ring[first as usize..][..taps], &self.kernels[phase * taps..][..taps]))
    }
}

/// Returns the dot product of `a` and `b`. Uses eight partial sums in a fixed order, so that the result is the same
/// on every machine and the loop vectorizes.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (wide_a, wide_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = wide_a.remainder().iter().zip(wide_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in wide_a.zip(wide_b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest
}

const fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Returns, for each phase, the weights of the samples from `1 − half` to `half` around it.
fn kernels(phases: u64, half_samples: usize, slower_per_rate: f64) -> Vec<f32> {
    let half = half_samples as i64;
    let weight = |phase: u64, k: i64| {
        let periods = (k as f64 - phase as f64 / phases as f64).abs() * slower_per_rate;
        let turn = (periods / f64::from(HALF_PERIODS)).min(1.0);
        let window = 0.5 + 0.5 * math::cos(std::f64::consts::PI * turn);
        (sinc(PASS * periods) * PASS * window * slower_per_rate) as f32
    };
    (0..phases).flat_map(|phase| (1 - half..=half).map(move |k| weight(phase, k))).collect()
}

fn sinc(x: f64) -> f64 {
    let angle = std::f64::consts::PI * x;
    if angle == 0.0 { 1.0 } else { math::sin(angle) / angle }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate_hz: u32, hz: f64, secs: f64) -> Vec<f32> {
        let count = (f64::from(rate_hz) * secs) as u32;
        let angle = |n: u32| std::f64::consts::TAU * hz * f64::from(n) / f64::from(rate_hz);
        (0..count).map(|n| math::sin(angle(n)) as f32).collect()
    }

    fn resampled(rate_hz: u32, samples: &[f32]) -> Vec<f32> {
        let mut resampler = Resampler::new(rate_hz);
        let mut all = Vec::new();
        for &sample in samples {
            resampler.push(sample);
            all.extend(std::iter::from_fn(|| resampler.next()));
        }
        all
    }

    /// A tone keeps its frequency, amplitude and time at 16 kHz, to −50 dB or better.
    #[test]
    fn a_tone_is_preserved_at_any_rate() {
        for rate_hz in [8000, 11_025, 16_000, 22_050, 44_100, 44_101, 48_000, 96_000, 192_000] {
            let ours = resampled(rate_hz, &tone(rate_hz, 1000.0, 0.2));
            let wanted = tone(RATE_HZ, 1000.0, 0.2);
            let off = |n: usize| f64::from((ours[n] - wanted[n]).abs());
            let worst = (100..3000).map(off).fold(0.0, f64::max);
            assert!(worst < 0.004, "{rate_hz} Hz: {worst}");
        }
    }

    #[test]
    fn frequencies_above_8_khz_do_not_alias() {
        let ours = resampled(48_000, &tone(48_000, 11_000.0, 0.2));
        let worst = ours[200..3000].iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        assert!(worst < 0.01, "{worst}");
    }
}
