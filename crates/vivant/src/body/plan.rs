//! The planner: turns intents into actions on each layer (paper 4, section 6).
//!
//! Every request becomes a meta-action. It has abstract and specific fields, properties, a time and a priority (Figure
//! 5). Conflicts in time between the meta-actions of a layer are resolved (`temporal`, Figure 6). When a meta-action
//! starts, a specific action is chosen for it (`synthesis`, Figure 7), preceded by transitions if the stance has to
//! change. While the agent sends no requests, the behaviour model makes them (`auto`).
//!
//! An action is chosen when it starts, not when it is requested. So new requests are merged into the plan, and
//! everything that has not started can still change. Only an action whose stroke has a requested time is chosen a
//! little earlier, because its start depends on the action (`stroke`). To look ahead, clone the planner and run the
//! clone.
//!
//! A planner has no access to poses or clips. It only uses the durations of actions and the stances that they connect.

mod adopt;
mod auto;
mod intake;
mod notes;
mod query;
mod stroke;
mod synthesis;
mod temporal;
#[cfg(test)]
mod tests;

use crate::agenda::Agenda;
use crate::body::behaviour::Behaviour;
use crate::body::choose::Choice;
use crate::body::graph::Graph;
use crate::body::layers::{Layer, LayerSet};
use crate::body::repertoire::Kind;
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use crate::math::{fast_max, fast_min};
pub(crate) use adopt::map_query;
use auto::Auto;
pub use intake::{BARGE_IN_SECS, DEFAULT_STOP_SECS, Planned};
pub use notes::{Began, DropReason, Note};
pub use query::ActionQuery;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
pub use stroke::{MAX_LATE_SECS, MAX_LEAD_SECS, ON_TIME_SECS};
use temporal::Active;

/// Rules for choosing actions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rules {
    /// Increment of an action's counter per use; 4 in paper 4.
    pub alpha: f64,
    /// Half-life of the counters in seconds. Paper 4's counters never decay (`None`).
    pub half_life_secs: Option<f64>,
    /// `DIFFERENCE`: an action is not chosen twice in a row if there is an alternative.
    pub avoids_repetition: bool,
    /// `DIFFERENCE`: an action that leaves time for later requests is preferred to an action that would overlap them
    /// (in paper 4, Figure 7, case 3, requests that are overlapped are discarded).
    pub leaves_time_for_later: bool,
    /// `DIFFERENCE`: maximum time for which a request without a requested time waits for its layer, in seconds. Paper
    /// 4 discards requests whose time is covered by another action. But an agent that requests three gestures at once
    /// expects all three, one after another.
    pub max_wait_secs: f64,
}

impl Rules {
    /// The rules of paper 4.
    pub const PAPER: Self = Self {
        alpha: Choice::ALPHA,
        half_life_secs: None,
        avoids_repetition: false,
        leaves_time_for_later: false,
        max_wait_secs: 0.0,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self { avoids_repetition: true, leaves_time_for_later: true, max_wait_secs: 10.0, ..Self::PAPER }
    }
}

/// Source of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// An agent.
    Agent,
    /// The behaviour model, while no agent requests anything.
    Behaviour,
}

/// A request for which an action is chosen later: the meta-action of paper 4 (Figure 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetaAction {
    /// Number of the intent, as returned by [`Performer::intend`](crate::performer::Performer::intend). Actions of the
    /// behaviour model have their own numbers.
    pub id: u64,
    /// Sequence number of the request: later requests have higher numbers.
    pub sequence: u64,
    /// Source of the request.
    pub origin: Origin,
    /// Required properties of the action.
    pub query: ActionQuery,
    /// Requested start in seconds.
    pub start: f64,
    /// Requested end in seconds.
    pub end: f64,
    /// True if the end is an estimate, because none was requested.
    pub is_open: bool,
    /// Priority; higher priorities interrupt lower ones.
    pub priority: i32,
    /// True if the rest of the action is played after an interruption.
    pub resume: bool,
    /// True if the action is performed even if it is late, such as a change of stance.
    pub must: bool,
    /// Time in seconds until which the meta-action waits for its layer while another action covers its time.
    pub waits_until: f64,
    /// Requested time of the stroke in seconds. The start is then early enough to prepare the stroke.
    pub stroke_at: Option<f64>,
    /// Action that was chosen but has not started, because its stroke would come too early.
    pub decided: Option<PendingChoice>,
}

