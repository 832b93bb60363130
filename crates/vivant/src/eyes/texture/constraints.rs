//! Constraints on the next patch: where the gaze stays and when a blink occurs. Paper 5 leaves them to future work.
//!
//! Without constraints, a texture looks and blinks whenever the recording did; an agent also wants to look at someone
//! or to blink now. Pass [`PatchConstraints`] to `Synthesis::next_patch`. They are not guarantees: if no patch of the
//! corpus satisfies all of them, they are dropped one by one, and [`Satisfied`] reports the rest.

use super::indexed::IndexedCorpus;
use super::{MAX_CORPORA, Sample};

/// Allowed region of the gaze, in degrees relative to the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GazeRegion {
    /// A range of yaw and pitch; left and up are positive.
    Box {
        /// Smallest and largest yaw.
        yaw_deg: [f32; 2],
        /// Smallest and largest pitch.
        pitch_deg: [f32; 2],
    },
    /// A circle around a direction.
    Cone {
        /// Yaw of the centre, positive to the left.
        yaw_deg: f32,
        /// Pitch of the centre, positive up.
        pitch_deg: f32,
        /// Largest distance from the centre in degrees, measured as on a plane.
        radius_deg: f32,
    },
}

impl GazeRegion {
    /// No restriction.
    pub const ANYWHERE: Self = Self::Box { yaw_deg: [-180.0, 180.0], pitch_deg: [-180.0, 180.0] };

    /// A circle around straight ahead, for “look ahead”.
    #[must_use]
    pub const fn ahead(radius_deg: f32) -> Self {
        Self::Cone { yaw_deg: 0.0, pitch_deg: 0.0, radius_deg }
    }

    /// Returns true if the gaze of a sample is in the region.
    #[must_use]
    pub fn contains(&self, sample: &Sample) -> bool {
        let is_between = |[from, to]: [f32; 2], angle: f32| from <= angle && angle <= to;
        match *self {
            Self::Box { yaw_deg, pitch_deg } => {
                is_between(yaw_deg, sample.yaw_deg) && is_between(pitch_deg, sample.pitch_deg)
            }
            Self::Cone { yaw_deg, pitch_deg, radius_deg } => {
                sample.gaze_apart_deg(&Sample { yaw_deg, pitch_deg, ..*sample }) <= radius_deg
            }
        }
    }
}

/// Constraints on the next patch.
///
/// If no patch satisfies all constraints, the constraints are dropped in this order: the tolerance (the nearest patch
/// is used instead), the limit on following the recording, the blink, the gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchConstraints {
    /// Region in which the gaze stays, from the join on.
    pub gaze: Option<GazeRegion>,
    /// Frame at which a blink is deepest, counted from the first frame that
    /// [`Synthesis::next_patch`](super::Synthesis::next_patch) returns. The frame must be at least
    /// [`Texture::boundary_frames`](super::Texture::boundary_frames), because earlier frames overlap with the
    /// previous patch, and less than [`Texture::patch_frames`](super::Texture::patch_frames).
    pub blink_at: Option<usize>,
    /// Relative share of time for each corpus; the sum need not be 1. If all weights are 0, all corpora have the same
    /// share.
    pub weights: [f64; MAX_CORPORA],
}

impl Default for PatchConstraints {
    fn default() -> Self {
        Self { gaze: None, blink_at: None, weights: [1.0; MAX_CORPORA] }
    }
}

/// Constraints that the last patch satisfies; absent constraints count as satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Satisfied {
    /// True if the patch fits within the tolerance.
    pub tolerance: bool,
    /// True if the gaze stays in the requested region.
    pub gaze: bool,
    /// True if there is a blink at the requested frame. If not, the caller may add a blink.
    pub blink: bool,
}

impl IndexedCorpus {
    /// Returns the windows whose frames after the boundary are all in the region, in order.
    pub(super) fn within(
        &self,
        within: GazeRegion,
        [patch, boundary]: [usize; 2],
    ) -> impl Iterator<Item = usize> + Clone {
        // The frame after the last frame outside the region, among the frames already checked.
        let mut clear_from = 0;
        let mut looked_at = 0;
        self.runs.iter().flat_map(|run| run.starts.clone()).filter(move |start| {
            for frame in looked_at.max(start + boundary)..start + patch {
                if !within.contains(&self.samples[frame]) {
                    clear_from = frame + 1;
                }
            }
            looked_at = start + patch;
            clear_from <= start + boundary
        })
    }

    /// Returns the windows with a blink that is deepest at frame `at`, and whose frames after the boundary are in
    /// the region.
    pub(super) fn blinking(
        &self,
        at: usize,
        within: GazeRegion,
        [patch, boundary]: [usize; 2],
    ) -> impl Iterator<Item = usize> + Clone {
        let stays = move |start: &usize| {
            self.samples[start + boundary..start + patch].iter().all(|sample| within.contains(sample))
        };
        let start = move |apex: &u32| (*apex as usize).checked_sub(at);
        self.apexes.iter().filter_map(start).filter(|start| self.is_start(*start)).filter(stays)
    }
}
