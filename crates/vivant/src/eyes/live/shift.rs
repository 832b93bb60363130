//! Gaze shifts from any state of eyes, lids and head.
//!
//! A new look may arrive in the middle of a saccade, a head turn or a pursuit. Every shift therefore starts from the
//! current position and velocity: the old movement becomes an error that decays with the kinematics of the new one, so
//! nothing jumps. `schedule_look` waits for the latency, and `shift` starts the saccade, vergence and lid saccade and
//! schedules head, torso and evoked blink with their own lags. `recheck` corrects the head if the eyes are at their
//! limit. `update_target` adds smooth pursuit with catch-up saccades.

use super::aim::{Aim, Pursuit};
use super::geometry::{ASIDE_DEG, GazeGeometry, HeadAtRest};
use super::{Cue, Eyes, Look, Target, TargetId, draw};
use crate::chance::Draw;
use crate::eyes::aperture::CLOSING_DEG;
use crate::eyes::blinking::{ShiftSize, evoked_onset_secs};
use crate::eyes::decay::Decay;
use crate::eyes::direction::{Direction, angle_between_deg, bearing};
use crate::eyes::gaze::{
    Range, Shift, TORSO_LAG_SECS, head_lag_secs, head_peak_velocity_deg_per_s, torso_peak_velocity_deg_per_s,
};
use crate::eyes::glide::Glide;
use crate::eyes::head_pose::HeadPose;
use crate::eyes::lids::{self, LidMovement};
use crate::eyes::profile::Profile;
use crate::eyes::saccade::{self, Saccade};
use glam::{DVec2, DVec3};

/// Interval in seconds at which head and torso are checked.
pub(super) const RECHECK_SECS: f64 = 0.4;
/// Interval in seconds at which head and torso are checked while the target moves.
const FOLLOW_SECS: f64 = 0.1;
/// Minimum difference of plans in degrees; smaller differences do not move head or torso.
const MIN_CHANGE_DEG: f64 = 0.25;
/// A target behind the character keeps its side until the other side is closer by twice this angle, in degrees.
const SIDE_HYSTERESIS_DEG: f64 = 15.0;
/// Smallest difference in degrees for which the head follows a moving target, or helps eyes at their limit.
const REPLAN_DEG: f64 = 3.0;
/// Lag of pursuit in degrees above which a catch-up saccade is made.
const CATCH_UP_DEG: f64 = 2.0;
/// Reaction time in seconds: the dead time of saccades, 80 to 100 ms, in which a saccade cannot be changed any more
/// (Becker & Jürgens 1979).
const DEAD_SECS: f64 = 0.1;
/// Shortest time in seconds between two spontaneous saccades (Ruhland 2015).
const MIN_INTERVAL_SECS: f64 = 0.15;
/// Seconds without updates after which a moving target counts as stopped.
const STALE_SECS: f64 = 0.25;
/// Largest pursuit velocity in degrees per second (our design). Catch-up saccades cover the remaining distance.
const MAX_PURSUIT_DEG_PER_S: f64 = 80.0;
/// Targets faster than this, in degrees per second, are not pursued; the eyes wait for the next position.
const MAX_TARGET_DEG_PER_S: f64 = 200.0;
/// Lid movements smaller than this, in degrees, follow the eyes directly (paper 1, step 4).
const SMALL_LID_DEG: f64 = 1.0;
/// Saccades smaller than this, in degrees, do not undershoot.
const MIN_UNDERSHOOT_DEG: f64 = 3.0;
/// Seconds in which an eye returns from an overshoot (our design).
const OVERSHOOT_SECS: f64 = 0.025;

/// Ratio of peak to mean velocity of vergence movements (our design).
const RATIO: f64 = 2.2;
/// Time of peak velocity of vergence movements, as a fraction of their duration (our design).
const SKEW: f64 = 0.25;

/// The profile of all vergence movements, with a duration of one second.
pub(super) fn vergence_movement() -> Profile {
    Profile::new(1.0, 1.0, RATIO, SKEW)
}

/// Options of a gaze shift.
#[derive(Clone, Copy)]
pub(super) struct ShiftStyle {
    pub(super) head_movement_factor: f64,
    /// True for a new shift, which may evoke a blink; false for another step of the current shift.
    pub(super) is_new: bool,
}

