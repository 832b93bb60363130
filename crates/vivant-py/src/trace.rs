//! How eyes, lids and head move, as numbers beside the papers.

use crate::arrays::grid;
use crate::blink_model::BlinkModel;
use crate::given::{named, one_of};
use crate::told::{Told, wrong};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use std::collections::BTreeMap;
use vivant::eyes::blinking::{Activity, BlinkStrategy, EvokedPreset};
use vivant::eyes::direction::Direction;
use vivant::eyes::saccade::{MainSequence, Saccade};
use vivant_host::trace::{self, BlinkShape, EyesAlone, GazeShift, LidShape, OneBlink, Person, Table};

/// Columns over time, as ``vivant trace`` writes them.
///
/// ``trace["lid_left"]`` is a column, a view of ``values``. Degrees and seconds; the character's left and up are
/// positive. ``eye_...`` are the eyes in the head, ``gaze_...`` is where both look together, ``head_...`` is the
/// head with the torso's turn; a positive roll tilts it to the right. ``lid_...`` is 0 and ``aperture_...`` is 1
/// when the eyes look straight ahead; a closed eye has an aperture of 0.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Trace {
    columns: &'static [&'static str],
    values: Py<PyArray2<f64>>,
    /// What it is; a second line, if there is one, says what was found out.
    #[pyo3(get)]
    title: String,
    /// What was found out, by name.
    #[pyo3(get)]
    facts: BTreeMap<&'static str, f64>,
    /// What could not be had, for people.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Trace {
    /// What the columns are; the first is the time.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.columns)
    }

    /// All numbers, (rows, columns) float64.
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.values.clone_ref(py)
    }

    /// A column by its name, as a view.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let index = self.columns.iter().position(|column| *column == name);
        let index = index.ok_or_else(|| {
            let columns = self.columns.join(", ");
            wrong(format!("there is no column `{name}`; there are {columns}"))
        })?;
        self.values.bind(py).get_item((PySlice::full(py), index))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.values.bind(py).readonly().as_array().nrows()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let title = self.title.lines().next().unwrap_or_default();
        format!("<vivant.Trace {title:?}: {} rows of {}>", self.__len__(py), self.columns.join(", "))
    }

    /// As ``vivant trace`` writes it: CSV with a header.
    fn to_csv(&self, py: Python<'_>) -> PyResult<String> {
        let values = self.values.bind(py).readonly().as_slice().told()?.to_vec();
        String::from_utf8(Table::of(self.columns, values).csv()).told()
    }
}

impl Trace {
    pub(crate) fn of(py: Python<'_>, table: Table) -> PyResult<Self> {
        let Table { title, columns, values, facts, notes, .. } = table;
        let rows = values.len() / columns.len();
        Ok(Self { columns, values: grid(py, values, [rows, columns.len()])?, title, facts, notes })
    }
}

/// A jump of the eyes, by the main sequence.
///
/// Parameters
/// ----------
/// amplitude : float
///     How far, in degrees; positive is to the left.
/// main_sequence : "collewijn", "eyes-alive" or "carpenter"
///     Whose line of duration against amplitude.
/// rate : float
///     Samples a second.
#[pyfunction]
#[pyo3(signature = (amplitude, *, main_sequence="collewijn", rate=1000.0))]
pub(crate) fn saccade(py: Python<'_>, amplitude: f64, main_sequence: &str, rate: f64) -> PyResult<Trace> {
    let main_sequence: MainSequence = named("main_sequence", main_sequence)?;
    let saccade = Saccade { amplitude_deg: amplitude, main_sequence };
    Trace::of(py, trace::saccade(&saccade, rate).told()?)
}

/// A lid that follows the gaze (Steptoe, Oyekoya & Steed 2010; Evinger's equations E1 to E4).
///
/// Parameters
/// ----------
/// start, end : float
///     Where the lid begins and ends, in degrees; negative is below its place in primary gaze.
/// profile : "evinger" or "steptoe"
///     As measured in people, or the paper to the letter, a row a frame.
/// rate : float
///     Samples a second.
#[pyfunction]
#[pyo3(signature = (start, end, *, profile="evinger", rate=1000.0))]
pub(crate) fn lid_saccade(py: Python<'_>, start: f64, end: f64, profile: &str, rate: f64) -> PyResult<Trace> {
    let shapes = [("evinger", LidShape::Evinger), ("steptoe", LidShape::Steptoe)];
    let shape = one_of("profile", profile, &shapes)?;
    Trace::of(py, trace::lid_saccade(start, end, shape, rate).told()?)
}

/// A blink (Steptoe et al. 2010, E5 to E8; Trutoiu et al. 2011, section 3.3).
///
/// Parameters
/// ----------
/// amplitude : float
///     How far the upper lid goes down, in degrees; 35 closes the eye.
/// profile : str
///     "evinger" (as measured in people), "steptoe" (the paper to the letter), "symmetric-linear",
///     "asymmetric-linear", "symmetric-ease", "asymmetric-ease" (as textbooks have it), "pca" (a new one of a model)
///     or "real" (a recorded one that the model keeps).
/// duration : float, optional
///     How long it takes in all, in seconds; by default as long as a measured blink of this size, or as the model
///     has it.
/// model : BlinkModel, optional
///     With "pca" and "real"; by default the standard one.
/// seed : int
///     With "pca" and "real", chance.
/// closure : "full" or "natural", optional
///     With "pca" and "real", how far the eye closes; by default as the model says.
/// rate : float
///     Samples a second.
#[pyfunction]
#[pyo3(signature = (amplitude=35.0, *, profile="evinger", duration=None, model=None, seed=1, closure=None,
                    rate=1000.0))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn blink(
    py: Python<'_>,
    amplitude: f64,
    profile: &str,
    duration: Option<f64>,
    model: Option<&BlinkModel>,
    seed: u64,
    closure: Option<&str>,
    rate: f64,
) -> PyResult<Trace> {
    let shape = match profile {
        "steptoe" => BlinkShape::Steptoe,
        other => BlinkShape::Of(named("profile", other)?),
    };
    let blink = OneBlink {
        amplitude_deg: amplitude,
        shape,
        duration_secs: duration,
        model: model.map(|model| (model.model.origin.clone(), (*model.model).clone())),
        seed,
        closure: closure.map(|closure| named("closure", closure)).transpose()?,
    };
    Trace::of(py, blink.table(rate).told()?)
}

