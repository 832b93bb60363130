//! Whether labels can be meant: what their types cannot say.

use super::{GazeKey, LabelledFrame, Labels, MAX_FRAMES, MAX_GAZE_DEG, MAX_GAZE_KEYS, MAX_SIDE, VERSION};
use crate::film::layout::{EYE_POINTS, INNER, NAMES, OUTER, Side, eye_width};
use vivant_io::limits::{MAX_AT_SECONDS, MAX_WORD_BYTES, within};
use vivant_io::{Error, Result};

/// Corners nearer than this, in pixels, are no eye.
const LEAST_WIDTH: f64 = 2.0;

/// Fails where there is too much.
pub(super) fn limits(labels: &Labels) -> Result<()> {
    within("frames", "frames", labels.frames.len(), MAX_FRAMES)?;
    within("gaze", "keys", labels.gaze.len(), MAX_GAZE_KEYS)
}

/// All that is unsound.
pub(super) fn unsound(labels: &Labels) -> Vec<Error> {
    let mut faults = document(labels);
    for (index, frame) in labels.frames.iter().enumerate() {
        faults.extend(points(labels, index, frame));
    }
    for (index, key) in labels.gaze.iter().enumerate() {
        faults.extend(gaze(index, key));
    }
    faults
}

fn document(labels: &Labels) -> Vec<Error> {
    let mut faults = Vec::new();
    if labels.version != VERSION {
        faults.push(Error::at("version", format!("must be {VERSION}")));
    }
    if labels.film.trim().is_empty() || labels.film.len() > MAX_WORD_BYTES {
        faults.push(Error::at(
            "film",
            format!("must be the name of the film's file, of at most {MAX_WORD_BYTES} bytes"),
        ));
    }
    for (field, side) in [("width", labels.width), ("height", labels.height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            faults.push(Error::at(field, format!("{side} is out of range; give 1 to {MAX_SIDE} pixels")));
        }
    }
    faults
}

fn secs(place: &str, secs: f64) -> Option<Error> {
    let is_time = (0.0..=MAX_AT_SECONDS).contains(&secs);
    (!is_time).then(|| {
        Error::at(
            format!("{place}.secs"),
            format!("{secs} is out of range; give 0 to {MAX_AT_SECONDS} seconds"),
        )
    })
}

fn points(labels: &Labels, index: usize, frame: &LabelledFrame) -> Vec<Error> {
    let place = format!("frames[{index}]");
    let mut faults: Vec<Error> = secs(&place, frame.secs).into_iter().collect();
    let far = frame.points.iter().position(|point| is_far(labels, *point));
    if let Some(at) = far {
        let [x, y] = frame.points[at];
        let (width, height) = (labels.width, labels.height);
        faults.push(Error::at(
            format!("{place}.points[{at}]"),
            format!(
                "the {} at {x}, {y} is far outside of the {width} × {height} picture; label frame {} again",
                point_name(at),
                frame.frame
            ),
        ));
    }
    let eyes = Side::BOTH.into_iter().enumerate();
    let narrow = eyes.filter(|(_, side)| eye_width(side.of(&frame.points())) < LEAST_WIDTH);
    faults.extend(narrow.filter(|_| far.is_none()).map(|(eye, _)| {
        let [outer, inner] = [OUTER, INNER].map(|point| eye * EYE_POINTS + point);
        Error::at(
            format!("{place}.points"),
            format!(
                "points {outer} and {inner} are the corners of an eye, and are in one place; move them apart"
            ),
        )
    }));
    faults
}

/// Eyes at the edge may have points beyond it, but none a whole picture away.
fn is_far(labels: &Labels, [x, y]: [f64; 2]) -> bool {
    let (width, height) = (labels.width as f64, labels.height as f64);
    !((-width..=2.0 * width).contains(&x) && (-height..=2.0 * height).contains(&y))
}

/// In words: “right upperOuter”.
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
                format!("{degrees} is out of range; give -{MAX_GAZE_DEG} to {MAX_GAZE_DEG} degrees"),
            )
        })
    };
    let angles = [("yawDeg", key.yaw_deg), ("pitchDeg", key.pitch_deg)].into_iter().filter_map(angle);
    secs(&place, key.secs).into_iter().chain(angles).collect()
}

/// Frames that are there twice or come earlier than those before them; both lists are sorted by frame.
pub(super) fn disorder(labels: &Labels) -> Vec<Error> {
    let frames: Vec<(usize, f64)> = labels.frames.iter().map(|frame| (frame.frame, frame.secs)).collect();
    let keys: Vec<(usize, f64)> = labels.gaze.iter().map(|key| (key.frame, key.secs)).collect();
    let faults = [("frames", frames), ("gaze", keys)].map(|(list, times)| {
        times.windows(2).filter_map(|pair| out_of_order(list, pair[0], pair[1])).collect::<Vec<_>>()
    });
    faults.into_iter().flatten().collect()
}

fn out_of_order(list: &str, (frame, at): (usize, f64), (next, next_at): (usize, f64)) -> Option<Error> {
    if frame == next {
        return Some(Error::at(list, format!("frame {frame} is there twice; take one of them away")));
    }
    (next_at <= at).then(|| {
        Error::at(
            list,
            format!("frame {next} is at {next_at} s and frame {frame} at {at} s; later frames come later"),
        )
    })
}

pub(super) fn fits(labels: &Labels, width: usize, height: usize, frames: Option<usize>) -> Result<()> {
    if (labels.width, labels.height) != (width, height) {
        return Err(Error::new(format!(
            "{} is labelled at {} × {} pixels and this film has {width} × {height}; give the film that was \
             labelled, or label this one",
            labels.film, labels.width, labels.height
        )));
    }
    let last =
        labels.frames.iter().map(|frame| frame.frame).chain(labels.gaze.iter().map(|key| key.frame)).max();
    match (last, frames) {
        (Some(last), Some(frames)) if last >= frames => Err(Error::new(format!(
            "frame {last} of {} is labelled, and this film has {frames} frames; give the film that was labelled",
            labels.film
        ))),
        _ => Ok(()),
    }
}
