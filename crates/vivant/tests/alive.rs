//! Eyes, lids and head on an avatar: frames are bit-identical at any frame rate, gaze is on target, and nothing
//! jumps.

mod stage;

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::direction::angle_between_deg;
use vivant::eyes::{BlinkIntent, Look, Temperament};
use vivant::frame::Frame;
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, LidMap, LookAt, RangeMap, Rig, RigParts};

#[test]
fn a_minute_of_eyes_is_bit_identical_at_any_frame_rate() {
    stage::golden::EYES.check();
}

#[test]
fn a_minute_of_learned_eyes_is_bit_identical_at_any_frame_rate() {
    stage::golden::LEARNED_EYES.check();
}

fn person(channels: &[&str], with_eyes: bool, look_at: LookAt, lids: LidMap) -> Rig {
    let mut places = vec![
        (Bone::Hips, Vec3::new(0.0, 0.95, 0.0)),
        (Bone::Spine, Vec3::new(0.0, 1.05, 0.0)),
        (Bone::Chest, Vec3::new(0.0, 1.2, -0.01)),
        (Bone::Neck, Vec3::new(0.0, 1.42, -0.02)),
        (Bone::Head, Vec3::new(0.0, 1.5, 0.0)),
    ];
    if with_eyes {
        places.push((Bone::LeftEye, Vec3::new(0.032, 1.57, 0.08)));
        places.push((Bone::RightEye, Vec3::new(-0.032, 1.57, 0.08)));
    }
    let channels = channels.iter().map(|name| Channel::from((*name).to_owned())).collect();
    Rig::new(RigParts { rest_positions: places, channels, look_at, lids, ..RigParts::default() })
}

fn nod(rig: &Rig) -> Clip {
    let mut clip = Clip::new("nod", 30.0, 46, rig.hips_height()).expect("a valid clip");
    for frame in 0..46 {
        let swing = vivant::math::sin(f64::from(frame as u32) / 45.0 * std::f64::consts::TAU * 2.0) as f32;
        clip.set_rotation(frame, Bone::Head, Quat::from_rotation_x(0.15 * swing));
        clip.set_rotation(frame, Bone::Neck, Quat::from_rotation_x(0.05 * swing));
        clip.set_rotation(frame, Bone::Chest, Quat::from_rotation_y(0.06 * swing));
        clip.set_root(frame, Vec3::new(0.02 * swing, 0.95, 0.0));
    }
    clip
}

fn performer(rig: Rig, temperament: Temperament) -> Performer {
    let clip = nod(&rig);
    let mut performer = Performer::new(Library::new(rig.clone(), Pose::neutral(&rig), &[clip]), 5);
    performer.eyes().set_temperament(0.0, temperament);
    performer
}

/// Returns the position and rotation of a bone in model space, computed in double precision from the frame alone.
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

/// Checked with the bones that a renderer gets: a character that nods, sways and turns keeps looking at the target.
#[test]
fn both_eyes_are_on_the_target_while_the_character_nods() {
    let rig = person(&[], true, LookAt::default(), LidMap::default());
    for (target, factor) in
        [([0.0, 1.6, 1.0], 0.5), ([0.4, 1.55, 1.2], 0.0), ([-1.5, 1.7, 0.9], 1.0), ([0.1, 1.58, 0.5], 0.3)]
    {
        let mut performer =
            performer(rig.clone(), Temperament { head_movement_factor: factor, ..Temperament::still() });
        performer.play(Play { layer: Layer::Head, looped: true, ..Play::clip(0) });
        performer.eyes().look(Look { at: 1.0, ..Look::at_point(target) });
        for i in 0..300 {
            let t = 2.5 + f64::from(i) * 0.011;
            let frame = performer.advance_to(t).clone();
            for bone in [Bone::LeftEye, Bone::RightEye] {
                let (place, turn) = in_model(&frame, &rig, bone);
                let off = angle_between_deg(turn * DVec3::Z, DVec3::from_array(target) - place).to_radians();
                assert!(off < 1e-6, "{bone:?} is {off} rad off {target:?} at {t} s");
            }
        }
    }
}

