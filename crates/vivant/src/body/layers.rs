//! Body, arms and head layers, composed additively (paper 4, section 5).
//!
//! | layer | moves |
//! | --- | --- |
//! | body | head, spine, legs |
//! | arms | head, spine, arms |
//! | head | head, spine |
//!
//! With masks alone, the effect of a gesture on the spine would be lost. So each layer adds its offset to the pose
//! below it: Q = Q_base · δ_body · δ_arms · δ_head.
//!
//! A layer changes its playback at an exact time. The old pose and velocity become an offset that fades to zero by a
//! polynomial of degree five. So an interruption never causes a jump, and the state of a layer depends only on its
//! last event and the time.

use crate::body::graph::names;
use crate::body::library::{Library, Motion, ROOT};
use crate::kernel::{self, Fade, SlerpWeight, Term, Vectors};
use crate::math::{fast_max, fast_min, rotation_vector};
use crate::pose::Rotations;
use crate::rig::{Bone, BoneSet};
use glam::{Quat, Vec3};
use serde::{Deserialize, Deserializer, Serialize};

/// A layer; variants are in the order of composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    /// Stances and weight shifts.
    Body,
    /// Gestures and fidgets of the arms.
    Arms,
    /// Nods, shakes and tilts.
    Head,
}

impl Layer {
    /// All layers, in the order of composition.
    pub const ALL: [Self; 3] = [Self::Body, Self::Arms, Self::Head];

    /// Name of the layer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Arms => "arms",
            Self::Head => "head",
        }
    }

    /// Returns the layer with this name, ignoring case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| names::is_same(layer.name(), name))
    }

    /// Bones that the layer moves, unless a clip has its own mask.
    #[must_use]
    pub const fn influence(self) -> BoneSet {
        match self {
            Self::Body => BoneSet::HEAD.union(BoneSet::SPINE).union(BoneSet::LEGS),
            Self::Arms => BoneSet::HEAD.union(BoneSet::SPINE).union(BoneSet::ARMS),
            Self::Head => BoneSet::HEAD.union(BoneSet::SPINE),
        }
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        names::deserialize(deserializer, Self::from_name, &["body", "arms", "head"])
    }
}

/// A set of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LayerSet(u8);

impl LayerSet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns true if the layer is in the set.
    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 & 1 << layer as u8 != 0
    }

    /// Returns true if all layers of this set are in `other`.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns true if the sets have a layer in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the layers that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the first layer in the order of composition.
    #[must_use]
    pub fn first(self) -> Option<Layer> {
        self.iter().next()
    }

    /// Iterates over the layers in the order of composition.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |layer| self.contains(*layer))
    }
}

impl FromIterator<Layer> for LayerSet {
    fn from_iter<I: IntoIterator<Item = Layer>>(layers: I) -> Self {
        Self(layers.into_iter().fold(0, |set, layer| set | 1 << layer as u8))
    }
}

/// Minimum cross-fade in seconds: a shorter one would look like a jump.
pub const MIN_BLEND_SECS: f64 = 0.05;

/// Maximum joint speed that continues during a cross-fade, in radians per second. Only a glitch in a recording is
/// faster.
const MAX_CARRIED_SPEED: f32 = 12.0;

/// Maximum speed that an automatically extended fade adds to a joint, in radians per second (our design: a brisk
/// gesture).
pub const MAX_FADE_SPEED: f64 = 4.0;

/// Maximum duration of an automatically extended fade, in seconds.
pub(crate) const MAX_GENTLE_SECS: f64 = 1.5;

/// Time step for measuring velocities, in seconds.
pub(crate) const VELOCITY_STEP: f64 = 1.0 / 240.0;

/// Maximum duration of the fade over a loop's seam, in seconds.
const MAX_SEAM_SECS: f64 = 0.4;

