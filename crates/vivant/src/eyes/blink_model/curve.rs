//! One blink of a model, at any time.

use super::MAX_SAMPLES;
use serde::{Deserialize, Serialize};

/// How far an eye closes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Closure {
    /// Every blink closes the eye: (d − min) / (max − min). Viewers found it more natural (paper 3, 4.1.2).
    ///
    /// DIFFERENCE: paper 3, 4.1.1 has the two formulas the wrong way round (FACTS, 0.11).
    #[default]
    Full,
    /// As far as the recorded ones do: d / max.
    Natural,
}

/// What noise does to a closed lid, as a share of the aperture: a dip below the lowest point, or below
/// nothing, by no more is evened out; by more, the blink is impossible (our design; recordings at rest vary
/// by one or two hundredths).
const NOISE: f64 = 0.02;
/// The least that a lid moves in a blink, as a share of the aperture.
const LEAST_AMPLITUDE: f64 = 0.05;

/// A blink: how open the eye is, over time. It is smooth: between samples it is a cubic whose slopes never lead
/// beyond them (Fritsch & Carlson 1980; Fritsch & Butland 1984), level at both ends and at its lowest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlinkCurve {
    /// Closing, then opening; the lowest point is both the last of the one and the first of the other.
    values: [f32; MAX_SAMPLES],
    apex: u8,
    last: u8,
    closing_secs: f64,
    opening_secs: f64,
}

/// A cubic between two samples.
struct Cubic {
    values: [f64; 2],
    /// By the step between samples.
    slopes: [f64; 2],
    /// Where between them, from 0 to 1.
    at: f64,
}

impl BlinkCurve {
    /// A blink from samples of its openness, closing and opening, the lowest point once, at number
    /// `closing − 1`; it is brought to an openness of at most 1 (d / max).
    ///
    /// `None` if no lid can do it: an openness below zero, a point lower than the lowest, hardly any
    /// movement, times that are none; or if there are fewer than two samples a way, or too many.
    #[must_use]
    pub fn new(profile: &[f64], closing: usize, [closing_secs, opening_secs]: [f64; 2]) -> Option<Self> {
        let takes_time = |secs: f64| secs > 0.0 && secs.is_finite();
        let apex = closing.checked_sub(1).filter(|apex| *apex >= 1 && apex + 1 < profile.len())?;
        if profile.len() > MAX_SAMPLES || !takes_time(closing_secs) || !takes_time(opening_secs) {
            return None;
        }
        let lowest = profile[apex].max(0.0);
        let [first, last] = [profile[0], profile[profile.len() - 1]];
        let highest = profile.iter().copied().fold(f64::MIN, f64::max);
        let is_possible = |value: &f64| *value >= lowest - NOISE && value.is_finite();
        if profile[apex] < -NOISE
            || first.min(last) < lowest + LEAST_AMPLITUDE
            || !profile.iter().all(is_possible)
        {
            return None;
        }
        let scale = 1.0 / highest;
        let mut values = [0.0; MAX_SAMPLES];
        for (value, openness) in values.iter_mut().zip(profile) {
            *value = (openness.max(lowest) * scale) as f32;
        }
        Some(Self { values, apex: apex as u8, last: (profile.len() - 1) as u8, closing_secs, opening_secs })
    }

    /// The same blink, closed as far as that.
    #[must_use]
    pub fn closed(&self, closure: Closure) -> Self {
        if closure == Closure::Natural {
            return *self;
        }
        let lowest = self.lowest();
        let scale = 1.0 / (1.0 - lowest);
        let mut full = *self;
        for value in &mut full.values[..=usize::from(self.last)] {
            *value = ((f64::from(*value) - lowest) * scale) as f32;
        }
        full
    }

    /// How long it closes: when the lid is lowest.
    #[must_use]
    pub fn closing_secs(&self) -> f64 {
        self.closing_secs
    }

    /// How long it opens.
    #[must_use]
    pub fn opening_secs(&self) -> f64 {
        self.opening_secs
    }

