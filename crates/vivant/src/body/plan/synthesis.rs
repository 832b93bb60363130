//! Chooses a specific action for a meta-action (paper 4, section 6.2 and Figure 7).
//!
//! 1. If an action ends before its meta-action, the stance is shown until the next meta-action starts.
//! 2. An action must end before a meta-action of higher priority starts; if no candidate ends in time, the meta-action
//!    is discarded.
//! 3. Meta-actions that are completely covered by the action are discarded; partly covered meta-actions start when the
//!    action ends.

use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::{Layer, LayerSet};
use crate::body::plan::temporal::SAME_SECS;
use crate::body::plan::{
    ActionQuery, Began, Command, DropReason, Lane, MetaAction, Note, Origin, Planner, Running, Settle,
};
use crate::body::repertoire::Kind;

/// The action chosen for a meta-action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) action: usize,
    pub(super) candidates: usize,
    pub(super) probability: f64,
    /// Target stance, if this action is a transition on the way to that stance.
    pub(super) target_stance: Option<usize>,
}

/// Reason why no action was chosen, or time of the next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rejection {
    Never(DropReason),
    Later(f64),
}

impl ActionQuery {
    pub(super) fn matches(&self, graph: &Graph, action: &ActionNode) -> bool {
        let by_name = self.like.map(|like| graph.actions()[like].name == action.name);
        let by_kind = self.kind.is_none_or(|kind| kind == action.kind);
        by_name.unwrap_or(by_kind)
            && self.has_tags_and_hand(action)
            && self.layer.is_none_or(|layer| action.layers.contains(layer))
            && self.stance.is_none_or(|stance| stance == self.place(action))
            && self.from.is_none_or(|stance| stance == action.stance)
    }

    /// Returns true if an action has the requested tags and hand.
    fn has_tags_and_hand(&self, action: &ActionNode) -> bool {
        self.tags & !action.tags == 0 && self.hand.is_none_or(|hand| action.hand == Some(hand))
    }

    /// Returns the stance of an action that is compared with the field `stance` of the query.
    fn place(&self, action: &ActionNode) -> usize {
        if action.kind == Kind::Transition { action.ends_in } else { action.stance }
    }

    /// Returns the target stance if a change to a stance is requested; `None` if a certain clip or any transition is
    /// requested.
    pub(super) fn target(&self) -> Option<usize> {
        self.stance.filter(|_| self.kind == Some(Kind::Transition) && self.like.is_none())
    }
}

impl Planner {
    /// Starts a meta-action, delays it or drops it. Returns the end of the started action in seconds; `None` if no
    /// action starts.
    pub(super) fn begin(&mut self, graph: &Graph, lane: Layer, meta: MetaAction, at: f64) -> Option<f64> {
        if meta.is_over(at) {
            self.drop_meta(&meta, at, DropReason::Covered);
            return None;
        }
        match self.choose(graph, lane, &meta, at) {
            Ok(chosen) => match self.waits_for_stroke(graph, &meta, at, &chosen) {
                Some(begins) => {
                    self.store_choice(lane, meta, begins, chosen);
                    None
                }
                None => Some(self.perform(graph, lane, meta, at, chosen)),
            },
            Err(Rejection::Later(time)) => {
                self.delay(lane, meta, time, at);
                None
            }
            Err(Rejection::Never(why)) => {
                self.drop_meta(&meta, at, why);
                None
            }
        }
    }

    fn delay(&mut self, lane: Layer, mut meta: MetaAction, until: f64, at: f64) {
        if meta.is_over(until) {
            return self.drop_meta(&meta, at, DropReason::Covered);
        }
        meta.delay_to(until);
        self.insert(lane, meta);
    }

    pub(super) fn insert(&mut self, lane: Layer, meta: MetaAction) {
        let queue = &mut self.lanes[lane as usize].queue;
        let place = queue.partition_point(|other| other.order(&meta).is_lt());
        queue.insert(place, meta);
    }

