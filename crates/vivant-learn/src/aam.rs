//! Active appearance model (AAM) of a pair of eyes, fitted to each frame of a video (paper 3, sections 3.1 and 3.2).
//!
//! A [`Model`] learns shape and appearance of two eyes from about twenty labelled images; the same few parameters
//! describe both shape and appearance. A [`Fitter`] finds the parameters that best match an image, starting from a
//! nearby pose.

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
pub use track::{KnownPose, Memory, TrackOptions, Tracked, Tracker};

#[cfg(test)]
mod tests;
