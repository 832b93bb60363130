//! From film to lids: pictures of eyes, the points that are labelled on them, and films of known truth.
//!
//! The tracker itself is [`crate::aam`]; this is what it, the label view and the tests have in common.

pub mod image;
pub mod labels;
pub mod layout;
pub mod suggest;
pub mod synthetic;
pub mod y4m;

pub use image::{Image, Picture};
pub use layout::{BORDERED, POINTS, Points};
