//! State of eyes, lids and head at one instant.
//!
//! The state is a function of time between events, so that frames can be taken at any rate. `Eyes::frame_at` combines
//! the aim, the remaining errors of gaze, vergence and lids, fixational movements and blinks to an [`EyeFrame`].
//! `gaze_geometry` is the part before blinks, which gaze shifts use too. Two cases need care: a target behind the
//! character stays on the side of the gaze, so that the eyes do not jump across, and lids follow the target and not the
//! eyes, because lids have their own dynamics.

use super::playback::BLINK_CLOSURE;
use super::{Aim, Eyes};
use crate::eyes::aperture::Lids;
use crate::eyes::direction::{Direction, bearing, from_bearing};
use crate::eyes::head_pose::HeadPose;
use crate::math::{Magnitude as _, asin, fast_max, fast_min};
use glam::{DQuat, DVec2, DVec3};

/// State of eyes, lids and head at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeFrame {
    /// Rotation of the neck relative to the torso, including its part of the head turn by the gaze.
    pub neck: DQuat,
    /// Rotation of the head relative to the neck, including its part of the head turn by the gaze.
    pub head: DQuat,
    /// Rotation of the head in model space.
    pub head_in_model: DQuat,
    /// Gaze direction from the midpoint between the eyes, in model space.
    pub gaze: DVec3,
    /// Gaze direction from the midpoint between the eyes, relative to the head.
    pub eye: DVec3,
    /// Gaze direction of the left and right eye, relative to the head.
    pub eyes: [DVec3; 2],
    /// Lids of the left and right eye.
    pub lids: [Lids; 2],
    /// True while a blink is in progress, for the left and right eye.
    pub is_blinking: [bool; 2],
}

/// Rotation of the head at the end of its movement, and the part that the neck takes. Cached, because it is constant
/// for a given `neck_share`.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadAtRest {
    turn: DQuat,
    neck: DQuat,
    neck_share: f64,
}

impl HeadAtRest {
    pub(super) fn new(place: Direction, pose: &HeadPose) -> Self {
        let turn = place.to_rotation();
        Self { turn, neck: pose.neck_part(turn), neck_share: pose.neck_share }
    }

    /// Straight ahead. The neck share is NaN, so that the cached neck rotation is never used.
    pub(super) const AHEAD: Self =
        Self { turn: DQuat::IDENTITY, neck: DQuat::IDENTITY, neck_share: f64::NAN };
}

/// Geometry at one instant, before blinks and fixational movements.
#[derive(Clone, Copy, Debug)]
pub(super) struct GazeGeometry {
    /// Part of the head turn that the neck takes.
    neck: DQuat,
    neck_in_model: DQuat,
    pub(super) head_in_model: DQuat,
    /// Direction from the midpoint between the eyes to the target, in model space.
    pub(super) in_model: DVec3,
    /// Direction of the target relative to the head, from the midpoint between the eyes.
    pub(super) target: DVec3,
    /// Directions of the target from each eye, relative to the head.
    targets: [DVec3; 2],
    /// Pitch of the eyes when they look at the target, or as close to the target as possible, in degrees.
    goal_pitch_deg: f64,
    /// True if the target is at infinity, so that both eyes are parallel.
    is_far: bool,
    /// Gaze direction including the remaining error, clamped to the eyes' range.
    pub(super) gaze: DVec3,
    /// True if the range limits the gaze.
    pub(super) is_limited: bool,
}

impl GazeGeometry {
    /// Returns the point between the eyes in model space.
    pub(super) fn between_eyes(&self, pose: &HeadPose) -> DVec3 {
        eye_positions(pose, self.neck_in_model, self.head_in_model).0
    }
}

/// Returns the point between the eyes and the position of each eye, in model space.
fn eye_positions(pose: &HeadPose, neck_in_model: DQuat, head_in_model: DQuat) -> (DVec3, [DVec3; 2]) {
    let head_position = pose.neck_position + neck_in_model * pose.neck_to_head;
    let [left, right] = pose.head_to_eyes.map(|eye| head_position + head_in_model * eye);
    (0.5 * (left + right), [left, right])
}

