//! `suggest` on clips that other people made, whose names say what they are.
//!
//! How names become labels, agreed here once:
//!
//! - Rocketbox calls what is done on purpose `gestic_*` (and `wave`), so these are gestures, the listening
//!   ones among them: `listen_accept` nods, `listen_deny` shakes the head, and in `listen_neutral` both
//!   hands come up from the sides again and again. `idle_breathe` and `idle_neutral` are what a character
//!   can stand in for long: stances. The other `idle_*` are fidgets.
//! - A hand is named if the clip takes it away from where the stance has it. Heads and trunks that move
//!   alone (accept, deny, laugh, look around) have none. A shrug is both, even where only the shoulders
//!   move; `thoughtful` is both, because one hand is at the chin and the other arm carries it;
//!   `presentation_left` is the left, which goes nearly twice as far as the right.
//! - The names say nothing of the hands of `listen_neutral` and `thoughtful`; these two labels are ours, by
//!   the motion.

#![allow(clippy::print_stderr, reason = "tests say what they skip and measure")]

mod vary;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::{BoneSet, Rig};
use vivant_learn::suggest::{Known, Labelled, Suggestion, Type, suggest};

const NONE: Option<Hand> = None;
const L: Option<Hand> = Some(Hand::Left);
const R: Option<Hand> = Some(Hand::Right);
const LR: Option<Hand> = Some(Hand::Both);

type Label = (&'static str, Type, Option<Hand>);

const ROCKETBOX: [Label; 14] = [
    ("f_gestic_laugh_low", Type::Gesture, NONE),
    ("f_gestic_listen_accept_01", Type::Gesture, NONE),
    ("f_gestic_listen_deny_01", Type::Gesture, NONE),
    ("f_gestic_listen_neutral_03", Type::Gesture, LR),
    ("f_gestic_presentation_left_01", Type::Gesture, L),
    ("f_gestic_shrug_01", Type::Gesture, LR),
    ("f_gestic_shrug_02", Type::Gesture, LR),
    ("f_gestic_thoughtful_01", Type::Gesture, LR),
    ("f_idle_breathe_01", Type::Stance, NONE),
    ("f_idle_look_around_01", Type::Fidget, NONE),
    ("f_idle_move_01", Type::Fidget, NONE),
    ("f_idle_neutral_02", Type::Stance, NONE),
    ("f_sit_chair_gestic_shrug_01", Type::Gesture, LR),
    ("f_wave_01", Type::Gesture, R),
];

const STARTER: [Label; 11] = [
    ("idle_breathe", Type::Stance, NONE),
    ("weight_shift_left", Type::Fidget, NONE),
    ("weight_shift_right", Type::Fidget, NONE),
    ("look_around", Type::Fidget, NONE),
    ("nod", Type::Gesture, NONE),
    ("shake", Type::Gesture, NONE),
    ("wave", Type::Gesture, R),
    ("shrug", Type::Gesture, LR),
    ("explain", Type::Gesture, LR),
    ("chin_touch", Type::Gesture, LR),
    ("stretch", Type::Fidget, LR),
];

/// Types by CMU's index, which says nothing of hands: those are by the measured ways of the wrists, so that
/// they test the types and the bookkeeping, not the rule for hands. 140_06, “Idle”, is known to be missed: the
/// actor drops into a fighter's crouch and bounces.
const CMU: [Label; 10] = [
    ("13_14", Type::Gesture, LR),
    ("140_06", Type::Stance, NONE),
    ("141_16", Type::Gesture, R),
    ("18_08", Type::Gesture, LR),
    ("18_10", Type::Gesture, LR),
    ("19_08", Type::Gesture, LR),
    ("19_10", Type::Gesture, LR),
    ("22_21", Type::Gesture, LR),
    ("23_21", Type::Gesture, R),
    ("80_48", Type::Gesture, LR),
];

/// The clips of `RobotExpressive.glb` that a talking character could use.
const ROBOT: [Label; 6] = [
    ("No", Type::Gesture, NONE),
    ("Yes", Type::Gesture, NONE),
    ("Wave", Type::Gesture, R),
    ("ThumbsUp", Type::Gesture, R),
    ("Sitting", Type::Transition, NONE),
    ("Standing", Type::Transition, NONE),
];

#[derive(Clone)]
struct Sample {
    label: Label,
    clip: Clip,
}

fn data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("VIVANT_DATA");
    if root.is_none() {
        eprintln!("skipped: VIVANT_DATA is not set");
    }
    root.map(|root| Path::new(&root).join(path))
}

