//! Eyes, lids and head of a character: executes look and blink intents, and adds idle behaviour.
//!
//! Everything happens as events at exact times: an intent, the end of a fixation, a due blink. Between events, all
//! movement is a function of time. So the result does not depend on the frame rate.
//!
//! ```
//! use vivant::eyes::{HeadPose, Eyes, Look, Target, Temperament, gaze::Ranges};
//! let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 7);
//! eyes.start_idle_behaviour(0.0);
//! eyes.look(Look { at: 2.0, ..Look::at_point([0.5, 1.4, 1.0]) });
//! let frame = eyes.advance_to(3.0, |_, turn| HeadPose::standing(turn));
//! assert!(frame.gaze.x > 0.0, "the point is to the left");
//! ```

mod aim;
mod external;
mod geometry;
mod idle;
mod playback;
mod shift;
#[cfg(test)]
mod tests;
mod tracking;

pub use aim::{Target, TargetId};
pub use geometry::EyeFrame;

use crate::agenda::Agenda;
use crate::chance::Chance;
use crate::eyes::aperture::BlinkRun;
use crate::eyes::aversion::Aversion;
use crate::eyes::blink::Blink;
use crate::eyes::blink_model::BlinkModel;
use crate::eyes::blinking::{Activity, BlinkKind};
use crate::eyes::decay::Decay;
use crate::eyes::direction::Direction;
use crate::eyes::driven::clock::Clock;
use crate::eyes::driven::{Classifier, EyeSample, Thresholds};
use crate::eyes::gaze::{GazePlan, Oval, Ranges};
use crate::eyes::glide::Glide;
use crate::eyes::head_pose::HeadPose;
use crate::eyes::profile::Profile;
use crate::eyes::temperament::Temperament;
use crate::eyes::texture::{GazeRegion, Texture};
use crate::math::{fast_max, fast_min};
use aim::{Aim, Pursuit, Track};
use geometry::HeadAtRest;
use glam::{DVec2, DVec3};
use idle::{Fixation, IdleGaze};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An intent to look somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Time of the request, in seconds of the performance.
    #[serde(default)]
    pub at: f64,
    /// Target of the gaze.
    pub target: Target,
    /// Duration in seconds; `None` means that the look lasts until the next look or [`Eyes::end_look`].
    #[serde(default, rename = "for")]
    pub secs: Option<f64>,
    /// Head-movement factor of this look, 0–1; `None` means the factor of the temperament.
    #[serde(default)]
    pub head: Option<f64>,
    /// Reaction time in seconds; `None` means a random human latency (0.1–0.3 s) times the liveliness.
    #[serde(default, rename = "latency")]
    pub latency_secs: Option<f64>,
}

impl Look {
    /// Creates a look at `target` that starts at time 0 and has no end.
    #[must_use]
    pub fn at(target: Target) -> Self {
        Self { at: 0.0, target, secs: None, head: None, latency_secs: None }
    }

    /// Creates a look at a point in the character's model space, in metres.
    #[must_use]
    pub fn at_point(point: [f64; 3]) -> Self {
        Self::at(Target::Point(point))
    }

    /// Creates a look in a direction in the character's model space. Yaw is positive to the left, pitch is positive
    /// up, in degrees.
    #[must_use]
    pub fn towards(yaw_deg: f64, pitch_deg: f64) -> Self {
        Self::at(Target::Direction(Direction::new(yaw_deg, pitch_deg)))
    }

    fn is_finite(&self) -> bool {
        let numbers = [self.secs, self.head, self.latency_secs];
        self.target.is_finite() && numbers.iter().flatten().all(|number| number.is_finite())
    }
}

/// An intent to blink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlinkIntent {
    /// Time of the blink, in seconds of the performance.
    pub at: f64,
    /// Closure of the lids, 0–1: 1 is closed.
    pub magnitude: f64,
    /// Seconds for which the lids stay closed. `None` means the duration of a normal blink; infinity means until
    /// [`Eyes::open`].
    #[serde(rename = "hold")]
    pub hold_secs: Option<f64>,
    /// Eyes that blink, left and right. A blink of one eye is a wink.
    pub eyes: [bool; 2],
}

impl Default for BlinkIntent {
    fn default() -> Self {
        Self { at: 0.0, magnitude: 1.0, hold_secs: None, eyes: [true; 2] }
    }
}

