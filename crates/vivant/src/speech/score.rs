//! A line as it is spoken: words, the sounds that they are made of, and the pauses between them, with their times.

use super::phone::Phone;

/// How strongly a vowel is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stress {
    /// Not at all; all consonants have this.
    #[default]
    None,
    /// Less than another syllable of the word.
    Secondary,
    /// The word's strongest syllable.
    Primary,
}

/// A sound and its time, in seconds from the begin of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Which sound.
    pub phone: Phone,
    /// How strongly, if it is a vowel.
    pub stress: Stress,
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// How loud the voice is around it, from 0 to the 1 of the speaker's own peaks; 1 if nobody heard it.
    pub loudness: f32,
}

/// A word and its time, in seconds from the begin of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// As it is written.
    pub text: String,
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// How much it stands out, from 0 for *the* to 1 for what the speaker stresses.
    pub emphasis: f32,
}

/// What ends a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// A part of a sentence: a comma, a dash, brackets.
    Phrase,
    /// A sentence.
    Sentence,
    /// A sentence that wants an answer.
    Question,
}

/// Where a part of a line ends, and how long nothing is said then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pause {
    /// What ended.
    pub after: Ending,
    /// From when, in seconds from the begin of the line.
    pub from: f64,
    /// Until when; the same if the line goes on at once.
    pub to: f64,
}

/// A line. All of its parts are in the order of their times; sounds do not overlap, and between them is silence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// What is said.
    pub words: Vec<Word>,
    /// How it sounds.
    pub segments: Vec<Segment>,
    /// Where it rests.
    pub pauses: Vec<Pause>,
}

impl Score {
    /// When all is said, in seconds from the begin of the line.
    #[must_use]
    pub fn secs(&self) -> f64 {
        let segments = self.segments.last().map_or(0.0, |segment| segment.to);
        let words = self.words.last().map_or(0.0, |word| word.to);
        self.pauses.last().map_or(0.0, |pause| pause.to).max(segments).max(words)
    }
}
