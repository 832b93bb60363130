//! From a meta-action to a specific one (paper 4, section 6.2 and Figure 7).
//!
//! 1. An action that ends before its meta-action does is followed by the stance, until the next one begins.
//! 2. An action has to end before a meta-action of higher priority begins; where none does, the meta-action
//!    is discarded.
//! 3. Meta-actions that are completely covered by the action are discarded; what is left of others begins
//!    when it ends.

use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::{Layer, LayerSet};
use crate::body::plan::temporal::SAME_SECS;
use crate::body::plan::{Began, Command, Lane, Meta, Note, Origin, Planner, Running, Settle, Why, Wish};
use crate::body::repertoire::Kind;

/// What is to be done for a meta-action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) action: usize,
    pub(super) candidates: usize,
    pub(super) probability: f64,
    /// Where the way leads, if this is a transition on the way.
    pub(super) heads_for: Option<usize>,
}

/// Why no action was chosen, or when to try again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Otherwise {
    Never(Why),
    Later(f64),
}

impl Wish {
    pub(super) fn fits(&self, graph: &Graph, action: &ActionNode) -> bool {
        let by_name = self.like.map(|like| graph.actions()[like].name == action.name);
        let by_kind = self.kind.is_none_or(|kind| kind == action.kind);
        by_name.unwrap_or(by_kind)
            && self.suits(action)
            && self.layer.is_none_or(|layer| action.layers.contains(layer))
            && self.stance.is_none_or(|stance| stance == self.place(action))
            && self.from.is_none_or(|stance| stance == action.stance)
    }

    /// Whether an action means what is asked for, and is done with the right hand.
    fn suits(&self, action: &ActionNode) -> bool {
        self.tags & !action.tags == 0 && self.hand.is_none_or(|hand| action.hand == Some(hand))
    }

    /// The stance of an action that a wish speaks of.
    fn place(&self, action: &ActionNode) -> usize {
        if action.kind == Kind::Transition { action.ends_in } else { action.stance }
    }

    /// The stance that it is for, if it is not for a certain clip or for any change at all.
    pub(super) fn target(&self) -> Option<usize> {
        self.stance.filter(|_| self.kind == Some(Kind::Transition) && self.like.is_none())
    }
}

impl Planner {
    /// Begins a meta-action, puts it off or drops it. Gives the end of what was begun.
    pub(super) fn begin(&mut self, graph: &Graph, lane: Layer, meta: Meta, at: f64) -> Option<f64> {
        if meta.is_over(at) {
            self.drop_meta(&meta, at, Why::Covered);
            return None;
        }
        match self.choose(graph, lane, &meta, at) {
            Ok(chosen) => match self.waits_for_stroke(graph, &meta, at, &chosen) {
                Some(begins) => {
                    self.decide(lane, meta, begins, chosen);
                    None
                }
                None => Some(self.perform(graph, lane, meta, at, chosen)),
            },
            Err(Otherwise::Later(time)) => {
                self.put_off(lane, meta, time, at);
                None
            }
            Err(Otherwise::Never(why)) => {
                self.drop_meta(&meta, at, why);
                None
            }
        }
    }

    fn put_off(&mut self, lane: Layer, mut meta: Meta, until: f64, at: f64) {
        if meta.is_over(until) {
            return self.drop_meta(&meta, at, Why::Covered);
        }
        meta.delay_to(until);
        self.insert(lane, meta);
    }

    pub(super) fn insert(&mut self, lane: Layer, meta: Meta) {
        let queue = &mut self.lanes[lane as usize].queue;
        let place = queue.partition_point(|other| other.order(&meta).is_lt());
        queue.insert(place, meta);
    }

    fn choose(&mut self, graph: &Graph, lane: Layer, meta: &Meta, at: f64) -> Result<Chosen, Otherwise> {
        if let Some(target) = meta.wish.target() {
            return self.step_towards(graph, lane, meta, target, at);
        }
        if let Some(chosen) = self.decided(graph, lane, meta, at) {
            return Ok(chosen);
        }
        let action = self.choose_action(graph, lane, meta, at)?;
        let place = graph.actions()[action.action].stance;
        if self.stances[lane as usize] == Some(place) {
            return Ok(action);
        }
        self.step_towards(graph, lane, meta, place, at)
    }

