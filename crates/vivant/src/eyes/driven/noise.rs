//! Estimates the noise of the gaze signal.

use super::track::length;

/// Running estimate of the standard deviation of gaze displacement over a span, on two axes.
///
/// The estimate tracks the median of the absolute displacement. Each value moves the estimate up or down by one step,
/// however large the value is, so outliers have little effect. The estimate is in degrees, not in degrees per second,
/// for two reasons: white noise causes the same displacement over a long span as over a short one, and timestamps
/// jitter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    median_deg: [f64; 2],
    count: u32,
}

impl Default for Noise {
    fn default() -> Self {
        Self { median_deg: [Self::MEDIAN * Self::PRIOR_DEG; 2], count: 0 }
    }
}

impl Noise {
    /// Initial value in degrees: the standard deviation of the difference of two samples with 0.2° noise each.
    const PRIOR_DEG: f64 = 0.28;
    /// Time constant in seconds: after the first samples, the estimate can grow or shrink by at most a factor of e in
    /// this time.
    const SECS: f64 = 0.5;
    /// Ratio of the median of the absolute value to the standard deviation, for a normal distribution.
    const MEDIAN: f64 = 0.6745;
    const MIN_DEG: f64 = 1e-4;
    const MAX_DEG: f64 = 100.0;

    /// Adds a gaze displacement in degrees.
    pub(super) fn push(&mut self, way_deg: [f64; 2], period_secs: f64) {
        self.count = self.count.saturating_add(1);
        // A step of 0.05 keeps the estimate within 17 % of the true value (one standard deviation).
        let step = (period_secs / Self::SECS).min(0.05).max(1.0 / (f64::from(self.count) + 1.0));
        for (median, way) in self.median_deg.iter_mut().zip(way_deg) {
            let factor = if way.abs() > *median { 1.0 + step } else { 1.0 / (1.0 + step) };
            *median = (*median * factor).clamp(Self::MIN_DEG, Self::MAX_DEG);
        }
    }

    /// Returns the standard deviation on each axis in degrees.
    pub(super) fn deviation_deg(&self) -> [f64; 2] {
        self.median_deg.map(|median| median / Self::MEDIAN)
    }

    /// Returns the standard deviation over both axes in degrees.
    pub(super) fn total_deg(&self) -> f64 {
        length(self.deviation_deg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// One value in seven is an outlier, so the median becomes the 58th percentile and the deviation is 20 % too
    /// large. The random steps add a standard deviation of 9 %; three standard deviations cover 99.7 % of runs.
    #[test]
    fn outliers_hardly_change_the_noise() {
        let chance = Chance::new(1, "noise");
        let mut noise = Noise::default();
        for i in 0..4000 {
            let mut draw = chance.event(i);
            // A sum of twelve uniform numbers is nearly normal with a standard deviation of one.
            let normal = (0..12).map(|_| draw.uniform()).sum::<f64>() - 6.0;
            let way = if i % 7 == 0 { 20.0 } else { 0.1 * normal };
            noise.push([way, 0.0], 0.005);
        }
        let [x, y] = noise.deviation_deg();
        assert!((0.09..0.15).contains(&x), "{x}");
        assert!(y < 0.001, "{y}");
    }
}
