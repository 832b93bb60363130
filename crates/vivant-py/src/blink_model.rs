//! Blink models.

use crate::arguments::{as_python, named, one_of};
use crate::arrays::{grid, list};
use crate::errors::{IntoPyResult, py_error};
use crate::recordings::recordings;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{self as engine, BlinkCurve, Component};
use vivant_host::disk;
use vivant_io::json::blink_model as json;
use vivant_learn::pca::{self, BlinkSelection, ComponentChoice, Eyes, Options};

/// Maximum number of blinks, and of values, sampled at once.
const MAX_NUMBERS: usize = 100_000_000;

/// A model of a person's blinks, by principal components (Trutoiu et al. 2011, section 3.3.2).
///
/// ``learn_blinks`` learns one, ``load`` reads one, ``standard`` returns the built-in one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct BlinkModel {
    pub(crate) model: Arc<engine::BlinkModel>,
    report: Option<String>,
    /// Warnings about data that was guessed or left out while learning.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl BlinkModel {
    /// Reads a model written by ``save`` or ``vivant learn blinks``.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = disk::read(&path).and_then(|bytes| json::read(&bytes));
        Ok(Self::of(read.map_err(|error| error.in_file(path.display())).into_py_result()?))
    }

    /// Returns the built-in model, learned from freely usable recordings.
    #[staticmethod]
    fn standard() -> Self {
        Self::of(engine::BlinkModel::standard())
    }

    /// Writes the model atomically: readers get the old file or the new one.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        disk::write(&path, self.to_json().as_bytes()).into_py_result()
    }

    /// Returns the JSON text that ``save`` writes.
    fn to_json(&self) -> String {
        json::write(&self.model)
    }

    /// Samples random blinks.
    ///
    /// Parameters
    /// ----------
    /// count : int
    ///     Number of blinks.
    /// seed : int
    ///     Random seed; blink 0 is the same as in ``trace.blink(profile="pca", seed=seed)``.
    /// rate : float
    ///     Samples per second.
    /// closure : "full" or "natural", optional
    ///     Blinks close the eye fully, or as far as the recorded blinks; by default as the model specifies.
    ///
    /// Returns
    /// -------
    /// time : array (T)
    ///     Seconds from the onset, up to the end of the longest blink.
    /// openness : array (count, T)
    ///     Aperture from 0 (closed) to 1 (open). As in the recordings, both ends may be a little below 1; traces and
    ///     performers stretch both phases to end fully open. After its end, a blink keeps its last value.
    #[pyo3(signature = (count, *, seed=1, rate=300.0, closure=None))]
    #[expect(clippy::type_complexity, reason = "Python gets a pair of arrays")]
    fn sample(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        rate: f64,
        closure: Option<&str>,
    ) -> PyResult<(Py<PyArray1<f64>>, Py<PyArray2<f64>>)> {
        let mut model = (*self.model).clone();
        model.closure = closure.map_or(Ok(model.closure), |name| named("closure", name))?;
        if !(1.0..=1e6).contains(&rate) {
            return Err(py_error(format!(
                "rate: {rate} is out of range; give 1 to 1000000 samples per second"
            )));
        }
        let most = (2.0 * engine::MAX_SECS * rate) as usize + 1;
        if count.saturating_mul(most) > MAX_NUMBERS {
            return Err(py_error(format!(
                "count: {count} blinks are too many at once; sample them in parts"
            )));
        }
        let chance = Chance::new(seed, "blinks");
        let curves: Vec<BlinkCurve> =
            (0..count).map(|index| model.generate(&mut chance.event(index as u64))).collect();
        let secs = curves.iter().map(BlinkCurve::duration_secs).fold(0.0, f64::max);
        let samples = if count == 0 { 0 } else { (secs * rate - 1e-9).ceil() as usize + 1 };
        let times: Vec<f64> = (0..samples).map(|index| index as f64 / rate).collect();
        let values = curves.iter().flat_map(|curve| times.iter().map(|t| curve.openness(*t))).collect();
        Ok((list(py, times), grid(py, values, [count, samples])?))
    }

    /// Description of the data that the model was learned from.
    #[getter]
    fn origin(&self) -> &str {
        &self.model.origin
    }

    /// Number of blinks that the model was learned from.
    #[getter]
    fn blinks(&self) -> u32 {
        self.model.blinks
    }

    /// Closure of the blinks: "full" (the eye closes fully) or "natural" (as far as the recorded blinks).
    #[getter]
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.model.closure)
    }

    /// Aperture during the mean blink, from 0 (closed) to 1 (open): samples of the closing phase, then of the opening
    /// phase.
    #[getter]
    fn mean(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        list(py, self.model.mean.clone())
    }

    /// The principal components, (K, N): each adds to the samples of ``mean``.
    #[getter]
    fn components(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let all = &self.model.components;
        let flat = all.iter().flat_map(|component| component.profile.iter().copied()).collect();
        grid(py, flat, [all.len(), self.model.mean.len()])
    }

    /// The standard deviation of each component's coefficient.
    #[getter]
    fn deviations(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.of_each(py, |component| component.sd)
    }

    /// The share of the variance that each component explains.
    #[getter]
    fn shares(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.of_each(py, |component| component.share)
    }

    /// Mean and standard deviation of the duration of the closing phase in seconds, and the number of its samples in
    /// ``mean``.
    #[getter]
    fn closing(&self) -> (f64, f64, u32) {
        let way = &self.model.closing;
        (way.mean_secs, way.sd_secs, way.samples)
    }

    /// Mean and standard deviation of the duration of the opening phase in seconds, and the number of its samples in
    /// ``mean``.
    #[getter]
    fn opening(&self) -> (f64, f64, u32) {
        let way = &self.model.opening;
        (way.mean_secs, way.sd_secs, way.samples)
    }

    /// The report of ``vivant learn blinks --json``; None for a loaded model.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let report = self.report.as_deref().map(|text| as_python(py, &parsed(text)?));
        report.transpose()
    }

    fn __repr__(&self) -> String {
        let engine::BlinkModel { origin, components, .. } = &*self.model;
        format!("<vivant.BlinkModel of {} components: {origin}>", components.len())
    }
}

