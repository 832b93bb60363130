//! How an avatar shows a mouth: by fifteen visemes, by ARKit's muscles, by VRM's five vowels or by a jaw, as it can.

use super::MouthShape;
use crate::math;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Rig, VisemeSet};
use crate::speech::viseme::Viseme;
use glam::Quat;

/// How far a jaw bone opens for the widest vowel, in radians: about as far as people open theirs in speech.
const JAW_RADIANS: f32 = 0.26;

/// How low the jaw is for each viseme, in Oculus's order (our design, after what vowels are called: open, mid, close).
const JAW: [f32; Viseme::COUNT] =
    [0.0, 0.0, 0.05, 0.2, 0.15, 0.25, 0.1, 0.05, 0.15, 0.15, 1.0, 0.5, 0.3, 0.6, 0.25];

/// What an avatar does for each viseme.
#[derive(Clone, Debug)]
pub struct MouthRig {
    /// Viseme, channel, gain.
    gains: Vec<(usize, usize, f32)>,
    /// All channels that a mouth has, each once.
    channels: Vec<usize>,
    has_jaw: bool,
}

impl MouthRig {
    /// How this avatar shows a mouth.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let shown = |viseme: Viseme| rig.show(&Channel::Known(viseme.expression()));
        let gains: Vec<_> = Viseme::ALL
            .into_iter()
            .flat_map(|viseme| {
                shown(viseme).into_iter().map(move |(channel, gain)| (viseme as usize, channel, gain))
            })
            .collect();
        let mut channels: Vec<usize> = gains.iter().map(|(_, channel, _)| *channel).collect();
        channels.sort_unstable();
        channels.dedup();
        Self { gains, channels, has_jaw: rig.abilities().visemes == VisemeSet::JawBone }
    }

    /// Whether the avatar can show any of it.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.has_jaw || !self.gains.is_empty()
    }

    /// Puts a mouth over what a clip does to it: the more is said, the less is left of that.
    pub(crate) fn show(&self, shape: &MouthShape, rotations: &mut Rotations, weights: &mut [f32]) {
        let rest = shape.weight(Viseme::Sil);
        for channel in &self.channels {
            weights[*channel] *= rest;
        }
        self.add(shape, weights);
        if self.has_jaw {
            self.open_jaw(shape, rest, rotations);
        }
    }

    /// What the avatar's expressions weigh for a mouth alone, in the order of its channels.
    pub fn weigh(&self, shape: &MouthShape, weights: &mut [f32]) {
        weights.fill(0.0);
        self.add(shape, weights);
    }

    fn add(&self, shape: &MouthShape, weights: &mut [f32]) {
        for (viseme, channel, gain) in &self.gains {
            weights[*channel] += gain * shape.0[*viseme];
        }
        for channel in &self.channels {
            weights[*channel] = weights[*channel].clamp(0.0, 1.0);
        }
    }

    fn open_jaw(&self, shape: &MouthShape, rest: f32, rotations: &mut Rotations) {
        let open: f32 = shape.0.iter().zip(JAW).map(|(weight, low)| weight * low).sum();
        let half = 0.5 * JAW_RADIANS * open;
        let clip = Quat::IDENTITY.lerp(rotations.get(Bone::Jaw), rest);
        rotations.set(Bone::Jaw, clip * Quat::from_xyzw(math::sin32(half), 0.0, 0.0, math::cos32(half)));
    }
}
