//! From what an agent asks for to what each layer does (paper 4, section 6).
//!
//! Every wish becomes a meta-action: abstract and specific fields, properties, a time and a priority
//! (Figure 5). Meta-actions of a layer are made free of conflicts in time (`temporal`, Figure 6). When
//! one begins, a specific action is chosen for it (`synthesis`, Figure 7); transitions come before it
//! where the stance has to change. Where an agent asks for nothing, the behaviour model does (`auto`).
//!
//! A choice is made at the very instant at which the action begins, and not when it is asked for: so
//! replanning is merging, and what has not begun can still change. Only an action whose stroke is wanted at a certain
//! time is chosen a little before, because it depends on the action when it has to begin (`stroke`). To look ahead, clone the planner and
//! let the clone run.
//!
//! A planner knows no pose and no clip, only how long actions take and which stances they join.

mod adopt;
mod auto;
mod intake;
mod notes;
mod stroke;
mod synthesis;
mod temporal;
#[cfg(test)]
mod tests;
mod wish;

use crate::agenda::Agenda;
use crate::body::behaviour::Behaviour;
use crate::body::choose::Choice;
use crate::body::graph::Graph;
use crate::body::layers::{Layer, LayerSet};
use crate::body::repertoire::Kind;
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use crate::math::{least, most};
pub(crate) use adopt::renumbered;
use auto::Auto;
pub use intake::{BARGE_IN_SECS, DEFAULT_STOP_SECS, Planned};
pub use notes::{Began, Note, Why};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
pub use stroke::{MAX_LATE_SECS, MAX_LEAD_SECS, ON_TIME_SECS};
use temporal::Active;
pub use wish::Wish;

/// How choices are made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rules {
    /// How much a use adds to an action's counter; paper 4 has 4.
    pub alpha: f64,
    /// The time in which a counter falls to half, in seconds. Paper 4's counters never fall (`None`).
    pub half_life_secs: Option<f64>,
    /// `DIFFERENCE`: an action is not chosen twice in a row where there is another one.
    pub never_twice: bool,
    /// `DIFFERENCE`: an action that leaves time for what is asked for later is preferred to one that would
    /// cover it (paper 4, Figure 7, case 3 discards what is covered).
    pub spares_later: bool,
    /// `DIFFERENCE`: how long a wish without any time waits for its layer, in seconds. Paper 4 discards what
    /// something else covers; but who asks for three gestures at once wants three, one after another.
    pub patience_secs: f64,
}

impl Rules {
    /// Paper 4 to the letter.
    pub const PAPER: Self = Self {
        alpha: Choice::ALPHA,
        half_life_secs: None,
        never_twice: false,
        spares_later: false,
        patience_secs: 0.0,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self { never_twice: true, spares_later: true, patience_secs: 10.0, ..Self::PAPER }
    }
}

/// Who asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// An agent.
    Agent,
    /// The behaviour model, because nobody did.
    Behaviour,
}

/// A meta-action (paper 4, Figure 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meta {
    /// The number of the intent that it came from, as [`Performer::intend`](crate::performer::Performer::intend)
    /// returned it; what the behaviour model does has a number of its own.
    pub id: u64,
    /// Its place in the order in which the planner was asked: later ones have higher numbers.
    pub asked: u64,
    /// Who asked for it.
    pub origin: Origin,
    /// What it has to be like.
    pub wish: Wish,
    /// When it is to begin, in seconds.
    pub start: f64,
    /// When it is to end, in seconds.
    pub end: f64,
    /// Whether the end is an estimate, because nobody asked for one.
    pub is_open: bool,
    /// Higher ones cut lower ones.
    pub priority: i32,
    /// Whether its remainder is done after a cut.
    pub resume: bool,
    /// Whether it is done even if it comes late: a stance that is wanted is still wanted then.
    pub must: bool,
    /// Until when it waits for its layer although something else covers its time, in seconds.
    pub waits_until: f64,
    /// When its stroke is to arrive, in seconds. It is then due early enough for whatever may be chosen.
    pub stroke_at: Option<f64>,
    /// What was chosen for it and has not begun yet, because its stroke would come too early.
    pub decided: Option<Decided>,
}

/// A choice that waits for its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    /// Which action of the graph.
    pub action: usize,
    /// Among how many candidates it was chosen.
    pub candidates: usize,
    /// How likely it was to be chosen.
    pub probability: f64,
}

/// The priority of what the behaviour model does: everybody else's comes first.
pub const BEHAVIOUR_PRIORITY: i32 = i32::MIN;

impl Meta {
    fn order(&self, other: &Self) -> Ordering {
        let by_start = self.start.total_cmp(&other.start);
        by_start.then(other.priority.cmp(&self.priority)).then(self.asked.cmp(&other.asked))
    }

