//! Plots labelled blinks in two parts: the signal with its labels, as in Figure 3 of Trutoiu 2011; and all blinks
//! superimposed with their mean, next to a histogram of durations, as in Figure 6 of Trutoiu 2011.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::layout::ticks;
use super::paper::Page;
use super::style::{BLUE, GREEN, GREY, GRID, INK, NUMBER_SIZE, PURPLE, TEXT_SIZE, VERMILION};
use vivant_learn::blinks::statistics::Histogram;
use vivant_learn::blinks::{Event, Kind};

/// A recording of lids with labelled blinks.
#[derive(Clone, Debug)]
pub struct Blinks<'a> {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The sampling rate of `openness` in hertz.
    pub rate_hz: f64,
    /// The aperture, from 0 to 1. It is empty if the recording has only blinks reported by the device.
    pub openness: &'a [f64],
    /// The duration of the recording in seconds.
    pub secs: f64,
    /// The blinks.
    pub events: &'a [Event],
    /// The histogram of the durations of the blinks.
    pub durations: Option<&'a Histogram>,
}

const WIDTH: f64 = 1100.0;
const EDGE: f64 = 20.0;
/// Space to the left of panels for the numbers of the axis, in pixels.
const NUMBERS: f64 = 40.0;
const ROW_HEIGHT: f64 = 120.0;
const BELOW_HEIGHT: f64 = 250.0;
/// Space below panels for the axis, and above panels for the heading, in pixels.
const FOOT: f64 = 34.0;
const HEADING: f64 = 26.0;
/// Seconds shown in a row. A row shows more seconds if there would be too many rows.
const ROW_SECS: f64 = 15.0;
const MAX_ROWS: f64 = 12.0;
/// The part of each blink that is drawn: seconds before and after its lowest point.
const BEFORE_SECS: f64 = 0.3;
const AFTER_SECS: f64 = 0.6;
/// Maximum number of blinks that are drawn. If there are more, only every second, third, … blink is drawn, but the
/// mean includes all blinks.
const MAX_LINES: usize = 400;

const LINE: Colour = Colour(70, 82, 94);
const FAINT: Colour = Colour(158, 182, 204);

/// The line and background colours of a kind of blink.
fn colours(kind: Kind) -> (Colour, Colour) {
    match kind {
        Kind::Blink => (BLUE, Colour(214, 232, 245)),
        Kind::Partial => (Colour(200, 130, 0), Colour(252, 236, 205)),
        Kind::Long => (PURPLE, Colour(241, 222, 233)),
        Kind::Squint => (GREEN, Colour(210, 238, 229)),
    }
}

/// Draws labelled blinks.
pub(super) fn drawing(blinks: &Blinks<'_>, font: &Font) -> Drawing {
    let mut page = Page::new(font, blinks);
    let mut y = page.title(&blinks.title, EDGE);
    y = page.legend(y + 6.0);
    let rows = (blinks.secs / ROW_SECS).ceil().clamp(1.0, MAX_ROWS);
    let row_secs = if rows < MAX_ROWS { ROW_SECS.min(blinks.secs) } else { blinks.secs / rows };
    for row in 0..rows as usize {
        let frame = Frame { left: EDGE + NUMBERS, right: WIDTH - EDGE, top: y + 10.0, height: ROW_HEIGHT };
        let from = row as f64 * row_secs;
        page.row(Axes { frame, x: (from, from + row_secs.max(1e-3)), y: span(blinks.openness) });
        y = frame.bottom() + FOOT;
    }
    if blinks.events.iter().any(|event| event.kind.is_brief()) {
        y = page.below(y);
    }
    page.drawing(WIDTH, y + EDGE)
}

/// Returns the range of the values, including 0 and 1, with a margin.
fn span(values: &[f64]) -> (f64, f64) {
    let finite = values.iter().filter(|x| x.is_finite());
    let (low, high) = finite.fold((0.0f64, 1.0f64), |(low, high), x| (low.min(*x), high.max(*x)));
    let margin = 0.06 * (high - low);
    (low - margin, high + margin)
}

#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    height: f64,
}

impl Frame {
    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// A panel and the ranges of its axes.
#[derive(Clone, Copy)]
struct Axes {
    frame: Frame,
    x: (f64, f64),
    y: (f64, f64),
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        let share = ((value - self.x.0) / (self.x.1 - self.x.0)).clamp(0.0, 1.0);
        self.frame.left + share * (self.frame.right - self.frame.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.frame.bottom() - (value - self.y.0) / (self.y.1 - self.y.0) * self.frame.height
    }

