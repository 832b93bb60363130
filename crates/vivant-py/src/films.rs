//! Frames of films, and tracks of the lids.

use crate::arguments::to_strings;
use crate::arrays::{grid, list};
use crate::errors::{IntoPyResult, check_interrupt, py_error};
use crate::eye_model::EyeModel;
use crate::recordings::Recording;
use glam::DVec2;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use vivant_host::film::{self, Film, Options, raw_size};
use vivant_host::track::Eyes;
use vivant_host::track::chunks::{self, Cut, Rest};
use vivant_host::track::row::{self, Row};
use vivant_io::Warning;
use vivant_learn::film::layout::{Side, lid_distance};
use vivant_learn::film::{Image, POINTS};
use vivant_learn::recording::{self, ReadOptions, Source};

/// The frames of a film, one after another: ``for seconds, frame in vivant.frames(path)``.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Frames {
    film: Mutex<Film>,
    /// Width in pixels.
    #[pyo3(get)]
    width: usize,
    /// Height in pixels.
    #[pyo3(get)]
    height: usize,
    /// Number of frames according to the film's metadata; None if unknown.
    #[pyo3(get)]
    count: Option<usize>,
}

#[pymethods]
impl Frames {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(f64, Bound<'py, PyAny>)>> {
        let next = py.detach(|| self.film().next());
        next.map(|(secs, image)| Ok((secs, array(py, image)?))).transpose()
    }

    /// Returns warnings since the last call: data that was guessed, and the reason if the film ended early.
    fn warnings(&self) -> Vec<String> {
        to_strings(&self.film().warnings())
    }
}