/// Motion that a layer plays from `began` on.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    /// Index of the motion in the library; `None` if the layer is at rest and adds nothing.
    pub(crate) motion: Option<usize>,
    /// Start in seconds of the performance.
    pub(crate) began: f64,
    /// Start of the played part within the clip, in seconds.
    pub(crate) from: f64,
    /// End of the played part within the clip, in seconds.
    pub(crate) to: f64,
    pub(crate) looped: bool,
    share: SlerpWeight,
    mask: BoneSet,
    moves_root: bool,
    /// True if the clip's expressions are shown; a clip on several layers shows them on only one.
    has_expressions: bool,
    /// Index of the loop's seam in the library; `None` if the layer must measure the seam.
    seam: Option<u32>,
}

impl Playback {
    pub(crate) fn rest(at: f64) -> Self {
        Self {
            motion: None,
            began: at,
            from: 0.0,
            to: 0.0,
            looped: false,
            share: SlerpWeight::new(1.0),
            mask: BoneSet::EMPTY,
            moves_root: false,
            has_expressions: true,
            seam: None,
        }
    }

    pub(crate) fn new(
        motion: usize,
        at: f64,
        part: (f64, f64),
        looped: bool,
        weight: f32,
        mask: BoneSet,
    ) -> Self {
        Self {
            motion: Some(motion),
            began: at,
            from: part.0,
            to: part.1,
            looped: looped && part.1 > part.0,
            share: SlerpWeight::new(weight),
            mask,
            moves_root: mask.contains(ROOT),
            has_expressions: true,
            seam: None,
        }
    }

    /// Returns the same playback without the clip's expressions.
    pub(crate) fn without_expressions(self) -> Self {
        Self { has_expressions: false, ..self }
    }

    /// Returns the same playback with the index of a precomputed seam in the library, if there is one.
    pub(crate) fn with_seam(self, seam: Option<u32>) -> Self {
        Self { seam, ..self }
    }

    /// Returns true if both playbacks show the same motion at all times. `self` uses the library `own`, and `other`
    /// uses the library `others`.
    fn is_same(&self, [own, others]: [&Library; 2], other: &Self) -> bool {
        let motions = [(own, self.motion), (others, other.motion)];
        let [a, b] = motions.map(|(library, motion)| motion.map(|motion| &library.motions()[motion]));
        let parts = [self, other].map(|p| (p.began, p.from, p.to, p.looped, p.share.weight()));
        let flags = [self, other].map(|p| (p.mask, p.moves_root, p.has_expressions));
        // At rest the start time does not matter.
        (a.is_none() && b.is_none()) || (parts[0] == parts[1] && flags[0] == flags[1] && a == b)
    }

    /// Returns the same playback with a motion of another library; `None` if `motion` is `None`.
    pub(crate) fn with_motion(&self, motion: Option<usize>) -> Option<Self> {
        motion.map(|motion| Self { motion: Some(motion), seam: None, ..self.clone() })
    }

    /// Returns the clip time at `t`, and the seconds since the loop last restarted, if it did.
    fn clip_time(&self, t: f64) -> (f64, Option<f64>) {
        let elapsed = fast_max(t - self.began, 0.0);
        let length = self.to - self.from;
        if !self.looped {
            return (self.from + fast_min(elapsed, length), None);
        }
        let rounds = (elapsed / length) as u64 as f64;
        let into = (elapsed - rounds * length).clamp(0.0, length);
        (self.from + into, (rounds >= 1.0).then_some(into))
    }
}

/// Start and duration of a fade. Stored next to the playback, so that a layer without active fades need not read the
/// offset itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) began: f64,
    pub(crate) secs: f64,
}

impl Timing {
    pub(crate) const OVER: Self = Self { began: 0.0, secs: 0.0 };

    /// Returns the factors of the initial offset and of its initial velocity after `elapsed` seconds; `None` if the
    /// fade is over.
    ///
    /// The factors are those of a quintic Hermite polynomial that starts with the given offset and velocity and with
    /// zero acceleration, and ends at rest.
    pub(crate) fn left(self, elapsed: f64) -> Option<(f32, f32)> {
        // `OVER` is over at all times, also before its start, because velocities are measured one step earlier.
        if elapsed >= self.secs || self.secs <= 0.0 {
            return None;
        }
        let u = elapsed / self.secs;
        let cube = u * u * u;
        let p = 1.0 - cube * (10.0 - u * (15.0 - 6.0 * u));
        let q = u - cube * (6.0 - u * (8.0 - 3.0 * u));
        Some((p as f32, (q * self.secs) as f32))
    }
}