/// State before a shift.
pub(super) struct StateBefore {
    geometry: GazeGeometry,
    pub(super) gaze: DVec2,
    vergence: [DVec3; 2],
    pub(super) lid_deg: f64,
}

impl Eyes {
    pub(super) fn style(&self) -> ShiftStyle {
        ShiftStyle { head_movement_factor: self.temperament.effective_head_movement_factor(), is_new: true }
    }

    /// Returns the style for another step of the current gaze shift: the same head-movement factor, and not a new
    /// shift.
    fn same_style(&self) -> ShiftStyle {
        ShiftStyle { head_movement_factor: self.head_movement_factor, is_new: false }
    }

    /// Schedules a look after its latency. A later look replaces the scheduled look.
    pub(super) fn schedule_look(&mut self, at: f64, look: Look) {
        let reaction = saccade::latency_secs(&mut draw(&mut self.chances.latency));
        let latency = look.latency_secs.unwrap_or(reaction * self.temperament.liveliness).max(0.0);
        self.pending.look = Some(look);
        self.cues.set(Cue::Shift, at + latency);
        self.cues.clear(Cue::Wander);
        self.cues.clear(Cue::Release);
    }

    pub(super) fn start_look(&mut self, at: f64, pose: &HeadPose) {
        let Some(look) = self.pending.look.take() else { return };
        self.idle_gaze.is_controlled = true;
        self.tracker.is_overruled = true;
        let aim = self.aim_of(at, look.target, pose);
        let usual = self.style();
        let head_movement_factor = look.head.map_or(usual.head_movement_factor, |head| head.clamp(0.0, 1.0));
        self.shift(at, aim, ShiftStyle { head_movement_factor, ..usual }, pose);
        if let Some(secs) = look.secs {
            self.cues.set(Cue::Release, at + secs.max(0.0));
        }
    }

    /// Returns the aim for a target at the time `at`.
    pub(super) fn aim_of(&mut self, at: f64, target: Target, pose: &HeadPose) -> Aim {
        match target {
            Target::Point(point) => Aim::Point(DVec3::from_array(point)),
            Target::Direction(direction) => Aim::Model(direction.to_vector()),
            Target::Named(TargetId(index)) => Aim::Moving(index),
            Target::Ahead => Aim::Torso(DVec3::Z),
            Target::Away => self.random_away_aim(at, pose),
        }
    }

    /// Shifts gaze, lids and head to a new aim from their current positions and velocities.
    pub(super) fn shift(&mut self, at: f64, aim: Aim, style: ShiftStyle, pose: &HeadPose) {
        let before = self.state_before(at, pose);
        self.head_movement_factor = style.head_movement_factor;
        self.aim = aim;
        self.driven_lid_deg = None;
        self.tracker.direct = Decay::NONE;
        if let Aim::Moving(index) = aim {
            self.start_pursuit(at, index, before.geometry.between_eyes(pose));
        }
        let geometry = self.gaze_geometry(at, pose);
        let in_model = geometry.in_model;
        self.side = if self.without_torso_turn(at, in_model, pose).x < 0.0 { -1.0 } else { 1.0 };
        let target = self.on_torso(in_model, pose);
        let amplitude_deg = before.gaze.distance(target);
        let mut chance = draw(&mut self.chances.shifts);
        self.start_saccade(at, &before, target, amplitude_deg, &mut chance);
        let geometry = self.gaze_geometry(at, pose);
        self.converge(at, &before, &geometry);
        self.shift_lids(at, &before, &geometry, &mut chance);
        let head_was = self.head.position(at);
        self.plan = self.shift_to(at, in_model, pose).plan(&self.ranges);
        self.move_head_and_torso(at, amplitude_deg, MIN_CHANGE_DEG);
        if style.is_new {
            let size = ShiftSize {
                head_deg: head_was.angle_to(self.plan.head),
                eccentricity_deg: target.length(),
                gaze_deg: amplitude_deg,
            };
            self.schedule_evoked(at, &size, chance.uniform());
        }
    }

