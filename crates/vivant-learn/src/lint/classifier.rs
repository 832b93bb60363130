//! A classifier that tries to distinguish a trace from recordings of people.
//!
//! Every single check can pass while the whole still looks artificial. This classifier sees windows of two seconds from
//! people and from the trace, and decides which is which. It is a logistic regression on features of blinks and
//! saccades. It is evaluated on people and on parts of the trace that were not used for training. The result is the
//! area under the ROC curve (AUC): 0.5 means indistinguishable, 1 means always recognized.
//!
//! The classifier must not recognize devices. So all traces are resampled to the lowest sampling rate among them, and
//! a synthetic trace gets noise at the median level of the recordings.

use super::{Saccade, Trace, TraceFindings, find_events, signal};
use crate::blinks::{Event, Kind};
use serde::Serialize;
use vivant::chance::Chance;
use vivant::eyes::saccade::MainSequence;
use vivant::math::{cos, exp, ln};
use vivant_io::Result;

const WINDOW_SECS: f64 = 2.0;
/// Minimum number of windows of people and of the trace.
const MIN_WINDOWS: usize = 10;
const MIN_PEOPLE: usize = 2;

/// A recorded trace of a person.
#[derive(Clone, Debug)]
pub struct PersonTrace {
    /// Identifies the person. Several recordings may have the same person.
    pub person: String,
    /// The trace.
    pub trace: Trace,
}

/// Result of a classifier that separates windows of the trace from windows of people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassifierResult {
    /// Area under the ROC curve: 0.5 means indistinguishable, 1 means always recognized.
    pub auc: f64,
    /// Two standard errors of the AUC (Hanley & McNeil 1982).
    pub error: f64,
    /// Number of people.
    pub people: usize,
    /// Number of windows from recordings of people.
    pub human: usize,
    /// Number of windows from the trace.
    pub other: usize,
}

/// Classifier results for lids and eyes; `None` where there are too few windows or people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Classification {
    /// Result from blink features.
    pub lids: Option<ClassifierResult>,
    /// Result from saccade features.
    pub eyes: Option<ClassifierResult>,
}

/// Trains and evaluates the classifier on `people` against `other`.
///
/// # Errors
/// Returns an error if one of the traces cannot be checked; see [`Trace::check`].
pub fn classify(people: &[PersonTrace], other: &Trace) -> Result<Classification> {
    let rate_hz = people.iter().map(|seen| seen.trace.rate_hz).fold(other.rate_hz, f64::min);
    let noise = median_noise(people);
    let mut human = Vec::new();
    for seen in people {
        let trace = seen.trace.at_rate(rate_hz);
        let found = find_events(&trace)?;
        human.push((seen.person.as_str(), trace, found));
    }
    let mut other = other.at_rate(rate_hz);
    if !other.is_recorded {
        add_noise(&mut other, noise);
    }
    let found = find_events(&other)?;
    let of = |windows: fn(&Trace, &TraceFindings) -> Vec<Vec<f64>>| {
        let human: Vec<(&str, Vec<Vec<f64>>)> =
            human.iter().map(|(person, trace, found)| (*person, windows(trace, found))).collect();
        cross_validate(&human, &windows(&other, &found))
    };
    Ok(Classification { lids: of(lid_windows), eyes: of(eye_windows) })
}

/// Returns the median noise over all people: of the gaze in degrees, and of the aperture as a share.
fn median_noise(people: &[PersonTrace]) -> [f64; 2] {
    let of = |values: &dyn Fn(&Trace) -> Option<f64>| {
        let mut all: Vec<f64> = people.iter().filter_map(|seen| values(&seen.trace)).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    };
    let value = |values: &[f64]| signal::noise_level(values).map(|it| it.value);
    [of(&|trace| value(&trace.gaze.as_ref()?.yaw_deg)), of(&|trace| value(trace.openness.first()?))]
}

/// Adds Gaussian noise with the given standard deviations: of the gaze in degrees, and of the aperture. The seed is
/// fixed.
fn add_noise(trace: &mut Trace, [gaze, lids]: [f64; 2]) {
    let chance = Chance::new(1, "device");
    let mut count = 0;
    let mut add = |values: &mut [f64], by: f64| {
        for value in values {
            let mut draw = chance.event(count);
            count += 1;
            *value +=
                by * (-2.0 * ln(1.0 - draw.uniform())).sqrt() * cos(std::f64::consts::TAU * draw.uniform());
        }
    };
    if let Some(own) = &mut trace.gaze {
        add(&mut own.yaw_deg, gaze);
        add(&mut own.pitch_deg, gaze);
    }
    trace.openness.iter_mut().for_each(|side| add(side, lids));
}

