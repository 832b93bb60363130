//! Actions whose stroke has a requested time.
//!
//! The start time of such an action depends on the action. So the request is due early enough for the candidate with
//! the latest stroke. At that time, an action is chosen among the candidates whose stroke can still be in time, and the
//! chosen action waits for its start. While it waits, it can be interrupted, stopped and delayed like any other
//! request. If its stroke can then no longer be in time, another action is chosen.

use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::Layer;
use crate::body::plan::synthesis::{Chosen, Rejection, prefer, secs_of};
use crate::body::plan::temporal::SAME_SECS;
use crate::body::plan::{ActionQuery, DropReason, MetaAction, PendingChoice, Planner};

/// Maximum delay of a stroke that counts as in time, in seconds (our design: about one frame of a film).
pub const ON_TIME_SECS: f64 = 0.05;

/// Maximum delay of a stroke in seconds; actions with a later stroke are dropped (our design: by that time the next
/// word is spoken).
pub const MAX_LATE_SECS: f64 = 0.25;

/// Maximum time by which a request is due before its stroke, in seconds. It is longer only if every candidate needs
/// more time (our design: preparations of gestures take 0.3 to 1 s).
pub const MAX_LEAD_SECS: f64 = 1.2;

impl MetaAction {
    /// Returns the start of an action for this meta-action, not earlier than `at`.
    pub(super) fn begins(&self, action: &ActionNode, at: f64) -> f64 {
        self.stroke_at.map_or(at, |stroke| at.max(stroke - action.stroke))
    }
}

impl Planner {
    /// Returns the time by which a request is due before its stroke, in seconds.
    pub(super) fn lead_secs(&self, graph: &Graph, query: &ActionQuery, lane: Layer) -> f64 {
        let Some(from) = self.stances[lane as usize] else { return 0.0 };
        if let Some(target) = query.target() {
            return graph.path_secs(from, target).unwrap_or(0.0);
        }
        let all = || candidates(graph, query, lane);
        let path = |action: &ActionNode| graph.path_secs(from, action.stance);
        let shortest_path = all().filter_map(path).fold(f64::INFINITY, f64::min);
        // Only candidates with the shortest path count: if an action is available in the current stance, the stance
        // is not changed.
        let strokes = || {
            all()
                .filter(|action| path(action).is_some_and(|w| w <= shortest_path))
                .map(|action| action.stroke)
        };
        let quickest = strokes().fold(f64::INFINITY, f64::min);
        let longest = MAX_LEAD_SECS.max(quickest + ON_TIME_SECS);
        let stroke = strokes().filter(|secs| *secs <= longest).reduce(f64::max);
        stroke.map_or(0.0, |stroke| shortest_path + stroke)
    }

    /// Seconds to the stroke of the quickest candidate in the current stance.
    pub(super) fn quickest_secs(&self, graph: &Graph, query: &ActionQuery, lane: Layer) -> f64 {
        let stance = self.stances[lane as usize];
        let here = candidates(graph, query, lane).filter(|action| Some(action.stance) == stance);
        here.map(|action| action.stroke).fold(f64::INFINITY, f64::min)
    }

    /// Keeps only candidates whose stroke is in time, otherwise the candidates with the smallest delay. Fails if even
    /// the smallest delay exceeds [`MAX_LATE_SECS`].
    pub(super) fn remove_late_strokes(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
    ) -> Result<(), Rejection> {
        let (Some(stroke), Some(from)) = (meta.stroke_at, self.stances[lane as usize]) else { return Ok(()) };
        let late = |index: usize| {
            let action = &graph.actions()[index];
            at + graph.path_secs(from, action.stance).unwrap_or(f64::INFINITY) + action.stroke - stroke
        };
        let fitting = (0..self.weights.len()).filter(|index| self.weights[*index] > 0.0);
        let least = fitting.map(late).fold(f64::INFINITY, f64::min);
        if least > MAX_LATE_SECS {
            return Err(Rejection::Never(DropReason::TooLate));
        }
        for (index, weight) in self.weights.iter_mut().enumerate() {
            if late(index) > least.max(ON_TIME_SECS) + SAME_SECS {
                *weight = 0.0;
            }
        }
        // The request is not due early enough for longer candidates, so their stroke would be a little late.
        prefer(&mut self.weights, |index| graph.actions()[index].stroke <= MAX_LEAD_SECS);
        Ok(())
    }

    /// Returns the action that was chosen before, if its stroke can still be in time.
    pub(super) fn valid_choice(
        &self,
        graph: &Graph,
        lane: Layer,
        meta: &MetaAction,
        at: f64,
    ) -> Option<Chosen> {
        let (decided, stroke) = (meta.decided?, meta.stroke_at?);
        let action = &graph.actions()[decided.action];
        let is_here = self.stances[lane as usize] == Some(action.stance);
        let is_in_time = at + action.stroke <= stroke + ON_TIME_SECS;
        let has_time = || self.check_time(graph, action.layers, meta, at, secs_of(action, meta, at)).is_ok();
        let PendingChoice { action, candidates, probability } = decided;
        (is_here && is_in_time && has_time()).then_some(Chosen {
            action,
            candidates,
            probability,
            target_stance: None,
        })
    }

    /// Returns the start of the chosen action, if it is later than `at`.
    pub(super) fn waits_for_stroke(
        &self,
        graph: &Graph,
        meta: &MetaAction,
        at: f64,
        chosen: &Chosen,
    ) -> Option<f64> {
        let begins = meta.begins(&graph.actions()[chosen.action], at);
        (chosen.target_stance.is_none() && begins > at + SAME_SECS).then_some(begins)
    }

    /// Stores the chosen action until its start.
    pub(super) fn store_choice(&mut self, lane: Layer, mut meta: MetaAction, begins: f64, chosen: Chosen) {
        let Chosen { action, candidates, probability, .. } = chosen;
        meta.decided = Some(PendingChoice { action, candidates, probability });
        meta.end += begins - meta.start;
        meta.start = begins;
        self.insert(lane, meta);
    }
}

/// Minimum over all candidates of the time from the stroke to the end, in seconds.
pub(super) fn shortest_rest_secs(graph: &Graph, query: &ActionQuery, lane: Layer) -> f64 {
    let rests = candidates(graph, query, lane).map(|action| action.secs - action.stroke);
    rests.reduce(f64::min).unwrap_or(0.0).max(0.0)
}

fn candidates<'g>(
    graph: &'g Graph,
    query: &'g ActionQuery,
    lane: Layer,
) -> impl Iterator<Item = &'g ActionNode> {
    let can_be = move |action: &&ActionNode| {
        action.layers.contains(lane)
            && (action.likelihood > 0.0 || query.like.is_some())
            && query.matches(graph, action)
    };
    graph.actions().iter().filter(can_be)
}
