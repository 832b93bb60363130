//! The letters: outlines and widths, the same on every machine, whether it has fonts or not.

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use vivant_io::{Error, Result};
use zeno::{Command, Point};

/// Noto Sans, with what is asked of it for every letter.
pub(super) struct Font {
    face: Face<'static>,
}

impl Font {
    pub(super) fn new() -> Result<Self> {
        let face = Face::parse(notosans::REGULAR_TTF, 0)
            .map_err(|e| Error::new(format!("the built-in font could not be read: {e}")))?;
        Ok(Self { face })
    }

    /// How wide a text is at a size, in pixels.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|c| self.advance(self.glyph(c), size)).sum()
    }

    /// The outlines of a text that begins at a point of its base line.
    pub(super) fn outline(&self, text: &str, size: f64, (x, y): (f64, f64)) -> Vec<Command> {
        let mut pen = Pen { x, y, scale: self.scale(size), commands: Vec::new() };
        for letter in text.chars() {
            let glyph = self.glyph(letter);
            self.face.outline_glyph(glyph, &mut pen);
            pen.x += self.advance(glyph, size);
        }
        pen.commands
    }

    /// A letter that the font does not have is drawn as its empty box.
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

/// Follows an outline. Fonts have y upwards, pictures downwards.
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
    fn every_letter_that_plots_write_is_in_the_font() {
        let font = Font::new().unwrap();
        for letter in "abcxyzABCXYZ0123456789 −-+±×°·.,:;%/()=µσ–—…’".chars() {
            assert_ne!(font.glyph(letter), GlyphId(0), "{letter}");
        }
    }

    #[test]
    fn twice_the_size_is_twice_as_wide() {
        let font = Font::new().unwrap();
        let (small, large) = (font.width("degrees", 10.0), font.width("degrees", 20.0));
        assert!((large - 2.0 * small).abs() < 1e-9 && (35.0..45.0).contains(&small), "{small} {large}");
    }
}
