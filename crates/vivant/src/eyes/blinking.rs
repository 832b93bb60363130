//! Blink timing: when people blink, and how far the lids close.
//!
//! Lids close spontaneously, and they close with large gaze shifts (paper 2, section 4). Both are random with known
//! probabilities, which this module provides. The caller keeps the time and passes the random draws of an event.
//!
//! ```
//! use vivant::chance::Chance;
//! use vivant::eyes::blinking::{Activity, BlinkStrategy, Evoked, ShiftSize, SpontaneousInterval};
//! let mut draw = Chance::new(7, "blinks").event(0);
//! let interval = SpontaneousInterval::per_minute(Activity::Speaking.blinks_per_minute());
//! assert!(interval.draw(draw.uniform()) >= 0.3);
//! let shift = ShiftSize { head_deg: 20.0, eccentricity_deg: 40.0, gaze_deg: 33.0 };
//! let likely = BlinkStrategy::Natural.evoked_probability(&Evoked::default(), &shift);
//! assert!((likely - 0.97).abs() < 1e-3);
//! ```

use crate::chance::Draw;
use crate::error::Error;
use crate::eyes::normal::{LogNormal, normal_quantile};
use crate::math::{exp, ln, pow};
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Strategy that decides when a character blinks: the five strategies of Peters & Qureshi 2010 (Table 2), and
/// `natural`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlinkStrategy {
    /// No blinks (NB).
    #[serde(alias = "nb")]
    None,
    /// A blink every 3 s, independent of the gaze (RU).
    #[serde(alias = "ru")]
    Regular,
    /// A blink with every gaze shift, however small, and no others (GE).
    #[serde(alias = "ge")]
    GazeEvoked,
    /// Blinks with gaze shifts, with a probability that grows with their size, and no others (PGE).
    #[serde(alias = "pge")]
    ProbabilisticGazeEvoked,
    /// A blink every 3 s, and blinks with gaze shifts, with a probability that grows with their size (R+PGE).
    #[serde(alias = "r+pge")]
    RegularProbabilistic,
    /// Human inter-blink intervals, and blinks with gaze shifts, with a probability that grows with their size (our
    /// design).
    #[default]
    Natural,
}

/// Timing of the spontaneous blinks of a strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spontaneous {
    /// No spontaneous blinks.
    Never,
    /// At every whole multiple of this period in seconds.
    Every(f64),
    /// After a random interval.
    Drawn,
}

/// Activity of a character; it sets the blink rate and the idle gaze.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// No particular activity; 17 blinks per minute.
    #[default]
    Idle,
    /// Speaks; 26 blinks per minute.
    Speaking,
    /// Listens to someone; 17 blinks per minute.
    Listening,
    /// Reads: the eyes follow the lines of a page; 4.5 blinks per minute.
    Reading,
    /// Thinks about what to say: the eyes mostly look up; 17 blinks per minute.
    Thinking,
}

/// Model of gaze-evoked blinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvokedPreset {
    /// Uses the equations of Peters & Qureshi 2010, section 4.2.
    Peters,
    /// Uses the measurements of Evinger 1994 (cited by Peters & Qureshi 2010 in section 4.1), interpreted as
    /// probabilities.
    #[default]
    Evinger,
}

/// Measure of a gaze shift that determines the evoked blink. Peters & Qureshi 2010 use the three measures
/// interchangeably.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvokedDriver {
    /// Amplitude of the head turn.
    #[default]
    Head,
    /// Angle of the target from straight ahead.
    Eccentricity,
    /// Amplitude of the gaze shift.
    Gaze,
}

/// Implements `Display` and `FromStr` with the names used in files. Parsing ignores case, so that `NB` is accepted
/// like `nb`.
macro_rules! named {
    ($($type:ty, $what:literal, $known:literal;)+) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.serialize(f)
            }
        }

        impl FromStr for $type {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self, Error> {
                let lower = name.to_ascii_lowercase();
                let found: Result<Self, NameError> = Self::deserialize(lower.as_str().into_deserializer());
                found.map_err(|_| Error::unknown_name($what, name, $known))
            }
        }
    )+};
}

