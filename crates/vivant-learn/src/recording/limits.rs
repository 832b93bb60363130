//! What a recording may cost.

use super::Source;
use vivant_io::limits::{MAX_FILE_BYTES, within};
use vivant_io::{Error, Result};

/// The most files that make one recording.
const MOST_SOURCES: usize = 64;
/// The most columns of a table, and fields of a record.
pub(super) const MOST_COLUMNS: usize = 4096;
/// The most samples: over two hours at 1000 a second.
pub(super) const MOST_SAMPLES: usize = 8 << 20;
/// The most numbers of all columns together that are kept.
pub(super) const MOST_NUMBERS: usize = 128 << 20;
/// The most places of markers in all frames: forty minutes of a face with 59 at 120 a second.
pub(super) const MOST_PLACES: usize = 17 << 20;
/// The longest recording, in seconds: two days. More is a clock that jumped.
pub(super) const LONGEST_SECS: f64 = 172_800.0;
/// The slowest and the fastest that eyes are sampled, per second.
pub(super) const RATES_HZ: std::ops::RangeInclusive<f64> = 1.0..=20_000.0;

pub(super) fn check_sources(sources: &[Source]) -> Result<()> {
    within("recording", "files", sources.len(), MOST_SOURCES)?;
    let bytes = sources.iter().map(|source| source.bytes.len()).sum();
    within("recording", "bytes", bytes, MAX_FILE_BYTES).map_err(|error| error.in_file(&sources[0].name))
}

/// A rate that a person or a file gave.
pub(super) fn check_rate(place: &str, rate_hz: f64) -> Result<f64> {
    if RATES_HZ.contains(&rate_hz) {
        return Ok(rate_hz);
    }
    let (least, most) = (RATES_HZ.start(), RATES_HZ.end());
    Err(Error::at(place, format!("{rate_hz} samples a second; give {least} to {most}")))
}

/// How many even steps a recording takes, gaps and all: one whose gaps make it huge has a broken clock.
pub(super) fn check_steps(duration_secs: f64, rate_hz: f64) -> Result<()> {
    let steps = duration_secs * rate_hz;
    if steps <= MOST_SAMPLES as f64 {
        return Ok(());
    }
    let message = format!(
        "{duration_secs:.0} s at {rate_hz:.0} samples a second are {steps:.0} steps, and at most {MOST_SAMPLES} are read; cut the recording at its gaps"
    );
    Err(Error::at("time", message))
}
