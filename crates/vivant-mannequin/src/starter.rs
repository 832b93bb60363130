//! The starter repertoire: what a person does while standing about, listening and talking.

use crate::gestures;
use crate::motion::{Arm, Motion, Side};
use crate::rig::rig;
use crate::stances::{Held, WAYS};
use vivant::clip::Clip;
use vivant::rig::{Bone, Rig};

/// The built-in character's motions. Each starts and ends in a stance: which, and what it is good for, is
/// in [`starter_repertoire`](crate::starter_repertoire).
#[must_use]
pub fn starter_clips() -> Vec<Clip> {
    let rig = rig();
    [
        idle_breathe,
        weight_shift_left,
        weight_shift_right,
        look_around,
        nod,
        shake,
        wave,
        shrug,
        explain,
        chin_touch,
        stretch,
    ]
    .into_iter()
    .map(|make: fn(&Rig) -> Motion<'_>| make(&rig).clip())
    .chain(gestures::ALL.iter().map(|make| make(&rig).clip()))
    .chain(Held::ALL.into_iter().map(|held| held.held(&rig).clip()))
    .chain(WAYS.into_iter().map(|(from, to, name)| from.way(to, &rig, name).clip()))
    .collect()
}

/// Two calm breaths: the chest rises, the shoulders follow, the head gives way a little.
fn idle_breathe(rig: &Rig) -> Motion<'_> {
    const BREATH: [(f32, f32); 4] = [(1.6, 1.0), (4.0, 0.0), (5.6, 1.1), (7.9, 0.0)];
    let breathe = |degrees: f32| BREATH.into_iter().map(move |(t, share)| (t, degrees * share));
    let pitch = |degrees: f32| breathe(degrees).map(|(t, d)| (t, [0.0, d, 0.0])).collect::<Vec<_>>();
    let raise: Vec<_> = breathe(1.4).map(|(t, d)| (t + 0.05, d)).collect();
    Motion::new(rig, "idle_breathe", 8.0)
        .turn(Bone::Chest, &pitch(-1.1))
        .turn(Bone::UpperChest, &pitch(-1.5))
        .turn(Bone::Neck, &pitch(1.3))
        .turn(Bone::Head, &[(2.2, [1.5, 0.4, -0.6]), (5.0, [-1.0, 1.0, 0.5])])
        .shoulder(Side::Left, &raise)
        .shoulder(Side::Right, &raise)
        .face("relaxed", &[(2.0, 0.15), (6.0, 0.1)])
}

fn weight_shift_left(rig: &Rig) -> Motion<'_> {
    weight_shift(rig, "weight_shift_left", 1.0)
}

fn weight_shift_right(rig: &Rig) -> Motion<'_> {
    weight_shift(rig, "weight_shift_right", -1.0)
}

/// The hips go over one foot and tilt, so that its leg is straight and the other knee gives way; the
/// trunk leans against it to stay upright.
fn weight_shift<'a>(rig: &'a Rig, name: &'static str, side: f32) -> Motion<'a> {
    let roll = |degrees: f32| [0.0, 0.0, degrees * side];
    Motion::new(rig, name, 5.0)
        .hips(&[
            (0.3, [0.0, -0.002, 0.0]),
            (1.4, [0.055 * side, -0.0095, -0.002]),
            (3.4, [0.05 * side, -0.009, 0.0]),
        ])
        .turn(
            Bone::Hips,
            &[(0.3, [0.0; 3]), (1.4, [3.0 * side, 0.0, 3.4 * side]), (3.4, [2.0 * side, 0.0, 3.0 * side])],
        )
        .turn(Bone::Spine, &[(1.5, roll(-3.2)), (3.4, roll(-3.0))])
        .turn(Bone::UpperChest, &[(1.6, roll(-1.0)), (3.5, roll(-0.8))])
        .turn(Bone::Neck, &[(1.7, roll(1.2)), (3.4, roll(1.0))])
        .turn(Bone::Head, &[(1.1, [4.0 * side, 1.0, 0.0]), (3.0, [-2.0 * side, 0.0, side])])
}

