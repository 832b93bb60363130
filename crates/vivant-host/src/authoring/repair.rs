//! Repairs a copy of a repertoire in memory. The copy is used to find further errors, to draw the graph, and to
//! perform while the user fixes the errors. It is never written to disk.

use crate::character::clips::Clips;
use vivant::body::graph::{Graph, Issue};
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition};

/// The assumed duration of an unreadable clip in seconds, so large that no trim ends after it.
pub(super) const ENDLESS: f64 = 1e9;

/// Resets every field that has an error to its default. Returns `None` if a field cannot be reset.
pub(super) fn repaired(repertoire: &Repertoire, faults: &[Issue]) -> Option<Repertoire> {
    let mut repaired = repertoire.clone();
    for fault in faults.iter().filter(|fault| !fault.is_warning) {
        let place = Place::of(&fault.path)?;
        let stance = repaired.stances.get_mut(place.stance)?;
        match place.action {
            None => repair_stance(stance, place.field)?,
            Some(("gestures", at)) => repair_action(stance.gestures.get_mut(at)?, place.field),
            Some(("fidgets", at)) => repair_action(stance.fidgets.get_mut(at)?, place.field),
            Some((_, at)) => repair_transition(stance.transitions.get_mut(at)?, place.field),
        }
    }
    repaired.stances.iter_mut().for_each(fix_transitions_without_target);
    Some(repaired)
}

/// Removes unreadable clips from stances and transitions. Gestures and fidgets must have a clip, so only their trims
/// are removed, because a placeholder clip may be shorter.
pub(super) fn without_missing(repertoire: &Repertoire, clips: &Clips) -> Repertoire {
    let mut repaired = repertoire.clone();
    let is_there = |clip: &String| clips.contains_key(clip);
    for stance in &mut repaired.stances {
        stance.clip = stance.clip.take().filter(is_there);
        for transition in &mut stance.transitions {
            transition.clip = transition.clip.take().filter(is_there);
        }
        for action in stance.gestures.iter_mut().chain(&mut stance.fidgets) {
            if !is_there(&action.clip) {
                (action.start, action.end) = (0.0, None);
            }
        }
    }
    repaired
}

/// Returns the part of a repertoire that can be performed, without unreadable clips and without entries that have
/// errors. If nothing is left, the result contains only the neutral pose.
pub(crate) fn performable(repertoire: &Repertoire, clips: &Clips) -> Repertoire {
    let mut left = without_missing(repertoire, clips);
    for stance in &mut left.stances {
        stance.gestures.retain(|action| clips.contains_key(&action.clip));
        stance.fidgets.retain(|action| clips.contains_key(&action.clip));
    }
    let secs = |clip: &str| clips.get(clip).map(|clip| clip.duration());
    // Each iteration removes an entry, so the loop ends.
    while let Err(faults) = Graph::build(&left, &secs) {
        if left.stances.is_empty() || !remove_faulty(&mut left, &faults) {
            left.stances = vec![Stance::new("standing", None)];
        }
    }
    left
}

/// Removes entries that have errors. Returns true if an entry was removed.
fn remove_faulty(repertoire: &mut Repertoire, faults: &[Issue]) -> bool {
    let errors = faults.iter().filter(|fault| !fault.is_warning);
    let places: Vec<Place<'_>> = errors.filter_map(|fault| Place::of(&fault.path)).collect();
    let is_lost = |s: usize, list: &str, i: usize| {
        places.iter().any(|place| place.stance == s && place.action == Some((list, i)))
    };
    let mut lost = Vec::new();
    for (s, stance) in repertoire.stances.iter_mut().enumerate() {
        retain(&mut stance.gestures, |i| !is_lost(s, "gestures", i));
        retain(&mut stance.fidgets, |i| !is_lost(s, "fidgets", i));
        retain(&mut stance.transitions, |i| !is_lost(s, "transitions", i));
        let own = places.iter().filter(|place| place.stance == s && place.action.is_none());
        let trims_only = own.clone().all(|place| repair_stance(stance, place.field).is_some());
        if own.count() > 0 && !(trims_only && stance.clip.take().is_some()) {
            lost.push(s);
        }
    }
    retain(&mut repertoire.stances, |s| !lost.contains(&s));
    !places.is_empty()
}

fn retain<T>(list: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
    let mut at = 0..;
    list.retain(|_| at.next().is_some_and(&is_kept));
}

/// A parsed path such as `stances[1].gestures[0].clip`.
struct Place<'a> {
    stance: usize,
    action: Option<(&'a str, usize)>,
    field: &'a str,
}

impl<'a> Place<'a> {
    fn of(path: &'a str) -> Option<Self> {
        let mut parts = path.split('.');
        let ("stances", stance) = numbered(parts.next()?)? else { return None };
        let (second, third) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        Some(match numbered(second) {
            Some(action) => Self { stance, action: Some(action), field: third },
            None => Self { stance, action: None, field: second },
        })
    }
}

fn numbered(part: &str) -> Option<(&str, usize)> {
    let (list, rest) = part.split_once('[')?;
    Some((list, rest.strip_suffix(']')?.parse().ok()?))
}

/// Resets the start and end of a stance. Returns `None` if the error is in a field that cannot be repaired, such as
/// an empty or duplicate name, or layers that overlap with those of other stances.
fn repair_stance(stance: &mut Stance, field: &str) -> Option<()> {
    let is_trim = matches!(field, "clip" | "start" | "end");
    (stance.start, stance.end) = (0.0, None);
    is_trim.then_some(())
}

