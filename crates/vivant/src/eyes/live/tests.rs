mod learned;

use super::*;
use crate::eyes::blink::BlinkProfile;
use crate::eyes::blinking::{BlinkStrategy, Evoked};
use crate::eyes::direction::angle_between_deg;
use crate::eyes::gaze::{Oval, Range};
use crate::eyes::lids;
use crate::eyes::saccade::MainSequence;
use glam::DQuat;
use proptest::prelude::*;

fn nodding(t: f64, turn: Direction) -> HeadPose {
    let swing = |hz: f64, size: f64| size * crate::math::sin(std::f64::consts::TAU * hz * t);
    let nod = DQuat::from_euler(glam::EulerRot::YXZ, swing(0.7, 0.1), swing(1.6, 0.15), swing(0.4, 0.08));
    let sway = DQuat::from_euler(glam::EulerRot::YXZ, swing(0.2, 0.1), swing(0.25, 0.03), 0.0);
    let still = HeadPose::standing(turn);
    HeadPose {
        head: nod,
        torso: sway * still.torso,
        neck_position: still.neck_position + DVec3::X * swing(0.3, 0.05),
        ..still
    }
}

fn standing(_: f64, turn: Direction) -> HeadPose {
    HeadPose::standing(turn)
}

#[derive(Clone, Copy, Debug)]
enum Request {
    Look(Look),
    EndLook(f64),
    Attend(f64, [f64; 3]),
    Blink(BlinkIntent),
    Open(f64),
    SetActivity(f64, Activity),
    Move(f64, [f64; 3]),
    LookAtMoving(f64),
    SetTemperament(f64, f64, f64),
    Mood(f64, Option<bool>),
}

fn request() -> impl Strategy<Value = Request> {
    let at = || 0.0..8.0f64;
    // Anywhere except in the head or directly in front of the eyes.
    let point = || {
        prop::array::uniform3(-2.0..2.0f64).prop_map(|point| {
            let offset = DVec3::from_array(point);
            (DVec3::new(0.0, 1.6, 0.0) + offset.normalize_or(DVec3::Z) * offset.length().max(0.5)).to_array()
        })
    };
    let target = prop_oneof![
        point().prop_map(Target::Point),
        (-170.0..170.0f64, -60.0..60.0f64).prop_map(|(y, p)| Target::Direction(Direction::new(y, p))),
        Just(Target::Away),
        Just(Target::Ahead),
    ];
    let look = (
        at(),
        target,
        prop::option::of(0.0..2.0f64),
        prop::option::of(0.0..=1.0f64),
        prop::option::of(0.0..0.3f64),
    )
        .prop_map(|(at, target, secs, head, latency_secs)| {
            Request::Look(Look { at, target, secs, head, latency_secs })
        });
    let blink = (at(), 0.1..=1.0f64, prop::option::of(0.0..0.5f64), any::<bool>(), any::<bool>()).prop_map(
        |(at, magnitude, hold_secs, left, right)| {
            Request::Blink(BlinkIntent { at, magnitude, hold_secs, eyes: [left, right] })
        },
    );
    prop_oneof![
        8 => look,
        5 => blink,
        1 => at().prop_map(Request::EndLook),
        1 => at().prop_map(Request::Open),
        1 => (at(), point()).prop_map(|(at, point)| Request::Attend(at, point)),
        1 => (at(), 0..4usize).prop_map(|(at, i)| Request::SetActivity(at, Activity::ALL[i])),
        2 => at().prop_map(Request::LookAtMoving),
        3 => (at(), point()).prop_map(|(at, point)| Request::Move(at, point)),
        1 => (at(), 0.0..=1.0f64, 0.4..1.2f64).prop_map(|(at, lively, open)| Request::SetTemperament(at, lively, open)),
        1 => (at(), any::<Option<bool>>()).prop_map(|(at, mood)| Request::Mood(at, mood)),
    ]
}

/// Returns true for every other seed, whose eyes use learned models.
fn has_learned(seed: u64) -> bool {
    seed % 2 == 1
}

