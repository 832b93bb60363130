//! Tracks the lids in every frame of a film with a model of the eyes, in parallel chunks, and writes one row per
//! frame.
//!
//! This turns a film of a person into a recording of lids, without an eye tracker. [`Eyes`] is the model, which is
//! read from a file or trained on labelled frames. [`track()`] applies the model to the whole film and can resume an
//! earlier run. A [`Sink`] receives the rows ([`row`]) and makes the [`Summary`]. The tracker itself is in
//! [`vivant_learn::aam`]. Points are in pixels, times in seconds.

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
