//! Robust fits, in which badly fitting pixels have less weight, for example a hand in front of the eye, a highlight or
//! a hair.
//!
//! Iteratively reweighted least squares: `H = Σ ρ SDᵀ SD`, with `σ = 1.4826 · MAD` of the errors. Weights change with
//! each step, so all sums are recomputed; contrast and brightness are eliminated with the same weights.

use super::work::FitState;
use crate::aam::kernel;
use crate::aam::level::{LANES, Level};
use crate::aam::linear::Linear;
use crate::aam::surface::{Surface, spread};
use crate::aam::view::View;

/// Weight function for pixels that fit badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Robust {
    /// Weight 1 up to 1.345 σ, then inversely proportional to the error (Huber 1964).
    Huber,
    /// Weight that falls to nearly 0 beyond a few σ (Geman and McClure 1987).
    GemanMcClure,
}

/// Error in σ beyond which Huber's weight decreases. This value costs 5 % of precision if there are no outliers.
const HUBER: f32 = 1.345;
/// Factor from the median absolute error to the standard deviation of a normal distribution.
const MAD: f32 = 1.4826;
/// Initial minimum of `σ`, relative to an appearance deviation of 1. While a fit is still far from the solution, the
/// informative pixels at edges fit badly. So the minimum starts high and is multiplied by [`SD_DECAY`] in each step.
pub(super) const FIRST_SD: f32 = 1.0;
const SD_DECAY: f32 = 0.7;
const LAST_SD: f32 = 0.1;
/// Number of times that contrast and weights are estimated in turn.
const ROUNDS: usize = 3;

impl Robust {
    fn weight(self, score: f32) -> f32 {
        match self {
            Self::Huber => HUBER / score.abs().max(HUBER),
            Self::GemanMcClure => {
                let share = 1.0 / (1.0 + score * score / GEMAN_MCCLURE);
                share * share
            }
        }
    }
}

/// Scale of Geman and McClure in squared σ, so that errors within one or two σ keep nearly full weight.
const GEMAN_MCCLURE: f32 = 9.0;

/// Weighted sums of a channel.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    weight: f64,
    image: f64,
    image_squared: f64,
    appearance: f64,
    appearance_squared: f64,
    product: f64,
}

/// Buffers for the model's appearance and the steepest-descent images of a block. `ones` are the weighted sums of the
/// steepest-descent images; `images` are the weighted sums of their products with the image.
#[derive(Clone, Debug, Default)]
pub(super) struct Descent {
    appearances: Vec<[f64; LANES]>,
    steep: Vec<[f64; LANES]>,
    ones: Vec<f64>,
    images: Vec<f64>,
}

impl Descent {
    fn clear(&mut self, columns: usize) {
        self.steep.resize(columns, [0.0; LANES]);
        for sums in [&mut self.ones, &mut self.images] {
            sums.clear();
            sums.resize(columns, 0.0);
        }
    }
}

impl Moments {
    /// Returns contrast and brightness that bring the image closest to the appearance.
    fn line(&self) -> (f64, f64) {
        let mean = self.image / self.weight.max(f64::MIN_POSITIVE);
        let variance = self.image_squared - mean * self.image;
        let covariance = self.product - mean * self.appearance;
        let contrast = if variance > 1e-9 { (covariance / variance).max(0.0) } else { 0.0 };
        (contrast, (self.appearance - contrast * self.image) / self.weight.max(f64::MIN_POSITIVE))
    }

    /// Returns contrast and brightness like [`Self::line`], but by regressing the image on the appearance. Occlusions
    /// are outliers in the image and would distort the other regression.
    fn line_of_image(&self) -> (f64, f64) {
        let mean = self.appearance / self.weight.max(f64::MIN_POSITIVE);
        let slope = (self.product - mean * self.image) / self.energy().max(f64::MIN_POSITIVE);
        if slope < 1e-3 {
            return self.line();
        }
        (1.0 / slope, mean - self.image / self.weight.max(f64::MIN_POSITIVE) / slope)
    }

    fn energy(&self) -> f64 {
        self.appearance_squared - self.appearance * self.appearance / self.weight.max(f64::MIN_POSITIVE)
    }
}

