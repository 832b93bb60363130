//! When people blink, and how far.
//!
//! Lids close now and then by themselves, and they close with large shifts of gaze (paper 2, section
//! 4). Both are chance with known odds; what is here are the odds. Who keeps the time asks them with
//! the draws of an event.
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

/// What makes a character blink: paper 2's Table 2, and `natural`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlinkStrategy {
    /// Nothing (NB).
    #[serde(alias = "nb")]
    None,
    /// The clock: every 3 s, whatever the eyes do (RU).
    #[serde(alias = "ru")]
    Regular,
    /// Every shift of gaze, however small, and nothing else (GE).
    #[serde(alias = "ge")]
    GazeEvoked,
    /// Shifts of gaze, with a probability that grows with their size, and nothing else (PGE).
    #[serde(alias = "pge")]
    ProbabilisticGazeEvoked,
    /// The clock, and shifts of gaze by their size (R+PGE).
    #[serde(alias = "r+pge")]
    RegularProbabilistic,
    /// Intervals as people have them, and shifts of gaze by their size (our design).
    #[default]
    Natural,
}

/// When a strategy blinks of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spontaneous {
    /// It does not.
    Never,
    /// At every whole multiple of so many seconds.
    Every(f64),
    /// After an interval that is drawn.
    Drawn,
}

/// What a character is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// Nothing in particular.
    #[default]
    Idle,
    /// Talking.
    Speaking,
    /// Being talked to.
    Listening,
    /// Reading.
    Reading,
    /// Thinking of what to say.
    Thinking,
}

/// Whose numbers say how shifts of gaze evoke blinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvokedPreset {
    /// Paper 2, section 4.2.
    Peters,
    /// The measurements that it cites in 4.1 (Evinger 1994), as what they are: occurrences.
    #[default]
    Evinger,
}

/// Which size of a shift of gaze counts. Paper 2 uses all three words for one thing (FACTS, section 0,
/// number 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvokedDriver {
    /// How far the head turns.
    #[default]
    Head,
    /// How far from straight ahead the target is.
    Eccentricity,
    /// How far the gaze goes.
    Gaze,
}

/// Names as they are in files serve everywhere else, too; capitals do not matter, as in the paper's NB.
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
    EvokedPreset, "preset of gaze-evoked blinks", "peters and evinger";
    EvokedDriver, "size of a gaze shift", "head, eccentricity and gaze";
}

impl Activity {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Idle, Self::Speaking, Self::Listening, Self::Reading, Self::Thinking];

    /// How often people blink: 17 a minute at rest, 26 in conversation, 4.5 reading (Bentivoglio 1997;
    /// FACTS, section 4).
    ///
    /// Listening is not in it, and is as at rest by our design: it is the drive to speak that raises
    /// the rate of conversation (Brych 2021), and a listener has none. Who thinks does not speak yet
    /// either.
    #[must_use]
    pub const fn blinks_per_minute(self) -> f64 {
        match self {
            Self::Idle | Self::Listening | Self::Thinking => 17.0,
            Self::Speaking => 26.0,
            Self::Reading => 4.5,
        }
    }

    /// How often different people blink, to draw one's own rate from: 95 % of them lie within 8 and 21 a
    /// minute at rest, 10.5 and 32.5 in conversation, 1.4 and 14.4 reading (Doughty 2001; FACTS, section 4).
    #[must_use]
    pub const fn blinks_per_minute_across_people(self) -> LogNormal {
        match self {
            Self::Idle | Self::Listening | Self::Thinking => LogNormal { mu: 2.562, sigma: 0.246 },
            Self::Speaking => LogNormal { mu: 2.916, sigma: 0.288 },
            Self::Reading => LogNormal { mu: 1.502, sigma: 0.595 },
        }
    }
}

/// How large a shift of gaze is, in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShiftSize {
    /// How far the head turns.
    pub head_deg: f64,
    /// How far from straight ahead the target is.
    pub eccentricity_deg: f64,
    /// How far the gaze goes.
    pub gaze_deg: f64,
}

