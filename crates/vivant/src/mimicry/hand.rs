//! Hand shapes from the finger joints of any tracker.
//!
//! The shape is found from ratios of lengths, so it needs no calibration: unit, hand size, mirroring and viewing
//! direction do not matter, and errors in depth matter little. [`Fingers::of`] computes the extension of each finger,
//! and [`Fingers::shape`] returns the [`HandShape`]; pass the previous shape, so that it does not flicker. The thumb is
//! ignored, because it lies along the palm as often as beside it. Hands between the known shapes have no shape.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Extension of the fingers of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fingers {
    /// Extension of each finger, from thumb to little finger: the distance of the fingertip from the wrist relative
    /// to the length along the bones. It is 1 for a straight finger and about 0.5 for a curled finger. A straight
    /// finger looks straight from any viewpoint, so errors in depth matter little.
    pub reach: [f32; 5],
}

/// A hand shape that can be recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HandShape {
    /// All fingers are extended.
    Open,
    /// All fingers are curled; the thumb does not matter.
    Fist,
    /// Only the index finger is extended.
    Pointing,
}

impl Fingers {
    /// Computes the extension from the wrist and the joints of each finger (thumb first; knuckle first, tip last) in
    /// any unit. Returns `None` if values are not finite or all points coincide.
    #[must_use]
    pub fn of(wrist: Vec3, fingers: &[[Vec3; 4]; 5]) -> Option<Self> {
        let reach = fingers.map(|joints| {
            let steps = std::iter::once(wrist).chain(joints).zip(joints);
            (joints[3] - wrist).length() / steps.map(|(from, to)| (to - from).length()).sum::<f32>()
        });
        reach.iter().all(|reach| reach.is_finite()).then_some(Self { reach })
    }

    /// Returns the hand shape, or `None` if the hand has none of the known shapes. The current shape `now` is kept a
    /// little longer (hysteresis).
    #[must_use]
    pub fn shape(&self, now: Option<HandShape>) -> Option<HandShape> {
        let all = [HandShape::Open, HandShape::Fist, HandShape::Pointing];
        let found = all.into_iter().find(|shape| self.has_shape(*shape, 0.0));
        now.filter(|now| self.has_shape(*now, HYSTERESIS)).or(found)
    }

    fn has_shape(&self, shape: HandShape, slack: f32) -> bool {
        // The thumb is ignored: it lies along the palm as often as beside it.
        let [_, index, others @ ..] = self.reach;
        let is_straight = |reach: f32| reach >= STRAIGHT - slack;
        let is_curled = |reach: f32| reach <= CURLED + slack;
        match shape {
            HandShape::Open => is_straight(index) && others.into_iter().all(is_straight),
            HandShape::Fist => is_curled(index) && others.into_iter().all(is_curled),
            HandShape::Pointing => is_straight(index) && others.into_iter().all(is_curled),
        }
    }

    /// Returns the mean change of all fingers since an earlier state.
    pub(super) fn moved(&self, since: &Self) -> f32 {
        self.reach.iter().zip(since.reach).map(|(now, then)| (now - then).abs()).sum::<f32>() / 5.0
    }
}

/// Extension from which on a finger counts as straight.
const STRAIGHT: f32 = 0.87;
/// Extension up to which a finger counts as curled.
const CURLED: f32 = 0.7;
/// Amount by which both limits are relaxed for the current shape.
const HYSTERESIS: f32 = 0.05;

