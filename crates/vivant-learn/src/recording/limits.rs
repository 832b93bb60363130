//! Limits on the size of recordings.

use super::Source;
use vivant_io::limits::{MAX_FILE_BYTES, within};
use vivant_io::{Error, Result};

/// Maximum number of files of one recording.
const MAX_SOURCES: usize = 64;
/// Maximum number of columns of a table, and of fields of a record.
pub(super) const MAX_COLUMNS: usize = 4096;
/// Maximum number of samples: over two hours at 1000 Hz.
pub(super) const MAX_SAMPLES: usize = 8 << 20;
/// Maximum number of values of all columns together.
pub(super) const MAX_NUMBERS: usize = 128 << 20;
/// Maximum number of marker positions in all frames: forty minutes of a face with 59 markers at 120 Hz.
pub(super) const MAX_POSITIONS: usize = 17 << 20;
/// Maximum duration in seconds: two days. More means that the clock jumped.
pub(super) const LONGEST_SECS: f64 = 172_800.0;
/// Supported sampling rates.
pub(super) const RATES_HZ: std::ops::RangeInclusive<f64> = 1.0..=20_000.0;

pub(super) fn check_sources(sources: &[Source]) -> Result<()> {
    within("recording", "files", sources.len(), MAX_SOURCES)?;
    let bytes = sources.iter().map(|source| source.bytes.len()).sum();
    within("recording", "bytes", bytes, MAX_FILE_BYTES).map_err(|error| error.in_file(&sources[0].name))
}

/// Checks a sampling rate given by a user or a file.
pub(super) fn check_rate(place: &str, rate_hz: f64) -> Result<f64> {
    if RATES_HZ.contains(&rate_hz) {
        return Ok(rate_hz);
    }
    let (least, most) = (RATES_HZ.start(), RATES_HZ.end());
    Err(Error::at(
        place,
        format!("a sampling rate of {rate_hz} Hz is not supported; use {least} to {most} Hz"),
    ))
}

/// Checks the number of even steps, including gaps: a huge number means that the clock is broken.
pub(super) fn check_steps(duration_secs: f64, rate_hz: f64) -> Result<()> {
    let steps = duration_secs * rate_hz;
    if steps <= MAX_SAMPLES as f64 {
        return Ok(());
    }
    let message = format!(
        "{duration_secs:.0} s at {rate_hz:.0} Hz are {steps:.0} samples, but at most {MAX_SAMPLES} are supported; split the recording at its gaps"
    );
    Err(Error::at("time", message))
}
