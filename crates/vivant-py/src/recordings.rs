//! Recordings of eyes.

use crate::arrays::{grid, list};
use crate::given::{as_python, each, in_words, one_of, path};
use crate::told::{Told, wrong};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use vivant_host::recording;
use vivant_io::Warning;
use vivant_learn::recording::{self as learn, Aperture, ColumnMap, EvenOptions, Eye, Gaze, ReadOptions};

/// Which eye is meant.
pub(crate) const EYES: [(&str, Eye); 3] = [("both", Eye::Both), ("left", Eye::Left), ("right", Eye::Right)];

type Column = Option<Py<PyArray1<f64>>>;
type Numbers<'py> = PyArrayLike1<'py, f64, AllowTypeChange>;

/// A recording of someone's eyes: how open each is, where both look, and when.
///
/// ``read_recording`` reads the files of devices; this makes one of arrays.
///
/// Parameters
/// ----------
/// time : array
///     When each sample was taken, in seconds; it only grows.
/// left, right : array, optional
///     How open the person's left and right eye are; what is not known is NaN. One of them will do for both.
/// unit : "mm", "degrees", "ratio", "share", "counts" or "microvolts", optional
///     What these are measured in.
/// yaw, pitch : array, optional
///     Where both eyes together look in the head, in degrees: to the person's left, and up.
/// name : str
///     For people.
///
/// The arrays are copies that are made once: each access gives the same one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Recording {
    pub(crate) inner: Arc<learn::Recording>,
    pub(crate) told: Vec<Warning>,
    /// When each sample was taken, in seconds from the first.
    #[pyo3(get)]
    time: Py<PyArray1<f64>>,
    /// How open the left eye is, in ``unit``; also what a device says of both eyes at once. None if not recorded.
    #[pyo3(get)]
    left: Column,
    /// How open the right eye is. None if not recorded.
    #[pyo3(get)]
    right: Column,
    /// Where both eyes look, in degrees to the person's left. None if not recorded.
    #[pyo3(get)]
    yaw: Column,
    /// Where both eyes look, in degrees up. None if not recorded.
    #[pyo3(get)]
    pitch: Column,
    /// The blinks that the device itself found, (N, 2): begin and end in seconds. None if it looks for none.
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
        let unit = unit.map(|unit| crate::given::named("unit", unit)).transpose()?;
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
            _ => return Err(wrong("gaze: needs both yaw and pitch")),
        };
        let recording = learn::Recording::of_samples(name, numbers(&time), aperture, gaze).told()?;
        Self::of(py, recording, Vec::new())
    }

    /// What was guessed or left out.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        in_words(&self.told)
    }

    /// What apertures are measured in, if that is known.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        self.inner.aperture.as_ref()?.unit.map(learn::Unit::name)
    }

    /// The file's name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Which kind of device wrote it, one of ``vivant.DEVICES``.
    #[getter]
    fn device(&self) -> &str {
        &self.inner.device
    }

    /// Samples a second: a usual rate if the time stamps are within half a per cent of one.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.inner.rate_hz()
    }

    /// How long it is, from the first sample to the last.
    #[getter]
    fn seconds(&self) -> f64 {
        self.inner.duration_secs()
    }

    /// How much is known, channel by channel, and what the time stamps are like: as ``vivant inspect --json`` says.
    fn quality<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.inner.quality())
    }

    /// The recording at even steps, without inventing what was not seen.
    ///
    /// Parameters
    /// ----------
    /// rate : float, optional
    ///     Samples a second; by default the recording's own.
    /// max_gap : float
    ///     What is missing for longer, in seconds, stays NaN; the rest is drawn straight from side to side.
    /// eye : "both", "left" or "right"
    ///     Whose openness; "both" is the mean of both, each as a share of its own open aperture.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``rate_hz``, ``time``, ``openness`` (1 as usual, 0 shut), ``yaw`` and ``pitch`` in degrees, or None where
    ///     they were not recorded; ``filled`` and ``unknown``, shares of all samples.
    #[pyo3(signature = (*, rate=None, max_gap=0.075, eye="both"))]
    fn even<'py>(
        &self,
        py: Python<'py>,
        rate: Option<f64>,
        max_gap: f64,
        eye: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = EvenOptions { rate_hz: rate, max_gap_secs: max_gap, eye: one_of("eye", eye, &EYES)? };
        if rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return Err(wrong("rate: has to be above 0"));
        }
        let even = py.detach(|| self.inner.even(&options));
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
    pub(crate) fn of(py: Python<'_>, inner: learn::Recording, told: Vec<Warning>) -> PyResult<Self> {
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
            told,
            inner: Arc::new(inner),
        })
    }
}

pub(crate) fn numbers(values: &Numbers<'_>) -> Vec<f64> {
    values.as_array().iter().copied().collect()
}

/// Reads a recording of eyes: the file that is named with those that belong to it, or a folder that is one recording.
///
/// Parameters
/// ----------
/// path : path
///     HTC Vive Pro, Pico, Pupil Invisible and Neon, Tobii Fusion and Glasses 3, EyeLink, JeFaPaTo, EOG, the tracks of
///     ``vivant.track``, CSV, TSV, NPY, Parquet, TRC and C3D: docs/recordings.md lists them.
/// map : path or str, optional
///     Which column is what, as TOML: a file, or the text itself.
/// device : str, optional
///     The kind of device, one of ``vivant.DEVICES``, if it is not found.
/// rate : float, optional
///     Samples a second, where the file has no time stamps.
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
    let (inner, warnings) = py.detach(|| recording::read(&path, &options)).told()?;
    Recording::of(py, inner, warnings)
}

/// The files that make a recording, the one with its samples first: what a copy of it needs, and what it depends on.
#[pyfunction]
pub(crate) fn recording_files(path: PathBuf) -> PyResult<Vec<PathBuf>> {
    recording::files(&path).told()
}

/// A map's file, or its text, which has more than one line or an equals sign.
fn as_map(given: &Bound<'_, PyAny>) -> PyResult<ColumnMap> {
    match given.extract::<String>() {
        Ok(text) if text.contains(['\n', '=']) => ColumnMap::parse(&text).told(),
        _ => {
            let path = path(given).ok_or_else(|| wrong("map: give the path of a TOML file, or its text"))?;
            recording::map(&path).told()
        }
    }
}

/// Recordings, or paths of them, as a list or alone; what was guessed or left out of those that are read is told.
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
        let advice = "recordings: give what read_recording gave, or paths of recordings";
        let path = path(&one).ok_or_else(|| wrong(advice))?;
        let (read, own) = given.py().detach(|| recording::read(&path, &ReadOptions::default())).told()?;
        warnings.extend(in_words(&own));
        all.push(read);
    }
    Ok(all)
}