    /// Whether there is nothing left of it at a time.
    fn is_over(&self, at: f64) -> bool {
        !self.must && self.end.max(self.waits_until) <= at + temporal::SAME_SECS
    }

    /// Begins later. An estimated end moves along; an end that was asked for stays.
    fn delay_to(&mut self, start: f64) {
        if self.is_open || self.must || self.waits_until > start {
            self.end += start - self.start;
        }
        self.start = start;
    }
}

/// What a layer is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Which action of the graph.
    pub action: usize,
    /// The layer on whose timeline it was planned; it may take others too.
    pub lane: Layer,
    /// What it was chosen for.
    pub meta: Meta,
    /// When it began, in seconds.
    pub began: f64,
    /// When it ends, in seconds.
    pub until: f64,
}

/// What a body has to do at the instant of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Play an action of the graph on its layers.
    Play {
        /// Which.
        action: usize,
    },
    /// Return to a stance.
    Settle {
        /// On which layer.
        layer: Layer,
        /// Which stance of the graph.
        stance: usize,
        /// How long to take, in seconds.
        secs: f64,
        /// Whether it may take longer where the way is far.
        may_take_longer: bool,
    },
    /// Be done soon with a return to the stance that has begun.
    Hurry {
        /// On which layer.
        layer: Layer,
        /// How long it may still take, in seconds.
        secs: f64,
    },
    /// Be in a state.
    Be(Activity),
}

/// Something at a time that is not an action.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Control {
    id: u64,
    /// Its place in the order in which the planner was asked.
    asked: u64,
    kind: ControlKind,
}

/// Which intent something came from, and when the planner was asked for it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    id: u64,
    asked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ControlKind {
    Be(Activity),
    Say {
        secs: f64,
    },
    /// The end of what the control with this number said.
    Hush(u64),
    Stop {
        layer: Option<Layer>,
        /// How long it may take; `None` as long as is usual.
        within: Option<f64>,
    },
}

/// A layer's timeline.
#[derive(Clone, Debug, Default)]
struct Lane {
    running: Option<Running>,
    /// What is still to come, in order and without overlap.
    queue: Vec<Meta>,
    /// When, and how slowly, to return to the stance if nothing else begins.
    settle: Option<Settle>,
    /// What was done last, so as not to do it again.
    last: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Settle {
    at: f64,
    secs: f64,
    may_take_longer: bool,
}

/// The plans of all layers of one character.
#[derive(Clone, Debug)]
pub struct Planner {
    rules: Rules,
    /// When something happened last: what waited for it is due then, and not when it was asked for.
    time: f64,
    lanes: [Lane; 3],
    stances: [Option<usize>; 3],
    choice: Choice,
    chance: Chance,
    choices: u64,
    lane_chance: Chance,
    behaviour: Arc<Behaviour>,
    autos: [Auto; 4],
    /// How long what is done unasked rests, as a factor.
    gaps: f64,
    activity: Activity,
    /// When words will stand out, in order.
    strokes: VecDeque<f64>,
    /// The line that is being said, and the state to return to after it.
    line: Option<(Asked, Activity)>,
    controls: Agenda<Control>,
    /// How often it was asked for something.
    asked: u64,
    /// How many numbers were given out.
    ids: u64,
    commands: Vec<Command>,
    notes: VecDeque<Note>,
    /// Scratch: a weight an action.
    weights: Vec<f64>,
}

impl Planner {
    /// A planner whose layers are in their first stances, and that does nothing by itself until it has a
    /// [behaviour](Planner::behave).
    #[must_use]
    pub fn new(graph: &Graph, seed: u64, rules: Rules) -> Self {
        let actions = graph.actions().len();
        Self {
            rules,
            time: f64::NEG_INFINITY,
            lanes: std::array::from_fn(|_| Lane { queue: Vec::with_capacity(32), ..Lane::default() }),
            stances: Layer::ALL.map(|layer| graph.first_stance(layer)),
            choice: Choice::with_rules(actions, rules.alpha, rules.half_life_secs),
            chance: Chance::new(seed, "plan"),
            choices: 0,
            lane_chance: Chance::new(seed, "lane"),
            behaviour: Arc::default(),
            autos: Auto::all(seed),
            gaps: 1.0,
            activity: Activity::Idle,
            strokes: VecDeque::new(),
            line: None,
            controls: Agenda::with_capacity(16),
            asked: 0,
            ids: 0,
            commands: Vec::with_capacity(8),
            notes: VecDeque::with_capacity(notes::KEPT),
            weights: vec![0.0; actions],
        }
    }

    /// Chooses by other rules from now on. What was used before still counts.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.choice.set_rules(rules.alpha, rules.half_life_secs);
    }

