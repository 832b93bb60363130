//! What a sound most likely is, by a small network over a little of the past and the future.

use super::ear::FEATURES;
use super::standard;
use super::{LATE_FRAMES, VISEMES};
use crate::math;

/// Frames of the past, of now and of the future that are averaged to one input each, counted from the newest: finer
/// near the frame that is judged, which is number [`LATE_FRAMES`].
const SPANS: [std::ops::Range<usize>; 9] = [0..2, 2..3, 3..4, 4..5, 5..6, 6..8, 8..11, 11..15, 15..20];
const FRAMES: usize = SPANS[SPANS.len() - 1].end;
/// Numbers that go into the network.
pub const INPUTS: usize = SPANS.len() * FEATURES;
/// Units between the inputs and the visemes.
pub const HIDDEN: usize = 96;

/// The last frames, newest first.
#[derive(Clone, Debug)]
pub struct Memory {
    frames: [[f32; FEATURES]; FRAMES],
    count: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self { frames: [[0.0; FEATURES]; FRAMES], count: 0 }
    }
}

impl Memory {
    /// Takes the features of the next frame. Before the first, it was as in the first.
    pub fn push(&mut self, features: &[f32; FEATURES]) {
        if self.count == 0 {
            self.frames.fill(*features);
        }
        self.frames.rotate_right(1);
        self.frames[0] = *features;
        self.count = self.count.saturating_add(1);
    }

    /// Whether the frame that is judged is there.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        self.count > LATE_FRAMES
    }

    /// What goes into the network.
    #[must_use]
    pub fn inputs(&self) -> [f32; INPUTS] {
        let mut inputs = [0.0; INPUTS];
        for (span, inputs) in SPANS.iter().zip(inputs.chunks_exact_mut(FEATURES)) {
            for frame in &self.frames[span.clone()] {
                inputs.iter_mut().zip(frame).for_each(|(input, feature)| *input += feature);
            }
            inputs.iter_mut().for_each(|input| *input /= span.len() as f32);
        }
        inputs
    }
}

/// One layer of rectified units, and a softmax over visemes.
#[derive(Clone, Debug)]
pub struct Network {
    /// By input, then by unit.
    pub hidden: Vec<[f32; HIDDEN]>,
    /// What each unit has without input.
    pub hidden_bias: [f32; HIDDEN],
    /// By unit, then by viseme.
    pub out: Vec<[f32; VISEMES]>,
    /// What each viseme has without a unit.
    pub out_bias: [f32; VISEMES],
}

/// Weights are kept as whole numbers of this many to one.
const UNIT: f32 = 1024.0;

impl Network {
    /// The one that was fitted by `examples/fit_hearing`.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            hidden: standard::HIDDEN_WEIGHTS.iter().map(weights).collect(),
            hidden_bias: weights(&standard::HIDDEN_BIAS),
            out: standard::OUT_WEIGHTS.iter().map(weights).collect(),
            out_bias: weights(&standard::OUT_BIAS),
        }
    }

    /// The probabilities of the visemes.
    #[must_use]
    pub fn judge(&self, inputs: &[f32; INPUTS]) -> [f32; VISEMES] {
        self.visemes(&self.units(inputs))
    }

    /// What the units between make of the inputs.
    #[must_use]
    pub fn units(&self, inputs: &[f32; INPUTS]) -> [f32; HIDDEN] {
        let mut units = self.hidden_bias;
        for (input, weights) in inputs.iter().zip(&self.hidden) {
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += input * weight);
        }
        units.map(|unit| unit.max(0.0))
    }

    /// What follows from the units between.
    #[must_use]
    pub fn visemes(&self, units: &[f32; HIDDEN]) -> [f32; VISEMES] {
        let mut out = self.out_bias;
        for (unit, weights) in units.iter().zip(&self.out) {
            out.iter_mut().zip(weights).for_each(|(out, weight)| *out += unit * weight);
        }
        softmax(out)
    }
}

fn weights<const N: usize>(whole: &[i16; N]) -> [f32; N] {
    whole.map(|whole| f32::from(whole) / UNIT)
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

    #[test]
    fn memory_is_finest_around_the_frame_that_is_judged() {
        let mut memory = Memory::default();
        for n in 0..FRAMES {
            assert_eq!(memory.is_ready(), n > LATE_FRAMES);
            memory.push(&[n as f32; FEATURES]);
        }
        let firsts: Vec<f32> = memory.inputs().chunks_exact(FEATURES).map(|span| span[0]).collect();
        assert_eq!(firsts, [18.5, 17.0, 16.0, 15.0, 14.0, 12.5, 10.0, 6.5, 2.0]);
    }

    #[test]
    fn probabilities_are_of_one_whole_whatever_comes_in() {
        let network = Network::standard();
        for scale in [0.0, 1.0, -1.0, 1e4] {
            let out = network.judge(&std::array::from_fn(|n| scale * ((n * 7 % 11) as f32 - 5.0)));
            assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-5 && out.iter().all(|p| *p >= 0.0), "{out:?}");
        }
    }
}