#[test]
fn a_smile_and_a_blink_together_do_not_over_close_the_eyes() {
    // The blink is fully closed at weight 0.8, and a smile closes the eyes by itself.
    let lids = LidMap {
        full_closure: [0.8, 0.8],
        closing: vec![[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
        measured: true,
    };
    let rig = person(&["happy", "blinkLeft", "blinkRight"], true, LookAt::default(), lids);
    let mut smile = Clip::new("smile", 10.0, 21, 1.0).expect("a valid clip");
    let weights: Vec<f32> = (0..21).map(|i| (i as f32 / 10.0).min(1.0)).collect();
    smile.add_channel(Channel::from("happy".to_owned()), &weights).expect("as many weights as frames");
    let library = Library::new(rig.clone(), Pose::neutral(&rig), &[smile]);
    let mut performer = Performer::new(library, 1);
    performer.eyes().set_temperament(0.0, Temperament::still());
    performer.play(Play { at: 1.0, ..Play::clip(0) });
    for at in [0.5, 1.45, 2.2] {
        performer.eyes().blink(BlinkIntent { at, ..BlinkIntent::default() });
    }
    let mut closed_most: f32 = 0.0;
    for ms in 0..3500 {
        let weights = performer.advance_to(f64::from(ms) * 1e-3).weights();
        let closed = weights[0] + weights[1] / 0.8;
        assert!(closed < 1.0 + 1e-5, "closed by {closed} at {ms} ms: {weights:?}");
        assert!(weights[1] <= 0.8 + 1e-6, "above the weight of full closure");
        closed_most = closed_most.max(closed);
        if ms == 2250 {
            assert!(weights[0] > 0.95 && weights[1] < 0.05, "the smile has closed them: {weights:?}");
        }
    }
    assert!(closed_most > 0.999, "{closed_most}");
}

#[test]
fn blinks_of_a_clip_and_of_the_engine_combine() {
    let rig = person(&["blink"], true, LookAt::default(), LidMap::default());
    let mut clip = Clip::new("sleepy", 10.0, 11, 1.0).expect("a valid clip");
    clip.add_channel(Channel::from("blink".to_owned()), &[0.6; 11]).expect("as many weights as frames");
    let mut performer = Performer::new(Library::new(rig.clone(), Pose::neutral(&rig), &[clip]), 1);
    performer.eyes().set_temperament(0.0, Temperament::still());
    performer.play(Play { looped: true, ..Play::clip(0) });
    performer.eyes().blink(BlinkIntent { at: 2.0, magnitude: 0.5, ..BlinkIntent::default() });
    let weight = |performer: &mut Performer, t: f64| performer.advance_to(t).weights()[0];
    assert!((weight(&mut performer, 1.9) - 0.6).abs() < 1e-3);
    let most = (0..300).map(|ms| weight(&mut performer, 2.0 + f64::from(ms) * 1e-3)).fold(0.0, f32::max);
    assert!((most - 0.8).abs() < 2e-3, "half of the remaining aperture: {most}");
}

/// Eyes by bones with their own range map, by expressions per eye, and by expressions for both eyes.
#[test]
fn every_kind_of_avatar_shows_the_gaze_direction() {
    let half = RangeMap { input_max_degrees: 90.0, output_scale: 45.0 };
    let stylised = LookAt { inner: half, outer: half, down: half, up: half, ..LookAt::default() };
    let show = |rig: Rig| {
        let mut performer = performer(rig, Temperament { head_movement_factor: 0.0, ..Temperament::still() });
        performer.eyes().look(Look::towards(20.0, -10.0));
        performer.advance_to(3.0).clone()
    };
    let frame = show(person(&[], true, stylised, LidMap::default()));
    let (yaw, pitch, _) = frame.rotation(Bone::LeftEye).to_euler(glam::EulerRot::YXZ);
    assert!(
        (yaw.to_degrees() - 10.0).abs() < 0.01 && (pitch.to_degrees() - 5.0).abs() < 0.01,
        "{yaw} {pitch}"
    );

    let each = [
        "eyeLookInLeft",
        "eyeLookOutLeft",
        "eyeLookDownLeft",
        "eyeLookInRight",
        "eyeLookOutRight",
        "eyeLookDownRight",
    ];
    let weights = show(person(&each, false, LookAt::default(), LidMap::default())).weights().to_vec();
    // 20° of 40°, and 10° of 25°.
    for (found, expected) in weights.iter().zip([0.0, 0.5, 0.4, 0.5, 0.0, 0.4]) {
        assert!((found - expected).abs() < 1e-3, "{weights:?}");
    }

    let whole = RangeMap { input_max_degrees: 90.0, output_scale: 1.0 };
    let by_expression =
        LookAt { by_expression: true, inner: whole, outer: whole, down: whole, up: whole, ..stylised };
    let weights = show(person(
        &["lookLeft", "lookRight", "lookDown", "lookUp"],
        true,
        by_expression,
        LidMap::default(),
    ));
    for (found, expected) in weights.weights().iter().zip([20.0 / 90.0, 0.0, 10.0 / 90.0, 0.0]) {
        assert!((found - expected).abs() < 1e-3, "{:?}", weights.weights());
    }
}

/// Without eyes, the head makes the whole gaze shift. An avatar with only the hips gives valid rotations.
#[test]
fn avatars_without_eyes_or_neck_look_with_the_remaining_bones() {
    let rig = person(&[], false, LookAt::default(), LidMap::default());
    let mut looking =
        performer(rig.clone(), Temperament { head_movement_factor: 0.0, ..Temperament::still() });
    looking.eyes().look(Look::towards(30.0, 0.0));
    let frame = looking.advance_to(3.0).clone();
    let (_, turn) = in_model(&frame, &rig, Bone::Head);
    let off =
        angle_between_deg(turn * DVec3::Z, vivant::eyes::direction::Direction::new(30.0, 0.0).to_vector());
    assert!(off < 1e-4, "{off}°");

    let headless = Rig::new(RigParts { rest_positions: vec![(Bone::Hips, Vec3::Y)], ..RigParts::default() });
    let mut performer = Performer::new(Library::new(headless.clone(), Pose::neutral(&headless), &[]), 1);
    performer.eyes().start_idle_behaviour(0.0);
    performer.eyes().look(Look { at: 1.0, ..Look::towards(80.0, 30.0) });
    for i in 0..300 {
        let frame = performer.advance_to(f64::from(i) * 0.05);
        assert!(Bone::ALL.into_iter().all(|bone| frame.rotation(bone).is_finite()));
    }
}

#[test]
fn requests_in_the_past_start_now_without_a_jump() {
    let rig = person(&["blink"], true, LookAt::default(), LidMap::default());
    let mut performer = performer(rig, Temperament::default());
    let before = performer.advance_to(10.0).clone();
    performer.eyes().look(Look { latency_secs: Some(0.0), ..Look::towards(30.0, 0.0) });
    performer.eyes().blink(BlinkIntent::default());
    let after = performer.advance_to(10.0005).clone();
    for bone in Bone::ALL {
        assert!(vivant::math::angle_between(before.rotation(bone), after.rotation(bone)) < 1e-3, "{bone:?}");
    }
    let later = performer.advance_to(10.07);
    assert!(later.weights()[0] > 0.5, "the blink starts");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_sequence_of_times_gives_the_same_frame(
        seed in any::<u64>(), mut stops in prop::collection::vec(0.0..9.0_f64, 0..40)
    ) {
        let alive = || {
            let mut performer = stage::performer(seed);
            stage::script(&mut performer);
            stage::script_for_eyes(&mut performer);
            performer
        };
        let (mut straight, mut strolling) = (alive(), alive());
        stops.sort_by(f64::total_cmp);
        for stop in stops {
            strolling.advance_to(stop);
        }
        prop_assert_eq!(stage::fold(0, straight.advance_to(9.0)), stage::fold(0, strolling.advance_to(9.0)));
    }
}
