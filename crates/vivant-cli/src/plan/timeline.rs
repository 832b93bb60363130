//! Timeline of a plan: the sequence of actions and stances of each layer.

use crate::plot::{Bar, Lane, Lanes, Tone};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::layers::Layer;
use vivant::body::plan::{Began, DropReason, Note, Origin, Planner};
use vivant::body::repertoire::Kind;
use vivant::eyes::blinking::Activity;
use vivant::performer::Performer;

/// The planned actions of a performance, with their reasons.
pub(crate) struct Timeline<'a> {
    graph: &'a Graph,
    secs: f64,
    /// Line numbers in the script, by the id of the request in that line.
    lines: BTreeMap<u64, usize>,
    pub(crate) placed: Vec<Placed>,
    dropped: Vec<Dropped>,
    pub(crate) states: Vec<(f64, Activity)>,
}

/// An action on the timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) began: Began,
    pub(crate) end: f64,
    is_cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Dropped {
    at: f64,
    id: u64,
    why: DropReason,
}

/// A part of a layer's lane: an action, or the stance between two actions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stretch<'a> {
    Action(&'a Placed),
    Stance { stance: usize, start: f64, end: f64 },
}

impl<'a> Timeline<'a> {
    pub(crate) fn new(graph: &'a Graph, secs: f64) -> Self {
        Self { graph, secs, lines: BTreeMap::new(), placed: vec![], dropped: vec![], states: vec![] }
    }

    /// Stores the script line of a request.
    pub(crate) fn add_request(&mut self, id: Option<u64>, line: usize) {
        self.lines.extend(id.map(|id| (id, line)));
    }

    /// Runs the performance to the end. The steps are short, so that no notes of the planner are lost.
    pub(crate) fn run(&mut self, performer: &mut Performer) {
        const STEP_SECS: f64 = 1.0;
        self.states.push((0.0, performer.planner().map(Planner::activity).unwrap_or_default()));
        self.take_notes(performer);
        let mut now = 0.0_f64;
        while now < self.secs {
            now = (now + STEP_SECS).min(self.secs);
            performer.advance_to(now);
            self.take_notes(performer);
        }
    }

    fn take_notes(&mut self, performer: &mut Performer) {
        for note in performer.take_notes() {
            match note {
                Note::Began(began) => self.placed.push(Placed { began, end: began.until, is_cut: false }),
                Note::Cut { action, began, at, .. } => {
                    let is_it = |p: &&mut Placed| p.began.action == action && p.began.at == began;
                    if let Some(placed) = self.placed.iter_mut().rev().find(is_it) {
                        (placed.end, placed.is_cut) = (at, true);
                    }
                }
                // Dropped actions of the behaviour model are not reported, because they were not requested.
                Note::Dropped { origin: Origin::Behaviour, .. } => {}
                Note::Dropped { id, at, why, .. } => self.dropped.push(Dropped { at, id, why }),
                Note::State { at, activity } => self.states.push((at, activity)),
                _ => {}
            }
        }
    }

