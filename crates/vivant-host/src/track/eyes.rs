//! The model of a person's eyes: read from a file, or trained on labelled frames of the film.
//!
//! A model describes the eyes of one person. It is trained on labels of the film itself by [`Eyes::labelled`].
//! [`Eyes::read`] loads a saved model instead. The labels are also the positions where tracking starts and where lost
//! eyes are searched for. [`Eyes::steps`] returns the functions with which chunks of the film are tracked. Labels of
//! another film cannot always be detected, so doubtful file names and times cause warnings and not errors.

use super::chunks::Steps;
use super::row::TrackedFrame;
use crate::{disk, film};
use std::path::Path;
use std::sync::Arc;
use vivant_io::{Error, Result, Warning, WarningCode};
use vivant_learn::aam::{BuildOptions, Example, KnownPose, Model, TrackOptions, Tracker};
use vivant_learn::film::Image;
use vivant_learn::film::labels::{self, LabelledFrame, Labels};

/// Time differences between label and frame above this fraction of a frame cause a warning.
const MAX_OFFSET_FRAMES: f64 = 0.75;

/// Tracks one frame.
pub type Step = fn(&mut Tracker, &Image) -> TrackedFrame;
/// Returns true if two trackers continue identically.
pub type Same = fn(&TrackedFrame, &TrackedFrame) -> bool;

/// The setting that trains a model on labelled frames.
const LABELS: &str = "track::Eyes::labelled";

/// The eye model used for tracking, and its labels.
#[derive(Clone, Debug)]
pub struct Eyes {
    model: Arc<Model>,
    labels: Option<Labels>,
}

impl Eyes {
    /// Reads a saved model.
    ///
    /// # Errors
    /// If the file is not a valid model, or the model was made from images that are neither gray nor RGB.
    pub fn read(path: &Path) -> Result<Self> {
        let model = Model::read(&path.display().to_string(), &disk::read(path)?)
            .map_err(|error| error.with_setting(LABELS))?;
        Self::of_model(Arc::new(model)).map_err(|error| error.in_file(path.display()))
    }

    /// Creates the eyes from a model.
    ///
    /// # Errors
    /// If the model was made from images that are neither gray nor RGB.
    pub fn of_model(model: Arc<Model>) -> Result<Self> {
        if [1, 3].contains(&model.channels()) {
            return Ok(Self { model, labels: None });
        }
        let message =
            "the model was made from images that are neither gray nor RGB; train it again on labelled frames";
        Err(Error::new(message).with_setting(LABELS))
    }

    /// Trains a model on labelled frames of the film `of`. Adds warnings if the labels may belong to another film.
    ///
    /// # Errors
    /// If the labels or the film cannot be read, they do not belong together, or no model can be trained.
    pub fn labelled(
        labels: &Path,
        of: &Path,
        options: &film::Options,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let read = labels::read(&labels.display().to_string(), &disk::read(labels)?)?;
        let model = train(of, labels, &read, options, warnings)?;
        Ok(Self { model: Arc::new(model), labels: Some(read) })
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns true if the model needs colour images.
    #[must_use]
    pub fn has_colour(&self) -> bool {
        self.model.channels() == 3
    }

    /// Returns the labels, if they contain gaze directions.
    #[must_use]
    pub fn gaze(&self) -> Option<&Labels> {
        self.labels.as_ref().filter(|labels| !labels.gaze.is_empty())
    }

    /// Returns all data of the model and the labels on which the rows depend, as bytes.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        let gaze = self.gaze().map(|labels| format!("{:?}", labels.gaze)).unwrap_or_default();
        [&self.model.to_bytes(), gaze.as_bytes()].concat()
    }

    /// Returns the eye poses in labelled frames. Tracking starts from these poses. If the eyes are lost, they are
    /// searched for at these poses.
    fn known(&self) -> Arc<[KnownPose]> {
        let labelled = self.labels.iter().flat_map(|labels| &labels.frames).filter(|frame| !frame.guessed);
        let known = |frame: &LabelledFrame| KnownPose {
            number: frame.frame as u64,
            pose: self.model.pose_of(&frame.points()),
        };
        labelled.map(known).collect()
    }

