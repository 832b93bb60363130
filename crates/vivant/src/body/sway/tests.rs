use super::*;
use crate::body::test_rig::{rig, shaped};
use crate::math::{angle_between, ln, sin};
use crate::pose::Pose;
use crate::rig::RigParts;
use proptest::prelude::*;

/// Times of weight shifts, and their targets.
fn shifts(seed: u64, hours: f64) -> Vec<[f64; 2]> {
    let mut sway = Sway::new(seed);
    let mut found = Vec::new();
    while sway.next_event() < hours * 3600.0 {
        let at = sway.next_event();
        sway.advance_to(at);
        found.push([at, sway.weight(at + 3.0)]);
    }
    found
}

/// The mean of log-uniform times from 8 to 30 s is 22/ln(30/8) = 16.64 s, their standard deviation 6.2 s; 99.99 % of
/// runs are within four standard deviations of the mean.
#[test]
fn the_weight_shifts_every_8_to_30_seconds() {
    let found = shifts(3, 20.0);
    let intervals: Vec<f64> = found.windows(2).map(|w| w[1][0] - w[0][0]).collect();
    assert!(intervals.iter().all(|secs| (8.0..30.0).contains(secs)));
    let (n, mean) = (intervals.len() as f64, intervals.iter().sum::<f64>() / intervals.len() as f64);
    assert!((mean - 22.0 / ln(30.0 / 8.0)).abs() < 4.0 * 6.2 / n.sqrt(), "{mean} s");
    for pair in found.windows(2) {
        assert!(pair[0][1] * pair[1][1] < 0.0, "{pair:?}");
        assert!((0.8..=1.2).contains(&pair[0][1].abs()), "{pair:?}");
    }
    let left = (0..400).filter(|seed| shifts(*seed, 0.006)[0][1] > 0.0).count();
    // Binomial: mean 200, standard deviation 10; four standard deviations are allowed.
    assert!((160..=240).contains(&left), "{left} of 400 start with the left leg");
}

/// Neutral pose with sway.
fn swayed(rig: &Rig, weight: f32, posture: [f32; 2]) -> Pose {
    let mut pose = Pose::neutral(rig);
    let Pose { rotations, root } = &mut pose;
    let sway_rig = SwayRig::new(rig);
    assert!(sway_rig.can_stand);
    sway_rig.apply(weight, posture, rotations, root);
    pose
}

fn every_sway(check: impl Fn([f32; 3], Pose)) {
    let rig = rig();
    for weight in [-1.2_f32, -1.0, -0.6, -0.2, 0.0, 0.1, 0.5, 0.9, 1.2] {
        for side in [-0.0023_f32, 0.0, 0.0023] {
            for front in [-0.0042_f32, 0.0, 0.0042] {
                check([weight, side, front], swayed(&rig, weight, [side, front]));
            }
        }
    }
}

#[test]
fn feet_stay_in_place() {
    let rig = rig();
    every_sway(|what, pose| {
        let model = pose.model_transforms(&rig);
        for bone in [Bone::LeftFoot, Bone::RightFoot, Bone::LeftToes, Bone::RightToes] {
            let slip = Vec3::from(model[bone.index()].translation).distance(rig.rest_position(bone));
            assert!(slip < 0.001, "{what:?}: {bone:?} slips by {slip} m");
        }
    });
}

#[test]
fn feet_stay_in_place_on_avatars_of_other_shapes() {
    for (name, rig) in [
        ("wide", shaped(|bone, p| if bone == Bone::LeftFoot { p + Vec3::X * 0.08 } else { p })),
        ("narrow hips", shaped(|bone, p| if bone == Bone::LeftUpperLeg { p - Vec3::X * 0.03 } else { p })),
        ("child", shaped(|_, p| p * 0.6)),
        ("giant", shaped(|_, p| p * 3.0)),
        ("straight knees", shaped(|_, p| Vec3::new(p.x, p.y, 0.0))),
    ] {
        for weight in [-1.2, 1.2] {
            let model = swayed(&rig, weight, [0.0, 0.004]).model_transforms(&rig);
            for bone in [Bone::LeftFoot, Bone::RightFoot] {
                let slip = Vec3::from(model[bone.index()].translation).distance(rig.rest_position(bone));
                let limit = 0.002 * (rig.hips_height() / 0.925).max(1.0);
                assert!(slip < limit, "{name} {weight}: {bone:?} slips by {slip} m");
            }
        }
    }
}

#[test]
fn the_head_stays_upright_and_the_hips_move_by_two_to_three_centimetres() {
    let rig = rig();
    every_sway(|what, pose| {
        let model = pose.model_transforms(&rig);
        let head = Quat::from_mat3a(&model[Bone::Head.index()].matrix3);
        assert!(angle_between(head, Quat::IDENTITY).to_degrees() < 0.1, "{what:?}");
        let hips = (pose.root - rig.rest_translation(Bone::Hips)).x;
        if what[0].abs() >= 0.8 && what[1] == 0.0 {
            assert!((0.018..0.031).contains(&hips.abs()) && hips * what[0] > 0.0, "{what:?}: {hips}");
        }
        let roll = angle_between(pose.rotations.get(Bone::Hips), Quat::IDENTITY).to_degrees();
        assert!(roll < 3.5, "{what:?}: {roll}°");
        for bone in [Bone::LeftLowerLeg, Bone::RightLowerLeg] {
            assert!((pose.rotations.get(bone) * Vec3::NEG_Y).z < 1e-4, "{what:?}: a knee bends forwards");
        }
    });
}

