//! Where the joints of the built-in character are.

use crate::figure::{LEFT, MIDDLE};
use glam::Vec3;
use vivant::rig::{Bone, Channel, Expression, LookAt, RangeMap, Rig, RigParts};

/// What the character is called, here and in its file.
pub(crate) const NAME: &str = "Vivant mannequin";

/// What its face can show beside VRM's presets, ARKit's shapes and the visemes.
pub(crate) const OWN_SHAPES: [&str; 2] = ["pupilConstrict", "pupilDilate"];

/// How far its eyes turn: as far as human ones do, and its lids are made for.
const EYES_DEGREES: f32 = 40.0;

/// The built-in character: an adult of 1.74 m with all 55 bones, VRM's 18 expressions, ARKit's 52, the
/// 15 visemes, and pupils.
#[must_use]
pub fn rig() -> Rig {
    let middle = MIDDLE.into_iter().map(|(bone, place)| (bone, Vec3::from(place)));
    let sides = LEFT
        .into_iter()
        .flat_map(|(bone, [x, y, z])| [(bone, Vec3::new(x, y, z)), (bone.mirrored(), Vec3::new(-x, y, z))]);
    Rig::new(RigParts {
        name: NAME.into(),
        rest_positions: middle.chain(sides).collect(),
        channels: channels(),
        look_at: look_at(),
        ..RigParts::default()
    })
}

/// Presets, then all else, each by name: so its VRM file gives them, too.
fn channels() -> Vec<Channel> {
    let mut presets: Vec<&str> = Expression::vrm().map(Expression::name).collect();
    let muscles = Expression::arkit().chain(Expression::visemes()).map(Expression::name);
    let mut others: Vec<&str> = muscles.chain(OWN_SHAPES).collect();
    presets.sort_unstable();
    others.sort_unstable();
    presets.into_iter().chain(others).map(|name| Channel::from(name.to_owned())).collect()
}

/// The eyes turn as far as the gaze does, until they can no further.
fn look_at() -> LookAt {
    let map = RangeMap { input_max_degrees: EYES_DEGREES, output_scale: EYES_DEGREES };
    LookAt {
        by_expression: false,
        offset_from_head: between_eyes_from_head(),
        inner: map,
        outer: map,
        down: map,
        up: map,
    }
}

fn between_eyes_from_head() -> Vec3 {
    let place = |list: &[(Bone, [f32; 3])], bone| list.iter().find(|(b, _)| *b == bone).map(|(_, p)| *p);
    let eye = place(&LEFT, Bone::LeftEye).map_or(Vec3::ZERO, Vec3::from);
    let head = place(&MIDDLE, Bone::Head).map_or(Vec3::ZERO, Vec3::from);
    Vec3::new(0.0, eye.y - head.y, eye.z - head.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::{EyeControl, LidControl};

    #[test]
    fn it_has_every_bone_and_can_show_every_preset() {
        let rig = rig();
        assert_eq!(rig.bones().len(), Bone::COUNT);
        assert_eq!(rig.channels().len(), Expression::COUNT + OWN_SHAPES.len());
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
