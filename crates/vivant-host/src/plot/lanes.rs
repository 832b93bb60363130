//! Plots a plan as lanes over time: one lane per layer, in several rows if the plan is long.
//!
//! The plot answers which action the character performs when, on which layers, and whether it was requested. Fill a
//! [`Lanes`] with the data; `drawing` lays it out. Plans that are longer than 20 seconds continue in further rows, and
//! a bar across the end of a row appears in both rows. Names that do not fit into their bars are shortened or left out.

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::layout::ticks;
use super::paper::Page;
use super::style::{GREY, INK, PAPER, TITLE_SIZE};

/// A plan: bars over time, with a lane for each layer.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// The title.
    pub title: String,
    /// The end of the plan in seconds.
    pub secs: f64,
    /// The lanes, from top to bottom.
    pub lanes: Vec<Lane>,
}

/// A row of bars.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The name on the left.
    pub name: &'static str,
    /// The bars, ordered by start time.
    pub bars: Vec<Bar>,
}

/// A bar on a lane: an action or a state.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Start, in seconds.
    pub start: f64,
    /// End, in seconds.
    pub end: f64,
    /// The text in the bar.
    pub label: String,
    /// The kind of the bar, which determines the colour.
    pub tone: Tone,
    /// True if the character chose the action by itself. Such bars are paler.
    pub is_unasked: bool,
}

/// The kind of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A state of the behaviour model.
    State,
    /// A stance being held.
    Stance,
    /// A gesture.
    Gesture,
    /// A fidget.
    Fidget,
    /// A transition between stances.
    Transition,
}

const EDGE: f64 = 20.0;
const NAMES: f64 = 60.0;
const WIDTH: f64 = 1100.0;
const LANE_HEIGHT: f64 = 26.0;
const SEAM: f64 = 2.0;
/// Space below a row of lanes for the time labels, in pixels.
const SECONDS_HEIGHT: f64 = 34.0;
const TEXT_SIZE: f64 = 12.0;
const LABEL_PADDING: f64 = 5.0;
/// Maximum number of seconds in a row of lanes. Longer rows would have no space for names.
const ROW_SECS: f64 = 20.0;

const RULE: Colour = Colour(205, 212, 219);

impl Tone {
    const KINDS: [(Self, &'static str); 4] = [
        (Self::Gesture, "gesture"),
        (Self::Fidget, "fidget"),
        (Self::Transition, "transition"),
        (Self::Stance, "stance"),
    ];

    /// Returns a colour by Okabe and Ito, which people with any kind of colour vision can distinguish.
    fn colour(self) -> Colour {
        match self {
            Self::State => Colour(221, 228, 235),
            Self::Stance => Colour(240, 243, 246),
            Self::Gesture => Colour(0, 114, 178),
            Self::Fidget => Colour(230, 159, 0),
            Self::Transition => Colour(0, 138, 100),
        }
    }

    fn ink(self, is_unasked: bool) -> Colour {
        match self {
            Self::State | Self::Stance => GREY,
            Self::Fidget => INK,
            _ if is_unasked => INK,
            _ => PAPER,
        }
    }
}

/// Mixes a colour with white.
fn paler(Colour(r, g, b): Colour) -> Colour {
    let half = |channel: u8| (u16::from(channel) * 2 / 5 + 153) as u8;
    Colour(half(r), half(g), half(b))
}

/// Draws a plan.
pub(super) fn drawing(lanes: &Lanes, font: &Font) -> Drawing {
    let rows = (lanes.secs / ROW_SECS).ceil().max(1.0);
    let row_secs = if rows > 1.0 { ROW_SECS } else { lanes.secs.max(1.0) };
    let mut page = Page::new(font, Rows { lanes, row_secs });
    let title = (EDGE, EDGE + TITLE_SIZE);
    page.text(&lanes.title, title, Anchor::Start, TITLE_SIZE, INK);
    let top = page.legend(EDGE + TITLE_SIZE * 1.6) + 12.0;
    let height = lanes.lanes.len() as f64 * LANE_HEIGHT + SECONDS_HEIGHT;
    for row in 0..rows as usize {
        page.row(row, top + row as f64 * height);
    }
    page.drawing(WIDTH, top + rows * height + EDGE)
}

/// Lanes in rows of `row_secs` seconds.
#[derive(Clone, Copy)]
struct Rows<'a> {
    lanes: &'a Lanes,
    row_secs: f64,
}

