//! What a sound most likely is, by a small network that remembers what it heard before.

use super::ear::FEATURES;
use super::model::LipSyncModel;
use super::{LATE_FRAMES, VISEMES};
use crate::math;
use std::sync::Arc;

/// Frames that go into the first layer together.
const FRAMES: usize = 7;
/// Numbers that go into the first layer.
pub(super) const INPUTS: usize = FRAMES * FEATURES;
/// Units of the first layer, and of the memory after it.
pub(super) const FIRST: usize = 96;
pub(super) const MEMORY: usize = 128;
/// A unit of the memory has two gates and a proposal.
pub(super) const GATES: usize = 3 * MEMORY;

/// A layer of rectified units over the last frames, a layer of gated recurrent units (Cho and others 2014), and a softmax
/// over visemes.
///
/// It hears each frame as soon as it is there, and says then what the frame [`LATE_FRAMES`] before it was. All that it
/// remembers is within −1 and 1, so that nothing grows however long it listens.
#[derive(Clone, Debug)]
pub(super) struct Network {
    weights: Arc<LipSyncModel>,
    /// The last frames, newest first.
    frames: [[f32; FEATURES]; FRAMES],
    memory: [f32; MEMORY],
    heard: usize,
}

impl Network {
    pub(super) fn new(weights: Arc<LipSyncModel>) -> Self {
        Self { weights, frames: [[0.0; FEATURES]; FRAMES], memory: [0.0; MEMORY], heard: 0 }
    }

    /// Hears the next frame, and gives the probabilities of the visemes [`LATE_FRAMES`] before it, if there was a frame.
    pub(super) fn hear(&mut self, features: &[f32; FEATURES]) -> Option<[f32; VISEMES]> {
        let LipSyncModel { mean, scale, .. } = &*self.weights;
        self.push(std::array::from_fn(|n| (features[n] - mean[n]) * scale[n]));
        let sound = self.weights.first.of(self.frames.as_flattened()).map(|unit| unit.max(0.0));
        self.remember(&sound);
        (self.heard > LATE_FRAMES).then(|| softmax(self.weights.out.of(&self.memory)))
    }

    /// Before the first frame, it was as in the first.
    fn push(&mut self, frame: [f32; FEATURES]) {
        if self.heard == 0 {
            self.frames.fill(frame);
        }
        self.frames.rotate_right(1);
        self.frames[0] = frame;
        self.heard = self.heard.saturating_add(1);
    }

    /// Each unit keeps a share of what it remembers, and takes the proposal for the rest.
    ///
    /// DIFFERENCE: what is reset is the weighted memory, not the memory that is weighted. So all weights of the memory can
    /// be applied at once, as in the libraries with which such networks are fitted.
    fn remember(&mut self, sound: &[f32; FIRST]) {
        let (sound, memory) = (self.weights.of_sound.of(sound), self.weights.of_memory.of(&self.memory));
        for (n, unit) in self.memory.iter_mut().enumerate() {
            let [reset, keep, new] = [n, MEMORY + n, 2 * MEMORY + n];
            let reset = logistic(sound[reset] + memory[reset]);
            let keep = logistic(sound[keep] + memory[keep]);
            let proposal = tanh(sound[new] + reset * memory[new]);
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

/// Weighted sums of some inputs.
#[derive(Debug)]
pub(super) struct Layer<const UNITS: usize> {
    /// By input, then by unit: in this order the sums are wide, and yet the same bits on every machine.
    pub(super) weights: Vec<[f32; UNITS]>,
    /// What each unit has without input.
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

    /// A frame as unlike others as real ones are, and more.
    fn frame(index: u64, size: f64) -> [f32; FEATURES] {
        let mut draw = Chance::new(5, "frames").event(index);
        std::array::from_fn(|n| weights().mean[n] + draw.between(-size, size) as f32 / weights().scale[n])
    }

    /// The same, written down again unit by unit in doubles.
    fn plainly(frames: &[[f32; FEATURES]]) -> Vec<f64> {
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
            let sound: Vec<f64> = (0..FIRST).map(first).collect();
            let of_sound = |gate: usize| {
                let weight = |n: usize| f64::from(weights().of_sound.weights[n][gate]);
                sum(&weight, weights().of_sound.bias[gate], &sound)
            };
            let of_memory = |gate: usize| {
                let weight = |n: usize| f64::from(weights().of_memory.weights[n][gate]);
                sum(&weight, weights().of_memory.bias[gate], &memory)
            };
            memory = (0..MEMORY)
                .map(|unit| {
                    let reset = logistic(of_sound(unit) + of_memory(unit));
                    let keep = logistic(of_sound(MEMORY + unit) + of_memory(MEMORY + unit));
                    let new = of_sound(2 * MEMORY + unit) + reset * of_memory(2 * MEMORY + unit);
                    (1.0 - keep) * (2.0 * logistic(2.0 * new) - 1.0) + keep * memory[unit]
                })
                .collect();
        }
        memory
    }

    #[test]
    fn the_memory_is_that_of_gated_units_written_plainly() {
        let frames: Vec<_> = (0..40).map(|n| frame(n, 2.0)).collect();
        let mut network = standard();
        for frame in &frames {
            network.hear(frame);
        }
        for (ours, wanted) in network.memory.iter().zip(plainly(&frames)) {
            assert!((f64::from(*ours) - wanted).abs() < 1e-4, "{ours} for {wanted}");
        }
    }

    #[test]
    fn a_frame_is_judged_when_those_after_it_are_there() {
        let mut network = standard();
        let judged: Vec<bool> = (0..8).map(|n| network.hear(&frame(n, 1.0)).is_some()).collect();
        assert_eq!(judged, [false, false, false, false, true, true, true, true]);
    }

    proptest! {
        #[test]
        fn whatever_comes_in_probabilities_are_of_one_whole_and_nothing_remembered_grows(
            sizes in prop::collection::vec(prop::sample::select(vec![0.0, 0.1, 1.0, 5.0, 1e3, 1e6]), 5..60),
        ) {
            let mut network = standard();
            for (n, size) in sizes.into_iter().enumerate() {
                let found = network.hear(&frame(n as u64, size));
                prop_assert!(network.memory.iter().all(|unit| unit.abs() <= 1.0));
                if let Some(found) = found {
                    prop_assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5 && found.iter().all(|p| *p >= 0.0));
                }
            }
        }
    }
}
