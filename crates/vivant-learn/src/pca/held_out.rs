//! How well a model knows blinks that it has not seen.

use super::{Analysis, Cut, Form, Options, enough};
use serde::Serialize;

/// Blinks are held out one by one if there are no more than this, and else in ten parts.
const MOST_FOLDS: usize = 60;
const FOLDS: usize = 10;

/// What is left of blinks that were held out, when they are written in the components of the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldOut {
    /// How often some were held out.
    pub folds: usize,
    /// The share of their variance about the others' mean that the components explain, lengths included:
    /// 1 − Σ|x − x̂|² / Σ|x − mean|².
    pub variance: f64,
    /// The share of their movement over time, of the profile alone, about each blink's own mean.
    pub movement: f64,
    /// How far the profile is off, root mean square, as a share of the aperture.
    pub rms_openness: f64,
}

/// Squares, summed over all blinks held out.
#[derive(Default)]
struct Sums {
    missed: f64,
    all: f64,
    missed_in_profile: f64,
    movement: f64,
    samples: usize,
}

/// Holds out each blink in turn, with all cuts of its group; `None` if too few would be left.
pub(super) fn held_out(cuts: &[Cut], options: &Options) -> Option<HeldOut> {
    let mut groups: Vec<usize> = cuts.iter().map(|cut| cut.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let folds = if groups.len() <= MOST_FOLDS { groups.len() } else { FOLDS };
    let fold_of = |cut: &Cut| groups.binary_search(&cut.group).unwrap_or_default() % folds;
    let mut sums = Sums::default();
    for fold in 0..folds {
        let (out, others): (Vec<Cut>, Vec<Cut>) = cuts.iter().cloned().partition(|cut| fold_of(cut) == fold);
        enough(others.len()).ok()?;
        let Analysis { form, components, .. } = Analysis::of(&others, options);
        for cut in &out {
            let row = form.row(cut);
            let back = components.row(&components.coefficients(&row));
            sums.add(&row, &back, &components.mean, &form);
        }
    }
    Some(sums.shares(folds))
}

impl Sums {
    fn add(&mut self, row: &[f64], back: &[f64], mean: &[f64], form: &Form) {
        let samples = form.samples();
        let own = row[..samples].iter().sum::<f64>() / samples as f64;
        self.missed += squares(row, back);
        self.all += squares(row, mean);
        self.missed_in_profile += squares(&row[..samples], &back[..samples]);
        self.movement += row[..samples].iter().map(|x| (x - own) * (x - own)).sum::<f64>();
        self.samples += samples;
    }

    fn shares(&self, folds: usize) -> HeldOut {
        HeldOut {
            folds,
            variance: 1.0 - self.missed / self.all,
            movement: 1.0 - self.missed_in_profile / self.movement,
            rms_openness: (self.missed_in_profile / self.samples as f64).sqrt(),
        }
    }
}

fn squares(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
