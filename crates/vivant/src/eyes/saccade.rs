//! How fast eyes jump: the main sequence.

use crate::eyes::profile::Profile;
use serde::{Deserialize, Serialize};

/// Which line of duration against amplitude to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    /// How long a saccade of this size takes.
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

/// One jump of an eye, along a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saccade {
    /// How far, in degrees.
    pub amplitude_deg: f64,
    /// How fast.
    pub main_sequence: MainSequence,
}

impl Saccade {
    /// Peak velocity over mean velocity. With Collewijn's durations it gives peaks within 0.8 standard
    /// deviations of those that Hopf 2018 measured (FACTS, section 2).
    pub const RATIO: f64 = 1.65;

    /// A saccade of this size by the default main sequence.
    #[must_use]
    pub fn new(amplitude_deg: f64) -> Self {
        Self { amplitude_deg, main_sequence: MainSequence::default() }
    }

    /// The movement. Longer saccades reach their peak earlier: at half of their time up to 5°, at 0.3
    /// of it at 50°, by duration (Van Opstal 1987; the numbers are our design).
    #[must_use]
    pub fn profile(&self) -> Profile {
        let duration = self.main_sequence.duration_secs(self.amplitude_deg);
        let (short, long) = (self.main_sequence.duration_secs(5.0), self.main_sequence.duration_secs(50.0));
        let skew = 0.5 - 0.2 * ((duration - short) / (long - short)).clamp(0.0, 1.0);
        let peak = Self::RATIO * self.amplitude_deg.abs() / duration;
        Profile::new(self.amplitude_deg, duration, peak, skew)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
