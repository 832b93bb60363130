//! Shows a mouth shape on an avatar: with fifteen visemes, ARKit blend shapes, the five VRM vowels or a jaw bone,
//! depending on the avatar.

use super::MouthShape;
use crate::math;
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Rig, VisemeSet};
use crate::speech::viseme::Viseme;
use glam::Quat;

/// Rotation of the jaw bone for the widest vowel in radians; typical of natural speech.
const JAW_RADIANS: f32 = 0.26;

/// Jaw opening for each viseme, in the order of Oculus (our choice, after the phonetic terms open, mid, close).
const JAW: [f32; Viseme::COUNT] =
    [0.0, 0.0, 0.05, 0.2, 0.15, 0.25, 0.1, 0.05, 0.15, 0.15, 1.0, 0.5, 0.3, 0.6, 0.25];

/// Mapping from visemes to the channels of an avatar.
#[derive(Clone, Debug)]
pub struct MouthRig {
    /// Viseme, channel and gain.
    gains: Vec<(usize, usize, f32)>,
    /// All mouth channels, without duplicates.
    channels: Vec<usize>,
    has_jaw: bool,
}

impl MouthRig {
    /// Creates the mapping for an avatar.
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

    /// Returns true if the avatar can show any mouth shape.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.has_jaw || !self.gains.is_empty()
    }

    /// Blends a mouth shape over the pose of a clip. The mouth shape of the clip is scaled by the weight of silence, so
    /// that it disappears while the mouth speaks.
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

    /// Writes the expression weights of a mouth shape alone, in the order of the avatar's channels.
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
