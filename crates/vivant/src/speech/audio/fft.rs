//! Power spectrum of 512 real samples, computed with a complex FFT of size 256 (Cooley and Tukey 1965).

use crate::math;
use std::f64::consts::TAU;

/// Samples per transform.
pub(super) const SIZE: usize = 512;
/// Bins of the power spectrum, from 0 Hz to half the sampling rate.
pub(super) const BINS: usize = SIZE / 2 + 1;
const HALF: usize = SIZE / 2;

#[derive(Clone)]
pub(super) struct Fft {
    /// `exp(−2πi k / SIZE)` as cosine and sine.
    twiddles: [[f32; 2]; HALF],
    /// Bit-reversed index of each input.
    order: [usize; HALF],
    work: [[f32; 2]; HALF],
}

impl Fft {
    pub(super) fn new() -> Self {
        let twiddle = |k: usize| {
            let (sine, cosine) = math::sin_cos(-TAU * k as f64 / SIZE as f64);
            [cosine as f32, sine as f32]
        };
        Self {
            twiddles: std::array::from_fn(twiddle),
            order: std::array::from_fn(|k| k.reverse_bits() >> (usize::BITS - HALF.trailing_zeros())),
            work: [[0.0; 2]; HALF],
        }
    }

    /// Writes the squared magnitudes of the spectrum to `power`. `samples` returns sample `n` of 512.
    pub(super) fn power(&mut self, samples: impl Fn(usize) -> f32, power: &mut [f32; BINS]) {
        for (k, &from) in self.order.iter().enumerate() {
            self.work[k] = [samples(2 * from), samples(2 * from + 1)];
        }
        let mut width = 1;
        while width < HALF {
            self.step(width);
            width *= 2;
        }
        for (k, power) in power.iter_mut().enumerate() {
            *power = self.bin(k);
        }
    }

    /// Joins pairs of transforms of size `width` into transforms of twice that size.
    fn step(&mut self, width: usize) {
        for block in self.work.chunks_exact_mut(2 * width) {
            let (low, high) = block.split_at_mut(width);
            for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let turned = times(*b, self.twiddles[k * (HALF / width)]);
                (*a, *b) = ([a[0] + turned[0], a[1] + turned[1]], [a[0] - turned[0], a[1] - turned[1]]);
            }
        }
    }

    /// Computes one bin of the real transform from the complex one, whose real and imaginary parts are the even and
    /// odd samples.
    fn bin(&self, k: usize) -> f32 {
        let (z, mirror) = (self.work[k % HALF], self.work[(HALF - k) % HALF]);
        let even = [0.5 * (z[0] + mirror[0]), 0.5 * (z[1] - mirror[1])];
        let odd = [0.5 * (z[1] + mirror[1]), 0.5 * (mirror[0] - z[0])];
        let twiddle = if k == HALF { [-1.0, 0.0] } else { self.twiddles[k] };
        let odd = times(odd, twiddle);
        let [re, im] = [even[0] + odd[0], even[1] + odd[1]];
        re * re + im * im
    }
}

fn times(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn direct(samples: &[f32], k: usize) -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for (n, &x) in samples.iter().enumerate() {
            let (sine, cosine) = math::sin_cos(-TAU * ((k * n) % SIZE) as f64 / SIZE as f64);
            re += f64::from(x) * cosine;
            im += f64::from(x) * sine;
        }
        re * re + im * im
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn fft_matches_the_direct_transform(samples in prop::collection::vec(-1.0_f32..1.0, SIZE)) {
            let mut power = [0.0; BINS];
            Fft::new().power(|n| samples[n], &mut power);
            for (k, &ours) in power.iter().enumerate() {
                let wanted = direct(&samples, k);
                prop_assert!((f64::from(ours) - wanted).abs() < 2e-3 + 1e-4 * wanted, "bin {k}: {ours} for {wanted}");
            }
        }
    }
}
