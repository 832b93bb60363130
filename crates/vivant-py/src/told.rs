//! What goes wrong, as Python's exception with the engine's words.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    vivant,
    Error,
    PyException,
    "What could not be read, understood or done: the file, the field, and what to do about it."
);

/// Turns an error of ours into Python's.
pub(crate) trait Told<T> {
    fn told(self) -> PyResult<T>;
}

impl<T, E: Display> Told<T> for Result<T, E> {
    fn told(self) -> PyResult<T> {
        self.map_err(|error| wrong(error))
    }
}

pub(crate) fn wrong(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// Lets Python look whether somebody pressed Ctrl-C, for what takes long without it.
pub(crate) fn interrupted() -> PyResult<()> {
    #[allow(clippy::redundant_closure_for_method_calls, reason = "the method alone is of one lifetime")]
    Python::attach(|py| py.check_signals())
}
