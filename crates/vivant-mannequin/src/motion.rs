//! Motions from key poses.
//!
//! A key is an offset from the pose that the motion starts in, which is the neutral stance unless it is
//! said otherwise; every track starts with no offset, and ends with what leads to the pose at the end,
//! which is none if that is the same. Arms are
//! posed by directions in space and not by angles, and their elbows are hinges, so that they cannot
//! bend the wrong way even between two keys. When the hips move, the legs follow by
//! [`Limb::reach`], so that the feet stay where they are.

use crate::limb::{Limb, frame_of, mirrored_rotation};
use glam::{EulerRot, Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::{atan2_32, from_rotation_vector, rotation_vector};
use vivant::pose::{Pose, offset};
use vivant::rig::{Bone, BoneSet, Channel, Expression, Rig};

/// Frames a second of every motion made here.
pub(crate) const RATE: f64 = 30.0;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    /// This side's fellow of a bone of the left side.
    fn of(self, left: Bone) -> Bone {
        if self == Self::Left { left } else { left.mirrored() }
    }

    /// What a rotation of the left side is on this one.
    fn turned(self, left: Quat) -> Quat {
        if self == Self::Left { left } else { mirrored_rotation(left) }
    }
}

/// How an arm is held, in metres and directions of humanoid space as if it were the left one
/// (+X is outwards), while the trunk is upright.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    /// Where the wrist is.
    pub(crate) wrist: [f32; 3],
    /// Where the elbow points.
    pub(crate) elbow: [f32; 3],
    /// Where the palm faces.
    pub(crate) palm: [f32; 3],
    /// Where the straight fingers point; none is along the forearm.
    pub(crate) hand: Option<[f32; 3]>,
}

/// Values at times, smooth between them: zero at the start of the motion.
#[derive(Clone, Debug, Default)]
struct Track {
    keys: Vec<(f32, Vec3)>,
}

impl Track {
    fn new(seconds: f32, keys: impl IntoIterator<Item = (f32, Vec3)>) -> Self {
        Self::towards(seconds, keys, Vec3::ZERO)
    }

    fn towards(seconds: f32, keys: impl IntoIterator<Item = (f32, Vec3)>, end: Vec3) -> Self {
        let inner = keys.into_iter();
        Self { keys: [(0.0, Vec3::ZERO)].into_iter().chain(inner).chain([(seconds, end)]).collect() }
    }

    fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// A quintic between neighbouring keys: position, velocity and acceleration are continuous, and a
    /// move from rest to rest has minimum jerk.
    fn at(&self, seconds: f32) -> Vec3 {
        let next = self.keys.partition_point(|(t, _)| *t <= seconds);
        let Some(((t0, a), (t1, b))) =
            next.checked_sub(1).and_then(|i| Some((self.keys[i], *self.keys.get(next)?)))
        else {
            return self.keys.last().map_or(Vec3::ZERO, |(_, end)| *end);
        };
        let span = t1 - t0;
        let (va, vb) = (self.slope(next - 1) * span, self.slope(next) * span);
        let u = (seconds - t0) / span;
        let (u3, u4, u5) = (u * u * u, u * u * u * u, u * u * u * u * u);
        a + va * u
            + (b - a) * (10.0 * u3 - 15.0 * u4 + 6.0 * u5)
            + va * (-6.0 * u3 + 8.0 * u4 - 3.0 * u5)
            + vb * (-4.0 * u3 + 7.0 * u4 - 3.0 * u5)
    }

    /// The velocity at a key: none at a turning point, else the harmonic mean of both sides', with
    /// which the curve does not swing over its keys (Fritsch and Butland).
    fn slope(&self, key: usize) -> Vec3 {
        if key == 0 || key + 1 >= self.keys.len() {
            return Vec3::ZERO;
        }
        let rate = |i: usize| {
            let ((t0, a), (t1, b)) = (self.keys[i], self.keys[i + 1]);
            (b - a) / (t1 - t0)
        };
        let (before, after) = (rate(key - 1), rate(key));
        let mean = |p: f32, q: f32| if p * q <= 0.0 { 0.0 } else { 2.0 * p * q / (p + q) };
        Vec3::new(mean(before.x, after.x), mean(before.y, after.y), mean(before.z, after.z))
    }
}

