//! Finds the time at which a gesture conveys its meaning: the apex of its stroke.
//!
//! A gesture has a preparation, a stroke and a retraction (Kendon 1980; McNeill 1992). The stroke carries the meaning,
//! and its apex coincides with a stressed word (Loehr 2004, who marks the apex at its farthest point). Authors of clips
//! can annotate the apex. For other clips, this module finds it from the motion alone. The proportions of an adult are
//! accurate enough, so the result does not depend on the avatar.
//!
//! The rule is our design:
//! 1. The path of a hand relative to the hips (of each hand separately; of the head if the hands take no part) is
//!    split into movements at minima of its speed. Parts much slower than the fastest movement are ignored.
//! 2. A movement that stops near the start or the end of the gesture is a retraction, not a stroke.
//! 3. If another movement away from rest follows the first movement at once, the first movement is a preparation that
//!    brings the hand into place. The stroke is then the second movement, unless a movement that follows it at once
//!    stops much more sharply.
//! 4. Otherwise the first movement is the stroke: a pointing gesture has no separate preparation.
//! 5. The apex is where the movement stops or reverses.

use crate::body::repertoire::Hand;
use crate::clip::Clip;
use crate::rig::{Bone, BoneSet};
use glam::{Quat, Vec3};

/// Samples of a path per second.
const RATE: f64 = 120.0;

/// Speed below which two movements are separate, as a fraction of the peak speed of the slower movement.
const LULL: f32 = 0.3;

/// Speed below which parts of a path are ignored, as a fraction of the peak speed of the fastest movement, because a
/// held hand sinks a little.
const SLOW: f32 = 0.2;

/// Speed below which a movement has stopped, as a fraction of its peak speed.
const STOPPED: f32 = 0.05;

/// Distance from rest below which a position counts as back at rest, as a fraction of the reach.
const NEAR: f32 = 0.25;

/// Maximum time in seconds for which the hand is held between two movements that belong together.
const HOLD_SECS: f64 = 0.4;

/// Minimum sharpness (maximum deceleration) of a stroke, as a fraction of the sharpness of the sharpest movement.
const SHARP: f32 = 0.4;

/// Minimum reach of a path from its start, in metres; paths with a smaller reach are ignored.
const STILL_M: f32 = 0.004;

/// Minimum reach of the hands in metres; if they reach less far, the stroke of the head is used.
const HANDS_REST_M: f32 = 0.06;

/// Joints from the hips to the left hand, and the offset of each from the previous one, in metres.
const ARM: [(Bone, Vec3); 7] = [
    (Bone::Spine, Vec3::new(0.0, 0.075, -0.01)),
    (Bone::Chest, Vec3::new(0.0, 0.115, -0.008)),
    (Bone::UpperChest, Vec3::new(0.0, 0.125, -0.007)),
    (Bone::LeftShoulder, Vec3::new(0.03, 0.135, 0.005)),
    (Bone::LeftUpperArm, Vec3::new(0.14, 0.005, -0.01)),
    (Bone::LeftLowerArm, Vec3::new(0.275, 0.0, 0.0)),
    (Bone::LeftHand, Vec3::new(0.245, 0.0, 0.0)),
];
/// Offset from the wrist to the knuckles, in metres.
const KNUCKLES: Vec3 = Vec3::new(0.09, 0.0, 0.0);

const HEAD: [(Bone, Vec3); 5] = [
    (Bone::Spine, Vec3::new(0.0, 0.075, -0.01)),
    (Bone::Chest, Vec3::new(0.0, 0.115, -0.008)),
    (Bone::UpperChest, Vec3::new(0.0, 0.125, -0.007)),
    (Bone::Neck, Vec3::new(0.0, 0.165, -0.005)),
    (Bone::Head, Vec3::new(0.0, 0.085, 0.02)),
];
/// Offset from the head joint to the nose, in metres.
const NOSE: Vec3 = Vec3::new(0.0, 0.06, 0.12);

