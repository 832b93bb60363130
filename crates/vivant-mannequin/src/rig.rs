//! The rig of the built-in character.

use crate::figure::{LEFT, MIDDLE};
use glam::Vec3;
use vivant::rig::{Bone, Channel, Expression, LookAt, RangeMap, Rig, RigParts};

/// The name of the character, which is also used in its file.
pub(crate) const NAME: &str = "Vivant mannequin";

/// Expressions in addition to VRM's presets, ARKit's shapes and the visemes.
pub(crate) const OWN_SHAPES: [&str; 2] = ["pupilConstrict", "pupilDilate"];

/// Maximum rotation of the eyes in degrees. It is that of human eyes, and the lids are designed for it.
const EYES_DEGREES: f32 = 40.0;

/// Returns the rig of the built-in character: an adult of 1.74 m with all 55 bones, the 18 expressions of VRM, the 52
/// shapes of ARKit, the 15 visemes, and 2 pupil shapes.
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

/// Returns the presets, then all other expressions. Both groups are sorted by name, as in the VRM file.
fn channels() -> Vec<Channel> {
    let mut presets: Vec<&str> = Expression::vrm().map(Expression::name).collect();
    let muscles = Expression::arkit().chain(Expression::visemes()).map(Expression::name);
    let mut others: Vec<&str> = muscles.chain(OWN_SHAPES).collect();
    presets.sort_unstable();
    others.sort_unstable();
    presets.into_iter().chain(others).map(|name| Channel::from(name.to_owned())).collect()
}

/// Returns the look-at settings. The eyes rotate as far as the gaze, up to their limit.
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
    fn it_has_all_bones_and_presets() {
        let rig = rig();
        assert_eq!(rig.bones().len(), Bone::COUNT);
        assert_eq!(rig.channels().len(), Expression::COUNT + OWN_SHAPES.len());
        assert_eq!(rig.abilities().eyes, EyeControl::Bones);
        assert_eq!(rig.abilities().lids, LidControl::ExpressionsEach);
        assert_eq!(rig.abilities().left_fingers.len(), 5);
    }

    #[test]
    fn its_proportions_are_those_of_an_adult() {
        let rig = rig();
        let between = |a, b| rig.rest_position(a).distance(rig.rest_position(b));
        let height = 1.74; // with a slightly large head
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
