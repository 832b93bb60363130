//! What a tracker sees, without its jitter.
//!
//! The One Euro filter (Casiez, Roussel and Vogel 2012): a low-pass whose cut-off grows with the speed. What rests is
//! held still, and what moves is hardly late.

use super::person::{Person, Seen, Spot};
use glam::Vec3;
use std::f64::consts::TAU;

/// A filter for one number.
#[derive(Clone, Copy, Debug)]
pub struct OneEuro {
    /// The cut-off at rest, in hertz: lower is steadier.
    rest_hz: f64,
    /// How much the cut-off grows for each unit a second: higher is less late.
    per_speed: f64,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    secs: f64,
    value: f64,
    speed: f64,
}

/// The speed is itself filtered, with this cut-off in hertz, as its authors propose.
const SPEED_HZ: f64 = 1.0;
/// After a gap of this many seconds what was before does not count.
const FORGET_SECS: f64 = 0.5;

impl OneEuro {
    /// A filter with a cut-off at rest, in hertz, that grows so much for each unit a second.
    #[must_use]
    pub const fn new(rest_hz: f64, per_speed: f64) -> Self {
        Self { rest_hz, per_speed, last: None }
    }

    /// The next value, filtered. A value that is none, or of the past, changes nothing.
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

/// How much of the way to a new value a low-pass goes in so many seconds.
fn share(cut_off_hz: f64, dt: f64) -> f64 {
    let radians = TAU * cut_off_hz * dt;
    radians / (radians + 1.0)
}

/// Filters of all that is seen of a person.
#[derive(Clone, Debug)]
pub(super) struct Steady {
    spots: [[OneEuro; 3]; Spot::COUNT],
    sure: [OneEuro; Spot::COUNT],
    head: [OneEuro; 3],
    shape: [OneEuro; 3],
    fingers: [[OneEuro; 5]; 2],
    gaze: [OneEuro; 2],
    from_camera: [OneEuro; 3],
}

/// Metres: a wrist at rest is steady, and one that moves at 1 m/s is 20 ms late.
const PLACE: OneEuro = OneEuro::new(1.2, 7.0);
/// How surely something is seen changes from frame to frame where it is half hidden.
const SURE: OneEuro = OneEuro::new(1.0, 0.0);
/// Degrees: nods of some degrees at 2 to 4 Hz must get through.
const HEAD: OneEuro = OneEuro::new(2.0, 0.1);
/// Shares of the distance of the eyes, and of the length of a finger.
const SHAPE: OneEuro = OneEuro::new(1.5, 2.0);
/// Degrees, of small and quick eyes.
const GAZE: OneEuro = OneEuro::new(2.0, 0.05);

impl Steady {
    pub(super) fn new() -> Self {
        Self {
            spots: [[PLACE; 3]; Spot::COUNT],
            sure: [SURE; Spot::COUNT],
            head: [HEAD; 3],
            shape: [SHAPE; 3],
            fingers: [[SHAPE; 5]; 2],
            gaze: [GAZE; 2],
            from_camera: [PLACE; 3],
        }
    }

    /// The person, filtered. How open the eyes are is left as it is: a blink is as short as jitter.
    pub(super) fn next(&mut self, person: &Person) -> Person {
        let mut steady = person.clone();
        let secs = person.secs;
        for (index, Seen { place, sure }) in steady.spots.iter_mut().enumerate() {
            // What is not seen stays where it was for as long as it is believed.
            let seen = if *sure > 0.0 { *place } else { Vec3::NAN };
            *place = filtered(&mut self.spots[index], secs, seen);
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
    fn what_rests_is_held_still() {
        let mut draw = Chance::new(1, "jitter").event(0);
        // 1 cm to either side, as trackers do.
        let noise: Vec<f64> = (0..3000).map(|_| draw.between(-0.01, 0.01)).collect();
        let deviation =
            |values: &[f64]| (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
        let left = deviation(&filtered(PLACE, noise.iter().copied())) / deviation(&noise);
        assert!(left < 0.5, "{left} of the jitter is left");
    }

    #[test]
    fn what_moves_is_hardly_late() {
        // A hand that is lifted by half a metre in half a second: 1 m/s.
        let way = |secs: f64| (secs - 1.0).clamp(0.0, 0.5);
        let shown = filtered(PLACE, (0..90).map(|n| way(f64::from(n) / FPS)));
        let at = (1.4 * FPS) as usize;
        let late_secs = way(1.4) - shown[at];
        assert!(late_secs < 0.04, "{late_secs} s late at 1 m/s");
        assert!((shown[89] - 0.5).abs() < 0.005, "it arrives");
    }

    #[test]
    fn nods_get_through() {
        let shown = filtered(HEAD, (0..120).map(|n| 5.0 * sin(TAU * 2.5 * f64::from(n) / FPS)));
        let highest = shown[60..].iter().copied().fold(0.0, f64::max);
        assert!(highest > 3.0, "{highest}° of 5 are left");
    }

    #[test]
    fn a_constant_stays_what_it_is_and_a_gap_begins_anew() {
        let mut filter = PLACE;
        for n in 0..10 {
            assert_eq!(filter.next(f64::from(n) * 0.03, 0.7), 0.7);
        }
        assert_eq!(filter.next(2.0, -0.4), -0.4, "half a second ago is another matter");
        assert_eq!(filter.next(1.0, 0.0), -0.4, "the past changes nothing");
        assert_eq!(filter.next(2.1, f64::NAN), -0.4);
    }
}
