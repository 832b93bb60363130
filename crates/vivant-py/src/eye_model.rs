//! Active appearance models of eyes, and a tracker that uses them.

use crate::arguments::one_of;
use crate::arrays::grid;
use crate::errors::{IntoPyResult, py_error};
use glam::DVec2;
use numpy::ndarray::Axis;
use numpy::{
    AllowTypeChange, PyArray2, PyArrayLike2, PyArrayLike3, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use vivant_host::disk;
use vivant_host::film::Options;
use vivant_host::track::Eyes;
use vivant_learn::aam::{self, BuildOptions, Example, Mesh, Model, TrackOptions};
use vivant_learn::film::layout::{EYE_POINTS, NAMES, Side, aperture, lid_distance};
use vivant_learn::film::{Image, ImageRef, POINTS, Points};

/// Returns the names of the points in order: the person's right eye, which is left in the image, comes first.
pub(crate) fn point_names() -> Vec<String> {
    let name = |index: usize| {
        let side = if index < EYE_POINTS { "right" } else { "left" };
        format!("{side}_{}", NAMES[index % EYE_POINTS])
    };
    (0..POINTS).map(name).collect()
}

/// A model of the shape and appearance of a person's eyes, made from labelled images (Trutoiu et al. 2011, 3.1).
///
/// ``build`` makes one from arrays, ``of_labels`` from a film's labels, ``load`` reads one.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct EyeModel {
    pub(crate) model: Arc<Model>,
    /// Warnings about the labels.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl EyeModel {
    /// Makes a model from images with their points; the paper uses 20 to 25 images.
    ///
    /// Parameters
    /// ----------
    /// frames : list of arrays
    ///     (H, W) uint8 in gray, or (H, W, 3) in RGB.
    /// points : array (N, 18, 2)
    ///     x and y of the points in pixels, in the order of ``vivant.POINTS``; integers are the centres of pixels.
    /// mesh : 42 or 18
    ///     Number of points of the mesh: 42 with a border of skin around the eyes, as in the paper, or 18 without a
    ///     border.
    #[staticmethod]
    #[pyo3(signature = (frames, points, *, mesh=42))]
    fn build(
        py: Python<'_>,
        frames: Vec<Bound<'_, PyAny>>,
        points: PyArrayLike3<'_, f64, AllowTypeChange>,
        mesh: u32,
    ) -> PyResult<Self> {
        let mesh = one_of("mesh", &mesh.to_string(), &[("42", Mesh::Bordered), ("18", Mesh::Bare)])?;
        let all = points.as_array();
        if all.shape() != [frames.len(), POINTS, 2] {
            let (shape, count) = (all.shape(), frames.len());
            return Err(py_error(format!(
                "points: has shape {shape:?}; {count} frames need ({count}, {POINTS}, 2)"
            )));
        }
        let points: Vec<Points> = all
            .axis_iter(Axis(0))
            .map(|of| std::array::from_fn(|index| DVec2::new(of[[index, 0]], of[[index, 1]])))
            .collect();
        let owned = |frame: &Bound<'_, PyAny>| Frame::of(frame).map(|frame| frame.picture().to_image());
        let images = frames.iter().map(owned).collect::<PyResult<Vec<Image>>>()?;
        let examples: Vec<Example<'_>> =
            images.iter().zip(&points).map(|(image, points)| Example { image, points }).collect();
        let options = BuildOptions { mesh, ..BuildOptions::default() };
        let model = py.detach(|| Model::build(&examples, &options)).into_py_result()?;
        Ok(Self { model: Arc::new(model), warnings: Vec::new() })
    }

    /// Makes a model from the labelled frames of a film, like ``vivant track --labels --save-model``.
    ///
    /// Parameters
    /// ----------
    /// labels : path
    ///     The labels written by the label view: docs/reference/labels.md.
    /// film : path
    ///     The film that was labelled.
    /// colour : bool
    ///     If true, the model uses colours, which is slower.
    /// fps : float, optional
    ///     Frames per second, instead of the film's own time stamps.
    #[staticmethod]
    #[pyo3(signature = (labels, film, *, colour=false, fps=None))]
    fn of_labels(
        py: Python<'_>,
        labels: PathBuf,
        film: PathBuf,
        colour: bool,
        fps: Option<f64>,
    ) -> PyResult<Self> {
        let options = Options { colour, fps, raw: None };
        let mut warnings = Vec::new();
        let eyes = py.detach(|| Eyes::labelled(&labels, &film, &options, &mut warnings)).into_py_result()?;
        Ok(Self { model: Arc::clone(eyes.model()), warnings: crate::arguments::to_strings(&warnings) })
    }

    /// Reads a model written by ``save`` or ``vivant track --save-model``.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let model = Model::read(&path.display().to_string(), &disk::read(&path).into_py_result()?)
            .into_py_result()?;
        Ok(Self { model: Arc::new(model), warnings: Vec::new() })
    }

    /// Writes the model atomically: readers get the old file or the new one.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        disk::write(&path, &self.model.to_bytes()).into_py_result()
    }

    /// Number of channels: 1 for gray, 3 for RGB.
    #[getter]
    fn channels(&self) -> usize {
        self.model.channels()
    }

    /// Number of pixels of the model's mean image.
    #[getter]
    fn pixels(&self) -> usize {
        self.model.pixel_count()
    }

    /// Numbers of parameters of shape, appearance, and both combined.
    #[getter]
    fn parameters(&self) -> (usize, usize, usize) {
        self.model.parameter_counts().into()
    }

    /// Median and maximum error from 0 to 1, if each labelled image is fitted by a model of the other images.
    #[getter]
    fn expected_error(&self) -> (f64, f64) {
        let aam::Expected { typical, high } = self.model.expected();
        (typical, high)
    }

    fn __repr__(&self) -> String {
        let (shape, look, both) = self.parameters();
        format!("<vivant.EyeModel of {} pixels, {shape}, {look} and {both} parameters>", self.pixels())
    }
}