/// A motion while it is being made.
pub(crate) struct Motion<'a> {
    rig: &'a Rig,
    /// Where it starts.
    base: Pose,
    /// Where it ends.
    end: Pose,
    name: &'static str,
    seconds: f32,
    /// Rotation vectors, one track a bone.
    turns: Vec<Track>,
    /// Bend and twist of the elbows, left and right.
    elbows: [Track; 2],
    hips: Track,
    faces: Vec<(Expression, Track)>,
}

impl<'a> Motion<'a> {
    /// From the neutral stance back to it.
    pub(crate) fn new(rig: &'a Rig, name: &'static str, seconds: f32) -> Self {
        Self::within(rig, name, seconds, Pose::neutral(rig))
    }

    /// From a pose to another.
    pub(crate) fn between(rig: &'a Rig, name: &'static str, seconds: f32, [base, end]: [Pose; 2]) -> Self {
        let mut motion = Self { end, ..Self::within(rig, name, seconds, base) };
        let is_elbow = |bone: &Bone| matches!(bone, Bone::LeftLowerArm | Bone::RightLowerArm);
        let turned = |bone: &Bone| base.rotations.get(*bone) != end.rotations.get(*bone);
        for bone in Bone::ALL.into_iter().filter(|b| turned(b) && !is_elbow(b)) {
            motion.turns[bone.index()] = Track::towards(seconds, [], motion.end_of(bone));
        }
        for side in [Side::Left, Side::Right] {
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

    /// From a pose back to it.
    pub(crate) fn within(rig: &'a Rig, name: &'static str, seconds: f32, base: Pose) -> Self {
        Self {
            rig,
            base,
            end: base,
            name,
            seconds,
            turns: vec![Track::default(); Bone::COUNT],
            elbows: Default::default(),
            hips: Track::default(),
            faces: Vec::new(),
        }
    }

    /// How a bone is turned at the end.
    fn end_of(&self, bone: Bone) -> Vec3 {
        let [base, end] = [&self.base, &self.end].map(|pose| pose.rotations.get(bone));
        if base == end { Vec3::ZERO } else { rotation_vector(offset(base, end)) }
    }

    /// Turns a bone: at each time, yaw to the left, pitch down and roll to the right, in degrees.
    pub(crate) fn turn(mut self, bone: Bone, keys: &[(f32, [f32; 3])]) -> Self {
        let key = |(seconds, [yaw, pitch, roll]): (f32, [f32; 3])| {
            let [yaw, pitch, roll] = [yaw, pitch, roll].map(f32::to_radians);
            (seconds, rotation_vector(Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll)))
        };
        let keys = keys.iter().copied().map(key);
        self.turns[bone.index()] = Track::towards(self.seconds, keys, self.end_of(bone));
        self
    }

    /// Bends the trunk and the neck as one: spine, chest and upper chest take a quarter each, and the
    /// neck gives half of it back, so that the gaze stays near the horizon.
    pub(crate) fn lean(mut self, keys: &[(f32, [f32; 3])]) -> Self {
        let share =
            |part: f32| keys.iter().map(|(t, angles)| (*t, angles.map(|a| a * part))).collect::<Vec<_>>();
        for (bone, part) in
            [(Bone::Spine, 0.25), (Bone::Chest, 0.25), (Bone::UpperChest, 0.25), (Bone::Neck, -0.4)]
        {
            self = self.turn(bone, &share(part));
        }
        self
    }

    /// Raises a shoulder, in degrees.
    pub(crate) fn shoulder(self, side: Side, keys: &[(f32, f32)]) -> Self {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let keys: Vec<_> = keys.iter().map(|(t, up)| (*t, [0.0, 0.0, up * sign])).collect();
        self.turn(side.of(Bone::LeftShoulder), &keys)
    }

    /// Closes a hand by so many degrees a joint; less than nothing opens it.
    pub(crate) fn fingers(mut self, side: Side, keys: &[(f32, f32)]) -> Self {
        let sign = if side == Side::Left { -1.0 } else { 1.0 };
        let keys: Vec<_> = keys.iter().map(|(t, curl)| (*t, [0.0, 0.0, curl * sign])).collect();
        for left in BoneSet::LEFT_ARM.iter().filter(|b| *b >= Bone::LeftIndexProximal) {
            self = self.turn(side.of(left), &keys);
        }
        self
    }

    /// Closes one finger, by its first joint of the left hand.
    pub(crate) fn finger(mut self, side: Side, first: Bone, keys: &[(f32, f32)]) -> Self {
        let sign = if side == Side::Left { -1.0 } else { 1.0 };
        let keys: Vec<_> = keys.iter().map(|(t, curl)| (*t, [0.0, 0.0, curl * sign])).collect();
        for joint in 0..3 {
            self = self.turn(side.of(Bone::ALL[first.index() + joint]), &keys);
        }
        self
    }

    /// Holds an arm.
    pub(crate) fn arm(mut self, side: Side, keys: &[(f32, Arm)]) -> Self {
        let held: Vec<_> = keys.iter().map(|(t, arm)| (*t, self.hold(side, arm))).collect();
        for (left, of) in [
            (Bone::LeftUpperArm, (|h: &Held| h.upper) as fn(&Held) -> Quat),
            (Bone::LeftHand, |h: &Held| h.hand),
        ] {
            let bone = side.of(left);
            let base = side.turned(self.base.rotations.get(bone));
            let key = |(t, h): &(f32, Held)| (*t, rotation_vector(side.turned(offset(base, of(h)))));
            let track = Track::towards(self.seconds, held.iter().map(key), self.end_of(bone));
            self.turns[bone.index()] = track;
        }
        let [rest, end] = [&self.base, &self.end].map(|pose| elbow_at(pose, side));
        let elbow = held.iter().map(|(t, h)| (*t, Vec3::new(h.bend, h.twist, 0.0) - rest));
        self.elbows[side as usize] = Track::towards(self.seconds, elbow, end - rest);
        self
    }

    /// Moves the hips, in metres; the feet stay.
    pub(crate) fn hips(mut self, keys: &[(f32, [f32; 3])]) -> Self {
        let keys = keys.iter().map(|(t, by)| (*t, Vec3::from(*by)));
        self.hips = Track::towards(self.seconds, keys, self.end.root - self.base.root);
        self
    }

    /// Shows an expression.
    pub(crate) fn face(mut self, name: &str, keys: &[(f32, f32)]) -> Self {
        if let Some(expression) = Expression::from_name(name) {
            let keys = keys.iter().map(|(t, weight)| (*t, Vec3::X * *weight));
            self.faces.push((expression, Track::new(self.seconds, keys)));
        }
        self
    }

    /// The local rotations of an arm of the left side.
    fn hold(&self, side: Side, arm: &Arm) -> Held {
        // Arms are posed as if the trunk were upright, whatever the pose they start from.
        let places = Pose::neutral(self.rig).model_transforms(self.rig);
        let length = |bone: Bone| self.rig.rest_translation(bone).length();
        let lengths = [length(Bone::LeftLowerArm), length(Bone::LeftHand)];
        let shoulder = Vec3::from(places[Bone::LeftUpperArm.index()].translation);
        let limb = Limb::reach(shoulder, arm.wrist.into(), lengths, arm.elbow.into());
        let upper = frame_of(limb.upper, limb.lower);
        let bend = limb.upper.angle_between(limb.lower);
        // The back of the hand is +Y at rest, so its Z axis is at right angles to palm and fingers.
        let palm = Vec3::from(arm.palm);
        let lower = frame_of(limb.lower, palm.cross(limb.lower));
        let hand = arm.hand.map_or(lower, |fingers| {
            let fingers = Vec3::from(fingers);
            frame_of(fingers, palm.cross(fingers))
        });
        let hinged = upper * Quat::from_rotation_y(-bend);
        let twist = rotation_vector(hinged.inverse() * lower).x;
        let above = side.turned(self.base.rotations.get(side.of(Bone::LeftShoulder)));
        Held { upper: above.inverse() * upper, bend, twist, hand: lower.inverse() * hand }
    }

    /// The motion as a clip.
    pub(crate) fn clip(self) -> Clip {
        let frames = (f64::from(self.seconds) * RATE + 0.5) as usize + 1;
        let mut clip = Clip::new(self.name, RATE, frames, self.rig.hips_height()).expect("a sane length");
        for frame in 0..frames {
            let pose = self.pose(frame as f32 / RATE as f32);
            for bone in Bone::ALL {
                clip.set_rotation(frame, bone, pose.rotations.get(bone));
            }
            clip.set_root(frame, pose.root);
        }
        for (expression, track) in &self.faces {
            let weights: Vec<f32> = (0..frames).map(|f| track.at(f as f32 / RATE as f32).x).collect();
            clip.add_channel(Channel::from(*expression), &weights).expect("a weight a frame");
        }
        clip
    }

    /// The pose at a time.
    pub(crate) fn pose(&self, seconds: f32) -> Pose {
        let mut pose = self.base;
        for bone in Bone::ALL {
            let track = &self.turns[bone.index()];
            if !track.is_empty() {
                let turned = pose.rotations.get(bone) * from_rotation_vector(track.at(seconds));
                pose.rotations.set(bone, turned);
            }
        }
        for side in [Side::Left, Side::Right] {
            self.bend_elbow(side, seconds, &mut pose);
        }
        if !self.hips.is_empty() {
            pose.root += self.hips.at(seconds);
            for side in [Side::Left, Side::Right] {
                self.plant_foot(side, &mut pose);
            }
        }
        pose
    }

    fn bend_elbow(&self, side: Side, seconds: f32, pose: &mut Pose) {
        let track = &self.elbows[side as usize];
        if !track.is_empty() {
            let now = elbow_at(&self.base, side) + track.at(seconds);
            let left = Quat::from_rotation_y(-now.x) * Quat::from_rotation_x(now.y);
            pose.rotations.set(side.of(Bone::LeftLowerArm), side.turned(left));
        }
    }

    /// Turns thigh, shin and foot so that the foot is where it rests.
    fn plant_foot(&self, side: Side, pose: &mut Pose) {
        let [thigh, shin, foot] =
            [Bone::LeftUpperLeg, Bone::LeftLowerLeg, Bone::LeftFoot].map(|b| side.of(b));
        let hips = pose.rotations.get(Bone::Hips);
        let hip = pose.root + hips * self.rig.rest_translation(thigh);
        let lengths = [shin, foot].map(|b| self.rig.rest_translation(b).length());
        let limb = Limb::reach(hip, self.rig.rest_position(foot), lengths, Vec3::Z);
        let turned =
            |direction: Vec3, rest: Vec3| frame_of(direction, Vec3::Z) * frame_of(rest, Vec3::Z).inverse();
        let upper = turned(limb.upper, self.rig.rest_translation(shin));
        let lower = turned(limb.lower, self.rig.rest_translation(foot));
        pose.rotations.set(thigh, hips.inverse() * upper);
        pose.rotations.set(shin, upper.inverse() * lower);
        pose.rotations.set(foot, lower.inverse());
    }
}

/// An arm as rotations of the left side.
struct Held {
    upper: Quat,
    bend: f32,
    twist: f32,
    hand: Quat,
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
