//! Tracks the lids in every frame of a film: with a model of the eyes, in chunks, many at once, a row for each frame.

pub mod chunks;
mod eyes;
mod overlay;
mod paint;
mod part;
pub mod row;
mod sink;
mod summary;
mod whole;

pub use eyes::{Eyes, Same, Step};
pub use overlay::Overlay;
pub use part::{Earlier, Key, TrackFile};
pub use sink::{Output, Sink, Stream};
pub use summary::{Gap, Report, Speed, Summary};
pub use whole::{key, track};
