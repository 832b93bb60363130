//! Aperture of an eye: combines everything that moves a lid.
//!
//! The aperture is the gap between the lids. The gaze sets the gap, the resting aperture scales it, and a blink closes
//! a fraction of the remaining gap. So a blink starts from the current lid position and ends at the lid position for
//! the gaze at that time (paper 1, Figure 5). Closures are never added up.

use crate::eyes::blink::{Blink, BlinkProfile};
use crate::eyes::blink_model::BlinkCurve;
use crate::eyes::glide::Momentum;
use crate::math::fast_max;
use serde::Serialize;

/// Degrees by which an upper lid comes down to close an eye that looks ahead (our design: the middle of the blink
/// amplitudes that Evinger measured).
pub const CLOSING_DEG: f64 = 35.0;

/// Movement of the lower lid as a fraction of the movement of the upper lid (paper 1, "Parameterization").
pub const LOWER_SHARE: f64 = 0.25;

/// Positions of the upper and lower lid of one eye, and the aperture that results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lids {
    /// Position of the upper lid in degrees from primary position; down is negative.
    #[serde(rename = "upper")]
    pub upper_deg: f64,
    /// Position of the lower lid in degrees from primary position; down is negative.
    #[serde(rename = "lower")]
    pub lower_deg: f64,
    /// Gap between the lids: 1 in primary position, 0 closed; looking up gives values above 1.
    pub aperture: f64,
}

impl Lids {
    /// Computes the lids from three values: `follow_deg`, the upper-lid position in degrees that follows from the
    /// gaze; `resting`, the resting aperture; and `closure`, the closure of a blink (0–1).
    ///
    /// When the gaze moves down, the lower lid follows by a quarter of the movement of the upper lid. In a blink, the
    /// lower lid rises by a quarter of that movement.
    #[must_use]
    pub fn new(follow_deg: f64, resting: f64, closure: f64) -> Self {
        let gap = gap_deg(follow_deg, resting);
        let down = closure * gap / (1.0 + LOWER_SHARE);
        let rest = (1.0 - resting) * CLOSING_DEG;
        Self {
            upper_deg: follow_deg - rest - down,
            lower_deg: LOWER_SHARE * (follow_deg + rest + down),
            aperture: gap * (1.0 - closure) / OPEN_DEG,
        }
    }

    /// Interpolates linearly to the lids `to`, by the fraction `share` (0–1).
    pub(crate) fn lerp(&self, to: &Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Self {
            upper_deg: between(self.upper_deg, to.upper_deg),
            lower_deg: between(self.lower_deg, to.lower_deg),
            aperture: between(self.aperture, to.aperture),
        }
    }
}

/// Gap between the lids in primary position, in degrees.
const OPEN_DEG: f64 = CLOSING_DEG * (1.0 + LOWER_SHARE);

fn gap_deg(follow_deg: f64, resting: f64) -> f64 {
    fast_max(OPEN_DEG * resting + (1.0 - LOWER_SHARE) * follow_deg, 0.0)
}

/// Returns the angle in degrees by which the upper lid must come down to close the eye.
#[must_use]
pub fn closing_deg(follow_deg: f64, resting: f64) -> f64 {
    gap_deg(follow_deg, resting) / (1.0 + LOWER_SHARE)
}

/// A running blink, as closure over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlinkRun {
    at: f64,
    /// Closure at the start of the blink, 0–1.
    from: f64,
    /// Maximum closure of the blink, 0–1.
    to: f64,
    blink: Blink,
    momentum: Momentum,
    end_time: f64,
}

/// Parameters of a blink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlinkShape {
    /// Maximum closure of the blink, 0–1.
    pub(crate) magnitude: f64,
    /// Degrees by which the lid must come down for a closure of 1.
    pub(crate) closing_deg: f64,
    /// Hold duration in seconds; `None` for the default of the profile.
    pub(crate) hold_secs: Option<f64>,
    pub(crate) profile: BlinkProfile,
    /// The curve, if this is a learned blink.
    pub(crate) curve: Option<BlinkCurve>,
    /// Speed of the lids: 1 is the measured speed.
    pub(crate) tempo: f64,
}

