//! Moods of a performer.

mod stage;

use glam::Vec3;
use proptest::prelude::*;
use vivant::body::library::Library;
use vivant::body::mood::{Feeling, Mood};
use vivant::eyes::BlinkIntent;
use vivant::eyes::blinking::Activity;
use vivant::intent::{Be, Intent};
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, LidMap, Rig, RigParts};

const CHANNELS: [&str; 7] = ["happy", "angry", "sad", "relaxed", "surprised", "blinkLeft", "blinkRight"];

/// A performer whose smile closes the eyes by half.
fn performer() -> Performer {
    let mut closing = vec![[0.0; 2]; CHANNELS.len()];
    closing[0] = [0.5; 2];
    (closing[5], closing[6]) = ([1.0, 0.0], [0.0, 1.0]);
    let rig = Rig::new(RigParts {
        rest_positions: vec![
            (Bone::Hips, Vec3::Y),
            (Bone::Spine, Vec3::Y * 1.1),
            (Bone::Chest, Vec3::Y * 1.2),
            (Bone::Neck, Vec3::Y * 1.4),
            (Bone::Head, Vec3::Y * 1.5),
        ],
        channels: CHANNELS.map(|name| Channel::from(name.to_owned())).to_vec(),
        lids: LidMap { closing, measured: true, ..LidMap::default() },
        ..RigParts::default()
    });
    let base = Pose::neutral(&rig);
    Performer::new(Library::new(rig, base, &[]), 7)
}

fn weight(performer: &Performer, name: &str) -> f32 {
    let channel = performer.library().rig().channel_index(&Channel::from(name.to_owned()));
    performer.frame().weights()[channel.expect("the rig has this channel")]
}

#[test]
fn the_default_intensity_of_a_mood_is_0_6() {
    let mut performer = Performer::new(stage::character(), 3);
    let be = |mood: Option<&str>, intensity| Be {
        be: Activity::Listening,
        mood: mood.map(str::to_owned),
        intensity,
        at: None,
    };
    performer.intend(&Intent::Be(be(Some("sad"), None))).unwrap();
    performer.advance_to(1.0);
    assert_eq!(performer.mood(), Mood::new(Feeling::Sad, 0.6));
    performer.intend(&Intent::Be(be(Some("happy"), Some(1.0)))).unwrap();
    performer.advance_to(2.0);
    assert!(performer.mood().speech_rate() > 1.0);
    // Without a mood it is neutral.
    performer.intend(&Intent::Be(be(None, None))).unwrap();
    performer.advance_to(3.0);
    assert_eq!(performer.mood().feeling(), Feeling::Neutral);
    let error = performer.intend(&Intent::Be(be(Some("peckish"), None))).unwrap_err().to_string();
    assert!(error.contains("unknown mood `peckish`; there are"), "{error}");
    assert!(error.contains("no eye texture"), "{error}");
}

/// A corpus of the eye texture is a mood of the eyes only.
#[test]
fn an_eye_texture_adds_its_own_moods() {
    let mut performer = Performer::new(stage::character(), 3);
    stage::learn(&mut performer);
    let be = |mood: &str| Intent::Be(Be { mood: Some(mood.into()), ..Be::default() });
    performer.intend(&be("formulas")).unwrap();
    performer.intend(&be("sad")).unwrap();
    performer.advance_to(1.0);
    assert_eq!(performer.mood().feeling(), Feeling::Sad);
    performer.intend(&be("formulas")).unwrap();
    performer.advance_to(2.0);
    assert_eq!(performer.mood().feeling(), Feeling::Neutral);
    let error = performer.intend(&be("peckish")).unwrap_err().to_string();
    assert!(error.contains("`formulas`"), "{error}");
}