fn repair_action(action: &mut Action, field: &str) {
    let usual = Action::new("");
    match field {
        "layers" => action.layers.clear(),
        "blendIn" => action.blend_in = usual.blend_in,
        "blendOut" => action.blend_out = usual.blend_out,
        "likelihood" => action.likelihood = usual.likelihood,
        "tags" => action.tags.clear(),
        _ => (action.start, action.end) = (0.0, None),
    }
}

fn repair_transition(transition: &mut Transition, field: &str) {
    let usual = Transition::new("", None);
    match field {
        "to" => transition.to.clear(),
        "blendIn" => transition.blend_in = usual.blend_in,
        "blendOut" => transition.blend_out = usual.blend_out,
        "likelihood" => transition.likelihood = usual.likelihood,
        "tags" => transition.tags.clear(),
        _ => (transition.start, transition.end) = (0.0, None),
    }
}

/// Gives a transition without a target the target of another transition. The transition is not removed, so that
/// indices stay the same. If no transition has a target, all transitions are removed.
fn fix_transitions_without_target(stance: &mut Stance) {
    let somewhere = stance.transitions.iter().map(|t| t.to.clone()).find(|to| !to.is_empty());
    match somewhere {
        None => stance.transitions.clear(),
        Some(to) => {
            for lost in stance.transitions.iter_mut().filter(|t| t.to.is_empty()) {
                *lost = Transition::new(to.clone(), None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use vivant::body::layers::Layer;
    use vivant::clip::Clip;

    /// Checks that the error made by `damage` does not hide the warning that the second stance cannot be reached.
    fn check(damage: impl FnOnce(&mut Repertoire), can_be_repaired: bool) {
        let mut repertoire = Repertoire::default();
        let mut first = Stance::new("a", Some("a".into()));
        first.gestures = vec![Action::new("g")];
        repertoire.stances = vec![first, Stance::new("b", None)];
        damage(&mut repertoire);
        let faults = Graph::build(&repertoire, &|_| Some(1.0)).unwrap_err();
        let repaired = repaired(&repertoire, &faults);
        assert_eq!(repaired.is_some(), can_be_repaired, "{faults:?}");
        let Some(repaired) = repaired else { return };
        let (_, warnings) = Graph::build(&repaired, &|_| Some(1.0)).unwrap();
        assert!(warnings.iter().any(|w| w.message.contains("cannot be reached")), "{warnings:?}");
    }

    #[test]
    fn one_error_does_not_hide_the_others() {
        check(|r| r.stances[0].gestures[0].start = 7.0, true);
        check(|r| r.stances[0].gestures[0].likelihood = -1.0, true);
        check(
            |r| (r.stances[0].gestures[0].blend_in, r.stances[0].gestures[0].blend_out) = (99.0, -1.0),
            true,
        );
        check(|r| r.stances[0].gestures[0].tags = (0..99).map(|tag| tag.to_string()).collect(), true);
        check(|r| r.stances[0].end = Some(9.0), true);
        check(|r| r.stances[0].transitions = vec![Transition::new("nowhere", None)], true);
        check(
            |r| {
                r.stances.push(Stance::new("c", None));
                r.stances[0].transitions = ["c", "x", "c"].map(|to| Transition::new(to, None)).to_vec();
            },
            true,
        );
        check(|r| r.stances[1].name = "a".into(), false);
        check(|r| r.stances.clear(), false);
    }

    /// The repaired repertoire can always be performed, and it includes all valid entries.
    #[test]
    fn valid_entries_are_performed() {
        let clip = |name: &str| (name.to_owned(), Arc::new(Clip::new(name, 30.0, 61, 1.0).unwrap()));
        let clips: Clips = ["a", "g", "h"].map(clip).into_iter().collect();
        let gestures = |damage: fn(&mut Repertoire)| {
            let mut repertoire = Repertoire::default();
            let mut first = Stance::new("a", Some("a".into()));
            first.gestures = vec![Action::new("g"), Action::new("h")];
            let mut second = Stance::new("b", None);
            (first.transitions, second.transitions) =
                (vec![Transition::new("b", None)], vec![Transition::new("a", None)]);
            repertoire.stances = vec![first, second];
            damage(&mut repertoire);
            let left = performable(&repertoire, &clips);
            let secs = |clip: &str| clips.get(clip).map(|clip| clip.duration());
            assert!(Graph::build(&left, &secs).is_ok(), "{left:?}");
            let own = left.stances.iter().flat_map(|stance| &stance.gestures);
            own.map(|action| action.clip.clone()).collect::<String>()
        };
        for (damage, expected) in [
            ((|_| {}) as fn(&mut Repertoire), "gh"),
            (|r| r.stances[0].gestures[0].start = 7.0, "h"),
            (|r| r.stances[0].gestures[1].clip = "x".into(), "g"),
            (|r| r.stances[0].gestures[1].likelihood = -1.0, "g"),
            (|r| r.stances[0].clip = Some("x".into()), "gh"),
            (|r| r.stances[0].end = Some(9.0), "gh"),
            (|r| r.stances[0].transitions[0].to = "x".into(), "gh"),
            (|r| r.stances[1].layers = vec![Layer::Head], "gh"),
            (|r| r.stances[1].name = "a".into(), "gh"),
            (|r| r.stances[0].name.clear(), ""),
            (|r| r.stances.clear(), ""),
        ] {
            assert_eq!(gestures(damage), expected);
        }
    }
}
