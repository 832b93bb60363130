//! Weight shifts: standing people shift their weight from one leg to the other.
//!
//! The hips move over one foot, the knee of the other leg bends, the hips tilt towards the bent knee, and the trunk
//! bends in the opposite direction, so that the head stays upright. A faint postural sway is added. The feet stay in
//! place.
//!
//! ```
//! use vivant::body::sway::Sway;
//! let mut sway = Sway::new(7);
//! let far = (0..60).map(|t| sway.advance(f64::from(t)).abs()).fold(0.0, f64::max);
//! assert!((0.8..1.2).contains(&far), "within a minute the weight was on a leg");
//! ```

use crate::agenda::Agenda;
use crate::body::drift::{Drift, Eight, is_valid_time, roll_eight};
use crate::chance::Chance;
use crate::math::{atan2_32, fast_min, pow};
use crate::pose::Rotations;
use crate::rig::{Bone, Rig};
use glam::{Quat, Vec3};

/// Interval between weight shifts: 8 to 30 s, log-uniform (our design).
pub const INTERVAL_SECS: [f64; 2] = [8.0, 30.0];
/// Lateral movement of an adult's hips in a weight shift, in metres (our design).
const SHIFT_M: f32 = 0.025;
/// Minimum and maximum distance of a shift, as factors of `SHIFT_M` (our design).
const SHIFT_SPREAD: [f64; 2] = [0.8, 1.2];
/// Height of an adult's hips in metres. Distances are scaled by the height of the avatar's hips.
const HIPS_HEIGHT_M: f32 = 0.925;
/// Minimum and maximum duration of a shift in seconds (our design).
const SHIFT_SECS: [f64; 2] = [1.4, 2.6];
/// Bend of the free knee when the hips move by `SHIFT_M`, in radians: 9° (our design).
const KNEE_RAD: f32 = 0.157;
/// Duration in seconds of fading sway in or out.
const SHARE_SECS: f64 = 0.8;
/// Frequencies of the four sines of postural sway in hertz: two lateral, and two forwards and back. The centre of
/// mass of a person standing quietly moves by some millimetres, mostly below 0.3 Hz (our design).
const RATES_HZ: [f64; 4] = [0.1127, 0.2719, 0.0831, 0.1953];
/// Amplitudes of the same sines in metres (our design).
const AMPLITUDES_M: [f32; 4] = [0.0016, 0.0007, 0.0030, 0.0012];

/// Weight shifts and postural sway of one character.
#[derive(Clone, Debug)]
pub struct Sway {
    chance: Chance,
    shifts: u64,
    /// True if a requested shift went to the side that already carried the weight. The alternation of sides is then
    /// reversed.
    is_alternation_reversed: bool,
    /// Leg that carries the weight: 0.8 to 1.2 is left, −1.2 to −0.8 is right, 0 is both.
    weight: Drift,
    share: Drift,
    next_shift: f64,
    /// Frequencies of the sines in hertz.
    rates: [f64; 4],
    /// Phases of the sines in turns, from 0 to 1.
    phases: [f64; 4],
    /// Scheduled changes of the visible share.
    events: Agenda<f64>,
    now: f64,
}

