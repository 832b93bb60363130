//! Finds patches that match an overlap, exactly and without building a list.
//!
//! A patch must be drawn uniformly from all matching patches. Drawing random windows until one matches is a uniform
//! draw, so a few windows are tried first. If none of them matches, all windows are compared, in blocks of lanes, and
//! one of the matches is drawn by its index. Both methods are uniform over the matches, and so is the combination of
//! the two.

use super::indexed::{IndexedCorpus, LANES};
use super::{Form, Tolerance};
use crate::chance::Draw;
use std::ops::Range;

/// Number of windows tried before all windows are compared. The tries take about a fifth of the time of comparing
/// 16,500 windows.
const TRIES: usize = 256;

/// A search for an overlap in a corpus.
pub(super) struct Query<'a> {
    indexed: &'a IndexedCorpus,
    overlap: &'a [Vec<f32>; 3],
    form: Form,
    /// Largest distance that matches, as a sum over the overlap.
    max_sum: f32,
    /// Start frames that are excluded.
    excluded: Range<usize>,
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) is_match: bool,
}

impl<'a> Query<'a> {
    /// Creates a query. The overlap is in standard deviations of the corpus.
    pub(super) fn new(indexed: &'a IndexedCorpus, overlap: &'a [Vec<f32>; 3], tolerance: Tolerance) -> Self {
        let form = tolerance.form;
        let from_zero: f32 = frames(overlap).map(|[b, x, y]| apply_form(form, b * b + x * x + y * y)).sum();
        let (epsilon, floor) = (tolerance.epsilon as f32, tolerance.floor as f32);
        let least = floor * floor * overlap[0].len() as f32;
        Self { indexed, overlap, form, max_sum: (epsilon * epsilon * from_zero).max(least), excluded: 0..0 }
    }

    /// Excludes windows that start at these frames.
    pub(super) fn excluding(self, excluded: Range<usize>) -> Self {
        Self { excluded, ..self }
    }

    /// Draws one of the matching windows uniformly, or returns the nearest window if none matches. Returns `None` if
    /// there are no windows. `counts` is a buffer for one number per block.
    pub(super) fn draw(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        self.try_random(draw).or_else(|| self.draw_comparing(draw, counts))
    }

    /// Like [`draw`](Self::draw), but always compares all windows.
    pub(super) fn draw_comparing(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        self.draw_match(draw, counts).or_else(|| self.nearest())
    }

    fn try_random(&self, draw: &mut Draw) -> Option<Found> {
        let count = self.indexed.count();
        let mut try_one = || self.indexed.start_of(uniform_below(draw, count));
        let is_match =
            |start: &usize| !self.excluded.contains(start) && self.distance(*start) <= self.max_sum;
        (0..TRIES).map(|_| try_one()).find(is_match).map(|start| Found { start, is_match: true })
    }

    /// Draws one of the matching windows by comparing all windows.
    fn draw_match(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        counts.clear();
        counts.extend(self.blocks().map(|(first, lanes)| self.count_in(first, lanes)));
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut left = uniform_below(draw, total as usize) as u32;
        let mut holds = |count: u32| {
            let is_here = left < count;
            left -= if is_here { 0 } else { count };
            is_here
        };
        let (_, (first, lanes)) = counts.iter().zip(self.blocks()).find(|(count, _)| holds(**count))?;
        let distances = self.distances(first, lanes);
        let mut fitting = distances.iter().enumerate().filter(|(_, distance)| **distance <= self.max_sum);
        fitting.nth(left as usize).map(|(lane, _)| Found { start: first + lane, is_match: true })
    }

    /// Returns the window with the smallest distance; the first one if several have the same distance.
    fn nearest(&self) -> Option<Found> {
        let mut nearest = (f32::INFINITY, None);
        for (first, lanes) in self.blocks() {
            for (lane, distance) in self.distances(first, lanes).into_iter().enumerate() {
                if distance < nearest.0 {
                    nearest = (distance, Some(Found { start: first + lane, is_match: false }));
                }
            }
        }
        nearest.1
    }

