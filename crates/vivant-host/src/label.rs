//! Labelling the eyes in a film: its frames in any order, those that differ most, the labels in their file, and what
//! a model of them finds in other frames.
//!
//! Nothing here draws or listens; a server or a program with windows does.

mod colour;
mod desk;
mod drawn;
mod guess;
mod places;
mod reel;
mod sample;
mod shelf;
mod store;

pub use desk::{Desk, Options, Underway};
pub use guess::Guess;
pub use reel::Reel;
pub use store::{Kept, Store};
