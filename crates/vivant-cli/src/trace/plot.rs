//! A trace as a picture, as the papers draw them: panels over one axis of time.

mod drawing;
mod figure;
mod font;
mod layout;
mod png;
mod svg;

use super::table::Table;
use crate::fault::{Fault, Result};
use figure::Figure;
use font::Font;
use std::path::Path;

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Svg,
    Png,
}

impl Format {
    /// By the file's ending.
    pub(super) fn of(path: &Path) -> Result<Self> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            _ => Err(Fault::new(format!(
                "{}: plots are written as .svg or .png; give one of these endings",
                path.display()
            ))),
        }
    }
}

/// The file's bytes. The picture is the same in both formats.
pub(super) fn picture(table: &Table, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    let figure =
        Figure::new(table).ok_or_else(|| Fault::new("there is nothing to plot: the trace is empty"))?;
    let drawing = layout::drawing(&figure, &font);
    Ok(match format {
        Format::Svg => svg::svg(&drawing).into_bytes(),
        Format::Png => png::png(&drawing, &font),
    })
}

#[cfg(test)]
mod tests;