/// Returns the blink features of each window that has a blink.
fn lid_windows(trace: &Trace, found: &TraceFindings) -> Vec<Vec<f64>> {
    let blinks: Vec<&Event> = found.blinks.iter().filter(|blink| blink.kind == Kind::Blink).collect();
    let count = (trace.secs() / WINDOW_SECS) as usize;
    let in_window = |window: usize| {
        let from = window as f64 * WINDOW_SECS;
        blinks.iter().filter(move |blink| (from..from + WINDOW_SECS).contains(&blink.onset_secs))
    };
    let windows = (0..count).filter_map(|window| {
        let own: Vec<_> = in_window(window).collect();
        let mean = |value: fn(&Event) -> f64| own.iter().map(|it| value(it)).sum::<f64>() / own.len() as f64;
        (!own.is_empty()).then(|| {
            vec![
                own.len() as f64,
                mean(|it| ln(it.closing_secs.max(1e-3))),
                mean(|it| ln(it.opening_secs.max(1e-3))),
                mean(|it| ln(it.duration_secs().max(1e-3))),
                mean(|it| it.completeness),
                mean(|it| ln((it.peak_closing_per_s / it.amplitude.max(1e-3)).max(1e-3))),
                mean(|it| ln((it.peak_opening_per_s / it.amplitude.max(1e-3)).max(1e-3))),
            ]
        })
    });
    windows.filter(|window| window.iter().all(|x| x.is_finite())).collect()
}

/// Returns the saccade features of each window that has a saccade.
fn eye_windows(trace: &Trace, found: &TraceFindings) -> Vec<Vec<f64>> {
    let Some(gaze_events) = &found.gaze_events else { return Vec::new() };
    let samples = (WINDOW_SECS * trace.rate_hz) as usize;
    let windows = (0..trace.len() / samples.max(1)).filter_map(|window| {
        let from = window * samples;
        let own: Vec<&Saccade> = gaze_events
            .saccades
            .iter()
            .filter(|it| it.amplitude_deg >= 1.0 && (from..from + samples).contains(&it.from))
            .collect();
        let mean =
            |value: fn(&Saccade) -> f64| own.iter().map(|it| value(it)).sum::<f64>() / own.len() as f64;
        (!own.is_empty()).then(|| {
            vec![
                own.len() as f64,
                mean(|it| ln(it.amplitude_deg)),
                mean(|it| ln(it.secs) - ln(MainSequence::Collewijn.duration_secs(it.amplitude_deg))),
                mean(|it| it.skew),
                mean(|it| ln(it.peak_deg_per_s * it.secs / it.amplitude_deg)),
                mean(|it| f64::from(u8::from(it.shift_deg[0].abs() > it.shift_deg[1].abs()))),
            ]
        })
    });
    windows.filter(|window| window.iter().all(|x| x.is_finite())).collect()
}

fn cross_validate(people: &[(&str, Vec<Vec<f64>>)], other: &[Vec<f64>]) -> Option<ClassifierResult> {
    let mut names: Vec<&str> =
        people.iter().filter(|(_, windows)| !windows.is_empty()).map(|(person, _)| *person).collect();
    names.sort_unstable();
    names.dedup();
    let human = people.iter().map(|(_, windows)| windows.len()).sum();
    if names.len() < MIN_PEOPLE || human < MIN_WINDOWS || other.len() < MIN_WINDOWS {
        return None;
    }
    // Each fold leaves out one person and one contiguous part of the trace of the same relative size.
    let (mut of_people, mut of_other) = (Vec::new(), Vec::new());
    for (fold, name) in names.iter().enumerate() {
        let all =
            people.iter().flat_map(|(person, windows)| windows.iter().map(move |window| (person, window)));
        let (out, rest): (Vec<_>, Vec<_>) = all.partition(|(person, _)| *person == name);
        let range = other.len() * fold / names.len()..other.len() * (fold + 1) / names.len();
        let own: Vec<&[f64]> = rest.iter().map(|(_, window)| window.as_slice()).collect();
        let others = || other.iter().enumerate().filter(|(i, _)| !range.contains(i));
        let model = Logistic::fit(&own, &others().map(|(_, window)| window.as_slice()).collect::<Vec<_>>());
        of_people.extend(out.iter().map(|(_, window)| model.score(window)));
        of_other.extend(other[range.clone()].iter().map(|window| model.score(window)));
    }
    let auc = auc(&of_people, &of_other);
    let error = 2.0 * standard_error(auc, of_people.len() as f64, of_other.len() as f64);
    Some(ClassifierResult { auc, error, people: names.len(), human, other: other.len() })
}

