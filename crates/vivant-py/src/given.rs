//! What comes from Python, as Rust has it.

use crate::told::{Told, wrong};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use vivant_io::Warning;

/// One of the names of a thing; the others are told.
pub(crate) fn named<T: DeserializeOwned>(field: &str, name: &str) -> PyResult<T> {
    let value = serde_json::Value::String(name.to_ascii_lowercase());
    serde_json::from_value(value).map_err(|error| wrong(format!("{field}: {error}")))
}

/// One of a few names.
pub(crate) fn one_of<T: Copy>(field: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(own, _)| *own == name).map(|(_, thing)| *thing);
    found.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        wrong(format!("{field}: there is no `{name}`; give one of {}", names.join(", ")))
    })
}

/// What can be written as JSON, as JSON; text is taken as it is.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    value.py().import(intern!(value.py(), "json"))?.call_method1("dumps", (value,))?.extract()
}

/// Anything of ours, as dictionaries, lists and numbers.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).told()?;
    py.import(intern!(py, "json"))?.call_method1("loads", (text,))
}

/// A path, if it is a `str` or a `pathlib.Path`.
pub(crate) fn path(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyDict>() {
        return None;
    }
    value.extract::<PathBuf>().ok()
}

/// Warnings in words.
pub(crate) fn in_words(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// One, or all of a list or tuple.
pub(crate) fn each<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_many =
        value.is_instance_of::<pyo3::types::PyList>() || value.is_instance_of::<pyo3::types::PyTuple>();
    if is_many { value.try_iter()?.collect() } else { Ok(vec![value.clone()]) }
}
