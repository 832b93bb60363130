//! The body: what it can do, what it does next, and the layers that play it.

pub mod behaviour;
pub mod choose;
pub mod graph;
pub mod layers;
pub mod library;
pub mod plan;
pub mod repertoire;
