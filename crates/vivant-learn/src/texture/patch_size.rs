//! Patch size: paper 5's “transition interval distribution” (Figure 7).
//!
//! A patch that is too short does not contain typical eye movements. A patch that is too long leaves little choice. So
//! the intervals between blinks and between large gaze shifts are collected, and the patch length is the knee of their
//! distribution. Beyond the knee, a longer patch covers few additional intervals.

use super::signal::Stretch;
use crate::statistics::nearest_quantile;
use serde::Serialize;

/// Frame rate at which movements are counted. DIFFERENCE: paper 5 does not define its 20 frames. Its gaze was marked
/// by hand in video, so movements are counted between video frames and do not depend on the sampling rate.
pub const VIDEO_HZ: f64 = 30.0;
/// Aperture below which eyes count as blinking (paper 5, “Patch size selection”).
const SHUT: f64 = 0.2;
/// Minimum aperture at which the gaze is visible.
const HALF_OPEN: f64 = 0.5;
/// Movement between two frames above which the gaze shifts, as a share of the range of the gaze (paper 5, “Patch size
/// selection”).
const SHIFT_SHARE: f64 = 0.1;
/// Minimum range of the gaze. With a smaller range, noise would count as shifts. At this range, the threshold of a
/// shift is one degree.
const MIN_RANGE_DEG: f64 = 10.0;
/// Ranges and axes end at these quantiles, so that a single sample does not matter.
const RANGE_QUANTILES: [f64; 2] = [0.01, 0.99];
const AXIS_QUANTILE: f64 = 0.95;
/// Minimum number of intervals for a distribution.
const MIN_INTERVALS: usize = 20;
/// Paper 5's patch: 20 video frames.
const PAPER_SECS: f64 = 20.0 / VIDEO_HZ;
/// Limits of the patch length in seconds. A patch must be long enough for a blink (0.334 s on average, VanderWerf
/// 2003; 0.572 s if voluntary, Kwon 2013), and short enough to leave a choice.
const PATCH_SECS: [f64; 2] = [0.4, 1.5];

/// Distribution of the intervals between movements, and the patch size computed from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PatchSize {
    /// All intervals between large movements of the same kind, sorted.
    pub intervals_secs: Vec<f64>,
    /// Number of intervals between blinks.
    pub blink_intervals: usize,
    /// Knee of the distribution in seconds.
    pub knee_secs: f64,
    /// Share of intervals that are not longer than the patch.
    pub covered: f64,
    /// Patch length in seconds.
    pub patch_secs: f64,
}

impl PatchSize {
    /// Computes the statistic of stretches without gaps.
    pub(super) fn of<'a>(stretches: impl Iterator<Item = &'a Stretch> + Clone, rate_hz: f64) -> Self {
        let video: Vec<Stretch> = stretches.map(|stretch| at_video_rate(stretch, rate_hz)).collect();
        let shifts = [range_deg(&video, |s| &s.yaw_deg), range_deg(&video, |s| &s.pitch_deg)]
            .map(|range| SHIFT_SHARE * range.max(MIN_RANGE_DEG));
        let blinks: Vec<f64> = video.iter().flat_map(blink_intervals).collect();
        let gaze = video.iter().flat_map(|stretch| shift_intervals(stretch, shifts));
        let mut intervals_secs: Vec<f64> = blinks.iter().copied().chain(gaze).collect();
        intervals_secs.sort_by(f64::total_cmp);
        let knee_secs = knee_secs(&intervals_secs);
        let has_enough = intervals_secs.len() >= MIN_INTERVALS;
        let patch_secs = if has_enough { knee_secs.clamp(PATCH_SECS[0], PATCH_SECS[1]) } else { PAPER_SECS };
        let covered = covered(&intervals_secs, patch_secs);
        Self { blink_intervals: blinks.len(), intervals_secs, knee_secs, covered, patch_secs }
    }

    /// Returns true if there are enough intervals.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.intervals_secs.len() >= MIN_INTERVALS
    }

    /// Returns the share of intervals that are not longer than `secs`.
    #[must_use]
    pub fn covered_at(&self, secs: f64) -> f64 {
        covered(&self.intervals_secs, secs)
    }

    /// Returns the end of a plot's time axis in seconds.
    #[must_use]
    pub fn axis_secs(&self) -> f64 {
        nearest_quantile(&mut self.intervals_secs.clone(), AXIS_QUANTILE).unwrap_or(0.0)
    }
}

