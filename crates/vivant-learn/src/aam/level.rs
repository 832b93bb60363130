//! The template at one size: its pixels, the effect of each parameter on them, and their gradients.
//!
//! A fit visits every template pixel in every step, so the memory layout determines its speed. [`Level::of`] groups the
//! pixels of each triangle into blocks of [`LANES`] and stores value and derivatives of all images next to each other.
//! Fits go from coarse to fine: [`Appearances::of`] returns the full template, and [`Appearances::halved`] the next
//! coarser one. Halving keeps the appearance linear in the parameters, so no second model must be learned for it.

use super::linear::Linear;
use super::mesh::{self, Pixel, Triangle};
use super::model::Model;
use glam::DVec2;
use std::collections::HashMap;

/// Number of pixels processed together; all of them are in one triangle.
pub(crate) const LANES: usize = 16;

/// The mean appearance and each mode at the template's pixels, channel by channel.
#[derive(Clone)]
pub(crate) struct Appearances {
    pub(crate) base: Vec<DVec2>,
    pub(crate) pixels: Vec<Pixel>,
    /// The mean, then the modes.
    pub(crate) images: Vec<Vec<f32>>,
    pub(crate) channels: usize,
}

impl Appearances {
    pub(crate) fn of(model: &Model, linear: &Linear) -> Self {
        let mut images = vec![model.mean.clone()];
        images.extend(linear.modes.iter().cloned());
        Self { base: model.base.clone(), pixels: model.pixels.clone(), images, channels: model.channels }
    }

    /// Returns the template at half the size. Its appearance is still linear in the parameters.
    pub(crate) fn halved(&self, triangles: &[Triangle]) -> Self {
        let base: Vec<DVec2> = self.base.iter().map(|point| (*point - 0.5) / 2.0).collect();
        let places = self.places();
        let four = |pixel: &Pixel| -> Vec<usize> {
            let (x, y) = (2 * pixel.x, 2 * pixel.y);
            [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
                .iter()
                .filter_map(|at| places.get(at).copied())
                .collect()
        };
        let mut pixels = mesh::pixels(&base, triangles);
        pixels.retain(|pixel| !four(pixel).is_empty());
        let sources: Vec<Vec<usize>> = pixels.iter().map(four).collect();
        let size = self.pixels.len();
        let reduced = |image: &Vec<f32>| {
            let mut all = Vec::with_capacity(self.channels * pixels.len());
            for plane in image.chunks_exact(size) {
                let mean =
                    |four: &Vec<usize>| four.iter().map(|at| plane[*at]).sum::<f32>() / four.len() as f32;
                let from = all.len();
                all.extend(sources.iter().map(mean));
                centre(&mut all[from..]);
            }
            all
        };
        let images = self.images.iter().map(reduced).collect();
        Self { images, base, pixels, channels: self.channels }
    }

    fn places(&self) -> HashMap<(u16, u16), usize> {
        self.pixels.iter().enumerate().map(|(index, pixel)| ((pixel.x, pixel.y), index)).collect()
    }

    /// Returns the derivatives of all images to the right and down: central differences, or one-sided ones at the
    /// border.
    pub(crate) fn gradients(&self) -> Vec<[Vec<f32>; 2]> {
        let places = self.places();
        let around = |pixel: &Pixel, index: usize, (dx, dy): (u16, u16)| {
            let next = places.get(&(pixel.x + dx, pixel.y + dy)).copied();
            let before = places.get(&(pixel.x.wrapping_sub(dx), pixel.y.wrapping_sub(dy))).copied();
            let steps = usize::from(next.is_some()) + usize::from(before.is_some());
            (next.unwrap_or(index), before.unwrap_or(index), 1.0 / steps.max(1) as f32)
        };
        let ways = [(1, 0), (0, 1)].map(|way| {
            self.pixels.iter().enumerate().map(|(i, pixel)| around(pixel, i, way)).collect::<Vec<_>>()
        });
        let steep = |image: &Vec<f32>, way: &Vec<(usize, usize, f32)>| {
            let plane = |plane: &[f32]| {
                way.iter()
                    .map(|(next, before, share)| (plane[*next] - plane[*before]) * share)
                    .collect::<Vec<_>>()
            };
            image.chunks_exact(self.pixels.len()).flat_map(plane).collect()
        };
        self.images.iter().map(|image| [steep(image, &ways[0]), steep(image, &ways[1])]).collect()
    }
}

/// Subtracts the mean.
fn centre(values: &mut [f32]) {
    let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean as f32);
}

/// Up to [`LANES`] pixels of one triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) triangle: u16,
    /// Number of lanes with a pixel; the other lanes are empty.
    pub(crate) count: u8,
}

/// A template laid out for vectorized loops.
pub(crate) struct Level {
    /// Size of a pixel of this level, in pixels of the full template.
    pub(crate) scale: f64,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) blocks: Vec<Block>,
    /// By block: barycentric weights of the second and third corner in each lane.
    pub(crate) shares: Vec<[[f32; LANES]; 2]>,
    /// By channel, block and image (the mean, then the modes): value and derivatives to the right and down.
    pub(crate) tiles: Vec<[[f32; LANES]; 3]>,
    /// Number of images: the mean and the modes.
    pub(crate) images: usize,
    pub(crate) channels: usize,
    pub(crate) pixel_count: usize,
}

impl Level {
    pub(crate) fn of(appearances: &Appearances, triangles: &[Triangle], scale: f64) -> Self {
        let pixels = &appearances.pixels;
        let runs: Vec<&[Pixel]> = pixels.chunk_by(|a, b| a.triangle == b.triangle).collect();
        let groups: Vec<&[Pixel]> = runs.into_iter().flat_map(|run| run.chunks(LANES)).collect();
        let block = |group: &&[Pixel]| Block { triangle: group[0].triangle, count: group.len() as u8 };
        let share = |group: &&[Pixel]| {
            [0, 1].map(|which| lanes(group.iter().map(|pixel| pixel.shares[which] as f32)))
        };
        Self {
            scale,
            triangles: triangles.to_vec(),
            blocks: groups.iter().map(block).collect(),
            shares: groups.iter().map(share).collect(),
            tiles: tiles(appearances, &groups),
            images: appearances.images.len(),
            channels: appearances.channels,
            pixel_count: pixels.len(),
        }
    }

    /// Returns the images of a block in a channel.
    pub(crate) fn tile(&self, channel: usize, block: usize) -> &[[[f32; LANES]; 3]] {
        &self.tiles[(channel * self.blocks.len() + block) * self.images..][..self.images]
    }
}

fn lanes(values: impl Iterator<Item = f32>) -> [f32; LANES] {
    let mut lanes = [0.0; LANES];
    lanes.iter_mut().zip(values).for_each(|(lane, value)| *lane = value);
    lanes
}

fn tiles(appearances: &Appearances, groups: &[&[Pixel]]) -> Vec<[[f32; LANES]; 3]> {
    let (size, gradients) = (appearances.pixels.len(), appearances.gradients());
    let mut tiles = Vec::with_capacity(appearances.channels * groups.len() * appearances.images.len());
    for channel in 0..appearances.channels {
        let mut start = channel * size;
        for group in groups {
            let part = start..start + group.len();
            for (image, [right, down]) in appearances.images.iter().zip(&gradients) {
                tiles.push([image, right, down].map(|plane| lanes(plane[part.clone()].iter().copied())));
            }
            start = part.end;
        }
    }
    tiles
}
