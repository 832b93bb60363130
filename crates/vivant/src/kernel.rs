//! SIMD inner loops for composing poses and computing model-space matrices.
//!
//! Each loop is written once, over a vector of `N` numbers ([`Wide`]), and compiled twice: with eight lanes for AVX2,
//! chosen at run time, and with four lanes. Vectors of four are plain arrays, which the compiler turns into SSE2 or
//! NEON; in WASM they use WASM SIMD instructions. The loops only add, multiply, divide and take square roots, which
//! IEEE 754 defines to the last bit. Nothing fuses a multiplication with an addition or approximates a reciprocal, so
//! all versions give the same bits.
//!
//! This is the only module of the engine with `unsafe` code: AVX2 instructions, in functions that are called only
//! after AVX2 was detected, and loads and stores of WASM SIMD.

#![allow(unsafe_code)]

use crate::pose::{LANES, Rotations};
use crate::rig::{Bone, BoneSet};
use glam::Vec3;

/// A vector of `N` numbers with the operations that are exact on every processor.
trait Wide<const N: usize>: Copy {
    fn load(from: &[f32; N]) -> Self;
    fn store(self, to: &mut [f32; N]);
    fn splat(value: f32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Returns the larger number in each lane, or the number of `other` if both are equal or one is NaN.
    fn max(self, other: Self) -> Self;
    /// Returns one where the corresponding bit of `bits` is set, zero elsewhere.
    fn ones(bits: u8) -> Self;
    /// Returns true if any lane of the four vectors is −0.
    fn has_negative_zero(all: [Self; 4]) -> bool;
    /// Transposes four columns into `N` rows.
    fn interleave(columns: [Self; 4], rows: &mut [[f32; 4]; N]);
}

/// The bit pattern of −0.
const NEGATIVE_ZERO: u32 = 1 << 31;

/// Lane masks for vectors of four: one where a bit of the index is set, zero elsewhere.
static ONES: [[f32; 4]; 16] = {
    let mut rows = [[0.0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        let (bits, lane) = (i / 4, i % 4);
        rows[bits][lane] = (bits >> lane & 1) as f32;
        i += 1;
    }
    rows
};

/// Four numbers in a plain array.
#[cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(dead_code, reason = "tests compare with it")
)]
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Portable([f32; 4]);

#[cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(dead_code, reason = "tests compare with it")
)]
impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = self.0;
        for (a, b) in out.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        Self(out)
    }
}

impl Wide<4> for Portable {
    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        *to = self.0;
    }
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn ones(bits: u8) -> Self {
        Self::load(&ONES[usize::from(bits & 15)])
    }
    #[inline(always)]
    fn has_negative_zero(all: [Self; 4]) -> bool {
        let mut found = false;
        for number in all.iter().flat_map(|some| some.0) {
            found |= number.to_bits() == NEGATIVE_ZERO;
        }
        found
    }
    #[inline(always)]
    fn interleave([a, b, c, d]: [Self; 4], rows: &mut [[f32; 4]; 4]) {
        for (i, row) in rows.iter_mut().enumerate() {
            *row = [a.0[i], b.0[i], c.0[i], d.0[i]];
        }
    }
}

