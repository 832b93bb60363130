//! Clips that become part of a repertoire, or move to another place in it.

use super::entry::Entry;
use super::proposals::kind_of;
use super::shelf::Shelf;
use super::view::View;
use crate::authoring::SURE;
use crate::authoring::label::{Label, Wish};
use crate::authoring::place::drop_in;
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition, short_name};
use vivant_io::json::protocol::api;
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::suggest::{Suggestion, Type};

impl Entry {
    pub(super) fn place(&self, place: &api::Place, shelf: &Shelf) -> Result<api::Placed> {
        self.with(|open| {
            open.must_be(place.revision)?;
            let view = open.view(self, shelf);
            let placing = Placing::of(&view, place)?;
            let (repertoire, what, notes) = placing.done(&view)?;
            let mut state = open.history.present().clone();
            state.set_repertoire(&repertoire)?;
            open.record(&what, state)?;
            Ok(api::Placed { character: open.character(self, shelf), notes })
        })
    }
}

/// Clips that are to get a place.
struct Placing {
    wish: Wish,
    clips: Vec<String>,
    notes: Vec<String>,
}

impl Placing {
    fn of(view: &View, place: &api::Place) -> Result<Self> {
        let wish = Wish {
            kind: place.kind.map(kind_of),
            stance: place.stance.clone(),
            to: place.to.clone(),
            ..Wish::default()
        };
        if wish.to.is_some() && wish.kind.is_some_and(|kind| kind != Type::Transition) {
            let message = "`to` is for transitions; the others end where they start";
            return Err(Error::of(ErrorKind::Invalid, message));
        }
        let mut clips = if place.clips.is_empty() { view.unplaced() } else { place.clips.clone() };
        let mut seen = std::collections::HashSet::new();
        clips.retain(|clip| seen.insert(clip.clone()));
        clips.iter().try_for_each(|clip| readable(view, clip))?;
        let (there, clips): (Vec<_>, Vec<_>) =
            clips.into_iter().partition(|clip| is_there(&view.repertoire, clip, &wish));
        let notes = there.iter().map(|clip| format!("{clip}: is there already")).collect();
        Ok(Self { wish, clips, notes })
    }

    /// The new repertoire, what was done, and what there is to say of it.
    fn done(mut self, view: &View) -> Result<(Repertoire, String, Vec<String>)> {
        let mut repertoire = view.repertoire.clone();
        let labels = self.labels(view);
        labels.iter().try_for_each(|label| leads_somewhere(&repertoire, label))?;
        let kept: Vec<Option<Kept>> =
            labels.iter().map(|label| Kept::take(&mut repertoire, &label.clip)).collect();
        let is_move = !kept.is_empty() && kept.iter().all(Option::is_some);
        let placed = drop_in(&mut repertoire, labels).map_err(|fault| fault.of_kind(ErrorKind::Invalid))?;
        for ((label, notes), kept) in placed.labels.iter().zip(kept) {
            self.notes.extend(notes.iter().map(|note| format!("{}: {note}", label.clip)));
            if label.confidence < SURE && kept.is_none() {
                let sure = label.confidence * 100.0;
                self.notes.push(format!("{}: only {sure:.0} % sure: look at it", label.clip));
            }
            if let Some(kept) = kept {
                kept.give(&mut repertoire, label);
            }
        }
        self.notes.extend(placed.notes);
        let what = said(is_move, &placed.labels.iter().map(|(label, _)| label).collect::<Vec<_>>());
        Ok((repertoire, what, self.notes))
    }

    /// As people say, and as the proposals that they saw.
    fn labels(&self, view: &View) -> Vec<Label> {
        let is_open = self.wish.kind.is_none() || self.wish.stance.is_none();
        let seen = if is_open { Some(view.suggested()) } else { view.suggested.get().map(Vec::as_slice) };
        let seen = |clip: &String| Some(seen?.iter().find(|(name, _)| name == clip)?.1.clone());
        let mut found: Vec<Option<Suggestion>> = self.clips.iter().map(seen).collect();
        let each = || self.clips.iter().zip(&found);
        let unseen: Vec<String> = each().filter(|(_, f)| f.is_none()).map(|(clip, _)| clip.clone()).collect();
        let mut others = view.suggestions(&unseen).into_iter();
        found.iter_mut().filter(|found| found.is_none()).for_each(|found| *found = others.next());
        let label = |(clip, found): (&String, Option<Suggestion>)| {
            Some(Label::new(&self.wish, clip, view.clips.get(clip)?.duration(), found?))
        };
        self.clips.iter().zip(found).filter_map(label).collect()
    }
}

/// # Errors
/// If there is no such clip, or it cannot be read.
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

