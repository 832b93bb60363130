//! The page that all plots draw on: shapes, lines and text.

use super::drawing::{Anchor, Colour, Drawing, Shape, Text};
use super::font::Font;
use super::style::{GREY, INK, OTHER_FONTS, TEXT_SIZE, TITLE_SIZE};

/// Line height relative to the font size.
pub(super) const LINE: f64 = 1.45;

/// Returns the font size of a title line.
pub(super) fn size_of(line: usize) -> f64 {
    if line == 0 { TITLE_SIZE } else { TEXT_SIZE }
}

/// A plot being drawn. Each kind of plot has methods for its own type of data.
pub(super) struct Page<'a, Data> {
    pub(super) shapes: Vec<Shape>,
    pub(super) font: &'a Font,
    pub(super) data: Data,
}

impl<'a, Data> Page<'a, Data> {
    pub(super) fn new(font: &'a Font, data: Data) -> Self {
        Self { shapes: Vec::new(), font, data }
    }

    /// Returns the finished drawing.
    pub(super) fn drawing(self, width: f64, height: f64) -> Drawing {
        Drawing { width: width.ceil(), height: height.ceil(), shapes: self.shapes }
    }

    /// Draws text. Text in the size of a title is bold.
    pub(super) fn text(&mut self, words: &str, at: (f64, f64), anchor: Anchor, size: f64, colour: Colour) {
        self.words(words, at, anchor, size, colour, size == TITLE_SIZE);
    }

    pub(super) fn bold(&mut self, words: &str, at: (f64, f64), anchor: Anchor, size: f64, colour: Colour) {
        self.words(words, at, anchor, size, colour, true);
    }

    fn words(
        &mut self,
        words: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        colour: Colour,
        bold: bool,
    ) {
        self.shapes.push(Shape::Text(Text { x, y, size, anchor, colour, bold, words: words.into() }));
    }

    /// Draws a title at the distance `edge` from the left and upper edges, and returns the lower edge of the title.
    /// The first line is large, and the other lines are small.
    pub(super) fn title(&mut self, title: &str, edge: f64) -> f64 {
        let mut y = edge;
        for (index, line) in title.lines().enumerate() {
            let (size, colour) = (size_of(index), if index == 0 { INK } else { GREY });
            self.text(line, (edge, y + size), Anchor::Start, size, colour);
            y += size * LINE;
        }
        y
    }

    pub(super) fn line(&mut self, points: Vec<(f64, f64)>, width: f64, colour: Colour) {
        self.stroke(points, width, colour, false);
    }

    /// Draws a solid or dashed line. A single point is not drawn.
    pub(super) fn stroke(&mut self, points: Vec<(f64, f64)>, width: f64, colour: Colour, dashed: bool) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points, width, colour, dashed });
        }
    }

    /// Returns the width of a text, with a margin because SVG viewers may use other fonts.
    pub(super) fn width(&self, words: &str, size: f64) -> f64 {
        self.font.width(words, size) * OTHER_FONTS
    }
}
