//! Tests of models of drawn eyes.

mod derivatives;
pub(crate) mod eyes;
mod files;
mod fits;
mod models;
mod render;
mod tracks;

use super::*;
use crate::film::{Image, Points};
use eyes::Eyes;
use glam::DVec2;
use std::sync::{Arc, OnceLock};
use vivant::chance::Chance;

/// Returns twenty-four drawn pairs of eyes.
fn drawn() -> &'static [(Image, Points)] {
    static DRAWN: OnceLock<Vec<(Image, Points)>> = OnceLock::new();
    DRAWN.get_or_init(|| (0..24).map(|index| (Eyes::any(index).image(), Eyes::any(index).points())).collect())
}

fn examples(drawn: &[(Image, Points)]) -> Vec<Example<'_>> {
    drawn.iter().map(|(image, points)| Example { image, points }).collect()
}

fn built(options: &BuildOptions) -> Model {
    Model::build(&examples(drawn()), options).unwrap()
}

/// Returns the model used by most tests.
fn model() -> Arc<Model> {
    static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
    MODEL.get_or_init(|| Arc::new(built(&BuildOptions::default()))).clone()
}

/// Returns the root mean square distance between two sets of points.
fn off(a: &Points, b: &Points) -> f64 {
    (a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum::<f64>() / a.len() as f64).sqrt()
}

/// Returns the points, randomly moved, rotated and scaled, `pixels` away from the original points (root mean square).
fn perturbed(points: &Points, index: u64, pixels: f64) -> Points {
    let mut draw = Chance::new(3, "starts").event(index);
    let middle = points.iter().sum::<DVec2>() / points.len() as f64;
    let turn = DVec2::X + DVec2::new(draw.between(-0.05, 0.05), draw.between(-0.05, 0.05));
    let shift = DVec2::new(draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)) * 4.0;
    let moved = points.map(|point| turn.rotate(point - middle) + middle + shift);
    let size = off(&moved, points);
    std::array::from_fn(|at| points[at] + (moved[at] - points[at]) * (pixels / size))
}
