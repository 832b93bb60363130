//! Eyes that are driven by a tracker (paper 1, Figures 2 and 5).

use super::aim::Aim;
use super::living::Fixation;
use super::seeing::{Seen, lid_goal_deg};
use super::{BlinkIntent, Cue, Eyes, draw};
use crate::eyes::blinking::ShiftSize;
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::{Direction, bearing};
use crate::eyes::driven::{EyeSample, Movement, Verdict};
use crate::eyes::jump::Jump;
use crate::eyes::lids::{LidKinematics, LidMovement};
use crate::eyes::profile::Profile;
use crate::eyes::saccade::MainSequence;
use glam::{DVec2, DVec3};

/// What driven eyes and lids remember.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driven {
    /// When eyes that were far from where the tracker saw them are there.
    caught_up: f64,
    /// Whether the tracker says that the lids are down.
    is_shut: bool,
    /// Whether it says anything of the lids.
    has_lids: bool,
    /// Whether a look takes the eyes elsewhere for as long as it lasts.
    pub(super) is_overruled: bool,
    /// What is left between the lids and where a small movement wants them.
    pub(super) direct: Jump<1>,
    /// When the present lid saccade began, and where the lid was.
    began: f64,
    from_deg: f64,
    /// When it was last planned.
    planned: f64,
}

impl Default for Driven {
    fn default() -> Self {
        Self {
            caught_up: f64::NEG_INFINITY,
            is_shut: false,
            has_lids: false,
            is_overruled: false,
            direct: Jump::NONE,
            began: f64::NEG_INFINITY,
            from_deg: 0.0,
            planned: f64::NEG_INFINITY,
        }
    }
}

/// Eyes are never faster; what seems so was a gap.
const MAX_DEG_PER_S: f64 = 800.0;
/// … nor do they part or meet faster, each of them: that is noise (our design; people's vergence is slower
/// still, FACTS, section 2).
const MAX_VERGENCE_DEG_PER_S: f64 = 200.0;
/// Eyes that differ by this much meet 12 cm away; by more, one of them was not seen well.
const MAX_VERGENCE_DEG: f64 = 30.0;
/// … nor do lids follow faster (Guitton 1991: lid saccades saturate there; FACTS, section 1), …
const MAX_LID_DEG_PER_S: f64 = 450.0;
/// … except by less than this.
const SMALL_LID_DEG: f64 = 1.0;
/// The end of a saccade is not known when it begins, so its lid saccade is planned again as it grows.
const REPLAN_SECS: f64 = 0.008;
/// A tracker that gave no sample for this long has gone.
const SILENCE_SECS: f64 = 1.0;
/// For so long after a sample the eyes make no fixational movements of their own: the tracker has them.
const OWN_AFTER_SECS: f64 = 0.3;

