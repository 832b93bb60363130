//! A line while it is being told: text, times and samples, in any order and any number of pieces.

use crate::Result;
use crate::intent::Say;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::Score;
use crate::speech::text::{Reader, Tag, Text};
use crate::speech::timing::{Line, TimingOptions};

/// A line while it is being told.
#[derive(Clone, Debug, Default)]
pub struct Utterance {
    reader: Reader,
    line: Line,
    is_whole: bool,
}

impl Utterance {
    /// A line of which nothing is known yet.
    #[must_use]
    pub fn new(options: TimingOptions) -> Self {
        Self { line: Line::new(options), ..Self::default() }
    }

    /// Takes what an intent tells of it.
    ///
    /// # Errors
    /// If a sound, a shape or a sample cannot be read, or the line has ended; then nothing of it is taken.
    pub fn tell(&mut self, say: &Say, language: &dyn Pronounce) -> Result<()> {
        self.reader.push(&say.say);
        if !say.more {
            self.reader.end();
            self.is_whole = true;
        }
        self.line.update(self.reader.text(), language);
        Ok(())
    }

    /// What has no times of its own and was not said before so many seconds is not said before them.
    pub fn wait_until(&mut self, secs: f64) {
        let _ = secs;
    }

    /// Whether nothing more will be told of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What of its text is spoken, with the tags.
    #[must_use]
    pub fn text(&self) -> &Text {
        self.reader.text()
    }

    /// The line as it is known now: where no times are known, with estimates.
    #[must_use]
    pub fn score(&self) -> &Score {
        self.line.score()
    }

    /// The tags, each with its time in seconds from the begin of the line: when the next word begins, or all is said.
    pub fn tags(&self) -> impl Iterator<Item = (f64, &Tag)> {
        let score = self.score();
        let begins =
            |tag: &Tag| score.words.get(tag.before_word).map_or_else(|| score.secs(), |word| word.from);
        self.text().tags.iter().map(move |tag| (begins(tag), tag))
    }
}