/// Creates eyes with these requests.
fn eyes(seed: u64, requests: &[Request]) -> Eyes {
    let has_learned = has_learned(seed);
    let blink_profile = if has_learned { BlinkProfile::Pca } else { BlinkProfile::Evinger };
    let usual = Temperament { blink_profile, ..Temperament::default() };
    let mut eyes = Eyes::new(Ranges::default(), usual, seed);
    if has_learned {
        eyes.set_models(&learned::learned());
    }
    eyes.start_idle_behaviour(0.0);
    let ball = eyes.target("ball");
    for request in requests {
        match *request {
            Request::Look(look) => eyes.look(look),
            Request::EndLook(at) => eyes.end_look(at),
            Request::Attend(at, point) => eyes.attend(at, Target::Point(point)),
            Request::Blink(blink) => eyes.blink(blink),
            Request::Open(at) => eyes.open(at),
            Request::SetActivity(at, activity) => eyes.set_activity(at, activity),
            Request::Move(at, place) => eyes.move_target(at, ball, place),
            Request::LookAtMoving(at) => eyes.look(Look { at, ..Look::at(Target::Named(ball)) }),
            Request::SetTemperament(at, liveliness, open) => {
                eyes.set_temperament(at, Temperament { liveliness, resting_aperture: [open, 1.0], ..usual });
            }
            Request::Mood(at, mood) => {
                let mood =
                    mood.filter(|_| has_learned).map(|is_bored| if is_bored { "bored" } else { "calm" });
                eyes.set_mood(at, mood).unwrap();
            }
        }
    }
    eyes
}

fn largest_difference(a: &EyeFrame, b: &EyeFrame) -> f64 {
    let turn = |p: DQuat, q: DQuat| {
        angle_between_deg(p * DVec3::Z, q * DVec3::Z).max(angle_between_deg(p * DVec3::X, q * DVec3::X))
    };
    let lids = (0..2).map(|i| {
        (a.lids[i].upper_deg - b.lids[i].upper_deg)
            .abs()
            .max((a.lids[i].lower_deg - b.lids[i].lower_deg).abs())
    });
    let eyes = (0..2).map(|i| angle_between_deg(a.eyes[i], b.eyes[i]));
    let others =
        [turn(a.neck, b.neck), turn(a.head_in_model, b.head_in_model), angle_between_deg(a.gaze, b.gaze)];
    others.into_iter().chain(lids).chain(eyes).fold(0.0, f64::max)
}

/// Largest velocities in degrees per second. Gaze: the asymptote of the main sequence (1.65 over 2.7 ms per degree).
/// Head: its peak from one corner of its range to the other, plus the peaks of the torso and of the nods. Lid: a
/// blink of the widest eye.
const PEAK_GAZE: f64 = 1.65 / 0.0027;
const PEAK_HEAD_ON_TORSO: f64 = 20.0 + 4.0 * 180.3;
const PEAK_HEAD: f64 = PEAK_HEAD_ON_TORSO + 0.5 * (20.0 + 4.0 * 90.0) + 90.0;
const PEAK_LID: f64 = 29.2 * 55.0 - 35.9;

