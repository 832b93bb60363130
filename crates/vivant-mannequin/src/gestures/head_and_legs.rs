//! With the head alone, and with legs and trunk.

use super::within;
use crate::motion::Motion;
use crate::stances::Held;
use vivant::rig::{Bone, Rig};

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

pub(super) fn nod_once(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadStraight, "nod_once")
}

pub(super) fn nod_tilted_left(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadTiltedLeft, "nod_tilted_left")
}

pub(super) fn nod_tilted_right(rig: &Rig) -> Motion<'_> {
    nod_in(rig, Held::HeadTiltedRight, "nod_tilted_right")
}

/// Yes, yes: two small ones.
fn nods_in<'a>(rig: &'a Rig, held: Held, name: &'static str) -> Motion<'a> {
    let eyes = [pitch(0.34, -4.0), pitch(0.62, 0.0), pitch(0.92, -3.0), pitch(1.25, 0.0)];
    within(rig, held, name, 1.8)
        .turn(Bone::Head, &[pitch(0.34, 7.0), pitch(0.62, 1.0), pitch(0.92, 5.5), pitch(1.25, -0.5)])
        .turn(Bone::Neck, &[pitch(0.38, 2.5), pitch(0.66, 0.5), pitch(0.96, 2.0), pitch(1.3, 0.0)])
        .turn(Bone::LeftEye, &eyes)
        .turn(Bone::RightEye, &eyes)
}

pub(super) fn nods_tilted_left(rig: &Rig) -> Motion<'_> {
    nods_in(rig, Held::HeadTiltedLeft, "nods_tilted_left")
}

pub(super) fn nods_tilted_right(rig: &Rig) -> Motion<'_> {
    nods_in(rig, Held::HeadTiltedRight, "nods_tilted_right")
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

pub(super) fn shake_tilted_left(rig: &Rig) -> Motion<'_> {
    shake_in(rig, Held::HeadTiltedLeft, "shake_tilted_left")
}

pub(super) fn shake_tilted_right(rig: &Rig) -> Motion<'_> {
    shake_in(rig, Held::HeadTiltedRight, "shake_tilted_right")
}

/// Really? The head to one side, the chin forwards.
pub(super) fn tilt_question(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "tilt_question", 2.0)
        .turn(Bone::Head, &[(0.5, [3.0, -3.0, 8.0]), (1.3, [3.0, -2.0, 7.5])])
        .turn(Bone::Neck, &[(0.55, [1.0, 5.0, 4.0]), (1.3, [1.0, 5.0, 4.0])])
        .face("surprised", &[(0.55, 0.25), (1.3, 0.2)])
}

/// The head sinks for a moment.
pub(super) fn look_down(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "look_down", 3.0)
        .turn(Bone::Head, &[pitch(0.7, 13.0), pitch(1.9, 12.0)])
        .turn(Bone::Neck, &[pitch(0.75, 6.0), pitch(1.9, 5.5)])
        .turn(Bone::LeftEye, &[pitch(0.4, 9.0), pitch(1.9, 7.0)])
        .turn(Bone::RightEye, &[pitch(0.4, 9.0), pitch(1.9, 7.0)])
}

/// The neck is loosened.
pub(super) fn neck_roll(rig: &Rig) -> Motion<'_> {
    within(rig, Held::HeadStraight, "neck_roll", 3.4)
        .turn(Bone::Head, &[(0.8, [0.0, 5.0, 9.0]), (1.6, [0.0, 10.0, 0.0]), (2.4, [0.0, 5.0, -9.0])])
        .turn(Bone::Neck, &[(0.85, [0.0, 3.0, 7.0]), (1.65, [0.0, 6.0, 0.0]), (2.45, [0.0, 3.0, -7.0])])
}

// ---- Legs and trunk.

/// Closer: the trunk comes forwards.
pub(super) fn lean_in(rig: &Rig) -> Motion<'_> {
    within(rig, Held::Standing, "lean_in", 3.0)
        .hips(&[(0.9, [0.0, -0.004, -0.02]), (2.0, [0.0, -0.004, -0.02])])
        .lean(&[(0.9, [0.0, 13.0, 0.0]), (2.0, [0.0, 12.0, 0.0])])
        .turn(Bone::Hips, &[pitch(0.9, 3.5), pitch(2.0, 3.5)])
}

/// Away: the trunk goes back.
pub(super) fn lean_back(rig: &Rig) -> Motion<'_> {
    within(rig, Held::Standing, "lean_back", 2.8)
        .hips(&[(0.8, [0.0, -0.002, 0.012]), (1.8, [0.0, -0.002, 0.012])])
        .lean(&[(0.8, [0.0, -8.0, 0.0]), (1.8, [0.0, -7.0, 0.0])])
        .turn(Bone::Head, &[pitch(0.85, 2.0), pitch(1.8, 1.0)])
}

/// From one foot to the other and back.
pub(super) fn rock(rig: &Rig) -> Motion<'_> {
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
        .turn(Bone::Spine, &[(0.85, [-side, 0.0, -side])])
}

pub(super) fn knee_right(rig: &Rig) -> Motion<'_> {
    knee(rig, Held::WeightLeft, "knee_right", 1.0)
}

pub(super) fn knee_left(rig: &Rig) -> Motion<'_> {
    knee(rig, Held::WeightRight, "knee_left", -1.0)
}
