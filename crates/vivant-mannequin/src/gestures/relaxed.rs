//! With the arms at the sides.

use super::{FINGERS, LIFT, present, ready, within};
use crate::motion::{Arm, Motion, Side};
use crate::stances::Held;
use vivant::rig::{Bone, Rig};

/// One hand comes up and marks two words.
fn beat<'a>(rig: &'a Rig, name: &'static str, side: Side) -> Motion<'a> {
    let toward = if side == Side::Left { 1.0 } else { -1.0 };
    within(rig, Held::Relaxed, name, 2.6)
        .arm(
            side,
            &[
                (0.55, ready(0.23, 1.12, 0.25, 0.3)),
                (0.8, ready(0.24, 1.04, 0.3, 0.4)),
                (1.15, ready(0.24, 1.1, 0.27, 0.4)),
                (1.42, ready(0.26, 1.03, 0.31, 0.5)),
                (1.75, ready(0.26, 1.05, 0.28, 0.4)),
                (2.1, LIFT),
            ],
        )
        .fingers(side, &[(0.6, 4.0), (0.85, -5.0), (1.5, -5.0)])
        .lean(&[(0.7, [2.0 * toward, 1.5, 0.0]), (1.7, [1.5 * toward, 2.0, 0.0])])
        .turn(Bone::Head, &[(0.82, [0.0, 3.0, 0.0]), (1.15, [0.0, 0.0, 0.0]), (1.45, [0.0, 3.0, 0.0])])
}

pub(super) fn beat_right(rig: &Rig) -> Motion<'_> {
    beat(rig, "beat_right", Side::Right)
}

pub(super) fn beat_left(rig: &Rig) -> Motion<'_> {
    beat(rig, "beat_left", Side::Left)
}

/// Both hands mark one word.
pub(super) fn beat_both(rig: &Rig) -> Motion<'_> {
    let mut motion = within(rig, Held::Relaxed, "beat_both", 2.2);
    for (side, late) in [(Side::Left, 0.05), (Side::Right, 0.0)] {
        motion = motion
            .arm(
                side,
                &[
                    (0.55 + late, ready(0.21, 1.14, 0.25, 0.4)),
                    (0.85 + late, ready(0.24, 1.03, 0.31, 0.6)),
                    (1.25 + late, ready(0.24, 1.05, 0.29, 0.5)),
                    (1.7 + late, LIFT),
                ],
            )
            .fingers(side, &[(0.6, 3.0), (0.9, -6.0), (1.3, -4.0)]);
    }
    motion
        .lean(&[(0.9, [0.0, 3.0, 0.0]), (1.3, [0.0, 2.0, 0.0])])
        .turn(Bone::Head, &[(0.55, [0.0, -1.5, 0.0]), (0.9, [0.0, 4.0, 0.0])])
}

/// An outstretched arm: there.
fn point<'a>(rig: &'a Rig, name: &'static str, side: Side) -> Motion<'a> {
    let toward = if side == Side::Left { 1.0 } else { -1.0 };
    let aim = Arm {
        wrist: [0.42, 1.27, 0.36],
        elbow: [0.5, -1.0, -0.2],
        palm: [-0.55, -0.8, 0.1],
        hand: Some([0.5, 0.0, 0.86]),
    };
    let held = Arm { wrist: [0.425, 1.262, 0.362], ..aim };
    let mut motion = within(rig, Held::Relaxed, name, 2.8)
        .arm(side, &[(0.35, LIFT), (0.75, aim), (1.6, held), (2.2, LIFT)])
        .shoulder(side, &[(0.8, 4.0), (1.6, 3.5)])
        .lean(&[(0.8, [6.0 * toward, 1.0, 0.0]), (1.6, [5.0 * toward, 1.0, 0.0])])
        .turn(Bone::Head, &[(0.6, [12.0 * toward, 0.0, 0.0]), (1.5, [10.0 * toward, 0.0, 0.0])]);
    for (index, finger) in FINGERS.into_iter().enumerate() {
        // The index finger is straight, the others are closed.
        let curl = if index == 0 { -12.0 } else { 52.0 };
        motion = motion.finger(side, finger, &[(0.7, curl), (1.65, curl)]);
    }
    motion
}

pub(super) fn point_right(rig: &Rig) -> Motion<'_> {
    point(rig, "point_right", Side::Right)
}

pub(super) fn point_left(rig: &Rig) -> Motion<'_> {
    point(rig, "point_left", Side::Left)
}

