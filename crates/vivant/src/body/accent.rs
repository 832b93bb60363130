//! Small nods and brow raises on stressed words.
//!
//! Speakers move the head with the stress, by a few degrees and for about one or two syllables (Hadar and others
//! 1983: the ordinary movements of speakers are between 1.8 and 3.7 per second; Graf and others 2002: nods on pitch
//! accents last two to four sounds). Sometimes the brows rise too, starting just before (Flecha-García 2010: 60 ms
//! before the accented syllable). These movements are too frequent and too small for clips, so they are generated and
//! added to the layers.
//!
//! An accent is a pulse: up and down with minimum jerk. The result depends only on the added accents and on the time,
//! and needs no events. Overlapping accents are summed and smoothly limited.
//!
//! ```
//! use vivant::body::accent::Accents;
//! use vivant::rig::{Rig, RigParts};
//! let mut accents = Accents::new(&Rig::new(RigParts::default()), 7);
//! accents.nod(0.0, 2.0, 1.0);
//! assert_eq!(accents.pitch_deg(1.5), 0.0);
//! assert!(accents.pitch_deg(2.0) > 4.0, "the head is lowest at the stressed instant");
//! assert_eq!(accents.pitch_deg(2.5), 0.0);
//! ```

use crate::body::drift::{Drift, is_valid_time, pitch_eight, roll_eight};
use crate::chance::{Chance, Draw};
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Expression, Rig};

/// Nod amplitude at minimum and maximum stress, in degrees (our design).
const NOD_DEG: [f64; 2] = [2.2, 5.2];
/// Nod duration at minimum and maximum stress, in seconds (Hadar and others 1983: 1.8 to 3.7 movements per second).
const NOD_SECS: [f64; 2] = [0.4, 0.52];
/// Fraction of a nod's duration in which the head moves down (our design: down is faster than up).
const DOWN_SHARE: f64 = 0.45;
/// Maximum random deviation of amplitude and duration, as a fraction of the mean (our design).
const SPREAD: f64 = 0.12;
/// Maximum pitch from accents alone, in degrees (our design).
const MAX_NOD_DEG: f64 = 8.0;

/// Tilt amplitude at minimum and maximum stress, in degrees (our design).
const TILT_DEG: [f64; 2] = [2.0, 4.0];
/// Durations of tilting, holding the tilt, and returning, in seconds (our design).
const TILT_SECS: [f64; 3] = [0.4, 0.5, 0.6];
/// Maximum roll from accents alone, in degrees (our design).
const MAX_TILT_DEG: f64 = 6.0;

/// Weight of raised brows at minimum and maximum stress (our design).
const BROWS: [f64; 2] = [0.25, 0.4];
/// Time by which a brow raise starts before the stressed syllable, in seconds (Flecha-García 2010).
const BROWS_LEAD_SECS: f64 = 0.06;
/// Durations of raising and lowering the brows, in seconds (our design).
const BROWS_SECS: [f64; 2] = [0.18, 0.3];
/// Maximum weight of raised brows.
const MAX_BROWS: f64 = 0.6;
/// Maximum time for which brows are held up, in seconds.
const MAX_HOLD_SECS: f64 = 10.0;

/// Share of the rotation of nods and tilts that the neck takes; the head takes the rest (our design).
const NECK_SHARE: f32 = 0.4;

/// Maximum time in seconds until a running accent ends after it is cancelled.
pub const CANCEL_SECS: f64 = 0.15;

/// Maximum number of accents at a time; further accents are ignored. At four accents per second, this is enough for
/// 16 s.
pub const MAX_ACCENTS: usize = 64;

/// Kind of movement of an accent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AccentKind {
    Nod,
    Tilt,
    Brows,
}

/// A movement from rest to a peak and back.
#[derive(Clone, Copy, Debug)]
struct Pulse {
    kind: AccentKind,
    /// The rise, the fall, and the early return to zero if the pulse is cancelled; each with its start time in seconds.
    parts: [(f64, Drift); 3],
}

impl Pulse {
    fn new(kind: AccentKind, begins: f64, size: f64, [out, hold, back]: [f64; 3]) -> Self {
        let rise = Drift::at_rest(0.0).continue_to(begins, size, out);
        let turns = begins + out + hold;
        let fall = rise.continue_to(turns, 0.0, back);
        Self { kind, parts: [(begins, rise), (turns, fall), (f64::INFINITY, fall)] }
    }