/// Offset of rotations, root and expressions at the start of a fade, with its velocity.
#[derive(Clone, Debug)]
struct Offset {
    start: Vectors,
    slope: Vectors,
    /// Bones with non-zero values.
    bones: BoneSet,
    root: [Vec3; 2],
    weights: [Vec<f32>; 2],
}

impl Offset {
    fn none(channels: usize) -> Self {
        let weights = || vec![0.0; channels];
        Self {
            start: Vectors::ZERO,
            slope: Vectors::ZERO,
            bones: BoneSet::EMPTY,
            root: [Vec3::ZERO; 2],
            weights: [weights(), weights()],
        }
    }

    fn fade(&self, left: (f32, f32)) -> Fade<'_> {
        Fade { start: &self.start, slope: &self.slope, bones: self.bones, p: left.0, q: left.1 }
    }

    fn root_left(&self, (p, q): (f32, f32)) -> Vec3 {
        self.root[0] * p + self.root[1] * q
    }

    fn add_weights(&self, (p, q): (f32, f32), out: &mut [f32]) {
        for ((out, start), slope) in out.iter_mut().zip(&self.weights[0]).zip(&self.weights[1]) {
            *out += start * p + slope * q;
        }
    }

    /// Sets the offset that must be added to the motion `new`, so that it continues the motion `old` without a jump.
    /// Each pair holds a sample at the time of the change, and a sample one step before or after it. Only bones in
    /// `turned` get an offset.
    fn set(&mut self, old: &SamplePair<'_>, new: &SamplePair<'_>, turned: BoneSet) {
        let step = VELOCITY_STEP as f32;
        self.bones = BoneSet::EMPTY;
        for bone in Bone::ALL {
            let [start, slope] = if turned.contains(bone) { turn(old, new, bone) } else { [Vec3::ZERO; 2] };
            if start != Vec3::ZERO || slope != Vec3::ZERO {
                self.bones.insert(bone);
            }
            self.start.set(bone, start);
            self.slope.set(bone, slope);
        }
        self.root[0] = old.now.root - new.now.root;
        self.root[1] = (old.velocity(|s| s.root) - new.velocity(|s| s.root)) / step;
        for i in 0..self.weights[0].len() {
            self.weights[0][i] = old.now.weights[i] - new.now.weights[i];
            self.weights[1][i] = (old.velocity(|s| s.weights[i]) - new.velocity(|s| s.weights[i])) / step;
        }
    }

    /// Sets the offset over the seam of a loop. Returns the duration of its fade in seconds; 0 if the loop ends in
    /// the pose in which it starts.
    fn set_seam(&mut self, motion: &Motion, (from, to): (f64, f64), samples: &mut [Sample; 4]) -> f64 {
        /// Maximum difference that needs no fade: about 0.1°, which is not visible. Most loops are authored more
        /// exactly.
        const CLOSED: f32 = 0.002;
        let (before_end, after_begin) = ((to - VELOCITY_STEP).max(from), (from + VELOCITY_STEP).min(to));
        for (sample, seconds) in samples.iter_mut().zip([to, before_end, from, after_begin]) {
            raw_sample(motion, seconds, sample);
        }
        let [end, before_end, begin, after_begin] = samples;
        self.set(
            &SamplePair { now: end, other: before_end, other_is_before: true },
            &SamplePair { now: begin, other: after_begin, other_is_before: false },
            BoneSet::ALL,
        );
        let steps = self.weights[0].iter().map(|w| w.abs()).fold(self.largest_rotation(), f32::max);
        let is_closed = steps <= CLOSED && self.root[0].length() <= CLOSED;
        if is_closed { 0.0 } else { MAX_SEAM_SECS.min((to - from) * 0.5) }
    }

    fn largest_rotation(&self) -> f32 {
        let square = |i: usize| {
            let (x, y, z) = (self.start.x[i], self.start.y[i], self.start.z[i]);
            x * x + y * y + z * z
        };
        (0..Bone::COUNT).map(square).fold(0.0, f32::max).sqrt()
    }
}

