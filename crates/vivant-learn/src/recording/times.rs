//! Time stamps: brought into order, and what they say about the clock.

use super::limits::LONGEST_SECS;
use serde::Serialize;
use vivant_io::{Error, Result, Warning, WarningCode};

/// What was found about the time stamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// Samples that were kept.
    pub samples: usize,
    /// Samples a second; see [`super::Recording::rate_hz`].
    pub rate_hz: f64,
    /// The standard deviation of the steps from sample to sample, gaps apart.
    pub jitter_secs: f64,
    /// The longest time without a sample.
    pub longest_gap_secs: f64,
    /// How often more than two and a half usual steps went without a sample.
    pub gaps: usize,
    /// Samples that were left out because their time is not known.
    pub without_time: usize,
    /// Samples that were left out because another has the same time.
    pub duplicates: usize,
    /// Samples that were late in the file and were put in their place.
    pub reordered: usize,
    /// Samples that were left out because the clock had gone back.
    pub stepped_back: usize,
}

/// A later sample that is this much earlier was only written late; one that is more is a clock that was set.
const LATE_SECS: f64 = 1.0;
/// If the clock goes back over more than this share of the samples, the file is no single recording.
const MOST_STEPPED_BACK: f64 = 0.1;
/// Rates that devices have.
const USUAL_HZ: [f64; 23] = [
    24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0, 72.0, 90.0, 100.0, 119.88, 120.0, 125.0, 150.0, 200.0, 240.0,
    250.0, 300.0, 500.0, 600.0, 1000.0, 1200.0, 2000.0,
];
/// How near to a usual rate is that rate: clocks of two devices differ by less.
const NEAR: f64 = 0.005;
/// A step this many times the usual one is a gap.
const GAP_STEPS: f64 = 2.5;
/// Where steps vary (batches of samples), those longer than this many usual ones are gaps.
const FAR_STEPS: f64 = 5.0;

/// Of these rows those to keep, in the order of their times, and what was found.
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
        let message = format!("{} samples with a time; two or more are needed", rows.len());
        return Err(Error::at("time", message));
    }
    let span_secs = secs[rows[rows.len() - 1]] - secs[rows[0]];
    if span_secs > LONGEST_SECS {
        let message = format!(
            "the time stamps span {span_secs:.0} s, and at most {LONGEST_SECS} s are read; is the unit right?"
        );
        return Err(Error::at("time", message));
    }
    tell(&timing, warnings);
    Ok((rows, timing))
}

/// Leaves out what comes after a clock was set back, until it is past where it was.
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
        Some((row, by)) if dropped as f64 > MOST_STEPPED_BACK * before as f64 => {
            let message = format!(
                "the time goes back by {by:.1} s, and {dropped} samples come after; if these are several recordings, split them into files"
            );
            Err(Error::at(place(row), message))
        }
        _ => Ok(dropped),
    }
}

fn tell(timing: &Timing, warnings: &mut Vec<Warning>) {
    let mut say = |count: usize, what: &str| {
        if count > 0 {
            let message = format!("{count} samples {what}");
            warnings.push(Warning::new(WarningCode::Repaired, "time", message));
        }
    };
    say(timing.without_time, "have no time and are left out");
    say(timing.duplicates, "have the time of another and are left out");
    say(timing.reordered, "were written late and are put in order");
    say(timing.stepped_back, "come after the clock went back and are left out");
}

/// Completes what is known once the times are in order.
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

/// Samples a second: the nearest usual rate, if there is one within half a per cent.
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

/// The step from sample to sample. Where most steps are alike it is their mean, so that lost samples do not
/// count; where they vary (whole milliseconds; samples that come in batches) it is the mean of all but gaps.
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
