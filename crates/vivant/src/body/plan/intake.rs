//! Turns intents into meta-actions (paper 4, Figure 5).
//!
//! Every request becomes a meta-action on the timeline of one layer: what is required, when, and with which priority.
//! The concrete action is chosen only when it is due, because stance and repetition are not known before.
//! [`Planner::act`], [`Planner::change_stance`], [`Planner::change_activity`] and [`Planner::stop`] resolve names and
//! return the number of the request; a new action also replans the waiting actions of its layer.
//! [`Planner::plan_lines`] adds the activity for spoken lines. Names that the repertoire lacks and too many waiting
//! requests are errors.

use crate::body::graph::Graph;
use crate::body::layers::Layer;
use crate::body::plan::notes::MAX_NOTES;
use crate::body::plan::stroke;
use crate::body::plan::temporal::replan;
use crate::body::plan::{
    ActionQuery, Control, ControlKind, DropReason, MetaAction, Note, Origin, Planner, RequestNumber,
};
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::blinking::Activity;
use crate::intent::{Act, Stop, ToStance};
use crate::speech::lines::Lines;

/// Default duration in seconds of returning to the stance after a stop.
pub const DEFAULT_STOP_SECS: f64 = 0.4;

/// Default duration in seconds of returning to the stance when a speaker is interrupted (barge-in). If the movement
/// continued for longer, the speaker would seem not to notice the interruption.
pub const BARGE_IN_SECS: f64 = 0.2;

/// Maximum number of waiting requests per layer. It limits memory if an agent sends requests without end.
const MAX_WAITING: usize = 1 << 14;

/// Maximum number of waiting changes of activity, lines and stops, for the same reason. The limit is higher because
/// they need less memory.
const MAX_CONTROLS: usize = 1 << 18;

/// State of a line in the planner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planned {
    intent_id: Option<u64>,
    /// Start and end of speaking, in seconds.
    times: [f64; 2],
}

impl Planned {
    /// Number of the intent that started the line.
    #[must_use]
    pub fn intent_id(&self) -> Option<u64> {
        self.intent_id
    }
}

impl Planner {
    /// Requests an action, and returns the number of the request. `now` is the current time in seconds. Everything
    /// that has not started is planned again.
    ///
    /// # Errors
    /// If the repertoire has no such clip, tag or stance, or if too many requests are waiting.
    pub fn act(&mut self, graph: &Graph, act: &Act, now: f64) -> Result<u64> {
        let query = ActionQuery::from_act(graph, act)?;
        self.add_request(graph, query, act, clamped(act.at, now), now, None)
    }

    /// Requests a change to a stance, and returns the number of the request. `now` is the current time in seconds.
    ///
    /// # Errors
    /// If the repertoire has no such stance, or if too many requests are waiting.
    pub fn change_stance(&mut self, graph: &Graph, wanted: &ToStance, now: f64) -> Result<u64> {
        let query = ActionQuery::to_stance(graph, &wanted.stance)?;
        let act = Act { priority: wanted.priority, ..Act::new(Kind::Transition) };
        self.add_request(graph, query, &act, clamped(wanted.at, now), now, None)
    }

    /// Changes the activity from `at` on, and returns the number of the request.
    ///
    /// # Errors
    /// If too many requests are waiting.
    pub fn change_activity(&mut self, at: f64, activity: Activity) -> Result<u64> {
        self.take_control(at, ControlKind::Be(activity))
    }

    /// Stops layers as an intent requests, and returns the number of the request; `None` if the intent stops nothing.
    /// `now` is the current time in seconds. Earlier requests for times after the stop are removed at once, so that
    /// they do not block later requests.
    ///
    /// # Errors
    /// If too many requests are waiting.
    pub fn stop(&mut self, stop: &Stop, now: f64) -> Result<Option<u64>> {
        if !stop.stop {
            return Ok(None);
        }
        let at = clamped(stop.at, now);
        let within = stop.within.filter(|secs| secs.is_finite()).map(|secs| secs.clamp(0.05, 60.0));
        let id = self.take_control(at, ControlKind::Stop { layer: stop.layer, within })?;
        for layer in Layer::ALL.into_iter().filter(|l| stop.layer.is_none_or(|only| only == *l)) {
            self.drop_matching(layer, now, DropReason::Stopped, |meta| meta.start >= at);
            for meta in &mut self.lanes[layer as usize].queue {
                meta.end = meta.end.min(at);
            }
        }
        Ok(Some(id))
    }

    /// Returns a number for an intent that will become a [request](Self::request) later, such as a `do` at a future
    /// time.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    /// Returns the intent number and the sequence number of a new request.
    pub(super) fn number(&mut self) -> RequestNumber {
        self.sequence += 1;
        RequestNumber { id: self.next_id(), sequence: self.sequence }
    }

