//! The two loops over all pixels in each step of a fit: sampling the image, and summing the products with each
//! parameter's image.

use super::level::{LANES, Level};
use super::view::View;
use crate::film::image::bilinear;
use glam::DVec2;

/// Sums over the pixels of one channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// `Σ s`, where `s` is the image value minus [`GRAY`].
    pub(crate) total: f64,
    /// `Σ s²`.
    pub(crate) squares: f64,
    /// For each appearance image `A`: `Σ s A`.
    pub(crate) along: Vec<f64>,
    /// For each mesh point: `Σ s g b`, where `g` is the appearance gradient and `b` is the barycentric weight of the
    /// point.
    pub(crate) pulls: Vec<DVec2>,
}

/// Value subtracted from each pixel to keep sums small.
pub(crate) const GRAY: f32 = 128.0;

impl Sums {
    pub(crate) fn new(images: usize, points: usize) -> Self {
        Self { along: vec![0.0; images], pulls: vec![DVec2::ZERO; points], ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        (self.total, self.squares) = (0.0, 0.0);
        self.along.fill(0.0);
        self.pulls.fill(DVec2::ZERO);
    }
}

/// Samples a channel at each pixel and subtracts [`GRAY`]; lanes without a pixel get 0.
pub(crate) fn sample(
    level: &Level,
    view: &View<'_>,
    channel: usize,
    mesh: &[DVec2],
    into: &mut [[f32; LANES]],
) {
    let plane = view.plane(channel);
    for ((block, [second, third]), lanes) in level.blocks.iter().zip(&level.shares).zip(into) {
        let [a, b, c] = level.triangles[usize::from(block.triangle)].map(|at| mesh[at]);
        *lanes = [0.0; LANES];
        for lane in 0..usize::from(block.count) {
            let at = a + (b - a) * f64::from(second[lane]) + (c - a) * f64::from(third[lane]);
            lanes[lane] = bilinear(plane, view.width, view.height, at) as f32 - GRAY;
        }
    }
}

/// Adds the pixels of a channel to the sums. `amounts` are the weights of the appearance images.
pub(crate) fn accumulate(
    level: &Level,
    channel: usize,
    amounts: &[f64],
    sampled: &[[f32; LANES]],
    sums: &mut Sums,
) {
    for (index, (block, lanes)) in level.blocks.iter().zip(sampled).enumerate() {
        let tile = level.tile(channel, index);
        let mut pulls = [DVec2::ZERO; 3];
        for (lane, value) in lanes.iter().enumerate().take(usize::from(block.count)) {
            let value = f64::from(*value);
            sums.total += value;
            sums.squares += value * value;
            let mut steep = DVec2::ZERO;
            for ((along, amount), [appearance, right, down]) in sums.along.iter_mut().zip(amounts).zip(tile) {
                *along += value * f64::from(appearance[lane]);
                steep += DVec2::new(right[lane].into(), down[lane].into()) * *amount;
            }
            let [second, third] = level.shares[index].map(|share| f64::from(share[lane]));
            for (pull, share) in pulls.iter_mut().zip([1.0 - second - third, second, third]) {
                *pull += steep * (value * share);
            }
        }
        for (point, pull) in level.triangles[usize::from(block.triangle)].into_iter().zip(pulls) {
            sums.pulls[point] += pull;
        }
    }
}
