//! Gaze shifts: from whatever eyes, lids and head do, to something else.

use super::aim::{Aim, Pursuit};
use super::seeing::{ASIDE_DEG, HeadAtRest, Seen};
use super::{Cue, Eyes, Look, Target, TargetId, draw};
use crate::chance::Draw;
use crate::eyes::aperture::CLOSING_DEG;
use crate::eyes::blinking::{ShiftSize, evoked_onset_secs};
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::{Direction, angle_between_deg, bearing};
use crate::eyes::gaze::{
    Range, Shift, TORSO_LAG_SECS, head_lag_secs, head_peak_velocity_deg_per_s, torso_peak_velocity_deg_per_s,
};
use crate::eyes::glide::Glide;
use crate::eyes::jump::Jump;
use crate::eyes::lids::{self, LidMovement};
use crate::eyes::profile::Profile;
use crate::eyes::saccade::{self, Saccade};
use glam::{DVec2, DVec3};

/// How often it is looked at whether head and torso still serve the gaze.
pub(super) const RECHECK_SECS: f64 = 0.4;
/// … and how often while the target moves.
const FOLLOW_SECS: f64 = 0.1;
/// A plan that differs by less moves neither head nor torso.
const SAME_DEG: f64 = 0.25;
/// A target behind the back keeps its side until the other one is nearer by twice this.
const MUCH_DEG: f64 = 15.0;
/// A head that follows a moving target, or frees eyes that are held, waits until it differs by this.
const REPLAN_DEG: f64 = 3.0;
/// Pursuit that lags by more is caught up with by a saccade.
const CATCH_UP_DEG: f64 = 2.0;
/// How long the eyes take to notice (FACTS, section 2: the dead time of saccades).
const DEAD_SECS: f64 = 0.1;
/// The least time between two saccades of one's own accord (FACTS, section 2).
const MIN_INTERVAL_SECS: f64 = 0.15;
/// A moving target that was not heard of for this long has stopped.
const STALE_SECS: f64 = 0.25;
/// Eyes do not pursue faster (our design); catch-up saccades do the rest.
const MAX_PURSUIT_DEG_PER_S: f64 = 80.0;
/// What is so fast is not pursued at all, but looked for where it is next.
const HOPELESS_DEG_PER_S: f64 = 200.0;
/// Smaller movements of the lids go with the eyes (paper 1, step 4: set directly).
const SMALL_LID_DEG: f64 = 1.0;
/// Saccades below this size land where they should.
const SURE_DEG: f64 = 3.0;
/// An eye's overshoot comes back within this time (our design).
const OVERSHOOT_SECS: f64 = 0.025;

/// Vergence's peak velocity by its mean, and when it is fastest (our design).
const RATIO: f64 = 2.2;
const SKEW: f64 = 0.25;

/// The shape of all vergence, in one second.
pub(super) fn vergence_movement() -> Profile {
    Profile::new(1.0, 1.0, RATIO, SKEW)
}

/// How a shift is made.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) head_movement_factor: f64,
    /// Whether it is a shift of its own, which may evoke a blink, or part of one.
    pub(super) is_new: bool,
}

/// What a shift leaves behind.
pub(super) struct Before {
    seen: Seen,
    pub(super) gaze: DVec2,
    vergence: [DVec3; 2],
    pub(super) lid_deg: f64,
}

impl Eyes {
    pub(super) fn manner(&self) -> Manner {
        Manner { head_movement_factor: self.temperament.effective_head_movement_factor(), is_new: true }
    }

    /// The manner of a shift that is part of the present one.
    fn same_manner(&self) -> Manner {
        Manner { head_movement_factor: self.head_movement_factor, is_new: false }
    }

    /// Takes a look in; it begins when its latency is over. A later one replaces it.
    pub(super) fn prepare(&mut self, at: f64, look: Look) {
        let reaction = saccade::latency_secs(&mut draw(&mut self.chances.latency));
        let latency = look.latency_secs.unwrap_or(reaction * self.temperament.liveliness).max(0.0);
        self.pending.look = Some(look);
        self.cues.set(Cue::Shift, at + latency);
        self.cues.clear(Cue::Wander);
        self.cues.clear(Cue::Release);
    }

