//! Selects the part of a clip to play.
//!
//! Recordings often start with frames that do not belong to the motion, such as a T-pose, and have still time around
//! it. [`valid_part`] runs first and excludes invalid frames. Then [`moving_part`] finds the motion, or
//! [`looping_part`] finds the part of a stance that repeats with a small jump, and [`settled`] moves the ends of a
//! gesture to calm samples near its stances. These functions return ranges; the clip itself is not changed.

use super::track::{PoseMeasurer, PoseSample, RATE, StickFigure};
use std::ops::RangeInclusive;
use vivant::clip::Clip;
use vivant::pose::Pose;

/// Range at both ends of a clip in which invalid frames are searched, in seconds.
const LEAD_SECS: f64 = 0.5;

/// Maximum length of this range in frames.
const MAX_LEAD: usize = 240;

/// Smallest angle between two frames that counts as a jump, in degrees. No human limb turns that far in one frame.
const JUMP_DEG: f32 = 25.0;

/// Smallest velocity of a jump, in degrees per second.
const JUMP_DEG_PER_S: f64 = 1200.0;

/// Maximum movement of a resting limb or head, in degrees: twice the remaining sensor noise.
const STILL_DEG: f32 = 0.8;

/// Time kept before and after a movement for a cross-fade, in seconds.
const MARGIN_SECS: f64 = 0.14;

/// Minimum duration of a part, in seconds; instead of a shorter part, the whole clip is used.
const SHORTEST_SECS: f64 = 0.2;

/// Returns the part of a clip without invalid frames, in seconds: CMU's recordings start with one frame in the T-pose,
/// and other recordings start with a few such frames.
pub(crate) fn valid_part(clip: &Clip, measurer: &PoseMeasurer<'_>) -> (f64, f64) {
    let last = clip.frames() - 1;
    let near = ((LEAD_SECS * clip.rate()) as usize).clamp(1, MAX_LEAD).min(last);
    let first = jumps(clip, measurer, 0, near).last().map_or(0, |frame| frame + 1);
    let end = jumps(clip, measurer, last - near, last).find(|frame| *frame >= first).unwrap_or(last);
    (first as f64 / clip.rate(), end as f64 / clip.rate())
}

/// Returns the frames from `from` to before `to` after which the pose jumps. A punch is as fast as a jump, but it
/// does not reach its speed within one frame.
fn jumps(clip: &Clip, measurer: &PoseMeasurer<'_>, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let stick = |frame: usize| {
        let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
        measurer.measure(&pose).stick
    };
    let first = from.saturating_sub(1);
    let sticks: Vec<StickFigure> = (first..(to + 2).min(clip.frames())).map(stick).collect();
    let steps: Vec<f32> = sticks.windows(2).map(|w| w[0].greatest_deg(&w[1])).collect();
    let rate = clip.rate();
    let is_jump = move |frame: &usize| {
        let at = |k: usize| steps.get(k).copied().unwrap_or(0.0);
        let k = frame - first;
        let (angle, before, after) = (at(k), if k > 0 { at(k - 1) } else { 0.0 }, at(k + 1));
        let far = angle > JUMP_DEG && f64::from(angle) * rate > JUMP_DEG_PER_S;
        far && angle > 4.0 * before.max(after)
    };
    (from..to).filter(is_jump)
}

/// Returns the number of samples until the T-pose has been left, for clips that start in a T-pose, leave it slowly
/// and do not return to it; otherwise 0.
pub(crate) fn after_t_pose(samples: &[PoseSample]) -> usize {
    let last = &samples[samples.len() - 1].stick;
    if !samples[0].stick.is_t_pose() || last.is_t_pose() {
        return 0;
    }
    let left = samples.iter().position(|m| !m.stick.is_t_pose()).unwrap_or(0);
    let near = |k: usize| samples[k].stick.distance_deg(last, |_| true) < 2.0;
    let arrived = |k: &usize| near(*k) || speed_deg(samples, *k) < 10.0;
    (left..samples.len() / 2).find(arrived).unwrap_or(0)
}