fn read(file: &Path) -> vivant_io::Import {
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    vivant_io::import(&file.display().to_string(), &bytes, &mut |_| unreachable!()).unwrap()
}

fn labelled(folder: &str, ending: &str, labels: &[Label]) -> Option<Vec<Sample>> {
    let folder = data(folder)?;
    let sample = |label: &Label| {
        let clip = read(&folder.join(format!("{}.{ending}", label.0))).clips.swap_remove(0);
        Sample { label: *label, clip }
    };
    Some(labels.iter().map(sample).collect())
}

/// Files are read once for all tests.
fn rocketbox() -> Option<Vec<Sample>> {
    static ONCE: OnceLock<Option<Vec<Sample>>> = OnceLock::new();
    ONCE.get_or_init(|| labelled("mocap/fbx_rocketbox", "fbx", &ROCKETBOX)).clone()
}

fn cmu() -> Option<Vec<Sample>> {
    static ONCE: OnceLock<Option<Vec<Sample>>> = OnceLock::new();
    ONCE.get_or_init(|| labelled("mocap/bvh_cmu", "bvh", &CMU)).clone()
}

fn starter() -> Vec<Sample> {
    let named = |clip: Clip| {
        let label = STARTER.into_iter().find(|label| label.0 == clip.name())?;
        Some(Sample { label, clip })
    };
    vivant_mannequin::starter_clips().into_iter().filter_map(named).collect()
}

/// The rest of the starter repertoire, with the labels of its authors. It was made after the first thresholds
/// were set, which got 35 of 67 right; the rules for small movements were then made with these clips in sight.
///
/// Labels that people could dispute, all taken as they are: `lean_in` and `lean_back` as gestures (a lean can be
/// a fidget), `tilt_question` as a gesture, `look_down` and `neck_roll` as fidgets, `reclasp` as a fidget where
/// `clasped_beat` is a gesture. `knee_right` and `knee_left` move a knee by 4° and the hips by 1 cm; they are
/// known to be missed, because people who stand and breathe move as much.
fn other_stances() -> Vec<Sample> {
    let repertoire = vivant_mannequin::starter_repertoire();
    let name = |clip: &str| clip.trim_start_matches("builtin#").to_owned();
    let mut labels: Vec<(String, Type, Option<Hand>)> = Vec::new();
    for stance in &repertoire.stances {
        labels.extend(stance.clip.iter().map(|clip| (name(clip), Type::Stance, NONE)));
        labels.extend(stance.gestures.iter().map(|a| (name(&a.clip), Type::Gesture, a.hand)));
        labels.extend(stance.fidgets.iter().map(|a| (name(&a.clip), Type::Fidget, a.hand)));
        let ways = stance.transitions.iter().filter_map(|t| Some((name(t.clip.as_deref()?), t.hand)));
        labels.extend(ways.map(|(name, hand)| (name, Type::Transition, hand)));
    }
    let sample = |clip: Clip| {
        let (name, kind, hand) = labels.iter().find(|label| label.0 == clip.name())?.clone();
        let is_seen = STARTER.iter().any(|label| label.0 == name);
        // Labels are for the whole run of the test.
        (!is_seen).then(|| Sample { label: (String::leak(name), kind, hand), clip })
    };
    vivant_mannequin::starter_clips().into_iter().filter_map(sample).collect()
}

