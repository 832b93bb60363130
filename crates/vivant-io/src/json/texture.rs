//! Reads and writes `eyes.texture`, an eye texture: recorded gaze and blinks for texture synthesis.
//!
//! An eye texture is learned from an eye-tracker recording (Deng 2005) and stored with its character, whose eyes then
//! move like the eyes of the recorded person. The file is JSON with one line per channel, since a recording has many
//! thousands of numbers. [`vivant::eyes::texture`] explains the model and its units.

use super::check::{Check, Shape};
use super::{document, part, version};
use crate::error::{Error, Result};
use crate::limits;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::Write;
use vivant::eyes::texture::{TextureDef, VERSION};

/// Reads an eye texture.
///
/// # Errors
/// If the document is invalid, with the paths of all errors.
pub fn read(bytes: &[u8]) -> Result<TextureDef> {
    let document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| {
        matches!(keys, [] | ["tolerance"] | ["corpora", "[]"] | ["corpora", "[]", "runs", "[]"])
    })?;
    let read: TextureDef = part(document)?;
    shape.holds()?;
    let mut check = Check::default();
    check.text("origin", &read.origin, limits::MAX_SAID_BYTES);
    for (index, corpus) in read.corpora.iter().enumerate() {
        check.within(format!("corpora[{index}]")).word("name", corpus.name.as_str());
    }
    let read = check.faults.or(read)?;
    read.check()?;
    Ok(read)
}

/// Writes an eye texture: one setting per line, and all numbers of a channel on one line.
///
/// # Errors
/// If the file would exceed the size limit of [`read`].
pub fn write(texture: &TextureDef) -> Result<String> {
    let mut out = Vec::new();
    // These types have no maps with non-string keys, so serialising cannot fail.
    let _ = texture.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Lines::default()));
    out.push(b'\n');
    limits::within("eye texture", "bytes", out.len(), limits::MAX_DOCUMENT_BYTES)
        .map_err(|error| Error::new(format!("{error}; learn from fewer recordings, or at a lower rate")))?;
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// A JSON format that starts a new line for each field and object, but not for the numbers of a list.
#[derive(Default)]
struct Lines {
    depth: usize,
}

impl Lines {
    fn line<W: Write + ?Sized>(&self, out: &mut W) -> std::io::Result<()> {
        write!(out, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for Lines {
    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        out.write_all(b"{")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> std::io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        self.line(out)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> std::io::Result<()> {
        self.depth -= 1;
        self.line(out)?;
        out.write_all(b"}")
    }

    /// Writes whole numbers without “.0”.
    fn write_f32<W: Write + ?Sized>(&mut self, out: &mut W, value: f32) -> std::io::Result<()> {
        write!(out, "{value}")
    }

    fn write_f64<W: Write + ?Sized>(&mut self, out: &mut W, value: f64) -> std::io::Result<()> {
        write!(out, "{value}")
    }
}

#[cfg(test)]
mod tests;
