//! Idle behaviour: glances, fixations and blinks.
//!
//! Eyes are never still: without an intent, they glance around and return to the attended target, drift within each
//! fixation, and blink. `wander` alternates between fixations on the target and away from it; `attend_to` sets the
//! target. Intents, trackers and eye textures take precedence, and `release` returns to idle behaviour afterwards. A
//! change of activity or mood scales the time to the next blink. It does not draw a new time, because frequent changes
//! would then make blinks rare.

use super::aim::{Aim, Target, TargetId};
use super::geometry::GazeGeometry;
use super::shift::ShiftStyle;
use super::{BlinkIntent, Cue, Eyes, MoodFactors, PlannedGlance, draw};
use crate::eyes::aperture::{BlinkShape, closing_deg};
use crate::eyes::blink::BlinkProfile;
use crate::eyes::blink_model::BlinkCurve;
use crate::eyes::blinking::{Activity, BlinkKind, Spontaneous, SpontaneousInterval, spontaneous_kind};
use crate::eyes::direction::{Direction, from_bearing};
use crate::eyes::fixation::{self, FixationStep, MICROSACCADE_SECS};
use crate::eyes::gaze::Range;
use crate::eyes::head_pose::HeadPose;
use crate::eyes::saccade;
use crate::eyes::temperament::Temperament;
use crate::eyes::wander;
use crate::math::pow;
use glam::{DVec2, DVec3};

/// State of idle gaze.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdleGaze {
    /// True if an intent or a tracker controls the gaze.
    pub(super) is_controlled: bool,
    /// The target to which the eyes return.
    attending: Target,
    /// Index of the next fixation: fixations with an even index are on the attended target, with an odd index away from
    /// it.
    fixation_index: u64,
    /// The corpus of the current mood, if there is a texture.
    pub(super) mood: Option<usize>,
    /// Number of the current conversation plan.
    pub(super) plan: u64,
    /// Time in seconds until which the conversation plan determines the gaze.
    planned_until: f64,
}

impl Default for IdleGaze {
    fn default() -> Self {
        Self {
            is_controlled: false,
            attending: Target::Ahead,
            fixation_index: 0,
            mood: None,
            plan: 0,
            planned_until: f64::NEG_INFINITY,
        }
    }
}

/// Drift and microsaccades, as an offset from the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixation {
    /// Start time of the last microsaccade in seconds.
    at: f64,
    /// Offset from the target at the start of the last microsaccade.
    from: Direction,
    /// Offset from the target at the end of the last microsaccade.
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

    /// Returns a last microsaccade back to the target, with no movement after it.
    fn ended(&self, at: f64) -> Self {
        Self { at, from: self.offset(at), ..Self::none() }
    }
}

/// Minimum duration of a glance with full head movement, in seconds. In shorter glances, the head moves less, in
/// proportion to the duration, because it could not arrive in time (our design).
const FULL_HEAD_SECS: f64 = 1.5;

/// Smallest glance in degrees of avatars whose eyes cannot turn (our design).
const EYELESS_DEG: f64 = 12.0;

/// Returns the aim of a glance to a bearing relative to the torso, limited to 70°, because people do not turn round for
/// a glance.
fn aim_at_bearing(bearing: DVec2) -> Aim {
    Aim::Torso(from_bearing(bearing.clamp_length_max(70.0)))
}

impl Eyes {
    pub(super) fn start_idle(&mut self, at: f64) {
        self.has_idle_behaviour = true;
        self.schedule_spontaneous(at);
        self.fixate(at);
        if !self.idle_gaze.is_controlled {
            self.cues.set(Cue::Wander, at);
        }
        self.start_texture(at);
    }

    /// Makes the next idle fixation: on the attended target or away from it.
    pub(super) fn wander(&mut self, at: f64, pose: &HeadPose) {
        if self.idle_gaze.is_controlled {
            return;
        }
        let is_free = self.has_idle_behaviour && self.temperament.liveliness > 0.0;
        if !is_free {
            return self.look_back(at, pose);
        }
        if self.is_texture_active() {
            return self.shift_to_texture_gaze(at, pose);
        }
        let fixation_index = self.idle_gaze.fixation_index;
        self.idle_gaze.fixation_index += 1;
        let mut chance = draw(&mut self.chances.idle_gaze);
        let glance =
            wander::nth_fixation(&mut chance, self.activity, self.temperament.attentiveness, fixation_index);
        self.cues.set(Cue::Wander, at + glance.dwell_secs);
        self.look_past(at, DVec2::new(glance.yaw_deg, glance.pitch_deg), glance.dwell_secs, pose);
    }

