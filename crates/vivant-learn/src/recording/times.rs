//! Sorts timestamps and measures their quality.
//!
//! Timestamps of real devices repeat, arrive late or jump back, and every later step assumes that they increase.
//! [`ordered`] returns the rows to keep in order of time and counts each repair in a [`Timing`]; [`measured`] adds
//! rate, jitter and gaps. Small defects give warnings. If the clock goes back and many samples would be lost, the file
//! probably has several recordings, and this is an error. Samples are not moved in time; this is the task of
//! `super::resample`.

use super::limits::LONGEST_SECS;
use serde::Serialize;
use vivant_io::{Error, Result, Warning, WarningCode};

/// Quality of the timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// Number of kept samples.
    pub samples: usize,
    /// Sampling rate; see [`super::Recording::rate_hz`].
    pub rate_hz: f64,
    /// Standard deviation of the steps between samples, without gaps.
    pub jitter_secs: f64,
    /// Longest time without a sample.
    pub longest_gap_secs: f64,
    /// Number of gaps: more than two and a half usual steps without a sample.
    pub gaps: usize,
    /// Number of samples ignored because their time is unknown.
    pub without_time: usize,
    /// Number of samples ignored because another has the same time.
    pub duplicates: usize,
    /// Number of samples that were late in the file and have been sorted.
    pub reordered: usize,
    /// Number of samples ignored because the clock was set back.
    pub stepped_back: usize,
}

/// Maximum time by which a sample that was written late is earlier than a previous one. If a sample is earlier by more,
/// the clock was set back.
const LATE_SECS: f64 = 1.0;
/// Maximum share of samples that are dropped because the clock was set back. If it would be more, the file has several
/// recordings.
const MAX_STEPPED_BACK: f64 = 0.1;
/// Common sampling rates of devices.
const USUAL_HZ: [f64; 23] = [
    24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0, 72.0, 90.0, 100.0, 119.88, 120.0, 125.0, 150.0, 200.0, 240.0,
    250.0, 300.0, 500.0, 600.0, 1000.0, 1200.0, 2000.0,
];
/// Maximum relative difference from a common rate at which a rate is rounded to it. Clocks of two devices differ by
/// less.
const NEAR: f64 = 0.005;
/// Duration of a step above which it is a gap, as a multiple of the usual step.
const GAP_STEPS: f64 = 2.5;
/// Duration above which a step is a gap if steps vary (batches of samples), as a multiple of the median step.
const FAR_STEPS: f64 = 5.0;

/// Returns the rows to keep in order of time, and the quality of the timestamps.
pub(super) fn ordered(
    secs: &[f64],
    mut rows: Vec<usize>,
    place: &dyn Fn(usize) -> String,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<usize>, Timing)> {
    let mut timing = Timing::default();
    let all = rows.len();
    rows.retain(|row| secs[*row].is_finite());
    timing.without_time = all - rows.len();
    timing.stepped_back = drop_stepped_back(secs, &mut rows, place)?;
    timing.reordered = rows.windows(2).filter(|pair| secs[pair[1]] < secs[pair[0]]).count();
    rows.sort_by(|a, b| secs[*a].total_cmp(&secs[*b]));
    let before = rows.len();
    rows.dedup_by(|later, kept| secs[*later] <= secs[*kept]);
    timing.duplicates = before - rows.len();
    if rows.len() < 2 {
        let message = format!("{} samples with a time; at least two are needed", rows.len());
        return Err(Error::at("time", message));
    }
    let span_secs = secs[rows[rows.len() - 1]] - secs[rows[0]];
    if span_secs > LONGEST_SECS {
        let message = format!(
            "the timestamps span {span_secs:.0} s, but at most {LONGEST_SECS} s are supported; check the unit"
        );
        return Err(Error::at("time", message));
    }
    add_warnings(&timing, warnings);
    Ok((rows, timing))
}

/// Drops samples after the clock was set back, until it has passed its previous value.
fn drop_stepped_back(secs: &[f64], rows: &mut Vec<usize>, place: &dyn Fn(usize) -> String) -> Result<usize> {
    let (mut latest, mut first) = (f64::NEG_INFINITY, None);
    let before = rows.len();
    rows.retain(|row| {
        let is_back = secs[*row] < latest - LATE_SECS;
        if is_back {
            first.get_or_insert((*row, latest - secs[*row]));
        }
        latest = latest.max(secs[*row]);
        !is_back
    });
    let dropped = before - rows.len();
    match first {
        Some((row, by)) if dropped as f64 > MAX_STEPPED_BACK * before as f64 => {
            let message = format!(
                "the time goes back by {by:.1} s, with {dropped} samples after that; if these are several recordings, split the file"
            );
            Err(Error::at(place(row), message))
        }
        _ => Ok(dropped),
    }
}

fn add_warnings(timing: &Timing, warnings: &mut Vec<Warning>) {
    let mut warn = |count: usize, what: &str| {
        if count > 0 {
            let message = format!("{count} samples {what}");
            warnings.push(Warning::new(WarningCode::Repaired, "time", message));
        }
    };
    warn(timing.without_time, "have no time and were ignored");
    warn(timing.duplicates, "have the same time as another and were ignored");
    warn(timing.reordered, "were out of order and have been sorted");
    warn(timing.stepped_back, "were recorded after the clock was set back and were ignored");
}

/// Computes rate, jitter and gaps of sorted times.
pub(super) fn measured(timing: Timing, times: &[f64]) -> Timing {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let step = usual_step(&steps);
    let near: Vec<f64> = steps.iter().copied().filter(|s| *s <= GAP_STEPS * step).collect();
    let mean = near.iter().sum::<f64>() / near.len().max(1) as f64;
    let square = near.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / near.len().max(1) as f64;
    Timing {
        samples: times.len(),
        rate_hz: rate_hz(times),
        jitter_secs: square.sqrt(),
        longest_gap_secs: steps.iter().copied().fold(0.0, f64::max),
        gaps: steps.len() - near.len(),
        ..timing
    }
}

/// Returns the sampling rate: the nearest common rate, if it is within 0.5 %.
pub(super) fn rate_hz(times: &[f64]) -> f64 {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let step = usual_step(&steps);
    if step <= 0.0 {
        return 0.0;
    }
    let rate = 1.0 / step;
    let nearest = USUAL_HZ.into_iter().min_by(|a, b| (a - rate).abs().total_cmp(&(b - rate).abs()));
    nearest.filter(|usual| (usual - rate).abs() <= NEAR * usual).unwrap_or(rate)
}

/// Returns the step between samples. If most steps are similar, this is the mean of the similar steps, so that lost
/// samples do not count. If steps vary (whole milliseconds, batches), this is the mean of all steps except gaps.
fn usual_step(steps: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = steps.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(&median) = sorted.get(sorted.len() / 2) else { return 0.0 };
    let quarter = |n: usize| sorted[n * (sorted.len() - 1) / 4];
    let is_tight = quarter(3) - quarter(1) <= 0.3 * median;
    let (least, most) = if is_tight { (0.6, 1.4) } else { (0.0, FAR_STEPS) };
    let near = |s: &&f64| (least * median..=most * median).contains(*s);
    let (sum, count) = sorted.iter().filter(near).fold((0.0, 0), |(sum, count), s| (sum + s, count + 1));
    sum / f64::from(count.max(1))
}