/// Tracks a person's eyes from frame to frame (Trutoiu et al. 2011, section 3.2).
///
/// Parameters
/// ----------
/// model : EyeModel
///     The model of the person's eyes.
/// max_error : float, optional
///     Points with an ``error`` above this value are not trusted; by default a little more than the error of held-out
///     images.
#[pyclass(module = "vivant")]
pub(crate) struct Tracker {
    tracker: aam::Tracker,
    model: Arc<Model>,
}

#[pymethods]
impl Tracker {
    #[new]
    #[pyo3(signature = (model, *, max_error=None))]
    fn new(model: &EyeModel, max_error: Option<f64>) -> Self {
        let options = TrackOptions { max_error, ..TrackOptions::default() };
        let model = Arc::clone(&model.model);
        Self { tracker: aam::Tracker::new(Arc::clone(&model), options), model }
    }

    /// Finds the eyes in the next frame.
    ///
    /// Parameters
    /// ----------
    /// frame : array
    ///     (H, W) uint8 in gray; contiguous arrays (C order) are not copied. (H, W, 3) for a colour model.
    fn next(&mut self, py: Python<'_>, frame: &Bound<'_, PyAny>) -> PyResult<Tracked> {
        let frame = Frame::of(frame)?;
        let picture = frame.picture();
        if picture.channels() != self.model.channels() {
            let (has, wants) = (picture.channels(), self.model.channels());
            return Err(py_error(format!(
                "frame: has {has} channels, but the model needs {wants}; convert the frame"
            )));
        }
        let tracker = &mut self.tracker;
        Tracked::of(py, &py.detach(|| tracker.next(picture.borrowed())))
    }

    /// Starts at known points, (18, 2) in pixels.
    fn start(&mut self, points: PyArrayLike2<'_, f64, AllowTypeChange>) -> PyResult<()> {
        let points = points.as_array();
        if points.shape() != [POINTS, 2] {
            return Err(py_error(format!("points: has shape {:?}; give ({POINTS}, 2)", points.shape())));
        }
        let points: Points = std::array::from_fn(|index| DVec2::new(points[[index, 0]], points[[index, 1]]));
        self.tracker.start(self.model.pose_of(&points));
        Ok(())
    }

    /// Forgets the last points. Call it at a cut in the film.
    fn forget(&mut self) {
        self.tracker.reset();
    }

    /// Points with an ``error`` above this value are not trusted.
    #[getter]
    fn max_error(&self) -> f64 {
        self.tracker.max_error()
    }
}

