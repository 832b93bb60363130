//! Bodies driven by a tracker: on time, autonomous where the tracker is silent, bit-identical at any frame rate,
//! without jumps.

mod stage;

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stage::driven::{EYES, HEAD, living, sample, swing};
use vivant::body::driven::{BodySample, Trust};
use vivant::body::library::Library;
use vivant::eyes::direction::{Direction, angle_between_deg};
use vivant::eyes::{Target, Temperament};
use vivant::frame::Frame;
use vivant::math::{angle_between, sin};
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, Rig, RigParts};

const RATE: f64 = 60.0;

fn largest_turn(a: &Frame, b: &Frame) -> f32 {
    Bone::ALL.into_iter().map(|bone| angle_between(a.rotation(bone), b.rotation(bone))).fold(0.0, f32::max)
}

#[test]
fn a_sample_is_shown_one_period_later() {
    let mut performer = stage::performer(1);
    performer.set_trust(Trust::All);
    let all = performer.library().rig().bones();
    for n in 0..240 {
        let secs = f64::from(n) / RATE;
        let sent = BodySample { root: Some(Vec3::new(0.1, 0.9, 0.3)), ..sample(secs, all) };
        performer.drive(sent.clone());
        let frame = performer.advance_to(secs + 0.999_999 / RATE);
        if n < 120 {
            continue;
        }
        for bone in all.iter() {
            let off = angle_between(frame.rotation(bone), sent.rotations.get(bone));
            assert!(off < 1e-5, "{bone:?} is {off} rad off at {secs} s");
        }
        assert!((frame.root() - Vec3::new(0.1, 0.9, 0.3)).length() < 1e-6);
    }
    assert_eq!(performer.driven(), all);
}

#[test]
fn a_driven_minute_is_bit_identical_at_any_frame_rate() {
    stage::golden::TRACKER.check();
}

/// Samples added over time give the same result as samples added in advance.
#[test]
fn the_time_of_adding_samples_does_not_matter() {
    let (mut early, mut late) = (living(3), living(3));
    for n in 0..300 {
        early.drive(sample(f64::from(n) / 50.0, BoneSet::ALL));
    }
    for n in 0..300 {
        let secs = f64::from(n) / 50.0;
        late.drive(sample(secs, BoneSet::ALL));
        let until = secs + 0.019;
        assert_eq!(early.advance_to(until), late.advance_to(until), "at {until} s");
    }
}

#[test]
fn a_driven_body_has_limited_speed() {
    let mut performer = stage::driven::performer();
    let mut before = performer.advance_to(0.0).clone();
    for n in 1..=60_000 {
        let frame = performer.advance_to(f64::from(n) / 1000.0).clone();
        for bone in BoneSet::ALL.minus(EYES).iter() {
            let turn = angle_between(before.rotation(bone), frame.rotation(bone));
            // Limit for the change of a sample, a concurrent fade, and autonomous motion together.
            assert!(turn < 0.06, "{bone:?} turns by {turn} rad in a millisecond at {} s", frame.time());
        }
        assert!((before.root() - frame.root()).length() < 0.012, "at {} s", frame.time());
        let weights = before.weights().iter().zip(frame.weights()).map(|(a, b)| (a - b).abs());
        assert!(weights.fold(0.0, f32::max) < 0.09, "at {} s", frame.time());
        before = frame;
    }
}

/// No movement has a jump, however small.
#[test]
fn start_stop_and_jumps_of_a_tracker_cause_no_jump() {
    let mut performer = living(9);
    for n in 0..400 {
        let secs = 2.0 + f64::from(n) / 60.0;
        let mut sent = sample(secs, BoneSet::ALL);
        if n > 200 {
            sent.set(Bone::LeftUpperArm, Quat::from_rotation_z(1.8));
        }
        performer.drive(sent);
    }
    let jump = 2.0 + 201.0 / 60.0;
    let silence = 2.0 + 399.0 / 60.0 + 1.0;
    for at in [2.0, 2.0 + 1.0 / 60.0, jump, silence] {
        let before = performer.advance_to(at - 1e-6).clone();
        let after = performer.advance_to(at + 1e-6);
        let moved = largest_turn(&before, after);
        assert!(moved < 1e-4, "{moved} rad at {at} s");
    }
    let still_there = performer.advance_to(silence + 0.05).rotation(Bone::LeftUpperArm);
    assert!(angle_between(still_there, Quat::from_rotation_z(1.8)) < 0.1, "it fades slowly");
}

