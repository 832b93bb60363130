//! Eye texture: synthesises endless gaze and lid motion from recordings, patch by patch (paper 5; patch-based
//! sampling after Liang et al. 2001).
//!
//! Blinks and gaze shifts are correlated in ways that no explicit model covers. A texture does not need one: it
//! copies lids and gaze together from the recording, in patches, and each patch starts like the previous one ended.
//!
//! ```
//! use std::sync::Arc;
//! use vivant::eyes::texture::{Corpus, Run, Synthesis, Texture, TextureDef, PatchConstraints};
//!
//! // Ten seconds at 30 Hz: a glance to the left every two seconds, with a blink.
//! let turn = |i: usize| i % 60;
//! let run = Run {
//!     openness: (0..300).map(|i| if (1..6).contains(&turn(i)) { 0.1 } else { 0.95 }).collect(),
//!     yaw_deg: (0..300).map(|i| if turn(i) < 30 { 12.0 } else { -3.0 }).collect(),
//!     pitch_deg: vec![0.0; 300],
//!     blinks: (0..5).map(|i| 60 * i + 3).collect(),
//!     ..Run::default()
//! };
//! let corpus = Corpus { name: "calm".into(), open_level: 0.95, runs: vec![run], ..Corpus::default() };
//! let texture = Texture::new(&TextureDef { rate_hz: 30.0, corpora: vec![corpus], ..TextureDef::default() })?;
//!
//! let mut eyes = Synthesis::new(Arc::new(texture), 7);
//! let frames = eyes.next_patch(&PatchConstraints::default());
//! assert_eq!(frames.len(), 16);
//! # Ok::<(), vivant::Error>(())
//! ```

mod check;
mod constraints;
mod indexed;
mod join;
pub mod ranges;
mod search;
mod synthesis;
#[cfg(test)]
mod tests;

use crate::error::Result;
pub use constraints::{GazeRegion, PatchConstraints, Satisfied};
use indexed::IndexedCorpus;
use serde::{Deserialize, Serialize};
pub use synthesis::{Choice, Synthesis};

/// Version of the file format that is written.
pub const VERSION: u32 = 1;
/// Maximum number of corpora in a texture.
pub const MAX_CORPORA: usize = 8;
/// Maximum number of frames in a texture: nine hours at 120 Hz.
pub const MAX_FRAMES: usize = 4_000_000;

/// A texture as stored in a file: evenly sampled recordings and the parameters of the synthesis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextureDef {
    /// Version of the format: 1.
    pub version: u32,
    /// Source of the data: the recordings and the recorded person.
    pub origin: String,
    /// Frames per second.
    pub rate_hz: f64,
    /// Duration of a patch in seconds.
    pub patch_secs: f64,
    /// Overlap of a patch with the previous one, in seconds.
    pub boundary_secs: f64,
    /// Tolerance when matching a patch to the end of the previous one.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// Longest continuous piece of the recording that is copied unchanged, in seconds.
    pub longest_run_secs: f64,
    /// The recordings, one corpus per mood or activity.
    pub corpora: Vec<Corpus>,
}

/// Tolerance when matching a patch to the end of the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tolerance {
    /// Formula for the distance between two overlaps.
    pub form: Form,
    /// Largest accepted distance, as a fraction of the distance between the overlap and zero (Deng 2005, Equation 1).
    pub epsilon: f64,
    /// Distance that is always accepted. Needed where the lids are closed and the gaze is central, because the
    /// overlap's distance from zero is then zero.
    pub floor: f64,
}

/// Formula for the distance between two overlaps. Each channel is divided by its standard deviation.
///
/// DIFFERENCE: Deng 2005 divides each channel “by its variance”, and squares values that are already squared. The
/// distance of Liang 2001 is the root of the mean square. The literal formula exists for comparison: its ε of 0.2
/// corresponds to an ε of about 0.45 with the formula of Liang.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// √(mean over frames of Σ over channels of squared differences).
    #[default]
    Liang,
    /// Exactly as in Deng 2005: √(mean over frames of (Σ over channels of squared differences)²).
    Literal,
}

/// Recordings of one person in one mood or activity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Corpus {
    /// Name of the mood or activity.
    pub name: String,
    /// Openness of the open eyes when they look straight ahead.
    pub open_level: f64,
    /// Increase of that openness per degree of upward gaze.
    pub open_per_deg: f64,
    /// Stretches of recording without gaps.
    pub runs: Vec<Run>,
}