/// Learned models of a person's eyes. Can be shared by several characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EyeModels {
    /// Blink model of the character. It is used unless the temperament selects a blink profile without a blink model,
    /// such as `evinger`.
    pub blinks: Option<Arc<BlinkModel>>,
    /// Eye texture: motion of idle eyes and lids.
    pub texture: Option<Arc<Texture>>,
}

/// A request for the eyes.
#[derive(Clone, Copy, Debug)]
enum EventKind {
    StartIdle,
    Look(Look),
    EndLook,
    Attend(Target),
    Blink(BlinkIntent),
    Open,
    SetActivity(Activity),
    SetTemperament(Temperament),
    SetMoodFactors(MoodFactors),
    Move { target: TargetId, place: DVec3 },
    Drive(EyeSample),
    SetThresholds(Thresholds),
    SetMood(Option<usize>),
    KeepWithin { within: GazeRegion, until: f64 },
    Glance(PlannedGlance),
    SuggestBlink(f64),
    SetExternalControl(external::ExternalControl),
}

/// Effect of a mood on the eyes: factors for the spontaneous blink rate and the resting aperture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MoodFactors {
    blinks: f64,
    aperture: f64,
}

impl MoodFactors {
    const NONE: Self = Self { blinks: 1.0, aperture: 1.0 };
}

/// A planned glance, with the number of its plan.
#[derive(Clone, Copy, Debug)]
struct PlannedGlance {
    plan: u64,
    offset: DVec2,
    until: f64,
}

/// Internal events, in the order in which events at the same time are processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    /// Start of a look after its latency.
    Shift,
    Head,
    Torso,
    /// Corrective saccade after an undershoot.
    Correct,
    CatchUp,
    /// No update of a moving target for a while.
    Stale,
    /// No sample of a tracker for a while.
    Silence,
    /// End of a look's duration.
    Release,
    Wander,
    /// The gaze of a texture steps, or its next patch is needed.
    Texture,
    Fixate,
    Evoked,
    Spontaneous,
    Double,
    /// Checks whether head and torso still support the gaze.
    Recheck,
}

impl Cue {
    const ALL: [Self; 15] = [
        Self::Shift,
        Self::Head,
        Self::Torso,
        Self::Correct,
        Self::CatchUp,
        Self::Stale,
        Self::Silence,
        Self::Release,
        Self::Wander,
        Self::Texture,
        Self::Fixate,
        Self::Evoked,
        Self::Spontaneous,
        Self::Double,
        Self::Recheck,
    ];
}

/// Times of all cues.
#[derive(Clone, Copy, Debug)]
struct Cues {
    times: [f64; Cue::ALL.len()],
    next: f64,
}

impl Cues {
    const NONE: Self = Self { times: [f64::INFINITY; Cue::ALL.len()], next: f64::INFINITY };

    fn set(&mut self, cue: Cue, at: f64) {
        self.times[cue as usize] = at;
        self.next = self.times.iter().copied().fold(f64::INFINITY, f64::min);
    }

    fn clear(&mut self, cue: Cue) {
        self.set(cue, f64::INFINITY);
    }

    fn at(&self, cue: Cue) -> f64 {
        self.times[cue as usize]
    }

    fn is_set(&self, cue: Cue) -> bool {
        self.at(cue) < f64::INFINITY
    }

    fn take(&mut self) -> Option<Cue> {
        let cue = Cue::ALL.into_iter().find(|cue| self.at(*cue) <= self.next)?;
        self.clear(cue);
        Some(cue)
    }
}

/// Random streams with the number of events drawn from each.
#[derive(Clone, Copy, Debug)]
struct Chances {
    shifts: (Chance, u64),
    blinks: (Chance, u64),
    intervals: (Chance, u64),
    idle_gaze: (Chance, u64),
    fixation: (Chance, u64),
    latency: (Chance, u64),
    curves: (Chance, u64),
}

impl Chances {
    fn new(seed: u64) -> Self {
        let stream = |name: &str| (Chance::new(seed, name), 0);
        Self {
            shifts: stream("gaze shifts"),
            blinks: stream("blinks"),
            intervals: stream("blink intervals"),
            idle_gaze: stream("wandering"),
            fixation: stream("fixation"),
            latency: stream("latency"),
            curves: stream("blink curves"),
        }
    }
}

fn draw(stream: &mut (Chance, u64)) -> crate::chance::Draw {
    let event = stream.0.event(stream.1);
    stream.1 += 1;
    event
}

