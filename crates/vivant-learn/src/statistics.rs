//! Medians and quantiles.
//!
//! There are two definitions, with different results. [`quantile`] interpolates between two values, as R's type 7 and
//! NumPy do; reports use it. [`nearest_quantile`] returns one of the values and needs no sorted input; signal
//! processing uses it.

/// Returns the quantile of sorted values, interpolated linearly (R's type 7, NumPy's default).
///
/// `share` is from 0 to 1. Returns NaN if there are no values.
#[must_use]
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(last);
    ascending[low] + (ascending[high] - ascending[low]) * (place - low as f64)
}

/// Returns the value whose rank is nearest to the quantile; `None` if there are no values.
///
/// `share` is from 0 to 1. The order of the values changes.
#[must_use]
pub fn nearest_quantile(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let rank = (last as f64 * share).round() as usize;
    Some(*values.select_nth_unstable_by(rank, f64::total_cmp).1)
}

/// Returns the middle value, or the upper one of two middle values; `None` if there are no values.
///
/// The order of the values changes.
#[must_use]
pub fn median(values: &mut [f64]) -> Option<f64> {
    nearest_quantile(values, 0.5)
}

/// Collects the finite values.
pub fn finite<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<f64> {
    values.into_iter().copied().filter(|value| value.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated_as_numpy_does() {
        for (share, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)] {
            assert!((quantile(&[1.0, 2.0, 3.0, 4.0], share) - expected).abs() < 1e-12, "{share}");
        }
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn the_median_of_two_is_the_upper_one() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(3.0));
        assert_eq!(median(&mut []), None);
        for count in 1..50 {
            let mut values: Vec<f64> = (0..count).map(f64::from).collect();
            assert_eq!(median(&mut values), Some(f64::from(count / 2)));
        }
    }

    #[test]
    fn the_nearest_rank_is_one_of_the_values() {
        let mut values = [5.0, 1.0, 4.0, 2.0, 3.0];
        for (share, expected) in [(0.0, 1.0), (0.1, 1.0), (0.2, 2.0), (0.9, 5.0), (1.0, 5.0)] {
            assert_eq!(nearest_quantile(&mut values, share), Some(expected), "{share}");
        }
    }
}
