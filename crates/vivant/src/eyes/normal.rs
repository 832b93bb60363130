//! The normal and the log-normal distribution, as functions of one uniform draw.
//!
//! People's intervals and dwell times are skewed and never negative, and one uniform number has to be
//! enough to draw one, so that every event takes the same draws whatever comes of it. A log-normal with
//! an exact inverse gives both, and moments in closed form besides.
//!
//! ```
//! use vivant::eyes::normal::LogNormal;
//! let dwell = LogNormal::with_mean_and_deviation(2.0, 1.0);
//! assert!((dwell.mean() - 2.0).abs() < 1e-12);
//! assert!((dwell.cdf(dwell.quantile(0.3)) - 0.3).abs() < 1e-12);
//! ```

use crate::math::{erfc, exp, ln};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The share of a standard normal distribution at or below `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// Below which number the share `p` of a standard normal distribution lies; minus infinity for 0 and
/// less, infinity for 1 and more.
///
/// Hastings' approximation (Abramowitz & Stegun 26.2.23, off by less than 4.5e-4) and two of Halley's
/// steps, each of which triples the digits: the error ends below 1e-12 of a standard deviation.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        // The upper half by symmetry: near 1 the digits of 1 − p are those that count.
        return -normal_quantile(1.0 - p);
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    halley(halley(hastings(p), p), p)
}

/// 26.2.23 for the lower half, 0 < p ≤ 0.5.
fn hastings(p: f64) -> f64 {
    let t = (-2.0 * ln(p)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    above / below - t
}

/// One step of Halley's towards the root of `normal_cdf(x) = p`.
fn halley(x: f64, p: f64) -> f64 {
    let newton = (normal_cdf(x) - p) * (2.0 * PI).sqrt() * exp(0.5 * x * x);
    x - newton / (1.0 + 0.5 * x * newton)
}

/// Numbers whose logarithms are normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    /// The mean of the logarithms; e to its power is the median.
    pub mu: f64,
    /// The standard deviation of the logarithms.
    pub sigma: f64,
}

impl LogNormal {
    /// The one with this mean and standard deviation, both above zero.
    #[must_use]
    pub fn with_mean_and_deviation(mean: f64, deviation: f64) -> Self {
        let variation = deviation / mean;
        let variance = ln(1.0 + variation * variation);
        Self { mu: ln(mean) - 0.5 * variance, sigma: variance.sqrt() }
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        exp(self.mu + 0.5 * self.sigma * self.sigma)
    }

    /// The share at or below `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        normal_cdf(self.score(x))
    }

    /// The share above `x`, with all its digits where it is small.
    #[must_use]
    pub fn share_above(&self, x: f64) -> f64 {
        normal_cdf(-self.score(x))
    }

    /// Below which number the share `p` lies.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        exp(self.mu + self.sigma * normal_quantile(p))
    }

    /// What the uniform number `u` of [0, 1) draws from the part of the distribution between `low` and
    /// `high`. It grows with `u`.
    #[must_use]
    pub fn draw_within(&self, u: f64, low: f64, high: f64) -> f64 {
        // From above, so that the last draw before u = 1 is a number even where `high` is infinite.
        let above = self.share_above(low) * (1.0 - u) + self.share_above(high) * u;
        exp(self.mu - self.sigma * normal_quantile(above)).clamp(low, high)
    }

    /// The mean of the part of the distribution above `low`.
    #[must_use]
    pub fn mean_above(&self, low: f64) -> f64 {
        self.mean() * normal_cdf(self.sigma - self.score(low)) / self.share_above(low)
    }

    /// How many standard deviations the logarithm of `x` is from its mean.
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

    /// To 15 digits.
    #[test]
    fn quantiles_are_those_of_the_tables() {
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
            assert!((normal_quantile(p) - x).abs() < 1e-12, "{p}: {} and not {x}", normal_quantile(p));
            assert!((normal_cdf(x) / p - 1.0).abs() < 1e-12, "{x}: {}", normal_cdf(x));
        }
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054_5).abs() < 1e-12);
    }

    #[test]
    fn quantile_and_share_undo_each_other() {
        for tenths in -300..=50 {
            let x = f64::from(tenths) / 10.0;
            let p = normal_cdf(x);
            // What a share near 1 can still tell is limited by its last digit.
            let resolution = 1e-16 * (2.0 * PI).sqrt() * exp(0.5 * x * x) * p;
            let back = normal_quantile(p);
            assert!((back - x).abs() < 1e-12 + 2.0 * resolution, "{x} became {back}");
        }
    }

    #[test]
    fn what_is_no_share_has_no_finite_quantile() {
        for p in [0.0, -1.0] {
            assert_eq!(normal_quantile(p), f64::NEG_INFINITY);
            assert_eq!(normal_quantile(1.0 - p), f64::INFINITY);
        }
        assert!(normal_quantile(f64::NAN).is_nan());
        assert!(normal_quantile(f64::MIN_POSITIVE).is_finite());
    }

    #[test]
    fn a_log_normal_has_the_mean_and_deviation_that_were_asked_for() {
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
    fn a_part_of_a_log_normal_is_drawn_from_end_to_end() {
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
