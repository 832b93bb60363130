//! Units of apertures and timestamps.

use serde::{Deserialize, Serialize};

/// Unit of apertures. Larger values are always more open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Distance between the lids.
    #[serde(rename = "mm", alias = "millimetres", alias = "millimeters")]
    Millimetres,
    /// Angle between the lids, seen from the eye.
    Degrees,
    /// Eye aspect ratio: height / width.
    #[serde(alias = "ear")]
    Ratio,
    /// From 0 (closed) to 1 (open).
    Share,
    /// Number of visible pixels of the eye.
    Counts,
    /// Potential of an electro-oculogram, oriented so that it falls in a blink.
    Microvolts,
}

impl Unit {
    /// Returns the name used in maps and reports.
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

    /// Returns true if apertures in this unit can be negative.
    pub(super) const fn may_be_negative(self) -> bool {
        matches!(self, Self::Microvolts)
    }
}

/// Unit of timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum TimeUnit {
    /// Detected from the column name, or from the resulting sampling rate.
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
    /// Sample index.
    #[serde(rename = "frames")]
    Frames,
}

impl TimeUnit {
    /// Returns the duration of a unit in nanoseconds. The duration of a frame is not known here.
    pub(super) const fn nanos(self) -> f64 {
        match self {
            Self::Seconds => 1e9,
            Self::Millis => 1e6,
            Self::Micros => 1e3,
            Self::Ticks => 100.0,
            Self::Nanos | Self::Auto | Self::Frames => 1.0,
        }
    }

    /// Finds the unit in a column name: `time [ms]`, `timestamp_us`, `time(100ns)`.
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

    /// Returns the unit for which the usual step gives the rate of an eye tracker, 20 to 5000 Hz.
    pub(super) fn by_step(step: f64) -> Option<Self> {
        let fits = |unit: &Self| {
            let secs = step * unit.nanos() / 1e9;
            (1.0 / 5000.0..=1.0 / 20.0).contains(&secs)
        };
        [Self::Seconds, Self::Millis, Self::Micros, Self::Nanos].into_iter().find(fits)
    }
}
