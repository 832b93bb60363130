//! The result of the linter as an HTML page, with plots that compare the trace with people.
//!
//! A table of values does not show why a check failed; a plot over human data does. [`page`] returns the complete page
//! as text: score, recommended changes, plots and all checks, wrong ones first. Style and plots are inline and there is
//! no script, so the file can be sent and opened without the network. Names come from files, so all text from outside
//! is escaped by [`escape`].

use super::chart::{Chart, Ink};
use super::format_number;
use crate::blinks::Kind;
use crate::lint::{Check, Lint, Trace, TraceFindings, Verdict};
use std::fmt::Write;
use vivant::eyes::saccade::{MainSequence, Saccade};
use vivant::math::{exp, ln};

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; color: #1c242c; max-width: 68rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
.score { font-size: 3rem; font-weight: 700 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid #e0e4e8; vertical-align: top }
td.number { text-align: right; white-space: nowrap } small { color: #5c6670 }
.human { color: #008a64 } .odd { color: #a86400 } .wrong { color: #c03018; font-weight: 600 } .unseen { color: #5c6670 }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem } figure { margin: 0 } svg { width: 100% }
";

/// Returns the result of the linter as an HTML page with plots.
#[must_use]
pub fn page(trace: &Trace, lint: &Lint, found: &TraceFindings) -> String {
    let name = escape(&lint.name);
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>How human is {name}?</title><style>{STYLE}</style>\n\
         <h1>How human is {name}?</h1>\n<p><span class=\"score\">{:.0}</span> of 100 \u{b7} {:.1} s at {} Hz</p>\n<p>{}</p>\n",
        lint.score,
        lint.seconds,
        format_number(lint.rate_hz),
        summary(lint)
    );
    page.push_str("<h2>Recommended changes</h2>\n");
    let remarks: Vec<&Check> = sorted(lint).into_iter().filter(|check| is_remark(check)).collect();
    if remarks.is_empty() {
        page.push_str("<p>None.</p>\n");
    } else {
        page.push_str("<ul>\n");
        for check in remarks {
            let _ = writeln!(
                page,
                "<li><b class=\"{}\">{}</b>: {}</li>",
                class(check),
                escape(check.title),
                escape(&check.advice)
            );
        }
        page.push_str("</ul>\n");
    }
    page.push_str("<h2>Comparison with people</h2>\n<div class=\"plots\">\n");
    for chart in charts(trace, found) {
        let _ = writeln!(page, "<figure>{}</figure>", chart.svg());
    }
    page.push_str(
        "</div>\n<h2>All checks</h2>\n<table>\n<tr><th>Check<th>Value<th>People<th><th>Verdict</tr>\n",
    );
    for check in sorted(lint) {
        page.push_str(&row(check));
    }
    page.push_str("</table>\n</html>\n");
    page
}

fn is_remark(check: &Check) -> bool {
    matches!(check.verdict, Verdict::Odd | Verdict::Wrong)
}

fn summary(lint: &Lint) -> String {
    let count = |verdict| lint.checks.iter().filter(|check| check.verdict == verdict).count();
    format!(
        "{} checks are human, {} odd, {} wrong; {} have not enough data.",
        count(Verdict::Human),
        count(Verdict::Odd),
        count(Verdict::Wrong),
        count(Verdict::NotEnoughData)
    )
}

/// Sorts checks: wrong first, checks without data last.
fn sorted(lint: &Lint) -> Vec<&Check> {
    let order = [Verdict::Wrong, Verdict::Odd, Verdict::Human, Verdict::NotEnoughData];
    let of = |verdict: Verdict| lint.checks.iter().filter(move |check| check.verdict == verdict);
    order.into_iter().flat_map(of).collect()
}

fn class(check: &Check) -> &'static str {
    match check.verdict {
        Verdict::Human => "human",
        Verdict::Odd => "odd",
        Verdict::Wrong => "wrong",
        Verdict::NotEnoughData => "unseen",
    }
}

fn row(check: &Check) -> String {
    let value = check.value.map_or_else(|| "–".to_owned(), format_number);
    let [low, high] = check.human.map(format_number);
    format!(
        "<tr><td>{}<br><small>{} \u{b7} {}</small><td class=\"number\">{value} {}<td class=\"number\">{low} to {high}<td>{}<td class=\"{}\">{}</tr>\n",
        escape(check.title),
        check.id,
        escape(&check.source),
        check.unit,
        strip(check),
        class(check),
        check.verdict.name()
    )
}

/// Draws the human range as a bar and the value as a dot.
fn strip(check: &Check) -> String {
    let Some(value) = check.value else { return String::new() };
    let [low, high] = check.human;
    let (from, to) = (value.min(low), value.max(high));
    let room = 0.1 * (to - from).max(1e-9);
    let x = |value: f64| 4.0 + 132.0 * ((value - from + room) / (to - from + 2.0 * room)).clamp(0.0, 1.0);
    format!(
        "<svg viewBox=\"0 0 140 16\" style=\"width:140px\"><rect x=\"{:.1}\" y=\"5\" width=\"{:.1}\" height=\"6\" rx=\"3\" fill=\"#bfe3d6\"/>\
         <circle cx=\"{:.1}\" cy=\"8\" r=\"4\" fill=\"#1c242c\"/></svg>",
        x(low),
        (x(high) - x(low)).max(1.0),
        x(value)
    )
}

fn charts(trace: &Trace, found: &TraceFindings) -> Vec<Chart> {
    let mut charts = vec![excerpt(trace, found)];
    charts.extend(blink_shapes(trace, found));
    charts.extend(blink_intervals(found));
    charts.extend(main_sequence(found));
    charts.extend(durations(found));
    charts
}

/// Plots the first 20 seconds of the trace.
fn excerpt(trace: &Trace, found: &TraceFindings) -> Chart {
    const SECS: f64 = 20.0;
    let mut chart = Chart::new("First 20 seconds", "s", "°; lid openness in %");
    let count = ((SECS * trace.rate_hz) as usize).min(trace.len());
    let mut draw = |label: &str, values: &[f64], by: f64, ink: Ink| {
        let points = values.iter().take(count).enumerate();
        chart.line(label, points.map(|(i, value)| (i as f64 / trace.rate_hz, by * value)).collect(), ink);
    };
    if let Some(gaze) = &trace.gaze {
        draw("eye yaw (left)", &gaze.yaw_deg, 1.0, Ink::Blue);
        draw("eye pitch (up)", &gaze.pitch_deg, 1.0, Ink::Green);
    }
    if let Some(head) = &trace.head {
        draw("head yaw (left)", &head.yaw_deg, 1.0, Ink::Orange);
    }
    draw("lid openness", &found.openness, 100.0, Ink::Grey);
    chart
}

/// Overlays all blinks, and a human blink with an amplitude of 35° (Evinger et al. 1991).
fn blink_shapes(trace: &Trace, found: &TraceFindings) -> Option<Chart> {
    const MAX_COUNT: usize = 60;
    let mut chart = Chart::new("Blink shapes", "ms after onset", "openness, 1 is fully open");
    let blinks: Vec<_> =
        found.blinks.iter().filter(|blink| blink.kind == Kind::Blink).take(MAX_COUNT).collect();
    for blink in &blinks {
        let from = (blink.onset_secs * trace.rate_hz) as usize;
        let to = (from + (0.5 * trace.rate_hz) as usize).min(found.openness.len());
        let at = |i: usize| (1e3 * (i as f64 / trace.rate_hz - blink.onset_secs), found.openness[i]);
        chart.line("", (from..to).map(at).collect(), Ink::Faint);
    }
    let human = vivant::eyes::blink::Blink::new(35.0);
    let shape = (0..=100).map(|i| 5.0 * f64::from(i)).map(|ms| (ms, 1.0 - human.closure(ms / 1e3)));
    chart.line("people, 35° (Evinger 1991)", shape.collect(), Ink::Orange);
    (!blinks.is_empty()).then_some(chart)
}

/// Plots a histogram of inter-blink intervals, with the log-normal distribution of people at the same blink rate.
fn blink_intervals(found: &TraceFindings) -> Option<Chart> {
    const BIN: f64 = 1.0;
    let onsets: Vec<f64> =
        found.blinks.iter().filter(|blink| blink.kind.is_brief()).map(|blink| blink.onset_secs).collect();
    let intervals: Vec<f64> = onsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if intervals.len() < 8 {
        return None;
    }
    let count = intervals.len() as f64;
    let mean = intervals.iter().sum::<f64>() / count;
    let bins = (intervals.iter().copied().fold(0.0, f64::max) / BIN).ceil().min(60.0) as usize;
    let share =
        |bin: usize| intervals.iter().filter(|it| (**it / BIN) as usize == bin).count() as f64 / count;
    let mut chart = Chart::new("Inter-blink intervals", "s", "share");
    chart.bars((0..bins.max(1)).map(|bin| (bin as f64 * BIN, BIN, share(bin))).collect());
    let (sigma, mu) = (0.7, ln(mean) - 0.245);
    let density = |x: f64| {
        let off = (ln(x) - mu) / sigma;
        exp(-0.5 * off * off) / (x * sigma * std::f64::consts::TAU.sqrt())
    };
    let curve = (1..=200).map(|i| f64::from(i) * bins as f64 * BIN / 200.0).map(|x| (x, BIN * density(x)));
    chart.line("people at this blink rate", curve.collect(), Ink::Orange);
    Some(chart)
}

fn expected_ms(amplitude: f64) -> f64 {
    1e3 * MainSequence::Collewijn.duration_secs(amplitude)
}

fn main_sequence(found: &TraceFindings) -> Option<Chart> {
    let saccades = &found.gaze_events.as_ref()?.saccades;
    let mut chart = Chart::new("Peak saccade velocity", "amplitude in °", "°/s");
    let expected = |amplitude: f64| 1e3 * Saccade::RATIO * amplitude / expected_ms(amplitude);
    let band = |by: f64| (0..=40).map(f64::from).map(|deg| (deg, by * expected(deg))).collect();
    chart.line("people (Hopf 2018)", band(1.0), Ink::Orange);
    chart.line("", band(0.6), Ink::Faint);
    chart.line("", band(1.7), Ink::Faint);
    chart.points(
        saccades
            .iter()
            .filter(|it| it.amplitude_deg < 40.0)
            .map(|it| (it.amplitude_deg, it.peak_deg_per_s))
            .collect(),
    );
    (saccades.len() >= 5).then_some(chart)
}

fn durations(found: &TraceFindings) -> Option<Chart> {
    let saccades = &found.gaze_events.as_ref()?.saccades;
    let mut chart = Chart::new("Saccade duration", "amplitude in °", "ms");
    let band = |by: f64| (0..=40).map(f64::from).map(|deg| (deg, expected_ms(deg) + by)).collect();
    chart.line("people (Collewijn 1988)", band(0.0), Ink::Orange);
    chart.line("", band(-22.0), Ink::Faint);
    chart.line("", band(35.0), Ink::Faint);
    chart.points(
        saccades
            .iter()
            .filter(|it| it.amplitude_deg < 40.0)
            .map(|it| (it.amplitude_deg, 1e3 * it.secs))
            .collect(),
    );
    (saccades.len() >= 5).then_some(chart)
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
