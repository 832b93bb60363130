//! Going on with another repertoire: what people edit while the character performs.
//!
//! A graph is known by names: whatever the new one still has under its name goes on, and what it has not is
//! dropped, as a wish that nothing fits.

use crate::body::choose::Choice;
use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::Layer;
use crate::body::plan::{Decided, Lane, Meta, Note, Planner, Running, Why, Wish};

/// From the numbers of one graph to those of another.
struct Renumbering<'a> {
    old: &'a Graph,
    new: &'a Graph,
    stances: Vec<Option<usize>>,
    actions: Vec<Option<usize>>,
}

impl<'a> Renumbering<'a> {
    fn new(old: &'a Graph, new: &'a Graph) -> Self {
        let stances: Vec<Option<usize>> = old.stances().iter().map(|s| new.find_stance(&s.name)).collect();
        let stances = stances.iter().zip(old.stances());
        // A stance that holds other layers now is another one.
        let stances = stances
            .map(|(found, was)| found.filter(|found| new.stances()[*found].layers == was.layers))
            .collect();
        let mut numbers = Self { old, new, stances, actions: Vec::new() };
        numbers.actions = old.actions().iter().map(|action| numbers.same_as(action)).collect();
        numbers
    }

    /// The action that does the same from the same stance.
    fn same_as(&self, old: &ActionNode) -> Option<usize> {
        let (from, to) = (self.stances[old.stance]?, self.stances[old.ends_in]?);
        let is_it = |new: &ActionNode| {
            (new.stance, new.ends_in, new.kind, new.layers) == (from, to, old.kind, old.layers)
                && (&new.name, &new.clip) == (&old.name, &old.clip)
        };
        self.new.actions().iter().position(is_it)
    }

    /// Any action of a name will do for a wish.
    fn named(&self, action: usize) -> Option<usize> {
        let name = &self.old.actions()[action].name;
        self.actions[action].or_else(|| self.new.find_clip(name))
    }

    fn tags(&self, bits: u64) -> Option<u64> {
        let is_meant = |bit: &usize| bits & 1 << bit != 0;
        let names = (0..self.old.tags().len()).filter(is_meant);
        self.new.find_tags(names.map(|bit| self.old.tags()[bit].as_str()))
    }

    fn wish(&self, wish: Wish) -> Option<Wish> {
        let stance = |stance: Option<usize>| stance.map_or(Some(None), |s| self.stances[s].map(Some));
        Some(Wish {
            like: wish.like.map_or(Some(None), |like| self.named(like).map(Some))?,
            tags: self.tags(wish.tags)?,
            stance: stance(wish.stance)?,
            from: stance(wish.from)?,
            ..wish
        })
    }

    fn meta(&self, meta: &Meta) -> Option<Meta> {
        let same = |decided: Decided| Some(Decided { action: self.actions[decided.action]?, ..decided });
        Some(Meta { wish: self.wish(meta.wish)?, decided: meta.decided.and_then(same), ..*meta })
    }

    fn running(&self, running: &Running) -> Option<Running> {
        let meta = self.meta(&running.meta)?;
        Some(Running { action: self.actions[running.action]?, meta, ..*running })
    }

    fn note(&self, note: Note) -> Option<Note> {
        match note {
            Note::Began(began) => {
                let action = self.actions[began.action]?;
                Some(Note::Began(super::Began { action, ..began }))
            }
            Note::Cut { id, action, began, at } => {
                Some(Note::Cut { id, action: self.actions[action]?, began, at })
            }
            Note::Dropped { .. } | Note::State { .. } => Some(note),
        }
    }
}

/// Finds what a wish names in another graph; `None` if that lacks it.
pub(crate) fn renumbered(old: &Graph, new: &Graph, wish: Wish) -> Option<Wish> {
    Renumbering::new(old, new).wish(wish)
}

impl Planner {
    /// Goes on with another graph from a time on. What it was doing it goes on with where the new graph still
    /// has it; stances are taken as they are called.
    pub(crate) fn adopt(&mut self, old: &Graph, new: &Graph, at: f64) {
        let numbers = Renumbering::new(old, new);
        self.choice = self.counted_anew(&numbers);
        self.weights = vec![0.0; new.actions().len()];
        self.commands.clear();
        // What waited for a layer that is free now begins now, and not when something happened last.
        self.time = self.time.max(at);
        for layer in Layer::ALL {
            let held = self.stances[layer as usize].and_then(|stance| numbers.stances[stance]);
            self.stances[layer as usize] = held.or_else(|| new.first_stance(layer));
            self.adopt_lane(layer, &numbers, at);
        }
        let notes = self.notes.drain(..).filter_map(|note| numbers.note(note)).collect();
        self.notes = notes;
    }

    fn adopt_lane(&mut self, layer: Layer, numbers: &Renumbering<'_>, at: f64) {
        let Lane { running, queue, settle, last } = std::mem::take(&mut self.lanes[layer as usize]);
        let mut kept = Vec::with_capacity(queue.capacity());
        for meta in queue {
            match numbers.meta(&meta) {
                Some(meta) => kept.push(meta),
                None => self.drop_meta(&meta, at, Why::NothingLikeIt),
            }
        }
        self.lanes[layer as usize] = Lane {
            running: running.and_then(|running| numbers.running(&running)),
            queue: kept,
            settle,
            last: last.and_then(|last| numbers.actions[last]),
        };
    }

    fn counted_anew(&self, numbers: &Renumbering<'_>) -> Choice {
        let mut choice =
            Choice::with_rules(numbers.new.actions().len(), self.rules.alpha, self.rules.half_life_secs);
        for (old, new) in numbers.actions.iter().enumerate() {
            if let Some(new) = new {
                choice.carry_on(*new, &self.choice, old);
            }
        }
        choice
    }
}
