use super::*;
use crate::body::test_rig::rig;
use crate::math::angle_between;
use crate::pose::Pose;
use crate::rig::{BoneSet, RigParts};
use glam::{Quat, Vec3};
use proptest::prelude::*;

const HOUR: f64 = 3600.0;

/// Breaths during one activity: start, end of inhaling, and depth of each.
fn breaths(activity: Activity, seed: u64, hours: f64) -> Vec<[f64; 3]> {
    let mut breath = Breath::new(seed);
    breath.set_activity(0.0, activity);
    let mut found = Vec::new();
    while breath.next_event() < hours * HOUR {
        let at = breath.next_event();
        let was_in = matches!(breath.phase, Phase::In { .. });
        breath.advance_to(at);
        match (was_in, matches!(breath.phase, Phase::In { .. })) {
            (false, true) => found.push([at, at, 0.0]),
            (true, false) => {
                if let Some(last) = found.last_mut() {
                    (last[1], last[2]) = (at, breath.volume(at));
                }
            }
            _ => {}
        }
    }
    found
}

/// Periods are uniformly distributed within ± spread. So the standard deviation of their mean is spread/√(3n) of the
/// mean, and 99.99 % of runs are within four standard deviations. Sighs are excluded. The inhaled share is the same
/// in each breath, and depths are uniformly distributed like periods.
#[test]
fn rate_share_and_depth_are_those_of_the_activity() {
    for activity in Activity::ALL {
        let wanted = Breathing::of(activity);
        let found = breaths(activity, 5, 10.0);
        let n = (found.len() - 2) as f64;
        let periods: Vec<f64> = found[1..].windows(2).map(|w| w[1][0] - w[0][0]).collect();
        let is_sigh = |i: usize| found[i + 1][2] > 1.5 * wanted.depth;
        let calm: Vec<f64> = (0..periods.len()).filter(|i| !is_sigh(*i)).map(|i| periods[i]).collect();
        let mean = calm.iter().sum::<f64>() / calm.len() as f64;
        let period = 60.0 / wanted.per_minute;
        let tolerance = 4.0 * period * wanted.spread / (3.0 * n).sqrt();
        assert!((mean - period).abs() < tolerance, "{activity}: {mean} s for {period} s");
        assert!((12.0..=20.0).contains(&(60.0 / mean)), "{activity}");
        for (i, [began, full, _]) in found[1..found.len() - 1].iter().enumerate() {
            let share = (full - began) / periods[i];
            assert!((share - wanted.inhaled_share).abs() < 1e-6, "{activity}: {share}");
        }
        let depth = found[1..].iter().map(|b| b[2]).filter(|d| *d < 1.5 * wanted.depth).sum::<f64>();
        let depth = depth / calm.len() as f64;
        assert!(
            (depth - wanted.depth).abs() < wanted.depth * 4.0 * 0.15 / (3.0 * n).sqrt() + 2e-3,
            "{depth}"
        );
    }
}

/// The number of sighs among n breaths has a binomial distribution with a mean of n/75 and a standard deviation of at
/// most √(n/75). Four standard deviations are allowed.
#[test]
fn a_sigh_comes_every_few_minutes_but_not_in_speech() {
    let sighs = |activity| breaths(activity, 6, 20.0).iter().filter(|b| b[2] > 1.5 * 1.2).count() as f64;
    let n = 20.0 * 60.0 * 15.0 / BREATHS_PER_SIGH;
    assert!((sighs(Activity::Idle) - n).abs() < 4.0 * n.sqrt() + 2.0, "{}", sighs(Activity::Idle));
    let deepest = |activity| breaths(activity, 6, 20.0).iter().map(|b| b[2]).fold(0.0, f64::max);
    assert!(deepest(Activity::Speaking) < 1.5 * 1.16, "{}", deepest(Activity::Speaking));
    assert!((2.2..2.6).contains(&deepest(Activity::Idle)));
}

#[test]
fn no_breath_is_taken_for_a_cancelled_line() {
    for seed in 0..50 {
        let mut breath = Breath::new(seed);
        let mut silent = breath.clone();
        breath.speak(10.0, 3.0);
        breath.speak(2.0, 20.0);
        silent.speak(2.0, 20.0);
        breath.advance_to(4.0);
        silent.advance_to(4.0);
        breath.cancel_lines(5.0);
        silent.cancel_lines(5.0);
        // Lines that are added after the stop are spoken.
        breath.speak(40.0, 3.0);
        silent.speak(40.0, 3.0);
        for t in (4..45).map(f64::from) {
            assert_eq!(breath.advance(t), silent.advance(t), "seed {seed}, at {t}");
        }
        assert_eq!(breath.speaks_until, 43.0);
    }
}