    fn choose(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
    ) -> Result<Chosen, Rejection> {
        if let Some(target) = meta.query.target() {
            return self.step_towards(graph, lane, meta, target, at);
        }
        if let Some(chosen) = self.valid_choice(graph, lane, meta, at) {
            return Ok(chosen);
        }
        let action = self.choose_action(graph, lane, meta, at)?;
        let place = graph.actions()[action.action].stance;
        if self.stances[lane as usize] == Some(place) {
            return Ok(action);
        }
        self.step_towards(graph, lane, meta, place, at)
    }

    /// Chooses a transition towards a stance.
    fn step_towards(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        target: usize,
        at: f64,
    ) -> Result<Chosen, Rejection> {
        let never = |why| Rejection::Never(why);
        let from = self.stances[lane as usize].ok_or(never(DropReason::Unreachable))?;
        if from == target {
            return Err(never(DropReason::AlreadyInStance));
        }
        let hop = graph.next_stance(from, target).ok_or(never(DropReason::Unreachable))?;
        let layers = graph.stances()[from].layers;
        let secs = graph.path_secs(from, target).ok_or(never(DropReason::Unreachable))?;
        self.check_time(graph, layers, meta, at, secs)?;
        let leads = |action: &ActionNode| action.connects(from, hop);
        let steps = graph.actions().iter().filter(|action| leads(action));
        let quickest = steps.map(|action| action.secs).fold(f64::INFINITY, f64::min);
        let longest = quickest + self.limit(layers, meta.priority, at) - at - secs + SAME_SECS;
        self.weigh(graph, at, true, |action| leads(action) && action.secs <= longest);
        let action = |index: usize| &graph.actions()[index];
        prefer(&mut self.weights, |index| action(index).likelihood > 0.0);
        prefer(&mut self.weights, |index| meta.query.has_tags_and_hand(action(index)));
        let mut chosen = self.draw(lane).ok_or(never(DropReason::Unreachable))?;
        chosen.target_stance = (hop != target || meta.query.target().is_none()).then_some(target);
        Ok(chosen)
    }

    /// Checks that layers are available for `secs` seconds from `at` on.
    pub(super) fn check_time(
        &self,
        graph: &Graph,
        layers: LayerSet,
        meta: &MetaAction,
        at: f64,
        secs: f64,
    ) -> Result<(), Rejection> {
        if let Some(free) = self.busy_until(graph, layers, meta.priority, at) {
            return Err(Rejection::Later(free));
        }
        match self.first_above(layers, meta.priority, at) {
            Some(above) if at + secs > above.start + SAME_SECS => {
                // At equal times the higher priority goes first, and required actions are performed afterwards.
                let waits = meta.must || above.start <= at;
                Err(if waits { Rejection::Later(above.end) } else { Rejection::Never(DropReason::NoTime) })
            }
            _ => Ok(()),
        }
    }

    /// Returns the time at which layers will be free of actions with equal or higher priority, or `None` if they are
    /// free now.
    fn busy_until(&self, graph: &Graph, layers: LayerSet, priority: i32, at: f64) -> Option<f64> {
        let holds = |running: &Running| running.meta.priority >= priority || !running.can_be_cut(graph);
        let running = layers.iter().filter_map(|layer| self.lanes[layer as usize].running);
        running.filter(|r| r.until > at && holds(r)).map(|r| r.until).reduce(f64::max)
    }

    /// Returns the first meta-action of higher priority that is still to come on the given layers.
    fn first_above(&self, layers: LayerSet, priority: i32, at: f64) -> Option<&MetaAction> {
        let queues = layers.iter().flat_map(|layer| &self.lanes[layer as usize].queue);
        let above = queues.filter(|meta| meta.priority > priority && meta.end > at);
        above.min_by(|a, b| a.order(b))
    }

