//! Tracking result for a person at an instant, independent of the tracker.
//!
//! Trackers differ in landmarks, units and axes. A host converts the output of its tracker to a [`Person`] and passes
//! it to `Mimic::see`, so that the recognition of actions does not depend on a tracker. Positions are relative to each
//! other, in metres, and left is the person's own left; only [`Person::from_camera`] depends on the camera. A part
//! without data stays `None` or has confidence 0. [`Person::nobody`] reports an empty scene, and [`Person::posed`]
//! creates a person from a pose, for example of another character.

use super::hand::Fingers;
use crate::pose::Pose;
use crate::rig::{Bone, Rig};
use glam::{Affine3A, Vec3};

/// A body landmark that trackers report. Left is the person's own left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Landmark {
    LeftShoulder,
    RightShoulder,
    LeftElbow,
    RightElbow,
    LeftWrist,
    RightWrist,
    LeftHip,
    RightHip,
    LeftKnee,
    RightKnee,
    LeftAnkle,
    RightAnkle,
    LeftEar,
    RightEar,
    LeftPalm,
    RightPalm,
    Mouth,
}

impl Landmark {
    /// Number of landmarks.
    pub const COUNT: usize = 17;

    /// All landmarks, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftElbow,
        Self::RightElbow,
        Self::LeftWrist,
        Self::RightWrist,
        Self::LeftHip,
        Self::RightHip,
        Self::LeftKnee,
        Self::RightKnee,
        Self::LeftAnkle,
        Self::RightAnkle,
        Self::LeftEar,
        Self::RightEar,
        Self::LeftPalm,
        Self::RightPalm,
        Self::Mouth,
    ];

    /// Returns the same landmark on the other side.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Mouth => self,
            // Left and right are adjacent, left first.
            _ => Self::ALL[(self as usize) ^ 1],
        }
    }
}

/// Position and confidence of a landmark.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackedLandmark {
    /// Position in metres: +X to the person's left, +Y up, +Z ahead of them. The origin is arbitrary.
    pub place: Vec3,
    /// Confidence from 0 (not visible) to 1.
    pub sure: f32,
}

/// Face measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Face {
    /// Head direction in degrees: yaw to the person's left, pitch up, tilt to their left.
    pub head_deg: [f32; 3],
    /// Width of the mouth and height of its corners relative to the distance between the eyes; increases with a
    /// smile.
    pub smile: f32,
    /// Height of the brows above the corners of the eyes, relative to the distance between the eyes.
    pub brows: f32,
    /// Opening of the left and right eye: height relative to width.
    pub lids: [f32; 2],
    /// Opening of the mouth relative to the distance between the eyes.
    pub mouth: f32,
    /// Gaze direction in the head, in degrees to the person's left and up.
    pub gaze_deg: Option<[f32; 2]>,
}

/// Tracking result for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Time in seconds of the performance.
    pub secs: f64,
    /// Number of visible people; the other fields describe the nearest person.
    pub people: u32,
    /// Body landmarks, in the order of [`Landmark::ALL`].
    pub landmarks: [TrackedLandmark; Landmark::COUNT],
    /// The face, if visible.
    pub face: Option<Face>,
    /// Fingers of the left and the right hand, if visible.
    pub hands: [Option<Fingers>; 2],
    /// Position of the face relative to the camera in metres: +X to the camera's left, +Y up, +Z away from the camera.
    pub from_camera: Option<Vec3>,
}

impl Person {
    /// Creates a result without a person.
    #[must_use]
    pub fn nobody(secs: f64) -> Self {
        let landmarks = [TrackedLandmark::default(); Landmark::COUNT];
        Self { secs, people: 0, landmarks, face: None, hands: [None; 2], from_camera: None }
    }

    /// Creates a result from a pose, for example of a motion-captured actor or another character.
    #[must_use]
    pub fn posed(secs: f64, rig: &Rig, pose: &Pose) -> Self {
        let model = pose.model_transforms(rig);
        let mut person = Self { people: 1, ..Self::nobody(secs) };
        let mut put = |landmark: Landmark, place: Vec3, bones: &[Bone]| {
            let has = bones.iter().all(|bone| rig.bones().contains(*bone));
            person.landmarks[landmark as usize] =
                TrackedLandmark { place, sure: if has { 1.0 } else { 0.0 } };
        };
        for (landmark, bone) in BONES {
            put(landmark, model[bone.index()].translation.into(), &[bone]);
        }
        // The rig has no bones for these landmarks, so typical adult positions are used, scaled to this head.
        let size = head_size(rig);
        for (landmark, offset) in HEAD_LANDMARKS {
            put(landmark, model[Bone::Head.index()].transform_point3(offset * size), &[Bone::Head]);
        }
        for (palm, bones) in PALMS {
            let knuckles: Vec3 = bones.iter().map(|bone| Vec3::from(model[bone.index()].translation)).sum();
            put(palm, knuckles / bones.len() as f32, &bones);
        }
        person.hands = [false, true].map(|is_right| fingers(rig, &model, is_right));
        person
    }

