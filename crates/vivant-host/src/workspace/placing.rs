//! Adds clips to a repertoire, or moves them within it.
//!
//! This is what happens when a user drops clips on a stance in the studio. `Entry::place` makes a [`Label`] for each
//! clip from the request, and from suggestions for everything that the request leaves open. A clip that the repertoire
//! already uses is moved: it is removed from its old place, and its name, trim, mask and blend times are restored at
//! the new place as far as they apply there. The change is recorded as one step for undo.

use super::cache::FileCache;
use super::entry::Entry;
use super::proposals::kind_of;
use super::view::View;
use crate::authoring::MIN_CONFIDENCE;
use crate::authoring::label::{Label, LabelOptions};
use crate::authoring::place::place_replacing;
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition, short_name};
use vivant_io::json::protocol::api;
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::suggest::{Suggestion, Type};

impl Entry {
    pub(super) fn place(&self, place: &api::Place, cache: &FileCache) -> Result<api::Placed> {
        self.with(|open| {
            open.check_revision(place.revision)?;
            let view = open.view(self, cache);
            let placing = Placing::of(&view, place)?;
            let (repertoire, what, notes) = placing.apply(&view)?;
            let mut state = open.history.present().clone();
            state.set_repertoire(&repertoire)?;
            open.record(&what, state)?;
            Ok(api::Placed { character: open.character(self, cache), notes })
        })
    }
}

/// A request to place clips.
struct Placing {
    options: LabelOptions,
    clips: Vec<String>,
    notes: Vec<String>,
}

impl Placing {
    fn of(view: &View, place: &api::Place) -> Result<Self> {
        let options = LabelOptions {
            kind: place.kind.map(kind_of),
            stance: place.stance.clone(),
            to: place.to.clone(),
            ..LabelOptions::default()
        };
        if options.to.is_some() && options.kind.is_some_and(|kind| kind != Type::Transition) {
            let message = "`to` is only for transitions; other clips end in the stance where they start";
            return Err(Error::of(ErrorKind::Invalid, message));
        }
        let mut clips = if place.clips.is_empty() { view.unplaced() } else { place.clips.clone() };
        let mut seen = std::collections::HashSet::new();
        clips.retain(|clip| seen.insert(clip.clone()));
        clips.iter().try_for_each(|clip| readable(view, clip))?;
        let (there, clips): (Vec<_>, Vec<_>) =
            clips.into_iter().partition(|clip| is_there(&view.repertoire, clip, &options));
        let notes = there.iter().map(|clip| format!("{clip}: already there")).collect();
        Ok(Self { options, clips, notes })
    }

    /// Returns the new repertoire, the label of the change, and notes.
    fn apply(mut self, view: &View) -> Result<(Repertoire, String, Vec<String>)> {
        let mut repertoire = view.repertoire.clone();
        let labels = self.labels(view);
        labels.iter().try_for_each(|label| check_transition(&repertoire, label))?;
        let previous: Vec<Option<Previous>> =
            labels.iter().map(|label| Previous::take(&mut repertoire, &label.clip)).collect();
        let is_move = !previous.is_empty() && previous.iter().all(Option::is_some);
        let placed =
            place_replacing(&mut repertoire, labels).map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        for ((label, notes), previous) in placed.labels.iter().zip(previous) {
            self.notes.extend(notes.iter().map(|note| format!("{}: {note}", label.clip)));
            if label.confidence < MIN_CONFIDENCE && previous.is_none() {
                let confidence = label.confidence * 100.0;
                self.notes
                    .push(format!("{}: confidence only {confidence:.0} %: check this label", label.clip));
            }
            if let Some(previous) = previous {
                previous.restore(&mut repertoire, label);
            }
        }
        self.notes.extend(placed.notes);
        let what = change_label(is_move, &placed.labels.iter().map(|(label, _)| label).collect::<Vec<_>>());
        Ok((repertoire, what, self.notes))
    }

