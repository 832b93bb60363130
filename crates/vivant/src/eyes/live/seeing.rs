//! What eyes, lids and head show at an instant.

use super::weaving::BLINK_CLOSURE;
use super::{Aim, Eyes};
use crate::eyes::aperture::Lids;
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::{Direction, bearing, from_bearing};
use crate::math::{Magnitude as _, asin, least, most};
use glam::{DQuat, DVec2, DVec3};

/// What eyes, lids and head do at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeFrame {
    /// The neck's rotation on the torso, with its part of the gaze.
    pub neck: DQuat,
    /// The head's rotation on the neck, with its part of the gaze.
    pub head: DQuat,
    /// The head's rotation in model space.
    pub head_in_model: DQuat,
    /// Where both eyes together look, in model space.
    pub gaze: DVec3,
    /// Where both eyes together look, in the head.
    pub eye: DVec3,
    /// Where each eye looks in the head, left and right.
    pub eyes: [DVec3; 2],
    /// The lids, left and right.
    pub lids: [Lids; 2],
    /// Whether a blink is under way, left and right.
    pub is_blinking: [bool; 2],
}

/// How the head is turned when its glide is over, with the neck's part for some share of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadAtRest {
    turn: DQuat,
    neck: DQuat,
    neck_share: f64,
}

impl HeadAtRest {
    pub(super) fn new(place: Direction, carriage: &Carriage) -> Self {
        let turn = place.to_rotation();
        Self { turn, neck: carriage.neck_part(turn), neck_share: carriage.neck_share }
    }

    /// Straight ahead, whatever the share.
    pub(super) const AHEAD: Self =
        Self { turn: DQuat::IDENTITY, neck: DQuat::IDENTITY, neck_share: f64::NAN };
}

/// What is known of an instant before blinks and fixational movement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The neck's part of the head's turn.
    neck: DQuat,
    neck_in_model: DQuat,
    pub(super) head_in_model: DQuat,
    /// The target of both eyes together, in model space.
    pub(super) in_model: DVec3,
    /// … and in the head; and of each eye.
    pub(super) target: DVec3,
    targets: [DVec3; 2],
    /// The pitch of eyes that are on the target, or as near to it as they get.
    goal_pitch_deg: f64,
    /// Whether it is so far that both eyes look the same way.
    is_far: bool,
    /// Where they look instead, as long as an error is left, within their range.
    pub(super) gaze: DVec3,
    /// Whether the range holds them back.
    pub(super) is_held: bool,
}

impl Seen {
    /// The place between the eyes, in model space.
    pub(super) fn between_eyes(&self, carriage: &Carriage) -> DVec3 {
        eye_places(carriage, self.neck_in_model, self.head_in_model).0
    }
}

/// Where both eyes together are, and each, in model space.
fn eye_places(carriage: &Carriage, neck_in_model: DQuat, head_in_model: DQuat) -> (DVec3, [DVec3; 2]) {
    let head_place = carriage.neck_place + neck_in_model * carriage.neck_to_head;
    let [left, right] = carriage.head_to_eyes.map(|eye| head_place + head_in_model * eye);
    (0.5 * (left + right), [left, right])
}

/// Upper lids follow less far up than down (FACTS, section 1: our design).
const UP_GAIN: f64 = 0.8;

/// Where the upper lid goes with an eye's pitch.
pub(super) fn lid_goal_deg(pitch_deg: f64) -> f64 {
    if pitch_deg > 0.0 { UP_GAIN * pitch_deg } else { pitch_deg }
}

/// What is further round than this is on one side or the other, and stays there.
pub(super) const ASIDE_DEG: f64 = 110.0;

/// How far round something behind the back is shown, if it is this far to the side that it is kept on;
/// negative is the other side. That leads back here, because the gaze changes sides by a shift only.
fn kept_aside_deg(aside_deg: f64) -> f64 {
    const FURTHEST_DEG: f64 = 150.0;
    const LED_BACK_DEG: f64 = 180.0 - ASIDE_DEG;
    if aside_deg > -ASIDE_DEG {
        return aside_deg.min(FURTHEST_DEG);
    }
    let u = ((-ASIDE_DEG - aside_deg) / LED_BACK_DEG).min(1.0);
    -ASIDE_DEG + (ASIDE_DEG + FURTHEST_DEG) * u * u * (3.0 - 2.0 * u)
}

/// In a blink eyes dip, down and a little towards the nose (Riggs 1987: 1° to 2°; the share is ours).
pub(super) const DIP_DEG: f64 = 1.5;
const NASAL_SHARE: f64 = 0.3;

