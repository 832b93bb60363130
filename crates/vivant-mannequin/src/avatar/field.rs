//! Shapes as signed distances: negative inside, positive outside, in metres.
//!
//! A shape is any function from a point to a distance, so shapes are combined by calling other shapes. Distances may
//! be slightly too short or too long; [`surface`](super::surface) tolerates a factor of 1.5.

use glam::{Vec2, Vec3};

/// Returns the signed distance to a sphere.
pub(crate) fn sphere(p: Vec3, centre: Vec3, radius: f32) -> f32 {
    p.distance(centre) - radius
}

/// Returns the signed distance to an ellipsoid along the axes: a first-order approximation, good near the surface.
pub(crate) fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let scaled = (p - centre) / radii;
    let steep = (scaled / radii).length();
    let far = scaled.length();
    if steep < 1e-9 { -radii.min_element() } else { far * (far - 1.0) / steep }
}

/// Returns the signed distance to an ellipse in the plane, approximated like [`ellipsoid`].
pub(crate) fn ellipse(p: Vec2, radii: Vec2) -> f32 {
    let scaled = p / radii;
    let steep = (scaled / radii).length();
    let far = scaled.length();
    if steep < 1e-9 { -radii.min_element() } else { far * (far - 1.0) / steep }
}

/// Returns the signed distance to a shape between an ellipse and a rectangle in the plane: two thirds of an ellipse and
/// one third of a curve of degree four.
pub(crate) fn squircle(p: Vec2, radii: Vec2) -> f32 {
    let scaled = (p / radii).abs();
    let square = scaled * scaled;
    let round = square.element_sum().sqrt().max(1e-6);
    let flat = square.length_squared().sqrt().sqrt().max(1e-6);
    let steep = (scaled * 2.0 / round + square * scaled / (flat * flat * flat)) / radii;
    (2.0 * round + flat - 3.0) / steep.length().max(1e-6)
}

/// Returns the position of a point along a line segment, from 0 at its start to 1 at its end.
pub(crate) fn along(p: Vec3, [a, b]: [Vec3; 2]) -> f32 {
    let way = b - a;
    ((p - a).dot(way) / way.length_squared()).clamp(0.0, 1.0)
}

/// Returns the signed distance to a line segment with this radius and round ends.
pub(crate) fn capsule(p: Vec3, ends: [Vec3; 2], radius: f32) -> f32 {
    taper(p, ends, [radius, radius])
}

/// Returns the signed distance to a line segment with round ends and a different radius at each end.
pub(crate) fn taper(p: Vec3, [a, b]: [Vec3; 2], [at_a, at_b]: [f32; 2]) -> f32 {
    let t = along(p, [a, b]);
    p.distance(a + (b - a) * t) - (at_a + (at_b - at_a) * t)
}

/// Returns the signed distance to the union of two shapes, with a fillet that starts where their distances differ by
/// less than `soft`.
pub(crate) fn union(a: f32, b: f32, soft: f32) -> f32 {
    let near = (soft - (a - b).abs()).max(0.0);
    a.min(b) - near * near / (4.0 * soft)
}

/// Returns the signed distance to the intersection of two shapes, with a fillet as in [`union`].
pub(crate) fn intersection(a: f32, b: f32, soft: f32) -> f32 {
    -union(-a, -b, soft)
}

/// Returns the signed distance to the first shape without the second one, with a fillet as in [`union`].
pub(crate) fn subtraction(a: f32, b: f32, soft: f32) -> f32 {
    intersection(a, -b, soft)
}