/// Well done: the fist before the chest, the thumb up.
pub(super) fn thumbs_up(rig: &Rig) -> Motion<'_> {
    let up = Arm {
        wrist: [0.24, 1.17, 0.32],
        elbow: [0.5, -1.0, -0.3],
        palm: [-1.0, -0.05, 0.1],
        hand: Some([-0.25, 0.2, 0.95]),
    };
    let nudge = Arm { wrist: [0.24, 1.185, 0.345], ..up };
    let mut motion = within(rig, Held::Relaxed, "thumbs_up", 2.6)
        .arm(Side::Right, &[(0.35, LIFT), (0.7, up), (0.95, nudge), (1.6, up), (2.1, LIFT)])
        .lean(&[(0.8, [-2.0, 1.0, 0.0]), (1.5, [-1.5, 1.0, 0.0])])
        .turn(Bone::Head, &[(0.7, [0.0, -2.0, -2.0]), (1.0, [0.0, 4.0, -3.0]), (1.5, [0.0, 1.0, -2.0])])
        .face("happy", &[(0.7, 0.6), (1.7, 0.5)]);
    for finger in FINGERS {
        motion = motion.finger(Side::Right, finger, &[(0.65, 62.0), (1.7, 62.0)]);
    }
    motion
        .turn(Bone::RightThumbMetacarpal, &[(0.65, [32.0, 0.0, 0.0]), (1.7, [32.0, 0.0, 0.0])])
        .turn(Bone::RightThumbProximal, &[(0.65, [16.0, 0.0, 0.0]), (1.7, [16.0, 0.0, 0.0])])
}

pub(super) fn present_right(rig: &Rig) -> Motion<'_> {
    present(rig, Held::Relaxed, "present_right", Side::Right)
}

pub(super) fn present_left(rig: &Rig) -> Motion<'_> {
    present(rig, Held::Relaxed, "present_left", Side::Left)
}

/// No further: the palm to the front.
pub(super) fn halt(rig: &Rig) -> Motion<'_> {
    let flat = Arm {
        wrist: [0.22, 1.25, 0.36],
        elbow: [0.5, -1.0, -0.3],
        palm: [0.0, 0.1, 1.0],
        hand: Some([0.0, 1.0, 0.25]),
    };
    let pushed = Arm { wrist: [0.22, 1.26, 0.39], ..flat };
    let rise =
        Arm { wrist: [0.26, 1.08, 0.26], elbow: [0.5, -1.0, -0.4], palm: [-0.5, -0.6, 0.5], hand: None };
    within(rig, Held::Relaxed, "halt", 2.8)
        .arm(Side::Right, &[(0.5, rise), (0.95, flat), (1.2, pushed), (1.7, flat), (2.2, rise)])
        .fingers(Side::Right, &[(0.9, -14.0), (1.7, -13.0)])
        .lean(&[(1.0, [-2.0, -2.0, 0.0]), (1.7, [-2.0, -2.0, 0.0])])
        .turn(Bone::Head, &[(1.0, [-2.0, -1.0, 0.0]), (1.7, [2.0, 0.0, 0.0])])
}

/// Never mind: the hand throws it away.
pub(super) fn dismiss(rig: &Rig) -> Motion<'_> {
    let wind = Arm {
        wrist: [0.14, 1.14, 0.3],
        elbow: [0.7, -0.9, -0.3],
        palm: [-0.5, -0.6, -0.5],
        hand: Some([-0.5, -0.1, 0.86]),
    };
    let thrown = Arm {
        wrist: [0.38, 1.1, 0.32],
        elbow: [0.4, -1.0, -0.5],
        palm: [0.2, -0.95, 0.3],
        hand: Some([0.45, 0.0, 0.9]),
    };
    within(rig, Held::Relaxed, "dismiss", 2.2)
        .arm(Side::Right, &[(0.6, wind), (0.98, thrown), (1.25, thrown), (1.7, LIFT)])
        .fingers(Side::Right, &[(0.6, 12.0), (1.0, -8.0), (1.3, -4.0)])
        .lean(&[(0.6, [2.0, 1.0, 0.0]), (1.1, [-3.0, 0.0, 0.0])])
        .turn(Bone::Head, &[(0.7, [6.0, 2.0, 0.0]), (1.1, [-5.0, 3.0, 2.0])])
}