/// Finds the apex of the stroke in the given part of a clip. Returns seconds from the start of the part; `None` if
/// nothing moves. Only the bones in `moves` are played.
#[must_use]
pub fn find(clip: &Clip, part: (f64, f64), hand: Option<Hand>, moves: BoneSet) -> Option<f64> {
    let asked: &[Bone] = match hand {
        Some(Hand::Left) => &[Bone::LeftHand],
        Some(Hand::Right) => &[Bone::RightHand],
        Some(Hand::Both) | None => &[Bone::LeftHand, Bone::RightHand],
    };
    let hands = asked.iter().filter(|hand| moves.contains(**hand));
    let trajectories: Vec<Trajectory> = hands.map(|hand| Trajectory::of(clip, part, moves, *hand)).collect();
    let reach = trajectories.iter().map(|path| path.reach).fold(0.0, f32::max);
    // If both hands reach about as far, the earlier stroke is used.
    let hands = || {
        trajectories
            .iter()
            .filter(|path| path.reach >= 0.5 * reach)
            .filter_map(Trajectory::stroke)
            .reduce(f64::min)
    };
    let head = || Trajectory::of(clip, part, moves, Bone::Head).stroke();
    if reach < HANDS_REST_M && hand.is_none() { head().or_else(hands) } else { hands().or_else(head) }
}

/// Path of a hand or the head relative to the hips, and its speed.
struct Trajectory {
    /// Positions in metres.
    places: Vec<Vec3>,
    /// Speeds in metres per second.
    speeds: Vec<f32>,
    /// Greatest distance from the start, in metres.
    reach: f32,
}

/// A movement between two minima of the speed: index of its peak speed, and index of the following minimum.
#[derive(Clone, Copy, Debug)]
struct Movement {
    peak: usize,
    lull: usize,
}

impl Trajectory {
    fn of(clip: &Clip, part: (f64, f64), moves: BoneSet, end: Bone) -> Self {
        let chain = chain(end);
        let frame_of = |seconds: f64| (seconds * clip.rate()).max(0.0);
        let begin = (frame_of(part.0) as usize).min(clip.frames() - 1);
        let last = (frame_of(part.1).ceil() as usize).clamp(begin, clip.frames() - 1);
        let at_frames: Vec<Vec3> =
            (begin..=last).map(|frame| place(clip, &chain, moves, begin, frame)).collect();
        let count = ((part.1 - part.0).max(0.0) * RATE) as usize + 1;
        let at = |sample: usize| {
            let frame = frame_of(part.0 + sample as f64 / RATE) - begin as f64;
            let before = (frame.max(0.0) as usize).min(at_frames.len() - 1);
            let after = (before + 1).min(at_frames.len() - 1);
            let share = (frame - before as f64).clamp(0.0, 1.0) as f32;
            at_frames[before] + (at_frames[after] - at_frames[before]) * share
        };
        let places = smoothed((0..count).map(at).collect());
        let speed = |i: usize| {
            let (a, b) = (i.saturating_sub(1), (i + 1).min(count - 1));
            (places[b] - places[a]).length() * RATE as f32 / (b - a).max(1) as f32
        };
        let speeds = (0..count).map(speed).collect();
        let reach = places.iter().map(|place| place.distance(places[0])).fold(0.0, f32::max);
        Self { places, speeds, reach }
    }

    fn stroke(&self) -> Option<f64> {
        if self.reach < STILL_M {
            return None;
        }
        let movements = self.movements();
        let first = movements.iter().position(|m| self.is_away(m))?;
        let others =
            movements[first..].windows(2).take_while(|m| self.is_away(&m[1]) && self.follows(&m[0], &m[1]));
        let count = others.count();
        // The first movement is a preparation if others follow.
        let strokes = &movements[first + count.min(1)..=first + count];
        let sharpest = strokes.iter().map(|m| self.sharpness(m)).fold(0.0, f32::max);
        let stroke = strokes.iter().find(|m| self.sharpness(m) >= SHARP * sharpest)?;
        Some(self.apex(stroke))
    }

