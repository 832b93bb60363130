use super::*;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Rig, RigParts};
use crate::speech::phone::Phone;
use glam::Vec3;
use proptest::prelude::*;

fn phoneme(name: &str, from: f64, to: f64) -> Segment {
    Segment { phone: Phone::arpabet(name).unwrap(), stress: Stress::Primary, from, to, loudness: 1.0 }
}

/// Phonemes of `secs` seconds each, in sequence.
fn phonemes(names: &str, secs: f64) -> Vec<Segment> {
    let at = |i: usize| i as f64 * secs;
    names.split(' ').enumerate().map(|(i, name)| phoneme(name, at(i), at(i + 1))).collect()
}

fn mouth_of(phonemes: &[Segment]) -> Mouth {
    let mut mouth = Mouth::default();
    mouth.say(-9.0, 0.0, 0, phonemes);
    mouth
}

#[test]
fn each_phoneme_shows_its_viseme_in_the_middle() {
    let check = |name: &str, viseme: Viseme| {
        let mouth = mouth_of(&phonemes(&format!("AX {name} AX"), 0.15));
        let shape = mouth.shape(0.225);
        let best = Viseme::ALL.into_iter().max_by(|a, b| shape.weight(*a).total_cmp(&shape.weight(*b)));
        assert_eq!(best, Some(viseme), "{name}: {shape:?}");
    };
    for phone in Phone::all().filter(|phone| phone.visemes().len() == 1) {
        check(phone.name(), phone.visemes()[0]);
    }
}

#[test]
fn a_diphthong_moves_from_one_viseme_to_another() {
    let mouth = mouth_of(&[phoneme("AW", 0.0, 0.3)]);
    assert!(mouth.shape(0.08).weight(Viseme::Aa) > 0.6);
    assert!(mouth.shape(0.24).weight(Viseme::Ou) > 0.6);
}

#[test]
fn the_mouth_starts_before_a_phoneme_and_rests_after_it() {
    let mouth = mouth_of(&[phoneme("AA", 1.0, 1.2)]);
    assert_eq!(mouth.shape(1.0 - REACH_SECS), MouthShape::REST);
    assert!(mouth.shape(0.98).weight(Viseme::Aa) > 0.3);
    assert_eq!(mouth.shape(1.2 + REACH_SECS), MouthShape::REST);
    assert_eq!(mouth.ends(), Some(1.2));
}

#[test]
fn silence_within_a_line_is_rest() {
    let mouth = mouth_of(&phonemes("AA SIL AA", 0.3));
    assert_eq!(mouth.shape(0.45), MouthShape::REST);
}

#[test]
fn phonemes_with_non_finite_times_are_ignored() {
    let mouth = mouth_of(&[phoneme("AA", f64::NAN, 1.0), phoneme("AA", 0.0, f64::INFINITY)]);
    assert_eq!((mouth.ends(), mouth.shape(0.5)), (None, MouthShape::REST));
}

#[test]
fn memory_stays_bounded_in_long_speech() {
    let mut mouth = Mouth::default();
    for line in 0..5000_u32 {
        let at = f64::from(line);
        mouth.say(at, at, u64::from(line), &phonemes("HH AX L OW", 0.1));
    }
    assert!(mouth.targets.capacity() < 64, "{}", mouth.targets.capacity());
}

/// Fastest change of a weight per second: a ramp of 70 ms between two plateaus, plus the residual.
const MAX_SPEED: f64 = 60.0;

fn any_phonemes() -> impl Strategy<Value = Vec<Segment>> {
    let each = (0..Phone::COUNT, 0.02..0.3f64, 0.0..0.2f64);
    prop::collection::vec(each, 1..20).prop_map(|steps| {
        let mut at = 0.0;
        let mut phonemes = Vec::new();
        for (phone, secs, gap) in steps {
            let from = at + if gap > 0.15 { gap } else { 0.0 };
            let phone = Phone::all().nth(phone).unwrap();
            phonemes.push(Segment { phone, stress: Stress::Primary, from, to: from + secs, loudness: 1.0 });
            at = from + secs;
        }
        phonemes
    })
}

proptest! {
    #[test]
    fn lips_meet_in_every_bilabial(phonemes in any_phonemes()) {
        let mouth = mouth_of(&phonemes);
        for phoneme in phonemes.iter().filter(|phoneme| phoneme.phone.visemes() == [Viseme::Pp]) {
            let shape = mouth.shape(0.5 * (phoneme.from + phoneme.to));
            prop_assert!(shape.weight(Viseme::Pp) > 0.999, "{phoneme:?}: {shape:?}");
        }
    }

    /// Whenever and however phonemes are revised, no weight jumps or leaves its range.
    #[test]
    fn revisions_cause_no_jumps(
        phonemes in any_phonemes(),
        revisions in prop::collection::vec((any_phonemes(), 0.0..3.0f64, 0.0..0.3f64, any::<bool>()), 0..5),
    ) {
        let mut revisions = revisions;
        revisions.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut mouth = mouth_of(&phonemes);
        let mut last = mouth.shape(-0.5);
        let mut next = revisions.into_iter().peekable();
        for step in 0..4000 {
            let t = -0.5 + f64::from(step) * 1e-3;
            while let Some((phonemes, at, later, is_hushed)) = next.next_if(|revision| revision.1 <= t) {
                if is_hushed { mouth.hush(at) } else { mouth.say(at, at + later - 0.15, 0, &phonemes) }
            }
            let shape = mouth.shape(t);
            for (viseme, (a, b)) in last.0.iter().zip(shape.0).enumerate() {
                prop_assert!(f64::from((b - a).abs()) < MAX_SPEED * 1e-3, "{viseme} at {t}: {a} {b}");
                prop_assert!((0.0..=1.0).contains(&b));
            }
            last = shape;
        }
    }

    /// Earlier versions of a line do not matter after the blend.
    #[test]
    fn earlier_versions_do_not_matter_after_the_blend(first in any_phonemes(), then in any_phonemes()) {
        let mut mouth = mouth_of(&first);
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
fn the_mouth_rests_soon_after_hush() {
    let mut mouth = mouth_of(&phonemes("AA AA AA AA", 0.3));
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
fn every_kind_of_avatar_opens_for_vowels_and_closes_for_bilabials() {
    let check = |channels: &[&str], bones: &[Bone], opens: &str| {
        let rig = rig(channels, bones);
        let shown = |t: f64| {
            let (mut rotations, mut weights) = (Rotations::IDENTITY, vec![0.0; channels.len()]);
            MouthRig::new(&rig).show(
                &mouth_of(&phonemes("AA M AA", 0.2)).shape(t),
                &mut rotations,
                &mut weights,
            );
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
fn loud_speech_opens_the_mouth_farther_and_lips_close_in_soft_speech() {
    let phoneme = |name: &str, from, to, loudness| Segment {
        phone: Phone::arpabet(name).unwrap(),
        stress: Stress::Primary,
        from,
        to,
        loudness,
    };
    let open = [0.2, 1.0].map(|loudness| {
        let mut mouth = Mouth::default();
        mouth.say(0.0, 1.0, 0, &[phoneme("M", 0.0, 0.1, loudness), phoneme("AA", 0.1, 0.4, loudness)]);
        assert!(mouth.shape(1.05).weight(Viseme::Pp) > 0.99);
        mouth.shape(1.3).weight(Viseme::Aa)
    });
    assert!(open[0] < 0.7 * open[1] && open[1] > 0.9, "{open:?}");
}
