//! Triangulates the skin of the head as one mesh.
//!
//! Eyes and mouth need dense rings of vertices, and the rest of the head needs only a few evenly spaced ones. A
//! constrained Delaunay triangulation connects both without visible seams. It works in a plane, so vertices are
//! projected stereographically, which preserves the Delaunay property. [`skin`] returns the whole patch, with openings
//! for eyes and mouth and with skin that continues inwards from their edges. Inner parts, such as eyeballs and teeth,
//! are built elsewhere.

use super::shape::{Head, MIDDLE, eye};
use super::{Patch, Place, SIDES, Spot, lids, mouth};
use glam::{Vec2, Vec3};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use vivant::math::{asin32, atan2_32, cos32, sin32};

/// Number of scattered vertices on a head without openings for eyes and mouth.
const SCATTERED: usize = 1700;

/// Builds the whole skin: rings of vertices around eyes and mouth, and evenly scattered vertices elsewhere, all
/// connected by triangles.
pub(super) fn skin(head: &Head) -> Patch {
    let mut patch = Patch::default();
    let mut holes: Vec<Vec<u32>> = Vec::new();
    for side in SIDES {
        let rings: Vec<_> = lids::RINGS.iter().map(|out| patch.ring(lids::ring(head, side, *out))).collect();
        holes.push(rings[0].clone());
    }
    let rings: Vec<_> = mouth::RINGS.iter().map(|out| patch.ring(mouth::ring(head, *out))).collect();
    holes.push(rings[0].clone());
    scatter(head, &mut patch);
    join(&mut patch, &holes);
    line_openings(head, &mut patch, &holes);
    patch
}

/// Projects a vertex onto the plane in which the skin is triangulated. This is a stereographic projection of the
/// directions from the middle of the head, with its centre below the neck. It preserves circles, so the triangulation
/// is also Delaunay on the head.
fn on_map(spot: &Spot) -> Vec2 {
    let d = (mouth::ajar(spot) - MIDDLE).normalize();
    Vec2::new(d.x, d.z) / (1.0 + d.y)
}

/// Scatters vertices in a sunflower spiral from the tip of the nose. They are denser in front than at the back.
fn scatter(head: &Head, patch: &mut Patch) {
    let taken: Vec<Vec3> = patch.spots.iter().map(mouth::ajar).collect();
    for i in 0..SCATTERED {
        let direction = spiral(i);
        // At the bottom, the head is open towards the neck.
        if direction.y < -0.9 {
            continue;
        }
        let at = head.outwards(MIDDLE, direction);
        let apart = if direction.z > 0.2 { 0.0043 } else { 0.006 };
        let free = !in_an_opening(at) && taken.iter().all(|t| t.distance(at) > apart);
        if free {
            patch.push(Spot { at, place: Place::Free });
        }
    }
}

/// Returns the direction of a vertex in the spiral. The density of vertices per solid angle is 1 in front and 0.3 at
/// the back, and linear in the cosine in between.
fn spiral(i: usize) -> Vec3 {
    const GOLDEN: f64 = 2.399_963_229_728_653;
    let share = (i as f64 + 0.5) / SCATTERED as f64;
    // ∫ (0.65 + 0.35 u) du from u to 1 equals `share` of 1.3, which is a quadratic equation in u.
    let u = (-0.65 + (0.4225 - 4.0 * 0.175 * (1.3 * share - 0.825)).max(0.0).sqrt()) / 0.35;
    let u = u.clamp(-1.0, 1.0);
    let turn = (i as f64 * GOLDEN % std::f64::consts::TAU) as f32;
    let r = (1.0 - u * u).max(0.0).sqrt() as f32;
    Vec3::new(r * cos32(turn), r * sin32(turn), u as f32)
}

/// Returns true if a point is within the rings of an eye or the mouth.
fn in_an_opening(at: Vec3) -> bool {
    let in_eye = SIDES.into_iter().any(|side| {
        let from = (at - eye(side)) * Vec3::new(side, 1.0, 1.0);
        let d = from.normalize();
        let (sideways, up) = (atan2_32(d.x, d.z).to_degrees(), asin32(d.y).to_degrees());
        from.length() < 0.06 && in_ellipse(sideways - 5.0, up, 47.0, 33.0)
    });
    let (wide, high) = (mouth::HALF_WIDTH + 0.66 * mouth::EDGE, mouth::EDGE);
    let in_mouth = at.z > 0.04 && in_ellipse(at.x, at.y - mouth::line(at.x), wide, high);
    in_eye || in_mouth
}

fn in_ellipse(x: f32, y: f32, wide: f32, high: f32) -> bool {
    let (x, y) = (x / wide, y / high);
    x * x + y * y < 1.0
}

/// Connects all vertices with triangles, but not across the openings.
fn join(patch: &mut Patch, holes: &[Vec<u32>]) {
    let map: Vec<Vec2> = patch.spots.iter().map(on_map).collect();
    let points = map.iter().map(|p| Point2::new(f64::from(p.x), f64::from(p.y))).collect();
    let edges = holes
        .iter()
        .flat_map(|hole| (0..hole.len()).map(|i| [hole[i] as usize, hole[(i + 1) % hole.len()] as usize]));
    let triangulation =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges.collect(), |_| ())
            .expect("positions on the map are finite");
    debug_assert_eq!(triangulation.num_vertices(), map.len());
    for face in triangulation.inner_faces() {
        let corner = face.vertices().map(|v| v.index() as u32);
        let middle = corner.iter().map(|c| map[*c as usize]).sum::<Vec2>() / 3.0;
        if holes.iter().any(|hole| encloses(hole, &map, middle)) {
            continue;
        }
        // The plane is seen from inside the head, so triangles are flipped to face outwards.
        patch.triangles.push(outwards(corner, &patch.spots));
    }
}

fn outwards([a, b, c]: [u32; 3], spots: &[Spot]) -> [u32; 3] {
    let [pa, pb, pc] = [a, b, c].map(|i| mouth::ajar(&spots[i as usize]));
    if (pb - pa).cross(pc - pa).dot(pa - MIDDLE) < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Returns true if a point is inside a polygon: a ray from the point crosses an odd number of the polygon's sides.
fn encloses(polygon: &[u32], map: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    for i in 0..polygon.len() {
        let [a, b] = [polygon[i], polygon[(i + 1) % polygon.len()]].map(|v| map[v as usize]);
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside = !inside;
        }
    }
    inside
}

/// Continues the skin inwards from the edge of each opening, so that lids and lips have a thickness.
fn line_openings(head: &Head, patch: &mut Patch, holes: &[Vec<u32>]) {
    for (hole, side) in holes.iter().zip(SIDES) {
        let rim = patch.ring(lids::rim(head, side));
        patch.strip(hole, &rim);
    }
    let lips: Vec<Spot> = holes[2].iter().map(|v| patch.spots[*v as usize]).collect();
    let backs = patch.ring(mouth::lip_backs(&lips));
    patch.strip(&holes[2], &backs);
}