impl Eyes {
    /// What is shown at `t`; all that is due until then must have happened.
    // Inlined, a frame is written where it stays and not copied.
    #[inline(always)]
    pub(crate) fn show(&self, t: f64, carriage: &Carriage) -> EyeFrame {
        let seen = self.see(t, carriage);
        let (blinks, woven) = (self.closures(t), self.woven_closure(t));
        let offset = self.fixation.offset(t);
        let follow = self.lid_goal(t, &seen, offset) + self.lid_error.error(t)[0];
        let dip = self.dip_deg.to_radians();
        let (x, y) = (offset.yaw_deg.to_radians(), offset.pitch_deg.to_radians());
        let moved = |apart: DVec3, closure: f64, nasal: f64| {
            let down = dip * closure;
            let aside = DVec3::new(x + nasal * NASAL_SHARE * down, y - down, 0.0);
            self.oval.hold((seen.gaze + apart + aside).to_unit())
        };
        let eye = moved(DVec3::ZERO, 0.5 * (blinks[0] + blinks[1]), 0.0);
        let is_parallel = seen.is_far && blinks == [0.0; 2] && self.vergence_error.is_nothing(t);
        let eyes = if is_parallel {
            [eye; 2]
        } else {
            let [left, right] = self.vergence(t, &seen);
            [moved(left, blinks[0], -1.0), moved(right, blinks[1], 1.0)]
        };
        let resting = self.resting(t);
        // Of a blink that was asked for and one of a texture, the deeper one has the lids.
        let closures = blinks.map(|blink| most(blink, woven));
        let left = Lids::new(follow, resting[0], closures[0]);
        let are_alike = resting[0] == resting[1] && closures[0] == closures[1];
        let right = if are_alike { left } else { Lids::new(follow, resting[1], closures[1]) };
        EyeFrame {
            neck: seen.neck * carriage.neck,
            head: seen.neck_in_model.inverse() * seen.head_in_model,
            head_in_model: seen.head_in_model,
            gaze: seen.head_in_model * eye,
            eye,
            eyes,
            lids: [left, right],
            is_blinking: [0, 1].map(|i| self.blinks[i].is_on(t) || woven > BLINK_CLOSURE),
        }
    }

    /// How far blinks close each eye; both alike is one blink.
    fn closures(&self, t: f64) -> [f64; 2] {
        let [left, right] = &self.blinks;
        if !left.is_on(t) && !right.is_on(t) {
            return [0.0; 2];
        }
        if left == right { [left.closure(t); 2] } else { [left.closure(t), right.closure(t)] }
    }

    pub(super) fn see(&self, t: f64, carriage: &Carriage) -> Seen {
        let (turn, neck) = self.head_and_neck(t, carriage);
        let neck_in_model = carriage.torso * neck * carriage.neck;
        let head_in_model = carriage.torso * turn * carriage.neck * carriage.head;
        let into_head = head_in_model.inverse();
        let ahead = forward(carriage.torso);
        let (in_model, targets) = match self.aim {
            Aim::Point(_) | Aim::Moving(_) => {
                let point = self.point(t);
                let (between, places) = eye_places(carriage, neck_in_model, head_in_model);
                let towards = |place: DVec3| seen_from(point - place, ahead);
                (towards(between), Some(places.map(|place| into_head * towards(place))))
            }
            Aim::Model(direction) => (direction, None),
            Aim::Torso(direction) => (carriage.torso * direction, None),
            Aim::Head { both, eyes } => (head_in_model * both, Some(eyes)),
        };
        let target = into_head * in_model;
        let is_ahead = target.z > 0.2 && in_model.dot(ahead) > 0.0;
        let on_torso = |bearing: DVec2| into_head * (carriage.torso * from_bearing(bearing));
        let (goal, wanted) = if is_ahead && self.error.is_nothing(t) {
            (target, target)
        } else {
            let (head, aim) = (bearing(forward(turn)), self.on_torso(in_model, carriage));
            let goal = if is_ahead { target } else { on_torso(near(head, aim)) };
            let error = DVec2::from_array(self.error.error(t));
            (goal, on_torso(near(head, aim + error)))
        };
        let gaze = self.oval.hold(wanted);
        Seen {
            neck,
            neck_in_model,
            head_in_model,
            in_model,
            target,
            goal_pitch_deg: asin(self.oval.hold(goal).y).to_degrees(),
            is_far: targets.is_none(),
            targets: targets.unwrap_or([target; 2]),
            gaze,
            is_held: gaze != wanted,
        }
    }

