//! When each sound of a line is said.
//!
//! Where nobody knows the times, sounds last as long as the rules of Klatt (1979) say, *Synthesis by rule of segmental
//! durations in English sentences* (also in Allen, Hunnicutt and Klatt 1987, *From Text to Speech*, chapter 9): see
//! [`klatt`]. Where the times of words are known, sounds share them in those proportions; where sounds or mouth shapes
//! have times, they are taken as they are. Times that cannot be are mended, and that is told: see [`Mend`].
//!
//! ```
//! use vivant::speech::pronounce::English;
//! use vivant::speech::text::Text;
//! use vivant::speech::timing::{TimingOptions, score};
//!
//! let line = score(&Text::read("Hello, world."), &English::default(), &TimingOptions::default());
//! assert_eq!(line.words.len(), 2);
//! assert_eq!(line.segments[0].phone.name(), "HH");
//! assert!(line.words[1].from > line.words[0].to, "there is a comma");
//! ```

pub mod klatt;
mod line;
mod mend;
#[cfg(test)]
mod tests;
mod timed;

pub(in crate::speech) use line::phones_of;
pub use line::{Line, score};
pub(in crate::speech) use mend::mend_after;
pub use mend::{LATEST_SECS, Mend, TimingFault};
pub(in crate::speech) use timed::{Sound, place};
pub use timed::{
    TimedPhone, TimedViseme, TimedWord, phone_of_visemes, score_in_words, score_of_phones, score_of_visemes,
};

/// How a line is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingOptions {
    /// How fast, where 1 is usual: about 160 words a minute. Outside of 0.1 to 10 the nearest is taken.
    pub rate: f64,
    /// The pause behind a phrase, in seconds. Klatt's rule 1.
    pub phrase_pause_secs: f64,
    /// The pause behind a sentence or question, in seconds. Klatt (1979) has none; ours.
    pub sentence_pause_secs: f64,
    /// The shortest gap between words with times that is a pause, in seconds. Ours; stops close the mouth for up to 0.1 s.
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
