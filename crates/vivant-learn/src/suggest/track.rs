//! Samples a clip: positions of hands, head and hips, 30 times per second.
//!
//! Everything is measured on one skeleton and relative to its proportions, so that neither the recorded person nor
//! the frame rate matters. Hands are measured in arm lengths and hips in hip heights.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::{asin32, atan2_32, rotation_vector};
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// Sampling rate in hertz. Hands hardly move at frequencies above 5 Hz; faster changes are noise.
pub(crate) const RATE: f64 = 30.0;

/// Maximum number of samples: ten minutes. Longer recordings are not clips of a repertoire.
const MAX_SAMPLES: usize = 18_000;

/// Maximum number of frames averaged per sample.
const MAX_FRAMES_EACH: usize = 4;

/// Left, then right.
pub(crate) type Sides<T> = [T; 2];

const WRISTS: Sides<Bone> = [Bone::LeftHand, Bone::RightHand];

/// First of the fifteen finger joints of each hand: five fingers with three joints.
const FIRST_JOINTS: Sides<Bone> = [Bone::LeftThumbMetacarpal, Bone::RightThumbMetacarpal];

/// Shoulder, elbow and wrist.
const ARMS: Sides<[Bone; 3]> = [
    [Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand],
    [Bone::RightUpperArm, Bone::RightLowerArm, Bone::RightHand],
];

/// Height of the head's centre above its joint, in arm lengths: 10 cm for an adult.
const HEAD_MIDDLE: f32 = 0.2;

/// Measurements at one time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PoseSample {
    /// Wrists relative to the hips, in a space that turns with the heading of the hips, in arm lengths.
    pub(crate) wrists: Sides<Vec3>,
    /// Wrists in chest space, in arm lengths.
    pub(crate) wrists_in_chest: Sides<Vec3>,
    /// Distance from each wrist to the centre of the head, in arm lengths.
    pub(crate) to_head: Sides<f32>,
    /// Angle between each wrist and the face direction, in degrees.
    pub(crate) off_sight_deg: Sides<f32>,
    /// Distance from each wrist to the other arm without its hand, in arm lengths.
    pub(crate) to_other_arm: Sides<f32>,
    /// Distance from each palm or its fingers to the other forearm, in arm lengths.
    pub(crate) hand_to_forearm: Sides<f32>,
    /// Height of the wrists above their shoulders, in arm lengths.
    pub(crate) above_shoulder: Sides<f32>,
    /// Distance from shoulder to wrist, in arm lengths.
    pub(crate) stretched: Sides<f32>,
    /// Shoulder joints in chest space, in arm lengths.
    pub(crate) shoulders: Sides<Vec3>,
    /// Head direction relative to the chest: yaw, pitch (down is positive) and roll in degrees.
    pub(crate) head: Vec3,
    /// Chest direction relative to the heading of the hips: yaw, pitch (down is positive) and roll in degrees.
    pub(crate) trunk: Vec3,
    /// Feet relative to the hips, in a space that turns with the heading of the hips, in hip heights.
    pub(crate) feet: Sides<Vec3>,
    /// Positions of the feet on the ground, in hip heights.
    pub(crate) footprints: Sides<Vec3>,
    /// Position of the hips, in hip heights.
    pub(crate) hips: Vec3,
    /// Flexion of each finger, thumb first: the sum of its joints' rotation vectors in degrees.
    pub(crate) fingers: Sides<[Vec3; 5]>,
    /// Directions of the limbs.
    pub(crate) stick: StickFigure,
}

/// A pose as the directions of its limbs, in a space in which the hips face +Z. The directions are the same for every
/// skeleton, regardless of the twist of its joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StickFigure {
    /// One direction for each of [`LIMBS`], of length one or zero.
    pub(crate) limbs: [Vec3; LIMBS.len()],
    /// Height of the hips above the ground, divided by their height in the rest pose.
    pub(crate) height: f32,
}

