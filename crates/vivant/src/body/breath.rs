//! Breathing: the chest rises and falls under all other motion, and fills before a line is spoken.
//!
//! A body that holds still between two gestures looks like a statue. Each breath has a random duration and depth, and
//! sometimes it is a sigh. Speakers breathe in quickly and out slowly, and inhale before the first word. All changes
//! are events at exact times; between events the state is a function of time, and every event is continuous.
//!
//! ```
//! use vivant::body::breath::Breath;
//! let mut breath = Breath::new(7);
//! breath.speak(10.0, 3.0);
//! breath.advance_to(10.0);
//! assert!(breath.volume(10.0) > 1.2, "the lungs are full when the first word is said");
//! ```

use crate::agenda::Agenda;
use crate::body::drift::{Drift, is_valid_time, pitch_eight};
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use crate::math::fast_min;
use crate::pose::Rotations;
use crate::rig::{Bone, Rig};

/// Breathing parameters of an activity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breathing {
    /// Mean breaths per minute.
    pub per_minute: f64,
    /// Maximum deviation of the period from its mean, as a fraction of the mean.
    pub spread: f64,
    /// Fraction of a breath spent inhaling.
    pub inhaled_share: f64,
    /// Depth as a factor of the depth of a calm breath.
    pub depth: f64,
}

impl Breathing {
    /// Returns the parameters of an activity: 12 to 20 breaths per minute; inhaling takes 40 % of a breath at rest and
    /// 10 % in speech (textbook values of speech science). The exact rates and depths are our design: thinking slows
    /// breathing, reading speeds it up a little, and speech takes more air.
    #[must_use]
    pub const fn of(activity: Activity) -> Self {
        let (per_minute, spread, inhaled_share, depth) = match activity {
            Activity::Idle | Activity::Listening => (15.0, 0.16, 0.4, 1.0),
            Activity::Reading => (16.0, 0.16, 0.4, 0.95),
            Activity::Thinking => (14.0, 0.14, 0.4, 0.95),
            Activity::Speaking => (13.0, 0.3, 0.1, 1.5),
        };
        Self { per_minute, spread, inhaled_share, depth }
    }
}

/// Mean number of breaths per sigh: one sigh about every five minutes at rest (our design).
pub const BREATHS_PER_SIGH: f64 = 75.0;
/// Depth and duration of a sigh, as factors of a normal breath (our design).
const SIGH: [f64; 2] = [2.2, 1.5];
/// Maximum deviation of the depth from its mean, as a fraction of the mean (our design).
const DEPTH_SPREAD: f64 = 0.15;
/// Usual and minimum duration of inhaling before speech, in seconds (our design; a tenth of a breath, the share of
/// inhaling in speech, is 0.46 s).
const QUICK_SECS: [f64; 2] = [0.5, 0.25];
/// Maximum duration of a phrase that is spoken in one breath, and minimum duration of exhaling, in seconds (our
/// design).
const PHRASE_SECS: [f64; 2] = [6.0, 1.2];
/// Seconds before a breath for speech in which no other breath starts, because the breath for speech would cut it short
/// (our design).
const WAIT_SECS: f64 = 1.4;
/// Duration in seconds of a change of the visible depth.
const DEPTH_SECS: f64 = 1.5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum BreathEvent {
    Activity(Activity),
    Depth(f64),
    /// A breath that must be complete at `by`, for a line of `line_secs` seconds if known.
    Inhale {
        by: f64,
        line_secs: Option<f64>,
    },
    /// The current line ends.
    EndLine,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Inhaling. `out_secs` is the duration of the exhalation that follows, in seconds.
    In {
        out_secs: f64,
    },
    Out,
}

/// Breathing of one character.
#[derive(Clone, Debug)]
pub struct Breath {
    chance: Chance,
    breaths: u64,
    activity: Activity,
    speaks_until: f64,
    phase: Phase,
    lungs: Drift,
    depth: Drift,
    /// Requests that have not happened yet.
    events: Agenda<BreathEvent>,
    now: f64,
}

