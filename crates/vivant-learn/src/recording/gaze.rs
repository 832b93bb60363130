//! Converts gaze vectors, pixels and angles to degrees to the left and up.
//!
//! Devices disagree on axes, signs and units; all other modules expect degrees, positive to the person's left and up,
//! NaN if unknown. [`Angles::of_vectors`] converts vectors, [`from_angles`] converts the angles or pixels of both eyes,
//! and [`convert_head`] converts head directions. [`combine_eyes`] returns one gaze for both eyes. Pixels without
//! screen data have no angle: they are ignored with a warning instead of guessed.

use super::Gaze;
use super::map::{AngleUnit, Axes, GazeMap, HeadMap, Height, Screen, Side};
use crate::statistics::{finite, median};
use vivant::math::atan2;
use vivant_io::{Warning, WarningCode};

/// Two angles per sample, in any unit; NaN where unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Angles {
    pub(super) yaw: Vec<f64>,
    pub(super) pitch: Vec<f64>,
}

impl Angles {
    /// Converts vectors in a device's axes to degrees to the left and up. A zero vector means that the gaze is
    /// unknown.
    pub(super) fn of_vectors(vectors: impl Iterator<Item = [f64; 3]>, axes: Axes) -> Self {
        let (yaw, pitch) = vectors.map(|vector| direction(vector, axes)).unzip();
        Self { yaw, pitch }
    }

    /// Sets samples to unknown where the condition is false.
    pub(super) fn keep(&mut self, holds: impl Fn(usize) -> bool) {
        for row in (0..self.yaw.len()).filter(|row| !holds(*row)) {
            (self.yaw[row], self.pitch[row]) = (f64::NAN, f64::NAN);
        }
    }

    fn is_known(&self, row: usize) -> bool {
        self.yaw[row].is_finite() && self.pitch[row].is_finite()
    }
}

impl From<Angles> for Gaze {
    fn from(angles: Angles) -> Self {
        Self { yaw_deg: angles.yaw, pitch_deg: angles.pitch }
    }
}

/// Converts the angles of an eye to degrees to the left and up, according to the map.
pub(super) fn convert_eye(angles: &Angles, map: &GazeMap) -> Angles {
    let by = if map.unit == AngleUnit::Radians { 1f64.to_degrees() } else { 1.0 };
    let (yaw, pitch) =
        mapped(angles, signed(map.yaw_to == Side::Left, by), signed(map.pitch_to == Height::Up, by));
    Angles { yaw, pitch }
}

fn signed(is_ours: bool, by: f64) -> impl Fn(f64) -> f64 {
    move |angle| known_angle(if is_ours { by * angle } else { -by * angle })
}

/// Converts the angles of a head to degrees to the left and up. The given angles may range from 0 to 360°.
pub(super) fn convert_head(angles: &Angles, map: &HeadMap) -> Gaze {
    let by = if map.unit == AngleUnit::Radians { 1f64.to_degrees() } else { 1.0 };
    let around = |angle: f64| (angle + 180.0).rem_euclid(360.0) - 180.0;
    let to = |is_ours: bool| move |angle: f64| around(if is_ours { by * angle } else { -by * angle });
    let (yaw_deg, pitch_deg) = mapped(angles, to(map.yaw_to == Side::Left), to(map.pitch_to == Height::Up));
    Gaze { yaw_deg, pitch_deg }
}

/// Removes jumps of 360° from the head yaw.
pub(crate) fn unwrap_yaw(mut head: Gaze) -> Gaze {
    let mut last = f64::NAN;
    for yaw in head.yaw_deg.iter_mut().filter(|yaw| yaw.is_finite()) {
        if last.is_finite() {
            *yaw += 360.0 * ((last - *yaw) / 360.0).round();
        }
        last = *yaw;
    }
    head
}

fn direction(vector: [f64; 3], axes: Axes) -> (f64, f64) {
    let [left, up, forward] = axes.from.map(|(index, sign)| sign * vector[index]);
    let flat = (left * left + forward * forward).sqrt();
    let length = (flat * flat + up * up).sqrt();
    if !(length.is_finite() && length > 1e-9) {
        return (f64::NAN, f64::NAN);
    }
    (atan2(left, forward).to_degrees(), atan2(up, flat).to_degrees())
}

