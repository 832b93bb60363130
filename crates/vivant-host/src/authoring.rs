//! Makes and checks a repertoire: suggests labels for clips, adds the clips, reports errors and draws the stance
//! graph.
//!
//! Labelling a hundred clips by hand is slow and error-prone. [`Sources`] reads clips, and [`suggestions`] labels
//! them from their motion. An [`Addition`] plans and writes the changes to a repertoire. [`Checked`] lists the errors
//! and warnings of a repertoire, and [`StanceGraph`] draws stances and transitions (Borer 2019, Figures 1 and 2). The
//! commands and the studio use the same functions. They read a character as a
//! [`Draft`](crate::character::draft::Draft), so they also work on a character with errors.

mod add;
pub(crate) mod check;
mod graph;
pub(crate) mod repair;
mod sources;
pub(crate) mod suggest;
mod table;

pub use add::label::LabelOptions;
pub use add::{Added, Addition, Skipped};
pub(crate) use add::{MIN_CONFIDENCE, label, place};
pub use check::{Checked, Finding, Level};
pub use graph::{GraphStance, GraphTransitions, StanceGraph, StanceGroup};
pub use sources::{Source, Sources};
pub use suggest::{Suggested, suggestions};

use vivant_io::Error;

/// Reports progress: the number of finished steps and the total number of steps.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Joins several errors into one error with one line per error.
pub(crate) fn join_errors(errors: impl IntoIterator<Item = Error>) -> Error {
    Error::all(errors).unwrap_or_else(|| Error::new("an unknown error"))
}
