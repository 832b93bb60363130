//! The eye model: shape and appearance of a pair of eyes (paper 3, Eqs. 1–5).
//!
//! Shape and appearance share one list of parameters, because they change together: a closing lid moves its points and
//! covers the iris. [`Model::build`] creates a model. [`Model::pose_of`] converts labelled points to a [`Pose`], and
//! [`Model::points`] converts a pose back to points. The model also stores what the tracker needs to judge a fit: the
//! [`Expected`] error, the [`Sizes`] of the eyes, and the parameters of examples that differ from each other. It does
//! not search an image; fitting is in `super::fit`.

use super::mesh::{self, Mesh, Pixel, Triangle};
use super::similarity::{Similarity, middle};
use crate::film::layout::{POINTS, Points};
use glam::DVec2;
use nalgebra::{DMatrix, DVector};

/// A model of shape and appearance of two eyes, described by a few shared parameters.
///
/// Template coordinates are in template pixels. A shape is `s₀ + Σ pᵢ sᵢ` (Eq. 2), an appearance is `A₀ + Σ λᵢ Aᵢ`
/// (Eq. 3), and `[w p; λ] = J c` (Eqs. 4 and 5).
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(crate) mesh: Mesh,
    pub(crate) channels: usize,
    /// Mean shape in template pixels.
    pub(crate) base: Vec<DVec2>,
    /// Shape vectors: orthonormal, and orthogonal to similarity transforms of the mean shape.
    pub(crate) shapes: Vec<Vec<DVec2>>,
    /// Mean appearance of each pixel, channel by channel.
    pub(crate) mean: Vec<f32>,
    /// Appearance vectors, orthonormal.
    pub(crate) appearances: Vec<Vec<f32>>,
    /// Weight of a shape parameter relative to an appearance parameter.
    pub(crate) weight: f64,
    /// Combined unit vectors of shape and appearance.
    pub(crate) coupled: Vec<Vec<f64>>,
    /// Standard deviation of each combined parameter among the examples.
    pub(crate) sds: Vec<f64>,
    pub(crate) expected: Expected,
    pub(crate) sizes: Sizes,
    /// Parameters of examples that differ from each other, for example open, half closed and closed eyes.
    pub(crate) exemplars: Vec<Vec<f64>>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) pixels: Vec<Pixel>,
}

/// Error of a correct fit, estimated with held-out examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Median error, from 0 to 1.
    pub typical: f64,
    /// Highest error, from 0 to 1.
    pub high: f64,
}

/// Size and tilt of the eyes in the labelled images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Minimum and maximum scale: image pixels per template pixel.
    pub scale: [f64; 2],
    /// Minimum and maximum tilt in radians.
    pub tilt: [f64; 2],
}

/// Position, shape and appearance of the eyes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Transform from template to image.
    pub image_from_template: Similarity,
    /// The model's parameters `c`.
    pub parameters: Vec<f64>,
}

