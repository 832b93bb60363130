//! Blink model: a PCA of whole blinks, learned from recordings (paper 3, 3.3.2).
//!
//! No two blinks are alike, but a formula has only one shape. Here each recorded blink is resampled to one length,
//! with its lowest point always at the same sample, and represented as the mean blink plus a few principal
//! components. The durations of closing and opening are part of the same components. Random coefficients give a new
//! blink of the same person.
//!
//! ```
//! use vivant::chance::Chance;
//! use vivant::eyes::blink_model::BlinkModel;
//!
//! let model = BlinkModel::standard();
//! let blink = model.generate(&mut Chance::new(7, "blinks").event(0));
//! assert_eq!(blink.openness(blink.closing_secs()), 0.0);
//! let slow = blink.stretched(0.5);
//! assert!((slow.duration_secs() - 0.5).abs() < 1e-12);
//! ```
//!
//! `vivant learn blinks` builds such models from recordings; see `docs/reference/blink-model.md`.

mod check;
mod curve;
mod standard;

use crate::chance::Draw;
use crate::error::Result;
pub use curve::{BlinkCurve, Closure};
use serde::{Deserialize, Serialize};

/// Format version that is written to `blinks.model.json`.
pub const VERSION: u32 = 1;
/// Maximum number of samples of a profile.
pub const MAX_SAMPLES: usize = 128;
/// Maximum number of components of a model.
pub const MAX_COMPONENTS: usize = 16;
/// Maximum number of recorded blinks stored in a model.
pub const MAX_EXEMPLARS: usize = 24;
/// Largest absolute value of numbers in a model: openness is about 1, coefficients are a few units.
pub const MAX_NUMBER: f64 = 100.0;
/// Longest closing or opening phase in seconds. Anything longer is not a blink.
pub const MAX_SECS: f64 = 5.0;
/// Maximum number of attempts to sample a physically valid blink; after that, the mean blink is used. In the standard
/// model, hardly any sample is invalid. If nine of ten samples are invalid, all 64 attempts fail about once in a
/// thousand blinks.
const MAX_TRIES: usize = 64;

/// Blink model: the mean blink, its principal components, and the durations of both phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlinkModel {
    /// Version of the format: 1.
    pub version: u32,
    /// Source of the data: the recordings and the recorded person.
    pub origin: String,
    /// Number of blinks that the model was learned from.
    pub blinks: u32,
    /// Closure of the eye in a blink. Default: full, as in most animations.
    #[serde(default)]
    pub closure: Closure,
    /// Closing phase: from open to the lowest point.
    pub closing: BlinkPhase,
    /// Opening phase: from the lowest point to open.
    pub opening: BlinkPhase,
    /// Mean blink: openness of the eye per sample, as a fraction of its usual aperture. The samples of the closing
    /// phase come first, then those of the opening phase; the lowest point is contained once.
    pub mean: Vec<f64>,
    /// Principal components, sorted by explained variance.
    pub components: Vec<Component>,
    /// Some of the recorded blinks, unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<Exemplar>,
}

/// Statistics of the closing or opening phase over all blinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlinkPhase {
    /// Mean duration in seconds.
    pub mean_secs: f64,
    /// Standard deviation of the duration in seconds.
    ///
    /// DIFFERENCE: Trutoiu 2011 appends scale factors (duration divided by mean duration) to the profile without
    /// normalisation, so the result depends on the unit of the profile. Vivant appends (duration − mean) / SD, and
    /// this field is that SD.
    pub sd_secs: f64,
    /// Number of profile samples of the phase, including both ends.
    pub samples: u32,
}

/// A principal component: a unit vector over profile and durations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Component {
    /// Standard deviation of the coefficient of this component among the recorded blinks.
    pub sd: f64,
    /// Fraction of the total variance that this component explains, 0–1.
    pub share: f64,
    /// Change of each sample for a coefficient of 1.
    pub profile: Vec<f64>,
    /// Change of the closing duration for a coefficient of 1, in standard deviations.
    pub closing: f64,
    /// Change of the opening duration for a coefficient of 1, in standard deviations.
    pub opening: f64,
}

