//! Frame rates of files, which may be rounded, implied by key times, or missing.

/// Common frame rates of recorded and animated motion, most common first.
const COMMON_RATES: [f64; 20] = [
    24.0,
    25.0,
    30.0,
    60.0,
    120.0,
    10.0,
    12.0,
    12.5,
    15.0,
    20.0,
    48.0,
    50.0,
    72.0,
    90.0,
    100.0,
    200.0,
    240.0,
    24_000.0 / 1001.0,
    30_000.0 / 1001.0,
    60_000.0 / 1001.0,
];

/// Largest relative difference at which a rate counts as a common rate. Frame times are written with few digits.
const SNAP: f64 = 1e-3;

/// Largest distance of a key from the nearest frame, in frames.
#[cfg(feature = "fbx")]
const OFF_GRID: f64 = 0.02;

/// Returns the common rate closest to `rate` if it is within [`SNAP`], else `rate` itself.
pub(crate) fn snap_to_common(rate: f64) -> f64 {
    let distance = |common: f64| (rate / common - 1.0).abs();
    let nearest = COMMON_RATES.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    nearest.filter(|common| distance(*common) <= SNAP).unwrap_or(rate)
}

/// Returns the rate at which frames starting at `start` coincide with the keys at `times`, in seconds: the stated rate
/// if its frames coincide, otherwise the first common rate whose frames coincide, otherwise the stated rate.
#[cfg(feature = "fbx")]
pub(crate) fn from_keys(times: &[f64], start: f64, stated: f64) -> f64 {
    let meets = |rate: &f64| {
        let off = |time: &&f64| {
            let frame = (**time - start) * rate;
            (frame - frame.round()).abs() > OFF_GRID
        };
        // Up to 2 % of the keys may be off the grid.
        times.iter().filter(off).count() * 50 <= times.len()
    };
    [stated].into_iter().chain(COMMON_RATES).find(meets).unwrap_or(stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_rates_snap_to_common_rates() {
        for (frame_time, rate) in [
            (0.0083333, 120.0),
            (0.008333, 120.0),
            (0.0333333, 30.0),
            (0.0333667, 30_000.0 / 1001.0),
            (0.016667, 60.0),
            (0.0417, 24_000.0 / 1001.0),
            (0.041667, 24.0),
            (0.037, 1.0 / 0.037),
        ] {
            assert_eq!(snap_to_common(1.0 / frame_time), rate, "{frame_time}");
        }
    }

    #[cfg(feature = "fbx")]
    #[test]
    fn key_times_override_a_wrong_stated_rate() {
        let keys = |rate: f64, start: f64| (0..50).map(|i| start + f64::from(i) / rate).collect::<Vec<_>>();
        for (keyed, stated, expected) in [
            (30.0, 30.0, 30.0),
            (30.0, 24.0, 30.0),
            (24.0, 30.0, 24.0),
            (60.0, 30.0, 60.0),
            (30.0, 120.0, 120.0),
            (31.7, 30.0, 30.0),
        ] {
            assert_eq!(from_keys(&keys(keyed, 0.2), 0.2, stated), expected, "{keyed} stated as {stated}");
        }
        assert_eq!(from_keys(&[], 0.0, 25.0), 25.0);
    }
}