/// Returns the rotation vector that leads a bone from `new` to `old`, and its velocity.
fn turn(old: &SamplePair<'_>, new: &SamplePair<'_>, bone: Bone) -> [Vec3; 2] {
    let now = old.now.rotations.get(bone) * new.now.rotations.get(bone).inverse();
    let next = old.rotation_after(bone) * new.rotation_after(bone).inverse();
    let start = rotation_vector(now);
    let slope = rotation_vector(in_hemisphere_of(next, now)) - start;
    [start, (slope / VELOCITY_STEP as f32).clamp_length_max(MAX_CARRIED_SPEED)]
}

/// Returns `q` or `-q`, whichever is in the same hemisphere as `of`. `of` is negated first if its w is negative.
fn in_hemisphere_of(q: Quat, of: Quat) -> Quat {
    let of = if of.w < 0.0 { -of } else { of };
    if q.dot(of) < 0.0 { -q } else { q }
}

/// Contribution of a layer at one instant, after its weight and mask are applied.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    rotations: Rotations,
    root: Vec3,
    weights: Vec<f32>,
}

impl Sample {
    fn new(channels: usize) -> Self {
        Self { rotations: Rotations::IDENTITY, root: Vec3::ZERO, weights: vec![0.0; channels] }
    }
}

/// A sample at an instant, and another sample one time step before or after it.
struct SamplePair<'a> {
    now: &'a Sample,
    other: &'a Sample,
    other_is_before: bool,
}

impl SamplePair<'_> {
    /// Rotation one step later, measured or extrapolated.
    fn rotation_after(&self, bone: Bone) -> Quat {
        let (now, other) = (self.now.rotations.get(bone), self.other.rotations.get(bone));
        if self.other_is_before { (now * other.inverse() * now).normalize() } else { other }
    }

    fn velocity<T: std::ops::Sub<Output = T>>(&self, of: impl Fn(&Sample) -> T) -> T {
        if self.other_is_before { of(self.now) - of(self.other) } else { of(self.other) - of(self.now) }
    }
}

/// One layer of a performer.
#[derive(Clone, Debug)]
pub(crate) struct LayerState {
    pub(crate) playback: Playback,
    fade_timing: Timing,
    /// Duration of the fade that follows each restart of a loop; the field `began` is not used.
    seam_timing: Timing,
    /// Offset from the previous playback to the current one.
    fade: Box<Offset>,
    /// Offset from the end of a loop to its start, if the library does not have it.
    seam: Box<Offset>,
}

/// Offset from the end of a loop to its start, which fades out after each restart.
#[derive(Clone, Debug)]
pub(crate) struct Seam {
    offset: Offset,
    /// Duration of the fade in seconds; 0 if the loop ends in the pose in which it starts.
    secs: f64,
}

impl Seam {
    /// Measures the seam of a part of a motion that is played as a loop. `channels` is the padded number of
    /// expressions.
    pub(crate) fn of(motion: &Motion, part: (f64, f64), channels: usize) -> Self {
        let mut offset = Offset::none(channels);
        let mut samples: [Sample; 4] = std::array::from_fn(|_| Sample::new(channels));
        let secs = offset.set_seam(motion, part, &mut samples);
        Self { offset, secs }
    }
}

/// Buffers for a change of playback; shared by the layers of a performer.
#[derive(Clone, Debug)]
pub(crate) struct Scratch([Sample; 6]);

impl Scratch {
    pub(crate) fn new(channels: usize) -> Self {
        Self(std::array::from_fn(|_| Sample::new(channels)))
    }

    /// Buffers for measuring a seam. The first two buffers are left out, because they hold the old motion during a
    /// change.
    fn for_seam(&mut self) -> &mut [Sample; 4] {
        let [_, _, samples @ ..] = &mut self.0;
        samples
    }
}

impl LayerState {
    pub(crate) fn new(channels: usize) -> Self {
        Self {
            playback: Playback::rest(0.0),
            fade_timing: Timing::OVER,
            seam_timing: Timing::OVER,
            fade: Box::new(Offset::none(channels)),
            seam: Box::new(Offset::none(channels)),
        }
    }

