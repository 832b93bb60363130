//! Plots the cumulative distribution of intervals and marks the chosen interval, as in Figure 7 of Deng 2005.

use super::drawing::{Anchor, Drawing};
use super::font::Font;
use super::layout::ticks;
use super::paper::{LINE, Page};
use super::style::{BLUE, GREY, GRID, MIDDLE, NUMBER_SIZE, TEXT_SIZE, VERMILION};

/// The distribution of intervals, and the chosen interval.
#[derive(Clone, Debug)]
pub struct Intervals {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The intervals in seconds, in ascending order.
    pub secs: Vec<f64>,
    /// The end of the horizontal axis in seconds.
    pub axis_secs: f64,
    /// The chosen interval in seconds.
    pub chosen_secs: f64,
    /// The fraction of intervals that are not longer than the chosen interval, from 0 to 1.
    pub covered: f64,
}

const WIDTH: f64 = 800.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 30.0;
const EDGE: f64 = 20.0;
const HEIGHT: f64 = 300.0;
const FOOT: f64 = 56.0;
const PADDING: f64 = 8.0;

/// Draws a distribution.
pub(super) fn drawing(intervals: &Intervals, font: &Font) -> Drawing {
    let mut page = Page::new(font, Axes { top: 0.0, secs: intervals.axis_secs.max(1e-3) });
    page.data.top = page.title(&intervals.title, EDGE) + PADDING + TEXT_SIZE * LINE;
    page.grid();
    page.chosen(intervals);
    let points = page.steps(&intervals.secs);
    page.line(points, 1.8, BLUE);
    let height = page.data.top + HEIGHT + FOOT;
    page.drawing(WIDTH, height)
}

/// The top of the panel in pixels, and the end of its time axis in seconds.
struct Axes {
    top: f64,
    secs: f64,
}

impl Page<'_, Axes> {
    fn x(&self, secs: f64) -> f64 {
        LEFT + (secs / self.data.secs).min(1.0) * (WIDTH - RIGHT - LEFT)
    }

    fn y(&self, share: f64) -> f64 {
        self.data.top + (1.0 - share) * HEIGHT
    }

    fn grid(&mut self) {
        self.text(
            "cumulative share of intervals",
            (LEFT, self.data.top - PADDING),
            Anchor::Start,
            TEXT_SIZE,
            GREY,
        );
        for (share, label) in ticks(0.0, 1.0, 5.0) {
            let y = self.y(share);
            self.line(vec![(LEFT, y), (WIDTH - RIGHT, y)], 1.0, GRID);
            self.text(&label, (LEFT - PADDING, y + MIDDLE * NUMBER_SIZE), Anchor::End, NUMBER_SIZE, GREY);
        }
        let below = self.y(0.0);
        for (secs, label) in ticks(0.0, self.data.secs, 10.0) {
            let x = self.x(secs);
            self.line(vec![(x, below), (x, below + 4.0)], 1.0, GREY);
            self.text(&label, (x, below + PADDING + NUMBER_SIZE), Anchor::Middle, NUMBER_SIZE, GREY);
        }
        let foot = below + PADDING + NUMBER_SIZE + TEXT_SIZE * LINE;
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        self.text("seconds between large movements", (middle, foot), Anchor::Middle, TEXT_SIZE, GREY);
    }

    fn chosen(&mut self, intervals: &Intervals) {
        let (x, y) = (self.x(intervals.chosen_secs), self.y(intervals.covered));
        self.stroke(vec![(x, self.y(0.0)), (x, y), (LEFT, y)], 1.4, VERMILION, true);
        let label =
            format!("patch: {:.2} s, covers {:.1} %", intervals.chosen_secs, 100.0 * intervals.covered);
        // The curve only rises, so there is space below it on the right.
        let is_far_right = x > 0.6 * WIDTH;
        let (x, anchor) =
            if is_far_right { (x - PADDING, Anchor::End) } else { (x + PADDING, Anchor::Start) };
        self.text(&label, (x, self.y(0.06)), anchor, TEXT_SIZE, VERMILION);
    }

    /// Returns the distribution as a step function.
    fn steps(&self, secs: &[f64]) -> Vec<(f64, f64)> {
        let mut points = vec![(self.x(0.0), self.y(0.0))];
        let count = secs.len().max(1) as f64;
        let mut share = 0.0;
        for (index, secs) in secs.iter().enumerate().take_while(|(_, secs)| **secs <= self.data.secs) {
            points.push((self.x(*secs), self.y(share)));
            share = (index + 1) as f64 / count;
            points.push((self.x(*secs), self.y(share)));
        }
        points.push((self.x(self.data.secs), self.y(share)));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_a_step_function_up_to_the_end_of_the_axis() {
        let font = Font::new().unwrap();
        let page = Page::new(&font, Axes { top: 0.0, secs: 2.0 });
        let points = page.steps(&[0.5, 1.0, 1.0, 9.0]);
        let shares: Vec<f64> = points.iter().map(|(_, y)| 1.0 - y / HEIGHT).collect();
        assert_eq!(shares, [0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]);
        assert_eq!(points.last().map(|(x, _)| *x), Some(WIDTH - RIGHT));
    }
}
