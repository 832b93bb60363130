//! Division of a gaze shift between eyes, head and torso (paper 2, section 3).
//!
//! The model interpolates between two extremes. The *head-mover* (HM) points the head at the target, as far as the
//! head can turn; the *non-mover* (NM) keeps the head still as long as the eyes reach the target. A character's
//! head-movement factor (HMF) lies between them: H_f = slerp(NM, HM, HMF). This module only computes where a shift
//! ends; [`Eyes`](super::Eyes) computes the movement.
//!
//! ```
//! use vivant::eyes::{direction::Direction, gaze::{GazePreset, Ranges, Shift}};
//! let shift = Shift { preset: GazePreset::Peters, ..Shift::to(Direction::new(30.0, 0.0), 0.5) };
//! let plan = shift.plan(&Ranges::default());
//! assert!((plan.head.yaw_deg - 15.0).abs() < 1e-9 && (plan.eye.yaw_deg - 15.0).abs() < 1e-9);
//! ```

use crate::eyes::direction::{Direction, angle_between_deg, slerp};
use crate::eyes::glide::Glide;
use crate::math::{cos, pow, sin, tan};
use crate::rig::{Bone, EyeControl, Rig, RotationLimit};
use glam::{DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// Rotation limits in degrees from straight ahead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Range {
    /// Limit to each side.
    pub yaw_deg: f64,
    /// Limit upwards.
    pub up_deg: f64,
    /// Limit downwards.
    pub down_deg: f64,
}

impl Range {
    /// No rotation at all.
    pub const NONE: Self = Self { yaw_deg: 0.0, up_deg: 0.0, down_deg: 0.0 };

    /// Clamps a direction to the range: yaw and pitch separately.
    #[must_use]
    pub fn clamp(&self, d: Direction) -> Direction {
        let yaw = d.yaw_deg.clamp(-self.yaw_deg, self.yaw_deg);
        Direction::new(yaw, d.pitch_deg.clamp(-self.down_deg, self.up_deg))
    }

    /// Returns true if a direction lies within the range, up to rounding errors.
    #[must_use]
    pub fn contains(&self, d: Direction) -> bool {
        const ROUNDING_DEG: f64 = 1e-9;
        let held = self.clamp(d);
        (held.yaw_deg - d.yaw_deg).abs() <= ROUNDING_DEG
            && (held.pitch_deg - d.pitch_deg).abs() <= ROUNDING_DEG
    }

    fn of(limit: Option<RotationLimit>) -> Self {
        let Some(limit) = limit else { return Self::NONE };
        let degrees = |radians: f32| f64::from(radians).to_degrees();
        Self {
            yaw_deg: degrees(limit.yaw[1].min(-limit.yaw[0])).max(0.0),
            // In the limits of a rig, positive pitch is down.
            up_deg: degrees(-limit.pitch[0]).max(0.0),
            down_deg: degrees(limit.pitch[1]).max(0.0),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            yaw_deg: self.yaw_deg + other.yaw_deg,
            up_deg: self.up_deg + other.up_deg,
            down_deg: self.down_deg + other.down_deg,
        }
    }
}

/// The directions that an eye can reach: an oval instead of a box. An eye that looks far to a side cannot look as
/// far up, so the corners of a box are out of reach (our design: fields of fixation are round).
///
/// The oval touches the range to the sides, up and down. In between it is an ellipse in the tangent of the yaw and
/// the sine of the pitch, which avoids trigonometric functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oval {
    tan_yaw: f64,
    sin_up: f64,
    sin_down: f64,
    /// Cosine and sine of a cone that is slightly wider than the oval.
    cone_cosine: f64,
    cone_sine: f64,
}

impl Oval {
    /// Creates the oval of a range.
    #[must_use]
    pub fn new(range: &Range) -> Self {
        const MARGIN_DEG: f64 = 2.0;
        // Eyes that cannot turn get a tiny range, to avoid divisions by zero.
        let radians = |degrees: f64| degrees.clamp(1e-6, 89.0).to_radians();
        let Range { yaw_deg, up_deg, down_deg } = *range;
        let cone = radians(yaw_deg.max(up_deg).max(down_deg) + MARGIN_DEG);
        Self {
            tan_yaw: tan(radians(yaw_deg)),
            sin_up: sin(radians(up_deg)),
            sin_down: sin(radians(down_deg)),
            cone_cosine: cos(cone),
            cone_sine: sin(cone),
        }
    }

    fn sin_pitch(&self, y: f64) -> f64 {
        if y > 0.0 { self.sin_up } else { self.sin_down }
    }