#[test]
fn untracked_bones_stay_autonomous_and_take_over_after_silence() {
    let mut alone = living(7);
    let mut driven = living(7);
    let mut said = sample(0.0, BoneSet::ALL);
    for n in 0..=300 {
        let secs = f64::from(n) / RATE;
        // The head moves; everything else is in a T-pose.
        for bone in Bone::ALL {
            said.set(bone, if HEAD.contains(bone) { swing(secs, bone) } else { Quat::IDENTITY });
        }
        said.secs = secs;
        driven.drive(said.clone());
    }
    let (own, shown) = (alone.advance_to(4.9).clone(), driven.advance_to(4.9).clone());
    assert_eq!(driven.driven(), HEAD);
    for bone in BoneSet::ALL.minus(HEAD).minus(EYES).minus(BoneSet::SPINE).iter() {
        assert_eq!(own.rotation(bone), shown.rotation(bone), "{bone:?} is autonomous");
    }
    assert_eq!(own.root(), shown.root());
    assert!(angle_between(shown.rotation(Bone::Head), swing(4.9, Bone::Head)) < 0.05);
    // A second of silence, and the longest fade.
    driven.advance_to(6.0 + 1.51);
    assert_eq!(driven.driven(), BoneSet::EMPTY);
    assert_eq!(
        alone.advance_to(8.0).rotation(Bone::LeftHand),
        driven.advance_to(8.0).rotation(Bone::LeftHand)
    );
}

/// Three of 240 samples are lost.
#[test]
fn a_lost_sample_has_only_a_local_effect() {
    let all = stage::rig().bones();
    let run = |lost: &dyn Fn(u32) -> bool| {
        let mut performer = stage::performer(1);
        performer.set_trust(Trust::All);
        (0..240).for_each(|n| {
            if !lost(n) {
                performer.drive(sample(f64::from(n) / RATE, all));
            }
        });
        let frames: Vec<Frame> =
            (0..240).map(|n| performer.advance_to((f64::from(n) + 0.5) / RATE).clone()).collect();
        frames
    };
    let (whole, holed) = (run(&|_| false), run(&|n| n == 150 || n == 170 || n == 171));
    for (n, (a, b)) in whole.iter().zip(&holed).enumerate() {
        // Lost samples change the result until the next sample is reached.
        let is_hit = (150..=151).contains(&n) || (170..=172).contains(&n);
        let off = largest_turn(a, b);
        assert!(if is_hit { off < 0.05 } else { off < 1e-6 }, "frame {n} is {off} rad off");
    }
}

fn person() -> Rig {
    let rest_positions = vec![
        (Bone::Hips, Vec3::new(0.0, 0.95, 0.0)),
        (Bone::Spine, Vec3::new(0.0, 1.05, 0.0)),
        (Bone::Neck, Vec3::new(0.0, 1.42, -0.02)),
        (Bone::Head, Vec3::new(0.0, 1.5, 0.0)),
        (Bone::LeftEye, Vec3::new(0.032, 1.57, 0.08)),
        (Bone::RightEye, Vec3::new(-0.032, 1.57, 0.08)),
    ];
    let names = ["blinkLeft", "blinkRight", "aa", "happy"];
    let channels = names.map(|name| Channel::from(name.to_owned())).to_vec();
    Rig::new(RigParts { rest_positions, channels, ..RigParts::default() })
}

fn performer_with(temperament: Temperament) -> Performer {
    let rig = person();
    let mut performer = Performer::new(Library::new(rig.clone(), Pose::neutral(&rig), &[]), 5);
    performer.eyes().set_temperament(0.0, temperament);
    performer
}

/// A head that turns from side to side and nods.
fn head_at(secs: f64) -> Quat {
    Quat::from_rotation_y((0.4 * sin(2.0 * secs)) as f32)
        * Quat::from_rotation_x((0.1 * sin(5.0 * secs)) as f32)
}

fn in_model(frame: &Frame, rig: &Rig, bone: Bone) -> (DVec3, DQuat) {
    let local = frame.rotation(bone).as_dquat().normalize();
    match bone.parent() {
        None => (frame.root().as_dvec3(), local),
        Some(parent) => {
            let (place, turn) = in_model(frame, rig, parent);
            (place + turn * rig.rest_translation(bone).as_dvec3(), turn * local)
        }
    }
}

#[test]
fn eyes_stay_on_target_while_a_tracker_turns_the_head() {
    let target = [0.1, 1.6, 1.5];
    let mut performer = performer_with(Temperament::still());
    performer.eyes().attend(0.0, Target::Point(target));
    performer.eyes().start_idle_behaviour(0.0);
    for n in 0..600 {
        let secs = f64::from(n) / RATE;
        let mut sent = BodySample::at(secs);
        sent.set(Bone::Head, head_at(secs));
        performer.drive(sent);
    }
    let rig = person();
    for n in 0..500 {
        let t = 2.0 + f64::from(n) * 0.0137;
        let frame = performer.advance_to(t).clone();
        assert!(
            angle_between(frame.rotation(Bone::Head), head_at(t - 1.0 / RATE)) < 0.02,
            "the head follows the tracker"
        );
        for bone in EYES.iter() {
            let (place, turn) = in_model(&frame, &rig, bone);
            let off = angle_between_deg(turn * DVec3::Z, DVec3::from_array(target) - place).to_radians();
            assert!(off < 1e-6, "{bone:?} is {off} rad off at {t} s");
        }
    }
}

