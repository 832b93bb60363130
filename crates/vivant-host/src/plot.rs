//! Plots as SVG or PNG: traces over time, matrices, plans and graphs.
//!
//! Each plot is a plain struct with the data, and a function that returns the bytes of the file. Both formats show
//! the same image. Text in a PNG uses a built-in font, so the text looks the same on every machine.
//!
//! ```
//! use vivant_host::plot::{self, Bar, Format, Lane, Lanes, Tone};
//! let bar = Bar { start: 0.5, end: 2.0, label: "wave".into(), tone: Tone::Gesture, is_unasked: false };
//! let lanes = Lanes { title: "Eve".into(), secs: 3.0, lanes: vec![Lane { name: "arms", bars: vec![bar] }] };
//! let svg = plot::lanes(&lanes, Format::Svg)?;
//! assert!(svg.starts_with(b"<svg"));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod blinks;
mod drawing;
mod figure;
mod font;
mod heat;
mod intervals;
mod lanes;
mod layout;
mod learned;
mod network;
mod paper;
mod png;
mod profiles;
mod style;
mod svg;
mod track;
mod visemes;

use crate::trace::Table;
pub use blinks::Blinks;
use drawing::Drawing;
use figure::Figure;
use font::Font;
pub use heat::Heat;
pub use intervals::Intervals;
pub use lanes::{Bar, Lane, Lanes, Tone};
pub use network::{Arrow, Group, Mark, Network, Node};
pub use png::encode_rgb;
pub use profiles::{CurveGroup, Profiles};
use std::path::Path;
pub use track::{Sample as TrackSample, Track as TrackPlot};
pub use visemes::{Caption, Visemes as VisemePlot};
use vivant_io::{Error, Result};

/// The file format of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics. Text is stored as text, not as outlines.
    Svg,
    /// Portable Network Graphics, with two pixels per unit of the drawing.
    Png,
}

impl Format {
    /// Returns the format for a file's extension.
    ///
    /// # Errors
    /// If the extension is neither `.svg` nor `.png`.
    pub fn of(path: &Path) -> Result<Self> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            _ => Err(Error::new(format!(
                "{}: unknown plot format; use the extension .svg or .png",
                path.display()
            ))),
        }
    }
}

/// Returns the path and its format, if there is a path. Call this before a long computation, so that a wrong
/// extension is reported first.
///
/// # Errors
/// If the extension is neither `.svg` nor `.png`.
pub fn with_format(file: Option<&Path>) -> Result<Option<(&Path, Format)>> {
    file.map(|path| Ok((path, Format::of(path)?))).transpose()
}

/// Plots a trace: one panel for each quantity that changes.
///
/// # Errors
/// If the table is empty, or too large for a PNG.
pub fn trace(table: &Table, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    let figure = Figure::new(table)
        .ok_or_else(|| Error::new("cannot plot an empty trace; choose a longer duration"))?;
    bytes(&layout::drawing(&figure, &font), &font, format)
}

/// Plots a matrix.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn heat_map(heat: &Heat, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&heat::drawing(heat, &font), &font, format)
}

/// Plots the distribution of intervals.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn distribution(intervals: &Intervals, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&intervals::drawing(intervals, &font), &font, format)
}

/// Plots a plan over time, with one lane per layer.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn lanes(lanes: &Lanes, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&lanes::drawing(lanes, &font), &font, format)
}

/// Plots panels that have many curves each.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn profiles(profiles: &Profiles, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&profiles::drawing(profiles, &font), &font, format)
}

/// Plots boxes and arrows.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn network(network: &Network, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&network::drawing(network, &font), &font, format)
}

/// Plots labelled blinks.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn blinks(blinks: &Blinks<'_>, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&blinks::drawing(blinks, &font), &font, format)
}

/// Plots tracked lids.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn track(track: &TrackPlot<'_>, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&track::drawing(track, &font), &font, format)
}

/// Plots viseme weights over time.
///
/// # Errors
/// If the plot is too large for a PNG.
pub fn visemes(visemes: &VisemePlot, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&visemes::drawing(visemes, &font), &font, format)
}

/// Maximum area of a PNG in square units of the drawing. With two pixels per unit in each direction and three bytes
/// per pixel, this is 300 MB.
const MAX_PIXELS: f64 = 25e6;

fn bytes(drawing: &Drawing, font: &Font, format: Format) -> Result<Vec<u8>> {
    let Drawing { width, height, .. } = drawing;
    match format {
        Format::Svg => Ok(svg::svg(drawing).into_bytes()),
        Format::Png if width * height > MAX_PIXELS => {
            Err(Error::new(format!("{width} × {height} pixels is too large for a .png; write an .svg")))
        }
        Format::Png => png::png(drawing, font),
    }
}

#[cfg(test)]
mod tests;
