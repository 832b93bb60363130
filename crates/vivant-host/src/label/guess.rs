//! The model's own guess: what it has learned from the frames that are labelled so far.

use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::aam::{
    BuildOptions, Example, Fit, FitOptions, Fitter, Model, TrackOptions, Tracked, Tracker,
};
use vivant_learn::film::labels::LabelledFrame;
use vivant_learn::film::{Image, POINTS, Points};

/// A model of fewer frames knows nothing that a copy of one of them does not.
pub(super) const FEWEST: usize = 3;

/// How far the eyes are followed for a guess, in frames: some seconds of film.
const MOST_STEPS: usize = 250;

/// Gives the frames of a film.
pub(super) type Images<'a> = dyn Fn(usize) -> Result<Arc<Image>> + 'a;

/// The points that a model finds in a frame.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Guess {
    /// The points, in pixels.
    pub points: [[f64; 2]; POINTS],
    /// The share of the picture's contrast that the model does not explain, from 0 to 1.
    pub error: f64,
    /// The same for the frames it was learned from.
    pub usual: f64,
    /// Whether the error is small enough to be believed.
    pub trusted: bool,
    /// The number of frames that the model was learned from.
    pub learned_from: usize,
}

/// The model that was made last, and from what.
#[derive(Default)]
pub(super) struct Guesser {
    last: Mutex<Option<(Vec<LabelledFrame>, Arc<Model>)>>,
}

impl Guesser {
    /// A guess for a frame, from others and how they look.
    pub(super) fn guess(
        &self,
        frame: usize,
        learned: &[LabelledFrame],
        images: &Images<'_>,
    ) -> Result<Guess> {
        let image = images(frame)?;
        let model = self.model(learned, images)?;
        let near = learned.iter().min_by_key(|known| known.frame.abs_diff(frame));
        let near = near.ok_or_else(|| Error::new("the model was learned from no frame"))?;
        let mut tracked = from(&model, near).next(&*image);
        if !tracked.trusted {
            tracked = along(&model, near, frame, images)?.unwrap_or(tracked);
        }
        let (points, error) = match tracked.points.filter(|_| tracked.trusted) {
            Some(points) => (points, tracked.error),
            None => {
                let fit = best(&model, &image, learned);
                (fit.points, fit.error)
            }
        };
        let usual = model.expected().typical;
        let (trusted, learned_from) = (tracked.trusted, learned.len());
        Ok(Guess { points: plain(&points), error, usual, trusted, learned_from })
    }

    /// The points in every frame of a film, as far as they are found. After each frame it is asked whether to go on.
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
            // Where the eyes are known, nothing need be searched for.
            if let Some(known) = learned.iter().find(|known| known.frame == found.len()) {
                tracker.start(model.pose_of(&known.points()));
            }
            let tracked = tracker.next(image);
            found.push(tracked.points.filter(|_| tracked.trusted).map(|points| plain(&points)));
            go_on(found.len())
        })?;
        Ok(found)
    }

    /// The model of these frames; it is kept until they change.
    fn model(&self, learned: &[LabelledFrame], images: &Images<'_>) -> Result<Arc<Model>> {
        if learned.len() < FEWEST {
            let message = format!(
                "the model needs {FEWEST} other labelled frames; there are {}. Label some more first",
                learned.len()
            );
            return Err(Error::of(ErrorKind::Invalid, message));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((from, model)) = &*last
            && from == learned
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

/// A tracker that begins where the eyes are in a labelled frame.
fn from(model: &Arc<Model>, known: &LabelledFrame) -> Tracker {
    let mut tracker = Tracker::new(Arc::clone(model), TrackOptions::default());
    tracker.start(model.pose_of(&known.points()));
    tracker
}

/// Follows the eyes from a labelled frame to another, whichever comes first; `None` if it is too far or they are lost.
fn along(
    model: &Arc<Model>,
    near: &LabelledFrame,
    frame: usize,
    images: &Images<'_>,
) -> Result<Option<Tracked>> {
    let steps = near.frame.abs_diff(frame);
    if steps > MOST_STEPS {
        return Ok(None);
    }
    let (mut tracker, mut last) = (from(model, near), None);
    for step in 1..=steps {
        let index = if near.frame < frame { near.frame + step } else { near.frame - step };
        last = Some(tracker.next(&*images(index)?));
    }
    Ok(last.filter(|tracked| tracked.trusted))
}

/// From wherever the eyes were in a labelled frame, the fit that is most like the picture.
fn best(model: &Arc<Model>, image: &Image, learned: &[LabelledFrame]) -> Fit {
    let mut fitter = Fitter::new(Arc::clone(model), FitOptions::default());
    let fits = learned.iter().map(|frame| fitter.fit_coarse_to_fine(image, &model.pose_of(&frame.points())));
    fits.min_by(|a, b| a.error.total_cmp(&b.error)).expect("there are frames to learn from")
}

/// To a thousandth of a pixel, as labels have it.
fn plain(points: &Points) -> [[f64; 2]; POINTS] {
    LabelledFrame::new(0, 0.0, points).points
}
