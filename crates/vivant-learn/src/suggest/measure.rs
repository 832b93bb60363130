//! Measures a clip: hand travel, head oscillation, touches and more.
//!
//! The rules that label clips must work for avatars of any size, so distances are in arm lengths or hip heights and
//! angles in degrees. Many measurements compare a sample with the start or end of the clip, because a gesture leaves
//! its stance and returns to it. [`Measures::of`] computes all measurements in one call from the samples of the valid
//! part of a clip. The thresholds here define contacts and activity; labels and their confidence are in `super::rules`.

use super::event::Events;
use super::track::{LEFT_THIGH, LEFT_UPPER, PoseSample, RATE, Sides, TRUNK};
use glam::Vec3;

/// Measurements of the valid part of a clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measures {
    pub(crate) seconds: f32,
    /// Largest distance of each wrist from its start or end position, whichever is nearer, in arm lengths.
    pub(crate) excursion: Sides<f32>,
    /// Share of the hands' active time in which a hand is at the head, the other arm or the other hand.
    pub(crate) touch: f32,
    /// Share of the hands' active time in which one hand is at the chin and the other arm supports it.
    pub(crate) thinker: f32,
    /// Share of the hands' active time in which the head is bent down to look at a hand.
    pub(crate) watched: f32,
    /// Share of the hands' active time in which the head is bent down.
    pub(crate) bent_down: f32,
    /// Longest time that both arms are raised or out, straight and calm, in seconds.
    pub(crate) stretch_secs: f32,
    /// Largest height of an active hand above its shoulder, in arm lengths; hanging is -1.
    pub(crate) highest: f32,
    /// Range of head yaw, pitch and roll in degrees.
    pub(crate) head_range: Vec3,
    /// Range of trunk yaw, pitch and roll in degrees.
    pub(crate) trunk_range: Vec3,
    pub(crate) nod: Rhythm,
    pub(crate) shake: Rhythm,
    /// Forward and backward oscillation of the trunk.
    pub(crate) bob: Rhythm,
    /// Sideways oscillation of the raised hands.
    pub(crate) wave: Sides<Rhythm>,
    /// Vertical oscillation of the hands.
    pub(crate) beat: Sides<Rhythm>,
    /// Longest time that an arm is held out straight, in seconds.
    pub(crate) pointing_secs: Sides<f32>,
    /// Height by which both shoulders are raised together, in arm lengths.
    pub(crate) shrug: f32,
    /// Forward range of the shoulders divided by their vertical range.
    pub(crate) roll: f32,
    /// Distance of the hips from their start or end position on the ground, in hip heights.
    pub(crate) hips_travel: f32,
    /// Distance of a foot from its start or end position, in hip heights.
    pub(crate) foot_travel: f32,
    /// Oscillation of the feet passing each other.
    pub(crate) steps: Rhythm,
    /// Difference between the first and the last pose in degrees.
    pub(crate) ends_deg: f32,
    /// Largest difference between the pose and the more similar end pose, in degrees.
    pub(crate) away_deg: f32,
    /// Time from leaving the first pose to reaching the last pose, in seconds.
    pub(crate) way_secs: f32,
    /// Distance between start and end of each wrist, in arm lengths.
    pub(crate) wrists_went: Sides<f32>,
    /// Change of direction of the arm that changes most, and of the trunk or a leg, in degrees.
    pub(crate) arms_changed_deg: f32,
    pub(crate) rest_changed_deg: f32,
    /// Events of single parts of the body.
    pub(crate) events: Events,
    /// Fastest rotation of any limb in degrees per second.
    pub(crate) limb_speed: f32,
}

/// An oscillation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rhythm {
    /// Number of half-cycles.
    pub(crate) swings: u32,
    /// Half-cycles per second, from the median duration.
    pub(crate) rate: f32,
    /// Median amplitude of a half-cycle.
    pub(crate) size: f32,
}

/// Minimum distance of an active hand from its start and end position, in arm lengths: 10 cm for an adult. Breathing
/// and swaying move it less.
const ACTIVE: f32 = 0.2;

/// Maximum distance of the wrist from the head's centre for a hand at the head, in arm lengths: half a head and the
/// length of a hand, 35 cm for an adult. The wrist of a hand that waves beside the head is at 0.8.
const AT_HEAD: f32 = 0.68;

