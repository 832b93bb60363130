//! Sums over the template's pixels that depend on the parameters but not on the image, as polynomials whose
//! coefficients are computed once.
//!
//! A steepest-descent image is affine in the parameters, `SDⱼ = Σₖ ĉₖ Bₖⱼ` with `ĉ = (1, c)`, because the gradient of
//! the appearance is affine. So the sum of products of two steepest-descent images is a quadratic polynomial whose
//! coefficients are sums over fixed images. This is exact: direct summation gives the same Hessian (paper 3, Eq. 7).

use super::level::{LANES, Level};
use super::linear::Linear;
use glam::DVec2;
use nalgebra::DMatrix;

/// The coefficients of the polynomials. The mean of each image is subtracted in each channel, because brightness is
/// eliminated.
pub(crate) struct Surface {
    columns: usize,
    /// Movement of the mesh corners with each column, in pixels of this level.
    pub(crate) fields: Vec<Vec<DVec2>>,
    /// By pair of images: `Σ SDᵢ SDⱼ`, the lower triangle of the matrix.
    hessian: Vec<Vec<f64>>,
    /// By pair of images: `Σ SDⱼ A`.
    gradient: Vec<Vec<f64>>,
    /// By pair of images: `Σ A²`.
    energy: Vec<f64>,
    /// By channel and image: `Σ SDⱼ`.
    pub(crate) sums: Vec<Vec<Vec<f64>>>,
}

impl Surface {
    /// Computes the coefficients. `sign` is -1 (correct) or +1 (as printed in paper 3).
    pub(crate) fn of(level: &Level, linear: &Linear, sign: f64) -> Self {
        let columns = linear.columns();
        let scaled = |field: &[DVec2]| field.iter().map(|along| *along * (sign / level.scale)).collect();
        let fields: Vec<Vec<DVec2>> =
            (0..columns).map(|column| linear.field(column).map(scaled).unwrap_or_default()).collect();
        let (products, sums) = products(level, linear, &fields);
        let mut surface =
            Self { columns, fields, hessian: Vec::new(), gradient: Vec::new(), energy: Vec::new(), sums };
        surface.fold(level.images, &products);
        surface
    }

    /// Sorts the products of the fixed images by pair of appearance images.
    fn fold(&mut self, images: usize, products: &DMatrix<f64>) {
        let width = self.columns + 1;
        for (k, m) in pairs(images) {
            let both = |i: usize, j: usize| {
                let (a, b) =
                    (products[(k * width + i, m * width + j)], products[(m * width + i, k * width + j)]);
                if k == m { a } else { a + b }
            };
            let triangle = (0..self.columns).flat_map(|i| (0..=i).map(move |j| (i, j)));
            self.hessian.push(triangle.map(|(i, j)| both(i, j)).collect());
            self.gradient.push((0..self.columns).map(|j| both(j, self.columns)).collect());
            self.energy.push(both(self.columns, self.columns));
        }
    }

    /// Computes `Σ SDᵢ SDⱼ` (the full matrix) and `Σ SDⱼ A`, and returns `Σ A²`, for weights `ĉ` of the images.
    pub(crate) fn at(&self, amounts: &[f64], hessian: &mut [f64], gradient: &mut [f64]) -> f64 {
        hessian.fill(0.0);
        gradient.fill(0.0);
        let mut energy = 0.0;
        let packed = hessian;
        let size = self.columns * (self.columns + 1) / 2;
        for (index, (k, m)) in pairs(amounts.len()).enumerate() {
            let factor = amounts[k] * amounts[m];
            add(&mut packed[..size], &self.hessian[index], factor);
            add(gradient, &self.gradient[index], factor);
            energy += factor * self.energy[index];
        }
        unpack(packed, self.columns);
        energy
    }
}

fn add(sum: &mut [f64], part: &[f64], factor: f64) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += factor * part);
}

/// Expands a packed triangle at the start of the buffer to the full symmetric matrix.
fn unpack(matrix: &mut [f64], size: usize) {
    for i in (0..size).rev() {
        for j in (0..=i).rev() {
            matrix[i * size + j] = matrix[i * (i + 1) / 2 + j];
        }
    }
    for i in 0..size {
        for j in 0..i {
            matrix[j * size + i] = matrix[i * size + j];
        }
    }
}

fn pairs(images: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..images).flat_map(move |k| (k..images).map(move |m| (k, m)))
}

/// Returns the products of all fixed images with each other (`Bₖⱼ` followed by the appearance image `k`), and the
/// sums of `Bₖⱼ` by channel. Means are subtracted.
fn products(level: &Level, linear: &Linear, fields: &[Vec<DVec2>]) -> (DMatrix<f64>, Vec<Vec<Vec<f64>>>) {
    let (columns, width) = (fields.len(), fields.len() + 1);
    let size = level.images * width;
    let mut products = DMatrix::<f64>::zeros(size, size);
    let mut sums = Vec::new();
    for channel in 0..level.channels {
        let mut total = DMatrix::<f64>::zeros(size, 1);
        for group in (0..level.blocks.len()).collect::<Vec<_>>().chunks(GROUP) {
            let rows = rows(level, linear, fields, channel, group);
            products += (rows.transpose() * &rows).cast::<f64>();
            (0..size).for_each(|at| total[at] += rows.column(at).iter().map(|v| f64::from(*v)).sum::<f64>());
        }
        products -= &total * total.transpose() / level.pixel_count.max(1) as f64;
        let of_image = |k: usize| (0..columns).map(|j| total[k * width + j]).collect();
        sums.push((0..level.images).map(of_image).collect());
    }
    (products, sums)
}

/// Number of blocks whose products are computed together.
const GROUP: usize = 32;

/// Returns the fixed images at the given blocks, one row per pixel.
fn rows(
    level: &Level,
    linear: &Linear,
    fields: &[Vec<DVec2>],
    channel: usize,
    group: &[usize],
) -> DMatrix<f32> {
    let width = fields.len() + 1;
    let mut rows = DMatrix::<f32>::zeros(group.len() * LANES, level.images * width);
    for (at, block) in group.iter().enumerate() {
        let tile = level.tile(channel, *block);
        for (column, field) in fields.iter().enumerate() {
            let moved = spread(level, *block, field);
            for (k, [_, right, down]) in tile.iter().enumerate() {
                for lane in 0..LANES {
                    let [x, y] = moved[lane];
                    rows[(at * LANES + lane, k * width + column)] = right[lane] * x + down[lane] * y;
                }
            }
            if let Some(mode) = linear.mode(column) {
                for lane in 0..LANES {
                    rows[(at * LANES + lane, column)] += tile[mode + 1][0][lane];
                }
            }
        }
        for (k, [value, ..]) in tile.iter().enumerate() {
            for lane in 0..LANES {
                rows[(at * LANES + lane, k * width + fields.len())] = value[lane];
            }
        }
    }
    rows
}

/// Returns the movement of each pixel of a block by a field, to the right and down.
pub(crate) fn spread(level: &Level, block: usize, field: &[DVec2]) -> [[f32; 2]; LANES] {
    if field.is_empty() {
        return [[0.0; 2]; LANES];
    }
    let [a, b, c] = level.triangles[usize::from(level.blocks[block].triangle)].map(|at| field[at]);
    let [second, third] = &level.shares[block];
    std::array::from_fn(|lane| {
        let at = a + (b - a) * f64::from(second[lane]) + (c - a) * f64::from(third[lane]);
        [at.x as f32, at.y as f32]
    })
}