    /// Returns the functions that track frames.
    pub fn steps(&self) -> Steps<impl Fn(usize) -> Tracker + Sync, Step, Same> {
        let known = self.known();
        let new = move |number: usize| {
            Tracker::new(Arc::clone(&self.model), TrackOptions::default())
                .starting_at(number as u64, Arc::clone(&known))
        };
        Steps { new, step: step as Step, is_same: is_same as Same }
    }
}

fn step(tracker: &mut Tracker, image: &Image) -> TrackedFrame {
    let tracked = tracker.next(image);
    let points = tracked.points.filter(|_| tracked.trusted);
    TrackedFrame {
        points,
        error: tracked.error,
        iterations: tracked.iterations,
        memory: tracker.memory().clone(),
    }
}

/// Returns true if tracking continues identically after both results.
fn is_same(one: &TrackedFrame, other: &TrackedFrame) -> bool {
    one.memory == other.memory
}

/// Trains a model on the labelled frames of the film.
fn train(
    of: &Path,
    path: &Path,
    labels: &Labels,
    options: &film::Options,
    warnings: &mut Vec<Warning>,
) -> Result<Model> {
    let labelled: Vec<&LabelledFrame> = labels.frames.iter().filter(|frame| !frame.guessed).collect();
    if labelled.is_empty() {
        let message = "contains no labelled frames; label about twenty";
        return Err(Error::new(message).in_file(path.display()).with_setting("label::Labels"));
    }
    let mut film = film::open(of, options)?;
    labels.fits(film.width, film.height, None).map_err(|error| error.in_file(path.display()))?;
    let numbers: Vec<usize> = labelled.iter().map(|frame| frame.frame).collect();
    let frames = film::frames(&mut film, &numbers);
    if let Some(missing) = numbers.get(frames.len()) {
        let message = format!(
            "frame {missing} is labelled, but {} ends before it; are these the labels of this video?",
            film.name
        );
        return Err(Error::new(message).in_file(path.display()));
    }
    warnings.extend(mismatch_warnings(
        path,
        labels,
        &film.name,
        labelled.iter().map(|frame| frame.secs).zip(frames.iter().map(|frame| frame.0)).collect(),
    ));
    let points: Vec<_> = labelled.iter().map(|frame| frame.points()).collect();
    let examples: Vec<Example<'_>> =
        frames.iter().zip(&points).map(|((_, image), points)| Example { image, points }).collect();
    Model::build(&examples, &BuildOptions::default()).map_err(|error| error.in_file(path.display()))
}

/// Returns warnings if the labels fit the film but may belong to another film.
fn mismatch_warnings(path: &Path, labels: &Labels, film: &str, times: Vec<(f64, f64)>) -> Vec<Warning> {
    let warning = |message: String| Warning::new(WarningCode::Guessed, path.display(), message);
    let mut mismatch_warnings = Vec::new();
    let name = Path::new(film).file_name().map(|name| name.to_string_lossy().into_owned());
    if name.is_some_and(|name| name != labels.film) {
        mismatch_warnings
            .push(warning(format!("these labels are for “{}”, but are used for {film}", labels.film)));
    }
    let [Some(first), Some(last)] = [labels.frames.first(), labels.frames.last()] else {
        return mismatch_warnings;
    };
    let frame_secs = (last.secs - first.secs) / (last.frame - first.frame).max(1) as f64;
    let off = times.iter().map(|(labelled, shown)| (labelled - shown).abs()).fold(0.0, f64::max);
    if last.frame > first.frame && off > MAX_OFFSET_FRAMES * frame_secs {
        mismatch_warnings.push(warning(format!(
            "the times of its frames differ by up to {off:.3} s from those of {film}; labels are assigned by frame number"
        )));
    }
    mismatch_warnings
}
