//! The loops of [`super::kernel`] over lanes of sixteen, which the compiler turns into vector instructions.
//!
//! The instruction set is selected at run time ([`pulp::Arch`]). Operations are neither fused nor reordered, so
//! results are the same with every instruction set.

use super::kernel::{GRAY, Sums};
use super::level::{LANES, Level};
use super::view::View;
use glam::DVec2;

type Lanes = [f32; LANES];

/// Buffers for sums by lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneBuffers {
    along: Vec<Lanes>,
    amounts: Vec<f32>,
}

/// Does the same as [`super::kernel::sample`].
pub(crate) fn sample(
    arch: pulp::Arch,
    level: &Level,
    view: &View<'_>,
    channel: usize,
    mesh: &[DVec2],
    into: &mut [Lanes],
) {
    let plane = view.plane(channel);
    arch.dispatch(
        #[inline(always)]
        || sample_here(level, view, plane, mesh, into),
    );
}

#[inline(always)]
fn sample_here(level: &Level, view: &View<'_>, plane: &[u8], mesh: &[DVec2], into: &mut [Lanes]) {
    let limit = [(view.width - 1) as f32, (view.height - 1) as f32];
    for ((block, shares), lanes) in level.blocks.iter().zip(&level.shares).zip(into) {
        let corners = level.triangles[usize::from(block.triangle)].map(|at| mesh[at]);
        let x = along(corners.map(|corner| corner.x as f32), shares, limit[0]);
        let y = along(corners.map(|corner| corner.y as f32), shares, limit[1]);
        *lanes = bilinear(plane, view.width, view.height, &x, &y);
        lanes[usize::from(block.count)..].fill(0.0);
    }
}

/// Returns one coordinate of a block's pixels, clamped to the image.
#[inline(always)]
fn along([a, b, c]: [f32; 3], [second, third]: &[Lanes; 2], limit: f32) -> Lanes {
    let mut at = [0.0; LANES];
    for lane in 0..LANES {
        at[lane] = (a + second[lane] * (b - a) + third[lane] * (c - a)).max(0.0).min(limit);
    }
    at
}

#[inline(always)]
fn bilinear(plane: &[u8], width: usize, height: usize, x: &Lanes, y: &Lanes) -> Lanes {
    let (last_x, last_y) = ((width - 2) as i32, (height - 2) as i32);
    let (mut starts, mut right, mut down) = ([0_i32; LANES], [0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let (column, row) = ((x[lane] as i32).min(last_x), (y[lane] as i32).min(last_y));
        right[lane] = x[lane] - column as f32;
        down[lane] = y[lane] - row as f32;
        starts[lane] = row * width as i32 + column;
    }
    let mut four = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let start = starts[lane] as usize;
        // One bounds check is enough for all four pixels.
        if let Some(around) = plane.get(start..start + width + 2) {
            four[0][lane] = f32::from(around[0]);
            four[1][lane] = f32::from(around[1]);
            four[2][lane] = f32::from(around[width]);
            four[3][lane] = f32::from(around[width + 1]);
        }
    }
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        let above = four[0][lane] + (four[1][lane] - four[0][lane]) * right[lane];
        let below = four[2][lane] + (four[3][lane] - four[2][lane]) * right[lane];
        values[lane] = above + (below - above) * down[lane] - GRAY;
    }
    values
}

/// Does the same as [`super::kernel::accumulate`].
pub(crate) fn accumulate(
    arch: pulp::Arch,
    level: &Level,
    channel: usize,
    amounts: &[f64],
    sampled: &[Lanes],
    room: &mut LaneBuffers,
    sums: &mut Sums,
) {
    room.amounts.clear();
    room.amounts.extend(amounts.iter().map(|amount| *amount as f32));
    room.along.resize(amounts.len(), [0.0; LANES]);
    arch.dispatch(
        #[inline(always)]
        || accumulate_here(level, channel, sampled, room, sums),
    );
}

#[inline(always)]
fn accumulate_here(
    level: &Level,
    channel: usize,
    sampled: &[Lanes],
    room: &mut LaneBuffers,
    sums: &mut Sums,
) {
    let mut first = 0;
    for run in level.blocks.chunk_by(|a, b| a.triangle == b.triangle) {
        let blocks = first..first + run.len();
        let pulls = triangle(level, channel, blocks.clone(), sampled, room, sums);
        for (point, pull) in level.triangles[usize::from(run[0].triangle)].into_iter().zip(pulls) {
            sums.pulls[point] += pull;
        }
        for (sum, lanes) in sums.along.iter_mut().zip(&mut room.along) {
            *sum += total(lanes);
            *lanes = [0.0; LANES];
        }
        first = blocks.end;
    }
}

/// Adds up the blocks of one triangle. Returns the sums at its corners.
#[inline(always)]
fn triangle(
    level: &Level,
    channel: usize,
    blocks: std::ops::Range<usize>,
    sampled: &[Lanes],
    room: &mut LaneBuffers,
    sums: &mut Sums,
) -> [DVec2; 3] {
    let mut all = [[0.0; LANES]; 2];
    let mut pulls = [[0.0; LANES]; 6];
    for block in blocks {
        let (values, [second, third]) = (&sampled[block], &level.shares[block]);
        let (mut right, mut down) = ([0.0; LANES], [0.0; LANES]);
        let tile = level.tile(channel, block);
        for ((appearance, amount), along) in tile.iter().zip(&room.amounts).zip(&mut room.along) {
            for lane in 0..LANES {
                along[lane] += values[lane] * appearance[0][lane];
                right[lane] += amount * appearance[1][lane];
                down[lane] += amount * appearance[2][lane];
            }
        }
        for lane in 0..LANES {
            let (x, y) = (right[lane] * values[lane], down[lane] * values[lane]);
            pulls[0][lane] += x;
            pulls[1][lane] += y;
            pulls[2][lane] += x * second[lane];
            pulls[3][lane] += y * second[lane];
            pulls[4][lane] += x * third[lane];
            pulls[5][lane] += y * third[lane];
            all[0][lane] += values[lane];
            all[1][lane] += values[lane] * values[lane];
        }
    }
    sums.total += total(&all[0]);
    sums.squares += total(&all[1]);
    let [x, y, second_x, second_y, third_x, third_y] = pulls.map(|lanes| total(&lanes));
    let (second, third) = (DVec2::new(second_x, second_y), DVec2::new(third_x, third_y));
    [DVec2::new(x, y) - second - third, second, third]
}

#[inline(always)]
fn total(lanes: &Lanes) -> f64 {
    lanes.iter().map(|value| f64::from(*value)).sum()
}
