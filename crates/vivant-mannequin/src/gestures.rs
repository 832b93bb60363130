//! What is done in each stance: gestures with a meaning or a beat, and fidgets without either.
//!
//! Arms gesture while the spine and the head go along a little; heads nod by themselves.

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

// ---- Arms at the sides.

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

fn beat_right(rig: &Rig) -> Motion<'_> {
    beat(rig, "beat_right", Side::Right)
}

fn beat_left(rig: &Rig) -> Motion<'_> {
    beat(rig, "beat_left", Side::Left)
}

/// Both hands mark one word.
fn beat_both(rig: &Rig) -> Motion<'_> {
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

/// The first joints of the fingers of the left hand, the thumb apart.
const FINGERS: [Bone; 4] =
    [Bone::LeftIndexProximal, Bone::LeftMiddleProximal, Bone::LeftRingProximal, Bone::LeftLittleProximal];

fn point_right(rig: &Rig) -> Motion<'_> {
    point(rig, "point_right", Side::Right)
}

fn point_left(rig: &Rig) -> Motion<'_> {
    point(rig, "point_left", Side::Left)
}

/// Well done: the fist before the chest, the thumb up.
fn thumbs_up(rig: &Rig) -> Motion<'_> {
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

fn present_right(rig: &Rig) -> Motion<'_> {
    present(rig, Held::Relaxed, "present_right", Side::Right)
}

fn present_left(rig: &Rig) -> Motion<'_> {
    present(rig, Held::Relaxed, "present_left", Side::Left)
}

/// No further: the palm to the front.
fn halt(rig: &Rig) -> Motion<'_> {
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
fn dismiss(rig: &Rig) -> Motion<'_> {
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
fn me(rig: &Rig) -> Motion<'_> {
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
fn neck_rub(rig: &Rig) -> Motion<'_> {
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
fn sleeve(rig: &Rig) -> Motion<'_> {
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
fn arm_swing(rig: &Rig) -> Motion<'_> {
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

// ---- Hands clasped.

/// The hands part, mark a word, and meet again.
fn clasped_open(rig: &Rig) -> Motion<'_> {
    let mut motion = within(rig, Held::HandsClasped, "clasped_open", 2.4);
    for (side, late) in [(Side::Left, 0.04), (Side::Right, 0.0)] {
        motion = motion
            .arm(
                side,
                &[
                    (0.45 + late, ready(0.17, 1.06, 0.28, 0.5)),
                    (0.8 + late, ready(0.24, 1.02, 0.32, 0.8)),
                    (1.25 + late, ready(0.23, 1.03, 0.31, 0.8)),
                    (1.8 + late, ready(0.15, 1.03, 0.27, 0.2)),
                ],
            )
            .fingers(side, &[(0.5, -14.0), (0.9, -22.0), (1.3, -20.0), (1.85, -10.0)]);
    }
    motion
        .lean(&[(0.9, [0.0, 2.0, 0.0]), (1.3, [0.0, 1.5, 0.0])])
        .turn(Bone::Head, &[(0.85, [0.0, 3.0, 0.0])])
}

/// The clasped hands rise and fall on a word.
fn clasped_beat(rig: &Rig) -> Motion<'_> {
    clasped_lift(rig, "clasped_beat", 1.6, &[(0.35, 4.0), (0.62, -2.0), (0.95, 1.0)])
        .turn(Bone::Head, &[(0.35, [0.0, -1.0, 0.0]), (0.65, [0.0, 4.0, 0.0])])
}

/// The thumbs find no rest.
fn thumb_fidget(rig: &Rig) -> Motion<'_> {
    let turn = |a: f32| {
        [
            (0.4, [0.0, a, 0.0]),
            (0.8, [0.0, -a, 4.0]),
            (1.3, [0.0, a, 0.0]),
            (1.8, [0.0, -a, 3.0]),
            (2.3, [0.0, a, 0.0]),
        ]
    };
    within(rig, Held::HandsClasped, "thumb_fidget", 2.9)
        .turn(Bone::LeftThumbProximal, &turn(9.0))
        .turn(Bone::RightThumbProximal, &turn(-9.0))
        .fingers(Side::Right, &[(0.7, 3.0), (1.6, -2.0), (2.2, 2.0)])
}