#[test]
fn eyes_follow_the_head_when_the_target_is_out_of_reach() {
    let mut performer = performer_with(Temperament::still());
    performer.eyes().attend(0.0, Target::Point([0.0, 1.6, 2.0]));
    performer.eyes().start_idle_behaviour(0.0);
    for n in 0..900 {
        let secs = f64::from(n) / RATE;
        // Ahead for two seconds, then 80° to the left, and back after ten seconds.
        let yaw = if (2.0..10.0).contains(&secs) { 80.0_f32 } else { 0.0 };
        let mut sent = BodySample::at(secs);
        sent.set(Bone::Head, Quat::from_rotation_y(yaw.to_radians() + 0.01 * sin(secs) as f32));
        performer.drive(sent);
    }
    let in_head = |performer: &Performer| Direction::of(performer.gaze().expect("eyes").eye);
    performer.advance_to(1.9);
    assert!(in_head(&performer).eccentricity_deg() < 3.0);
    performer.advance_to(9.0);
    assert!(
        in_head(&performer).eccentricity_deg() < 1.0,
        "not at the edge of the range: {:?}",
        in_head(&performer)
    );
    let frame = performer.advance_to(12.5);
    assert!(angle_between(frame.rotation(Bone::Head), Quat::IDENTITY) < 0.05);
    assert!(performer.gaze().expect("eyes").gaze.x.abs() < 0.02, "it looks at the target again");
}

/// Returns the number of blinks and the largest eccentricity of the eyes in degrees.
fn eye_activity(performer: &mut Performer, secs: u32) -> (u32, f64) {
    let (mut blinks, mut was_shut, mut most) = (0, false, 0.0_f64);
    for n in 0..secs * 60 {
        performer.advance_to(f64::from(n) / RATE);
        let gaze = performer.gaze().expect("eyes");
        let is_shut = gaze.lids[0].aperture < 0.3;
        blinks += u32::from(is_shut && !was_shut);
        was_shut = is_shut;
        most = most.max(Direction::of(gaze.eye).eccentricity_deg());
    }
    (blinks, most)
}

/// A tracker that sends untracked eyes and lids: straight ahead and open all the time.
#[test]
fn untracked_eyes_are_autonomous() {
    let mut performer = performer_with(Temperament::default());
    performer.eyes().start_idle_behaviour(0.0);
    for n in 0..3600 {
        let secs = f64::from(n) / RATE;
        let mut sent = BodySample::at(secs);
        sent.set(Bone::Head, head_at(secs));
        EYES.iter().for_each(|eye| sent.set(eye, Quat::IDENTITY));
        sent.weights = vec![0.0, 0.0, 0.5 + 0.5 * sin(9.0 * secs) as f32, 0.0];
        performer.drive(sent);
    }
    let (blinks, most_deg) = eye_activity(&mut performer, 60);
    assert!((5..60).contains(&blinks) && most_deg > 8.0, "{blinks} blinks, eyes up to {most_deg}° aside");
    assert_eq!(performer.driven(), BoneSet::EMPTY.with(Bone::Head));
    let aa = performer.frame().weights()[2];
    assert!(
        (aa - (0.5 + 0.5 * sin(9.0 * (60.0 - 1.0 / RATE))) as f32).abs() < 0.2,
        "the mouth follows the tracker: {aa}"
    );
}

