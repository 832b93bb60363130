//! What is done when nobody asks for anything (paper 4, section 7.3).

use crate::body::behaviour::{Behaviour, Chain, Chains, State};
use crate::body::graph::Graph;
use crate::body::layers::Layer;
use crate::body::plan::stroke::shortest_rest_secs;
use crate::body::plan::{Asked, BEHAVIOUR_PRIORITY, Meta, Origin, Planner, Wish};
use crate::body::repertoire::Kind;
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use std::sync::Arc;

/// A chain at work. Each has a stream of chance of its own.
#[derive(Clone, Debug)]
pub(super) struct Auto {
    chain: fn(&Chains) -> &Chain,
    layer: Layer,
    chance: Chance,
    turn: u64,
    state: Option<usize>,
    /// When it acts next, in seconds.
    pub(super) next_at: f64,
}

/// The shortest time from one unasked action to the next, in seconds (our design).
const MIN_GAP_SECS: f64 = 0.1;

/// How long a gesture waits for a word that stands out, in seconds; then it is left out (our design).
const SOON_SECS: f64 = 4.0;

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
    /// From a time on, acts by a behaviour model wherever nobody asks for anything.
    pub fn behave(&mut self, at: f64, behaviour: Arc<Behaviour>) {
        self.behaviour = behaviour;
        self.begin_unasked(at);
    }

    /// All chains begin anew, each somewhere within the rest before its first action.
    pub(super) fn begin_unasked(&mut self, at: f64) {
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

    /// After a stop, layers rest for a while.
    pub(super) fn rest_unasked(&mut self, at: f64, layer: Option<Layer>) {
        let behaviour = self.behaviour.clone();
        for index in 0..self.autos.len() {
            let auto = &self.autos[index];
            if layer.is_none_or(|only| only == auto.layer) && auto.next_at.is_finite() {
                let chain = (auto.chain)(behaviour.chains(self.activity));
                self.rest_after(index, chain, at);
            }
        }
    }

    /// The rest after the present state.
    fn rest_after(&mut self, index: usize, chain: &Chain, at: f64) {
        let auto = &mut self.autos[index];
        let mut draw = auto.chance.event(auto.turn);
        auto.turn += 1;
        let state = auto.state.or_else(|| chain.next(None, &mut draw));
        let gap = state.and_then(|s| chain.states.get(s)).map(|s| s.gap.sample(&mut draw));
        auto.next_at = at + (gap.unwrap_or(f64::INFINITY) * self.gaps).max(MIN_GAP_SECS);
    }

    /// A chain's turn: its next state becomes an action, unless someone else has the layer.
    pub(super) fn act_unasked(&mut self, graph: &Graph, index: usize, at: f64) {
        let behaviour = self.behaviour.clone();
        let chain = (self.autos[index].chain)(behaviour.chains(self.activity));
        if let Some(running) = self.lanes[self.autos[index].layer as usize].running {
            return self.rest_after(index, chain, running.until);
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
        let until = self.do_unasked(graph, index, state, at, secs);
        self.rest_after(index, chain, until.unwrap_or(at));
    }

    /// Does something like a state: with its meaning and its hand if there is such a thing, else with another
    /// hand, and at last with another meaning.
    fn do_unasked(&mut self, graph: &Graph, index: usize, state: &State, at: f64, secs: f64) -> Option<f64> {
        let exact = Wish {
            kind: Some(state.kind),
            layer: Some(self.autos[index].layer),
            hand: state.hand,
            tags: graph.find_tags(state.tags.iter().map(String::as_str)).unwrap_or(0),
            ..Wish::default()
        };
        // Rather the other hand than the same again; but rather that than something with another meaning.
        let meant = [exact, Wish { hand: None, ..exact }];
        let any = meant.map(|wish| Wish { tags: 0, ..wish });
        let wish =
            self.first_that_can_begin(graph, &meant).or_else(|| self.first_that_can_begin(graph, &any))?;
        let lane = self.lane_for(graph, &wish, at)?;
        let stroke_at = match state.kind {
            Kind::Gesture if self.is_accented() => Some(self.next_stroke(graph, &wish, lane, at)?),
            _ => None,
        };
        let rest_secs = |stroke| stroke + shortest_rest_secs(graph, &wish, lane);
        let Asked { id, asked } = self.number();
        let meta = Meta {
            id,
            asked,
            origin: Origin::Behaviour,
            wish,
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
        // What waits for its stroke has the layer until then.
        self.begin(graph, lane, meta, at).or(stroke_at.map(|_| meta.end))
    }

    /// Says when words will stand out, in order: gestures that nobody asked for then stroke there.
    pub fn stroke_at(&mut self, times: impl Iterator<Item = f64>) {
        self.strokes.clear();
        self.strokes.extend(times);
    }

    fn is_accented(&self) -> bool {
        self.activity == Activity::Speaking && self.strokes.back().is_some_and(|last| *last > self.time)
    }

    /// The first word that stands out for which there is time, if it comes soon.
    fn next_stroke(&mut self, graph: &Graph, wish: &Wish, lane: Layer, at: f64) -> Option<f64> {
        while self.strokes.pop_front_if(|stroke| *stroke < at).is_some() {}
        let quickest = at + self.quickest_secs(graph, wish, lane);
        self.strokes
            .iter()
            .copied()
            .find(|stroke| *stroke >= quickest)
            .filter(|stroke| *stroke < at + SOON_SECS)
    }

    /// The first of some wishes that would not repeat what was done last, else the first that can be done.
    fn first_that_can_begin(&self, graph: &Graph, wishes: &[Wish]) -> Option<Wish> {
        let fresh = wishes.iter().find(|wish| self.can_begin(graph, wish, self.rules.never_twice));
        fresh.or_else(|| wishes.iter().find(|wish| self.can_begin(graph, wish, false))).copied()
    }

    /// Whether something like this can be done in the present stances: nobody changes stance unasked for
    /// the sake of a gesture.
    fn can_begin(&self, graph: &Graph, wish: &Wish, must_be_fresh: bool) -> bool {
        graph.actions().iter().enumerate().any(|(index, action)| {
            let is_fresh = self.lanes[action.lane() as usize].last != Some(index);
            self.stances[action.lane() as usize] == Some(action.stance)
                && action.likelihood > 0.0
                && (is_fresh || !must_be_fresh)
                && wish.fits(graph, action)
        })
    }
}
