//! Colours and font sizes common to all plots.

use super::drawing::Colour;

pub(super) const INK: Colour = Colour(28, 36, 44);
pub(super) const GREY: Colour = Colour(92, 102, 112);
pub(super) const GRID: Colour = Colour(224, 228, 232);
/// The line at zero.
pub(super) const ZERO: Colour = Colour(168, 176, 184);
pub(super) const PAPER: Colour = Colour(255, 255, 255);
// Colours by Okabe and Ito, which people with any kind of colour vision can distinguish.
pub(super) const BLUE: Colour = Colour(0, 114, 178);
pub(super) const VERMILION: Colour = Colour(213, 94, 0);
pub(super) const GREEN: Colour = Colour(0, 138, 100);
pub(super) const PURPLE: Colour = Colour(160, 75, 125);

pub(super) const TITLE_SIZE: f64 = 17.0;
pub(super) const TEXT_SIZE: f64 = 13.0;
pub(super) const NUMBER_SIZE: f64 = 11.5;
/// Offset of the baseline that centres text vertically, relative to the font size.
pub(super) const MIDDLE: f64 = 0.36;
/// Maximum width of bold letters, and of fonts in SVG viewers, relative to the built-in font.
pub(super) const OTHER_FONTS: f64 = 1.1;
