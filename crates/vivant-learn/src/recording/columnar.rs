//! Reads Parquet.

use super::Source;
use super::cells::Column;
use super::limits::{MAX_COLUMNS, MAX_NUMBERS, MAX_SAMPLES};
use super::table::Table;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::panic::{self, AssertUnwindSafe};
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Returns true if a file is Parquet.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")
}

pub(super) fn table(source: &Source) -> Result<Table<'_>> {
    // The external reader panics on some malformed files.
    let read = panic::catch_unwind(AssertUnwindSafe(|| columns(&source.bytes)));
    let read = read.unwrap_or_else(|_| Err(Error::new("the file cannot be read as Parquet; write it again")));
    read.map(|columns| Table::of_columns(&source.name, columns)).map_err(|error| error.in_file(&source.name))
}

fn columns(bytes: &[u8]) -> Result<Vec<(String, Column)>> {
    let parquet_error = |error: parquet::errors::ParquetError| {
        Error::new(format!(
            "the file cannot be read as Parquet: {error}; write it uncompressed, or with snappy, gzip or lz4"
        ))
    };
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).map_err(parquet_error)?;
    let about = reader.metadata().file_metadata();
    let names: Vec<String> =
        about.schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let rows = usize::try_from(about.num_rows()).unwrap_or(0);
    within("columns", "columns", names.len(), MAX_COLUMNS)?;
    within("rows", "rows", rows, MAX_SAMPLES)?;
    within("rows", "cells", rows * names.len(), MAX_NUMBERS)?;
    let mut columns: Vec<Cells> = names.iter().map(|_| Cells::default()).collect();
    for row in reader.get_row_iter(None).map_err(parquet_error)? {
        push(&mut columns, &row.map_err(parquet_error)?);
    }
    Ok(names.into_iter().zip(columns).map(|(name, cells)| (name, cells.column())).collect())
}

fn push(columns: &mut [Cells], row: &Row) {
    for (cells, (_, field)) in columns.iter_mut().zip(row.get_column_iter()) {
        cells.push(field);
    }
}

/// A column while it is read: integers as long as possible, then numbers, then text.
enum Cells {
    Whole(Vec<i64>),
    Numbers(Vec<f64>),
    Text(Column),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Whole(Vec::new())
    }
}

impl Cells {
    fn push(&mut self, field: &Field) {
        if let (Self::Whole(cells), Some(whole)) = (&mut *self, whole(field)) {
            return cells.push(whole);
        }
        if let Self::Whole(cells) = self {
            *self = Self::Numbers(cells.iter().map(|whole| *whole as f64).collect());
        }
        if let (Self::Numbers(cells), Some(number)) = (&mut *self, number(field)) {
            return cells.push(number);
        }
        if let Self::Numbers(cells) = self {
            let mut column = Column::empty_text();
            cells.iter().for_each(|number| column.push(&number.to_string()));
            *self = Self::Text(column);
        }
        if let Self::Text(column) = self {
            column.push(&word(field));
        }
    }

    fn column(self) -> Column {
        match self {
            Self::Whole(cells) => Column::Whole(cells),
            Self::Numbers(cells) => Column::Numbers(cells),
            Self::Text(column) => column,
        }
    }
}

fn whole(field: &Field) -> Option<i64> {
    Some(match field {
        Field::Bool(flag) => i64::from(*flag),
        Field::Byte(n) => i64::from(*n),
        Field::Short(n) => i64::from(*n),
        Field::Int(n) => i64::from(*n),
        Field::Long(n) | Field::TimestampMillis(n) | Field::TimestampMicros(n) => *n,
        Field::UByte(n) => i64::from(*n),
        Field::UShort(n) => i64::from(*n),
        Field::UInt(n) => i64::from(*n),
        Field::ULong(n) => i64::try_from(*n).ok()?,
        _ => return None,
    })
}

fn number(field: &Field) -> Option<f64> {
    Some(match field {
        Field::Null => f64::NAN,
        Field::Float(n) => f64::from(*n),
        Field::Double(n) => *n,
        other => whole(other)? as f64,
    })
}

fn word(field: &Field) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Null => String::new(),
        other => number(other).map_or_else(String::new, |number| number.to_string()),
    }
}
