//! Converts a tracked performer to a person that a character can mirror.
//!
//! A character can mirror a person in front of a camera; with [`person`] it can mirror a performer with motion capture
//! in the same way. The received pose is applied to the given rig, and its joints become landmarks. Expressions are
//! converted to the measures that the face tracker would give, so that the same thresholds apply. Landmarks whose bones
//! were not received count as not visible, and a frame without bones and face counts as nobody.

use super::receive::Received;
use vivant::math::rotation_vector;
use vivant::mimicry::{Face, Landmark, Person, TrackedLandmark};
use vivant::rig::{Bone, BoneSet, Rig};

/// Converts a frame to a person with the proportions of `rig`. The proportions of the tracked person do not matter.
/// Bones that were not received count as not visible.
#[must_use]
pub fn person(rig: &Rig, frame: &Received, secs: f64) -> Person {
    let mut person = Person::posed(secs, rig, &frame.pose);
    for (landmarks, needed) in SEEN {
        if needed.iter().any(|bone| !frame.bones.contains(*bone)) {
            landmarks
                .iter()
                .for_each(|landmark| person.landmarks[*landmark as usize] = TrackedLandmark::default());
        }
    }
    for (hand, fingers) in person.hands.iter_mut().zip(FINGERS) {
        if fingers.iter().any(|bone| !frame.bones.contains(*bone)) {
            *hand = None;
        }
    }
    person.face = face(frame);
    if frame.bones == BoneSet::EMPTY && person.face.is_none() {
        return Person::nobody(secs);
    }
    person
}

/// Landmarks and the bones they require.
const SEEN: [(&[Landmark], &[Bone]); 4] = [
    (
        &[Landmark::LeftElbow, Landmark::LeftWrist, Landmark::LeftPalm],
        &[Bone::LeftUpperArm, Bone::LeftLowerArm],
    ),
    (
        &[Landmark::RightElbow, Landmark::RightWrist, Landmark::RightPalm],
        &[Bone::RightUpperArm, Bone::RightLowerArm],
    ),
    (&[Landmark::LeftKnee, Landmark::LeftAnkle], &[Bone::LeftUpperLeg, Bone::LeftLowerLeg]),
    (&[Landmark::RightKnee, Landmark::RightAnkle], &[Bone::RightUpperLeg, Bone::RightLowerLeg]),
];

/// Bones required for the shape of a hand.
const FINGERS: [[Bone; 4]; 2] = [
    [
        Bone::LeftIndexIntermediate,
        Bone::LeftMiddleIntermediate,
        Bone::LeftRingIntermediate,
        Bone::LeftLittleIntermediate,
    ],
    [
        Bone::RightIndexIntermediate,
        Bone::RightMiddleIntermediate,
        Bone::RightRingIntermediate,
        Bone::RightLittleIntermediate,
    ],
];

/// Converts expressions to the measures of camera tracking: values of a neutral face plus a change per weight.
fn face(frame: &Received) -> Option<Face> {
    const SMILE: [f32; 2] = [0.53, 0.45];
    const BROWS: [f32; 2] = [0.27, 0.1];
    const OPEN: f32 = 0.33;
    const MOUTH: f32 = 0.25;
    let weight = |names: &[&str]| {
        let weighted =
            frame.weights.iter().filter(|(channel, _)| names.iter().any(|name| channel.name() == *name));
        weighted.map(|(_, weight)| *weight).fold(0.0, f32::max)
    };
    if frame.weights.is_empty() && !frame.bones.contains(Bone::Head) {
        return None;
    }
    let shut = weight(&["blink"]);
    let lid = |names: &[&str]| OPEN * (1.0 - weight(names).max(shut));
    Some(Face {
        head_deg: head_deg(frame),
        smile: SMILE[0] + SMILE[1] * weight(&["happy", "relaxed", "mouthSmileLeft", "mouthSmileRight"]),
        brows: BROWS[0]
            + BROWS[1] * weight(&["surprised", "browInnerUp", "browOuterUpLeft", "browOuterUpRight"]),
        lids: [lid(&["blinkLeft", "eyeBlinkLeft"]), lid(&["blinkRight", "eyeBlinkRight"])],
        mouth: MOUTH * weight(&["aa", "oh", "ee", "ih", "ou", "jawOpen"]),
        gaze_deg: None,
    })
}