    /// A transition towards a stance.
    fn step_towards(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &Meta,
        target: usize,
        at: f64,
    ) -> Result<Chosen, Otherwise> {
        let never = |why| Otherwise::Never(why);
        let from = self.stances[lane as usize].ok_or(never(Why::NoWay))?;
        if from == target {
            return Err(never(Why::AlreadyThere));
        }
        let hop = graph.hop(from, target).ok_or(never(Why::NoWay))?;
        let layers = graph.stances()[from].layers;
        let secs = graph.way_secs(from, target).ok_or(never(Why::NoWay))?;
        self.check_time(graph, layers, meta, at, secs)?;
        let leads = |action: &ActionNode| action.leads(from, hop);
        let steps = graph.actions().iter().filter(|action| leads(action));
        let quickest = steps.map(|action| action.secs).fold(f64::INFINITY, f64::min);
        let longest = quickest + self.limit(layers, meta.priority, at) - at - secs + SAME_SECS;
        self.weigh(graph, at, true, |action| leads(action) && action.secs <= longest);
        let action = |index: usize| &graph.actions()[index];
        prefer(&mut self.weights, |index| action(index).likelihood > 0.0);
        prefer(&mut self.weights, |index| meta.wish.suits(action(index)));
        let mut chosen = self.draw(lane).ok_or(never(Why::NoWay))?;
        chosen.heads_for = (hop != target || meta.wish.target().is_none()).then_some(target);
        Ok(chosen)
    }

    /// Whether layers can be had for so long.
    pub(super) fn check_time(
        &self,
        graph: &Graph,
        layers: LayerSet,
        meta: &Meta,
        at: f64,
        secs: f64,
    ) -> Result<(), Otherwise> {
        if let Some(free) = self.busy_until(graph, layers, meta.priority, at) {
            return Err(Otherwise::Later(free));
        }
        match self.first_above(layers, meta.priority, at) {
            Some(above) if at + secs > above.start + SAME_SECS => {
                // Of two at once the more important one goes first, and what must be done is done afterwards.
                let waits = meta.must || above.start <= at;
                Err(if waits { Otherwise::Later(above.end) } else { Otherwise::Never(Why::NoTime) })
            }
            _ => Ok(()),
        }
    }

    /// When layers will be free of what is as important, if they are not.
    fn busy_until(&self, graph: &Graph, layers: LayerSet, priority: i32, at: f64) -> Option<f64> {
        let holds = |running: &Running| running.meta.priority >= priority || !running.can_be_cut(graph);
        let running = layers.iter().filter_map(|layer| self.lanes[layer as usize].running);
        running.filter(|r| r.until > at && holds(r)).map(|r| r.until).reduce(f64::max)
    }

    /// The first thing to come on some layers that is more important.
    fn first_above(&self, layers: LayerSet, priority: i32, at: f64) -> Option<&Meta> {
        let queues = layers.iter().flat_map(|layer| &self.lanes[layer as usize].queue);
        let above = queues.filter(|meta| meta.priority > priority && meta.end > at);
        above.min_by(|a, b| a.order(b))
    }

    /// When something more important begins on some layers.
    fn limit(&self, layers: LayerSet, priority: i32, at: f64) -> f64 {
        self.first_above(layers, priority, at).map_or(f64::INFINITY, |above| above.start)
    }