/// A range with a small margin, because a slow turn may leave it slightly.
fn widened(range: &Range) -> Range {
    Range { yaw_deg: range.yaw_deg + 3.0, up_deg: range.up_deg + 3.0, down_deg: range.down_deg + 3.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// An event does not change the state at the time of the event; it only changes the movement after it.
    #[test]
    fn events_cause_no_jumps(seed in any::<u64>(), requests in prop::collection::vec(request(), 0..16)) {
        let mut eyes = eyes(seed, &requests);
        while eyes.next_event() < 9.0 {
            let at = eyes.next_event();
            let pose = nodding(at, eyes.torso_turn(at));
            let before = eyes.frame_at(at, &pose);
            eyes.process_event(at, &pose);
            let after = eyes.frame_at(at, &pose);
            let jump = largest_difference(&before, &after);
            prop_assert!(jump < 1e-6, "{jump}° at {at} s\n{before:?}\n{after:?}");
        }
    }

    /// Nothing exceeds its peak velocity or leaves its range, and apertures are never negative.
    #[test]
    fn nothing_exceeds_its_peak_velocity(
        seed in any::<u64>(), requests in prop::collection::vec(request(), 0..16), rate in 200.0f64..2000.0
    ) {
        let mut eyes = eyes(seed, &requests);
        let ranges = Ranges::default();
        let mut before: Option<EyeFrame> = None;
        for i in 0..(1.5 * rate) as u32 {
            // The requests fill eight seconds; sample a part of them finely.
            let t = 3.0 + f64::from(i) / rate;
            let frame = eyes.advance_to(t, nodding);
            let most = |peak: f64| 1.05 * peak / rate;
            let speed = eyes.head.velocity(t).length();
            prop_assert!(speed < 1.05 * PEAK_HEAD_ON_TORSO, "the head turns at {speed}°/s at {t} s");
            if let Some(was) = before {
                let eye = (0..2).map(|i| angle_between_deg(was.eyes[i], frame.eyes[i])).fold(0.0, f64::max);
                prop_assert!(eye < most(PEAK_GAZE + PEAK_HEAD), "an eye moves by {eye}° at {t} s");
                let head = angle_between_deg(was.head_in_model * DVec3::Z, frame.head_in_model * DVec3::Z);
                prop_assert!(head < most(PEAK_HEAD), "the head moves by {head}° at {t} s");
                let lid = (0..2).map(|i| (was.lids[i].upper_deg - frame.lids[i].upper_deg).abs()).fold(0.0, f64::max);
                let own = PEAK_LID * crate::eyes::blinking::greatest_tempo();
                let peak = if has_learned(seed) { own.max(learned::peak_lid()) } else { own };
                prop_assert!(lid < most(peak), "a lid moves by {lid}° at {t} s");
            }
            let head = eyes.head.position(t);
            prop_assert!(widened(&ranges.head).contains(head), "{head:?} at {t} s");
            prop_assert!(widened(&ranges.torso).contains(eyes.torso_turn(t)), "{:?} at {t} s", eyes.torso_turn(t));
            for i in 0..2 {
                let eye = frame.eyes[i];
                prop_assert!(Oval::new(&ranges.eye).contains(eye), "{:?} at {t} s", Direction::of(eye));
                prop_assert!((0.0..1.7).contains(&frame.lids[i].aperture), "{:?}", frame.lids);
            }
            before = Some(frame);
        }
    }

    /// The result is the same at 24, 60, 90 and 1000 Hz, and in one step.
    #[test]
    fn results_do_not_depend_on_the_frame_rate(seed in any::<u64>(), requests in prop::collection::vec(request(), 0..12)) {
        let start = eyes(seed, &requests);
        let leap = start.clone().advance_to(5.0, nodding);
        for rate in [24_u32, 60, 90, 1000] {
            let mut eyes = start.clone();
            for frame in 0..5 * rate {
                eyes.advance_to(f64::from(frame) / f64::from(rate), nodding);
            }
            prop_assert_eq!(eyes.advance_to(5.0, nodding), leap, "{} Hz", rate);
        }
    }

    /// From the landing of the eyes, through the landing of the head and beyond, the gaze is on the target while
    /// the character nods, sways and shifts its weight.
    #[test]
    fn the_gaze_stays_on_the_target_while_the_head_moves(
        x in -2.0f64..2.0, y in -0.4f64..0.4, z in 0.6f64..3.0, factor in 0.0f64..=1.0, literal in any::<bool>()
    ) {
        let target = DVec3::new(x, 1.6 + y, z);
        let gaze = if literal { crate::eyes::gaze::GazePreset::Peters } else { crate::eyes::gaze::GazePreset::Human };
        let temperament = Temperament { head_movement_factor: factor, gaze, ..Temperament::still() };
        let mut eyes = Eyes::new(Ranges::default(), temperament, 1);
        eyes.look(Look { at: 1.0, ..Look::at_point(target.to_array()) });
        eyes.advance_to(1.0, nodding);
        let lands = eyes.error.landing_time();
        for i in 0..400 {
            let t = lands + f64::from(i) * 0.005;
            let frame = eyes.advance_to(t, nodding);
            let geometry = eyes.gaze_geometry(t, &nodding(t, eyes.torso_turn(t)));
            if geometry.is_limited {
                // During a nod, the target may be out of reach for a while, until the head is planned again.
                continue;
            }
            let places = places(&frame, &nodding(t, eyes.torso_turn(t)));
            let off = angle_between_deg(frame.gaze, target - 0.5 * (places[0] + places[1])).to_radians();
            prop_assert!(off < 1e-6, "{off} rad at {t} s");
            if t > lands + 0.5 {
                for (i, place) in places.into_iter().enumerate() {
                    let eye = frame.head_in_model * frame.eyes[i];
                    let off = angle_between_deg(eye, target - place).to_radians();
                    let a_little_further = (Direction::of(frame.eyes[i]) * 1.0001).to_vector();
                    let at_limit = !Oval::new(&Ranges::default().eye).contains(a_little_further);
                    prop_assert!(off < 1e-6 || at_limit, "eye {i}: {off} rad at {t} s");
                }
            }
        }
    }
}

/// Returns the eye positions computed from the frame's rotations.
fn places(frame: &EyeFrame, pose: &HeadPose) -> [DVec3; 2] {
    let neck = pose.torso * frame.neck;
    let head = neck * frame.head;
    assert!(angle_between_deg(head * DVec3::Z, frame.head_in_model * DVec3::Z) < 1e-9);
    pose.head_to_eyes.map(|eye| pose.neck_position + neck * pose.neck_to_head + head * eye)
}

fn still(factor: f64) -> Eyes {
    let temperament = Temperament { head_movement_factor: factor, ..Temperament::still() };
    Eyes::new(Ranges::default(), temperament, 3)
}

#[test]
fn without_liveliness_and_blinks_nothing_ever_moves() {
    let mut eyes = still(0.5);
    eyes.start_idle_behaviour(0.0);
    let first = eyes.advance_to(0.0, standing);
    for i in 0..6000 {
        assert_eq!(eyes.advance_to(f64::from(i) * 0.1, standing), first);
    }
}

/// Spontaneous and evoked blinks together stay within the range of 95 % of people (Doughty 2001: gaze,
/// conversation and reading). The largest angle of the gaze from straight ahead is 15° to 50°.
#[test]
fn idle_eyes_behave_like_peoples() {
    for (activity, least, most) in [
        (Activity::Idle, 8.0, 21.0),
        (Activity::Speaking, 10.5, 32.5),
        (Activity::Listening, 10.5, 32.5),
        (Activity::Reading, 1.4, 14.4),
        (Activity::Thinking, 10.5, 32.5),
    ] {
        let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 3);
        eyes.start_idle_behaviour(0.0);
        eyes.set_activity(0.0, activity);
        let (mut blinks, mut was_blinking, mut widest) = (0, false, 0.0_f64);
        for i in 0..18_000 {
            let frame = eyes.advance_to(f64::from(i) / 30.0, standing);
            blinks += u32::from(frame.is_blinking[0] && !was_blinking);
            was_blinking = frame.is_blinking[0];
            widest = widest.max(angle_between_deg(frame.gaze, DVec3::Z));
        }
        let rate = f64::from(blinks) / 10.0;
        assert!((least..most).contains(&rate), "{activity}: {rate} blinks a minute");
        assert!((15.0..50.0).contains(&widest), "{activity}: {widest}°");
    }
}