    /// Returns the time in seconds at which the next action of higher priority starts on the given layers; infinite if
    /// there is none.
    fn limit(&self, layers: LayerSet, priority: i32, at: f64) -> f64 {
        self.first_above(layers, priority, at).map_or(f64::INFINITY, |above| above.start)
    }

    /// Chooses among all matching actions: actions of the current stance if there are any, otherwise actions of
    /// reachable stances.
    fn choose_action(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
    ) -> Result<Chosen, Rejection> {
        let here = self.stances[lane as usize];
        let mut rejection = Rejection::Never(DropReason::NoMatch);
        // Spontaneous actions never change the stance.
        let places: &[bool] = if meta.origin == Origin::Agent { &[true, false] } else { &[true] };
        for is_here in places.iter().copied() {
            let fits = |action: &ActionNode| {
                action.layers.contains(lane)
                    && (here == Some(action.stance)) == is_here
                    && meta.query.matches(graph, action)
            };
            if !graph.actions().iter().any(fits) {
                continue;
            }
            // An action that is requested by name is a candidate even if its likelihood is 0.
            self.weigh(graph, at, meta.query.like.is_some(), fits);
            if let Err(reason) = self.remove_without_time(graph, lane, meta, at) {
                rejection = reason;
                continue;
            }
            if let Err(reason) = self.remove_late_strokes(graph, lane, meta, at) {
                rejection = reason;
                continue;
            }
            if self.rules.leaves_time_for_later {
                let covers = |index| covers_others(&self.lanes, &graph.actions()[index], meta, at);
                prefer(&mut self.weights, |index| !covers(index));
            }
            return self.draw(lane).ok_or(Rejection::Never(DropReason::NoMatch));
        }
        Err(rejection)
    }

    /// Sets the weights p_k ∝ likelihood / max(c_k, 1). With `even_never`, a likelihood of 0 counts as 1.
    fn weigh(&mut self, graph: &Graph, at: f64, even_never: bool, fits: impl Fn(&ActionNode) -> bool) {
        for (index, action) in graph.actions().iter().enumerate() {
            let is_never = action.likelihood == 0.0;
            let likelihood = if is_never && even_never { 1.0 } else { action.likelihood };
            self.weights[index] = if fits(action) { likelihood * self.choice.weight(index, at) } else { 0.0 };
        }
    }

    /// Removes candidates without enough time (case 2) and candidates on busy layers. Returns the reason if no
    /// candidate is left.
    fn remove_without_time(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
    ) -> Result<(), Rejection> {
        let mut reason = Rejection::Never(DropReason::NoMatch);
        let mut is_any_left = false;
        for index in 0..self.weights.len() {
            if self.weights[index] <= 0.0 {
                continue;
            }
            match self.check_action(graph, lane, meta, at, &graph.actions()[index]) {
                Ok(()) => is_any_left = true,
                Err(why) => {
                    self.weights[index] = 0.0;
                    reason = better_outcome(reason, why);
                }
            }
        }
        if is_any_left { Ok(()) } else { Err(reason) }
    }

    fn check_action(
        &self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
        action: &ActionNode,
    ) -> Result<(), Rejection> {
        let from = self.stances[lane as usize].ok_or(Rejection::Never(DropReason::Unreachable))?;
        let path = graph.path_secs(from, action.stance).ok_or(Rejection::Never(DropReason::Unreachable))?;
        let stays = from == action.stance;
        let layers = if stays { action.layers } else { graph.stances()[from].layers };
        let begins = if stays { meta.begins(action, at) } else { at };
        self.check_time(graph, layers, meta, begins, path + secs_of(action, meta, begins))
    }

    /// Draws an action at random by weight. Avoids the last action of the lane if the rules require it.
    fn draw(&mut self, lane: Layer) -> Option<Chosen> {
        let count = |weights: &[f64]| weights.iter().filter(|w| **w > 0.0).count();
        if let Some(last) = self.lanes[lane as usize].last.filter(|_| self.rules.avoids_repetition)
            && count(&self.weights) > 1
        {
            self.weights[last] = 0.0;
        }
        let action = self.chance.event(self.choices).weighted(&self.weights)?;
        self.choices += 1;
        let total: f64 = self.weights.iter().sum();
        let probability = self.weights[action] / total;
        Some(Chosen { action, candidates: count(&self.weights), probability, target_stance: None })
    }

