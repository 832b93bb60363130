//! A running character, advanced by the caller.

use crate::arguments::{as_python, json, path, to_strings};
use crate::arrays::{grid, list, read_only};
use crate::behaviour::Behaviour;
use crate::blink_model::BlinkModel;
use crate::errors::{IntoPyResult, check_interrupt, py_error};
use crate::texture::EyeTexture;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::sync::Arc;
use vivant::frame::Frame;
use vivant::rig::Bone;
use vivant_host::character::Character;
use vivant_host::signals::SIGNALS;
use vivant_host::{Avatar, Hosted, Motions};
use vivant_io::json::protocol::EventKind;

/// Maximum number of values of a performance: an hour of the built-in character at 60 frames per second.
const MAX_NUMBERS: f64 = 100e6;
/// Frames between checks for Ctrl-C.
const FRAMES_BETWEEN_SIGNALS: usize = 256;

/// A character that performs: eyes, lids, head, body and mouth of one avatar.
///
/// Parameters
/// ----------
/// avatar : None, bytes, path or dict
///     None is the built-in character. Bytes and paths are VRM, GLB or FBX files; a path may also be a character's
///     folder; then its repertoire and models are used too. A dict has the positions of bones and the names of
///     expressions: ``{"version": 1, "bones": {"hips": [0, 1, 0], ...}, "expressions": ["blink", ...]}``, in metres.
/// seed : int
///     Random seed: the same seed and requests give the same performance.
/// temperament : dict, optional
///     Temperament parameters as in ``character.toml``, such as ``{"liveliness": 0.5}``.
/// motions : "builtin", "none" or path
///     The motions; a path is the path of a character's folder. By default the motions of the character, or "builtin"
///     without a character.
/// behaviour : Behaviour, optional
///     The behaviour model for improvisation; by default the model of the character, or the standard model.
/// unasked : bool
///     If true, the character improvises when there are no requests.
/// lives : bool
///     If true, the character breathes, blinks and looks around.
/// attend : (float, float, float), optional
///     The point that the eyes attend to at the start, in metres; by default at eye height, two metres ahead.
/// blink_model : BlinkModel, optional
///     A blink model, used unless the temperament's ``blinkProfile`` names a profile that is not learned.
/// eye_texture : EyeTexture, optional
///     An eye texture for idle eyes (Deng, Lewis & Neumann 2005).
///
/// ``rotations``, ``weights``, ``root`` and ``signals`` are read-only views of the last frame; ``advance_to`` overwrites
/// the same memory. Copy values that you want to keep.
#[pyclass(module = "vivant")]
pub(crate) struct Performer {
    /// Boxed, since poses are aligned to 32 bytes, and Python only aligns to 16.
    hosted: Box<Hosted>,
    shown: Shown,
}

/// Arrays that every frame is written to, and the read-only views for Python.
struct Shown {
    rotations: Py<PyArray2<f32>>,
    weights: Py<PyArray1<f32>>,
    root: Py<PyArray1<f32>>,
    signals: Py<PyArray1<f64>>,
    seen: [Py<PyAny>; 4],
}

