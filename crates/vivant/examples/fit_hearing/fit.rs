//! Fits the network: cross entropy by Adam (Kingma and Ba 2015) with decay of the weights (Loshchilov and Hutter 2019).

use vivant::chance::Chance;
use vivant::math;
use vivant::speech::audio::{HIDDEN, INPUTS, Network, VISEMES};

/// What goes in, and which viseme should come out.
pub struct Sample {
    pub inputs: [f32; INPUTS],
    pub viseme: usize,
}

const BATCH: usize = 256;
const RATE: f32 = 3e-3;
const DECAY: f32 = 1e-4;
/// Labels are only almost sure.
const SMOOTHING: f32 = 0.04;
const WEIGHTS: usize = INPUTS * HIDDEN + HIDDEN + HIDDEN * VISEMES + VISEMES;

/// The mean and the deviation of each input.
pub struct Scales {
    mean: Vec<f32>,
    deviation: Vec<f32>,
}

impl Scales {
    pub fn of(samples: &[Sample]) -> Self {
        let count = samples.len() as f64;
        let mean_of = |n: usize, value: fn(f64) -> f64| {
            samples.iter().map(|sample| value(f64::from(sample.inputs[n]))).sum::<f64>() / count
        };
        let mean: Vec<f64> = (0..INPUTS).map(|n| mean_of(n, |x| x)).collect();
        let variance = |n: usize| mean_of(n, |x| x * x) - mean[n] * mean[n];
        let deviation = (0..INPUTS).map(|n| variance(n).max(1e-6).sqrt() as f32).collect();
        Self { mean: mean.iter().map(|mean| *mean as f32).collect(), deviation }
    }

    pub fn apply(&self, samples: &mut [Sample]) {
        for sample in samples {
            for (input, (mean, deviation)) in
                sample.inputs.iter_mut().zip(self.mean.iter().zip(&self.deviation))
            {
                *input = (*input - mean) / deviation;
            }
        }
    }

    /// The same network for inputs that were not scaled.
    pub fn undo(&self, mut network: Network) -> Network {
        for (weights, (mean, deviation)) in
            network.hidden.iter_mut().zip(self.mean.iter().zip(&self.deviation))
        {
            for (weight, bias) in weights.iter_mut().zip(&mut network.hidden_bias) {
                *weight /= deviation;
                *bias -= *weight * mean;
            }
        }
        network
    }
}

/// Fits by so many looks at all samples.
pub fn fit(samples: &[Sample], epochs: usize, tell: impl Fn(usize, f32)) -> Network {
    let chance = Chance::new(9, "fit");
    let mut network = begin(chance);
    let mut adam = Adam { mean: vec![0.0; WEIGHTS], square: vec![0.0; WEIGHTS], steps: 0 };
    let (per_epoch, mut draw) = (samples.len() / BATCH, chance.event(1));
    for epoch in 0..epochs {
        let mut loss = 0.0;
        for step in 0..per_epoch {
            let mut gradient = Gradient::new();
            for _ in 0..BATCH {
                let sample = &samples[(draw.uniform() * samples.len() as f64) as usize];
                loss += gradient.add(&network, sample);
            }
            let done = (epoch * per_epoch + step) as f32 / (epochs * per_epoch) as f32;
            // Up in a tenth of the time, and down to nothing.
            let rate = RATE * (done / 0.1).min((1.0 - done) / 0.9);
            adam.step(&mut network, &gradient, rate);
        }
        tell(epoch, loss / (per_epoch * BATCH) as f32);
    }
    network
}

/// He's initial weights (2015).
fn begin(chance: Chance) -> Network {
    let mut draw = chance.event(0);
    let mut weight = |inputs: usize| ((draw.uniform() - 0.5) * (24.0 / inputs as f64).sqrt()) as f32;
    Network {
        hidden: (0..INPUTS).map(|_| std::array::from_fn(|_| weight(INPUTS))).collect(),
        hidden_bias: [0.0; HIDDEN],
        out: (0..HIDDEN).map(|_| std::array::from_fn(|_| weight(4 * HIDDEN))).collect(),
        out_bias: [0.0; VISEMES],
    }
}

struct Gradient {
    hidden: Vec<[f32; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    out: Vec<[f32; VISEMES]>,
    out_bias: [f32; VISEMES],
}

impl Gradient {
    fn new() -> Self {
        Self {
            hidden: vec![[0.0; HIDDEN]; INPUTS],
            hidden_bias: [0.0; HIDDEN],
            out: vec![[0.0; VISEMES]; HIDDEN],
            out_bias: [0.0; VISEMES],
        }
    }

    /// Adds a sample's and gives its loss.
    fn add(&mut self, network: &Network, sample: &Sample) -> f32 {
        let units = network.units(&sample.inputs);
        let found = network.visemes(&units);
        let wanted =
            |n: usize| SMOOTHING / VISEMES as f32 + if n == sample.viseme { 1.0 - SMOOTHING } else { 0.0 };
        let off: [f32; VISEMES] = std::array::from_fn(|n| found[n] - wanted(n));
        let mut back = [0.0; HIDDEN];
        for (n, (weights, sums)) in network.out.iter().zip(&mut self.out).enumerate() {
            sums.iter_mut().zip(&off).for_each(|(sum, off)| *sum += off * units[n]);
            let sum: f32 = weights.iter().zip(&off).map(|(weight, off)| weight * off).sum();
            back[n] = if units[n] > 0.0 { sum } else { 0.0 };
        }
        for (input, sums) in sample.inputs.iter().zip(&mut self.hidden) {
            sums.iter_mut().zip(&back).for_each(|(sum, back)| *sum += input * back);
        }
        self.hidden_bias.iter_mut().zip(&back).for_each(|(sum, back)| *sum += back);
        self.out_bias.iter_mut().zip(&off).for_each(|(sum, off)| *sum += off);
        -math::ln32(found[sample.viseme].max(1e-9))
    }
}

struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn step(&mut self, network: &mut Network, gradient: &Gradient, rate: f32) {
        self.steps += 1;
        let [first, second] =
            [0.9_f64, 0.999].map(|beta| (1.0 - math::pow(beta, f64::from(self.steps))) as f32);
        let weights = network.hidden.as_flattened_mut().iter_mut().chain(&mut network.hidden_bias);
        let weights = weights.chain(network.out.as_flattened_mut()).chain(&mut network.out_bias);
        let sums = gradient.hidden.as_flattened().iter().chain(&gradient.hidden_bias);
        let sums = sums.chain(gradient.out.as_flattened()).chain(&gradient.out_bias);
        for (((weight, sum), mean), square) in weights.zip(sums).zip(&mut self.mean).zip(&mut self.square) {
            let slope = sum / BATCH as f32;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *weight -= rate * (*mean / first / ((*square / second).sqrt() + 1e-8) + DECAY * *weight);
        }
    }
}
