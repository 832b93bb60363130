//! Resamples a recording to even steps without inventing data.
//!
//! Filters and detectors need a constant sampling rate, but trackers lose samples and have unsteady clocks.
//! [`Recording::resample`] returns a [`Resampled`] from the first to the last sample. Short gaps are interpolated
//! linearly; longer ones are NaN, because a blink or saccade may be hidden in them. Apertures in any unit become shares
//! of the usual open aperture of the eye, measured in the recording itself, so that all devices can be compared. The
//! signal is not smoothed.

use super::{Aperture, Gaze, Recording, Unit, eog};
use vivant_io::limits::MAX_SAMPLES;

/// Selects an eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eye {
    /// The mean of both eyes, each as a share of its own open aperture. Where one eye is unknown, the other eye is
    /// used.
    #[default]
    Both,
    /// The person's left eye.
    Left,
    /// The person's right eye.
    Right,
}

/// Options for resampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResampleOptions {
    /// Sampling rate in hertz; by default the rate of the recording. The result is limited to 32 million samples.
    pub rate_hz: Option<f64>,
    /// Longest gap that is interpolated, in seconds. Longer gaps stay unknown.
    pub max_gap_secs: f64,
    /// The eye whose aperture is resampled.
    pub eye: Eye,
}

impl Default for ResampleOptions {
    fn default() -> Self {
        Self { rate_hz: None, max_gap_secs: 0.075, eye: Eye::Both }
    }
}

/// A recording at even steps; NaN where unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resampled {
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Aperture as a share of the usual open aperture: 0 is closed.
    pub openness: Option<Vec<f64>>,
    /// Gaze of both eyes.
    pub gaze: Option<Gaze>,
    /// Gaze of each eye.
    pub eyes: Option<[Gaze; 2]>,
    /// Head direction.
    pub head: Option<Gaze>,
    /// For each sample, true if the conversation partner is looked at. Unknown samples keep the previous value, for
    /// example in a blink.
    pub looks: Option<Vec<bool>>,
    /// Share of interpolated samples, of the aperture or, if that was not recorded, of the gaze.
    pub filled: f64,
    /// Share of samples that stay unknown, of the same channel as `filled`.
    pub unknown: f64,
}

/// Duration of a step above which a sample is missing, as a multiple of the usual step.
const MISSING_STEPS: f64 = 1.5;

impl Recording {
    /// Resamples the recording from its first to its last sample. Gaps up to `max_gap_secs` are interpolated
    /// linearly; longer ones are NaN.
    #[must_use]
    pub fn resample(&self, options: &ResampleOptions) -> Resampled {
        let own = self.rate_hz();
        let rate_hz = options.rate_hz.filter(|rate| *rate > 0.0 && rate.is_finite()).unwrap_or(own);
        let grid = Grid::new(&self.times, rate_hz, own, options.max_gap_secs);
        let openness = self.aperture.as_ref().and_then(|aperture| openness(&grid, aperture, options.eye));
        let gaze = self.gaze.as_ref().map(|gaze| {
            let (yaw, pitch) = (grid.channel(&gaze.yaw_deg), grid.channel(&gaze.pitch_deg));
            (Gaze { yaw_deg: yaw.values, pitch_deg: pitch.values }, yaw.is_filled)
        });
        let first = openness.as_ref().map(|o| (&o.values, &o.is_filled));
        let (filled, unknown) = first
            .or_else(|| gaze.as_ref().map(|(gaze, is_filled)| (&gaze.yaw_deg, is_filled)))
            .map_or((0.0, 1.0), |(values, is_filled)| shares(values, is_filled));
        Resampled {
            rate_hz,
            openness: openness.map(|openness| openness.values),
            gaze: gaze.map(|(gaze, _)| gaze),
            eyes: self.eyes.as_ref().map(|eyes| eyes.each_ref().map(|eye| grid.gaze(eye))),
            head: self.head.as_ref().map(|head| grid.gaze(head)),
            looks: self.looks.as_ref().and_then(|looks| grid.held(looks)),
            filled,
            unknown,
        }
    }
}

fn shares(values: &[f64], is_filled: &[bool]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let filled = is_filled.iter().filter(|is| **is).count() as f64;
    let unknown = values.iter().filter(|value| value.is_nan()).count() as f64;
    (filled / count, unknown / count)
}

/// The requested sampling times and the existing samples.
struct Grid<'a> {
    times: &'a [f64],
    rate_hz: f64,
    count: usize,
    /// Usual step of the existing samples.
    step_secs: f64,
    max_gap_secs: f64,
}

/// Values at even steps, and which of them were interpolated.
struct Filled {
    values: Vec<f64>,
    is_filled: Vec<bool>,
}

impl<'a> Grid<'a> {
    fn new(times: &'a [f64], rate_hz: f64, own_hz: f64, max_gap_secs: f64) -> Self {
        let last = times.last().copied().unwrap_or(0.0);
        let steps = if times.is_empty() { -1.0 } else { (last * rate_hz + 1e-6).floor() };
        let count = ((steps + 1.0).max(0.0) as usize).min(MAX_SAMPLES);
        Self { times, rate_hz, count, step_secs: 1.0 / own_hz.max(1e-9), max_gap_secs }
    }

