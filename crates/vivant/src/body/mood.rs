//! Moods and their visible effects.
//!
//! A mood modifies the face, the posture, the blink rate and the eye aperture, the pauses between spontaneous actions,
//! and the speech rate. A mood adds to a pose and removes nothing. All numbers are in [`MoodEffects::of`]. The sources
//! of the numbers are in `docs/concepts/moods.md`.
//!
//! ```
//! use vivant::body::mood::{Feeling, Mood};
//! let sad = Mood::new(Feeling::Sad, 1.0);
//! assert!(sad.speech_rate() < 0.9 && sad.gap_factor() > 1.4);
//! assert_eq!(Mood::new(Feeling::Sad, 0.0).effects(), Mood::default().effects());
//! ```

use crate::body::drift::{Drift, is_valid_time, pitch_eight};
use crate::body::graph::names::is_same;
use crate::math::Magnitude as _;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Expression, Rig};
use glam::Quat;

/// Intensity if none is given.
pub const DEFAULT_INTENSITY: f64 = 0.6;

/// Duration of a change of mood in seconds (our design: moods change the face more slowly than reactions do).
pub const FADE_SECS: f64 = 0.8;

/// Kind of a mood: the five emotions of VRM, and neutral.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feeling {
    /// No mood.
    #[default]
    Neutral,
    /// Happy: more upright, with shorter pauses between actions.
    Happy,
    /// Angry: leans forwards, with fewer blinks and shorter pauses between actions.
    Angry,
    /// Sad: lowers the head, with longer pauses between actions and slower speech.
    Sad,
    /// Relaxed: lowers the shoulders, with longer pauses between actions.
    Relaxed,
    /// Surprised: opens the eyes wider, with fewer blinks.
    Surprised,
}

impl Feeling {
    /// All feelings.
    pub const ALL: [Self; 6] =
        [Self::Neutral, Self::Happy, Self::Angry, Self::Sad, Self::Relaxed, Self::Surprised];

    /// Name of the feeling, which is also the name of VRM's expression.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Happy => "happy",
            Self::Angry => "angry",
            Self::Sad => "sad",
            Self::Relaxed => "relaxed",
            Self::Surprised => "surprised",
        }
    }

    /// Returns the feeling with this name, ignoring case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feeling| is_same(feeling.name(), name))
    }
}

/// A feeling and its intensity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mood {
    feeling: Feeling,
    intensity: f64,
}

impl Mood {
    /// Creates a mood with an intensity from 0 to 1 (clamped); NaN gives the [default](DEFAULT_INTENSITY).
    #[must_use]
    pub fn new(feeling: Feeling, intensity: f64) -> Self {
        let intensity = if intensity.is_nan() { DEFAULT_INTENSITY } else { intensity.clamp(0.0, 1.0) };
        Self { feeling, intensity }
    }

    /// The feeling.
    #[must_use]
    pub const fn feeling(&self) -> Feeling {
        self.feeling
    }

    /// Intensity from 0 to 1.
    #[must_use]
    pub const fn intensity(&self) -> f64 {
        self.intensity
    }

    /// Returns the effects at this intensity.
    #[must_use]
    pub fn effects(&self) -> MoodEffects {
        MoodEffects::of(self.feeling).scaled(self.intensity)
    }

    /// Speech rate as a factor: 1 is normal, greater values are faster.
    #[must_use]
    pub fn speech_rate(&self) -> f64 {
        self.effects().speech_rate
    }

    /// Length of pauses between spontaneous actions as a factor: 1 is normal, greater values are longer.
    #[must_use]
    pub fn gap_factor(&self) -> f64 {
        self.effects().gaps
    }
}

/// Effects of a mood on face, posture, blinks and tempo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoodEffects {
    /// Weight of the mood's expression, from 0 to 1.
    pub face: f64,
    /// Rotation of spine, chest, neck and head in degrees; positive is forwards and down.
    pub trunk_deg: [f64; 4],
    /// Rise of the shoulders in degrees.
    pub shoulders_deg: f64,
    /// Factor for the spontaneous blink rate; 1 means no change.
    pub blinks: f64,
    /// Factor for the eye aperture at rest; 1 means no change.
    pub aperture: f64,
    /// Factor for the length of pauses between spontaneous actions; 1 means no change.
    pub gaps: f64,
    /// Factor for the speech rate; 1 means no change, greater values are faster.
    pub speech_rate: f64,
}

