use super::{BlinkModel, Closure, Component, VERSION, Way};
pub(super) fn model() -> BlinkModel {
    BlinkModel {
        version: VERSION,
        origin: "provisional".into(),
        blinks: 0,
        closure: Closure::Full,
        closing: Way { mean_secs: 0.1, sd_secs: 0.02, samples: 3 },
        opening: Way { mean_secs: 0.2, sd_secs: 0.04, samples: 4 },
        mean: vec![1.0, 0.6, 0.05, 0.4, 0.8, 0.98],
        components: vec![Component {
            sd: 1.0,
            share: 1.0,
            profile: vec![0.0, 0.0, 0.04, 0.0, 0.0, 0.0],
            closing: 0.7,
            opening: 0.7,
        }],
        exemplars: vec![],
    }
}
