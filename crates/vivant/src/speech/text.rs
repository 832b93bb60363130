//! Text normalization: extracts the spoken words of a text while it streams in.
//!
//! A [`Reader`] takes text in pieces of any size, as a language model produces it. It finds words, expands numbers and
//! abbreviations, detects phrase and sentence boundaries and emphasis, and removes parts that are not spoken: Markdown,
//! links, emoji, code, and the tags in square brackets that trigger actions. The result does not depend on how the text
//! was split.
//!
//! ```
//! use vivant::speech::text::Reader;
//!
//! let mut reader = Reader::default();
//! for token in ["[smi", "le] Hel", "lo, it is 5", ":30 ", "*now*!"] {
//!     reader.push(token);
//! }
//! let text = reader.finish();
//! let said: Vec<_> = text.words.iter().map(|word| word.say.as_str()).collect();
//! assert_eq!(said, ["hello", "it", "is", "five", "thirty", "now"]);
//! assert_eq!((text.tags[0].name.as_str(), text.tags[0].before_word), ("smile", 0));
//! assert_eq!(text.words[5].emphasis, 1.0);
//! ```

mod core;
mod lexeme;
mod number;
mod scan;
mod tables;
#[cfg(test)]
mod tests;

use super::phone::Phone;
use super::score::{Ending, Stress};
use std::collections::VecDeque;

/// Maximum length of a run of characters without a space, in bytes; longer runs are split.
pub const MAX_LEXEME_BYTES: usize = 256;
/// Maximum length of a tag in characters; longer text in brackets is spoken.
pub const MAX_TAG_CHARS: usize = 64;

/// Default emphasis of a content word.
pub const CONTENT_EMPHASIS: f32 = tables::CONTENT;

/// A spoken word.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenWord {
    /// The word as written; for an expanded number, one of its words.
    pub text: String,
    /// Pronunciation key: lower case, `b.` for the name of a letter; several keys are separated by spaces.
    pub say: String,
    /// Emphasis from 0 (function words such as *the*) to 1 (words that the speaker stresses).
    pub emphasis: f32,
    /// Speaking rate relative to the usual rate.
    pub rate: f64,
    /// Phonemes, if the text specifies them.
    pub phones: Vec<(Phone, Stress)>,
}

/// A pause or boundary in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Number of words before the stop.
    pub after_words: usize,
    /// Kind of boundary; `None` if there is only a pause.
    pub ending: Option<Ending>,
    /// Duration of the pause in seconds, if the text specifies it.
    pub secs: Option<f64>,
    /// Seconds for which the speaker had to wait for more text; 0 without a wait. The pause lasts at least this long.
    /// A stop that is only a wait [is not a boundary](Stop::is_end).
    pub stalled_secs: f64,
}

impl Stop {
    /// Returns true for a boundary or pause of the text, false if it is only a wait for more text.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.ending.is_some() || self.secs.is_some()
    }
}

/// An action requested between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Name in lower case: `nod`.
    pub name: String,
    /// Argument after the colon: `left` in `[look:left]`.
    pub argument: Option<String>,
    /// Index of the following word; the number of words if none follows.
    pub before_word: usize,
}

/// Kind of text that is not spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// Emoji and other pictographs.
    Emoji,
    /// Letters of a script that the language does not use.
    Script,
    /// A block of code.
    Code,
    /// A URL.
    Link,
}

impl Skipped {
    /// Returns the reason as a clause for messages, such as “links are not spoken”.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::Emoji => "emoji are not spoken",
            Self::Script => "letters of other scripts are not spoken",
            Self::Code => "code is not spoken",
            Self::Link => "links are not spoken",
        }
    }
}

/// A note that part of the text was not spoken. Each kind is reported once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Kind of the skipped text.
    pub skipped: Skipped,
    /// The first skipped text of this kind.
    pub sample: String,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "“{}” was skipped; {}", self.sample, self.skipped.why())
    }
}

