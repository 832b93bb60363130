//! Tracks eyes from frame to frame: follows them, detects when they are lost, and finds them again.
//!
//! A fit converges only from a nearby start, so a single fit from the last frame fails when a lid closes quickly or a
//! hand covers the eyes. [`Tracker::next`] therefore tries other starts at the same position if the error is high. If
//! the eyes are lost, it searches near their last position, then near labelled frames, then in the whole image. It
//! returns a [`Tracked`] with the points and whether they are reliable. Everything that one frame passes on to the next
//! is in [`Memory`]. The tracker does not detect cuts; call [`Tracker::reset`] there.

mod memory;

use super::fit::{Fit, FitOptions, Fitter};
use super::model::{Model, Pose};
use super::search::Finder;
use crate::film::{ImageRef, Points};
pub use memory::Memory;
use std::sync::Arc;

/// Options for tracking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackOptions {
    /// Options of the fit to each frame.
    pub fit: FitOptions,
    /// Largest error of a reliable fit, from 0 to 1; by default slightly more than the highest error of held-out
    /// examples.
    pub max_error: Option<f64>,
    /// Number of frames in which the whole image is searched for lost eyes. Then it is searched only in every
    /// `patience`-th frame.
    pub patience: u32,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self { fit: FitOptions::default(), max_error: None, patience: 8 }
    }
}

/// The result for one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    /// The labelled points; `None` while the eyes are lost.
    pub points: Option<Points>,
    /// Share of the image contrast that the model does not explain, from 0 to 1.
    pub error: f64,
    /// Number of steps of all fits to this frame.
    pub iterations: u32,
    /// True if the points are reliable.
    pub trusted: bool,
    /// Position, shape and appearance of the eyes; `None` while they are lost.
    pub pose: Option<Pose>,
}

/// A labelled pose of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownPose {
    /// Index of the frame in the video, from 0.
    pub number: u64,
    /// The pose.
    pub pose: Pose,
}

/// Tracks the eyes of a video.
pub struct Tracker {
    fitter: Fitter,
    finder: Finder,
    options: TrackOptions,
    /// Index of the next frame.
    number: u64,
    known: Arc<[KnownPose]>,
    memory: Memory,
}

/// Ratio of the error to the recent mean error above which other starts are tried.
const RETRY_FACTOR: f64 = 1.2;
/// Maximum error of a reliable fit, as a multiple of the highest error of held-out examples. It is limited to
/// [`MAX_RELIABLE_ERROR`], above which a fit may show another object.
const RELIABLE_FACTOR: f64 = 1.35;
const MAX_RELIABLE_ERROR: f64 = 0.72;
/// Error above which the eyes are lost, as a multiple of the largest error of a reliable fit.
const LOST_FACTOR: f64 = 1.1;
/// Maximum root mean square of the parameters' standard scores.
const MAX_DEVIATION: f64 = 3.5;
/// Allowed size (as a factor) and tilt (in radians) beyond the sizes and tilts in the labelled images.
const SIZE_BEYOND: f64 = 2.0;
const TILT_BEYOND: f64 = 0.6;
/// Minimum share of the mesh inside the image.
const INSIDE: f64 = 0.7;
/// Number of search candidates that are fitted at full size.
const MAX_FITTED_CANDIDATES: usize = 3;
/// Number of labelled frames that are tried when the eyes are lost: the nearest in time.
const MAX_KNOWN_POSES: usize = 3;

impl Tracker {
    /// Creates a tracker without memory.
    #[must_use]
    pub fn new(model: Arc<Model>, options: TrackOptions) -> Self {
        let finder = Finder::new(&model);
        let fitter = Fitter::new(model, options.fit);
        Self { fitter, finder, options, number: 0, known: Arc::default(), memory: Memory::default() }
    }

