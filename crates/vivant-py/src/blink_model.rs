//! Models of blinks.

use crate::arrays::{grid, list};
use crate::given::{as_python, named, one_of};
use crate::recordings::recordings;
use crate::told::{Told, wrong};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{self as engine, BlinkCurve, Component};
use vivant_host::disk;
use vivant_io::json::blink_model as json;
use vivant_learn::pca::{self, Eyes, Options, Wanted, Which};

/// The most blinks, and numbers, that are drawn at once.
const MOST_NUMBERS: usize = 100_000_000;

/// A model of how someone blinks, by principal components (Trutoiu et al. 2011, section 3.3.2).
///
/// ``learn_blinks`` learns one, ``load`` reads one, ``standard`` is the one that Vivant comes with.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct BlinkModel {
    pub(crate) model: Arc<engine::BlinkModel>,
    report: Option<String>,
    /// What was guessed or left out while it was learned.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl BlinkModel {
    /// Reads a model, as ``save`` and ``vivant learn blinks`` write it.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = disk::read(&path).and_then(|bytes| json::read(&bytes));
        Ok(Self::of(read.map_err(|error| error.in_file(path.display())).told()?))
    }

    /// The model that Vivant comes with, learned from recordings that may be used freely.
    #[staticmethod]
    fn standard() -> Self {
        Self::of(engine::BlinkModel::standard())
    }

    /// Writes the model; who reads meanwhile has the old file or the new one.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        disk::write(&path, self.to_json().as_bytes()).told()
    }

    /// The model as its file has it.
    fn to_json(&self) -> String {
        json::write(&self.model)
    }

    /// Draws new blinks, each a little different.
    ///
    /// Parameters
    /// ----------
    /// count : int
    ///     How many.
    /// seed : int
    ///     Chance; blink 0 of a seed is that of ``trace.blink(profile="pca", seed=seed)``.
    /// rate : float
    ///     Samples a second.
    /// closure : "full" or "natural", optional
    ///     How far the eye closes; by default as the model says.
    ///
    /// Returns
    /// -------
    /// time : array (T)
    ///     Seconds from the onset, for the longest of them.
    /// openness : array (count, T)
    ///     How open the eye is, from 0 to 1. As in the recordings, both ends may be a little below 1; in traces and
    ///     performers each way is stretched to end open. After its end a blink stays as it ended.
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
            return Err(wrong(format!("rate: {rate} is out of range; give 1 to 1000000 samples a second")));
        }
        let most = (2.0 * engine::MAX_SECS * rate) as usize + 1;
        if count.saturating_mul(most) > MOST_NUMBERS {
            return Err(wrong(format!("count: {count} blinks are too many at once; draw them in parts")));
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

    /// Where it comes from: which recordings, of whom.
    #[getter]
    fn origin(&self) -> &str {
        &self.model.origin
    }

    /// How many blinks it was learned from.
    #[getter]
    fn blinks(&self) -> u32 {
        self.model.blinks
    }

    /// How far its blinks close the eye: "full" or "natural".
    #[getter]
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.model.closure)
    }

    /// How open the eye is in the mean blink, as a share of its usual aperture: closing and opening.
    #[getter]
    fn mean(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        list(py, self.model.mean.clone())
    }

    /// The components, (K, N): what one of each adds to each sample of ``mean``.
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

    /// The share of all variance that each component explains.
    #[getter]
    fn shares(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.of_each(py, |component| component.share)
    }

    /// How long closing takes in the mean, its standard deviation, in seconds, and its samples of ``mean``.
    #[getter]
    fn closing(&self) -> (f64, f64, u32) {
        let way = &self.model.closing;
        (way.mean_secs, way.sd_secs, way.samples)
    }

    /// The same of opening.
    #[getter]
    fn opening(&self) -> (f64, f64, u32) {
        let way = &self.model.opening;
        (way.mean_secs, way.sd_secs, way.samples)
    }

    /// What was found out while it was learned, as ``vivant learn blinks --json`` says; None of one that was read.
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
    serde_json::from_str(text).told()
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

/// What is told of what was learned, by the names that the command has.
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

/// Learns how someone blinks from recordings of how open their eyes are (Trutoiu et al. 2011, section 3.3.2).
///
/// Parameters
/// ----------
/// recordings : Recording, path, or a list of these
/// components : int
///     How many components, 1 to 16; the paper has 5.
/// variance : float, optional
///     Instead, as few as explain this share of the variance, such as 0.98.
/// closure : "full" or "natural"
///     How far the model's blinks close the eye: every blink closes it, or as far as the recorded ones do.
/// eyes : "both", "each", "left" or "right"
///     Whose blinks; "each" takes left and right as two, which are held out together.
/// partial : bool
///     Whether to learn from blinks that do not close the eye, too.
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
        return Err(wrong(format!(
            "components: {components} is out of range; give 1 to {}",
            engine::MAX_COMPONENTS
        )));
    }
    if variance.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
        return Err(wrong("variance: give a share from 0 to 1"));
    }
    let components = variance.map_or(Wanted::Count(components), Wanted::Variance);
    let options = Options { components, closure: named("closure", closure)?, ..Options::default() };
    let which = Which { eyes: one_of("eyes", eyes, &EYES)?, partial };
    let mut warnings = Vec::new();
    let recordings = self::recordings(recordings, &mut warnings)?;
    let learned = py.detach(|| {
        let gathered = pca::gather(&recordings, &which)?;
        Ok::<_, vivant_io::Error>((pca::learn(&gathered.cuts, &options, &gathered.origin())?, gathered))
    });
    let (learned, gathered) = learned.told()?;
    let report = Report {
        origin: &learned.model.origin,
        recordings: &gathered.found,
        left_out: gathered.left_out,
        notes: &gathered.notes,
        model: &learned.report,
    };
    let report = Some(serde_json::to_string(&report).told()?);
    Ok(BlinkModel { model: Arc::new(learned.model), report, warnings })
}
