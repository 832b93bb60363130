//! Someone's glances and blinks as a texture: recorded motion of eyes and lids, cut into patches and sewn
//! together anew without end (paper 5; patch-based sampling after Liang et al. 2001).
//!
//! Blinks and gaze shifts hang together in ways that nobody has written down. A texture need not know them:
//! lids and gaze are taken from the recording together, patch by patch, and each patch is one that begins as
//! the last one ends.
//!
//! ```
//! use std::sync::Arc;
//! use vivant::eyes::texture::{Corpus, Run, Synthesis, Texture, TextureDef, Wishes};
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
//! let frames = eyes.next_patch(&Wishes::default());
//! assert_eq!(frames.len(), 16);
//! # Ok::<(), vivant::Error>(())
//! ```

mod check;
mod cloth;
mod join;
pub mod ranges;
mod search;
mod synthesis;
#[cfg(test)]
mod tests;
mod wishes;

use crate::error::Result;
use cloth::Cloth;
use serde::{Deserialize, Serialize};
pub use synthesis::{Choice, Synthesis};
pub use wishes::{Met, Wishes, Within};

/// The version of the file that is written.
pub const VERSION: u32 = 1;
/// The most corpora of a texture.
pub const MAX_CORPORA: usize = 8;
/// The most frames of a texture: nine hours at 120 Hz.
pub const MAX_FRAMES: usize = 4_000_000;

/// A texture as it is stored: recordings at even steps, and how they are sewn together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextureDef {
    /// The version of the format: 1.
    pub version: u32,
    /// Where it comes from: which recordings, of whom.
    pub origin: String,
    /// Frames a second.
    pub rate_hz: f64,
    /// How long a patch is, in seconds.
    pub patch_secs: f64,
    /// How much of it overlaps with the patch before, in seconds.
    pub boundary_secs: f64,
    /// How well a patch has to fit.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// How long the recording may be followed as it is, in seconds.
    pub longest_run_secs: f64,
    /// The recordings, mood by mood.
    pub corpora: Vec<Corpus>,
}

/// Which patches fit the end of what there is already.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tolerance {
    /// How a distance is measured.
    pub form: Form,
    /// The greatest distance, as a share of the distance of the overlap from nothing (paper 5, Equation 1).
    pub epsilon: f64,
    /// A distance that is always near enough: where the lids are shut and the gaze is central there is no
    /// distance from nothing.
    pub floor: f64,
}

/// How the distance of two overlaps is measured. Each channel is divided by its standard deviation.
///
/// DIFFERENCE: paper 5 divides “by its variance”, and squares what is squared already. Liang's distance is the
/// root of the mean square; the literal one is there to compare, and an ε of 0.2 in it is about 0.45 in
/// Liang's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// √(mean over frames of Σ over channels of squared differences).
    #[default]
    Liang,
    /// Paper 5 to the letter: √(mean over frames of (Σ over channels of squared differences)²).
    Literal,
}

/// Recordings of one mood of one person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Corpus {
    /// Its name: a mood, an activity.
    pub name: String,
    /// How open the open eyes are when they look straight ahead.
    pub open_level: f64,
    /// By how much more when they look up, for each degree.
    pub open_per_deg: f64,
    /// Stretches without gaps.
    pub runs: Vec<Run>,
}

/// Eyes and lids, frame by frame, without a gap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// Which recording it is from, and from when on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// How open the eyes are: 0 is shut, 1 is open.
    pub openness: Vec<f32>,
    /// Where the eyes look in the head, to the person's left.
    pub yaw_deg: Vec<f32>,
    /// Where they look, up.
    pub pitch_deg: Vec<f32>,
    /// The frames at which blinks are at their deepest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blinks: Vec<u32>,
}

/// One frame of eyes and lids.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// How open the eyes are: 0 is shut, 1 is open.
    pub openness: f32,
    /// Where they look in the head, to the person's left.
    pub yaw_deg: f32,
    /// Where they look, up.
    pub pitch_deg: f32,
}

impl Default for TextureDef {
    /// Paper 5's sizes: patches of 20 frames and boundaries of 4, and ε = 0.2.
    ///
    /// DIFFERENCE: it does not say 20 frames of what. At the 120 Hz of its markers a patch would be shorter
    /// than a blink; so they are frames of video, at 30 Hz.
    fn default() -> Self {
        Self {
            version: VERSION,
            origin: "nobody yet".into(),
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
    /// The frames of a patch and of its boundary.
    #[must_use]
    pub fn frames(&self) -> [usize; 2] {
        [self.patch_secs, self.boundary_secs].map(|secs| (secs * self.rate_hz).round() as usize)
    }

    /// Whether it can be used.
    ///
    /// # Errors
    /// With everything that is wrong, each with its path.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }
}

/// A texture that can be searched: the running form, to be shared by all who use it.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    rate_hz: f64,
    patch: usize,
    boundary: usize,
    longest_run: usize,
    tolerance: Tolerance,
    cloths: Vec<Cloth>,
}

impl Texture {
    /// Makes a texture ready to be used.
    ///
    /// # Errors
    /// With everything that is wrong with it, each with its path.
    pub fn new(def: &TextureDef) -> Result<Self> {
        def.check()?;
        let [patch, boundary] = def.frames();
        Ok(Self {
            rate_hz: def.rate_hz,
            patch,
            boundary,
            longest_run: (def.longest_run_secs * def.rate_hz).round() as usize,
            tolerance: def.tolerance,
            cloths: def.corpora.iter().map(|corpus| Cloth::new(corpus, patch)).collect(),
        })
    }

    /// Frames a second.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// The frames of a patch.
    #[must_use]
    pub fn patch_frames(&self) -> usize {
        self.patch
    }

    /// The frames in which it overlaps with the one before.
    #[must_use]
    pub fn boundary_frames(&self) -> usize {
        self.boundary
    }

    /// How many final frames each patch adds.
    #[must_use]
    pub fn step_frames(&self) -> usize {
        self.patch - self.boundary
    }

    /// The names of the corpora, in the order of weights.
    pub fn corpora(&self) -> impl ExactSizeIterator<Item = &str> {
        self.cloths.iter().map(|cloth| cloth.name.as_str())
    }

    /// How open the open eyes are in a corpus: straight ahead, and how much more for each degree up.
    #[must_use]
    pub fn openness_of(&self, corpus: usize) -> Option<[f64; 2]> {
        self.cloths.get(corpus).map(|cloth| cloth.open)
    }

    /// The frames of a corpus, run after run.
    #[must_use]
    pub fn samples(&self, corpus: usize) -> &[Sample] {
        self.cloths.get(corpus).map_or(&[], |cloth| &cloth.samples)
    }

    /// The frames of a corpus at which patches begin that fit an overlap, in order: paper 5's set Ψ.
    ///
    /// [`Synthesis`] does not make this list: it draws from it.
    #[must_use]
    pub fn candidates(&self, corpus: usize, overlap: &[Sample]) -> Vec<usize> {
        let Some(cloth) = self.cloths.get(corpus) else { return Vec::new() };
        let mut normal = [const { Vec::new() }; 3];
        cloth.normalise(overlap, &mut normal);
        search::Query::new(cloth, &normal, self.tolerance).candidates().collect()
    }
}
