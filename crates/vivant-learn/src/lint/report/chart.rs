//! A small SVG plot for HTML pages: lines, points and bars over two axes.

use super::format_number;
use super::page::escape;
use std::fmt::Write;
use vivant::math::{ln, pow};

const SIZE: (f64, f64) = (460.0, 270.0);
/// Margins for labels: left, right, top and bottom.
const EDGES: [f64; 4] = [46.0, 10.0, 44.0, 38.0];

/// Colour of a line.
#[derive(Clone, Copy)]
pub(super) enum Ink {
    Blue,
    Green,
    Orange,
    Grey,
    Faint,
}

impl Ink {
    const fn colour(self) -> &'static str {
        match self {
            Self::Blue => "#0072b2",
            Self::Green => "#008a64",
            Self::Orange => "#d55e00",
            Self::Grey => "#5c6670",
            Self::Faint => "#b9cbdb",
        }
    }

    const fn width(self) -> f64 {
        match self {
            Self::Orange => 2.0,
            _ => 1.1,
        }
    }
}

/// A line and its label in the legend.
struct Line {
    label: String,
    points: Vec<(f64, f64)>,
    ink: Ink,
}

/// A plot.
pub(super) struct Chart {
    title: &'static str,
    units: [&'static str; 2],
    lines: Vec<Line>,
    points: Vec<(f64, f64)>,
    /// Left edge, width and height of each bar.
    bars: Vec<(f64, f64, f64)>,
}

impl Chart {
    pub(super) fn new(title: &'static str, x: &'static str, y: &'static str) -> Self {
        Self { title, units: [x, y], lines: Vec::new(), points: Vec::new(), bars: Vec::new() }
    }

    /// Adds a line. Lines with an empty label are not in the legend.
    pub(super) fn line(&mut self, label: &str, points: Vec<(f64, f64)>, ink: Ink) {
        self.lines.push(Line { label: label.to_owned(), points, ink });
    }

    pub(super) fn points(&mut self, points: Vec<(f64, f64)>) {
        self.points = points;
    }

    pub(super) fn bars(&mut self, bars: Vec<(f64, f64, f64)>) {
        self.bars = bars;
    }

    pub(super) fn svg(&self) -> String {
        let axes = Axes::of(self);
        let (width, height) = SIZE;
        let mut out = format!(
            "<svg viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1c242c\">\
             <text x=\"4\" y=\"15\" font-size=\"14\" font-weight=\"600\">{}</text>",
            escape(self.title)
        );
        self.grid(&axes, &mut out);
        for (from, wide, high) in &self.bars {
            let (left, right, top) = (axes.x(*from), axes.x(from + wide), axes.y(*high));
            let _ = write!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#7fb2d6\"/>",
                (right - left - 1.0).max(0.5),
                (axes.y(0.0) - top).max(0.0)
            );
        }
        for (x, y) in &self.points {
            let _ = write!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.8\" fill=\"#0072b2\" fill-opacity=\".45\"/>",
                axes.x(*x),
                axes.y(*y)
            );
        }
        self.draw_lines(&axes, &mut out);
        out.push_str("</svg>");
        out
    }

    fn grid(&self, axes: &Axes, out: &mut String) {
        let (width, height) = SIZE;
        let [left, right, _, below] = EDGES;
        for value in ticks(axes.low.1, axes.high.1) {
            let y = axes.y(value);
            let _ = write!(
                out,
                "<path d=\"M{left} {y:.1}H{}\" stroke=\"#e0e4e8\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5c6670\">{}</text>",
                width - right,
                left - 5.0,
                y + 4.0,
                format_tick(value)
            );
        }
        for value in ticks(axes.low.0, axes.high.0) {
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#5c6670\">{}</text>",
                axes.x(value),
                height - below + 15.0,
                format_tick(value)
            );
        }
        let [x, y] = self.units.map(escape);
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#5c6670\">{x}</text><text x=\"4\" y=\"40\" fill=\"#5c6670\">{y}</text>",
            width - right,
            height - 6.0
        );
    }

    /// Draws all lines. A non-finite point interrupts its line.
    fn draw_lines(&self, axes: &Axes, out: &mut String) {
        let mut legend = SIZE.0 - EDGES[1];
        for Line { label, points, ink } in &self.lines {
            let mut path = String::new();
            let mut is_drawing = false;
            for (x, y) in points {
                if x.is_finite() && y.is_finite() {
                    let _ = write!(
                        path,
                        "{}{:.1} {:.1}",
                        if is_drawing { "L" } else { "M" },
                        axes.x(*x),
                        axes.y(*y)
                    );
                }
                is_drawing = x.is_finite() && y.is_finite();
            }
            let (colour, width) = (ink.colour(), ink.width());
            let _ = write!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
            );
            if !label.is_empty() {
                let _ = write!(
                    out,
                    "<text x=\"{legend:.0}\" y=\"30\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
                    escape(label)
                );
                legend -= 6.2 * label.chars().count() as f64 + 12.0;
            }
        }
    }
}

/// Data range of the plot.
struct Axes {
    low: (f64, f64),
    high: (f64, f64),
}

impl Axes {
    /// Computes the range of all finite points; it always includes zero.
    fn of(chart: &Chart) -> Self {
        let lines = chart.lines.iter().flat_map(|line| line.points.iter().copied());
        let bars = chart.bars.iter().flat_map(|(x, wide, y)| [(*x, *y), (x + wide, 0.0)]);
        let all = lines.chain(chart.points.iter().copied()).chain(bars);
        let mut axes = Self { low: (0.0, 0.0), high: (1e-6, 1e-6) };
        for (x, y) in all.filter(|(x, y)| x.is_finite() && y.is_finite()) {
            axes.low = (axes.low.0.min(x), axes.low.1.min(y));
            axes.high = (axes.high.0.max(x), axes.high.1.max(y));
        }
        axes.high.1 += 0.04 * (axes.high.1 - axes.low.1);
        axes
    }

    fn x(&self, value: f64) -> f64 {
        let [left, right, ..] = EDGES;
        left + (value - self.low.0) / (self.high.0 - self.low.0) * (SIZE.0 - left - right)
    }

    fn y(&self, value: f64) -> f64 {
        let [.., above, below] = EDGES;
        SIZE.1 - below - (value - self.low.1) / (self.high.1 - self.low.1) * (SIZE.1 - above - below)
    }
}

/// Returns about five round numbers within the range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = pow(10.0, (ln(rough) / std::f64::consts::LN_10).floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|by| by * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last.min(first + 20)).map(|i| i as f64 * step).collect()
}

fn format_tick(value: f64) -> String {
    if value.abs() >= 10.0 || value == value.round() { format!("{value:.0}") } else { format_number(value) }
}
