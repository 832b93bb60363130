//! A model of blinks from blinks (paper 3, 3.3.2).
//!
//! Each blink's closing and opening are resampled by splines to the mean lengths, the lowest point at the same
//! sample; the two scale factors that this took are appended, and the rows' principal components are the
//! model. [`vivant::eyes::blink_model::BlinkModel`] makes new blinks of it.
//!
//! ```
//! use vivant_learn::pca::{Cut, Options, learn};
//! // A lid that comes down in 0.1 s and goes up in 0.2 s, five times, a little differently.
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

pub use cut::{Cut, Form, Spread, Unfit};
pub use decompose::Components;
pub use gather::{Eyes, Gathered, GatheredBlinks, LeftOut, Which, gather};
pub use held_out::HeldOut;
pub use text::lines;

use serde::Serialize;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{
    BlinkModel, Closure, Component, Exemplar, MAX_COMPONENTS, MAX_EXEMPLARS, VERSION, Way,
};
use vivant_io::{Error, Result};

/// How many components a model has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// So many.
    Count(usize),
    /// As few as explain this share of the variance.
    Variance(f64),
}

/// How a model is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How many components; paper 3 has 5, which explained 98 % there.
    pub components: Wanted,
    /// How often the mean blink is sampled; paper 3 has 300 Hz.
    pub rate_hz: f64,
    /// How far the model's blinks close.
    pub closure: Closure,
}

impl Default for Options {
    fn default() -> Self {
        Self { components: Wanted::Count(5), rate_hz: 300.0, closure: Closure::default() }
    }
}

/// A model, and what it was made of.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The model.
    pub model: BlinkModel,
    /// What is known of it.
    pub report: Report,
    /// The numbers behind it.
    pub analysis: Analysis,
}

/// Blinks as a matrix, and its components.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How blinks became rows.
    pub form: Form,
    /// A row a blink.
    pub rows: Vec<Vec<f64>>,
    /// As many components as were wanted, with all their digits.
    pub components: Components,
}

/// How good a model is, and of what.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many blinks it was learned from.
    pub blinks: usize,
    /// The share of their variance that its components explain.
    pub explained: f64,
    /// … and each of them alone.
    pub shares: Vec<f64>,
    /// How well it knows blinks that it has not seen; none if there are too few to hold some out.
    pub held_out: Option<HeldOut>,
    /// The share of drawn blinks that a lid can do; the others are drawn again.
    pub possible: f64,
    /// How long the blinks took, in seconds.
    pub duration_secs: Spread,
    /// … closing.
    pub closing_secs: Spread,
    /// … and opening.
    pub opening_secs: Spread,
    /// How far the eye closed, as a share of its aperture.
    pub amplitude: Spread,
}

/// The fewest blinks that have components worth the name.
const FEWEST: usize = 4;
/// More is another language's or a mistyped file.
const MOST: usize = 1_000_000;
/// How many blinks are drawn to see how many are possible.
const TRIED: u64 = 1000;

/// Learns a model from blinks.
///
/// # Errors
/// If there are too few of them, or if they are all the same.
pub fn learn(cuts: &[Cut], options: &Options, origin: &str) -> Result<Learned> {
    enough(cuts.len())?;
    let analysis = Analysis::of(cuts, options);
    if analysis.components.vectors.is_empty() {
        return Err(Error::new("all blinks are the same; a model is learned from blinks that differ"));
    }
    let model = analysis.model(cuts, options, origin);
    model.check().map_err(|error| Error::new(format!("what was learned cannot be used: {error}")))?;
    let report = report(&model, &analysis, cuts, held_out::held_out(cuts, options));
    Ok(Learned { model, report, analysis })
}

fn enough(blinks: usize) -> Result<()> {
    if !(FEWEST..=MOST).contains(&blinks) {
        return Err(Error::new(format!(
            "{blinks} blinks to learn from, and a model needs {FEWEST} to {MOST}; give {} recordings",
            if blinks < FEWEST { "more or longer" } else { "fewer" }
        )));
    }
    Ok(())
}

impl Analysis {
    /// Brings blinks to one length, and finds as many components as are wanted.
    #[must_use]
    pub fn of(cuts: &[Cut], options: &Options) -> Self {
        let form = Form::of(cuts, options.rate_hz);
        let rows: Vec<Vec<f64>> = cuts.iter().map(|cut| form.row(cut)).collect();
        let mut components = Components::of(&rows, MAX_COMPONENTS);
        let count = match options.components {
            Wanted::Count(count) => count,
            Wanted::Variance(share) => {
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
            exemplars: chosen(cuts.len()).map(|index| self.exemplar(&cuts[index], index)).collect(),
        };
        // A recorded blink whose lid shakes at its lowest point is no example.
        let possible: Vec<bool> = (0..model.exemplars.len()).map(|i| model.exemplar(i).is_some()).collect();
        let mut keep = possible.into_iter();
        model.exemplars.retain(|_| keep.next().unwrap_or(false));
        model
    }

    /// A row without its lengths.
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

    /// How far the eye closes in each blink, as a share of how open it is in it at most.
    fn amplitudes(&self) -> Vec<f64> {
        let (samples, closing) = (self.form.samples(), self.form.closing.samples as usize);
        let highest = |row: &[f64]| row[..samples].iter().copied().fold(f64::MIN, f64::max);
        self.rows.iter().map(|row| 1.0 - row[closing - 1].max(0.0) / highest(row)).collect()
    }
}

/// Which blinks are kept as they are: all, or as many as a model may have, evenly from first to last.
fn chosen(blinks: usize) -> impl Iterator<Item = usize> {
    let kept = blinks.min(MAX_EXEMPLARS);
    (0..kept).map(move |i| i * blinks / kept)
}

/// Nine decimals are more than any camera sees.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9 + 0.0
}

fn rounded_way(way: Way) -> Way {
    Way { mean_secs: rounded(way.mean_secs), sd_secs: rounded(way.sd_secs), ..way }
}

fn report(model: &BlinkModel, analysis: &Analysis, cuts: &[Cut], held_out: Option<HeldOut>) -> Report {
    let Components { variances, total, .. } = &analysis.components;
    Report {
        blinks: cuts.len(),
        explained: analysis.components.explained(variances.len()),
        shares: variances.iter().map(|variance| variance / total).collect(),
        held_out,
        possible: possible(model),
        duration_secs: Spread::of(cuts.iter().map(|cut| cut.closing_secs() + cut.opening_secs())),
        closing_secs: Spread::of(cuts.iter().map(Cut::closing_secs)),
        opening_secs: Spread::of(cuts.iter().map(Cut::opening_secs)),
        amplitude: Spread::of(analysis.amplitudes().into_iter()),
    }
}

fn possible(model: &BlinkModel) -> f64 {
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
