//! Normal and log-normal distributions as functions of one uniform draw.
//!
//! Intervals and dwell times of people are skewed and never negative. Sampling must need exactly one uniform number, so
//! that every event uses the same number of draws. A log-normal distribution with an exact inverse satisfies both
//! requirements, and its moments have a closed form.
//!
//! ```
//! use vivant::eyes::normal::LogNormal;
//! let dwell = LogNormal::with_mean_and_deviation(2.0, 1.0);
//! assert!((dwell.mean() - 2.0).abs() < 1e-12);
//! assert!((dwell.cdf(dwell.quantile(0.3)) - 0.3).abs() < 1e-12);
//! ```

use crate::math::{erfc, exp, ln};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Returns the cumulative probability of a standard normal distribution at `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// Returns the quantile `p` of a standard normal distribution; minus infinity for 0 and less, infinity for 1 and
/// more.
///
/// Uses Hastings' approximation (Abramowitz & Stegun 26.2.23, error below 4.5e-4) and two Halley steps. Each step
/// triples the number of correct digits, so the final error is below 1e-12 standard deviations.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        // The upper half follows by symmetry. Working with 1 − p keeps the precision near 1.
        return -normal_quantile(1.0 - p);
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    halley(halley(hastings(p), p), p)
}

/// Returns an approximation of the quantile (Abramowitz & Stegun 26.2.23) for the lower half, 0 < p ≤ 0.5.
fn hastings(p: f64) -> f64 {
    let t = (-2.0 * ln(p)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    above / below - t
}

/// Returns a better approximation of the quantile than `x`: one Halley step towards the root of `normal_cdf(x) = p`.
fn halley(x: f64, p: f64) -> f64 {
    let newton = (normal_cdf(x) - p) * (2.0 * PI).sqrt() * exp(0.5 * x * x);
    x - newton / (1.0 + 0.5 * x * newton)
}

/// A log-normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    /// Mean of the logarithms; exp(mu) is the median.
    pub mu: f64,
    /// Standard deviation of the logarithms.
    pub sigma: f64,
}

impl LogNormal {
    /// Creates the distribution with this mean and standard deviation, both above zero.
    #[must_use]
    pub fn with_mean_and_deviation(mean: f64, deviation: f64) -> Self {
        let variation = deviation / mean;
        let variance = ln(1.0 + variation * variation);
        Self { mu: ln(mean) - 0.5 * variance, sigma: variance.sqrt() }
    }

    /// Returns the mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        exp(self.mu + 0.5 * self.sigma * self.sigma)
    }

    /// Returns the cumulative probability at `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        normal_cdf(self.score(x))
    }

    /// Returns the probability of values above `x`, with full relative precision for small probabilities.
    #[must_use]
    pub fn share_above(&self, x: f64) -> f64 {
        normal_cdf(-self.score(x))
    }

    /// Returns the quantile `p`.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        exp(self.mu + self.sigma * normal_quantile(p))
    }

    /// Maps a uniform random number `u` in [0, 1) to the distribution truncated to `low`–`high`. Increases with
    /// `u`.
    #[must_use]
    pub fn draw_within(&self, u: f64, low: f64, high: f64) -> f64 {
        // Computed from the upper tail, so that the last draw before u = 1 is finite even if `high` is infinite.
        let above = self.share_above(low) * (1.0 - u) + self.share_above(high) * u;
        exp(self.mu - self.sigma * normal_quantile(above)).clamp(low, high)
    }

    /// Returns the mean of the distribution truncated to values above `low`.
    #[must_use]
    pub fn mean_above(&self, low: f64) -> f64 {
        self.mean() * normal_cdf(self.sigma - self.score(low)) / self.share_above(low)
    }

    /// Returns the distance of ln(x) from its mean in standard deviations.
    fn score(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        (ln(x) - self.mu) / self.sigma
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference values to 15 digits.
    #[test]
    fn quantiles_match_tables() {
        for (p, x) in [
            (0.5, 0.0),
            (0.25, -0.674_489_750_196_081_7),
            (0.1, -1.281_551_565_544_600_5),
            (0.05, -1.644_853_626_951_472_2),
            (0.025, -1.959_963_984_540_054_5),
            (0.01, -2.326_347_874_040_841),
            (0.001, -3.090_232_306_167_813_5),
            (1e-6, -4.753_424_308_822_899),
            (1e-12, -7.034_483_825_301_132),
        ] {
            assert!((normal_quantile(p) - x).abs() < 1e-12, "{p}: {}, expected {x}", normal_quantile(p));
            assert!((normal_cdf(x) / p - 1.0).abs() < 1e-12, "{x}: {}", normal_cdf(x));
        }
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054_5).abs() < 1e-12);
    }

    #[test]
    fn quantile_and_cdf_are_inverse() {
        for tenths in -300..=50 {
            let x = f64::from(tenths) / 10.0;
            let p = normal_cdf(x);
            // The precision of a share near 1 is limited by its last digit.
            let resolution = 1e-16 * (2.0 * PI).sqrt() * exp(0.5 * x * x) * p;
            let back = normal_quantile(p);
            assert!((back - x).abs() < 1e-12 + 2.0 * resolution, "{x} became {back}");
        }
    }

    #[test]
    fn probabilities_out_of_range_have_no_finite_quantile() {
        for p in [0.0, -1.0] {
            assert_eq!(normal_quantile(p), f64::NEG_INFINITY);
            assert_eq!(normal_quantile(1.0 - p), f64::INFINITY);
        }
        assert!(normal_quantile(f64::NAN).is_nan());
        assert!(normal_quantile(f64::MIN_POSITIVE).is_finite());
    }

    #[test]
    fn a_log_normal_has_the_requested_mean_and_deviation() {
        let wanted = LogNormal::with_mean_and_deviation(3.0, 2.0);
        let n = 200_000;
        let all: Vec<f64> = (0..n).map(|i| wanted.quantile((f64::from(i) + 0.5) / f64::from(n))).collect();
        let mean = all.iter().sum::<f64>() / f64::from(n);
        let square = all.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        assert!((mean - 3.0).abs() < 1e-3, "{mean}");
        assert!(((square - mean * mean).sqrt() - 2.0).abs() < 1e-2);
        let above: Vec<f64> = all.into_iter().filter(|x| *x > 2.0).collect();
        let mean_above = above.iter().sum::<f64>() / above.len() as f64;
        assert!((wanted.mean_above(2.0) - mean_above).abs() < 1e-3, "{mean_above}");
    }

    #[test]
    fn draws_cover_a_truncated_log_normal() {
        let all = LogNormal { mu: 0.0, sigma: 0.5 };
        let last = 1.0 - f64::EPSILON / 2.0;
        for (low, high) in [(0.5, 2.0), (0.5, f64::INFINITY), (0.0, 3.0), (5.0, 9.0)] {
            let draws = [0.0, 0.25, 0.5, 0.75, last].map(|u| all.draw_within(u, low, high));
            assert!(draws.windows(2).all(|d| d[0] < d[1]), "{draws:?}");
            assert!((draws[0] - low).abs() < 1e-9 && draws[4].is_finite() && draws[4] <= high, "{draws:?}");
            let share = (all.cdf(draws[2]) - all.cdf(low)) / (all.cdf(high) - all.cdf(low));
            assert!((share - 0.5).abs() < 1e-9, "{share}");
        }
    }
}