    pub(crate) fn action(&self, placed: &Placed) -> &'a ActionNode {
        &self.graph.actions()[placed.began.action]
    }

    /// Returns the lane of a layer without gaps. Stances fill the time between actions.
    pub(crate) fn lane(&self, layer: Layer) -> Vec<Stretch<'_>> {
        let Some(mut stance) = self.graph.first_stance(layer) else { return Vec::new() };
        let (mut lane, mut time) = (Vec::new(), 0.0);
        for placed in self.placed.iter().filter(|p| self.action(p).layers.contains(layer)) {
            if placed.began.at > time {
                lane.push(Stretch::Stance { stance, start: time, end: placed.began.at });
            }
            lane.push(Stretch::Action(placed));
            let action = self.action(placed);
            let share = (placed.end - placed.began.at) / (placed.began.until - placed.began.at);
            stance = if share >= 0.5 { action.ends_in } else { action.stance };
            time = placed.end;
        }
        if time < self.secs {
            lane.push(Stretch::Stance { stance, start: time, end: self.secs });
        }
        lane
    }

    /// Returns the reason for an action, as text.
    fn because(&self, placed: &Placed) -> String {
        let Began { id, origin, is_inserted_transition, .. } = placed.began;
        let asked = match (origin, self.lines.get(&id)) {
            (Origin::Agent, Some(line)) => format!("line {line}"),
            (Origin::Agent, None) => "requested".to_owned(),
            _ => "improvised".to_owned(),
        };
        if is_inserted_transition { format!("on the way to {asked}") } else { asked }
    }

    pub(crate) fn json(&self, character: &str, seed: u64) -> Value {
        let lanes = Layer::ALL.map(|layer| {
            let lane: Vec<Value> =
                self.lane(layer).iter().map(|stretch| self.stretch_json(stretch)).collect();
            (layer.name().to_owned(), Value::from(lane))
        });
        let dropped = self
            .dropped
            .iter()
            .map(|d| json!({ "at": rounded(d.at), "line": self.lines.get(&d.id), "why": d.why.sentence() }));
        let states = self.states.iter().map(|(at, state)| json!({ "at": rounded(*at), "be": state }));
        json!({
            "character": character,
            "seed": seed,
            "seconds": self.secs,
            "layers": Value::Object(lanes.into_iter().collect()),
            "dropped": dropped.collect::<Vec<_>>(),
            "states": states.collect::<Vec<_>>(),
        })
    }

    fn stretch_json(&self, stretch: &Stretch<'_>) -> Value {
        match stretch {
            Stretch::Stance { stance, start, end } => json!({
                "kind": "stance",
                "name": self.graph.stances()[*stance].name,
                "start": rounded(*start),
                "end": rounded(*end),
            }),
            Stretch::Action(placed) => self.action_json(placed),
        }
    }

    fn action_json(&self, placed: &Placed) -> Value {
        let (action, began) = (self.action(placed), &placed.began);
        let name = |stance: usize| self.graph.stances()[stance].name.clone();
        let tags = self.graph.tags().iter().enumerate().filter(|(bit, _)| action.tags & 1 << bit != 0);
        json!({
            "kind": action.kind,
            "name": action.name,
            "clip": action.clip,
            "start": rounded(began.at),
            "end": rounded(placed.end),
            "cut": placed.is_cut,
            "stance": name(action.stance),
            "endsIn": name(action.ends_in),
            "hand": action.hand,
            "tags": tags.map(|(_, tag)| tag).collect::<Vec<_>>(),
            "layers": action.layers.iter().collect::<Vec<_>>(),
            "origin": if began.origin == Origin::Agent { "agent" } else { "behaviour" },
            "line": self.lines.get(&began.id),
            "because": self.because(placed),
            "candidates": began.candidates,
            "probability": began.probability,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.dropped.is_empty()
    }

    /// Returns the lanes of a plot.
    pub(crate) fn lanes(&self, character: &str) -> Lanes {
        let of_layers = Layer::ALL.map(|layer| {
            let bars = self.lane(layer).iter().map(|stretch| self.bar(stretch)).collect();
            Lane { name: layer.name(), bars }
        });
        let ends = self.states.iter().skip(1).map(|(at, _)| *at).chain([self.secs]);
        let state = |((start, state), end): (&(f64, Activity), f64)| Bar {
            start: *start,
            end,
            label: format!("{state:?}").to_lowercase(),
            tone: Tone::State,
            is_unasked: false,
        };
        let states = Lane { name: "state", bars: self.states.iter().zip(ends).map(state).collect() };
        let title = format!("Plan of {character}");
        Lanes { title, secs: self.secs, lanes: [states].into_iter().chain(of_layers).collect() }
    }

    fn bar(&self, stretch: &Stretch<'_>) -> Bar {
        match *stretch {
            Stretch::Stance { stance, start, end } => {
                let label = self.graph.stances()[stance].name.clone();
                Bar { start, end, label, tone: Tone::Stance, is_unasked: false }
            }
            Stretch::Action(placed) => Bar {
                start: placed.began.at,
                end: placed.end,
                label: self.label(placed),
                tone: match self.action(placed).kind {
                    Kind::Gesture => Tone::Gesture,
                    Kind::Fidget => Tone::Fidget,
                    Kind::Transition => Tone::Transition,
                },
                is_unasked: placed.began.origin == Origin::Behaviour,
            },
        }
    }

    /// Returns the name of an action. A transition has the name of its target stance.
    fn label(&self, placed: &Placed) -> String {
        let action = self.action(placed);
        match action.kind {
            Kind::Transition => format!("→ {}", self.graph.stances()[action.ends_in].name),
            _ => action.name.clone(),
        }
    }

    /// Formats the actions as text, one line per action, sorted by time.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for placed in &self.placed {
            let action = self.action(placed);
            let layers: Vec<&str> = action.layers.iter().map(Layer::name).collect();
            let hand = action.hand.map_or(String::new(), |hand| format!(" ({})", hand.letters()));
            let cut = if placed.is_cut { ", cut" } else { "" };
            let _ = writeln!(
                text,
                "{:8.2} – {:<8.2} {:<15} {:<10} {:<28} {}, 1 of {} (p = {:.2}){cut}",
                placed.began.at,
                placed.end,
                layers.join("+"),
                action.kind.name(),
                format!("{}{hand}", self.label(placed)),
                self.because(placed),
                placed.began.candidates,
                placed.began.probability,
            );
        }
        for dropped in &self.dropped {
            let line = self.lines.get(&dropped.id).map_or(String::new(), |line| format!("line {line}: "));
            let _ = writeln!(text, "{:8.2}   not done: {line}{}", dropped.at, dropped.why.sentence());
        }
        text
    }
}

/// Rounds to milliseconds, so that the output is short and diffs are small.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
