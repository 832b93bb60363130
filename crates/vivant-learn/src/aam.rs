//! Eyes in a film: an active appearance model of them, fitted to each picture (paper 3, sections 3.1 and 3.2).
//!
//! From about twenty labelled pictures a [`Model`] learns how two eyes can be shaped and how they can look, both by the
//! same few numbers. A [`Fitter`] finds the numbers with which the model looks most like a picture, from a start that is
//! near.

mod build;
mod file;
mod fit;
mod kernel;
mod lanes;
mod level;
mod linear;
mod mesh;
mod model;
mod sample;
mod search;
mod similarity;
mod solve;
mod surface;
mod track;
mod view;

pub use build::{BuildOptions, Example};
pub use file::VERSION;
pub use fit::{Fit, FitOptions, Fitter, Robust, Update};
pub use linear::Form;
pub use mesh::Mesh;
pub use model::{Expected, Model, Pose, Sizes};
pub use similarity::Similarity;
pub use track::{Known, Memory, TrackOptions, Tracked, Tracker};

#[cfg(test)]
mod tests;
