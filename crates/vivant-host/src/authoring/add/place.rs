//! Labelled clips are put where they belong in a repertoire. What is there stays there.

use super::label::Label;
use super::links::{index, join};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Action, Repertoire, Stance, Transition};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::suggest::Type;

/// What became of the labels.
#[derive(Debug)]
pub(crate) struct Placed {
    /// In the order in which they were given, as they were put, with what there is to say.
    pub(crate) labels: Vec<(Label, Vec<String>)>,
    /// What was done beside.
    pub(crate) notes: Vec<String>,
}

/// Puts clips into a repertoire: stances first, so that the others find them.
///
/// # Errors
/// If the flags ask for what cannot be, with all that cannot.
pub(super) fn place(repertoire: &mut Repertoire, labels: Vec<Label>) -> Result<Placed> {
    put_all(repertoire, labels, false)
}

/// The same for who drops a clip on a stance: it takes the place of the one that is there.
///
/// # Errors
/// If a transition leads nowhere.
pub(crate) fn drop_in(repertoire: &mut Repertoire, labels: Vec<Label>) -> Result<Placed> {
    put_all(repertoire, labels, true)
}

fn put_all(repertoire: &mut Repertoire, labels: Vec<Label>, replaces: bool) -> Result<Placed> {
    let old = repertoire.stances.len();
    let mut placer = Placer { old, repertoire, replaces, new: Vec::new(), notes: Vec::new() };
    let mut labels: Vec<(Label, Vec<String>)> = labels.into_iter().map(|label| (label, Vec::new())).collect();
    let mut faults = Vec::new();
    // A stance's second clip becomes a fidget in the first round, and must not come again.
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
        return Err(crate::authoring::joined(faults));
    }
    placer.sort_new();
    let mut notes = placer.notes;
    notes.extend(join(placer.repertoire, &placer.new));
    Ok(Placed { labels, notes })
}