named! {
    BlinkStrategy, "blink strategy", "none (nb), regular (ru), gaze-evoked (ge), \
        probabilistic-gaze-evoked (pge), regular-probabilistic (r+pge) and natural";
    Activity, "activity", "idle, speaking, listening, reading and thinking";
    EvokedPreset, "gaze-evoked blink preset", "peters and evinger";
    EvokedDriver, "driver of gaze-evoked blinks", "head, eccentricity and gaze";
}

impl Activity {
    /// All activities.
    pub const ALL: [Self; 5] = [Self::Idle, Self::Speaking, Self::Listening, Self::Reading, Self::Thinking];

    /// Returns the mean blink rate per minute: 17 at rest, 26 in conversation, 4.5 while reading (Bentivoglio 1997).
    ///
    /// The rate while listening was not measured. We use the rate at rest (our design), because only the intention to
    /// speak raises the rate in conversation (Brych 2021). The same applies to thinking.
    #[must_use]
    pub const fn blinks_per_minute(self) -> f64 {
        match self {
            Self::Idle | Self::Listening | Self::Thinking => 17.0,
            Self::Speaking => 26.0,
            Self::Reading => 4.5,
        }
    }

    /// Returns the distribution of individual blink rates per minute, to draw the rate of one character. 95 % of
    /// people are within 8–21 at rest, 10.5–32.5 in conversation and 1.4–14.4 while reading (Doughty 2001).
    /// The parameters are computed from these ranges.
    #[must_use]
    pub const fn blinks_per_minute_across_people(self) -> LogNormal {
        match self {
            Self::Idle | Self::Listening | Self::Thinking => LogNormal { mu: 2.562, sigma: 0.246 },
            Self::Speaking => LogNormal { mu: 2.916, sigma: 0.288 },
            Self::Reading => LogNormal { mu: 1.502, sigma: 0.595 },
        }
    }
}

/// Size of a gaze shift in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShiftSize {
    /// Amplitude of the head turn in degrees.
    pub head_deg: f64,
    /// Angle of the target from straight ahead in degrees.
    pub eccentricity_deg: f64,
    /// Amplitude of the gaze shift in degrees.
    pub gaze_deg: f64,
}

/// Parameters of blinks evoked by gaze shifts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evoked {
    /// Model of probability and closure.
    pub preset: EvokedPreset,
    /// Measure of the gaze shift that the model is applied to.
    pub driver: EvokedDriver,
    /// If true, shifts of 75° and more always evoke a blink, as Peters & Qureshi 2010 state. Their equation gives a
    /// probability of only 0.933 at 75°, and 1 from 80° on.
    #[serde(default)]
    pub certain_at_75: bool,
}

impl Default for Evoked {
    fn default() -> Self {
        Self::evinger()
    }
}

impl Evoked {
    /// Returns the model of Peters & Qureshi 2010, driven by the amplitude of the head turn as in the paper.
    #[must_use]
    pub const fn peters() -> Self {
        Self { preset: EvokedPreset::Peters, driver: EvokedDriver::Head, certain_at_75: false }
    }

    /// Returns the model with Evinger's measurements, driven by the amplitude of the gaze shift, as it was measured.
    #[must_use]
    pub const fn evinger() -> Self {
        Self { preset: EvokedPreset::Evinger, driver: EvokedDriver::Gaze, certain_at_75: false }
    }

    /// Returns the measure of the shift that the driver selects, in degrees; never negative.
    #[must_use]
    pub const fn amplitude(&self, shift: &ShiftSize) -> f64 {
        match self.driver {
            EvokedDriver::Head => shift.head_deg.abs(),
            EvokedDriver::Eccentricity => shift.eccentricity_deg.abs(),
            EvokedDriver::Gaze => shift.gaze_deg.abs(),
        }
    }

    /// Returns the probability that a shift of this size evokes a blink.
    ///
    /// - Peters: the line through 20 % at 20° and 60 % at 50°. `DIFFERENCE` from [`peters_probability_as_printed`]:
    ///   the line continues beyond 50°, to 93 % at 75° and 100 % at 80°.
    /// - Evinger: 1 − exp(−(A/16.02)^1.736), our curve through 67 % at 17° and 97 % at 33° (Evinger 1994,
    ///   as cited by the paper).
    #[must_use]
    pub fn probability(&self, amplitude_deg: f64) -> f64 {
        let amplitude = amplitude_deg.abs();
        if self.certain_at_75 && amplitude >= 75.0 {
            return 1.0;
        }
        match self.preset {
            EvokedPreset::Peters => ((amplitude - 5.0) / 75.0).clamp(0.0, 1.0),
            EvokedPreset::Evinger => 1.0 - exp(-pow(amplitude / 16.02, 1.736)),
        }
    }

