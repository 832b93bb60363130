//! Skinning weights for a figure in T-pose.
//!
//! Weights are computed from the position of a vertex, not from its neighbours. So cloth and the body under it move
//! in the same way, and the body does not show through. The transition at each joint is about as long as the limb is
//! thick. A shorter transition would crease, and a longer one would sag.

use super::field::{along, ramp};
use super::mesh::Skin;
use crate::figure::{LEFT, LIMBS};
use glam::Vec3;
use vivant::rig::Bone;

/// Bone weights being collected.
#[derive(Default)]
struct Weights(Vec<(Bone, f32)>);

impl Weights {
    fn add(&mut self, bone: Bone, share: f32) {
        if share > 0.0 {
            self.0.push((bone, share));
        }
    }

    /// Returns the four largest weights, normalised.
    fn skin(mut self) -> Skin {
        self.0.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.0.truncate(4);
        let first = self.0[0].0;
        self.0.resize(4, (first, 0.0));
        let sum: f32 = self.0.iter().map(|s| s.1).sum();
        std::array::from_fn(|k| (self.0[k].0, self.0[k].1 / sum))
    }
}

/// Returns the start position of a left bone, in metres in the rest pose.
pub(crate) fn joint(bone: Bone) -> Vec3 {
    let place = LEFT.iter().find(|(other, _)| *other == bone).map_or([0.0; 3], |(_, place)| *place);
    Vec3::from(place)
}

/// Returns the given left bone, or its right counterpart if the point is on the right.
fn beside(p: Vec3, bone: Bone) -> Bone {
    if p.x < 0.0 { bone.mirrored() } else { bone }
}

/// Mirrors a point to the left side.
fn to_left(p: Vec3) -> Vec3 {
    Vec3::new(p.x.abs(), p.y, p.z)
}

/// Weights for jumper, trousers and neck.
pub(crate) fn body_skin(p: Vec3) -> Skin {
    let q = to_left(p);
    let mut weights = Weights::default();
    let arm = arm_share(q);
    let collarbone = (1.0 - arm) * 0.9 * ramp(0.03, 0.13, q.x) * ramp(1.27, 1.36, q.y);
    add_arm(&mut weights, p, arm);
    weights.add(beside(p, Bone::LeftShoulder), collarbone);
    add_legs_and_trunk(&mut weights, p, 1.0 - arm - collarbone);
    weights.skin()
}

/// Returns the arm's weight at a point. The weight increases earlier at the top of the shoulder than at the armpit.
fn arm_share(q: Vec3) -> f32 {
    let out = q.x + 0.3 * (q.y - 1.38);
    let of_trunk = ramp(1.265, 1.34, q.y).max(ramp(0.175, 0.205, q.x));
    ramp(0.12, 0.20, out) * of_trunk
}

fn add_arm(weights: &mut Weights, p: Vec3, arm: f32) {
    let below_elbow = ramp(0.41, 0.48, p.x.abs());
    weights.add(beside(p, Bone::LeftUpperArm), arm * (1.0 - below_elbow));
    weights.add(beside(p, Bone::LeftLowerArm), arm * below_elbow);
}

fn add_legs_and_trunk(weights: &mut Weights, p: Vec3, rest: f32) {
    let legs = leg_share(to_left(p)) * rest;
    let left = ramp(-0.03, 0.03, p.x);
    let below_knee = ramp(0.525, 0.425, p.y);
    for (leg, lower, share) in [
        (Bone::LeftUpperLeg, Bone::LeftLowerLeg, legs * left),
        (Bone::RightUpperLeg, Bone::RightLowerLeg, legs * (1.0 - left)),
    ] {
        weights.add(leg, share * (1.0 - below_knee));
        weights.add(lower, share * below_knee);
    }
    add_trunk(weights, p, rest - legs);
}

/// Returns the legs' weight at a point. Between the legs, the seat follows the hips.
fn leg_share(q: Vec3) -> f32 {
    let seat = 1.0 - 0.5 * ramp(0.05, 0.0, q.x) * ramp(0.70, 0.80, q.y);
    ramp(0.965, 0.80, q.y) * seat
}

/// Adds the bones from hips to head by height, with a transition at each joint.
fn add_trunk(weights: &mut Weights, p: Vec3, trunk: f32) {
    let neck_only = ramp(0.10, 0.06, p.x.abs());
    let steps = [
        (Bone::Spine, ramp(0.945, 1.055, p.y)),
        (Bone::Chest, ramp(1.06, 1.17, p.y)),
        (Bone::UpperChest, ramp(1.185, 1.295, p.y)),
        (Bone::Neck, ramp(1.385, 1.45, p.y) * neck_only),
        (Bone::Head, ramp(1.452, 1.505, p.y) * neck_only),
    ];
    let (mut bone, mut left) = (Bone::Hips, trunk);
    for (next, step) in steps {
        weights.add(bone, left * (1.0 - step));
        (bone, left) = (next, left * step);
    }
    weights.add(bone, left);
}