/// Eyes, lids and head of one character. Executes looks and blinks, and adds idle behaviour.
#[derive(Clone, Debug)]
pub struct Eyes {
    /// Current ranges of eyes, head and torso; zero for parts that are controlled externally.
    ranges: Ranges,
    /// Full ranges of eyes, head and torso.
    own_ranges: Ranges,
    external: external::ExternalControl,
    oval: Oval,
    temperament: Temperament,
    mood_factors: MoodFactors,
    activity: Activity,
    seed: u64,
    chances: Chances,
    time: f64,
    /// Requests that are not processed yet.
    events: Agenda<EventKind>,
    cues: Cues,
    targets: Vec<Track>,
    is_in_use: bool,
    has_idle_behaviour: bool,

    aim: Aim,
    pursuit: Pursuit,
    /// Side to which the gaze turns for a target behind the character: 1 is left, −1 is right.
    side: f64,
    /// Remaining error between gaze and target: yaw and pitch relative to the torso.
    error: Decay<2>,
    /// Remaining error of the vergence: x, y and z of the left and of the right eye.
    vergence_error: Decay<6>,
    vergence_movement: Profile,
    fixation: Fixation,
    idle_gaze: IdleGaze,
    /// Seconds by which the last spontaneous blink came earlier than planned.
    early_secs: f64,
    playback: Option<Box<playback::TexturePlayback>>,
    /// Remaining lid closure of a texture that was removed.
    removed_closure: Decay<1>,
    head: Glide,
    /// The head's rotation at the end of its glide.
    head_at_rest: HeadAtRest,
    torso: Glide,
    plan: GazePlan,
    /// Head-movement factor of the current shift.
    head_movement_factor: f64,
    pending: Pending,

    /// Remaining error between the upper lids and their goal, which follows from the gaze.
    lid_error: Decay<1>,
    /// Goal of the upper lids for driven eyes; for planned gaze, the goal follows from the target.
    driven_lid_deg: Option<f64>,
    /// Remaining error between the current resting apertures and the resting apertures of the temperament.
    resting_error: Decay<2>,
    blinks: [BlinkRun; 2],
    blink_model: Option<Arc<BlinkModel>>,
    /// True if the blink model is the character's own model, not the standard model.
    has_own_blinks: bool,
    /// Downward movement of the eyes in a full blink, in degrees.
    dip_deg: f64,
    /// Boxed, because it is only needed for trackers and is as large as all other fields together.
    classifier: Box<Classifier>,
    tracker: tracking::TrackerState,
}

/// Parameters of cues that are not due yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    look: Option<Look>,
    head: Direction,
    torso: Direction,
    /// Landing time of the eyes in seconds. The head must not arrive earlier.
    head_not_before: f64,
    evoked_magnitude: f64,
    /// The last spontaneous blink, which may be repeated as a double blink.
    spontaneous: BlinkKind,
}

impl Eyes {
    /// Creates eyes that look ahead. The same seed gives the same behaviour.
    #[must_use]
    pub fn new(ranges: Ranges, temperament: Temperament, seed: u64) -> Self {
        Self {
            ranges,
            own_ranges: ranges,
            external: external::ExternalControl::default(),
            oval: Oval::new(&ranges.eye),
            temperament: temperament.sanitized(),
            mood_factors: MoodFactors::NONE,
            activity: Activity::default(),
            seed,
            chances: Chances::new(seed),
            time: f64::NEG_INFINITY,
            events: Agenda::with_capacity(64),
            cues: Cues::NONE,
            targets: Vec::new(),
            is_in_use: false,
            has_idle_behaviour: false,
            aim: Aim::Torso(DVec3::Z),
            pursuit: Pursuit::at_rest(DVec3::Z),
            side: 1.0,
            error: Decay::NONE,
            vergence_error: Decay::NONE,
            vergence_movement: shift::vergence_movement(),
            fixation: Fixation::none(),
            idle_gaze: IdleGaze::default(),
            early_secs: 0.0,
            playback: None,
            removed_closure: Decay::NONE,
            head: Glide::at_rest(Direction::AHEAD),
            head_at_rest: HeadAtRest::AHEAD,
            torso: Glide::at_rest(Direction::AHEAD),
            plan: GazePlan::default(),
            head_movement_factor: temperament.sanitized().effective_head_movement_factor(),
            pending: Pending {
                look: None,
                head: Direction::AHEAD,
                torso: Direction::AHEAD,
                head_not_before: 0.0,
                evoked_magnitude: 0.0,
                spontaneous: BlinkKind::FULL,
            },
            lid_error: Decay::NONE,
            driven_lid_deg: None,
            resting_error: Decay::NONE,
            blinks: [BlinkRun::none(); 2],
            blink_model: None,
            has_own_blinks: false,
            dip_deg: 0.0,
            classifier: Box::new(Classifier::new(Thresholds::default())),
            tracker: tracking::TrackerState::default(),
        }
    }

