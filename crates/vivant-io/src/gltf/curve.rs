//! Evaluates key frames, and finds the frame rate at which they were written.
//!
//! A [`Curve`] holds the keys of one property and interpolates them as the glTF specification says, with
//! [`Curve::component`], [`Curve::vector`] or [`Curve::rotation`] at any time. glTF does not state a frame rate, so
//! [`Grid::for_keys`] derives it from the key times: a common rate if all keys lie on its frames, then the rate of
//! evenly spaced keys. If neither fits, the motion is resampled at 60 or 120 frames per second and [`Grid::holds_all`]
//! is false, so that the caller can warn.

use crate::gltf::nodes::unit;
use glam::Quat;
use std::rc::Rc;

/// Difference in seconds below which two times count as equal. Exporters round times, and an `f32` has about this
/// precision at 1000 s.
const SAME_SECS: f64 = 1e-4;
/// Common frame rates. 30 comes first, because a few keys on whole tenths of a second would also fit other rates.
const RATES: [f64; 12] = [30.0, 24.0, 25.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 240.0];
/// Range of frame rates that are accepted for evenly spaced keys if no common rate fits, in Hz.
const BELIEVABLE_RATES: std::ops::RangeInclusive<f64> = 5.0..=1024.0;

/// Interpolation between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Linear,
    Step,
    CubicSpline,
}

impl Interpolation {
    /// Returns the number of values per key: a spline also has an in- and an out-tangent.
    pub(super) const fn values_per_key(self) -> usize {
        if matches!(self, Self::CubicSpline) { 3 } else { 1 }
    }
}

/// Keys of one property. `times` do not decrease; each value has `width` numbers.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) times: Rc<[f32]>,
    pub(super) values: Vec<f32>,
    pub(super) width: usize,
    pub(super) interpolation: Interpolation,
}

/// A position between two keys.
struct Between {
    key: usize,
    next: usize,
    fraction: f32,
    /// Seconds between the two keys. Tangents are multiplied by this value.
    span: f32,
}

impl Curve {
    fn between(&self, seconds: f64) -> Between {
        let after = self.times.partition_point(|t| f64::from(*t) <= seconds + SAME_SECS);
        let key = after.saturating_sub(1);
        let next = after.min(self.times.len().saturating_sub(1));
        let [start, end] = [key, next].map(|k| self.times.get(k).copied().map_or(0.0, f64::from));
        // At a key, before the first key and after the last key, the value of that key holds.
        if seconds - start < SAME_SECS || key == next || end <= start {
            return Between { key, next: key, fraction: 0.0, span: 0.0 };
        }
        let fraction = ((seconds - start) / (end - start)) as f32;
        Between { key, next, fraction, span: (end - start) as f32 }
    }

    /// Returns one number of a key's value, or of one of its tangents if the curve is a spline.
    fn number(&self, key: usize, part: usize, component: usize) -> f32 {
        let parts = self.interpolation.values_per_key();
        self.values.get((key * parts + part) * self.width + component).copied().unwrap_or(0.0)
    }

    fn value(&self, key: usize, component: usize) -> f32 {
        let part = if self.interpolation == Interpolation::CubicSpline { 1 } else { 0 };
        self.number(key, part, component)
    }

    /// Returns one component of the property at the time `seconds`.
    pub(super) fn component(&self, seconds: f64, component: usize) -> f32 {
        self.component_at(&self.between(seconds), component)
    }

    fn component_at(&self, at: &Between, component: usize) -> f32 {
        let (a, b) = (self.value(at.key, component), self.value(at.next, component));
        match self.interpolation {
            _ if at.key == at.next => a,
            Interpolation::Step => a,
            Interpolation::Linear => a + at.fraction * (b - a),
            Interpolation::CubicSpline => {
                let leaving = at.span * self.number(at.key, 2, component);
                let arriving = at.span * self.number(at.next, 0, component);
                hermite(a, leaving, b, arriving, at.fraction)
            }
        }
    }

    /// Returns three components of the property at the time `seconds`.
    pub(super) fn vector(&self, seconds: f64) -> [f32; 3] {
        let at = self.between(seconds);
        [0, 1, 2].map(|c| self.component_at(&at, c))
    }