    pub(super) fn state_before(&self, at: f64, pose: &HeadPose) -> StateBefore {
        let geometry = self.gaze_geometry(at, pose);
        StateBefore {
            gaze: bearing(pose.torso.inverse() * (geometry.head_in_model * geometry.gaze)),
            vergence: self.vergence(at, &geometry),
            lid_deg: self.lid_follow_deg(at, &geometry),
            geometry,
        }
    }

    /// Starts the saccade: the error between gaze and target decays with the duration and velocity of the main
    /// sequence.
    fn start_saccade(
        &mut self,
        at: f64,
        before: &StateBefore,
        target: DVec2,
        amplitude_deg: f64,
        chance: &mut Draw,
    ) {
        let lively = self.temperament.liveliness;
        let undershoot = (1.0 - saccade::primary_gain(chance)) * lively;
        let after = saccade::corrective_after_secs(chance);
        let overshoot = saccade::dynamic_overshoot_deg(chance, amplitude_deg) * lively;
        self.cues.clear(Cue::Correct);
        let error = before.gaze - target;
        let velocity = self.error.velocity(at);
        if amplitude_deg < 1e-9 && velocity == [0.0; 2] {
            self.error = Decay::NONE;
            return;
        }
        let main_sequence = self.temperament.main_sequence;
        let saccade = Saccade { amplitude_deg, main_sequence }.profile();
        let decay = Decay::with_profile(at, error.to_array(), &saccade, velocity);
        self.error = if amplitude_deg > MIN_UNDERSHOOT_DEG && undershoot > 0.0 && overshoot == 0.0 {
            self.cues.set(Cue::Correct, decay.landing_time() + after);
            decay.with_gain(1.0 - undershoot)
        } else if overshoot > 0.0 {
            decay.with_overshoot(overshoot / amplitude_deg, OVERSHOOT_SECS)
        } else {
            decay
        };
    }

    /// Starts the corrective saccade, which removes the rest of the error.
    pub(super) fn correct(&mut self, at: f64) {
        let error = self.error.error(at);
        let size = (error[0] * error[0] + error[1] * error[1]).sqrt();
        let saccade =
            Saccade { amplitude_deg: size, main_sequence: self.temperament.main_sequence }.profile();
        self.error = Decay::with_profile(at, error, &saccade, self.error.velocity(at));
    }

    /// Starts a vergence movement, which is slower than a saccade: movements of 3.9° have a peak velocity of 69°/s
    /// inwards and 53°/s outwards (Wick & Bedell 1989). Here the velocity is proportional to the amplitude (our
    /// design).
    pub(super) fn converge(&mut self, at: f64, before: &StateBefore, geometry: &GazeGeometry) {
        const IN_PER_S: f64 = 69.0 / 3.9;
        const OUT_PER_S: f64 = 53.0 / 3.9;
        let error = self.vergence_difference(before, geometry);
        // For the left eye, inwards is to the right.
        let size_deg = (error[0] - error[3]).to_degrees();
        let largest = error.iter().fold(0.0_f64, |most, e| most.max(e.abs()));
        if largest < 1e-12 {
            self.vergence_error = Decay::NONE;
            return;
        }
        let peak_per_s = if size_deg > 0.0 { IN_PER_S } else { OUT_PER_S };
        let movement = self.vergence_movement.slowed(RATIO / peak_per_s);
        self.vergence_error = Decay::with_profile(at, error, &movement, self.vergence_error.velocity(at));
    }

    /// Returns the difference between current and desired vergence.
    pub(super) fn vergence_difference(&self, before: &StateBefore, geometry: &GazeGeometry) -> [f64; 6] {
        let wanted = self.wanted_vergence(geometry);
        let [left, right] = [0, 1].map(|i| before.vergence[i] - wanted[i]);
        [left.x, left.y, left.z, right.x, right.y, right.z]
    }

