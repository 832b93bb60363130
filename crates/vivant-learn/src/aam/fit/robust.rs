//! Fits in which pixels that fit badly count less: a hand before an eye, a highlight, a hair.
//!
//! Iteratively reweighted least squares: `H = Σ ρ SDᵀ SD`, with `σ = 1.4826 · MAD` of the errors. Weights change with each
//! step, so all sums are taken anew; contrast and brightness are taken out with the same weights.

use super::work::Work;
use crate::aam::kernel;
use crate::aam::level::{LANES, Level};
use crate::aam::linear::Linear;
use crate::aam::surface::{Surface, spread};
use crate::aam::view::View;

/// How much less a pixel counts the worse it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Robust {
    /// In proportion, beyond 1.345 σ (Huber 1964).
    Huber,
    /// Next to nothing beyond a few σ (Geman and McClure 1987).
    GemanMcClure,
}

/// Where Huber's weight begins to fall, which costs 5 % of precision where there is nothing to weigh down.
const HUBER: f32 = 1.345;
/// From the median of absolute errors to a standard deviation of normal ones.
const MAD: f32 = 1.4826;
/// Before a fit is near, it is the telling pixels at edges that fit badly. So `σ` is at least this at first, where looks
/// have a deviation of 1, and so much less with each step, until it is the errors' own.
pub(super) const FIRST_SD: f32 = 1.0;
const LESS: f32 = 0.7;
const LAST_SD: f32 = 0.1;
/// How often contrast and weights are found in turn.
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

/// Geman's and McClure's scale, in squared σ, so that what is within a σ or two counts nearly in full.
const GEMAN_MCCLURE: f32 = 9.0;

/// Weighted sums of a channel: with brightness and contrast.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    weight: f64,
    picture: f64,
    picture_squared: f64,
    look: f64,
    look_squared: f64,
    product: f64,
}

/// Room for what the model looks like, for the steepest-descent images of a block, and for their sums alone and with the
/// picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Descent {
    looks: Vec<[f64; LANES]>,
    steep: Vec<[f64; LANES]>,
    ones: Vec<f64>,
    pictures: Vec<f64>,
}

impl Descent {
    fn clear(&mut self, columns: usize) {
        self.steep.resize(columns, [0.0; LANES]);
        for sums in [&mut self.ones, &mut self.pictures] {
            sums.clear();
            sums.resize(columns, 0.0);
        }
    }
}

impl Moments {
    /// Contrast and brightness that bring the picture nearest to the look.
    fn line(&self) -> (f64, f64) {
        let mean = self.picture / self.weight.max(f64::MIN_POSITIVE);
        let variance = self.picture_squared - mean * self.picture;
        let covariance = self.product - mean * self.look;
        let contrast = if variance > 1e-9 { (covariance / variance).max(0.0) } else { 0.0 };
        (contrast, (self.look - contrast * self.picture) / self.weight.max(f64::MIN_POSITIVE))
    }

    /// The same, by the line that makes the picture of the look: what hides a part is far off in the picture, and would
    /// bend the other line towards itself.
    fn line_of_picture(&self) -> (f64, f64) {
        let mean = self.look / self.weight.max(f64::MIN_POSITIVE);
        let slope = (self.product - mean * self.picture) / self.energy().max(f64::MIN_POSITIVE);
        if slope < 1e-3 {
            return self.line();
        }
        (1.0 / slope, mean - self.picture / self.weight.max(f64::MIN_POSITIVE) / slope)
    }

    fn energy(&self) -> f64 {
        self.look_squared - self.look * self.look / self.weight.max(f64::MIN_POSITIVE)
    }
}