    fn gaze(&self, gaze: &Gaze) -> Gaze {
        let channel = |values: &[f64]| self.channel(values).values;
        Gaze { yaw_deg: channel(&gaze.yaw_deg), pitch_deg: channel(&gaze.pitch_deg) }
    }

    /// Resamples a boolean channel, holding each value until the next; `None` if nothing is known.
    fn held(&self, values: &[f64]) -> Option<Vec<bool>> {
        let mut now = *values.iter().find(|value| !value.is_nan())? > 0.5;
        let mut next = 0;
        let at = |index: usize| {
            let time = index as f64 / self.rate_hz + 1e-6 * self.step_secs;
            while next < self.times.len().min(values.len()) && self.times[next] <= time {
                now = if values[next].is_nan() { now } else { values[next] > 0.5 };
                next += 1;
            }
            now
        };
        Some((0..self.count).map(at).collect())
    }

    /// Resamples one channel.
    fn channel(&self, values: &[f64]) -> Filled {
        let known: Vec<usize> =
            (0..self.times.len().min(values.len())).filter(|i| !values[*i].is_nan()).collect();
        let mut filled = Filled { values: vec![f64::NAN; self.count], is_filled: vec![false; self.count] };
        let mut next = 0;
        for index in 0..self.count {
            let time = index as f64 / self.rate_hz;
            while next < known.len() && self.times[known[next]] < time {
                next += 1;
            }
            let before = next.checked_sub(1).map(|at| known[at]);
            (filled.values[index], filled.is_filled[index]) =
                self.between(values, time, before, known.get(next).copied());
        }
        filled
    }

    /// Returns the value at a time between two samples, and whether a sample is missing between them.
    fn between(&self, values: &[f64], time: f64, before: Option<usize>, after: Option<usize>) -> (f64, bool) {
        // Because of rounding errors, the time of a sample may differ slightly. This is not a gap.
        let is_at = |sample: Option<usize>| {
            sample.filter(|sample| (self.times[*sample] - time).abs() <= 1e-6 * self.step_secs)
        };
        if let Some(sample) = is_at(after).or_else(|| is_at(before)) {
            return (values[sample], false);
        }
        let (Some(before), Some(after)) = (before, after) else { return (f64::NAN, false) };
        let (from, to) = (self.times[before], self.times[after]);
        if to - from > self.max_gap_secs {
            return (f64::NAN, false);
        }
        let share = (time - from) / (to - from);
        let value = values[before] + share * (values[after] - values[before]);
        (value, to - from > MISSING_STEPS * self.step_secs)
    }
}

/// Returns the aperture of the selected eye.
fn openness(grid: &Grid<'_>, aperture: &Aperture, eye: Eye) -> Option<Filled> {
    let side = |values: &[f64]| {
        let potential = (aperture.unit == Some(Unit::Microvolts))
            .then(|| eog::without_slow(values, 1.0 / grid.step_secs));
        let values = potential.as_deref().unwrap_or(values);
        let level = Levels::of(values, aperture.unit)?;
        let mut filled = grid.channel(values);
        for value in &mut filled.values {
            *value = level.share(*value);
        }
        Some(filled)
    };
    match eye {
        Eye::Left => side(&aperture.left),
        Eye::Right => side(&aperture.right),
        Eye::Both => match (side(&aperture.left), side(&aperture.right)) {
            (Some(left), Some(right)) => Some(mean(left, &right)),
            (left, right) => left.or(right),
        },
    }
}

/// Returns the mean of both eyes. If one eye was seen and the other was interpolated, only the seen eye counts.
fn mean(mut left: Filled, right: &Filled) -> Filled {
    for index in 0..left.values.len() {
        let (a, b) = (left.values[index], right.values[index]);
        let (a_is_worse, b_is_worse) = (left.is_filled[index], right.is_filled[index]);
        if a.is_nan() || (a_is_worse && !b_is_worse && !b.is_nan()) {
            (left.values[index], left.is_filled[index]) = (b, b_is_worse);
        } else if !b.is_nan() && a_is_worse == b_is_worse {
            left.values[index] = 0.5 * (a + b);
        }
    }
    left
}

/// Open and closed level of an eye.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Levels {
    open: f64,
    shut: f64,
}

impl Levels {
    /// Measures the levels of an eye. The open level is the median of all values above half of the widest value, so
    /// long closures do not count. The widest value is the 95th percentile, because the maximum may be an error. The
    /// closed level is 0, except for potentials, which have no zero. For potentials it is the median of the values
    /// more than half-way down to the deepest value.
    fn of(values: &[f64], unit: Option<Unit>) -> Option<Self> {
        let mut known: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        known.sort_by(f64::total_cmp);
        let at = |values: &[f64], share: f64| {
            values.get((share * (values.len().max(1) - 1) as f64) as usize).copied()
        };
        if unit == Some(Unit::Microvolts) {
            let (open, deep) = (at(&known, 0.5)?, at(&known, 0.002)?);
            let half = 0.5 * (open + deep);
            let shut = at(&known[..known.partition_point(|value| *value <= half)], 0.5)?;
            return (open > shut).then_some(Self { open, shut });
        }
        let wide = at(&known, 0.95)?;
        let open = at(&known[known.partition_point(|value| *value <= 0.5 * wide)..], 0.5)?;
        (open > 0.0).then_some(Self { open, shut: 0.0 })
    }

    fn share(self, value: f64) -> f64 {
        (value - self.shut) / (self.open - self.shut)
    }
}
