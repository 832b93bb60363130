//! What is judged: eyes, lids and head over time, at even steps.

use crate::recording::{Even, EvenOptions, Eye, Gaze, Recording, Span};
use vivant::eyes::blinking::Activity;
use vivant_io::{Error, Result};

/// Eyes, lids and head over time, at even steps; NaN where something is not known, and none where it was not
/// recorded at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// For people.
    pub name: String,
    /// Samples a second.
    pub rate_hz: f64,
    /// Where both eyes together look, in the head.
    pub gaze: Option<Gaze>,
    /// Where the left and the right eye look, in the head.
    pub eyes: Option<[Gaze; 2]>,
    /// How the head is turned in the world, to its left and up.
    pub head: Option<Gaze>,
    /// How open the left and the right eye are: 0 is shut, 1 as usual. Of one eye, or of both together, it is the first.
    pub openness: Vec<Vec<f64>>,
    /// When a device saw blinks. Where it is known how open the eyes are, that tells more, and this does not count.
    pub blinks: Option<Vec<Span>>,
    /// What is done, over all of the trace, if that is known.
    pub activity: Option<Activity>,
    /// Whether the one that is talked with is looked at, sample by sample.
    pub looks: Option<Vec<bool>>,
    /// Whether it is of a device, which has noise, and not of a program.
    pub is_recorded: bool,
}

/// What recordings that no device made say of their device: traces, curves, and an avatar's motion.
const NO_DEVICES: [&str; 3] = ["vivant-trace", "vivant-curves", MADE];
pub(super) const MADE: &str = "motion";

/// What is shorter is not judged.
const LEAST_SECS: f64 = 1.0;
/// A second has at least and at most so many samples.
const RATES_HZ: std::ops::RangeInclusive<f64> = 5.0..=5000.0;

impl Trace {
    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let gaze = self.gaze.as_ref().map_or(0, |gaze| gaze.yaw_deg.len());
        self.openness.iter().map(Vec::len).chain([gaze]).max().unwrap_or(0)
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long it is.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.len() as f64 / self.rate_hz
    }

    /// What a device has recorded.
    ///
    /// # Errors
    /// If it has neither lids nor gaze, or is too short.
    pub fn of_recording(recording: &Recording) -> Result<Self> {
        // What is missing for longer may be a blink, or a saccade behind one.
        const FILLED_SECS: f64 = 0.034;
        let max_gap_secs = FILLED_SECS.max(1.6 / recording.rate_hz().max(1.0));
        let even = |eye| recording.even(&EvenOptions { rate_hz: None, max_gap_secs, eye });
        let sides: Vec<Even> = [Eye::Left, Eye::Right].map(even).into_iter().collect();
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
            is_recorded: !NO_DEVICES.contains(&recording.device.as_str()),
            ..Self::default()
        };
        trace.check().map(|()| trace)
    }

    /// Whether it can be judged at all.
    ///
    /// # Errors
    /// If there is nothing in it, if channels differ in length, if it is too short, or if its rate is none of eyes.
    pub fn check(&self) -> Result<()> {
        if !RATES_HZ.contains(&self.rate_hz) {
            let (least, most) = (RATES_HZ.start(), RATES_HZ.end());
            let message = format!(
                "{} samples a second are too few or too many for eyes; state a sampling rate from {least} to {most}",
                self.rate_hz
            );
            return Err(Error::new(message).with_setting("ReadOptions::rate_hz"));
        }
        let len = self.len();
        let gazes = self.gaze.iter().chain(self.eyes.iter().flatten()).chain(&self.head);
        let angles = gazes.flat_map(|gaze| [&gaze.yaw_deg, &gaze.pitch_deg]);
        let lengths = angles.chain(&self.openness).map(Vec::len).chain(self.looks.as_ref().map(Vec::len));
        if let Some(other) = lengths.into_iter().find(|other| *other != len) {
            return Err(Error::new(format!("a channel has {other} samples, and another {len}")));
        }
        if len == 0 {
            return Err(Error::new(
                "has neither lids nor gaze; give a trace with one of them, and a map that names their columns and, if \
                 gaze is in pixels, the pixels per degree",
            )
            .with_setting("ReadOptions::map"));
        }
        if self.secs() < LEAST_SECS {
            return Err(Error::new(format!("is {:.2} s long; give at least {LEAST_SECS} s", self.secs())));
        }
        Ok(())
    }

    /// The same at a lower rate, instant by instant; as it is, if it has no higher one.
    pub(super) fn at(&self, rate_hz: f64) -> Self {
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

    /// How open both eyes are together.
    pub(super) fn both_open(&self) -> Option<Vec<f64>> {
        match self.openness.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            [left, right, ..] => Some(left.iter().zip(right).map(|(a, b)| mean_of_known(*a, *b)).collect()),
        }
    }

    /// Where the eyes look in the world, or in the head if that is all that is known.
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
