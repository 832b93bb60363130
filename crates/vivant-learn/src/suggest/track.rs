//! A clip as signals: where the hands, the head and the hips are, thirty times a second.
//!
//! Everything is measured on one skeleton and in its proportions, so that neither the recorded person nor
//! the frame rate matters. Hands are measured in arm lengths and hips in hips' heights.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::{asin32, atan2_32, rotation_vector};
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// How often a clip is looked at, in samples a second: hands hardly do anything above 5 Hz, and what is
/// faster is noise.
pub(crate) const RATE: f64 = 30.0;

/// The longest part of a clip that is looked at, in samples: ten minutes. What is longer is no clip of a
/// repertoire but a recording to cut one from.
const MAX_SAMPLES: usize = 18_000;

/// The most frames that are looked at for a sample.
const MAX_FRAMES_EACH: usize = 4;

/// Left, then right.
pub(crate) type Sides<T> = [T; 2];

const WRISTS: Sides<Bone> = [Bone::LeftHand, Bone::RightHand];

/// Each hand has five fingers of three joints from here.
const FIRST_JOINTS: Sides<Bone> = [Bone::LeftThumbMetacarpal, Bone::RightThumbMetacarpal];

/// Shoulder, elbow and wrist.
const ARMS: Sides<[Bone; 3]> = [
    [Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand],
    [Bone::RightUpperArm, Bone::RightLowerArm, Bone::RightHand],
];

/// How far above its joint the middle of the head is, in arm lengths: 10 cm of a grown-up.
const HEAD_MIDDLE: f32 = 0.2;

/// What is seen at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// The wrists from the hips, in a frame that faces where the hips do, in arm lengths.
    pub(crate) wrists: Sides<Vec3>,
    /// The wrists in the frame of the chest, in arm lengths.
    pub(crate) wrists_in_chest: Sides<Vec3>,
    /// From each wrist to the middle of the head, in arm lengths.
    pub(crate) to_head: Sides<f32>,
    /// How far each wrist is off where the face points, in degrees.
    pub(crate) off_sight_deg: Sides<f32>,
    /// From each wrist to the other arm without its hand, in arm lengths.
    pub(crate) to_other_arm: Sides<f32>,
    /// From each palm or its fingers to the other forearm, in arm lengths.
    pub(crate) hand_to_forearm: Sides<f32>,
    /// How high the wrists are above their shoulders, in arm lengths.
    pub(crate) above_shoulder: Sides<f32>,
    /// How far the arms are stretched, in arm lengths.
    pub(crate) stretched: Sides<f32>,
    /// Where the shoulder joints are in the frame of the chest, in arm lengths.
    pub(crate) shoulders: Sides<Vec3>,
    /// Where the head faces, against the chest: yaw, pitch (down is positive), roll, in degrees.
    pub(crate) head: Vec3,
    /// Where the chest faces, against the heading of the hips, as for the head.
    pub(crate) trunk: Vec3,
    /// The feet from the hips, in a frame that faces where the hips do, in hips' heights.
    pub(crate) feet: Sides<Vec3>,
    /// The feet where they stand, in hips' heights.
    pub(crate) footprints: Sides<Vec3>,
    /// Where the hips are, in hips' heights.
    pub(crate) hips: Vec3,
    /// How each finger is bent, thumb first, as the sum of its joints' rotation vectors, in degrees.
    pub(crate) fingers: Sides<[Vec3; 5]>,
    /// How the limbs point.
    pub(crate) stick: Stick,
}

/// A pose as the directions of its limbs, in the frame in which the hips face +Z: the same for every
/// skeleton, however its joints are twisted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stick {
    /// One for each of [`LIMBS`], of length one or zero.
    pub(crate) limbs: [Vec3; LIMBS.len()],
    /// How high the hips are, in hips' heights.
    pub(crate) height: f32,
}

/// From, to, and how much it counts for what a pose looks like. Arms make most stances different, legs
/// make the greatest differences; a head turns in every stance, so that it hardly counts.
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

impl Stick {
    /// The angle at each limb, in degrees.
    pub(crate) fn angles_deg(&self, other: &Self) -> [f32; LIMBS.len()] {
        std::array::from_fn(|i| degrees_between(self.limbs[i], other.limbs[i]))
    }

    /// How different two poses look over some of the limbs, in degrees: the weighted root mean square.
    pub(crate) fn distance_deg(&self, other: &Self, limbs: impl Fn(usize) -> bool) -> f32 {
        let angles = self.angles_deg(other);
        let (mut sum, mut weights) = (0.0, 1e-6);
        for (i, (_, _, weight)) in LIMBS.iter().enumerate().filter(|(i, _)| limbs(*i)) {
            sum += weight * angles[i] * angles[i];
            weights += weight;
        }
        (sum / weights).sqrt()
    }

    /// The greatest angle of all limbs, in degrees.
    pub(crate) fn greatest_deg(&self, other: &Self) -> f32 {
        self.angles_deg(other).into_iter().fold(0.0, f32::max)
    }

    /// Whether both arms are stretched out to the sides, as in the pose that characters are modelled in.
    pub(crate) fn is_t_pose(&self) -> bool {
        let out = |limb: usize, side: f32| self.limbs[limb].x * side > 0.85;
        out(LEFT_UPPER, 1.0) && out(LEFT_FORE, 1.0) && out(RIGHT_UPPER, -1.0) && out(RIGHT_FORE, -1.0)
    }
}

