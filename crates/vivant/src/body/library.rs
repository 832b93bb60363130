//! Clips prepared for one avatar: motion in its runtime form.
//!
//! Binding moves work out of the frame update: it adapts each clip to the rig's bones and expressions, and converts its
//! rotations to offsets from the base pose (paper 4, section 5).

pub(crate) mod bound;

use crate::body::breath::BreathRig;
use crate::body::graph::Graph;
use crate::body::layers::Seam;
use crate::body::sway::SwayRig;
use crate::clip::{Clip, Cursor};
use crate::eyes::EyeRig;
use crate::kernel;
use crate::math::acos32;
use crate::pose::{Pose, Rotations, offset};
use crate::rig::{Bone, Channel, Rig};
use bound::Bound;
use glam::Vec3;

/// An avatar, its base pose and its motions. Performers can share one library.
#[derive(Clone, Debug)]
pub struct Library {
    rig: Rig,
    parts: PartRigs,
    base: Pose,
    motions: Vec<Motion>,
    /// Seams of the loops of the repertoire, shared by all performers.
    seams: Vec<Seam>,
    lost: Vec<(usize, Channel)>,
    repertoire: Option<Bound>,
}

/// Data for showing eyes, breathing and weight shifts on the avatar. Shared by all performers.
#[derive(Clone, Debug)]
pub(crate) struct PartRigs {
    pub(crate) eyes: EyeRig,
    pub(crate) breath: BreathRig,
    pub(crate) sway: SwayRig,
}

impl PartRigs {
    fn new(rig: &Rig) -> Self {
        Self { eyes: EyeRig::new(rig), breath: BreathRig::new(rig), sway: SwayRig::new(rig) }
    }
}

impl Library {
    /// Binds clips to an avatar. Motions are stored as offsets from the base pose, such as [`Pose::neutral`].
    #[must_use]
    pub fn new(rig: Rig, mut base: Pose, clips: &[Clip]) -> Self {
        normalise(&mut base);
        let mut lost = Vec::new();
        let mut motions = Vec::with_capacity(clips.len());
        for (index, clip) in clips.iter().enumerate() {
            let (fitted, cannot_show) = clip.fitted_to(&rig);
            lost.extend(cannot_show.into_iter().map(|channel| (index, channel)));
            motions.push(Motion::new(&with_small_steps(fitted), &rig, &base));
        }
        let parts = PartRigs::new(&rig);
        Self { rig, parts, base, motions, seams: Vec::new(), lost, repertoire: None }
    }

    /// Graph of the repertoire, if there is one.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.repertoire.as_ref().map(|bound| &bound.graph)
    }

    pub(crate) fn parts(&self) -> &PartRigs {
        &self.parts
    }

    pub(crate) fn seam(&self, seam: u32) -> &Seam {
        &self.seams[seam as usize]
    }

    pub(crate) fn bound(&self) -> Option<&Bound> {
        self.repertoire.as_ref()
    }

    /// The avatar.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The pose on which all motion is layered.
    #[must_use]
    pub fn base(&self) -> &Pose {
        &self.base
    }

    /// The motions: in the order of the clips, or, with a repertoire, in the order in which the repertoire first uses
    /// them.
    #[must_use]
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Expressions of the clips that this avatar cannot show, each with the index of its motion.
    #[must_use]
    pub fn lost(&self) -> &[(usize, Channel)] {
        &self.lost
    }
}

/// A clip as offsets from a base pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    name: String,
    rate: f64,
    pub(crate) rotations: Vec<Rotations>,
    roots: Vec<Vec3>,
    /// One row of weights per frame, with one weight per channel of the rig, padded to a multiple of eight; empty if
    /// the clip has no expressions.
    weights: Vec<f32>,
    row: usize,
}

impl Motion {
    fn new(clip: &Clip, rig: &Rig, base: &Pose) -> Self {
        let mut rotations = Vec::with_capacity(clip.frames());
        let mut before = Rotations::IDENTITY;
        for frame in 0..clip.frames() {
            // A quaternion and its negative are the same rotation. Each offset gets the sign that is nearest to the
            // previous frame, so an offset may grow beyond half a turn. The first offset takes the shortest arc.
            let mut now = Rotations::IDENTITY;
            for bone in clip.bones().iter() {
                let q = offset(base.rotations.get(bone), clip.rotation(frame, bone));
                now.set(bone, if before.get(bone).dot(q) < 0.0 { -q } else { q });
            }
            rotations.push(now);
            before = now;
        }
        let moves_root = (0..clip.frames()).map(|f| clip.root(f) - base.root).collect();
        Self {
            name: clip.name().to_owned(),
            rate: clip.rate(),
            rotations,
            roots: moves_root,
            weights: dense_weights(clip, rig),
            row: padded(rig.channels().len()),
        }
    }

    /// Name of the clip.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Duration in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        (self.rotations.len() - 1) as f64 / self.rate
    }

    pub(crate) fn cursor(&self, seconds: f64) -> Cursor {
        Cursor::at(seconds, self.rate, self.rotations.len())
    }

    pub(crate) fn root(&self, at: Cursor) -> Vec3 {
        let (a, b) = (self.roots[at.frame], self.roots[at.next]);
        a + (b - a) * at.fraction
    }

    /// Expression weights of the two frames around a cursor.
    pub(crate) fn weights(&self, at: Cursor) -> [&[f32]; 2] {
        if self.weights.is_empty() {
            return [&[]; 2];
        }
        [at.frame, at.next].map(|frame| &self.weights[frame * self.row..][..self.row])
    }
}

fn normalise(base: &mut Pose) {
    for bone in Bone::ALL {
        base.rotations.set(bone, base.rotations.get(bone).normalize());
    }
}

/// Resamples a clip so that steps between frames are small enough for the kernel's linear interpolation, if possible.
///
/// Recordings rarely need this; a clip of two poses does.
fn with_small_steps(clip: Clip) -> Clip {
    let mut clip = clip;
    for _ in 0..6 {
        let step = largest_step_degrees(&clip);
        if step <= kernel::MAX_STEP_DEGREES {
            break;
        }
        let Ok(finer) = clip.resampled(clip.rate() * 2.0) else { break };
        clip = finer;
    }
    clip
}

fn largest_step_degrees(clip: &Clip) -> f32 {
    let step = |frame: usize, bone: Bone| {
        let cosine = clip.rotation(frame - 1, bone).dot(clip.rotation(frame, bone)).abs();
        2.0 * acos32(cosine.min(1.0))
    };
    let frames = 1..clip.frames();
    let steps = frames.flat_map(|frame| clip.bones().iter().map(move |bone| (frame, bone)));
    steps.map(|(frame, bone)| step(frame, bone)).fold(0.0, f32::max).to_degrees()
}

/// Weights of an adapted clip, expanded to all channels of the rig.
fn dense_weights(clip: &Clip, rig: &Rig) -> Vec<f32> {
    if clip.channels().is_empty() {
        return Vec::new();
    }
    let columns: Vec<usize> = clip.channels().iter().filter_map(|c| rig.channel_index(c)).collect();
    let width = padded(rig.channels().len());
    let mut dense = vec![0.0; clip.frames() * width];
    for frame in 0..clip.frames() {
        for (column, weight) in columns.iter().zip(clip.weights(frame)) {
            dense[frame * width + column] = *weight;
        }
    }
    dense
}

/// Rounds a number of weights up to a multiple of eight.
pub(crate) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(8)
}

/// The bone that carries the root motion.
pub(crate) const ROOT: Bone = Bone::Hips;
