//! Where the joints of the built-in character are.

use glam::Vec3;
use vivant::rig::{Bone, Channel, Expression, Rig, RigParts};

/// The middle of the body: bone and place in metres.
const MIDDLE: [(Bone, [f32; 3]); 7] = [
    (Bone::Hips, [0.0, 0.925, 0.0]),
    (Bone::Spine, [0.0, 1.0, -0.01]),
    (Bone::Chest, [0.0, 1.115, -0.018]),
    (Bone::UpperChest, [0.0, 1.24, -0.025]),
    (Bone::Neck, [0.0, 1.405, -0.03]),
    (Bone::Head, [0.0, 1.49, -0.01]),
    (Bone::Jaw, [0.0, 1.51, 0.015]),
];

/// The left side; the right is its mirror image.
///
/// The knee is a little before the line from hip to ankle, so that it knows which way to bend.
const LEFT: [(Bone, [f32; 3]); 24] = [
    (Bone::LeftEye, [0.032, 1.575, 0.075]),
    (Bone::LeftShoulder, [0.03, 1.375, -0.02]),
    (Bone::LeftUpperArm, [0.17, 1.38, -0.03]),
    (Bone::LeftLowerArm, [0.445, 1.38, -0.03]),
    (Bone::LeftHand, [0.69, 1.38, -0.03]),
    (Bone::LeftThumbMetacarpal, [0.712, 1.37, 0.0]),
    (Bone::LeftThumbProximal, [0.745, 1.36, 0.028]),
    (Bone::LeftThumbDistal, [0.775, 1.355, 0.043]),
    (Bone::LeftIndexProximal, [0.78, 1.38, 0.0]),
    (Bone::LeftIndexIntermediate, [0.82, 1.38, 0.002]),
    (Bone::LeftIndexDistal, [0.845, 1.38, 0.003]),
    (Bone::LeftMiddleProximal, [0.782, 1.382, -0.022]),
    (Bone::LeftMiddleIntermediate, [0.826, 1.382, -0.022]),
    (Bone::LeftMiddleDistal, [0.854, 1.382, -0.022]),
    (Bone::LeftRingProximal, [0.776, 1.38, -0.043]),
    (Bone::LeftRingIntermediate, [0.816, 1.38, -0.044]),
    (Bone::LeftRingDistal, [0.842, 1.38, -0.045]),
    (Bone::LeftLittleProximal, [0.766, 1.376, -0.062]),
    (Bone::LeftLittleIntermediate, [0.797, 1.376, -0.065]),
    (Bone::LeftLittleDistal, [0.816, 1.376, -0.066]),
    (Bone::LeftUpperLeg, [0.09, 0.885, 0.0]),
    (Bone::LeftLowerLeg, [0.09, 0.475, 0.008]),
    (Bone::LeftFoot, [0.09, 0.08, -0.015]),
    (Bone::LeftToes, [0.09, 0.018, 0.115]),
];

/// The built-in character: an adult of 1.70 m with all 55 bones and VRM's 18 expressions.
#[must_use]
pub fn rig() -> Rig {
    let middle = MIDDLE.into_iter().map(|(bone, place)| (bone, Vec3::from(place)));
    let sides = LEFT
        .into_iter()
        .flat_map(|(bone, [x, y, z])| [(bone, Vec3::new(x, y, z)), (bone.mirrored(), Vec3::new(-x, y, z))]);
    Rig::new(RigParts {
        name: "mannequin".into(),
        rest_positions: middle.chain(sides).collect(),
        channels: Expression::vrm().map(Channel::from).collect(),
        ..RigParts::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::{EyeControl, LidControl};

    #[test]
    fn it_has_every_bone_and_can_show_every_preset() {
        let rig = rig();
        assert_eq!(rig.bones().len(), Bone::COUNT);
        assert_eq!(rig.channels().len(), 18);
        assert_eq!(rig.abilities().eyes, EyeControl::Bones);
        assert_eq!(rig.abilities().lids, LidControl::ExpressionsEach);
        assert_eq!(rig.abilities().left_fingers.len(), 5);
    }

    #[test]
    fn its_proportions_are_an_adults() {
        let rig = rig();
        let between = |a, b| rig.rest_position(a).distance(rig.rest_position(b));
        let height = rig.rest_position(Bone::LeftEye).y / 0.926; // eyes are at 0.926 of an adult's height
        let check = |part: f32, least: f32, greatest: f32, what: &str| {
            let share = part / height;
            assert!((least..greatest).contains(&share), "{what}: {share} of the height");
        };
        assert!((height - 1.70).abs() < 0.01, "{height} m");
        check(between(Bone::LeftUpperArm, Bone::LeftLowerArm), 0.15, 0.19, "upper arm");
        check(between(Bone::LeftLowerArm, Bone::LeftHand), 0.13, 0.16, "forearm");
        check(between(Bone::LeftUpperLeg, Bone::LeftLowerLeg), 0.22, 0.26, "thigh");
        check(between(Bone::LeftLowerLeg, Bone::LeftFoot), 0.22, 0.26, "shin");
        check(between(Bone::LeftUpperArm, Bone::RightUpperArm), 0.18, 0.24, "shoulders");
    }
}
