//! Feature extraction: converts samples to acoustic features, one frame per 10 ms, before classification.
//!
//! Loudness, microphone and noise must not change the visemes. The features are therefore relative: to the running peak
//! of the voice, to the estimated noise, and to the mean spectrum of the speaker. Add samples with
//! [`FeatureExtractor::push`] and take frames with [`FeatureExtractor::next_frame`] until it returns `None`. Training
//! uses the same code as lip-sync, so both see the same values. The estimates start from usual values, so the first
//! frames are usable as well.

use super::fft::{BINS, Fft, SIZE};
use super::level::{Level, Minimum};
use super::mel::{BANDS, Mel};
use super::pitch::{SPAN, Yin};
use super::resample::Resampler;
use super::{FRAME, LATE_FRAMES, RATE_HZ, WINDOW};
use crate::{Error, Result, math};

/// Number of features per frame.
pub const FEATURES: usize = 3 + BANDS;
/// Supported sampling rates in Hz.
pub const RATES_HZ: std::ops::RangeInclusive<u32> = 8000..=192_000;

const RING: usize = 2048;
/// Coefficient of the filter that removes DC: corner frequency 26 Hz.
const DC_LEAK: f32 = 0.99;
/// Maximum absolute value of a sample, 60 dB above full scale; larger samples are clamped.
const MAX_SAMPLE: f32 = 1000.0;
/// Level below which a frame is always silent, in nepers of power: −84 dB of full scale.
const SILENCE_LEVEL: f32 = -19.3;
/// Typical peak of the mean band level of speech, in nepers of power.
const USUAL_MEAN: f32 = -3.0;
/// Typical peak power of speech, in nepers of power.
const USUAL_POWER: f32 = -5.0;
/// Mean level of noise above its minimum, in nepers of power.
const NOISE_ABOVE_MIN: f32 = 0.7;
/// Minimum share of a band that remains after noise subtraction.
const MIN_BAND_SHARE: f32 = 0.15;
/// Mean spectrum of voices, used as the initial estimate for a speaker.
const USUAL_BANDS: [f32; BANDS] = [
    4.53, 4.18, 3.87, 3.6, 2.8, 1.33, -0.06, -0.52, -0.25, -0.16, -0.61, -1.01, -0.79, -0.22, 0.12, 0.11,
    -0.04, -0.43, -1.34, -2.61, -3.52, -3.57, -2.98, -2.42,
];
/// Weight of the initial mean spectrum, in frames.
const INITIAL_FRAMES: f32 = 30.0;
/// Time constant of the speaker's mean spectrum, in frames of voice: 4 s.
const MAX_FRAMES: f32 = 400.0;

/// Acoustic features of a 10 ms frame.
#[derive(Clone, Copy, Debug)]
pub struct AudioFeatures {
    /// Level relative to the peak of the voice, level relative to the noise, the difference of these two (nepers of
    /// power), and the shape of the spectrum relative to the speaker's mean.
    pub features: [f32; FEATURES],
    /// Loudness from 0 (noise) to 1 (peaks of the voice).
    pub loudness: f32,
    /// True if the frame is digital silence.
    pub is_silent: bool,
}

/// Extracts acoustic features from samples: one frame per 10 ms, which is available when its 25 ms window is complete.
#[derive(Clone)]
pub struct FeatureExtractor {
    resampler: Resampler,
    constant: f32,
    before: f32,
    ring: [f32; RING],
    received: u64,
    window: [f32; WINDOW],
    fft: Fft,
    power: [f32; BINS],
    mel: Mel,
    yin: Yin,
    noise: [Minimum; BANDS],
    bands: Level,
    level: Level,
    usual: [f32; BANDS],
    mean_frames: f32,
}

impl FeatureExtractor {
    /// Creates an extractor for samples at the given rate.
    ///
    /// # Errors
    /// If the rate is not within [`RATES_HZ`].
    pub fn new(rate_hz: u32) -> Result<Self> {
        if !RATES_HZ.contains(&rate_hz) {
            let [low, high] = [RATES_HZ.start(), RATES_HZ.end()];
            return Err(Error::new(format!(
                "unsupported sampling rate {rate_hz} Hz; use a rate from {low} to {high} Hz"
            )));
        }
        Ok(Self {
            resampler: Resampler::new(rate_hz),
            constant: 0.0,
            before: 0.0,
            ring: [0.0; RING],
            received: 0,
            window: std::array::from_fn(hann),
            fft: Fft::new(),
            power: [0.0; BINS],
            mel: Mel::new(),
            yin: Yin::new(),
            noise: [Minimum::default(); BANDS],
            bands: Level::with_quick_floor(USUAL_MEAN),
            level: Level::new(USUAL_POWER),
            usual: USUAL_BANDS,
            mean_frames: INITIAL_FRAMES,
        })
    }

