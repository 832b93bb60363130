//! The openness of an eye during one blink.
//!
//! Recorded blinks have different durations and numbers of samples. A [`BlinkCurve`] makes them comparable: it scales
//! the openness to a maximum of 1, stores closing and opening phase with one shared lowest point, and interpolates
//! monotonically, so that a lid never moves back between two samples. [`BlinkCurve::new`] returns `None` for blinks
//! that are physically invalid. [`BlinkCurve::openness`] returns the recorded shape; performers use
//! [`BlinkCurve::closure`], which starts and ends at zero. The samples have a fixed capacity, so a curve is copied
//! without allocation.

use super::MAX_SAMPLES;
use serde::{Deserialize, Serialize};

/// Closure of the eye in a blink: full, or as recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Closure {
    /// Every blink closes the eye completely: (d − min) / (max − min). Viewers found full closure more natural
    /// (Trutoiu 2011, 4.1.2).
    ///
    /// DIFFERENCE: section 4.1.1 of that paper swaps the formulas of full and natural closure. d / max cannot
    /// close an eye completely unless min is 0.
    #[default]
    Full,
    /// Each blink closes the eye as far as in the recording: d / max.
    Natural,
}

/// Noise of the measured openness of a closed eye, as a fraction of the aperture. Samples that are below the lowest
/// point, or below zero, by at most this value are clamped; a larger deviation makes the blink invalid (our design:
/// the openness of resting eyes varies by 0.01 to 0.02 in recordings).
const NOISE: f64 = 0.02;
/// Smallest lid movement of a blink, as a fraction of the aperture.
const MIN_AMPLITUDE: f64 = 0.05;

/// Openness of the eye over time during a blink. Between samples, the openness is a monotonic cubic that never
/// exceeds the samples (Fritsch & Carlson 1980; Fritsch & Butland 1984), with slope zero at both ends and at the
/// lowest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlinkCurve {
    /// Openness per sample: first closing, then opening. The lowest point is the last sample of closing and the first
    /// of opening.
    values: [f32; MAX_SAMPLES],
    apex: u8,
    last: u8,
    closing_secs: f64,
    opening_secs: f64,
}

/// A cubic between two samples.
struct Cubic {
    values: [f64; 2],
    /// Slopes per sample step.
    slopes: [f64; 2],
    /// Position between the samples, 0–1.
    at: f64,
}

impl BlinkCurve {
    /// Creates a blink from samples of the openness: first the closing phase, then the opening phase. The lowest
    /// point is contained once, at index `closing − 1`. The samples are scaled to a maximum of 1 (d / max).
    ///
    /// Returns `None` if the blink is physically invalid (negative openness, a sample below the lowest point, hardly
    /// any movement, durations that are not positive and finite), if a phase has fewer than two samples, or if there
    /// are more than [`MAX_SAMPLES`] samples.
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
            || first.min(last) < lowest + MIN_AMPLITUDE
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

    /// Returns the blink with the given closure. `Full` rescales it to close the eye completely; `Natural` leaves it
    /// unchanged.
    #[must_use]
    pub fn with_closure(&self, closure: Closure) -> Self {
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

    /// Returns the duration of the closing phase in seconds.
    #[must_use]
    pub fn closing_secs(&self) -> f64 {
        self.closing_secs
    }

    /// Returns the duration of the opening phase in seconds.
    #[must_use]
    pub fn opening_secs(&self) -> f64 {
        self.opening_secs
    }

    /// Returns the total duration in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.closing_secs + self.opening_secs
    }

    /// Returns the largest closure of the blink as a fraction of the open eye: 1 is fully closed.
    #[must_use]
    pub fn amplitude(&self) -> f64 {
        1.0 - self.lowest()
    }

    /// Returns the blink with all durations multiplied by `factor`.
    #[must_use]
    pub fn slowed(&self, factor: f64) -> Self {
        Self { closing_secs: self.closing_secs * factor, opening_secs: self.opening_secs * factor, ..*self }
    }