/// Gain of lid following for upward gaze. Measured upward lid saccades are smaller and slower than downward ones; the
/// value is our estimate.
const UP_GAIN: f64 = 0.8;

/// Returns the position of the upper lid for a pitch of the eye, in degrees.
pub(super) fn lid_goal_deg(pitch_deg: f64) -> f64 {
    if pitch_deg > 0.0 { UP_GAIN * pitch_deg } else { pitch_deg }
}

/// Yaw of a target, in degrees, beyond which the gaze stays on its side until the next gaze shift.
pub(super) const ASIDE_DEG: f64 = 110.0;

/// Returns the yaw in degrees to which the gaze turns for a target behind the character. `aside_deg` is the yaw of
/// the target: positive on the side of the gaze, negative on the other side. If the target passes behind the
/// character to the other side, the gaze does not jump there: it turns back through the front, because only a gaze
/// shift may change the side at once.
fn shown_yaw_deg(aside_deg: f64) -> f64 {
    const FURTHEST_DEG: f64 = 150.0;
    const LED_BACK_DEG: f64 = 180.0 - ASIDE_DEG;
    if aside_deg > -ASIDE_DEG {
        return aside_deg.min(FURTHEST_DEG);
    }
    let u = ((-ASIDE_DEG - aside_deg) / LED_BACK_DEG).min(1.0);
    -ASIDE_DEG + (ASIDE_DEG + FURTHEST_DEG) * u * u * (3.0 - 2.0 * u)
}

/// Angle in degrees by which the eyes turn down in a full blink (Riggs 1987: 1° to 2°). They also turn towards the
/// nose, by the fraction `NASAL_SHARE` of this angle (our design).
pub(super) const DIP_DEG: f64 = 1.5;
const NASAL_SHARE: f64 = 0.3;

impl Eyes {
    /// Returns the state at `t`; all events up to `t` must have been processed.
    // Inlined so that the frame is written in place and not copied.
    #[inline(always)]
    pub(crate) fn frame_at(&self, t: f64, pose: &HeadPose) -> EyeFrame {
        let geometry = self.gaze_geometry(t, pose);
        let (blinks, texture) = (self.closures(t), self.texture_closure(t));
        let offset = self.fixation.offset(t);
        let follow = self.lid_goal(t, &geometry, offset) + self.lid_error.error(t)[0];
        let dip = self.dip_deg.to_radians();
        let (x, y) = (offset.yaw_deg.to_radians(), offset.pitch_deg.to_radians());
        let moved = |apart: DVec3, closure: f64, nasal: f64| {
            let down = dip * closure;
            let aside = DVec3::new(x + nasal * NASAL_SHARE * down, y - down, 0.0);
            self.oval.clamp((geometry.gaze + apart + aside).to_unit())
        };
        let eye = moved(DVec3::ZERO, 0.5 * (blinks[0] + blinks[1]), 0.0);
        let is_parallel = geometry.is_far && blinks == [0.0; 2] && self.vergence_error.is_zero(t);
        let eyes = if is_parallel {
            [eye; 2]
        } else {
            let [left, right] = self.vergence(t, &geometry);
            [moved(left, blinks[0], -1.0), moved(right, blinks[1], 1.0)]
        };
        let resting = self.resting(t);
        // If a requested blink and a blink of a texture overlap, the greater closure is used.
        let closures = blinks.map(|blink| fast_max(blink, texture));
        let left = Lids::new(follow, resting[0], closures[0]);
        let are_alike = resting[0] == resting[1] && closures[0] == closures[1];
        let right = if are_alike { left } else { Lids::new(follow, resting[1], closures[1]) };
        EyeFrame {
            neck: geometry.neck * pose.neck,
            head: geometry.neck_in_model.inverse() * geometry.head_in_model,
            head_in_model: geometry.head_in_model,
            gaze: geometry.head_in_model * eye,
            eye,
            eyes,
            lids: [left, right],
            is_blinking: [0, 1].map(|i| self.blinks[i].is_active(t) || texture > BLINK_CLOSURE),
        }
    }