/// The angle between two directions in degrees; zero where one of them has no length.
pub(crate) fn degrees_between(a: Vec3, b: Vec3) -> f32 {
    atan2_32(a.cross(b).length(), a.dot(b)).to_degrees()
}

/// Where limbs stand in [`LIMBS`].
pub(crate) const TRUNK: usize = 0;
pub(crate) const LEFT_UPPER: usize = 2;
pub(crate) const RIGHT_UPPER: usize = 3;
pub(crate) const LEFT_FORE: usize = 4;
pub(crate) const RIGHT_FORE: usize = 5;
pub(crate) const LEFT_THIGH: usize = 6;
pub(crate) const RIGHT_THIGH: usize = 7;

/// Measures poses on a skeleton.
pub(crate) struct Yardstick<'a> {
    rig: &'a Rig,
    has_arms: bool,
    reach: f32,
    height: f32,
}

impl<'a> Yardstick<'a> {
    pub(crate) fn new(rig: &'a Rig) -> Self {
        let length = |bone| rig.rest_translation(bone).length();
        // A rig without arms or hips has nothing to measure; any unit does.
        let unit = |length: f32| if length > 1e-3 { length } else { 1.0 };
        let reach = length(Bone::LeftLowerArm) + length(Bone::LeftHand);
        Self { rig, has_arms: reach > 1e-3, reach: unit(reach), height: unit(rig.hips_height()) }
    }

    /// What is seen in a pose.
    pub(crate) fn look(&self, pose: &Pose) -> Moment {
        // From the hips, so that far from the middle of the stage nothing is lost to rounding.
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
        Moment {
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

    fn stick(&self, model: &[Affine3A], face: Quat, height: f32) -> Stick {
        let at = |bone: Bone| Vec3::from(model[bone.index()].translation);
        let limbs = LIMBS.map(|(from, to, _)| face * (at(to) - at(from)).normalize_or_zero());
        Stick { limbs, height: height / self.height }
    }

    /// A part of a clip, sample by sample, with the noise of sensors smoothed away.
    ///
    /// Bones that the rig lacks turn all the same, without length, so that nothing has to be fitted but the
    /// size.
    pub(crate) fn track(&self, clip: &Clip, from: f64, to: f64) -> Vec<Moment> {
        let count = (((to - from) * RATE + 1e-6) as usize).min(MAX_SAMPLES - 1) + 1;
        let scale = self.rig.hips_height() / clip.hips_height();
        // Faster recordings have several frames for a sample; their mean has less noise.
        let each = ((clip.rate() / RATE) as usize).clamp(1, MAX_FRAMES_EACH);
        let mut pose = Pose::default();
        let mut look = |i: usize| {
            let mut sum = Moment::default();
            for k in 0..each {
                let off = (k as f64 + 0.5) / each as f64 - 0.5;
                clip.sample((from + (i as f64 + off) / RATE).clamp(from, to), &mut pose, &mut []);
                pose.root *= scale;
                sum.add(&self.look(&pose), 1.0 / each as f32);
            }
            sum
        };
        smoothed(&(0..count).map(&mut look).collect::<Vec<_>>())
    }
}

/// A binomial window over five samples: half of what swings at 5 Hz is left, and a quarter of the noise.
fn smoothed(seen: &[Moment]) -> Vec<Moment> {
    const WINDOW: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    let last = seen.len() - 1;
    let near = |i: usize, k: usize| &seen[(i + k).saturating_sub(2).min(last)];
    let mean = |i: usize| {
        let mut sum = Moment::default();
        for (k, weight) in WINDOW.into_iter().enumerate() {
            sum.add(near(i, k), weight);
        }
        sum
    };
    (0..seen.len()).map(mean).collect()
}

impl Moment {
    /// The mean of several.
    pub(crate) fn mean(seen: &[Self]) -> Self {
        let mut sum = Self::default();
        for m in seen {
            sum.add(m, 1.0 / seen.len() as f32);
        }
        sum
    }

    /// Where the hips are between the feet, on the ground, in hips' heights.
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

/// The middles of a palm and of its fingers: 9 and 14 cm of a grown-up from the wrist. At rest the arms point to
/// the sides.
fn hand(model: &[Affine3A], i: usize, reach: f32) -> Sides<Vec3> {
    let outwards = if i == 0 { Vec3::X } else { Vec3::NEG_X };
    [0.18, 0.3].map(|far| model[WRISTS[i].index()].transform_point3(outwards * far * reach))
}

/// From a point to an arm. Its last third is left out: hands that meet may clap.
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

/// The joints' turns are added, not multiplied: a fist is bent by more than half a turn.
fn fingers(pose: &Pose, first: Bone) -> [Vec3; 5] {
    let joint = |n: usize| rotation_vector(pose.rotations.get(Bone::ALL[first.index() + n]));
    let degrees = |v: Vec3| v * 1_f32.to_degrees();
    std::array::from_fn(|finger| degrees((0..3).map(|k| joint(3 * finger + k)).sum()))
}

/// Yaw, pitch and roll in degrees.
fn angles(turned: Mat3A) -> Vec3 {
    let (ahead, side) = (turned.z_axis, turned.x_axis);
    let yaw = atan2_32(ahead.x, ahead.z);
    let pitch = -asin32(ahead.y.clamp(-1.0, 1.0));
    let roll = asin32(side.y.clamp(-1.0, 1.0));
    Vec3::new(yaw.to_degrees(), pitch.to_degrees(), roll.to_degrees())
}
