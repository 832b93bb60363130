//! Where boxes and arrows of a group are: boxes on an ellipse that grows until they are apart, no arrow
//! crosses a box, and, as far as it helps, no label lies on another.

use super::Group;
use vivant::math::sin_cos;

/// Something with edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A group with places.
pub(super) struct Routed {
    pub(super) places: Vec<Rect>,
    pub(super) ways: Vec<Way>,
    /// Around all of it.
    pub(super) bounds: Rect,
}

/// An arrow's way.
pub(super) struct Way {
    pub(super) points: Vec<Point>,
    pub(super) head: [Point; 3],
    /// The room for its label.
    pub(super) label: Rect,
    /// Of length 1, to the left of who goes there.
    left: Point,
    /// Whether it passes no box.
    is_clear: bool,
    /// How much lies under its label.
    crowd: usize,
}

pub(super) type Point = (f64, f64);

/// Between boxes, at least.
const GAP: f64 = 34.0;
/// Between an arrow and a box that it passes.
const BESIDE: f64 = 7.0;
/// Between an arrow's ends and its boxes.
const TOUCH: f64 = 3.0;
const HEAD: f64 = 9.0;
const HEAD_HALF: f64 = 3.8;
const LABEL_HEIGHT: f64 = 14.0;
/// How much wider than high the ellipse is: boxes are.
const ASPECT: f64 = 1.45;
const STEPS: usize = 32;
/// A group with more boxes times arrows than this cannot be read anyway: its boxes are apart, its arrows
/// straight.
const LARGE: usize = 20_000;
/// More arrows a box than this are drawn straight where they can be, the two directions as one line.
pub(super) const DENSE: usize = 3;
/// How far arrows bend, in shares of their length: the first that passes no box is taken.
const BENDS: [f64; 9] = [0.05, 0.12, 0.2, 0.3, 0.44, -0.12, -0.2, -0.3, -0.44];
const STRAIGHT_FIRST: [f64; 10] = [0.0, 0.14, -0.14, 0.22, -0.22, 0.07, 0.32, -0.32, 0.44, -0.44];
/// How far beside the middle of a box an arrow begins and ends that has one in the other direction.
const LANE: f64 = 7.0;
/// How much of an arrow is seen beside its label, at least.
const SEEN: f64 = 40.0;
/// Where on the way its label may be, and how far beside it.
const ASIDE: [f64; 3] = [0.0, 0.8, -0.8];
const STATIONS: [f64; 9] = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78];

impl Routed {
    pub(super) fn new(group: &Group, sizes: &[(f64, f64)], labels: &[f64]) -> Self {
        let (mut radius, hub) = (40.0, hub(group));
        let mut best: Option<(usize, Self)> = None;
        // Growing for labels alone is worth less than a page that can be read at once.
        let mut patience = if is_large(group) { 1 } else { 12 };
        loop {
            let places = places(sizes, radius, hub);
            radius *= 1.08;
            if !are_apart(&places) {
                continue;
            }
            let routed = Self::at(places, group, labels);
            let faults = routed.faults();
            patience -= 1;
            if best.as_ref().is_none_or(|(least, _)| faults < *least) {
                best = Some((faults, routed));
            }
            if let Some((_, best)) = best.take_if(|(least, _)| *least == 0 || patience == 0) {
                return best;
            }
        }
    }

    fn at(places: Vec<Rect>, group: &Group, labels: &[f64]) -> Self {
        let is_dense = group.arrows.len() > DENSE * group.nodes.len();
        let has_return = |from, to| group.arrows.iter().any(|arrow| (arrow.from, arrow.to) == (to, from));
        let mut ways: Vec<Way> = Vec::new();
        for arrow in &group.arrows {
            let is_alone = is_dense || !has_return(arrow.from, arrow.to);
            let (bends, lane): (&[f64], f64) = match (is_large(group), is_alone) {
                (true, _) => (&STRAIGHT_FIRST[..1], 0.0),
                (false, true) => (&STRAIGHT_FIRST, 0.0),
                (false, false) => (&BENDS, LANE),
            };
            ways.push(Way::between(arrow.from, arrow.to, &places, bends, lane));
        }
        for index in 0..ways.len() {
            if labels[index] > 0.0 && !is_large(group) {
                let (label, crowd) = label(index, labels[index], &ways, &places);
                (ways[index].label, ways[index].crowd) = (label, crowd);
            }
        }
        let points = ways.iter().flat_map(|way| way.points.iter().map(|p| Rect::around(*p, 2.0, 2.0)));
        let all = places.iter().copied().chain(ways.iter().map(|way| way.label)).chain(points);
        let bounds = all.reduce(Rect::union).unwrap_or(Rect::around((0.0, 0.0), 0.0, 0.0));
        Self { places, ways, bounds }
    }