/// A recorded blink, resampled like the profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exemplar {
    /// Duration of the closing phase in seconds.
    pub closing_secs: f64,
    /// Duration of the opening phase in seconds.
    pub opening_secs: f64,
    /// Openness of the eye per sample.
    pub profile: Vec<f64>,
}

impl BlinkModel {
    /// Returns the model that is included in Vivant, learned from freely licensed recordings; see
    /// `docs/reference/blink-model.md`.
    #[must_use]
    pub fn standard() -> Self {
        standard::model()
    }

    /// Checks that the model can be used.
    ///
    /// # Errors
    /// Returns an error that lists all invalid fields.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }

    /// Samples a new blink. The coefficient of each component is uniform within one standard deviation (paper 3,
    /// 3.3.2: “random coefficients that are within one standard deviation”). Physically invalid blinks are sampled
    /// again (4.1.1). The blink closes the eye according to [`BlinkModel::closure`].
    #[must_use]
    pub fn generate(&self, draw: &mut Draw) -> BlinkCurve {
        let mut coefficients = [0.0; MAX_COMPONENTS];
        for _ in 0..MAX_TRIES {
            for (coefficient, component) in coefficients.iter_mut().zip(&self.components) {
                *coefficient = draw.between(-component.sd, component.sd);
            }
            if let Some(curve) = self.curve(&coefficients) {
                return curve.with_closure(self.closure);
            }
        }
        self.mean_curve()
    }

    /// Returns the mean blink, with the closure [`BlinkModel::closure`].
    #[must_use]
    pub fn mean_curve(&self) -> BlinkCurve {
        self.curve(&[]).unwrap_or_default().with_closure(self.closure)
    }

    /// Returns the blink with the given coefficients and natural closure; missing coefficients are zero.
    ///
    /// Returns `None` if the blink is physically invalid: if the openness is negative or lower than at the lowest
    /// point, if the lid hardly moves, or if a phase takes no time.
    #[must_use]
    pub fn curve(&self, coefficients: &[f64]) -> Option<BlinkCurve> {
        let mut profile = [0.0; MAX_SAMPLES];
        let profile = profile.get_mut(..self.mean.len())?;
        profile.copy_from_slice(&self.mean);
        let [mut closing, mut opening] = [0.0, 0.0];
        for (coefficient, component) in coefficients.iter().zip(&self.components) {
            for (value, one) in profile.iter_mut().zip(&component.profile) {
                *value += coefficient * one;
            }
            closing += coefficient * component.closing;
            opening += coefficient * component.opening;
        }
        let secs = [self.closing.at(closing), self.opening.at(opening)];
        BlinkCurve::new(profile, self.closing.samples as usize, secs)
    }

    /// Returns the recorded blink with this index and natural closure; `None` if there is no such blink.
    #[must_use]
    pub fn exemplar(&self, index: usize) -> Option<BlinkCurve> {
        let Exemplar { closing_secs, opening_secs, profile } = self.exemplars.get(index)?;
        BlinkCurve::new(profile, self.closing.samples as usize, [*closing_secs, *opening_secs])
    }

    /// Returns a random recorded blink, with the closure [`BlinkModel::closure`]. Returns `None` if the model
    /// contains no recorded blinks.
    #[must_use]
    pub fn random_exemplar(&self, draw: &mut Draw) -> Option<BlinkCurve> {
        let index = (draw.uniform() * self.exemplars.len() as f64) as usize;
        Some(self.exemplar(index)?.with_closure(self.closure))
    }
}

impl BlinkPhase {
    /// Returns the duration at this many standard deviations from the mean, in seconds.
    fn at(&self, deviations: f64) -> f64 {
        self.mean_secs + self.sd_secs * deviations
    }
}

#[cfg(test)]
mod tests;
