//! Behaviour models learned from annotations.

use crate::arguments::{as_python, each, named, one_of, path, to_strings};
use crate::arrays::{grid, list};
use crate::errors::{IntoPyResult, py_error};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::path::PathBuf;
use vivant::body::behaviour as engine;
use vivant::eyes::blinking::Activity;
use vivant_host::{annotations, disk};
use vivant_io::json::behaviour as json;
use vivant_learn::behaviour::{ChainName, Counts, Learned, Matched};

const CHAINS: [(&str, ChainName); 4] = [
    ("arms", ChainName::Arms),
    ("head", ChainName::Head),
    ("head-stance", ChainName::HeadStance),
    ("body", ChainName::Body),
];

/// A behaviour model for improvisation: Markov chains for arms, head and body (Borer, Lutz & Guay 2019, 7.3).
///
/// ``learn_behaviour`` learns one from ELAN annotations, ``load`` reads one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Behaviour {
    behaviour: engine::Behaviour,
    counts: Vec<Counts>,
    matched: Vec<Matched>,
    /// Warnings about data that was guessed or left out while learning.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl Behaviour {
    /// Reads a ``behaviour.json``.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = disk::read(&path).and_then(|bytes| json::read(&bytes));
        let behaviour = read.map_err(|error| error.in_file(path.display())).into_py_result()?;
        Ok(Self { behaviour, counts: Vec::new(), matched: Vec::new(), warnings: Vec::new() })
    }

    /// Writes the model, like ``vivant learn behaviour -o behaviour.json``.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        disk::write(&path, self.to_json()?.as_bytes()).into_py_result()
    }

    /// Returns the JSON text that ``save`` writes.
    pub(crate) fn to_json(&self) -> PyResult<String> {
        Ok(serde_json::to_string_pretty(&self.behaviour).into_py_result()? + "\n")
    }

    /// Returns the transition matrix: the probability of each next action.
    ///
    /// Parameters
    /// ----------
    /// chain : "arms", "head", "head-stance" or "body"
    /// state : "speaking" or "listening", optional
    ///     Only actions during this activity; by default all.
    ///
    /// Returns
    /// -------
    /// states : list of str
    ///     Names of the states. For the arms they start with LG, LF, LT, RG ...: L, R or LR for the left, right or
    ///     both hands; G, F or T for gesture, fidget or transition.
    /// matrix : array (S, S)
    ///     One row per state with the probabilities of the next state. Each row adds up to 1.
    #[pyo3(signature = (chain="arms", state=None))]
    fn matrix(
        &self,
        py: Python<'_>,
        chain: &str,
        state: Option<&str>,
    ) -> PyResult<(Vec<String>, Py<PyArray2<f64>>)> {
        let counts = self.counts(chain, state)?;
        let flat: Vec<f64> = counts.matrix.concat();
        Ok((counts.states.clone(), grid(py, flat, [counts.states.len(), counts.states.len()])?))
    }

    /// Returns the counts from which ``matrix`` is computed: the names of the states, the occurrences of each state
    /// (S), and the occurrences of each transition (S, S).
    #[pyo3(signature = (chain="arms", state=None))]
    #[expect(clippy::type_complexity, reason = "Python gets three things")]
    fn transitions(
        &self,
        py: Python<'_>,
        chain: &str,
        state: Option<&str>,
    ) -> PyResult<(Vec<String>, Py<PyArray1<u64>>, Py<PyArray2<u64>>)> {
        let counts = self.counts(chain, state)?;
        let matrix = grid(py, counts.transitions.concat(), [counts.states.len(), counts.states.len()])?;
        Ok((counts.states.clone(), list(py, counts.occurrences.clone()), matrix))
    }

    /// The recognised tiers; empty for a loaded model.
    #[getter]
    fn tiers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.matched)
    }

    /// Description of the data that the model was learned from.
    #[getter]
    fn origin(&self) -> &str {
        &self.behaviour.origin
    }

    fn __repr__(&self) -> String {
        format!("<vivant.Behaviour: {}>", self.behaviour.origin)
    }
}

impl Behaviour {
    fn counts(&self, chain: &str, state: Option<&str>) -> PyResult<&Counts> {
        let name = one_of("chain", chain, &CHAINS)?;
        let activity: Option<Activity> = state.map(|state| named("state", state)).transpose()?;
        let found = self.counts.iter().find(|counts| counts.chain == name && counts.activity == activity);
        found.ok_or_else(|| {
            let during = state.map_or(String::new(), |state| format!(" while {state}"));
            py_error(format!(
                "there are no counts of {chain}{during}; learn from annotations with such a tier"
            ))
        })
    }
}

/// Learns a behaviour model from ELAN annotations: the order of actions, their durations and the rests between them
/// (Borer, Lutz & Guay 2019, section 7.3).
///
/// Parameters
/// ----------
/// files : path, or a list of paths
///     The ELAN files, .eaf.
/// map : path, optional
///     The map of tiers and values, as TOML: docs/guides/learn-behaviour.md. Without it, tiers are recognised by their
///     names.
#[pyfunction]
#[pyo3(signature = (files, *, map=None))]
pub(crate) fn learn_behaviour(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    map: Option<PathBuf>,
) -> PyResult<Behaviour> {
    let file =
        |given: &Bound<'_, PyAny>| path(given).ok_or_else(|| py_error("files: give paths of .eaf files"));
    let paths = each(files)?.iter().map(file).collect::<PyResult<Vec<PathBuf>>>()?;
    let mut warnings = Vec::new();
    let learned = py.detach(|| annotations::learn(&paths, map.as_deref(), &mut warnings)).into_py_result()?;
    let Learned { behaviour, counts, matched } = learned;
    Ok(Behaviour { behaviour, counts, matched, warnings: to_strings(&warnings) })
}