/// A look to each side: the eyes go first, then the head, and the trunk comes after.
fn look_around(rig: &Rig) -> Motion<'_> {
    let yaw = |t: f32, degrees: f32| (t, [degrees, 0.0, 0.0]);
    let eyes =
        [yaw(0.35, 16.0), yaw(0.9, 6.0), yaw(1.9, 3.0), yaw(2.2, -18.0), yaw(3.0, -6.0), yaw(4.0, -3.0)];
    Motion::new(rig, "look_around", 5.6)
        .turn(Bone::LeftEye, &eyes)
        .turn(Bone::RightEye, &eyes)
        .turn(
            Bone::Head,
            &[
                (1.0, [26.0, 2.0, -2.0]),
                (1.9, [27.0, -1.0, -2.0]),
                (3.0, [-26.0, 1.0, 2.0]),
                (4.1, [-24.0, 3.0, 1.0]),
            ],
        )
        .turn(
            Bone::Neck,
            &[
                (1.1, [14.0, 0.0, 0.0]),
                (1.9, [15.0, 0.0, 0.0]),
                (3.1, [-14.0, 0.0, 0.0]),
                (4.1, [-13.0, 0.0, 0.0]),
            ],
        )
        .turn(
            Bone::UpperChest,
            &[
                (1.4, [5.0, 0.0, 0.0]),
                (2.0, [5.0, 0.0, 0.0]),
                (3.5, [-5.0, 0.0, 0.0]),
                (4.2, [-4.0, 0.0, 0.0]),
            ],
        )
        .turn(Bone::Chest, &[(1.5, [3.0, 0.0, 0.0]), (3.6, [-3.0, 0.0, 0.0])])
}

/// Yes, with two nods and a rest of a third.
fn nod(rig: &Rig) -> Motion<'_> {
    let pitch = |t: f32, degrees: f32| (t, [0.0, degrees, 0.0]);
    Motion::new(rig, "nod", 2.0)
        .turn(
            Bone::Head,
            &[
                pitch(0.14, -2.5),
                pitch(0.42, 14.0),
                pitch(0.72, -1.0),
                pitch(1.0, 10.0),
                pitch(1.26, 0.5),
                pitch(1.52, 3.0),
            ],
        )
        .turn(Bone::Neck, &[pitch(0.46, 6.0), pitch(0.76, 0.0), pitch(1.05, 4.0), pitch(1.3, 0.0)])
        .turn(Bone::LeftEye, &[pitch(0.42, -9.0), pitch(0.72, 0.0), pitch(1.0, -6.0), pitch(1.3, 0.0)])
        .turn(Bone::RightEye, &[pitch(0.42, -9.0), pitch(0.72, 0.0), pitch(1.0, -6.0), pitch(1.3, 0.0)])
        .face("happy", &[(0.5, 0.25), (1.3, 0.2)])
}

/// No.
fn shake(rig: &Rig) -> Motion<'_> {
    let yaw = |t: f32, degrees: f32| (t, [degrees, 1.5, 0.0]);
    Motion::new(rig, "shake", 2.2)
        .turn(
            Bone::Head,
            &[yaw(0.3, 14.0), yaw(0.68, -15.0), yaw(1.06, 11.0), yaw(1.42, -7.0), yaw(1.75, 2.0)],
        )
        .turn(Bone::Neck, &[yaw(0.34, 6.0), yaw(0.72, -7.0), yaw(1.1, 5.0), yaw(1.46, -3.0)])
        .turn(Bone::LeftEye, &[yaw(0.3, -8.0), yaw(0.68, 9.0), yaw(1.06, -7.0), yaw(1.42, 4.0)])
        .turn(Bone::RightEye, &[yaw(0.3, -8.0), yaw(0.68, 9.0), yaw(1.06, -7.0), yaw(1.42, 4.0)])
}

/// Hello: the right hand goes up beside the head and swings from the elbow.
fn wave(rig: &Rig) -> Motion<'_> {
    let at = |out: f32, up: f32| Arm {
        wrist: [out, up, 0.2],
        elbow: [0.7, -1.0, -0.1],
        palm: [0.0, 0.0, 1.0],
        hand: Some([(out - 0.42) * 2.2, 1.0, 0.05]),
    };
    let lift = Arm { wrist: [0.4, 1.2, 0.28], elbow: [0.6, -1.0, -0.3], palm: [-0.2, -0.6, 0.7], hand: None };
    Motion::new(rig, "wave", 3.6)
        .arm(
            Side::Right,
            &[
                (0.42, lift),
                (0.8, at(0.4, 1.56)),
                (1.08, at(0.54, 1.5)),
                (1.36, at(0.37, 1.56)),
                (1.64, at(0.54, 1.5)),
                (1.92, at(0.38, 1.56)),
                (2.2, at(0.5, 1.52)),
                (2.8, lift),
            ],
        )
        .fingers(Side::Right, &[(0.8, -12.0), (2.3, -10.0)])
        .shoulder(Side::Right, &[(0.8, 7.0), (2.3, 6.0)])
        .lean(&[(0.9, [-3.0, 0.0, 5.0]), (2.2, [-3.0, 0.0, 4.0])])
        .turn(Bone::Head, &[(0.7, [0.0, -2.0, -5.0]), (2.2, [0.0, 1.0, -4.0])])
        .face("happy", &[(0.6, 0.7), (2.4, 0.6)])
}

