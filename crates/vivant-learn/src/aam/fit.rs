//! Fits a model to an image: simultaneous inverse compositional Gauss–Newton (paper 3, Eqs. 6–8; Baker et al. 2003).
//!
//! Contrast and brightness of the image are unknown. Both are linear, so they are eliminated from the error and its
//! derivatives (variable projection). The remaining error is the error with the best contrast and brightness.

mod robust;
mod work;

use super::level::{Appearances, Level};
use super::linear::{Form, Linear};
use super::model::{Model, Pose, labelled};
use super::surface::Surface;
use super::view::Reducer;
use crate::film::{ImageRef, Points};
pub use robust::Robust;
use std::sync::Arc;
use work::FitState;

/// Rule by which a step changes the parameters.
///
/// DIFFERENCE: in paper 3, the warp's part of the steepest-descent images has a plus sign, and the same step `Δc` is
/// added to shape and appearance. With a plus sign, the step is a step of the inverse warp and must be composed; with
/// a minus sign, it can be added. A fit that adds steps computed with a plus sign diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Composes the warp with the step's warp (Matthews and Baker 2004), adds the step to the appearance, and uses the
    /// parameters nearest to the result. Needs four steps on average, even if the shape is far from the mean.
    #[default]
    Composed,
    /// Adds the step to the parameters, with the corrected sign. Equally accurate, but needs twice as many steps,
    /// because the derivative of the warp is approximated by 1.
    Added,
    /// Adds the step with the sign printed in paper 3. This diverges; only for comparison.
    Printed,
}

/// Options of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// The parameters to fit.
    pub form: Form,
    /// Rule by which a step changes the parameters.
    pub update: Update,
    /// Maximum number of steps.
    pub iterations: u32,
    /// Step size at which a fit has converged: movement of the mesh in pixels (root mean square).
    pub step_px: f64,
    /// Weight of the parameters' distribution among the examples. 0 ignores the distribution; 1 treats each pixel as
    /// an independent measurement. Use more than 1 if pixels are not independent.
    pub prior: f64,
    /// Initial Levenberg–Marquardt damping, as a share of the Hessian's diagonal; 0 for none.
    pub damping: f64,
    /// Weight function for pixels that fit badly, for example where something covers the eyes; slower.
    pub robust: Option<Robust>,
    /// Ratio of the error of a fit to the typical error of held-out examples above which robust steps are added at the
    /// end. With robust steps, image parts that differ from all examples do not distort the rest of the fit. `None` for
    /// no robust steps.
    pub polish: Option<f64>,
    /// Maximum number of times the image is halved for a coarse-to-fine fit.
    pub halvings: usize,
    /// Processes pixels one by one instead of with vector instructions; slower, for comparison.
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

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Position, shape and appearance of the eyes.
    pub pose: Pose,
    /// The labelled points.
    pub points: Points,
    /// Share of the image contrast that the model does not explain, from 0 (perfect) to 1.
    pub error: f64,
    /// Number of steps that were made.
    pub iterations: u32,
    /// True if the last step was smaller than [`FitOptions::step_px`].
    pub converged: bool,
}

/// A model prepared for fitting: everything that does not depend on the image is computed once.
pub struct Fitter {
    model: Arc<Model>,
    options: FitOptions,
    linear: Linear,
    levels: Vec<(Level, Surface)>,
    reducer: Reducer,
    work: FitState,
}

impl Fitter {
    /// Creates a fitter and computes everything that does not depend on the image.
    #[must_use]
    pub fn new(model: Arc<Model>, options: FitOptions) -> Self {
        let linear = Linear::of(&model, options.form);
        let sign = if options.update == Update::Printed { 1.0 } else { -1.0 };
        let mut appearances = Appearances::of(&model, &linear);
        let mut levels = Vec::new();
        for halving in 0..=options.halvings.min(4) {
            let level = Level::of(&appearances, &model.triangles, f64::from(1_u32 << halving));
            let surface = Surface::of(&level, &linear, sign);
            levels.push((level, surface));
            appearances = appearances.halved(&model.triangles);
            if appearances.pixels.len() < MIN_COARSE {
                break;
            }
        }
        let work = FitState::new(&model, &linear, &options, levels[0].0.blocks.len());
        Self { model, options, linear, levels, reducer: Reducer::default(), work }
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the options.
    #[must_use]
    pub fn options(&self) -> &FitOptions {
        &self.options
    }

    /// Fits the model to an image, starting from a nearby pose.
    pub fn fit<'a>(&mut self, image: impl Into<ImageRef<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        let fit = self.fit_at(0, image, start);
        self.polish_fit(image, fit)
    }

