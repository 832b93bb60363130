//! From intents to meta-actions (paper 4, Figure 5).

use crate::body::graph::Graph;
use crate::body::layers::Layer;
use crate::body::plan::notes::KEPT;
use crate::body::plan::stroke;
use crate::body::plan::temporal::replan;
use crate::body::plan::{Control, Meta, Note, Origin, Planner, What, Why, Wish};
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::blinking::Activity;
use crate::intent::{Act, Intent, Say, Stop, ToStance};
use crate::speech::lines::Lines;
use crate::speech::pronounce::English;

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
    /// The number of the wish that the line became.
    #[must_use]
    pub fn wish(&self) -> Option<u64> {
        self.wish
    }
}

impl Planner {
    /// Takes a wish, at a time that is now, and gives its number; `None` if it is none for the body. What has
    /// not begun is planned anew.
    ///
    /// # Errors
    /// If the repertoire has no such clip, tag or stance, or too much is waiting.
    pub fn intend(&mut self, graph: &Graph, intent: &Intent, now: f64) -> Result<Option<u64>> {
        let at = intent.at().filter(|at| at.is_finite()).unwrap_or(now).max(now);
        match intent {
            Intent::Act(act) => self.take_act(graph, act, at, now)?,
            Intent::Stance(stance) => self.take_stance(graph, stance, at, now)?,
            Intent::Be(be) => self.take_control(at, What::Be(be.be))?,
            Intent::Say(say) => return self.take_line(say, now),
            Intent::Stop(stop) => self.take_stop(stop, at, now)?,
            Intent::Look(_) | Intent::Blink(_) | Intent::Do(_) => return Ok(None),
        }
        Ok(Some(self.wishes))
    }

    /// A line, or more of one, for a planner that has no performer to keep them.
    fn take_line(&mut self, say: &Say, now: f64) -> Result<Option<u64>> {
        self.lines.take(say, now, &English::default(), 1.0)?;
        self.plan_own_lines(now)?;
        Ok(self.lines.last_told().and_then(|line| line.with.wish))
    }

    fn plan_own_lines(&mut self, now: f64) -> Result<()> {
        let mut lines = std::mem::take(&mut self.lines);
        let planned = self.plan_lines(&mut lines, now, |planned| planned);
        self.lines = lines;
        planned
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
            self.controls.retain(|control| !control.is_of_line(wish));
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
        self.take_control(from, What::Say { secs: until - from })?;
        Ok(self.wishes)
    }

    /// A line begins, if it has not begun, and ends, if it has not ended, at other times than was thought.
    fn say_instead(&mut self, line: u64, [from, until]: [f64; 2], now: f64) {
        let place = self.controls.iter().position(|control| control.is_of_line(Some(line)));
        let Some(place) = place else { return };
        let Some(control) = self.controls.remove(place) else { return };
        let (at, what) = match control.what {
            What::Say { .. } => (from, What::Say { secs: until - from }),
            other => (until, other),
        };
        self.schedule(Control { at: at.max(now), what, ..control });
    }

    /// Is in a state from a time on.
    ///
    /// # Errors
    /// If too much is waiting.
    pub(crate) fn be_at(&mut self, at: f64, activity: Activity) -> Result<()> {
        self.take_control(at, What::Be(activity))
    }

    fn take_control(&mut self, at: f64, what: What) -> Result<()> {
        if self.controls.len() >= MAX_CONTROLS {
            return Err(Error::new(format!("{MAX_CONTROLS} states, lines and stops are waiting already")));
        }
        self.wishes += 1;
        self.schedule(Control { at, id: self.wishes, what });
        Ok(())
    }

    /// What was asked for before, for a time after the stop, is forgotten at once: it shall not stand in
    /// the way of what is asked for afterwards.
    fn take_stop(&mut self, stop: &Stop, at: f64, now: f64) -> Result<()> {
        if !stop.stop {
            return Ok(());
        }
        let within = stop.within.filter(|secs| secs.is_finite()).map(|secs| secs.clamp(0.05, 60.0));
        self.take_control(at, What::Stop { layer: stop.layer, within })?;
        if stop.layer.is_none() {
            self.lines.stop(at, now);
            self.plan_own_lines(now)?;
        }
        for layer in Layer::ALL.into_iter().filter(|l| stop.layer.is_none_or(|only| only == *l)) {
            self.forget(layer, now, Why::Stopped, |meta| meta.start >= at);
            for meta in &mut self.lanes[layer as usize].queue {
                meta.end = meta.end.min(at);
            }
        }
        Ok(())
    }

