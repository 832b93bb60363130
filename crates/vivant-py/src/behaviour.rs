//! What people do, from annotations.

use crate::arrays::{grid, list};
use crate::given::{as_python, each, in_words, named, one_of, path};
use crate::told::{Told, wrong};
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

/// What a character does while nobody asks: Markov chains for arms, head and body (Borer, Lutz & Guay 2019, 7.3).
///
/// ``learn_behaviour`` learns one from ELAN annotations, ``load`` reads one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Behaviour {
    behaviour: engine::Behaviour,
    counts: Vec<Counts>,
    matched: Vec<Matched>,
    /// What was guessed or left out while it was learned.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl Behaviour {
    /// Reads a ``behaviour.json``.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = disk::read(&path).and_then(|bytes| json::read(&bytes));
        let behaviour = read.map_err(|error| error.in_file(path.display())).told()?;
        Ok(Self { behaviour, counts: Vec::new(), matched: Vec::new(), warnings: Vec::new() })
    }

    /// Writes it as ``vivant learn behaviour -o behaviour.json`` does.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        disk::write(&path, self.to_json()?.as_bytes()).told()
    }

    /// It as its file has it.
    pub(crate) fn to_json(&self) -> PyResult<String> {
        Ok(serde_json::to_string_pretty(&self.behaviour).told()? + "\n")
    }

    /// Which action follows which.
    ///
    /// Parameters
    /// ----------
    /// chain : "arms", "head", "head-stance" or "body"
    /// state : "speaking" or "listening", optional
    ///     What is done meanwhile; by default all the time.
    ///
    /// Returns
    /// -------
    /// states : list of str
    ///     For the arms first LG, LF, LT, RG ...: left, right or both; gesture, fidget or transition.
    /// matrix : array (S, S)
    ///     A row a state: how likely each state is the next. A row adds up to 1.
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

    /// The counts behind a matrix: ``states``, how often each occurred (S), and how often which followed (S, S).
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

    /// Which tiers were taken for what; empty of one that was read.
    #[getter]
    fn tiers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.matched)
    }

    /// Where it comes from.
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
            wrong(format!(
                "nothing was counted of {chain}{during}: learn it from annotations with such a tier"
            ))
        })
    }
}

/// Learns what people do from ELAN annotations: which action follows which, how long it takes and how long the rest
/// after it is (Borer, Lutz & Guay 2019, section 7.3).
///
/// Parameters
/// ----------
/// files : path, or a list of paths
///     The annotations, .eaf.
/// map : path, optional
///     What the tiers and values mean, as TOML: docs/behaviour.md. Without it, tiers are taken whose names say what
///     they are.
#[pyfunction]
#[pyo3(signature = (files, *, map=None))]
pub(crate) fn learn_behaviour(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    map: Option<PathBuf>,
) -> PyResult<Behaviour> {
    let file = |given: &Bound<'_, PyAny>| path(given).ok_or_else(|| wrong("files: give paths of .eaf files"));
    let paths = each(files)?.iter().map(file).collect::<PyResult<Vec<PathBuf>>>()?;
    let mut warnings = Vec::new();
    let learned = py.detach(|| annotations::learn(&paths, map.as_deref(), &mut warnings)).told()?;
    let Learned { behaviour, counts, matched } = learned;
    Ok(Behaviour { behaviour, counts, matched, warnings: in_words(&warnings) })
}
