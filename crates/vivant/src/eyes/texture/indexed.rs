//! A corpus prepared for searching.
//!
//! For each patch, the search compares possible starts with the end of the last patch. This index makes the comparison
//! cheap: all runs are concatenated, each channel is divided by its standard deviation once, and the values are padded,
//! so that blocks of windows can be compared at once. `IndexedCorpus::new` builds it for a given patch length. Windows
//! never cross the boundary between two runs. `normalise` scales the end of a patch in the same way before a search.

use super::{Corpus, Run, Sample};
use std::ops::Range;

/// Number of windows compared at once.
pub(super) const LANES: usize = 32;
/// Smallest standard deviation of a channel; a channel with a smaller deviation is ignored in distances.
const MIN_SD: f64 = 1e-6;

/// All runs of a corpus, concatenated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexedCorpus {
    pub(super) name: String,
    /// Openness of open eyes that look straight ahead, and the increase of openness per degree of upward gaze.
    pub(super) open: [f64; 2],
    pub(super) samples: Vec<Sample>,
    /// The samples, each channel divided by its standard deviation. Padded by [`LANES`], so that blocks of windows
    /// may extend beyond the end.
    pub(super) normal: [Vec<f32>; 3],
    per_sd: [f32; 3],
    pub(super) runs: Vec<Windows>,
    /// Frames at which blinks are deepest.
    pub(super) apexes: Vec<u32>,
    /// Median movement of the gaze between two frames, in degrees.
    pub(super) usual_step_deg: f32,
}

/// The windows of one run: a patch may start at each of these frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Windows {
    pub(super) starts: Range<usize>,
    /// Number of windows in earlier runs.
    pub(super) before: usize,
}

impl IndexedCorpus {
    pub(super) fn new(corpus: &Corpus, patch: usize) -> Self {
        let samples: Vec<Sample> = corpus.runs.iter().flat_map(samples_of).collect();
        let per_sd = [|s: &Sample| s.openness, |s: &Sample| s.yaw_deg, |s: &Sample| s.pitch_deg]
            .map(|channel| per_sd(samples.iter().map(channel)));
        let mut indexed = Self {
            name: corpus.name.clone(),
            open: [corpus.open_level, corpus.open_per_deg],
            usual_step_deg: usual_step_deg(&samples),
            samples,
            normal: [const { Vec::new() }; 3],
            per_sd,
            runs: windows(&corpus.runs, patch),
            apexes: apexes(&corpus.runs),
        };
        let mut normal = [const { Vec::new() }; 3];
        indexed.normalise(&indexed.samples, &mut normal);
        normal.iter_mut().for_each(|channel| channel.extend([0.0; LANES]));
        indexed.normal = normal;
        indexed
    }

    /// Divides the channels of samples by this corpus's standard deviations. Does not allocate if `into` has enough
    /// capacity.
    pub(super) fn normalise(&self, samples: &[Sample], into: &mut [Vec<f32>; 3]) {
        into.iter_mut().for_each(Vec::clear);
        let [openness, yaw, pitch] = into;
        openness.extend(samples.iter().map(|sample| sample.openness * self.per_sd[0]));
        yaw.extend(samples.iter().map(|sample| sample.yaw_deg * self.per_sd[1]));
        pitch.extend(samples.iter().map(|sample| sample.pitch_deg * self.per_sd[2]));
    }

    /// Returns the number of windows.
    pub(super) fn count(&self) -> usize {
        self.runs.last().map_or(0, |last| last.before + last.starts.len())
    }

    /// Returns the start frame of a window by its index.
    pub(super) fn start_of(&self, window: usize) -> usize {
        let run = self.runs.partition_point(|run| run.before <= window).saturating_sub(1);
        self.runs[run].starts.start + (window - self.runs[run].before)
    }

    /// Returns true if a patch may start at a frame.
    pub(super) fn is_start(&self, frame: usize) -> bool {
        let run = self.runs.partition_point(|run| run.starts.start <= frame);
        run > 0 && self.runs[run - 1].starts.contains(&frame)
    }
}

fn samples_of(run: &Run) -> impl Iterator<Item = Sample> {
    let gaze = run.yaw_deg.iter().zip(&run.pitch_deg);
    let sample = |(openness, (yaw_deg, pitch_deg)): (&f32, (&f32, &f32))| Sample {
        openness: *openness,
        yaw_deg: *yaw_deg,
        pitch_deg: *pitch_deg,
    };
    run.openness.iter().zip(gaze).map(sample)
}

/// Returns 1 / standard deviation; zero if the deviation is below [`MIN_SD`].
///
/// DIFFERENCE: Deng 2005 says that channels are divided by the variance. But the distance contains squared
/// differences, and only these must be divided by the variance.
fn per_sd(channel: impl Iterator<Item = f32> + Clone) -> f32 {
    let count = channel.clone().count() as f64;
    let mean = channel.clone().map(f64::from).sum::<f64>() / count;
    let squares: f64 = channel.map(|x| (f64::from(x) - mean) * (f64::from(x) - mean)).sum();
    let sd = (squares / (count - 1.0).max(1.0)).sqrt();
    if sd < MIN_SD { 0.0 } else { (1.0 / sd) as f32 }
}

fn windows(runs: &[Run], patch: usize) -> Vec<Windows> {
    let (mut first, mut before) = (0, 0);
    let mut next = |run: &Run| {
        let count = run.openness.len() - patch + 1;
        let windows = Windows { starts: first..first + count, before };
        (first, before) = (first + run.openness.len(), before + count);
        windows
    };
    runs.iter().map(&mut next).collect()
}

fn apexes(runs: &[Run]) -> Vec<u32> {
    let mut first = 0;
    let mut next = |run: &Run| {
        let of_run: Vec<u32> = run.blinks.iter().map(|frame| first + frame).collect();
        first += run.openness.len() as u32;
        of_run
    };
    runs.iter().flat_map(&mut next).collect()
}

/// Returns the median step of the gaze in degrees.
fn usual_step_deg(samples: &[Sample]) -> f32 {
    let mut steps: Vec<f32> = samples.windows(2).map(|pair| pair[0].gaze_apart_deg(&pair[1])).collect();
    let middle = steps.len() / 2;
    if steps.is_empty() { 0.0 } else { *steps.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

impl Sample {
    /// Returns the distance of two gaze directions in degrees, as on a plane, because the angles are small.
    #[must_use]
    pub fn gaze_apart_deg(&self, other: &Self) -> f32 {
        let (yaw, pitch) = (self.yaw_deg - other.yaw_deg, self.pitch_deg - other.pitch_deg);
        (yaw * yaw + pitch * pitch).sqrt()
    }
}
