//! Triangulates the surface of a signed distance field with surface nets.
//!
//! If the surface crosses a grid cell, the cell gets a vertex for each piece of surface in it. If the surface crosses
//! a grid edge, a quad connects the cells around the edge. Then the vertices are smoothed and moved onto the surface
//! along the gradient of the field, which also gives their normals. The field is only evaluated near the surface.

use glam::Vec3;

/// Positions, normals, and triangles that are anticlockwise when seen from outside.
pub(crate) type Net = (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>);

/// A signed distance, negative inside.
pub(crate) type Field<'a> = &'a dyn Fn(Vec3) -> f32;

/// Cells per block along each axis. A block far from the surface is evaluated only once.
const BLOCK: usize = 4;
/// Maximum gradient of a field, in metres per metre.
const MAX_GRADIENT: f32 = 1.5;
/// Number of smoothing passes.
const SMOOTHING_PASSES: usize = 2;
/// Step for finite differences, in metres.
const DIFFERENCE_STEP: f32 = 4e-4;

/// Triangulates a field within bounds, with a cell size in metres for each axis.
///
/// The bounds must contain the whole surface, with a margin of one cell. Parts outside the bounds are cut off.
pub(crate) fn surface(field: Field<'_>, bounds: [Vec3; 2], cell: Vec3) -> Net {
    let axis = |k: usize| lines(&[(bounds[0][k], bounds[1][k], cell[k])]);
    surface_on(field, [axis(0), axis(1), axis(2)])
}

/// Returns the grid planes along one axis. Each range has a start, an end and an approximate step, and starts where
/// the previous range ends.
pub(crate) fn lines(stretches: &[(f32, f32, f32)]) -> Vec<f32> {
    let mut planes = vec![stretches[0].0];
    for &(from, to, step) in stretches {
        let count = ((to - from) / step).ceil().max(1.0);
        planes.extend((1..=count as usize).map(|i| from + (to - from) * i as f32 / count));
    }
    planes
}

/// Triangulates a field over a grid with given planes along each axis.
pub(crate) fn surface_on(field: Field<'_>, planes: [Vec<f32>; 3]) -> Net {
    let grid = Grid::sampled(field, planes);
    let (mut positions, first) = grid.vertices();
    let quads = grid.quads(&first);
    let reach = grid.smallest_step();
    for _ in 0..SMOOTHING_PASSES {
        smooth(&mut positions, &quads);
        positions.iter_mut().for_each(|p| *p = towards_surface(field, *p, reach));
    }
    for p in &mut positions {
        *p = towards_surface(field, *p, reach);
    }
    let mut normals: Vec<Vec3> =
        positions.iter().map(|p| gradient(field, *p).normalize_or(Vec3::Y)).collect();
    // Normals that are averaged over half a cell give smoother shading than exact normals.
    smooth(&mut normals, &quads);
    normals.iter_mut().for_each(|n| *n = n.normalize_or(Vec3::Y));
    let triangles = quads.iter().flat_map(|quad| halves(&positions, *quad)).collect();
    (positions, normals, triangles)
}

/// Makes one Newton step towards the surface, no longer than `reach`.
fn towards_surface(field: Field<'_>, p: Vec3, reach: f32) -> Vec3 {
    let here = field(p);
    let ahead = |axis: Vec3| (field(p + axis * DIFFERENCE_STEP) - here) / DIFFERENCE_STEP;
    let slope = Vec3::new(ahead(Vec3::X), ahead(Vec3::Y), ahead(Vec3::Z));
    p - (slope * (here / slope.length_squared().max(1e-6))).clamp_length_max(reach)
}

/// The gradient of the field, from differences at the corners of a tetrahedron.
fn gradient(field: Field<'_>, p: Vec3) -> Vec3 {
    const CORNERS: [Vec3; 4] = [
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];
    CORNERS.iter().map(|&c| c * field(p + c * DIFFERENCE_STEP)).sum::<Vec3>() / (4.0 * DIFFERENCE_STEP)
}

/// Moves each vertex halfway to the middle of its neighbours.
fn smooth(positions: &mut [Vec3], quads: &[[u32; 4]]) {
    let mut sums = vec![(Vec3::ZERO, 0.0); positions.len()];
    for quad in quads {
        for k in 0..4 {
            let (own, next) = (quad[k] as usize, quad[(k + 1) % 4] as usize);
            // The neighbouring quad traverses this edge in the opposite direction, so each edge counts once for both
            // of its vertices.
            sums[own].0 += positions[next];
            sums[own].1 += 1.0;
        }
    }
    for (p, (sum, count)) in positions.iter_mut().zip(sums) {
        *p = p.lerp(sum / f32::max(count, 1.0), 0.5);
    }
}

