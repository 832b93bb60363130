//! Fewer frames than there are, evenly.

/// Which ticks somebody wants to see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The next tick that is wanted, and how many ticks further the one after it is.
    next: f64,
    ticks_a_frame: f64,
}

impl Pace {
    /// At most `fps` of `of` ticks a second; all of them if nobody says how many.
    pub(super) fn new(of: f64, fps: Option<f64>) -> Self {
        Self { next: 0.0, ticks_a_frame: fps.map_or(1.0, |fps| (of / fps).max(1.0)) }
    }

    pub(super) fn is_wanted(&mut self, tick: u64) -> bool {
        let tick = tick as f64;
        // Half a tick of tolerance: a third of 60 Hz is every third tick, however it is rounded.
        let is_wanted = tick + 0.5 > self.next;
        if is_wanted {
            self.next = (self.next + self.ticks_a_frame).max(tick + self.ticks_a_frame - 1.0);
        }
        is_wanted
    }
}
