//! Applies principles of animation automatically. A fast stroke has an anticipation, overshoots and settles, and two
//! hands never move in exactly the same way.

use crate::motion::{ArmKnot, Side};
use glam::Vec3;

/// Velocity of the wrist above which a movement is a stroke, in metres per second (our design).
const STROKE_M_PER_S: f32 = 0.55;
/// Maximum velocity of a movement that counts as rest before or after a stroke, as a fraction of the stroke's velocity.
const REST_SHARE: f32 = 0.35;
/// Anticipation and overshoot as fractions of the stroke's rotation, and the maximum of both in radians.
const ANTICIPATION: f32 = 0.045;
const OVERSHOOT: f32 = 0.05;
const MAX_RADIANS: f32 = 0.07;
/// Settling time after a stroke, in seconds.
const SETTLE_SECS: f32 = 0.2;

/// A knot of an arm, with the data that decides whether anticipation and settling are added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) knot: ArmKnot,
    pub(crate) wrist: Vec3,
    /// True if there is nothing nearby that the hand could collide with.
    pub(crate) is_free: bool,
}

/// Adds anticipation and settling to the stops of an arm. The first stop is the start of the motion, and the last
/// stop is its end. Returns the knots between them.
pub(crate) fn with_swing(stops: &[Stop]) -> Vec<ArmKnot> {
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

/// Returns the knot of a stop, moved away from a neighbouring stop by a fraction of the rotation between them, and
/// delayed by `later` seconds.
fn moved(stop: &Stop, from: &Stop, share: f32, later: f32) -> ArmKnot {
    let part = |i: usize| {
        let way = stop.knot.values[i] - from.knot.values[i];
        stop.knot.values[i] + (way * share).clamp_length_max(MAX_RADIANS)
    };
    ArmKnot { secs: stop.knot.secs + later, is_via: false, values: [part(0), part(1), part(2)] }
}

fn speed(a: &Stop, b: &Stop) -> f32 {
    a.wrist.distance(b.wrist) / (b.knot.secs - a.knot.secs).max(1e-3)
}

/// Returns true if an arm arrives fast and then rests, and there is space to overshoot.
fn settles(before: &Stop, stop: &Stop, after: &Stop) -> bool {
    let (incoming, outgoing) = (speed(before, stop), speed(stop, after));
    stop.is_free
        && !stop.knot.is_via
        && incoming > STROKE_M_PER_S
        && outgoing < REST_SHARE * incoming
        && after.knot.secs - stop.knot.secs > 2.0 * SETTLE_SECS
}

/// Returns true if an arm rests and then moves fast, and there is space to move back first.
fn is_anticipated(before: Option<&Stop>, stop: &Stop, after: &Stop) -> bool {
    let outgoing = speed(stop, after);
    stop.is_free
        && !stop.knot.is_via
        && !after.knot.is_via
        && outgoing > STROKE_M_PER_S
        && after.knot.secs - stop.knot.secs > 0.3
        && before.is_some_and(|before| speed(before, stop) < REST_SHARE * outgoing)
}

/// The difference between the second hand and the first hand, if both perform the same motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HandVariation {
    /// The hand that differs.
    pub(crate) side: Side,
    /// The delay of this hand in seconds.
    pub(crate) delay_secs: f32,
    /// Offset that is added to keys of this hand if nothing is nearby, in metres.
    pub(crate) offset: Vec3,
}

impl HandVariation {
    /// Derives the variation from the name of a motion: a delay of 30 to 60 ms, and an offset of up to 8 mm per axis
    /// (our design).
    pub(crate) fn of(name: &str) -> Self {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let share = |shift: u32| ((hash >> shift) & 0xff) as f32 / 255.0;
        let offset = [8, 16, 24].map(|shift| (share(shift) * 2.0 - 1.0) * 0.008);
        Self {
            side: if hash >> 63 == 0 { Side::Left } else { Side::Right },
            delay_secs: 0.03 + 0.03 * share(40),
            offset: offset.into(),
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
    fn a_fast_stroke_is_anticipated_overshoots_and_settles() {
        let stops = [stop(0.0, 0.0), stop(0.5, 0.0), stop(0.9, 0.4), stop(2.0, 0.4), stop(2.5, 0.4)];
        let x: Vec<f32> = with_swing(&stops).iter().map(|knot| knot.values[0].x).collect();
        assert_eq!(x.len(), 5, "{x:?}");
        assert!(x[1] < -0.01 && x[2] > 0.41 && x[3] == 0.4, "{x:?}");
    }

    #[test]
    fn slow_movements_and_touching_hands_are_unchanged() {
        let slow = [stop(0.0, 0.0), stop(1.0, 0.2), stop(2.0, 0.2), stop(3.0, 0.0)];
        assert_eq!(with_swing(&slow).len(), 2);
        let mut near = [stop(0.0, 0.0), stop(0.5, 0.4), stop(2.0, 0.4), stop(3.0, 0.0)];
        near[1].is_free = false;
        assert_eq!(with_swing(&near).len(), 2);
    }

    #[test]
    fn hands_differ_slightly() {
        for name in ["beat_both", "shrug", "explain", "stretch", "sleeve", ""] {
            let variation = HandVariation::of(name);
            assert!(
                (0.03..=0.06).contains(&variation.delay_secs) && variation.offset.length() < 0.0139,
                "{name}"
            );
            assert_eq!(variation, HandVariation::of(name));
        }
    }
}