/// How shifts of gaze evoke blinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evoked {
    /// Whose numbers.
    pub preset: EvokedPreset,
    /// Which size of the shift they are applied to.
    pub driver: EvokedDriver,
    /// Whether shifts of 75° and more always evoke a blink, as paper 2 says of its line, which gives
    /// 0.933 there and 1 at 80°.
    #[serde(default)]
    pub certain_at_75: bool,
}

impl Default for Evoked {
    fn default() -> Self {
        Self::evinger()
    }
}

impl Evoked {
    /// Paper 2's model, driven by the head as there.
    #[must_use]
    pub const fn peters() -> Self {
        Self { preset: EvokedPreset::Peters, driver: EvokedDriver::Head, certain_at_75: false }
    }

    /// Evinger's measurements, driven by the shift of gaze as measured.
    #[must_use]
    pub const fn evinger() -> Self {
        Self { preset: EvokedPreset::Evinger, driver: EvokedDriver::Gaze, certain_at_75: false }
    }

    /// The size of a shift that counts.
    #[must_use]
    pub const fn amplitude(&self, shift: &ShiftSize) -> f64 {
        match self.driver {
            EvokedDriver::Head => shift.head_deg.abs(),
            EvokedDriver::Eccentricity => shift.eccentricity_deg.abs(),
            EvokedDriver::Gaze => shift.gaze_deg.abs(),
        }
    }

    /// How likely a shift of this size evokes a blink.
    ///
    /// - Peters: the line through 20 % at 20° and 60 % at 50°. `DIFFERENCE` from
    ///   [`peters_probability_as_printed`]: it goes on beyond 50° (FACTS, section 0, number 6).
    /// - Evinger: 1 − exp(−(A/16.02)^1.736), which is 67 % at 17° and 97 % at 33° (number 7).
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

    /// How far the lids close when a shift of this size evokes a blink, from 0 to 1.
    ///
    /// - Peters: the line through 67 % at 17° and 97 % at 33°, to the letter; 44.5 % at 5°.
    /// - Evinger: full at 50° and in proportion below, which is 10 % at 5°. `DIFFERENCE` from section
    ///   4.2, which takes the measured *occurrence* of blinks for their size; section 4.1 says that a
    ///   blink at 5° is quite small, and at 50° often full (FACTS, section 0, number 7).
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

/// Paper 2, section 4.2, to the letter: a line up to 50°, 60 % "for targets of 50° or more", and
/// "always" from 75°.
///
/// `DIFFERENCE`: the two statements leave a step from 60 % to certainty at 75°; [`Evoked::probability`]
/// follows the line.
#[must_use]
pub fn peters_probability_as_printed(amplitude_deg: f64) -> f64 {
    if amplitude_deg.abs() >= 75.0 {
        return 1.0;
    }
    Evoked::peters().probability(amplitude_deg.abs().min(50.0))
}

impl BlinkStrategy {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Regular,
        Self::GazeEvoked,
        Self::ProbabilisticGazeEvoked,
        Self::RegularProbabilistic,
        Self::Natural,
    ];
    /// How long from one blink of the clock to the next (paper 2, Table 2).
    pub const REGULAR_SECS: f64 = 3.0;

    /// When it blinks of itself.
    #[must_use]
    pub const fn spontaneous(self) -> Spontaneous {
        match self {
            Self::None | Self::GazeEvoked | Self::ProbabilisticGazeEvoked => Spontaneous::Never,
            Self::Regular | Self::RegularProbabilistic => Spontaneous::Every(Self::REGULAR_SECS),
            Self::Natural => Spontaneous::Drawn,
        }
    }

    /// How likely a shift of gaze evokes a blink.
    ///
    /// Naturally, only one that takes the head along. A reader's eyes sweep back at every line's end; if
    /// each sweep evoked a blink as often as shifts of head and eyes do, readers would blink 23 times a
    /// minute, and they do so 1.4 to 14.4 times (Doughty 2001).
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