/// Who knows: shoulders up, forearms out, palms to the sky, the head to one side.
fn shrug(rig: &Rig) -> Motion<'_> {
    let open = Arm {
        wrist: [0.4, 1.12, 0.2],
        elbow: [0.3, -1.0, -0.7],
        palm: [0.15, 1.0, 0.1],
        hand: Some([0.8, -0.1, 0.6]),
    };
    let held = Arm { wrist: [0.41, 1.11, 0.2], ..open };
    let mut motion = Motion::new(rig, "shrug", 2.6);
    for side in [Side::Left, Side::Right] {
        motion = motion
            .arm(side, &[(0.7, open), (1.4, held)])
            .shoulder(side, &[(0.66, 15.0), (1.3, 14.0)])
            .fingers(side, &[(0.7, -8.0), (1.4, -6.0)]);
    }
    motion
        .lean(&[(0.7, [0.0, -4.0, 0.0]), (1.4, [0.0, -3.0, 0.0])])
        .turn(Bone::Head, &[(0.75, [2.0, 3.0, 9.0]), (1.4, [1.0, 2.0, 8.0])])
        .face("surprised", &[(0.7, 0.3), (1.4, 0.2)])
}

/// Both hands before the belly, with a beat on each of three words.
fn explain(rig: &Rig) -> Motion<'_> {
    let at = |out: f32, up: f32, front: f32, palm_up: f32| Arm {
        wrist: [out, up, front],
        elbow: [0.6, -1.0, -0.6],
        palm: [-0.7, palm_up, 0.25],
        hand: Some([-0.15, 0.1, 1.0]),
    };
    let mut motion = Motion::new(rig, "explain", 4.6);
    for (side, late) in [(Side::Left, 0.06), (Side::Right, 0.0)] {
        let keys = [
            (0.7, at(0.2, 1.13, 0.27, 0.5)),
            (1.0, at(0.22, 1.06, 0.31, 0.6)),
            (1.35, at(0.23, 1.14, 0.28, 0.6)),
            (1.6, at(0.26, 1.06, 0.32, 0.8)),
            (2.1, at(0.24, 1.13, 0.28, 0.7)),
            (2.6, at(0.33, 1.08, 0.31, 1.2)),
            (3.2, at(0.32, 1.08, 0.3, 1.2)),
        ];
        motion = motion
            .arm(side, &keys.map(|(t, arm)| (t + late, arm)))
            .fingers(side, &[(0.8, 4.0), (2.6, -8.0), (3.2, -6.0)]);
    }
    let pitch = |t: f32, yaw: f32, degrees: f32| (t, [yaw, degrees, 0.0]);
    motion
        .lean(&[
            (0.8, [2.0, 4.0, 0.0]),
            (1.8, [-2.0, 4.0, 0.0]),
            (2.8, [0.0, 6.0, 0.0]),
            (3.4, [0.0, 5.0, 0.0]),
        ])
        .turn(
            Bone::Head,
            &[
                pitch(0.9, 3.0, 4.0),
                pitch(1.3, 2.0, -1.0),
                pitch(1.6, -3.0, 4.0),
                pitch(2.1, -2.0, 0.0),
                pitch(2.7, 0.0, 5.0),
                pitch(3.3, 0.0, 2.0),
            ],
        )
}

