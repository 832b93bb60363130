//! Transcendental functions that give the same bits on every platform.
//!
//! The `sin` of two platforms may differ in the last bit, but a performance must be identical everywhere. So every
//! function here calls `libm`, which is plain Rust; `clippy.toml` bans the methods of `f32` and `f64` that `libm`
//! replaces. Square roots are exact by IEEE 754, so the standard method is fine.

use glam::{DQuat, DVec2, DVec3, Quat, Vec3};

macro_rules! libm_functions {
    ($($name:ident, $name32:ident($($argument:ident),+) => $f64:ident, $f32:ident;)+) => {$(
        #[doc = concat!("`", stringify!($f64), "` by `libm`.")]
        #[must_use]
        pub fn $name($($argument: f64),+) -> f64 {
            libm::$f64($($argument),+)
        }
        #[doc = concat!("`", stringify!($f32), "` by `libm`.")]
        #[must_use]
        pub fn $name32($($argument: f32),+) -> f32 {
            libm::$f32($($argument),+)
        }
    )+};
}

libm_functions! {
    sin, sin32(x) => sin, sinf;
    cos, cos32(x) => cos, cosf;
    tan, tan32(x) => tan, tanf;
    asin, asin32(x) => asin, asinf;
    acos, acos32(x) => acos, acosf;
    atan2, atan2_32(y, x) => atan2, atan2f;
    exp, exp32(x) => exp, expf;
    ln, ln32(x) => log, logf;
    pow, pow32(x, y) => pow, powf;
    erfc, erfc32(x) => erfc, erfcf;
}

/// Sine and cosine from `libm`, at little more than the cost of one of them.
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Returns the smaller of two numbers. Unlike `f64::min` it has no special case for NaN, so it compiles to inline
/// code instead of a call in WebAssembly.
#[inline(always)]
pub(crate) fn fast_min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// Returns the larger of two numbers, without a special case for NaN.
#[inline(always)]
pub(crate) fn fast_max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// Length and normalisation with the processor's square root instruction, bit-identical to glam's.
///
/// glam takes square roots from `libm`, which computes them digit by digit in WebAssembly. Code that runs every
/// frame uses these methods instead.
pub(crate) trait Magnitude: Sized {
    /// The component type.
    type Scalar;

    /// Returns the length, like glam's `length`.
    fn magnitude(self) -> Self::Scalar;

    /// Returns the value scaled to unit length, like glam's `normalize`.
    fn to_unit(self) -> Self;
}

macro_rules! magnitude {
    ($($name:ident of $number:ident),+) => {$(
        impl Magnitude for $name {
            type Scalar = $number;

            #[inline]
            fn magnitude(self) -> $number {
                self.length_squared().sqrt()
            }

            #[inline]
            fn to_unit(self) -> Self {
                self * (1.0 / self.magnitude())
            }
        }
    )+};
}

magnitude!(Vec3 of f32, Quat of f32, DVec2 of f64, DVec3 of f64, DQuat of f64);

/// Returns the rotation vector (axis times angle, radians) of a unit quaternion, along the shortest arc.
#[must_use]
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sine = v.magnitude();
    if sine < 1e-9 {
        return v * 2.0;
    }
    v * (2.0 * atan2_32(sine, q.w) / sine)
}

/// Returns the unit quaternion of a rotation vector (axis times angle, radians).
#[must_use]
pub fn from_rotation_vector(r: Vec3) -> Quat {
    let angle = r.magnitude();
    let scale = if angle < 1e-6 { 0.5 } else { sin32(angle * 0.5) / angle };
    Quat::from_xyzw(r.x * scale, r.y * scale, r.z * scale, cos32(angle * 0.5)).to_unit()
}

