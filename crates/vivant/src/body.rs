//! The body: what it can do, what it does next, the layers that play it, and what lives between actions.

pub mod accent;
pub mod behaviour;
pub mod breath;
pub mod choose;
mod drift;
pub mod driven;
pub mod graph;
pub mod layers;
pub mod library;
pub mod mood;
pub mod plan;
pub mod repertoire;
#[cfg(test)]
mod stand_in;
pub mod stroke;
pub mod sway;
