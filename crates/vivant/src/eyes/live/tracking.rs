//! Eyes driven by a tracker (paper 1, Figures 2 and 5).
//!
//! The tracker decides where the eyes look, and the performer adds lid saccades and complete blinks and limits the
//! vergence. `take_sample` classifies each sample and moves the eyes to it within one sampling period, which is the
//! only latency; after a gap they take as long as a saccade. Lids move with their own dynamics during saccades and
//! follow directly otherwise. A look of an agent overrules the tracker. After one second without samples,
//! `handle_lost_tracker` returns to idle behaviour.

use super::aim::Aim;
use super::geometry::{GazeGeometry, lid_goal_deg};
use super::idle::Fixation;
use super::{BlinkIntent, Cue, Eyes, draw};
use crate::eyes::blinking::ShiftSize;
use crate::eyes::decay::Decay;
use crate::eyes::direction::{Direction, bearing};
use crate::eyes::driven::{EyeSample, Movement, Verdict};
use crate::eyes::head_pose::HeadPose;
use crate::eyes::lids::{LidKinematics, LidMovement};
use crate::eyes::profile::Profile;
use crate::eyes::saccade::MainSequence;
use glam::{DVec2, DVec3};

/// State of driven eyes and lids.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackerState {
    /// Time in seconds at which the eyes reach the tracker's gaze, if they were far from it.
    catch_up_until: f64,
    /// True if the tracker reports closed lids.
    has_closed_lids: bool,
    /// True if the tracker reports lids at all.
    has_lids: bool,
    /// True while a look takes precedence over the tracker.
    pub(super) is_overruled: bool,
    /// Remaining error between the lids and their goal, in movements in which the lids follow directly.
    pub(super) direct: Decay<1>,
    /// Start time of the current lid saccade in seconds.
    began: f64,
    /// Lid position at the start of the current lid saccade, in degrees.
    from_deg: f64,
    /// Time in seconds at which the lid saccade was last planned.
    planned: f64,
}

impl Default for TrackerState {
    fn default() -> Self {
        Self {
            catch_up_until: f64::NEG_INFINITY,
            has_closed_lids: false,
            has_lids: false,
            is_overruled: false,
            direct: Decay::NONE,
            began: f64::NEG_INFINITY,
            from_deg: 0.0,
            planned: f64::NEG_INFINITY,
        }
    }
}

/// Largest velocity of an eye in degrees per second; faster movements are jumps across a gap.
const MAX_DEG_PER_S: f64 = 800.0;
/// Largest vergence velocity of each eye in degrees per second; faster changes are noise (our design; human vergence
/// is slower: 69°/s for 3.9°, Wick & Bedell 1989).
const MAX_VERGENCE_DEG_PER_S: f64 = 200.0;
/// Largest vergence in degrees; with this value, the eyes converge at 12 cm. A larger value means that one eye was not
/// tracked well.
const MAX_VERGENCE_DEG: f64 = 30.0;
/// Largest velocity of lids that follow the gaze, in degrees per second (Guitton 1991: lid saccades saturate at this
/// velocity).
const MAX_LID_DEG_PER_S: f64 = 450.0;
/// Movements smaller than this, in degrees, may exceed [`MAX_LID_DEG_PER_S`].
const SMALL_LID_DEG: f64 = 1.0;
/// Interval in seconds at which a lid saccade is replanned, because the end of the eye saccade is not known when it
/// starts.
const REPLAN_SECS: f64 = 0.008;
/// Seconds without samples after which a tracker counts as gone.
const SILENCE_SECS: f64 = 1.0;
/// Seconds after a sample in which the performer adds no fixational movements, because the tracker's gaze already
/// contains them.
const OWN_FIXATION_DELAY_SECS: f64 = 0.3;

