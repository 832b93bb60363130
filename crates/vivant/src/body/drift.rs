//! A value that moves from rest to rest, and continues smoothly when interrupted.
//!
//! Breathing and sway are chains of such movements. Position, velocity and acceleration are continuous everywhere: a
//! new movement inherits the velocity and acceleration of the old one. The inherited motion fades out within a fraction
//! of a second by a quintic Hermite polynomial, even if the new movement takes longer. (If it faded over the whole new
//! movement, a quick breath that turns into a slow one would fill the lungs three times.)

use crate::math::fast_max;
use crate::pose::Rotations;

/// Maximum absolute time in seconds: 32 years. Other times are ignored.
const MAX_SECS: f64 = 1e9;

/// Returns true if a time is finite and within the supported range.
pub(crate) fn is_valid_time(at: f64) -> bool {
    at.abs() <= MAX_SECS
}

/// A minimum-jerk movement to `to`, plus the fading motion of the previous movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    at: f64,
    secs: f64,
    from: f64,
    to: f64,
    velocity: f64,
    acceleration: f64,
    /// Duration of the fade of the previous movement, in seconds.
    fade_secs: f64,
}

impl Drift {
    /// Maximum duration of the fade in seconds (our design: about as long as a quick breath).
    const FADE_SECS: f64 = 0.4;
    /// Minimum duration of a movement in seconds.
    const MIN_SECS: f64 = 0.05;

    pub(crate) const fn at_rest(place: f64) -> Self {
        Self { at: 0.0, secs: 0.0, from: place, to: place, velocity: 0.0, acceleration: 0.0, fade_secs: 0.0 }
    }

    /// Starts a new movement at time `at`, with the position, velocity and acceleration of `self` at that time.
    pub(crate) fn continue_to(&self, at: f64, to: f64, secs: f64) -> Self {
        let secs = secs.max(Self::MIN_SECS);
        let [from, velocity, acceleration] = self.state(at);
        Self { at, secs, from, to, velocity, acceleration, fade_secs: secs.min(Self::FADE_SECS) }
    }

    pub(crate) fn ends(&self) -> f64 {
        self.at + self.secs
    }

    #[inline]
    pub(crate) fn position(&self, t: f64) -> f64 {
        let since = fast_max(t - self.at, 0.0);
        let mut place = self.to;
        if since < self.secs {
            let u = since / self.secs;
            place = self.from + (self.to - self.from) * (u * u * u * (10.0 - u * (15.0 - 6.0 * u)));
        }
        if since < self.fade_secs {
            let u = since / self.fade_secs;
            let (velocity, acceleration) = self.carried();
            place += u * (velocity * (1.0 - u * u * (6.0 - u * (8.0 - 3.0 * u))))
                + u * u * (acceleration * (0.5 - u * (1.5 - u * (1.5 - 0.5 * u))));
        }
        place
    }

    /// Velocity and acceleration of the previous movement, with the fade duration as the unit of time.
    fn carried(&self) -> (f64, f64) {
        (self.velocity * self.fade_secs, self.acceleration * (self.fade_secs * self.fade_secs))
    }

    /// Returns position, velocity and acceleration.
    pub(crate) fn state(&self, t: f64) -> [f64; 3] {
        let since = fast_max(t - self.at, 0.0);
        let [mut speed, mut push] = [0.0; 2];
        if since < self.secs {
            let u = since / self.secs;
            let way = self.to - self.from;
            speed += way * 30.0 * u * u * (1.0 - u) * (1.0 - u) / self.secs;
            push += way * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (self.secs * self.secs);
        }
        if since < self.fade_secs {
            let (u, fade) = (since / self.fade_secs, self.fade_secs);
            let (velocity, acceleration) = self.carried();
            speed += (velocity * (1.0 - u * u * (18.0 - u * (32.0 - 15.0 * u)))
                + acceleration * (u * (1.0 - u * (4.5 - u * (6.0 - 2.5 * u)))))
                / fade;
            push += (velocity * (u * (u * (96.0 - 60.0 * u) - 36.0))
                + acceleration * (1.0 - u * (9.0 - u * (18.0 - 10.0 * u))))
                / (fade * fade);
        }
        [self.position(t), speed, push]
    }
}

/// Rotations of eight neighbouring bones in the space of their parents. They are multiplied from the left to the
/// bones' own rotations.
///
/// Components are tangents of half angles. A quaternion (h, 1) divided by its length is a rotation for any h, and
/// needs no sine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Eight {
    pub(crate) x: [f32; 8],
    pub(crate) y: [f32; 8],
    pub(crate) z: [f32; 8],
}

impl Eight {
    /// Rotates eight bones, starting with index `first`.
    pub(crate) fn turn(&self, first: usize, rotations: &mut Rotations) {
        let [qx, qy, qz, qw] = lanes(first, rotations);
        for i in 0..8 {
            let (a, b, c) = (self.x[i], self.y[i], self.z[i]);
            let w = 1.0 / (1.0 + a * a + b * b + c * c).sqrt();
            let (a, b, c) = (a * w, b * w, c * w);
            let [x, y, z, s] = [qx[i], qy[i], qz[i], qw[i]];
            qx[i] = w * x + a * s + b * z - c * y;
            qy[i] = w * y - a * z + b * s + c * x;
            qz[i] = w * z + a * y - b * x + c * s;
            qw[i] = w * s - a * x - b * y - c * z;
        }
    }
}