/// A thought: the right hand comes to the chin, the left arm holds the right elbow's place.
fn chin_touch(rig: &Rig) -> Motion<'_> {
    let chin = Arm {
        wrist: [0.085, 1.4, 0.215],
        elbow: [0.35, -1.0, 0.1],
        palm: [-0.55, 0.35, -0.75],
        hand: Some([-0.55, 0.75, -0.1]),
    };
    let rise =
        Arm { wrist: [0.22, 1.15, 0.32], elbow: [0.5, -1.0, -0.2], palm: [-0.8, 0.2, -0.5], hand: None };
    let rub = Arm { wrist: [0.088, 1.39, 0.218], ..chin };
    let across = Arm {
        wrist: [-0.02, 1.08, 0.225],
        elbow: [0.8, -1.0, -0.2],
        palm: [0.1, -0.3, -1.0],
        hand: Some([-1.0, 0.1, 0.1]),
    };
    let halfway =
        Arm { wrist: [0.2, 1.0, 0.28], elbow: [0.7, -1.0, -0.3], palm: [-0.5, -0.3, -0.7], hand: None };
    Motion::new(rig, "chin_touch", 5.2)
        .arm(Side::Right, &[(0.55, rise), (1.1, chin), (1.9, rub), (2.6, chin), (3.5, rub), (4.2, rise)])
        .fingers(Side::Right, &[(1.0, 18.0), (1.9, 24.0), (2.6, 18.0), (3.5, 22.0)])
        .arm(Side::Left, &[(0.5, halfway), (1.2, across), (3.6, across), (4.4, halfway)])
        .turn(Bone::Head, &[(1.2, [-6.0, 6.0, -4.0]), (2.4, [5.0, -5.0, -5.0]), (3.4, [3.0, -4.0, -5.0])])
        .turn(Bone::LeftEye, &[(1.8, [0.0, 0.0, 0.0]), (2.0, [14.0, -10.0, 0.0]), (3.2, [12.0, -9.0, 0.0])])
        .turn(Bone::RightEye, &[(1.8, [0.0, 0.0, 0.0]), (2.0, [14.0, -10.0, 0.0]), (3.2, [12.0, -9.0, 0.0])])
}

