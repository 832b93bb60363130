use super::*;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Rig, RigParts};
use crate::speech::phone::Phone;
use glam::Vec3;
use proptest::prelude::*;

fn sound(name: &str, from: f64, to: f64) -> Segment {
    Segment { phone: Phone::arpabet(name).unwrap(), stress: Stress::Primary, from, to, loudness: 1.0 }
}

/// Sounds of so many seconds each, one after another.
fn sounds(names: &str, secs: f64) -> Vec<Segment> {
    let at = |i: usize| i as f64 * secs;
    names.split(' ').enumerate().map(|(i, name)| sound(name, at(i), at(i + 1))).collect()
}

fn saying(sounds: &[Segment]) -> Mouth {
    let mut mouth = Mouth::default();
    mouth.say(-9.0, 0.0, 0, sounds);
    mouth
}

#[test]
fn each_sound_has_its_shape_in_its_middle() {
    let check = |name: &str, viseme: Viseme| {
        let mouth = saying(&sounds(&format!("AX {name} AX"), 0.15));
        let shape = mouth.shape(0.225);
        let best = Viseme::ALL.into_iter().max_by(|a, b| shape.weight(*a).total_cmp(&shape.weight(*b)));
        assert_eq!(best, Some(viseme), "{name}: {shape:?}");
    };
    for phone in Phone::all().filter(|phone| phone.visemes().len() == 1) {
        check(phone.name(), phone.visemes()[0]);
    }
}

#[test]
fn a_diphthong_goes_from_one_shape_to_another() {
    let mouth = saying(&[sound("AW", 0.0, 0.3)]);
    assert!(mouth.shape(0.08).weight(Viseme::Aa) > 0.6);
    assert!(mouth.shape(0.24).weight(Viseme::Ou) > 0.6);
}

#[test]
fn a_mouth_begins_before_its_sound_and_rests_after_it() {
    let mouth = saying(&[sound("AA", 1.0, 1.2)]);
    assert_eq!(mouth.shape(1.0 - REACH_SECS), MouthShape::REST);
    assert!(mouth.shape(0.98).weight(Viseme::Aa) > 0.3);
    assert_eq!(mouth.shape(1.2 + REACH_SECS), MouthShape::REST);
    assert_eq!(mouth.ends(), Some(1.2));
}

#[test]
fn silence_within_a_line_is_no_shape() {
    let mouth = saying(&sounds("AA SIL AA", 0.3));
    assert_eq!(mouth.shape(0.45), MouthShape::REST);
}

#[test]
fn sounds_with_times_that_are_none_are_left_out() {
    let mouth = saying(&[sound("AA", f64::NAN, 1.0), sound("AA", 0.0, f64::INFINITY)]);
    assert_eq!((mouth.ends(), mouth.shape(0.5)), (None, MouthShape::REST));
}

#[test]
fn a_day_of_speech_takes_no_memory() {
    let mut mouth = Mouth::default();
    for line in 0..5000_u32 {
        let at = f64::from(line);
        mouth.say(at, at, u64::from(line), &sounds("HH AX L OW", 0.1));
    }
    assert!(mouth.targets.capacity() < 64, "{}", mouth.targets.capacity());
}

/// The fastest that a weight changes, a second: a ramp of 70 ms between two plateaus, and what is carried on.
const FASTEST: f64 = 60.0;

fn any_sounds() -> impl Strategy<Value = Vec<Segment>> {
    let each = (0..Phone::COUNT, 0.02..0.3f64, 0.0..0.2f64);
    prop::collection::vec(each, 1..20).prop_map(|steps| {
        let mut at = 0.0;
        let mut sounds = Vec::new();
        for (phone, secs, gap) in steps {
            let from = at + if gap > 0.15 { gap } else { 0.0 };
            let phone = Phone::all().nth(phone).unwrap();
            sounds.push(Segment { phone, stress: Stress::Primary, from, to: from + secs, loudness: 1.0 });
            at = from + secs;
        }
        sounds
    })
}