/// Maximum distance of the wrist from the other arm for a hand at that arm, in arm lengths: half an arm's thickness and
/// a palm, 10 cm.
const AT_ARM: f32 = 0.2;

/// Maximum angle between the face direction and a hand that is looked at, in degrees. The eyes can turn further, up to
/// 45° down. If the person looks ahead, a hand before the belly is at 50° or more.
const IN_SIGHT_DEG: f32 = 44.0;

/// Angle by which the face is bent down when a hand is looked at, in degrees. The face of a person who looks at others
/// is level, except in nods.
const BENT_DOWN_DEG: f32 = 8.0;

impl Measures {
    /// Measures a clip. Needs at least one sample.
    pub(crate) fn of(samples: &[PoseSample]) -> Self {
        let (first, last) = (&samples[0], &samples[samples.len() - 1]);
        let active: Sides<Vec<bool>> =
            [0, 1].map(|i| samples.iter().map(|m| off_ends(m, first, last, i) > ACTIVE).collect());
        let swing = |signal: &dyn Fn(&PoseSample) -> f32, least: f32| {
            Rhythm::of(&samples.iter().map(signal).collect::<Vec<_>>(), least)
        };
        let raised = |i: usize| masked(samples, |m| m.above_shoulder[i] > -0.25, |m| m.wrists[i].x);
        let lifted = |i: usize| masked(samples, |m| off_ends(m, first, last, i) > ACTIVE, |m| m.wrists[i].y);
        let changed = first.stick.angles_deg(&last.stick);
        let most = |limbs: std::ops::Range<usize>| changed[limbs].iter().copied().fold(0.0, f32::max);
        let ends_deg = first.stick.distance_deg(&last.stick, |_| true);
        Self {
            seconds: ((samples.len() - 1) as f64 / RATE) as f32,
            excursion: [0, 1].map(|i| excursion(samples, i)),
            touch: touch(samples, &active),
            thinker: thinker(samples, &active),
            watched: watched(samples, &active),
            bent_down: share(
                samples.len(),
                |k| active[0][k] || active[1][k],
                |k| is_bent(&samples[k], first),
            ),
            stretch_secs: stretch_secs(samples, &active),
            highest: highest(samples, &active),
            head_range: range(samples, |m| m.head),
            trunk_range: range(samples, |m| m.trunk),
            nod: swing(&|m| m.head.y, 2.0),
            shake: swing(&|m| m.head.x, 2.5),
            bob: swing(&|m| m.trunk.y, 2.5),
            wave: [0, 1].map(|i| Rhythm::of(&raised(i), 0.08)),
            beat: [0, 1].map(|i| Rhythm::of(&lifted(i), 0.06)),
            pointing_secs: [0, 1].map(|i| longest(samples, |m| points(m, i))),
            shrug: shrug(samples),
            roll: roll(samples),
            hips_travel: off_both(samples, |m| Vec3::new(m.hips.x, 0.0, m.hips.z)),
            foot_travel: [0, 1]
                .map(|i| off_both(samples, |m| m.footprints[i]))
                .into_iter()
                .fold(0.0, f32::max),
            steps: swing(&|m| m.feet[0].z - m.feet[1].z, 0.2),
            ends_deg,
            away_deg: away_deg(samples),
            way_secs: way_secs(samples),
            wrists_went: [0, 1].map(|i| apart(first, last, i)),
            arms_changed_deg: most(LEFT_UPPER..LEFT_THIGH),
            rest_changed_deg: most(LEFT_THIGH..changed.len()).max(changed[TRUNK]),
            events: Events::of(samples),
            limb_speed: high(steps(samples, |a, b| a.stick.greatest_deg(&b.stick))),
        }
    }
}

/// Returns the distance of a wrist from its start or end position, whichever is nearer. The distance is measured in
/// the space (hips or chest) in which the wrist moves less, because arms that hang from a swaying trunk do not
/// gesture.
fn off_ends(m: &PoseSample, first: &PoseSample, last: &PoseSample, i: usize) -> f32 {
    apart(m, first, i).min(apart(m, last, i))
}

