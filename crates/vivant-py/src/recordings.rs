//! Eye recordings.

use crate::arguments::{as_python, each, one_of, path, to_strings};
use crate::arrays::{grid, list};
use crate::errors::{IntoPyResult, py_error};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use vivant_host::recording;
use vivant_io::Warning;
use vivant_learn::recording::{self as learn, Aperture, ColumnMap, Eye, Gaze, ReadOptions, ResampleOptions};

/// Names of eyes.
pub(crate) const EYES: [(&str, Eye); 3] = [("both", Eye::Both), ("left", Eye::Left), ("right", Eye::Right)];

type Column = Option<Py<PyArray1<f64>>>;
type Numbers<'py> = PyArrayLike1<'py, f64, AllowTypeChange>;

/// A recording of a person's eyes: aperture of each eye, gaze, and time.
///
/// ``read_recording`` reads the files of devices; this constructor creates a recording from arrays.
///
/// Parameters
/// ----------
/// time : array
///     Time of each sample in seconds, strictly increasing.
/// left, right : array, optional
///     Aperture of the person's left and right eye in ``unit``; unknown values are NaN. One eye is enough.
/// unit : "mm", "degrees", "ratio", "share", "counts" or "microvolts", optional
///     The unit of the aperture.
/// yaw, pitch : array, optional
///     Gaze of both eyes relative to the head, in degrees: to the person's left, and up.
/// name : str
///     A name for messages.
///
/// The arrays are copied once: each access to an attribute returns the same array.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Recording {
    pub(crate) inner: Arc<learn::Recording>,
    pub(crate) read_warnings: Vec<Warning>,
    /// Time of each sample, in seconds from the first.
    #[pyo3(get)]
    time: Py<PyArray1<f64>>,
    /// Aperture of the left eye in ``unit``, or of both eyes for devices that do not separate them. None if not
    /// recorded.
    #[pyo3(get)]
    left: Column,
    /// Aperture of the right eye in ``unit``. None if not recorded.
    #[pyo3(get)]
    right: Column,
    /// Gaze yaw in degrees, positive to the person's left. None if not recorded.
    #[pyo3(get)]
    yaw: Column,
    /// Gaze pitch in degrees, positive up. None if not recorded.
    #[pyo3(get)]
    pitch: Column,
    /// Blinks found by the device, (N, 2): start and end in seconds. None if it does not detect blinks.
    #[pyo3(get)]
    device_blinks: Option<Py<PyArray2<f64>>>,
}

#[pymethods]
impl Recording {
    #[new]
    #[pyo3(signature = (time, *, left=None, right=None, unit=None, yaw=None, pitch=None, name="arrays"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        time: Numbers<'_>,
        left: Option<Numbers<'_>>,
        right: Option<Numbers<'_>>,
        unit: Option<&str>,
        yaw: Option<Numbers<'_>>,
        pitch: Option<Numbers<'_>>,
        name: &str,
    ) -> PyResult<Self> {
        let unit = unit.map(|unit| crate::arguments::named("unit", unit)).transpose()?;
        let [left, right, yaw, pitch] =
            [left, right, yaw, pitch].map(|values| values.map(|own| numbers(&own)));
        let aperture = (left.is_some() || right.is_some()).then(|| Aperture {
            unit,
            left: left.unwrap_or_default(),
            right: right.unwrap_or_default(),
        });
        let gaze = match (yaw, pitch) {
            (Some(yaw_deg), Some(pitch_deg)) => Some(Gaze { yaw_deg, pitch_deg }),
            (None, None) => None,
            _ => return Err(py_error("gaze: needs both yaw and pitch")),
        };
        let recording =
            learn::Recording::from_samples(name, numbers(&time), aperture, gaze).into_py_result()?;
        Self::of(py, recording, Vec::new())
    }

    /// Warnings about data that was guessed or left out.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        to_strings(&self.read_warnings)
    }

    /// The unit of ``left`` and ``right``, if known.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        self.inner.aperture.as_ref()?.unit.map(learn::Unit::name)
    }

    /// Name of the file, or the name given to the constructor.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// The device, one of ``vivant.DEVICES``.
    #[getter]
    fn device(&self) -> &str {
        &self.inner.device
    }

    /// Samples per second: a common rate if the time stamps are within 0.5 % of one.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.inner.rate_hz()
    }

    /// Duration from the first sample to the last, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.inner.duration_secs()
    }

    /// Returns the known share of each channel and the regularity of the time stamps, like ``vivant inspect --json``.
    fn quality<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.inner.quality())
    }

    /// Resamples the recording at a constant rate. Long gaps are not filled.
    ///
    /// Parameters
    /// ----------
    /// rate : float, optional
    ///     Samples per second; by default the recording's own.
    /// max_gap : float
    ///     Longest gap in seconds that is interpolated linearly; longer ones stay NaN.
    /// eye : "both", "left" or "right"
    ///     The eye; "both" is the mean of both, each as a share of its own open aperture.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``rate_hz``, ``time``, ``openness`` (aperture from 0, closed, to 1, open), ``yaw`` and ``pitch`` in
    ///     degrees, or None if not recorded; ``filled`` and ``unknown``, the shares of samples that were interpolated
    ///     and that stay NaN.
    #[pyo3(signature = (*, rate=None, max_gap=0.075, eye="both"))]
    fn even<'py>(
        &self,
        py: Python<'py>,
        rate: Option<f64>,
        max_gap: f64,
        eye: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options =
            ResampleOptions { rate_hz: rate, max_gap_secs: max_gap, eye: one_of("eye", eye, &EYES)? };
        if rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return Err(py_error("rate: give samples per second, greater than 0"));
        }
        let even = py.detach(|| self.inner.resample(&options));
        let dict = PyDict::new(py);
        let count =
            even.openness.as_ref().or(even.gaze.as_ref().map(|gaze| &gaze.yaw_deg)).map_or(0, Vec::len);
        dict.set_item("rate_hz", even.rate_hz)?;
        dict.set_item("time", list(py, (0..count).map(|i| i as f64 / even.rate_hz).collect()))?;
        dict.set_item("openness", even.openness.map(|values| list(py, values)))?;
        let (yaw, pitch) = even.gaze.map(|gaze| (gaze.yaw_deg, gaze.pitch_deg)).unzip();
        dict.set_item("yaw", yaw.map(|values| list(py, values)))?;
        dict.set_item("pitch", pitch.map(|values| list(py, values)))?;
        dict.set_item("filled", even.filled)?;
        dict.set_item("unknown", even.unknown)?;
        Ok(dict)
    }

    fn __len__(&self) -> usize {
        self.inner.times.len()
    }

    fn __repr__(&self) -> String {
        let learn::Recording { name, device, .. } = &*self.inner;
        format!("<vivant.Recording {name:?} ({device}): {:.1} s at {:.1} Hz>", self.seconds(), self.rate_hz())
    }
}

