//! Smoothing of tracker results.
//!
//! The One Euro filter (Casiez, Roussel and Vogel 2012) is a low-pass filter whose cutoff grows with speed: it
//! removes jitter at rest and adds little delay in motion.

use super::person::{Landmark, Person, TrackedLandmark};
use glam::Vec3;
use std::f64::consts::TAU;

/// One Euro filter for one value.
#[derive(Clone, Copy, Debug)]
pub struct OneEuro {
    /// Cutoff at rest in hertz; lower is smoother.
    rest_hz: f64,
    /// Growth of the cutoff per unit of speed (units per second); higher values reduce the delay.
    per_speed: f64,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    secs: f64,
    value: f64,
    speed: f64,
}

/// Cutoff of the speed filter in hertz, as proposed by the authors of the filter.
const SPEED_HZ: f64 = 1.0;
/// Duration in seconds of a gap after which the filter restarts.
const FORGET_SECS: f64 = 0.5;

impl OneEuro {
    /// Creates a filter with the cutoff at rest in hertz and its growth per unit of speed.
    #[must_use]
    pub const fn new(rest_hz: f64, per_speed: f64) -> Self {
        Self { rest_hz, per_speed, last: None }
    }

    /// Filters the next value. Non-finite values and times before the last one change nothing.
    pub fn next(&mut self, secs: f64, value: f64) -> f64 {
        let is_new = self.last.is_none_or(|last| secs - last.secs > FORGET_SECS);
        if !value.is_finite() || !secs.is_finite() {
            return self.last.map_or(0.0, |last| last.value);
        }
        let Some(last) = self.last.filter(|_| !is_new) else {
            self.last = Some(Last { secs, value, speed: 0.0 });
            return value;
        };
        let dt = secs - last.secs;
        if dt <= 0.0 {
            return last.value;
        }
        let speed = last.speed + share(SPEED_HZ, dt) * ((value - last.value) / dt - last.speed);
        let cut_off = self.rest_hz + self.per_speed * speed.abs();
        let value = last.value + share(cut_off, dt) * (value - last.value);
        self.last = Some(Last { secs, value, speed });
        value
    }
}

/// Returns the fraction of the way to a new value that a low-pass filter covers in `dt` seconds.
fn share(cut_off_hz: f64, dt: f64) -> f64 {
    let radians = TAU * cut_off_hz * dt;
    radians / (radians + 1.0)
}

/// Filters for all values of a person.
#[derive(Clone, Debug)]
pub(super) struct PersonFilter {
    landmarks: [[OneEuro; 3]; Landmark::COUNT],
    sure: [OneEuro; Landmark::COUNT],
    head: [OneEuro; 3],
    shape: [OneEuro; 3],
    fingers: [[OneEuro; 5]; 2],
    gaze: [OneEuro; 2],
    from_camera: [OneEuro; 3],
}

/// Filter for positions in metres: a wrist at rest is steady, and a wrist that moves at 1 m/s lags by less than 40 ms.
const PLACE: OneEuro = OneEuro::new(1.2, 7.0);
/// Filter for confidences, which fluctuate from frame to frame for partly hidden landmarks.
const SURE: OneEuro = OneEuro::new(1.0, 0.0);
/// Filter for head angles in degrees: nods of a few degrees at 2 to 4 Hz must pass.
const HEAD: OneEuro = OneEuro::new(2.0, 0.1);
/// Filter for ratios, such as the width of the mouth relative to the distance between the eyes.
const SHAPE: OneEuro = OneEuro::new(1.5, 2.0);
/// Filter for gaze angles in degrees.
const GAZE: OneEuro = OneEuro::new(2.0, 0.05);

impl PersonFilter {
    pub(super) fn new() -> Self {
        Self {
            landmarks: [[PLACE; 3]; Landmark::COUNT],
            sure: [SURE; Landmark::COUNT],
            head: [HEAD; 3],
            shape: [SHAPE; 3],
            fingers: [[SHAPE; 5]; 2],
            gaze: [GAZE; 2],
            from_camera: [PLACE; 3],
        }
    }

