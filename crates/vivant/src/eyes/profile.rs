//! Movement profile with a given amplitude, duration, peak velocity and skew.
//!
//! Physiology reports eye and lid movements by amplitude, duration and peak velocity. A polynomial or a sine can match
//! two of these values. The Kumaraswamy kernel matches all three in closed form, and also the time of the peak.
//! It is our choice. A beta kernel differs by at most 3.2 % of A, but needs the incomplete beta function.
//!
//! ```text
//! x = A·[1 − (1 − τᵃ)ᵇ]      τ = t/D,  b = (1 + (a−1)·m⁻ᵃ)/a puts the peak at τ = m,
//!                            a follows from R = V·D/A, the ratio of peak to mean velocity
//! ```
//!
//! ```
//! use vivant::eyes::profile::Profile;
//! let blink_down = Profile::new(30.0, 0.064, 840.0, 0.45);
//! assert_eq!(blink_down.position(1.0), 30.0);
//! assert!((blink_down.velocity(0.45 * 0.064) - 840.0).abs() < 1e-6);
//! ```

use crate::math::{exp, ln, pow};

/// A one-way movement from zero that starts and ends at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    amplitude_deg: f64,
    duration_secs: f64,
    a: f64,
    b: f64,
}

impl Profile {
    /// Smallest ratio of peak to mean velocity: the flattest movement.
    pub const MIN_RATIO: f64 = 1.2;
    /// Largest ratio of peak to mean velocity: the most peaked movement.
    pub const MAX_RATIO: f64 = 3.0;

    /// Creates a movement with this amplitude and duration. Its peak velocity, in degrees per second, is reached
    /// after the fraction `skew` of the duration.
    ///
    /// Impossible values are clamped: the peak to 1.2–3 times the mean velocity, the skew to 0.1–0.9. An amplitude
    /// of zero gives no movement; a duration of zero or less gives a step.
    #[must_use]
    pub fn new(amplitude_deg: f64, duration_secs: f64, peak_velocity_deg_per_s: f64, skew: f64) -> Self {
        let size = amplitude_deg.abs();
        let ratio = if size > 0.0 { peak_velocity_deg_per_s.abs() * duration_secs / size } else { 1.5 };
        let ratio = if ratio.is_finite() { ratio.clamp(Self::MIN_RATIO, Self::MAX_RATIO) } else { 1.5 };
        let (a, b) = shape(ratio, skew.clamp(0.1, 0.9));
        Self { amplitude_deg, duration_secs: duration_secs.max(0.0), a, b }
    }

    /// Returns the movement scaled to another amplitude, with the same duration.
    #[must_use]
    pub(crate) fn with_amplitude(self, amplitude_deg: f64) -> Self {
        Self { amplitude_deg, ..self }
    }

    /// Returns the movement with its duration multiplied by `factor`.
    #[must_use]
    pub(crate) fn slowed(self, factor: f64) -> Self {
        Self { duration_secs: self.duration_secs * factor, ..self }
    }

    /// Returns the amplitude in degrees; the sign is the direction.
    #[must_use]
    pub fn amplitude_deg(&self) -> f64 {
        self.amplitude_deg
    }

    /// Returns the duration in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// Returns the time of peak velocity in seconds after the start.
    #[must_use]
    pub fn peak_secs(&self) -> f64 {
        self.duration_secs * pow((self.a - 1.0) / (self.a * self.b - 1.0), 1.0 / self.a)
    }

    /// Returns the peak velocity in degrees per second; the sign is the direction.
    #[must_use]
    pub fn peak_velocity_deg_per_s(&self) -> f64 {
        self.velocity(self.peak_secs())
    }

    /// Returns the position in degrees at `secs` seconds after the start.
    #[must_use]
    pub fn position(&self, secs: f64) -> f64 {
        if secs <= 0.0 {
            return 0.0;
        }
        if secs >= self.duration_secs {
            return self.amplitude_deg;
        }
        let rest = 1.0 - exp(self.a * ln(secs / self.duration_secs));
        self.amplitude_deg * (1.0 - exp(self.b * ln(rest)))
    }

    /// Returns the velocity in degrees per second at `secs` seconds after the start.
    ///
    /// For `a` below 2 the acceleration at the start is unbounded, as in a real blink; the velocity stays finite.
    #[must_use]
    pub fn velocity(&self, secs: f64) -> f64 {
        if secs <= 0.0 || secs >= self.duration_secs {
            return 0.0;
        }
        let share = secs / self.duration_secs;
        let rest = 1.0 - pow(share, self.a);
        let slope = self.a * self.b * pow(share, self.a - 1.0) * pow(rest, self.b - 1.0);
        self.amplitude_deg / self.duration_secs * slope
    }

    /// Returns the time in seconds at which the fraction `share` (0–1) of the way is covered.
    #[must_use]
    pub fn time_of(&self, share: f64) -> f64 {
        let rest = pow(1.0 - share.clamp(0.0, 1.0), 1.0 / self.b);
        self.duration_secs * pow(1.0 - rest, 1.0 / self.a)
    }
}

