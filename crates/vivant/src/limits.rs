//! What a file may cost. Every reader stops at these, with an error that names the limit.

use crate::error::{Error, Result};

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: usize = 512 << 20;
/// The most nodes or joints in a file.
pub const MAX_NODES: usize = 16_384;
/// The deepest hierarchy.
pub const MAX_DEPTH: usize = 512;
/// The most animations in a file.
pub const MAX_CLIPS: usize = 1024;
/// The most samples (frames times animated nodes and shapes) of one animation: about a gigabyte.
pub const MAX_SAMPLES: usize = 32 << 20;
/// The longest name that is kept, in bytes.
pub const MAX_NAME_BYTES: usize = 1024;
/// The most samples of a recording, all channels together: two hours at 48 kHz, or 1.4 GB.
pub const MAX_AUDIO_SAMPLES: usize = 2 * 3600 * 48_000;
/// The most channels of a recording.
pub const MAX_CHANNELS: usize = 64;
/// The most annotations in a file.
pub const MAX_ANNOTATIONS: usize = 1 << 20;
/// The most shapes (blend shapes, morph targets) in a file.
pub const MAX_SHAPES: usize = 8192;
/// The largest repertoire or behaviour, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 8 << 20;
/// The largest script, in bytes.
pub const MAX_SCRIPT_BYTES: usize = 64 << 20;
/// The longest line of a script, in bytes.
pub const MAX_LINE_BYTES: usize = 64 << 10;
/// The most intents in a script.
pub const MAX_INTENTS: usize = 100_000;
/// The longest text that is said at once, in bytes: about ten minutes.
pub const MAX_SAID_BYTES: usize = 10_000;
/// The most words, sounds or mouth shapes with times that are told at once.
pub const MAX_SAID_TIMES: usize = 2048;
/// The most Base64 of samples that is told at once, in bytes: almost a second at 24 kHz.
pub const MAX_PCM_BYTES: usize = 60_000;
/// The largest file of speech times, markup or text, in bytes.
pub const MAX_SPEECH_BYTES: usize = 32 << 20;
/// The most words in a pronouncing dictionary.
pub const MAX_DICTIONARY_WORDS: usize = 1 << 20;
/// The most sounds of a word in a pronouncing dictionary.
pub const MAX_SOUNDS_IN_WORD: usize = 128;
/// The longest name, tag or path that people write, in bytes.
pub const MAX_WORD_BYTES: usize = 256;
/// The most tags of one action.
pub const MAX_TAGS: usize = 32;
/// The most stances in a repertoire.
pub const MAX_STANCES: usize = 1024;
/// The most gestures, fidgets and transitions in a repertoire, all together.
pub const MAX_ACTIONS: usize = 16_384;
/// The most states of a chain of behaviour.
pub const MAX_STATES: usize = 256;
/// The most quantiles of a distribution.
pub const MAX_QUANTILES: usize = 1024;
/// The longest that anything takes, in seconds: ten hours.
pub const MAX_SECONDS: f64 = 36_000.0;
/// The latest time of a performance at which something is asked for, in seconds: some characters perform for
/// months.
pub const MAX_AT_SECONDS: f64 = 10_000_000.0;
/// The longest blend, in seconds.
pub const MAX_BLEND_SECONDS: f64 = 10.0;
/// The farthest place to look at along any axis, in metres.
pub const MAX_METRES: f64 = 1000.0;
/// The highest priority, and the lowest with a minus.
pub const MAX_PRIORITY: i32 = 1000;
/// The most expressions that one sender of VMC may name.
pub const MAX_VMC_NAMES: usize = 1024;
/// The most frames of a VMC capture: ten hours at 60 Hz.
pub const MAX_CAPTURE_FRAMES: usize = 10 * 3600 * 60;
/// The greatest likelihood or weight.
pub const MAX_LIKELIHOOD: f64 = 1e6;

/// Fails if `found` is over `limit`, naming both.
///
/// # Errors
/// When it is.
pub fn within(place: &str, what: &str, found: usize, limit: usize) -> Result<()> {
    if found > limit {
        return Err(Error::at(place, format!("{found} {what}, and at most {limit} are read")));
    }
    Ok(())
}
