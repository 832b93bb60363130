//! What is usual for this person, so that what is more than that can be told: every face has its own shape.

/// A value that is followed quickly to one side and slowly to the other: what a face is like when it does nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    /// How long it takes to come down by most of the way, and to go up, in seconds.
    secs: [f64; 2],
    /// What faces are like.
    range: [f64; 2],
    last: Option<(f64, f64)>,
}

impl Usual {
    /// What falls quickly and rises slowly is the least that is usual.
    pub(super) const fn least(range: [f64; 2]) -> Self {
        Self { secs: [1.0, 60.0], range, last: None }
    }

    /// What rises quickly and falls slowly is the most that is usual.
    pub(super) const fn most(range: [f64; 2]) -> Self {
        Self { secs: [30.0, 0.5], range, last: None }
    }

    /// The next value; gives what is usual by now. Who begins with a smile has a usual face all the same: it is within
    /// what faces are like.
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
