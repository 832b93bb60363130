//! From samples to frames of evidence.

use super::ear::{Ear, FEATURES, Sound};
use super::model::LipSyncModel;
use super::network::Network;
use super::{FIRST_FRAME_SECS, FRAMES_PER_SEC, LATE_FRAMES, LATE_SECS, VISEMES};
use crate::Result;
use crate::speech::viseme::{Class, Viseme};
use std::sync::Arc;

/// What was heard in 10 ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    /// The middle of the frame, in seconds since the first sample.
    pub at_secs: f64,
    /// How loud the voice is: 0 in silence and noise, 1 at the speaker's own peaks, whatever the level of the recording.
    pub loudness: f32,
    /// How high the voice is, if it has a pitch.
    pub pitch_hz: Option<f32>,
    /// Probabilities of the [classes](Class::ALL); their sum is 1.
    pub class: [f32; 8],
    /// Weights of the [visemes](Viseme::ALL); their sum is 1.
    pub visemes: [f32; VISEMES],
}

impl Heard {
    /// Whether the vocal folds sound.
    #[must_use]
    pub const fn is_voiced(&self) -> bool {
        self.pitch_hz.is_some()
    }

    /// The class with the highest probability.
    #[must_use]
    pub fn most_likely(&self) -> Class {
        let most = (1..8).fold(0, |most, n| if self.class[n] > self.class[most] { n } else { most });
        Class::ALL[most]
    }
}

/// Listens to one voice.
#[derive(Clone)]
pub struct Listener {
    ear: Ear,
    network: Network,
    /// What else is known of the last frames, newest first.
    sounds: [Sound; LATE_FRAMES + 1],
    given: u64,
    rate_hz: u32,
}

impl Listener {
    /// Listens to samples at a rate from 8 to 192 kHz with the built-in model.
    ///
    /// # Errors
    /// If the rate is not within [`RATES_HZ`](super::RATES_HZ), or no model is [built in](LipSyncModel::built_in).
    pub fn new(rate_hz: u32) -> Result<Self> {
        Self::with_model(rate_hz, Arc::new(LipSyncModel::built_in()?))
    }

    /// Listens to samples at a rate from 8 to 192 kHz.
    ///
    /// # Errors
    /// If the rate is not within [`RATES_HZ`](super::RATES_HZ).
    pub fn with_model(rate_hz: u32, model: Arc<LipSyncModel>) -> Result<Self> {
        let nothing = Sound { features: [0.0; FEATURES], loudness: 0.0, is_silent: true };
        Ok(Self {
            ear: Ear::new(rate_hz)?,
            network: Network::new(model),
            sounds: [nothing; LATE_FRAMES + 1],
            given: 0,
            rate_hz,
        })
    }

    /// How long after its middle a frame is heard, in seconds.
    #[must_use]
    pub fn late_secs(&self) -> f64 {
        LATE_SECS + self.ear.delay_secs()
    }

    /// Hears the next samples of one channel, −1 to 1, and gives the frames that are known with them. What is not a number
    /// counts as silence. All samples are heard, also if the frames are not looked at.
    pub fn hear<'a>(&'a mut self, samples: &'a [f32]) -> Frames<'a> {
        Frames { listener: self, samples: samples.iter(), silent: 0 }
    }

    /// Hears as much silence as gives the frames that were still waited for.
    pub fn finish(&mut self) -> Frames<'_> {
        let silent = (self.late_secs() * f64::from(self.rate_hz)) as u32;
        Frames { listener: self, samples: [].iter(), silent }
    }

    fn next_frame(&mut self) -> Option<Heard> {
        while let Some(sound) = self.ear.next_sound() {
            self.sounds.rotate_right(1);
            self.sounds[0] = sound;
            if let Some(visemes) = self.network.hear(&sound.features) {
                return Some(self.heard(visemes));
            }
        }
        None
    }

    fn heard(&mut self, visemes: [f32; VISEMES]) -> Heard {
        let Sound { loudness, is_silent, .. } = self.sounds[LATE_FRAMES];
        let pitch_hz = if loudness > 0.0 { self.ear.late_pitch_hz() } else { None };
        let is_voice = pitch_hz.is_some() && loudness >= LOUD;
        let visemes = match (is_silent, is_voice) {
            (true, _) => SILENT,
            (false, true) => without_silence(visemes),
            (false, false) => visemes,
        };
        let at_secs = FIRST_FRAME_SECS + self.given as f64 / FRAMES_PER_SEC;
        self.given += 1;
        Heard { at_secs, loudness, pitch_hz, class: classes(&visemes), visemes }
    }
}

/// What is as loud as this and has a pitch is no silence, even if its spectrum is as unlike speech as that of a buzzer. By
/// those who were held out of the fit this is worth about a tenth of a point.
const LOUD: f32 = 0.5;

fn without_silence(mut visemes: [f32; VISEMES]) -> [f32; VISEMES] {
    visemes[0] = 0.0;
    let sum: f32 = visemes.iter().sum();
    // If nothing else is left, any is as likely as any other.
    if sum > 1e-6 { visemes.map(|weight| weight / sum) } else { SOUNDS }
}

const SOUNDS: [f32; VISEMES] = {
    let mut sounds = [1.0 / (VISEMES - 1) as f32; VISEMES];
    sounds[0] = 0.0;
    sounds
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

/// The frames that are known with the samples that a [`Listener`] hears.
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
    type Item = Heard;

    fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some(heard) = self.listener.next_frame() {
                return Some(heard);
            }
            let sample = self.next_sample()?;
            self.listener.ear.push(sample);
        }
    }
}

impl Drop for Frames<'_> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}
