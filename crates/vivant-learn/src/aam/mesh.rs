//! Triangulation of the points, and rasterization of the template.
//!
//! Each eye is a separate patch: no triangle spans the bridge of the nose. Inside the lids, all triangles meet at the
//! iris. Outside, triangles join the lids to the border. So the lid edges are always edges of the mesh; a Delaunay
//! triangulation would not guarantee this.

use crate::film::layout::{self, BORDERED, EYE_POINTS, IRIS, POINTS, Points};
use glam::DVec2;

/// Indices of three mesh points.
pub(crate) type Triangle = [usize; 3];

/// The points of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mesh {
    /// 42 points: the labelled ones and a border of skin (paper 3, Figure 5 b).
    #[default]
    Bordered,
    /// 18 points: the labelled ones (Figure 5 a).
    Bare,
}

impl Mesh {
    /// Returns the number of points.
    #[must_use]
    pub fn points(self) -> usize {
        match self {
            Self::Bordered => BORDERED,
            Self::Bare => POINTS,
        }
    }

    /// Returns all mesh points for the given labelled points; border points are computed.
    #[must_use]
    pub fn of(self, points: &Points) -> Vec<DVec2> {
        match self {
            Self::Bordered => layout::with_border(points).to_vec(),
            Self::Bare => points.to_vec(),
        }
    }

    /// Returns the triangles.
    pub(crate) fn triangles(self) -> Vec<Triangle> {
        let mut all = Vec::new();
        for eye in 0..2 {
            all.extend(inside(eye));
            if self == Self::Bordered {
                all.extend(skin(eye));
            }
        }
        all
    }
}

/// Number of border points of one eye.
const RING: usize = (BORDERED - POINTS) / 2;
const LIDS: usize = EYE_POINTS - 1;

/// Returns the triangles inside the lids.
fn inside(eye: usize) -> impl Iterator<Item = Triangle> {
    let first = eye * EYE_POINTS;
    (0..LIDS).map(move |lid| [first + IRIS, first + lid, first + (lid + 1) % LIDS])
}

/// Returns the triangles between lids and border. From a corner to the middle of a lid there are two steps along the
/// lid and three along the border.
fn skin(eye: usize) -> impl Iterator<Item = Triangle> {
    let lid = move |step: usize| eye * EYE_POINTS + step % LIDS;
    // The border starts at the inner corner and has the same direction for both eyes, unlike the lids.
    let border = move |step: usize| {
        let step = if eye == 0 { 6 + step } else { 6 + RING - step % RING };
        POINTS + eye * RING + step % RING
    };
    (0..4).flat_map(move |quarter| {
        let (l, b) = (2 * quarter, 3 * quarter);
        [
            [lid(l), border(b), border(b + 1)],
            [lid(l), border(b + 1), lid(l + 1)],
            [lid(l + 1), border(b + 1), border(b + 2)],
            [lid(l + 1), border(b + 2), lid(l + 2)],
            [lid(l + 2), border(b + 2), border(b + 3)],
        ]
    })
}

/// Returns twice the area of a triangle.
pub(crate) fn doubled_area(corners: [DVec2; 3]) -> f64 {
    (corners[1] - corners[0]).perp_dot(corners[2] - corners[0])
}

/// Returns the sum of the triangle areas of a mesh.
pub(crate) fn area(points: &[DVec2], triangles: &[Triangle]) -> f64 {
    triangles.iter().map(|triangle| doubled_area(triangle.map(|at| points[at])).abs() / 2.0).sum()
}

/// A template pixel: position, triangle, and barycentric weights of the second and third corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pixel {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) triangle: u16,
    pub(crate) shares: [f64; 2],
}

/// Maximum width and height of a template in pixels.
pub(crate) const MAX_SIDE: f64 = 4000.0;

/// Rasterizes a mesh, triangle by triangle and row by row. Degenerate triangles have no pixels.
pub(crate) fn pixels(points: &[DVec2], triangles: &[Triangle]) -> Vec<Pixel> {
    let mut taken = std::collections::HashSet::new();
    let mut all = Vec::new();
    for (index, triangle) in triangles.iter().enumerate() {
        let corners = triangle.map(|at| points[at]);
        let found = within(corners).filter(|(x, y, _)| taken.insert((*x, *y)));
        all.extend(found.map(|(x, y, shares)| Pixel { x, y, triangle: index as u16, shares }));
    }
    all
}

