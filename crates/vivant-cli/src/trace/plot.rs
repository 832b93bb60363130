//! A trace as a picture: position above, velocity below, over milliseconds.

use super::Table;
use crate::fault::{Fault, Result};
use plotters::prelude::*;

const SIZE: (u32, u32) = (800, 560);
const INK: RGBColor = RGBColor(38, 70, 83);
const ACCENT: RGBColor = RGBColor(200, 80, 50);

/// An SVG of the trace's first position and of its velocity.
pub(super) fn svg(table: &Table) -> Result<String> {
    let mut text = String::new();
    draw(table, &mut text).map_err(|e| Fault::new(format!("the plot could not be drawn: {e}")))?;
    Ok(text)
}

fn draw(table: &Table, text: &mut String) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(&table.title, ("sans-serif", 22))?;
    let (above, below) = root.split_vertically(SIZE.1 / 2);
    panel(&above, "degrees", &series(table, 1), &INK)?;
    panel(&below, "degrees a second", &series(table, table.columns.len() - 1), &ACCENT)?;
    root.present()?;
    Ok(())
}

/// A column over milliseconds.
fn series(table: &Table, column: usize) -> Vec<(f64, f64)> {
    table.rows.iter().map(|row| (row[0] * 1e3, row[column])).collect()
}

fn panel<'a, B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    unit: &str,
    points: &[(f64, f64)],
    colour: &'a RGBColor,
) -> std::result::Result<(), Box<dyn std::error::Error + 'a>>
where
    B::ErrorType: 'static,
{
    let end = points.last().map_or(1.0, |p| p.0).max(1e-3);
    let low = points.iter().map(|p| p.1).fold(0.0, f64::min);
    let high = points.iter().map(|p| p.1).fold(0.0, f64::max);
    let room = ((high - low) * 0.06).max(1e-6);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..end, low - room..high + room)?;
    chart.configure_mesh().x_desc("ms").y_desc(unit).light_line_style(WHITE).draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
    Ok(())
}
