//! What moves between actions and under them: breath, and weight that goes from leg to leg.

use crate::body::breath::Breath;
use crate::body::layers::Layer;
use crate::body::library::PartRigs;
use crate::body::sway::Sway;
use crate::eyes::blinking::Activity;
use crate::math::least;
use crate::performer::Performer;
use crate::pose::Rotations;
use glam::Vec3;

/// Breath and weight. Both have a clock of their own, which begins when they do.
#[derive(Clone, Debug)]
pub(super) struct Life {
    origin: f64,
    breath: Breath,
    sway: Sway,
}

impl Life {
    fn new(seed: u64, origin: f64) -> Self {
        Self { origin, breath: Breath::new(seed), sway: Sway::new(seed) }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.next() + self.origin
    }

    /// When something happens next, by its own clock.
    fn next(&self) -> f64 {
        least(self.breath.next_event(), self.sway.next_event())
    }

    /// Lets breath and weight do what is due at a time.
    fn handle(&mut self, at: f64) {
        // From one clock to the other and back a time may lose its last bit; what is due is due.
        let own = (at - self.origin).max(self.next());
        self.breath.advance_to(own);
        self.sway.advance_to(own);
    }

    pub(super) fn be(&mut self, at: f64, activity: Activity) {
        self.breath.be(at - self.origin, activity);
    }

    /// A line is said from `at` on, which is not before `now`.
    pub(super) fn speak(&mut self, now: f64, at: f64, secs: f64) {
        // What is past is past: a breath for a line of now must not begin before.
        self.breath.advance_to(now - self.origin);
        self.breath.speak(at - self.origin, secs);
    }

    /// A quick breath.
    pub(super) fn inhale(&mut self, at: f64) {
        self.breath.inhale(at - self.origin);
    }

    /// What was to be said from `at` on is not.
    pub(super) fn hush(&mut self, at: f64) {
        self.breath.hush(at - self.origin);
    }

    /// Adds what it does to a pose.
    pub(super) fn add(&self, t: f64, parts: &PartRigs, rotations: &mut Rotations, root: &mut Vec3) {
        let t = t - self.origin;
        self.sway.add(t, &parts.sway, rotations, root);
        self.breath.add(t, &parts.breath, rotations);
    }
}

impl Performer {
    /// From a time on, breathes and shifts its weight from leg to leg, over whatever it plays: as much as a
    /// liveliness from 0 to 1 says.
    pub fn breathe(&mut self, at: f64, liveliness: f64) {
        if !at.is_finite() || liveliness.is_nan() {
            return;
        }
        let at = at.max(self.time);
        let seed = self.seed;
        let is_new = self.life.is_none();
        let life = self.life.get_or_insert_with(|| Life::new(seed, at));
        life.breath.set_depth(at - life.origin, liveliness);
        if is_new {
            let is_free = self.layers[Layer::Body as usize].playback.motion.is_none();
            let stance = self.planner().and_then(|planner| planner.stance(Layer::Body));
            let share = match (self.library.bound(), stance) {
                (Some(bound), Some(stance)) => bound.stances[stance].sway,
                _ if is_free => 1.0,
                _ => 0.0,
            };
            self.stand(Layer::Body, at, share);
        }
    }

    pub(super) fn handle_life(&mut self, at: f64) {
        if let Some(life) = &mut self.life {
            life.handle(at);
        }
    }

    /// The weight goes to a leg: 1 the left one, −1 the right one. Who does not [shift weight](Self::breathe) does not.
    pub(super) fn shift_weight(&mut self, at: f64, side: f64) {
        if let Some(life) = &mut self.life {
            life.sway.shift_to(at - life.origin, side);
        }
    }

    /// Weight goes from leg to leg only where the legs stand, and do nothing else.
    pub(super) fn stand(&mut self, layer: Layer, at: f64, share: f64) {
        if let Some(life) = self.life.as_mut().filter(|_| layer == Layer::Body) {
            life.sway.set_share(at - life.origin, share);
        }
    }
}
