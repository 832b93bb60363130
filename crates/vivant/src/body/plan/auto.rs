//! Spontaneous actions, while the agent sends no requests (paper 4, section 7.3).
//!
//! A character that only executes requests freezes between them. Four Markov chains of the behaviour model (arms, head,
//! stances of the head, body) therefore propose actions with the lowest priority. [`Planner::set_behaviour`] starts
//! them. Each chain has its own random stream, so that a request on one layer does not change the others. A chain skips
//! its turn while its layer is busy. Spontaneous gestures never change the stance, and while speaking their strokes
//! wait for a stressed word ([`Planner::set_stroke_times`]).

use crate::body::behaviour::{Behaviour, Chain, Chains, State};
use crate::body::graph::Graph;
use crate::body::layers::Layer;
use crate::body::plan::stroke::shortest_rest_secs;
use crate::body::plan::{ActionQuery, BEHAVIOUR_PRIORITY, MetaAction, Origin, Planner, RequestNumber};
use crate::body::repertoire::Kind;
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use std::sync::Arc;

/// State of one Markov chain of the behaviour model. Each chain has its own random stream.
#[derive(Clone, Debug)]
pub(super) struct Auto {
    chain: fn(&Chains) -> &Chain,
    layer: Layer,
    chance: Chance,
    turn: u64,
    state: Option<usize>,
    /// Time of the chain's next action in seconds.
    pub(super) next_at: f64,
}

/// Minimum time between spontaneous actions in seconds (our design).
const MIN_GAP_SECS: f64 = 0.1;

/// Maximum time for which a gesture waits for a stressed word, in seconds; after that the gesture is skipped (our
/// design).
const MAX_STROKE_WAIT_SECS: f64 = 4.0;

impl Auto {
    pub(super) fn all(seed: u64) -> [Self; 4] {
        let new = |name: &str, layer, chain: fn(&Chains) -> &Chain| Self {
            chain,
            layer,
            chance: Chance::new(seed, name),
            turn: 0,
            state: None,
            next_at: f64::INFINITY,
        };
        [
            new("behaviour of the arms", Layer::Arms, |chains| &chains.arms),
            new("behaviour of the head", Layer::Head, |chains| &chains.head),
            new("stances of the head", Layer::Head, |chains| &chains.head_stance),
            new("behaviour of the body", Layer::Body, |chains| &chains.body),
        ]
    }
}

impl Planner {
    /// Sets the behaviour model. From `at` on, it performs spontaneous actions while the agent sends no requests.
    pub fn set_behaviour(&mut self, at: f64, behaviour: Arc<Behaviour>) {
        self.behaviour = behaviour;
        self.restart_chains(at);
    }

    /// Restarts all chains, each at a random point within the pause before its first action.
    pub(super) fn restart_chains(&mut self, at: f64) {
        let behaviour = self.behaviour.clone();
        let chains = behaviour.chains(self.activity);
        for auto in &mut self.autos {
            let chain = (auto.chain)(chains);
            let mut draw = auto.chance.event(auto.turn);
            auto.turn += 1;
            auto.state = None;
            let first = chain.next(None, &mut draw).map(|state| &chain.states[state]);
            let rest = first.map_or(f64::INFINITY, |state| state.gap.sample(&mut draw) * draw.uniform());
            auto.next_at = at + rest * self.gaps;
        }
    }

    /// Delays the next spontaneous action of a layer after a stop, or of all layers if `layer` is `None`: it comes
    /// one pause after `at`.
    pub(super) fn pause_chains(&mut self, at: f64, layer: Option<Layer>) {
        let behaviour = self.behaviour.clone();
        for index in 0..self.autos.len() {
            let auto = &self.autos[index];
            if layer.is_none_or(|only| only == auto.layer) && auto.next_at.is_finite() {
                let chain = (auto.chain)(behaviour.chains(self.activity));
                self.schedule_next(index, chain, at);
            }
        }
    }

    /// Schedules the next action of a chain: after `at` and the pause of the chain's current state.
    fn schedule_next(&mut self, index: usize, chain: &Chain, at: f64) {
        let auto = &mut self.autos[index];
        let mut draw = auto.chance.event(auto.turn);
        auto.turn += 1;
        let state = auto.state.or_else(|| chain.next(None, &mut draw));
        let gap = state.and_then(|s| chain.states.get(s)).map(|s| s.gap.sample(&mut draw));
        auto.next_at = at + (gap.unwrap_or(f64::INFINITY) * self.gaps).max(MIN_GAP_SECS);
    }