    /// From the first movement to the last.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.closing_secs + self.opening_secs
    }

    /// How far the lid goes, as a share of the open eye: 1 closes it.
    #[must_use]
    pub fn amplitude(&self) -> f64 {
        1.0 - self.lowest()
    }

    /// The same blink, all its parts so many times as long.
    #[must_use]
    pub fn slowed(&self, factor: f64) -> Self {
        Self { closing_secs: self.closing_secs * factor, opening_secs: self.opening_secs * factor, ..*self }
    }

    /// The same blink in another time, all its parts alike.
    #[must_use]
    pub fn stretched(&self, duration_secs: f64) -> Self {
        self.slowed(duration_secs / self.duration_secs())
    }

    /// How open the eye is, so long after the blink began: 1 is as open as it is in this blink at most. Both
    /// ends may be a little lower, as in the recordings.
    #[must_use]
    pub fn openness(&self, secs: f64) -> f64 {
        self.cubic(secs).value()
    }

    /// How fast it opens, in its aperture a second; closing is negative.
    #[must_use]
    pub fn openness_per_sec(&self, secs: f64) -> f64 {
        if secs < 0.0 || secs > self.duration_secs() {
            return 0.0;
        }
        let way = if secs < self.closing_secs { self.closing_secs } else { self.opening_secs };
        self.cubic(secs).slope() * self.steps(secs) / way
    }

    /// The share of its way down that the lid has gone, so long after the blink began: 0 at its beginning, 1 at
    /// its lowest point, level at both. Little below 0 if the eye opens wider before it closes.
    #[must_use]
    pub fn closing_share(&self, secs: f64) -> f64 {
        let start = f64::from(self.values[0]);
        (start - self.openness(secs.min(self.closing_secs))) / (start - self.lowest())
    }

    /// How fast that grows.
    #[must_use]
    pub fn closing_share_per_sec(&self, secs: f64) -> f64 {
        if secs >= self.closing_secs {
            return 0.0;
        }
        -self.openness_per_sec(secs) / (f64::from(self.values[0]) - self.lowest())
    }

    /// The share of its way up that the lid has gone, so long after its lowest point: from 0 to 1, level at
    /// both. Little above 1 if the eye opens wider before it comes to rest.
    #[must_use]
    pub fn opening_share(&self, secs: f64) -> f64 {
        let since_onset = self.closing_secs + secs.max(0.0);
        (self.openness(since_onset) - self.lowest()) / (self.end() - self.lowest())
    }

    /// How fast that grows.
    #[must_use]
    pub fn opening_share_per_sec(&self, secs: f64) -> f64 {
        if secs <= 0.0 {
            return 0.0;
        }
        self.openness_per_sec(self.closing_secs + secs) / (self.end() - self.lowest())
    }

    /// How closed the eye is for a performer, so long after the blink began: nothing at both ends, and
    /// [`BlinkCurve::amplitude`] at the lowest point.
    ///
    /// DIFFERENCE: recorded blinks end a little lower than they began, and the lid creeps up later. A performer's
    /// lid must come back to where it was, so each way is stretched to end open.
    #[must_use]
    pub fn closure(&self, secs: f64) -> f64 {
        let share = if secs < self.closing_secs {
            self.closing_share(secs)
        } else {
            1.0 - self.opening_share(secs - self.closing_secs)
        };
        self.amplitude() * share
    }

    /// How fast that grows; opening is negative.
    #[must_use]
    pub fn closure_per_sec(&self, secs: f64) -> f64 {
        let share = if secs < self.closing_secs {
            self.closing_share_per_sec(secs)
        } else {
            -self.opening_share_per_sec(secs - self.closing_secs)
        };
        self.amplitude() * share
    }

    fn lowest(&self) -> f64 {
        f64::from(self.values[usize::from(self.apex)])
    }

    fn end(&self) -> f64 {
        f64::from(self.values[usize::from(self.last)])
    }

    /// How many steps the way has that goes on at a time.
    fn steps(&self, secs: f64) -> f64 {
        f64::from(if secs < self.closing_secs { self.apex } else { self.last - self.apex })
    }

    fn cubic(&self, secs: f64) -> Cubic {
        let (first, last) = (usize::from(self.apex), usize::from(self.last));
        let (from, to, share) = if secs < self.closing_secs {
            (0, first, secs / self.closing_secs)
        } else {
            (first, last, (secs - self.closing_secs) / self.opening_secs)
        };
        let place = share.clamp(0.0, 1.0) * (to - from) as f64;
        let step = (place as usize).min(to - from - 1);
        let way = &self.values[from..=to];
        Cubic {
            values: [f64::from(way[step]), f64::from(way[step + 1])],
            slopes: [slope(way, step), slope(way, step + 1)],
            at: place - step as f64,
        }
    }
}

/// Down in 0.1 s and up in 0.2 s, for models that were never checked and can do nothing.
impl Default for BlinkCurve {
    fn default() -> Self {
        let mut values = [0.0; MAX_SAMPLES];
        (values[0], values[2]) = (1.0, 1.0);
        Self { values, apex: 1, last: 2, closing_secs: 0.1, opening_secs: 0.2 }
    }
}

/// The slope at a sample: the harmonic mean of those on both sides, and level where these differ in sign, and
/// at the ends.
fn slope(way: &[f32], index: usize) -> f64 {
    if index == 0 || index + 1 == way.len() {
        return 0.0;
    }
    let [before, here, after] = [way[index - 1], way[index], way[index + 1]].map(f64::from);
    let (left, right) = (here - before, after - here);
    if left * right <= 0.0 { 0.0 } else { 2.0 * left * right / (left + right) }
}

impl Cubic {
    fn value(&self) -> f64 {
        let Self { values, slopes, at } = self;
        let rest = 1.0 - at;
        let [from, to] = [(1.0 + 2.0 * at) * rest * rest, at * at * (1.0 + 2.0 * rest)];
        values[0] * from + values[1] * to + at * rest * (slopes[0] * rest - slopes[1] * at)
    }

    /// By the step.
    fn slope(&self) -> f64 {
        let Self { values, slopes, at } = self;
        let rest = 1.0 - at;
        6.0 * at * rest * (values[1] - values[0])
            + slopes[0] * rest * (1.0 - 3.0 * at)
            + slopes[1] * at * (1.0 - 3.0 * rest)
    }
}
