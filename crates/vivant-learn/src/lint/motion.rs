//! Extracts gaze, lids and head from the motion of an avatar.
//!
//! The gaze comes from the eye bones, or from expressions if the expressions move the eyes more. The lid aperture
//! comes from expressions. The head direction is the product of all bones from the hips to the head.

use super::check::length;
use crate::recording::{Aperture, Gaze, Recording, Unit, unwrap_yaw};
use glam::{Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::atan2;
use vivant::rig::{Bone, BoneSet, Channel};
use vivant_io::vmc::Received;
use vivant_io::{Error, Result, limits};

/// Eye rotation in degrees at full weight of a look expression, the usual value of ARKit and VRM.
const LOOK_DEG: f64 = 30.0;

/// Expressions that close the left and the right eye.
const CLOSING: [[&str; 3]; 2] =
    [["blinkLeft", "eyeBlinkLeft", "blink"], ["blinkRight", "eyeBlinkRight", "blink"]];
/// Expressions that turn each eye left, right, up and down, with their VRM and ARKit names.
const TURNING: [[[&str; 2]; 4]; 2] = [
    [
        ["lookLeft", "eyeLookOutLeft"],
        ["lookRight", "eyeLookInLeft"],
        ["lookUp", "eyeLookUpLeft"],
        ["lookDown", "eyeLookDownLeft"],
    ],
    [
        ["lookLeft", "eyeLookInRight"],
        ["lookRight", "eyeLookOutRight"],
        ["lookUp", "eyeLookUpRight"],
        ["lookDown", "eyeLookDownRight"],
    ],
];
/// Bones from the hips to the head.
const SPINE: [Bone; 6] = [Bone::Hips, Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck, Bone::Head];

/// One frame of a motion.
struct MotionFrame<'a> {
    bones: BoneSet,
    rotation: &'a dyn Fn(Bone) -> Quat,
    weight: &'a dyn Fn(&str) -> Option<f32>,
}

/// Gaze, lids and head, frame by frame.
#[derive(Default)]
struct EyeMotion {
    /// Directions of the left and the right eye, first from bones and then from expressions.
    eyes: [[Gaze; 2]; 2],
    open: [Vec<f64>; 2],
    head: Gaze,
    /// 1 if the frame says that the partner is looked at, 0 if not, NaN if unknown.
    looks: Vec<f64>,
}

/// Extracts a recording from a clip.
///
/// # Errors
/// Returns an error if the clip moves neither eyes nor lids.
pub fn from_clip(clip: &Clip) -> Result<Recording> {
    let mut seen = EyeMotion::default();
    let column = |name: &str| clip.channels().iter().position(|channel| channel.name() == name);
    for frame in 0..clip.frames() {
        let rotation = |bone: Bone| clip.rotation(frame, bone);
        let weight = |name: &str| column(name).map(|column| clip.weights(frame)[column]);
        seen.push(&MotionFrame { bones: clip.bones(), rotation: &rotation, weight: &weight });
    }
    let times = (0..clip.frames()).map(|frame| frame as f64 / clip.rate()).collect();
    seen.recording(clip.name(), times)
}

/// Extracts a recording from received frames, for example of a JSON Lines file.
///
/// # Errors
/// Returns an error if the frames move neither eyes nor lids, or if there are too few.
pub fn from_frames(name: &str, frames: &[Received]) -> Result<Recording> {
    let mut seen = EyeMotion::default();
    // Values that a frame leaves out keep their last value.
    let (mut bones, mut pose) = (BoneSet::EMPTY, vivant::pose::Rotations::default());
    let mut weights: Vec<(Channel, f32)> = Vec::new();
    for frame in frames {
        for bone in frame.bones.iter() {
            bones.insert(bone);
            pose.set(bone, frame.pose.rotations.get(bone));
        }
        for (channel, weight) in &frame.weights {
            match weights.iter_mut().find(|(known, _)| known == channel) {
                Some((_, known)) => *known = *weight,
                None => weights.push((channel.clone(), *weight)),
            }
        }
        let rotation = |bone: Bone| pose.get(bone);
        let weight =
            |name: &str| weights.iter().find(|(known, _)| known.name() == name).map(|(_, weight)| *weight);
        seen.push(&MotionFrame { bones, rotation: &rotation, weight: &weight });
        seen.looks.push(frame.looks.map_or(f64::NAN, |looks| f64::from(u8::from(looks))));
    }
    seen.recording(name, frames.iter().map(|frame| frame.secs).collect())
}

