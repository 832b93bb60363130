//! Plots panels with many curves each, in two columns: recorded, normalised and synthesised blinks, as in Figure 7 of
//! Trutoiu 2011.

use super::drawing::{Anchor, Colour, Drawing};
use super::font::Font;
use super::layout::ticks;
use super::paper::Page;
use super::style::{BLUE, GREY, GRID, INK, MIDDLE, NUMBER_SIZE, TEXT_SIZE, VERMILION, ZERO};

/// Panels with many curves each.
#[derive(Clone, Debug)]
pub struct Profiles {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The panels, from left to right and then from top to bottom.
    pub panels: Vec<CurveGroup>,
}

/// Curves in one panel.
#[derive(Clone, Debug)]
pub struct CurveGroup {
    /// The heading of the panel.
    pub name: String,
    /// The label of the horizontal axis.
    pub across: &'static str,
    /// The curves, as thin lines.
    pub curves: Vec<Vec<(f64, f64)>>,
    /// The mean of the curves, as a thick line.
    pub mean: Vec<(f64, f64)>,
    /// True if the curves were synthesised. Synthesised curves have another colour.
    pub is_new: bool,
}

const WIDTH: f64 = 860.0;
const EDGE: f64 = 20.0;
const LEFT: f64 = 40.0;
const GAP: f64 = 26.0;
const HEIGHT: f64 = 190.0;
const HEADING: f64 = 28.0;
const FOOT: f64 = 44.0;

const PALE_BLUE: Colour = Colour(134, 186, 218);
const PALE_VERMILION: Colour = Colour(235, 176, 132);

/// Draws panels, two per row.
pub(super) fn drawing(profiles: &Profiles, font: &Font) -> Drawing {
    let mut page = Page::new(font, profiles);
    let top = page.title(&profiles.title, EDGE);
    let width = (WIDTH - 2.0 * EDGE - 2.0 * LEFT - GAP) / 2.0;
    for (index, panel) in profiles.panels.iter().enumerate() {
        let (column, row) = ((index % 2) as f64, (index / 2) as f64);
        let x = EDGE + LEFT + column * (width + GAP + LEFT);
        let y = top + HEADING + row * (HEADING + HEIGHT + FOOT);
        page.panel(panel, &Axes::of(panel, Frame { x, y, width }));
    }
    let rows = profiles.panels.len().div_ceil(2) as f64;
    page.drawing(WIDTH, top + rows * (HEADING + HEIGHT + FOOT) + 8.0)
}

#[derive(Clone, Copy)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
}

struct Axes {
    frame: Frame,
    across: (f64, f64),
    up: (f64, f64),
}

impl Axes {
    fn of(panel: &CurveGroup, frame: Frame) -> Self {
        let points = || panel.curves.iter().chain([&panel.mean]).flatten();
        let range = |value: fn(&(f64, f64)) -> f64, least: (f64, f64)| {
            points().map(value).fold(least, |(low, high), v| (low.min(v), high.max(v)))
        };
        let (low, high) = range(|point| point.1, (0.0, 1.0));
        let across = range(|point| point.0, (0.0, 1e-9));
        Self { frame, across, up: (low - 0.04, high + 0.04) }
    }

    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.across;
        self.frame.x + (value - low) / (high - low) * self.frame.width
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.up;
        self.frame.y + (high - value) / (high - low) * HEIGHT
    }
}

impl Page<'_, &Profiles> {
    fn panel(&mut self, panel: &CurveGroup, axes: &Axes) {
        let Frame { x, y, width } = axes.frame;
        self.bold(&panel.name, (x - LEFT, y - 9.0), Anchor::Start, TEXT_SIZE, INK);
        self.grid(axes);
        let [pale, full] = if panel.is_new { [PALE_VERMILION, VERMILION] } else { [PALE_BLUE, BLUE] };
        for curve in &panel.curves {
            self.curve(curve, axes, 0.9, pale);
        }
        self.curve(&panel.mean, axes, 2.2, full);
        self.text(panel.across, (x + 0.5 * width, y + HEIGHT + 34.0), Anchor::Middle, NUMBER_SIZE, GREY);
    }

    fn grid(&mut self, axes: &Axes) {
        let Frame { x, y, width } = axes.frame;
        for (value, text) in ticks(axes.across.0, axes.across.1, 6.0) {
            let at = axes.x(value).floor() + 0.5;
            self.line(vec![(at, y), (at, y + HEIGHT)], 1.0, GRID);
            self.text(&text, (at, y + HEIGHT + 17.0), Anchor::Middle, NUMBER_SIZE, GREY);
        }
        for (value, text) in ticks(axes.up.0, axes.up.1, 6.0) {
            let at = axes.y(value).floor() + 0.5;
            self.line(vec![(x, at), (x + width, at)], 1.0, if value == 0.0 { ZERO } else { GRID });
            self.text(&text, (x - 8.0, at + NUMBER_SIZE * MIDDLE), Anchor::End, NUMBER_SIZE, GREY);
        }
    }

    fn curve(&mut self, curve: &[(f64, f64)], axes: &Axes, width: f64, colour: Colour) {
        let points = curve.iter().map(|(x, y)| (axes.x(*x), axes.y(*y))).collect();
        self.line(points, width, colour);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Shape;
    use super::*;

    #[test]
    fn every_curve_stays_within_its_panel() {
        let curve = |high: f64| vec![(-20.0, 0.2), (10.0, high), (200.0, 1.0)];
        let group = |is_new| CurveGroup {
            name: "one".into(),
            across: "milliseconds",
            curves: vec![curve(-0.3), curve(1.7)],
            mean: curve(0.5),
            is_new,
        };
        let profiles =
            Profiles { title: "Blinks\nof two".into(), panels: vec![group(false), group(true), group(true)] };
        let drawing = drawing(&profiles, &Font::new().unwrap());
        let points = |shape: &Shape| match shape {
            Shape::Line { points, .. } => Some(points.clone()),
            _ => None,
        };
        let lines: Vec<_> = drawing.shapes.iter().filter_map(points).collect();
        assert!(lines.len() > 9);
        for (x, y) in lines.into_iter().flatten() {
            assert!((0.0..=drawing.width).contains(&x) && (0.0..=drawing.height).contains(&y), "{x} {y}");
        }
    }
}
