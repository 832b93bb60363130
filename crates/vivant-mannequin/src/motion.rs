//! Motions from key poses.
//!
//! A key is an offset from the pose that the motion starts in; every track starts with no offset, and ends
//! with what leads to the pose at the end, which is none if that is the same. Arms are posed by directions
//! in space and not by angles, and their elbows are hinges, so that they cannot bend the wrong way even
//! between two keys. When the hips move, the legs follow by [`Limb::reach`], so that the feet stay where
//! they are. Hands trail their wrists a little, and fingers their hands.

use crate::limb::{Limb, frame_of, mirrored_rotation};
use crate::track::{Knot, Track, ease};
use glam::{EulerRot, Quat, Vec3};
use std::f32::consts::TAU;
use vivant::math::{atan2_32, from_rotation_vector, rotation_vector};
use vivant::pose::{Pose, offset};
use vivant::rig::{Bone, BoneSet, Expression, Rig};

/// Frames a second of every motion made here.
pub(crate) const RATE: f64 = 30.0;

/// How far hands and fingers trail their wrist, in seconds (our design: one and two frames of film, as
/// animators draw overlapping action).
const HAND_TRAILS_SECS: f32 = 0.04;
const FINGERS_TRAIL_SECS: f32 = 0.08;

/// Over how long the trailing comes and goes at the ends of a motion, in seconds.
const TRAIL_RAMP_SECS: f32 = 0.4;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// This side's fellow of a bone of the left side.
    pub(crate) fn of(self, left: Bone) -> Bone {
        if self == Self::Left { left } else { left.mirrored() }
    }

    /// What a rotation of the left side is on this one.
    pub(crate) fn turned(self, left: Quat) -> Quat {
        if self == Self::Left { left } else { mirrored_rotation(left) }
    }

    /// What a place or a direction of the left side is on this one.
    pub(crate) fn placed(self, left: Vec3) -> Vec3 {
        if self == Self::Left { left } else { Vec3::new(-left.x, left.y, left.z) }
    }

    pub(crate) fn other(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

/// How an arm is held, in metres and directions of humanoid space as if it were the left one
/// (+X is outwards), while the trunk is upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arm {
    /// Where the wrist is.
    pub(crate) wrist: Vec3,
    /// Where the elbow points.
    pub(crate) elbow: Vec3,
    /// Where the palm faces.
    pub(crate) palm: Vec3,
    /// Where the straight fingers point; none is along the forearm.
    pub(crate) hand: Option<Vec3>,
}

/// An arm as rotations of the left side: the upper arm's, bend and twist of the elbow, the hand's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) upper: Quat,
    pub(crate) bend: f32,
    pub(crate) twist: f32,
    pub(crate) hand: Quat,
}

/// An arm at a time, as offsets from where the motion starts: upper arm, elbow and hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmKnot {
    pub(crate) secs: f32,
    pub(crate) is_via: bool,
    pub(crate) values: [Vec3; 3],
}

/// A motion while it is being made.
pub(crate) struct Motion<'a> {
    pub(crate) rig: &'a Rig,
    /// Where it starts.
    pub(crate) base: Pose,
    /// Where it ends.
    pub(crate) end: Pose,
    pub(crate) seconds: f32,
    /// Whether hands and fingers trail.
    pub(crate) trails: bool,
    /// Rotation vectors, composed where a bone has several tracks; the first leads to the end.
    turns: Vec<Vec<Track>>,
    /// Bend and twist of the elbows, left and right.
    elbows: [Track; 2],
    hips: Track,
    faces: Vec<(Expression, Track)>,
}

