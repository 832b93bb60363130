//! What eyes do of themselves: glance about, rest on a point, blink.

use super::aim::{Aim, Target, TargetId};
use super::seeing::Seen;
use super::shifting::Manner;
use super::{BlinkIntent, Cue, Eyes, Tint, Told, draw};
use crate::eyes::aperture::{BlinkShape, closing_deg};
use crate::eyes::blink::BlinkProfile;
use crate::eyes::blink_model::BlinkCurve;
use crate::eyes::blinking::{Activity, BlinkKind, Spontaneous, SpontaneousInterval, spontaneous_kind};
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::{Direction, from_bearing};
use crate::eyes::fixation::{self, FixationStep, MICROSACCADE_SECS};
use crate::eyes::gaze::Range;
use crate::eyes::saccade;
use crate::eyes::temperament::Temperament;
use crate::eyes::wander;
use crate::math::pow;
use glam::{DVec2, DVec3};

/// Where free eyes are in their round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wandering {
    /// Whether they are led by an intent or a tracker.
    pub(super) is_led: bool,
    /// Whom or what they come back to.
    attending: Target,
    /// Even when they look back, odd when they look away.
    turn: u64,
    /// The corpus that is theirs for now, if they have a texture.
    pub(super) mood: Option<usize>,
    /// Which plan of glances counts, and until when it says where to look.
    pub(super) plan: u64,
    told_until: f64,
}

impl Default for Wandering {
    fn default() -> Self {
        Self {
            is_led: false,
            attending: Target::Ahead,
            turn: 0,
            mood: None,
            plan: 0,
            told_until: f64::NEG_INFINITY,
        }
    }
}

/// Drift and microsaccades, as an offset from the point that is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixation {
    /// When the last microsaccade began, from where, and to where.
    at: f64,
    from: Direction,
    to: Direction,
    step: FixationStep,
}

impl Fixation {
    pub(super) fn none() -> Self {
        let step = FixationStep {
            secs: 0.0,
            drift_yaw_deg_per_s: 0.0,
            drift_pitch_deg_per_s: 0.0,
            jump_yaw_deg: 0.0,
            jump_pitch_deg: 0.0,
        };
        Self { at: f64::NEG_INFINITY, from: Direction::AHEAD, to: Direction::AHEAD, step }
    }

    pub(super) fn offset(&self, t: f64) -> Direction {
        let secs = t - self.at;
        if secs < MICROSACCADE_SECS {
            let u = (secs / MICROSACCADE_SECS).max(0.0);
            return self.from + (self.to - self.from) * (u * u * (3.0 - 2.0 * u));
        }
        let drift = Direction::new(self.step.drift_yaw_deg_per_s, self.step.drift_pitch_deg_per_s);
        if drift == Direction::AHEAD { self.to } else { self.to + drift * (secs - MICROSACCADE_SECS) }
    }

    /// A microsaccade back to the point, after which nothing moves.
    fn ended(&self, at: f64) -> Self {
        Self { at, from: self.offset(at), ..Self::none() }
    }
}

/// Glances that last shorter are more and more the eyes' alone: a head would not be there before they are
/// over (our design).
const UNHURRIED_SECS: f64 = 1.5;

/// Avatars whose eyes cannot turn leave smaller glances out (our design).
const EYELESS_DEG: f64 = 12.0;

/// A glance to a bearing on the torso; nobody turns right round for a glance.
fn aside(bearing: DVec2) -> Aim {
    Aim::Torso(from_bearing(bearing.clamp_length_max(70.0)))
}

impl Eyes {
    pub(super) fn begin_to_live(&mut self, at: f64) {
        self.is_live = true;
        self.schedule_spontaneous(at);
        self.fixate(at);
        if !self.wandering.is_led {
            self.cues.set(Cue::Wander, at);
        }
        self.begin_to_weave(at);
    }

    /// Looks at whom it attends to, or away, as the turn is.
    pub(super) fn wander(&mut self, at: f64, carriage: &Carriage) {
        if self.wandering.is_led {
            return;
        }
        let is_free = self.is_live && self.temperament.liveliness > 0.0;
        if !is_free {
            return self.look_back(at, carriage);
        }
        if self.is_woven() {
            return self.look_as_woven(at, carriage);
        }
        let turn = self.wandering.turn;
        self.wandering.turn += 1;
        let mut chance = draw(&mut self.chances.wandering);
        let glance = wander::nth(&mut chance, self.activity, self.temperament.attentiveness, turn);
        self.cues.set(Cue::Wander, at + glance.dwell_secs);
        self.look_past(at, DVec2::new(glance.yaw_deg, glance.pitch_deg), glance.dwell_secs, carriage);
    }