impl FitState {
    /// Does the same as [`FitState::evaluate`] with weights. The error is weighted, too.
    pub(super) fn evaluate_robust(
        &mut self,
        level: &Level,
        surface: &Surface,
        linear: &Linear,
        view: &View<'_>,
        robust: Robust,
    ) -> f64 {
        self.hessian.fill(0.0);
        self.gradient.fill(0.0);
        let blocks = level.blocks.len();
        // A fit continues with its previous weights.
        self.weights.resize(level.channels * blocks, [1.0; LANES]);
        self.errors.resize(self.sampled.len(), [0.0; LANES]);
        let (mut rest, mut energy) = (0.0, 0.0);
        for channel in 0..level.channels {
            kernel::sample(level, view, channel, &self.viewed, &mut self.sampled[..blocks]);
            self.compute_appearance(level, channel);
            let mut moments = self.moments(level, channel);
            for _ in 0..ROUNDS {
                self.find_errors(level, moments.line_of_image());
                self.weigh(level, channel, robust);
                moments = self.moments(level, channel);
            }
            self.find_errors(level, moments.line());
            energy += moments.energy();
            rest += self.add_up(level, surface, linear, channel, &moments);
        }
        self.least_sd = (self.least_sd * SD_DECAY).max(LAST_SD);
        (rest / energy.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0).sqrt()
    }

    /// Returns true while the minimum of σ is still above its final value, so that badly fitting pixels keep some
    /// weight.
    pub(super) fn is_lenient(&self) -> bool {
        self.least_sd > LAST_SD
    }

    /// Sets the minimum of σ to its final value, for fits that start near the solution.
    pub(super) fn set_strict(&mut self) {
        self.least_sd = LAST_SD;
    }

    /// Computes the model's appearance at each pixel.
    fn compute_appearance(&mut self, level: &Level, channel: usize) {
        let appearances = &mut self.descent.appearances;
        appearances.clear();
        appearances
            .extend((0..level.blocks.len()).map(|block| mixed(level.tile(channel, block), &self.amounts, 0)));
    }

    fn moments(&self, level: &Level, channel: usize) -> Moments {
        let mut sums = Moments::default();
        for (index, block) in level.blocks.iter().enumerate() {
            for lane in 0..usize::from(block.count) {
                let (weight, s) = (
                    f64::from(self.weights[channel * level.blocks.len() + index][lane]),
                    f64::from(self.sampled[index][lane]),
                );
                let appearance = self.descent.appearances[index][lane];
                sums.weight += weight;
                sums.image += weight * s;
                sums.image_squared += weight * s * s;
                sums.appearance += weight * appearance;
                sums.appearance_squared += weight * appearance * appearance;
                sums.product += weight * appearance * s;
            }
        }
        sums
    }

    fn find_errors(&mut self, level: &Level, (contrast, brightness): (f64, f64)) {
        for (index, block) in level.blocks.iter().enumerate() {
            for lane in 0..usize::from(block.count) {
                let shown = contrast * f64::from(self.sampled[index][lane]) + brightness;
                self.errors[index][lane] = (self.descent.appearances[index][lane] - shown) as f32;
            }
        }
    }

    fn weigh(&mut self, level: &Level, channel: usize, robust: Robust) {
        self.sizes.clear();
        for (block, errors) in level.blocks.iter().zip(&self.errors) {
            self.sizes.extend(errors[..usize::from(block.count)].iter().map(|error| error.abs()));
        }
        let middle = self.sizes.len() / 2;
        let own = MAD * *self.sizes.select_nth_unstable_by(middle, f32::total_cmp).1;
        let sd = own.max(self.least_sd);
        let weights = &mut self.weights[channel * level.blocks.len()..];
        for ((block, errors), weights) in level.blocks.iter().zip(&self.errors).zip(weights) {
            for lane in 0..usize::from(block.count) {
                weights[lane] = robust.weight(errors[lane] / sd);
            }
        }
    }

