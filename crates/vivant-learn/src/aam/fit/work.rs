//! One fit's numbers: the error at the parameters as they are, and the step to better ones.

use super::robust::{Descent, FIRST_SD};
use super::{FitOptions, Form, Robust, Update};
use crate::aam::kernel::{self, Sums};
use crate::aam::lanes::{self, Room};
use crate::aam::level::{LANES, Level};
use crate::aam::linear::Linear;
use crate::aam::mesh::Triangle;
use crate::aam::model::{Model, Pose};
use crate::aam::similarity::Similarity;
use crate::aam::solve::solve;
use crate::aam::surface::Surface;
use crate::aam::view::{Reducer, Region, View, halvings};
use crate::film::Picture;
use glam::DVec2;

/// Room for a step.
pub(super) struct Work {
    pub(super) place: Similarity,
    pub(super) parameters: Vec<f64>,
    pub(super) amounts: Vec<f64>,
    pub(super) mesh: Vec<DVec2>,
    pub(super) viewed: Vec<DVec2>,
    pub(super) moved: Vec<DVec2>,
    pub(super) sampled: Vec<[f32; LANES]>,
    pub(super) sums: Vec<Sums>,
    /// The machine's vector instructions; none to work on pixels one by one.
    pub(super) arch: Option<pulp::Arch>,
    pub(super) room: Room,
    pub(super) hessian: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// For fits with weights: of each lane, the weight and the error.
    pub(super) weights: Vec<[f32; LANES]>,
    pub(super) errors: Vec<[f32; LANES]>,
    pub(super) sizes: Vec<f32>,
    pub(super) least_sd: f32,
    pub(super) descent: Descent,
    /// For steps that compose warps: the parameters of shape and look apart.
    shape: Vec<f64>,
    look: Vec<f64>,
    pub(super) best: (Similarity, Vec<f64>, f64),
}

/// How far around the eyes a picture is looked at, as a share of how wide they are.
const AROUND: f64 = 0.25;
/// What is added to the Hessian's diagonal, as a share of it, so that it can always be solved.
const RIDGE: f64 = 1e-9;

