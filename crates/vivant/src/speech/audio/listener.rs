//! Audio lip-sync: converts samples to frames with loudness, pitch and viseme weights.
//!
//! [`Listener::process`] takes chunks of any size and returns a [`LipSyncFrame`] per 10 ms, each
//! [`Listener::late_secs`] after its time; call [`Listener::finish`] at the end to obtain the last frames. One listener
//! serves one voice, because it adapts to loudness and spectrum of the speaker. Rules correct the network where it
//! cannot know better: digital silence is always silent, and a loud frame with a pitch never is. Pauses and emphasis
//! are found from the frames by `Prosody`.

use super::features::{AudioFeatures, FEATURES, FeatureExtractor};
use super::model::LipSyncModel;
use super::network::Network;
use super::{FIRST_FRAME_SECS, FRAMES_PER_SEC, LATE_FRAMES, LATE_SECS, VISEMES};
use crate::Result;
use crate::speech::viseme::{Class, Viseme};
use std::sync::Arc;

/// Lip-sync output for 10 ms of audio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LipSyncFrame {
    /// Time of the frame in seconds since the first sample.
    pub at_secs: f64,
    /// Loudness from 0 (silence and noise) to 1 (the speaker's own peaks), independent of the recording level.
    pub loudness: f32,
    /// Pitch in Hz; `None` for unvoiced frames.
    pub pitch_hz: Option<f32>,
    /// Probabilities of the [classes](Class::ALL); their sum is 1.
    pub class: [f32; 8],
    /// Weights of the [visemes](Viseme::ALL); their sum is 1.
    pub visemes: [f32; VISEMES],
}

impl LipSyncFrame {
    /// Returns true if the frame is voiced.
    #[must_use]
    pub const fn is_voiced(&self) -> bool {
        self.pitch_hz.is_some()
    }

    /// Returns the class with the highest probability.
    #[must_use]
    pub fn most_likely(&self) -> Class {
        let most = (1..8).fold(0, |most, n| if self.class[n] > self.class[most] { n } else { most });
        Class::ALL[most]
    }
}

/// Recognizes visemes in the audio of one voice.
#[derive(Clone)]
pub struct Listener {
    extractor: FeatureExtractor,
    network: Network,
    /// Features of the last frames, newest first.
    frames: [AudioFeatures; LATE_FRAMES + 1],
    frame_count: u64,
    rate_hz: u32,
}

impl Listener {
    /// Creates a listener with the built-in model, for samples at 8 to 192 kHz.
    ///
    /// # Errors
    /// If the rate is not within [`RATES_HZ`](super::RATES_HZ), or no model is [built in](LipSyncModel::built_in).
    pub fn new(rate_hz: u32) -> Result<Self> {
        Self::with_model(rate_hz, Arc::new(LipSyncModel::built_in()?))
    }

    /// Creates a listener for samples at 8 to 192 kHz.
    ///
    /// # Errors
    /// If the rate is not within [`RATES_HZ`](super::RATES_HZ).
    pub fn with_model(rate_hz: u32, model: Arc<LipSyncModel>) -> Result<Self> {
        let nothing = AudioFeatures { features: [0.0; FEATURES], loudness: 0.0, is_silent: true };
        Ok(Self {
            extractor: FeatureExtractor::new(rate_hz)?,
            network: Network::new(model),
            frames: [nothing; LATE_FRAMES + 1],
            frame_count: 0,
            rate_hz,
        })
    }

    /// Returns the delay in seconds between the time of a frame and its output.
    #[must_use]
    pub fn late_secs(&self) -> f64 {
        LATE_SECS + self.extractor.delay_secs()
    }

    /// Processes the next samples (one channel, −1 to 1) and returns the frames that they complete. Non-finite
    /// samples count as silence. All samples are processed even if the iterator is dropped early.
    pub fn process<'a>(&'a mut self, samples: &'a [f32]) -> Frames<'a> {
        Frames { listener: self, samples: samples.iter(), silent: 0 }
    }

    /// Flushes delayed frames by processing as much silence as needed.
    pub fn finish(&mut self) -> Frames<'_> {
        let silent = (self.late_secs() * f64::from(self.rate_hz)) as u32;
        Frames { listener: self, samples: [].iter(), silent }
    }

    fn next_frame(&mut self) -> Option<LipSyncFrame> {
        while let Some(features) = self.extractor.next_frame() {
            self.frames.rotate_right(1);
            self.frames[0] = features;
            if let Some(visemes) = self.network.process(&features.features) {
                return Some(self.frame(visemes));
            }
        }
        None
    }

    fn frame(&mut self, visemes: [f32; VISEMES]) -> LipSyncFrame {
        let AudioFeatures { loudness, is_silent, .. } = self.frames[LATE_FRAMES];
        let pitch_hz = if loudness > 0.0 { self.extractor.late_pitch_hz() } else { None };
        let is_voice = pitch_hz.is_some() && loudness >= LOUD;
        let visemes = match (is_silent, is_voice) {
            (true, _) => SILENT,
            (false, true) => without_silence(visemes),
            (false, false) => visemes,
        };
        let at_secs = FIRST_FRAME_SECS + self.frame_count as f64 / FRAMES_PER_SEC;
        self.frame_count += 1;
        LipSyncFrame { at_secs, loudness, pitch_hz, class: classes(&visemes), visemes }
    }
}

/// Loudness from which on a frame with a pitch is not silence, even if its spectrum does not resemble speech, such as
/// the spectrum of a buzzer. On held-out speakers this rule improves accuracy by about 0.1 percentage points.
const LOUD: f32 = 0.5;

fn without_silence(mut visemes: [f32; VISEMES]) -> [f32; VISEMES] {
    visemes[0] = 0.0;
    let sum: f32 = visemes.iter().sum();
    // If no other viseme has any weight, all visemes except silence are equally likely.
    if sum > 1e-6 { visemes.map(|weight| weight / sum) } else { UNIFORM }
}

const UNIFORM: [f32; VISEMES] = {
    let mut weights = [1.0 / (VISEMES - 1) as f32; VISEMES];
    weights[0] = 0.0;
    weights
};

const SILENT: [f32; VISEMES] = {
    let mut silent = [0.0; VISEMES];
    silent[0] = 1.0;
    silent
};

fn classes(visemes: &[f32; VISEMES]) -> [f32; 8] {
    let mut classes = [0.0; 8];
    for (viseme, weight) in visemes.iter().enumerate() {
        classes[Viseme::ALL[viseme].class() as usize] += weight;
    }
    classes
}

/// Iterator over the frames that the samples of [`Listener::process`] complete.
pub struct Frames<'a> {
    listener: &'a mut Listener,
    samples: std::slice::Iter<'a, f32>,
    silent: u32,
}

impl Frames<'_> {
    fn next_sample(&mut self) -> Option<f32> {
        if let Some(sample) = self.samples.next() {
            return Some(*sample);
        }
        self.silent = self.silent.checked_sub(1)?;
        Some(0.0)
    }
}

impl Iterator for Frames<'_> {
    type Item = LipSyncFrame;

    fn next(&mut self) -> Option<LipSyncFrame> {
        loop {
            if let Some(frame) = self.listener.next_frame() {
                return Some(frame);
            }
            let sample = self.next_sample()?;
            self.listener.extractor.push(sample);
        }
    }
}

impl Drop for Frames<'_> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}
