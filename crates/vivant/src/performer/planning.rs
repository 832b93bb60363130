//! Intents and the planner of a performer with a repertoire.
//!
//! [`Performer::intend`] is the entry for all intents of an agent. It returns the number by which later notes refer to
//! the intent, or an error that suggests a known name. Looks, blinks, nods and moods take effect without the planner;
//! acts, stances, activities and stops are passed to the [`Planner`]. The planner decides and never touches a pose: its
//! commands are executed here, on the layers, the eyes and the breath. A character without a repertoire has no planner,
//! but can still look, blink and speak.

use crate::body::behaviour::Behaviour;
use crate::body::graph::Graph;
use crate::body::layers::{Layer, Playback};
use crate::body::library::Library;
use crate::body::library::bound::Part;
use crate::body::plan::{Command, DropReason, Note, Planner, Rules};
use crate::error::{Error, Result};
use crate::eyes::{BlinkIntent, Look, Target};
use crate::intent::{Intent, LookIntent, LookTarget, LookWord, Stop};
use crate::performer::Performer;
use std::sync::Arc;

impl Performer {
    /// Handles an intent of an agent. Everything that has not started is planned again. Returns the number by which
    /// [notes](Performer::take_notes) refer to the intent, if the planner handles it:
    ///
    /// - an act, a stance, a state, a stop, and a `do` that runs an action of the repertoire, each get their own
    ///   number;
    /// - a line gets a number with its first piece and keeps it. Actions that its tags request have the number of the
    ///   line;
    /// - looks, blinks, nods and moods have no number, because they bypass the planner.
    ///
    /// The action of a `do` or a tag is chosen when it is due, but the number is known at once.
    ///
    /// # Errors
    /// If the character has no repertoire, or if the repertoire has no such clip, tag or stance. The error suggests
    /// the nearest known name.
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
            Intent::Do(asked) => return self.schedule_do(asked, now),
            Intent::Say(say) => return self.say(say, now),
            _ => return self.plan_for(intent, now),
        }
        Ok(None)
    }

    /// Sets the behaviour model. From `at` on, it performs spontaneous actions while the agent sends no requests.
    /// Does nothing without a repertoire.
    pub fn set_behaviour(&mut self, at: f64, behaviour: impl Into<Arc<Behaviour>>) {
        if let Some(planner) = &mut self.planner {
            planner.set_behaviour(at, behaviour.into());
        }
    }

    /// Sets the rules for choosing actions from now on, such as [`Rules::PAPER`] or counters that decay.
    pub fn set_rules(&mut self, rules: Rules) {
        if let Some(planner) = &mut self.planner {
            planner.set_rules(rules);
        }
    }

    /// Cancels an intent by the number that [`intend`](Performer::intend) returned, if it has not started. Returns
    /// true if there was anything to cancel.
    pub fn cancel(&mut self, intent: u64) -> bool {
        let now = self.now();
        let was_waiting = self.cancel_tag_actions(now, DropReason::Cancelled, |_, id| id == intent);
        self.planner.as_mut().is_some_and(|planner| planner.cancel(intent, now)) || was_waiting
    }

    /// The planner, if the character has a repertoire.
    #[must_use]
    pub fn planner(&self) -> Option<&Planner> {
        self.planner.as_deref()
    }

    /// Removes and returns the planner's notes since the last call, oldest first: see [`Note`]. At most 512 notes are
    /// kept, so call this at least every few seconds.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> {
        self.planner.as_mut().into_iter().flat_map(|planner| planner.take_notes())
    }

    /// Current time in seconds; 0 before the performance started.
    pub(super) fn now(&self) -> f64 {
        if self.time.is_finite() { self.time } else { 0.0 }
    }

    fn plan_for(&mut self, intent: &Intent, now: f64) -> Result<Option<u64>> {
        if let Intent::Be(be) = intent {
            self.apply_mood_intent(be, now)?;
        }
        let stops_all = matches!(intent, Intent::Stop(Stop { stop: true, layer: None, .. }));
        let id = match (&mut self.planner, self.library.graph()) {
            (Some(planner), Some(graph)) => plan_intent(planner, graph, intent, now)?,
            // A performer that only speaks can be interrupted, too.
            _ if stops_all && self.voice.is_some() => None,
            _ => return Err(Error::new("this character has no repertoire; use a character with one")),
        };
        if stops_all {
            let at = at_or_now(intent.at(), now);
            self.cancel_tag_actions(now, DropReason::Stopped, |due, _| due >= at);
            if let Some(idle_motion) = &mut self.idle_motion {
                idle_motion.cancel_lines(at);
            }
            self.stop_speech_at(at);
        }
        Ok(id)
    }

    fn look(&mut self, look: &LookIntent, now: f64) {
        let at = look.at.unwrap_or(now);
        let target = match look.look {
            LookTarget::Word(LookWord::Freely) => return self.eyes().end_look(at),
            LookTarget::Word(LookWord::Ahead) => Target::Ahead,
            LookTarget::Word(LookWord::Away) => Target::Away,
            LookTarget::Point(point) => Target::Point(point),
        };
        self.eyes().look(Look { at, ..Look::at(target) });
    }

    /// Puts every layer into its first stance.
    pub(super) fn init_stances(&mut self) {
        let library = self.library.clone();
        for layer in Layer::ALL {
            let stance = self.planner.as_ref().and_then(|planner| planner.stance(layer));
            if let Some(playback) = stance.and_then(|stance| stance_playback(&library, stance, layer, 0.0)) {
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
            self.execute(&library, command, at);
        }
    }

    fn execute(&mut self, library: &Library, command: Command, at: f64) {
        match command {
            Command::Play { action } => self.perform_action(library, action, at),
            Command::Settle { layer, stance, secs, may_take_longer } => {
                self.take_stance(library, layer, stance, at, secs, may_take_longer);
            }
            Command::ShortenFade { layer, secs } => {
                self.layers[layer as usize].shorten_fade(library, at, secs, &mut self.scratch);
            }
            Command::Be(activity) => {
                if let Some(face) = &mut self.face {
                    face.eyes.set_activity(at, activity);
                }
                if let Some(idle_motion) = &mut self.idle_motion {
                    idle_motion.set_activity(at, activity);
                }
            }
        }
    }

    /// Plays an action on each of its layers; a transition without a clip goes straight to the new stance.
    fn perform_action(&mut self, library: &Library, action: usize, at: f64) {
        let Some(node) = library.graph().map(|graph| &graph.actions()[action]) else { return };
        for layer in node.layers.iter() {
            let Some(playback) = action_playback(library, action, layer, at) else {
                self.take_stance(library, layer, node.ends_in, at, node.blend_in, true);
                continue;
            };
            self.set_sway(layer, at, 0.0);
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
        self.set_sway(layer, at, library.bound().map_or(0.0, |bound| bound.stances[stance].sway));
        let playback = stance_playback(library, stance, layer, at).unwrap_or_else(|| Playback::rest(at));
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
        // The planner decides when the action ends.
        self.ends[layer as usize] = f64::INFINITY;
        let state = &mut self.layers[layer as usize];
        if is_gentle {
            state.change_gently(library, playback, secs, &mut self.scratch);
        } else {
            state.change(library, playback, secs, &mut self.scratch);
        }
    }
}

/// Passes an intent to the planner.
fn plan_intent(planner: &mut Planner, graph: &Graph, intent: &Intent, now: f64) -> Result<Option<u64>> {
    match intent {
        Intent::Act(act) => planner.act(graph, act, now).map(Some),
        Intent::Stance(stance) => planner.change_stance(graph, stance, now).map(Some),
        Intent::Be(be) => planner.change_activity(at_or_now(be.at, now), be.be).map(Some),
        Intent::Stop(stop) => planner.stop(stop, now),
        Intent::Say(_) | Intent::Look(_) | Intent::Blink(_) | Intent::Do(_) => Ok(None),
    }
}

/// Returns the requested time if it is finite and not in the past, otherwise now.
fn at_or_now(at: Option<f64>, now: f64) -> f64 {
    at.filter(|at| at.is_finite()).unwrap_or(now).max(now)
}

/// Returns the playback of an action on a layer; `None` for a transition without a clip.
pub(super) fn action_playback(library: &Library, action: usize, layer: Layer, at: f64) -> Option<Playback> {
    let bound = library.bound()?;
    let (node, part) = (&bound.graph.actions()[action], &bound.actions[action]);
    let mask = part.masks[layer as usize];
    let playback = Playback::new(part.motion?, at, node.part, node.looped, 1.0, mask);
    Some(part.adapt(layer, playback))
}

/// Returns the playback of a stance on a layer; `None` if the stance is the neutral pose on this layer.
pub(super) fn stance_playback(library: &Library, stance: usize, layer: Layer, at: f64) -> Option<Playback> {
    let bound = library.bound()?;
    let (node, part) = (&bound.graph.stances()[stance], &bound.stances[stance]);
    let playback = Playback::new(part.motion?, at, node.part, true, 1.0, part.masks[layer as usize]);
    Some(part.adapt(layer, playback))
}

impl Part {
    /// Adapts a playback to a layer: only one layer shows the expressions, and the seam of a loop is set.
    fn adapt(&self, layer: Layer, playback: Playback) -> Playback {
        let playback = playback.with_seam(self.seam);
        if self.expression_layer == Some(layer) { playback } else { playback.without_expressions() }
    }
}

/// Maximum number of commands of one event: a stop with a change of activity on all layers.
const MAX_COMMANDS: usize = 8;