    /// Starts the lid saccade that accompanies an eye saccade (Steptoe 2010): the lid saccade starts 5 ms later and
    /// is slower.
    fn shift_lids(&mut self, at: f64, before: &StateBefore, geometry: &GazeGeometry, chance: &mut Draw) {
        let goal = self.lid_goal_now(at, geometry);
        let size = goal - before.lid_deg;
        let velocity = self.lid_error.velocity(at);
        let overshoot = lids::lid_overshoot_deg(chance, -size) * self.temperament.liveliness;
        if size.abs() < 1e-9 && velocity == [0.0] {
            self.lid_error = Decay::NONE;
            return;
        }
        if size.abs() < SMALL_LID_DEG {
            let saccade = Saccade::new(self.error_size(at)).profile();
            self.lid_error = Decay::with_profile(at, [-size], &saccade, velocity);
            return;
        }
        let movement = self.in_lid_tempo(lids::lid_saccade(before.lid_deg, goal));
        // Lids that already move start without a lag.
        let lag = if velocity == [0.0] { lids::LAG_SECS } else { 0.0 };
        self.lid_error = Decay::with_profile(at + lag, [-size], &movement, velocity)
            .with_overshoot(overshoot / size.abs(), lids::OVERSHOOT_DECAY_SECS);
    }

    fn error_size(&self, at: f64) -> f64 {
        let [yaw, pitch] = self.error.error(at);
        (yaw * yaw + pitch * pitch).sqrt()
    }

    fn in_lid_tempo(&self, movement: Profile) -> Profile {
        let tempo = self.temperament.lid_tempo;
        if tempo == 1.0 { movement } else { movement.slowed(1.0 / tempo) }
    }