/// Eyes, head and lids from one direction to another, from rest to rest (Peters & Qureshi 2010, section 3).
///
/// Parameters
/// ----------
/// to : (float, float)
///     Where the eyes go: yaw and pitch in degrees, left and up are positive.
/// start : (float, float)
///     Where they are at first.
/// hmf : float, optional
///     The head-movement factor, from 0, whose head moves only if it must, to 1, whose head does all.
/// preset : "human" or "peters"
///     Whose rules share a gaze shift out: as measured in people, or the paper to the letter.
/// evoked : "evinger" or "peters", optional
///     Whose numbers say when a gaze shift evokes a blink.
/// strategy : str
///     When the gaze shift evokes a blink: "nb" never, "ge" always, "pge" the likelier the larger it is.
/// seed : int
///     Chance.
/// liveliness : float
///     How much chance there is in it, from 0, the pure model, to 1.
/// eye_only : float
///     With "human", half the width in degrees of the zone that a non-mover leaves to the eyes alone.
/// latency : float
///     How long the eyes take to react, in seconds.
/// rate : float
///     Samples a second.
///
/// ``facts`` has ``shortfall_deg``, ``gaze_lands_secs`` and ``head_lands_secs``.
#[pyfunction]
#[pyo3(signature = (to, *, start=(0.0, 0.0), hmf=None, preset="human", evoked=None, strategy="nb", seed=1,
                    liveliness=0.0, eye_only=0.0, latency=0.0, rate=1000.0),
       text_signature = "(to, *, start=(0.0, 0.0), hmf=None, preset='human', evoked=None, strategy='nb', seed=1, \
                         liveliness=0.0, eye_only=0.0, latency=0.0, rate=1000.0)")]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn gaze_shift(
    py: Python<'_>,
    to: (f64, f64),
    start: (f64, f64),
    hmf: Option<f64>,
    preset: &str,
    evoked: Option<&str>,
    strategy: &str,
    seed: u64,
    liveliness: f64,
    eye_only: f64,
    latency: f64,
    rate: f64,
) -> PyResult<Trace> {
    let shift = GazeShift {
        from: Direction::new(start.0, start.1),
        person: person(hmf, preset, evoked, seed)?,
        strategy: strategy.parse::<BlinkStrategy>().told()?,
        liveliness,
        eye_only_deg: eye_only,
        latency_secs: latency,
        ..GazeShift::to(Direction::new(to.0, to.1))
    };
    Trace::of(py, py.detach(|| shift.table(rate)).told()?)
}

/// Eyes that are left alone: they glance, fixate and blink by themselves (Peters & Qureshi 2010; Lee, Badler &
/// Badler 2002).
///
/// Parameters
/// ----------
/// seconds : float
///     How long.
/// hmf, preset, evoked, seed
///     As in ``gaze_shift``.
/// strategy : str
///     When they blink: "nb", "ru", "ge", "pge", "r+pge" or "natural".
/// state : "idle", "speaking", "listening", "reading" or "thinking"
///     What the character is doing.
/// liveliness : float
///     How much happens, from 0, which is still, to 1, as in people.
/// attentiveness : float
///     How much the eyes stay ahead, from 0 through 0.5, as people do, to 1, always.
/// blink_rate : float, optional
///     Spontaneous blinks a minute; by default as in people in this state.
/// rate : float
///     Samples a second. The same seed gives the same eyes at any rate.
///
/// ``facts`` has ``blinks_per_minute``, ``gaze_shifts_per_minute`` and ``mean_gaze_shift_deg``. For eyes that were
/// learned from recordings see ``EyeTexture.synthesise``.
#[pyfunction]
#[pyo3(signature = (seconds, *, hmf=None, preset="human", evoked=None, strategy="natural", state="idle", seed=1,
                    liveliness=1.0, attentiveness=0.5, blink_rate=None, rate=1000.0))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn eyes(
    py: Python<'_>,
    seconds: f64,
    hmf: Option<f64>,
    preset: &str,
    evoked: Option<&str>,
    strategy: &str,
    state: &str,
    seed: u64,
    liveliness: f64,
    attentiveness: f64,
    blink_rate: Option<f64>,
    rate: f64,
) -> PyResult<Trace> {
    let alone = EyesAlone {
        person: person(hmf, preset, evoked, seed)?,
        strategy: strategy.parse::<BlinkStrategy>().told()?,
        state: state.parse::<Activity>().told()?,
        liveliness,
        attentiveness,
        blinks_per_minute: blink_rate,
        ..EyesAlone::of(seconds)
    };
    Trace::of(py, py.detach(|| alone.table(rate)).told()?)
}

fn person(hmf: Option<f64>, preset: &str, evoked: Option<&str>, seed: u64) -> PyResult<Person> {
    let usual = Person::default();
    let evoked = evoked.map(|name| name.parse::<EvokedPreset>().told()).transpose()?;
    let head_movement_factor = hmf.unwrap_or(usual.head_movement_factor);
    Ok(Person { head_movement_factor, preset: named("preset", preset)?, evoked, seed })
}