/// The hands are settled anew.
fn reclasp(rig: &Rig) -> Motion<'_> {
    clasped_lift(rig, "reclasp", 2.6, &[(0.7, 3.0), (1.3, 2.0), (1.8, 3.5)])
        .fingers(Side::Right, &[(0.7, -9.0), (1.3, 3.0), (1.8, -4.0)])
        .fingers(Side::Left, &[(0.7, -7.0), (1.3, 4.0), (1.8, -3.0)])
        .shoulder(Side::Left, &[(0.8, 2.5), (1.6, 1.0)])
        .shoulder(Side::Right, &[(0.8, 2.5), (1.6, 1.0)])
}

/// Both hands up as one, in centimetres.
fn clasped_lift<'a>(rig: &'a Rig, name: &'static str, seconds: f32, keys: &[(f32, f32)]) -> Motion<'a> {
    let [left, right] = Held::CLASPED;
    let lifted = |arm: Arm, cm: f32| {
        let [x, y, z] = arm.wrist;
        Arm { wrist: [x, y + 0.01 * cm, z + 0.004 * cm.abs()], ..arm }
    };
    let keys = |arm: Arm| keys.iter().map(|(t, cm)| (*t, lifted(arm, *cm))).collect::<Vec<_>>();
    within(rig, Held::HandsClasped, name, seconds).arm(Side::Left, &keys(left)).arm(Side::Right, &keys(right))
}

// ---- A hand on the hip.

fn hip_beat(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HandOnHip, "hip_beat", 2.4)
        .arm(
            Side::Left,
            &[
                (0.55, ready(0.23, 1.12, 0.25, 0.3)),
                (0.82, ready(0.25, 1.03, 0.31, 0.5)),
                (1.3, ready(0.25, 1.05, 0.29, 0.4)),
                (1.85, LIFT),
            ],
        )
        .fingers(Side::Left, &[(0.6, 4.0), (0.9, -6.0), (1.3, -4.0)])
        .turn(Bone::Head, &[(0.55, [1.0, -1.0, 0.0]), (0.86, [2.0, 4.0, 0.0])])
}

fn hip_present(rig: &Rig) -> Motion<'_> {
    present(rig, Held::HandOnHip, "hip_present", Side::Left)
}

/// The hand on the hip is settled anew.
fn hip_settle(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HandOnHip, "hip_settle", 2.4)
        .shoulder(Side::Right, &[(0.7, 3.0), (1.5, -1.0)])
        .fingers(Side::Right, &[(0.6, 8.0), (1.1, -4.0), (1.6, 5.0)])
        .lean(&[(0.8, [1.0, 0.5, 1.5]), (1.6, [0.0, 0.0, 0.5])])
        .turn(Bone::Head, &[(0.9, [2.0, 1.0, -2.0])])
}

// ---- Arms folded.

/// The upper hand opens on a word, and comes back.
fn folded_beat(rig: &Rig) -> Motion<'_> {
    let out = Arm {
        wrist: [0.17, 1.16, 0.33],
        elbow: [0.6, -1.0, -0.1],
        palm: [-0.4, 0.9, 0.1],
        hand: Some([0.1, 0.1, 1.0]),
    };
    let rise = Arm { wrist: [0.07, 1.2, 0.3], elbow: [0.6, -1.0, 0.1], palm: [-0.5, 0.4, -0.6], hand: None };
    within(rig, Held::ArmsFolded, "folded_beat", 2.4)
        .arm(Side::Right, &[(0.45, rise), (0.8, out), (1.2, out), (1.75, rise)])
        .fingers(Side::Right, &[(0.8, -8.0), (1.2, -5.0)])
        .turn(Bone::Head, &[(0.5, [0.0, -1.0, 0.0]), (0.85, [-2.0, 4.0, 0.0])])
}

