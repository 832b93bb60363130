//! Where the joints of the built-in character are.

use crate::figure::{LEFT, MIDDLE};
use glam::Vec3;
use vivant::rig::{Bone, Channel, Expression, Rig, RigParts};

/// The built-in character: an adult of 1.74 m with all 55 bones and VRM's 18 expressions.
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
        let height = 1.74; // with a head that is a little large
        let check = |part: f32, least: f32, greatest: f32, what: &str| {
            let share = part / height;
            assert!((least..greatest).contains(&share), "{what}: {share} of the height");
        };
        check(between(Bone::LeftUpperArm, Bone::LeftLowerArm), 0.15, 0.19, "upper arm");
        check(between(Bone::LeftLowerArm, Bone::LeftHand), 0.13, 0.16, "forearm");
        check(between(Bone::LeftUpperLeg, Bone::LeftLowerLeg), 0.22, 0.26, "thigh");
        check(between(Bone::LeftLowerLeg, Bone::LeftFoot), 0.22, 0.26, "shin");
        check(between(Bone::LeftUpperArm, Bone::RightUpperArm), 0.18, 0.24, "shoulders");
    }
}
