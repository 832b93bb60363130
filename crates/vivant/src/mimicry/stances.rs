//! Which stance of a character's own repertoire a person is in.
//!
//! Each stance is a posture of the character's; how likely it is that a tracker saw it so is a matter of how far off
//! trackers are. Something else is always possible, so unknown is an answer.

use super::person::Person;
use super::shape::{Arm, Near, Shape};
use crate::body::layers::Layer;
use crate::body::library::Library;
use crate::math::exp;
use crate::pose::Pose;
use glam::Vec3;

/// The stances that can be told apart by what a camera sees: those that hold the arms.
#[derive(Clone, Debug)]
pub(super) struct Stances {
    all: Vec<Known>,
}

/// A stance and what it looks like.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Its number in the graph.
    pub(super) stance: usize,
    pub(super) name: String,
    shape: Shape,
    /// Whether it holds the legs, so that the weight tells.
    holds_legs: bool,
    /// The stance that looks like this one in a mirror: itself if it is symmetric, or none other is.
    pub(super) mirrored: usize,
}

impl Stances {
    /// Those of a repertoire on its avatar.
    pub(super) fn of(library: &Library) -> Self {
        let stances = library.graph().map_or(&[][..], |graph| graph.stances());
        let mut all = Vec::new();
        for (stance, node) in stances.iter().enumerate().filter(|(_, node)| node.layers.contains(Layer::Arms))
        {
            let person = posed(library, &library.stance_pose(stance));
            let Some(shape) = Shape::of(&person) else { continue };
            let holds_legs = node.layers.contains(Layer::Body);
            all.push(Known { stance, name: node.name.clone(), shape, holds_legs, mirrored: all.len() });
        }
        let mut stances = Self { all };
        stances.find_mirrored(library);
        stances
    }

    fn find_mirrored(&mut self, library: &Library) {
        for index in 0..self.all.len() {
            let person = posed(library, &library.stance_pose(self.all[index].stance)).mirrored();
            let Some(shape) = Shape::of(&person) else { continue };
            let off = self.all.iter().map(|known| known.off(&shape));
            let nearest = off.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            // A stance that only one side has is answered with itself.
            if let Some((nearest, _)) = nearest.filter(|(_, off)| *off < SAME_IN_MIRROR) {
                self.all[index].mirrored = nearest;
            }
        }
    }

    pub(super) fn all(&self) -> &[Known] {
        &self.all
    }

    /// How likely each stance is, in their order, and at the end how likely it is that it is none of them.
    pub(super) fn likely(&self, shape: &Shape) -> Vec<f64> {
        let off: Vec<f64> = self.all.iter().map(|known| known.off(shape)).collect();
        let least = off.iter().copied().fold(UNKNOWN, f64::min);
        let mut likely: Vec<f64> =
            off.iter().chain([&UNKNOWN]).map(|off| exp(-0.5 * (off - least))).collect();
        let sum: f64 = likely.iter().sum();
        likely.iter_mut().for_each(|likely| *likely /= sum);
        likely
    }
}

fn posed(library: &Library, pose: &Pose) -> Person {
    Person::posed(0.0, library.rig(), pose)
}

/// How far off something is that is no stance: so many squares of what trackers are off by.
const UNKNOWN: f64 = 30.0;
/// How far off a stance in the mirror may be to be the same one.
const SAME_IN_MIRROR: f64 = 6.0;

impl Known {
    /// How far a posture is from this one: squares of what trackers are off by, summed over what was seen.
    pub(super) fn off(&self, seen: &Shape) -> f64 {
        let arms = self.shape.arms.iter().zip(&seen.arms);
        let arms: f64 = arms.filter_map(|(own, seen)| Some(arm_off(own.as_ref()?, seen.as_ref()?))).sum();
        let palms = self.shape.between_palms.zip(seen.between_palms);
        let wrists = self.shape.between_wrists.zip(seen.between_wrists);
        let mut off = arms + far(palms.or(wrists), 0.16);
        if self.holds_legs {
            let aside = self.shape.weight.zip(seen.weight).map(|(own, seen)| seen.aside_of(own));
            off += far(aside.map(|aside| (0.0, aside)), 0.018);
        }
        off
    }
}

fn arm_off(own: &Arm, seen: &Arm) -> f64 {
    // Depth is guessed from the picture, and so less exact.
    let along = |own: Vec3, seen: Vec3, [side, depth]: [f64; 2]| {
        let off = (own - seen).as_dvec3();
        (off.x * off.x + off.y * off.y) / (side * side) + off.z * off.z / (depth * depth)
    };
    // Where both palms are known, they tell what hands touch.
    let (own_near, seen_near) =
        own.palm_near.zip(seen.palm_near).unwrap_or((own.wrist_near, seen.wrist_near));
    let near = |of: fn(&Near) -> Option<f32>, usual: f64| far(of(&own_near).zip(of(&seen_near)), usual);
    along(own.upper, seen.upper, [0.25, 0.4])
        + along(own.fore, seen.fore, [0.3, 0.5])
        + near(|near| near.hip, 0.16)
        + near(|near| near.other_elbow, 0.18)
        + near(|near| near.mouth, 0.16)
}

/// The square of how far two are apart, by what trackers are off by; nothing if one of them is not known.
fn far(both: Option<(f32, f32)>, usual: f64) -> f64 {
    let off = both.map_or(0.0, |(own, seen)| f64::from(own - seen) / usual);
    off * off
}
