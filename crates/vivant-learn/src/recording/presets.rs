//! Built-in maps of known devices, and their detection.

use super::ReadOptions;
use super::map::{ColumnMap, Name};
use super::table::Table;
use vivant_io::{Error, Result};

/// Maps of devices, the most specific first.
const MAPS: [(&str, &str); 15] = [
    ("vivant-track", include_str!("presets/vivant-track.toml")),
    ("htc-vive-pro", include_str!("presets/htc-vive-pro.toml")),
    ("tobii-fusion", include_str!("presets/tobii-fusion.toml")),
    ("tobii-glasses-3", include_str!("presets/tobii-glasses-3.toml")),
    ("pico", include_str!("presets/pico.toml")),
    ("neon", include_str!("presets/neon.toml")),
    ("pupil-invisible", include_str!("presets/pupil-invisible.toml")),
    ("pupil-invisible", include_str!("presets/pupil-pixels.toml")),
    ("eyelink", include_str!("presets/eyelink.toml")),
    ("irf", include_str!("presets/irf.toml")),
    ("jefapato", include_str!("presets/jefapato.toml")),
    ("eog", include_str!("presets/eog.toml")),
    ("live-link-face", include_str!("presets/live-link-face.toml")),
    ("vivant-trace", include_str!("presets/vivant-trace.toml")),
    ("vivant-curves", include_str!("presets/vivant-curves.toml")),
];

/// Markers are read without a column map.
const MARKERS: &str = "markers";

/// Returns the names of the known devices, for [`ReadOptions::device`].
#[must_use]
pub fn devices() -> Vec<&'static str> {
    let mut names: Vec<&str> = MAPS.iter().map(|(name, _)| *name).chain([MARKERS]).collect();
    names.dedup();
    names
}

/// Returns the map with common column names.
pub(super) fn common() -> Result<ColumnMap> {
    ColumnMap::parse(include_str!("presets/common.toml"))
}

/// Returns the first device that matches one of the tables, with the index of the table. If a device was requested,
/// only that device is tried.
pub(super) fn detect_device(
    tables: &[Table<'_>],
    wanted: Option<&str>,
) -> Result<Option<(usize, ColumnMap)>> {
    for (_, text) in MAPS.iter().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name)) {
        let map = ColumnMap::parse(text)?;
        if let Some(index) = tables.iter().position(|table| is_of(table, &map)) {
            return Ok(Some((index, map)));
        }
    }
    Ok(None)
}

/// Returns true if a table has the identifying columns of a device.
fn is_of(table: &Table<'_>, map: &ColumnMap) -> bool {
    let has = |name: &Name| name.names().iter().any(|name| table.index_of(name).is_some());
    map.found_by.iter().all(has)
}

pub(super) fn check_device(options: &ReadOptions) -> Result<()> {
    let Some(device) = &options.device else { return Ok(()) };
    if devices().contains(&device.as_str()) {
        return Ok(());
    }
    let message = format!("unknown device “{device}”; use one of {}", devices().join(", "));
    Err(Error::at("device", message).with_setting("ReadOptions::device"))
}