#[test]
fn tracked_eyes_and_lids_follow_the_tracker() {
    let mut performer = performer_with(Temperament::default());
    performer.eyes().start_idle_behaviour(0.0);
    // A blink of 0.3 s every 4 s, and slow eye movement from side to side.
    let closed = |secs: f64| (1.0 - (secs % 4.0 - 2.0).abs() / 0.15).max(0.0) as f32;
    let yaw = |secs: f64| 12.0 * sin(0.8 * secs);
    for n in 0..1800 {
        let secs = f64::from(n) / RATE;
        let mut sent = BodySample::at(secs);
        sent.set(Bone::Head, head_at(secs));
        EYES.iter().for_each(|eye| sent.set(eye, Quat::from_rotation_y(yaw(secs).to_radians() as f32)));
        sent.weights = vec![closed(secs), closed(secs), f32::NAN, 0.0];
        performer.drive(sent);
    }
    for n in 300..1800 {
        let t = f64::from(n) / RATE;
        let frame = performer.advance_to(t).clone();
        let sent = t - 1.0 / RATE;
        assert!((frame.weights()[0] - closed(sent)).abs() < 1e-3, "lids at {t} s: {}", frame.weights()[0]);
        let gaze = performer.gaze().expect("eyes");
        assert!((Direction::of(gaze.eye).yaw_deg - yaw(sent)).abs() < 0.3, "eyes at {t} s");
        assert!((gaze.lids[0].aperture - f64::from(1.0 - closed(sent))).abs() < 1e-2, "reported aperture");
    }
    // If the tracker stops sending lids, they become autonomous after a while.
    for n in 1800..5400 {
        let secs = f64::from(n) / RATE;
        let mut sent = BodySample::at(secs);
        sent.set(Bone::Head, head_at(secs));
        sent.weights = vec![0.0, 0.0];
        performer.drive(sent);
    }
    performer.advance_to(55.0);
    let mut shut = 0;
    for n in 0..1800 {
        shut += u32::from(performer.advance_to(55.0 + f64::from(n) / RATE).weights()[0] > 0.8);
    }
    assert!(shut > 10, "autonomous blinks are back: shut in {shut} frames");
}

/// Eyes can also be given as angles.
#[test]
fn eyes_can_be_given_as_angles() {
    let mut performer = performer_with(Temperament::still());
    for n in 0..240 {
        let secs = f64::from(n) / RATE;
        let angles = Some([10.0 * sin(secs), -5.0]);
        performer.drive(BodySample { eyes: [angles; 2], ..BodySample::at(secs) });
    }
    performer.advance_to(3.5);
    let eye = Direction::of(performer.gaze().expect("eyes").eye);
    assert!(
        (eye.yaw_deg - 10.0 * sin(3.5 - 1.0 / RATE)).abs() < 0.5 && (eye.pitch_deg + 5.0).abs() < 0.1,
        "{eye:?}"
    );
}

/// A frame sent in parts counts as one frame.
#[test]
fn a_frame_in_parts_equals_a_whole_frame() {
    let all = stage::rig().bones();
    let (mut whole, mut parts) = (stage::performer(1), stage::performer(1));
    for performer in [&mut whole, &mut parts] {
        performer.set_trust(Trust::All);
    }
    for n in 0..240 {
        let secs = f64::from(n) / RATE;
        whole.drive(sample(secs, all));
        for (i, part) in
            [BoneSet::ARMS, BoneSet::LEGS, BoneSet::HEAD.union(BoneSet::SPINE)].into_iter().enumerate()
        {
            parts.drive(sample(secs + 1e-4 * i as f64, all.intersection(part)));
        }
    }
    let (a, b) = (whole.advance_to(3.509).clone(), parts.advance_to(3.509));
    assert!(largest_turn(&a, b) < 1e-3, "{}", largest_turn(&a, b));
}

/// Strategy for numbers with any bit pattern.
const NUMBER: prop::num::f32::Any = prop::num::f32::ANY;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any input, output rotations, positions and weights are valid.
    #[test]
    fn any_input_gives_valid_output(
        numbers in prop::collection::vec((NUMBER, NUMBER, NUMBER, NUMBER, prop::num::f64::ANY), 1..40)
    ) {
        let mut performer = living(2);
        for (n, (x, y, z, w, secs)) in numbers.into_iter().enumerate() {
            let mut sent = BodySample::at(if n % 3 == 0 { secs } else { n as f64 / 30.0 });
            sent.bones = BoneSet::ALL;
            for bone in Bone::ALL {
                sent.rotations.set(bone, Quat::from_xyzw(x, y * bone.index() as f32, z, w));
            }
            sent.root = Some(Vec3::new(x, y, z));
            sent.weights = vec![x, y, z, w];
            sent.eyes = [Some([secs, f64::from(x)]), Some([f64::from(y), f64::NAN])];
            performer.drive(sent);
        }
        for n in 0..120 {
            stage::fold(0, performer.advance_to(f64::from(n) / 60.0));
            for bone in Bone::ALL {
                prop_assert!((performer.frame().rotation(bone).length() - 1.0).abs() < 1e-3);
            }
            prop_assert!(performer.frame().weights().iter().all(|w| (0.0..=1.0).contains(w)));
        }
    }
}

/// Extreme times are ignored even before the performance starts; found by the test above.
#[test]
fn samples_with_extreme_times_are_ignored() {
    for secs in [-3.6e108, -1e12, 1e12, 1e300] {
        let mut performer = living(2);
        performer.drive(sample(secs, BoneSet::ALL));
        performer.advance_to(1.0);
        assert_eq!(performer.driven(), BoneSet::EMPTY, "{secs}");
    }
}