    /// Returns the closure of the lids (0–1) in a blink evoked by a shift of this size.
    ///
    /// - Peters: the line through 67 % at 17° and 97 % at 33°, exactly as in the paper; 44.5 % at 5°.
    /// - Evinger: full at 50° and proportional below, which is 10 % at 5°. `DIFFERENCE` from section 4.2 of the
    ///   paper, which uses the measured *probability* of blinks as their closure. Section 4.1 says that a blink is
    ///   quite small at 5°, and often full at 50°. The line between is our estimate.
    #[must_use]
    pub fn magnitude(&self, amplitude_deg: f64) -> f64 {
        let amplitude = amplitude_deg.abs();
        let share = match self.preset {
            EvokedPreset::Peters => 0.67 + (amplitude - 17.0) * (0.97 - 0.67) / (33.0 - 17.0),
            EvokedPreset::Evinger => amplitude / 50.0,
        };
        share.clamp(0.0, 1.0)
    }
}

/// Returns the probability of an evoked blink exactly as printed in Peters & Qureshi 2010, section 4.2: a line up to
/// 50°, 60 % "for targets of 50° or more", and "always" from 75° on.
///
/// `DIFFERENCE`: as printed, the probability jumps from 60 % to 100 % at 75°. [`Evoked::probability`] continues the
/// line instead.
#[must_use]
pub fn peters_probability_as_printed(amplitude_deg: f64) -> f64 {
    if amplitude_deg.abs() >= 75.0 {
        return 1.0;
    }
    Evoked::peters().probability(amplitude_deg.abs().min(50.0))
}

impl BlinkStrategy {
    /// All six strategies.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Regular,
        Self::GazeEvoked,
        Self::ProbabilisticGazeEvoked,
        Self::RegularProbabilistic,
        Self::Natural,
    ];
    /// Period of regular blinks in seconds (paper 2, Table 2).
    pub const REGULAR_SECS: f64 = 3.0;

    /// Returns the timing of the spontaneous blinks of this strategy.
    #[must_use]
    pub const fn spontaneous(self) -> Spontaneous {
        match self {
            Self::None | Self::GazeEvoked | Self::ProbabilisticGazeEvoked => Spontaneous::Never,
            Self::Regular | Self::RegularProbabilistic => Spontaneous::Every(Self::REGULAR_SECS),
            Self::Natural => Spontaneous::Drawn,
        }
    }

    /// Returns the probability that a gaze shift evokes a blink.
    ///
    /// With `Natural`, only shifts that move the head evoke blinks. While reading, the eyes sweep back at the end of
    /// every line. If each sweep evoked a blink as often as shifts of head and eyes do, readers would blink 23 times
    /// per minute, but 1.4 to 14.4 were measured (Doughty 2001).
    #[must_use]
    pub fn evoked_probability(self, evoked: &Evoked, shift: &ShiftSize) -> f64 {
        match self {
            Self::None | Self::Regular => 0.0,
            Self::GazeEvoked => 1.0,
            Self::Natural if shift.head_deg.abs() < NATURAL_HEAD_DEG => 0.0,
            Self::ProbabilisticGazeEvoked | Self::RegularProbabilistic | Self::Natural => {
                evoked.probability(evoked.amplitude(shift))
            }
        }
    }

    /// Returns the closure (0–1) of a blink evoked by this shift; 0 for strategies without evoked blinks.
    ///
    /// Probability and closure use the same measure of the shift. Otherwise a shift of the eyes alone would often
    /// evoke a blink that does not move the lids.
    #[must_use]
    pub fn evoked_magnitude(self, evoked: &Evoked, shift: &ShiftSize) -> f64 {
        match self {
            Self::None | Self::Regular => 0.0,
            Self::GazeEvoked => evoked.magnitude(evoked.amplitude(shift)).max(MIN_CERTAIN_CLOSURE),
            _ => evoked.magnitude(evoked.amplitude(shift)),
        }
    }

    /// Returns true if the shift evokes a blink, for a uniform random number `u` in [0, 1).
    #[must_use]
    pub fn evokes(self, evoked: &Evoked, shift: &ShiftSize, u: f64) -> bool {
        u < self.evoked_probability(evoked, shift)
    }
}