/// Returns `a` and `b` of the kernel with the given ratio of peak to mean velocity and the given mode (time of the
/// peak as a fraction of the duration).
///
/// The ratio increases strictly with `a`, from 1 at a = 1, so the root is bracketed. Newton's method converges in about
/// five steps; a step that would leave the bracket is replaced by bisection.
fn shape(ratio: f64, mode: f64) -> (f64, f64) {
    /// Tolerance on the logarithm of the ratio: a relative error of 10⁻¹² in the peak.
    const TOLERANCE: f64 = 1e-12;
    let (goal, ln_mode) = (ln(ratio), ln(mode));
    let (mut low, mut high) = (1.0, 64.0);
    let mut a = 1.0 + ratio * (ratio - 1.0) * 0.75;
    for _ in 0..60 {
        let Kernel { b, log_ratio, slope } = Kernel::new(a, ln_mode);
        let error = log_ratio - goal;
        if error.abs() < TOLERANCE {
            return (a, b);
        }
        if error < 0.0 {
            low = a;
        } else {
            high = a;
        }
        let next = a - error / slope;
        a = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    (a, Kernel::new(a, ln_mode).b)
}

/// A kernel with its mode at the requested time.
struct Kernel {
    b: f64,
    /// Logarithm of the ratio of peak to mean velocity.
    log_ratio: f64,
    /// Derivative of `log_ratio` by `a`.
    slope: f64,
}

impl Kernel {
    fn new(a: f64, ln_mode: f64) -> Self {
        let power = exp(a * ln_mode);
        let b = (1.0 + (a - 1.0) / power) / a;
        let b_slope = ((1.0 - a * (a - 1.0) * ln_mode) / power - 1.0) / (a * a);
        let ln_rest = ln(1.0 - power);
        let log_ratio = ln(a * b) + (a - 1.0) * ln_mode + (b - 1.0) * ln_rest;
        let slope =
            1.0 / a + b_slope / b + ln_mode + b_slope * ln_rest - (b - 1.0) * power * ln_mode / (1.0 - power);
        Self { b, log_ratio, slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn amplitude_duration_peak_and_skew_are_all_met(
            amplitude in 0.1f64..60.0, duration in 0.01f64..0.5, ratio in 1.2f64..3.0, skew in 0.1f64..0.9
        ) {
            let peak = ratio * amplitude / duration;
            let profile = Profile::new(amplitude, duration, peak, skew);
            prop_assert_eq!(profile.position(duration), amplitude);
            prop_assert!((profile.peak_secs() / duration - skew).abs() < 1e-9);
            prop_assert!((profile.peak_velocity_deg_per_s() / peak - 1.0).abs() < 1e-9);
            let mut before = 0.0;
            for step in 1..=200 {
                let secs = duration * f64::from(step) / 200.0;
                let (position, velocity) = (profile.position(secs), profile.velocity(secs));
                prop_assert!(position >= before, "moves backwards at {secs} s");
                prop_assert!(velocity <= peak * (1.0 + 1e-9));
                before = position;
            }
        }

        #[test]
        fn the_velocity_is_the_slope_and_integrates_to_the_amplitude(
            ratio in 1.3f64..2.9, skew in 0.15f64..0.85, at in 0.05f64..0.95
        ) {
            let profile = Profile::new(20.0, 0.1, ratio * 200.0, skew);
            let (secs, h) = (0.1 * at, 1e-7);
            let slope = (profile.position(secs + h) - profile.position(secs - h)) / (2.0 * h);
            prop_assert!((slope - profile.velocity(secs)).abs() < 1e-4 * 200.0);
            let n = 4_000;
            let sum: f64 = (0..n).map(|i| profile.velocity(0.1 * (f64::from(i) + 0.5) / f64::from(n))).sum();
            prop_assert!((sum * 0.1 / f64::from(n) - 20.0).abs() < 0.01);
        }

        #[test]
        fn the_inverse_finds_the_time(ratio in 1.2f64..3.0, skew in 0.1f64..0.9, share in 0.001f64..0.999) {
            let profile = Profile::new(10.0, 0.2, ratio * 50.0, skew);
            prop_assert!((profile.position(profile.time_of(share)) - 10.0 * share).abs() < 1e-7);
        }
    }

    #[test]
    fn impossible_values_are_clamped() {
        let flat = Profile::new(10.0, 0.1, 50.0, 0.5);
        assert!((flat.peak_velocity_deg_per_s() - 120.0).abs() < 1e-6);
        let spiked = Profile::new(10.0, 0.1, 1e6, 0.5);
        assert!((spiked.peak_velocity_deg_per_s() - 300.0).abs() < 1e-6);
        let none = Profile::new(0.0, 0.1, 100.0, 0.5);
        assert_eq!((none.position(0.05), none.velocity(0.05)), (0.0, 0.0));
        let step = Profile::new(5.0, 0.0, 100.0, 0.5);
        assert_eq!((step.position(0.0), step.position(1e-9)), (0.0, 5.0));
        let down = Profile::new(-10.0, 0.1, 150.0, 0.3);
        assert!((down.peak_velocity_deg_per_s() + 150.0).abs() < 1e-6);
    }
}
