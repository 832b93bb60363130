//! A single blink: closing phase, hold and opening phase.
//!
//! A lid closes fast and opens more slowly, and both depend on the amplitude (paper 1, E5 to E8). [`Blink`] gives the
//! closure from 0 (open) to 1 and its velocity at any time since the start. [`BlinkProfile`] selects this curve, a
//! learned one, or one of the simple curves that paper 3 compares. The module [`blinking`](super::blinking) decides
//! when blinks happen. Amplitudes are in degrees of the upper lid, times in seconds.
//!
//! ```
//! use vivant::eyes::blink::Blink;
//! let blink = Blink::new(40.0);
//! assert!(blink.closure(blink.closed_at_secs()) > 0.99);
//! assert!(blink.closed_at_secs() < blink.duration_secs() - blink.opens_at_secs(), "opens more slowly");
//! ```

use crate::eyes::blink_model::{BlinkCurve, BlinkModel};
use crate::eyes::lids::LidMovement;
use crate::eyes::profile::Profile;
use serde::{Deserialize, Serialize};

/// Lid movement profile of a blink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlinkProfile {
    /// Like `pca` if the character has its own blink model, otherwise like `evinger`.
    #[default]
    Auto,
    /// Uses the closing and opening phases measured by Evinger 1991 (Steptoe 2010, E5 to E8).
    Evinger,
    /// Closes and opens at constant speed, with equal durations (SL; Trutoiu 2011, 3.3.3).
    SymmetricLinear,
    /// Closes and opens at constant speed, with a shorter closing phase (AL; Trutoiu 2011).
    AsymmetricLinear,
    /// Closes and opens with ease-in and ease-out, with equal durations (SL Ease; Trutoiu 2011, 3.3.4).
    SymmetricEase,
    /// Closes and opens with ease-in and ease-out, with a shorter closing phase (AL Ease; Trutoiu 2011).
    AsymmetricEase,
    /// Samples each blink from a model learned from recorded blinks, so each blink is slightly different (Trutoiu
    /// 2011, 3.3.2).
    Pca,
    /// Plays one of the recorded blinks that are stored in the blink model (Trutoiu 2011, 3.3.1).
    Real,
}

impl BlinkProfile {
    /// Returns true if the profile needs a blink model.
    #[must_use]
    pub const fn is_learned(self) -> bool {
        matches!(self, Self::Pca | Self::Real)
    }

    /// Returns the profile to use: for [`Auto`](Self::Auto), `Pca` if the character has its own blink model and
    /// `Evinger` otherwise; for all others, the profile itself.
    #[must_use]
    pub const fn resolved(self, has_own_model: bool) -> Self {
        match (self, has_own_model) {
            (Self::Auto, true) => Self::Pca,
            (Self::Auto, false) => Self::Evinger,
            (profile, _) => profile,
        }
    }
}

/// Closing or opening phase of a blink.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// A measured movement profile, scaled to amplitude 1.
    Measured(Profile),
    Linear {
        secs: f64,
    },
    Ease {
        secs: f64,
    },
    /// The closing phase of the blink's curve.
    Closing {
        secs: f64,
    },
    /// The opening phase of the blink's curve.
    Opening {
        secs: f64,
    },
}

impl Phase {
    fn slowed(self, factor: f64) -> Self {
        match self {
            Self::Measured(profile) => Self::Measured(profile.slowed(factor)),
            Self::Linear { secs } => Self::Linear { secs: secs * factor },
            Self::Ease { secs } => Self::Ease { secs: secs * factor },
            Self::Closing { secs } => Self::Closing { secs: secs * factor },
            Self::Opening { secs } => Self::Opening { secs: secs * factor },
        }
    }

    fn secs(&self) -> f64 {
        match self {
            Self::Measured(profile) => profile.duration_secs(),
            Self::Linear { secs } | Self::Ease { secs } | Self::Closing { secs } | Self::Opening { secs } => {
                *secs
            }
        }
    }

