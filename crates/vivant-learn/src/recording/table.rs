//! Tables of samples: delimited text, and columns of numbers.
//!
//! Exports of eye trackers may have dozens of columns and millions of rows, but only a few columns are used. So
//! [`Table::of_text`] parses only the header, and [`Table::load`] reads the wanted columns in one pass, within limits.
//! Binary formats create a table with [`Table::of_columns`]. After that, [`Table::numbers`] and [`Table::cell`] work
//! the same for all formats. Errors name the line and the column.

use super::cells::{self, Cell, Column};
use super::limits::{MAX_COLUMNS, MAX_NUMBERS, MAX_SAMPLES};
use std::borrow::Cow;
use std::collections::BTreeMap;
use vivant_io::limits::within;
use vivant_io::{Error, Result, Warning, WarningCode};

/// A table that keeps only the needed columns.
#[derive(Clone, Debug)]
pub(super) struct Table<'a> {
    pub(super) file: &'a str,
    pub(super) header: Vec<String>,
    body: Body<'a>,
    loaded: BTreeMap<usize, Column>,
    /// Line number of each row, for messages.
    lines: Vec<u32>,
    /// Number of rows with fewer cells than the header.
    short_rows: usize,
}

#[derive(Clone, Debug)]
enum Body<'a> {
    Text { text: Cow<'a, str>, delimiter: u8, has_header: bool },
    Columns,
}

/// Possible delimiters, the most likely first.
const DELIMITERS: [u8; 4] = [b'\t', b';', b',', b'|'];

impl<'a> Table<'a> {
    /// Parses the header of a text table.
    pub(super) fn of_text(file: &'a str, bytes: &'a [u8], delimiter: Option<char>) -> Result<Self> {
        let text = decode(bytes);
        let delimiter = match delimiter {
            Some(given) => u8::try_from(given).ok().filter(u8::is_ascii).ok_or_else(|| {
                Error::at(
                    "delimiter",
                    "the delimiter must be one ASCII character, for example delimiter = \";\"",
                )
            })?,
            None => delimiter_of(&text),
        };
        let first = records(&text, delimiter).next().transpose().map_err(|e| table_error(file, &e))?;
        let Some(first) = first.filter(|cells| cells.iter().any(|cell| !cell.is_empty())) else {
            return Err(Error::new("the file is empty; record or export it again").in_file(file));
        };
        within("line 1", "columns", first.len(), MAX_COLUMNS).map_err(|error| error.in_file(file))?;
        let has_header = first.iter().any(|cell| matches!(cells::parse(cell), Cell::Word(_)));
        let header = if has_header {
            first.iter().map(str::to_owned).collect()
        } else {
            (0..first.len()).map(|index| index.to_string()).collect()
        };
        let body = Body::Text { text, delimiter, has_header };
        Ok(Self { file, header, body, loaded: BTreeMap::new(), lines: Vec::new(), short_rows: 0 })
    }

    /// Creates a table from columns.
    pub(super) fn of_columns(file: &'a str, columns: Vec<(String, Column)>) -> Self {
        let (header, columns): (_, Vec<Column>) = columns.into_iter().unzip();
        let loaded = columns.into_iter().enumerate().collect();
        Self { file, header, body: Body::Columns, loaded, lines: Vec::new(), short_rows: 0 }
    }

    /// Loads the given columns in one pass.
    pub(super) fn load(&mut self, wanted: impl IntoIterator<Item = usize>) -> Result<()> {
        let Body::Text { text, delimiter, has_header } = &self.body else { return Ok(()) };
        let mut columns: BTreeMap<usize, Column> =
            wanted.into_iter().map(|index| (index, Column::empty_text())).collect();
        let (mut lines, mut short_rows) = (Vec::new(), 0);
        for record in records(text, *delimiter).skip(usize::from(*has_header)) {
            let record = record.map_err(|error| table_error(self.file, &error))?;
            if record.iter().all(str::is_empty) {
                continue;
            }
            lines.push(record.position().map_or(0, csv::Position::line) as u32);
            self.check_size(lines.len(), columns.len())?;
            short_rows += usize::from(record.len() < self.header.len());
            for (index, column) in &mut columns {
                column.push(record.get(*index).unwrap_or(""));
            }
        }
        (self.loaded, self.lines, self.short_rows) = (columns, lines, short_rows);
        Ok(())
    }

