//! Recordings of eyes, as devices write them, as one thing: how open each eye is, where both look, and when.
//!
//! What is not known is NaN, and stays so: [`Recording::even`] fills gaps up to a time that is stated, and no
//! longer ones.

/// What apertures are measured in. More is always more open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The gap between the lids.
    Millimetres,
    /// The angle between the lids, seen from the eye.
    Degrees,
    /// Eye aspect ratio: height by width.
    Ratio,
    /// From 0, shut, to 1, open.
    Share,
    /// Pixels of the eye that are seen.
    Counts,
    /// The potential of an electro-oculogram, turned so that a blink goes down.
    Microvolts,
}

/// How open the eyes are, sample by sample; empty where an eye was not recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aperture {
    pub unit: Option<Unit>,
    pub left: Vec<f64>,
    pub right: Vec<f64>,
}

/// Where both eyes together look in the head, sample by sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaze {
    /// To the person's left.
    pub yaw_deg: Vec<f64>,
    /// Up.
    pub pitch_deg: Vec<f64>,
}

/// From when to when, in seconds of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from_secs: f64,
    pub to_secs: f64,
}

/// What one recording holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The file's name, for people.
    pub name: String,
    /// Which kind of device wrote it, as `--device` names it.
    pub device: String,
    /// When each sample was taken, in seconds from the first; it only grows.
    pub times: Vec<f64>,
    pub aperture: Option<Aperture>,
    pub gaze: Option<Gaze>,
    /// The blinks that the device itself found.
    pub blinks: Option<Vec<Span>>,
}

/// Which eye is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eye {
    /// The mean of both, each as a share of its own open aperture; where one is unknown, the other.
    #[default]
    Both,
    Left,
    Right,
}

/// How a recording is brought onto even steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenOptions {
    /// Samples a second; by default the recording's own.
    pub rate_hz: Option<f64>,
    /// What is missing for longer stays missing.
    pub max_gap_secs: f64,
    pub eye: Eye,
}

impl Default for EvenOptions {
    fn default() -> Self {
        Self { rate_hz: None, max_gap_secs: 0.075, eye: Eye::Both }
    }
}

/// A recording at even steps; NaN where nothing is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Even {
    pub rate_hz: f64,
    /// How open the eye is, as a share of its usual open aperture: 0 is shut.
    pub openness: Option<Vec<f64>>,
    pub gaze: Option<Gaze>,
    /// The share of samples that were filled in, and of those that stayed unknown.
    pub filled: f64,
    pub unknown: f64,
}
