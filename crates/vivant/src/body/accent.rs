//! Small nods and raised brows that go with stressed words.
//!
//! Who speaks moves the head with the stress, a few degrees and about as long as a syllable or two (Hadar and others
//! 1983: the ordinary movements of speakers are between 1.8 and 3.7 a second; Graf and others 2002: nods on pitch
//! accents last two to four sounds), and now and then the brows go up with it, beginning just before (Flecha-García
//! 2010: 60 ms before the accented syllable). These movements are too many
//! and too small for clips, so they are made, and added to whatever the layers play.
//!
//! An accent is a pulse: up and down again with least jerk. The whole is a function of the accents that were told and of
//! the time, and needs no events. What overlaps is summed and bounded smoothly.
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

use crate::body::drift::{Drift, is_time, pitch_eight, roll_eight};
use crate::chance::{Chance, Draw};
use crate::pose::Rotations;
use crate::rig::{Bone, Channel, Expression, Rig};

/// How far a head nods with the least and the most stress, in degrees (ours).
const NOD_DEG: [f64; 2] = [2.2, 5.2];
/// How long a nod takes, likewise, in seconds (Hadar and others 1983: 1.8 to 3.7 a second).
const NOD_SECS: [f64; 2] = [0.4, 0.52];
/// The share of a nod in which the head goes down (ours: down is quicker than up).
const DOWN_SHARE: f64 = 0.45;
/// How far and how long nods differ, as a share (ours).
const SPREAD: f64 = 0.12;
/// The head does not go down farther than this by accents alone, in degrees (ours).
const MOST_NOD_DEG: f64 = 8.0;

/// How far a head tilts, in degrees; how long it takes to, stays, and takes back, in seconds (ours).
const TILT_DEG: [f64; 2] = [2.0, 4.0];
const TILT_SECS: [f64; 3] = [0.4, 0.5, 0.6];
const MOST_TILT_DEG: f64 = 6.0;

/// The weight of raised brows with the least and the most stress (ours).
const BROWS: [f64; 2] = [0.25, 0.4];
/// Brows begin to rise this long before the stress, in seconds (Flecha-García 2010).
const BROWS_LEAD_SECS: f64 = 0.06;
/// How long they take to rise, and to fall, in seconds (ours).
const BROWS_SECS: [f64; 2] = [0.18, 0.3];
/// They rise no higher than this.
const MOST_BROWS: f64 = 0.6;
/// The longest time that brows are held up, in seconds.
const LONGEST_HOLD_SECS: f64 = 10.0;

/// The neck's part of nods and tilts; the head does the rest (ours).
const NECK_SHARE: f32 = 0.4;

/// What runs when accents are to be forgotten is gone within this time, in seconds.
pub const FORGET_SECS: f64 = 0.15;

/// The most accents that are known at a time; more are not heeded. At four a second, they reach 16 s ahead.
pub const MOST: usize = 64;

/// What an accent moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Nod,
    Tilt,
    Brows,
}

/// From rest to somewhere and back.
#[derive(Clone, Copy, Debug)]
struct Pulse {
    what: What,
    /// Out, back, and what takes their place if it is forgotten; each with the time from which it holds.
    parts: [(f64, Drift); 3],
}

impl Pulse {
    fn new(what: What, begins: f64, size: f64, [out, hold, back]: [f64; 3]) -> Self {
        let rise = Drift::at_rest(0.0).onward(begins, size, out);
        let turns = begins + out + hold;
        let fall = rise.onward(turns, 0.0, back);
        Self { what, parts: [(begins, rise), (turns, fall), (f64::INFINITY, fall)] }
    }

    fn begins(&self) -> f64 {
        self.parts[0].0
    }

    fn ends(&self) -> f64 {
        let [_, fall, forgotten] = &self.parts;
        if forgotten.0 < f64::INFINITY { forgotten.1.ends() } else { fall.1.ends() }
    }

    /// The part that holds at a time.
    fn part(&self, t: f64) -> &Drift {
        let later = self.parts.iter().rev().find(|(from, _)| *from <= t);
        &later.unwrap_or(&self.parts[0]).1
    }

    fn position(&self, t: f64) -> f64 {
        if t <= self.begins() || t >= self.ends() { 0.0 } else { self.part(t).position(t) }
    }

