//! The built-in font with outlines and widths, which are the same on every machine.

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use vivant_io::{Error, Result};
use zeno::{Command, Point};

/// The font Noto Sans.
pub(super) struct Font {
    face: Face<'static>,
}

impl Font {
    pub(super) fn new() -> Result<Self> {
        let face = Face::parse(notosans::REGULAR_TTF, 0)
            .map_err(|e| Error::new(format!("cannot read the built-in font: {e}")))?;
        Ok(Self { face })
    }

    /// Returns the width of a text at a font size, in pixels.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|c| self.advance(self.glyph(c), size)).sum()
    }

    /// Returns the outlines of a text that starts at a point on its baseline.
    pub(super) fn outline(&self, text: &str, size: f64, (x, y): (f64, f64)) -> Vec<Command> {
        let mut pen = Pen { x, y, scale: self.scale(size), commands: Vec::new() };
        for letter in text.chars() {
            let glyph = self.glyph(letter);
            self.face.outline_glyph(glyph, &mut pen);
            pen.x += self.advance(glyph, size);
        }
        pen.commands
    }

    /// Returns the glyph of a character. A character that is not in the font is drawn as an empty box.
    fn glyph(&self, letter: char) -> GlyphId {
        self.face.glyph_index(letter).unwrap_or_default()
    }

    fn advance(&self, glyph: GlyphId, size: f64) -> f64 {
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or_default()) * self.scale(size)
    }

    fn scale(&self, size: f64) -> f64 {
        size / f64::from(self.face.units_per_em())
    }
}

/// Collects an outline. The y axis points upwards in fonts and downwards in images.
struct Pen {
    x: f64,
    y: f64,
    scale: f64,
    commands: Vec<Command>,
}

impl Pen {
    fn point(&self, x: f32, y: f32) -> Point {
        let at = |origin: f64, units: f32| (origin + f64::from(units) * self.scale) as f32;
        Point::new(at(self.x, x), at(self.y, -y))
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::MoveTo(self.point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::LineTo(self.point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.commands.push(Command::QuadTo(self.point(x1, y1), self.point(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.commands.push(Command::CurveTo(self.point(x1, y1), self.point(x2, y2), self.point(x, y)));
    }

    fn close(&mut self) {
        self.commands.push(Command::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_all_characters_of_plots() {
        let font = Font::new().unwrap();
        for letter in "abcxyzABCXYZ0123456789 −-+±×°·.,:;%/()=µσ–—…’".chars() {
            assert_ne!(font.glyph(letter), GlyphId(0), "{letter}");
        }
    }

    #[test]
    fn width_is_proportional_to_size() {
        let font = Font::new().unwrap();
        let (small, large) = (font.width("degrees", 10.0), font.width("degrees", 20.0));
        assert!((large - 2.0 * small).abs() < 1e-9 && (35.0..45.0).contains(&small), "{small} {large}");
    }
}