    /// Makes a planned glance, unless there is a newer plan. Idle gaze continues after the glance.
    pub(super) fn make_planned_glance(&mut self, at: f64, planned: PlannedGlance, pose: &HeadPose) {
        let is_free =
            self.has_idle_behaviour && self.temperament.liveliness > 0.0 && !self.idle_gaze.is_controlled;
        if !is_free || self.is_texture_active() || planned.plan != self.idle_gaze.plan {
            return;
        }
        // The next idle fixation looks back first.
        self.idle_gaze.fixation_index += self.idle_gaze.fixation_index & 1;
        self.cues.set(Cue::Wander, planned.until);
        self.idle_gaze.planned_until = planned.until;
        self.look_past(at, planned.offset, planned.until - at, pose);
    }

    /// Looks at an offset from the attended target for `secs` seconds; in short glances, the head moves less.
    fn look_past(&mut self, at: f64, offset: DVec2, secs: f64, pose: &HeadPose) {
        // Without eye movement, the head would twitch at every small glance.
        let least_deg = if self.ranges.eye == Range::NONE { EYELESS_DEG } else { 0.0 };
        let usual = self.style();
        let head_movement_factor = usual.head_movement_factor * (secs / FULL_HEAD_SECS).min(1.0);
        self.glance(at, offset, least_deg, ShiftStyle { head_movement_factor, ..usual }, pose);
    }

    /// Looks at an offset from the attended target, or at the target itself if the offset is smaller than
    /// `least_deg`.
    pub(super) fn glance(
        &mut self,
        at: f64,
        offset: DVec2,
        least_deg: f64,
        style: ShiftStyle,
        pose: &HeadPose,
    ) {
        if offset == DVec2::ZERO || offset.length() < least_deg {
            return self.look_back(at, pose);
        }
        let away = match self.attended(at, pose) {
            Aim::Head { .. } => self.aim_past_head(offset),
            aim => aim_at_bearing(self.direction_of(at, aim, pose) + offset),
        };
        self.shift(at, away, style, pose);
    }

    /// Returns the attended target; straight ahead of the head if the head is controlled externally and the eyes
    /// cannot reach the target.
    pub(super) fn attended(&mut self, at: f64, pose: &HeadPose) -> Aim {
        let aim = self.aim_of(at, self.idle_gaze.attending, pose);
        if self.external.head { self.within_reach(at, aim, pose) } else { aim }
    }

    pub(super) fn is_on_attended(&self) -> bool {
        match self.idle_gaze.attending {
            Target::Point(point) => self.aim == Aim::Point(DVec3::from_array(point)),
            Target::Direction(direction) => self.aim == Aim::Model(direction.to_vector()),
            Target::Named(TargetId(index)) => self.aim == Aim::Moving(index),
            Target::Ahead => self.aim == Aim::Torso(DVec3::Z),
            Target::Away => false,
        }
    }

    pub(super) fn look_back(&mut self, at: f64, pose: &HeadPose) {
        let aim = self.attended(at, pose);
        // There is no shift if the gaze already has this aim.
        if aim != self.aim {
            self.shift(at, aim, self.style(), pose);
        }
    }

    /// Returns the bearing of an aim relative to the torso.
    fn direction_of(&mut self, at: f64, aim: Aim, pose: &HeadPose) -> DVec2 {
        let geometry = self.geometry_for(at, aim, pose);
        self.on_torso(geometry.in_model, pose)
    }

    /// Returns the gaze geometry for this aim.
    pub(super) fn geometry_for(&mut self, at: f64, aim: Aim, pose: &HeadPose) -> GazeGeometry {
        let (aim_was, pursuit_was) = (self.aim, self.pursuit);
        if let Aim::Moving(index) = aim {
            self.pursuit = super::Pursuit::at_rest(self.targets[index].estimate(at));
        }
        self.aim = aim;
        let geometry = self.gaze_geometry(at, pose);
        (self.aim, self.pursuit) = (aim_was, pursuit_was);
        geometry
    }

    /// Returns a random direction at least 10° away from the current direction (our design), relative to the torso.
    pub(super) fn random_away_aim(&mut self, at: f64, pose: &HeadPose) -> Aim {
        const MIN_DEG: f64 = 10.0;
        let mut chance = draw(&mut self.chances.idle_gaze);
        let glance = wander::glance_away(&mut chance, Activity::Speaking);
        let offset = DVec2::new(glance.yaw_deg, glance.pitch_deg).clamp_length_min(MIN_DEG);
        aim_at_bearing(self.direction_of(at, self.aim, pose) + offset)
    }