fn robot() -> Option<Vec<Sample>> {
    let import = read(&data("avatars/glb/RobotExpressive.glb")?);
    let named = |label: &Label| {
        let clip = import.clips.iter().find(|c| c.name() == label.0).unwrap().clone();
        Sample { label: *label, clip }
    };
    Some(ROBOT.iter().map(named).collect())
}

fn ask(samples: &[Sample], rig: &Rig) -> Vec<Suggestion> {
    let clips: Vec<_> = samples.iter().map(|s| Labelled { name: s.label.0, clip: &s.clip }).collect();
    suggest(&clips, &[], rig)
}

/// How many have both type and hand right; prints a table of them.
fn right(title: &str, samples: &[Sample], rig: &Rig, table: bool) -> usize {
    let mut count = 0;
    for (found, Sample { label: (name, kind, hand), .. }) in ask(samples, rig).iter().zip(samples) {
        let good = found.kind.value == *kind && found.hand.value == *hand;
        count += usize::from(good);
        if table || !good {
            let letters = |hand: Option<Hand>| hand.map_or("-", Hand::letters);
            eprintln!(
                "{} {title} {name:30} {:10} {:.2} {:2} {:.2} {:12} (is {} {}) {}",
                if good { " " } else { "!" },
                found.kind.value.name(),
                found.kind.confidence,
                letters(found.hand.value),
                found.hand.confidence,
                found.stance.value,
                kind.name(),
                letters(*hand),
                found.tags.join(" "),
            );
        }
    }
    eprintln!("{title}: {count} of {} have type and hand right", samples.len());
    count
}

fn check_share(title: &str, samples: &[Sample], rig: &Rig) {
    let count = right(title, samples, rig, false);
    assert!(count * 100 >= samples.len() * 85, "{title}: only {count} of {}", samples.len());
}

#[test]
fn rocketbox_clips_get_their_type_and_hand() {
    let Some(samples) = rocketbox() else { return };
    let count = right("rocketbox", &samples, &vivant_mannequin::rig(), true);
    assert!(count * 100 >= samples.len() * 85, "only {count} of {} are right", samples.len());
    // Yes and no are said by heads alone: a shrug is neither, however the head goes along.
    for (found, Sample { label: (name, ..), .. }) in
        ask(&samples, &vivant_mannequin::rig()).iter().zip(&samples)
    {
        let has = |tag: &str| found.tags.iter().any(|own| own == tag);
        assert_eq!(has("positive"), name.contains("accept"), "{name}: {:?}", found.tags);
        assert_eq!(has("negative"), name.contains("deny"), "{name}: {:?}", found.tags);
    }
}

#[test]
fn starter_clips_get_their_type_and_hand() {
    let samples = starter();
    assert_eq!(right("starter", &samples, &vivant_mannequin::rig(), true), samples.len());
}

#[test]
fn clips_of_other_stances_get_their_type_and_hand() {
    let samples = other_stances();
    assert!(samples.len() > 60, "{}", samples.len());
    let count = right("other stances", &samples, &vivant_mannequin::rig(), false);
    assert!(count * 100 >= samples.len() * 95, "only {count} of {}", samples.len());
}

#[test]
fn clips_of_other_stances_may_vary_too() {
    let (samples, rig) = (other_stances(), vivant_mannequin::rig());
    let check = |title: &str, vary: &dyn Fn(&Clip) -> Clip| {
        check_share(&format!("other stances, {title}"), &varied(&samples, vary), &rig);
    };
    for (title, factor) in
        [("20 % slower", 1.2), ("20 % faster", 0.8), ("40 % slower", 1.4), ("40 % faster", 0.6)]
    {
        check(title, &|c| vary::stretched(c, factor));
    }
    check("15 Hz", &|c| c.resampled(15.0).unwrap());
    check("noise of 0.5°", &|c| vary::noisy(c, 0.5));
    check("noise of 1° at 120 Hz", &|c| vary::noisy(&c.resampled(120.0).unwrap(), 1.0));
    check("2 s of rest around it", &|c| vary::padded(c, 2.0));
    check("backwards", &vary::reversed);
    check("smaller by 25 %", &|c| vary::scaled(c, 0.75));
    check("greater by 25 %", &|c| vary::scaled(c, 1.25));
}

