//! Ways to hold oneself: legs, arms and head apart, so that they can be combined; the little life in
//! each, and the ways between them.

use crate::motion::{Arm, Motion, Side};
use vivant::body::layers::Layer;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// A stance of one part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Standing,
    WeightLeft,
    WeightRight,
    Relaxed,
    HandsClasped,
    HandOnHip,
    ArmsFolded,
    HeadStraight,
    HeadTiltedLeft,
    HeadTiltedRight,
}

impl Held {
    /// The arms of clasped hands, left and right.
    pub(crate) const CLASPED: [Arm; 2] = [CLASPED_LEFT, CLASPED_RIGHT];

    pub(crate) const ALL: [Self; 10] = [
        Self::Standing,
        Self::WeightLeft,
        Self::WeightRight,
        Self::Relaxed,
        Self::HandsClasped,
        Self::HandOnHip,
        Self::ArmsFolded,
        Self::HeadStraight,
        Self::HeadTiltedLeft,
        Self::HeadTiltedRight,
    ];

    /// What it is called, in the repertoire and as a clip.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Standing => "standing",
            Self::WeightLeft => "weight-left",
            Self::WeightRight => "weight-right",
            Self::Relaxed => "relaxed",
            Self::HandsClasped => "hands-clasped",
            Self::HandOnHip => "hand-on-hip",
            Self::ArmsFolded => "arms-folded",
            Self::HeadStraight => "head-straight",
            Self::HeadTiltedLeft => "head-tilted-left",
            Self::HeadTiltedRight => "head-tilted-right",
        }
    }

    /// The part of the body that it is a stance of.
    pub(crate) const fn layer(self) -> Layer {
        match self {
            Self::Standing | Self::WeightLeft | Self::WeightRight => Layer::Body,
            Self::HeadStraight | Self::HeadTiltedLeft | Self::HeadTiltedRight => Layer::Head,
            _ => Layer::Arms,
        }
    }

    /// How it is held.
    pub(crate) fn pose(self, rig: &Rig) -> Pose {
        let motion = Motion::new(rig, self.name(), 2.0);
        match self {
            Self::Standing | Self::Relaxed | Self::HeadStraight => motion,
            Self::WeightLeft => weight(motion, 1.0),
            Self::WeightRight => weight(motion, -1.0),
            Self::HandsClasped => hands(motion, Self::CLASPED, 16.0),
            Self::HandOnHip => motion
                .arm(Side::Right, &[(1.0, ON_HIP)])
                .fingers(Side::Right, &[(1.0, 6.0)])
                .lean(&[(1.0, [-2.0, 0.0, 1.5])]),
            Self::ArmsFolded => hands(motion, [FOLDED_LEFT, FOLDED_RIGHT], 2.0),
            Self::HeadTiltedLeft => tilted(motion, -1.0),
            Self::HeadTiltedRight => tilted(motion, 1.0),
        }
        .pose(1.0)
    }

    /// The motion of being in it, which loops.
    pub(crate) fn held(self, rig: &Rig) -> Motion<'_> {
        let motion = Motion::within(rig, self.name(), 6.0, self.pose(rig));
        match self.layer() {
            Layer::Body => motion
                .hips(&[(1.8, [0.003, 0.0, 0.002]), (4.1, [-0.002, 0.0, -0.002])])
                .turn(Bone::Spine, &[(2.0, [0.0, 0.3, -0.2]), (4.2, [0.0, -0.2, 0.2])]),
            Layer::Head => motion
                .turn(Bone::Head, &[(1.7, [0.8, 0.5, -0.4]), (3.9, [-0.7, -0.3, 0.4])])
                .turn(Bone::Neck, &[(2.2, [0.4, 0.0, 0.3]), (4.4, [-0.3, 0.2, -0.2])]),
            Layer::Arms => arms_alive(motion),
        }
    }

    /// The way from one to another of the same part, by a clip of this name.
    pub(crate) fn way<'a>(self, to: Self, rig: &'a Rig, name: &'static str) -> Motion<'a> {
        let seconds = match self.layer() {
            Layer::Body => 1.8,
            Layer::Arms => 1.4,
            Layer::Head => 1.0,
        };
        let motion = Motion::between(rig, name, seconds, [self.pose(rig), to.pose(rig)]);
        match (self, to) {
            (Self::Relaxed, Self::HandsClasped) | (Self::HandsClasped, Self::Relaxed) => {
                both(motion, 0.65, LIFTED)
            }
            (Self::Relaxed, Self::ArmsFolded) => {
                motion.arm(Side::Left, &[(0.5, LIFTED), (0.85, BEFORE)]).arm(Side::Right, &[(0.6, BEFORE)])
            }
            (Self::ArmsFolded, Self::Relaxed) => {
                motion.arm(Side::Left, &[(0.6, BEFORE)]).arm(Side::Right, &[(0.45, BEFORE), (0.85, LIFTED)])
            }
            (Self::Relaxed, Self::HandOnHip) | (Self::HandOnHip, Self::Relaxed) => {
                motion.arm(Side::Right, &[(0.7, BESIDE_HIP)])
            }
            (Self::HandsClasped, Self::ArmsFolded) | (Self::ArmsFolded, Self::HandsClasped) => {
                both(motion, 0.7, BEFORE)
            }
            _ => motion,
        }
    }
}