    /// How the head is turned to look, and the neck's part of it.
    fn head_and_neck(&self, t: f64, carriage: &Carriage) -> (DQuat, DQuat) {
        let HeadAtRest { turn, neck, neck_share } = self.head_at_rest;
        if !self.head.is_over(t) {
            let turn = self.head.position(t).to_rotation();
            return (turn, carriage.neck_part(turn));
        }
        if neck_share == carriage.neck_share { (turn, neck) } else { (turn, carriage.neck_part(turn)) }
    }

    /// The point that is looked at.
    fn point(&self, t: f64) -> DVec3 {
        if let Aim::Point(point) = self.aim { point } else { self.pursuit.place(t) }
    }

    /// A direction in model space as a bearing on the torso. What is behind the back is as far round as
    /// eyes, head and torso go, at its own height, on the side where it was.
    pub(super) fn on_torso(&self, in_model: DVec3, carriage: &Carriage) -> DVec2 {
        let seen = carriage.torso.inverse() * in_model;
        if seen.z >= 0.0 {
            return bearing(seen);
        }
        let Direction { yaw_deg, pitch_deg } = Direction::of(seen);
        let kept = self.side * kept_aside_deg(yaw_deg * self.side);
        if kept == yaw_deg { bearing(seen) } else { bearing(Direction::new(kept, pitch_deg).to_vector()) }
    }

    /// By how much each eye's direction differs from that of both together, left and right.
    pub(super) fn vergence(&self, t: f64, seen: &Seen) -> [DVec3; 2] {
        let wanted = self.wanted_vergence(seen);
        if self.vergence_error.is_nothing(t) {
            return wanted;
        }
        let [a, b, c, d, e, f] = self.vergence_error.error(t);
        [wanted[0] + DVec3::new(a, b, c), wanted[1] + DVec3::new(d, e, f)]
    }

    /// … and by how much it should: less while the gaze is still far from the target.
    pub(super) fn wanted_vergence(&self, seen: &Seen) -> [DVec3; 2] {
        let share = most(seen.target.dot(seen.gaze), 0.0) * self.temperament.vergence;
        seen.targets.map(|target| (target - seen.target) * share)
    }

    /// Where the upper lids are but for blinks and resting aperture.
    pub(super) fn lid_follow_deg(&self, t: f64, seen: &Seen) -> f64 {
        self.lid_goal_now(t, seen) + self.lid_error.error(t)[0]
    }

    /// Where the gaze wants the upper lids.
    pub(super) fn lid_goal_now(&self, t: f64, seen: &Seen) -> f64 {
        self.lid_goal(t, seen, self.fixation.offset(t))
    }

    /// Lids go with the target, not with the eyes that are still on their way to it: they have a way of
    /// their own.
    fn lid_goal(&self, t: f64, seen: &Seen, fixation: Direction) -> f64 {
        let goal = match self.driven_lid_deg {
            Some(goal) => goal + self.driven.direct.error(t)[0],
            None => lid_goal_deg(seen.goal_pitch_deg),
        };
        goal + fixation.pitch_deg
    }

    /// The resting apertures, left and right.
    pub(super) fn resting(&self, t: f64) -> [f64; 2] {
        let [left, right] = self.resting_error.error(t);
        let resting = self.resting_goal();
        [resting[0] + left, resting[1] + right]
    }

    /// Where they come to rest.
    pub(super) fn resting_goal(&self) -> [f64; 2] {
        self.temperament.resting_aperture.map(|aperture| least(aperture * self.tint.aperture, 1.3))
    }
}

/// A bearing, brought nearer to where the head points if no eye can be that far from it; further round
/// would be the other side.
fn near(head: DVec2, gaze: DVec2) -> DVec2 {
    // What lies ahead of head and torso is never affected: up to a quarter turn from the middle, bearings
    // are at most 1.57 times as far apart as directions.
    head + (gaze - head).clamp_length_max(125.0)
}

/// Where +Z comes to lie.
fn forward(q: DQuat) -> DVec3 {
    DVec3::new(
        2.0 * (q.x * q.z + q.w * q.y),
        2.0 * (q.y * q.z - q.w * q.x),
        1.0 - 2.0 * (q.x * q.x + q.y * q.y),
    )
}

/// The direction of a point that lies at `offset` from an eye. What is closer than eyes can see, in the
/// head even, is pushed out ahead, so that it does not fly past as the head moves.
fn seen_from(offset: DVec3, ahead: DVec3) -> DVec3 {
    const NEAREST_M: f64 = 0.15;
    let distance = offset.magnitude();
    if distance >= NEAREST_M {
        return offset / distance;
    }
    (offset + ahead * (NEAREST_M - distance)).normalize_or(ahead)
}