fn within(corners: [DVec2; 3]) -> impl Iterator<Item = (u16, u16, [f64; 2])> {
    let low = corners[0].min(corners[1]).min(corners[2]).max(DVec2::ZERO);
    let high = corners[0].max(corners[1]).max(corners[2]).min(DVec2::splat(MAX_SIDE));
    let (columns, rows) = (low.x.ceil() as u16..=high.x as u16, low.y.ceil() as u16..=high.y as u16);
    let area = doubled_area(corners);
    let share = move |x: u16, y: u16| {
        let at = DVec2::new(x.into(), y.into());
        [doubled_area([corners[0], at, corners[2]]) / area, doubled_area([corners[0], corners[1], at]) / area]
    };
    let is_flat = area.abs() < 1e-9;
    rows.filter(move |_| !is_flat)
        .flat_map(move |y| columns.clone().map(move |x| (x, y, share(x, y))))
        .filter(|(_, _, [b, c])| *b >= 0.0 && *c >= 0.0 && b + c <= 1.0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns two open eyes of 40 pixels width.
    pub(crate) fn eyes() -> Points {
        let right =
            [(0., 0.), (10., -6.), (20., -8.), (30., -6.), (40., 0.), (30., 3.), (20., 4.), (10., 3.)];
        std::array::from_fn(|index| {
            let (x, y) = right.get(index % EYE_POINTS).copied().unwrap_or((20.0, -2.0));
            if index < EYE_POINTS { DVec2::new(60.0 + x, 50.0 + y) } else { DVec2::new(180.0 - x, 50.0 + y) }
        })
    }

    #[test]
    fn triangles_cover_each_patch_once() {
        for (mesh, count) in [(Mesh::Bordered, 56), (Mesh::Bare, 16)] {
            let (points, triangles) = (mesh.of(&eyes()), mesh.triangles());
            assert_eq!(triangles.len(), count);
            for eye in triangles.chunks(count / 2) {
                let turns: Vec<bool> =
                    eye.iter().map(|t| doubled_area(t.map(|at| points[at])) > 0.0).collect();
                assert!(turns.iter().all(|turn| *turn == turns[0]), "{mesh:?} folds: {turns:?}");
            }
            let hull = match mesh {
                Mesh::Bordered => 2.0 * 3.0 * 0.85 * 0.6 * 40.0 * 40.0, // a twelve-sided ellipse
                Mesh::Bare => 2.0 * (260.0 + 140.0) * 0.75,
            };
            let covered = area(&points, &triangles);
            assert!((covered - hull).abs() < 0.1 * hull, "{mesh:?}: {covered} of {hull}");
        }
    }

    #[test]
    fn barycentric_weights_give_the_pixel_position() {
        let (points, triangles) = (Mesh::Bordered.of(&eyes()), Mesh::Bordered.triangles());
        let pixels = pixels(&points, &triangles);
        let covered = area(&points, &triangles);
        assert!((pixels.len() as f64 - covered).abs() < 0.02 * covered);
        for pixel in &pixels {
            let [a, b, c] = triangles[usize::from(pixel.triangle)].map(|at| points[at]);
            let at = a + (b - a) * pixel.shares[0] + (c - a) * pixel.shares[1];
            assert!(at.distance(DVec2::new(pixel.x.into(), pixel.y.into())) < 1e-9);
        }
        assert!(pixels.is_sorted_by_key(|pixel| pixel.triangle));
    }

    #[test]
    fn no_triangle_spans_the_nose() {
        let eye_of = |at: usize| if at < POINTS { at / EYE_POINTS } else { (at - POINTS) / RING };
        for triangle in Mesh::Bordered.triangles() {
            assert!(triangle.iter().all(|at| eye_of(*at) == eye_of(triangle[0])), "{triangle:?}");
        }
    }
}