impl Eyes {
    pub(super) fn take_sample(&mut self, at: f64, sample: &EyeSample, pose: &HeadPose) {
        let verdict = self.classifier.push(sample);
        self.cues.set(Cue::Silence, at + SILENCE_SECS);
        self.tracker.has_lids = sample.blink.is_some() || sample.openness.is_some();
        self.take_blinks(at, &verdict, pose);
        if self.tracker.is_overruled {
            return;
        }
        if let Some([yaw, pitch]) = verdict.gaze {
            self.follow_sample(at, Direction::new(yaw, pitch), &verdict, pose);
        }
        if let Some(size) = verdict.saccade_ended {
            let shift = ShiftSize {
                head_deg: size.amplitude_deg,
                eccentricity_deg: size.amplitude_deg,
                gaze_deg: size.amplitude_deg,
            };
            let u = draw(&mut self.chances.shifts).uniform();
            self.schedule_evoked(at, &shift, u);
        }
    }

    /// Closes and opens the lids as the tracker reports. If a blink is reported only at its end, a complete blink is
    /// started then.
    fn take_blinks(&mut self, at: f64, verdict: &Verdict, pose: &HeadPose) {
        match (verdict.blink_began, verdict.blink_ended) {
            (true, true) => self.start_blink(at, &BlinkIntent::default(), pose),
            (true, false) => {
                self.tracker.has_closed_lids = true;
                let held = BlinkIntent { hold_secs: Some(f64::INFINITY), ..BlinkIntent::default() };
                self.start_blink(at, &held, pose);
            }
            (false, true) => self.open_driven(at, pose),
            (false, false) => {}
        }
    }

    fn open_driven(&mut self, at: f64, pose: &HeadPose) {
        self.tracker.has_closed_lids = false;
        self.open_eyes(at, pose);
    }

    /// Returns true if the tracker currently controls blinks.
    pub(super) fn tracker_has_lids(&self) -> bool {
        self.tracker.has_lids && self.cues.is_set(Cue::Silence)
    }

    /// Returns to idle behaviour after the tracker has stopped sending samples.
    pub(super) fn handle_lost_tracker(&mut self, at: f64, pose: &HeadPose) {
        if self.tracker.has_closed_lids {
            self.open_driven(at, pose);
        }
        if let Aim::Head { .. } = self.aim {
            self.release(at, pose);
        }
    }

    /// Moves the eyes to a sample within one sampling period; this is the only latency. After a gap, a look or idle
    /// gaze, the eyes may be far from the sample. The movement then takes as long as a saccade, and its goal is
    /// updated with each sample.
    fn follow_sample(&mut self, at: f64, gaze: Direction, verdict: &Verdict, pose: &HeadPose) {
        self.idle_gaze.is_controlled = true;
        for cue in [Cue::Wander, Cue::Correct, Cue::CatchUp] {
            self.cues.clear(cue);
        }
        let lid_deg = self.lid_follow_deg(at, &self.gaze_geometry(at, pose));
        let goal_was = lid_deg - self.lid_error.error(at)[0];
        let (gaze_was, apart_was) = self.end_own_fixation(at, pose);
        // Yaw of the left eye minus yaw of the right eye.
        let vergence_deg = verdict.vergence_deg.clamp(-MAX_VERGENCE_DEG, MAX_VERGENCE_DEG);
        let half = Direction::new(0.5 * vergence_deg, 0.0);
        let eyes = [gaze + half, gaze - half].map(Direction::to_vector);
        self.aim = Aim::Head { both: gaze.to_vector(), eyes };
        let geometry = self.gaze_geometry(at, pose);
        let error = gaze_was - self.on_torso(geometry.in_model, pose);
        let secs = self.catching_up_secs(at, error.length(), verdict.period_secs);
        self.error = Decay::linear(at, error.to_array(), secs);
        self.follow_vergence(at, apart_was, &self.gaze_geometry(at, pose), secs);
        let pitch = Direction::of(self.oval.clamp(gaze.to_vector())).pitch_deg;
        self.follow_lids(at, lid_deg, goal_was, lid_goal_deg(pitch), verdict);
    }

    /// Returns the time that the eyes take to reach a sample at this distance, in seconds.
    fn catching_up_secs(&mut self, at: f64, size_deg: f64, period_secs: f64) -> f64 {
        if size_deg > MAX_DEG_PER_S * period_secs && self.tracker.catch_up_until <= at {
            self.tracker.catch_up_until = at + MainSequence::default().duration_secs(size_deg);
        }
        period_secs.max(self.tracker.catch_up_until - at).max(size_deg / MAX_DEG_PER_S)
    }

