//! Small single movements: a nod, a tilt, a lean, drumming fingers.
//!
//! A stance has no single movements; its parts move all the time or not at all. An event leaves the start or end pose
//! and ends within a few seconds. Each part of the body is analysed separately.

use super::track::{LEFT_THIGH, PoseSample, RATE, RIGHT_THIGH, Sides, degrees_between};
use glam::Vec3;

/// Movement of a part of the body away from its start and end position, and its duration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Event {
    /// Largest distance from the start or end position, in the unit of this body part.
    pub(crate) size: f32,
    /// Time between the first and the last sample that are further away than 35 % of that distance, in seconds.
    pub(crate) secs: f32,
    /// Distance between start and end, in the same unit.
    pub(crate) between: f32,
    /// True if the body part rests for 0.1 s before and after the movement.
    pub(crate) held: bool,
}

/// Events of all parts of the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// Yaw, pitch and roll of the head in degrees.
    pub(crate) head: [Event; 3],
    /// Yaw, pitch and roll of the trunk in degrees.
    pub(crate) trunk: [Event; 3],
    /// Horizontal position of the hips in hip heights.
    pub(crate) hips: Event,
    /// Knee flexion in degrees.
    pub(crate) knees: Sides<Event>,
    /// Wrists in arm lengths.
    pub(crate) wrists: Sides<Event>,
    /// The finger that moves most, in degrees.
    pub(crate) fingers: Sides<Event>,
}

impl Events {
    pub(crate) fn of(samples: &[PoseSample]) -> Self {
        let axes = |of: fn(&PoseSample) -> Vec3| [0, 1, 2].map(|axis| Event::along(samples, |m| of(m)[axis]));
        let finger =
            |side: usize, finger: usize| Event::of(samples, |m| m.fingers[side][finger], Vec3::distance);
        let most = |events: [Event; 5]| events.into_iter().fold(Event::default(), Event::greater);
        Self {
            head: axes(|m| m.head),
            trunk: axes(|m| m.trunk),
            hips: Event::of(samples, |m| Vec3::new(m.hips.x, 0.0, m.hips.z), Vec3::distance),
            knees: [LEFT_THIGH, RIGHT_THIGH].map(|thigh| Event::along(samples, |m| knee_deg(m, thigh))),
            wrists: [0, 1].map(|i| Event::of(samples, |m| [m.wrists[i], m.wrists_in_chest[i]], nearer)),
            fingers: [0, 1].map(|i| most([0, 1, 2, 3, 4].map(|f| finger(i, f)))),
        }
    }
}

/// Returns the smaller of the distances in hip space and chest space.
fn nearer(a: [Vec3; 2], b: [Vec3; 2]) -> f32 {
    a[0].distance(b[0]).min(a[1].distance(b[1]))
}

/// Returns the flexion of a knee in degrees. In the list of limbs, the index of a shin is that of the thigh plus 2.
fn knee_deg(m: &PoseSample, thigh: usize) -> f32 {
    degrees_between(m.stick.limbs[thigh], m.stick.limbs[thigh + 2])
}

impl Event {
    fn along(samples: &[PoseSample], of: impl Fn(&PoseSample) -> f32) -> Self {
        Self::of(samples, of, |a: f32, b: f32| (a - b).abs())
    }

    /// Measures an event. `of` returns the value of a body part, and `far` returns the distance between two values.
    /// Needs at least one sample.
    fn of<T: Copy>(samples: &[PoseSample], of: impl Fn(&PoseSample) -> T, far: impl Fn(T, T) -> f32) -> Self {
        let (first, last) = (of(&samples[0]), of(&samples[samples.len() - 1]));
        let off = |m: &PoseSample| far(of(m), first).min(far(of(m), last));
        let off: Vec<f32> = samples.iter().map(off).collect();
        let size = off.iter().copied().fold(0.0, f32::max);
        let out = |v: &f32| *v > size * 0.35;
        let span = off.iter().position(out).zip(off.iter().rposition(out));
        let secs = span.map_or(0.0, |(a, b)| ((b - a + 1) as f64 / RATE) as f32);
        let rest = (0.1 * RATE) as usize;
        let held = span.is_some_and(|(a, b)| a >= rest && b + rest < off.len());
        Self { size, secs, between: far(first, last), held }
    }

    /// Returns the largest distance if the body part comes back. Returns 0 if it ends about as far from its start as
    /// it ever was.
    pub(crate) fn returned(&self) -> f32 {
        if self.between < 0.6 * self.size { self.size } else { 0.0 }
    }

    /// Returns the distance between start and end if the body part goes there directly and stays. Returns 0 if it
    /// deviates or starts in motion. On a straight path, the distance from the nearer end is never more than half of
    /// the distance between the ends.
    pub(crate) fn went(&self) -> f32 {
        if self.held && self.size < 0.65 * self.between { self.between } else { 0.0 }
    }

    fn greater(self, other: Self) -> Self {
        if other.size > self.size { other } else { self }
    }
}
