//! Idle motion in each stance, and generated transitions between stances.
//!
//! Every stance needs an idle loop, and every pair of stances of the same layers needs a transition; writing all of
//! them by hand would not scale with the number of stances. [`idle_motion`] returns a loop with small movements of the
//! layers of the stance. [`transition`] leads each arm along the waypoints of both stances, so that hands do not pass
//! through the body, and takes longer if a bone would rotate too fast. Transitions in the source files take precedence;
//! the caller generates only the missing ones. [`hands`] reports which hands a transition moves, as a label for the
//! repertoire.

use crate::compile::{LEAN, Posed, Stage};
use crate::craft::HandVariation;
use crate::hand::HandShape;
use crate::motion::{Arm, ArmKnot, Motion, Side, arm_in, hold};
use crate::track::{REST_SECS, ease};
use glam::Vec3;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Rig};

/// Duration of the idle loop of a stance in seconds.
const LOOP_SECS: f32 = 6.0;

/// Maximum distance in metres of a wrist from its final position at which it moves there directly, without waypoints.
const STRAIGHT_M: f32 = 0.1;
/// Maximum rotation velocity in a generated transition, in radians per second (our design: 340° per second).
const MAX_RADIANS_PER_S: f32 = 5.9;
/// Waypoints that are closer to each other than this, in metres, are merged.
const SAME_M: f32 = 0.06;
/// Minimum movement relative to the chest at which a wrist counts as moved to another place, in metres. Hanging arms
/// move by up to 4 cm when the weight shifts.
const ELSEWHERE_M: f32 = 0.05;

/// Returns the looping idle motion of a stance, with small movements of hips, spine, shoulders and head.
pub(crate) fn idle_motion<'a>(stage: &Stage<'a>, stance: &Posed<'a>) -> Motion<'a> {
    let mut motion = Motion::between(stage.rig, LOOP_SECS, [stance.pose; 2]);
    let key = |(secs, angles): (f32, [f32; 3])| (secs, true, angles);
    let mut turn = |bone: Bone, keys: [(f32, [f32; 3]); 2]| motion.turn(bone, keys.map(key));
    if stance.text.layers.contains(&Layer::Head) {
        turn(Bone::Head, [(1.7, [0.8, 0.5, -0.4]), (3.9, [-0.7, -0.3, 0.4])]);
        turn(Bone::Neck, [(2.2, [0.4, 0.0, 0.3]), (4.4, [-0.3, 0.2, -0.2])]);
    }
    if stance.text.layers.contains(&Layer::Arms) {
        turn(Bone::LeftShoulder, [(1.9, [0.0, 0.0, 0.6]), (4.0, [0.0, 0.0, -0.4])]);
        turn(Bone::RightShoulder, [(2.3, [0.0, 0.0, -0.5]), (4.5, [0.0, 0.0, 0.4])]);
    }
    if stance.text.layers.contains(&Layer::Body) {
        turn(Bone::Spine, [(2.0, [0.0, 0.3, -0.2]), (4.2, [0.0, -0.2, 0.2])]);
        let sway = [(1.8, [0.003, 0.0, 0.002]), (4.1, [-0.002, 0.0, -0.002])];
        motion.move_hips(sway.map(|(secs, by)| (secs, true, by.into())));
    }
    motion
}

/// Returns the name of the transition from one stance to another.
pub(crate) fn transition_name(from: &str, to: &str) -> String {
    format!("{from}_to_{to}")
}

/// Generates a transition. Each arm leaves through the waypoints of the first stance and arrives through the
/// waypoints of the second stance.
pub(crate) fn transition<'a>(stage: &Stage<'a>, from: &Posed<'a>, to: &Posed<'a>) -> Motion<'a> {
    let paths = Side::BOTH.map(|side| path(stage, from, to, side));
    let secs = transition_secs(from, to, paths.iter().map(|path| length(path)).fold(0.0, f32::max));
    let motion = transition_in(stage, from, to, &paths, secs);
    // Slow down if a bone would rotate too fast.
    let longer = secs * (fastest(&motion) / MAX_RADIANS_PER_S).clamp(1.0, 1.8);
    if longer > secs { transition_in(stage, from, to, &paths, longer) } else { motion }
}

fn transition_in<'a>(
    stage: &Stage<'a>,
    from: &Posed<'a>,
    to: &Posed<'a>,
    paths: &[Vec<Arm>; 2],
    seconds: f32,
) -> Motion<'a> {
    let mut motion = Motion::between(stage.rig, seconds, [from.pose, to.pose]);
    let variation = HandVariation::of(&transition_name(&from.text.name, &to.text.name));
    motion.trails = false;
    if !from.text.layers.contains(&Layer::Head) {
        let yaw = if variation.side == Side::Left { -2.0 } else { 2.0 };
        move_trunk(&mut motion, [yaw, 1.8, 0.0]);
    }
    for (side, path) in Side::BOTH.into_iter().zip(paths) {
        let shapes = [(0.22, from.way_shape(side)), (0.78, to.way_shape(side))];
        open_hand(&mut motion, side, shapes);
        if path.len() > 2 {
            let delay = if side == variation.side { variation.delay_secs } else { 0.0 };
            let knots = knots(&motion, side, path, delay);
            motion.set_arm_track(side, &knots);
        }
    }
    motion
}

