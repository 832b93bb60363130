//! Errors of commands: the project's error type, under the names used in this crate.

pub(crate) use vivant::{Error as Fault, ErrorKind as Kind, Result};

/// Joins several errors into one error with one line for each.
pub(crate) fn all(errors: impl IntoIterator<Item = Fault>) -> Fault {
    Fault::all(errors).unwrap_or_else(|| Fault::new("unknown error"))
}
