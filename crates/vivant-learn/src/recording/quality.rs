//! Quality of a recording: the quality of its timestamps, and the share of unknown samples in each channel.
//!
//! Statistics of a recording with lost samples can be wrong without any error, so reports show its quality.
//! [`Recording::quality`] returns a [`Quality`], which can be serialized. It covers apertures and the gaze of both eyes
//! together; head and single eyes are not included. It only measures, and sets no limit above which a recording is bad.

use super::{Recording, Timing};
use serde::Serialize;

/// Quality report of a recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Kind of device, one of [`devices`](super::devices).
    pub device: String,
    /// Duration from the first sample to the last, in seconds.
    pub duration_secs: f64,
    /// Quality of the timestamps.
    pub timing: Timing,
    /// Unit of the apertures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aperture_unit: Option<&'static str>,
    /// Quality of each channel.
    pub channels: Vec<Channel>,
    /// Number of blinks reported by the device, if it detects them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_blinks: Option<usize>,
}

/// Quality of a channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Channel {
    /// Name of the channel, such as `gaze yaw`.
    pub name: &'static str,
    /// Share of unknown samples.
    pub unknown: f64,
    /// Longest time without a known value in seconds.
    pub longest_unknown_secs: f64,
}

impl Recording {
    /// Returns the quality of the timestamps and of each channel.
    #[must_use]
    pub fn quality(&self) -> Quality {
        let aperture =
            self.aperture.iter().flat_map(|a| [("left aperture", &a.left), ("right aperture", &a.right)]);
        let gaze = self.gaze.iter().flat_map(|g| [("gaze yaw", &g.yaw_deg), ("gaze pitch", &g.pitch_deg)]);
        let channels = aperture.chain(gaze).filter(|(_, values)| !values.is_empty());
        Quality {
            device: self.device.clone(),
            duration_secs: self.duration_secs(),
            timing: self.timing,
            aperture_unit: self.aperture.as_ref().and_then(|a| a.unit).map(super::Unit::name),
            channels: channels.map(|(name, values)| self.channel(name, values)).collect(),
            device_blinks: self.blinks.as_ref().map(Vec::len),
        }
    }

    fn channel(&self, name: &'static str, values: &[f64]) -> Channel {
        let unknown = values.iter().filter(|value| value.is_nan()).count();
        let known = self.times.iter().zip(values).filter(|(_, value)| !value.is_nan()).map(|(time, _)| *time);
        let (mut last, mut longest) = (0.0, 0.0);
        for time in known.chain([self.duration_secs()]) {
            longest = f64::max(longest, time - last);
            last = time;
        }
        Channel { name, unknown: unknown as f64 / values.len().max(1) as f64, longest_unknown_secs: longest }
    }
}
