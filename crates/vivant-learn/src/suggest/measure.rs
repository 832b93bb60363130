//! What happens in a clip, as numbers: how far the hands go, how often the head swings, whether anything
//! is touched.

use super::event::Events;
use super::track::{LEFT_THIGH, LEFT_UPPER, Moment, RATE, Sides, TRUNK};
use glam::Vec3;

/// What was measured from a clip's sound part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measures {
    pub(crate) seconds: f32,
    /// How far each wrist goes from where it starts and ends, in arm lengths.
    pub(crate) excursion: Sides<f32>,
    /// The share of its active time that a hand is at the head or at the other arm.
    pub(crate) touch: f32,
    /// The share of the active time in which one hand is at the chin and the other arm supports it.
    pub(crate) thinker: f32,
    /// The share of its active time that a hand is looked at, with the head bent down to it.
    pub(crate) watched: f32,
    /// The share of the hands' active time in which the head is bent down.
    pub(crate) bent_down: f32,
    /// The longest time that both arms are held up or out, stretched and calm, in seconds.
    pub(crate) stretch_secs: f32,
    /// The highest that an active hand gets above its shoulder, in arm lengths; hanging is -1.
    pub(crate) highest: f32,
    /// How far the head turns, nods and tilts, in degrees from end to end.
    pub(crate) head_range: Vec3,
    /// The same of the trunk.
    pub(crate) trunk_range: Vec3,
    pub(crate) nod: Rhythm,
    pub(crate) shake: Rhythm,
    /// How the trunk goes back and forth.
    pub(crate) bob: Rhythm,
    /// How the raised hands swing from side to side.
    pub(crate) wave: Sides<Rhythm>,
    /// How the hands go up and down.
    pub(crate) beat: Sides<Rhythm>,
    /// The longest that an arm is held out, stretched, in seconds.
    pub(crate) pointing_secs: Sides<f32>,
    /// How high both shoulders are drawn up together, in arm lengths.
    pub(crate) shrug: f32,
    /// How far they go back and forth, against how far up and down.
    pub(crate) roll: f32,
    /// How far the hips go from where they start or end, on the ground, in hips' heights.
    pub(crate) hips_travel: f32,
    /// How far a foot goes from where it stands at the start or the end, in hips' heights.
    pub(crate) foot_travel: f32,
    /// How the feet pass each other.
    pub(crate) steps: Rhythm,
    /// How different the last pose is from the first, in degrees.
    pub(crate) ends_deg: f32,
    /// How far the pose goes from both ends, in degrees.
    pub(crate) away_deg: f32,
    /// How long it takes from where it leaves the first pose to where it arrives at the last, in seconds.
    pub(crate) way_secs: f32,
    /// How far each wrist ends from where it starts, in arm lengths.
    pub(crate) wrists_went: Sides<f32>,
    /// How far the arm that changes most points elsewhere at the end, and how far the trunk or a leg, in degrees.
    pub(crate) arms_changed_deg: f32,
    pub(crate) rest_changed_deg: f32,
    /// What happens in single parts of the body.
    pub(crate) events: Events,
    /// The fastest that any limb turns, in degrees a second.
    pub(crate) limb_speed: f32,
}

/// A movement back and forth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rhythm {
    /// How often it goes from one side to the other.
    pub(crate) swings: u32,
    /// Swings a second, by the time that the middle one takes.
    pub(crate) rate: f32,
    /// The middle size of a swing.
    pub(crate) size: f32,
}

/// A hand is active beyond this, in arm lengths: 10 cm, which neither breathing nor swaying makes.
const ACTIVE: f32 = 0.2;

/// A wrist at the head, in arm lengths from its middle: half a head and the length of a hand, 35 cm of
/// a grown-up. A hand that waves beside the head is at 0.8.
const AT_HEAD: f32 = 0.68;

/// A wrist at the other arm, in arm lengths: half an arm's thickness and a palm, 10 cm.
const AT_ARM: f32 = 0.2;

/// A hand that is looked at is so near to where the face points, in degrees: eyes do the rest of the way, and look
/// down by up to 45°. Before the belly of somebody who looks ahead a hand is at 50° and more.
const IN_SIGHT_DEG: f32 = 44.0;

/// And the face is bent down by so much, in degrees; one that points at others is level, but for nods.
const BENT_DOWN_DEG: f32 = 8.0;

