//! Traces a single blink.
//!
//! A blink has three possible origins: a profile that was measured in people or taken from a textbook, a learned
//! [`BlinkModel`], or the literal steps of a paper. [`OneBlink`] holds the parameters of all three, and
//! [`OneBlink::table`] returns the trace. Parameters of the model are rejected for other shapes, since they would have
//! no effect. With a learned shape, the seed selects the blink, so that a trace can be repeated.

use super::movements::{lids, literal_blink};
use super::{Table, rate_hz, within};
use std::collections::BTreeMap;
use vivant::chance::Chance;
use vivant::eyes::blink::{Blink, BlinkProfile};
use vivant::eyes::blink_model::{BlinkCurve, BlinkModel, Closure};
use vivant_io::{Error, Result};

/// The shape of a blink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlinkShape {
    /// A blink profile as used by performers.
    Of(BlinkProfile),
    /// The steps of Steptoe 2010 applied literally, with one row per frame. The lid moves with its peak velocity in
    /// every frame, so it overshoots.
    Steptoe,
}

/// Parameters for a trace of a blink (Steptoe 2010, equations E5 to E8; Trutoiu 2011, section 3.3).
#[derive(Clone, Debug)]
pub struct OneBlink {
    /// Downward movement of the upper lid in degrees; 35 closes the eye.
    pub amplitude_deg: f64,
    /// The shape: measured in people, from a textbook, or learned from recordings.
    pub shape: BlinkShape,
    /// Total duration in seconds. By default it is the duration of a measured blink with this amplitude, or the
    /// duration of the model's blink.
    pub duration_secs: Option<f64>,
    /// The blink model and its name. The default is the standard model.
    pub model: Option<(String, BlinkModel)>,
    /// Random seed, which selects a blink of the model.
    pub seed: u64,
    /// Closure of the eye in a learned blink. By default the model determines it.
    pub closure: Option<Closure>,
}

impl Default for OneBlink {
    fn default() -> Self {
        let shape = BlinkShape::Of(BlinkProfile::Evinger);
        Self { amplitude_deg: 35.0, shape, duration_secs: None, model: None, seed: 1, closure: None }
    }
}

impl OneBlink {
    /// Returns the trace with a sampling rate of `rate` hertz.
    ///
    /// # Errors
    /// If a number is out of range, or a model is given although the shape is not learned.
    pub fn table(&self, rate: f64) -> Result<Table> {
        rate_hz(rate)?;
        let (amplitude, shape) = (self.amplitude_deg, self.shape);
        within("amplitude", amplitude, 0.0, 90.0, "degrees")?;
        if let Some(secs) = self.duration_secs {
            within("duration", secs, 0.01, 36_000.0, "seconds")?;
        }
        match shape {
            BlinkShape::Of(profile) if profile.is_learned() => self.learned(profile, rate),
            _ if self.model.is_some() || self.closure.is_some() => {
                let message =
                    "a model or a closure applies only to the learned profiles; choose `pca` or `real`";
                Err(Error::new(message).with_setting("trace::OneBlink::shape"))
            }
            BlinkShape::Of(profile) => {
                let blink = Blink::with_profile(amplitude, profile, self.duration_secs);
                let table = lids(blink.duration_secs(), rate, |t| [blink.position(t), blink.velocity(t)])?;
                Ok(table.titled(format!("Blink of {amplitude}°")))
            }
            BlinkShape::Steptoe => literal_blink(amplitude, rate),
        }
    }

    fn learned(&self, profile: BlinkProfile, rate: f64) -> Result<Table> {
        let (curve, size) = (self.curve(profile)?, self.amplitude_deg);
        let lid = |t| [-size * curve.closure(t), -size * curve.closure_per_sec(t)];
        let table = lids(curve.duration_secs(), rate, lid)?;
        let which = if profile == BlinkProfile::Real { "Recorded blink" } else { "Blink of a model" };
        let suffix = self.model.as_ref().map_or(String::new(), |(name, _)| format!(" of {name}"));
        let facts = BTreeMap::from([
            ("closing_secs", curve.closing_secs()),
            ("opening_secs", curve.opening_secs()),
            ("amplitude", curve.amplitude()),
        ]);
        Ok(Table { facts, ..table.titled(format!("{which}{suffix}, seed {}", self.seed)) })
    }

    /// Returns a synthesised or recorded blink of the model.
    fn curve(&self, profile: BlinkProfile) -> Result<BlinkCurve> {
        let mut model = self.model.as_ref().map_or_else(BlinkModel::standard, |(_, model)| model.clone());
        model.closure = self.closure.unwrap_or(model.closure);
        let mut random = Chance::new(self.seed, "blinks").event(0);
        let curve = match profile {
            BlinkProfile::Real => model.random_exemplar(&mut random).ok_or_else(|| self.no_exemplars())?,
            _ => model.generate(&mut random),
        };
        Ok(self.duration_secs.map_or(curve, |secs| curve.stretched(secs)))
    }

    fn no_exemplars(&self) -> Error {
        let name = self.model.as_ref().map_or("the model", |(name, _)| name);
        let message = "contains no recorded blinks; learn the model again, or choose the profile `pca`";
        Error::new(message).in_file(name).with_setting("trace::OneBlink::shape")
    }
}
