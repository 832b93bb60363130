//! Plots boxes and arrows, for example the stances and transitions in Figures 1 and 2 of Borer 2019.
//!
//! Positions of the boxes and courses of the arrows are computed in `route`; here they are measured and drawn. Each
//! [`Group`] has its own layout, since no arrow leads from one group to another, and groups are placed side by side as
//! far as the page is wide enough. Fill a [`Network`] with the data; `drawing` returns the shapes. Boxes with problems
//! ([`Mark::Unreachable`], [`Mark::DeadEnd`]) get a red border.

mod route;

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::Font;
use super::paper::{LINE, Page, size_of};
use super::style::{BLUE, GREY, INK, PAPER};
use route::{Rect, Routed};

/// Boxes and arrows, in groups.
#[derive(Clone, Debug)]
pub struct Network {
    /// The title. The first line is large, and the other lines are small.
    pub title: String,
    /// The groups, side by side.
    pub groups: Vec<Group>,
}

/// A group of boxes with arrows between them.
#[derive(Clone, Debug)]
pub struct Group {
    /// The heading of the group.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
}

/// A box.
#[derive(Clone, Debug)]
pub struct Node {
    /// The text in the box.
    pub name: String,
    /// Two texts below the name. The left text is blue, and the right text is green.
    pub counts: [String; 2],
    /// Special properties of the box.
    pub marks: Vec<Mark>,
}

/// A special property of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The start of the graph.
    Start,
    /// The box cannot be reached from the start.
    Unreachable,
    /// No arrow leaves the box.
    DeadEnd,
}

/// An arrow from one box to another box of the same group.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The index of the box at which the arrow starts.
    pub from: usize,
    /// The index of the box at which the arrow ends.
    pub to: usize,
    /// The label of the arrow.
    pub label: String,
    /// True if the line is dashed.
    pub dashed: bool,
}

impl Mark {
    fn label(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Unreachable => "unreachable",
            Self::DeadEnd => "dead end",
        }
    }

    fn colour(self) -> Colour {
        match self {
            Self::Start => BLUE,
            Self::Unreachable | Self::DeadEnd => RED,
        }
    }
}

const EDGE: f64 = 24.0;
const GROUP_SIZE: f64 = 14.0;
const NAME_SIZE: f64 = 13.0;
const SMALL_SIZE: f64 = 11.0;
/// Padding inside a box, in pixels.
const PAD: f64 = 11.0;
/// Space between the two counts of a box, in pixels.
const BETWEEN: f64 = 10.0;
const CORNER: f64 = 8.0;
/// Space between groups, in pixels.
const GUTTER: f64 = 44.0;
/// Maximum total width of groups that are placed side by side, in pixels.
const PAGE_WIDTH: f64 = 1500.0;

const PALE: Colour = Colour(150, 160, 170);
const FILL: Colour = Colour(244, 247, 250);
// Colours by Okabe and Ito, which people with any kind of colour vision can distinguish.
const GREEN: Colour = Colour(0, 133, 97);
const RED: Colour = Colour(197, 74, 0);

/// Draws a network.
pub(super) fn drawing(network: &Network, font: &Font) -> Drawing {
    let mut page = Page::new(font, network);
    let mut y = page.title(&network.title, EDGE) + GUTTER / 2.0;
    let mut width =
        network.title.lines().enumerate().map(|(i, l)| page.width(l, size_of(i))).fold(0.0, f64::max);
    let (mut x, mut row) = (EDGE, 0.0_f64);
    for group in &network.groups {
        let sizes: Vec<(f64, f64)> = group.nodes.iter().map(|node| page.size(node)).collect();
        let labels: Vec<f64> =
            group.arrows.iter().map(|arrow| page.width(&arrow.label, SMALL_SIZE)).collect();
        let routed = Routed::new(group, &sizes, &labels);
        let width_needed = routed.bounds.width().max(page.width(&group.title, GROUP_SIZE));
        if x > EDGE && x + width_needed > PAGE_WIDTH {
            (x, y, row) = (EDGE, y + row + GUTTER, 0.0);
        }
        page.group(group, &routed, (x, y));
        row = row.max(routed.bounds.height() + GROUP_SIZE * LINE * 1.5);
        width = width.max(x - EDGE + width_needed);
        x += width_needed + GUTTER;
    }
    page.drawing(width + 2.0 * EDGE, y + row + EDGE)
}

