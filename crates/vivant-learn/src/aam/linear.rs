//! The parameters that a fit moves, and what each of them does to points and looks.

use super::model::Model;
use glam::DVec2;

/// Which parameters are fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Shape and look by the same parameters (paper 3, Eq. 4).
    #[default]
    Coupled,
    /// Shape and look each by its own (Baker et al. 2003).
    Independent,
}

/// Parameters `x`: the first of them move the mesh by their field, the last of them add their mode to the look; where
/// shape and look are coupled each does both. Behind them are four of a similarity, which move the mesh only.
pub(crate) struct Linear {
    /// How the mesh moves with each of the first parameters, in pixels of the template.
    pub(crate) fields: Vec<Vec<DVec2>>,
    /// How it moves with the similarity: grow, turn, go right, go down; unit vectors.
    pub(crate) similarity: [Vec<DVec2>; 4],
    /// What the last parameters add to the look.
    pub(crate) modes: Vec<Vec<f32>>,
    /// Which is the first parameter with a mode.
    pub(crate) first_mode: usize,
    /// The standard deviation of each parameter.
    pub(crate) sds: Vec<f64>,
    /// The middle of the template, and how large it is.
    pub(crate) centre: DVec2,
    pub(crate) size: f64,
}

impl Linear {
    pub(crate) fn of(model: &Model, form: Form) -> Self {
        let (shapes, looks) = (model.shapes.len(), model.looks.len());
        let (fields, modes, first_mode, sds) = match form {
            Form::Coupled => {
                let count = 0..model.coupled.len();
                let fields = count.clone().map(|index| coupled_field(model, index)).collect();
                (fields, count.map(|index| coupled_mode(model, index)).collect(), 0, model.sds.clone())
            }
            Form::Independent => {
                let sds = (0..shapes + looks).map(|row| independent_sd(model, row)).collect();
                (model.shapes.clone(), model.looks.clone(), shapes, sds)
            }
        };
        let centre = model.middle();
        let size = model.base.iter().map(|point| point.distance_squared(centre)).sum::<f64>().sqrt();
        Self { fields, similarity: similarity(model, centre, size), modes, first_mode, sds, centre, size }
    }

    /// Parameters without the similarity's.
    pub(crate) fn parameters(&self) -> usize {
        self.sds.len()
    }

    /// Parameters with the similarity's.
    pub(crate) fn columns(&self) -> usize {
        self.parameters() + 4
    }

    /// How the mesh moves with a parameter, if it does.
    pub(crate) fn field(&self, column: usize) -> Option<&[DVec2]> {
        match column.checked_sub(self.parameters()) {
            Some(way) => Some(&self.similarity[way]),
            None => self.fields.get(column).map(Vec::as_slice),
        }
    }

    /// Which mode a parameter adds, if it does.
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
    for (share, look) in model.coupled[index][model.shapes.len()..].iter().zip(&model.looks) {
        mode.iter_mut().zip(look).for_each(|(sum, value)| *sum += *share as f32 * value);
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
