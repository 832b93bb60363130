//! What the built-in character can do, as a repertoire: stances, and what is done in each.

use crate::stances::{Held, WAYS};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Action, Hand, Repertoire, Stance, Transition};

/// A clip, its hand, its tags and how likely it is.
type Entry = (&'static str, Option<Hand>, &'static [&'static str], f64);

const L: Option<Hand> = Some(Hand::Left);
const R: Option<Hand> = Some(Hand::Right);
const LR: Option<Hand> = Some(Hand::Both);

/// The repertoire of the built-in character, over the clips of [`starter_clips`](crate::starter_clips):
/// legs, arms and head have stances of their own, and each begins with its first.
///
/// Large movements that draw the eye are less likely than small ones, and so is a shake of the head, which says
/// no where nobody meant it.
#[must_use]
pub fn starter_repertoire() -> Repertoire {
    Repertoire { stances: Held::ALL.into_iter().map(stance).collect(), ..Repertoire::default() }
}

fn stance(held: Held) -> Stance {
    let actions = |entries: &[Entry]| entries.iter().map(action).collect::<Vec<_>>();
    let [gestures, fidgets] = entries(held);
    Stance {
        layers: vec![held.layer()],
        gestures: actions(gestures),
        fidgets: actions(fidgets),
        transitions: WAYS.into_iter().filter(|(from, ..)| *from == held).map(transition).collect(),
        ..Stance::new(held.name(), Some(built_in(held.name())))
    }
}

fn action((clip, hand, tags, likelihood): &Entry) -> Action {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Action { hand: *hand, tags, likelihood: *likelihood, ..Action::new(built_in(clip)) }
}

fn transition((from, to, clip): (Held, Held, &str)) -> Transition {
    let hand = match (from.layer(), from, to) {
        (Layer::Arms, Held::HandOnHip, _) | (Layer::Arms, _, Held::HandOnHip) => R,
        (Layer::Arms, ..) => LR,
        _ => None,
    };
    Transition { hand, ..Transition::new(to.name(), Some(built_in(clip))) }
}

fn built_in(clip: &str) -> String {
    format!("builtin#{clip}")
}

/// Gestures and fidgets of a stance.
const fn entries(held: Held) -> [&'static [Entry]; 2] {
    match held {
        Held::Standing => [
            &[
                ("lean_in", None, &["emphasis", "interest"], 0.5),
                ("lean_back", None, &["negative", "surprise"], 0.3),
            ],
            &[
                ("rock", None, &[], 1.0),
                ("weight_shift_left", None, &[], 0.7),
                ("weight_shift_right", None, &[], 0.7),
            ],
        ],
        Held::WeightLeft => [&[], &[("knee_right", None, &[], 1.0)]],
        Held::WeightRight => [&[], &[("knee_left", None, &[], 1.0)]],
        Held::Relaxed => [RELAXED_GESTURES, RELAXED_FIDGETS],
        Held::HandsClasped => [
            &[("clasped_open", LR, &["beat", "explain"], 1.0), ("clasped_beat", LR, &["beat"], 1.0)],
            &[("thumb_fidget", LR, &[], 1.0), ("reclasp", LR, &[], 0.7)],
        ],
        Held::HandOnHip => [
            &[("hip_beat", L, &["beat"], 1.0), ("hip_present", L, &["deictic", "explain"], 0.7)],
            &[("hip_settle", R, &[], 1.0), ("hip_swing", L, &[], 1.0)],
        ],
        Held::ArmsFolded => [
            &[("folded_beat", R, &["beat"], 1.0), ("folded_shrug", LR, &["unsure"], 0.5)],
            &[("finger_tap", R, &["impatient"], 1.0), ("folded_settle", LR, &[], 1.0)],
        ],
        Held::HeadStraight => [
            &[
                ("nod", None, &["positive", "agree"], 1.0),
                ("nod_once", None, &["positive", "agree", "beat"], 1.0),
                ("shake", None, &["negative", "disagree"], 0.02),
                ("tilt_question", None, &["question", "interest"], 0.7),
            ],
            &[("look_around", None, &[], 0.5), ("look_down", None, &[], 0.7), ("neck_roll", None, &[], 0.2)],
        ],
        Held::HeadTiltedLeft => [
            &[
                ("nod_tilted_left", None, &["positive", "agree"], 1.0),
                ("nods_tilted_left", None, &["positive", "agree"], 1.0),
                ("shake_tilted_left", None, &["negative", "disagree"], 0.02),
            ],
            &[],
        ],
        Held::HeadTiltedRight => [
            &[
                ("nod_tilted_right", None, &["positive", "agree"], 1.0),
                ("nods_tilted_right", None, &["positive", "agree"], 1.0),
                ("shake_tilted_right", None, &["negative", "disagree"], 0.02),
            ],
            &[],
        ],
    }
}

const RELAXED_GESTURES: &[Entry] = &[
    ("beat_right", R, &["beat"], 1.0),
    ("beat_left", L, &["beat"], 0.8),
    ("beat_both", LR, &["beat", "emphasis"], 0.8),
    ("explain", LR, &["beat", "explain"], 1.0),
    ("present_right", R, &["deictic", "explain"], 0.7),
    ("present_left", L, &["deictic", "explain"], 0.5),
    ("point_right", R, &["deictic", "there"], 0.3),
    ("point_left", L, &["deictic", "there"], 0.3),
    ("me", R, &["deictic", "self"], 0.4),
    ("thumbs_up", R, &["positive", "agree"], 0.3),
    ("wave", R, &["greeting", "positive"], 0.2),
    ("shrug", LR, &["unsure"], 0.4),
    ("halt", R, &["negative", "stop"], 0.2),
    ("dismiss", R, &["negative"], 0.3),
];

const RELAXED_FIDGETS: &[Entry] = &[
    ("arm_swing", LR, &[], 1.0),
    ("sleeve", LR, &[], 0.7),
    ("chin_touch", LR, &["thinking"], 0.6),
    ("neck_rub", R, &["unsure"], 0.5),
    ("stretch", LR, &[], 0.15),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rig, starter_clips};
    use vivant::body::repertoire::short_name;
    use vivant::clip::Clip;
    use vivant::math::angle_between;
    use vivant::pose::Pose;
    use vivant::rig::{Bone, BoneSet};

    fn clip<'a>(clips: &'a [Clip], spelled: &str) -> &'a Clip {
        let name = short_name(spelled);
        clips.iter().find(|clip| clip.name() == name).unwrap_or_else(|| panic!("no clip {spelled}"))
    }

    /// By how many degrees, and how many metres at the hips, a frame is not in a pose.
    fn off(clip: &Clip, frame: usize, pose: &Pose) -> f32 {
        let bones =
            Bone::ALL.map(|b| angle_between(clip.rotation(frame, b), pose.rotations.get(b)).to_degrees());
        bones.into_iter().fold(100.0 * clip.root(frame).distance(pose.root), f32::max)
    }

    #[test]
    fn every_clip_starts_and_ends_in_its_stances() {
        let (rig, clips) = (rig(), starter_clips());
        let check = |spelled: &str, from: &Pose, to: &Pose| {
            let clip = clip(&clips, spelled);
            let last = clip.frames() - 1;
            assert!(off(clip, 0, from) < 0.06, "{spelled} starts {} off", off(clip, 0, from));
            assert!(off(clip, last, to) < 0.06, "{spelled} ends {} off", off(clip, last, to));
            for frame in [0, last] {
                assert!(clip.weights(frame).iter().all(|w| w.abs() < 1e-6), "{spelled}");
            }
        };
        let repertoire = starter_repertoire();
        for (held, stance) in Held::ALL.into_iter().zip(&repertoire.stances) {
            let pose = held.pose(&rig);
            check(stance.clip.as_ref().unwrap(), &pose, &pose);
            for action in stance.gestures.iter().chain(&stance.fidgets) {
                check(&action.clip, &pose, &pose);
            }
            for way in &stance.transitions {
                let to = Held::ALL.into_iter().find(|held| held.name() == way.to).unwrap();
                check(way.clip.as_ref().unwrap(), &pose, &to.pose(&rig));
            }
        }
    }

    /// A clip of one part that moved another would fight with what is played there.
    #[test]
    fn every_clip_moves_what_its_layer_moves() {
        let clips = starter_clips();
        for (held, stance) in Held::ALL.into_iter().zip(starter_repertoire().stances) {
            let actions = stance.gestures.iter().chain(&stance.fidgets).map(|action| &action.clip);
            let ways = stance.transitions.iter().filter_map(|way| way.clip.as_ref());
            for spelled in actions.chain(ways).chain(&stance.clip) {
                let clip = clip(&clips, spelled);
                let moves = |bone: &Bone| {
                    (1..clip.frames())
                        .any(|f| angle_between(clip.rotation(0, *bone), clip.rotation(f, *bone)) > 1e-3)
                };
                let moved: BoneSet = Bone::ALL.into_iter().filter(moves).collect();
                let foreign: Vec<Bone> =
                    moved.iter().filter(|b| !held.layer().influence().contains(*b)).collect();
                assert!(foreign.is_empty(), "{spelled} on {:?} moves {foreign:?}", held.layer());
            }
        }
    }

    #[test]
    fn every_stance_can_be_reached_and_left() {
        let stances = starter_repertoire().stances;
        for layer in Layer::ALL {
            let part: Vec<&Stance> = stances.iter().filter(|s| s.layers == [layer]).collect();
            assert!(part.len() >= 3, "{layer:?}");
            for from in &part {
                let mut seen = vec![from.name.as_str()];
                let mut next = 0;
                while next < seen.len() {
                    let stance = part.iter().find(|s| s.name == seen[next]).expect("a stance of this part");
                    for way in &stance.transitions {
                        if !seen.contains(&way.to.as_str()) {
                            seen.push(&way.to);
                        }
                    }
                    next += 1;
                }
                assert_eq!(seen.len(), part.len(), "from {} one reaches {seen:?}", from.name);
            }
        }
    }

    #[test]
    fn every_clip_but_the_old_breath_is_used_once() {
        let mut used: Vec<String> = Vec::new();
        for stance in starter_repertoire().stances {
            used.extend(stance.clip);
            used.extend(stance.gestures.into_iter().chain(stance.fidgets).map(|action| action.clip));
            used.extend(stance.transitions.into_iter().filter_map(|way| way.clip));
        }
        for clip in starter_clips() {
            let spelled = built_in(clip.name());
            let times = used.iter().filter(|other| **other == spelled).count();
            assert_eq!(times, usize::from(clip.name() != "idle_breathe"), "{spelled}");
        }
    }
}