/// Divides a quad into two triangles along its shorter diagonal.
fn halves(positions: &[Vec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let apart = |i: u32, j: u32| positions[i as usize].distance_squared(positions[j as usize]);
    if apart(a, c) <= apart(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

/// The field at the grid points.
struct Grid {
    planes: [Vec<f32>; 3],
    values: Vec<f32>,
    pieces: Vec<Pieces>,
}

impl Grid {
    fn sampled(field: Field<'_>, planes: [Vec<f32>; 3]) -> Self {
        let count = planes.iter().map(Vec::len).product();
        let mut grid = Self { planes, values: vec![0.0; count], pieces: (0..256).map(pieces).collect() };
        let [nx, ny, nz] = grid.size();
        for z in (0..nz).step_by(BLOCK) {
            for y in (0..ny).step_by(BLOCK) {
                for x in (0..nx).step_by(BLOCK) {
                    grid.sample_block(field, [x, y, z]);
                }
            }
        }
        grid
    }

    fn size(&self) -> [usize; 3] {
        [self.planes[0].len(), self.planes[1].len(), self.planes[2].len()]
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.planes[1].len() + y) * self.planes[0].len() + x
    }

    fn place(&self, at: [usize; 3]) -> Vec3 {
        Vec3::new(self.planes[0][at[0]], self.planes[1][at[1]], self.planes[2][at[2]])
    }

    fn smallest_step(&self) -> f32 {
        let steps = self.planes.iter().flat_map(|axis| axis.windows(2).map(|w| w[1] - w[0]));
        steps.fold(f32::INFINITY, f32::min)
    }

    fn sample_block(&mut self, field: Field<'_>, start: [usize; 3]) {
        let size = self.size();
        // The cells at the corners of the block extend one plane further on either side.
        let low = self.place(start.map(|i| i.saturating_sub(1)));
        let high = self.place(std::array::from_fn(|k| (start[k] + BLOCK).min(size[k] - 1)));
        let middle = field((low + high) * 0.5);
        let far = middle.abs() > MAX_GRADIENT * low.distance(high) * 0.5;
        let end: [usize; 3] = std::array::from_fn(|k| (start[k] + BLOCK).min(size[k]));
        for z in start[2]..end[2] {
            for y in start[1]..end[1] {
                for x in start[0]..end[0] {
                    let rim = [x, y, z].iter().zip(size).any(|(&i, n)| i == 0 || i == n - 1);
                    let value = if far { middle } else { field(self.place([x, y, z])) };
                    let index = self.index([x, y, z]);
                    // Values at the border are positive (outside), so that the surface is always closed.
                    self.values[index] = if rim { value.max(1e-6) } else { value };
                }
            }
        }
    }

    fn inside(&self, at: [usize; 3]) -> bool {
        self.values[self.index(at)] < 0.0
    }

    /// Returns a bit mask of the corners of a cell that are inside the surface.
    fn mask(&self, cell: [usize; 3]) -> usize {
        (0..8).map(|corner| usize::from(self.inside(corner_of(cell, corner))) << corner).sum()
    }

    /// Returns the vertices, and the index of the first vertex of each cell.
    fn vertices(&self) -> (Vec<Vec3>, Vec<u32>) {
        let [nx, ny, nz] = self.size();
        let mut positions = Vec::new();
        let mut first = vec![u32::MAX; self.values.len()];
        for z in 0..nz - 1 {
            for y in 0..ny - 1 {
                for x in 0..nx - 1 {
                    let mask = self.mask([x, y, z]);
                    if mask != 0 && mask != 255 {
                        first[self.index([x, y, z])] = positions.len() as u32;
                        self.cell_vertices([x, y, z], mask, &mut positions);
                    }
                }
            }
        }
        (positions, first)
    }

    /// Adds a vertex for each piece of surface in a cell: the mean of the crossings at its edges.
    fn cell_vertices(&self, cell: [usize; 3], mask: usize, positions: &mut Vec<Vec3>) {
        let pieces = &self.pieces[mask];
        let mut sums = [(Vec3::ZERO, 0.0); 4];
        for (edge, &piece) in pieces.of_edge.iter().enumerate().filter(|(_, piece)| **piece != NONE) {
            let [a, b] = edge_corners(edge).map(|corner| corner_of(cell, corner));
            let [at_a, at_b] = [a, b].map(|at| self.values[self.index(at)]);
            let sum = &mut sums[usize::from(piece)];
            sum.0 += self.place(a).lerp(self.place(b), at_a / (at_a - at_b));
            sum.1 += 1.0;
        }
        positions.extend(sums[..pieces.count].iter().map(|(sum, count)| *sum / *count));
    }

    /// Returns a quad for each grid edge that the surface crosses.
    fn quads(&self, first: &[u32]) -> Vec<[u32; 4]> {
        let [nx, ny, nz] = self.size();
        let mut quads = Vec::new();
        for z in 1..nz - 1 {
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    for axis in 0..3 {
                        quads.extend(self.quad(first, [x, y, z], axis));
                    }
                }
            }
        }
        // Edges that start at the border along their own axis were left out above.
        for axis in 0..3 {
            let size = self.size();
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            for i in 1..size[b] - 1 {
                for j in 1..size[c] - 1 {
                    let mut at = [0; 3];
                    (at[b], at[c]) = (i, j);
                    quads.extend(self.quad(first, at, axis));
                }
            }
        }
        quads
    }

    fn quad(&self, first: &[u32], at: [usize; 3], axis: usize) -> Option<[u32; 4]> {
        let mut next = at;
        next[axis] += 1;
        let (from, to) = (self.inside(at), self.inside(next));
        if from == to {
            return None;
        }
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        let vertex = |back_b: usize, back_c: usize| {
            let mut cell = at;
            cell[b] -= back_b;
            cell[c] -= back_c;
            let edge = edge_number(axis, (back_b << b) | (back_c << c));
            let piece = self.pieces[self.mask(cell)].of_edge[edge];
            first[self.index(cell)] + u32::from(piece)
        };
        let [p, q, r, s] = [vertex(1, 1), vertex(0, 1), vertex(0, 0), vertex(1, 0)];
        Some(if from { [p, q, r, s] } else { [s, r, q, p] })
    }
}