    fn shows(&self, value: f64) -> bool {
        (self.x.0..=self.x.1).contains(&value)
    }
}

impl Page<'_, &Blinks<'_>> {
    /// Draws the legend. Returns its lower edge.
    fn legend(&mut self, top: f64) -> f64 {
        let mut x = EDGE;
        for kind in Kind::ALL {
            let (colour, shade) = colours(kind);
            self.shapes.push(Shape::Box { x, y: top, width: 26.0, height: 14.0, colour: shade });
            self.marks(colour, [x + 2.0, x + 10.0, x + 24.0], (top, top + 14.0), top + 9.0);
            self.text(kind.name(), (x + 33.0, top + 11.5), Anchor::Start, TEXT_SIZE, GREY);
            x += 56.0 + self.width(kind.name(), TEXT_SIZE);
        }
        let label = "lines: onset and offset; dot: apex";
        self.text(label, (x, top + 11.5), Anchor::Start, TEXT_SIZE, GREY);
        top + 20.0
    }

    /// Draws the marks of onset, apex and offset.
    fn marks(
        &mut self,
        colour: Colour,
        [onset, apex, offset]: [f64; 3],
        (top, bottom): (f64, f64),
        low: f64,
    ) {
        for x in [onset, offset] {
            self.line(vec![(x, top), (x, bottom)], 1.2, colour);
        }
        let r = 3.2;
        let points = vec![(apex - r, low), (apex, low - r), (apex + r, low), (apex, low + r)];
        self.shapes.push(Shape::Polygon { points, colour });
    }

    fn row(&mut self, axes: Axes) {
        let blinks = self.data;
        let seen = |event: &&Event| event.offset_secs >= axes.x.0 && event.onset_secs <= axes.x.1;
        let Frame { top, height, .. } = axes.frame;
        for event in blinks.events.iter().filter(seen) {
            let (x, end) = (axes.x(event.onset_secs), axes.x(event.offset_secs));
            let colour = colours(event.kind).1;
            self.shapes.push(Shape::Box { x, y: top, width: (end - x).max(1.0), height, colour });
        }
        self.grid(axes, [15.0, 5.0], " s");
        let at = |i: usize| i as f64 / blinks.rate_hz;
        let seen_samples = samples(axes.x.0, blinks)..samples(axes.x.1, blinks) + 1;
        let values = seen_samples.filter_map(|i| Some((at(i), *blinks.openness.get(i)?)));
        self.curve(axes, values, LINE, 1.2);
        for event in blinks.events.iter().filter(seen) {
            let low = blinks.openness.get(samples(event.apex_secs, blinks)).filter(|x| x.is_finite());
            let low = low.map_or(top + height / 2.0, |low| axes.y(*low));
            if axes.shows(event.apex_secs) {
                let xs = [event.onset_secs, event.apex_secs, event.offset_secs].map(|secs| axes.x(secs));
                self.marks(colours(event.kind).0, xs, (top, top + height), low);
            }
        }
    }

    /// Draws grid lines at round values. `columns` and `rows` are the approximate numbers of lines.
    fn grid(&mut self, axes: Axes, [columns, rows]: [f64; 2], unit: &str) {
        let Frame { left, right, top, .. } = axes.frame;
        let bottom = axes.frame.bottom();
        for (value, label) in ticks(axes.x.0, axes.x.1, columns) {
            let x = axes.x(value);
            self.line(vec![(x, top), (x, bottom + 4.0)], 1.0, GRID);
            self.text(&format!("{label}{unit}"), (x, bottom + 17.0), Anchor::Middle, NUMBER_SIZE, GREY);
        }
        for (value, label) in ticks(axes.y.0, axes.y.1, rows) {
            let y = axes.y(value);
            self.line(vec![(left, y), (right, y)], 1.0, GRID);
            self.text(&label, (left - 6.0, y + 4.0), Anchor::End, NUMBER_SIZE, GREY);
        }
    }

    /// Draws a curve with gaps where values are unknown.
    fn curve(&mut self, axes: Axes, values: impl Iterator<Item = (f64, f64)>, colour: Colour, width: f64) {
        let mut points = Vec::new();
        for (x, y) in values {
            if y.is_finite() {
                points.push((axes.x(x), axes.y(y)));
            } else {
                self.line(std::mem::take(&mut points), width, colour);
            }
        }
        self.line(points, width, colour);
    }