    /// Makes labels from the request, and from the suggestions that were shown to the user.
    fn labels(&self, view: &View) -> Vec<Label> {
        let is_open = self.options.kind.is_none() || self.options.stance.is_none();
        let seen = if is_open { Some(view.suggested()) } else { view.suggested.get().map(Vec::as_slice) };
        let seen = |clip: &String| Some(seen?.iter().find(|(name, _)| name == clip)?.1.clone());
        let mut found: Vec<Option<Suggestion>> = self.clips.iter().map(seen).collect();
        let each = || self.clips.iter().zip(&found);
        let unseen: Vec<String> = each().filter(|(_, f)| f.is_none()).map(|(clip, _)| clip.clone()).collect();
        let mut others = view.suggestions(&unseen).into_iter();
        found.iter_mut().filter(|found| found.is_none()).for_each(|found| *found = others.next());
        let label = |(clip, found): (&String, Option<Suggestion>)| {
            Some(Label::new(&self.options, clip, view.clips.get(clip)?.duration(), found?))
        };
        self.clips.iter().zip(found).filter_map(label).collect()
    }
}

/// Checks that a clip exists and can be read.
///
/// # Errors
/// If there is no such clip, or the clip cannot be read.
fn readable(view: &View, spelling: &str) -> Result<()> {
    if view.clips.contains_key(spelling) {
        return Ok(());
    }
    let info = view.infos.iter().find(|info| info.clip == spelling);
    match info.and_then(|info| info.error.clone()) {
        Some(why) => Err(Error::of(ErrorKind::Invalid, why)),
        None => Err(super::no_clip(view, spelling)),
    }
}

/// Checks that a requested transition is possible.
///
/// # Errors
/// If the transition has no target stance, leads to the stance in which it starts, or connects stances with different
/// layers.
fn check_transition(repertoire: &Repertoire, label: &Label) -> Result<()> {
    if label.kind != Type::Transition || !label.given.kind {
        return Ok(());
    }
    let invalid = |message: String| Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
    let layers = |name: &str| repertoire.stances.iter().find(|s| s.name == name).map(|s| s.layers.clone());
    match &label.to {
        None => invalid("name the target stance of this transition; its motion ends where it starts".into()),
        Some(to) if *to == label.stance => invalid(format!(
            "a transition must lead to another stance, but this one starts and ends in “{to}”; name another target"
        )),
        Some(to) => match (layers(&label.stance), layers(to)) {
            (Some(a), Some(b)) if a != b => {
                let from = &label.stance;
                invalid(format!(
                    "“{from}” and “{to}” use different layers; name two stances with the same layers"
                ))
            }
            _ => Ok(()),
        },
    }
}

/// Returns true if a clip is already in the requested place.
fn is_there(repertoire: &Repertoire, clip: &str, options: &LabelOptions) -> bool {
    let (Some(kind), Some(stance)) = (options.kind, &options.stance) else { return false };
    let Some(stance) = repertoire.stances.iter().find(|s| s.name == *stance) else { return false };
    match kind {
        Type::Stance => is_own(stance, clip),
        Type::Gesture => stance.gestures.iter().any(|action| action.clip == clip),
        Type::Fidget => stance.fidgets.iter().any(|action| action.clip == clip),
        Type::Transition => stance.transitions.iter().any(|transition| {
            transition.clip.as_deref() == Some(clip)
                && options.to.as_ref().is_none_or(|to| *to == transition.to)
        }),
    }
}

/// Returns true if a clip is the motion of a stance, and not only a pose that is held until the stance gets a clip.
fn is_own(stance: &Stance, clip: &str) -> bool {
    stance.clip.as_deref() == Some(clip) && stance.end != Some(stance.start)
}

/// The properties of a clip before it is moved.
enum Previous {
    Action(Action),
    Transition(Transition),
    Stance(f64, Option<f64>),
}