/// Start, end and weight of each limb in comparisons of poses. The head has a small weight, because it turns in every
/// stance.
pub(crate) const LIMBS: [(Bone, Bone, f32); 10] = [
    (Bone::Hips, Bone::Neck, 1.0),
    (Bone::Neck, Bone::Head, 0.2),
    (Bone::LeftUpperArm, Bone::LeftLowerArm, 1.0),
    (Bone::RightUpperArm, Bone::RightLowerArm, 1.0),
    (Bone::LeftLowerArm, Bone::LeftHand, 1.0),
    (Bone::RightLowerArm, Bone::RightHand, 1.0),
    (Bone::LeftUpperLeg, Bone::LeftLowerLeg, 1.0),
    (Bone::RightUpperLeg, Bone::RightLowerLeg, 1.0),
    (Bone::LeftLowerLeg, Bone::LeftFoot, 0.7),
    (Bone::RightLowerLeg, Bone::RightFoot, 0.7),
];

impl StickFigure {
    /// Returns the angle between the directions of each limb in two poses, in degrees.
    pub(crate) fn angles_deg(&self, other: &Self) -> [f32; LIMBS.len()] {
        std::array::from_fn(|i| degrees_between(self.limbs[i], other.limbs[i]))
    }

    /// Returns the difference of two poses in degrees: the weighted root mean square angle of the limbs for which
    /// `limbs` is true.
    pub(crate) fn distance_deg(&self, other: &Self, limbs: impl Fn(usize) -> bool) -> f32 {
        let angles = self.angles_deg(other);
        let (mut sum, mut weights) = (0.0, 1e-6);
        for (i, (_, _, weight)) in LIMBS.iter().enumerate().filter(|(i, _)| limbs(*i)) {
            sum += weight * angles[i] * angles[i];
            weights += weight;
        }
        (sum / weights).sqrt()
    }

    /// Returns the angle of the limb that differs most between two poses, in degrees.
    pub(crate) fn greatest_deg(&self, other: &Self) -> f32 {
        self.angles_deg(other).into_iter().fold(0.0, f32::max)
    }

    /// Returns true if both arms are stretched out to the sides, as in the T-pose of a rig.
    pub(crate) fn is_t_pose(&self) -> bool {
        let out = |limb: usize, side: f32| self.limbs[limb].x * side > 0.85;
        out(LEFT_UPPER, 1.0) && out(LEFT_FORE, 1.0) && out(RIGHT_UPPER, -1.0) && out(RIGHT_FORE, -1.0)
    }
}

/// Returns the angle between two directions in degrees; 0 if one of them has no length.
pub(crate) fn degrees_between(a: Vec3, b: Vec3) -> f32 {
    atan2_32(a.cross(b).length(), a.dot(b)).to_degrees()
}

/// Indices in [`LIMBS`].
pub(crate) const TRUNK: usize = 0;
pub(crate) const LEFT_UPPER: usize = 2;
pub(crate) const RIGHT_UPPER: usize = 3;
pub(crate) const LEFT_FORE: usize = 4;
pub(crate) const RIGHT_FORE: usize = 5;
pub(crate) const LEFT_THIGH: usize = 6;
pub(crate) const RIGHT_THIGH: usize = 7;

/// Measures poses on a skeleton.
pub(crate) struct PoseMeasurer<'a> {
    rig: &'a Rig,
    has_arms: bool,
    reach: f32,
    height: f32,
}

impl<'a> PoseMeasurer<'a> {
    pub(crate) fn new(rig: &'a Rig) -> Self {
        let length = |bone| rig.rest_translation(bone).length();
        // For a rig without arms or hips, the unit does not matter.
        let unit = |length: f32| if length > 1e-3 { length } else { 1.0 };
        let reach = length(Bone::LeftLowerArm) + length(Bone::LeftHand);
        Self { rig, has_arms: reach > 1e-3, reach: unit(reach), height: unit(rig.hips_height()) }
    }