/// Who knows, with folded arms.
fn folded_shrug(rig: &Rig) -> Motion<'_> {
    within(rig, Held::ArmsFolded, "folded_shrug", 2.0)
        .shoulder(Side::Left, &[(0.6, 9.0), (1.1, 8.0)])
        .shoulder(Side::Right, &[(0.6, 9.0), (1.1, 8.0)])
        .turn(Bone::Head, &[(0.65, [1.0, 2.0, 7.0]), (1.15, [1.0, 2.0, 6.0])])
        .lean(&[(0.6, [0.0, -2.0, 0.0]), (1.1, [0.0, -1.5, 0.0])])
}

/// Fingers drum on the arm.
fn finger_tap(rig: &Rig) -> Motion<'_> {
    let mut motion = within(rig, Held::ArmsFolded, "finger_tap", 2.4);
    for (i, finger) in FINGERS.into_iter().enumerate() {
        let late = 0.06 * (3 - i) as f32;
        let taps: Vec<(f32, f32)> =
            (0..8).map(|n| (0.3 + late + 0.22 * n as f32, if n % 2 == 0 { -9.0 } else { 1.0 })).collect();
        motion = motion.finger(Side::Right, finger, &taps);
    }
    motion.turn(Bone::Head, &[(0.8, [-3.0, 1.0, 0.0]), (1.7, [-2.0, 2.0, 0.0])])
}

// ---- Heads.

fn pitch(t: f32, degrees: f32) -> (f32, [f32; 3]) {
    (t, [0.0, degrees, 0.0])
}

/// Yes, once.
fn nod_in<'a>(rig: &'a Rig, held: Held, name: &'static str) -> Motion<'a> {
    within(rig, held, name, 1.4)
        .turn(Bone::Head, &[pitch(0.14, -2.0), pitch(0.45, 11.0), pitch(0.85, -0.5)])
        .turn(Bone::Neck, &[pitch(0.5, 4.0), pitch(0.9, 0.0)])
        .turn(Bone::LeftEye, &[pitch(0.45, -7.0), pitch(0.85, 0.0)])
        .turn(Bone::RightEye, &[pitch(0.45, -7.0), pitch(0.85, 0.0)])
}

fn nod_once(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadStraight, "nod_once")
}

fn nod_tilted_left(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadTiltedLeft, "nod_tilted_left")
}

fn nod_tilted_right(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadTiltedRight, "nod_tilted_right")
}

/// No, gently.
fn shake_in<'a>(rig: &'a Rig, held: Held, name: &'static str) -> Motion<'a> {
    let yaw = |t: f32, degrees: f32| (t, [degrees, 0.8, 0.0]);
    let eyes = [yaw(0.32, -5.0), yaw(0.74, 6.0), yaw(1.14, -3.0)];
    within(rig, held, name, 1.8)
        .turn(Bone::Head, &[yaw(0.32, 9.0), yaw(0.74, -10.0), yaw(1.14, 6.0), yaw(1.45, -1.5)])
        .turn(Bone::Neck, &[yaw(0.36, 4.0), yaw(0.78, -4.0), yaw(1.18, 2.0)])
        .turn(Bone::LeftEye, &eyes)
        .turn(Bone::RightEye, &eyes)
}

fn shake_tilted_left(rig: &Rig) -> Motion<'_> {
    shake_in(rig, Held::HeadTiltedLeft, "shake_tilted_left")
}

fn shake_tilted_right(rig: &Rig) -> Motion<'_> {
    shake_in(rig, Held::HeadTiltedRight, "shake_tilted_right")
}

/// Really? The head to one side, the chin forwards.
fn tilt_question(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "tilt_question", 2.0)
        .turn(Bone::Head, &[(0.5, [3.0, -3.0, 8.0]), (1.3, [3.0, -2.0, 7.5])])
        .turn(Bone::Neck, &[(0.55, [1.0, 5.0, 4.0]), (1.3, [1.0, 5.0, 4.0])])
        .face("surprised", &[(0.55, 0.25), (1.3, 0.2)])
}

/// The head sinks for a moment.
fn look_down(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "look_down", 3.0)
        .turn(Bone::Head, &[pitch(0.7, 13.0), pitch(1.9, 12.0)])
        .turn(Bone::Neck, &[pitch(0.75, 6.0), pitch(1.9, 5.5)])
        .turn(Bone::LeftEye, &[pitch(0.4, 9.0), pitch(1.9, 7.0)])
        .turn(Bone::RightEye, &[pitch(0.4, 9.0), pitch(1.9, 7.0)])
}

