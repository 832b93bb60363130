//! How a command fails: the project's one error, under the names that the commands use.

pub(crate) use vivant::{Error as Fault, ErrorKind as Kind, Result};

/// Several errors as one, a line each.
pub(crate) fn all(errors: impl IntoIterator<Item = Fault>) -> Fault {
    Fault::all(errors).unwrap_or_else(|| Fault::new("an unknown error"))
}
