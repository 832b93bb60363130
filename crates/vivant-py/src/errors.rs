//! Errors as Python exceptions, with the engine's messages.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    vivant,
    Error,
    PyException,
    "Raised for invalid files, fields and arguments. The message says what is wrong, where, and what to do."
);

/// Converts errors to Python exceptions.
pub(crate) trait IntoPyResult<T> {
    fn into_py_result(self) -> PyResult<T>;
}

impl<T, E: Display> IntoPyResult<T> for Result<T, E> {
    fn into_py_result(self) -> PyResult<T> {
        self.map_err(|error| py_error(error))
    }
}

pub(crate) fn py_error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// Checks for Ctrl-C during long work in Rust.
pub(crate) fn check_interrupt() -> PyResult<()> {
    #[allow(clippy::redundant_closure_for_method_calls, reason = "the method path has a single lifetime")]
    Python::attach(|py| py.check_signals())
}