    /// Measures a pose.
    pub(crate) fn measure(&self, pose: &Pose) -> PoseSample {
        // Positions are relative to the hips, to avoid rounding errors far from the origin.
        let (hips, pose) = (pose.root, Pose { root: Vec3::ZERO, ..*pose });
        let model = pose.model_transforms(self.rig);
        let at = |bone: Bone| Vec3::from(model[bone.index()].translation);
        let heading = heading(&model[Bone::Hips.index()]);
        let face = Quat::from_rotation_y(-heading);
        let chest = model[Bone::UpperChest.index()];
        let head = model[Bone::Head.index()];
        let head_middle = head.transform_point3(Vec3::Y * HEAD_MIDDLE * self.reach);
        let in_chest = |bone: Bone| chest.inverse().transform_point3(at(bone)) / self.reach;
        let arms = ARMS.map(|arm| arm.map(at));
        let side = |i: usize| (arms[i], arms[1 - i]);
        PoseSample {
            wrists: WRISTS.map(|b| face * at(b) / self.reach),
            wrists_in_chest: WRISTS.map(in_chest),
            to_head: WRISTS.map(|b| at(b).distance(head_middle) / self.reach),
            off_sight_deg: WRISTS.map(|b| degrees_between(head.matrix3.z_axis.into(), at(b) - head_middle)),
            to_other_arm: [0, 1].map(|i| to_arm(side(i).0[2], side(i).1) / self.reach),
            hand_to_forearm: [0, 1].map(|i| {
                let [_, elbow, wrist] = side(i).1;
                let far = |point: Vec3| to_segment(point, elbow, wrist) / self.reach;
                let [palm, fingers] = hand(&model, i, self.reach);
                far(palm).min(far(fingers))
            }),
            above_shoulder: arms.map(|[shoulder, _, wrist]| (wrist.y - shoulder.y) / self.reach),
            stretched: arms.map(|[shoulder, _, wrist]| wrist.distance(shoulder) / self.reach),
            shoulders: ARMS.map(|arm| in_chest(arm[0])),
            head: angles(chest.matrix3.transpose() * head.matrix3),
            trunk: angles(Mat3A::from_quat(face) * chest.matrix3),
            feet: [Bone::LeftFoot, Bone::RightFoot].map(|b| face * at(b) / self.height),
            footprints: [Bone::LeftFoot, Bone::RightFoot].map(|b| (hips + at(b)) / self.height),
            hips: hips / self.height,
            fingers: if self.has_arms { FIRST_JOINTS.map(|f| fingers(&pose, f)) } else { Default::default() },
            stick: self.stick(&model, face, hips.y),
        }
    }

    fn stick(&self, model: &[Affine3A], face: Quat, height: f32) -> StickFigure {
        let at = |bone: Bone| Vec3::from(model[bone.index()].translation);
        let limbs = LIMBS.map(|(from, to, _)| face * (at(to) - at(from)).normalize_or_zero());
        StickFigure { limbs, height: height / self.height }
    }

    /// Samples the part of a clip from `from` to `to` (in seconds) and smooths sensor noise.
    ///
    /// Bones that the rig lacks count as bones of zero length, so only the size needs to be adapted.
    pub(crate) fn track(&self, clip: &Clip, from: f64, to: f64) -> Vec<PoseSample> {
        let count = (((to - from) * RATE + 1e-6) as usize).min(MAX_SAMPLES - 1) + 1;
        let scale = self.rig.hips_height() / clip.hips_height();
        // Faster recordings have several frames per sample; their mean has less noise.
        let each = ((clip.rate() / RATE) as usize).clamp(1, MAX_FRAMES_EACH);
        let mut pose = Pose::default();
        let mut look = |i: usize| {
            let mut sum = PoseSample::default();
            for k in 0..each {
                let off = (k as f64 + 0.5) / each as f64 - 0.5;
                clip.sample((from + (i as f64 + off) / RATE).clamp(from, to), &mut pose, &mut []);
                pose.root *= scale;
                sum.add(&self.measure(&pose), 1.0 / each as f32);
            }
            sum
        };
        smoothed(&(0..count).map(&mut look).collect::<Vec<_>>())
    }
}

/// Smooths with a binomial window over five samples, which keeps half of a 5 Hz oscillation and a quarter of the
/// noise.
fn smoothed(samples: &[PoseSample]) -> Vec<PoseSample> {
    const WINDOW: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    let last = samples.len() - 1;
    let near = |i: usize, k: usize| &samples[(i + k).saturating_sub(2).min(last)];
    let mean = |i: usize| {
        let mut sum = PoseSample::default();
        for (k, weight) in WINDOW.into_iter().enumerate() {
            sum.add(near(i, k), weight);
        }
        sum
    };
    (0..samples.len()).map(mean).collect()
}

