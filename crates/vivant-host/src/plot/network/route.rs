//! Places the boxes and arrows of a group. Boxes lie on an ellipse that grows until they do not overlap. Arrows cross
//! no boxes if possible, and labels overlap as little as possible.

use super::Group;
use vivant::math::sin_cos;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A group with positions.
pub(super) struct Routed {
    pub(super) places: Vec<Rect>,
    pub(super) routes: Vec<Route>,
    /// The bounding box of all boxes, arrows and labels.
    pub(super) bounds: Rect,
}

/// The route of an arrow.
pub(super) struct Route {
    pub(super) points: Vec<Point>,
    pub(super) head: [Point; 3],
    /// The position of the arrow's label.
    pub(super) label: Rect,
    /// Unit vector to the left of the arrow's direction.
    left: Point,
    /// True if the route crosses no box.
    is_clear: bool,
    /// Weighted number of boxes, arrows and labels that the label overlaps.
    crowd: usize,
}

pub(super) type Point = (f64, f64);

/// Minimum space between boxes, in pixels.
const GAP: f64 = 34.0;
/// Space between an arrow and a box that it passes, in pixels.
const CLEARANCE: f64 = 7.0;
/// Space between the ends of an arrow and the boxes that it connects, in pixels.
const TOUCH: f64 = 3.0;
const HEAD: f64 = 9.0;
const HEAD_HALF: f64 = 3.8;
const LABEL_HEIGHT: f64 = 14.0;
/// Width of the ellipse relative to its height. It is greater than 1, since boxes are wider than high.
const ASPECT: f64 = 1.45;
const STEPS: usize = 32;
/// Number of boxes times number of arrows above which only overlaps of boxes are avoided, and all arrows are straight.
/// Such a large plot cannot be read anyway.
const LARGE: usize = 20_000;
/// Number of arrows per box above which arrows are straight where possible, and arrows in both directions share one
/// line.
pub(super) const DENSE: usize = 3;
/// Curvatures that are tried for an arrow, relative to its length. The first curvature with which the arrow crosses
/// no box is used.
const BENDS: [f64; 9] = [0.05, 0.12, 0.2, 0.3, 0.44, -0.12, -0.2, -0.3, -0.44];
const STRAIGHT_FIRST: [f64; 10] = [0.0, 0.14, -0.14, 0.22, -0.22, 0.07, 0.32, -0.32, 0.44, -0.44];
/// Distance of an arrow from the middle of the box in pixels, if there is also an arrow in the other direction.
const LANE: f64 = 7.0;
/// Minimum length in pixels of the part of an arrow that its label does not hide.
const MIN_VISIBLE: f64 = 40.0;
/// Candidate positions of a label, across the arrow and along the arrow.
const ASIDE: [f64; 3] = [0.0, 0.8, -0.8];
const STATIONS: [f64; 9] = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78];

impl Routed {
    pub(super) fn new(group: &Group, sizes: &[(f64, f64)], labels: &[f64]) -> Self {
        let (mut radius, hub) = (40.0, hub(group));
        let mut best: Option<(usize, Self)> = None;
        // A compact plot is better than a larger plot in which no labels overlap.
        let mut patience = if is_large(group) { 1 } else { 12 };
        loop {
            let places = places(sizes, radius, hub);
            radius *= 1.08;
            if !are_apart(&places) {
                continue;
            }
            let routed = Self::at(places, group, labels);
            let penalty = routed.penalty();
            patience -= 1;
            if best.as_ref().is_none_or(|(least, _)| penalty < *least) {
                best = Some((penalty, routed));
            }
            if let Some((_, best)) = best.take_if(|(least, _)| *least == 0 || patience == 0) {
                return best;
            }
        }
    }

    fn at(places: Vec<Rect>, group: &Group, labels: &[f64]) -> Self {
        let is_dense = group.arrows.len() > DENSE * group.nodes.len();
        let has_return = |from, to| group.arrows.iter().any(|arrow| (arrow.from, arrow.to) == (to, from));
        let mut routes: Vec<Route> = Vec::new();
        for arrow in &group.arrows {
            let is_alone = is_dense || !has_return(arrow.from, arrow.to);
            let (bends, lane): (&[f64], f64) = match (is_large(group), is_alone) {
                (true, _) => (&STRAIGHT_FIRST[..1], 0.0),
                (false, true) => (&STRAIGHT_FIRST, 0.0),
                (false, false) => (&BENDS, LANE),
            };
            routes.push(Route::between(arrow.from, arrow.to, &places, bends, lane));
        }
        for index in 0..routes.len() {
            if labels[index] > 0.0 && !is_large(group) {
                let (label, crowd) = label(index, labels[index], &routes, &places);
                (routes[index].label, routes[index].crowd) = (label, crowd);
            }
        }
        let points = routes.iter().flat_map(|route| route.points.iter().map(|p| Rect::around(*p, 2.0, 2.0)));
        let all = places.iter().copied().chain(routes.iter().map(|route| route.label)).chain(points);
        let bounds = all.reduce(Rect::union).unwrap_or(Rect::around((0.0, 0.0), 0.0, 0.0));
        Self { places, routes, bounds }
    }

