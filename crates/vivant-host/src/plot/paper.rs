//! What all pictures are drawn on: shapes, lines and words on a sheet that knows its letters and what it shows.

use super::drawing::{Anchor, Colour, Drawing, Shape, Text};
use super::font::Font;
use super::style::{GREY, INK, OTHER_FONTS, TEXT_SIZE, TITLE_SIZE};

/// From the top of a line to that of the next, in sizes of its letters.
pub(super) const LINE: f64 = 1.45;

/// How large a line of a title is.
pub(super) fn size_of(line: usize) -> f64 {
    if line == 0 { TITLE_SIZE } else { TEXT_SIZE }
}

/// A picture while it is being drawn. Each kind of plot draws in its own way, by what the page is of.
pub(super) struct Page<'a, Of> {
    pub(super) shapes: Vec<Shape>,
    pub(super) font: &'a Font,
    pub(super) of: Of,
}

impl<'a, Of> Page<'a, Of> {
    pub(super) fn new(font: &'a Font, of: Of) -> Self {
        Self { shapes: Vec::new(), font, of }
    }

    /// The picture, when all is drawn.
    pub(super) fn drawing(self, width: f64, height: f64) -> Drawing {
        Drawing { width: width.ceil(), height: height.ceil(), shapes: self.shapes }
    }

    /// Words as large as a title are bold.
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

    /// A title, so far from the edges: its first line large, the others small. Returns where it ends.
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

    /// A line that may be dashed; what has one point is none.
    pub(super) fn stroke(&mut self, points: Vec<(f64, f64)>, width: f64, colour: Colour, dashed: bool) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points, width, colour, dashed });
        }
    }

    /// How wide words are, also in the fonts of those who look at an SVG.
    pub(super) fn width(&self, words: &str, size: f64) -> f64 {
        self.font.width(words, size) * OTHER_FONTS
    }
}