    fn movements(&self) -> Vec<Movement> {
        let fastest = self.speeds.iter().copied().fold(0.0, f32::max);
        let mut movements: Vec<Movement> = Vec::new();
        let (mut peak, mut lull, mut is_falling) = (0, 0, false);
        for (i, speed) in self.speeds.iter().enumerate() {
            if is_falling {
                lull = if *speed < self.speeds[lull] { i } else { lull };
                if self.speeds[lull] < LULL * speed && *speed > SLOW * fastest {
                    movements.push(Movement { peak, lull });
                    (peak, is_falling) = (i, false);
                }
            } else {
                peak = if *speed > self.speeds[peak] { i } else { peak };
                if *speed < LULL * self.speeds[peak] && self.speeds[peak] > SLOW * fastest {
                    (lull, is_falling) = (i, true);
                }
            }
        }
        if is_falling {
            movements.push(Movement { peak, lull });
        }
        movements
    }

    /// Returns true if a movement stops away from the start and the end of the gesture. A slower movement that follows,
    /// such as the way back, is a separate movement.
    fn is_away(&self, movement: &Movement) -> bool {
        let place = self.places[self.stop(movement)];
        let ends = [self.places[0], self.places[self.places.len() - 1]];
        ends.iter().all(|end| place.distance(*end) > NEAR * self.reach)
    }

    /// Returns true if a movement follows another one within `HOLD_SECS`.
    fn follows(&self, before: &Movement, after: &Movement) -> bool {
        let slow = SLOW * self.speeds[after.peak];
        let rises = (before.lull..after.peak).rev().find(|i| self.speeds[*i] <= slow).unwrap_or(before.lull);
        rises as f64 / RATE - self.apex(before) <= HOLD_SECS
    }

    /// Maximum deceleration of a movement in metres per second squared.
    fn sharpness(&self, movement: &Movement) -> f32 {
        let slowing = self.speeds[movement.peak..=movement.lull].windows(2).map(|pair| pair[0] - pair[1]);
        slowing.fold(0.0, f32::max) * RATE as f32
    }

    /// Time in seconds at which a movement stops or reverses.
    fn apex(&self, movement: &Movement) -> f64 {
        self.stop(movement) as f64 / RATE
    }

    /// Index of the sample at which a movement stops or reverses.
    fn stop(&self, movement: &Movement) -> usize {
        let slow = STOPPED * self.speeds[movement.peak];
        let stops = (movement.peak..movement.lull).find(|i| self.speeds[*i] <= slow);
        stops.unwrap_or(movement.lull)
    }
}

/// Joints that lead to a hand or to the head, and their offsets.
fn chain(end: Bone) -> Vec<(Option<Bone>, Vec3)> {
    let right = |offset: Vec3| Vec3::new(-offset.x, offset.y, offset.z);
    let some = |(bone, offset): &(Bone, Vec3)| (Some(*bone), *offset);
    match end {
        Bone::LeftHand => ARM.iter().map(some).chain([(None, KNUCKLES)]).collect(),
        Bone::RightHand => {
            let mirrored = |(bone, offset): &(Bone, Vec3)| (Some(bone.mirrored()), right(*offset));
            ARM.iter().map(mirrored).chain([(None, right(KNUCKLES))]).collect()
        }
        _ => HEAD.iter().map(some).chain([(None, NOSE)]).collect(),
    }
}

/// Position of the end of a chain in a frame. Bones that are not played stay as in the first frame.
fn place(clip: &Clip, chain: &[(Option<Bone>, Vec3)], moves: BoneSet, first: usize, frame: usize) -> Vec3 {
    let (mut place, mut turned) = (Vec3::ZERO, Quat::IDENTITY);
    for (bone, offset) in chain {
        place += turned * *offset;
        if let Some(bone) = bone {
            turned *= clip.rotation(if moves.contains(*bone) { frame } else { first }, *bone);
        }
    }
    place
}

/// Smooths a path by three moving averages of five samples, which removes tremor. Approximates a Gaussian with a
/// standard deviation of 20 ms.
fn smoothed(mut places: Vec<Vec3>) -> Vec<Vec3> {
    let last = places.len() - 1;
    for _ in 0..3 {
        let mean = |i: usize| {
            let around = (0..5).map(|k| places[(i + k).saturating_sub(2).min(last)]);
            around.sum::<Vec3>() / 5.0
        };
        places = (0..=last).map(mean).collect();
    }
    places
}

#[cfg(test)]
mod tests;
