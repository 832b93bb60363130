//! Statistics of the blinks of a recording: counts, intervals and durations.
//!
//! They show at a glance whether labels are plausible, and how people differ. Rates are per minute and times in
//! seconds. Only full and partial blinks count for rates, intervals and durations.
//!
//! ```
//! use vivant::eyes::blink::Blink;
//! use vivant_learn::blinks::{Options, label, statistics::Statistics};
//!
//! let blink = Blink::new(40.0);
//! let openness: Vec<f64> = (0..360).map(|i| 1.0 - blink.closure(f64::from(i) / 120.0 - 1.0)).collect();
//! let statistics = Statistics::of(&label(&openness, 120.0, &Options::default()), 3.0);
//! assert_eq!((statistics.blinks, statistics.per_minute), (1, Some(20.0)));
//! ```

use super::{Event, Kind};
use crate::statistics::quantile;
use serde::Serialize;

/// Bin width of durations: frames at 30 fps, as in the paper's Figure 6.
const DURATION_BIN_SECS: f64 = 1.0 / 30.0;
const INTERVAL_BIN_SECS: f64 = 0.5;

/// Statistics of one recording. Rates, intervals and durations include only full and partial blinks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Known duration of the recording in seconds.
    pub seconds: f64,
    /// Number of full blinks.
    pub blinks: usize,
    /// Number of partial blinks.
    pub partial: usize,
    /// Number of long closures.
    pub long: usize,
    /// Number of squints.
    pub squints: usize,
    /// Blink rate per minute, full and partial; `None` if nothing is known.
    pub per_minute: Option<f64>,
    /// Inter-blink intervals from onset to onset, in seconds.
    pub intervals: Option<Distribution>,
    /// Durations from onset to offset, in seconds.
    pub durations: Option<Distribution>,
    /// Durations of the closing phase, in seconds.
    pub closing: Option<Distribution>,
    /// Durations of the opening phase, in seconds.
    pub opening: Option<Distribution>,
    /// Closure at the apex, 0 to 1.
    pub completeness: Option<Distribution>,
}

impl Statistics {
    /// Computes the statistics of sorted events in a recording of known duration.
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

/// Distribution of values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of values.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Sample standard deviation; `None` for a single value.
    pub sd: Option<f64>,
    /// Minimum.
    pub min: f64,
    /// 5th percentile.
    pub p5: f64,
    /// 25th percentile.
    pub p25: f64,
    /// Median.
    pub median: f64,
    /// 75th percentile.
    pub p75: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Maximum.
    pub max: f64,
    /// Histogram of the values.
    pub histogram: Histogram,
}

/// Number of values in each bin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Start of the first bin.
    pub from: f64,
    /// Width of a bin.
    pub bin: f64,
    /// Number of values per bin.
    pub counts: Vec<usize>,
}

/// Maximum number of bins; the last bin then holds all larger values.
const MAX_BINS: usize = 200;

impl Distribution {
    /// Computes the distribution of finite values; `None` if there are none.
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
    /// Computes the histogram of sorted values.
    fn of(values: &[f64], bin: f64) -> Self {
        let index = |x: f64| (x / bin + 1e-9).floor();
        let first = index(values[0]);
        let last = (index(values[values.len() - 1]) - first).min((MAX_BINS - 1) as f64);
        let mut counts = vec![0; last as usize + 1];
        for x in values {
            counts[(index(*x) - first).min(last) as usize] += 1;
        }
        Self { from: first * bin, bin, counts }
    }
}