impl EyeMotion {
    fn push(&mut self, motion: &MotionFrame<'_>) {
        let eyes = [(Bone::LeftEye, &TURNING[0], &CLOSING[0]), (Bone::RightEye, &TURNING[1], &CLOSING[1])];
        for (side, (bone, turning, closing)) in eyes.into_iter().enumerate() {
            for (way, (yaw, pitch)) in
                [motion.by_bone(bone), motion.by_weights(turning)].into_iter().enumerate()
            {
                self.eyes[way][side].yaw_deg.push(yaw);
                self.eyes[way][side].pitch_deg.push(pitch);
            }
            let closed = closing.iter().filter_map(|name| (motion.weight)(name)).fold(f32::NAN, f32::max);
            self.open[side].push(1.0 - f64::from(closed));
        }
        let turn = SPINE.into_iter().filter(|bone| motion.bones.contains(*bone));
        let (yaw, pitch) =
            direction(turn.fold(Quat::IDENTITY, |above, bone| above * (motion.rotation)(bone)));
        self.head.yaw_deg.push(yaw);
        self.head.pitch_deg.push(pitch);
    }

    fn recording(self, name: &str, times: Vec<f64>) -> Result<Recording> {
        let is_known = |values: &[f64]| values.iter().any(|value| value.is_finite());
        // ARKit files have the gaze twice. Bones are ignored if expressions move the eyes at least four times as far.
        let [by_bone, by_weights] = self.eyes;
        let is_present = |eyes: &[Gaze; 2]| eyes.iter().all(|eye| is_known(&eye.yaw_deg));
        let is_still = 4.0 * reach_deg(&by_bone[0]) <= reach_deg(&by_weights[0]);
        let eyes =
            if is_present(&by_weights) && (is_still || !is_present(&by_bone)) { by_weights } else { by_bone };
        let has_eyes = is_present(&eyes);
        let aperture = self.open.iter().all(|side| is_known(side)).then(|| {
            let [left, right] = self.open;
            Aperture { unit: Some(Unit::Share), left, right }
        });
        if !has_eyes && aperture.is_none() {
            return Err(Error::new(
                "the motion has neither eyes nor lids; give a motion with the bones leftEye and rightEye, or with expressions \
                 such as blink or eyeBlinkLeft",
            )
            .in_file(name));
        }
        let gaze = has_eyes.then(|| mean(&eyes));
        let mut recording = Recording::from_samples(name, times, aperture, gaze)?;
        recording.device = super::trace::MOTION_DEVICE.into();
        recording.eyes = has_eyes.then_some(eyes);
        recording.looks = is_known(&self.looks).then_some(self.looks);
        recording.head = is_known(&self.head.yaw_deg).then(|| unwrap_yaw(self.head));
        Ok(recording)
    }
}

impl MotionFrame<'_> {
    /// Returns the yaw (left) and pitch (up) of an eye bone in the head in degrees; NaN if there is no such bone.
    fn by_bone(&self, bone: Bone) -> (f64, f64) {
        if self.bones.contains(bone) { direction((self.rotation)(bone)) } else { (f64::NAN, f64::NAN) }
    }

    /// Returns the yaw (left) and pitch (up) of an eye in degrees from expressions.
    fn by_weights(&self, turning: &[[&str; 2]; 4]) -> (f64, f64) {
        let weight = |names: &[&str; 2]| {
            names.iter().filter_map(|name| (self.weight)(name)).map(f64::from).reduce(f64::max)
        };
        match turning.each_ref().map(weight) {
            [Some(left), Some(right), Some(up), Some(down)] => {
                (LOOK_DEG * (left - right), LOOK_DEG * (up - down))
            }
            _ => (f64::NAN, f64::NAN),
        }
    }
}

/// Returns the angle between the extreme directions of an eye.
fn reach_deg(eye: &Gaze) -> f64 {
    let reach = |values: &[f64]| {
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        high - values.iter().copied().fold(f64::INFINITY, f64::min)
    };
    length(reach(&eye.yaw_deg), reach(&eye.pitch_deg))
}

/// Returns yaw (left) and pitch (up) of the forward axis in degrees.
fn direction(turn: Quat) -> (f64, f64) {
    let Vec3 { x, y, z } = turn * Vec3::Z;
    (
        atan2(f64::from(x), f64::from(z)).to_degrees(),
        atan2(f64::from(y), length(f64::from(x), f64::from(z))).to_degrees(),
    )
}

fn mean([left, right]: &[Gaze; 2]) -> Gaze {
    let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect();
    Gaze { yaw_deg: mean(&left.yaw_deg, &right.yaw_deg), pitch_deg: mean(&left.pitch_deg, &right.pitch_deg) }
}

