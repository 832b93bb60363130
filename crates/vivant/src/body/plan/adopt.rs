//! Switching to another repertoire, for example while a user edits it during a performance.
//!
//! Graphs are matched by names: actions that the new graph has under the same name continue, and other actions are
//! dropped.

use crate::body::choose::Choice;
use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::Layer;
use crate::body::plan::{ActionQuery, DropReason, Lane, MetaAction, Note, PendingChoice, Planner, Running};

/// Maps indices of one graph to indices of another graph.
struct GraphMapping<'a> {
    old: &'a Graph,
    new: &'a Graph,
    stances: Vec<Option<usize>>,
    actions: Vec<Option<usize>>,
}

impl<'a> GraphMapping<'a> {
    fn new(old: &'a Graph, new: &'a Graph) -> Self {
        let stances: Vec<Option<usize>> = old.stances().iter().map(|s| new.find_stance(&s.name)).collect();
        let stances = stances.iter().zip(old.stances());
        // A stance with other layers counts as another stance.
        let stances = stances
            .map(|(found, was)| found.filter(|found| new.stances()[*found].layers == was.layers))
            .collect();
        let mut numbers = Self { old, new, stances, actions: Vec::new() };
        numbers.actions = old.actions().iter().map(|action| numbers.same_as(action)).collect();
        numbers
    }

    /// Returns the action of the new graph with the same name, clip and stances.
    fn same_as(&self, old: &ActionNode) -> Option<usize> {
        let (from, to) = (self.stances[old.stance]?, self.stances[old.ends_in]?);
        let is_it = |new: &ActionNode| {
            (new.stance, new.ends_in, new.kind, new.layers) == (from, to, old.kind, old.layers)
                && (&new.name, &new.clip) == (&old.name, &old.clip)
        };
        self.new.actions().iter().position(is_it)
    }

    /// Returns an action of the new graph for a request: the same action, otherwise any action with the same name.
    fn named(&self, action: usize) -> Option<usize> {
        let name = &self.old.actions()[action].name;
        self.actions[action].or_else(|| self.new.find_clip(name))
    }

    fn tags(&self, bits: u64) -> Option<u64> {
        let is_meant = |bit: &usize| bits & 1 << bit != 0;
        let names = (0..self.old.tags().len()).filter(is_meant);
        self.new.find_tags(names.map(|bit| self.old.tags()[bit].as_str()))
    }

    fn query(&self, query: ActionQuery) -> Option<ActionQuery> {
        let stance = |stance: Option<usize>| stance.map_or(Some(None), |s| self.stances[s].map(Some));
        Some(ActionQuery {
            like: query.like.map_or(Some(None), |like| self.named(like).map(Some))?,
            tags: self.tags(query.tags)?,
            stance: stance(query.stance)?,
            from: stance(query.from)?,
            ..query
        })
    }

    fn meta(&self, meta: &MetaAction) -> Option<MetaAction> {
        let same =
            |decided: PendingChoice| Some(PendingChoice { action: self.actions[decided.action]?, ..decided });
        Some(MetaAction { query: self.query(meta.query)?, decided: meta.decided.and_then(same), ..*meta })
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

/// Maps a query to another graph; `None` if the new graph lacks a name in the query.
pub(crate) fn map_query(old: &Graph, new: &Graph, query: ActionQuery) -> Option<ActionQuery> {
    GraphMapping::new(old, new).query(query)
}

impl Planner {
    /// Switches to another graph at `at`. Actions and stances that the new graph has under the same name continue.
    pub(crate) fn adopt(&mut self, old: &Graph, new: &Graph, at: f64) {
        let numbers = GraphMapping::new(old, new);
        self.choice = self.copy_counts(&numbers);
        self.weights = vec![0.0; new.actions().len()];
        self.commands.clear();
        // Requests that waited for a layer that is now free start at `at`, not at the time of the last event.
        self.time = self.time.max(at);
        for layer in Layer::ALL {
            let held = self.stances[layer as usize].and_then(|stance| numbers.stances[stance]);
            self.stances[layer as usize] = held.or_else(|| new.first_stance(layer));
            self.adopt_lane(layer, &numbers, at);
        }
        let notes = self.notes.drain(..).filter_map(|note| numbers.note(note)).collect();
        self.notes = notes;
    }

    fn adopt_lane(&mut self, layer: Layer, numbers: &GraphMapping<'_>, at: f64) {
        let Lane { running, queue, settle, last } = std::mem::take(&mut self.lanes[layer as usize]);
        let mut kept = Vec::with_capacity(queue.capacity());
        for meta in queue {
            match numbers.meta(&meta) {
                Some(meta) => kept.push(meta),
                None => self.drop_meta(&meta, at, DropReason::NoMatch),
            }
        }
        self.lanes[layer as usize] = Lane {
            running: running.and_then(|running| numbers.running(&running)),
            queue: kept,
            settle,
            last: last.and_then(|last| numbers.actions[last]),
        };
    }

    fn copy_counts(&self, numbers: &GraphMapping<'_>) -> Choice {
        let mut choice =
            Choice::with_rules(numbers.new.actions().len(), self.rules.alpha, self.rules.half_life_secs);
        for (old, new) in numbers.actions.iter().enumerate() {
            if let Some(new) = new {
                choice.copy_count(*new, &self.choice, old);
            }
        }
        choice
    }
}