/// A stance's name, its layers, and how it looks.
type Posed = (String, Vec<Layer>, Pose);

fn starter_stances() -> Vec<Posed> {
    let (rig, clips) = (vivant_mannequin::rig(), vivant_mannequin::starter_clips());
    let posed = |stance: &vivant::body::repertoire::Stance| {
        let name = stance.clip.as_deref()?.trim_start_matches("builtin#");
        let clip = clips.iter().find(|clip| clip.name() == name)?;
        let mut pose = Pose::default();
        clip.sample(stance.start, &mut pose, &mut []);
        let neutral = Pose::neutral(&rig);
        for bone in BoneSet::ALL.minus(clip.bones()).iter() {
            pose.rotations.set(bone, neutral.rotations.get(bone));
        }
        Some((stance.name.clone(), stance.layers.clone(), pose))
    };
    vivant_mannequin::starter_repertoire().stances.iter().filter_map(posed).collect()
}

#[test]
fn transitions_between_known_stances_get_both_of_their_names() {
    let stances = starter_stances();
    let known: Vec<_> =
        stances.iter().map(|(name, layers, pose)| Known { name, layers, pose: *pose }).collect();
    let samples: Vec<Sample> = starter().into_iter().chain(other_stances()).collect();
    let clips: Vec<_> = samples.iter().map(|s| Labelled { name: s.label.0, clip: &s.clip }).collect();
    let found = suggest(&clips, &known, &vivant_mannequin::rig());
    let (mut count, mut ends) = (0, 0);
    for (found, Sample { label: (name, kind, hand), .. }) in found.iter().zip(&samples) {
        let good = (found.kind.value, found.hand.value) == (*kind, *hand);
        count += usize::from(good);
        let end = found.end_stance.as_ref().map_or("", |end| end.value.as_str());
        if let Some((from, to)) = name.split_once("_to_") {
            ends += usize::from((found.stance.value.as_str(), end) == (from, to));
            if (found.stance.value.as_str(), end) != (from, to) {
                eprintln!("! {name}: {} to {end} on {:?}", found.stance.value, found.layers);
            }
        }
        if !good {
            eprintln!("! with known stances, {name} is a {}: {}", found.kind.value.name(), found.reasons);
        }
    }
    let ways = samples.iter().filter(|s| s.label.0.contains("_to_")).count();
    eprintln!("with known stances {count} of {} are right, and {ends} of {ways} ends", samples.len());
    assert!(
        count * 100 >= samples.len() * 95 && ends == ways,
        "{count} of {}, {ends} of {ways}",
        samples.len()
    );
}

/// Stances have no event in them wherever they are cut, as long as the cut is longer than a glance.
#[test]
fn parts_of_a_stance_are_mostly_stances() {
    let rig = vivant_mannequin::rig();
    let (mut count, mut all) = (0, 0);
    for sample in everything().into_iter().filter(|s| s.label.1 == Type::Stance) {
        let starts = (0..40).map(|n| 0.5 * f64::from(n));
        for (secs, from) in
            [3.0, 4.0, 5.0, 6.0, 8.0].into_iter().flat_map(|s| starts.clone().map(move |f| (s, f)))
        {
            if from + secs > sample.clip.duration() {
                continue;
            }
            let clip = vary::part(&sample.clip, from, from + secs);
            let found = suggest(&[Labelled { name: sample.label.0, clip: &clip }], &[], &rig);
            all += 1;
            count += usize::from(found[0].kind.value == Type::Stance);
        }
    }
    eprintln!("parts of stances: {count} of {all} are stances");
    assert!(count * 100 >= all * 75, "only {count} of {all}");
}

#[test]
fn recorded_conversations_are_gestures() {
    let Some(samples) = cmu() else { return };
    check_share("cmu", &samples, &vivant_mannequin::rig());
}

