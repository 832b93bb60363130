//! Reads the motion: everything after `MOTION`.
//!
//! [`read`] converts the rows to a [`NodeClip`] with rotations and positions per joint, in metres. Programs often write
//! wrong headers, so the number of rows counts and not the stated number of frames, and an invalid frame time is
//! replaced by 30 frames per second; both give a warning. A last row that is cut off is dropped if the header states
//! more rows; any other row with a wrong count of numbers is an error. Joints below the root that stay at their OFFSET
//! get no position track.

use super::hierarchy::{Channel, Joint};
use super::text::{LARGEST, Text, is_space, no_number, number, quoted};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use crate::scene::NodeClip;
use glam::{DQuat, DVec3, Quat, Vec3};
use vivant::clip::Clip;
use vivant::math;

const GUESSED_RATE: f64 = 30.0;
/// Largest distance in metres of a joint from its OFFSET at which the position of the joint is not animated.
const STILL_M: f64 = 1e-3;

/// Reads the motion rows. If the file has no motion, the clip has no frames.
pub(super) fn read(
    text: &mut Text<'_>,
    joints: &[Joint],
    metres: f64,
    warnings: &mut Vec<Warning>,
) -> Result<NodeClip> {
    let mut rows = Rows::new(joints, metres);
    if text.is_at_end() {
        return Ok(rows.finish(0.0, warnings));
    }
    let frames = Header::read(text, "Frames:")?;
    let time = Header::read(text, "Frame Time:")?;
    let rate = rate(&time, warnings);
    let stated = number(frames.value).filter(|n| *n >= 0.0 && n.fract() == 0.0).map(|n| n as usize);
    if rows.width > 0 {
        rows.read(text, stated.unwrap_or(0), warnings)?;
        if stated != Some(rows.frames) {
            let message =
                format!("Frames is {}, but the file has {} rows", quoted(frames.value), rows.frames);
            warnings.push(Warning::new(WarningCode::Repaired, frames.place, message));
        }
    }
    Ok(rows.finish(rate, warnings))
}

/// A line such as `Frames: 592`.
struct Header<'a> {
    place: String,
    value: &'a [u8],
}

impl<'a> Header<'a> {
    fn read(text: &mut Text<'a>, key: &str) -> Result<Self> {
        let place = text.place();
        let line = text.clone().line();
        match value_after(line, key) {
            Some(value) => {
                text.line();
                Ok(Self { place, value: value.trim_ascii() })
            }
            None => text.expected(key),
        }
    }
}

/// Returns the text after the key. Spaces in the key are optional.
fn value_after<'a>(line: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let mut rest = line;
    for wanted in key.bytes().filter(|b| *b != b' ') {
        rest = rest.trim_ascii_start();
        match rest.split_first() {
            Some((found, after)) if found.eq_ignore_ascii_case(&wanted) => rest = after,
            // Some programs omit the colon.
            _ if wanted == b':' => {}
            _ => return None,
        }
    }
    Some(rest)
}

fn rate(time: &Header<'_>, warnings: &mut Vec<Warning>) -> f64 {
    let rate = number(time.value).map_or(0.0, |seconds| 1.0 / seconds);
    if !(0.1..=10_000.0).contains(&rate) {
        let message =
            format!("invalid frame time {}; using {GUESSED_RATE} frames per second", quoted(time.value));
        warnings.push(Warning::new(WarningCode::Guessed, &time.place, message));
        return GUESSED_RATE;
    }
    crate::rate::snap_to_common(rate)
}

/// The tracks of one joint; each row adds one value.
struct Track<'a> {
    node: usize,
    joint: &'a Joint,
    rotations: Option<Vec<Quat>>,
    places: Option<Vec<Vec3>>,
}