impl BlinkShape {
    fn between(&self, degrees: [f64; 2], hold_secs: Option<f64>) -> Blink {
        match &self.curve {
            Some(curve) => Blink::learned_between(degrees, curve, hold_secs, self.tempo),
            None => Blink::between(degrees, self.profile, hold_secs, self.tempo),
        }
    }
}

impl BlinkRun {
    pub(crate) fn none() -> Self {
        let (at, end_time) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Self { at, from: 0.0, to: 0.0, blink: Blink::new(0.0), momentum: Momentum::NONE, end_time }
    }

    /// Starts a blink from the current lid position. If a running blink already closes the lid far enough, that blink
    /// continues. If `shape` has a hold duration, the lid is held closed for that duration.
    #[must_use]
    pub(crate) fn with_blink(&self, at: f64, shape: &BlinkShape) -> Self {
        const MOMENTUM_SECS: f64 = 0.03;
        let (from, velocity) = (self.closure(at), self.velocity(at));
        let to = shape.magnitude.clamp(0.0, 1.0);
        let is_closing = self.is_active(at) && at - self.at < self.blink.opens_at_secs();
        if is_closing && self.to >= to {
            return shape.hold_secs.map_or(*self, |secs| self.held_until(at + secs));
        }
        if from >= to {
            return *self;
        }
        let degrees = [(to - from) * shape.closing_deg, to * shape.closing_deg];
        let blink = shape.between(degrees, shape.hold_secs);
        let momentum = Momentum::new(velocity, blink.closed_at_secs().min(MOMENTUM_SECS));
        Self { at, from, to, blink, momentum, end_time: at + blink.duration_secs() }
    }

    /// Extends the hold to the time `until`, if the hold would end earlier.
    fn held_until(&self, until: f64) -> Self {
        let down = self.blink.closed_at_secs();
        let hold = (self.blink.opens_at_secs() - down).max(until - self.at - down);
        self.with_hold(hold)
    }

    fn with_hold(&self, secs: f64) -> Self {
        let blink = self.blink.with_hold(secs);
        Self { blink, end_time: self.at + blink.duration_secs(), ..*self }
    }

    /// Opens the eye at `at`, or at the end of the closing phase if that is later. The rest of the hold is skipped.
    #[must_use]
    pub(crate) fn open(&self, at: f64, shape: &BlinkShape) -> Self {
        let secs = at - self.at;
        if secs < self.blink.closed_at_secs() {
            return self.with_hold(Blink::SPONTANEOUS_HOLD_SECS);
        }
        if secs >= self.blink.opens_at_secs() {
            return *self;
        }
        let from = self.closure(at);
        let blink = shape.between([0.0, from * shape.closing_deg], Some(0.0));
        let blink = blink.without_closing();
        Self { at, from, to: from, blink, momentum: Momentum::NONE, end_time: at + blink.duration_secs() }
    }

    /// Returns the end time in seconds.
    #[cfg(test)]
    pub(crate) fn end_time(&self) -> f64 {
        self.end_time
    }

    /// Returns true if the lid moves or is held at `t`.
    pub(crate) fn is_active(&self, t: f64) -> bool {
        t >= self.at && t < self.end_time
    }

    /// Returns the closed fraction of the gap, 0–1.
    pub(crate) fn closure(&self, t: f64) -> f64 {
        if !self.is_active(t) {
            return 0.0;
        }
        let secs = t - self.at;
        let share = self.blink.closure(secs);
        let closed = if secs < self.blink.opens_at_secs() {
            self.from + (self.to - self.from) * share
        } else {
            self.to * share
        };
        (closed + self.momentum.position(secs)).clamp(0.0, 1.0)
    }

