//! Making and checking a repertoire: what clips seem to be, where they belong, what is wrong, and a graph of it all.

mod add;
pub(crate) mod check;
mod graph;
pub(crate) mod mend;
mod sources;
pub(crate) mod suggest;
mod table;

pub use add::label::Wish;
pub use add::{Added, Addition, Skipped};
pub(crate) use add::{SURE, label, place};
pub use check::{Checked, Finding, Level};
pub use graph::{Drawable, Drawn, OfLayers, Ways};
pub use sources::{Source, Sources};
pub use suggest::{Suggested, suggestions};

use vivant_io::Error;

/// Reports progress: the number of finished steps, and of all.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Several errors as one, a line each.
pub(crate) fn joined(errors: impl IntoIterator<Item = Error>) -> Error {
    Error::all(errors).unwrap_or_else(|| Error::new("an unknown error"))
}
