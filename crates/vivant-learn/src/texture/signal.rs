//! Converts a recording to lids and gaze at one rate, in stretches without gaps.
//!
//! Texture synthesis copies patches of a recording, so an outlier or an invented sample would appear again and again in
//! the result. [`Signal::of`] removes implausible values and spikes, resamples, and splits the recording where values
//! are unknown. Besides short gaps, only the gaze of closed eyes is filled in, because it is not visible.
//! [`Stretch::run`] converts a stretch to the stored format. If apertures are missing, the device's blinks replace
//! them, and [`Signal::warn`] reports it.

use super::lids;
use super::{LidSource, Options, Used};
use crate::recording::{Recording, ResampleOptions};
use crate::statistics::median;
use vivant::eyes::texture::Run;
use vivant_io::{Error, Result, Warning, WarningCode};

/// Difference from the median of its neighbours above which a sample is an outlier, if the neighbours agree.
const SPIKE_DEG: f64 = 4.0;
/// Number of neighbours on each side.
const NEIGHBOURS: usize = 2;
/// Minimum sampling rate for removing spikes. At a lower rate, a spike may be a movement.
const MIN_SPIKE_HZ: f64 = 60.0;
/// Maximum gaze angle in degrees. Larger angles are tracking errors.
const MAX_DEG: f64 = 60.0;
/// Maximum aperture. Larger values are tracking errors.
const MAX_OPEN: f64 = 2.5;
/// Minimum aperture at which the gaze is visible.
const SHUT: f64 = 0.5;
/// Stored apertures are rounded to 1/1000. Trackers do not resolve smaller differences.
const OPENNESS_STEPS: f64 = 1e3;
/// Stored angles are rounded to 1/100 degree.
const ANGLE_STEPS: f64 = 1e2;

/// Lids and gaze without a gap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Index of the first frame of the stretch in the recording.
    pub(super) first: usize,
    pub(super) openness: Vec<f64>,
    pub(super) yaw_deg: Vec<f64>,
    pub(super) pitch_deg: Vec<f64>,
}

/// The usable part of a recording.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signal {
    pub(super) stretches: Vec<Stretch>,
    lids: LidSource,
    frames: usize,
    filled: f64,
    outliers: usize,
}

/// Returns the sampling rate from the median step.
pub(super) fn usual_rate_hz(recording: &Recording) -> f64 {
    let mut steps: Vec<f64> = recording.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    1.0 / median(&mut steps).unwrap_or(0.0).max(1e-6)
}

impl Signal {
    pub(super) fn of(recording: &Recording, rate_hz: f64, options: &Options) -> Result<Self> {
        let mut recording = recording.clone();
        let outliers = remove_outliers(&mut recording)?;
        let even = recording.resample(&ResampleOptions {
            rate_hz: Some(rate_hz),
            max_gap_secs: options.max_gap_secs,
            ..ResampleOptions::default()
        });
        let gaze = even.gaze.ok_or_else(|| no_gaze(&recording))?;
        let frames = gaze.yaw_deg.len();
        let (lids, openness) = match (even.openness, &recording.blinks) {
            (Some(openness), _) => (LidSource::Aperture, openness),
            (None, Some(blinks)) => (LidSource::Events, lids::from_events(blinks, frames, rate_hz)),
            (None, None) => (LidSource::None, vec![1.0; frames]),
        };
        let mut all = Stretch { first: 0, openness, yaw_deg: gaze.yaw_deg, pitch_deg: gaze.pitch_deg };
        let most_shut = (options.max_shut_secs * rate_hz) as usize;
        let held = all.hold_gaze_of_closed_eyes(most_shut);
        let filled = even.filled + held as f64 / frames.max(1) as f64;
        Ok(Self { stretches: all.without_gaps(), lids, frames, filled, outliers })
    }

    pub(super) fn used(&self, recording: &Recording, corpus: &str, runs: &[Run], rate_hz: f64) -> Used {
        let frames: usize = runs.iter().map(|run| run.openness.len()).sum();
        Used {
            name: recording.name.clone(),
            corpus: corpus.to_owned(),
            lids: self.lids,
            secs: self.frames as f64 / rate_hz,
            used_secs: frames as f64 / rate_hz,
            runs: runs.len(),
            blinks: runs.iter().map(|run| run.blinks.len()).sum(),
            filled: self.filled,
            outliers: self.outliers,
        }
    }

    pub(super) fn warn(&self, recording: &Recording, used: Option<&Used>, warnings: &mut Vec<Warning>) {
        let mut warn = |code, message: String| warnings.push(Warning::new(code, &recording.name, message));
        match self.lids {
            LidSource::Aperture => {}
            LidSource::Events => warn(
                WarningCode::Guessed,
                "lid openness was not recorded; the device's blinks get the shape of Vivant's blinks".into(),
            ),
            LidSource::None => warn(
                WarningCode::Guessed,
                "neither lid openness nor blinks were recorded; the eyes stay open".into(),
            ),
        }
        if let Some(used) = used.filter(|used| used.used_secs < 0.9 * used.secs) {
            let message = format!(
                "{:.1} of {:.1} s were ignored: gaps too long to fill, and parts too short between them",
                used.secs - used.used_secs,
                used.secs
            );
            warn(WarningCode::Dropped, message);
        }
    }
}