    /// Returns the matching windows in order.
    pub(super) fn candidates(&self) -> impl Iterator<Item = usize> {
        self.blocks().flat_map(move |(first, lanes)| {
            let distances = self.distances(first, lanes);
            (0..lanes).filter(move |lane| distances[*lane] <= self.max_sum).map(move |lane| first + lane)
        })
    }

    /// Draws one of the given windows that match, or returns the nearest of them. Slower than [`draw`](Self::draw);
    /// used with constraints.
    pub(super) fn draw_from(
        &self,
        some: impl Iterator<Item = usize> + Clone,
        draw: &mut Draw,
    ) -> Option<Found> {
        let measured =
            some.filter(|start| !self.excluded.contains(start)).map(|start| (start, self.distance(start)));
        let fitting = measured.clone().filter(|(_, distance)| *distance <= self.max_sum);
        let count = fitting.clone().count();
        if count > 0 {
            let (start, _) = fitting.clone().nth(uniform_below(draw, count))?;
            return Some(Found { start, is_match: true });
        }
        let nearest = measured.reduce(|least, other| if other.1 < least.1 { other } else { least });
        nearest.map(|(start, _)| Found { start, is_match: false })
    }

    /// Returns the distance of one window: the sum over the overlap. Comparisons do not need the root of the mean.
    fn distance(&self, start: usize) -> f32 {
        let [openness, yaw, pitch] = &self.indexed.normal;
        frames(self.overlap)
            .enumerate()
            .map(|(j, [b, x, y])| {
                let (b, x, y) = (openness[start + j] - b, yaw[start + j] - x, pitch[start + j] - y);
                apply_form(self.form, b * b + x * x + y * y)
            })
            .sum()
    }

    /// Returns the number of blocks in a corpus.
    pub(super) fn block_count(indexed: &IndexedCorpus) -> usize {
        indexed.runs.iter().map(|run| run.starts.len().div_ceil(LANES)).sum()
    }

    /// Returns the first window of each block and its number of windows.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.indexed.runs.iter().flat_map(|run| {
            let end = run.starts.end;
            run.starts.clone().step_by(LANES).map(move |first| (first, LANES.min(end - first)))
        })
    }

    fn count_in(&self, first: usize, lanes: usize) -> u32 {
        self.distances(first, lanes).iter().map(|distance| u32::from(*distance <= self.max_sum)).sum()
    }

    /// Returns the distances of a block, bit-identical to [`distance`](Self::distance); infinite for excluded
    /// lanes.
    fn distances(&self, first: usize, lanes: usize) -> [f32; LANES] {
        let mut sums = match self.form {
            Form::Liang => self.sums::<false>(first),
            Form::Literal => self.sums::<true>(first),
        };
        sums[lanes..].fill(f32::INFINITY);
        let excluded = self.excluded.start.max(first)..self.excluded.end.min(first + LANES);
        excluded.for_each(|start| sums[start - first] = f32::INFINITY);
        sums
    }

    fn sums<const IS_LITERAL: bool>(&self, first: usize) -> [f32; LANES] {
        let mut sums = [0.0; LANES];
        for (j, [b, x, y]) in frames(self.overlap).enumerate() {
            let lanes = |channel: usize| self.indexed.normal[channel][first + j..].first_chunk::<LANES>();
            let (Some(bs), Some(xs), Some(ys)) = (lanes(0), lanes(1), lanes(2)) else { break };
            for lane in 0..LANES {
                let (b, x, y) = (bs[lane] - b, xs[lane] - x, ys[lane] - y);
                let square = b * b + x * x + y * y;
                sums[lane] += if IS_LITERAL { square * square } else { square };
            }
        }
        sums
    }
}

fn apply_form(form: Form, square: f32) -> f32 {
    match form {
        Form::Liang => square,
        Form::Literal => square * square,
    }
}

fn frames(overlap: &[Vec<f32>; 3]) -> impl Iterator<Item = [f32; 3]> {
    let [openness, yaw, pitch] = overlap;
    openness.iter().zip(yaw).zip(pitch).map(|((b, x), y)| [*b, *x, *y])
}

/// Draws an integer below `count` uniformly.
fn uniform_below(draw: &mut Draw, count: usize) -> usize {
    ((u128::from(draw.bits()) * count as u128) >> 64) as usize
}