/// Returns true if a file is a motion table as written by [`vivant_io::table::csv`].
#[must_use]
pub fn is_table(bytes: &[u8]) -> bool {
    bytes.starts_with(b"time,hips.position.x,")
}

/// Reads a motion table as written by [`vivant_io::table::csv`]: columns `<bone>.x` to `<bone>.w`, and one column per
/// expression.
///
/// # Errors
/// Returns an error with the line if a cell is not a number or a row is cut off.
pub fn from_table(name: &str, bytes: &[u8]) -> Result<Recording> {
    let mut reader = csv::Reader::from_reader(bytes);
    let broken = |error: csv::Error| Error::new(error.to_string()).in_file(name);
    let header = reader.headers().map_err(broken)?.clone();
    let looks = header.iter().position(|title| title == "looks");
    let (mut bones, mut channels) = (Vec::new(), Vec::new());
    for (column, title) in header.iter().enumerate().skip(4) {
        match title.strip_suffix(".x").and_then(Bone::from_name) {
            Some(bone) => bones.push((bone, column)),
            None if !title.contains('.') && Some(column) != looks => {
                channels.push((Channel::from(title.to_owned()), column));
            }
            None => {}
        }
    }
    let mut frames = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(broken)?;
        let number = |column: usize| {
            let cell = record.get(column).unwrap_or_default();
            let place = || format!("line {}, column “{}”", row + 2, header.get(column).unwrap_or_default());
            let number = cell.trim().parse::<f32>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| {
                Error::at(place(), format!("“{cell}” is not a number; correct the cell")).in_file(name)
            })
        };
        limits::within("rows", "frames", row + 1, limits::MAX_CAPTURE_FRAMES)
            .map_err(|error| error.in_file(name))?;
        let mut frame = Received { secs: f64::from(number(0)?), ..Received::default() };
        for (bone, column) in &bones {
            let [x, y, z, w] = [0, 1, 2, 3].map(|axis| number(column + axis));
            frame.bones.insert(*bone);
            frame.pose.rotations.set(*bone, Quat::from_xyzw(x?, y?, z?, w?).normalize());
        }
        frame.looks = looks.map(|column| number(column).map(|looks| looks > 0.5)).transpose()?;
        for (channel, column) in &channels {
            frame.weights.push((channel.clone(), number(*column)?));
        }
        frames.push(frame);
    }
    from_frames(name, &frames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::math::{cos, sin};

    /// Returns a frame with eyes turned left by bones and by ARKit expressions, and with turned hips.
    fn frame(secs: f64, bone_deg: f64, weight: f32, hips_deg: f64) -> Received {
        let about_up = |deg: f64| {
            let half = deg.to_radians() / 2.0;
            Quat::from_xyzw(0.0, sin(half) as f32, 0.0, cos(half) as f32)
        };
        let mut frame = Received { secs, ..Received::default() };
        for (bone, deg) in [(Bone::Hips, hips_deg), (Bone::LeftEye, bone_deg), (Bone::RightEye, bone_deg)] {
            frame.bones.insert(bone);
            frame.pose.rotations.set(bone, about_up(deg));
        }
        let names = TURNING.as_flattened().iter().map(|names| names[1]);
        let weights = names.map(|name| {
            (name, if ["eyeLookOutLeft", "eyeLookInRight"].contains(&name) { weight } else { 0.0 })
        });
        frame.weights = weights.map(|(name, weight)| (Channel::from(name.to_owned()), weight)).collect();
        frame
    }

    fn yaws(frames: &[Received]) -> Vec<f64> {
        from_frames("a", frames).unwrap().gaze.unwrap().yaw_deg.iter().map(|yaw| yaw.round()).collect()
    }

    #[test]
    fn gaze_from_bones_and_expressions_counts_once() {
        let twice = [frame(0.0, 0.0, 0.0, 0.0), frame(0.1, 15.0, 0.5, 0.0)];
        assert_eq!(yaws(&twice), [0.0, 15.0]);
        let by_weights = [frame(0.0, 0.0, 0.0, 0.0), frame(0.1, 0.2, 0.5, 0.0)];
        assert_eq!(yaws(&by_weights), [0.0, 15.0]);
    }

    #[test]
    fn a_full_turn_does_not_jump() {
        let frames: Vec<Received> =
            (0..5).map(|i| frame(0.1 * f64::from(i), 0.0, 0.0, 170.0 + 5.0 * f64::from(i))).collect();
        let head = from_frames("a", &frames).unwrap().head.unwrap();
        assert!(head.yaw_deg.windows(2).all(|pair| (pair[1] - pair[0] - 5.0).abs() < 0.01), "{head:?}");
    }
}
