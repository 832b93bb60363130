//! Words, lines and numbers out of bytes, with the line they stand on.

use crate::error::{Error, Result};
use crate::limits;

/// A place in a text. Line ends may be those of any system, also mixed.
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

    /// The line of what comes next, for messages.
    pub(super) fn place(&self) -> String {
        format!("line {}", self.line)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Goes over `count` bytes and counts the lines in them.
    fn advance(&mut self, count: usize) {
        let (over, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        // A return is a line end of its own unless a newline follows.
        let pairs = over.iter().zip(over.iter().skip(1).chain(rest.first()).chain([&0]));
        self.line += pairs.filter(|(b, next)| **b == b'\n' || (**b == b'\r' && **next != b'\n')).count();
        self.bytes = rest;
    }

    fn skip_space(&mut self) {
        self.advance(self.bytes.iter().take_while(|b| is_space(**b)).count());
    }

    /// The next word; braces are words of their own. Empty at the end.
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

    /// The next word without taking it.
    pub(super) fn peek(&self) -> &'a [u8] {
        self.clone().word()
    }

    /// What is left of this line, up to a brace: a name, which may hold spaces.
    pub(super) fn name(&mut self) -> String {
        let end = |b: &u8| matches!(b, b'\n' | b'\r' | b'{' | b'}');
        let length = self.bytes.iter().take_while(|b| !end(b)).count();
        let name = &self.bytes[..length];
        self.advance(length);
        self.skip_space();
        shortened(String::from_utf8_lossy(name).trim())
    }

    /// The next line that is not empty, without its end.
    pub(super) fn line(&mut self) -> &'a [u8] {
        let length = self.bytes.iter().take_while(|b| !matches!(b, b'\n' | b'\r')).count();
        let (line, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        self.skip_space();
        line
    }

    /// The next word as a number.
    pub(super) fn number(&mut self) -> Result<f64> {
        let place = self.place();
        let word = self.word();
        match number(word) {
            Some(number) if number.abs() <= LARGEST => Ok(number),
            Some(_) => Err(Error::at(place, format!("{} is too large or no number at all", quoted(word)))),
            None => Err(no_number(place, word)),
        }
    }

    /// Fails, saying what should stand here.
    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        let found = if self.is_at_end() { "the end of the file".to_owned() } else { quoted(self.peek()) };
        Err(Error::at(self.place(), format!("expected {what}, found {found}")))
    }
}

/// No skeleton has numbers beyond this; the margin keeps everything downstream finite.
pub(super) const LARGEST: f64 = 1e9;

/// Spaces of ASCII, and what old programs leave at the end of a file: zeros and an end-of-file mark.
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

/// A word for a message, however long or strange it is.
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
