//! The state of one fit: the error at the current parameters, and the step to better ones.
//!
//! [`FitState`] holds the parameters, the mesh and the buffers of a fit. [`FitState::begin`] sets the start,
//! [`FitState::evaluate`] returns the error and computes Hessian and gradient, and [`FitState::solve`] and
//! [`FitState::step`] change the parameters. Steps are added to the parameters or composed with the warp, depending on
//! [`Update`]. The loop that decides when to stop is not here but in `super`.

use super::robust::{Descent, FIRST_SD};
use super::{FitOptions, Form, Robust, Update};
use crate::aam::kernel::{self, Sums};
use crate::aam::lanes::{self, LaneBuffers};
use crate::aam::level::{LANES, Level};
use crate::aam::linear::Linear;
use crate::aam::mesh::Triangle;
use crate::aam::model::{Model, Pose};
use crate::aam::similarity::Similarity;
use crate::aam::solve::solve;
use crate::aam::surface::Surface;
use crate::aam::view::{Reducer, Region, View, halvings};
use crate::film::ImageRef;
use glam::DVec2;

/// State and buffers of a fit.
pub(super) struct FitState {
    pub(super) place: Similarity,
    pub(super) parameters: Vec<f64>,
    pub(super) amounts: Vec<f64>,
    pub(super) mesh: Vec<DVec2>,
    pub(super) viewed: Vec<DVec2>,
    pub(super) moved: Vec<DVec2>,
    pub(super) sampled: Vec<[f32; LANES]>,
    pub(super) sums: Vec<Sums>,
    /// Vector instructions of the machine; `None` processes pixels one by one.
    pub(super) arch: Option<pulp::Arch>,
    pub(super) room: LaneBuffers,
    pub(super) hessian: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// For robust fits: weight and error of each lane.
    pub(super) weights: Vec<[f32; LANES]>,
    pub(super) errors: Vec<[f32; LANES]>,
    pub(super) sizes: Vec<f32>,
    pub(super) least_sd: f32,
    pub(super) descent: Descent,
    /// For composed steps: shape and appearance parameters.
    shape: Vec<f64>,
    appearance: Vec<f64>,
    pub(super) best: (Similarity, Vec<f64>, f64),
}

/// Margin around the eyes, as a share of their width.
const AROUND: f64 = 0.25;
/// Added to the Hessian's diagonal, as a share of it, so that it can always be solved.
const RIDGE: f64 = 1e-9;

impl FitState {
    pub(super) fn new(model: &Model, linear: &Linear, options: &FitOptions, blocks: usize) -> Self {
        let (columns, points, images) = (linear.columns(), model.base.len(), linear.modes.len() + 1);
        Self {
            place: Similarity::IDENTITY,
            parameters: vec![0.0; linear.parameters()],
            amounts: vec![0.0; images],
            mesh: model.base.clone(),
            viewed: vec![DVec2::ZERO; points],
            moved: vec![DVec2::ZERO; points],
            sampled: vec![[0.0; LANES]; blocks],
            sums: (0..model.channels).map(|_| Sums::new(images, points)).collect(),
            arch: (!options.scalar).then(pulp::Arch::new),
            room: LaneBuffers::default(),
            hessian: vec![0.0; columns * columns],
            gradient: vec![0.0; columns],
            right: vec![0.0; columns],
            weights: Vec::new(),
            errors: Vec::new(),
            sizes: Vec::new(),
            least_sd: FIRST_SD,
            descent: Descent::default(),
            shape: vec![0.0; model.shapes.len()],
            appearance: vec![0.0; model.appearances.len()],
            best: (Similarity::IDENTITY, vec![0.0; linear.parameters()], 1.0),
        }
    }

    pub(super) fn begin(&mut self, model: &Model, linear: &Linear, options: &FitOptions, start: &Pose) {
        self.place = start.image_from_template;
        match options.form {
            Form::Coupled => {
                self.parameters.fill(0.0);
                self.parameters.iter_mut().zip(&start.parameters).for_each(|(to, from)| *to = *from);
            }
            Form::Independent => {
                self.parameters.clear();
                self.parameters.extend(model.shape_of(&start.parameters));
                self.parameters.extend(model.appearance_of(&start.parameters));
            }
        }
        self.weights.clear();
        self.least_sd = FIRST_SD;
        self.best = (self.place, self.parameters.clone(), 1.0);
        self.set_mesh(linear, &model.base);
    }

    /// Computes the mesh in template space from the parameters.
    pub(super) fn set_mesh(&mut self, linear: &Linear, base: &[DVec2]) {
        self.mesh.copy_from_slice(base);
        for (amount, field) in self.parameters.iter().zip(&linear.fields) {
            self.mesh.iter_mut().zip(field).for_each(|(point, along)| *point += *along * *amount);
        }
    }

