//! Mapping from gaze angles to eye bone angles or expression weights (VRM's `lookAt`).
//!
//! Stylised eyes turn less than human eyes, or have no bones and move by expressions. The gaze is computed in human
//! angles, and [`LookAt`] maps it to the avatar as the last step. [`RangeMap::apply`] returns the bone angle or the
//! expression weight for a gaze angle; [`RangeMap::invert`] finds the gaze angle from a shown value. Inner and outer
//! refer to the nose, so that one map serves both eyes. The default map moves bones by the gaze angle itself.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Gaze mapping of an avatar.
///
/// Stylised eyes cannot rotate as far as human eyes, so VRM avatars define a map for each direction, from the gaze
/// angle to the angle of the eye bone or to the weight of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookAt {
    /// True if expressions move the eyes, even if the avatar has eye bones.
    pub by_expression: bool,
    /// Offset from the head bone to the point between the eyes, in metres in humanoid space.
    pub offset_from_head: Vec3,
    /// Map for gaze towards the nose.
    pub inner: RangeMap,
    /// Map for gaze away from the nose.
    pub outer: RangeMap,
    /// Map for downward gaze.
    pub down: RangeMap,
    /// Map for upward gaze.
    pub up: RangeMap,
}

/// A linear map from 0 to a maximum; larger inputs give the maximum output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RangeMap {
    /// Gaze angle in degrees at which the output is at its maximum.
    pub input_max_degrees: f32,
    /// Output at [`input_max_degrees`](Self::input_max_degrees): degrees of an eye bone, or weight of an expression.
    pub output_scale: f32,
}

impl Default for LookAt {
    /// Eye bones that rotate by the gaze angle, and eyes 6 cm above the head bone.
    fn default() -> Self {
        let one_to_one = RangeMap { input_max_degrees: 90.0, output_scale: 90.0 };
        Self {
            by_expression: false,
            offset_from_head: Vec3::new(0.0, 0.06, 0.0),
            inner: one_to_one,
            outer: one_to_one,
            down: one_to_one,
            up: one_to_one,
        }
    }
}

impl RangeMap {
    /// Returns the output for a gaze angle in degrees from straight ahead.
    #[must_use]
    pub fn apply(&self, degrees: f32) -> f32 {
        if self.input_max_degrees <= 0.0 {
            return 0.0;
        }
        self.output_scale * degrees.clamp(0.0, self.input_max_degrees) / self.input_max_degrees
    }

    /// Returns the gaze angle in degrees from straight ahead that gives this output; the largest angle if the output
    /// exceeds the range.
    #[must_use]
    pub fn invert(&self, shown: f32) -> f32 {
        if self.output_scale <= 0.0 {
            return 0.0;
        }
        (shown.max(0.0) / self.output_scale * self.input_max_degrees).min(self.input_max_degrees.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_map_is_linear_and_clamped() {
        let map = RangeMap { input_max_degrees: 90.0, output_scale: 10.0 };
        for (degrees, expected) in [(-5.0, 0.0), (0.0, 0.0), (45.0, 5.0), (90.0, 10.0), (120.0, 10.0)] {
            assert_eq!(map.apply(degrees), expected);
            assert_eq!(map.invert(expected), degrees.clamp(0.0, 90.0));
        }
        assert_eq!((map.invert(30.0), map.invert(-1.0)), (90.0, 0.0));
        assert_eq!(RangeMap { input_max_degrees: 0.0, output_scale: 1.0 }.apply(3.0), 0.0);
        assert_eq!(LookAt::default().up.apply(12.0), 12.0);
    }
}
