//! A synthetic film, for trying out labelling without filming anyone.

use super::sample::Features;
use vivant_learn::film::Image;
use vivant_learn::film::synthetic::{Scene, Truth};

/// Number of frames: twenty seconds with eight blinks and several glances to each side.
const FRAMES: usize = 600;

pub(super) struct SyntheticFilm {
    scene: Scene,
}

impl SyntheticFilm {
    pub(super) fn new(seed: u64) -> Self {
        Self { scene: Scene::new(seed) }
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.scene.settings().width, self.scene.settings().height)
    }

    pub(super) fn secs(&self) -> Vec<f64> {
        (0..FRAMES).map(|index| self.scene.secs(index)).collect()
    }

    pub(super) fn frame(&self, index: usize) -> Image {
        self.scene.frame(index).0
    }

    /// Returns the true points and gaze of a frame.
    pub(super) fn truth(&self, index: usize) -> Truth {
        self.scene.truth(index)
    }

    /// Returns features for comparing frames. They are computed from the true aperture and gaze, so that the frames
    /// need not be drawn.
    pub(super) fn looks(&self) -> Features {
        let scale = self.scene.settings().glances_deg.max(1.0);
        let look = |index| {
            let truth = self.scene.truth(index);
            let [yaw, pitch] = truth.gaze_deg;
            vec![truth.openness as f32, (yaw / scale) as f32, (pitch / scale) as f32]
        };
        (0..FRAMES).map(look).collect()
    }
}
