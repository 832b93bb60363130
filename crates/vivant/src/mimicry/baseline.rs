//! Baseline of a facial measurement, because every face is different.

/// A baseline that follows a value quickly in one direction and slowly in the other. It estimates the value of the face
/// at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Baseline {
    /// Time constants for falling and rising, in seconds.
    secs: [f64; 2],
    /// Plausible range of the baseline.
    range: [f64; 2],
    last: Option<(f64, f64)>,
}

impl Baseline {
    /// Creates a baseline that falls quickly and rises slowly, so that it stays near the minimum of the value.
    pub(super) const fn least(range: [f64; 2]) -> Self {
        Self { secs: [1.0, 60.0], range, last: None }
    }

    /// Creates a baseline that rises quickly and falls slowly, so that it stays near the maximum of the value.
    pub(super) const fn most(range: [f64; 2]) -> Self {
        Self { secs: [30.0, 0.5], range, last: None }
    }

    /// Adds the next value and returns the current baseline. The baseline is limited to the plausible range, so that it
    /// is also valid for a person who smiles from the start.
    pub(super) fn next(&mut self, secs: f64, value: f64) -> f64 {
        let [low, high] = self.range;
        let usual = match self.last {
            None => value,
            Some((_, usual)) if !value.is_finite() => usual,
            Some((at, usual)) => {
                let pace = self.secs[usize::from(value > usual)];
                let dt = (secs - at).max(0.0);
                usual + (value - usual) * dt / (dt + pace)
            }
        };
        let usual = usual.clamp(low, high);
        self.last = Some((secs, usual));
        usual
    }
}