fn parsed(text: &str) -> PyResult<serde_json::Value> {
    serde_json::from_str(text).into_py_result()
}

impl BlinkModel {
    fn of(model: engine::BlinkModel) -> Self {
        Self { model: Arc::new(model), report: None, warnings: Vec::new() }
    }

    fn of_each(&self, py: Python<'_>, value: fn(&Component) -> f64) -> Py<PyArray1<f64>> {
        list(py, self.model.components.iter().map(value).collect())
    }
}

const EYES: [(&str, Eyes); 4] =
    [("both", Eyes::Both), ("each", Eyes::Each), ("left", Eyes::Left), ("right", Eyes::Right)];

/// The report about a learned model, with the same JSON keys as the report of ``vivant learn blinks --json``.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    origin: &'a str,
    recordings: &'a [pca::GatheredBlinks],
    left_out: pca::LeftOut,
    notes: &'a [String],
    #[serde(flatten)]
    model: &'a pca::Report,
}

/// Learns a blink model from recordings of a person's eye aperture (Trutoiu et al. 2011, section 3.3.2).
///
/// Parameters
/// ----------
/// recordings : Recording, path, or a list of these
/// components : int
///     Number of components, 1 to 16; the paper uses 5.
/// variance : float, optional
///     Instead of ``components``: the smallest number of components that explains this share of the variance, such as
///     0.98.
/// closure : "full" or "natural"
///     Blinks of the model close the eye fully, or as far as the recorded blinks.
/// eyes : "both", "each", "left" or "right"
///     The eyes to learn from; "each" uses the left and the right eye as two blinks, which are held out together in
///     tests.
/// partial : bool
///     If true, the model also learns from blinks that do not close the eye.
#[pyfunction]
#[pyo3(signature = (recordings, *, components=5, variance=None, closure="full", eyes="both", partial=false))]
pub(crate) fn learn_blinks(
    py: Python<'_>,
    recordings: &Bound<'_, PyAny>,
    components: usize,
    variance: Option<f64>,
    closure: &str,
    eyes: &str,
    partial: bool,
) -> PyResult<BlinkModel> {
    if !(1..=engine::MAX_COMPONENTS).contains(&components) {
        return Err(py_error(format!(
            "components: {components} is out of range; give 1 to {}",
            engine::MAX_COMPONENTS
        )));
    }
    if variance.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
        return Err(py_error("variance: give a share from 0 to 1"));
    }
    let components = variance.map_or(ComponentChoice::Count(components), ComponentChoice::Variance);
    let options = Options { components, closure: named("closure", closure)?, ..Options::default() };
    let which = BlinkSelection { eyes: one_of("eyes", eyes, &EYES)?, partial };
    let mut warnings = Vec::new();
    let recordings = self::recordings(recordings, &mut warnings)?;
    let learned = py.detach(|| {
        let gathered = pca::gather(&recordings, &which)?;
        Ok::<_, vivant_io::Error>((pca::learn(&gathered.cuts, &options, &gathered.origin())?, gathered))
    });
    let (learned, gathered) = learned.into_py_result()?;
    let report = Report {
        origin: &learned.model.origin,
        recordings: &gathered.found,
        left_out: gathered.left_out,
        notes: &gathered.notes,
        model: &learned.report,
    };
    let report = Some(serde_json::to_string(&report).into_py_result()?);
    Ok(BlinkModel { model: Arc::new(learned.model), report, warnings })
}
