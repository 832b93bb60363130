//! The surface of a signed distance field as triangles: surface nets, drawn tight.
//!
//! Each cell of a grid that the surface passes gets a vertex for each piece of surface in it, and each edge
//! of the grid that the surface cuts gets a quad between the cells around it. Then the vertices even out and
//! slide onto the surface along its gradient, which gives their normals, too. The field is asked only near
//! the surface.

use glam::Vec3;

/// Positions, normals, and triangles that wind anticlockwise seen from outside.
pub(crate) type Net = (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>);

/// A signed distance, negative inside.
pub(crate) type Field<'a> = &'a dyn Fn(Vec3) -> f32;

/// How many cells a block has along each axis; a block far from the surface is asked once.
const BLOCK: usize = 4;
/// How much a field may change, in metres a metre.
const STEEPEST: f32 = 1.5;
/// How often vertices move towards the middle of their neighbours.
const EVENINGS: usize = 2;
/// Over which distance gradients are taken, in metres.
const NEARBY: f32 = 4e-4;

/// The surface of a field within bounds, by cells of a size of their own along each axis.
///
/// The bounds must hold all of the surface with a cell to spare; what reaches beyond is cut off.
pub(crate) fn surface(field: Field<'_>, bounds: [Vec3; 2], cell: Vec3) -> Net {
    let axis = |k: usize| lines(&[(bounds[0][k], bounds[1][k], cell[k])]);
    surface_on(field, [axis(0), axis(1), axis(2)])
}

/// The planes of a grid along one axis: stretches from, to, and with about which step. Each stretch begins
/// where the one before it ends.
pub(crate) fn lines(stretches: &[(f32, f32, f32)]) -> Vec<f32> {
    let mut planes = vec![stretches[0].0];
    for &(from, to, step) in stretches {
        let count = ((to - from) / step).ceil().max(1.0);
        planes.extend((1..=count as usize).map(|i| from + (to - from) * i as f32 / count));
    }
    planes
}

/// The surface of a field over a grid whose planes are given along each axis.
pub(crate) fn surface_on(field: Field<'_>, planes: [Vec<f32>; 3]) -> Net {
    let grid = Grid::sampled(field, planes);
    let (mut positions, first) = grid.vertices();
    let quads = grid.quads(&first);
    let reach = grid.smallest_step();
    for _ in 0..EVENINGS {
        even_out(&mut positions, &quads);
        positions.iter_mut().for_each(|p| *p = towards_surface(field, *p, reach));
    }
    for p in &mut positions {
        *p = towards_surface(field, *p, reach);
    }
    let mut normals: Vec<Vec3> =
        positions.iter().map(|p| gradient(field, *p).normalize_or(Vec3::Y)).collect();
    // A normal that speaks for half a cell around shades more calmly than one that is exact at a point.
    even_out(&mut normals, &quads);
    normals.iter_mut().for_each(|n| *n = n.normalize_or(Vec3::Y));
    let triangles = quads.iter().flat_map(|quad| halves(&positions, *quad)).collect();
    (positions, normals, triangles)
}

/// One of Newton's steps, no longer than `reach`.
fn towards_surface(field: Field<'_>, p: Vec3, reach: f32) -> Vec3 {
    let here = field(p);
    let ahead = |axis: Vec3| (field(p + axis * NEARBY) - here) / NEARBY;
    let slope = Vec3::new(ahead(Vec3::X), ahead(Vec3::Y), ahead(Vec3::Z));
    p - (slope * (here / slope.length_squared().max(1e-6))).clamp_length_max(reach)
}

/// Which way the field grows, by differences at the corners of a tetrahedron.
fn gradient(field: Field<'_>, p: Vec3) -> Vec3 {
    const CORNERS: [Vec3; 4] = [
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];
    CORNERS.iter().map(|&c| c * field(p + c * NEARBY)).sum::<Vec3>() / (4.0 * NEARBY)
}

/// Moves each vertex half of the way to the middle of those that it shares an edge with.
fn even_out(positions: &mut [Vec3], quads: &[[u32; 4]]) {
    let mut sums = vec![(Vec3::ZERO, 0.0); positions.len()];
    for quad in quads {
        for k in 0..4 {
            let (own, next) = (quad[k] as usize, quad[(k + 1) % 4] as usize);
            // The other quad at this edge sees it from the other side and adds the reverse.
            sums[own].0 += positions[next];
            sums[own].1 += 1.0;
        }
    }
    for (p, (sum, count)) in positions.iter_mut().zip(sums) {
        *p = p.lerp(sum / f32::max(count, 1.0), 0.5);
    }
}