    fn penalty(&self) -> usize {
        self.routes.iter().map(|route| if route.is_clear { route.crowd } else { 1000 }).sum()
    }
}

fn is_large(group: &Group) -> bool {
    group.nodes.len() * group.arrows.len() > LARGE
}

/// Returns the hub, which is placed in the middle: the only box that is connected to at least 60 % of the other
/// boxes. A group of fewer than five boxes has no hub.
fn hub(group: &Group) -> Option<usize> {
    let count = group.nodes.len();
    if is_large(group) {
        return None;
    }
    let is_joined = |a: usize, b: usize| {
        group.arrows.iter().any(|arrow| (arrow.from, arrow.to) == (a, b) || (arrow.from, arrow.to) == (b, a))
    };
    let is_hub =
        |node: &usize| 5 * (0..count).filter(|other| is_joined(*node, *other)).count() >= 3 * (count - 1);
    let hubs: Vec<usize> = (0..count).filter(is_hub).collect();
    (count > 4 && hubs.len() == 1).then(|| hubs[0])
}

/// Places boxes on an ellipse, clockwise from the top. Two boxes are placed side by side, and a hub is placed in the
/// middle.
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

impl Route {
    /// Returns a route with the first of `bends` with which the arrow crosses no box. If there is none, the first of
    /// `bends` is used.
    fn between(from: usize, to: usize, places: &[Rect], bends: &[f64], lane: f64) -> Self {
        let others = || {
            places.iter().enumerate().filter(|(i, _)| *i != from && *i != to).map(|(_, r)| r.grown(CLEARANCE))
        };
        let routes = || bends.iter().map(|bend| Self::bent(&places[from], &places[to], *bend, lane));
        let is_clear =
            |route: &Self| others().all(|other| !route.points.iter().any(|point| other.holds(*point)));
        match routes().find(|route| bends.len() == 1 || is_clear(route)) {
            Some(route) => Self { is_clear: true, ..route },
            None => Self::bent(&places[from], &places[to], bends[0], lane),
        }
    }

    /// Returns a curve between the centres of two boxes, clipped at their borders.
    fn bent(from: &Rect, to: &Rect, bend: f64, lane: f64) -> Self {
        let (a, b) = (from.middle(), to.middle());
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        // The lane is to the left of the arrow's direction, so that arrows in opposite directions do not overlap.
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

/// Returns the parameter at which a curve leaves a box. `inside` and `outside` are parameters inside and outside the
/// box.
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

/// Returns the arrow head, and shortens the line so that it ends at the back of the head.
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

/// Returns the label position with the least overlap.
fn label(index: usize, width: f64, routes: &[Route], places: &[Rect]) -> (Rect, usize) {
    let route = &routes[index];
    let at = |share: f64, aside: f64| {
        let (x, y) = route.points[(share * (route.points.len() - 1) as f64).round() as usize];
        // Just far enough from the line that the label touches it.
        let reach = aside * (route.left.0.abs() * width + route.left.1.abs() * LABEL_HEIGHT) / 2.0;
        Rect::around((x + route.left.0 * reach, y + route.left.1 * reach), width + 4.0, LABEL_HEIGHT)
    };
    let all = ASIDE.iter().flat_map(|aside| STATIONS.map(|share| at(share, *aside)));
    let crowd = |rect: &Rect| {
        let boxes = places.iter().filter(|place| place.grown(2.0).meets(rect)).count();
        let labels = routes[..index].iter().filter(|other| other.label.meets(rect)).count();
        let others = routes.iter().enumerate().filter(|(i, _)| *i != index);
        let lines =
            others.filter(|(_, other)| other.points.iter().any(|p| rect.grown(3.0).holds(*p))).count();
        50 * boxes + 20 * labels + lines
    };
    let (first, last) = (route.points[0], route.head[0]);
    let (wide, high) = ((last.0 - first.0).abs(), (last.1 - first.1).abs());
    // True if the label would hide too much of the arrow.
    let is_hidden = wide < width + MIN_VISIBLE && high < LABEL_HEIGHT + MIN_VISIBLE;
    let best = all.map(|rect| (crowd(&rect), rect)).min_by_key(|(crowd, _)| *crowd);
    best.map_or((route.label, 0), |(crowd, rect)| (rect, crowd + 20 * usize::from(is_hidden)))
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

    /// Returns the outline of the rectangle with round corners.
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
