//! Weight shifts: who stands for long stands on one leg, then on the other.
//!
//! The hips go over one foot, the knee of the other leg gives way, the hips tilt towards it, and the
//! trunk bends against that, so that the head stays upright. Under it all is the faint sway of every
//! standing body. The feet stay where they are.
//!
//! ```
//! use vivant::body::sway::Sway;
//! let mut sway = Sway::new(7);
//! let far = (0..60).map(|t| sway.advance(f64::from(t)).abs()).fold(0.0, f64::max);
//! assert!((0.8..1.2).contains(&far), "within a minute the weight was on a leg");
//! ```

use crate::agenda::Agenda;
use crate::body::drift::{Drift, Eight, is_time, roll_eight};
use crate::chance::Chance;
use crate::math::{atan2_32, least, pow};
use crate::pose::Rotations;
use crate::rig::{Bone, Rig};
use glam::{Quat, Vec3};

/// From one shift of weight to the next: from 8 to 30 s, equal ratios equally likely (our design).
pub const INTERVAL_SECS: [f64; 2] = [8.0, 30.0];
/// How far the hips go to a side on an adult whose hips are 0.925 m high: 2.5 cm, times 0.8 to 1.2 (our
/// design).
const SHIFT_M: f32 = 0.025;
const SHIFT_SPREAD: [f64; 2] = [0.8, 1.2];
const HIPS_HEIGHT_M: f32 = 0.925;
/// How long a shift takes (our design).
const SHIFT_SECS: [f64; 2] = [1.4, 2.6];
/// How far the knee of the free leg gives way at 2.5 cm, in radians: 9° (our design).
const KNEE_RAD: f32 = 0.157;
/// How long the body takes to stop swaying, or to begin.
const SHARE_SECS: f64 = 0.8;
/// The postural sway: four sines, two to the sides and two to front and back, in hertz and metres. The
/// centre of a quietly standing body moves by some millimetres, most of it below 0.3 Hz (our design).
const RATES_HZ: [f64; 4] = [0.1127, 0.2719, 0.0831, 0.1953];
const AMPLITUDES_M: [f32; 4] = [0.0016, 0.0007, 0.0030, 0.0012];

/// The sway of one character.
#[derive(Clone, Debug)]
pub struct Sway {
    chance: Chance,
    shifts: u64,
    /// Whether somebody wanted it where it was already, so that turns are the other way round.
    is_out_of_turn: bool,
    /// On which leg the weight is: 1 the left, −1 the right, up to a fifth more or less.
    weight: Drift,
    share: Drift,
    next_shift: f64,
    /// Periods a second and phases of the sines.
    rates: [f64; 4],
    phases: [f64; 4],
    /// Shares that were asked for.
    asked: Agenda<f64>,
    now: f64,
}

impl Sway {
    /// Someone who stands on both legs at time zero.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let chance = Chance::new(seed, "sway");
        let mut draw = chance.event(0);
        let rates = RATES_HZ.map(|hertz| hertz * draw.between(0.9, 1.1));
        let phases = RATES_HZ.map(|_| draw.uniform());
        let next_shift = 0.5 * interval_secs(draw.uniform());
        Self {
            chance,
            shifts: 0,
            is_out_of_turn: false,
            weight: Drift::at_rest(0.0),
            share: Drift::at_rest(1.0),
            next_shift,
            rates,
            phases,
            asked: Agenda::with_capacity(8),
            now: 0.0,
        }
    }

    /// How much of it is to be seen: 0 when the legs do something or the body sits, 1 when it stands.
    pub fn set_share(&mut self, at: f64, share: f64) {
        if is_time(at) && !share.is_nan() {
            self.asked.insert(at.max(self.now), share.clamp(0.0, 1.0));
        }
    }

    /// Puts the weight onto a leg, now: 1 the left one, −1 the right one. It stays there as long as it does anywhere.
    pub fn shift_to(&mut self, at: f64, side: f64) {
        if is_time(at) && !side.is_nan() {
            self.advance_to(at);
            self.shift(self.now, Some(side));
        }
    }

    /// Returns when something happens next, in seconds.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        least(self.asked.next_at(), self.next_shift)
    }

    /// Everything that is due by then, in order, each at its own time; then it is `at`.
    pub fn advance_to(&mut self, at: f64) {
        if !is_time(at) {
            return;
        }
        while self.next_event() <= at {
            let due = self.next_event();
            self.now = self.now.max(due);
            if let Some((_, share)) = self.asked.pop_due(due) {
                self.share = self.share.onward(due, share, SHARE_SECS);
            } else {
                self.shift(due, None);
            }
        }
        self.now = self.now.max(at);
    }

    /// The weight goes to the side that is wanted, or else to the other leg; the first time, to either.
    fn shift(&mut self, at: f64, wanted: Option<f64>) {
        self.shifts += 1;
        let mut draw = self.chance.event(self.shifts);
        let [least, most] = SHIFT_SPREAD;
        let size = draw.between(least, most);
        let [quickest, slowest] = SHIFT_SECS;
        let secs = draw.between(quickest, slowest);
        self.next_shift = at + interval_secs(draw.uniform());
        let by_turns =
            (self.shifts + u64::from(self.phases[0] < 0.5)).is_multiple_of(2) != self.is_out_of_turn;
        let to_left = wanted.map_or(by_turns, |side| side > 0.0);
        self.is_out_of_turn ^= to_left != by_turns;
        self.weight = self.weight.onward(at, if to_left { size } else { -size }, secs);
    }

    /// On which leg the weight is: 1 the left one, −1 the right one, 0 both; as far as it is to be seen.
    #[must_use]
    pub fn weight(&self, t: f64) -> f64 {
        self.weight.position(t) * self.share.position(t)
    }

    /// Sways on and tells where the weight is: [`advance_to`](Self::advance_to) and [`weight`](Self::weight) in one.
    pub fn advance(&mut self, t: f64) -> f64 {
        self.advance_to(t);
        self.weight(t)
    }

    /// The postural sway alone, in metres of an adult's hips: to the left, and to the front.
    #[inline]
    fn posture(&self, t: f64) -> [f32; 2] {
        let turns = std::array::from_fn(|i| t * self.rates[i] + self.phases[i]);
        let waves = waves_of(turns);
        let [a, b, c, d] = AMPLITUDES_M;
        [a * waves[0] + b * waves[1], c * waves[2] + d * waves[3]]
    }

    /// Moves the hips and turns the bones that hold head and feet where they were.
    pub fn add(&self, t: f64, rig: &SwayRig, rotations: &mut Rotations, root: &mut Vec3) {
        let share = self.share.position(t);
        let weight = (self.weight.position(t) * share) as f32;
        // What is no number is no time; and who does not stand does not sway.
        if rig.stands && share != 0.0 && t.is_finite() {
            let [side, front] = self.posture(t);
            rig.stand(weight, [side * share as f32, front * share as f32], rotations, root);
        }
    }
}