    /// Returns the fraction of the movement that is complete.
    fn share(&self, secs: f64, curve: &BlinkCurve) -> f64 {
        let u = (secs / self.secs()).clamp(0.0, 1.0);
        match self {
            Self::Measured(profile) => profile.position(secs),
            Self::Linear { .. } => u,
            // A Bézier curve with horizontal handles of a third of its length.
            Self::Ease { .. } => u * u * (3.0 - 2.0 * u),
            Self::Closing { .. } => curve.closing_share(u * curve.closing_secs()),
            Self::Opening { .. } => curve.opening_share(u * curve.opening_secs()),
        }
    }

    fn share_per_sec(&self, secs: f64, curve: &BlinkCurve) -> f64 {
        let length = self.secs();
        if secs < 0.0 || secs > length {
            return 0.0;
        }
        let u = secs / length;
        match self {
            Self::Measured(profile) => profile.velocity(secs),
            Self::Linear { .. } => 1.0 / length,
            Self::Ease { .. } => 6.0 * u * (1.0 - u) / length,
            Self::Closing { .. } => {
                let own = curve.closing_secs();
                curve.closing_share_per_sec(u * own) * own / length
            }
            Self::Opening { .. } => {
                let own = curve.opening_secs();
                curve.opening_share_per_sec(u * own) * own / length
            }
        }
    }
}

/// A blink of an upper lid, as a function of the time since its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blink {
    amplitude_deg: f64,
    down: Phase,
    hold_secs: f64,
    up: Phase,
    /// The curve of a learned blink; unused for all others.
    curve: BlinkCurve,
}

impl Blink {
    /// Seconds that a spontaneous blink stays closed (coil study of seven people, “Kinematic comparison of
    /// spontaneously generated blinks and voluntary blinks”: 13.4 ms if voluntary, which is 61.4 % longer).
    pub const SPONTANEOUS_HOLD_SECS: f64 = 0.0083;
    /// Seconds that a voluntary blink stays closed.
    pub const VOLUNTARY_HOLD_SECS: f64 = 0.0134;
    /// Time of peak velocity as a fraction of the closing phase (our design).
    const DOWN_SKEW: f64 = 0.45;
    /// Time of peak velocity as a fraction of the opening phase: a fast start, and a slow approach to rest.
    const UP_SKEW: f64 = 0.30;
    /// Duration of the closing phase as a fraction of the total duration, for the asymmetric profiles. Evinger's
    /// equations give the same fraction at 30°, so that these profiles differ only in shape.
    const ASYMMETRY: f64 = 0.27;

    /// Creates a spontaneous blink of this amplitude, in degrees of the upper lid.
    #[must_use]
    pub fn new(amplitude_deg: f64) -> Self {
        let size = amplitude_deg.abs();
        Self {
            amplitude_deg: size,
            down: Self::closing(size),
            hold_secs: Self::SPONTANEOUS_HOLD_SECS,
            up: Self::opening(size),
            curve: BlinkCurve::default(),
        }
    }

    /// Creates a blink from a learned curve, for an eye that closes when the lid comes down by `closing_deg`
    /// degrees.
    #[must_use]
    pub fn learned(closing_deg: f64, curve: &BlinkCurve) -> Self {
        Self {
            amplitude_deg: closing_deg * curve.amplitude(),
            down: Phase::Closing { secs: curve.closing_secs() },
            hold_secs: 0.0,
            up: Phase::Opening { secs: curve.opening_secs() },
            curve: *curve,
        }
    }

    fn closing(size: f64) -> Phase {
        Phase::Measured(LidMovement::BlinkDown.profile(size, Self::DOWN_SKEW).with_amplitude(1.0))
    }

    fn opening(size: f64) -> Phase {
        Phase::Measured(LidMovement::BlinkUp.profile(size, Self::UP_SKEW).with_amplitude(1.0))
    }

