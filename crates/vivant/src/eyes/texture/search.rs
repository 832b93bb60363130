//! Which patches fit: exact, and without a list of them.
//!
//! A patch is to be drawn from all that fit, each as likely as any other. If any window is drawn until one
//! fits, that is such a draw; so a few windows are tried first. Where few fit, all are compared, in blocks
//! of lanes side by side, and one of those that fit is drawn by its number. Both are uniform over what
//! fits, and so is the one after the other.

use super::cloth::{Cloth, LANES};
use super::{Form, Tolerance};
use crate::chance::Draw;
use std::ops::Range;

/// How many windows are tried before all are compared: about a fifth of the time of comparing 16,500.
const TRIES: usize = 256;

/// An overlap that is looked for in a corpus.
pub(super) struct Query<'a> {
    cloth: &'a Cloth,
    overlap: &'a [Vec<f32>; 3],
    form: Form,
    /// The greatest sum over the overlap that fits.
    most: f32,
    /// Frames at which no window may begin.
    not: Range<usize>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) fits: bool,
}

impl<'a> Query<'a> {
    /// The overlap is in standard deviations of the corpus.
    pub(super) fn new(cloth: &'a Cloth, overlap: &'a [Vec<f32>; 3], tolerance: Tolerance) -> Self {
        let form = tolerance.form;
        let from_nothing: f32 = frames(overlap).map(|[b, x, y]| of_form(form, b * b + x * x + y * y)).sum();
        let (epsilon, floor) = (tolerance.epsilon as f32, tolerance.floor as f32);
        let least = floor * floor * overlap[0].len() as f32;
        Self { cloth, overlap, form, most: (epsilon * epsilon * from_nothing).max(least), not: 0..0 }
    }

    /// The same, but for windows that begin at these frames.
    pub(super) fn without(self, not: Range<usize>) -> Self {
        Self { not, ..self }
    }

    /// One of the windows that fit, each as likely as any other; the nearest if none does. `None` if there is
    /// none at all. `counts` is room for a number a block.
    pub(super) fn draw(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        self.tried(draw).or_else(|| self.draw_comparing(draw, counts))
    }

    /// The same, without trying.
    pub(super) fn draw_comparing(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        self.compared(draw, counts).or_else(|| self.nearest())
    }

    fn tried(&self, draw: &mut Draw) -> Option<Found> {
        let count = self.cloth.count();
        let mut try_one = || self.cloth.start_of(below(draw, count));
        let fits = |start: &usize| !self.not.contains(start) && self.distance(*start) <= self.most;
        (0..TRIES).map(|_| try_one()).find(fits).map(|start| Found { start, fits: true })
    }

    /// One of all that fit, by comparing all.
    fn compared(&self, draw: &mut Draw, counts: &mut Vec<u32>) -> Option<Found> {
        counts.clear();
        counts.extend(self.blocks().map(|(first, lanes)| self.count_in(first, lanes)));
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut left = below(draw, total as usize) as u32;
        let mut holds = |count: u32| {
            let is_here = left < count;
            left -= if is_here { 0 } else { count };
            is_here
        };
        let (_, (first, lanes)) = counts.iter().zip(self.blocks()).find(|(count, _)| holds(**count))?;
        let distances = self.distances(first, lanes);
        let mut fitting = distances.iter().enumerate().filter(|(_, distance)| **distance <= self.most);
        fitting.nth(left as usize).map(|(lane, _)| Found { start: first + lane, fits: true })
    }

    /// The window with the least distance, the first of them if there are several.
    fn nearest(&self) -> Option<Found> {
        let mut nearest = (f32::INFINITY, None);
        for (first, lanes) in self.blocks() {
            for (lane, distance) in self.distances(first, lanes).into_iter().enumerate() {
                if distance < nearest.0 {
                    nearest = (distance, Some(Found { start: first + lane, fits: false }));
                }
            }
        }
        nearest.1
    }

    /// The windows that fit, in order.
    pub(super) fn candidates(&self) -> impl Iterator<Item = usize> {
        self.blocks().flat_map(move |(first, lanes)| {
            let distances = self.distances(first, lanes);
            (0..lanes).filter(move |lane| distances[*lane] <= self.most).map(move |lane| first + lane)
        })
    }

    /// One of some windows that fit, or the nearest of them: slower, for wishes.
    pub(super) fn draw_of(
        &self,
        some: impl Iterator<Item = usize> + Clone,
        draw: &mut Draw,
    ) -> Option<Found> {
        let measured =
            some.filter(|start| !self.not.contains(start)).map(|start| (start, self.distance(start)));
        let fitting = measured.clone().filter(|(_, distance)| *distance <= self.most);
        let count = fitting.clone().count();
        if count > 0 {
            let (start, _) = fitting.clone().nth(below(draw, count))?;
            return Some(Found { start, fits: true });
        }
        let nearest = measured.reduce(|least, other| if other.1 < least.1 { other } else { least });
        nearest.map(|(start, _)| Found { start, fits: false })
    }

    /// The distance of one window: the sum over the overlap, of which the root of the mean need not be taken.
    fn distance(&self, start: usize) -> f32 {
        let [openness, yaw, pitch] = &self.cloth.normal;
        frames(self.overlap)
            .enumerate()
            .map(|(j, [b, x, y])| {
                let (b, x, y) = (openness[start + j] - b, yaw[start + j] - x, pitch[start + j] - y);
                of_form(self.form, b * b + x * x + y * y)
            })
            .sum()
    }

    /// How many blocks there are in a corpus.
    pub(super) fn most_blocks(cloth: &Cloth) -> usize {
        cloth.runs.iter().map(|run| run.starts.len().div_ceil(LANES)).sum()
    }

    /// The first windows of all blocks, and how many windows each has.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.cloth.runs.iter().flat_map(|run| {
            let end = run.starts.end;
            run.starts.clone().step_by(LANES).map(move |first| (first, LANES.min(end - first)))
        })
    }

    fn count_in(&self, first: usize, lanes: usize) -> u32 {
        self.distances(first, lanes).iter().map(|distance| u32::from(*distance <= self.most)).sum()
    }

    /// The distances of a block, the same bits as one by one; infinite for what is no window, or must not be.
    fn distances(&self, first: usize, lanes: usize) -> [f32; LANES] {
        let mut sums = match self.form {
            Form::Liang => self.sums::<false>(first),
            Form::Literal => self.sums::<true>(first),
        };
        sums[lanes..].fill(f32::INFINITY);
        let not = self.not.start.max(first)..self.not.end.min(first + LANES);
        not.for_each(|start| sums[start - first] = f32::INFINITY);
        sums
    }

    fn sums<const IS_LITERAL: bool>(&self, first: usize) -> [f32; LANES] {
        let mut sums = [0.0; LANES];
        for (j, [b, x, y]) in frames(self.overlap).enumerate() {
            let lanes = |channel: usize| self.cloth.normal[channel][first + j..].first_chunk::<LANES>();
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

fn of_form(form: Form, square: f32) -> f32 {
    match form {
        Form::Liang => square,
        Form::Literal => square * square,
    }
}

fn frames(overlap: &[Vec<f32>; 3]) -> impl Iterator<Item = [f32; 3]> {
    let [openness, yaw, pitch] = overlap;
    openness.iter().zip(yaw).zip(pitch).map(|((b, x), y)| [*b, *x, *y])
}

/// A whole number below `count`, each as likely as any other to the last bits.
fn below(draw: &mut Draw, count: usize) -> usize {
    ((u128::from(draw.bits()) * count as u128) >> 64) as usize
}
