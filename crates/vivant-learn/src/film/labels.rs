//! What people say about a film: where the points are in some of its frames, and where the eyes look.
//!
//! A model of someone's eyes is built from about twenty labelled frames (paper 3, 3.1), so these are worth keeping:
//! they are one JSON file beside the film, which the label view writes and anyone may edit. Points that were labelled
//! elsewhere come in by [`import_pts`] and [`import_dlib_xml`].
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

/// The version of the format that is written.
pub const VERSION: u32 = 1;
/// The most frames that are labelled in one film: the tracker takes twenty, and a careful judge a thousand.
pub const MAX_FRAMES: usize = 10_000;
/// The most changes of gaze in one film: some hours of three glances a second.
pub const MAX_GAZE_KEYS: usize = 100_000;
/// The widest and highest film, in pixels.
pub const MAX_SIDE: usize = 16_384;
/// The farthest turn of gaze, in degrees.
pub const MAX_GAZE_DEG: f64 = 90.0;

/// What is labelled in a film.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Labels {
    /// The version of the format: 1.
    pub version: u32,
    /// The name of the film's file.
    pub film: String,
    /// Pixels in a row of the film, as it is shown.
    pub width: usize,
    /// Its rows.
    pub height: usize,
    /// Frames with their points, in the order of the film.
    #[serde(default)]
    pub frames: Vec<LabelledFrame>,
    /// When the gaze changes and where to, in the order of the film.
    #[serde(default)]
    pub gaze: Vec<GazeKey>,
}

/// Where the points are in one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LabelledFrame {
    /// Its number, from 0.
    pub frame: usize,
    /// Its time in the film.
    pub secs: f64,
    /// The points in the order of [`super::layout`], each as x and y in pixels.
    pub points: [[f64; 2]; POINTS],
    /// Whether a program placed them and nobody has looked yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// From this frame on, the eyes look there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GazeKey {
    /// The frame's number, from 0.
    pub frame: usize,
    /// Its time in the film.
    pub secs: f64,
    /// To the person's left, in degrees from straight ahead.
    pub yaw_deg: f64,
    /// Up.
    pub pitch_deg: f64,
    /// Whether a program proposed it and nobody has looked yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// Points that were labelled elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The image that they belong to, or the file that they were in.
    pub image: String,
    /// The number at the end of its name, which is the frame's if a film was cut into images.
    pub number: Option<usize>,
    /// The points.
    pub points: Points,
    /// What was not there and is guessed.
    pub warnings: Vec<Warning>,
}

/// Reads labels; frames and keys come in the order of the film, however they are written.
///
/// # Errors
/// If it is no such document, or with everything in it that is unsound, each with its place.
pub fn read(name: &str, bytes: &[u8]) -> Result<Labels> {
    let read = || {
        let mut labels: Labels =
            json::strict(bytes, VERSION, |keys| matches!(keys, [] | ["frames" | "gaze", "[]"]))?;
        check::limits(&labels)?;
        let mut faults = check::unsound(&labels);
        labels.frames.sort_by_key(|frame| frame.frame);
        labels.gaze.sort_by_key(|key| key.frame);
        faults.extend(check::disorder(&labels));
        Error::all(faults).map_or(Ok(labels), Err)
    };
    read().map_err(|error: Error| error.in_file(name))
}

impl Labels {
    /// Of a film in which nothing is labelled yet.
    #[must_use]
    pub fn new(film: impl Into<String>, width: usize, height: usize) -> Self {
        Self { version: VERSION, film: film.into(), width, height, frames: Vec::new(), gaze: Vec::new() }
    }

    /// As a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::laid_out(self)
    }

    /// Where the eyes look: as the last key at or before says, since eyes rest between glances.
    #[must_use]
    pub fn gaze_at(&self, secs: f64) -> Option<(f64, f64)> {
        let after = self.gaze.partition_point(|key| key.secs <= secs);
        let key = self.gaze[..after].last()?;
        Some((key.yaw_deg, key.pitch_deg))
    }

    /// Whether this can be the film that was labelled.
    ///
    /// # Errors
    /// If it has another size, or ends before a labelled frame.
    pub fn fits(&self, width: usize, height: usize, frames: Option<usize>) -> Result<()> {
        check::fits(self, width, height, frames)
    }

    /// Labels a frame, in place of what it had.
    pub fn put(&mut self, frame: LabelledFrame) {
        match self.frames.binary_search_by_key(&frame.frame, |known| known.frame) {
            Ok(at) => self.frames[at] = frame,
            Err(at) => self.frames.insert(at, frame),
        }
    }
}

impl LabelledFrame {
    /// A frame with its points, to a thousandth of a pixel.
    #[must_use]
    pub fn new(frame: usize, secs: f64, points: &Points) -> Self {
        let rounded = points.map(|point| point.to_array().map(|pixels| (pixels * 1e3).round() / 1e3));
        Self { frame, secs, points: rounded, guessed: false }
    }

    /// The points as vectors.
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

/// The last number in a file's name, without its folders and its ending.
fn number_in(path: &str) -> Option<usize> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    stem[stem.len() - digits..].parse().ok()
}