/// A chosen action that waits for its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PendingChoice {
    /// Index of the action in the graph.
    pub action: usize,
    /// Number of candidates among which the action was chosen.
    pub candidates: usize,
    /// Probability with which the action was chosen.
    pub probability: f64,
}

/// Priority of the behaviour model: lower than any priority of an agent.
pub const BEHAVIOUR_PRIORITY: i32 = i32::MIN;

impl MetaAction {
    fn order(&self, other: &Self) -> Ordering {
        let by_start = self.start.total_cmp(&other.start);
        by_start.then(other.priority.cmp(&self.priority)).then(self.sequence.cmp(&other.sequence))
    }

    /// Returns true if neither requested time nor waiting time is left at `at`. Always false if the action must be
    /// performed.
    fn is_over(&self, at: f64) -> bool {
        !self.must && self.end.max(self.waits_until) <= at + temporal::SAME_SECS
    }

    /// Delays the start. The end is delayed by the same time if it is an estimate, if the action must be performed,
    /// or if the meta-action may wait for longer; otherwise the end stays.
    fn delay_to(&mut self, start: f64) {
        if self.is_open || self.must || self.waits_until > start {
            self.end += start - self.start;
        }
        self.start = start;
    }
}

/// A running action of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Index of the action in the graph.
    pub action: usize,
    /// Layer on whose timeline the action was planned. The action may use other layers too.
    pub lane: Layer,
    /// The meta-action for which this action was chosen.
    pub meta: MetaAction,
    /// Start in seconds of the performance.
    pub began: f64,
    /// End in seconds of the performance.
    pub until: f64,
}

/// Command for the body at the time of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Plays an action on its layers.
    Play {
        /// Index of the action in the graph.
        action: usize,
    },
    /// Returns a layer to a stance.
    Settle {
        /// Layer that returns to the stance.
        layer: Layer,
        /// Index of the stance in the graph.
        stance: usize,
        /// Duration of the return in seconds.
        secs: f64,
        /// True if the return may take longer for a large change of pose.
        may_take_longer: bool,
    },
    /// Shortens the running fade of a layer.
    ShortenFade {
        /// Layer whose fade is shortened.
        layer: Layer,
        /// Maximum remaining duration in seconds.
        secs: f64,
    },
    /// Changes the activity.
    Be(Activity),
}

/// A scheduled change of activity, start or end of a line, or stop.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Control {
    id: u64,
    /// Sequence number of the request.
    sequence: u64,
    kind: ControlKind,
}

/// Number of an intent, and sequence number of its request.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RequestNumber {
    id: u64,
    sequence: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ControlKind {
    Be(Activity),
    Say {
        secs: f64,
    },
    /// End of the line that the control with this number started.
    EndLine(u64),
    Stop {
        layer: Option<Layer>,
        /// Duration of the return to the stance in seconds; `None` for the default.
        within: Option<f64>,
    },
}

