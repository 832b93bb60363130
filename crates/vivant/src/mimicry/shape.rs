//! A posture as it can be compared with others: by arms and weight, whatever the size of the body and wherever it faces.

use super::person::{Person, Spot};
use glam::Vec3;

/// What is seen less surely than this is not compared.
pub(super) const SURE: f32 = 0.3;

/// A posture. What was not seen is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// The left and the right arm.
    pub(super) arms: [Option<Arm>; 2],
    /// From wrist to wrist and from palm to palm, by the length of an arm.
    pub(super) between_wrists: Option<f32>,
    pub(super) between_palms: Option<f32>,
    /// Where the hips are over the feet.
    pub(super) weight: Option<Weight>,
}

/// How far the hips are from over the feet across the view and along it, to the person's left and ahead if they face the
/// viewer, by the length of a leg; and how the trunk is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    across: f32,
    along: f32,
    /// The cosine and the sine of its yaw.
    turn: [f32; 2],
}

impl Weight {
    /// How far aside the hips are beside where this posture, turned to the viewer, would have them if it were turned so.
    ///
    /// What is near and far is too inexact for centimetres in what a camera sees, but not in what is known.
    pub(super) fn aside_of(self, known: Self) -> f32 {
        let [cosine, sine] = self.turn;
        self.across - (known.across * cosine + known.along * sine)
    }

    /// About how far aside they are, of somebody who stands on both legs if it is nearly zero.
    pub(super) fn aside(self) -> f32 {
        self.aside_of(Self { across: 0.0, along: STANDING_ALONG, turn: [1.0, 0.0] })
    }
}

/// How far ahead of their ankles the hips of people are who stand upright, by the length of a leg.
const STANDING_ALONG: f32 = 0.03;

/// An arm in the frame of the trunk, with X outwards, Y up and Z ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    /// Where the upper arm and the forearm point.
    pub(super) upper: Vec3,
    pub(super) fore: Vec3,
    /// Where the wrist is from the shoulder, by the length of an arm.
    pub(super) wrist: Vec3,
    /// What the wrist is near, and the palm, if the hand was seen: it is palms that touch.
    pub(super) wrist_near: Near,
    pub(super) palm_near: Option<Near>,
    /// How surely it was seen, from 0 to 1.
    pub(super) sure: f32,
}

/// How far a hand is from the hip of its side, the other elbow and the mouth, by the length of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    pub(super) hip: Option<f32>,
    pub(super) other_elbow: Option<f32>,
    pub(super) mouth: Option<f32>,
}

/// The frame of a trunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trunk {
    pub(super) left: Vec3,
    pub(super) up: Vec3,
    pub(super) ahead: Vec3,
}

impl Trunk {
    /// The trunk of a person whose shoulders are seen. Where the hips are not, it is upright.
    pub(super) fn of(person: &Person) -> Option<Self> {
        let [left, right] = both(person, Spot::LeftShoulder)?;
        let up = match both(person, Spot::LeftHip) {
            Some([left_hip, right_hip]) => 0.5 * (left + right) - 0.5 * (left_hip + right_hip),
            None => Vec3::Y,
        };
        let up = up.try_normalize()?;
        let across = left - right;
        let left = (across - up * across.dot(up)).try_normalize()?;
        Some(Self { left, up, ahead: left.cross(up) })
    }

    /// A way in the frame of the trunk; `side` is 1 for the left and −1 for the right, so that X is outwards.
    fn turned(&self, way: Vec3, side: f32) -> Vec3 {
        Vec3::new(side * way.dot(self.left), way.dot(self.up), way.dot(self.ahead))
    }
}

fn both(person: &Person, left: Spot) -> Option<[Vec3; 2]> {
    Some([person.place(left, SURE)?, person.place(left.mirrored(), SURE)?])
}

impl Shape {
    /// The posture of a person; `None` if the shoulders are not seen.
    pub(super) fn of(person: &Person) -> Option<Self> {
        let trunk = Trunk::of(person)?;
        let arms = [1.0, -1.0].map(|side| Arm::of(person, &trunk, side));
        let length = arm_length(person);
        let wrists = [Spot::LeftWrist, Spot::RightWrist].map(|spot| person.spots[spot as usize].place);
        let are_seen = arms.iter().all(Option::is_some);
        let palms = both(person, Spot::LeftPalm).filter(|_| are_seen);
        Some(Self {
            arms,
            between_wrists: are_seen.then(|| (wrists[0] - wrists[1]).length() / length),
            between_palms: palms.map(|palms| (palms[0] - palms[1]).length() / length),
            weight: weight(person, &trunk),
        })
    }
}

impl Arm {
    fn of(person: &Person, trunk: &Trunk, side: f32) -> Option<Self> {
        let own = |left: Spot| if side > 0.0 { left } else { left.mirrored() };
        let seen = |left: Spot| person.spots[own(left) as usize];
        let [shoulder, elbow, wrist] = [Spot::LeftShoulder, Spot::LeftElbow, Spot::LeftWrist].map(seen);
        // A hidden wrist is told of, too: behind the back, for instance. How surely weighs it.
        let sure = elbow.sure.min(wrist.sure);
        if elbow.sure <= 0.05 || wrist.sure <= 0.0 {
            return None;
        }
        let length = arm_length(person);
        let near = |from: Vec3| {
            let far = |spot: Spot| person.place(spot, SURE).map(|place| (from - place).length() / length);
            let [hip, other_elbow] = [Spot::LeftHip, Spot::RightElbow].map(own).map(far);
            Near { hip, other_elbow, mouth: far(Spot::Mouth) }
        };
        Some(Self {
            upper: trunk.turned((elbow.place - shoulder.place).try_normalize()?, side),
            fore: trunk.turned((wrist.place - elbow.place).try_normalize()?, side),
            wrist: trunk.turned(wrist.place - shoulder.place, side) / length,
            wrist_near: near(wrist.place),
            palm_near: person.place(own(Spot::LeftPalm), SURE).map(near),
            sure,
        })
    }
}

/// From shoulder to wrist along the arm, of both arms the longer one: what points at the camera looks short.
fn arm_length(person: &Person) -> f32 {
    let length = |[shoulder, elbow, wrist]: [Spot; 3]| {
        let [a, b, c] = [shoulder, elbow, wrist].map(|spot| person.spots[spot as usize].place);
        (b - a).length() + (c - b).length()
    };
    let left = [Spot::LeftShoulder, Spot::LeftElbow, Spot::LeftWrist];
    length(left).max(length(left.map(Spot::mirrored))).max(1e-3)
}

/// Where the hips are over the feet. Who is seen from the side shows nothing of it.
fn weight(person: &Person, trunk: &Trunk) -> Option<Weight> {
    let hips = both(person, Spot::LeftHip)?;
    let ankles = both(person, Spot::LeftAnkle)?;
    let leg = ((hips[0] - ankles[0]).y + (hips[1] - ankles[1]).y) * 0.5;
    let away = (hips[0] + hips[1] - ankles[0] - ankles[1]) * 0.5;
    let turn = [trunk.left.x, trunk.ahead.x];
    (leg > 1e-3 && turn[0] > FROM_THE_SIDE).then(|| Weight {
        across: away.x / leg,
        along: away.z / leg,
        turn,
    })
}

/// Who is turned farther than 50° is seen from the side: the cosine.
const FROM_THE_SIDE: f32 = 0.64;
