//! Breathing: the chest rises and falls whatever the body does, and fills before a word is said.
//!
//! A body that holds still between two gestures is a statue. Each breath is drawn: how long it takes,
//! how deep it is, and now and then it is a sigh. Who speaks breathes in quickly and out slowly, and
//! does so before the first word. Everything that happens is an event at an exact time; between events
//! all is a function of the time, and no event changes anything at its own instant.
//!
//! ```
//! use vivant::body::breath::Breath;
//! let mut breath = Breath::new(7);
//! breath.speak(10.0, 3.0);
//! breath.advance_to(10.0);
//! assert!(breath.volume(10.0) > 1.2, "the lungs are full when the first word is said");
//! ```

use crate::agenda::Agenda;
use crate::body::drift::{Drift, is_time, pitch_eight};
use crate::chance::Chance;
use crate::eyes::blinking::Activity;
use crate::math::least;
use crate::pose::Rotations;
use crate::rig::{Bone, Rig};

/// How people breathe while they do something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breathing {
    /// Breaths a minute, in the mean.
    pub per_minute: f64,
    /// The longest and the shortest period differ from the mean by this share of it.
    pub spread: f64,
    /// The share of a breath in which it goes in.
    pub inhaled_share: f64,
    /// How deep it is, in calm breaths.
    pub depth: f64,
}

