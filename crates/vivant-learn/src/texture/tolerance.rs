//! Matching tolerance of a patch: the difference between a recording and itself one video frame later.
//!
//! DIFFERENCE: paper 5 uses 0.2 of the overlap's distance from zero. That distance depends on the person. If lids
//! hardly move, closed lids are many standard deviations away, and 0.2 of this distance is a tolerance that lets the
//! gaze jump across its whole range at every join. So the paper's 0.2 is only the maximum. Otherwise, the tolerance is
//! the difference of overlaps one video frame apart. Such a join is not noticeable among normal eye movements.

use super::patch_size::VIDEO_HZ;
use crate::statistics;
use vivant::eyes::texture::{Run, TextureDef, Tolerance};

/// Minimum tolerance. With a smaller tolerance, only the recording itself would match.
const MIN_EPSILON: f64 = 0.005;
/// Step in frames between the overlaps that are compared.
const STRIDE: usize = 3;

/// Computes the tolerance for all runs.
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
    let epsilon = (share.clamp(MIN_EPSILON, most.epsilon) * 1e4).round() / 1e4;
    Tolerance { epsilon, ..most }
}

/// Returns the mean square distance of an overlap from the overlap `apart` frames later, or from zero if `apart` is
/// `None`.
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

/// Returns the standard deviation of a channel. For a constant channel it is infinite, so that the channel does not
/// count.
fn sd<'a>(channel: impl Iterator<Item = &'a f32> + Clone) -> f64 {
    let count = channel.clone().count().max(2) as f64;
    let mean = channel.clone().map(|x| f64::from(*x)).sum::<f64>() / count;
    let squares: f64 = channel.map(|x| (f64::from(*x) - mean) * (f64::from(*x) - mean)).sum();
    let sd = (squares / (count - 1.0)).sqrt();
    if sd < 1e-6 { f64::INFINITY } else { sd }
}
