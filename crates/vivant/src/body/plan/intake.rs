//! From intents to meta-actions (paper 4, Figure 5).

use crate::body::graph::Graph;
use crate::body::layers::Layer;
use crate::body::plan::notes::KEPT;
use crate::body::plan::stroke;
use crate::body::plan::temporal::replan;
use crate::body::plan::{Asked, Control, ControlKind, Meta, Note, Origin, Planner, Why, Wish};
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::blinking::Activity;
use crate::intent::{Act, Stop, ToStance};
use crate::speech::lines::Lines;

/// How long a stop takes to return to the stance, in seconds, if nobody says.
pub const DEFAULT_STOP_SECS: f64 = 0.4;

/// The same for somebody who is interrupted while speaking: who still moves then seems not to have noticed.
pub const BARGE_IN_SECS: f64 = 0.2;

/// The most wishes that wait on a layer: an agent in a loop must not fill the memory.
const MAX_WAITING: usize = 1 << 14;

/// The most states, lines and stops that wait, for the same reason; they cost less.
const MAX_CONTROLS: usize = 1 << 18;

/// What a planner knows of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planned {
    wish: Option<u64>,
    /// From when until when it speaks.
    times: [f64; 2],
}

impl Planned {
    /// The number of the intent that the line began with.
    #[must_use]
    pub fn wish(&self) -> Option<u64> {
        self.wish
    }
}

impl Planner {
    /// Takes an act, at a time that is now, and returns its number. What has not begun is planned again.
    ///
    /// # Errors
    /// If the repertoire has no such clip, tag or stance, or too much is waiting.
    pub fn act(&mut self, graph: &Graph, act: &Act, now: f64) -> Result<u64> {
        let wish = Wish::from_act(graph, act)?;
        self.take_wish(graph, wish, act, clamped(act.at, now), now, None)
    }

    /// Takes a wish for a stance, at a time that is now, and returns its number.
    ///
    /// # Errors
    /// If the repertoire has no such stance, or too much is waiting.
    pub fn change_stance(&mut self, graph: &Graph, wanted: &ToStance, now: f64) -> Result<u64> {
        let wish = Wish::to_stance(graph, &wanted.stance)?;
        let act = Act { priority: wanted.priority, ..Act::new(Kind::Transition) };
        self.take_wish(graph, wish, &act, clamped(wanted.at, now), now, None)
    }

    /// Is in a state from a time on, and returns the number of that wish.
    ///
    /// # Errors
    /// If too much is waiting.
    pub fn change_state(&mut self, at: f64, activity: Activity) -> Result<u64> {
        self.take_control(at, ControlKind::Be(activity))
    }

    /// Stops, as an intent says, at a time that is now, and returns the number of that wish. What was asked for
    /// before, for a time after the stop, is forgotten at once: it shall not stand in the way of what is asked for
    /// afterwards.
    ///
    /// # Errors
    /// If too much is waiting.
    pub fn stop(&mut self, stop: &Stop, now: f64) -> Result<Option<u64>> {
        if !stop.stop {
            return Ok(None);
        }
        let at = clamped(stop.at, now);
        let within = stop.within.filter(|secs| secs.is_finite()).map(|secs| secs.clamp(0.05, 60.0));
        let id = self.take_control(at, ControlKind::Stop { layer: stop.layer, within })?;
        for layer in Layer::ALL.into_iter().filter(|l| stop.layer.is_none_or(|only| only == *l)) {
            self.forget(layer, now, Why::Stopped, |meta| meta.start >= at);
            for meta in &mut self.lanes[layer as usize].queue {
                meta.end = meta.end.min(at);
            }
        }
        Ok(Some(id))
    }

    /// Gives out a number for an intent that will become a [wish](Self::wish) later, such as a `do` at a time that is
    /// still to come.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    /// The numbers of something new.
    pub(super) fn number(&mut self) -> Asked {
        self.asked += 1;
        Asked { id: self.next_id(), asked: self.asked }
    }

