//! Bodies that are driven by a tracker: on time, alive where it says nothing, the same bits at any frame rate, and
//! nothing that jumps.

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
    performer.trust(Trust::All);
    let all = performer.library().rig().bones();
    for n in 0..240 {
        let secs = f64::from(n) / RATE;
        let told = BodySample { root: Some(Vec3::new(0.1, 0.9, 0.3)), ..sample(secs, all) };
        performer.drive(told.clone());
        let frame = performer.advance_to(secs + 0.999_999 / RATE);
        if n < 120 {
            continue;
        }
        for bone in all.iter() {
            let off = angle_between(frame.rotation(bone), told.rotations.get(bone));
            assert!(off < 1e-5, "{bone:?} is {off} rad off at {secs} s");
        }
        assert!((frame.root() - Vec3::new(0.1, 0.9, 0.3)).length() < 1e-6);
    }
    assert_eq!(performer.driven(), all);
}

#[test]
fn a_driven_minute_is_the_same_bits_at_any_frame_rate() {
    stage::golden::TRACKER.check();
}

/// Samples that come as time goes on are as good as samples that were known beforehand.
#[test]
fn it_does_not_matter_when_samples_are_handed_over() {
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
fn a_driven_body_never_moves_faster_than_people_and_fades_do() {
    let mut performer = stage::driven::performer();
    let mut before = performer.advance_to(0.0).clone();
    for n in 1..=60_000 {
        let frame = performer.advance_to(f64::from(n) / 1000.0).clone();
        for bone in BoneSet::ALL.minus(EYES).iter() {
            let turn = angle_between(before.rotation(bone), frame.rotation(bone));
            // What a sample may say, a fade that goes on meanwhile, and what the body does itself.
            assert!(turn < 0.06, "{bone:?} turns by {turn} rad in a millisecond at {} s", frame.time());
        }
        assert!((before.root() - frame.root()).length() < 0.012, "at {} s", frame.time());
        let weights = before.weights().iter().zip(frame.weights()).map(|(a, b)| (a - b).abs());
        assert!(weights.fold(0.0, f32::max) < 0.09, "at {} s", frame.time());
        before = frame;
    }
}

/// … and none of its movements is a jump, however small.
#[test]
fn where_a_tracker_begins_stops_and_jumps_nothing_does() {
    let mut performer = living(9);
    for n in 0..400 {
        let secs = 2.0 + f64::from(n) / 60.0;
        let mut told = sample(secs, BoneSet::ALL);
        if n > 200 {
            told.set(Bone::LeftUpperArm, Quat::from_rotation_z(1.8));
        }
        performer.drive(told);
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
    assert!(angle_between(still_there, Quat::from_rotation_z(1.8)) < 0.1, "it takes its time");
}

#[test]
fn what_a_tracker_does_not_see_lives_on_and_takes_over_when_it_is_gone() {
    let mut alone = living(7);
    let mut driven = living(7);
    let mut said = sample(0.0, BoneSet::ALL);
    for n in 0..=300 {
        let secs = f64::from(n) / RATE;
        // The head moves; everything else stands in a T-pose.
        for bone in Bone::ALL {
            said.set(bone, if HEAD.contains(bone) { swing(secs, bone) } else { Quat::IDENTITY });
        }
        said.secs = secs;
        driven.drive(said.clone());
    }
    let (own, shown) = (alone.advance_to(4.9).clone(), driven.advance_to(4.9).clone());
    assert_eq!(driven.driven(), HEAD);
    for bone in BoneSet::ALL.minus(HEAD).minus(EYES).minus(BoneSet::SPINE).iter() {
        assert_eq!(own.rotation(bone), shown.rotation(bone), "{bone:?} is its own");
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

/// Half of the samples, a bone's among them, are lost.
#[test]
fn a_lost_sample_changes_nothing_but_its_own_time() {
    let all = stage::rig().bones();
    let run = |lost: &dyn Fn(u32) -> bool| {
        let mut performer = stage::performer(1);
        performer.trust(Trust::All);
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
        // Until the one after it is reached.
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

fn someone(temperament: Temperament) -> Performer {
    let rig = person();
    let mut performer = Performer::new(Library::new(rig.clone(), Pose::neutral(&rig), &[]), 5);
    performer.eyes().set_temperament(0.0, temperament);
    performer
}

/// A head that turns from side to side, and nods.
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
fn eyes_stay_on_whom_they_attend_to_while_a_tracker_turns_the_head() {
    let target = [0.1, 1.6, 1.5];
    let mut performer = someone(Temperament::still());
    performer.eyes().attend(0.0, Target::Point(target));
    performer.eyes().live(0.0);
    for n in 0..600 {
        let secs = f64::from(n) / RATE;
        let mut told = BodySample::at(secs);
        told.set(Bone::Head, head_at(secs));
        performer.drive(told);
    }
    let rig = person();
    for n in 0..500 {
        let t = 2.0 + f64::from(n) * 0.0137;
        let frame = performer.advance_to(t).clone();
        assert!(
            angle_between(frame.rotation(Bone::Head), head_at(t - 1.0 / RATE)) < 0.02,
            "the head is the tracker's"
        );
        for bone in EYES.iter() {
            let (place, turn) = in_model(&frame, &rig, bone);
            let off = angle_between_deg(turn * DVec3::Z, DVec3::from_array(target) - place).to_radians();
            assert!(off < 1e-6, "{bone:?} is {off} rad off at {t} s");
        }
    }
}

#[test]
fn eyes_look_where_the_head_points_when_they_cannot_reach_whom_they_attend_to_and_back() {
    let mut performer = someone(Temperament::still());
    performer.eyes().attend(0.0, Target::Point([0.0, 1.6, 2.0]));
    performer.eyes().live(0.0);
    for n in 0..900 {
        let secs = f64::from(n) / RATE;
        // Two seconds ahead, then 80° to the left, and after ten seconds back.
        let yaw = if (2.0..10.0).contains(&secs) { 80.0_f32 } else { 0.0 };
        let mut told = BodySample::at(secs);
        told.set(Bone::Head, Quat::from_rotation_y(yaw.to_radians() + 0.01 * sin(secs) as f32));
        performer.drive(told);
    }
    let in_head = |performer: &Performer| Direction::of(performer.gaze().expect("eyes").eye);
    performer.advance_to(1.9);
    assert!(in_head(&performer).eccentricity_deg() < 3.0);
    performer.advance_to(9.0);
    assert!(in_head(&performer).eccentricity_deg() < 1.0, "not in the corner: {:?}", in_head(&performer));
    let frame = performer.advance_to(12.5);
    assert!(angle_between(frame.rotation(Bone::Head), Quat::IDENTITY) < 0.05);
    assert!(performer.gaze().expect("eyes").gaze.x.abs() < 0.02, "it looks at you again");
}

/// How often the lids closed, and how far apart the gaze was at the most, in degrees.
fn life_of_eyes(performer: &mut Performer, secs: u32) -> (u32, f64) {
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

/// A tracker that sends eyes and lids which nobody tracks: straight ahead and open, for ever.
#[test]
fn someone_whose_tracker_has_no_eyes_gets_living_ones() {
    let mut performer = someone(Temperament::default());
    performer.eyes().live(0.0);
    for n in 0..3600 {
        let secs = f64::from(n) / RATE;
        let mut told = BodySample::at(secs);
        told.set(Bone::Head, head_at(secs));
        EYES.iter().for_each(|eye| told.set(eye, Quat::IDENTITY));
        told.weights = vec![0.0, 0.0, 0.5 + 0.5 * sin(9.0 * secs) as f32, 0.0];
        performer.drive(told);
    }
    let (blinks, most_deg) = life_of_eyes(&mut performer, 60);
    assert!((5..60).contains(&blinks) && most_deg > 8.0, "{blinks} blinks, eyes up to {most_deg}° aside");
    assert_eq!(performer.driven(), BoneSet::EMPTY.with(Bone::Head));
    let aa = performer.frame().weights()[2];
    assert!(
        (aa - (0.5 + 0.5 * sin(9.0 * (60.0 - 1.0 / RATE))) as f32).abs() < 0.2,
        "the mouth is the tracker's: {aa}"
    );
}

#[test]
fn tracked_eyes_and_lids_are_the_trackers() {
    let mut performer = someone(Temperament::default());
    performer.eyes().live(0.0);
    // A blink of 0.3 s every 4 s, and a slow look from side to side.
    let closed = |secs: f64| (1.0 - (secs % 4.0 - 2.0).abs() / 0.15).max(0.0) as f32;
    let yaw = |secs: f64| 12.0 * sin(0.8 * secs);
    for n in 0..1800 {
        let secs = f64::from(n) / RATE;
        let mut told = BodySample::at(secs);
        told.set(Bone::Head, head_at(secs));
        EYES.iter().for_each(|eye| told.set(eye, Quat::from_rotation_y(yaw(secs).to_radians() as f32)));
        told.weights = vec![closed(secs), closed(secs), f32::NAN, 0.0];
        performer.drive(told);
    }
    for n in 300..1800 {
        let t = f64::from(n) / RATE;
        let frame = performer.advance_to(t).clone();
        let told = t - 1.0 / RATE;
        assert!((frame.weights()[0] - closed(told)).abs() < 1e-3, "lids at {t} s: {}", frame.weights()[0]);
        let gaze = performer.gaze().expect("eyes");
        assert!((Direction::of(gaze.eye).yaw_deg - yaw(told)).abs() < 0.3, "eyes at {t} s");
        assert!((gaze.lids[0].aperture - f64::from(1.0 - closed(told))).abs() < 1e-2, "what is told of lids");
    }
    // A tracker without lids any more: after a while they are its own.
    for n in 1800..5400 {
        let secs = f64::from(n) / RATE;
        let mut told = BodySample::at(secs);
        told.set(Bone::Head, head_at(secs));
        told.weights = vec![0.0, 0.0];
        performer.drive(told);
    }
    performer.advance_to(55.0);
    let mut shut = 0;
    for n in 0..1800 {
        shut += u32::from(performer.advance_to(55.0 + f64::from(n) / RATE).weights()[0] > 0.8);
    }
    assert!(shut > 10, "it blinks by itself again: shut in {shut} frames");
}

/// Where eyes are told as angles, they go there too.
#[test]
fn eyes_may_be_told_as_angles() {
    let mut performer = someone(Temperament::still());
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

/// A frame that comes in parts is a frame.
#[test]
fn parts_of_a_frame_are_as_good_as_the_whole() {
    let all = stage::rig().bones();
    let (mut whole, mut parts) = (stage::performer(1), stage::performer(1));
    for performer in [&mut whole, &mut parts] {
        performer.trust(Trust::All);
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

/// Any bits at all.
const NUMBER: prop::num::f32::Any = prop::num::f32::ANY;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever numbers come in, what goes out are rotations, places and weights.
    #[test]
    fn rubbish_in_is_no_rubbish_out(
        numbers in prop::collection::vec((NUMBER, NUMBER, NUMBER, NUMBER, prop::num::f64::ANY), 1..40)
    ) {
        let mut performer = living(2);
        for (n, (x, y, z, w, secs)) in numbers.into_iter().enumerate() {
            let mut told = BodySample::at(if n % 3 == 0 { secs } else { n as f64 / 30.0 });
            told.bones = BoneSet::ALL;
            for bone in Bone::ALL {
                told.rotations.set(bone, Quat::from_xyzw(x, y * bone.index() as f32, z, w));
            }
            told.root = Some(Vec3::new(x, y, z));
            told.weights = vec![x, y, z, w];
            told.eyes = [Some([secs, f64::from(x)]), Some([f64::from(y), f64::NAN])];
            performer.drive(told);
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

/// Before a performance has begun no time is too early; found by the test above.
#[test]
fn times_to_which_nothing_can_be_added_are_none() {
    for secs in [-3.6e108, -1e12, 1e12, 1e300] {
        let mut performer = living(2);
        performer.drive(sample(secs, BoneSet::ALL));
        performer.advance_to(1.0);
        assert_eq!(performer.driven(), BoneSet::EMPTY, "{secs}");
    }
}