proptest! {
    #[test]
    fn lips_meet_in_every_bilabial(sounds in any_sounds()) {
        let mouth = saying(&sounds);
        for sound in sounds.iter().filter(|sound| sound.phone.visemes() == [Viseme::Pp]) {
            let shape = mouth.shape(0.5 * (sound.from + sound.to));
            prop_assert!(shape.weight(Viseme::Pp) > 0.999, "{sound:?}: {shape:?}");
        }
    }

    /// Whatever is told anew, and whenever: no weight jumps, leaves its range, or is gained or lost by the whole.
    #[test]
    fn nothing_jumps_whatever_is_told_anew(
        sounds in any_sounds(),
        revisions in prop::collection::vec((any_sounds(), 0.0..3.0f64, 0.0..0.3f64, any::<bool>()), 0..5),
    ) {
        let mut revisions = revisions;
        revisions.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut mouth = saying(&sounds);
        let mut last = mouth.shape(-0.5);
        let mut next = revisions.into_iter().peekable();
        for step in 0..4000 {
            let t = -0.5 + f64::from(step) * 1e-3;
            while let Some((sounds, at, later, is_hushed)) = next.next_if(|revision| revision.1 <= t) {
                if is_hushed { mouth.hush(at) } else { mouth.say(at, at + later - 0.15, 0, &sounds) }
            }
            let shape = mouth.shape(t);
            for (viseme, (a, b)) in last.0.iter().zip(shape.0).enumerate() {
                prop_assert!(f64::from((b - a).abs()) < FASTEST * 1e-3, "{viseme} at {t}: {a} {b}");
                prop_assert!((0.0..=1.0).contains(&b));
            }
            last = shape;
        }
    }

    /// How it came to be told does not matter once it is known.
    #[test]
    fn the_same_times_are_the_same_mouth_whatever_was_told_before(first in any_sounds(), then in any_sounds()) {
        let mut mouth = saying(&first);
        mouth.say(0.5, 0.1, 0, &then);
        let mut other = Mouth::default();
        other.say(-9.0, 0.1, 0, &then);
        for step in 0..200 {
            let t = 0.5 + REVISE_SECS + f64::from(step) * 0.01;
            prop_assert_eq!(mouth.shape(t), other.shape(t));
        }
    }
}

#[test]
fn a_mouth_rests_soon_after_a_hush() {
    let mut mouth = saying(&sounds("AA AA AA AA", 0.3));
    mouth.hush(0.4);
    assert!(mouth.shape(0.401).weight(Viseme::Aa) > 0.9);
    assert_eq!(mouth.shape(0.6), MouthShape::REST);
}

fn rig(channels: &[&str], bones: &[Bone]) -> Rig {
    Rig::new(RigParts {
        rest_positions: bones.iter().map(|bone| (*bone, Vec3::Y)).collect(),
        channels: channels.iter().map(|name| Channel::from((*name).to_owned())).collect(),
        ..RigParts::default()
    })
}

#[test]
fn every_kind_of_avatar_opens_for_a_vowel_and_shuts_for_lips() {
    let check = |channels: &[&str], bones: &[Bone], opens: &str| {
        let rig = rig(channels, bones);
        let shown = |t: f64| {
            let (mut rotations, mut weights) = (Rotations::IDENTITY, vec![0.0; channels.len()]);
            MouthRig::new(&rig).show(&saying(&sounds("AA M AA", 0.2)).shape(t), &mut rotations, &mut weights);
            match channels.iter().position(|name| *name == opens) {
                Some(at) => weights[at],
                None => rotations.get(Bone::Jaw).x,
            }
        };
        assert!(shown(0.1) > 0.1, "{opens}: {}", shown(0.1));
        assert!(shown(0.3).abs() < 1e-6, "{opens}: {}", shown(0.3));
    };
    check(&["aa", "ih", "ou", "ee", "oh"], &[], "aa");
    check(
        &["jawOpen", "mouthFunnel", "mouthPucker", "mouthLowerDownLeft", "mouthLowerDownRight"],
        &[],
        "jawOpen",
    );
    let oculus: Vec<String> = Viseme::ALL.map(|viseme| format!("viseme_{}", viseme.name())).to_vec();
    check(&oculus.iter().map(String::as_str).collect::<Vec<_>>(), &[], "viseme_aa");
    check(&[], &[Bone::Head, Bone::Jaw], "");
}

#[test]
fn a_loud_voice_opens_the_mouth_farther_and_lips_meet_however_soft_it_is() {
    let sound = |name: &str, from, to, loudness| Segment {
        phone: Phone::arpabet(name).unwrap(),
        stress: Stress::Primary,
        from,
        to,
        loudness,
    };
    let open = [0.2, 1.0].map(|loudness| {
        let mut mouth = Mouth::default();
        mouth.say(0.0, 1.0, 0, &[sound("M", 0.0, 0.1, loudness), sound("AA", 0.1, 0.4, loudness)]);
        assert!(mouth.shape(1.05).weight(Viseme::Pp) > 0.99);
        mouth.shape(1.3).weight(Viseme::Aa)
    });
    assert!(open[0] < 0.7 * open[1] && open[1] > 0.9, "{open:?}");
}