/// Rotates eight neighbouring bones about X, starting with index `first`. The tangents of the half angles are
/// `halves` times `share`.
pub(crate) fn pitch_eight(halves: &[f32; 8], share: f32, first: usize, rotations: &mut Rotations) {
    let [qx, qy, qz, qw] = lanes(first, rotations);
    for i in 0..8 {
        let h = halves[i] * share;
        let c = 1.0 / (1.0 + h * h).sqrt();
        let s = h * c;
        let [x, y, z, w] = [qx[i], qy[i], qz[i], qw[i]];
        qx[i] = c * x + s * w;
        qy[i] = c * y - s * z;
        qz[i] = c * z + s * y;
        qw[i] = c * w - s * x;
    }
}

/// Rotates eight neighbouring bones about Z, starting with index `first`. The tangents of the half angles are
/// `halves` times `share`.
pub(crate) fn roll_eight(halves: &[f32; 8], share: f32, first: usize, rotations: &mut Rotations) {
    let [qx, qy, qz, qw] = lanes(first, rotations);
    for i in 0..8 {
        let h = halves[i] * share;
        let c = 1.0 / (1.0 + h * h).sqrt();
        let s = h * c;
        let [x, y, z, w] = [qx[i], qy[i], qz[i], qw[i]];
        qx[i] = c * x - s * y;
        qy[i] = c * y + s * x;
        qz[i] = c * z + s * w;
        qw[i] = c * w - s * z;
    }
}

/// Returns x, y, z and w of eight bones, starting with index `first`. The arrays have a fixed length, so that loops
/// need no bounds checks.
fn lanes(first: usize, rotations: &mut Rotations) -> [&mut [f32; 8]; 4] {
    let Rotations { x, y, z, w } = rotations;
    [x, y, z, w].map(|lane| lane[first..].first_chunk_mut().expect("eight lanes exist from there on"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{angle_between, from_rotation_vector};
    use crate::rig::Bone;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    proptest! {
        /// Position, velocity and acceleration, compared with each other by finite differences.
        #[test]
        fn a_movement_continues_the_interrupted_one_and_ends_at_rest(
            steps in prop::collection::vec((0.0f64..2.0, -2.0f64..2.0, 0.1f64..5.0), 1..8)
        ) {
            let (mut drift, mut at) = (Drift::at_rest(0.5), 0.0);
            for (after, to, secs) in steps {
                at += after;
                let next = drift.continue_to(at, to, secs);
                for (before, then) in drift.state(at).into_iter().zip(next.state(at)) {
                    prop_assert!((before - then).abs() < 1e-9 * (1.0 + before.abs()), "{before} {then}");
                }
                prop_assert_eq!(next.state(next.ends() + 1e-9), [to, 0.0, 0.0]);
                let (t, h) = (at + 0.31 * secs, 1e-5);
                let [_, speed, push] = next.state(t);
                let slope = (next.position(t + h) - next.position(t - h)) / (2.0 * h);
                let curve = (next.state(t + h)[1] - next.state(t - h)[1]) / (2.0 * h);
                prop_assert!((slope - speed).abs() < 1e-5 * (1.0 + push.abs()), "{slope} {speed}");
                prop_assert!((curve - push).abs() < 1e-3 * (1.0 + push.abs()), "{curve} {push}");
                drift = next;
            }
        }

        #[test]
        fn eight_bones_rotate_by_twice_the_arc_tangent(h in prop::array::uniform3(-0.2f32..0.2), q in crate::pose::tests::rotation()) {
            let half = Vec3::from(h);
            let angle = 2.0 * crate::math::atan2_32(half.length(), 1.0);
            let wanted = from_rotation_vector(half.normalize_or_zero() * angle) * q;
            let mut rotations = Rotations::IDENTITY;
            rotations.set(Bone::LeftFoot, q);
            let first = Bone::LeftUpperLeg.index();
            Eight { x: [h[0]; 8], y: [h[1]; 8], z: [h[2]; 8] }.turn(first, &mut rotations);
            prop_assert!(angle_between(rotations.get(Bone::LeftFoot), wanted) < 1e-5);
            prop_assert!((rotations.get(Bone::LeftFoot).length() - 1.0).abs() < 1e-5);

            let mut about_x = Rotations::IDENTITY;
            about_x.set(Bone::Head, q);
            pitch_eight(&[0.5; 8], 2.0 * h[0], 0, &mut about_x);
            let mut about_z = about_x;
            roll_eight(&[0.5; 8], 2.0 * h[2], 0, &mut about_z);
            let atan = |h: f32| 2.0 * crate::math::atan2_32(h, 1.0);
            let turned = Quat::from_rotation_x(atan(h[0])) * q;
            prop_assert!(angle_between(about_x.get(Bone::Head), turned) < 1e-5);
            let turned = Quat::from_rotation_z(atan(h[2])) * turned;
            prop_assert!(angle_between(about_z.get(Bone::Head), turned) < 1e-5);
        }
    }
}