/// Paper 1, E1 to E4, in the complete system: with a still head the lid makes its own lid saccade.
#[test]
fn lids_follow_the_gaze_by_lid_saccades() {
    for (from, to) in [(0.0, -20.0), (-20.0, 0.0), (-5.0, -24.0), (10.0, -10.0)] {
        let mut eyes = still(0.0);
        eyes.look(Look { latency_secs: Some(0.0), ..Look::towards(0.0, from) });
        eyes.look(Look { at: 1.0, latency_secs: Some(0.0), ..Look::towards(0.0, to) });
        let [start, end] = [from, to].map(geometry::lid_goal_deg);
        let saccade = lids::lid_saccade(start, end);
        for i in 0..300 {
            let secs = f64::from(i) * 1e-3;
            let lid = eyes.advance_to(1.0 + secs, standing).lids[0].upper_deg;
            let expected = start + saccade.position(secs - lids::LAG_SECS);
            // Directions and angles agree up to rounding.
            assert!((lid - expected).abs() < 1e-9, "{from}° to {to}°, {secs} s: {lid}, not {expected}");
        }
    }
}

/// Steptoe 2010, Figure 5: a blink starts from the current lid position and ends at the lid position for the current
/// gaze.
#[test]
fn a_blink_and_a_lid_saccade_run_together() {
    let mut eyes = still(0.0);
    eyes.look(Look { at: 1.0, latency_secs: Some(0.0), ..Look::towards(0.0, -20.0) });
    eyes.blink(BlinkIntent { at: 1.03, ..BlinkIntent::default() });
    let lid = |eyes: &mut Eyes, t: f64| eyes.advance_to(t, standing).lids[0];
    let start = lid(&mut eyes, 1.03);
    assert!(start.upper_deg < -1.0 && start.upper_deg > -15.0, "under way: {start:?}");
    let closed = (1030..1200).map(|ms| lid(&mut eyes, f64::from(ms) * 1e-3).aperture).fold(1.0, f64::min);
    assert_eq!(closed, 0.0);
    assert!((lid(&mut eyes, 2.0).upper_deg + 20.0).abs() < 1e-9);
}

#[test]
fn a_wink_closes_one_eye_and_eyes_stay_closed_until_they_are_opened() {
    let mut eyes = still(0.5);
    eyes.blink(BlinkIntent {
        at: 1.0,
        hold_secs: Some(f64::INFINITY),
        eyes: [true, false],
        ..BlinkIntent::default()
    });
    eyes.open(3.0);
    for (t, apertures) in [(2.0, [0.0, 1.0]), (2.99, [0.0, 1.0]), (3.5, [1.0, 1.0])] {
        assert_eq!(eyes.advance_to(t, standing).lids.map(|lids| lids.aperture), apertures, "{t} s");
    }
}

fn onsets(eyes: &mut Eyes, secs: f64) -> Vec<f64> {
    let (mut onsets, mut was) = (Vec::new(), false);
    for i in 0..(secs * 500.0) as u32 {
        let t = f64::from(i) / 500.0;
        let is = eyes.advance_to(t, standing).is_blinking[0];
        if is && !was {
            onsets.push(t);
        }
        was = is;
    }
    onsets
}