    /// Looks where it was planned, for as long, and goes on by itself then; unless there is another plan by now.
    pub(super) fn glance_as_told(&mut self, at: f64, told: Told, carriage: &Carriage) {
        let is_free = self.is_live && self.temperament.liveliness > 0.0 && !self.wandering.is_led;
        if !is_free || self.is_woven() || told.plan != self.wandering.plan {
            return;
        }
        // Whatever comes next looks back first.
        self.wandering.turn += self.wandering.turn & 1;
        self.cues.set(Cue::Wander, told.until);
        self.wandering.told_until = told.until;
        self.look_past(at, told.offset, told.until - at, carriage);
    }

    /// Looks past whom or what it attends to for a while, with less of the head the shorter that is.
    fn look_past(&mut self, at: f64, offset: DVec2, secs: f64, carriage: &Carriage) {
        // A head that has to do for the eyes too would twitch at every small glance.
        let least_deg = if self.ranges.eye == Range::NONE { EYELESS_DEG } else { 0.0 };
        let usual = self.manner();
        let head_movement_factor = usual.head_movement_factor * (secs / UNHURRIED_SECS).min(1.0);
        self.glance(at, offset, least_deg, Manner { head_movement_factor, ..usual }, carriage);
    }

    /// Looks past whom or what it attends to, or at it if that is about there.
    pub(super) fn glance(
        &mut self,
        at: f64,
        offset: DVec2,
        least_deg: f64,
        manner: Manner,
        carriage: &Carriage,
    ) {
        if offset == DVec2::ZERO || offset.length() < least_deg {
            return self.look_back(at, carriage);
        }
        let away = match self.attended(at, carriage) {
            Aim::Head { .. } => self.past_head(offset),
            aim => aside(self.direction_of(at, aim, carriage) + offset),
        };
        self.shift(at, away, manner, carriage);
    }

    /// Whom or what it attends to, if it can be seen.
    pub(super) fn attended(&mut self, at: f64, carriage: &Carriage) -> Aim {
        let aim = self.aim_of(at, self.wandering.attending, carriage);
        if self.held.head { self.within_reach(at, aim, carriage) } else { aim }
    }

    pub(super) fn is_on_attended(&self) -> bool {
        match self.wandering.attending {
            Target::Point(point) => self.aim == Aim::Point(DVec3::from_array(point)),
            Target::Direction(direction) => self.aim == Aim::Model(direction.to_vector()),
            Target::Named(TargetId(index)) => self.aim == Aim::Moving(index),
            Target::Ahead => self.aim == Aim::Torso(DVec3::Z),
            Target::Away => false,
        }
    }

    pub(super) fn look_back(&mut self, at: f64, carriage: &Carriage) {
        let aim = self.attended(at, carriage);
        // Who looks there already does not shift.
        if aim != self.aim {
            self.shift(at, aim, self.manner(), carriage);
        }
    }

    /// Where something is, on the torso.
    fn direction_of(&mut self, at: f64, aim: Aim, carriage: &Carriage) -> DVec2 {
        let seen = self.seen_at(at, aim, carriage);
        self.on_torso(seen.in_model, carriage)
    }

    /// What would be seen of something.
    pub(super) fn seen_at(&mut self, at: f64, aim: Aim, carriage: &Carriage) -> Seen {
        let (aim_was, pursuit_was) = (self.aim, self.pursuit);
        if let Aim::Moving(index) = aim {
            self.pursuit = super::Pursuit::at_rest(self.targets[index].estimate(at));
        }
        self.aim = aim;
        let seen = self.see(at, carriage);
        (self.aim, self.pursuit) = (aim_was, pursuit_was);
        seen
    }

    /// A direction away from the present one, by at least ten degrees (our design), on the torso.
    pub(super) fn glance_away(&mut self, at: f64, carriage: &Carriage) -> Aim {
        const LEAST_DEG: f64 = 10.0;
        let mut chance = draw(&mut self.chances.wandering);
        let glance = wander::away(&mut chance, Activity::Speaking);
        let offset = DVec2::new(glance.yaw_deg, glance.pitch_deg).clamp_length_min(LEAST_DEG);
        aside(self.direction_of(at, self.aim, carriage) + offset)
    }

    /// The eyes are free again, and look back.
    pub(super) fn release(&mut self, at: f64, carriage: &Carriage) {
        self.wandering.is_led = false;
        self.driven.is_overruled = false;
        self.pending.look = None;
        self.cues.clear(Cue::Shift);
        self.cues.clear(Cue::Release);
        // Look back, then away.
        self.wandering.turn += self.wandering.turn & 1;
        self.wander(at, carriage);
    }