/// Returns a corner of a cell. If bit 0, 1 or 2 of `corner` is set, the corner is further along x, y or z.
fn corner_of(cell: [usize; 3], corner: usize) -> [usize; 3] {
    std::array::from_fn(|k| cell[k] + (corner >> k & 1))
}

/// Returns the number of the edge that starts at a corner and goes along an axis.
fn edge_number(axis: usize, corner: usize) -> usize {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    axis * 4 + (corner >> b & 1) + 2 * (corner >> c & 1)
}

fn edge_corners(edge: usize) -> [usize; 2] {
    let axis = edge / 4;
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = ((edge & 1) << b) | ((edge >> 1 & 1) << c);
    [corner, corner | 1 << axis]
}

const NONE: u8 = u8::MAX;

/// The piece of surface that crosses each edge of a cell.
struct Pieces {
    of_edge: [u8; 12],
    count: usize,
}

/// Returns the pieces for a cell whose inside corners are the bits of `mask`.
///
/// On a face with alternating corners, each inside corner is cut off separately. Both cells at this face give the
/// same result, so the surface stays closed.
fn pieces(mask: usize) -> Pieces {
    let mut group: [usize; 12] = std::array::from_fn(|edge| edge);
    let mut link = |a: usize, b: usize| {
        let (from, to) = (group[a], group[b]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    };
    for axis in 0..3 {
        for level in 0..2 {
            face_links(mask, axis, level).into_iter().flatten().for_each(|[a, b]| link(a, b));
        }
    }
    let mut pieces = Pieces { of_edge: [NONE; 12], count: 0 };
    let cut = |edge: usize| edge_corners(edge).map(|c| mask >> c & 1).iter().sum::<usize>() == 1;
    for edge in (0..12).filter(|e| cut(*e)) {
        let known = (0..edge).find(|e| group[*e] == group[edge] && pieces.of_edge[*e] != NONE);
        pieces.of_edge[edge] = known.map_or(pieces.count as u8, |e| pieces.of_edge[e]);
        pieces.count += usize::from(known.is_none());
    }
    pieces
}

/// Returns the pairs of edges of a face that are connected by a line of the surface.
fn face_links(mask: usize, axis: usize, level: usize) -> [Option<[usize; 2]>; 2] {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |i: usize, j: usize| (level << axis) | (i << b) | (j << c);
    let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    let edge = |k: usize| {
        let [from, to] = [ring[k % 4], ring[(k + 1) % 4]];
        edge_number((from ^ to).trailing_zeros() as usize, from & to)
    };
    let inside = |k: usize| mask >> ring[k % 4] & 1 == 1;
    let cut: Vec<usize> = (0..4).filter(|&k| inside(k) != inside(k + 1)).collect();
    match cut[..] {
        [a, b] => [Some([edge(a), edge(b)]), None],
        [_, _, _, _] => {
            let one = usize::from(!inside(0));
            [Some([edge(one + 3), edge(one)]), Some([edge(one + 1), edge(one + 2)])]
        }
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::{capsule, sphere, union};
    use super::*;
    use std::collections::HashMap;

    fn check(field: Field<'_>, bounds: [Vec3; 2], cell: Vec3, what: &str) -> Net {
        let net = surface(field, bounds, cell);
        let (positions, normals, triangles) = &net;
        assert!(!triangles.is_empty(), "{what}: the surface must not be empty");
        let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
        for t in triangles {
            for k in 0..3 {
                *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &edges {
            assert_eq!(count, 1, "{what}: edge {a}-{b} must have one triangle per side");
            assert_eq!(edges.get(&(b, a)), Some(&1), "{what}: edge {a}-{b} must have another side");
        }
        for (p, n) in positions.iter().zip(normals) {
            assert!(field(*p).abs() < 1e-4, "{what}: {p} is {} from the surface", field(*p));
            assert!((n.length() - 1.0).abs() < 1e-4, "{what}: normals must have length 1");
        }
        for t in triangles {
            let [a, b, c] = t.map(|i| positions[i as usize]);
            let face = (b - a).cross(c - a);
            let out: Vec3 = t.iter().map(|&i| normals[i as usize]).sum();
            assert!(face.dot(out) >= 0.0, "{what}: triangle {t:?} must face outwards");
        }
        net
    }

    #[test]
    fn surfaces_are_closed_oriented_and_exact() {
        let bounds = [Vec3::splat(-0.3), Vec3::splat(0.3)];
        let ball = |p: Vec3| sphere(p, Vec3::ZERO, 0.2);
        let (_, _, triangles) = check(&ball, bounds, Vec3::splat(0.03), "ball");
        assert!((600..2400).contains(&triangles.len()), "{} triangles", triangles.len());
        check(&ball, bounds, Vec3::new(0.05, 0.02, 0.03), "ball, cells of three sizes");
        let ends = [Vec3::new(-0.15, -0.1, 0.0), Vec3::new(0.15, 0.1, 0.05)];
        check(&|p| capsule(p, ends, 0.06), bounds, Vec3::splat(0.02), "capsule");
        let two = |p: Vec3| union(ball(p), sphere(p, Vec3::splat(0.13), 0.08), 0.05);
        check(&two, bounds, Vec3::splat(0.02), "two balls");
    }

    #[test]
    fn shapes_that_nearly_touch_stay_apart_and_closed() {
        for gap in [0.0, 0.002, 0.005, 0.01] {
            let field = |p: Vec3| {
                let one = sphere(p, Vec3::new(-0.08 - gap * 0.5, 0.01, 0.0), 0.08);
                one.min(sphere(p, Vec3::new(0.08 + gap * 0.5, 0.0, 0.02), 0.08))
            };
            let net = surface(&field, [Vec3::splat(-0.3), Vec3::splat(0.3)], Vec3::splat(0.02));
            let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
            for t in &net.2 {
                for k in 0..3 {
                    *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
                }
            }
            assert!(
                edges.iter().all(|(&(a, b), n)| edges.get(&(b, a)) == Some(n)),
                "not closed with gap {gap}"
            );
        }
    }

    #[test]
    fn the_field_is_rarely_evaluated_far_from_the_surface() {
        let evaluations = std::cell::Cell::new(0);
        let field = |p: Vec3| {
            evaluations.set(evaluations.get() + 1);
            sphere(p, Vec3::ZERO, 0.1)
        };
        Grid::sampled(&field, [(); 3].map(|()| lines(&[(-1.0, 1.0, 0.02)])));
        assert!(evaluations.get() < 101 * 101 * 101 / 10, "evaluated {} times", evaluations.get());
    }
}
