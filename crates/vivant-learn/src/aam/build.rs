//! Builds a model from labelled images (paper 3, section 3.1).
//!
//! [`Model::build`] takes about twenty [`Example`]s and returns a [`Model`]. It aligns the shapes by Procrustes
//! analysis, samples the appearance of each image, and applies principal component analysis three times: to shapes, to
//! appearances, and to both combined. Held-out examples give the error of a correct fit, which the tracker later uses
//! to tell reliable fits from lost eyes. [`BuildOptions`] keeps a minimum number of parameters, because a clean video
//! otherwise gives too few to locate the iris.

use super::mesh::{self, Mesh};
#[cfg(test)]
use super::model::dot;
use super::model::{Expected, Model, Sizes};
use super::sample;
use super::similarity::{Similarity, middle};
use super::view::{Reducer, Region, halvings};
use crate::film::Image;
use crate::film::layout::{Points, Side, aperture, eye_width};
use crate::pca::Components;
use glam::DVec2;
use vivant_io::{Error, Result};

/// An image with its labelled points.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The image.
    pub image: &'a Image,
    /// The eighteen labelled points.
    pub points: &'a Points,
}

/// Options for building a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildOptions {
    /// The mesh; paper 3 uses 42 points.
    pub mesh: Mesh,
    /// Approximate number of template pixels. The template is not larger than the eyes in the labelled images, but
    /// has at least 800 pixels.
    pub pixels: usize,
    /// Share of the shape variance to keep; 98 % in paper 3 (3.1).
    pub shape_variance: f64,
    /// Share of the appearance variance to keep; 90 % in paper 3 (3.1).
    pub appearance_variance: f64,
    /// Share of the combined variance to keep; 98 % in paper 3 (3.1).
    pub coupled_variance: f64,
    /// Minimum number of parameters for shape, appearance and both combined, if there are enough examples.
    ///
    /// DIFFERENCE: paper 3 (3.1) keeps the components that explain the given shares of the variance, which gave 8, 10
    /// and 10 parameters. For a clean video, the same shares keep only three or four parameters, and most of these
    /// describe blinks. This is too few to locate the iris. So we keep at least as many parameters as the paper's
    /// model had.
    pub min_parameters: [usize; 3],
    /// Maximum number of parameters for shape, for appearance and for both combined; limited to 40.
    pub max_parameters: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            mesh: Mesh::Bordered,
            pixels: 10_000,
            shape_variance: 0.98,
            appearance_variance: 0.9,
            coupled_variance: 0.98,
            min_parameters: [8, 10, 10],
            max_parameters: MAX_PARAMETERS,
        }
    }
}

/// Upper limit of [`BuildOptions::max_parameters`]; no pair of eyes needs more.
pub(crate) const MAX_PARAMETERS: usize = 40;
/// Minimum number of labelled images.
const MIN_COUNT: usize = 2;
const MAX_COUNT: usize = 500;
/// Minimum number of template pixels needed to show a lid.
const MIN_PIXELS: f64 = 800.0;
pub(crate) const MAX_PIXELS: usize = 1_000_000;
/// Minimum eye width in pixels.
const NARROWEST_EYE: f64 = 6.0;
/// Margin around the template in pixels.
const MARGIN: f64 = 2.0;
/// Minimum projection of an appearance on the mean appearance. Appearances are divided by this projection (Cootes et
/// al. 1998).
const MIN_PROJECTION: f64 = 0.25;
/// Number of examples held out in turn to estimate the error.
const HELD_OUT: usize = 40;
/// Minimum number of examples for holding out. With fewer examples, none is held out, and [`DEFAULT_EXPECTED`] is
/// used.
const MIN_TO_HOLD_OUT: usize = 6;
const DEFAULT_EXPECTED: Expected = Expected { typical: 0.35, high: 0.6 };
/// Number of exemplars stored in a model.
const EXEMPLARS: usize = 6;
/// Minimum share of the variance of a component. Components with a smaller share are rounding errors.
const MIN_VARIANCE_SHARE: f64 = 1e-6;