/// The result of tracking one frame.
#[pyclass(module = "vivant", frozen)]
pub(crate) struct Tracked {
    /// The points, (18, 2) in pixels, in the order of ``vivant.POINTS``; None if the eyes are lost.
    #[pyo3(get)]
    points: Option<Py<PyArray2<f64>>>,
    /// The share of the image's contrast that the model does not explain, from 0 to 1.
    #[pyo3(get)]
    error: f64,
    /// Total number of iterations for this frame.
    #[pyo3(get)]
    iterations: u32,
    /// True if the points are reliable.
    #[pyo3(get)]
    trusted: bool,
    /// Aperture of the left and the right eye relative to the width of each eye; None if the eyes are lost.
    #[pyo3(get)]
    aperture: Option<(f64, f64)>,
    /// Distance between the upper and the lower lid of the left and the right eye, in pixels; None if the eyes are
    /// lost.
    #[pyo3(get)]
    lid_distance: Option<(f64, f64)>,
}

#[pymethods]
impl Tracked {
    fn __repr__(&self) -> String {
        let trusted = if self.trusted { "trusted" } else { "not trusted" };
        format!("<vivant.Tracked, {trusted}: error {:.3}, aperture {:?}>", self.error, self.aperture)
    }
}

impl Tracked {
    fn of(py: Python<'_>, tracked: &aam::Tracked) -> PyResult<Self> {
        let of_eyes = |value: fn(&[DVec2; EYE_POINTS]) -> f64| {
            tracked
                .points
                .as_ref()
                .map(|points| (value(Side::Left.of(points)), value(Side::Right.of(points))))
        };
        let flat = tracked.points.map(|points| points.iter().flat_map(DVec2::to_array).collect());
        Ok(Self {
            points: flat.map(|flat| grid(py, flat, [POINTS, 2])).transpose()?,
            error: tracked.error,
            iterations: tracked.iterations,
            trusted: tracked.trusted,
            aperture: of_eyes(|eye| aperture(eye).max(0.0)),
            lid_distance: of_eyes(lid_distance),
        })
    }
}

/// An image as a NumPy array.
enum Frame<'py> {
    Gray(PyReadonlyArray2<'py, u8>),
    Colour(PyReadonlyArray3<'py, u8>),
}

impl<'py> Frame<'py> {
    fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let frame = if let Ok(gray) = given.extract() {
            Self::Gray(gray)
        } else if let Ok(colour) = given.extract() {
            Self::Colour(colour)
        } else {
            return Err(py_error("frame: give an array of uint8, (H, W) in gray or (H, W, 3) in RGB"));
        };
        let size = match &frame {
            Self::Gray(gray) => gray.shape(),
            Self::Colour(colour) => colour.shape(),
        };
        if size.contains(&0) || size.get(2).is_some_and(|channels| *channels != 3) {
            return Err(py_error(format!(
                "frame: has shape {size:?}; give (H, W) in gray or (H, W, 3) in RGB"
            )));
        }
        Ok(frame)
    }

    /// Converts the image; contiguous arrays are not copied.
    fn picture(&self) -> Seen<'_> {
        match self {
            Self::Gray(gray) => {
                let [height, width] = [gray.shape()[0], gray.shape()[1]];
                let copied = || Cow::Owned(gray.as_array().iter().copied().collect());
                Seen { width, height, data: gray.as_slice().map_or_else(|_| copied(), Cow::Borrowed) }
            }
            Self::Colour(colour) => {
                let [height, width] = [colour.shape()[0], colour.shape()[1]];
                let planes = colour.as_array().permuted_axes([2, 0, 1]);
                Seen { width, height, data: Cow::Owned(planes.iter().copied().collect()) }
            }
        }
    }
}

/// An image in the memory layout of the tracker: 8-bit values, one plane per channel.
struct Seen<'a> {
    width: usize,
    height: usize,
    data: Cow<'a, [u8]>,
}

impl Seen<'_> {
    fn channels(&self) -> usize {
        self.data.len() / (self.width * self.height)
    }

    fn borrowed(&self) -> ImageRef<'_> {
        ImageRef { width: self.width, height: self.height, channels: self.channels(), data: &self.data }
    }

    fn to_image(&self) -> Image {
        self.borrowed().to_image()
    }
}