/// After long standing: hands up over the head, the back arched, and a deep breath out.
fn stretch(rig: &Rig) -> Motion<'_> {
    let front = Arm { wrist: [0.2, 1.3, 0.42], elbow: [0.9, -0.6, 0.0], palm: [-0.2, -0.8, 0.4], hand: None };
    let high = Arm {
        wrist: [0.14, 1.83, 0.03],
        elbow: [1.0, 0.0, 0.5],
        palm: [-0.2, 0.3, 1.0],
        hand: Some([-0.25, 1.0, 0.1]),
    };
    let higher = Arm { wrist: [0.12, 1.87, -0.02], ..high };
    let out = Arm { wrist: [0.62, 1.45, 0.05], elbow: [0.0, -1.0, -0.6], palm: [0.1, -1.0, 0.4], hand: None };
    let mut motion = Motion::new(rig, "stretch", 5.4);
    for side in [Side::Left, Side::Right] {
        motion = motion
            .arm(side, &[(0.8, front), (1.7, high), (2.6, higher), (3.7, out)])
            .shoulder(side, &[(1.8, 16.0), (2.7, 19.0), (3.8, 3.0)])
            .fingers(side, &[(1.0, 10.0), (1.8, -10.0), (2.7, -14.0), (3.8, 6.0)]);
    }
    motion
        .lean(&[
            (0.8, [0.0, 3.0, 0.0]),
            (1.9, [0.0, -9.0, 3.0]),
            (2.7, [0.0, -11.0, -3.0]),
            (3.9, [0.0, 2.0, 0.0]),
        ])
        .turn(Bone::Head, &[(1.9, [0.0, -9.0, 2.0]), (2.7, [0.0, -11.0, -2.0]), (3.8, [0.0, 4.0, 0.0])])
        .face("relaxed", &[(2.0, 0.6), (3.8, 0.3)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3A, Quat, Vec3};
    use vivant::math::{angle_between, atan2_32};
    use vivant::pose::Pose;
    use vivant::rig::BoneSet;

    /// Calls `check` with every frame of every clip: a label, the pose and where the joints are.
    fn every_frame(check: impl Fn(&str, &Pose, &[Affine3A])) {
        let rig = rig();
        for clip in starter_clips() {
            for frame in 0..clip.frames() {
                let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
                check(&format!("{} frame {frame}", clip.name()), &pose, &pose.model_transforms(&rig));
            }
        }
    }

    fn place(model: &[Affine3A], bone: Bone) -> Vec3 {
        model[bone.index()].translation.into()
    }

    #[test]
    fn elbows_bend_forwards_and_not_too_far() {
        every_frame(|label, pose, _| {
            for (bone, forwards) in [(Bone::LeftLowerArm, Vec3::X), (Bone::RightLowerArm, Vec3::NEG_X)] {
                let forearm = pose.rotations.get(bone) * forwards;
                let bend = atan2_32(forearm.z, forearm.dot(forwards)).to_degrees();
                assert!(forearm.y.abs() < 1e-3, "{label} {bone:?} bends sideways: {forearm}");
                assert!((0.0..150.0).contains(&bend), "{label} {bone:?} bends by {bend}°");
            }
        });
    }

    #[test]
    fn joints_stay_within_what_a_person_can_do() {
        let rig = rig();
        every_frame(|label, pose, _| {
            for bone in Bone::ALL {
                let rotation = pose.rotations.get(bone);
                if let Some(limit) = rig.limit(bone) {
                    let over = angle_between(limit.clamp(rotation), rotation).to_degrees();
                    assert!(over < 1.0, "{label} {bone:?} is {over}° over its limit");
                }
            }
            for bone in [Bone::LeftHand, Bone::RightHand] {
                let bend = angle_between(pose.rotations.get(bone), Quat::IDENTITY).to_degrees();
                assert!(bend < 80.0, "{label} {bone:?} bends by {bend}°");
            }
            for bone in [Bone::LeftLowerLeg, Bone::RightLowerLeg] {
                let shin = pose.rotations.get(bone) * Vec3::NEG_Y;
                assert!(shin.z < 0.02, "{label}: {bone:?} bends forwards, {shin}");
            }
        });
    }

    #[test]
    fn feet_stay_on_the_ground() {
        let rig = rig();
        every_frame(|label, _, model| {
            for bone in [Bone::LeftFoot, Bone::RightFoot, Bone::LeftToes, Bone::RightToes] {
                let slip = place(model, bone).distance(rig.rest_position(bone));
                assert!(slip < 1e-3, "{label} {bone:?} slips by {slip} m");
            }
        });
    }

    #[test]
    fn hands_go_round_the_trunk_and_the_head() {
        every_frame(|label, _, model| {
            for bone in
                BoneSet::ARMS.iter().filter(|b| b.name().contains("Hand") || b.name().contains("Distal"))
            {
                let at = place(model, bone);
                let trunk = depth_in_trunk(model, at);
                assert!(trunk > 1.0, "{label} {bone:?} is in the trunk at {at}: {trunk}");
                let head = model[Bone::Head.index()].inverse().transform_point3(at);
                let inside =
                    ((head - Vec3::new(0.0, 0.085, 0.015)) / Vec3::new(0.075, 0.115, 0.095)).length();
                assert!(inside > 1.0, "{label} {bone:?} is in the head at {at}: {inside}");
            }
        });
    }

    /// How far a place is from the trunk's axis, in half-axes of its elliptic section.
    fn depth_in_trunk(model: &[Affine3A], at: Vec3) -> f32 {
        let axis =
            [Bone::Hips, Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck].map(|b| place(model, b));
        let Some([low, high]) =
            axis.windows(2).map(|w| [w[0], w[1]]).find(|[low, high]| (low.y..high.y).contains(&at.y))
        else {
            return f32::INFINITY;
        };
        let centre = low.lerp(high, (at.y - low.y) / (high.y - low.y));
        Vec3::new((at.x - centre.x) / 0.15, 0.0, (at.z - centre.z) / 0.105).length()
    }

    #[test]
    fn nothing_is_faster_than_a_person() {
        for clip in starter_clips() {
            for frame in 1..clip.frames() {
                for bone in Bone::ALL {
                    let turned = angle_between(clip.rotation(frame - 1, bone), clip.rotation(frame, bone));
                    let degrees_per_s = f64::from(turned.to_degrees()) * clip.rate();
                    let most = if bone.name().ends_with("Eye") { 300.0 } else { 420.0 };
                    assert!(
                        degrees_per_s < most,
                        "{} frame {frame} {bone:?}: {degrees_per_s}°/s",
                        clip.name()
                    );
                }
            }
        }
    }

    #[test]
    fn a_waving_hand_is_beside_the_head() {
        let (rig, clips) = (rig(), starter_clips());
        let wave = clips.iter().find(|c| c.name() == "wave").unwrap();
        let mut pose = Pose::default();
        wave.sample(1.4, &mut pose, &mut []);
        let model = pose.model_transforms(&rig);
        let (hand, head) = (place(&model, Bone::RightHand), place(&model, Bone::Head));
        assert!(hand.y > head.y && hand.x < head.x - 0.2, "hand {hand}, head {head}");
        // The palm, −Y of the hand, looks to the front.
        assert!((model[Bone::RightHand.index()].transform_vector3(Vec3::NEG_Y)).z > 0.7);
    }

    /// What was made with these motions is to stay as it was: all bits of the first eleven, folded (FNV-1a).
    #[test]
    fn the_oldest_clips_keep_their_bits() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for clip in starter_clips().iter().take(11) {
            for frame in 0..clip.frames() {
                let q = clip.rotations(frame);
                let root = clip.root(frame).to_array();
                let numbers = [&q.x[..], &q.y, &q.z, &q.w, &root, clip.weights(frame)].into_iter().flatten();
                for byte in numbers.flat_map(|number| number.to_bits().to_le_bytes()) {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
                }
            }
        }
        assert_eq!(hash, 0x9aa6_b1b7_7f44_c217, "{hash:#x}");
    }
}
