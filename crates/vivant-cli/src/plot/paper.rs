//! Words on a picture, as all pictures have them.

use super::drawing::{Anchor, Colour, Shape, Text};
use super::style::{GREY, INK, TEXT_SIZE, TITLE_SIZE};

/// From the top of a line to that of the next, in sizes of its letters.
pub(super) const LINE: f64 = 1.45;

/// How large a line of a title is.
pub(super) fn size_of(line: usize) -> f64 {
    if line == 0 { TITLE_SIZE } else { TEXT_SIZE }
}

/// What is being drawn.
pub(super) trait Paper {
    fn shapes(&mut self) -> &mut Vec<Shape>;

    /// Words as large as a title are bold.
    fn text(&mut self, words: &str, at: (f64, f64), anchor: Anchor, size: f64, colour: Colour) {
        self.words(words, at, anchor, size, colour, size == TITLE_SIZE);
    }

    fn bold(&mut self, words: &str, at: (f64, f64), anchor: Anchor, size: f64, colour: Colour) {
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
        self.shapes().push(Shape::Text(Text { x, y, size, anchor, colour, bold, words: words.into() }));
    }

    /// A title, so far from the edges: its first line large, the others small. Returns where it ends.
    fn title(&mut self, title: &str, edge: f64) -> f64 {
        let mut y = edge;
        for (index, line) in title.lines().enumerate() {
            let (size, colour) = (size_of(index), if index == 0 { INK } else { GREY });
            self.text(line, (edge, y + size), Anchor::Start, size, colour);
            y += size * LINE;
        }
        y
    }
}