impl<'a> Motion<'a> {
    /// From a pose to another, which may be the same.
    pub(crate) fn between(rig: &'a Rig, seconds: f32, [base, end]: [Pose; 2]) -> Self {
        let mut motion = Self {
            rig,
            base,
            end,
            seconds,
            trails: true,
            turns: vec![Vec::new(); Bone::COUNT],
            elbows: Default::default(),
            hips: Track::default(),
            faces: Vec::new(),
        };
        let is_elbow = |bone: &Bone| matches!(bone, Bone::LeftLowerArm | Bone::RightLowerArm);
        let turned = |bone: &Bone| base.rotations.get(*bone) != end.rotations.get(*bone);
        for bone in Bone::ALL.into_iter().filter(|b| turned(b) && !is_elbow(b)) {
            motion.turns[bone.index()] = vec![Track::towards(seconds, [], motion.end_of(bone))];
        }
        for side in Side::BOTH {
            if turned(&side.of(Bone::LeftLowerArm)) {
                let way = elbow_at(&end, side) - elbow_at(&base, side);
                motion.elbows[side as usize] = Track::towards(seconds, [], way);
            }
        }
        if base.root != end.root {
            motion.hips = Track::towards(seconds, [], end.root - base.root);
        }
        motion
    }

    /// How a bone is turned at the end.
    fn end_of(&self, bone: Bone) -> Vec3 {
        let [base, end] = [&self.base, &self.end].map(|pose| pose.rotations.get(bone));
        if base == end { Vec3::ZERO } else { rotation_vector(offset(base, end)) }
    }