    /// Adds robust steps to a fit with a high error.
    pub(super) fn polish_fit(&mut self, image: ImageRef<'_>, fit: Fit) -> Fit {
        let limit = self.options.polish.map(|share| share * self.model.expected.typical);
        if self.options.robust.is_some() || limit.is_none_or(|limit| fit.error <= limit) {
            return fit;
        }
        let plain = self.options;
        self.options = FitOptions { robust: Some(Robust::Huber), iterations: POLISH_STEPS, ..plain };
        self.work.begin(&self.model, &self.linear, &self.options, &fit.pose);
        self.work.set_strict();
        let (iterations, converged) = self.iterate(0, image);
        let mut polished = self.result(fit.iterations + iterations, converged);
        self.options = plain;
        polished.error = self.error_at(0, image, &polished.pose);
        if polished.error <= fit.error * POLISH_COST { polished } else { fit }
    }

    /// Fits the model to an image, starting from a distant pose: first at reduced template sizes, then at full size.
    pub fn fit_coarse_to_fine<'a>(&mut self, image: impl Into<ImageRef<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        let fit = self.coarse_to_fine(image, start);
        self.polish_fit(image, fit)
    }

    pub(super) fn coarse_to_fine(&mut self, image: ImageRef<'_>, start: &Pose) -> Fit {
        let mut fit = self.fit_at(self.levels.len() - 1, image, start);
        for level in (0..self.levels.len() - 1).rev() {
            let before = fit.iterations;
            fit = self.fit_at(level, image, &fit.pose);
            fit.iterations += before;
        }
        fit
    }

    /// Returns the number of template sizes (levels). Level 0 is the full size, and each further level is half as
    /// large.
    #[must_use]
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Fits at one template size: `level` is 0 for the full size and less than [`Self::level_count`].
    pub fn fit_at<'a>(&mut self, level: usize, image: impl Into<ImageRef<'a>>, start: &Pose) -> Fit {
        let image = image.into();
        self.work.begin(&self.model, &self.linear, &self.options, start);
        let (iterations, converged) = self.iterate(level, image);
        self.result(iterations, converged)
    }

    /// Returns the error of the given pose without changing the pose. For `level` see [`Self::fit_at`].
    pub fn error_at<'a>(&mut self, level: usize, image: impl Into<ImageRef<'a>>, pose: &Pose) -> f64 {
        let image = image.into();
        self.work.begin(&self.model, &self.linear, &self.options, pose);
        let Self { linear, levels, reducer, work, .. } = self;
        let Some(view) = work.view(&levels[level].0, image, reducer, self.model.channels) else { return 1.0 };
        work.evaluate(&levels[level], linear, &view, self.options.robust)
    }

    fn iterate(&mut self, level: usize, image: ImageRef<'_>) -> (u32, bool) {
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
                // Reports the error of the final parameters.
                work.best.2 = work.evaluate(level, linear, &view, options.robust);
                return (iteration, is_solved);
            }
        }
        (options.iterations, false)
    }

    fn result(&mut self, iterations: u32, converged: bool) -> Fit {
        let work = &mut self.work;
        if !work.place.is_valid() || work.parameters.iter().any(|value| !value.is_finite()) {
            (work.place, work.parameters) = (work.best.0, work.best.1.clone());
            work.set_mesh(&self.linear, &self.model.base);
        }
        let points = labelled(&work.mesh).map(|point| work.place.apply(point));
        let parameters = match self.options.form {
            Form::Coupled => work.parameters.clone(),
            Form::Independent => {
                let (shape, appearance) = work.parameters.split_at(self.linear.first_mode);
                self.model.coupled_of(shape, appearance)
            }
        };
        let pose = Pose { image_from_template: work.place, parameters };
        Fit { pose, points, error: work.best.2, iterations, converged }
    }
}

/// Maximum number of robust steps at the end of a fit.
const POLISH_STEPS: u32 = 6;
const POLISH_COST: f64 = 1.1;
/// Minimum number of pixels of a reduced template.
const MIN_COARSE: usize = 150;