/// The spoken part of a text, as far as it has been read. Words that are present do not change, except that the
/// emphasis of a word may rise until its phrase ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Words, in order.
    pub words: Vec<SpokenWord>,
    /// Pauses and boundaries, in order, with at least one word between them.
    pub stops: Vec<Stop>,
    /// Tags, in order.
    pub tags: Vec<Tag>,
    /// Notes about skipped text.
    pub notes: Vec<Note>,
}

impl Text {
    /// Reads a complete text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        reader.push(text);
        reader.finish()
    }

    /// Returns the index of the first word after the last stop.
    #[must_use]
    pub fn open_from(&self) -> usize {
        self.stops.last().map_or(0, |stop| stop.after_words)
    }

    fn add_note(&mut self, skipped: Skipped, sample: &str) {
        if self.notes.iter().all(|note| note.skipped != skipped) {
            self.notes.push(Note { skipped, sample: sample.chars().take(MAX_TAG_CHARS).collect() });
        }
    }

    /// Adds a boundary. If there are several at one place, the strongest boundary and the longest pause are used.
    fn stop(&mut self, ending: Option<Ending>, secs: Option<f64>) {
        if self.words.is_empty() && secs.is_none() {
            return;
        }
        if ending >= Some(Ending::Sentence) {
            self.stress_last();
        }
        let stop = self.stop_here();
        stop.ending = stop.ending.max(ending);
        stop.secs = [stop.secs, secs].into_iter().flatten().reduce(f64::max);
    }

    /// Adds a wait for more text.
    fn stall(&mut self, secs: f64) {
        let stop = self.stop_here();
        stop.stalled_secs = stop.stalled_secs.max(secs);
    }

    fn stop_here(&mut self) -> &mut Stop {
        let after_words = self.words.len();
        if self.stops.last().is_none_or(|stop| stop.after_words != after_words) {
            self.stops.push(Stop { after_words, ending: None, secs: None, stalled_secs: 0.0 });
        }
        self.stops.last_mut().expect("there is one here")
    }

    /// Emphasizes the last content word in the last phrase of a sentence a little more.
    fn stress_last(&mut self) {
        let at_end = self.stops.last().filter(|stop| stop.after_words == self.words.len());
        let from = match at_end {
            Some(_) => self.stops.iter().rev().nth(1).map_or(0, |stop| stop.after_words),
            None => self.open_from(),
        };
        let last = self.words[from..].iter_mut().rev().find(|word| word.emphasis >= tables::CONTENT);
        if let Some(word) = last {
            word.emphasis = word.emphasis.max(tables::LAST_CONTENT);
        }
    }
}

/// An item of the text, in order.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Lexeme(String),
    Tag(String),
    Stop(Ending),
}

/// State of the scanner.
#[derive(Clone, Debug, Default, PartialEq)]
enum State {
    #[default]
    Plain,
    /// Within a bracket, with its content so far.
    Bracket(String),
    /// After a bracket, which is a link if a parenthesis follows.
    Closed(String),
    /// Within the URL of a link.
    Target,
}

/// Reads text as it streams in. See the [module](self).
///
/// Memory grows only with the number of words; time is proportional to the length of the text.
#[derive(Clone, Debug)]
pub struct Reader {
    text: Text,
    has_letter: fn(char) -> bool,
    state: State,
    lexeme: String,
    /// True if only whitespace precedes the current lexeme in its line.
    is_line_start: bool,
    is_heading: bool,
    newlines: usize,
    ticks: usize,
    is_in_code: bool,
    /// True while the rest of a long URL is skipped.
    is_in_link: bool,
    queue: VecDeque<Item>,
    is_stressed: bool,
    emphasis: Option<f32>,
    rate: f64,
}

impl Default for Reader {
    fn default() -> Self {
        Self::for_letters(is_latin)
    }
}

