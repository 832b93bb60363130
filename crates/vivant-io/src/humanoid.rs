//! Which node is which bone, found from names and from structure.
use crate::error::Warning;
use crate::scene::{HumanoidMap, Scene};

/// Finds the humanoid bones of a scene.
pub fn find(_scene: &Scene, _warnings: &mut Vec<Warning>) -> HumanoidMap {
    unimplemented!()
}

/// Whether the scene has bones for the eyelids.
#[must_use]
pub fn has_lid_bones(_scene: &Scene) -> bool {
    unimplemented!()
}