impl Measures {
    /// Of at least one moment.
    pub(crate) fn of(seen: &[Moment]) -> Self {
        let (first, last) = (&seen[0], &seen[seen.len() - 1]);
        let active: Sides<Vec<bool>> =
            [0, 1].map(|i| seen.iter().map(|m| off_ends(m, first, last, i) > ACTIVE).collect());
        let swing = |signal: &dyn Fn(&Moment) -> f32, least: f32| {
            Rhythm::of(&seen.iter().map(signal).collect::<Vec<_>>(), least)
        };
        let raised = |i: usize| masked(seen, |m| m.above_shoulder[i] > -0.25, |m| m.wrists[i].x);
        let lifted = |i: usize| masked(seen, |m| off_ends(m, first, last, i) > ACTIVE, |m| m.wrists[i].y);
        let changed = first.stick.angles_deg(&last.stick);
        let most = |limbs: std::ops::Range<usize>| changed[limbs].iter().copied().fold(0.0, f32::max);
        let ends_deg = first.stick.distance_deg(&last.stick, |_| true);
        Self {
            seconds: ((seen.len() - 1) as f64 / RATE) as f32,
            excursion: [0, 1].map(|i| excursion(seen, i)),
            touch: touch(seen, &active),
            thinker: thinker(seen, &active),
            watched: watched(seen, &active),
            bent_down: share(seen.len(), |k| active[0][k] || active[1][k], |k| is_bent(&seen[k], first)),
            stretch_secs: stretch_secs(seen, &active),
            highest: highest(seen, &active),
            head_range: range(seen, |m| m.head),
            trunk_range: range(seen, |m| m.trunk),
            nod: swing(&|m| m.head.y, 2.0),
            shake: swing(&|m| m.head.x, 2.5),
            bob: swing(&|m| m.trunk.y, 2.5),
            wave: [0, 1].map(|i| Rhythm::of(&raised(i), 0.08)),
            beat: [0, 1].map(|i| Rhythm::of(&lifted(i), 0.06)),
            pointing_secs: [0, 1].map(|i| longest(seen, |m| points(m, i))),
            shrug: shrug(seen),
            roll: roll(seen),
            hips_travel: off_both(seen, |m| Vec3::new(m.hips.x, 0.0, m.hips.z)),
            foot_travel: [0, 1].map(|i| off_both(seen, |m| m.footprints[i])).into_iter().fold(0.0, f32::max),
            steps: swing(&|m| m.feet[0].z - m.feet[1].z, 0.2),
            ends_deg,
            away_deg: away_deg(seen),
            way_secs: way_secs(seen),
            wrists_went: [0, 1].map(|i| apart(first, last, i)),
            arms_changed_deg: most(LEFT_UPPER..LEFT_THIGH),
            rest_changed_deg: most(LEFT_THIGH..changed.len()).max(changed[TRUNK]),
            events: Events::of(seen),
            limb_speed: high(steps(seen, |a, b| a.stick.greatest_deg(&b.stick))),
        }
    }
}

/// How far a wrist is from where it starts and where it ends, whichever is nearer, in the frame (hips or
/// chest) in which it moves less: a trunk that sways does not make a gesture of hanging arms.
fn off_ends(m: &Moment, first: &Moment, last: &Moment, i: usize) -> f32 {
    apart(m, first, i).min(apart(m, last, i))
}

fn apart(a: &Moment, b: &Moment, i: usize) -> f32 {
    let in_hips = a.wrists[i].distance(b.wrists[i]);
    in_hips.min(a.wrists_in_chest[i].distance(b.wrists_in_chest[i]))
}

/// Nearly the greatest distance from both ends, and at least that between them.
fn excursion(seen: &[Moment], i: usize) -> f32 {
    let (first, last) = (&seen[0], &seen[seen.len() - 1]);
    let between = first.wrists[i].distance(last.wrists[i]);
    high(seen.iter().map(|m| off_ends(m, first, last, i))).max(between)
}

/// The greatest distance from both ends.
fn off_both(seen: &[Moment], place: impl Fn(&Moment) -> Vec3) -> f32 {
    let (first, last) = (place(&seen[0]), place(&seen[seen.len() - 1]));
    let off = |m: &Moment| place(m).distance(first).min(place(m).distance(last));
    seen.iter().map(off).fold(first.distance(last), f32::max)
}

/// How far the pose goes from both of its ends, in degrees.
fn away_deg(seen: &[Moment]) -> f32 {
    let (first, last) = (&seen[0].stick, &seen[seen.len() - 1].stick);
    let off = |m: &Moment| m.stick.distance_deg(first, |_| true).min(m.stick.distance_deg(last, |_| true));
    high(seen.iter().map(off))
}

