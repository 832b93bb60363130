//! Searches for eyes in an image without a known position, by template matching at many sizes.
//!
//! A stencil is an exemplar of the model, drawn with a few hundred pixels. It is compared with each position in the
//! reduced image by normalized cross-correlation, which does not depend on brightness or contrast.

use super::model::{Model, Pose};
use super::similarity::Similarity;
use super::view::{Reducer, Region, View};
use crate::film::ImageRef;
use glam::DVec2;
use std::collections::BTreeMap;

/// Approximate number of pixels of a stencil.
const STENCIL_PIXELS: f64 = 260.0;
/// Ratio of successive searched sizes.
const SIZE_STEP: f64 = 1.14;
/// Factor by which the searched sizes extend beyond the sizes in the labelled images, in both directions. The searched
/// tilts extend by [`TILT_BEYOND`] radians.
const SIZE_BEYOND: f64 = 1.35;
const TILT_BEYOND: f64 = 0.1;
const TILT_STEP: f64 = 0.2;
/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 8;
/// Maximum number of exemplars that are used as stencils.
const EXEMPLARS: usize = 3;
/// Minimum variance of an image, in squared gray levels.
const MIN_VARIANCE: f32 = 4.0;

/// A position where eyes may be.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Normalized cross-correlation, at most 1.
    pub(crate) correlation: f64,
    pub(crate) pose: Pose,
}

/// An exemplar at one size and tilt.
struct Stencil {
    exemplar: usize,
    /// Scale and rotation from template to image, as a complex number.
    turn: DVec2,
    halvings: u32,
    /// Column and row from the centre, and weight of each cell. The weights have mean 0 and length 1.
    cells: Vec<(i32, i32, f32)>,
}

/// Finds candidates in images.
pub(crate) struct Finder {
    stencils: Vec<Stencil>,
    reducer: Reducer,
    plane: Plane,
}

impl Finder {
    pub(crate) fn new(model: &Model) -> Self {
        let mut stencils = Vec::new();
        for (scale, tilt) in sizes(model) {
            let turn = DVec2::from_angle(tilt) * scale;
            let found = (0..model.exemplars.len().min(EXEMPLARS)).map(|index| stencil(model, index, turn));
            stencils.extend(found.filter(|stencil| !stencil.cells.is_empty()));
        }
        Self { stencils, reducer: Reducer::default(), plane: Plane::default() }
    }

    /// Returns the best positions in an image, best first. If `near` is given, searches only near that pose.
    pub(crate) fn find(&mut self, model: &Model, image: ImageRef<'_>, near: Option<&Pose>) -> Vec<Candidate> {
        let region = near.map_or_else(|| Region::whole(image), |pose| neighbourhood(model, pose));
        let mut found = Vec::new();
        let mut halvings = None;
        for stencil in &self.stencils {
            if near.is_some_and(|pose| !is_similar(stencil.turn, pose.image_from_template.turn)) {
                continue;
            }
            if halvings != Some(stencil.halvings) {
                let view = self.reducer.view(image, 1, stencil.halvings, &region);
                let Some(view) = view else { continue };
                self.plane.set(&view);
                halvings = Some(stencil.halvings);
            }
            self.plane.slide(stencil, model, &mut found);
        }
        found
    }
}

/// Returns the pairs of size and tilt to search, in ascending order of size.
fn sizes(model: &Model) -> impl Iterator<Item = (f64, f64)> {
    let ([small, large], [low, high]) = (model.sizes.scale, model.sizes.tilt);
    let (mut scale, last) = (small / SIZE_BEYOND, large * SIZE_BEYOND);
    let scales = std::iter::from_fn(move || {
        let now = scale;
        scale *= SIZE_STEP;
        (now <= last).then_some(now)
    });
    let count = ((high - low + 2.0 * TILT_BEYOND) / TILT_STEP).ceil().clamp(1.0, 15.0) as u32;
    let tilt = move |step: u32| (low + high) / 2.0 + (f64::from(step) - f64::from(count) / 2.0) * TILT_STEP;
    scales.take(60).flat_map(move |scale| (0..=count).map(move |step| (scale, tilt(step))))
}

fn stencil(model: &Model, exemplar: usize, turn: DVec2) -> Stencil {
    let drawn = turn.length() * (model.pixels.len() as f64 / STENCIL_PIXELS).sqrt();
    let halvings = super::view::halvings(drawn);
    let pixel = f64::from(1_u32 << halvings);
    let place = Similarity { turn: turn / pixel, shift: DVec2::ZERO };
    let place = Similarity { shift: -place.apply(model.middle()), ..place };
    let pose = Pose { image_from_template: place, parameters: model.exemplars[exemplar].clone() };
    Stencil { exemplar, turn, halvings, cells: cells(model, &pose) }
}

/// Draws the model in a pose at integer pixels.
fn cells(model: &Model, pose: &Pose) -> Vec<(i32, i32, f32)> {
    let (mesh, appearances) = (model.mesh_points(pose), model.appearance_of(&pose.parameters));
    let mut sums: BTreeMap<(i32, i32), (f64, f64)> = BTreeMap::new();
    for (index, pixel) in model.pixels.iter().enumerate() {
        let [a, b, c] = model.triangles[usize::from(pixel.triangle)].map(|at| mesh[at]);
        let at = a + (b - a) * pixel.shares[0] + (c - a) * pixel.shares[1];
        let mut value = f64::from(model.mean[index]);
        value += appearances
            .iter()
            .zip(&model.appearances)
            .map(|(l, appearance)| l * f64::from(appearance[index]))
            .sum::<f64>();
        let sum = sums.entry((at.y.round() as i32, at.x.round() as i32)).or_default();
        *sum = (sum.0 + value, sum.1 + 1.0);
    }
    // Cells covered by few pixels are unreliable.
    let most = sums.values().map(|sum| sum.1).fold(0.0, f64::max);
    sums.retain(|_, sum| sum.1 >= 0.3 * most);
    normalize_cells(sums.into_iter().map(|((y, x), sum)| (x, y, sum.0 / sum.1)).collect())
}

