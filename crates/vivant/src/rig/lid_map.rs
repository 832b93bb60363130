//! What closes an avatar's eyes, and how far.

use super::Channel;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A blink that covers the eye at less than this weight was measured wrong.
const LEAST_FULL_CLOSURE: f32 = 0.05;

/// What an avatar's expressions do to its lids.
///
/// Avatars disagree about what a blink of weight 1 is: some lids just meet there, some met long
/// before and go on into the cheek, some never do. And moods close eyes too. Who owns the lids must
/// know both, or a smiling avatar blinks through its own face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LidMap {
    /// The weight of the blink expression at which the eye is covered; left, right. 1 where it could
    /// not be measured, or where the eye is never covered.
    pub full_closure: [f32; 2],
    /// How much each channel at weight 1 closes the left and the right eye, from -1 (opens wide) to
    /// 1 (covers), in the order of [`Rig::channels`](super::Rig::channels). 0 where it is unknown.
    pub closing: Vec<[f32; 2]>,
    /// Whether it was measured from the avatar's geometry, and not told from names alone.
    pub measured: bool,
}

impl Default for LidMap {
    fn default() -> Self {
        Self { full_closure: [1.0; 2], closing: Vec::new(), measured: false }
    }
}

/// A bone that carries a lid, on an avatar that has no expression for it.
///
/// The channels `blinkLeft` and `blinkRight` of such a rig turn these: at weight `w` by `w` times the
/// [turn](LidBone::turn).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LidBone {
    /// As the file names it.
    pub name: String,
    /// 0 for the left eye, 1 for the right one.
    pub eye: usize,
    /// Its place in the T-pose, in metres in humanoid space.
    pub rest_position: Vec3,
    /// The rotation vector (axis times angle, radians) that closes the lid, in humanoid space with the
    /// head at rest.
    pub turn: Vec3,
}

impl LidMap {
    /// Filled up for the channels of a rig: what was not measured is told from names, and what is no
    /// number or out of range is put right.
    pub(super) fn completed(mut self, channels: &[Channel]) -> Self {
        if !self.measured || self.closing.len() != channels.len() {
            self.closing = channels.iter().map(|channel| closing_by_name(channel.name())).collect();
        }
        for amount in self.closing.iter_mut().flatten() {
            *amount = if amount.is_finite() { amount.clamp(-1.0, 1.0) } else { 0.0 };
        }
        for weight in &mut self.full_closure {
            *weight = if weight.is_finite() { weight.clamp(LEAST_FULL_CLOSURE, 1.0) } else { 1.0 };
        }
        self
    }
}

/// What a channel of this name does to the left and the right eye on most avatars. Moods are left at
/// nothing: on one avatar a smile shuts the eyes, on the next it leaves them alone.
fn closing_by_name(name: &str) -> [f32; 2] {
    // Our design: ARKit's reference face squints to about two thirds and widens by about a fifth.
    const SQUINT: f32 = 0.3;
    const WIDE: f32 = -0.2;
    match name {
        "blink" => [1.0, 1.0],
        "blinkLeft" | "eyeBlinkLeft" => [1.0, 0.0],
        "blinkRight" | "eyeBlinkRight" => [0.0, 1.0],
        "eyeSquintLeft" => [SQUINT, 0.0],
        "eyeSquintRight" => [0.0, SQUINT],
        "eyeWideLeft" => [WIDE, 0.0],
        "eyeWideRight" => [0.0, WIDE],
        _ => [0.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Rig, RigParts};

    fn map_of(channels: &[&str], lids: LidMap) -> LidMap {
        let channels = channels.iter().map(|c| Channel::from((*c).to_owned())).collect();
        Rig::new(RigParts { channels, lids, ..RigParts::default() }).lid_map().clone()
    }

    #[test]
    fn names_tell_what_was_not_measured() {
        let map = map_of(&["happy", "blinkRight", "eyeSquintLeft", "own", "blink"], LidMap::default());
        assert_eq!(map.closing, [[0.0, 0.0], [0.0, 1.0], [0.3, 0.0], [0.0, 0.0], [1.0, 1.0]]);
        assert_eq!(map.full_closure, [1.0, 1.0]);
        assert!(!map.measured);
    }

    #[test]
    fn what_was_measured_stays_and_what_is_no_number_goes() {
        let closing = vec![[0.8, f32::NAN], [7.0, -3.0]];
        let map =
            map_of(&["happy", "blink"], LidMap { full_closure: [0.7, f32::NAN], closing, measured: true });
        assert_eq!(map.closing, [[0.8, 0.0], [1.0, -1.0]]);
        assert_eq!(map.full_closure, [0.7, 1.0]);
    }

    #[test]
    fn a_measurement_of_other_channels_is_not_believed() {
        let lids = LidMap { closing: vec![[0.5, 0.5]], measured: true, ..LidMap::default() };
        assert_eq!(map_of(&["blink", "happy"], lids).closing, [[1.0, 1.0], [0.0, 0.0]]);
    }
}
