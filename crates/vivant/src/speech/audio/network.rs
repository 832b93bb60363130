//! Viseme classifier: a small recurrent network over acoustic features.
//!
//! A viseme cannot be recognized from one frame, so the network has a memory and answers [`LATE_FRAMES`] frames late,
//! with the start of the next sound as context. Sums have a fixed order and `exp` is our own, so that results are the
//! same on every machine. `Network::process` takes the features of a frame and returns viseme probabilities. This
//! module does not train; the weights come from a [`LipSyncModel`].

use super::features::FEATURES;
use super::model::LipSyncModel;
use super::{LATE_FRAMES, VISEMES};
use crate::math;
use std::sync::Arc;

/// Number of frames that are the input of the first layer.
const FRAMES: usize = 7;
/// Number of inputs of the first layer.
pub(super) const INPUTS: usize = FRAMES * FEATURES;
/// Number of units of the first layer.
pub(super) const FIRST: usize = 96;
/// Number of units of the recurrent layer.
pub(super) const MEMORY: usize = 128;
/// Number of values per recurrent layer: each unit has two gates and a candidate value.
pub(super) const GATES: usize = 3 * MEMORY;

/// A layer of rectified units over the last frames, a layer of gated recurrent units (Cho and others 2014), and a
/// softmax over visemes.
///
/// The network processes each frame as it arrives and returns the visemes of the frame that was [`LATE_FRAMES`]
/// earlier. Its state stays between −1 and 1, so the network is stable on audio of any length.
#[derive(Clone, Debug)]
pub(super) struct Network {
    weights: Arc<LipSyncModel>,
    /// The last frames, newest first.
    frames: [[f32; FEATURES]; FRAMES],
    memory: [f32; MEMORY],
    frame_count: usize,
}

impl Network {
    pub(super) fn new(weights: Arc<LipSyncModel>) -> Self {
        Self { weights, frames: [[0.0; FEATURES]; FRAMES], memory: [0.0; MEMORY], frame_count: 0 }
    }

    /// Processes the next frame and returns the viseme probabilities of the frame [`LATE_FRAMES`] earlier, if there
    /// was one.
    pub(super) fn process(&mut self, features: &[f32; FEATURES]) -> Option<[f32; VISEMES]> {
        let LipSyncModel { mean, scale, .. } = &*self.weights;
        self.push(std::array::from_fn(|n| (features[n] - mean[n]) * scale[n]));
        let hidden = self.weights.first.of(self.frames.as_flattened()).map(|unit| unit.max(0.0));
        self.update_memory(&hidden);
        (self.frame_count > LATE_FRAMES).then(|| softmax(self.weights.out.of(&self.memory)))
    }

    /// Adds a frame. The first frame also fills the history.
    fn push(&mut self, frame: [f32; FEATURES]) {
        if self.frame_count == 0 {
            self.frames.fill(frame);
        }
        self.frames.rotate_right(1);
        self.frames[0] = frame;
        self.frame_count = self.frame_count.saturating_add(1);
    }

    /// Updates the memory: the new state of each unit is a weighted mean of its old state and the candidate value.
    ///
    /// DIFFERENCE: the reset gate multiplies the weighted memory instead of the memory before weighting. All memory
    /// weights can then be applied at once, as in the libraries with which such networks are trained.
    fn update_memory(&mut self, hidden: &[f32; FIRST]) {
        let (hidden, memory) = (self.weights.of_input.of(hidden), self.weights.of_memory.of(&self.memory));
        for (n, unit) in self.memory.iter_mut().enumerate() {
            let [reset, keep, new] = [n, MEMORY + n, 2 * MEMORY + n];
            let reset = logistic(hidden[reset] + memory[reset]);
            let keep = logistic(hidden[keep] + memory[keep]);
            let proposal = tanh(hidden[new] + reset * memory[new]);
            *unit = (proposal + keep * (*unit - proposal)).clamp(-1.0, 1.0);
        }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + math::exp32(-x))
}

fn tanh(x: f32) -> f32 {
    2.0 * logistic(2.0 * x) - 1.0
}

/// A fully connected layer.
#[derive(Debug)]
pub(super) struct Layer<const UNITS: usize> {
    /// Ordered by input, then by unit, so that sums vectorize and still give the same bits on every machine.
    pub(super) weights: Vec<[f32; UNITS]>,
    /// Bias of each unit.
    pub(super) bias: [f32; UNITS],
}

