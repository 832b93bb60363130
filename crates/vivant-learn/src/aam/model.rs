//! What is known of a pair of eyes: how it can be shaped, and how it can look (paper 3, Eqs. 1–5).

use super::mesh::{self, Mesh, Pixel, Triangle};
use super::similarity::{Similarity, middle};
use crate::film::layout::{POINTS, Points};
use glam::DVec2;
use nalgebra::{DMatrix, DVector};

/// A model of how two eyes are shaped and look, both by the same few numbers.
///
/// A point of the template is whole numbers of its pixels; a shape is `s₀ + Σ pᵢ sᵢ` (Eq. 2), a look is
/// `A₀ + Σ λᵢ Aᵢ` (Eq. 3), and `[w p; λ] = J c` (Eqs. 4 and 5).
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(crate) mesh: Mesh,
    pub(crate) channels: usize,
    /// The mean shape, in pixels of the template.
    pub(crate) base: Vec<DVec2>,
    /// Unit vectors, at right angles to each other and to what a similarity does to the mean shape.
    pub(crate) shapes: Vec<Vec<DVec2>>,
    /// The mean look of each pixel, one channel after the other.
    pub(crate) mean: Vec<f32>,
    /// Unit vectors, at right angles to each other.
    pub(crate) looks: Vec<Vec<f32>>,
    /// How much a pixel of shape counts beside the look.
    pub(crate) weight: f64,
    /// Unit vectors of shape and look together.
    pub(crate) coupled: Vec<Vec<f64>>,
    /// How much each of them varied among the examples.
    pub(crate) sds: Vec<f64>,
    pub(crate) expected: Expected,
    pub(crate) sizes: Sizes,
    /// Parameters of some examples that differ: open, half shut, shut, looking aside.
    pub(crate) exemplars: Vec<Vec<f64>>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) pixels: Vec<Pixel>,
}

/// How large the error is where a model is right: on each example, by a model of all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Half of the examples have less.
    pub typical: f64,
    /// All of them have less.
    pub high: f64,
}

/// How large and how tilted the eyes were in the labelled pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The least and the most pixels of the picture for a pixel of the template.
    pub scale: [f64; 2],
    /// The least and the most tilt, in radians.
    pub tilt: [f64; 2],
}

/// Where the eyes are, and how they look.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Where the template lies in the picture.
    pub image_from_template: Similarity,
    /// The model's parameters `c`.
    pub parameters: Vec<f64>,
}

