//! With the hands clasped, a hand on the hip, or the arms folded.

use super::{FINGERS, LIFT, present, ready, within};
use crate::motion::{Arm, Motion, Side};
use crate::stances::Held;
use vivant::rig::{Bone, Rig};

// ---- Hands clasped.

/// The hands part, mark a word, and meet again.
pub(super) fn clasped_open(rig: &Rig) -> Motion<'_> {
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
pub(super) fn clasped_beat(rig: &Rig) -> Motion<'_> {
    clasped_lift(rig, "clasped_beat", 1.6, &[(0.35, 4.0), (0.62, -2.0), (0.95, 1.0)])
        .turn(Bone::Head, &[(0.35, [0.0, -1.0, 0.0]), (0.65, [0.0, 4.0, 0.0])])
}

/// The thumbs find no rest.
pub(super) fn thumb_fidget(rig: &Rig) -> Motion<'_> {
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
pub(super) fn reclasp(rig: &Rig) -> Motion<'_> {
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

pub(super) fn hip_beat(rig: &Rig) -> Motion<'_> {
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

pub(super) fn hip_present(rig: &Rig) -> Motion<'_> {
    present(rig, Held::HandOnHip, "hip_present", Side::Left)
}

/// The hand on the hip is settled anew.
pub(super) fn hip_settle(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HandOnHip, "hip_settle", 2.4)
        .shoulder(Side::Right, &[(0.7, 3.0), (1.5, -1.0)])
        .fingers(Side::Right, &[(0.6, 8.0), (1.1, -4.0), (1.6, 5.0)])
        .lean(&[(0.8, [1.0, 0.5, 1.5]), (1.6, [0.0, 0.0, 0.5])])
        .turn(Bone::Head, &[(0.9, [2.0, 1.0, -2.0])])
}

/// The free arm swings a little, as the weight of the trunk does.
pub(super) fn hip_swing(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HandOnHip, "hip_swing", 3.0)
        .shoulder(Side::Left, &[(0.8, 2.0), (1.9, -1.0)])
        .fingers(Side::Left, &[(0.7, 7.0), (1.5, -3.0), (2.2, 4.0)])
        .lean(&[(0.9, [-1.5, 0.5, -1.0]), (2.0, [1.0, 0.0, 0.5])])
        .turn(Bone::Head, &[(1.0, [-2.0, 1.0, 1.5]), (2.1, [1.0, 0.5, 0.0])])
}

// ---- Arms folded.

/// The upper hand opens on a word, and comes back.
pub(super) fn folded_beat(rig: &Rig) -> Motion<'_> {
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
pub(super) fn folded_shrug(rig: &Rig) -> Motion<'_> {
    within(rig, Held::ArmsFolded, "folded_shrug", 2.0)
        .shoulder(Side::Left, &[(0.6, 9.0), (1.1, 8.0)])
        .shoulder(Side::Right, &[(0.6, 9.0), (1.1, 8.0)])
        .turn(Bone::Head, &[(0.65, [1.0, 2.0, 7.0]), (1.15, [1.0, 2.0, 6.0])])
        .lean(&[(0.6, [0.0, -2.0, 0.0]), (1.1, [0.0, -1.5, 0.0])])
}

/// Fingers drum on the arm.
pub(super) fn finger_tap(rig: &Rig) -> Motion<'_> {
    let mut motion = within(rig, Held::ArmsFolded, "finger_tap", 2.4);
    for (i, finger) in FINGERS.into_iter().enumerate() {
        let late = 0.06 * (3 - i) as f32;
        let taps: Vec<(f32, f32)> =
            (0..8).map(|n| (0.3 + late + 0.22 * n as f32, if n % 2 == 0 { -9.0 } else { 1.0 })).collect();
        motion = motion.finger(Side::Right, finger, &taps);
    }
    motion.turn(Bone::Head, &[(0.8, [-3.0, 1.0, 0.0]), (1.7, [-2.0, 2.0, 0.0])])
}

/// A deep breath, and the arms are settled anew.
pub(super) fn folded_settle(rig: &Rig) -> Motion<'_> {
    within(rig, Held::ArmsFolded, "folded_settle", 2.8)
        .shoulder(Side::Left, &[(0.9, 4.0), (1.7, -1.0)])
        .shoulder(Side::Right, &[(0.8, 4.5), (1.6, -1.0)])
        .fingers(Side::Right, &[(0.8, 6.0), (1.5, -3.0)])
        .lean(&[(0.9, [0.0, -1.5, 0.0]), (1.8, [0.5, 1.0, 0.0])])
        .turn(Bone::Head, &[(0.9, [2.0, -1.0, 0.0]), (1.8, [1.0, 1.5, 0.0])])
}