/// Every way that there is, and its clip's name.
pub(crate) const WAYS: [(Held, Held, &str); 20] = [
    (Held::Relaxed, Held::HandsClasped, "relaxed_to_hands-clasped"),
    (Held::HandsClasped, Held::Relaxed, "hands-clasped_to_relaxed"),
    (Held::Relaxed, Held::HandOnHip, "relaxed_to_hand-on-hip"),
    (Held::HandOnHip, Held::Relaxed, "hand-on-hip_to_relaxed"),
    (Held::Relaxed, Held::ArmsFolded, "relaxed_to_arms-folded"),
    (Held::ArmsFolded, Held::Relaxed, "arms-folded_to_relaxed"),
    (Held::HandsClasped, Held::ArmsFolded, "hands-clasped_to_arms-folded"),
    (Held::ArmsFolded, Held::HandsClasped, "arms-folded_to_hands-clasped"),
    (Held::Standing, Held::WeightLeft, "standing_to_weight-left"),
    (Held::WeightLeft, Held::Standing, "weight-left_to_standing"),
    (Held::Standing, Held::WeightRight, "standing_to_weight-right"),
    (Held::WeightRight, Held::Standing, "weight-right_to_standing"),
    (Held::WeightLeft, Held::WeightRight, "weight-left_to_weight-right"),
    (Held::WeightRight, Held::WeightLeft, "weight-right_to_weight-left"),
    (Held::HeadStraight, Held::HeadTiltedLeft, "head-straight_to_head-tilted-left"),
    (Held::HeadTiltedLeft, Held::HeadStraight, "head-tilted-left_to_head-straight"),
    (Held::HeadStraight, Held::HeadTiltedRight, "head-straight_to_head-tilted-right"),
    (Held::HeadTiltedRight, Held::HeadStraight, "head-tilted-right_to_head-straight"),
    (Held::HeadTiltedLeft, Held::HeadTiltedRight, "head-tilted-left_to_head-tilted-right"),
    (Held::HeadTiltedRight, Held::HeadTiltedLeft, "head-tilted-right_to_head-tilted-left"),
];