    fn forget(&mut self, at: f64) {
        let from = *self.part(at);
        // What is nearly over need not hurry.
        if self.ends() - at > FORGET_SECS {
            self.parts[2] = (at, from.onward(at, 0.0, FORGET_SECS));
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
    /// None yet. The same seed gives the same nods.
    #[must_use]
    pub fn new(rig: &Rig, seed: u64) -> Self {
        let chance = Chance::new(seed, "accents");
        Self { pulses: Vec::with_capacity(MOST), chance, rig: AccentRig::new(rig) }
    }

    /// Nods, lowest at `at`, by a strength from 0 to 1. What cannot begin in time any more begins `now`.
    pub fn nod(&mut self, now: f64, at: f64, strength: f64) {
        let Some((mut draw, strength)) = self.tell(What::Nod, now, at, strength) else { return };
        let size = between(NOD_DEG, strength) * spread(&mut draw);
        let secs = between(NOD_SECS, strength) * spread(&mut draw);
        let down = secs * DOWN_SHARE;
        self.put(Pulse::new(What::Nod, now.max(at - down), size, [down, 0.0, secs - down]));
    }

    /// Raises the brows with a word at `at` by a strength from 0 to 1, and holds them up for so many seconds.
    pub fn brows(&mut self, now: f64, at: f64, strength: f64, secs: f64) {
        let Some((mut draw, strength)) = self.tell(What::Brows, now, at, strength) else { return };
        let size = between(BROWS, strength) * spread(&mut draw);
        let hold = if secs.is_nan() { 0.0 } else { secs.clamp(0.0, LONGEST_HOLD_SECS) };
        let [up, down] = BROWS_SECS;
        self.put(Pulse::new(What::Brows, now.max(at - BROWS_LEAD_SECS), size, [up, hold, down]));
    }

    /// Tilts the head to one side, as one does who asks or doubts; it is there at `at`. The side is 1 for the left and −1
    /// for the right; without one chance decides.
    pub fn tilt(&mut self, now: f64, at: f64, strength: f64, side: Option<f64>) {
        let Some((mut draw, strength)) = self.tell(What::Tilt, now, at, strength) else { return };
        let size = between(TILT_DEG, strength) * spread(&mut draw);
        let chance = if draw.uniform() < 0.5 { -1.0 } else { 1.0 };
        // A turn about the axis ahead takes the top of the head to the right.
        let side = side.map_or(chance, |side| -side);
        self.put(Pulse::new(What::Tilt, now.max(at - TILT_SECS[0]), side * size, TILT_SECS));
    }

    /// What has not begun by `at` is forgotten, and what runs then is gone [soon](FORGET_SECS), without a jump.
    pub fn forget_after(&mut self, at: f64) {
        if is_time(at) {
            self.pulses.retain(|pulse| pulse.begins() < at);
            for pulse in self.pulses.iter_mut().filter(|pulse| pulse.ends() > at) {
                pulse.forget(at);
            }
        }
    }

    /// Whether there is anything to show at a time or later.
    #[must_use]
    pub fn is_any(&self, t: f64) -> bool {
        self.pulses.iter().any(|pulse| pulse.ends() > t)
    }

    /// How far the head is down by accents, in degrees.
    #[must_use]
    pub fn pitch_deg(&self, t: f64) -> f64 {
        bounded(self.sum(What::Nod, t), MOST_NOD_DEG)
    }

    /// How far the head is tilted, in degrees; to the character's right is positive.
    #[must_use]
    pub fn roll_deg(&self, t: f64) -> f64 {
        bounded(self.sum(What::Tilt, t), MOST_TILT_DEG)
    }

    /// How far the brows are up, as a weight.
    #[must_use]
    pub fn brows_weight(&self, t: f64) -> f64 {
        bounded(self.sum(What::Brows, t), MOST_BROWS).max(0.0)
    }

    /// Adds them to a pose and its expressions. Does not allocate.
    pub fn add(&self, t: f64, rotations: &mut Rotations, weights: &mut [f32]) {
        // Most of the time there is none.
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

    fn sum(&self, what: What, t: f64) -> f64 {
        self.pulses.iter().filter(|pulse| pulse.what == what).map(|pulse| pulse.position(t)).sum()
    }

    /// Makes room for an accent, if it is one. What is drawn for it depends on its time alone: it does not matter what was
    /// thought before the time of its word was known.
    fn tell(&mut self, what: What, now: f64, at: f64, strength: f64) -> Option<(Draw, f64)> {
        let is_one = is_time(now) && is_time(at) && strength > 0.0;
        self.pulses.retain(|pulse| pulse.ends() > now);
        if !is_one || self.pulses.len() >= MOST {
            return None;
        }
        Some((self.chance.event(at.to_bits().wrapping_add(what as u64)), strength.min(1.0)))
    }

    fn put(&mut self, pulse: Pulse) {
        self.pulses.push(pulse);
    }
}

/// What of it an avatar can show.
#[derive(Clone, Copy, Debug)]
struct AccentRig {
    /// How much of a turn of the head each of the first eight bones does.
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

/// Small numbers as they are, and no number beyond the most: x / ⁴√(1 + (x/most)⁴), which is smooth everywhere.
fn bounded(x: f64, most: f64) -> f64 {
    let share = x / most;
    let square = share * share;
    x / (1.0 + square * square).sqrt().sqrt()
}

#[cfg(test)]
mod tests;
