//! The hot loops, eight bones at a time.
//!
//! Each loop is written once, in plain Rust over arrays of constant length, and compiled twice: for
//! the target's baseline (SSE2, NEON, WASM with or without SIMD, or scalar) and for AVX2, which is
//! chosen at run time. Only additions, multiplications, divisions and square roots occur, which IEEE
//! 754 defines to the last bit, and Rust never fuses a multiplication with an addition: so all
//! versions give the same bits, whatever their width.
//!
//! This is the only module of the engine with `unsafe`: two calls into functions that need AVX2,
//! behind a check that the processor has it.

#![allow(unsafe_code)]

use crate::pose::{LANES, Rotations};
use crate::rig::{Bone, BoneSet};
use glam::Vec3;

/// One value a bone.
pub(crate) type Lanes = [f32; LANES];

/// Ones for the bones of a set, zeros for the others.
pub(crate) fn mask(bones: BoneSet) -> Lanes {
    let mut lanes = [0.0; LANES];
    for bone in bones.iter() {
        lanes[bone.index()] = 1.0;
    }
    lanes
}

/// A weight, prepared for slerp from the identity.
///
/// A rotation by 2α has the quaternion (v̂·sin α, cos α); a share w of it has (v̂·sin wα, cos wα).
/// With γ = α/4 and y = cos γ − 1, both cos(tγ) and sin(tγ)/sin γ for t = 4w are power series in y
/// whose coefficients depend on the weight alone (hypergeometric: ₂F₁(−t, t; ½; −y/2) and
/// t·₂F₁(1−t, 1+t; 3/2; −y/2)). For all α up to 180° of half-angle, |y| < 0.3 and nine terms are
/// exact to the last digits of an f32. So a slerp costs two square roots, a division and two
/// polynomials, and no branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    weight: f32,
    cosine: [f32; Share::TERMS],
    sine: [f32; Share::TERMS],
}

impl Share {
    const TERMS: usize = 9;

    pub(crate) fn new(weight: f32) -> Self {
        let t = 4.0 * f64::from(weight);
        let (mut c, mut s) = (1.0_f64, t);
        let mut share = Self { weight, cosine: [0.0; Self::TERMS], sine: [0.0; Self::TERMS] };
        for i in 0..Self::TERMS {
            share.cosine[i] = c as f32;
            share.sine[i] = s as f32;
            let k = i as f64;
            c *= (t * t - k * k) / ((k + 1.0) * (2.0 * k + 1.0));
            s *= (t * t - (k + 1.0) * (k + 1.0)) / ((k + 1.0) * (2.0 * k + 3.0));
        }
        share
    }

    pub(crate) fn weight(&self) -> f32 {
        self.weight
    }
}

#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// Rotation vectors, one a bone: an offset that a cross-fade carries down to nothing.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Vectors {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) z: Lanes,
}

impl Vectors {
    pub(crate) const ZERO: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES] };

    pub(crate) fn set(&mut self, bone: Bone, value: Vec3) {
        let i = bone.index();
        (self.x[i], self.y[i], self.z[i]) = (value.x, value.y, value.z);
    }
}

/// An offset that begins with a rotation vector and its velocity: `start`·p + `slope`·q.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fade<'a> {
    pub(crate) start: &'a Vectors,
    pub(crate) slope: &'a Vectors,
    pub(crate) p: f32,
    pub(crate) q: f32,
}

/// One layer at one instant: two neighbouring frames of offsets, what is left of cross-fades, and how
/// much of it all goes to which bones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term<'a> {
    pub(crate) from: &'a Rotations,
    pub(crate) to: &'a Rotations,
    pub(crate) fraction: f32,
    /// What is left of the step from a loop's end to its beginning.
    pub(crate) seam: Option<Fade<'a>>,
    pub(crate) share: &'a Share,
    pub(crate) mask: &'a Lanes,
    /// What is left of what the layer did before.
    pub(crate) fade: Option<Fade<'a>>,
}