/// Combines both eyes. If only one eye is known, its gaze is corrected by the usual difference between the eyes, so
/// that the gaze does not jump when an eye is lost.
pub(super) fn combine_eyes(eyes: &[Angles]) -> Option<Gaze> {
    let (first, second) = match eyes {
        [] => return None,
        [only] => return Some(Gaze { yaw_deg: only.yaw.clone(), pitch_deg: only.pitch.clone() }),
        [first, second, ..] => (first, second),
    };
    let known: Vec<usize> =
        (0..first.yaw.len()).filter(|row| first.is_known(*row) && second.is_known(*row)).collect();
    let half_of = |a: &[f64], b: &[f64]| {
        let mut apart: Vec<f64> = known.iter().map(|row| b[*row] - a[*row]).collect();
        0.5 * median(&mut apart).unwrap_or(0.0)
    };
    let half_yaw = half_of(&first.yaw, &second.yaw);
    let half_pitch = half_of(&first.pitch, &second.pitch);
    let joined = |row: usize| match (first.is_known(row), second.is_known(row)) {
        (true, true) => {
            (0.5 * (first.yaw[row] + second.yaw[row]), 0.5 * (first.pitch[row] + second.pitch[row]))
        }
        (true, false) => (first.yaw[row] + half_yaw, first.pitch[row] + half_pitch),
        (false, true) => (second.yaw[row] - half_yaw, second.pitch[row] - half_pitch),
        (false, false) => (f64::NAN, f64::NAN),
    };
    let (yaw_deg, pitch_deg) = (0..first.yaw.len()).map(joined).unzip();
    Some(Gaze { yaw_deg, pitch_deg })
}

/// Converts angles according to the map. Pixels without screen data cannot be converted and give a warning.
pub(super) fn from_angles(angles: Angles, map: &GazeMap, warnings: &mut Vec<Warning>) -> Option<Gaze> {
    let yaw_sign = if map.yaw_to == Side::Left { 1.0 } else { -1.0 };
    let pitch_sign = if map.pitch_to == Height::Up { 1.0 } else { -1.0 };
    let scaled = |sign: f64, by: f64| move |angle: f64| known_angle(sign * by * angle);
    let (yaw_deg, pitch_deg) = match map.unit {
        AngleUnit::Degrees => mapped(&angles, scaled(yaw_sign, 1.0), scaled(pitch_sign, 1.0)),
        AngleUnit::Radians => {
            let by = 1f64.to_degrees();
            mapped(&angles, scaled(yaw_sign, by), scaled(pitch_sign, by))
        }
        AngleUnit::Pixels => return from_pixels(&angles, map, warnings),
    };
    Some(Gaze { yaw_deg, pitch_deg })
}

fn mapped(angles: &Angles, yaw: impl Fn(f64) -> f64, pitch: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    (angles.yaw.iter().map(|a| yaw(*a)).collect(), angles.pitch.iter().map(|a| pitch(*a)).collect())
}

/// Returns the angle; NaN if it is invalid because it is beyond ±180°.
fn known_angle(angle: f64) -> f64 {
    if angle.abs() <= 180.0 { angle } else { f64::NAN }
}

/// Converts pixels to angles. Pixels count to the right and down from the centre of the screen, or from the median
/// gaze if there is no screen data.
fn from_pixels(angles: &Angles, map: &GazeMap, warnings: &mut Vec<Warning>) -> Option<Gaze> {
    if let Some(screen) = map.screen {
        let to = |axis: usize| move |pixels: f64| -screen_angle(screen, axis, pixels);
        let (yaw_deg, pitch_deg) = mapped(angles, to(0), to(1));
        return Some(Gaze { yaw_deg, pitch_deg });
    }
    let Some(per_degree) = map.pixels_per_degree else {
        let message = "gaze is in pixels and was ignored; to convert it to degrees, use a map with [gaze] pixels_per_degree or screen";
        warnings.push(Warning::new(WarningCode::Dropped, "gaze", message));
        return None;
    };
    let middle = |values: &[f64]| median(&mut finite(values)).unwrap_or(0.0);
    let (x, y) = (middle(&angles.yaw), middle(&angles.pitch));
    warnings.push(Warning::new(
        WarningCode::Guessed,
        "gaze",
        "straight ahead is assumed to be the median gaze",
    ));
    let to = |middle: f64| move |pixels: f64| known_angle(-(pixels - middle) / per_degree);
    let (yaw_deg, pitch_deg) = mapped(angles, to(x), to(y));
    Some(Gaze { yaw_deg, pitch_deg })
}

/// Returns the angle to the right or down in degrees, for a person in front of the screen's centre.
fn screen_angle(screen: Screen, axis: usize, pixels: f64) -> f64 {
    let mm = (pixels / screen.pixels[axis] - 0.5) * screen.size_mm[axis];
    known_angle(atan2(mm, screen.distance_mm).to_degrees())
}
