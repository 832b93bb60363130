//! What makes a model of blinks unsound.

use super::{BlinkModel, MAX_COMPONENTS, MAX_EXEMPLARS, MAX_NUMBER, MAX_SAMPLES, MAX_SECS, VERSION, Way};
use crate::error::{Error, Result};

pub(super) fn check(model: &BlinkModel) -> Result<()> {
    let mut faults = Faults::default();
    faults.unless(model.version == VERSION, "version", || format!("must be {VERSION}"));
    faults.way("closing", &model.closing);
    faults.way("opening", &model.opening);
    faults.profile("mean", &model.mean, model);
    faults.unless((1..=MAX_COMPONENTS).contains(&model.components.len()), "components", || {
        format!("{} of them; give 1 to {MAX_COMPONENTS}", model.components.len())
    });
    faults.components(model);
    faults.exemplars(model);
    if faults.0.is_empty() {
        faults.unless(model.curve(&[]).is_some(), "mean", || {
            "no lid can do it: it is below 0, lower elsewhere than where closing ends, or hardly moves; learn the \
             model again from blinks that are aligned at their lowest point"
                .into()
        });
    }
    faults.or_ok()
}

#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, holds: bool, field: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.0.push(format!("{field}: {}", message()));
        }
    }

    fn way(&mut self, name: &str, way: &Way) {
        self.secs(&format!("{name}.meanSecs"), way.mean_secs);
        self.unless((0.0..=MAX_SECS).contains(&way.sd_secs), &format!("{name}.sdSecs"), || {
            format!("{} is out of range; give 0 to {MAX_SECS} seconds", way.sd_secs)
        });
        self.unless((2..=MAX_SAMPLES as u32).contains(&way.samples), &format!("{name}.samples"), || {
            format!("{}; give 2 to {MAX_SAMPLES}", way.samples)
        });
    }

    fn secs(&mut self, name: &str, secs: f64) {
        self.unless(secs > 0.0 && secs <= MAX_SECS, name, || {
            format!("{secs} is out of range; give more than 0 and at most {MAX_SECS} seconds")
        });
    }

    fn profile(&mut self, name: &str, profile: &[f64], model: &BlinkModel) {
        let [closing, opening] = [model.closing.samples, model.opening.samples].map(|n| n as usize);
        let expected = closing.saturating_add(opening).saturating_sub(1);
        self.unless(profile.len() == expected && expected <= MAX_SAMPLES, name, || {
            format!(
                "{} numbers for {closing} samples of closing and {opening} of opening, which share one; {}",
                profile.len(),
                if expected > MAX_SAMPLES {
                    format!("at most {MAX_SAMPLES} in all are read")
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
                self.unless(holds, &format!("{name}.{field}"), || format!("{value} is out of range"));
            }
        }
    }

    fn exemplars(&mut self, model: &BlinkModel) {
        let count = model.exemplars.len();
        self.unless(count <= MAX_EXEMPLARS, "exemplars", || {
            format!("{count} of them, and at most {MAX_EXEMPLARS} are kept")
        });
        for (index, exemplar) in model.exemplars.iter().enumerate().take(MAX_EXEMPLARS) {
            let (name, before) = (format!("exemplars[{index}]"), self.0.len());
            self.secs(&format!("{name}.closingSecs"), exemplar.closing_secs);
            self.secs(&format!("{name}.openingSecs"), exemplar.opening_secs);
            self.profile(&format!("{name}.profile"), &exemplar.profile, model);
            if self.0.len() == before {
                self.unless(model.exemplar(index).is_some(), &name, || {
                    "no lid can do it: it is below 0, lower elsewhere than where closing ends, or hardly \
                     moves; take it away"
                        .into()
                });
            }
        }
    }

    fn or_ok(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Error::new(format!("this blink model cannot be used:\n  {}", self.0.join("\n  "))))
    }
}

fn is_number(value: f64) -> bool {
    value.abs() <= MAX_NUMBER
}
