//! Renders a drawing as PNG.
//!
//! Text is drawn from the outlines of the built-in [`Font`], so that an image looks the same on every machine, without
//! installed fonts. `png` renders a [`Drawing`] with two pixels per unit. Coverage is rounded to sixteen levels and
//! rows are stored as differences, which makes files small. [`encode_rgb`] encodes pixels that already exist, such as
//! video frames; there, speed is more important than size.

use super::drawing::{Colour, DASH, Drawing, Shape, Text};
use super::font::Font;
use ::png::{BitDepth, ColorType, Compression, Encoder, Filter};
use vivant_io::{Error, Result};
use zeno::{Cap, Command, Fill, Join, Mask, Point, Stroke, Style};

/// Pixels per unit of the drawing, for sharp images on high-resolution screens.
pub(super) const SCALE: f64 = 2.0;

/// Additional thickness of bold letters, relative to their size.
const BOLD: f64 = 0.035;

/// Lines are drawn in pieces with this many points, since zeno's run time grows with the square of the number of
/// edges in a row of pixels.
const PIECE: usize = 32;

pub(super) fn png(drawing: &Drawing, font: &Font) -> Result<Vec<u8>> {
    let mut canvas = Canvas::white(drawing.width, drawing.height);
    for shape in &drawing.shapes {
        match shape {
            Shape::Box { x, y, width, height, colour } => {
                canvas.paint(&corners(*x, *y, *width, *height), Fill::NonZero, *colour);
            }
            Shape::Line { points, width, colour, dashed } => {
                canvas.line(points, *width, *colour, *dashed);
            }
            Shape::Polygon { points, colour } => canvas.paint(&closed(points), Fill::NonZero, *colour),
            Shape::Text(text) => canvas.text(text, font),
        }
    }
    canvas.encode(Compression::Balanced)
}

/// Encodes an RGB image as PNG, from rows of pixels with one byte each of red, green and blue.
///
/// Speed is more important than size here, since photographs compress badly anyway.
///
/// # Errors
/// If the number of bytes does not match the size.
pub fn encode_rgb(width: usize, height: usize, bytes: Vec<u8>) -> Result<Vec<u8>> {
    Canvas { width, height, bytes }.encode(Compression::Fast)
}

/// Rows of RGB pixels.
struct Canvas {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Canvas {
    fn white(width: f64, height: f64) -> Self {
        let (width, height) = ((width * SCALE).ceil() as usize, (height * SCALE).ceil() as usize);
        Self { width, height, bytes: vec![255; width * height * 3] }
    }

    fn line(&mut self, points: &[(f64, f64)], width: f64, colour: Colour, dashed: bool) {
        let dashes = DASH.map(|pixels| (pixels * SCALE) as f32);
        let mut stroke = Stroke::new((width * SCALE) as f32);
        stroke.join(Join::Round).dash(if dashed { &dashes } else { &[] }, 0.0);
        if dashed || points.len() <= PIECE {
            return self.paint(&path(points), stroke, colour);
        }
        stroke.cap(Cap::Round);
        for start in (0..points.len() - 1).step_by(PIECE - 1) {
            self.paint(&path(&points[start..points.len().min(start + PIECE)]), stroke, colour);
        }
    }

    fn text(&mut self, text: &Text, font: &Font) {
        let x = text.x - font.width(&text.words, text.size) * text.anchor.share_before();
        let outline = font.outline(&text.words, text.size * SCALE, (x * SCALE, text.y * SCALE));
        self.paint(&outline, Fill::NonZero, text.colour);
        if text.bold {
            let thicker = Stroke::new((text.size * BOLD * SCALE) as f32);
            self.paint(&outline, thicker, text.colour);
        }
    }

    /// Paints a shape with a colour, blended by coverage.
    fn paint<'a>(&mut self, shape: &[Command], style: impl Into<Style<'a>>, colour: Colour) {
        let (covered, place) = Mask::new(shape).style(style).render();
        if place.width == 0 {
            return;
        }
        for (row, shares) in covered.chunks_exact(place.width as usize).enumerate() {
            for (column, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0) {
                let (x, y) = (i64::from(place.left) + column as i64, i64::from(place.top) + row as i64);
                self.blend(x, y, coarse(*share), colour);
            }
        }
    }

    fn blend(&mut self, x: i64, y: i64, share: u8, Colour(red, green, blue): Colour) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y * self.width + x) * 3;
        for (byte, new) in self.bytes[at..at + 3].iter_mut().zip([red, green, blue]) {
            let (old, new, share) = (u32::from(*byte), u32::from(new), u32::from(share));
            *byte = ((old * (255 - share) + new * share + 127) / 255) as u8;
        }
    }

    fn encode(&self, compression: Compression) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(compression);
        // In a plot, the difference from the row above is mostly zero.
        encoder.set_filter(Filter::Up);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.bytes)?;
            writer.finish()
        });
        written.map_err(|error| Error::new(format!("cannot encode the image as PNG: {error}")))?;
        Ok(file)
    }
}

/// Rounds coverage to sixteen levels. Edges look the same, and the file is half as large.
fn coarse(share: u8) -> u8 {
    ((u32::from(share) + 8) / 17 * 17) as u8
}

fn corners(x: f64, y: f64, width: f64, height: f64) -> Vec<Command> {
    closed(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
}

fn closed(points: &[(f64, f64)]) -> Vec<Command> {
    let mut commands = path(points);
    commands.push(Command::Close);
    commands
}

fn path(points: &[(f64, f64)]) -> Vec<Command> {
    let scaled = |(x, y): (f64, f64)| Point::new((x * SCALE) as f32, (y * SCALE) as f32);
    let command = |(i, point): (usize, &(f64, f64))| {
        if i == 0 { Command::MoveTo(scaled(*point)) } else { Command::LineTo(scaled(*point)) }
    };
    points.iter().enumerate().map(command).collect()
}