#[test]
fn a_robot_is_understood_too() {
    let Some(samples) = robot() else { return };
    check_share("robot", &samples, &vivant_mannequin::rig());
}

/// Every sample that there is: the starter clips always, the others with the data.
fn everything() -> Vec<Sample> {
    starter().into_iter().chain(rocketbox().into_iter().flatten()).collect()
}

fn varied(samples: &[Sample], vary: impl Fn(&Clip) -> Clip) -> Vec<Sample> {
    samples.iter().map(|s| Sample { label: s.label, clip: vary(&s.clip) }).collect()
}

#[test]
fn what_is_slower_faster_noisier_or_sampled_otherwise_is_the_same() {
    let (samples, rig) = (everything(), vivant_mannequin::rig());
    check_share("slower by 40 %", &varied(&samples, |c| vary::stretched(c, 1.4)), &rig);
    check_share("in 60 % of the time", &varied(&samples, |c| vary::stretched(c, 0.6)), &rig);
    for rate in [15.0, 24.0, 120.0] {
        check_share(&format!("{rate} Hz"), &varied(&samples, |c| c.resampled(rate).unwrap()), &rig);
    }
    check_share("noise of 0.5°", &varied(&samples, |c| vary::noisy(c, 0.5)), &rig);
    check_share(
        "noise of 1° at 120 Hz",
        &varied(&samples, |c| vary::noisy(&c.resampled(120.0).unwrap(), 1.0)),
        &rig,
    );
    check_share("2 s of rest around it", &varied(&samples, |c| vary::padded(c, 2.0)), &rig);
    check_share("backwards", &varied(&samples, vary::reversed), &rig);
    check_share("smaller by 25 %", &varied(&samples, |c| vary::scaled(c, 0.75)), &rig);
    check_share("greater by 25 %", &varied(&samples, |c| vary::scaled(c, 1.25)), &rig);
}

#[test]
fn elsewhere_on_the_stage_and_facing_another_way_is_the_same() {
    let (samples, rig) = (everything(), vivant_mannequin::rig());
    let moved = varied(&samples, |c| vary::placed(c, 2.5));
    for (a, b) in ask(&samples, &rig).iter().zip(ask(&moved, &rig)) {
        assert_eq!(
            (a.kind.value, a.hand.value, &a.stance.value),
            (b.kind.value, b.hand.value, &b.stance.value),
            "{}",
            a.clip
        );
    }
}

#[test]
fn on_other_skeletons_it_is_the_same() {
    let samples = everything();
    let avatars =
        ["avatars/vrm0/Godette.vrm", "avatars/fbx/Male_Adult_01_facial.fbx", "avatars/fbx/Seed-san.fbx"];
    for avatar in avatars {
        let Some(file) = data(avatar) else { return };
        let import = read(&file);
        let rig = import.humanoid.as_ref().expect("a humanoid").rig();
        check_share(avatar, &varied(&samples, |c| c.fitted_to(rig).0), rig);
        check_share(
            &format!("{avatar} seen on the mannequin"),
            &varied(&samples, |c| c.fitted_to(rig).0),
            &vivant_mannequin::rig(),
        );
    }
}

#[test]
fn in_the_mirror_only_the_hand_changes() {
    let mut samples = everything();
    samples.extend(cmu().into_iter().flatten());
    samples.extend(other_stances());
    let rig = vivant_mannequin::rig();
    let mirrored = varied(&samples, vary::mirrored);
    for (a, b) in ask(&samples, &rig).iter().zip(ask(&mirrored, &rig)) {
        let other = match a.hand.value {
            Some(Hand::Left) => R,
            Some(Hand::Right) => L,
            same => same,
        };
        assert_eq!((b.kind.value, b.hand.value), (a.kind.value, other), "{}", a.clip);
        assert!((a.kind.confidence - b.kind.confidence).abs() < 0.02, "{}", a.clip);
        assert!((a.start - b.start).abs() < 0.05 && (a.end - b.end).abs() < 0.05, "{}", a.clip);
    }
}