fn apart(a: &PoseSample, b: &PoseSample, i: usize) -> f32 {
    let in_hips = a.wrists[i].distance(b.wrists[i]);
    in_hips.min(a.wrists_in_chest[i].distance(b.wrists_in_chest[i]))
}

/// Returns the 98th percentile of a wrist's distance from its nearer end position, but at least the distance between
/// both end positions, in arm lengths.
fn excursion(samples: &[PoseSample], i: usize) -> f32 {
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    let between = first.wrists[i].distance(last.wrists[i]);
    high(samples.iter().map(|m| off_ends(m, first, last, i))).max(between)
}

/// Returns the largest distance from the nearer end position, but at least the distance between both end positions.
fn off_both(samples: &[PoseSample], place: impl Fn(&PoseSample) -> Vec3) -> f32 {
    let (first, last) = (place(&samples[0]), place(&samples[samples.len() - 1]));
    let off = |m: &PoseSample| place(m).distance(first).min(place(m).distance(last));
    samples.iter().map(off).fold(first.distance(last), f32::max)
}

/// Returns the 98th percentile of the difference between the pose and the more similar end pose, in degrees.
fn away_deg(samples: &[PoseSample]) -> f32 {
    let (first, last) = (&samples[0].stick, &samples[samples.len() - 1].stick);
    let off =
        |m: &PoseSample| m.stick.distance_deg(first, |_| true).min(m.stick.distance_deg(last, |_| true));
    high(samples.iter().map(off))
}

/// Returns the time in seconds from the moment when the pose has made 20 % of the way from start to end, to the
/// moment when 20 % are left.
fn way_secs(samples: &[PoseSample]) -> f32 {
    let (first, last) = (&samples[0].stick, &samples[samples.len() - 1].stick);
    let least = 0.2 * first.distance_deg(last, |_| true);
    let left = samples.iter().position(|m| m.stick.distance_deg(first, |_| true) > least);
    let arrived = samples.iter().rposition(|m| m.stick.distance_deg(last, |_| true) > least);
    left.zip(arrived).map_or(0.0, |(a, b)| (b.saturating_sub(a) as f64 / RATE) as f32)
}

/// Maximum distance between the wrists of hands that hold or rub each other, in arm lengths. The wrists of hands with
/// touching palms are 8 cm apart.
const HANDS_MEET: f32 = 0.22;

/// Maximum speed between hands that hold each other, in arm lengths per second. Clapping hands are faster.
const HANDS_STAY: f32 = 0.6;

/// Maximum distance of a hand on the other forearm from the bone, in arm lengths: half a forearm and half a hand are 6
/// cm, plus the fold of a sleeve.
const ON_FOREARM: f32 = 0.18;

/// Returns true if the hands touch each other and stay together.
fn hands_meet(samples: &[PoseSample], k: usize) -> bool {
    stay_near(samples, k, HANDS_MEET, |m| m.wrists[0].distance(m.wrists[1]))
}

/// Returns true if a hand lies on the other forearm, for example to adjust a sleeve.
fn on_forearm(samples: &[PoseSample], k: usize, i: usize) -> bool {
    stay_near(samples, k, ON_FOREARM, |m| m.hand_to_forearm[i])
}

fn stay_near(samples: &[PoseSample], k: usize, near: f32, apart: impl Fn(&PoseSample) -> f32) -> bool {
    let (before, after) = (k.saturating_sub(3), (k + 3).min(samples.len() - 1));
    let parts = |a: usize, b: usize| (apart(&samples[a]) - apart(&samples[b])).abs() * (RATE / 3.0) as f32;
    apart(&samples[k]) < near && parts(before, k).max(parts(k, after)) < HANDS_STAY
}

/// Returns the share of active time in which an active hand touches the head, the other arm or the other hand.
fn touch(samples: &[PoseSample], active: &Sides<Vec<bool>>) -> f32 {
    let touches = |k: usize, i: usize| {
        let at = samples[k].to_head[i] < AT_HEAD || samples[k].to_other_arm[i] < AT_ARM;
        active[i][k] && (at || hands_meet(samples, k) || on_forearm(samples, k, i))
    };
    share(samples.len(), |k| active[0][k] || active[1][k], |k| touches(k, 0) || touches(k, 1))
}