    /// Returns the part of the image needed by this fit; `None` if the pose is invalid.
    pub(super) fn view<'a>(
        &self,
        level: &Level,
        image: ImageRef<'a>,
        reducer: &'a mut Reducer,
        channels: usize,
    ) -> Option<View<'a>> {
        if !self.place.is_valid() {
            return None;
        }
        let region = Region::around(self.mesh.iter().map(|point| self.place.apply(*point)), AROUND);
        reducer.view(image, channels, halvings(self.place.scale() * level.scale), &region)
    }

    /// Returns the error, and computes Hessian and gradient with contrast and brightness eliminated.
    pub(super) fn evaluate(
        &mut self,
        (level, surface): &(Level, Surface),
        linear: &Linear,
        view: &View<'_>,
        robust: Option<Robust>,
    ) -> f64 {
        for (to, point) in self.viewed.iter_mut().zip(&self.mesh) {
            *to = view.place(self.place.apply(*point));
        }
        self.amounts[0] = 1.0;
        self.amounts[1..].copy_from_slice(&self.parameters[linear.first_mode..]);
        if let Some(robust) = robust {
            return self.evaluate_robust(level, surface, linear, view, robust);
        }
        let energy = surface.at(&self.amounts, &mut self.hessian, &mut self.gradient);
        let mut rest = energy;
        for channel in 0..level.channels {
            self.sample_channel(level, view, channel);
            rest -= self.project(channel, level, surface, linear);
        }
        (rest / energy).clamp(0.0, 1.0).sqrt()
    }

    /// Samples a channel and computes its sums.
    pub(super) fn sample_channel(&mut self, level: &Level, view: &View<'_>, channel: usize) {
        let (sampled, sums) = (&mut self.sampled[..level.blocks.len()], &mut self.sums[channel]);
        sums.clear();
        if let Some(arch) = self.arch {
            lanes::sample(arch, level, view, channel, &self.viewed, sampled);
            lanes::accumulate(arch, level, channel, &self.amounts, sampled, &mut self.room, sums);
        } else {
            kernel::sample(level, view, channel, &self.viewed, sampled);
            kernel::accumulate(level, channel, &self.amounts, sampled, sums);
        }
    }

    /// Eliminates contrast and brightness of a channel from gradient and Hessian. Returns the part of the
    /// appearance's energy (sum of squares) that the image explains.
    pub(super) fn project(
        &mut self,
        channel: usize,
        level: &Level,
        surface: &Surface,
        linear: &Linear,
    ) -> f64 {
        let sums = &self.sums[channel];
        let mean = sums.total / level.pixel_count as f64;
        let variance = sums.squares - sums.total * mean;
        let correlation: f64 =
            sums.along.iter().zip(&self.amounts).map(|(along, amount)| along * amount).sum();
        // A negative contrast is not allowed.
        if variance < MIN_VARIANCE * level.pixel_count as f64 || correlation <= 0.0 {
            return 0.0;
        }
        let contrast = correlation / variance;
        for (column, right) in self.right.iter_mut().enumerate() {
            let pulled: f64 =
                surface.fields[column].iter().zip(&sums.pulls).map(|(f, pull)| f.dot(*pull)).sum();
            let along = linear.mode(column).map_or(0.0, |mode| sums.along[mode + 1]);
            let totals = surface.sums[channel].iter().zip(&self.amounts).map(|(sums, c)| sums[column] * c);
            *right = pulled + along - mean * totals.sum::<f64>();
        }
        let columns = self.right.len();
        for (i, row) in self.hessian.chunks_exact_mut(columns).enumerate() {
            self.gradient[i] -= contrast * self.right[i];
            let factor = self.right[i] / variance;
            row.iter_mut().zip(&self.right).for_each(|(h, right)| *h -= factor * right);
        }
        correlation * contrast
    }

    /// Computes error, Hessian and gradient with the prior. Reverts the last step if it increased the error. Returns
    /// the damping of the next step.
    pub(super) fn assess(
        &mut self,
        level: &(Level, Surface),
        linear: &Linear,
        view: &View<'_>,
        options: &FitOptions,
        model: &Model,
        damping: f64,
    ) -> f64 {
        let error = self.evaluate(level, linear, view, options.robust);
        // With weights, errors before and after a step are not comparable.
        let is_worse = options.damping > 0.0 && options.robust.is_none() && error > self.best.2;
        if is_worse {
            self.revert_step(linear, &model.base);
            self.evaluate(level, linear, view, options.robust);
        } else {
            self.keep(error);
        }
        if options.prior > 0.0 {
            self.add_prior(model, linear, options.prior);
        }
        if is_worse { damping * 8.0 } else { damping * 0.2 }
    }

    fn keep(&mut self, error: f64) {
        self.best.0 = self.place;
        self.best.1.copy_from_slice(&self.parameters);
        self.best.2 = error;
    }

    /// Reverts a step that increased the error (Levenberg–Marquardt).
    pub(super) fn revert_step(&mut self, linear: &Linear, base: &[DVec2]) {
        self.place = self.best.0;
        self.parameters.copy_from_slice(&self.best.1);
        self.set_mesh(linear, base);
    }

    /// Adds the prior of the parameters: `Σ c² / σ²`, in units of the expected pixel error.
    pub(super) fn add_prior(&mut self, model: &Model, linear: &Linear, weight: f64) {
        let typical = model.expected.typical;
        let noise = weight * typical * typical;
        let columns = linear.columns();
        for (index, (value, sd)) in self.parameters.iter().zip(&linear.sds).enumerate() {
            let stiffness = noise / (sd * sd).max(f64::MIN_POSITIVE);
            self.hessian[index * columns + index] += stiffness;
            self.gradient[index] += stiffness * value;
        }
    }

    /// Replaces the gradient by the step. Returns false if the system cannot be solved.
    pub(super) fn solve(&mut self, linear: &Linear, damping: f64) -> bool {
        let columns = linear.columns();
        for column in 0..columns {
            self.hessian[column * columns + column] *= 1.0 + damping + RIDGE;
            self.gradient[column] = -self.gradient[column];
        }
        solve(&mut self.hessian, &mut self.gradient)
    }

    /// Applies the step. Returns the movement of the mesh in image pixels (root mean square).
    pub(super) fn step(&mut self, model: &Model, linear: &Linear, options: &FitOptions) -> f64 {
        for (to, point) in self.moved.iter_mut().zip(&self.mesh) {
            *to = self.place.apply(*point);
        }
        match options.update {
            Update::Added | Update::Printed => self.add(model, linear),
            Update::Composed => self.compose(model, linear, options.form),
        }
        let moves = self.moved.iter().zip(&self.mesh);
        let squares: f64 = moves.map(|(from, to)| from.distance_squared(self.place.apply(*to))).sum();
        (squares / self.mesh.len() as f64).sqrt()
    }

    pub(super) fn add(&mut self, model: &Model, linear: &Linear) {
        let (own, similarity) = self.gradient.split_at(linear.parameters());
        self.parameters.iter_mut().zip(own).for_each(|(value, step)| *value += step);
        self.place = self.place.after(&step_similarity(linear, similarity));
        self.set_mesh(linear, &model.base);
    }

    /// Moves the base mesh by the step, maps it with the current warp, and finds the parameters of the result.
    pub(super) fn compose(&mut self, model: &Model, linear: &Linear, form: Form) {
        let Self { gradient, moved, mesh, parameters, place, shape, appearance, .. } = self;
        let (own, similarity) = gradient.split_at(linear.parameters());
        let step_similarity = step_similarity(linear, similarity);
        let stepped = |index: usize| {
            let moves = own.iter().zip(&linear.fields).map(|(amount, field)| field[index] * *amount);
            step_similarity.apply(model.base[index]) + moves.sum::<DVec2>()
        };
        for (index, to) in moved.iter_mut().enumerate() {
            *to = map_with_warp(&model.triangles, &model.base, mesh, index, stepped(index), *to, place);
        }
        *place = model.place_into(moved, shape);
        parameters.iter_mut().zip(own).for_each(|(value, step)| *value += step);
        match form {
            Form::Coupled => {
                model.appearance_into(parameters, appearance);
                model.coupled_into(shape, appearance, parameters);
            }
            Form::Independent => parameters[..shape.len()].copy_from_slice(shape),
        }
        self.set_mesh(linear, &model.base);
    }
}