impl Page<'_, &Network> {
    /// Returns the size of a box.
    fn size(&self, node: &Node) -> (f64, f64) {
        let [left, right] = &node.counts;
        let counts = self.width(left, SMALL_SIZE) + BETWEEN + self.width(right, SMALL_SIZE);
        let marks = node.marks.iter().map(|mark| self.width(mark.label(), SMALL_SIZE));
        let width_needed = marks.fold(counts.max(self.width(&node.name, NAME_SIZE)), f64::max);
        let lines = NAME_SIZE + SMALL_SIZE * (1 + node.marks.len()) as f64;
        (width_needed + 2.0 * PAD, lines * LINE + 1.3 * PAD)
    }

    fn group(&mut self, group: &Group, routed: &Routed, (x, y): (f64, f64)) {
        self.bold(&group.title, (x, y + GROUP_SIZE), Anchor::Start, GROUP_SIZE, INK);
        let moved = |(px, py): (f64, f64)| {
            (px - routed.bounds.left + x, py - routed.bounds.top + y + GROUP_SIZE * LINE * 1.5)
        };
        for (arrow, route) in group.arrows.iter().zip(&routed.routes) {
            let points: Vec<_> = route.points.iter().copied().map(moved).collect();
            self.stroke(points, 1.3, PALE, arrow.dashed);
        }
        for route in &routed.routes {
            let points = route.head.map(moved).to_vec();
            self.shapes.push(Shape::Polygon { points, colour: GREY });
        }
        self.labels(group, routed, &moved);
        for (node, place) in group.nodes.iter().zip(&routed.places) {
            let ((left, top), (right, bottom)) =
                (moved((place.left, place.top)), moved((place.right, place.bottom)));
            self.node(node, Rect { left, top, right, bottom });
        }
    }

    fn labels(&mut self, group: &Group, routed: &Routed, moved: &dyn Fn((f64, f64)) -> (f64, f64)) {
        for (arrow, route) in
            group.arrows.iter().zip(&routed.routes).filter(|(arrow, _)| !arrow.label.is_empty())
        {
            let ((x, y), (width, height)) =
                (moved((route.label.left, route.label.top)), (route.label.width(), route.label.height()));
            self.shapes.push(Shape::Box { x, y, width, height, colour: PAPER });
            let base = (x + width / 2.0, y + height / 2.0 + 0.36 * SMALL_SIZE);
            self.text(&arrow.label, base, Anchor::Middle, SMALL_SIZE, GREY);
        }
    }

    fn node(&mut self, node: &Node, place: Rect) {
        let points = place.rounded(CORNER);
        self.shapes.push(Shape::Polygon { points: points.clone(), colour: FILL });
        let worst = node.marks.iter().max_by_key(|mark| **mark != Mark::Start);
        let (colour, width) = worst.map_or((PALE, 1.2), |mark| (mark.colour(), 2.0));
        let closed = points.iter().chain(points.first()).copied().collect();
        self.line(closed, width, colour);
        let middle = f64::midpoint(place.left, place.right);
        let mut y = place.top + 0.65 * PAD + NAME_SIZE;
        self.bold(&node.name, (middle, y), Anchor::Middle, NAME_SIZE, INK);
        y += SMALL_SIZE * LINE + 2.0;
        self.counts(&node.counts, (middle, y));
        for mark in &node.marks {
            y += SMALL_SIZE * LINE;
            self.text(mark.label(), (middle, y), Anchor::Middle, SMALL_SIZE, mark.colour());
        }
    }

    fn counts(&mut self, [left, right]: &[String; 2], (middle, y): (f64, f64)) {
        let widths = [left, right].map(|label| self.font.width(label, SMALL_SIZE));
        // The two counts are centred as one text.
        let shift = (widths[0] - widths[1]) / 2.0;
        let (end, start) = (middle + shift - BETWEEN / 2.0, middle + shift + BETWEEN / 2.0);
        self.text(left, (end, y), Anchor::End, SMALL_SIZE, BLUE);
        self.text(right, (start, y), Anchor::Start, SMALL_SIZE, GREEN);
    }
}

#[cfg(test)]
mod tests;
