//! How much the gaze trembles when nothing happens.

use super::track::length;

/// The running deviation of how far the gaze seems to go over a span, on two axes.
///
/// A median, moved up or down by a step with each value: values that do not belong, however large,
/// count as one step. In degrees, not in degrees a second: when stamps jitter, white noise moves the
/// gaze as far over a longer span as over a shorter one.
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
    /// Before anything is seen: the difference of two samples with 0.2° each.
    const PRIOR_DEG: f64 = 0.28;
    /// How long it takes to grow or shrink e-fold, once it is warm.
    const SECS: f64 = 0.5;
    /// The median of the absolute value over the deviation, for a normal distribution.
    const MEDIAN: f64 = 0.6745;
    const LEAST_DEG: f64 = 1e-4;
    const MOST_DEG: f64 = 100.0;

    /// Takes how far the gaze has gone.
    pub(super) fn push(&mut self, way_deg: [f64; 2], period_secs: f64) {
        self.count = self.count.saturating_add(1);
        // A step of 0.05 keeps the deviation within 17 % of what it should be, as a standard deviation.
        let step = (period_secs / Self::SECS).min(0.05).max(1.0 / (f64::from(self.count) + 1.0));
        for (median, way) in self.median_deg.iter_mut().zip(way_deg) {
            let factor = if way.abs() > *median { 1.0 + step } else { 1.0 / (1.0 + step) };
            *median = (*median * factor).clamp(Self::LEAST_DEG, Self::MOST_DEG);
        }
    }

    /// The standard deviation on each axis.
    pub(super) fn deviation_deg(&self) -> [f64; 2] {
        self.median_deg.map(|median| median / Self::MEDIAN)
    }

    /// … and over both.
    pub(super) fn total_deg(&self) -> f64 {
        length(self.deviation_deg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// One value in seven is an outlier: the median is then the 58th percentile, and the deviation 20 % too
    /// large. The step adds 9 % either way; three of them are 99.7 %.
    #[test]
    fn outliers_hardly_move_it() {
        let chance = Chance::new(1, "noise");
        let mut noise = Noise::default();
        for i in 0..4000 {
            let mut draw = chance.event(i);
            // A sum of twelve uniform numbers is nearly normal, with deviation one.
            let normal = (0..12).map(|_| draw.uniform()).sum::<f64>() - 6.0;
            let way = if i % 7 == 0 { 20.0 } else { 0.1 * normal };
            noise.push([way, 0.0], 0.005);
        }
        let [x, y] = noise.deviation_deg();
        assert!((0.09..0.15).contains(&x), "{x}");
        assert!(y < 0.001, "{y}");
    }
}