    /// Requests an action that matches `query` from `at` on, for the intent with the number `id`.
    pub(crate) fn request(
        &mut self,
        graph: &Graph,
        query: ActionQuery,
        priority: i32,
        at: f64,
        id: u64,
    ) -> Result<u64> {
        let act = Act { priority, ..Act::new(query.kind.unwrap_or(Kind::Gesture)) };
        self.add_request(graph, query, &act, at, at, Some(id))
    }

    /// Adds a note that the intent with the number `id` is dropped.
    pub(crate) fn note_dropped(&mut self, id: u64, at: f64, why: DropReason) {
        self.note(Note::Dropped { id, origin: Origin::Agent, at, why });
    }

    /// Plans the activity for the given lines: speaking from the start of each turn to its end. `now` is the current
    /// time in seconds. `planned` returns the planner's state, which is stored with each line.
    ///
    /// # Errors
    /// If too many requests are waiting.
    pub fn plan_lines<T>(
        &mut self,
        lines: &mut Lines<T>,
        now: f64,
        planned: impl Fn(&mut T) -> &mut Planned,
    ) -> Result<()> {
        for mut dropped in lines.take_dropped() {
            let line = planned(&mut dropped).intent_id;
            self.controls.retain(|_, control| !control.belongs_to_line(line));
        }
        let goes_on: Vec<bool> = lines.in_turns().map(|(_, _, goes_on)| goes_on).collect();
        // If another line continues a line, the first line counts as speaking until the other line is over, so that
        // there is no gap between the two.
        let mut turn_until = f64::NEG_INFINITY;
        for (line, goes_on) in lines.iter_mut().zip(goes_on).rev() {
            turn_until = if goes_on { turn_until.max(line.until()) } else { line.until() };
            let times = [line.from(), turn_until];
            let planned = planned(&mut line.with);
            match planned.intent_id {
                None => planned.intent_id = Some(self.schedule_line([times[0].max(now), times[1]])?),
                Some(line) if planned.times != times => self.reschedule_line(line, times, now),
                Some(_) => {}
            }
            planned.times = times;
        }
        Ok(())
    }

    fn schedule_line(&mut self, [from, until]: [f64; 2]) -> Result<u64> {
        self.take_control(from, ControlKind::Say { secs: until - from })
    }

    /// Updates the start of a line if it has not started, and its end if it has not ended.
    fn reschedule_line(&mut self, line: u64, [from, until]: [f64; 2], now: f64) {
        let found = self.controls.take(|control| control.belongs_to_line(Some(line)));
        let Some((_, control)) = found else { return };
        let (at, kind) = match control.kind {
            ControlKind::Say { .. } => (from, ControlKind::Say { secs: until - from }),
            other => (until, other),
        };
        self.controls.insert(at.max(now), Control { kind, ..control });
    }

    fn take_control(&mut self, at: f64, kind: ControlKind) -> Result<u64> {
        if self.controls.len() >= MAX_CONTROLS {
            return Err(Error::new(format!(
                "too many requests: {MAX_CONTROLS} activity changes, lines and stops are waiting; wait until some are done"
            )));
        }
        let RequestNumber { id, sequence } = self.number();
        self.controls.insert(at, Control { id, sequence, kind });
        Ok(id)
    }

    /// Adds a meta-action for a request, with the given intent number or a new one.
    fn add_request(
        &mut self,
        graph: &Graph,
        query: ActionQuery,
        act: &Act,
        at: f64,
        now: f64,
        id: Option<u64>,
    ) -> Result<u64> {
        let lane = match query.target() {
            Some(stance) => {
                let layers = graph.stances()[stance].layers;
                layers.first().filter(|_| query.layer.is_none_or(|layer| layers.contains(layer)))
            }
            None => self.lane_for(graph, &query, at),
        };
        let lane = lane.ok_or_else(|| no_match_error(graph, &query))?;
        if self.lanes[lane as usize].queue.len() >= MAX_WAITING {
            return Err(Error::new(format!(
                "too many requests: {MAX_WAITING} actions are waiting; send a stop first"
            )));
        }
        self.sequence += 1;
        let id = id.unwrap_or_else(|| self.next_id());
        let asked_secs = act.duration.filter(|secs| secs.is_finite() && *secs > 0.0);
        let is_timed = asked_secs.is_some() || act.at.is_some() || act.stroke_at.is_some();
        let secs = asked_secs.unwrap_or_else(|| shortest_secs(graph, &query, lane));
        let asked_stroke = act.stroke_at.filter(|at| at.is_finite());
        let at = asked_stroke.map_or(at, |stroke| at.max(stroke - self.lead_secs(graph, &query, lane)));
        let stroke_at = asked_stroke.filter(|_| query.target().is_none());
        let end = stroke_at.map_or(at, |stroke| stroke + stroke::shortest_rest_secs(graph, &query, lane));
        let meta = MetaAction {
            id,
            sequence: self.sequence,
            origin: Origin::Agent,
            query,
            start: at,
            end: end.max(at + secs),
            is_open: asked_secs.is_none(),
            priority: act.priority.max(i32::MIN + 1),
            resume: act.resume,
            must: query.target().is_some(),
            waits_until: if is_timed { at } else { at + self.rules.max_wait_secs },
            stroke_at,
            decided: None,
        };
        self.lanes[lane as usize].queue.push(meta);
        self.replan(graph, lane, now);
        Ok(id)
    }