    /// Turns a bone by more than the way from start to end: at each time, yaw to the left, pitch down and
    /// roll to the right, in degrees.
    pub(crate) fn turn(&mut self, bone: Bone, keys: impl IntoIterator<Item = (f32, bool, [f32; 3])>) {
        let knot = |(secs, is_via, angles): (f32, bool, [f32; 3])| {
            let [yaw, pitch, roll] = angles.map(f32::to_radians);
            let value = rotation_vector(Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll));
            Knot { secs, value, is_via }
        };
        let track = Track::towards(self.seconds, keys.into_iter().map(knot), Vec3::ZERO);
        self.turns[bone.index()].push(track);
    }

    /// Leads a bone through rotations to that at the end.
    pub(crate) fn pose_bone(&mut self, bone: Bone, keys: impl IntoIterator<Item = (f32, bool, Quat)>) {
        let base = self.base.rotations.get(bone);
        let knot = |(secs, is_via, rotation): (f32, bool, Quat)| Knot {
            secs,
            value: rotation_vector(offset(base, rotation)),
            is_via,
        };
        let track = Track::towards(self.seconds, keys.into_iter().map(knot), self.end_of(bone));
        self.turns[bone.index()] = vec![track];
    }

    /// An arm as offsets from where the motion starts.
    pub(crate) fn offsets(&self, side: Side, held: &Held) -> [Vec3; 3] {
        let turn = |left: Bone, rotation: Quat| {
            let base = side.turned(self.base.rotations.get(side.of(left)));
            rotation_vector(offset(base, rotation))
        };
        let elbow = Vec3::new(held.bend, held.twist, 0.0) - elbow_at(&self.base, side);
        [turn(Bone::LeftUpperArm, held.upper), elbow, turn(Bone::LeftHand, held.hand)]
    }

    /// Where an arm ends, as offsets from where it starts.
    pub(crate) fn end_offsets(&self, side: Side) -> [Vec3; 3] {
        self.offsets(side, &held_in(&self.end, side))
    }

    /// Leads an arm through knots to where it ends.
    pub(crate) fn lead_arm(&mut self, side: Side, knots: &[ArmKnot]) {
        let mut knots = knots.to_vec();
        let mut ends = self.end_offsets(side);
        let mut before = [Vec3::ZERO; 3];
        for values in knots.iter_mut().map(|knot| &mut knot.values).chain([&mut ends]) {
            *values = [0, 1, 2].map(|part| unwound(values[part], before[part], part == 1));
            before = *values;
        }
        let mirror = |v: Vec3| if side == Side::Left { v } else { Vec3::new(v.x, -v.y, -v.z) };
        let track = |part: usize, of: &dyn Fn(Vec3) -> Vec3| {
            let knot = |k: &ArmKnot| Knot { secs: k.secs, value: of(k.values[part]), is_via: k.is_via };
            Track::towards(self.seconds, knots.iter().map(knot), of(ends[part]))
        };
        let [upper, elbow, hand] = [track(0, &mirror), track(1, &|v| v), track(2, &mirror)];
        self.turns[side.of(Bone::LeftUpperArm).index()] = vec![upper];
        self.turns[side.of(Bone::LeftHand).index()] = vec![hand];
        self.elbows[side as usize] = elbow;
    }

    /// Moves the hips by more than the way from start to end, in metres; the feet stay.
    pub(crate) fn move_hips(&mut self, keys: impl IntoIterator<Item = (f32, bool, Vec3)>) {
        let way = self.end.root - self.base.root;
        // Keys are offsets from the straight way between the stances.
        let along = |secs: f32| way * ease(secs / self.seconds);
        let knot = |(secs, is_via, by): (f32, bool, Vec3)| Knot { secs, value: by + along(secs), is_via };
        let knots: Vec<Knot> = keys.into_iter().map(knot).collect();
        self.hips = Track::towards(self.seconds, knots, way);
    }

    /// Shows an expression.
    pub(crate) fn show(&mut self, face: Expression, keys: impl IntoIterator<Item = (f32, bool, f32)>) {
        let knot = |(secs, is_via, weight): (f32, bool, f32)| Knot { secs, value: Vec3::X * weight, is_via };
        let track = Track::towards(self.seconds, keys.into_iter().map(knot), Vec3::ZERO);
        self.faces.push((face, track));
    }

    /// The expressions that it shows.
    pub(crate) fn faces(&self) -> impl Iterator<Item = (Expression, impl Fn(f32) -> f32)> {
        self.faces.iter().map(|(face, track)| (*face, |secs: f32| track.at(secs).x.clamp(0.0, 1.0)))
    }

    /// Whether it moves an arm.
    pub(crate) fn moves_arm(&self, side: Side) -> bool {
        !self.elbows[side as usize].is_empty() || !self.turns[side.of(Bone::LeftShoulder).index()].is_empty()
    }

    /// The pose at a time.
    pub(crate) fn pose(&self, seconds: f32) -> Pose {
        let mut pose = self.base;
        for bone in Bone::ALL {
            let then = seconds - self.lag(bone, seconds);
            for track in &self.turns[bone.index()] {
                let turned = pose.rotations.get(bone) * from_rotation_vector(track.at(then));
                pose.rotations.set(bone, turned);
            }
        }
        for side in Side::BOTH {
            self.bend_elbow(side, seconds, &mut pose);
            self.carry_arm(side, seconds, &mut pose);
        }
        let turns_hips = !self.turns[Bone::Hips.index()].is_empty();
        if !self.hips.is_empty() || turns_hips {
            pose.root += self.hips.at(seconds);
            for side in Side::BOTH {
                plant_foot(self.rig, side, &mut pose);
            }
        }
        pose
    }

    /// How far a bone trails at a time: not at all at the ends, where all have to arrive.
    fn lag(&self, bone: Bone, seconds: f32) -> f32 {
        let trail = match bone {
            _ if !self.trails => return 0.0,
            Bone::LeftHand | Bone::RightHand => HAND_TRAILS_SECS,
            _ if is_finger(bone) => FINGERS_TRAIL_SECS,
            _ => return 0.0,
        };
        let ramp = TRAIL_RAMP_SECS.min(0.5 * self.seconds);
        trail * ease(seconds / ramp) * ease((self.seconds - seconds) / ramp)
    }

    /// A shoulder that rises carries its arm along and does not swing it: in a person the collarbone turns
    /// and the arm hangs on as it did. So the upper arm takes back what the shoulder turns by more than the
    /// way from start to end.
    fn carry_arm(&self, side: Side, seconds: f32, pose: &mut Pose) {
        let shoulder = side.of(Bone::LeftShoulder);
        let ways = usize::from(self.base.rotations.get(shoulder) != self.end.rotations.get(shoulder));
        let upper = side.of(Bone::LeftUpperArm);
        for track in self.turns[shoulder.index()].iter().skip(ways) {
            let turned = from_rotation_vector(track.at(seconds)).inverse() * pose.rotations.get(upper);
            pose.rotations.set(upper, turned);
        }
    }

    fn bend_elbow(&self, side: Side, seconds: f32, pose: &mut Pose) {
        let track = &self.elbows[side as usize];
        if !track.is_empty() {
            let now = elbow_at(&self.base, side) + track.at(seconds);
            set_elbow(pose, side, now.x.max(0.0), now.y);
        }
    }
}

