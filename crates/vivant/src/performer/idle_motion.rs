//! Motion below all actions: breathing and weight shifts.
//!
//! Clips and stances end and repeat, but a body never stops moving. Breathing and weight shifts are therefore added to
//! the composed pose and need no clips. [`Performer::breathe`] starts them; before this call, a performer has neither.
//! They run on their own clock, whose origin is the time of that call. Weight shifts are visible only in stances that
//! allow them and while nothing else moves the legs (`set_sway`); breathing also prepares spoken lines (`speak`,
//! `inhale`).

use crate::body::breath::Breath;
use crate::body::layers::Layer;
use crate::body::library::PartRigs;
use crate::body::sway::Sway;
use crate::eyes::blinking::Activity;
use crate::math::fast_min;
use crate::performer::Performer;
use crate::pose::Rotations;
use glam::Vec3;

/// Breathing and weight shifts. They run on their own clock, which starts when they are enabled.
#[derive(Clone, Debug)]
pub(super) struct IdleMotion {
    origin: f64,
    breath: Breath,
    sway: Sway,
}

impl IdleMotion {
    fn new(seed: u64, origin: f64) -> Self {
        Self { origin, breath: Breath::new(seed), sway: Sway::new(seed) }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.next() + self.origin
    }

    /// Time of the next event in seconds on the clock of breathing and weight shifts.
    fn next(&self) -> f64 {
        fast_min(self.breath.next_event(), self.sway.next_event())
    }

    /// Processes all events that are due at `at`.
    fn handle(&mut self, at: f64) {
        // Converting between the clocks may lose the last bit of a time; the due event must be processed anyway.
        let own = (at - self.origin).max(self.next());
        self.breath.advance_to(own);
        self.sway.advance_to(own);
    }

    pub(super) fn set_activity(&mut self, at: f64, activity: Activity) {
        self.breath.set_activity(at - self.origin, activity);
    }

    /// Breathes for a line that is spoken from `at` on. `at` is not before `now`.
    pub(super) fn speak(&mut self, now: f64, at: f64, secs: f64) {
        // A breath for a line that starts now must not start in the past.
        self.breath.advance_to(now - self.origin);
        self.breath.speak(at - self.origin, secs);
    }

    /// Takes a quick breath.
    pub(super) fn inhale(&mut self, at: f64) {
        self.breath.inhale(at - self.origin);
    }

    /// Cancels breaths for lines from `at` on.
    pub(super) fn cancel_lines(&mut self, at: f64) {
        self.breath.cancel_lines(at - self.origin);
    }

    /// Adds breathing and weight shifts to a pose.
    pub(super) fn add(&self, t: f64, parts: &PartRigs, rotations: &mut Rotations, root: &mut Vec3) {
        let t = t - self.origin;
        self.sway.add(t, &parts.sway, rotations, root);
        self.breath.add(t, &parts.breath, rotations);
    }
}

impl Performer {
    /// Starts breathing and weight shifts at `at`, on top of all other motion. `liveliness` from 0 to 1 scales the
    /// depth of breathing.
    pub fn breathe(&mut self, at: f64, liveliness: f64) {
        if !at.is_finite() || liveliness.is_nan() {
            return;
        }
        let at = at.max(self.time);
        let seed = self.seed;
        let is_new = self.idle_motion.is_none();
        let idle_motion = self.idle_motion.get_or_insert_with(|| IdleMotion::new(seed, at));
        idle_motion.breath.set_depth(at - idle_motion.origin, liveliness);
        if is_new {
            let is_free = self.layers[Layer::Body as usize].playback.motion.is_none();
            let stance = self.planner().and_then(|planner| planner.stance(Layer::Body));
            let share = match (self.library.bound(), stance) {
                (Some(bound), Some(stance)) => bound.stances[stance].sway,
                _ if is_free => 1.0,
                _ => 0.0,
            };
            self.set_sway(Layer::Body, at, share);
        }
    }

    pub(super) fn handle_idle_motion(&mut self, at: f64) {
        if let Some(idle_motion) = &mut self.idle_motion {
            idle_motion.handle(at);
        }
    }

    /// Shifts the weight to a leg: `side` is 1 for left and −1 for right. Does nothing if [weight
    /// shifts](Self::breathe) are off.
    pub(super) fn shift_weight(&mut self, at: f64, side: f64) {
        if let Some(idle_motion) = &mut self.idle_motion {
            idle_motion.sway.shift_to(at - idle_motion.origin, side);
        }
    }

    /// Sets the share of weight shifts that is visible, from 0 to 1. The weight shifts only while the character stands
    /// and nothing else moves the legs.
    pub(super) fn set_sway(&mut self, layer: Layer, at: f64, share: f64) {
        if let Some(idle_motion) = self.idle_motion.as_mut().filter(|_| layer == Layer::Body) {
            idle_motion.sway.set_share(at - idle_motion.origin, share);
        }
    }
}