    /// Starts the chosen action. Returns its end in seconds.
    fn perform(&mut self, graph: &Graph, lane: Layer, meta: MetaAction, at: f64, chosen: Chosen) -> f64 {
        let action = &graph.actions()[chosen.action];
        let is_inserted_transition = chosen.target_stance.is_some();
        let until = at + if is_inserted_transition { action.secs } else { secs_of(action, &meta, at) };
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
            is_inserted_transition,
            stroke: at + action.stroke,
            stroke_wanted: meta.stroke_at.filter(|_| !is_inserted_transition),
        }));
        if let Some(stance) = chosen.target_stance {
            self.continue_after(lane, meta, until, stance);
        } else {
            self.drop_covered(action.layers, at, until);
        }
        until
    }

    /// Schedules the meta-action again, after a transition that leads to its stance.
    fn continue_after(&mut self, lane: Layer, mut meta: MetaAction, until: f64, stance: usize) {
        meta.must = true;
        meta.delay_to(until);
        meta.query.from = Some(stance).filter(|_| meta.query.target().is_none());
        self.insert(lane, meta);
    }

    /// Interrupts the running actions of layers. The rest of an interrupted action continues later if its request has
    /// `resume`.
    fn make_room(&mut self, graph: &Graph, layers: LayerSet, at: f64, until: f64) {
        for layer in layers.iter() {
            let Some(cut) = self.lanes[layer as usize].running else { continue };
            let action = &graph.actions()[cut.action];
            self.note(cut.cut(at));
            self.release(action.layers, Settle { at, secs: action.blend_out, may_take_longer: true });
            if cut.meta.resume && cut.meta.end > until {
                let rest =
                    MetaAction { start: until, is_open: false, stroke_at: None, decided: None, ..cut.meta };
                self.insert(cut.lane, rest);
            }
        }
    }

    /// Drops meta-actions whose time is completely covered by an action that ends at `until` (case 3).
    fn drop_covered(&mut self, layers: LayerSet, at: f64, until: f64) {
        for layer in layers.iter() {
            let mut place = 0;
            while let Some(meta) = self.lanes[layer as usize].queue.get(place).copied() {
                if meta.is_over(until) {
                    self.lanes[layer as usize].queue.remove(place);
                    self.drop_meta(&meta, at, DropReason::Covered);
                } else {
                    place += 1;
                }
            }
        }
    }
}

/// Keeps only the candidates for which `is_better` is true, if there are any.
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

/// Returns true if an action would leave no time for another request.
fn covers_others(lanes: &[Lane; 3], action: &ActionNode, meta: &MetaAction, at: f64) -> bool {
    let begins = meta.begins(action, at);
    let until = begins + secs_of(action, meta, begins);
    let queues = action.layers.iter().flat_map(|layer| &lanes[layer as usize].queue);
    queues.into_iter().any(|other| other.is_over(until))
}

/// Duration in seconds of an action that starts at `at`. A looped action lasts until the requested end of its
/// meta-action.
pub(super) fn secs_of(action: &ActionNode, meta: &MetaAction, at: f64) -> f64 {
    if action.looped && !meta.is_open { (meta.end - at).max(action.secs.min(1.0)) } else { action.secs }
}

/// Returns the better of two outcomes: a later start is better than no start, and an earlier start is better than a
/// later one.
fn better_outcome(a: Rejection, b: Rejection) -> Rejection {
    match (a, b) {
        (Rejection::Later(a), Rejection::Later(b)) => Rejection::Later(a.min(b)),
        (Rejection::Never(_), b) => b,
        (a, _) => a,
    }
}
