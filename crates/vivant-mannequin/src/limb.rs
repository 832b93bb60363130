//! Inverse kinematics of limbs with two bones: finds the position of elbow or knee for a given hand or foot.

use glam::{Mat3, Quat, Vec3};

/// The directions of a limb's two bones, in the space of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limb {
    pub(crate) upper: Vec3,
    pub(crate) lower: Vec3,
}

impl Limb {
    /// Returns the limb from `root` to `end`. Its joint points towards `pole`. If the end is out of reach, the limb
    /// is straight.
    pub(crate) fn reach(root: Vec3, end: Vec3, lengths: [f32; 2], pole: Vec3) -> Self {
        let [upper, lower] = lengths;
        let line = (end - root).normalize_or(Vec3::NEG_Y);
        let distance = root.distance(end).clamp((upper - lower).abs() + 1e-4, upper + lower);
        // Law of cosines: the distance of the joint along the line, and its distance from the line.
        let along = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
        let off = (upper * upper - along * along).max(0.0).sqrt();
        let side = pole.reject_from_normalized(line).normalize_or(line.any_orthonormal_vector());
        let joint = line * along + side * off;
        Self { upper: joint / upper, lower: (line * distance - joint) / lower }
    }
}

/// Returns the rotation whose X axis points along `x` and whose Z axis is as close to `z` as possible.
pub(crate) fn frame_of(x: Vec3, z: Vec3) -> Quat {
    let x = x.normalize();
    let z = z.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
}

/// Mirrors a rotation from left to right.
pub(crate) fn mirrored_rotation(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limb_reaches_its_end_and_bends_towards_its_pole() {
        let check = |end: Vec3, pole: Vec3| {
            let lengths = [0.4, 0.38];
            let limb = Limb::reach(Vec3::Y, end, lengths, pole);
            let reached = Vec3::Y + limb.upper * lengths[0] + limb.lower * lengths[1];
            assert!(reached.distance(end) < 1e-5, "{reached} for {end}");
            assert!(limb.upper.dot(pole) >= limb.lower.dot(pole), "{limb:?}");
        };
        check(Vec3::new(0.0, 0.3, 0.0), Vec3::Z);
        check(Vec3::new(0.2, 0.5, 0.1), Vec3::Z);
        check(Vec3::new(0.1, 1.2, 0.4), Vec3::NEG_Y);
    }

    #[test]
    fn unreachable_targets_are_pointed_at() {
        let limb = Limb::reach(Vec3::ZERO, Vec3::X * 9.0, [0.4, 0.4], Vec3::Z);
        assert!(limb.upper.distance(Vec3::X) < 1e-3 && limb.lower.distance(Vec3::X) < 1e-3);
    }
}