    pub(super) fn attend_to(&mut self, at: f64, target: Target) {
        self.wandering.attending = target;
        if !self.wandering.is_led {
            self.wandering.turn += self.wandering.turn & 1;
            let latency = saccade::latency_secs(&mut draw(&mut self.chances.latency));
            self.cues.set(Cue::Wander, at + latency * self.temperament.liveliness);
        }
    }

    pub(super) fn become_active(&mut self, at: f64, activity: Activity) {
        let was = self.interval().mean_secs();
        self.activity = activity;
        self.weigh_corpora(at);
        self.hasten_blink(at, self.interval().mean_secs() / was);
        // A glance that was planned outlasts a change of what is done: who begins to speak still thinks.
        if self.is_live && !self.wandering.is_led && at >= self.wandering.told_until {
            self.wandering.turn += self.wandering.turn & 1;
            self.cues.set(Cue::Wander, at);
        }
    }

    pub(super) fn take_mood(&mut self, at: f64, mood: Option<usize>) {
        self.wandering.mood = mood;
        self.weigh_corpora(at);
    }

    /// The next blink comes now if it would come soon. The one after it comes when it would have come anyway: there are no
    /// more blinks, only at better times.
    pub(super) fn blink_sooner(&mut self, at: f64, within_secs: f64) {
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        let early_secs = self.cues.at(Cue::Spontaneous) - at;
        if is_drawn && early_secs < within_secs {
            self.early_secs = early_secs.max(0.0);
            self.cues.set(Cue::Spontaneous, at);
        }
    }

    /// Brings the next spontaneous blink nearer or further by a factor. Drawing it anew would make blinks
    /// rare where activities change often.
    fn hasten_blink(&mut self, at: f64, factor: f64) {
        let left = self.cues.at(Cue::Spontaneous) - at;
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        if is_drawn && left.is_finite() && factor.is_finite() {
            self.cues.set(Cue::Spontaneous, at + left * factor);
        } else if self.is_live {
            self.schedule_spontaneous(at);
        }
    }

    pub(super) fn take_on_tint(&mut self, at: f64, tint: Tint) {
        if tint == self.tint {
            return;
        }
        let resting = self.resting(at);
        let mean_was = self.interval().mean_secs();
        self.tint = tint;
        self.rest_lids_anew(at, resting);
        self.hasten_blink(at, self.interval().mean_secs() / mean_was);
    }

    pub(super) fn take_on(&mut self, at: f64, temperament: Temperament, carriage: &Carriage) {
        let before = self.before(at, carriage);
        let (resting, was) = (self.resting(at), self.temperament);
        let mean_was = self.interval().mean_secs();
        self.temperament = temperament;
        self.rest_lids_anew(at, resting);
        self.converge(at, &before, &self.see(at, carriage));
        if was.blinks != temperament.blinks {
            self.cues.clear(Cue::Spontaneous);
        }
        self.hasten_blink(at, self.interval().mean_secs() / mean_was);
        if temperament.liveliness == 0.0 {
            self.fixation = self.fixation.ended(at);
            self.cues.clear(Cue::Fixate);
        } else if was.liveliness == 0.0 && self.is_live {
            self.fixate(at);
            self.cues.set(Cue::Wander, at);
        }
    }

    /// A microsaccade, and the drift that follows it.
    pub(super) fn fixate(&mut self, at: f64) {
        if self.temperament.liveliness == 0.0 {
            return;
        }
        let from = self.fixation.offset(at);
        let to = from + Direction::new(self.fixation.step.jump_yaw_deg, self.fixation.step.jump_pitch_deg);
        let mut chance = draw(&mut self.chances.fixation);
        let step = fixation::step(&mut chance, to.yaw_deg, to.pitch_deg, self.temperament.liveliness);
        self.fixation = Fixation { at, from, to, step };
        self.cues.set(Cue::Fixate, at + MICROSACCADE_SECS + step.secs);
    }

    /// The intervals of spontaneous blinks. The second of a double blink counts.
    fn interval(&self) -> SpontaneousInterval {
        let rate = self.temperament.blinks_per_minute.unwrap_or(self.activity.blinks_per_minute());
        SpontaneousInterval::per_minute(rate * self.tint.blinks / (1.0 + self.temperament.double_blinks))
    }

    fn schedule_spontaneous(&mut self, at: f64) {
        let u = draw(&mut self.chances.intervals).uniform();
        let next = self.temperament.blinks.spontaneous().next_secs(at, &self.interval(), u);
        self.cues.set(Cue::Spontaneous, next + std::mem::take(&mut self.early_secs));
    }

