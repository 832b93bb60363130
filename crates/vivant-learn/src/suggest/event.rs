//! Small things that happen: a single nod, a tilt, a lean, drumming fingers.
//!
//! A stance has no event in it: what moves, moves from end to end. An event leaves the pose in which it
//! starts, or that in which it ends, and is over in a few seconds. So each part of the body is looked at by itself.

use super::track::{LEFT_THIGH, Moment, RATE, RIGHT_THIGH, Sides, degrees_between};
use glam::Vec3;

/// How far a part of the body goes from where it is at the start and at the end, and for how long.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Event {
    /// The distance, in the unit of the part.
    pub(crate) size: f32,
    /// How long it is further than a third of that, from the first time to the last, in seconds.
    pub(crate) secs: f32,
    /// How far the end is from the start, in the same unit.
    pub(crate) between: f32,
    /// Whether it rests before and after, for a tenth of a second.
    pub(crate) held: bool,
}

/// The events of all parts of the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// Yaw, pitch and roll of the head, in degrees.
    pub(crate) head: [Event; 3],
    /// The same of the trunk.
    pub(crate) trunk: [Event; 3],
    /// To the sides and ahead, in hips' heights.
    pub(crate) hips: Event,
    /// How the knees bend, in degrees.
    pub(crate) knees: Sides<Event>,
    /// In arm lengths.
    pub(crate) wrists: Sides<Event>,
    /// The finger that moves most, in degrees.
    pub(crate) fingers: Sides<Event>,
}

impl Events {
    pub(crate) fn of(seen: &[Moment]) -> Self {
        let axes = |of: fn(&Moment) -> Vec3| [0, 1, 2].map(|axis| Event::along(seen, |m| of(m)[axis]));
        let finger =
            |side: usize, finger: usize| Event::of(seen, |m| m.fingers[side][finger], Vec3::distance);
        let most = |events: [Event; 5]| events.into_iter().fold(Event::default(), Event::greater);
        Self {
            head: axes(|m| m.head),
            trunk: axes(|m| m.trunk),
            hips: Event::of(seen, |m| Vec3::new(m.hips.x, 0.0, m.hips.z), Vec3::distance),
            knees: [LEFT_THIGH, RIGHT_THIGH].map(|thigh| Event::along(seen, |m| knee_deg(m, thigh))),
            wrists: [0, 1].map(|i| Event::of(seen, |m| [m.wrists[i], m.wrists_in_chest[i]], nearer)),
            fingers: [0, 1].map(|i| most([0, 1, 2, 3, 4].map(|f| finger(i, f)))),
        }
    }
}

/// The distance in the frame, that of the hips or that of the chest, in which it is less.
fn nearer(a: [Vec3; 2], b: [Vec3; 2]) -> f32 {
    a[0].distance(b[0]).min(a[1].distance(b[1]))
}

/// The shins follow the thighs in the list of limbs.
fn knee_deg(m: &Moment, thigh: usize) -> f32 {
    degrees_between(m.stick.limbs[thigh], m.stick.limbs[thigh + 2])
}

impl Event {
    fn along(seen: &[Moment], of: impl Fn(&Moment) -> f32) -> Self {
        Self::of(seen, of, |a: f32, b: f32| (a - b).abs())
    }

    /// Of at least one moment.
    fn of<T: Copy>(seen: &[Moment], of: impl Fn(&Moment) -> T, far: impl Fn(T, T) -> f32) -> Self {
        let (first, last) = (of(&seen[0]), of(&seen[seen.len() - 1]));
        let off = |m: &Moment| far(of(m), first).min(far(of(m), last));
        let off: Vec<f32> = seen.iter().map(off).collect();
        let size = off.iter().copied().fold(0.0, f32::max);
        let out = |v: &f32| *v > size * 0.35;
        let span = off.iter().position(out).zip(off.iter().rposition(out));
        let secs = span.map_or(0.0, |(a, b)| ((b - a + 1) as f64 / RATE) as f32);
        let rest = (0.1 * RATE) as usize;
        let held = span.is_some_and(|(a, b)| a >= rest && b + rest < off.len());
        Self { size, secs, between: far(first, last), held }
    }

    /// What it goes off and comes back from: nothing if it ends about as far from its start as it ever gets.
    pub(crate) fn returned(&self) -> f32 {
        if self.between < 0.6 * self.size { self.size } else { 0.0 }
    }

    /// How far it goes to stay there: nothing if it goes elsewhere on the way, or comes out of a movement.
    /// On the straight way it is never further from both ends than half of it.
    pub(crate) fn went(&self) -> f32 {
        if self.held && self.size < 0.65 * self.between { self.between } else { 0.0 }
    }

    fn greater(self, other: Self) -> Self {
        if other.size > self.size { other } else { self }
    }
}
