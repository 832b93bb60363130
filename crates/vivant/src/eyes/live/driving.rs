//! Eyes that are driven by a tracker (paper 1, Figures 2 and 5).

use super::aim::Aim;
use super::seeing::lid_goal_deg;
use super::{BlinkIntent, Cue, Eyes, draw};
use crate::eyes::blinking::ShiftSize;
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::Direction;
use crate::eyes::driven::{EyeSample, Movement, Verdict};
use crate::eyes::jump::Jump;
use crate::eyes::lids::LidMovement;
use crate::eyes::profile::Profile;
use crate::eyes::saccade::Saccade;

/// What driven lids remember.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driven {
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
        Self { direct: Jump::NONE, began: f64::NEG_INFINITY, from_deg: 0.0, planned: f64::NEG_INFINITY }
    }
}

/// Eyes are never faster; what seems so was a gap.
const MAX_DEG_PER_S: f64 = 800.0;
/// The end of a saccade is not known when it begins, so its lid saccade is planned again as it grows.
const REPLAN_SECS: f64 = 0.008;

impl Eyes {
    pub(super) fn take_sample(&mut self, at: f64, sample: &EyeSample, carriage: &Carriage) {
        let verdict = self.classifier.push(sample);
        if verdict.blink_began {
            let held = BlinkIntent { hold_secs: Some(f64::INFINITY), ..BlinkIntent::default() };
            self.start_blink(at, &held, carriage);
        }
        if verdict.blink_ended {
            self.open_eyes(at, carriage);
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

    /// Goes to a sample within the time until the next one: that is all the latency there is.
    fn lead(&mut self, at: f64, gaze: Direction, verdict: &Verdict, carriage: &Carriage) {
        self.wandering.is_led = true;
        for cue in [Cue::Shift, Cue::Release, Cue::Wander, Cue::Correct, Cue::CatchUp] {
            self.cues.clear(cue);
        }
        let before = self.before(at, carriage);
        let goal_was = before.lid_deg - self.lid_error.error(at)[0];
        // The difference of the eyes' yaws, left less right.
        let half = Direction::new(0.5 * verdict.vergence_deg, 0.0);
        let eyes = [gaze + half, gaze - half].map(Direction::to_vector);
        self.aim = Aim::Head { both: gaze.to_vector(), eyes };
        let seen = self.see(at, carriage);
        let target = self.on_torso(seen.in_model, carriage);
        let (error, period) = (before.gaze - target, verdict.period_secs);
        let (size, fade) = (error.length(), error.to_array());
        self.error = if size > MAX_DEG_PER_S * period {
            Jump::as_movement(at, fade, &Saccade::new(size).profile(), self.error.velocity(at))
        } else {
            Jump::linear(at, fade, period)
        };
        let seen = self.see(at, carriage);
        self.vergence_error = Jump::linear(at, self.vergence_off(&before, &seen), period);
        self.lead_lids(at, before.lid_deg, goal_was, lid_goal_deg(gaze.pitch_deg), verdict);
    }

    /// Lids make lid saccades with saccades, and go along with everything else.
    fn lead_lids(&mut self, at: f64, lid_deg: f64, goal_was: f64, goal: f64, verdict: &Verdict) {
        let small = self.fixation.offset(at).pitch_deg;
        let is_saccade = verdict.movement == Some(Movement::Saccade) || verdict.saccade_began;
        if verdict.saccade_began {
            (self.driven.began, self.driven.from_deg) = (at, lid_deg);
            self.driven.planned = f64::NEG_INFINITY;
        }
        let is_due = at - self.driven.planned >= REPLAN_SECS;
        if (is_saccade && is_due) || verdict.saccade_ended.is_some() {
            self.plan_driven_lid(at, lid_deg, goal, small);
        } else if !is_saccade {
            let error = goal_was - small - goal;
            self.driven.direct = Jump::linear(at, [error], verdict.period_secs);
            self.driven_lid_deg = Some(goal);
        }
    }

    /// The rest of a lid saccade, in the rest of the time that one of its size takes.
    fn plan_driven_lid(&mut self, at: f64, lid_deg: f64, goal: f64, small: f64) {
        const RATIO: f64 = 1.65;
        const SKEW: f64 = 0.3;
        const LEAST_SECS: f64 = 0.02;
        let whole = goal - self.driven.from_deg;
        let movement = if whole < 0.0 { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
        let secs = movement.kinematics(whole).duration_secs / self.temperament.lid_tempo;
        let secs = (secs - (at - self.driven.began)).max(LEAST_SECS);
        let rest = lid_deg - small - goal;
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