/// Leans the trunk by the given angles while the arms move, and back again.
fn move_trunk(motion: &mut Motion<'_>, angles: [f32; 3]) {
    let secs = 0.45 * motion.seconds;
    for (bone, share) in LEAN {
        motion.turn(bone, [(secs, false, angles.map(|angle| angle * share))]);
    }
}

/// Returns the maximum rotation velocity of the arm bones in a motion, in radians per second.
fn fastest(motion: &Motion<'_>) -> f32 {
    let poses: Vec<Pose> = (0..=60).map(|step| motion.pose(motion.seconds * step as f32 / 60.0)).collect();
    let bones = || BoneSet::ARMS.iter().filter(|bone| !BoneSet::FINGERS.contains(*bone));
    let turn =
        |pair: &[Pose], bone: Bone| angle_between(pair[0].rotations.get(bone), pair[1].rotations.get(bone));
    let most = poses.windows(2).flat_map(|pair| bones().map(move |bone| turn(pair, bone)));
    most.fold(0.0, f32::max) * 60.0 / motion.seconds
}

/// Sets the shapes of a hand on the way. Each shape is given with a fraction of the motion's duration.
fn open_hand(motion: &mut Motion<'_>, side: Side, shapes: [(f32, Option<HandShape>); 2]) {
    let seconds = motion.seconds;
    let shapes: Vec<(f32, HandShape)> =
        shapes.into_iter().filter_map(|(share, shape)| Some((share * seconds, shape?))).collect();
    for joint in 0..15 {
        let turns: Vec<_> = shapes.iter().map(|(secs, shape)| (*secs, shape.joints(side)[joint])).collect();
        if let Some((_, (bone, _))) = turns.first() {
            motion.pose_bone(*bone, turns.iter().map(|(secs, (_, turn))| (*secs, false, *turn)));
        }
    }
}

/// Returns the duration of a transition in seconds. It grows with the distance that the hands travel and is longer if
/// the weight shifts.
fn transition_secs(from: &Posed<'_>, to: &Posed<'_>, metres: f32) -> f32 {
    let shifts = from.pose.root.distance(to.pose.root) > 0.02;
    let least = match (from.text.layers.contains(&Layer::Head), shifts) {
        (true, _) => 1.0,
        (false, true) => 1.7,
        (false, false) => 1.2,
    };
    (0.75 + 0.85 * metres).clamp(least, 2.4)
}

/// Returns the waypoints of an arm, including its positions in both stances.
fn path(stage: &Stage<'_>, from: &Posed<'_>, to: &Posed<'_>, side: Side) -> Vec<Arm> {
    let [start, end] = [from, to].map(|stance| arm_in(stage.rig, &stance.pose, side));
    let mut path = vec![start];
    if start.wrist.distance(end.wrist) > STRAIGHT_M {
        let back = to.ways(stage.rig, side).into_iter().rev();
        for arm in from.ways(stage.rig, side).into_iter().chain(back) {
            if path.last().is_none_or(|last| last.wrist.distance(arm.wrist) > SAME_M) {
                path.push(arm);
            }
        }
    }
    path.push(end);
    path
}

fn length(path: &[Arm]) -> f32 {
    path.windows(2).map(|pair| pair[0].wrist.distance(pair[1].wrist)).sum()
}

/// Returns the waypoints between start and end. Their times are those at which a minimum-jerk movement passes them.
fn knots(motion: &Motion<'_>, side: Side, path: &[Arm], delay: f32) -> Vec<ArmKnot> {
    let (whole, busy) = (length(path), motion.seconds - 2.0 * REST_SECS - delay);
    // Waypoints have a minimum distance in time, even if they are close together, to avoid sudden accelerations.
    let apart = 1.0 / path.len() as f32 / 1.6;
    (1..path.len() - 1)
        .map(|i| {
            let least = apart * i as f32;
            let share = time_share(length(&path[..=i]) / whole)
                .clamp(least, 1.0 - apart * (path.len() - 1 - i) as f32);
            let held = hold(motion.rig, &motion.base, side, &path[i]);
            let secs = REST_SECS + delay + busy * share;
            ArmKnot { secs, is_via: true, values: motion.offsets(side, &held) }
        })
        .collect()
}

/// Returns the fraction of the duration after which a minimum-jerk movement has covered `share` of its distance.
fn time_share(share: f32) -> f32 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if ease(middle) < share { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Returns the hands that end in another place after a transition. Movement that is caused by the trunk alone does
/// not count.
pub(crate) fn hands(stage: &Stage<'_>, from: &Posed<'_>, to: &Posed<'_>) -> Option<Hand> {
    let [from, to] = [from, to].map(|stance| wrists_in_chest(stage.rig, &stance.pose));
    match [0, 1].map(|side| from[side].distance(to[side]) > ELSEWHERE_M) {
        [true, true] => Some(Hand::Both),
        [true, false] => Some(Hand::Left),
        [false, true] => Some(Hand::Right),
        [false, false] => None,
    }
}

/// Returns the positions of the left and the right wrist relative to the upper chest, in metres.
pub(crate) fn wrists_in_chest(rig: &Rig, pose: &Pose) -> [Vec3; 2] {
    let model = pose.model_transforms(rig);
    let chest = model[Bone::UpperChest.index()].inverse();
    [Bone::LeftHand, Bone::RightHand]
        .map(|hand| chest.transform_point3(model[hand.index()].translation.into()))
}
