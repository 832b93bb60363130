//! The shapes of a plot, independent of SVG or PNG.

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

/// Shapes in pixels, with y downwards. They are drawn in order on a white background.
pub(super) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

pub(super) enum Shape {
    Box {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        colour: Colour,
    },
    Line {
        points: Vec<(f64, f64)>,
        width: f64,
        colour: Colour,
        dashed: bool,
    },
    /// A filled polygon.
    Polygon {
        points: Vec<(f64, f64)>,
        colour: Colour,
    },
    Text(Text),
}

/// A line of text: `x` is the position of its anchor, and `y` is the position of its baseline.
pub(super) struct Text {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) colour: Colour,
    pub(super) bold: bool,
    pub(super) words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// Returns the fraction of the text's width that is to the left of `x`.
    pub(super) fn share_before(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }
}

/// Lengths of the dashes and gaps of a dashed line, in pixels.
pub(super) const DASH: [f64; 2] = [5.0, 4.0];