fn interval_secs(u: f64) -> f64 {
    let [shortest, longest] = INTERVAL_SECS;
    shortest * pow(longest / shortest, u)
}

/// About the sines of so many turns: within 0.2 %, with a velocity and an acceleration that are
/// continuous, for a fifth of the cost. Two zeros, the peak, and no acceleration at the zeros fix the
/// polynomial.
#[inline]
fn waves_of(turns: [f64; 4]) -> [f32; 4] {
    // Beyond 2⁵² there are no fractions: adding three halves of it and taking it away again rounds.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let mut waves = [0.0; 4];
    for i in 0..4 {
        waves[i] = (turns[i] - ((turns[i] + ROUND) - ROUND)) as f32;
    }
    for u in &mut waves {
        let square = *u * *u;
        *u *= (1.0 - 4.0 * square) * (6.272_809_4 + square * (-15.841_012 + square * 12.950_316));
    }
    waves
}

/// What swaying needs to know of an avatar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwayRig {
    /// Whether it has two legs to stand on. Without, it does not sway.
    stands: bool,
    /// This avatar's hips are so many times as high as an adult's.
    size: f32,
    legs: [Leg; 2],
    /// 1 / the way from hip joint to hip joint.
    per_width: f32,
    /// How far the hip joints are below the hips.
    below: f32,
    /// How the trunk turns for each radian that the hips roll: half of it, for the first eight bones.
    trunk: [f32; 8],
}

/// A leg at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Leg {
    /// How far the hip joint rises for each metre to the side (x) and to the front (z), and for the square
    /// of both (y).
    slope: Vec3,
    /// From hip joint to ankle, half of it, by the length squared.
    lean: Vec3,
    /// Half of how far the thigh turns when the knee bends, so that the ankle stays in line: in β and β².
    thigh: [f32; 2],
    /// By how much the leg is shorter then.
    shorter: [f32; 2],
}

/// Where a parabola through zero is measured to draw it: over the bends that there are.
const BENDS_RAD: [f32; 2] = [0.11, 0.22];

/// How the trunk answers a roll of the hips: against it and beyond, so that the shoulders tilt the other
/// way, and the neck makes up for that (our design: the contrapposto).
const AGAINST: [(Bone, f32); 3] = [(Bone::Spine, -0.7), (Bone::Chest, -0.5), (Bone::Neck, 0.2)];