/// I: the hand goes to the chest.
pub(super) fn me(rig: &Rig) -> Motion<'_> {
    let touch = Arm {
        wrist: [0.14, 1.235, 0.165],
        elbow: [0.75, -0.8, -0.1],
        palm: [-0.15, 0.1, -1.0],
        hand: Some([-0.95, 0.25, -0.02]),
    };
    let rise =
        Arm { wrist: [0.24, 1.1, 0.26], elbow: [0.6, -0.9, -0.3], palm: [-0.7, 0.1, -0.6], hand: None };
    within(rig, Held::Relaxed, "me", 2.6)
        .arm(Side::Right, &[(0.45, rise), (0.9, touch), (1.6, touch), (2.05, rise)])
        .fingers(Side::Right, &[(0.9, -6.0), (1.6, -4.0)])
        .turn(Bone::Head, &[(0.9, [0.0, 3.0, -3.0]), (1.6, [0.0, 1.0, -3.0])])
}

/// The right hand rubs the neck.
pub(super) fn neck_rub(rig: &Rig) -> Motion<'_> {
    let rise = Arm { wrist: [0.3, 1.36, 0.2], elbow: [0.9, -0.2, 0.3], palm: [-0.8, 0.3, -0.5], hand: None };
    let at = |up: f32| Arm {
        wrist: [0.15, up, 0.06],
        elbow: [0.9, -0.1, 0.45],
        palm: [-1.0, -0.1, 0.15],
        hand: Some([-0.2, -0.12, -0.97]),
    };
    let beside = Arm { wrist: [0.25, 1.47, 0.1], hand: Some([0.05, 0.62, -0.6]), ..at(0.0) };
    within(rig, Held::Relaxed, "neck_rub", 5.0)
        .arm(
            Side::Right,
            &[
                (0.45, LIFT),
                (0.9, rise),
                (1.3, beside),
                (1.65, at(1.5)),
                (2.05, at(1.485)),
                (2.45, at(1.505)),
                (2.85, at(1.488)),
                (3.15, at(1.5)),
                (3.5, beside),
                (3.95, rise),
                (4.5, LIFT),
            ],
        )
        .shoulder(Side::Right, &[(1.5, 7.0), (3.3, 7.0)])
        .fingers(Side::Right, &[(1.65, 8.0), (2.1, 14.0), (2.5, 8.0), (2.9, 14.0)])
        .turn(Bone::Head, &[(1.8, [4.0, 9.0, -5.0]), (2.5, [2.0, 11.0, -8.0]), (3.2, [4.0, 8.0, -4.0])])
}

/// The right hand puts the left sleeve in order.
pub(super) fn sleeve(rig: &Rig) -> Motion<'_> {
    let left = Arm {
        wrist: [0.1, 1.06, 0.26],
        elbow: [0.8, -0.7, -0.4],
        palm: [-0.2, -0.8, -0.6],
        hand: Some([-0.75, -0.15, 0.6]),
    };
    let at = |out: f32| Arm {
        wrist: [out, 1.115, 0.33],
        elbow: [0.8, -0.8, -0.1],
        palm: [-0.1, -0.8, -0.6],
        hand: Some([-0.95, -0.15, -0.2]),
    };
    within(rig, Held::Relaxed, "sleeve", 3.6)
        .arm(Side::Left, &[(0.4, LIFT), (0.9, left), (2.6, left), (3.1, LIFT)])
        .arm(
            Side::Right,
            &[
                (0.45, LIFT),
                (1.0, at(0.06)),
                (1.4, at(0.02)),
                (1.8, at(0.05)),
                (2.2, at(0.02)),
                (2.6, at(0.08)),
                (3.1, LIFT),
            ],
        )
        .fingers(Side::Right, &[(1.0, 14.0), (1.4, 22.0), (1.8, 12.0), (2.2, 20.0)])
        .turn(Bone::Head, &[(0.9, [3.0, 14.0, 0.0]), (2.4, [2.0, 13.0, 0.0])])
        .turn(Bone::Neck, &[(0.9, [1.0, 6.0, 0.0]), (2.4, [1.0, 6.0, 0.0])])
}

/// The arms swing a little, as when one waits.
pub(super) fn arm_swing(rig: &Rig) -> Motion<'_> {
    let mut motion = within(rig, Held::Relaxed, "arm_swing", 3.2);
    for (bone, late) in [(Bone::LeftUpperArm, 0.0), (Bone::RightUpperArm, 0.08)] {
        // Forwards is about X, and the arm hangs: the axis is that of the shoulders.
        let side = if bone == Bone::LeftUpperArm { 1.0 } else { -1.0 };
        motion = motion.turn(
            bone,
            &[
                (0.6 + late, [-9.0 * side, 0.0, 2.0 * side]),
                (1.3 + late, [6.0 * side, 0.0, 2.0 * side]),
                (2.0 + late, [-5.0 * side, 0.0, side]),
            ],
        );
    }
    motion.lean(&[(0.8, [0.0, 0.8, 0.0]), (1.5, [0.0, -0.8, 0.0])])
}
