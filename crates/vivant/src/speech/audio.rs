//! Audio lip-sync: from samples of a voice to visemes, loudness, pitch and pauses.
//!
//! A character must move its mouth even when only audio is available, without text or timings. A [`Listener`] takes
//! samples as they arrive and returns, every 10 ms, the loudness and pitch of the voice, probabilities of eight
//! mouth-shape classes and weights of the fifteen visemes. It uses only spectra, so it works for any language. The
//! output is [`LATE_SECS`] behind the audio. [`Prosody`] finds pauses, phrases and emphasis in this output.
//!
//! ```
//! use vivant::speech::{Class, audio::Listener};
//!
//! let mut listener = Listener::new(48_000)?;
//! for frame in listener.process(&[0.0; 4800]) {
//!     assert_eq!(frame.most_likely(), Class::Silence);
//! }
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! See `docs/science/lip-sync.md` for the accuracy and for the speakers of the test recordings.

mod features;
mod fft;
mod level;
mod listener;
mod mel;
mod model;
mod network;
mod pitch;
mod prosody;
mod resample;

pub use features::{AudioFeatures, FEATURES, FeatureExtractor, RATES_HZ};
pub use listener::{Frames, LipSyncFrame, Listener};
pub use model::LipSyncModel;
pub use prosody::{Event, Prosody};

use super::viseme::Viseme;

/// Samples of one voice, in one channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audio {
    /// Sampling rate in Hz.
    pub rate_hz: u32,
    /// Samples, nominally from −1 to 1. Larger values are allowed.
    pub samples: Vec<f32>,
}

impl Audio {
    /// Returns the length in seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate_hz.max(1))
    }
}

/// Sampling rate of the analysis in Hz.
const RATE_HZ: u32 = 16_000;
/// Samples between frames: 10 ms.
const FRAME: usize = 160;
/// Samples per spectrum: 25 ms.
const WINDOW: usize = 400;
/// Look-ahead of the classifier in frames.
const LATE_FRAMES: usize = 4;

/// Number of samples by which the time of a frame is before the middle of its window. This gives the classifier a
/// little more look-ahead while the total delay stays within 60 ms.
const AHEAD: usize = 80;

/// Frames per second.
pub const FRAMES_PER_SEC: f64 = RATE_HZ as f64 / FRAME as f64;
/// Time of the first frame in seconds.
pub const FIRST_FRAME_SECS: f64 = (WINDOW / 2 - AHEAD) as f64 / RATE_HZ as f64;
/// Delay in seconds between the time of a frame and its output, for audio at 16 kHz: 12.5 ms (half a window), 5 ms
/// and 40 ms (four frames). Resampling adds at most 1 ms; see [`Listener::late_secs`].
pub const LATE_SECS: f64 = (WINDOW / 2 + AHEAD + LATE_FRAMES * FRAME) as f64 / RATE_HZ as f64;

/// Number of visemes.
pub const VISEMES: usize = Viseme::COUNT;
