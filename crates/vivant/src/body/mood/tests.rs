use super::*;
use crate::body::test_rig;
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
fn feelings_are_found_by_name() {
    for feeling in Feeling::ALL {
        assert_eq!(Feeling::from_name(feeling.name()), Some(feeling));
    }
    assert_eq!(Feeling::from_name("hungry"), None);
    assert_eq!(Mood::new(Feeling::Sad, f64::NAN).intensity(), DEFAULT_INTENSITY);
    assert_eq!(Mood::new(Feeling::Sad, 7.0).intensity(), 1.0);
}

#[test]
fn moods_use_the_expressions_of_the_avatar() {
    let mut presets = Moods::new(&face(&["happy", "sad"]));
    presets.set(1.0, Mood::new(Feeling::Happy, 1.0));
    assert_eq!(shown(&presets, 1.0, 2).1, [0.0, 0.0]);
    let halfway = shown(&presets, 1.4, 2).1;
    assert!((halfway[0] - 0.35).abs() < 1e-6 && halfway[1] == 0.0, "{halfway:?}");
    assert_eq!(shown(&presets, 1.8, 2).1, [0.7, 0.0]);
    // An avatar with only ARKit blend shapes uses those.
    let mut muscles =
        Moods::new(&face(&["mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight"]));
    muscles.set(1.0, Mood::new(Feeling::Happy, 0.5));
    let weights = shown(&muscles, 3.0, 4).1;
    assert!(
        (weights[0] - 0.7 * 0.5 * 0.8).abs() < 1e-6 && (weights[2] - 0.7 * 0.5 * 0.4).abs() < 1e-6,
        "{weights:?}"
    );
    // Without expressions, only the body shows the mood.
    let mut none = Moods::new(&test_rig::rig());
    none.set(1.0, Mood::new(Feeling::Sad, 1.0));
    assert!(shown(&none, 3.0, 0).0 != Rotations::IDENTITY);
}

#[test]
fn sadness_lowers_the_head_and_happiness_raises_it() {
    let pitch = |feeling| {
        let mut moods = Moods::new(&test_rig::rig());
        moods.set(0.0, Mood::new(feeling, 1.0));
        let (rotations, _) = shown(&moods, 2.0, 0);
        TRUNK.map(|bone| rotation_vector(rotations.get(bone)).x.to_degrees())
    };
    let sad = pitch(Feeling::Sad);
    for (found, wanted) in sad.iter().zip(MoodEffects::of(Feeling::Sad).trunk_deg) {
        assert!((f64::from(*found) - wanted).abs() < 0.02, "{sad:?}");
    }
    assert!(pitch(Feeling::Happy).iter().sum::<f32>() < -3.0);
    assert_eq!(pitch(Feeling::Neutral), [0.0; 4]);
}

#[test]
fn invalid_times_are_ignored() {
    let mut moods = Moods::new(&test_rig::rig());
    moods.set(f64::NAN, Mood::new(Feeling::Sad, 1.0));
    moods.set(f64::INFINITY, Mood::new(Feeling::Sad, 1.0));
    assert_eq!(moods.mood(), Mood::default());
    moods.set(0.0, Mood::new(Feeling::Sad, 1.0));
    assert_eq!(shown(&moods, f64::NAN, 0).0, Rotations::IDENTITY);
}

proptest! {
    #[test]
    fn mood_changes_never_jump(
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
                    // A quintic that reaches full weight in 0.8 s has a maximum speed of 1.875 / 0.8; an interrupted
                    // change is a little faster.
                    prop_assert!(f64::from((a - b).abs()) / STEP < 2.6, "{} to {} at {}", a, b, t);
                    prop_assert!((0.0..=1.0).contains(b));
                }
                for bone in Bone::ALL {
                    let angle = angle_between(last.0.get(bone), now.0.get(bone)).to_degrees();
                    prop_assert!(f64::from(angle) / STEP < 30.0, "{}°/s", f64::from(angle) / STEP);
                }
                (last, t) = (now, t + STEP);
            }
            moods.set(t, *mood);
        }
        let ended = shown(&moods, t + FADE_SECS + 0.01, 5);
        prop_assert_eq!(ended.1, vec![0.0; 5]);
    }

    /// Only the times of mood changes matter, not when frames are requested.
    #[test]
    fn moods_do_not_depend_on_frames_and_zero_intensity_has_no_effect(
        changes in prop::collection::vec((0.01f64..1.5, any_mood()), 1..10), looks in prop::collection::vec(0.0f64..20.0, 0..20)
    ) {
        let make = |none: bool, looks: &[f64]| {
            let (mut moods, mut at) = (Moods::new(&test_rig::rig()), 0.0);
            for (after, mood) in &changes {
                at += after;
                for look in looks.iter().filter(|look| **look < at) {
                    shown(&moods, *look, 0);
                }
                moods.set(at, if none { Mood::new(mood.feeling(), 0.0) } else { *mood });
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
