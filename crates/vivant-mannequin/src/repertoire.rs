//! The repertoire of the built-in character: stances and their actions.
//!
//! Clips alone do not say when a character may use them. [`starter_repertoire`] assigns each clip of the starter set to
//! its stance as an idle loop, gesture, fidget or transition, with hands, tags and likelihood from the same text files
//! that define the motions. It computes poses, because the hand labels of generated transitions depend on them, but it
//! compiles no clips. Clips are referred to as `builtin#name`.

use crate::compile::Stage;
use crate::rig::rig;
use crate::score::{Piece, PieceKind, Score};
use crate::stances::{hands, transition_name};
use crate::starter::{generated_transitions, score};
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition};

/// Returns the repertoire of the built-in character, which uses the clips of [`starter_clips`](crate::starter_clips).
/// It has nine stances of body and arms, and three stances of the head. Both parts start in their first stance.
///
/// Large movements that attract attention are less likely than small ones. Shaking the head is also less likely,
/// since it would mean a “no” that nobody intended.
#[must_use]
pub fn starter_repertoire() -> Repertoire {
    let (rig, score) = (rig(), score());
    let stage = Stage::new(&rig, &score);
    let stances = (0..stage.stances.len()).map(|index| stance(&stage, &score, index));
    Repertoire { stances: stances.collect(), ..Repertoire::default() }
}

fn stance(stage: &Stage<'_>, score: &Score, index: usize) -> Stance {
    let text = stage.stances[index].text;
    let pieces = || score.pieces.iter().filter(|piece| piece.stance == text.name);
    let of_kind = |kind: PieceKind| pieces().filter(move |p| p.kind == kind).map(action).collect();
    let written = pieces().filter_map(transition);
    let transitions =
        generated_transitions(stage, score).filter(|(from, _)| *from == index).map(|(from, to)| {
            let [from, to] = [&stage.stances[from], &stage.stances[to]];
            let clip = built_in(&transition_name(&from.text.name, &to.text.name));
            Transition { hand: hands(stage, from, to), ..Transition::new(&to.text.name, Some(clip)) }
        });
    Stance {
        layers: text.layers.clone(),
        gestures: of_kind(PieceKind::Gesture),
        fidgets: of_kind(PieceKind::Fidget),
        transitions: written.chain(transitions).collect(),
        ..Stance::new(&text.name, Some(built_in(&text.name)))
    }
}

fn action(piece: &Piece) -> Action {
    Action {
        hand: piece.hand,
        tags: piece.tags.clone(),
        likelihood: piece.likelihood,
        layers: piece.layers.clone(),
        ..Action::new(built_in(&piece.name))
    }
}

fn transition(piece: &Piece) -> Option<Transition> {
    let PieceKind::Transition(to) = &piece.kind else { return None };
    let transition = Transition::new(to, Some(built_in(&piece.name)));
    Some(Transition {
        hand: piece.hand,
        tags: piece.tags.clone(),
        likelihood: piece.likelihood,
        ..transition
    })
}

fn built_in(clip: &str) -> String {
    format!("builtin#{clip}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rig, starter_clips};
    use vivant::body::layers::Layer;
    use vivant::body::repertoire::short_name;
    use vivant::clip::Clip;
    use vivant::math::angle_between;
    use vivant::pose::Pose;
    use vivant::rig::{Bone, BoneSet};

    fn clip<'a>(clips: &'a [Clip], spelled: &str) -> &'a Clip {
        let name = short_name(spelled);
        clips.iter().find(|clip| clip.name() == name).unwrap_or_else(|| panic!("no clip {spelled}"))
    }

    /// Returns the largest deviation of a frame from a pose: rotations in degrees, and the position of the hips in
    /// centimetres.
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
        let (repertoire, score) = (starter_repertoire(), score());
        let stage = Stage::new(&rig, &score);
        for stance in &repertoire.stances {
            let pose = stage.stance(&stance.name).pose;
            check(stance.clip.as_ref().unwrap(), &pose, &pose);
            for action in stance.gestures.iter().chain(&stance.fidgets) {
                check(&action.clip, &pose, &pose);
            }
            for transition in &stance.transitions {
                check(transition.clip.as_ref().unwrap(), &pose, &stage.stance(&transition.to).pose);
            }
        }
    }

    /// A clip must not move bones outside its layers, because it would conflict with clips on other layers.
    #[test]
    fn every_clip_moves_what_its_layer_moves() {
        let clips = starter_clips();
        for stance in starter_repertoire().stances {
            let actions = stance.gestures.iter().chain(&stance.fidgets).map(|a| (&a.clip, &a.layers));
            let all = Vec::new();
            let transitions = stance.transitions.iter().filter_map(|transition| transition.clip.as_ref());
            for (spelled, layers) in actions.chain(transitions.chain(&stance.clip).map(|clip| (clip, &all))) {
                let layers = if layers.is_empty() { &stance.layers } else { layers };
                let clip = clip(&clips, spelled);
                let moves = |bone: &Bone| {
                    (1..clip.frames())
                        .any(|f| angle_between(clip.rotation(0, *bone), clip.rotation(f, *bone)) > 1e-3)
                };
                let moved: BoneSet = Bone::ALL.into_iter().filter(moves).collect();
                let may = |bone: &Bone| layers.iter().any(|layer| layer.influence().contains(*bone));
                let foreign: Vec<Bone> = moved.iter().filter(|bone| !may(bone)).collect();
                assert!(foreign.is_empty(), "{spelled} on {layers:?} moves {foreign:?}");
            }
        }
    }

    /// There are nine stances of body and arms, three stances of the head, and a transition between any two stances
    /// of the same layers.
    #[test]
    fn every_stance_has_transitions_to_all_others() {
        let stances = starter_repertoire().stances;
        for (layers, count) in [(&[Layer::Body, Layer::Arms][..], 9), (&[Layer::Head], 3)] {
            let part: Vec<&Stance> = stances.iter().filter(|s| s.layers == layers).collect();
            assert_eq!(part.len(), count, "{layers:?}");
            for from in &part {
                let transitions =
                    |to: &str| from.transitions.iter().filter(|transition| transition.to == to).count();
                for to in &part {
                    assert_eq!(
                        transitions(&to.name),
                        usize::from(from.name != to.name),
                        "{} {}",
                        from.name,
                        to.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_clip_except_idle_breathe_is_used_once() {
        let mut used: Vec<String> = Vec::new();
        for stance in starter_repertoire().stances {
            used.extend(stance.clip);
            used.extend(stance.gestures.into_iter().chain(stance.fidgets).map(|action| action.clip));
            used.extend(stance.transitions.into_iter().filter_map(|transition| transition.clip));
        }
        for clip in starter_clips() {
            let spelled = built_in(clip.name());
            let times = used.iter().filter(|other| **other == spelled).count();
            assert_eq!(times, usize::from(clip.name() != "idle_breathe"), "{spelled}");
        }
    }
}