#[test]
fn postural_sway_is_close_to_sines_and_below_a_degree() {
    for i in -3000..3000 {
        let turns = f64::from(i) * 1e-3;
        assert!(
            (f64::from(waves_of([turns; 4])[2]) - sin(turns * std::f64::consts::TAU)).abs() < 2e-3,
            "{turns}"
        );
    }
    let sway = Sway::new(5);
    for i in 0..3000 {
        let [side, front] = sway.posture(f64::from(i) * 0.1);
        // Angle seen from the ankle, which is 0.805 m below the hips.
        assert!(side.abs().max(front.abs()) / 0.805 < 1.0_f32.to_radians());
    }
}

#[test]
fn a_character_that_does_not_stand_does_not_sway() {
    let rig = rig();
    let mut sway = Sway::new(2);
    sway.set_share(20.0, 0.0);
    sway.advance_to(21.0);
    let mut pose = Pose::neutral(&rig);
    sway.add(21.0, &SwayRig::new(&rig), &mut pose.rotations, &mut pose.root);
    assert_eq!(pose, Pose::neutral(&rig));
}

#[test]
fn an_avatar_without_legs_does_not_sway() {
    let whole = rig();
    let rest_positions =
        Bone::ALL.into_iter().filter(|b| *b < Bone::LeftUpperLeg).map(|b| (b, whole.rest_position(b)));
    let bust = Rig::new(RigParts { rest_positions: rest_positions.collect(), ..RigParts::default() });
    let mut pose = Pose::neutral(&bust);
    let before = pose;
    let mut sway = Sway::new(1);
    sway.advance_to(30.0);
    sway.add(30.0, &SwayRig::new(&bust), &mut pose.rotations, &mut pose.root);
    assert_eq!(pose, before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Position, velocity and acceleration do not change at an event.
    #[test]
    fn events_are_continuous(
        seed in any::<u64>(), changes in prop::collection::vec((0.0f64..9.0, -0.2f64..1.2), 0..20)
    ) {
        let mut sway = Sway::new(seed);
        let mut last = 0.0;
        for (after, share) in changes {
            last += after;
            sway.set_share(last, share);
        }
        while sway.next_event() < last + 60.0 {
            let due = sway.next_event();
            let before = [sway.weight.state(due), sway.share.state(due)];
            sway.advance_to(due);
            let after = [sway.weight.state(due), sway.share.state(due)];
            for (old, new) in before.iter().flatten().zip(after.iter().flatten()) {
                prop_assert!((old - new).abs() < 1e-9, "{before:?} {after:?}");
            }
            prop_assert!(sway.weight(due).abs() < 1.3);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The pose does not jump either, from one millisecond to the next.
    #[test]
    fn bones_and_hips_follow_smoothly(seed in any::<u64>(), from in 0.0f64..100.0) {
        let rig = rig();
        let sway_rig = SwayRig::new(&rig);
        let mut sway = Sway::new(seed);
        sway.set_share(from + 0.2, 0.3);
        let mut poses = (0..500).map(|n| {
            let t = from + f64::from(n) * 1e-3;
            sway.advance_to(t);
            let mut pose = Pose::neutral(&rig);
            sway.add(t, &sway_rig, &mut pose.rotations, &mut pose.root);
            pose
        });
        let mut before = poses.next().unwrap();
        for pose in poses {
            prop_assert!(pose.root.distance(before.root) < 1.5e-4);
            for bone in Bone::ALL {
                let turned = angle_between(pose.rotations.get(bone), before.rotations.get(bone));
                prop_assert!(turned < 1.5e-3, "{bone:?}: {turned}");
            }
            before = pose;
        }
    }
}

#[test]
fn sway_does_not_depend_on_the_frame_rate() {
    let sway_rig = SwayRig::new(&rig());
    let run = |fps: u32| {
        let mut sway = Sway::new(11);
        sway.set_share(20.02, 0.0);
        sway.set_share(33.3, 1.0);
        let mut shown = Vec::new();
        for n in 0..=60 * fps {
            let t = f64::from(n) / f64::from(fps);
            sway.advance_to(t);
            if n % (fps / 6) == 0 {
                let mut pose = Pose::neutral(&rig());
                sway.add(t, &sway_rig, &mut pose.rotations, &mut pose.root);
                shown.push(pose);
            }
        }
        shown
    };
    assert!(run(30) == run(60) && run(60) == run(144));
}

#[test]
fn invalid_times_are_ignored() {
    let rig = rig();
    for at in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let (mut sway, untouched) = (Sway::new(1), Sway::new(1));
        sway.set_share(at, 0.0);
        sway.set_share(1.0, f64::NAN);
        sway.advance_to(at);
        assert_eq!(format!("{sway:?}"), format!("{untouched:?}"));
        let mut pose = Pose::neutral(&rig);
        sway.add(at, &SwayRig::new(&rig), &mut pose.rotations, &mut pose.root);
        assert!(pose.rotations.w.iter().all(|w| w.is_finite()) && pose.root.is_finite(), "at {at}");
    }
}
