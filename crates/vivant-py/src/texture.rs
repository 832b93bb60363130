//! Eye textures.

use crate::arguments::{as_python, one_of, to_strings};
use crate::errors::{IntoPyResult, py_error};
use crate::recordings::recordings;
use crate::trace::Trace;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use vivant::eyes::texture::{Texture, TextureDef};
use vivant_host::disk;
use vivant_host::trace::{Side, TextureEyes};
use vivant_io::json::texture as json;
use vivant_learn::texture::{Learned, Material, Options, Used, learn};

/// Default name of a corpus.
const NAME: &str = "eyes";
const SIDES: [(&str, Side); 4] =
    [("left", Side::Left), ("right", Side::Right), ("up", Side::Up), ("down", Side::Down)];

/// Glances and blinks of a person, for the synthesis of endless eye motion (Deng, Lewis & Neumann 2005).
///
/// ``learn_eyes`` learns one, ``load`` reads one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct EyeTexture {
    def: TextureDef,
    texture: Arc<Texture>,
    used: Vec<Used>,
    /// Warnings about data that was guessed or left out while learning.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl EyeTexture {
    /// Reads a texture written by ``save`` or ``vivant learn eyes``.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = disk::read(&path).and_then(|bytes| json::read(&bytes));
        Self::of(read.map_err(|error| error.in_file(path.display())).into_py_result()?)
    }

    /// Writes the texture atomically: readers get the old file or the new one.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let text = json::write(&self.def).map_err(|error| error.in_file(path.display())).into_py_result()?;
        disk::write(&path, text.as_bytes()).into_py_result()
    }

    /// Synthesizes eye motion that resembles the recordings and never repeats.
    ///
    /// Parameters
    /// ----------
    /// seconds : float
    ///     Duration in seconds.
    /// seed : int
    ///     Random seed.
    /// rate : float, optional
    ///     Samples per second; by default the texture's own.
    /// look_ahead : (float, float), optional
    ///     Start and end, in seconds, of an interval in which the eyes look ahead.
    /// avoid : list of "left", "right", "up" and "down"
    ///     Sides to which the eyes do not look.
    /// blink_at : list of float
    ///     Times of blinks in seconds.
    /// corpora : dict of str to float, optional
    ///     Corpora with their relative shares of the time; by default all equally.
    ///
    /// The columns are those of ``trace.eyes``, without a head and with apertures as recorded.
    #[pyo3(signature = (seconds, *, seed=1, rate=None, look_ahead=None, avoid=vec![], blink_at=vec![], corpora=None),
           text_signature = "(self, seconds, *, seed=1, rate=None, look_ahead=None, avoid=(), blink_at=(), corpora=None)")]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn synthesise(
        &self,
        py: Python<'_>,
        seconds: f64,
        seed: u64,
        rate: Option<f64>,
        look_ahead: Option<(f64, f64)>,
        avoid: Vec<String>,
        blink_at: Vec<f64>,
        corpora: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Trace> {
        let sides = avoid.iter().map(|side| one_of("avoid", side, &SIDES));
        let weights = corpora.iter().flatten().map(|(name, weight)| Ok((name.extract()?, weight.extract()?)));
        let eyes = TextureEyes {
            seed,
            look_ahead: look_ahead.map(|(from, to)| [from, to]),
            avoid: sides.collect::<PyResult<_>>()?,
            blink_at,
            corpora: weights.collect::<PyResult<_>>()?,
            ..TextureEyes::of(self.texture(), seconds)
        };
        Trace::of(py, py.detach(|| eyes.table(rate)).into_py_result()?)
    }

    /// Description of the data that the texture was learned from.
    #[getter]
    fn origin(&self) -> &str {
        &self.def.origin
    }

    /// Frames per second.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.def.rate_hz
    }

    /// Length of a patch in seconds.
    #[getter]
    fn patch_secs(&self) -> f64 {
        self.def.patch_secs
    }

    /// Tolerance (ε) when a patch is matched to the end of the previous patch: the largest distance, as a fraction of
    /// the distance from zero.
    #[getter]
    fn epsilon(&self) -> f64 {
        self.def.tolerance.epsilon
    }

    /// The names of its corpora, with the duration of each in seconds.
    #[getter]
    fn corpora<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for corpus in &self.def.corpora {
            let frames: usize = corpus.runs.iter().map(|run| run.openness.len()).sum();
            dict.set_item(&corpus.name, frames as f64 / self.def.rate_hz)?;
        }
        Ok(dict)
    }

    /// The part of each recording from which the texture was learned; empty for a loaded texture.
    #[getter]
    fn used<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.used)
    }

    fn __repr__(&self) -> String {
        format!("<vivant.EyeTexture at {} Hz: {}>", self.def.rate_hz, self.def.origin)
    }
}

