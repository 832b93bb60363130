//! Limits on input size. Readers stop with an error when a file exceeds one of them.
//!
//! Avatars, clips and intents may come from unknown sources. The limits bound memory and time for any input. The
//! readers of `vivant-io` and the hosts use the same constants and check them with [`within`]. Sizes are in bytes,
//! times in seconds.
//!
//! ```
//! use vivant::limits::{MAX_NODES, within};
//! let error = within("nodes", "nodes", 20_000, MAX_NODES).unwrap_err();
//! assert!(error.to_string().contains("20000 nodes; at most 16384 are allowed"));
//! ```

use crate::error::{Error, Result};

/// Maximum file size in bytes.
pub const MAX_FILE_BYTES: usize = 512 << 20;
/// Maximum number of nodes or joints in a file.
pub const MAX_NODES: usize = 16_384;
/// Maximum depth of nested nodes or elements in a file.
pub const MAX_DEPTH: usize = 512;
/// Maximum number of animations in a file.
pub const MAX_CLIPS: usize = 1024;
/// Maximum number of samples (frames × animated nodes and shapes) of one animation: about 1 GB.
pub const MAX_SAMPLES: usize = 32 << 20;
/// Maximum length of a name in a model or motion file, in bytes; most readers cut longer names.
pub const MAX_NAME_BYTES: usize = 1024;
/// Maximum number of samples of a recording, over all channels: two hours at 48 kHz, or 1.4 GB.
pub const MAX_AUDIO_SAMPLES: usize = 2 * 3600 * 48_000;
/// Maximum number of channels of a recording.
pub const MAX_CHANNELS: usize = 64;
/// Maximum number of annotations in a file.
pub const MAX_ANNOTATIONS: usize = 1 << 20;
/// Maximum number of shapes (blend shapes, morph targets) in a file.
pub const MAX_SHAPES: usize = 8192;
/// Maximum size of a repertoire or behaviour model in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 8 << 20;
/// Maximum size of a script in bytes.
pub const MAX_SCRIPT_BYTES: usize = 64 << 20;
/// Maximum length of a script line in bytes.
pub const MAX_LINE_BYTES: usize = 64 << 10;
/// Maximum number of intents in a script.
pub const MAX_INTENTS: usize = 100_000;
/// Maximum length of spoken text in one intent, in bytes: about ten minutes of speech.
pub const MAX_SAID_BYTES: usize = 10_000;
/// Maximum number of timed words, phonemes or visemes in one intent.
pub const MAX_SAID_TIMES: usize = 2048;
/// Maximum length of Base64 audio in one intent, in bytes: almost a second at 24 kHz.
pub const MAX_PCM_BYTES: usize = 60_000;
/// Maximum size of a file of speech timings, markup or text, in bytes.
pub const MAX_SPEECH_BYTES: usize = 32 << 20;
/// Maximum number of words in a pronouncing dictionary.
pub const MAX_DICTIONARY_WORDS: usize = 1 << 20;
/// Maximum number of phonemes of a word in a pronouncing dictionary.
pub const MAX_SOUNDS_IN_WORD: usize = 128;
/// Maximum length of a name, tag, word or path in intents, repertoires and dictionaries, in bytes.
pub const MAX_WORD_BYTES: usize = 256;
/// Maximum number of tags of an action.
pub const MAX_TAGS: usize = 32;
/// Maximum number of stances in a repertoire.
pub const MAX_STANCES: usize = 1024;
/// Maximum number of gestures, fidgets and transitions in a repertoire, in total.
pub const MAX_ACTIONS: usize = 16_384;
/// Maximum number of states of a chain in a behaviour model file.
pub const MAX_STATES: usize = 256;
/// Maximum number of quantiles of a distribution.
pub const MAX_QUANTILES: usize = 1024;
/// Maximum value of durations and of times within a clip or a line, in seconds: ten hours.
pub const MAX_SECONDS: f64 = 36_000.0;
/// Latest time in a performance for which an action can be requested, in seconds (about 116 days: some characters
/// perform for months).
pub const MAX_AT_SECONDS: f64 = 10_000_000.0;
/// Maximum duration of blending an action in or out, in seconds.
pub const MAX_BLEND_SECONDS: f64 = 10.0;
/// Maximum distance of a gaze target along each axis, in metres.
pub const MAX_METRES: f64 = 1000.0;
/// Highest priority; its negative is the lowest.
pub const MAX_PRIORITY: i32 = 1000;
/// Maximum number of expressions that a VMC sender may name.
pub const MAX_VMC_NAMES: usize = 1024;
/// Maximum number of frames of a VMC capture: ten hours at 60 Hz.
pub const MAX_CAPTURE_FRAMES: usize = 10 * 3600 * 60;
/// Maximum value of a likelihood or weight.
pub const MAX_LIKELIHOOD: f64 = 1e6;

/// Returns an error that names both numbers if `found` exceeds `limit`.
///
/// # Errors
/// If `found > limit`.
pub fn within(place: &str, what: &str, found: usize, limit: usize) -> Result<()> {
    if found > limit {
        return Err(Error::at(place, format!("{found} {what}; at most {limit} are allowed")));
    }
    Ok(())
}
