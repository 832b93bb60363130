//! Computes lid apertures from face markers (paper 5, “Data acquisition and preprocessing”).
//!
//! The head moves, so lid movement is measured in a local frame of three points that hardly move in the face: the
//! nose, which is the origin, and the corners of the eyes. In this frame, the height of a lid is one number, scaled
//! from 0 (closed) to 1 (open).
//!
//! DIFFERENCE: the paper rotates each frame to a selected neutral frame. We align each frame to the face's own axes.
//! The result is the same except for one rotation shared by all frames. No frame needs to be selected, and “vertical”
//! is the vertical axis of the face, regardless of the axes of the capture.

use super::map::{MarkerMap, Name};
use super::table::plain;
use super::times;
use super::{Aperture, Recording, Unit};
use crate::statistics::{finite, median};
use glam::DVec3;
use vivant_io::{Error, Result, Warning, WarningCode};

/// Marker positions over time, from any file format.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Capture {
    pub(super) times: Vec<f64>,
    pub(super) names: Vec<String>,
    /// One row per marker; NaN where it was not seen.
    pub(super) places: Vec<Vec<DVec3>>,
}

/// Maximum relative difference of a distance between the three points from its usual value. Frames with a larger
/// difference are ignored.
const MAX_STRETCH: f64 = 0.1;
/// Maximum distance of a lid position from the usual range, as a multiple of that range. Positions farther away are
/// ignored.
const FARTHEST_TRAVELS: f64 = 1.0;

/// Returns the common names of the markers, used without a map.
fn common_names() -> MarkerMap {
    let any = |names: &[&str]| Name::Any(names.iter().map(|name| (*name).to_owned()).collect());
    MarkerMap {
        nose: any(&["nose", "nose_tip", "nosetip", "nose bridge", "pronasale"]),
        left_corner: any(&[
            "left_corner",
            "left_eye_corner",
            "left_outer_corner",
            "lcorner",
            "leftcanthus",
            "eye_corner_l",
        ]),
        right_corner: any(&[
            "right_corner",
            "right_eye_corner",
            "right_outer_corner",
            "rcorner",
            "rightcanthus",
            "eye_corner_r",
        ]),
        left_lid: Some(any(&["left_lid", "left_eyelid", "left_upper_lid", "llid", "lid_l", "eyelid_l"])),
        right_lid: Some(any(&["right_lid", "right_eyelid", "right_upper_lid", "rlid", "lid_r", "eyelid_r"])),
    }
}

/// Converts the lids of a capture to a recording.
pub(super) fn read(
    capture: &Capture,
    map: Option<&MarkerMap>,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    let common = common_names();
    let map = map.unwrap_or(&common);
    let find = |place: &str, name: &Name| capture.find(place, name);
    let face = Face {
        nose: find("nose", &map.nose)?,
        left: find("left_corner", &map.left_corner)?,
        right: find("right_corner", &map.right_corner)?,
    };
    let frames = face.frames(warnings);
    let mut lid = |place: &str, name: &Option<Name>| -> Result<Vec<f64>> {
        let is_common = *map == common;
        match name.as_ref().map(|name| find(place, name)) {
            Some(Ok(places)) => Ok(heights(&frames, places, place, warnings)),
            Some(Err(error)) if !is_common => Err(error),
            _ => Ok(Vec::new()),
        }
    };
    let (left, right) = (lid("left_lid", &map.left_lid)?, lid("right_lid", &map.right_lid)?);
    if left.is_empty() && right.is_empty() {
        return Err(capture.unknown("left_lid or right_lid", "left_lid"));
    }
    let (rows, timing) = times::ordered(
        &capture.times,
        (0..capture.times.len()).collect(),
        &|row| format!("frame {row}"),
        warnings,
    )?;
    let times: Vec<f64> = rows.iter().map(|row| capture.times[*row] - capture.times[rows[0]]).collect();
    let of_rows = |values: &[f64]| -> Vec<f64> {
        if values.is_empty() { Vec::new() } else { rows.iter().map(|row| values[*row]).collect() }
    };
    let aperture = Aperture { unit: Some(Unit::Share), left: of_rows(&left), right: of_rows(&right) };
    Ok(Recording {
        device: "markers".into(),
        timing: times::measured(timing, &times),
        times,
        aperture: Some(aperture),
        ..Recording::default()
    })
}

