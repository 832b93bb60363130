//! A drawing as PNG: shapes are filled into pixels.

use super::drawing::{Colour, DASH, Drawing, Shape, Text};
use super::font::Font;
use ::png::{BitDepth, ColorType, Compression, Encoder, Filter};
use vivant_io::{Error, Result};
use zeno::{Cap, Command, Fill, Join, Mask, Point, Stroke, Style};

/// Pixels of the PNG for a pixel of the drawing: sharp on the screens of today.
pub(super) const SCALE: f64 = 2.0;

/// How much thicker bold letters are, as a share of their size.
const BOLD: f64 = 0.035;

/// The time that zeno takes grows with the square of the edges in a row of pixels: a line that goes up
/// and down thousands of times is drawn in pieces of so many points.
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

/// Encodes a photograph as PNG, from rows of pixels with a byte each of red, green and blue.
///
/// It favours speed over size: photographs compress badly anyway.
///
/// # Errors
/// If the number of bytes does not fit the size.
pub fn photograph(width: usize, height: usize, bytes: Vec<u8>) -> Result<Vec<u8>> {
    Canvas { width, height, bytes }.encode(Compression::Fast)
}

/// Rows of pixels of three bytes.
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

    /// Lays a colour over the pixels of a shape, as far as each is covered.
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
        // The difference to the row above, which is mostly zero in a plot.
        encoder.set_filter(Filter::Up);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.bytes)?;
            writer.finish()
        });
        written.map_err(|error| Error::new(format!("the picture could not be encoded as PNG: {error}")))?;
        Ok(file)
    }
}

/// One of sixteen shades: edges look the same, and half as many bytes describe them.
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
