//! What a tracker remembers from one picture to the next.
//!
//! Long films are tracked in chunks, and a chunk has to go on as if the film had never been cut. Two fits from different
//! starts differ in their last digits for ever, and near two minima these decide which one is found, often many pictures
//! later. So nothing is remembered to its last digit: poses and errors are rounded, and what is long ago is forgotten.
//! Two trackers that come near each other then remember exactly the same, and find exactly the same ever after.

use super::Model;
use crate::aam::model::Pose;
use crate::aam::similarity::Similarity;
use std::collections::VecDeque;

/// Places are remembered to this share of a pixel of the template, and parameters to this share of their deviation:
/// far more than two fits of the same picture differ by, and far less than the next fit makes good.
const PLACE_STEP: f64 = 0.25;
const PARAMETER_STEP: f64 = 0.25;
/// Errors are remembered to this, and so many of them.
const ERROR_STEP: f64 = 0.005;
const ERRORS: usize = 10;
/// After so many pictures without eyes, where they were is forgotten.
const FORGOTTEN: u32 = 64;

/// All that a tracker takes along from one picture to the next: two that remember the same find the same in every
/// picture to come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    pub(super) last: Option<Pose>,
    errors: VecDeque<f64>,
    pub(super) lost: Lost,
}

/// How long the eyes have been lost, and where they were last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lost {
    pub(super) pictures: u32,
    pub(super) place: Option<Pose>,
}

impl Memory {
    /// The mean error of late, where all went well.
    pub(super) fn usual_error(&self) -> Option<f64> {
        let count = self.errors.len();
        (count > 0).then(|| self.errors.iter().sum::<f64>() / count as f64)
    }

    /// Eyes that are seen; an error where it is trusted.
    pub(super) fn see(&mut self, model: &Model, pose: &Pose, error: Option<f64>) {
        self.last = Some(rounded(model, pose));
        self.lost = Lost::default();
        if let Some(error) = error {
            self.errors.push_back((error / ERROR_STEP).round() * ERROR_STEP);
        }
        while self.errors.len() > ERRORS {
            self.errors.pop_front();
        }
    }

    /// Eyes that were here and are no longer.
    pub(super) fn lose(&mut self, model: &Model, pose: &Pose) {
        let place = pose.image_from_template.is_sound().then(|| rounded(model, pose));
        (self.last, self.lost) = (None, Lost { pictures: 0, place });
    }

    /// One more picture without eyes.
    pub(super) fn miss(&mut self) {
        self.lost.pictures = (self.lost.pictures + 1).min(FORGOTTEN);
        if self.lost.pictures == FORGOTTEN {
            *self = Self { lost: Lost { pictures: FORGOTTEN, place: None }, ..Self::default() };
        }
    }
}

/// A pose in whole steps, of about the same length in every film.
fn rounded(model: &Model, pose: &Pose) -> Pose {
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
