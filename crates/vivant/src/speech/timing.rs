//! Timing: start and end of each phoneme of a line.
//!
//! Without known times, durations follow the rules of Klatt (1979), *Synthesis by rule of segmental durations in
//! English sentences* (also in Allen, Hunnicutt and Klatt 1987, *From Text to Speech*, chapter 9): see [`klatt`]. If
//! the times of a word are known, its phonemes share this time in the proportions of these rules. Known times of
//! phonemes or visemes are used as they are. Invalid times are repaired and reported: see [`TimingRepair`].
//!
//! ```
//! use vivant::speech::pronounce::English;
//! use vivant::speech::text::Text;
//! use vivant::speech::timing::{TimingOptions, score};
//!
//! let line = score(&Text::read("Hello, world."), &English::default(), &TimingOptions::default());
//! assert_eq!(line.words.len(), 2);
//! assert_eq!(line.segments[0].phone.name(), "HH");
//! assert!(line.words[1].from > line.words[0].to, "a pause at the comma");
//! ```

pub mod klatt;
mod line;
mod repair;
#[cfg(test)]
mod tests;
mod timed;

pub(in crate::speech) use line::phones_of;
pub use line::{Line, score};
pub(in crate::speech) use repair::repair_after;
pub use repair::{LATEST_SECS, TimingIssue, TimingRepair};
pub(in crate::speech) use timed::{PhoneLength, place};
pub use timed::{
    TimedPhone, TimedViseme, TimedWord, phone_of_visemes, score_in_words, score_of_phones, score_of_visemes,
};

/// Options for timing a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingOptions {
    /// Speaking rate relative to the usual rate (about 160 words per minute). Clamped to 0.1–10.
    pub rate: f64,
    /// Pause after a phrase in seconds (Klatt's rule 1).
    pub phrase_pause_secs: f64,
    /// Pause after a sentence or question in seconds. Our choice; Klatt (1979) has no rule for it.
    pub sentence_pause_secs: f64,
    /// Shortest gap between timed words that counts as a pause, in seconds. Our choice, because stop consonants close
    /// the mouth for up to 0.1 s.
    pub least_gap_secs: f64,
}

impl Default for TimingOptions {
    fn default() -> Self {
        Self { rate: 1.0, phrase_pause_secs: 0.2, sentence_pause_secs: 0.5, least_gap_secs: 0.15 }
    }
}

impl TimingOptions {
    pub(in crate::speech) fn safe_rate(&self) -> f64 {
        if self.rate.is_finite() { self.rate.clamp(0.1, 10.0) } else { 1.0 }
    }
}
