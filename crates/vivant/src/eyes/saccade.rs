//! Saccades: duration and velocity by the main sequence, latency, gain and overshoot.
//!
//! The eye moves between fixations in saccades, whose duration and peak velocity depend almost only on their
//! amplitude: the main sequence. A saccade with other dynamics looks artificial. [`Saccade`] gives the profile of one
//! movement; the functions draw what varies from saccade to saccade. Amplitudes are in degrees, times in seconds.
//!
//! ```
//! use vivant::eyes::saccade::Saccade;
//! let profile = Saccade::new(10.0).profile();
//! assert!((profile.duration_secs() - 0.050).abs() < 1e-9);
//! assert!((profile.position(0.050) - 10.0).abs() < 1e-6);
//! ```

use crate::chance::Draw;
use crate::eyes::normal::LogNormal;
use crate::eyes::profile::Profile;
use serde::{Deserialize, Serialize};

/// Main sequence: linear relation of saccade duration to amplitude A in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MainSequence {
    /// 23 + 2.7·A ms (Collewijn 1988).
    #[default]
    Collewijn,
    /// 25 + 2.4·A ms (Lee, Badler & Badler 2002, “Eyes Alive”).
    EyesAlive,
    /// 21 + 2.2·A ms (Carpenter 1988).
    Carpenter,
}

impl MainSequence {
    /// Returns the duration of a saccade of this amplitude, in seconds.
    #[must_use]
    pub fn duration_secs(self, amplitude_deg: f64) -> f64 {
        let (constant, linear) = match self {
            Self::Collewijn => (23.0, 2.7),
            Self::EyesAlive => (25.0, 2.4),
            Self::Carpenter => (21.0, 2.2),
        };
        (constant + linear * amplitude_deg.abs()) * 1e-3
    }
}

/// One saccade, along a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saccade {
    /// Amplitude in degrees.
    pub amplitude_deg: f64,
    /// Relation of duration to amplitude.
    pub main_sequence: MainSequence,
}

impl Saccade {
    /// Ratio of peak to mean velocity. With Collewijn's durations it gives peak velocities within 0.8 standard
    /// deviations of those that Hopf 2018 measured for 5° to 30° (our choice).
    pub const RATIO: f64 = 1.65;

    /// Creates a saccade of this amplitude with the default main sequence.
    #[must_use]
    pub fn new(amplitude_deg: f64) -> Self {
        Self { amplitude_deg, main_sequence: MainSequence::default() }
    }

    /// Returns the movement profile. In longer saccades, the peak velocity comes earlier: after 0.5 of the duration
    /// up to 5°, and after 0.3 of the duration at 50°; values in between are interpolated by duration (Van Opstal
    /// 1987; the numbers are our design).
    #[must_use]
    pub fn profile(&self) -> Profile {
        let duration = self.main_sequence.duration_secs(self.amplitude_deg);
        let (short, long) = (self.main_sequence.duration_secs(5.0), self.main_sequence.duration_secs(50.0));
        let skew = 0.5 - 0.2 * ((duration - short) / (long - short)).clamp(0.0, 1.0);
        let peak = Self::RATIO * self.amplitude_deg.abs() / duration;
        Profile::new(self.amplitude_deg, duration, peak, skew)
    }
}

/// Draws the saccade latency after a target appears, in seconds: 100 to 300 ms, 187 ms on average. Uses one
/// draw.
///
/// Typical means are 180 to 200 ms (Saslow 1967; Munoz 1998). Latencies are skewed, so the distribution is log-normal
/// within these bounds (our design).
#[must_use]
pub fn latency_secs(draw: &mut Draw) -> f64 {
    // e^−1.69 is 185 ms.
    LogNormal { mu: -1.69, sigma: 0.18 }.draw_within(draw.uniform(), 0.1, 0.3)
}

/// Draws the gain of the primary saccade to a target: 0.90 to 0.95, as commonly reported. Uses one draw.
#[must_use]
pub fn primary_gain(draw: &mut Draw) -> f64 {
    draw.between(0.90, 0.95)
}

/// Draws the time between the end of the primary saccade and the corrective saccade, in seconds: 100 to 200
/// ms, as commonly reported. Uses one draw.
#[must_use]
pub fn corrective_after_secs(draw: &mut Draw) -> f64 {
    draw.between(0.1, 0.2)
}

