//! Decodes bytes to text: UTF-8 or UTF-16, with or without a byte order mark.

use crate::error::{Error, Result};
use std::borrow::Cow;

/// Decodes the text of a file. Error messages ask the user to save the file again in `program`.
pub(crate) fn decode<'a>(bytes: &'a [u8], program: &str) -> Result<Cow<'a, str>> {
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
        Error::at(line, format!("not valid UTF-8; save the file in {program}, or convert it to UTF-8"))
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>> {
    let invalid = || Error::new("the file starts as UTF-16 but is not valid UTF-16; convert it to UTF-8");
    let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map(unit).unwrap_or(0xD800));
    let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
    text.map(Cow::Owned).map_err(|_| invalid())
}

/// Returns the line number of a byte offset as text, such as `line 3`, for messages.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> String {
    let before = &bytes[..offset.min(bytes.len())];
    format!("line {}", 1 + before.iter().filter(|byte| **byte == b'\n').count())
}

/// Quotes a name from a file, for messages. Long names are shortened.
pub(crate) fn quote(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("“{}…”", &name[..end]),
        None => format!("“{name}”"),
    }
}