impl MoodEffects {
    /// No effect.
    pub const NONE: Self = Self::of(Feeling::Neutral);

    /// Returns the effects of a feeling at full intensity. See `docs/concepts/moods.md` for the source of each
    /// number.
    #[must_use]
    pub const fn of(feeling: Feeling) -> Self {
        let (face, trunk_deg, shoulders_deg) = match feeling {
            Feeling::Neutral => (0.0, [0.0; 4], 0.0),
            Feeling::Happy => (0.7, [-0.5, -1.5, -0.5, -2.0], 1.0),
            Feeling::Angry => (0.65, [1.0, 1.5, 1.0, 1.5], 2.5),
            Feeling::Sad => (0.75, [1.5, 4.0, 1.5, 4.0], -2.0),
            Feeling::Relaxed => (0.7, [0.5, 1.0, 0.0, 0.5], -2.0),
            Feeling::Surprised => (0.65, [-0.5, -1.5, -1.0, -2.0], 3.0),
        };
        let [blinks, aperture, gaps, speech_rate] = match feeling {
            Feeling::Neutral => [1.0; 4],
            Feeling::Happy => [1.1, 1.0, 0.75, 1.05],
            Feeling::Angry => [0.8, 0.95, 0.75, 1.08],
            Feeling::Sad => [0.9, 0.85, 1.7, 0.85],
            Feeling::Relaxed => [0.9, 0.92, 1.3, 0.95],
            Feeling::Surprised => [0.6, 1.12, 0.9, 1.05],
        };
        Self { face, trunk_deg, shoulders_deg, blinks, aperture, gaps, speech_rate }
    }

    /// Scales the effects: with a `share` of 0 they have no effect, with 1 they are unchanged.
    #[must_use]
    fn scaled(self, share: f64) -> Self {
        let factor = |full: f64| 1.0 + (full - 1.0) * share;
        Self {
            face: self.face * share,
            trunk_deg: self.trunk_deg.map(|degrees| degrees * share),
            shoulders_deg: self.shoulders_deg * share,
            blinks: factor(self.blinks),
            aperture: factor(self.aperture),
            gaps: factor(self.gaps),
            speech_rate: factor(self.speech_rate),
        }
    }
}

/// Fraction of the trunk's rotation by which the upper arms rotate back. A compromise (our design): with 1, hanging
/// arms would stay vertical; with 0, hands that rest on the body would stay in place.
const ARMS_HANG: f32 = 0.5;

/// Minimum level that is applied; lower levels are not visible.
const MIN_LEVEL: f64 = 1e-6;

/// Moods of one character. Each feeling fades in and out separately, so that both moods are mixed during a change.
#[derive(Clone, Debug)]
pub struct Moods {
    mood: Mood,
    /// Level of each feeling; the level of neutral has no effect.
    levels: [Drift; Feeling::ALL.len()],
    rig: MoodRig,
}

