//! Deterministic random numbers from a seed.
//!
//! If several generators drew from one shared stream, each would change the values that the others get. So every
//! generator has its own named stream, and every event in a stream has its own draws by index: event 17 of one
//! generator does not depend on how often another generator was used.
//!
//! ```
//! use vivant::chance::Chance;
//! let blinks = Chance::new(7, "blinks");
//! assert_eq!(blinks.event(17).uniform(), blinks.event(17).uniform());
//! assert_ne!(blinks.event(17).uniform(), Chance::new(7, "fidgets").event(17).uniform());
//! ```

/// A named, seeded stream of random events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    key: u64,
}

/// The random draws of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014).
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Chance {
    /// Creates the stream `name` for a performance with this seed.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let name = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Self { key: mix(seed ^ mix(name)) }
    }

    /// Returns the draws of event number `index`.
    #[must_use]
    pub fn event(self, index: u64) -> Draw {
        Draw { state: mix(self.key.wrapping_add(index.wrapping_mul(GOLDEN))) }
    }
}

impl Draw {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Returns a uniformly distributed number in [0, 1), a multiple of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Returns a uniformly distributed number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Returns a random index into `weights`. The probability of each index is proportional to its weight. Returns
    /// `None` if no weight is above zero or the sum is not finite.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().filter(|w| **w > 0.0).sum();
        if total <= 0.0 || !total.is_finite() {
            return None;
        }
        let mut left = self.uniform() * total;
        let mut last = None;
        for (index, &weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            last = Some(index);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kolmogorov–Smirnov test against the uniform distribution: D·√n stays under 1.95 in 99.9 % of runs.
    #[test]
    fn draws_are_uniform_across_events() {
        let chance = Chance::new(1, "test");
        let n = 100_000;
        let mut draws: Vec<f64> = (0..n).map(|i| chance.event(i).uniform()).collect();
        draws.sort_by(f64::total_cmp);
        let distance = draws
            .iter()
            .enumerate()
            .map(|(i, x)| (x - (i as f64 + 0.5) / n as f64).abs())
            .fold(0.0, f64::max);
        assert!(distance * (n as f64).sqrt() < 1.95, "D = {distance}");
    }

    #[test]
    fn weighted_choice_follows_the_weights() {
        let chance = Chance::new(2, "test");
        let weights = [1.0, 0.0, 3.0, -1.0];
        let mut counts = [0_u32; 4];
        for i in 0..40_000 {
            counts[chance.event(i).weighted(&weights).unwrap()] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        // Binomial with p = 0.75: the standard deviation is 87, and four standard deviations cover 99.99 % of runs.
        assert!((f64::from(counts[2]) - 30_000.0).abs() < 350.0, "{counts:?}");
    }

    #[test]
    fn weighted_returns_none_without_positive_weights() {
        let mut draw = Chance::new(3, "test").event(0);
        assert_eq!(draw.weighted(&[]), None);
        assert_eq!(draw.weighted(&[0.0, -1.0]), None);
        assert_eq!(draw.weighted(&[f64::INFINITY]), None);
    }
}