#[test]
fn an_arm_that_is_kept_still_is_not_named() {
    let samples: Vec<Sample> = everything()
        .into_iter()
        // A shrug is of both shoulders, and what nobody does with the hands has no hand to lose.
        .filter(|s| s.label.2 == LR && !s.label.0.contains("shrug"))
        .collect();
    let rig = vivant_mannequin::rig();
    for (arm, hand) in [(BoneSet::LEFT_ARM, R), (BoneSet::RIGHT_ARM, L)] {
        for found in ask(&varied(&samples, |c| vary::frozen(c, arm)), &rig) {
            assert_eq!(found.hand.value, hand, "{}: {}", found.clip, found.reasons);
        }
    }
}

#[test]
fn a_hand_at_the_face_is_a_fidget_unless_the_other_arm_makes_a_thinker_of_it() {
    let thinkers: Vec<Sample> = everything()
        .into_iter()
        .filter(|s| s.label.0.contains("thoughtful") || s.label.0 == "chin_touch")
        .collect();
    let rig = vivant_mannequin::rig();
    for found in ask(&thinkers, &rig) {
        assert_eq!(
            (found.kind.value, found.tags),
            (Type::Gesture, vec!["thinking".to_owned()]),
            "{}",
            found.clip
        );
    }
    for found in ask(&varied(&thinkers, |c| vary::frozen(c, BoneSet::LEFT_ARM)), &rig) {
        assert_eq!(
            (found.kind.value, found.tags),
            (Type::Fidget, vec!["self-touch".to_owned()]),
            "{}",
            found.clip
        );
    }
}

#[test]
fn half_a_gesture_is_a_transition() {
    let rig = vivant_mannequin::rig();
    let halves = [("chin_touch", 2.0), ("f_gestic_thoughtful_01", 5.0)];
    for sample in everything() {
        let Some((_, secs)) = halves.into_iter().find(|(name, _)| *name == sample.label.0) else { continue };
        let into = vary::part(&sample.clip, 0.0, secs);
        let out = vary::reversed(&into);
        let clips = [Labelled { name: "into", clip: &into }, Labelled { name: "out", clip: &out }];
        let found = suggest(&clips, &[], &rig);
        let way =
            |s: &Suggestion| (s.kind.value, s.stance.value.clone(), s.end_stance.clone().map(|g| g.value));
        assert_eq!(way(&found[0]), (Type::Transition, "standing".into(), Some("hand-at-head".into())));
        assert_eq!(way(&found[1]), (Type::Transition, "hand-at-head".into(), Some("standing".into())));
    }
}

#[test]
fn the_t_pose_before_a_cmu_recording_is_cut() {
    let Some(samples) = cmu() else { return };
    let rig = vivant_mannequin::rig();
    for (found, sample) in ask(&samples, &rig).iter().zip(&samples) {
        let frame = 1.0 / sample.clip.rate();
        assert!(found.start >= frame * 0.999, "{} starts at {}", found.clip, found.start);
        let mut pose = Pose::default();
        sample.clip.sample(found.start, &mut pose, &mut []);
        let model = pose.model_transforms(&rig);
        let at = |bone: vivant::rig::Bone| model[bone.index()].translation;
        let (left, right) = (at(vivant::rig::Bone::LeftHand), at(vivant::rig::Bone::RightHand));
        assert!(left.distance(right) < 1.0, "{} starts with the arms stretched out", found.clip);
        assert!(found.reasons.contains("do not belong"), "{}: {}", found.clip, found.reasons);
    }
}

#[test]
fn sitting_and_standing_clips_are_told_apart() {
    let Some(samples) = rocketbox() else { return };
    for found in ask(&samples, &vivant_mannequin::rig()) {
        let expected = if found.clip.contains("_sit_") { "sitting" } else { "standing" };
        assert_eq!(found.stance.value, expected, "{}", found.clip);
        assert!(found.stance.confidence > 0.8, "{}", found.clip);
    }
}
