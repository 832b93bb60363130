//! Fitting a model to a picture: simultaneous inverse compositional Gauss–Newton (paper 3, Eqs. 6–8; Baker et al. 2003).
//!
//! The picture's contrast and brightness are not known. Both are linear, so the best of them for the look at hand are
//! taken out of the error and out of its derivatives (variable projection): the error is that of the best contrast.

mod robust;
mod work;

use super::level::{Level, Looks};
use super::linear::{Form, Linear};
use super::model::{Model, Pose, labelled};
use super::surface::Surface;
use super::view::Reducer;
use crate::film::{Picture, Points};
pub use robust::Robust;
use std::sync::Arc;
use work::Work;

/// How a step changes the parameters.
///
/// DIFFERENCE: paper 3 prints a plus before the warp's part of the steepest-descent images and one `Δc` to be added for
/// both parts. With a plus the step is one of the inverse warp, with a minus it is one to add: to add what has a plus
/// diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Composes the warp with the step's (Matthews and Baker 2004), adds to the look, and takes the nearest parameters:
    /// four steps on average, even where a shape is far from the mean one.
    #[default]
    Composed,
    /// Adds to the parameters, by the corrected sign: as good, but twice as many steps, since the warp's own steepness
    /// is taken for 1.
    Added,
    /// As the paper prints it.
    Printed,
}

/// How a fit is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// Which parameters are fitted.
    pub form: Form,
    /// How they are changed.
    pub update: Update,
    /// The most steps.
    pub iterations: u32,
    /// A fit has converged when a step moves the mesh by less than this, in pixels (root mean square).
    pub step_px: f64,
    /// How much the examples' spread of parameters counts beside the picture: 0 not at all, 1 as if each pixel were
    /// a measurement of its own, more if they are not.
    pub prior: f64,
    /// Levenberg's and Marquardt's damping to begin with, as a share of the Hessian's diagonal; 0 for none.
    pub damping: f64,
    /// Whether pixels that do not fit count less, as where something hides the eyes; slower.
    pub robust: Option<Robust>,
    /// With an error of so much more than held-out examples typically have, a fit ends with robust steps: where eyes
    /// look as they did in no example, what is explained must not give way to what cannot be.
    pub polish: Option<f64>,
    /// How many times the picture is halved at most where a fit begins with a coarse one.
    pub halvings: usize,
    /// Whether pixels are worked on one by one: slower, and for comparison.
    pub scalar: bool,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            form: Form::Coupled,
            update: Update::Composed,
            iterations: 30,
            step_px: 0.02,
            prior: 0.0,
            damping: 0.001,
            robust: None,
            polish: Some(1.2),
            halvings: 2,
            scalar: false,
        }
    }
}

/// What came of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Where the eyes are.
    pub pose: Pose,
    /// The labelled points.
    pub points: Points,
    /// How much of the picture's contrast the model does not explain: from 0 for nothing to 1 for all of it.
    pub error: f64,
    /// How many steps it took.
    pub iterations: u32,
    /// Whether the last step was small.
    pub converged: bool,
}

/// A model made ready for fitting: all that does not depend on the picture is worked out once.
pub struct Fitter {
    model: Arc<Model>,
    options: FitOptions,
    linear: Linear,
    levels: Vec<(Level, Surface)>,
    reducer: Reducer,
    work: Work,
}

impl Fitter {
    /// Works out all that does not depend on the picture.
    #[must_use]
    pub fn new(model: Arc<Model>, options: FitOptions) -> Self {
        let linear = Linear::of(&model, options.form);
        let sign = if options.update == Update::Printed { 1.0 } else { -1.0 };
        let mut looks = Looks::of(&model, &linear);
        let mut levels = Vec::new();
        for halving in 0..=options.halvings.min(4) {
            let level = Level::of(&looks, &model.triangles, f64::from(1_u32 << halving));
            let surface = Surface::of(&level, &linear, sign);
            levels.push((level, surface));
            looks = looks.halved(&model.triangles);
            if looks.pixels.len() < FEWEST_COARSE {
                break;
            }
        }
        let work = Work::new(&model, &linear, &options, levels[0].0.blocks.len());
        Self { model, options, linear, levels, reducer: Reducer::default(), work }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// How it fits.
    #[must_use]
    pub fn options(&self) -> &FitOptions {
        &self.options
    }

    /// Fits from a pose that is near.
    pub fn fit<'a>(&mut self, image: impl Into<Picture<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        let fit = self.fit_at(0, image, start);
        self.polished(image, fit)
    }

