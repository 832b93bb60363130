//! Actions whose stroke is wanted at a certain time.
//!
//! When an action has to begin for that depends on which one it is. So the wish comes due early enough for the longest
//! stroke of what fits; the choice is made then, among those whose stroke can still arrive in time; and what was chosen
//! waits until its time has come. While it waits, it can be cut, stopped and put off like any other wish, and if it
//! then cannot arrive in time any more, another one is chosen.

use crate::body::graph::{ActionNode, Graph};
use crate::body::layers::Layer;
use crate::body::plan::synthesis::{Chosen, Otherwise, prefer, secs_of};
use crate::body::plan::temporal::SAME_SECS;
use crate::body::plan::{Decided, Meta, Planner, Why, Wish};

/// A stroke that comes no later than this is in time, in seconds (ours: about a frame of a film).
pub const ON_TIME_SECS: f64 = 0.05;

/// A stroke that would come later than this is not worth doing, in seconds (ours: the next word is said by then).
pub const MAX_LATE_SECS: f64 = 0.25;

/// How long before its stroke a wish comes due at most, in seconds, if something is quick enough for that (ours:
/// preparations of gestures take 0.3 to 1 s).
pub const MAX_LEAD_SECS: f64 = 1.2;

impl Meta {
    /// When an action would begin for it, at a time or later.
    pub(super) fn begins(&self, action: &ActionNode, at: f64) -> f64 {
        self.stroke_at.map_or(at, |stroke| at.max(stroke - action.stroke))
    }
}

impl Planner {
    /// How long before its stroke a wish has to come due, in seconds.
    pub(super) fn lead_secs(&self, graph: &Graph, wish: &Wish, lane: Layer) -> f64 {
        let Some(from) = self.stances[lane as usize] else { return 0.0 };
        if let Some(target) = wish.target() {
            return graph.way_secs(from, target).unwrap_or(0.0);
        }
        let all = || candidates(graph, wish, lane);
        let way = |action: &ActionNode| graph.way_secs(from, action.stance);
        let ways = all().filter_map(way).fold(f64::INFINITY, f64::min);
        // Nobody goes elsewhere for what can be done here.
        let strokes =
            || all().filter(|action| way(action).is_some_and(|w| w <= ways)).map(|action| action.stroke);
        let quickest = strokes().fold(f64::INFINITY, f64::min);
        let longest = MAX_LEAD_SECS.max(quickest + ON_TIME_SECS);
        let stroke = strokes().filter(|secs| *secs <= longest).reduce(f64::max);
        stroke.map_or(0.0, |stroke| ways + stroke)
    }

    /// How long the quickest takes to its stroke that a wish could become here, in seconds.
    pub(super) fn quickest_secs(&self, graph: &Graph, wish: &Wish, lane: Layer) -> f64 {
        let stance = self.stances[lane as usize];
        let here = candidates(graph, wish, lane).filter(|action| Some(action.stance) == stance);
        here.map(|action| action.stroke).fold(f64::INFINITY, f64::min)
    }

    /// Of all that has time, leaves only what strokes in time, or else what comes nearest.
    pub(super) fn remove_what_strokes_late(
        &mut self,
        graph: &Graph,
        lane: Layer,
        meta: &Meta,
        at: f64,
    ) -> Result<(), Otherwise> {
        let (Some(stroke), Some(from)) = (meta.stroke_at, self.stances[lane as usize]) else { return Ok(()) };
        let late = |index: usize| {
            let action = &graph.actions()[index];
            at + graph.way_secs(from, action.stance).unwrap_or(f64::INFINITY) + action.stroke - stroke
        };
        let fitting = (0..self.weights.len()).filter(|index| self.weights[*index] > 0.0);
        let least = fitting.map(late).fold(f64::INFINITY, f64::min);
        if least > MAX_LATE_SECS {
            return Err(Otherwise::Never(Why::TooLate));
        }
        for (index, weight) in self.weights.iter_mut().enumerate() {
            if late(index) > least.max(ON_TIME_SECS) + SAME_SECS {
                *weight = 0.0;
            }
        }
        // What takes longer is not waited for, and would come a little late.
        prefer(&mut self.weights, |index| graph.actions()[index].stroke <= MAX_LEAD_SECS);
        Ok(())
    }

    /// What was chosen before, if it can still be done in time.
    pub(super) fn decided(&self, graph: &Graph, lane: Layer, meta: &Meta, at: f64) -> Option<Chosen> {
        let (decided, stroke) = (meta.decided?, meta.stroke_at?);
        let action = &graph.actions()[decided.action];
        let is_here = self.stances[lane as usize] == Some(action.stance);
        let is_in_time = at + action.stroke <= stroke + ON_TIME_SECS;
        let has_time = || self.check_time(graph, action.layers, meta, at, secs_of(action, meta, at)).is_ok();
        let Decided { action, candidates, probability } = decided;
        (is_here && is_in_time && has_time()).then_some(Chosen {
            action,
            candidates,
            probability,
            heads_for: None,
        })
    }

    /// When what was chosen is to begin, if that is later.
    pub(super) fn waits_for_stroke(
        &self,
        graph: &Graph,
        meta: &Meta,
        at: f64,
        chosen: &Chosen,
    ) -> Option<f64> {
        let begins = meta.begins(&graph.actions()[chosen.action], at);
        (chosen.heads_for.is_none() && begins > at + SAME_SECS).then_some(begins)
    }

    /// Keeps what was chosen until its time has come.
    pub(super) fn decide(&mut self, lane: Layer, mut meta: Meta, begins: f64, chosen: Chosen) {
        let Chosen { action, candidates, probability, .. } = chosen;
        meta.decided = Some(Decided { action, candidates, probability });
        meta.end += begins - meta.start;
        meta.start = begins;
        self.insert(lane, meta);
    }
}

/// How long something takes after its stroke at least, in seconds, that a wish could become.
pub(super) fn shortest_rest_secs(graph: &Graph, wish: &Wish, lane: Layer) -> f64 {
    let rests = candidates(graph, wish, lane).map(|action| action.secs - action.stroke);
    rests.reduce(f64::min).unwrap_or(0.0).max(0.0)
}

fn candidates<'g>(graph: &'g Graph, wish: &'g Wish, lane: Layer) -> impl Iterator<Item = &'g ActionNode> {
    let can_be = move |action: &&ActionNode| {
        action.layers.contains(lane)
            && (action.likelihood > 0.0 || wish.like.is_some())
            && wish.fits(graph, action)
    };
    graph.actions().iter().filter(can_be)
}