#[test]
fn the_breath_for_a_line_is_complete_when_the_line_starts() {
    for seed in 0..200 {
        let mut breath = Breath::new(seed);
        breath.advance_to(7.0);
        let at = 8.0 + 0.03 * seed as f64;
        breath.speak(at, 3.0);
        let full = breath.advance(at);
        assert!((full - 1.46).abs() < 1e-9, "seed {seed}: {full}");
        assert!(breath.advance(at + 3.0) < 1e-9, "the line ends when the air is used up");
    }
}

#[test]
fn a_late_breath_is_short_and_immediate() {
    let mut breath = Breath::new(3);
    breath.advance_to(7.1);
    breath.speak(7.2, 2.0);
    assert_eq!(breath.next_event(), 7.1);
    let full = breath.advance(7.35);
    assert!((full - 1.34).abs() < 1e-9, "{full}");
}

#[test]
fn a_long_line_is_split_into_phrases() {
    let mut breath = Breath::new(4);
    breath.speak(5.0, 17.0);
    let quick = breaths_within(&mut breath, 4.0, 21.0);
    assert!((3..=6).contains(&quick.len()), "{quick:?}");
    assert!(quick.iter().all(|secs| *secs < 0.65), "{quick:?}");
}

/// Durations of inhaling, in seconds, of all breaths that start between `from` and `to`.
fn breaths_within(breath: &mut Breath, from: f64, to: f64) -> Vec<f64> {
    breath.advance_to(from);
    let mut found = Vec::new();
    while breath.next_event() < to {
        let at = breath.next_event();
        let old = breath.lungs;
        breath.advance_to(at);
        if breath.lungs != old && matches!(breath.phase, Phase::In { .. }) {
            found.push(breath.lungs.ends() - at);
        }
    }
    found
}

#[test]
fn starting_to_speak_takes_one_breath() {
    let mut breath = Breath::new(9);
    breath.speak(20.3, 2.0);
    breath.set_activity(20.3, Activity::Speaking);
    let at_start = breaths_within(&mut breath, 19.7, 21.0);
    assert_eq!(at_start.len(), 1, "{at_start:?}");
    let mut breath = Breath::new(9);
    breath.set_activity(20.3, Activity::Speaking);
    assert!(!breaths_within(&mut breath, 20.2, 21.0).is_empty());
}

#[derive(Clone, Debug)]
enum Request {
    Be(usize),
    Speak(f64, f64),
    Depth(f64),
    Inhale,
}

fn request() -> impl Strategy<Value = (f64, Request)> {
    let what = prop_oneof![
        (0..5_usize).prop_map(Request::Be),
        (-0.5f64..3.0, 0.1f64..15.0).prop_map(|(ahead, secs)| Request::Speak(ahead, secs)),
        (-0.2f64..1.2).prop_map(Request::Depth),
        Just(Request::Inhale),
    ];
    (prop_oneof![0.0f64..0.05, 0.0f64..3.0], what)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Position, velocity and acceleration do not change at an event.
    #[test]
    fn events_are_continuous(seed in any::<u64>(), stream in prop::collection::vec(request(), 1..25)) {
        let mut breath = Breath::new(seed);
        let mut at = 0.0;
        for (after, what) in stream {
            at += after;
            breath.advance_to(at);
            match what {
                Request::Be(i) => breath.set_activity(at, Activity::ALL[i]),
                Request::Speak(ahead, secs) => breath.speak(at + ahead, secs),
                Request::Depth(depth) => breath.set_depth(at, depth),
                Request::Inhale => breath.inhale(at),
            }
            while breath.next_event() <= at + after {
            let due = breath.next_event();
                let before = [breath.lungs.state(due), breath.depth.state(due)];
                breath.advance_to(due);
                let after = [breath.lungs.state(due), breath.depth.state(due)];
                for (old, new) in before.iter().flatten().zip(after.iter().flatten()) {
                    prop_assert!((old - new).abs() < 1e-9, "{before:?} {after:?}");
                }
                let volume = breath.volume(due);
                prop_assert!((-0.6..3.2).contains(&volume), "{volume}");
            }
        }
    }
}

#[test]
fn breathing_does_not_depend_on_the_frame_rate() {
    let run = |fps: u32| {
        let mut breath = Breath::new(11);
        breath.set_activity(3.3, Activity::Thinking);
        breath.speak(12.1, 9.0);
        breath.set_depth(17.77, 0.4);
        let at = |n: u32| f64::from(n) / f64::from(fps);
        (0..=60 * fps).map(|n| breath.advance(at(n))).step_by((fps / 6) as usize).collect::<Vec<f64>>()
    };
    assert!(run(30) == run(60) && run(60) == run(144));
}

