//! The state of a tracker between frames.
//!
//! Long videos are tracked in chunks, and a chunk must give the same result as the uncut video. Fits from different
//! starts always differ in their last digits. Near two minima, these digits decide which minimum is found, often many
//! frames later. So poses and errors are rounded, and old values are forgotten. Two trackers with similar states then
//! have exactly the same memory, and give the same results from that frame on.

use super::Model;
use crate::aam::model::Pose;
use crate::aam::similarity::Similarity;
use std::collections::VecDeque;

/// Rounding step of positions in template pixels. [`PARAMETER_STEP`] is the rounding step of parameters in standard
/// deviations. The steps are much larger than the difference between two fits of the same frame, and much smaller than
/// the correction by the next fit.
const PLACE_STEP: f64 = 0.25;
const PARAMETER_STEP: f64 = 0.25;
/// Rounding step of errors. The errors of the last [`ERRORS`] frames are kept.
const ERROR_STEP: f64 = 0.005;
const ERRORS: usize = 10;
/// Number of frames without eyes after which the last position of the eyes is forgotten.
const FORGET_AFTER_FRAMES: u32 = 64;

/// The complete state of a tracker between frames: trackers with equal memory give equal results for all further
/// frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    pub(super) last: Option<Pose>,
    errors: VecDeque<f64>,
    pub(super) lost: Lost,
}

/// Frames since the eyes were lost, and their last position.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lost {
    pub(super) frames: u32,
    pub(super) place: Option<Pose>,
}

impl Memory {
    /// Returns the mean error of the last reliable frames.
    pub(super) fn recent_error(&self) -> Option<f64> {
        let count = self.errors.len();
        (count > 0).then(|| self.errors.iter().sum::<f64>() / count as f64)
    }

    /// Records a found pose, and its error if it is reliable.
    pub(super) fn record_found(&mut self, model: &Model, pose: &Pose, error: Option<f64>) {
        self.last = Some(round_pose(model, pose));
        self.lost = Lost::default();
        if let Some(error) = error {
            self.errors.push_back((error / ERROR_STEP).round() * ERROR_STEP);
        }
        while self.errors.len() > ERRORS {
            self.errors.pop_front();
        }
    }

    /// Records that the eyes were lost.
    pub(super) fn record_lost(&mut self, model: &Model, pose: &Pose) {
        let place = pose.image_from_template.is_valid().then(|| round_pose(model, pose));
        (self.last, self.lost) = (None, Lost { frames: 0, place });
    }

    /// Records a frame without eyes.
    pub(super) fn record_missing(&mut self) {
        self.lost.frames = (self.lost.frames + 1).min(FORGET_AFTER_FRAMES);
        if self.lost.frames == FORGET_AFTER_FRAMES {
            *self = Self { lost: Lost { frames: FORGET_AFTER_FRAMES, place: None }, ..Self::default() };
        }
    }
}

/// Rounds a pose to steps of about the same size in every video.
fn round_pose(model: &Model, pose: &Pose) -> Pose {
    let reach = model.base.iter().map(|point| point.length()).fold(1.0, f64::max);
    let to_steps = |value: glam::DVec2, step: f64| (value / step).round() * step;
    let turn = to_steps(pose.image_from_template.turn, PLACE_STEP / reach);
    let shift = to_steps(pose.image_from_template.shift, PLACE_STEP * turn.length().max(PLACE_STEP / reach));
    let parameter = |(value, sd): (&f64, &f64)| {
        let step = PARAMETER_STEP * sd;
        if step > 0.0 { (value / step).round() * step } else { *value }
    };
    let parameters = pose.parameters.iter().zip(&model.sds).map(parameter).collect();
    Pose { image_from_template: Similarity { turn, shift }, parameters }
}
