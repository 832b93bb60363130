//! Expressions and bones that close an avatar's eyes, and the closure of each.
//!
//! Blink weights are not comparable between avatars: at weight 1 the lids of one avatar just meet, those of another
//! clip into the cheek, and a smile may already close half of the eye. The lid controller therefore reads the effect of
//! every channel from a [`LidMap`]. An importer that measured the geometry passes the map when it creates the rig. The
//! rig completes it: without a measurement for its channels, the closures come from the channel names, and moods count
//! as 0. `Rig::lid_map` returns the completed map.

use super::Channel;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Minimum of a measured full-closure weight; smaller values are treated as measuring errors.
const MIN_FULL_CLOSURE: f32 = 0.05;

/// Effect of an avatar's expressions on its lids.
///
/// A blink of weight 1 has different effects on different avatars. On some avatars the lids just meet. On others they
/// already meet at a lower weight and then move into the cheek, and on others they never meet. Moods close the eyes
/// too. The lid controller needs both effects; otherwise the lids of a smiling avatar would clip into its cheeks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LidMap {
    /// Weight of the blink expression at which the eye is fully covered, for the left and the right eye. 1 if the
    /// weight could not be measured or if the eye is never covered.
    pub full_closure: [f32; 2],
    /// Closure of the left and the right eye by each channel at weight 1, from −1 (opens wide) to 1 (covers), in
    /// the order of [`Rig::channels`](super::Rig::channels). 0 if unknown.
    pub closing: Vec<[f32; 2]>,
    /// True if measured from the avatar's geometry; false if derived from channel names.
    pub measured: bool,
}

impl Default for LidMap {
    fn default() -> Self {
        Self { full_closure: [1.0; 2], closing: Vec::new(), measured: false }
    }
}

/// A bone that carries a lid, on an avatar without blink expressions.
///
/// The channels `blinkLeft` and `blinkRight` of such a rig rotate these bones: at weight `w` by `w` times
/// [`turn`](LidBone::turn).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LidBone {
    /// Name of the bone in the file.
    pub name: String,
    /// 0 for the left eye, 1 for the right eye.
    pub eye: usize,
    /// Position in the T-pose, in metres in humanoid space.
    pub rest_position: Vec3,
    /// Rotation vector (axis times angle, radians) that closes the lid, in humanoid space with the head at rest.
    pub turn: Vec3,
}

impl LidMap {
    /// Completes the map for the channels of a rig: unmeasured entries are derived from names, non-finite values are
    /// replaced, and other values are clamped to their range.
    pub(super) fn completed(mut self, channels: &[Channel]) -> Self {
        if !self.measured || self.closing.len() != channels.len() {
            self.closing = channels.iter().map(|channel| closing_by_name(channel.name())).collect();
        }
        for amount in self.closing.iter_mut().flatten() {
            *amount = if amount.is_finite() { amount.clamp(-1.0, 1.0) } else { 0.0 };
        }
        for weight in &mut self.full_closure {
            *weight = if weight.is_finite() { weight.clamp(MIN_FULL_CLOSURE, 1.0) } else { 1.0 };
        }
        self
    }
}

/// Returns the usual effect of a channel with this name on the left and the right eye. The result is 0 for moods,
/// because a smile closes the eyes on some avatars but not on others.
fn closing_by_name(name: &str) -> [f32; 2] {
    // Our design: ARKit's reference face closes to about two thirds of its aperture when it squints, and opens by about
    // a fifth when it widens the eyes.
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
    fn unmeasured_channels_are_derived_from_names() {
        let map = map_of(&["happy", "blinkRight", "eyeSquintLeft", "own", "blink"], LidMap::default());
        assert_eq!(map.closing, [[0.0, 0.0], [0.0, 1.0], [0.3, 0.0], [0.0, 0.0], [1.0, 1.0]]);
        assert_eq!(map.full_closure, [1.0, 1.0]);
        assert!(!map.measured);
    }

    #[test]
    fn measurements_are_kept_and_non_finite_values_replaced() {
        let closing = vec![[0.8, f32::NAN], [7.0, -3.0]];
        let map =
            map_of(&["happy", "blink"], LidMap { full_closure: [0.7, f32::NAN], closing, measured: true });
        assert_eq!(map.closing, [[0.8, 0.0], [1.0, -1.0]]);
        assert_eq!(map.full_closure, [0.7, 1.0]);
    }

    #[test]
    fn a_measurement_of_other_channels_is_ignored() {
        let lids = LidMap { closing: vec![[0.5, 0.5]], measured: true, ..LidMap::default() };
        assert_eq!(map_of(&["blink", "happy"], lids).closing, [[1.0, 1.0], [0.0, 0.0]]);
    }
}
