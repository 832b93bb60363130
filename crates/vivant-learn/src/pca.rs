//! Learns a blink model from recorded blinks (paper 3, 3.3.2).
//!
//! The closing and opening phase of each blink are resampled by splines to their mean lengths, so that the lowest
//! point of every blink is at the same sample. The two scale factors are appended to each row. The principal
//! components of these rows are the model. [`vivant::eyes::blink_model::BlinkModel`] generates new blinks from it.
//!
//! ```
//! use vivant_learn::pca::{Cut, Options, learn};
//! // Five slightly different blinks: the lid closes in 0.1 s and opens in 0.2 s.
//! let blink = |i: u8| {
//!     let (low, n) = (0.02 * f64::from(i), f64::from(20 + i));
//!     let way = |n: f64| (0..=n as u32).map(move |k| f64::from(k) / n);
//!     let closing = way(n).map(|u| 1.0 - (1.0 - low) * u * u * (3.0 - 2.0 * u)).collect();
//!     let opening = way(2.0 * n).map(|u| low + (1.0 - low) * u * u * (3.0 - 2.0 * u)).collect();
//!     Cut { group: i.into(), rate_hz: 200.0, closing, opening }
//! };
//! let cuts: Vec<Cut> = (0..5).map(blink).collect();
//! let learned = learn(&cuts, &Options::default(), "an example")?;
//! assert!(learned.report.explained > 0.98);
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod cut;
mod decompose;
mod gather;
mod held_out;
mod spline;
mod text;

pub use cut::{Cut, CutError, Form, Spread};
pub use decompose::Components;
pub use gather::{BlinkSelection, Eyes, Gathered, GatheredBlinks, LeftOut, gather};
pub use held_out::HeldOut;
pub use text::lines;

use serde::Serialize;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{
    BlinkModel, BlinkPhase, Closure, Component, Exemplar, MAX_COMPONENTS, MAX_EXEMPLARS, VERSION,
};
use vivant_io::{Error, Result};

/// Number of components of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComponentChoice {
    /// A fixed number.
    Count(usize),
    /// The smallest number that explains this share of the variance.
    Variance(f64),
}

/// Options for learning a blink model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Number of components. Paper 3 uses 5, which explained 98 % of its variance.
    pub components: ComponentChoice,
    /// Sampling rate of the mean blink in hertz; paper 3 uses 300 Hz.
    pub rate_hz: f64,
    /// Closure of the model's blinks: full, or as recorded.
    pub closure: Closure,
}

impl Default for Options {
    fn default() -> Self {
        Self { components: ComponentChoice::Count(5), rate_hz: 300.0, closure: Closure::default() }
    }
}

/// A model and its analysis.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The model.
    pub model: BlinkModel,
    /// Quality of the model.
    pub report: Report,
    /// The rows and components from which the model was built.
    pub analysis: Analysis,
}

/// Blinks as a matrix, and its components.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Durations and sample counts used to convert blinks to rows.
    pub form: Form,
    /// One row per blink.
    pub rows: Vec<Vec<f64>>,
    /// The requested components, in full precision.
    pub components: Components,
}

/// Quality of a model, and statistics of its blinks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Number of blinks that the model was learned from.
    pub blinks: usize,
    /// Share of the variance explained by the components.
    pub explained: f64,
    /// Share of the variance explained by each component.
    pub shares: Vec<f64>,
    /// Quality for blinks that the model was not learned from; `None` if there are too few blinks to hold some out.
    pub held_out: Option<HeldOut>,
    /// Share of sampled blinks that are physically valid; the others are sampled again.
    pub possible: f64,
    /// Duration of the blinks in seconds.
    pub duration_secs: Spread,
    /// Duration of the closing phase in seconds.
    pub closing_secs: Spread,
    /// Duration of the opening phase in seconds.
    pub opening_secs: Spread,
    /// Amplitude as a share of the aperture.
    pub amplitude: Spread,
}

/// Minimum number of blinks.
const MIN_COUNT: usize = 4;
/// Maximum number of blinks; more are probably a mistake.
const MAX_COUNT: usize = 1_000_000;
/// Number of blinks sampled to estimate the share of valid ones.
const TRIED: u64 = 1000;

/// Learns a model from blinks.
///
/// # Errors
/// Returns an error if there are too few blinks, or if they are all the same.
pub fn learn(cuts: &[Cut], options: &Options, origin: &str) -> Result<Learned> {
    check_count(cuts.len())?;
    let analysis = Analysis::of(cuts, options);
    if analysis.components.vectors.is_empty() {
        return Err(Error::new("all blinks are the same; a model needs blinks that differ"));
    }
    let model = analysis.model(cuts, options, origin);
    model.check().map_err(|error| {
        Error::new(format!("the learned model is invalid; check the recordings: {error}"))
    })?;
    let report = report(&model, &analysis, cuts, held_out::held_out(cuts, options));
    Ok(Learned { model, report, analysis })
}

fn check_count(blinks: usize) -> Result<()> {
    if !(MIN_COUNT..=MAX_COUNT).contains(&blinks) {
        return Err(Error::new(format!(
            "{blinks} blinks given, but a model needs {MIN_COUNT} to {MAX_COUNT}; use {} recordings",
            if blinks < MIN_COUNT { "more or longer" } else { "fewer" }
        )));
    }
    Ok(())
}