impl SwayRig {
    /// What it needs to know of this one. Bones that it lacks are left out, and their neighbours do their
    /// part.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let has = |bone: Bone| rig.bones().contains(bone);
        let hip = [Bone::LeftUpperLeg, Bone::RightUpperLeg].map(|bone| rig.rest_translation(bone));
        let legs = [Leg::new(rig, Bone::LeftUpperLeg), Leg::new(rig, Bone::RightUpperLeg)];
        let width = hip[0].x - hip[1].x;
        let mut trunk = [0.0; 8];
        trunk[Bone::Hips.index()] = 0.5;
        for (bone, part) in AGAINST {
            let there = [bone, Bone::Spine, Bone::Chest, Bone::Head].into_iter().find(|b| has(*b));
            trunk[there.unwrap_or(bone).index()] += 0.5 * part * f32::from(u8::from(there.is_some()));
        }
        Self {
            stands: legs.iter().all(|leg| leg.slope != Vec3::ZERO) && width > 0.02 && has(Bone::Hips),
            size: rig.hips_height() / HIPS_HEIGHT_M,
            legs,
            per_width: 1.0 / width.max(0.02),
            below: -0.5 * (hip[0].y + hip[1].y),
            trunk,
        }
    }

    fn stand(&self, weight: f32, [side, front]: [f32; 2], rotations: &mut Rotations, root: &mut Vec3) {
        let side = self.size * (side + SHIFT_M * weight);
        let front = self.size * front;
        // The free leg's knee gives way: the right one's when the weight is on the left.
        let bend = KNEE_RAD * weight * weight;
        let knees = if weight < 0.0 { [bend, 0.0] } else { [0.0, bend] };
        let [left, right] = &self.legs;
        let rises = [left.rise(side, front, knees[0]), right.rise(side, front, knees[1])];
        let roll = (rises[0] - rises[1]) * self.per_width;
        *root += Vec3::new(side - self.below * roll, 0.5 * (rises[0] + rises[1]), front);
        roll_eight(&self.trunk, roll, Bone::Hips.index(), rotations);
        let mut turn = Eight::default();
        left.put::<0>(Vec3::new(side, rises[0], front), knees[0], roll, &mut turn);
        right.put::<4>(Vec3::new(side, rises[1], front), knees[1], roll, &mut turn);
        turn.turn(Bone::LeftUpperLeg.index(), rotations);
    }
}

impl Leg {
    /// The leg whose thigh this is; one of no use if it does not lead down.
    fn new(rig: &Rig, thigh: Bone) -> Self {
        let [shin, foot] = [1, 2].map(|i| Bone::ALL[thigh.index() + i]);
        let [upper, lower] = [shin, foot].map(|bone| rig.rest_translation(bone));
        let down = upper + lower;
        let whole = [thigh, shin, foot].into_iter().all(|bone| rig.bones().contains(bone));
        // Steeper than 45°, with a thigh and a shin.
        if !whole || -down.y < 0.7 * down.length() || upper.y > -0.02 || lower.y > -0.02 {
            return Self::default();
        }
        let bent = BENDS_RAD.map(|bend| upper + Quat::from_rotation_x(bend) * lower);
        Self {
            slope: Vec3::new(down.x, -0.5, down.z) / -down.y,
            lean: down * (0.5 / down.length_squared()),
            thigh: parabola(bent.map(|bent| 0.5 * angle_about_x(bent, down))),
            shorter: parabola(bent.map(|bent| down.length() - bent.length())),
        }
    }

    /// How far the hip joint rises when it moves to the side and to the front while the ankle stays.
    #[inline]
    fn rise(&self, side: f32, front: f32, knee: f32) -> f32 {
        self.slope.x * side + self.slope.z * front + self.slope.y * (side * side + front * front)
            - along(self.shorter, knee)
    }

    /// Writes what thigh, shin and foot do, if the hip joint has moved so far and the hips have rolled.
    #[inline]
    fn put<const FIRST: usize>(&self, moved: Vec3, knee: f32, roll: f32, turn: &mut Eight) {
        // The leg's lean is half of moved × down / length²; that it turns about itself a little does not
        // move the ankle.
        let lean_x = moved.y * self.lean.z - moved.z * self.lean.y;
        let lean_z = moved.x * self.lean.y - moved.y * self.lean.x;
        let [thigh, shin] = [along(self.thigh, knee), 0.5 * knee];
        let hip = lean_z - 0.5 * roll;
        // The product of two small turns is their sum and their cross product, and that is a millimetre
        // at the ankle: lean · bend for the thigh, and the way back for the foot.
        turn.x[FIRST] = lean_x + thigh;
        turn.y[FIRST] = hip * thigh;
        turn.z[FIRST] = hip;
        turn.x[FIRST + 1] = shin;
        let foot = -(thigh + shin);
        turn.x[FIRST + 2] = foot - lean_x;
        turn.y[FIRST + 2] = foot * lean_z;
        turn.z[FIRST + 2] = -lean_z;
    }
}

/// The parabola a·β + b·β² that has these values at [`BENDS_RAD`].
fn parabola(values: [f32; 2]) -> [f32; 2] {
    let [one, two] = [values[0] / BENDS_RAD[0], values[1] / BENDS_RAD[1]];
    let square = (two - one) / (BENDS_RAD[1] - BENDS_RAD[0]);
    [one - square * BENDS_RAD[0], square]
}

#[inline]
fn along([linear, square]: [f32; 2], bend: f32) -> f32 {
    bend * (linear + bend * square)
}

/// How far about X it is from one direction to another.
fn angle_about_x(from: Vec3, to: Vec3) -> f32 {
    atan2_32(from.y * to.z - from.z * to.y, from.y * to.y + from.z * to.z)
}

#[cfg(test)]
mod tests;