impl Model {
    /// Points of the mesh, 18 or 42.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        self.mesh
    }

    /// Channels of its pictures.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Pixels of the template.
    #[must_use]
    pub fn pixel_count(&self) -> usize {
        self.pixels.len()
    }

    /// How many parameters shape, look, and both together have.
    #[must_use]
    pub fn parameter_counts(&self) -> [usize; 3] {
        [self.shapes.len(), self.looks.len(), self.coupled.len()]
    }

    /// How much each parameter varied among the examples: its standard deviation.
    #[must_use]
    pub fn deviations(&self) -> &[f64] {
        &self.sds
    }

    /// How large the error is where the model is right.
    #[must_use]
    pub fn expected(&self) -> Expected {
        self.expected
    }

    /// How large and how tilted the eyes were in the labelled pictures.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The parameters of some examples that differ: open, half shut, shut, looking aside.
    #[must_use]
    pub fn exemplars(&self) -> &[Vec<f64>] {
        &self.exemplars
    }

    pub(crate) fn with_pixels(mut self) -> Self {
        self.triangles = self.mesh.triangles();
        self.pixels = mesh::pixels(&self.base, &self.triangles);
        self
    }

    /// The shape parameters `p` of parameters `c`.
    #[must_use]
    pub fn shape_of(&self, parameters: &[f64]) -> Vec<f64> {
        let part = |index: usize| self.mixed(parameters, index) / self.weight;
        (0..self.shapes.len()).map(part).collect()
    }

    /// The look parameters `λ` of parameters `c`.
    #[must_use]
    pub fn look_of(&self, parameters: &[f64]) -> Vec<f64> {
        let mut look = vec![0.0; self.looks.len()];
        self.look_into(parameters, &mut look);
        look
    }

    pub(crate) fn look_into(&self, parameters: &[f64], look: &mut [f64]) {
        let first = self.shapes.len();
        look.iter_mut().enumerate().for_each(|(index, value)| *value = self.mixed(parameters, first + index));
    }

    fn mixed(&self, parameters: &[f64], row: usize) -> f64 {
        parameters.iter().zip(&self.coupled).map(|(c, vector)| c * vector[row]).sum()
    }

    /// The parameters `c` nearest to some of shape and look.
    #[must_use]
    pub fn coupled_of(&self, shape: &[f64], look: &[f64]) -> Vec<f64> {
        let mut parameters = vec![0.0; self.coupled.len()];
        self.coupled_into(shape, look, &mut parameters);
        parameters
    }

    pub(crate) fn coupled_into(&self, shape: &[f64], look: &[f64], parameters: &mut [f64]) {
        let along = |vector: &Vec<f64>| {
            let (of_shape, of_look) = vector.split_at(self.shapes.len());
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            self.weight * dot(of_shape, shape) + dot(of_look, look)
        };
        parameters.iter_mut().zip(&self.coupled).for_each(|(value, vector)| *value = along(vector));
    }

    /// The mesh in the template's frame, for shape parameters `p`.
    pub(crate) fn template_mesh(&self, shape: &[f64], into: &mut Vec<DVec2>) {
        into.clear();
        into.extend_from_slice(&self.base);
        for (amount, vector) in shape.iter().zip(&self.shapes) {
            into.iter_mut().zip(vector).for_each(|(point, along)| *point += *along * *amount);
        }
    }

    /// All points of the mesh in the picture.
    #[must_use]
    pub fn mesh_points(&self, pose: &Pose) -> Vec<DVec2> {
        let mut points = Vec::new();
        self.template_mesh(&self.shape_of(&pose.parameters), &mut points);
        points.iter_mut().for_each(|point| *point = pose.image_from_template.apply(*point));
        points
    }

    /// The labelled points in the picture.
    #[must_use]
    pub fn points(&self, pose: &Pose) -> Points {
        labelled(&self.mesh_points(pose))
    }

    /// The pose whose points are nearest to some, and the most likely look with them.
    #[must_use]
    pub fn pose_of(&self, points: &Points) -> Pose {
        let points = self.mesh.of(points);
        let (image_from_template, shape) = self.placed(&points);
        Pose { image_from_template, parameters: self.likely(&shape) }
    }

    /// Where a mesh lies, and its shape parameters.
    pub(crate) fn placed(&self, points: &[DVec2]) -> (Similarity, Vec<f64>) {
        let mut shape = vec![0.0; self.shapes.len()];
        (self.place_into(points, &mut shape), shape)
    }

    pub(crate) fn place_into(&self, points: &[DVec2], shape: &mut [f64]) -> Similarity {
        let image_from_template = Similarity::between(&self.base, points);
        let back = image_from_template.inverse();
        let rest = |(point, base): (&DVec2, &DVec2)| back.apply(*point) - *base;
        for (value, vector) in shape.iter_mut().zip(&self.shapes) {
            let moved = points.iter().zip(&self.base).map(rest);
            *value = moved.zip(vector).map(|(moved, along)| moved.dot(*along)).sum();
        }
        image_from_template
    }

    /// The most likely parameters for a shape: those that varied most take most of it.
    fn likely(&self, shape: &[f64]) -> Vec<f64> {
        let (rows, columns) = (self.shapes.len(), self.coupled.len());
        if rows == 0 {
            return vec![0.0; columns];
        }
        let from_c = DMatrix::from_fn(rows, columns, |i, j| self.coupled[j][i] * self.sds[j] / self.weight);
        let mut spread = &from_c * from_c.transpose();
        let least = spread.trace() * 1e-6;
        (0..rows).for_each(|i| spread[(i, i)] += least);
        let Some(solver) = spread.cholesky() else { return vec![0.0; columns] };
        let standard = from_c.tr_mul(&solver.solve(&DVector::from_column_slice(shape)));
        standard.iter().zip(&self.sds).map(|(z, sd)| z * sd).collect()
    }

    /// The pose of the mean shape somewhere.
    #[must_use]
    pub fn mean_pose(&self, image_from_template: Similarity) -> Pose {
        Pose { image_from_template, parameters: vec![0.0; self.coupled.len()] }
    }

    /// The middle of the mean shape, in the template.
    pub(crate) fn middle(&self) -> DVec2 {
        middle(&self.base)
    }

    /// How unlikely parameters are: the root mean square of their standard scores.
    #[must_use]
    pub fn strangeness(&self, parameters: &[f64]) -> f64 {
        let squares: f64 = parameters.iter().zip(&self.sds).map(|(c, sd)| (c / sd) * (c / sd)).sum();
        (squares / parameters.len().max(1) as f64).sqrt()
    }
}

/// The first eighteen points of a mesh.
pub(crate) fn labelled(mesh: &[DVec2]) -> Points {
    std::array::from_fn::<_, POINTS, _>(|index| mesh[index])
}

#[cfg(test)]
pub(crate) fn dot(a: &[DVec2], b: &[DVec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
