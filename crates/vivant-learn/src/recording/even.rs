//! A recording at even steps, without inventing what was not seen.

use super::{Aperture, Gaze, Recording, Unit, eog};
use vivant_io::limits::MAX_SAMPLES;

/// Which eye is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eye {
    /// The mean of both, each as a share of its own open aperture; where one is unknown, the other.
    #[default]
    Both,
    /// The person's left.
    Left,
    /// The person's right.
    Right,
}

/// How a recording is brought onto even steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenOptions {
    /// Samples a second; by default the recording's own. Beyond 32 million steps the rest is cut off.
    pub rate_hz: Option<f64>,
    /// What is missing for longer stays missing.
    pub max_gap_secs: f64,
    /// Whose openness.
    pub eye: Eye,
}

impl Default for EvenOptions {
    fn default() -> Self {
        Self { rate_hz: None, max_gap_secs: 0.075, eye: Eye::Both }
    }
}

/// A recording at even steps; NaN where nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Even {
    /// Samples a second.
    pub rate_hz: f64,
    /// How open the eye is, as a share of its usual open aperture: 0 is shut.
    pub openness: Option<Vec<f64>>,
    /// Where both eyes look.
    pub gaze: Option<Gaze>,
    /// Where each of them looks.
    pub eyes: Option<[Gaze; 2]>,
    /// How the head is turned.
    pub head: Option<Gaze>,
    /// Whether somebody is looked at. What is not known is as it was before, as in a blink.
    pub looks: Option<Vec<bool>>,
    /// The share of samples that were filled in, and of those that stayed unknown: of the openness, or of the
    /// gaze where that was not recorded.
    pub filled: f64,
    /// See `filled`.
    pub unknown: f64,
}

/// A step this many times the usual one means that a sample is missing.
const MISSING_STEPS: f64 = 1.5;

impl Recording {
    /// The recording at even steps, from its first sample to its last. What is missing for no longer than
    /// `max_gap_secs` is drawn straight from one side to the other; the rest is NaN.
    #[must_use]
    pub fn even(&self, options: &EvenOptions) -> Even {
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
        Even {
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

/// Where samples are wanted, and where they are.
struct Grid<'a> {
    times: &'a [f64],
    rate_hz: f64,
    count: usize,
    /// The usual step of the samples that there are.
    step_secs: f64,
    max_gap_secs: f64,
}

/// Values at even steps, and which of them were filled in.
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

    /// Yes or no at even steps, from one sample to the next; none if nothing is known.
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

    /// One channel at even steps.
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

    /// The value at a time between two samples, and whether one is missing between them.
    fn between(&self, values: &[f64], time: f64, before: Option<usize>, after: Option<usize>) -> (f64, bool) {
        // Rounding alone must not make a sample's own time a gap.
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

/// The openness of the eye that is meant.
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

/// Where one eye was seen and the other not, what was seen counts and not what was drawn across a gap.
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

/// What an eye's aperture is when it is open, and when it is shut.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Levels {
    open: f64,
    shut: f64,
}

impl Levels {
    /// Open is the median of what is more than half of the widest (of the 95th percentile, since the very widest
    /// may be an error): long closures do not count. Shut is nothing, but for potentials, which have no zero: there
    /// it is the median of what is more than half the way down to the deepest.
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