    /// Draws all blinks superimposed, and the histogram of durations. Returns the lower edge.
    fn below(&mut self, top: f64) -> f64 {
        let blinks = self.data;
        let middle = WIDTH * 0.55;
        let (top, height) = (top + HEADING + 12.0, BELOW_HEIGHT);
        let left = EDGE + NUMBERS;
        if !blinks.openness.is_empty() {
            self.aligned(Frame { left, right: middle - NUMBERS, top, height });
        }
        if let Some(histogram) = blinks.durations {
            self.histogram(histogram, Frame { left: middle + NUMBERS, right: WIDTH - EDGE, top, height });
        }
        top + height + FOOT
    }

    fn heading(&mut self, label: &str, frame: Frame) {
        self.text(label, (frame.left, frame.top - 10.0), Anchor::Start, TEXT_SIZE, INK);
    }

    fn aligned(&mut self, frame: Frame) {
        let blinks = self.data;
        let lines = aligned(blinks);
        let count = lines.len();
        self.heading(&format!("{count} blinks, aligned at their lowest point, and their mean"), frame);
        let x = (-BEFORE_SECS * 1e3, AFTER_SECS * 1e3);
        let axes = Axes { frame, x, y: span(blinks.openness) };
        self.grid(axes, [9.0, 5.0], " ms");
        let first = -((BEFORE_SECS * blinks.rate_hz).round());
        let ms = |i: usize| (first + i as f64) / blinks.rate_hz * 1e3;
        for line in lines.iter().step_by(count.div_ceil(MAX_LINES)) {
            self.curve(axes, line.iter().enumerate().map(|(i, y)| (ms(i), *y)), FAINT, 1.0);
        }
        self.curve(axes, mean(&lines).into_iter().enumerate().map(|(i, y)| (ms(i), y)), VERMILION, 2.6);
    }

    fn histogram(&mut self, histogram: &Histogram, frame: Frame) {
        self.heading("Durations, from onset to offset", frame);
        let most = histogram.counts.iter().copied().max().unwrap_or(1) as f64;
        let ms = |bin: f64| (histogram.from + bin * histogram.bin) * 1e3;
        let from = (ms(0.0) - 100.0).max(0.0);
        let to = ms(histogram.counts.len() as f64) + 100.0;
        let axes = Axes { frame, x: (from, to), y: (0.0, most * 1.08) };
        // Counts are whole numbers.
        self.grid(axes, [6.0, axes.y.1.min(5.0)], " ms");
        for (i, count) in histogram.counts.iter().enumerate() {
            let (x, end) = (axes.x(ms(i as f64)), axes.x(ms(i as f64 + 1.0)));
            let y = axes.y(*count as f64);
            let (colour, height) = (colours(Kind::Blink).0, frame.bottom() - y);
            self.shapes.push(Shape::Box { x: x + 0.5, y, width: (end - x - 1.0).max(1.0), height, colour });
        }
    }
}

fn samples(secs: f64, blinks: &Blinks<'_>) -> usize {
    (secs * blinks.rate_hz).round().max(0.0) as usize
}

/// Returns the signal around the apex of every full or partial blink; NaN outside the recording.
fn aligned(blinks: &Blinks<'_>) -> Vec<Vec<f64>> {
    let [before, after] = [BEFORE_SECS, AFTER_SECS].map(|secs| samples(secs, blinks));
    let value = |at: usize, i: usize| {
        let index = (at + i).checked_sub(before);
        index.and_then(|index| blinks.openness.get(index)).copied().unwrap_or(f64::NAN)
    };
    let brief = blinks.events.iter().filter(|event| event.kind.is_brief());
    let at = brief.map(|event| samples(event.apex_secs, blinks));
    at.map(|at| (0..=before + after).map(|i| value(at, i)).collect()).collect()
}

/// Returns the mean of the known values.
fn mean(lines: &[Vec<f64>]) -> Vec<f64> {
    let at = |i: usize| {
        let known = lines.iter().map(|line| line[i]).filter(|y| y.is_finite());
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), y| (sum + y, count + 1.0));
        sum / count
    };
    (0..lines.first().map_or(0, Vec::len)).map(at).collect()
}
