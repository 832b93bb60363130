//! Compares steepest-descent images with finite differences, and polynomials with direct sums.

use super::*;
use crate::aam::level::{Appearances, LANES, Level};
use crate::aam::linear::Linear;
use crate::aam::surface::{Surface, spread};
use std::collections::HashMap;

struct Case {
    linear: Linear,
    appearances: Appearances,
    level: Level,
    surface: Surface,
    amounts: Vec<f64>,
}

fn case(form: Form) -> Case {
    let model = model();
    let linear = Linear::of(&model, form);
    let appearances = Appearances::of(&model, &linear);
    let level = Level::of(&appearances, &model.triangles, 1.0);
    let surface = Surface::of(&level, &linear, -1.0);
    let amount = |(index, sd): (usize, &f64)| sd * if index.is_multiple_of(2) { 0.7 } else { -0.4 };
    let mut amounts = vec![1.0];
    amounts.extend(linear.sds[linear.first_mode..].iter().enumerate().map(amount));
    Case { linear, appearances, level, surface, amounts }
}

impl Case {
    /// Returns the model's appearance at each template pixel.
    fn appearance(&self) -> Vec<f64> {
        let at = |index: usize| {
            self.appearances
                .images
                .iter()
                .zip(&self.amounts)
                .map(|(i, c)| c * f64::from(i[index]))
                .sum::<f64>()
        };
        (0..self.appearances.pixels.len()).map(at).collect()
    }

    /// Returns analytic images by pixel and column.
    fn analytic(&self) -> Vec<Vec<f64>> {
        let mut rows = Vec::new();
        for (index, block) in self.level.blocks.iter().enumerate() {
            let tile = self.level.tile(0, index);
            for lane in 0..usize::from(block.count) {
                let column = |column: usize| {
                    let [x, y] = spread(&self.level, index, &self.surface.fields[column])[lane];
                    let slope = |(image, c): (&[[f32; LANES]; 3], &f64)| {
                        c * f64::from(image[1][lane] * x + image[2][lane] * y)
                    };
                    let mode =
                        self.linear.mode(column).map_or(0.0, |mode| f64::from(tile[mode + 1][0][lane]));
                    mode + tile.iter().zip(&self.amounts).map(slope).sum::<f64>()
                };
                rows.push((0..self.linear.columns()).map(column).collect());
            }
        }
        rows
    }
}

/// Interpolates the appearance linearly between pixels; extrapolates from the opposite side where a pixel is missing.
struct Between<'a> {
    appearance: &'a [f64],
    places: &'a HashMap<(i32, i32), usize>,
}

impl Between<'_> {
    fn at(&self, index: usize, (x, y): (i32, i32), step: DVec2) -> f64 {
        let here = self.appearance[index];
        let beyond = |dx: i32, dy: i32| {
            let there = self.places.get(&(x + dx, y + dy)).map(|at| self.appearance[*at] - here);
            let opposite = self.places.get(&(x - dx, y - dy)).map(|at| here - self.appearance[*at]);
            there.or(opposite).unwrap_or(0.0)
        };
        let (right, down) = (step.x.signum() as i32, step.y.signum() as i32);
        here + beyond(right, 0) * step.x.abs() + beyond(0, down) * step.y.abs()
    }
}

#[test]
fn steepest_descent_images_are_finite_differences() {
    for form in [Form::Coupled, Form::Independent] {
        let case = case(form);
        let (appearance, model) = (case.appearance(), model());
        let places = case
            .appearances
            .pixels
            .iter()
            .enumerate()
            .map(|(at, p)| ((p.x.into(), p.y.into()), at))
            .collect();
        let between = Between { appearance: &appearance, places: &places };
        let analytic = case.analytic();
        for column in 0..case.linear.columns() {
            let (mut wrong, mut size) = (0.0, 0.0);
            for (index, (pixel, row)) in case.appearances.pixels.iter().zip(&analytic).enumerate() {
                let field = case.linear.field(column);
                let moved = field.map_or(DVec2::ZERO, |field| {
                    let [a, b, c] = model.triangles[usize::from(pixel.triangle)].map(|at| field[at]);
                    a + (b - a) * pixel.shares[0] + (c - a) * pixel.shares[1]
                });
                let mode = case
                    .linear
                    .mode(column)
                    .map_or(0.0, |m| f64::from(case.appearances.images[m + 1][index]));
                let step = 1e-3;
                let at = |step: f64| between.at(index, (pixel.x.into(), pixel.y.into()), moved * step);
                // The error is the appearance minus the image, and the image moves with the warp.
                let numeric = mode - (at(step) - at(-step)) / (2.0 * step);
                wrong += (numeric - row[column]) * (numeric - row[column]);
                size += numeric * numeric;
            }
            assert!(
                wrong.sqrt() <= 1e-3 * size.sqrt(),
                "{form:?}, column {column}: {} of {}",
                wrong.sqrt(),
                size.sqrt()
            );
        }
    }
}

#[test]
fn polynomials_are_the_sums_over_all_pixels() {
    for form in [Form::Coupled, Form::Independent] {
        let case = case(form);
        let (rows, appearance, columns) = (case.analytic(), case.appearance(), case.linear.columns());
        let count = rows.len() as f64;
        let mean = |j: usize| rows.iter().map(|row| row[j]).sum::<f64>() / count;
        let means: Vec<f64> = (0..columns).map(mean).collect();
        let (mut hessian, mut gradient) = (vec![0.0; columns * columns], vec![0.0; columns]);
        let energy = case.surface.at(&case.amounts, &mut hessian, &mut gradient);
        let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-4 * scale;
        let diagonal = |i: usize| hessian[i * columns + i].sqrt();
        for i in 0..columns {
            for j in 0..columns {
                let sum: f64 = rows.iter().map(|row| (row[i] - means[i]) * (row[j] - means[j])).sum();
                assert!(near(hessian[i * columns + j], sum, diagonal(i) * diagonal(j)), "{form:?} {i} {j}");
            }
            let sum: f64 =
                rows.iter().zip(&appearance).map(|(row, appearance)| (row[i] - means[i]) * appearance).sum();
            assert!(near(gradient[i], sum, diagonal(i) * energy.sqrt()), "{form:?} {i}");
        }
        let sum: f64 = appearance.iter().map(|appearance| appearance * appearance).sum();
        assert!(near(energy, sum, sum));
    }
}
