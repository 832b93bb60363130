//! Motions from key poses.
//!
//! A key is an offset from the pose in which the motion starts. Every track starts with no offset and ends with the
//! offset to the final pose. Arms are posed by directions in space, not by angles. Their elbows are hinges, so they
//! cannot bend the wrong way, even between two keys. When the hips move, [`Limb::reach`] computes the legs, so that
//! the feet stay in place. Hands follow their wrists with a small delay, and fingers follow their hands with a small
//! delay.

use crate::limb::{Limb, frame_of, mirrored_rotation};
use crate::track::{Knot, Track, ease};
use glam::{EulerRot, Quat, Vec3};
use std::f32::consts::TAU;
use vivant::math::{atan2_32, from_rotation_vector, rotation_vector};
use vivant::pose::{Pose, offset};
use vivant::rig::{Bone, BoneSet, Expression, Rig};

/// Frames per second of all motions.
pub(crate) const RATE: f64 = 30.0;

/// Delay of the hand and of the fingers behind the wrist, in seconds (our design: one and two frames of film, as
/// animators draw overlapping action).
const HAND_TRAIL_SECS: f32 = 0.04;
const FINGERS_TRAIL_SECS: f32 = 0.08;

/// Time over which the trailing fades at the ends of a motion, in seconds.
const TRAIL_RAMP_SECS: f32 = 0.4;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the bone of this side for the given left bone.
    pub(crate) fn of(self, left: Bone) -> Bone {
        if self == Self::Left { left } else { left.mirrored() }
    }

    /// Mirrors a left rotation to this side.
    pub(crate) fn turned(self, left: Quat) -> Quat {
        if self == Self::Left { left } else { mirrored_rotation(left) }
    }

    /// Mirrors a left position or direction to this side.
    pub(crate) fn placed(self, left: Vec3) -> Vec3 {
        if self == Self::Left { left } else { Vec3::new(-left.x, left.y, left.z) }
    }

    pub(crate) fn other(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

/// The position of an arm, with an upright trunk. Positions are in metres, and directions are in humanoid space. All
/// values are given as for the left arm, so +X points outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arm {
    /// Position of the wrist in metres.
    pub(crate) wrist: Vec3,
    /// Direction of the elbow.
    pub(crate) elbow: Vec3,
    /// Direction that the palm faces.
    pub(crate) palm: Vec3,
    /// Direction of the straight fingers; `None` if they point along the forearm.
    pub(crate) hand: Option<Vec3>,
}

/// An arm as rotations, given as for the left side: upper arm, bend and twist of the elbow, and hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) upper: Quat,
    pub(crate) bend: f32,
    pub(crate) twist: f32,
    pub(crate) hand: Quat,
}

/// An arm at a given time, as rotation offsets from the start of the motion: upper arm, elbow and hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmKnot {
    pub(crate) secs: f32,
    pub(crate) is_via: bool,
    pub(crate) values: [Vec3; 3],
}

/// A motion under construction.
pub(crate) struct Motion<'a> {
    pub(crate) rig: &'a Rig,
    /// The start pose.
    pub(crate) base: Pose,
    /// The final pose.
    pub(crate) end: Pose,
    pub(crate) seconds: f32,
    /// True if hands and fingers follow their wrists with a delay.
    pub(crate) trails: bool,
    /// Rotation vectors. If a bone has several tracks, their rotations are composed; the first track leads to the
    /// final pose.
    turns: Vec<Vec<Track>>,
    /// Bend and twist of the elbows, left and right.
    elbows: [Track; 2],
    hips: Track,
    faces: Vec<(Expression, Track)>,
}

impl<'a> Motion<'a> {
    /// Creates a motion between two poses, which may be the same.
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

    /// Returns the rotation offset of a bone at the end of the motion.
    fn end_of(&self, bone: Bone) -> Vec3 {
        let [base, end] = [&self.base, &self.end].map(|pose| pose.rotations.get(bone));
        if base == end { Vec3::ZERO } else { rotation_vector(offset(base, end)) }
    }

