//! Blink detection.

use crate::arguments::{as_python, one_of};
use crate::arrays::list;
use crate::errors::{IntoPyResult, py_error};
use crate::recordings::{EYES, Recording, numbers};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use vivant_learn::blinks::recorded::{Labelled, Settings, label_recording};
use vivant_learn::blinks::report::{COLUMNS, KIND, Report, Row, csv};
use vivant_learn::blinks::statistics::Statistics;
use vivant_learn::blinks::{End, Options, Zero, label_with_gaze};
use vivant_learn::recording as learn;

const ENDS: [(&str, End); 2] = [("gradient", End::Gradient), ("vanderwerf95", End::VanderWerf95)];

/// Blinks, long closures and squints: a table with statistics.
///
/// ``blinks["onset"]`` is a column of ``table``, and ``len(blinks)`` the number of its rows.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Blinks {
    labelled: Labelled,
    recording: learn::Recording,
    warnings: Vec<vivant_io::Warning>,
    /// One row per event, as a structured array. ``onset``, ``apex`` and ``offset`` are times in seconds; ``kind`` is
    /// "blink", "partial", "long" or "squint"; ``closing`` and ``opening`` are durations in seconds; ``amplitude`` is
    /// the distance by which the lids close, in the unit of the signal; ``completeness`` is the closure at the apex,
    /// from 0 (open) to 1 (closed); ``peak_closing_per_s`` and ``peak_opening_per_s`` are the peak velocities per
    /// second. Unknown values are NaN. Values are rounded to a millionth, as in files.
    #[pyo3(get)]
    table: Py<PyAny>,
    /// The signal in which blinks were detected, at ``rate_hz``: the aperture from 0 (closed) to 1 (open), or the
    /// given array. Empty if only the blinks reported by the device are known.
    #[pyo3(get)]
    openness: Py<PyArray1<f64>>,
}

#[pymethods]
impl Blinks {
    /// Samples per second of ``openness``.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.labelled.rate_hz
    }

    /// Notes about the detection.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.labelled.notes.clone()
    }

    /// Counts, rates, and distributions of durations and intervals.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.labelled.statistics)
    }

    fn __len__(&self) -> usize {
        self.labelled.events.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.table.bind(py).get_item(key)
    }

    /// The table, for NumPy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table.bind(py);
        match dtype {
            Some(dtype) => table.call_method1("astype", (dtype,)),
            None if copy == Some(true) => table.call_method0("copy"),
            None => Ok(table.clone()),
        }
    }

    /// Returns the CSV of ``vivant blinks -o blinks.csv``.
    fn to_csv(&self) -> String {
        csv(&self.labelled.events)
    }

    /// Returns the JSON of ``vivant blinks --json``.
    fn to_json(&self) -> PyResult<String> {
        let report = Report::of(&self.recording, &self.labelled, &self.warnings);
        Ok(serde_json::to_string_pretty(&report).into_py_result()? + "\n")
    }

    fn __repr__(&self) -> String {
        let Statistics { blinks, partial, long, squints, .. } = &self.labelled.statistics;
        format!("<vivant.Blinks: {blinks} blinks, {partial} partial, {long} long, {squints} squints>")
    }
}