    /// Starts the first playback of a performance, without a fade.
    pub(crate) fn begin(&mut self, library: &Library, first: Playback, scratch: &mut Scratch) {
        self.playback = first;
        self.close_loop(library, scratch);
    }

    /// Changes the playback at `next.began`. The fade is longer than `blend_secs` if a joint would otherwise move too
    /// fast.
    pub(crate) fn change_gently(
        &mut self,
        library: &Library,
        next: Playback,
        blend_secs: f64,
        scratch: &mut Scratch,
    ) {
        self.change(library, next, blend_secs, scratch);
        self.extend_fade();
    }

    /// Extends the fade so that no joint moves too fast.
    fn extend_fade(&mut self) {
        // The quintic's maximum slope is 1.875 times its mean.
        let needed = 1.875 * f64::from(self.fade.largest_rotation()) / MAX_FADE_SPEED;
        self.fade_timing.secs = self.fade_timing.secs.max(needed.min(MAX_GENTLE_SECS));
    }

    /// Changes the playback at `next.began`, with a fade of `blend_secs` seconds.
    pub(crate) fn change(
        &mut self,
        library: &Library,
        next: Playback,
        blend_secs: f64,
        scratch: &mut Scratch,
    ) {
        let fade = Timing { began: next.began, secs: blend_secs.max(MIN_BLEND_SECS) };
        self.fade_into(library, next, fade, scratch);
    }

    /// Shortens the rest of a fade from `at` on to at most `secs` seconds.
    pub(crate) fn shorten_fade(&mut self, library: &Library, at: f64, secs: f64, scratch: &mut Scratch) {
        let Timing { began, secs: whole } = self.fade_timing;
        if began + whole > at + secs {
            let fade = Timing { began: at, secs: secs.max(MIN_BLEND_SECS) };
            self.fade_into(library, self.playback.clone(), fade, scratch);
        }
    }

    /// Changes to a playback of another library. `libraries` are the old and the new one. The rest of a running fade
    /// is not shortened.
    pub(crate) fn adopt(
        &mut self,
        libraries: [&Library; 2],
        next: Playback,
        at: f64,
        blend_secs: f64,
        scratch: &mut Scratch,
    ) {
        if self.playback.is_same([libraries[0], libraries[1]], &next) {
            self.playback = next;
            return self.close_loop(libraries[1], scratch);
        }
        let left = self.fade_timing.began + self.fade_timing.secs - at;
        let fade = Timing { began: at, secs: blend_secs.max(left) };
        self.fade_between(libraries, next, fade, scratch);
        self.extend_fade();
    }

    fn fade_into(&mut self, library: &Library, next: Playback, fade: Timing, scratch: &mut Scratch) {
        self.fade_between([library; 2], next, fade, scratch);
    }

    fn fade_between(
        &mut self,
        [old, library]: [&Library; 2],
        next: Playback,
        fade: Timing,
        scratch: &mut Scratch,
    ) {
        let at = fade.began;
        let [old_now, old_before, ..] = &mut scratch.0;
        self.sample(old, at, old_now);
        self.sample(old, at - VELOCITY_STEP, old_before);
        let turned = self.playback.mask.union(self.fade.bones).union(next.mask);
        self.playback = next;
        self.fade_timing = Timing::OVER;
        self.close_loop(library, scratch);
        let [old_now, old_before, new_now, new_after, ..] = &mut scratch.0;
        self.sample(library, at, new_now);
        self.sample(library, at + VELOCITY_STEP, new_after);
        self.fade.set(
            &SamplePair { now: old_now, other: old_before, other_is_before: true },
            &SamplePair { now: new_now, other: new_after, other_is_before: false },
            turned,
        );
        self.fade_timing = fade;
    }

    /// Looks up or measures the seam of a loop. A loop whose ends meet needs no fade.
    fn close_loop(&mut self, library: &Library, scratch: &mut Scratch) {
        self.seam_timing = Timing::OVER;
        let Some(motion) = self.playback.motion.filter(|_| self.playback.looped) else { return };
        let part = (self.playback.from, self.playback.to);
        self.seam_timing.secs = match self.playback.seam {
            Some(seam) => library.seam(seam).secs,
            None => self.seam.set_seam(&library.motions()[motion], part, scratch.for_seam()),
        };
    }