/// A stretch of eye and lid samples without gaps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// Source of the run: the recording, and the start time within it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// Openness of the eyes per frame: 0 is closed, 1 is open.
    pub openness: Vec<f32>,
    /// Yaw of the eyes in the head per frame, in degrees, positive to the person's left.
    pub yaw_deg: Vec<f32>,
    /// Pitch of the eyes in the head per frame, in degrees, positive up.
    pub pitch_deg: Vec<f32>,
    /// Indices of the frames at which blinks are deepest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blinks: Vec<u32>,
}

/// One frame of eyes and lids.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Openness of the eyes: 0 is closed, 1 is open.
    pub openness: f32,
    /// Yaw of the eyes in the head in degrees, positive to the person's left.
    pub yaw_deg: f32,
    /// Pitch of the eyes in the head in degrees, positive up.
    pub pitch_deg: f32,
}

impl Default for TextureDef {
    /// Uses the sizes of Deng 2005: patches of 20 frames, boundaries of 4 frames, and ε = 0.2.
    ///
    /// DIFFERENCE: the paper does not state the frame rate. At the 120 Hz of its markers a patch would be shorter
    /// than a blink, so we assume video frames at 30 Hz.
    fn default() -> Self {
        Self {
            version: VERSION,
            origin: "unknown".into(),
            rate_hz: 120.0,
            patch_secs: 20.0 / 30.0,
            boundary_secs: 4.0 / 30.0,
            tolerance: Tolerance::default(),
            longest_run_secs: 4.0,
            corpora: Vec::new(),
        }
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { form: Form::Liang, epsilon: 0.2, floor: 0.0 }
    }
}

impl TextureDef {
    /// Returns the number of frames of a patch and of its boundary.
    #[must_use]
    pub fn frames(&self) -> [usize; 2] {
        [self.patch_secs, self.boundary_secs].map(|secs| (secs * self.rate_hz).round() as usize)
    }

    /// Checks that the texture can be used.
    ///
    /// # Errors
    /// Returns an error that lists all problems with their paths.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }
}

/// A texture prepared for searching. Can be shared by several characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    rate_hz: f64,
    patch: usize,
    boundary: usize,
    longest_run: usize,
    tolerance: Tolerance,
    corpora: Vec<IndexedCorpus>,
}

impl Texture {
    /// Prepares a texture for use.
    ///
    /// # Errors
    /// Returns an error that lists all problems with their paths.
    pub fn new(def: &TextureDef) -> Result<Self> {
        def.check()?;
        let [patch, boundary] = def.frames();
        Ok(Self {
            rate_hz: def.rate_hz,
            patch,
            boundary,
            longest_run: (def.longest_run_secs * def.rate_hz).round() as usize,
            tolerance: def.tolerance,
            corpora: def.corpora.iter().map(|corpus| IndexedCorpus::new(corpus, patch)).collect(),
        })
    }

    /// Returns the frame rate in Hz.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Returns the number of frames of a patch.
    #[must_use]
    pub fn patch_frames(&self) -> usize {
        self.patch
    }

    /// Returns the number of frames in which a patch overlaps with the previous one.
    #[must_use]
    pub fn boundary_frames(&self) -> usize {
        self.boundary
    }

    /// Returns the number of frames that each patch adds to the motion: [`patch_frames`](Self::patch_frames) −
    /// [`boundary_frames`](Self::boundary_frames).
    #[must_use]
    pub fn step_frames(&self) -> usize {
        self.patch - self.boundary
    }

    /// Returns the names of the corpora, in the order of the weights.
    pub fn corpora(&self) -> impl ExactSizeIterator<Item = &str> {
        self.corpora.iter().map(|indexed| indexed.name.as_str())
    }

    /// Returns the openness of the open eyes in a corpus, straight ahead, and its increase per degree of upward
    /// gaze. Returns `None` if there is no such corpus.
    #[must_use]
    pub fn openness_of(&self, corpus: usize) -> Option<[f64; 2]> {
        self.corpora.get(corpus).map(|indexed| indexed.open)
    }

    /// Returns all frames of a corpus, run after run.
    #[must_use]
    pub fn samples(&self, corpus: usize) -> &[Sample] {
        self.corpora.get(corpus).map_or(&[], |indexed| &indexed.samples)
    }

    /// Returns the start frames of all patches of a corpus that match an overlap, in order: the set Ψ of paper 5.
    ///
    /// [`Synthesis`] draws from this set without building the list.
    #[must_use]
    pub fn candidates(&self, corpus: usize, overlap: &[Sample]) -> Vec<usize> {
        let Some(indexed) = self.corpora.get(corpus) else { return Vec::new() };
        let mut normal = [const { Vec::new() }; 3];
        indexed.normalise(overlap, &mut normal);
        search::Query::new(indexed, &normal, self.tolerance).candidates().collect()
    }
}
