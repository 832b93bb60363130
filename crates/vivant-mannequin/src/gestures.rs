//! What is done in each stance: gestures with a meaning or a beat, and fidgets without either.
//!
//! Arms gesture while the spine and the head go along a little; heads nod by themselves.

mod busy;
mod head_and_legs;
mod relaxed;

use crate::motion::{Arm, Motion, Side};
use crate::stances::Held;
use vivant::rig::{Bone, Rig};

/// A motion within a stance.
fn within<'a>(rig: &'a Rig, held: Held, name: &'static str, seconds: f32) -> Motion<'a> {
    Motion::within(rig, name, seconds, held.pose(rig))
}

/// An arm before the trunk, the palm inwards: out, up, front, and how far the palm is turned up.
const fn ready(out: f32, up: f32, front: f32, palm_up: f32) -> Arm {
    Arm {
        wrist: [out, up, front],
        elbow: [0.6, -1.0, -0.6],
        palm: [-0.75, palm_up, 0.2],
        hand: Some([-0.1, 0.12, 1.0]),
    }
}

/// On the way from the side of the body to the front.
const LIFT: Arm =
    Arm { wrist: [0.27, 0.98, 0.2], elbow: [0.5, -0.9, -0.6], palm: [-0.9, 0.0, -0.1], hand: None };

/// An open hand to the side: here it is.
fn present<'a>(rig: &'a Rig, held: Held, name: &'static str, side: Side) -> Motion<'a> {
    let toward = if side == Side::Left { 1.0 } else { -1.0 };
    let open = Arm {
        wrist: [0.4, 1.1, 0.24],
        elbow: [0.2, -1.0, -0.6],
        palm: [0.1, 1.0, 0.3],
        hand: Some([0.75, 0.0, 0.66]),
    };
    let offered = Arm { wrist: [0.42, 1.09, 0.25], ..open };
    within(rig, held, name, 2.8)
        .arm(side, &[(0.4, LIFT), (0.85, open), (1.7, offered), (2.3, LIFT)])
        .fingers(side, &[(0.85, -8.0), (1.7, -6.0)])
        .lean(&[(0.9, [4.0 * toward, 1.0, 0.0]), (1.7, [3.5 * toward, 1.0, 0.0])])
        .turn(Bone::Head, &[(0.9, [5.0 * toward, 2.0, 2.0 * toward]), (1.7, [2.0 * toward, 1.0, toward])])
}

/// The first joints of the fingers of the left hand, the thumb apart.
const FINGERS: [Bone; 4] =
    [Bone::LeftIndexProximal, Bone::LeftMiddleProximal, Bone::LeftRingProximal, Bone::LeftLittleProximal];

/// All of them.
pub(crate) const ALL: &[fn(&Rig) -> Motion<'_>] = &[
    relaxed::beat_right,
    relaxed::beat_left,
    relaxed::beat_both,
    relaxed::point_right,
    relaxed::point_left,
    relaxed::thumbs_up,
    relaxed::present_right,
    relaxed::present_left,
    relaxed::halt,
    relaxed::dismiss,
    relaxed::me,
    relaxed::neck_rub,
    relaxed::sleeve,
    relaxed::arm_swing,
    busy::clasped_open,
    busy::clasped_beat,
    busy::thumb_fidget,
    busy::reclasp,
    busy::hip_beat,
    busy::hip_present,
    busy::hip_settle,
    busy::hip_swing,
    busy::folded_beat,
    busy::folded_shrug,
    busy::finger_tap,
    busy::folded_settle,
    head_and_legs::nod_once,
    head_and_legs::nod_tilted_left,
    head_and_legs::nod_tilted_right,
    head_and_legs::nods_tilted_left,
    head_and_legs::nods_tilted_right,
    head_and_legs::shake_tilted_left,
    head_and_legs::shake_tilted_right,
    head_and_legs::tilt_question,
    head_and_legs::look_down,
    head_and_legs::neck_roll,
    head_and_legs::lean_in,
    head_and_legs::lean_back,
    head_and_legs::rock,
    head_and_legs::knee_right,
    head_and_legs::knee_left,
];