fn at_video_rate(stretch: &Stretch, rate_hz: f64) -> Stretch {
    let count = (stretch.openness.len() as f64 * VIDEO_HZ / rate_hz) as usize;
    let at = |list: &[f64]| {
        let frame = |i: usize| list[((i as f64 * rate_hz / VIDEO_HZ) as usize).min(list.len() - 1)];
        (0..count).map(frame).collect()
    };
    Stretch {
        first: stretch.first,
        openness: at(&stretch.openness),
        yaw_deg: at(&stretch.yaw_deg),
        pitch_deg: at(&stretch.pitch_deg),
    }
}

fn range_deg(stretches: &[Stretch], channel: fn(&Stretch) -> &Vec<f64>) -> f64 {
    let mut all: Vec<f64> = stretches.iter().flat_map(channel).copied().collect();
    let [low, high] = RANGE_QUANTILES.map(|share| nearest_quantile(&mut all, share).unwrap_or(0.0));
    high - low
}

fn blink_intervals(stretch: &Stretch) -> Vec<f64> {
    between_onsets(stretch.openness.iter().map(|openness| *openness < SHUT))
}

/// Returns the intervals between gaze shifts in seconds. Gaze jumps that trackers report while lids are half closed
/// do not count.
fn shift_intervals(stretch: &Stretch, [yaw_deg, pitch_deg]: [f64; 2]) -> Vec<f64> {
    let is_shift = |i: usize| {
        let moves = |channel: &[f64], by: f64| (channel[i] - channel[i - 1]).abs() > by;
        let is_open = stretch.openness[i].min(stretch.openness[i - 1]) >= HALF_OPEN;
        is_open && (moves(&stretch.yaw_deg, yaw_deg) || moves(&stretch.pitch_deg, pitch_deg))
    };
    between_onsets((1..stretch.openness.len()).map(is_shift))
}

/// Returns the intervals in seconds between video frames at which `is_so` becomes true.
fn between_onsets(is_so: impl Iterator<Item = bool>) -> Vec<f64> {
    let mut was_so = false;
    let mut is_onset = |is_so: bool| !std::mem::replace(&mut was_so, is_so) && is_so;
    let onsets: Vec<usize> =
        is_so.enumerate().filter_map(|(frame, is_so)| is_onset(is_so).then_some(frame)).collect();
    onsets.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / VIDEO_HZ).collect()
}

fn covered(sorted: &[f64], secs: f64) -> f64 {
    // Intervals are whole frames; half a frame avoids rounding errors.
    let within = sorted.partition_point(|interval| *interval <= secs + 0.5 / VIDEO_HZ);
    within as f64 / sorted.len().max(1) as f64
}

/// Returns the interval at which the distribution is highest above a straight line (“Kneedle”, Satopää et al. 2011).
/// The line goes from the start of the distribution to the interval that covers nearly all intervals.
fn knee_secs(sorted: &[f64]) -> f64 {
    let end = nearest_quantile(&mut sorted.to_vec(), AXIS_QUANTILE).unwrap_or(0.0);
    let frames = (end * VIDEO_HZ).round() as usize;
    let height = |frame: &usize| {
        let secs = *frame as f64 / VIDEO_HZ;
        covered(sorted, secs) - secs / end.max(f64::MIN_POSITIVE)
    };
    let highest = (1..=frames).max_by(|a, b| height(a).total_cmp(&height(b)).then(b.cmp(a)));
    highest.map_or(PAPER_SECS, |frame| frame as f64 / VIDEO_HZ)
}
