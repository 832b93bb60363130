//! Labels as CSV, as JSON and for people.

use serde::Serialize;
use std::fmt::Write;
use vivant_io::Warning;
use vivant_learn::blinks::recorded::Labelled;
use vivant_learn::blinks::statistics::{Distribution, Statistics};
use vivant_learn::blinks::{Event, Kind};
use vivant_learn::recording::Recording;

/// All of it, for programs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
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
    pub(super) fn of(recording: &'a Recording, labelled: &'a Labelled, warnings: &'a [Warning]) -> Self {
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

/// An event with the names that the CSV has. What is not known is null.
#[derive(Serialize)]
struct Row {
    onset: f64,
    apex: f64,
    offset: f64,
    kind: Kind,
    closing: f64,
    opening: f64,
    amplitude: f64,
    completeness: f64,
    peak_closing_per_s: f64,
    peak_opening_per_s: f64,
}

/// The columns of the CSV.
const COLUMNS: &str =
    "onset,apex,offset,kind,closing,opening,amplitude,completeness,peak_closing_per_s,peak_opening_per_s";

impl Row {
    fn of(event: &Event) -> Self {
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
}

/// A row an event; what is not known is empty.
pub(super) fn csv(events: &[Event]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for row in events.iter().map(Row::of) {
        // Writing into a String cannot fail.
        let _ = write!(text, "{},{},{},{}", row.onset, row.apex, row.offset, row.kind.name());
        for value in [
            row.closing,
            row.opening,
            row.amplitude,
            row.completeness,
            row.peak_closing_per_s,
            row.peak_opening_per_s,
        ] {
            let _ = if value.is_finite() { write!(text, ",{value}") } else { write!(text, ",") };
        }
        text.push('\n');
    }
    text
}

/// For people: the events, if they are written nowhere else, and what they are like as a whole.
pub(super) fn lines(recording: &Recording, labelled: &Labelled, with_events: bool) -> Vec<String> {
    let seconds = recording.times.last().copied().unwrap_or(0.0);
    let device = if recording.device.is_empty() { String::new() } else { format!(" ({})", recording.device) };
    let mut lines = vec![format!(
        "{}{device}: {seconds:.1} s at {} Hz",
        recording.name,
        (labelled.rate_hz * 1e3).round() / 1e3
    )];
    if with_events && !labelled.events.is_empty() {
        lines.push("   onset     apex   offset  kind     closing  opening  completeness".to_owned());
        lines.extend(labelled.events.iter().map(line));
    }
    let statistics = &labelled.statistics;
    lines.push(format!("  {}", rate(statistics)));
    for (name, distribution) in [
        ("duration", &statistics.durations),
        ("closing", &statistics.closing),
        ("opening", &statistics.opening),
        ("interval", &statistics.intervals),
    ] {
        lines.extend(distribution.as_ref().map(|distribution| spread(name, distribution)));
    }
    lines
}

/// Milliseconds, for people; nothing where nothing is known.
fn ms(secs: f64) -> String {
    if secs.is_finite() { format!("{:.0} ms", secs * 1e3) } else { String::new() }
}

fn line(event: &Event) -> String {
    let Event { onset_secs, apex_secs, offset_secs, kind, .. } = event;
    let completeness = if event.completeness.is_finite() {
        format!("{:.0} %", event.completeness * 100.0)
    } else {
        String::new()
    };
    let (closing, opening) = (ms(event.closing_secs), ms(event.opening_secs));
    let line = format!(
        "{onset_secs:8.3} {apex_secs:8.3} {offset_secs:8.3}  {:<7} {closing:>8} {opening:>8} {completeness:>13}",
        kind.name()
    );
    line.trim_end().to_owned()
}

/// How many of what, and how often.
pub(super) fn rate(statistics: &Statistics) -> String {
    let Statistics { blinks, partial, long, squints, per_minute, .. } = statistics;
    let plural = |count: &usize| if *count == 1 { "" } else { "s" };
    let per_minute = per_minute.map_or(String::new(), |rate| format!(": {rate:.1} blinks a minute"));
    format!(
        "{blinks} blink{}, {partial} partial, {long} long, {squints} squint{}{per_minute}",
        plural(blinks),
        plural(squints)
    )
}

fn spread(name: &str, distribution: &Distribution) -> String {
    let Distribution { mean, sd, p25, median, p75, .. } = distribution;
    let sd = sd.map_or(String::new(), |sd| format!(" ± {sd:.3}"));
    format!("  {name:<9} {mean:.3}{sd} s, median {median:.3}, half within {p25:.3} to {p75:.3}")
}
