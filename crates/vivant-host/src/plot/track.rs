//! Plots tracked lids: the aperture of both eyes over time, the error of the fit, and the time ranges in which the
//! eyes were lost.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::layout::ticks;
use super::paper::Page;
use super::style::{BLUE, GREY, GRID, NUMBER_SIZE, TEXT_SIZE, VERMILION, ZERO};

/// Lids tracked in a film.
#[derive(Clone, Debug)]
pub struct Track<'a> {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The samples, one per frame.
    pub samples: &'a [Sample],
}

/// The result of tracking one frame. Unknown values are NaN.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Time in seconds.
    pub secs: f64,
    /// Aperture of the left eye, as a fraction of the width of the eye.
    pub left: f32,
    /// Aperture of the right eye, as a fraction of the width of the eye.
    pub right: f32,
    /// Error of the fit, from 0 to 1.
    pub error: f32,
}

const WIDTH: f64 = 1100.0;
const EDGE: f64 = 20.0;
/// Space to the left of panels for the numbers of the axis, in pixels.
const NUMBERS: f64 = 40.0;
const APERTURE_HEIGHT: f64 = 120.0;
const ERROR_HEIGHT: f64 = 34.0;
const BETWEEN: f64 = 8.0;
/// Space below a row for the axis, in pixels.
const FOOT: f64 = 34.0;
/// Seconds shown in a row. A row shows more seconds if there would be too many rows.
const ROW_SECS: f64 = 20.0;
const MAX_ROWS: f64 = 12.0;

/// Background colour while the eyes were lost.
const LOST: Colour = Colour(250, 214, 208);
const ERROR: Colour = GREY;
/// Minimum width of a gap in pixels, so that it is visible.
const MIN_GAP: f64 = 1.5;

/// Draws a track.
pub(super) fn drawing(track: &Track<'_>, font: &Font) -> Drawing {
    let mut page = Page::new(font, track);
    let mut y = page.title(&track.title, EDGE);
    y = page.legend(y + 6.0);
    let (Some(first), Some(last)) = (track.samples.first(), track.samples.last()) else {
        return page.drawing(WIDTH, y + EDGE);
    };
    let secs = (last.secs - first.secs).max(1e-3);
    let rows = (secs / ROW_SECS).ceil().clamp(1.0, MAX_ROWS);
    let row_secs = secs / rows;
    let limits = Limits::of(track.samples);
    for row in 0..rows as usize {
        let from = first.secs + row as f64 * row_secs;
        page.row((from, from + row_secs), limits, y + 10.0);
        y += 10.0 + APERTURE_HEIGHT + BETWEEN + ERROR_HEIGHT + FOOT;
    }
    page.drawing(WIDTH, y + 4.0)
}

/// The ranges of the vertical axes, which are the same in all rows.
#[derive(Clone, Copy)]
struct Limits {
    aperture: (f64, f64),
    error: f64,
}

impl Limits {
    fn of(samples: &[Sample]) -> Self {
        let apertures =
            samples.iter().flat_map(|sample| [sample.left, sample.right]).filter(|x| x.is_finite());
        let (low, high) = apertures.fold((0.0_f32, 0.1_f32), |(low, high), x| (low.min(x), high.max(x)));
        // A few frames with a very bad fit must not set the scale for all others.
        let mut errors: Vec<f32> =
            samples.iter().map(|sample| sample.error).filter(|x| x.is_finite()).collect();
        errors.sort_by(f32::total_cmp);
        let high_error = errors.get(errors.len() * 99 / 100).copied().unwrap_or(1.0);
        let margin = 0.06 * f64::from(high - low);
        Self {
            aperture: (f64::from(low) - margin, f64::from(high) + margin),
            error: 1.3 * f64::from(high_error).max(1e-6),
        }
    }
}