    /// Returns the closure of each eye by blinks; computed only once if both eyes have the same blink.
    fn closures(&self, t: f64) -> [f64; 2] {
        let [left, right] = &self.blinks;
        if !left.is_active(t) && !right.is_active(t) {
            return [0.0; 2];
        }
        if left == right { [left.closure(t); 2] } else { [left.closure(t), right.closure(t)] }
    }

    pub(super) fn gaze_geometry(&self, t: f64, pose: &HeadPose) -> GazeGeometry {
        let (turn, neck) = self.head_and_neck(t, pose);
        let neck_in_model = pose.torso * neck * pose.neck;
        let head_in_model = pose.torso * turn * pose.neck * pose.head;
        let into_head = head_in_model.inverse();
        let ahead = forward(pose.torso);
        let (in_model, targets) = match self.aim {
            Aim::Point(_) | Aim::Moving(_) => {
                let point = self.point(t);
                let (between, places) = eye_positions(pose, neck_in_model, head_in_model);
                let towards = |place: DVec3| direction_to(point - place, ahead);
                (towards(between), Some(places.map(|place| into_head * towards(place))))
            }
            Aim::Model(direction) => (direction, None),
            Aim::Torso(direction) => (pose.torso * direction, None),
            Aim::Head { both, eyes } => (head_in_model * both, Some(eyes)),
        };
        let target = into_head * in_model;
        let is_ahead = target.z > 0.2 && in_model.dot(ahead) > 0.0;
        let on_torso = |bearing: DVec2| into_head * (pose.torso * from_bearing(bearing));
        let (goal, wanted) = if is_ahead && self.error.is_zero(t) {
            (target, target)
        } else {
            let (head, aim) = (bearing(forward(turn)), self.on_torso(in_model, pose));
            let goal = if is_ahead { target } else { on_torso(limit_from_head(head, aim)) };
            let error = DVec2::from_array(self.error.error(t));
            (goal, on_torso(limit_from_head(head, aim + error)))
        };
        let gaze = self.oval.clamp(wanted);
        GazeGeometry {
            neck,
            neck_in_model,
            head_in_model,
            in_model,
            target,
            goal_pitch_deg: asin(self.oval.clamp(goal).y).to_degrees(),
            is_far: targets.is_none(),
            targets: targets.unwrap_or([target; 2]),
            gaze,
            is_limited: gaze != wanted,
        }
    }

    /// Returns the head rotation by gaze, and the part of it that the neck takes.
    fn head_and_neck(&self, t: f64, pose: &HeadPose) -> (DQuat, DQuat) {
        let HeadAtRest { turn, neck, neck_share } = self.head_at_rest;
        if !self.head.is_over(t) {
            let turn = self.head.position(t).to_rotation();
            return (turn, pose.neck_part(turn));
        }
        if neck_share == pose.neck_share { (turn, neck) } else { (turn, pose.neck_part(turn)) }
    }

    /// Returns the position of the target.
    fn point(&self, t: f64) -> DVec3 {
        if let Aim::Point(point) = self.aim { point } else { self.pursuit.place(t) }
    }

    /// Returns the bearing relative to the torso of a direction in model space. A direction behind the character is
    /// limited in yaw, on the current side of the gaze; its pitch stays the same.
    pub(super) fn on_torso(&self, in_model: DVec3, pose: &HeadPose) -> DVec2 {
        let direction = pose.torso.inverse() * in_model;
        if direction.z >= 0.0 {
            return bearing(direction);
        }
        let Direction { yaw_deg, pitch_deg } = Direction::of(direction);
        let kept = self.side * shown_yaw_deg(yaw_deg * self.side);
        if kept == yaw_deg {
            bearing(direction)
        } else {
            bearing(Direction::new(kept, pitch_deg).to_vector())
        }
    }

