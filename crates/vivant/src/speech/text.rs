//! What of a text is spoken, while it streams in.
//!
//! A [`Reader`] is fed with text in pieces of any size, as a language model gives it: it finds words, says numbers and
//! abbreviations in words, sees where phrases and sentences end and what is stressed, and takes out what is not for the
//! ear: Markdown, links, emoji, code, and the tags in square brackets that tell a character what to do meanwhile. The
//! result never depends on how the text was cut.
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

/// The longest run of letters and signs without a space that is read as one, in bytes; the rest is the next one.
pub const MOST_BYTES_IN_ONE: usize = 256;
/// The longest tag, in characters; a bracket that is open longer is text.
pub const MOST_CHARS_IN_TAG: usize = 64;

/// How much a word of weight stands out that nobody stressed.
pub const CONTENT_EMPHASIS: f32 = tables::CONTENT;

/// A word that is spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// As it is written; where a number is said in words, one of those.
    pub text: String,
    /// What to pronounce: small letters, `b.` for the name of a letter; several with spaces between them.
    pub say: String,
    /// How much it stands out, from 0 for *the* to 1 for what the speaker stresses.
    pub emphasis: f32,
    /// How fast it is said, where 1 is usual.
    pub rate: f64,
    /// How it sounds, if whoever wrote the text said so.
    pub phones: Vec<(Phone, Stress)>,
}

/// An end of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// How many words stand before it.
    pub after_words: usize,
    /// What ends; `None` if there is only a pause.
    pub ending: Option<Ending>,
    /// How long the pause is, if whoever wrote the text said so.
    pub secs: Option<f64>,
    /// How long it is at least, because nothing more was there yet, in seconds. A stop that is nothing else
    /// [ends nothing](Stop::is_end).
    pub stalled_secs: f64,
}

impl Stop {
    /// Whether the text stops here, and does not only wait.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.ending.is_some() || self.secs.is_some()
    }
}

/// What a character is asked to do between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// What, in small letters: `nod`.
    pub name: String,
    /// What stands behind the colon: `left` of `[look:left]`.
    pub argument: Option<String>,
    /// The word that it goes with; as many as there are words if none follows.
    pub before_word: usize,
}

/// What is not spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// Emoji and other small pictures.
    Emoji,
    /// Letters that the language does not have.
    Script,
    /// A block of code.
    Code,
    /// An address of a page.
    Link,
}

impl Skipped {
    /// Why that is, as a sentence.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::Emoji => "small pictures are not spoken",
            Self::Script => "letters that the language does not have are not spoken",
            Self::Code => "code is not spoken",
            Self::Link => "addresses are not spoken",
        }
    }
}

/// That something was not spoken. Each kind is told once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing.
    pub skipped: Skipped,
    /// The first of them.
    pub sample: String,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "“{}” was left out; {}", self.sample, self.skipped.why())
    }
}

/// What of a text is spoken, as far as it is read. Words stay as they are once they are there; only the emphasis of a
/// word may still rise until the phrase that it is in has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The words, in order.
    pub words: Vec<Spoken>,
    /// Where parts end, in order, with at least a word between them.
    pub stops: Vec<Stop>,
    /// What to do meanwhile, in order.
    pub tags: Vec<Tag>,
    /// What was not spoken.
    pub notes: Vec<Note>,
}

impl Text {
    /// The whole of a text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        reader.push(text);
        reader.finish()
    }

    /// Where the phrase begins that has not ended yet.
    #[must_use]
    pub fn open_from(&self) -> usize {
        self.stops.last().map_or(0, |stop| stop.after_words)
    }

    fn note(&mut self, skipped: Skipped, sample: &str) {
        if self.notes.iter().all(|note| note.skipped != skipped) {
            self.notes.push(Note { skipped, sample: sample.chars().take(MOST_CHARS_IN_TAG).collect() });
        }
    }

    /// Ends a part; of several ends at one place the strongest counts, and the longest pause.
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

    /// Waits for what comes next.
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

    /// The last word of weight in a sentence's last phrase stands out a little more.
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