    pub(super) fn begin_look(&mut self, at: f64, carriage: &Carriage) {
        let Some(look) = self.pending.look.take() else { return };
        self.wandering.is_led = true;
        self.driven.is_overruled = true;
        let aim = self.aim_of(at, look.target, carriage);
        let usual = self.manner();
        let head_movement_factor = look.head.map_or(usual.head_movement_factor, |head| head.clamp(0.0, 1.0));
        self.shift(at, aim, Manner { head_movement_factor, ..usual }, carriage);
        if let Some(secs) = look.secs {
            self.cues.set(Cue::Release, at + secs.max(0.0));
        }
    }

    /// What a target means now.
    pub(super) fn aim_of(&mut self, at: f64, target: Target, carriage: &Carriage) -> Aim {
        match target {
            Target::Point(point) => Aim::Point(DVec3::from_array(point)),
            Target::Direction(direction) => Aim::Model(direction.to_vector()),
            Target::Named(TargetId(index)) => Aim::Moving(index),
            Target::Ahead => Aim::Torso(DVec3::Z),
            Target::Away => self.glance_away(at, carriage),
        }
    }

    /// Turns to something else, from wherever eyes, lids and head are and however fast they move.
    pub(super) fn shift(&mut self, at: f64, aim: Aim, manner: Manner, carriage: &Carriage) {
        let before = self.before(at, carriage);
        self.head_movement_factor = manner.head_movement_factor;
        self.aim = aim;
        self.driven_lid_deg = None;
        self.driven.direct = Jump::NONE;
        if let Aim::Moving(index) = aim {
            self.pursue_anew(at, index, before.seen.between_eyes(carriage));
        }
        let seen = self.see(at, carriage);
        let in_model = seen.in_model;
        self.side = if self.unturned(at, in_model, carriage).x < 0.0 { -1.0 } else { 1.0 };
        let target = self.on_torso(in_model, carriage);
        let amplitude_deg = before.gaze.distance(target);
        let mut chance = draw(&mut self.chances.shifts);
        self.jump_gaze(at, &before, target, amplitude_deg, &mut chance);
        let seen = self.see(at, carriage);
        self.converge(at, &before, &seen);
        self.shift_lids(at, &before, &seen, &mut chance);
        let head_was = self.head.position(at);
        self.plan = self.shift_to(at, in_model, carriage).plan(&self.ranges);
        self.move_head_and_torso(at, amplitude_deg, SAME_DEG);
        if manner.is_new {
            let size = ShiftSize {
                head_deg: head_was.angle_to(self.plan.head),
                eccentricity_deg: target.length(),
                gaze_deg: amplitude_deg,
            };
            self.schedule_evoked(at, &size, chance.uniform());
        }
    }

    pub(super) fn before(&self, at: f64, carriage: &Carriage) -> Before {
        let seen = self.see(at, carriage);
        Before {
            gaze: bearing(carriage.torso.inverse() * (seen.head_in_model * seen.gaze)),
            vergence: self.vergence(at, &seen),
            lid_deg: self.lid_follow_deg(at, &seen),
            seen,
        }
    }

    /// The saccade: the error between gaze and target fades by the main sequence.
    fn jump_gaze(&mut self, at: f64, before: &Before, target: DVec2, amplitude_deg: f64, chance: &mut Draw) {
        let lively = self.temperament.liveliness;
        let undershoot = (1.0 - saccade::primary_gain(chance)) * lively;
        let after = saccade::corrective_after_secs(chance);
        let overshoot = saccade::dynamic_overshoot_deg(chance, amplitude_deg) * lively;
        self.cues.clear(Cue::Correct);
        let error = before.gaze - target;
        let velocity = self.error.velocity(at);
        if amplitude_deg < 1e-9 && velocity == [0.0; 2] {
            self.error = Jump::NONE;
            return;
        }
        let main_sequence = self.temperament.main_sequence;
        let saccade = Saccade { amplitude_deg, main_sequence }.profile();
        let jump = Jump::as_movement(at, error.to_array(), &saccade, velocity);
        self.error = if amplitude_deg > SURE_DEG && undershoot > 0.0 && overshoot == 0.0 {
            self.cues.set(Cue::Correct, jump.lands() + after);
            jump.with_gain(1.0 - undershoot)
        } else if overshoot > 0.0 {
            jump.with_overshoot(overshoot / amplitude_deg, OVERSHOOT_SECS)
        } else {
            jump
        };
    }

    /// The second saccade, which takes what the first one left.
    pub(super) fn correct(&mut self, at: f64) {
        let error = self.error.error(at);
        let size = (error[0] * error[0] + error[1] * error[1]).sqrt();
        let saccade =
            Saccade { amplitude_deg: size, main_sequence: self.temperament.main_sequence }.profile();
        self.error = Jump::as_movement(at, error, &saccade, self.error.velocity(at));
    }

