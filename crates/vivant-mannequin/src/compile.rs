//! Compiles the text form to poses and clips.
//!
//! The text form describes wrists, directions and angles, whereas a clip needs a rotation per bone and frame. Create a
//! [`Stage`] first: it computes the pose of every stance and moves hands out of the body. [`Stage::clip`] then compiles
//! one motion to a [`Clip`]: it creates the tracks, samples them and resolves collisions of the arms in every frame.
//! The parser has checked all names and ranges, so compiling does not return errors.

use crate::collision::Bodies;
use crate::craft::{HandVariation, Stop, with_swing};
use crate::hand::HandShape;
use crate::motion::{Arm, ArmKnot, Motion, RATE, Side, arm_in, held_in, hold, plant_foot, set_arm};
use crate::push;
use crate::score::{
    ArmKey, Edit, HandWay, Key, Line, Part, Piece, PieceKind, Score, StanceText, TrackText, Who,
};
use glam::{EulerRot, Quat, Vec3};
use vivant::body::layers::Layer;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, Rig};

/// Additional distance between hands and body in a stance, in metres. It leaves space for motions that start in the
/// stance.
const STANCE_MARGIN_M: f32 = 0.001;

/// Minimum distance of an arm from the body and the other arm, in metres, at which its hand counts as free.
const FREE_M: f32 = 0.03;

/// Share of the angle of a lean by which each bone rotates. The neck rotates back, so that the gaze stays near the
/// horizon.
pub(crate) const LEAN: [(Bone, f32); 4] =
    [(Bone::Spine, 0.25), (Bone::Chest, 0.25), (Bone::UpperChest, 0.25), (Bone::Neck, -0.4)];

/// Default directions of the elbow and of the palm.
const ELBOW: Vec3 = Vec3::new(0.5, -0.7, -0.5);
const PALM: Vec3 = Vec3::NEG_X;

/// A stance with its pose.
pub(crate) struct Posed<'a> {
    pub(crate) text: &'a StanceText,
    pub(crate) pose: Pose,
    shapes: [HandShape; 2],
}

/// All stances, for building motions between them.
pub(crate) struct Stage<'a> {
    pub(crate) rig: &'a Rig,
    pub(crate) stances: Vec<Posed<'a>>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(rig: &'a Rig, score: &'a Score) -> Self {
        Self { rig, stances: score.stances.iter().map(|text| Posed::new(rig, text)).collect() }
    }

    /// Returns a stance by its name, which the parser has checked.
    pub(crate) fn stance(&self, name: &str) -> &Posed<'a> {
        self.stances.iter().find(|stance| stance.text.name == name).unwrap_or(&self.stances[0])
    }

    /// Compiles a motion to a clip.
    pub(crate) fn clip(&self, piece: &Piece) -> Clip {
        let layers = &piece.layers;
        let all = &self.stance(&piece.stance).text.layers;
        let has_arms = (if layers.is_empty() { all } else { layers }).contains(&Layer::Arms);
        clip(&piece.name, &self.motion(piece), has_arms)
    }

    /// Compiles a motion.
    pub(crate) fn motion(&self, piece: &Piece) -> Motion<'a> {
        let from = self.stance(&piece.stance);
        let to = match &piece.kind {
            PieceKind::Transition(to) => self.stance(to),
            _ => from,
        };
        let mut motion = Motion::between(self.rig, piece.seconds, [from.pose, to.pose]);
        motion.trails = piece.craft.trails;
        let variation = piece.craft.uneven.then(|| HandVariation::of(&piece.name));
        for line in &piece.lines {
            self.add(&mut motion, from, line, variation, piece.craft.swings);
        }
        motion
    }

    fn add(
        &self,
        motion: &mut Motion<'a>,
        from: &Posed<'a>,
        line: &Line,
        variation: Option<HandVariation>,
        swings: bool,
    ) {
        let variation = variation.filter(|_| line.who == Who::Both);
        for side in Side::BOTH.into_iter().filter(|side| line.who.includes(*side)) {
            let variation = variation.filter(|variation| variation.side == side);
            match &line.track {
                TrackText::Arm(keys) => self.add_arm(motion, side, keys, variation, swings),
                TrackText::Fingers(keys) => {
                    add_fingers(motion, from, side, &delayed(keys, variation, motion.seconds));
                }
                TrackText::Shoulder(keys) => {
                    let keys = delayed(keys, variation, motion.seconds);
                    let angles = keys.iter().map(|k| (k.secs, k.is_via, shoulder(side, k.value)));
                    motion.turn(side.of(Bone::LeftShoulder), angles);
                }
                _ => {}
            }
        }
        match &line.track {
            TrackText::Turn(part, keys) => {
                for (bone, share) in bones(*part) {
                    let angles = keys.iter().map(|k| (k.secs, k.is_via, k.value.map(|a| a * share)));
                    motion.turn(bone, angles);
                }
            }
            TrackText::Hips(keys) => motion.move_hips(keys.iter().map(|k| (k.secs, k.is_via, k.value))),
            TrackText::Face(face, keys) => {
                motion.show(*face, keys.iter().map(|k| (k.secs, k.is_via, k.value)));
            }
            _ => {}
        }
    }

    fn add_arm(
        &self,
        motion: &mut Motion<'a>,
        side: Side,
        keys: &[Key<ArmKey>],
        variation: Option<HandVariation>,
        swings: bool,
    ) {
        let mut stops = vec![self.stop(motion, side, 0.0, &motion.base)];
        for key in delayed(keys, variation, motion.seconds) {
            let mut arm = arm_of(self.rig, &motion.base, side, &key.value);
            let is_free = is_free(self.rig, &motion.base, side, &arm);
            if let Some(variation) = variation.filter(|_| is_free) {
                arm.wrist += variation.offset;
            }
            let values = motion.offsets(side, &hold(self.rig, &motion.base, side, &arm));
            let knot = ArmKnot { secs: key.secs, is_via: key.is_via, values };
            stops.push(Stop { knot, wrist: arm.wrist, is_free });
        }
        stops.push(self.stop(motion, side, motion.seconds, &motion.end));
        let knots = if swings {
            with_swing(&stops)
        } else {
            stops[1..stops.len() - 1].iter().map(|stop| stop.knot).collect()
        };
        motion.set_arm_track(side, &knots);
    }

    /// Returns the knot of an arm in a pose, at the start or the end of a motion.
    fn stop(&self, motion: &Motion<'a>, side: Side, secs: f32, pose: &Pose) -> Stop {
        let arm = arm_in(self.rig, pose, side);
        let values = motion.offsets(side, &held_in(pose, side));
        let is_free = is_free(self.rig, pose, side, &arm);
        Stop { knot: ArmKnot { secs, is_via: false, values }, wrist: arm.wrist, is_free }
    }
}