    /// Returns the property as a rotation at the time `seconds`. Rotations between keys are interpolated spherically,
    /// or by a spline that is then normalised.
    pub(super) fn rotation(&self, seconds: f64) -> Quat {
        let at = self.between(seconds);
        if self.interpolation == Interpolation::Linear && at.key != at.next {
            let [a, b] = [at.key, at.next].map(|k| self.key_rotation(k));
            return a.slerp(b, at.fraction).normalize();
        }
        let spline = Quat::from_array([0, 1, 2, 3].map(|c| self.component_at(&at, c)));
        unit(spline).unwrap_or_else(|| self.key_rotation(at.key))
    }

    fn key_rotation(&self, key: usize) -> Quat {
        unit(Quat::from_array([0, 1, 2, 3].map(|c| self.value(key, c)))).unwrap_or(Quat::IDENTITY)
    }

    /// Returns true if the values of all keys differ from `rest` by at most `tolerance`.
    pub(super) fn stays_at(&self, rest: &[f32], tolerance: f32) -> bool {
        let near =
            |key: usize| rest.iter().enumerate().all(|(c, r)| (self.value(key, c) - r).abs() <= tolerance);
        (0..self.times.len()).all(near)
    }
}

fn hermite(a: f32, leaving: f32, b: f32, arriving: f32, t: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a
        + (t3 - 2.0 * t2 + t) * leaving
        + (-2.0 * t3 + 3.0 * t2) * b
        + (t3 - t2) * arriving
}

/// A constant frame rate for a set of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) rate: f64,
    pub(super) frames: usize,
    /// True if every key coincides with a frame.
    pub(super) holds_all: bool,
}

impl Grid {
    /// Finds the grid for tracks of increasing key times.
    pub(super) fn for_keys(tracks: &[Rc<[f32]>]) -> Self {
        let last = tracks.iter().filter_map(|t| t.last()).fold(0.0, |a, t| f64::from(*t).max(a));
        let holds = |rate: &f64| tracks.iter().all(|track| lies_on(track, *rate));
        let found = RATES.into_iter().find(holds).or_else(|| evenly_spaced(tracks).filter(holds));
        let rate = found.unwrap_or_else(|| if densest_secs(tracks) < 1.0 / 90.0 { 120.0 } else { 60.0 });
        // The last frame is that of the last key. Rounding errors do not add a frame.
        let steps = (last * rate - tolerance_secs(rate) * rate).ceil().max(0.0);
        Self { rate, frames: (steps as usize).saturating_add(1), holds_all: found.is_some() }
    }
}

fn tolerance_secs(rate: f64) -> f64 {
    SAME_SECS.min(0.1 / rate)
}

fn lies_on(times: &[f32], rate: f64) -> bool {
    let tolerance = tolerance_secs(rate);
    times.iter().all(|t| {
        let t = f64::from(*t);
        (t - (t * rate).round() / rate).abs() <= tolerance
    })
}

/// Returns the frame rate of the track with the most keys, assuming that its keys are evenly spaced; `None` if the
/// rate is not believable.
fn evenly_spaced(tracks: &[Rc<[f32]>]) -> Option<f64> {
    let track = tracks.iter().max_by_key(|t| t.len())?;
    let (first, last) = (f64::from(*track.first()?), f64::from(*track.last()?));
    let rate = (track.len() - 1) as f64 / (last - first);
    BELIEVABLE_RATES.contains(&rate).then_some(rate)
}

