//! Valid ranges of the values in a texture.

use std::ops::RangeInclusive;

/// Frames per second.
pub const RATE_HZ: RangeInclusive<f64> = 10.0..=1000.0;
/// Duration of a patch in seconds.
pub const PATCH_SECS: RangeInclusive<f64> = 0.05..=10.0;
/// Largest distance at a join, as a fraction of the distance of the overlap from zero.
pub const EPSILON: RangeInclusive<f64> = 0.0..=10.0;
/// Distance that is always accepted.
pub const FLOOR: RangeInclusive<f64> = 0.0..=100.0;
/// Longest continuous piece of the recording, in seconds.
pub const RUN_SECS: RangeInclusive<f64> = 0.05..=3600.0;
/// Openness of the eyes; wide-open eyes are above 1.
pub const OPENNESS: RangeInclusive<f32> = -0.5..=3.0;
/// Yaw and pitch of the eyes in degrees.
pub const ANGLE_DEG: RangeInclusive<f32> = -90.0..=90.0;
/// Openness of eyes that look straight ahead.
pub const OPEN_LEVEL: RangeInclusive<f64> = 0.0..=3.0;
/// Increase of the openness per degree of upward gaze.
pub const PER_DEG: RangeInclusive<f64> = -1.0..=1.0;