/// Draws the dynamic overshoot of a saccade in degrees, after which the eye returns at once; 0 if there is none.
/// Uses two draws.
///
/// 13 % of saccades overshoot, by 0.15° on average, mainly those of up to 10° (Kapoula 1986). Two
/// rules are our design: overshoots become rarer from 10° to 20°, and an overshoot is at most half of the saccade.
#[must_use]
pub fn dynamic_overshoot_deg(draw: &mut Draw, amplitude_deg: f64) -> f64 {
    let amplitude = amplitude_deg.abs();
    let overshoots = draw.uniform() < 0.13 * (2.0 - amplitude / 10.0).clamp(0.0, 1.0);
    let size = draw.between(0.1, 0.2).min(0.5 * amplitude);
    if overshoots { size } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn draws(draw: impl Fn(&mut Draw) -> f64) -> Vec<f64> {
        let chance = Chance::new(51, "saccades");
        (0..100_000).map(|i| draw(&mut chance.event(i))).collect()
    }

    /// The standard deviations of latency, gain and correction time are at most 40 ms, 0.015 and 29 ms. For means of
    /// 100,000 values, four standard errors (99.99 % of runs) are 0.5 ms, 0.0002 and 0.4 ms.
    #[test]
    fn latency_gain_and_correction_are_human() {
        let check = |draw: fn(&mut Draw) -> f64, low: f64, high: f64, mean: f64, tolerance: f64| {
            let all = draws(draw);
            let found = all.iter().sum::<f64>() / all.len() as f64;
            assert!(all.iter().all(|x| (low..=high).contains(x)));
            assert!((found - mean).abs() < tolerance, "{found}, expected {mean}");
        };
        check(latency_secs, 0.1, 0.3, 0.1871, 0.0005);
        check(primary_gain, 0.90, 0.95, 0.925, 0.0002);
        check(corrective_after_secs, 0.1, 0.2, 0.15, 0.0004);
    }

    /// Binomial: the standard deviation of a share is 0.11 percentage points, and four of them cover 99.99 % of
    /// runs.
    #[test]
    fn small_saccades_sometimes_overshoot_a_little() {
        for (amplitude, share) in [(1.0, 0.13), (-10.0, 0.13), (15.0, 0.065), (20.0, 0.0), (40.0, 0.0)] {
            let all = draws(|draw| dynamic_overshoot_deg(draw, amplitude));
            let sizes: Vec<f64> = all.into_iter().filter(|size| *size != 0.0).collect();
            let found = sizes.len() as f64 / 1e5;
            assert!((found - share).abs() < 0.0044, "{amplitude}°: {found}");
            assert!(sizes.iter().all(|size| (0.1..0.2).contains(size)));
            let sum: f64 = sizes.iter().sum();
            assert!(sizes.is_empty() || (sum / sizes.len() as f64 - 0.15).abs() < 0.002);
        }
        assert!(draws(|draw| dynamic_overshoot_deg(draw, 0.1)).iter().all(|size| *size <= 0.05));
    }

    /// Hopf 2018, horizontal and vertical: mean and standard deviation of peak velocity.
    #[test]
    fn peak_velocities_are_human() {
        for (amplitude, mean, deviation) in [
            (5.0, 213.0, 29.0),
            (15.0, 352.0, 50.0),
            (30.0, 455.0, 67.0),
            (5.0, 208.0, 36.0),
            (10.0, 303.0, 50.0),
            (20.0, 391.0, 71.0),
        ] {
            let peak = Saccade::new(amplitude).profile().peak_velocity_deg_per_s();
            let off: f64 = (peak - mean) / deviation;
            assert!(off.abs() < 0.8, "{amplitude}°: {peak}°/s is {off} standard deviations off");
        }
    }

    #[test]
    fn durations_follow_the_chosen_line() {
        for (line, ms) in [
            (MainSequence::Collewijn, 50.0),
            (MainSequence::EyesAlive, 49.0),
            (MainSequence::Carpenter, 43.0),
        ] {
            assert!((line.duration_secs(10.0) * 1e3 - ms).abs() < 1e-9);
        }
        let profile = Saccade { amplitude_deg: -10.0, main_sequence: MainSequence::EyesAlive }.profile();
        assert_eq!((profile.position(1.0), profile.duration_secs()), (-10.0, 0.049));
    }

    #[test]
    fn longer_saccades_peak_earlier() {
        let skew = |amplitude: f64| {
            let profile = Saccade::new(amplitude).profile();
            profile.peak_secs() / profile.duration_secs()
        };
        assert!((skew(2.0) - 0.5).abs() < 1e-9 && (skew(50.0) - 0.3).abs() < 1e-9);
        assert!((5..50).all(|a| skew(f64::from(a)) > skew(f64::from(a + 1))));
    }
}
