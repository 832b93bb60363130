//! What things are measured in.

use serde::{Deserialize, Serialize};

/// What apertures are measured in. More is always more open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// The gap between the lids.
    #[serde(rename = "mm", alias = "millimetres", alias = "millimeters")]
    Millimetres,
    /// The angle between the lids, seen from the eye.
    Degrees,
    /// Eye aspect ratio: height by width.
    #[serde(alias = "ear")]
    Ratio,
    /// From 0, shut, to 1, open.
    Share,
    /// Pixels of the eye that are seen.
    Counts,
    /// The potential of an electro-oculogram, turned so that a blink goes down.
    Microvolts,
}

impl Unit {
    /// As maps and reports write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Millimetres => "mm",
            Self::Degrees => "degrees",
            Self::Ratio => "ratio",
            Self::Share => "share",
            Self::Counts => "counts",
            Self::Microvolts => "microvolts",
        }
    }

    /// Whether an aperture in this unit can be less than nothing.
    pub(super) const fn may_be_negative(self) -> bool {
        matches!(self, Self::Microvolts)
    }
}

/// What time stamps count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum TimeUnit {
    /// By the column's name, or by which one makes the rate that of an eye tracker.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "ms")]
    Millis,
    #[serde(rename = "us")]
    Micros,
    #[serde(rename = "ns")]
    Nanos,
    /// Ticks of .NET and Windows.
    #[serde(rename = "100ns")]
    Ticks,
    /// The number of the sample.
    #[serde(rename = "frames")]
    Frames,
}

impl TimeUnit {
    /// How long one is; a frame's length is not known here.
    pub(super) const fn nanos(self) -> f64 {
        match self {
            Self::Seconds => 1e9,
            Self::Millis => 1e6,
            Self::Micros => 1e3,
            Self::Ticks => 100.0,
            Self::Nanos | Self::Auto | Self::Frames => 1.0,
        }
    }

    /// What a header says: `time [ms]`, `timestamp_us`, `time(100ns)`.
    pub(super) fn in_name(name: &str) -> Option<Self> {
        let words = name.to_lowercase();
        let last = words.trim_end_matches([']', ')', ' ']);
        let last = last.rsplit(['[', '(', '_', ' ', '.']).next()?;
        Some(match last {
            "s" | "sec" | "secs" | "seconds" => Self::Seconds,
            "ms" | "msec" | "millis" | "milliseconds" => Self::Millis,
            "us" | "µs" | "μs" | "usec" | "micros" | "microseconds" => Self::Micros,
            "ns" | "nanos" | "nanoseconds" => Self::Nanos,
            "100ns" | "ticks" => Self::Ticks,
            "frame" | "frames" => Self::Frames,
            _ => return None,
        })
    }

    /// Which unit makes the usual step that of an eye tracker, 20 to 5000 samples a second.
    pub(super) fn by_step(step: f64) -> Option<Self> {
        let fits = |unit: &Self| {
            let secs = step * unit.nanos() / 1e9;
            (1.0 / 5000.0..=1.0 / 20.0).contains(&secs)
        };
        [Self::Seconds, Self::Millis, Self::Micros, Self::Nanos].into_iter().find(fits)
    }
}
