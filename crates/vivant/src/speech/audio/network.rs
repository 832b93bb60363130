//! What a sound most likely is, by a small network over a little of the past and the future.

use super::ear::FEATURES;
use super::standard;
use super::{LATE_FRAMES, VISEMES};
use crate::math;

/// Frames of the past, of now and of the future that are averaged to one input each, counted from the newest: finer
/// near the frame that is judged, which is number [`LATE_FRAMES`].
const SPANS: [std::ops::Range<usize>; 12] =
    [0..1, 1..2, 2..3, 3..4, 4..5, 5..6, 6..7, 7..8, 8..10, 10..13, 13..17, 17..22];
const FRAMES: usize = SPANS[SPANS.len() - 1].end;
/// Numbers that go into the network.
pub(super) const INPUTS: usize = SPANS.len() * FEATURES;
/// Units between the inputs and the visemes.
pub(super) const FIRST: usize = 192;
pub(super) const SECOND: usize = 96;

/// The last frames, newest first.
#[derive(Clone, Debug)]
pub(super) struct Memory {
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
    pub(super) fn push(&mut self, features: &[f32; FEATURES]) {
        if self.count == 0 {
            self.frames.fill(*features);
        }
        self.frames.rotate_right(1);
        self.frames[0] = *features;
        self.count = self.count.saturating_add(1);
    }

    /// Whether the frame that is judged is there.
    pub(super) const fn is_ready(&self) -> bool {
        self.count > LATE_FRAMES
    }

    /// What goes into the network.
    pub(super) fn inputs(&self) -> [f32; INPUTS] {
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

/// Two layers of rectified units, and a softmax over visemes.
#[derive(Clone, Debug)]
pub(super) struct Network {
    first: Layer<FIRST>,
    second: Layer<SECOND>,
    out: Layer<VISEMES>,
}

impl Network {
    /// The one that was fitted by `tests/speech/fit.py`.
    pub(super) fn standard() -> Self {
        Self {
            first: Layer::new(&standard::FIRST_WEIGHTS, &standard::FIRST_BIAS),
            second: Layer::new(&standard::SECOND_WEIGHTS, &standard::SECOND_BIAS),
            out: Layer::new(&standard::OUT_WEIGHTS, &standard::OUT_BIAS),
        }
    }

    /// The probabilities of the visemes.
    pub(super) fn judge(&self, inputs: &[f32; INPUTS]) -> [f32; VISEMES] {
        let first = self.first.of(inputs).map(rectified);
        let second = self.second.of(&first).map(rectified);
        softmax(self.out.of(&second))
    }
}

fn rectified(unit: f32) -> f32 {
    unit.max(0.0)
}

/// Weights are kept as whole numbers of this many to one.
const UNIT: f32 = 512.0;

/// Whole numbers, their low bytes apart from their high ones, and their signs last: most are small, and a program that
/// is sent over a network compresses to a fifth less with them.
pub(super) struct Packed<const UNITS: usize, const INPUTS: usize> {
    low: [[u8; UNITS]; INPUTS],
    high: [[u8; UNITS]; INPUTS],
}

impl<const UNITS: usize, const INPUTS: usize> Packed<UNITS, INPUTS> {
    /// By input, then by unit.
    pub(super) const fn of(whole: &[[i16; UNITS]; INPUTS]) -> Self {
        let mut packed = Self { low: [[0; UNITS]; INPUTS], high: [[0; UNITS]; INPUTS] };
        let mut at = 0;
        while at < UNITS * INPUTS {
            let (input, unit) = (at / UNITS, at % UNITS);
            let number = whole[input][unit];
            let [low, high] = ((number << 1) ^ (number >> 15)).to_le_bytes();
            packed.low[input][unit] = low;
            packed.high[input][unit] = high;
            at += 1;
        }
        packed
    }

    fn get(&self, input: usize, unit: usize) -> i16 {
        let packed = u16::from_le_bytes([self.low[input][unit], self.high[input][unit]]);
        (packed >> 1) as i16 ^ -((packed & 1) as i16)
    }
}

/// Weighted sums of some inputs.
#[derive(Clone, Debug)]
struct Layer<const UNITS: usize> {
    /// By input, then by unit: in this order the sums are wide, and yet the same bits on every machine.
    weights: Vec<[f32; UNITS]>,
    /// What each unit has without input.
    bias: [f32; UNITS],
}

impl<const UNITS: usize> Layer<UNITS> {
    fn new<const INPUTS: usize>(weights: &Packed<UNITS, INPUTS>, bias: &[i16; UNITS]) -> Self {
        let parts = |whole: i16| f32::from(whole) / UNIT;
        let of = |input| std::array::from_fn(|unit| parts(weights.get(input, unit)));
        Self { weights: (0..INPUTS).map(of).collect(), bias: bias.map(parts) }
    }

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

    #[test]
    fn memory_is_finest_around_the_frame_that_is_judged() {
        let mut memory = Memory::default();
        for n in 0..FRAMES {
            assert_eq!(memory.is_ready(), n > LATE_FRAMES);
            memory.push(&[n as f32; FEATURES]);
        }
        let firsts: Vec<f32> = memory.inputs().chunks_exact(FEATURES).map(|span| span[0]).collect();
        assert_eq!(firsts, [21.0, 20.0, 19.0, 18.0, 17.0, 16.0, 15.0, 14.0, 12.5, 10.0, 6.5, 2.0]);
    }

    #[test]
    fn numbers_come_back_as_they_were_packed() {
        let all = std::array::from_fn(|high| std::array::from_fn(|low| (256 * high + low) as u16 as i16));
        let packed: Box<Packed<256, 256>> = Box::new(Packed::of(&all));
        for (input, unit) in (0..256).flat_map(|input| (0..256).map(move |unit| (input, unit))) {
            assert_eq!(packed.get(input, unit), all[input][unit]);
        }
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