impl Capture {
    fn find(&self, place: &str, name: &Name) -> Result<&[DVec3]> {
        // Many systems put the subject before the marker: `Anna:nose`.
        let own = |label: &str| plain(label.rsplit(':').next().unwrap_or(label));
        let names = name.names();
        let is = |label: &&String| names.iter().any(|name| **label == *name || own(label) == own(name));
        let index = self.names.iter().position(|label| is(&label));
        index.map(|index| self.places[index].as_slice()).ok_or_else(|| self.unknown(place, &names[0]))
    }

    fn unknown(&self, place: &str, example: &str) -> Error {
        let names: Vec<&str> = self.names.iter().take(80).map(String::as_str).collect();
        let message = format!(
            "marker not found; available markers: {}; name it in a map, for example [markers] {} = \"{example}\"",
            names.join(", "),
            place.split(' ').next().unwrap_or(place)
        );
        Error::at(place, message).with_setting("ReadOptions::map")
    }
}

/// The three points that hardly move in a face.
struct Face<'a> {
    nose: &'a [DVec3],
    left: &'a [DVec3],
    right: &'a [DVec3],
}

/// Position and up direction of a face.
#[derive(Clone, Copy)]
struct Frame {
    nose: DVec3,
    up: DVec3,
}

impl Face<'_> {
    /// Returns the local frame of each captured frame; `None` where a point is missing or wrong.
    fn frames(&self, warnings: &mut Vec<Warning>) -> Vec<Option<Frame>> {
        let distances = |index: usize| {
            let [nose, left, right] = [self.nose[index], self.left[index], self.right[index]];
            [nose.distance(left), nose.distance(right), left.distance(right)]
        };
        let count = self.nose.len();
        let usual = [0, 1, 2].map(|which: usize| {
            let all: Vec<f64> = (0..count).map(|index| distances(index)[which]).collect();
            median(&mut finite(&all)).unwrap_or(0.0)
        });
        let is_rigid = |index: usize| {
            let apart = distances(index).into_iter().zip(usual);
            apart.into_iter().all(|(found, usual)| (found - usual).abs() <= MAX_STRETCH * usual)
        };
        let is_seen = |index: usize| distances(index).iter().all(|d| d.is_finite());
        let odd = (0..count).filter(|index| is_seen(*index) && !is_rigid(*index)).count();
        if odd > 0 {
            let message =
                format!("{odd} frames have implausible positions of nose and corners and count as unknown");
            warnings.push(Warning::new(WarningCode::Dropped, "markers", message));
        }
        (0..count).map(|index| if is_rigid(index) { self.frame(index) } else { None }).collect()
    }

    /// Returns the frame of a face. Up is the direction from the nose to the point between the eyes, perpendicular to
    /// the line through the corners of the eyes.
    fn frame(&self, index: usize) -> Option<Frame> {
        let (nose, left, right) = (self.nose[index], self.left[index], self.right[index]);
        let across = (left - right).try_normalize()?;
        let to_eyes = 0.5 * (left + right) - nose;
        Some(Frame { nose, up: (to_eyes - to_eyes.dot(across) * across).try_normalize()? })
    }
}

/// Returns the height of a lid in the face, from 0 to 1.
fn heights(frames: &[Option<Frame>], lid: &[DVec3], place: &str, warnings: &mut Vec<Warning>) -> Vec<f64> {
    let height = |(frame, lid): (&Option<Frame>, &DVec3)| {
        frame.map_or(f64::NAN, |frame| (*lid - frame.nose).dot(frame.up))
    };
    let mut heights: Vec<f64> = frames.iter().zip(lid).map(height).collect();
    let odd = remove_outliers(&mut heights);
    if odd > 0 {
        let message = format!("{odd} frames are far from the usual position and count as unknown");
        warnings.push(Warning::new(WarningCode::Dropped, place, message));
    }
    let known = || heights.iter().copied().filter(|height| height.is_finite());
    let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let travel = high - low;
    for height in &mut heights {
        *height = if travel > 0.0 { (*height - low) / travel } else { f64::NAN };
    }
    heights
}

/// Sets outliers beyond the usual travel to unknown, and returns their number.
fn remove_outliers(heights: &mut [f64]) -> usize {
    let mut sorted: Vec<f64> = heights.iter().copied().filter(|height| height.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let at =
        |share: f64| sorted.get((share * (sorted.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
    let (low, high) = (at(0.01), at(0.99));
    let far = FARTHEST_TRAVELS * (high - low);
    let mut odd = 0;
    for height in heights.iter_mut().filter(|height| **height < low - far || **height > high + far) {
        *height = f64::NAN;
        odd += 1;
    }
    odd
}
