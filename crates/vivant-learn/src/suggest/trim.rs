//! Which part of a clip to play.

use super::track::{Moment, RATE, Stick, Yardstick};
use std::ops::RangeInclusive;
use vivant::clip::Clip;
use vivant::pose::Pose;

/// How far from either end a broken frame is looked for, in seconds.
const LEAD_SECS: f64 = 0.5;

/// And in frames.
const MAX_LEAD: usize = 240;

/// From one frame to the next no limb of a person turns by so much, in degrees,
const JUMP_DEG: f32 = 25.0;

/// nor so fast, in degrees a second.
const JUMP_DEG_PER_S: f64 = 1200.0;

/// Below this a limb or the head rests, in degrees: twice what is left of the sensors' noise.
const STILL_DEG: f32 = 0.8;

/// What is kept before something moves, in seconds, so that blending has time.
const MARGIN_SECS: f64 = 0.14;

/// No part that is shorter is worth keeping, in seconds.
const SHORTEST_SECS: f64 = 0.2;

/// The part of a clip without frames that do not belong to it: CMU's recordings begin with one frame
/// in the T-pose, others with a few. In seconds.
pub(crate) fn sound_part(clip: &Clip, yardstick: &Yardstick<'_>) -> (f64, f64) {
    let last = clip.frames() - 1;
    let near = ((LEAD_SECS * clip.rate()) as usize).clamp(1, MAX_LEAD).min(last);
    let first = jumps(clip, yardstick, 0, near).last().map_or(0, |frame| frame + 1);
    let end = jumps(clip, yardstick, last - near, last).find(|frame| *frame >= first).unwrap_or(last);
    (first as f64 / clip.rate(), end as f64 / clip.rate())
}

/// The frames from `from` to before `to` after which the pose jumps. A punch is as fast, but not from one
/// frame to the next.
fn jumps(clip: &Clip, yardstick: &Yardstick<'_>, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let stick = |frame: usize| {
        let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
        yardstick.look(&pose).stick
    };
    let first = from.saturating_sub(1);
    let sticks: Vec<Stick> = (first..(to + 2).min(clip.frames())).map(stick).collect();
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

/// The samples after a T-pose that the clip leaves slowly, where it does not return to it.
pub(crate) fn after_t_pose(seen: &[Moment]) -> usize {
    let last = &seen[seen.len() - 1].stick;
    if !seen[0].stick.is_t_pose() || last.is_t_pose() {
        return 0;
    }
    let left = seen.iter().position(|m| !m.stick.is_t_pose()).unwrap_or(0);
    let near = |k: usize| seen[k].stick.distance_deg(last, |_| true) < 2.0;
    let arrived = |k: &usize| near(*k) || speed_deg(seen, *k) < 10.0;
    (left..seen.len() / 2).find(arrived).unwrap_or(0)
}

/// The samples in which something happens, with a little time around them.
pub(crate) fn moving_part(seen: &[Moment]) -> RangeInclusive<usize> {
    let last = seen.len() - 1;
    let most = (0..=last).map(|k| difference_deg(&seen[k], &seen[0])).fold(0.0, f32::max);
    // Fingers are hardly ever still; they tell only where nothing else moves.
    let differ = if most > STILL_DEG { difference_deg } else { fingers_differ_deg };
    let off = |k: usize, end: usize| differ(&seen[k], &seen[end]);
    let still = STILL_DEG.max(most * 0.03);
    let margin = (MARGIN_SECS * RATE) as usize;
    let first = (0..=last).find(|k| off(*k, 0) > still).unwrap_or(0).saturating_sub(margin);
    let end = (0..=last).rev().find(|k| off(*k, last) > still).unwrap_or(last);
    long_enough(first..=(end + margin).min(last), last)
}

/// How different two moments look, in degrees: the limb or the head that differs most.
fn difference_deg(a: &Moment, b: &Moment) -> f32 {
    a.stick.greatest_deg(&b.stick).max((a.head - b.head).abs().max_element())
}

/// The finger that differs most, in degrees a joint.
fn fingers_differ_deg(a: &Moment, b: &Moment) -> f32 {
    let pairs = a.fingers.iter().flatten().zip(b.fingers.iter().flatten());
    pairs.map(|(a, b)| a.distance(*b) / 3.0).fold(0.0, f32::max)
}

fn long_enough(part: RangeInclusive<usize>, last: usize) -> RangeInclusive<usize> {
    let secs = part.end().saturating_sub(*part.start()) as f64 / RATE;
    if secs < SHORTEST_SECS { 0..=last } else { part }
}

/// How fast the pose changes at a sample, in degrees a second.
fn speed_deg(seen: &[Moment], k: usize) -> f32 {
    let (a, b) = (k.saturating_sub(1), (k + 1).min(seen.len() - 1));
    let secs = (b - a).max(1) as f32 / RATE as f32;
    seen[a].stick.distance_deg(&seen[b].stick, |_| true) / secs
}

/// Moves the ends of a part to where it is calm and near the stances that it should begin and end in, if it
/// was cut out of the middle of something.
pub(crate) fn settled(
    seen: &[Moment],
    part: RangeInclusive<usize>,
    stances: [&Stick; 2],
) -> RangeInclusive<usize> {
    let (first, end) = (*part.start(), *part.end());
    let window = (end - first) * 3 / 10;
    let cost = |k: usize, far: usize, stance: &Stick| {
        let late = far as f32 / (end - first).max(1) as f32;
        seen[k].stick.distance_deg(stance, |_| true) + speed_deg(seen, k) / 8.0 + 10.0 * late
    };
    let better = |places: &mut dyn Iterator<Item = usize>, from: usize, stance: &Stick| {
        let costs = places.map(|k| (k, cost(k, k.abs_diff(from), stance)));
        let (k, least) = costs.reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((from, 0.0));
        // A small gain is no reason to lose a part of the motion.
        if cost(from, 0, stance) - least > 5.0 { k } else { from }
    };
    let start = better(&mut (first..=first + window), first, stances[0]);
    let stop = better(&mut (end - window..=end).rev(), end, stances[1]);
    long_enough(start..=stop, seen.len() - 1)
}

/// The part of a stance that can be looped with the smallest seam, and that seam in degrees.
pub(crate) fn looping_part(seen: &[Moment]) -> (RangeInclusive<usize>, f32) {
    let last = seen.len() - 1;
    let stride = (last / 5 / 40).max(1);
    let mut best = (0..=last, seam_deg(seen, 0, last), f32::INFINITY);
    for i in (0..=last / 5).step_by(stride) {
        for j in (last - last / 5..=last).rev().step_by(stride) {
            let seam = seam_deg(seen, i, j);
            let lost = 1.0 - (j - i) as f32 / last.max(1) as f32;
            // A tenth of the clip is worth half a degree.
            if seam + 5.0 * lost < best.2 {
                best = (i..=j, seam, seam + 5.0 * lost);
            }
        }
    }
    (long_enough(best.0, last), best.1)
}

/// How much the body jumps where the end of a loop meets its start, in place and in motion, in degrees.
fn seam_deg(seen: &[Moment], i: usize, j: usize) -> f32 {
    let pose = seen[i].stick.distance_deg(&seen[j].stick, |_| true);
    let head = (seen[i].head - seen[j].head).abs().max_element();
    let motion = (speed_deg(seen, i) - speed_deg(seen, j)).abs();
    pose + 0.3 * head + 0.1 * motion
}
