//! Cross-validation: quality of a model for blinks it was not learned from.

use super::{Analysis, Cut, Form, Options, check_count};
use serde::Serialize;

/// Maximum number of blinks that are each held out separately. More blinks are held out in ten parts.
const MAX_FOLDS: usize = 60;
const FOLDS: usize = 10;

/// Quality of the reconstruction of held-out blinks from the components of all other blinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldOut {
    /// Number of folds.
    pub folds: usize,
    /// Explained share of the held-out blinks' variance around the mean of the other blinks, including durations: 1 −
    /// Σ|x − x̂|² / Σ|x − mean|².
    pub variance: f64,
    /// Explained share of the held-out blinks' movement over time, around each blink's own mean. Durations are not
    /// included.
    pub movement: f64,
    /// Root mean square error of the profile, as a share of the aperture.
    pub rms_openness: f64,
}

/// Sums of squares over all held-out blinks.
#[derive(Default)]
struct Sums {
    missed: f64,
    all: f64,
    missed_in_profile: f64,
    movement: f64,
    samples: usize,
}

/// Holds out each blink in turn, with all cuts of its group; `None` if too few blinks are left to learn from.
pub(super) fn held_out(cuts: &[Cut], options: &Options) -> Option<HeldOut> {
    let mut groups: Vec<usize> = cuts.iter().map(|cut| cut.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let folds = if groups.len() <= MAX_FOLDS { groups.len() } else { FOLDS };
    let fold_of = |cut: &Cut| groups.binary_search(&cut.group).unwrap_or_default() % folds;
    let mut sums = Sums::default();
    for fold in 0..folds {
        let (out, others): (Vec<Cut>, Vec<Cut>) = cuts.iter().cloned().partition(|cut| fold_of(cut) == fold);
        check_count(others.len()).ok()?;
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