#[pymethods]
impl Performer {
    #[new]
    #[pyo3(signature = (avatar=None, *, seed=1, temperament=None, motions=None, behaviour=None, unasked=true,
                        lives=true, attend=None, blink_model=None, eye_texture=None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        avatar: Option<&Bound<'_, PyAny>>,
        seed: u64,
        temperament: Option<&Bound<'_, PyDict>>,
        motions: Option<&Bound<'_, PyAny>>,
        behaviour: Option<&Behaviour>,
        unasked: bool,
        lives: bool,
        attend: Option<[f64; 3]>,
        blink_model: Option<&BlinkModel>,
        eye_texture: Option<&EyeTexture>,
    ) -> PyResult<Self> {
        let mut character = character_of(py, avatar)?;
        if let Some(motions) = motions {
            character.motions = wanted(py, motions)?;
        }
        if let Some(behaviour) = behaviour {
            character.motions =
                character.motions.with_behaviour_json(behaviour.to_json()?.as_bytes()).into_py_result()?;
        }
        let learned = &mut character.learned;
        learned.blinks = blink_model.map(|model| Arc::clone(&model.model)).or(learned.blinks.take());
        learned.texture = eye_texture.map(EyeTexture::texture).or(learned.texture.take());
        let role = PyDict::new(py);
        role.set_item("seed", seed)?;
        if let Some(temperament) = temperament {
            role.set_item("temperament", temperament)?;
        }
        role.set_item("unasked", unasked)?;
        role.set_item("lives", lives)?;
        role.set_item("attend", attend)?;
        let role = character.role(&json(&role)?).into_py_result()?;
        let hosted = py.detach(|| Hosted::of_character(&character, &role)).into_py_result()?;
        Self::of(py, hosted)
    }

    /// Sends a request: an intent as a dict or JSON, such as ``{"say": "Hello!", "at": 1}``, or
    /// ``{"attend": [x, y, z]}``, ``{"follow": ...}``, ``{"temperament": {...}}``.
    ///
    /// Returns the id of the request in events, if it has one. docs/reference/intents.md lists all verbs.
    fn tell(&mut self, intent: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        self.hosted.tell(&json(intent)?).into_py_result()
    }

    /// Advances to t in seconds, and writes the frame at t.
    ///
    /// Times before the last frame change nothing. The frame at t does not depend on earlier calls of ``advance_to``.
    fn advance_to(&mut self, py: Python<'_>, t: f64) -> PyResult<()> {
        check_time("t", t)?;
        let hosted = &mut *self.hosted;
        py.detach(|| {
            hosted.advance_to(t);
        });
        self.shown.write(py, &self.hosted)
    }

    /// Performs for the given number of seconds, and returns every frame.
    ///
    /// Parameters
    /// ----------
    /// seconds : float
    ///     Duration in seconds. There is a frame at both ends, so the last frame of one call is the first of the next.
    /// fps : float
    ///     Frames per second.
    ///
    /// Returns
    /// -------
    /// dict of arrays
    ///     ``time`` (T), seconds; ``rotations`` (T, 55, 4), local quaternions x, y, z, w in the order of
    ///     ``vivant.BONES``; ``root`` (T, 3), metres; ``weights`` (T, C), in the order of ``channels``;
    ///     ``signals`` (T, 14), in the order of ``vivant.SIGNALS``.
    #[pyo3(signature = (seconds, fps=30.0))]
    fn perform<'py>(&mut self, py: Python<'py>, seconds: f64, fps: f64) -> PyResult<Bound<'py, PyDict>> {
        check_time("seconds", seconds)?;
        if !(fps > 0.0 && fps <= 1e6) {
            return Err(py_error(format!(
                "fps: {fps} is out of range; give frames per second, at most a million"
            )));
        }
        let channels = self.hosted.frame().weights().len();
        let numbers =
            ((seconds * fps).round() + 1.0) * (Bone::COUNT * 4 + 3 + channels + SIGNALS.len()) as f64;
        if numbers > MAX_NUMBERS {
            return Err(py_error(format!(
                "seconds: {seconds} s at {fps} frames per second is too much at once; perform in parts"
            )));
        }
        let count = (seconds * fps).round() as usize + 1;
        let hosted = &mut *self.hosted;
        let taken = py.detach(|| Taken::of(hosted, count, fps))?;
        self.shown.write(py, &self.hosted)?;
        taken.into_dict(py, channels)
    }

    /// Turns events on or off. They cost a little time in each frame.
    #[pyo3(signature = (watches=true))]
    fn watch(&mut self, watches: bool) {
        self.hosted.watch(watches);
    }

    /// Returns the events since the last call, oldest first, in the form of the live server: dicts with ``at`` in seconds
    /// and ``what``, such as "blink" or ``{"began": {"name": "wave", ...}}`` (docs/reference/protocol.md).
    fn events<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let dict = |(at, what): (f64, EventKind)| {
            let dict = PyDict::new(py);
            dict.set_item("at", at)?;
            dict.set_item("what", as_python(py, &what)?)?;
            Ok(dict)
        };
        self.hosted.take_events().into_iter().map(dict).collect()
    }

    /// Returns a copy that continues from here exactly like this performer.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Self::of(py, (*self.hosted).clone())
    }

    /// Local rotations of the last frame, (55, 4) float32: x, y, z, w, in the order of ``vivant.BONES``. A read-only
    /// view.
    #[getter]
    fn rotations(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.seen[0].clone_ref(py)
    }

    /// Weights of the expressions in the last frame, (C,) float32, in the order of ``channels``. A read-only view.
    #[getter]
    fn weights(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.seen[1].clone_ref(py)
    }

    /// Position of the hips in the last frame, (3,) float32, metres. A read-only view.
    #[getter]
    fn root(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.seen[2].clone_ref(py)
    }

    /// Signals of eyes, lids and head in the last frame, (14,) float64, in the order of ``vivant.SIGNALS``: angles in
    /// degrees, the character's left and up positive; apertures from 0 (closed) to 1. A read-only view.
    #[getter]
    fn signals(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.seen[3].clone_ref(py)
    }

    /// The time of the last frame, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.hosted.frame().time()
    }

    /// The names of the avatar's expressions, in the order of ``weights``.
    #[getter]
    fn channels(&self) -> Vec<String> {
        self.hosted.info().channels.iter().map(|channel| channel.name.clone()).collect()
    }

    /// The names of the avatar's bones; all other bones of ``vivant.BONES`` never rotate.
    #[getter]
    fn bones(&self) -> Vec<String> {
        self.hosted.info().bones.iter().filter(|bone| bone.exists).map(|bone| bone.name.clone()).collect()
    }

    /// Warnings about data that was dropped or guessed.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        to_strings(self.hosted.warnings())
    }

    fn __repr__(&self) -> String {
        let (bones, channels) = (self.bones().len(), self.channels().len());
        format!("<vivant.Performer of {bones} bones and {channels} expressions at {} s>", self.time())
    }
}