impl EyeTexture {
    fn of(def: TextureDef) -> PyResult<Self> {
        let texture = Arc::new(Texture::new(&def).into_py_result()?);
        Ok(Self { def, texture, used: Vec::new(), warnings: Vec::new() })
    }

    pub(crate) fn texture(&self) -> Arc<Texture> {
        Arc::clone(&self.texture)
    }
}

/// Learns an eye texture from recordings of gaze and lids (Deng, Lewis & Neumann 2005).
///
/// Parameters
/// ----------
/// recordings : Recording, path, a list of these, or a dict of lists
///     A dict has the recordings of each corpus, such as ``{"calm": [...], "nervous": [...]}``.
/// patch : float, optional
///     Length of a patch in seconds; by default measured in the recordings.
/// epsilon : float, optional
///     Tolerance when a patch is matched to the end of the previous patch; the paper uses 0.2. By default it is the
///     typical difference between parts of the recordings that are one video frame apart, at most 0.2.
/// frames : float, optional
///     Frames per second of the texture; by default those of the recordings, at most 120.
/// onto : EyeTexture, optional
///     A texture to which the corpora are added. Its frame rate and patch length are used.
#[pyfunction]
#[pyo3(signature = (recordings, *, patch=None, epsilon=None, frames=None, onto=None))]
pub(crate) fn learn_eyes(
    py: Python<'_>,
    recordings: &Bound<'_, PyAny>,
    patch: Option<f64>,
    epsilon: Option<f64>,
    frames: Option<f64>,
    onto: Option<&EyeTexture>,
) -> PyResult<EyeTexture> {
    within("patch", patch, 0.05, 10.0, "seconds")?;
    within("epsilon", epsilon, 0.0, 10.0, "")?;
    within("frames", frames, 10.0, 1000.0, "frames per second")?;
    if onto.is_some() && (patch.is_some() || frames.is_some()) {
        return Err(py_error(
            "onto: the texture already has a patch length and a frame rate; leave patch and frames out",
        ));
    }
    let mut warnings = Vec::new();
    let materials = materials(recordings, &mut warnings)?;
    let onto = onto.map(|texture| texture.def.clone());
    let options = Options { rate_hz: frames, patch_secs: patch, epsilon, onto, ..Options::default() };
    let Learned { texture, used, warnings: own, .. } =
        py.detach(|| learn(&materials, &options)).into_py_result()?;
    warnings.extend(to_strings(&own));
    Ok(EyeTexture { used, warnings, ..EyeTexture::of(texture)? })
}

fn materials(given: &Bound<'_, PyAny>, warnings: &mut Vec<String>) -> PyResult<Vec<Material>> {
    let Ok(corpora) = given.cast::<PyDict>() else {
        return Ok(vec![Material { name: NAME.into(), recordings: recordings(given, warnings)? }]);
    };
    let material = |(name, given): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok(Material { name: name.extract()?, recordings: recordings(&given, warnings)? })
    };
    corpora.iter().map(material).collect()
}

fn within(name: &str, number: Option<f64>, least: f64, most: f64, unit: &str) -> PyResult<()> {
    match number {
        Some(number) if !(least..=most).contains(&number) => Err(py_error(
            format!("{name}: {number} is out of range; give {least} to {most} {unit}").trim_end(),
        )),
        _ => Ok(()),
    }
}
