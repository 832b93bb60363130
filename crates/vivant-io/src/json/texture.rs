//! `eyes.texture`: someone's glances and blinks, to be sewn together anew.

use super::check::{Check, Shape};
use super::{document, part, version};
use crate::error::{Error, Result};
use crate::limits;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::Write;
use vivant::eyes::texture::{TextureDef, VERSION};

/// Reads a texture.
///
/// # Errors
/// If it is no such document, or with everything that is unsound in it, each with its path.
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

/// Writes a texture: a setting a line, and the numbers of a channel on one, however many they are.
///
/// # Errors
/// If it would be too large to be read again.
pub fn write(texture: &TextureDef) -> Result<String> {
    let mut out = Vec::new();
    // These types have no maps with odd keys and no writers that fail.
    let _ = texture.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Lines::default()));
    out.push(b'\n');
    limits::within("eye texture", "bytes", out.len(), limits::MAX_DOCUMENT_BYTES)
        .map_err(|error| Error::new(format!("{error}; learn from fewer recordings, or at a lower rate")))?;
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Fields and objects begin a line; lists of numbers do not.
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

    /// Without the “.0” of whole numbers.
    fn write_f32<W: Write + ?Sized>(&mut self, out: &mut W, value: f32) -> std::io::Result<()> {
        write!(out, "{value}")
    }

    fn write_f64<W: Write + ?Sized>(&mut self, out: &mut W, value: f64) -> std::io::Result<()> {
        write!(out, "{value}")
    }
}

#[cfg(test)]
mod tests;