impl Breath {
    /// Creates the breathing of an idle character with empty lungs, starting at time 0.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let chance = Chance::new(seed, "breath");
        let first_secs = chance.event(0).between(0.0, 2.0);
        Self {
            chance,
            breaths: 0,
            activity: Activity::Idle,
            speaks_until: f64::NEG_INFINITY,
            phase: Phase::Out,
            lungs: Drift::at_rest(0.0).continue_to(0.0, 0.0, first_secs),
            depth: Drift::at_rest(1.0),
            events: Agenda::with_capacity(8),
            now: 0.0,
        }
    }

    /// Sets the activity from `at` on. Starting to speak triggers a breath, unless the character is inhaling, is
    /// speaking a line, or is about to inhale for one.
    pub fn set_activity(&mut self, at: f64, activity: Activity) {
        self.schedule(at, BreathEvent::Activity(activity));
    }

    /// Sets the visible depth of breathing from `at` on. `liveliness` is from 0 (not visible) to 1 (full depth).
    pub fn set_depth(&mut self, at: f64, liveliness: f64) {
        if !liveliness.is_nan() {
            self.schedule(at, BreathEvent::Depth(liveliness.clamp(0.0, 1.0)));
        }
    }

    /// Takes a quick breath at `at`, as before speaking.
    pub fn inhale(&mut self, at: f64) {
        self.schedule(at, BreathEvent::Inhale { by: at + QUICK_SECS[0], line_secs: None });
    }

    /// Breathes for a line of `secs` seconds that starts at `at`: if there is time, the breath is complete by `at`;
    /// otherwise the character inhales at once.
    ///
    /// The available time depends on the current time. Set the current time with [`advance_to`](Self::advance_to)
    /// first.
    pub fn speak(&mut self, at: f64, secs: f64) {
        if is_valid_time(at) && secs > 0.0 && is_valid_time(secs) {
            self.schedule(at - QUICK_SECS[0], BreathEvent::Inhale { by: at, line_secs: Some(secs) });
        }
    }

    /// Cancels breaths for lines that start at `at` or later, and ends the current line at `at`.
    pub fn cancel_lines(&mut self, at: f64) {
        if is_valid_time(at) {
            let is_said = |event: &BreathEvent| !matches!(event, BreathEvent::Inhale { by, line_secs: Some(_) } if *by >= at);
            self.events.retain(|_, event| is_said(event));
            self.schedule(at, BreathEvent::EndLine);
        }
    }

    /// Schedules a request; a request in the past happens now.
    fn schedule(&mut self, at: f64, event: BreathEvent) {
        if is_valid_time(at) {
            self.events.insert(at.max(self.now), event);
        }
    }

    /// Time of the next event in seconds.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        fast_min(self.lungs.ends(), self.events.next_at())
    }

    /// Processes all events up to `at`, each at its own time.
    pub fn advance_to(&mut self, at: f64) {
        if !is_valid_time(at) {
            return;
        }
        while self.next_event() <= at {
            let due = self.next_event();
            self.now = self.now.max(due);
            if let Some((_, event)) = self.events.pop_due(due) {
                self.handle(due, event);
            } else {
                self.next_phase(due);
            }
        }
        self.now = self.now.max(at);
    }

    fn handle(&mut self, at: f64, event: BreathEvent) {
        match event {
            BreathEvent::Activity(activity) => {
                let begins = activity == Activity::Speaking && self.activity != Activity::Speaking;
                self.activity = activity;
                if begins && !self.has_breath_to_speak(at) {
                    self.take_quick_breath(at, at + QUICK_SECS[0], None);
                }
            }
            BreathEvent::Depth(to) => self.depth = self.depth.continue_to(at, to, DEPTH_SECS),
            BreathEvent::Inhale { by, line_secs } => self.take_quick_breath(at, by, line_secs),
            BreathEvent::EndLine => self.speaks_until = self.speaks_until.min(at),
        }
    }

    /// Returns true if no additional breath is needed for speech: a breath is requested soon, a line is spoken, or
    /// the character is inhaling.
    fn has_breath_to_speak(&self, at: f64) -> bool {
        let soon = self.next_requested_breath().is_some_and(|next| next - at < WAIT_SECS);
        soon || at < self.speaks_until || matches!(self.phase, Phase::In { .. })
    }

    fn next_requested_breath(&self) -> Option<f64> {
        self.events.iter().find(|(_, event)| matches!(event, BreathEvent::Inhale { .. })).map(|(at, _)| at)
    }

    /// Starts a quick breath that is complete at `by`, or later if there is too little time.
    fn take_quick_breath(&mut self, at: f64, by: f64, line_secs: Option<f64>) {
        let usual = self.draw(Activity::Speaking);
        let [longest, shortest] = PHRASE_SECS;
        let out_secs = match line_secs {
            // Splits the line into phrases of equal length.
            Some(secs) => (secs / (secs / longest).ceil()).max(shortest),
            None => usual.out_secs,
        };
        // A longer phrase takes more air, up to the maximum for speech (our design).
        let depth = line_secs.map_or(usual.depth, |_| (1.1 + 0.12 * out_secs).min(1.8));
        self.speaks_until = line_secs.map_or(self.speaks_until, |secs| by + secs);
        self.take(at, &DrawnBreath { in_secs: (by - at).max(QUICK_SECS[1]), out_secs, depth });
    }

    /// Starts the next phase: exhaling after inhaling, and a new breath after exhaling.
    fn next_phase(&mut self, at: f64) {
        match self.phase {
            Phase::In { out_secs } => {
                self.lungs = self.lungs.continue_to(at, 0.0, out_secs);
                self.phase = Phase::Out;
            }
            Phase::Out => self.start_breath(at),
        }
    }

    fn start_breath(&mut self, at: f64) {
        if let Some(next) = self.next_requested_breath().filter(|next| next - at < WAIT_SECS) {
            self.lungs = self.lungs.continue_to(at, 0.0, next - at);
            return;
        }
        let activity = if at < self.speaks_until { Activity::Speaking } else { self.activity };
        let breath = self.draw(activity);
        self.take(at, &breath);
    }

    fn take(&mut self, at: f64, breath: &DrawnBreath) {
        self.lungs = self.lungs.continue_to(at, breath.depth, breath.in_secs);
        self.phase = Phase::In { out_secs: breath.out_secs };
    }

    /// Draws the next spontaneous breath. Uses three random numbers.
    fn draw(&mut self, activity: Activity) -> DrawnBreath {
        self.breaths += 1;
        let mut draw = self.chance.event(self.breaths);
        let breathing = Breathing::of(activity);
        let period_secs =
            60.0 / breathing.per_minute * draw.between(1.0 - breathing.spread, 1.0 + breathing.spread);
        let depth = breathing.depth * draw.between(1.0 - DEPTH_SPREAD, 1.0 + DEPTH_SPREAD);
        // Speakers do not sigh within a sentence.
        let sighs = draw.uniform() * BREATHS_PER_SIGH < 1.0 && activity != Activity::Speaking;
        let [deeper, longer] = if sighs { SIGH } else { [1.0; 2] };
        let in_secs = period_secs * longer * breathing.inhaled_share;
        DrawnBreath { in_secs, out_secs: period_secs * longer - in_secs, depth: depth * deeper }
    }

    /// Air in the lungs in units of a calm breath, scaled by the visible depth. Zero is fully exhaled.
    #[must_use]
    pub fn volume(&self, t: f64) -> f64 {
        self.lungs.position(t) * self.depth.position(t)
    }

    /// Advances to `t` and returns the air in the lungs: [`advance_to`](Self::advance_to) and [`volume`](Self::volume)
    /// in one call.
    pub fn advance(&mut self, t: f64) -> f64 {
        self.advance_to(t);
        self.volume(t)
    }

    /// Adds the rotations of breathing at `t` to a pose.
    pub fn add(&self, t: f64, rig: &BreathRig, rotations: &mut Rotations) {
        let volume = self.volume(t) as f32;
        // Ignores non-finite times.
        if volume.is_finite() {
            rig.turn(volume, rotations);
        }
    }
}