    /// Creates a blink with the given profile and total duration in seconds. Without a duration, the blink takes as
    /// long as a measured blink of this amplitude.
    ///
    /// For learned profiles, uses the mean blink of the standard model, with the duration of that blink as the
    /// default; this allocates. [`learned`](Self::learned) accepts any curve.
    #[must_use]
    pub fn with_profile(amplitude_deg: f64, profile: BlinkProfile, duration_secs: Option<f64>) -> Self {
        if profile.is_learned() {
            let mean = BlinkModel::standard().mean_curve();
            let blink = Self::learned(amplitude_deg.abs(), &mean);
            return duration_secs.filter(|d| *d > 0.0 && d.is_finite()).map_or(blink, |d| blink.stretched(d));
        }
        let measured = Self::new(amplitude_deg);
        let total = duration_secs.filter(|d| *d > 0.0 && d.is_finite()).unwrap_or(measured.duration_secs());
        let (closing, eased) = match profile {
            BlinkProfile::Auto | BlinkProfile::Evinger | BlinkProfile::Pca | BlinkProfile::Real => {
                return measured.stretched(total);
            }
            BlinkProfile::SymmetricLinear => (0.5, false),
            BlinkProfile::AsymmetricLinear => (Self::ASYMMETRY, false),
            BlinkProfile::SymmetricEase => (0.5, true),
            BlinkProfile::AsymmetricEase => (Self::ASYMMETRY, true),
        };
        let phase = |secs: f64| if eased { Phase::Ease { secs } } else { Phase::Linear { secs } };
        Self { hold_secs: 0.0, down: phase(total * closing), up: phase(total * (1.0 - closing)), ..measured }
    }

    /// Creates a blink whose closing and opening phases have different amplitudes: `degrees` contains both, in
    /// degrees. An example is a blink that starts from a partly closed lid. `tempo` scales the lid speed. Without
    /// `hold_secs`, the lid stays closed as long as in a spontaneous blink.
    #[must_use]
    pub fn between(degrees: [f64; 2], profile: BlinkProfile, hold_secs: Option<f64>, tempo: f64) -> Self {
        let hold_secs = hold_secs.unwrap_or(Self::SPONTANEOUS_HOLD_SECS / tempo);
        let [down, up] = if profile.resolved(false) == BlinkProfile::Evinger {
            [Self::closing(degrees[0]), Self::opening(degrees[1])]
        } else {
            let [down, up] = degrees.map(|size| Self::with_profile(size, profile, None));
            [down.down, up.up]
        };
        let [down, up] = [down, up].map(|phase| phase.slowed(1.0 / tempo));
        Self { amplitude_deg: degrees[0], down, hold_secs, up, curve: BlinkCurve::default() }
    }

    /// Like [`between`](Self::between), for a learned blink. Closing from a partly closed lid takes less time.
    #[must_use]
    pub(crate) fn learned_between(
        degrees: [f64; 2],
        curve: &BlinkCurve,
        hold_secs: Option<f64>,
        tempo: f64,
    ) -> Self {
        /// Shortest closing phase, as a fraction of the full one (our design).
        const MIN_SHARE: f64 = 0.4;
        let rest = if degrees[1] > 0.0 { (degrees[0] / degrees[1]).clamp(MIN_SHARE, 1.0) } else { 1.0 };
        let down = Phase::Closing { secs: curve.closing_secs() * rest / tempo };
        let up = Phase::Opening { secs: curve.opening_secs() / tempo };
        // The hold is part of the curve.
        Self { amplitude_deg: degrees[0], down, hold_secs: hold_secs.unwrap_or(0.0), up, curve: *curve }
    }

    /// Returns the blink with another hold duration.
    #[must_use]
    pub(crate) fn with_hold(&self, secs: f64) -> Self {
        Self { hold_secs: secs, ..*self }
    }

    /// Returns the opening phase alone.
    #[must_use]
    pub(crate) fn without_closing(&self) -> Self {
        Self { down: Phase::Linear { secs: 0.0 }, hold_secs: 0.0, ..*self }
    }

    /// Returns the blink scaled to another total duration.
    #[must_use]
    pub fn stretched(&self, duration_secs: f64) -> Self {
        let factor = duration_secs / self.duration_secs();
        let hold_secs = self.hold_secs * factor;
        Self { down: self.down.slowed(factor), up: self.up.slowed(factor), hold_secs, ..*self }
    }