impl Work {
    /// As [`Work::evaluate`], with weights. The error is of what counts.
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
        // A fit goes on with the weights that it had.
        self.weights.resize(level.channels * blocks, [1.0; LANES]);
        self.errors.resize(self.sampled.len(), [0.0; LANES]);
        let (mut rest, mut energy) = (0.0, 0.0);
        for channel in 0..level.channels {
            kernel::sample(level, view, channel, &self.viewed, &mut self.sampled[..blocks]);
            self.find_looks(level, channel);
            let mut moments = self.moments(level, channel);
            for _ in 0..ROUNDS {
                self.find_errors(level, moments.line_of_picture());
                self.weigh(level, channel, robust);
                moments = self.moments(level, channel);
            }
            self.find_errors(level, moments.line());
            energy += moments.energy();
            rest += self.add_up(level, surface, linear, channel, &moments);
        }
        self.least_sd = (self.least_sd * LESS).max(LAST_SD);
        (rest / energy.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0).sqrt()
    }

    /// Whether weights are still those of a fit that is not near.
    pub(super) fn is_lenient(&self) -> bool {
        self.least_sd > LAST_SD
    }

    /// Begins with the weights of a fit that is near.
    pub(super) fn be_strict(&mut self) {
        self.least_sd = LAST_SD;
    }

    /// What the model looks like at each lane.
    fn find_looks(&mut self, level: &Level, channel: usize) {
        let looks = &mut self.descent.looks;
        looks.clear();
        looks
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
                let look = self.descent.looks[index][lane];
                sums.weight += weight;
                sums.picture += weight * s;
                sums.picture_squared += weight * s * s;
                sums.look += weight * look;
                sums.look_squared += weight * look * look;
                sums.product += weight * look * s;
            }
        }
        sums
    }

    fn find_errors(&mut self, level: &Level, (contrast, brightness): (f64, f64)) {
        for (index, block) in level.blocks.iter().enumerate() {
            for lane in 0..usize::from(block.count) {
                let shown = contrast * f64::from(self.sampled[index][lane]) + brightness;
                self.errors[index][lane] = (self.descent.looks[index][lane] - shown) as f32;
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

    /// Adds a channel to Hessian and gradient; returns its weighted squared error.
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
        let Descent { steep, ones, pictures, .. } = &mut room;
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
                pictures[i] += product(&part, &shown);
                row.iter_mut().zip(&steep[..=i]).for_each(|(sum, other)| *sum += product(&part, other));
            }
        }
        self.take_out(ones, pictures, moments);
        self.descent = room;
        rest
    }

    /// The weights of a block; lanes without a pixel have none.
    fn weights_of(&self, level: &Level, channel: usize, block: usize, count: u8) -> [f64; LANES] {
        let mut weights = self.weights[channel * level.blocks.len() + block].map(f64::from);
        weights[usize::from(count)..].fill(0.0);
        weights
    }

    /// The steepest-descent images at a block.
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

    /// Takes contrast and brightness out of the Hessian, and makes both halves of it the same.
    fn take_out(&mut self, ones: &[f64], pictures: &[f64], moments: &Moments) {
        let columns = ones.len();
        let mean = moments.picture / moments.weight.max(f64::MIN_POSITIVE);
        let variance = moments.picture_squared - mean * moments.picture;
        for i in 0..columns {
            for j in 0..=i {
                let (a, b) = (pictures[i] - mean * ones[i], pictures[j] - mean * ones[j]);
                let contrast = if variance > 1e-9 { a * b / variance } else { 0.0 };
                let brightness = ones[i] * ones[j] / moments.weight.max(f64::MIN_POSITIVE);
                self.hessian[i * columns + j] -= contrast + brightness;
                self.hessian[j * columns + i] = self.hessian[i * columns + j];
            }
        }
    }
}

/// A sum of a block's images (0), or of how steep they are to the right (1) or down (2).
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

/// The sum of products, in four parts that a machine can add up at once.
fn product(a: &[f64; LANES], b: &[f64; LANES]) -> f64 {
    let mut parts = [0.0; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        parts.iter_mut().zip(a).zip(b).for_each(|((sum, a), b)| *sum += a * b);
    }
    parts.iter().sum()
}