fn normalize_cells(cells: Vec<(i32, i32, f64)>) -> Vec<(i32, i32, f32)> {
    let mean = cells.iter().map(|cell| cell.2).sum::<f64>() / cells.len().max(1) as f64;
    let length = cells.iter().map(|cell| (cell.2 - mean) * (cell.2 - mean)).sum::<f64>().sqrt();
    if length < 1e-9 {
        return Vec::new();
    }
    cells.into_iter().map(|(x, y, value)| (x, y, ((value - mean) / length) as f32)).collect()
}

/// Returns true if the scales and rotations `a` and `b` are similar.
fn is_similar(a: DVec2, b: DVec2) -> bool {
    let ratio = a.length() / b.length();
    (0.75..1.33).contains(&ratio) && a.angle_to(b).abs() < 0.3
}

/// Returns the bounding box of both eyes, extended on each side by half its larger side.
fn neighbourhood(model: &Model, pose: &Pose) -> Region {
    Region::around(model.mesh_points(pose), 0.5)
}

/// A reduced image and its squares.
#[derive(Default)]
struct Plane {
    width: usize,
    height: usize,
    values: Vec<f32>,
    squares: Vec<f32>,
    scale: f64,
    offset: DVec2,
    products: Vec<f32>,
    sums: Vec<f32>,
    powers: Vec<f32>,
}

impl Plane {
    fn set(&mut self, view: &View<'_>) {
        (self.width, self.height, self.scale, self.offset) =
            (view.width, view.height, view.scale, view.offset);
        self.values.clear();
        self.values.extend(view.plane(0).iter().map(|value| f32::from(*value) - 128.0));
        self.squares.clear();
        self.squares.extend(self.values.iter().map(|value| value * value));
    }

    /// Correlates a stencil with every position where it is inside the image.
    fn slide(&mut self, stencil: &Stencil, model: &Model, found: &mut Vec<Candidate>) {
        if stencil.cells.is_empty() {
            return;
        }
        let (low_x, high_x) = range(stencil.cells.iter().map(|cell| cell.0));
        let (low_y, high_y) = range(stencil.cells.iter().map(|cell| cell.1));
        let (width, height) = (self.width as i32, self.height as i32);
        let places = (width - high_x + low_x).max(0) as usize;
        if places == 0 {
            return;
        }
        for y in -low_y..height - high_y {
            self.row(stencil, y, low_x, places);
            for at in 0..places {
                let correlation = self.correlation(at, stencil.cells.len() as f32);
                if found.len() < MAX_CANDIDATES
                    || found.last().is_some_and(|last| correlation > last.correlation)
                {
                    let middle = DVec2::new((at as i32 - low_x) as f64, f64::from(y));
                    let middle = middle * self.scale + self.offset;
                    let candidate = candidate(stencil, model, middle, correlation);
                    insert(found, candidate, model);
                }
            }
        }
    }

    /// Computes the correlation sums for a row of positions.
    fn row(&mut self, stencil: &Stencil, y: i32, low_x: i32, places: usize) {
        for sums in [&mut self.products, &mut self.sums, &mut self.powers] {
            sums.clear();
            sums.resize(places, 0.0);
        }
        for (dx, dy, factor) in &stencil.cells {
            let start = (y + dy) as usize * self.width + (dx - low_x) as usize;
            let (values, squares) = (&self.values[start..][..places], &self.squares[start..][..places]);
            self.products.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
            self.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            self.powers.iter_mut().zip(squares).for_each(|(sum, value)| *sum += value);
        }
    }

    fn correlation(&self, at: usize, count: f32) -> f64 {
        let variance = self.powers[at] - self.sums[at] * self.sums[at] / count;
        if variance < MIN_VARIANCE * count { 0.0 } else { f64::from(self.products[at] / variance.sqrt()) }
    }
}

fn range(values: impl Iterator<Item = i32>) -> (i32, i32) {
    values.fold((i32::MAX, i32::MIN), |(low, high), value| (low.min(value), high.max(value)))
}

fn candidate(stencil: &Stencil, model: &Model, middle: DVec2, correlation: f64) -> Candidate {
    let shift = middle - stencil.turn.rotate(model.middle());
    let place = Similarity { turn: stencil.turn, shift };
    let parameters = model.exemplars[stencil.exemplar].clone();
    Candidate { correlation, pose: Pose { image_from_template: place, parameters } }
}

/// Inserts a candidate, sorted by correlation. Of two candidates near each other only the better one is kept.
fn insert(found: &mut Vec<Candidate>, new: Candidate, model: &Model) {
    let middle = |candidate: &Candidate| candidate.pose.image_from_template.apply(model.middle());
    let apart = 0.15 * model.base.iter().map(|p| p.distance(model.middle())).fold(0.0, f64::max);
    let is_near =
        |old: &Candidate| middle(old).distance(middle(&new)) < apart * new.pose.image_from_template.scale();
    if found.iter().any(|old| is_near(old) && old.correlation >= new.correlation) {
        return;
    }
    found.retain(|old| !is_near(old));
    let at = found.partition_point(|old| old.correlation >= new.correlation);
    found.insert(at, new);
    found.truncate(MAX_CANDIDATES);
}
