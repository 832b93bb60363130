use super::*;
use crate::body::stand_in;
use crate::math::{angle_between, rotation_vector};
use crate::rig::RigParts;
use proptest::prelude::*;

fn face(names: &[&str]) -> Rig {
    let channels = names.iter().map(|name| Channel::from((*name).to_owned())).collect();
    Rig::new(RigParts { channels, ..RigParts::default() })
}

fn any_mood() -> impl Strategy<Value = Mood> {
    (0_usize..6, 0.0f64..=1.0).prop_map(|(feeling, intensity)| Mood::new(Feeling::ALL[feeling], intensity))
}

fn shown(moods: &Moods, t: f64, channels: usize) -> (Rotations, Vec<f32>) {
    let (mut rotations, mut weights) = (Rotations::IDENTITY, vec![0.0; channels]);
    moods.add(t, &mut rotations, &mut weights);
    (rotations, weights)
}

#[test]
fn names_are_read_back() {
    for feeling in Feeling::ALL {
        assert_eq!(Feeling::from_name(feeling.name()), Some(feeling));
    }
    assert_eq!(Feeling::from_name("hungry"), None);
    assert_eq!(Mood::new(Feeling::Sad, f64::NAN).intensity(), DEFAULT_INTENSITY);
    assert_eq!(Mood::new(Feeling::Sad, 7.0).intensity(), 1.0);
}

#[test]
fn the_face_is_what_the_avatar_has() {
    let mut presets = Moods::new(&face(&["happy", "sad"]));
    presets.be(1.0, Mood::new(Feeling::Happy, 1.0));
    assert_eq!(shown(&presets, 1.0, 2).1, [0.0, 0.0]);
    let halfway = shown(&presets, 1.4, 2).1;
    assert!((halfway[0] - 0.35).abs() < 1e-6 && halfway[1] == 0.0, "{halfway:?}");
    assert_eq!(shown(&presets, 1.8, 2).1, [0.7, 0.0]);
    // With ARKit's muscles alone, they do it.
    let mut muscles =
        Moods::new(&face(&["mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight"]));
    muscles.be(1.0, Mood::new(Feeling::Happy, 0.5));
    let weights = shown(&muscles, 3.0, 4).1;
    assert!(
        (weights[0] - 0.7 * 0.5 * 0.8).abs() < 1e-6 && (weights[2] - 0.7 * 0.5 * 0.4).abs() < 1e-6,
        "{weights:?}"
    );
    // And without a face, only the body shows it.
    let mut none = Moods::new(&stand_in::rig());
    none.be(1.0, Mood::new(Feeling::Sad, 1.0));
    assert!(shown(&none, 3.0, 0).0 != Rotations::IDENTITY);
}

#[test]
fn who_is_sad_hangs_the_head_and_who_is_happy_holds_it_up() {
    let pitch = |feeling| {
        let mut moods = Moods::new(&stand_in::rig());
        moods.be(0.0, Mood::new(feeling, 1.0));
        let (rotations, _) = shown(&moods, 2.0, 0);
        TRUNK.map(|bone| rotation_vector(rotations.get(bone)).x.to_degrees())
    };
    let sad = pitch(Feeling::Sad);
    for (found, wanted) in sad.iter().zip(Tint::of(Feeling::Sad).trunk_deg) {
        assert!((f64::from(*found) - wanted).abs() < 0.02, "{sad:?}");
    }
    assert!(pitch(Feeling::Happy).iter().sum::<f32>() < -3.0);
    assert_eq!(pitch(Feeling::Neutral), [0.0; 4]);
}

#[test]
fn what_is_no_time_is_ignored() {
    let mut moods = Moods::new(&stand_in::rig());
    moods.be(f64::NAN, Mood::new(Feeling::Sad, 1.0));
    moods.be(f64::INFINITY, Mood::new(Feeling::Sad, 1.0));
    assert_eq!(moods.mood(), Mood::default());
    moods.be(0.0, Mood::new(Feeling::Sad, 1.0));
    assert_eq!(shown(&moods, f64::NAN, 0).0, Rotations::IDENTITY);
}

proptest! {
    #[test]
    fn nothing_jumps_whatever_is_felt_when(
        changes in prop::collection::vec((0.0f64..1.5, any_mood()), 1..20)
    ) {
        const STEP: f64 = 1.0 / 240.0;
        let channels = ["happy", "angry", "sad", "relaxed", "surprised"];
        let parts = RigParts {
            rest_positions: [Bone::Hips, Bone::Spine, Bone::Chest, Bone::Neck, Bone::Head, Bone::LeftShoulder]
                .map(|bone| (bone, glam::Vec3::Y)).to_vec(),
            channels: channels.map(|name| Channel::from(name.to_owned())).to_vec(),
            ..RigParts::default()
        };
        let mut moods = Moods::new(&Rig::new(parts));
        let (mut t, mut last) = (0.0, shown(&moods, 0.0, 5));
        for (after, mood) in changes.iter().chain([&(3.0, Mood::default())]) {
            let until = t + after;
            while t < until {
                let now = shown(&moods, t, 5);
                for (a, b) in last.1.iter().zip(&now.1) {
                    // Full weight in 0.8 s by a quintic has a speed of 1.875 / 0.8; a change of mind a little more.
                    prop_assert!(f64::from((a - b).abs()) / STEP < 2.6, "{} to {} at {}", a, b, t);
                    prop_assert!((0.0..=1.0).contains(b));
                }
                for bone in Bone::ALL {
                    let angle = angle_between(last.0.get(bone), now.0.get(bone)).to_degrees();
                    prop_assert!(f64::from(angle) / STEP < 30.0, "{}°/s", f64::from(angle) / STEP);
                }
                (last, t) = (now, t + STEP);
            }
            moods.be(t, *mood);
        }
        let ended = shown(&moods, t + FADE_SECS + 0.01, 5);
        prop_assert_eq!(ended.1, vec![0.0; 5]);
    }

    /// Only when somebody feels something matters, not who looks when.
    #[test]
    fn frames_do_not_matter_and_no_intensity_is_no_mood(
        changes in prop::collection::vec((0.01f64..1.5, any_mood()), 1..10), looks in prop::collection::vec(0.0f64..20.0, 0..20)
    ) {
        let make = |none: bool, looks: &[f64]| {
            let (mut moods, mut at) = (Moods::new(&stand_in::rig()), 0.0);
            for (after, mood) in &changes {
                at += after;
                for look in looks.iter().filter(|look| **look < at) {
                    shown(&moods, *look, 0);
                }
                moods.be(at, if none { Mood::new(mood.feeling(), 0.0) } else { *mood });
            }
            (moods, at)
        };
        let ((a, at), (b, _), (none, _)) = (make(false, &looks), make(false, &[]), make(true, &looks));
        for i in 0..50 {
            let t = at + f64::from(i) * 0.03;
            prop_assert_eq!(shown(&a, t, 0), shown(&b, t, 0));
            prop_assert_eq!(shown(&none, t, 0).0, Rotations::IDENTITY);
        }
    }
}