/// From the first moment that is a fifth of the way from the start to the last that is so far from the end.
fn way_secs(seen: &[Moment]) -> f32 {
    let (first, last) = (&seen[0].stick, &seen[seen.len() - 1].stick);
    let least = 0.2 * first.distance_deg(last, |_| true);
    let left = seen.iter().position(|m| m.stick.distance_deg(first, |_| true) > least);
    let arrived = seen.iter().rposition(|m| m.stick.distance_deg(last, |_| true) > least);
    left.zip(arrived).map_or(0.0, |(a, b)| (b.saturating_sub(a) as f64 / RATE) as f32)
}

/// Hands that hold or rub each other, by the distance of the wrists in arm lengths: palms that lie on each
/// other are 8 cm thick at the wrists.
const HANDS_MEET: f32 = 0.22;

/// They part slower than this, in arm lengths a second; clapping hands do not.
const HANDS_STAY: f32 = 0.6;

/// A hand on the other forearm, by its distance from the bone in arm lengths: half a forearm and half a hand are
/// 6 cm, and a sleeve has a fold, at which fingers pull.
const ON_FOREARM: f32 = 0.18;

/// Whether the hands are at each other, and stay there.
fn hands_meet(seen: &[Moment], k: usize) -> bool {
    stay_near(seen, k, HANDS_MEET, |m| m.wrists[0].distance(m.wrists[1]))
}

/// Whether a hand lies on the other forearm, as on a sleeve.
fn on_forearm(seen: &[Moment], k: usize, i: usize) -> bool {
    stay_near(seen, k, ON_FOREARM, |m| m.hand_to_forearm[i])
}

fn stay_near(seen: &[Moment], k: usize, near: f32, apart: impl Fn(&Moment) -> f32) -> bool {
    let (before, after) = (k.saturating_sub(3), (k + 3).min(seen.len() - 1));
    let parts = |a: usize, b: usize| (apart(&seen[a]) - apart(&seen[b])).abs() * (RATE / 3.0) as f32;
    apart(&seen[k]) < near && parts(before, k).max(parts(k, after)) < HANDS_STAY
}

/// The share of the time in which some hand is active that an active hand touches the head, the other arm
/// or the other hand.
fn touch(seen: &[Moment], active: &Sides<Vec<bool>>) -> f32 {
    let touches = |k: usize, i: usize| {
        let at = seen[k].to_head[i] < AT_HEAD || seen[k].to_other_arm[i] < AT_ARM;
        active[i][k] && (at || hands_meet(seen, k) || on_forearm(seen, k, i))
    };
    share(seen.len(), |k| active[0][k] || active[1][k], |k| touches(k, 0) || touches(k, 1))
}

/// Whether the head is bent down to an active hand that keeps still, as to look at nails or a watch. Whoever
/// speaks with the hands looks at others.
fn watched(seen: &[Moment], active: &Sides<Vec<bool>>) -> f32 {
    let down = |m: &Moment| is_bent(m, &seen[0]);
    let sees = |m: &Moment, i: usize| m.off_sight_deg[i] < IN_SIGHT_DEG;
    let watches =
        |k: usize, i: usize| active[i][k] && sees(&seen[k], i) && down(&seen[k]) && is_calm(seen, k, i);
    share(seen.len(), |k| active[0][k] || active[1][k], |k| watches(k, 0) || watches(k, 1))
}

/// Whether the face is bent down, against how it was.
fn is_bent(m: &Moment, first: &Moment) -> bool {
    let bent = |m: &Moment| m.head.y + m.trunk.y;
    bent(m) - bent(first) > BENT_DOWN_DEG
}

/// One hand at the head, the other arm across the belly under its elbow.
fn thinker(seen: &[Moment], active: &Sides<Vec<bool>>) -> f32 {
    let thinks = |k: usize, i: usize| {
        let other = 1 - i;
        seen[k].to_head[i] < AT_HEAD
            && active[other][k]
            && seen[k].to_head[other] > AT_HEAD + 0.15
            && seen[k].wrists[0].distance(seen[k].wrists[1]) < 0.75
    };
    share(seen.len(), |k| active[0][k] || active[1][k], |k| thinks(k, 0) || thinks(k, 1))
}

fn share(count: usize, of: impl Fn(usize) -> bool, that: impl Fn(usize) -> bool) -> f32 {
    let all = (0..count).filter(|k| of(*k)).count();
    let some = (0..count).filter(|k| of(*k) && that(*k)).count();
    some as f32 / all.max(1) as f32
}

/// Whether an arm is stretched out, and not hanging down.
fn points(m: &Moment, i: usize) -> bool {
    m.stretched[i] > 0.9 && (-0.6..0.6).contains(&m.above_shoulder[i])
}