    /// Chooses among all actions that fit: those of the present stance if there are any, else those of
    /// stances that can be reached.
    fn choose_action(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &Meta,
        at: f64,
    ) -> Result<Chosen, Otherwise> {
        let here = self.stances[lane as usize];
        let mut otherwise = Otherwise::Never(Why::NothingLikeIt);
        // Nobody changes stance unasked for the sake of something else.
        let places: &[bool] = if meta.origin == Origin::Agent { &[true, false] } else { &[true] };
        for is_here in places.iter().copied() {
            let fits = |action: &ActionNode| {
                action.layers.contains(lane)
                    && (here == Some(action.stance)) == is_here
                    && meta.wish.fits(graph, action)
            };
            if !graph.actions().iter().any(fits) {
                continue;
            }
            // What is asked for by name is wanted, however unlikely it is otherwise.
            self.weigh(graph, at, meta.wish.like.is_some(), fits);
            if let Err(reason) = self.remove_what_has_no_time(graph, lane, meta, at) {
                otherwise = reason;
                continue;
            }
            if let Err(reason) = self.remove_what_strokes_late(graph, lane, meta, at) {
                otherwise = reason;
                continue;
            }
            if self.rules.spares_later {
                let covers = |index| covers_others(&self.lanes, &graph.actions()[index], meta, at);
                prefer(&mut self.weights, |index| !covers(index));
            }
            return self.draw(lane).ok_or(Otherwise::Never(Why::NothingLikeIt));
        }
        Err(otherwise)
    }

    /// p_k ∝ likelihood / max(c_k, 1). What is never chosen by chance can count as if it were.
    fn weigh(&mut self, graph: &Graph, at: f64, even_never: bool, fits: impl Fn(&ActionNode) -> bool) {
        for (index, action) in graph.actions().iter().enumerate() {
            let is_never = action.likelihood == 0.0;
            let likelihood = if is_never && even_never { 1.0 } else { action.likelihood };
            self.weights[index] = if fits(action) { likelihood * self.choice.weight(index, at) } else { 0.0 };
        }
    }

    /// Case 2, and layers that are busy. Says why, if nothing is left.
    fn remove_what_has_no_time(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &Meta,
        at: f64,
    ) -> Result<(), Otherwise> {
        let mut reason = Otherwise::Never(Why::NothingLikeIt);
        let mut is_any_left = false;
        for index in 0..self.weights.len() {
            if self.weights[index] <= 0.0 {
                continue;
            }
            match self.check_action(graph, lane, meta, at, &graph.actions()[index]) {
                Ok(()) => is_any_left = true,
                Err(why) => {
                    self.weights[index] = 0.0;
                    reason = sooner(reason, why);
                }
            }
        }
        if is_any_left { Ok(()) } else { Err(reason) }
    }

    fn check_action(
        &self,
        graph: &Graph,
        lane: Layer,
        meta: &Meta,
        at: f64,
        action: &ActionNode,
    ) -> Result<(), Otherwise> {
        let from = self.stances[lane as usize].ok_or(Otherwise::Never(Why::NoWay))?;
        let way = graph.way_secs(from, action.stance).ok_or(Otherwise::Never(Why::NoWay))?;
        let stays = from == action.stance;
        let layers = if stays { action.layers } else { graph.stances()[from].layers };
        let begins = if stays { meta.begins(action, at) } else { at };
        self.check_time(graph, layers, meta, begins, way + secs_of(action, meta, begins))
    }

    /// Draws by weight.
    fn draw(&mut self, lane: Layer) -> Option<Chosen> {
        let count = |weights: &[f64]| weights.iter().filter(|w| **w > 0.0).count();
        if let Some(last) = self.lanes[lane as usize].last.filter(|_| self.rules.never_twice)
            && count(&self.weights) > 1
        {
            self.weights[last] = 0.0;
        }
        let action = self.chance.event(self.choices).weighted(&self.weights)?;
        self.choices += 1;
        let total: f64 = self.weights.iter().sum();
        let probability = self.weights[action] / total;
        Some(Chosen { action, candidates: count(&self.weights), probability, heads_for: None })
    }