    /// Sets the index of the next frame and the labelled poses of the video. The label of a frame is not used for
    /// that frame itself, because it may be needed for evaluation.
    #[must_use]
    pub fn starting_at(self, number: u64, known: Arc<[KnownPose]>) -> Self {
        Self { number, known, ..self }
    }

    /// Forgets the position of the eyes, for example at a cut.
    pub fn reset(&mut self) {
        self.memory = Memory::default();
    }

    /// Sets the known pose from which the next frame is tracked.
    pub fn start(&mut self, pose: Pose) {
        self.reset();
        self.memory.last = Some(pose);
    }

    /// Returns the state that is kept for the next frame.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the largest error of a reliable fit.
    #[must_use]
    pub fn max_error(&self) -> f64 {
        let high = self.fitter.model().expected.high;
        self.options.max_error.unwrap_or_else(|| (high * RELIABLE_FACTOR).min(MAX_RELIABLE_ERROR))
    }

    /// Tracks the eyes in the next frame.
    pub fn next<'a>(&mut self, image: impl Into<ImageRef<'a>>) -> Tracked {
        let image = image.into();
        let mut iterations = 0;
        let found = self.follow_or_lose(image, &mut iterations).or_else(|| self.find(image, &mut iterations));
        self.number += 1;
        if let Some(fit) = found {
            let before = fit.iterations;
            let fit = self.fitter.polish_fit(image, fit);
            iterations += fit.iterations - before;
            return self.keep(image, fit, iterations);
        }
        self.memory.record_missing();
        Tracked { points: None, error: 1.0, iterations, trusted: false, pose: None }
    }

    /// Follows the eyes from the last frame; `None` if they are lost.
    fn follow_or_lose(&mut self, image: ImageRef<'_>, iterations: &mut u32) -> Option<Fit> {
        let last = self.memory.last.take()?;
        let fit = self.follow(image, &last, iterations);
        if self.is_lost(image, &fit) {
            self.memory.record_lost(self.fitter.model(), &fit.pose);
            return None;
        }
        Some(fit)
    }

    fn keep(&mut self, image: ImageRef<'_>, fit: Fit, iterations: u32) -> Tracked {
        let trusted = fit.error <= self.max_error() && self.is_plausible(image, &fit.pose);
        self.memory.record_found(self.fitter.model(), &fit.pose, trusted.then_some(fit.error));
        Tracked { points: Some(fit.points), error: fit.error, iterations, trusted, pose: Some(fit.pose) }
    }

    /// Fits from the last pose; if the error is high, also from other starts at the same position. At 30 fps a lid
    /// closes within two frames; a fit does not converge over this distance.
    fn follow(&mut self, image: ImageRef<'_>, last: &Pose, iterations: &mut u32) -> Fit {
        let mut best = self.fitter.fit_at(0, image, last);
        *iterations += best.iterations;
        let typical = self.fitter.model().expected.typical;
        let usual = self.memory.recent_error().unwrap_or(typical).max(0.5 * typical);
        if best.error <= usual * RETRY_FACTOR && self.is_plausible(image, &best.pose) {
            return best;
        }
        let model = self.fitter.model().clone();
        let others =
            model.exemplars.iter().map(|parameters| Pose { parameters: parameters.clone(), ..last.clone() });
        for start in std::iter::once(last.clone()).chain(others) {
            let fit = self.fitter.coarse_to_fine(image, &start);
            *iterations += fit.iterations;
            best = self.better(image, best, fit);
        }
        best
    }

    /// Searches near the last position, then near labelled poses, then in the whole image.
    fn find(&mut self, image: ImageRef<'_>, iterations: &mut u32) -> Option<Fit> {
        if let Some(place) = self.memory.lost.place.clone() {
            let found = self.search(image, Some(&place), iterations);
            if found.is_some() {
                return found;
            }
        }
        self.find_near_known(image, iterations).or_else(|| {
            let patience = self.options.patience.max(1);
            let is_impatient = self.memory.lost.frames >= patience;
            // This depends only on the frame index, not on the frame at which the eyes were lost.
            let is_due = !is_impatient || self.number.is_multiple_of(patience.into());
            is_due.then(|| self.search(image, None, iterations)).flatten()
        })
    }

    /// Fits from the labelled poses nearest in time.
    fn find_near_known(&mut self, image: ImageRef<'_>, iterations: &mut u32) -> Option<Fit> {
        let mut nearest: Vec<KnownPose> =
            self.known.iter().filter(|known| known.number != self.number).cloned().collect();
        nearest.sort_by_key(|known| known.number.abs_diff(self.number));
        nearest.truncate(MAX_KNOWN_POSES);
        let mut best: Option<Fit> = None;
        for known in nearest {
            let fit = self.fitter.coarse_to_fine(image, &known.pose);
            *iterations += fit.iterations;
            best = Some(self.best_of(image, best, fit));
        }
        best.filter(|fit| fit.error <= self.max_error() && self.is_plausible(image, &fit.pose))
    }

    fn best_of(&self, image: ImageRef<'_>, before: Option<Fit>, fit: Fit) -> Fit {
        match before {
            Some(before) => self.better(image, before, fit),
            None => fit,
        }
    }

    fn search(&mut self, image: ImageRef<'_>, near: Option<&Pose>, iterations: &mut u32) -> Option<Fit> {
        let model = self.fitter.model().clone();
        let coarsest = self.fitter.level_count() - 1;
        let candidates = self.finder.find(&model, image, near);
        let mut fits: Vec<Fit> =
            candidates.iter().map(|candidate| self.fitter.fit_at(coarsest, image, &candidate.pose)).collect();
        *iterations += fits.iter().map(|fit| fit.iterations).sum::<u32>();
        fits.retain(|fit| self.is_plausible(image, &fit.pose));
        fits.sort_by(|a, b| a.error.total_cmp(&b.error));
        let mut best: Option<Fit> = None;
        for coarse in fits.into_iter().take(MAX_FITTED_CANDIDATES) {
            let fit = self.fitter.coarse_to_fine(image, &coarse.pose);
            *iterations += fit.iterations;
            best = Some(self.best_of(image, best, fit));
        }
        best.filter(|fit| fit.error <= self.max_error() && self.is_plausible(image, &fit.pose))
    }

    /// Returns the fit with the smaller error. A plausible fit is better than an implausible one.
    fn better(&self, image: ImageRef<'_>, a: Fit, b: Fit) -> Fit {
        let cost = |fit: &Fit| if self.is_plausible(image, &fit.pose) { fit.error } else { 1.0 + fit.error };
        if cost(&b) < cost(&a) { b } else { a }
    }

    fn is_lost(&self, image: ImageRef<'_>, fit: &Fit) -> bool {
        fit.error > self.max_error() * LOST_FACTOR || !self.is_plausible(image, &fit.pose)
    }

    /// Returns true if size, tilt and parameters are plausible, and most of the mesh is inside the image.
    fn is_plausible(&self, image: ImageRef<'_>, pose: &Pose) -> bool {
        let (model, place) = (self.fitter.model(), &pose.image_from_template);
        let ([small, large], [low, high]) = (model.sizes.scale, model.sizes.tilt);
        let tilt = vivant::math::atan2(place.turn.y, place.turn.x);
        let inside = |point: &glam::DVec2| {
            let at = place.apply(*point);
            at.x >= 0.0 && at.y >= 0.0 && at.x <= image.width as f64 && at.y <= image.height as f64
        };
        let share = model.base.iter().filter(|point| inside(point)).count() as f64 / model.base.len() as f64;
        place.is_valid()
            && (small / SIZE_BEYOND..=large * SIZE_BEYOND).contains(&place.scale())
            && (low - TILT_BEYOND..=high + TILT_BEYOND).contains(&tilt)
            && share >= INSIDE
            && model.deviation_score(&pose.parameters) <= MAX_DEVIATION
    }
}
