//! Predictions of a model trained on the frames labelled so far.
//!
//! Correcting a prediction is faster than labelling a frame from nothing. `Guesser::guess` tries three methods in order
//! of cost: tracking from the pose of the nearest labelled frame, tracking through all frames in between, and a fit
//! from every labelled pose. `Guesser::track` predicts a whole film. The last model is cached until the labels change.
//! The [`Guess`] contains the error of the fit and the usual error, so that users see when to distrust it.

use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::aam::{
    BuildOptions, Example, Fit, FitOptions, Fitter, Model, TrackOptions, Tracked, Tracker,
};
use vivant_learn::film::labels::LabelledFrame;
use vivant_learn::film::{Image, POINTS, Points};

/// Minimum number of frames for training; with fewer, a model is no better than a copy of one frame.
pub(super) const MIN_FRAMES: usize = 3;

/// Maximum number of frames over which eyes are tracked for a prediction: a few seconds of film.
const MAX_STEPS: usize = 250;

/// Reads the frame with the given number.
pub(super) type Images<'a> = dyn Fn(usize) -> Result<Arc<Image>> + 'a;

/// The points that a model predicts in a frame.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Guess {
    /// The points, in pixels.
    pub points: [[f64; 2]; POINTS],
    /// The fraction of the image's contrast that the model does not explain, from 0 to 1.
    pub error: f64,
    /// The typical error in the training frames.
    pub usual: f64,
    /// True if the error is small enough to trust the points.
    pub trusted: bool,
    /// The number of training frames.
    pub learned_from: usize,
}

/// Trains models and caches the last one.
#[derive(Default)]
pub(super) struct Guesser {
    last: Mutex<Option<(Vec<LabelledFrame>, Arc<Model>)>>,
}

impl Guesser {
    /// Predicts the points in a frame with a model trained on the labelled frames `learned`.
    pub(super) fn guess(
        &self,
        frame: usize,
        learned: &[LabelledFrame],
        images: &Images<'_>,
    ) -> Result<Guess> {
        let image = images(frame)?;
        let model = self.model(learned, images)?;
        let nearest = learned.iter().min_by_key(|known| known.frame.abs_diff(frame));
        let nearest = nearest.ok_or_else(|| Error::new("there are no labelled frames; label some first"))?;
        let mut tracked = tracker_at(&model, nearest).next(&*image);
        if !tracked.trusted {
            tracked = track_to(&model, nearest, frame, images)?.unwrap_or(tracked);
        }
        let (points, error) = match tracked.points.filter(|_| tracked.trusted) {
            Some(points) => (points, tracked.error),
            None => {
                let fit = best_fit(&model, &image, learned);
                (fit.points, fit.error)
            }
        };
        let usual = model.expected().typical;
        let (trusted, learned_from) = (tracked.trusted, learned.len());
        Ok(Guess { points: rounded(&points), error, usual, trusted, learned_from })
    }

    /// Predicts the points in every frame of a film. Frames without a trusted prediction have no points. `go_on` is
    /// called after each frame with the number of finished frames; tracking stops when it returns false.
    pub(super) fn track(
        &self,
        learned: &[LabelledFrame],
        images: &Images<'_>,
        film: impl FnOnce(&mut dyn FnMut(&Image) -> bool) -> Result<()>,
        go_on: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Option<[[f64; 2]; POINTS]>>> {
        let model = self.model(learned, images)?;
        let mut tracker = Tracker::new(Arc::clone(&model), TrackOptions::default());
        let mut found = Vec::new();
        film(&mut |image| {
            // In labelled frames, the position of the eyes is known.
            if let Some(known) = learned.iter().find(|known| known.frame == found.len()) {
                tracker.start(model.pose_of(&known.points()));
            }
            let tracked = tracker.next(image);
            found.push(tracked.points.filter(|_| tracked.trusted).map(|points| rounded(&points)));
            go_on(found.len())
        })?;
        Ok(found)
    }

    /// Returns the model of these frames. The model is cached until the frames change.
    fn model(&self, learned: &[LabelledFrame], images: &Images<'_>) -> Result<Arc<Model>> {
        if learned.len() < MIN_FRAMES {
            let message = format!(
                "the model needs {MIN_FRAMES} other labelled frames, but there are {}; label more frames first",
                learned.len()
            );
            return Err(Error::of(ErrorKind::Invalid, message));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((trained_on, model)) = &*last
            && trained_on == learned
        {
            return Ok(Arc::clone(model));
        }
        let images = learned.iter().map(|frame| images(frame.frame)).collect::<Result<Vec<_>>>()?;
        let points: Vec<_> = learned.iter().map(LabelledFrame::points).collect();
        let examples: Vec<_> =
            images.iter().zip(&points).map(|(image, points)| Example { image, points }).collect();
        let model = Model::build(&examples, &BuildOptions::default());
        let model = Arc::new(model.map_err(|error| Error::of(ErrorKind::Invalid, error.to_string()))?);
        *last = Some((learned.to_vec(), Arc::clone(&model)));
        Ok(model)
    }
}

/// Returns a tracker that starts with the eye position of a labelled frame.
fn tracker_at(model: &Arc<Model>, known: &LabelledFrame) -> Tracker {
    let mut tracker = Tracker::new(Arc::clone(model), TrackOptions::default());
    tracker.start(model.pose_of(&known.points()));
    tracker
}

/// Tracks the eyes from a labelled frame to another frame, forwards or backwards. Returns `None` if the distance is
/// too large or the eyes are lost.
fn track_to(
    model: &Arc<Model>,
    nearest: &LabelledFrame,
    frame: usize,
    images: &Images<'_>,
) -> Result<Option<Tracked>> {
    let steps = nearest.frame.abs_diff(frame);
    if steps > MAX_STEPS {
        return Ok(None);
    }
    let (mut tracker, mut last) = (tracker_at(model, nearest), None);
    for step in 1..=steps {
        let index = if nearest.frame < frame { nearest.frame + step } else { nearest.frame - step };
        last = Some(tracker.next(&*images(index)?));
    }
    Ok(last.filter(|tracked| tracked.trusted))
}

/// Fits the model from the eye position of every labelled frame and returns the best fit.
fn best_fit(model: &Arc<Model>, image: &Image, learned: &[LabelledFrame]) -> Fit {
    let mut fitter = Fitter::new(Arc::clone(model), FitOptions::default());
    let fits = learned.iter().map(|frame| fitter.fit_coarse_to_fine(image, &model.pose_of(&frame.points())));
    fits.min_by(|a, b| a.error.total_cmp(&b.error)).expect("there is at least one labelled frame")
}

/// Rounds to a thousandth of a pixel, like stored labels.
fn rounded(points: &Points) -> [[f64; 2]; POINTS] {
    LabelledFrame::new(0, 0.0, points).points
}
