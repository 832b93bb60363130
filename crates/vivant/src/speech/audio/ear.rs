//! From samples to sounds: what is known of each 10 ms before anyone says what it means.

use super::fft::{BINS, Fft, SIZE};
use super::level::{Least, Level};
use super::mel::{BANDS, Mel};
use super::pitch::{SPAN, Yin};
use super::resample::Resampler;
use super::{FRAME, LATE_FRAMES, RATE_HZ, WINDOW};
use crate::{Error, Result, math};

/// Numbers that say what a frame sounds like.
pub const FEATURES: usize = 3 + BANDS;
/// Sample rates that are heard.
pub const RATES_HZ: std::ops::RangeInclusive<u32> = 8000..=192_000;

const RING: usize = 2048;
/// A leak of what is constant: a corner at 26 Hz.
const DC_LEAK: f32 = 0.99;
/// No sample is taken for louder than this, 60 dB above full scale.
const LOUDEST: f32 = 1000.0;
/// Below −84 dB of full scale there is nothing, whatever the level was before.
const NOTHING: f32 = -19.3;
/// Usual peaks of speech: the mean band, and the power.
const USUAL_MEAN: f32 = -3.0;
const USUAL_POWER: f32 = -5.0;
/// The mean of noise above its least, in nepers of power.
const LEAST_OF_NOISE: f32 = 0.7;
/// At least this share of a band is left, whatever the noise.
const MOST_TAKEN: f32 = 0.15;
/// The mean spectrum of voices, with which a listener begins.
const USUAL_BANDS: [f32; BANDS] = [
    4.53, 4.18, 3.87, 3.6, 2.8, 1.33, -0.06, -0.52, -0.25, -0.16, -0.61, -1.01, -0.79, -0.22, 0.12, 0.11,
    -0.04, -0.43, -1.34, -2.61, -3.52, -3.57, -2.98, -2.42,
];
/// A speaker's mean spectrum is known as well as from this many frames at the beginning,
const KNOWN_FRAMES: f32 = 30.0;
/// and forgotten after as many seconds of voice as this is hundredths.
const KEPT_FRAMES: f32 = 400.0;

/// What is heard in 10 ms.
#[derive(Clone, Copy, Debug)]
pub struct Sound {
    /// The level against the voice's peak, against the noise, the distance of these two (nepers of power), and the
    /// shape of the spectrum against the speaker's mean.
    pub features: [f32; FEATURES],
    /// From 0 in the noise to 1 at the voice's peaks.
    pub loudness: f32,
    /// Whether there is anything at all.
    pub is_silent: bool,
}

/// Makes sounds from samples, one each 10 ms, when the window of 25 ms around it is there.
#[derive(Clone)]
pub struct Ear {
    resampler: Resampler,
    constant: f32,
    before: f32,
    ring: [f32; RING],
    heard: u64,
    window: [f32; WINDOW],
    fft: Fft,
    power: [f32; BINS],
    mel: Mel,
    yin: Yin,
    noise: [Least; BANDS],
    bands: Level,
    level: Level,
    usual: [f32; BANDS],
    known_frames: f32,
}

impl Ear {
    /// # Errors
    /// If the rate is not within [`RATES_HZ`].
    pub fn new(rate_hz: u32) -> Result<Self> {
        if !RATES_HZ.contains(&rate_hz) {
            let [low, high] = [RATES_HZ.start(), RATES_HZ.end()];
            return Err(Error::new(format!(
                "audio at {rate_hz} Hz cannot be heard; use a rate from {low} to {high} Hz"
            )));
        }
        Ok(Self {
            resampler: Resampler::new(rate_hz),
            constant: 0.0,
            before: 0.0,
            ring: [0.0; RING],
            heard: 0,
            window: std::array::from_fn(hann),
            fft: Fft::new(),
            power: [0.0; BINS],
            mel: Mel::new(),
            yin: Yin::new(),
            noise: [Least::default(); BANDS],
            bands: Level::with_quick_floor(USUAL_MEAN),
            level: Level::new(USUAL_POWER),
            usual: USUAL_BANDS,
            known_frames: KNOWN_FRAMES,
        })
    }

    /// How much later than at 16 kHz all comes, in seconds.
    pub(super) fn delay_secs(&self) -> f64 {
        self.resampler.delay_secs()
    }