/// Paper 2, Table 2.
#[test]
fn strategies_blink_as_in_the_table() {
    let blinks = |strategy: BlinkStrategy| {
        let temperament = Temperament { blinks: strategy, liveliness: 0.0, ..Temperament::default() };
        let mut eyes = Eyes::new(Ranges::default(), temperament, 5);
        eyes.start_idle_behaviour(0.0);
        for i in 0..10 {
            let yaw = if i % 2 == 0 { 2.0 } else { 0.0 };
            eyes.look(Look { at: 1.1 + f64::from(i), ..Look::towards(yaw, 0.0) });
        }
        onsets(&mut eyes, 11.9)
    };
    assert_eq!(blinks(BlinkStrategy::None), [0.0; 0]);
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 0.003), "{found:?}");
    };
    near(blinks(BlinkStrategy::Regular), &[3.0, 6.0, 9.0]);
    let shifts: Vec<f64> = (0..10).map(|i| 1.1 + f64::from(i)).collect();
    near(blinks(BlinkStrategy::GazeEvoked), &shifts);
}

/// Tests the complete system, not only the formula: 4,000 shifts per size. Four standard deviations of a fraction
/// are at most 3.2 percentage points.
#[test]
fn shifts_evoke_blinks_with_the_preset_probability() {
    for (degrees, evoked) in [
        (10.0, Evoked::evinger()),
        (17.0, Evoked::evinger()),
        (33.0, Evoked::evinger()),
        (30.0, Evoked::peters()),
    ] {
        let temperament = Temperament {
            blinks: BlinkStrategy::ProbabilisticGazeEvoked,
            gaze: crate::eyes::gaze::GazePreset::Peters,
            head_movement_factor: 1.0,
            evoked,
            ..Temperament::still()
        };
        let mut eyes = Eyes::new(Ranges::default(), temperament, 8);
        let (mut blinks, shifts) = (0, 4000);
        for i in 0..shifts {
            let at = f64::from(i) * 2.0;
            let yaw = if i % 2 == 0 { degrees } else { 0.0 };
            eyes.look(Look { at, latency_secs: Some(0.0), ..Look::towards(yaw, 0.0) });
            eyes.advance_to(at + 0.9, standing);
            blinks += u32::from(eyes.blinks[0].end_time() > at);
        }
        let (share, expected) = (f64::from(blinks) / f64::from(shifts), evoked.probability(degrees));
        assert!((share - expected).abs() < 0.032, "{degrees}°: {share}, not {expected}");
    }
}

/// For any target, everything comes to rest soon, as close to the target as planned.
#[test]
fn every_shift_comes_to_rest() {
    let presets = [crate::eyes::gaze::GazePreset::Peters, crate::eyes::gaze::GazePreset::Human];
    for (preset, factor, from) in
        [(0, 0.0, 0.0), (0, 0.69, -100.0), (1, 0.0, 170.0), (1, 0.69, 0.0), (1, 1.0, -100.0)]
    {
        for (yaw, pitch) in
            (-6..=6).flat_map(|y| (-6..=6).map(move |p| (f64::from(y) * 30.0, f64::from(p) * 15.0)))
        {
            let temperament =
                Temperament { gaze: presets[preset], head_movement_factor: factor, ..Temperament::still() };
            let mut eyes = Eyes::new(Ranges::default(), temperament, 3);
            eyes.look(Look::towards(from, 20.0));
            eyes.look(Look { at: 4.0, ..Look::towards(yaw, pitch) });
            let rest = eyes.advance_to(7.5, standing);
            for i in 0..20 {
                let later = eyes.advance_to(7.5 + f64::from(i) * 0.11, standing);
                assert_eq!(later, rest, "{from}° to {yaw}°, {pitch}° by {factor}, {preset}");
            }
            let off = angle_between_deg(rest.gaze, Direction::new(yaw, pitch).to_vector());
            // Targets out of reach have no unique nearest direction.
            let short = eyes.plan().shortfall_deg;
            assert!(
                off < if short > 0.0 { short + if preset == 0 { 20.0 } else { 5.0 } } else { 1e-6 },
                "{yaw}°, {pitch}°: off by {off}°, {:?}",
                eyes.plan()
            );
            let lid = rest.lids[0].upper_deg - geometry::lid_goal_deg(Direction::of(rest.eye).pitch_deg);
            assert!(lid.abs() < 1e-6, "{yaw}°, {pitch}°: the lid is {lid}° off the eye");
            let roll = (rest.head_in_model * DVec3::X).y;
            assert!(roll.abs() < 0.3, "{yaw}°, {pitch}°: the head is tilted by {roll}");
        }
    }
}

/// A character that looks over its left shoulder turns around when it must look over its right shoulder.
#[test]
fn shifts_take_the_nearer_side() {
    let mut eyes = still(0.69);
    eyes.look(Look::towards(170.0, 0.0));
    eyes.look(Look { at: 4.0, ..Look::towards(-170.0, 0.0) });
    let frame = eyes.advance_to(8.0, standing);
    assert!((eyes.plan().shortfall_deg - 10.0).abs() < 1e-6, "{:?}", eyes.plan());
    assert!((Direction::of(frame.gaze).yaw_deg + 160.0).abs() < 1e-6);
}