impl Analysis {
    /// Resamples all blinks to the same length, and computes the requested components.
    #[must_use]
    pub fn of(cuts: &[Cut], options: &Options) -> Self {
        let form = Form::of(cuts, options.rate_hz);
        let rows: Vec<Vec<f64>> = cuts.iter().map(|cut| form.row(cut)).collect();
        let mut components = Components::of(&rows, MAX_COMPONENTS);
        let count = match options.components {
            ComponentChoice::Count(count) => count,
            ComponentChoice::Variance(share) => {
                let enough = |count: &usize| components.explained(*count) >= share;
                (1..=MAX_COMPONENTS).find(enough).unwrap_or(MAX_COMPONENTS)
            }
        };
        components.vectors.truncate(count);
        components.variances.truncate(count);
        Self { form, rows, components }
    }

    fn model(&self, cuts: &[Cut], options: &Options, origin: &str) -> BlinkModel {
        let Self { form, components, .. } = self;
        let mut model = BlinkModel {
            version: VERSION,
            origin: origin.to_owned(),
            blinks: cuts.len() as u32,
            closure: options.closure,
            closing: rounded_way(form.closing),
            opening: rounded_way(form.opening),
            mean: self.profile(&components.mean),
            components: (0..components.vectors.len()).map(|index| self.component(index)).collect(),
            exemplars: exemplar_indices(cuts.len()).map(|index| self.exemplar(&cuts[index], index)).collect(),
        };
        // Recorded blinks whose lid shakes at the lowest point are not used as exemplars.
        let possible: Vec<bool> = (0..model.exemplars.len()).map(|i| model.exemplar(i).is_some()).collect();
        let mut keep = possible.into_iter();
        model.exemplars.retain(|_| keep.next().unwrap_or(false));
        model
    }

    /// Returns the samples of a row, without its two scale factors.
    fn profile(&self, row: &[f64]) -> Vec<f64> {
        row[..self.form.samples()].iter().map(|value| rounded(*value)).collect()
    }

    fn component(&self, index: usize) -> Component {
        let Components { vectors, variances, total, .. } = &self.components;
        let lengths = &vectors[index][self.form.samples()..];
        Component {
            sd: rounded(variances[index].sqrt()),
            share: rounded(variances[index] / total),
            profile: self.profile(&vectors[index]),
            closing: rounded(lengths[0]),
            opening: rounded(lengths[1]),
        }
    }

    fn exemplar(&self, cut: &Cut, index: usize) -> Exemplar {
        let [closing_secs, opening_secs] = [cut.closing_secs(), cut.opening_secs()].map(rounded);
        Exemplar { closing_secs, opening_secs, profile: self.profile(&self.rows[index]) }
    }

    /// Returns the amplitude of each blink, as a share of its largest aperture.
    fn amplitudes(&self) -> Vec<f64> {
        let (samples, closing) = (self.form.samples(), self.form.closing.samples as usize);
        let highest = |row: &[f64]| row[..samples].iter().copied().fold(f64::MIN, f64::max);
        self.rows.iter().map(|row| 1.0 - row[closing - 1].max(0.0) / highest(row)).collect()
    }
}

/// Selects the blinks kept as exemplars: all, or the maximum number, evenly spaced.
fn exemplar_indices(blinks: usize) -> impl Iterator<Item = usize> {
    let kept = blinks.min(MAX_EXEMPLARS);
    (0..kept).map(move |i| i * blinks / kept)
}

/// Rounds to nine decimals, more than any camera resolves.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9 + 0.0
}

fn rounded_way(way: BlinkPhase) -> BlinkPhase {
    BlinkPhase { mean_secs: rounded(way.mean_secs), sd_secs: rounded(way.sd_secs), ..way }
}

fn report(model: &BlinkModel, analysis: &Analysis, cuts: &[Cut], held_out: Option<HeldOut>) -> Report {
    let Components { variances, total, .. } = &analysis.components;
    Report {
        blinks: cuts.len(),
        explained: analysis.components.explained(variances.len()),
        shares: variances.iter().map(|variance| variance / total).collect(),
        held_out,
        possible: valid_share(model),
        duration_secs: Spread::of(cuts.iter().map(|cut| cut.closing_secs() + cut.opening_secs())),
        closing_secs: Spread::of(cuts.iter().map(Cut::closing_secs)),
        opening_secs: Spread::of(cuts.iter().map(Cut::opening_secs)),
        amplitude: Spread::of(analysis.amplitudes().into_iter()),
    }
}

fn valid_share(model: &BlinkModel) -> f64 {
    let chance = Chance::new(1, "possible");
    let is_possible = |index: &u64| {
        let mut draw = chance.event(*index);
        let coefficients: Vec<f64> = model.components.iter().map(|c| draw.between(-c.sd, c.sd)).collect();
        model.curve(&coefficients).is_some()
    };
    (0..TRIED).filter(is_possible).count() as f64 / TRIED as f64
}

#[cfg(test)]
mod tests;
