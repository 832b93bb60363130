//! Plots visemes over time: one row per viseme, dark while the viseme is active, with the spoken words above.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::heat::between;
use super::layout::ticks;
use super::paper::Page;
use super::style::{BLUE, GREY, GRID, INK, MIDDLE, NUMBER_SIZE};

/// Viseme weights over time.
#[derive(Clone, Debug)]
pub struct Visemes {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The names of the visemes.
    pub names: Vec<String>,
    /// Frames per second.
    pub fps: f64,
    /// The weights in each frame, one per name, from 0 to 1.
    pub frames: Vec<Vec<f32>>,
    /// The spoken words.
    pub words: Vec<Caption>,
}

/// A text with start and end time.
#[derive(Clone, Debug)]
pub struct Caption {
    /// Start, in seconds.
    pub from: f64,
    /// End, in seconds.
    pub to: f64,
    /// The text.
    pub text: String,
}

const WIDTH: f64 = 1100.0;
const EDGE: f64 = 20.0;
const NAMES: f64 = 130.0;
const CELL_HEIGHT: f64 = 15.0;
/// Space above a block of rows for words, and below it for the time labels, in pixels.
const HEAD: f64 = 24.0;
const FOOT: f64 = 34.0;
/// Seconds shown in a block. A block shows more seconds if there would be too many blocks.
const BLOCK_SECS: f64 = 5.0;
const MAX_BLOCKS: f64 = 12.0;
const EMPTY: Colour = Colour(246, 248, 250);

/// Draws visemes over time.
pub(super) fn drawing(visemes: &Visemes, font: &Font) -> Drawing {
    let mut page = Page::new(font, visemes);
    let mut y = page.title(&visemes.title, EDGE) + 6.0;
    let secs = (visemes.frames.len() as f64 / visemes.fps).max(1e-3);
    let blocks = (secs / BLOCK_SECS).ceil().clamp(1.0, MAX_BLOCKS);
    let block_secs = (secs / blocks).max(BLOCK_SECS.min(secs));
    for block in 0..blocks as usize {
        let from = block as f64 * block_secs;
        page.block(Axis { top: y + HEAD, from, to: from + block_secs });
        y += HEAD + visemes.names.len() as f64 * CELL_HEIGHT + FOOT;
    }
    page.drawing(WIDTH, y + 4.0)
}

#[derive(Clone, Copy)]
struct Axis {
    top: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn x(self, secs: f64) -> f64 {
        let share = ((secs - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        EDGE + NAMES + share * (WIDTH - 2.0 * EDGE - NAMES)
    }
}

impl Page<'_, &Visemes> {
    fn block(&mut self, axis: Axis) {
        let visemes = self.data;
        for (row, name) in visemes.names.iter().enumerate() {
            let top = axis.top + row as f64 * CELL_HEIGHT;
            let base = top + 0.5 * CELL_HEIGHT + MIDDLE * NUMBER_SIZE;
            self.text(name, (EDGE + NAMES - 8.0, base), Anchor::End, NUMBER_SIZE, INK);
            self.row(axis, row, top);
        }
        let bottom = axis.top + visemes.names.len() as f64 * CELL_HEIGHT;
        for (secs, text) in ticks(axis.from, axis.to, 10.0) {
            self.line(vec![(axis.x(secs), bottom), (axis.x(secs), bottom + 5.0)], 1.0, GREY);
            self.text(&format!("{text} s"), (axis.x(secs), bottom + 18.0), Anchor::Middle, NUMBER_SIZE, GREY);
        }
        for word in visemes.words.iter().filter(|word| word.to > axis.from && word.from < axis.to) {
            self.word(word, axis, bottom);
        }
    }

    fn row(&mut self, axis: Axis, row: usize, top: f64) {
        let visemes = self.data;
        let (left, right) = (axis.x(axis.from), axis.x(axis.to));
        let height = CELL_HEIGHT - 1.0;
        self.shapes.push(Shape::Box { x: left, y: top, width: right - left, height, colour: EMPTY });
        let first = (axis.from * visemes.fps).floor() as usize;
        let last = ((axis.to * visemes.fps).ceil() as usize).min(visemes.frames.len());
        for index in first.min(last)..last {
            let weight = f64::from(visemes.frames[index][row]);
            let [from, to] = [index, index + 1].map(|i| axis.x(i as f64 / visemes.fps));
            if weight > 0.01 && to > from {
                let colour = between(EMPTY, BLUE, weight.min(1.0));
                self.shapes.push(Shape::Box { x: from, y: top, width: to - from, height, colour });
            }
        }
    }

    /// Draws a word above its time, if there is space for it.
    fn word(&mut self, word: &Caption, axis: Axis, bottom: f64) {
        let (left, right) = (axis.x(word.from), axis.x(word.to));
        self.line(vec![(left, axis.top - 6.0), (left, bottom)], 1.0, GRID);
        if self.width(&word.text, NUMBER_SIZE) <= right - left + 6.0 {
            let middle = 0.5 * (left + right);
            self.text(&word.text, (middle, axis.top - 8.0), Anchor::Middle, NUMBER_SIZE, INK);
        }
    }
}
