//! A matrix as a heat map, as paper 4's Figure 11 shows which action follows which.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::paper::{LINE, Page, size_of};
use super::style::{BLUE, GREY, INK, MIDDLE, PAPER, TEXT_SIZE, ZERO};

/// A matrix with values from 0 to 1.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The title: its first line is large, the others are small.
    pub title: String,
    /// What a row stands for.
    pub rows_are: &'static str,
    /// What a column stands for.
    pub columns_are: &'static str,
    /// The names of the rows, which are also those of the columns.
    pub names: Vec<String>,
    /// The values, row by row.
    pub matrix: Vec<Vec<f64>>,
    /// Whether a row has no data and is drawn pale.
    pub is_pale: Vec<bool>,
}

const EDGE: f64 = 20.0;
const NUMBER_SIZE: f64 = 12.0;
const CELL_HEIGHT: f64 = 34.0;
const LEAST_CELL_WIDTH: f64 = 50.0;
/// Around a name, and between cells.
const ROOM: f64 = 10.0;
const SEAM: f64 = 1.0;

const EMPTY: Colour = Colour(240, 243, 246);

/// A picture of a matrix.
pub(super) fn drawing(heat: &Heat, font: &Font) -> Drawing {
    let mut page = Page::new(font, heat);
    let widest = heat.names.iter().map(|name| page.width(name, TEXT_SIZE)).fold(0.0, f64::max);
    let top = page.title(&heat.title, EDGE) + TEXT_SIZE * LINE + 2.0 * ROOM;
    let (left, cell) =
        (EDGE + TEXT_SIZE * LINE + widest + ROOM, LEAST_CELL_WIDTH.max((widest + ROOM).ceil()));
    let grid = Grid { left, top: top + TEXT_SIZE, cell };
    page.names(grid);
    for (row, values) in heat.matrix.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            page.cell(grid, (row, column), *value, heat.is_pale.get(row) == Some(&true));
        }
    }
    let count = heat.names.len() as f64;
    let lines = heat.title.lines().enumerate();
    let words = lines.map(|(i, line)| page.width(line, size_of(i))).fold(0.0, f64::max);
    let width = (grid.left + count * grid.cell).max(EDGE + words) + EDGE;
    page.drawing(width, grid.top + count * CELL_HEIGHT + EDGE)
}

#[derive(Clone, Copy)]
struct Grid {
    left: f64,
    top: f64,
    cell: f64,
}

impl Page<'_, &Heat> {
    fn names(&mut self, grid: Grid) {
        let heat = self.of;
        let above = grid.top - ROOM;
        for (index, name) in heat.names.iter().enumerate() {
            let x = grid.left + (index as f64 + 0.5) * grid.cell;
            self.text(name, (x, above), Anchor::Middle, TEXT_SIZE, INK);
            let y = grid.top + (index as f64 + 0.5) * CELL_HEIGHT + MIDDLE * TEXT_SIZE;
            self.text(name, (grid.left - ROOM, y), Anchor::End, TEXT_SIZE, INK);
        }
        let y = above - TEXT_SIZE * LINE;
        self.text(heat.columns_are, (grid.left, y), Anchor::Start, TEXT_SIZE, GREY);
        self.text(heat.rows_are, (grid.left - ROOM, y), Anchor::End, TEXT_SIZE, GREY);
    }

    fn cell(&mut self, grid: Grid, (row, column): (usize, usize), value: f64, is_pale: bool) {
        let (x, y) = (grid.left + column as f64 * grid.cell, grid.top + row as f64 * CELL_HEIGHT);
        let (width, height) = (grid.cell - SEAM, CELL_HEIGHT - SEAM);
        let full = if is_pale { EMPTY } else { BLUE };
        let colour = if value > 0.0 { between(EMPTY, full, value) } else { EMPTY };
        self.shapes.push(Shape::Box { x, y, width, height, colour });
        let ink = match (is_pale, value) {
            (true, _) | (_, 0.0) => ZERO,
            (_, dark) if dark > 0.55 => PAPER,
            _ => INK,
        };
        let place = (x + width / 2.0, y + height / 2.0 + MIDDLE * NUMBER_SIZE);
        self.text(&number(value), place, Anchor::Middle, NUMBER_SIZE, ink);
    }
}

/// Two digits are enough to see, and nothing that happens is 0.
fn number(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        small if small < 0.005 => "<.01".into(),
        one if one >= 0.995 => if one == 1.0 { "1" } else { ">.99" }.into(),
        _ => format!("{value:.2}").trim_start_matches('0').to_owned(),
    }
}

pub(super) fn between(Colour(a, b, c): Colour, Colour(x, y, z): Colour, share: f64) -> Colour {
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
    Colour(mix(a, x), mix(b, y), mix(c, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::svg;

    #[test]
    fn what_happens_is_never_written_as_0_or_1() {
        for (value, expected) in
            [(0.0, "0"), (1e-4, "<.01"), (0.333, ".33"), (0.9, ".90"), (0.999, ">.99"), (1.0, "1")]
        {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn every_cell_is_drawn_with_its_number_and_names_are_on_both_sides() {
        let heat = Heat {
            title: "Arms".into(),
            rows_are: "after",
            columns_are: "comes",
            names: vec!["LG".into(), "LF:positive".into()],
            matrix: vec![vec![0.25, 0.75], vec![1.0, 0.0]],
            is_pale: vec![false, true],
        };
        let text = svg::svg(&drawing(&heat, &Font::new().unwrap()));
        for (words, count) in
            [(">.25<", 1), (">.75<", 1), (">1<", 1), (">0<", 1), (">LG<", 2), (">LF:positive<", 2)]
        {
            assert_eq!(text.matches(words).count(), count, "{words}");
        }
        // The paper, and a box a cell; a row of which nothing is known has no colour.
        assert_eq!(text.matches("<rect").count(), 5);
        assert_eq!(text.matches("fill=\"#f0f3f6\"").count(), 2);
    }
}