/// # Errors
/// If somebody wants a transition that is none.
fn leads_somewhere(repertoire: &Repertoire, label: &Label) -> Result<()> {
    if label.kind != Type::Transition || !label.said.kind {
        return Ok(());
    }
    let wrong = |message: String| Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
    let layers = |name: &str| repertoire.stances.iter().find(|s| s.name == name).map(|s| s.layers.clone());
    match &label.to {
        None => wrong("say the stance that this transition leads to; its motion ends where it began".into()),
        Some(to) if *to == label.stance => {
            wrong(format!("a transition leads to another stance, and this one starts and ends in “{to}”"))
        }
        Some(to) => match (layers(&label.stance), layers(to)) {
            (Some(a), Some(b)) if a != b => {
                let from = &label.stance;
                wrong(format!("“{from}” and “{to}” hold different layers, so no transition joins them"))
            }
            _ => Ok(()),
        },
    }
}

/// Whether a clip is just where it is wanted.
fn is_there(repertoire: &Repertoire, clip: &str, wish: &Wish) -> bool {
    let (Some(kind), Some(stance)) = (wish.kind, &wish.stance) else { return false };
    let Some(stance) = repertoire.stances.iter().find(|s| s.name == *stance) else { return false };
    match kind {
        Type::Stance => is_own(stance, clip),
        Type::Gesture => stance.gestures.iter().any(|action| action.clip == clip),
        Type::Fidget => stance.fidgets.iter().any(|action| action.clip == clip),
        Type::Transition => stance.transitions.iter().any(|transition| {
            transition.clip.as_deref() == Some(clip) && wish.to.as_ref().is_none_or(|to| *to == transition.to)
        }),
    }
}

/// Whether a clip is a stance's motion, and not one pose that it holds for want of its own.
fn is_own(stance: &Stance, clip: &str) -> bool {
    stance.clip.as_deref() == Some(clip) && stance.end != Some(stance.start)
}

/// What a clip was before it moves.
enum Kept {
    Action(Action),
    Transition(Transition),
    Stance(f64, Option<f64>),
}

impl Kept {
    /// Takes a clip away from its first place.
    fn take(repertoire: &mut Repertoire, clip: &str) -> Option<Self> {
        repertoire.stances.iter_mut().find_map(|stance| Self::take_from(stance, clip))
    }

    fn take_from(stance: &mut Stance, clip: &str) -> Option<Self> {
        for list in [&mut stance.gestures, &mut stance.fidgets] {
            if let Some(at) = list.iter().position(|action| action.clip == clip) {
                return Some(Self::Action(list.remove(at)));
            }
        }
        let ways = &mut stance.transitions;
        if let Some(at) = ways.iter().position(|way| way.clip.as_deref() == Some(clip)) {
            return Some(Self::Transition(ways.remove(at)));
        }
        is_own(stance, clip).then(|| {
            stance.clip = None;
            Self::Stance(std::mem::take(&mut stance.start), stance.end.take())
        })
    }

    /// Gives it back what it had, as far as it fits the new place.
    fn give(self, repertoire: &mut Repertoire, label: &Label) {
        let Some(stance) = repertoire.stances.iter_mut().find(|stance| stance.name == label.stance) else {
            return;
        };
        let layers = stance.layers.clone();
        let list = match label.kind {
            Type::Stance => return self.give_stance(stance),
            Type::Transition => {
                let own = |way: &&mut Transition| way.clip.as_deref() == Some(&label.clip);
                return stance.transitions.iter_mut().rev().find(own).map_or((), |way| self.give_way(way));
            }
            Type::Gesture => &mut stance.gestures,
            Type::Fidget => &mut stance.fidgets,
        };
        if let Some(action) = list.iter_mut().rev().find(|action| action.clip == label.clip) {
            let fits = |kept: &Action| kept.layers.iter().all(|layer| layers.contains(layer));
            match self {
                Self::Action(kept) if fits(&kept) => *action = kept,
                Self::Action(kept) => *action = Action { layers: std::mem::take(&mut action.layers), ..kept },
                Self::Transition(kept) => {
                    (action.name, action.mask, action.hand) = (kept.name, kept.mask, kept.hand);
                    (action.start, action.end, action.tags) = (kept.start, kept.end, kept.tags);
                    (action.blend_in, action.blend_out) = (kept.blend_in, kept.blend_out);
                    action.likelihood = kept.likelihood;
                }
                // How a stance is looped tells nothing of where an action begins.
                Self::Stance(..) => {}
            }
        }
    }

    fn give_stance(self, stance: &mut Stance) {
        (stance.start, stance.end) = match self {
            Self::Action(kept) => (kept.start, kept.end),
            Self::Transition(kept) => (kept.start, kept.end),
            Self::Stance(start, end) => (start, end),
        };
    }

    fn give_way(self, way: &mut Transition) {
        match self {
            Self::Action(kept) => {
                (way.name, way.mask, way.hand) = (kept.name, kept.mask, kept.hand);
                (way.start, way.end, way.tags) = (kept.start, kept.end, kept.tags);
                (way.blend_in, way.blend_out) = (kept.blend_in, kept.blend_out);
                way.likelihood = kept.likelihood;
            }
            Self::Transition(kept) => *way = Transition { to: std::mem::take(&mut way.to), ..kept },
            Self::Stance(..) => {}
        }
    }
}

/// What was done, for who wants to undo it.
fn said(is_move: bool, labels: &[&Label]) -> String {
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
