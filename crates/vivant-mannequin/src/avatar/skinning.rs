//! Which bones move which place, for a figure in its T-pose.
//!
//! The shares are worked out from where a vertex is, not from its neighbours. So cloth, and what is under it,
//! move alike, and nothing shows through. Each joint hands over within a stretch about as long as the limb is
//! thick there: shorter would crease, longer would sag.

use super::field::{along, ramp};
use super::mesh::Skin;
use crate::figure::{LEFT, LIMBS};
use glam::Vec3;
use vivant::rig::Bone;

/// Shares of bones while they are gathered.
#[derive(Default)]
struct Shares(Vec<(Bone, f32)>);

impl Shares {
    fn add(&mut self, bone: Bone, share: f32) {
        if share > 0.0 {
            self.0.push((bone, share));
        }
    }

    /// The four largest, scaled to one.
    fn skin(mut self) -> Skin {
        self.0.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.0.truncate(4);
        let first = self.0[0].0;
        self.0.resize(4, (first, 0.0));
        let sum: f32 = self.0.iter().map(|s| s.1).sum();
        std::array::from_fn(|k| (self.0[k].0, self.0[k].1 / sum))
    }
}

/// Where a bone of the left side begins.
pub(crate) fn joint(bone: Bone) -> Vec3 {
    let place = LEFT.iter().find(|(other, _)| *other == bone).map_or([0.0; 3], |(_, place)| *place);
    Vec3::from(place)
}

/// A bone of the left side, or the right one if the place is there.
fn beside(p: Vec3, bone: Bone) -> Bone {
    if p.x < 0.0 { bone.mirrored() } else { bone }
}

/// A place brought over to the left side.
fn to_left(p: Vec3) -> Vec3 {
    Vec3::new(p.x.abs(), p.y, p.z)
}

/// The skin of jumper, trousers and neck.
pub(crate) fn body_skin(p: Vec3) -> Skin {
    let q = to_left(p);
    let mut shares = Shares::default();
    let arm = arm_share(q);
    let collarbone = (1.0 - arm) * 0.9 * ramp(0.03, 0.13, q.x) * ramp(1.27, 1.36, q.y);
    add_arm(&mut shares, p, arm);
    shares.add(beside(p, Bone::LeftShoulder), collarbone);
    add_legs_and_trunk(&mut shares, p, 1.0 - arm - collarbone);
    shares.skin()
}

/// How much of a place is the arm's. The shoulder's top goes along sooner than the armpit.
fn arm_share(q: Vec3) -> f32 {
    let out = q.x + 0.3 * (q.y - 1.38);
    let of_trunk = ramp(1.265, 1.34, q.y).max(ramp(0.175, 0.205, q.x));
    ramp(0.12, 0.20, out) * of_trunk
}

fn add_arm(shares: &mut Shares, p: Vec3, arm: f32) {
    let below_elbow = ramp(0.41, 0.48, p.x.abs());
    shares.add(beside(p, Bone::LeftUpperArm), arm * (1.0 - below_elbow));
    shares.add(beside(p, Bone::LeftLowerArm), arm * below_elbow);
}

fn add_legs_and_trunk(shares: &mut Shares, p: Vec3, rest: f32) {
    let legs = leg_share(to_left(p)) * rest;
    let left = ramp(-0.03, 0.03, p.x);
    let below_knee = ramp(0.525, 0.425, p.y);
    for (leg, lower, share) in [
        (Bone::LeftUpperLeg, Bone::LeftLowerLeg, legs * left),
        (Bone::RightUpperLeg, Bone::RightLowerLeg, legs * (1.0 - left)),
    ] {
        shares.add(leg, share * (1.0 - below_knee));
        shares.add(lower, share * below_knee);
    }
    add_trunk(shares, p, rest - legs);
}

/// How much of a place is the legs'. Between them the seat stays with the hips.
fn leg_share(q: Vec3) -> f32 {
    let seat = 1.0 - 0.5 * ramp(0.05, 0.0, q.x) * ramp(0.70, 0.80, q.y);
    ramp(0.965, 0.80, q.y) * seat
}