    /// Starts idle behaviour at `at` (in seconds): glances, fixational movements and spontaneous blinks.
    pub fn start_idle_behaviour(&mut self, at: f64) {
        self.schedule(at, EventKind::StartIdle);
    }

    /// Schedules a look for the time `look.at`. A look with non-finite values or an unknown named target is ignored.
    pub fn look(&mut self, look: Look) {
        let is_known = !matches!(look.target, Target::Named(id) if id.0 >= self.targets.len());
        if look.is_finite() && is_known {
            self.schedule(look.at, EventKind::Look(look));
        }
    }

    /// Ends the current look at `at` and returns to idle gaze.
    pub fn end_look(&mut self, at: f64) {
        self.schedule(at, EventKind::EndLook);
    }

    /// Sets the attended target from `at` on: idle eyes rest on it between glances. The default is [`Target::Ahead`].
    /// [`Target::Away`] is ignored.
    pub fn attend(&mut self, at: f64, target: Target) {
        let is_known = !matches!(target, Target::Named(id) if id.0 >= self.targets.len());
        let is_a_place = target != Target::Away;
        if target.is_finite() && is_known && is_a_place {
            self.schedule(at, EventKind::Attend(target));
        }
    }

    /// Controls the gaze from `at` to `until` like that of a person in conversation: the eyes look away during the
    /// given aversions, and at the attended target otherwise. Replaces idle gaze and earlier conversation plans, but
    /// not a [look](Eyes::look). Aversions must be sorted by time.
    pub fn start_conversation_gaze(&mut self, at: f64, aversions: &[Aversion], until: f64) {
        self.idle_gaze.plan += 1;
        let plan = self.idle_gaze.plan;
        let mut free_from = at;
        for aversion in aversions.iter().filter(|aversion| aversion.to > at) {
            self.plan_glance(plan, free_from, DVec2::ZERO, aversion.from);
            self.plan_glance(
                plan,
                aversion.from,
                DVec2::new(aversion.yaw_deg, aversion.pitch_deg),
                aversion.to,
            );
            free_from = aversion.to;
        }
        self.plan_glance(plan, free_from, DVec2::ZERO, until);
    }

    /// Looks away from `at` to the end of the aversion, and then back at the attended target. Replaces earlier plans,
    /// like [`start_conversation_gaze`](Eyes::start_conversation_gaze).
    pub fn avert_gaze(&mut self, at: f64, aversion: &Aversion) {
        self.idle_gaze.plan += 1;
        let offset = DVec2::new(aversion.yaw_deg, aversion.pitch_deg);
        self.plan_glance(self.idle_gaze.plan, at, offset, aversion.to);
    }

    /// Cancels the planned conversation gaze at `at`: the eyes look back at the attended target and return to idle
    /// gaze.
    pub fn end_conversation_gaze(&mut self, at: f64) {
        self.idle_gaze.plan += 1;
        self.plan_glance(self.idle_gaze.plan, at, DVec2::ZERO, at);
    }

    fn plan_glance(&mut self, plan: u64, at: f64, offset: DVec2, until: f64) {
        if offset.is_finite() && until >= at {
            self.schedule(at, EventKind::Glance(PlannedGlance { plan, offset, until }));
        }
    }

    /// Schedules a blink for the time `blink.at`, independent of the blink strategy. A blink with a negative hold
    /// duration or a non-finite closure is ignored.
    pub fn blink(&mut self, blink: BlinkIntent) {
        let holds = blink.hold_secs.is_none_or(|secs| secs >= 0.0);
        if blink.magnitude.is_finite() && holds {
            self.schedule(blink.at, EventKind::Blink(blink));
        }
    }

    /// Suggests a good time to blink, such as a pause of a speaker: if a spontaneous blink is due within
    /// `within_secs` seconds after `at`, it happens at `at`. Has no effect if the blink strategy has no random
    /// spontaneous blinks.
    pub fn suggest_blink(&mut self, at: f64, within_secs: f64) {
        if within_secs > 0.0 {
            self.schedule(at, EventKind::SuggestBlink(within_secs));
        }
    }

