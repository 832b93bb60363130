//! The model of someone's eyes: read, or made of labelled frames of the film.

use super::chunks::Steps;
use super::row::TrackedFrame;
use crate::{disk, film};
use std::path::Path;
use std::sync::Arc;
use vivant_io::{Error, Result, Warning, WarningCode};
use vivant_learn::aam::{BuildOptions, Example, Known, Model, TrackOptions, Tracker};
use vivant_learn::film::Image;
use vivant_learn::film::labels::{self, LabelledFrame, Labels};

/// Labels whose times are further off than this share of a frame are told of.
const OFF_FRAMES: f64 = 0.75;

/// How a frame is tracked.
pub type Step = fn(&mut Tracker, &Image) -> TrackedFrame;
/// Whether two trackers go on alike.
pub type Same = fn(&TrackedFrame, &TrackedFrame) -> bool;

/// The setting that makes a model of labelled frames.
const LABELS: &str = "track::Eyes::labelled";

/// Whose eyes are followed.
#[derive(Clone, Debug)]
pub struct Eyes {
    model: Arc<Model>,
    labels: Option<Labels>,
}

impl Eyes {
    /// Of a model that was saved.
    ///
    /// # Errors
    /// If that is none, or is of other pictures than films have.
    pub fn read(path: &Path) -> Result<Self> {
        let model = Model::read(&path.display().to_string(), &disk::read(path)?)
            .map_err(|error| error.with_setting(LABELS))?;
        Self::of_model(Arc::new(model)).map_err(|error| error.in_file(path.display()))
    }

    /// Of a model.
    ///
    /// # Errors
    /// If it is of other pictures than films have.
    pub fn of_model(model: Arc<Model>) -> Result<Self> {
        if [1, 3].contains(&model.channels()) {
            return Ok(Self { model, labels: None });
        }
        let message =
            "was made of pictures that are neither gray nor RGB; make it again from labelled frames";
        Err(Error::new(message).with_setting(LABELS))
    }

    /// Of labelled frames of a film, which is read for it. What seems odd about them is told.
    ///
    /// # Errors
    /// If labels or film cannot be read, do not belong together, or make no model.
    pub fn labelled(
        labels: &Path,
        of: &Path,
        options: &film::Options,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let read = labels::read(&labels.display().to_string(), &disk::read(labels)?)?;
        let model = built(of, labels, &read, options, warnings)?;
        Ok(Self { model: Arc::new(model), labels: Some(read) })
    }

    /// What they look like.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Whether the model wants to see colours.
    #[must_use]
    pub fn has_colour(&self) -> bool {
        self.model.channels() == 3
    }

    /// The labels, if they say where the eyes look.
    #[must_use]
    pub fn gaze(&self) -> Option<&Labels> {
        self.labels.as_ref().filter(|labels| !labels.gaze.is_empty())
    }

    /// What the rows depend on, as bytes.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        let gaze = self.gaze().map(|labels| format!("{:?}", labels.gaze)).unwrap_or_default();
        [&self.model.to_bytes(), gaze.as_bytes()].concat()
    }

    /// Where the eyes are in the labelled frames, to begin from and to look for them again.
    fn known(&self) -> Arc<[Known]> {
        let labelled = self.labels.iter().flat_map(|labels| &labels.frames).filter(|frame| !frame.guessed);
        let known = |frame: &LabelledFrame| Known {
            number: frame.frame as u64,
            pose: self.model.pose_of(&frame.points()),
        };
        labelled.map(known).collect()
    }

    /// How frames are tracked.
    pub fn steps(&self) -> Steps<impl Fn(usize) -> Tracker + Sync, Step, Same> {
        let known = self.known();
        let new = move |number: usize| {
            Tracker::new(Arc::clone(&self.model), TrackOptions::default())
                .within(number as u64, Arc::clone(&known))
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

/// Whether one who found the first will go on as one who found the second.
fn is_same(one: &TrackedFrame, other: &TrackedFrame) -> bool {
    one.memory == other.memory
}

/// A model of the labelled frames of the film.
fn built(
    of: &Path,
    path: &Path,
    labels: &Labels,
    options: &film::Options,
    warnings: &mut Vec<Warning>,
) -> Result<Model> {
    let labelled: Vec<&LabelledFrame> = labels.frames.iter().filter(|frame| !frame.guessed).collect();
    if labelled.is_empty() {
        let message = "no frame is labelled; label about twenty";
        return Err(Error::new(message).in_file(path.display()).with_setting("label::Labels"));
    }
    let mut film = film::open(of, options)?;
    labels.fits(film.width, film.height, None).map_err(|error| error.in_file(path.display()))?;
    let numbers: Vec<usize> = labelled.iter().map(|frame| frame.frame).collect();
    let frames = film::frames(&mut film, &numbers);
    if let Some(missing) = numbers.get(frames.len()) {
        let message = format!(
            "frame {missing} is labelled, and {} ends before it; are these the labels of this film?",
            film.name
        );
        return Err(Error::new(message).in_file(path.display()));
    }
    warnings.extend(doubts(
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

/// Whether labels may be of another film, though they fit.
fn doubts(path: &Path, labels: &Labels, film: &str, times: Vec<(f64, f64)>) -> Vec<Warning> {
    let warning = |message: String| Warning::new(WarningCode::Guessed, path.display(), message);
    let mut doubts = Vec::new();
    let name = Path::new(film).file_name().map(|name| name.to_string_lossy().into_owned());
    if name.is_some_and(|name| name != labels.film) {
        doubts.push(warning(format!("these are labels of “{}”, and are used for {film}", labels.film)));
    }
    let [Some(first), Some(last)] = [labels.frames.first(), labels.frames.last()] else { return doubts };
    let frame_secs = (last.secs - first.secs) / (last.frame - first.frame).max(1) as f64;
    let off = times.iter().map(|(labelled, shown)| (labelled - shown).abs()).fold(0.0, f64::max);
    if last.frame > first.frame && off > OFF_FRAMES * frame_secs {
        doubts.push(warning(format!("the times of its frames are up to {off:.3} s off those of {film}; frames are taken by their numbers")));
    }
    doubts
}
