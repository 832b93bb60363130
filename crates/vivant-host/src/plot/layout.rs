//! The layout of a trace plot: title, stacked panels, axes, and names of curves.
//!
//! `drawing` turns a [`Figure`] into shapes and texts with positions in pixels, which are then written as SVG or PNG.
//! Curves are named at their right ends instead of in a legend. A long trace has more samples than the plot has pixels:
//! each pixel column then keeps only its minimum and maximum, so that the file stays small and short blinks stay
//! visible. The choice of panels and units is made in [`super::figure`].

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::figure::{Curve, Figure, Panel, Phase};
use super::font::Font;
use super::paper::Page;
use super::style::{GREY, GRID, INK, MIDDLE, NUMBER_SIZE, OTHER_FONTS, TEXT_SIZE, TITLE_SIZE, ZERO};

const WIDTH: f64 = 800.0;
/// Space to the left and right of the panels, in pixels: numbers on the left, names on the right.
const LEFT: f64 = 58.0;
const EDGE: f64 = 20.0;
const NAME_GAP: f64 = 8.0;
/// Space in pixels: above a panel for its heading, between panels, and below the last panel for the time axis.
const HEADING: f64 = 26.0;
const GAP: f64 = 16.0;
const FOOT: f64 = 52.0;
/// Space above a panel for the phases of a blink, in pixels.
const PHASES: f64 = 18.0;

/// Minimum width in pixels of the widest blink at which blinks are shaded, not drawn as ticks; and the height of a
/// tick in pixels.
const NARROW: f64 = 3.0;
const TICK_HEIGHT: f64 = 8.0;

/// Line widths in pixels: for curves with few points, and for curves with many points.
pub(super) const THICK: f64 = 1.8;
pub(super) const THIN: f64 = 1.1;

const SHADE: Colour = Colour(240, 236, 248);
const TICK: Colour = Colour(106, 76, 147);

/// Draws a figure.
pub(super) fn drawing(figure: &Figure, font: &Font) -> Drawing {
    let mut page = Page::new(font, figure);
    let top = page.wrapped_title(&figure.title);
    let height = panel_height(figure.panels.len());
    let time = TimeAxis::new(figure, page.right_edge(figure));
    let mut y = top;
    for panel in &figure.panels {
        y += HEADING + if panel.of_lids && !figure.phases.is_empty() { PHASES } else { 0.0 };
        page.panel(figure, panel, &time, Frame { top: y, height });
        y += height + GAP;
    }
    page.time(&time, y - GAP);
    page.drawing(WIDTH, y - GAP + FOOT)
}

/// Panel height in pixels by number of panels.
fn panel_height(panels: usize) -> f64 {
    match panels {
        0 | 1 => 300.0,
        2 => 200.0,
        3 => 165.0,
        _ => 140.0,
    }
}

/// Maps seconds to pixels.
struct TimeAxis {
    first: f64,
    last: f64,
    right: f64,
    /// Number of displayed units per second, for example 1000 for milliseconds.
    units_per_second: f64,
    unit: &'static str,
}

impl TimeAxis {
    fn new(figure: &Figure, right: f64) -> Self {
        let (first, last) = (figure.times[0], figure.times[figure.times.len() - 1]);
        let last = last.max(first + 1e-3);
        let (units_per_second, unit) = match last - first {
            short if short <= 0.5 => (1e3, "milliseconds"),
            long if long > 300.0 => (1.0 / 60.0, "minutes"),
            _ => (1.0, "seconds"),
        };
        Self { first, last, right, units_per_second, unit }
    }

    fn x(&self, secs: f64) -> f64 {
        LEFT + (secs - self.first) / (self.last - self.first) * (self.right - LEFT)
    }

    /// Returns the positions and labels of grid lines.
    fn ticks(&self) -> Vec<(f64, String)> {
        let ticks = ticks(self.first * self.units_per_second, self.last * self.units_per_second, 10.0);
        ticks.into_iter().map(|(value, text)| (self.x(value / self.units_per_second), text)).collect()
    }
}

/// The position of a panel in pixels.
#[derive(Clone, Copy)]
struct Frame {
    top: f64,
    height: f64,
}

/// Maps the values of a panel to pixels.
struct ValueAxis {
    low: f64,
    high: f64,
    frame: Frame,
}

impl ValueAxis {
    fn new(panel: &Panel, frame: Frame) -> Self {
        let curves = panel.curves.iter().flat_map(|curve| &curve.values);
        let shown = curves.chain(&panel.shows).copied().filter(|value| value.is_finite());
        let (low, high) =
            shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let margin = if high > low { (high - low) * 0.07 } else { 1.0 };
        Self { low: low - margin, high: high + margin, frame }
    }

    fn y(&self, value: f64) -> f64 {
        self.frame.top + (self.high - value) / (self.high - self.low) * self.frame.height
    }
}

