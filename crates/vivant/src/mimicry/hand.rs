//! The shape of a hand, from where the joints of its fingers are, whatever tracker tells of them.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// How far the fingers of a hand are stretched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fingers {
    /// From the thumb to the little finger: how far the tip is from the wrist, by the way along the bones. A straight
    /// finger has 1, a curled one about a half, from wherever it is seen: what is straight is straight in every picture,
    /// and what comes back to the palm comes back in it. So a tracker's depth matters little.
    pub reach: [f32; 5],
}

/// A shape of the hand that can be told from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HandShape {
    /// All fingers are stretched.
    Open,
    /// All fingers are curled; the thumb is wherever it likes.
    Fist,
    /// The index finger alone is stretched.
    Pointing,
}

impl Fingers {
    /// From the wrist and the joints of each finger, knuckle first and tip last, thumb first, in any measure. `None` if
    /// they are no numbers, or all in one place.
    #[must_use]
    pub fn of(wrist: Vec3, fingers: &[[Vec3; 4]; 5]) -> Option<Self> {
        let reach = fingers.map(|joints| {
            let steps = std::iter::once(wrist).chain(joints).zip(joints);
            (joints[3] - wrist).length() / steps.map(|(from, to)| (to - from).length()).sum::<f32>()
        });
        reach.iter().all(|reach| reach.is_finite()).then_some(Self { reach })
    }

    /// The shape that they make; the present one stays a little longer. Between the shapes are hands of no shape.
    #[must_use]
    pub fn shape(&self, now: Option<HandShape>) -> Option<HandShape> {
        let all = [HandShape::Open, HandShape::Fist, HandShape::Pointing];
        let found = all.into_iter().find(|shape| self.are(*shape, 0.0));
        now.filter(|now| self.are(*now, STAYS)).or(found)
    }

    fn are(&self, shape: HandShape, slack: f32) -> bool {
        // A thumb lies along the palm as often as beside it: it tells nothing.
        let [_, index, others @ ..] = self.reach;
        let is_straight = |reach: f32| reach >= STRAIGHT - slack;
        let is_curled = |reach: f32| reach <= CURLED + slack;
        match shape {
            HandShape::Open => is_straight(index) && others.into_iter().all(is_straight),
            HandShape::Fist => is_curled(index) && others.into_iter().all(is_curled),
            HandShape::Pointing => is_straight(index) && others.into_iter().all(is_curled),
        }
    }

    /// How far they have moved since: the mean of all.
    pub(super) fn moved(&self, since: &Self) -> f32 {
        self.reach.iter().zip(since.reach).map(|(now, then)| (now - then).abs()).sum::<f32>() / 5.0
    }
}

/// A finger that reaches so far is straight, and so far curled; one that was stays so by this much more.
const STRAIGHT: f32 = 0.87;
const CURLED: f32 = 0.7;
const STAYS: f32 = 0.05;

impl HandShape {
    /// The word for it.
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

    /// How far the three joints of a finger are bent, in degrees.
    type Bend = [f32; 3];

    /// A left hand of an adult, in metres, whose fingers are bent so: the wrist, and the joints.
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

    /// Somebody's hand of a shape, bent as far as theirs bends.
    fn somebody(shape: HandShape, draw: &mut Draw) -> (Vec3, [[Vec3; 4]; 5]) {
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

    /// Nearly normal, with a deviation of 1 along each axis.
    fn about_one(draw: &mut Draw) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| (0..12).map(|_| draw.uniform() as f32).sum::<f32>() - 6.0))
    }

    /// The same as a tracker sees it: turned, larger or smaller, mirrored or not, with less depth and some jitter.
    fn seen((wrist, fingers): (Vec3, [[Vec3; 4]; 5]), draw: &mut Draw, off: f32) -> Option<Fingers> {
        let axis = about_one(draw).normalize_or(Vec3::Y);
        let turn = Quat::from_axis_angle(axis, draw.between(-3.2, 3.2) as f32);
        let size = draw.between(0.05, 20.0) as f32;
        let mirror = if draw.uniform() < 0.5 { -1.0 } else { 1.0 };
        let depth = draw.between(0.5, 1.2) as f32;
        let mut place = |at: Vec3| {
            let flat = Vec3::new(1.0, 1.0, depth);
            (turn * (at * Vec3::new(mirror, 1.0, 1.0)) * flat + about_one(draw) * off) * size
        };
        let wrist = place(wrist);
        Fingers::of(wrist, &fingers.map(|joints| joints.map(&mut place)))
    }

    #[test]
    fn shapes_of_hands_are_known_from_every_side_and_at_every_size() {
        let chance = Chance::new(3, "hands");
        for shape in [HandShape::Open, HandShape::Fist, HandShape::Pointing] {
            let (mut right, mut wrong) = (0, 0);
            for number in 0..2000 {
                let mut draw = chance.event(number);
                // 3 mm either way, as MediaPipe is off on hands that fill a quarter of the picture.
                let fingers = seen(somebody(shape, &mut draw), &mut draw, 0.003).expect("it is a hand");
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
    fn a_hand_between_shapes_has_none_and_one_that_had_a_shape_keeps_it_for_a_little() {
        let of = |bend: Bend| Fingers::of(Vec3::ZERO, &hand([0.0; 3], [bend; 4]).1).expect("it is a hand");
        let half = of([40.0, 60.0, 30.0]);
        assert_eq!(half.shape(None), None);
        assert_eq!(half.shape(Some(HandShape::Open)), None, "for a little");
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
            assert_eq!(shapes, expected, "each once: nothing flickers");
        }
    }

    #[test]
    fn what_is_no_hand_has_no_shape() {
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