#[test]
fn targets_out_of_reach_are_approached_and_reported() {
    let mut eyes = still(0.69);
    eyes.look(Look::towards(175.0, 0.0));
    let frame = eyes.advance_to(3.0, standing);
    assert!((eyes.plan().shortfall_deg - 15.0).abs() < 1e-6, "{:?}", eyes.plan());
    assert!((angle_between_deg(frame.gaze, DVec3::Z) - 160.0).abs() < 1e-6);
    assert!((eyes.torso_turn(3.0).yaw_deg - 45.0).abs() < 1e-9, "the torso helps");
    eyes.look(Look { at: 3.0, ..Look::towards(100.0, 0.0) });
    let frame = eyes.advance_to(6.0, standing);
    assert_eq!(eyes.plan().shortfall_deg, 0.0);
    assert!((angle_between_deg(frame.gaze, DVec3::Z) - 100.0).abs() < 1e-6);
}

/// Peters & Qureshi 2010, 3.2.2: the eyes start no later than the head, and reach the target no later than head and
/// torso.
#[test]
fn the_eyes_never_arrive_after_the_head() {
    for factor in [0.02, 0.2, 0.5, 0.8, 1.0] {
        for yaw in [8.0, 20.0, 35.0, 60.0, 90.0, 110.0] {
            let mut eyes = still(factor);
            eyes.look(Look { at: 1.0, latency_secs: Some(0.0), ..Look::towards(yaw, 0.0) });
            let (mut eye_starts, mut head_starts, mut lands, mut arrives) = (None, None, None, None);
            for ms in 0..3000 {
                let t = 1.0 + f64::from(ms) * 1e-3;
                let frame = eyes.advance_to(t, standing);
                let head = eyes.head.position(t).yaw_deg;
                let off = angle_between_deg(frame.gaze, Direction::new(yaw, 0.0).to_vector());
                let first = |moment: &mut Option<i32>, is: bool| {
                    if is && moment.is_none() {
                        *moment = Some(ms);
                    }
                };
                first(&mut eye_starts, angle_between_deg(frame.eye, DVec3::Z) > 0.01);
                first(&mut head_starts, head > 0.01);
                first(&mut lands, off < 1e-6);
                let is_there = eyes.head.is_over(t) && eyes.torso.is_over(t) && !eyes.cues.is_set(Cue::Torso);
                first(&mut arrives, head > 0.0 && is_there);
            }
            assert!(lands.is_some(), "{yaw}°, {factor}: the gaze never lands");
            if head_starts.is_some() {
                assert!(eye_starts <= head_starts, "{yaw}°, {factor}: {eye_starts:?} and {head_starts:?}");
                assert!(lands <= arrives, "{yaw}°, {factor}: {lands:?} and {arrives:?}");
            }
        }
    }
}

/// The eyes follow a swinging ball by pursuit; from 20°/s on, catch-up saccades are also needed.
#[test]
fn moving_targets_are_pursued_with_catch_up_saccades() {
    for (speed, worst_allowed) in [(10.0_f64, 2.6), (30.0, 4.5), (60.0, 9.0)] {
        let mut eyes = still(0.5);
        let ball = eyes.target("ball");
        eyes.look(Look { latency_secs: Some(0.0), ..Look::at(Target::Named(ball)) });
        let place = |t: f64| {
            let yaw = 35.0 * crate::math::sin(speed / 35.0 * t);
            DVec3::new(0.0, 1.6, 0.0) + Direction::new(yaw, 0.0).to_vector() * 2.0
        };
        let (mut worst, mut saccades, mut jump_was) = (0.0_f64, 0, 0.0);
        for i in 0..1200 {
            let t = f64::from(i) / 120.0;
            if i % 2 == 0 {
                eyes.move_target(t, ball, place(t).to_array());
            }
            let frame = eyes.advance_to(t, standing);
            let middle =
                0.5 * places(&frame, &HeadPose::standing(eyes.torso_turn(t))).into_iter().sum::<DVec3>();
            if t > 1.0 {
                worst = worst.max(angle_between_deg(frame.gaze, place(t) - middle));
                saccades += u32::from(eyes.error.at != jump_was);
            }
            jump_was = eyes.error.at;
        }
        assert!(worst < worst_allowed, "{speed}°/s: off by {worst}°");
        assert!(saccades <= 40, "{speed}°/s: {saccades} catch-up saccades");
        assert!(speed < 20.0 || saccades > 0, "{speed}°/s: pursuit alone falls behind");
    }
}