impl Page<'_, &Figure> {
    /// Draws the title and returns the top of the panels. The first line is large, the other lines are small, and
    /// long lines are wrapped.
    fn wrapped_title(&mut self, title: &str) -> f64 {
        let mut y = EDGE;
        for (i, line) in title.lines().enumerate() {
            let (size, colour) = if i == 0 { (TITLE_SIZE, INK) } else { (TEXT_SIZE, GREY) };
            for line in self.wrap(line, size, (WIDTH - 2.0 * EDGE) / OTHER_FONTS) {
                y += size;
                self.text(&line, (EDGE, y), Anchor::Start, size, colour);
                y += size * 0.4;
            }
        }
        y + 6.0
    }

    /// Wraps a text into lines of at most this width in pixels.
    fn wrap(&self, text: &str, size: f64, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match (longer.filter(|longer| self.font.width(longer, size) <= width), lines.last_mut()) {
                (Some(longer), Some(line)) => *line = longer,
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// Returns the right edge of the panels, which leaves space for the longest name.
    fn right_edge(&self, figure: &Figure) -> f64 {
        let names = figure.panels.iter().flat_map(|panel| names(panel).map(|(name, ..)| name));
        let widest = names.map(|name| self.font.width(name, TEXT_SIZE)).fold(0.0, f64::max);
        (WIDTH - EDGE - if widest > 0.0 { widest + NAME_GAP } else { 0.0 }).floor()
    }

    fn panel(&mut self, figure: &Figure, panel: &Panel, time: &TimeAxis, frame: Frame) {
        let axis = ValueAxis::new(panel, frame);
        let marks = Marks::of(figure, panel, time);
        self.heading(panel, marks, frame);
        self.marks(figure, marks, time, frame);
        self.grid(time, &axis);
        if marks == Marks::Phases {
            self.phase_ends(&figure.phases, time, frame);
        }
        if let Some(target) = panel.target {
            self.stroke(vec![(LEFT, axis.y(target)), (time.right, axis.y(target))], 1.2, GREY, true);
        }
        for curve in &panel.curves {
            self.curve(&figure.times, curve, time, &axis);
        }
        self.names(panel, time.right, &axis);
    }

    fn heading(&mut self, panel: &Panel, marks: Marks, frame: Frame) {
        let y = frame.top - if marks == Marks::Phases { PHASES + 9.0 } else { 9.0 };
        self.bold(panel.name, (EDGE, y), Anchor::Start, TEXT_SIZE, INK);
        let unit = match marks {
            Marks::None | Marks::Phases => panel.unit.into(),
            Marks::Shades => format!("{}; blinks shaded", panel.unit),
            Marks::Ticks => format!("{}; ticks mark blinks", panel.unit),
        };
        let x = EDGE + self.width(panel.name, TEXT_SIZE) + 10.0;
        self.text(&unit, (x, y), Anchor::Start, NUMBER_SIZE, GREY);
    }

    fn marks(&mut self, figure: &Figure, marks: Marks, time: &TimeAxis, frame: Frame) {
        match marks {
            Marks::None => {}
            Marks::Phases => self.phases(&figure.phases, time, frame),
            Marks::Shades => figure.blinks.iter().for_each(|blink| self.shade(*blink, time, frame)),
            Marks::Ticks => figure.blinks.iter().for_each(|blink| self.tick(*blink, time, frame)),
        }
    }

    fn shade(&mut self, (from, to): (f64, f64), time: &TimeAxis, Frame { top, height }: Frame) {
        let (x, end) = (time.x(from), time.x(to));
        self.shapes.push(Shape::Box { x, y: top, width: end - x, height, colour: SHADE });
    }

    fn tick(&mut self, (from, to): (f64, f64), time: &TimeAxis, frame: Frame) {
        let (x, bottom) = (time.x(0.5 * (from + to)), frame.top + frame.height);
        self.line(vec![(x, bottom - TICK_HEIGHT), (x, bottom)], 1.0, TICK);
    }

    /// Draws the name and duration of each phase above it, if there is enough space. Shades the closed phase.
    fn phases(&mut self, phases: &[Phase], time: &TimeAxis, frame: Frame) {
        let mut free_from = LEFT;
        for phase in phases {
            if phase.name == "closed" {
                self.shade((phase.from, phase.to), time, frame);
            }
            let line = format!("{} {:.0} ms", phase.name, (phase.to - phase.from) * 1e3);
            let (middle, half) =
                (time.x(0.5 * (phase.from + phase.to)), 0.5 * self.font.width(&line, NUMBER_SIZE));
            if middle - half >= free_from {
                self.text(&line, (middle, frame.top - 8.0), Anchor::Middle, NUMBER_SIZE, GREY);
                free_from = middle + half + 6.0;
            }
        }
    }

    fn phase_ends(&mut self, phases: &[Phase], time: &TimeAxis, frame: Frame) {
        for phase in phases.iter().skip(1) {
            let x = crisp(time.x(phase.from));
            self.stroke(vec![(x, frame.top), (x, frame.top + frame.height)], 1.0, ZERO, true);
        }
    }

    fn grid(&mut self, time: &TimeAxis, axis: &ValueAxis) {
        let (top, bottom) = (axis.frame.top, axis.frame.top + axis.frame.height);
        for (x, _) in time.ticks() {
            self.line(vec![(crisp(x), top), (crisp(x), bottom)], 1.0, GRID);
        }
        for (value, text) in ticks(axis.low, axis.high, axis.frame.height / 27.0) {
            let (y, colour) = (axis.y(value), if value == 0.0 { ZERO } else { GRID });
            self.line(vec![(LEFT, crisp(y)), (time.right, crisp(y))], 1.0, colour);
            self.text(&text, (LEFT - 8.0, y + NUMBER_SIZE * MIDDLE), Anchor::End, NUMBER_SIZE, GREY);
        }
    }

    fn curve(&mut self, times: &[f64], curve: &Curve, time: &TimeAxis, axis: &ValueAxis) {
        let points = times.iter().zip(&curve.values).filter(|(_, value)| value.is_finite());
        let (points, dense) =
            thinned(points.map(|(secs, value)| (time.x(*secs), axis.y(*value))), times.len());
        self.line(points, if dense { THIN } else { THICK }, curve.colour);
    }

    /// Draws the names of the curves next to their right ends, without overlaps.
    fn names(&mut self, panel: &Panel, right: f64, axis: &ValueAxis) {
        let mut names =
            names(panel).map(|(name, end, colour)| (axis.y(end), name, colour)).collect::<Vec<_>>();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let bottom = axis.frame.top + axis.frame.height;
        let places = spread(names.iter().map(|name| name.0), TEXT_SIZE + 2.0, axis.frame.top, bottom);
        for ((_, name, colour), y) in names.into_iter().zip(places) {
            let place = (right + NAME_GAP, y + TEXT_SIZE * MIDDLE);
            self.text(name, place, Anchor::Start, TEXT_SIZE, colour);
        }
    }

    fn time(&mut self, time: &TimeAxis, bottom: f64) {
        for (x, text) in time.ticks() {
            self.text(&text, (x, bottom + 17.0), Anchor::Middle, NUMBER_SIZE, GREY);
        }
        let middle = 0.5 * (LEFT + time.right);
        self.text(time.unit, (middle, bottom + 35.0), Anchor::Middle, NUMBER_SIZE, GREY);
    }
}

/// The marks of blinks in a panel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    None,
    Phases,
    Shades,
    Ticks,
}