impl Moods {
    /// Creates a neutral mood.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let levels = [Drift::at_rest(0.0); Feeling::ALL.len()];
        Self { mood: Mood::default(), levels, rig: MoodRig::new(rig) }
    }

    /// Current mood; during a change, the new mood.
    #[must_use]
    pub const fn mood(&self) -> Mood {
        self.mood
    }

    /// Sets the mood from `at` on. `at` must not be before the previous change. Does not allocate.
    pub fn set(&mut self, at: f64, mood: Mood) {
        if !is_valid_time(at) || mood == self.mood {
            return;
        }
        self.mood = mood;
        for (feeling, level) in Feeling::ALL.into_iter().zip(&mut self.levels) {
            let to = if feeling == mood.feeling { mood.intensity } else { 0.0 };
            *level = level.continue_to(at, to, FADE_SECS);
        }
    }

    /// Level of a feeling at `t`, from 0 to 1.
    #[must_use]
    pub fn level(&self, feeling: Feeling, t: f64) -> f64 {
        if feeling == Feeling::Neutral { 0.0 } else { self.levels[feeling as usize].position(t) }
    }

    /// Adds the effects to a pose and its expressions. Does not allocate.
    pub fn add(&self, t: f64, rotations: &mut Rotations, weights: &mut [f32]) {
        if t.is_nan() {
            return;
        }
        let mut turn = [0.0_f32; 8];
        let mut shoulders = 0.0_f32;
        for feeling in Feeling::ALL {
            let level = self.level(feeling, t);
            // After an interrupted change a level may slightly overshoot zero.
            if level.abs() < MIN_LEVEL {
                continue;
            }
            let effects = MoodEffects::of(feeling);
            for (bone, degrees) in TRUNK.into_iter().zip(effects.trunk_deg) {
                turn[bone.index()] += (0.5 * (degrees * level).to_radians()) as f32;
            }
            shoulders += (0.5 * (effects.shoulders_deg * level).to_radians()) as f32;
            let weight = (effects.face * level).max(0.0) as f32;
            for (channel, gain) in &self.rig.faces[feeling as usize] {
                let shown = &mut weights[*channel];
                *shown += (1.0 - *shown).max(0.0) * (gain * weight).min(1.0);
            }
        }
        if turn != [0.0; 8] || shoulders != 0.0 {
            self.rig.apply_posture(turn, shoulders, rotations);
        }
    }
}

/// Bones of [`MoodEffects::trunk_deg`].
const TRUNK: [Bone; 4] = [Bone::Spine, Bone::Chest, Bone::Neck, Bone::Head];

/// Bones and expressions of an avatar that moods change.
#[derive(Clone, Debug)]
struct MoodRig {
    /// Channels of each feeling's expression, with gains; empty if the avatar cannot show the expression.
    faces: [Vec<(usize, f32)>; Feeling::ALL.len()],
    /// 1 for each of the first eight bones that the avatar has, otherwise 0.
    has: [f32; 8],
    has_shoulders: [f32; 2],
    has_arms: [f32; 2],
}

impl MoodRig {
    fn new(rig: &Rig) -> Self {
        let has = |bone: Bone| f32::from(u8::from(rig.bones().contains(bone)));
        let face = |feeling: Feeling| match Expression::from_name(feeling.name()) {
            Some(expression) if feeling != Feeling::Neutral => rig.show(&Channel::Known(expression)),
            _ => Vec::new(),
        };
        Self {
            faces: Feeling::ALL.map(face),
            has: std::array::from_fn(|i| has(Bone::ALL[i])),
            has_shoulders: [Bone::LeftShoulder, Bone::RightShoulder].map(has),
            has_arms: [Bone::LeftUpperArm, Bone::RightUpperArm].map(has),
        }
    }

    /// Rotates the trunk and lifts the shoulders, by tangents of half angles.
    fn apply_posture(&self, mut turn: [f32; 8], shoulders: f32, rotations: &mut Rotations) {
        for (turn, has) in turn.iter_mut().zip(self.has) {
            *turn *= has;
        }
        let trunk = turn[Bone::Spine.index()] + turn[Bone::Chest.index()];
        pitch_eight(&turn, 1.0, Bone::Hips.index(), rotations);
        let sides =
            [(Bone::LeftShoulder, Bone::LeftUpperArm, 1.0), (Bone::RightShoulder, Bone::RightUpperArm, -1.0)];
        for (i, (shoulder, arm, side)) in sides.into_iter().enumerate() {
            let lift = side * shoulders * self.has_shoulders[i];
            rotate_in_parent(shoulder, [0.0, lift], rotations);
            rotate_in_parent(
                arm,
                [-trunk * ARMS_HANG * self.has_arms[i], -lift * self.has_arms[i]],
                rotations,
            );
        }
    }
}

/// Rotates a bone about X and Z in its parent's space, by tangents of half angles.
fn rotate_in_parent(bone: Bone, [x, z]: [f32; 2], rotations: &mut Rotations) {
    let turn = Quat::from_xyzw(x, 0.0, z, 1.0).to_unit();
    rotations.set(bone, turn * rotations.get(bone));
}

#[cfg(test)]
mod tests;
