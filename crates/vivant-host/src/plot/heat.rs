//! Plots a matrix as a heat map, for example the transitions between actions in Figure 11 of Borer 2019.
//!
//! Colours show the structure of a transition matrix, but not its values, so each cell also contains its number.
//! Rounded numbers never become 0 or 1, because a rare transition differs from an impossible one. Fill a [`Heat`] with
//! the matrix; `drawing` returns the shapes. Rows without data of their own are drawn without colour.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::paper::{LINE, Page, size_of};
use super::style::{BLUE, GREY, INK, MIDDLE, PAPER, TEXT_SIZE, ZERO};

/// A matrix with values from 0 to 1.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The heading of the row names.
    pub rows_are: &'static str,
    /// The heading of the column names.
    pub columns_are: &'static str,
    /// The names of the rows. The columns have the same names.
    pub names: Vec<String>,
    /// The values, row by row.
    pub matrix: Vec<Vec<f64>>,
    /// For each row: true if the row has no data and is drawn pale.
    pub is_pale: Vec<bool>,
}

const EDGE: f64 = 20.0;
const NUMBER_SIZE: f64 = 12.0;
const CELL_HEIGHT: f64 = 34.0;
const MIN_CELL_WIDTH: f64 = 50.0;
/// Space around a name, and space between cells, in pixels.
const PADDING: f64 = 10.0;
const SEAM: f64 = 1.0;

const EMPTY: Colour = Colour(240, 243, 246);

/// Draws a matrix.
pub(super) fn drawing(heat: &Heat, font: &Font) -> Drawing {
    let mut page = Page::new(font, heat);
    let widest = heat.names.iter().map(|name| page.width(name, TEXT_SIZE)).fold(0.0, f64::max);
    let top = page.title(&heat.title, EDGE) + TEXT_SIZE * LINE + 2.0 * PADDING;
    let (left, cell) =
        (EDGE + TEXT_SIZE * LINE + widest + PADDING, MIN_CELL_WIDTH.max((widest + PADDING).ceil()));
    let grid = Grid { left, top: top + TEXT_SIZE, cell };
    page.names(grid);
    for (row, values) in heat.matrix.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            page.cell(grid, (row, column), *value, heat.is_pale.get(row) == Some(&true));
        }
    }
    let count = heat.names.len() as f64;
    let lines = heat.title.lines().enumerate();
    let title_width = lines.map(|(i, line)| page.width(line, size_of(i))).fold(0.0, f64::max);
    let width = (grid.left + count * grid.cell).max(EDGE + title_width) + EDGE;
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
        let heat = self.data;
        let above = grid.top - PADDING;
        for (index, name) in heat.names.iter().enumerate() {
            let x = grid.left + (index as f64 + 0.5) * grid.cell;
            self.text(name, (x, above), Anchor::Middle, TEXT_SIZE, INK);
            let y = grid.top + (index as f64 + 0.5) * CELL_HEIGHT + MIDDLE * TEXT_SIZE;
            self.text(name, (grid.left - PADDING, y), Anchor::End, TEXT_SIZE, INK);
        }
        let y = above - TEXT_SIZE * LINE;
        self.text(heat.columns_are, (grid.left, y), Anchor::Start, TEXT_SIZE, GREY);
        self.text(heat.rows_are, (grid.left - PADDING, y), Anchor::End, TEXT_SIZE, GREY);
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

/// Formats a value with two decimals. Only values of exactly 0 and 1 are written as `0` and `1`.
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
    fn only_exact_values_are_written_as_0_or_1() {
        for (value, expected) in
            [(0.0, "0"), (1e-4, "<.01"), (0.333, ".33"), (0.9, ".90"), (0.999, ">.99"), (1.0, "1")]
        {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn cells_have_numbers_and_both_sides_have_names() {
        let heat = Heat {
            title: "Arms".into(),
            rows_are: "after",
            columns_are: "comes",
            names: vec!["LG".into(), "LF:positive".into()],
            matrix: vec![vec![0.25, 0.75], vec![1.0, 0.0]],
            is_pale: vec![false, true],
        };
        let text = svg::svg(&drawing(&heat, &Font::new().unwrap()));
        for (title_width, count) in
            [(">.25<", 1), (">.75<", 1), (">1<", 1), (">0<", 1), (">LG<", 2), (">LF:positive<", 2)]
        {
            assert_eq!(text.matches(title_width).count(), count, "{title_width}");
        }
        // The background and a box per cell; a row without data has no colour.
        assert_eq!(text.matches("<rect").count(), 5);
        assert_eq!(text.matches("fill=\"#f0f3f6\"").count(), 2);
    }
}
