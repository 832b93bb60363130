//! Videos of eyes: images, labelled points, and synthetic videos with known ground truth.
//!
//! The tracker is in [`crate::aam`]; this module contains the parts that the tracker shares with the label view and
//! the tests.

pub mod image;
pub mod labels;
pub mod layout;
pub mod suggest;
pub mod synthetic;
pub mod y4m;

pub use image::{Image, ImageRef};
pub use layout::{BORDERED, POINTS, Points};
