//! Mel spectrum: logarithmic power in bands of equal width on the mel scale.

use super::RATE_HZ;
use super::fft::{BINS, SIZE};
use crate::math;

/// Number of bands (Davis and Mermelstein 1980 use 20 bands over a narrower range).
pub(super) const BANDS: usize = 24;
/// Frequency range in Hz, from the lowest voices to sibilants.
const RANGE_HZ: [f64; 2] = [80.0, 7600.0];
/// Power that is added to each band before the logarithm; less than the noise of 16-bit audio.
const LEAST: f32 = 1e-9;

#[derive(Clone)]
pub(super) struct Mel {
    /// For each bin, the band below it and the share of the bin that belongs to the band above.
    bins: [(u8, f32); BINS],
}

/// Converts Hz to mel (O'Shaughnessy).
fn mel(hz: f64) -> f64 {
    1127.0 * math::ln(1.0 + hz / 700.0)
}

impl Mel {
    pub(super) fn new() -> Self {
        let [low, high] = RANGE_HZ.map(mel);
        let place = |bin: usize| {
            let mel = mel(bin as f64 * f64::from(RATE_HZ) / SIZE as f64);
            let band = ((mel - low) / (high - low) * (BANDS as f64 + 1.0)).clamp(0.0, BANDS as f64 + 1.0);
            (band.floor() as u8, (band - band.floor()) as f32)
        };
        Self { bins: std::array::from_fn(place) }
    }

    /// Returns the logarithm of the power in each band; bands are triangles that overlap by half.
    pub(super) fn bands(&self, power: &[f32; BINS]) -> [f32; BANDS] {
        // Extra bands below the first and above the last collect the power outside the range.
        let mut sums = [0.0_f32; BANDS + 3];
        for (&power, &(below, part)) in power.iter().zip(&self.bins) {
            sums[usize::from(below)] += power * (1.0 - part);
            sums[usize::from(below) + 1] += power * part;
        }
        std::array::from_fn(|band| math::ln32(sums[band + 1] + LEAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_has_most_power_in_its_own_band() {
        let mel_bands = Mel::new();
        for (bin, band) in [(8_usize, 2_usize), (32, 8), (128, 18)] {
            let mut power = [0.0; BINS];
            power[bin] = 1.0;
            let bands = mel_bands.bands(&power);
            let loudest = (0..BANDS).max_by(|&a, &b| bands[a].total_cmp(&bands[b])).unwrap();
            let centre = |band: usize| {
                let [low, high] = RANGE_HZ.map(mel);
                low + (high - low) * (band as f64 + 1.0) / (BANDS as f64 + 1.0)
            };
            let off = centre(loudest) - mel(bin as f64 * 31.25);
            assert!(off.abs() < 60.0, "bin {bin} is loudest in band {loudest}, not {band}: {off} mel off");
        }
    }
}
