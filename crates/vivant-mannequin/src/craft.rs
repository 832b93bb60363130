//! What an animator does without being asked: a fast stroke is anticipated, goes a little too far and
//! settles, and two hands are never quite alike.

use crate::motion::{ArmKnot, Side};
use glam::Vec3;

/// A wrist that is faster than this makes a stroke, in metres a second (our design).
const STROKE_M_PER_S: f32 = 0.55;
/// What comes after a stroke is a rest if it is slower than this share of it.
const REST_SHARE: f32 = 0.35;
/// How far a stroke is anticipated and goes too far, as a share of its way, and at most, in radians.
const ANTICIPATION: f32 = 0.045;
const OVERSHOOT: f32 = 0.05;
const MOST_RADIANS: f32 = 0.07;
/// How long a stroke takes to settle, in seconds.
const SETTLE_SECS: f32 = 0.2;

/// A knot of an arm, with what decides how it is treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) knot: ArmKnot,
    pub(crate) wrist: Vec3,
    /// Whether nothing is near that the hand could run into.
    pub(crate) is_free: bool,
}

/// Adds anticipations and settling to the stops of an arm, the first and the last of which are where the
/// motion starts and ends; gives the knots between them.
pub(crate) fn swung(stops: &[Stop]) -> Vec<ArmKnot> {
    let mut knots = Vec::with_capacity(stops.len() * 2);
    for (i, stop) in stops.iter().enumerate() {
        let is_edge = i == 0 || i + 1 == stops.len();
        let before = i.checked_sub(1).map(|j| &stops[j]);
        let after = stops.get(i + 1);
        match (before, after) {
            (Some(before), Some(after)) if settles(before, stop, after) => {
                knots.push(moved(stop, before, OVERSHOOT, 0.0));
                knots.push(ArmKnot { secs: stop.knot.secs + SETTLE_SECS, is_via: false, ..stop.knot });
            }
            _ if !is_edge => knots.push(stop.knot),
            _ => {}
        }
        if let Some(after) = after.filter(|after| is_anticipated(before, stop, after)) {
            let wait = 0.2 * (after.knot.secs - stop.knot.secs).min(0.6);
            knots.push(moved(stop, after, ANTICIPATION, wait));
        }
    }
    knots
}

/// A stop that goes on, away from a neighbour, by a share of the way between them.
fn moved(stop: &Stop, from: &Stop, share: f32, later: f32) -> ArmKnot {
    let part = |i: usize| {
        let way = stop.knot.values[i] - from.knot.values[i];
        stop.knot.values[i] + (way * share).clamp_length_max(MOST_RADIANS)
    };
    ArmKnot { secs: stop.knot.secs + later, is_via: false, values: [part(0), part(1), part(2)] }
}

fn speed(a: &Stop, b: &Stop) -> f32 {
    a.wrist.distance(b.wrist) / (b.knot.secs - a.knot.secs).max(1e-3)
}

/// Whether an arm comes fast and then rests, with room to go too far.
fn settles(before: &Stop, stop: &Stop, after: &Stop) -> bool {
    let (coming, going) = (speed(before, stop), speed(stop, after));
    stop.is_free
        && !stop.knot.is_via
        && coming > STROKE_M_PER_S
        && going < REST_SHARE * coming
        && after.knot.secs - stop.knot.secs > 2.0 * SETTLE_SECS
}

/// Whether an arm rests and then goes fast, with room to go back before.
fn is_anticipated(before: Option<&Stop>, stop: &Stop, after: &Stop) -> bool {
    let going = speed(stop, after);
    stop.is_free
        && !stop.knot.is_via
        && !after.knot.is_via
        && going > STROKE_M_PER_S
        && after.knot.secs - stop.knot.secs > 0.3
        && before.is_some_and(|before| speed(before, stop) < REST_SHARE * going)
}

/// By how much the second of two hands is unlike the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unlike {
    /// Which one it is.
    pub(crate) side: Side,
    /// How much later it comes, in seconds.
    pub(crate) late_secs: f32,
    /// How far away its free places are, in metres.
    pub(crate) off: Vec3,
}

impl Unlike {
    /// A motion's own, by its name: 30 to 60 ms, and up to 8 mm each way (our design).
    pub(crate) fn of(name: &str) -> Self {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let share = |shift: u32| ((hash >> shift) & 0xff) as f32 / 255.0;
        let off = [8, 16, 24].map(|shift| (share(shift) * 2.0 - 1.0) * 0.008);
        Self {
            side: if hash >> 63 == 0 { Side::Left } else { Side::Right },
            late_secs: 0.03 + 0.03 * share(40),
            off: off.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(secs: f32, x: f32) -> Stop {
        let values = [Vec3::X * x, Vec3::ZERO, Vec3::ZERO];
        Stop { knot: ArmKnot { secs, is_via: false, values }, wrist: Vec3::X * x, is_free: true }
    }

    #[test]
    fn a_fast_stroke_is_anticipated_goes_too_far_and_settles() {
        let stops = [stop(0.0, 0.0), stop(0.5, 0.0), stop(0.9, 0.4), stop(2.0, 0.4), stop(2.5, 0.4)];
        let x: Vec<f32> = swung(&stops).iter().map(|knot| knot.values[0].x).collect();
        assert_eq!(x.len(), 5, "{x:?}");
        assert!(x[1] < -0.01 && x[2] > 0.41 && x[3] == 0.4, "{x:?}");
    }

    #[test]
    fn slow_ways_and_hands_that_touch_are_left_alone() {
        let slow = [stop(0.0, 0.0), stop(1.0, 0.2), stop(2.0, 0.2), stop(3.0, 0.0)];
        assert_eq!(swung(&slow).len(), 2);
        let mut near = [stop(0.0, 0.0), stop(0.5, 0.4), stop(2.0, 0.4), stop(3.0, 0.0)];
        near[1].is_free = false;
        assert_eq!(swung(&near).len(), 2);
    }

    #[test]
    fn hands_are_unlike_by_a_little() {
        for name in ["beat_both", "shrug", "explain", "stretch", "sleeve", ""] {
            let unlike = Unlike::of(name);
            assert!((0.03..=0.06).contains(&unlike.late_secs) && unlike.off.length() < 0.0139, "{name}");
            assert_eq!(unlike, Unlike::of(name));
        }
    }
}
