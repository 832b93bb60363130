//! A movement with a given size, duration, peak speed and skew, all at once.
//!
//! Physiology reports eye and lid movements by amplitude, duration and peak velocity. A polynomial or
//! a sine can meet two of these; the Kumaraswamy kernel meets all three, and places the peak where it
//! is wanted, in closed form (FACTS, section 1):
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
    /// The flattest movement, as a ratio of peak to mean velocity.
    pub const MIN_RATIO: f64 = 1.2;
    /// The most peaked one.
    pub const MAX_RATIO: f64 = 3.0;

    /// A movement of this size and duration with its greatest speed, in degrees a second, at the share
    /// `skew` of its time.
    ///
    /// What no movement can do is brought to the nearest that one can: a peak below 1.2 times the mean
    /// velocity is raised, one above 3 times it is lowered, and the skew is kept within 0.1 and 0.9. A
    /// size of zero gives no movement; a duration of zero or less, a step.
    #[must_use]
    pub fn new(amplitude_deg: f64, duration_secs: f64, peak_velocity_deg_per_s: f64, skew: f64) -> Self {
        let size = amplitude_deg.abs();
        let ratio = if size > 0.0 { peak_velocity_deg_per_s.abs() * duration_secs / size } else { 1.5 };
        let ratio = if ratio.is_finite() { ratio.clamp(Self::MIN_RATIO, Self::MAX_RATIO) } else { 1.5 };
        let (a, b) = shape(ratio, skew.clamp(0.1, 0.9));
        Self { amplitude_deg, duration_secs: duration_secs.max(0.0), a, b }
    }

    /// The same movement, larger or smaller, in the same time.
    #[must_use]
    pub(crate) fn with_amplitude(self, amplitude_deg: f64) -> Self {
        Self { amplitude_deg, ..self }
    }

    /// The same movement in more time.
    #[must_use]
    pub(crate) fn slowed(self, factor: f64) -> Self {
        Self { duration_secs: self.duration_secs * factor, ..self }
    }

    /// How far it goes, in degrees; its sign is its direction.
    #[must_use]
    pub fn amplitude_deg(&self) -> f64 {
        self.amplitude_deg
    }

    /// How long it takes.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// When it is fastest.
    #[must_use]
    pub fn peak_secs(&self) -> f64 {
        self.duration_secs * pow((self.a - 1.0) / (self.a * self.b - 1.0), 1.0 / self.a)
    }

    /// Its greatest speed, in degrees a second, with its direction's sign.
    #[must_use]
    pub fn peak_velocity_deg_per_s(&self) -> f64 {
        self.velocity(self.peak_secs())
    }

    /// Where it is, in degrees, a time after it began.
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

    /// How fast it is, in degrees a second, a time after it began.
    ///
    /// For `a` below 2 the acceleration at the very beginning is unbounded, as it is in a blink;
    /// the velocity is not.
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

    /// When it has gone this share of its way, from 0 to 1.
    #[must_use]
    pub fn time_of(&self, share: f64) -> f64 {
        let rest = pow(1.0 - share.clamp(0.0, 1.0), 1.0 / self.b);
        self.duration_secs * pow(1.0 - rest, 1.0 / self.a)
    }
}

/// `a` and `b` of the kernel with this ratio of peak to mean velocity and this mode.
///
/// The ratio grows strictly with `a` from one at a = 1, so the root is bracketed; Newton's method finds
/// it in about five steps, and where it would leave the bracket, the bracket is halved.
fn shape(ratio: f64, mode: f64) -> (f64, f64) {
    /// The logarithm of a ratio, so the peak is right to a trillionth.
    const CLOSE: f64 = 1e-12;
    let (goal, ln_mode) = (ln(ratio), ln(mode));
    let (mut low, mut high) = (1.0, 64.0);
    let mut a = 1.0 + ratio * (ratio - 1.0) * 0.75;
    for _ in 0..60 {
        let Kernel { b, log_ratio, slope } = Kernel::new(a, ln_mode);
        let error = log_ratio - goal;
        if error.abs() < CLOSE {
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

/// A kernel with its mode in the right place.
struct Kernel {
    b: f64,
    /// The logarithm of the ratio of peak to mean velocity, and how fast it grows with `a`.
    log_ratio: f64,
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
        fn size_duration_peak_and_skew_are_all_met(
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
                prop_assert!(position >= before, "it goes back at {secs}");
                prop_assert!(velocity <= peak * (1.0 + 1e-9));
                before = position;
            }
        }

        #[test]
        fn the_velocity_is_the_slope_and_its_integral_the_size(
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
    fn what_no_movement_can_do_becomes_the_nearest_that_one_can() {
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