    /// Returns the total duration in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.down.secs() + self.hold_secs + self.up.secs()
    }

    /// Returns the end of the closing phase, in seconds after the start.
    #[must_use]
    pub fn closed_at_secs(&self) -> f64 {
        self.down.secs()
    }

    /// Returns the start of the opening phase, in seconds after the start.
    #[must_use]
    pub fn opens_at_secs(&self) -> f64 {
        self.down.secs() + self.hold_secs
    }

    /// Returns the closure of the lid at `secs` seconds after the start, as a fraction (0–1) of the blink's
    /// amplitude.
    #[must_use]
    pub fn closure(&self, secs: f64) -> f64 {
        if secs < self.opens_at_secs() {
            return self.down.share(secs, &self.curve);
        }
        1.0 - self.up.share(secs - self.opens_at_secs(), &self.curve)
    }

    /// Returns the rate of change of [`closure`](Self::closure) per second; negative while opening.
    #[must_use]
    pub fn closure_per_sec(&self, secs: f64) -> f64 {
        if secs < self.opens_at_secs() {
            return self.down.share_per_sec(secs, &self.curve);
        }
        -self.up.share_per_sec(secs - self.opens_at_secs(), &self.curve)
    }

    /// Returns the lid position in degrees relative to the start; down is negative.
    #[must_use]
    pub fn position(&self, secs: f64) -> f64 {
        -self.amplitude_deg * self.closure(secs)
    }

    /// Returns the lid velocity in degrees per second; down is negative.
    #[must_use]
    pub fn velocity(&self, secs: f64) -> f64 {
        -self.amplitude_deg * self.closure_per_sec(secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILES: [BlinkProfile; 5] = [
        BlinkProfile::Evinger,
        BlinkProfile::SymmetricLinear,
        BlinkProfile::AsymmetricLinear,
        BlinkProfile::SymmetricEase,
        BlinkProfile::AsymmetricEase,
    ];

    /// Paper 1, E5 + E6: closing and opening phase together take 213, 239 and 251 ms at 20, 30 and 40°.
    #[test]
    fn blink_durations_match_the_equations() {
        for (amplitude, ms) in [(20.0, 213.0), (30.0, 239.0), (40.0, 251.0)] {
            let moving = Blink::new(amplitude).duration_secs() - Blink::SPONTANEOUS_HOLD_SECS;
            assert!((moving * 1e3 - ms).abs() < 1.0, "{amplitude}°: {moving}");
        }
    }

    #[test]
    fn every_profile_closes_fully_and_comes_back() {
        for profile in PROFILES {
            for duration in [None, Some(7.0 / 30.0), Some(13.0 / 30.0)] {
                let blink = Blink::with_profile(35.0, profile, duration);
                let total = blink.duration_secs();
                assert!(duration.is_none_or(|d| (d - total).abs() < 1e-12));
                assert!((blink.closure(blink.closed_at_secs()) - 1.0).abs() < 1e-12);
                assert_eq!((blink.position(-1.0), blink.closure(total + 1.0)), (0.0, 0.0));
                let mut before = 0.0;
                for step in 0..=2000 {
                    let secs = total * f64::from(step) / 2000.0;
                    let closure = blink.closure(secs);
                    let falling = secs <= blink.opens_at_secs();
                    assert!(if falling { closure >= before } else { closure <= before + 1e-12 });
                    before = closure;
                }
            }
        }
    }

    #[test]
    fn the_velocity_is_the_slope() {
        for profile in PROFILES {
            let blink = Blink::with_profile(30.0, profile, None);
            for step in 1..100 {
                let (secs, h) = (blink.duration_secs() * f64::from(step) / 100.0 + 1e-5, 1e-7);
                let slope = (blink.position(secs + h) - blink.position(secs - h)) / (2.0 * h);
                let off = (slope - blink.velocity(secs)).abs();
                assert!(off < 0.2, "{profile:?} at {secs}: {slope} and {}", blink.velocity(secs));
            }
        }
    }

    #[test]
    fn symmetric_blinks_are_half_closed_at_a_quarter_of_their_time() {
        for profile in [BlinkProfile::SymmetricLinear, BlinkProfile::SymmetricEase] {
            let blink = Blink::with_profile(30.0, profile, Some(0.4));
            assert!((blink.closure(0.1) - 0.5).abs() < 1e-12 && (blink.closure(0.3) - 0.5).abs() < 1e-12);
        }
    }
}