/// Returns the share of active time in which the head is bent down towards a still, active hand, for example to look
/// at nails or a watch. People who gesture while talking look at others.
fn watched(samples: &[PoseSample], active: &Sides<Vec<bool>>) -> f32 {
    let down = |m: &PoseSample| is_bent(m, &samples[0]);
    let sees = |m: &PoseSample, i: usize| m.off_sight_deg[i] < IN_SIGHT_DEG;
    let watches = |k: usize, i: usize| {
        active[i][k] && sees(&samples[k], i) && down(&samples[k]) && is_calm(samples, k, i)
    };
    share(samples.len(), |k| active[0][k] || active[1][k], |k| watches(k, 0) || watches(k, 1))
}

/// Returns true if the face is bent down compared with the start.
fn is_bent(m: &PoseSample, first: &PoseSample) -> bool {
    let bent = |m: &PoseSample| m.head.y + m.trunk.y;
    bent(m) - bent(first) > BENT_DOWN_DEG
}

/// Returns the share of active time with one hand at the head and the other arm under its elbow.
fn thinker(samples: &[PoseSample], active: &Sides<Vec<bool>>) -> f32 {
    let thinks = |k: usize, i: usize| {
        let other = 1 - i;
        samples[k].to_head[i] < AT_HEAD
            && active[other][k]
            && samples[k].to_head[other] > AT_HEAD + 0.15
            && samples[k].wrists[0].distance(samples[k].wrists[1]) < 0.75
    };
    share(samples.len(), |k| active[0][k] || active[1][k], |k| thinks(k, 0) || thinks(k, 1))
}

fn share(count: usize, of: impl Fn(usize) -> bool, that: impl Fn(usize) -> bool) -> f32 {
    let all = (0..count).filter(|k| of(*k)).count();
    let some = (0..count).filter(|k| of(*k) && that(*k)).count();
    some as f32 / all.max(1) as f32
}

/// Returns true if an arm is stretched out and not hanging.
fn points(m: &PoseSample, i: usize) -> bool {
    m.stretched[i] > 0.9 && (-0.6..0.6).contains(&m.above_shoulder[i])
}

/// Returns the longest time in seconds with both arms away from rest, straight, raised and slower than one arm length
/// per second (half a metre per second).
fn stretch_secs(samples: &[PoseSample], active: &Sides<Vec<bool>>) -> f32 {
    let raised =
        |m: &PoseSample| [0, 1].into_iter().all(|i| m.stretched[i] > 0.9 && m.above_shoulder[i] > -0.5);
    let both = |k: usize| active[0][k] && active[1][k];
    longest_run(samples.len(), |k| {
        both(k) && raised(&samples[k]) && is_calm(samples, k, 0) && is_calm(samples, k, 1)
    })
}

fn is_calm(samples: &[PoseSample], k: usize, i: usize) -> bool {
    let (a, b) = (&samples[k.saturating_sub(2)], &samples[k]);
    a.wrists[i].distance(b.wrists[i]) * (RATE / 2.0) as f32 <= 1.0
}

fn highest(samples: &[PoseSample], active: &Sides<Vec<bool>>) -> f32 {
    let up =
        |i: usize| samples.iter().zip(&active[i]).filter(|(_, a)| **a).map(move |(m, _)| m.above_shoulder[i]);
    up(0).chain(up(1)).fold(-1.0, f32::max)
}

/// Returns the height in arm lengths by which both shoulders rise together while the hands are below them. Half the
/// difference between the shoulders is subtracted, because raising a hand lifts one shoulder.
fn shrug(samples: &[PoseSample]) -> f32 {
    let rest = samples[0].shoulders;
    let raised = |m: &PoseSample| {
        let [left, right] = [0, 1].map(|i| m.shoulders[i].y - rest[i].y);
        left.min(right) - 0.5 * (left - right).abs()
    };
    let low = |m: &&PoseSample| m.above_shoulder[0].max(m.above_shoulder[1]) < -0.1;
    samples.iter().filter(low).map(raised).fold(0.0, f32::max)
}

/// Returns the forward range of the shoulders divided by their vertical range; the smaller one of the two sides.
fn roll(samples: &[PoseSample]) -> f32 {
    let side = |i: usize| {
        let far = range(samples, |m| m.shoulders[i]);
        far.z / far.y.max(0.01)
    };
    side(0).min(side(1))
}