/// Timeline of a layer.
#[derive(Clone, Debug, Default)]
struct Lane {
    running: Option<Running>,
    /// Meta-actions that are still to come, in order and without overlap.
    queue: Vec<MetaAction>,
    /// Pending return to the stance; it happens only if no other action starts.
    settle: Option<Settle>,
    /// The last action, to avoid repeating it.
    last: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Settle {
    at: f64,
    secs: f64,
    may_take_longer: bool,
}

/// Plans of all layers of one character.
#[derive(Clone, Debug)]
pub struct Planner {
    rules: Rules,
    /// Time of the last event in seconds. Requests that waited for this event are due at this time, not at their
    /// requested time.
    time: f64,
    lanes: [Lane; 3],
    stances: [Option<usize>; 3],
    choice: Choice,
    chance: Chance,
    choices: u64,
    lane_chance: Chance,
    behaviour: Arc<Behaviour>,
    autos: [Auto; 4],
    /// Factor for the length of pauses between spontaneous actions.
    gaps: f64,
    activity: Activity,
    /// Times in seconds of stressed words that are still to come, in order.
    strokes: VecDeque<f64>,
    /// The line that is being spoken, and the activity to return to after it.
    line: Option<(RequestNumber, Activity)>,
    controls: Agenda<Control>,
    /// Number of requests so far.
    sequence: u64,
    /// Last number that was given to an intent.
    ids: u64,
    commands: Vec<Command>,
    notes: VecDeque<Note>,
    /// Scratch buffer: one weight per action.
    weights: Vec<f64>,
}

impl Planner {
    /// Creates a planner whose layers are in their first stances. There are no spontaneous actions until a [behaviour
    /// model](Planner::set_behaviour) is set.
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
            sequence: 0,
            ids: 0,
            commands: Vec::with_capacity(8),
            notes: VecDeque::with_capacity(notes::MAX_NOTES),
            weights: vec![0.0; actions],
        }
    }

    /// Changes the rules for choosing actions. Earlier uses of actions still count.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.choice.set_rules(rules.alpha, rules.half_life_secs);
    }

    /// Sets the factor for the pauses between spontaneous actions, from the next pause on, for example for a mood.
    /// The factor is clamped to 0.2–5; NaN is ignored.
    pub fn set_gaps(&mut self, factor: f64) {
        if !factor.is_nan() {
            self.gaps = factor.clamp(0.2, 5.0);
        }
    }

    /// Index of the stance of a layer; during a transition, the stance in which the transition started.
    #[must_use]
    pub fn stance(&self, layer: Layer) -> Option<usize> {
        self.stances[layer as usize]
    }

    /// Running action of a layer.
    #[must_use]
    pub fn running(&self, layer: Layer) -> Option<&Running> {
        self.lanes[layer as usize].running.as_ref()
    }

    /// Meta-actions of a layer that are still to come, in order. They can still change.
    #[must_use]
    pub fn upcoming(&self, layer: Layer) -> &[MetaAction] {
        &self.lanes[layer as usize].queue
    }

    /// Cancels an intent by its number if it has not started, for example because a word got a new time or is not
    /// spoken. Returns true if there was anything to cancel.
    pub fn cancel(&mut self, id: u64, now: f64) -> bool {
        let waiting = |planner: &Self| planner.lanes.iter().map(|lane| lane.queue.len()).sum::<usize>();
        let before = waiting(self);
        for layer in Layer::ALL {
            self.drop_matching(layer, now, DropReason::Cancelled, |meta| meta.id == id);
        }
        waiting(self) < before
    }

    /// Current activity.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.activity
    }

    /// Removes and returns the notes since the last call, oldest first. Only the most recent notes are kept.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> {
        self.notes.drain(..)
    }

    /// Time of the next event in seconds; infinite if there is none.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        let auto = self.autos.iter().map(|auto| auto.next_at).fold(self.controls.next_at(), fast_min);
        fast_max(self.lanes.iter().map(Lane::next_event).fold(auto, fast_min), self.time)
    }

    /// Processes one event that is due, and returns the commands for the body. Does not allocate.
    ///
    /// Events at the same time are processed in this order: ends of actions; changes of activity, lines and stops;
    /// requested actions; the behaviour model; returns to the stance.
    pub fn handle(&mut self, graph: &Graph, at: f64) -> &[Command] {
        self.commands.clear();
        self.time = at;
        if let Some(running) = self.ended(at) {
            self.end(graph, running);
        } else if let Some((at, control)) = self.controls.pop_due(at) {
            self.execute(graph, control, at);
        } else if let Some(layer) = Layer::ALL.into_iter().find(|l| self.lanes[*l as usize].is_due(at)) {
            let meta = self.lanes[layer as usize].queue.remove(0);
            self.begin(graph, layer, meta, at);
        } else if let Some(auto) = (0..self.autos.len()).find(|i| self.autos[*i].next_at <= at) {
            self.advance_chain(graph, auto, at);
        } else if let Some(layer) = Layer::ALL.into_iter().find(|l| self.lanes[*l as usize].settles_by(at)) {
            self.settle(layer);
        }
        &self.commands
    }

    fn ended(&self, at: f64) -> Option<Running> {
        self.lanes.iter().filter_map(|lane| lane.running).find(|running| running.until <= at)
    }

    /// Handles the regular end of an action.
    fn end(&mut self, graph: &Graph, running: Running) {
        let action = &graph.actions()[running.action];
        let secs = action.blend_out;
        self.release(action.layers, Settle { at: running.until, secs, may_take_longer: true });
        self.arrive(action.layers, action.ends_in);
    }

    /// Frees layers and schedules their return to the stance.
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
        if self.notes.len() == notes::MAX_NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    fn drop_meta(&mut self, meta: &MetaAction, at: f64, why: DropReason) {
        self.note(Note::Dropped { id: meta.id, origin: meta.origin, at, why });
    }

    fn execute(&mut self, graph: &Graph, control: Control, at: f64) {
        match control.kind {
            ControlKind::Be(activity) => {
                self.line = None;
                self.set_activity(activity, at);
            }
            ControlKind::Say { secs } => {
                let before = self.line.map_or(self.activity, |(_, before)| before);
                self.line = Some((RequestNumber { id: control.id, sequence: control.sequence }, before));
                let kind = ControlKind::EndLine(control.id);
                self.controls.insert(at + secs, Control { kind, ..control });
                self.set_activity(Activity::Speaking, at);
            }
            ControlKind::EndLine(id) => self.end_line(at, |line| line.id == id),
            ControlKind::Stop { layer, within } => {
                let was_speaking = self.line.is_some();
                self.end_line(at, |line| layer.is_none() && line.sequence < control.sequence);
                let usual = if was_speaking { BARGE_IN_SECS } else { DEFAULT_STOP_SECS };
                self.stop_layers(graph, control.sequence, layer, at, within.unwrap_or(usual));
            }
        }
    }

    /// Ends the current line, if `is_it` returns true for its number.
    fn end_line(&mut self, at: f64, is_it: impl Fn(RequestNumber) -> bool) {
        if let Some((_, before)) = self.line.take_if(|(line, _)| is_it(*line)) {
            self.set_activity(before, at);
        }
    }

    fn set_activity(&mut self, activity: Activity, at: f64) {
        if activity != self.activity {
            self.activity = activity;
            self.commands.push(Command::Be(activity));
            self.note(Note::State { at, activity });
            self.restart_chains(at);
        }
    }

    /// Stops a layer, or all layers if `layer` is `None`: removes requests with a lower sequence number, and returns
    /// to the stance within `within` seconds. A stopped transition continues to its start or end stance, whichever is
    /// nearer in time.
    fn stop_layers(&mut self, graph: &Graph, sequence: u64, layer: Option<Layer>, at: f64, within: f64) {
        let settle = Settle { at, secs: within, may_take_longer: false };
        for stopped in Layer::ALL.into_iter().filter(|l| layer.is_none_or(|only| only == *l)) {
            self.drop_matching(stopped, at, DropReason::Stopped, |meta| meta.sequence < sequence);
            if let Some(running) = self.lanes[stopped as usize].running {
                let action = &graph.actions()[running.action];
                self.note(running.cut(at));
                self.release(action.layers, settle);
                let is_nearly_there = at - running.began >= 0.5 * (running.until - running.began);
                self.arrive(action.layers, if is_nearly_there { action.ends_in } else { action.stance });
            } else if let Some(planned) = &mut self.lanes[stopped as usize].settle {
                *planned = settle;
            } else {
                self.commands.push(Command::ShortenFade { layer: stopped, secs: within });
            }
        }
        self.pause_chains(at + within, layer);
        self.settle_now(at);
    }

    fn drop_matching(
        &mut self,
        layer: Layer,
        at: f64,
        why: DropReason,
        is_meant: impl Fn(&MetaAction) -> bool,
    ) {
        let mut queue = std::mem::take(&mut self.lanes[layer as usize].queue);
        for meta in queue.iter().filter(|meta| is_meant(meta)) {
            self.drop_meta(meta, at, why);
        }
        queue.retain(|meta| !is_meant(meta));
        self.lanes[layer as usize].queue = queue;
    }

    /// Returns to the stance at once, so that an action that starts at the same instant starts after the stop.
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
        fast_min(fast_min(self.next_start(), end), settle)
    }

    /// Returns the earliest time in seconds at which the next meta-action can start, considering only this lane.
    fn next_start(&self) -> f64 {
        let waits =
            |next: &&MetaAction| self.running.is_none_or(|running| next.priority > running.meta.priority);
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
    /// Returns a note that the action was interrupted at `at`.
    fn cut(&self, at: f64) -> Note {
        Note::Cut { id: self.meta.id, action: self.action, began: self.began, at }
    }

    /// Returns false for transitions. They cannot be interrupted, because the next action must start in a known stance.
    fn can_be_cut(&self, graph: &Graph) -> bool {
        graph.actions()[self.action].kind != Kind::Transition
    }
}
