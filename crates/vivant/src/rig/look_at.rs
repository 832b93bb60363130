//! How an avatar turns a direction of gaze into what its eyes show (VRM's `lookAt`).

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// An avatar's own way of looking around.
///
/// Stylised eyes cannot turn as far as human ones, so VRM avatars carry a map for each direction:
/// from the angle at which to look to the angle of the eye bone, or to the weight of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookAt {
    /// Whether expressions turn the eyes, although there may be eye bones.
    pub by_expression: bool,
    /// From the head bone to between the eyes, in metres in humanoid space.
    pub offset_from_head: Vec3,
    /// Towards the nose.
    pub inner: RangeMap,
    /// Away from the nose.
    pub outer: RangeMap,
    /// Down.
    pub down: RangeMap,
    /// Up.
    pub up: RangeMap,
}

/// A straight line from zero, held at its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RangeMap {
    /// The angle of gaze, in degrees, beyond which nothing more happens.
    pub input_max_degrees: f32,
    /// What is shown there: degrees of an eye bone, or the weight of an expression.
    pub output_scale: f32,
}

impl Default for LookAt {
    /// Eye bones that turn as far as the gaze does; eyes six centimetres above the head bone.
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
    /// What to show for an angle of gaze, in degrees from straight ahead.
    #[must_use]
    pub fn apply(&self, degrees: f32) -> f32 {
        if self.input_max_degrees <= 0.0 {
            return 0.0;
        }
        self.output_scale * degrees.clamp(0.0, self.input_max_degrees) / self.input_max_degrees
    }

    /// The angle of gaze, in degrees from straight ahead, for which this is shown; the largest for what is never
    /// shown.
    #[must_use]
    pub fn undo(&self, shown: f32) -> f32 {
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
    fn a_range_map_is_a_line_that_is_held() {
        let map = RangeMap { input_max_degrees: 90.0, output_scale: 10.0 };
        for (degrees, expected) in [(-5.0, 0.0), (0.0, 0.0), (45.0, 5.0), (90.0, 10.0), (120.0, 10.0)] {
            assert_eq!(map.apply(degrees), expected);
            assert_eq!(map.undo(expected), degrees.clamp(0.0, 90.0));
        }
        assert_eq!((map.undo(30.0), map.undo(-1.0)), (90.0, 0.0));
        assert_eq!(RangeMap { input_max_degrees: 0.0, output_scale: 1.0 }.apply(3.0), 0.0);
        assert_eq!(LookAt::default().up.apply(12.0), 12.0);
    }
}