/// Returns the orientation of the head on the trunk in degrees: left, up, and tilt to the left.
fn head_deg(frame: &Received) -> [f32; 3] {
    let [neck, head] = [Bone::Neck, Bone::Head].map(|bone| {
        if frame.bones.contains(bone) { frame.pose.rotations.get(bone) } else { glam::Quat::IDENTITY }
    });
    let turn = rotation_vector(neck * head);
    [turn.y.to_degrees(), -turn.x.to_degrees(), -turn.z.to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use vivant::mimicry::HandShape;
    use vivant::rig::{Channel, RigParts};

    fn rig() -> Rig {
        let places = Bone::ALL.map(|bone| (bone, Vec3::new(0.0, 1.0 + 0.01 * bone.index() as f32, 0.0)));
        Rig::new(RigParts { rest_positions: places.to_vec(), ..RigParts::default() })
    }

    #[test]
    fn missing_bones_are_not_seen() {
        let frame = Received { bones: BoneSet::ALL.minus(BoneSet::LEFT_ARM), ..Received::default() };
        let person = person(&rig(), &frame, 2.0);
        assert_eq!((person.secs, person.people), (2.0, 1));
        assert_eq!(person.place(Landmark::LeftWrist, 0.01), None);
        assert!(person.place(Landmark::RightWrist, 0.9).is_some());
        assert_eq!(self::person(&rig(), &Received::default(), 2.0), Person::nobody(2.0));
    }

    #[test]
    fn hand_shapes_need_finger_bones() {
        let rig = rig_with_fingers();
        let mut frame = Received { bones: BoneSet::ALL, ..Received::default() };
        let shapes = |frame: &Received| person(&rig, frame, 0.0).hands.map(|hand| hand?.shape(None));
        assert_eq!(shapes(&frame), [Some(HandShape::Open); 2]);
        for bone in BoneSet::FINGERS.iter().filter(|bone| bone.name().starts_with("left")) {
            frame.pose.rotations.set(bone, Quat::from_rotation_z(-1.3));
        }
        assert_eq!(shapes(&frame), [Some(HandShape::Fist), Some(HandShape::Open)]);
        for bone in [Bone::LeftIndexProximal, Bone::LeftIndexIntermediate, Bone::LeftIndexDistal] {
            frame.pose.rotations.set(bone, Quat::IDENTITY);
        }
        assert_eq!(shapes(&frame), [Some(HandShape::Pointing), Some(HandShape::Open)]);
        frame.bones = BoneSet::ALL.minus(BoneSet::FINGERS);
        assert_eq!(shapes(&frame), [None; 2], "no finger bones");
    }

    /// A rig whose fingers extend along the arms.
    fn rig_with_fingers() -> Rig {
        let places = Bone::ALL.map(|bone| {
            let name = bone.name();
            let side = if name.starts_with("left") { 1.0 } else { -1.0 };
            let finger = ["Thumb", "Index", "Middle", "Ring", "Little"].iter().position(|f| name.contains(f));
            let Some(finger) = finger else { return (bone, Vec3::new(side * 0.7, 1.4, 0.0)) };
            let along = match name {
                name if name.ends_with("Distal") => 0.155,
                name if name.ends_with("Intermediate") => 0.13,
                name if name.ends_with("Proximal") && finger == 0 => 0.13,
                _ => 0.09,
            };
            (bone, Vec3::new(side * (0.7 + along), 1.4, 0.04 - 0.02 * finger as f32))
        });
        Rig::new(RigParts { rest_positions: places.to_vec(), ..RigParts::default() })
    }

    #[test]
    fn expressions_and_head_give_a_face() {
        let mut frame = Received { bones: BoneSet::EMPTY.with(Bone::Head), ..Received::default() };
        frame.pose.rotations.set(Bone::Head, Quat::from_rotation_z(-0.2));
        let weighted = |name: &str, weight: f32| (Channel::from(name.to_owned()), weight);
        frame.weights = vec![weighted("happy", 1.0), weighted("blinkLeft", 1.0)];
        let face = person(&rig(), &frame, 0.0).face.expect("the person has a face");
        assert!((face.head_deg[2] - 0.2_f32.to_degrees()).abs() < 0.01, "the head tilts to the left");
        assert!(face.smile > 0.8 && face.lids[0] < 0.01 && face.lids[1] > 0.3);
    }
}
