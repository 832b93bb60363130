//! One blink.

use super::movements::{blink_to_the_letter, lids};
use super::{Table, rate_hz, within};
use std::collections::BTreeMap;
use vivant::chance::Chance;
use vivant::eyes::blink::{Blink, BlinkProfile};
use vivant::eyes::blink_model::{BlinkCurve, BlinkModel, Closure};
use vivant_io::{Error, Result};

/// How the lid of a blink moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlinkShape {
    /// As in performers.
    Of(BlinkProfile),
    /// Paper 1 to the letter, a row a frame: it takes the greatest velocity for that of every frame, and ends beyond.
    Steptoe,
}

/// A blink (paper 1, E5 to E8; paper 3, section 3.3).
#[derive(Clone, Debug)]
pub struct OneBlink {
    /// How far the upper lid goes down, in degrees; 35 closes the eye.
    pub amplitude_deg: f64,
    /// As measured in people, as textbooks have it, or learned from recordings.
    pub shape: BlinkShape,
    /// How long it takes in all; by default as long as a measured blink of this size, or as the model has it.
    pub duration_secs: Option<f64>,
    /// The model of a learned blink, and its name; by default the standard one.
    pub model: Option<(String, BlinkModel)>,
    /// Which blink of the model.
    pub seed: u64,
    /// How far a learned blink closes the eye; by default as the model says.
    pub closure: Option<Closure>,
}

impl Default for OneBlink {
    fn default() -> Self {
        let shape = BlinkShape::Of(BlinkProfile::Evinger);
        Self { amplitude_deg: 35.0, shape, duration_secs: None, model: None, seed: 1, closure: None }
    }
}

impl OneBlink {
    /// How it goes.
    ///
    /// # Errors
    /// If a number is out of range, or a model is given for a blink that is not learned.
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
            BlinkShape::Steptoe => blink_to_the_letter(amplitude, rate),
        }
    }

    fn learned(&self, profile: BlinkProfile, rate: f64) -> Result<Table> {
        let (curve, size) = (self.curve(profile)?, self.amplitude_deg);
        let lid = |t| [-size * curve.closure(t), -size * curve.closure_per_sec(t)];
        let table = lids(curve.duration_secs(), rate, lid)?;
        let which = if profile == BlinkProfile::Real { "Recorded blink" } else { "Blink of a model" };
        let of = self.model.as_ref().map_or(String::new(), |(name, _)| format!(" of {name}"));
        let facts = BTreeMap::from([
            ("closing_secs", curve.closing_secs()),
            ("opening_secs", curve.opening_secs()),
            ("amplitude", curve.amplitude()),
        ]);
        Ok(Table { facts, ..table.titled(format!("{which}{of}, seed {}", self.seed)) })
    }

    /// A blink of the model, new or recorded.
    fn curve(&self, profile: BlinkProfile) -> Result<BlinkCurve> {
        let mut model = self.model.as_ref().map_or_else(BlinkModel::standard, |(_, model)| model.clone());
        model.closure = self.closure.unwrap_or(model.closure);
        let mut draw = Chance::new(self.seed, "blinks").event(0);
        let curve = match profile {
            BlinkProfile::Real => model.recorded(&mut draw).ok_or_else(|| self.no_exemplars())?,
            _ => model.generate(&mut draw),
        };
        Ok(self.duration_secs.map_or(curve, |secs| curve.stretched(secs)))
    }

    fn no_exemplars(&self) -> Error {
        let name = self.model.as_ref().map_or("the model", |(name, _)| name);
        let message = "keeps no recorded blinks; learn it again, or choose the profile `pca`";
        Error::new(message).in_file(name).with_setting("trace::OneBlink::shape")
    }
}