impl Spontaneous {
    /// Returns the time of the next spontaneous blink in seconds; infinite for `Never`. `after_secs` is the time of
    /// the last blink, or the start time before the first blink.
    ///
    /// Regular blinks occur at whole multiples of their period, even if other blinks occur in between (Table 2: not
    /// synchronised with gaze shifts). `u` is a uniform random number in [0, 1).
    #[must_use]
    pub fn next_secs(self, after_secs: f64, interval: &SpontaneousInterval, u: f64) -> f64 {
        match self {
            Self::Never => f64::INFINITY,
            Self::Every(period) => ((after_secs / period).floor() + 1.0) * period,
            Self::Drawn => after_secs + interval.draw(u),
        }
    }
}

/// Distribution of the time from the start of one spontaneous blink to the start of the next: log-normal, and never
/// shorter than the refractory time (our estimate; measured intervals are skewed, Nomura 2018).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpontaneousInterval {
    /// `None` if there are no blinks.
    all: Option<LogNormal>,
}

impl SpontaneousInterval {
    /// Standard deviation of the logarithm of the interval within one person.
    pub const SIGMA: f64 = 0.7;
    /// Shortest time from the start of one blink to the start of the next, in seconds.
    pub const REFRACTORY_SECS: f64 = 0.3;
    /// Highest blink rate: one blink per refractory time.
    pub const MAX_PER_MINUTE: f64 = 200.0;

    /// Creates intervals with a mean of 60 / `rate` seconds, before truncation at the refractory time. The truncation
    /// raises the mean by 0.07 % at 17 blinks per minute, by 0.5 % at 26 and by 7 % at 60;
    /// [`mean_secs`](Self::mean_secs) returns the exact mean. If the rate is zero, negative or NaN, there are no
    /// blinks.
    #[must_use]
    pub fn per_minute(rate: f64) -> Self {
        if rate.is_nan() || rate <= 0.0 {
            return Self { all: None };
        }
        let mu = ln(60.0 / rate.min(Self::MAX_PER_MINUTE)) - 0.5 * Self::SIGMA * Self::SIGMA;
        Self { all: Some(LogNormal { mu, sigma: Self::SIGMA }) }
    }

    /// Maps the uniform random number `u` in [0, 1) to an interval in seconds. The interval increases with `u`.
    #[must_use]
    pub fn draw(&self, u: f64) -> f64 {
        self.all.map_or(f64::INFINITY, |all| all.draw_within(u, Self::REFRACTORY_SECS, f64::INFINITY))
    }

    /// Returns the fraction of intervals that are at most `secs` long.
    #[must_use]
    pub fn cdf(&self, secs: f64) -> f64 {
        let Some(all) = self.all else { return 0.0 };
        let longer = all.share_above(secs.max(Self::REFRACTORY_SECS));
        1.0 - longer / all.share_above(Self::REFRACTORY_SECS)
    }

    /// Returns the mean interval in seconds.
    #[must_use]
    pub fn mean_secs(&self) -> f64 {
        self.all.map_or(f64::INFINITY, |all| all.mean_above(Self::REFRACTORY_SECS))
    }
}

/// Random properties of a spontaneous blink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlinkKind {
    /// Closure of the lids: 1 is closed.
    pub magnitude: f64,
    /// Seconds from the start of this blink to the start of the second blink; `None` if this is not a double blink.
    /// [`SpontaneousInterval`] does not count second blinks: divide the rate by (1 + fraction of double blinks) to
    /// keep the total rate.
    pub double_after_secs: Option<f64>,
    /// Lid speed relative to Evinger's equations.
    pub tempo: f64,
}

impl BlinkKind {
    /// A full blink by Evinger's equations.
    pub const FULL: Self = Self { magnitude: 1.0, double_after_secs: None, tempo: 1.0 };
}