    /// Returns the position of a landmark if its confidence is at least `sure`.
    #[must_use]
    pub fn place(&self, landmark: Landmark, sure: f32) -> Option<Vec3> {
        let seen = self.landmarks[landmark as usize];
        (seen.sure >= sure).then_some(seen.place)
    }

    /// Returns the mirror image of the person: left and right are swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut other = self.clone();
        for landmark in Landmark::ALL {
            let TrackedLandmark { place, sure } = self.landmarks[landmark.mirrored() as usize];
            other.landmarks[landmark as usize] =
                TrackedLandmark { place: Vec3::new(-place.x, place.y, place.z), sure };
        }
        other.hands.reverse();
        if let Some(face) = &mut other.face {
            let [yaw, pitch, tilt] = face.head_deg;
            face.head_deg = [-yaw, pitch, -tilt];
            face.lids.reverse();
            face.gaze_deg = face.gaze_deg.map(|[yaw, pitch]| [-yaw, pitch]);
        }
        other
    }
}

/// Landmarks that are joints of the rig, each with the bone that starts there.
const BONES: [(Landmark, Bone); 12] = [
    (Landmark::LeftShoulder, Bone::LeftUpperArm),
    (Landmark::RightShoulder, Bone::RightUpperArm),
    (Landmark::LeftElbow, Bone::LeftLowerArm),
    (Landmark::RightElbow, Bone::RightLowerArm),
    (Landmark::LeftWrist, Bone::LeftHand),
    (Landmark::RightWrist, Bone::RightHand),
    (Landmark::LeftHip, Bone::LeftUpperLeg),
    (Landmark::RightHip, Bone::RightUpperLeg),
    (Landmark::LeftKnee, Bone::LeftLowerLeg),
    (Landmark::RightKnee, Bone::RightLowerLeg),
    (Landmark::LeftAnkle, Bone::LeftFoot),
    (Landmark::RightAnkle, Bone::RightFoot),
];

/// A palm is the mean of the wrist and the outer knuckles.
const PALMS: [(Landmark, [Bone; 3]); 2] = [
    (Landmark::LeftPalm, [Bone::LeftHand, Bone::LeftIndexProximal, Bone::LeftLittleProximal]),
    (Landmark::RightPalm, [Bone::RightHand, Bone::RightIndexProximal, Bone::RightLittleProximal]),
];

/// Bones of the fingers of the left hand.
const FINGERS: [[Bone; 3]; 5] = [
    [Bone::LeftThumbMetacarpal, Bone::LeftThumbProximal, Bone::LeftThumbDistal],
    [Bone::LeftIndexProximal, Bone::LeftIndexIntermediate, Bone::LeftIndexDistal],
    [Bone::LeftMiddleProximal, Bone::LeftMiddleIntermediate, Bone::LeftMiddleDistal],
    [Bone::LeftRingProximal, Bone::LeftRingIntermediate, Bone::LeftRingDistal],
    [Bone::LeftLittleProximal, Bone::LeftLittleIntermediate, Bone::LeftLittleDistal],
];

/// Returns the extension of the fingers of a posed hand, if the rig has all finger bones.
fn fingers(rig: &Rig, model: &[Affine3A], is_right: bool) -> Option<Fingers> {
    // Length of the last bone relative to the bone before it, because rigs do not define the end of the last bone.
    const TIP: f32 = 0.8;
    let own = |bone: Bone| if is_right { bone.mirrored() } else { bone };
    let bones = FINGERS.map(|finger| finger.map(own));
    let at = |bone: Bone| Vec3::from(model[bone.index()].translation);
    let joints = bones.map(|[first, middle, last]| {
        let tip = (rig.rest_position(last) - rig.rest_position(middle)) * TIP;
        [at(first), at(middle), at(last), model[last.index()].transform_point3(tip)]
    });
    let has_all = bones.iter().flatten().all(|bone| rig.bones().contains(*bone));
    has_all.then(|| Fingers::of(at(own(Bone::LeftHand)), &joints)).flatten()
}

/// Positions of ears and mouth relative to the head joint, in metres, for a head whose joint is 0.22 m below its top.
const HEAD_LANDMARKS: [(Landmark, Vec3); 3] = [
    (Landmark::LeftEar, Vec3::new(0.075, 0.075, 0.01)),
    (Landmark::RightEar, Vec3::new(-0.075, 0.075, 0.01)),
    (Landmark::Mouth, Vec3::new(0.0, 0.02, 0.09)),
];

/// Returns the size of the head relative to the head of an adult, estimated from the shoulder width.
fn head_size(rig: &Rig) -> f32 {
    const ADULT_SHOULDERS_M: f32 = 0.34;
    let [left, right] = [Bone::LeftUpperArm, Bone::RightUpperArm].map(|bone| rig.rest_position(bone));
    ((left - right).length() / ADULT_SHOULDERS_M).clamp(0.3, 3.0)
}
