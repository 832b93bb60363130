//! How well a patch has to fit: as well as a recording fits itself a moment later.
//!
//! DIFFERENCE: paper 5 takes 0.2 of how far the overlap is from nothing. How far that is depends on the
//! person: lids that hardly move are many standard deviations from shut, and 0.2 of that lets the gaze jump by
//! as much as it ever does, at every join. So the paper's 0.2 is the most that is taken, and else what
//! overlaps differ by that lie one frame of video apart: such a join is not seen among what eyes do anyway.

use super::patch_size::VIDEO_HZ;
use crate::statistics;
use vivant::eyes::texture::{Run, TextureDef, Tolerance};

/// Below this nothing but the recording itself would fit.
const LEAST: f64 = 0.005;
/// Overlaps are compared at every so many frames.
const STRIDE: usize = 3;

/// The tolerance for all these runs.
pub(super) fn of_runs(runs: &[Run], texture: &TextureDef) -> Tolerance {
    let boundary = texture.frames()[1];
    let apart = (texture.rate_hz / VIDEO_HZ).round().max(1.0) as usize;
    let channels: [fn(&Run) -> &Vec<f32>; 3] =
        [|run| &run.openness, |run| &run.yaw_deg, |run| &run.pitch_deg];
    let sds = channels.map(|channel| sd(runs.iter().flat_map(channel)));
    let (mut later, mut nothing) = (Vec::new(), Vec::new());
    for run in runs {
        for start in (0..run.openness.len().saturating_sub(boundary + apart)).step_by(STRIDE) {
            let frames = start..start + boundary;
            later.push(mean_square(run, frames.clone(), Some(apart), sds));
            nothing.push(mean_square(run, frames, None, sds));
        }
    }
    let median = |values: &mut [f64]| statistics::median(values).unwrap_or(0.0);
    let share = (median(&mut later) / median(&mut nothing).max(f64::MIN_POSITIVE)).sqrt();
    let most = Tolerance::default();
    let epsilon = (share.clamp(LEAST, most.epsilon) * 1e4).round() / 1e4;
    Tolerance { epsilon, ..most }
}

/// The mean square distance of an overlap from the one that comes later, or from nothing.
fn mean_square(run: &Run, frames: std::ops::Range<usize>, apart: Option<usize>, sds: [f64; 3]) -> f64 {
    let count = frames.len().max(1) as f64;
    let square = |channel: &[f32], frame: usize, sd: f64| {
        let other = apart.map_or(0.0, |apart| channel[frame + apart]);
        let off = f64::from(channel[frame] - other) / sd;
        off * off
    };
    let of_frame = |frame: usize| {
        square(&run.openness, frame, sds[0])
            + square(&run.yaw_deg, frame, sds[1])
            + square(&run.pitch_deg, frame, sds[2])
    };
    frames.map(of_frame).sum::<f64>() / count
}

/// Infinite for a channel that does not vary, which says nothing.
fn sd<'a>(channel: impl Iterator<Item = &'a f32> + Clone) -> f64 {
    let count = channel.clone().count().max(2) as f64;
    let mean = channel.clone().map(|x| f64::from(*x)).sum::<f64>() / count;
    let squares: f64 = channel.map(|x| (f64::from(*x) - mean) * (f64::from(*x) - mean)).sum();
    let sd = (squares / (count - 1.0)).sqrt();
    if sd < 1e-6 { f64::INFINITY } else { sd }
}
