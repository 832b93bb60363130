//! Reads NumPy's `.npy`: a table of numbers, or records with named fields.
//!
//! Python programs store intermediate data in this format. The header is a Python dictionary; only three of its keys
//! are needed, so a small parser is enough. [`is_npy`] detects the format and [`table`] returns a [`Table`]; columns of
//! an array without field names are numbered from 0. Supported are real and whole numbers and booleans in either byte
//! order. Text, Python objects and fields with several values per row are errors.

use super::Source;
use super::cells::Column;
use super::limits::{MAX_COLUMNS, MAX_NUMBERS, MAX_SAMPLES};
use super::table::Table;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Returns true if a file is `.npy`.
pub(super) fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Data type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    letter: u8,
    size: usize,
    is_big: bool,
}

/// Contents of the header.
#[derive(Debug, Default, PartialEq)]
struct Header {
    /// Fields by name, or a single one without a name.
    fields: Vec<(String, Kind)>,
    is_fortran: bool,
    shape: Vec<usize>,
}

pub(super) fn table(source: &Source) -> Result<Table<'_>> {
    columns(&source.bytes)
        .map(|columns| Table::of_columns(&source.name, columns))
        .map_err(|e| e.in_file(&source.name))
}

fn columns(bytes: &[u8]) -> Result<Vec<(String, Column)>> {
    let cut = || Error::at("header", "the file is truncated; copy it again");
    let long = |at: usize| {
        bytes.get(at..at + 2).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]]))).ok_or_else(cut)
    };
    let (length, begin) = match bytes.get(6).ok_or_else(cut)? {
        1 => (long(8)?, 10),
        _ => (long(8)? | long(10)? << 16, 12),
    };
    let text = bytes.get(begin..begin + length).ok_or_else(cut)?;
    let header = header(&String::from_utf8_lossy(text))?;
    header.columns(&bytes[begin + length..])
}

impl Header {
    fn columns(&self, data: &[u8]) -> Result<Vec<(String, Column)>> {
        let (rows, wide) = match *self.shape {
            [rows] => (rows, 1),
            [rows, wide] => (rows, wide),
            _ => {
                return Err(Error::at(
                    "shape",
                    format!("{:?} is not a table; save an array with rows and columns", self.shape),
                ));
            }
        };
        let wide = wide.max(1);
        within("shape", "rows", rows, MAX_SAMPLES)?;
        within("shape", "columns", self.fields.len().saturating_mul(wide), MAX_COLUMNS)?;
        within("shape", "numbers", rows * wide * self.fields.len(), MAX_NUMBERS)?;
        let record: usize = self.fields.iter().map(|(_, kind)| kind.size).sum();
        if data.len() < rows * wide * record {
            let message = format!("{rows} rows expected, but the file is truncated; copy it again");
            return Err(Error::at("shape", message));
        }
        let mut columns = Vec::new();
        for column in 0..wide {
            let mut offset = 0;
            for (name, kind) in &self.fields {
                let at = |row: usize| {
                    let index = if self.is_fortran { column * rows + row } else { row * wide + column };
                    &data[index * record + offset..][..kind.size]
                };
                let name = if name.is_empty() { column.to_string() } else { name.clone() };
                columns.push((name, kind.column((0..rows).map(at))));
                offset += kind.size;
            }
        }
        Ok(columns)
    }
}

impl Kind {
    /// Parses `<f8`, `|u1`, `>i4`, `|b1`.
    fn parse(text: &str) -> Result<Self> {
        let unknown = || {
            let message = format!("dtype “{text}” is not supported; save f4, f8, i1 to i8, u1 to u8 or b1");
            Error::at("descr", message)
        };
        let bytes = text.as_bytes();
        let (is_big, rest) = match bytes {
            [b'>', rest @ ..] => (true, rest),
            [b'<' | b'|' | b'=', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let (letter, size) = match rest {
            [letter, digit] if digit.is_ascii_digit() => (*letter, usize::from(digit - b'0')),
            [b'?'] => (b'b', 1),
            _ => return Err(unknown()),
        };
        let is_known = matches!((letter, size), (b'f', 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8) | (b'b', 1));
        if is_known { Ok(Self { letter, size, is_big }) } else { Err(unknown()) }
    }

    fn column<'a>(self, cells: impl Iterator<Item = &'a [u8]>) -> Column {
        if self.letter == b'f' {
            return Column::Numbers(cells.map(|cell| self.float(cell)).collect());
        }
        Column::Whole(cells.map(|cell| self.whole(cell)).collect())
    }

    fn float(self, cell: &[u8]) -> f64 {
        let bits = self.bits(cell);
        if self.size == 4 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    }

    fn whole(self, cell: &[u8]) -> i64 {
        let bits = self.bits(cell);
        let unused = 64 - 8 * self.size as u32;
        if self.letter == b'i' {
            ((bits << unused) as i64) >> unused
        } else {
            i64::try_from(bits).unwrap_or(i64::MAX)
        }
    }

    fn bits(self, cell: &[u8]) -> u64 {
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        if self.is_big { cell.iter().fold(0, join) } else { cell.iter().rev().fold(0, join) }
    }
}

/// Parses the header, a Python dictionary.
fn header(text: &str) -> Result<Header> {
    let mut header = Header::default();
    let value = |key: &str| -> Result<&str> {
        let at = text.find(&format!("'{key}'")).ok_or_else(|| {
            Error::at("header", format!("the header has no “{key}”; save the file again with numpy.save"))
        })?;
        let rest = &text[at + key.len() + 2..];
        Ok(rest.trim_start_matches([':', ' ']))
    };
    header.is_fortran = value("fortran_order")?.starts_with("True");
    let shape = value("shape")?;
    let invalid =
        || Error::at("shape", "the shape is not a list of lengths; save the file again with numpy.save");
    let shape = shape.strip_prefix('(').and_then(|rest| rest.split(')').next()).ok_or_else(invalid)?;
    for length in shape.split(',').map(str::trim).filter(|length| !length.is_empty()) {
        header.shape.push(length.trim_end_matches('L').parse().map_err(|_| invalid())?);
    }
    header.fields = fields(value("descr")?)?;
    within("descr", "fields", header.fields.len(), MAX_COLUMNS)?;
    Ok(header)
}

/// Parses `'<f8'`, or `[('t', '<f8'), ('x', '<f4')]`.
fn fields(text: &str) -> Result<Vec<(String, Kind)>> {
    let invalid = || Error::at("descr", "unsupported or missing dtype; save the file again with numpy.save");
    if !text.starts_with('[') {
        let kind = text.trim_start_matches('\'').split('\'').next().ok_or_else(invalid)?;
        return Ok(vec![(String::new(), Kind::parse(kind)?)]);
    }
    let list = text.split(']').next().ok_or_else(invalid)?;
    let mut fields = Vec::new();
    for tuple in list.split('(').skip(1) {
        let tuple = tuple.split(')').next().ok_or_else(invalid)?;
        let quoted: Vec<&str> = tuple.split('\'').collect();
        // A third part is the shape of an array field.
        let [_, name, _, kind, rest] = quoted[..] else { return Err(invalid()) };
        if rest.chars().any(|c| c.is_ascii_digit()) {
            return Err(Error::at(
                "descr",
                format!("“{name}” has several numbers per row; save each as a field"),
            ));
        }
        fields.push((name.to_owned(), Kind::parse(kind)?));
    }
    if fields.is_empty() { Err(invalid()) } else { Ok(fields) }
}