impl Sway {
    /// Creates the sway of a character that stands on both legs at time 0.
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
            is_alternation_reversed: false,
            weight: Drift::at_rest(0.0),
            share: Drift::at_rest(1.0),
            next_shift,
            rates,
            phases,
            events: Agenda::with_capacity(8),
            now: 0.0,
        }
    }

    /// Sets the visible share of sway, from 0 to 1: 0 when the legs move or the character sits, 1 when it stands.
    pub fn set_share(&mut self, at: f64, share: f64) {
        if is_valid_time(at) && !share.is_nan() {
            self.events.insert(at.max(self.now), share.clamp(0.0, 1.0));
        }
    }

    /// Shifts the weight to a leg at `at`: `side` is 1 for left and −1 for right. The next spontaneous shift comes
    /// after the usual interval.
    pub fn shift_to(&mut self, at: f64, side: f64) {
        if is_valid_time(at) && !side.is_nan() {
            self.advance_to(at);
            self.shift(self.now, Some(side));
        }
    }

    /// Time of the next event in seconds.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        fast_min(self.events.next_at(), self.next_shift)
    }

    /// Processes all events up to `at`, each at its own time.
    pub fn advance_to(&mut self, at: f64) {
        if !is_valid_time(at) {
            return;
        }
        while self.next_event() <= at {
            let due = self.next_event();
            self.now = self.now.max(due);
            if let Some((_, share)) = self.events.pop_due(due) {
                self.share = self.share.continue_to(due, share, SHARE_SECS);
            } else {
                self.shift(due, None);
            }
        }
        self.now = self.now.max(at);
    }

    /// Shifts the weight to the `wanted` side, or to the other leg if no side is given. The leg of the first shift is
    /// random.
    fn shift(&mut self, at: f64, wanted: Option<f64>) {
        self.shifts += 1;
        let mut draw = self.chance.event(self.shifts);
        let [least, most] = SHIFT_SPREAD;
        let size = draw.between(least, most);
        let [quickest, slowest] = SHIFT_SECS;
        let secs = draw.between(quickest, slowest);
        self.next_shift = at + interval_secs(draw.uniform());
        let by_turns =
            (self.shifts + u64::from(self.phases[0] < 0.5)).is_multiple_of(2) != self.is_alternation_reversed;
        let to_left = wanted.map_or(by_turns, |side| side > 0.0);
        self.is_alternation_reversed ^= to_left != by_turns;
        self.weight = self.weight.continue_to(at, if to_left { size } else { -size }, secs);
    }

    /// Leg that carries the weight, scaled by the visible share: 1 is left, −1 is right, 0 is both.
    #[must_use]
    pub fn weight(&self, t: f64) -> f64 {
        self.weight.position(t) * self.share.position(t)
    }

    /// Advances to `t` and returns the weight: [`advance_to`](Self::advance_to) and [`weight`](Self::weight) in one
    /// call.
    pub fn advance(&mut self, t: f64) -> f64 {
        self.advance_to(t);
        self.weight(t)
    }

    /// Postural sway of an adult's hips in metres: to the left, and forwards.
    #[inline]
    fn posture(&self, t: f64) -> [f32; 2] {
        let turns = std::array::from_fn(|i| t * self.rates[i] + self.phases[i]);
        let waves = waves_of(turns);
        let [a, b, c, d] = AMPLITUDES_M;
        [a * waves[0] + b * waves[1], c * waves[2] + d * waves[3]]
    }

    /// Adds the sway at `t` to a pose: moves the hips, and rotates the bones that keep head and feet in place.
    pub fn add(&self, t: f64, rig: &SwayRig, rotations: &mut Rotations, root: &mut Vec3) {
        let share = self.share.position(t);
        let weight = (self.weight.position(t) * share) as f32;
        // Ignores non-finite times. A character that does not stand does not sway.
        if rig.can_stand && share != 0.0 && t.is_finite() {
            let [side, front] = self.posture(t);
            rig.apply(weight, [side * share as f32, front * share as f32], rotations, root);
        }
    }
}

fn interval_secs(u: f64) -> f64 {
    let [shortest, longest] = INTERVAL_SECS;
    shortest * pow(longest / shortest, u)
}

/// Approximates sin(2π·turns): within 0.2 %, with continuous velocity and acceleration, for a fifth of the cost. The
/// polynomial is determined by two zeros, the peak, and zero acceleration at the zeros.
#[inline]
fn waves_of(turns: [f64; 4]) -> [f32; 4] {
    // Doubles above 2⁵² have no fractions: adding and subtracting 1.5 · 2⁵² rounds to an integer.
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

/// Geometry of an avatar that sway needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwayRig {
    /// True if the avatar has two legs to stand on. Otherwise it does not sway.
    can_stand: bool,
    /// Height of the hips, relative to an adult.
    size: f32,
    legs: [Leg; 2],
    /// 1 / the distance between the hip joints, in 1/m.
    per_width: f32,
    /// Distance of the hip joints below the hips, in metres.
    below: f32,
    /// Rotation of the trunk per radian of hip roll: half angles, for the first eight bones.
    trunk: [f32; 8],
}

/// Geometry of a leg at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Leg {
    /// Rise of the hip joint per metre sideways (x) and forwards (z), and per squared metre of both (y).
    slope: Vec3,
    /// Half the vector from hip joint to ankle, divided by its squared length.
    lean: Vec3,
    /// Half the rotation of the thigh when the knee bends by β, so that the ankle stays in line: coefficients of β
    /// and β².
    thigh: [f32; 2],
    /// Shortening of the leg when the knee bends by β: coefficients of β and β².
    shorter: [f32; 2],
}

/// Knee bends at which the parabolas are fitted, in radians. They cover the range that is used.
const BENDS_RAD: [f32; 2] = [0.11, 0.22];

