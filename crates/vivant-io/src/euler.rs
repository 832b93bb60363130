//! Rotations as angles, for formats and people that turn about one axis after another.
//!
//! Three angles are many-valued: whoever writes curves wants them to go on as they went. So each conversion is told
//! the last angles, and gives those nearest to them.

use glam::{DMat3, DQuat, DVec3};
use vivant::math;

/// The angles about X, Y and Z, in radians, of the rotation Z · Y · X, which turns about X first: what Maya calls `xyz`
/// and Blender `XYZ Euler`. Of all that give it those nearest to `last`.
pub(crate) fn xyz(rotation: DQuat, last: DVec3) -> DVec3 {
    // In a mirror in which X and Y change places, this is Z · X · Y the other way round.
    let mirrored = DQuat::from_xyzw(-rotation.y, -rotation.x, -rotation.z, rotation.w);
    let DVec3 { x: z, y, z: x } = -zxy(mirrored, -DVec3::new(last.z, last.y, last.x));
    DVec3::new(x, y, z)
}

/// The angles about Z, X and Y, in radians, of the rotation Z · X · Y, of all that give it those
/// nearest to `last`.
pub(crate) fn zxy(rotation: DQuat, last: DVec3) -> DVec3 {
    let m = DMat3::from_quat(rotation.normalize());
    // The last row of Z·X·Y is (−cos x sin y, sin x, cos x cos y).
    let (a, b) = (-m.x_axis.z, m.z_axis.z);
    // Where cos x is next to nothing, y and z turn about the same axis: y stays, z takes the rest.
    let y = if a * a + b * b < 1e-12 { last.z } else { math::atan2(a, b) };
    let first = zx_beside(&m, y);
    let second = zx_beside(&m, y + std::f64::consts::PI);
    [first, second]
        .map(|angles| unwound(angles, last))
        .into_iter()
        .min_by(|a, b| a.distance_squared(last).total_cmp(&b.distance_squared(last)))
        .unwrap_or(first)
}

/// Z and X when Y is given, from what is left when Y is taken away: good also near gimbal lock,
/// because an error of Y is made up for.
fn zx_beside(m: &DMat3, y: f64) -> DVec3 {
    let (sin, cos) = (math::sin(y), math::cos(y));
    let x_axis = m.x_axis * cos + m.z_axis * sin;
    let z_axis = m.z_axis * cos - m.x_axis * sin;
    DVec3::new(math::atan2(x_axis.y, x_axis.x), math::atan2(m.y_axis.z, z_axis.z), y)
}

/// The same angles, each within half a turn of `last`.
fn unwound(angles: DVec3, last: DVec3) -> DVec3 {
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
    fn what_turns_about_one_axis_has_one_angle() {
        for degrees in [0.0, 30.0, -80.0, 89.0] {
            let angle = f64::to_radians(degrees);
            for axis in [X, Y, Z] {
                assert!(
                    (xyz(about(axis, angle), DVec3::ZERO) - axis * angle).length() < 1e-9,
                    "{axis} {degrees}"
                );
            }
        }
        // Blender's own: Euler((0.1, 0.2, 0.3), 'XYZ').to_quaternion().
        let q = DQuat::from_xyzw(0.034_270_8, 0.106_020_5, 0.143_572_2, 0.983_347_4);
        assert!((xyz(q, DVec3::ZERO) - DVec3::new(0.1, 0.2, 0.3)).length() < 1e-5);
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_again_and_stay_near_the_last(
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
        fn a_slow_turn_has_slow_angles(a in -3.0..3.0, b in -1.3..1.3, c in -3.0..3.0, step in -0.01..0.01) {
            let last = DVec3::new(a, b, c);
            let next = xyz(composed_xyz(last) * about(DVec3::new(0.6, 0.0, 0.8), step), last);
            // Near the pole, where b is a quarter turn, the others are faster.
            prop_assert!((next - last).abs().max_element() < 0.05, "{last} {next}");
        }
    }
}