    /// Returns the additional delay compared with 16 kHz input, in seconds.
    pub(super) fn delay_secs(&self) -> f64 {
        self.resampler.delay_secs()
    }

    /// Adds a sample. Non-finite samples count as silence.
    pub fn push(&mut self, sample: f32) {
        self.resampler.push(if sample.is_finite() { sample.clamp(-MAX_SAMPLE, MAX_SAMPLE) } else { 0.0 });
    }

    /// Returns the next complete frame, if any. Call it after each sample until it returns `None`.
    pub fn next_frame(&mut self) -> Option<AudioFeatures> {
        while let Some(sample) = self.resampler.next() {
            self.constant = sample - self.before + DC_LEAK * self.constant;
            self.before = sample;
            self.ring[self.received as usize % RING] = self.constant;
            self.received += 1;
            if self.received >= WINDOW as u64 && (self.received - WINDOW as u64).is_multiple_of(FRAME as u64)
            {
                return Some(self.analyse());
            }
        }
        None
    }

    fn analyse(&mut self) -> AudioFeatures {
        let start = self.received as usize - WINDOW;
        let (ring, window) = (&self.ring, &self.window);
        let sample = |n: usize| if n < WINDOW { ring[(start + n) % RING] * window[n] } else { 0.0 };
        self.fft.power(sample, &mut self.power);
        let bands = self.mel.bands(&self.power);
        let mean_band = bands.iter().sum::<f32>() / bands.len() as f32;
        let power = self.power();
        self.bands.follow(mean_band);
        self.level.follow(power);
        let shape = without_mean(self.without_noise(&bands));
        if self.bands.is_voice(mean_band) {
            self.update_speaker_mean(&shape);
        }
        let is_silent = power < SILENCE_LEVEL;
        let loudness = if is_silent { 0.0 } else { self.level.share(power) };
        AudioFeatures { features: self.features(mean_band, &shape), loudness, is_silent }
    }

    /// Subtracts the estimated noise from each band (spectral subtraction, Boll 1979).
    fn without_noise(&mut self, bands: &[f32; BANDS]) -> [f32; BANDS] {
        std::array::from_fn(|n| {
            let noise = self.noise[n].follow(bands[n]) + NOISE_ABOVE_MIN;
            bands[n] + math::ln32((1.0 - math::exp32(noise - bands[n])).max(MIN_BAND_SHARE))
        })
    }

    /// Returns the natural logarithm of the mean square in the window: 0 for a constant signal of 1.
    fn power(&self) -> f32 {
        // The factor 2 accounts for both halves of the spectrum; 3/8 is the mean energy of a Hann window.
        let sum: f32 = self.power.iter().sum::<f32>() * 2.0 / (SIZE as f32 * 0.375 * WINDOW as f32);
        math::ln32(sum + 1e-12)
    }

    /// Updates the speaker's mean spectrum: a plain mean at first, later an exponential mean over the last seconds.
    fn update_speaker_mean(&mut self, shape: &[f32; BANDS]) {
        self.mean_frames = (self.mean_frames + 1.0).min(MAX_FRAMES);
        for (usual, shape) in self.usual.iter_mut().zip(shape) {
            *usual += (shape - *usual) / self.mean_frames;
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

    /// Returns the pitch in Hz at the middle of the frame that the listener returns next; `None` if that frame has no
    /// pitch.
    pub(super) fn late_pitch_hz(&mut self) -> Option<f32> {
        let middle = self.received as i64 - (WINDOW / 2 + LATE_FRAMES * FRAME) as i64;
        let Self { yin, ring, received, .. } = self;
        // Samples outside the received range count as silence.
        let sample = |at: i64| if at < 0 || at as u64 >= *received { 0.0 } else { ring[at as usize % RING] };
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