impl<'a> Posed<'a> {
    fn new(rig: &'a Rig, text: &'a StanceText) -> Self {
        let mut pose = Pose::neutral(rig);
        let mut shapes = [HandShape::NEUTRAL; 2];
        for line in &text.lines {
            turn_parts(&mut pose, line);
        }
        for line in &text.lines {
            pose_arms(rig, &mut pose, &mut shapes, line);
        }
        for side in Side::BOTH {
            for (bone, rotation) in shapes[side as usize].joints(side) {
                pose.rotations.set(bone, rotation);
            }
            plant_foot(rig, side, &mut pose);
        }
        Self { text, pose: push::free(rig, &pose, STANCE_MARGIN_M), shapes }
    }

    /// Returns the hand shape on the way to the stance, if it differs from the shape in the stance.
    pub(crate) fn way_shape(&self, side: Side) -> Option<HandShape> {
        let edits = self.text.way_fingers[side as usize].as_ref()?;
        let mut shape = self.shapes[side as usize];
        edits.iter().for_each(|edit| edit.apply(&mut shape));
        Some(shape)
    }

    /// Returns the waypoints of an arm, starting with the one nearest to the stance.
    pub(crate) fn ways(&self, rig: &Rig, side: Side) -> Vec<Arm> {
        self.text.ways[side as usize].iter().map(|key| arm_of(rig, &self.pose, side, key)).collect()
    }
}

/// Applies trunk, head, shoulders and hips of a stance.
fn turn_parts(pose: &mut Pose, line: &Line) {
    let mut turn = |bone: Bone, [yaw, pitch, roll]: [f32; 3]| {
        let [yaw, pitch, roll] = [yaw, pitch, roll].map(f32::to_radians);
        let turned = pose.rotations.get(bone) * Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll);
        pose.rotations.set(bone, turned);
    };
    match &line.track {
        TrackText::Turn(part, keys) => {
            for (key, (bone, share)) in
                keys.iter().flat_map(|k| bones(*part).into_iter().map(move |b| (k, b)))
            {
                turn(bone, key.value.map(|angle| angle * share));
            }
        }
        TrackText::Shoulder(keys) => {
            for side in Side::BOTH.into_iter().filter(|side| line.who.includes(*side)) {
                for key in keys {
                    turn(side.of(Bone::LeftShoulder), shoulder(side, key.value));
                }
            }
        }
        TrackText::Hips(keys) => pose.root += keys.iter().map(|key| key.value).sum::<Vec3>(),
        _ => {}
    }
}