impl Performer {
    fn of(py: Python<'_>, hosted: Hosted) -> PyResult<Self> {
        let shown = Shown::new(py, hosted.frame().weights().len())?;
        shown.write(py, &hosted)?;
        Ok(Self { hosted: Box::new(hosted), shown })
    }
}

/// Returns the character in a folder, or an avatar with the built-in repertoire.
fn character_of(py: Python<'_>, avatar: Option<&Bound<'_, PyAny>>) -> PyResult<Character> {
    let Some(given) = avatar else { return Ok(py.detach(Character::built_in)) };
    let dressed = |avatar: Avatar| Character::of(avatar.name().to_owned(), avatar, Motions::built_in());
    if let Ok(bytes) = given.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return py.detach(|| Avatar::read("avatar", bytes)).map(dressed).into_py_result();
    }
    if given.is_instance_of::<PyDict>() {
        return Avatar::of_rig(json(given)?.as_bytes()).map(dressed).into_py_result();
    }
    let path = path(given)
        .ok_or_else(|| py_error("avatar: give a path, the bytes of a file, or a dict of bones"))?;
    py.detach(|| Character::load_or_wrap_avatar(&path, &mut |_, _| {})).into_py_result()
}

/// Returns the built-in motions, no motions, or the motions of the character at the given path.
fn wanted(py: Python<'_>, motions: &Bound<'_, PyAny>) -> PyResult<Motions> {
    let name = motions.cast::<PyString>().ok().map(PyStringMethods::to_cow).transpose()?;
    match name.as_deref() {
        Some("builtin") => Ok(Motions::built_in()),
        Some("none") => Ok(Motions::none()),
        _ => {
            let advice = "motions: give \"builtin\", \"none\", or the path of a character's folder";
            let path = path(motions).ok_or_else(|| py_error(advice))?;
            py.detach(|| Character::load(&path, &mut |_, _| {}))
                .map(|character| character.motions)
                .into_py_result()
        }
    }
}