    fn take_stance(&mut self, graph: &Graph, wanted: &ToStance, at: f64, now: f64) -> Result<()> {
        let kind = Kind::Transition;
        let act = Act { stance: Some(wanted.stance.clone()), priority: wanted.priority, ..Act::new(kind) };
        self.take_act(graph, &act, at, now)
    }

    /// Does something like this from a time on.
    pub(crate) fn wish(&mut self, graph: &Graph, wish: Wish, priority: i32, at: f64) -> Result<()> {
        let act = Act { priority, ..Act::new(wish.kind.unwrap_or(Kind::Gesture)) };
        self.take_wish(graph, wish, &act, at, at)
    }

    fn take_act(&mut self, graph: &Graph, act: &Act, at: f64, now: f64) -> Result<()> {
        let wish = wish_of(graph, act)?;
        self.take_wish(graph, wish, act, at, now)
    }

    /// Plans a wish as its act says.
    fn take_wish(&mut self, graph: &Graph, wish: Wish, act: &Act, at: f64, now: f64) -> Result<()> {
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
        self.wishes += 1;
        let asked_secs = act.duration.filter(|secs| secs.is_finite() && *secs > 0.0);
        let is_timed = asked_secs.is_some() || act.at.is_some() || act.stroke_at.is_some();
        let secs = asked_secs.unwrap_or_else(|| shortest_secs(graph, &wish, lane));
        let asked_stroke = act.stroke_at.filter(|at| at.is_finite());
        let at = asked_stroke.map_or(at, |stroke| at.max(stroke - self.lead_secs(graph, &wish, lane)));
        let stroke_at = asked_stroke.filter(|_| wish.target().is_none());
        let end = stroke_at.map_or(at, |stroke| stroke + stroke::shortest_rest_secs(graph, &wish, lane));
        let meta = Meta {
            id: self.wishes,
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
        Ok(())
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
        let stops = |what: &What| matches!(what, What::Stop { layer, .. } if layer.is_none_or(|l| l == lane));
        let next = self.controls.iter().find(|control| stops(&control.what));
        next.map_or(f64::INFINITY, |control| control.at)
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
        let lane = self.lane_chance.event(self.wishes).weighted(&weights)?;
        Some(Layer::ALL[lane])
    }
}

impl Control {
    /// Whether it is the begin or the end of a line.
    fn is_of_line(&self, line: Option<u64>) -> bool {
        Some(self.id) == line && matches!(self.what, What::Say { .. } | What::Hush(_))
    }
}

fn wish_of(graph: &Graph, act: &Act) -> Result<Wish> {
    let like = act.clip.as_deref().map(|name| {
        let found = graph.actions().iter().position(|action| action.name == name);
        found.ok_or_else(|| unknown("clip", name, graph.actions().iter().map(|a| a.name.as_str()).collect()))
    });
    let stance = act.stance.as_deref().map(|name| {
        let names = graph.stances().iter().map(|s| s.name.as_str());
        graph.stance(name).ok_or_else(|| unknown("stance", name, names.collect()))
    });
    for tag in &act.tags {
        if graph.tag_bits([tag]).is_none() {
            return Err(unknown("tag", tag, graph.tags().iter().map(String::as_str).collect()));
        }
    }
    Ok(Wish {
        kind: Some(act.act),
        like: like.transpose()?,
        tags: graph.tag_bits(&act.tags).unwrap_or(0),
        hand: act.hand,
        layer: act.layer,
        stance: stance.transpose()?,
        from: None,
    })
}

fn unknown(what: &str, name: &str, mut names: Vec<&str>) -> Error {
    names.sort_unstable();
    names.dedup();
    let all = names.len();
    if all > FEW {
        // Of hundreds, those that may have been meant.
        names.sort_by_key(|known| std::cmp::Reverse(alike(name, known)));
        names.truncate(FEW);
    }
    let more = if all > FEW { format!(", or another of {all}") } else { String::new() };
    let known = names.join(", ") + &more;
    Error::unknown_name(&format!("{what} of this repertoire"), name, &known)
}

/// More names than this say nothing.
const FEW: usize = 12;

/// How many pairs of letters of one name the other has.
fn alike(name: &str, other: &str) -> usize {
    let pairs = |text: &str| -> Vec<[char; 2]> {
        let letters: Vec<char> = text.to_lowercase().chars().take(100).collect();
        letters.windows(2).map(|pair| [pair[0], pair[1]]).collect()
    };
    let others = pairs(other);
    pairs(name).iter().filter(|pair| others.contains(pair)).count()
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
