//! Blinks as someone has them: a model of the lids' whole way, learned from recordings (paper 3, 3.3.2).
//!
//! No two blinks are alike, and a formula has one shape only. Here each blink is brought to one length, its
//! lowest point always at the same sample, and written as the mean blink plus a few principal components;
//! how long closing and opening took goes into the same components. Chance in the components is a new blink
//! of the same person.
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
//! `vivant learn blinks` makes such models of recordings; `docs/blink-model.md` says how.

mod check;
mod curve;
mod standard;

use crate::chance::Draw;
use crate::error::Result;
pub use curve::{BlinkCurve, Closure};
use serde::{Deserialize, Serialize};

/// The version of `blinks.model.json` that is written.
pub const VERSION: u32 = 1;
/// The most samples of a profile.
pub const MAX_SAMPLES: usize = 128;
/// The most components of a model.
pub const MAX_COMPONENTS: usize = 16;
/// The most recorded blinks that a model keeps.
pub const MAX_EXEMPLARS: usize = 24;
/// How large the numbers of a model may be: openness is about 1, coefficients are a few.
pub const MAX_NUMBER: f64 = 100.0;
/// The longest that closing or opening may take, in seconds. What is longer is no blink.
pub const MAX_SECS: f64 = 5.0;
/// How often an impossible blink is drawn again. Of the standard model one in some hundred draws is impossible;
/// a model of which nine in ten are fails 64 times in a row once in a thousand blinks, and then gives its mean.
const MAX_TRIES: usize = 64;

/// A model of blinks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlinkModel {
    /// The version of the format: 1.
    pub version: u32,
    /// Where it comes from: which recordings, of whom.
    pub origin: String,
    /// How many blinks it was learned from.
    pub blinks: u32,
    /// How far its blinks close the eye; by default fully, as most people do who animate.
    #[serde(default)]
    pub closure: Closure,
    /// From open to the lowest point.
    pub closing: Way,
    /// From the lowest point to open.
    pub opening: Way,
    /// How open the eye is in the mean blink, as a share of its usual aperture: closing and opening, with the
    /// lowest point once.
    pub mean: Vec<f64>,
    /// The principal components, those that explain most first.
    pub components: Vec<Component>,
    /// Some of the recorded blinks, as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<Exemplar>,
}

/// One way of the lid, down or up, over all blinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Way {
    /// How long it takes in the mean, in seconds.
    pub mean_secs: f64,
    /// The standard deviation of that.
    ///
    /// DIFFERENCE: paper 3 appends the scale factors (a blink's length by the mean length) to the profile as
    /// they are. Their variance would then depend on the unit of the profile; here they are standardised,
    /// (length − mean) / SD, and this is what they are multiplied by.
    pub sd_secs: f64,
    /// How many samples of the profile it has, both ends counted.
    pub samples: u32,
}

/// A principal component: a unit vector over profile and lengths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Component {
    /// The standard deviation of its coefficient among the blinks that were learned from.
    pub sd: f64,
    /// The share of all variance that it explains.
    pub share: f64,
    /// What one of it adds to each sample.
    pub profile: Vec<f64>,
    /// … and to the time of closing, in standard deviations.
    pub closing: f64,
    /// … and of opening.
    pub opening: f64,
}

/// A recorded blink, resampled as the profile is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exemplar {
    /// How long it closed.
    pub closing_secs: f64,
    /// … and opened.
    pub opening_secs: f64,
    /// How open the eye was.
    pub profile: Vec<f64>,
}

impl BlinkModel {
    /// The model that Vivant comes with, learned from recordings that may be used freely;
    /// `docs/blink-model.md` names them.
    #[must_use]
    pub fn standard() -> Self {
        standard::model()
    }

    /// Whether it can be used.
    ///
    /// # Errors
    /// With every field that is unsound.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }

    /// A new blink. Each component's coefficient is drawn within one standard deviation, each value as likely
    /// as any other (paper 3, 3.3.2: “random coefficients that are within one standard deviation”); what no
    /// lid can do is drawn again (4.1.1). It closes as far as the model's [`BlinkModel::closure`] says.
    #[must_use]
    pub fn generate(&self, draw: &mut Draw) -> BlinkCurve {
        let mut coefficients = [0.0; MAX_COMPONENTS];
        for _ in 0..MAX_TRIES {
            for (coefficient, component) in coefficients.iter_mut().zip(&self.components) {
                *coefficient = draw.between(-component.sd, component.sd);
            }
            if let Some(curve) = self.curve(&coefficients) {
                return curve.closed(self.closure);
            }
        }
        self.mean_curve()
    }

    /// The mean blink, closed as far.
    #[must_use]
    pub fn mean_curve(&self) -> BlinkCurve {
        self.curve(&[]).unwrap_or_default().closed(self.closure)
    }

    /// The blink with these coefficients, missing ones being zero, closed naturally; `None` if no lid can do it: if it is less
    /// than shut, lower elsewhere than at its lowest point, or takes no time.
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

    /// A recorded blink, by its number, closed naturally.
    #[must_use]
    pub fn exemplar(&self, index: usize) -> Option<BlinkCurve> {
        let Exemplar { closing_secs, opening_secs, profile } = self.exemplars.get(index)?;
        BlinkCurve::new(profile, self.closing.samples as usize, [*closing_secs, *opening_secs])
    }

    /// One of the recorded blinks, each as likely as any other, closed as far as the model's are; `None` if the
    /// model has none.
    #[must_use]
    pub fn recorded(&self, draw: &mut Draw) -> Option<BlinkCurve> {
        let index = (draw.uniform() * self.exemplars.len() as f64) as usize;
        Some(self.exemplar(index)?.closed(self.closure))
    }
}

impl Way {
    /// How long it takes, so many standard deviations from the mean.
    fn at(&self, deviations: f64) -> f64 {
        self.mean_secs + self.sd_secs * deviations
    }
}

#[cfg(test)]
mod tests;