/// Applies arms and fingers of a stance, after its shoulders.
fn pose_arms(rig: &Rig, pose: &mut Pose, shapes: &mut [HandShape; 2], line: &Line) {
    for side in Side::BOTH.into_iter().filter(|side| line.who.includes(*side)) {
        match &line.track {
            TrackText::Arm(keys) => {
                for key in keys {
                    let arm = arm_of(rig, &Pose::neutral(rig), side, &key.value);
                    let held = hold(rig, pose, side, &arm);
                    set_arm(pose, side, &held);
                }
            }
            TrackText::Fingers(keys) => {
                let edits = keys.iter().flat_map(|key| &key.value);
                edits.for_each(|edit| edit.apply(&mut shapes[side as usize]));
            }
            _ => {}
        }
    }
}

fn add_fingers(motion: &mut Motion<'_>, from: &Posed<'_>, side: Side, keys: &[Key<Vec<Edit>>]) {
    let shape = |key: &Key<Vec<Edit>>| {
        let mut shape = from.shapes[side as usize];
        key.value.iter().for_each(|edit| edit.apply(&mut shape));
        shape.joints(side)
    };
    let shapes: Vec<_> = keys.iter().map(shape).collect();
    for joint in 0..15 {
        let Some((bone, _)) = shapes.first().map(|joints| joints[joint]) else { return };
        let turns = keys.iter().zip(&shapes).map(|(k, joints)| (k.secs, k.is_via, joints[joint].1));
        motion.pose_bone(bone, turns);
    }
}

/// Converts an arm key of the text to metres and directions.
fn arm_of(rig: &Rig, stance: &Pose, side: Side, key: &ArmKey) -> Arm {
    let start = if key.from_stance {
        arm_in(rig, stance, side)
    } else {
        Arm { wrist: Vec3::ZERO, elbow: ELBOW, palm: PALM, hand: None }
    };
    Arm {
        wrist: start.wrist + key.wrist,
        elbow: key.elbow.unwrap_or(start.elbow),
        palm: key.palm.unwrap_or(start.palm),
        hand: match key.hand {
            None => start.hand,
            Some(HandWay::AlongForearm) => None,
            Some(HandWay::To(fingers)) => Some(fingers),
        },
    }
}

/// Returns true if nothing is closer to an arm than [`FREE_M`].
fn is_free(rig: &Rig, pose: &Pose, side: Side, arm: &Arm) -> bool {
    let mut pose = *pose;
    let held = hold(rig, &pose, side, arm);
    set_arm(&mut pose, side, &held);
    let mut arms = [false; 2];
    arms[side as usize] = true;
    Bodies::new(rig, &pose).deepest(arms, -FREE_M).is_none()
}

/// Returns the keys, delayed for the second hand if a variation is given.
fn delayed<T: Clone>(keys: &[Key<T>], variation: Option<HandVariation>, seconds: f32) -> Vec<Key<T>> {
    let mut keys = keys.to_vec();
    if let (Some(variation), Some(last)) = (variation, keys.last()) {
        let space = 0.5 * (seconds - last.secs);
        let delayed = variation.delay_secs.min(space);
        keys.iter_mut().for_each(|key| key.secs += delayed);
    }
    keys
}

/// Returns the rotation of a shoulder that is raised or moved forward, in degrees.
fn shoulder(side: Side, [up, front]: [f32; 2]) -> [f32; 3] {
    let sign = if side == Side::Left { 1.0 } else { -1.0 };
    [-front * sign, 0.0, up * sign]
}

fn bones(part: Part) -> Vec<(Bone, f32)> {
    match part {
        Part::Lean => LEAN.to_vec(),
        Part::Eyes => vec![(Bone::LeftEye, 1.0), (Bone::RightEye, 1.0)],
        Part::Bone(bone) => vec![(bone, 1.0)],
    }
}

/// Samples a motion as a clip. Arms are moved out of collisions.
pub(crate) fn clip(name: &str, motion: &Motion<'_>, has_arms: bool) -> Clip {
    let frames = (f64::from(motion.seconds) * RATE + 0.5) as usize + 1;
    let secs = |frame: usize| (frame as f32 / RATE as f32).min(motion.seconds);
    let mut poses: Vec<Pose> = (0..frames).map(|frame| motion.pose(secs(frame))).collect();
    if has_arms {
        let moves = Side::BOTH.map(|side| motion.moves_arm(side));
        let moves = if moves == [false; 2] { [true; 2] } else { moves };
        push::free_frames(motion.rig, &mut poses, moves);
    }
    let mut clip = Clip::new(name, RATE, frames, motion.rig.hips_height()).expect("the length is valid");
    for (frame, pose) in poses.iter().enumerate() {
        for bone in Bone::ALL {
            clip.set_rotation(frame, bone, pose.rotations.get(bone));
        }
        clip.set_root(frame, pose.root);
    }
    for (face, weight) in motion.faces() {
        let weights: Vec<f32> = (0..frames).map(|frame| weight(secs(frame))).collect();
        clip.add_channel(Channel::from(face), &weights).expect("there is one weight per frame");
    }
    clip
}
