//! The binary format of frames.
//!
//! All numbers are little-endian:
//!
//! | offset | type | content |
//! | --- | --- | --- |
//! | 0 | u8 | 1: a frame |
//! | 1 | u8 | version of the protocol |
//! | 2 | u16 | number of the performer |
//! | 4 | u16, u16 | number of bones, number of channels |
//! | 8 | f64 | time in seconds of the performance |
//! | 16 | 3 × f32 | position of the hips in metres |
//! | 28 | 14 × f32 | the [signals](SIGNALS) |
//! | 84 | 4 × f32 per bone | local rotations (x, y, z, w), in the order of `vivant::rig::Bone::ALL` |
//! | then | f32 per channel | weights of the avatar's expressions, in the order of its rig |

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Names of the signals of eyes, lids and head, in order: angles in degrees, apertures from 0 to 1. They are the
/// columns of `vivant trace` except for the time.
pub const SIGNALS: [&str; 14] = [
    "eye_left_yaw",
    "eye_left_pitch",
    "eye_right_yaw",
    "eye_right_pitch",
    "head_yaw",
    "head_pitch",
    "head_roll",
    "gaze_yaw",
    "gaze_pitch",
    "lid_left",
    "lid_right",
    "aperture_left",
    "aperture_right",
    "blink",
];

const KIND: u8 = 1;
const HEADER: usize = 84;

/// One frame of a performer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// Number of the performer.
    pub number: u16,
    /// Time in seconds of the performance.
    pub time: f64,
    /// Position of the hips in metres.
    pub root: [f32; 3],
    /// Signals of eyes, lids and head: see [`SIGNALS`].
    pub signals: [f32; 14],
    /// Local rotations of all 55 bones.
    pub rotations: Vec<[f32; 4]>,
    /// Weights of the avatar's expressions.
    pub weights: Vec<f32>,
}

impl Frame {
    /// Encodes the frame.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = 4 * (4 * self.rotations.len() + self.weights.len());
        let mut bytes = Vec::with_capacity(HEADER + numbers);
        bytes.extend([KIND, super::VERSION as u8]);
        let counts = [usize::from(self.number), self.rotations.len(), self.weights.len()];
        bytes.extend(counts.into_iter().flat_map(|count| (count as u16).to_le_bytes()));
        bytes.extend(self.time.to_le_bytes());
        let head = self.root.iter().chain(&self.signals);
        let rest = self.rotations.as_flattened().iter().chain(&self.weights);
        bytes.extend(head.chain(rest).flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Decodes a frame.
    ///
    /// # Errors
    /// If the bytes are not a frame of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let invalid = |what: &str| Error::new(format!("not a valid frame: {what}"));
        let [kind, version, ..] = *bytes else { return Err(invalid("no bytes")) };
        if kind != KIND || u32::from(version) != super::VERSION {
            return Err(invalid("unknown kind or version; update Vivant"));
        }
        let (head, rest) = bytes.split_at_checked(HEADER).ok_or_else(|| invalid("too few bytes"))?;
        let count = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let (bones, channels) = (count(4), count(6));
        if rest.len() != 4 * (4 * bones + channels) {
            return Err(invalid("the number of bytes does not match the counts"));
        }
        let floats = |bytes: &[u8]| -> Vec<f32> {
            bytes.as_chunks().0.iter().map(|four: &[u8; 4]| f32::from_le_bytes(*four)).collect()
        };
        let (front, numbers) = (floats(&head[16..]), floats(rest));
        let mut time = [0; 8];
        time.copy_from_slice(&head[8..16]);
        Ok(Self {
            number: count(2) as u16,
            time: f64::from_le_bytes(time),
            root: std::array::from_fn(|i| front[i]),
            signals: std::array::from_fn(|i| front[3 + i]),
            rotations: numbers[..4 * bones].as_chunks().0.to_vec(),
            weights: numbers[4 * bones..].to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frames_have_the_documented_layout() {
        let frame = Frame {
            number: 0x0102,
            time: 1.5,
            root: [0.0, 1.0, 0.0],
            rotations: vec![[0.0, 0.0, 0.0, 1.0]; 55],
            weights: vec![0.25; 3],
            ..Frame::default()
        };
        let bytes = frame.to_bytes();
        assert_eq!(bytes.len(), 84 + 55 * 16 + 12);
        assert_eq!(bytes[..8], [1, 1, 2, 1, 55, 0, 3, 0]);
        assert_eq!(bytes[8..16], 1.5_f64.to_le_bytes());
        assert_eq!(bytes[20..24], 1.0_f32.to_le_bytes());
        assert_eq!(bytes[84 + 12..84 + 16], 1.0_f32.to_le_bytes());
        assert_eq!(bytes[bytes.len() - 4..], 0.25_f32.to_le_bytes());
    }

    proptest! {
        #[test]
        fn frames_round_trip(
            number: u16, time in -1e9..1e9, signals: [i16; 14], bones in 0..60_usize,
            weights in prop::collection::vec(0.0_f32..1.0, 0..80),
        ) {
            let rotations = (0..bones).map(|i| [i as f32, 0.5, -1.0, 1.0]).collect();
            let signals = signals.map(f32::from);
            let frame = Frame { number, time, root: [1.0, 2.0, 3.0], signals, rotations, weights };
            let bytes = frame.to_bytes();
            prop_assert_eq!(&Frame::from_bytes(&bytes).unwrap(), &frame);
            for end in [0, 1, 83, bytes.len() - 1] {
                let cut = &bytes[..end.min(bytes.len() - 1)];
                prop_assert!(Frame::from_bytes(cut).is_err());
            }
        }
    }
}