impl<'a> Track<'a> {
    fn new((node, joint): (usize, &'a Joint)) -> Self {
        let rotates = joint.channels.iter().any(|c| matches!(c, Channel::Rotation(_)));
        let moves = joint.channels.iter().any(|c| matches!(c, Channel::Position(_)));
        Self { node, joint, rotations: rotates.then(Vec::new), places: moves.then(Vec::new) }
    }

    fn push(&mut self, values: &[f64], metres: f64) {
        let (mut place, mut rotation) = (self.joint.offset, DQuat::IDENTITY);
        for (channel, value) in self.joint.channels.iter().zip(values) {
            match *channel {
                Channel::Position(axis) => place[axis] = *value,
                Channel::Rotation(axis) => rotation *= about(axis, *value),
                Channel::Unknown => {}
            }
        }
        if let Some(rotations) = &mut self.rotations {
            rotations.push(rotation.normalize().as_quat());
        }
        if let Some(places) = &mut self.places {
            places.push((place * metres).as_vec3());
        }
    }

    /// Returns true if the position is animated. The position of a root is always animated, because the OFFSET of a
    /// root is not its position.
    fn moves(&self, metres: f64) -> bool {
        let rest = (self.joint.offset * metres).as_vec3();
        let differs = |place: &Vec3| place.distance(rest) > STILL_M as f32;
        self.joint.parent.is_none() || self.places.iter().flatten().any(differs)
    }
}

fn about(axis: usize, degrees: f64) -> DQuat {
    let half = degrees.to_radians() / 2.0;
    let mut vector = DVec3::ZERO;
    vector[axis] = math::sin(half);
    DQuat::from_xyzw(vector.x, vector.y, vector.z, math::cos(half))
}

struct Rows<'a> {
    tracks: Vec<Track<'a>>,
    metres: f64,
    /// Numbers per row.
    width: usize,
    row: Vec<f64>,
    frames: usize,
    /// Count of numbers that were not finite or too large and were replaced, and the line of the first such number.
    repaired: usize,
    repaired_at: String,
}

impl<'a> Rows<'a> {
    fn new(joints: &'a [Joint], metres: f64) -> Self {
        let width = joints.iter().map(|j| j.channels.len()).sum();
        let tracks = joints.iter().enumerate().map(Track::new).filter(|t| !t.joint.channels.is_empty());
        Self {
            tracks: tracks.collect(),
            metres,
            width,
            row: vec![0.0; width],
            frames: 0,
            repaired: 0,
            repaired_at: String::new(),
        }
    }

    fn read(&mut self, text: &mut Text<'_>, stated: usize, warnings: &mut Vec<Warning>) -> Result<()> {
        while !text.is_at_end() {
            let start = text.clone();
            let line = text.line();
            let count = self.parse(line, &start)?;
            if count != self.width {
                let is_cut_off = text.is_at_end() && count < self.width && (1..stated).contains(&self.frames);
                if !is_cut_off {
                    let message = format!(
                        "{count} numbers, but the joints have {} channels; export the file again",
                        self.width
                    );
                    return Err(Error::at(start.place(), message));
                }
                let message = "the file ends within this row; the row was dropped";
                warnings.push(Warning::new(WarningCode::Repaired, start.place(), message));
                return Ok(());
            }
            self.push(&start)?;
        }
        Ok(())
    }

    /// Parses a line into the row and returns its count of numbers.
    fn parse(&mut self, line: &[u8], start: &Text<'_>) -> Result<usize> {
        let mut count = 0;
        for word in line.split(|b| is_space(*b)).filter(|w| !w.is_empty()) {
            let value = number(word).ok_or_else(|| no_number(start.place(), word))?;
            if let Some(slot) = self.row.get_mut(count) {
                if value.abs() <= LARGEST {
                    *slot = value;
                } else {
                    // The row keeps the value of the previous row.
                    self.repaired += 1;
                    if self.repaired == 1 {
                        self.repaired_at = start.place();
                    }
                }
            }
            count += 1;
        }
        Ok(count)
    }

    fn push(&mut self, start: &Text<'_>) -> Result<()> {
        self.frames += 1;
        if self.frames > Clip::MAX_FRAMES || self.frames * self.tracks.len() > limits::MAX_SAMPLES {
            let message =
                format!("too many frames for {} joints; split the file at this line", self.tracks.len());
            return Err(Error::at(start.place(), message));
        }
        let mut rest = self.row.as_slice();
        for track in &mut self.tracks {
            let (own, after) = rest.split_at(track.joint.channels.len().min(rest.len()));
            track.push(own, self.metres);
            rest = after;
        }
        Ok(())
    }

    fn finish(self, rate: f64, warnings: &mut Vec<Warning>) -> NodeClip {
        if self.repaired > 0 {
            let message = format!(
                "{} values from here on are not finite or too large; they keep the value of the previous row",
                self.repaired
            );
            warnings.push(Warning::new(WarningCode::Repaired, self.repaired_at, message));
        }
        let mut clip = NodeClip { rate, frames: self.frames, ..NodeClip::default() };
        if self.frames == 0 {
            return clip;
        }
        for track in self.tracks {
            let moves = track.moves(self.metres);
            clip.rotations.extend(track.rotations.map(|r| (track.node, r)));
            clip.translations.extend(track.places.filter(|_| moves).map(|p| (track.node, p)));
        }
        clip
    }
}