impl Breathing {
    /// 12 to 20 breaths a minute, in and out as 40 to 60 at rest and 10 to 90 in speech (FACTS, section
    /// 7). Which activity is where in that range, and how deep, is our design: who thinks breathes
    /// slowly, who reads a little faster, and speech takes more air.
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

/// One breath of these is a sigh: about every five minutes at rest (our design).
pub const BREATHS_A_SIGH: f64 = 75.0;
/// A sigh is so many times as deep, and takes so many times as long (our design).
const SIGH: [f64; 2] = [2.2, 1.5];
/// Depths differ by this share of their mean (our design).
const DEPTH_SPREAD: f64 = 0.15;
/// How long a breath before speech goes in, if there is time, and at least (our design: a tenth of a
/// breath of speech is 0.46 s).
const QUICK_SECS: [f64; 2] = [0.5, 0.25];
/// The longest phrase on one breath, and the shortest time to breathe out (our design).
const PHRASE_SECS: [f64; 2] = [6.0, 1.2];
/// A breath that would be cut short by one before speech is not begun this long before it (our design).
const WAIT_SECS: f64 = 1.4;
/// How long a change of liveliness takes.
const DEPTH_SECS: f64 = 1.5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum BreathEvent {
    Be(Activity),
    Depth(f64),
    /// A breath that is to be in at `by`; for a line of so many seconds, if it is known.
    Inhale {
        by: f64,
        line_secs: Option<f64>,
    },
    /// The line that is being said ends.
    Hush,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// In; and how long it will take out again.
    In {
        out_secs: f64,
    },
    Out,
}

/// The breath of one character.
#[derive(Clone, Debug)]
pub struct Breath {
    chance: Chance,
    breaths: u64,
    activity: Activity,
    speaks_until: f64,
    phase: Phase,
    lungs: Drift,
    depth: Drift,
    /// What was asked for and has not happened.
    asked: Agenda<BreathEvent>,
    now: f64,
}

impl Breath {
    /// Someone at rest, at time zero.
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
            lungs: Drift::at_rest(0.0).onward(0.0, 0.0, first_secs),
            depth: Drift::at_rest(1.0),
            asked: Agenda::with_capacity(8),
            now: 0.0,
        }
    }

    /// BreathEvents what the character is doing. Who begins to speak breathes in, unless that is done.
    pub fn be(&mut self, at: f64, activity: Activity) {
        self.ask(at, BreathEvent::Be(activity));
    }

    /// How much of it is seen: 0 is none, 1 all.
    pub fn set_depth(&mut self, at: f64, liveliness: f64) {
        if !liveliness.is_nan() {
            self.ask(at, BreathEvent::Depth(liveliness.clamp(0.0, 1.0)));
        }
    }

    /// A quick breath, as one takes to speak.
    pub fn inhale(&mut self, at: f64) {
        self.ask(at, BreathEvent::Inhale { by: at + QUICK_SECS[0], line_secs: None });
    }

    /// A line of so many seconds is said from `at` on: the breath for it is in by then if there is time,
    /// and taken at once if there is not.
    ///
    /// How much time there is depends on when that is; tell by [`advance_to`](Self::advance_to).
    pub fn speak(&mut self, at: f64, secs: f64) {
        if is_time(at) && secs > 0.0 && is_time(secs) {
            self.ask(at - QUICK_SECS[0], BreathEvent::Inhale { by: at, line_secs: Some(secs) });
        }
    }

    /// From then on nothing is said of what was to be said.
    pub fn hush(&mut self, at: f64) {
        if is_time(at) {
            let is_said = |event: &BreathEvent| !matches!(event, BreathEvent::Inhale { by, line_secs: Some(_) } if *by >= at);
            self.asked.retain(|_, event| is_said(event));
            self.ask(at, BreathEvent::Hush);
        }
    }

    /// What is late is asked for now.
    fn ask(&mut self, at: f64, event: BreathEvent) {
        if is_time(at) {
            self.asked.insert(at.max(self.now), event);
        }
    }

    /// Returns when something happens next, in seconds.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        least(self.lungs.ends(), self.asked.next_at())
    }

    /// Everything that is due by then, in order, each at its own time; then it is `at`.
    pub fn advance_to(&mut self, at: f64) {
        if !is_time(at) {
            return;
        }
        while self.next_event() <= at {
            let due = self.next_event();
            self.now = self.now.max(due);
            if let Some((_, event)) = self.asked.pop_due(due) {
                self.handle(due, event);
            } else {
                self.turn(due);
            }
        }
        self.now = self.now.max(at);
    }

    fn handle(&mut self, at: f64, event: BreathEvent) {
        match event {
            BreathEvent::Be(activity) => {
                let begins = activity == Activity::Speaking && self.activity != Activity::Speaking;
                self.activity = activity;
                if begins && !self.has_breath_to_speak(at) {
                    self.take_quick(at, at + QUICK_SECS[0], None);
                }
            }
            BreathEvent::Depth(to) => self.depth = self.depth.onward(at, to, DEPTH_SECS),
            BreathEvent::Inhale { by, line_secs } => self.take_quick(at, by, line_secs),
            BreathEvent::Hush => self.speaks_until = self.speaks_until.min(at),
        }
    }

    /// Whether a line is being said or about to be, or the air is just coming in.
    fn has_breath_to_speak(&self, at: f64) -> bool {
        let soon = self.asked_breath().is_some_and(|next| next - at < WAIT_SECS);
        soon || at < self.speaks_until || matches!(self.phase, Phase::In { .. })
    }

    fn asked_breath(&self) -> Option<f64> {
        self.asked.iter().find(|(_, event)| matches!(event, BreathEvent::Inhale { .. })).map(|(at, _)| at)
    }

    /// A breath in that is done `by` then.
    fn take_quick(&mut self, at: f64, by: f64, line_secs: Option<f64>) {
        let usual = self.draw(Activity::Speaking);
        let [longest, shortest] = PHRASE_SECS;
        let out_secs = match line_secs {
            // So many phrases of one length as it takes.
            Some(secs) => (secs / (secs / longest).ceil()).max(shortest),
            None => usual.out_secs,
        };
        // A longer phrase takes more air, up to what a breath of speech takes at most (our design).
        let depth = line_secs.map_or(usual.depth, |_| (1.1 + 0.12 * out_secs).min(1.8));
        self.speaks_until = line_secs.map_or(self.speaks_until, |secs| by + secs);
        self.take(at, &Drawn { in_secs: (by - at).max(QUICK_SECS[1]), out_secs, depth });
    }

    /// What comes after the last movement of the lungs.
    fn turn(&mut self, at: f64) {
        match self.phase {
            Phase::In { out_secs } => {
                self.lungs = self.lungs.onward(at, 0.0, out_secs);
                self.phase = Phase::Out;
            }
            Phase::Out => self.begin(at),
        }
    }

    fn begin(&mut self, at: f64) {
        if let Some(next) = self.asked_breath().filter(|next| next - at < WAIT_SECS) {
            self.lungs = self.lungs.onward(at, 0.0, next - at);
            return;
        }
        let activity = if at < self.speaks_until { Activity::Speaking } else { self.activity };
        let breath = self.draw(activity);
        self.take(at, &breath);
    }

    fn take(&mut self, at: f64, breath: &Drawn) {
        self.lungs = self.lungs.onward(at, breath.depth, breath.in_secs);
        self.phase = Phase::In { out_secs: breath.out_secs };
    }

    /// The next breath, if nobody asked for it. Three draws.
    fn draw(&mut self, activity: Activity) -> Drawn {
        self.breaths += 1;
        let mut draw = self.chance.event(self.breaths);
        let breathing = Breathing::of(activity);
        let period_secs =
            60.0 / breathing.per_minute * draw.between(1.0 - breathing.spread, 1.0 + breathing.spread);
        let depth = breathing.depth * draw.between(1.0 - DEPTH_SPREAD, 1.0 + DEPTH_SPREAD);
        // Nobody sighs in the middle of a sentence.
        let sighs = draw.uniform() * BREATHS_A_SIGH < 1.0 && activity != Activity::Speaking;
        let [deeper, longer] = if sighs { SIGH } else { [1.0; 2] };
        let in_secs = period_secs * longer * breathing.inhaled_share;
        Drawn { in_secs, out_secs: period_secs * longer - in_secs, depth: depth * deeper }
    }

    /// How full the lungs are, in units of a calm breath, as far as it is to be seen. Zero is breathed out.
    #[must_use]
    pub fn volume(&self, t: f64) -> f64 {
        self.lungs.position(t) * self.depth.position(t)
    }

    /// Breathes on and tells how full the lungs are: [`advance_to`](Self::advance_to) and
    /// [`volume`](Self::volume) in one.
    pub fn advance(&mut self, t: f64) -> f64 {
        self.advance_to(t);
        self.volume(t)
    }

    /// Turns the bones that breathing moves.
    pub fn add(&self, t: f64, rig: &BreathRig, rotations: &mut Rotations) {
        let volume = self.volume(t) as f32;
        // What is no number is no time.
        if volume.is_finite() {
            rig.turn(volume, rotations);
        }
    }
}

