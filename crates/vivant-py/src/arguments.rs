//! Conversions between Python and Rust values.

use crate::errors::{IntoPyResult, py_error};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use vivant_io::Warning;

/// Parses a name; the error lists the known names.
pub(crate) fn named<T: DeserializeOwned>(field: &str, name: &str) -> PyResult<T> {
    let value = serde_json::Value::String(name.to_ascii_lowercase());
    serde_json::from_value(value).map_err(|error| py_error(format!("{field}: {error}")))
}

/// Finds a value by its name in a list.
pub(crate) fn one_of<T: Copy>(field: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(own, _)| *own == name).map(|(_, thing)| *thing);
    found.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        py_error(format!("{field}: unknown name `{name}`; give one of {}", names.join(", ")))
    })
}

/// Converts a value to JSON; a string is returned unchanged.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    value.py().import(intern!(value.py(), "json"))?.call_method1("dumps", (value,))?.extract()
}

/// Converts a value to dictionaries, lists and numbers.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).into_py_result()?;
    py.import(intern!(py, "json"))?.call_method1("loads", (text,))
}

/// Returns a path, if the value is a `str` or a `pathlib.Path`.
pub(crate) fn path(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyDict>() {
        return None;
    }
    value.extract::<PathBuf>().ok()
}

/// Converts warnings to strings.
pub(crate) fn to_strings(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Returns the items of a list or tuple; any other value is returned as the only item.
pub(crate) fn each<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_many =
        value.is_instance_of::<pyo3::types::PyList>() || value.is_instance_of::<pyo3::types::PyTuple>();
    if is_many { value.try_iter()?.collect() } else { Ok(vec![value.clone()]) }
}