#[test]
fn invalid_times_are_ignored() {
    for at in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let (mut breath, untouched) = (Breath::new(1), Breath::new(1));
        breath.set_activity(at, Activity::Speaking);
        breath.speak(at, 3.0);
        breath.speak(1.0, at);
        breath.speak(1.0, -3.0);
        breath.set_depth(at, 0.0);
        breath.set_depth(1.0, f64::NAN);
        breath.inhale(at);
        breath.advance_to(at);
        assert_eq!(format!("{breath:?}"), format!("{untouched:?}"));
        let mut rotations = Rotations::IDENTITY;
        breath.add(at, &BreathRig::new(&rig()), &mut rotations);
        assert!(rotations.w.iter().all(|w| *w > 0.99), "at {at}");
    }
}

fn breathing_pose(rig: &Rig, volume: f32) -> Pose {
    let mut pose = Pose::neutral(rig);
    BreathRig::new(rig).turn(volume, &mut pose.rotations);
    pose
}

/// Displacement of a point of a bone in a pose. The point is given in the T-pose.
fn moved(rig: &Rig, pose: &Pose, bone: Bone, point: Vec3) -> Vec3 {
    let local = point - rig.rest_position(bone);
    let rest = Pose { rotations: Pose::neutral(rig).rotations, ..*pose };
    let place = |pose: &Pose| pose.model_transforms(rig)[bone.index()].transform_point3(local);
    place(pose) - place(&rest)
}

/// The chest moves by 4–12 mm (a common range in the literature), and the spine rotates by 0.5–1.5° (our estimate).
#[test]
fn the_chest_rises_as_much_as_in_humans() {
    let rig = rig();
    let breastbone = Vec3::new(0.0, 1.27, 0.1);
    for (depth, least, most) in [(1.0, 0.004, 0.006), (1.8, 0.007, 0.010), (2.53, 0.010, 0.012)] {
        let by = moved(&rig, &breathing_pose(&rig, depth), Bone::UpperChest, breastbone);
        assert!((least..most).contains(&by.length()), "{depth}: {by}");
        assert!(by.y > 0.0 && by.z > 0.0, "{depth}: not up and forwards, {by}");
    }
    let spine =
        angle_between(breathing_pose(&rig, 1.0).rotations.get(Bone::Spine), Quat::IDENTITY).to_degrees();
    assert!((0.5..1.51).contains(&spine), "{spine}°");
}

#[test]
fn head_and_hands_stay_in_place() {
    let rig = rig();
    let pose = breathing_pose(&rig, 1.0);
    let model = pose.model_transforms(&rig);
    let head = Quat::from_mat3a(&model[Bone::Head.index()].matrix3);
    let nod = angle_between(head, Quat::IDENTITY).to_degrees();
    assert!((0.05..0.25).contains(&nod), "{nod}°");
    for bone in [Bone::Head, Bone::Neck, Bone::LeftHand, Bone::RightHand] {
        let by = moved(&rig, &pose, bone, rig.rest_position(bone));
        assert!(by.length() < 0.004, "{bone:?} moves by {by}");
    }
}

#[test]
fn other_bones_replace_missing_ones() {
    let whole = rig();
    for missing in [
        &[Bone::UpperChest][..],
        &[Bone::UpperChest, Bone::Chest],
        &[Bone::Neck],
        &[Bone::LeftShoulder, Bone::RightShoulder],
        &[Bone::Head],
        &[Bone::Spine, Bone::Chest, Bone::UpperChest],
    ] {
        let has = |bone: &Bone| !missing.contains(bone);
        let rest_positions = Bone::ALL.into_iter().filter(has).map(|b| (b, whole.rest_position(b))).collect();
        let rig = Rig::new(RigParts { rest_positions, ..RigParts::default() });
        let pose = breathing_pose(&rig, 1.0);
        for bone in missing {
            assert_eq!(pose.rotations.get(*bone), Quat::IDENTITY, "{bone:?} of {missing:?}");
        }
        let model = pose.model_transforms(&rig);
        if !missing.contains(&Bone::Head) {
            let head = Quat::from_mat3a(&model[Bone::Head.index()].matrix3);
            assert!(angle_between(head, Quat::IDENTITY).to_degrees() < 0.35, "without {missing:?}");
        }
        if has(&Bone::Spine) {
            let ribs = BoneSet::SPINE.iter().map(|b| angle_between(pose.rotations.get(b), Quat::IDENTITY));
            assert!(ribs.sum::<f32>().to_degrees() > 1.0, "without {missing:?}");
        }
    }
}
