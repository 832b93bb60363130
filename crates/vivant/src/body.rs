//! The body: motions bound to an avatar, and the layers that play them.

pub mod choose;
pub mod layers;
pub mod library;