/// The neck is loosened.
fn neck_roll(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "neck_roll", 3.4)
        .turn(Bone::Head, &[(0.8, [0.0, 5.0, 9.0]), (1.6, [0.0, 10.0, 0.0]), (2.4, [0.0, 5.0, -9.0])])
        .turn(Bone::Neck, &[(0.85, [0.0, 3.0, 7.0]), (1.65, [0.0, 6.0, 0.0]), (2.45, [0.0, 3.0, -7.0])])
}

// ---- Legs and trunk.

/// Closer: the trunk comes forwards.
fn lean_in(rig: &Rig) -> Motion<'_> {
    within(rig, Held::Standing, "lean_in", 3.0)
        .hips(&[(0.9, [0.0, -0.004, -0.02]), (2.0, [0.0, -0.004, -0.02])])
        .lean(&[(0.9, [0.0, 13.0, 0.0]), (2.0, [0.0, 12.0, 0.0])])
        .turn(Bone::Hips, &[pitch(0.9, 3.5), pitch(2.0, 3.5)])
}

/// Away: the trunk goes back.
fn lean_back(rig: &Rig) -> Motion<'_> {
    within(rig, Held::Standing, "lean_back", 2.8)
        .hips(&[(0.8, [0.0, -0.002, 0.012]), (1.8, [0.0, -0.002, 0.012])])
        .lean(&[(0.8, [0.0, -8.0, 0.0]), (1.8, [0.0, -7.0, 0.0])])
        .turn(Bone::Head, &[pitch(0.85, 2.0), pitch(1.8, 1.0)])
}

/// From one foot to the other and back.
fn rock(rig: &Rig) -> Motion<'_> {
    within(rig, Held::Standing, "rock", 4.0)
        .hips(&[(0.9, [0.025, -0.003, 0.0]), (2.1, [-0.025, -0.003, 0.0]), (3.1, [0.008, -0.001, 0.0])])
        .turn(Bone::Hips, &[(0.9, [0.0, 0.0, 1.4]), (2.1, [0.0, 0.0, -1.4])])
        .turn(Bone::Spine, &[(0.95, [0.0, 0.0, -1.8]), (2.15, [0.0, 0.0, 1.8])])
}

/// The free knee is bent and straightened.
fn knee<'a>(rig: &'a Rig, held: Held, name: &'static str, side: f32) -> Motion<'a> {
    within(rig, held, name, 2.6)
        .hips(&[(0.8, [0.008 * side, -0.004, 0.0]), (1.6, [0.002 * side, -0.001, 0.0])])
        .turn(Bone::Hips, &[(0.8, [1.5 * side, 0.0, 1.0 * side])])
        .turn(Bone::Spine, &[(0.85, [-1.0 * side, 0.0, -1.0 * side])])
}

fn knee_right(rig: &Rig) -> Motion<'_> {
    knee(rig, Held::WeightLeft, "knee_right", 1.0)
}

fn knee_left(rig: &Rig) -> Motion<'_> {
    knee(rig, Held::WeightRight, "knee_left", -1.0)
}

/// All of them.
pub(crate) const ALL: &[fn(&Rig) -> Motion<'_>] = &[
    beat_right,
    beat_left,
    beat_both,
    point_right,
    point_left,
    thumbs_up,
    present_right,
    present_left,
    halt,
    dismiss,
    me,
    neck_rub,
    sleeve,
    arm_swing,
    clasped_open,
    clasped_beat,
    thumb_fidget,
    reclasp,
    hip_beat,
    hip_present,
    hip_settle,
    folded_beat,
    folded_shrug,
    finger_tap,
    nod_once,
    nod_tilted_left,
    nod_tilted_right,
    shake_tilted_left,
    shake_tilted_right,
    tilt_question,
    look_down,
    neck_roll,
    lean_in,
    lean_back,
    rock,
    knee_right,
    knee_left,
];
