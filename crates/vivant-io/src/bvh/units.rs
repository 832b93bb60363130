//! Guesses the length unit of a file from the size of its skeleton.

use super::hierarchy::Joint;
use crate::error::{Warning, WarningCode};
use glam::DVec3;
use vivant::rig::Bone;

/// Height in metres to which a skeleton of unknown unit is scaled.
const USUAL_HEIGHT_M: f64 = 1.7;

/// Units of recordings other than metres and centimetres, with their length in metres. The last unit is used by the
/// Carnegie Mellon recordings: an inch divided by 0.45, which is the scale in their skeleton files.
const OTHER_UNITS: [(&str, f64); 3] = [
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("units of 1/0.45 inch, as Carnegie Mellon's", 0.0254 / 0.45),
];

/// The length unit of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    /// Length of one unit in metres.
    pub(super) metres: f64,
    guess: Option<String>,
}

impl Unit {
    pub(super) fn of(joints: &[Joint]) -> Self {
        let height = largest_extent(joints);
        if is_our_own(joints) || (100.0..=240.0).contains(&height) {
            return Self { metres: 0.01, guess: None };
        }
        if (1.2..=2.4).contains(&height) {
            return Self { metres: 1.0, guess: None };
        }
        let is_person = |metres: f64| (1.2..=2.3).contains(&(height * metres));
        if let Some((name, metres)) = OTHER_UNITS.into_iter().find(|(_, metres)| is_person(*metres)) {
            let guess = format!("a skeleton size of {height:.2} is read as {name}, {metres:.4} m each");
            return Self { metres, guess: Some(guess) };
        }
        if !(1e-6..=1e9).contains(&height) {
            let guess = format!("a skeleton size of {height} gives no hint; read as centimetres");
            return Self { metres: 0.01, guess: Some(guess) };
        }
        let metres = USUAL_HEIGHT_M / height;
        let guess = format!("a skeleton size of {height:.4} is scaled by {metres:.6} to {USUAL_HEIGHT_M} m");
        Self { metres, guess: Some(guess) }
    }

    pub(super) fn warning(&self) -> Option<Warning> {
        let guess = self.guess.as_ref()?;
        Some(Warning::new(WarningCode::Guessed, "HIERARCHY", format!("BVH files state no unit: {guess}")))
    }
}

/// Returns the largest side of the bounding box of all joints at rest. The up axis is unknown but not needed, because
/// a person in T-pose is about as wide as high.
fn largest_extent(joints: &[Joint]) -> f64 {
    let mut places: Vec<DVec3> = Vec::with_capacity(joints.len());
    for joint in joints {
        // The offset of a root is only the position of the whole skeleton. Parents come first in a BVH.
        let place = joint.parent.and_then(|p| places.get(p)).map_or(DVec3::ZERO, |p| *p + joint.offset);
        places.push(place);
    }
    let low = places.iter().copied().fold(DVec3::ZERO, DVec3::min);
    let high = places.iter().copied().fold(DVec3::ZERO, DVec3::max);
    (high - low).max_element()
}

/// Returns true if the joints have the names that [`write`](super::write()) uses. Such files are always in
/// centimetres, whatever the size of the avatar.
fn is_our_own(joints: &[Joint]) -> bool {
    let is_bone = |name: &str| Bone::from_name(name).is_some();
    let ours = |j: &Joint| is_bone(&j.name) || j.name.strip_suffix("_End").is_some_and(is_bone);
    joints.first().is_some_and(|j| j.name == Bone::Hips.name()) && joints.len() > 1 && joints.iter().all(ours)
}
