//! Eyes from picture to picture: followed, lost, and found again.

mod memory;

use super::fit::{Fit, FitOptions, Fitter};
use super::model::{Model, Pose};
use super::search::Finder;
use crate::film::{Picture, Points};
pub use memory::Memory;
use std::sync::Arc;

/// How eyes are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackOptions {
    /// How each picture is fitted.
    pub fit: FitOptions,
    /// The largest error that is trusted; without it, a little more than held-out examples had.
    pub most_error: Option<f64>,
    /// After so many pictures in which the eyes were not found, only every so many are searched whole.
    pub patience: u32,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self { fit: FitOptions::default(), most_error: None, patience: 8 }
    }
}

/// What is known of one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    /// The points; none while the eyes are lost.
    pub points: Option<Points>,
    /// How much of the picture's contrast the model does not explain, from 0 to 1.
    pub error: f64,
    /// How many steps all fits to this picture took.
    pub iterations: u32,
    /// Whether the points are to be relied on.
    pub trusted: bool,
    /// Where the eyes are; none while they are lost.
    pub pose: Option<Pose>,
}

/// Where the eyes are known to be in a picture, from a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The picture's number in the film, from 0.
    pub number: u64,
    /// Where they are.
    pub pose: Pose,
}

/// Follows the eyes of a film.
pub struct Tracker {
    fitter: Fitter,
    finder: Finder,
    options: TrackOptions,
    /// The number of the next picture.
    number: u64,
    known: Arc<[Known]>,
    memory: Memory,
}

/// An error of so much more than usual makes us look whether another start does better.
const WORRY: f64 = 1.2;
/// An error of so much more than the highest of held-out examples is not trusted; none is above the second number,
/// which other things than eyes can have.
const TRUST: f64 = 1.35;
const NEVER_TRUST: f64 = 0.72;
/// With so much more than is trusted the eyes are lost.
const LOSE: f64 = 1.1;
/// Parameters that are so many standard deviations off on average are no eyes.
const STRANGE: f64 = 3.5;
/// How much smaller, larger and more tilted (radians) than in the labelled pictures eyes may be.
const SIZE_BEYOND: f64 = 2.0;
const TILT_BEYOND: f64 = 0.6;
/// The share of the mesh that has to be in the picture.
const INSIDE: f64 = 0.7;
/// How many of the places where eyes may be are tried closely.
const TRIED: usize = 3;
/// How many labelled pictures are tried where eyes are lost, those that are next in the film.
const KNOWN_TRIED: usize = 3;

impl Tracker {
    /// A tracker that has seen nothing yet.
    #[must_use]
    pub fn new(model: Arc<Model>, options: TrackOptions) -> Self {
        let finder = Finder::new(&model);
        let fitter = Fitter::new(model, options.fit);
        Self { fitter, finder, options, number: 0, known: Arc::default(), memory: Memory::default() }
    }

    /// One that begins with the picture of this number in its film, and knows where the eyes are in some. What is known of
    /// a picture itself is not used for it: it may be there to judge by.
    #[must_use]
    pub fn within(self, number: u64, known: Arc<[Known]>) -> Self {
        Self { number, known, ..self }
    }

    /// Forgets where the eyes were, as before a cut.
    pub fn forget(&mut self) {
        self.memory = Memory::default();
    }

    /// Begins where the eyes are known to be.
    pub fn start(&mut self, pose: Pose) {
        self.forget();
        self.memory.last = Some(pose);
    }

    /// What it takes along to the next picture.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The largest error that is trusted.
    #[must_use]
    pub fn most_error(&self) -> f64 {
        let high = self.fitter.model().expected.high;
        self.options.most_error.unwrap_or_else(|| (high * TRUST).min(NEVER_TRUST))
    }