    /// Returns true if an eye can look in a direction (a unit vector), up to rounding errors.
    #[must_use]
    #[inline]
    pub fn contains(&self, v: DVec3) -> bool {
        const ROUNDING: f64 = 1e-9;
        let (across, up) = (v.x / self.tan_yaw, v.y * v.z / self.sin_pitch(v.y));
        v.z > 0.0 && across * across + up * up <= v.z * v.z * (1.0 + ROUNDING)
    }

    /// Returns `v` if an eye can look in this direction (a unit vector), and otherwise a direction on the edge of the
    /// oval towards `v`.
    #[must_use]
    #[inline]
    pub fn clamp(&self, v: DVec3) -> DVec3 {
        if self.contains(v) { v } else { self.nearest(v) }
    }

    /// Returns a direction on the edge of the oval towards `v`. A direction far out of range is first moved closer
    /// along the shortest path, to avoid the poles.
    #[cold]
    fn nearest(&self, v: DVec3) -> DVec3 {
        let near = if v.z < self.cone_cosine {
            let aside = DVec2::new(v.x, v.y).normalize_or_zero() * self.cone_sine;
            DVec3::new(aside.x, aside.y, self.cone_cosine)
        } else {
            v
        };
        let place = DVec2::new(near.x / near.z / self.tan_yaw, near.y / self.sin_pitch(near.y));
        let place = place.clamp_length_max(1.0);
        let (x, y) = (place.x * self.tan_yaw, place.y * self.sin_pitch(place.y));
        let z = ((1.0 - y * y) / (1.0 + x * x)).sqrt();
        DVec3::new(x * z, y, z)
    }
}

/// Rotation ranges of eyes, head and torso.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranges {
    /// Range of the eyes relative to the head: the oculomotor range (OMR). Oblique directions are limited by an
    /// [`Oval`].
    pub eye: Range,
    /// Range of the head relative to the torso: HMR.
    pub head: Range,
    /// Range of the torso relative to the hips.
    pub torso: Range,
}

impl Default for Ranges {
    /// Human ranges. Eye yaw: paper 2, Table 1; its text says 40° to 55°. Eye pitch: LaValle, “Virtual Reality”,
    /// section 5.3. Head: within the usual ranges in the literature (70° to 80° yaw, 45° to 60° pitch). Torso: our
    /// estimate.
    fn default() -> Self {
        Self {
            eye: Range { yaw_deg: 40.0, up_deg: 20.0, down_deg: 25.0 },
            head: Range { yaw_deg: 75.0, up_deg: 50.0, down_deg: 50.0 },
            torso: Range { yaw_deg: 45.0, up_deg: 30.0, down_deg: 60.0 },
        }
    }
}

impl Ranges {
    /// Returns the ranges of an avatar, from the limits of the bones that it has. If the eyes cannot turn, their
    /// range is zero and the head does everything.
    #[must_use]
    pub fn of(rig: &Rig) -> Self {
        let limit = |bone: Bone| {
            if rig.bones().contains(bone) { Range::of(rig.limit(bone)) } else { Range::NONE }
        };
        let has_eyes = rig.abilities().eyes != EyeControl::None;
        Self {
            eye: if has_eyes { Range::of(rig.limit(Bone::LeftEye)) } else { Range::NONE },
            head: limit(Bone::Neck).plus(limit(Bone::Head)),
            torso: limit(Bone::Spine).plus(limit(Bone::Chest)).plus(limit(Bone::UpperChest)),
        }
    }
}

/// Rules that divide a gaze shift between eyes, head and torso.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GazePreset {
    /// Uses the rules of Peters & Qureshi 2010 exactly: only eyes and head move, with the same rule in all
    /// directions.
    Peters,
    /// `DIFFERENCE`: uses the rules of Peters & Qureshi 2010 for each axis, with later measurements. Shifts from the
    /// midline to the side are the same. Small shifts may use the eyes alone (Stahl 1999), the head takes a greater
    /// share upwards than downwards (Kim 2010), and the torso helps with targets that are out of reach.
    #[default]
    Human,
}

/// Input for planning a gaze shift. All directions are relative to the torso before it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The direction of the target, T.
    pub target: Direction,
    /// Current direction of the head relative to the torso, H_c.
    pub head: Direction,
    /// Current turn of the torso.
    pub torso: Direction,
    /// The head-movement factor, HMF, 0–1: 0 is an extreme non-mover, 1 an extreme head-mover.
    pub head_movement_factor: f64,
    /// Half-width in degrees of the zone in which extreme non-movers use their eyes only. The zone shrinks as the HMF
    /// grows. The preset `peters` has no such zone.
    pub eye_only_deg: f64,
    /// Head rotation from motion other than gaze, in head space: a nod, a posture.
    pub extra_rotation: DQuat,
    /// Rules that divide the shift.
    pub preset: GazePreset,
}

