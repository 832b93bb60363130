//! Renders a face from the front: which surface is visible at each point of a small grid.
//!
//! Lids and eyes are modelled in too many ways to distinguish them by their vertices: a rim that closes, a lash that
//! slides over a painted eye, an eye that is squeezed flat or pulled into the head. In all cases the visible part of
//! the eye shrinks. So the eye is rendered, and only visibility is used.

use glam::{Vec2, Vec3};
use std::ops::Range;

/// Size of the grid. Lids move up and down, so rows are finer than columns.
const COLUMNS: usize = 32;
const ROWS: usize = 128;
const PIXELS: usize = COLUMNS * ROWS;
/// Tolerance so that rounding leaves no gap between neighbouring triangles.
const ALMOST: f32 = 1e-5;
/// Marks a point at which nothing is visible.
pub(super) const NOTHING: u32 = u32::MAX;

/// A triangle: its corners, and the surface it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    pub(super) surface: u32,
    pub(super) has_back: bool,
}

/// The rendered part of the face.
#[derive(Debug)]
pub(super) struct View {
    low: Vec2,
    /// Grid cells per metre.
    scale: Vec2,
    depth: Vec<f32>,
    seen: Vec<u32>,
}

/// Number of points that may still be tested. It limits the cost of malicious files.
#[derive(Debug)]
pub(super) struct PointBudget(pub(super) usize);

impl View {
    /// Creates a view of a box; `None` if the box is empty.
    pub(super) fn new(low: Vec2, high: Vec2) -> Option<Self> {
        let size = high - low;
        let scale = Vec2::new(COLUMNS as f32, ROWS as f32) / size;
        let is_sane = size.min_element() > 0.0 && scale.is_finite() && low.is_finite();
        is_sane.then(|| Self { low, scale, depth: vec![0.0; PIXELS], seen: vec![NOTHING; PIXELS] })
    }

    /// Renders the triangles along −Z and returns the surface visible at each grid point; `None` if the budget is
    /// used up.
    pub(super) fn render(
        &mut self,
        places: &[Vec3],
        triangles: &[Triangle],
        budget: &mut PointBudget,
    ) -> Option<&[u32]> {
        self.depth.fill(f32::NEG_INFINITY);
        self.seen.fill(NOTHING);
        for triangle in triangles {
            let [Some(a), Some(b), Some(c)] = triangle.corners.map(|i| places.get(i as usize)) else {
                continue;
            };
            self.draw([*a, *b, *c].map(|p| self.on_grid(p)), triangle, budget)?;
        }
        Some(&self.seen)
    }

    fn on_grid(&self, place: Vec3) -> Vec3 {
        ((place.truncate() - self.low) * self.scale).extend(place.z)
    }

    fn draw(&mut self, [a, b, c]: [Vec3; 3], triangle: &Triangle, budget: &mut PointBudget) -> Option<()> {
        let area = cross(b - a, c - a);
        let faces_us = area > 0.0 || triangle.has_back && area < 0.0;
        if !faces_us || !(a + b + c).is_finite() {
            return Some(());
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (columns, rows) = (covered(low.x, high.x, COLUMNS), covered(low.y, high.y, ROWS));
        budget.0 = budget.0.checked_sub(1 + columns.len() * rows.len())?;
        if columns.is_empty() || rows.is_empty() {
            return Some(());
        }
        // The barycentric coordinates, and so the depth, are linear along a row.
        let share = |from: Vec3, to: Vec3| Linear::share(from, to, area);
        let shares = [share(b, c), share(c, a), share(a, b)];
        let depth = shares[0] * a.z + shares[1] * b.z + shares[2] * c.z;
        for row in rows {
            let mut inside = columns.clone();
            for share in &shares {
                inside = share.clip(inside, row);
            }
            for column in inside {
                let (depth, place) = (depth.at(column, row), row * COLUMNS + column);
                if depth > self.depth[place] {
                    self.depth[place] = depth;
                    self.seen[place] = triangle.surface;
                }
            }
        }
        Some(())
    }
}

/// A number that changes linearly over the grid.
#[derive(Clone, Copy, Debug)]
struct Linear {
    start: f32,
    by_column: f32,
    by_row: f32,
}

impl Linear {
    /// Returns the barycentric coordinate of a corner: 1 at the corner, 0 on the opposite edge.
    fn share(from: Vec3, to: Vec3, area: f32) -> Self {
        let along = (to - from) / area;
        let middle = Vec3::splat(0.5) - from;
        Self { start: cross(along, middle), by_column: -along.y, by_row: along.x }
    }

