//! How open an eye is: the one place where everything that moves a lid comes together.
//!
//! An eye is as open as the gap between its lids. The gaze sets the gap, the resting aperture scales
//! it, and a blink takes a share of what is there. So a blink starts from wherever the lid is and gives
//! it back to wherever the gaze then wants it (paper 1, Figure 5), and nothing is ever summed.

use crate::eyes::blink::{Blink, BlinkProfile};
use crate::eyes::blink_model::BlinkCurve;
use crate::eyes::glide::Momentum;
use crate::math::most;
use serde::Serialize;

/// How far an upper lid comes down to close an eye that looks ahead, in degrees (our design: the middle
/// of the blinks that Evinger measured).
pub const CLOSING_DEG: f64 = 35.0;

/// What a lower lid does, as a share of the upper one's movement (paper 1, "Parameterization").
pub const LOWER_SHARE: f64 = 0.25;

/// The lids of one eye.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lids {
    /// Where the upper lid is: degrees from its place in primary position, down is negative.
    #[serde(rename = "upper")]
    pub upper_deg: f64,
    /// Where the lower lid is, likewise.
    #[serde(rename = "lower")]
    pub lower_deg: f64,
    /// The gap between them: 1 in primary position, 0 closed; looking up opens it further.
    pub aperture: f64,
}

impl Lids {
    /// The lids of an eye whose lid follows the gaze to `follow_deg`, with a resting aperture, closed by a
    /// blink to the share `closure`.
    ///
    /// Looking down, the lower lid goes along by a quarter; blinking, it comes up by a quarter.
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

    /// On the way to others.
    pub(crate) fn mixed(&self, to: &Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Self {
            upper_deg: between(self.upper_deg, to.upper_deg),
            lower_deg: between(self.lower_deg, to.lower_deg),
            aperture: between(self.aperture, to.aperture),
        }
    }
}

/// The gap between the lids in primary position.
const OPEN_DEG: f64 = CLOSING_DEG * (1.0 + LOWER_SHARE);

fn gap_deg(follow_deg: f64, resting: f64) -> f64 {
    most(OPEN_DEG * resting + (1.0 - LOWER_SHARE) * follow_deg, 0.0)
}

/// How far the upper lid has to come down to close the eye.
#[must_use]
pub fn closing_deg(follow_deg: f64, resting: f64) -> f64 {
    gap_deg(follow_deg, resting) / (1.0 + LOWER_SHARE)
}

/// A blink that runs, as a share of closure over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlinkRun {
    at: f64,
    /// The closure that it began with, and the one that it reaches.
    from: f64,
    to: f64,
    blink: Blink,
    momentum: Momentum,
    ends: f64,
}