/// A panel and the ranges of its axes.
#[derive(Clone, Copy)]
struct Axes {
    top: f64,
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Axes {
    const LEFT: f64 = EDGE + NUMBERS;
    const RIGHT: f64 = WIDTH - EDGE;

    fn x(&self, secs: f64) -> f64 {
        let share = ((secs - self.x.0) / (self.x.1 - self.x.0)).clamp(0.0, 1.0);
        Self::LEFT + share * (Self::RIGHT - Self::LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = ((value - self.y.0) / (self.y.1 - self.y.0)).clamp(0.0, 1.0);
        self.top + self.height * (1.0 - share)
    }
}

impl Page<'_, &Track<'_>> {
    /// Draws the legend. Returns its lower edge.
    fn legend(&mut self, top: f64) -> f64 {
        let mut x = EDGE;
        for (label, colour) in [("left eye", BLUE), ("right eye", VERMILION), ("error of the fit", ERROR)] {
            self.line(vec![(x, top + 7.0), (x + 26.0, top + 7.0)], 2.4, colour);
            x = self.beside(label, x, top);
        }
        self.shapes.push(Shape::Box { x, y: top, width: 26.0, height: 14.0, colour: LOST });
        self.beside("lost", x, top);
        top + 20.0
    }

    fn beside(&mut self, label: &str, x: f64, top: f64) -> f64 {
        self.text(label, (x + 33.0, top + 11.5), Anchor::Start, TEXT_SIZE, GREY);
        x + 56.0 + self.width(label, TEXT_SIZE)
    }

    fn row(&mut self, span: (f64, f64), limits: Limits, top: f64) {
        let samples = self.data.samples;
        let from = samples.partition_point(|sample| sample.secs < span.0).saturating_sub(1);
        let to = (samples.partition_point(|sample| sample.secs <= span.1) + 1).min(samples.len());
        let samples = &samples[from..to];
        let aperture = Axes { top, height: APERTURE_HEIGHT, x: span, y: limits.aperture };
        let error = Axes {
            top: top + APERTURE_HEIGHT + BETWEEN,
            height: ERROR_HEIGHT,
            x: span,
            y: (0.0, limits.error),
        };
        self.gaps(samples, aperture, error.top + error.height);
        self.grid(aperture, 5.0);
        self.grid(error, 1.5);
        self.times(error);
        for (axes, colour, value) in [
            (error, ERROR, (|sample| sample.error) as fn(&Sample) -> f32),
            (aperture, VERMILION, |sample| sample.right),
            (aperture, BLUE, |sample| sample.left),
        ] {
            let points = samples.iter().map(|sample| (sample.secs, f64::from(value(sample))));
            self.curve(axes, points.filter(|(secs, _)| (span.0..=span.1).contains(secs)), colour);
        }
    }

    /// Shades the time from the last frame with eyes to the next frame with eyes.
    fn gaps(&mut self, samples: &[Sample], axes: Axes, bottom: f64) {
        let is_lost = |sample: &Sample| !sample.left.is_finite();
        let mut from: Option<f64> = None;
        for (index, sample) in samples.iter().enumerate() {
            if is_lost(sample) {
                from.get_or_insert(samples[index.saturating_sub(1)].secs);
            }
            let is_last = index + 1 == samples.len();
            if let Some(begin) = from.filter(|_| !is_lost(sample) || is_last) {
                let (x, end) = (axes.x(begin), axes.x(sample.secs));
                let width = (end - x).max(MIN_GAP);
                self.shapes.push(Shape::Box {
                    x,
                    y: axes.top,
                    width,
                    height: bottom - axes.top,
                    colour: LOST,
                });
                from = None;
            }
        }
    }

    fn grid(&mut self, axes: Axes, rows: f64) {
        for (secs, _) in ticks(axes.x.0, axes.x.1, 12.0) {
            self.line(vec![(axes.x(secs), axes.top), (axes.x(secs), axes.top + axes.height)], 1.0, GRID);
        }
        for (value, label) in ticks(axes.y.0, axes.y.1, rows) {
            let (y, colour) = (axes.y(value), if value == 0.0 { ZERO } else { GRID });
            self.line(vec![(Axes::LEFT, y), (Axes::RIGHT, y)], 1.0, colour);
            self.text(&label, (Axes::LEFT - 6.0, y + 4.0), Anchor::End, NUMBER_SIZE, GREY);
        }
    }

    fn times(&mut self, axes: Axes) {
        for (secs, label) in ticks(axes.x.0, axes.x.1, 12.0) {
            let place = (axes.x(secs), axes.top + axes.height + 16.0);
            self.text(&format!("{label} s"), place, Anchor::Middle, NUMBER_SIZE, GREY);
        }
    }

    /// Draws a curve with gaps where values are unknown, reduced to the minimum and maximum of each pixel column.
    fn curve(&mut self, axes: Axes, values: impl Iterator<Item = (f64, f64)>, colour: Colour) {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut column: Option<[(f64, f64); 2]> = None;
        for (secs, value) in values {
            if !value.is_finite() {
                points.extend(column.take().into_iter().flat_map(in_time));
                self.line(std::mem::take(&mut points), 1.4, colour);
                continue;
            }
            let point = (axes.x(secs), axes.y(value));
            match &mut column {
                Some([low, high]) if low.0.min(high.0) + 0.5 > point.0 => {
                    *low = if point.1 < low.1 { point } else { *low };
                    *high = if point.1 > high.1 { point } else { *high };
                }
                _ => {
                    points.extend(column.take().into_iter().flat_map(in_time));
                    column = Some([point; 2]);
                }
            }
        }
        points.extend(column.into_iter().flat_map(in_time));
        self.line(points, 1.4, colour);
    }
}

/// Returns the points in order of time. Two equal points are returned as one.
fn in_time([low, high]: [(f64, f64); 2]) -> Vec<(f64, f64)> {
    match () {
        () if low == high => vec![low],
        () if low.0 <= high.0 => vec![low, high],
        () => vec![high, low],
    }
}
