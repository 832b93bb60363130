//! Validates properties of labels that their types do not express.
//!
//! A file may have several errors, so all of them are reported together, each with its field. Call [`limits`] first,
//! then [`find_errors`]; [`order_errors`] needs lists that are sorted by frame. Points may lie outside the image,
//! because eyes at the edge are cut off, but not farther than its width or height. [`fits`] compares labels with the
//! video to which they are applied.

use super::{GazeKey, LabelledFrame, Labels, MAX_FRAMES, MAX_GAZE_DEG, MAX_GAZE_KEYS, MAX_SIDE, VERSION};
use crate::film::layout::{EYE_POINTS, INNER, NAMES, OUTER, Side, eye_width};
use vivant_io::limits::{MAX_AT_SECONDS, MAX_WORD_BYTES, within};
use vivant_io::{Error, Result};

/// Minimum distance between the corners of an eye, in pixels.
const MIN_WIDTH: f64 = 2.0;

/// Checks the limits on the number of frames and keys.
pub(super) fn limits(labels: &Labels) -> Result<()> {
    within("frames", "frames", labels.frames.len(), MAX_FRAMES)?;
    within("gaze", "keys", labels.gaze.len(), MAX_GAZE_KEYS)
}

/// Returns all errors.
pub(super) fn find_errors(labels: &Labels) -> Vec<Error> {
    let mut errors = document(labels);
    for (index, frame) in labels.frames.iter().enumerate() {
        errors.extend(points(labels, index, frame));
    }
    for (index, key) in labels.gaze.iter().enumerate() {
        errors.extend(gaze(index, key));
    }
    errors
}

fn document(labels: &Labels) -> Vec<Error> {
    let mut errors = Vec::new();
    if labels.version != VERSION {
        errors.push(Error::at("version", format!("the version must be {VERSION}")));
    }
    if labels.film.trim().is_empty() || labels.film.len() > MAX_WORD_BYTES {
        errors.push(Error::at(
            "film",
            format!("the field must be the file name of the video, at most {MAX_WORD_BYTES} bytes long"),
        ));
    }
    for (field, side) in [("width", labels.width), ("height", labels.height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            errors.push(Error::at(field, format!("{side} is out of range; use 1 to {MAX_SIDE} pixels")));
        }
    }
    errors
}

fn secs(place: &str, secs: f64) -> Option<Error> {
    let is_time = (0.0..=MAX_AT_SECONDS).contains(&secs);
    (!is_time).then(|| {
        Error::at(
            format!("{place}.secs"),
            format!("{secs} is out of range; use 0 to {MAX_AT_SECONDS} seconds"),
        )
    })
}

fn points(labels: &Labels, index: usize, frame: &LabelledFrame) -> Vec<Error> {
    let place = format!("frames[{index}]");
    let mut errors: Vec<Error> = secs(&place, frame.secs).into_iter().collect();
    let far = frame.points.iter().position(|point| is_far(labels, *point));
    if let Some(at) = far {
        let [x, y] = frame.points[at];
        let (width, height) = (labels.width, labels.height);
        errors.push(Error::at(
            format!("{place}.points[{at}]"),
            format!(
                "the {} at {x}, {y} is far outside the {width} × {height} image; label frame {} again",
                point_name(at),
                frame.frame
            ),
        ));
    }
    let eyes = Side::BOTH.into_iter().enumerate();
    let narrow = eyes.filter(|(_, side)| eye_width(side.of(&frame.points())) < MIN_WIDTH);
    errors.extend(narrow.filter(|_| far.is_none()).map(|(eye, _)| {
        let [outer, inner] = [OUTER, INNER].map(|point| eye * EYE_POINTS + point);
        Error::at(
            format!("{place}.points"),
            format!("points {outer} and {inner}, the corners of an eye, coincide; move them apart"),
        )
    }));
    errors
}

/// Returns true if a point is too far outside the image. Eyes at the edge may have points outside the image, but by
/// at most its width or height.
fn is_far(labels: &Labels, [x, y]: [f64; 2]) -> bool {
    let (width, height) = (labels.width as f64, labels.height as f64);
    !((-width..=2.0 * width).contains(&x) && (-height..=2.0 * height).contains(&y))
}

/// Returns the name of a point, for example “right upperOuter”.
fn point_name(index: usize) -> String {
    let side = if index < EYE_POINTS { "right" } else { "left" };
    format!("{side} {}", NAMES[index % EYE_POINTS])
}

fn gaze(index: usize, key: &GazeKey) -> Vec<Error> {
    let place = format!("gaze[{index}]");
    let angle = |(field, degrees): (&str, f64)| {
        let is_angle = (-MAX_GAZE_DEG..=MAX_GAZE_DEG).contains(&degrees);
        (!is_angle).then(|| {
            Error::at(
                format!("{place}.{field}"),
                format!("{degrees} is out of range; use -{MAX_GAZE_DEG} to {MAX_GAZE_DEG} degrees"),
            )
        })
    };
    let angles = [("yawDeg", key.yaw_deg), ("pitchDeg", key.pitch_deg)].into_iter().filter_map(angle);
    secs(&place, key.secs).into_iter().chain(angles).collect()
}

/// Returns errors for duplicate frames and decreasing times; both lists are sorted by frame.
pub(super) fn order_errors(labels: &Labels) -> Vec<Error> {
    let frames: Vec<(usize, f64)> = labels.frames.iter().map(|frame| (frame.frame, frame.secs)).collect();
    let keys: Vec<(usize, f64)> = labels.gaze.iter().map(|key| (key.frame, key.secs)).collect();
    let errors = [("frames", frames), ("gaze", keys)].map(|(list, times)| {
        times.windows(2).filter_map(|pair| out_of_order(list, pair[0], pair[1])).collect::<Vec<_>>()
    });
    errors.into_iter().flatten().collect()
}

fn out_of_order(list: &str, (frame, at): (usize, f64), (next, next_at): (usize, f64)) -> Option<Error> {
    if frame == next {
        return Some(Error::at(list, format!("frame {frame} is listed twice; remove one of them")));
    }
    (next_at <= at).then(|| {
        Error::at(
            list,
            format!("frame {next} is at {next_at} s but frame {frame} at {at} s; times must increase"),
        )
    })
}

pub(super) fn fits(labels: &Labels, width: usize, height: usize, frames: Option<usize>) -> Result<()> {
    if (labels.width, labels.height) != (width, height) {
        return Err(Error::new(format!(
            "{} was labelled at {} × {} pixels, but this video has {width} × {height}; use the video that was \
             labelled, or label this one",
            labels.film, labels.width, labels.height
        )));
    }
    let last =
        labels.frames.iter().map(|frame| frame.frame).chain(labels.gaze.iter().map(|key| key.frame)).max();
    match (last, frames) {
        (Some(last), Some(frames)) if last >= frames => Err(Error::new(format!(
            "frame {last} of {} is labelled, but this video has only {frames} frames; use the labelled video",
            labels.film
        ))),
        _ => Ok(()),
    }
}
