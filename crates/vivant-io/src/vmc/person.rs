//! A tracked performer as a person whom a character mirrors.

use super::receive::Received;
use vivant::math::rotation_vector;
use vivant::mimicry::{Face, Person, Seen, Spot};
use vivant::rig::{Bone, BoneSet, Rig};

/// What was received, as somebody of a rig's proportions: how long their arms are does not matter. What nobody told of
/// was not seen.
#[must_use]
pub fn person(rig: &Rig, frame: &Received, secs: f64) -> Person {
    let mut person = Person::posed(secs, rig, &frame.pose);
    for (spots, needed) in SEEN {
        if needed.iter().any(|bone| !frame.bones.contains(*bone)) {
            spots.iter().for_each(|spot| person.spots[*spot as usize] = Seen::default());
        }
    }
    person.face = face(frame);
    if frame.bones == BoneSet::EMPTY && person.face.is_none() {
        return Person::nobody(secs);
    }
    person
}

/// The bones without which a spot is not known.
const SEEN: [(&[Spot], &[Bone]); 4] = [
    (&[Spot::LeftElbow, Spot::LeftWrist], &[Bone::LeftUpperArm, Bone::LeftLowerArm]),
    (&[Spot::RightElbow, Spot::RightWrist], &[Bone::RightUpperArm, Bone::RightLowerArm]),
    (&[Spot::LeftKnee, Spot::LeftAnkle], &[Bone::LeftUpperLeg, Bone::LeftLowerLeg]),
    (&[Spot::RightKnee, Spot::RightAnkle], &[Bone::RightUpperLeg, Bone::RightLowerLeg]),
];

/// What the face shows, in the measures of a camera: those of a face that does nothing, and how much they change.
fn face(frame: &Received) -> Option<Face> {
    const SMILE: [f32; 2] = [0.53, 0.45];
    const BROWS: [f32; 2] = [0.27, 0.1];
    const OPEN: f32 = 0.33;
    const MOUTH: f32 = 0.25;
    let weight = |names: &[&str]| {
        let told =
            frame.weights.iter().filter(|(channel, _)| names.iter().any(|name| channel.name() == *name));
        told.map(|(_, weight)| *weight).fold(0.0, f32::max)
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

/// Where the head points on the trunk, in degrees: to the left, up, and tilted to the left.
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
    use vivant::rig::{Channel, RigParts};

    fn rig() -> Rig {
        let places = Bone::ALL.map(|bone| (bone, Vec3::new(0.0, 1.0 + 0.01 * bone.index() as f32, 0.0)));
        Rig::new(RigParts { rest_positions: places.to_vec(), ..RigParts::default() })
    }

    #[test]
    fn what_is_not_told_is_not_seen() {
        let frame = Received { bones: BoneSet::ALL.minus(BoneSet::LEFT_ARM), ..Received::default() };
        let person = person(&rig(), &frame, 2.0);
        assert_eq!((person.secs, person.people), (2.0, 1));
        assert_eq!(person.place(Spot::LeftWrist, 0.01), None);
        assert!(person.place(Spot::RightWrist, 0.9).is_some());
        assert_eq!(self::person(&rig(), &Received::default(), 2.0), Person::nobody(2.0));
    }

    #[test]
    fn expressions_and_the_head_are_a_face() {
        let mut frame = Received { bones: BoneSet::EMPTY.with(Bone::Head), ..Received::default() };
        frame.pose.rotations.set(Bone::Head, Quat::from_rotation_z(-0.2));
        let told = |name: &str, weight: f32| (Channel::from(name.to_owned()), weight);
        frame.weights = vec![told("happy", 1.0), told("blinkLeft", 1.0)];
        let face = person(&rig(), &frame, 0.0).face.expect("there is a face");
        assert!((face.head_deg[2] - 0.2_f32.to_degrees()).abs() < 0.01, "it leans to the left");
        assert!(face.smile > 0.8 && face.lids[0] < 0.01 && face.lids[1] > 0.3);
    }
}
