//! What the next patch should be like: the constraints that paper 5 leaves to future work.

use super::cloth::Cloth;
use super::{MAX_CORPORA, Sample};

/// Where the gaze should stay, in degrees in the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// From – to, to the left and up.
    Box {
        /// From the right to the left.
        yaw_deg: [f32; 2],
        /// From below to above.
        pitch_deg: [f32; 2],
    },
    /// Round a direction.
    Cone {
        /// To the left.
        yaw_deg: f32,
        /// Up.
        pitch_deg: f32,
        /// How far off it may be, as on a plane.
        radius_deg: f32,
    },
}

impl Within {
    /// Anywhere.
    pub const ANYWHERE: Self = Self::Box { yaw_deg: [-180.0, 180.0], pitch_deg: [-180.0, 180.0] };

    /// “Look ahead”: about straight ahead.
    #[must_use]
    pub const fn ahead(radius_deg: f32) -> Self {
        Self::Cone { yaw_deg: 0.0, pitch_deg: 0.0, radius_deg }
    }

    /// Whether a frame's gaze is there.
    #[must_use]
    pub fn holds(&self, sample: &Sample) -> bool {
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

/// What the next patch should be like.
///
/// When no patch is all of it, this is given up, in this order: that it fits the tolerance (the nearest is
/// taken then), that recordings are not followed for too long, the blink, the gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishes {
    /// Where the gaze stays, from the join on.
    pub gaze: Option<Within>,
    /// The frame at which a blink is deepest, counted from the first frame that is given next: from
    /// [`Texture::boundary_frames`](super::Texture::boundary_frames) to before
    /// [`Texture::patch_frames`](super::Texture::patch_frames). Earlier frames belong to the patch before, of
    /// which this one only takes over.
    pub blink_at: Option<usize>,
    /// How much of the time is spent in each corpus. All zero is as good as all one.
    pub weights: [f64; MAX_CORPORA],
}

impl Default for Wishes {
    fn default() -> Self {
        Self { gaze: None, blink_at: None, weights: [1.0; MAX_CORPORA] }
    }
}

/// Which wishes the last patch meets; what was not wished for is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// It fits within the tolerance.
    pub tolerance: bool,
    /// The gaze stays where it should.
    pub gaze: bool,
    /// There is a blink where it should be. Where not, lay one over it.
    pub blink: bool,
}

impl Cloth {
    /// The windows whose frames after the boundary are all within, in order.
    pub(super) fn within(
        &self,
        within: Within,
        [patch, boundary]: [usize; 2],
    ) -> impl Iterator<Item = usize> + Clone {
        // The frame after the last one outside, of all that were looked at.
        let mut clear_from = 0;
        let mut looked_at = 0;
        self.runs.iter().flat_map(|run| run.starts.clone()).filter(move |start| {
            for frame in looked_at.max(start + boundary)..start + patch {
                if !within.holds(&self.samples[frame]) {
                    clear_from = frame + 1;
                }
            }
            looked_at = start + patch;
            clear_from <= start + boundary
        })
    }

    /// The windows with a blink that is deepest at frame `at`, and whose frames after the boundary are within.
    pub(super) fn blinking(
        &self,
        at: usize,
        within: Within,
        [patch, boundary]: [usize; 2],
    ) -> impl Iterator<Item = usize> + Clone {
        let stays = move |start: &usize| {
            self.samples[start + boundary..start + patch].iter().all(|sample| within.holds(sample))
        };
        let start = move |apex: &u32| (*apex as usize).checked_sub(at);
        self.apexes.iter().filter_map(start).filter(|start| self.is_start(*start)).filter(stays)
    }
}