    fn replan(&mut self, graph: &Graph, lane: Layer, now: f64) {
        let stop = self.next_stop(lane);
        let lane = &mut self.lanes[lane as usize];
        let (active, mut queue) = (lane.active(graph, stop), std::mem::take(&mut lane.queue));
        let notes = &mut self.notes;
        replan(active, &mut queue, |meta, why| {
            notes.push_back(Note::Dropped { id: meta.id, origin: meta.origin, at: now, why });
        });
        lane.queue = queue;
        let too_many = self.notes.len().saturating_sub(MAX_NOTES);
        self.notes.drain(..too_many);
    }

    fn next_stop(&self, lane: Layer) -> f64 {
        let stops = |kind: &ControlKind| matches!(kind, ControlKind::Stop { layer, .. } if layer.is_none_or(|l| l == lane));
        let next = self.controls.iter().find(|(_, control)| stops(&control.kind));
        next.map_or(f64::INFINITY, |(at, _)| at)
    }

    /// Returns the layer on whose timeline a request is planned. If several layers are possible, one of them is drawn
    /// at random, weighted by the likelihood of its actions.
    pub(super) fn lane_for(&self, graph: &Graph, query: &ActionQuery, at: f64) -> Option<Layer> {
        if let Some(layer) = query.layer {
            return graph.actions().iter().any(|action| query.matches(graph, action)).then_some(layer);
        }
        let mut weights = [0.0; 3];
        for (index, action) in graph.actions().iter().enumerate().filter(|(_, a)| query.matches(graph, a)) {
            let likelihood = if query.like.is_some() { 1.0 } else { action.likelihood };
            weights[action.lane() as usize] += likelihood * self.choice.weight(index, at);
        }
        let lane = self.lane_chance.event(self.sequence).weighted(&weights)?;
        Some(Layer::ALL[lane])
    }
}

/// Returns the requested time if it is finite and not in the past, otherwise now.
fn clamped(at: Option<f64>, now: f64) -> f64 {
    at.filter(|at| at.is_finite()).unwrap_or(now).max(now)
}

impl Control {
    /// Returns true if the control is the start or the end of the line with the intent number `line`.
    fn belongs_to_line(&self, line: Option<u64>) -> bool {
        Some(self.id) == line && matches!(self.kind, ControlKind::Say { .. } | ControlKind::EndLine(_))
    }
}

/// Returns an error that suggests which conditions of a request to omit.
fn no_match_error(graph: &Graph, query: &ActionQuery) -> Error {
    let exists = |query: ActionQuery| graph.actions().iter().any(|action| query.matches(graph, action));
    let without = [
        ("tags", ActionQuery { tags: 0, ..*query }),
        ("hand", ActionQuery { hand: None, ..*query }),
        ("layer", ActionQuery { layer: None, ..*query }),
        ("stance", ActionQuery { stance: None, ..*query }),
    ];
    let fields = without.into_iter().filter(|(_, other)| other != query && exists(*other));
    let fields: Vec<String> = fields.map(|(field, _)| format!("`{field}`")).collect();
    let advice = match &fields[..] {
        _ if exists(*query) => {
            "matching actions have likelihood 0; request one by name with `clip`".to_owned()
        }
        [] => "remove some conditions".to_owned(),
        fields => format!("omit {}", fields.join(" or ")),
    };
    Error::new(format!("no action of the repertoire matches; {advice}"))
}

/// Duration in seconds of the shortest candidate. It is the estimate until an action is chosen.
fn shortest_secs(graph: &Graph, query: &ActionQuery, lane: Layer) -> f64 {
    let fitting = graph.actions().iter().filter(|a| a.layers.contains(lane) && query.matches(graph, a));
    let shortest = fitting.map(|a| a.secs).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest } else { 1.0 }
}