    /// Does what was chosen. Gives its end.
    fn perform(&mut self, graph: &Graph, lane: Layer, meta: Meta, at: f64, chosen: Chosen) -> f64 {
        let action = &graph.actions()[chosen.action];
        let is_on_the_way = chosen.heads_for.is_some();
        let until = at + if is_on_the_way { action.secs } else { secs_of(action, &meta, at) };
        self.make_room(graph, action.layers, at, until);
        let running = Running { action: chosen.action, lane, meta, began: at, until };
        for layer in action.layers.iter() {
            let lane = &mut self.lanes[layer as usize];
            (lane.running, lane.settle, lane.last) = (Some(running), None, Some(chosen.action));
        }
        self.choice.used(chosen.action, at);
        self.commands.push(Command::Play { action: chosen.action });
        self.note(Note::Began(Began {
            at,
            until,
            action: chosen.action,
            id: meta.id,
            origin: meta.origin,
            candidates: chosen.candidates,
            probability: chosen.probability,
            is_on_the_way,
            stroke: at + action.stroke,
            stroke_wanted: meta.stroke_at.filter(|_| !is_on_the_way),
        }));
        if let Some(stance) = chosen.heads_for {
            self.go_on_after(lane, meta, until, stance);
        } else {
            self.drop_covered(action.layers, at, until);
        }
        until
    }

    /// What was asked for comes after the transition that leads to it.
    fn go_on_after(&mut self, lane: Layer, mut meta: Meta, until: f64, stance: usize) {
        meta.must = true;
        meta.delay_to(until);
        meta.wish.from = Some(stance).filter(|_| meta.wish.target().is_none());
        self.insert(lane, meta);
    }

    /// Cuts what layers are doing. A cut action goes on later with its remainder, if it is to.
    fn make_room(&mut self, graph: &Graph, layers: LayerSet, at: f64, until: f64) {
        for layer in layers.iter() {
            let Some(cut) = self.lanes[layer as usize].running else { continue };
            let action = &graph.actions()[cut.action];
            self.note(cut.cut(at));
            self.release(action.layers, Settle { at, secs: action.blend_out, may_take_longer: true });
            if cut.meta.resume && cut.meta.end > until {
                let rest = Meta { start: until, is_open: false, stroke_at: None, decided: None, ..cut.meta };
                self.insert(cut.lane, rest);
            }
        }
    }

    /// Case 3.
    fn drop_covered(&mut self, layers: LayerSet, at: f64, until: f64) {
        for layer in layers.iter() {
            let mut place = 0;
            while let Some(meta) = self.lanes[layer as usize].queue.get(place).copied() {
                if meta.is_over(until) {
                    self.lanes[layer as usize].queue.remove(place);
                    self.drop_meta(&meta, at, Why::Covered);
                } else {
                    place += 1;
                }
            }
        }
    }
}

/// Leaves only better candidates, if there are any.
pub(super) fn prefer(weights: &mut [f64], is_better: impl Fn(usize) -> bool) {
    if !(0..weights.len()).any(|index| weights[index] > 0.0 && is_better(index)) {
        return;
    }
    for (index, weight) in weights.iter_mut().enumerate() {
        if *weight > 0.0 && !is_better(index) {
            *weight = 0.0;
        }
    }
}

/// Whether an action would leave no time for something else that is asked for.
fn covers_others(lanes: &[Lane; 3], action: &ActionNode, meta: &Meta, at: f64) -> bool {
    let begins = meta.begins(action, at);
    let until = begins + secs_of(action, meta, begins);
    let queues = action.layers.iter().flat_map(|layer| &lanes[layer as usize].queue);
    queues.into_iter().any(|other| other.is_over(until))
}

/// How long an action would take for a meta-action, in seconds.
pub(super) fn secs_of(action: &ActionNode, meta: &Meta, at: f64) -> f64 {
    if action.looped && !meta.is_open { (meta.end - at).max(action.secs.min(1.0)) } else { action.secs }
}

/// The better news: something that can be done later rather than never, and sooner rather than later.
fn sooner(a: Otherwise, b: Otherwise) -> Otherwise {
    match (a, b) {
        (Otherwise::Later(a), Otherwise::Later(b)) => Otherwise::Later(a.min(b)),
        (Otherwise::Never(_), b) => b,
        (a, _) => a,
    }
}