impl Model {
    /// Builds a model from labelled images; paper 3 uses 20 to 25.
    ///
    /// # Errors
    /// Returns an error if there are too few or too many images, if points lie outside their image or coincide, if
    /// images differ in their number of channels, or if an image has no contrast at the eyes.
    pub fn build(examples: &[Example<'_>], options: &BuildOptions) -> Result<Self> {
        check(examples, options)?;
        let meshes: Vec<Vec<DVec2>> = examples.iter().map(|e| options.mesh.of(e.points)).collect();
        let base = template(procrustes(&meshes), &meshes, options);
        let placed: Vec<Similarity> = meshes.iter().map(|m| Similarity::between(&base, m)).collect();
        let empty = Self::empty(options.mesh, examples[0].image.channels, base).with_pixels();
        let mut textures = Vec::with_capacity(examples.len());
        for ((index, example), (mesh, place)) in examples.iter().enumerate().zip(meshes.iter().zip(&placed)) {
            textures.push(empty.texture(example.image, mesh, place).ok_or_else(|| no_contrast(index))?);
        }
        align_appearances(&mut textures, empty.channels);
        let shapes: Vec<Vec<f64>> = meshes.iter().zip(&placed).map(|(m, q)| flat(m, q)).collect();
        let all: Vec<usize> = (0..examples.len()).collect();
        let parts = Parts::of(&shapes, &textures, &all, options);
        if parts.coupled.vectors.is_empty() {
            return Err(Error::new("all labelled images are the same; label images that differ"));
        }
        let mut model = empty;
        model.expected = expected(&shapes, &textures, options);
        model.sizes = sizes(&placed);
        model.exemplars = exemplars(&parts, &shapes, &textures, examples);
        Ok(model.with(parts))
    }

    fn empty(mesh: Mesh, channels: usize, base: Vec<DVec2>) -> Self {
        Self {
            mesh,
            channels,
            base,
            shapes: Vec::new(),
            mean: Vec::new(),
            appearances: Vec::new(),
            weight: 1.0,
            coupled: Vec::new(),
            sds: Vec::new(),
            expected: DEFAULT_EXPECTED,
            sizes: Sizes { scale: [1.0; 2], tilt: [0.0; 2] },
            exemplars: Vec::new(),
            triangles: Vec::new(),
            pixels: Vec::new(),
        }
    }

    fn with(mut self, parts: Parts) -> Self {
        let pairs = |vector: &Vec<f64>| vector.chunks_exact(2).map(|at| DVec2::new(at[0], at[1])).collect();
        let single = |vector: &Vec<f64>| vector.iter().map(|value| *value as f32).collect();
        self.shapes = parts.shape.vectors.iter().map(pairs).collect();
        self.mean = single(&parts.appearance.mean);
        self.appearances = parts.appearance.vectors.iter().map(single).collect();
        self.weight = parts.weight;
        self.sds = parts.coupled.variances.iter().map(|variance| variance.sqrt()).collect();
        self.coupled = parts.coupled.vectors;
        self
    }

    /// Samples an image under a mesh; each channel is normalized to mean 0 and variance 1.
    fn texture(&self, image: &Image, mesh: &[DVec2], place: &Similarity) -> Option<Vec<f64>> {
        let mut reducer = Reducer::default();
        let region = Region::around(mesh.iter().copied(), 0.1);
        let view = reducer.view(image.into(), self.channels, halvings(place.scale()), &region)?;
        let mut texture = Vec::with_capacity(self.channels * self.pixels.len());
        for channel in 0..self.channels {
            let mut values = sample::texture(&view, channel, mesh, &self.triangles, &self.pixels);
            normalize_values(&mut values).then_some(())?;
            texture.extend(values);
        }
        Some(texture)
    }
}

fn check(examples: &[Example<'_>], options: &BuildOptions) -> Result<()> {
    if !(MIN_COUNT..=MAX_COUNT).contains(&examples.len()) {
        return Err(Error::new(format!(
            "{} labelled images given, but a model needs {MIN_COUNT} to {MAX_COUNT}; about twenty different ones work well",
            examples.len()
        )));
    }
    let shares = [options.shape_variance, options.appearance_variance, options.coupled_variance];
    if !shares.iter().all(|share| *share > 0.0 && *share <= 1.0) {
        return Err(Error::new("the variance to keep must be above 0 and at most 1, for example 0.98"));
    }
    if options.pixels == 0 || options.pixels > MAX_PIXELS {
        return Err(Error::new(format!("a template must have 1 to {MAX_PIXELS} pixels; 10,000 work well")));
    }
    let channels = examples[0].image.channels;
    let errors =
        examples.iter().enumerate().flat_map(|(index, example)| find_error(index, example, channels));
    Error::all(errors).map_or(Ok(()), Err)
}

fn find_error(index: usize, example: &Example<'_>, channels: usize) -> Option<Error> {
    let (image, place) = (example.image, format!("frames[{index}].points"));
    let size = DVec2::new(image.width as f64, image.height as f64);
    let is_far =
        |point: &DVec2| !point.is_finite() || point.cmplt(-size).any() || point.cmpgt(size * 2.0).any();
    if example.points.iter().any(is_far) {
        return Some(Error::at(place, "a point lies far outside the image; move it onto the eye"));
    }
    if Side::BOTH.iter().any(|side| eye_width(side.of(example.points)) < NARROWEST_EYE) {
        let message = format!(
            "the corners of an eye are less than {NARROWEST_EYE} pixels apart; label all nine points of each eye, \
             or use a video in which the eyes are larger"
        );
        return Some(Error::at(place, message));
    }
    (image.channels != channels).then(|| {
        let message = format!(
            "the image has {} channels but the first image has {channels}; use only gray or only colour images",
            image.channels
        );
        Error::at(format!("frames[{index}]"), message)
    })
}

fn no_contrast(index: usize) -> Error {
    Error::at(format!("frames[{index}]"), "the image has no contrast at the eyes; label another image")
}

/// Returns the mean shape by generalized Procrustes analysis: centred, of size 1, with both eyes level.
fn procrustes(meshes: &[Vec<DVec2>]) -> Vec<DVec2> {
    let mut mean = normalize_mesh(meshes[0].clone());
    for _ in 0..20 {
        let mut sum = vec![DVec2::ZERO; mean.len()];
        for mesh in meshes {
            let back = Similarity::between(&mean, mesh).inverse();
            sum.iter_mut().zip(mesh).for_each(|(sum, point)| *sum += back.apply(*point));
        }
        mean = normalize_mesh(sum);
    }
    mean
}

/// Centres a mesh, scales it to size 1 and rotates it so that the second eye is to the right of the first.
fn normalize_mesh(mut mesh: Vec<DVec2>) -> Vec<DVec2> {
    let centre = middle(&mesh);
    let half = crate::film::layout::EYE_POINTS;
    let across = middle(&mesh[half..2 * half]) - middle(&mesh[..half]);
    let size = mesh.iter().map(|point| point.distance_squared(centre)).sum::<f64>().sqrt();
    let across = across.try_normalize().unwrap_or(DVec2::X);
    let turn = DVec2::new(across.x, -across.y) / size.max(f64::MIN_POSITIVE);
    mesh.iter_mut().for_each(|point| *point = turn.rotate(*point - centre));
    mesh
}

/// Scales the mean shape to the template size.
fn template(mean: Vec<DVec2>, meshes: &[Vec<DVec2>], options: &BuildOptions) -> Vec<DVec2> {
    let triangles = options.mesh.triangles();
    let unit = mesh::area(&mean, &triangles).max(f64::MIN_POSITIVE);
    let scales = meshes.iter().map(|mesh| Similarity::between(&mean, mesh).scale());
    let filmed = unit * (scales.map(|scale| scale * scale).sum::<f64>() / meshes.len() as f64);
    let wanted = (options.pixels as f64).min(filmed.max(MIN_PIXELS));
    let scale = (wanted / unit).sqrt();
    let low = mean.iter().copied().reduce(DVec2::min).unwrap_or_default() * scale;
    mean.into_iter().map(|point| point * scale - low + MARGIN).collect()
}

/// Returns the coordinates of a mesh in template space.
fn flat(mesh: &[DVec2], place: &Similarity) -> Vec<f64> {
    let back = place.inverse();
    mesh.iter().flat_map(|point| back.apply(*point).to_array()).collect()
}

/// Normalizes to mean 0 and variance 1. Returns false if there is too little variance.
fn normalize_values(values: &mut [f64]) -> bool {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    let scale = 1.0 / variance.max(1e-6).sqrt();
    values.iter_mut().for_each(|value| *value = (*value - mean) * scale);
    variance > 0.25
}

/// Scales each channel of each appearance to the same length along the mean appearance.
fn align_appearances(textures: &mut [Vec<f64>], channels: usize) {
    let size = textures[0].len() / channels;
    for channel in 0..channels {
        let part = channel * size..(channel + 1) * size;
        let mut mean = vec![0.0; size];
        for texture in textures.iter() {
            mean.iter_mut().zip(&texture[part.clone()]).for_each(|(mean, value)| *mean += value);
        }
        normalize_values(&mut mean);
        for texture in textures.iter_mut() {
            let texture = &mut texture[part.clone()];
            let along = texture.iter().zip(&mean).map(|(a, b)| a * b).sum::<f64>() / size as f64;
            texture.iter_mut().for_each(|value| *value /= along.max(MIN_PROJECTION));
        }
    }
}

/// The three principal component analyses of Eqs. 2 to 5.
struct Parts {
    shape: Components,
    appearance: Components,
    weight: f64,
    coupled: Components,
}

impl Parts {
    fn of(shapes: &[Vec<f64>], textures: &[Vec<f64>], which: &[usize], options: &BuildOptions) -> Self {
        let chosen = |rows: &[Vec<f64>]| which.iter().map(|index| rows[*index].clone()).collect::<Vec<_>>();
        let most = options.max_parameters.clamp(1, MAX_PARAMETERS);
        let least = options.min_parameters;
        let shape = keep_components(Components::of(&chosen(shapes), most), options.shape_variance, least[0]);
        let appearance =
            keep_components(Components::of(&chosen(textures), most), options.appearance_variance, least[1]);
        let total = |components: &Components| components.variances.iter().sum::<f64>();
        let weight = if total(&shape) > 0.0 { (total(&appearance) / total(&shape)).sqrt() } else { 1.0 };
        let weight = if weight > 0.0 { weight } else { 1.0 };
        let mut parts = Self { shape, appearance, weight, coupled: Components::of(&[], 0) };
        let rows: Vec<Vec<f64>> = which.iter().map(|i| parts.row(&shapes[*i], &textures[*i])).collect();
        parts.coupled = keep_components(Components::of(&rows, most), options.coupled_variance, least[2]);
        parts
    }

    /// Returns the shape and appearance parameters of an example (Eq. 5).
    fn row(&self, shape: &[f64], texture: &[f64]) -> Vec<f64> {
        let shape = self.shape.coefficients(shape).into_iter().map(|p| p * self.weight);
        shape.chain(self.appearance.coefficients(texture)).collect()
    }

    /// Returns the sine of the angle between an appearance and its reconstruction from the combined parameters.
    fn error(&self, shape: &[f64], texture: &[f64]) -> f64 {
        let row = self.coupled.row(&self.coupled.coefficients(&self.row(shape, texture)));
        let found = self.appearance.row(&row[self.shape.vectors.len()..]);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let cosine = product(&found, texture).max(0.0)
            / (product(&found, &found) * product(texture, texture)).sqrt().max(f64::MIN_POSITIVE);
        (1.0 - cosine * cosine).max(0.0).sqrt()
    }
}

/// Keeps the first components that together explain `share` of the variance, but at least `least` components if that
/// many are above rounding errors.
fn keep_components(mut components: Components, share: f64, least: usize) -> Components {
    let all = components.vectors.len();
    let count = (1..=all).find(|count| components.explained(*count) >= share).unwrap_or(all);
    let is_something = |variance: &f64| *variance > MIN_VARIANCE_SHARE * components.total;
    let count = count.max(components.variances.iter().take(least).take_while(|v| is_something(v)).count());
    components.vectors.truncate(count);
    components.variances.truncate(count);
    components
}

/// Returns the typical and the highest reconstruction error of held-out examples. Each of them is reconstructed with
/// a model built from all other examples.
fn expected(shapes: &[Vec<f64>], textures: &[Vec<f64>], options: &BuildOptions) -> Expected {
    let count = shapes.len();
    if count < MIN_TO_HOLD_OUT {
        return DEFAULT_EXPECTED;
    }
    let held_out = count.min(HELD_OUT);
    let error = |turn: usize| {
        let out = turn * count / held_out;
        let others: Vec<usize> = (0..count).filter(|index| *index != out).collect();
        Parts::of(shapes, textures, &others, options).error(&shapes[out], &textures[out])
    };
    let mut errors: Vec<f64> = (0..held_out).map(error).collect();
    errors.sort_by(f64::total_cmp);
    Expected { typical: errors[held_out / 2], high: errors[held_out - 1] }
}

fn sizes(placed: &[Similarity]) -> Sizes {
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    };
    Sizes {
        scale: range(&mut placed.iter().map(Similarity::scale)),
        tilt: range(&mut placed.iter().map(|place| vivant::math::atan2(place.turn.y, place.turn.x))),
    }
}

/// Selects the examples with the largest, smallest and median aperture, then the examples that differ most from the
/// selected ones. Returns their combined parameters.
fn exemplars(
    parts: &Parts,
    shapes: &[Vec<f64>],
    textures: &[Vec<f64>],
    examples: &[Example<'_>],
) -> Vec<Vec<f64>> {
    let all: Vec<Vec<f64>> =
        shapes.iter().zip(textures).map(|(s, t)| parts.coupled.coefficients(&parts.row(s, t))).collect();
    let opening =
        |index: usize| Side::BOTH.iter().map(|side| aperture(side.of(examples[index].points))).sum();
    let mut order: Vec<(f64, usize)> = (0..all.len()).map(|index| (opening(index), index)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<usize> = [0, order.len() - 1, order.len() / 2].map(|at| order[at].1).to_vec();
    chosen.dedup();
    let distance = |a: usize, b: usize| {
        let scaled = |((a, b), v): ((&f64, &f64), &f64)| (a - b) * (a - b) / v.max(f64::MIN_POSITIVE);
        all[a].iter().zip(&all[b]).zip(&parts.coupled.variances).map(scaled).sum::<f64>()
    };
    while chosen.len() < EXEMPLARS.min(all.len()) {
        let nearest = |index: usize| chosen.iter().map(|c| distance(index, *c)).fold(f64::INFINITY, f64::min);
        let next = (0..all.len()).max_by(|a, b| nearest(*a).total_cmp(&nearest(*b)));
        chosen.extend(next);
    }
    chosen.into_iter().map(|index| all[index].clone()).collect()
}

/// Returns the largest dot product of a shape vector with a unit similarity transform: 0 if all are orthogonal. For
/// tests.
#[cfg(test)]
pub(crate) fn similarity_part(model: &Model) -> f64 {
    let centre = model.middle();
    let ways: [Vec<DVec2>; 4] = [
        vec![DVec2::X; model.base.len()],
        vec![DVec2::Y; model.base.len()],
        model.base.iter().map(|point| *point - centre).collect(),
        model.base.iter().map(|point| (*point - centre).perp()).collect(),
    ];
    let unit = |way: &Vec<DVec2>| dot(way, way).sqrt();
    let pairs = model.shapes.iter().flat_map(|shape| ways.iter().map(move |way| (shape, way)));
    pairs.map(|(shape, way)| (dot(shape, way) / unit(way)).abs()).fold(0.0, f64::max)
}
