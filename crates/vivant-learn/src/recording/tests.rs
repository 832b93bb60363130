//! Small generated files of every kind.

mod arrays;
mod broken;
mod kinds;
mod malformed;
mod marked;
mod resample;
mod times;

use super::{ColumnMap, ReadOptions, Recording, Source, read};
use vivant_io::Warning;

fn source(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
    Source { name: name.into(), bytes: bytes.into() }
}

fn with_map(map: &str) -> ReadOptions {
    ReadOptions { map: Some(ColumnMap::parse(map).unwrap()), ..ReadOptions::default() }
}

/// Reads files that must be readable.
fn good(sources: &[Source], options: &ReadOptions) -> (Recording, Vec<Warning>) {
    read(sources, options).unwrap_or_else(|error| panic!("{error}"))
}

fn is_near(found: &[f64], expected: &[f64]) -> bool {
    let is_same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9 || (a.is_nan() && b.is_nan());
    found.len() == expected.len() && found.iter().zip(expected).all(is_same)
}