/// Before the belly, the left hand in the right one.
const CLASPED_LEFT: Arm = Arm {
    wrist: [0.066, 1.005, 0.185],
    elbow: [0.8, -0.6, -0.7],
    palm: [-0.25, 0.35, -1.0],
    hand: Some([-0.9, -0.45, 0.12]),
};
const CLASPED_RIGHT: Arm = Arm {
    wrist: [0.07, 0.998, 0.236],
    elbow: [0.8, -0.6, -0.6],
    palm: [-0.3, 0.2, -1.0],
    hand: Some([-0.9, -0.45, -0.05]),
};
const ON_HIP: Arm = Arm {
    wrist: [0.23, 0.99, -0.005],
    elbow: [0.9, 0.0, -0.55],
    palm: [-0.55, -0.75, -0.2],
    hand: Some([-0.3, -0.3, 0.9]),
};
const FOLDED_LEFT: Arm = Arm {
    wrist: [-0.085, 1.155, 0.15],
    elbow: [0.75, -0.9, 0.1],
    palm: [-0.15, 0.2, -1.0],
    hand: Some([-0.92, 0.1, -0.1]),
};
const FOLDED_RIGHT: Arm = Arm {
    wrist: [-0.085, 1.185, 0.205],
    elbow: [0.75, -0.9, 0.15],
    palm: [-0.3, 0.2, -1.0],
    hand: Some([-0.92, 0.25, -0.35]),
};
/// On the way up from the sides.
const LIFTED: Arm =
    Arm { wrist: [0.24, 1.0, 0.24], elbow: [0.6, -0.8, -0.6], palm: [-0.8, -0.1, -0.5], hand: None };
/// Before the chest, apart from each other.
const BEFORE: Arm =
    Arm { wrist: [0.13, 1.12, 0.29], elbow: [0.7, -0.9, -0.2], palm: [-0.5, 0.0, -0.85], hand: None };
const BESIDE_HIP: Arm =
    Arm { wrist: [0.32, 0.97, 0.1], elbow: [0.8, -0.2, -0.7], palm: [-0.9, -0.3, -0.1], hand: None };

/// The weight on one leg, as in the shifts of weight.
fn weight(motion: Motion<'_>, side: f32) -> Motion<'_> {
    let roll = |degrees: f32| [0.0, 0.0, degrees * side];
    motion
        .hips(&[(1.0, [0.05 * side, -0.009, 0.0])])
        .turn(Bone::Hips, &[(1.0, [2.0 * side, 0.0, 3.0 * side])])
        .turn(Bone::Spine, &[(1.0, roll(-3.0))])
        .turn(Bone::UpperChest, &[(1.0, roll(-0.8))])
        .turn(Bone::Neck, &[(1.0, [-2.0 * side, 0.0, 0.8 * side])])
}

fn tilted(motion: Motion<'_>, side: f32) -> Motion<'_> {
    motion
        .turn(Bone::Head, &[(1.0, [-2.0 * side, 1.5, 7.0 * side])])
        .turn(Bone::Neck, &[(1.0, [-side, 0.5, 4.0 * side])])
}

fn hands(motion: Motion<'_>, [left, right]: [Arm; 2], curl: f32) -> Motion<'_> {
    motion
        .arm(Side::Left, &[(1.0, left)])
        .arm(Side::Right, &[(1.0, right)])
        .fingers(Side::Left, &[(1.0, curl)])
        .fingers(Side::Right, &[(1.0, curl)])
}

fn both(motion: Motion<'_>, at: f32, arm: Arm) -> Motion<'_> {
    motion.arm(Side::Left, &[(at + 0.04, arm)]).arm(Side::Right, &[(at, arm)])
}

/// Shoulders and fingers that are not quite still.
fn arms_alive(motion: Motion<'_>) -> Motion<'_> {
    motion
        .shoulder(Side::Left, &[(1.9, 0.6), (4.0, -0.4)])
        .shoulder(Side::Right, &[(2.3, 0.5), (4.5, -0.4)])
        .fingers(Side::Left, &[(2.6, 1.5), (4.6, -0.5)])
        .fingers(Side::Right, &[(1.4, 1.2), (3.6, -0.8)])
}