/// What a blink is to be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlinkShape {
    /// The closure that it reaches, from 0 to 1.
    pub(crate) magnitude: f64,
    /// How far the lid has to come down for a closure of 1.
    pub(crate) closing_deg: f64,
    /// How long it stays down; `None` for as long as blinks do.
    pub(crate) hold_secs: Option<f64>,
    pub(crate) profile: BlinkProfile,
    /// The blink that was learned, if it is one.
    pub(crate) curve: Option<BlinkCurve>,
    /// How fast the lids are: 1 is as measured.
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
        let (at, ends) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Self { at, from: 0.0, to: 0.0, blink: Blink::new(0.0), momentum: Momentum::NONE, ends }
    }

    /// A blink from wherever the lid is. A lid that is coming down already, and far enough, goes on; if it
    /// is to be held, it is.
    #[must_use]
    pub(crate) fn onward(&self, at: f64, shape: &BlinkShape) -> Self {
        const MOMENTUM_SECS: f64 = 0.03;
        let (from, velocity) = (self.closure(at), self.velocity(at));
        let to = shape.magnitude.clamp(0.0, 1.0);
        let is_closing = self.is_on(at) && at - self.at < self.blink.opens_at_secs();
        if is_closing && self.to >= to {
            return shape.hold_secs.map_or(*self, |secs| self.held_until(at + secs));
        }
        if from >= to {
            return *self;
        }
        let degrees = [(to - from) * shape.closing_deg, to * shape.closing_deg];
        let blink = shape.between(degrees, shape.hold_secs);
        let momentum = Momentum::new(velocity, blink.closed_at_secs().min(MOMENTUM_SECS));
        Self { at, from, to, blink, momentum, ends: at + blink.duration_secs() }
    }

    /// Stays down until a time, if that is longer than it would have.
    fn held_until(&self, until: f64) -> Self {
        let down = self.blink.closed_at_secs();
        let hold = (self.blink.opens_at_secs() - down).max(until - self.at - down);
        self.with_hold(hold)
    }

    fn with_hold(&self, secs: f64) -> Self {
        let blink = self.blink.with_hold(secs);
        Self { blink, ends: self.at + blink.duration_secs(), ..*self }
    }

    /// Opens when the lid has been down, instead of whenever it would have.
    #[must_use]
    pub(crate) fn opened(&self, at: f64, shape: &BlinkShape) -> Self {
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
        Self { at, from, to: from, blink, momentum: Momentum::NONE, ends: at + blink.duration_secs() }
    }

    /// When it is over.
    #[cfg(test)]
    pub(crate) fn ends(&self) -> f64 {
        self.ends
    }

    /// Whether the lid moves or is held at `t`.
    pub(crate) fn is_on(&self, t: f64) -> bool {
        t >= self.at && t < self.ends
    }

    /// The share of the gap that is closed.
    pub(crate) fn closure(&self, t: f64) -> f64 {
        if !self.is_on(t) {
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

    /// How fast the closure changes, a second.
    pub(crate) fn velocity(&self, t: f64) -> f64 {
        if !self.is_on(t) {
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

    /// VanderWerf 2003: blinks are largest from 30° up, and smallest from 30° down.
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

        /// A second blink at any moment of the first goes on from its position and velocity, and closes as
        /// far as the one that closes further.
        #[test]
        fn a_blink_goes_on_from_wherever_the_lid_is(after in 0.0f64..0.3, first in 0.2f64..=1.0, second in 0.2f64..=1.0) {
            let one = BlinkRun::none().onward(0.0, &shape(first));
            let two = one.onward(after, &shape(second));
            prop_assert!((one.closure(after) - two.closure(after)).abs() < 1e-12);
            prop_assert!((one.velocity(after) - two.velocity(after)).abs() < 1e-9);
            let most = (0..4000).map(|i| two.closure(after + f64::from(i) * 1e-4)).fold(0.0, f64::max);
            prop_assert!(most > second.min(one.closure(after).max(second)) - 1e-3, "{most}");
            prop_assert!(two.closure(two.ends()) == 0.0 && two.ends() < after + 0.5);
        }

        /// … and if it is to be held, it is, also when the lid was coming down already.
        #[test]
        fn a_closed_eye_opens_when_it_is_told_to(after in 0.0f64..0.3, later in 0.5f64..1.0) {
            let held = BlinkShape { hold_secs: Some(10.0), ..shape(1.0) };
            let one = BlinkRun::none().onward(0.0, &shape(1.0)).onward(after, &held);
            prop_assert!((one.closure(after + 0.3) - 1.0).abs() < 1e-9 && one.ends() > 10.0);
            let two = one.opened(later, &held);
            prop_assert!((one.closure(later) - two.closure(later)).abs() < 1e-12);
            prop_assert!(two.ends() < later + 0.3 && two.closure(two.ends()) == 0.0);
            // Told so on its way down, it first gets there.
            let three = BlinkRun::none().onward(0.0, &held).opened(0.01, &held);
            let most = (0..300).map(|ms| three.closure(f64::from(ms) * 1e-3)).fold(0.0, f64::max);
            prop_assert!(most > 0.999 && three.ends() < 0.3);
        }
    }
}