/// Eight numbers in an AVX register.
///
/// The methods must only be called from functions with AVX2 enabled, into which they are inlined.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Wide;
    use std::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(super) struct Avx(__m256);

    // SAFETY (all blocks): values of this type are created only within `compose_avx2` and `model_avx2`, which are
    // called only after AVX2 was detected. Pointers come from references to eight floats, and loads and stores are
    // unaligned.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "see above")]
    impl Wide<8> for Avx {
        #[inline(always)]
        fn load(from: &[f32; 8]) -> Self {
            Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, to: &mut [f32; 8]) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            Self(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(unsafe { _mm256_sqrt_ps(self.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn ones(bits: u8) -> Self {
            Self(unsafe {
                let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let set = _mm256_and_si256(_mm256_set1_epi32(i32::from(bits)), each);
                _mm256_and_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, each)), _mm256_set1_ps(1.0))
            })
        }
        #[inline(always)]
        fn has_negative_zero([a, b, c, d]: [Self; 4]) -> bool {
            unsafe {
                let it = _mm256_set1_epi32(super::NEGATIVE_ZERO.cast_signed());
                let a = _mm256_cmpeq_epi32(_mm256_castps_si256(a.0), it);
                let b = _mm256_cmpeq_epi32(_mm256_castps_si256(b.0), it);
                let c = _mm256_cmpeq_epi32(_mm256_castps_si256(c.0), it);
                let d = _mm256_cmpeq_epi32(_mm256_castps_si256(d.0), it);
                let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
                _mm256_movemask_epi8(any) != 0
            }
        }
        #[inline(always)]
        fn interleave([a, b, c, d]: [Self; 4], rows: &mut [[f32; 4]; 8]) {
            let pairs = unsafe {
                let (ab_low, ab_high) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpackhi_ps(a.0, b.0));
                let (cd_low, cd_high) = (_mm256_unpacklo_ps(c.0, d.0), _mm256_unpackhi_ps(c.0, d.0));
                [
                    _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
                    _mm256_shuffle_ps::<0xee>(ab_low, cd_low),
                    _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
                    _mm256_shuffle_ps::<0xee>(ab_high, cd_high),
                ]
            };
            for (i, pair) in pairs.into_iter().enumerate() {
                unsafe {
                    _mm_storeu_ps(rows[i].as_mut_ptr(), _mm256_castps256_ps128(pair));
                    _mm_storeu_ps(rows[i + 4].as_mut_ptr(), _mm256_extractf128_ps::<1>(pair));
                }
            }
        }
    }
}

/// Four numbers in a WASM SIMD register.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use super::Wide;
    use std::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub(super) struct Simd(v128);

    impl Wide<4> for Simd {
        #[inline(always)]
        fn load(from: &[f32; 4]) -> Self {
            // SAFETY: the pointer comes from a reference to four floats, and WASM allows any alignment.
            Self(unsafe { v128_load(from.as_ptr().cast()) })
        }
        #[inline(always)]
        fn store(self, to: &mut [f32; 4]) {
            // SAFETY: as above.
            unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(f32x4_splat(value))
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(f32x4_add(self.0, other.0))
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(f32x4_sub(self.0, other.0))
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Self(f32x4_mul(self.0, other.0))
        }
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            Self(f32x4_div(self.0, other.0))
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(f32x4_sqrt(self.0))
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // `pmax` returns its second argument if that is greater than the first.
            Self(f32x4_pmax(other.0, self.0))
        }
        #[inline(always)]
        fn ones(bits: u8) -> Self {
            Self::load(&super::ONES[usize::from(bits & 15)])
        }
        #[inline(always)]
        fn has_negative_zero([a, b, c, d]: [Self; 4]) -> bool {
            let it = u32x4_splat(super::NEGATIVE_ZERO);
            let (a, b) = (i32x4_eq(a.0, it), i32x4_eq(b.0, it));
            let (c, d) = (i32x4_eq(c.0, it), i32x4_eq(d.0, it));
            v128_any_true(v128_or(v128_or(a, b), v128_or(c, d)))
        }
        #[inline(always)]
        fn interleave([a, b, c, d]: [Self; 4], rows: &mut [[f32; 4]; 4]) {
            let (ab_low, ab_high) =
                (i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0), i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0));
            let (cd_low, cd_high) =
                (i32x4_shuffle::<0, 4, 1, 5>(c.0, d.0), i32x4_shuffle::<2, 6, 3, 7>(c.0, d.0));
            let each = [
                i64x2_shuffle::<0, 2>(ab_low, cd_low),
                i64x2_shuffle::<1, 3>(ab_low, cd_low),
                i64x2_shuffle::<0, 2>(ab_high, cd_high),
                i64x2_shuffle::<1, 3>(ab_high, cd_high),
            ];
            for (row, four) in rows.iter_mut().zip(each) {
                Self(four).store(row);
            }
        }
    }
}

/// The vector type that every processor of the target supports.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Baseline = simd128::Simd;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
type Baseline = Portable;

/// One value per bone.
pub(crate) type Lanes = [f32; LANES];

/// Returns true if the set contains a bone of the group of eight that the block belongs to. The groups are the same
/// at every vector width, so all widths skip the same work and give the same bits.
#[inline(always)]
fn group_has_bones<const N: usize>(bones: BoneSet, block: usize) -> bool {
    (bones.bits() >> (block * N / 8 * 8)) as u8 != 0
}