    /// Rests so many times as long between actions that nobody asked for, from the next rest on: a mood's tempo. It is
    /// brought into 0.2 to 5; what is no number is ignored.
    pub fn set_gaps(&mut self, factor: f64) {
        if !factor.is_nan() {
            self.gaps = factor.clamp(0.2, 5.0);
        }
    }

    /// The stance in which a layer is; during a transition, the one that it leaves.
    #[must_use]
    pub fn stance(&self, layer: Layer) -> Option<usize> {
        self.stances[layer as usize]
    }

    /// What a layer is doing.
    #[must_use]
    pub fn running(&self, layer: Layer) -> Option<&Running> {
        self.lanes[layer as usize].running.as_ref()
    }

    /// What a layer is to do next, in order. It can still change.
    #[must_use]
    pub fn upcoming(&self, layer: Layer) -> &[Meta] {
        &self.lanes[layer as usize].queue
    }

    /// Takes back what an intent asked for, by its number and at a time that is now, if it has not begun: better times
    /// of a word are known, or it is not said after all. Returns whether there was anything to take back.
    pub fn take_back(&mut self, id: u64, now: f64) -> bool {
        let waiting = |planner: &Self| planner.lanes.iter().map(|lane| lane.queue.len()).sum::<usize>();
        let before = waiting(self);
        for layer in Layer::ALL {
            self.forget(layer, now, Why::TakenBack, |meta| meta.id == id);
        }
        waiting(self) < before
    }

