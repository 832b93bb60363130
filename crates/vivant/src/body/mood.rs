//! Moods: how a character feels, as far as it shows.
//!
//! A mood colours what the character does anyway: the face, how it holds itself, how often it blinks and how far the
//! eyes are open, how much it does unasked, and how fast it speaks. It adds to a pose and takes nothing away. All numbers
//! are in [`Tint::of`], and in `docs/moods.md` with where they come from.
//!
//! ```
//! use vivant::body::mood::{Feeling, Mood};
//! let sad = Mood::new(Feeling::Sad, 1.0);
//! assert!(sad.speech_rate() < 0.9 && sad.gap_factor() > 1.4);
//! assert_eq!(Mood::new(Feeling::Sad, 0.0).tint(), Mood::default().tint());
//! ```

use crate::body::drift::{Drift, is_time, pitch_eight};
use crate::body::graph::names::is_same;
use crate::math::Magnitude as _;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Expression, Rig};
use glam::Quat;

/// How much of a mood there is if nobody says.
pub const DEFAULT_INTENSITY: f64 = 0.6;

/// How long a mood takes to show, in seconds (ours: faces of moods come slower than those of answers).
pub const FADE_SECS: f64 = 0.8;

/// What somebody may feel: VRM's five moods, and none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feeling {
    /// Nothing that shows.
    #[default]
    Neutral,
    /// Glad.
    Happy,
    /// Cross.
    Angry,
    /// Sorrowful.
    Sad,
    /// At ease.
    Relaxed,
    /// Astonished.
    Surprised,
}

impl Feeling {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Neutral, Self::Happy, Self::Angry, Self::Sad, Self::Relaxed, Self::Surprised];

    /// Its name, which is also that of VRM's expression.
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

    /// The feeling with a name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feeling| is_same(feeling.name(), name))
    }
}

/// A feeling, and how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mood {
    feeling: Feeling,
    intensity: f64,
}

impl Mood {
    /// A feeling of an intensity from 0 to 1; what is no number is the [default](DEFAULT_INTENSITY).
    #[must_use]
    pub fn new(feeling: Feeling, intensity: f64) -> Self {
        let intensity = if intensity.is_nan() { DEFAULT_INTENSITY } else { intensity.clamp(0.0, 1.0) };
        Self { feeling, intensity }
    }

    /// What is felt.
    #[must_use]
    pub const fn feeling(&self) -> Feeling {
        self.feeling
    }

    /// How much of it, from 0 to 1.
    #[must_use]
    pub const fn intensity(&self) -> f64 {
        self.intensity
    }

    /// What it does, with this intensity.
    #[must_use]
    pub fn tint(&self) -> Tint {
        Tint::of(self.feeling).share(self.intensity)
    }

    /// How fast it speaks: 1 as usual, more is faster.
    #[must_use]
    pub fn speech_rate(&self) -> f64 {
        self.tint().speech_rate
    }

    /// How long it rests between what it does unasked: 1 as usual, more is longer.
    #[must_use]
    pub fn gap_factor(&self) -> f64 {
        self.tint().gaps
    }
}

/// What a mood does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// The weight of the mood's expression.
    pub face: f64,
    /// How far spine, chest, neck and head turn forwards and down, in degrees.
    pub trunk_deg: [f64; 4],
    /// How far the shoulders rise, in degrees.
    pub shoulders_deg: f64,
    /// How often it blinks by itself, as a factor.
    pub blinks: f64,
    /// How far the eyes are open at rest, as a factor.
    pub aperture: f64,
    /// How long it rests between what it does unasked, as a factor.
    pub gaps: f64,
    /// How fast it speaks, as a factor.
    pub speech_rate: f64,
}

impl Tint {
    /// Nothing.
    pub const NONE: Self = Self::of(Feeling::Neutral);

    /// Of a feeling at its full intensity. See `docs/moods.md` for where each number comes from.
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

