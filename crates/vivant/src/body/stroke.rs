//! When a gesture says what it says.
//!
//! A gesture is prepared, stroked and retracted (Kendon 1980; McNeill 1992). The stroke carries its meaning, and
//! the instant at which it arrives, its apex, is what falls together with a stressed word (Loehr 2004, who marks the
//! apex at its farthest point). Whoever makes clips can say when that is; for the rest it is found here,
//! from the motion alone. Proportions of an adult are good enough for that, so it does not depend on the avatar.
//!
//! The rule (ours):
//! 1. The way of a hand (of both, one by one; of the head where hands do not take part) before the hips is divided
//!    into movements, from one lull of its speed to the next. What is much slower than the fastest is none.
//! 2. A movement that stops near where the gesture begins or ends is a retraction, and no stroke.
//! 3. If another movement follows the first one at once, away from rest, the first one is a preparation: the hand was
//!    brought into place. The stroke is the next one, unless one that follows at once stops much more sharply.
//! 4. Otherwise the first movement is the stroke: who points has prepared on the way.
//! 5. The apex is where the movement has come to a stop or turns.

use crate::body::repertoire::Hand;
use crate::clip::Clip;
use crate::rig::{Bone, BoneSet};
use glam::{Quat, Vec3};

/// How often a way is looked at, a second.
const RATE: f64 = 120.0;

/// Two movements are two if the speed between them falls below this share of the slower one's.
const LULL: f32 = 0.3;

/// What is slower than this share of the fastest movement is no movement: a hand that is held sinks a little.
const SLOW: f32 = 0.2;

/// A movement has come to a stop when its speed falls below this share of its peak.
const STOPPED: f32 = 0.05;

/// Nearer to rest than this share of the farthest is back.
const NEAR: f32 = 0.25;

/// What begins later than this after a movement has stopped does not belong to it, in seconds: the hand was held.
const HOLD_SECS: f64 = 0.4;

/// A stroke stops at least this much as sharply as the sharpest one.
const SHARP: f32 = 0.4;

/// A way shorter than this is none, in metres.
const STILL_M: f32 = 0.004;

/// Hands that go no farther than this leave the word to the head, in metres.
const HANDS_REST_M: f32 = 0.06;

/// The joints from the hips to where a hand ends, on the left, and how far each is from the one before, in metres.
const ARM: [(Bone, Vec3); 7] = [
    (Bone::Spine, Vec3::new(0.0, 0.075, -0.01)),
    (Bone::Chest, Vec3::new(0.0, 0.115, -0.008)),
    (Bone::UpperChest, Vec3::new(0.0, 0.125, -0.007)),
    (Bone::LeftShoulder, Vec3::new(0.03, 0.135, 0.005)),
    (Bone::LeftUpperArm, Vec3::new(0.14, 0.005, -0.01)),
    (Bone::LeftLowerArm, Vec3::new(0.275, 0.0, 0.0)),
    (Bone::LeftHand, Vec3::new(0.245, 0.0, 0.0)),
];
/// From the wrist to the knuckles, in metres.
const KNUCKLES: Vec3 = Vec3::new(0.09, 0.0, 0.0);

const HEAD: [(Bone, Vec3); 5] = [
    (Bone::Spine, Vec3::new(0.0, 0.075, -0.01)),
    (Bone::Chest, Vec3::new(0.0, 0.115, -0.008)),
    (Bone::UpperChest, Vec3::new(0.0, 0.125, -0.007)),
    (Bone::Neck, Vec3::new(0.0, 0.165, -0.005)),
    (Bone::Head, Vec3::new(0.0, 0.085, 0.02)),
];
/// From the head's joint to the nose, in metres.
const NOSE: Vec3 = Vec3::new(0.0, 0.06, 0.12);

/// When the stroke of a part of a clip arrives, in seconds from where the part begins; `None` if nothing moves that
/// could stroke. `moves` are the bones that are played.
#[must_use]
pub fn find(clip: &Clip, part: (f64, f64), hand: Option<Hand>, moves: BoneSet) -> Option<f64> {
    let asked: &[Bone] = match hand {
        Some(Hand::Left) => &[Bone::LeftHand],
        Some(Hand::Right) => &[Bone::RightHand],
        Some(Hand::Both) | None => &[Bone::LeftHand, Bone::RightHand],
    };
    let hands = asked.iter().filter(|hand| moves.contains(**hand));
    let ways: Vec<Way> = hands.map(|hand| Way::of(clip, part, moves, *hand)).collect();
    let reach = ways.iter().map(|way| way.reach).fold(0.0, f32::max);
    // Of two hands that go about as far, the one that strokes first.
    let hands =
        || ways.iter().filter(|way| way.reach >= 0.5 * reach).filter_map(Way::stroke).reduce(f64::min);
    let head = || Way::of(clip, part, moves, Bone::Head).stroke();
    if reach < HANDS_REST_M && hand.is_none() { head().or_else(hands) } else { hands().or_else(head) }
}

/// The way of a hand or of the head before the hips, and how fast it is.
struct Way {
    /// In metres.
    places: Vec<Vec3>,
    /// In metres a second.
    speeds: Vec<f32>,
    /// How far it goes from where it begins, in metres.
    reach: f32,
}

/// From one lull of the speed to the next: where it is fastest, and where the lull is.
#[derive(Clone, Copy, Debug)]
struct Movement {
    peak: usize,
    lull: usize,
}

impl Way {
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
        // What is first is a preparation if something follows it.
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

    /// Whether a movement stops away from where the gesture begins and ends. What follows it more slowly, such as a way
    /// back, is no part of it.
    fn is_away(&self, movement: &Movement) -> bool {
        let place = self.places[self.stop(movement)];
        let ends = [self.places[0], self.places[self.places.len() - 1]];
        ends.iter().all(|end| place.distance(*end) > NEAR * self.reach)
    }

    /// Whether a movement follows another one at once.
    fn follows(&self, before: &Movement, after: &Movement) -> bool {
        let slow = SLOW * self.speeds[after.peak];
        let rises = (before.lull..after.peak).rev().find(|i| self.speeds[*i] <= slow).unwrap_or(before.lull);
        rises as f64 / RATE - self.apex(before) <= HOLD_SECS
    }

    /// How sharply a movement stops, in metres a second squared.
    fn sharpness(&self, movement: &Movement) -> f32 {
        let slowing = self.speeds[movement.peak..=movement.lull].windows(2).map(|pair| pair[0] - pair[1]);
        slowing.fold(0.0, f32::max) * RATE as f32
    }

    /// When a movement has come to a stop or turns, in seconds.
    fn apex(&self, movement: &Movement) -> f64 {
        self.stop(movement) as f64 / RATE
    }

    /// Where in the way that is.
    fn stop(&self, movement: &Movement) -> usize {
        let slow = STOPPED * self.speeds[movement.peak];
        let stops = (movement.peak..movement.lull).find(|i| self.speeds[*i] <= slow);
        stops.unwrap_or(movement.lull)
    }
}

/// The joints that lead to a hand or to the head, and what they carry.
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

/// Where a chain ends in a frame. What is not played stays as it is in the first frame.
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

/// Means of five, three times: what trembles is no movement. About a normal curve of 20 ms.
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