impl PoseSample {
    /// Returns the mean of several samples.
    pub(crate) fn mean(samples: &[Self]) -> Self {
        let mut sum = Self::default();
        for m in samples {
            sum.add(m, 1.0 / samples.len() as f32);
        }
        sum
    }

    /// Returns the horizontal position of the hips relative to the middle between the feet, in hip heights.
    pub(crate) fn weight(&self) -> Vec3 {
        let middle = -0.5 * (self.feet[0] + self.feet[1]);
        Vec3::new(middle.x, 0.0, middle.z)
    }

    fn add(&mut self, other: &Self, weight: f32) {
        for i in [0, 1] {
            self.wrists[i] += other.wrists[i] * weight;
            self.wrists_in_chest[i] += other.wrists_in_chest[i] * weight;
            self.to_head[i] += other.to_head[i] * weight;
            self.off_sight_deg[i] += other.off_sight_deg[i] * weight;
            self.to_other_arm[i] += other.to_other_arm[i] * weight;
            self.hand_to_forearm[i] += other.hand_to_forearm[i] * weight;
            self.above_shoulder[i] += other.above_shoulder[i] * weight;
            self.stretched[i] += other.stretched[i] * weight;
            self.shoulders[i] += other.shoulders[i] * weight;
            self.feet[i] += other.feet[i] * weight;
            self.footprints[i] += other.footprints[i] * weight;
            for (mine, theirs) in self.fingers[i].iter_mut().zip(other.fingers[i]) {
                *mine += theirs * weight;
            }
        }
        self.head += other.head * weight;
        self.trunk += other.trunk * weight;
        self.hips += other.hips * weight;
        for (mine, theirs) in self.stick.limbs.iter_mut().zip(other.stick.limbs) {
            *mine += theirs * weight;
        }
        self.stick.height += other.stick.height * weight;
    }
}

/// Returns the centres of a palm and of its fingers: 9 and 14 cm from the wrist for an adult. In the rest pose the
/// arms point to the sides.
fn hand(model: &[Affine3A], i: usize, reach: f32) -> Sides<Vec3> {
    let outwards = if i == 0 { Vec3::X } else { Vec3::NEG_X };
    [0.18, 0.3].map(|far| model[WRISTS[i].index()].transform_point3(outwards * far * reach))
}

/// Returns the distance from a point to an arm. The last third of the forearm is excluded, because hands that meet
/// there may clap.
fn to_arm(point: Vec3, [shoulder, elbow, wrist]: [Vec3; 3]) -> f32 {
    to_segment(point, shoulder, elbow).min(to_segment(point, elbow, elbow.lerp(wrist, 0.65)))
}

fn to_segment(point: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let share = (point - a).dot(along) / along.length_squared().max(1e-9);
    point.distance(a + along * share.clamp(0.0, 1.0))
}

fn heading(hips: &Affine3A) -> f32 {
    let ahead = hips.matrix3.z_axis;
    atan2_32(ahead.x, ahead.z)
}

/// Returns the flexion of each finger. Joint rotations are added, not multiplied, because a fist is bent by more than
/// half a turn.
fn fingers(pose: &Pose, first: Bone) -> [Vec3; 5] {
    let joint = |n: usize| rotation_vector(pose.rotations.get(Bone::ALL[first.index() + n]));
    let degrees = |v: Vec3| v * 1_f32.to_degrees();
    std::array::from_fn(|finger| degrees((0..3).map(|k| joint(3 * finger + k)).sum()))
}

/// Returns yaw, pitch and roll in degrees.
fn angles(turned: Mat3A) -> Vec3 {
    let (ahead, side) = (turned.z_axis, turned.x_axis);
    let yaw = atan2_32(ahead.x, ahead.z);
    let pitch = -asin32(ahead.y.clamp(-1.0, 1.0));
    let roll = asin32(side.y.clamp(-1.0, 1.0));
    Vec3::new(yaw.to_degrees(), pitch.to_degrees(), roll.to_degrees())
}
