//! Labels as lines of text.
//!
//! This is the report that people read in a terminal; JSON and CSV are in [`report`](super::report). [`lines`] takes a
//! recording and the result of [`label_recording`](super::recorded::label_recording), and returns a heading, the events
//! if wanted, and the statistics. [`rate`] returns only the line with counts and blink rate. Unknown values are left
//! empty, and distributions without values have no line.

use super::Event;
use super::recorded::Labelled;
use super::statistics::{Distribution, Statistics};
use crate::recording::Recording;

/// Returns the statistics as lines of text, preceded by the events if `with_events` is true.
#[must_use]
pub fn lines(recording: &Recording, labelled: &Labelled, with_events: bool) -> Vec<String> {
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

/// Formats seconds as milliseconds; empty if unknown.
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

/// Returns the number of events of each kind, and the blink rate, as text.
#[must_use]
pub fn rate(statistics: &Statistics) -> String {
    let Statistics { blinks, partial, long, squints, per_minute, .. } = statistics;
    let plural = |count: &usize| if *count == 1 { "" } else { "s" };
    let per_minute = per_minute.map_or(String::new(), |rate| format!(": {rate:.1} blinks per minute"));
    format!(
        "{blinks} blink{}, {partial} partial, {long} long, {squints} squint{}{per_minute}",
        plural(blinks),
        plural(squints)
    )
}

fn spread(name: &str, distribution: &Distribution) -> String {
    let Distribution { mean, sd, p25, median, p75, .. } = distribution;
    let sd = sd.map_or(String::new(), |sd| format!(" ± {sd:.3}"));
    format!("  {name:<9} {mean:.3}{sd} s, median {median:.3}, quartiles {p25:.3} to {p75:.3}")
}