    /// Ends the performer's own drift and microsaccades. Returns the current eye directions, which include these
    /// movements: the bearing of the gaze relative to the torso, and the difference of each eye from it.
    fn end_own_fixation(&mut self, at: f64, pose: &HeadPose) -> (DVec2, [DVec3; 2]) {
        let geometry = self.gaze_geometry(at, pose);
        let own = self.fixation.offset(at);
        let own = DVec3::new(own.yaw_deg.to_radians(), own.pitch_deg.to_radians(), 0.0);
        let both = self.oval.clamp((geometry.gaze + own).normalize());
        let apart = self.vergence(at, &geometry).map(|apart| geometry.gaze + own + apart - both);
        self.fixation = Fixation::none();
        if self.cues.is_set(Cue::Fixate) {
            self.cues.set(Cue::Fixate, at + OWN_FIXATION_DELAY_SECS);
        }
        (bearing(pose.torso.inverse() * (geometry.head_in_model * both)), apart)
    }

    fn follow_vergence(&mut self, at: f64, was: [DVec3; 2], geometry: &GazeGeometry, secs: f64) {
        let wanted = self.wanted_vergence(geometry);
        let [left, right] = [was[0] - wanted[0], was[1] - wanted[1]];
        let far_deg = left.length().max(right.length()).to_degrees();
        let error = [left.x, left.y, left.z, right.x, right.y, right.z];
        self.vergence_error = Decay::linear(at, error, secs.max(far_deg / MAX_VERGENCE_DEG_PER_S));
    }

    /// Starts or replans a lid saccade during saccades of the eyes. In all other movements the lids follow directly,
    /// up to their largest velocity.
    fn follow_lids(&mut self, at: f64, lid_deg: f64, goal_was: f64, goal: f64, verdict: &Verdict) {
        let step = goal - goal_was;
        let is_saccade = verdict.movement == Some(Movement::Saccade) || verdict.saccade_began;
        let is_far = step.abs() > SMALL_LID_DEG.max(MAX_LID_DEG_PER_S * verdict.period_secs);
        let begins = verdict.saccade_began || (is_far && !is_saccade);
        if begins {
            (self.tracker.began, self.tracker.from_deg) = (at, lid_deg);
            self.tracker.planned = f64::NEG_INFINITY;
        }
        let is_due = at - self.tracker.planned >= REPLAN_SECS;
        if begins || (is_saccade && is_due) || verdict.saccade_ended.is_some() {
            self.plan_driven_lid(at, lid_deg, goal);
        } else if !is_saccade {
            self.tracker.direct = Decay::linear(at, [-step], verdict.period_secs);
            self.driven_lid_deg = Some(goal);
        }
    }

    /// Plans the rest of a lid saccade. The movement takes the remaining time of a lid saccade of this size, and does
    /// not exceed the peak velocity of such a lid saccade.
    fn plan_driven_lid(&mut self, at: f64, lid_deg: f64, goal: f64) {
        const RATIO: f64 = 1.65;
        const SKEW: f64 = 0.3;
        const MIN_SECS: f64 = 0.02;
        let rest = lid_deg - goal;
        let movement = if rest > 0.0 { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
        // If the gaze has turned back meanwhile, the remaining distance may exceed the distance from the start.
        let whole = (goal - self.tracker.from_deg).abs().max(rest.abs());
        let LidKinematics { duration_secs, peak_velocity_deg_per_s } = movement.kinematics(whole);
        let tempo = self.temperament.lid_tempo;
        let in_time = duration_secs / tempo - (at - self.tracker.began);
        let at_peak = RATIO * rest.abs() / (peak_velocity_deg_per_s * tempo).max(1.0);
        let secs = in_time.max(at_peak).max(MIN_SECS);
        let profile = Profile::new(rest.abs(), secs, RATIO * rest.abs() / secs, SKEW);
        self.lid_error = Decay::with_profile(at, [rest], &profile, self.lid_velocity(at));
        self.tracker.direct = Decay::NONE;
        self.tracker.planned = at;
        self.driven_lid_deg = Some(goal);
    }

    fn lid_velocity(&self, at: f64) -> [f64; 1] {
        [self.lid_error.velocity(at)[0] + self.tracker.direct.velocity(at)[0]]
    }
}