    /// How far the lids close if it does, from 0 to 1; 0 with strategies that have no such blinks.
    ///
    /// The size that decides whether also decides how far. Otherwise a shift of the eyes alone would
    /// often evoke a blink, and that blink would not move a lid.
    #[must_use]
    pub fn evoked_magnitude(self, evoked: &Evoked, shift: &ShiftSize) -> f64 {
        match self {
            Self::None | Self::Regular => 0.0,
            Self::GazeEvoked => evoked.magnitude(evoked.amplitude(shift)).max(LEAST_CERTAIN),
            _ => evoked.magnitude(evoked.amplitude(shift)),
        }
    }

    /// Whether the shift evokes a blink, by a uniform number of [0, 1).
    #[must_use]
    pub fn evokes(self, evoked: &Evoked, shift: &ShiftSize, u: f64) -> bool {
        u < self.evoked_probability(evoked, shift)
    }
}

impl Spontaneous {
    /// When the next blink starts, if the last one or the beginning was at `after_secs`.
    ///
    /// The clock's blinks are at whole multiples of its period however often other blinks come between
    /// (Table 2: not synchronised with gaze shifts). `u` is a uniform number of [0, 1).
    #[must_use]
    pub fn next_secs(self, after_secs: f64, interval: &SpontaneousInterval, u: f64) -> f64 {
        match self {
            Self::Never => f64::INFINITY,
            Self::Every(period) => ((after_secs / period).floor() + 1.0) * period,
            Self::Drawn => after_secs + interval.draw(u),
        }
    }
}

/// How long it is from the start of one spontaneous blink to the start of the next: log-normal, and
/// never shorter than the refractory time (our design; FACTS, section 4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpontaneousInterval {
    /// `None` if there is no next blink.
    all: Option<LogNormal>,
}

impl SpontaneousInterval {
    /// The spread of the logarithms within one person.
    pub const SIGMA: f64 = 0.7;
    /// The least time from one blink's start to the next's.
    pub const REFRACTORY_SECS: f64 = 0.3;
    /// The highest rate that can be asked for: one blink a refractory time.
    pub const MAX_PER_MINUTE: f64 = 200.0;

    /// Intervals of 60 / `rate` seconds in the mean, before those below the refractory time are left
    /// out. That makes the mean longer by 0.07 % at 17 blinks a minute, by 0.5 % at 26 and by 7 % at 60;
    /// [`mean_secs`](Self::mean_secs) has it exactly. A rate of zero (or none) never blinks.
    #[must_use]
    pub fn per_minute(rate: f64) -> Self {
        if rate.is_nan() || rate <= 0.0 {
            return Self { all: None };
        }
        let mu = ln(60.0 / rate.min(Self::MAX_PER_MINUTE)) - 0.5 * Self::SIGMA * Self::SIGMA;
        Self { all: Some(LogNormal { mu, sigma: Self::SIGMA }) }
    }

    /// The interval that a uniform number of [0, 1) draws; it grows with it.
    #[must_use]
    pub fn draw(&self, u: f64) -> f64 {
        self.all.map_or(f64::INFINITY, |all| all.draw_within(u, Self::REFRACTORY_SECS, f64::INFINITY))
    }

    /// The share of intervals that are at most so long.
    #[must_use]
    pub fn cdf(&self, secs: f64) -> f64 {
        let Some(all) = self.all else { return 0.0 };
        let longer = all.share_above(secs.max(Self::REFRACTORY_SECS));
        1.0 - longer / all.share_above(Self::REFRACTORY_SECS)
    }

    /// The mean interval.
    #[must_use]
    pub fn mean_secs(&self) -> f64 {
        self.all.map_or(f64::INFINITY, |all| all.mean_above(Self::REFRACTORY_SECS))
    }
}

/// What a spontaneous blink is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlinkKind {
    /// How far the lids close: 1 is shut.
    pub magnitude: f64,
    /// How long after its start a second blink starts, if it is a double blink. That second one comes
    /// on top of the rate: ask for rate / (1 + share of doubles) to keep it.
    pub double_after_secs: Option<f64>,
    /// How fast the lids are, by Evinger's equations.
    pub tempo: f64,
}

impl BlinkKind {
    /// A whole one, by Evinger's equations.
    pub const USUAL: Self = Self { magnitude: 1.0, double_after_secs: None, tempo: 1.0 };
}