/// Minimum variance of an image, in squared gray levels.
const MIN_VARIANCE: f64 = 0.05;

/// Returns the similarity transform of a step in template space.
fn step_similarity(linear: &Linear, step: &[f64]) -> Similarity {
    let turn = DVec2::X + DVec2::new(step[0], step[1]) / linear.size;
    let shift = DVec2::new(step[2], step[3]) / (linear.similarity[0].len() as f64).sqrt();
    Similarity { turn, shift: linear.centre + shift - turn.rotate(linear.centre) }
}

/// Maps a point near a corner of the base mesh with the warp: the mean over the triangles around the corner (Matthews
/// and Baker 2004, 4.1.1), in image space.
fn map_with_warp(
    triangles: &[Triangle],
    base: &[DVec2],
    mesh: &[DVec2],
    corner: usize,
    point: DVec2,
    otherwise: DVec2,
    place: &Similarity,
) -> DVec2 {
    let (mut sum, mut count) = (DVec2::ZERO, 0.0);
    for triangle in triangles.iter().filter(|triangle| triangle.contains(&corner)) {
        let [a, b, c] = triangle.map(|at| base[at]);
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-9 {
            continue;
        }
        let (second, third) = ((point - a).perp_dot(c - a) / area, (b - a).perp_dot(point - a) / area);
        let [a, b, c] = triangle.map(|at| mesh[at]);
        sum += a + (b - a) * second + (c - a) * third;
        count += 1.0;
    }
    if count > 0.0 { place.apply(sum / count) } else { otherwise }
}
