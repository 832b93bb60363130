//! Pictures, as SVG or PNG: traces over one axis of time, matrices, plans and graphs.

mod blinks;
mod drawing;
mod figure;
mod font;
mod heat;
mod intervals;
mod lanes;
mod layout;
mod network;
mod paper;
pub(crate) mod png;
mod profiles;
mod style;
mod svg;
mod track;
mod visemes;

use crate::fault::{Fault, Result};
use crate::trace::table::Table;
pub(crate) use blinks::Blinks;
use drawing::Drawing;
use figure::Figure;
use font::Font;
pub(crate) use heat::Heat;
pub(crate) use intervals::Intervals;
pub(crate) use lanes::{Bar, Lane, Lanes, Tone};
pub(crate) use network::{Arrow, Group, Mark, Network, Node};
pub(crate) use profiles::{Profiles, Sheaf};
use std::path::Path;
pub(crate) use track::{Sample as TrackSample, Track as TrackPlot};
pub(crate) use visemes::{Caption, Visemes as VisemePlot};

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
}

impl Format {
    /// By the file's ending.
    pub(crate) fn of(path: &Path) -> Result<Self> {
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

/// The file of a plot and its format, if there is to be one: a wrong ending is said before anything is worked
/// out.
pub(crate) fn wanted(file: Option<&Path>) -> Result<Option<(&Path, Format)>> {
    file.map(|path| Ok((path, Format::of(path)?))).transpose()
}

/// The file's bytes. The picture is the same in both formats.
pub(crate) fn picture(table: &Table, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    let figure =
        Figure::new(table).ok_or_else(|| Fault::new("there is nothing to plot: the trace is empty"))?;
    bytes(&layout::drawing(&figure, &font), &font, format)
}

/// The bytes of a heat map.
pub(crate) fn heat_map(heat: &Heat, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&heat::drawing(heat, &font), &font, format)
}

/// The bytes of a distribution.
pub(crate) fn distribution(intervals: &Intervals, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&intervals::drawing(intervals, &font), &font, format)
}

/// The bytes of a plan's lanes.
pub(crate) fn lanes(lanes: &Lanes, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&lanes::drawing(lanes, &font), &font, format)
}

/// The bytes of panels with many curves.
pub(crate) fn profiles(profiles: &Profiles, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&profiles::drawing(profiles, &font), &font, format)
}

/// The bytes of a picture of boxes and arrows.
pub(crate) fn network(network: &Network, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&network::drawing(network, &font), &font, format)
}

/// The bytes of a picture of labelled blinks.
pub(crate) fn blinks(blinks: &Blinks<'_>, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&blinks::drawing(blinks, &font), &font, format)
}

/// The bytes of a picture of tracked lids.
pub(crate) fn track(track: &TrackPlot<'_>, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&track::drawing(track, &font), &font, format)
}

/// The bytes of a picture of a mouth that speaks.
pub(crate) fn visemes(visemes: &VisemePlot, format: Format) -> Result<Vec<u8>> {
    let font = Font::new()?;
    bytes(&visemes::drawing(visemes, &font), &font, format)
}

/// The most pixels of a drawing that become a PNG: of twice the width and height, with three bytes each,
/// that is 300 MB while it is made.
const MOST_PIXELS: f64 = 25e6;

fn bytes(drawing: &Drawing, font: &Font, format: Format) -> Result<Vec<u8>> {
    let Drawing { width, height, .. } = drawing;
    match format {
        Format::Svg => Ok(svg::svg(drawing).into_bytes()),
        Format::Png if width * height > MOST_PIXELS => {
            Err(Fault::new(format!("{width} × {height} pixels are too many for a .png; write an .svg")))
        }
        Format::Png => Ok(png::png(drawing, font)),
    }
}

#[cfg(test)]
mod tests;