impl HandShape {
    /// Returns the name: `open`, `fist` or `pointing`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fist => "fist",
            Self::Pointing => "pointing",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Draw};
    use crate::math::{cos32, sin32};
    use glam::Quat;

    /// Flexion of the three joints of a finger in degrees.
    type Bend = [f32; 3];

    /// Returns wrist and joints of an adult's left hand with the given flexion, in metres.
    fn hand(thumb: Bend, bends: [Bend; 4]) -> (Vec3, [[Vec3; 4]; 5]) {
        let joints = |root: Vec3, way: f32, lengths: [f32; 3], bend: Bend| {
            let (mut at, mut angle, mut all) = (root, 0.0, [root; 4]);
            for n in 0..3 {
                angle += bend[n].to_radians();
                let along = Vec3::new(sin32(way) * cos32(angle), cos32(way) * cos32(angle), sin32(angle));
                at += along * lengths[n];
                all[n + 1] = at;
            }
            all
        };
        let mut fingers = [joints(Vec3::new(0.035, 0.025, 0.01), 0.7, [0.045, 0.034, 0.027], thumb); 5];
        for (n, bend) in bends.into_iter().enumerate() {
            let side = n as f32 - 1.5;
            let size = [0.95, 1.05, 1.0, 0.8][n];
            let root = Vec3::new(-0.02 * side, 0.092 - 0.006 * side * side, 0.0);
            fingers[n + 1] = joints(root, -0.06 * side, [0.043, 0.026, 0.02].map(|m| m * size), bend);
        }
        (Vec3::ZERO, fingers)
    }

    /// Returns a random hand of a given shape.
    fn random_hand(shape: HandShape, draw: &mut Draw) -> (Vec3, [[Vec3; 4]; 5]) {
        let mut between = |low: f64, high: f64| draw.between(low, high) as f32;
        let mut straight = || [between(-5.0, 25.0), between(0.0, 20.0), between(0.0, 12.0)];
        let mut all = [straight(), straight(), straight(), straight()];
        let mut curled = || [between(55.0, 90.0), between(80.0, 110.0), between(35.0, 75.0)];
        match shape {
            HandShape::Open => {}
            HandShape::Fist => all = [curled(), curled(), curled(), curled()],
            HandShape::Pointing => all[1..].iter_mut().for_each(|bend| *bend = curled()),
        }
        hand([between(0.0, 30.0), between(0.0, 60.0), between(0.0, 60.0)], all)
    }

    /// Returns an approximately normal vector with a standard deviation of 1 along each axis.
    fn normal_vector(draw: &mut Draw) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| (0..12).map(|_| draw.uniform() as f32).sum::<f32>() - 6.0))
    }

    /// Simulates a tracker: rotates, scales and possibly mirrors the hand, distorts depth and adds jitter.
    fn seen((wrist, fingers): (Vec3, [[Vec3; 4]; 5]), draw: &mut Draw, off: f32) -> Option<Fingers> {
        let axis = normal_vector(draw).normalize_or(Vec3::Y);
        let turn = Quat::from_axis_angle(axis, draw.between(-3.2, 3.2) as f32);
        let size = draw.between(0.05, 20.0) as f32;
        let mirror = if draw.uniform() < 0.5 { -1.0 } else { 1.0 };
        let depth = draw.between(0.5, 1.2) as f32;
        let mut place = |at: Vec3| {
            let flat = Vec3::new(1.0, 1.0, depth);
            (turn * (at * Vec3::new(mirror, 1.0, 1.0)) * flat + normal_vector(draw) * off) * size
        };
        let wrist = place(wrist);
        Fingers::of(wrist, &fingers.map(|joints| joints.map(&mut place)))
    }

    #[test]
    fn hand_shapes_are_recognized_from_any_view_and_at_any_size() {
        let chance = Chance::new(3, "hands");
        for shape in [HandShape::Open, HandShape::Fist, HandShape::Pointing] {
            let (mut right, mut wrong) = (0, 0);
            for number in 0..2000 {
                let mut draw = chance.event(number);
                // Noise of 3 mm, the error of MediaPipe for hands that fill a quarter of the image.
                let fingers = seen(random_hand(shape, &mut draw), &mut draw, 0.003).expect("a valid hand");
                match fingers.shape(None) {
                    Some(found) if found == shape => right += 1,
                    Some(_) => wrong += 1,
                    None => {}
                }
            }
            println!("{shape:?}: {right} right and {wrong} wrong of 2000");
            assert!(right >= 1900 && wrong <= 10, "{shape:?}: {right} right and {wrong} wrong of 2000");
        }
    }

    #[test]
    fn hand_shapes_have_hysteresis() {
        let of = |bend: Bend| Fingers::of(Vec3::ZERO, &hand([0.0; 3], [bend; 4]).1).expect("a valid hand");
        let half = of([40.0, 60.0, 30.0]);
        assert_eq!(half.shape(None), None);
        assert_eq!(half.shape(Some(HandShape::Open)), None, "hysteresis is small");
        let (mut opening, mut closing) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (Some(HandShape::Fist), Some(HandShape::Open));
        for step in 0..=100_u8 {
            let at = |share: f32| of([80.0, 100.0, 60.0].map(|deg| deg * share));
            a = at(1.0 - f32::from(step) / 100.0).shape(a);
            b = at(f32::from(step) / 100.0).shape(b);
            opening.push(a);
            closing.push(b);
        }
        for (shapes, expected) in [
            (opening, [Some(HandShape::Fist), None, Some(HandShape::Open)]),
            (closing, [Some(HandShape::Open), None, Some(HandShape::Fist)]),
        ] {
            let mut shapes = shapes;
            shapes.dedup();
            assert_eq!(shapes, expected, "no flicker");
        }
    }

    #[test]
    fn invalid_hands_have_no_shape() {
        let nowhere = [[Vec3::ZERO; 4]; 5];
        assert_eq!(Fingers::of(Vec3::ZERO, &nowhere), None);
        for wrong in [f32::NAN, f32::INFINITY] {
            let (wrist, mut fingers) = hand([0.0; 3], [[0.0; 3]; 4]);
            assert_eq!(Fingers::of(Vec3::splat(wrong), &fingers), None);
            fingers[2][3].x = wrong;
            assert_eq!(Fingers::of(wrist, &fingers), None);
        }
    }
}
