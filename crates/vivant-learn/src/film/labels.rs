//! Labels of a video: eye points of selected frames, and gaze directions.
//!
//! An eye model is built from about twenty labelled frames (paper 3, 3.1). Labels are stored in one JSON file next to
//! the video. The label view writes this file, and it can be edited by hand. [`import_pts`] and [`import_dlib_xml`]
//! import points that were labelled with other tools.
//!
//! ```
//! use vivant_learn::film::labels::{self, Labels};
//! let text = r#"{"version": 1, "film": "me.mp4", "width": 640, "height": 480, "frames": [],
//!     "gaze": [{"frame": 30, "secs": 1, "yawDeg": -12, "pitchDeg": 3}]}"#;
//! let labels = labels::read("me.labels.json", text.as_bytes())?;
//! assert_eq!(labels.gaze_at(0.5), None);
//! assert_eq!(labels.gaze_at(7.0), Some((-12.0, 3.0)));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod check;
mod dlib;
mod pts;
mod sixty_eight;
#[cfg(test)]
mod tests;

pub use dlib::import_dlib_xml;
pub use pts::import_pts;

use super::layout::{POINTS, Points};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use vivant_io::{Error, Result, Warning, json};

/// The format version that is written.
pub const VERSION: u32 = 1;
/// Maximum number of labelled frames: the tracker needs twenty, an evaluation up to a thousand.
pub const MAX_FRAMES: usize = 10_000;
/// Maximum number of gaze keys: about nine hours with three gaze shifts per second.
pub const MAX_GAZE_KEYS: usize = 100_000;
/// Maximum width and height in pixels.
pub const MAX_SIDE: usize = 16_384;
/// Maximum gaze angle in degrees.
pub const MAX_GAZE_DEG: f64 = 90.0;

/// Labels of a video.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Labels {
    /// Format version: 1.
    pub version: u32,
    /// File name of the video.
    pub film: String,
    /// Displayed width of the video in pixels.
    pub width: usize,
    /// Displayed height of the video in pixels.
    pub height: usize,
    /// Labelled frames in order of time.
    #[serde(default)]
    pub frames: Vec<LabelledFrame>,
    /// Gaze keys in order of time.
    #[serde(default)]
    pub gaze: Vec<GazeKey>,
}

/// The labelled points of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LabelledFrame {
    /// Index of the frame, from 0.
    pub frame: usize,
    /// Time of the frame in seconds.
    pub secs: f64,
    /// The points in the order of [`super::layout`], each as x and y in pixels.
    pub points: [[f64; 2]; POINTS],
    /// True if the points were placed automatically and not yet reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// The gaze from this frame on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GazeKey {
    /// Index of the frame, from 0.
    pub frame: usize,
    /// Time of the frame in seconds.
    pub secs: f64,
    /// Yaw to the person's left, in degrees from straight ahead.
    pub yaw_deg: f64,
    /// Pitch up, in degrees.
    pub pitch_deg: f64,
    /// True if the key was proposed automatically and not yet reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// Points labelled with another tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Name of the image that the points belong to, or of the file that they come from.
    pub image: String,
    /// The number at the end of the image's name: the frame index if a video was split into images.
    pub number: Option<usize>,
    /// The points.
    pub points: Points,
    /// Warnings, for example about missing points that were estimated.
    pub warnings: Vec<Warning>,
}

/// Reads labels; frames and keys are sorted by frame.
///
/// # Errors
/// Returns an error if the document is invalid, with all problems and their places.
pub fn read(name: &str, bytes: &[u8]) -> Result<Labels> {
    let read = || {
        let mut labels: Labels =
            json::strict(bytes, VERSION, |keys| matches!(keys, [] | ["frames" | "gaze", "[]"]))?;
        check::limits(&labels)?;
        let mut errors = check::find_errors(&labels);
        labels.frames.sort_by_key(|frame| frame.frame);
        labels.gaze.sort_by_key(|key| key.frame);
        errors.extend(check::order_errors(&labels));
        Error::all(errors).map_or(Ok(labels), Err)
    };
    read().map_err(|error: Error| error.in_file(name))
}

impl Labels {
    /// Creates labels for a video without any labelled frame.
    #[must_use]
    pub fn new(film: impl Into<String>, width: usize, height: usize) -> Self {
        Self { version: VERSION, film: film.into(), width, height, frames: Vec::new(), gaze: Vec::new() }
    }

    /// Formats the labels as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::pretty(self)
    }

    /// Returns yaw and pitch in degrees at the given time: the angles of the last key at or before that time, because
    /// the gaze is constant between gaze shifts. Returns `None` before the first key.
    #[must_use]
    pub fn gaze_at(&self, secs: f64) -> Option<(f64, f64)> {
        let after = self.gaze.partition_point(|key| key.secs <= secs);
        let key = self.gaze[..after].last()?;
        Some((key.yaw_deg, key.pitch_deg))
    }

    /// Checks that the labels belong to a video of this size and length.
    ///
    /// # Errors
    /// Returns an error if the size differs or the video ends before a labelled frame.
    pub fn fits(&self, width: usize, height: usize, frames: Option<usize>) -> Result<()> {
        check::fits(self, width, height, frames)
    }

    /// Adds a labelled frame; replaces an earlier label of the same frame.
    pub fn put(&mut self, frame: LabelledFrame) {
        match self.frames.binary_search_by_key(&frame.frame, |known| known.frame) {
            Ok(at) => self.frames[at] = frame,
            Err(at) => self.frames.insert(at, frame),
        }
    }
}

impl LabelledFrame {
    /// Creates a labelled frame; coordinates are rounded to a thousandth of a pixel.
    #[must_use]
    pub fn new(frame: usize, secs: f64, points: &Points) -> Self {
        let rounded = points.map(|point| point.to_array().map(|pixels| (pixels * 1e3).round() / 1e3));
        Self { frame, secs, points: rounded, guessed: false }
    }

    /// Returns the points as vectors.
    #[must_use]
    pub fn points(&self) -> Points {
        self.points.map(DVec2::from_array)
    }
}

impl Imported {
    fn new(image: &str, points: Points, warnings: Vec<Warning>) -> Self {
        Self { image: image.into(), number: number_in(image), points, warnings }
    }
}

/// Returns the last number in a file name, without folders and extension.
fn number_in(path: &str) -> Option<usize> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    stem[stem.len() - digits..].parse().ok()
}
