//! Natural cubic splines through evenly spaced samples.

/// A natural cubic spline through samples at 0, 1, 2, ….
pub(super) struct Spline<'a> {
    values: &'a [f64],
    /// Second derivative at each sample.
    second_derivatives: Vec<f64>,
}

impl<'a> Spline<'a> {
    pub(super) fn new(values: &'a [f64]) -> Self {
        Self { values, second_derivatives: second_derivatives(values) }
    }

    /// Returns the value at a position between the first and the last sample.
    pub(super) fn at(&self, place: f64) -> f64 {
        let Some(last) = self.values.len().checked_sub(2) else {
            return self.values.first().copied().unwrap_or_default();
        };
        let left = (place.max(0.0) as usize).min(last);
        let (a, b) = ((left + 1) as f64 - place, place - left as f64);
        let [low, high] = [self.second_derivatives[left], self.second_derivatives[left + 1]];
        let curve = (a * a * a - a) * low + (b * b * b - b) * high;
        a * self.values[left] + b * self.values[left + 1] + curve / 6.0
    }

    /// Returns evenly spaced values from the first sample to the last.
    pub(super) fn resampled(&self, count: usize) -> Vec<f64> {
        let length = (self.values.len() - 1) as f64;
        (0..count).map(|i| self.at(length * i as f64 / (count - 1) as f64)).collect()
    }
}

/// Solves b(i−1) + 4·b(i) + b(i+1) = 6·(v(i−1) − 2·v(i) + v(i+1)) with zero at both ends, a tridiagonal system, by
/// forward elimination and back substitution.
fn second_derivatives(values: &[f64]) -> Vec<f64> {
    let count = values.len();
    let mut second_derivatives = vec![0.0; count];
    let mut factors = vec![0.0; count];
    for i in 1..count.saturating_sub(1) {
        let wanted = 6.0 * (values[i - 1] - 2.0 * values[i] + values[i + 1]);
        let pivot = 4.0 - factors[i - 1];
        factors[i] = 1.0 / pivot;
        second_derivatives[i] = (wanted - second_derivatives[i - 1]) / pivot;
    }
    for i in (1..count.saturating_sub(1)).rev() {
        second_derivatives[i] -= factors[i] * second_derivatives[i + 1];
    }
    second_derivatives
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_and_points_are_reproduced() {
        assert_eq!(Spline::new(&[1.0, 3.0, 5.0, 7.0]).resampled(7), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(Spline::new(&[1.0, 2.0]).resampled(3), [1.0, 1.5, 2.0]);
        assert_eq!(Spline::new(&[4.0]).at(0.0), 4.0);
    }

    /// Computed by hand: for the samples 0, 1, 0 the second derivative in the middle is −3, so the value at 0.5 is 1/2
    /// + 3·(1/2 − 1/8)/6 = 0.6875.
    #[test]
    fn a_curve_matches_the_value_computed_by_hand() {
        let spline = Spline::new(&[0.0, 1.0, 0.0]);
        assert_eq!((spline.at(0.5), spline.at(1.5)), (0.6875, 0.6875));
    }

    proptest! {
        #[test]
        fn a_spline_interpolates_smoothly(values in prop::collection::vec(0.0..1.0_f64, 3..40)) {
            let spline = Spline::new(&values);
            for (index, value) in values.iter().enumerate() {
                prop_assert!((spline.at(index as f64) - value).abs() < 1e-12);
            }
            for index in 1..values.len() - 1 {
                let (at, h) = (index as f64, 1e-6);
                let [left, right] = [spline.at(at) - spline.at(at - h), spline.at(at + h) - spline.at(at)];
                prop_assert!((left - right).abs() / h < 1e-4, "a corner at {index}");
            }
        }
    }
}