impl Eyes {
    pub(super) fn take_sample(&mut self, at: f64, sample: &EyeSample, carriage: &Carriage) {
        let verdict = self.classifier.push(sample);
        self.cues.set(Cue::Silence, at + SILENCE_SECS);
        self.driven.has_lids = sample.blink.is_some() || sample.openness.is_some();
        self.take_blinks(at, &verdict, carriage);
        if self.driven.is_overruled {
            return;
        }
        if let Some([yaw, pitch]) = verdict.gaze {
            self.lead(at, Direction::new(yaw, pitch), &verdict, carriage);
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

    /// Lids go down when the tracker says so, and stay down for as long. A blink that it tells of when it
    /// is over is a whole one.
    fn take_blinks(&mut self, at: f64, verdict: &Verdict, carriage: &Carriage) {
        match (verdict.blink_began, verdict.blink_ended) {
            (true, true) => self.start_blink(at, &BlinkIntent::default(), carriage),
            (true, false) => {
                self.driven.is_shut = true;
                let held = BlinkIntent { hold_secs: Some(f64::INFINITY), ..BlinkIntent::default() };
                self.start_blink(at, &held, carriage);
            }
            (false, true) => self.open_driven(at, carriage),
            (false, false) => {}
        }
    }

    fn open_driven(&mut self, at: f64, carriage: &Carriage) {
        self.driven.is_shut = false;
        self.open_eyes(at, carriage);
    }

    /// Whether blinks are a tracker's business now.
    pub(super) fn tracker_has_lids(&self) -> bool {
        self.driven.has_lids && self.cues.is_set(Cue::Silence)
    }

    /// Nothing was heard of the tracker for a while: the eyes are on their own again.
    pub(super) fn miss_tracker(&mut self, at: f64, carriage: &Carriage) {
        if self.driven.is_shut {
            self.open_driven(at, carriage);
        }
        if let Aim::Head { .. } = self.aim {
            self.release(at, carriage);
        }
    }

    /// Goes to a sample within the time until the next one: that is all the latency there is. What is too
    /// far for that was a gap, or something else led the eyes before: it takes as long as a saccade, and
    /// goes on meanwhile to wherever later samples are.
    fn lead(&mut self, at: f64, gaze: Direction, verdict: &Verdict, carriage: &Carriage) {
        self.wandering.is_led = true;
        for cue in [Cue::Wander, Cue::Correct, Cue::CatchUp] {
            self.cues.clear(cue);
        }
        let lid_deg = self.lid_follow_deg(at, &self.see(at, carriage));
        let goal_was = lid_deg - self.lid_error.error(at)[0];
        let (gaze_was, apart_was) = self.end_own_fixation(at, carriage);
        // The difference of the eyes' yaws, left less right.
        let vergence_deg = verdict.vergence_deg.clamp(-MAX_VERGENCE_DEG, MAX_VERGENCE_DEG);
        let half = Direction::new(0.5 * vergence_deg, 0.0);
        let eyes = [gaze + half, gaze - half].map(Direction::to_vector);
        self.aim = Aim::Head { both: gaze.to_vector(), eyes };
        let seen = self.see(at, carriage);
        let error = gaze_was - self.on_torso(seen.in_model, carriage);
        let secs = self.catching_up_secs(at, error.length(), verdict.period_secs);
        self.error = Jump::linear(at, error.to_array(), secs);
        self.lead_vergence(at, apart_was, &self.see(at, carriage), secs);
        let pitch = Direction::of(self.oval.hold(gaze.to_vector())).pitch_deg;
        self.lead_lids(at, lid_deg, goal_was, lid_goal_deg(pitch), verdict);
    }

    /// How long the eyes take to a sample that is this far.
    fn catching_up_secs(&mut self, at: f64, size_deg: f64, period_secs: f64) -> f64 {
        if size_deg > MAX_DEG_PER_S * period_secs && self.driven.caught_up <= at {
            self.driven.caught_up = at + MainSequence::default().duration_secs(size_deg);
        }
        period_secs.max(self.driven.caught_up - at).max(size_deg / MAX_DEG_PER_S)
    }

    /// The drift and the microsaccades are the tracker's now. Gives where the eyes are with their own: the
    /// bearing of both together on the torso, and how each differs from it.
    fn end_own_fixation(&mut self, at: f64, carriage: &Carriage) -> (DVec2, [DVec3; 2]) {
        let seen = self.see(at, carriage);
        let own = self.fixation.offset(at);
        let own = DVec3::new(own.yaw_deg.to_radians(), own.pitch_deg.to_radians(), 0.0);
        let both = self.oval.hold((seen.gaze + own).normalize());
        let apart = self.vergence(at, &seen).map(|apart| seen.gaze + own + apart - both);
        self.fixation = Fixation::none();
        if self.cues.is_set(Cue::Fixate) {
            self.cues.set(Cue::Fixate, at + OWN_AFTER_SECS);
        }
        (bearing(carriage.torso.inverse() * (seen.head_in_model * both)), apart)
    }

    fn lead_vergence(&mut self, at: f64, was: [DVec3; 2], seen: &Seen, secs: f64) {
        let wanted = self.wanted_vergence(seen);
        let [left, right] = [was[0] - wanted[0], was[1] - wanted[1]];
        let far_deg = left.length().max(right.length()).to_degrees();
        let error = [left.x, left.y, left.z, right.x, right.y, right.z];
        self.vergence_error = Jump::linear(at, error, secs.max(far_deg / MAX_VERGENCE_DEG_PER_S));
    }

    /// Lids make lid saccades with saccades, and go along with everything else that lids can follow.
    fn lead_lids(&mut self, at: f64, lid_deg: f64, goal_was: f64, goal: f64, verdict: &Verdict) {
        let step = goal - goal_was;
        let is_saccade = verdict.movement == Some(Movement::Saccade) || verdict.saccade_began;
        let is_far = step.abs() > SMALL_LID_DEG.max(MAX_LID_DEG_PER_S * verdict.period_secs);
        let begins = verdict.saccade_began || (is_far && !is_saccade);
        if begins {
            (self.driven.began, self.driven.from_deg) = (at, lid_deg);
            self.driven.planned = f64::NEG_INFINITY;
        }
        let is_due = at - self.driven.planned >= REPLAN_SECS;
        if begins || (is_saccade && is_due) || verdict.saccade_ended.is_some() {
            self.plan_driven_lid(at, lid_deg, goal);
        } else if !is_saccade {
            self.driven.direct = Jump::linear(at, [-step], verdict.period_secs);
            self.driven_lid_deg = Some(goal);
        }
    }

    /// The rest of a lid saccade, in the rest of the time that one of its size takes, and not faster.
    fn plan_driven_lid(&mut self, at: f64, lid_deg: f64, goal: f64) {
        const RATIO: f64 = 1.65;
        const SKEW: f64 = 0.3;
        const LEAST_SECS: f64 = 0.02;
        let rest = lid_deg - goal;
        let movement = if rest > 0.0 { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
        // A gaze that has turned back meanwhile leaves more to go than there is from the start.
        let whole = (goal - self.driven.from_deg).abs().max(rest.abs());
        let LidKinematics { duration_secs, peak_velocity_deg_per_s } = movement.kinematics(whole);
        let tempo = self.temperament.lid_tempo;
        let in_time = duration_secs / tempo - (at - self.driven.began);
        let at_peak = RATIO * rest.abs() / (peak_velocity_deg_per_s * tempo).max(1.0);
        let secs = in_time.max(at_peak).max(LEAST_SECS);
        let profile = Profile::new(rest.abs(), secs, RATIO * rest.abs() / secs, SKEW);
        self.lid_error = Jump::as_movement(at, [rest], &profile, self.lid_velocity(at));
        self.driven.direct = Jump::NONE;
        self.driven.planned = at;
        self.driven_lid_deg = Some(goal);
    }

    fn lid_velocity(&self, at: f64) -> [f64; 1] {
        [self.lid_error.velocity(at)[0] + self.driven.direct.velocity(at)[0]]
    }
}