/// Returns the mean time between keys in seconds, for the track in which it is shortest.
fn densest_secs(tracks: &[Rc<[f32]>]) -> f64 {
    let mean = |t: &Rc<[f32]>| {
        let (first, last) = (t.first().copied()?, t.last().copied()?);
        (t.len() > 1).then(|| f64::from(last - first) / (t.len() - 1) as f64)
    };
    tracks.iter().filter_map(mean).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::math::angle_between;

    fn curve(interpolation: Interpolation, width: usize, times: &[f32], values: &[f32]) -> Curve {
        Curve { times: times.into(), values: values.to_vec(), width, interpolation }
    }

    #[test]
    fn interpolation_follows_the_specification() {
        use Interpolation::{CubicSpline, Linear, Step};
        let keys = [2.0, 4.0];
        // In-tangent, value, out-tangent per key. The cubic through these is 1 + 3u² − 2u³ plus tangents.
        let spline = [0.0, 1.0, 3.0, -1.0, 5.0, 0.0];
        let at = |u: f32| hermite(1.0, 6.0, 5.0, -2.0, u);
        for (interpolation, values, seconds, expected) in [
            (Linear, &[1.0, 5.0][..], 2.5, 2.0),
            (Linear, &[1.0, 5.0], 0.0, 1.0),
            (Linear, &[1.0, 5.0], 9.0, 5.0),
            (Step, &[1.0, 5.0], 3.9, 1.0),
            (Step, &[1.0, 5.0], 4.0, 5.0),
            (Step, &[1.0, 5.0], 3.99995, 5.0),
            (CubicSpline, &spline, 2.0, 1.0),
            (CubicSpline, &spline, 4.0, 5.0),
            (CubicSpline, &spline, 3.0, at(0.5)),
            // By hand: (1 + 5)/2 + (6 − (−2))/8.
            (CubicSpline, &spline, 3.0, 4.0),
            (CubicSpline, &spline, 2.5, at(0.25)),
        ] {
            let found = curve(interpolation, 1, &keys, values).component(seconds, 0);
            assert!(
                (found - expected).abs() < 1e-5,
                "{interpolation:?} at {seconds}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn rotations_take_the_shortest_path_at_constant_speed() {
        let [a, b] = [0.0_f32, 1.2].map(Quat::from_rotation_x);
        let values: Vec<f32> = [a.to_array(), (-b).to_array()].concat();
        let turn = curve(Interpolation::Linear, 4, &[0.0, 1.0], &values);
        for step in 0..=10 {
            let u = step as f32 / 10.0;
            let found = turn.rotation(f64::from(u));
            assert!(angle_between(found, Quat::from_rotation_x(1.2 * u)) < 1e-5, "at {u}");
        }
    }

    #[test]
    fn rotation_splines_are_normalised() {
        let zeros = [0.0; 4];
        let (a, b) = (Quat::IDENTITY.to_array(), Quat::from_rotation_y(2.0).to_array());
        let values = [zeros, a, zeros, zeros, b, zeros].concat();
        let spline = curve(Interpolation::CubicSpline, 4, &[0.0, 1.0], &values);
        assert!((spline.rotation(0.4).length() - 1.0).abs() < 1e-6);
        assert!(angle_between(spline.rotation(0.5), Quat::from_rotation_y(1.0)) < 1e-5);
        let nothing = curve(Interpolation::Step, 4, &[0.0], &zeros);
        assert_eq!(nothing.rotation(0.0), Quat::IDENTITY);
    }

    #[test]
    fn the_frame_rate_fits_all_keys() {
        let every = |rate: f64, n: usize| (0..n).map(|i| (i as f64 / rate) as f32).collect::<Vec<f32>>();
        let mut jittered = every(60.0, 60);
        jittered.iter_mut().enumerate().for_each(|(i, t)| *t += 0.003 * (i % 3) as f32);
        for (times, rate, frames, holds_all) in [
            (every(30.0, 3000), 30.0, 3000, true),
            (every(24.0, 100), 24.0, 100, true),
            (every(25.0, 100), 25.0, 100, true),
            (every(60.0, 7), 60.0, 7, true),
            (every(120.0, 2000), 120.0, 2000, true),
            (every(29.97, 9000), 29.97, 9000, true),
            (every(20.0, 21), 60.0, 61, true),
            (every(1000.0, 50), 1000.0, 50, true),
            (vec![0.0, 1.0], 30.0, 31, true),
            (vec![0.0], 30.0, 1, true),
            (vec![-1.0], 30.0, 1, true),
            (jittered, 60.0, 61, false),
            (vec![0.0, 0.011, 0.012, 0.0217], 120.0, 4, false),
        ] {
            let grid = Grid::for_keys(&[times.as_slice().into()]);
            assert!((grid.rate - rate).abs() < 1e-4 * rate, "{} for {rate}", grid.rate);
            assert_eq!((grid.frames, grid.holds_all), (frames, holds_all), "{rate}");
        }
    }
}
