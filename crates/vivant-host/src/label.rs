//! Labels the eyes in a film: gives random access to frames, suggests frames to label, stores labels, and predicts
//! labels with a model that is trained on them.
//!
//! This module has no user interface; a server or a desktop program adds one.

mod cache;
mod colour;
mod film_index;
mod guess;
mod reader;
mod sample;
mod session;
mod store;
mod synthetic;

pub use guess::Guess;
pub use reader::FilmReader;
pub use session::{LabelProgress, LabelSession, Options};
pub use store::{Store, StoredLabels};