/// Returns the shortest rotation that turns the direction `from` into the direction `to`.
///
/// Opposite directions have no unique shortest rotation; the result is then half a turn about some axis
/// perpendicular to both. A zero vector gives the identity.
#[must_use]
pub fn shortest_arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// Returns the shortest rotation that turns the unit vector `from` into the unit vector `to`, bit-identical to glam's
/// `from_rotation_arc`, with the processor's square root instruction.
#[inline]
pub(crate) fn unit_arc(from: DVec3, to: DVec3) -> DQuat {
    const NEARLY_ONE: f64 = 1.0 - 2.0 * f64::EPSILON;
    let dot = from.dot(to);
    if dot.abs() > NEARLY_ONE {
        return DQuat::from_rotation_arc(from, to);
    }
    let axis = from.cross(to);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + dot).to_unit()
}

/// Returns the angle between two rotations in radians.
///
/// Uses the arctangent of vector and scalar part, which stays exact for small angles; the arccosine of a number
/// near one loses half of its digits.
#[must_use]
pub fn angle_between(a: Quat, b: Quat) -> f32 {
    let d = a.inverse() * b;
    2.0 * atan2_32(Vec3::new(d.x, d.y, d.z).magnitude(), d.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn magnitudes_match_glam(x in -3.0f64..3.0, y in -3.0f64..3.0, z in -3.0f64..3.0, w in 0.1f64..3.0) {
            let (v, q) = (DVec3::new(x, y, z), DQuat::from_xyzw(x, y, z, w));
            prop_assert_eq!(v.magnitude().to_bits(), v.length().to_bits());
            prop_assert_eq!(q.to_unit().to_array().map(f64::to_bits), q.normalize().to_array().map(f64::to_bits));
            let (v, q) = (v.as_vec3(), q.as_quat());
            prop_assert_eq!(v.magnitude().to_bits(), v.length().to_bits());
            prop_assert_eq!(q.to_unit().to_array().map(f32::to_bits), q.normalize().to_array().map(f32::to_bits));
        }

        /// Half of the pairs are nearly parallel or nearly opposite, where glam returns special results.
        #[test]
        fn unit_arcs_match_glam(
            a in prop::array::uniform3(-1.0f64..1.0), b in prop::array::uniform3(-1.0f64..1.0),
            nearness in 0.0f64..18.0, is_opposite: bool, is_near: bool
        ) {
            let (a, b) = (DVec3::from(a), DVec3::from(b));
            prop_assume!(a.length() > 0.05 && b.length() > 0.05);
            let a = a.normalize();
            let near = (if is_opposite { -a } else { a }) + b * crate::math::pow(10.0, -nearness);
            let b = if is_near { near.normalize() } else { b.normalize() };
            let bits = |q: DQuat| q.to_array().map(f64::to_bits);
            prop_assert_eq!(bits(unit_arc(a, b)), bits(DQuat::from_rotation_arc(a, b)));
        }

        #[test]
        fn rotation_vectors_survive_a_round_trip(x in -1.8f32..1.8, y in -1.8f32..1.8, z in -1.8f32..1.8) {
            let r = Vec3::new(x, y, z);
            prop_assume!(r.length() < 3.1);
            let back = rotation_vector(from_rotation_vector(r));
            prop_assert!((back - r).length() < 2e-5, "{r} became {back}");
        }

        #[test]
        fn shortest_arcs_turn_one_direction_into_the_other(
            a in prop::array::uniform3(-1.0f32..1.0), b in prop::array::uniform3(-1.0f32..1.0)
        ) {
            let (a, b) = (Vec3::from(a), Vec3::from(b));
            prop_assume!(a.length() > 0.05 && b.length() > 0.05);
            let turned = shortest_arc(a, b) * a.normalize();
            prop_assert!((turned - b.normalize()).length() < 1e-4);
        }
    }

    #[test]
    fn the_angle_between_close_rotations_keeps_its_digits() {
        let a = Quat::from_rotation_y(0.3);
        let b = Quat::from_rotation_y(0.3 + 1e-4);
        assert!((angle_between(a, b) - 1e-4).abs() < 1e-7);
    }
}