    /// Returns to idle gaze, with a fixation on the attended target first.
    pub(super) fn release(&mut self, at: f64, pose: &HeadPose) {
        self.idle_gaze.is_controlled = false;
        self.tracker.is_overruled = false;
        self.pending.look = None;
        self.cues.clear(Cue::Shift);
        self.cues.clear(Cue::Release);
        // Make the next fixation index even: the next fixation is on the attended target.
        self.idle_gaze.fixation_index += self.idle_gaze.fixation_index & 1;
        self.wander(at, pose);
    }

    pub(super) fn attend_to(&mut self, at: f64, target: Target) {
        self.idle_gaze.attending = target;
        if !self.idle_gaze.is_controlled {
            self.idle_gaze.fixation_index += self.idle_gaze.fixation_index & 1;
            let latency = saccade::latency_secs(&mut draw(&mut self.chances.latency));
            self.cues.set(Cue::Wander, at + latency * self.temperament.liveliness);
        }
    }

    pub(super) fn apply_activity(&mut self, at: f64, activity: Activity) {
        let was = self.interval().mean_secs();
        self.activity = activity;
        self.update_corpus_weights(at);
        self.rescale_next_blink(at, self.interval().mean_secs() / was);
        // A planned glance continues when the activity changes, because a character that starts to speak may still be
        // thinking.
        if self.has_idle_behaviour && !self.idle_gaze.is_controlled && at >= self.idle_gaze.planned_until {
            self.idle_gaze.fixation_index += self.idle_gaze.fixation_index & 1;
            self.cues.set(Cue::Wander, at);
        }
    }

    pub(super) fn apply_mood(&mut self, at: f64, mood: Option<usize>) {
        self.idle_gaze.mood = mood;
        self.update_corpus_weights(at);
    }

    /// Moves the next spontaneous blink to `at` if it is due within `within_secs` seconds. The blink after it keeps
    /// its time, so the blink rate does not change.
    pub(super) fn advance_next_blink(&mut self, at: f64, within_secs: f64) {
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        let early_secs = self.cues.at(Cue::Spontaneous) - at;
        if is_drawn && early_secs < within_secs {
            self.early_secs = early_secs.max(0.0);
            self.cues.set(Cue::Spontaneous, at);
        }
    }

    /// Scales the time to the next spontaneous blink. Drawing a new time would make blinks rare if activities
    /// change often.
    fn rescale_next_blink(&mut self, at: f64, factor: f64) {
        let left = self.cues.at(Cue::Spontaneous) - at;
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        if is_drawn && left.is_finite() && factor.is_finite() {
            self.cues.set(Cue::Spontaneous, at + left * factor);
        } else if self.has_idle_behaviour {
            self.schedule_spontaneous(at);
        }
    }

    pub(super) fn apply_mood_factors(&mut self, at: f64, factors: MoodFactors) {
        if factors == self.mood_factors {
            return;
        }
        let resting = self.resting(at);
        let mean_was = self.interval().mean_secs();
        self.mood_factors = factors;
        self.update_resting_lids(at, resting);
        self.rescale_next_blink(at, self.interval().mean_secs() / mean_was);
    }

    pub(super) fn apply_temperament(&mut self, at: f64, temperament: Temperament, pose: &HeadPose) {
        let before = self.state_before(at, pose);
        let (resting, was) = (self.resting(at), self.temperament);
        let mean_was = self.interval().mean_secs();
        self.temperament = temperament;
        self.update_resting_lids(at, resting);
        self.converge(at, &before, &self.gaze_geometry(at, pose));
        if was.blinks != temperament.blinks {
            self.cues.clear(Cue::Spontaneous);
        }
        self.rescale_next_blink(at, self.interval().mean_secs() / mean_was);
        if temperament.liveliness == 0.0 {
            self.fixation = self.fixation.ended(at);
            self.cues.clear(Cue::Fixate);
        } else if was.liveliness == 0.0 && self.has_idle_behaviour {
            self.fixate(at);
            self.cues.set(Cue::Wander, at);
        }
    }

    /// Makes a microsaccade, followed by drift.
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

    /// Returns the distribution of intervals between spontaneous blinks. Their rate is reduced, because the second
    /// blinks of double blinks are included in the blink rate.
    fn interval(&self) -> SpontaneousInterval {
        let rate = self.temperament.blinks_per_minute.unwrap_or(self.activity.blinks_per_minute());
        SpontaneousInterval::per_minute(
            rate * self.mood_factors.blinks / (1.0 + self.temperament.double_blinks),
        )
    }

