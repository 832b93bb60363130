//! Clips made ready for one avatar: the running form of motion.
//!
//! Binding does once what would otherwise be done in every tick: it fits each clip to the rig's bones
//! and expressions, and turns its rotations into offsets from the base pose (paper 4, section 5).

use crate::clip::{Clip, Cursor};
use crate::pose::{Pose, Rotations, offset};
use crate::rig::{Bone, Channel, Rig};
use glam::Vec3;

/// An avatar, its base pose and its motions. Performers share one.
#[derive(Clone, Debug)]
pub struct Library {
    rig: Rig,
    base: Pose,
    motions: Vec<Motion>,
    lost: Vec<(usize, Channel)>,
}

impl Library {
    /// Binds clips to an avatar, over a base pose such as [`Pose::neutral`].
    #[must_use]
    pub fn new(rig: Rig, base: Pose, clips: &[Clip]) -> Self {
        let mut lost = Vec::new();
        let mut motions = Vec::with_capacity(clips.len());
        for (index, clip) in clips.iter().enumerate() {
            let (fitted, cannot_show) = clip.fitted_to(&rig);
            lost.extend(cannot_show.into_iter().map(|channel| (index, channel)));
            motions.push(Motion::new(&fitted, &rig, &base));
        }
        Self { rig, base, motions, lost }
    }

    /// The avatar.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The pose over which everything is played.
    #[must_use]
    pub fn base(&self) -> &Pose {
        &self.base
    }

    /// The motions, in the order of the clips.
    #[must_use]
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Expressions of the clips that this avatar cannot show, each with its clip's index.
    #[must_use]
    pub fn lost(&self) -> &[(usize, Channel)] {
        &self.lost
    }
}

/// A clip as offsets from a base pose.
#[derive(Clone, Debug)]
pub struct Motion {
    name: String,
    rate: f64,
    pub(crate) rotations: Vec<Rotations>,
    roots: Vec<Vec3>,
    /// One weight a channel of the rig and frame; empty if the clip has no expressions.
    weights: Vec<f32>,
    channels: usize,
}

impl Motion {
    fn new(clip: &Clip, rig: &Rig, base: &Pose) -> Self {
        let mut rotations = Vec::with_capacity(clip.frames());
        let mut before = Rotations::IDENTITY;
        for frame in 0..clip.frames() {
            // From one frame to the next an offset may pass half a turn; it is kept in the hemisphere
            // of the frame before, and the first one on the shortest arc.
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
            channels: rig.channels().len(),
        }
    }

    /// The clip's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length in seconds.
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

    /// Adds `gain` times the expression weights to `out`.
    pub(crate) fn add_weights(&self, at: Cursor, gain: f32, out: &mut [f32]) {
        if self.weights.is_empty() {
            return;
        }
        let row = |frame: usize| &self.weights[frame * self.channels..][..self.channels];
        for ((out, a), b) in out.iter_mut().zip(row(at.frame)).zip(row(at.next)) {
            *out += gain * (a + at.fraction * (b - a));
        }
    }
}

/// A fitted clip's weights, spread over all channels of the rig.
fn dense_weights(clip: &Clip, rig: &Rig) -> Vec<f32> {
    if clip.channels().is_empty() {
        return Vec::new();
    }
    let columns: Vec<usize> = clip.channels().iter().filter_map(|c| rig.channel_index(c)).collect();
    let width = rig.channels().len();
    let mut dense = vec![0.0; clip.frames() * width];
    for frame in 0..clip.frames() {
        for (column, weight) in columns.iter().zip(clip.weights(frame)) {
            dense[frame * width + column] = *weight;
        }
    }
    dense
}

/// Whether a bone carries the root.
pub(crate) const ROOT: Bone = Bone::Hips;