/// Labels the blinks of a recording (Trutoiu et al. 2011, section 3.3.1).
///
/// Parameters
/// ----------
/// recording : Recording, path or array
///     A recording, its file, or samples of the aperture of an eye, in any unit that increases as the eye opens.
/// rate : float, optional
///     Samples per second: required for an array. A recording is resampled to this rate; by default it keeps its own
///     rate.
/// eye : "both", "left" or "right"
///     For a recording: the eye; "both" finds only blinks of both eyes at once.
/// end : "gradient" or "vanderwerf95"
///     Definition of the end of a blink. "gradient": the lids are open and at rest; "vanderwerf95": the lids have
///     risen by 95 % of the amplitude.
/// pitch : array, optional
///     For an array, the upward gaze angle in degrees, to distinguish downward glances from squints.
/// zero : "shut" or "arbitrary"
///     For an array: "shut" if 0 means closed, as for lids; "arbitrary" as for an electro-oculogram.
#[pyfunction]
#[pyo3(signature = (recording, *, rate=None, eye="both", end="gradient", pitch=None, zero="shut"))]
pub(crate) fn blinks(
    py: Python<'_>,
    recording: &Bound<'_, PyAny>,
    rate: Option<f64>,
    eye: &str,
    end: &str,
    pitch: Option<PyArrayLike1<'_, f64, AllowTypeChange>>,
    zero: &str,
) -> PyResult<Blinks> {
    let (eye, end) = (one_of("eye", eye, &EYES)?, one_of("end", end, &ENDS)?);
    if let Some((recording, warnings)) = recorded(recording)? {
        let settings = Settings { end, eye, rate_hz: rate };
        let labelled = py.detach(|| label_recording(&recording, &settings));
        let labelled = labelled.map_err(|error| error.in_file(&recording.name)).into_py_result()?;
        return Blinks::of(py, recording, labelled, warnings);
    }
    let rate_hz = rate.filter(|rate| *rate > 0.0 && rate.is_finite());
    let rate_hz = rate_hz.ok_or_else(|| py_error("rate: give the samples per second of the array"))?;
    let zero = one_of("zero", zero, &[("shut", Zero::Shut), ("arbitrary", Zero::Arbitrary)])?;
    let openness: PyArrayLike1<'_, f64, AllowTypeChange> = recording.extract()?;
    let pitch = pitch.map(|pitch| numbers(&pitch)).unwrap_or_default();
    let openness = numbers(&openness);
    if !pitch.is_empty() && pitch.len() != openness.len() {
        return Err(py_error(format!(
            "pitch: has {} samples, but openness has {}; give arrays of equal length",
            pitch.len(),
            openness.len()
        )));
    }
    let events = py.detach(|| label_with_gaze(&openness, &pitch, rate_hz, &Options { end, zero }));
    let known = openness.iter().filter(|value| value.is_finite()).count();
    let statistics = Statistics::of(&events, known as f64 / rate_hz);
    let times = (0..openness.len()).map(|i| i as f64 / rate_hz).collect();
    let of = learn::Recording {
        name: "array".into(),
        device: "array".into(),
        times,
        ..learn::Recording::default()
    };
    Blinks::of(py, of, Labelled { events, statistics, rate_hz, openness, notes: Vec::new() }, Vec::new())
}

/// Returns a recording from an object or a path; `None` for other values.
fn recorded(given: &Bound<'_, PyAny>) -> PyResult<Option<(learn::Recording, Vec<vivant_io::Warning>)>> {
    if let Ok(recording) = given.cast::<Recording>() {
        let recording = recording.get();
        return Ok(Some(((*recording.inner).clone(), recording.read_warnings.clone())));
    }
    let is_path = given.is_instance_of::<PyString>() || given.hasattr(intern!(given.py(), "__fspath__"))?;
    let Some(path) = crate::arguments::path(given).filter(|_| is_path) else { return Ok(None) };
    let options = learn::ReadOptions::default();
    Ok(Some(given.py().detach(|| vivant_host::recording::read(&path, &options)).into_py_result()?))
}

impl Blinks {
    fn of(
        py: Python<'_>,
        recording: learn::Recording,
        labelled: Labelled,
        warnings: Vec<vivant_io::Warning>,
    ) -> PyResult<Self> {
        // Keep only what a report needs.
        let recording = learn::Recording { aperture: None, gaze: None, imu: None, blinks: None, ..recording };
        let table = table(py, &labelled)?.unbind();
        Ok(Self { table, openness: list(py, labelled.openness.clone()), labelled, recording, warnings })
    }
}

/// Creates the structured array.
fn table<'py>(py: Python<'py>, labelled: &Labelled) -> PyResult<Bound<'py, PyAny>> {
    let of = |index: usize| if index == KIND { "U7" } else { "f8" };
    let types: Vec<(&str, &str)> =
        COLUMNS.iter().enumerate().map(|(index, name)| (*name, of(index))).collect();
    let rows: Vec<Row> = labelled.events.iter().map(Row::of).collect();
    let table = py.import(intern!(py, "numpy"))?.call_method1("zeros", (rows.len(), types))?;
    for (index, name) in COLUMNS.into_iter().enumerate() {
        if index == KIND {
            table.set_item(name, rows.iter().map(|row| row.kind.name()).collect::<Vec<_>>())?;
        } else {
            table.set_item(name, list(py, rows.iter().map(|row| row.numbers()[index]).collect()))?;
        }
    }
    Ok(table)
}