/// Weights for a shoe.
pub(crate) fn foot_skin(p: Vec3) -> Skin {
    let mut weights = Weights::default();
    let foot = ramp(0.13, 0.09, p.y);
    let toes = ramp(0.09, 0.14, p.z);
    weights.add(beside(p, Bone::LeftLowerLeg), 1.0 - foot);
    weights.add(beside(p, Bone::LeftFoot), foot * (1.0 - toes));
    weights.add(beside(p, Bone::LeftToes), foot * toes);
    weights.skin()
}

/// A finger of the left hand, from its capsules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finger {
    pub(crate) bones: [Bone; 3],
    /// Positions of the three joints, and of the middle of the tip.
    pub(crate) points: [Vec3; 4],
    pub(crate) radii: [f32; 3],
}

/// The fingers of the left hand, starting with the thumb.
pub(crate) fn fingers() -> [Finger; 5] {
    use Bone::*;
    [
        [LeftThumbMetacarpal, LeftThumbProximal, LeftThumbDistal],
        [LeftIndexProximal, LeftIndexIntermediate, LeftIndexDistal],
        [LeftMiddleProximal, LeftMiddleIntermediate, LeftMiddleDistal],
        [LeftRingProximal, LeftRingIntermediate, LeftRingDistal],
        [LeftLittleProximal, LeftLittleIntermediate, LeftLittleDistal],
    ]
    .map(finger)
}

fn finger(bones: [Bone; 3]) -> Finger {
    let capsule = |bone: Bone| LIMBS.iter().find(|c| c.bone == bone).unwrap_or(&LIMBS[0]);
    let [a, b, c] = bones.map(capsule);
    let points = [a.ends[0], b.ends[0], c.ends[0], c.ends[1]].map(Vec3::from);
    Finger { bones, points, radii: [a.radius, b.radius, c.radius] }
}

/// Difference in metres between the distances of a point to two fingers below which the point belongs to both fingers.
const WEB: f32 = 0.007;

/// Returns the weights for a hand; `fingers` are the fingers of the left hand.
pub(crate) fn hand_skin(p: Vec3, fingers: &[Finger; 5]) -> Skin {
    let q = to_left(p);
    let mut weights = Weights::default();
    let depth = fingers.map(|finger| finger.distance(q));
    let nearest = depth.into_iter().fold(f32::INFINITY, f32::min);
    let belongs = depth.map(|d| (1.0 - (d - nearest) / WEB).max(0.0)).map(|share| share * share);
    let whole: f32 = belongs.iter().sum();
    let mut hand = 1.0;
    for (finger, belongs) in fingers.iter().zip(belongs) {
        let share = belongs / whole * finger.beyond_palm(q);
        hand -= share;
        finger.add(&mut weights, p, q, share);
    }
    let wrist = ramp(0.676, 0.704, q.x);
    weights.add(beside(p, Bone::LeftHand), hand * wrist);
    weights.add(beside(p, Bone::LeftLowerArm), hand * (1.0 - wrist));
    weights.skin()
}

impl Finger {
    fn segments(&self) -> [[Vec3; 2]; 3] {
        std::array::from_fn(|k| [self.points[k], self.points[k + 1]])
    }

    /// Approximate distance of a point from the finger's skin.
    fn distance(&self, q: Vec3) -> f32 {
        let one = |k: usize| {
            let [a, b] = self.segments()[k];
            q.distance(a.lerp(b, along(q, [a, b]))) - self.radii[k]
        };
        (0..3).map(one).fold(f32::INFINITY, f32::min)
    }

    /// Returns the direction of the finger at a joint, which is the mean of the bones before and after the joint.
    fn direction_at(&self, joint: usize) -> Vec3 {
        let after = self.points[joint + 1] - self.points[joint];
        let before = if joint == 0 { after } else { self.points[joint] - self.points[joint - 1] };
        (after.normalize() + before.normalize()).normalize()
    }

    /// Returns a value from 0 (at least `half` metres before a joint) to 1 (at least `half` metres behind it).
    fn beyond_joint(&self, q: Vec3, joint: usize, half: f32) -> f32 {
        ramp(-half, half, (q - self.points[joint]).dot(self.direction_at(joint)))
    }

    /// Returns a value from 0 (inside the palm) to 1 (beyond the palm).
    fn beyond_palm(&self, q: Vec3) -> f32 {
        let thumb = self.bones[0] == Bone::LeftThumbMetacarpal;
        self.beyond_joint(q, 0, if thumb { 0.016 } else { 0.010 })
    }

    fn add(&self, weights: &mut Weights, p: Vec3, q: Vec3, share: f32) {
        let [second, third] = [self.beyond_joint(q, 1, 0.0065), self.beyond_joint(q, 2, 0.0055)];
        let [a, b, c] = self.bones.map(|bone| beside(p, bone));
        weights.add(a, share * (1.0 - second));
        weights.add(b, share * second * (1.0 - third));
        weights.add(c, share * second * third);
    }
}
