//! What a performer with a repertoire does by itself and on demand.

use crate::body::behaviour::Behaviour;
use crate::body::graph::Graph;
use crate::body::layers::{Layer, Playback};
use crate::body::library::Library;
use crate::body::library::bound::Part;
use crate::body::plan::{Command, Note, Planner, Rules, Why};
use crate::error::{Error, Result};
use crate::eyes::{BlinkIntent, Look, Target};
use crate::intent::{Intent, LookIntent, LookTarget, LookWord, Stop};
use crate::performer::Performer;
use std::sync::Arc;

impl Performer {
    /// Takes an intent of an agent. What has not begun is planned again. Returns the number by which
    /// [notes](Performer::take_notes) name it, if the body has to do something for it:
    ///
    /// - an act, a stance, a state, a stop and a `do` of something in the repertoire each get a number of their own;
    /// - a line gets one with its first piece, and keeps it. Actions that its tags ask for have the number of the line;
    /// - looks, blinks, nods and moods have none, because the planner has nothing to do with them.
    ///
    /// A `do` and a tag become an action later, when their time comes; the number is known at once.
    ///
    /// # Errors
    /// If the character has no repertoire, or the repertoire no such clip, tag or stance; the error suggests the nearest
    /// known name.
    pub fn intend(&mut self, intent: &Intent) -> Result<Option<u64>> {
        let now = self.now();
        match intent {
            Intent::Look(look) => self.look(look, now),
            Intent::Blink(blink) => {
                if blink.blink {
                    let at = blink.at.unwrap_or(now);
                    self.eyes().blink(BlinkIntent { at, ..BlinkIntent::default() });
                }
            }
            Intent::Do(deed) => return self.take_do(deed, now),
            Intent::Say(say) => return self.say(say, now),
            _ => return self.plan_for(intent, now),
        }
        Ok(None)
    }

    /// From a time on, acts by a behaviour model wherever no agent asks for anything. Without a repertoire
    /// there is nothing to act with, and this does nothing.
    pub fn behave(&mut self, at: f64, behaviour: impl Into<Arc<Behaviour>>) {
        if let Some(planner) = &mut self.planner {
            planner.behave(at, behaviour.into());
        }
    }

    /// Chooses by other rules from now on, such as [`Rules::PAPER`] or with counters that decay.
    pub fn set_rules(&mut self, rules: Rules) {
        if let Some(planner) = &mut self.planner {
            planner.set_rules(rules);
        }
    }

    /// Takes back what an intent asked the body for, by the number that [`intend`](Performer::intend) returned, if it has
    /// not begun. Returns whether there was anything to take back.
    pub fn take_back(&mut self, intent: u64) -> bool {
        let now = self.now();
        let was_waiting = self.forget_tag_actions(now, Why::TakenBack, |_, id| id == intent);
        self.planner.as_mut().is_some_and(|planner| planner.take_back(intent, now)) || was_waiting
    }

    /// What is planned, if the character has a repertoire.
    #[must_use]
    pub fn planner(&self) -> Option<&Planner> {
        self.planner.as_deref()
    }