    /// Opens eyes that are held closed by a blink, at the time `at`.
    pub fn open(&mut self, at: f64) {
        self.schedule(at, EventKind::Open);
    }

    /// Sets the activity from `at` on. The activity affects blink rate and idle gaze.
    pub fn set_activity(&mut self, at: f64, activity: Activity) {
        self.schedule(at, EventKind::SetActivity(activity));
    }

    /// Sets the temperament from `at` on. If the temperament needs a blink model and there is none, the standard
    /// model is loaded, which allocates.
    pub fn set_temperament(&mut self, at: f64, temperament: Temperament) {
        if temperament.blink_profile.is_learned() && self.blink_model.is_none() {
            self.blink_model = Some(Arc::new(BlinkModel::standard()));
        }
        self.schedule(at, EventKind::SetTemperament(temperament.sanitized()));
    }

    /// Sets the effect of a mood from `at` on: factors for the spontaneous blink rate (clamped to 0–4) and for the
    /// resting aperture (clamped to 0.5–1.3). NaN is ignored.
    pub fn set_mood_factors(&mut self, at: f64, blinks: f64, aperture: f64) {
        if !blinks.is_nan() && !aperture.is_nan() {
            let factors = MoodFactors { blinks: blinks.clamp(0.0, 4.0), aperture: aperture.clamp(0.5, 1.3) };
            self.schedule(at, EventKind::SetMoodFactors(factors));
        }
    }

    /// Sets the learned models. They take effect immediately. Allocates.
    pub fn set_models(&mut self, models: &EyeModels) {
        self.has_own_blinks = models.blinks.is_some();
        if self.has_own_blinks || !self.temperament.blink_profile.is_learned() {
            self.blink_model.clone_from(&models.blinks);
        }
        self.set_texture(models.texture.clone());
    }

    /// Returns the handle of the named target, for [`move_target`](Eyes::move_target) and [`Target::Named`]. Creates
    /// the target if it does not exist, which allocates.
    pub fn target(&mut self, name: &str) -> TargetId {
        let found = self.targets.iter().position(|track| track.name == name);
        let index = found.unwrap_or_else(|| {
            self.targets.push(Track::new(name));
            self.targets.len() - 1
        });
        TargetId(index)
    }

    /// Sets the position of a named target at the time `at`, in metres in the character's model space. The eyes
    /// follow a moving target by smooth pursuit.
    pub fn move_target(&mut self, at: f64, target: TargetId, place: [f64; 3]) {
        let place = DVec3::from_array(place);
        if place.is_finite() && target.0 < self.targets.len() {
            self.schedule(at, EventKind::Move { target, place });
        }
    }

    /// Adds a sample of an eye tracker. The eyes follow the samples relative to the head, with a latency of one sample.
    /// A [look](Eyes::look) takes precedence as long as it lasts. After a second without samples the eyes are idle
    /// again. If the tracker reports lids, the lids follow the tracker; otherwise blinks continue as usual.
    pub fn drive(&mut self, sample: EyeSample) {
        self.schedule(sample.secs, EventKind::Drive(sample));
    }

    /// Sets the thresholds for classifying tracker samples from `at` on.
    pub fn set_thresholds(&mut self, at: f64, thresholds: Thresholds) {
        self.schedule(at, EventKind::SetThresholds(thresholds));
    }

    /// Returns the plan of the last gaze shift, including its shortfall.
    #[must_use]
    pub fn plan(&self) -> &GazePlan {
        &self.plan
    }

    /// Returns the temperament.
    #[must_use]
    pub fn temperament(&self) -> &Temperament {
        &self.temperament
    }

