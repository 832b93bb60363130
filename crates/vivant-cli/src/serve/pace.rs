//! Selects evenly spaced ticks for a lower frame rate.

/// The ticks at which a viewer gets frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The next selected tick.
    next: f64,
    /// Number of ticks between two selected ticks.
    ticks_a_frame: f64,
}

impl Pace {
    /// Selects at most `fps` ticks per second, given `of` ticks per second. If `fps` is `None`, all ticks are
    /// selected.
    pub(super) fn new(of: f64, fps: Option<f64>) -> Self {
        Self { next: 0.0, ticks_a_frame: fps.map_or(1.0, |fps| (of / fps).max(1.0)) }
    }

    pub(super) fn is_wanted(&mut self, tick: u64) -> bool {
        let tick = tick as f64;
        // A tolerance of half a tick ensures that 20 Hz of 60 Hz is every third tick in spite of rounding.
        let is_wanted = tick + 0.5 > self.next;
        if is_wanted {
            self.next = (self.next + self.ticks_a_frame).max(tick + self.ticks_a_frame - 1.0);
        }
        is_wanted
    }
}