    /// Returns the rate of change of the closure per second.
    pub(crate) fn velocity(&self, t: f64) -> f64 {
        if !self.is_active(t) {
            return 0.0;
        }
        let secs = t - self.at;
        let speed = self.blink.closure_per_sec(secs);
        let way = if secs < self.blink.opens_at_secs() { self.to - self.from } else { self.to };
        way * speed + self.momentum.velocity(secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(magnitude: f64) -> BlinkShape {
        let profile = BlinkProfile::Evinger;
        BlinkShape { magnitude, closing_deg: CLOSING_DEG, hold_secs: None, profile, curve: None, tempo: 1.0 }
    }

    #[test]
    fn an_eye_is_open_ahead_and_closed_by_35_degrees() {
        assert_eq!(Lids::new(0.0, 1.0, 0.0), Lids { upper_deg: 0.0, lower_deg: 0.0, aperture: 1.0 });
        let closed = Lids::new(0.0, 1.0, 1.0);
        assert_eq!((closed.upper_deg, closed.aperture), (-35.0, 0.0));
        assert_eq!(closed.lower_deg, -closed.upper_deg / 4.0, "the lower lid comes up by a quarter");
        let down = Lids::new(-20.0, 1.0, 0.0);
        assert_eq!((down.upper_deg, down.lower_deg), (-20.0, -5.0));
    }

    /// VanderWerf 2003: blinks are largest when the gaze is 30° up, and smallest when it is 30° down.
    #[test]
    fn blinks_are_larger_from_above() {
        assert!(
            closing_deg(20.0, 1.0) > closing_deg(0.0, 1.0) && closing_deg(0.0, 1.0) > closing_deg(-20.0, 1.0)
        );
        assert_eq!(closing_deg(0.0, 1.0), CLOSING_DEG);
    }

    proptest! {
        #[test]
        fn lids_never_cross_and_close_from_anywhere(follow in -60.0f64..40.0, resting in 0.3f64..1.3, closure in 0.0f64..=1.0) {
            let lids = Lids::new(follow, resting, closure);
            prop_assert!(lids.aperture >= 0.0);
            prop_assert!(Lids::new(follow, resting, 1.0).aperture.abs() < 1e-12);
            if gap_deg(follow, resting) > 0.0 {
                let gap = OPEN_DEG + lids.upper_deg - lids.lower_deg;
                prop_assert!((gap / OPEN_DEG - lids.aperture).abs() < 1e-9);
            }
        }

        /// A second blink can start at any time during the first blink. It continues from the current lid position
        /// and velocity, and the lid closes as far as in the larger of the two blinks.
        #[test]
        fn a_blink_continues_from_the_current_lid_position(after in 0.0f64..0.3, first in 0.2f64..=1.0, second in 0.2f64..=1.0) {
            let one = BlinkRun::none().with_blink(0.0, &shape(first));
            let two = one.with_blink(after, &shape(second));
            prop_assert!((one.closure(after) - two.closure(after)).abs() < 1e-12);
            prop_assert!((one.velocity(after) - two.velocity(after)).abs() < 1e-9);
            let most = (0..4000).map(|i| two.closure(after + f64::from(i) * 1e-4)).fold(0.0, f64::max);
            prop_assert!(most > second.min(one.closure(after).max(second)) - 1e-3, "{most}");
            prop_assert!(two.closure(two.end_time()) == 0.0 && two.end_time() < after + 0.5);
        }

        /// A hold applies even if the lid was already closing.
        #[test]
        fn a_held_eye_opens_on_request(after in 0.0f64..0.3, later in 0.5f64..1.0) {
            let held = BlinkShape { hold_secs: Some(10.0), ..shape(1.0) };
            let one = BlinkRun::none().with_blink(0.0, &shape(1.0)).with_blink(after, &held);
            prop_assert!((one.closure(after + 0.3) - 1.0).abs() < 1e-9 && one.end_time() > 10.0);
            let two = one.open(later, &held);
            prop_assert!((one.closure(later) - two.closure(later)).abs() < 1e-12);
            prop_assert!(two.end_time() < later + 0.3 && two.closure(two.end_time()) == 0.0);
            // If opened while closing, the lid first reaches the end of the closing phase.
            let three = BlinkRun::none().with_blink(0.0, &held).open(0.01, &held);
            let most = (0..300).map(|ms| three.closure(f64::from(ms) * 1e-3)).fold(0.0, f64::max);
            prop_assert!(most > 0.999 && three.end_time() < 0.3);
        }
    }
}
