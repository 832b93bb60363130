//! A synthetic video, and a model built from some of its frames.

use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;
use vivant::chance::Draw;
use vivant_learn::aam::{BuildOptions, Example, Model, Pose, Similarity};
use vivant_learn::film::layout::POINTS;
use vivant_learn::film::suggest;
use vivant_learn::film::synthetic::{Scene, Settings};
use vivant_learn::film::{Image, Points};

/// Number of labelled frames; 20 to 25 in paper 3 (3.1).
pub(crate) const LABELLED: usize = 22;
/// Step between candidate frames.
const CANDIDATE_STEP: usize = 2;

/// A video and a model of its eyes.
pub(crate) struct Trained {
    pub(crate) scene: Scene,
    pub(crate) model: Arc<Model>,
    /// Frames from which the model was built.
    pub(crate) labelled: Vec<usize>,
}

impl Trained {
    /// Labels the most different frames of a range, like a person who follows the suggestions.
    pub(crate) fn on(settings: Settings, range: Range<usize>) -> Self {
        let labelled = most_different_frames(&settings, range);
        Self::with(settings, labelled, &BuildOptions::default())
    }

    pub(crate) fn with(settings: Settings, labelled: Vec<usize>, options: &BuildOptions) -> Self {
        let scene = Scene::with(settings);
        let frames: Vec<(Image, Points)> = labelled.iter().map(|index| scene.frame(*index)).collect();
        let examples: Vec<Example<'_>> =
            frames.iter().map(|(image, points)| Example { image, points }).collect();
        let model = Model::build(&examples, options).expect("labelled frames make a model");
        Self { scene, model: Arc::new(model), labelled }
    }

    /// Returns frames of a range that were not labelled.
    pub(crate) fn others(&self, range: Range<usize>, step: usize) -> Vec<usize> {
        range.step_by(step).filter(|index| !self.labelled.contains(index)).collect()
    }
}

/// Returns the most different frames, compared at a quarter of the size, which takes a sixteenth of the time.
fn most_different_frames(settings: &Settings, range: Range<usize>) -> Vec<usize> {
    let small = Scene::with(Settings {
        width: settings.width / 4,
        height: settings.height / 4,
        eye_px: settings.eye_px / 4.0,
        ..settings.clone()
    });
    // Hidden eyes are not labelled.
    let is_clear = |index: &usize| small.truth(*index).hidden == 0.0;
    let candidates: Vec<usize> = range.step_by(CANDIDATE_STEP).filter(is_clear).collect();
    let thumbs: Vec<Vec<f32>> = candidates
        .iter()
        .map(|index| {
            let (image, points) = small.frame(*index);
            let (from, to) = around(&points);
            suggest::region(&image, from, to)
        })
        .collect();
    suggest::most_different(&thumbs, LABELLED).into_iter().map(|index| candidates[index]).collect()
}

/// Returns a rectangle around both eyes.
fn around(points: &Points) -> (DVec2, DVec2) {
    let least = points.iter().copied().reduce(DVec2::min).unwrap_or_default();
    let most = points.iter().copied().reduce(DVec2::max).unwrap_or_default();
    let border = (most.x - least.x) * 0.08;
    (least - border, most + border)
}

/// Returns the mean distance of points from the true ones.
pub(crate) fn mean_error(found: &Points, truth: &Points) -> f64 {
    found.iter().zip(truth).map(|(found, truth)| found.distance(*truth)).sum::<f64>() / POINTS as f64
}

/// Returns the root mean square distance.
pub(crate) fn rms_error(found: &Points, truth: &Points) -> f64 {
    let squares: f64 = found.iter().zip(truth).map(|(found, truth)| found.distance_squared(*truth)).sum();
    (squares / POINTS as f64).sqrt()
}

/// Returns a pose that is moved, rotated and scaled by up to `most` pixels (root mean square over the points).
pub(crate) fn perturb_pose(pose: &Pose, points: &Points, draw: &mut Draw, most: f64) -> Pose {
    let middle = points.iter().sum::<DVec2>() / POINTS as f64;
    let spread = points.iter().map(|point| point.distance_squared(middle)).sum::<f64>() / POINTS as f64;
    let ways: [f64; 4] = std::array::from_fn(|_| draw.between(-1.0, 1.0));
    let length = ways.iter().map(|way| way * way).sum::<f64>().sqrt();
    let px = draw.between(0.0, most);
    let [x, y, turn, size] = ways.map(|way| way / length * px);
    let turn = DVec2::new(1.0 + size / spread.sqrt(), turn / spread.sqrt());
    let push = Similarity { turn, shift: middle - turn.rotate(middle) + DVec2::new(x, y) };
    Pose { image_from_template: push.after(&pose.image_from_template), parameters: pose.parameters.clone() }
}
