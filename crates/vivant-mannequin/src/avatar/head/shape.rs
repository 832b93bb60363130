//! The shape of the head, as a signed distance field.

use super::super::field::{capsule, ellipsoid, sphere, union};
use crate::figure::{EYE_RADIUS, LEFT};
use crate::look::Look;
use glam::Vec3;
use vivant::rig::Bone;

/// Distance of the lids' skin from the eyeball, in metres.
pub(super) const LID_THICKNESS: f32 = 0.0014;

/// The middle of the head. All skin is visible from this point.
pub(super) const MIDDLE: Vec3 = Vec3::new(0.0, 1.575, -0.005);

/// A head with the proportions of a look.
pub(crate) struct Head {
    face: f32,
    nose: f32,
}

/// Centre of an eyeball.
pub(crate) fn eye(side: f32) -> Vec3 {
    let (_, [x, y, z]) = LEFT[0];
    debug_assert!(LEFT[0].0 == Bone::LeftEye);
    Vec3::new(x * side, y, z)
}

impl Head {
    pub(super) fn new(look: &Look) -> Self {
        Self { face: look.face, nose: look.nose }
    }

    /// Signed distance to the skin, negative inside. Both sides are symmetric.
    pub(super) fn distance(&self, p: Vec3) -> f32 {
        let p = Vec3::new(p.x.abs(), p.y, p.z);
        let wide = 1.0 + 0.06 * self.face;
        let mut d = ellipsoid(p, Vec3::new(0.0, 1.61, -0.018), Vec3::new(0.0925, 0.1, 0.105));
        d = union(
            d,
            ellipsoid(p, Vec3::new(0.0, 1.556, 0.014), Vec3::new(0.0825 * wide, 0.088, 0.078)),
            0.03,
        );
        d = union(d, sphere(p, Vec3::new(0.0, 1.494, 0.05), 0.0315), 0.04); // chin
        d = union(d, sphere(p, Vec3::new(0.036 * wide, 1.513, 0.004), 0.032), 0.04); // jaw
        d = union(d, sphere(p, Vec3::new(0.043 * wide, 1.534, 0.044), 0.034), 0.03); // cheek
        d = union(
            d,
            capsule(p, [Vec3::new(0.012, 1.613, 0.079), Vec3::new(0.05, 1.612, 0.064)], 0.0105),
            0.026,
        ); // brow
        d = union(d, self.nose(p), 0.014);
        // Lids lie on the eyeballs.
        d = union(d, sphere(p, eye(1.0), EYE_RADIUS + LID_THICKNESS), 0.0055);
        self.lips(p, d)
    }

    fn nose(&self, p: Vec3) -> f32 {
        let by = 1.0 + 0.16 * self.nose;
        let tip = sphere(p, Vec3::new(0.0, 1.5415, 0.0985), 0.0108 * by);
        let bridge = capsule(p, [Vec3::new(0.0, 1.58, 0.0865), Vec3::new(0.0, 1.548, 0.0965)], 0.0062 * by);
        let wing = sphere(p, Vec3::new(0.0078 * by, 1.54, 0.0935), 0.0066 * by);
        union(union(tip, bridge, 0.012), wing, 0.009)
    }

    fn lips(&self, p: Vec3, d: f32) -> f32 {
        // A muzzle, and two lips with a line between them.
        let d = union(d, ellipsoid(p, Vec3::new(0.0, 1.507, 0.066), Vec3::new(0.031, 0.022, 0.0255)), 0.014);
        let upper = capsule(p, [Vec3::new(0.0, 1.5098, 0.0905), Vec3::new(0.0235, 1.5108, 0.0812)], 0.0042);
        let lower = capsule(p, [Vec3::new(0.0, 1.5014, 0.0895), Vec3::new(0.0205, 1.5064, 0.0812)], 0.0051);
        union(d, upper.min(lower), 0.0048)
    }

    /// Returns the point at which a ray from inside leaves the head.
    pub(super) fn outwards(&self, from: Vec3, direction: Vec3) -> Vec3 {
        let mut t = 0.0;
        for _ in 0..96 {
            let d = self.distance(from + direction * t);
            if d > -2e-6 {
                break;
            }
            // The surface of a smooth union is closer than its distance value, so only a fraction of the step is
            // safe.
            t += (-0.8 * d).max(2e-5);
        }
        from + direction * t
    }

    /// Returns the point of the skin that is visible from the front at `x` and `y`.
    pub(super) fn seen_at(&self, x: f32, y: f32) -> Vec3 {
        let mut z = 0.15;
        for _ in 0..96 {
            let d = self.distance(Vec3::new(x, y, z));
            if d < 2e-6 {
                break;
            }
            z -= (0.8 * d).max(2e-5);
        }
        Vec3::new(x, y, z)
    }
}
