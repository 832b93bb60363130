//! Recognizes which stance of the character's own repertoire a person is in.
//!
//! The likelihood of each stance follows from typical errors of trackers. “Unknown” is always a possible result.

use super::person::Person;
use super::shape::{Arm, Near, Shape};
use crate::body::layers::Layer;
use crate::body::library::Library;
use crate::math::exp;
use crate::pose::Pose;
use glam::Vec3;

/// The stances that a camera can distinguish: the stances that define the arms.
#[derive(Clone, Debug)]
pub(super) struct Stances {
    all: Vec<Known>,
}

/// A stance and its posture.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Index in the graph.
    pub(super) stance: usize,
    pub(super) name: String,
    shape: Shape,
    /// True if the stance defines the legs. Only then is the weight shift compared.
    holds_legs: bool,
    /// Index of the stance that is the mirror image of this stance. A stance that is symmetric or has no mirror image
    /// refers to itself.
    pub(super) mirrored: usize,
}

impl Stances {
    /// Computes the postures of the avatar in all stances of its repertoire.
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
            let distance = self.all.iter().map(|known| known.distance(&shape));
            let nearest = distance.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            // A stance without a mirror image is answered with itself.
            if let Some((nearest, _)) = nearest.filter(|(_, distance)| *distance < SAME_IN_MIRROR) {
                self.all[index].mirrored = nearest;
            }
        }
    }

    pub(super) fn all(&self) -> &[Known] {
        &self.all
    }

    /// Returns the probability of each stance, and as the last entry the probability that the posture is none of them.
    pub(super) fn probabilities(&self, shape: &Shape) -> Vec<f64> {
        let distance: Vec<f64> = self.all.iter().map(|known| known.distance(shape)).collect();
        let least = distance.iter().copied().fold(UNKNOWN, f64::min);
        let mut probabilities: Vec<f64> =
            distance.iter().chain([&UNKNOWN]).map(|distance| exp(-0.5 * (distance - least))).collect();
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probabilities| *probabilities /= sum);
        probabilities
    }
}

fn posed(library: &Library, pose: &Pose) -> Person {
    Person::posed(0.0, library.rig(), pose)
}

/// Distance at which a posture counts as unknown, in squared tracker errors.
const UNKNOWN: f64 = 30.0;
/// Maximum distance at which a mirrored stance counts as the same as another stance.
const SAME_IN_MIRROR: f64 = 6.0;

impl Known {
    /// Returns the distance of a posture from this stance: squared tracker errors, summed over the visible parts.
    pub(super) fn distance(&self, seen: &Shape) -> f64 {
        let arms = self.shape.arms.iter().zip(&seen.arms);
        let arms: f64 =
            arms.filter_map(|(own, seen)| Some(arm_distance(own.as_ref()?, seen.as_ref()?))).sum();
        let palms = self.shape.between_palms.zip(seen.between_palms);
        let wrists = self.shape.between_wrists.zip(seen.between_wrists);
        let mut distance = arms + squared_error(palms.or(wrists), 0.16);
        if self.holds_legs {
            let aside = self.shape.weight.zip(seen.weight).map(|(own, seen)| seen.aside_of(own));
            distance += squared_error(aside.map(|aside| (0.0, aside)), 0.018);
        }
        distance
    }
}

fn arm_distance(own: &Arm, seen: &Arm) -> f64 {
    // Depth is estimated from the image and is less accurate than the other axes.
    let along = |own: Vec3, seen: Vec3, [side, depth]: [f64; 2]| {
        let distance = (own - seen).as_dvec3();
        (distance.x * distance.x + distance.y * distance.y) / (side * side)
            + distance.z * distance.z / (depth * depth)
    };
    // If both palms are known, they show what the hands touch.
    let (own_near, seen_near) =
        own.palm_near.zip(seen.palm_near).unwrap_or((own.wrist_near, seen.wrist_near));
    let near =
        |of: fn(&Near) -> Option<f32>, usual: f64| squared_error(of(&own_near).zip(of(&seen_near)), usual);
    along(own.upper, seen.upper, [0.25, 0.4])
        + along(own.fore, seen.fore, [0.3, 0.5])
        + near(|near| near.hip, 0.16)
        + near(|near| near.other_elbow, 0.18)
        + near(|near| near.mouth, 0.16)
}

/// Returns the squared difference relative to the tracker error; 0 if one of the values is unknown.
fn squared_error(both: Option<(f32, f32)>, usual: f64) -> f64 {
    let distance = both.map_or(0.0, |(own, seen)| f64::from(own - seen) / usual);
    distance * distance
}
