//! Splits bytes into words, lines and numbers, and keeps track of line numbers.

use crate::error::{Error, Result};
use crate::limits;

/// A position in a text. Lines may end with `\n`, `\r\n` or `\r`, also mixed in one file.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    line: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut text = Self { bytes, line: 1 };
        text.skip_space();
        text
    }

    /// Returns the number of the current line as text, such as `line 3`, for messages.
    pub(super) fn place(&self) -> String {
        format!("line {}", self.line)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Skips `count` bytes and counts the lines in them.
    fn advance(&mut self, count: usize) {
        let (over, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        // A carriage return ends a line, unless a newline follows it.
        let pairs = over.iter().zip(over.iter().skip(1).chain(rest.first()).chain([&0]));
        self.line += pairs.filter(|(b, next)| **b == b'\n' || (**b == b'\r' && **next != b'\n')).count();
        self.bytes = rest;
    }

    fn skip_space(&mut self) {
        self.advance(self.bytes.iter().take_while(|b| is_space(**b)).count());
    }

    /// Takes the next word; a brace is always a separate word. Returns an empty word at the end.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let length = match self.bytes.first() {
            Some(b'{' | b'}') => 1,
            _ => self.bytes.iter().take_while(|b| !is_space(**b) && !matches!(b, b'{' | b'}')).count(),
        };
        let word = &self.bytes[..length];
        self.advance(length);
        self.skip_space();
        word
    }

    /// Returns the next word without taking it.
    pub(super) fn peek(&self) -> &'a [u8] {
        self.clone().word()
    }

    /// Takes the rest of the line up to a brace: a name, which may contain spaces.
    pub(super) fn name(&mut self) -> String {
        let end = |b: &u8| matches!(b, b'\n' | b'\r' | b'{' | b'}');
        let length = self.bytes.iter().take_while(|b| !end(b)).count();
        let name = &self.bytes[..length];
        self.advance(length);
        self.skip_space();
        shortened(String::from_utf8_lossy(name).trim())
    }

    /// Takes the next non-empty line, without its line ending.
    pub(super) fn line(&mut self) -> &'a [u8] {
        let length = self.bytes.iter().take_while(|b| !matches!(b, b'\n' | b'\r')).count();
        let (line, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        self.skip_space();
        line
    }

    /// Takes the next word as a number.
    pub(super) fn number(&mut self) -> Result<f64> {
        let place = self.place();
        let word = self.word();
        match number(word) {
            Some(number) if number.abs() <= LARGEST => Ok(number),
            Some(_) => Err(Error::at(
                place,
                format!("{} is too large or not a number; export the file again", quoted(word)),
            )),
            None => Err(no_number(place, word)),
        }
    }

    /// Returns an error that says what was expected here and what was found.
    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        let found = if self.is_at_end() { "the end of the file".to_owned() } else { quoted(self.peek()) };
        Err(Error::at(self.place(), format!("expected {what}, found {found}")))
    }
}

/// Largest accepted number. No skeleton needs larger numbers, and with this limit all later results are finite.
pub(super) const LARGEST: f64 = 1e9;

/// Returns true for ASCII whitespace, and for zero bytes and end-of-file marks, which old programs write at the end
/// of a file.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\x0b' | b'\0' | b'\x1a')
}

pub(super) fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

pub(super) fn no_number(place: String, word: &[u8]) -> Error {
    let hint = if word.contains(&b',') { "; decimals need a point, not a comma" } else { "" };
    Error::at(place, format!("expected a number, found {}{hint}", quoted(word)))
}

/// Quotes a word for a message. Long words are shortened.
pub(super) fn quoted(word: &[u8]) -> String {
    let start = &word[..word.len().min(40)];
    format!("{:?}{}", String::from_utf8_lossy(start), if start.len() < word.len() { "…" } else { "" })
}

fn shortened(name: &str) -> String {
    let mut end = name.len().min(limits::MAX_NAME_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].to_owned()
}