/// Composes layers over a base pose, in order: base · δ₁ · δ₂ · …, normalised.
pub(crate) fn compose(base: &Rotations, terms: &[Term<'_>], out: &mut Rotations) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2, which is all that the function needs.
        return unsafe { compose_avx2(base, terms, out) };
    }
    compose_portable(base, terms, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn compose_avx2(base: &Rotations, terms: &[Term<'_>], out: &mut Rotations) {
    compose_portable(base, terms, out);
}

#[inline(always)]
fn compose_portable(base: &Rotations, terms: &[Term<'_>], out: &mut Rotations) {
    *out = *base;
    for term in terms {
        if term.share.weight == 1.0 && term.seam.is_none() && term.fade.is_none() {
            add_sampled(term, out);
        } else {
            add_shaped(term, out);
        }
    }
    normalise(out);
}

/// The sampled offset of a layer at full weight; its length does not matter until the end.
#[inline(always)]
fn add_sampled(term: &Term<'_>, out: &mut Rotations) {
    let (a, b, t) = (term.from, term.to, term.fraction);
    for i in 0..LANES {
        let m = term.mask[i];
        let x = (a.x[i] + t * (b.x[i] - a.x[i])) * m;
        let y = (a.y[i] + t * (b.y[i] - a.y[i])) * m;
        let z = (a.z[i] + t * (b.z[i] - a.z[i])) * m;
        let w = (a.w[i] + t * (b.w[i] - a.w[i]) - 1.0) * m + 1.0;
        multiply(out, i, x, y, z, w);
    }
}

/// The same with cross-fades and a weight.
#[inline(always)]
fn add_shaped(term: &Term<'_>, out: &mut Rotations) {
    let mut delta = Rotations::IDENTITY;
    let (a, b, t) = (term.from, term.to, term.fraction);
    for i in 0..LANES {
        let x = a.x[i] + t * (b.x[i] - a.x[i]);
        let y = a.y[i] + t * (b.y[i] - a.y[i]);
        let z = a.z[i] + t * (b.z[i] - a.z[i]);
        let w = a.w[i] + t * (b.w[i] - a.w[i]);
        let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
        (delta.x[i], delta.y[i], delta.z[i], delta.w[i]) = (x * scale, y * scale, z * scale, w * scale);
    }
    if let Some(seam) = &term.seam {
        apply_fade(seam, &mut delta);
    }
    if term.share.weight != 1.0 {
        take_share(term.share, &mut delta);
    }
    for i in 0..LANES {
        let m = term.mask[i];
        delta.x[i] *= m;
        delta.y[i] *= m;
        delta.z[i] *= m;
        delta.w[i] = (delta.w[i] - 1.0) * m + 1.0;
    }
    if let Some(fade) = &term.fade {
        apply_fade(fade, &mut delta);
    }
    for i in 0..LANES {
        multiply(out, i, delta.x[i], delta.y[i], delta.z[i], delta.w[i]);
    }
}

/// out = out · (x, y, z, w) at one bone.
#[inline(always)]
fn multiply(out: &mut Rotations, i: usize, x: f32, y: f32, z: f32, w: f32) {
    let (ax, ay, az, aw) = (out.x[i], out.y[i], out.z[i], out.w[i]);
    out.x[i] = aw * x + ax * w + ay * z - az * y;
    out.y[i] = aw * y - ax * z + ay * w + az * x;
    out.z[i] = aw * z + ax * y - ay * x + az * w;
    out.w[i] = aw * w - ax * x - ay * y - az * z;
}

/// delta = exp(start·p + slope·q) · delta. The Taylor series are exact to an f32 for vectors up to
/// 180° and harmless beyond.
#[inline(always)]
fn apply_fade(fade: &Fade<'_>, delta: &mut Rotations) {
    const COSINE: [f32; 8] = [
        1.0,
        -0.5,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
    ];
    const SINE: [f32; 8] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    let (p, q) = (fade.p * 0.5, fade.q * 0.5);
    for i in 0..LANES {
        let x = fade.start.x[i] * p + fade.slope.x[i] * q;
        let y = fade.start.y[i] * p + fade.slope.y[i] * q;
        let z = fade.start.z[i] * p + fade.slope.z[i] * q;
        let square = x * x + y * y + z * z;
        let (w, scale) = (polynomial(&COSINE, square), polynomial(&SINE, square));
        let (x, y, z) = (x * scale, y * scale, z * scale);
        let (dx, dy, dz, dw) = (delta.x[i], delta.y[i], delta.z[i], delta.w[i]);
        delta.x[i] = w * dx + x * dw + y * dz - z * dy;
        delta.y[i] = w * dy - x * dz + y * dw + z * dx;
        delta.z[i] = w * dz + x * dy - y * dx + z * dw;
        delta.w[i] = w * dw - x * dx - y * dy - z * dz;
    }
}

/// Slerp from the identity to each unit quaternion; see [`Share`].
#[inline(always)]
fn take_share(share: &Share, delta: &mut Rotations) {
    for i in 0..LANES {
        let half = ((1.0 + delta.w[i]).max(0.0) * 0.5).sqrt();
        let quarter = ((1.0 + half) * 0.5).sqrt();
        let y = quarter - 1.0;
        // sin α = sin γ · 4·cos γ·cos 2γ; at 360° the last factor is zero, and so is the vector.
        let scale = polynomial(&share.sine, y) / (4.0 * quarter * half).max(1e-12);
        delta.x[i] *= scale;
        delta.y[i] *= scale;
        delta.z[i] *= scale;
        delta.w[i] = polynomial(&share.cosine, y);
    }
}

#[inline(always)]
fn normalise(out: &mut Rotations) {
    for i in 0..LANES {
        let (x, y, z, w) = (out.x[i], out.y[i], out.z[i], out.w[i]);
        let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
        (out.x[i], out.y[i], out.z[i], out.w[i]) = (x * scale, y * scale, z * scale, w * scale);
    }
}

/// A transform from a bone's frame to humanoid space: three rows of four, the last column in metres.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Where each bone's parent stands, and its own place for the root.
const PARENTS: [usize; Bone::COUNT] = {
    let mut parents = [0; Bone::COUNT];
    let mut i = 0;
    while i < Bone::COUNT {
        if let Some(parent) = Bone::ALL[i].parent() {
            parents[i] = parent as usize;
        }
        i += 1;
    }
    parents
};

/// Model-space matrices from local rotations, rest translations and the place of the root.
pub(crate) fn model(
    rotations: &Rotations,
    rest: &[Vec3; Bone::COUNT],
    root: Vec3,
    out: &mut [Matrix; Bone::COUNT],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2, which is all that the function needs.
        return unsafe { model_avx2(rotations, rest, root, out) };
    }
    model_portable(rotations, rest, root, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn model_avx2(
    rotations: &Rotations,
    rest: &[Vec3; Bone::COUNT],
    root: Vec3,
    out: &mut [Matrix; Bone::COUNT],
) {
    model_portable(rotations, rest, root, out);
}

#[inline(always)]
fn model_portable(
    rotations: &Rotations,
    rest: &[Vec3; Bone::COUNT],
    root: Vec3,
    out: &mut [Matrix; Bone::COUNT],
) {
    let local = local_matrices(rotations);
    for i in 0..Bone::COUNT {
        let entry = |k: usize| local[k][i];
        let place = if i == 0 { root } else { rest[i] };
        let rows: Matrix = [
            [entry(0), entry(1), entry(2), place.x],
            [entry(3), entry(4), entry(5), place.y],
            [entry(6), entry(7), entry(8), place.z],
        ];
        out[i] = if i == 0 { rows } else { product(&out[PARENTS[i]], &rows) };
    }
}

/// The nine entries of each rotation matrix, as arrays over bones.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "nine outputs and four inputs share the index")]
fn local_matrices(q: &Rotations) -> [Lanes; 9] {
    let mut m = [[0.0; LANES]; 9];
    for i in 0..LANES {
        let (x, y, z, w) = (q.x[i], q.y[i], q.z[i], q.w[i]);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        m[0][i] = 1.0 - (yy + zz);
        m[1][i] = xy - wz;
        m[2][i] = xz + wy;
        m[3][i] = xy + wz;
        m[4][i] = 1.0 - (xx + zz);
        m[5][i] = yz - wx;
        m[6][i] = xz - wy;
        m[7][i] = yz + wx;
        m[8][i] = 1.0 - (xx + yy);
    }
    m
}

#[inline(always)]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 3];
    for r in 0..3 {
        for c in 0..4 {
            out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
        out[r][3] += a[r][3];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::angle_between;
    use crate::pose::share;
    use glam::Quat;
    use proptest::prelude::*;

    fn rotation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("not zero", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    fn rotations() -> impl Strategy<Value = Rotations> {
        prop::collection::vec(rotation(), Bone::COUNT).prop_map(|list| {
            let mut out = Rotations::IDENTITY;
            for (bone, q) in Bone::ALL.into_iter().zip(list) {
                out.set(bone, if q.w < 0.0 { -q } else { q });
            }
            out
        })
    }

    proptest! {
        #[test]
        fn the_series_is_slerp_from_the_identity(from in rotations(), weight in 0.0f32..1.0) {
            let mut delta = from;
            take_share(&Share::new(weight), &mut delta);
            for bone in Bone::ALL {
                let expected = share(from.get(bone), weight);
                let found = delta.get(bone);
                prop_assert!((found.length() - 1.0).abs() < 2e-6);
                prop_assert!(angle_between(found, expected) < 3e-6, "{bone:?} {:?}", from.get(bone));
            }
        }

        #[test]
        fn both_widths_give_the_same_bits(
            base in rotations(), a in rotations(), b in rotations(), weight in 0.0f32..1.0, fraction in 0.0f32..1.0
        ) {
            let share = Share::new(weight);
            let (start, slope) = (vectors(&a), vectors(&b));
            let fade = Fade { start: &start, slope: &slope, p: 0.3, q: 0.1 };
            let whole = Share::new(1.0);
            let lanes = mask(BoneSet::ARMS);
            let all = mask(BoneSet::ALL);
            let plain = Term { from: &a, to: &b, fraction, seam: None, share: &whole, mask: &all, fade: None };
            let terms = [plain, Term { share: &share, ..plain }, Term { seam: Some(fade), fade: Some(fade), mask: &lanes, ..plain }];
            let (mut wide, mut narrow) = (Rotations::IDENTITY, Rotations::IDENTITY);
            compose(&base, &terms, &mut wide);
            compose_portable(&base, &terms, &mut narrow);
            prop_assert_eq!(bits(&wide), bits(&narrow));

            let rest = [Vec3::new(0.1, 0.2, 0.3); Bone::COUNT];
            let mut matrices = [[[[0.0; 4]; 3]; Bone::COUNT]; 2];
            let [wide_model, narrow_model] = &mut matrices;
            model(&wide, &rest, Vec3::Y, wide_model);
            model_portable(&narrow, &rest, Vec3::Y, narrow_model);
            prop_assert_eq!(wide_model.as_flattened().as_flattened(), narrow_model.as_flattened().as_flattened());
        }

        #[test]
        fn layers_multiply_in_order(base in rotations(), a in rotations(), b in rotations()) {
            let (whole, all, arms) = (Share::new(1.0), mask(BoneSet::ALL), mask(BoneSet::ARMS));
            let first = Term { from: &a, to: &a, fraction: 0.0, seam: None, share: &whole, mask: &all, fade: None };
            let second = Term { from: &b, to: &b, mask: &arms, ..first };
            let mut out = Rotations::IDENTITY;
            compose(&base, &[first, second], &mut out);
            for bone in Bone::ALL {
                let mut expected = base.get(bone) * a.get(bone);
                if BoneSet::ARMS.contains(bone) {
                    expected *= b.get(bone);
                }
                prop_assert!(angle_between(out.get(bone), expected) < 3e-6);
            }
        }

        #[test]
        fn a_fade_is_the_exponential_of_its_vector(q in rotation(), p in 0.0f32..1.0) {
            let r = crate::math::rotation_vector(q);
            let mut start = Vectors::ZERO;
            start.set(Bone::Head, r);
            let mut delta = Rotations::IDENTITY;
            apply_fade(&Fade { start: &start, slope: &Vectors::ZERO, p, q: 0.0 }, &mut delta);
            let expected = crate::math::from_rotation_vector(r * p);
            prop_assert!(angle_between(delta.get(Bone::Head), expected) < 3e-6);
        }
    }

    fn vectors(q: &Rotations) -> Vectors {
        Vectors { x: q.x, y: q.y, z: q.z }
    }

    fn bits(q: &Rotations) -> Vec<u32> {
        [q.x, q.y, q.z, q.w].iter().flatten().map(|v| v.to_bits()).collect()
    }

    #[test]
    fn a_share_stays_continuous_beyond_half_a_turn() {
        let share = Share::new(0.4);
        let mut before = None::<Quat>;
        for step in 0..=3400 {
            let angle = step as f32 * 0.1_f32.to_radians();
            let mut delta = Rotations::IDENTITY;
            delta.set(
                Bone::Head,
                Quat::from_xyzw(crate::math::sin32(angle / 2.0), 0.0, 0.0, crate::math::cos32(angle / 2.0)),
            );
            take_share(&share, &mut delta);
            let found = delta.get(Bone::Head);
            if let Some(before) = before {
                assert!(angle_between(before, found) < 0.05_f32.to_radians(), "at {}°", angle.to_degrees());
            }
            before = Some(found);
        }
    }
}