    fn begins(&self) -> f64 {
        self.parts[0].0
    }

    fn ends(&self) -> f64 {
        let [_, fall, cancelled] = &self.parts;
        if cancelled.0 < f64::INFINITY { cancelled.1.ends() } else { fall.1.ends() }
    }

    /// Returns the part that is active at `t`.
    fn part(&self, t: f64) -> &Drift {
        let later = self.parts.iter().rev().find(|(from, _)| *from <= t);
        &later.unwrap_or(&self.parts[0]).1
    }

    fn position(&self, t: f64) -> f64 {
        if t <= self.begins() || t >= self.ends() { 0.0 } else { self.part(t).position(t) }
    }

    fn cancel(&mut self, at: f64) {
        let from = *self.part(at);
        // A pulse that is nearly over ends as planned.
        if self.ends() - at > CANCEL_SECS {
            self.parts[2] = (at, from.continue_to(at, 0.0, CANCEL_SECS));
        }
    }
}

/// The accents of one character.
#[derive(Clone, Debug)]
pub struct Accents {
    pulses: Vec<Pulse>,
    chance: Chance,
    rig: AccentRig,
}

impl Accents {
    /// Creates an empty set of accents. The same seed gives the same random variation.
    #[must_use]
    pub fn new(rig: &Rig, seed: u64) -> Self {
        let chance = Chance::new(seed, "accents");
        Self { pulses: Vec::with_capacity(MAX_ACCENTS), chance, rig: AccentRig::new(rig) }
    }

    /// Adds a nod with a strength from 0 to 1. The head is lowest at the time `at`. If there is too little time for
    /// that, the nod starts at `now`.
    pub fn nod(&mut self, now: f64, at: f64, strength: f64) {
        let Some((mut draw, strength)) = self.prepare(AccentKind::Nod, now, at, strength) else { return };
        let size = between(NOD_DEG, strength) * spread(&mut draw);
        let secs = between(NOD_SECS, strength) * spread(&mut draw);
        let down = secs * DOWN_SHARE;
        self.pulses.push(Pulse::new(AccentKind::Nod, now.max(at - down), size, [down, 0.0, secs - down]));
    }

    /// Adds a brow raise on a word at the time `at`, with a strength from 0 to 1. The brows stay up for `secs`
    /// seconds.
    pub fn brows(&mut self, now: f64, at: f64, strength: f64, secs: f64) {
        let Some((mut draw, strength)) = self.prepare(AccentKind::Brows, now, at, strength) else { return };
        let size = between(BROWS, strength) * spread(&mut draw);
        let hold = if secs.is_nan() { 0.0 } else { secs.clamp(0.0, MAX_HOLD_SECS) };
        let [up, down] = BROWS_SECS;
        self.pulses.push(Pulse::new(
            AccentKind::Brows,
            now.max(at - BROWS_LEAD_SECS),
            size,
            [up, hold, down],
        ));
    }

    /// Adds a tilt of the head, as in a question or doubt, with a strength from 0 to 1. The tilt is complete at the
    /// time `at`. `side` is 1 for left and −1 for right; `None` chooses a random side.
    pub fn tilt(&mut self, now: f64, at: f64, strength: f64, side: Option<f64>) {
        let Some((mut draw, strength)) = self.prepare(AccentKind::Tilt, now, at, strength) else { return };
        let size = between(TILT_DEG, strength) * spread(&mut draw);
        let chance = if draw.uniform() < 0.5 { -1.0 } else { 1.0 };
        // A positive rotation about the forward axis tilts the head to the right.
        let side = side.map_or(chance, |side| -side);
        self.pulses.push(Pulse::new(AccentKind::Tilt, now.max(at - TILT_SECS[0]), side * size, TILT_SECS));
    }

    /// Removes accents that start at `at` or later, and ends running accents within [`CANCEL_SECS`], without a jump.
    pub fn cancel_after(&mut self, at: f64) {
        if is_valid_time(at) {
            self.pulses.retain(|pulse| pulse.begins() < at);
            for pulse in self.pulses.iter_mut().filter(|pulse| pulse.ends() > at) {
                pulse.cancel(at);
            }
        }
    }