impl Recording {
    pub(crate) fn of(py: Python<'_>, inner: learn::Recording, read_warnings: Vec<Warning>) -> PyResult<Self> {
        let column = |values: Option<&Vec<f64>>| {
            values.filter(|v| !v.is_empty()).map(|values| list(py, values.clone()))
        };
        let (aperture, gaze) = (inner.aperture.as_ref(), inner.gaze.as_ref());
        let spans = inner.blinks.as_ref().map(|blinks| {
            let flat = blinks.iter().flat_map(|span| [span.from_secs, span.to_secs]).collect();
            grid(py, flat, [blinks.len(), 2])
        });
        Ok(Self {
            time: list(py, inner.times.clone()),
            left: column(aperture.map(|aperture| &aperture.left)),
            right: column(aperture.map(|aperture| &aperture.right)),
            yaw: column(gaze.map(|gaze| &gaze.yaw_deg)),
            pitch: column(gaze.map(|gaze| &gaze.pitch_deg)),
            device_blinks: spans.transpose()?,
            read_warnings,
            inner: Arc::new(inner),
        })
    }
}

pub(crate) fn numbers(values: &Numbers<'_>) -> Vec<f64> {
    values.as_array().iter().copied().collect()
}

/// Reads an eye recording: a file with the files that belong to it, or a folder.
///
/// Parameters
/// ----------
/// path : path
///     HTC Vive Pro, Pico, Pupil Invisible and Neon, Tobii Fusion and Glasses 3, EyeLink, JeFaPaTo, EOG, the tracks of
///     ``vivant.track``, CSV, TSV, NPY, Parquet, TRC and C3D: docs/reference/recordings.md lists them.
/// map : path or str, optional
///     The map of columns, as TOML: a file, or the text itself.
/// device : str, optional
///     The device, one of ``vivant.DEVICES``, if it is not recognised.
/// rate : float, optional
///     Samples per second, if the file has no time stamps.
#[pyfunction]
#[pyo3(signature = (path, *, map=None, device=None, rate=None))]
pub(crate) fn read_recording(
    py: Python<'_>,
    path: PathBuf,
    map: Option<&Bound<'_, PyAny>>,
    device: Option<String>,
    rate: Option<f64>,
) -> PyResult<Recording> {
    let options = ReadOptions { device, map: map.map(as_map).transpose()?, rate_hz: rate };
    let (inner, warnings) = py.detach(|| recording::read(&path, &options)).into_py_result()?;
    Recording::of(py, inner, warnings)
}

/// Returns all files of a recording, the one with its samples first.
#[pyfunction]
pub(crate) fn recording_files(path: PathBuf) -> PyResult<Vec<PathBuf>> {
    recording::files(&path).into_py_result()
}

/// Reads a map of columns from a file or from TOML text. A string with several lines or an equals sign is text.
fn as_map(given: &Bound<'_, PyAny>) -> PyResult<ColumnMap> {
    match given.extract::<String>() {
        Ok(text) if text.contains(['\n', '=']) => ColumnMap::parse(&text).into_py_result(),
        _ => {
            let path =
                path(given).ok_or_else(|| py_error("map: give the path of a TOML file, or its text"))?;
            recording::map(&path).into_py_result()
        }
    }
}

/// Converts recordings or paths, as a list or a single value. Warnings of read files are added to `warnings`.
pub(crate) fn recordings(
    given: &Bound<'_, PyAny>,
    warnings: &mut Vec<String>,
) -> PyResult<Vec<learn::Recording>> {
    let mut all = Vec::new();
    for one in each(given)? {
        if let Ok(recording) = one.cast::<Recording>() {
            all.push((*recording.get().inner).clone());
            continue;
        }
        let advice = "recordings: give results of read_recording, or paths of recordings";
        let path = path(&one).ok_or_else(|| py_error(advice))?;
        let (read, own) =
            given.py().detach(|| recording::read(&path, &ReadOptions::default())).into_py_result()?;
        warnings.extend(to_strings(&own));
        all.push(read);
    }
    Ok(all)
}