    /// Returns the difference between the direction of each eye and the common gaze direction, for the left and the
    /// right eye.
    pub(super) fn vergence(&self, t: f64, geometry: &GazeGeometry) -> [DVec3; 2] {
        let wanted = self.wanted_vergence(geometry);
        if self.vergence_error.is_zero(t) {
            return wanted;
        }
        let [a, b, c, d, e, f] = self.vergence_error.error(t);
        [wanted[0] + DVec3::new(a, b, c), wanted[1] + DVec3::new(d, e, f)]
    }

    /// Returns the desired vergence, which is reduced while the gaze is far from the target.
    pub(super) fn wanted_vergence(&self, geometry: &GazeGeometry) -> [DVec3; 2] {
        let share = fast_max(geometry.target.dot(geometry.gaze), 0.0) * self.temperament.vergence;
        geometry.targets.map(|target| (target - geometry.target) * share)
    }

    /// Returns the position of the upper lids without blinks and resting aperture, in degrees.
    pub(super) fn lid_follow_deg(&self, t: f64, geometry: &GazeGeometry) -> f64 {
        self.lid_goal_now(t, geometry) + self.lid_error.error(t)[0]
    }

    /// Returns the upper-lid position in degrees to which the gaze moves the lids.
    pub(super) fn lid_goal_now(&self, t: f64, geometry: &GazeGeometry) -> f64 {
        self.lid_goal(t, geometry, self.fixation.offset(t))
    }

    /// Returns the goal of the upper lids in degrees. Lids follow the target, not the eyes that are still moving to the
    /// target, because lids have their own dynamics.
    fn lid_goal(&self, t: f64, geometry: &GazeGeometry, fixation: Direction) -> f64 {
        let goal = match self.driven_lid_deg {
            Some(goal) => goal + self.tracker.direct.error(t)[0],
            None => lid_goal_deg(geometry.goal_pitch_deg),
        };
        goal + fixation.pitch_deg
    }

    /// Returns the resting apertures, left and right.
    pub(super) fn resting(&self, t: f64) -> [f64; 2] {
        let [left, right] = self.resting_error.error(t);
        let resting = self.resting_goal();
        [resting[0] + left, resting[1] + right]
    }

    /// Returns the resting apertures of the left and right eye after the current change is complete.
    pub(super) fn resting_goal(&self) -> [f64; 2] {
        self.temperament.resting_aperture.map(|aperture| fast_min(aperture * self.mood_factors.aperture, 1.3))
    }
}

/// Limits the angle between a gaze bearing and the direction of the head to 125°. With a larger angle, the eye could
/// turn to the wrong side.
fn limit_from_head(head: DVec2, gaze: DVec2) -> DVec2 {
    // Directions in front of head and torso are not affected: within 90° of straight ahead, the distance between two
    // bearings is at most 1.57 times the angle between the directions.
    head + (gaze - head).clamp_length_max(125.0)
}

/// Returns the direction of +Z after a rotation.
fn forward(q: DQuat) -> DVec3 {
    DVec3::new(
        2.0 * (q.x * q.z + q.w * q.y),
        2.0 * (q.y * q.z - q.w * q.x),
        1.0 - 2.0 * (q.x * q.x + q.y * q.y),
    )
}

/// Returns the direction of a point at `offset` from an eye. Points that are too close to focus on, or inside the head,
/// are moved forward, so that their direction does not change abruptly when the head moves.
#[inline]
fn direction_to(offset: DVec3, ahead: DVec3) -> DVec3 {
    const NEAREST_M: f64 = 0.15;
    let distance = offset.magnitude();
    if distance >= NEAREST_M {
        return offset / distance;
    }
    (offset + ahead * (NEAREST_M - distance)).normalize_or(ahead)
}
