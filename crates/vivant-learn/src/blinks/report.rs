//! Labels as CSV and JSON.
//!
//! Other programs and spreadsheets read blinks from these formats. The CSV has one [`Row`] per event, with the
//! columns in [`COLUMNS`]; the JSON [`Report`] also has the statistics and notes. Times are in seconds, rounded to
//! six decimals; unknown values are empty or null.

use super::recorded::Labelled;
use super::statistics::Statistics;
use super::{Event, Kind};
use crate::recording::Recording;
use serde::Serialize;
use std::fmt::Write;
use vivant_io::Warning;

/// The complete report for programs.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    recording: &'a str,
    device: &'a str,
    seconds: f64,
    rate_hz: f64,
    events: Vec<Row>,
    statistics: &'a Statistics,
    notes: &'a [String],
    warnings: &'a [Warning],
}

impl<'a> Report<'a> {
    /// Creates the report of a recording.
    #[must_use]
    pub fn of(recording: &'a Recording, labelled: &'a Labelled, warnings: &'a [Warning]) -> Self {
        Self {
            recording: &recording.name,
            device: &recording.device,
            seconds: recording.times.last().copied().unwrap_or(0.0),
            rate_hz: labelled.rate_hz,
            events: labelled.events.iter().map(Row::of).collect(),
            statistics: &labelled.statistics,
            notes: &labelled.notes,
            warnings,
        }
    }
}

/// An event with the column names of the CSV: an [`Event`] with rounded values. Unknown values are null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Onset in seconds.
    pub onset: f64,
    /// Time of the lowest point in seconds.
    pub apex: f64,
    /// Offset in seconds.
    pub offset: f64,
    /// Kind of the event.
    pub kind: Kind,
    /// Duration of the closing phase in seconds.
    pub closing: f64,
    /// Duration of the opening phase in seconds.
    pub opening: f64,
    /// Amplitude in the unit of the input.
    pub amplitude: f64,
    /// Closure at the apex, 0 to 1.
    pub completeness: f64,
    /// Peak closing velocity, in the unit of the input per second.
    pub peak_closing_per_s: f64,
    /// Peak opening velocity, in the unit of the input per second.
    pub peak_opening_per_s: f64,
}

/// Columns of the CSV; all but the kind are numbers.
pub const COLUMNS: [&str; 10] = [
    "onset",
    "apex",
    "offset",
    "kind",
    "closing",
    "opening",
    "amplitude",
    "completeness",
    "peak_closing_per_s",
    "peak_opening_per_s",
];
/// Index of the kind column.
pub const KIND: usize = 3;

impl Row {
    /// Converts an event, rounded to six decimals.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        // No device resolves microseconds.
        let rounded = |x: f64| (x * 1e6).round() / 1e6;
        Self {
            onset: rounded(event.onset_secs),
            apex: rounded(event.apex_secs),
            offset: rounded(event.offset_secs),
            kind: event.kind,
            closing: rounded(event.closing_secs),
            opening: rounded(event.opening_secs),
            amplitude: rounded(event.amplitude),
            completeness: rounded(event.completeness),
            peak_closing_per_s: rounded(event.peak_closing_per_s),
            peak_opening_per_s: rounded(event.peak_opening_per_s),
        }
    }

    /// Returns the numbers in column order, with NaN for the kind.
    #[must_use]
    pub fn numbers(&self) -> [f64; COLUMNS.len()] {
        [
            self.onset,
            self.apex,
            self.offset,
            f64::NAN,
            self.closing,
            self.opening,
            self.amplitude,
            self.completeness,
            self.peak_closing_per_s,
            self.peak_opening_per_s,
        ]
    }
}

/// Formats events as CSV, one row per event; unknown values are empty.
#[must_use]
pub fn csv(events: &[Event]) -> String {
    let mut text = format!("{}\n", COLUMNS.join(","));
    for row in events.iter().map(Row::of) {
        // Writing into a String cannot fail.
        let _ = write!(text, "{},{},{},{}", row.onset, row.apex, row.offset, row.kind.name());
        for value in &row.numbers()[KIND + 1..] {
            let _ = if value.is_finite() { write!(text, ",{value}") } else { write!(text, ",") };
        }
        text.push('\n');
    }
    text
}