    fn at(self, column: usize, row: usize) -> f32 {
        self.start + self.by_column * column as f32 + self.by_row * row as f32
    }

    /// Returns the columns of a row in which the number is not negative.
    fn clip(self, columns: Range<usize>, row: usize) -> Range<usize> {
        let first = self.at(0, row) + ALMOST;
        let zero = -first / self.by_column;
        if self.by_column > 0.0 {
            columns.start.max(round_up(zero))..columns.end
        } else if self.by_column < 0.0 {
            columns.start..columns.end.min(if zero < 0.0 { 0 } else { (zero as usize).saturating_add(1) })
        } else {
            columns.start..if first >= 0.0 { columns.end } else { columns.start }
        }
    }
}

/// Rounds up to a whole number. (The cast saturates.)
fn round_up(number: f32) -> usize {
    let whole = number as usize;
    whole.saturating_add(usize::from((whole as f32) < number))
}

impl std::ops::Mul<f32> for Linear {
    type Output = Self;

    fn mul(self, by: f32) -> Self {
        Self { start: self.start * by, by_column: self.by_column * by, by_row: self.by_row * by }
    }
}

impl std::ops::Add for Linear {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            start: self.start + other.start,
            by_column: self.by_column + other.by_column,
            by_row: self.by_row + other.by_row,
        }
    }
}

fn cross(a: Vec3, b: Vec3) -> f32 {
    a.x * b.y - a.y * b.x
}

/// Returns the cells whose centres lie between two numbers.
fn covered(low: f32, high: f32, count: usize) -> Range<usize> {
    let last = high - 0.5;
    let end = if last < 0.0 { 0 } else { (last as usize).saturating_add(1).min(count) };
    round_up(low - 0.5).min(end)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(z: f32, size: f32) -> [Vec3; 4] {
        [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size)].map(|(x, y)| Vec3::new(x, y, z))
    }

    fn share_of(surface: u32, places: &[Vec3], triangles: &[Triangle]) -> f32 {
        let mut view = View::new(Vec2::ZERO, Vec2::ONE).unwrap();
        let seen = view.render(places, triangles, &mut PointBudget(usize::MAX)).unwrap();
        seen.iter().filter(|s| **s == surface).count() as f32 / PIXELS as f32
    }

    fn both(first: u32, surface: u32) -> [Triangle; 2] {
        [[0, 1, 2], [0, 2, 3]].map(|corners: [u32; 3]| Triangle {
            corners: corners.map(|c| c + first),
            surface,
            has_back: false,
        })
    }

    #[test]
    fn front_surfaces_hide_those_behind() {
        let places = [square(0.0, 1.0), square(0.1, 0.5)].concat();
        let triangles = [both(4, 1), both(0, 0)].concat();
        assert_eq!(share_of(1, &places, &triangles), 0.25);
        assert_eq!(share_of(0, &places, &triangles), 0.75);
    }

    #[test]
    fn a_surface_is_visible_from_behind_only_if_double_sided() {
        let mut triangles = both(0, 0).map(|mut t| {
            t.corners.reverse();
            t
        });
        assert_eq!(share_of(0, &square(0.0, 1.0), &triangles), 0.0);
        triangles.iter_mut().for_each(|t| t.has_back = true);
        assert_eq!(share_of(0, &square(0.0, 1.0), &triangles), 1.0);
    }

    #[test]
    fn invalid_triangles_are_ignored() {
        for bad in [f32::NAN, f32::INFINITY, 3e38, -3e38] {
            let mut places = square(0.0, 1.0);
            places[2].x = bad;
            let triangles = [both(0, 0), both(70, 1)].concat();
            assert_eq!(share_of(1, &places, &triangles), 0.0);
        }
        assert!(View::new(Vec2::ZERO, Vec2::new(1.0, 0.0)).is_none());
        assert!(View::new(Vec2::ZERO, Vec2::NAN).is_none());
    }

    #[test]
    fn the_budget_ends() {
        let mut view = View::new(Vec2::ZERO, Vec2::ONE).unwrap();
        let looked = view.render(&square(0.0, 1.0), &both(0, 0), &mut PointBudget(PIXELS + 1));
        assert!(looked.is_none());
    }
}
