//! A film that is drawn: for who wants to see how labelling is done before filming anyone.

use super::sample::Looks;
use vivant_learn::film::Image;
use vivant_learn::film::synthetic::{Scene, Truth};

/// Twenty seconds: eight blinks, and some glances to each side.
const FRAMES: usize = 600;

pub(super) struct Drawn {
    scene: Scene,
}

impl Drawn {
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

    /// What is in a frame.
    pub(super) fn truth(&self, index: usize) -> Truth {
        self.scene.truth(index)
    }

    /// What is drawn tells frames apart, so that not all of them need be drawn: how open the eyes are, and where
    /// they look.
    pub(super) fn looks(&self) -> Looks {
        let scale = self.scene.settings().glances_deg.max(1.0);
        let look = |index| {
            let truth = self.scene.truth(index);
            let [yaw, pitch] = truth.gaze_deg;
            vec![truth.openness as f32, (yaw / scale) as f32, (pitch / scale) as f32]
        };
        (0..FRAMES).map(look).collect()
    }
}