/// Returns one for bones in the set and zero for all others.
#[inline(always)]
fn ones<W: Wide<N>, const N: usize>(bones: BoneSet, block: usize) -> W {
    W::ones((bones.bits() >> (block * N)) as u8)
}

/// A weight, prepared for slerp from the identity.
///
/// A rotation by 2α has the quaternion (v̂·sin α, cos α); a fraction w of it has (v̂·sin wα, cos wα). With β = α/2
/// and y = cos β − 1, both cos(tβ) and sin(tβ)/sin β for t = 2w are power series in y whose coefficients depend on
/// the weight alone (hypergeometric: ₂F₁(−t, t; ½; −y/2) and t·₂F₁(1−t, 1+t; 3/2; −y/2)). So a slerp costs a square
/// root, a division and two polynomials, without branches. Up to half a turn |y| < 0.3, and eight terms are exact
/// to an f32. Beyond half a turn the result continues in the same direction of rotation, to within 0.1°, so that an
/// offset that passes half a turn does not jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlerpWeight {
    weight: f32,
    cosine: [f32; SlerpWeight::TERMS],
    sine: [f32; SlerpWeight::TERMS],
}

impl SlerpWeight {
    const TERMS: usize = 8;

    pub(crate) fn new(weight: f32) -> Self {
        let t = 2.0 * f64::from(weight);
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

/// Evaluates a cubic polynomial with Estrin's scheme: as many operations as Horner's rule, but a dependency chain
/// half as long.
#[inline(always)]
fn cubic<W: Wide<N>, const N: usize>(c: &[f32; 4], x: W) -> W {
    let low = W::splat(c[0]).add(W::splat(c[1]).mul(x));
    let high = W::splat(c[2]).add(W::splat(c[3]).mul(x));
    low.add(high.mul(x.mul(x)))
}

/// Evaluates a polynomial of degree seven with Estrin's scheme.
#[inline(always)]
fn septic<W: Wide<N>, const N: usize>(c: &[f32; 8], x: W) -> W {
    let square = x.mul(x);
    let high = cubic(&[c[4], c[5], c[6], c[7]], x);
    cubic(&[c[0], c[1], c[2], c[3]], x).add(high.mul(square.mul(square)))
}

/// One vector per bone: rest positions in metres, or rotation vectors of a cross-fade.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Vectors {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) z: Lanes,
}

impl Vectors {
    pub(crate) const ZERO: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES] };

    pub(crate) fn get(&self, bone: Bone) -> Vec3 {
        let i = bone.index();
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }

    pub(crate) fn set(&mut self, bone: Bone, value: Vec3) {
        let i = bone.index();
        (self.x[i], self.y[i], self.z[i]) = (value.x, value.y, value.z);
    }
}

/// An offset that decays from an initial rotation vector and its velocity: `start`·p + `slope`·q.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fade<'a> {
    pub(crate) start: &'a Vectors,
    pub(crate) slope: &'a Vectors,
    /// The bones that the fade moves; `start` and `slope` are zero for all others.
    pub(crate) bones: BoneSet,
    pub(crate) p: f32,
    pub(crate) q: f32,
}

/// One layer at one instant: two neighbouring frames of offsets, the remaining offsets of the cross-fades, the weight
/// and the mask of the layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term<'a> {
    /// True if the layer adds nothing.
    pub(crate) is_silent: bool,
    pub(crate) from: &'a Rotations,
    pub(crate) to: &'a Rotations,
    pub(crate) fraction: f32,
    /// Expression weights of the two frames, padded to whole vectors; may be empty.
    pub(crate) weights: [&'a [f32]; 2],
    /// The decaying offset that hides the jump from a loop's end to its start.
    pub(crate) seam: Option<Fade<'a>>,
    pub(crate) share: &'a SlerpWeight,
    pub(crate) mask: BoneSet,
    /// The decaying offset from the layer's previous motion.
    pub(crate) fade: Option<Fade<'a>>,
}

/// Largest rotation of a bone between two neighbouring frames that [`compose`] accepts, in degrees.
pub(crate) const MAX_STEP_DEGREES: f32 = 20.0;