fn no_gaze(recording: &Recording) -> Error {
    Error::at(&recording.name, "no gaze was recorded; an eye texture needs lids and gaze")
}

/// Removes implausible values and spikes of one or two samples. Returns their number.
fn remove_outliers(recording: &mut Recording) -> Result<usize> {
    let has_spikes = usual_rate_hz(recording) >= MIN_SPIKE_HZ;
    let missing = no_gaze(recording);
    let gaze = recording.gaze.as_mut().ok_or(missing)?;
    let mut outliers = 0;
    for channel in [&mut gaze.yaw_deg, &mut gaze.pitch_deg] {
        outliers += remove_values(channel, |x| x.abs() > MAX_DEG);
        if has_spikes {
            outliers += remove_spikes(channel);
        }
    }
    // One angle alone is not a direction.
    for (yaw, pitch) in gaze.yaw_deg.iter_mut().zip(&mut gaze.pitch_deg) {
        if yaw.is_nan() || pitch.is_nan() {
            (*yaw, *pitch) = (f64::NAN, f64::NAN);
        }
    }
    Ok(outliers)
}

fn remove_values(channel: &mut [f64], is_wrong: impl Fn(f64) -> bool) -> usize {
    let mut wrong = 0;
    for x in channel.iter_mut().filter(|x| is_wrong(**x)) {
        (*x, wrong) = (f64::NAN, wrong + 1);
    }
    wrong
}

fn remove_spikes(channel: &mut [f64]) -> usize {
    let is_spike = |around: &[f64]| {
        let mut others: Vec<f64> = around.iter().copied().filter(|x| !x.is_nan()).collect();
        let is_far = |median: f64| (around[NEIGHBOURS] - median).abs() > SPIKE_DEG;
        others.len() == around.len() && median(&mut others).is_some_and(is_far)
    };
    let spikes: Vec<usize> = channel
        .windows(2 * NEIGHBOURS + 1)
        .enumerate()
        .filter_map(|(first, around)| is_spike(around).then_some(first + NEIGHBOURS))
        .collect();
    spikes.iter().for_each(|at| channel[*at] = f64::NAN);
    spikes.len()
}

impl Stretch {
    /// Fills the unknown gaze of closed eyes. The gaze is held and jumps in the middle of the closure, where it is not
    /// visible. Returns the number of filled frames.
    fn hold_gaze_of_closed_eyes(&mut self, most: usize) -> usize {
        let mut held = 0;
        let mut from = 0;
        while let Some(gap) = next_gap(&self.yaw_deg, from) {
            from = gap.end;
            let is_shut = self.openness[gap.clone()].iter().any(|openness| *openness < SHUT);
            let (before, after) = (gap.start.checked_sub(1), gap.end);
            let has_ends = before.is_some() && after < self.yaw_deg.len();
            if !is_shut || !has_ends || gap.len() > most {
                continue;
            }
            held += gap.len();
            let middle = gap.start + gap.len() / 2;
            for channel in [&mut self.yaw_deg, &mut self.pitch_deg] {
                let ends = [channel[gap.start - 1], channel[after]];
                channel[gap.start..middle].fill(ends[0]);
                channel[middle..gap.end].fill(ends[1]);
            }
        }
        held
    }

    fn is_known(&self, frame: usize) -> bool {
        let openness = self.openness[frame];
        openness.is_finite() && openness <= MAX_OPEN && self.yaw_deg[frame].is_finite()
    }

    fn without_gaps(&self) -> Vec<Self> {
        let count = self.openness.len().min(self.yaw_deg.len());
        let mut stretches = Vec::new();
        let mut first = 0;
        for frame in 0..=count {
            if frame < count && self.is_known(frame) {
                continue;
            }
            if frame > first {
                stretches.push(self.part(first..frame));
            }
            first = frame + 1;
        }
        stretches
    }

    fn part(&self, frames: std::ops::Range<usize>) -> Self {
        Self {
            first: frames.start,
            openness: self.openness[frames.clone()].to_vec(),
            yaw_deg: self.yaw_deg[frames.clone()].to_vec(),
            pitch_deg: self.pitch_deg[frames].to_vec(),
        }
    }

    /// Converts to the stored format.
    pub(super) fn run(&self, name: &str, rate_hz: f64) -> Run {
        let rounded =
            |list: &[f64], steps: f64| list.iter().map(|x| ((x * steps).round() / steps) as f32).collect();
        Run {
            origin: format!("{name} from {:.2} s", self.first as f64 / rate_hz),
            openness: rounded(&self.openness, OPENNESS_STEPS),
            yaw_deg: rounded(&self.yaw_deg, ANGLE_STEPS),
            pitch_deg: rounded(&self.pitch_deg, ANGLE_STEPS),
            blinks: lids::apexes(&self.openness, &self.pitch_deg, rate_hz),
        }
    }
}

fn next_gap(channel: &[f64], from: usize) -> Option<std::ops::Range<usize>> {
    let start = from + channel.get(from..)?.iter().position(|x| x.is_nan())?;
    let length = channel[start..].iter().position(|x| !x.is_nan()).unwrap_or(channel.len() - start);
    Some(start..start + length)
}