    fn faults(&self) -> usize {
        self.ways.iter().map(|way| if way.is_clear { way.crowd } else { 1000 }).sum()
    }
}

fn is_large(group: &Group) -> bool {
    group.nodes.len() * group.arrows.len() > LARGE
}

/// The one box that most of at least four others are joined to, if there is one: its place is the middle.
fn hub(group: &Group) -> Option<usize> {
    let count = group.nodes.len();
    if is_large(group) {
        return None;
    }
    let is_joined = |a: usize, b: usize| {
        group.arrows.iter().any(|arrow| (arrow.from, arrow.to) == (a, b) || (arrow.from, arrow.to) == (b, a))
    };
    let much =
        |node: &usize| 5 * (0..count).filter(|other| is_joined(*node, *other)).count() >= 3 * (count - 1);
    let hubs: Vec<usize> = (0..count).filter(much).collect();
    (count > 4 && hubs.len() == 1).then(|| hubs[0])
}

/// Boxes on an ellipse, clockwise from the top; two are side by side, and a hub is in the middle.
fn places(sizes: &[(f64, f64)], radius: f64, hub: Option<usize>) -> Vec<Rect> {
    let count = sizes.len() - usize::from(hub.is_some());
    let turn = if count == 2 { std::f64::consts::PI } else { std::f64::consts::FRAC_PI_2 };
    let place = |(index, (width, height)): (usize, &(f64, f64))| {
        let number = index - usize::from(hub.is_some_and(|hub| hub < index));
        let (sin, cos) = sin_cos(std::f64::consts::TAU * number as f64 / count as f64 - turn);
        let reach = if count == 1 || hub == Some(index) { 0.0 } else { radius };
        Rect::around((reach * ASPECT * cos, reach * sin), *width, *height)
    };
    sizes.iter().enumerate().map(place).collect()
}

fn are_apart(places: &[Rect]) -> bool {
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[i + 1..].iter().map(move |b| (a, b)));
    pairs.into_iter().all(|(a, b)| !a.grown(GAP / 2.0).meets(&b.grown(GAP / 2.0)))
}

impl Way {
    /// The first bend that passes no box, else the first.
    fn between(from: usize, to: usize, places: &[Rect], bends: &[f64], lane: f64) -> Self {
        let others = || {
            places.iter().enumerate().filter(|(i, _)| *i != from && *i != to).map(|(_, r)| r.grown(BESIDE))
        };
        let ways = || bends.iter().map(|bend| Self::bent(&places[from], &places[to], *bend, lane));
        let is_clear = |way: &Self| others().all(|other| !way.points.iter().any(|point| other.holds(*point)));
        match ways().find(|way| bends.len() == 1 || is_clear(way)) {
            Some(way) => Self { is_clear: true, ..way },
            None => Self::bent(&places[from], &places[to], bends[0], lane),
        }
    }

    /// A curve between the middles of two boxes, as far as it is outside of them.
    fn bent(from: &Rect, to: &Rect, bend: f64, lane: f64) -> Self {
        let (a, b) = (from.middle(), to.middle());
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        // To the left of who goes there: the two directions keep clear of each other.
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let left = (dy / length, -dx / length);
        let aside = |(x, y): Point| (x + left.0 * lane, y + left.1 * lane);
        let (a, b) = (aside(a), aside(b));
        let control = (f64::midpoint(a.0, b.0) + dy * bend, f64::midpoint(a.1, b.1) - dx * bend);
        let curve = |t: f64| {
            let (p, q, r) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            (p * a.0 + q * control.0 + r * b.0, p * a.1 + q * control.1 + r * b.1)
        };
        let start = border(&curve, 0.0, 0.5, &from.grown(TOUCH));
        let end = border(&curve, 1.0, 0.5, &to.grown(TOUCH));
        let mut points: Vec<Point> =
            (0..=STEPS).map(|i| curve(start + (end - start) * i as f64 / STEPS as f64)).collect();
        let head = head(&mut points);
        let label = Rect::around(curve(f64::midpoint(start, end)), 0.0, 0.0);
        Self { points, head, label, left, is_clear: false, crowd: 0 }
    }
}