impl Previous {
    /// Removes a clip from the first place that uses it, and returns its properties.
    fn take(repertoire: &mut Repertoire, clip: &str) -> Option<Self> {
        repertoire.stances.iter_mut().find_map(|stance| Self::take_from(stance, clip))
    }

    fn take_from(stance: &mut Stance, clip: &str) -> Option<Self> {
        for list in [&mut stance.gestures, &mut stance.fidgets] {
            if let Some(at) = list.iter().position(|action| action.clip == clip) {
                return Some(Self::Action(list.remove(at)));
            }
        }
        let transitions = &mut stance.transitions;
        if let Some(at) = transitions.iter().position(|transition| transition.clip.as_deref() == Some(clip)) {
            return Some(Self::Transition(transitions.remove(at)));
        }
        is_own(stance, clip).then(|| {
            stance.clip = None;
            Self::Stance(std::mem::take(&mut stance.start), stance.end.take())
        })
    }

    /// Applies the stored properties to the clip at its new place, as far as they fit.
    fn restore(self, repertoire: &mut Repertoire, label: &Label) {
        let Some(stance) = repertoire.stances.iter_mut().find(|stance| stance.name == label.stance) else {
            return;
        };
        let layers = stance.layers.clone();
        let list = match label.kind {
            Type::Stance => return self.restore_stance(stance),
            Type::Transition => {
                let own = |transition: &&mut Transition| transition.clip.as_deref() == Some(&label.clip);
                return stance
                    .transitions
                    .iter_mut()
                    .rev()
                    .find(own)
                    .map_or((), |transition| self.restore_transition(transition));
            }
            Type::Gesture => &mut stance.gestures,
            Type::Fidget => &mut stance.fidgets,
        };
        if let Some(action) = list.iter_mut().rev().find(|action| action.clip == label.clip) {
            let fits = |previous: &Action| previous.layers.iter().all(|layer| layers.contains(layer));
            match self {
                Self::Action(previous) if fits(&previous) => *action = previous,
                Self::Action(previous) => {
                    *action = Action { layers: std::mem::take(&mut action.layers), ..previous }
                }
                Self::Transition(previous) => {
                    (action.name, action.mask, action.hand) = (previous.name, previous.mask, previous.hand);
                    (action.start, action.end, action.tags) = (previous.start, previous.end, previous.tags);
                    (action.blend_in, action.blend_out) = (previous.blend_in, previous.blend_out);
                    action.likelihood = previous.likelihood;
                }
                // Start and end of a stance's loop do not apply to an action.
                Self::Stance(..) => {}
            }
        }
    }

    fn restore_stance(self, stance: &mut Stance) {
        (stance.start, stance.end) = match self {
            Self::Action(previous) => (previous.start, previous.end),
            Self::Transition(previous) => (previous.start, previous.end),
            Self::Stance(start, end) => (start, end),
        };
    }

    fn restore_transition(self, transition: &mut Transition) {
        match self {
            Self::Action(previous) => {
                (transition.name, transition.mask, transition.hand) =
                    (previous.name, previous.mask, previous.hand);
                (transition.start, transition.end, transition.tags) =
                    (previous.start, previous.end, previous.tags);
                (transition.blend_in, transition.blend_out) = (previous.blend_in, previous.blend_out);
                transition.likelihood = previous.likelihood;
            }
            Self::Transition(previous) => {
                *transition = Transition { to: std::mem::take(&mut transition.to), ..previous }
            }
            Self::Stance(..) => {}
        }
    }
}

/// Returns the label of the change, for undo.
fn change_label(is_move: bool, labels: &[&Label]) -> String {
    let verb = if is_move { "move" } else { "add" };
    match labels {
        [label] => {
            let to = label.to.as_ref().map(|to| format!(" → {to}")).unwrap_or_default();
            format!("{verb} {} to {}{to}", shortened(short_name(&label.clip)), shortened(&label.stance))
        }
        several => format!("{verb} {} clips", several.len()),
    }
}

fn shortened(name: &str) -> String {
    vivant_io::json::words::short(name)
}
