//! What the blinks of a recording are like as a whole: how many, how far apart and how long.

use super::{Event, Kind};
use crate::statistics::quantile;
use serde::Serialize;

/// Durations are counted in frames of 30 a second, as the paper's Figure 6 counts them.
const DURATION_BIN_SECS: f64 = 1.0 / 30.0;
const INTERVAL_BIN_SECS: f64 = 0.5;

/// Of one recording. Rates, intervals and durations are those of blinks, whole and partial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// How much of the recording is known.
    pub seconds: f64,
    /// How many whole blinks.
    pub blinks: usize,
    /// How many partial ones.
    pub partial: usize,
    /// How many long closures.
    pub long: usize,
    /// How many squints.
    pub squints: usize,
    /// Blinks, whole and partial; none if nothing is known.
    pub per_minute: Option<f64>,
    /// From onset to onset, seconds.
    pub intervals: Option<Distribution>,
    /// From onset to offset, seconds.
    pub durations: Option<Distribution>,
    /// On the way down, seconds.
    pub closing: Option<Distribution>,
    /// On the way up, seconds.
    pub opening: Option<Distribution>,
    /// The share of the way to shut.
    pub completeness: Option<Distribution>,
}

impl Statistics {
    /// Of events in their order, in so many seconds.
    #[must_use]
    pub fn of(events: &[Event], seconds: f64) -> Self {
        let count = |kind| events.iter().filter(|event| event.kind == kind).count();
        let brief: Vec<&Event> = events.iter().filter(|event| event.kind.is_brief()).collect();
        let of = |value: fn(&Event) -> f64, bin| Distribution::of(brief.iter().map(|e| value(e)), bin);
        let intervals = brief.windows(2).map(|pair| pair[1].onset_secs - pair[0].onset_secs);
        Self {
            seconds,
            blinks: count(Kind::Blink),
            partial: count(Kind::Partial),
            long: count(Kind::Long),
            squints: count(Kind::Squint),
            per_minute: (seconds > 0.0).then(|| brief.len() as f64 * 60.0 / seconds),
            intervals: Distribution::of(intervals, INTERVAL_BIN_SECS),
            durations: of(Event::duration_secs, DURATION_BIN_SECS),
            closing: of(|event| event.closing_secs, DURATION_BIN_SECS),
            opening: of(|event| event.opening_secs, DURATION_BIN_SECS),
            completeness: of(|event| event.completeness, 0.1),
        }
    }
}

/// How some values are spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// How many.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Of the sample; none of a single value.
    pub sd: Option<f64>,
    /// The least.
    pub min: f64,
    /// Below which a twentieth lies.
    pub p5: f64,
    /// Below which a quarter lies.
    pub p25: f64,
    /// Below which half lies.
    pub median: f64,
    /// Below which three quarters lie.
    pub p75: f64,
    /// Below which all but a twentieth lies.
    pub p95: f64,
    /// The greatest.
    pub max: f64,
    /// How many lie where.
    pub histogram: Histogram,
}

/// How many values are in each bin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Where the first bin begins.
    pub from: f64,
    /// How wide each bin is.
    pub bin: f64,
    /// Bin by bin.
    pub counts: Vec<usize>,
}

/// A histogram has at most so many bins; the last one then holds the rest.
const MOST_BINS: usize = 200;

impl Distribution {
    /// None of nothing.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>, bin: f64) -> Option<Self> {
        let mut values: Vec<f64> = values.filter(|x| x.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let count = values.len();
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        let [p5, p25, median, p75, p95] = [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| quantile(&values, share));
        Some(Self {
            count,
            mean,
            sd: (count > 1).then(|| (squares / (count - 1) as f64).sqrt()),
            min: first,
            p5,
            p25,
            median,
            p75,
            p95,
            max: last,
            histogram: Histogram::of(&values, bin),
        })
    }
}

impl Histogram {
    /// Of values that ascend.
    fn of(values: &[f64], bin: f64) -> Self {
        let index = |x: f64| (x / bin + 1e-9).floor();
        let first = index(values[0]);
        let last = (index(values[values.len() - 1]) - first).min((MOST_BINS - 1) as f64);
        let mut counts = vec![0; last as usize + 1];
        for x in values {
            counts[(index(*x) - first).min(last) as usize] += 1;
        }
        Self { from: first * bin, bin, counts }
    }
}