/// Returns the probability that a value of `above` exceeds one of `below`; ties count half.
fn auc(above: &[f64], below: &[f64]) -> f64 {
    let mut all: Vec<(f64, bool)> =
        above.iter().map(|x| (*x, true)).chain(below.iter().map(|x| (*x, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut first) = (0.0, 0);
    while first < all.len() {
        let same = all[first..].iter().take_while(|(x, _)| *x == all[first].0).count();
        let rank = first as f64 + 0.5 * (same as f64 + 1.0);
        ranks += rank * all[first..first + same].iter().filter(|(_, is_above)| *is_above).count() as f64;
        first += same;
    }
    let (n, m) = (above.len() as f64, below.len() as f64);
    (ranks - n * (n + 1.0) / 2.0) / (n * m)
}

fn standard_error(auc: f64, n: f64, m: f64) -> f64 {
    let (q1, q2) = (auc / (2.0 - auc), 2.0 * auc * auc / (1.0 + auc));
    let square = auc * auc;
    ((auc * (1.0 - auc) + (n - 1.0) * (q1 - square) + (m - 1.0) * (q2 - square)) / (n * m)).max(0.0).sqrt()
}

/// Logistic regression on standardized features; both classes have the same total weight.
struct Logistic {
    mean: Vec<f64>,
    scale: Vec<f64>,
    weights: Vec<f64>,
    bias: f64,
}

impl Logistic {
    fn fit(human: &[&[f64]], other: &[&[f64]]) -> Self {
        const STEPS: usize = 400;
        const RATE: f64 = 0.5;
        const PRIOR: f64 = 0.01;
        let count = other[0].len();
        let all = || human.iter().chain(other);
        let n = all().count() as f64;
        let mean: Vec<f64> = (0..count).map(|k| all().map(|window| window[k]).sum::<f64>() / n).collect();
        let scale = (0..count)
            .map(|k| {
                (all().map(|window| window[k] - mean[k]).map(|off| off * off).sum::<f64>() / n)
                    .sqrt()
                    .max(1e-9)
            })
            .collect();
        let mut model = Self { mean, scale, weights: vec![0.0; count], bias: 0.0 };
        for _ in 0..STEPS {
            let (mut slope, mut lift) = (vec![0.0; count], 0.0);
            for (windows, is_human) in [(human, 1.0), (other, 0.0)] {
                for window in windows {
                    let off =
                        (is_human - 1.0 / (1.0 + exp(-model.score(window)))) / (2.0 * windows.len() as f64);
                    lift += off;
                    slope
                        .iter_mut()
                        .enumerate()
                        .for_each(|(k, slope)| *slope += off * model.feature(window, k));
                }
            }
            model.bias += RATE * lift;
            for (weight, slope) in model.weights.iter_mut().zip(slope) {
                *weight += RATE * (slope - PRIOR * *weight);
            }
        }
        model
    }

    fn feature(&self, window: &[f64], k: usize) -> f64 {
        (window[k] - self.mean[k]) / self.scale[k]
    }

    fn score(&self, window: &[f64]) -> f64 {
        self.bias + (0..self.weights.len()).map(|k| self.weights[k] * self.feature(window, k)).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares the AUC with the share of pairs in which the value of `above` is larger.
        #[test]
        fn auc_is_the_share_of_ordered_pairs(
            above in prop::collection::vec(0..20_i32, 1..30), below in prop::collection::vec(0..20_i32, 1..30),
        ) {
            let pairs = above.iter().flat_map(|a| below.iter().map(move |b| a.cmp(b)));
            let won: f64 = pairs.map(|order| match order {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            }).sum();
            let [a, b] = [&above, &below].map(|all| all.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
            let expected = won / (above.len() * below.len()) as f64;
            prop_assert!((auc(&a, &b) - expected).abs() < 1e-12);
        }
    }

    /// Returns windows of two features, the first shifted by `middle`.
    fn windows(seed: u64, count: u64, middle: f64) -> Vec<Vec<f64>> {
        let chance = vivant::chance::Chance::new(seed, "tell");
        (0..count)
            .map(|i| {
                let mut draw = chance.event(i);
                vec![middle + draw.uniform(), draw.uniform()]
            })
            .collect()
    }

    #[test]
    fn similar_windows_give_half_and_different_ones_give_one() {
        let people = [("a", windows(1, 60, 0.0)), ("b", windows(2, 60, 0.0)), ("c", windows(3, 60, 0.0))];
        let same = cross_validate(&people, &windows(9, 180, 0.0)).unwrap();
        assert!((same.auc - 0.5).abs() < 0.1, "{same:?}");
        let other = cross_validate(&people, &windows(9, 180, 2.0)).unwrap();
        assert!(other.auc > 0.999, "{other:?}");
        assert_eq!((other.people, other.human, other.other), (3, 180, 180));
        assert_eq!(cross_validate(&people[..1], &windows(9, 180, 2.0)), None, "one person is not enough");
    }
}
