//! Tests that hand labels match the actual motion.

use crate::stances::wrists_in_chest;
use crate::{rig, starter_clips, starter_repertoire};
use vivant::body::repertoire::{Hand, Stance, short_name};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// The maximum movement of an arm from its start.
#[derive(Clone, Copy, Debug)]
struct Moved {
    /// Movement of the wrist relative to the chest, in centimetres.
    wrist_cm: f32,
    /// Movement of the wrist from start to end, in centimetres.
    end_cm: f32,
    /// Movement of the finger that moves most, in degrees over its three joints.
    finger_deg: f32,
    /// Rotation of the shoulder relative to the chest, in degrees.
    shoulder_deg: f32,
}

/// The shoulder and the first thumb bone of each side; the other finger bones follow, three for each.
const ARMS: [(Bone, Bone); 2] =
    [(Bone::LeftShoulder, Bone::LeftThumbMetacarpal), (Bone::RightShoulder, Bone::RightThumbMetacarpal)];

fn moved(rig: &Rig, clip: &Clip) -> [Moved; 2] {
    let last = clip.frames() - 1;
    let pose = |frame: usize| Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
    let wrists: Vec<_> = (0..=last).map(|frame| wrists_in_chest(rig, &pose(frame))).collect();
    let turned = |frame: usize, bone: Bone| {
        angle_between(clip.rotation(0, bone), clip.rotation(frame, bone)).to_degrees()
    };
    let finger = |frame: usize, first: usize| -> f32 {
        Bone::ALL[first..first + 3].iter().map(|joint| turned(frame, *joint)).sum()
    };
    let most = |of: &dyn Fn(usize) -> f32| (0..=last).map(of).fold(0.0, f32::max);
    [0, 1].map(|side| {
        let (shoulder, thumb) = ARMS[side];
        let off_cm = |frame: usize| 100.0 * wrists[frame][side].distance(wrists[0][side]);
        Moved {
            wrist_cm: most(&off_cm),
            end_cm: off_cm(last),
            finger_deg: most(&|frame| {
                (0..5).map(|k| finger(frame, thumb.index() + 3 * k)).fold(0.0, f32::max)
            }),
            shoulder_deg: most(&|frame| turned(frame, shoulder)),
        }
    })
}

/// Returns true if a hand is active: it moves more than 1.5 cm (breathing moves it less), or a finger bends, or its
/// shoulder is raised.
fn is_active(moved: &Moved) -> bool {
    moved.wrist_cm > 1.5 || moved.finger_deg > 12.0 || moved.shoulder_deg > 6.0
}

/// Returns true if a hand only accompanies the other: it moves at most 1 / 1.6 as far. The same ratio is used in
/// `suggest`.
fn accompanies(moved: &Moved, other: &Moved) -> bool {
    moved.wrist_cm <= (other.wrist_cm / 1.6).max(1.5) && moved.finger_deg <= other.finger_deg.max(12.0)
}

/// Returns true if a hand moves so little that the other hand acts alone.
fn is_passive(moved: &Moved, other: &Moved) -> bool {
    moved.wrist_cm < other.wrist_cm / 4.0
}

/// Returns true if a hand rests; moving head and trunk can shift it by 3 cm.
fn rests(moved: &Moved) -> bool {
    moved.wrist_cm < 3.2 && moved.finger_deg < 12.0
}

fn is_correct(hand: Option<Hand>, [left, right]: &[Moved; 2]) -> bool {
    match hand {
        None => rests(left) && rests(right),
        Some(Hand::Left) => is_active(left) && accompanies(right, left),
        Some(Hand::Right) => is_active(right) && accompanies(left, right),
        Some(Hand::Both) => {
            is_active(left) && is_active(right) && !is_passive(left, right) && !is_passive(right, left)
        }
    }
}

/// Returns true if the hand label of a transition is correct: it must name the hands that end in another place.
fn is_correct_transition(hand: Option<Hand>, moved: &[Moved; 2]) -> bool {
    let named =
        [matches!(hand, Some(Hand::Left | Hand::Both)), matches!(hand, Some(Hand::Right | Hand::Both))];
    [0, 1].into_iter().all(|side| named[side] == (moved[side].end_cm > 5.0))
}

/// Returns messages about the wrong hand labels of a stance's actions and transitions.
fn faults(stance: &Stance, clips: &[Clip], rig: &Rig) -> Vec<String> {
    let actions = stance.gestures.iter().chain(&stance.fidgets).map(|a| (a.clip.as_str(), a.hand, false));
    let ways = stance.transitions.iter().filter_map(|way| Some((way.clip.as_deref()?, way.hand, true)));
    let fault = |(spelled, hand, is_transition): (&str, Option<Hand>, bool)| {
        let clip = clips.iter().find(|clip| clip.name() == short_name(spelled))?;
        let moved = moved(rig, clip);
        let good = if is_transition { is_correct_transition(hand, &moved) } else { is_correct(hand, &moved) };
        let letters = hand.map_or("none", Hand::letters);
        (!good).then(|| format!("{} is labelled {letters}: {moved:.1?}", clip.name()))
    };
    actions.chain(ways).filter_map(fault).collect()
}

#[test]
fn every_hand_label_names_the_arms_that_move() {
    let (rig, clips) = (rig(), starter_clips());
    let stances = starter_repertoire().stances;
    let faults: Vec<String> = stances.iter().flat_map(|stance| faults(stance, &clips, &rig)).collect();
    assert!(faults.is_empty(), "{} labels:\n{}", faults.len(), faults.join("\n"));
}