/// The head-movement factor of a look applies as long as the look, even if its target moves.
#[test]
fn a_look_keeps_its_head_movement_factor() {
    let mut eyes = still(0.9);
    let ball = eyes.target("ball");
    eyes.look(Look { head: Some(0.0), latency_secs: Some(0.0), ..Look::at(Target::Named(ball)) });
    for i in 0..200 {
        let t = f64::from(i) / 50.0;
        let yaw = 30.0 * crate::math::sin(t);
        let place = DVec3::new(0.0, 1.6, 0.0) + Direction::new(yaw, 0.0).to_vector() * 2.0;
        eyes.move_target(t, ball, place.to_array());
        eyes.advance_to(t, standing);
        assert!(eyes.head.position(t).yaw_deg.abs() < 1e-9, "the head turns at {t} s");
    }
}

#[test]
fn a_hold_during_a_blink_keeps_the_eyes_closed() {
    for after in [0.0, 0.03, 0.07, 0.12, 0.2] {
        let mut eyes = still(0.5);
        eyes.blink(BlinkIntent { at: 1.0, ..BlinkIntent::default() });
        eyes.blink(BlinkIntent { at: 1.0 + after, hold_secs: Some(f64::INFINITY), ..BlinkIntent::default() });
        assert_eq!(eyes.advance_to(5.0, standing).lids[0].aperture, 0.0, "requested {after} s into a blink");
    }
}

#[test]
fn a_single_tired_lid_sinks_as_fast_as_two() {
    let sinking = |resting_aperture: [f64; 2], eye: usize| {
        let mut eyes = still(0.5);
        eyes.set_temperament(1.0, Temperament { resting_aperture, ..Temperament::still() });
        let done = (0..400).find(|ms| {
            let lid = eyes.advance_to(1.0 + f64::from(*ms) * 1e-3, standing).lids[eye].aperture;
            (lid - 0.6).abs() < 1e-9
        });
        done.expect("it sinks")
    };
    assert_eq!(sinking([0.6, 1.0], 0), sinking([1.0, 0.6], 1));
}

/// In a full blink, the eyes turn 1.5° down (Riggs 1987: 1° to 2°) and 0.45° towards the nose (our estimate), scaled
/// by liveliness.
#[test]
fn eyes_dip_in_a_blink() {
    for (liveliness, down) in [(0.0, 0.0), (1.0, 1.5)] {
        let temperament = Temperament { liveliness, ..Temperament::still() };
        let mut eyes = Eyes::new(Ranges::default(), temperament, 3);
        eyes.blink(BlinkIntent { at: 1.0, hold_secs: Some(1.0), ..BlinkIntent::default() });
        let [left, right] = eyes.advance_to(1.5, standing).eyes.map(Direction::of);
        assert!((left.pitch_deg + down).abs() < 0.01 && (left.yaw_deg + 0.3 * down).abs() < 0.01, "{left:?}");
        assert!((right.yaw_deg + left.yaw_deg).abs() < 1e-9, "both eyes move towards the nose");
    }
}

#[test]
fn convergence_follows_the_temperament() {
    for share in [0.0, 0.7, 1.0] {
        let mut eyes =
            Eyes::new(Ranges::default(), Temperament { vergence: share, ..Temperament::still() }, 3);
        eyes.look(Look::at_point([0.0, 1.6, 0.48]));
        let [left, right] = eyes.advance_to(2.0, standing).eyes.map(|eye| Direction::of(eye).yaw_deg);
        // 63 mm apart, target 40 cm in front of the eyes: 9.0° in total.
        let whole = 2.0 * crate::math::atan2(0.0315, 0.40).to_degrees();
        assert!((right - left - share * whole).abs() < 0.05, "{share}: {left}° and {right}°");
    }
}

/// Saccades in the complete system last as long as the chosen main sequence says.
#[test]
fn saccades_use_the_temperaments_main_sequence() {
    for main_sequence in [MainSequence::Collewijn, MainSequence::EyesAlive, MainSequence::Carpenter] {
        let temperament = Temperament { main_sequence, head_movement_factor: 0.0, ..Temperament::still() };
        let mut eyes = Eyes::new(Ranges::default(), temperament, 3);
        eyes.look(Look { at: 1.0, latency_secs: Some(0.0), ..Look::towards(20.0, 0.0) });
        let gaze = |eyes: &mut Eyes, t: f64| Direction::of(eyes.advance_to(t, standing).gaze).yaw_deg;
        let secs = main_sequence.duration_secs(20.0);
        assert!(gaze(&mut eyes, 1.0 + secs - 1e-3) < 20.0 - 1e-6);
        assert!((gaze(&mut eyes, 1.0 + secs) - 20.0).abs() < 1e-9, "{main_sequence:?}");
    }
}

fn sample(secs: f64, yaw: f64, blink: Option<bool>) -> EyeSample {
    let eye = Some([yaw, 0.0]);
    EyeSample { left: eye, right: eye, blink, ..EyeSample::at(secs) }
}