    pub(super) fn blink_spontaneously(&mut self, at: f64, carriage: &Carriage) {
        if self.tracker_has_lids() || self.is_woven() {
            return self.schedule_spontaneous(at);
        }
        let Temperament { partial_blinks, double_blinks, .. } = self.temperament;
        let mut kind = spontaneous_kind(&mut draw(&mut self.chances.blinks), partial_blinks, double_blinks);
        if self.temperament.blinks.spontaneous() != Spontaneous::Drawn {
            kind = BlinkKind::USUAL;
        }
        self.pending.spontaneous = kind;
        self.blink_again(at, carriage);
        if let Some(after) = kind.double_after_secs {
            self.cues.set(Cue::Double, at + after);
        }
        self.schedule_spontaneous(at);
    }

    /// The spontaneous blink, or a second one like it.
    pub(super) fn blink_again(&mut self, at: f64, carriage: &Carriage) {
        let BlinkKind { magnitude, tempo, .. } = self.pending.spontaneous;
        let tempo = pow(tempo, self.temperament.liveliness);
        self.close_lids(at, &BlinkIntent { magnitude, ..BlinkIntent::default() }, tempo, carriage);
    }

    pub(super) fn evoke(&mut self, at: f64, carriage: &Carriage) {
        if self.tracker_has_lids() || self.is_woven() {
            return;
        }
        let magnitude = self.pending.evoked_magnitude;
        self.start_blink(at, &BlinkIntent { magnitude, ..BlinkIntent::default() }, carriage);
    }

    /// A blink for a reason: who has just blinked need not blink of itself for a while.
    pub(super) fn start_blink(&mut self, at: f64, blink: &BlinkIntent, carriage: &Carriage) {
        self.close_lids(at, blink, 1.0, carriage);
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        if self.is_live && is_drawn {
            self.schedule_spontaneous(at);
        }
    }

    fn close_lids(&mut self, at: f64, blink: &BlinkIntent, tempo: f64, carriage: &Carriage) {
        let curve = self.draw_curve();
        // Learned blinks differ by themselves.
        let tempo = if curve.is_some() { 1.0 } else { tempo };
        let shapes = self.blink_shapes(at, blink, curve, carriage);
        let shapes = shapes.map(|shape| BlinkShape { tempo: shape.tempo * tempo, ..shape });
        if self.blinks.iter().all(|run| run.closure(at) == 0.0) {
            self.dip_deg = super::seeing::DIP_DEG * self.temperament.liveliness;
        }
        if blink.eyes == [true; 2] && self.blinks[0] == self.blinks[1] && shapes[0] == shapes[1] {
            // Both alike: most blinks, and half the work.
            self.blinks = [self.blinks[0].onward(at, &shapes[0]); 2];
            return;
        }
        for i in (0..2).filter(|i| blink.eyes[*i]) {
            self.blinks[i] = self.blinks[i].onward(at, &shapes[i]);
        }
    }

    pub(super) fn open_eyes(&mut self, at: f64, carriage: &Carriage) {
        let curve = self.draw_curve();
        let shapes = self.blink_shapes(at, &BlinkIntent::default(), curve, carriage);
        for (run, shape) in self.blinks.iter_mut().zip(&shapes) {
            *run = run.opened(at, shape);
        }
    }

    /// The profile of the next blink.
    fn blink_profile(&self) -> BlinkProfile {
        self.temperament.blink_profile.resolved(self.has_own_blinks)
    }

    /// Draws the curve of the next blink, if blinks were learned.
    fn draw_curve(&mut self) -> Option<BlinkCurve> {
        let profile = self.blink_profile();
        let model = self.blink_model.as_deref().filter(|_| profile.is_learned())?;
        let mut chance = draw(&mut self.chances.curves);
        let recorded = match profile {
            BlinkProfile::Real => model.recorded(&mut chance),
            _ => None,
        };
        Some(recorded.unwrap_or_else(|| model.generate(&mut chance)))
    }

    fn blink_shapes(
        &self,
        at: f64,
        blink: &BlinkIntent,
        curve: Option<BlinkCurve>,
        carriage: &Carriage,
    ) -> [BlinkShape; 2] {
        let follow = self.lid_follow_deg(at, &self.see(at, carriage));
        let depth = curve.map_or(1.0, |curve| curve.amplitude());
        self.resting(at).map(|resting| BlinkShape {
            magnitude: blink.magnitude * depth,
            closing_deg: closing_deg(follow, resting),
            hold_secs: blink.hold_secs,
            profile: self.blink_profile(),
            curve,
            tempo: self.temperament.lid_tempo,
        })
    }
}
