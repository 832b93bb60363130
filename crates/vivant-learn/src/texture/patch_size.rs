//! How long a patch is: paper 5's “transition interval distribution” (Figure 7).
//!
//! A patch that is too short does not hold what eyes do; one that is too long leaves little choice. So the
//! times from one large movement to the next are gathered, of blinks and of gaze shifts, and a patch is as
//! long as the knee of their distribution: beyond it, a longer patch covers little more.

use super::signal::Stretch;
use crate::statistics::nearest_quantile;
use serde::Serialize;

/// DIFFERENCE: paper 5 does not say of what its 20 frames are. Its gaze was marked by hand in video; so movements
/// are counted from one frame of video to the next, and do not depend on the recording's rate.
pub const VIDEO_HZ: f64 = 30.0;
/// Eyes that are less open than this blink (paper 5, “Patch size selection”).
const SHUT: f64 = 0.2;
/// Eyes that are less open than this hide where they look.
const HALF_OPEN: f64 = 0.5;
/// A gaze that moves by more than this share of its range from frame to frame shifts (ibid.).
const SHIFT_SHARE: f64 = 0.1;
/// The least range: with less, noise would be shifts. The share of it is a degree.
const LEAST_RANGE_DEG: f64 = 10.0;
/// Ranges and axes end at these quantiles, so that no single sample decides.
const RANGE_QUANTILES: [f64; 2] = [0.01, 0.99];
const AXIS_QUANTILE: f64 = 0.95;
/// With fewer intervals there is no distribution.
const LEAST_INTERVALS: usize = 20;
/// Paper 5's patch: 20 frames of video.
const PAPER_SECS: f64 = 20.0 / VIDEO_HZ;
/// A patch holds a blink (FACTS: 0.334 s on average, 0.572 s if voluntary), and leaves a choice.
const PATCH_SECS: [f64; 2] = [0.4, 1.5];

/// The statistic, and what it says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PatchSize {
    /// All times from one large movement to the next of the same kind, in order.
    pub intervals_secs: Vec<f64>,
    /// How many of them are from blink to blink.
    pub blink_intervals: usize,
    /// Where the distribution bends.
    pub knee_secs: f64,
    /// The share of intervals that are not longer than the patch.
    pub covered: f64,
    /// How long a patch is.
    pub patch_secs: f64,
}

impl PatchSize {
    /// Of stretches without gaps.
    pub(super) fn of<'a>(stretches: impl Iterator<Item = &'a Stretch> + Clone, rate_hz: f64) -> Self {
        let video: Vec<Stretch> = stretches.map(|stretch| at_video_rate(stretch, rate_hz)).collect();
        let shifts = [range_deg(&video, |s| &s.yaw_deg), range_deg(&video, |s| &s.pitch_deg)]
            .map(|range| SHIFT_SHARE * range.max(LEAST_RANGE_DEG));
        let blinks: Vec<f64> = video.iter().flat_map(blink_intervals).collect();
        let gaze = video.iter().flat_map(|stretch| shift_intervals(stretch, shifts));
        let mut intervals_secs: Vec<f64> = blinks.iter().copied().chain(gaze).collect();
        intervals_secs.sort_by(f64::total_cmp);
        let knee_secs = knee_secs(&intervals_secs);
        let has_enough = intervals_secs.len() >= LEAST_INTERVALS;
        let patch_secs = if has_enough { knee_secs.clamp(PATCH_SECS[0], PATCH_SECS[1]) } else { PAPER_SECS };
        let covered = covered(&intervals_secs, patch_secs);
        Self { blink_intervals: blinks.len(), intervals_secs, knee_secs, covered, patch_secs }
    }

    /// Whether there are enough intervals to tell.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.intervals_secs.len() >= LEAST_INTERVALS
    }

    /// The share of intervals that are not longer than this.
    #[must_use]
    pub fn covered_at(&self, secs: f64) -> f64 {
        covered(&self.intervals_secs, secs)
    }

    /// Where the axis of a picture ends.
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

/// A gaze that trackers see jump while lids are half over it is no shift.
fn shift_intervals(stretch: &Stretch, [yaw_deg, pitch_deg]: [f64; 2]) -> Vec<f64> {
    let is_shift = |i: usize| {
        let moves = |channel: &[f64], by: f64| (channel[i] - channel[i - 1]).abs() > by;
        let is_open = stretch.openness[i].min(stretch.openness[i - 1]) >= HALF_OPEN;
        is_open && (moves(&stretch.yaw_deg, yaw_deg) || moves(&stretch.pitch_deg, pitch_deg))
    };
    between_onsets((1..stretch.openness.len()).map(is_shift))
}

/// The times from one beginning of something to the next.
fn between_onsets(is_so: impl Iterator<Item = bool>) -> Vec<f64> {
    let mut was_so = false;
    let mut is_onset = |is_so: bool| !std::mem::replace(&mut was_so, is_so) && is_so;
    let onsets: Vec<usize> =
        is_so.enumerate().filter_map(|(frame, is_so)| is_onset(is_so).then_some(frame)).collect();
    onsets.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / VIDEO_HZ).collect()
}

fn covered(sorted: &[f64], secs: f64) -> f64 {
    // Intervals are whole frames; half a frame is as good as none.
    let within = sorted.partition_point(|interval| *interval <= secs + 0.5 / VIDEO_HZ);
    within as f64 / sorted.len().max(1) as f64
}

/// Where the distribution is highest above the straight line from its beginning to where nearly all is
/// covered (“Kneedle”, Satopää et al. 2011).
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
