//! Bytes to text: UTF-8 or UTF-16, with or without a byte order mark.

use crate::error::{Error, Result};
use std::borrow::Cow;

/// The text of a file, which should be saved again in a program if it cannot be read.
pub(crate) fn decoded<'a>(bytes: &'a [u8], program: &str) -> Result<Cow<'a, str>> {
    match bytes {
        [] => Err(Error::new(format!("the file is empty; save it again in {program}"))),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest, program),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        _ => utf8(bytes, program),
    }
}

fn utf8<'a>(bytes: &'a [u8], program: &str) -> Result<Cow<'a, str>> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let line = line_at(bytes, error.valid_up_to());
        Error::at(line, format!("this is no UTF-8; save the file in {program}, or convert it to UTF-8"))
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>> {
    let wrong = || Error::new("the file begins as UTF-16 and is none; convert it to UTF-8");
    let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map(unit).unwrap_or(0xD800));
    let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
    text.map(Cow::Owned).map_err(|_| wrong())
}

/// The place of a byte, for people.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> String {
    let before = &bytes[..offset.min(bytes.len())];
    format!("line {}", 1 + before.iter().filter(|byte| **byte == b'\n').count())
}

/// A name from a file, short enough for a message.
pub(crate) fn shown(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("“{}…”", &name[..end]),
        None => format!("“{name}”"),
    }
}