/// Returns a smooth step from 0 at `from` to 1 at `to`. `to` may be smaller than `from`.
pub(crate) fn ramp(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns 1 at the middle, and 0 at a distance of `half` or more.
pub(crate) fn bump(x: f32, middle: f32, half: f32) -> f32 {
    ramp(half, 0.0, (x - middle).abs())
}

/// Interpolates a table of values at ascending positions; the curve never overshoots.
pub(crate) fn profile<const N: usize>(table: &[(f32, [f32; N])], x: f32) -> [f32; N] {
    let next = table.iter().position(|row| row.0 > x).unwrap_or(table.len());
    if next == 0 || next == table.len() {
        return table[next.saturating_sub(1)].1;
    }
    let (row, after) = (table[next - 1], table[next]);
    let (span, t) = (after.0 - row.0, (x - row.0) / (after.0 - row.0));
    std::array::from_fn(|k| {
        let rise = (after.1[k] - row.1[k]) / span;
        let before = next.checked_sub(2).map(|i| slope(table[i], row, k));
        let beyond = table.get(next + 1).map(|&r| slope(after, r, k));
        let tangents = [mean(before, rise), mean(beyond, rise)].map(|m| m * span);
        hermite([row.1[k], after.1[k]], tangents, t)
    })
}

fn slope<const N: usize>(a: (f32, [f32; N]), b: (f32, [f32; N]), k: usize) -> f32 {
    (b.1[k] - a.1[k]) / (b.0 - a.0)
}

/// Returns the harmonic mean of two slopes, which keeps a curve between its values. Returns 0 at a turning point.
fn mean(neighbour: Option<f32>, rise: f32) -> f32 {
    match neighbour {
        None => rise,
        Some(other) if other * rise <= 0.0 => 0.0,
        Some(other) => 2.0 * other * rise / (other + rise),
    }
}

fn hermite([a, b]: [f32; 2], [out_tangent, in_tangent]: [f32; 2], t: f32) -> f32 {
    let s = 1.0 - t;
    a * (1.0 + 2.0 * t) * s * s + b * (3.0 - 2.0 * t) * t * t + t * s * (out_tangent * s - in_tangent * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_zero_on_the_surface_with_unit_gradient() {
        let check = |shape: &dyn Fn(Vec3) -> f32, on: Vec3, out: Vec3, what: &str| {
            assert!(shape(on).abs() < 1e-5, "{what}: {} on its surface", shape(on));
            let grown = shape(on + out * 0.01);
            assert!((grown - 0.01).abs() < 1e-3, "{what}: {grown} at a centimetre");
            assert!(shape(on - out * 0.01) < 0.0, "{what}: inside");
        };
        let ends = [Vec3::ZERO, Vec3::X];
        check(&|p| sphere(p, Vec3::X, 0.5), Vec3::new(1.0, 0.5, 0.0), Vec3::Y, "sphere");
        let radii = Vec3::new(0.3, 0.4, 0.5);
        check(&|p| ellipsoid(p, Vec3::ZERO, radii), Vec3::Z * 0.5, Vec3::Z, "ellipsoid");
        check(&|p| capsule(p, ends, 0.1), Vec3::new(1.1, 0.0, 0.0), Vec3::X, "capsule");
        check(&|p| taper(p, ends, [0.1, 0.1]), Vec3::new(0.5, 0.0, 0.1), Vec3::Z, "taper");
        let level = |p: Vec3| squircle(Vec2::new(p.x, p.z), Vec2::new(0.3, 0.2));
        check(&level, Vec3::X * 0.3, Vec3::X, "squircle");
        check(&|p| union(p.y - 0.1, 2.0, 0.1), Vec3::Y * 0.1, Vec3::Y, "union with nothing near");
        check(&|p| subtraction(p.y, 2.0 - p.x, 0.01), Vec3::X, Vec3::Y, "subtraction far away");
    }

    #[test]
    fn blending_only_acts_where_shapes_meet() {
        assert_eq!(union(0.1, 0.3, 0.1), 0.1);
        assert!(union(0.1, 0.1, 0.1) < 0.1);
        assert!(intersection(0.1, 0.1, 0.1) > 0.1);
        assert_eq!(intersection(-0.3, -0.1, 0.1), -0.1);
    }

    #[test]
    fn a_profile_passes_its_values_without_overshoot() {
        let table = [(0.0, [1.0]), (1.0, [2.0]), (1.5, [2.0]), (3.0, [0.5])];
        for (x, [y]) in table {
            assert!((profile(&table, x)[0] - y).abs() < 1e-6, "at {x}");
        }
        assert_eq!([profile(&table, -1.0), profile(&table, 9.0)], [[1.0], [0.5]]);
        for i in 0..=300 {
            let y = profile(&table, i as f32 * 0.01)[0];
            assert!((0.5..=2.0 + 1e-6).contains(&y), "{y} at {i} hundredths");
        }
    }
}
