//! What the numbers of a texture may be.

use std::ops::RangeInclusive;

/// Frames a second.
pub const RATE_HZ: RangeInclusive<f64> = 10.0..=1000.0;
/// How long a patch is.
pub const PATCH_SECS: RangeInclusive<f64> = 0.05..=10.0;
/// The greatest distance as a share.
pub const EPSILON: RangeInclusive<f64> = 0.0..=10.0;
/// A distance that is always near enough.
pub const FLOOR: RangeInclusive<f64> = 0.0..=100.0;
/// How long the recording may be followed.
pub const RUN_SECS: RangeInclusive<f64> = 0.05..=3600.0;
/// How open eyes are; those that are torn open are more open than open ones.
pub const OPENNESS: RangeInclusive<f32> = -0.5..=3.0;
/// Where eyes look.
pub const ANGLE_DEG: RangeInclusive<f32> = -90.0..=90.0;
/// How open eyes are that look straight ahead.
pub const OPEN_LEVEL: RangeInclusive<f64> = 0.0..=3.0;
/// How much more for each degree up.
pub const PER_DEG: RangeInclusive<f64> = -1.0..=1.0;