/// From hips to head by height, each joint in its own stretch.
fn add_trunk(shares: &mut Shares, p: Vec3, trunk: f32) {
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
        shares.add(bone, left * (1.0 - step));
        (bone, left) = (next, left * step);
    }
    shares.add(bone, left);
}

/// The skin of a shoe.
pub(crate) fn foot_skin(p: Vec3) -> Skin {
    let mut shares = Shares::default();
    let foot = ramp(0.13, 0.09, p.y);
    let toes = ramp(0.09, 0.14, p.z);
    shares.add(beside(p, Bone::LeftLowerLeg), 1.0 - foot);
    shares.add(beside(p, Bone::LeftFoot), foot * (1.0 - toes));
    shares.add(beside(p, Bone::LeftToes), foot * toes);
    shares.skin()
}

/// A finger of the left hand as its capsules have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finger {
    pub(crate) bones: [Bone; 3],
    /// Three joints and the middle of the tip.
    pub(crate) points: [Vec3; 4],
    pub(crate) radii: [f32; 3],
}

/// The fingers of the left hand, from the thumb on.
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

/// How near its axis a place may be to belong to two fingers at once, in metres.
const WEB: f32 = 0.007;

/// The skin of a hand; `fingers` are the left ones.
pub(crate) fn hand_skin(p: Vec3, fingers: &[Finger; 5]) -> Skin {
    let q = to_left(p);
    let mut shares = Shares::default();
    let depth = fingers.map(|finger| finger.distance(q));
    let nearest = depth.into_iter().fold(f32::INFINITY, f32::min);
    let belongs = depth.map(|d| (1.0 - (d - nearest) / WEB).max(0.0)).map(|share| share * share);
    let whole: f32 = belongs.iter().sum();
    let mut hand = 1.0;
    for (finger, belongs) in fingers.iter().zip(belongs) {
        let share = belongs / whole * finger.begun(q);
        hand -= share;
        finger.add(&mut shares, p, q, share);
    }
    let wrist = ramp(0.676, 0.704, q.x);
    shares.add(beside(p, Bone::LeftHand), hand * wrist);
    shares.add(beside(p, Bone::LeftLowerArm), hand * (1.0 - wrist));
    shares.skin()
}

impl Finger {
    fn segments(&self) -> [[Vec3; 2]; 3] {
        std::array::from_fn(|k| [self.points[k], self.points[k + 1]])
    }

    /// How far a place is from the finger's skin, about.
    fn distance(&self, q: Vec3) -> f32 {
        let one = |k: usize| {
            let [a, b] = self.segments()[k];
            q.distance(a.lerp(b, along(q, [a, b]))) - self.radii[k]
        };
        (0..3).map(one).fold(f32::INFINITY, f32::min)
    }

    /// Which way the finger goes at a joint: between the bones before and after it.
    fn way(&self, joint: usize) -> Vec3 {
        let after = self.points[joint + 1] - self.points[joint];
        let before = if joint == 0 { after } else { self.points[joint] - self.points[joint - 1] };
        (after.normalize() + before.normalize()).normalize()
    }

    /// How far a place is past a joint, from 0 well before to 1 well behind.
    fn past(&self, q: Vec3, joint: usize, half: f32) -> f32 {
        ramp(-half, half, (q - self.points[joint]).dot(self.way(joint)))
    }

    /// How much of a place has left the palm.
    fn begun(&self, q: Vec3) -> f32 {
        let thumb = self.bones[0] == Bone::LeftThumbMetacarpal;
        self.past(q, 0, if thumb { 0.016 } else { 0.010 })
    }

    fn add(&self, shares: &mut Shares, p: Vec3, q: Vec3, share: f32) {
        let [second, third] = [self.past(q, 1, 0.0065), self.past(q, 2, 0.0055)];
        let [a, b, c] = self.bones.map(|bone| beside(p, bone));
        shares.add(a, share * (1.0 - second));
        shares.add(b, share * second * (1.0 - third));
        shares.add(c, share * second * third);
    }
}