    /// Adds a channel to Hessian and gradient. Returns its weighted squared error.
    fn add_up(
        &mut self,
        level: &Level,
        surface: &Surface,
        linear: &Linear,
        channel: usize,
        moments: &Moments,
    ) -> f64 {
        let columns = self.gradient.len();
        let mut room = std::mem::take(&mut self.descent);
        room.clear(columns);
        let Descent { steep, ones, images, .. } = &mut room;
        let mut rest = 0.0;
        for (index, block) in level.blocks.iter().enumerate() {
            self.descend(level, surface, linear, channel, index, steep);
            let weights = self.weights_of(level, channel, index, block.count);
            let (errors, shown) = (self.errors[index].map(f64::from), self.sampled[index].map(f64::from));
            rest += product(&times(&weights, &errors), &errors);
            for (i, row) in self.hessian.chunks_exact_mut(columns).enumerate() {
                let part = times(&weights, &steep[i]);
                self.gradient[i] += product(&part, &errors);
                ones[i] += part.iter().sum::<f64>();
                images[i] += product(&part, &shown);
                row.iter_mut().zip(&steep[..=i]).for_each(|(sum, other)| *sum += product(&part, other));
            }
        }
        self.take_out(ones, images, moments);
        self.descent = room;
        rest
    }

    /// Returns the weights of a block; lanes without a pixel have weight 0.
    fn weights_of(&self, level: &Level, channel: usize, block: usize, count: u8) -> [f64; LANES] {
        let mut weights = self.weights[channel * level.blocks.len() + block].map(f64::from);
        weights[usize::from(count)..].fill(0.0);
        weights
    }

    /// Computes the steepest-descent images of a block.
    pub(super) fn descend(
        &self,
        level: &Level,
        surface: &Surface,
        linear: &Linear,
        channel: usize,
        block: usize,
        into: &mut [[f64; LANES]],
    ) {
        let tile = level.tile(channel, block);
        let [right, down] = [1, 2].map(|way| mixed(tile, &self.amounts, way));
        for (column, steep) in into.iter_mut().enumerate() {
            let moved = spread(level, block, &surface.fields[column]);
            let mode = linear.mode(column).map_or([0.0; LANES], |mode| tile[mode + 1][0]);
            *steep = std::array::from_fn(|lane| {
                let [x, y] = moved[lane].map(f64::from);
                f64::from(mode[lane]) + right[lane] * x + down[lane] * y
            });
        }
    }

    /// Eliminates contrast and brightness from the Hessian, and mirrors its lower half.
    fn take_out(&mut self, ones: &[f64], images: &[f64], moments: &Moments) {
        let columns = ones.len();
        let mean = moments.image / moments.weight.max(f64::MIN_POSITIVE);
        let variance = moments.image_squared - mean * moments.image;
        for i in 0..columns {
            for j in 0..=i {
                let (a, b) = (images[i] - mean * ones[i], images[j] - mean * ones[j]);
                let contrast = if variance > 1e-9 { a * b / variance } else { 0.0 };
                let brightness = ones[i] * ones[j] / moments.weight.max(f64::MIN_POSITIVE);
                self.hessian[i * columns + j] -= contrast + brightness;
                self.hessian[j * columns + i] = self.hessian[i * columns + j];
            }
        }
    }
}

/// Returns the sum of a block's images weighted by `amounts`. `what` is 0 for their values, 1 for their derivatives
/// to the right and 2 for their derivatives down.
fn mixed(tile: &[[[f32; LANES]; 3]], amounts: &[f64], what: usize) -> [f64; LANES] {
    let mut sum = [0.0; LANES];
    for (image, amount) in tile.iter().zip(amounts) {
        sum.iter_mut().zip(&image[what]).for_each(|(sum, value)| *sum += amount * f64::from(*value));
    }
    sum
}

fn times(a: &[f64; LANES], b: &[f64; LANES]) -> [f64; LANES] {
    std::array::from_fn(|lane| a[lane] * b[lane])
}

/// Returns the dot product, summed in four parts for vector instructions.
fn product(a: &[f64; LANES], b: &[f64; LANES]) -> f64 {
    let mut parts = [0.0; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        parts.iter_mut().zip(a).zip(b).for_each(|((sum, a), b)| *sum += a * b);
    }
    parts.iter().sum()
}