    /// A fit with robust steps at its end, where it needs them.
    pub(super) fn polished(&mut self, image: Picture<'_>, fit: Fit) -> Fit {
        let limit = self.options.polish.map(|share| share * self.model.expected.typical);
        if self.options.robust.is_some() || limit.is_none_or(|limit| fit.error <= limit) {
            return fit;
        }
        let plain = self.options;
        self.options = FitOptions { robust: Some(Robust::Huber), iterations: POLISH_STEPS, ..plain };
        self.work.begin(&self.model, &self.linear, &self.options, &fit.pose);
        self.work.be_strict();
        let (iterations, converged) = self.iterate(0, image);
        let mut polished = self.result(fit.iterations + iterations, converged);
        self.options = plain;
        polished.error = self.error_at(0, image, &polished.pose);
        if polished.error <= fit.error * POLISH_COST { polished } else { fit }
    }

    /// Fits from a pose that is less near: at a fraction of the size first.
    pub fn fit_coarse_to_fine<'a>(&mut self, image: impl Into<Picture<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        let fit = self.coarse_to_fine(image, start);
        self.polished(image, fit)
    }

    pub(super) fn coarse_to_fine(&mut self, image: Picture<'_>, start: &Pose) -> Fit {
        let mut fit = self.fit_at(self.levels.len() - 1, image, start);
        for level in (0..self.levels.len() - 1).rev() {
            let before = fit.iterations;
            fit = self.fit_at(level, image, &fit.pose);
            fit.iterations += before;
        }
        fit
    }

    /// How many sizes of the template there are; 0 is the full one.
    #[must_use]
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Fits at one size of the template.
    pub fn fit_at<'a>(&mut self, level: usize, image: impl Into<Picture<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        self.work.begin(&self.model, &self.linear, &self.options, start);
        let (iterations, converged) = self.iterate(level, image);
        self.result(iterations, converged)
    }

    /// The error at a pose, without a step.
    pub fn error_at<'a>(&mut self, level: usize, image: impl Into<Picture<'a>>, pose: &Pose) -> f64 {
        let image = image.into();
        self.work.begin(&self.model, &self.linear, &self.options, pose);
        let Self { linear, levels, reducer, work, .. } = self;
        let Some(view) = work.view(&levels[level].0, image, reducer, self.model.channels) else { return 1.0 };
        work.evaluate(&levels[level], linear, &view, self.options.robust)
    }

    fn iterate(&mut self, level: usize, image: Picture<'_>) -> (u32, bool) {
        let Self { model, options, linear, levels, reducer, work } = self;
        let level = &levels[level];
        let Some(view) = work.view(&level.0, image, reducer, model.channels) else { return (0, false) };
        let mut damping = options.damping;
        for iteration in 1..=options.iterations {
            damping = work.assess(level, linear, &view, options, model, damping);
            let is_solved = work.solve(linear, damping);
            let step = if is_solved { work.step(model, linear, options) } else { f64::NAN };
            let is_early = options.robust.is_some() && work.is_lenient();
            if step.is_nan() || (step < options.step_px && !is_early) {
                // The error that is told is that of the last look.
                work.best.2 = work.evaluate(level, linear, &view, options.robust);
                return (iteration, is_solved);
            }
        }
        (options.iterations, false)
    }

    fn result(&mut self, iterations: u32, converged: bool) -> Fit {
        let work = &mut self.work;
        if !work.place.is_sound() || work.parameters.iter().any(|value| !value.is_finite()) {
            (work.place, work.parameters) = (work.best.0, work.best.1.clone());
            work.set_mesh(&self.linear, &self.model.base);
        }
        let points = labelled(&work.mesh).map(|point| work.place.apply(point));
        let parameters = match self.options.form {
            Form::Coupled => work.parameters.clone(),
            Form::Independent => {
                let (shape, look) = work.parameters.split_at(self.linear.first_mode);
                self.model.coupled_of(shape, look)
            }
        };
        let pose = Pose { image_from_template: work.place, parameters };
        Fit { pose, points, error: work.best.2, iterations, converged }
    }
}

/// The most robust steps at the end, and how much larger the error of all pixels may be behind them: it is no longer what
/// is made small.
const POLISH_STEPS: u32 = 6;
const POLISH_COST: f64 = 1.1;
/// A template of fewer pixels than this says nothing.
const FEWEST_COARSE: usize = 150;