    /// Rotates a bone in addition to the motion from start to end. Each key is a time in seconds, true if the key is
    /// passed without stopping, and yaw to the left, pitch down and roll to the right in degrees.
    pub(crate) fn turn(&mut self, bone: Bone, keys: impl IntoIterator<Item = (f32, bool, [f32; 3])>) {
        let knot = |(secs, is_via, angles): (f32, bool, [f32; 3])| {
            let [yaw, pitch, roll] = angles.map(f32::to_radians);
            let value = rotation_vector(Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll));
            Knot { secs, value, is_via }
        };
        let track = Track::towards(self.seconds, keys.into_iter().map(knot), Vec3::ZERO);
        self.turns[bone.index()].push(track);
    }

    /// Moves a bone through rotations to its final rotation.
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

    /// Returns an arm as rotation offsets from the start of the motion: upper arm, elbow and hand.
    pub(crate) fn offsets(&self, side: Side, held: &Held) -> [Vec3; 3] {
        let turn = |left: Bone, rotation: Quat| {
            let base = side.turned(self.base.rotations.get(side.of(left)));
            rotation_vector(offset(base, rotation))
        };
        let elbow = Vec3::new(held.bend, held.twist, 0.0) - elbow_at(&self.base, side);
        [turn(Bone::LeftUpperArm, held.upper), elbow, turn(Bone::LeftHand, held.hand)]
    }

    /// Returns the rotation offsets of an arm at the end of the motion: upper arm, elbow and hand.
    pub(crate) fn end_offsets(&self, side: Side) -> [Vec3; 3] {
        self.offsets(side, &held_in(&self.end, side))
    }

    /// Moves an arm through knots to its final position.
    pub(crate) fn set_arm_track(&mut self, side: Side, knots: &[ArmKnot]) {
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

    /// Moves the hips in addition to the motion from start to end, in metres. The feet stay in place.
    pub(crate) fn move_hips(&mut self, keys: impl IntoIterator<Item = (f32, bool, Vec3)>) {
        let way = self.end.root - self.base.root;
        // Keys are offsets from the straight line between the stances.
        let along = |secs: f32| way * ease(secs / self.seconds);
        let knot = |(secs, is_via, by): (f32, bool, Vec3)| Knot { secs, value: by + along(secs), is_via };
        let knots: Vec<Knot> = keys.into_iter().map(knot).collect();
        self.hips = Track::towards(self.seconds, knots, way);
    }

    /// Adds an expression track.
    pub(crate) fn show(&mut self, face: Expression, keys: impl IntoIterator<Item = (f32, bool, f32)>) {
        let knot = |(secs, is_via, weight): (f32, bool, f32)| Knot { secs, value: Vec3::X * weight, is_via };
        let track = Track::towards(self.seconds, keys.into_iter().map(knot), Vec3::ZERO);
        self.faces.push((face, track));
    }

    /// Returns the expressions with their weights over time.
    pub(crate) fn faces(&self) -> impl Iterator<Item = (Expression, impl Fn(f32) -> f32)> {
        self.faces.iter().map(|(face, track)| (*face, |secs: f32| track.at(secs).x.clamp(0.0, 1.0)))
    }

    /// Returns true if the motion moves an arm.
    pub(crate) fn moves_arm(&self, side: Side) -> bool {
        !self.elbows[side as usize].is_empty() || !self.turns[side.of(Bone::LeftShoulder).index()].is_empty()
    }

    /// Returns the pose at the given time.
    pub(crate) fn pose(&self, seconds: f32) -> Pose {
        let mut pose = self.base;
        for bone in Bone::ALL {
            let delayed = seconds - self.lag(bone, seconds);
            for track in &self.turns[bone.index()] {
                let turned = pose.rotations.get(bone) * from_rotation_vector(track.at(delayed));
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

    /// Returns the delay of a bone at the given time, in seconds. It is 0 at both ends, where all bones arrive
    /// together.
    fn lag(&self, bone: Bone, seconds: f32) -> f32 {
        let trail = match bone {
            _ if !self.trails => return 0.0,
            Bone::LeftHand | Bone::RightHand => HAND_TRAIL_SECS,
            _ if is_finger(bone) => FINGERS_TRAIL_SECS,
            _ => return 0.0,
        };
        let ramp = TRAIL_RAMP_SECS.min(0.5 * self.seconds);
        trail * ease(seconds / ramp) * ease((self.seconds - seconds) / ramp)
    }

    /// Keeps the arm hanging when its shoulder rises: in people, the collarbone rotates and the arm is lifted without
    /// rotating. So the upper arm rotates against the shoulder. The change of the shoulder from the start pose to
    /// the end pose is not compensated.
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

/// Returns the same rotation in the form that is closest to the previous one, so that an arm that rotates by more
/// than half a circle does not spin back. For an elbow the value is bend and twist; for other joints it is a rotation
/// vector.
fn unwound(turn: Vec3, before: Vec3, is_elbow: bool) -> Vec3 {
    let other = if is_elbow {
        turn + Vec3::Y * TAU * (before.y - turn.y).signum()
    } else {
        turn - turn.normalize_or_zero() * TAU
    };
    if other.distance(before) < turn.distance(before) { other } else { turn }
}

/// Returns true for bones of fingers and thumbs.
pub(crate) fn is_finger(bone: Bone) -> bool {
    BoneSet::FINGERS.contains(bone)
}

/// Returns the local rotations of an arm under the shoulder of a pose, given as for the left arm. Arms are posed as
/// if the trunk were upright, for any start pose.
pub(crate) fn hold(rig: &Rig, base: &Pose, side: Side, arm: &Arm) -> Held {
    let limb = Limb::reach(shoulder_place(rig), arm.wrist, arm_lengths(rig), arm.elbow);
    let upper = frame_of(limb.upper, limb.lower);
    let bend = limb.upper.angle_between(limb.lower);
    // The back of the hand is +Y at rest, so its Z axis is perpendicular to palm and fingers.
    let lower = frame_of(limb.lower, arm.palm.cross(limb.lower));
    let hand = arm.hand.map_or(lower, |fingers| frame_of(fingers, arm.palm.cross(fingers)));
    let hinged = upper * Quat::from_rotation_y(-bend);
    let twist = rotation_vector(hinged.inverse() * lower).x;
    let above = side.turned(base.rotations.get(side.of(Bone::LeftShoulder)));
    Held { upper: above.inverse() * upper, bend, twist, hand: lower.inverse() * hand }
}

/// Returns the position of an arm in a pose, which can be passed to [`hold`].
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

/// Returns the rotations of an arm in a pose, given as for the left arm.
pub(crate) fn held_in(pose: &Pose, side: Side) -> Held {
    let turned = |left: Bone| side.turned(pose.rotations.get(side.of(left)));
    let elbow = elbow_at(pose, side);
    Held { upper: turned(Bone::LeftUpperArm), bend: elbow.x, twist: elbow.y, hand: turned(Bone::LeftHand) }
}

/// Sets the rotations of an arm in a pose.
pub(crate) fn set_arm(pose: &mut Pose, side: Side, held: &Held) {
    pose.rotations.set(side.of(Bone::LeftUpperArm), side.turned(held.upper));
    set_elbow(pose, side, held.bend, held.twist);
    pose.rotations.set(side.of(Bone::LeftHand), side.turned(held.hand));
}

fn set_elbow(pose: &mut Pose, side: Side, bend: f32, twist: f32) {
    let left = Quat::from_rotation_y(-bend) * Quat::from_rotation_x(twist);
    pose.rotations.set(side.of(Bone::LeftLowerArm), side.turned(left));
}

/// Lengths of upper arm and forearm in metres.
pub(crate) fn arm_lengths(rig: &Rig) -> [f32; 2] {
    [Bone::LeftLowerArm, Bone::LeftHand].map(|bone| rig.rest_translation(bone).length())
}

/// Position at which the left arm starts in the neutral pose.
fn shoulder_place(rig: &Rig) -> Vec3 {
    let shoulder = Pose::neutral(rig).rotations.get(Bone::LeftShoulder);
    rig.rest_position(Bone::LeftShoulder) + shoulder * rig.rest_translation(Bone::LeftUpperArm)
}

/// Rotates thigh, shin and foot so that the foot stays in its rest position.
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

/// Returns bend and twist of a forearm. Its rotation must consist of only these two.
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
    fn a_rising_shoulder_does_not_rotate_its_arm() {
        let rig = crate::rig();
        let base = Pose::neutral(&rig);
        let mut motion = Motion::between(&rig, 2.0, [base, base]);
        motion.turn(Bone::LeftShoulder, [(1.0, false, [0.0, 0.0, 15.0])]);
        motion.turn(Bone::RightShoulder, [(1.0, false, [0.0, 0.0, -15.0])]);
        let [before, raised] = [0.0, 1.0].map(|secs| motion.pose(secs).model_transforms(&rig));
        for hand in [Bone::LeftHand, Bone::RightHand] {
            let [was, is] = [&before, &raised].map(|model| model[hand.index()]);
            let [turned, turns] = [was, is].map(|at| Quat::from_mat3a(&at.matrix3));
            assert!(angle_between(turned, turns) < 2e-3, "{hand:?} must not rotate");
            // The collarbone is 14 cm long.
            let up = is.translation.y - was.translation.y;
            assert!((0.03..0.045).contains(&up), "{hand:?} rises by {up} m");
        }
    }
}