/// A breath as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    in_secs: f64,
    out_secs: f64,
    depth: f64,
}

/// What breathing does to an avatar: tangents of half angles for a calm breath.
///
/// The ribs turn up, and the lumbar spine gives way by as much as keeps the base of the neck where it
/// is; so the breastbone goes forwards and up, as it does in people, and the head does not rock. Neck
/// and head turn back, upper arms hang as they did, and the shoulders rise a little. Chest 4–12 mm,
/// spine 0.5–1.5° (FACTS, section 7); who does how much of it is our design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreathRig {
    /// About X, for the first eight bones.
    trunk: [f32; 8],
    /// The shoulders about Z, left and right.
    shoulders: [f32; 2],
    /// The upper arms about X, and about Z, left and right.
    arms_pitch: f32,
    arms_roll: [f32; 2],
}

/// How far the ribs turn up, in degrees: chest and upper chest.
const RIBS_DEG: [f32; 2] = [-1.3, -1.7];
/// How far the lumbar spine turns at most.
const LUMBAR_DEG: f32 = 1.5;
/// How far the shoulders rise.
const SHOULDERS_DEG: f32 = 0.9;
/// The part of the turn that is left to the head: a head that is nailed to space looks held (our design).
const HEAD_REST: f32 = 0.1;
/// The neck's part of turning the head back.
const NECK_SHARE: f32 = 0.6;

impl BreathRig {
    /// What it does to this avatar. Bones that it lacks are left out, and their neighbours do their part.
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

/// How far the lumbar spine turns so that the base of the neck stays where it is, as far as it can.
fn lumbar_deg(rig: &Rig, degrees: &[f32; 8]) -> f32 {
    let above = |bone: Bone| rig.rest_position(Bone::Neck).y - rig.rest_position(bone).y;
    let back: f32 =
        [Bone::Chest, Bone::UpperChest].map(|bone| degrees[bone.index()] * above(bone)).into_iter().sum();
    let height = above(Bone::Spine);
    // Without ribs, and on rigs that stand on their heads, there is nothing to make up for.
    if height > 1e-3 { (-back / height).clamp(0.0, LUMBAR_DEG) } else { 0.0 }
}

/// Turns a bone about X and Z, by tangents of half angles.
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
