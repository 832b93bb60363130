//! Frame rates, as files tell them: rounded, by the times of keys, or not at all.

/// The rates that motion is recorded and animated at.
const USUAL: [f64; 20] = [
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

/// A rate this close to a usual one, in parts, is that one: frame times are written with few digits.
const SNAP: f64 = 1e-3;

/// How far off the grid a key may be, in frames.
#[cfg(feature = "fbx")]
const OFF_GRID: f64 = 0.02;

/// The usual rate that is meant by `rate`, or `rate` itself.
pub(crate) fn snapped(rate: f64) -> f64 {
    let distance = |usual: f64| (rate / usual - 1.0).abs();
    let nearest = USUAL.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    nearest.filter(|usual| distance(*usual) <= SNAP).unwrap_or(rate)
}

/// The rate at which frames from `begin` on meet the keys at `times`, in seconds: the one that the
/// file states if it does, else the first usual one, else the stated one all the same.
#[cfg(feature = "fbx")]
pub(crate) fn of_keys(times: &[f64], begin: f64, stated: f64) -> f64 {
    let meets = |rate: &f64| {
        let off = |time: &&f64| {
            let frame = (**time - begin) * rate;
            (frame - frame.round()).abs() > OFF_GRID
        };
        // A few stray keys do not make a rate.
        times.iter().filter(off).count() * 50 <= times.len()
    };
    [stated].into_iter().chain(USUAL).find(meets).unwrap_or(stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_rates_are_the_usual_ones() {
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
            assert_eq!(snapped(1.0 / frame_time), rate, "{frame_time}");
        }
    }

    #[cfg(feature = "fbx")]
    #[test]
    fn keys_tell_the_rate_when_they_miss_the_stated_one() {
        let keys = |rate: f64, begin: f64| (0..50).map(|i| begin + f64::from(i) / rate).collect::<Vec<_>>();
        for (keyed, stated, expected) in [
            (30.0, 30.0, 30.0),
            (30.0, 24.0, 30.0),
            (24.0, 30.0, 24.0),
            (60.0, 30.0, 60.0),
            (30.0, 120.0, 120.0),
            (31.7, 30.0, 30.0),
        ] {
            assert_eq!(of_keys(&keys(keyed, 0.2), 0.2, stated), expected, "{keyed} stated as {stated}");
        }
        assert_eq!(of_keys(&[], 0.0, 25.0), 25.0);
    }
}