/// End state of a gaze shift.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GazePlan {
    /// Head direction of the head-mover (HM), relative to the torso.
    pub head_mover: Direction,
    /// Head direction of the non-mover (NM), relative to the torso.
    pub non_mover: Direction,
    /// Final head direction H_f, relative to the torso.
    pub head: Direction,
    /// Final eye direction E_f, relative to the head.
    pub eye: Direction,
    /// Final turn of the torso.
    pub torso: Direction,
    /// Degrees by which the gaze misses a target that is out of reach; zero if it is reached.
    pub shortfall_deg: f64,
}

/// Fraction of the way from NM to HM that the head moves when the target is on the other side of the midline. Fig. 4
/// of Peters & Qureshi 2010 shows the effect but gives no number; this number is our design.
const RESETTING: f64 = 0.5;
/// Half-width in degrees of the zone in which people use their eyes only (Stahl 1999: 35.8° in total).
pub const EYE_ONLY_DEG: f64 = 17.9;
/// Degrees from the midline within which a head counts as on the midline.
const MIDLINE_DEG: f64 = 0.5;
/// Exponents for the head's share of vertical shifts: the share is the head-movement factor to this power (`UP_POWER`
/// upwards, `DOWN_POWER` downwards). In people whose head takes 69 % of a horizontal shift, the head takes 52 %
/// upwards and 8 % downwards (Kim 2010). Factors of 0 and 1 are not changed.
const UP_POWER: f64 = 1.762_302_5;
const DOWN_POWER: f64 = 6.806_725_6;
/// Factor by which the torso turns farther than necessary, so that head and eyes need not stay at their limits (our
/// design).
const TORSO_EASE: f64 = 1.5;
/// Fraction of the vertical reach of head and eyes up to which they look at a target without help of the torso (our
/// design).
const TORSO_LEAN_SHARE: f64 = 0.8;

impl Shift {
    /// Creates a shift from straight ahead to `target`, with the default preset and without an eye-only zone.
    #[must_use]
    pub fn to(target: Direction, head_movement_factor: f64) -> Self {
        Self {
            target,
            head: Direction::AHEAD,
            torso: Direction::AHEAD,
            head_movement_factor,
            eye_only_deg: 0.0,
            extra_rotation: DQuat::IDENTITY,
            preset: GazePreset::default(),
        }
    }

    /// Plans the end state of the shift.
    #[must_use]
    pub fn plan(&self, ranges: &Ranges) -> GazePlan {
        let torso = self.torso_turn(ranges);
        // From here on, directions are relative to the torso in its final orientation.
        let from_torso = torso.to_rotation().inverse();
        let target = from_torso * self.target.to_vector();
        let head = self.head + self.torso - torso;
        let factor = self.head_movement_factor.clamp(0.0, 1.0);
        let heads = match self.preset {
            GazePreset::Peters => peters(target, head.to_vector(), factor, ranges),
            GazePreset::Human => {
                let eye_only_deg = self.eye_only_deg.max(0.0) * (1.0 - factor);
                human(with_reduced_yaw(Direction::of(target)), head, factor, eye_only_deg, ranges)
            }
        };
        self.finish(heads, target, torso, ranges)
    }

    /// Completes a plan with these NM, HM and H_f.
    fn finish(&self, heads: [Direction; 3], target: DVec3, torso: Direction, ranges: &Ranges) -> GazePlan {
        let [non_mover, head_mover, wanted] = heads;
        let oval = Oval::new(&ranges.eye);
        let head = self.head_within_reach(wanted, target, &ranges.head, &oval);
        let eye = self.eye(head, target);
        let shown = oval.clamp(eye);
        let shortfall_deg = if oval.contains(eye) { 0.0 } else { angle_between_deg(shown, eye) };
        GazePlan { head_mover, non_mover, head, eye: Direction::of(shown), torso, shortfall_deg }
    }

    /// Plans the shift with as little head movement as possible, to keep the eyes on a target after the target or
    /// the body moved.
    #[must_use]
    pub fn plan_minimal(&self, ranges: &Ranges) -> GazePlan {
        let torso = self.torso_turn(ranges);
        let target = torso.to_rotation().inverse() * self.target.to_vector();
        let head = ranges.head.clamp(self.head + self.torso - torso);
        self.finish([head; 3], target, torso, ranges)
    }

    /// Returns the direction of the target relative to a head with this direction.
    fn eye(&self, head: Direction, target: DVec3) -> DVec3 {
        (head.to_rotation() * self.extra_rotation).inverse() * target
    }

