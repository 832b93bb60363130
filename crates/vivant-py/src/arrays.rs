//! Converts vectors to NumPy arrays without copying.

use numpy::ndarray::{Dim, IntoDimension};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Creates a one-dimensional array.
pub(crate) fn list<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyArray1<T>> {
    PyArray1::from_vec(py, values).unbind()
}

/// Creates an array with the given shape, without copying.
pub(crate) fn grid<T: Element, const N: usize>(
    py: Python<'_>,
    values: Vec<T>,
    shape: [usize; N],
) -> PyResult<Py<PyArray<T, Dim<[usize; N]>>>>
where
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
    Dim<[usize; N]>: numpy::ndarray::Dimension,
{
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.unbind())
}

/// Returns a read-only view.
pub(crate) fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.call_method1("setflags", (false,))?;
    Ok(view)
}