    /// Takes a sample.
    pub fn push(&mut self, sample: f32) {
        self.resampler.push(if sample.is_finite() { sample.clamp(-LOUDEST, LOUDEST) } else { 0.0 });
    }

    /// The next sound that is known, if one is. Call it until there is none, after each sample.
    pub fn next_sound(&mut self) -> Option<Sound> {
        while let Some(sample) = self.resampler.next() {
            self.constant = sample - self.before + DC_LEAK * self.constant;
            self.before = sample;
            self.ring[self.heard as usize % RING] = self.constant;
            self.heard += 1;
            if self.heard >= WINDOW as u64 && (self.heard - WINDOW as u64).is_multiple_of(FRAME as u64) {
                return Some(self.sound());
            }
        }
        None
    }

    fn sound(&mut self) -> Sound {
        let begin = self.heard as usize - WINDOW;
        let (ring, window) = (&self.ring, &self.window);
        let sample = |n: usize| if n < WINDOW { ring[(begin + n) % RING] * window[n] } else { 0.0 };
        self.fft.power(sample, &mut self.power);
        let bands = self.mel.bands(&self.power);
        let mean_band = bands.iter().sum::<f32>() / bands.len() as f32;
        let power = self.power();
        self.bands.follow(mean_band);
        self.level.follow(power);
        let shape = without_mean(self.without_noise(&bands));
        if self.bands.is_voice(mean_band) {
            self.know(&shape);
        }
        let is_silent = power < NOTHING;
        let loudness = if is_silent { 0.0 } else { self.level.share(power) };
        Sound { features: self.features(mean_band, &shape), loudness, is_silent }
    }

    /// Bands less the noise that was under them (Boll 1979, by band).
    fn without_noise(&mut self, bands: &[f32; BANDS]) -> [f32; BANDS] {
        std::array::from_fn(|n| {
            let noise = self.noise[n].follow(bands[n]) + LEAST_OF_NOISE;
            bands[n] + math::ln32((1.0 - math::exp32(noise - bands[n])).max(MOST_TAKEN))
        })
    }

    /// The logarithm of the mean square in the window: 0 for a constant of one.
    fn power(&self) -> f32 {
        // Both halves of the spectrum, by the energy of Hann's window, 3/8 of its length.
        let sum: f32 = self.power.iter().sum::<f32>() * 2.0 / (SIZE as f32 * 0.375 * WINDOW as f32);
        math::ln32(sum + 1e-12)
    }

    /// The speaker's mean spectrum, from frames of the voice: of all first, then of the last seconds.
    fn know(&mut self, shape: &[f32; BANDS]) {
        self.known_frames = (self.known_frames + 1.0).min(KEPT_FRAMES);
        for (usual, shape) in self.usual.iter_mut().zip(shape) {
            *usual += (shape - *usual) / self.known_frames;
        }
    }

    fn features(&self, mean_band: f32, shape: &[f32; BANDS]) -> [f32; FEATURES] {
        let Level { peak, floor, .. } = self.bands;
        std::array::from_fn(|n| match n {
            0 => (mean_band - peak).max(-10.0),
            1 => (mean_band - floor).clamp(-4.0, 12.0),
            2 => (peak - floor).min(12.0),
            n => shape[n - 3] - self.usual[n - 3],
        })
    }

    /// The pitch at the middle of the frame that is as late as the listener.
    pub(super) fn late_pitch_hz(&mut self) -> Option<f32> {
        let middle = self.heard as i64 - (WINDOW / 2 + LATE_FRAMES * FRAME) as i64;
        let Self { yin, ring, heard, .. } = self;
        // Outside of what was heard it is silent.
        let sample = |at: i64| if at < 0 || at as u64 >= *heard { 0.0 } else { ring[at as usize % RING] };
        yin.pitch_hz(|n| sample(middle + n as i64 - SPAN as i64 / 2))
    }
}

fn without_mean(bands: [f32; BANDS]) -> [f32; BANDS] {
    let mean = bands.iter().sum::<f32>() / BANDS as f32;
    bands.map(|band| band - mean)
}

fn hann(n: usize) -> f32 {
    (0.5 - 0.5 * math::cos(std::f64::consts::TAU * n as f64 / WINDOW as f64)) as f32
}

const _: () = assert!(RING >= WINDOW + (LATE_FRAMES * FRAME) + SPAN && RATE_HZ == 16_000);