    /// A share of it.
    #[must_use]
    fn share(self, share: f64) -> Self {
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

/// Upper arms turn back by this share of what the trunk turns: they hang, but hands that rest on the body stay there
/// (ours).
const ARMS_HANG: f32 = 0.5;

/// Below this nothing is seen of a feeling.
const UNSEEN: f64 = 1e-6;

/// The moods of one character: each feeling comes and goes by itself, so that any change is a mixture on the way.
#[derive(Clone, Debug)]
pub struct Moods {
    mood: Mood,
    /// How much there is of each feeling; nothing is felt of none.
    levels: [Drift; Feeling::ALL.len()],
    rig: MoodRig,
}

impl Moods {
    /// No mood at all.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let levels = [Drift::at_rest(0.0); Feeling::ALL.len()];
        Self { mood: Mood::default(), levels, rig: MoodRig::new(rig) }
    }

    /// The mood that it is in, or comes into.
    #[must_use]
    pub const fn mood(&self) -> Mood {
        self.mood
    }

    /// Feels so from a time on, which is not before the last one. Does not allocate.
    pub fn be(&mut self, at: f64, mood: Mood) {
        if !is_time(at) || mood == self.mood {
            return;
        }
        self.mood = mood;
        for (feeling, level) in Feeling::ALL.into_iter().zip(&mut self.levels) {
            let to = if feeling == mood.feeling { mood.intensity } else { 0.0 };
            *level = level.onward(at, to, FADE_SECS);
        }
    }

    /// How much there is of a feeling at a time, from 0 to 1.
    #[must_use]
    pub fn level(&self, feeling: Feeling, t: f64) -> f64 {
        if feeling == Feeling::Neutral { 0.0 } else { self.levels[feeling as usize].position(t) }
    }

    /// Adds it to a pose and its expressions. Does not allocate.
    pub fn add(&self, t: f64, rotations: &mut Rotations, weights: &mut [f32]) {
        if t.is_nan() {
            return;
        }
        let mut turn = [0.0_f32; 8];
        let mut shoulders = 0.0_f32;
        for feeling in Feeling::ALL {
            let level = self.level(feeling, t);
            // A change of mind may swing past nothing by a trace.
            if level.abs() < UNSEEN {
                continue;
            }
            let tint = Tint::of(feeling);
            for (bone, degrees) in TRUNK.into_iter().zip(tint.trunk_deg) {
                turn[bone.index()] += (0.5 * (degrees * level).to_radians()) as f32;
            }
            shoulders += (0.5 * (tint.shoulders_deg * level).to_radians()) as f32;
            let weight = (tint.face * level).max(0.0) as f32;
            for (channel, gain) in &self.rig.faces[feeling as usize] {
                let shown = &mut weights[*channel];
                *shown += (1.0 - *shown).max(0.0) * (gain * weight).min(1.0);
            }
        }
        if turn != [0.0; 8] || shoulders != 0.0 {
            self.rig.hold(turn, shoulders, rotations);
        }
    }
}

/// The bones of [`Tint::trunk_deg`].
const TRUNK: [Bone; 4] = [Bone::Spine, Bone::Chest, Bone::Neck, Bone::Head];

/// What an avatar can show of moods.
#[derive(Clone, Debug)]
struct MoodRig {
    /// The channels of each feeling's expression, with gains; empty if the avatar has none.
    faces: [Vec<(usize, f32)>; Feeling::ALL.len()],
    /// 1 for each of the first eight bones that the avatar has.
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

    /// Turns the trunk and lifts the shoulders, by tangents of half angles.
    fn hold(&self, mut turn: [f32; 8], shoulders: f32, rotations: &mut Rotations) {
        for (turn, has) in turn.iter_mut().zip(self.has) {
            *turn *= has;
        }
        let trunk = turn[Bone::Spine.index()] + turn[Bone::Chest.index()];
        pitch_eight(&turn, 1.0, Bone::Hips.index(), rotations);
        let sides =
            [(Bone::LeftShoulder, Bone::LeftUpperArm, 1.0), (Bone::RightShoulder, Bone::RightUpperArm, -1.0)];
        for (i, (shoulder, arm, side)) in sides.into_iter().enumerate() {
            let lift = side * shoulders * self.has_shoulders[i];
            before(shoulder, [0.0, lift], rotations);
            before(arm, [-trunk * ARMS_HANG * self.has_arms[i], -lift * self.has_arms[i]], rotations);
        }
    }
}

/// Turns a bone about X and Z in its parent's frame, by tangents of half angles.
fn before(bone: Bone, [x, z]: [f32; 2], rotations: &mut Rotations) {
    let turn = Quat::from_xyzw(x, 0.0, z, 1.0).to_unit();
    rotations.set(bone, turn * rotations.get(bone));
}

#[cfg(test)]
mod tests;