/// Where a curve leaves a box, between a parameter inside and one outside.
fn border(curve: &dyn Fn(f64) -> Point, mut inside: f64, mut outside: f64, of: &Rect) -> f64 {
    for _ in 0..30 {
        let middle = f64::midpoint(inside, outside);
        if of.holds(curve(middle)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

/// The head at the end of a line, which then ends behind it.
fn head(points: &mut Vec<Point>) -> [Point; 3] {
    let tip = points[points.len() - 1];
    let far = |p: &Point| ((p.0 - tip.0) * (p.0 - tip.0) + (p.1 - tip.1) * (p.1 - tip.1)).sqrt();
    while points.len() > 2 && far(&points[points.len() - 1]) < HEAD {
        points.pop();
    }
    let behind = points[points.len() - 1];
    let length = far(&behind).max(1e-9);
    let (ux, uy) = ((tip.0 - behind.0) / length, (tip.1 - behind.1) / length);
    let base = (tip.0 - ux * HEAD, tip.1 - uy * HEAD);
    points.push((tip.0 - ux * HEAD * 0.7, tip.1 - uy * HEAD * 0.7));
    let side = |s: f64| (base.0 - uy * HEAD_HALF * s, base.1 + ux * HEAD_HALF * s);
    [tip, side(1.0), side(-1.0)]
}

/// The place for a label with the least under it.
fn label(index: usize, width: f64, ways: &[Way], places: &[Rect]) -> (Rect, usize) {
    let way = &ways[index];
    let at = |share: f64, aside: f64| {
        let (x, y) = way.points[(share * (way.points.len() - 1) as f64).round() as usize];
        // So far beside the line that it only just touches it.
        let reach = aside * (way.left.0.abs() * width + way.left.1.abs() * LABEL_HEIGHT) / 2.0;
        Rect::around((x + way.left.0 * reach, y + way.left.1 * reach), width + 4.0, LABEL_HEIGHT)
    };
    let all = ASIDE.iter().flat_map(|aside| STATIONS.map(|share| at(share, *aside)));
    let crowd = |rect: &Rect| {
        let boxes = places.iter().filter(|place| place.grown(2.0).meets(rect)).count();
        let labels = ways[..index].iter().filter(|other| other.label.meets(rect)).count();
        let others = ways.iter().enumerate().filter(|(i, _)| *i != index);
        let lines =
            others.filter(|(_, other)| other.points.iter().any(|p| rect.grown(3.0).holds(*p))).count();
        50 * boxes + 20 * labels + lines
    };
    let (first, last) = (way.points[0], way.head[0]);
    let (wide, high) = ((last.0 - first.0).abs(), (last.1 - first.1).abs());
    // The way through the label, as far as it goes that way, and what must be seen of it.
    let is_hidden = wide < width + SEEN && high < LABEL_HEIGHT + SEEN;
    let best = all.map(|rect| (crowd(&rect), rect)).min_by_key(|(crowd, _)| *crowd);
    best.map_or((way.label, 0), |(crowd, rect)| (rect, crowd + 20 * usize::from(is_hidden)))
}

impl Rect {
    pub(super) fn around((x, y): Point, width: f64, height: f64) -> Self {
        Self {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    fn middle(&self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    pub(super) fn grown(&self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(super) fn holds(&self, (x, y): Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Its outline with round corners.
    pub(super) fn rounded(&self, radius: f64) -> Vec<Point> {
        const PIECES: usize = 6;
        let inner = self.grown(-radius);
        let corners = [
            (inner.right, inner.bottom),
            (inner.left, inner.bottom),
            (inner.left, inner.top),
            (inner.right, inner.top),
        ];
        let corner = |(quarter, (x, y)): (usize, Point)| {
            (0..=PIECES).map(move |piece| {
                let turns = quarter as f64 + piece as f64 / PIECES as f64;
                let (sin, cos) = sin_cos(turns * std::f64::consts::FRAC_PI_2);
                (x + radius * cos, y + radius * sin)
            })
        };
        corners.into_iter().enumerate().flat_map(corner).collect()
    }
}