impl Work {
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
            room: Room::default(),
            hessian: vec![0.0; columns * columns],
            gradient: vec![0.0; columns],
            right: vec![0.0; columns],
            weights: Vec::new(),
            errors: Vec::new(),
            sizes: Vec::new(),
            least_sd: FIRST_SD,
            descent: Descent::default(),
            shape: vec![0.0; model.shapes.len()],
            look: vec![0.0; model.looks.len()],
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
                self.parameters.extend(model.look_of(&start.parameters));
            }
        }
        self.weights.clear();
        self.least_sd = FIRST_SD;
        self.best = (self.place, self.parameters.clone(), 1.0);
        self.set_mesh(linear, &model.base);
    }

    /// The mesh in the template's frame, from the parameters.
    pub(super) fn set_mesh(&mut self, linear: &Linear, base: &[DVec2]) {
        self.mesh.copy_from_slice(base);
        for (amount, field) in self.parameters.iter().zip(&linear.fields) {
            self.mesh.iter_mut().zip(field).for_each(|(point, along)| *point += *along * *amount);
        }
    }

    /// The part of a picture that this fit looks at; `None` if there is no sense in it.
    pub(super) fn view<'a>(
        &self,
        level: &Level,
        image: Picture<'a>,
        reducer: &'a mut Reducer,
        channels: usize,
    ) -> Option<View<'a>> {
        if !self.place.is_sound() {
            return None;
        }
        let region = Region::around(self.mesh.iter().map(|point| self.place.apply(*point)), AROUND);
        reducer.view(image, channels, halvings(self.place.scale() * level.scale), &region)
    }

    /// The error; and the Hessian and the gradient, with contrast and brightness taken out.
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
            self.look(level, view, channel);
            rest -= self.project(channel, level, surface, linear);
        }
        (rest / energy).clamp(0.0, 1.0).sqrt()
    }

    /// Samples a channel, and adds it up.
    pub(super) fn look(&mut self, level: &Level, view: &View<'_>, channel: usize) {
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

    /// Takes a channel's contrast and brightness out; returns how much of the look they explain.
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
        let likeness: f64 = sums.along.iter().zip(&self.amounts).map(|(along, amount)| along * amount).sum();
        // A picture that is the look's negative has no contrast that would do.
        if variance < LEAST_VARIANCE * level.pixel_count as f64 || likeness <= 0.0 {
            return 0.0;
        }
        let contrast = likeness / variance;
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
        likeness * contrast
    }

    /// The error, Hessian and gradient, with prior; takes the last step back if it made things worse. Returns the damping
    /// of the next step.
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
        // With weights, errors before and after a step are not the same measure.
        let is_worse = options.damping > 0.0 && options.robust.is_none() && error > self.best.2;
        if is_worse {
            self.take_back(linear, &model.base);
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

    /// Levenberg and Marquardt: a step that made it worse is taken back, and the next one is shorter.
    pub(super) fn take_back(&mut self, linear: &Linear, base: &[DVec2]) {
        self.place = self.best.0;
        self.parameters.copy_from_slice(&self.best.1);
        self.set_mesh(linear, base);
    }

    /// Adds what is known of the parameters: `Σ c² / σ²`, in units of the error that is expected of a pixel.
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

    /// The step, in place of the gradient.
    pub(super) fn solve(&mut self, linear: &Linear, damping: f64) -> bool {
        let columns = linear.columns();
        for column in 0..columns {
            self.hessian[column * columns + column] *= 1.0 + damping + RIDGE;
            self.gradient[column] = -self.gradient[column];
        }
        solve(&mut self.hessian, &mut self.gradient)
    }

    /// Takes the step; returns how far the mesh moved in the picture, as a root mean square.
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
        self.place = self.place.after(&little(linear, similarity));
        self.set_mesh(linear, &model.base);
    }

    /// Moves the base mesh by the step, carries it along with the warp as it is, and finds the parameters of that.
    pub(super) fn compose(&mut self, model: &Model, linear: &Linear, form: Form) {
        let Self { gradient, moved, mesh, parameters, place, shape, look, .. } = self;
        let (own, similarity) = gradient.split_at(linear.parameters());
        let little = little(linear, similarity);
        let stepped = |index: usize| {
            let moves = own.iter().zip(&linear.fields).map(|(amount, field)| field[index] * *amount);
            little.apply(model.base[index]) + moves.sum::<DVec2>()
        };
        for (index, to) in moved.iter_mut().enumerate() {
            *to = carried(&model.triangles, &model.base, mesh, index, stepped(index), *to, place);
        }
        *place = model.place_into(moved, shape);
        parameters.iter_mut().zip(own).for_each(|(value, step)| *value += step);
        match form {
            Form::Coupled => {
                model.look_into(parameters, look);
                model.coupled_into(shape, look, parameters);
            }
            Form::Independent => parameters[..shape.len()].copy_from_slice(shape),
        }
        self.set_mesh(linear, &model.base);
    }
}

/// A variance of less than this, in squared steps of gray, is no picture.
const LEAST_VARIANCE: f64 = 0.05;

/// The similarity of a step, in the template's frame.
fn little(linear: &Linear, step: &[f64]) -> Similarity {
    let turn = DVec2::X + DVec2::new(step[0], step[1]) / linear.size;
    let shift = DVec2::new(step[2], step[3]) / (linear.similarity[0].len() as f64).sqrt();
    Similarity { turn, shift: linear.centre + shift - turn.rotate(linear.centre) }
}

/// Where a point near a corner of the base mesh is carried by the warp: the mean of what the triangles round the corner
/// make of it (Matthews and Baker 2004, 4.1.1), in the picture.
fn carried(
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