/// The same turn, written as it is nearest to the one before: an arm that turns by more than half a circle
/// goes on, and does not spin back. The elbow's is bend and twist, others are rotation vectors.
fn unwound(turn: Vec3, before: Vec3, is_elbow: bool) -> Vec3 {
    let other = if is_elbow {
        turn + Vec3::Y * TAU * (before.y - turn.y).signum()
    } else {
        turn - turn.normalize_or_zero() * TAU
    };
    if other.distance(before) < turn.distance(before) { other } else { turn }
}

/// Whether a bone is one of a finger or a thumb.
pub(crate) fn is_finger(bone: Bone) -> bool {
    BoneSet::FINGERS.contains(bone)
}

/// The local rotations of an arm, as if it were the left one, under the shoulder of a pose. Arms are posed
/// as if the trunk were upright, whatever the pose they start from.
pub(crate) fn hold(rig: &Rig, base: &Pose, side: Side, arm: &Arm) -> Held {
    let limb = Limb::reach(shoulder_place(rig), arm.wrist, arm_lengths(rig), arm.elbow);
    let upper = frame_of(limb.upper, limb.lower);
    let bend = limb.upper.angle_between(limb.lower);
    // The back of the hand is +Y at rest, so its Z axis is at right angles to palm and fingers.
    let lower = frame_of(limb.lower, arm.palm.cross(limb.lower));
    let hand = arm.hand.map_or(lower, |fingers| frame_of(fingers, arm.palm.cross(fingers)));
    let hinged = upper * Quat::from_rotation_y(-bend);
    let twist = rotation_vector(hinged.inverse() * lower).x;
    let above = side.turned(base.rotations.get(side.of(Bone::LeftShoulder)));
    Held { upper: above.inverse() * upper, bend, twist, hand: lower.inverse() * hand }
}

/// How an arm is held in a pose, as [`hold`] would be told.
pub(crate) fn arm_in(rig: &Rig, pose: &Pose, side: Side) -> Arm {
    let held = held_in(pose, side);
    let above = side.turned(pose.rotations.get(side.of(Bone::LeftShoulder)));
    let upper = above * held.upper;
    let lower = upper * Quat::from_rotation_y(-held.bend) * Quat::from_rotation_x(held.twist);
    let hand = lower * held.hand;
    let [long, short] = arm_lengths(rig);
    Arm {
        wrist: shoulder_place(rig) + upper * Vec3::X * long + lower * Vec3::X * short,
        elbow: upper * Vec3::NEG_Z,
        palm: hand * Vec3::NEG_Y,
        hand: Some(hand * Vec3::X),
    }
}

/// An arm's rotations in a pose, as if it were the left one.
pub(crate) fn held_in(pose: &Pose, side: Side) -> Held {
    let turned = |left: Bone| side.turned(pose.rotations.get(side.of(left)));
    let elbow = elbow_at(pose, side);
    Held { upper: turned(Bone::LeftUpperArm), bend: elbow.x, twist: elbow.y, hand: turned(Bone::LeftHand) }
}