    /// Turns the head further towards the target until the eyes reach it. This is needed because angles do not add
    /// up in oblique shifts, eyes turn less far up than to the side, and a nod may hold the head elsewhere.
    fn head_within_reach(&self, head: Direction, target: DVec3, neck: &Range, oval: &Oval) -> Direction {
        let reaches = |head: Direction| oval.contains(self.eye(head, target));
        if reaches(head) {
            return head;
        }
        let extra = Direction::of(self.extra_rotation * DVec3::Z);
        let facing = |d: Direction| neck.clamp(d - extra);
        let target_on_torso = Direction::of(target);
        let [gently, fully] = [with_reduced_yaw(target_on_torso), target_on_torso].map(facing);
        let facing = if reaches(gently) { gently } else { fully };
        if !reaches(facing) {
            return facing;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..48 {
            let middle = 0.5 * (low + high);
            if reaches(head + (facing - head) * middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        head + (facing - head) * high
    }

    /// Returns the final turn of the torso. It is zero with the preset `peters`, because Peters & Qureshi 2010 do not
    /// model the torso.
    fn torso_turn(&self, ranges: &Ranges) -> Direction {
        if self.preset == GazePreset::Peters {
            return Direction::AHEAD;
        }
        let Range { yaw_deg, up_deg, down_deg } = ranges.head.plus(ranges.eye);
        let Direction { yaw_deg: yaw, pitch_deg: pitch } = with_reduced_yaw(self.target);
        let turn = TORSO_EASE * (yaw.abs() - yaw_deg).max(0.0) * yaw.signum();
        // People bend before neck and eyes are at their limits.
        let [up, down] = [up_deg, down_deg].map(|most| TORSO_LEAN_SHARE * most);
        let lean = if pitch > 0.0 { (pitch - up).max(0.0) } else { (pitch + down).min(0.0) };
        ranges.torso.clamp(Direction::new(turn, lean))
    }
}

/// Position of a target relative to the head and the midline.
enum Side {
    /// On the other side of the midline: the head moves part of the way to the target (resetting, Fig. 4).
    Opposite,
    /// Between head and midline: the head moves back towards the midline (midline attraction, Fig. 5).
    Between,
    /// Further from the midline than the head, or the head is at the midline (Fig. 3).
    Outward,
}

fn side_of(product: f64, head_deg: f64, target_deg: f64) -> Side {
    match (head_deg > MIDLINE_DEG, product < 0.0) {
        (true, true) => Side::Opposite,
        (true, false) if target_deg <= head_deg => Side::Between,
        _ => Side::Outward,
    }
}

/// Computes NM, HM and H_f by paper 2, section 3.1, along great circles.
fn peters(target: DVec3, head: DVec3, factor: f64, ranges: &Ranges) -> [Direction; 3] {
    let reach_deg = ranges.eye.yaw_deg;
    let held = |v: DVec3| ranges.head.clamp(Direction::of(v));
    // The smallest head movement from `from` that lets the eyes reach the target.
    let nearest = |from: DVec3| {
        let angle = angle_between_deg(from, target);
        if angle <= reach_deg { from } else { slerp(from, target, (angle - reach_deg) / angle) }
    };
    let head_mover = held(target);
    if angle_between_deg(head_mover.to_vector(), target) > reach_deg {
        // Out of reach: every HMF turns the head to its limit.
        return [head_mover; 3];
    }
    let [head_deg, target_deg] = [head, target].map(|v| angle_between_deg(v, DVec3::Z));
    let non_mover = match side_of(head.x * target.x + head.y * target.y, head_deg, target_deg) {
        Side::Opposite => slerp(held(nearest(head)).to_vector(), head_mover.to_vector(), RESETTING),
        Side::Between => nearest(DVec3::Z),
        Side::Outward => nearest(head),
    };
    let non_mover = held(non_mover);
    let between = slerp(non_mover.to_vector(), head_mover.to_vector(), factor);
    [non_mover, head_mover, held(between)]
}

/// Reduces the yaw of directions steeply above or below, because people nod to such targets rather than turn to
/// them (our design). Straight above, the yaw is zero.
fn with_reduced_yaw(d: Direction) -> Direction {
    const STEEP_DEG: f64 = 50.0;
    let u = ((90.0 - d.pitch_deg.abs()) / (90.0 - STEEP_DEG)).clamp(0.0, 1.0);
    Direction::new(d.yaw_deg * u * u * (3.0 - 2.0 * u), d.pitch_deg)
}

/// Computes NM, HM and H_f for each axis, with measured shares.
///
/// `DIFFERENCE`: in Peters & Qureshi 2010, the head takes its share of every shift. Small shifts in one direction
/// then add up, until the head of a non-mover points at the target like the head of a head-mover. Here the head takes
/// its share of the eccentricity of the target. This also gives resetting and midline attraction (Figs. 4 and 5).
fn human(
    target: Direction,
    head: Direction,
    factor: f64,
    eye_only_deg: f64,
    ranges: &Ranges,
) -> [Direction; 3] {
    let (eye, neck) = (&ranges.eye, &ranges.head);
    let yaw = Axis {
        target: target.yaw_deg,
        head: head.yaw_deg,
        eye: [-eye.yaw_deg, eye.yaw_deg],
        neck: [-neck.yaw_deg, neck.yaw_deg],
    };
    let pitch = Axis {
        target: target.pitch_deg,
        head: head.pitch_deg,
        eye: [-eye.down_deg, eye.up_deg],
        neck: [-neck.down_deg, neck.up_deg],
    };
    let vertical = pow(factor, if target.pitch_deg > 0.0 { UP_POWER } else { DOWN_POWER });
    let yaw = yaw.divide(factor, eye_only_deg);
    let pitch = pitch.divide(vertical, 0.0);
    std::array::from_fn(|i| Direction::new(yaw[i], pitch[i]))
}

/// One axis of a gaze shift, in degrees.
struct Axis {
    target: f64,
    head: f64,
    eye: [f64; 2],
    neck: [f64; 2],
}

impl Axis {
    /// Returns NM, HM and H_f. If the head moves away from the midline on its current side, its movement is reduced
    /// by the eye-only zone.
    fn divide(&self, factor: f64, eye_only_deg: f64) -> [f64; 3] {
        let head_mover = self.clamp_head(self.target);
        let non_mover = self.clamp_head(self.nearest_to_midline());
        let wanted = non_mover + factor * (head_mover - non_mover);
        let further = wanted.abs() - self.head.abs();
        let is_outward = self.head * wanted >= 0.0 && further > 0.0;
        let head = if is_outward {
            let side = wanted.signum();
            side * (self.head.abs() + (further - eye_only_deg).max(0.0))
        } else {
            wanted
        };
        [non_mover, head_mover, head]
    }

    /// Returns the head position closest to the midline from which the eyes reach the target.
    fn nearest_to_midline(&self) -> f64 {
        0.0_f64.clamp(self.target - self.eye[1], self.target - self.eye[0])
    }

    fn clamp_head(&self, head: f64) -> f64 {
        head.clamp(self.neck[0], self.neck[1])
    }
}

/// Returns the peak velocity of a head movement of this amplitude, in degrees per second. The formula is
/// our design; measured peak velocities are proportional to the amplitude (see [`head_lag_secs`] for the study).
#[must_use]
pub fn head_peak_velocity_deg_per_s(amplitude_deg: f64) -> f64 {
    20.0 + 4.0 * amplitude_deg.abs()
}

/// Returns the duration of a minimum-jerk head movement of this amplitude, in seconds.
#[must_use]
pub fn head_secs(amplitude_deg: f64) -> f64 {
    Glide::RATIO * amplitude_deg.abs() / head_peak_velocity_deg_per_s(amplitude_deg)
}

/// Returns the peak velocity of a torso movement in degrees per second: half of the head's (our design).
#[must_use]
pub fn torso_peak_velocity_deg_per_s(amplitude_deg: f64) -> f64 {
    0.5 * head_peak_velocity_deg_per_s(amplitude_deg)
}

/// Returns the duration of a torso movement of this amplitude, in seconds.
#[must_use]
pub fn torso_secs(amplitude_deg: f64) -> f64 {
    Glide::RATIO * amplitude_deg.abs() / torso_peak_velocity_deg_per_s(amplitude_deg)
}

/// Returns the delay in seconds between the start of the eyes and the start of the head: 139 ms in shifts of 10°, 50
/// ms at 40° (ten people; J-STAGE, jibi1954, volume 24, supplement 2, page 559). The line through both is zero from
/// 57° on. The head never starts before the eyes.
#[must_use]
pub fn head_lag_secs(gaze_amplitude_deg: f64) -> f64 {
    let [slow, fast] = [(10.0, 0.139), (40.0, 0.050)];
    let slope = (fast.1 - slow.1) / (fast.0 - slow.0);
    (slow.1 + slope * (gaze_amplitude_deg.abs() - slow.0)).clamp(0.0, slow.1)
}

/// Delay in seconds between the start of the head and the start of the torso (our design).
pub const TORSO_LAG_SECS: f64 = 0.05;

#[cfg(test)]
mod tests;
