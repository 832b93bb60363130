//! Numbers as NumPy arrays, which take over the memory that they are in.

use numpy::ndarray::{Dim, IntoDimension};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// One after another.
pub(crate) fn list<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyArray1<T>> {
    PyArray1::from_vec(py, values).unbind()
}

/// Rows of rows; the numbers stay where they are.
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

/// The same memory, to be looked at only.
pub(crate) fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.call_method1("setflags", (false,))?;
    Ok(view)
}