    /// The next picture.
    pub fn next<'a>(&mut self, image: impl Into<Picture<'a>>) -> Tracked {
        let image = image.into();
        let mut iterations = 0;
        let found = self.followed(image, &mut iterations).or_else(|| self.find(image, &mut iterations));
        self.number += 1;
        if let Some(fit) = found {
            let before = fit.iterations;
            let fit = self.fitter.polished(image, fit);
            iterations += fit.iterations - before;
            return self.keep(image, fit, iterations);
        }
        self.memory.miss();
        Tracked { points: None, error: 1.0, iterations, trusted: false, pose: None }
    }

    /// The eyes, if they are still where they were.
    fn followed(&mut self, image: Picture<'_>, iterations: &mut u32) -> Option<Fit> {
        let last = self.memory.last.take()?;
        let fit = self.follow(image, &last, iterations);
        if self.is_lost(image, &fit) {
            self.memory.lose(self.fitter.model(), &fit.pose);
            return None;
        }
        Some(fit)
    }

    fn keep(&mut self, image: Picture<'_>, fit: Fit, iterations: u32) -> Tracked {
        let trusted = fit.error <= self.most_error() && self.is_plausible(image, &fit.pose);
        self.memory.see(self.fitter.model(), &fit.pose, trusted.then_some(fit.error));
        Tracked { points: Some(fit.points), error: fit.error, iterations, trusted, pose: Some(fit.pose) }
    }

    /// From the last pose; and if that went less well than usual, from others at the same place. A lid shuts within two
    /// pictures at 30 a second, which is further than a fit goes by itself.
    fn follow(&mut self, image: Picture<'_>, last: &Pose, iterations: &mut u32) -> Fit {
        let mut best = self.fitter.fit_at(0, image, last);
        *iterations += best.iterations;
        let typical = self.fitter.model().expected.typical;
        let usual = self.memory.usual_error().unwrap_or(typical).max(0.5 * typical);
        if best.error <= usual * WORRY && self.is_plausible(image, &best.pose) {
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

    /// In the neighbourhood of where they were, then near where they are known to be, then in the whole picture.
    fn find(&mut self, image: Picture<'_>, iterations: &mut u32) -> Option<Fit> {
        if let Some(place) = self.memory.lost.place.clone() {
            let found = self.search(image, Some(&place), iterations);
            if found.is_some() {
                return found;
            }
        }
        self.find_near_known(image, iterations).or_else(|| {
            let patience = self.options.patience.max(1);
            let is_impatient = self.memory.lost.pictures >= patience;
            // By the picture's number, so that it is no matter since when they are lost.
            let is_due = !is_impatient || self.number.is_multiple_of(patience.into());
            is_due.then(|| self.search(image, None, iterations)).flatten()
        })
    }

    /// From the poses of labelled pictures, those before and after this one.
    fn find_near_known(&mut self, image: Picture<'_>, iterations: &mut u32) -> Option<Fit> {
        let mut nearest: Vec<Known> =
            self.known.iter().filter(|known| known.number != self.number).cloned().collect();
        nearest.sort_by_key(|known| known.number.abs_diff(self.number));
        nearest.truncate(KNOWN_TRIED);
        let mut best: Option<Fit> = None;
        for known in nearest {
            let fit = self.fitter.coarse_to_fine(image, &known.pose);
            *iterations += fit.iterations;
            best = Some(self.best_of(image, best, fit));
        }
        best.filter(|fit| fit.error <= self.most_error() && self.is_plausible(image, &fit.pose))
    }

    fn best_of(&self, image: Picture<'_>, before: Option<Fit>, fit: Fit) -> Fit {
        match before {
            Some(before) => self.better(image, before, fit),
            None => fit,
        }
    }

    fn search(&mut self, image: Picture<'_>, near: Option<&Pose>, iterations: &mut u32) -> Option<Fit> {
        let model = self.fitter.model().clone();
        let coarsest = self.fitter.level_count() - 1;
        let candidates = self.finder.find(&model, image, near);
        let mut fits: Vec<Fit> =
            candidates.iter().map(|candidate| self.fitter.fit_at(coarsest, image, &candidate.pose)).collect();
        *iterations += fits.iter().map(|fit| fit.iterations).sum::<u32>();
        fits.retain(|fit| self.is_plausible(image, &fit.pose));
        fits.sort_by(|a, b| a.error.total_cmp(&b.error));
        let mut best: Option<Fit> = None;
        for coarse in fits.into_iter().take(TRIED) {
            let fit = self.fitter.coarse_to_fine(image, &coarse.pose);
            *iterations += fit.iterations;
            best = Some(self.best_of(image, best, fit));
        }
        best.filter(|fit| fit.error <= self.most_error() && self.is_plausible(image, &fit.pose))
    }

    /// The one with less error, if it can be eyes.
    fn better(&self, image: Picture<'_>, a: Fit, b: Fit) -> Fit {
        let cost = |fit: &Fit| if self.is_plausible(image, &fit.pose) { fit.error } else { 1.0 + fit.error };
        if cost(&b) < cost(&a) { b } else { a }
    }

    fn is_lost(&self, image: Picture<'_>, fit: &Fit) -> bool {
        fit.error > self.most_error() * LOSE || !self.is_plausible(image, &fit.pose)
    }

    /// Whether eyes can look like that, and are in the picture.
    fn is_plausible(&self, image: Picture<'_>, pose: &Pose) -> bool {
        let (model, place) = (self.fitter.model(), &pose.image_from_template);
        let ([small, large], [low, high]) = (model.sizes.scale, model.sizes.tilt);
        let tilt = vivant::math::atan2(place.turn.y, place.turn.x);
        let inside = |point: &glam::DVec2| {
            let at = place.apply(*point);
            at.x >= 0.0 && at.y >= 0.0 && at.x <= image.width as f64 && at.y <= image.height as f64
        };
        let share = model.base.iter().filter(|point| inside(point)).count() as f64 / model.base.len() as f64;
        place.is_sound()
            && (small / SIZE_BEYOND..=large * SIZE_BEYOND).contains(&place.scale())
            && (low - TILT_BEYOND..=high + TILT_BEYOND).contains(&tilt)
            && share >= INSIDE
            && model.strangeness(&pose.parameters) <= STRANGE
    }
}
