//! Validation of blink models.

use super::{
    BlinkModel, BlinkPhase, MAX_COMPONENTS, MAX_EXEMPLARS, MAX_NUMBER, MAX_SAMPLES, MAX_SECS, VERSION,
};
use crate::error::{Error, Result};

pub(super) fn check(model: &BlinkModel) -> Result<()> {
    let mut problems = Problems::default();
    problems.require(model.version == VERSION, "version", || {
        format!("unsupported version {}; use {VERSION}", model.version)
    });
    problems.phase("closing", &model.closing);
    problems.phase("opening", &model.opening);
    problems.profile("mean", &model.mean, model);
    problems.require((1..=MAX_COMPONENTS).contains(&model.components.len()), "components", || {
        format!("{} components; give 1 to {MAX_COMPONENTS}", model.components.len())
    });
    problems.components(model);
    problems.exemplars(model);
    if problems.0.is_empty() {
        problems.require(model.curve(&[]).is_some(), "mean", || {
            format!("{IMPOSSIBLE}; learn the model again from blinks that are aligned at their lowest point")
        });
    }
    problems.into_result()
}

const IMPOSSIBLE: &str = "physically impossible blink: the aperture is negative, is not lowest at the end of the \
                          closing phase, or hardly changes";

#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn require(&mut self, holds: bool, field: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.0.push(format!("{field}: {}", message()));
        }
    }

    fn phase(&mut self, name: &str, phase: &BlinkPhase) {
        self.secs(&format!("{name}.meanSecs"), phase.mean_secs);
        self.require((0.0..=MAX_SECS).contains(&phase.sd_secs), &format!("{name}.sdSecs"), || {
            format!("{} is out of range; give 0 to {MAX_SECS} seconds", phase.sd_secs)
        });
        self.require((2..=MAX_SAMPLES as u32).contains(&phase.samples), &format!("{name}.samples"), || {
            format!("{} samples; give 2 to {MAX_SAMPLES}", phase.samples)
        });
    }

    fn secs(&mut self, name: &str, secs: f64) {
        self.require(secs > 0.0 && secs <= MAX_SECS, name, || {
            format!("{secs} is out of range; give more than 0 and at most {MAX_SECS} seconds")
        });
    }

    fn profile(&mut self, name: &str, profile: &[f64], model: &BlinkModel) {
        let [closing, opening] = [model.closing.samples, model.opening.samples].map(|n| n as usize);
        let expected = closing.saturating_add(opening).saturating_sub(1);
        self.require(profile.len() == expected && expected <= MAX_SAMPLES, name, || {
            format!(
                "{} values for {closing} closing and {opening} opening samples, which share one; {}",
                profile.len(),
                if expected > MAX_SAMPLES {
                    format!("at most {MAX_SAMPLES} in total are allowed")
                } else {
                    format!("give {expected}")
                }
            )
        });
        if let Some(index) = profile.iter().position(|value| !is_number(*value)) {
            self.0.push(format!(
                "{name}[{index}]: {} is out of range; give −{MAX_NUMBER} to {MAX_NUMBER}",
                profile[index]
            ));
        }
    }

    fn components(&mut self, model: &BlinkModel) {
        for (index, component) in model.components.iter().enumerate().take(MAX_COMPONENTS) {
            let name = format!("components[{index}]");
            self.profile(&format!("{name}.profile"), &component.profile, model);
            let is_positive = |number: f64| is_number(number) && number >= 0.0;
            for (field, holds, value) in [
                ("sd", is_positive(component.sd), component.sd),
                ("share", (0.0..=1.0).contains(&component.share), component.share),
                ("closing", is_number(component.closing), component.closing),
                ("opening", is_number(component.opening), component.opening),
            ] {
                self.require(holds, &format!("{name}.{field}"), || {
                    format!("{value} is out of range; learn the model again")
                });
            }
        }
    }

    fn exemplars(&mut self, model: &BlinkModel) {
        let count = model.exemplars.len();
        self.require(count <= MAX_EXEMPLARS, "exemplars", || {
            format!("{count} exemplars; at most {MAX_EXEMPLARS} are allowed")
        });
        for (index, exemplar) in model.exemplars.iter().enumerate().take(MAX_EXEMPLARS) {
            let (name, before) = (format!("exemplars[{index}]"), self.0.len());
            self.secs(&format!("{name}.closingSecs"), exemplar.closing_secs);
            self.secs(&format!("{name}.openingSecs"), exemplar.opening_secs);
            self.profile(&format!("{name}.profile"), &exemplar.profile, model);
            if self.0.len() == before {
                self.require(model.exemplar(index).is_some(), &name, || format!("{IMPOSSIBLE}; remove it"));
            }
        }
    }

    fn into_result(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Error::new(format!("this blink model cannot be used:\n  {}", self.0.join("\n  "))))
    }
}

fn is_number(value: f64) -> bool {
    value.abs() <= MAX_NUMBER
}