impl Model {
    /// Returns the mesh.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        self.mesh
    }

    /// Returns the number of image channels.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of template pixels.
    #[must_use]
    pub fn pixel_count(&self) -> usize {
        self.pixels.len()
    }

    /// Returns the number of parameters for shape, appearance and both combined.
    #[must_use]
    pub fn parameter_counts(&self) -> [usize; 3] {
        [self.shapes.len(), self.appearances.len(), self.coupled.len()]
    }

    /// Returns the standard deviation of each combined parameter among the examples.
    #[must_use]
    pub fn deviations(&self) -> &[f64] {
        &self.sds
    }

    /// Returns the error of a correct fit, estimated with held-out examples.
    #[must_use]
    pub fn expected(&self) -> Expected {
        self.expected
    }

    /// Returns size and tilt of the eyes in the labelled images.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Returns the parameters of examples that differ from each other, for example open, half closed and closed eyes.
    #[must_use]
    pub fn exemplars(&self) -> &[Vec<f64>] {
        &self.exemplars
    }

    pub(crate) fn with_pixels(mut self) -> Self {
        self.triangles = self.mesh.triangles();
        self.pixels = mesh::pixels(&self.base, &self.triangles);
        self
    }

    /// Returns the shape parameters `p` for parameters `c`.
    #[must_use]
    pub fn shape_of(&self, parameters: &[f64]) -> Vec<f64> {
        let part = |index: usize| self.mixed(parameters, index) / self.weight;
        (0..self.shapes.len()).map(part).collect()
    }

    /// Returns the appearance parameters `λ` for parameters `c`.
    #[must_use]
    pub fn appearance_of(&self, parameters: &[f64]) -> Vec<f64> {
        let mut appearance = vec![0.0; self.appearances.len()];
        self.appearance_into(parameters, &mut appearance);
        appearance
    }

    pub(crate) fn appearance_into(&self, parameters: &[f64], appearance: &mut [f64]) {
        let first = self.shapes.len();
        appearance
            .iter_mut()
            .enumerate()
            .for_each(|(index, value)| *value = self.mixed(parameters, first + index));
    }

    fn mixed(&self, parameters: &[f64], row: usize) -> f64 {
        parameters.iter().zip(&self.coupled).map(|(c, vector)| c * vector[row]).sum()
    }

    /// Returns the parameters `c` nearest to the given shape and appearance parameters.
    #[must_use]
    pub fn coupled_of(&self, shape: &[f64], appearance: &[f64]) -> Vec<f64> {
        let mut parameters = vec![0.0; self.coupled.len()];
        self.coupled_into(shape, appearance, &mut parameters);
        parameters
    }

    pub(crate) fn coupled_into(&self, shape: &[f64], appearance: &[f64], parameters: &mut [f64]) {
        let along = |vector: &Vec<f64>| {
            let (of_shape, of_appearance) = vector.split_at(self.shapes.len());
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            self.weight * dot(of_shape, shape) + dot(of_appearance, appearance)
        };
        parameters.iter_mut().zip(&self.coupled).for_each(|(value, vector)| *value = along(vector));
    }

    /// Computes the mesh in template space for shape parameters `p`.
    pub(crate) fn template_mesh(&self, shape: &[f64], into: &mut Vec<DVec2>) {
        into.clear();
        into.extend_from_slice(&self.base);
        for (amount, vector) in shape.iter().zip(&self.shapes) {
            into.iter_mut().zip(vector).for_each(|(point, along)| *point += *along * *amount);
        }
    }

    /// Returns all mesh points in the image.
    #[must_use]
    pub fn mesh_points(&self, pose: &Pose) -> Vec<DVec2> {
        let mut points = Vec::new();
        self.template_mesh(&self.shape_of(&pose.parameters), &mut points);
        points.iter_mut().for_each(|point| *point = pose.image_from_template.apply(*point));
        points
    }

    /// Returns the labelled points in the image.
    #[must_use]
    pub fn points(&self, pose: &Pose) -> Points {
        labelled(&self.mesh_points(pose))
    }

    /// Returns the pose nearest to the given points, with the most likely appearance.
    #[must_use]
    pub fn pose_of(&self, points: &Points) -> Pose {
        let points = self.mesh.of(points);
        let (image_from_template, shape) = self.placed(&points);
        Pose { image_from_template, parameters: self.most_likely(&shape) }
    }

    /// Returns the transform from template to image and the shape parameters of the given mesh points.
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

    /// Returns the most likely parameters for a shape. Parameters with a large variance explain most of the shape.
    fn most_likely(&self, shape: &[f64]) -> Vec<f64> {
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

    /// Returns the pose with the mean shape and the mean appearance at the given position.
    #[must_use]
    pub fn mean_pose(&self, image_from_template: Similarity) -> Pose {
        Pose { image_from_template, parameters: vec![0.0; self.coupled.len()] }
    }

    /// Returns the centre of the mean shape in the template.
    pub(crate) fn middle(&self) -> DVec2 {
        middle(&self.base)
    }

    /// Returns the root mean square of the parameters' standard scores: about 1 for typical parameters, larger for
    /// unlikely ones.
    #[must_use]
    pub fn deviation_score(&self, parameters: &[f64]) -> f64 {
        let squares: f64 = parameters.iter().zip(&self.sds).map(|(c, sd)| (c / sd) * (c / sd)).sum();
        (squares / parameters.len().max(1) as f64).sqrt()
    }
}

/// Returns the labelled points of a mesh, which are its first eighteen points.
pub(crate) fn labelled(mesh: &[DVec2]) -> Points {
    std::array::from_fn::<_, POINTS, _>(|index| mesh[index])
}

#[cfg(test)]
pub(crate) fn dot(a: &[DVec2], b: &[DVec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
