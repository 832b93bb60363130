//! Whether labels say who really moves.

use crate::stances::wrists_in_chest;
use crate::{rig, starter_clips, starter_repertoire};
use vivant::body::repertoire::{Hand, Stance, short_name};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// How far an arm goes from where it starts, at most.
#[derive(Clone, Copy, Debug)]
struct Moved {
    /// The wrist, seen from the chest, in centimetres.
    wrist_cm: f32,
    /// The same of where it is at the end.
    end_cm: f32,
    /// The finger that moves most, in degrees over its three joints.
    finger_deg: f32,
    /// The shoulder against the chest, in degrees.
    shoulder_deg: f32,
}

/// The shoulder, and the first joint of the first finger: three for each follow.
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

/// Whether a hand does something: it goes 1.5 cm, which breath does not make, or a finger bends, or it
/// belongs to a shoulder that is drawn up.
fn does(moved: &Moved) -> bool {
    moved.wrist_cm > 1.5 || moved.finger_deg > 12.0 || moved.shoulder_deg > 6.0
}

/// Whether a hand at most goes along with the other, which does it: it goes less than 1 / 1.6 as far, as in `suggest`.
fn goes_along(moved: &Moved, other: &Moved) -> bool {
    moved.wrist_cm <= (other.wrist_cm / 1.6).max(1.5) && moved.finger_deg <= other.finger_deg.max(12.0)
}

/// Whether a hand does so little that the other does it alone.
fn is_left_behind(moved: &Moved, other: &Moved) -> bool {
    moved.wrist_cm < other.wrist_cm / 4.0
}

/// Whether a hand rests: heads and trunks that move take it 3 cm along.
fn rests(moved: &Moved) -> bool {
    moved.wrist_cm < 3.2 && moved.finger_deg < 12.0
}

fn is_true(hand: Option<Hand>, [left, right]: &[Moved; 2]) -> bool {
    match hand {
        None => rests(left) && rests(right),
        Some(Hand::Left) => does(left) && goes_along(right, left),
        Some(Hand::Right) => does(right) && goes_along(left, right),
        Some(Hand::Both) => {
            does(left) && does(right) && !is_left_behind(left, right) && !is_left_behind(right, left)
        }
    }
}

/// On the way to another stance a hand takes part if it ends elsewhere.
fn is_true_way(hand: Option<Hand>, moved: &[Moved; 2]) -> bool {
    let named =
        [matches!(hand, Some(Hand::Left | Hand::Both)), matches!(hand, Some(Hand::Right | Hand::Both))];
    [0, 1].into_iter().all(|side| named[side] == (moved[side].end_cm > 5.0))
}

/// Says which labels of a stance are not true.
fn faults(stance: &Stance, clips: &[Clip], rig: &Rig) -> Vec<String> {
    let actions = stance.gestures.iter().chain(&stance.fidgets).map(|a| (a.clip.as_str(), a.hand, false));
    let ways = stance.transitions.iter().filter_map(|way| Some((way.clip.as_deref()?, way.hand, true)));
    let fault = |(spelled, hand, is_way): (&str, Option<Hand>, bool)| {
        let clip = clips.iter().find(|clip| clip.name() == short_name(spelled))?;
        let moved = moved(rig, clip);
        let good = if is_way { is_true_way(hand, &moved) } else { is_true(hand, &moved) };
        let letters = hand.map_or("none", Hand::letters);
        (!good).then(|| format!("{} says {letters}: {moved:.1?}", clip.name()))
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