    /// The state that it is in.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.activity
    }

    /// Takes what was noted since the last time, oldest first. Of a long time only the last notes are kept.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> {
        self.notes.drain(..)
    }

    /// When something happens next, in seconds; infinite if never.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        let auto = self.autos.iter().map(|auto| auto.next_at).fold(self.controls.next_at(), least);
        most(self.lanes.iter().map(Lane::next_event).fold(auto, least), self.time)
    }

    /// Does one thing that is due at a time, and returns what the body has to do. Does not allocate.
    ///
    /// At one instant actions end first; then come states and stops, what was asked for, what the
    /// behaviour model does, and at last the return to the stance.
    pub fn handle(&mut self, graph: &Graph, at: f64) -> &[Command] {
        self.commands.clear();
        self.time = at;
        if let Some(running) = self.ended(at) {
            self.end(graph, running);
        } else if let Some((at, control)) = self.controls.pop_due(at) {
            self.obey(graph, control, at);
        } else if let Some(layer) = Layer::ALL.into_iter().find(|l| self.lanes[*l as usize].is_due(at)) {
            let meta = self.lanes[layer as usize].queue.remove(0);
            self.begin(graph, layer, meta, at);
        } else if let Some(auto) = (0..self.autos.len()).find(|i| self.autos[*i].next_at <= at) {
            self.act_unasked(graph, auto, at);
        } else if let Some(layer) = Layer::ALL.into_iter().find(|l| self.lanes[*l as usize].settles_by(at)) {
            self.settle(layer);
        }
        &self.commands
    }

    fn ended(&self, at: f64) -> Option<Running> {
        self.lanes.iter().filter_map(|lane| lane.running).find(|running| running.until <= at)
    }

    /// An action ends by itself.
    fn end(&mut self, graph: &Graph, running: Running) {
        let action = &graph.actions()[running.action];
        let secs = action.blend_out;
        self.release(action.layers, Settle { at: running.until, secs, may_take_longer: true });
        self.arrive(action.layers, action.ends_in);
    }

    /// Layers have nothing to do any more.
    fn release(&mut self, layers: LayerSet, settle: Settle) {
        for layer in layers.iter() {
            let lane = &mut self.lanes[layer as usize];
            lane.running = None;
            lane.settle = Some(settle);
        }
    }

    fn arrive(&mut self, layers: LayerSet, stance: usize) {
        for layer in layers.iter() {
            self.stances[layer as usize] = Some(stance);
        }
    }

    fn settle(&mut self, layer: Layer) {
        let settle = self.lanes[layer as usize].settle.take();
        if let (Some(settle), Some(stance)) = (settle, self.stances[layer as usize]) {
            let Settle { secs, may_take_longer, .. } = settle;
            self.commands.push(Command::Settle { layer, stance, secs, may_take_longer });
        }
    }

    fn note(&mut self, note: Note) {
        if self.notes.len() == notes::KEPT {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    fn drop_meta(&mut self, meta: &Meta, at: f64, why: Why) {
        self.note(Note::Dropped { id: meta.id, origin: meta.origin, at, why });
    }

    fn obey(&mut self, graph: &Graph, control: Control, at: f64) {
        match control.kind {
            ControlKind::Be(activity) => {
                self.line = None;
                self.be(activity, at);
            }
            ControlKind::Say { secs } => {
                let before = self.line.map_or(self.activity, |(_, before)| before);
                self.line = Some((Asked { id: control.id, asked: control.asked }, before));
                let kind = ControlKind::Hush(control.id);
                self.controls.insert(at + secs, Control { kind, ..control });
                self.be(Activity::Speaking, at);
            }
            ControlKind::Hush(id) => self.hush(at, |line| line.id == id),
            ControlKind::Stop { layer, within } => {
                let was_speaking = self.line.is_some();
                self.hush(at, |line| layer.is_none() && line.asked < control.asked);
                let usual = if was_speaking { BARGE_IN_SECS } else { DEFAULT_STOP_SECS };
                self.stop_layers(graph, control.asked, layer, at, within.unwrap_or(usual));
            }
        }
    }

    /// Ends the line that is being said, if it is the right one.
    fn hush(&mut self, at: f64, is_it: impl Fn(Asked) -> bool) {
        if let Some((_, before)) = self.line.take_if(|(line, _)| is_it(*line)) {
            self.be(before, at);
        }
    }

    fn be(&mut self, activity: Activity, at: f64) {
        if activity != self.activity {
            self.activity = activity;
            self.commands.push(Command::Be(activity));
            self.note(Note::State { at, activity });
            self.begin_unasked(at);
        }
    }

    /// Forgets what was asked for before, and returns to the stance. A transition that is stopped returns
    /// to the stance that is nearer in time.
    fn stop_layers(&mut self, graph: &Graph, asked: u64, layer: Option<Layer>, at: f64, within: f64) {
        let settle = Settle { at, secs: within, may_take_longer: false };
        for stopped in Layer::ALL.into_iter().filter(|l| layer.is_none_or(|only| only == *l)) {
            self.forget(stopped, at, Why::Stopped, |meta| meta.asked < asked);
            if let Some(running) = self.lanes[stopped as usize].running {
                let action = &graph.actions()[running.action];
                self.note(running.cut(at));
                self.release(action.layers, settle);
                let is_nearly_there = at - running.began >= 0.5 * (running.until - running.began);
                self.arrive(action.layers, if is_nearly_there { action.ends_in } else { action.stance });
            } else if let Some(planned) = &mut self.lanes[stopped as usize].settle {
                *planned = settle;
            } else {
                self.commands.push(Command::Hurry { layer: stopped, secs: within });
            }
        }
        self.rest_unasked(at + within, layer);
        self.settle_now(at);
    }

    fn forget(&mut self, layer: Layer, at: f64, why: Why, is_meant: impl Fn(&Meta) -> bool) {
        let mut queue = std::mem::take(&mut self.lanes[layer as usize].queue);
        for meta in queue.iter().filter(|meta| is_meant(meta)) {
            self.drop_meta(meta, at, why);
        }
        queue.retain(|meta| !is_meant(meta));
        self.lanes[layer as usize].queue = queue;
    }

    /// Returns to the stance at once, so that what begins at the same instant begins after the stop.
    fn settle_now(&mut self, at: f64) {
        for layer in Layer::ALL {
            if self.lanes[layer as usize].settles_by(at) {
                self.settle(layer);
            }
        }
    }
}

impl Lane {
    fn active(&self, graph: &Graph, stop: f64) -> Option<Active> {
        self.running.as_ref().map(|running| Active {
            until: running.until.min(stop),
            priority: running.meta.priority,
            can_be_cut: running.can_be_cut(graph),
        })
    }

    fn next_event(&self) -> f64 {
        let end = self.running.map_or(f64::INFINITY, |running| running.until);
        let settle = self.settle.map_or(f64::INFINITY, |settle| settle.at);
        least(least(self.next_start(), end), settle)
    }

    /// When the next meta-action can begin, as far as this lane knows.
    fn next_start(&self) -> f64 {
        let waits = |next: &&Meta| self.running.is_none_or(|running| next.priority > running.meta.priority);
        self.queue.first().filter(waits).map_or(f64::INFINITY, |next| next.start)
    }

    fn is_due(&self, at: f64) -> bool {
        self.next_start() <= at
    }

    fn settles_by(&self, at: f64) -> bool {
        self.settle.is_some_and(|settle| settle.at <= at)
    }
}

impl Running {
    /// The note that it ends before its time.
    fn cut(&self, at: f64) -> Note {
        Note::Cut { id: self.meta.id, action: self.action, began: self.began, at }
    }

    /// A transition is not cut: whoever comes next has to know the stance.
    fn can_be_cut(&self, graph: &Graph) -> bool {
        graph.actions()[self.action].kind != Kind::Transition
    }
}