/// Fraction of spontaneous blinks that do not close the eye completely (Ousler 2014: 52.9 %).
pub const PARTIAL_SHARE: f64 = 0.529;
/// Fraction of spontaneous blinks that are followed at once by a second blink (our design).
pub const DOUBLE_SHARE: f64 = 0.05;
/// Range of the closure of partial blinks (our design: less would be a twitch, more would look like a full blink).
const PARTIAL_MAGNITUDES: [f64; 2] = [0.5, 0.95];
/// Range of seconds from the start of a double blink to the start of its second blink (our design: the first blink is
/// then almost over).
const DOUBLE_AFTER_SECS: [f64; 2] = [0.35, 0.5];

/// Median lid speed of spontaneous blinks, relative to Evinger's equations.
///
/// `DIFFERENCE`: paper 1 gives all blinks the durations of coil recordings, 0.25 s for full blinks. Other studies
/// measured 0.33 s for spontaneous blinks (VanderWerf 2003), and viewers prefer 0.30 s for
/// photoreal characters (paper 3, Table II), so we use 0.30 s. Requested and gaze-evoked blinks follow paper 1.
pub const SPONTANEOUS_TEMPO: f64 = 0.84;
/// Spread of the lid speed: the standard deviation of its logarithm (VanderWerf 2003: 334 ± 67 ms).
const TEMPO_DEVIATION: f64 = 0.2;
/// Slowest and fastest lid speed, in standard deviations from the median (our design: slower blinks look tired).
const TEMPO_LIMITS: [f64; 2] = [-2.0, 1.0];

/// Returns the greatest lid speed of a spontaneous blink.
#[cfg(test)]
pub(crate) fn greatest_tempo() -> f64 {
    SPONTANEOUS_TEMPO * exp(TEMPO_DEVIATION * TEMPO_LIMITS[1])
}

/// Draws the properties of a spontaneous blink, given the fractions of partial and double blinks.
///
/// Always uses five draws, so that changing one fraction changes nothing else.
#[must_use]
pub fn spontaneous_kind(draw: &mut Draw, partial_share: f64, double_share: f64) -> BlinkKind {
    let is_partial = draw.uniform() < partial_share;
    let [least, most] = PARTIAL_MAGNITUDES;
    let partial = draw.between(least, most);
    let is_double = draw.uniform() < double_share;
    let [soonest, latest] = DOUBLE_AFTER_SECS;
    let after = draw.between(soonest, latest);
    let [slowest, fastest] = TEMPO_LIMITS;
    let deviations = normal_quantile(draw.uniform()).clamp(slowest, fastest);
    BlinkKind {
        magnitude: if is_partial { partial } else { 1.0 },
        double_after_secs: is_double.then_some(after),
        tempo: SPONTANEOUS_TEMPO * exp(TEMPO_DEVIATION * deviations),
    }
}

/// Smallest closure of a blink with the strategy `GazeEvoked`, where every shift evokes a blink, "no matter how
/// small" (Peters & Qureshi 2010, Table 2). If less than half of the eye closes, people do not perceive a blink (our
/// design).
const MIN_CERTAIN_CLOSURE: f64 = 0.5;
/// Smallest head turn that evokes a blink with the `Natural` strategy, in degrees (our design: below this size, the
/// equation of Peters & Qureshi 2010 gives a probability of 0).
pub const NATURAL_HEAD_DEG: f64 = 5.0;

/// Seconds by which the lids start before the head in large turns (Evinger 1994).
const EVOKED_LEAD_SECS: f64 = 0.0393;
/// Head turn in degrees at which lids and head start at the same time (our design). It is about half of the shift of
/// 33° at which blinks are almost certain. With closed eyes, all head turns above 17° evoke a blink (Evinger 1994).
const SIMULTANEOUS_DEG: f64 = 17.0;

/// Returns the start of an evoked blink in seconds after the start of the head turn; negative if the blink starts
/// first.
///
/// Blinks start after the head in small turns and before the head in large turns (Peters & Qureshi 2010, 4.1, rule
/// 2). Only the lead in large turns was measured, 39.3 ms. The rest is our design: the start changes linearly with
/// the size of the turn, and is zero at 17°.
#[must_use]
pub fn evoked_onset_secs(head_deg: f64) -> f64 {
    EVOKED_LEAD_SECS * (1.0 - head_deg.abs() / SIMULTANEOUS_DEG).max(-1.0)
}

#[cfg(test)]
mod tests;
