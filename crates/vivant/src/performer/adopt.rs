//! Switching a performer to another library, for example while a user edits its repertoire.
//!
//! An editor changes clips and stances while the character is running; a new performer would restart time, breath and
//! gaze. [`Performer::adopt`] replaces the library instead. Clips, stances, actions and waiting requests are matched by
//! name, because indices differ between libraries. Motions that the new library lacks fade out in 0.3 s or more. A
//! library for another avatar is an error, because its poses would not fit the rig.

use super::planning::{action_playback, stance_playback};
use super::scheduled::ScheduledPlanner;
use super::tags::TagAction;
use super::{EventKind, Improvisation, Performer};
use crate::body::choose::Choice;
use crate::body::graph::names;
use crate::body::layers::{Layer, Playback};
use crate::body::library::{Library, Motion};
use crate::body::plan::{Planner, Rules, map_query};
use crate::error::{Error, Result};
use std::sync::Arc;

/// Minimum duration in seconds of the cross-fade to the new motions.
const BLEND_SECS: f64 = 0.3;

impl Performer {
    /// Continues with another library of the same avatar. There are no jumps: eyes, breathing and time continue.
    /// Motions that the new library has under the same name continue as well; all other motions fade out.
    ///
    /// # Errors
    /// If the library is for another avatar; create a new performer for it.
    pub fn adopt(&mut self, library: impl Into<Arc<Library>>) -> Result<()> {
        let library = library.into();
        if library.rig() != self.library.rig() || library.base() != self.library.base() {
            return Err(Error::new(
                "these motions are for another avatar; create a new performer for that avatar",
            ));
        }
        let at = self.now();
        let old = std::mem::replace(&mut self.library, library);
        let before = Layer::ALL.map(|layer| self.stance_name(&old, layer));
        self.adopt_plan(&old, at);
        self.adopt_clips(&old);
        self.adopt_tag_actions(&old);
        for layer in Layer::ALL {
            let next = self.adopted(&old, layer, before[layer as usize].as_deref(), at);
            let libraries = [&*old, &*self.library];
            self.layers[layer as usize].adopt(libraries, next, at, BLEND_SECS, &mut self.scratch);
        }
        self.update_sway(at);
        Ok(())
    }

    fn stance_name(&self, library: &Library, layer: Layer) -> Option<String> {
        let stance = self.planner.as_ref()?.stance(layer)?;
        Some(library.graph()?.stances()[stance].name.clone())
    }

    fn adopt_plan(&mut self, old: &Library, at: f64) {
        let seed = self.seed;
        self.planner = match (self.planner.take(), old.graph(), self.library.graph()) {
            (Some(mut planner), Some(old), Some(new)) => {
                planner.adopt(old, new, at);
                Some(planner)
            }
            (_, _, new) => {
                new.map(|graph| ScheduledPlanner::new(Planner::new(graph, seed, Rules::default())))
            }
        };
    }

    /// Looks up requested clips in the new library by name.
    fn adopt_clips(&mut self, old: &Library) {
        let new = &self.library;
        let find = |clip: usize| named(new, old.motions().get(clip)?.name());
        self.events.retain_mut(|event| match event {
            EventKind::Play(play) => {
                let found = find(play.clip);
                play.clip = found.unwrap_or(play.clip);
                found.is_some()
            }
            _ => true,
        });
        let Improvisation { is_on, turn, .. } = self.improvisation;
        // With a repertoire, the planner replaces improvisation.
        let is_on = is_on && self.planner.is_none();
        self.improvisation = Improvisation { is_on, choice: Choice::new(new.motions().len()), turn };
    }

    /// Looks up the actions of tags and `do` intents in the new library by name, and drops actions that the new
    /// library lacks.
    fn adopt_tag_actions(&mut self, old: &Library) {
        let graphs = old.graph().zip(self.library.graph());
        let find = |action: TagAction| match (action, graphs) {
            (TagAction::Act(query), Some((old, new))) => map_query(old, new, query).map(TagAction::Act),
            (TagAction::Act(_), None) => None,
            (other, _) => Some(other),
        };
        self.events.retain_mut(|event| match event {
            EventKind::Do { action, .. } => {
                let found = find(*action);
                *action = found.unwrap_or(*action);
                found.is_some()
            }
            _ => true,
        });
        let lines = self.voice.iter_mut().flat_map(|voice| voice.lines.iter_mut());
        for action in lines.flat_map(|line| &mut line.with.tag_actions) {
            *action = action.and_then(find);
        }
    }

    /// Returns the playback of a layer from now on: its running action, otherwise its stance. If the layer was already
    /// in this stance, the stance continues without restarting.
    fn adopted(&mut self, old: &Library, layer: Layer, before: Option<&str>, at: f64) -> Playback {
        let playback = &self.layers[layer as usize].playback;
        let Some(planner) = &self.planner else {
            let name = playback.motion.map(|motion| old.motions()[motion].name());
            let motion = name.and_then(|name| named(&self.library, name));
            let next = playback.with_motion(motion);
            if motion.is_none() {
                // An improvising performer continues with another clip.
                self.ends[layer as usize] = if playback.motion.is_some() { at } else { f64::INFINITY };
            }
            return next.unwrap_or_else(|| Playback::rest(at));
        };
        self.ends[layer as usize] = f64::INFINITY;
        let library = &*self.library;
        if let Some(running) = planner.running(layer) {
            let goal = library.graph().map(|graph| graph.actions()[running.action].ends_in);
            let acting = action_playback(library, running.action, layer, running.began);
            // During a transition without a clip, the layer already plays the new stance and fades to it.
            let goal_stance = || stance_playback(library, goal?, layer, running.began);
            return acting.or_else(goal_stance).unwrap_or_else(|| Playback::rest(at));
        }
        let holding = planner.stance(layer).and_then(|stance| {
            let name = library.graph().map(|graph| graph.stances()[stance].name.as_str());
            let since = if name == before { playback.began } else { at };
            stance_playback(library, stance, layer, since)
        });
        holding.unwrap_or_else(|| Playback::rest(at))
    }

    fn update_sway(&mut self, at: f64) {
        let Some(planner) = &self.planner else { return };
        let is_acting = planner.running(Layer::Body).is_some();
        let stance = planner.stance(Layer::Body).filter(|_| !is_acting);
        let share = stance.and_then(|stance| Some(self.library.bound()?.stances[stance].sway));
        self.set_sway(Layer::Body, at, share.unwrap_or(0.0));
    }
}

fn named(library: &Library, name: &str) -> Option<usize> {
    names::position(library.motions().iter().map(Motion::name), name)
}