    /// Does something like this from a time on, for the intent with this number.
    pub(crate) fn wish(&mut self, graph: &Graph, wish: Wish, priority: i32, at: f64, id: u64) -> Result<u64> {
        let act = Act { priority, ..Act::new(wish.kind.unwrap_or(Kind::Gesture)) };
        self.take_wish(graph, wish, &act, at, at, Some(id))
    }

    /// Notes that what an intent asked for will not be done.
    pub(crate) fn note_dropped(&mut self, id: u64, at: f64, why: Why) {
        self.note(Note::Dropped { id, origin: Origin::Agent, at, why });
    }

    /// Speaks while lines are said, at a time that is now: from the begin of each turn to its end. With each line is kept
    /// what is planned for it.
    ///
    /// # Errors
    /// If too much is waiting.
    pub fn plan_lines<T>(
        &mut self,
        lines: &mut Lines<T>,
        now: f64,
        planned: impl Fn(&mut T) -> &mut Planned,
    ) -> Result<()> {
        for mut dropped in lines.take_dropped() {
            let wish = planned(&mut dropped).wish;
            self.controls.retain(|_, control| !control.is_of_line(wish));
        }
        let goes_on: Vec<bool> = lines.in_turns().map(|(_, _, goes_on)| goes_on).collect();
        // A line that another one follows speaks until that one is over, and so there is no rest between them.
        let mut turn_until = f64::NEG_INFINITY;
        for (line, goes_on) in lines.iter_mut().zip(goes_on).rev() {
            turn_until = if goes_on { turn_until.max(line.until()) } else { line.until() };
            let times = [line.from(), turn_until];
            let planned = planned(&mut line.with);
            match planned.wish {
                None => planned.wish = Some(self.say([times[0].max(now), times[1]])?),
                Some(wish) if planned.times != times => self.say_instead(wish, times, now),
                Some(_) => {}
            }
            planned.times = times;
        }
        Ok(())
    }

    fn say(&mut self, [from, until]: [f64; 2]) -> Result<u64> {
        self.take_control(from, ControlKind::Say { secs: until - from })
    }

    /// A line begins, if it has not begun, and ends, if it has not ended, at other times than was thought.
    fn say_instead(&mut self, line: u64, [from, until]: [f64; 2], now: f64) {
        let found = self.controls.take(|control| control.is_of_line(Some(line)));
        let Some((_, control)) = found else { return };
        let (at, kind) = match control.kind {
            ControlKind::Say { .. } => (from, ControlKind::Say { secs: until - from }),
            other => (until, other),
        };
        self.controls.insert(at.max(now), Control { kind, ..control });
    }

    fn take_control(&mut self, at: f64, kind: ControlKind) -> Result<u64> {
        if self.controls.len() >= MAX_CONTROLS {
            return Err(Error::new(format!("{MAX_CONTROLS} states, lines and stops are waiting already")));
        }
        let Asked { id, asked } = self.number();
        self.controls.insert(at, Control { id, asked, kind });
        Ok(id)
    }