#[test]
fn a_mood_starts_at_its_time_and_blends_within_a_second() {
    let mut performer = performer();
    performer.set_mood(2.0, Mood::new(Feeling::Happy, 1.0));
    performer.advance_to(2.0);
    assert_eq!(weight(&performer, "happy"), 0.0);
    performer.advance_to(2.8);
    assert!((weight(&performer, "happy") - 0.7).abs() < 1e-6);
    performer.set_mood(3.0, Mood::new(Feeling::Sad, 0.5));
    performer.advance_to(3.4);
    let [happy, sad] = ["happy", "sad"].map(|name| weight(&performer, name));
    assert!((0.3..0.4).contains(&happy) && sad > 0.1, "a blend during the change: {happy} {sad}");
}

/// The lids have one owner: what a smile has closed is not closed twice.
#[test]
fn a_smile_and_a_blink_do_not_over_close_an_eye() {
    let mut performer = performer();
    performer.eyes();
    performer.set_mood(0.0, Mood::new(Feeling::Happy, 1.0));
    performer.eyes().blink(BlinkIntent { at: 2.0, ..BlinkIntent::default() });
    let mut most: f32 = 0.0;
    for frame in 0..1200 {
        performer.advance_to(f64::from(frame) / 240.0);
        let closed = 0.5 * weight(&performer, "happy") + weight(&performer, "blinkLeft");
        assert!(closed <= 1.0 + 1e-5, "closed by {closed} at {}", performer.frame().time());
        most = most.max(closed);
    }
    assert!(most > 0.99, "the blink closes the eye");
    // At rest, only the smile and the tint of the mood show: happy eyes are as open as others.
    assert!(weight(&performer, "blinkLeft") < 0.05);
}

#[test]
fn surprise_reduces_blinks_and_sadness_lowers_lids() {
    let blinks = |mood: Option<Feeling>| {
        let mut performer = performer();
        performer.eyes().start_idle_behaviour(0.0);
        if let Some(feeling) = mood {
            performer.set_mood(0.0, Mood::new(feeling, 1.0));
        }
        let (mut count, mut was_shut) = (0, false);
        for frame in 0..60 * 60 * 20 {
            performer.advance_to(f64::from(frame) / 60.0);
            let is_shut = weight(&performer, "blinkLeft") > 0.6;
            count += i32::from(is_shut && !was_shut);
            was_shut = is_shut;
        }
        f64::from(count)
    };
    let (usual, surprised) = (blinks(None), blinks(Some(Feeling::Surprised)));
    // 20 minutes have about 300 blinks; those evoked by gaze shifts do not depend on the mood.
    assert!(surprised < 0.85 * usual && surprised > 0.45 * usual, "{surprised} of {usual}");
    let open = |feeling| {
        let mut performer = performer();
        performer.eyes();
        performer.set_mood(0.0, Mood::new(feeling, 1.0));
        performer.advance_to(3.0);
        performer.gaze().expect("the rig has eyes").lids[0].aperture
    };
    assert!((open(Feeling::Sad) / open(Feeling::Neutral) - 0.85).abs() < 0.01);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn moods_are_bit_identical_at_any_frame_rate(
        moods in prop::collection::vec((0.0f64..8.0, 0_usize..6, 0.0f64..=1.0), 1..8), rate in 5.0f64..200.0
    ) {
        let make = || {
            let mut performer = performer();
            performer.eyes().start_idle_behaviour(0.0);
            performer.breathe(0.0, 1.0);
            for (at, feeling, intensity) in &moods {
                performer.set_mood(*at, Mood::new(Feeling::ALL[*feeling], *intensity));
            }
            performer
        };
        let (mut each, mut jump) = (make(), make());
        let mut last = each.advance_to(0.0).clone();
        for frame in 0..(10.0 * rate) as u32 {
            let t = f64::from(frame) / rate;
            let now = each.advance_to(t).clone();
            for mood in 0..5 {
                let speed = f64::from((now.weights()[mood] - last.weights()[mood]).abs()) * rate;
                prop_assert!(speed < 2.6, "{} at {}", speed, t);
            }
            last = now;
        }
        prop_assert_eq!(each.advance_to(10.0), jump.advance_to(10.0));
    }
}
