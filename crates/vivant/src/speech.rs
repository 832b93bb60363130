//! Speech: turns text, timings or audio into phonemes with times, and phonemes into mouth shapes.
//!
//! A line passes through these modules: [`text`] finds the spoken words, [`pronounce`] converts them to phonemes, and
//! [`timing`] gives each phoneme a start and an end, which makes a [`Score`]. [`mouth`] turns the score into
//! [viseme](Viseme) weights with coarticulation. [`audio`] recognizes visemes in a voice instead. [`utterance`]
//! combines everything that is known about a line while it streams in, and [`lines`] queues several lines.
//!
//! The rest of the body follows speech as well: [`moments`] are the times for breaths, nods and gestures, and an
//! [`event`] informs conversation partners about the progress of a line. Times are in seconds. To make a character
//! speak, send a [`Say`](crate::Say) to its performer.

pub mod audio;
pub mod event;
pub mod lines;
pub mod moments;
pub mod mouth;
pub mod phone;
pub mod pronounce;
pub mod score;
pub mod text;
pub mod timing;
pub mod utterance;
pub mod viseme;

pub use phone::Phone;
pub use score::{Ending, Pause, Score, Segment, Stress, Word};
pub use viseme::{Class, Viseme};