    fn check_size(&self, rows: usize, columns: usize) -> Result<()> {
        within("rows", "rows", rows, MAX_SAMPLES)
            .and_then(|()| within("rows", "cells", rows * columns, MAX_NUMBERS))
            .map_err(|error| error.in_file(self.file))
    }

    /// Returns the number of loaded rows.
    pub(super) fn rows(&self) -> usize {
        self.loaded.values().map(Column::len).max().unwrap_or(self.lines.len())
    }

    pub(super) fn cell(&self, column: usize, row: usize) -> Cell<'_> {
        self.loaded.get(&column).map_or(Cell::Unknown, |column| column.cell(row))
    }

    /// Returns the position of a cell as text, for messages.
    pub(super) fn place(&self, column: usize, row: usize) -> String {
        let line = self.lines.get(row).map_or_else(|| format!("row {row}"), |line| format!("line {line}"));
        format!("{line}, column “{}”", self.header[column])
    }

    /// Returns a number for each row; NaN where there is none.
    pub(super) fn numbers(&self, column: usize) -> Result<Vec<f64>> {
        (0..self.rows()).map(|row| self.number(column, row)).collect()
    }

    fn number(&self, column: usize, row: usize) -> Result<f64> {
        self.cell(column, row).number().ok_or_else(|| self.number_error(column, row))
    }

    pub(super) fn number_error(&self, column: usize, row: usize) -> Error {
        let Cell::Word(word) = self.cell(column, row) else {
            return Error::at(self.place(column, row), "the cell is not a number; correct it")
                .in_file(self.file);
        };
        let shown: String = word.chars().take(40).collect();
        let message =
            format!("“{shown}” is not a number; correct the cell, leave it empty, or map another column");
        Error::at(self.place(column, row), message).in_file(self.file).with_setting("ReadOptions::map")
    }

    /// Warns about truncated rows.
    pub(super) fn warn_of_short_rows(&self, warnings: &mut Vec<Warning>) {
        if self.short_rows > 0 {
            let message = format!(
                "{} rows have fewer cells than the header; missing cells count as unknown",
                self.short_rows
            );
            warnings.push(Warning::new(WarningCode::Malformed, format!("{}: rows", self.file), message));
        }
    }

    /// Returns the column of a name: first exact, then ignoring case and punctuation, then also ignoring a unit in
    /// brackets.
    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        let exact = |header: &String| header == name;
        let plain_is = |header: &String| plain(header) == plain(name);
        let bare_is = |header: &String| plain(bare(header)) == plain(bare(name));
        let find = |is: &dyn Fn(&String) -> bool| self.header.iter().position(is);
        find(&exact).or_else(|| find(&plain_is)).or_else(|| find(&bare_is))
    }
}

/// Keeps only letters and digits, in lower case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns a name without a trailing unit.
fn bare(name: &str) -> &str {
    let name = name.trim();
    let closes = name.ends_with([']', ')']);
    name.rfind(['[', '(']).filter(|begin| closes && *begin > 0).map_or(name, |begin| &name[..begin])
}

/// Decodes UTF-8, or UTF-16 with a byte order mark, as some trackers export.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        Cow::Owned(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// Returns the most frequent delimiter of the first line.
fn delimiter_of(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    let count = |delimiter: &u8| first.bytes().filter(|byte| byte == delimiter).count();
    // `max_by_key` returns the last of several equal values, so the most likely delimiter must come last.
    DELIMITERS.into_iter().rev().max_by_key(count).unwrap_or(b',')
}

fn records(text: &str, delimiter: u8) -> impl Iterator<Item = csv::Result<csv::StringRecord>> + '_ {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .comment(Some(b'#'))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
        .into_records()
}

fn table_error(file: &str, error: &csv::Error) -> Error {
    let line = error.position().map_or(0, csv::Position::line);
    Error::at(format!("line {line}"), format!("the file is not a table: {error}; export it again as CSV"))
        .in_file(file)
}
