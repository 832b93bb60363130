//! Plots of learned models and labelled recordings.
//!
//! The plots themselves are plain data and know nothing about learning. The functions here convert results of
//! [`vivant_learn`] to them and write the titles with the numbers that matter: [`Blinks::of`] for a labelled recording,
//! [`Heat::of_counts`] for a behaviour model, [`Intervals::of_texture`] for an eye texture, and [`Profiles::of_blinks`]
//! for a blink model. They only select and scale data; they do not learn.

use super::{Blinks, CurveGroup, Heat, Intervals, Profiles};
use vivant::chance::Chance;
use vivant::eyes::blink_model::{BlinkCurve, BlinkModel};
use vivant::eyes::blinking::Activity;
use vivant_learn::behaviour::{ChainName, Counts};
use vivant_learn::blinks::recorded::Labelled;
use vivant_learn::blinks::text::rate;
use vivant_learn::pca::{Cut, Form, Learned};
use vivant_learn::recording::Recording;
use vivant_learn::texture;

impl<'a> Blinks<'a> {
    /// Makes the plot of the labelled blinks of a recording.
    #[must_use]
    pub fn of(recording: &Recording, labelled: &'a Labelled) -> Self {
        let known = if labelled.openness.is_empty() { "" } else { "Aperture, 1 is normally open. " };
        Self {
            title: format!("Blinks: {}\n{known}{}", recording.name, rate(&labelled.statistics)),
            rate_hz: labelled.rate_hz,
            openness: &labelled.openness,
            secs: recording.times.last().copied().unwrap_or(0.0),
            events: &labelled.events,
            durations: labelled.statistics.durations.as_ref().map(|durations| &durations.histogram),
        }
    }
}

impl Heat {
    /// Makes the plot of the transitions of a behaviour model's chain.
    #[must_use]
    pub fn of_counts(counts: &Counts) -> Self {
        let of_row = |row: &Vec<u64>| row.iter().sum::<u64>();
        let sum: u64 = counts.transitions.iter().map(of_row).sum();
        let during = match counts.activity {
            Some(Activity::Speaking) => " while speaking",
            Some(_) => " while listening",
            None => "",
        };
        let is_pale: Vec<bool> = counts.transitions.iter().map(|row| of_row(row) == 0).collect();
        let pale = if is_pale.contains(&true) {
            "\nPale rows have no data of their own: they show overall frequencies."
        } else {
            ""
        };
        let hands = if counts.chain == ChainName::Arms { "L left, R right, LR both; " } else { "" };
        let seen = format!("{sum} transitions counted. {hands}G gesture, F fidget, T transition.");
        Self {
            title: format!("Transition probabilities: {}{during}\n{seen}{pale}", counts.chain.name()),
            rows_are: "from ↓",
            columns_are: "to →",
            names: counts.states.clone(),
            matrix: counts.matrix.clone(),
            is_pale,
        }
    }
}

impl Intervals {
    /// Makes the plot of the intervals that determined the patch size of an eye texture.
    #[must_use]
    pub fn of_texture(learned: &texture::Learned) -> Self {
        let (found, patch_secs) = (&learned.patch_size, learned.texture.patch_secs);
        let count = found.intervals_secs.len();
        let blinks = found.blink_intervals;
        let title = format!(
            "Patch duration\n{count} intervals: {blinks} between blinks, {} between gaze shifts. \
         Knee of the curve at {:.2} s.",
            count - blinks,
            found.knee_secs
        );
        Self {
            title,
            secs: found.intervals_secs.clone(),
            axis_secs: found.axis_secs().max(1.5 * patch_secs),
            chosen_secs: patch_secs,
            covered: found.covered_at(patch_secs),
        }
    }
}

/// Maximum number of curves in a panel.
const MAX_CURVES: usize = 60;
/// Number of synthesised blinks that are drawn. Trutoiu 2011 recorded the same number of blinks.
const NEW: u64 = 49;

