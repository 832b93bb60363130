//! The parameters of a fit and their effect on points and appearance.
//!
//! Shape and appearance can share parameters or have separate ones ([`Form`]). The fit should not depend on this
//! choice, so [`Linear::of`] converts a model and a form to the same description: a field that moves the mesh and a
//! mode that changes the appearance, for each parameter that has one. Scale, rotation and translation are appended as
//! four unit vectors.

use super::model::Model;
use glam::DVec2;

/// The parameters to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Shape and appearance share parameters (paper 3, Eq. 4).
    #[default]
    Coupled,
    /// Shape and appearance have separate parameters (Baker et al. 2003).
    Independent,
}

/// Linear effect of the parameters `x`. The first parameters move the mesh along their field, and the last parameters
/// add their mode to the appearance. With coupled parameters, each parameter does both. Four similarity parameters
/// follow, which only move the mesh.
pub(crate) struct Linear {
    /// Movement of the mesh with each of the first parameters, in template pixels.
    pub(crate) fields: Vec<Vec<DVec2>>,
    /// Movement of the mesh with each similarity parameter (scale, rotation, right, down), as unit vectors.
    pub(crate) similarity: [Vec<DVec2>; 4],
    /// Change of the appearance with each of the last parameters.
    pub(crate) modes: Vec<Vec<f32>>,
    /// Index of the first parameter with a mode.
    pub(crate) first_mode: usize,
    /// Standard deviation of each parameter.
    pub(crate) sds: Vec<f64>,
    /// Centre of the template, and its size.
    pub(crate) centre: DVec2,
    pub(crate) size: f64,
}

impl Linear {
    pub(crate) fn of(model: &Model, form: Form) -> Self {
        let (shapes, appearances) = (model.shapes.len(), model.appearances.len());
        let (fields, modes, first_mode, sds) = match form {
            Form::Coupled => {
                let count = 0..model.coupled.len();
                let fields = count.clone().map(|index| coupled_field(model, index)).collect();
                (fields, count.map(|index| coupled_mode(model, index)).collect(), 0, model.sds.clone())
            }
            Form::Independent => {
                let sds = (0..shapes + appearances).map(|row| independent_sd(model, row)).collect();
                (model.shapes.clone(), model.appearances.clone(), shapes, sds)
            }
        };
        let centre = model.middle();
        let size = model.base.iter().map(|point| point.distance_squared(centre)).sum::<f64>().sqrt();
        Self { fields, similarity: similarity(model, centre, size), modes, first_mode, sds, centre, size }
    }

    /// Returns the number of parameters without the similarity parameters.
    pub(crate) fn parameters(&self) -> usize {
        self.sds.len()
    }

    /// Returns the number of parameters including the similarity parameters.
    pub(crate) fn columns(&self) -> usize {
        self.parameters() + 4
    }

    /// Returns the movement of the mesh with a parameter, if there is one.
    pub(crate) fn field(&self, column: usize) -> Option<&[DVec2]> {
        match column.checked_sub(self.parameters()) {
            Some(way) => Some(&self.similarity[way]),
            None => self.fields.get(column).map(Vec::as_slice),
        }
    }

    /// Returns the mode of a parameter, if there is one.
    pub(crate) fn mode(&self, column: usize) -> Option<usize> {
        (column < self.parameters()).then(|| column.checked_sub(self.first_mode)).flatten()
    }
}

fn coupled_field(model: &Model, index: usize) -> Vec<DVec2> {
    let mut field = vec![DVec2::ZERO; model.base.len()];
    for (share, shape) in model.coupled[index].iter().zip(&model.shapes) {
        field.iter_mut().zip(shape).for_each(|(sum, along)| *sum += *along * (share / model.weight));
    }
    field
}

fn coupled_mode(model: &Model, index: usize) -> Vec<f32> {
    let mut mode = vec![0.0; model.mean.len()];
    for (share, appearance) in model.coupled[index][model.shapes.len()..].iter().zip(&model.appearances) {
        mode.iter_mut().zip(appearance).for_each(|(sum, value)| *sum += *share as f32 * value);
    }
    mode
}

fn independent_sd(model: &Model, row: usize) -> f64 {
    let along = |(vector, sd): (&Vec<f64>, &f64)| vector[row] * sd * vector[row] * sd;
    let sd = model.coupled.iter().zip(&model.sds).map(along).sum::<f64>().sqrt();
    if row < model.shapes.len() { sd / model.weight } else { sd }
}

fn similarity(model: &Model, centre: DVec2, size: f64) -> [Vec<DVec2>; 4] {
    let step = 1.0 / (model.base.len() as f64).sqrt();
    [
        model.base.iter().map(|point| (*point - centre) / size).collect(),
        model.base.iter().map(|point| (*point - centre).perp() / size).collect(),
        vec![DVec2::X * step; model.base.len()],
        vec![DVec2::Y * step; model.base.len()],
    ]
}
