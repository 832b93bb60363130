//! Choosing among motions without repetition (paper 4, section 6.2).
//!
//! Viewers notice when a character repeats the same gesture. A [`Choice`] counts how often each candidate was used and
//! prefers candidates that were used less. It draws from a seeded stream, so the same seed gives the same sequence.
//!
//! ```
//! use vivant::body::choose::Choice;
//! use vivant::chance::Chance;
//!
//! let chance = Chance::new(7, "gestures");
//! let mut choice = Choice::new(3);
//! let first = choice.pick(chance.event(0));
//! let second = choice.pick_other_than(first, chance.event(1));
//! assert_ne!(first, second);
//! ```

use crate::chance::Draw;
use crate::math::pow;

/// Counts the uses of each candidate, and prefers candidates that were used less.
///
/// Candidate k is picked with probability (1/max(c_k, 1)) / Σ 1/max(c_i, 1); then c_k grows by α. The paper's α is 4.
/// The paper's counters never decay: after all candidates were used equally often, the choice is uniform again.
/// This is the default. With a half-life, the counters decay (our addition).
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    counts: Vec<f64>,
    /// Time in seconds of the last use of each candidate, for counters that decay.
    used_at: Vec<f64>,
    alpha: f64,
    half_life_secs: Option<f64>,
    scratch: Vec<f64>,
}

impl Choice {
    /// Increment α of a counter (paper 4, section 6.2).
    pub const ALPHA: f64 = 4.0;

    /// Creates a choice among the given number of unused candidates.
    #[must_use]
    pub fn new(candidates: usize) -> Self {
        Self::with_rules(candidates, Self::ALPHA, None)
    }

    /// Creates a choice with the increment `alpha`, and with counters that halve in `half_life_secs` seconds; with
    /// `None`, counters never decay.
    #[must_use]
    pub fn with_rules(candidates: usize, alpha: f64, half_life_secs: Option<f64>) -> Self {
        let zeros = || vec![0.0; candidates];
        Self { counts: zeros(), used_at: zeros(), alpha, half_life_secs, scratch: zeros() }
    }

    /// Changes α and the half-life from now on.
    pub fn set_rules(&mut self, alpha: f64, half_life_secs: Option<f64>) {
        (self.alpha, self.half_life_secs) = (alpha, half_life_secs);
    }

    /// Returns the weight of a candidate at the time `at` in seconds: 1/max(c_k, 1).
    #[must_use]
    pub fn weight(&self, candidate: usize, at: f64) -> f64 {
        1.0 / self.count(candidate, at).max(1.0)
    }

    /// Records a use of a candidate at time `at`, in seconds.
    pub fn used(&mut self, candidate: usize, at: f64) {
        self.counts[candidate] = self.count(candidate, at) + self.alpha;
        self.used_at[candidate] = at;
    }

    /// Copies the counter of the candidate `theirs` of the choice `other`.
    pub(crate) fn copy_count(&mut self, candidate: usize, other: &Self, theirs: usize) {
        self.counts[candidate] = other.counts[theirs];
        self.used_at[candidate] = other.used_at[theirs];
    }

    fn count(&self, candidate: usize, at: f64) -> f64 {
        let half_lives = match self.half_life_secs {
            Some(secs) => (at - self.used_at[candidate]).max(0.0) / secs,
            None => 0.0,
        };
        if half_lives > 0.0 { self.counts[candidate] * pow(0.5, half_lives) } else { self.counts[candidate] }
    }

    /// Probability that [`pick`](Self::pick) picks a candidate next.
    #[must_use]
    pub fn probability(&self, candidate: usize) -> f64 {
        let total: f64 = self.counts.iter().map(|c| 1.0 / c.max(1.0)).sum();
        1.0 / self.counts[candidate].max(1.0) / total
    }

    /// Picks a candidate and counts it; `None` if there are no candidates. Ignores the half-life, because the time is
    /// not given.
    pub fn pick(&mut self, draw: Draw) -> Option<usize> {
        self.pick_other_than(None, draw)
    }

    /// Picks a candidate and counts it. Never picks `last`, unless it is the only candidate. Ignores the half-life,
    /// because the time is not given.
    ///
    /// `DIFFERENCE`: under the paper's rule, a motion can be played twice in a row. After many choices among n
    /// motions, this happens in about one of n choices, and viewers notice such repetitions.
    pub fn pick_other_than(&mut self, last: Option<usize>, mut draw: Draw) -> Option<usize> {
        let alone = self.counts.len() == 1;
        for (i, (weight, count)) in self.scratch.iter_mut().zip(&self.counts).enumerate() {
            *weight = if last == Some(i) && !alone { 0.0 } else { 1.0 / count.max(1.0) };
        }
        let picked = draw.weighted(&self.scratch)?;
        self.counts[picked] += self.alpha;
        Some(picked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// Paper 4 with n = 3: a candidate used once falls from 1/3 to 1/9, used twice to 1/17.
    #[test]
    fn a_used_motion_becomes_unlikely() {
        let mut choice = Choice::new(3);
        for expected in [1.0 / 3.0, 1.0 / 9.0, 1.0 / 17.0] {
            assert!((choice.probability(0) - expected).abs() < 1e-12);
            choice.counts[0] += Choice::ALPHA;
        }
    }

    #[test]
    fn motions_repeat_only_under_the_rule_of_the_paper() {
        let chance = Chance::new(6, "choice");
        let repeats = |literal: bool| {
            let (mut choice, mut last, mut repeats) = (Choice::new(4), None, 0);
            for event in 0..2000 {
                let except = if literal { None } else { last };
                let picked = choice.pick_other_than(except, chance.event(event));
                repeats += usize::from(picked == last);
                last = picked;
            }
            repeats
        };
        assert_eq!(repeats(false), 0);
        assert!(repeats(true) > 100);
        let mut only = Choice::new(1);
        assert_eq!(only.pick_other_than(Some(0), chance.event(0)), Some(0));
    }

    #[test]
    fn every_motion_is_played_eventually() {
        let chance = Chance::new(5, "choice");
        let mut choice = Choice::new(7);
        for event in 0..700 {
            choice.pick(chance.event(event)).unwrap();
        }
        // Less used candidates are preferred, so counts stay close together.
        let used = |c: &f64| (60.0..=140.0).contains(&(c / Choice::ALPHA));
        assert!(choice.counts.iter().all(used), "{:?}", choice.counts);
        assert_eq!(Choice::new(0).pick(chance.event(0)), None);
    }
}