impl Shown {
    fn new(py: Python<'_>, channels: usize) -> PyResult<Self> {
        let rotations = PyArray2::zeros(py, [Bone::COUNT, 4], false);
        let (weights, root) = (PyArray1::zeros(py, channels, false), PyArray1::zeros(py, 3, false));
        let signals = PyArray1::zeros(py, SIGNALS.len(), false);
        let seen = [
            read_only(rotations.as_any())?.unbind(),
            read_only(weights.as_any())?.unbind(),
            read_only(root.as_any())?.unbind(),
            read_only(signals.as_any())?.unbind(),
        ];
        let (rotations, weights) = (rotations.unbind(), weights.unbind());
        Ok(Self { rotations, weights, root: root.unbind(), signals: signals.unbind(), seen })
    }

    fn write(&self, py: Python<'_>, hosted: &Hosted) -> PyResult<()> {
        let frame = hosted.frame();
        let mut rotations = self.rotations.bind(py).try_readwrite().into_py_result()?;
        rotations.as_slice_mut().into_py_result()?.copy_from_slice(&rotations_of(frame));
        self.weights
            .bind(py)
            .try_readwrite()
            .into_py_result()?
            .as_slice_mut()
            .into_py_result()?
            .copy_from_slice(frame.weights());
        let root = frame.root().to_array();
        self.root
            .bind(py)
            .try_readwrite()
            .into_py_result()?
            .as_slice_mut()
            .into_py_result()?
            .copy_from_slice(&root);
        let signals = hosted.signals();
        self.signals
            .bind(py)
            .try_readwrite()
            .into_py_result()?
            .as_slice_mut()
            .into_py_result()?
            .copy_from_slice(&signals);
        Ok(())
    }
}

fn rotations_of(frame: &Frame) -> [f32; Bone::COUNT * 4] {
    let mut all = [0.0; Bone::COUNT * 4];
    for (four, bone) in all.chunks_exact_mut(4).zip(Bone::ALL) {
        four.copy_from_slice(&frame.rotation(bone).to_array());
    }
    all
}

/// Collected frames.
#[derive(Default)]
struct Taken {
    time: Vec<f64>,
    rotations: Vec<f32>,
    root: Vec<f32>,
    weights: Vec<f32>,
    signals: Vec<f64>,
}

impl Taken {
    fn of(hosted: &mut Hosted, count: usize, fps: f64) -> PyResult<Self> {
        let (mut taken, begin) = (Self::default(), hosted.frame().time());
        for index in 0..count {
            if index % FRAMES_BETWEEN_SIGNALS == 0 {
                check_interrupt()?;
            }
            let t = begin + index as f64 / fps;
            let frame = hosted.advance_to(t);
            taken.time.push(t);
            taken.rotations.extend(rotations_of(frame));
            taken.root.extend(frame.root().to_array());
            taken.weights.extend(frame.weights());
            taken.signals.extend(hosted.signals());
        }
        Ok(taken)
    }

    fn into_dict(self, py: Python<'_>, channels: usize) -> PyResult<Bound<'_, PyDict>> {
        let (count, dict) = (self.time.len(), PyDict::new(py));
        dict.set_item("time", list(py, self.time))?;
        dict.set_item("rotations", grid(py, self.rotations, [count, Bone::COUNT, 4])?)?;
        dict.set_item("root", grid(py, self.root, [count, 3])?)?;
        dict.set_item("weights", grid(py, self.weights, [count, channels])?)?;
        dict.set_item("signals", grid(py, self.signals, [count, SIGNALS.len()])?)?;
        Ok(dict)
    }
}

fn check_time(name: &str, secs: f64) -> PyResult<()> {
    if (0.0..=1e9).contains(&secs) {
        return Ok(());
    }
    Err(py_error(format!("{name}: {secs} is out of range; give 0 to 1000000000 seconds")))
}
