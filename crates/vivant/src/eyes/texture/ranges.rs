//! Valid ranges of the values in a texture.

use std::ops::RangeInclusive;

/// Valid frame rates in frames per second.
pub const RATE_HZ: RangeInclusive<f64> = 10.0..=1000.0;
/// Valid durations of a patch in seconds.
pub const PATCH_SECS: RangeInclusive<f64> = 0.05..=10.0;
/// Valid limits for the distance at a join, as a fraction of the distance of the overlap from zero.
pub const EPSILON: RangeInclusive<f64> = 0.0..=10.0;
/// Valid values of [`Tolerance::floor`](super::Tolerance::floor), the distance that is always accepted.
pub const FLOOR: RangeInclusive<f64> = 0.0..=100.0;
/// Valid limits for the duration of a continuous piece of the recording, in seconds.
pub const RUN_SECS: RangeInclusive<f64> = 0.05..=3600.0;
/// Valid openness of the eyes; wide-open eyes are above 1.
pub const OPENNESS: RangeInclusive<f32> = -0.5..=3.0;
/// Valid yaw and pitch of the eyes in degrees.
pub const ANGLE_DEG: RangeInclusive<f32> = -90.0..=90.0;
/// Valid openness of eyes that look straight ahead.
pub const OPEN_LEVEL: RangeInclusive<f64> = 0.0..=3.0;
/// Valid increase of the openness per degree of upward gaze.
pub const PER_DEG: RangeInclusive<f64> = -1.0..=1.0;