impl Marks {
    fn of(figure: &Figure, panel: &Panel, time: &TimeAxis) -> Self {
        let widest = figure.blinks.iter().map(|(from, to)| time.x(*to) - time.x(*from)).fold(0.0, f64::max);
        match (panel.of_lids, figure.phases.is_empty()) {
            (false, _) => Self::None,
            (true, false) => Self::Phases,
            (true, true) if figure.blinks.is_empty() => Self::None,
            (true, true) => {
                if widest < NARROW {
                    Self::Ticks
                } else {
                    Self::Shades
                }
            }
        }
    }
}

/// Returns the name, the last value and the colour of each curve of a panel.
fn names(panel: &Panel) -> impl Iterator<Item = (&'static str, f64, Colour)> {
    let curves = panel.curves.iter().filter(|curve| !curve.label.is_empty());
    let ends = curves.filter_map(|curve| Some((curve.label, *curve.values.last()?, curve.colour)));
    ends.chain(panel.target.map(|target| ("target", target, GREY)))
}

/// Moves a position to the middle of a pixel, where thin lines are sharp.
fn crisp(pixels: f64) -> f64 {
    pixels.floor() + 0.5
}

/// Returns approximately `about` round values in a range, with their labels.
pub(super) fn ticks(low: f64, high: f64, about: f64) -> Vec<(f64, String)> {
    let (step, decimals) = round_step((high - low) / about);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let tick = |i: i64| {
        let value = i as f64 * step;
        (value, format!("{value:.decimals$}").replace('-', "−"))
    };
    (first..=last).map(tick).collect()
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`, and the number of
/// decimals that it needs.
fn round_step(least: f64) -> (f64, usize) {
    let (mut ten, mut decimals) = (1.0, 0);
    while ten > least {
        (ten, decimals) = (ten / 10.0, decimals + 1);
    }
    loop {
        for times in [1.0, 2.0, 5.0] {
            if times * ten >= least {
                return (times * ten, decimals);
            }
        }
        (ten, decimals) = (ten * 10.0, usize::saturating_sub(decimals, 1));
    }
}

/// Clamps ascending positions to the bounds, and then spreads them so that they are at least `apart` from each other.
/// Positions change as little as possible.
fn spread(positions: impl Iterator<Item = f64>, apart: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut places = positions.map(|position| position.clamp(top, bottom)).collect::<Vec<_>>();
    // Each pass separates pairs that are too close, by half of the missing distance for each of the two.
    for _ in 0..32 {
        for i in 1..places.len() {
            let missing = (apart - (places[i] - places[i - 1])).max(0.0);
            places[i - 1] -= 0.5 * missing;
            places[i] += 0.5 * missing;
        }
    }
    places
}

/// Reduces a curve with many points to the minimum and maximum of every pixel column, in order of time. The flag is
/// true if the curve was reduced. In level parts of the curve, only the two ends are kept.
fn thinned(points: impl Iterator<Item = (f64, f64)>, count: usize) -> (Vec<(f64, f64)>, bool) {
    let dense = count as f64 > 2.0 * WIDTH;
    let mut out = Vec::new();
    if dense {
        extremes(points, &mut out);
    } else {
        points.for_each(|point| push(&mut out, point));
    }
    (out, dense)
}

fn extremes(points: impl Iterator<Item = (f64, f64)>, out: &mut Vec<(f64, f64)>) {
    let mut column: Option<(f64, [(f64, f64); 2])> = None;
    for point in points {
        match &mut column {
            Some((pixel, [low, high])) if *pixel == point.0.floor() => {
                if point.1 < low.1 {
                    *low = point;
                }
                if point.1 > high.1 {
                    *high = point;
                }
            }
            _ => {
                flush(column.take(), out);
                column = Some((point.0.floor(), [point, point]));
            }
        }
    }
    flush(column, out);
}

fn flush(column: Option<(f64, [(f64, f64); 2])>, out: &mut Vec<(f64, f64)>) {
    let Some((_, [low, high])) = column else { return };
    let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
    push(out, first);
    if second != first {
        push(out, second);
    }
}

/// Adds a point and removes the previous point if it is within a level part.
fn push(out: &mut Vec<(f64, f64)>, point: (f64, f64)) {
    let level = |a: f64, b: f64| (a - b).abs() < 0.02;
    if let [.., before, last] = out.as_slice()
        && level(before.1, last.1)
        && level(last.1, point.1)
    {
        out.pop();
    }
    out.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let check = |low, high, about, expected: &str| {
            let written = ticks(low, high, about).into_iter().map(|tick| tick.1).collect::<Vec<_>>();
            assert_eq!(written.join(" "), expected);
        };
        check(-2.4, 42.4, 5.0, "0 10 20 30 40");
        check(-1.05, 0.07, 5.0, "−1.0 −0.5 0.0");
        check(-1060.0, 540.0, 7.0, "−1000 −500 0 500");
        check(0.0, 0.0314, 10.0, "0.000 0.005 0.010 0.015 0.020 0.025 0.030");
        check(0.0, 600.0, 10.0, "0 100 200 300 400 500 600");
    }

    #[test]
    fn names_move_as_little_as_possible() {
        let check = |positions: &[f64], expected: &[f64]| {
            let places = spread(positions.iter().copied(), 10.0, 0.0, 100.0);
            let near = places.iter().zip(expected).all(|(place, expected)| (place - expected).abs() < 0.5);
            assert!(near && places.len() == expected.len(), "{places:?} instead of {expected:?}");
        };
        check(&[20.0, 50.0], &[20.0, 50.0]);
        check(&[50.0, 50.0], &[45.0, 55.0]);
        check(&[50.0, 50.0, 50.0], &[40.0, 50.0, 60.0]);
        check(&[-30.0, 30.0, 130.0], &[0.0, 30.0, 100.0]);
    }

    #[test]
    fn thinning_keeps_the_extremes_of_every_pixel_column_and_the_ends() {
        let wave = |i: usize| (i as f64 * 0.01, if i % 7 == 3 { 5.0 } else { (i % 2) as f64 });
        let (points, dense) = thinned((0..10_000).map(wave), 10_000);
        assert!(dense && points.len() <= 200, "{}", points.len());
        for column in 0..100 {
            let within =
                || points.iter().filter(|point| point.0.floor() == f64::from(column)).map(|point| point.1);
            assert_eq!((within().fold(9.0, f64::min), within().fold(0.0, f64::max)), (0.0, 5.0), "{column}");
        }
        let level = (0..1000).map(|i| (f64::from(i), if i < 500 { 1.0 } else { 2.0 }));
        assert_eq!(thinned(level, 1000).0, [(0.0, 1.0), (499.0, 1.0), (500.0, 2.0), (999.0, 2.0)]);
    }
}
