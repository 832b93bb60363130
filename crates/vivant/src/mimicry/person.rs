//! What a tracker sees of a person at an instant, whatever tracker it is.

use super::hand::Fingers;
use crate::pose::Pose;
use crate::rig::{Bone, Rig};
use glam::{Affine3A, Vec3};

/// A place of the body that trackers tell of. Left is the person's own left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "their names say which")]
pub enum Spot {
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

impl Spot {
    /// How many there are.
    pub const COUNT: usize = 17;

    /// All of them, in their order.
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

    /// The same place on the other side.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Mouth => self,
            // Left and right are neighbours, the left one first.
            _ => Self::ALL[(self as usize) ^ 1],
        }
    }
}

/// Where a spot is, and how surely it was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// In metres: +X to the person's left, +Y up, +Z ahead of them; the origin does not matter.
    pub place: Vec3,
    /// From 0, not seen at all, to 1.
    pub sure: f32,
}

/// What a face shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Face {
    /// Where the head points, in degrees: to the person's left, up, and tilted to their left.
    pub head_deg: [f32; 3],
    /// How wide the mouth is and how high its corners are, by the distance of the eyes: grows with a smile.
    pub smile: f32,
    /// How high the brows are over the corners of the eyes, by the same measure.
    pub brows: f32,
    /// How open each eye is, its height by its width, the left one first.
    pub lids: [f32; 2],
    /// How open the mouth is, by the distance of the eyes.
    pub mouth: f32,
    /// Where the eyes look in the head, in degrees to the person's left and up.
    pub gaze_deg: Option<[f32; 2]>,
}

/// What was seen of a person at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// When, in seconds of the performance.
    pub secs: f64,
    /// How many people there are; what follows is of the nearest one.
    pub people: u32,
    /// Their body, in the order of [`Spot::ALL`].
    pub spots: [Seen; Spot::COUNT],
    /// Their face, if it was seen.
    pub face: Option<Face>,
    /// The fingers of the left and the right hand, if they were seen.
    pub hands: [Option<Fingers>; 2],
    /// Where the face is from the camera's eye, in metres: +X to the camera's left, +Y up, +Z away from it. Who stands
    /// where the camera is, and looks as it does, has +X to the left.
    pub from_camera: Option<Vec3>,
}

impl Person {
    /// Nobody is there.
    #[must_use]
    pub fn nobody(secs: f64) -> Self {
        let spots = [Seen::default(); Spot::COUNT];
        Self { secs, people: 0, spots, face: None, hands: [None; 2], from_camera: None }
    }

    /// A person who is posed like this: a tracked performer, or a character whom another one watches.
    #[must_use]
    pub fn posed(secs: f64, rig: &Rig, pose: &Pose) -> Self {
        let model = pose.model_transforms(rig);
        let mut person = Self { people: 1, ..Self::nobody(secs) };
        let mut put = |spot: Spot, place: Vec3, bones: &[Bone]| {
            let has = bones.iter().all(|bone| rig.bones().contains(*bone));
            person.spots[spot as usize] = Seen { place, sure: if has { 1.0 } else { 0.0 } };
        };
        for (spot, bone) in BONES {
            put(spot, model[bone.index()].translation.into(), &[bone]);
        }
        // A head has no bones for these: they are where an adult's are, by the size of this head.
        let size = head_size(rig);
        for (spot, offset) in HEAD_SPOTS {
            put(spot, model[Bone::Head.index()].transform_point3(offset * size), &[Bone::Head]);
        }
        for (palm, bones) in PALMS {
            let knuckles: Vec3 = bones.iter().map(|bone| Vec3::from(model[bone.index()].translation)).sum();
            put(palm, knuckles / bones.len() as f32, &bones);
        }
        person.hands = [false, true].map(|is_right| fingers(rig, &model, is_right));
        person
    }

    /// Where a spot is, if it was seen at least so surely.
    #[must_use]
    pub fn place(&self, spot: Spot, sure: f32) -> Option<Vec3> {
        let seen = self.spots[spot as usize];
        (seen.sure >= sure).then_some(seen.place)
    }

    /// The same person as a mirror shows them.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut other = self.clone();
        for spot in Spot::ALL {
            let Seen { place, sure } = self.spots[spot.mirrored() as usize];
            other.spots[spot as usize] = Seen { place: Vec3::new(-place.x, place.y, place.z), sure };
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

/// The bones at whose joints spots are.
const BONES: [(Spot, Bone); 12] = [
    (Spot::LeftShoulder, Bone::LeftUpperArm),
    (Spot::RightShoulder, Bone::RightUpperArm),
    (Spot::LeftElbow, Bone::LeftLowerArm),
    (Spot::RightElbow, Bone::RightLowerArm),
    (Spot::LeftWrist, Bone::LeftHand),
    (Spot::RightWrist, Bone::RightHand),
    (Spot::LeftHip, Bone::LeftUpperLeg),
    (Spot::RightHip, Bone::RightUpperLeg),
    (Spot::LeftKnee, Bone::LeftLowerLeg),
    (Spot::RightKnee, Bone::RightLowerLeg),
    (Spot::LeftAnkle, Bone::LeftFoot),
    (Spot::RightAnkle, Bone::RightFoot),
];

/// A palm is between the wrist and the knuckles at its sides.
const PALMS: [(Spot, [Bone; 3]); 2] = [
    (Spot::LeftPalm, [Bone::LeftHand, Bone::LeftIndexProximal, Bone::LeftLittleProximal]),
    (Spot::RightPalm, [Bone::RightHand, Bone::RightIndexProximal, Bone::RightLittleProximal]),
];

/// The bones of the left hand's fingers.
const FINGERS: [[Bone; 3]; 5] = [
    [Bone::LeftThumbMetacarpal, Bone::LeftThumbProximal, Bone::LeftThumbDistal],
    [Bone::LeftIndexProximal, Bone::LeftIndexIntermediate, Bone::LeftIndexDistal],
    [Bone::LeftMiddleProximal, Bone::LeftMiddleIntermediate, Bone::LeftMiddleDistal],
    [Bone::LeftRingProximal, Bone::LeftRingIntermediate, Bone::LeftRingDistal],
    [Bone::LeftLittleProximal, Bone::LeftLittleIntermediate, Bone::LeftLittleDistal],
];

/// How far the fingers of a posed hand are stretched, if it has all of them.
fn fingers(rig: &Rig, model: &[Affine3A], is_right: bool) -> Option<Fingers> {
    // The last bone of a finger has no end: it is a little shorter than the one before.
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

/// Where ears and mouth are from the joint of the head, in metres of a head whose joint is 0.22 m under its top.
const HEAD_SPOTS: [(Spot, Vec3); 3] = [
    (Spot::LeftEar, Vec3::new(0.075, 0.075, 0.01)),
    (Spot::RightEar, Vec3::new(-0.075, 0.075, 0.01)),
    (Spot::Mouth, Vec3::new(0.0, 0.02, 0.09)),
];

/// How large the head is beside an adult's, from how far the shoulders are apart.
fn head_size(rig: &Rig) -> f32 {
    const ADULT_SHOULDERS_M: f32 = 0.34;
    let [left, right] = [Bone::LeftUpperArm, Bone::RightUpperArm].map(|bone| rig.rest_position(bone));
    ((left - right).length() / ADULT_SHOULDERS_M).clamp(0.3, 3.0)
}