    /// Plans a wish as its act says, for an intent that has a number already or gets one.
    fn take_wish(
        &mut self,
        graph: &Graph,
        wish: Wish,
        act: &Act,
        at: f64,
        now: f64,
        id: Option<u64>,
    ) -> Result<u64> {
        let lane = match wish.target() {
            Some(stance) => {
                let layers = graph.stances()[stance].layers;
                layers.first().filter(|_| wish.layer.is_none_or(|layer| layers.contains(layer)))
            }
            None => self.lane_for(graph, &wish, at),
        };
        let lane = lane.ok_or_else(|| nothing_like(graph, &wish))?;
        if self.lanes[lane as usize].queue.len() >= MAX_WAITING {
            return Err(Error::new(format!("{MAX_WAITING} wishes are waiting already; say stop first")));
        }
        self.asked += 1;
        let id = id.unwrap_or_else(|| self.next_id());
        let asked_secs = act.duration.filter(|secs| secs.is_finite() && *secs > 0.0);
        let is_timed = asked_secs.is_some() || act.at.is_some() || act.stroke_at.is_some();
        let secs = asked_secs.unwrap_or_else(|| shortest_secs(graph, &wish, lane));
        let asked_stroke = act.stroke_at.filter(|at| at.is_finite());
        let at = asked_stroke.map_or(at, |stroke| at.max(stroke - self.lead_secs(graph, &wish, lane)));
        let stroke_at = asked_stroke.filter(|_| wish.target().is_none());
        let end = stroke_at.map_or(at, |stroke| stroke + stroke::shortest_rest_secs(graph, &wish, lane));
        let meta = Meta {
            id,
            asked: self.asked,
            origin: Origin::Agent,
            wish,
            start: at,
            end: end.max(at + secs),
            is_open: asked_secs.is_none(),
            priority: act.priority.max(i32::MIN + 1),
            resume: act.resume,
            must: wish.target().is_some(),
            waits_until: if is_timed { at } else { at + self.rules.patience_secs },
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
        let too_many = self.notes.len().saturating_sub(KEPT);
        self.notes.drain(..too_many);
    }

    fn next_stop(&self, lane: Layer) -> f64 {
        let stops = |kind: &ControlKind| matches!(kind, ControlKind::Stop { layer, .. } if layer.is_none_or(|l| l == lane));
        let next = self.controls.iter().find(|(_, control)| stops(&control.kind));
        next.map_or(f64::INFINITY, |(at, _)| at)
    }

    /// The layer on whose timeline a wish is planned. Where it could be done on several, chance decides, by
    /// how likely the actions are.
    pub(super) fn lane_for(&self, graph: &Graph, wish: &Wish, at: f64) -> Option<Layer> {
        if let Some(layer) = wish.layer {
            return graph.actions().iter().any(|action| wish.fits(graph, action)).then_some(layer);
        }
        let mut weights = [0.0; 3];
        for (index, action) in graph.actions().iter().enumerate().filter(|(_, a)| wish.fits(graph, a)) {
            let likelihood = if wish.like.is_some() { 1.0 } else { action.likelihood };
            weights[action.lane() as usize] += likelihood * self.choice.weight(index, at);
        }
        let lane = self.lane_chance.event(self.asked).weighted(&weights)?;
        Some(Layer::ALL[lane])
    }
}

/// A time that was asked for, if it is one and not past, else now.
fn clamped(at: Option<f64>, now: f64) -> f64 {
    at.filter(|at| at.is_finite()).unwrap_or(now).max(now)
}

impl Control {
    /// Whether it is the begin or the end of a line.
    fn is_of_line(&self, line: Option<u64>) -> bool {
        Some(self.id) == line && matches!(self.kind, ControlKind::Say { .. } | ControlKind::Hush(_))
    }
}

/// Says which fields stand in the way.
fn nothing_like(graph: &Graph, wish: &Wish) -> Error {
    let exists = |wish: Wish| graph.actions().iter().any(|action| wish.fits(graph, action));
    let without = [
        ("tags", Wish { tags: 0, ..*wish }),
        ("hand", Wish { hand: None, ..*wish }),
        ("layer", Wish { layer: None, ..*wish }),
        ("stance", Wish { stance: None, ..*wish }),
    ];
    let fields = without.into_iter().filter(|(_, other)| other != wish && exists(*other));
    let fields: Vec<String> = fields.map(|(field, _)| format!("`{field}`")).collect();
    let advice = match &fields[..] {
        _ if exists(*wish) => {
            "what there is has likelihood 0 and is only done by name, as in `clip`".to_owned()
        }
        [] => "ask for less".to_owned(),
        fields => format!("leave out {}", fields.join(" or ")),
    };
    Error::new(format!("the repertoire has nothing like that; {advice}"))
}

/// How long the shortest action takes that a wish could become, in seconds: how long it is thought to be
/// until one is chosen.
fn shortest_secs(graph: &Graph, wish: &Wish, lane: Layer) -> f64 {
    let fitting = graph.actions().iter().filter(|a| a.layers.contains(lane) && wish.fits(graph, a));
    let shortest = fitting.map(|a| a.secs).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest } else { 1.0 }
}
