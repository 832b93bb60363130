//! Rate limit of requests per connection (token bucket).

use std::time::Instant;

/// Maximum average number of requests per second.
pub(super) const PER_SEC: u32 = 500;
/// Maximum number of requests in a burst.
const BURST: f64 = 1000.0;

/// A bucket that is filled with tokens at a constant rate. Every request takes one token.
pub(super) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(super) fn new() -> Self {
        Self { left: BURST, at: Instant::now() }
    }

    pub(super) fn take(&mut self) -> bool {
        self.take_at(Instant::now())
    }

    fn take_at(&mut self, now: Instant) -> bool {
        let secs = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + secs * f64::from(PER_SEC)).min(BURST);
        let is_there = self.left >= 1.0;
        self.left -= if is_there { 1.0 } else { 0.0 };
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_is_taken_and_then_only_what_fills_up() {
        let mut bucket = Bucket::new();
        let start = bucket.at;
        let mut taken =
            |at: f64| (0..2000).take_while(|_| bucket.take_at(start + Duration::from_secs_f64(at))).count();
        assert_eq!([taken(0.0), taken(0.1), taken(1.1), taken(60.0)], [1000, 50, 500, 1000]);
    }
}
