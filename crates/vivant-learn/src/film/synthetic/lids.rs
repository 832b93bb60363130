//! Lid curves from corner to corner, which meet when the eye is closed.
//!
//! Coordinates are in eye widths: x from the outer corner, -0.5, to the inner corner, 0.5; y down.

use super::Face;
use super::state::SceneState;
use crate::film::layout::{EYE_POINTS, Side};
use glam::DVec2;
use vivant::math;

/// Number of nodes along a lid; every quarter is a node, so that labelled points are on the drawn curve.
pub(super) const NODES: usize = 65;

/// Radius of the eyeball in eye widths: 12 mm.
const BALL: f64 = 0.4;
/// Lid following: movement of the upper lid as a share of the iris movement; the lower lid follows less.
const UPPER_FOLLOWS: f64 = 0.75;
const LOWER_FOLLOWS: f64 = 0.3;
/// Height at which closed lids meet, from 0 (line between the corners) to 1 (open lower lid).
const MEET: f64 = 0.6;

/// The lids of an eye at one time.
#[derive(Clone, Debug)]
pub(super) struct Lids {
    /// y of the upper lid at each node.
    pub(super) upper: [f32; NODES],
    /// y of the lower lid at each node.
    pub(super) lower: [f32; NODES],
    /// Centre of the iris, also if the lids hide it.
    pub(super) iris: DVec2,
    /// The labelled points; the point of the iris is kept between the lids.
    pub(super) points: [DVec2; EYE_POINTS],
}

/// Lid curves of a face at rest.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    upper: Vec<f64>,
    lower: Vec<f64>,
    shut: Vec<f64>,
}

impl Shape {
    pub(super) fn of(face: &Face) -> Self {
        let nodes = || (0..NODES).map(|node| node as f64 / (NODES - 1) as f64);
        let lower: Vec<f64> = nodes().map(|s| face.lower * arch(s, 0.85, 0.9)).collect();
        Self {
            upper: nodes().map(|s| -face.upper * arch(s, face.skew, 0.75)).collect(),
            shut: lower.iter().map(|y| MEET * y).collect(),
            lower,
        }
    }

    /// Returns the open upper lid at each node for straight gaze.
    pub(super) fn open_upper(&self) -> &[f64] {
        &self.upper
    }

    pub(super) fn at(&self, face: &Face, side: Side, state: &SceneState) -> Lids {
        let uneven = if side == Side::Left { 1.0 - face.uneven } else { 1.0 };
        let open = (state.openness * uneven).max(0.0);
        let [yaw, pitch] = state.gaze;
        // For the right eye, the person's left is towards the nose.
        let inward = if side == Side::Right { yaw } else { -yaw };
        let iris = DVec2::new(BALL * math::sin(inward), -BALL * math::sin(pitch) - 0.03);
        let follow = |share: f64, node: usize| share * (iris.y + 0.03) * arch(place(node), 1.0, 1.0);
        let lid = |rest: &[f64], share: f64, node: usize| {
            let open_y = rest[node] + follow(share, node);
            self.shut[node] + (open_y - self.shut[node]) * open
        };
        let lower: [f64; NODES] = std::array::from_fn(|node| lid(&self.lower, LOWER_FOLLOWS, node));
        let upper: [f64; NODES] =
            std::array::from_fn(|node| lid(&self.upper, UPPER_FOLLOWS, node).min(lower[node]));
        Lids {
            points: points(&upper, &lower, iris),
            upper: upper.map(|y| y as f32),
            lower: lower.map(|y| y as f32),
            iris,
        }
    }
}

fn place(node: usize) -> f64 {
    node as f64 / (NODES - 1) as f64
}

/// Returns the height of an arch of height 1 at the position `s`, from 0 (outer corner) to 1 (inner corner). `skew`
/// moves its highest point, and `fullness` sets its shape.
fn arch(s: f64, skew: f64, fullness: f64) -> f64 {
    let s = math::pow(s, skew);
    math::pow((4.0 * s * (1.0 - s)).max(0.0), fullness)
}

/// Returns the nine points: corners, quarters of the lids, and the iris between the lids.
fn points(upper: &[f64; NODES], lower: &[f64; NODES], iris: DVec2) -> [DVec2; EYE_POINTS] {
    let quarter = |curve: &[f64; NODES], quarter: usize| {
        let node = quarter * (NODES - 1) / 4;
        DVec2::new(place(node) - 0.5, curve[node])
    };
    let (top, bottom) = (at(upper, iris.x), at(lower, iris.x));
    [
        quarter(upper, 0),
        quarter(upper, 1),
        quarter(upper, 2),
        quarter(upper, 3),
        quarter(upper, 4),
        quarter(lower, 3),
        quarter(lower, 2),
        quarter(lower, 1),
        DVec2::new(iris.x, iris.y.clamp(top, bottom)),
    ]
}

/// Interpolates a curve between its nodes; `x` is in eye widths from the centre.
fn at(curve: &[f64; NODES], x: f64) -> f64 {
    let place = (x + 0.5).clamp(0.0, 1.0) * (NODES - 1) as f64;
    let node = (place as usize).min(NODES - 2);
    curve[node] + (curve[node + 1] - curve[node]) * (place - node as f64)
}
