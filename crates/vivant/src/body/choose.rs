//! Choosing among motions without repeating oneself (paper 4, section 6.2).

use crate::chance::Draw;
use crate::math::pow;

/// Counts how often each candidate was used, and prefers those that were used less.
///
/// Candidate k is picked with probability (1/max(c_k, 1)) / Σ 1/max(c_i, 1); when it is, c_k grows by
/// α. The paper's α is 4. Its counters never decay: once all were used equally often, the choice is
/// uniform again (FACTS, section 0, number 18). With a half-life they do.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    counts: Vec<f64>,
    /// When each was used last, for counters that decay.
    used_at: Vec<f64>,
    alpha: f64,
    half_life_secs: Option<f64>,
    scratch: Vec<f64>,
}

impl Choice {
    /// Paper 4, section 6.2.
    pub const ALPHA: f64 = 4.0;

    /// A choice among this many candidates, none of them used yet.
    #[must_use]
    pub fn new(candidates: usize) -> Self {
        Self::with_rules(candidates, Self::ALPHA, None)
    }

    /// The same with another α, and with counters that fall to half in a time, in seconds.
    #[must_use]
    pub fn with_rules(candidates: usize, alpha: f64, half_life_secs: Option<f64>) -> Self {
        let zeros = || vec![0.0; candidates];
        Self { counts: zeros(), used_at: zeros(), alpha, half_life_secs, scratch: zeros() }
    }

    /// Counts by another α and another half-life from now on.
    pub fn set_rules(&mut self, alpha: f64, half_life_secs: Option<f64>) {
        (self.alpha, self.half_life_secs) = (alpha, half_life_secs);
    }

    /// 1/max(c_k, 1) at a time.
    #[must_use]
    pub fn weight(&self, candidate: usize, at: f64) -> f64 {
        1.0 / self.count(candidate, at).max(1.0)
    }

    /// Counts a use at a time.
    pub fn used(&mut self, candidate: usize, at: f64) {
        self.counts[candidate] = self.count(candidate, at) + self.alpha;
        self.used_at[candidate] = at;
    }

    /// Counts a candidate as another choice has counted one.
    pub(crate) fn carry_on(&mut self, candidate: usize, other: &Self, theirs: usize) {
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

    /// How likely a candidate is to be picked next.
    #[must_use]
    pub fn probability(&self, candidate: usize) -> f64 {
        let total: f64 = self.counts.iter().map(|c| 1.0 / c.max(1.0)).sum();
        1.0 / self.counts[candidate].max(1.0) / total
    }

    /// Picks a candidate and counts it; `None` if there is none.
    pub fn pick(&mut self, draw: Draw) -> Option<usize> {
        self.pick_other_than(None, draw)
    }

    /// Picks a candidate, but not this one if there is another, and counts it.
    ///
    /// `DIFFERENCE`: the paper's rule makes a motion unlikely to be played twice in a row, and one in
    /// forty times it still is, which is just what people notice.
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

    /// Paper 4 with n = 3: a candidate that was used once falls from 1/3 to 1/9, twice to 1/17.
    #[test]
    fn a_used_motion_becomes_unlikely() {
        let mut choice = Choice::new(3);
        for expected in [1.0 / 3.0, 1.0 / 9.0, 1.0 / 17.0] {
            assert!((choice.probability(0) - expected).abs() < 1e-12);
            choice.counts[0] += Choice::ALPHA;
        }
    }

    #[test]
    fn nothing_is_played_twice_in_a_row_unless_the_paper_is_followed() {
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
    fn everything_is_played_in_the_end() {
        let chance = Chance::new(5, "choice");
        let mut choice = Choice::new(7);
        for event in 0..700 {
            choice.pick(chance.event(event)).unwrap();
        }
        // Less used ones are preferred, so counts stay close together.
        let used = |c: &f64| (60.0..=140.0).contains(&(c / Choice::ALPHA));
        assert!(choice.counts.iter().all(used), "{:?}", choice.counts);
        assert_eq!(Choice::new(0).pick(chance.event(0)), None);
    }
}