/// The share of spontaneous blinks that do not close the eye (Ousler 2014: 52.9 %; FACTS, section 4).
pub const PARTIAL_SHARE: f64 = 0.529;
/// The share of spontaneous blinks that are followed by another at once (our design).
pub const DOUBLE_SHARE: f64 = 0.05;
/// How far partial blinks close, from the least to the most (our design: less would be a twitch, more
/// would be seen as full).
const PARTIAL_MAGNITUDES: [f64; 2] = [0.5, 0.95];
/// From the start of a blink to the start of its double (our design): the first is about over.
const DOUBLE_AFTER_SECS: [f64; 2] = [0.35, 0.5];

/// How fast the lids of spontaneous blinks are in the median, by Evinger's equations.
///
/// `DIFFERENCE`: paper 1 gives all blinks the times of coil recordings, 0.25 s for those that shut an eye. Spontaneous
/// blinks of others took 0.33 s (VanderWerf 2003; FACTS, section 4), and viewers find 0.30 s best in characters that look
/// real (paper 3, Table II): so it is 0.30 s here. Blinks that are asked for, or that gaze shifts evoke, are paper 1's.
pub const SPONTANEOUS_TEMPO: f64 = 0.84;
/// How much they differ: the deviation of the logarithm (VanderWerf 2003: 334 ± 67 ms).
const TEMPO_DEVIATION: f64 = 0.2;
/// The slowest and the fastest, in such deviations (our design): slower ones look tired.
const TEMPO_ENDS: [f64; 2] = [-2.0, 1.0];

/// The greatest tempo that a spontaneous blink has.
#[cfg(test)]
pub(crate) fn greatest_tempo() -> f64 {
    SPONTANEOUS_TEMPO * exp(TEMPO_DEVIATION * TEMPO_ENDS[1])
}

/// Draws what a spontaneous blink is like, given which shares are partial and double.
///
/// It takes five draws whatever comes of them, so a change of one share changes nothing else.
#[must_use]
pub fn spontaneous_kind(draw: &mut Draw, partial_share: f64, double_share: f64) -> BlinkKind {
    let is_partial = draw.uniform() < partial_share;
    let [least, most] = PARTIAL_MAGNITUDES;
    let partial = draw.between(least, most);
    let is_double = draw.uniform() < double_share;
    let [soonest, latest] = DOUBLE_AFTER_SECS;
    let after = draw.between(soonest, latest);
    let [slowest, fastest] = TEMPO_ENDS;
    let deviations = normal_quantile(draw.uniform()).clamp(slowest, fastest);
    BlinkKind {
        magnitude: if is_partial { partial } else { 1.0 },
        double_after_secs: is_double.then_some(after),
        tempo: SPONTANEOUS_TEMPO * exp(TEMPO_DEVIATION * deviations),
    }
}

/// How far the lids close at least where every shift evokes a blink, "no matter how small" (paper 2,
/// Table 2): what does not close half of the eye is not seen as a blink (our design).
const LEAST_CERTAIN: f64 = 0.5;
/// Natural blinks are evoked by shifts that turn the head at least this far (our design: where paper 2's
/// line begins).
pub const NATURAL_HEAD_DEG: f64 = 5.0;

/// How long before the head the lids start with large turns (Evinger 1994; FACTS, section 4).
const EVOKED_LEAD_SECS: f64 = 0.0393;
/// The size of a turn with which they start together (our design: where all turns evoke a blink even
/// with eyes closed, and half of what makes them certain with open ones).
const TOGETHER_DEG: f64 = 17.0;

/// When an evoked blink starts, in seconds from the start of the head's turn; negative is before it.
///
/// After it with small turns, before it with large ones (paper 2, 4.1, rule 2). Only the lead of large
/// turns is measured, 39.3 ms; the line to it, through "together" at 17°, is our design.
#[must_use]
pub fn evoked_onset_secs(head_deg: f64) -> f64 {
    EVOKED_LEAD_SECS * (1.0 - head_deg.abs() / TOGETHER_DEG).max(-1.0)
}

#[cfg(test)]
mod tests;