/// How long both arms are away from rest, stretched, raised and slower than half a metre a second.
fn stretch_secs(seen: &[Moment], active: &Sides<Vec<bool>>) -> f32 {
    let raised = |m: &Moment| [0, 1].into_iter().all(|i| m.stretched[i] > 0.9 && m.above_shoulder[i] > -0.5);
    let both = |k: usize| active[0][k] && active[1][k];
    longest_run(seen.len(), |k| both(k) && raised(&seen[k]) && is_calm(seen, k, 0) && is_calm(seen, k, 1))
}

fn is_calm(seen: &[Moment], k: usize, i: usize) -> bool {
    let (a, b) = (&seen[k.saturating_sub(2)], &seen[k]);
    a.wrists[i].distance(b.wrists[i]) * (RATE / 2.0) as f32 <= 1.0
}

fn highest(seen: &[Moment], active: &Sides<Vec<bool>>) -> f32 {
    let up =
        |i: usize| seen.iter().zip(&active[i]).filter(|(_, a)| **a).map(move |(m, _)| m.above_shoulder[i]);
    up(0).chain(up(1)).fold(-1.0, f32::max)
}

/// How high both shoulders go at once and alike, while the hands are below them: a hand that is about to wave
/// lifts one shoulder, and takes the other along.
fn shrug(seen: &[Moment]) -> f32 {
    let rest = seen[0].shoulders;
    let raised = |m: &Moment| {
        let [left, right] = [0, 1].map(|i| m.shoulders[i].y - rest[i].y);
        left.min(right) - 0.5 * (left - right).abs()
    };
    let low = |m: &&Moment| m.above_shoulder[0].max(m.above_shoulder[1]) < -0.1;
    seen.iter().filter(low).map(raised).fold(0.0, f32::max)
}

/// A shoulder that rolls goes as far back and forth as up and down; of the two, the one that does so less.
fn roll(seen: &[Moment]) -> f32 {
    let side = |i: usize| {
        let far = range(seen, |m| m.shoulders[i]);
        far.z / far.y.max(0.01)
    };
    side(0).min(side(1))
}

/// The longest time in which something holds, in seconds.
fn longest(seen: &[Moment], holds: impl Fn(&Moment) -> bool) -> f32 {
    longest_run(seen.len(), |k| holds(&seen[k]))
}

fn longest_run(count: usize, holds: impl Fn(usize) -> bool) -> f32 {
    let (mut best, mut now) = (0_usize, 0_usize);
    for k in 0..count {
        now = if holds(k) { now + 1 } else { 0 };
        best = best.max(now);
    }
    (best as f64 / RATE) as f32
}

fn range(seen: &[Moment], of: impl Fn(&Moment) -> Vec3) -> Vec3 {
    let low = seen.iter().map(&of).fold(Vec3::MAX, Vec3::min);
    let high = seen.iter().map(&of).fold(Vec3::MIN, Vec3::max);
    high - low
}

/// A distance for each tenth of a second, as a speed.
fn steps<'a>(
    seen: &'a [Moment],
    far: impl Fn(&Moment, &Moment) -> f32 + 'a,
) -> impl Iterator<Item = f32> + 'a {
    const STEP: usize = 3;
    (STEP..seen.len()).map(move |k| far(&seen[k - STEP], &seen[k]) * RATE as f32 / STEP as f32)
}

/// The value that one of fifty exceeds: a single glitch is not a movement.
fn high(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.filter(|v| v.is_finite()).collect();
    if values.is_empty() {
        return 0.0;
    }
    let at = (values.len() - 1) * 49 / 50;
    *values.select_nth_unstable_by(at, f32::total_cmp).1
}

fn masked(seen: &[Moment], when: impl Fn(&Moment) -> bool, what: impl Fn(&Moment) -> f32) -> Vec<f32> {
    seen.iter().filter(|m| when(m)).map(what).collect()
}

impl Rhythm {
    /// The swings of a signal that are at least `least`, and a third of its range, in size.
    pub(crate) fn of(signal: &[f32], least: f32) -> Self {
        let turns = turns(signal, least);
        let swings = turns.len().saturating_sub(1);
        if swings == 0 {
            return Self::default();
        }
        let middle = |mut values: Vec<f32>, at: usize| *values.select_nth_unstable_by(at, f32::total_cmp).1;
        let pairs = || turns.windows(2);
        let all_secs = pairs().map(|w| ((w[1].0 - w[0].0) as f64 / RATE) as f32).collect();
        // The first and the last swing may have waited: of four, the second shortest tells the pace.
        let secs = middle(all_secs, (swings - 1) / 2);
        let size = middle(pairs().map(|w| (w[1].1 - w[0].1).abs()).collect(), swings / 2);
        Self { swings: swings as u32, rate: 1.0 / secs.max(1.0 / RATE as f32), size }
    }
}

/// Where a signal turns round, by no less than a third of its range: places and values that alternate
/// between high and low.
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