/// Puts an arm into a pose.
pub(crate) fn set_arm(pose: &mut Pose, side: Side, held: &Held) {
    pose.rotations.set(side.of(Bone::LeftUpperArm), side.turned(held.upper));
    set_elbow(pose, side, held.bend, held.twist);
    pose.rotations.set(side.of(Bone::LeftHand), side.turned(held.hand));
}

fn set_elbow(pose: &mut Pose, side: Side, bend: f32, twist: f32) {
    let left = Quat::from_rotation_y(-bend) * Quat::from_rotation_x(twist);
    pose.rotations.set(side.of(Bone::LeftLowerArm), side.turned(left));
}

/// The lengths of upper arm and forearm.
pub(crate) fn arm_lengths(rig: &Rig) -> [f32; 2] {
    [Bone::LeftLowerArm, Bone::LeftHand].map(|bone| rig.rest_translation(bone).length())
}

/// Where the left arm begins in the neutral pose.
fn shoulder_place(rig: &Rig) -> Vec3 {
    let shoulder = Pose::neutral(rig).rotations.get(Bone::LeftShoulder);
    rig.rest_position(Bone::LeftShoulder) + shoulder * rig.rest_translation(Bone::LeftUpperArm)
}

/// Turns thigh, shin and foot so that the foot is where it rests.
pub(crate) fn plant_foot(rig: &Rig, side: Side, pose: &mut Pose) {
    let [thigh, shin, foot] = [Bone::LeftUpperLeg, Bone::LeftLowerLeg, Bone::LeftFoot].map(|b| side.of(b));
    let hips = pose.rotations.get(Bone::Hips);
    let hip = pose.root + hips * rig.rest_translation(thigh);
    let lengths = [shin, foot].map(|b| rig.rest_translation(b).length());
    let limb = Limb::reach(hip, rig.rest_position(foot), lengths, Vec3::Z);
    let turned =
        |direction: Vec3, rest: Vec3| frame_of(direction, Vec3::Z) * frame_of(rest, Vec3::Z).inverse();
    let upper = turned(limb.upper, rig.rest_translation(shin));
    let lower = turned(limb.lower, rig.rest_translation(foot));
    pose.rotations.set(thigh, hips.inverse() * upper);
    pose.rotations.set(shin, upper.inverse() * lower);
    pose.rotations.set(foot, lower.inverse());
}

/// Bend and twist of a side's elbow in a pose.
fn elbow_at(pose: &Pose, side: Side) -> Vec3 {
    elbow_of(side.turned(pose.rotations.get(side.of(Bone::LeftLowerArm))))
}

/// Bend and twist of a forearm that has no more than these.
fn elbow_of(lower: Quat) -> Vec3 {
    let along = lower * Vec3::X;
    let bend = atan2_32(along.z, along.x);
    Vec3::new(bend, rotation_vector(Quat::from_rotation_y(bend) * lower).x, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::math::angle_between;

    #[test]
    fn a_shoulder_that_rises_carries_its_arm_along_and_does_not_swing_it() {
        let rig = crate::rig();
        let base = Pose::neutral(&rig);
        let mut motion = Motion::between(&rig, 2.0, [base, base]);
        motion.turn(Bone::LeftShoulder, [(1.0, false, [0.0, 0.0, 15.0])]);
        motion.turn(Bone::RightShoulder, [(1.0, false, [0.0, 0.0, -15.0])]);
        let [before, raised] = [0.0, 1.0].map(|secs| motion.pose(secs).model_transforms(&rig));
        for hand in [Bone::LeftHand, Bone::RightHand] {
            let [was, is] = [&before, &raised].map(|model| model[hand.index()]);
            let [turned, turns] = [was, is].map(|at| Quat::from_mat3a(&at.matrix3));
            assert!(angle_between(turned, turns) < 2e-3, "{hand:?} is turned");
            // The collarbone is 14 cm long.
            let up = is.translation.y - was.translation.y;
            assert!((0.03..0.045).contains(&up), "{hand:?} by {up} m");
        }
    }
}
