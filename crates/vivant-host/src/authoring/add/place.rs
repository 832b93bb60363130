//! Puts labelled clips into a repertoire. Existing entries keep their positions.
//!
//! A label may name a stance that does not exist yet, may be a second clip for a stance, or may be a transition that is
//! not possible. These cases are resolved here: the label is adapted, usually with a note. A label that the user gave
//! must not be changed; if it cannot be satisfied, this is an error. `place` adds clips, and `place_replacing` may also
//! replace the clip of a stance. Both return the final labels in the order of the input.

use super::label::Label;
use super::links::{index, join};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::suggest::Type;

/// The result of placing labels.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The placed labels in the order of the input, each with its notes.
    pub(crate) labels: Vec<(Label, Vec<String>)>,
    /// Other changes to the repertoire.
    pub(crate) notes: Vec<String>,
}

/// Puts clips into a repertoire. Stances are added first, so that the other clips can refer to them.
///
/// # Errors
/// If some options cannot be satisfied; the error lists all of these options.
pub(super) fn place(repertoire: &mut Repertoire, labels: Vec<Label>) -> Result<Placed> {
    put_all(repertoire, labels, false)
}

/// Like `place`, but a stance clip replaces the clip of an existing stance (drag and drop in the studio).
///
/// # Errors
/// If some options cannot be satisfied; the error lists all of these options.
pub(crate) fn place_replacing(repertoire: &mut Repertoire, labels: Vec<Label>) -> Result<Placed> {
    put_all(repertoire, labels, true)
}

fn put_all(repertoire: &mut Repertoire, labels: Vec<Label>, replaces: bool) -> Result<Placed> {
    let old = repertoire.stances.len();
    let mut placer = Placer { old, repertoire, replaces, new: Vec::new(), notes: Vec::new() };
    let mut labels: Vec<(Label, Vec<String>)> = labels.into_iter().map(|label| (label, Vec::new())).collect();
    let mut faults = Vec::new();
    // In the first pass, the second clip of a stance becomes a fidget. The second pass must not place it again.
    let mut is_open = vec![true; labels.len()];
    for are_stances in [true, false] {
        for ((label, notes), is_open) in labels.iter_mut().zip(&mut is_open) {
            if *is_open && (label.kind == Type::Stance) == are_stances {
                *is_open = false;
                faults.extend(placer.put(label, notes).err());
            }
        }
    }
    if !faults.is_empty() {
        return Err(crate::authoring::join_errors(faults));
    }
    placer.sort_new();
    let mut notes = placer.notes;
    notes.extend(join(placer.repertoire, &placer.new));
    Ok(Placed { labels, notes })
}

struct Placer<'a> {
    repertoire: &'a mut Repertoire,
    /// Number of stances that existed before any clip was placed.
    old: usize,
    /// True if a stance clip replaces the clip of an existing stance.
    replaces: bool,
    /// Names of the new stances.
    new: Vec<String>,
    notes: Vec<String>,
}