/// Something between spaces, in the order of the text.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Lexeme(String),
    Tag(String),
    Stop(Ending),
}

/// Where in a text a reader is.
#[derive(Clone, Debug, Default, PartialEq)]
enum State {
    #[default]
    Plain,
    /// Within a bracket, with what is in it so far.
    Bracket(String),
    /// Behind a bracket: a round one makes it a link.
    Closed(String),
    /// Within a link's address.
    Target,
}

/// Reads a text as it streams in. See the [module](self).
///
/// What is kept grows with the words that are read and with nothing else; time is in proportion to the text.
#[derive(Clone, Debug)]
pub struct Reader {
    text: Text,
    has_letter: fn(char) -> bool,
    state: State,
    lexeme: String,
    /// Whether nothing but spaces is before the present lexeme in its line.
    is_line_start: bool,
    is_heading: bool,
    newlines: usize,
    ticks: usize,
    is_in_code: bool,
    /// Whether the rest of a long address is passed over.
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
    /// For a language that is written with other letters than Latin ones. Numbers and abbreviations are said in English.
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

    /// The next piece of the text.
    pub fn push(&mut self, piece: &str) {
        for letter in piece.chars() {
            self.letter(letter);
        }
    }

    /// What is read so far. Words come when they are complete, which for numbers and abbreviations means that the next
    /// word has begun.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Ends the present word, tag or number here.
    pub fn flush(&mut self) {
        self.close_open();
        self.drain(true);
    }

    /// The end of the text, which ends a sentence.
    #[must_use]
    pub fn finish(mut self) -> Text {
        self.end();
        self.text
    }

    /// The same, for who still wants to look at it.
    pub fn end(&mut self) {
        self.flush();
        if self.text.open_from() < self.text.words.len() {
            self.text.stop(Some(Ending::Sentence), None);
        }
    }

    /// From here on words stand out as much as this, or with `None` as the text says.
    pub fn set_emphasis(&mut self, emphasis: Option<f32>) {
        self.flush();
        self.emphasis = emphasis;
    }

    /// From here on words are said so fast, where 1 is usual; outside of 0.1 to 10 the nearest is taken, and 1 for what is
    /// no number.
    pub fn set_rate(&mut self, rate: f64) {
        self.flush();
        self.rate = if rate.is_finite() { rate.clamp(0.1, 10.0) } else { 1.0 };
    }

    /// A pause here, with or without an end.
    pub fn pause(&mut self, ending: Option<Ending>, secs: Option<f64>) {
        self.flush();
        self.text.stop(ending, secs.filter(|secs| secs.is_finite()).map(|secs| secs.max(0.0)));
    }

    /// Nothing was said for so long behind the last word, since nothing more was there yet. What is read of the next word
    /// stays.
    pub(crate) fn stall(&mut self, secs: f64) {
        self.text.stall(secs);
    }

    /// A tag here.
    pub fn tag(&mut self, name: &str, argument: Option<&str>) {
        self.flush();
        let before_word = self.text.words.len();
        self.text.tags.push(Tag {
            name: name.to_owned(),
            argument: argument.map(str::to_owned),
            before_word,
        });
    }

    /// A word here whose sounds are known.
    pub fn word(&mut self, text: &str, phones: Vec<(Phone, Stress)>) {
        self.flush();
        self.add(text, &text.to_lowercase(), false);
        if let Some(word) = self.text.words.last_mut() {
            word.phones = phones;
        }
    }

    /// A word here that is said letter by letter, its digits too.
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
        self.text.words.push(Spoken {
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

/// Letters of Latin alphabets, and marks on them.
fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphabetic()
        || matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{300}'..='\u{36f}')
            && !matches!(letter, '×' | '÷')
}