impl Page<'_, Rows<'_>> {
    /// Draws the legend. Returns its lower edge.
    fn legend(&mut self, top: f64) -> f64 {
        let mut x = EDGE;
        let unasked = [(Tone::Gesture, "paler: by itself")].map(|(tone, name)| (tone, name, true));
        for (tone, name, is_pale) in
            Tone::KINDS.map(|(tone, name)| (tone, name, false)).into_iter().chain(unasked)
        {
            let colour = if is_pale { paler(tone.colour()) } else { tone.colour() };
            self.shapes.push(Shape::Box { x, y: top, width: 14.0, height: 14.0, colour });
            self.text(name, (x + 20.0, top + 11.5), Anchor::Start, TEXT_SIZE, GREY);
            x += 44.0 + self.width(name, TEXT_SIZE);
        }
        top + 20.0
    }

    fn x(&self, row: usize, seconds: f64) -> f64 {
        let row_secs = self.data.row_secs;
        let share = (seconds - row as f64 * row_secs) / row_secs;
        EDGE + NAMES + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * EDGE - NAMES)
    }

    fn row(&mut self, row: usize, top: f64) {
        let Rows { lanes, row_secs } = self.data;
        let (from, to) = (row as f64 * row_secs, (row as f64 + 1.0) * row_secs);
        let bottom = top + lanes.lanes.len() as f64 * LANE_HEIGHT;
        for (at, label) in ticks(from, to, 10.0) {
            let x = self.x(row, at);
            self.line(vec![(x, top), (x, bottom + 4.0)], 1.0, RULE);
            self.text(&format!("{label} s"), (x, bottom + 17.0), Anchor::Middle, TEXT_SIZE, GREY);
        }
        for (index, lane) in lanes.lanes.iter().enumerate() {
            let y = top + index as f64 * LANE_HEIGHT;
            let base = y + LANE_HEIGHT / 2.0 + 0.36 * TEXT_SIZE;
            self.text(lane.name, (EDGE, base), Anchor::Start, TEXT_SIZE, INK);
            for bar in lane.bars.iter().filter(|bar| bar.end > from && bar.start < to) {
                self.bar(row, bar, y, base);
            }
        }
    }

    fn bar(&mut self, row: usize, bar: &Bar, y: f64, base: f64) {
        let (x, end) = (self.x(row, bar.start), self.x(row, bar.end));
        let colour = if bar.is_unasked { paler(bar.tone.colour()) } else { bar.tone.colour() };
        let width = (end - x - SEAM).max(1.0);
        self.shapes.push(Shape::Box { x, y: y + SEAM, width, height: LANE_HEIGHT - 2.0 * SEAM, colour });
        let label = self.shortened(&bar.label, width - 2.0 * LABEL_PADDING);
        let ink = bar.tone.ink(bar.is_unasked);
        self.text(&label, (x + LABEL_PADDING, base), Anchor::Start, TEXT_SIZE, ink);
    }

    /// Shortens a name to the available width.
    fn shortened(&self, label: &str, width: f64) -> String {
        let fits = |text: &str| self.width(text, TEXT_SIZE) <= width;
        if fits(label) {
            return label.to_owned();
        }
        let letters: Vec<char> = label.chars().collect();
        let longest =
            (2..letters.len()).rev().map(|n| format!("{}…", letters[..n].iter().collect::<String>()));
        longest.into_iter().find(|text| fits(text)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::svg;

    fn plan(secs: f64) -> Lanes {
        let bar = |start: f64, end: f64, label: &str| Bar {
            start,
            end,
            label: label.into(),
            tone: Tone::Gesture,
            is_unasked: false,
        };
        let bars = vec![bar(1.0, 4.0, "wave"), bar(4.0, 4.1, "a name without room"), bar(38.0, 43.0, "long")];
        Lanes { title: "A plan".into(), secs, lanes: vec![Lane { name: "arms", bars }] }
    }

    #[test]
    fn actions_are_drawn_and_names_fit_into_bars() {
        let font = Font::new().unwrap();
        let picture = svg::svg(&drawing(&plan(20.0), &font));
        assert!(picture.contains(">wave<") && picture.contains(">arms<") && picture.contains(">10 s<"));
        assert!(!picture.contains("a name without room"));
        assert_eq!(picture.matches(">long<").count(), 0, "the bar is after the end of the plot");
    }

    #[test]
    fn long_plans_continue_in_another_row() {
        let font = Font::new().unwrap();
        let (short, long) = (drawing(&plan(20.0), &font), drawing(&plan(90.0), &font));
        assert!(long.height > short.height + 2.0 * LANE_HEIGHT);
        let picture = svg::svg(&long);
        assert_eq!(picture.matches(">long<").count(), 2, "a bar across the end of a row is in both rows");
        assert!(long.shapes.iter().all(|shape| match shape {
            Shape::Box { x, width, .. } => *x >= EDGE && x + width <= WIDTH - EDGE + 1.0,
            _ => true,
        }));
    }
}
