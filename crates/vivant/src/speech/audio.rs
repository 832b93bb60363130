//! Audio lip-sync: from samples of a voice to visemes, loudness, pitch and pauses.
//!
//! When there is only sound, no text and no times, a character must still move its mouth with it. A [`Listener`] takes
//! samples as they come and gives each 10 ms how loud and how high the voice is, which of eight shapes the mouth has, and
//! weights of the fifteen visemes; it knows no language, only spectra. What it gives is [`LATE_SECS`] behind the sound.
//! [`Prosody`] finds pauses, phrases and emphasis in it.
//!
//! ```
//! use vivant::speech::{Class, audio::Listener};
//!
//! let mut listener = Listener::new(48_000)?;
//! for heard in listener.hear(&[0.0; 4800]) {
//!     assert_eq!(heard.most_likely(), Class::Silence);
//! }
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! How good it is, and with whom, is in `docs/audio.md`.

mod ear;
mod fft;
mod level;
mod listener;
mod mel;
mod model;
mod network;
mod pitch;
mod prosody;
mod resample;

pub use ear::{Ear, FEATURES, RATES_HZ, Sound};
pub use listener::{Frames, Heard, Listener};
pub use model::LipSyncModel;
pub use prosody::{Event, Prosody};

use super::viseme::Viseme;

/// Samples of one voice, in one channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audio {
    /// Sampling rate in Hz.
    pub rate_hz: u32,
    /// Samples from −1 to 1. Louder ones are allowed.
    pub samples: Vec<f32>,
}

impl Audio {
    /// Returns the length in seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate_hz.max(1))
    }
}

/// The rate at which all is analysed.
const RATE_HZ: u32 = 16_000;
/// Samples from frame to frame: 10 ms.
const FRAME: usize = 160;
/// Samples of one spectrum: 25 ms.
const WINDOW: usize = 400;
/// Frames that are waited for before a frame is judged.
const LATE_FRAMES: usize = 4;

/// Samples by which the time of a frame is before the middle of its window: a little more of the future is known so, and
/// all is still heard within 60 ms.
const AHEAD: usize = 80;

/// Frames in a second.
pub const FRAMES_PER_SEC: f64 = RATE_HZ as f64 / FRAME as f64;
/// The time of the first frame, in seconds.
pub const FIRST_FRAME_SECS: f64 = (WINDOW / 2 - AHEAD) as f64 / RATE_HZ as f64;
/// How long after its time a frame is heard, for sound at 16 kHz: half a window, four frames and 5 ms. Resampling adds at
/// most 1 ms, see [`Listener::late_secs`].
pub const LATE_SECS: f64 = (WINDOW / 2 + AHEAD + LATE_FRAMES * FRAME) as f64 / RATE_HZ as f64;

/// How many visemes there are.
pub const VISEMES: usize = Viseme::COUNT;