    /// Vergence is slower than saccades: 3.9° in peak at 69°/s inwards and 53°/s outwards (FACTS,
    /// section 2), and as much faster for more.
    pub(super) fn converge(&mut self, at: f64, before: &Before, seen: &Seen) {
        const IN_PER_S: f64 = 69.0 / 3.9;
        const OUT_PER_S: f64 = 53.0 / 3.9;
        let error = self.vergence_off(before, seen);
        // To the nose is right for the left eye.
        let size_deg = (error[0] - error[3]).to_degrees();
        let largest = error.iter().fold(0.0_f64, |most, e| most.max(e.abs()));
        if largest < 1e-12 {
            self.vergence_error = Jump::NONE;
            return;
        }
        let peak_per_s = if size_deg > 0.0 { IN_PER_S } else { OUT_PER_S };
        let movement = self.vergence_movement.slowed(RATIO / peak_per_s);
        self.vergence_error = Jump::as_movement(at, error, &movement, self.vergence_error.velocity(at));
    }

    /// What the eyes show of their differences, less what they should.
    pub(super) fn vergence_off(&self, before: &Before, seen: &Seen) -> [f64; 6] {
        let wanted = self.wanted_vergence(seen);
        let [left, right] = [0, 1].map(|i| before.vergence[i] - wanted[i]);
        [left.x, left.y, left.z, right.x, right.y, right.z]
    }

