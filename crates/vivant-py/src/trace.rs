//! Traces of eyes, lids and head.

use crate::arguments::{named, one_of};
use crate::arrays::grid;
use crate::blink_model::BlinkModel;
use crate::errors::{IntoPyResult, py_error};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use std::collections::BTreeMap;
use vivant::eyes::blinking::{Activity, BlinkStrategy, EvokedPreset};
use vivant::eyes::direction::Direction;
use vivant::eyes::saccade::{MainSequence, Saccade};
use vivant_host::trace::{self, BlinkShape, GazeShift, IdleEyes, LidShape, OneBlink, Person, Table};

/// A table over time, as ``vivant trace`` writes it.
///
/// ``trace["lid_left"]`` is a column, a view of ``values``. Units are degrees and seconds; the character's left and up
/// are positive. ``eye_...`` are the rotations of the eyes in the head, ``gaze_...`` is the common gaze direction,
/// ``head_...`` is the rotation of the head including the torso; a positive roll tilts the head to the right. With the
/// eyes straight ahead ``lid_...`` is 0 and ``aperture_...`` is 1; a closed eye has an aperture of 0.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Trace {
    columns: &'static [&'static str],
    values: Py<PyArray2<f64>>,
    /// The title; an optional second line has measured values.
    #[pyo3(get)]
    title: String,
    /// Measured values by name.
    #[pyo3(get)]
    facts: BTreeMap<&'static str, f64>,
    /// Notes about requests that could not be met.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Trace {
    /// The names of the columns; the first is the time.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.columns)
    }

    /// All values, (rows, columns) float64.
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.values.clone_ref(py)
    }

    /// Returns a column by its name, as a view.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let index = self.columns.iter().position(|column| *column == name);
        let index = index.ok_or_else(|| {
            let columns = self.columns.join(", ");
            py_error(format!("there is no column `{name}`; the columns are {columns}"))
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

    /// Returns the CSV of ``vivant trace``, with a header.
    fn to_csv(&self, py: Python<'_>) -> PyResult<String> {
        let values = self.values.bind(py).readonly().as_slice().into_py_result()?.to_vec();
        String::from_utf8(Table::of(self.columns, values).csv()).into_py_result()
    }
}

impl Trace {
    pub(crate) fn of(py: Python<'_>, table: Table) -> PyResult<Self> {
        let Table { title, columns, values, facts, notes, .. } = table;
        let rows = values.len() / columns.len();
        Ok(Self { columns, values: grid(py, values, [rows, columns.len()])?, title, facts, notes })
    }
}

/// Computes a saccade whose duration and velocity follow the main sequence.
///
/// Parameters
/// ----------
/// amplitude : float
///     Amplitude in degrees; positive is to the left.
/// main_sequence : "collewijn", "eyes-alive" or "carpenter"
///     The source of the relation between duration and amplitude.
/// rate : float
///     Samples per second.
#[pyfunction]
#[pyo3(signature = (amplitude, *, main_sequence="collewijn", rate=1000.0))]
pub(crate) fn saccade(py: Python<'_>, amplitude: f64, main_sequence: &str, rate: f64) -> PyResult<Trace> {
    let main_sequence: MainSequence = named("main_sequence", main_sequence)?;
    let saccade = Saccade { amplitude_deg: amplitude, main_sequence };
    Trace::of(py, trace::saccade(&saccade, rate).into_py_result()?)
}

/// Computes a lid saccade, which follows the gaze (Steptoe, Oyekoya & Steed 2010; Evinger's equations E1 to E4).
///
/// Parameters
/// ----------
/// start, end : float
///     Start and end angle of the lid in degrees; negative is below its position in primary gaze.
/// profile : "evinger" or "steptoe"
///     "evinger": as measured in people. "steptoe": exactly as in the paper, where each row is one animation frame.
/// rate : float
///     Samples per second.
#[pyfunction]
#[pyo3(signature = (start, end, *, profile="evinger", rate=1000.0))]
pub(crate) fn lid_saccade(py: Python<'_>, start: f64, end: f64, profile: &str, rate: f64) -> PyResult<Trace> {
    let shapes = [("evinger", LidShape::Evinger), ("steptoe", LidShape::Steptoe)];
    let shape = one_of("profile", profile, &shapes)?;
    Trace::of(py, trace::lid_saccade(start, end, shape, rate).into_py_result()?)
}

/// Computes a blink (Steptoe et al. 2010, E5 to E8; Trutoiu et al. 2011, section 3.3).
///
/// Parameters
/// ----------
/// amplitude : float
///     Amplitude of the upper lid in degrees; 35 closes the eye.
/// profile : str
///     "evinger" (as measured in people), "steptoe" (exactly as in the paper), "symmetric-linear",
///     "asymmetric-linear", "symmetric-ease", "asymmetric-ease" (textbook curves), "pca" (a random blink of a model)
///     or "real" (a recorded blink stored in the model).
/// duration : float, optional
///     Total duration in seconds; by default that of a measured blink of this amplitude, or that of the model.
/// model : BlinkModel, optional
///     The blink model for "pca" and "real"; by default the standard model.
/// seed : int
///     With "pca" and "real": random seed.
/// closure : "full" or "natural", optional
///     With "pca" and "real": the blink closes the eye fully, or as far as the recorded blinks; by default as the
///     model specifies.
/// rate : float
///     Samples per second.
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
    Trace::of(py, blink.table(rate).into_py_result()?)
}