/// Composes layers over a base pose, in order: base · δ₁ · δ₂ · …, normalised. Adds their expression weights to
/// `weights`.
pub(crate) fn compose(base: &Rotations, terms: &[Term<'_>], out: &mut Rotations, weights: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was just detected, and the function needs nothing else.
        return unsafe { compose_avx2(base, terms, out, weights) };
    }
    compose_wide::<Baseline, 4>(base, terms, out, weights);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn compose_avx2(base: &Rotations, terms: &[Term<'_>], out: &mut Rotations, weights: &mut [f32]) {
    compose_wide::<avx2::Avx, 8>(base, terms, out, weights);
}

// The functions below use no closures: the compiler may leave a closure out of line, where AVX2 is not enabled.

#[inline(always)]
fn compose_wide<W: Wide<N>, const N: usize>(
    base: &Rotations,
    terms: &[Term<'_>],
    out: &mut Rotations,
    weights: &mut [f32],
) {
    for block in 0..blocks::<N>() {
        let mut pose = Quaternions::<W, N>::load(base, block);
        for term in terms {
            if !term.is_silent {
                pose = apply_offset(pose, term, block);
            }
        }
        pose.normalised().store(out, block);
    }
    for term in terms {
        if !term.is_silent {
            add_weights::<W, N>(term, weights);
        }
    }
}

/// Multiplies a pose by the offset of a term. Most terms move only some of the bones; if a term moves no bone of the
/// block, its motion is not read.
///
/// Outside its mask a term is a product with the identity. That leaves all bits of a pose unchanged except the sign
/// of a zero, so a pose with negative zeros is always multiplied.
#[inline(always)]
fn apply_offset<W: Wide<N>, const N: usize>(
    pose: Quaternions<W, N>,
    term: &Term<'_>,
    block: usize,
) -> Quaternions<W, N> {
    if group_has_bones::<N>(term.mask, block) || pose.has_negative_zero() {
        return pose.times(offset(term, block));
    }
    match &term.fade {
        Some(fade) if group_has_bones::<N>(fade.bones, block) => pose.times(exponential(fade, block)),
        _ => pose,
    }
}

/// Returns the offset of a term for the bones of a block. At full weight and without fades the offset is not
/// normalised here, because [`compose`] normalises the final pose.
#[inline(always)]
fn offset<W: Wide<N>, const N: usize>(term: &Term<'_>, block: usize) -> Quaternions<W, N> {
    match (term.share.weight == 1.0, term.seam.is_none() && term.fade.is_none()) {
        (true, true) => delta::<W, N, false, false>(term, block),
        (false, true) => delta::<W, N, true, false>(term, block),
        _ => delta::<W, N, true, true>(term, block),
    }
}

#[inline(always)]
fn delta<W: Wide<N>, const N: usize, const SHARED: bool, const FADED: bool>(
    term: &Term<'_>,
    block: usize,
) -> Quaternions<W, N> {
    let (from, to) = (Quaternions::<W, N>::load(term.from, block), Quaternions::<W, N>::load(term.to, block));
    let mut delta = from.lerp(to, W::splat(term.fraction));
    if SHARED {
        delta = delta.normalised();
    }
    // The seam is part of the motion, so it comes before weight and mask. The fade contains everything that the
    // layer did before, so it comes after them.
    if let (true, Some(seam)) = (FADED, &term.seam) {
        delta = exponential::<W, N>(seam, block).times(delta);
    }
    if SHARED {
        delta = delta.share(term.share);
    }
    if term.mask != BoneSet::ALL {
        delta = delta.masked(ones(term.mask, block));
    }
    if let (true, Some(fade)) = (FADED, &term.fade) {
        delta = exponential::<W, N>(fade, block).times(delta);
    }
    delta
}

/// Number of vectors that hold all bones.
const fn blocks<const N: usize>() -> usize {
    LANES / N
}

#[inline(always)]
fn lanes<const N: usize>(all: &Lanes, block: usize) -> &[f32; N] {
    &all.as_chunks().0[block]
}

#[inline(always)]
fn lanes_mut<const N: usize>(all: &mut Lanes, block: usize) -> &mut [f32; N] {
    &mut all.as_chunks_mut().0[block]
}

/// The quaternions of `N` bones.
#[derive(Clone, Copy)]
struct Quaternions<W, const N: usize> {
    x: W,
    y: W,
    z: W,
    w: W,
}

impl<W: Wide<N>, const N: usize> Quaternions<W, N> {
    #[inline(always)]
    fn load(from: &Rotations, block: usize) -> Self {
        Self {
            x: W::load(lanes(&from.x, block)),
            y: W::load(lanes(&from.y, block)),
            z: W::load(lanes(&from.z, block)),
            w: W::load(lanes(&from.w, block)),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut Rotations, block: usize) {
        self.x.store(lanes_mut(&mut to.x, block));
        self.y.store(lanes_mut(&mut to.y, block));
        self.z.store(lanes_mut(&mut to.z, block));
        self.w.store(lanes_mut(&mut to.w, block));
    }

    #[inline(always)]
    fn has_negative_zero(self) -> bool {
        W::has_negative_zero([self.x, self.y, self.z, self.w])
    }

    /// Interpolates linearly towards another quaternion, without normalising.
    #[inline(always)]
    fn lerp(self, to: Self, t: W) -> Self {
        Self {
            x: self.x.add(t.mul(to.x.sub(self.x))),
            y: self.y.add(t.mul(to.y.sub(self.y))),
            z: self.z.add(t.mul(to.z.sub(self.z))),
            w: self.w.add(t.mul(to.w.sub(self.w))),
        }
    }

    #[inline(always)]
    fn times(self, b: Self) -> Self {
        let a = self;
        Self {
            x: a.w.mul(b.x).add(a.x.mul(b.w)).add(a.y.mul(b.z)).sub(a.z.mul(b.y)),
            y: a.w.mul(b.y).add(a.y.mul(b.w)).add(a.z.mul(b.x)).sub(a.x.mul(b.z)),
            z: a.w.mul(b.z).add(a.z.mul(b.w)).add(a.x.mul(b.y)).sub(a.y.mul(b.x)),
            w: a.w.mul(b.w).sub(a.x.mul(b.x)).sub(a.y.mul(b.y)).sub(a.z.mul(b.z)),
        }
    }

    /// Normalises quaternions whose squared length is slightly below one.
    ///
    /// Uses the series of 1/√(1−e), exact to an f32 up to e = 0.025. Neighbouring frames are close together
    /// (`MAX_STEP_DEGREES`), so a point on the chord between two of them has e < 0.008, and the product of three
    /// such points e < 0.023.
    #[inline(always)]
    fn normalised(self) -> Self {
        const SERIES: [f32; 4] = [1.0, 0.5, 3.0 / 8.0, 5.0 / 16.0];
        let Self { x, y, z, w } = self;
        let square = x.mul(x).add(y.mul(y)).add(z.mul(z)).add(w.mul(w));
        let scale = cubic(&SERIES, W::splat(1.0).sub(square));
        Self { x: x.mul(scale), y: y.mul(scale), z: z.mul(scale), w: w.mul(scale) }
    }

    /// Interpolates (slerp) from the identity to unit quaternions; see [`SlerpWeight`].
    #[inline(always)]
    fn share(self, share: &SlerpWeight) -> Self {
        let one = W::splat(1.0);
        let half = one.add(self.w).max(W::splat(0.0)).mul(W::splat(0.5)).sqrt();
        let away = half.sub(one);
        // sin α = sin β · 2·cos β; at 360° the last factor is zero, and so is the vector.
        let scale = septic(&share.sine, away).div(half.add(half).max(W::splat(1e-12)));
        let w = septic(&share.cosine, away);
        Self { x: self.x.mul(scale), y: self.y.mul(scale), z: self.z.mul(scale), w }
    }

    /// Returns the quaternions where the mask is one, and the identity where it is zero.
    #[inline(always)]
    fn masked(self, mask: W) -> Self {
        let one = W::splat(1.0);
        let w = self.w.sub(one).mul(mask).add(one);
        Self { x: self.x.mul(mask), y: self.y.mul(mask), z: self.z.mul(mask), w }
    }
}

/// Returns exp(start·p + slope·q). The Taylor series are exact to an f32 for vectors up to 180° and stay finite
/// beyond.
#[inline(always)]
fn exponential<W: Wide<N>, const N: usize>(fade: &Fade<'_>, block: usize) -> Quaternions<W, N> {
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
    let (p, q) = (W::splat(fade.p * 0.5), W::splat(fade.q * 0.5));
    let (start, slope) = (fade.start, fade.slope);
    let x = W::load(lanes(&start.x, block)).mul(p).add(W::load(lanes(&slope.x, block)).mul(q));
    let y = W::load(lanes(&start.y, block)).mul(p).add(W::load(lanes(&slope.y, block)).mul(q));
    let z = W::load(lanes(&start.z, block)).mul(p).add(W::load(lanes(&slope.z, block)).mul(q));
    let square = x.mul(x).add(y.mul(y)).add(z.mul(z));
    let scale = septic(&SINE, square);
    Quaternions { x: x.mul(scale), y: y.mul(scale), z: z.mul(scale), w: septic(&COSINE, square) }
}

/// Adds weight · (a + fraction · (b − a)) to `out`, where a and b are the expression weights of the term's two
/// frames.
#[inline(always)]
fn add_weights<W: Wide<N>, const N: usize>(term: &Term<'_>, out: &mut [f32]) {
    let out = out.as_chunks_mut::<N>().0;
    let (a, b) = (term.weights[0].as_chunks::<N>().0, term.weights[1].as_chunks::<N>().0);
    let (t, gain) = (W::splat(term.fraction), W::splat(term.share.weight));
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let a = W::load(a);
        let between = a.add(t.mul(W::load(b).sub(a)));
        W::load(out).add(gain.mul(between)).store(out);
    }
}

/// Writes rotations as rows of x, y, z and w.
pub(crate) fn interleave(from: &Rotations, to: &mut [[f32; 4]; LANES]) {
    for (block, rows) in to.as_chunks_mut().0.iter_mut().enumerate() {
        let Quaternions { x, y, z, w } = Quaternions::<Baseline, 4>::load(from, block);
        Baseline::interleave([x, y, z, w], rows);
    }
}

/// A transform from bone space to humanoid space: three rows of four; the last column is the translation in metres.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Index of each bone's parent; the root is its own parent.
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

/// Computes model-space matrices from local rotations, rest translations and the position of the root.
pub(crate) fn model(rotations: &Rotations, rest: &Vectors, root: Vec3, out: &mut [Matrix; Bone::COUNT]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was just detected, and the function needs nothing else.
        return unsafe { model_avx2(rotations, rest, root, out) };
    }
    model_wide::<Baseline, 4>(rotations, rest, root, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn model_avx2(rotations: &Rotations, rest: &Vectors, root: Vec3, out: &mut [Matrix; Bone::COUNT]) {
    model_wide::<avx2::Avx, 8>(rotations, rest, root, out);
}

#[inline(always)]
fn model_wide<W: Wide<N>, const N: usize>(
    rotations: &Rotations,
    rest: &Vectors,
    root: Vec3,
    out: &mut [Matrix; Bone::COUNT],
) {
    // The root has no parent: it is multiplied with its own matrix, which is still the identity.
    out[0] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let mut local = [[[0.0; 4]; N]; 3];
    for block in 0..blocks::<N>() {
        local_rows::<W, N>(rotations, rest, block, &mut local);
        if block == 0 {
            [local[0][0][3], local[1][0][3], local[2][0][3]] = root.to_array();
        }
        let first = N * block;
        for lane in 0..N.min(Bone::COUNT - first) {
            let rows = [local[0][lane], local[1][lane], local[2][lane]];
            out[first + lane] = multiply(&out[PARENTS[first + lane]], &rows);
        }
    }
}

/// Computes the matrices of `N` bones in their parents' space: all first rows, then all second and third rows.
#[inline(always)]
fn local_rows<W: Wide<N>, const N: usize>(
    q: &Rotations,
    rest: &Vectors,
    block: usize,
    rows: &mut [[[f32; 4]; N]; 3],
) {
    let Quaternions { x, y, z, w } = Quaternions::<W, N>::load(q, block);
    let (x2, y2, z2) = (x.add(x), y.add(y), z.add(z));
    let (xx, yy, zz) = (x.mul(x2), y.mul(y2), z.mul(z2));
    let (xy, xz, yz) = (x.mul(y2), x.mul(z2), y.mul(z2));
    let (wx, wy, wz) = (w.mul(x2), w.mul(y2), w.mul(z2));
    let one = W::splat(1.0);
    let (xx, yy, zz) = (one.sub(yy.add(zz)), one.sub(xx.add(zz)), one.sub(xx.add(yy)));
    let (tx, ty, tz) = (lanes(&rest.x, block), lanes(&rest.y, block), lanes(&rest.z, block));
    W::interleave([xx, xy.sub(wz), xz.add(wy), W::load(tx)], &mut rows[0]);
    W::interleave([xy.add(wz), yy, yz.sub(wx), W::load(ty)], &mut rows[1]);
    W::interleave([xz.sub(wy), yz.add(wx), zz, W::load(tz)], &mut rows[2]);
}

/// Multiplies two transforms, one row of four at a time.
#[inline(always)]
fn multiply(above: &Matrix, local: &Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 3];
    for (out, above) in out.iter_mut().zip(above) {
        let place = [0.0, 0.0, 0.0, above[3]];
        for c in 0..4 {
            out[c] = above[0] * local[0][c] + (above[1] * local[1][c] + (above[2] * local[2][c] + place[c]));
        }
    }
    out
}

/// Asks the processor to load a value into its caches before it is needed. Results do not change. Does nothing on
/// processors other than x86-64.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE_BYTES: usize = 64;
        let start = std::ptr::from_ref(value).cast::<i8>();
        for offset in (0..size_of::<T>()).step_by(LINE_BYTES) {
            // SAFETY: every x86-64 processor has the instruction, and it neither faults nor writes.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::angle_between;
    use crate::pose::{share, tests::rotation};
    use glam::Quat;
    use proptest::prelude::*;

    /// The block that contains the head.
    const HEAD: usize = Bone::Head as usize / 4;

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
            let delta = share_of(&SlerpWeight::new(weight), &from);
            for bone in Bone::ALL {
                let expected = share(from.get(bone), weight);
                let found = delta.get(bone);
                prop_assert!((found.length() - 1.0).abs() < 2e-6);
                prop_assert!(angle_between(found, expected) < 3e-6, "{bone:?} {:?}", from.get(bone));
            }
        }

        #[test]
        fn both_widths_give_the_same_bits(
            base in rotations(), a in rotations(), c in rotations(), weight in 0.0f32..1.0, fraction in 0.0f32..1.0
        ) {
            let b = share_of(&SlerpWeight::new(0.95), &a);
            let share = SlerpWeight::new(weight);
            let row: [f32; 16] = std::array::from_fn(|i| a.x[i]);
            let (start, slope) = (vectors(&a), vectors(&c));
            let fade = Fade { start: &start, slope: &slope, bones: BoneSet::ALL, p: 0.3, q: 0.1 };
            let whole = SlerpWeight::new(1.0);
            let (arms, all) = (BoneSet::ARMS, BoneSet::ALL);
            let plain = Term { is_silent: false, from: &a, to: &b, fraction, weights: [&row; 2], seam: None, share: &whole, mask: all, fade: None };
            let terms = [plain, Term { share: &share, ..plain }, Term { seam: Some(fade), fade: Some(fade), mask: arms, ..plain }];
            let (mut wide, mut narrow) = (Rotations::IDENTITY, Rotations::IDENTITY);
            let mut weights = [[0.0; 16]; 2];
            compose(&base, &terms, &mut wide, &mut weights[0]);
            compose_wide::<Baseline, 4>(&base, &terms, &mut narrow, &mut weights[1]);
            prop_assert_eq!(bits(&wide), bits(&narrow));
            prop_assert_eq!(weights[0], weights[1]);

            let rest = Vectors { x: [0.1; LANES], y: [0.2; LANES], z: [0.3; LANES] };
            let mut matrices = [[[[0.0; 4]; 3]; Bone::COUNT]; 2];
            let [wide_model, narrow_model] = &mut matrices;
            model(&wide, &rest, Vec3::Y, wide_model);
            model_wide::<Baseline, 4>(&narrow, &rest, Vec3::Y, narrow_model);
            prop_assert_eq!(wide_model.as_flattened().as_flattened(), narrow_model.as_flattened().as_flattened());
        }

        #[test]
        fn bones_outside_a_mask_keep_all_bits(
            base in rotations(), a in rotations(), c in rotations(), zeros in prop::collection::vec(0usize..LANES, 0..20),
            mask in prop::sample::select(vec![BoneSet::EMPTY, BoneSet::HEAD, BoneSet::LEGS, BoneSet::LEFT_ARM]),
            fades in prop::sample::select(vec![BoneSet::EMPTY, BoneSet::SPINE, BoneSet::RIGHT_ARM]), is_fading in any::<bool>()
        ) {
            let (mut base, whole, mut start) = (base, SlerpWeight::new(1.0), Vectors::ZERO);
            zeros.iter().for_each(|lane| base.y[*lane] = -0.0);
            fades.iter().for_each(|bone| start.set(bone, vectors(&c).get(bone)));
            let fade = is_fading.then_some(Fade { start: &start, slope: &Vectors::ZERO, bones: fades, p: 0.3, q: 0.1 });
            let term = Term { is_silent: false, from: &a, to: &a, fraction: 0.0, weights: [&[]; 2], seam: None, share: &whole, mask, fade };
            let (mut found, mut expected) = (Rotations::IDENTITY, Rotations::IDENTITY);
            compose(&base, &[term], &mut found, &mut []);
            for block in 0..blocks::<4>() {
                let pose = Quaternions::<Baseline, 4>::load(&base, block);
                pose.times(offset(&term, block)).normalised().store(&mut expected, block);
            }
            prop_assert_eq!(bits(&found), bits(&expected));
        }

        #[test]
        fn layers_multiply_in_order(base in rotations(), a in rotations(), b in rotations()) {
            let (whole, all, arms) = (SlerpWeight::new(1.0), BoneSet::ALL, BoneSet::ARMS);
            let first = Term { is_silent: false, from: &a, to: &a, fraction: 0.0, weights: [&[]; 2], seam: None, share: &whole, mask: all, fade: None };
            let second = Term { from: &b, to: &b, mask: arms, ..first };
            let mut out = Rotations::IDENTITY;
            compose(&base, &[first, second], &mut out, &mut []);
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
            let fade = Fade { start: &start, slope: &Vectors::ZERO, bones: BoneSet::ALL, p, q: 0.0 };
            let mut found = Rotations::IDENTITY;
            exponential::<Portable, 4>(&fade, HEAD).store(&mut found, HEAD);
            let expected = crate::math::from_rotation_vector(r * p);
            prop_assert!(angle_between(found.get(Bone::Head), expected) < 3e-6);
        }
    }

    fn share_of(share: &SlerpWeight, of: &Rotations) -> Rotations {
        let mut out = Rotations::IDENTITY;
        for block in 0..blocks::<4>() {
            Quaternions::<Portable, 4>::load(of, block).share(share).store(&mut out, block);
        }
        out
    }

    fn vectors(q: &Rotations) -> Vectors {
        Vectors { x: q.x, y: q.y, z: q.z }
    }

    fn bits(q: &Rotations) -> Vec<u32> {
        [q.x, q.y, q.z, q.w].iter().flatten().map(|v| v.to_bits()).collect()
    }

    #[test]
    fn the_chord_between_the_farthest_frames_is_normalised() {
        let shortest = crate::math::cos32((MAX_STEP_DEGREES / 4.0).to_radians());
        for length in [shortest, shortest * shortest * shortest] {
            let mut q = Rotations { w: [length; LANES], ..Rotations::IDENTITY };
            Quaternions::<Portable, 4>::load(&q, HEAD).normalised().store(&mut q, HEAD);
            assert!((q.get(Bone::Head).length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_share_stays_continuous_beyond_half_a_turn() {
        let share = SlerpWeight::new(0.4);
        let mut before = None::<Quat>;
        for step in 0..=3400 {
            let angle = step as f32 * 0.1_f32.to_radians();
            let mut delta = Rotations::IDENTITY;
            delta.set(
                Bone::Head,
                Quat::from_xyzw(crate::math::sin32(angle / 2.0), 0.0, 0.0, crate::math::cos32(angle / 2.0)),
            );
            let found = share_of(&share, &delta).get(Bone::Head);
            if let Some(before) = before {
                assert!(angle_between(before, found) < 0.05_f32.to_radians(), "at {}°", angle.to_degrees());
            }
            before = Some(found);
        }
    }
}
