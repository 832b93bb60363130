//! Labels as CSV and as JSON.

use super::recorded::Labelled;
use super::statistics::Statistics;
use super::{Event, Kind};
use crate::recording::Recording;
use serde::Serialize;
use std::fmt::Write;
use vivant_io::Warning;

/// All of it, for programs.
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
    /// Of a recording.
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

/// An event with the names that the CSV has: see [`Event`], of which this is all, rounded. What is not known is null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// When the lids begin to close.
    pub onset: f64,
    /// When they are lowest.
    pub apex: f64,
    /// When they have opened.
    pub offset: f64,
    /// What it is.
    pub kind: Kind,
    /// How long they closed.
    pub closing: f64,
    /// How long they opened.
    pub opening: f64,
    /// How far they came down.
    pub amplitude: f64,
    /// The share of the way to shut.
    pub completeness: f64,
    /// The greatest speed downwards.
    pub peak_closing_per_s: f64,
    /// The greatest speed upwards.
    pub peak_opening_per_s: f64,
}

/// The columns of the CSV; all but the kind are numbers.
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
/// Which of them is the kind.
pub const KIND: usize = 3;

impl Row {
    /// Of an event, to a millionth.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        // Microseconds are beyond every device.
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

    /// The numbers in the order of the columns, with NaN for the kind.
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

/// A row an event; what is not known is empty.
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