    /// Returns true if any accent ends after `t`.
    #[must_use]
    pub fn is_active_after(&self, t: f64) -> bool {
        self.pulses.iter().any(|pulse| pulse.ends() > t)
    }

    /// Head pitch from accents in degrees; positive is down.
    #[must_use]
    pub fn pitch_deg(&self, t: f64) -> f64 {
        bounded(self.sum(AccentKind::Nod, t), MAX_NOD_DEG)
    }

    /// Head roll from accents in degrees; positive is to the character's right.
    #[must_use]
    pub fn roll_deg(&self, t: f64) -> f64 {
        bounded(self.sum(AccentKind::Tilt, t), MAX_TILT_DEG)
    }

    /// Weight of the brow raise, from 0 to 0.6.
    #[must_use]
    pub fn brows_weight(&self, t: f64) -> f64 {
        bounded(self.sum(AccentKind::Brows, t), MAX_BROWS).max(0.0)
    }

    /// Adds the accents to a pose and its expressions. Does not allocate.
    pub fn add(&self, t: f64, rotations: &mut Rotations, weights: &mut [f32]) {
        // Usually no accent is active.
        if self.pulses.iter().all(|pulse| t <= pulse.begins() || t >= pulse.ends()) || t.is_nan() {
            return;
        }
        let half = |degrees: f64| (0.5 * degrees.to_radians()) as f32;
        pitch_eight(&self.rig.shares, half(self.pitch_deg(t)), Bone::Hips.index(), rotations);
        roll_eight(&self.rig.shares, half(self.roll_deg(t)), Bone::Hips.index(), rotations);
        let raised = self.brows_weight(t) as f32;
        for channel in self.rig.brows.iter().flatten() {
            let weight = &mut weights[*channel];
            *weight += (1.0 - *weight).max(0.0) * raised;
        }
    }

    fn sum(&self, kind: AccentKind, t: f64) -> f64 {
        self.pulses.iter().filter(|pulse| pulse.kind == kind).map(|pulse| pulse.position(t)).sum()
    }

    /// Checks the arguments of a new accent, and removes accents that are over. Returns the random stream of the new
    /// accent and its strength, limited to 1; `None` if the arguments are invalid or there are too many accents. The
    /// stream depends only on the kind and time of the accent, so earlier estimates of that time do not matter.
    fn prepare(&mut self, kind: AccentKind, now: f64, at: f64, strength: f64) -> Option<(Draw, f64)> {
        let is_valid = is_valid_time(now) && is_valid_time(at) && strength > 0.0;
        self.pulses.retain(|pulse| pulse.ends() > now);
        if !is_valid || self.pulses.len() >= MAX_ACCENTS {
            return None;
        }
        Some((self.chance.event(at.to_bits().wrapping_add(kind as u64)), strength.min(1.0)))
    }
}

/// Bones and expressions of an avatar that accents move.
#[derive(Clone, Copy, Debug)]
struct AccentRig {
    /// Share of a head rotation for each of the first eight bones.
    shares: [f32; 8],
    brows: [Option<usize>; 3],
}

impl AccentRig {
    fn new(rig: &Rig) -> Self {
        let has = |bone: Bone| rig.bones().contains(bone);
        let mut shares = [0.0; 8];
        let neck = match [has(Bone::Neck), has(Bone::Head)] {
            [true, true] => NECK_SHARE,
            [true, false] => 1.0,
            _ => 0.0,
        };
        shares[Bone::Neck.index()] = neck;
        shares[Bone::Head.index()] = if has(Bone::Head) { 1.0 - neck } else { 0.0 };
        let brow = |name| rig.channel_index(&Channel::Known(Expression::from_name(name)?));
        Self { shares, brows: ["browInnerUp", "browOuterUpLeft", "browOuterUpRight"].map(brow) }
    }
}

fn between([least, most]: [f64; 2], strength: f64) -> f64 {
    least + (most - least) * strength
}

fn spread(draw: &mut Draw) -> f64 {
    draw.between(1.0 - SPREAD, 1.0 + SPREAD)
}

/// Limits `x` smoothly: x / ⁴√(1 + (x/most)⁴). Small values are nearly unchanged, and no value exceeds `most`.
fn bounded(x: f64, most: f64) -> f64 {
    let share = x / most;
    let square = share * share;
    x / (1.0 + square * square).sqrt().sqrt()
}

#[cfg(test)]
mod tests;