struct Placer<'a> {
    repertoire: &'a mut Repertoire,
    /// How many stances were there.
    old: usize,
    /// Whether a stance's clip makes room for another one.
    replaces: bool,
    /// The names of those that were not.
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
                self.begin(label, &label.stance, clip, label.start, label.end);
                Ok(())
            }
            Some(at) if is_held(&self.repertoire.stances[at]) => {
                let stance = &mut self.repertoire.stances[at];
                (stance.clip, stance.start, stance.end) = (clip, label.start, label.end);
                if at < self.old {
                    notes.push(format!("“{}” stood still so far", stance.name));
                }
                Ok(())
            }
            Some(at) if label.said.stance && self.replaces => {
                let stance = &mut self.repertoire.stances[at];
                notes.push(format!(
                    "takes the place of {} as “{}”",
                    stance.clip.as_deref().unwrap_or_default(),
                    stance.name
                ));
                (stance.clip, stance.start, stance.end) = (clip, label.start, label.end);
                Ok(())
            }
            Some(at) if label.said.stance => {
                let there = self.repertoire.stances[at].clip.clone().unwrap_or_default();
                Err(Error::of(
                    ErrorKind::Invalid,
                    format!(
                        "{}: the stance “{}” has a clip already, {there}; give this one another name",
                        label.clip, label.stance
                    ),
                ))
            }
            Some(_) if label.said.kind => {
                label.stance = self.free_name(&label.stance);
                self.begin(label, &label.stance, clip, label.start, label.end);
                Ok(())
            }
            Some(_) => {
                let note = "another clip of being in “{}” is the stance, so this one is done now and then";
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
            let message = "say where the transition leads; its motion ends where it began";
            return Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
        };
        let from = self.stance(label, &label.stance, label.start);
        let target = self.stance(label, &to, label.end.unwrap_or(label.seconds));
        let stances = &self.repertoire.stances;
        if from == target || stances[from].layers != stances[target].layers {
            return self.no_transition(label, from == target, notes);
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
                notes.push("takes the place of the blend that was there".into());
                *blend = transition;
            }
            None => all.push(transition),
        }
        Ok(())
    }

    /// What leads nowhere else is a gesture, unless somebody said otherwise.
    fn no_transition(&mut self, label: &mut Label, same: bool, notes: &mut Vec<String>) -> Result<()> {
        let to = label.to.take().unwrap_or_default();
        let why = match same {
            true => format!("starts and ends in “{to}”"),
            false => format!("leads to “{to}”, which holds other layers than “{}”", label.stance),
        };
        if label.said.kind {
            let message = format!(
                "{why}, so it is no transition; say from which stance it leads to which, or choose another type"
            );
            return Err(Error::of(ErrorKind::Invalid, format!("{}: {message}", label.clip)));
        }
        notes.push(format!("looks like a transition, but {why}"));
        label.kind = Type::Gesture;
        self.put_action(label)
    }

    /// A stance by name. One that is not there yet holds the clip's pose at this time, until it has a
    /// clip of its own.
    fn stance(&mut self, label: &Label, name: &str, seconds: f64) -> usize {
        if let Some(at) = index(self.repertoire, name) {
            return at;
        }
        // The neutral pose stands, too, and breathes and sways by itself.
        let clip = (name != NEUTRAL).then(|| label.clip.clone());
        let held =
            if clip.is_some() { format!("one pose of {}", label.clip) } else { "the neutral pose".into() };
        self.notes.push(format!("the stance “{name}” is new and holds {held}; add a clip of it"));
        let (start, end) = if clip.is_some() { (seconds, Some(seconds)) } else { (0.0, None) };
        self.begin(label, name, clip, start, end)
    }

    fn begin(
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

    /// Two stances hold the same layers, or none in common: a new one joins those that are there.
    fn layers_of_new(&self, label: &Label) -> Vec<Layer> {
        let said = label.kind == Type::Stance && label.said.layers;
        let groups = || self.repertoire.stances.iter().map(|stance| &stance.layers);
        if said || groups().next().is_none() {
            return if said { label.layers.clone() } else { Layer::ALL.to_vec() };
        }
        // What clips of whole bodies differ in are mostly the arms.
        let near = groups().find(|group| group.contains(&Layer::Arms));
        near.or(groups().next()).cloned().unwrap_or_default()
    }

    fn free_name(&self, name: &str) -> String {
        let mut numbered = (2..).map(|number| format!("{name}-{number}"));
        numbered.find(|name| index(self.repertoire, name).is_none()).unwrap_or_default()
    }

    /// The new stance with most to do first: a performance begins in the first one.
    fn sort_new(&mut self) {
        let much = |s: &Stance| s.gestures.len() + s.fidgets.len() + s.transitions.len();
        self.repertoire.stances[self.old..].sort_by_key(|stance| std::cmp::Reverse(much(stance)));
    }
}

/// What `suggest` calls the stance that is like the neutral pose.
const NEUTRAL: &str = "standing";

/// Whether a stance is a pose that nothing moves: no clip, or one moment of one.
fn is_held(stance: &Stance) -> bool {
    stance.clip.is_none() || stance.end == Some(stance.start)
}

/// A transition without anything of its own but how long it takes.
fn blend(like: &Transition) -> Transition {
    Transition { blend_in: like.blend_in, blend_out: like.blend_out, ..Transition::new(&like.to, None) }
}

/// The layers to write: those of the stance need not be said.
fn own_layers(label: &Label, stance: &Stance) -> Result<Vec<Layer>> {
    let own: Vec<Layer> = label.layers.iter().copied().filter(|l| stance.layers.contains(l)).collect();
    if label.said.layers && own.len() < label.layers.len() {
        let names: Vec<&str> = stance.layers.iter().map(|layer| layer.name()).collect();
        return Err(Error::of(
            ErrorKind::Invalid,
            format!(
                "{}: the stance “{}” holds {} only; take layers from these",
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
