//! Where the lids are in every frame of a film: whose eyes, many chunks at once, and a row a frame.

pub mod chunks;
mod eyes;
pub mod row;

pub use eyes::{Eyes, Same, Step};
