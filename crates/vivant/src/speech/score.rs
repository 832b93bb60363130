//! A timed line: words, their phonemes and the pauses between them.
//!
//! Text, timings of a synthesizer and audio all lead to the same [`Score`], so that mouth, head and hands do not depend
//! on the source of a line. All times are in seconds from the start of the line. [`timing`](super::timing) makes a
//! score from text and known times; [`mouth`](super::mouth) and [`moments`](super::moments) use the score.

use super::phone::Phone;

/// Stress of a vowel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stress {
    /// Unstressed; also used for all consonants.
    #[default]
    None,
    /// Secondary stress.
    Secondary,
    /// Primary stress: the strongest syllable of the word.
    Primary,
}

/// A phoneme with times in seconds from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The phoneme.
    pub phone: Phone,
    /// Stress of a vowel; `None` for consonants.
    pub stress: Stress,
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line.
    pub to: f64,
    /// Loudness of the voice around the phoneme, from 0 to 1, where 1 is the loudness of the speaker's own peaks. 1
    /// without audio.
    pub loudness: f32,
}

/// A word with times in seconds from the start of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The word as written.
    pub text: String,
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line.
    pub to: f64,
    /// Emphasis from 0 (function words such as *the*) to 1 (words that the speaker stresses).
    pub emphasis: f32,
}

/// Kind of phrase boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// End of a part of a sentence: a comma, a dash, brackets.
    Phrase,
    /// End of a sentence.
    Sentence,
    /// End of a question.
    Question,
}

/// A phrase boundary with its pause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pause {
    /// Kind of boundary.
    pub after: Ending,
    /// Start time in seconds from the start of the line.
    pub from: f64,
    /// End time in seconds from the start of the line. It equals the start if the line continues without a pause.
    pub to: f64,
}

/// A timed line. Entries are sorted by time; phonemes do not overlap, and gaps between them are silence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Words, sorted by time.
    pub words: Vec<Word>,
    /// Phonemes without overlap, sorted by time.
    pub segments: Vec<Segment>,
    /// Phrase boundaries, sorted by time.
    pub pauses: Vec<Pause>,
}

impl Score {
    /// Returns the end of the line in seconds from its start.
    #[must_use]
    pub fn secs(&self) -> f64 {
        let segments = self.segments.last().map_or(0.0, |segment| segment.to);
        let words = self.words.last().map_or(0.0, |word| word.to);
        self.pauses.last().map_or(0.0, |pause| pause.to).max(segments).max(words)
    }
}