/// A breath with random durations and depth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DrawnBreath {
    in_secs: f64,
    out_secs: f64,
    depth: f64,
}

/// Rotations of an avatar's bones in a calm breath, as tangents of half angles.
///
/// The ribs rotate up, and the lumbar spine rotates forwards just enough to keep the base of the neck in place. So
/// the breastbone moves forwards and up, as in humans, and the head does not rock. Neck and head rotate back, the
/// upper arms keep hanging down, and the shoulders rise a little. The chest moves by 4–12 mm, a common
/// range in the literature (De Groote 1997 measured 3–5 mm up and forwards at rest). The rotation of the spine by
/// 0.5–1.5° and the distribution over the bones are our design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreathRig {
    /// Rotations about X, for the first eight bones.
    trunk: [f32; 8],
    /// Rotations of the shoulders about Z, left and right.
    shoulders: [f32; 2],
    /// Rotation of the upper arms about X.
    arms_pitch: f32,
    /// Rotations of the upper arms about Z, left and right.
    arms_roll: [f32; 2],
}

/// Rotation of the ribs in degrees: chest and upper chest.
const RIBS_DEG: [f32; 2] = [-1.3, -1.7];
/// Maximum rotation of the lumbar spine in degrees.
const LUMBAR_DEG: f32 = 1.5;
/// Rise of the shoulders in degrees.
const SHOULDERS_DEG: f32 = 0.9;
/// Share of the trunk's rotation that is not compensated at the head, because a head fixed in space looks unnatural
/// (our design).
const HEAD_REST: f32 = 0.1;
/// Share of the compensating rotation that the neck takes; the head takes the rest.
const NECK_SHARE: f32 = 0.6;