    /// Returns the rotations and expressions of the layer at `t` for composition, and adds its root motion to `root`.
    /// Fading expressions are added to `weights` here, because fades are rare.
    pub(crate) fn term<'a>(
        &'a self,
        library: &'a Library,
        t: f64,
        root: &mut Vec3,
        weights: &mut [f32],
    ) -> Term<'a> {
        static REST: Rotations = Rotations::IDENTITY;
        let Playback { share, mask, .. } = &self.playback;
        let mask = *mask;
        let left = self.fade_timing.left(t - self.fade_timing.began);
        if let Some(left) = left {
            *root += self.fade.root_left(left);
            self.fade.add_weights(left, weights);
        }
        let fade = left.map(|left| self.fade.fade(left));
        let Some(motion) = self.playback.motion.map(|motion| &library.motions()[motion]) else {
            let is_silent = fade.is_none();
            return Term {
                is_silent,
                from: &REST,
                to: &REST,
                fraction: 0.0,
                weights: [&[]; 2],
                seam: None,
                share,
                mask: BoneSet::EMPTY,
                fade,
            };
        };
        let (seconds, since_seam) = self.playback.clip_time(t);
        let cursor = motion.cursor(seconds);
        let seam = since_seam.and_then(|elapsed| self.seam_timing.left(elapsed));
        let weight = share.weight();
        let moves_root = self.playback.moves_root;
        let seam_offset = || self.playback.seam.map_or(&*self.seam, |seam| &library.seam(seam).offset);
        let seam = seam.map(|left| (seam_offset(), left));
        if let Some((offset, (p, q))) = seam {
            let left = (p * weight, q * weight);
            if self.playback.has_expressions {
                offset.add_weights(left, weights);
            }
            *root += if moves_root { offset.root_left(left) } else { Vec3::ZERO };
        }
        if moves_root {
            *root += motion.root(cursor) * weight;
        }
        Term {
            is_silent: false,
            from: &motion.rotations[cursor.frame],
            to: &motion.rotations[cursor.next],
            fraction: cursor.fraction,
            weights: if self.playback.has_expressions { motion.weights(cursor) } else { [&[]; 2] },
            seam: seam.map(|(offset, left)| offset.fade(left)),
            share,
            mask,
            fade,
        }
    }

    /// Loads the data that [`LayerState::term`] reads at `t` into the CPU caches.
    pub(crate) fn prefetch(&self, library: &Library, t: f64) {
        if t - self.fade_timing.began < self.fade_timing.secs {
            kernel::prefetch(&*self.fade);
        }
        if let Some(motion) = self.playback.motion.map(|motion| &library.motions()[motion]) {
            let cursor = motion.cursor(self.playback.clip_time(t).0);
            kernel::prefetch(&motion.rotations[cursor.frame]);
            kernel::prefetch(&motion.rotations[cursor.next]);
        }
    }

    fn sample(&self, library: &Library, t: f64, out: &mut Sample) {
        out.root = Vec3::ZERO;
        out.weights.fill(0.0);
        let term = self.term(library, t, &mut out.root, &mut out.weights);
        kernel::compose(&Rotations::IDENTITY, &[term], &mut out.rotations, &mut out.weights);
    }
}

/// Samples a motion's offset at a clip time, before weight and mask.
fn raw_sample(motion: &Motion, seconds: f64, out: &mut Sample) {
    let at = motion.cursor(seconds);
    for bone in Bone::ALL {
        let (a, b) = (motion.rotations[at.frame].get(bone), motion.rotations[at.next].get(bone));
        let mixed = a + (b - a) * at.fraction;
        out.rotations.set(bone, mixed.normalize());
    }
    out.root = motion.root(at);
    let [a, b] = motion.weights(at);
    out.weights.fill(0.0);
    for ((out, a), b) in out.weights.iter_mut().zip(a).zip(b) {
        *out = a + at.fraction * (b - a);
    }
}