    /// Takes what the planner noted since the last time, oldest first: see [`Note`]. At most 512 notes are kept, so take
    /// them at least every few seconds.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> {
        self.planner.as_mut().into_iter().flat_map(|planner| planner.take_notes())
    }

    /// The time that it is; 0 before the performance began.
    pub(super) fn now(&self) -> f64 {
        if self.time.is_finite() { self.time } else { 0.0 }
    }

    fn plan_for(&mut self, intent: &Intent, now: f64) -> Result<Option<u64>> {
        if let Intent::Be(be) = intent {
            self.take_mood(be, now)?;
        }
        let stops_all = matches!(intent, Intent::Stop(Stop { stop: true, layer: None, .. }));
        let id = match (&mut self.planner, self.library.graph()) {
            (Some(planner), Some(graph)) => ask(planner, graph, intent, now)?,
            // Who only speaks can be interrupted, too.
            _ if stops_all && self.voice.is_some() => None,
            _ => return Err(Error::new("this character has no repertoire to plan with")),
        };
        if stops_all {
            let at = at_or_now(intent.at(), now);
            self.forget_tag_actions(now, Why::Stopped, |due, _| due >= at);
            if let Some(life) = &mut self.life {
                life.hush(at);
            }
            self.hush_at(at);
        }
        Ok(id)
    }

    fn look(&mut self, look: &LookIntent, now: f64) {
        let at = look.at.unwrap_or(now);
        let target = match look.look {
            LookTarget::Word(LookWord::Freely) => return self.eyes().look_freely(at),
            LookTarget::Word(LookWord::Ahead) => Target::Ahead,
            LookTarget::Word(LookWord::Away) => Target::Away,
            LookTarget::Point(point) => Target::Point(point),
        };
        self.eyes().look(Look { at, ..Look::at(target) });
    }

    /// Every layer begins in its first stance.
    pub(super) fn take_first_stances(&mut self) {
        let library = self.library.clone();
        for layer in Layer::ALL {
            let stance = self.planner.as_ref().and_then(|planner| planner.stance(layer));
            if let Some(playback) = stance.and_then(|stance| held(&library, stance, layer, 0.0)) {
                self.layers[layer as usize].begin(&library, playback, &mut self.scratch);
            }
        }
    }

    pub(super) fn handle_plan(&mut self, at: f64) {
        let library = self.library.clone();
        let (Some(planner), Some(graph)) = (&mut self.planner, library.graph()) else { return };
        let mut commands = [None; MAX_COMMANDS];
        let due = planner.handle(graph, at);
        debug_assert!(due.len() <= MAX_COMMANDS, "no command may be lost: {due:?}");
        for (slot, command) in commands.iter_mut().zip(due) {
            *slot = Some(*command);
        }
        for command in commands.into_iter().flatten() {
            self.obey(&library, command, at);
        }
    }

    fn obey(&mut self, library: &Library, command: Command, at: f64) {
        match command {
            Command::Play { action } => self.perform_action(library, action, at),
            Command::Settle { layer, stance, secs, may_take_longer } => {
                self.take_stance(library, layer, stance, at, secs, may_take_longer);
            }
            Command::Hurry { layer, secs } => {
                self.layers[layer as usize].hurry(library, at, secs, &mut self.scratch);
            }
            Command::Be(activity) => {
                if let Some(face) = &mut self.face {
                    face.eyes.be(at, activity);
                }
                if let Some(life) = &mut self.life {
                    life.be(at, activity);
                }
            }
        }
    }

    /// Plays an action on each of its layers; a change without a clip goes straight to the new stance.
    fn perform_action(&mut self, library: &Library, action: usize, at: f64) {
        let Some(node) = library.graph().map(|graph| &graph.actions()[action]) else { return };
        for layer in node.layers.iter() {
            let Some(playback) = acted(library, action, layer, at) else {
                self.take_stance(library, layer, node.ends_in, at, node.blend_in, true);
                continue;
            };
            self.stand(layer, at, 0.0);
            self.change_layer(library, layer, playback, node.blend_in, true);
        }
    }

    fn take_stance(
        &mut self,
        library: &Library,
        layer: Layer,
        stance: usize,
        at: f64,
        secs: f64,
        is_gentle: bool,
    ) {
        self.stand(layer, at, library.bound().map_or(0.0, |bound| bound.stances[stance].sway));
        let playback = held(library, stance, layer, at).unwrap_or_else(|| Playback::rest(at));
        self.change_layer(library, layer, playback, secs, is_gentle);
    }

    fn change_layer(
        &mut self,
        library: &Library,
        layer: Layer,
        playback: Playback,
        secs: f64,
        is_gentle: bool,
    ) {
        // The planner says when it ends.
        self.ends[layer as usize] = f64::INFINITY;
        let state = &mut self.layers[layer as usize];
        if is_gentle {
            state.change_gently(library, playback, secs, &mut self.scratch);
        } else {
            state.change(library, playback, secs, &mut self.scratch);
        }
    }
}

/// Tells a planner what an intent asks of the body.
fn ask(planner: &mut Planner, graph: &Graph, intent: &Intent, now: f64) -> Result<Option<u64>> {
    match intent {
        Intent::Act(act) => planner.act(graph, act, now).map(Some),
        Intent::Stance(stance) => planner.change_stance(graph, stance, now).map(Some),
        Intent::Be(be) => planner.change_state(at_or_now(be.at, now), be.be).map(Some),
        Intent::Stop(stop) => planner.stop(stop, now),
        Intent::Say(_) | Intent::Look(_) | Intent::Blink(_) | Intent::Do(_) => Ok(None),
    }
}

/// A time that was asked for, if it is one and not past, else now.
fn at_or_now(at: Option<f64>, now: f64) -> f64 {
    at.filter(|at| at.is_finite()).unwrap_or(now).max(now)
}

/// An action on a layer; `None` for a change without a clip.
pub(super) fn acted(library: &Library, action: usize, layer: Layer, at: f64) -> Option<Playback> {
    let bound = library.bound()?;
    let (node, part) = (&bound.graph.actions()[action], &bound.actions[action]);
    let mask = part.masks[layer as usize];
    let playback = Playback::new(part.motion?, at, node.part, node.looped, 1.0, mask);
    Some(part.on(layer, playback))
}

/// A stance on a layer; `None` if it is the neutral pose there.
pub(super) fn held(library: &Library, stance: usize, layer: Layer, at: f64) -> Option<Playback> {
    let bound = library.bound()?;
    let (node, part) = (&bound.graph.stances()[stance], &bound.stances[stance]);
    let playback = Playback::new(part.motion?, at, node.part, true, 1.0, part.masks[layer as usize]);
    Some(part.on(layer, playback))
}

impl Part {
    /// A playback of it on a layer: expressions are shown by one layer only, and the seam of a loop is known.
    fn on(&self, layer: Layer, playback: Playback) -> Playback {
        let playback = playback.with_seam(self.seam);
        if self.speaker == Some(layer) { playback } else { playback.faceless() }
    }
}

/// The most commands of one event: a stop with a change of state on all layers.
const MAX_COMMANDS: usize = 8;
