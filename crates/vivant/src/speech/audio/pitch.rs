//! Pitch of a voice by YIN (de Cheveigné and Kawahara 2002). It is computed at 8 kHz, for a quarter of the cost.

/// Samples of the 16 kHz stream used for one estimate, centred on the frame: 40 ms and the longest period.
pub(super) const SPAN: usize = 2 * (WINDOW + LONGEST);
const RATE_HZ: f32 = 8000.0;
/// Window in samples at 8 kHz: 25 ms, as in the paper's section II.A.
const WINDOW: usize = 200;
/// Longest period in samples at 8 kHz: 60 Hz, below most voices.
const LONGEST: usize = 133;
/// Shortest period in samples at 8 kHz: 500 Hz, above most voices.
const SHORTEST: usize = 16;
/// Threshold for a dip. The paper's section II.D uses 0.1 for clean speech. DIFFERENCE: we use 0.2, because breathy and
/// noisy voices have no deeper dip, and lip-sync does not need more precision.
const THRESHOLD: f32 = 0.2;
/// Threshold for the lowest dip, if no dip is below [`THRESHOLD`].
const UNSURE: f32 = 0.35;

#[derive(Clone)]
pub(super) struct Yin {
    half: [f32; SPAN / 2],
    difference: [f32; LONGEST + 1],
}

impl Yin {
    pub(super) fn new() -> Self {
        Self { half: [0.0; SPAN / 2], difference: [0.0; LONGEST + 1] }
    }

    /// Returns the pitch in Hz, or `None` if the frame has no pitch. `samples` returns sample `n` of [`SPAN`].
    pub(super) fn pitch_hz(&mut self, samples: impl Fn(usize) -> f32) -> Option<f32> {
        for (n, half) in self.half.iter_mut().enumerate() {
            let at = |k: usize| samples(k.min(SPAN - 1));
            *half = 0.25 * at((2 * n).saturating_sub(1)) + 0.5 * at(2 * n) + 0.25 * at(2 * n + 1);
        }
        self.compute_difference();
        let lag = self.dip()?;
        Some(RATE_HZ / self.refined(lag))
    }

    /// Computes the cumulative mean normalised difference, equations 6 and 8.
    fn compute_difference(&mut self) {
        let mut sum = 0.0;
        self.difference[0] = 1.0;
        for lag in 1..=LONGEST {
            let (a, b) = (&self.half[..WINDOW], &self.half[lag..lag + WINDOW]);
            let difference = squared_distance(a, b);
            sum += difference;
            self.difference[lag] = if sum > 0.0 { difference * lag as f32 / sum } else { 1.0 };
        }
    }

    /// Returns the lag of the first dip below the threshold, or of the lowest dip if it is low enough.
    fn dip(&self) -> Option<usize> {
        let d = &self.difference;
        let is_dip = |&lag: &usize| d[lag] <= d[lag - 1] && (lag == LONGEST || d[lag] < d[lag + 1]);
        let first = (SHORTEST..=LONGEST).filter(is_dip).find(|&lag| d[lag] < THRESHOLD);
        let lowest = || (SHORTEST..=LONGEST).filter(is_dip).min_by(|&a, &b| d[a].total_cmp(&d[b]));
        first.or_else(|| lowest().filter(|&lag| d[lag] < UNSURE))
    }

    /// Returns the minimum of the parabola through the dip and its neighbours, section II.E.
    fn refined(&self, lag: usize) -> f32 {
        if lag == LONGEST {
            return lag as f32;
        }
        let [a, b, c] = [self.difference[lag - 1], self.difference[lag], self.difference[lag + 1]];
        let bend = a - 2.0 * b + c;
        lag as f32 + if bend > 0.0 { (0.5 * (a - c) / bend).clamp(-0.5, 0.5) } else { 0.0 }
    }
}

/// Returns the squared distance between `a` and `b`. Uses eight partial sums in a fixed order, so that the result is
/// the same on every machine and the loop vectorizes.
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += (a - b) * (a - b);
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    fn pulses(hz: f64, n: usize) -> f32 {
        let phase = std::f64::consts::TAU * hz * n as f64 / 16_000.0;
        (1..=8).map(|k| math::sin(phase * f64::from(k)) as f32 / k as f32).sum()
    }

    #[test]
    fn pitch_from_65_to_450_hz_is_accurate_to_one_percent() {
        for hz in [65.0, 80.0, 118.0, 173.0, 220.0, 305.0, 450.0] {
            let found = Yin::new().pitch_hz(|n| pulses(hz, n)).map(f64::from);
            assert!(found.is_some_and(|found| (found / hz - 1.0).abs() < 0.01), "{hz} Hz: {found:?}");
        }
    }

    #[test]
    fn silence_and_noise_have_no_pitch() {
        let chance = crate::chance::Chance::new(3, "noise");
        assert_eq!(Yin::new().pitch_hz(|_| 0.0), None);
        let noise: Vec<f32> = (0..SPAN as u64).map(|n| chance.event(n).uniform() as f32 - 0.5).collect();
        assert_eq!(Yin::new().pitch_hz(|n| noise[n]), None);
    }
}
