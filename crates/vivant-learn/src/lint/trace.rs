//! The input of the linter: eyes, lids and head, sampled at a constant rate.
//!
//! One type for all sources keeps the checks independent of engines and devices. Fill a [`Trace`] directly, or convert
//! a recording with [`Trace::from_recording`], and pass it to [`lint`](super::lint). Missing channels are allowed;
//! checks that need them report that there is not enough data. [`Trace::is_recorded`] marks traces of a device, which
//! contain noise. [`Trace::check`] rejects traces that are too short, have channels of different lengths, or have an
//! unsupported sampling rate.

use crate::recording::{Eye, Gaze, Recording, ResampleOptions, Resampled, Span};
use vivant::eyes::blinking::Activity;
use vivant_io::{Error, Result};

/// Eyes, lids and head, sampled at a constant rate. Unknown samples are NaN; channels that were not recorded are
/// `None` or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Name shown to users.
    pub name: String,
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Gaze of both eyes together, in head space.
    pub gaze: Option<Gaze>,
    /// Gaze of the left and the right eye, in head space.
    pub eyes: Option<[Gaze; 2]>,
    /// Head direction in the world: yaw to the person's left, pitch up.
    pub head: Option<Gaze>,
    /// Aperture of the left and the right eye: 0 is closed, 1 is the usual opening. A single channel is the aperture
    /// of one eye, or of both eyes together.
    pub openness: Vec<Vec<f64>>,
    /// Blinks reported by the device. Ignored if `openness` is known, which is more precise.
    pub blinks: Option<Vec<Span>>,
    /// Activity of the character during the whole trace, if known.
    pub activity: Option<Activity>,
    /// For each sample, true if the character looks at the conversation partner.
    pub looks: Option<Vec<bool>>,
    /// True if a device recorded the trace, so that it has noise; false for a synthetic trace.
    pub is_recorded: bool,
}

/// Device names of synthetic recordings: traces, curves and avatar motion.
const SYNTHETIC_DEVICES: [&str; 3] = ["vivant-trace", "vivant-curves", MOTION_DEVICE];
pub(super) const MOTION_DEVICE: &str = "motion";

/// Minimum duration.
const MIN_SECS: f64 = 1.0;
/// Supported sampling rates.
const RATES_HZ: std::ops::RangeInclusive<f64> = 5.0..=5000.0;

impl Trace {
    /// Returns the number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        let gaze = self.gaze.as_ref().map_or(0, |gaze| gaze.yaw_deg.len());
        self.openness.iter().map(Vec::len).chain([gaze]).max().unwrap_or(0)
    }

    /// Returns true if there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the duration in seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.len() as f64 / self.rate_hz
    }

    /// Converts a recording to a trace at the sampling rate of the recording.
    ///
    /// # Errors
    /// Returns an error if the recording has neither lids nor gaze, or is too short.
    pub fn from_recording(recording: &Recording) -> Result<Self> {
        // Longer gaps may be a blink, or a saccade hidden by a blink.
        const FILLED_SECS: f64 = 0.034;
        let max_gap_secs = FILLED_SECS.max(1.6 / recording.rate_hz().max(1.0));
        let even = |eye| recording.resample(&ResampleOptions { rate_hz: None, max_gap_secs, eye });
        let sides: Vec<Resampled> = [Eye::Left, Eye::Right].map(even).into_iter().collect();
        let openness = sides.iter().filter_map(|side| side.openness.clone()).collect();
        let both = even(Eye::Both);
        let trace = Self {
            name: recording.name.clone(),
            rate_hz: both.rate_hz,
            gaze: both.gaze,
            eyes: both.eyes,
            head: both.head,
            openness,
            blinks: recording.blinks.clone(),
            looks: both.looks,
            is_recorded: !SYNTHETIC_DEVICES.contains(&recording.device.as_str()),
            ..Self::default()
        };
        trace.check().map(|()| trace)
    }

    /// Checks that the trace can be linted.
    ///
    /// # Errors
    /// Returns an error if the trace is empty or too short, if channels differ in length, or if the sampling rate is
    /// not supported.
    pub fn check(&self) -> Result<()> {
        if !RATES_HZ.contains(&self.rate_hz) {
            let (least, most) = (RATES_HZ.start(), RATES_HZ.end());
            let message = format!(
                "a sampling rate of {} Hz is not supported; set a sampling rate from {least} to {most} Hz",
                self.rate_hz
            );
            return Err(Error::new(message).with_setting("ReadOptions::rate_hz"));
        }
        let len = self.len();
        let gazes = self.gaze.iter().chain(self.eyes.iter().flatten()).chain(&self.head);
        let angles = gazes.flat_map(|gaze| [&gaze.yaw_deg, &gaze.pitch_deg]);
        let lengths = angles.chain(&self.openness).map(Vec::len).chain(self.looks.as_ref().map(Vec::len));
        if let Some(other) = lengths.into_iter().find(|other| *other != len) {
            return Err(Error::new(format!(
                "channels differ in length: {other} samples and {len} samples; give one sample per time"
            )));
        }
        if len == 0 {
            return Err(Error::new(
                "the trace has neither lids nor gaze; use a trace with one of them, or a map that names their columns and, if \
                 gaze is in pixels, the pixels per degree",
            )
            .with_setting("ReadOptions::map"));
        }
        if self.secs() < MIN_SECS {
            return Err(Error::new(format!(
                "the trace is only {:.2} s long; at least {MIN_SECS} s are needed",
                self.secs()
            )));
        }
        Ok(())
    }

    /// Returns the trace at a lower sampling rate (nearest samples); unchanged if its rate is not higher.
    pub(super) fn at_rate(&self, rate_hz: f64) -> Self {
        if self.rate_hz <= rate_hz {
            return self.clone();
        }
        let step = self.rate_hz / rate_hz;
        let count = (self.len() as f64 / step) as usize;
        let index = |i: usize| ((i as f64 * step).round() as usize).min(self.len() - 1);
        let thin = |values: &[f64]| (0..count).map(|i| values[index(i)]).collect::<Vec<f64>>();
        let gaze = |gaze: &Gaze| Gaze { yaw_deg: thin(&gaze.yaw_deg), pitch_deg: thin(&gaze.pitch_deg) };
        Self {
            rate_hz,
            gaze: self.gaze.as_ref().map(gaze),
            eyes: self.eyes.as_ref().map(|eyes| eyes.each_ref().map(gaze)),
            head: self.head.as_ref().map(gaze),
            openness: self.openness.iter().map(|side| thin(side)).collect(),
            looks: self.looks.as_ref().map(|looks| (0..count).map(|i| looks[index(i)]).collect()),
            blinks: self.blinks.clone(),
            name: self.name.clone(),
            ..*self
        }
    }

    /// Returns the mean aperture of both eyes.
    pub(super) fn mean_openness(&self) -> Option<Vec<f64>> {
        match self.openness.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            [left, right, ..] => Some(left.iter().zip(right).map(|(a, b)| mean_of_known(*a, *b)).collect()),
        }
    }

    /// Returns the gaze in the world, or in the head if the head direction is unknown.
    pub(super) fn gaze_in_world(&self) -> Option<Gaze> {
        let gaze = self.gaze.as_ref()?;
        let Some(head) = &self.head else { return Some(gaze.clone()) };
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Some(Gaze {
            yaw_deg: sum(&gaze.yaw_deg, &head.yaw_deg),
            pitch_deg: sum(&gaze.pitch_deg, &head.pitch_deg),
        })
    }
}

fn mean_of_known(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => 0.5 * (a + b),
    }
}