    /// Moves the resting apertures to their new values with lid kinematics.
    pub(super) fn update_resting_lids(&mut self, at: f64, was: [f64; 2]) {
        let goal = self.resting_goal();
        let error: [f64; 2] = std::array::from_fn(|i| was[i] - goal[i]);
        let larger = if error[0].abs() > error[1].abs() { error[0] } else { error[1] };
        let movement = if larger > 0.0 { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
        let profile = self.in_lid_tempo(movement.profile(larger * CLOSING_DEG, 0.3));
        self.resting_error = Decay::with_profile(at, error, &profile, self.resting_error.velocity(at));
    }

    /// Returns the input for planning a shift to the direction `in_model` (in model space).
    fn shift_to(&self, at: f64, in_model: DVec3, pose: &HeadPose) -> Shift {
        let mut target = Direction::of(self.without_torso_turn(at, in_model, pose));
        // Behind the character, the target is on the current side of the gaze.
        if target.yaw_deg * self.side < -ASIDE_DEG {
            target.yaw_deg = 180.0 * self.side;
        }
        Shift {
            target,
            head: self.head.position(at),
            torso: self.torso.position(at),
            head_movement_factor: self.head_movement_factor,
            eye_only_deg: self.temperament.eye_only_deg,
            extra_rotation: pose.neck * pose.head,
            preset: self.temperament.gaze,
        }
    }

    /// Converts a direction from model space to the space of the torso before the gaze turned the torso.
    fn without_torso_turn(&self, at: f64, in_model: DVec3, pose: &HeadPose) -> DVec3 {
        self.torso.position(at).to_rotation() * (pose.torso.inverse() * in_model)
    }

    /// Schedules head and torso movements, if the plan differs from their current goals by more than `tolerance_deg`.
    fn move_head_and_torso(&mut self, at: f64, amplitude_deg: f64, tolerance_deg: f64) {
        let lag = head_lag_secs(amplitude_deg);
        let going = |is_set: bool, glide: &Glide, pending: Direction| if is_set { pending } else { glide.to };
        let head = going(self.cues.is_set(Cue::Head), &self.head, self.pending.head);
        if head.angle_to(self.plan.head) > tolerance_deg {
            self.pending.head = self.plan.head;
            self.pending.head_not_before = self.error.landing_time();
            self.cues.set(Cue::Head, at + lag);
        }
        let torso = going(self.cues.is_set(Cue::Torso), &self.torso, self.pending.torso);
        if torso.angle_to(self.plan.torso) > tolerance_deg {
            self.pending.torso = self.plan.torso;
            self.cues.set(Cue::Torso, at + lag + TORSO_LAG_SECS);
        }
    }

    pub(super) fn move_head(&mut self, at: f64, pose: &HeadPose) {
        let goal = self.pending.head;
        if let Some(braking) = braked(&self.head, at, goal, &self.ranges.head) {
            self.head = braking;
            self.head_at_rest = HeadAtRest::new(braking.to, pose);
            return self.cues.set(Cue::Head, braking.end_time());
        }
        let secs = glide_secs(&self.head, at, goal, head_peak_velocity_deg_per_s);
        let secs = secs.max(self.pending.head_not_before - at);
        self.head = self.head.continue_to(at, goal, secs);
        self.head_at_rest = HeadAtRest::new(goal, pose);
    }

    pub(super) fn move_torso(&mut self, at: f64) {
        let goal = self.pending.torso;
        if let Some(braking) = braked(&self.torso, at, goal, &self.ranges.torso) {
            self.torso = braking;
            return self.cues.set(Cue::Torso, braking.end_time());
        }
        let secs = glide_secs(&self.torso, at, goal, torso_peak_velocity_deg_per_s);
        self.torso = self.torso.continue_to(at, goal, secs);
    }

    pub(super) fn schedule_evoked(&mut self, at: f64, size: &ShiftSize, u: f64) {
        let Self { temperament, .. } = self;
        if !temperament.blinks.evokes(&temperament.evoked, size, u) {
            return;
        }
        let moves_head = self.cues.is_set(Cue::Head) && size.head_deg > MIN_CHANGE_DEG;
        let onset = if moves_head { self.cues.at(Cue::Head) + evoked_onset_secs(size.head_deg) } else { at };
        self.pending.evoked_magnitude = temperament.blinks.evoked_magnitude(&temperament.evoked, size);
        self.cues.set(Cue::Evoked, onset.max(at));
    }

    /// Plans head and torso again if the eyes are at the limit of their range, or if the target moves.
    pub(super) fn recheck(&mut self, at: f64, pose: &HeadPose) {
        let is_moving = matches!(self.aim, Aim::Moving(_));
        self.cues.set(Cue::Recheck, at + if is_moving { FOLLOW_SECS } else { RECHECK_SECS });
        let is_busy = !self.error.is_zero(at) || self.cues.is_set(Cue::Head) || self.cues.is_set(Cue::Shift);
        if self.external.head {
            return self.recheck_external_head(at, pose);
        }
        if matches!(self.aim, Aim::Head { .. }) || is_busy {
            return;
        }
        let geometry = self.gaze_geometry(at, pose);
        let in_model = geometry.in_model;
        let yaw = Direction::of(pose.torso.inverse() * in_model).yaw_deg;
        let unturned_yaw = Direction::of(self.without_torso_turn(at, in_model, pose)).yaw_deg;
        if yaw.abs() < ASIDE_DEG {
            self.side = if yaw < 0.0 { -1.0 } else { 1.0 };
        } else if unturned_yaw * self.side < 0.0 && unturned_yaw.abs() < 180.0 - SIDE_HYSTERESIS_DEG {
            // The target is so far behind the character that the other side is much closer.
            return self.shift(at, self.aim, self.same_style(), pose);
        }
        if geometry.is_limited || is_moving {
            let shift = self.shift_to(at, in_model, pose);
            self.plan = if is_moving { shift.plan(&self.ranges) } else { shift.plan_minimal(&self.ranges) };
            self.move_head_and_torso(at, f64::INFINITY, REPLAN_DEG);
        }
    }

    fn start_pursuit(&mut self, at: f64, index: usize, from: DVec3) {
        let track = &self.targets[index];
        let place = track.estimate(at);
        let velocity = if at - track.at < STALE_SECS {
            pursuit_velocity(track.velocity, place - from)
        } else {
            DVec3::ZERO
        };
        self.pursuit = Pursuit::moving(at, place, velocity);
        if velocity != DVec3::ZERO {
            self.cues.set(Cue::Stale, track.at + STALE_SECS);
        }
    }

    /// Sets the position of a named target. Eyes that pursue the target adjust their velocity, and make a catch-up
    /// saccade if they lag behind.
    pub(super) fn update_target(&mut self, at: f64, target: TargetId, place: DVec3, pose: &HeadPose) {
        self.targets[target.0].take(at, place);
        if self.aim != Aim::Moving(target.0) {
            return;
        }
        let from = self.gaze_geometry(at, pose).between_eyes(pose);
        let velocity = pursuit_velocity(self.targets[target.0].velocity, place - from);
        let lag = angle_between_deg(place - from, self.pursuit.place(at) - from);
        self.pursuit = self.pursuit.with_velocity(at, velocity);
        self.cues.set(Cue::Stale, at + STALE_SECS);
        if lag > CATCH_UP_DEG && !self.cues.is_set(Cue::CatchUp) {
            let rested = self.error.landing_time().max(at - DEAD_SECS) + MIN_INTERVAL_SECS;
            self.cues.set(Cue::CatchUp, rested.max(at + DEAD_SECS));
        }
    }

    pub(super) fn catch_up(&mut self, at: f64, pose: &HeadPose) {
        if let Aim::Moving(_) = self.aim {
            self.shift(at, self.aim, self.same_style(), pose);
        }
    }

    /// Treats a moving target without updates as stopped.
    pub(super) fn handle_stale_target(&mut self, at: f64, pose: &HeadPose) {
        const NEAR_DEG: f64 = 0.3;
        let Aim::Moving(index) = self.aim else { return };
        let track = &mut self.targets[index];
        track.velocity = DVec3::ZERO;
        let place = track.place;
        self.pursuit = self.pursuit.with_velocity(at, DVec3::ZERO);
        let from = self.gaze_geometry(at, pose).between_eyes(pose);
        if angle_between_deg(place - from, self.pursuit.place(at) - from) > NEAR_DEG {
            self.cues.set(Cue::CatchUp, at + MIN_INTERVAL_SECS);
        }
    }
}

/// Distance of a quintic movement that brakes from a velocity v to rest without reversing, as a fraction of v times its
/// duration. The velocity of the movement is then v·(1 − u)³·(1 + 3u).
const STOPPING_SHARE: f64 = 0.4;

/// Returns a movement that brakes within the range. Returns `None` if head or torso need not brake, because they
/// neither reverse nor move too fast to stop at the goal.
fn braked(glide: &Glide, at: f64, goal: Direction, range: &Range) -> Option<Glide> {
    /// Duration of braking in seconds (our design).
    const BRAKING_SECS: f64 = 0.15;
    /// Movements slower than this, in degrees per second, may reverse without braking.
    const SLOW_DEG_PER_S: f64 = 20.0;
    let (way, velocity) = (goal - glide.position(at), glide.velocity(at));
    let speed = velocity.length();
    let towards = way.dot(velocity) / way.length().max(1e-9);
    let turns = speed - towards.max(0.0) > SLOW_DEG_PER_S;
    let is_too_near = speed > SLOW_DEG_PER_S && way.length() < STOPPING_SHARE * BRAKING_SECS * speed;
    if !turns && !is_too_near {
        return None;
    }
    let halt = range.clamp(glide.position(at) + velocity * (STOPPING_SHARE * BRAKING_SECS));
    Some(glide.continue_to(at, halt, BRAKING_SECS))
}

/// Returns the duration of a glide to a goal in seconds, such that the glide stays below the peak velocity for its
/// amplitude and does not overshoot.
fn glide_secs(glide: &Glide, at: f64, goal: Direction, peak_deg_per_s: fn(f64) -> f64) -> f64 {
    let (way, velocity) = (goal - glide.position(at), glide.velocity(at));
    let size = way.length().max(1e-9);
    let secs = Glide::RATIO * size / peak_deg_per_s(size);
    let towards = way.dot(velocity) / size;
    if towards > 0.0 { secs.min(size / (STOPPING_SHARE * towards)) } else { secs }
}

/// Returns the pursuit velocity for a target that moves with `velocity` (in metres per second) and is at `seen_at`
/// relative to the eyes (in metres). Returns zero if the target is too fast to pursue.
fn pursuit_velocity(velocity: DVec3, seen_at: DVec3) -> DVec3 {
    let distance = seen_at.length().max(0.05);
    let deg_per_s = (velocity.length() / distance).to_degrees();
    if deg_per_s > MAX_TARGET_DEG_PER_S {
        return DVec3::ZERO;
    }
    let pursued = Pursuit::gain(deg_per_s) * deg_per_s;
    velocity * (pursued.min(MAX_PURSUIT_DEG_PER_S) / deg_per_s.max(1e-9))
}