    /// Returns the blink scaled to another total duration.
    #[must_use]
    pub fn stretched(&self, duration_secs: f64) -> Self {
        self.slowed(duration_secs / self.duration_secs())
    }

    /// Returns the openness of the eye at `secs` seconds after the start: 1 is the maximum in this blink. Both ends
    /// may be slightly lower, as in the recordings.
    #[must_use]
    pub fn openness(&self, secs: f64) -> f64 {
        self.cubic(secs).value()
    }

    /// Returns the rate of change of the openness per second; negative while closing.
    #[must_use]
    pub fn openness_per_sec(&self, secs: f64) -> f64 {
        if secs < 0.0 || secs > self.duration_secs() {
            return 0.0;
        }
        let way = if secs < self.closing_secs { self.closing_secs } else { self.opening_secs };
        self.cubic(secs).slope() * self.steps(secs) / way
    }

    /// Returns the completed fraction of the closing phase at `secs` seconds after the start: 0 at the start, 1 at
    /// the lowest point, with slope zero at both. Slightly below 0 if the eye opens wider before it closes.
    #[must_use]
    pub fn closing_share(&self, secs: f64) -> f64 {
        let start = f64::from(self.values[0]);
        (start - self.openness(secs.min(self.closing_secs))) / (start - self.lowest())
    }

    /// Returns the rate of change of [`closing_share`](Self::closing_share) per second.
    #[must_use]
    pub fn closing_share_per_sec(&self, secs: f64) -> f64 {
        if secs >= self.closing_secs {
            return 0.0;
        }
        -self.openness_per_sec(secs) / (f64::from(self.values[0]) - self.lowest())
    }

    /// Returns the completed fraction of the opening phase at `secs` seconds after the lowest point: 0 at the lowest
    /// point, 1 at the end, with slope zero at both. Slightly above 1 if the eye opens wider before it comes to rest.
    #[must_use]
    pub fn opening_share(&self, secs: f64) -> f64 {
        let since_onset = self.closing_secs + secs.max(0.0);
        (self.openness(since_onset) - self.lowest()) / (self.end() - self.lowest())
    }

    /// Returns the rate of change of [`opening_share`](Self::opening_share) per second.
    #[must_use]
    pub fn opening_share_per_sec(&self, secs: f64) -> f64 {
        if secs <= 0.0 {
            return 0.0;
        }
        self.openness_per_sec(self.closing_secs + secs) / (self.end() - self.lowest())
    }

    /// Returns the closure for a performer at `secs` seconds after the start: zero at both ends, and
    /// [`BlinkCurve::amplitude`] at the lowest point.
    ///
    /// DIFFERENCE: in recordings, the lid is slightly lower after a blink than before, and rises to its old position
    /// later. A performer's lid must return to its old position within the blink, so the opening phase is scaled to
    /// end with a closure of zero.
    #[must_use]
    pub fn closure(&self, secs: f64) -> f64 {
        let share = if secs < self.closing_secs {
            self.closing_share(secs)
        } else {
            1.0 - self.opening_share(secs - self.closing_secs)
        };
        self.amplitude() * share
    }

    /// Returns the rate of change of the closure per second; negative while opening.
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

    /// Returns the number of sample steps of the phase at this time.
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

/// Closing in 0.1 s and opening in 0.2 s; a fallback for unchecked models without a valid mean.
impl Default for BlinkCurve {
    fn default() -> Self {
        let mut values = [0.0; MAX_SAMPLES];
        (values[0], values[2]) = (1.0, 1.0);
        Self { values, apex: 1, last: 2, closing_secs: 0.1, opening_secs: 0.2 }
    }
}

/// Returns the slope at a sample: the harmonic mean of the slopes on both sides. The slope is zero at the ends, and
/// where the slopes on both sides differ in sign.
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

    /// Returns the slope per sample step.
    fn slope(&self) -> f64 {
        let Self { values, slopes, at } = self;
        let rest = 1.0 - at;
        6.0 * at * rest * (values[1] - values[0])
            + slopes[0] * rest * (1.0 - 3.0 * at)
            + slopes[1] * at * (1.0 - 3.0 * rest)
    }
}
