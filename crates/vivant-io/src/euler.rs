//! Converts rotations to Euler angles, for BVH files and animation curves.
//!
//! The same rotation has many sets of Euler angles, and curves should be continuous. So each conversion takes the
//! previous angles and returns the nearest equivalent ones.

use glam::{DMat3, DQuat, DVec3};
use vivant::math;

/// Returns the angles about X, Y and Z, in radians, of the rotation Z · Y · X, which rotates about X first (Maya's
/// `xyz`, Blender's `XYZ Euler`). Of all equivalent angles, it returns the angles nearest to `last`.
pub(crate) fn xyz(rotation: DQuat, last: DVec3) -> DVec3 {
    // Mirroring that swaps X and Y turns Z · Y · X into Z · X · Y with negated angles.
    let mirrored = DQuat::from_xyzw(-rotation.y, -rotation.x, -rotation.z, rotation.w);
    let DVec3 { x: z, y, z: x } = -zxy(mirrored, -DVec3::new(last.z, last.y, last.x));
    DVec3::new(x, y, z)
}

/// Returns the angles about Z, X and Y, in radians, of the rotation Z · X · Y. Of all equivalent angles, it returns
/// the angles nearest to `last`.
pub(crate) fn zxy(rotation: DQuat, last: DVec3) -> DVec3 {
    let m = DMat3::from_quat(rotation.normalize());
    // The last row of Z·X·Y is (−cos x sin y, sin x, cos x cos y).
    let (a, b) = (-m.x_axis.z, m.z_axis.z);
    // If cos x is almost zero, y and z rotate about the same axis. Then y keeps its value, and z takes the remaining
    // rotation.
    let y = if a * a + b * b < 1e-12 { last.z } else { math::atan2(a, b) };
    let first = zx_given_y(&m, y);
    let second = zx_given_y(&m, y + std::f64::consts::PI);
    [first, second]
        .map(|angles| nearest_equivalent(angles, last))
        .into_iter()
        .min_by(|a, b| a.distance_squared(last).total_cmp(&b.distance_squared(last)))
        .unwrap_or(first)
}

/// Returns the angles Z, X and Y for a given Y: removes Y from the rotation and computes Z and X from the rest. The
/// result is accurate near gimbal lock too, because Z and X compensate for an error of Y.
fn zx_given_y(m: &DMat3, y: f64) -> DVec3 {
    let (sin, cos) = (math::sin(y), math::cos(y));
    let x_axis = m.x_axis * cos + m.z_axis * sin;
    let z_axis = m.z_axis * cos - m.x_axis * sin;
    DVec3::new(math::atan2(x_axis.y, x_axis.x), math::atan2(m.y_axis.z, z_axis.z), y)
}

/// Returns equivalent angles, each within half a turn of `last`.
fn nearest_equivalent(angles: DVec3, last: DVec3) -> DVec3 {
    let turn = std::f64::consts::TAU;
    angles - ((angles - last) / turn).round() * turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const X: DVec3 = DVec3::X;
    const Y: DVec3 = DVec3::Y;
    const Z: DVec3 = DVec3::Z;

    fn about(axis: DVec3, angle: f64) -> DQuat {
        let half = axis * math::sin(angle / 2.0);
        DQuat::from_xyzw(half.x, half.y, half.z, math::cos(angle / 2.0))
    }

    fn off(a: DQuat, b: DQuat) -> f64 {
        1.0 - a.normalize().dot(b.normalize()).abs()
    }

    fn composed_xyz(angles: DVec3) -> DQuat {
        about(Z, angles.z) * about(Y, angles.y) * about(X, angles.x)
    }

    fn composed_zxy(angles: DVec3) -> DQuat {
        about(Z, angles.x) * about(X, angles.y) * about(Y, angles.z)
    }

    #[test]
    fn a_rotation_about_one_axis_has_one_nonzero_angle() {
        for degrees in [0.0, 30.0, -80.0, 89.0] {
            let angle = f64::to_radians(degrees);
            for axis in [X, Y, Z] {
                assert!(
                    (xyz(about(axis, angle), DVec3::ZERO) - axis * angle).length() < 1e-9,
                    "{axis} {degrees}"
                );
            }
        }
        // From Blender: Euler((0.1, 0.2, 0.3), 'XYZ').to_quaternion().
        let q = DQuat::from_xyzw(0.034_270_8, 0.106_020_5, 0.143_572_2, 0.983_347_4);
        assert!((xyz(q, DVec3::ZERO) - DVec3::new(0.1, 0.2, 0.3)).length() < 1e-5);
    }

    proptest! {
        #[test]
        fn angles_reproduce_the_rotation_and_stay_near_the_last(
            x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0, w in -1.0..1.0,
            last in prop::array::uniform3(-9.0..9.0),
        ) {
            let q = DQuat::from_xyzw(x, y, z, w);
            prop_assume!(q.length() > 0.1);
            let (q, last) = (q.normalize(), DVec3::from(last));
            for (angles, again) in [(xyz(q, last), composed_xyz(xyz(q, last))), (zxy(q, last), composed_zxy(zxy(q, last)))] {
                prop_assert!(off(again, q) < 1e-12, "{angles}");
                prop_assert!((angles - last).abs().max_element() < 1.5 * std::f64::consts::PI + 1e-9, "{angles} {last}");
            }
        }

        #[test]
        fn small_rotations_change_angles_little(a in -3.0..3.0, b in -1.3..1.3, c in -3.0..3.0, step in -0.01..0.01) {
            let last = DVec3::new(a, b, c);
            let next = xyz(composed_xyz(last) * about(DVec3::new(0.6, 0.0, 0.8), step), last);
            // Near gimbal lock, where b is close to a quarter turn, the other angles change faster.
            prop_assert!((next - last).abs().max_element() < 0.05, "{last} {next}");
        }
    }
}