    /// Advances a chain: its next state becomes an action, unless its layer is busy.
    pub(super) fn advance_chain(&mut self, graph: &Graph, index: usize, at: f64) {
        let behaviour = self.behaviour.clone();
        let chain = (self.autos[index].chain)(behaviour.chains(self.activity));
        if let Some(running) = self.lanes[self.autos[index].layer as usize].running {
            return self.schedule_next(index, chain, running.until);
        }
        let auto = &mut self.autos[index];
        let mut draw = auto.chance.event(auto.turn);
        auto.turn += 1;
        let Some(next) = chain.next(auto.state, &mut draw) else {
            auto.next_at = f64::INFINITY;
            return;
        };
        auto.state = Some(next);
        let state = &chain.states[next];
        let secs = state.duration.sample(&mut draw);
        let until = self.perform_state(graph, index, state, at, secs);
        self.schedule_next(index, chain, until.unwrap_or(at));
    }

    /// Performs an action that matches a state: with the meaning and hand of the state if there is such an action,
    /// otherwise with another hand, and finally with another meaning. Returns the end of the action in seconds; `None`
    /// if no action matches.
    fn perform_state(
        &mut self,
        graph: &Graph,
        index: usize,
        state: &State,
        at: f64,
        secs: f64,
    ) -> Option<f64> {
        let exact = ActionQuery {
            kind: Some(state.kind),
            layer: Some(self.autos[index].layer),
            hand: state.hand,
            tags: graph.find_tags(state.tags.iter().map(String::as_str)).unwrap_or(0),
            ..ActionQuery::default()
        };
        // Prefer the other hand to a repetition, but prefer a repetition to another meaning.
        let meant = [exact, ActionQuery { hand: None, ..exact }];
        let any = meant.map(|query| ActionQuery { tags: 0, ..query });
        let query = self.first_available(graph, &meant).or_else(|| self.first_available(graph, &any))?;
        let lane = self.lane_for(graph, &query, at)?;
        let stroke_at = match state.kind {
            Kind::Gesture if self.is_accented() => Some(self.next_stroke(graph, &query, lane, at)?),
            _ => None,
        };
        let rest_secs = |stroke| stroke + shortest_rest_secs(graph, &query, lane);
        let RequestNumber { id, sequence } = self.number();
        let meta = MetaAction {
            id,
            sequence,
            origin: Origin::Behaviour,
            query,
            start: at,
            end: stroke_at.map_or(at + secs.max(MIN_GAP_SECS), rest_secs),
            is_open: stroke_at.is_some(),
            priority: BEHAVIOUR_PRIORITY,
            resume: false,
            must: false,
            waits_until: at,
            stroke_at,
            decided: None,
        };
        if self.lanes[lane as usize].running.is_some() {
            return None;
        }
        // An action that waits for its stroke occupies the layer until its planned end.
        self.begin(graph, lane, meta, at).or(stroke_at.map(|_| meta.end))
    }

    /// Sets the times of stressed words, in order. Spontaneous gestures align their strokes with these times.
    pub fn set_stroke_times(&mut self, times: impl Iterator<Item = f64>) {
        self.strokes.clear();
        self.strokes.extend(times);
    }

    fn is_accented(&self) -> bool {
        self.activity == Activity::Speaking && self.strokes.back().is_some_and(|last| *last > self.time)
    }

    /// Returns the time of the first stressed word before which there is enough time for the gesture, if this word
    /// comes within `MAX_STROKE_WAIT_SECS`.
    fn next_stroke(&mut self, graph: &Graph, query: &ActionQuery, lane: Layer, at: f64) -> Option<f64> {
        while self.strokes.pop_front_if(|stroke| *stroke < at).is_some() {}
        let quickest = at + self.quickest_secs(graph, query, lane);
        self.strokes
            .iter()
            .copied()
            .find(|stroke| *stroke >= quickest)
            .filter(|stroke| *stroke < at + MAX_STROKE_WAIT_SECS)
    }

    /// Returns the first query that does not repeat the last action, otherwise the first query that has any candidate.
    fn first_available(&self, graph: &Graph, queries: &[ActionQuery]) -> Option<ActionQuery> {
        let fresh = queries.iter().find(|query| self.can_begin(graph, query, self.rules.avoids_repetition));
        fresh.or_else(|| queries.iter().find(|query| self.can_begin(graph, query, false))).copied()
    }

    /// Returns true if a query has a candidate in the current stances. Other stances do not count, because
    /// spontaneous gestures never change the stance. If `must_be_fresh` is true, the last action of a layer does not
    /// count either.
    fn can_begin(&self, graph: &Graph, query: &ActionQuery, must_be_fresh: bool) -> bool {
        graph.actions().iter().enumerate().any(|(index, action)| {
            let is_fresh = self.lanes[action.lane() as usize].last != Some(index);
            self.stances[action.lane() as usize] == Some(action.stance)
                && action.likelihood > 0.0
                && (is_fresh || !must_be_fresh)
                && query.matches(graph, action)
        })
    }
}