/// Returns the samples in which something moves, with a margin.
pub(crate) fn moving_part(samples: &[PoseSample]) -> RangeInclusive<usize> {
    let last = samples.len() - 1;
    let most = (0..=last).map(|k| difference_deg(&samples[k], &samples[0])).fold(0.0, f32::max);
    // Fingers are rarely still; they count only if nothing else moves.
    let differ = if most > STILL_DEG { difference_deg } else { fingers_differ_deg };
    let off = |k: usize, end: usize| differ(&samples[k], &samples[end]);
    let still = STILL_DEG.max(most * 0.03);
    let margin = (MARGIN_SECS * RATE) as usize;
    let first = (0..=last).find(|k| off(*k, 0) > still).unwrap_or(0).saturating_sub(margin);
    let end = (0..=last).rev().find(|k| off(*k, last) > still).unwrap_or(last);
    long_enough(first..=(end + margin).min(last), last)
}

/// Returns the difference of two samples in degrees, which is the difference of the limb that differs most; the head
/// counts as a limb.
fn difference_deg(a: &PoseSample, b: &PoseSample) -> f32 {
    a.stick.greatest_deg(&b.stick).max((a.head - b.head).abs().max_element())
}

/// Returns the difference of the finger that differs most, in degrees per joint.
fn fingers_differ_deg(a: &PoseSample, b: &PoseSample) -> f32 {
    let pairs = a.fingers.iter().flatten().zip(b.fingers.iter().flatten());
    pairs.map(|(a, b)| a.distance(*b) / 3.0).fold(0.0, f32::max)
}

fn long_enough(part: RangeInclusive<usize>, last: usize) -> RangeInclusive<usize> {
    let secs = part.end().saturating_sub(*part.start()) as f64 / RATE;
    if secs < SHORTEST_SECS { 0..=last } else { part }
}

/// Returns the speed of the pose at a sample in degrees per second.
fn speed_deg(samples: &[PoseSample], k: usize) -> f32 {
    let (a, b) = (k.saturating_sub(1), (k + 1).min(samples.len() - 1));
    let secs = (b - a).max(1) as f32 / RATE as f32;
    samples[a].stick.distance_deg(&samples[b].stick, |_| true) / secs
}

/// Moves the ends of a part to calm samples near its stances, if it was cut out of a longer motion.
pub(crate) fn settled(
    samples: &[PoseSample],
    part: RangeInclusive<usize>,
    stances: [&StickFigure; 2],
) -> RangeInclusive<usize> {
    let (first, end) = (*part.start(), *part.end());
    let window = (end - first) * 3 / 10;
    let cost = |k: usize, far: usize, stance: &StickFigure| {
        let late = far as f32 / (end - first).max(1) as f32;
        samples[k].stick.distance_deg(stance, |_| true) + speed_deg(samples, k) / 8.0 + 10.0 * late
    };
    let better = |places: &mut dyn Iterator<Item = usize>, from: usize, stance: &StickFigure| {
        let costs = places.map(|k| (k, cost(k, k.abs_diff(from), stance)));
        let (k, least) = costs.reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((from, 0.0));
        // A small gain does not justify losing a part of the motion.
        if cost(from, 0, stance) - least > 5.0 { k } else { from }
    };
    let start = better(&mut (first..=first + window), first, stances[0]);
    let stop = better(&mut (end - window..=end).rev(), end, stances[1]);
    long_enough(start..=stop, samples.len() - 1)
}

/// Returns the part of a stance that loops with the smallest seam, and that seam in degrees.
pub(crate) fn looping_part(samples: &[PoseSample]) -> (RangeInclusive<usize>, f32) {
    let last = samples.len() - 1;
    let stride = (last / 5 / 40).max(1);
    let mut best = (0..=last, seam_deg(samples, 0, last), f32::INFINITY);
    for i in (0..=last / 5).step_by(stride) {
        for j in (last - last / 5..=last).rev().step_by(stride) {
            let seam = seam_deg(samples, i, j);
            let lost = 1.0 - (j - i) as f32 / last.max(1) as f32;
            // A seam that is smaller by half a degree justifies losing a tenth of the clip.
            if seam + 5.0 * lost < best.2 {
                best = (i..=j, seam, seam + 5.0 * lost);
            }
        }
    }
    (long_enough(best.0, last), best.1)
}

/// Returns the jump from the end of a loop (`j`) to its start (`i`) in degrees: the difference in pose, and a share
/// of the difference in speed.
fn seam_deg(samples: &[PoseSample], i: usize, j: usize) -> f32 {
    let pose = samples[i].stick.distance_deg(&samples[j].stick, |_| true);
    let head = (samples[i].head - samples[j].head).abs().max_element();
    let motion = (speed_deg(samples, i) - speed_deg(samples, j)).abs();
    pose + 0.3 * head + 0.1 * motion
}
