//! Lines of text that a voice speaks.
//!
//! A line can be plain text with tags such as `[nod]`, or SSML. [`Line::given`] accepts what users type as an argument:
//! the text, a file name, or `-`. [`Line::read`] accepts bytes. Both keep the original plain text, because voices for
//! other languages than English need it as written, and add a [`Warning`] for every part that is not spoken.
//! [`Line::written`] returns a text that is parsed to the same words and tags again.

use super::MAX_CHARS;
use super::phrases::without_tags;
use crate::disk;
use std::path::Path;
use vivant::speech::score::Ending;
use vivant::speech::text::{Note, Text};
use vivant_io::speech::ssml;
use vivant_io::{Error, ErrorKind, Result};
use vivant_io::{Warning, WarningCode};

/// A line of text to be spoken.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The spoken text.
    pub text: Text,
    /// The original text with tags; `None` for SSML.
    pub(super) plain: Option<String>,
    /// Warnings about parts of the text that are not spoken.
    pub warnings: Vec<Warning>,
}

impl Line {
    /// Reads a text given as an argument: the text itself, `-` for standard input, or a text or SSML file.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, is too long, or is invalid SSML.
    pub fn given(argument: &str) -> Result<Self> {
        if argument == "-" {
            return Self::read("standard input", disk::read_stdin()?);
        }
        let ending = Path::new(argument).extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_file = matches!(ending.as_str(), "txt" | "md" | "ssml" | "xml") && !argument.contains('\n');
        if is_file && (Path::new(argument).exists() || !argument.contains(char::is_whitespace)) {
            return Self::read(argument, disk::read(Path::new(argument))?);
        }
        Self::read("the text", argument.as_bytes().to_vec())
    }

    /// Reads text with tags, or SSML. Errors mention the name.
    ///
    /// # Errors
    /// If the text is not UTF-8, is too long, or is invalid SSML.
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Self> {
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| {
            Error::of(ErrorKind::Invalid, format!("{name}: not UTF-8 text; save it as UTF-8"))
        })?;
        let letters = text.chars().count();
        if letters > MAX_CHARS {
            let message =
                format!("{name}: too long: {letters} characters, the limit is {MAX_CHARS}; split it");
            return Err(Error::of(ErrorKind::TooLarge, message));
        }
        if text.trim_start().starts_with("<speak") || text.trim_start().starts_with("<?xml") {
            let (text, warnings) = ssml::read(text.as_bytes()).map_err(|error| error.in_file(name))?;
            return Ok(Self { text, plain: None, warnings });
        }
        let line = Self { text: Text::read(&text), plain: Some(text), warnings: Vec::new() };
        Ok(Self { warnings: line.text.notes.iter().map(skipped_warning).collect(), ..line })
    }

    /// Checks that the line has words that the voice can speak. `knows_all_letters` is false for voices that speak
    /// only English.
    pub(super) fn check(&self, knows_all_letters: bool) -> Result<()> {
        let has_letters = |plain: &String| without_tags(plain).contains(char::is_alphabetic);
        let is_spoken = knows_all_letters && self.plain.as_ref().is_some_and(has_letters);
        if is_spoken || !self.text.words.is_empty() {
            return Ok(());
        }
        let why = match self.text.notes.first() {
            Some(note) => format!("; “{}” cannot be spoken", note.sample),
            None if !self.text.tags.is_empty() => "; it contains only tags".to_owned(),
            None => String::new(),
        };
        Err(Error::of(ErrorKind::Invalid, format!("nothing to speak: the text needs some words{why}")))
    }

    /// Returns the text with tags in brackets, as agents write it.
    #[must_use]
    pub fn written(&self) -> String {
        self.plain.clone().unwrap_or_else(|| to_plain_text(&self.text))
    }
}

fn skipped_warning(note: &Note) -> Warning {
    Warning::new(WarningCode::Dropped, format!("“{}”", note.sample), note.skipped.why())
}

/// Converts a text to a plain text with tags and punctuation, which is parsed to the same words and tags.
fn to_plain_text(text: &Text) -> String {
    let mut parts = Vec::new();
    let (mut tags, mut stops) = (text.tags.iter().peekable(), text.stops.iter().peekable());
    for place in 0..=text.words.len() {
        while let Some(tag) = tags.next_if(|tag| tag.before_word <= place) {
            let argument = tag.argument.as_ref().map_or(String::new(), |argument| format!(":{argument}"));
            parts.push(format!("[{}{argument}]", tag.name));
        }
        let Some(word) = text.words.get(place) else { break };
        let stars = if word.emphasis >= 1.0 { "*" } else { "" };
        let sign = stops.next_if(|stop| stop.after_words == place + 1).map_or("", |stop| match stop.ending {
            Some(Ending::Question) => "?",
            Some(Ending::Sentence) => ".",
            _ => ",",
        });
        parts.push(format!("{stars}{}{stars}{sign}", word.text));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ssml_is_converted_to_plain_text() {
        let ssml = r#"<speak>Hello <emphasis level="strong">you</emphasis><break time="1s"/> there. Who is it?</speak>"#;
        let line = Line::given(ssml).unwrap();
        assert_eq!(line.written(), "Hello *you*, there. Who is it?");
        assert_eq!(Text::read(&line.written()).words.len(), line.text.words.len());
    }

    #[test]
    fn unspeakable_lines_are_explained() {
        let check = |given: &str, expected: &str| {
            let message = Line::given(given).and_then(|line| line.check(false)).unwrap_err().to_string();
            assert!(message.contains(expected), "{given}: {message}");
        };
        check("", "nothing to speak");
        check("  \n ", "nothing to speak");
        check("😀 🎉", "“😀” cannot be spoken");
        check("[nod]", "only tags");
        check("missing.txt", "no such file");
        check(&"word ".repeat(200_000), "too long: 1000000 characters");
        check("Привет", "“Привет” cannot be spoken");
        check("<speak>Hello <b", "the text");
        assert!(Line::given("Привет").unwrap().check(true).is_ok());
    }
}