impl Placer<'_> {
    fn put(&mut self, label: &mut Label, notes: &mut Vec<String>) -> Result<()> {
        match label.kind {
            Type::Stance => self.put_stance(label, notes),
            Type::Transition => self.put_transition(label, notes),
            Type::Gesture | Type::Fidget => self.put_action(label),
        }
    }

    fn put_stance(&mut self, label: &mut Label, notes: &mut Vec<String>) -> Result<()> {
        if let Some(name) = label.name.take() {
            label.stance = name;
        }
        let clip = Some(label.clip.clone());
        match index(self.repertoire, &label.stance) {
            None => {
                self.add_stance(label, &label.stance, clip, label.start, label.end);
                Ok(())
            }
            Some(at) if is_held(&self.repertoire.stances[at]) => {
                let stance = &mut self.repertoire.stances[at];
                (stance.clip, stance.start, stance.end) = (clip, label.start, label.end);
                if at < self.old {
                    notes.push(format!("“{}” had no motion until now", stance.name));
                }
                Ok(())
            }
            Some(at) if label.given.stance && self.replaces => {
                let stance = &mut self.repertoire.stances[at];
                notes.push(format!(
                    "replaces {} as stance “{}”",
                    stance.clip.as_deref().unwrap_or_default(),
                    stance.name
                ));
                (stance.clip, stance.start, stance.end) = (clip, label.start, label.end);
                Ok(())
            }
            Some(at) if label.given.stance => {
                let there = self.repertoire.stances[at].clip.clone().unwrap_or_default();
                Err(Error::of(
                    ErrorKind::Invalid,
                    format!(
                        "{}: the stance “{}” already has a clip, {there}; give this stance another name",
                        label.clip, label.stance
                    ),
                ))
            }
            Some(_) if label.given.kind => {
                label.stance = self.free_name(&label.stance);
                self.add_stance(label, &label.stance, clip, label.start, label.end);
                Ok(())
            }
            Some(_) => {
                let note = "stance “{}” already has a clip, so this one becomes a fidget";
                notes.push(note.replace("{}", &label.stance));
                label.kind = Type::Fidget;
                self.put_action(label)
            }
        }
    }

    fn put_action(&mut self, label: &mut Label) -> Result<()> {
        let at = self.stance(label, &label.stance, label.start);
        let stance = &mut self.repertoire.stances[at];
        let layers = own_layers(label, stance)?;
        let action = Action {
            name: label.name.clone(),
            start: label.start,
            end: label.end,
            hand: label.hand,
            tags: label.tags.clone(),
            layers,
            ..Action::new(&label.clip)
        };
        let list = if label.kind == Type::Fidget { &mut stance.fidgets } else { &mut stance.gestures };
        list.push(action);
        Ok(())
    }

    fn put_transition(&mut self, label: &mut Label, notes: &mut Vec<String>) -> Result<()> {
        let Some(to) = label.to.clone() else {
            let message = "the transition has no target stance, because its motion ends in the start pose; name the \
                           target stance";
            return Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
        };
        let from = self.stance(label, &label.stance, label.start);
        let target = self.stance(label, &to, label.end.unwrap_or(label.seconds));
        let stances = &self.repertoire.stances;
        if from == target || stances[from].layers != stances[target].layers {
            return self.reject_transition(label, from == target, notes);
        }
        let transition = Transition {
            name: label.name.clone(),
            start: label.start,
            end: label.end,
            hand: label.hand,
            tags: label.tags.clone(),
            ..Transition::new(to, Some(label.clip.clone()))
        };
        let all = &mut self.repertoire.stances[from].transitions;
        match all.iter_mut().find(|there| **there == blend(there) && there.to == transition.to) {
            Some(blend) => {
                notes.push("replaces the existing blend".into());
                *blend = transition;
            }
            None => all.push(transition),
        }
        Ok(())
    }

    /// Places a clip as a gesture, because no transition between its two stances is possible. If the user gave the
    /// type, returns an error instead.
    fn reject_transition(&mut self, label: &mut Label, same: bool, notes: &mut Vec<String>) -> Result<()> {
        let to = label.to.take().unwrap_or_default();
        let why = match same {
            true => format!("starts and ends in “{to}”"),
            false => format!("leads to “{to}”, which uses other layers than “{}”", label.stance),
        };
        if label.given.kind {
            let message = format!(
                "{why}, so it is not a transition; name its start and target stances, or choose another type"
            );
            return Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
        }
        notes.push(format!("looks like a transition, but {why}"));
        label.kind = Type::Gesture;
        self.put_action(label)
    }

    /// Returns the index of a stance by its name. If the stance is new, it holds the clip's pose at `seconds` until
    /// it gets its own clip.
    fn stance(&mut self, label: &Label, name: &str, seconds: f64) -> usize {
        if let Some(at) = index(self.repertoire, name) {
            return at;
        }
        // The neutral pose also shows a standing character, with procedural breathing and sway.
        let clip = (name != NEUTRAL).then(|| label.clip.clone());
        let held =
            if clip.is_some() { format!("one pose of {}", label.clip) } else { "the neutral pose".into() };
        self.notes.push(format!("the stance “{name}” is new and holds {held}; add a clip for it"));
        let (start, end) = if clip.is_some() { (seconds, Some(seconds)) } else { (0.0, None) };
        self.add_stance(label, name, clip, start, end)
    }

    fn add_stance(
        &mut self,
        label: &Label,
        name: &str,
        clip: Option<String>,
        start: f64,
        end: Option<f64>,
    ) -> usize {
        let layers = self.layers_of_new(label);
        self.repertoire.stances.push(Stance { start, end, layers, ..Stance::new(name, clip) });
        self.new.push(name.to_owned());
        self.repertoire.stances.len() - 1
    }

    /// Returns the layers of a new stance. Unless the user gave layers, these are the layers of an existing stance,
    /// because two stances must have either the same layers or no common layer.
    fn layers_of_new(&self, label: &Label) -> Vec<Layer> {
        let given = label.kind == Type::Stance && label.given.layers;
        let groups = || self.repertoire.stances.iter().map(|stance| &stance.layers);
        if given || groups().next().is_none() {
            return if given { label.layers.clone() } else { Layer::ALL.to_vec() };
        }
        // Stances with arms are preferred, because full-body clips differ most in the arms.
        let near = groups().find(|group| group.contains(&Layer::Arms));
        near.or(groups().next()).cloned().unwrap_or_default()
    }

    fn free_name(&self, name: &str) -> String {
        let mut numbered = (2..).map(|number| format!("{name}-{number}"));
        numbered.find(|name| index(self.repertoire, name).is_none()).unwrap_or_default()
    }

    /// Sorts the new stances by number of actions, largest number first, because a performance starts in the first
    /// stance.
    fn sort_new(&mut self) {
        let action_count = |s: &Stance| s.gestures.len() + s.fidgets.len() + s.transitions.len();
        self.repertoire.stances[self.old..].sort_by_key(|stance| std::cmp::Reverse(action_count(stance)));
    }
}

/// The name that `suggest` gives to a stance that is close to the neutral pose.
const NEUTRAL: &str = "standing";

/// Returns true if a stance is a static pose: it has no clip, or holds a single moment of a clip.
fn is_held(stance: &Stance) -> bool {
    stance.clip.is_none() || stance.end == Some(stance.start)
}

/// Returns a transition without a clip, with the target and the blend times of `like`.
fn blend(like: &Transition) -> Transition {
    Transition { blend_in: like.blend_in, blend_out: like.blend_out, ..Transition::new(&like.to, None) }
}

/// Returns the layers to write for a clip. The list is empty if the clip uses all layers of the stance.
fn own_layers(label: &Label, stance: &Stance) -> Result<Vec<Layer>> {
    let own: Vec<Layer> = label.layers.iter().copied().filter(|l| stance.layers.contains(l)).collect();
    if label.given.layers && own.len() < label.layers.len() {
        let names: Vec<&str> = stance.layers.iter().map(|layer| layer.name()).collect();
        return Err(Error::of(
            ErrorKind::Invalid,
            format!(
                "{}: the stance “{}” only uses the layers {}; choose from these",
                label.clip,
                stance.name,
                names.join(", ")
            ),
        ));
    }
    Ok(if own.len() == stance.layers.len() { Vec::new() } else { own })
}

#[cfg(test)]
mod tests;
