//! What others see of someone who speaks.

use super::score::Ending;
use std::collections::VecDeque;

/// Something that a speaker does, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeechEvent {
    /// When, in seconds of the performance.
    pub at: f64,
    /// What.
    pub what: Spoke,
}

/// What a speaker does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spoke {
    /// A turn begins.
    Begins,
    /// A word stands out.
    Emphasis {
        /// How much, from 0 to 1.
        strength: f32,
    },
    /// A phrase or a sentence ends.
    PhraseEnd(Ending),
    /// The words have run out, and more will come.
    Holds,
    /// The turn ends.
    Ends,
    /// The turn ends before all was said.
    Breaks,
}

/// The last things that a speaker did.
#[derive(Clone, Debug)]
pub(crate) struct SpeechEvents(VecDeque<SpeechEvent>);

/// More than are seen in several minutes of fast speech.
const KEPT: usize = 512;

impl Default for SpeechEvents {
    fn default() -> Self {
        Self(VecDeque::with_capacity(KEPT))
    }
}

impl SpeechEvents {
    /// Of many only the last are kept; nothing is allocated.
    pub(crate) fn push(&mut self, at: f64, what: Spoke) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(SpeechEvent { at, what });
    }

    pub(crate) fn take(&mut self) -> impl Iterator<Item = SpeechEvent> {
        self.0.drain(..)
    }
}