impl Reader {
    /// Creates a reader for a language that does not use the Latin script; `has_letter` returns true for its letters.
    /// Numbers and abbreviations are expanded in English.
    #[must_use]
    pub fn for_letters(has_letter: fn(char) -> bool) -> Self {
        Self {
            text: Text::default(),
            has_letter,
            state: State::Plain,
            lexeme: String::new(),
            is_line_start: true,
            is_heading: false,
            newlines: 0,
            ticks: 0,
            is_in_code: false,
            is_in_link: false,
            queue: VecDeque::new(),
            is_stressed: false,
            emphasis: None,
            rate: 1.0,
        }
    }

    /// Adds the next piece of text.
    pub fn push(&mut self, piece: &str) {
        for letter in piece.chars() {
            self.letter(letter);
        }
    }

    /// Returns the text read so far. A word appears when it is complete. Numbers and abbreviations are complete when
    /// the next word has started.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Ends the current word, tag or number.
    pub fn flush(&mut self) {
        self.close_open();
        self.drain(true);
    }

    /// Ends the text and its last sentence, and returns the text.
    #[must_use]
    pub fn finish(mut self) -> Text {
        self.end();
        self.text
    }

    /// Ends the text without consuming the reader.
    pub fn end(&mut self) {
        self.flush();
        if self.text.open_from() < self.text.words.len() {
            self.text.stop(Some(Ending::Sentence), None);
        }
    }

    /// Sets the emphasis of the following words, or with `None` lets the text determine the emphasis.
    pub fn set_emphasis(&mut self, emphasis: Option<f32>) {
        self.flush();
        self.emphasis = emphasis;
    }

    /// Sets the speaking rate of the following words, where 1 is usual. Clamped to 0.1–10; NaN and infinity become 1.
    pub fn set_rate(&mut self, rate: f64) {
        self.flush();
        self.rate = if rate.is_finite() { rate.clamp(0.1, 10.0) } else { 1.0 };
    }

    /// Adds a pause, with or without a boundary.
    pub fn pause(&mut self, ending: Option<Ending>, secs: Option<f64>) {
        self.flush();
        self.text.stop(ending, secs.filter(|secs| secs.is_finite()).map(|secs| secs.max(0.0)));
    }

    /// Records a wait of `secs` seconds for more text after the last word. A partly read word is kept.
    pub(crate) fn stall(&mut self, secs: f64) {
        self.text.stall(secs);
    }

    /// Adds a tag.
    pub fn tag(&mut self, name: &str, argument: Option<&str>) {
        self.flush();
        let before_word = self.text.words.len();
        self.text.tags.push(Tag {
            name: name.to_owned(),
            argument: argument.map(str::to_owned),
            before_word,
        });
    }

    /// Adds a word with known phonemes.
    pub fn word(&mut self, text: &str, phones: Vec<(Phone, Stress)>) {
        self.flush();
        self.add(text, &text.to_lowercase(), false);
        if let Some(word) = self.text.words.last_mut() {
            word.phones = phones;
        }
    }

    /// Adds a word that is spelled letter by letter, including its digits.
    pub fn spell(&mut self, text: &str) {
        self.flush();
        for word in text.split_whitespace() {
            let names: Vec<_> = word.chars().filter_map(tables::name_of).collect();
            if !names.is_empty() {
                self.add(word, &names.join(" "), false);
            }
        }
    }

    fn add(&mut self, text: &str, say: &str, is_stressed: bool) {
        let by_text = if is_stressed || self.is_stressed { 1.0 } else { tables::emphasis(say) };
        let emphasis = self.emphasis.unwrap_or(by_text);
        self.text.words.push(SpokenWord {
            text: text.to_owned(),
            say: say.to_owned(),
            emphasis,
            rate: self.rate,
            phones: Vec::new(),
        });
    }

    fn stop(&mut self, ending: Ending) {
        self.text.stop(Some(ending), None);
        if ending >= Ending::Sentence {
            self.is_stressed = false;
        }
    }
}

/// Returns true for letters of Latin alphabets and combining marks.
fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphabetic()
        || matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{300}'..='\u{36f}')
            && !matches!(letter, '×' | '÷')
}