    /// The lid saccade that goes with an eye saccade (paper 1): 5 ms later, and slower.
    fn shift_lids(&mut self, at: f64, before: &Before, seen: &Seen, chance: &mut Draw) {
        let goal = self.lid_goal_now(at, seen);
        let size = goal - before.lid_deg;
        let velocity = self.lid_error.velocity(at);
        let overshoot = lids::lid_overshoot_deg(chance, -size) * self.temperament.liveliness;
        if size.abs() < 1e-9 && velocity == [0.0] {
            self.lid_error = Jump::NONE;
            return;
        }
        if size.abs() < SMALL_LID_DEG {
            let saccade = Saccade::new(self.error_size(at)).profile();
            self.lid_error = Jump::as_movement(at, [-size], &saccade, velocity);
            return;
        }
        let movement = self.in_lid_tempo(lids::lid_saccade(before.lid_deg, goal));
        // Lids that are moving already do not wait.
        let lag = if velocity == [0.0] { lids::LAG_SECS } else { 0.0 };
        self.lid_error = Jump::as_movement(at + lag, [-size], &movement, velocity)
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

    /// Resting apertures change as lids move.
    pub(super) fn rest_lids_anew(&mut self, at: f64, was: [f64; 2]) {
        let goal = self.resting_goal();
        let error: [f64; 2] = std::array::from_fn(|i| was[i] - goal[i]);
        let larger = if error[0].abs() > error[1].abs() { error[0] } else { error[1] };
        let movement = if larger > 0.0 { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
        let profile = self.in_lid_tempo(movement.profile(larger * CLOSING_DEG, 0.3));
        self.resting_error = Jump::as_movement(at, error, &profile, self.resting_error.velocity(at));
    }

    /// The present shift, to be planned.
    fn shift_to(&self, at: f64, in_model: DVec3, carriage: &Carriage) -> Shift {
        let mut target = Direction::of(self.unturned(at, in_model, carriage));
        // Behind the back, the side that the gaze has taken decides.
        if target.yaw_deg * self.side < -ASIDE_DEG {
            target.yaw_deg = 180.0 * self.side;
        }
        Shift {
            target,
            head: self.head.position(at),
            torso: self.torso.position(at),
            head_movement_factor: self.head_movement_factor,
            eye_only_deg: self.temperament.eye_only_deg,
            carried: carriage.neck * carriage.head,
            preset: self.temperament.gaze,
        }
    }

    /// A direction in model space, seen from the torso as it would stand unturned.
    fn unturned(&self, at: f64, in_model: DVec3, carriage: &Carriage) -> DVec3 {
        self.torso.position(at).to_rotation() * (carriage.torso.inverse() * in_model)
    }

    /// Sends head and torso on their way, if the plan differs from where they go already.
    fn move_head_and_torso(&mut self, at: f64, amplitude_deg: f64, tolerance_deg: f64) {
        let lag = head_lag_secs(amplitude_deg);
        let going = |is_set: bool, glide: &Glide, pending: Direction| if is_set { pending } else { glide.to };
        let head = going(self.cues.is_set(Cue::Head), &self.head, self.pending.head);
        if head.angle_to(self.plan.head) > tolerance_deg {
            self.pending.head = self.plan.head;
            self.pending.head_not_before = self.error.lands();
            self.cues.set(Cue::Head, at + lag);
        }
        let torso = going(self.cues.is_set(Cue::Torso), &self.torso, self.pending.torso);
        if torso.angle_to(self.plan.torso) > tolerance_deg {
            self.pending.torso = self.plan.torso;
            self.cues.set(Cue::Torso, at + lag + TORSO_LAG_SECS);
        }
    }

    pub(super) fn move_head(&mut self, at: f64, carriage: &Carriage) {
        let goal = self.pending.head;
        if let Some(braking) = braked(&self.head, at, goal, &self.ranges.head) {
            self.head = braking;
            self.head_at_rest = HeadAtRest::new(braking.to, carriage);
            return self.cues.set(Cue::Head, braking.ends());
        }
        let secs = glide_secs(&self.head, at, goal, head_peak_velocity_deg_per_s);
        let secs = secs.max(self.pending.head_not_before - at);
        self.head = self.head.onward(at, goal, secs);
        self.head_at_rest = HeadAtRest::new(goal, carriage);
    }

    pub(super) fn move_torso(&mut self, at: f64) {
        let goal = self.pending.torso;
        if let Some(braking) = braked(&self.torso, at, goal, &self.ranges.torso) {
            self.torso = braking;
            return self.cues.set(Cue::Torso, braking.ends());
        }
        let secs = glide_secs(&self.torso, at, goal, torso_peak_velocity_deg_per_s);
        self.torso = self.torso.onward(at, goal, secs);
    }

    pub(super) fn schedule_evoked(&mut self, at: f64, size: &ShiftSize, u: f64) {
        let Self { temperament, .. } = self;
        if !temperament.blinks.evokes(&temperament.evoked, size, u) {
            return;
        }
        let moves_head = self.cues.is_set(Cue::Head) && size.head_deg > SAME_DEG;
        let onset = if moves_head { self.cues.at(Cue::Head) + evoked_onset_secs(size.head_deg) } else { at };
        self.pending.evoked_magnitude = temperament.blinks.evoked_magnitude(&temperament.evoked, size);
        self.cues.set(Cue::Evoked, onset.max(at));
    }

    /// Frees eyes that are held at the end of their range, and lets the head go along with what moves.
    pub(super) fn recheck(&mut self, at: f64, carriage: &Carriage) {
        let is_moving = matches!(self.aim, Aim::Moving(_));
        self.cues.set(Cue::Recheck, at + if is_moving { FOLLOW_SECS } else { RECHECK_SECS });
        let is_busy =
            !self.error.is_nothing(at) || self.cues.is_set(Cue::Head) || self.cues.is_set(Cue::Shift);
        if self.held.head {
            return self.recheck_held(at, carriage);
        }
        if matches!(self.aim, Aim::Head { .. }) || is_busy {
            return;
        }
        let seen = self.see(at, carriage);
        let in_model = seen.in_model;
        let yaw = Direction::of(carriage.torso.inverse() * in_model).yaw_deg;
        let unturned = Direction::of(self.unturned(at, in_model, carriage)).yaw_deg;
        if yaw.abs() < ASIDE_DEG {
            self.side = if yaw < 0.0 { -1.0 } else { 1.0 };
        } else if unturned * self.side < 0.0 && unturned.abs() < 180.0 - MUCH_DEG {
            // It has gone so far round behind the back that the other side is much nearer.
            return self.shift(at, self.aim, self.same_manner(), carriage);
        }
        if seen.is_held || is_moving {
            let shift = self.shift_to(at, in_model, carriage);
            self.plan = if is_moving { shift.plan(&self.ranges) } else { shift.keep(&self.ranges) };
            self.move_head_and_torso(at, f64::INFINITY, REPLAN_DEG);
        }
    }

    fn pursue_anew(&mut self, at: f64, index: usize, from: DVec3) {
        let track = &self.targets[index];
        let place = track.estimate(at);
        let velocity = if at - track.at < STALE_SECS {
            pursuit_velocity(track.velocity, place - from)
        } else {
            DVec3::ZERO
        };
        self.pursuit = Pursuit::under_way(at, place, velocity);
        if velocity != DVec3::ZERO {
            self.cues.set(Cue::Stale, track.at + STALE_SECS);
        }
    }

    /// A named target is somewhere: eyes that are on it go along, and catch up when they lag.
    pub(super) fn follow_move(&mut self, at: f64, target: TargetId, place: DVec3, carriage: &Carriage) {
        self.targets[target.0].take(at, place);
        if self.aim != Aim::Moving(target.0) {
            return;
        }
        let from = self.see(at, carriage).between_eyes(carriage);
        let velocity = pursuit_velocity(self.targets[target.0].velocity, place - from);
        let lag = angle_between_deg(place - from, self.pursuit.place(at) - from);
        self.pursuit = self.pursuit.onward(at, velocity);
        self.cues.set(Cue::Stale, at + STALE_SECS);
        if lag > CATCH_UP_DEG && !self.cues.is_set(Cue::CatchUp) {
            let rested = self.error.lands().max(at - DEAD_SECS) + MIN_INTERVAL_SECS;
            self.cues.set(Cue::CatchUp, rested.max(at + DEAD_SECS));
        }
    }

    pub(super) fn catch_up(&mut self, at: f64, carriage: &Carriage) {
        if let Aim::Moving(_) = self.aim {
            self.shift(at, self.aim, self.same_manner(), carriage);
        }
    }

    /// Nothing was heard of a moving target: it has stopped.
    pub(super) fn lose_track(&mut self, at: f64, carriage: &Carriage) {
        const NEAR_DEG: f64 = 0.3;
        let Aim::Moving(index) = self.aim else { return };
        let track = &mut self.targets[index];
        track.velocity = DVec3::ZERO;
        let place = track.place;
        self.pursuit = self.pursuit.onward(at, DVec3::ZERO);
        let from = self.see(at, carriage).between_eyes(carriage);
        if angle_between_deg(place - from, self.pursuit.place(at) - from) > NEAR_DEG {
            self.cues.set(Cue::CatchUp, at + MIN_INTERVAL_SECS);
        }
    }
}

/// A quintic from a velocity to rest never turns back if it goes this share of velocity times duration:
/// its velocity is then v·(1 − u)³·(1 + 3u).
const STOPPING: f64 = 0.4;

/// What moves and has to turn, or cannot stop in time, first comes to a halt, within its range.
fn braked(glide: &Glide, at: f64, goal: Direction, range: &Range) -> Option<Glide> {
    /// How long that takes (our design).
    const BRAKING_SECS: f64 = 0.15;
    /// What is slower may turn on its way.
    const SLOW_DEG_PER_S: f64 = 20.0;
    let (way, velocity) = (goal - glide.position(at), glide.velocity(at));
    let speed = velocity.length();
    let towards = way.dot(velocity) / way.length().max(1e-9);
    let turns = speed - towards.max(0.0) > SLOW_DEG_PER_S;
    let is_too_near = speed > SLOW_DEG_PER_S && way.length() < STOPPING * BRAKING_SECS * speed;
    if !turns && !is_too_near {
        return None;
    }
    let halt = range.clamp(glide.position(at) + velocity * (STOPPING * BRAKING_SECS));
    Some(glide.onward(at, halt, BRAKING_SECS))
}

/// How long a glide takes to a goal, so that it gets no faster than `peak_deg_per_s` allows for its size,
/// and does not go beyond it.
fn glide_secs(glide: &Glide, at: f64, goal: Direction, peak_deg_per_s: fn(f64) -> f64) -> f64 {
    let (way, velocity) = (goal - glide.position(at), glide.velocity(at));
    let size = way.length().max(1e-9);
    let secs = Glide::RATIO * size / peak_deg_per_s(size);
    let towards = way.dot(velocity) / size;
    if towards > 0.0 { secs.min(size / (STOPPING * towards)) } else { secs }
}

/// The velocity at which pursuit goes along with a target that moves at `velocity` at a place seen from
/// the eyes.
fn pursuit_velocity(velocity: DVec3, seen_at: DVec3) -> DVec3 {
    let distance = seen_at.length().max(0.05);
    let deg_per_s = (velocity.length() / distance).to_degrees();
    if deg_per_s > HOPELESS_DEG_PER_S {
        return DVec3::ZERO;
    }
    let pursued = Pursuit::gain(deg_per_s) * deg_per_s;
    velocity * (pursued.min(MAX_PURSUIT_DEG_PER_S) / deg_per_s.max(1e-9))
}