#[test]
fn a_look_takes_precedence_over_a_tracker() {
    let mut eyes = still(0.0);
    for i in 0..400 {
        eyes.drive(sample(f64::from(i) / 100.0, 10.0, None));
    }
    eyes.look(Look { at: 1.0, secs: Some(1.0), latency_secs: Some(0.2), ..Look::towards(-20.0, 0.0) });
    let yaw = |eyes: &mut Eyes, t: f64| Direction::of(eyes.advance_to(t, standing).gaze).yaw_deg;
    for (t, expected) in [(0.9, 10.0), (1.15, 10.0), (1.6, -20.0), (3.0, 10.0)] {
        assert!((yaw(&mut eyes, t) - expected).abs() < 1e-6, "{t} s: {}°", yaw(&mut eyes, t));
    }
}

#[test]
fn a_silent_tracker_leaves_the_eyes_idle_and_open() {
    let mut eyes = Eyes::new(Ranges::default(), Temperament { liveliness: 0.0, ..Temperament::default() }, 3);
    eyes.start_idle_behaviour(0.0);
    for i in 0..100 {
        eyes.drive(sample(f64::from(i) / 100.0, 15.0, Some(i > 80)));
    }
    assert_eq!(eyes.advance_to(1.5, standing).lids[0].aperture, 0.0);
    let later = eyes.advance_to(2.6, standing);
    assert!(angle_between_deg(later.gaze, DVec3::Z) < 1e-6 && later.lids[0].aperture > 0.99, "{later:?}");
}

/// If a tracker reports lids, the character blinks only when the tracker reports a blink.
#[test]
fn a_tracker_that_reports_lids_controls_blinks() {
    let blinks = |lids: Option<bool>| {
        let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 3);
        eyes.start_idle_behaviour(0.0);
        for i in 0..6000 {
            eyes.drive(sample(f64::from(i) / 100.0, 5.0, lids));
        }
        onsets(&mut eyes, 59.0).len()
    };
    assert_eq!(blinks(Some(false)), 0);
    assert!(blinks(None) > 8);
}

/// An avatar whose eyes cannot turn looks with its head and skips small glances.
#[test]
fn heads_that_replace_eyes_do_not_twitch() {
    let shifts = |ranges: Ranges| {
        let mut eyes = Eyes::new(ranges, Temperament::default(), 3);
        eyes.start_idle_behaviour(0.0);
        let (mut shifts, mut goal) = (0, Direction::AHEAD);
        for i in 0..6000 {
            eyes.advance_to(f64::from(i) / 100.0, standing);
            shifts += u32::from(eyes.plan.head != goal);
            goal = eyes.plan.head;
        }
        shifts
    };
    let (eyeless, usual) =
        (shifts(Ranges { eye: Range::NONE, ..Ranges::default() }), shifts(Ranges::default()));
    assert!((2..25).contains(&eyeless) && usual > 25, "{eyeless} and {usual} shifts in a minute");
}

/// The gaze is averted in the middle of every aversion, and on the other person between aversions. A new plan
/// replaces the old plan.
#[test]
fn conversation_gaze_follows_the_planned_aversions() {
    let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 3);
    eyes.start_idle_behaviour(0.0);
    eyes.attend(0.0, Target::Point([0.0, 1.6, 1.5]));
    let aversion = |from: f64, yaw_deg: f64| crate::eyes::aversion::Aversion {
        reason: crate::eyes::aversion::Reason::Intimacy,
        from,
        to: from + 1.5,
        yaw_deg,
        pitch_deg: 0.0,
    };
    eyes.start_conversation_gaze(2.0, &[aversion(4.0, 15.0), aversion(8.0, -15.0)], 14.0);
    let yaw = |eyes: &mut Eyes, t: f64| {
        let gaze = eyes.advance_to(t, standing).gaze;
        crate::math::atan2(gaze.x, gaze.z).to_degrees()
    };
    for (t, expected) in [(3.5, 0.0), (4.9, 15.0), (7.5, 0.0), (8.9, -15.0)] {
        let found = yaw(&mut eyes, t);
        assert!((found - expected).abs() < 2.0, "{found} at {t}");
    }
    eyes.start_conversation_gaze(9.0, &[aversion(10.0, 18.0)], 14.0);
    assert!((yaw(&mut eyes, 10.9) - 18.0).abs() < 2.0);
    eyes.start_conversation_gaze(11.0, &[aversion(12.0, 18.0)], 14.0);
    eyes.end_conversation_gaze(11.5);
    eyes.look(Look { at: 11.6, ..Look::towards(-20.0, 0.0) });
    assert!((yaw(&mut eyes, 12.9) + 20.0).abs() < 2.0);
}
