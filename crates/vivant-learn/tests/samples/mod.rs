//! Clips whose names describe them, with their labels.
//!
//! How names become labels:
//!
//! - Rocketbox names deliberate movements `gestic_*` (and `wave`), so these are gestures, including the listening
//!   ones: `listen_accept` nods, `listen_deny` shakes the head, and in `listen_neutral` both hands come up from the
//!   sides repeatedly. `idle_breathe` and `idle_neutral` can be held for long and are stances. The other `idle_*` are
//!   fidgets.
//! - A hand is named if the clip moves it away from its position in the stance. Head-only and trunk-only movements
//!   (accept, deny, laugh, look around) have no hand. A shrug has both hands, even if only the shoulders move.
//!   `thoughtful` has both, because one hand is at the chin and the other arm supports it. `presentation_left` has
//!   the left hand, which moves nearly twice as far as the right.
//! - The names do not describe the hands of `listen_neutral` and `thoughtful`; these two labels are ours, from the
//!   motion.

use std::path::Path;
use std::sync::OnceLock;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::BoneSet;
use vivant_learn::suggest::Type;

pub(crate) const NONE: Option<Hand> = None;
pub(crate) const L: Option<Hand> = Some(Hand::Left);
pub(crate) const R: Option<Hand> = Some(Hand::Right);
pub(crate) const LR: Option<Hand> = Some(Hand::Both);

pub(crate) type Label = (&'static str, Type, Option<Hand>);

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

/// Types from CMU's index, which does not mention hands: those come from the measured wrist movement, so they test
/// the types but not the rule for hands. 140_06, “Idle”, is a known miss: the actor drops into a fighter's crouch and
/// bounces.
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

/// Clips of `RobotExpressive.glb` that suit a talking character.
const ROBOT: [Label; 6] = [
    ("No", Type::Gesture, NONE),
    ("Yes", Type::Gesture, NONE),
    ("Wave", Type::Gesture, R),
    ("ThumbsUp", Type::Gesture, R),
    ("Sitting", Type::Transition, NONE),
    ("Standing", Type::Transition, NONE),
];

#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) label: Label,
    pub(crate) clip: Clip,
}

pub(crate) fn read(file: &Path) -> vivant_io::Import {
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    vivant_io::import(&file.display().to_string(), &bytes, &mut |_| unreachable!()).unwrap()
}

fn labelled(folder: &str, ending: &str, labels: &[Label]) -> Option<Vec<Sample>> {
    let folder = vivant_testing::data(folder)?;
    let sample = |label: &Label| {
        let clip = read(&folder.join(format!("{}.{ending}", label.0))).clips.swap_remove(0);
        Sample { label: *label, clip }
    };
    Some(labels.iter().map(sample).collect())
}

/// Files are read once for all tests.
pub(crate) fn rocketbox() -> Option<Vec<Sample>> {
    static ONCE: OnceLock<Option<Vec<Sample>>> = OnceLock::new();
    ONCE.get_or_init(|| labelled("mocap/fbx_rocketbox", "fbx", &ROCKETBOX)).clone()
}

pub(crate) fn cmu() -> Option<Vec<Sample>> {
    static ONCE: OnceLock<Option<Vec<Sample>>> = OnceLock::new();
    ONCE.get_or_init(|| labelled("mocap/bvh_cmu", "bvh", &CMU)).clone()
}

pub(crate) fn starter() -> Vec<Sample> {
    let named = |clip: Clip| {
        let label = STARTER.into_iter().find(|label| label.0 == clip.name())?;
        Some(Sample { label, clip })
    };
    vivant_mannequin::starter_clips().into_iter().filter_map(named).collect()
}

/// Returns the rest of the starter repertoire, with the labels of its authors.
///
/// Debatable labels, all taken as they are: `lean_in` and `lean_back` as gestures (a lean can be a fidget),
/// `tilt_question` as a gesture, `look_down` and `neck_roll` as fidgets, `reclasp` as a fidget where `clasped_beat`
/// is a gesture, and `chin_tap` as a gesture where the similar `chin_drum` is a fidget. `knee_right` and `knee_left`
/// move a knee by 4° and the hips by 1 cm; they are known misses, because standing and breathing people move as much.
pub(crate) fn other_stances() -> Vec<Sample> {
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
        // Labels live as long as the test.
        (!is_seen).then(|| Sample { label: (String::leak(name), kind, hand), clip })
    };
    vivant_mannequin::starter_clips().into_iter().filter_map(sample).collect()
}

/// Returns the group of a clip for the split into halves. Mirrored clips, the same clips in other stances, and both
/// directions of a transition are in one group.
fn stem(name: &str) -> String {
    if let Some((from, to)) = name.split_once("_to_") {
        let (a, b) = (from.min(to), from.max(to));
        return format!("{a}_{b}").replace("right", "left");
    }
    let stances = starter_stances();
    let plain = name.trim_end_matches("_left").trim_end_matches("_right");
    let stance = stances.iter().find_map(|(stance, ..)| plain.strip_suffix(&format!("_{stance}")));
    stance.unwrap_or(plain).to_owned()
}

/// Returns true for the half that was not inspected while the rules were written for the last 250 clips: by a hash
/// (FNV-1a) of its stem.
pub(crate) fn is_unseen(sample: &Sample) -> bool {
    let hash = stem(sample.label.0)
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.count_ones() % 2 == 1
}

pub(crate) fn robot() -> Option<Vec<Sample>> {
    let import = read(&vivant_testing::data("avatars/glb/RobotExpressive.glb")?);
    let named = |label: &Label| {
        let clip = import.clips.iter().find(|c| c.name() == label.0).unwrap().clone();
        Sample { label: *label, clip }
    };
    Some(ROBOT.iter().map(named).collect())
}

/// Name, layers and pose of a stance.
pub(crate) type Posed = (String, Vec<Layer>, Pose);

pub(crate) fn starter_stances() -> Vec<Posed> {
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