impl Profiles {
    /// Makes the plot of blinks and their model: recorded, normalised and synthesised (Trutoiu 2011, Figure 7).
    #[must_use]
    pub fn of_blinks(cuts: &[Cut], learned: &Learned) -> Self {
        let (model, form) = (&learned.model, &learned.analysis.form);
        let every = cuts.len().div_ceil(MAX_CURVES);
        let recorded = cuts.iter().step_by(every).map(recorded).collect();
        let normalised = |row: &Vec<f64>| at_percent(&row[..form.samples()], form);
        let chance = Chance::new(1, "blinks");
        let new: Vec<BlinkCurve> = (0..NEW).map(|index| model.generate(&mut chance.event(index))).collect();
        let mean = model.mean_curve();
        let curve_group = |name: &str, across, curves, mean, is_new| CurveGroup {
            name: name.into(),
            across,
            curves,
            mean,
            is_new,
        };
        const MS: &str = "milliseconds from the lowest point";
        const SHARE: &str = "closing from −1 to 0, opening from 0 to 1";
        Self {
            title: title(learned),
            panels: vec![
                curve_group("(a) recorded", MS, recorded, in_time(&natural_mean(model)), false),
                curve_group(
                    "(b) normalised duration",
                    SHARE,
                    learned.analysis.rows.iter().step_by(every).map(normalised).collect(),
                    at_percent(&model.mean, form),
                    false,
                ),
                curve_group(
                    "(c) synthesised, normalised duration",
                    SHARE,
                    new.iter().map(in_share).collect(),
                    in_share(&mean),
                    true,
                ),
                curve_group("(d) synthesised", MS, new.iter().map(in_time).collect(), in_time(&mean), true),
            ],
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn title(learned: &Learned) -> String {
    let report = &learned.report;
    let held_out = report
        .held_out
        .map_or(String::new(), |held_out| format!("; {} for held-out blinks", percent(held_out.variance)));
    format!(
        "Model of {} blinks\nAperture over time. {} components explain {} of the variance{held_out}.\n\
         {NEW} synthesised blinks within one standard deviation. Thick lines: mean blink.",
        report.blinks,
        report.shares.len(),
        percent(report.explained),
    )
}

fn natural_mean(model: &BlinkModel) -> BlinkCurve {
    model.curve(&[]).unwrap_or_default()
}

/// Returns the aperture of a recorded blink over time, in milliseconds from the lowest point.
fn recorded(cut: &Cut) -> Vec<(f64, f64)> {
    let ms = 1e3 / cut.rate_hz;
    let first = -(cut.closing.len() as f64 - 1.0);
    let samples = cut.closing.iter().chain(&cut.opening[1..]);
    samples.enumerate().map(|(index, openness)| ((first + index as f64) * ms, *openness)).collect()
}

/// Returns a profile over normalised time: closing is from −1 to 0, and opening is from 0 to 1.
fn at_percent(profile: &[f64], form: &Form) -> Vec<(f64, f64)> {
    let [closing, opening] = [form.closing.samples, form.opening.samples].map(|n| f64::from(n) - 1.0);
    let place = |index: usize| {
        let from_apex = index as f64 - closing;
        from_apex / if from_apex < 0.0 { closing } else { opening }
    };
    profile.iter().enumerate().map(|(index, openness)| (place(index), *openness)).collect()
}

const STEPS: i32 = 60;

fn in_share(curve: &BlinkCurve) -> Vec<(f64, f64)> {
    let place = |step: i32| f64::from(step) / f64::from(STEPS);
    (-STEPS..=STEPS).map(place).map(|share| (share, curve.openness(secs_at(curve, share)))).collect()
}

fn in_time(curve: &BlinkCurve) -> Vec<(f64, f64)> {
    let from_apex = |share: f64| (secs_at(curve, share) - curve.closing_secs()) * 1e3;
    in_share(curve).into_iter().map(|(share, openness)| (from_apex(share), openness)).collect()
}

fn secs_at(curve: &BlinkCurve, share: f64) -> f64 {
    let way = if share < 0.0 { curve.closing_secs() } else { curve.opening_secs() };
    curve.closing_secs() + share * way
}
