//! Detects the file format and selects the map.
//!
//! [`read`] is the implementation of [`super::read`]. Formats are mostly detected by content, because many devices use
//! the same endings. Files with face markers take their own path; all others become tables first. Then a map is
//! selected: the map of the user, else the map of the detected device, else the common column names. A map of the user
//! that only has screen data is added to the map of the device.

use super::map::ColumnMap;
use super::markers::{self, Capture};
use super::plan::MapOrigin;
use super::samples::{self, ReadContext};
use super::table::Table;
use super::{ReadOptions, Recording, Source, c3d, columnar, eyelink, glasses, gz, neon, npy, presets, trc};
use glam::DVec3;
use std::borrow::Cow;
use vivant_io::{Error, Result, Warning};

/// Reads a recording with the given map, or with the map of the device.
pub(super) fn read(
    sources: &[Source],
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    presets::check_device(options)?;
    let sources: Cow<'_, [Source]> = gz::unpacked(sources)?;
    let first = &sources[0];
    let markers = options.map.as_ref().and_then(|map| map.markers.as_ref());
    if let Some(capture) = capture(first, options, warnings)? {
        check_is(options, "markers", &first.name)?;
        return markers::read(&capture, markers, warnings).map_err(|error| error.in_file(&first.name));
    }
    let tables = tables(&sources, options)?;
    match &options.map {
        Some(map) if !map.is_addition() => read_with_user_map(tables, map, options, warnings),
        addition => {
            let pixels_per_degree =
                eyelink::is_eyelink(first).then(|| eyelink::pixels_per_degree(&sources)).flatten();
            read_with_device_map(tables, addition.as_ref(), pixels_per_degree, options, warnings)
        }
    }
}

/// Reads the markers of a file, if it has any.
fn capture(source: &Source, options: &ReadOptions, warnings: &mut Vec<Warning>) -> Result<Option<Capture>> {
    if trc::is_trc(&source.bytes) {
        return trc::read(source).map(Some);
    }
    if c3d::is_c3d(source) {
        return c3d::read(source).map(Some);
    }
    let Some(map) = options.map.as_ref().filter(|map| map.markers.is_some()) else { return Ok(None) };
    capture_from_table(table(source, map.delimiter)?, map, options, warnings).map(Some)
}

/// Reads markers from a table: three columns each, `nose.x`, `nose.y`, `nose.z`.
fn capture_from_table(
    mut table: Table<'_>,
    map: &ColumnMap,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Capture> {
    let mut columns = Vec::new();
    for (index, header) in table.header.iter().enumerate() {
        let Some((name, "x" | "X")) = header.rsplit_once(['.', '_', ' ', ':']) else { continue };
        let beside = |axis: &str| {
            let is = |other: &String| {
                other
                    .rsplit_once(['.', '_', ' ', ':'])
                    .is_some_and(|(n, a)| n == name && a.eq_ignore_ascii_case(axis))
            };
            table.header.iter().position(is)
        };
        if let (Some(y), Some(z)) = (beside("y"), beside("z")) {
            columns.push((name.to_owned(), [index, y, z]));
        }
    }
    let by = ReadContext { map, origin: MapOrigin::User, options };
    let all = columns.iter().flat_map(|(_, three)| *three);
    let times = samples::times_only(&mut table, by, all, warnings)?;
    let mut capture = Capture { times, ..Capture::default() };
    for (name, [x, y, z]) in columns {
        let (x, y, z) = (table.numbers(x)?, table.numbers(y)?, table.numbers(z)?);
        capture.names.push(name);
        capture.places.push((0..x.len()).map(|row| DVec3::new(x[row], y[row], z[row])).collect());
    }
    Ok(capture)
}

/// Returns all tables of a recording.
fn tables<'a>(sources: &'a [Source], options: &ReadOptions) -> Result<Vec<Table<'a>>> {
    if neon::is_neon(sources) {
        return neon::tables(sources);
    }
    if eyelink::is_eyelink(&sources[0]) {
        return eyelink::tables(sources);
    }
    let delimiter = options.map.as_ref().and_then(|map| map.delimiter);
    sources.iter().map(|source| table(source, delimiter)).collect()
}

fn table(source: &Source, delimiter: Option<char>) -> Result<Table<'_>> {
    match source.bytes.as_slice() {
        bytes if npy::is_npy(bytes) => npy::table(source),
        bytes if columnar::is_parquet(bytes) => columnar::table(source),
        bytes if glasses::is_glasses(bytes) => glasses::table(source),
        bytes => Table::of_text(&source.name, bytes, delimiter),
    }
}

fn read_with_user_map(
    mut tables: Vec<Table<'_>>,
    map: &ColumnMap,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    let table = tables.remove(0);
    samples::read(table, &mut tables, ReadContext { map, origin: MapOrigin::User, options }, warnings)
}

fn read_with_device_map(
    mut tables: Vec<Table<'_>>,
    addition: Option<&ColumnMap>,
    pixels_per_degree: Option<f64>,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    let file = tables[0].file;
    let wanted = options.device.as_deref().or_else(|| addition.and_then(|map| map.device.as_deref()));
    let found = presets::detect_device(&tables, wanted)?;
    let (index, map) = match (found, wanted) {
        (Some(found), _) => found,
        (None, Some(device)) => return Err(wrong_device(device, file)),
        (None, None) => (0, presets::common()?),
    };
    let mut map = if let Some(addition) = addition { map.with(addition) } else { map };
    map.set_pixels_per_degree(pixels_per_degree);
    let table = tables.remove(index);
    samples::read(table, &mut tables, ReadContext { map: &map, origin: MapOrigin::Device, options }, warnings)
}

/// Returns an error if another device was requested.
fn check_is(options: &ReadOptions, device: &str, file: &str) -> Result<()> {
    match &options.device {
        Some(wanted) if wanted != device => Err(wrong_device(wanted, file)),
        _ => Ok(()),
    }
}

fn wrong_device(device: &str, file: &str) -> Error {
    let message = format!("this is not a file of {device}; do not set the device, or use a column map");
    Error::new(message).in_file(file).with_setting("ReadOptions::device").with_setting("ReadOptions::map")
}