    fn schedule_spontaneous(&mut self, at: f64) {
        let u = draw(&mut self.chances.intervals).uniform();
        let next = self.temperament.blinks.spontaneous().next_secs(at, &self.interval(), u);
        self.cues.set(Cue::Spontaneous, next + std::mem::take(&mut self.early_secs));
    }

    pub(super) fn blink_spontaneously(&mut self, at: f64, pose: &HeadPose) {
        if self.tracker_has_lids() || self.is_texture_active() {
            return self.schedule_spontaneous(at);
        }
        let Temperament { partial_blinks, double_blinks, .. } = self.temperament;
        let mut kind = spontaneous_kind(&mut draw(&mut self.chances.blinks), partial_blinks, double_blinks);
        if self.temperament.blinks.spontaneous() != Spontaneous::Drawn {
            kind = BlinkKind::FULL;
        }
        self.pending.spontaneous = kind;
        self.blink_again(at, pose);
        if let Some(after) = kind.double_after_secs {
            self.cues.set(Cue::Double, at + after);
        }
        self.schedule_spontaneous(at);
    }

    /// Makes the second blink of a double blink, or the spontaneous blink that is due.
    pub(super) fn blink_again(&mut self, at: f64, pose: &HeadPose) {
        let BlinkKind { magnitude, tempo, .. } = self.pending.spontaneous;
        let tempo = pow(tempo, self.temperament.liveliness);
        self.close_lids(at, &BlinkIntent { magnitude, ..BlinkIntent::default() }, tempo, pose);
    }

    pub(super) fn make_evoked_blink(&mut self, at: f64, pose: &HeadPose) {
        if self.tracker_has_lids() || self.is_texture_active() {
            return;
        }
        let magnitude = self.pending.evoked_magnitude;
        self.start_blink(at, &BlinkIntent { magnitude, ..BlinkIntent::default() }, pose);
    }

    /// Starts a blink that is requested or evoked. The next spontaneous blink is scheduled again from now.
    pub(super) fn start_blink(&mut self, at: f64, blink: &BlinkIntent, pose: &HeadPose) {
        self.close_lids(at, blink, 1.0, pose);
        let is_drawn = self.temperament.blinks.spontaneous() == Spontaneous::Drawn;
        if self.has_idle_behaviour && is_drawn {
            self.schedule_spontaneous(at);
        }
    }

    fn close_lids(&mut self, at: f64, blink: &BlinkIntent, tempo: f64, pose: &HeadPose) {
        let curve = self.draw_curve();
        // Learned blinks already vary in speed.
        let tempo = if curve.is_some() { 1.0 } else { tempo };
        let shapes = self.blink_shapes(at, blink, curve, pose);
        let shapes = shapes.map(|shape| BlinkShape { tempo: shape.tempo * tempo, ..shape });
        if self.blinks.iter().all(|run| run.closure(at) == 0.0) {
            self.dip_deg = super::geometry::DIP_DEG * self.temperament.liveliness;
        }
        if blink.eyes == [true; 2] && self.blinks[0] == self.blinks[1] && shapes[0] == shapes[1] {
            // Both eyes blink alike in most blinks; computing only one halves the work.
            self.blinks = [self.blinks[0].with_blink(at, &shapes[0]); 2];
            return;
        }
        for i in (0..2).filter(|i| blink.eyes[*i]) {
            self.blinks[i] = self.blinks[i].with_blink(at, &shapes[i]);
        }
    }

    pub(super) fn open_eyes(&mut self, at: f64, pose: &HeadPose) {
        let curve = self.draw_curve();
        let shapes = self.blink_shapes(at, &BlinkIntent::default(), curve, pose);
        for (run, shape) in self.blinks.iter_mut().zip(&shapes) {
            *run = run.open(at, shape);
        }
    }

    /// Returns the profile of the next blink.
    fn blink_profile(&self) -> BlinkProfile {
        self.temperament.blink_profile.resolved(self.has_own_blinks)
    }

    /// Draws the curve of the next blink if the profile is learned.
    fn draw_curve(&mut self) -> Option<BlinkCurve> {
        let profile = self.blink_profile();
        let model = self.blink_model.as_deref().filter(|_| profile.is_learned())?;
        let mut chance = draw(&mut self.chances.curves);
        let recorded = match profile {
            BlinkProfile::Real => model.random_exemplar(&mut chance),
            _ => None,
        };
        Some(recorded.unwrap_or_else(|| model.generate(&mut chance)))
    }

    fn blink_shapes(
        &self,
        at: f64,
        blink: &BlinkIntent,
        curve: Option<BlinkCurve>,
        pose: &HeadPose,
    ) -> [BlinkShape; 2] {
        let follow = self.lid_follow_deg(at, &self.gaze_geometry(at, pose));
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