impl BreathRig {
    /// Computes the rotations for an avatar. Neighbouring bones take over the share of missing bones.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let has = |bone: Bone| rig.bones().contains(bone);
        let mut degrees = [0.0_f32; 8];
        for (bone, angle) in [(Bone::Chest, RIBS_DEG[0]), (Bone::UpperChest, RIBS_DEG[1])] {
            let there = [bone, Bone::Chest, Bone::UpperChest, Bone::Spine].into_iter().find(|b| has(*b));
            degrees[there.unwrap_or(bone).index()] += angle;
        }
        degrees[Bone::Spine.index()] += lumbar_deg(rig, &degrees);
        for bone in [Bone::Spine, Bone::Chest, Bone::UpperChest] {
            degrees[bone.index()] *= f32::from(u8::from(has(bone)));
        }
        let turned: f32 = degrees.iter().sum();
        let back = -turned * (1.0 - HEAD_REST);
        let neck = match [has(Bone::Neck), has(Bone::Head)] {
            [true, true] => NECK_SHARE,
            [true, false] => 1.0,
            _ => 0.0,
        };
        degrees[Bone::Neck.index()] = back * neck;
        degrees[Bone::Head.index()] = if has(Bone::Head) { back * (1.0 - neck) } else { 0.0 };
        let half = |degrees: f32| 0.5 * degrees.to_radians();
        let shoulders = [(Bone::LeftShoulder, SHOULDERS_DEG), (Bone::RightShoulder, -SHOULDERS_DEG)]
            .map(|(bone, angle)| if has(bone) { half(angle) } else { 0.0 });
        Self {
            trunk: degrees.map(half),
            shoulders,
            arms_pitch: half(-turned),
            arms_roll: shoulders.map(|roll| -roll),
        }
    }

    fn turn(&self, volume: f32, rotations: &mut Rotations) {
        pitch_eight(&self.trunk, volume, 0, rotations);
        for (side, shoulder, arm) in
            [(0, Bone::LeftShoulder, Bone::LeftUpperArm), (1, Bone::RightShoulder, Bone::RightUpperArm)]
        {
            turn_one(shoulder, [0.0, self.shoulders[side] * volume], rotations);
            turn_one(arm, [self.arms_pitch * volume, self.arms_roll[side] * volume], rotations);
        }
    }
}

/// Rotation of the lumbar spine in degrees, at most `LUMBAR_DEG`, that keeps the base of the neck in place.
fn lumbar_deg(rig: &Rig, degrees: &[f32; 8]) -> f32 {
    let above = |bone: Bone| rig.rest_position(Bone::Neck).y - rig.rest_position(bone).y;
    let back: f32 =
        [Bone::Chest, Bone::UpperChest].map(|bone| degrees[bone.index()] * above(bone)).into_iter().sum();
    let height = above(Bone::Spine);
    // Without ribs, or if the neck is below the spine, there is nothing to compensate.
    if height > 1e-3 { (-back / height).clamp(0.0, LUMBAR_DEG) } else { 0.0 }
}

/// Rotates a bone about X and Z, by tangents of half angles.
#[inline]
fn turn_one(bone: Bone, [a, c]: [f32; 2], rotations: &mut Rotations) {
    let i = bone.index();
    let w = 1.0 / (1.0 + a * a + c * c).sqrt();
    let (a, c) = (a * w, c * w);
    let [x, y, z, s] = [rotations.x[i], rotations.y[i], rotations.z[i], rotations.w[i]];
    rotations.x[i] = w * x + a * s - c * y;
    rotations.y[i] = w * y - a * z + c * x;
    rotations.z[i] = w * z + a * y + c * s;
    rotations.w[i] = w * s - a * x - c * z;
}

#[cfg(test)]
mod tests;