impl<const UNITS: usize> Layer<UNITS> {
    fn of(&self, inputs: &[f32]) -> [f32; UNITS] {
        let mut units = self.bias;
        for (input, weights) in inputs.iter().zip(&self.weights) {
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += input * weight);
        }
        units
    }
}

fn softmax<const N: usize>(values: [f32; N]) -> [f32; N] {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = values.map(|value| math::exp32(value - most));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use proptest::prelude::*;

    fn weights() -> &'static Arc<LipSyncModel> {
        static BUILT_IN: std::sync::LazyLock<Arc<LipSyncModel>> =
            std::sync::LazyLock::new(|| Arc::new(LipSyncModel::built_in().unwrap()));
        &BUILT_IN
    }

    fn standard() -> Network {
        Network::new(Arc::clone(weights()))
    }

    /// Random features, at least as varied as real ones.
    fn frame(index: u64, size: f64) -> [f32; FEATURES] {
        let mut draw = Chance::new(5, "frames").event(index);
        std::array::from_fn(|n| weights().mean[n] + draw.between(-size, size) as f32 / weights().scale[n])
    }

    /// Reference implementation, unit by unit in `f64`.
    fn reference(frames: &[[f32; FEATURES]]) -> Vec<f64> {
        let scaled = |frame: &[f32; FEATURES], n: usize| {
            (f64::from(frame[n]) - f64::from(weights().mean[n])) * f64::from(weights().scale[n])
        };
        let sum = |weight: &dyn Fn(usize) -> f64, bias: f32, inputs: &[f64]| {
            inputs.iter().enumerate().map(|(n, input)| input * weight(n)).sum::<f64>() + f64::from(bias)
        };
        let logistic = |x: f64| 1.0 / (1.0 + math::exp(-x));
        let mut memory = vec![0.0; MEMORY];
        for now in 0..frames.len() {
            let inputs: Vec<f64> = (0..INPUTS)
                .map(|n| scaled(&frames[now.saturating_sub(n / FEATURES)], n % FEATURES))
                .collect();
            let first = |unit: usize| {
                let weight = |n: usize| f64::from(weights().first.weights[n][unit]);
                sum(&weight, weights().first.bias[unit], &inputs).max(0.0)
            };
            let hidden: Vec<f64> = (0..FIRST).map(first).collect();
            let of_input = |gate: usize| {
                let weight = |n: usize| f64::from(weights().of_input.weights[n][gate]);
                sum(&weight, weights().of_input.bias[gate], &hidden)
            };
            let of_memory = |gate: usize| {
                let weight = |n: usize| f64::from(weights().of_memory.weights[n][gate]);
                sum(&weight, weights().of_memory.bias[gate], &memory)
            };
            memory = (0..MEMORY)
                .map(|unit| {
                    let reset = logistic(of_input(unit) + of_memory(unit));
                    let keep = logistic(of_input(MEMORY + unit) + of_memory(MEMORY + unit));
                    let new = of_input(2 * MEMORY + unit) + reset * of_memory(2 * MEMORY + unit);
                    (1.0 - keep) * (2.0 * logistic(2.0 * new) - 1.0) + keep * memory[unit]
                })
                .collect();
        }
        memory
    }

    #[test]
    fn memory_matches_the_reference_implementation() {
        let frames: Vec<_> = (0..40).map(|n| frame(n, 2.0)).collect();
        let mut network = standard();
        for frame in &frames {
            network.process(frame);
        }
        for (ours, wanted) in network.memory.iter().zip(reference(&frames)) {
            assert!((f64::from(*ours) - wanted).abs() < 1e-4, "{ours} for {wanted}");
        }
    }

    #[test]
    fn a_frame_is_classified_after_its_look_ahead() {
        let mut network = standard();
        let judged: Vec<bool> = (0..8).map(|n| network.process(&frame(n, 1.0)).is_some()).collect();
        assert_eq!(judged, [false, false, false, false, true, true, true, true]);
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_memory_stays_bounded(
            sizes in prop::collection::vec(prop::sample::select(vec![0.0, 0.1, 1.0, 5.0, 1e3, 1e6]), 5..60),
        ) {
            let mut network = standard();
            for (n, size) in sizes.into_iter().enumerate() {
                let found = network.process(&frame(n as u64, size));
                prop_assert!(network.memory.iter().all(|unit| unit.abs() <= 1.0));
                if let Some(found) = found {
                    prop_assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5 && found.iter().all(|p| *p >= 0.0));
                }
            }
        }
    }
}
