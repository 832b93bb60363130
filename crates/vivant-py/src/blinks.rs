//! When eyes blink.

use crate::arrays::list;
use crate::given::{as_python, one_of};
use crate::recordings::{EYES, Recording, numbers};
use crate::told::{Told, wrong};
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

/// Blinks, long closures and squints: a table, and what they are like as a whole.
///
/// ``blinks["onset"]`` is a column of ``table``, and ``len(blinks)`` the number of its rows.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Blinks {
    labelled: Labelled,
    recording: learn::Recording,
    warnings: Vec<vivant_io::Warning>,
    /// One row an event, a structured array. ``onset``, ``apex`` and ``offset`` are times in seconds; ``kind`` is
    /// "blink", "partial", "long" or "squint"; ``closing`` and ``opening`` are durations in seconds; ``amplitude``
    /// is how far the lids came down and ``completeness`` which share of the way to shut; ``peak_closing_per_s`` and
    /// ``peak_opening_per_s`` are the greatest speeds. What is not known is NaN. Rounded to a millionth, as in files.
    #[pyo3(get)]
    table: Py<PyAny>,
    /// What was labelled, as shares of the open aperture, at ``rate_hz``; empty if only the device's blinks are known.
    #[pyo3(get)]
    openness: Py<PyArray1<f64>>,
}

#[pymethods]
impl Blinks {
    /// Samples a second of what was labelled.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.labelled.rate_hz
    }

    /// What people should know of how it was done.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.labelled.notes.clone()
    }

    /// How many of what, how often, and the distributions of durations and intervals.
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

    /// As ``vivant blinks -o blinks.csv`` writes them.
    fn to_csv(&self) -> String {
        csv(&self.labelled.events)
    }

    /// As ``vivant blinks --json`` writes them.
    fn to_json(&self) -> PyResult<String> {
        let report = Report::of(&self.recording, &self.labelled, &self.warnings);
        Ok(serde_json::to_string_pretty(&report).told()? + "\n")
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
///     A recording, its file, or how open an eye is, sample by sample, in any unit in which more is more open.
/// rate : float, optional
///     Samples a second: of an array, which needs it, or that a recording is labelled at.
/// eye : "both", "left" or "right"
///     Of a recording, whose blinks; "both" are those that both eyes do.
/// end : "gradient" or "vanderwerf95"
///     What the end of a blink is: the lids rest and are open, or 95 % of the way up are done.
/// pitch : array, optional
///     With an array, where the eyes look, upwards in degrees: lowered lids are then a glance and no squint.
/// zero : "shut" or "arbitrary"
///     With an array, whether 0 is shut, as of lids, or anything, as of an electro-oculogram.
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
        let labelled = labelled.map_err(|error| error.in_file(&recording.name)).told()?;
        return Blinks::of(py, recording, labelled, warnings);
    }
    let rate_hz = rate.filter(|rate| *rate > 0.0 && rate.is_finite());
    let rate_hz = rate_hz.ok_or_else(|| wrong("rate: give the samples a second of the array"))?;
    let zero = one_of("zero", zero, &[("shut", Zero::Shut), ("arbitrary", Zero::Arbitrary)])?;
    let openness: PyArrayLike1<'_, f64, AllowTypeChange> = recording.extract()?;
    let pitch = pitch.map(|pitch| numbers(&pitch)).unwrap_or_default();
    let openness = numbers(&openness);
    if !pitch.is_empty() && pitch.len() != openness.len() {
        return Err(wrong(format!("pitch: {} samples, and there are {}", pitch.len(), openness.len())));
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

/// A recording that was read or is on the disk; nothing if it is something else.
fn recorded(given: &Bound<'_, PyAny>) -> PyResult<Option<(learn::Recording, Vec<vivant_io::Warning>)>> {
    if let Ok(recording) = given.cast::<Recording>() {
        let recording = recording.get();
        return Ok(Some(((*recording.inner).clone(), recording.told.clone())));
    }
    let is_path = given.is_instance_of::<PyString>() || given.hasattr(intern!(given.py(), "__fspath__"))?;
    let Some(path) = crate::given::path(given).filter(|_| is_path) else { return Ok(None) };
    let options = learn::ReadOptions::default();
    Ok(Some(given.py().detach(|| vivant_host::recording::read(&path, &options)).told()?))
}

impl Blinks {
    fn of(
        py: Python<'_>,
        recording: learn::Recording,
        labelled: Labelled,
        warnings: Vec<vivant_io::Warning>,
    ) -> PyResult<Self> {
        // Only what a report says of it.
        let recording = learn::Recording { aperture: None, gaze: None, imu: None, blinks: None, ..recording };
        let table = table(py, &labelled)?.unbind();
        Ok(Self { table, openness: list(py, labelled.openness.clone()), labelled, recording, warnings })
    }
}

/// A structured array.
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