    /// Returns the current activity.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.activity
    }

    /// Returns true if there was any request to these eyes.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.is_in_use
    }

    /// Returns the torso turn requested by the gaze at `t`.
    #[must_use]
    pub fn torso_turn(&self, t: f64) -> Direction {
        self.torso.position(t)
    }

    /// Returns true if the eyes are on the attended target or on their way to it; false during a glance away.
    #[must_use]
    pub fn is_attending(&self) -> bool {
        self.is_on_attended()
    }

    /// Processes all events up to `t` (in seconds) and returns the state of eyes, lids and head at `t`. `pose` must
    /// return the pose of torso, neck and head at the given time, with the torso turned by the given direction. If
    /// `t` is before the time of the last call, the time of the last call is used.
    pub fn advance_to(&mut self, t: f64, pose: impl Fn(f64, Direction) -> HeadPose) -> EyeFrame {
        let t = if t.is_finite() { fast_max(t, self.time) } else { self.time };
        while self.next_event() <= t {
            let at = self.next_event();
            self.process_event(at, &pose(at, self.torso_turn(at)));
        }
        self.set_time(t);
        self.frame_at(t, &pose(t, self.torso_turn(t)))
    }

    /// Sets the current time. Requests with an earlier time are processed at this time.
    pub(crate) fn set_time(&mut self, t: f64) {
        self.time = t;
    }

    /// Returns the time of the next event in seconds; infinite if there is none.
    pub(crate) fn next_event(&self) -> f64 {
        fast_min(self.events.next_at(), self.cues.next)
    }

    /// Processes one due event. If a request and an internal cue have the same time, the request comes first.
    pub(crate) fn process_event(&mut self, at: f64, pose: &HeadPose) {
        self.time = at;
        if let Some((_, event)) = self.events.pop_due(at) {
            self.handle_event(at, event, pose);
        } else if let Some(cue) = self.cues.take() {
            self.handle_cue(at, cue, pose);
        }
        self.hand_over_lids(at);
    }

    fn schedule(&mut self, at: f64, event: EventKind) {
        if at.is_nan() || at.abs() > Clock::MAX_TIME_SECS {
            return;
        }
        self.is_in_use = true;
        self.events.insert(at.max(self.time), event);
    }

    fn handle_event(&mut self, at: f64, event: EventKind, pose: &HeadPose) {
        if !self.cues.is_set(Cue::Recheck) {
            self.cues.set(Cue::Recheck, at + shift::RECHECK_SECS);
        }
        match event {
            EventKind::StartIdle => self.start_idle(at),
            EventKind::Look(look) => self.schedule_look(at, look),
            EventKind::EndLook => self.release(at, pose),
            EventKind::Attend(target) => self.attend_to(at, target),
            EventKind::Blink(blink) => {
                // Voluntary blinks stay closed slightly longer.
                let hold = Blink::VOLUNTARY_HOLD_SECS / self.temperament.lid_tempo;
                let hold_secs = Some(blink.hold_secs.unwrap_or(hold));
                self.start_blink(at, &BlinkIntent { hold_secs, ..blink }, pose);
            }
            EventKind::Open => self.open_eyes(at, pose),
            EventKind::SetActivity(activity) => self.apply_activity(at, activity),
            EventKind::SetTemperament(temperament) => self.apply_temperament(at, temperament, pose),
            EventKind::SetMoodFactors(factors) => self.apply_mood_factors(at, factors),
            EventKind::Move { target, place } => self.update_target(at, target, place, pose),
            EventKind::Drive(sample) => self.take_sample(at, &sample, pose),
            EventKind::SetThresholds(thresholds) => *self.classifier = Classifier::new(thresholds),
            EventKind::SetMood(mood) => self.apply_mood(at, mood),
            EventKind::KeepWithin { within, until } => self.keep(within, until),
            EventKind::Glance(planned) => self.make_planned_glance(at, planned, pose),
            EventKind::SuggestBlink(within_secs) => self.advance_next_blink(at, within_secs),
            EventKind::SetExternalControl(external) => self.apply_external_control(at, external, pose),
        }
    }

    fn handle_cue(&mut self, at: f64, cue: Cue, pose: &HeadPose) {
        match cue {
            Cue::Shift => self.start_look(at, pose),
            Cue::Head => self.move_head(at, pose),
            Cue::Torso => self.move_torso(at),
            Cue::Correct => self.correct(at),
            Cue::CatchUp => self.catch_up(at, pose),
            Cue::Stale => self.handle_stale_target(at, pose),
            Cue::Silence => self.handle_lost_tracker(at, pose),
            Cue::Release => self.release(at, pose),
            Cue::Wander => self.wander(at, pose),
            Cue::Texture => self.advance_texture(at, pose),
            Cue::Fixate => self.fixate(at),
            Cue::Evoked => self.make_evoked_blink(at, pose),
            Cue::Spontaneous => self.blink_spontaneously(at, pose),
            Cue::Double => self.blink_again(at, pose),
            Cue::Recheck => self.recheck(at, pose),
        }
    }
}