impl Frames {
    fn film(&self) -> std::sync::MutexGuard<'_, Film> {
        self.film.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts an image to an array without copying: (H, W) in gray, (H, W, 3) in colour.
fn array(py: Python<'_>, image: Image) -> PyResult<Bound<'_, PyAny>> {
    let Image { width, height, channels, data } = image;
    if channels == 1 {
        return Ok(grid(py, data, [height, width])?.into_bound(py).into_any());
    }
    let planes = grid(py, data, [channels, height, width])?.into_bound(py);
    planes.call_method1("transpose", ((1, 2, 0),))
}

/// Opens a film: a video (read by ffmpeg), a .y4m, or a folder of PNG or JPEG images.
///
/// Parameters
/// ----------
/// path : path
/// fps : float, optional
///     Frames per second, for images or instead of the film's own time stamps.
/// raw : str, optional
///     Size and rate of a film of raw gray bytes, such as "640x480@30".
/// colour : bool
///     If true and the film has colours, frames are (H, W, 3) in RGB; else they are (H, W) in gray.
///
/// Each frame is a uint8 array that owns its memory and was not copied.
#[pyfunction]
#[pyo3(signature = (path, *, fps=None, raw=None, colour=false))]
pub(crate) fn frames(
    py: Python<'_>,
    path: PathBuf,
    fps: Option<f64>,
    raw: Option<&str>,
    colour: bool,
) -> PyResult<Frames> {
    let options = options(fps, raw, colour)?;
    let film = py.detach(|| film::open(&path, &options)).into_py_result()?;
    let (width, height, count) = (film.width, film.height, film.frame_count);
    Ok(Frames { film: Mutex::new(film), width, height, count })
}

fn options(fps: Option<f64>, raw: Option<&str>, colour: bool) -> PyResult<Options> {
    if fps.is_some_and(|fps| !(0.01..=100_000.0).contains(&fps)) {
        return Err(py_error("fps: give 0.01 to 100000 frames per second"));
    }
    let raw = raw.map(raw_size).transpose().map_err(|error| py_error(format!("raw: {error}")))?;
    Ok(Options { raw, fps, colour })
}

/// The track of the lids in a film.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Track {
    rows: Vec<Row>,
    has_gaze: bool,
    name: String,
    /// Time of each frame, (T,) seconds.
    #[pyo3(get)]
    time: Py<PyArray1<f64>>,
    /// Aperture of the left and the right eye, (T, 2), relative to the width of each eye; NaN if the eyes were lost.
    #[pyo3(get)]
    aperture: Py<PyArray2<f64>>,
    /// Distance between the upper and the lower lid of the left and the right eye, (T, 2), in pixels.
    #[pyo3(get)]
    lid_distance: Py<PyArray2<f64>>,
    /// The points, (T, 18, 2), x and y in pixels, in the order of ``vivant.POINTS``.
    #[pyo3(get)]
    points: Py<PyArray3<f64>>,
    /// The share of each frame's contrast that the model does not explain, (T,), from 0 to 1.
    #[pyo3(get)]
    error: Py<PyArray1<f64>>,
    /// Number of iterations for each frame, (T,).
    #[pyo3(get)]
    iterations: Py<PyArray1<u32>>,
    /// True if the points are reliable, (T,).
    #[pyo3(get)]
    trusted: Py<PyArray1<bool>>,
    /// Gaze estimated from the labels, (T, 2): degrees to the person's left, and up. None without such labels.
    #[pyo3(get)]
    gaze: Option<Py<PyArray2<f64>>>,
    /// Warnings about data that was guessed, and the reason if the film ended early.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl Track {
    /// Returns the CSV of ``vivant track -o track.csv``.
    fn to_csv(&self) -> String {
        let mut text = row::header(self.has_gaze);
        self.rows.iter().for_each(|row| row.write(self.has_gaze, &mut text));
        text
    }

    /// Returns the track as an eye recording, for blink detection and learning.
    fn recording(&self, py: Python<'_>) -> PyResult<Recording> {
        let source = Source { name: format!("{}.csv", self.name), bytes: self.to_csv().into_bytes() };
        let (read, warnings) =
            py.detach(|| recording::read(&[source], &ReadOptions::default())).into_py_result()?;
        Recording::of(py, read, warnings)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __repr__(&self) -> String {
        let found = self.rows.iter().filter(|row| row.points.is_some()).count();
        format!("<vivant.Track of {:?}: eyes in {found} of {} frames>", self.name, self.rows.len())
    }
}

impl Track {
    fn of(
        py: Python<'_>,
        rows: Vec<Row>,
        has_gaze: bool,
        name: String,
        warnings: &[Warning],
    ) -> PyResult<Self> {
        let count = rows.len();
        let lost = [f64::NAN; 2];
        let lids = |row: &Row| {
            let of = |points| [Side::Left, Side::Right].map(|side| lid_distance(side.of(points)));
            row.points.as_ref().map_or(lost, of)
        };
        let points = |row: &Row| {
            let flat = row.points.map(|points| points.iter().flat_map(DVec2::to_array).collect());
            flat.unwrap_or_else(|| vec![f64::NAN; 2 * POINTS])
        };
        let gaze = |row: &Row| row.gaze.map_or(lost, |(yaw, pitch)| [yaw, pitch]);
        let two = |of: &dyn Fn(&Row) -> [f64; 2]| grid(py, rows.iter().flat_map(of).collect(), [count, 2]);
        Ok(Self {
            time: list(py, rows.iter().map(|row| row.secs).collect()),
            aperture: two(&|row| row.apertures().unwrap_or(lost))?,
            lid_distance: two(&lids)?,
            points: grid(py, rows.iter().flat_map(points).collect(), [count, POINTS, 2])?,
            error: list(py, rows.iter().map(|row| row.error).collect()),
            iterations: list(py, rows.iter().map(|row| row.iterations).collect()),
            trusted: list(py, rows.iter().map(|row| row.points.is_some()).collect()),
            gaze: if has_gaze { Some(two(&gaze)?) } else { None },
            warnings: to_strings(warnings),
            rows,
            has_gaze,
            name,
        })
    }
}

/// Tracks the eyelids in a film (Trutoiu et al. 2011, section 3), like ``vivant track``.
///
/// Parameters
/// ----------
/// film : path
///     A video (read by ffmpeg, which must be installed), a .y4m, or a folder of images.
/// model : EyeModel or path, optional
///     The model of the person's eyes. Give a model or labels.
/// labels : path, optional
///     Labels of some frames of this film. A model is made from them.
/// colour : bool
///     With labels: if true, the model uses colours, which is slower.
/// fps, raw
///     Same as in ``frames``.
/// jobs : int, optional
///     Number of chunks tracked in parallel; by default the number of cores. The result is the same.
///
/// Other Python threads can run meanwhile, and Ctrl-C stops the tracking.
#[pyfunction]
#[pyo3(signature = (film, *, model=None, labels=None, colour=false, fps=None, raw=None, jobs=None))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn track(
    py: Python<'_>,
    film: PathBuf,
    model: Option<&Bound<'_, PyAny>>,
    labels: Option<PathBuf>,
    colour: bool,
    fps: Option<f64>,
    raw: Option<&str>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Track> {
    let options = options(fps, raw, colour)?;
    let mut warnings = Vec::new();
    let eyes = eyes(py, model, labels, &film, &options, &mut warnings)?;
    let gaze = eyes.gaze().cloned();
    let options = Options { colour: eyes.has_colour(), ..options };
    let jobs = jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let (rows, own) = py.detach(|| {
        let mut film = film::open(&film, &options).into_py_result()?;
        let channels = film.peek().map_or(1, |(_, image)| image.channels);
        let cut = Cut::of(film.width * film.height * channels);
        let (mut rows, mut stopped) = (Vec::new(), Ok(()));
        let rest = Rest { number: 0, before: VecDeque::new(), next: || film.next() };
        let done = chunks::run(cut, jobs, rest, &eyes.steps(), &AtomicBool::new(false), |frames, found| {
            for (frame, found) in frames.iter().zip(found) {
                let gaze = gaze.as_ref().and_then(|labels| labels.gaze_at(frame.secs));
                rows.push(Row::new(frame.number, frame.secs, found, gaze));
            }
            stopped = check_interrupt();
            stopped.as_ref().map_err(vivant_io::Error::new).copied()
        });
        stopped?;
        done.into_py_result()?;
        Ok::<_, PyErr>((rows, film.warnings()))
    })?;
    warnings.extend(own);
    let name = film.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Track::of(py, rows, gaze.is_some(), name, &warnings)
}

fn eyes(
    py: Python<'_>,
    model: Option<&Bound<'_, PyAny>>,
    labels: Option<PathBuf>,
    film: &std::path::Path,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> PyResult<Eyes> {
    match (model, labels) {
        (Some(model), None) => {
            if let Ok(model) = model.cast::<EyeModel>() {
                return Eyes::of_model(Arc::clone(&model.get().model)).into_py_result();
            }
            let path: PathBuf =
                model.extract().map_err(|_| py_error("model: give an EyeModel, or the path of one"))?;
            Eyes::read(&path).into_py_result()
        }
        (None, Some(labels)) => {
            py.detach(|| Eyes::labelled(&labels, film, options, warnings)).into_py_result()
        }
        _ => Err(py_error("give a model, or labels of this video to make one from")),
    }
}