    /// Filters a person. The opening of the eyes is not filtered: a blink is as short as jitter and would be removed.
    pub(super) fn next(&mut self, person: &Person) -> Person {
        let mut steady = person.clone();
        let secs = person.secs;
        for (index, TrackedLandmark { place, sure }) in steady.landmarks.iter_mut().enumerate() {
            // A landmark that is not visible keeps its last position while its confidence decays.
            let seen = if *sure > 0.0 { *place } else { Vec3::NAN };
            *place = filtered(&mut self.landmarks[index], secs, seen);
            *sure = self.sure[index].next(secs, f64::from(*sure)) as f32;
        }
        if let Some(place) = &mut steady.from_camera {
            *place = filtered(&mut self.from_camera, secs, *place);
        }
        for (filters, hand) in self.fingers.iter_mut().zip(&mut steady.hands) {
            for (filter, value) in filters.iter_mut().zip(hand.iter_mut().flat_map(|hand| &mut hand.reach)) {
                *value = filter.next(secs, f64::from(*value)) as f32;
            }
        }
        if let Some(face) = &mut steady.face {
            for (filter, value) in self.head.iter_mut().zip(&mut face.head_deg) {
                *value = filter.next(secs, f64::from(*value)) as f32;
            }
            for (filter, value) in
                self.shape.iter_mut().zip([&mut face.smile, &mut face.brows, &mut face.mouth])
            {
                *value = filter.next(secs, f64::from(*value)) as f32;
            }
            for (filter, value) in self.gaze.iter_mut().zip(face.gaze_deg.iter_mut().flatten()) {
                *value = filter.next(secs, f64::from(*value)) as f32;
            }
        }
        steady
    }
}

fn filtered(filters: &mut [OneEuro; 3], secs: f64, place: Vec3) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|axis| filters[axis].next(secs, f64::from(place[axis])) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::math::sin;

    const FPS: f64 = 30.0;

    fn filtered(mut filter: OneEuro, values: impl Iterator<Item = f64>) -> Vec<f64> {
        values.enumerate().map(|(n, value)| filter.next(n as f64 / FPS, value)).collect()
    }

    #[test]
    fn jitter_at_rest_is_reduced() {
        let mut draw = Chance::new(1, "jitter").event(0);
        // 1 cm to either side, a typical tracker error.
        let noise: Vec<f64> = (0..3000).map(|_| draw.between(-0.01, 0.01)).collect();
        let deviation =
            |values: &[f64]| (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
        let left = deviation(&filtered(PLACE, noise.iter().copied())) / deviation(&noise);
        assert!(left < 0.5, "{left} of the jitter remains");
    }

    #[test]
    fn motion_has_little_delay() {
        // A hand raised by half a metre in half a second: 1 m/s.
        let way = |secs: f64| (secs - 1.0).clamp(0.0, 0.5);
        let shown = filtered(PLACE, (0..90).map(|n| way(f64::from(n) / FPS)));
        let at = (1.4 * FPS) as usize;
        let late_secs = way(1.4) - shown[at];
        assert!(late_secs < 0.04, "{late_secs} s late at 1 m/s");
        assert!((shown[89] - 0.5).abs() < 0.005, "the target is reached");
    }

    #[test]
    fn nods_pass_the_filter() {
        let shown = filtered(HEAD, (0..120).map(|n| 5.0 * sin(TAU * 2.5 * f64::from(n) / FPS)));
        let highest = shown[60..].iter().copied().fold(0.0, f64::max);
        assert!(highest > 3.0, "{highest}° of 5° remain");
    }

    #[test]
    fn a_constant_is_preserved_and_a_gap_restarts_the_filter() {
        let mut filter = PLACE;
        for n in 0..10 {
            assert_eq!(filter.next(f64::from(n) * 0.03, 0.7), 0.7);
        }
        assert_eq!(filter.next(2.0, -0.4), -0.4, "restarted after a gap");
        assert_eq!(filter.next(1.0, 0.0), -0.4, "times in the past are ignored");
        assert_eq!(filter.next(2.1, f64::NAN), -0.4);
    }
}