/// A quad as two triangles, cut along its shorter diagonal.
fn halves(positions: &[Vec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let apart = |i: u32, j: u32| positions[i as usize].distance_squared(positions[j as usize]);
    if apart(a, c) <= apart(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

/// The field at the crossings of the grid's planes.
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
        // The cells that its corners are part of reach one plane further on either side.
        let low = self.place(start.map(|i| i.saturating_sub(1)));
        let high = self.place(std::array::from_fn(|k| (start[k] + BLOCK).min(size[k] - 1)));
        let middle = field((low + high) * 0.5);
        let far = middle.abs() > STEEPEST * low.distance(high) * 0.5;
        let end: [usize; 3] = std::array::from_fn(|k| (start[k] + BLOCK).min(size[k]));
        for z in start[2]..end[2] {
            for y in start[1]..end[1] {
                for x in start[0]..end[0] {
                    let rim = [x, y, z].iter().zip(size).any(|(&i, n)| i == 0 || i == n - 1);
                    let value = if far { middle } else { field(self.place([x, y, z])) };
                    let index = self.index([x, y, z]);
                    // Outside at the rim, so that the surface is always closed.
                    self.values[index] = if rim { value.max(1e-6) } else { value };
                }
            }
        }
    }

    fn inside(&self, at: [usize; 3]) -> bool {
        self.values[self.index(at)] < 0.0
    }

    /// Which corners of a cell are inside, a bit each.
    fn mask(&self, cell: [usize; 3]) -> usize {
        (0..8).map(|corner| usize::from(self.inside(corner_of(cell, corner))) << corner).sum()
    }

    /// The vertices, and for each cell the number of its first one.
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

    /// Adds a vertex for each piece of surface in a cell: the middle of the crossings at its edges.
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

    /// A quad for each edge of the grid that the surface cuts.
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
        // Edges that start at the rim cut nothing but the cells beside them.
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

/// A corner of a cell: bit 0 is further along x, bit 1 along y, bit 2 along z.
fn corner_of(cell: [usize; 3], corner: usize) -> [usize; 3] {
    std::array::from_fn(|k| cell[k] + (corner >> k & 1))
}

/// The number of the edge along an axis from a corner.
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

/// Which piece of surface cuts which edge of a cell.
struct Pieces {
    of_edge: [u8; 12],
    count: usize,
}

/// The pieces for a cell whose inside corners are the bits of `mask`.
///
/// On a face whose corners alternate each inside corner is cut off by itself. Both cells at that face see it
/// the same way, so that the surface stays closed.
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

/// Pairs of edges of one face that a line of the surface joins.
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
        assert!(!triangles.is_empty(), "{what}: there is a surface");
        let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
        for t in triangles {
            for k in 0..3 {
                *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &edges {
            assert_eq!(count, 1, "{what}: edge {a}-{b} is part of one triangle a side");
            assert_eq!(edges.get(&(b, a)), Some(&1), "{what}: edge {a}-{b} has another side");
        }
        for (p, n) in positions.iter().zip(normals) {
            assert!(field(*p).abs() < 1e-4, "{what}: {p} is {} from the surface", field(*p));
            assert!((n.length() - 1.0).abs() < 1e-4, "{what}: a normal has length one");
        }
        for t in triangles {
            let [a, b, c] = t.map(|i| positions[i as usize]);
            let face = (b - a).cross(c - a);
            let out: Vec3 = t.iter().map(|&i| normals[i as usize]).sum();
            assert!(face.dot(out) >= 0.0, "{what}: triangle {t:?} faces outwards");
        }
        net
    }

    #[test]
    fn surfaces_are_closed_face_outwards_and_lie_where_the_field_is_zero() {
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
            assert!(edges.iter().all(|(&(a, b), n)| edges.get(&(b, a)) == Some(n)), "closed with gap {gap}");
        }
    }

    #[test]
    fn the_field_is_hardly_asked_far_from_the_surface() {
        let asked = std::cell::Cell::new(0);
        let field = |p: Vec3| {
            asked.set(asked.get() + 1);
            sphere(p, Vec3::ZERO, 0.1)
        };
        Grid::sampled(&field, [(); 3].map(|()| lines(&[(-1.0, 1.0, 0.02)])));
        assert!(asked.get() < 101 * 101 * 101 / 10, "asked {} times", asked.get());
    }
}