/// Computes a gaze shift of eyes, head and lids from rest to rest (Peters & Qureshi 2010, section 3).
///
/// Parameters
/// ----------
/// to : (float, float)
///     Target direction: yaw and pitch in degrees; left and up are positive.
/// start : (float, float)
///     Start direction.
/// hmf : float, optional
///     The head-movement factor, from 0 (the head moves only if necessary) to 1 (the head makes the whole gaze
///     shift).
/// preset : "human" or "peters"
///     The rules that divide a gaze shift between eyes and head: as measured in people, or exactly as in the paper.
/// evoked : "evinger" or "peters", optional
///     The source of the probability of gaze-evoked blinks.
/// strategy : str
///     The blink strategy: "nb" never, "ge" with every gaze shift, "pge" more likely with larger gaze shifts.
/// seed : int
///     Random seed.
/// liveliness : float
///     Amount of random variation, from 0 (the pure model) to 1.
/// eye_only : float
///     With "human": half the width, in degrees, of the zone in which people with an HMF of 0 move only the eyes.
/// latency : float
///     Reaction time of the eyes in seconds.
/// rate : float
///     Samples per second.
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
        strategy: strategy.parse::<BlinkStrategy>().into_py_result()?,
        liveliness,
        eye_only_deg: eye_only,
        latency_secs: latency,
        ..GazeShift::to(Direction::new(to.0, to.1))
    };
    Trace::of(py, py.detach(|| shift.table(rate)).into_py_result()?)
}

/// Computes idle eyes, which glance, fixate and blink by themselves (Peters & Qureshi 2010; Lee, Badler & Badler 2002).
///
/// Parameters
/// ----------
/// seconds : float
///     Duration in seconds.
/// hmf, preset, evoked, seed
///     Same as in ``gaze_shift``.
/// strategy : str
///     The blink strategy: "nb", "ru", "ge", "pge", "r+pge" or "natural".
/// state : "idle", "speaking", "listening", "reading" or "thinking"
///     The activity of the character.
/// liveliness : float
///     Liveliness from 0 (still) to 1 (as in people).
/// attentiveness : float
///     Tendency of the eyes to look straight ahead, from 0 (short glances only) to 1 (always); 0.5 is as in people.
/// blink_rate : float, optional
///     Spontaneous blinks per minute; by default as in people with this activity.
/// rate : float
///     Samples per second. The same seed gives the same motion at any rate.
///
/// ``facts`` has ``blinks_per_minute``, ``gaze_shifts_per_minute`` and ``mean_gaze_shift_deg``. For eyes learned from
/// recordings see ``EyeTexture.synthesise``.
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
    let idle = IdleEyes {
        person: person(hmf, preset, evoked, seed)?,
        strategy: strategy.parse::<BlinkStrategy>().into_py_result()?,
        state: state.parse::<Activity>().into_py_result()?,
        liveliness,
        attentiveness,
        blinks_per_minute: blink_rate,
        ..IdleEyes::of(seconds)
    };
    Trace::of(py, py.detach(|| idle.table(rate)).into_py_result()?)
}

fn person(hmf: Option<f64>, preset: &str, evoked: Option<&str>, seed: u64) -> PyResult<Person> {
    let usual = Person::default();
    let evoked = evoked.map(|name| name.parse::<EvokedPreset>().into_py_result()).transpose()?;
    let head_movement_factor = hmf.unwrap_or(usual.head_movement_factor);
    Ok(Person { head_movement_factor, preset: named("preset", preset)?, evoked, seed })
}