/// Rotation of each bone that compensates a roll of the hips, as a fraction of that roll. Spine and chest
/// over-compensate, so that the shoulders tilt the other way; the neck corrects the difference (our design:
/// contrapposto).
const COUNTER_ROLL: [(Bone, f32); 3] = [(Bone::Spine, -0.7), (Bone::Chest, -0.5), (Bone::Neck, 0.2)];

impl SwayRig {
    /// Derives the data for an avatar. Neighbouring bones take over the share of missing bones.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let has = |bone: Bone| rig.bones().contains(bone);
        let hip = [Bone::LeftUpperLeg, Bone::RightUpperLeg].map(|bone| rig.rest_translation(bone));
        let legs = [Leg::new(rig, Bone::LeftUpperLeg), Leg::new(rig, Bone::RightUpperLeg)];
        let width = hip[0].x - hip[1].x;
        let mut trunk = [0.0; 8];
        trunk[Bone::Hips.index()] = 0.5;
        for (bone, part) in COUNTER_ROLL {
            let there = [bone, Bone::Spine, Bone::Chest, Bone::Head].into_iter().find(|b| has(*b));
            trunk[there.unwrap_or(bone).index()] += 0.5 * part * f32::from(u8::from(there.is_some()));
        }
        Self {
            can_stand: legs.iter().all(|leg| leg.slope != Vec3::ZERO) && width > 0.02 && has(Bone::Hips),
            size: rig.hips_height() / HIPS_HEIGHT_M,
            legs,
            per_width: 1.0 / width.max(0.02),
            below: -0.5 * (hip[0].y + hip[1].y),
            trunk,
        }
    }

    fn apply(&self, weight: f32, [side, front]: [f32; 2], rotations: &mut Rotations, root: &mut Vec3) {
        let side = self.size * (side + SHIFT_M * weight);
        let front = self.size * front;
        // The knee of the free leg bends: the right knee when the weight is on the left leg.
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
    /// Derives a leg from its thigh bone; returns an unusable leg if the leg does not point down.
    fn new(rig: &Rig, thigh: Bone) -> Self {
        let [shin, foot] = [1, 2].map(|i| Bone::ALL[thigh.index() + i]);
        let [upper, lower] = [shin, foot].map(|bone| rig.rest_translation(bone));
        let down = upper + lower;
        let whole = [thigh, shin, foot].into_iter().all(|bone| rig.bones().contains(bone));
        // The leg must be steeper than 45° and have a thigh and a shin.
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

    /// Rise of the hip joint when it moves sideways and forwards while the ankle stays in place.
    #[inline]
    fn rise(&self, side: f32, front: f32, knee: f32) -> f32 {
        self.slope.x * side + self.slope.z * front + self.slope.y * (side * side + front * front)
            - eval_parabola(self.shorter, knee)
    }

    /// Writes the rotations of thigh, shin and foot for a moved hip joint and rolled hips.
    #[inline]
    fn put<const FIRST: usize>(&self, moved: Vec3, knee: f32, roll: f32, turn: &mut Eight) {
        // The leg's lean is half of moved × down / length²; a small twist about its own axis does not move the ankle.
        let lean_x = moved.y * self.lean.z - moved.z * self.lean.y;
        let lean_z = moved.x * self.lean.y - moved.y * self.lean.x;
        let [thigh, shin] = [eval_parabola(self.thigh, knee), 0.5 * knee];
        let hip = lean_z - 0.5 * roll;
        // The product of two small rotations is their sum plus their cross product, which is about a millimetre at
        // the ankle: lean · bend for the thigh, and its inverse for the foot.
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

/// Returns the parabola a·β + b·β² with these values at [`BENDS_RAD`].
fn parabola(values: [f32; 2]) -> [f32; 2] {
    let [one, two] = [values[0] / BENDS_RAD[0], values[1] / BENDS_RAD[1]];
    let square = (two - one) / (BENDS_RAD[1] - BENDS_RAD[0]);
    [one - square * BENDS_RAD[0], square]
}

#[inline]
fn eval_parabola([linear, square]: [f32; 2], bend: f32) -> f32 {
    bend * (linear + bend * square)
}

/// Angle about X from one direction to another.
fn angle_about_x(from: Vec3, to: Vec3) -> f32 {
    atan2_32(from.y * to.z - from.z * to.y, from.y * to.y + from.z * to.z)
}

#[cfg(test)]
mod tests;