/// Returns the longest time for which a condition holds, in seconds.
fn longest(samples: &[PoseSample], holds: impl Fn(&PoseSample) -> bool) -> f32 {
    longest_run(samples.len(), |k| holds(&samples[k]))
}

fn longest_run(count: usize, holds: impl Fn(usize) -> bool) -> f32 {
    let (mut best, mut now) = (0_usize, 0_usize);
    for k in 0..count {
        now = if holds(k) { now + 1 } else { 0 };
        best = best.max(now);
    }
    (best as f64 / RATE) as f32
}

fn range(samples: &[PoseSample], of: impl Fn(&PoseSample) -> Vec3) -> Vec3 {
    let low = samples.iter().map(&of).fold(Vec3::MAX, Vec3::min);
    let high = samples.iter().map(&of).fold(Vec3::MIN, Vec3::max);
    high - low
}

/// Returns the speed over each tenth of a second, in units of `far` per second.
fn steps<'a>(
    samples: &'a [PoseSample],
    far: impl Fn(&PoseSample, &PoseSample) -> f32 + 'a,
) -> impl Iterator<Item = f32> + 'a {
    const STEP: usize = 3;
    (STEP..samples.len()).map(move |k| far(&samples[k - STEP], &samples[k]) * RATE as f32 / STEP as f32)
}

/// Returns the 98th percentile, so that a single glitch does not count as a movement.
fn high(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.filter(|v| v.is_finite()).collect();
    if values.is_empty() {
        return 0.0;
    }
    let at = (values.len() - 1) * 49 / 50;
    *values.select_nth_unstable_by(at, f32::total_cmp).1
}

fn masked(
    samples: &[PoseSample],
    when: impl Fn(&PoseSample) -> bool,
    what: impl Fn(&PoseSample) -> f32,
) -> Vec<f32> {
    samples.iter().filter(|m| when(m)).map(what).collect()
}

impl Rhythm {
    /// Measures the half-cycles of a signal whose size is at least `least` and at least a third of the signal's
    /// range.
    pub(crate) fn of(signal: &[f32], least: f32) -> Self {
        let turns = turns(signal, least);
        let swings = turns.len().saturating_sub(1);
        if swings == 0 {
            return Self::default();
        }
        let middle = |mut values: Vec<f32>, at: usize| *values.select_nth_unstable_by(at, f32::total_cmp).1;
        let pairs = || turns.windows(2);
        let all_secs = pairs().map(|w| ((w[1].0 - w[0].0) as f64 / RATE) as f32).collect();
        // The first and last half-cycle may include waiting, so the lower median is used.
        let secs = middle(all_secs, (swings - 1) / 2);
        let size = middle(pairs().map(|w| (w[1].1 - w[0].1).abs()).collect(), swings / 2);
        Self { swings: swings as u32, rate: 1.0 / secs.max(1.0 / RATE as f32), size }
    }
}

/// Returns the turning points of a signal, alternating maxima and minima, that differ by at least `least` and at
/// least a third of the signal's range.
fn turns(signal: &[f32], least: f32) -> Vec<(usize, f32)> {
    let Some(&first) = signal.first() else { return Vec::new() };
    let low = signal.iter().copied().fold(f32::MAX, f32::min);
    let high = signal.iter().copied().fold(f32::MIN, f32::max);
    let least = least.max((high - low) * 0.3);
    let mut found: Vec<(usize, f32)> = Vec::new();
    let (mut lowest, mut highest, mut rising) = ((0, first), (0, first), None);
    for (k, &value) in signal.iter().enumerate() {
        if value > highest.1 {
            highest = (k, value);
        }
        if value < lowest.1 {
            lowest = (k, value);
        }
        if rising != Some(true) && value - lowest.1 >= least {
            found.push(lowest);
            (rising, highest) = (Some(true), (k, value));
        } else if rising != Some(false) && highest.1 - value >= least {
            found.push(highest);
            (rising, lowest) = (Some(false), (k, value));
        }
    }
    match rising {
        Some(true) => found.push(highest),
        Some(false) => found.push(lowest),
        None => {}
    }
    found
}
